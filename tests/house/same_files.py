#!/usr/bin/env python3
"""Compare what two builds print and write: python3 same_files.py TOOL-A TOOL-B [--quick] [--tables] [--only REGEX] [--jobs N]

Runs every command (correct requests and wrong ones, and every study that ships, with few levels and repeats) with both tools.
Compares standard output, messages, exit status and every file that is left byte for byte, except for seconds and for what
names the build. --tables compares only exit status and rows of CSV files, not words and pictures. --quick takes a few requests
of every command and some studies, at most 60 s on two idle cores. Progress goes to standard error. Prints each difference; exit
status 1 if there is one.
SPDX-License-Identifier: GPL-3.0-or-later"""

import argparse
import concurrent.futures
import csv
import difflib
import html
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from same_as import names, with_progress

STUDIES = pathlib.Path(__file__).resolve().parents[2] / "experiments" / "studies"
MJ, SP, ED = "--scheme moreau-jean", "--scheme schatzman-paoli", "--scheme event-driven"
ORDER = f"order bouncing-ball {MJ} {ED} --steps 0.1:0.01:4 --end 3"
WORK = f"work bouncing-ball {MJ} {ED} --steps 0.1:0.01:3 --tols 1e-3:1e-6:3 --end 3 --repeats 2"
ADAPTIVE = "--scheme moreau-jean-adaptive:order=2 --scheme rk-moreau:method=dopri5"
UNSTABLE = "--scheme nonsmooth-newmark:gamma=0.5,beta=0"
GOOD = [
    f"run bouncing-ball {MJ} --step 0.01 --end 3",
    f"run bouncing-ball {MJ} --step 0.01 --end 3 --stats --set e=0.7",
    f"run bouncing-ball {MJ} --step 0.01 --end 3 --columns q0,v --every 3 --out a.csv --plot a.svg --stats",
    f"run bouncing-ball {ED} --at 0.5,1,2 --report a.html",
    f"run bouncing-ball {ED} --plot - --out a.csv --law newton:e=0.3",
    f"run impacting-oscillator {MJ}:theta=1 --step 0.01 --animate a.svg --plot a.png --progress always",
    f"run bouncing-ball {MJ} --step 0.001 --max-rows 50 --out a.csv --stats",
    "run two-ball-oscillator --scheme newmark-position-contact --step 2e-3 --end 1 --stats --plot a.svg",
    "run matrix-model --scheme moreau-jean --step 0.01",
    f"compare bouncing-ball {MJ} {SP} {ED} {MJ}:theta=1 --step 0.03 --end 3 --plot a.svg --out d --report a.html",
    f"compare two-ball-oscillator {MJ}:theta=1 {UNSTABLE} --step 0.02 --end 1.8 --of q0,force0,energy --plot a.svg --out d",
    f"compare bouncing-pendulum {ED} --plot - --of q0,v0 --every 4",
    f"compare bouncing-ball {MJ} --step 0.01 --at 0.1,0.2,0.31 --out d",
    f"{ORDER}",
    f"{ORDER} --out d --plot-format svg --report a.html --norm l1,hausdorff --norm max --of q0,v",
    f"{ORDER} --out d --plot-format png --repeats 1 --seed 3 --jobs 2 --progress never",
    f"{ORDER} --out d --plot-format none && order bouncing-ball {MJ} {ED} --steps 0.1:0.01:4 --end 3 --out d --plot-format none --resume",
    f"{ORDER} --reference event-driven --set e=0.8 --law newton:e=0.2",
    f"order impacting-oscillator {MJ}:theta=1 {SP} {UNSTABLE} {ADAPTIVE} --steps 0.05:0.005:4 --out d --plot-format pdf",
    "order two-ball-oscillator --scheme newmark-position-contact --scheme fully-implicit-newmark --steps 0.2:0.05:3 --repeats 2",
    f"order bouncing-pendulum {MJ} {UNSTABLE} --steps 0.1:0.02:3 --repeats 2 --end 2 --out d --plot-format svg --report a.html",
    f"{WORK}",
    f"{WORK} --against steps --out d --plot-format svg --report a.html --norm l1 --of q,v0",
    f"{WORK} --against problems {ADAPTIVE} --out d --plot-format png",
    f"work impacting-oscillator {ED} {ED}:method=erk --tols 1e-3:1e-8:4 --repeats 3 --norm l1 --of q --out d --plot-format svg",
    f"work impacting-oscillator {UNSTABLE} {SP} --steps 0.5:0.01:4 --repeats 3 --norm l1,hausdorff --of q --report a.html",
    f"energy impacting-oscillator {MJ}:theta=1 --scheme nonsmooth-newmark {ED} --step 0.02 --out d --plot-format svg --report a.html",
    f"energy impacting-oscillator {MJ} {MJ}:theta=1 {SP} --step 0.02 --out d --plot-format png --max-rows 70",
    f"energy bouncing-ball {SP} --step 0.01 --end 4",
    f"energy bouncing-pendulum {MJ} --step 0.01 --end 2 --report a.html",
    "exact bouncing-ball --at 0.5,1",
    "study example-order --check",
    "study --list",
    "study --keys",
    "study --print example-work",
    "study all --check",
    "study small.yaml --out d --report a.html --jobs 2",
    "study small.yaml --out d && study small.yaml --out d --resume",
    "study wrong.yaml",
    "study wrong.yaml --check",
    "study failing.yaml --out d --report a.html",
]
QUICK_STUDIES = "few-example-"
BALL = f"order bouncing-ball {MJ} --steps 0.1:0.01:4 --end 4 --repeats 2 --plot-format none --out d"
# The commands that the requests above leave out, and the sweeps and measures of the others.
MORE = [
    f"run bouncing-ball {MJ} --step 0.01 --end 3 --sweep e=0.1:0.9:5 --out d --plot-format none",
    f"run two-ball-oscillator {ED} --end 1 --out a.csv",
    f"order bouncing-ball {MJ} {SP} --steps 0.1:0.01:3 --end 3 --repeats 2 --sweep e=0.3:0.8:3 --out d --plot-format svg",
    f"order impacting-oscillator {MJ} {SP} --local --steps 0.1:0.01:4 --out d --plot-format svg",
    f"energy bouncing-ball {MJ} --step 0.01 --end 2 --sweep e=0.3:0.8:3 --out d --plot-format none",
    f"{BALL} --shard 1/2 && {BALL} --shard 2/2 && merge d",
    "exact impacting-oscillator --end 3 --out a.csv --plot a.svg",
    "exact belt --at 0.5,1 --set vb=0.2",
    f"run bouncing-ball {MJ} --step 0.01 --end 3 --out a.csv && distance a.csv --exact bouncing-ball --norm l1",
    f"run bouncing-ball {MJ} --step 0.01 --end 3 --out a.csv && run bouncing-ball {SP} --step 0.01 --end 3 --out b.csv && distance a.csv b.csv",
    "spectrum moreau-jean nonsmooth-newmark nonsmooth-generalized-alpha --steps 0.01:100:13 --out d --plot-format svg",
    "spectrum nonsmooth-newmark --of response --damping 0.05",
    f"run bouncing-ball {MJ} --step 0.02 --end 3 --out a.csv && run bouncing-ball {MJ} --step 0.01 --end 3 --out b.csv"
    " && judge bouncing-ball a.csv b.csv --steps 0.02,0.01 --out d --plot-format svg",
    f"run bouncing-ball {MJ} --step 0.01 --end 3 --out a.csv && verify a.csv",
    "cite moreau-jean elastic-bar nonsmooth-generalized-alpha",
    "cite --all --format table",
    f"advise bouncing-ball --error 1e-2 --of q --norm l1 {MJ} {SP} --out a.csv",
    "check-model bouncing-pendulum",
    "check-model heavy-top --states 4",
    "lesson",
    "contact problem.txt --all-methods",
    "contact problem.txt --method nsgs --out answer.dat",
]
WRONG_MORE = [
    "spectrum", "spectrum moreau-jen", "spectrum moreau-jean --steps 1:0:3", "judge bouncing-ball", "judge bouncing-ball nothing.csv", "verify",
    "verify nothing.csv", "cite nothing", "merge nothing", "advise bouncing-ball", "advise bouncing-ball --error -1 --of q", "lesson nothing",
    "check-model nothing", "distance nothing.csv other.csv", "exact nothing", "exact bouncing-ball --at 2,1", "contact nothing.txt",
]
WRONG = [
    f"run bouncing-bal {MJ} --step 0.1", "run bouncing-ball", "run", f"run bouncing-ball {MJ}",
    f"run bouncing-ball {ED} --step 0.1", f"run bouncing-ball {MJ} --step 11", f"run bouncing-ball {MJ} --step x",
    f"run bouncing-ball {MJ} --step 1e-16", f"run bouncing-ball {MJ} --step 0.1 --end -1", f"run bouncing-ball {MJ}:theta=2 --step 0.1",
    f"run bouncing-ball {MJ} --step 0.1 --out - --stats", f"run bouncing-ball {MJ} --step 0.1 --columns z",
    f"run bouncing-ball {MJ} --step 0.1 --columns t --plot a.svg", f"run bouncing-ball {MJ} --step 0.1 --columns q --report a.html",
    f"run bouncing-ball {MJ} --step 0.1 --plot a.jpg", f"run bouncing-ball {MJ} --step 0.1 --report a.txt",
    f"run bouncing-ball {MJ} --step 0.1 --at 2,1", f"run bouncing-ball {MJ} --step 0.1 --at 20 --end 10",
    f"run bouncing-ball {MJ} --step 0.1 --every 2 --at 1", f"run bouncing-ball {MJ} --step 0.1 --law nwton",
    f"run bouncing-ball {MJ} --step 0.1 --set z=1", f"run bouncing-ball {MJ} --step 0.1 --out no/a.csv --stepp 1",
    f"run bouncing-ball {MJ} --step 0.1 --out no/a.csv", f"run bouncing-ball {MJ} {SP} --step 0.1",
    f"compare bouncing-ball {MJ}", f"compare bouncing-ball {MJ} --plot a.svg", "compare bouncing-ball --plot a.svg",
    f"compare bouncing-ball {MJ} --step 0.1 --plot a.svg --of z9", f"compare bouncing-ball {'--scheme moreau-jean ' * 13} --step 0.1 --plot a.svg",
    "order bouncing-ball", f"order bouncing-ball {MJ}", f"order bouncing-ball {MJ} --steps 0.1:0.01", f"order bouncing-ball {MJ} --steps 0.1:0.1:3",
    f"order bouncing-ball {MJ} --steps 0.1:0.01:1", f"order bouncing-ball {MJ} --steps 0.1:x:3", f"order bouncing-ball {MJ} --steps 20:0.1:3",
    f"order bouncing-ball {MJ} --steps 0.1::3", f"{ORDER} --norm l9", f"{ORDER} --norm l1,l1", f"{ORDER} --of q,q", f"{ORDER} --of z",
    f"{ORDER} --repeats 0", f"{ORDER} --seed -1", f"{ORDER} --jobs 9999", f"{ORDER} --resume", f"{ORDER} --out d --resume",
    f"{ORDER} --out d --resume --overwrite", f"{ORDER} --reference exct", f"{ORDER} --plot-format gif --out d", f"order bouncing-ball {MJ} {MJ} --steps 0.1:0.01:3",
    f"work bouncing-ball {MJ}", f"work bouncing-ball {ED}", f"work bouncing-ball {ED} --steps 0.1:0.01:3", f"work bouncing-ball {MJ} --steps 0.1:0.01:3 --tols 1e-3:1e-5:3",
    f"{WORK} --against time", f"{WORK} --timings 0 --against seconds --jobs 2", f"{WORK} --tols 0:1:3", f"{WORK} --timings 1.5",
    f"work bouncing-ball {ED} --tols -1:1e-3:3", f"work bouncing-ball {ED} --tols 1:1e-3:3",
    f"energy bouncing-ball {MJ}", "energy bouncing-ball", f"energy bouncing-ball {ED} --step 0.1", f"energy bouncing-ball {MJ} --step 0.1 --max-rows 0",
    "study nothing", "study", "study nothing.yaml --out d", "study example-order --jobs x --out d", "study example-order --report x.txt",
]
KINDS = ["models", "schemes", "norms", "solvers", "laws"]
COMMANDS = """run compare exact distance order work energy study contact list show spectrum judge verify cite merge advise lesson
check-model ledger""".split()
TOLD = [f"{c} --help" for c in COMMANDS]
TOLD += ["list", "show nothing", "show", *(f"list {kind} --format csv" for kind in KINDS)]
SMALL = """title: Small
source: a test
caption: What *comes* out <here>.
model: bouncing-ball
end: 3
pictures: svg
studies:
- {name: one, kind: order, title: Order, schemes: [moreau-jean, 'moreau-jean:theta=1', event-driven], steps: {first: 0.1, last: 0.01, levels: 4},
   repeats: 2, norms: [l1, hausdorff], of: [q, v0], expect: [
   {quantity: order, scheme: moreau-jean, norm: l1, of: q, between: [0.5, 1.5]}, {quantity: order, scheme: event-driven, norm: l1, of: q, above: 1},
   {quantity: order, scheme: 'moreau-jean:theta=1', norm: hausdorff, of: v0, below: 0.1, reported: about one}, {quantity: penetration, scheme: moreau-jean, below: 1},
   {quantity: largest-error, scheme: event-driven, norm: l1, of: v0, below: 1e-3}, {quantity: least-error, scheme: moreau-jean, norm: l1, of: q, above: 0},
   {quantity: failed-runs, scheme: moreau-jean, norm: l1, of: q, between: [0, 0]}]}
- {name: two, kind: work, title: Work, schemes: [moreau-jean, event-driven], steps: {first: 0.1, last: 0.01, levels: 3}, repeats: 2, norms: l1, of: q,
   tolerances: {first: 1e-3, last: 1e-6, levels: 3}, against: problems, expect: [{quantity: slope, scheme: moreau-jean, below: 0},
   {quantity: work, scheme: moreau-jean, error: 0.1, above: 1}, {quantity: work, scheme: event-driven, error: 1e-30, above: 1},
   {quantity: slope, scheme: event-driven, below: -100}, {quantity: failed-runs, scheme: event-driven, below: 0}]}
- {name: three, kind: energy, title: Energy, schemes: [moreau-jean, moreau-jean:theta=1, event-driven], step: 0.01, expect: [
   {quantity: last, scheme: 'moreau-jean:theta=1', of: total, between: [0, 100]}, {quantity: largest, scheme: event-driven, of: nothing, below: 1},
   {quantity: least, scheme: moreau-jean, of: t, below: 1}]}
- {name: four, kind: compare, title: Compare, schemes: [moreau-jean, moreau-jean:theta=1, event-driven], step: 0.01, of: [q0, force0, energy], expect: [
   {quantity: impacts, scheme: moreau-jean, above: 2}, {quantity: impact-time, number: 2, scheme: event-driven, above: 0},
   {quantity: impact-velocity, number: 1, scheme: event-driven, below: 0}, {quantity: impact-time, number: 900, scheme: event-driven, above: 0},
   {quantity: first, of: v0, scheme: event-driven, between: [-1, 1]}, {quantity: last, of: energy, scheme: 'moreau-jean:theta=1', above: 0}]}
- {name: five, kind: run, title: Run, parameters: {e: 0.6}, schemes: moreau-jean, step: 0.01, expect: [{quantity: largest, of: q0, above: 0},
   {quantity: impacts, above: 1}, {quantity: impact-time, number: 1, above: 0}, {quantity: least, of: g0, above: -1}]}
"""
PROBLEM = """dim 2
contacts 1
mu 0.5
q -1 0.25
W 4
0 0 2
0 1 0.5
1 0 0.5
1 1 1
"""
FAILING = """title: Some fail
model: two-ball-oscillator
end: 3
pictures: none
studies:
- {name: one, kind: order, title: A, schemes: ['nonsmooth-newmark:gamma=0.5,beta=0', event-driven:max_events=2], steps: {first: 1, last: 0.3, levels: 3}, repeats: 2, expect: [
   {quantity: order, scheme: event-driven:max_events=2, norm: l1, of: q, above: 0}, {quantity: failed-runs, scheme: event-driven:max_events=2, norm: l1, of: q, above: 0},
   {quantity: least-error, scheme: event-driven:max_events=2, norm: l1, of: q, above: 0}]}
- {name: two, kind: run, title: B, schemes: event-driven:max_events=2, expect: [{quantity: last, of: q0, above: 0}, {quantity: impacts, above: 1}]}
- {name: three, kind: energy, title: C, schemes: event-driven:max_events=2, expect: [{quantity: last, of: t, above: 2}]}
- {name: four, kind: compare, title: D, schemes: [event-driven:max_events=2, moreau-jean], step: 0.1, expect: [{quantity: last, of: t, scheme: moreau-jean, above: 2}]}
"""
WRONG_FILE = """kind: order
title: wrong
model: bouncing-ball
parameters: {e: 2, z: 1}
schemes: [moreau-jean, moreu-jean, 'moreau-jean:theta=0.1', {scheme: event-driven, options: {tol: x}}]
step: 1
steps: {first: 20, last: x, levels: 1}
norms: [l1, l9, l1]
of: [q, q7]
end: 3
repeats: 0
seed: 1.5
against: time
reference: exct
expect:
- {quantity: order, above: 1}
- {quantity: slope, scheme: moreau-jean, between: [2, 1]}
"""
# The hash of a journal contains the version.
BUILD = re.compile(r"^(# |<dt>)?(delassus|version|commit|compiler|libraries|date|host|cpu|load|hash)\b.*$|(?<=delassus )\d+\.\d+\.\d+", re.M)
SECONDS = re.compile(r"wall_seconds=\S+|: \d+ %, [\d.]+ s")


