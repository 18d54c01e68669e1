# SPDX-License-Identifier: GPL-3.0-or-later
"""Nonsmooth mechanics from Python: run models with many time integrators, get arrays.

    import delassus
    run = delassus.run("bouncing-ball", scheme="moreau-jean:theta=1", step=1e-3, end=4, e=0.8)
    run.t, run.v0, run.events, run.work        # columns by name; numpy arrays where numpy is there

The library is found beside this file, or is the one that DELASSUS_LIBRARY names. What a model or a scheme is, its
parameters and options: `delassus show NAME` on the command line. docs/python.md has more.
"""
import array
import ctypes as c
import ctypes.util
import glob
import os
import signal
import threading

try:
    import numpy
except ImportError:
    numpy = None

_FLAT_VERSION = 1  # DLS_FLAT_VERSION of delassus/flat.h
_POLL = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_double)
_TEXTS, _ERROR = c.POINTER(c.c_char_p), (c.c_char_p, c.c_size_t)
_SIGNATURES = {  # as in delassus/flat.h: what is returned, then the arguments
    "version": (c.c_int,),
    "open": (c.c_int, c.POINTER(c.c_void_p), *_ERROR),
    "plugin": (c.c_int, c.c_void_p, c.c_char_p, *_ERROR),
    "name": (c.c_char_p, c.c_void_p, c.c_char_p, c.c_size_t),
    "summary": (c.c_char_p, c.c_void_p, c.c_char_p, c.c_size_t),
    "run": (c.c_int, c.c_void_p, c.c_char_p, c.c_size_t, _TEXTS, c.c_char_p, c.c_double, c.c_double, _POLL, c.c_void_p,
            c.POINTER(c.c_void_p), *_ERROR),
    "exact": (c.c_int, c.c_void_p, c.c_char_p, c.c_size_t, _TEXTS, c.c_double, c.c_size_t, c.POINTER(c.c_double),
              c.POINTER(c.c_void_p), *_ERROR),
    "free": (None, c.c_void_p),
    "rows": (c.c_size_t, c.c_void_p),
    "column_name": (c.c_char_p, c.c_void_p, c.c_size_t),
    "column": (c.c_int, c.c_void_p, c.c_size_t, c.POINTER(c.c_double)),
    "complete": (c.c_int, c.c_void_p),
    "failure": (c.c_char_p, c.c_void_p),
    "note": (c.c_char_p, c.c_void_p, c.c_size_t),
    "work_name": (c.c_char_p, c.c_size_t),
    "work": (c.c_double, c.c_void_p, c.c_size_t),
    "event": (c.c_char_p, c.c_void_p, c.c_size_t, c.POINTER(c.c_double)),
}


class Error(Exception):
    """What the library says; .run has what a run computed before it failed, or None."""

    def __init__(self, text, run=None):
        super().__init__(text)
        self.run = run


def _load():
    prefix = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
    beside = glob.glob(os.path.join(prefix, "lib*", "libdelassus.so.*")) + glob.glob(
        os.path.join(prefix, "lib*", "*", "libdelassus.so.*"))
    path = os.environ.get("DELASSUS_LIBRARY") or (sorted(beside) or [ctypes.util.find_library("delassus")])[0]
    if path is None:
        raise ImportError("libdelassus is neither beside " + prefix + " nor among the system's libraries; "
                          "set DELASSUS_LIBRARY to its path")
    library = c.CDLL(path)
    for name, (result, *arguments) in _SIGNATURES.items():
        function = getattr(library, "dls_flat_" + name)
        function.restype, function.argtypes = result, arguments
    if library.dls_flat_version() != _FLAT_VERSION:
        raise ImportError(f"{path} has flat interface {library.dls_flat_version()}, this module needs {_FLAT_VERSION}")
    library.gsl_set_error_handler_off()  # else GSL would end the interpreter where the library returns an error
    return library


def _call(name, *arguments):
    """Call a function that ends with (error, size); raise Error with its message."""
    message = c.create_string_buffer(400)
    if getattr(_library, "dls_flat_" + name)(*arguments, message, len(message)) < 0:
        raise Error(message.value.decode())


