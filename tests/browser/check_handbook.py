"""The handbook as HTML in a real browser: python3 check_handbook.py [--pictures] FOLDER, that of the target `handbook`.

No page is wider than a telephone and its pictures are there; the search finds names and prose and shows where; the list of
pages is closed on a telephone; the old address of a page leads to it. No error on the console, no request that leaves the folder. --pictures: PNG of some pages,
light and dark, in FOLDER.

Exit status 77: there is no chromium.

SPDX-License-Identifier: GPL-3.0-or-later"""

import pathlib
import sys
import time
import unicodedata

from devtools import Page, browser

WIDTHS = [(390, 844), (1280, 900)]
SEARCHES = {  # words: a page among the first three, or any
    "restitution": None,
    "nonsmooth-generalized-alpha": "reference/schemes.html#nonsmooth-generalized-alpha",
    "joints": "reference/joints.html",
    "elastic bar": "notes/elastic-bar.html",
    "petocz": None,  # Petőcz
    "theta forecast penetration": None,  # θ
    "moreau-jean": "reference/moreau-jean.html",
    "friction": "friction",
    "velocity_tol": None,
}
SYNONYMS = {
    "Zeno": "guide/accumulation.html",
    "chattering": "guide/accumulation.html",
    "tunnelling": "notes/penetration.html",
    "event detection": "notes/root-finding.html",
    "DAE": "reference/joints.html",
    "hysteresis": "reference/spring-damper.html",
    "painleve": "reference/event-driven-friction.html",
    "convergence rate": "order",
}
MOVED = 'http-equiv="refresh"'  # a page that leads to where its text is now
BROKEN = """Array.from(document.images).filter((image) => !image.complete || image.naturalWidth === 0)
.map((image) => 'picture ' + image.src)"""


def look(page, path, width):
    page.open(path)
    wide = page.js("document.documentElement.scrollWidth")
    failures = [] if wide <= width else [f"{path.name}: {wide} pixels wide on {width}"]
    return failures + [f"{path.name}: {broken}" for broken in page.js(BROKEN)]


def plain(text):
    """Without accents, Greek letters by their names."""
    bare = "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return bare.lower().replace("θ", "theta")


def find(page, words):
    """Names and texts of what the search shows."""
    page.js(f"document.getElementById('words').value = {words!r}")
    page.js("document.getElementById('words').dispatchEvent(new Event('input'))")
    for _ in range(100):
        shown = page.js(
            "Array.from(document.querySelectorAll('#found article')).map((a) => [a.querySelector('a').href, a.innerText])"
        )
        if shown or page.js("document.getElementById('found').innerText === 'Nothing found.'"):
            return shown
        time.sleep(0.05)
    return []


def search(page, path):
    failures = []
    page.open(path)
    for words, expected in {**SEARCHES, **SYNONYMS}.items():
        shown = find(page, words)
        if not shown or expected and not any(expected in link for link, _ in shown[:3]):
            failures.append(f"the search for '{words}' from {path.name} finds {shown[:3]}")
        if words in SEARCHES and not all(plain(words.split()[0]) in plain(text) for _, text in shown[:1]):
            failures.append(f"the search for '{words}' does not show where: {shown[:1]}")
    if find(page, "xyzzyplugh"):
        failures.append("the search finds what is not there")
    if failures:
        return failures
    link = find(page, "velocity_tol")[0][0]
    page.js("document.querySelector('#found a').click()")
    time.sleep(0.3)
    if page.js("location.href") != link:
        failures.append(f"a click on what was found leads to {page.js('location.href')}, not to {link}")
    return failures


def pages_list(page, path):
    page.size(*WIDTHS[0])
    page.open(path)
    closed = not page.js("document.getElementById('pages').open")
    page.size(*WIDTHS[1])
    page.open(path)
    shown = page.js("document.querySelector('#pages nav').getBoundingClientRect().width > 200")
    return [] if closed and shown else [f"list of pages: closed on a telephone {closed}, beside the page {shown}"]


def moved(page, folder):
    page.open(folder / "index.html")
    page.js("location.href = 'energy.html#notation'")
    time.sleep(2)
    address = page.js("location.href")
    return [] if address.endswith("/notes/energy.html#notation") else [f"energy.html leads to {address}"]


def pictures(page, folder, names):
    for dark in (False, True):
        for width, height in WIDTHS:
            page.size(width, height, dark=dark)
            for name in names:
                page.open(folder / f"{name}.html")
                page.picture(folder / f"{name}-{width}-{'dark' if dark else 'light'}.png", whole=False)


def main():
    if browser() is None:
        print("skipped: there is no chromium here (Debian: apt-get install chromium)")
        return 77
    folder = pathlib.Path(sys.argv[-1]).resolve()
    paths = sorted(p for p in folder.rglob("*.html") if "headers" not in p.parts and MOVED not in p.read_text())
    failures = []
    with Page() as page:
        page.size(*WIDTHS[0])
        for path in paths:
            failures += look(page, path, WIDTHS[0][0])
        failures += search(page, folder / "index.html") + search(page, folder / "course" / "index.html")
        failures += pages_list(page, folder / "reference/moreau-jean.html") + moved(page, folder) + page.problems
        if "--pictures" in sys.argv:
            pictures(page, folder, ["index", "guide/index", "reference/moreau-jean", "reference/newmark-family"])
    print("\n".join(failures) or f"{len(paths)} pages")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
