"""Does `advise` keep its word? python3 advice.py [--case NAME] BUILD RESULTS.csv

Ball, oscillator, bar and belt, three errors each, all schemes of the catalogue. The value that is recommended is run
with 20 values drawn from it down to 0.8 of it, so that impacts fall anywhere in a step: all must reach the error. Each
other scheme is run on a ladder of steps, or tolerances, 20 of them between a value and 0.8 of it: its own best is the
least mean work of 20 neighbours that all reach the error. None may be more than 25 % cheaper than the advice.

Takes some minutes, and goes on where it was interrupted: what stands in RESULTS.csv is not measured again. Exit status:
0 the advice keeps its word, 1 it does not.

SPDX-License-Identifier: GPL-3.0-or-later"""

import argparse
import csv
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

PHASES = 20
SPREAD = 0.2
RATIO = (1 - SPREAD) ** (1 / PHASES)  # 20 rungs of a ladder from a value to 0.8 of it
CHEAPER = 1.25
CHUNK = 3 * PHASES
FINEST = 1e-10  # tolerances
DEAREST = 3  # 60 tolerances that all cost so many times the work: smaller ones are not tried
CASES = {
    "ball": ("bouncing-ball", {}, "q0", 4, "exact", (1e-1, 1e-2, 1e-4)),
    "oscillator": ("impacting-oscillator", {}, "q0", 10, "exact", (1e-1, 1e-2, 1e-4)),
    "bar": ("elastic-bar", {"n": 8}, "q0", 1.5, "event-driven", (3e-1, 3e-2, 3e-3)),
    "belt": ("belt", {}, "v0", 8, "exact", (1e-1, 1e-2, 1e-4)),
}
FIELDS = ["case", "error", "scheme", "outcome", "value", "work", "reached", "own_best", "own_best_work"]


def evaluations(row):
    return row["force_evals"] + row["lcp_solves"] + row["factorizations"]


class Case:
    def __init__(self, name, delassus, tool):
        self.name, self.delassus, self.tool = name, delassus, tool
        self.model, self.parameters, self.of, self.end, self.reference, self.errors = CASES[name]

    def advise(self, error):
        """Rows of the table of `advise`, the recommended one first."""
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "advice.csv"
            command = [self.tool, "advise", self.model, "--error", repr(error), "--of", self.of, "--end", str(self.end)]
            command += ["--reference", self.reference, "--out", str(table)]
            for name, value in self.parameters.items():
                command += ["--set", f"{name}={value}"]
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if done.returncode != 0:
                sys.exit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr}")
            with table.open() as lines:
                return list(csv.DictReader(lines))

    def runs(self, scheme, by_tolerance, first, last, count):
        """(error, work) of runs with values from first to last; None for what is refused."""
        ladder = {"tols" if by_tolerance else "steps": (first, last, count)}
        try:
            study = self.delassus.work(
                self.model,
                [scheme],
                end=self.end,
                norm="hausdorff",
                of=self.of,
                repeats=1,
                reference=self.reference,
                set=self.parameters,
                **ladder,
            )
        except self.delassus.Error:
            return None
        return [(row["error"], evaluations(row)) for row in study.errors]

    def reached(self, scheme, by_tolerance, value, error, draw):
        """How many of 20 random phases reach the error."""
        count = 0
        for _ in range(PHASES // 2):
            pair = sorted((value * (1 - SPREAD * draw.random()) for _ in range(2)), reverse=True)
            count += sum(e <= error for e, _ in self.runs(scheme, by_tolerance, *pair, 2))
        return count

    def own_best(self, scheme, by_tolerance, error, work):
        """(value, work) of the cheapest 20 neighbours of the ladder that all reach the error, if that is cheaper than
        the work; else NaN."""
        first, rungs = 0.01 if by_tolerance else self.end / 2, []
        while True:
            start = first * RATIO ** len(rungs)
            if start < (FINEST if by_tolerance else self.end / work):  # a step costs one evaluation at least
                break
            more = self.runs(scheme, by_tolerance, start, start * RATIO ** (CHUNK - 1), CHUNK)
            if more is None:
                break
            rungs += more
            if min(w for _, w in more) > DEAREST * work:
                break
        best = (math.nan, math.nan)
        for i in range(len(rungs) - PHASES + 1):
            window = rungs[i : i + PHASES]
            mean = sum(w for _, w in window) / PHASES
            if all(e <= error for e, _ in window) and not mean >= best[1] and mean < work:
                best = (first * RATIO**i, mean)
        return best


def measure(case, error, seen, put):
    advice = case.advise(error)
    work = float(advice[0]["evals"])
    for place, row in enumerate(advice):
        if (case.name, repr(error), row["scheme"]) in seen:
            continue
        by_tolerance = not math.isnan(float(row["tol"]))
        value = float(row["tol"] if by_tolerance else row["step"])
        answer = dict(case=case.name, error=repr(error), scheme=row["scheme"], outcome=row["outcome"], value=value)
        answer["work"] = row["evals"]
        if place == 0:
            draw = random.Random(f"{case.name} {error}")
            answer["reached"] = case.reached(row["scheme"], by_tolerance, value, error, draw)
        elif row["outcome"] != "refused":
            by_tolerance = by_tolerance or row["scheme"].startswith("event-driven")
            answer["own_best"], answer["own_best_work"] = case.own_best(row["scheme"], by_tolerance, error, work)
        put(answer)


def verdict(rows):
    """Prints a line for each case and error; True: all hold."""
    good = True
    for key in dict.fromkeys((row["case"], row["error"]) for row in rows):
        here = [row for row in rows if (row["case"], row["error"]) == key]
        best = here[0]
        work = float(best["work"])
        others = [(float(row["own_best_work"] or "nan"), row["scheme"], row["own_best"]) for row in here[1:]]
        cheaper = sorted(one for one in others if one[0] < work)
        holds = best["outcome"] == "reached" and best["reached"] == str(PHASES)
        holds = holds and not any(CHEAPER * one[0] < work for one in cheaper)
        print(
            f"{key[0]}, {key[1]}: {best['scheme']} {float(best['value']):.4g}, work {work:.4g}, reached {best['reached']} of"
            f" {PHASES}; "
            + ", ".join(f"{name} {float(value):.4g} at {w / work:.3g} of it" for w, name, value in cheaper[:3])
            + ("" if cheaper else f"none of {len(others)} others is cheaper")
            + ("" if holds else "  DOES NOT HOLD")
        )
        good = good and holds
    return good


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--case", choices=CASES, action="append", help="this one alone")
    words.add_argument("build", type=pathlib.Path)
    words.add_argument("results", type=pathlib.Path)
    given = words.parse_args()
    os.environ.setdefault("DELASSUS_LIBRARY", str(next(given.build.glob("libdelassus.so.?.?"))))
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
    import delassus

    rows = list(csv.DictReader(given.results.open())) if given.results.exists() else []
    seen = {(row["case"], row["error"], row["scheme"]) for row in rows}
    with given.results.open("a") as file:
        table = csv.DictWriter(file, FIELDS)
        if not rows:
            table.writeheader()

        def put(answer):
            table.writerow(answer)
            file.flush()

        for name in given.case or CASES:
            case = Case(name, delassus, str(given.build / "bin" / "delassus"))
            for error in case.errors:
                measure(case, error, seen, put)
    with given.results.open() as lines:
        return 0 if verdict(list(csv.DictReader(lines))) else 1


if __name__ == "__main__":
    sys.exit(main())
