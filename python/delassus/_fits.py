# SPDX-License-Identifier: GPL-3.0-or-later
"""Derivatives of motions with respect to parameters, and parameters from measured motions."""
import collections
import ctypes as c
import html
import re

from delassus._library import DONE, POLL, Error, FitSpec, GradientSpec, call, library, listed, number, settings
from delassus._results import numpy
from delassus._runs import interruptible
from delassus._sources import find, name_of, raise_kept

Estimate = collections.namedtuple("Estimate", "value low high error status")
Estimate.__doc__ = "A parameter: its value, confidence interval, standard error, and the status of derivatives."


def _names(what, value):
    commas = r",(?![^\[]*\])"  # not those of entries, K[2,3]
    names = re.split(commas, value.replace(" ", "")) if isinstance(value, str) else list(value)
    if not names or not all(isinstance(name, str) and name for name in names):
        raise Error(f"{what} = {value!r}: it must be a name, names with commas between them, or a list of names")
    return names


def _texts(names):
    return (c.c_char_p * len(names))(*(name.encode() for name in names))


def _doubles(values):
    values = list(values)
    return (c.c_double * len(values))(*values)


def _matrix(values, columns):
    rows = [list(values[i : i + columns]) for i in range(0, len(values), columns)]
    return numpy.array(rows) if numpy else rows


class Gradient:
    """A matrix of derivatives: a row for each quantity of `of`, a column for each parameter of `by`.

    gradient["q0", "e"] is one of them; matrix, an array of numpy where numpy is installed, has all. value has the
    quantities (nan for integrals), status that of each parameter ("ok", "one-sided", "grazing", ...), messages what
    limits derivatives.
    """

    def __init__(self, of, by, values, matrix, statuses, messages):
        self.of, self.by = of, by
        self.value = dict(zip(of, values))
        self.matrix = _matrix(matrix, len(by))
        self.status = dict(zip(by, statuses))
        self.messages = messages

    def __getitem__(self, names):
        of, by = names
        if of not in self.of or by not in self.by:
            raise KeyError(f"d{of}/d{by}: there are {', '.join(self.of)} by {', '.join(self.by)}")
        return self.matrix[self.of.index(of)][self.by.index(by)]

    def __array__(self, dtype=None, copy=None):
        return numpy.asarray(self.matrix, dtype=dtype)

    def __repr__(self):
        rows = [f"{'':8}" + "".join(f"{by:>16}" for by in self.by)]
        rows += [f"{of:8}" + "".join(f"{x:16.8g}" for x in row) for of, row in zip(self.of, self.matrix)]
        return "\n".join(rows)


def gradient(
    model,
    scheme="event-driven",
    *,
    of=None,
    integral=None,
    by,
    at,
    step=None,
    method="forward",
    tangent=None,
    set=None,
    **parameters,
):
    """Derivatives of states, or of the energy, at the time `at` (s) with respect to parameters of a model, through
    impacts, stick and slip; as `delassus gradient`. `of` and `by` are names, "q0,v0" or ["q0", "v0"]; "t:2" is the time
    of the second event.

    integral: names in place of `of`; the quantities are integrated from 0 to `at`.
    method: "forward", along one run; "adjoint", backward along one run, for many parameters; or "difference:delta=D",
    central differences of runs.
    tangent: of schemes by step: "saltation" (None), the derivative of the motion; "plain", that of the steps; or
    "difference:delta=D", central differences of runs with the same steps.

    >>> ball = gradient("bouncing-ball", of="q0,v0", by="q0,v0,e", at=2.25)
    >>> [round(float(x), 9) + 0.0 for x in ball.matrix[0]]
    [0.0625, 0.0, 0.5]
    >>> ball.status["e"]
    'ok'
    >>> back = gradient("bouncing-ball", of="v0", by="q0,f,e", at=2.25, method="adjoint")
    >>> [round(float(x), 9) for x in back.matrix[0]]
    [2.25, 1.125, 6.0]
    >>> plain = gradient("bouncing-ball", "moreau-jean", of="q0", by="q0", at=2.25, step=1e-3, tangent="plain")
    >>> round(float(plain["q0", "q0"]), 9)
    1.0
    """
    if (of is None) == (integral is None):
        raise Error("one of `of` and `integral` must be given")
    of, by = _names("of", of) if integral is None else _names("integral", integral), _names("by", by)
    values, matrix = (c.c_double * len(of))(), (c.c_double * (len(of) * len(by)))()
    statuses, messages = (c.c_char_p * len(by))(), c.c_void_p()
    with interruptible() as stopped:
        spec = GradientSpec(
            step=number("step", step or 0),
            at=number("at", at),
            of_count=len(of),
            by_count=len(by),
            of=_texts(of),
            integral=integral is not None,
            by=_texts(by),
            method=method.encode(),
            tangent=None if tangent is None else tangent.encode(),
            poll=DONE(lambda _, done: not stopped),
        )
        try:
            call(
                "gradient",
                find(model, scheme),
                name_of(model),
                *settings({**parameters, **(set or {})}),
                name_of(scheme),
                c.byref(spec),
                values,
                matrix,
                statuses,
                c.byref(messages),
            )
            lines = c.string_at(messages).decode().splitlines() if messages else []
        except Error:
            if stopped:
                raise KeyboardInterrupt from None
            raise_kept(model, scheme)
            raise
        finally:
            library.dls_flat_text_free(messages)
    return Gradient(of, by, list(values), list(matrix), [status.decode() for status in statuses], lines)


