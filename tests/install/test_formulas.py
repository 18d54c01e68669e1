# test_formulas.py -- models from formulas against models written by hand and against built-in ones; run by
# test_formulas.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
import fractions
import hashlib
import math
import os
import pathlib
import shutil
import sys
import tempfile
import unittest
import unittest.mock

import sympy

import delassus
from delassus.formulas import Abs, Model, cos, cosh, exp, log, sin, sqrt, t


def dimer():
    model = Model("dimer", "two balls on a rod that bounce on a vibrating plate, with friction")
    m, r, l, g, A, w, e, mu = model.parameters(m=1, r=0.1, l=1, g=9.81, A=0.02, w=60, e=0.8, mu=0.2)
    x, y, a = model.coordinates(x=0, y=0.8, a=(0.3, "rad"))
    u, v, o = model.velocities(u=0, v=0, o=0)
    model.kinetic = m * (u**2 + v**2) + m * (l**2 / 4 + 2 * r**2 / 5) * o**2
    model.potential = 2 * m * g * y
    for s in (-1, 1):
        model.contact(
            gap=y + s * l / 2 * sin(a) - r - A * sin(w * t),
            e=e,
            mu=mu,
            slip=u - s * l / 2 * sin(a) * o + r * o,
        )
    return model


def cart():
    model = Model("cart", "cart with a pendulum that hits a wall")
    M, m, l, g, e = model.parameters(M=2, m=1, l=0.5, g=9.81, e=0.8)
    x, a = model.coordinates(x=0, a=(1.2, "rad"))
    u, o = model.velocities(u=3, o=0)
    model.kinetic = M * u**2 / 2 + m * ((u + l * cos(a) * o) ** 2 + (l * sin(a) * o) ** 2) / 2
    model.potential = -m * g * l * cos(a)
    model.contact(gap=1 - x, e=e)
    return model


def largest_difference(one, other):
    """Of positions and velocities, of runs with the same nodes."""
    assert len(one) == len(other)
    names = [name for name in one.columns if name[0] in "qv" and name[1:].isdigit()]
    return max(abs(a - b) for name in names for a, b in zip(one[name], other[name]))


class ByHand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        delassus.plugin(sys.argv[1])

    def check(self, model, by_hand, impacts, **parameters):
        for scheme in ("moreau-jean", "rk-moreau", "nonsmooth-newmark"):
            derived = delassus.run(model, scheme, step=1e-3, end=2, **parameters)
            written = delassus.run(by_hand, scheme, step=1e-3, end=2, **parameters)
            self.assertLess(largest_difference(derived, written), 1e-13)
            self.assertGreaterEqual(
                len([event for event in derived.events if event["kind"] == "impact"]), impacts
            )
        events = [
            delassus.run(which, "event-driven:tol=1e-11", end=1, **parameters).events
            for which in (model, by_hand)
        ]
        self.assertGreaterEqual(len(events[0]), 1)
        for derived, written in zip(*events, strict=True):
            self.assertAlmostEqual(derived["t"], written["t"], delta=1e-9)

    def test_the_dimer(self):
        self.check(dimer(), "dimer-by-hand", 2)
        self.check(dimer(), "dimer-by-hand", 2, a0=0.1, u0=1, mu=0.4)

    def test_the_pendulum_on_a_cart(self):
        self.check(cart(), "cart-by-hand", 1)
        self.check(cart(), "cart-by-hand", 1, l=0.8, o0=2, e=0.5)


