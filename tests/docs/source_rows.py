#!/usr/bin/env python3
"""source_rows.py TOOL PAGE [--studies I/N] -- the output of each command of docs/sources.md contains what its row lists.

The last column of a row has code spans, each of which must be in the output: words as they are (any blanks for a blank, … for anything within a
line), and numbers as X±TOL, ≤X or ≥X. `exit status N` is the exit status, 0 if not named. A row
with a command and without such a span is rejected; a row without a command says why it has none: *open*, or a misprint. Of a study that
agrees with all that its source says no row says **differs** or **no**, unless it names another reason in a second command.
`--has 'SPAN, SPAN' FILE...`: the same for the spans and the files alone.
Without --studies all commands but those of studies are run; with it part I of N of the studies.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

EQUATIONS = (("RR-8602", "", 108), ("Lecture", "", 143), ("Armero–Petőcz", "2.", 46), ("Armero–Petőcz", "3.", 47), ("Armero–Petőcz", "4.", 3),
             ("Armero–Petőcz", "I.", 9), ("Lens–Cardona", "", 72), ("Acary–Collins-Craft", "", 80))
FIGURES = (("Armero–Petőcz", "2.1 2.2 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9".split()), ("Lens–Cardona", [str(n) for n in range(1, 27)]))
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
TOKEN = re.compile(rf"(?P<value>{NUMBER})±(?P<tol>{NUMBER})|(?P<bound>[≤≥])(?P<limit>{NUMBER})|(?P<gap>…)|(?P<blank>\s+)|(?P<text>.)",
                   re.DOTALL)
AT_ONCE = 2


def rows(page):
    """(line number, source, cells) of every row."""
    source = ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("## "):
            source = line[3:]
        if source and line.startswith("| ") and not re.match(r"\| (where|---) ", line):
            cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))  # a bar inside of a cell is written \|
            yield number, source, [cell.replace("\\|", "|").strip() for cell in cells]


def compile_span(span):
    """A regular expression, and a test for each number in it."""
    expression, tests = "", []
    for token in TOKEN.finditer(span):
        if token["value"]:
            value, tolerance = float(token["value"]), float(token["tol"])
            expression += f"({NUMBER})(?![\\d.])"
            tests.append(lambda x, v=value, t=tolerance: abs(x - v) <= t)
        elif token["bound"]:
            limit = float(token["limit"])
            expression += f"({NUMBER})(?![\\d.])"
            tests.append((lambda x, m=limit: x <= m) if token["bound"] == "≤" else (lambda x, m=limit: x >= m))
        else:
            expression += ".*?" if token["gap"] else " " if token["blank"] else re.escape(token["text"])
    return re.compile(r"(?<![\w.])" * bool(re.match(r"[\w-]", span)) + expression + r"(?![\w])" * bool(re.match(r"\w", span[-1]))), tests


def holds(span, text):
    """Is it in a line of the text, or, without a gap, in its words wherever lines break?"""
    expression, tests = compile_span(" ".join(span.split()))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    if "…" not in span:
        lines.append(" ".join(lines))
    return any(all(test(float(x)) for test, x in zip(tests, found.groups())) for line in lines for found in expression.finditer(line))


def run(tool, command):
    """Exit status and output."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([tool, *shlex.split(command)], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "200"}, check=False)
    return done.returncode, f"{done.stdout}\n{done.stderr}\nexit status {done.returncode}\n"


def complaints(cells, output):
    """What is wrong with one row. @param output  of its command: status and text; None where it was not run"""
    if len(cells) != 5:
        return [f"{len(cells)} columns, not 5"]
    where, _, command, out, shown = cells
    spans = re.findall(r"`([^`]+)`", shown)
    if not command:
        return [] if "*open*" in out or "misprint" in where else ["no command, and no reason why"]
    if not spans:
        return ["nothing that the output must have"]
    if output is None:
        return []
    status, text = output
    wrong = [f"`{span}` is not in the output" for span in spans if not holds(span, text)]
    if status != 0 and f"exit status {status}" not in spans:
        wrong.append(f"exit status {status}: {text.strip().splitlines()[-2][:200]}")
    score = re.search(r"agrees with the source (\d+) of (\d+)", text)
    if score and score[1] == score[2] and re.match(r"\*\*(differs|no)\*\*", out):
        wrong.append("it says that it differs, the study agrees with its source in all")
    return wrong


