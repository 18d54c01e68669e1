# test_python_functions.py -- models and schemes of Python functions against those of the library. Run by
# test_python.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
import math
import unittest

import delassus


def euler(system, t, q, v, h):
    """Symplectic Euler with the law of impact at the end of the step, without numpy."""
    free = [x + h * a for x, a in zip(v, system.acceleration(t, q, v))]
    ahead = [x + h * y for x, y in zip(q, v)]
    v = system.impact(t + h, q, v, free, [gap <= 0 for gap in system.gap(t + h, ahead)])
    return [x + h * y for x, y in zip(q, v)], v


def pendulum(**given):
    """The built-in bouncing-pendulum."""
    return delassus.Functions(
        "pendulum",
        q0=[0],
        v0=[0],
        force=lambda t, q, v: [9.81 * math.cos(q[0])],
        gap=lambda t, q: [math.cos(q[0]) - math.sqrt(0.5)],
        **given,
    )


class Schemes(unittest.TestCase):
    def setUp(self):
        self.euler = delassus.Scheme("my-euler", euler)

    def test_the_ball_by_hand(self):
        run = delassus.run("bouncing-ball", self.euler, step=0.01, end=2, e=0.5)
        q, v, impulses = 1.0, 0.0, []
        for _ in range(200):
            free = v - 2 * 0.01
            after = -0.5 * v if q + 0.01 * v <= 0 and free < -0.5 * v else free
            impulses.append(after - free)
            q, v = q + 0.01 * after, after
        self.assertAlmostEqual(run.q0[-1], q, delta=1e-13)
        self.assertAlmostEqual(run.v0[-1], v, delta=1e-13)
        self.assertAlmostEqual(sum(run.p0), sum(impulses), delta=1e-12)
        jumps = [i for i in range(1, len(run)) if run.t[i] == run.t[i - 1]]
        self.assertEqual(len(jumps), len([p for p in impulses if p > 0]))
        for i in jumps:
            self.assertAlmostEqual(run.v0[i] - run.v0[i - 1], run.p0[i], delta=1e-13)

    def test_its_order_is_measured_as_of_any_other(self):
        studies = [
            delassus.order(
                "bouncing-ball",
                self.euler,
                steps=(3e-2, 3e-4, 6),
                end=2.4,
                norm="l1",
                of="v",
                repeats=4,
                jobs=jobs,
            )
            for jobs in (1, 2)
        ]
        self.assertTrue(0.85 < studies[0].order()[0] < 1.15, studies[0].order())
        self.assertEqual(
            [row["error"] for row in studies[0].errors], [row["error"] for row in studies[1].errors]
        )

    def test_several_contacts_and_friction(self):
        for model in ("wedge", "bounce-slip"):
            run = delassus.run(model, self.euler, step=1e-3, end=1)
            self.assertTrue(run.complete)
            self.assertGreater(min(min(row) for row in run.g), -0.02)
        self.assertGreater(max(abs(p) for p in run.p0t), 1e-3)

    def test_what_it_raises_ends_the_run(self):
        def broken(system, t, q, v, h):
            return (q, v) if t < 0.5 else 1 / 0

        for step, error, text in (
            (broken, ZeroDivisionError, "division"),
            (lambda system, t, q, v, h: (q, [1, 2]), ValueError, "v has 2 numbers, not 1"),
        ):
            with self.assertRaisesRegex(error, text):
                delassus.run("bouncing-ball", delassus.Scheme("broken", step), step=0.1)
        with self.assertRaisesRegex(delassus.Error, "does not treat joints"):
            delassus.run("four-bar", self.euler, step=1e-3)
        with self.assertRaisesRegex(delassus.Error, "needs a time step"):
            delassus.run("wedge", self.euler)
        with self.assertRaisesRegex(delassus.Error, "is taken"):
            delassus.run("wedge", delassus.Scheme("moreau-jean", euler), step=1e-3)