class BuiltIn(unittest.TestCase):
    def test_a_linear_system_is_one(self):
        model = Model("spring")
        m, k, c, e = model.parameters(m=1, k=40, c=0.3, e=0.7)
        (q,), (v,) = model.coordinates(q=1), model.velocities(v=0)
        model.kinetic, model.potential = m * v**2 / 2, k * q**2 / 2
        model.force(q=-c * v)
        model.contact(gap=q, e=e)
        self.assertTrue(model.equations().linear)
        derived = delassus.run(model, "moreau-jean", step=1e-3, end=2)
        built_in = delassus.run(
            "impacting-oscillator", "moreau-jean", step=1e-3, end=2, m=1, k=40, c=0.3, e=0.7, q0=1, v0=0
        )
        self.assertLess(largest_difference(derived, built_in), 1e-13)
        self.assertGreater(len(derived.events), 3)

    def test_a_gap_that_moves(self):
        model = Model("plate")
        a, w, e = model.parameters(a=0.05, w=8, e=0.6)
        (y,), (v,) = model.coordinates(y=0.5), model.velocities(v=0)
        model.kinetic, model.potential = v**2 / 2, 9.81 * y
        model.contact(gap=y - a * sin(w * t), e=e)
        self.assertTrue(model.equations().linear)
        derived = delassus.run(model, "event-driven:tol=1e-11", end=1)
        # the first impact, by Newton's method on 0.5 - 9.81/2 t^2 = a sin(w t)
        time = 0.3
        for _ in range(50):
            time -= (0.5 - 4.905 * time**2 - 0.05 * math.sin(8 * time)) / (
                -9.81 * time - 0.4 * math.cos(8 * time)
            )
        self.assertAlmostEqual(derived.events[0]["t"], time, delta=1e-9)
        u = -9.81 * time - 0.4 * math.cos(8 * time)
        self.assertAlmostEqual(derived.events[0]["u_plus"], -0.6 * u, delta=1e-8)

    def test_a_joint(self):
        # a pendulum in x, y with its rod as a joint, and in its angle
        rod = Model("rod")
        x, y = rod.coordinates(x=0.6, y=-0.8)
        u, v = rod.velocities(u=0, v=0)
        rod.kinetic, rod.potential = (u**2 + v**2) / 2, 9.81 * y
        rod.constraint(sqrt(x**2 + y**2) - 1)
        angle = Model("angle")
        (a,), (o,) = angle.coordinates(a=(0.6435011087932844, "rad")), angle.velocities(o=0)
        angle.kinetic, angle.potential = o**2 / 2, -9.81 * cos(a)
        joint = delassus.run(rod, "event-driven:tol=1e-11", end=2)
        free = delassus.run(angle, "event-driven:tol=1e-11", end=2)
        self.assertAlmostEqual(joint.q0[-1], math.sin(free.q0[-1]), delta=1e-8)
        self.assertAlmostEqual(joint.q1[-1], -math.cos(free.q0[-1]), delta=1e-8)

    def test_forces_that_are_not_smooth(self):
        drag = Model("drag")
        (q,), (v,) = drag.coordinates(q=100), drag.velocities(v=0)
        drag.kinetic, drag.potential = v**2 / 2, 9.81 * q
        drag.force(q=-0.5 * v * Abs(v))
        run = delassus.run(drag, "moreau-jean", step=1e-3, end=5)
        self.assertAlmostEqual(
            run.v0[-1], -((9.81 / 0.5) ** 0.5), delta=1e-4
        )  # sqrt(m g / c) tanh(...), tanh(11) = 1

    def test_energy_of_a_moving_frame(self):
        # a bead on a straight wire that turns at the rate w: r'' = w^2 r, r = cosh(w t)
        wire = Model("wire")
        (w,) = wire.parameters(w=1.5)
        (r,), (v,) = wire.coordinates(r=1), wire.velocities(v=0)
        wire.kinetic = (v**2 + (w * r) ** 2) / 2
        run = delassus.run(wire, "event-driven:tol=1e-12", end=1)
        self.assertAlmostEqual(run.q0[-1], math.cosh(1.5), delta=1e-9)