def few(text):
    """A study with no more levels and repeats than show that it works."""
    text = re.sub(r"levels: \d+", "levels: 3", text)
    text = re.sub(r"repeats: \d+", "repeats: 2", text)
    kind = re.search(r"^kind: (order|work)", text, re.M)
    return text + "\nrepeats: 2\n" if kind and "repeats:" not in text else text


def without_seconds(name, text):
    """Without columns of seconds, and lines that name the build or a time of day. Runs come in the order in which they end."""
    lines, dropped, width = [], [], 0
    for line in SECONDS.sub("", BUILD.sub("", text)).splitlines():
        if dropped or "seconds" in line or line.endswith(",check"):
            cells = next(csv.reader([html.unescape(line)]), [])
            if {"wall_seconds", "seconds", "check"} & set(cells):
                dropped = [j for j, cell in enumerate(cells) if cell in ("wall_seconds", "seconds", "check")]
                width = len(cells)
            elif len(cells) == width:
                line = ",".join(cell for j, cell in enumerate(cells) if j not in dropped)
            else:
                dropped = []
        lines.append(line)
    return "\n".join(sorted(lines) if name.endswith("runs.csv") else lines)


def run(tool, command, folder):
    """Everything that the commands, joined by &&, say and leave: {name: text or bytes}."""
    for name, text in (("small.yaml", SMALL), ("failing.yaml", FAILING), ("wrong.yaml", WRONG_FILE), ("problem.txt", PROBLEM)):
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")
    for path in STUDIES.glob("*.yaml"):
        pathlib.Path(folder, f"few-{path.name}").write_text(few(path.read_text(encoding="utf-8")), encoding="utf-8")
    left = {}
    for i, one in enumerate(command.split(" && ")):
        done = subprocess.run([tool, *shlex.split(one)], capture_output=True, cwd=folder, timeout=600, check=False, stdin=subprocess.DEVNULL)
        left[f"exit status {i}"] = str(done.returncode)
        left[f"output {i}"] = without_seconds("", done.stdout.decode())
        left[f"messages {i}"] = without_seconds("", done.stderr.decode())
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file() and not (path.parent == pathlib.Path(folder) and path.suffix in (".yaml", ".txt")):
            data = path.read_bytes()
            name = str(path.relative_to(folder))
            try:
                left[name] = without_seconds(name, data.decode())
            except UnicodeDecodeError:
                left[name] = data if path.suffix != ".pdf" else "a PDF"  # which has the time of day
    return left


