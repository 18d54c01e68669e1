"""Every lesson in a real browser: python3 check_lessons.py [--live] TOOL [FOLDER].

Sliders are moved by keyboard and questions answered; pages are looked at as wide as a telephone and as a desk,
light, dark and printed. Nothing may stand on the console, leave the page or be too wide. Pages and pictures of them
are left in FOLDER (default: lessons, beside the folder of the tool). A page that has passed is noted there, and left
out the next time unless it is another one. Exit status 77: there is no chromium.

With --live the pages contain the library, and there is no network. What they show between the values of their tables is compared with the
native library, to 12 digits, and what the library in the page computes at values of the tables with these. Without WebAssembly the
pages must work as those without the library. Exit status 77, too: the library for pages has not been built.

SPDX-License-Identifier: GPL-3.0-or-later"""

import ctypes
import hashlib
import json
import math
import pathlib
import random
import re
import subprocess
import sys

from devtools import Page, browser

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from lesson_nodes import unpack

PHONE, DESK = (390, 844), (1200, 900)
LEFT, RIGHT = ("ArrowLeft", 37), ("ArrowRight", 39)
CONTRAST = 4.5  # of text, as WCAG asks for
BETWEEN, AT = 50, 20  # positions of sliders of a live page: between values of the tables, and at these
ALIKE = 1e-12  # of an error, in the page and natively
# Distance of two curves of a page, in steps of their 4096: straight lines between nodes may pass 1 beside the motion, and nodes are rounded.
APART = 3
MOST_BYTES = 1_950_000  # of a live page: its tables have up to 0.6 MB, the library 1.3 MB

# What the page is asked in its own language.
POINTS = """[...document.querySelectorAll('#order path.m0:not(.last)')]
  .map((p) => p.getAttribute('d').split('M').length - 1).reduce((a, b) => a + b)"""
SHOWN = """(() => {
  const runs = JSON.parse(document.getElementById('tables').textContent).motions.flatMap((m) => m.runs.map((r) => r[0]));
  const shown = [...document.querySelectorAll('#errors strong')].map((s) => parseFloat(s.textContent));
  const same = (x, i) => Math.abs(x - shown[i]) <= 6e-3 * Math.abs(x);
  return [shown, runs.some((errors) => errors.length === shown.length && errors.every(same))];
})()"""
VALUES = "JSON.parse(document.getElementById('tables').textContent).sliders.at(-1).values.split(';').length"
CONTRASTS = """(() => {
const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const luminance = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).map(Number);
  return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
const behind = (node) => {
  for (; node; node = node.parentElement) {
    const c = getComputedStyle(node).backgroundColor;
    if (!/, 0\\)$|transparent/.test(c)) return c;
  }
  return "rgb(255,255,255)";
};
const texts = 'h1,p,label,legend,button,output,figcaption,code,strong,.m0,.m1,.m2';
const contrast = (n) => {
  const [a, b] = [luminance(getComputedStyle(n).color), luminance(behind(n))].sort((x, y) => y - x);
  return [(a + 0.05) / (b + 0.05), n.innerText.slice(0, 40)];
};
return [...document.querySelectorAll(texts)].filter((n) => n.innerText && n.offsetParent && !n.closest('svg'))
  .map(contrast).sort((x, y) => x[0] - y[0])[0];
})()"""


def ways_to_answer(field, head):
    """What enters a wrong answer, and the right one, into a field."""
    answer = re.search(r'data-answer="(\w)"', head)
    if answer:
        find = f"[...{field}.querySelectorAll('input')].find((n) => n.value %s '{answer[1]}').checked = true"
        return find % "!==", find % "==="
    low, high = (float(re.search(f'data-{k}="(.*?)"', head)[1]) for k in ("low", "high"))
    return tuple(f"{field}.querySelector('input').value = {x}" for x in (high + 1, (low + high) / 2))