class Derivatives(unittest.TestCase):
    def test_all_agree_with_differences(self):
        for model in (dimer(), cart(), crane()):
            check = delassus.check_model(model, states=20)
            self.assertTrue(check, repr(check))
        given = {row["callback"] for row in delassus.check_model(crane()) if not row["absent"]}
        self.assertLessEqual(
            {
                "stiffness",
                "damping",
                "gradient",
                "gap_rate",
                "curvature",
                "gap_turn",
                "gap_stiffness",
                "slip_curvature",
                "joint_gradient",
                "joint_rate",
                "joint_curvature",
                "joint_stiffness",
                "mass",
            },
            given,
        )

    def test_a_wrong_derivative_would_be_seen(self):
        plugin = cart()
        text = plugin.c_source().replace("dls_matrix_set(K, 0, 1, ", "dls_matrix_set(K, 0, 1, 2 * ")
        self.assertNotEqual(text, plugin.c_source())
        with unittest.mock.patch.object(plugin, "c_source", lambda: text):
            self.assertEqual([row["callback"] for row in delassus.check_model(plugin).wrong], ["stiffness"])


class ByParameters(unittest.TestCase):
    """Exact derivatives by parameters, in runs."""

    def curved(self):
        # y = exp(x) moves uniformly accelerated: y = 1 + u0 t - c t^2 / (2 m)
        model = Model("curved")
        m, c, d, e = model.parameters(m=2, c=3, d=20, e=0.5)
        (x,), (u,) = model.coordinates(x=0), model.velocities(u=0.5)
        model.kinetic, model.potential = m * exp(2 * x) * u**2 / 2, c * exp(x)
        model.contact(gap=x + log(d), e=e)  # y = 1/d is not reached
        return model

    def test_closed_forms(self):
        at, m, c = 0.9, 2, 3
        y = 1 + 0.5 * at - c * at**2 / (2 * m)
        exact = {"m": c * at**2 / (2 * m**2) / y, "c": -(at**2) / (2 * m) / y, "u0": at / y, "d": 0}
        for method in ("forward", "adjoint"):
            run = delassus.gradient(self.curved(), of="q0", by=list(exact), at=at, method=method)
            for name, value in exact.items():
                self.assertAlmostEqual(float(run["q0", name]), value, delta=2e-9)

    def test_what_is_stated(self):
        text = cart().c_source()
        stated = text[text.index("by_parameter(") :]
        stated = stated[: stated.index("return false;")]
        for name in ("M", "m", "l", "g", "e", "x0", "o0"):
            self.assertIn(f'strcmp(name, "{name}") == 0', stated)
        text = dimer().c_source()
        stated = text[text.index("by_parameter(") :]
        stated = stated[: stated.index("return false;")]
        self.assertIn('strcmp(name, "m") == 0', stated)
        for name in ("l", "A", "w"):  # they move gradients and the plate
            self.assertNotIn(f'strcmp(name, "{name}") == 0', stated)

    def test_differences_agree_and_errors_are_seen(self):
        by = "M,m,l,g,e,a0"
        exact = delassus.gradient(cart(), of="q0,v1", by=by, at=1.3)
        for change, agrees in ((("by_parameter = by_parameter", "by_parameter = NULL"), True), (("out->F[1] += -p[1]", "out->F[1] += -2 * p[1]"), False)):
            model = cart()
            text = model.c_source().replace(*change)
            self.assertNotEqual(text, model.c_source())
            with unittest.mock.patch.object(model, "c_source", lambda: text):
                other = delassus.gradient(model, of="q0,v1", by=by, at=1.3)
            largest = max(abs(float(a) - float(b)) for one, two in zip(exact.matrix, other.matrix) for a, b in zip(one, two))
            self.assertEqual(largest < 1e-7, agrees, largest)


def crane():
    """All callbacks at once: a load on a rope whose length changes, in coordinates that bend, over a curved
    rough floor that moves."""
    model = Model("crane")
    m, c, e, mu = model.parameters(m=2, c=0.3, e=0.5, mu=0.4)
    x, y, a = model.coordinates(x=0.3, y=1.5, a=(0.5, "rad"))
    u, v, o = model.velocities(u=0.2, v=-0.1, o=0.3)
    model.kinetic = m * (u**2 + v**2 + 2 * x * u * o + (1 + x**2) * o**2) / 2
    model.potential = 9.81 * m * y + sin(x * y)
    model.force(x=-c * u * Abs(u) + cos(3 * t) * y, a=-c * o * v)
    model.contact(
        gap=y - x**2 / 4 + sin(a) / 5 + 0.01 * sin(7 * t),
        e=e,
        mu=mu,
        slip=(u * cos(a) + v * x + o) * sqrt(2 + sin(t)),
    )
    model.constraint(sqrt(x**2 + y**2) * (1 + sin(2 * t) / 10) - 1.5 + a**2)
    return model


