# SPDX-License-Identifier: GPL-3.0-or-later
"""Nonsmooth mechanics from Python: run models with many time integrators, get arrays.

    import delassus
    run = delassus.run("bouncing-ball", scheme="moreau-jean:theta=1", step=1e-3, end=4, e=0.8)
    run.t, run.q, run.v, run.events, run.work  # columns by name too: run.q0; numpy arrays where numpy is there

What a model or a scheme is, its parameters and options: `delassus show NAME` on the command line.
docs/reference/python.md has more.
"""
from delassus._check import check_model
from delassus._commands import (
    Rows,
    advise,
    cite,
    contact,
    distance,
    entries,
    explain,
    ledger,
    lesson,
    merge,
    playground,
    show,
    spectrum,
    study,
    sweep,
    tool_path,
    verify,
)
from delassus._fits import Estimate, Fit, Gradient, fit, gradient
from delassus._functions import Functions, Scheme
from delassus._library import Error, library_path
from delassus._matrices import Matrices
from delassus._reference import Reference, reference
from delassus._results import Run
from delassus._runs import exact, models, plugin, run, schemes
from delassus._studies import Comparison, Study, compare, energy, judge, order, work
from delassus._version import __version__

__all__ = [
    "Comparison",
    "Error",
    "Estimate",
    "Fit",
    "Functions",
    "Gradient",
    "Matrices",
    "Reference",
    "Rows",
    "Run",
    "Scheme",
    "Study",
    "__version__",
    "advise",
    "check_model",
    "cite",
    "compare",
    "contact",
    "distance",
    "energy",
    "entries",
    "exact",
    "explain",
    "fit",
    "gradient",
    "judge",
    "ledger",
    "lesson",
    "library_path",
    "merge",
    "models",
    "order",
    "playground",
    "plugin",
    "reference",
    "run",
    "schemes",
    "show",
    "spectrum",
    "study",
    "sweep",
    "tool_path",
    "verify",
    "work",
]
