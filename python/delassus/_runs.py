# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs and exact solutions by name."""
import contextlib
import ctypes as c
import signal
import threading

from delassus._library import POLL, Error, call, catalogue, library, listed, number, settings
from delassus._results import take
from delassus._sources import find, load_everywhere, name_of, raise_kept


def plugin(path):
    """Load the models and schemes of a plugin (docs/reference/plugins.md).

    >>> plugin("nowhere.so")
    Traceback (most recent call last):
    ...
    delassus.Error: ...
    """
    load_everywhere(path)


def models():
    """Names of the models, each with a line on what it is.

    >>> "bouncing-ball" in models()
    True
    """
    return _names(b"model")


def schemes():
    """Names of the schemes, each with a line on what it is.

    >>> "moreau-jean" in schemes()
    True
    """
    return _names(b"scheme")


def _names(kind):
    return dict(
        zip(
            listed(lambda i: library.dls_flat_name(catalogue, kind, i)),
            listed(lambda i: library.dls_flat_summary(catalogue, kind, i)),
        )
    )


@contextlib.contextmanager
def interruptible():
    """A list that gets an entry at Ctrl-C, which then raises nothing by itself; other threads than the main
    one keep out."""
    stopped = []
    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, lambda *_: stopped.append(True)) if main else None
    try:
        yield stopped
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def run(model, scheme, step=None, end=10.0, **parameters):
    """Simulate a model, a name or an object, on [0, end] (s). step is for the schemes that need one. A run
    that fails raises Error, whose .run has what was computed; Ctrl-C ends a run in the same way and raises
    KeyboardInterrupt.

    >>> ball = run("bouncing-ball", "event-driven", end=1.5)
    >>> round(ball.events[0]["t"], 9)
    1.0
    """
    handle = c.c_void_p()
    failure = None
    with interruptible() as stopped:
        try:
            call(
                "run",
                find(model, scheme),
                name_of(model),
                *settings(parameters),
                name_of(scheme),
                number("step", step or 0),
                number("end", end),
                POLL(lambda _, t: not stopped),
                None,
                c.byref(handle),
            )
        except Error as error:
            failure = error
    result = take(handle)
    if stopped:
        raise KeyboardInterrupt
    raise_kept(model, scheme)
    if failure is not None:
        raise Error(str(failure), result)
    return result


def exact(model, at=None, end=10.0, **parameters):
    """The closed-form solution of a model: at increasing times (two rows where one is that of a jump), or on
    [0, end], so dense that cubic interpolation errs by less than 1e-12.

    >>> float(exact("bouncing-ball", at=[0.5]).q0[0])
    0.75
    """
    if at is not None:
        at = [number("at", t) for t in (at if hasattr(at, "__iter__") else [at])]
    times = (c.c_double * len(at))(*at) if at is not None else None
    handle = c.c_void_p()
    call(
        "exact",
        find(model),
        name_of(model),
        *settings(parameters),
        number("end", end),
        len(at) if at is not None else 0,
        times,
        c.byref(handle),
    )
    return take(handle)
