# SPDX-License-Identifier: GPL-3.0-or-later
"""A reference that is kept, and what is measured against it."""
import ctypes as c

from delassus._library import DONE, Error, FlatPoints, call, library, number, settings
from delassus._results import Run
from delassus._runs import interruptible
from delassus._sources import find, name_of, raise_kept

# of DLS_FLAT_LINE_* in delassus/flat.h
_LINE = ("fitted", "order", "low", "high", "constant", "x_min", "x_max", "points")
_LINE += ("median_order", "median_low", "median_high", "published", "decimals")
_WORDS = 300


class Reference:
    """The exact solution of a model, or a run by events that stands for it: run, text (what it is), error (its own), exact
    (True or False). distance(...) measures runs against it, line(...) fits orders to errors."""

    def __init__(self, model, handle, sources):
        self.model = name_of(model).decode()
        self._handle = handle
        self._sources = sources  # their catalogue lives as long
        self.text = library.dls_flat_reference_text(handle).decode()
        self.error = library.dls_flat_reference_error(handle)
        self.exact = bool(library.dls_flat_reference_exact(handle))

    @property
    def run(self):
        """Its rows and events."""
        return Run(c.c_void_p(library.dls_flat_reference_rows(self._handle)), owner=self)

    def __del__(self):
        library.dls_flat_reference_free(self.__dict__.get("_handle"))

    def distance(self, run, column="v", norm="hausdorff"):
        """The error of a run in a norm, as `delassus order` measures it: a dictionary with "distance", its "bound", "norm" and
        "column". A column is "q" or "v" (all components), "v0", ..., "impulse". A run that ends before the reference is measured up
        to its end.

        >>> import delassus
        >>> ball = delassus.reference("bouncing-ball", end=0.9)
        >>> run = delassus.run("bouncing-ball", "moreau-jean", step=0.01, end=0.9)
        >>> round(ball.distance(run, "q0", "max")["distance"], 9)
        2.5e-05
        """
        if not isinstance(run, Run):
            raise Error(f"{run!r}: it must be what delassus.run returns")
        values = (c.c_double * 2)()
        call("distance", self._handle, run._record(), norm.encode(), column.encode(), values)
        return {"distance": values[0], "bound": values[1], "norm": norm, "column": column}

    def line(self, scheme, x, errors, column="v", norm="hausdorff", against="step", level=None):
        """Fit error = C x^order, as `delassus order` does over steps, or `work` over "steps", "problems", "evals" or "seconds": a
        dictionary with "order", "low", "high", ..., and "words", what the tool remarks. Runs of one level have the same
        number in level, below the number of runs.

        >>> import delassus
        >>> ball = delassus.reference("bouncing-ball", end=0.9)
        >>> steps = [0.1, 0.05, 0.025, 0.0125]
        >>> fit = ball.line("moreau-jean", steps, [0.3 * h for h in steps], "q", "l1")
        >>> round(fit["order"], 9), fit["fitted"]
        (1.0, True)
        """
        count = len(x)
        if len(errors) != count or (level is not None and len(level) != count):
            levels = "" if level is None else f", {len(level)} values of level"
            raise Error(f"{count} values of x, {len(errors)} errors{levels}: x, errors and level must have the same length")
        points = FlatPoints(
            count=count,
            x=(c.c_double * count)(*(number("x", h) for h in x)),
            errors=(c.c_double * count)(*(number("errors", e) for e in errors)),
            level=(c.c_size_t * count)(*level) if level is not None else None,
            against=against.encode(),
        )
        values = (c.c_double * len(_LINE))()
        words = c.create_string_buffer(_WORDS)
        call(
            "line",
            self._handle,
            name_of(scheme),
            norm.encode(),
            column.encode(),
            c.byref(points),
            values,
            words,
            len(words),
        )
        line = dict(zip(_LINE, values))
        line.update(fitted=bool(line["fitted"]), points=int(line["points"]), decimals=int(line["decimals"]))
        return {**line, "words": words.value.decode()}

    def __repr__(self):
        return f"<delassus.Reference: {self.model}, {self.text}>"


def reference(model, end=10.0, *, event_driven=False, of=None, **parameters):
    """The exact solution of a model on [0, end]; without one, or with event_driven=True, a run by events at two tight tolerances, whose
    error is estimated in the quantities `of`. It is computed once for all runs that are measured against it.

    >>> reference("bouncing-ball", end=2.5, e=0.7).exact
    True
    """
    handle = c.c_void_p()
    names = ["q", "v"] if of is None else [of] if isinstance(of, str) else list(of)
    with interruptible() as stopped:
        try:
            call(
                "reference_create",
                find(model),
                name_of(model),
                *settings(parameters),
                number("end", end),
                int(event_driven),
                len(names),
                (c.c_char_p * len(names))(*(name.encode() for name in names)),
                DONE(lambda _, done: not stopped),
                None,
                c.byref(handle),
            )
        except Error:
            if stopped:
                raise KeyboardInterrupt from None
            raise_kept(model)
            raise
    return Reference(model, handle, (model,))
