"""Words of the code and of the pages: python3 test_words.py SOURCE-FOLDER [--worst N]

Three rules of CONTRIBUTING.md, each with a limit that is only ever lowered:
* identifiers do not use private names (PRIVATE) in place of words of the field;
* comments, strings and pages do not contain phrases that read like a literal translation (PHRASES);
* the mean sentence is short, in comments and on pages. Equations, code blocks, tables, lists of names and fragments of fewer
  than four words are no sentences; a semicolon ends none.
--worst N prints the N files with the longest sentences, for comments and for pages.
SPDX-License-Identifier: GPL-3.0-or-later"""

import argparse
import pathlib
import re
import sys

FLOORS = ("common", "event_driven", "time_stepping", "analytic", "experiments", "wasm")
PRIVATE_LIMIT, PHRASE_LIMIT, COMMENT_WORDS, PAGE_WORDS = 0, 0, 20.5, 18.5
# Parts of identifiers. Lanes are a word of vector units, inside batch/.
PRIVATE = re.compile(r"(?:grips?|crawl\w*|brink|astray|glides?|pace|asker|starved|workshop|outlines?|lanes?)(?=_|$)|kept_set|held_system")
PHRASES = r"""
falls through the floor without a word
take them as sizes
not a number alone
gives more than .{0,8} went round
as long as that will do
is told with its time
that was met is said
that nobody wants
who gives too little
that does not go round
what there is stays
of what is none
it needs --plot
(this|which|that|it) is no [A-Z]
here must stand
no end of the search
inconsistent: no contact force
by one neighbour a round
whose turns go on
deal the turns
takes notice
whoever runs
is no error any more
to the last bit that can be had
for one who learns
make files or studies once more
so comes? out what
far better or worse than the others do not move
comes the word that
is a constant of integration that nobody holds
it tells no
what stands there goes before
what is wrong in a file is said
needs not be waited for
that no motion knows
once more
anew
"""
PHRASE = [re.compile(r"\b" + re.sub(" ", r"\\s+", p.replace("\\", "")) + r"\b", re.I if p == p.lower() else 0) for p in PHRASES.split("\n") if p]
TOKEN = re.compile(r"""(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<name>[A-Za-z_]\w*)""", re.S)
WORD = re.compile(r"\S*\w\S*")


def tokens(path):
    return TOKEN.finditer(path.read_text(encoding="utf-8"))


def product_files(root):
    return [path for floor in FLOORS for path in sorted((root / floor).rglob("*.[ch]"))]


def pages(root):
    return [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md", *sorted((root / "docs").rglob("*.md"))]


def private_names(path):
    """Identifiers of which a part is a private name."""
    in_batch = "batch" in path.parts
    for token in tokens(path):
        for found in PRIVATE.finditer(token["name"] or ""):
            begin = found.start()
            if (begin == 0 or token["name"][begin - 1] == "_") and not (in_batch and found.group().startswith("lane")):
                yield token["name"]


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def phrases_of(name, text, begin=0, whole=None):
    for phrase in PHRASE:
        for found in phrase.finditer(text):
            yield f"{name}:{line_of(whole or text, begin + found.start())}: {' '.join(found.group().split())}"


def phrases_in_code(name, path):
    text = path.read_text(encoding="utf-8")
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if kind != "name":
            # The stars at the margin of a comment become blanks, so that a phrase may go over its lines.
            plain = re.sub(r"(?m)^ \*", "  ", token[0]) if kind == "comment" else token[0]
            yield from phrases_of(name, plain, token.start(), text)


def sentences(paragraphs):
    """The numbers of words of the sentences. A sentence ends where a capital or a quotation follows a full stop."""
    for paragraph in paragraphs:
        for sentence in re.split(r"(?<=[.!?])[)*_\"]*\s+(?=[A-Z`\"'(*\[])", " ".join(paragraph.split())):
            words = len(WORD.findall(sentence))
            if words >= 4:
                yield words


def comment_sentences(path):
    """Of comments of more than one line: those of one are labels of what stands beside them."""
    for token in tokens(path):
        comment = token["comment"] or ""
        if "\n" in comment:
            body = re.sub(r"(?m)^\s*\*[ \t]?", "", re.sub(r"^/\*+|\*+/$", "", comment))
            body = re.sub(r"SPDX-License-Identifier.*", "", body)
            body = re.sub(r"^\s*[\w/.]+\.[ch] -- ", "", body)
            body = "\n".join("" if re.match(r" {4,}", line) else line for line in body.split("\n"))  # an equation on a line of its own
            yield from sentences(re.split(r"\n\s*\n|\n\s*(?:[-*]|\(?[a-z0-9]\)|\d\.) ", body))


def page_sentences(path):
    text = re.sub(r"(?ms)^```.*?^```|^<!--.*?-->|^\$\$.*?^\$\$", "", path.read_text(encoding="utf-8"))
    lines = ["" if re.match(r"\s*\||#| {4,}\S|!\[", line) else line for line in text.split("\n")]
    text = re.sub(r"\]\([^)]*\)", "]", "\n".join(lines))
    yield from sentences(re.split(r"\n\s*\n|\n\s*(?:[-*+]|\d+\.) ", text))


def mean(numbers):
    return sum(numbers) / len(numbers) if numbers else 0.0


def worst(root, files, sentences_of, count):
    rows = []
    for path in files:
        lengths = list(sentences_of(path))
        if sum(lengths) >= 60:
            rows.append((mean(lengths), max(lengths), len(lengths), path.relative_to(root)))
    for average, longest, number, name in sorted(rows, reverse=True)[:count]:
        print(f"  {average:5.1f} words a sentence, longest {longest}, {number} sentences: {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--worst", type=int, default=0)
    given = parser.parse_args()
    root, code, texts = given.root, product_files(given.root), pages(given.root)
    names = [f"{path.relative_to(root)}: {name}" for path in code for name in private_names(path)]
    found = [p for path in code for p in phrases_in_code(path.relative_to(root), path)]
    found += [p for path in texts for p in phrases_of(path.relative_to(root), path.read_text(encoding="utf-8"))]
    comments, prose = (mean([n for path in files for n in of(path)]) for files, of in ((code, comment_sentences), (texts, page_sentences)))
    if given.worst:
        print("\n".join(names + found))
        print("comments:")
        worst(root, code, comment_sentences, given.worst)
        print("pages:")
        worst(root, texts, page_sentences, given.worst)
    results = [
        (len(names), PRIVATE_LIMIT, "uses of private names in identifiers"),
        (len(found), PHRASE_LIMIT, "phrases that read like a translation"),
        (round(comments, 1), COMMENT_WORDS, "words in a mean sentence of comments"),
        (round(prose, 1), PAGE_WORDS, "words in a mean sentence of pages"),
    ]
    for value, limit, what in results:
        print(f"{value} {what} (limit {limit})" + (": too many; --worst 30 shows where" if value > limit else ""))
    return 1 if any(value > limit for value, limit, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main())