def missing(table):
    """Equations (PREFIX1) to (PREFIX LAST) and figures that stand in no first column, alone or in a range."""
    texts = {}
    for _, source, cells in table:
        texts.setdefault(source, []).append(cells[0])
    for source, prefix, last in EQUATIONS:
        seen = set()
        for where in texts[source]:
            for first, end in re.findall(r"\(([0-9A-Z.]+)\)(?:–\(([0-9A-Z.]+)\))?", where):
                ends = [text[len(prefix):] for text in (first, end or first) if text.startswith(prefix)]
                if len(ends) == 2 and all(text.isdigit() for text in ends):
                    seen.update(range(int(ends[0]), int(ends[1]) + 1))
        yield from (f"{source}: equation ({prefix}{n}) is in no row" for n in range(1, last + 1) if n not in seen)
    for source, numbers in FIGURES:
        ranges = [part.split(" to ") for where in texts[source] if "figure" in where
                  for part in re.sub(r".*figures? ", "", where).split(", ") if part[0].isdigit()]
        key = lambda text: [int(x) for x in text.split(".")]
        yield from (f"{source}: figure {n} is in no row" for n in numbers
                    if not any(key(r[0]) <= key(n) <= key(r[-1]) for r in ranges))


def check_itself():
    """Rows that have to be rejected are, and one that is right is not."""
    out = "worst_gap=-8.675e-4\nyes  0.9766   [0.85, 1.15]\nx: agrees with the source 6 of 6"
    row = ["where", "what", "`run x`", "**yes**"]
    cases = ((row + ["`worst_gap=-8.7e-4±1e-5`"], out, 0), (row + ["`worst_gap=-8.7e-4±1e-6`"], out, 1),
             (row + ["`worst_gap ≤0`"], out, 1), (row + ["`worst_gap=≤0`, `yes 0.9766 [0.85, 1.15]`"], out, 0),
             (row + ["`worst_gap=≥0`"], out, 1), (row + ["`yes 0.97`"], out, 1), (row + ["`yes … 1.15`"], out, 0),
             (row + ["it has"], out, 1), (row, out, 1), (["where", "what", "", "**yes**", ""], None, 1),
             (["where", "what", "", "*open*: why", ""], None, 0), (row[:3] + ["**differs**: not", "`yes 0.9766`"], out, 1))
    for cells, text, count in cases:
        found = complaints(cells, None if text is None else (0, text))
        assert len(found) == count, (cells, found)
    assert complaints(row + ["`yes 0.9766`"], (1, out + "\nerror\nend")) and not complaints(row + ["`exit status 1`"], (1, "exit status 1\n"))


def has(spans, files):
    """Are all spans in the files?"""
    text = "\n".join(pathlib.Path(name).read_text(encoding="utf-8") for name in files)
    missed = [span for span in spans.split(", ") if not holds(span, text)]
    print("".join(f"not in the output: {span}\n" for span in missed), end="")
    return 1 if missed else 0


def main():
    if sys.argv[1] == "--has":
        return has(sys.argv[2], sys.argv[3:])
    check_itself()
    tool, page = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    part, parts = (int(x) for x in sys.argv[4].split("/")) if len(sys.argv) > 3 else (0, 0)
    table = list(rows(page))
    commands = sorted({cells[2].strip("`") for _, _, cells in table if len(cells) == 5 and cells[2]})
    studies = [c for c in commands if c.startswith("study ")]
    chosen = studies[part - 1::parts] if parts else [c for c in commands if c not in studies]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        outputs = dict(zip(chosen, pool.map(lambda c: run(tool, c), chosen)))
    failures = 0
    for number, source, cells in table:
        for text in complaints(cells, outputs.get(cells[2].strip("`") if len(cells) > 2 else "")):
            failures += 1
            print(f"FAILED: {page.name}:{number}: {source}, {cells[0]}: {text}")
    for text in missing(table) if not parts else ():
        failures += 1
        print(f"FAILED: {text}")
    print(f"{len(table)} rows, {len(chosen)} commands, {failures} failed")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
