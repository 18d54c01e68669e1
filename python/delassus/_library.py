# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared library: where it is, what its functions take (delassus/flat.h), how they fail."""
import ctypes as c
import functools
import glob
import os

FLAT_VERSION = 6  # DLS_FLAT_VERSION of delassus/flat.h
POLL = DONE = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_double)
_DOUBLES, _TEXTS, _OUT = c.POINTER(c.c_double), c.POINTER(c.c_char_p), c.POINTER(c.c_void_p)
_ERROR = (c.c_char_p, c.c_size_t)


class StudySpec(c.Structure):
    """dls_flat_study_spec"""

    _fields_ = [
        ("end", c.c_double),
        ("h_first", c.c_double),
        ("h_last", c.c_double),
        ("levels", c.c_size_t),
        ("tol_first", c.c_double),
        ("tol_last", c.c_double),
        ("tol_levels", c.c_size_t),
        ("repeats", c.c_size_t),
        ("timings", c.c_size_t),
        ("jobs", c.c_size_t),
        ("seed", c.c_ulong),
        ("reference", c.c_int),
        ("check_reference", c.c_int),
        ("scheme_count", c.c_size_t),
        ("norm_count", c.c_size_t),
        ("of_count", c.c_size_t),
        ("schemes", _TEXTS),
        ("norms", _TEXTS),
        ("of", _TEXTS),
        ("poll", DONE),
        ("poll_data", c.c_void_p),
    ]


class StudyFiles(c.Structure):
    """dls_flat_files"""

    _fields_ = [
        ("count", c.c_size_t),
        ("paths", _TEXTS),
        ("steps", _DOUBLES),
        ("program_of", c.POINTER(c.c_size_t)),
        ("program_count", c.c_size_t),
        ("programs", _TEXTS),
        ("between", c.c_char_p),
    ]


class GradientSpec(c.Structure):
    """dls_flat_gradient_spec"""

    _fields_ = [
        ("step", c.c_double),
        ("at", c.c_double),
        ("of_count", c.c_size_t),
        ("by_count", c.c_size_t),
        ("of", _TEXTS),
        ("integral", c.c_int),
        ("by", _TEXTS),
        ("method", c.c_char_p),
        ("tangent", c.c_char_p),
        ("poll", DONE),
        ("poll_data", c.c_void_p),
    ]


class FitSpec(c.Structure):
    """dls_flat_fit_spec"""

    _fields_ = [
        ("step", c.c_double),
        ("rows", c.c_size_t),
        ("of_count", c.c_size_t),
        ("by_count", c.c_size_t),
        ("t", _DOUBLES),
        ("values", _DOUBLES),
        ("of", _TEXTS),
        ("by", _TEXTS),
        ("low", _DOUBLES),
        ("high", _DOUBLES),
        ("sigma", _DOUBLES),
        ("level", c.c_double),
        ("tol", c.c_double),
        ("iterations", c.c_size_t),
        ("starts", c.c_size_t),
        ("relative", c.c_double),
        ("poll", POLL),
        ("poll_data", c.c_void_p),
    ]


class FlatPoints(c.Structure):
    """dls_flat_points"""

    _fields_ = [
        ("count", c.c_size_t),
        ("x", _DOUBLES),
        ("errors", _DOUBLES),
        ("level", c.POINTER(c.c_size_t)),
        ("against", c.c_char_p),
    ]


class FlatMatrix(c.Structure):
    """dls_flat_matrix"""

    _fields_ = [
        ("name", c.c_char_p),
        ("rows", c.c_size_t),
        ("columns", c.c_size_t),
        ("count", c.c_size_t),
        ("row_of", c.POINTER(c.c_size_t)),
        ("column_of", c.POINTER(c.c_size_t)),
        ("values", _DOUBLES),
    ]


FUNCTION = c.CFUNCTYPE(None, c.c_void_p, c.c_double, _DOUBLES, _DOUBLES, _DOUBLES)
STEP = c.CFUNCTYPE(
    c.c_int, c.c_void_p, c.c_void_p, c.c_double, c.c_double, _DOUBLES, _DOUBLES, c.c_void_p, c.c_size_t
)


class FlatFunctions(c.Structure):
    """dls_flat_functions"""

    _fields_ = [
        ("n", c.c_size_t),
        ("m", c.c_size_t),
        ("q0", _DOUBLES),
        ("v0", _DOUBLES),
        ("M", _DOUBLES),
        ("H", _DOUBLES),
        ("data", c.c_void_p),
        *(
            (name, FUNCTION)
            for name in ("mass", "gradient", "force", "stiffness", "damping", "gap", "gap_rate", "curvature")
        ),
    ]


