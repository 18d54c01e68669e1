# SPDX-License-Identifier: GPL-3.0-or-later
"""Studies: errors over steps and over work, energies, several schemes side by side, trajectories of other
programs."""
import csv
import ctypes as c
import html
import os
import tempfile

from delassus._library import DONE, POLL, Error, StudyFiles, StudySpec, call, library, number, settings
from delassus._results import take
from delassus._runs import exact, interruptible, run
from delassus._sources import find, name_of, raise_kept


class Study:
    """Tables of a study: errors and orders (work and slopes over work), quality, each a list of dictionaries;
    report, a text; curves, what plot draws beside the runs: medians of the levels, fitted lines and bands.

    order(...) is a fitted order with its interval, plot(...) a figure; printed it is the table of the command
    line.
    """

    def __init__(self, handle, against=None):
        self.against = against
        names = ("errors", "orders") if against is None else (f"work:{against}", f"slopes:{against}")
        self.errors, self.orders = (_table(_text(handle, name)) for name in names)
        self.curves = _table(_text(handle, "curves" if against is None else f"curves:{against}"))
        self.quality = _table(_text(handle, "quality"))
        self.report = _text(handle, "report")
        self.complete = bool(library.dls_flat_study_complete(handle))
        self._shown = _text(handle, "table" if against is None else f"costs:{against}")

    def order(self, scheme=None, norm=None, of=None):
        """(order, low, high) of the only line that these choose; the slope over work of a work-precision
        study."""
        lines = [
            line
            for line in self.orders
            if all(
                value is None or line[name] == value
                for name, value in (("scheme", scheme), ("norm", norm), ("of", of))
            )
        ]
        if len(lines) != 1:
            raise ValueError(
                f"scheme = {scheme}, norm = {norm}, of = {of} choose {len(lines)} lines of {len(self.orders)}, not one"
            )
        key = "order" if self.against is None else "slope"
        return lines[0][key], lines[0]["ci_low"], lines[0]["ci_high"]

    def __repr__(self):
        return self._shown

    def _repr_html_(self):
        """The fitted orders, for notebooks."""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.orders[0]) if self.orders else ""
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_short(value))}</td>" for value in line.values()) + "</tr>"
            for line in self.orders
        )
        return f"<table><tr>{head}</tr>{rows}</table>"

    def plot(self, norm=None, of=None, style="screen", size=None, key="auto"):
        """Errors over steps, or over work, in logarithmic axes, by matplotlib. Style: screen, journal (a column
        of 8.5 cm) or slides. Size: "8.5x6cm", or in pixels "1200x800". Key: auto, none, below or inside. Returns the figure."""
        from delassus import _plot

        return _plot.study(self, norm, of, style=style, size=size, key=key)


def _short(value):
    return f"{value:.4g}" if isinstance(value, float) else value


def _text(handle, what):
    text = c.c_void_p()
    try:
        call("study_text", handle, what.encode(), c.byref(text))
        return c.string_at(text).decode()
    finally:
        library.dls_flat_text_free(text)