def _listed(function):
    """function(0), function(1), ... up to None."""
    index = 0
    while (item := function(index)) is not None:
        yield item.decode() if isinstance(item, bytes) else item
        index += 1


class Run:
    """Columns t, q0, v0, ... as attributes and by name; events, work, notes, complete, failure."""

    def __init__(self, handle):
        self.columns = list(_listed(lambda i: _library.dls_flat_column_name(handle, i)))
        self._data = {name: self._column(handle, i) for i, name in enumerate(self.columns)}
        self.complete = bool(_library.dls_flat_complete(handle))
        self.failure = _library.dls_flat_failure(handle).decode()
        self.notes = dict(line.split(": ", 1) for line in _listed(lambda i: _library.dls_flat_note(handle, i)))
        values = ((name, _library.dls_flat_work(handle, i)) for i, name in enumerate(_listed(_library.dls_flat_work_name)))
        self.work = {name: value if name == "wall_seconds" else int(value) for name, value in values}
        self.events = list(_listed(lambda i: self._event(handle, i)))

    @staticmethod
    def _column(handle, index):
        rows = _library.dls_flat_rows(handle)
        values = numpy.empty(rows) if numpy else array.array("d", bytes(8 * rows))
        _library.dls_flat_column(handle, index, (c.c_double * rows).from_buffer(values))
        return values

    @staticmethod
    def _event(handle, index):
        values = (c.c_double * 7)()
        kind = _library.dls_flat_event(handle, index, values)
        names = ("t", "contact", "u_minus", "u_plus", "impulse", "time_end", "bound")
        return kind and {"kind": kind.decode(), **dict(zip(names, values)), "contact": int(values[1])}

    def __getitem__(self, name):
        return self._data[name]

    def __getattr__(self, name):
        try:
            return self.__dict__["_data"][name]
        except KeyError:
            raise AttributeError(f"no column {name}") from None

    def __len__(self):
        return len(self._data["t"])


def _settings(parameters):
    def text(value):
        return value if isinstance(value, str) else repr(float(value)).removesuffix(".0")

    texts = [f"{name}={text(value)}" for name, value in parameters.items()]
    return len(texts), (c.c_char_p * len(texts))(*(text.encode() for text in texts))


def _take(handle):
    """A Run of what handle points to, which is freed; None for nothing."""
    try:
        return Run(handle) if handle else None
    finally:
        _library.dls_flat_free(handle)


def plugin(path):
    """Load the models and schemes of a plugin (docs/plugins.md)."""
    _call("plugin", _catalogue, os.fsencode(path))


def models():
    """Names of the models, each with a line on what it is."""
    return _names(b"model")


def schemes():
    """Names of the schemes, each with a line on what it is."""
    return _names(b"scheme")


def _names(kind):
    return dict(zip(_listed(lambda i: _library.dls_flat_name(_catalogue, kind, i)),
                    _listed(lambda i: _library.dls_flat_summary(_catalogue, kind, i))))


def run(model, scheme, step=None, end=10.0, **parameters):
    """Simulate a model on [0, end] (s). step is for the schemes that need one. A run that fails raises Error, whose
    .run has what was computed; Ctrl-C ends a run in the same way and raises KeyboardInterrupt."""
    stopped = []
    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, lambda *_: stopped.append(True)) if main else None
    handle = c.c_void_p()
    failure = None
    try:
        _call("run", _catalogue, model.encode(), *_settings(parameters), scheme.encode(), step or 0.0, end,
              _POLL(lambda _, t: not stopped), None, c.byref(handle))
    except Error as error:
        failure = error
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
    result = _take(handle)
    if stopped:
        raise KeyboardInterrupt
    if failure is not None:
        raise Error(str(failure), result)
    return result


def exact(model, at=None, end=10.0, **parameters):
    """The closed-form solution of a model: at increasing times (two rows where one is that of a jump), or on [0, end],
    so dense that cubic interpolation errs by less than 1e-12."""
    times = (c.c_double * len(at))(*at) if at is not None else None
    handle = c.c_void_p()
    _call("exact", _catalogue, model.encode(), *_settings(parameters), end, len(at) if at is not None else 0, times,
          c.byref(handle))
    return _take(handle)


_library = _load()
_catalogue = c.c_void_p()
_call("open", c.byref(_catalogue))
