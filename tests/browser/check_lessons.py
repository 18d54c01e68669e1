"""Every lesson in a real browser: python3 check_lessons.py TOOL [FOLDER].

Sliders are moved by keyboard and questions answered; pages are looked at as wide as a telephone and as a desk,
light, dark and printed. Nothing may stand on the console, leave the page or be too wide. Pages and pictures of them
are left in FOLDER (default: lessons, beside the folder of the tool). A page that has passed is noted there, and left
out the next time unless it is another one. Exit status 77: there is no chromium.

SPDX-License-Identifier: GPL-3.0-or-later"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys

from devtools import Page, browser

PHONE, DESK = (390, 844), (1200, 900)
LEFT, RIGHT = ("ArrowLeft", 37), ("ArrowRight", 39)
CONTRAST = 4.5  # of text, as WCAG asks for

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

    def state(self, i):
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
        self.check(self.drops() == 1, f"{self.drops()} points after clearing")
        self.page.js("document.getElementById('all').click()")
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

    def all(self):
        self.page.problems.clear()
        self.page.size(*PHONE)
        self.page.open(self.path)
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


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else tool.parent.parent / "lessons"
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
        path = folder / f"{name}.html"
        subprocess.run([tool, "lesson", name, "--out", path], check=True)
        note = f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        if note in passed:
            print(f"{name}: passed before")
            continue
        with Page() as page:
            failures = Lesson(page, path, folder).all()
        print(f"{name}: " + ("passed" if not failures else "FAILED\n  " + "\n  ".join(failures)), flush=True)
        failed += bool(failures)
        if not failures:
            with notes.open("a") as out:
                out.write(note + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