def _table(text):
    """Rows of CSV; what is a number becomes one."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [{name: _number(value) for name, value in row.items()} for row in csv.DictReader(lines)]


def _number(text):
    try:
        return float(text)
    except ValueError:
        return text


def _listed(value):
    return [value] if isinstance(value, str) or not isinstance(value, (list, tuple)) else list(value)


def _texts(values):
    return (c.c_char_p * max(len(values), 1))(*(value.encode() for value in values))


def _ladder(name, values):
    """(first, last, how many)"""
    try:
        first, last, count = values
        first, last, levels = float(first), float(last), int(count)
        if levels == count:
            return first, last, levels
    except (TypeError, ValueError):
        pass
    raise Error(f"{name} = {values!r}: they must be three numbers, the first, the last and how many, such as (1e-1, 1e-3, 7)")


REFERENCES = ("exact", "event-driven", "limit")  # in the order of dls_reference_kind


def _spec(
    schemes,
    end,
    norm,
    of,
    steps=None,
    tols=None,
    repeats=8,
    timings=0,
    jobs=1,
    seed=1,
    reference="exact",
    check_reference=False,
    references=REFERENCES[:2],
):
    if reference not in references:
        raise Error(f"reference = {reference}: it must be {' or '.join(references)}")
    spec = StudySpec(end=number("end", end), repeats=repeats, timings=timings, jobs=jobs, seed=seed)
    if steps is not None:
        spec.h_first, spec.h_last, spec.levels = _ladder("steps", steps)
    if tols is not None:
        spec.tol_first, spec.tol_last, spec.tol_levels = _ladder("tols", tols)
    spec.reference = REFERENCES.index(reference)
    spec.check_reference = bool(check_reference)
    for name, values in (("scheme", schemes), ("norm", norm), ("of", of)):
        texts = [value if isinstance(value, str) else value.name for value in _listed(values)]
        setattr(spec, name + "_count", len(texts))
        setattr(spec, {"scheme": "schemes", "norm": "norms", "of": "of"}[name], _texts(texts))
    return spec


def _study(model, schemes, spec, parameters, against=None):
    handle = c.c_void_p()
    with interruptible() as stopped:
        spec.poll = DONE(lambda _, done: not stopped)
        try:
            call(
                "study_run",
                find(model, *_listed(schemes)),
                name_of(model),
                *settings(parameters),
                c.byref(spec),
                c.byref(handle),
            )
            return Study(handle, against)
        finally:
            library.dls_flat_study_free(handle)
            if stopped:
                raise KeyboardInterrupt
            raise_kept(model, *_listed(schemes))


def order(
    model,
    schemes,
    steps=None,
    end=10.0,
    norm=("hausdorff", "l1"),
    of=("q", "v"),
    repeats=8,
    seed=1,
    jobs=1,
    reference="exact",
    check_reference=False,
    set=None,
    **parameters,
):
    """Errors of schemes over their steps, and the orders: `delassus order`. steps = (first, last, how many).
    Parameters of the model whose names mean something else here go into `set`, a dictionary.

    reference is exact (event-driven where there is no exact solution), event-driven, or limit: besides, errors
    against the limit model of each scheme, limit_error in .errors and limit_order to limit in .orders.

    check_reference compares a computed reference with a run of another integrator, which is always done for
    models that depend on time explicitly. Error "the reference is not certain: ..." if they differ.

    >>> study = order("bouncing-ball", ["moreau-jean"], steps=(1e-2, 1e-3, 3), end=0.9, norm="l1", of="q")
    >>> round(study.orders[0]["order"], 1)
    2.0
    """
    spec = _spec(
        schemes,
        end,
        norm,
        of,
        steps,
        repeats=repeats,
        seed=seed,
        jobs=jobs,
        reference=reference,
        check_reference=check_reference,
        references=REFERENCES,
    )
    return _study(model, schemes, spec, {**parameters, **(set or {})})


def work(
    model,
    schemes,
    steps=None,
    tols=None,
    end=10.0,
    norm="grid-max",
    of="q",
    against="evals",
    repeats=8,
    seed=1,
    jobs=1,
    reference="exact",
    check_reference=False,
    set=None,
    **parameters,
):
    """Errors of schemes over their work: `delassus work`. tols = (first, last, how many) for schemes that
    choose their own steps; against is steps, problems, evals or seconds. check_reference as in order.

    >>> study = work("bouncing-ball", ["moreau-jean"], steps=(1e-2, 1e-3, 3), end=0.9)
    >>> len(study.errors) > 0
    True
    """
    timings = 5 if against == "seconds" else 0
    spec = _spec(
        schemes, end, norm, of, steps, tols, repeats, timings, jobs, seed, reference, check_reference
    )
    return _study(model, schemes, spec, {**parameters, **(set or {})}, against)


def energy(model, scheme, step=None, end=10.0, **parameters):
    """The energy balance of each step: `delassus energy`. Columns t, kinetic, ..., residual and sums; .table
    is for people.

    >>> table = energy("impacting-oscillator", "moreau-jean", step=0.1, end=1)
    >>> float(max(abs(x) for x in table.residual)) < 1e-14
    True
    """
    rows, table = c.c_void_p(), c.c_void_p()
    failure = None
    with interruptible() as stopped:
        try:
            call(
                "energy",
                find(model, scheme),
                name_of(model),
                *settings(parameters),
                name_of(scheme),
                number("step", step or 0),
                number("end", end),
                POLL(lambda _, t: not stopped),
                None,
                c.byref(rows),
                c.byref(table),
            )
        except Error as error:
            failure = error
    result = take(rows)
    if result is not None:
        result.table = c.string_at(table).decode() if table else ""
    library.dls_flat_text_free(table)
    if stopped:
        raise KeyboardInterrupt
    raise_kept(model, scheme)
    if failure is not None:
        raise Error(str(failure), result)
    return result


class Comparison(dict):
    """Runs by their schemes; .exact where there is a closed form, .failures of schemes that were refused or
    failed."""

    exact, failures = None, {}

    def plot(self, of=None, style="screen", size=None, key="auto"):
        """All runs in one figure of matplotlib, a panel for each column, the exact solution beneath in
        grey. Style, size and key as for Study.plot."""
        from delassus import _plot

        return _plot.comparison(self, of, style=style, size=size, key=key)


def compare(model, schemes, step=None, end=10.0, **parameters):
    """Run several schemes on one model: `delassus compare`. Schemes that choose their own steps get none.

    >>> list(compare("bouncing-ball", ["moreau-jean", "event-driven"], step=0.01, end=1))
    ['moreau-jean', 'event-driven']
    """
    result = Comparison()
    result.failures = {}
    for scheme in _listed(schemes):
        name = name_of(scheme).decode()
        try:
            result[name] = run(model, scheme, step if _needs_step(scheme) else None, end, **parameters)
        except Error as error:
            result.failures[name] = str(error)
            if error.run is not None:
                result[name] = error.run
    try:
        result.exact = exact(model, end=end, **parameters)
    except Error:
        result.exact = None  # there is no closed form
    return result


def _needs_step(scheme):
    return bool(library.dls_flat_needs_step(find(scheme), name_of(scheme).split(b":")[0]))


def judge(
    model,
    runs,
    end=0.0,
    norm=("hausdorff", "l1"),
    of=("q", "v"),
    between="linear",
    reference="exact",
    check_reference=False,
    set=None,
    **parameters,
):
    """Measure what another program has computed: `delassus judge`. runs[step] is a table, a dictionary of
    columns t, q0, v0, ... (two rows with equal t are a jump), or the path of a CSV file; or
    runs[program][step] is. between says what holds between rows. check_reference as in order.

    >>> runs = {h: exact("bouncing-ball", at=[k * h for k in range(int(0.9 / h) + 1)]) for h in (0.1, 0.05)}
    >>> files = {h: {"t": list(r.t), "q0": list(r.q0), "v0": list(r.v0)} for h, r in runs.items()}
    >>> study = judge("bouncing-ball", files, norm="l1", of="v")
    >>> study.errors[0]["error"] < 1e-12
    True
    """
    programs = (
        runs
        if all(isinstance(value, dict) and "t" not in value for value in runs.values())
        else {"program": runs}
    )
    with tempfile.TemporaryDirectory() as folder:
        steps, paths, numbers = [], [], []
        for number, of_program in enumerate(programs.values()):
            for step, table in of_program.items():
                steps.append(float(step))
                paths.append(_file(table, os.path.join(folder, f"{len(paths)}.csv")))
                numbers.append(number)
        return _judge(
            model,
            _spec([], end, norm, of, reference=reference, check_reference=check_reference),
            {**parameters, **(set or {})},
            StudyFiles(
                len(paths),
                _texts(paths),
                (c.c_double * len(paths))(*steps),
                (c.c_size_t * len(paths))(*numbers),
                len(programs),
                _texts(list(programs)),
                between and between.encode(),
            ),
        )


def _judge(model, spec, parameters, files):
    handle = c.c_void_p()
    try:
        call(
            "judge",
            find(model),
            name_of(model),
            *settings(parameters),
            c.byref(spec),
            c.byref(files),
            c.byref(handle),
        )
        study = Study(handle)
        study.contacts = _table(_text(handle, "contacts"))
        return study
    finally:
        library.dls_flat_study_free(handle)


def _file(table, path):
    """The path of a table; what is none is written."""
    if isinstance(table, (str, os.PathLike)):
        return os.fspath(table)
    names = list(table.columns) if hasattr(table, "columns") else list(table)
    with open(path, "w", encoding="utf-8") as out:
        print(*names, sep=",", file=out)
        for row in zip(*(table[name] for name in names)):
            print(*(repr(float(value)) for value in row), sep=",", file=out)
    return path
