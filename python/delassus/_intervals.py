# SPDX-License-Identifier: GPL-3.0-or-later
"""C code that encloses expressions over an interval of t, by delassus/interval.h."""
import sympy
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFunction

_CONDITIONS = (Relational, BooleanFunction)
_FUNCTIONS = {
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.sin: "sin",
    sympy.cos: "cos",
    sympy.tan: "tan",
    sympy.sinh: "sinh",
    sympy.cosh: "cosh",
    sympy.tanh: "tanh",
    sympy.asin: "asin",
    sympy.acos: "acos",
    sympy.atan: "atan",
    sympy.erf: "erf",
    sympy.Abs: "absolute",
    sympy.sign: "sign",
    sympy.floor: "floor",
    sympy.ceiling: "ceil",
}
_JOINED = {
    sympy.Add: "interval_add",
    sympy.Mul: "interval_multiply",
    sympy.Max: "interval_maximum",
    sympy.Min: "interval_minimum",
    sympy.And: "truth_and",
    sympy.Or: "truth_or",
}
_RELATIONS = {  # whether the sides change their places
    sympy.StrictLessThan: ("less", False),
    sympy.LessThan: ("at_most", False),
    sympy.StrictGreaterThan: ("less", True),
    sympy.GreaterThan: ("at_most", True),
    sympy.Equality: ("equal", False),
}


def has_bounds(expression, t):
    """Whether every function of t in an expression is one of those above."""
    known = (*_FUNCTIONS, *_JOINED, *_RELATIONS, sympy.Pow, sympy.Piecewise, sympy.Heaviside, sympy.Unequality)
    known += (sympy.Not, sympy.ITE, sympy.functions.elementary.piecewise.ExprCondPair)
    return (
        expression == t
        or not expression.has(t)
        or isinstance(expression, known) and all(has_bounds(part, t) for part in expression.args)
    )


def enclosures(expressions, variable, number):
    """Lines of C: intervals c0, c1, ... of common parts, and for each expression the C of its interval. `variable` is
    the symbol of the interval, `number` writes the C of an expression without it."""
    common, reduced = sympy.cse(expressions, symbols=sympy.numbered_symbols("c", real=True))
    if any(isinstance(part, _CONDITIONS) for _, part in common):  # they are no intervals
        common, reduced = [], expressions
    varying, lines = {variable}, []
    for name, part in common:
        if part.free_symbols & varying:
            varying.add(name)
            lines.append(f"const dls_interval {name} = {_interval(part, varying, number)};")
        else:
            lines.append(f"const double {name} = {number(part)};")
    return lines, [_interval(part, varying, number) for part in reduced]


def _interval(part, varying, number):
    def interval(inner):
        return _interval(inner, varying, number)

    if part in varying:
        return str(part)
    if part in (sympy.true, sympy.false):
        return f"DLS_TRUTH_{'HOLDS' if part else 'FAILS'}"
    if not part.free_symbols & varying and not isinstance(part, _CONDITIONS):
        return f"dls_interval_point({number(part)})"
    if isinstance(part, tuple(_JOINED)):
        return _joined(part, varying, number)
    if isinstance(part, sympy.Pow):
        return _power(part, interval)
    if isinstance(part, sympy.Piecewise):
        return _piecewise(part, interval)
    if isinstance(part, Relational):
        return _relation(part, interval)
    if isinstance(part, sympy.ITE):
        condition, yes, no = part.args
        return interval(sympy.Or(sympy.And(condition, yes), sympy.And(sympy.Not(condition), no)))
    if isinstance(part, sympy.Heaviside):
        return interval(sympy.Piecewise((0, part.args[0] < 0), (1, True)))
    if isinstance(part, sympy.Not):
        return f"dls_truth_not({interval(part.args[0])})"
    if type(part) in _FUNCTIONS:
        return f"dls_interval_{_FUNCTIONS[type(part)]}({interval(part.args[0])})"
    return "DLS_TRUTH_OPEN" if isinstance(part, _CONDITIONS) else "dls_interval_unknown()"


def _joined(part, varying, number):
    """Two by two, the constant ones of a sum or a product as one number."""
    constant = [] if isinstance(part, _CONDITIONS) else [arg for arg in part.args if not arg.free_symbols & varying]
    parts = [arg for arg in part.args if arg not in constant]
    joined = [_interval(arg, varying, number) for arg in [*([part.func(*constant)] if constant else []), *parts]]
    text = joined[0]
    for other in joined[1:]:
        text = f"dls_{_JOINED[part.func]}({text}, {other})"
    return text


def _power(part, interval):
    base, exponent = part.args
    if exponent.is_Integer and abs(exponent) < 2**31:
        return f"dls_interval_integer_power({interval(base)}, {exponent})"
    if abs(exponent) == sympy.Rational(1, 2):
        root = f"dls_interval_sqrt({interval(base)})"
        return root if exponent > 0 else f"dls_interval_inverse({root})"
    return f"dls_interval_power({interval(base)}, {interval(exponent)})"


def _piecewise(part, interval):
    text = "dls_interval_unknown()"
    for expression, condition in reversed(part.args):
        value = interval(expression)
        text = value if condition == sympy.true else f"dls_interval_choose({interval(condition)}, {value}, {text})"
    return text


def _relation(part, interval):
    if isinstance(part, sympy.Unequality):
        return f"dls_truth_not({interval(sympy.Eq(*part.args, evaluate=False))})"
    name, turned = _RELATIONS[type(part)]
    sides = [interval(side) for side in part.args]
    return f"dls_truth_{name}({', '.join(reversed(sides) if turned else sides)})"
