"""The handbook as HTML in a real browser: python3 check_handbook.py [--pictures | --runs TOOL] FOLDER, that of the target `handbook`.

No page is wider than a telephone and its pictures are there; the search finds names and prose and shows where; the list of
pages is closed on a telephone; the old address of a page leads to it. No error on the console, no request that leaves the folder. --pictures: PNG of some pages,
light and dark, in FOLDER.

--runs: only the command blocks of the Guide, with the tool as WebAssembly. Each button is pressed. Exit statuses are those of the page, and
standard output has the bytes of the native TOOL in a terminal, or its words and its numbers to 12 digits in blocks that
wasm/guide_may_differ.txt lists, but for as many numbers as stand there.

Exit status 77: there is no chromium; with --runs: or the handbook has no tool.

SPDX-License-Identifier: GPL-3.0-or-later"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import tty
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
# With fused multiplications, which WebAssembly does not have, glibc's pow has other last digits, and CVODE chooses other steps.
NOT_FUSED = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"}
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


# --- command blocks ---

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LIMIT = 600  # s for a block
SHOWN = """[...document.querySelectorAll('.run')].map((run) => ({ block: Number(run.dataset.block),
  button: run.querySelector('button').textContent, status: run.querySelector('[role=status]').textContent,
  printed: [...run.querySelector('.output').childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(''),
  messages: [...run.querySelectorAll('.message')].map((one) => one.textContent).join(''),
  broken: [...run.querySelectorAll('img')].filter((image) => !image.complete || image.naturalWidth === 0).map((image) => image.alt),
  pictures: [...run.querySelectorAll('img')].map((image) => image.alt) }))"""


def press(page, block):
    """Press the button of a block and wait for its end. @return what the page shows"""
    page.js(f"document.querySelector('.run[data-block=\"{block}\"] button').click()")
    ended = time.monotonic()  # pictures are loaded after it
    until = ended + LIMIT
    while time.monotonic() < until:
        time.sleep(0.1)
        shown = next(run for run in page.js(SHOWN) if run["block"] == block)
        if shown["button"] == "Run again" and (not shown["broken"] or time.monotonic() > ended + 10):
            return shown
        ended = ended if shown["button"] == "Run again" else time.monotonic()
    return {**shown, "status": f"no end within {LIMIT} s"}


def native(tool, markdown, wanted):
    """What the blocks of a page print in a terminal of 100 columns. @return {block: text}"""
    fences = FENCE.findall(markdown)
    commands = [body for kind, _, body in fences if kind == "sh"]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs").symlink_to(ROOT / "docs")
        for _, info, body in fences:
            if "file=" in info:
                name = root / info.split("file=")[1].split()[0]
                name.parent.mkdir(parents=True, exist_ok=True)
                name.write_text(body, encoding="utf-8")
        script = "".join(
            f"printf '\\001{k}\\002'\n{body.replace(' &' + chr(10), chr(10))}\n" # one after the other, as in the page
            for k, body in enumerate(commands)
            if k in wanted or "mkdir" in body
        )
        master, slave = os.openpty()
        tty.setraw(slave)
        environment = {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}", "COLUMNS": "100", "TERM": "dumb", **NOT_FUSED}
        bash = subprocess.Popen(
            ["bash", "-c", script.replace("export PATH", "true PATH")], cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.DEVNULL
        )
        os.close(slave)
        printed = b""
        while True:
            try:
                piece = os.read(master, 1 << 16)
            except OSError:  # the end, as Linux says it
                piece = b""
            if not piece:
                break
            printed += piece
        bash.wait()
        os.close(master)
    return {int(k): text for k, text in re.findall(r"\001(\d+)\002([^\001]*)", printed.decode())}


NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


def differences(text, other):
    """How many numbers differ by more than the last digit that is printed, and in 12 digits; None: words differ, too."""
    if NUMBER.sub("#", text).split() != NUMBER.sub("#", other).split():
        return None
    count = 0
    for a, b in zip(NUMBER.findall(text), NUMBER.findall(other)):
        _, places, exponent = re.fullmatch(r"[^.e]*(?:\.(\d*))?(?:e(.*))?", a).group(0, 1, 2)
        last = 0 if places is None else 10.0 ** (int(exponent or 0) - len(places))
        count += abs(float(a) - float(b)) > max(1.01 * last, 1e-12 * max(abs(float(a)), abs(float(b))))
    return count


def may_differ():
    """{(page, block): numbers that may differ}"""
    text = (ROOT / "wasm" / "guide_may_differ.txt").read_text(encoding="utf-8")
    found = re.findall(r"^([\w-]+) (\d+), (\d+) numbers: \S", text, re.MULTILINE)
    return {(name, int(block)): int(most) for name, block, most in found}


def run_page(page, path, tool):
    markdown = (ROOT / "docs" / "guide" / f"{path.stem}.md").read_text(encoding="utf-8")
    infos = [info for kind, info, _ in FENCE.findall(markdown) if kind == "sh"]
    page.open(path)
    blocks = [run["block"] for run in page.js(SHOWN)]
    names = page.js("[...document.querySelectorAll('.run button')].map((button) => button.ariaLabel)")
    if len(set(names)) < len(names) or not all((name or "").startswith("Run here: ") for name in names):
        yield f"{path.stem}: names of buttons {names}"
    printed = native(tool, markdown, blocks)
    for block in blocks:
        where = f"{path.stem} {block}"
        shown = press(page, block)
        status = (re.search(r"status=(\d+)", infos[block]) or ["", "0"])[1]
        if not shown["status"].startswith(f"exit status {status},"):
            yield f"{where}: {shown['status']}\n{shown['messages'][-500:]}"
        if shown["broken"]:
            yield f"{where}: broken pictures {shown['broken']}"
        texts = [re.sub(r"wall_seconds=.*", "wall_seconds=", text) for text in (shown["printed"], printed[block])]
        most, same = may_differ().get((path.stem, block)), texts[0] == texts[1]
        if same and most is not None:
            yield f"{where}: does not differ, but wasm/guide_may_differ.txt lists it"
        count = differences(*texts)
        if not same and (most is None or count is None or count > most):
            yield f"{where}: differs in {'words' if count is None else f'{count} numbers'}\n--- in the page\n{texts[0]}--- natively\n{texts[1]}"
        print(where, shown["status"], shown["pictures"], flush=True)


def runs(folder, tool):
    if not (folder / "delassus-tool.js").exists():
        print(f"skipped: {folder} has no tool as WebAssembly (wasm/build.sh)")
        return 77
    paths = sorted((folder / "guide").glob("*.html"))
    chosen = os.environ.get("DELASSUS_GUIDE_PAGES", "").split()
    failures, count = [], 0
    with Page() as page:
        page.size(*WIDTHS[0])
        page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        for path in paths:
            if path.stem != "index" and (not chosen or path.stem in chosen):
                failures += run_page(page, path, tool)
                count += page.js("document.querySelectorAll('.run').length")
                wide = page.js("document.documentElement.scrollWidth")
                failures += [] if wide <= WIDTHS[0][0] else [f"{path.stem}: {wide} pixels wide"]
        failures += page.problems
    listed = re.search(r"(\d+) of \d+ blocks", (ROOT / "docs" / "notes" / "webassembly.md").read_text(encoding="utf-8"))
    if not chosen and count != int(listed[1]):
        failures.append(f"{count} blocks have a button, and {listed[1]} by docs/notes/webassembly.md")
    print("\n".join(failures))
    return 1 if failures else 0


def main():
    if browser() is None:
        print("skipped: there is no chromium here (Debian: apt-get install chromium)")
        return 77
    folder = pathlib.Path(sys.argv[-1]).resolve()
    if "--runs" in sys.argv:
        return runs(folder, pathlib.Path(sys.argv[sys.argv.index("--runs") + 1]).resolve())
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