class Lesson:
    def __init__(self, page, path, folder):
        self.page, self.path, self.folder = page, path, folder
        self.failures = []

    def check(self, good, what):
        if not good:
            self.failures.append(what)

    def text(self, selector):
        return self.page.js(f"document.querySelector({json.dumps(selector)}).innerText")

    def fits(self, where, width):
        wide = self.page.js("document.documentElement.scrollWidth")
        self.check(wide <= width, f"{where}: {wide} pixels wide, the window has {width}")

    def drops(self):
        """Points on the plot."""
        return self.page.js(POINTS)

    def slides(self):
        sliders = self.page.js("document.querySelectorAll('#sliders input').length")
        self.check(sliders >= 3, f"{sliders} sliders")
        for i in range(sliders):
            self.page.js(f"document.querySelectorAll('#sliders input')[{i}].focus()")
            before = self.state(i)
            self.page.key(*LEFT)
            after = self.state(i)
            if after[0] == before[0]:  # it was at its end
                self.page.key(*RIGHT)
                after = self.state(i)
            self.check(after[0] != before[0], f"slider {i} does not move by keyboard: {before[0]}")
            self.check(
                i == sliders - 1 or after[1] != before[1], f"slider {i}: the command stays {before[1]}"
            )

    def idle(self):
        """Wait until what belongs to the sliders is shown."""

    def state(self, i):
        self.idle()
        return [
            self.page.js(f"document.querySelectorAll('#sliders output')[{i}].textContent"),
            self.text("#command"),
        ]

    def says_its_tables(self):
        """The errors that are shown are those of the run that the command names."""
        shown = self.page.js(SHOWN)
        self.check(shown[0] and shown[1], f"the errors {shown[0]} are of no run")

    def takes_all(self):
        count = self.page.js(VALUES)
        self.page.js("document.getElementById('clear').click()")
        self.idle()
        self.check(self.drops() == 1, f"{self.drops()} points after clearing")
        self.page.js("document.getElementById('all').click()")
        self.idle()
        self.check(self.drops() >= 0.9 * count, f"{self.drops()} points of {count}")

    def plays(self):
        time = "document.querySelector('.time output').textContent"
        before = self.page.js(time)
        self.page.js("document.querySelector('.time button').click()")
        self.page.js("new Promise((done) => setTimeout(done, 400))", wait=True)
        self.check(self.page.js(time) != before, "nothing plays")
        self.page.js("document.querySelector('.time button').click()")

    def asks(self):
        text = pathlib.Path(self.path).read_text(encoding="utf-8")
        for i, head in enumerate(re.findall(r"<fieldset(.*?)>", text)):
            field = f"document.querySelectorAll('#questions fieldset')[{i}]"
            self.answers(i + 1, field, *ways_to_answer(field, head))

    def answers(self, number, field, wrong, right):
        """wrong, right: what enters such an answer."""

        def ask(enter):
            self.page.js(f"{enter}; {field}.querySelector('button').click()")
            said = f"{field}.querySelector('output').textContent"
            return self.page.js(f"[{said}, {field}.querySelector('.because').hidden]")

        for enter, expected in (
            ("0", "An answer is needed first."),
            (wrong, "No: look again."),
            (right, "Right."),
        ):
            said, hidden = ask(enter)
            self.check(said == expected, f"question {number} says '{said}' in place of '{expected}'")
            self.check(hidden == (enter != right), f"question {number} says why too early, or not at all")

    def reads(self, where):
        """Text stands out from what is behind it."""
        worst = self.page.js(CONTRASTS)
        self.check(worst[0] >= CONTRAST, f"{where}: contrast {worst[0]:.2f} of '{worst[1]}'")

    def looks(self):
        for (width, height), kind in ((PHONE, "telephone"), (DESK, "desk")):
            for dark in (False, True):
                where = f"{kind}{' dark' if dark else ''}"
                self.page.size(width, height, dark)
                self.fits(where, width)
                self.reads(where)
                self.page.picture(
                    self.folder / f"{pathlib.Path(self.path).stem}-{where.replace(' ', '-')}.png"
                )

    def prints(self):
        self.page.size(*DESK, media="print")
        self.check(
            self.page.js("[...document.querySelectorAll('button')].every((b) => !b.offsetParent)"),
            "buttons are printed",
        )
        self.page.size(*DESK)
        pages = self.page.print()
        self.check(pages.startswith(b"%PDF") and len(pages) > 10000, f"{len(pages)} bytes of print")

    def open(self):
        self.page.open(self.path)

    def all(self):
        self.page.problems.clear()
        self.page.size(*PHONE)
        self.open()
        self.fits("telephone, as it opens", PHONE[0])
        for part in (
            self.slides,
            self.says_its_tables,
            self.takes_all,
            self.plays,
            self.asks,
            self.looks,
            self.prints,
        ):
            part()
        self.failures += self.page.problems
        return self.failures


# --- live pages ---

