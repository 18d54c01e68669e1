#!/usr/bin/env python3
"""Are the tests worth what they cost? Mutants of the sources, each against the test programs that run its line.

  python3 tests/mutate/mutate.py FOLDER [COUNT [SEED]]

FOLDER has what coverage.py left there; it gets a copy of the sources, a build of its own, and mutants.csv, a line for
each mutant: killed (by which program), survived, no test (no program runs the line), equivalent (the compiler makes
the same code), invalid (does not compile). Run again, it goes on behind the last line. COUNT mutants (default 400) are drawn in
equal parts of the folders. Prints the score of each folder, killed of all that are neither equivalent nor invalid;
survivors that survivors.csv beside this script shows to be equivalent are left out.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import csv
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

from coverage import FOLDERS, SOURCE
from mutants import of_file, put

FIELDS = ("file", "line", "column", "kind", "old", "new", "outcome", "by")
MOST_TESTS = 25  # programs that run a mutant before it has survived, the quickest first
LEAST_TIME = 20  # [s] that every program gets, and ten times what it took


def draw(count, seed):
    """`count` mutants in equal parts of the folders, the same for the same sources."""
    chosen = []
    for part in FOLDERS:
        every = []
        for path in sorted((SOURCE / part).rglob("*.c")):
            name = str(path.relative_to(SOURCE))
            every += list(of_file(name, path.read_text(encoding="utf-8")))
        chosen += random.Random(f"{seed} {part}").sample(every, min(len(every), count // len(FOLDERS)))
    random.Random(seed).shuffle(chosen)
    return chosen


class Workshop:
    """A copy of the sources, built; mutants go in and out of it."""

    def __init__(self, folder):
        self.tree = folder / "tree"
        self.build = folder / "build"
        if not self.tree.exists():
            names = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, check=True, capture_output=True, text=True).stdout
            for name in filter(None, names.split("\0")):
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCE / name, self.tree / name)
        subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O1",
                        "-DDLS_TESTS=ON", "-DDLS_BENCH=OFF"], check=True, stdout=subprocess.DEVNULL)
        self.make("all")

    def make(self, target):
        command = ["cmake", "--build", self.build, "--parallel", str(os.cpu_count()), "--target", target]
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0

    def code(self, name):
        """A digest of the machine code of a source, None if it does not compile."""
        objects = list(self.build.glob(f"CMakeFiles/*.dir/{name}.o"))
        if not self.make(objects[0].parts[objects[0].parts.index("CMakeFiles") + 1].removesuffix(".dir")):
            return None
        return hashlib.sha256(objects[0].read_bytes()).hexdigest()

    def fails(self, test, seconds):
        if not self.make(test):
            return True
        try:
            run = subprocess.run([self.build / "bin" / test], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 timeout=LEAST_TIME + 10 * seconds, check=False, cwd=self.build / "tests")
        except subprocess.TimeoutExpired:
            return True
        return run.returncode != 0

    def judge(self, mutant, tests, seconds):
        """@return outcome, and the program that killed it"""
        path = self.tree / mutant.file
        text = path.read_text(encoding="utf-8")
        before = self.code(mutant.file)
        try:
            path.write_text(put(text, mutant), encoding="utf-8")
            after = self.code(mutant.file)
            if after is None or after == before:
                return ("invalid" if after is None else "equivalent"), ""
            if not tests:
                return "no test", ""
            for test in sorted(tests, key=seconds.get)[:MOST_TESTS]:
                if self.fails(test, seconds[test]):
                    return "killed", test
            return "survived", ""
        finally:
            path.write_text(text, encoding="utf-8")


def known(path):
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, FIELDS))


def shown_equivalent():
    path = pathlib.Path(__file__).with_name("survivors.csv")
    if not path.exists():
        return set()
    with open(path, newline="", encoding="utf-8") as file:
        return {(row["file"], row["function"], row["old"], row["new"]) for row in csv.DictReader(file)}


def function_at(name, line):
    """The function that a line of a source is in."""
    lines = (SOURCE / name).read_text(encoding="utf-8").split("\n")[:line]
    heads = [text for text in lines if text and (text[0].isalpha()) and "(" in text and not text.endswith(";")]
    return heads[-1].split("(")[0].split()[-1].lstrip("*") if heads else ""


def report(rows):
    excused = shown_equivalent()
    tally = collections.defaultdict(collections.Counter)
    for row in rows:
        part = next(part for part in FOLDERS if row["file"].startswith(part + "/"))
        outcome = row["outcome"]
        if outcome == "survived" and (row["file"], function_at(row["file"], int(row["line"])), row["old"], row["new"]) in excused:
            outcome = "equivalent"
        tally[part][outcome] += 1
    for part in FOLDERS:
        count = tally[part]
        valid = count["killed"] + count["survived"] + count["no test"]
        print(f"{part}: {count['killed']} of {valid} killed, {100 * count['killed'] / max(1, valid):.1f} %; "
              f"{count['survived']} survived, {count['no test']} without a test, {count['equivalent']} equivalent, "
              f"{count['invalid']} invalid")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    coverage = json.loads((folder / "lines.json").read_text())
    path = folder / "mutants.csv"
    rows = known(path)
    done = {(row["file"], int(row["line"]), int(row["column"]), row["new"]) for row in rows}
    left = [m for m in draw(count, seed) if (m.file, m.line, m.column, m.new) not in done]
    workshop = Workshop(folder) if left else None
    for mutant in left:
        tests = coverage["lines"].get(f"{mutant.file}:{mutant.line}", [])
        outcome, by = workshop.judge(mutant, tests, coverage["tests"])
        rows.append(dict(zip(FIELDS, (*mutant, outcome, by))))
        with open(path, "a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, FIELDS).writerow(rows[-1])
    report(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
