"""The playground in a real browser, without network: python3 check_playground.py TOOL [FOLDER].

The tool must find the library for pages: DELASSUS_WASM, or `wasm` of the build folder. Sliders are moved as a hand moves them, and the errors
that the page shows are compared with those of the tool. Nothing may stand on the console or leave the page. The page and pictures of it are
left in FOLDER (default: playground, beside the folder of the tool), with the times of the moves. Exit status 77: there is no chromium, or no
library for pages.

SPDX-License-Identifier: GPL-3.0-or-later"""

import csv
import json
import pathlib
import shlex
import subprocess
import sys
import time
import xml.etree.ElementTree

from check_lessons import CONTRASTS, DESK, PHONE, RIGHT
from devtools import Page, browser

MOST_BYTES = 1.6e6
MOST_START = 3.0  # s
MOST_MOVE = 100.0  # ms, median, of h, tol, norm
MOST_PARAMETER = 300.0  # ms, median, of a parameter of the model: a new reference
DIGITS = 1e-12  # relative difference of an error from the tool's
# The same of a scheme that chooses its own steps: the last digit of sin or cos, in which C libraries differ, may change the sequence of steps.
OWN_STEPS = 1e-3
LAST_DIGITS = 1e-12  # of the states that a small error is a difference of
CONTRAST = 4.5  # of text, as WCAG asks for
# model: end, h, two schemes, the parameter that is moved
MODELS = {
    "bouncing-ball": ("4", "0.02", ["moreau-jean", "schatzman-paoli"], "q0"),
    "impacting-oscillator": ("4", "0.02", ["moreau-jean", "schatzman-paoli"], "q0"),
    "two-ball-oscillator": ("4", "0.02", ["moreau-jean", "schatzman-paoli"], "e"),
    "belt": ("10", "0.02", ["moreau-jean"], "vb"),
    "rocking-block": ("4", "0.01", ["moreau-jean"], "g"),
}

# Moves a control and waits until the answer is shown; the times in ms, and those of a loop of some ms before each move, which tell how much
# of the processor others take: its least time is that of an idle machine.
MOVES = """(async (find, values) => {
  const times = [];
  const loops = [];
  const loop = () => {
    const from = performance.now();
    let sum = 0;
    for (let i = 0; i < 2e6; i++) { sum += Math.sqrt(i); }
    loops.push(performance.now() - from + 0 * sum);
  };
  for (const value of values) {
    for (let i = 0; i < 5; i++) { loop(); }
    const node = document.querySelector(find);
    const before = page.motion;
    node.value = value;
    const from = performance.now();
    node.dispatchEvent(new Event(node.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
    while (page.motion === before) { await new Promise((done) => setTimeout(done, 1)); }
    times.push(performance.now() - from);
  }
  return [times, loops];
})"""
SETTLED = """new Promise((done) => {
  const look = () => (page.settled ? done(true) : setTimeout(look, 20));
  look();
})"""


