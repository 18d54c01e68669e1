"""The terms of the theta-method, of Newmark's method and of the Schatzman-Paoli scheme are spelled out once in time_stepping/:
python3 test_equations.py SOURCE-FOLDER.

Each row is the home of some terms, and what they look like where somebody writes them again. Comments and strings do not count.
SPDX-License-Identifier: GPL-3.0-or-later"""

import pathlib
import re
import sys

NAME = r"[\w.>\[\]()*-]*"  # s->c.gamma, number[3]
HOMES = {
    "step/average.h": [rf"\(1(?:\.0)? - (?:{NAME}(?:->|\.))?(?:theta|eta|gamma|alpha|alpha_[fmc]|[cfx])\)+ \* (?!dls_balance)", r"\bone - "],
    "moreau/theta_equations.h": [r"\bh \* (?:opt->|o->|s->)?theta \* ", rf"\+ \(?h_theta\)? \* "],
    "step/newmark_equations.h": [rf"0\.5 - {NAME}beta\)", rf"\bh \* {NAME}gamma(?:_s)? \* ", r"\bh \* h \* [\w>.-]*beta(?:_s)?\b", r"\bh / (?:2|two) \* s->w"],
    "position/paoli_equations.h": [rf"theta \* {NAME}d(?:_next)?\b(?:\[i\])?;", r"\+ d_next\) / ", r"\bh \* h \* (?:options\(sim\)->|opt->|o->)?theta\b(?! \*)", r"/ \(1 \+ e\)"],
}
# Terms that belong to an energy identity, not to a step: weights of products, beside what is known of them in the identity's head comment.
IDENTITIES = re.compile(r"(?:^|/)balance_\w+\.c$")


def code_of(text):
    """The text without comments and strings, line by line."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def wrong_places(root):
    folder = root / "time_stepping"
    for path in sorted(folder.glob("**/*.[ch]")):
        name = path.relative_to(folder).as_posix()
        if IDENTITIES.search(name) or name.endswith("_equations.h") or name == "step/average.h":
            continue
        for number, line in enumerate(code_of(path.read_text(encoding="utf-8")).splitlines(), 1):
            for home, terms in HOMES.items():
                for term in terms:
                    if re.search(term, line):
                        yield f"time_stepping/{name}:{number}: a term of {home}: {line.strip()}"


def unused_homes(root):
    """Every macro of a home is used outside it, and the patterns still find the terms that they guard."""
    sources = [p for p in (root / "time_stepping").glob("**/*.[ch]")]
    for home, terms in HOMES.items():
        path = root / "time_stepping" / home
        if not path.is_file():
            yield f"{home} is missing"
            continue
        text = path.read_text(encoding="utf-8")
        for macro in re.findall(r"#define (DLS_\w+)\(", text):
            if not any(re.search(rf"\b{macro}\b", p.read_text(encoding="utf-8")) for p in sources if p != path):
                yield f"{home}: nobody uses {macro}"


def main():
    root = pathlib.Path(sys.argv[1])
    wrong = list(wrong_places(root)) + list(unused_homes(root))
    print("\n".join(wrong) or "every term is spelled out in its home only")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