_MODEL = (c.c_void_p, c.c_char_p, c.c_size_t, _TEXTS)  # catalogue, name, settings
_SIGNATURES = {  # as in delassus/flat.h: what is returned, then the arguments
    "version": (c.c_int,),
    "release": (c.c_char_p,),
    "open": (c.c_int, _OUT, *_ERROR),
    "plugin": (c.c_int, c.c_void_p, c.c_char_p, *_ERROR),
    "name": (c.c_char_p, c.c_void_p, c.c_char_p, c.c_size_t),
    "summary": (c.c_char_p, c.c_void_p, c.c_char_p, c.c_size_t),
    "run": (c.c_int, *_MODEL, c.c_char_p, c.c_double, c.c_double, POLL, c.c_void_p, _OUT, *_ERROR),
    "exact": (c.c_int, *_MODEL, c.c_double, c.c_size_t, _DOUBLES, _OUT, *_ERROR),
    "free": (None, c.c_void_p),
    "rows": (c.c_size_t, c.c_void_p),
    "column_name": (c.c_char_p, c.c_void_p, c.c_size_t),
    "column_unit": (c.c_int, c.c_void_p, c.c_size_t, c.c_char_p, c.c_size_t, c.c_char_p, c.c_size_t),
    "column": (c.c_int, c.c_void_p, c.c_size_t, _DOUBLES),
    "column_at": (c.c_int, c.c_void_p, c.c_size_t, c.c_int, c.c_size_t, _DOUBLES, _DOUBLES, *_ERROR),
    "write": (c.c_int, c.c_void_p, c.c_char_p, *_ERROR),
    "complete": (c.c_int, c.c_void_p),
    "failure": (c.c_char_p, c.c_void_p),
    "note": (c.c_char_p, c.c_void_p, c.c_size_t),
    "warning": (c.c_char_p, c.c_void_p, c.c_size_t),
    "work_name": (c.c_char_p, c.c_size_t),
    "work_unit": (c.c_char_p, c.c_size_t),
    "work": (c.c_double, c.c_void_p, c.c_size_t),
    "event": (c.c_char_p, c.c_void_p, c.c_size_t, _DOUBLES),
    "event_friction": (c.c_int, c.c_void_p, c.c_size_t, _DOUBLES),
    "reference_create": (
        c.c_int,
        *_MODEL,
        c.c_double,
        c.c_int,
        c.c_size_t,
        _TEXTS,
        DONE,
        c.c_void_p,
        _OUT,
        *_ERROR,
    ),
    "reference_free": (None, c.c_void_p),
    "reference_rows": (c.c_void_p, c.c_void_p),
    "reference_text": (c.c_char_p, c.c_void_p),
    "reference_exact": (c.c_int, c.c_void_p),
    "reference_error": (c.c_double, c.c_void_p),
    "distance": (c.c_int, c.c_void_p, c.c_void_p, c.c_char_p, c.c_char_p, _DOUBLES, *_ERROR),
    "distance_unit": (c.c_int, c.c_void_p, c.c_char_p, c.c_char_p, c.c_char_p, c.c_size_t, *_ERROR),
    "line": (
        c.c_int,
        c.c_void_p,
        c.c_char_p,
        c.c_char_p,
        c.c_char_p,
        c.POINTER(FlatPoints),
        _DOUBLES,
        c.c_char_p,
        c.c_size_t,
        *_ERROR,
    ),
    "check_model": (c.c_int, *_MODEL, c.c_size_t, c.c_ulong, _OUT, *_ERROR),
    "check_row": (c.c_char_p, c.c_void_p, c.c_size_t, _TEXTS, _DOUBLES),
    "check_free": (None, c.c_void_p),
    "matrices": (c.c_int, c.c_void_p, c.c_char_p, c.c_size_t, c.POINTER(FlatMatrix), *_ERROR),
    "add_functions": (c.c_int, c.c_void_p, c.c_char_p, c.POINTER(FlatFunctions), *_ERROR),
    "add_step": (c.c_int, c.c_void_p, c.c_char_p, STEP, c.c_void_p, *_ERROR),
    "configuration_size": (c.c_size_t, c.c_void_p, c.c_int),
    "configuration_acceleration": (c.c_int, c.c_void_p, c.c_double, _DOUBLES, _DOUBLES, _DOUBLES, *_ERROR),
    "configuration_gap": (None, c.c_void_p, c.c_double, _DOUBLES, _DOUBLES),
    "configuration_impact": (
        c.c_int,
        c.c_void_p,
        c.c_double,
        _DOUBLES,
        _DOUBLES,
        _DOUBLES,
        c.POINTER(c.c_int),
        _DOUBLES,
        *_ERROR,
    ),
    "needs_step": (c.c_int, c.c_void_p, c.c_char_p),
    "study_run": (c.c_int, *_MODEL, c.POINTER(StudySpec), _OUT, *_ERROR),
    "judge": (c.c_int, *_MODEL, c.POINTER(StudySpec), c.POINTER(StudyFiles), _OUT, *_ERROR),
    "study_text": (c.c_int, c.c_void_p, c.c_char_p, _OUT, *_ERROR),
    "study_complete": (c.c_int, c.c_void_p),
    "study_free": (None, c.c_void_p),
    "text_free": (None, c.c_void_p),
    "gradient": (
        c.c_int,
        *_MODEL,
        c.c_char_p,
        c.POINTER(GradientSpec),
        _DOUBLES,
        _DOUBLES,
        _TEXTS,
        _OUT,
        *_ERROR,
    ),
    "fit_run": (c.c_int, *_MODEL, c.c_char_p, c.POINTER(FitSpec), _OUT, *_ERROR),
    "fit_numbers": (c.c_long, c.c_void_p, c.c_char_p, c.c_size_t, _DOUBLES),
    "fit_status": (c.c_char_p, c.c_void_p, c.c_size_t),
    "fit_message": (c.c_char_p, c.c_void_p, c.c_size_t),
    "fit_curve": (c.c_int, c.c_void_p, c.c_size_t, _DOUBLES, _DOUBLES, _DOUBLES, *_ERROR),
    "fit_free": (None, c.c_void_p),
    "energy": (c.c_int, *_MODEL, c.c_char_p, c.c_double, c.c_double, POLL, c.c_void_p, _OUT, _OUT, *_ERROR),
}


