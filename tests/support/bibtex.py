# bibtex.py FILE -- read BibTeX strictly and print "TYPE KEY FIELD,..." for each entry; exit status 1 for what BibTeX would not take.
# SPDX-License-Identifier: GPL-3.0-or-later
import re
import sys

NEEDED = {"article": {"author", "title", "journal", "year"}, "book": {"title", "publisher", "year"},
          "incollection": {"author", "title", "booktitle", "year"}, "inproceedings": {"author", "title", "booktitle", "year"},
          "techreport": {"author", "title", "institution", "year"}, "phdthesis": {"author", "title", "school", "year"},
          "misc": {"author", "title"}}


def braces(text, start):
    """The end of the group that begins with the brace at start."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise ValueError("a brace is not closed")


def fields(body):
    """{name: value} of "name = {value}, ..."."""
    found, at = {}, 0
    while at < len(body) and body[at:].strip():
        match = re.compile(r"\s*,\s*([a-z]+) = (?={)").match(body, at)
        if not match:
            raise ValueError("no field at: " + body[at:at + 40])
        end = braces(body, match.end())
        if match.group(1) in found:
            raise ValueError("field given twice: " + match.group(1))
        found[match.group(1)] = body[match.end() + 1:end]
        at = end + 1
    return found


def main(path):
    with open(path, encoding="utf-8") as file:
        text = "".join(line for line in file if not line.startswith("%"))
    keys, at = set(), 0
    while text[at:].strip():
        match = re.compile(r"\s*@([a-z]+)\{([a-z0-9-]+)").match(text, at)
        if not match:
            raise ValueError("no entry at: " + text[at:at + 40])
        kind, key = match.groups()
        end = braces(text, text.index("{", match.start()))
        found = fields(text[match.end():end])
        missing = NEEDED[kind] - set(found)
        if missing or key in keys:
            raise ValueError(f"{key}: given twice, or without {missing}")
        if any(not value or re.search(r"(?<!\\)[&%#$_]", value) for name, value in found.items() if name != "doi"):
            raise ValueError(key + ": an empty field, or a sign that TeX takes for its own")
        keys.add(key)
        at = end + 1
        print(kind, key, ",".join(found))


try:
    main(sys.argv[1])
except (ValueError, KeyError) as error:
    sys.exit(f"bibtex: {error!r}")
