# SPDX-License-Identifier: GPL-3.0-or-later
"""Names, texts, numbers and formulas of a model, checked before they go into C code and into a path."""
import math
import re

import sympy
from sympy.core.function import AppliedUndef

_LONGEST_SYMBOL = 31  # bytes: DLS_COORDINATE_ROOM - 1 of delassus/model.h


def model_name(name):
    """The name of a model is also the name of a file."""
    if not isinstance(name, str) or not re.fullmatch("[a-z][a-z0-9-]{0,63}", name):
        raise ValueError(
            f"name of a model: {name!r} is not allowed; small letters, digits and hyphens are, a letter first, "
            "at most 64"
        )
    return name


def symbol_name(name):
    if not name.isidentifier() or len(name.encode()) > _LONGEST_SYMBOL:
        raise ValueError(
            f"the name {name!r} is not allowed; letters, digits and underscores are, a letter first, at most "
            f"{_LONGEST_SYMBOL} bytes"
        )
    return name


def line(what, text):
    if not isinstance(text, str) or not text.isprintable():
        raise ValueError(f"{what}: {text!r} is not allowed; one line of printable characters is")
    return text


def finite(name, value):
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name} = {value}: a finite number is needed")
    return number


def positive(name, value):
    try:
        number = finite(name, value)
    except ValueError:
        number = 0.0
    if not number > 0:
        raise ValueError(f"{name} = {value!r}: a positive number is needed")
    return number


def formula(what, value):
    """The value as an expression of SymPy. A text is refused: SymPy would execute it."""
    if isinstance(value, str):
        raise ValueError(f"{what} = {value!r}: a formula, not a text, is needed")
    try:
        made = sympy.sympify(value, strict=True)
    except sympy.SympifyError:
        made = None
    if not isinstance(made, sympy.Expr):
        raise ValueError(f"{what} = {value!r}: a formula is needed")
    for call in made.atoms(AppliedUndef):
        raise ValueError(f"{what} = {made}: SymPy has no function '{call.func}'")
    return made
