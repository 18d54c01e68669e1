# SPDX-License-Identifier: GPL-3.0-or-later
"""Models and schemes as Python functions: for teaching. Each evaluation goes through Python: some 20
microseconds a step, a thousand times those of C."""
import ctypes as c
import itertools

from delassus._library import FUNCTION, STEP, FlatFunctions, call, library
from delassus._results import numpy

_numbers = itertools.count()


class _InPython:
    """What a function raises is kept, ends the run, and is raised by it."""

    def __init__(self, name):
        self.name, self.raised = name, None
        self._number = next(_numbers)
        self._kept = []  # what the library calls must live as long as this

    def key(self):
        return f"{self.name}, {self._number}"

    def _callback(self, kind, function):
        made = kind(function)
        self._kept.append(made)
        return made

    def take_raised(self):
        raised, self.raised = self.raised, None
        return raised


def _array(pointer, size):
    """A copy of what the library has there."""
    values = pointer[:size]
    return numpy.array(values) if numpy else values


def _write(pointer, values):
    for i, value in enumerate(values):
        pointer[i] = value


def _flat(values, size, what):
    """All numbers of nested sequences; a number stands for a sequence of one."""
    if hasattr(values, "__len__"):
        numbers = [
            x
            for value in values
            for x in (_flat(value, None, what) if hasattr(value, "__len__") else [float(value)])
        ]
    else:
        numbers = [float(values)]
    if size is not None and len(numbers) != size:
        raise ValueError(f"{what} has {len(numbers)} numbers, not {size}")
    return numbers


class Functions(_InPython):
    """A model of Python functions: M(q) v' = F(t, q, v) + H(q) p, g(t, q) >= 0, without friction and joints.
    Slow: for teaching.

    mass is a matrix (a number, for one coordinate) or a function of q; force(t, q, v), gap(t, q) and
    gradient(q), the columns dg/dq, n x m, are functions; gradient may be a constant matrix. What is not given
    of gradient, stiffness(t, q, v) = -dF/dq, damping(t, q, v) = -dF/dv, gap_rate(t, q) = dg/dt and
    curvature(t, q, v) = u' where v' = 0 is taken from differences. Parameters of runs are e, length and time.
    """

    def __init__(
        self,
        name,
        q0,
        v0,
        force,
        mass=1.0,
        gap=None,
        gradient=None,
        stiffness=None,
        damping=None,
        gap_rate=None,
        curvature=None,
    ):
        super().__init__(name)
        self.q0, self.v0 = _flat(q0, None, "q0"), _flat(v0, None, "v0")
        self.n = len(self.q0)
        _flat(self.v0, self.n, "v0")
        self.m = 0 if gap is None else len(_flat(gap(0.0, _vector(self.q0)), None, "gap"))
        self._given = {
            "mass": mass,
            "force": force,
            "gap": gap,
            "gradient": gradient,
            "stiffness": stiffness,
            "damping": damping,
            "gap_rate": gap_rate,
            "curvature": curvature,
        }

    def add_to(self, handle):
        made = FlatFunctions(n=self.n, m=self.m, q0=_doubles(self.q0), v0=_doubles(self.v0))
        for name, function, size in self._functions():
            setattr(made, name, self._callback(FUNCTION, self._guarded(name, function, size)))
        for field, name, size in (("M", "mass", self.n**2), ("H", "gradient", self.n * self.m)):
            given = self._given[name]
            if given is not None and not callable(given):
                setattr(made, field, _doubles(_flat(given, size, name)))
        call("add_functions", handle, self.name.encode(), c.byref(made))

    def _functions(self):
        """Names, functions of (t, q, v), and sizes of what they return."""
        n, m, given = self.n, self.m, self._given
        force = given["force"]
        yield "force", force, n
        yield "stiffness", given["stiffness"] or (
            lambda t, q, v: _jacobian(lambda x: _minus(_flat(force(t, x, v), n, "force")), q)
        ), n * n
        yield "damping", given["damping"] or (
            lambda t, q, v: _jacobian(lambda x: _minus(_flat(force(t, q, x), n, "force")), v)
        ), n * n
        if callable(given["mass"]):
            yield "mass", lambda t, q, v: given["mass"](q), n * n
        if m > 0:
            yield from self._contact_functions(given, m)

    def _contact_functions(self, given, m):
        n, gap = self.n, given["gap"]
        yield "gap", lambda t, q, v: gap(t, q), m
        gradient = given["gradient"]
        if gradient is None:
            gradient = lambda q: _transposed(
                _jacobian(lambda x: _flat(gap(0.0, x), m, "gap"), q)
            )  # noqa: E731
        if callable(gradient):
            yield "gradient", lambda t, q, v: gradient(q), n * m
        rate = given["gap_rate"] or (lambda t, q: _derivative(lambda s: _flat(gap(t + s, q), m, "gap")))
        yield "gap_rate", lambda t, q, v: rate(t, q), m
        yield "curvature", given["curvature"] or (
            lambda t, q, v: _second_derivative(
                lambda s: _flat(gap(t + s, _vector([x + s * y for x, y in zip(q, v)])), m, "gap")
            )
        ), m

    def _guarded(self, name, function, size):
        n = self.n

        def callback(_, t, q, v, out):
            try:
                _write(out, _flat(function(t, _array(q, n), _array(v, n)), size, name))
            except BaseException as error:  # nothing may pass through the library
                self.raised = self.raised or error
                _write(out, [float("nan")] * size)

        return callback


