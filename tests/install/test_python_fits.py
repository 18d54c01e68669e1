# test_python_fits.py -- derivatives and fits from Python: closed forms, the numbers of the tool, refusals, scipy where it is there. Run by
# test_python.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import doctest
import importlib.util
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

import delassus
import delassus._fits

TOOL = None


def tool(*words):
    done = subprocess.run([TOOL, *words], capture_output=True, text=True, check=True)
    return list(csv.DictReader(done.stdout.splitlines()))


class Gradients(unittest.TestCase):
    def test_closed_forms_of_the_ball(self):
        ball = delassus.gradient("bouncing-ball", of="q0,v0", by=["q0", "v0", "e"], at=2.25)
        exact = [[0.0625, 0, 0.5], [2.25, 1, 6]]
        for row, expected in zip(ball.matrix, exact):
            for value, right in zip(row, expected):
                self.assertAlmostEqual(float(value), right, delta=1e-9)
        self.assertAlmostEqual(float(ball["v0", "e"]), 6, delta=1e-9)
        self.assertAlmostEqual(ball.value["q0"], 0.0625, delta=1e-10)
        self.assertEqual(ball.status, {"q0": "ok", "v0": "ok", "e": "ok"})
        self.assertEqual(ball.messages, [])
        self.assertIn("q0", repr(ball))

    def test_the_numbers_of_the_tool(self):
        belt = delassus.gradient("belt", of="energy", by="vb,k", at=3, Fs=1.5)
        rows = tool("gradient", "belt", "--scheme", "event-driven", "--of", "energy", "--at", "3", "--by", "vb,k", "--set", "Fs=1.5")
        self.assertEqual([float(row["value"]) for row in rows], [float(x) for x in belt.matrix[0]])

    def test_the_integral_of_the_energy(self):
        # 2 q0 (t1 + e^2 (T - t1)), t1 = sqrt(q0)
        for method in ("forward", "adjoint"):
            ball = delassus.gradient("bouncing-ball", integral="energy", by="q0,e", at=1.75, method=method)
            self.assertAlmostEqual(float(ball["energy", "q0"]), 3.125, delta=1e-9)
            self.assertAlmostEqual(float(ball["energy", "e"]), 1.5, delta=1e-9)

    def test_entries_of_matrices(self):
        model = delassus.Matrices(M=[[2, 0], [0, 1.5]], K=[[5, -3], [-3, 4]], HT=[[1, 0]], q0=[1, 1], F0=[-9, -2])
        by = delassus.gradient(model, of="v1", by="K[0,1],f[1],K[1,0]", at=2.3, e=0.7)
        self.assertEqual(list(by.status), ["K[0,1]", "f[1]", "K[1,0]"])
        self.assertEqual(float(by["v1", "K[0,1]"]), float(by["v1", "K[1,0]"]))
        low, high = (
            delassus.run(
                delassus.Matrices(M=[[2, 0], [0, 1.5]], K=[[5, -3], [-3, 4]], HT=[[1, 0]], q0=[1, 1], F0=[-9, -2 + change]),
                "event-driven:tol=1e-12",
                end=2.3,
                e=0.7,
            )["v1"][-1]
            for change in (-1e-5, 1e-5)
        )
        self.assertAlmostEqual(float(by["v1", "f[1]"]), (high - low) / 2e-5, delta=2e-7)
        with self.assertRaisesRegex(delassus.Error, r"K is 2 x 2, and indices start at 0"):
            delassus.gradient(model, of="v1", by="K[2,0]", at=1)

    def test_backward_times_and_integrals(self):
        forward = delassus.gradient("bouncing-ball", of="v0,energy", by="q0,v0,f,e", at=2.25)
        backward = delassus.gradient("bouncing-ball", of="v0,energy", by="q0,v0,f,e", at=2.25, method="adjoint")
        for row, other, exact in zip(forward.matrix, backward.matrix, ([2.25, 1, 1.125, 6], None)):
            for value, right in zip(other, row if exact is None else exact):
                self.assertAlmostEqual(float(value), float(right), delta=1e-9)
        self.assertEqual(backward.status["e"], "ok")
        # t2 = sqrt(q0) (1 + 2 e); the integral up to T, t1 < T < t2: 2/3 q0^(3/2) + e sqrt(q0) d^2 - d^3/3, d = T - sqrt(q0)
        for method in ("forward", "adjoint"):
            t2 = delassus.gradient("bouncing-ball", of="t:2", by="q0,e", at=2.25, method=method)
            self.assertAlmostEqual(float(t2["t:2", "q0"]), 1, delta=1e-9)
            self.assertAlmostEqual(float(t2["t:2", "e"]), 2, delta=1e-9)
            integral = delassus.gradient("bouncing-ball", integral="q0", by=["q0", "e"], at=1.75, method=method)
            self.assertAlmostEqual(float(integral["q0", "q0"]), 1.046875, delta=1e-9)
            self.assertAlmostEqual(float(integral["q0", "e"]), 0.5625, delta=1e-9)
            self.assertTrue(math.isnan(integral.value["q0"]))

    def test_what_is_differentiated_by_step(self):
        steps = random.Random().randrange(1500, 3000)
        # the motion has 0.0625, the steps have 1
        for tangent, right, bound in ((None, 0.0625, 0.015), ("saltation", 0.0625, 0.015), ("plain", 1, 1e-8), ("difference:delta=0.03", 0.0625, 0.05)):
            found = delassus.gradient("bouncing-ball", "moreau-jean", of="q0", by="q0,e", at=2.25, step=2.25 / steps, tangent=tangent)
            option = ["--tangent", tangent] if tangent else []
            rows = tool("gradient", "bouncing-ball", "--scheme", "moreau-jean", "--step", repr(2.25 / steps), "--of", "q0", "--at", "2.25",
                        "--by", "q0,e", *option)
            self.assertEqual([float(row["value"]) for row in rows], [float(x) for x in found.matrix[0]], f"{steps} steps, {tangent}")
            self.assertAlmostEqual(float(found["q0", "q0"]), right, delta=bound, msg=f"{steps} steps, {tangent}")

    def test_differences_and_what_does_not_exist(self):
        ball = delassus.gradient("bouncing-ball", of="q0", by="e", at=2.25, method="difference:delta=1e-3")
        self.assertAlmostEqual(float(ball.matrix[0][0]), 0.5, delta=1e-3)
        wedge = delassus.gradient("wedge", of="q0", by="g1", at=1.5, cosine=0.3, f1=-2, f2=-2, g1=1, g2=1)
        self.assertTrue(math.isnan(float(wedge["q0", "g1"])))
        self.assertEqual(wedge.status["g1"], "discontinuous")
        self.assertRegex(wedge.messages[0], "g1: discontinuous at t = ")
        short = delassus.gradient("bouncing-ball", "moreau-jean", of="q0", by="e", at=2.25, step=1e-3, tangent="difference:delta=1e-9")
        self.assertIn("the difference is the tangent plain", short.messages[0])
        event = delassus.gradient("bouncing-ball", of="v0", by="q0", at=1)
        self.assertIn("is the time of an event", event.messages[0])

    def test_refusals(self):
        for of, by, at, words in (("x", "e", 1, "allowed are q0"), ("q0", "x", 1, "there is no 'x'"), ("q0", "e", 0, "at = 0 must be > 0"),
                                  ([], "e", 1, "of = "), ("q0", "e", "soon", "at = 'soon': it must be a number")):
            with self.assertRaisesRegex(delassus.Error, words):
                delassus.gradient("bouncing-ball", of=of, by=by, at=at)
        for scheme, words, arguments in (
            ("event-driven", "one of `of` and `integral` must be given", {}),
            ("event-driven", "one of `of` and `integral` must be given", {"of": "q0", "integral": "q0"}),
            ("event-driven", "allowed are q0 to q0", {"integral": "q7"}),
            ("event-driven", "allowed are forward, adjoint and difference:delta=D", {"of": "q0", "method": "backward"}),
            ("event-driven", "tangent = plain is for schemes by step; allowed is saltation", {"of": "q0", "tangent": "plain"}),
            ("event-driven", "plain does not go with --method adjoint", {"of": "q0", "method": "adjoint", "tangent": "plain"}),
            ("moreau-jean", "allowed are saltation, plain and difference:delta=D", {"of": "q0", "tangent": "exact"}),
            ("moreau-jean", "has no adjoint equation", {"of": "q0", "method": "adjoint"}),
        ):
            with self.assertRaisesRegex(delassus.Error, words):
                delassus.gradient("bouncing-ball", scheme, by="e", at=1, step=None if scheme == "event-driven" else 0.01, **arguments)
        with self.assertRaises(KeyError):
            delassus.gradient("bouncing-ball", of="q0", by="e", at=1.5)["q0", "f"]

    @unittest.skipUnless(importlib.util.find_spec("scipy"), "scipy is not here")
    def test_scipy_finds_the_start_that_hits_a_height(self):
        import numpy
        from scipy.optimize import minimize

        def run(p):
            return delassus.gradient("bouncing-ball", of="q0", by="e", at=2.25, e=float(p[0]))

        # q0(2.25) between the second and the third impact of e = 0.5: 0.0625; to reach 0.05
        found = minimize(lambda p: (run(p).value["q0"] - 0.05) ** 2, [0.5], jac=lambda p: 2 * (run(p).value["q0"] - 0.05) * numpy.asarray(run(p))[0],
                         bounds=[(0.1, 0.9)], options={"ftol": 1e-20, "gtol": 1e-12})
        self.assertAlmostEqual(run(found.x).value["q0"], 0.05, delta=1e-6)


