# SPDX-License-Identifier: GPL-3.0-or-later
"""Models from formulas: SymPy derives the equations of motion, a C compiler makes a plugin of them.

    from delassus.formulas import Model, cos, sin, t
    ball = Model("ball-on-plate", "ball that bounces on a vibrating plate")
    m, g, a, w, e = ball.parameters(m=1, g=9.81, a=0.01, w=60, e=0.8)
    (y,), (v,) = ball.coordinates(y=1), ball.velocities(v=0)
    ball.kinetic, ball.potential = m * v**2 / 2, m * g * y
    ball.contact(gap=y - a * sin(w * t), e=e)
    run = delassus.run(ball, "event-driven", end=2, a=0.02)

docs/reference/python.md has more.
"""
import sympy
from sympy import (
    Abs,
    Heaviside,
    Max,
    Min,
    Piecewise,
    Rational,
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
    tan,
    tanh,
)  # noqa: F401, for models

from delassus._compiler import build, package_sources
from delassus._c_code import write_plugin
from delassus._derivation import derive
from delassus._names import finite, formula, line, model_name, symbol_name
from delassus._sources import Compiled

t = sympy.Symbol("t", real=True)


class Model(Compiled):
    """A mechanical system by its energies, forces, contacts and joints, as formulas.

    M(q) v' = F(t, q, v) + H p comes from Lagrange's equations. Values of parameters and initial data are set
    as those of any other model, `delassus.run(model, scheme, step, m=2, x0=0.1)`: the coordinate x starts at
    x0, the velocity u at u0.
    """

    def __init__(self, name, summary="", source="formulas in Python"):
        self.name = model_name(name)
        self.summary = line("summary", summary or f"{name}, from formulas")
        self.source = line("source", source)
        self.options = []  # (name, unit, help, value, symbol): parameters, then initial data
        self.q, self.v, self.units = [], [], []
        self.kinetic = self.potential = sympy.Integer(0)
        self.forces = {}
        self.contacts, self.joints = [], []
        self.length = self.time = 1.0
        self.shortest_feature = None  # s; a number or a formula in the parameters: nothing changes within less

    def parameters(self, **values):
        """Symbols of parameters: name=value, or name=(value, unit), or name=(value, unit, help)."""
        return tuple(
            self._symbol(name, f"parameter {name}", *_listed(value, "1")) for name, value in values.items()
        )

    def coordinates(self, **values):
        """Symbols of the generalized coordinates, with what they start at: name=value or name=(value, unit);
        in m."""
        for name, value in values.items():
            value, unit, *_ = _listed(value, "m")
            self.q.append(self._new(name))
            self.units.append(line(f"unit of {name}", unit))
            self._symbol(name + "0", f"{name} at t = 0", value, unit)
        return tuple(self.q[-len(values) :])

    def velocities(self, **values):
        """Symbols of their velocities, in the same order, with what they start at."""
        for name, value in values.items():
            if len(self.v) == len(self.q):
                raise ValueError(
                    f"velocity {name}: there are {len(self.q)} coordinates, with a velocity each already"
                )
            self.v.append(self._new(name))
            self._symbol(
                name + "0", f"{name} at t = 0", *_listed(value, self.units[len(self.v) - 1] + "/s")[:2]
            )
        return tuple(self.v[-len(values) :])

    def force(self, **values):
        """Generalized forces besides those of the potential, by the names of their coordinates:
        force(x=-c*u)."""
        for name, value in values.items():
            if name not in [str(symbol) for symbol in self.q]:
                raise ValueError(f"force on {name}: the coordinates are {', '.join(map(str, self.q))}")
            self.forces[name] = self.forces.get(name, 0) + formula(f"force on {name}", value)

    def contact(self, gap, e=0, slip=None, mu=0, e_t=0, mu_s=0):
        """A contact: gap(t, q) >= 0 in m, restitution e; with friction its slip velocity in m/s, a formula in
        t, q and v (in space two of them), coefficients mu, mu_s (0: as mu) and tangential restitution e_t. e
        to mu_s are made of parameters.
        """
        slips = [] if slip is None else list(slip) if isinstance(slip, (list, tuple)) else [slip]
        values = {"e": e, "mu": mu, "e_t": e_t, "mu_s": mu_s}
        j = len(self.contacts)
        self.contacts.append(
            (
                formula(f"gap {j}", gap),
                [formula(f"slip of contact {j}", s) for s in slips],
                {name: formula(f"{name} of contact {j}", value) for name, value in values.items()},
            )
        )

    def constraint(self, phi):
        """A joint: phi(t, q) = 0."""
        self.joints.append(formula(f"constraint {len(self.joints)}", phi))

    def equations(self):
        """What SymPy derives: mass, force, gradients and their derivatives, as matrices of formulas."""
        return derive(self, t)

    def c_source(self):
        """The plugin in C."""
        return write_plugin(self, self.equations(), t)

    def library(self):
        """The path of the compiled plugin, for `delassus --plugin`; it is made once and kept (see
        docs/reference/python.md)."""
        return build(self.name, self.c_source, self._text())

    def _text(self):
        """What determines the plugin: the model, SymPy, and the sources of this package; None where a class of
        the user's own has a part in it."""
        parts = sorted(vars(self).items())
        if type(self) is not Model or not all(map(_is_plain, parts)):
            return None
        return "\0".join([sympy.srepr(parts), sympy.__version__, *package_sources()])

    def _new(self, name):
        symbol_name(name)
        if name == "t" or name in self._names():
            raise ValueError(f"the name {name} is taken; there are t, {', '.join(self._names())}")
        return sympy.Symbol(name, real=True)

    def _names(self):
        return [str(symbol) for symbol in self.q + self.v] + [option[0] for option in self.options]

    def _symbol(self, name, what, value, unit, text=None):
        symbol = self._new(name)
        texts = line(f"unit of {name}", unit), line(f"help of {name}", text or what)
        self.options.append((name, *texts, finite(name, value), symbol))
        return symbol


def _is_plain(value):
    """Made of numbers, texts and formulas of SymPy, lists and dictionaries of them?"""
    if isinstance(value, dict):
        return all(map(_is_plain, value.items()))
    if type(value) in (list, tuple):
        return all(map(_is_plain, value))
    if isinstance(value, sympy.Basic):
        return all(type(part).__module__.startswith("sympy.") for part in sympy.preorder_traversal(value))
    return value is None or type(value) in (str, bool, int, float)


def _listed(value, unit):
    """A value with its unit, and what is said of it."""
    if not isinstance(value, (list, tuple)):
        return value, unit
    return (*value, unit) if len(value) == 1 else tuple(value)
