#!/usr/bin/env python3
"""Features crossed: requests drawn from all commands, options, formats, schemes and models that the tool lists.

  python3 tests/hostile/crossed.py TOOL FOLDER [--seed N] [--count N] [--seconds S] [--only K] [--restart]

Request K is drawn from the seed and K alone. It runs in a new folder, with a limit of processor time: then it is interrupted, and must end
by itself. Demanded is
  an exit status of the contract (docs/command-line.md), never a signal; a message on stderr if it is not 0,
  no word of a sanitizer, no program started but gnuplot and what --external names,
  no file written, changed or removed but what --out and the other outputs name; nothing left of temporary files,
  the same numbers in all tables as without the options that say only what is shown, kept or done beside (draw.SHOWN),
  and that `verify` finds no difference in what was written.

FOLDER/crossed.log has a line for each request; a second start continues after the last line. Without --seed a new seed is drawn and printed.
--restart removes the results of an earlier run from FOLDER.
--only K makes one request, prints it, and leaves its folder. Exit status 1 after a violation.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import csv
import hashlib
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import inputs
from draw import Draw, SHOWN
from offer import Offer

LIMIT = 5     # [s] of processor time before a request is interrupted
ENDING = 20   # [s] of processor time within which it must then end
WAITING = 30  # times as long by the clock, for one that waits or a machine that is busy
SANITIZER = re.compile(rb"AddressSanitizer|LeakSanitizer|runtime error:|UndefinedBehavior|MemorySanitizer|Assertion|stack smashing")
MEASURED = ("seconds", "check", "study")    # in names of columns that differ from run to run
SILENT_PROGRAMS = ("sh", "bash", "dash", "python3", "cc", "gcc", "touch", "latex", "pdflatex", "pandoc", "convert", "open", "xdg-open",
                   "git", "lscpu", "uname", "hostname", "sbatch", "rm", "cp")
Outcome = collections.namedtuple("Outcome", "code out err interrupted")


class Place:
    """Where requests run: inputs that are copied for each, and programs that note that they were started."""

    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.inputs, self.programs, self.started = folder / "inputs", folder / "programs", folder / "started"
        self.programs.mkdir(exist_ok=True)
        for name in SILENT_PROGRAMS + ("gnuplot",):
            real = shutil.which("gnuplot") if name == "gnuplot" else None
            script = self.programs / name
            script.write_text(f"#!/bin/sh\necho {name} >>{shlex.quote(str(self.started))}\n" + (f'exec {real} "$@"\n' if real else "exit 1\n"))
            script.chmod(0o755)
        if not self.inputs.exists():
            partly = folder / "inputs.new"
            shutil.rmtree(partly, ignore_errors=True)
            inputs.make(tool, partly)
            partly.rename(self.inputs)
        self.names = sorted(p.name for p in self.inputs.iterdir())

    def fresh(self, name):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.inputs, folder)
        for extra in ("home", "scratch"):
            (folder / extra).mkdir()
        self.started.unlink(missing_ok=True)
        return folder

    def run(self, words, folder):
        environment = {**os.environ, "PATH": str(self.programs), "HOME": str(folder / "home"), "TMPDIR": str(folder / "scratch"),
                       "XDG_CACHE_HOME": str(folder / "home"), "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "80"}
        with subprocess.Popen([self.tool, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True) as process:
            ended = within(process, LIMIT)
            if ended is not None:
                return Outcome(process.returncode, *ended, False)
            process.send_signal(signal.SIGINT)
            ended = within(process, ENDING)
            if ended is not None:
                return Outcome(process.returncode, *ended, True)
            os.killpg(process.pid, signal.SIGKILL)
            return Outcome(None, *process.communicate(), True)

    def started_programs(self):
        return set(self.started.read_text().split()) if self.started.exists() else set()


def within(process, seconds):
    """Both outputs of a process, or None if it does not end within so much processor time."""
    first, used = time.monotonic(), processor_time(process.pid)
    while time.monotonic() - first < WAITING * seconds:
        try:
            return process.communicate(timeout=0.5)
        except subprocess.TimeoutExpired:
            if processor_time(process.pid) - used > seconds:
                return None
    return None


def processor_time(pid):
    """[s] of a process and of those that it has waited for; Linux."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def state(folder):
    """All files below a folder with their contents, and folders."""
    return {str(p.relative_to(folder)): hashlib.sha1(p.read_bytes()).hexdigest() if p.is_file() else "folder" for p in folder.rglob("*")}


