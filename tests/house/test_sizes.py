"""Sizes of arrays are multiplied with a check: python3 test_sizes.py FOLDER

In a call of malloc, realloc, calloc or dls_pool_take no two variables are multiplied: their product may wrap and the array be too small.
dls_size_product of common/base/memory.h is for that. Constants, which are capitals or numbers, sizeof, and the dimension d of contacts, 1 to
3, do not count. analytic/rigorous is a module that cannot call it.
SPDX-License-Identifier: GPL-3.0-or-later"""

import pathlib
import re
import sys

CALL = re.compile(r"\b(?:malloc|realloc|calloc|dls_pool_take)\(")
SIZEOF = re.compile(r"sizeof(?:\s*\([^()]*\)|\s+[*&]*[\w.>\[\]-]+)")
CONSTANT = re.compile(r"\([^a-z()]*\)|\b(?:[\w.>-]+->)?d\b(?!->|\.|\()")
VARIABLE = r"(?:[a-z][\w.>\[\]-]*|\(\*?[a-z][^()]*\)|\*[a-z]\w*)"
PRODUCT = re.compile(rf"(?<![\w.>-]){VARIABLE}(?:\([^()]*\))? \* {VARIABLE}|\) \* {VARIABLE}|{VARIABLE}(?:\([^()]*\))? \* \(")
FLOORS = ("common", "event_driven", "time_stepping", "analytic", "experiments", "wasm")


def arguments(text, begin):
    """The text between the parentheses, the first of which ends at begin."""
    depth, end = 1, begin
    while depth > 0 and end < len(text):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[begin : end - 1]


def wrong_calls(text):
    for call in CALL.finditer(text):
        inside = " ".join(SIZEOF.sub("SIZE", arguments(text, call.end())).split())
        if PRODUCT.search(CONSTANT.sub("CONSTANT", inside)):
            yield text.count("\n", 0, call.start()) + 1, inside


def main():
    root = pathlib.Path(sys.argv[1])
    files = [path for floor in FLOORS for path in sorted((root / floor).rglob("*.c")) if path.parent.name != "rigorous"]
    wrong = [f"{path.relative_to(root)}:{line}: {inside}" for path in files for line, inside in wrong_calls(path.read_text())]
    print("\n".join(wrong) or f"{len(files)} files multiply sizes with a check")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
