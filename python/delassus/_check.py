# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of a model against difference quotients."""
import ctypes as c

from delassus._library import call, library, settings
from delassus._sources import find, name_of

_VALUES = ("agrees", "absent", "difference", "size", "value", "quotient", "row", "column", "t")
_COUNTS = {"agrees": bool, "absent": bool, "row": int, "column": int}


class Check(list):
    """A dictionary for each callback; true if all agree, `wrong` has those that do not."""

    def __init__(self, model, rows):
        super().__init__(rows)
        self.model = model

    @property
    def wrong(self):
        return [row for row in self if not row["agrees"]]

    def __bool__(self):
        return not self.wrong

    def __repr__(self):
        lines = [
            f"{row['callback']:20}{row['meaning']:20}{row['difference']:10.2g} of {row['size']:<10.3g}"
            f"{'agrees' if row['agrees'] else 'DOES NOT AGREE'}"
            for row in self
        ]
        return "\n".join([f"{self.model}: callbacks against difference quotients", *lines])


def check_model(model, states=8, seed=1, **parameters):
    """Compare the callbacks of a model, a name or an object, with difference quotients at random states, as
    `delassus check-model`.

    >>> bool(check_model("bouncing-pendulum"))
    True
    """
    handle = c.c_void_p()
    try:
        call("check_model", find(model), name_of(model), *settings(parameters), states, seed, c.byref(handle))
        return Check(name_of(model).decode(), _rows(handle))
    finally:
        library.dls_flat_check_free(handle)


def _rows(handle):
    meaning, values = c.c_char_p(), (c.c_double * len(_VALUES))()
    rows = []
    while (name := library.dls_flat_check_row(handle, len(rows), c.byref(meaning), values)) is not None:
        told = {key: _COUNTS.get(key, float)(value) for key, value in zip(_VALUES, values)}
        rows.append({"callback": name.decode(), "meaning": meaning.value.decode(), **told})
    return rows
