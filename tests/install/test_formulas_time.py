# test_formulas_time.py -- explicit time dependence declared by models from formulas; run by test_formulas_time.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
import math
import random
import subprocess
import sys
import unittest

import delassus
from delassus._c_code import _Writer
from delassus.formulas import (
    Abs,
    Heaviside,
    Max,
    Min,
    Model,
    Piecewise,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    erf,
    exp,
    log,
    pi,
    sign,
    sin,
    sinh,
    sqrt,
    t,
    tan,
    tanh,
)

UNKNOWN, NONE, EXPLICIT = range(3)


def mass(force=0, gap=None, e=0, x0=0.0, v0=0.0, **parameters):
    """A mass m = 1 in x under force(x, v, *parameters), over gap(x, *parameters) or far from a wall."""
    model = Model("mass")
    (x,), (v,) = model.coordinates(x=x0), model.velocities(v=v0)
    symbols = model.parameters(**parameters)
    model.kinetic = v**2 / 2
    model.force(x=force(x, v, *symbols) if callable(force) else force)
    model.contact(gap=gap(x, *symbols) if gap else x + 1e6, e=e)
    return model


class Stated:
    """The declarations of the compiled model."""

    def __init__(self, model, end=10.0, pieces=100, **parameters):
        command = [sys.argv[1], model.library(), str(end), str(pieces)]
        command += [f"{name}={value!r}" for name, value in parameters.items()]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        rows = [(words[0], [float(word) for word in words[1:]]) for words in map(str.split, lines)]
        one = dict(rows)
        self.explicit, self.terms = int(one["explicit_time"][0]), int(one["terms"][0])
        self.period, self.shortest = one["load_period"][0], one["shortest_feature"][0]
        self.switches, self.breaks = one["switches"], one["breaks"]
        self.enclosures = [values for word, values in rows if word == "enclosure"]
        self.values = [values for word, values in rows if word == "value"]


