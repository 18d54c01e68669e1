# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of the tool as functions, with the same words. The tool computes; these functions read what it writes."""
import csv
import os
import shutil
import subprocess
import tempfile

from delassus._library import Error, library_path, number, package_folder
from delassus._sources import Compiled

_REPEATED = ("scheme", "set", "sweep", "plugin", "problem")


class Rows(list):
    """Rows of a table, a dictionary each; messages are the lines that the tool reported."""

    def __init__(self, rows, messages):
        super().__init__(rows)
        self.messages = messages

    def column(self, name):
        """The values of a column, a list."""
        return [row[name] for row in self]

    def __repr__(self):
        if not self:
            return "no rows"
        lines = [list(self[0])] + [[_short(value) for value in row.values()] for row in self]
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        return "\n".join("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in lines)


def _short(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def tool_path():
    """The command-line tool: DELASSUS_TOOL, else that beside the library, else that of the PATH.

    >>> os.path.basename(tool_path())
    'delassus'
    """
    beside = os.path.dirname(os.path.abspath(library_path()))
    places = [
        os.environ.get("DELASSUS_TOOL"),
        os.path.join(package_folder(), "bin", "delassus"),
        os.path.join(beside, "bin", "delassus"),
        os.path.join(beside, "..", "bin", "delassus"),
        os.path.join(beside, "..", "..", "bin", "delassus"),
        shutil.which("delassus"),
    ]
    found = next((path for path in places if path and os.access(path, os.X_OK)), None)
    if found is None:
        raise Error("the tool delassus is neither beside the library nor in the PATH; set DELASSUS_TOOL to its path")
    return found


def _text(value):
    """A list has commas, a tuple such as (first, last, count) colons."""
    if isinstance(value, tuple):
        return ":".join(_text(part) for part in value)
    if isinstance(value, list):
        return ",".join(_text(part) for part in value)
    return value if isinstance(value, str) else repr(number("option", value)).removesuffix(".0")


def _words(options):
    """most_steps=100 as --most-steps 100; True as a switch; what is None or False is left out."""
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            yield option
        elif value is not None and value is not False:
            several = isinstance(value, list) and name in _REPEATED
            for text in (_text(part) for part in value) if several else [_text(value)]:
                yield from (option, text)


def _model(model, parameters, given):
    """The name of a model, and its options."""
    settings = [f"{name}={_text(value)}" for name, value in {**parameters, **(given or {})}.items()]
    if isinstance(model, str):
        return model, {"set": settings}
    if isinstance(model, Compiled):
        return model.name, {"set": settings, "plugin": [model.library()]}
    raise Error(f"{model!r}: this function takes models by name, or from formulas")


def _run(command, *words, allowed=(0,), **options):
    """Run a command. @return what it printed, its messages and its exit status"""
    done = subprocess.run(
        [tool_path(), command, *words, *_words(options)], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    prefix = f"delassus {command}: "
    messages = [line.removeprefix(prefix) for line in done.stderr.splitlines()]
    if done.returncode not in allowed:
        raise Error("\n".join(messages) or f"delassus {command}: exit status {done.returncode}")
    return done.stdout, messages, done.returncode


def _number(text):
    try:
        return float(text)
    except ValueError:
        return text


def _table(path, messages):
    if not os.path.exists(path):
        raise Error("\n".join(messages) or f"{os.path.basename(path)} was not written")
    with open(path, encoding="utf-8") as file:
        return _rows(file.read(), messages)


def _rows(text, messages):
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    rows = [{name: _number(value) for name, value in row.items()} for row in csv.DictReader(lines)]
    return Rows(rows, messages)


def advise(
    model,
    error=None,
    *,
    scheme=None,
    end=None,
    norm=None,
    of=None,
    against=None,
    most_steps=None,
    reference=None,
    seed=None,
    law=None,
    set=None,
    **parameters,
):
    """The cheapest scheme and step that reach an error, a row for each scheme: `delassus advise`.

    >>> advise("bouncing-ball", 1e-2, scheme=["moreau-jean"], end=0.9, of="q")[0]["outcome"]
    'reached'
    """
    name, chosen = _model(model, parameters, set)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "advice.csv")
        _, messages, _ = _run(
            "advise",
            name,
            allowed=(0, 1),  # 1: no scheme reaches the error, and the rows say why
            error=error,
            scheme=scheme,
            end=end,
            norm=norm,
            of=of,
            against=against,
            most_steps=most_steps,
            reference=reference,
            seed=seed,
            law=law,
            out=path,
            progress="never",
            **chosen,
        )
        return _table(path, messages)


def spectrum(scheme, *, steps=None, of=None, at=None, damping=None, frequency=None):
    """Spectral radius, period error, damping and response of schemes, a row for each scheme and step: `delassus spectrum`.
    steps is (first, last, count).

    >>> len(spectrum("nonsmooth-newmark", steps=(0.1, 1, 3)))
    3
    """
    schemes = [scheme] if isinstance(scheme, str) else list(scheme)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "spectrum")
        _, messages, _ = _run(
            "spectrum",
            *schemes,
            steps=steps,
            of=of,
            at=at,
            damping=damping,
            frequency=frequency,
            out=out,
            plot_format="none",
            progress="never",
        )
        return _table(os.path.join(out, "spectrum.csv"), messages)


def sweep(model, scheme, sweep, *, step=None, end=None, of=None, law=None, jobs=None, set=None, **parameters):
    """Runs at the values of a parameter, a row for each turn of a quantity: `delassus run --sweep`.

    sweep: {"e": (0.1, 0.9, 5)} for 5 values from 0.1 to 0.9, {"e": [0.3, 0.5]} for these; one parameter or two.

    >>> sweep("bouncing-ball", "event-driven", {"e": (0, 1, 3)}, end=1.5, of="q0").column("e")
    [0.0, 0.5, 1.0]
    """
    name, chosen = _model(model, parameters, set)
    axes = [f"{parameter}={_text(values)}" for parameter, values in sweep.items()]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "sweep")
        _, messages, _ = _run(
            "run",
            name,
            scheme=scheme,
            step=step,
            end=end,
            of=of,
            law=law,
            jobs=jobs,
            sweep=axes,
            out=out,
            plot_format="none",
            progress="never",
            **chosen,
        )
        return _table(os.path.join(out, "sweep.csv"), messages)


