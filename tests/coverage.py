#!/usr/bin/env python3
"""How many branches of each folder all tests take together, by gcov.

  python3 tests/coverage.py FOLDER [--tests REGEX [--again]] [--missed PART]

FOLDER gets a build without optimisation, with counters, and done.txt, the tests that were run: started again it continues after them.
What was counted in a source is lost when it changes: begin in a new folder, or --again.
--tests runs the tests of this name only; with --again those that were run before, too.
Prints branches taken and branches of each folder; with --missed the lines of a folder of which no test takes some branch, and their
branches in order: + taken, 0 not.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import threading

SOURCE = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(SOURCE / "tests/mutate"))
from trials import attempt, tests_of  # noqa: E402

FOLDERS = ("common/solve", "common/contact", "event_driven", "analytic", "time_stepping", "experiments/campaign", "experiments/measures")
LONGEST = 1800  # [s] of a test, without optimisation


def build(folder):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cmake", "-S", SOURCE, "-B", folder, "-DCMAKE_BUILD_TYPE=None", "-DDLS_TESTS=ON", "-DDLS_BENCH=OFF",
                    "-DCMAKE_C_FLAGS=-O0 -g0 --coverage -fprofile-update=atomic"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--parallel", str(os.cpu_count())], check=True, stdout=subprocess.DEVNULL)
    for counts in folder.rglob("*.gcda"):
        notes = counts.with_suffix(".gcno")
        if not notes.exists() or counts.stat().st_mtime < notes.stat().st_mtime:  # of another text
            counts.unlink()


def run_tests(folder, wanted, again):
    """All of the wanted name that were not run yet, side by side: gcov adds up by itself, under locks."""
    log = folder / "done.txt"
    done = log.read_text(encoding="utf-8").split() if log.exists() and not again else []
    lock = threading.Lock()

    def run(test):
        if not attempt(test, LONGEST, LONGEST).passes:
            print(f"{test.name}: failed, or took more than {LONGEST} s", flush=True)
        with lock, log.open("a", encoding="utf-8") as out:
            print(test.name, file=out)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, (test for name, test in tests_of(folder).items() if name not in done and re.search(wanted, name))))


def branches(folder):
    """{(file, line, number): taken} of the sources, over all objects that are made of them."""
    counted = [path for path in folder.rglob("*.gcno")
               if path.with_suffix(".gcda").exists() and any(f".dir/{part}/" in str(path) for part in FOLDERS)]
    words = ["gcov", "--json-format", "--stdout", "--branch-probabilities", *map(str, counted)]
    out = subprocess.run(words, check=True, capture_output=True, text=True, cwd=folder).stdout
    taken = collections.Counter()
    for account in (json.loads(line) for line in out.splitlines() if line):
        for entry in account["files"]:
            path = (pathlib.Path(account["current_working_directory"]) / entry["file"]).resolve()
            if path.is_relative_to(SOURCE) and not path.is_relative_to(folder):
                name = str(path.relative_to(SOURCE))
                for line in entry["lines"]:
                    for k, branch in enumerate(line["branches"]):
                        taken[name, line["line_number"], k] += branch["count"]
    return taken


def print_missed(taken, part):
    """FILE:LINE, its branches, the line."""
    lines = collections.defaultdict(str)
    for (name, line, _), count in sorted(taken.items()):
        if name.startswith(part):
            lines[name, line] += "+" if count > 0 else "0"
    for (name, line), marks in lines.items():
        if "0" in marks:
            text = (SOURCE / name).read_text(encoding="utf-8").splitlines()[line - 1].strip()
            print(f"{name}:{line}: {marks} {text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tests", metavar="REGEX", default="", help="names of tests that are run")
    parser.add_argument("--again", action="store_true", help="also those that were run before")
    parser.add_argument("--missed", metavar="PART", help="folder or file of the sources")
    args = parser.parse_args()
    folder = args.folder.resolve()
    build(folder)
    run_tests(folder, args.tests, args.again)
    taken = branches(folder)
    for part in FOLDERS:
        of_part = [count > 0 for (name, _, _), count in taken.items() if name.startswith(part + "/")]
        print(f"{part}: {sum(of_part)} of {len(of_part)} branches, {100 * sum(of_part) / max(1, len(of_part)):.1f} %")
    if args.missed:
        print_missed(taken, args.missed)


if __name__ == "__main__":
    main()