class Fits(unittest.TestCase):
    def setUp(self):
        noise = random.Random(5)
        t = [0.02 * i + 0.01 for i in range(120)]
        run = delassus.run("bouncing-ball", "event-driven", end=2.5, e=0.8)
        exact = delassus.exact("bouncing-ball", at=t, e=0.8)
        self.data = {"t": t, "q0": [float(q) + noise.gauss(0, 0.01) for q in exact.q0]}
        self.exact = run

    def test_the_numbers_of_the_tool(self):
        found = delassus.fit("bouncing-ball", self.data, by="e,f", of="q0", e=0.7, f=-2.1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ball.csv")
            with open(path, "w", encoding="utf-8") as file:
                print("t,q0", *(f"{t!r},{q!r}" for t, q in zip(self.data["t"], self.data["q0"])), sep="\n", file=file)
            rows = tool("fit", "bouncing-ball", path, "--by", "e,f", "--of", "q0", "--set", "e=0.7", "--set", "f=-2.1")
        for row in rows:
            estimate = found[row["parameter"]]
            self.assertEqual([float(row[name]) for name in ("value", "low", "high")], [estimate.value, estimate.low, estimate.high])
            self.assertEqual(estimate.status, "ok")
        self.assertTrue(found.converged)
        self.assertEqual(found.freedom, 118)
        self.assertEqual(found.parameters, {"e": found["e"].value, "f": found["f"].value})
        self.assertAlmostEqual(float(found.correlation[0][0]), 1, delta=1e-12)
        self.assertAlmostEqual(float(found.covariance[1][1]), found["f"].error ** 2, delta=1e-12)
        self.assertTrue(0.007 < found.sigma["q0"] < 0.013)
        # the curve: before the impact it does not depend on e
        values, half = found.curve([0.5, 2])
        self.assertAlmostEqual(float(values[0][0]), 1 + found["f"].value * 0.125, delta=1e-9)
        self.assertAlmostEqual(float(half[0][0]), found.quantile * found["f"].error * 0.125, delta=1e-9)
        self.assertIn("parameter", repr(found))
        self.assertIn("<table>", found._repr_html_())

    def test_runs_are_data_and_jumps_are_left_out(self):
        found = delassus.fit("bouncing-ball", self.exact, by=["e"], of=["q0", "v0"], e=0.77)
        self.assertAlmostEqual(found["e"].value, 0.8, delta=1e-8)

    def test_sigma_range_and_level(self):
        narrow = delassus.fit("bouncing-ball", self.data, by="e", of="q0", sigma=0.01, e=0.7)
        wide = delassus.fit("bouncing-ball", self.data, by="e", of="q0", sigma={"q0": 0.02}, e=0.7)
        self.assertAlmostEqual(wide["e"].error / narrow["e"].error, 2, delta=1e-3)
        at_bound = delassus.fit("bouncing-ball", self.data, by="e", of="q0", range={"e": (None, 0.78)}, e=0.7)
        self.assertAlmostEqual(at_bound["e"].value, 0.78, delta=1e-6)
        self.assertTrue(any("is at a bound of its range" in text for text in at_bound.messages))

    def test_what_the_data_do_not_determine(self):
        early = {name: column[:40] for name, column in self.data.items()}
        found = delassus.fit("bouncing-ball", early, by="e,f", of="q0")
        self.assertTrue(math.isnan(found["e"].low))
        self.assertTrue(any("not identifiable: e" in text for text in found.messages))
        with self.assertRaises(KeyError):
            found["q0"]

    def test_refusals(self):
        short = {"t": [1.0], "q0": [0.0]}
        for data, words, arguments in (
            (short, "too few", {}),
            ({"t": [1, 2]}, "the data have no column q0", {}),
            ({"t": [1, 2, 3], "q0": [1, 2]}, "column q0 has 2 values, t has 3", {}),
            (self.data, "range has f, which is not fitted", {"range": {"f": (0, 1)}}),
            (self.data, "method = guess", {"method": "guess"}),
            (self.data, "level = 2 is outside", {"level": 2}),
            (self.data, "there is no 'colour'", {"colour": 2}),
        ):
            with self.assertRaisesRegex(delassus.Error, words):
                delassus.fit("bouncing-ball", data, by="e", of="q0", **arguments)


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(delassus._fits))
    return tests


if __name__ == "__main__":
    TOOL = sys.argv.pop(1)
    unittest.main()
