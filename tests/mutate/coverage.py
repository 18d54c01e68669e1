#!/usr/bin/env python3
"""Which test runs which line, and how many branches of each folder all of them take together.

  python3 tests/mutate/coverage.py FOLDER

FOLDER gets a build with gcov (build-coverage/) and lines.json, "file:line" -> names of tests; a test that has been
measured is not measured again, so that a run that was ended goes on. Prints branch coverage per folder of the sources.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("common/solve", "common/contact", "event_driven", "analytic", "time_stepping", "experiments/study")
LONGEST = 900  # [s] of a test, without optimisation
# Tests that build or install something, or compare builds: they run no line that others do not.
LEFT_OUT = re.compile(r"install\.|house\.|docs\.engines_programs|experiments\.(adding|slurm)")

Test = collections.namedtuple("Test", "name command folder environment")


def build(folder):
    """A build with counters, whose libraries and programs are there."""
    folder.mkdir(parents=True, exist_ok=True)
    flags = "-O0 -g0 --coverage -fprofile-update=single"
    subprocess.run(["cmake", "-S", SOURCE, "-B", folder, "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS={flags}",
                    "-DDLS_TESTS=ON", "-DDLS_BENCH=OFF"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--parallel", str(os.cpu_count())], check=True, stdout=subprocess.DEVNULL)


def tests_of(build_folder):
    """The tests that ctest knows, in the order of their names; each runs in the folder and the environment that it asks for."""
    listed = subprocess.run(["ctest", "--test-dir", build_folder, "--show-only=json-v1"], check=True, capture_output=True, text=True)
    tests = []
    for entry in json.loads(listed.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        words = dict(word.split("=", 1) for word in properties.get("ENVIRONMENT", []))
        if not LEFT_OUT.match(entry["name"]):
            tests.append(Test(entry["name"], entry["command"], properties["WORKING_DIRECTORY"], words))
    return sorted(tests)


def passes(test, limit, **environment):
    """Run it without a word. @return whether it succeeds (or skips itself) within `limit` seconds"""
    with subprocess.Popen(test.command, cwd=test.folder, env={**os.environ, **test.environment, **environment}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as run:
        try:
            return run.wait(limit) in (0, 77)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return False


def objects(folder):
    """Where gcc keeps the counters of the sources that are looked at."""
    return [path for part in FOLDERS for path in folder.glob(f"CMakeFiles/*.dir/{part}/**/*.gcno")]


def clear(folder):
    for path in folder.rglob("*.gcda"):
        path.unlink()


def counts(folder):
    """gcov's account of the sources: one dictionary a file."""
    files = []
    known = [path for path in objects(folder) if path.with_suffix(".gcda").exists()]
    if known:
        out = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *map(str, known)],
                             check=True, capture_output=True, text=True, cwd=folder).stdout
        files = [entry for line in out.splitlines() if line for entry in json.loads(line)["files"]]
    return [entry for entry in files if in_tree(entry["file"], folder)]


def in_tree(name, folder):
    return relative(name, folder) is not None


def relative(name, folder):
    """The file as the source tree names it, None for headers of others."""
    path = (folder / name).resolve()
    return str(path.relative_to(SOURCE)) if path.is_relative_to(SOURCE) else None


class Coverage:
    """Lines that tests run, and branches taken by any of them."""

    def __init__(self, path):
        self.path = path
        kept = json.loads(path.read_text()) if path.exists() else {}
        self.lines = kept.get("lines", {})
        self.branches = kept.get("branches", {})  # "file:line:k" -> taken
        self.tests = kept.get("tests", {})

    def take(self, test, seconds, files, folder):
        self.tests[test] = seconds
        for entry in files:
            name = relative(entry["file"], folder)
            for line in entry["lines"]:
                place = f"{name}:{line['line_number']}"
                if line["count"] > 0 and test not in self.lines.setdefault(place, []):
                    self.lines[place].append(test)
                for k, branch in enumerate(line["branches"]):
                    key = f"{place}:{k}"
                    self.branches[key] = self.branches.get(key, False) or branch["count"] > 0
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps({"tests": self.tests, "lines": self.lines, "branches": self.branches}))
        fresh.replace(self.path)

    def report(self):
        taken, all_of_them = collections.Counter(), collections.Counter()
        for key, is_taken in self.branches.items():
            for part in FOLDERS:
                if key.startswith(part + "/"):
                    all_of_them[part] += 1
                    taken[part] += is_taken
        for part in FOLDERS:
            share = 100 * taken[part] / max(1, all_of_them[part])
            print(f"{part}: {taken[part]} of {all_of_them[part]} branches, {share:.1f} %")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    tree = folder / "build-coverage"
    build(tree)
    coverage = Coverage(folder / "lines.json")
    for test in tests_of(tree):
        if test.name in coverage.tests:
            continue
        clear(tree)
        start = time.monotonic()
        if not passes(test, LONGEST):
            print(f"{test.name}: failed, or took more than {LONGEST} s", flush=True)
        coverage.take(test.name, time.monotonic() - start, counts(tree), tree)
    coverage.report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
