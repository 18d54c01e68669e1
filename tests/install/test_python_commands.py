# test_python_commands.py -- commands of the tool as functions of Python: their tables, and what is refused. Run by test_python.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import tempfile
import unittest

import delassus


class Commands(unittest.TestCase):
    def test_the_tool_is_the_one_of_the_library(self):
        self.assertTrue(os.access(delassus.tool_path(), os.X_OK))

    def test_advice(self):
        rows = delassus.advise("bouncing-ball", 1e-2, scheme=["moreau-jean", "event-driven:tol=1e-3"], of="q0", end=2.4, e=0.6)
        self.assertEqual({row["scheme"] for row in rows}, {"moreau-jean", "event-driven:tol=1e-3"})
        step = next(row for row in rows if row["scheme"] == "moreau-jean")
        self.assertTrue(1e-4 < step["step"] < 1e-1 and step["error"] < 1e-2)
        self.assertEqual(rows.column("scheme"), [row["scheme"] for row in rows])
        self.assertIn("moreau-jean", repr(rows))

    def test_spectra(self):
        rows = delassus.spectrum("moreau-jean", steps=(0.1, 0.3, 3), damping=0)
        self.assertEqual(len(rows), 3)
        for row in rows:  # theta = 1/2 conserves the energy of the oscillator
            self.assertAlmostEqual(row["radius"], 1, delta=1e-10)
        damped = delassus.spectrum(["moreau-jean:theta=1"], steps=(0.1, 0.3, 3), damping=0)
        self.assertTrue(all(row["radius"] < 0.99 for row in damped))

    def test_sweeps(self):
        rows = delassus.sweep("bouncing-ball", "event-driven", {"e": (0, 1, 5)}, end=1.5, of="q0")
        # after the impact at t = 1: q = 2 e/2 - 1/4, or rest
        self.assertEqual(rows.column("e"), [0, 0.25, 0.5, 0.75, 1])
        for row in rows[2:]:
            self.assertAlmostEqual(row["last_q0"], row["e"] - 0.25, delta=1e-9)

    def test_distances(self):
        coarse, fine = (delassus.run("bouncing-ball", "moreau-jean", step=h, end=2) for h in (1e-2, 1e-3))
        far = delassus.distance(coarse, exact="bouncing-ball", column="q0")
        near = delassus.distance(fine, exact="bouncing-ball", column="q0")
        self.assertTrue(1e-4 < near["distance"] < far["distance"] < 1e-1)
        self.assertEqual(delassus.distance(fine, fine, column=["q0", "v0"])["distance"], 0)

    def test_stories(self):
        run = delassus.run("bouncing-ball", "moreau-jean", step=0.01, end=5)
        self.assertIn("It sinks at 0.00333 m/s", delassus.explain(run))
        table = {"t": [0, 0.5, 1], "q0": [1, 2, 5]}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("t,q0\n" + "\n".join(f"{t},{q}" for t, q in zip(*table.values())))
            self.assertIn("no velocities", delassus.explain(path, "bouncing-ball", between="linear"))

    def test_studies_and_lessons(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = delassus.study("example-run", os.path.join(folder, "study"), plot_format="none")
            self.assertTrue(rows and all(row["agrees"] == "yes" for row in rows))
            page = delassus.lesson("velocity-flip", os.path.join(folder, "lesson.html"))
            with open(page, encoding="utf-8") as file:
                self.assertIn("<html", file.read(400))

    def test_refusals_are_those_of_the_tool(self):
        for call, words in (
            (lambda: delassus.advise("no-such-model", 1e-2), "no-such-model"),
            (lambda: delassus.advise("bouncing-ball", -1), "error"),
            (lambda: delassus.spectrum("no-such-scheme"), "no-such-scheme"),
            (lambda: delassus.distance("no-such-file.csv", exact="bouncing-ball"), "no-such-file.csv"),
            (lambda: delassus.explain("no-such-file.csv"), "no-such-file.csv"),
            (lambda: delassus.study("no-such-study", "nowhere"), "no-such-study"),
            (lambda: delassus.lesson("no-such-lesson", "nowhere.html"), "no-such-lesson"),
            (lambda: delassus.lesson("no-such-lesson", "nowhere.html", live=True), "no-such-lesson"),
            (lambda: delassus.advise(delassus.Matrices("m", M=[[1]], q0=[1]), 1e-2), "takes models by name, or from formulas"),
            (lambda: delassus.advise("bouncing-ball", object()), "it must be a number"),
        ):
            with self.assertRaisesRegex(delassus.Error, words):
                call()


if __name__ == "__main__":
    unittest.main()
