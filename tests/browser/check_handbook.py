"""The handbook as HTML in a real browser: python3 check_handbook.py FOLDER, that of the target `handbook`.

No page is wider than a telephone, the tree of pages is out of the way there, and the search finds a page by its
title. Exit status 77: there is no chromium.

SPDX-License-Identifier: GPL-3.0-or-later"""

import pathlib
import sys

from devtools import Page, browser

WIDTH = 390
FOUND = "document.getElementById('MSearchResults').contentDocument.body.innerText"


def pause(page, milliseconds):
    page.js(f"new Promise((done) => setTimeout(done, {milliseconds}))", wait=True)


def look(page, path):
    page.open(path)
    pause(page, 60)
    wide = page.js("document.body.scrollWidth")
    room = page.js("document.getElementById('doc-content').clientWidth")
    return (
        [] if wide <= WIDTH and room == WIDTH else [f"{path.name}: {wide} pixels wide, {room} for its text"]
    )


def search(page, path):
    page.open(path)
    pause(page, 400)
    page.js("document.getElementById('MSearchField').focus()")
    page.call("Input.insertText", text="elastic")
    page.js("searchBox.Search()")
    pause(page, 1500)
    found = page.js(FOUND)
    return (
        []
        if "The elastic bar" in found or "Elastic solids" in found
        else [f"the search for 'elastic' finds {found!r}"]
    )


def main():
    if browser() is None:
        print("skipped: there is no chromium here (Debian: apt-get install chromium)")
        return 77
    folder = pathlib.Path(sys.argv[1])
    pages = sorted(folder.glob("md_docs_*.html")) + [folder / "index.html"]
    failures = []
    with Page(["--allow-file-access-from-files"]) as page:  # the search loads its results into a frame
        page.size(WIDTH, 844)
        for path in pages:
            failures += look(page, path)
        failures += search(page, folder / "index.html") + page.problems
    print("\n".join(failures) or f"{len(pages)} pages")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
