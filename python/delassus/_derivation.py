# SPDX-License-Identifier: GPL-3.0-or-later
"""From energies, gaps and joints to what a system of delassus/model.h consists of, by Lagrange's equations.

    p = dT/dv,   M = dp/dv,   F = dT/dq - (dp/dq) v - dp/dt - dV/dq + Q
"""
import copy
import dataclasses

import sympy
from sympy import Matrix

from delassus._names import formula
from delassus._switches import with_branches


@dataclasses.dataclass
class Equations:
    """Formulas in t, q, v and the parameters; x and factors stand for the arguments that some callbacks
    have."""

    linear: bool
    M: Matrix
    F: Matrix
    K: Matrix  # -dF/dq
    C: Matrix  # -dF/dv
    V: sympy.Expr  # None: the potential depends on time
    gap: Matrix  # m
    gap_rate: Matrix  # dg/dt at fixed q
    H: Matrix  # n x m
    curvature: Matrix  # u' - H^T v'
    T: Matrix  # n x (d - 1) m
    surface: Matrix  # slip - T^T v
    slip_curvature: Matrix  # slip' - T^T v'
    joint: Matrix  # r
    joint_rate: Matrix
    G: Matrix  # n x r
    joint_curvature: Matrix
    x: Matrix  # n
    factors: Matrix  # max(m, r): lambda, mu
    gap_turn: Matrix  # columns (d^2 g_j/dq^2) x
    gap_stiffness: Matrix  # sum_j factor_j d^2 g_j/dq^2
    joint_stiffness: Matrix


def derive(model, t):
    """The equations of a delassus.formulas.Model; ValueError where its formulas are not those of a system."""
    _check(model, t)
    model = _with_branches(model, t)
    q, v = Matrix(model.q), Matrix(model.v)
    M, F = _lagrange(model, q, v, t)
    gap = _column([contact[0] for contact in model.contacts])
    slip = _column([s for contact in model.contacts for s in contact[1]])
    joint = _column(model.joints)
    H, T, G = _gradient(gap, q), _gradient(slip, v), _gradient(joint, q)
    gap_rate, joint_rate = smooth(gap.diff(t)), smooth(joint.diff(t))
    for what, matrix, symbols in (("gap", H, [t]), ("slip", T, model.v)):
        _refuse_in(matrix, symbols, what)
    x = Matrix([sympy.Dummy(f"x{i}", real=True) for i in range(len(q))])
    factors = Matrix([sympy.Dummy(f"factor{i}", real=True) for i in range(max(len(gap), len(joint), 1))])
    K, C = (-smooth(_gradient(F, q).T), -smooth(_gradient(F, v).T))
    surface = (slip - T.T * v).applyfunc(sympy.simplify)
    constant = set(model.q) | set(model.v) | {t}
    parts = [M, K, C, H, T, surface]
    linear = (
        not model.joints
        and K.is_symmetric()
        and C.is_symmetric()
        and all(not part.free_symbols & constant for part in parts)
    )
    return Equations(
        linear,
        M,
        F,
        K,
        C,
        None if model.potential.has(t) else model.potential,
        gap,
        gap_rate,
        H,
        _rate(H.T * v + gap_rate, q, v, t),
        T,
        surface,
        _rate(T.T * v + surface, q, v, t),
        joint,
        joint_rate,
        G,
        _rate(G.T * v + joint_rate, q, v, t),
        x,
        factors,
        _turn(gap, q, x),
        _bend(gap, q, factors),
        _bend(joint, q, factors),
    )


def _with_branches(model, t):
    """The same model with nonsmooth expressions of t as branches."""
    others = {*model.q, *model.v}

    def branched(formula):
        return with_branches(formula, t, others)

    made = copy.copy(model)
    made.kinetic, made.potential = branched(model.kinetic), branched(model.potential)
    made.forces = {name: branched(force) for name, force in model.forces.items()}
    made.contacts = [
        (branched(gap), [branched(slip) for slip in slips], values) for gap, slips, values in model.contacts
    ]
    made.joints = [branched(phi) for phi in model.joints]
    return made


