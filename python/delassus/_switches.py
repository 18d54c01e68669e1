# SPDX-License-Identifier: GPL-3.0-or-later
"""Instants at which expressions of t change from one branch to another.

A nonsmooth expression of t alone, such as |t - a|, becomes a Piecewise. A condition changes where

    k t + c = 0    or    A sin(k t + p) + c = 0    (closed forms of the instants),

and has at this instant its value after the change.
"""
import dataclasses
import math
import random

import sympy
from sympy.core.relational import Relational


@dataclasses.dataclass(frozen=True)
class Line:
    """One instant."""

    instant: sympy.Expr

    def first(self):
        return self.instant


@dataclasses.dataclass(frozen=True)
class Wave:
    """The instants at which amplitude sin(k t + p) + c = 0."""

    amplitude: sympy.Expr
    k: sympy.Expr
    p: sympy.Expr
    c: sympy.Expr

    def first(self):
        return (sympy.asin(-self.c / self.amplitude) - self.p) / self.k


def affine(expression, t):
    """(k, c) of an expression k t + c; None for any other."""
    k = expression.diff(t)
    return None if k.has(t) else (k, sympy.expand(expression - k * t))


def switch(relation, t):
    """The Line or Wave on which a relation of t changes; None if its instants have no closed form."""
    for side, other in (relation.args, relation.args[::-1]):
        if side == t and not other.has(t):
            return Line(other)
    difference = relation.lhs - relation.rhs
    line = affine(difference, t)
    if line is not None:
        return Line(-line[1] / line[0])
    waves = [wave for wave in difference.atoms(sympy.sin, sympy.cos) if wave.has(t)]
    height = sympy.Dummy("height", real=True)
    outer = affine(difference.xreplace({waves[0]: height}), height) if len(waves) == 1 else None
    inner = affine(waves[0].args[0], t) if len(waves) == 1 else None
    if outer is None or inner is None or outer[0].has(t) or outer[1].has(t):
        return None
    shift = sympy.pi / 2 if isinstance(waves[0], sympy.cos) else 0
    return Wave(outer[0], inner[0], inner[1] + shift, outer[1])


def is_alone(part, t, others):
    """Whether it depends on t and on none of the other variables."""
    return part.has(t) and not part.free_symbols & others


def with_branches(expression, t, others):
    """The same expression of t and `others`, with a Piecewise for |f|, sign, Heaviside, Max and Min of t alone and
    with conditions on t that hold from their instants on."""
    kinds = (sympy.Abs, sympy.sign, sympy.Heaviside, sympy.Max, sympy.Min)
    branched = expression.replace(
        lambda part: isinstance(part, kinds) and is_alone(part, t, others), lambda part: _branches(part, t)
    )
    return branched.replace(
        lambda part: isinstance(part, Relational) and is_alone(part, t, others),
        lambda part: _from_its_instant(part, t),
    )


def _branches(part, t):
    """A Piecewise, if the instants of its condition have a closed form; else the same expression."""
    if isinstance(part, (sympy.Max, sympy.Min)):
        if len(part.args) != 2:
            return part
        f, g = part.args
        low, high = (f, g) if isinstance(part, sympy.Min) else (g, f)
        condition = f - g < 0
    else:
        f = part.args[0]
        low, high = {sympy.Abs: (-f, f), sympy.sign: (-1, 1), sympy.Heaviside: (0, 1)}[type(part)]
        condition = f < 0
    known = isinstance(condition, Relational) and switch(condition, t) is not None
    return sympy.Piecewise((low, condition), (high, True)) if known else part


def _from_its_instant(relation, t):
    """t < t_s or t >= t_s, for k t + c = 0 at t_s; the sign of k may depend on parameters."""
    holds_below = isinstance(relation, (sympy.StrictLessThan, sympy.LessThan))
    if not holds_below and not isinstance(relation, (sympy.StrictGreaterThan, sympy.GreaterThan)):
        return sympy.false if isinstance(relation, sympy.Equality) else sympy.true
    line = affine(relation.lhs - relation.rhs, t)
    if line is None:
        return relation.lhs < relation.rhs if holds_below else relation.lhs >= relation.rhs
    k, c = line
    before, after = t < -c / k, t >= -c / k
    rising, falling = (before, after) if holds_below else (after, before)
    if k.is_positive or k.is_negative:
        return rising if k.is_positive else falling
    constant = c < 0 if holds_below else c >= 0
    return sympy.Or(sympy.And(k > 0, rising), sympy.And(k < 0, falling), sympy.And(sympy.Eq(k, 0), constant))


def relations(expressions, t, others):
    """All relations of t alone in the expressions."""
    found = set().union(*(expression.atoms(Relational) for expression in expressions))
    return sorted((part for part in found if is_alone(part, t, others)), key=sympy.default_sort_key)


def jumps(expressions, relation, t, defaults):
    """Whether the value of an expression jumps, and not only its slope, at the instants of a relation: tried with
    the default values of the parameters and with random ones."""
    values = random.Random(1)
    for expression in expressions:
        for attempt in range(4 if expression.has(relation) else 0):
            at = {
                symbol: sympy.Float(defaults.get(symbol, 1) if attempt == 0 else values.uniform(0.5, 1.5))
                for symbol in sorted(expression.free_symbols | relation.free_symbols, key=str)
                if symbol != t
            }
            instant = switch(relation, t).first().subs(at)
            if instant.is_finite and instant.is_real and _size_of_jump(expression, t, instant, at) > 1e-9:
                return True
    return False


def _size_of_jump(expression, t, instant, at):
    """The difference of the two branches that meet at an instant; infinite where it is no number."""
    inner = [part for part in expression.atoms(Relational) if part.has(t)]
    sides = []
    for near in (instant - 1e-6, instant + 1e-6):
        chosen = {part: part.subs(at).subs(t, near) for part in inner}
        sides.append(expression.xreplace(chosen).subs(at).subs(t, instant).evalf())
    size = sympy.Abs(sides[1] - sides[0])
    return float(size) if size.is_number and size.is_finite else math.inf
