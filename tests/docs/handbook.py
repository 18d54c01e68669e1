"""The handbook as HTML, without a browser: python3 handbook.py FOLDER DOCS TOOL.

Every page of DOCS is there and in the index of the search; old addresses, links and pictures lead to a file and a place that are there;
nothing is loaded from elsewhere; every equation of a page is MathML with its number; tidy, where it is, has no complaint. All names that TOOL lists
have an entry in the Reference. Words of the glossary and names of schemes are links where
they occur first.

SPDX-License-Identifier: GPL-3.0-or-later"""

import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loaded, self.maths, self.left = set(), [], [], 0, []
        self.inside = []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.add(values.get("id"))
        self.maths += tag == "math" and values.get("display") == "block"
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in LOADED:
            self.loaded.append(values.get(LOADED[tag]) or "")
        if tag in ("code", "pre", "annotation", "script"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, text):
        if not self.inside and re.search(r"\\[a-z]+|\$", text):
            self.left.append(text.strip()[:60])


def leads(path, target, pages):
    """Is there what a link of the page names?"""
    file, _, place = urllib.parse.unquote(target).partition("#")
    there = (path.parent / file).resolve() if file else path
    return there.exists() and (not place or there not in pages or place in pages[there].ids)


def look(path, page, pages, source):
    failures = [f"nothing at {link}" for link in page.links if ":" not in link and not leads(path, link, pages)]
    failures += [f"loads {name}" for name in page.loaded if ":" in name or not leads(path, name, pages)]
    failures += [f"TeX is left: {text}" for text in page.left]
    words = [link for link in page.links if "glossary.html#word-" in link]
    failures += [f"{link} more than once" for link in set(words) if words.count(link) > 1]
    if source is None:  # made by the tool
        return failures
    equations = re.findall(r"^ *```math\n(.*?)^ *```$", source, re.DOTALL | re.MULTILINE)
    if page.maths != len(equations):
        failures.append(f"{page.maths} equations, {len(equations)} in the source")
    numbers = re.findall(r"\\tag\{([^}]*)\}", "".join(equations))
    shown = re.findall(r'<span class="number">\(([^)]*)\)</span>', path.read_text())
    if [n.replace("'", "’") for n in numbers] != [n.replace("'", "’") for n in shown]:
        failures.append(f"equations {shown}, in the source {numbers}")
    return failures


def tidied(paths):
    tidy = shutil.which("tidy")
    if tidy is None:
        print("tidy is not here (Debian: apt-get install tidy): not asked")
        return []
    command = [tidy, "-quiet", "-errors", "--drop-empty-elements", "no", "--fix-uri", "no"]  # letters of all languages in links
    failures = []
    for path in paths:
        done = subprocess.run([*command, str(path)], capture_output=True, text=True)
        failures += [f"{path.name}: tidy: {line}" for line in done.stderr.splitlines()[:3]]
    return failures


def searched(folder):
    """Pages of the index, each with the number of its parts."""
    text = (folder / "search-index.js").read_text()
    pages = {}
    for page, rest in re.findall(r'found\("([^"]*)",(.*?)\]\);\n', text, re.DOTALL):
        title, _, parts = rest.partition(",[")
        json.loads(title)
        pages[page] = len(json.loads("[" + parts + "]")) // 3
    return pages


def unlisted(tool, pages, folder):
    """Names that the tool prints and a page of the Reference does not have."""
    names = {kind: [line.split(",")[0] for line in said(tool, "list", kind, "--format", "csv").splitlines()[1:]]
             for kind in ("models", "schemes", "laws", "norms", "solvers", "studies")}
    names["commands"] = said(tool, "--complete", "delassus", "").split()
    for kind, all_names in names.items():
        path = folder / "reference" / f"{kind}.html"
        shown = path.read_text() if kind == "studies" else pages[path].ids
        yield from (f"{kind}.html: no entry {name}" for name in all_names if name not in shown and not name.startswith("-"))


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    folder, docs = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    sources = {}
    for source in sorted(docs.rglob("*.md")):
        name = source.relative_to(docs).with_suffix(".html")
        sources[folder / (name.parent / "index.html" if name.stem == "README" else name)] = source.read_text()
    old = [path for path in folder.rglob("*.html") if 'http-equiv="refresh"' in path.read_text()]
    missing = [path for path in sources if not path.exists()]
    missing += [path.parent / link for path in old for link in Page(path).links if not (path.parent / link).exists()]
    if missing:
        print("\n".join(f"{path} is missing" for path in missing))
        return 1
    made = [path for path in folder.rglob("*.html") if "headers" not in path.parts and path not in old]
    pages = {path: Page(path) for path in made}
    failures = []
    for path, page in pages.items():
        failures += [f"{path.relative_to(folder)}: {text}" for text in look(path, page, pages, sources.get(path))]
    parts = searched(folder)
    failures += [f"{path.name} is not in the index" for path in pages if parts.get(str(path.relative_to(folder)), 0) < 1]
    failures += [*unlisted(sys.argv[3], pages, folder), *tidied(pages)]
    equations = sum(page.maths for page in pages.values())
    links = [link for page in pages.values() for link in page.links]
    words, entries = sum("glossary.html#word-" in link for link in links), sum("reference/schemes.html#" in link for link in links)
    counts = {"redirects": (len(old), 10), "equations": (equations, 100), "links to words of the glossary": (words, 2 * len(pages)),
              "links to schemes": (entries, 100)}
    failures += [f"{count} {name}, expected {least} at least" for name, (count, least) in counts.items() if count < least]
    print("\n".join(failures) or f"{len(pages)} pages, {equations} equations, {sum(parts.values())} parts in the search")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