def is_named(path, words, outputs):
    """Does a file belong to an output: inside it, beside it under a longer name, or a folder above it?"""
    command, names = words[0], list(outputs)
    if command == "study" and "--out" not in words:
        names += [w for w in os.path.normpath(path).split("/")[:1] if not w.startswith(".delassus")]  # the study's name: a new folder
    if command == "merge":
        names += words[1:2]
    for name in map(os.path.normpath, names):
        stem = os.path.splitext(name)[0]
        if path == name or path.startswith(name + "/") or name.startswith(path + "/") or name == ".":
            return True
        if os.path.dirname(path) == os.path.dirname(name) and os.path.basename(path).startswith(os.path.basename(stem)):
            return True
    return False


def rows(path):
    """Header and rows of a table, without comments and what was measured with a clock."""
    lines = [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if not line.startswith("#")]
    table = list(csv.reader(lines))
    kept = [i for i, name in enumerate(table[0]) if not any(m in name for m in MEASURED)] if table else []
    numbers = [[row[i] for i in kept if i < len(row)] for row in table]
    return sorted(numbers) if path.name == "runs.csv" else numbers


def tables(folder, before):
    return {p: rows(folder / p) for p, what in state(folder).items()
            if p.endswith(".csv") and what != "folder" and p not in before and not p.endswith("profile.csv")}


def printed(out):
    """Standard output without what was measured with a clock."""
    return [line for line in out.decode("utf-8", "replace").splitlines() if "seconds" not in line and "date" not in line]


def contract(outcome, words):
    """What is wrong with an exit status and its message."""
    if outcome.code is None:
        return ["does not end after an interrupt"]
    allowed = {0, 1, 2} | ({3} if "--strict" in words else set()) | ({75} if "--time-limit" in words else set())
    allowed |= {130} if outcome.interrupted else set()
    wrong = [] if outcome.code in allowed else [f"exit status {outcome.code}"]
    if outcome.code != 0 and not outcome.err.strip():
        wrong.append(f"exit status {outcome.code} without a message")
    if SANITIZER.search(outcome.err + outcome.out):
        wrong.append("sanitizer: " + SANITIZER.search(outcome.err + outcome.out).group().decode())
    return wrong


def files_wrong(folder, before, words, request):
    after = state(folder)
    changed = sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))
    wrong = [f"not named, but changed: {p}" for p in changed if not is_named(p, words, request.outputs)]
    wrong += [f"temporary file left: {p}" for p in after if p not in before and os.path.basename(p).startswith(".delassus")]
    return wrong + (["executed: owned"] if any(os.path.basename(p) == "owned" for p in after) else [])


