# SPDX-License-Identifier: GPL-3.0-or-later
"""The explicit time dependence that a system declares (explicit_time of delassus/model.h).

Forces, gaps, slips and joints are sums and products of expressions of t alone, the terms, and of the state. Declared for a term

    A cos(k t + p), sums, products and low powers of them    the period 2 pi / the sum of |k|,
    k t + c                                                  nothing: it has no feature,
    others                                                   bounds over intervals.

An expression of the state and of t that is not a sum or product, such as exp(-(x - t)^2), has features that bounds over t
alone do not contain, and functions without bounds in delassus/interval.h have no bounds: then the dependence is unknown.
"""
import dataclasses
import itertools

import sympy
from sympy.core.relational import Relational

from delassus._intervals import has_bounds
from delassus._switches import affine, is_alone, relations, switch

_HIGHEST_POWER = 8  # of a harmonic: sin^300 is a pulse, whose bounds say more than its period
_MOST_FREQUENCIES = 64  # of one term


@dataclasses.dataclass
class Statement:
    """Found in the expressions of a model."""

    depends: bool = False
    complete: bool = True
    terms: list = dataclasses.field(default_factory=list)  # expressions of t to enclose
    frequencies: list = dataclasses.field(default_factory=list)  # expressions of the parameters
    switches: list = dataclasses.field(default_factory=list)  # relations whose instants have a closed form


def statement(expressions, t, others):
    """What is to be stated of expressions in t, the variables `others` and the parameters."""
    made = Statement()
    made.depends = any(expression.has(t) for expression in expressions)
    conditions = relations(expressions, t, others)
    made.switches = [part for part in conditions if switch(part, t) is not None]
    for part in conditions:
        if part not in made.switches:
            _enclose([sympy.Piecewise((1, part), (0, True))], t, made)
    for expression in expressions:
        _split(expression, t, others, made)
    made.terms = sorted(set(made.terms), key=sympy.default_sort_key)
    made.frequencies = sorted(set(made.frequencies), key=sympy.default_sort_key)
    return made


def _split(expression, t, others, made, power=1):
    """Find the largest parts of t alone; `power` bounds how often they are factors of one product."""
    if not expression.has(t) or isinstance(expression, sympy.logic.boolalg.Boolean):
        return
    if is_alone(expression, t, others):
        _add_term(expression, t, made, power)
        return
    if isinstance(expression, (sympy.Add, sympy.Mul)):
        alone = [part for part in expression.args if is_alone(part, t, others)]
        rest = [part for part in expression.args if part.has(t) and part not in alone]
        power *= max(1, len(rest) + bool(alone)) if expression.is_Mul else 1
        if alone:
            _add_term(expression.func(*alone), t, made, power)
    elif _frequency_beside(expression, t, others) is not None:
        made.frequencies.append(power * sympy.Abs(_frequency_beside(expression, t, others)))
        return
    elif isinstance(expression, sympy.Piecewise):
        rest = [part for part, _ in expression.args]
        made.complete &= all(not c.has(t) or is_alone(c, t, others) for _, c in expression.args)
    else:
        rest = expression.args
        whole = isinstance(expression, sympy.Pow) and expression.exp.is_Integer and expression.exp > 0
        power *= expression.exp if whole else 1
        made.complete &= whole or isinstance(expression, (sympy.Abs, sympy.Max, sympy.Min))
    for part in rest:
        _split(part, t, others, made, power)


def _frequency_beside(expression, t, others):
    """k of a sine or cosine of k t and something without t; None for any other expression."""
    line = affine(expression.args[0], t) if isinstance(expression, (sympy.sin, sympy.cos)) else None
    return None if line is None or line[0].free_symbols & others else line[0]


def _add_term(term, t, made, power):
    """State the period or the bounds of an expression of t alone."""
    found = _frequencies(term, t)
    if found is not None:
        made.frequencies += [power * frequency for frequency in found]
        return
    if affine(term, t) is not None:
        return
    if isinstance(term, sympy.Add):
        rest = [part for part in term.args if _frequencies(part, t) is None and affine(part, t) is None]
        products = [part for part in rest if _harmonic_factors(part, t)]
        for part in (*(part for part in term.args if part not in rest), *products):
            _add_term(part, t, made, power)
        rest = [part for part in rest if part not in products]
        _enclose(rest, t, made)
        return
    harmonic = _harmonic_factors(term, t)
    if harmonic:
        for part in (*harmonic, sympy.Mul(*(part for part in term.args if part not in harmonic))):
            _add_term(part, t, made, power)
        return
    _enclose([term], t, made)


def _enclose(parts, t, made):
    """State the bounds of a sum, as far as its parts have bounds."""
    known = [part for part in parts if has_bounds(part, t)]
    made.complete &= len(known) == len(parts)
    if known:
        made.terms.append(sympy.Add(*known))


def _harmonic_factors(term, t):
    if not isinstance(term, sympy.Mul):
        return []
    return [part for part in term.args if part.has(t) and _frequencies(part, t) is not None]


def _frequencies(expression, t):
    """Bounds of the angular frequencies in a polynomial of sines and cosines; None for any other expression."""
    if not expression.has(t):
        return []
    if isinstance(expression, (sympy.sin, sympy.cos)):
        line = affine(expression.args[0], t)
        return None if line is None else [sympy.Abs(line[0])]
    if isinstance(expression, sympy.Pow):
        base, power = expression.args
        found = _frequencies(base, t) if power.is_Integer and 0 < power <= _HIGHEST_POWER else None
        return None if found is None else [power * frequency for frequency in found]
    if isinstance(expression, sympy.Piecewise):
        conditions = set().union(*(c.atoms(Relational) for _, c in expression.args))
        found = [[] if affine(part, t) is not None else _frequencies(part, t) for part, _ in expression.args]
        known = None not in found and all(switch(c, t) is not None for c in conditions if c.has(t))
        return sum(found, []) if known else None
    if not isinstance(expression, (sympy.Add, sympy.Mul)):
        return None
    found = [_frequencies(part, t) for part in expression.args]
    if None in found:
        return None
    if isinstance(expression, sympy.Add):
        return sum(found, [])
    if not any(found):
        return []
    sums = [sum(choice) for choice in itertools.product(*filter(None, found))]
    return sums if len(sums) <= _MOST_FREQUENCIES else None