def _vector(values):
    return numpy.array(values) if numpy else list(values)


def _doubles(values):
    return (c.c_double * len(values))(*values)


def _minus(values):
    return [-x for x in values]


def _derivative(function, step=1e-5):
    """By a central difference."""
    return [(plus - minus) / (2 * step) for plus, minus in zip(function(step), function(-step))]


def _second_derivative(function, step=1e-4):
    return [
        (plus - 2 * at + minus) / step**2
        for plus, at, minus in zip(function(step), function(0.0), function(-step))
    ]


def _jacobian(function, x, step=1e-5):
    """Row i is the gradient of value i."""
    columns = []
    for i in range(len(x)):
        moved = [_vector([y + s * (i == j) for j, y in enumerate(x)]) for s in (step, -step)]
        columns.append([(plus - minus) / (2 * step) for plus, minus in zip(*map(function, moved))])
    return [list(row) for row in zip(*columns)]


def _transposed(rows):
    return [list(column) for column in zip(*rows)]


class System:
    """What the step of a scheme may ask of the system."""

    def __init__(self, place):
        self._place = place
        self.n = library.dls_flat_configuration_size(place, 0)
        self.m = library.dls_flat_configuration_size(place, 1)

    def acceleration(self, t, q, v):
        """M(q)^-1 F(t, q, v)."""
        out = (c.c_double * self.n)()
        call("configuration_acceleration", self._place, t, _doubles(q), _doubles(v), out)
        return _array(out, self.n)

    def gap(self, t, q):
        """All gaps, in m."""
        out = (c.c_double * max(self.m, 1))()
        library.dls_flat_configuration_gap(self._place, t, _doubles(q), out)
        return _array(out, self.m)

    def impact(self, t, q, v_minus, v_free, closed):
        """The law of impact of all contacts that are closed, at once: v_minus before, v_free without
        impulses. Returns v after them; the impulses are kept for the record."""
        out = (c.c_double * self.n)()
        call(
            "configuration_impact",
            self._place,
            t,
            _doubles(q),
            _doubles(v_minus),
            _doubles(v_free),
            (c.c_int * max(self.m, 1))(*(bool(x) for x in closed)),
            out,
        )
        return _array(out, self.n)


class Scheme(_InPython):
    """A time-stepping scheme of a Python function: step(system, t, q, v, h) returns q and v at t + h. Slow:
    for teaching.

    def step(system, t, q, v, h):              # symplectic Euler with the impact law
        free = v + h * system.acceleration(t, q, v)
        v = system.impact(t + h, q, v, free, system.gap(t + h, q + h * v) <= 0)
        return q + h * v, v
    """

    def __init__(self, name, step):
        super().__init__(name)
        self._step = step

    def add_to(self, handle):
        call("add_step", handle, self.name.encode(), self._callback(STEP, self._advance), None)

    def _advance(self, _, place, t, h, q, v, error, size):
        try:
            system = System(place)
            result = self._step(system, t, _array(q, system.n), _array(v, system.n), h)
            values = [_flat(x, system.n, what) for x, what in zip(result, "qv")]
            _write(q, values[0])
            _write(v, values[1])
            return 0
        except BaseException as raised:  # nothing may pass through the library
            self.raised = self.raised or raised
            text = f"{type(raised).__name__}: {raised}".encode()[: size - 1]
            c.memmove(error, text + b"\0", len(text) + 1)
            return 1