LIVE = "new Promise((d) => { const w = () => (lookUp === liveLookUp ? d(true) : byId('sliders').nextElementSibling.matches('.warning') ? d(false) : setTimeout(w, 10)); w(); })"
IDLE = """new Promise((done) => {
  const wait = () => (byId('lab').getAttribute('aria-busy') !== 'true' && wanted.length === 0 ? done(true) : setTimeout(wait, 5));
  wait();
})"""
# Moves the sliders as a hand does; what is shown then, and the time [ms].
MOVE = """(async (positions) => {
  const from = performance.now();
  positions.forEach((place, i) => {
    const input = document.querySelectorAll('#sliders > label input')[(i + 1) % sliders.length];
    input.value = place;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await IDLE;
  const { errors, failed } = lookUp();
  const shown = [...document.querySelectorAll('#errors strong')].map((s) => parseFloat(s.textContent.replace('−', '-')));
  return { at: [...at], values: sliders.map((s, i) => s.values[at[i]]), errors, failed: failed || null, shown, took: performance.now() - from };
})""".replace("IDLE", IDLE)
# What the library in the page computes where there are tables, and these.
COMPUTE = """(async (positions) => {
  const values = sliders.map((s, i) => s.values[positions[i]]);
  const { motion, run } = numbers(positions);
  const { reference, nodes, runs } = lesson.motions[motion];
  return [await worker.ask('test', { what: 'run', of: { name: lesson.lesson, values } }), { reference, nodes, runs: [runs[run]] }];
})"""


class Native:
    """dls_flat_lesson_run of the library beside the tool."""

    def __init__(self, tool, name):
        self.library = ctypes.CDLL(str(tool.parent.parent / "libdelassus.so"))
        self.error, self.lesson = ctypes.create_string_buffer(400), ctypes.c_void_p()
        status = self.library.dls_flat_lesson_create(name.encode(), ctypes.byref(self.lesson), self.error, ctypes.c_size_t(400))
        assert status == 0, self.error.value.decode()

    def run(self, values):
        texts, text = (ctypes.c_char_p * len(values))(*(value.encode() for value in values)), ctypes.c_void_p()
        count = ctypes.c_size_t(len(values))
        status = self.library.dls_flat_lesson_run(self.lesson, count, texts, ctypes.byref(text), self.error, ctypes.c_size_t(400))
        assert status == 0, self.error.value.decode()
        answer = json.loads(ctypes.string_at(text))
        self.library.dls_flat_text_free(text)
        return answer


def same_numbers(found, expected, tolerance):
    """Lists of errors; tolerance(x): how far from x."""
    return len(found) == len(expected) and all(
        a is b or (None not in (a, b) and abs(a - b) <= tolerance(b)) for a, b in zip(found, expected)
    )


def last_of(digits):
    """Half of the last of so many digits of x."""
    return lambda x: 0 if x == 0 else 0.5001 * 10 ** (math.floor(math.log10(abs(x))) - digits + 1)


def to_segment(point, a, b):
    """Distance of a point from a segment in the plane."""
    along, off = (b[0] - a[0], b[1] - a[1]), (point[0] - a[0], point[1] - a[1])
    length = along[0] ** 2 + along[1] ** 2
    part = min(max((off[0] * along[0] + off[1] * along[1]) / length, 0), 1) if length > 0 else 0
    return math.hypot(off[0] - part * along[0], off[1] - part * along[1])


def apart(text, other, columns):
    """How far the nodes of two curves are from the other curve, at most, over all columns."""
    if text == other:
        return 0
    if not text or not other:
        return math.inf
    far = 0
    for column in range(1, columns):
        lines = [[(node[0], node[column]) for node in unpack(curve, columns)] for curve in (text, other)]
        for nodes, line in (lines, lines[::-1]):
            edges = list(zip(line, line[1:])) or [(line[0], line[0])]
            far = max([far, *(min(to_segment(node, *edge) for edge in edges) for node in nodes)])
    return far


