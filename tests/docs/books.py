"""The books of the handbook, measured: python3 books.py SOURCE-FOLDER.

Every page of docs/ is in one list of one book, and no list names a page that is missing. Every link of a page, of README.md,
CONTRIBUTING.md and CHANGELOG.md leads to a file and a heading that exist. The mean sentence of every page of the Guide has at
most 20 words. Prints for each book its pages, its words and its mean sentence.

SPDX-License-Identifier: GPL-3.0-or-later"""

import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "house"))
from test_words import mean, page_sentences  # noqa: E402

BOOKS = ("guide", "course", "reference", "notes")
GUIDE_PAGES, GUIDE_WORDS = 15, 20  # at most
LINK = re.compile(r'\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?: "[^"]*")?\)')


def prose(path):
    """The text without code, whose brackets are no links."""
    text = re.sub(r"(?ms)^ *```.*?^ *```|^<!--.*?-->", "", path.read_text(encoding="utf-8"))
    return re.sub(r"`[^`\n]*`", "", re.sub(r"(?m)^ {4,}(?![*\d-]).*$", "", text))


def anchors(path, known={}):
    """Names of the headings of a page, as code hosts and pandoc make them."""
    if path not in known:
        text = re.sub(r"(?ms)^ *```.*?^ *```", "", path.read_text(encoding="utf-8"))
        seen, known[path] = collections.Counter(), set()
        for heading in re.findall(r"(?m)^#+ +(.*?) *$", text):
            plain = re.sub(r"\]\([^)]*\)", "]", heading).lower()
            name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
            known[path].add(name + (f"-{seen[name]}" if seen[name] else ""))
            seen[name] += 1
    return known[path]


def dead_links(root, path):
    for target in LINK.findall(prose(path)):
        file, _, place = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        if re.match(r"[a-z]+:", target):
            continue
        if not there.exists() or root not in [there, *there.parents]:
            yield f"{path.relative_to(root)}: nothing at {target}"
        elif place and there.suffix == ".md" and place not in anchors(there):
            yield f"{path.relative_to(root)}: {target} has no such heading"


def lists(docs):
    """Of each page the books that list it, by the first link of a row of a table."""
    found = collections.defaultdict(list)
    for book in BOOKS:
        index = docs / book / "README.md"
        found[index].append(book)
        for row in re.findall(r"(?m)^\| \[.*", prose(index)):
            found[(index.parent / LINK.findall(row)[0]).resolve()].append(book)
    return found


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    docs = root / "docs"
    pages = sorted(docs.rglob("*.md"))
    listed = lists(docs)
    failures = []
    for page in pages:
        if page.parent == docs and page.name == "README.md":
            continue
        name, folder = page.relative_to(docs), page.parent.name if page.parent != docs else None
        if len(listed[page]) != 1 or folder not in (None, *listed[page]):
            failures.append(f"{name} is listed in {' and '.join(listed[page]) or 'no book'}, not once in the book of its folder")
    for path in [*pages, root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md"]:
        failures += dead_links(root, path)
    for book in BOOKS:
        inside = [page for page in pages if book in listed[page]]
        lengths = {page: list(page_sentences(page)) for page in inside}
        words = sum(len(page.read_text(encoding="utf-8").split()) for page in inside)
        print(f"{book}: {len(inside) - 1} pages, {words} words, mean sentence {mean(sum(lengths.values(), [])):.1f} words")
        if book == "guide":
            failures += [f"{page.relative_to(docs)}: mean sentence {mean(n):.1f} words, at most {GUIDE_WORDS}"
                         for page, n in lengths.items() if mean(n) > GUIDE_WORDS]
            if len(inside) - 1 > GUIDE_PAGES:
                failures.append(f"the Guide has {len(inside) - 1} pages, at most {GUIDE_PAGES}")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