class Fit:
    """Parameters from data: fit["e"] is an Estimate (value, low, high, error, status).

    parameters: a dictionary of the values, for run(model, scheme, **fit.parameters); covariance and correlation,
    matrices in the order of `by`; sigma and rms, the noise and the residuals of each column; fitted, a row for each
    row of the data; converged, iterations, runs, freedom (degrees of freedom); messages, what a reader of the
    intervals must know. curve(t) is the fitted motion with half the width of its confidence band.
    """

    def __init__(self, handle, model, by, of):
        self._handle, self.model, self.by, self.of = handle, model, by, of
        columns = [self._numbers(name) for name in ("value", "low", "high", "error")]
        statuses = listed(lambda i: library.dls_flat_fit_status(handle, i))
        self.estimates = {
            name: Estimate(*values, status) for name, *values, status in zip(by, *columns, statuses)
        }
        self.parameters = {name: estimate.value for name, estimate in self.estimates.items()}
        self.covariance = _matrix(self._numbers("covariance"), len(by))
        self.sigma = dict(zip(of, self._numbers("sigma")))
        self.rms = dict(zip(of, self._numbers("rms")))
        self.fitted = _matrix(self._numbers("fitted"), len(of))
        converged, iterations, runs, freedom, self.quantile = self._numbers("summary")
        self.converged = bool(converged)
        self.iterations, self.runs, self.freedom = int(iterations), int(runs), int(freedom)
        self.messages = list(listed(lambda i: library.dls_flat_fit_message(handle, i)))

    def __del__(self):
        library.dls_flat_fit_free(self._handle)

    def _numbers(self, what):
        count = library.dls_flat_fit_numbers(self._handle, what.encode(), 0, None)
        values = (c.c_double * count)()
        library.dls_flat_fit_numbers(self._handle, what.encode(), count, values)
        return list(values)

    def __getitem__(self, name):
        if name not in self.estimates:
            raise KeyError(f"no parameter {name}: there are {', '.join(self.by)}")
        return self.estimates[name]

    @property
    def correlation(self):
        error = [self.estimates[name].error for name in self.by]
        rows = [x / (error[i] * error[j]) for i, row in enumerate(self.covariance) for j, x in enumerate(row)]
        return _matrix(rows, len(self.by))

    def curve(self, t):
        """The fitted motion at increasing times, and half the width of its confidence band: two matrices, a row for
        each time, a column for each quantity."""
        times = _doubles(number("t", x) for x in t)
        values, half = ((c.c_double * (len(times) * len(self.of)))() for _ in range(2))
        call("fit_curve", self._handle, len(times), times, values, half)
        return _matrix(list(values), len(self.of)), _matrix(list(half), len(self.of))

    def __repr__(self):
        rows = [f"{'parameter':12}{'value':>16}{'low':>16}{'high':>16}"]
        rows += [f"{name:12}{e.value:16.8g}{e.low:16.8g}{e.high:16.8g}" for name, e in self.estimates.items()]
        return "\n".join(rows + self.messages)

    def _repr_html_(self):
        """The estimates, for notebooks."""
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{e.value:.6g}</td><td>{e.low:.6g}</td><td>{e.high:.6g}</td></tr>"
            for name, e in self.estimates.items()
        )
        messages = "".join(f"<p>{html.escape(text)}</p>" for text in self.messages)
        return f"<table><tr><th>parameter</th><th>value</th><th>low</th><th>high</th></tr>{rows}</table>{messages}"