class Error(Exception):
    """What the library says; .run has what a run computed before it failed, or None."""

    __module__ = "delassus"  # where users find it

    def __init__(self, text, run=None):
        super().__init__(text)
        self.run = run


def package_folder():
    """Where this package lies; a wheel has lib/, include/ and bin/ in it."""
    return os.path.dirname(os.path.abspath(__file__))


def prefix_folder():
    """The prefix of `cmake --install`, if the package lies in one; else that of the system."""
    installed = package_folder().endswith(os.path.join(os.sep, "delassus", "python", "delassus"))
    return os.path.normpath(os.path.join(package_folder(), "..", "..", "..", "..")) if installed else "/usr"


@functools.cache
def _found_library():
    """The first of the wheel, of the prefix, of the system; None if there is none."""
    prefixes = [os.path.join(prefix, "lib*") for prefix in (prefix_folder(), "/usr/local", "/usr")]
    places = [os.path.join(package_folder(), "lib")]
    places += [place for prefix in prefixes for place in (prefix, os.path.join(prefix, "*"))]
    found = (path for place in places for path in sorted(glob.glob(os.path.join(place, "libdelassus.so.*"))))
    return next(found, None)


def library_path():
    """The shared library in use: DELASSUS_LIBRARY, else that of the wheel, of the prefix, of the system.

    >>> os.path.exists(library_path())
    True
    """
    path = os.environ.get("DELASSUS_LIBRARY") or _found_library()
    if path is None:
        raise ImportError(
            f"libdelassus is neither in {package_folder()} nor in {prefix_folder()} nor in the folders of the system "
            "(/usr/local, /usr); set DELASSUS_LIBRARY to its path"
        )
    return path


def _load():
    path = library_path()
    found = c.CDLL(path)
    found.dls_flat_version.restype, found.dls_flat_version.argtypes = c.c_int, []
    if found.dls_flat_version() != FLAT_VERSION:
        raise ImportError(
            f"{path} has flat interface {found.dls_flat_version()}, this package needs {FLAT_VERSION}"
        )
    for name, (result, *arguments) in _SIGNATURES.items():
        function = getattr(found, "dls_flat_" + name)
        function.restype, function.argtypes = result, arguments
    found.gsl_set_error_handler_off()  # else GSL would end the interpreter where the library returns an error
    return found


def call(name, *arguments):
    """Call a function that ends with (error, size); raise Error with its message."""
    message = c.create_string_buffer(400)
    if getattr(library, "dls_flat_" + name)(*arguments, message, len(message)) < 0:
        raise Error(message.value.decode())


def listed(function):
    """function(0), function(1), ... up to None."""
    index = 0
    while (item := function(index)) is not None:
        yield item.decode() if isinstance(item, bytes) else item
        index += 1


def number(name, value):
    """The value as a float; what cannot be one is refused by its name."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise Error(f"{name} = {value!r}: it must be a number") from None


def settings(parameters):
    """Parameters as the "name=value" of the library."""

    def text(name, value):
        return value if isinstance(value, str) else repr(number(name, value)).removesuffix(".0")

    texts = [f"{name}={text(name, value)}" for name, value in parameters.items()]
    return len(texts), (c.c_char_p * len(texts))(*(text.encode() for text in texts))


library = _load()
catalogue = c.c_void_p()
call("open", c.byref(catalogue))
