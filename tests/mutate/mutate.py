#!/usr/bin/env python3
"""Are the tests worth what they cost? Mutants of the sources, each against the tests that run its line.

  python3 tests/mutate/mutate.py FOLDER [COUNT [SEED]]

FOLDER has what coverage.py left there; it gets a copy of the sources with all mutants in it, of which $DLS_MUTANT puts one in
force (schemata.py), one build of that, the time of every test without a mutant, and mutants.csv, a line for each mutant: killed
(by which test), survived, no test (none runs the line), equivalent (the compiler makes the same code), invalid (does
not compile). Run again, it goes on behind the last line. COUNT mutants (default 450) are drawn in equal parts of the folders.
Prints the score of each folder, killed of all that are neither equivalent nor invalid; survivors that survivors.csv beside this
script shows to be equivalent are left out.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import csv
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import time

from coverage import FOLDERS, SOURCE, passes, tests_of
from mutants import of_file, put
from schemata import SWITCH, compiled

FIELDS = ("number", "file", "line", "column", "kind", "old", "new", "outcome", "by")
MOST_TESTS = 40   # that run a mutant before it has survived: those named like its file, then the quickest
LEAST_TIME = 20   # [s] that every test gets, and ten times what it took
LONGEST = 300     # [s] of a test without a mutant that takes part


def draw(count, seed):
    """`count` mutants in equal parts of the folders, the same for the same sources; numbered from 1."""
    chosen = []
    for part in FOLDERS:
        every = []
        for path in sorted((SOURCE / part).rglob("*.c")):
            name = str(path.relative_to(SOURCE))
            every += list(of_file(name, path.read_text(encoding="utf-8")))
        chosen += random.Random(f"{seed} {part}").sample(every, min(len(every), count // len(FOLDERS)))
    random.Random(seed).shuffle(chosen)
    return dict(enumerate(chosen, 1))


class Workshop:
    """A copy of the sources with all mutants in it, built once."""

    def __init__(self, folder, mutants):
        self.tree, self.build, self.mutants = folder / "tree", folder / "build", mutants
        self.facts = folder / "workshop.json"
        if not self.facts.exists():
            self.copy()
            self.configure()
            valid = self.weave()
            self.run_cmake("--build", self.build, "--parallel", str(os.cpu_count()))
            self.facts.write_text(json.dumps({"valid": sorted(valid), "seconds": {}}))
        kept = json.loads(self.facts.read_text())
        self.valid, self.seconds = set(kept["valid"]), kept["seconds"]
        self.tests = {test.name: test for test in tests_of(self.build)}

    def copy(self):
        names = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, check=True, capture_output=True, text=True).stdout
        for name in filter(None, names.split("\0")):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / name).write_bytes((SOURCE / name).read_bytes())
        (self.tree / "common/base/mutant.c").write_text(SWITCH, encoding="utf-8")

    def configure(self):
        self.run_cmake("-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O1 -w",
                       "-DDLS_TESTS=ON", "-DDLS_BENCH=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")

    def run_cmake(self, *words):
        subprocess.run(["cmake", *words], check=True, stdout=subprocess.DEVNULL)

    def command(self, name):
        """How a source is compiled, without what is made of it."""
        entries = json.loads((self.build / "compile_commands.json").read_text())
        words = shlex.split(next(e["command"] for e in entries if e["file"] == str(self.tree / name)))
        return words[:words.index("-o")] + [str(self.tree / name)]

    def weave(self):
        valid = set()
        for name in sorted({m.file for m in self.mutants.values()}):
            mine = {k: m for k, m in self.mutants.items() if m.file == name}
            text = (SOURCE / name).read_text(encoding="utf-8")
            valid |= compiled(text, mine, self.tree / name, self.command(name))[1]
        return valid

    def time_tests(self):
        """Every test once, without a mutant; those that fail or take long take no part."""
        for test in self.tests.values():
            if test.name not in self.seconds:
                start = time.monotonic()
                self.seconds[test.name] = time.monotonic() - start if passes(test, LONGEST, DLS_MUTANT="0") else None
                self.facts.write_text(json.dumps({"valid": sorted(self.valid), "seconds": self.seconds}))

    def order(self, file, tests):
        """Those that are called like the source first, then the quickest."""
        words = set(pathlib.Path(file).stem.split("_"))
        able = [t for t in tests if self.seconds.get(t) is not None]
        return sorted(able, key=lambda t: (-len(words & set(re.split("[._]", t))), self.seconds[t]))[:MOST_TESTS]

    def code(self, name, text):
        """A digest of the machine code of a text in the place of a source."""
        words = [w if w != str(self.tree / name) else "-" for w in self.command(name)]
        made = subprocess.run(words[:1] + ["-x", "c", "-I", str((self.tree / name).parent)] + words[1:] + ["-S", "-o", "-"],
                              input=text, capture_output=True, text=True, check=True)
        return hashlib.sha256(made.stdout.encode()).hexdigest()

    def same_code(self, mutant):
        text = (SOURCE / mutant.file).read_text(encoding="utf-8")
        return self.code(mutant.file, text) == self.code(mutant.file, put(text, mutant))

    def judge(self, number, tests):
        """@return outcome, and the test that killed it"""
        if number not in self.valid:
            return "invalid", ""
        mutant = self.mutants[number]
        if not tests:
            return "no test", ""
        for test in self.order(mutant.file, tests):
            if not passes(self.tests[test], LEAST_TIME + 10 * self.seconds[test], DLS_MUTANT=str(number)):
                return "killed", test
        return ("equivalent" if self.same_code(mutant) else "survived"), ""


def known(path):
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, FIELDS))


def shown_equivalent():
    with open(pathlib.Path(__file__).with_name("survivors.csv"), newline="", encoding="utf-8") as file:
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
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 450
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    coverage = json.loads((folder / "lines.json").read_text())
    path = folder / "mutants.csv"
    rows = known(path)
    done = {int(row["number"]) for row in rows}
    mutants = draw(count, seed)
    workshop = Workshop(folder, mutants)
    workshop.time_tests()
    for number in sorted(set(mutants) - done):
        mutant = mutants[number]
        outcome, by = workshop.judge(number, coverage["lines"].get(f"{mutant.file}:{mutant.line}", []))
        rows.append(dict(zip(FIELDS, (number, *mutant, outcome, by))))
        with open(path, "a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, FIELDS).writerow(rows[-1])
    report(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