def _columns(data, of):
    """Times and rows; both rows at the time of a jump are left out."""
    try:
        t = [number("t", x) for x in data["t"]]
        columns = [[number(name, x) for x in data[name]] for name in of]
    except KeyError as missing:
        raise Error(f"the data have no column {missing.args[0]}") from None
    for name, column in zip(of, columns):
        if len(column) != len(t):
            raise Error(f"column {name} has {len(column)} values, t has {len(t)}")
    times = collections.Counter(t)
    rows = [i for i, x in enumerate(t) if times[x] == 1]
    return [t[i] for i in rows], [[column[i] for column in columns] for i in rows]


def _relative(method):
    kind, _, value = method.partition("=")
    if method != "forward" and kind != "difference:relative":
        raise Error(f"method = {method}: it must be forward or difference:relative=D")
    return 0 if method == "forward" else number("difference:relative", value)


def fit(
    model,
    data,
    *,
    by,
    of,
    scheme="event-driven",
    step=None,
    sigma=None,
    range=None,
    level=0.95,
    tol=1e-4,
    iterations=50,
    starts=1,
    method="forward",
    set=None,
    **parameters,
):
    """Parameters of a model from a measured motion, with confidence intervals, as `delassus fit`. `data` has the
    columns "t" and those of `of`: a dictionary, a data frame, a Run. Parameters of the model are the start values.

    sigma: standard deviation of the noise, a number or a dictionary by columns; None: estimated from the residuals.
    range: {"e": (0.5, 0.9)}; None in a pair: no bound besides that of the model.
    method: derivatives "forward", along each run, or "difference:relative=D".

    >>> import delassus
    >>> data = delassus.run("bouncing-ball", "event-driven", end=2.5, e=0.8)
    >>> found = fit("bouncing-ball", data, by="e,q0", of="q0", e=0.7, q0=1.1)
    >>> round(found["e"].value, 6), round(found["q0"].value, 6)
    (0.8, 1.0)
    """
    of, by = _names("of", of), _names("by", by)
    t, rows = _columns(data, of)
    unknown = [name for name in (range or {}) if name not in by]
    if unknown:
        raise Error(f"range has {unknown[0]}, which is not fitted: by has {', '.join(by)}")
    ends = [(range or {}).get(name, (None, None)) for name in by]
    noise = None if sigma is None else [sigma] * len(of) if not hasattr(sigma, "keys") else [sigma[name] for name in of]
    handle = c.c_void_p()
    with interruptible() as stopped:
        spec = FitSpec(
            step=number("step", step or 0),
            rows=len(t),
            of_count=len(of),
            by_count=len(by),
            t=_doubles(t),
            values=_doubles(x for row in rows for x in row),
            of=_texts(of),
            by=_texts(by),
            low=_doubles(float("-inf") if low is None else number("range", low) for low, _ in ends),
            high=_doubles(float("inf") if high is None else number("range", high) for _, high in ends),
            sigma=None if noise is None else _doubles(number("sigma", x) for x in noise),
            level=number("level", level),
            tol=number("tol", tol),
            iterations=iterations,
            starts=starts,
            relative=_relative(method),
            poll=POLL(lambda _, t: not stopped),
        )
        try:
            call(
                "fit_run",
                find(model, scheme),
                name_of(model),
                *settings({**parameters, **(set or {})}),
                name_of(scheme),
                c.byref(spec),
                c.byref(handle),
            )
        except Error:
            library.dls_flat_fit_free(handle)
            if stopped:
                raise KeyboardInterrupt from None
            raise_kept(model, scheme)
            raise
    return Fit(handle, name_of(model).decode(), by, of)