def _file(run, folder, name):
    """The path of a file, or that of a Run written to the folder."""
    if isinstance(run, (str, os.PathLike)):
        return os.fspath(run)
    path = os.path.join(folder, name)
    run.to_csv(path)
    return path


def distance(
    a,
    b=None,
    *,
    column=None,
    norm=None,
    tau=None,
    xi=None,
    accuracy=None,
    between=None,
    map=None,
    exact=None,
    set=None,
    **parameters,
):
    """How far a trajectory is from another, or from the exact solution of a model: `delassus distance`. a and b are files or
    runs. Returns a dictionary of what the tool prints, such as {"distance": ..., "bound": ...}. Where many runs are measured
    against one solution, `reference` computes it once.

    >>> import delassus
    >>> run = delassus.run("bouncing-ball", "moreau-jean", step=0.01, end=1)
    >>> round(distance(run, exact="bouncing-ball", column="q0")["distance"], 6)
    2.5e-05
    """
    settings = [f"{name}={_text(value)}" for name, value in {**parameters, **(set or {})}.items()]
    with tempfile.TemporaryDirectory() as folder:
        files = [_file(run, folder, f"{name}.csv") for name, run in (("a", a), ("b", b)) if run is not None]
        printed, _, _ = _run(
            "distance",
            *files,
            column=column,
            norm=norm,
            tau=tau,
            xi=xi,
            accuracy=accuracy,
            between=between,
            map=map,
            exact=exact,
            set=settings,
        )
    pairs = (line.partition("=") for line in printed.splitlines() if "=" in line)
    return {name: _number(value) for name, _, value in pairs}


def cite(*names, all=False, format=None):
    """The publications behind models, schemes, laws or files, a text of BibTeX: `delassus cite`.

    >>> "@article{jean-1999" in cite("moreau-jean")
    True
    """
    return _run("cite", *[os.fspath(name) for name in names], all=all, format=format)[0]


def contact(*paths, method=None, all_methods=False, tolerance=None, facets=None, out=None):
    """Solve contact problems from files or folders, a row for each problem and method: `delassus contact`. A problem that no method
    solves is a row, too.

    >>> contact("nowhere.dat")
    Traceback (most recent call last):
    ...
    delassus.Error: there is no file or folder 'nowhere.dat'
    """
    printed, messages, _ = _run(
        "contact",
        *[os.fspath(path) for path in paths],
        allowed=(0, 1),
        method=method,
        all_methods=all_methods,
        tolerance=tolerance,
        facets=facets,
        out=out,
        plot_format="none" if all_methods and out else None,
    )
    if not printed:
        raise Error("\n".join(messages))
    return _rows(printed, messages)


def entries(kind, *words):
    """Entries of a kind that have all of the words, a row each: `delassus list`, whose name Python has given to something else.

    >>> entries("norms", "graph").column("kind")[0]
    'norm'
    """
    printed, messages, _ = _run("list", kind, *words, format="csv")
    return _rows(printed, messages)


