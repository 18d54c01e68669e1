# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs return: columns, matrices, events, work."""
import array
import ctypes as c
import html
import os

from delassus._library import Error, call, library, listed, number

try:
    import numpy
except ImportError:
    numpy = None

_EVENT = ("t", "contact", "u_minus", "u_plus", "impulse", "time_end", "bound")
_TANGENTIAL = ("slip_minus", "slip_plus", "friction")
_MATRICES = ("q", "v", "g", "u", "p")


class Run:
    """Columns t, q0, v0, ... as attributes and by name, matrices q, v, g, u, p; events, work, notes, warnings,
    complete, failure.

    A matrix has a row for each node and a column for each degree of freedom (q, v) or contact (g, u, p). Two
    rows with equal t are the two sides of a jump. Arrays are numpy's where numpy is installed; else columns
    are array.array, matrices lists.
    """

    def __init__(self, handle, owner=None):
        self._handle = handle
        self._owner = owner  # of the record, which is then not freed here
        self.columns = list(listed(lambda i: library.dls_flat_column_name(handle, i)))
        self._data = {name: _column(handle, i) for i, name in enumerate(self.columns)}
        self._labels = {name: _label(handle, i) for i, name in enumerate(self.columns)}
        self.complete = bool(library.dls_flat_complete(handle))
        self.failure = library.dls_flat_failure(handle).decode()
        self.notes = dict(line.split(": ", 1) for line in listed(lambda i: library.dls_flat_note(handle, i)))
        self.warnings = list(listed(lambda i: library.dls_flat_warning(handle, i)))
        values = (
            (name, library.dls_flat_work(handle, i))
            for i, name in enumerate(listed(library.dls_flat_work_name))
        )
        self.work = {name: value if name == "wall_seconds" else int(value) for name, value in values}
        self.events = list(listed(lambda i: _event(handle, i)))

    def __getitem__(self, name):
        if name not in self._data:
            raise KeyError(f"no column {name}: there are {', '.join(self._data)}")
        return self._data[name]

    def __getattr__(self, name):
        data = self.__dict__.get("_data", {})
        if name in data:
            return data[name]
        if name in _MATRICES and name + "0" in data:
            return self._matrix(name)
        raise AttributeError(f"no column {name}: there are {', '.join(data)}")

    def _matrix(self, prefix):
        columns = [self._data[name] for name in self.columns if name[:1] == prefix and name[1:].isdigit()]
        if numpy is None:
            return [list(row) for row in zip(*columns)]
        return numpy.column_stack(columns)

    def __del__(self):
        if self.__dict__.get("_owner") is None:
            library.dls_flat_free(self.__dict__.get("_handle"))

    def __getstate__(self):
        return {**self.__dict__, "_handle": None, "_owner": None}

    def __len__(self):
        return len(self._data["t"])

    def _record(self):
        if self._handle is None:
            raise Error("a copied run has its rows, but not the record of the library: at and to_csv need the original")
        return self._handle

    def at(self, t, columns=None, side=1):
        """Columns between the rows: a dictionary of numbers, or of arrays if t has several times. Between rows they are
        linear, constant or cubic, as the scheme defines. side: -1 for the value before a jump, 1 for that after it."""
        several = hasattr(t, "__iter__")
        times = [number("t", x) for x in (t if several else [t])]
        found = {}
        for name in [columns] if isinstance(columns, str) else columns or self.columns:
            self[name]  # a name that is unknown is reported
            values = (c.c_double * len(times))()
            points = (c.c_double * len(times))(*times)
            call("column_at", self._record(), self.columns.index(name), side, len(times), points, values)
            found[name] = _array(values) if several else values[0]
        return found

    def to_csv(self, path):
        """Write the trajectory file that `delassus run --out` writes."""
        call("write", self._record(), os.fsencode(path))

    def to_dataframe(self):
        """A data frame of pandas, a row for each node; attrs has the notes."""
        try:
            import pandas  # noqa: loaded when it is needed
        except ImportError:
            raise ImportError(
                "to_dataframe needs pandas, which is not installed: pip install pandas, or the package python3-pandas; "
                "without it, to_csv writes the rows to a file"
            ) from None
        frame = pandas.DataFrame({name: list(self._data[name]) for name in self.columns})
        frame.attrs = dict(self.notes)
        return frame

    def label(self, column):
        """What a column holds, with its unit: "angle [rad]"."""
        return self._labels[column]

    def _end(self):
        end = f"{len(self)} nodes up to t = {self.t[-1]:.6g} s" if len(self) > 0 else "no nodes"
        return end if self.complete else f"{end}, not complete: {self.failure}"

    def __repr__(self):
        scheme = self.notes.get("choice", self.notes.get("scheme", ""))
        step = f", h = {float(self.notes['step'])!r} s" if "step" in self.notes else ""
        return f"<delassus.Run: {self.notes.get('model', '')}, {scheme}{step}: {self._end()}, {len(self.events)} events>"

    def _repr_html_(self):
        """A table for notebooks."""
        told = ("model", "parameters", "scheme", "options", "step")
        rows = [(name, self.notes[name]) for name in told if name in self.notes]
        rows += [("run", self._end()), ("events", _count_kinds(self.events))]
        rows += [
            (
                "work",
                ", ".join(
                    f"{name} {value}" for name, value in self.work.items() if name != "wall_seconds" and value
                ),
            )
        ]
        cells = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{html.escape(text)}</td></tr>"
            for name, text in rows
        )
        return f"<table>{cells}</table>"

    def plot(self, of=None, exact=None, style="screen", size=None, key="auto"):
        """A panel for each column of `of` (default: positions and velocities, at most six panels) over time,
        by matplotlib; `exact` is drawn beneath, in grey. Style: screen, journal (a column of 8.5 cm) or
        slides. Size: "8.5x6cm", or in pixels "1200x800". Key: auto, none, below or inside. Returns the figure."""
        from delassus import _plot  # noqa: matplotlib is loaded when it is needed

        return _plot.trajectory(self, of, exact, style=style, size=size, key=key)


def _column(handle, index):
    values = (c.c_double * library.dls_flat_rows(handle))()
    library.dls_flat_column(handle, index, values)
    return _array(values)


def _array(values):
    return numpy.array(values) if numpy else array.array("d", values)


def _label(handle, index):
    words, unit = c.create_string_buffer(64), c.create_string_buffer(32)
    library.dls_flat_column_unit(handle, index, words, len(words), unit, len(unit))
    name = library.dls_flat_column_name(handle, index).decode()
    return (
        f"{words.value.decode() or name} [{unit.value.decode()}]"
        if unit.value
        else words.value.decode() or name
    )


def _event(handle, index):
    values = (c.c_double * len(_EVENT))()
    kind = library.dls_flat_event(handle, index, values)
    return kind and {
        "kind": kind.decode(),
        **dict(zip(_EVENT, values)),
        "contact": int(values[1]),
        **_friction(handle, index),
    }


def _friction(handle, index):
    """Slips, tangential impulse and works of an event that has them."""
    values = (c.c_double * 8)()
    slips = library.dls_flat_event_friction(handle, index, values)
    if slips == 0:
        return {}
    of_tangents = {name: list(values[i * slips : (i + 1) * slips]) for i, name in enumerate(_TANGENTIAL)}
    return {**of_tangents, "work_normal": values[3 * slips], "work_friction": values[3 * slips + 1]}


def _count_kinds(events):
    kinds = [event["kind"] for event in events]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)) or "none"


def take(handle):
    """A Run of what handle points to, which it frees; None for nothing."""
    return Run(handle) if handle else None