class Statements(unittest.TestCase):
    def test_a_model_without_time(self):
        stated = Stated(mass(lambda x, v: -x - v))
        self.assertEqual((stated.explicit, stated.terms, stated.period), (NONE, 0, 0))
        stated = Stated(mass(lambda x, v: -sin(x) - v**3))
        self.assertEqual((stated.explicit, stated.terms, stated.period), (NONE, 0, 0))

    def test_harmonic_terms_have_a_period(self):
        for force, fastest in (
            (lambda x, v, a, w: a * cos(w * t + 1) - x, 2),
            (lambda x, v, a, w: a * cos(w * t) + sin(-5 * t), 5),
            (lambda x, v, a, w: a * cos(w * t) * sin(3 * t) * x, 5),
            (lambda x, v, a, w: sin(w * t) ** 4 - x * cos(w * t), 8),
            (lambda x, v, a, w: sin(x - w * t), 2),
            (lambda x, v, a, w: (x - a * sin(w * t)) ** 3, 6),
            (lambda x, v, a, w: t * cos(w * t) + 3 * t, 2),
        ):
            stated = Stated(mass(force, a=1, w=2))
            self.assertEqual((stated.explicit, stated.terms), (EXPLICIT, 0))
            self.assertAlmostEqual(stated.period, 2 * math.pi / fastest, delta=1e-14)
        stated = Stated(mass(lambda x, v, w: cos(w * t), w=2), w=0.0)
        self.assertEqual((stated.period, stated.shortest), (0, sys.float_info.max))

    def test_steady_growth_has_no_feature(self):
        stated = Stated(mass(lambda x, v, c: c * t * (1 + x) - x, c=2))
        self.assertEqual((stated.explicit, stated.terms, stated.period), (EXPLICIT, 0, 0))
        self.assertEqual(stated.shortest, sys.float_info.max)

    def test_what_moves_with_the_state_is_unknown(self):
        for force in (
            lambda x, v: exp(-((x - t) ** 2)),
            lambda x, v: 1 / (2 + x**2 + sin(t)),
            lambda x, v: Max(0, sin(x - t**2)),
        ):
            self.assertEqual(Stated(mass(force)).explicit, UNKNOWN)
        stated = Stated(mass(lambda x, v: atan2(exp(t), t) ** 2 + exp(-(t**2)) + x * exp(-t)))  # no bounds of atan2
        self.assertEqual((stated.explicit, stated.terms), (UNKNOWN, 2))
        model = mass(lambda x, v, d: exp(-((x - t) ** 2) / d**2), d=0.25)
        model.shortest_feature = model.options[-1][4] / 2
        stated = Stated(model)
        self.assertEqual((stated.explicit, stated.shortest), (EXPLICIT, 0.125))
        model.shortest_feature = model.q[0]
        with self.assertRaisesRegex(ValueError, "shortest_feature = x has x"):
            model.c_source()

    def test_instants_of_branches(self):
        window = mass(lambda x, v, a, b: Piecewise((0, t <= a), (5, t <= b), (0, True)), a=1, b=2.5)
        stated = Stated(window)
        self.assertEqual((stated.explicit, stated.terms, stated.switches, stated.breaks), (EXPLICIT, 0, [1, 2.5], []))
        self.assertEqual([row[1] for row in stated.values], [0, 5, 5, 0])  # before and at the instants
        self.assertEqual(Stated(window, a=3.0, b=4.0).switches, [3, 4])
        kinks = mass(lambda x, v, k: Abs(t - 1) + Max(0, k * t - 6) + Min(t, 2), k=2)
        stated = Stated(kinks)
        self.assertEqual((stated.switches, stated.terms), ([], 0))
        for found, expected in zip(stated.breaks, (1, 2, 3), strict=True):
            self.assertAlmostEqual(found, expected, delta=1e-14)
        for slope, sides in ((2, [0, 1]), (-2, [1, 0])):  # the sign of k is a parameter's
            stated = Stated(mass(lambda x, v, k: Heaviside(k * t - 3 * k), k=1), k=float(slope))
            self.assertEqual([row[1] for row in stated.values], sides)

    def test_instants_of_waves(self):
        square = mass(lambda x, v, w, p, c: sign(sin(w * t + p) - c), w=2, p=0.3, c=0.5)
        for w, p, c in ((2, 0.3, 0.5), (-3, 1, -0.2), (0.5, -9, 0.9), (40, 0, 0)):
            stated = Stated(square, w=float(w), p=float(p), c=float(c))
            expected, n = [], 0
            for n in range(-80, 81):
                for angle in (math.asin(c), math.pi - math.asin(c)):
                    expected.append((angle + 2 * math.pi * n - p) / w)
            expected = sorted(instant for instant in expected if 1e-12 < instant <= 10)
            self.assertEqual(stated.breaks, [])
            for found, instant in zip(stated.switches, expected, strict=True):
                self.assertAlmostEqual(found, instant, delta=1e-13)
            for k, row in enumerate(stated.values):
                at = stated.switches[k // 2] + (-1e-7 if k % 2 == 0 else 1e-7)
                self.assertEqual(row[1], math.copysign(1, math.sin(w * at + p) - c))
        self.assertEqual(Stated(square, c=2.0).switches, [])
        rectified = Stated(mass(lambda x, v: Abs(cos(3 * t))), end=3.0)
        self.assertEqual((rectified.terms, rectified.switches), (0, []))
        for k, found in enumerate(rectified.breaks):
            self.assertAlmostEqual(found, math.pi / 6 + k * math.pi / 3, delta=1e-13)
        self.assertAlmostEqual(rectified.period, 2 * math.pi / 3, delta=1e-14)

    def test_a_support_that_jumps_or_turns(self):
        floor = mass(gap=lambda x, a: x + Piecewise((0, t < a), (1, True)), a=1)
        self.assertEqual(Stated(floor).switches, [1])
        ramp = Stated(mass(gap=lambda x, a: x - Max(0, t - a), a=1))
        self.assertEqual((ramp.switches, ramp.breaks), ([], [1]))
        bump = Stated(mass(gap=lambda x, a: x - exp(-((t - a) ** 2)), a=1))
        self.assertEqual((bump.explicit, bump.terms, bump.switches), (EXPLICIT, 3, []))  # s, s', s''


class Enclosures(unittest.TestCase):
    LOADS = (
        exp(-(((t - 4) / 2) ** 2)),
        1 + sin(t / 3) ** 300,
        sqrt(1 + t**2) / (2 + t),
        tanh(3 * (t - 2)) + atan(t**2 - 5),
        log(1 + t**2) * exp(-t),
        (1 + t) ** 1.5 - t**3 + cosh(t / 5) - sinh(t / 7),
        asin(tanh(t - 1)) + acos(t / 20),
        tan(t / 10) + erf(t - 2) - pi,
        Abs(sin(t**2)) + Max(t**2, 3 * t, 4) + Min(t**2, 5),
        Piecewise((t**2, t < 2), (exp(-t), (t < 3) | (t > 5)), (sin(t**2), True)),
        sign(t**2 - 9) + Heaviside(cos(t) + sin(2 * t)) + 1 / (1 + t**4) + Abs(t**2 - 2) ** 0.3,
        cos(exp(sin(t))) * cos(7 * t),
    )

    def test_they_contain_the_values_and_shrink(self):
        model = Model("loads")
        names = "abcdefghijkl"[: len(self.LOADS)]
        q = model.coordinates(**{f"x_{i}": 0 for i in names})
        v = model.velocities(**{f"v_{i}": 0 for i in names})
        model.kinetic = sum(u**2 for u in v) / 2
        for coordinate, load in zip(q, self.LOADS):
            model.force(**{str(coordinate): load})
        terms = _Writer(model, model.equations(), t).stated.terms
        self.assertGreaterEqual(len(terms), len(self.LOADS))
        coarse, fine = Stated(model, end=10.0, pieces=100), Stated(model, end=10.0, pieces=20000)
        self.assertEqual(coarse.terms, len(terms))
        rng = random.Random(3)
        for k, term in enumerate(terms):
            for low_at, high_at, *bounds in coarse.enclosures:
                low, high = bounds[2 * k : 2 * k + 2]
                self.assertLessEqual(low, high)
                value = float(term.subs(t, rng.uniform(low_at, high_at)))
                self.assertLessEqual(low, value)
                self.assertLessEqual(value, high)
            bounds = [row[2 * k + 2 : 2 * k + 4] for row in fine.enclosures]
            size = max(high for _, high in bounds) - min(low for low, _ in bounds)
            wide = sum(high - low > 0.01 * size for low, high in bounds)  # pieces of 5e-4 s
            self.assertLess(wide, 20, term)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
