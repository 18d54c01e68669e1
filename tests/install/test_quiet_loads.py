# test_quiet_loads.py -- loads and supports that act only for a short part of a run: none is missed, by any engine of the
# event-driven method; run by test_quiet_loads.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
import functools
import math
import sys
import unittest

import delassus
from delassus.formulas import Model, Piecewise, exp, sin, t, tanh

SCHEMES = {  # each engine, at the tolerances that it reaches
    engine: [f"event-driven:tol={tol},method={engine}" for tol in tols]
    for engine, tols in (("adams", (1e-10, 1e-12)), ("bdf", (1e-10,)), ("erk", (1e-10, 1e-12)))
}
FINEST = [schemes[-1] for schemes in SCHEMES.values()]
WIDTHS = (1e-6, 1e-3, 0.02, 0.5, 2)
START, END, GRAVITY, MU = 20.0, 30.0, 9.81, 0.3


def push(t1, w):
    return 100 * exp(-(((t - t1) / w) ** 2))


@functools.lru_cache(maxsize=None)
def mass(gravity, v0):
    """A mass of 1 kg far from a wall, pushed at t1."""
    model = Model("pushed-mass")
    (x,), (v,) = model.coordinates(x=0), model.velocities(v=v0)
    t1, w = model.parameters(t1=START, w=2)
    model.kinetic = v**2 / 2
    model.force(x=push(t1, w) - gravity)
    model.contact(gap=x + 1e6, e=0)
    return model


@functools.lru_cache(maxsize=None)
def block(upwards):
    """A mass on a rough floor, pushed along it or upwards."""
    model = Model("pushed-block")
    x, y = model.coordinates(x=0, y=0)
    u, v = model.velocities(u=0, v=0)
    t1, w = model.parameters(t1=START, w=2)
    model.kinetic, model.potential = (u**2 + v**2) / 2, GRAVITY * y
    model.force(**{"y" if upwards else "x": push(t1, w)})
    (mu,) = model.parameters(mu=MU)
    model.contact(gap=y, slip=u, mu=mu, e=0)
    return model


@functools.lru_cache(maxsize=None)
def pair():
    """Two masses with a spring, one of them pushed."""
    model = Model("pushed-pair")
    x, y = model.coordinates(x=0, y=1)
    u, v = model.velocities(u=0, v=0)
    t1, w = model.parameters(t1=START, w=2)
    model.kinetic, model.potential = (u**2 + v**2) / 2, 10 * (y - x - 1) ** 2
    model.force(x=push(t1, w))
    model.contact(gap=x + 1e6, e=0)
    return model


def support(name, s, x0, gravity=0.0, **parameters):
    """A mass at rest at x0 over a support s(t, *parameters)."""
    model = Model(name)
    (x,), (v,) = model.coordinates(x=x0), model.velocities(v=0)
    symbols = model.parameters(**parameters)
    model.kinetic, model.potential = v**2 / 2, gravity * x
    model.contact(gap=x - s(*symbols), e=0)
    return model


class Pulses(unittest.TestCase):
    def check(self, model, momentum, expected, end=lambda w: END, **parameters):
        for w in WIDTHS:
            for scheme in sum(SCHEMES.values(), []):
                with self.subTest(w=w, scheme=scheme):
                    run = delassus.run(model, scheme, end=end(w), w=w, **parameters)
                    self.assertTrue(run.complete)
                    tol = 1e-12 if "tol=1e-12" in scheme else 1e-10
                    allowed = 10 * tol * max(1, 100 * w * math.sqrt(math.pi))
                    self.assertLess(abs(momentum(run) - expected(w)), allowed)

    def test_at_rest(self):
        self.check(mass(0, 0), lambda run: run.v0[-1], lambda w: 100 * w * math.sqrt(math.pi))

    def test_a_run_that_ends_within_the_pulse(self):
        # the integrator steps beyond the end of the run
        self.check(
            mass(0, 0),
            lambda run: run.v0[-1],
            lambda w: 50 * w * math.sqrt(math.pi) * math.erfc(0.5),
            lambda w: START - w / 2,
        )

    def test_in_free_flight(self):
        # slow: errors that are relative to the velocity stay below the absolute bound
        self.check(mass(0.1, 1.5), lambda run: run.v0[-1], lambda w: 1.5 - 0.1 * END + 100 * w * math.sqrt(math.pi))

    def test_on_two_masses_with_a_spring(self):
        self.check(pair(), lambda run: run.v0[-1] + run.v1[-1], lambda w: 100 * w * math.sqrt(math.pi))

    def test_sliding(self):
        self.check(
            block(False),
            lambda run: run.v0[-1],
            lambda w: 1.5 - 0.003 * GRAVITY * END + 100 * w * math.sqrt(math.pi),
            u0=1.5,
            mu=0.003,
        )

    def after_release(self, resistance):
        """The velocity at t1 + 10 w of a mass that a resistance holds until the push exceeds it."""
        early = math.sqrt(math.log(100 / resistance))  # in w before t1
        return lambda w: w * (50 * math.sqrt(math.pi) * (math.erf(10) + math.erf(early)) - resistance * (10 + early))

    def test_stuck_until_the_pulse(self):
        self.check(
            block(False), lambda run: run.v0[-1], self.after_release(MU * GRAVITY), lambda w: START + 10 * w
        )

    def test_closed_until_the_pulse(self):
        self.check(block(True), lambda run: run.v1[-1], self.after_release(GRAVITY), lambda w: START + 10 * w)