def rows_only(left):
    """The exit status, and of each table its rows without the lines that begin with #."""
    tables = {name: text for name, text in left.items() if name.endswith(".csv") and isinstance(text, str)}
    rows = {name: "\n".join(line for line in text.splitlines() if not line.startswith("#")) for name, text in tables.items()}
    return rows | {name: text for name, text in left.items() if name.startswith("exit status")}


def compare(a, b, command, tables):
    results = []
    for tool in (a, b):
        with tempfile.TemporaryDirectory() as folder:
            results.append(run(tool, command, folder))
    first, second = map(rows_only, results) if tables else results
    found = []
    for name in sorted(first.keys() | second.keys()):
        x, y = first.get(name), second.get(name)
        if x == y:
            continue
        if isinstance(x, str) and isinstance(y, str):
            lines = [*difflib.unified_diff(x.splitlines(), y.splitlines(), lineterm="", n=0)][2:8]
            found.append(f"{command}: {name}:\n    " + "\n    ".join(line[:200] for line in lines))
        else:
            found.append(f"{command}: {name}: {'only one has it' if x is None or y is None else 'other bytes'}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    a, b = (str(pathlib.Path(tool).resolve()) for tool in (given.a, given.b))
    studies = [f"study few-{path.name} --out d --report a.html" for path in sorted(STUDIES.glob("*.yaml"))]
    shown = [f"show {name}" for kind in KINDS for name in names(a, kind) if name in names(b, kind)]
    if given.quick:  # some of the long lists, and the studies that are done in a moment
        commands = GOOD[::4] + MORE[::2] + (WRONG + WRONG_MORE)[::8] + TOLD + shown[::8] + [s for s in studies if re.search(QUICK_STUDIES, s)]
    else:
        commands = GOOD + MORE + WRONG + WRONG_MORE + TOLD + shown + studies
    commands = [c for c in commands if re.search(given.only, c)]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        results = pool.map(lambda c: compare(a, b, c, given.tables), commands)
        found = [x for some in with_progress(results, len(commands)) for x in some]
    print("\n".join(found))
    print(f"{len(commands)} commands with each build, {len(found)} differences")
    return 1 if found or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
