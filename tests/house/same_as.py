#!/usr/bin/env python3
"""Do two builds compute the same, to the last bit? python3 same_as.py TOOL-A TOOL-B [--only REGEX] [--jobs N]

Runs every scheme on every model with both tools and compares the trajectory files, but for the lines that name the build,
and the work counters of --stats, but for seconds. What one tool refuses the other must refuse with the same words.
Prints each difference; exit status 1 if there is one. Models that only one of the tools has are left out.
SPDX-License-Identifier: GPL-3.0-or-later"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
# Schemes are run with these options too, where they have them.
VARIANTS = ["theta=1", "velocity_test=off", "method=erk", "method=bdf", "level=velocity"]
STEPS = {"elastic-bar": ("1e-3", "0.5"), "rod-impact": ("1e-3", "0.5"), "two-ball-oscillator": ("2e-3", "1.8")}
SETTINGS = {"random-linear": ["--set", "m=3", "--set", "n=5"]}
BUILD_LINES = re.compile(r"^# (version|commit|compiler|libraries|plugin|date|host|cpu|tool)\b.*\n", re.M)


def names(tool, kind):
    out = subprocess.run([tool, "list", kind, "--format", "csv"], capture_output=True, text=True, check=True).stdout
    return [line.split(",")[0] for line in out.splitlines()[1:]]


def choices(tool, scheme):
    text = subprocess.run([tool, "show", scheme], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"^ +([a-z_]+) ", text, re.M))
    return [scheme] + [f"{scheme}:{v}" for v in VARIANTS if v.split("=")[0] in options]


def run(tool, model, choice, folder):
    step, end = STEPS.get(model, ("1.1e-2", "3"))
    command = [tool, "run", model, "--scheme", choice, "--end", end, "--out", "x.csv", "--stats", *SETTINGS.get(model, [])]
    if not choice.startswith("event-driven"):
        command += ["--step", step]
    if (DATA / model).is_dir():
        command += [w for f in sorted((DATA / model).iterdir()) for w in ("--set", f"{f.stem}={f}")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return None
    table = pathlib.Path(folder, "x.csv")
    text = BUILD_LINES.sub("", table.read_text(encoding="utf-8")) if table.exists() else ""
    stats = [line for line in done.stdout.splitlines() if not re.search(r"seconds|rate", line)]
    return done.returncode, text, "\n".join(stats), done.stderr if done.returncode == 2 else ""


def compare(a, b, model, choice):
    results = []
    for tool in (a, b):
        with tempfile.TemporaryDirectory() as folder:
            results.append(run(tool, model, choice, folder))
    first, second = results
    if first == second:
        return None
    if first is None or second is None:
        return f"{model} {choice}: one of the tools took too long"
    what = [name for name, x, y in zip(("exit status", "trajectory", "counters", "refusal"), first, second) if x != y]
    return f"{model} {choice}: other {', '.join(what)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    a, b = (str(pathlib.Path(tool).resolve()) for tool in (given.a, given.b))
    models = [m for m in names(a, "models") if m in names(b, "models")]
    schemes = [s for s in names(a, "schemes") if s in names(b, "schemes")]
    pairs = [(m, c) for m in models for s in schemes for c in choices(a, s) if re.search(given.only, f"{m} {c}")]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        found = [x for x in pool.map(lambda p: compare(a, b, *p), pairs) if x]
    print("\n".join(found))
    print(f"{len(pairs)} runs with each build, {len(found)} differ")
    return 1 if found or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