class Trial:
    """One request with all that is demanded of it."""

    def __init__(self, place, request):
        self.place, self.request = place, request
        self.words = request.words + request.shown
        self.wrong = []

    def judge(self):
        folder = self.place.fresh("request")
        before = state(folder)
        self.outcome = outcome = self.place.run(self.words, folder)
        self.wrong += contract(outcome, self.words)
        if outcome.code is None:
            return self.wrong
        self.wrong += files_wrong(folder, before, self.words, self.request)
        foreign = self.place.started_programs() - {"gnuplot"}
        if foreign and not self.request.external:
            self.wrong.append("started: " + ", ".join(sorted(foreign)))
        if outcome.code in (0, 1) and not outcome.interrupted and self.request.shown:
            self.compare(folder, before, outcome)
        if outcome.code == 0 and not outcome.interrupted:
            self.verify(folder, before)
        return self.wrong

    def compare(self, folder, before, outcome):
        """The same without what is only shown."""
        words = self.request.words
        if "seconds" in words or "--time-limit" in words or words[0] in ("lesson", "study") and "--out" not in words:
            return
        other_folder = self.place.fresh("undisturbed")
        other = self.place.run(words, other_folder)
        if other.interrupted or other.code not in (0, 1):
            return
        excused = rb"picture|gnuplot|draw|report|anim|plot|write|strict|max_rows"  # without a page, energy keeps no rows to be limited
        if outcome.code != other.code and not re.search(excused, outcome.err):
            said = (other.err or outcome.err).decode(errors="replace").strip().splitlines()
            self.wrong.append(f"exit status {outcome.code}, but {other.code} without {' '.join(self.request.shown)}: {said[-1] if said else 'no message'}")
        mine, theirs = tables(folder, before), tables(other_folder, before)
        differing = [p for p in mine.keys() & theirs.keys() if mine[p] != theirs[p]]
        self.wrong += [f"{p} differs from that of the undisturbed run" for p in differing]
        if outcome.code == other.code and not {"--stats", "--plot", "--report", "--animate", "--dump-problems"} & set(self.request.shown):
            if words[0] not in ("contact", "work", "advise", "study", "cite") and printed(outcome.out) != printed(other.out):
                self.wrong.append("other output than that of the undisturbed run")

    def verify(self, folder, before):
        """What was written with all these options can be made again."""
        made = [p for p in state(folder) if p not in before]
        studies = [p for p in made if p.endswith("/study.txt") or p.endswith("sweep.csv")]
        runs = [p for p in made if p.endswith(".csv") and (folder / p).is_file() and self.words[0] in ("run", "exact")]
        if self.words[0] not in ("run", "exact", "order") or self.request.external or "--plugin" in self.words or "--shard" in self.words:
            return
        target = os.path.dirname(studies[0]) if studies else runs[0] if len(runs) == 1 else None
        if target is None or target.startswith("-") or hash_of(self.words) % 3:
            return
        found = self.place.run(["verify", "--", target] if target.startswith("-") else ["verify", target], folder)
        if found.code not in (0, 2) and not found.interrupted:
            self.wrong.append(f"verify: exit status {found.code}: " + (found.out + found.err).decode("utf-8", "replace")[:200].replace("\n", " "))


def hash_of(words):
    return int(hashlib.sha1(" ".join(words).encode("utf-8", "replace")).hexdigest(), 16)


def command_line(tool, words):
    return " ".join([shlex.quote(str(tool))] + [shlex.quote(w) for w in words])


def one(place, offer, seed, number):
    request = Draw(offer, place.names, random.Random(f"{seed} {number}")).request()
    trial = Trial(place, request)
    trial.judge()
    return trial


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--only", type=int)
    parser.add_argument("--restart", action="store_true")
    return parser.parse_args()


def main():
    a = arguments()
    started = time.monotonic()
    if a.restart:
        shutil.rmtree(a.folder, ignore_errors=True)
    a.folder.mkdir(parents=True, exist_ok=True)
    place = Place(os.path.realpath(a.tool), a.folder.resolve())
    offer = Offer(place.tool)
    seed_file, log = a.folder / "seed", a.folder / "crossed.log"
    if a.seed is None:
        a.seed = int(seed_file.read_text()) if seed_file.exists() else random.SystemRandom().randrange(10**6)
    if a.only is not None:
        trial = one(place, offer, a.seed, a.only)
        print(command_line(place.tool, trial.words), trial.outcome.err.decode("utf-8", "replace"), f"exit status {trial.outcome.code}",
              *trial.wrong, sep="\n")
        return 1 if trial.wrong else 0
    seed_file.write_text(str(a.seed))
    print(f"seed {a.seed}", flush=True)
    done = log.read_text().splitlines() if log.exists() else []
    first = int(done[-1].split()[0]) + 1 if done else 1
    with log.open("a", encoding="utf-8") as lines:
        for number in range(first, a.count + 1):
            if time.monotonic() - started > a.seconds:
                break
            trial = one(place, offer, a.seed, number)
            how = "interrupted" if trial.outcome.interrupted else trial.outcome.code
            lines.write(f"{number} {trial.words[0]} {how} {'; '.join(trial.wrong) or 'good'}\n")
            lines.flush()
            if trial.wrong:
                print(f"--seed {a.seed} --only {number}: {'; '.join(trial.wrong)}", command_line("delassus", trial.words),
                      trial.outcome.err.decode("utf-8", "replace")[-1500:], sep="\n", flush=True)
    return summary(log)


def summary(log):
    lines = log.read_text().splitlines()
    codes = collections.Counter(line.split()[2] for line in lines)
    bad = sum(not line.endswith(" good") for line in lines)
    print(f"crossed: {len(lines)} requests, exit status " + ", ".join(f"{c}: {n}" for c, n in sorted(codes.items())) + f"; violations: {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
