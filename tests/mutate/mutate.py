#!/usr/bin/env python3
"""Are the tests worth what they cost? Mutants of the sources, each against the tests that run its statement.

  python3 tests/mutate/mutate.py FOLDER [--count N] [--seed N] [--folders A,B,...] [--lanes N] [--tests REGEX [--again]]
         [--seconds S] [--memcheck]

FOLDER gets a copy of the sources with all mutants in it, of which $DLS_MUTANT puts one in force (schemata.py), one build of that,
the time of every test without a mutant and which mutants' statements it runs, and mutants.csv, where the last line of a mutant counts: killed
(by which test), survived, no test (none runs its statement), equivalent (the compiler makes the same code), invalid (does not compile). Run
again, it goes on: with the tests that were not asked yet about the mutants that are alive. N mutants (default 480) are drawn in equal
parts of the folders (default: those that decide on numbers; a new FOLDER for others).

--tests asks the tests of this name only; with --again they are new or changed, and come from the sources into the copy.
--seconds is the time that tests of one mutant take, without it, before it has survived.
--memcheck asks the programs among the tests, under valgrind, about the mutants that are alive: reads and writes outside arrays, what
is never freed. The tests under ASan of .ci/run notice the same.

Prints the score of each folder, killed of all that are neither equivalent nor invalid; survivors that survivors.csv beside this
script shows to be equivalent are left out, and so are mutants of lines that are no longer in the sources.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

from mutants import of_file, put
from schemata import SWITCH, compiled
from trials import attempt, tests_of, waited

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("common/solve", "common/contact", "event_driven", "analytic", "time_stepping", "experiments/campaign", "experiments/measures")
FIELDS = ("number", "file", "line", "column", "kind", "old", "new", "outcome", "by")
MEMCHECK = ("valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite",
            "--undef-value-errors=no")
SLOWER = 40       # times: a program under it
LONGEST = 60     # [s] of a test that takes part
MOST = 65536      # mutants that a build can hold


def draw(count, seed, folders):
    """`count` mutants in equal parts of the folders, the same for the same sources; numbered from 1."""
    chosen = []
    for part in folders:
        every = []
        for path in sorted((SOURCE / part).rglob("*.c")):
            name = str(path.relative_to(SOURCE))
            every += list(of_file(name, path.read_text(encoding="utf-8")))
        chosen += random.Random(f"{seed} {part}").sample(every, min(len(every), count // len(folders)))
    random.Random(seed).shuffle(chosen)
    return dict(enumerate(chosen, 1))


def run_cmake(*words):
    subprocess.run(["cmake", *words], check=True, stdout=subprocess.DEVNULL)


class Workshop:
    """A copy of the sources with all mutants in it, built once; `plain` keeps them as they were."""

    def __init__(self, folder, count, seed, folders, memcheck):
        self.tree, self.build, self.plain = folder / "tree", folder / "build", folder / "plain"
        self.prefix, self.slower = (MEMCHECK, SLOWER) if memcheck else ((), 1)
        self.facts_path = folder / "workshop.json"
        if not self.facts_path.exists():
            self.make(draw(count, seed, folders), folders)
        self.facts = {"folders": FOLDERS, "asked": {}, "clean": {}, "same": {}, **json.loads(self.facts_path.read_text())}
        self.asked = self.facts["asked"].setdefault("memcheck" if memcheck else "build", {})  # number of a mutant -> tests
        self.mutants = {int(k): collections.namedtuple("Mutant", FIELDS[1:7])(*m) for k, m in self.facts["mutants"].items()}
        self.lock = threading.Lock()

    def make(self, mutants, folders):
        names = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, check=True, capture_output=True, text=True).stdout
        for name in filter(None, names.split("\0")):
            for tree in (self.tree, self.plain):
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCE / name, tree / name)
        for place in ("common/base", "analytic/rigorous"):  # the library, and the module of the tool
            (self.tree / place / "mutant.c").write_text(SWITCH, encoding="utf-8")
        run_cmake("-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O2 -w", "-DDLS_TESTS=ON",
                  "-DDLS_BENCH=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        valid = self.weave(mutants)
        self.facts_path.write_text(json.dumps({"folders": folders, "mutants": mutants, "valid": sorted(valid), "seconds": {}, "reached": {}}))

    def weave(self, mutants):
        valid = set()
        for name in sorted({m.file for m in mutants.values()}):
            mine = {k: m for k, m in mutants.items() if m.file == name}
            valid |= compiled((self.plain / name).read_text(encoding="utf-8"), mine, self.tree / name, self.command(name))
        return valid

    def command(self, name):
        """How a source is compiled, without what is made of it."""
        entries = json.loads((self.build / "compile_commands.json").read_text())
        words = shlex.split(next(e["command"] for e in entries if e["file"] == str(self.tree / name)))
        return [w for w in words[:words.index("-o")] if pathlib.Path(w).name != "ccache"] + [str(self.tree / name)]

    def save(self):
        fresh = self.facts_path.with_suffix(".new")
        fresh.write_text(json.dumps(self.facts))
        fresh.replace(self.facts_path)

    def take_tests(self, wanted):
        """The tests of the sources that are called so come into the copy, and all that tests include."""
        for path in (SOURCE / "tests").glob("*/*.h"):
            shutil.copy(path, self.tree / "tests" / path.parent.name)
        for path in sorted((SOURCE / "tests").glob("*/test_*.*")):
            if re.fullmatch(wanted, f"{path.parent.name}.{path.stem[5:]}"):
                shutil.copy(path, self.tree / "tests" / path.parent.name)

    def measure(self, name):
        """One test without a mutant: what it takes, and the mutants whose statements it runs. One that fails or takes long takes no part."""
        with tempfile.NamedTemporaryFile() as marks:
            marks.truncate(MOST)
            trial = attempt(self.tests[name], LONGEST, 5 * LONGEST, DLS_MUTANT="0", DLS_REACHED=marks.name)
            reached = [k for k, mark in enumerate(marks.read()) if mark]
        with self.lock:
            self.facts["seconds"][name] = trial.seconds if trial.passes else None
            self.facts["reached"][name] = reached
            self.save()
        if not trial.passes:
            print(f"{name}: failed, or took more than {LONGEST} s; it takes no part", flush=True)

    def prepare(self, wanted, again, lanes):
        """Build, and measure the tests that were not measured, or are to be again."""
        if again:
            self.take_tests(wanted)
        if again or not self.facts["seconds"]:
            run_cmake("--build", self.build, "--parallel", str(os.cpu_count()))
        self.tests = {name: test for name, test in tests_of(self.build).items() if re.fullmatch(wanted, name)}
        if again:
            for asked in self.facts["asked"].values():
                asked.update({k: [n for n in names if n not in self.tests] for k, names in asked.items()})
        names = [n for n in self.tests if again or n not in self.facts["seconds"]]
        with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
            list(pool.map(self.measure, names))
        if self.prefix:
            self.tests = {name: test._replace(command=[*self.prefix, *test.command]) for name, test in self.tests.items()
                          if self.is_program(test)}

    def is_program(self, test):
        return test.command[0].startswith(str(self.build))

    def order(self, number, most):
        """The tests that run its statement and were not asked: the quickest and those that reach the fewest mutants first,
        where those of its floor count a quarter, as do those that are called like its file; as many as the time allows."""
        file = self.mutants[number].file
        floor, words = file.split("/")[0], set(pathlib.Path(file).stem.split("_"))
        seconds, asked = self.facts["seconds"], self.asked.get(str(number), [])

        def cost(name):
            share = 0.25 ** ((name.split(".")[0] == floor) + bool(words & set(re.split("[._]", name)[1:])))
            return (0.03 + seconds[name]) * len(self.facts["reached"][name]) ** 0.5 * share

        able = [n for n in self.tests if seconds.get(n) is not None and number in self.facts["reached"][n] and n not in asked]
        spent = sum(seconds[n] or 0 for n in asked if n in seconds)
        for name in sorted(able, key=cost):
            if spent + seconds[name] <= most / self.slower:
                spent += seconds[name]
                yield name

    def kills(self, name, number):
        """Whether the test fails with the mutant; one that is no program, or under valgrind, must pass without it."""
        seconds = self.slower * self.facts["seconds"][name]
        most, longest = 1 + 5 * seconds, waited(seconds)

        def passes(mutant):
            return attempt(self.tests[name], most, longest, DLS_MUTANT=str(mutant)).passes

        if self.prefix:
            with self.lock:
                clean = self.facts["clean"].get(name)
            if clean is None:
                clean = passes(0)
                with self.lock:
                    self.facts["clean"][name] = clean
            return clean and not passes(number)
        return not passes(number) and (self.is_program(self.tests[name]) or passes(0))

    def code(self, name, text):
        """A digest of the machine code of a text in the place of a source."""
        words = [w if w != str(self.tree / name) else "-" for w in self.command(name)]
        made = subprocess.run(words[:1] + ["-x", "c", "-I", str((self.tree / name).parent)] + words[1:] + ["-S", "-o", "-"],
                              input=text, capture_output=True, text=True, check=True)
        return hashlib.sha256(made.stdout.encode()).hexdigest()

    def same_code(self, mutant):
        text = (self.plain / mutant.file).read_text(encoding="utf-8")
        return self.code(mutant.file, text) == self.code(mutant.file, put(text, mutant))

    def judge(self, number, most, before):
        """@param most [s] that its tests may take, without it
        @param before its outcome in an earlier run, None if there is none
        @return outcome, and the test that killed it"""
        if number not in self.facts["valid"]:
            return "invalid", ""
        for name in self.order(number, most):
            if self.kills(name, number):
                return "killed", name
            with self.lock:
                self.asked.setdefault(str(number), []).append(name)
                self.save()
        if self.asked.get(str(number)) or before == "survived":
            return "survived", ""
        return "no test", ""

    def label_same_code(self, rows):
        """Of the mutants that are alive, those whose machine code is that of the original are equivalent. Each is compiled once."""
        for number, row in rows.items():
            if row["outcome"] in ("survived", "no test"):
                if str(number) not in self.facts["same"]:
                    self.facts["same"][str(number)] = self.same_code(self.mutants[number])
                    self.save()
                if self.facts["same"][str(number)]:
                    row["outcome"] = "equivalent"

    def place(self, number):
        """Where a mutant is, (file, function); its line, and what became of it."""
        mutant = self.mutants[number]
        text = (self.plain / mutant.file).read_text(encoding="utf-8")
        lines = text.split("\n")
        heads = [line for line in lines[:mutant.line] if line and line[0].isalpha() and "(" in line and not line.endswith(";")]
        function = heads[-1].split("(")[0].split()[-1].lstrip("*") if heads else ""
        was = lines[mutant.line - 1].strip()
        became = f"without {was}" if mutant.kind == "statement" else put(text, mutant).split("\n")[mutant.line - 1].strip()
        return (mutant.file, function), was, became


def known(path):
    """The last row of each mutant."""
    if not path.exists():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        return {int(row["number"]): row for row in csv.DictReader(file, FIELDS)}


def shown_equivalent():
    with open(pathlib.Path(__file__).with_name("survivors.csv"), newline="", encoding="utf-8") as file:
        return {((row["file"], row["function"]), row["mutant"]) for row in csv.DictReader(file)}


def outcome_of(workshop, row, excused):
    """As it counts: "gone" if its line is, "shown" if it is among those that change nothing."""
    place, was, became = workshop.place(int(row["number"]))
    source = SOURCE / row["file"]
    if not source.exists() or was not in (line.strip() for line in source.read_text(encoding="utf-8").split("\n")):
        return "gone"
    if row["outcome"] in ("survived", "no test"):
        if (place, became) in excused:
            return "shown"
        print(f"{row['outcome']}: {row['number']} {row['file']}:{row['line']} {place[1]}: {was} -> {became}")
    return row["outcome"]


def report(workshop, rows):
    excused, folders = shown_equivalent(), workshop.facts["folders"]
    tally = collections.defaultdict(collections.Counter)
    for row in rows.values():
        part = next(part for part in folders if row["file"].startswith(part + "/"))
        tally[part][outcome_of(workshop, row, excused)] += 1
    print("| folder | mutants | killed | alive | equivalent | score |\n|" + " --- |" * 6)
    for part in (*folders, "all"):
        count = tally[part] if part != "all" else sum(tally.values(), collections.Counter())
        alive, none = count["survived"] + count["no test"], count["equivalent"] + count["shown"]
        valid = count["killed"] + alive
        print(f"| {part} | {valid + none} | {count['killed']} | {alive} | {none} | {100 * count['killed'] / max(1, valid):.1f} % |")
    print(f"{count['gone']} of lines that are gone, {count['invalid']} that do not compile")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=480)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folders", type=lambda text: text.split(","), default=FOLDERS, help="of the sources, with a comma between them")
    parser.add_argument("--lanes", type=int, default=1, help="tests side by side")
    parser.add_argument("--memcheck", action="store_true", help="ask programs under valgrind about the mutants that are alive")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--tests", metavar="REGEX", default=".*", help="names of tests that are asked")
    parser.add_argument("--again", action="store_true", help="these are new or changed")
    return parser.parse_args()


def main():
    asked = arguments()
    folder = asked.folder.resolve()
    workshop = Workshop(folder, asked.count, asked.seed, asked.folders, asked.memcheck)
    workshop.prepare(asked.tests, asked.again, asked.lanes)
    path = folder / "mutants.csv"
    rows = known(path)

    def judge(number):
        before = rows[number]["outcome"] if number in rows else None
        outcome, by = workshop.judge(number, asked.seconds, before)
        if outcome != before:
            row = dict(zip(FIELDS, (number, *workshop.mutants[number], outcome, by and by + " (valgrind)" * asked.memcheck)))
            with workshop.lock, open(path, "a", newline="", encoding="utf-8") as file:
                rows[number] = row
                csv.DictWriter(file, FIELDS).writerow(row)

    excused = shown_equivalent()
    open_ones = [k for k, mutant in workshop.mutants.items() if (k not in rows or rows[k]["outcome"] in ("survived", "no test"))
                 and workshop.place(k)[0::2] not in excused]
    with concurrent.futures.ThreadPoolExecutor(asked.lanes) as pool:
        list(pool.map(judge, open_ones))
    if asked.tests == ".*":
        workshop.label_same_code(rows)
    report(workshop, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