def ledger(out, *, problem=None, scheme=None, steps=None, repeats=None, seed=None, quick=False, engines=None, jobs=None):
    """Step models on problems, into the folder out, a row for each pair: `delassus ledger`.

    >>> import tempfile
    >>> rows = ledger(tempfile.mkdtemp() + "/out", problem="ball", scheme="moreau-jean", quick=True)
    >>> rows[0]["scheme"]
    'moreau-jean'
    """
    _, messages, _ = _run(
        "ledger",
        problem=problem,
        scheme=scheme,
        steps=steps,
        repeats=repeats,
        seed=seed,
        quick=quick,
        engines=engines,
        jobs=jobs,
        out=os.fspath(out),
        plot_format="none",
        progress="never",
    )
    return _table(os.path.join(out, "ledger.csv"), messages)


def merge(folder, *, allow_run=False, plot_format=None, style=None):
    """Tables and pictures of a study that was made in parts: `delassus merge`. Returns what the tool prints.

    >>> merge("nowhere")
    Traceback (most recent call last):
    ...
    delassus.Error: 'nowhere' has no part of a study: cannot check 'nowhere': No such file or directory
    """
    return _run("merge", os.fspath(folder), allow_run=allow_run, plot_format=plot_format, style=style, progress="never")[0]


def show(name, *, thresholds=False):
    """A model, scheme, norm, solver, law, study or lesson, a text: `delassus show`.

    >>> print(show("bouncing-ball").splitlines()[0])
    bouncing-ball (model)
    """
    return _run("show", name, thresholds=thresholds)[0]


def verify(*paths, allow_run=False):
    """Rerun files or folders of studies and compare them bit for bit: `delassus verify`. Returns a dictionary of what the tool prints,
    such as {"differing": 0, ...}; numbers that differ are no error.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp() + "/out"
    >>> rows = study("example-run", folder, plot_format="none")
    >>> verify(folder)["differing"]
    0.0
    """
    printed, _, _ = _run("verify", *[os.fspath(path) for path in paths], allow_run=allow_run, progress="never")
    pairs = (line.partition("=") for line in printed.splitlines() if "=" in line)
    return {name: _number(value) for name, _, value in pairs}


def explain(run, model=None, *, between=None, map=None, set=None, **parameters):
    """The story of a run, a text: `delassus explain`. run is a file or a run; a file of another program needs its model.

    >>> import delassus
    >>> story = explain(delassus.run("bouncing-ball", "moreau-jean", step=0.01, end=5))
    >>> "It sinks at 0.00333 m/s" in story
    True
    """
    name, chosen = _model(model, parameters, set) if model is not None else (None, {})
    with tempfile.TemporaryDirectory() as folder:
        path = _file(run, folder, "run.csv")
        printed, _, _ = _run("explain", path, *([name] if name else []), between=between, map=map, **chosen)
    return printed.replace(path, "run") if path != run else printed


def study(name, out, *, overwrite=False, resume=False, jobs=None, plot_format=None, style=None, size=None, key=None):
    """Run a study file, or a study that ships by its name, into the folder out: `delassus study`. Returns the rows of
    verdict.csv; none if the study expects nothing.

    >>> import tempfile
    >>> rows = study("example-run", tempfile.mkdtemp() + "/out", plot_format="none")
    >>> rows[0]["agrees"]
    'yes'
    """
    _, messages, _ = _run(
        "study",
        os.fspath(name),
        out=os.fspath(out),
        overwrite=overwrite,
        resume=resume,
        jobs=jobs,
        plot_format=plot_format,
        style=style,
        size=size,
        key=key,
        progress="never",
    )
    path = os.path.join(out, "verdict.csv")
    return _table(path, messages) if os.path.exists(path) else Rows([], messages)


def playground(out, model=None, *, scheme=None, step=None, tol=None, end=None, norm=None, of=None, set=None, **parameters):
    """Write a page that contains the library: `delassus playground`. The arguments say what it shows first. Returns its path.

    >>> import os, tempfile
    >>> os.path.getsize(playground(tempfile.mkdtemp() + "/page.html", "bouncing-ball", step=0.1)) > 1000
    True
    """
    name, chosen = _model(model, parameters, set) if model is not None else (None, {})
    options = {"scheme": scheme, "step": step, "tol": tol, "end": end, "norm": norm, "of": of, **chosen}
    _run("playground", *([name] if name else []), out=os.fspath(out), **options)
    return os.fspath(out)


def lesson(name, out, live=False):
    """Write the page of a lesson: `delassus lesson`. With live=True it contains the library, and its sliders take values between those of the tables. Returns its path.

    >>> import os, tempfile
    >>> os.path.getsize(lesson("velocity-flip", tempfile.mkdtemp() + "/lesson.html")) > 1000
    True
    """
    _run("lesson", name, *(["--live"] if live else []), out=os.fspath(out))
    return os.fspath(out)