class Models(unittest.TestCase):
    def test_a_pendulum_with_differences_for_its_derivatives(self):
        ours = delassus.run(pendulum(), "moreau-jean", step=1e-3, end=2, e=0.8)
        built_in = delassus.run("bouncing-pendulum", "moreau-jean", step=1e-3, end=2)
        self.assertEqual(len(ours), len(built_in))
        self.assertLess(max(abs(a - b) for a, b in zip(ours.q0, built_in.q0)), 1e-8)
        events = [
            delassus.run(model, "event-driven", end=1, **e).events
            for model, e in ((pendulum(), {"e": 0.8}), ("bouncing-pendulum", {}))
        ]
        for one, other in zip(*events, strict=True):
            self.assertAlmostEqual(one["t"], other["t"], delta=1e-9)
        self.assertTrue(delassus.check_model(pendulum()))

    def test_what_is_given_is_used(self):
        asked = []

        def gradient(q):
            asked.append(q)
            return [[-math.sin(q[0])]]

        exact = pendulum(
            gradient=gradient,
            stiffness=lambda t, q, v: [[9.81 * math.sin(q[0])]],
            damping=lambda t, q, v: 0,
            gap_rate=lambda t, q: 0,
            curvature=lambda t, q, v: -math.cos(q[0]) * v[0] ** 2,
            mass=lambda q: [[1.0]],
        )
        ours = delassus.run(exact, "moreau-jean", step=1e-3, end=2, e=0.8)
        built_in = delassus.run("bouncing-pendulum", "moreau-jean", step=1e-3, end=2)
        self.assertLess(max(abs(a - b) for a, b in zip(ours.q0, built_in.q0)), 1e-13)
        self.assertGreater(len(asked), 100)
        wrong = delassus.check_model(pendulum(gradient=lambda q: [[math.sin(q[0])]])).wrong
        self.assertIn("gradient", [row["callback"] for row in wrong])

    def test_constant_matrices_and_two_masses(self):
        # two masses on a spring, the first above the floor: the model of the matrices
        two = delassus.Functions(
            "two",
            q0=[1, 2],
            v0=[0, 0],
            mass=[[1, 0], [0, 2]],
            gradient=[[1], [0]],
            gap=lambda t, q: [q[0]],
            force=lambda t, q, v: [-40 * (q[0] - q[1] + 1) - 9.81, 40 * (q[0] - q[1] + 1) - 19.62],
        )
        same = delassus.Matrices(
            "same", M=[[1, 0], [0, 2]], K=[[40, -40], [-40, 40]], HT=[[1, 0]], q0=[1, 2], F0=[-49.81, 20.38]
        )
        runs = [delassus.run(model, "event-driven:tol=1e-11", end=1, e=0.5) for model in (two, same)]
        self.assertGreater(len(runs[0].events), 0)
        self.assertAlmostEqual(runs[0].q1[-1], runs[1].q1[-1], delta=1e-8)

    def test_no_contact(self):
        run = delassus.run(
            delassus.Functions("spring", 1, 0, lambda t, q, v: -q[0]), "event-driven:tol=1e-12", end=1
        )
        self.assertAlmostEqual(run.q0[-1], math.cos(1), delta=1e-10)

    def test_what_it_raises_ends_the_run(self):
        with self.assertRaises(ZeroDivisionError):
            delassus.run(delassus.Functions("broken", 0, 0, lambda t, q, v: 1 / 0), "moreau-jean", step=1e-3)
        with self.assertRaisesRegex(ValueError, "force has 2 numbers, not 1"):
            delassus.run(delassus.Functions("broken", 0, 0, lambda t, q, v: [1, 2]), "moreau-jean", step=1e-3)
        with self.assertRaisesRegex(ValueError, "v0 has 1 numbers, not 2"):
            delassus.Functions("broken", [0, 0], 0, lambda t, q, v: q)
        with self.assertRaisesRegex(ValueError, "mass has 3 numbers, not 1"):
            delassus.run(
                delassus.Functions("broken", 0, 0, lambda t, q, v: q, mass=[1, 2, 3]),
                "moreau-jean",
                step=1e-3,
            )


if __name__ == "__main__":
    unittest.main()
