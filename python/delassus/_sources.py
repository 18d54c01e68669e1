# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that are no names: where a run finds them. Each set of them has a catalogue of its own, so that a
model that was changed in a notebook is another one under the same name."""
import ctypes as c
import os

from delassus._library import call, catalogue

_plugins = []  # loaded by plugin()
_catalogues = {}


def load_everywhere(path):
    """Load a plugin for all that follows."""
    call("plugin", catalogue, os.fsencode(path))
    _plugins.append(os.path.abspath(path))


class Compiled:
    """A model with name and library(): a plugin that is compiled when it is first used."""

    def key(self):
        return self.library()

    def add_to(self, handle):
        call("plugin", handle, os.fsencode(self.key()))


def find(*things):
    """The catalogue that knows all of these; names are known to every one."""
    own = [thing for thing in dict.fromkeys(things) if not isinstance(thing, str)]
    if not own:
        return catalogue
    key = (*_plugins, *(thing.key() for thing in own))
    if key not in _catalogues:
        handle = c.c_void_p()
        call("open", c.byref(handle))
        for path in _plugins:
            call("plugin", handle, os.fsencode(path))
        for thing in own:
            thing.add_to(handle)
        _catalogues[key] = handle, own  # what is called from the library lives as long
    return _catalogues[key][0]


def raise_kept(*things):
    """What a Python function of these has raised since the last time."""
    for thing in things:
        raised = thing.take_raised() if hasattr(thing, "take_raised") else None
        if raised is not None:
            raise raised


def name_of(thing):
    """What a model or scheme is called in its catalogue."""
    return (thing if isinstance(thing, str) else thing.name).encode()