class LiveLesson(Lesson):
    def __init__(self, page, path, folder, native):
        super().__init__(page, path, folder)
        self.native, self.notes = native, []

    def idle(self):
        self.page.js(IDLE, wait=True)

    def open(self):
        super().open()
        self.check(self.page.js(LIVE, wait=True), "the library does not start")

    def says_its_tables(self):
        """What is shown between the tables is computed there: see between()."""

    def between(self):
        choose = random.Random(38)
        counts = self.page.js("sliders.map((s) => Object.keys(s.values).length)")
        lengths = self.page.js("sliders.map((s) => s.values.length)")
        took, far = [], 0
        for _ in range(BETWEEN):
            at = [choose.randrange(count) * (length - 1) / max(count - 1, 1) for count, length in zip(counts, lengths)]
            found = self.page.js(f"{MOVE}({json.dumps(at)})", wait=True)
            if all(place == int(place) for place in found["at"]):
                continue
            expected, *why = self.native.run(found["values"])["runs"][0]
            reason = why[1] if len(why) > 1 else None
            self.check(found["failed"] == reason, f"{found['values']}: fails with {found['failed']}, natively {reason}")
            self.check(
                same_numbers(found["errors"], expected, lambda x: ALIKE * abs(x) + 1e-16),
                f"{found['values']}: errors {found['errors']}, natively {expected}",
            )
            shown = [x for x in found["errors"]]
            self.check(
                same_numbers(found["shown"], shown, lambda x: 6e-3 * abs(x)) or None in shown,
                f"{found['values']}: shows {found['shown']} for {shown}",
            )
            far = max([far, *(abs(a / b - 1) for a, b in zip(found["errors"], expected) if a and b)])
            took.append(found["took"])
        self.check(len(took) >= BETWEEN - 10, f"{len(took)} positions between values of the tables")
        took.sort()
        self.notes.append(f"{len(took)} positions between, errors differ by {far:.1e} at most; {took[len(took) // 2]:.0f} ms, at most {took[-1]:.0f}")

    def at_tables(self):
        choose = random.Random(8)
        lengths = self.page.js("sliders.map((s) => s.values.length)")
        columns = 1 + self.page.js("lesson.panels.length")
        same = far = 0
        for _ in range(AT):
            at = [choose.randrange(length) for length in lengths]
            found, table = self.page.js(f"{COMPUTE}({at})", wait=True)
            good = same_numbers(found["runs"][0][0], table["runs"][0][0], last_of(4)) and found["reference"] == table["reference"]
            self.check(good, f"at {at} the library has {found['runs'][0][0]}, the tables {table['runs'][0][0]}")
            pairs = [(found["nodes"], table["nodes"]), (found["runs"][0][1], table["runs"][0][1])]
            off = max(apart(*pair, columns) for pair in pairs)
            self.check(off <= APART, f"at {at} a curve is {off:.1f} steps from that of the tables")
            same += off == 0
            far = max(far, off)
        self.notes.append(f"{same} of {AT} curves are those of the tables, the others are at most {far:.1f} steps away")

    def all(self):
        self.page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        size = self.path.stat().st_size
        self.check(size < MOST_BYTES, f"the page has {size} bytes")
        self.notes.append(f"{size} bytes")
        self.page.size(*DESK)
        self.open()
        self.between()
        self.at_tables()
        return super().all()


class OldBrowser(Lesson):
    """A live page without WebAssembly: one line says it, and all else is as in a page without the library."""

    def open(self):
        self.page.call("Page.addScriptToEvaluateOnNewDocument", source="delete globalThis.WebAssembly")
        super().open()
        self.check(not self.page.js(LIVE, wait=True), "the library starts without WebAssembly")
        self.check("does not run in this browser" in self.text("#lab > .warning"), "nothing says that there is no library")
        steps = self.page.js("[...document.querySelectorAll('#sliders > label input')].map((n) => n.step)")
        self.check(set(steps) == {"1"}, f"steps {steps} without the library")


def check_live(page, path, folder, tool):
    live = LiveLesson(page, path, folder, Native(tool, path.stem.removesuffix("-live")))
    failures = live.all()
    print("\n".join(f"  {note}" for note in live.notes))
    with Page() as other:
        (folder / "old").mkdir(exist_ok=True)
        return failures + [f"without WebAssembly: {what}" for what in OldBrowser(other, path, folder / "old").all()]


def main():
    live = "--live" in sys.argv
    places = [word for word in sys.argv[1:] if word != "--live"]
    tool = pathlib.Path(places[0]).resolve()
    folder = pathlib.Path(places[1]) if len(places) > 1 else tool.parent.parent / "lessons"
    if browser() is None:
        print("skipped: there is no chromium here (Debian: apt-get install chromium)")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
    notes = folder / "passed.txt"
    passed = set(notes.read_text().splitlines()) if notes.exists() else set()
    rows = subprocess.run(
        [tool, "list", "lessons", "--format", "csv"], capture_output=True, text=True, check=True
    ).stdout
    failed = 0
    for name in (row.split(",")[0] for row in rows.splitlines()[1:]):
        path = folder / f"{name}{'-live' if live else ''}.html"
        words = [tool, "lesson", name, *(["--live"] if live else []), "--out", path]
        made = subprocess.run(words, capture_output=True, text=True, check=not live)
        if live and made.returncode == 2 and "needs the library as WebAssembly" in made.stderr:
            print(f"skipped: {made.stderr.strip()}")
            return 77
        if made.returncode != 0:
            print(made.stderr)
            return 1
        note = f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        if note in passed:
            print(f"{name}: passed before")
            continue
        with Page() as page:
            failures = check_live(page, path, folder, tool) if live else Lesson(page, path, folder).all()
        print(f"{name}: " + ("passed" if not failures else "FAILED\n  " + "\n  ".join(failures)), flush=True)
        failed += bool(failures)
        if not failures:
            with notes.open("a") as out:
                out.write(note + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