class Supports(unittest.TestCase):
    def run_all(self, model, **parameters):
        end = parameters.pop("end", END)
        return [delassus.run(model, scheme, end=end, **parameters) for scheme in FINEST]

    def test_a_bump_under_a_mass(self):
        bump = support("bump", lambda t1, w: 1.001 * exp(-(((t - t1) / w) ** 2)), 1, t1=START, w=1)
        for w in (0.5, 0.1, 0.02, 1e-4):
            for run in self.run_all(bump, w=w):
                hit = next(event for event in run.events if event["kind"] == "impact")
                speed = 2 * math.sqrt(math.log(1.001)) / w
                self.assertAlmostEqual(hit["t"], START - w * math.sqrt(math.log(1.001)), delta=1e-9)
                self.assertAlmostEqual(run.v0[-1] / speed, 1, delta=1e-8)

    def test_a_cam_with_a_dwell(self):
        def polynomial(t1, w):
            part = (t - t1) / w
            return Piecewise((0, t < t1), ((3 * part**2 - 2 * part**3) / 10, t < t1 + w), (0.1, True))

        smooth = support("cam", lambda t1, w: (1 + tanh((t - t1) / w)) / 20, 0, 1.0, t1=START, w=1)
        for cam, widths in ((smooth, (0.5, 1)), (support("cam", polynomial, 0, 1.0, t1=START, w=1), (1, 2))):
            for w in widths:
                for run in self.run_all(cam, end=40, w=w):
                    self.assertTrue(run.complete)
                    self.assertAlmostEqual(run.q0[-1], 0.1, delta=1e-9)

    def test_a_floor_that_drops(self):
        floor = support("floor", lambda t1: Piecewise((0, t < t1), (-0.5, True)), 0, GRAVITY, t1=1)
        for t1 in (1, 10):
            for run in self.run_all(floor, t1=t1, end=t1 + 1):
                hit = next(event for event in run.events if event["kind"] == "impact")
                self.assertAlmostEqual(hit["t"], t1 + math.sqrt(1 / GRAVITY), delta=1e-9)
                self.assertAlmostEqual(run.q0[-1], -0.5, delta=1e-9)

    def test_a_floor_that_jumps_up_is_refused(self):
        floor = support("step", lambda t1: Piecewise((0, t < t1), (0.5, True)), 0, GRAVITY, t1=1)
        for scheme in FINEST:
            with self.assertRaisesRegex(delassus.Error, "t = 1"):
                delassus.run(floor, scheme, end=2)


class Loads(unittest.TestCase):
    def test_a_high_power_of_a_sine(self):
        model = Model("slow-pulse")
        (x,), (v,) = model.coordinates(x=0), model.velocities(v=0)
        model.kinetic = v**2 / 2
        model.force(x=1 + sin(t / 1000) ** 300)
        model.contact(gap=x + 1, e=0)
        exact = 3000 + 1000 * math.sqrt(math.pi) * math.exp(math.lgamma(150.5) - math.lgamma(151))
        self.assertAlmostEqual(exact, 3144.5997, delta=1e-4)
        for scheme in FINEST:
            run = delassus.run(model, scheme, end=3000)
            self.assertAlmostEqual(run.v0[-1], exact, delta=1e-7)

    def test_a_quiet_pulse_in_studies(self):
        exact = 200 * math.sqrt(math.pi)
        for scheme, step in (
            ("event-driven", None),
            ("event-driven:method=erk", None),
            ("event-driven:method=bdf", None),
            ("event-driven:max_step=0.02", None),
            ("moreau-jean", 1e-2),
        ):
            self.assertAlmostEqual(delassus.run(mass(0, 0), scheme, step, end=END).v0[-1], exact, delta=1e-6)
        study = delassus.order(
            mass(0, 0), ["moreau-jean", "event-driven"], steps=(1e-1, 1e-2, 3), end=END, norm="max", of="v"
        )
        text = str(study)
        for word in ("explode", "does not converge", "nan"):
            self.assertNotIn(word, text)
        errors = [row["error"] for row in study.errors if row["scheme"] == "moreau-jean"]
        self.assertLess(max(errors), 1)
        self.assertGreater(study.order("moreau-jean")[0], 0.9)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
