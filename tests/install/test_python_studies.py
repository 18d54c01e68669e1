# test_python_studies.py -- studies from Python against those of the tool, and what is refused. Run by
# test_python.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import importlib.util
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

import delassus

TOOL = sys.argv[1]
COUNTED = ("step", "norm", "of", "error", "bound", "steps", "force_evals", "lcp_solves")


def made_by_tool(*words):
    """Tables that the tool writes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [TOOL, *words, "--out", folder, "--plot-format", "none"], check=True, capture_output=True
        )
        tables = {}
        for path in pathlib.Path(folder).glob("*.csv"):
            lines = [
                line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
            ]
            tables[path.stem] = list(csv.DictReader(lines))
        return tables


class References(unittest.TestCase):
    def test_distances_and_lines_are_those_of_a_study(self):
        """One reference for all runs, with the numbers of `order`."""
        for model, exact in (("bouncing-ball", True), ("wedge", False)):
            options = {"end": 0.9, "e": 0.6}
            study = delassus.order(
                model, "moreau-jean:theta=1", steps=(0.1, 0.01, 3), norm=["hausdorff", "lp:p=3"], of=["q", "v"], repeats=2, **options
            )
            kept = delassus.reference(model, of=["q", "v"], **options)
            self.assertEqual(kept.exact, exact)
            self.assertIn(kept.text, study.report)
            for row in study.errors:
                run = delassus.run(model, "moreau-jean:theta=1", row["step"], **options)
                found = kept.distance(run, row["of"], row["norm"])
                self.assertEqual((found["distance"], found["bound"]), (row["error"], row["bound"]))
            for line in study.orders:
                rows = [row for row in study.errors if (row["norm"], row["of"]) == (line["norm"], line["of"])]
                fit = kept.line(
                    "moreau-jean:theta=1",
                    [row["step"] for row in rows],
                    [row["error"] for row in rows],
                    line["of"],
                    line["norm"],
                    level=[i // 2 for i in range(len(rows))],
                )
                if fit["fitted"]:
                    self.assertEqual((fit["order"], fit["low"]), (line["order"], line["ci_low"]))
                self.assertEqual(fit["fitted"], not math.isnan(float(line["order"] or "nan")))

    def test_the_rows_live_as_long_as_they_are_used(self):
        rows = delassus.reference("bouncing-ball", end=0.9).run
        self.assertAlmostEqual(float(rows.at(0.5, "q0")["q0"]), 0.75, delta=1e-12)

    def test_what_is_refused(self):
        kept = delassus.reference("bouncing-ball", end=0.9)
        with self.assertRaisesRegex(delassus.Error, "unknown norm 'l7'"):
            kept.distance(kept.run, norm="l7")
        with self.assertRaisesRegex(delassus.Error, "must be what delassus.run returns"):
            kept.distance("run.csv")
        with self.assertRaisesRegex(delassus.Error, "the same length"):
            kept.line("moreau-jean", [0.1, 0.01], [1])
        with self.assertRaisesRegex(delassus.Error, "unknown scheme 'moreau'"):
            kept.line("moreau", [0.1, 0.01, 0.001], [1, 0.1, 0.01])
        with self.assertRaisesRegex(delassus.Error, "different models"):
            kept.distance(delassus.run("wedge", "moreau-jean", 0.1, end=0.5))
        self.assertEqual(kept.distance(kept.run, norm="l1")["distance"], 0)
        self.assertFalse(delassus.reference("bouncing-ball", end=0.9, event_driven=True).exact)

    def test_another_law_is_a_setting(self):
        plain = delassus.run("bouncing-ball", "moreau-jean", 0.1, end=2)
        other = delassus.run("bouncing-ball", "moreau-jean", 0.1, end=2, law="newton:e=0.1")
        self.assertEqual(other.notes["law"], "newton:e=0.1")
        self.assertNotEqual(list(plain.v0), list(other.v0))


class Digits(unittest.TestCase):
    def test_library_and_tool_compute_the_same(self):
        """The joints of heavy-top are solved with GSL, whose BLAS must be the same in both."""
        run = delassus.run("heavy-top", "moreau-jean", 1e-3, end=0.5)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.csv"
            words = ["run", "heavy-top", "--scheme", "moreau-jean", "--step", "1e-3", "--end", "0.5", "--out", str(path)]
            subprocess.run([TOOL, *words], check=True, capture_output=True)
            lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        last = dict(zip(lines[0].split(","), map(float, lines[-1].split(","))))
        self.assertGreater(len(last), 10)
        self.assertEqual(last, {name: run[name][-1] for name in last})


class Order(unittest.TestCase):
    def test_it_is_what_the_tool_makes(self):
        study = delassus.order(
            "bouncing-ball",
            ["moreau-jean:theta=1", "event-driven"],
            steps=(0.1, 0.01, 4),
            end=3,
            norm="l1",
            of=("q", "v0"),
            repeats=3,
            seed=7,
            e=0.6,
        )
        tool = made_by_tool(
            "order",
            "bouncing-ball",
            "--scheme",
            "moreau-jean:theta=1",
            "--scheme",
            "event-driven",
            "--steps",
            "0.1:0.01:4",
            "--end",
            "3",
            "--norm",
            "l1",
            "--of",
            "q,v0",
            "--repeats",
            "3",
            "--seed",
            "7",
            "--set",
            "e=0.6",
        )
        self.assertEqual(len(study.errors), len(tool["errors"]))
        self.assertEqual(len(study.errors), 2 * (4 * 3 + 1))
        for ours, theirs in zip(study.errors, tool["errors"]):
            for name in COUNTED:
                self.assertEqual(
                    str(ours[name]) if isinstance(ours[name], str) else repr(ours[name]),
                    theirs[name] if isinstance(ours[name], str) else repr(float(theirs[name])),
                )
        self.assertEqual(
            [line["order"] for line in study.orders[:2]],
            [float(line["order"]) for line in tool["orders"][:2]],
        )
        self.assertEqual(len(study.quality), len(tool["quality"]))
        order, low, high = study.order("moreau-jean:theta=1", of="q")
        self.assertTrue(low < order < high and 0.5 < order < 1.5)
        self.assertIn("reference: exact", study.report)
        self.assertIn("moreau-jean:theta=1, l1 of q", repr(study))
        self.assertTrue(study.complete)
        self.assertEqual(study._repr_html_().count("<tr>"), 1 + len(study.orders))

    def test_jobs_change_nothing(self):
        def run(jobs):
            return delassus.order(
                "impacting-oscillator", "moreau-jean", steps=(0.1, 0.01, 3), end=2, repeats=4, jobs=jobs
            ).errors

        for one, other in zip(run(1), run(2), strict=True):
            self.assertEqual(one["error"], other["error"])

    def test_a_reference_is_checked(self):
        study = delassus.order(
            "bouncing-ball",
            "moreau-jean",
            steps=(0.1, 0.01, 3),
            repeats=2,
            end=2.4,
            of="q",
            reference="event-driven",
            check_reference=True,
        )
        self.assertIn("to event-driven:tol=1e-12,method=erk", study.report)

    def test_limit_models(self):
        request = {"steps": (2e-3, 2.5e-4, 4), "repeats": 4, "end": 2.4, "norm": "l1", "of": "q", "e": 0.5}
        study = delassus.order("bouncing-ball", "stewart-trinkle:restitution=own", reference="limit", **request)
        (line,) = study.orders
        self.assertTrue(line["limit_ci_low"] < line["limit_order"] < line["limit_ci_high"])
        self.assertAlmostEqual(line["limit_order"], 1, delta=0.05)
        self.assertIn("e = 0", line["limit"])
        self.assertTrue(0.1 < line["plateau"] < 0.3)
        for row in study.errors:
            self.assertTrue(row["limit_error"] < 0.1 * row["error"])
        run = {"t": [0, 1], "q0": [1, 0], "v0": [0, -2]}
        for refused in (
            lambda: delassus.work("bouncing-ball", "moreau-jean", steps=(0.1, 0.01, 3), reference="limit"),
            lambda: delassus.judge("bouncing-ball", {0.1: run}, reference="limit"),
        ):
            with self.assertRaisesRegex(delassus.Error, "reference = limit: it must be exact or event-driven"):
                refused()

    def test_a_reference_that_is_not_certain_is_an_error(self):
        uncertain = r"the reference is not certain: .* between adams and erk at t = 9 "
        run = {"t": [0, 1, 9], "q0": [0.1, 0.1, 0.1], "v0": [0, 0, 0]}
        for study in (
            lambda **k: delassus.order("vibrating-table", "moreau-jean", steps=(0.1, 0.01, 3), end=9, **k),
            lambda **k: delassus.work("vibrating-table", "moreau-jean", steps=(0.1, 0.01, 3), end=9, **k),
            lambda **k: delassus.judge("vibrating-table", {0.1: run}, **k),
        ):
            with self.assertRaisesRegex(delassus.Error, uncertain):
                study(reference="event-driven")

    def test_wrong_studies_are_refused(self):
        for text, change in (
            ("unknown norm 'l7'", {"norm": "l7"}),
            ("unknown scheme", {"schemes": "moreau"}),
            ("no 'z'", {"z": 1}),
            ("reference = fine: it must be exact or event-driven or limit", {"reference": "fine"}),
            ("check-reference: the reference of bouncing-ball is its exact", {"check_reference": True}),
            ("repeats", {"repeats": 0}),
            (r"steps = \[0.1, 0.05, 0.01\]: they must be three numbers", {"steps": [0.1, 0.05, 0.01]}),
            (r"steps = 0.1: they must be three numbers", {"steps": 0.1}),
            ("h_first|steps|step", {"steps": None}),
        ):
            request = {
                "model": "bouncing-ball",
                "schemes": "moreau-jean",
                "steps": (0.1, 0.01, 3),
                "end": 1,
                **change,
            }
            with self.assertRaisesRegex(delassus.Error, text):
                delassus.order(**request)
        study = delassus.order("bouncing-ball", "moreau-jean", steps=(0.1, 0.01, 2), end=1)
        with self.assertRaisesRegex(ValueError, "choose 4 lines of 4, not one"):
            study.order()

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "no matplotlib here")
    def test_it_is_drawn(self):
        study = delassus.order("bouncing-ball", ["moreau-jean", "event-driven"], steps=(0.1, 0.01, 2), end=1)
        axes = study.plot("l1", "q").axes[0]
        self.assertEqual([len(line.get_xdata()) for line in axes.lines[:3]], [16, 2, 2])  # runs, fitted line, medians
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("step [s]", "error of q, l1"))
        self.assertAlmostEqual(study.plot("l1", "q", style="journal").get_size_inches()[0], 8.5 / 2.54)
        steps = [row["error"] for row in study.errors if (row["norm"], row["of"]) == ("l1", "q") and row["step"] == row["step"]]
        self.assertGreater(axes.get_ylim()[0], min(steps) / 100)  # the event-driven level is an arrow, not ten decades
        self.assertIn("below the picture", axes.get_legend().get_texts()[-1].get_text())
        self.assertEqual([round(2.54 * x, 9) for x in study.plot(size="12x9cm").get_size_inches()], [12, 9])
        self.assertIsNone(study.plot(key="none").axes[0].get_legend())
        with self.assertRaisesRegex(ValueError, "key = 'left' must be one of: auto, none, below, inside"):
            study.plot(key="left")
        with self.assertRaisesRegex(ValueError, "size = '2x6cm' must be WIDTHxHEIGHT .* from 3 to 100 cm"):
            study.plot(size="2x6cm")

    def test_curves_are_those_of_the_fits(self):
        """Medians, lines and bands of the pictures against the runs and the fitted orders."""
        study = delassus.order("bouncing-ball", "moreau-jean", steps=(0.1, 0.01, 6), end=4, norm="hausdorff", of="v", repeats=5)
        median, line, band = ([row for row in study.curves if row["curve"] == name] for name in ("median", "line", "band"))
        errors = [row["error"] for row in study.errors]
        for i, row in enumerate(median):
            self.assertEqual(row["y"], sorted(errors[5 * i : 5 * i + 5])[2])
        slope = math.log(line[1]["y"] / line[0]["y"]) / math.log(line[1]["x"] / line[0]["x"])
        self.assertAlmostEqual(slope, study.order()[0], places=12)
        middles = [math.sqrt(row["low"] * row["high"]) for row in band]
        slope = math.log(middles[-1] / middles[0]) / math.log(band[-1]["x"] / band[0]["x"])
        self.assertAlmostEqual(slope, study.orders[0]["median_order"], places=12)
        widths = [row["high"] / row["low"] for row in band]
        self.assertGreater(min(widths[0], widths[-1]), min(widths))  # narrowest within the steps


class Work(unittest.TestCase):
    def test_it_is_what_the_tool_makes(self):
        study = delassus.work(
            "impacting-oscillator",
            ["moreau-jean", "event-driven"],
            steps=(0.1, 0.001, 4),
            tols=(1e-3, 1e-6, 3),
            end=2,
            repeats=4,
        )
        tool = made_by_tool(
            "work",
            "impacting-oscillator",
            "--scheme",
            "moreau-jean",
            "--scheme",
            "event-driven",
            "--steps",
            "0.1:0.001:4",
            "--tols",
            "1e-3:1e-6:3",
            "--end",
            "2",
            "--repeats",
            "4",
            "--norm",
            "grid-max",
            "--of",
            "q",
        )
        self.assertEqual(
            [row["error"] for row in study.errors], [float(row["error"]) for row in tool["work"]]
        )
        self.assertTrue(-1.5 < study.order("moreau-jean")[0] < -0.5)
        self.assertEqual(study.order("moreau-jean")[0], float(tool["slopes"][0]["slope"]))
        with self.assertRaisesRegex(delassus.Error, "must be work:X"):
            delassus.work("bouncing-ball", "moreau-jean", steps=(0.1, 0.01, 2), end=1, against="joules")


class Energy(unittest.TestCase):
    def test_every_term_of_the_balance(self):
        ledger = delassus.energy("two-ball-oscillator", "nonsmooth-newmark", step=2e-3, end=1.8)
        self.assertEqual(len(ledger), 901)
        self.assertLess(max(abs(r) for r in ledger.residual), 1e-11)  # of 500 J
        self.assertIn("largest |residual|", ledger.table)
        change = ledger.algorithmic[-1] - ledger.algorithmic[0]
        terms = ("sum_external", "sum_damping", "sum_impact", "sum_num_inertia", "sum_num_stiffness")
        self.assertAlmostEqual(change, sum(ledger[name][-1] for name in terms), delta=1e-9)
        with self.assertRaisesRegex(delassus.Error, "needs a time step"):
            delassus.energy("two-ball-oscillator", "nonsmooth-newmark")


class Compare(unittest.TestCase):
    def test_runs_failures_and_the_exact_solution(self):
        runs = delassus.compare(
            "bouncing-ball", ["moreau-jean", "event-driven", "moreau-jean:theta=7"], step=1e-2, end=2
        )
        self.assertEqual(list(runs), ["moreau-jean", "event-driven"])
        self.assertEqual(list(runs.failures), ["moreau-jean:theta=7"])
        self.assertEqual(runs.exact.t[-1], 2)
        self.assertIsNone(delassus.compare("wedge", "moreau-jean", step=1e-2, end=0.1).exact)

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "no matplotlib here")
    def test_they_are_drawn(self):
        figure = delassus.compare("bouncing-ball", ["moreau-jean", "event-driven"], step=1e-2, end=2).plot(
            "q0"
        )
        self.assertEqual(
            [line.get_label() for line in figure.axes[0].lines], ["exact", "moreau-jean", "event-driven"]
        )


def bar(n=6):
    """A bar of linear elements that falls on a floor: M, K, H^T, q0, v0."""
    M, K = ([[0.0] * n for _ in range(n)] for _ in range(2))
    for i in range(n - 1):
        for a in range(2):
            for b in range(2):
                M[i + a][i + b] += (2 if a == b else 1) / 30
                K[i + a][i + b] += 180.0 if a == b else -180.0
    return {"M": M, "K": K, "HT": [[1] + [0] * (n - 1)], "q0": [0.5] * n, "v0": [-2.0] * n}


class InMemory(unittest.TestCase):
    def test_matrices_are_those_of_files(self):
        matrices = bar()
        with tempfile.TemporaryDirectory() as folder:
            for name, rows in matrices.items():
                rows = [row if isinstance(row, list) else [row] for row in rows]
                entries = [
                    (i + 1, j + 1, x) for i, row in enumerate(rows) for j, x in enumerate(row) if x != 0
                ]
                lines = [
                    "%%MatrixMarket matrix coordinate real general",
                    f"{len(rows)} {len(rows[0])} {len(entries)}",
                ]
                lines += [f"{i} {j} {x!r}" for i, j, x in entries]
                pathlib.Path(folder, name).write_text("\n".join(lines) + "\n", encoding="utf-8")
            files = delassus.run(
                "matrix-model",
                "moreau-jean",
                step=1e-3,
                end=1,
                e=0.3,
                alpha=0.1,
                **{name: str(pathlib.Path(folder, name)) for name in matrices},
            )
        memory = delassus.run(
            delassus.Matrices("bar", **matrices), "moreau-jean", step=1e-3, end=1, e=0.3, alpha=0.1
        )
        self.assertEqual(memory.notes["model"], "bar")
        self.assertGreater(len(memory.events), 0)
        for name in memory.columns:
            self.assertEqual(list(memory[name]), list(files[name]))

    def test_two_models_of_one_name_and_studies_of_both(self):
        soft, hard = bar(), bar()
        hard["K"] = [[2 * x for x in row] for row in hard["K"]]
        errors = [
            delassus.order(
                delassus.Matrices("bar", **matrices), "moreau-jean", steps=(1e-2, 1e-3, 2), end=1, repeats=1
            ).errors[0]["error"]
            for matrices in (soft, hard, soft)
        ]
        self.assertEqual(errors[0], errors[2])
        self.assertNotEqual(errors[0], errors[1])

    def test_wrong_matrices_are_refused(self):
        for text, change in (
            ("K is missing: stiffness matrix", {"K": None}),
            ("no matrix is called 'Z'", {"Z": [[1]]}),
            ("K is 1 x 1, but M is 6 x 6", {"K": [[1]]}),
            ("q0 is 1 x 1, it must be a vector of 6", {"q0": [1]}),
            ("M\\(0, 0\\) = nan is not finite", {"M": [[float("nan")]]}),
            ("starts with the gap", {"q0": [-1] * 6}),
        ):
            matrices = {name: matrix for name, matrix in {**bar(), **change}.items() if matrix is not None}
            with self.assertRaisesRegex(delassus.Error, text):
                delassus.run(delassus.Matrices(**matrices), "moreau-jean", step=1e-3)
        with self.assertRaisesRegex(ValueError, "K: its rows have not one length"):
            delassus.Matrices(M=[[1]], K=[[1, 2], [3]])
        for name, text in (
            ("wedge", "the name of its model 'wedge' is taken"),
            ("No Name", "no proper name"),
            ("x" * 64, "more than 63"),
        ):
            with self.assertRaisesRegex(delassus.Error, text):
                delassus.run(delassus.Matrices(name, **bar()), "moreau-jean", step=1e-3)

    @unittest.skipIf(importlib.util.find_spec("scipy") is None, "no scipy here")
    def test_sparse_matrices_of_scipy(self):
        import numpy
        import scipy.sparse

        plain = bar()
        twice = (
            scipy.sparse.coo_matrix((numpy.ones(2), ([0, 0], [0, 0])), shape=(6, 1)) / 2
        )  # one entry, given in two halves
        sparse = {
            "M": scipy.sparse.csc_matrix(plain["M"]),
            "K": scipy.sparse.dia_matrix(plain["K"]),
            "H": twice,
            "q0": numpy.full(6, 0.5),
            "v0": numpy.full((6, 1), -2.0),
        }
        runs = [
            delassus.run(delassus.Matrices(**matrices), "moreau-jean", step=1e-2, end=1)
            for matrices in (plain, sparse)
        ]
        self.assertEqual(list(runs[0].q3), list(runs[1].q3))


class Judge(unittest.TestCase):
    def test_a_ball_computed_elsewhere(self):
        # semi-implicit Euler with e = 1/2 at the end of the step: of order 1
        def fall(h):
            t, q, v, rows = 0.0, 1.0, 0.0, [(0.0, 1.0, 0.0)]
            while t < 2.4:
                t, v = t + h, v - 2 * h
                if q + h * v < 0 and v < 0:
                    rows.append((t, q, v))
                    v = -v / 2
                q += h * v
                rows.append((t, q, v))
            return dict(zip(("t", "q0", "v0"), zip(*rows)))

        runs = {h: fall(h) for h in (0.0213, 0.0071, 0.00237, 0.00079, 0.00026)}
        study = delassus.judge("bouncing-ball", runs, end=2.4, norm="l1", of="q")
        self.assertTrue(0.7 < study.order()[0] < 1.3, study.order())
        self.assertEqual(len(study.contacts), 5)
        self.assertAlmostEqual(study.contacts[0]["restitution"], 0.5, delta=0.1)
        named = delassus.judge("bouncing-ball", {"mine": runs}, end=2.4, norm="l1", of="q")
        self.assertEqual(named.errors[0]["scheme"], "mine")
        self.assertEqual([row["error"] for row in named.errors], [row["error"] for row in study.errors])
        with self.assertRaisesRegex(delassus.Error, "no such file|cannot"):
            delassus.judge("bouncing-ball", {0.1: "nothing.csv"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