class Cache(unittest.TestCase):
    def test_a_plugin_is_made_once_and_a_changed_model_is_another(self):
        first = cart().library()
        made = os.stat(first).st_mtime_ns
        self.assertEqual(cart().library(), first)
        self.assertEqual(os.stat(first).st_mtime_ns, made)
        changed = cart()
        changed.potential *= 2
        self.assertNotEqual(changed.library(), first)
        ends = [
            delassus.run(model, "moreau-jean", step=1e-2, end=0.2).q1[-1]
            for model in (cart(), changed, cart())
        ]
        self.assertEqual(ends[0], ends[2])
        self.assertGreater(abs(ends[0] - ends[1]), 1e-3)
        self.assertTrue(os.path.exists(first.removesuffix(".so") + ".c"))

    def derivations(self, make):
        """How often a model is derived for its plugin."""
        with unittest.mock.patch("delassus.formulas.derive", wraps=delassus.formulas.derive) as derive:
            path = make().library()
        return path, derive.call_count

    def test_a_model_that_is_kept_is_not_derived_again(self):
        first = cart().library()
        self.assertEqual(self.derivations(cart), (first, 0))
        with unittest.mock.patch("sympy.__version__", "other"):
            self.assertEqual(self.derivations(cart)[1], 1)
        with unittest.mock.patch.dict(os.environ, CC="cc -O1"):
            self.assertEqual(self.derivations(cart)[1], 1)
        pathlib.Path(first).unlink()  # derived once, compiled once
        self.assertEqual(self.derivations(cart), (first, 1))

    def test_all_of_a_model_decides_which_plugin_it_has(self):
        def changed(change):
            model = cart()
            change(model)
            return model.library()

        def positive(model):
            (symbol,) = (s for s in model.potential.free_symbols if str(s) == "m")
            model.potential = model.potential.subs(symbol, 2 * symbol)

        changes = [
            lambda model: None,
            positive,
            lambda model: model.force(x=1),
            lambda model: model.parameters(another=1),
            lambda model: setattr(model, "length", 2.0),
            lambda model: setattr(model, "shortest_feature", 0.1),
            lambda model: setattr(model, "summary", "another"),
            lambda model: model.options.__setitem__(0, (*model.options[0][:3], 0.25, model.options[0][4])),
        ]
        paths = [changed(change) for change in changes]
        self.assertEqual(len(set(paths)), len(paths))

    def test_classes_of_others_are_derived_each_time(self):
        class Own(Model):
            pass

        def own():
            model = Own("own")
            model.coordinates(q=0)
            (v,) = model.velocities(v=1)
            model.kinetic = v**2 / 2
            return model

        for _ in range(2):
            self.assertEqual(self.derivations(own)[1], 1)

    def test_a_missing_compiler_is_named(self):
        with unittest.mock.patch.dict(os.environ, CC="no-such-compiler"):
            with self.assertRaisesRegex(
                delassus.Error, "no C compiler: no-such-compiler: .*; install gcc, or set CC"
            ):
                cart().library()

    def test_the_compiler_and_its_programs_are_not_those_of_the_current_folder(self):
        marker = "started"
        with tempfile.TemporaryDirectory() as folder:
            for name in ("cc", "gcc", "as", "ld", "collect2", "ldconfig"):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/sh\n: >{folder}/{marker}\n")
                os.chmod(file.name, 0o755)
            before = os.getcwd()
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            path = ":.::" + os.environ["PATH"]
            cache = os.path.join(folder, "cache")
            with unittest.mock.patch.dict(os.environ, CC="cc", PATH=path, DELASSUS_CACHE=cache):
                self.assertTrue(os.path.exists(puck().library()))
            os.chdir(before)
            self.assertFalse(os.path.exists(os.path.join(folder, marker)))


