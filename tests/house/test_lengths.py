"""A long function and a long file say why they are long: python3 test_lengths.py SOURCE-FOLDER

A file holds one idea and reads top to bottom. A function of more than 80 lines, or a file of more than 900, says in its first
comment why, with the words "Long because": for a function the comment above it or the first one inside, for a file the one at its top.
SPDX-License-Identifier: GPL-3.0-or-later"""

import pathlib
import re
import sys

FLOORS = ("common", "event_driven", "time_stepping", "analytic", "experiments", "wasm")
FUNCTION_LINES, FILE_LINES = 80, 900
REASON = "Long because"


def functions(lines):
    """(index of the first line, index after the last) of each body: clang-format puts both braces of a function at the margin."""
    begin = None
    for i, line in enumerate(lines):
        if line == "{":
            begin = i
        elif line == "}" and begin is not None:
            yield begin, i + 1
            begin = None


def first_comment(lines, begin, end):
    """The comment that ends above the head of the function, and the first comment inside."""
    top = begin
    while top > 0 and lines[top - 1].strip() and not lines[top - 1].startswith(("}", "#")):
        top -= 1
    inside = re.search(r"/\*.*?\*/", "\n".join(lines[begin:end]), re.S)
    return " ".join("\n".join(lines[top:begin]).split()) + (inside.group(0) if inside else "")


def long_ones(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    if len(lines) > FILE_LINES and REASON not in " ".join(lines[:30]):
        yield f"{path}: {len(lines)} lines, and the first comment does not say why"
    for begin, end in functions(lines):
        if end - begin > FUNCTION_LINES and REASON not in first_comment(lines, begin, end):
            yield f"{path}:{begin}: a function of {end - begin} lines, and its first comment does not say why"


def main():
    root = pathlib.Path(sys.argv[1])
    wrong = [w for floor in FLOORS for path in sorted((root / floor).rglob("*.[ch]")) for w in long_ones(path)]
    print("\n".join(wrong) or f"functions over {FUNCTION_LINES} lines and files over {FILE_LINES} say why")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