def _check(model, t):
    """Are all symbols declared, and is everything there?"""
    if not model.q or len(model.v) != len(model.q):
        raise ValueError(
            f"{model.name}: {len(model.q)} coordinates and {len(model.v)} velocities: each coordinate needs its own"
        )
    if len({len(contact[1]) for contact in model.contacts}) > 1:
        raise ValueError(
            f"{model.name}: some contacts have a slip velocity and others have none, or another number of them"
        )
    model.kinetic, model.potential = formula("kinetic", model.kinetic), formula("potential", model.potential)
    constants = {option[4] for option in model.options}
    formulas = [
        ("kinetic", model.kinetic, set(model.q + model.v) | {t}),
        ("potential", model.potential, set(model.q) | {t}),
    ]
    formulas += [
        (f"force on {name}", force, set(model.q + model.v) | {t}) for name, force in model.forces.items()
    ]
    for j, (gap, slips, values) in enumerate(model.contacts):
        formulas += [(f"gap {j}", gap, set(model.q) | {t})]
        formulas += [(f"slip of contact {j}", slip, set(model.q + model.v) | {t}) for slip in slips]
        formulas += [(f"{name} of contact {j}", value, set()) for name, value in values.items()]
    formulas += [(f"constraint {i}", phi, set(model.q) | {t}) for i, phi in enumerate(model.joints)]
    if model.shortest_feature is not None:
        formulas += [("shortest_feature", model.shortest_feature, set())]
    for what, given, allowed in formulas:
        unknown = formula(what, given).free_symbols - allowed - constants
        if unknown:
            raise ValueError(
                f"{model.name}: {what} = {given} has {', '.join(sorted(map(str, unknown)))}, which may not be in it"
            )


def _lagrange(model, q, v, t):
    M = sympy.hessian(model.kinetic, list(v)).applyfunc(lambda entry: sympy.trigsimp(sympy.expand(entry)))
    _refuse_in(M, [*model.v, t], "kinetic energy")
    at_rest = {symbol: 0 for symbol in v}
    drift = Matrix([model.kinetic.diff(symbol).subs(at_rest) for symbol in v])
    kinetic = (v.T * M * v)[0] / 2 + (drift.T * v)[0] + model.kinetic.subs(at_rest)
    momentum = M * v + drift
    Q = Matrix([model.forces.get(str(symbol), 0) for symbol in q])
    F = _gradient(Matrix([kinetic - model.potential]), q) - momentum.jacobian(q) * v - momentum.diff(t) + Q
    return M, F.applyfunc(_collected)


def _collected(entry):
    """Terms that cancel do so; what grows by that stays as it was."""
    return min((entry, sympy.expand(entry), sympy.trigsimp(sympy.expand(entry))), key=sympy.count_ops)


def _refuse_in(matrix, symbols, what):
    wrong = [symbol for symbol in symbols if matrix.has(symbol)]
    if wrong:
        rules = {
            "kinetic energy": "it is 1/2 v.M(q) v + a(t, q).v + b(t, q)",
            "slip": "it is linear in the velocities",
            "gap": "it is f(q) + s(t)",
        }
        raise ValueError(f"{what}: its gradient depends on {wrong[0]}; {rules[what]}")


def _column(values):
    return Matrix(len(values), 1, values)


def _gradient(values, symbols):
    """Columns are gradients."""
    if len(values) == 0:
        return Matrix(len(symbols), 0, [])
    return smooth(Matrix(values).jacobian(symbols).T)


def _rate(velocity, q, v, t):
    """Its derivative along the motion with v' = 0."""
    if len(velocity) == 0:
        return velocity
    return smooth(velocity.jacobian(q) * v + velocity.diff(t)).applyfunc(_collected)


def _turn(values, q, x):
    columns = [smooth(sympy.hessian(value, list(q))) * x for value in values]
    return Matrix.hstack(*columns) if columns else Matrix(len(q), 0, [])


def _bend(values, q, factors):
    total = sympy.zeros(len(q), len(q))
    for value, factor in zip(values, factors):
        total += factor * smooth(sympy.hessian(value, list(q)))
    return total


def smooth(matrix):
    """Without the peaks that derivatives of |x| and sign(x) have at x = 0."""
    return matrix.replace(lambda part: isinstance(part, sympy.DiracDelta), lambda part: sympy.Integer(0))