def puck():
    """The smallest model."""
    model = Model("puck")
    model.coordinates(q=0)
    (v,) = model.velocities(v=1)
    model.kinetic = v**2 / 2
    return model


class ForeignCache(unittest.TestCase):
    """What lies in the folder for plugins is used only if this user compiled it from this source."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.cache = os.path.join(self.folder.name, "cache")
        patch = unittest.mock.patch.dict(os.environ, DELASSUS_CACHE=self.cache)
        patch.start()
        self.addCleanup(patch.stop)

    def planted(self, path):
        with open(path, "rb") as file:
            return b"planted" in file.read()

    def plant(self, path):
        os.chmod(path, 0o600)
        with open(path, "wb") as file:
            file.write(b"planted")

    def test_a_planted_plugin_is_compiled_again(self):
        path = puck().library()
        for seal in (None, b"", b"planted", hashlib.sha256(b"planted").hexdigest().encode()):
            self.plant(path)
            if seal is not None:
                pathlib.Path(path).with_suffix(".seal").write_bytes(seal)
            self.assertEqual(puck().library(), path)
            self.assertFalse(self.planted(path))

    def test_a_folder_that_came_from_somebody_else_is_compiled_again(self):
        with unittest.mock.patch.dict(os.environ, HOME=os.path.join(self.folder.name, "other")):
            foreign = puck().library()
        made = os.stat(foreign).st_mtime_ns
        self.assertEqual(puck().library(), foreign)
        self.assertGreater(os.stat(foreign).st_mtime_ns, made)

    def test_a_plugin_of_another_model_is_compiled_again(self):
        path = puck().library()
        other = puck()
        other.kinetic *= 2
        wrong = pathlib.Path(other.library())
        for suffix in (".so", ".seal"):
            shutil.copy(wrong.with_suffix(suffix), pathlib.Path(path).with_suffix(suffix))
        before = pathlib.Path(path).read_bytes()
        self.assertEqual(puck().library(), path)
        self.assertNotEqual(pathlib.Path(path).read_bytes(), before)

    def test_it_works_without_a_home(self):
        with unittest.mock.patch.dict(os.environ, HOME="/proc/nowhere"):
            path = puck().library()
            made = os.stat(path).st_mtime_ns
            self.assertEqual(os.stat(puck().library()).st_mtime_ns, made)
        self.assertGreater(os.stat(puck().library()).st_mtime_ns, made)

    def test_only_the_user_may_write_there(self):
        self.assertEqual(os.stat(os.path.dirname(puck().library())).st_mode & 0o777, 0o700)
        for mode in (0o777, 0o770, 0o1777):
            os.chmod(self.cache, mode)
            with self.assertRaisesRegex(delassus.Error, "cache.*others may write.*chmod 700"):
                puck().library()
        os.chmod(self.cache, 0o755)
        puck().library()
        os.chmod(self.folder.name, 0o777)
        with self.assertRaisesRegex(delassus.Error, f"{self.folder.name}.*others may write"):
            puck().library()

    @unittest.skipUnless(os.geteuid() == 0, "only root gives folders away")
    def test_it_belongs_to_the_user(self):
        os.mkdir(self.cache, 0o700)
        os.chown(self.cache, 65534, 65534)
        with self.assertRaisesRegex(delassus.Error, "cache.*belongs to user 65534"):
            puck().library()


class Start(unittest.TestCase):
    """Every formula and its derivatives exist at the initial data."""

    def rotor(self, gap):
        model = Model("rotor", "a mass on two springs in a round stator")
        x, y = model.coordinates(x=0, y=0)
        u, v = model.velocities(u=0, v=0)
        model.kinetic, model.potential = (u**2 + v**2) / 2, (x**2 + y**2) / 2
        model.force(x=cos(t))
        model.contact(gap=gap(x, y), e=0.5)
        return model

    def refused(self, text, model, **parameters):
        for scheme, step in (("moreau-jean", 1e-2), ("event-driven", None)):
            with self.assertRaisesRegex(delassus.Error, text):
                delassus.run(model, scheme, step, end=0.1, **parameters)

    def test_a_gap_without_gradient(self):
        model = self.rotor(lambda x, y: 0.3 - sqrt(x**2 + y**2))
        self.refused(
            r"^gap 0 = 0\.3 - sqrt\(x\*\*2 \+ y\*\*2\) has no finite derivative by x at the start, t = 0, x = 0, "
            "y = 0, u = 0, v = 0$",
            model,
        )
        delassus.run(model, "moreau-jean", 1e-2, end=0.1, x0=0.1)
        delassus.run(self.rotor(lambda x, y: 0.3 - (x**2 + y**2) / 0.6), "moreau-jean", 1e-2, end=0.1)

    def test_a_gap_without_value_or_second_derivative(self):
        self.refused(r"gap 0 = .*log.* is not finite at the start", self.rotor(lambda x, y: log(x) + y))
        self.refused("gap 0 = .* has no finite second derivative", self.rotor(lambda x, y: y + 1 + Abs(x) ** 1.5), u0=1)
        self.refused("gap 0 = .* has no finite derivative by t at", self.rotor(lambda x, y: y + 1 + sqrt(t)))
        self.refused("gap 0 = .* has no finite second derivative", self.rotor(lambda x, y: y + 1 + t**1.5))

    def test_forces_slips_and_joints(self):
        def change(what):
            model = self.rotor(lambda x, y: y + 1 + sin(x))
            what(model, *model.q, *model.v)
            return model

        self.refused("the force on y, .*1/x.* is not finite", change(lambda m, x, y, u, v: m.force(y=1 / x)))
        self.refused("potential = .* is not finite", change(lambda m, x, y, u, v: setattr(m, "potential", log(x**2))))
        self.refused("constraint 0 = .* has no finite derivative by x", change(lambda m, x, y, u, v: m.constraint(sqrt(x**2 + y**2))))
        slip = change(lambda m, x, y, u, v: m.contacts.clear())
        slip.contact(gap=slip.q[1], slip=slip.v[0] + 1 / slip.q[0], mu=0.1)
        self.refused("slip of contact 0 = .* is not finite", slip)

    def test_a_pulse_whose_rate_overflows_far_from_it(self):
        model = Model("narrow-pulse")
        (x,), (v,) = model.coordinates(x=0), model.velocities(v=0)
        model.kinetic = v**2 / 2
        model.force(x=1 / cosh(1e4 * (t - 0.5)))
        self.assertAlmostEqual(delassus.run(model, "moreau-jean", 1e-5, end=1).v0[-1], math.pi * 1e-4, delta=1e-9)

    def test_only_implicit_schemes_need_the_derivatives_of_forces(self):
        model = self.rotor(lambda x, y: 1 - x)
        u, v = model.v
        model.force(x=-u * sqrt(u**2 + v**2), y=-v * sqrt(u**2 + v**2))
        run = delassus.run(model, "event-driven", end=0.1)
        self.assertTrue(run.complete)
        self.assertRegex(str(run.notes), "the force on x, .* has no finite derivative by u at the start")


class Refusals(unittest.TestCase):
    def check(self, text, change):
        model = cart()
        with self.assertRaisesRegex(ValueError, text):
            change(model)
            model.equations()

    def test_wrong_formulas(self):
        other = Model("other").parameters(z=1)[0]
        self.check(r"gap 1 = z has z, which may not be in it", lambda model: model.contact(gap=other))
        self.check("gap 1 = u has u", lambda model: model.contact(gap=model.v[0]))
        self.check("e of contact 1 = x has x", lambda model: model.contact(gap=model.q[0], e=model.q[0]))
        self.check(
            "some contacts have a slip velocity and others have none",
            lambda model: model.contact(gap=model.q[0], slip=model.v[0]),
        )
        self.check("the name x is taken", lambda model: model.parameters(x=1))
        self.check("force on z: the coordinates are x, a", lambda model: model.force(z=1))
        self.check("2 coordinates, with a velocity each already", lambda model: model.velocities(z=1))
        self.check("3 coordinates and 2 velocities", lambda model: model.coordinates(z=1))
        self.check("h = nan: a finite number is needed", lambda model: model.parameters(h=float("nan")))

    def test_energies_and_gaps_of_another_kind(self):
        def kinetic(model):
            model.kinetic = model.kinetic + model.v[0] ** 4

        self.check("kinetic energy: its gradient depends on u", kinetic)
        self.check(
            r"gap: its gradient depends on t; it is f\(q\) \+ s\(t\)",
            lambda model: model.contact(gap=model.q[0] * t),
        )
        model = dimer()
        model.contact(gap=model.q[0], slip=model.v[0] ** 2)
        with self.assertRaisesRegex(
            ValueError, "slip: its gradient depends on u; it is linear in the velocities"
        ):
            model.equations()

    def test_names_and_texts_cannot_leave_their_place(self):
        for name in ("../outside", "a/b", "a*/ int x; /*b", "a\nb", 'a"b', "a b", "Ball", "3d", "", "-a", "\u00e9", "a" * 65):
            with self.assertRaisesRegex(ValueError, "name of a model: .*small letters, digits and hyphens"):
                Model(name)
        renamed = cart()
        renamed.name = "../outside"
        with self.assertRaisesRegex(ValueError, "name of a model"):
            renamed.library()
        for name in ("a'", "a*/b", "a b", "a\n", "", "1a", "a=b", "a" * 32):
            for declare in (Model.parameters, Model.coordinates):
                with self.assertRaisesRegex(ValueError, "letters, digits and underscores"):
                    declare(Model("m"), **{name: 1})
        for text in ("a\nb", "a\0b", "a\x1b[2Jb"):
            with self.assertRaisesRegex(ValueError, "unit of x: .*printable"):
                Model("m").coordinates(x=(1, text))
            with self.assertRaisesRegex(ValueError, "summary: .*printable"):
                Model("m", text)
            with self.assertRaisesRegex(ValueError, "source: .*printable"):
                Model("m", "s", text)
        for scale in ("a", "'", float("nan"), 0, -1, float("inf")):
            model = cart()
            model.length = scale
            with self.assertRaisesRegex(ValueError, "length = .*: a positive number is needed"):
                model.c_source()

    def test_awkward_texts_are_kept(self):
        text = 'a "quoted" */ \\ ??/ %s \u00b5 text'
        model = cart()
        model.summary = model.source = text
        delassus.run(model, "moreau-jean", step=1e-2, end=0.1)
        model.parameters(z=(1, text, text))
        delassus.run(model, "moreau-jean", step=1e-2, end=0.1)

    def test_formulas_are_formulas(self):
        model = cart()
        with self.assertRaisesRegex(ValueError, "force on x = 'x': a formula, not a text, is needed"):
            model.force(x="x")
        with self.assertRaisesRegex(ValueError, "gap 1 = 'x': a formula, not a text, is needed"):
            model.contact(gap="x")
        model.potential = "__import__('os').system('false')"
        with self.assertRaisesRegex(ValueError, "potential = .*: a formula, not a text, is needed"):
            model.equations()
        model.potential = sympy.Function("system")(model.q[0])
        with self.assertRaisesRegex(ValueError, r"potential = system\(x\): SymPy has no function 'system'"):
            model.equations()
        model.potential = sympy.zeta(model.q[0])
        with self.assertRaisesRegex(ValueError, "there is no C code for a part of .*zeta"):
            model.c_source()

    def test_numbers_of_other_types(self):
        model = cart()
        model.length, model.time = sympy.Rational(1, 3), fractions.Fraction(1, 4)
        model.parameters(z=fractions.Fraction(1, 3))
        self.assertIn("sys->length = 0.3333333333333333;", model.c_source())

    def test_parameters_are_checked_as_of_any_model(self):
        with self.assertRaisesRegex(delassus.Error, "e\\[0\\] = 2 is outside"):
            delassus.run(cart(), "moreau-jean", step=1e-3, e=2)
        with self.assertRaisesRegex(delassus.Error, "no 'z'"):
            delassus.run(cart(), "moreau-jean", step=1e-3, z=2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