def median(values):
    return sorted(values)[len(values) // 2]


class Playground:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.path = folder / "playground.html"
        self.failures, self.notes = [], []

    def check(self, good, what):
        if not good:
            self.failures.append(what)

    def js(self, text, wait=False):
        return self.page.js(text, wait)

    def text(self, selector):
        return self.js(f"document.querySelector({json.dumps(selector)}).innerText")

    def open(self, link=""):
        """A state, in a page that has just been opened."""
        self.page.open(self.path)
        self.js("new Promise((d) => { const w = () => (page.motion ? d(true) : setTimeout(w, 10)); w(); })", wait=True)
        if link:
            self.js("page.motion = null")
            self.js(f"location.hash = {json.dumps(link)}")
            self.js("new Promise((d) => { const w = () => (page.motion ? d(true) : setTimeout(w, 10)); w(); })", wait=True)

    def starts(self):
        size = self.path.stat().st_size
        self.check(size < MOST_BYTES, f"the page has {size} bytes")
        begin = time.monotonic()
        self.open()
        took = time.monotonic() - begin
        self.notes.append(f"size {size} bytes, start {took:.2f} s")
        self.check(took < MOST_START, f"the page starts in {took:.2f} s")

    def moves(self, find, values, most):
        times, loops = self.js(f"{MOVES}({json.dumps(find)}, {json.dumps(values)})", wait=True)
        shared = sum(loops) / len(loops) / min(loops)
        half = median(times[2:]) / shared
        words = f", {shared:.2f} times less of {median(times[2:]):.0f} as of a loop beside them"
        self.notes.append(f"  {find}: median {half:.0f} ms of {len(times) - 2}, first {times[0]:.0f}, longest {max(times[2:]):.0f}{words}")
        self.check(half <= most, f"{self.model}: {find} takes {half:.0f} ms")

    def errors(self):
        """scheme -> error, with all digits, as the page shows them."""
        cells = "[...document.querySelectorAll('#errors td[data-error]')].map((n) => [n.dataset.scheme, Number(n.dataset.error)])"
        return dict(self.js(cells))

    def native_errors(self, command):
        out = self.folder / "errors"
        subprocess.run([self.tool, *command, "--out", out, "--overwrite", "--plot-format", "none"], capture_output=True, check=True)
        rows = list(csv.reader(line for line in (out / "errors.csv").open(encoding="utf-8") if not line.startswith("#")))
        return [dict(zip(rows[0], row)) for row in rows[1:]]

    def agrees(self, model):
        """The error of the slider's step is that of the tool."""
        state = self.js("askedMotion()")
        h = float(state["h"])
        schemes = [word for s in state["schemes"] for word in ("--scheme", s["text"])]
        settings = [word for s in state["set"] for word in ("--set", s)]
        native = self.native_errors(["order", model, *settings, *schemes, "--end", state["end"], "--steps", f"{state['h']}:{h / 2!r}:2", "--repeats", "1",
                                     "--norm", state["norm"], "--of", state["of"]])
        shown = self.errors()
        self.check(len(shown) == len(state["schemes"]), f"{model}: {len(shown)} errors of {len(state['schemes'])} schemes are shown")
        for row in native:
            name = row["scheme"] + (f":{row['options']}" if row["options"] else "")
            if row["step"] == "nan" or float(row["step"]) == h:
                expected, got = float(row["error"]), shown.get(name, float("nan"))
                most = OWN_STEPS * expected + LAST_DIGITS if row["step"] == "nan" else DIGITS * expected
                self.check(abs(got - expected) <= most, f"{model}, {name}: the page shows {got!r}, the tool {expected!r}")

    def command_agrees(self):
        """The command that the page shows gives the points of its plots."""
        self.js(SETTLED, wait=True)
        command = shlex.split(self.text("#command"))
        self.check(command[:2] == ["delassus", "order"], f"the command is {command}")
        native = {(r["scheme"], f"{float(r['step']):.6g}"): float(r["error"]) for r in self.native_errors(command[1:])}
        rows = list(csv.DictReader(self.js("errorsCsv(page.series)").splitlines()))
        self.check(len(rows) >= 26, f"{len(rows)} errors are saved")
        for row in rows:
            expected = native.get((row["scheme"], f"{float(row['h']):.6g}"))
            if not row["scheme"].startswith("event-driven"):
                self.check(expected is not None and abs(float(row["error"]) - expected) <= 1e-9 * expected, f"saved: {row}, the tool: {expected}")

    def orders(self):
        """Words and intervals of the fitted orders."""
        said = self.text("#orders")
        self.check("[" in said and "moreau-jean" in said, f"orders: {said}")

    def models(self):
        for self.model, (end, h, schemes, parameter) in MODELS.items():
            self.notes.append(self.model)
            words = "&".join(f"scheme={s}" for s in [*schemes, "event-driven"])
            self.open(f"#model={self.model}&h={h}&end={end}&norm=hausdorff&of=q&{words}")
            self.check(self.js("state.model") == self.model, f"the link does not open {self.model}")
            self.js(SETTLED, wait=True)
            self.agrees(self.model)
            slider = "input[type=range][data-name='{}']".format
            self.moves(f"#numbers {slider('h')}", list(range(100, 160, 3)), MOST_MOVE)
            self.moves(f"#numbers {slider('tol')}", list(range(60, 160, 6)), MOST_MOVE)
            self.moves("#norm", ["l1", "l2", "hausdorff"] * 4, MOST_MOVE)
            self.agrees(self.model)
            self.moves(f"#parameters {slider(parameter)}", list(range(100, 160, 4)), MOST_PARAMETER)
            self.agrees(self.model)

    def keyboard(self):
        before = self.js("state.h")
        self.js("document.querySelector(\"#numbers input[type=range][data-name='h']\").focus()")
        self.page.key(*RIGHT)
        self.check(self.js("state.h") != before, "the slider of h does not move by keyboard")

    def refuses(self):
        field = "document.querySelector(\"input[type=text][data-name='e']\")"
        self.js(f"{field}.value = '7'; {field}.dispatchEvent(new Event('change'))")
        said = self.js(f"{field}.validationMessage")
        self.check("e = 7 is outside [0, 1]" in said and "e" not in self.js("state.set"), f"e = 7 is answered by '{said}'")

    def yaml(self):
        answer = "document.getElementById('yaml-answer')"
        waiting = f"new Promise((d) => {{ const w = () => ({answer}.hidden ? setTimeout(w, 10) : d({answer}.innerText)); w(); }})"

        def run(text):
            self.js("document.querySelectorAll('#controls details').forEach((n) => { n.open = true; })")
            self.js(f"document.getElementById('yaml').value = {json.dumps(text)}; document.getElementById('yaml-run').click()")
            return self.js(waiting, wait=True)

        said = run("gravity: [0, -9.81]\nbodies:\n  - {name: a, mass: -1}\n")
        self.check(said.startswith("line 3, column") and "own-mechanism" not in said, f"a mechanism with a mistake: {said}")
        said = run(" \n")
        self.check("no text" in said, f"an empty text: {said}")
        said = run("kind: order\nmodel: bouncing-ball\nscheme: moreau-jean\n")
        self.check("line" in said and "column" in said, f"a study with a mistake: {said}")
        said = run("kind: order\ntitle: a ball\nmodel: bouncing-ball\nschemes: moreau-jean\nend: 1.5\nsteps: {first: 0.1, last: 0.01, levels: 4}\n")
        self.check("orders.csv" in said and "moreau-jean" in said, f"a study: {said}")
        self.js("document.getElementById('yaml-example').click()")
        said = run(self.js("document.getElementById('yaml').value"))
        self.check("is now the model own-mechanism" in said, f"the example: {said}")
        self.check(self.js("page.motion.runs.some((run) => run.curves)"), "the mechanism does not move")
        for name, own in (("multibody", "own-mechanism"), ("matrix-model", "own-matrices")):
            self.js(f"{answer}.hidden = true; document.getElementById('model').value = '{name}'; document.getElementById('model').dispatchEvent(new Event('change'))")
            said = self.js(waiting, wait=True)
            self.check(f"is now the model {own}" in said and self.js("state.model") == own, f"{name}: {said}")
            self.check(self.js("page.motion.runs.some((run) => run.error > 0 && run.curves)"), f"{name} does not move")
        matrices = self.js("document.getElementById('yaml').value")
        for old, new, place, word in (
            ("2 1 -40", "2 3 -40", "line 10, column 3: ", "the column 3 is outside 1..2"),
            ("1 1 40", "1 1 forty", "line 9, column 5: ", "'forty' is not a finite decimal number"),
            ("symmetric\n2 2 2", "hermitian\n2 2 2", "line 2, column 39: ", "the symmetry is 'hermitian'"),
            ("HT\n", "", "line 11, column 1: ", "'2 2 40' is not the name of a matrix"),
            ("K\n", "Kay\n", "line 6, column 1: ", "'Kay' is not the name of a matrix"),
            ("-1\n-1\n", "-1\n", "line 25, column 1: ", "the file ends after 1 of the 2 entries that line 23 announces"),
        ):
            said = run(matrices.replace(old, new, 1))
            self.check(said.startswith(place) and word in said, f"matrices with {new!r}: {said}")

    def saves(self):
        for i in range(self.js("document.querySelectorAll('#pictures svg').length")):
            text = self.js(f"pictureText(document.querySelectorAll('#pictures svg')[{i}])")
            root = xml.etree.ElementTree.fromstring(text)
            titles = [n.text for n in root.iter("{http://www.w3.org/2000/svg}text") if n.get("class") == "title"]
            self.check(root.tag.endswith("svg") and len(titles) == 1, f"picture {i} as a file: {text[:80]}")

    def links(self):
        """Links with names that do not exist, or with elements of HTML."""
        element = "%3Cimg%20src%3D%22data:,%22%20id%3Dforeign%3E"
        for link, said in (
            ("model=nothing", "unknown model 'nothing'"),
            ("model=bouncing-ball&set=e%3D7", "e = 7 is outside [0, 1]"),
            ("model=bouncing-ball&scheme=moreau", "Scheme moreau is left out"),
            ("model=bouncing-ball&scheme=sap&scheme=sap:restitution=own", "Scheme sap is left out: sap has its own"),
            ("model=bouncing-ball&of=q9", "There is no quantity q9"),
            ("model=bouncing-ball&shown=9", ""),
            (f"model=bouncing-ball&norm={element}", "There is no norm <img"),
            (f"model={element}&of={element}&set={element}", "unknown model '<img"),
        ):
            self.open(f"#{link}")
            self.check(said in self.text("#messages"), f"{link} is answered by '{self.text('#messages')}'")
            self.check(self.js("state.model === 'bouncing-ball' && page.motion.runs.every((run) => run.error > 0)"), f"{link}: nothing is computed")
            self.js(SETTLED, wait=True)
            self.check(self.js("document.getElementById('foreign') === null"), f"{link} puts an element into the page")
        subprocess.run([self.tool, "playground", "bouncing-ball", "--set", "e=0.8", "--out", self.path], check=True)
        self.open()
        self.check(self.js("state.set.e") == "0.8", "--set is not shown first")

    def looks(self):
        for (width, height), kind in ((PHONE, "telephone"), (DESK, "desk")):
            for dark in (False, True):
                where = f"{kind}{' dark' if dark else ''}"
                self.page.size(width, height, dark)
                self.js("new Promise((done) => setTimeout(done, 200))", wait=True)
                wide = self.js("document.documentElement.scrollWidth")
                self.check(wide <= width, f"{where}: {wide} pixels wide, the window has {width}")
                worst = self.js(CONTRASTS)
                self.check(worst[0] >= CONTRAST, f"{where}: contrast {worst[0]:.2f} of '{worst[1]}'")
                self.page.picture(self.folder / f"{where.replace(' ', '-')}.png")
        self.page.size(*DESK, media="print")
        self.check(self.js("[...document.querySelectorAll('button')].every((b) => !b.offsetParent)"), "buttons are printed")
        self.page.size(*DESK)
        self.check(self.page.print().startswith(b"%PDF"), "the page is not printed")

    def all(self):
        with Page() as self.page:
            self.page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
            self.page.size(*DESK)
            self.starts()
            for part in (self.command_agrees, self.orders, self.keyboard, self.refuses, self.saves, self.looks, self.yaml, self.models, self.links):
                part()
            self.failures += self.page.problems
        return self.failures


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else tool.parent.parent / "playground"
    if browser() is None:
        print("skipped: there is no chromium here (Debian: apt-get install chromium)")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
    playground = Playground(tool, folder)
    made = subprocess.run([tool, "playground", "--out", playground.path], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        print(f"skipped: {made.stderr.strip()}")
        return 77
    failures = playground.all()
    print("\n".join(playground.notes))
    print("passed" if not failures else "FAILED\n  " + "\n  ".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
