#!/usr/bin/env python3
"""Compare the runs of two builds bit for bit: python3 same_as.py TOOL-A TOOL-B [--quick] [--only REGEX] [--jobs N]

Runs every scheme on every model with both tools. Compares the trajectory files, except for the lines that name the build,
and the work counters of --stats, except for seconds. A request that one tool refuses must be refused by the other in the
same words. --quick takes some schemes on some models, at most 60 s on two idle cores. Progress goes to standard error.
Prints each difference; exit status 1 if there is one. Models that only one of the tools has are left out.
SPDX-License-Identifier: GPL-3.0-or-later"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile
import time

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
# Schemes are run with these options too, where they have them.
VARIANTS = ["theta=1", "velocity_test=off", "method=erk", "method=bdf", "level=velocity"]
STEPS = {"elastic-bar": ("1e-3", "0.5"), "rod-impact": ("1e-3", "0.5"), "two-ball-oscillator": ("2e-3", "1.8")}
SETTINGS = {"random-linear": ["--set", "m=3", "--set", "n=5"]}
# --quick: a scheme of each family, on a model of each kind.
QUICK_MODELS = """ball oscillator incline sphere woodpecker slider-crank elastic-bar many-balls two-ball-oscillator belt rocking-block
painleve-rod heavy-top spring-block four-bar puck bouncing-ball impacting-oscillator""".split()
QUICK_SCHEMES = "moreau-jean event-driven nonsmooth-newmark schatzman-paoli rk-moreau standard-penalty moreau-jean-adaptive".split()
BUILD_LINES = re.compile(r"^# (delassus|version|commit|compiler|libraries|plugin|date|host|cpu|tool)\b.*\n", re.M)


def names(tool, kind):
    out = subprocess.run([tool, "list", kind, "--format", "csv"], capture_output=True, text=True, check=True).stdout
    return [line.split(",")[0] for line in out.splitlines()[1:]]


def choices(tool, scheme):
    text = subprocess.run([tool, "show", scheme], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"^ +([a-z_]+) ", text, re.M))
    return [scheme] + [f"{scheme}:{v}" for v in VARIANTS if v.split("=")[0] in options]


def run(tool, model, choice, folder, quick):
    step, end = STEPS.get(model, ("1.1e-2", "1" if quick else "3"))
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


def compare(a, b, model, choice, quick):
    results = []
    for tool in (a, b):
        with tempfile.TemporaryDirectory() as folder:
            results.append(run(tool, model, choice, folder, quick))
    first, second = results
    if first == second:
        return None
    if first is None or second is None:
        return f"{model} {choice}: one of the tools took too long"
    what = [name for name, x, y in zip(("exit status", "trajectory", "counters", "refusal"), first, second) if x != y]
    return f"{model} {choice}: other {', '.join(what)}"


def with_progress(results, count):
    """Passes the results on, and reports on standard error how many there are and when the rest will be done."""
    start = last = time.monotonic()
    for done, result in enumerate(results, 1):
        now = time.monotonic()
        if now - last > 2 or done == count:
            last = now
            print(f"\r{done} of {count}, {(count - done) * (now - start) / done:.0f} s left  ", end="", file=sys.stderr, flush=True)
        yield result
    print(file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    a, b = (str(pathlib.Path(tool).resolve()) for tool in (given.a, given.b))
    models = [m for m in names(a, "models") if m in names(b, "models")]
    schemes = [s for s in names(a, "schemes") if s in names(b, "schemes")]
    if given.quick:
        models, schemes = ([n for n in all_names if n in some] for all_names, some in ((models, QUICK_MODELS), (schemes, QUICK_SCHEMES)))
    pairs = [(m, c) for m in models for s in schemes for c in ([s] if given.quick else choices(a, s)) if re.search(given.only, f"{m} {c}")]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        found = [x for x in with_progress(pool.map(lambda p: compare(a, b, *p, given.quick), pairs), len(pairs)) if x]
    print("\n".join(found))
    print(f"{len(pairs)} runs with each build, {len(found)} differ")
    return 1 if found or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
