# SPDX-License-Identifier: GPL-3.0-or-later
"""C code that evaluates every formula and its derivatives at the initial data: a system is refused with the formula and
the point if one of them is not finite. The rate of a load is not checked: no motion depends on it, and far from a narrow
pulse 1/cosh its quotient overflows."""

_LONGEST = 120  # characters of a formula in a message, which has room for 400

_SUPPORT = """
static bool is_finite_at_start(const dls_system *sys, const char *what, const char *lack, const char *symbol,
                               double value, dls_error *err)
{
  if (isfinite(value)) {
    return true;
  }
  char point[200] = "t = 0";
  size_t used = strlen(point);
  for (size_t i = 0; i < 2 * sys->n && used < sizeof point; i++) {
    const double start = i < sys->n ? sys->q0[i] : sys->v0[i - sys->n];
    used += (size_t)snprintf(point + used, sizeof point - used, ", %s = %.6g", symbols[i], start);
  }
  dls_fail(err, DLS_ERR_ARG, "%s %s%s at the start, %s", what, lack, symbol, point);
  return false;
}

static bool vector_is_finite(const dls_system *sys, const char *const *what, const char *lack,
                             const double *values, dls_error *err)
{
  for (size_t i = 0; what[i] != NULL; i++) {
    if (!is_finite_at_start(sys, what[i], lack, "", values[i], err)) {
      return false;
    }
  }
  return true;
}

/* Column j has the derivatives of what[j] by the symbols from `first` on. */
static bool gradient_is_finite(const dls_system *sys, const char *const *what, size_t first, const dls_matrix *A,
                               dls_error *err)
{
  static const char lack[] = "has no finite derivative by ";
  for (size_t j = 0; what[j] != NULL; j++) {
    for (size_t i = 0; i < sys->n; i++) {
      if (!is_finite_at_start(sys, what[j], lack, symbols[first + i], dls_matrix_get(A, i, j), err)) {
        return false;
      }
    }
  }
  return true;
}

/* A is -dF/dq or -dF/dv. Only implicit schemes need it: without it the system is made, with a remark. */
static void check_force_derivative(dls_system *sys, size_t first, dls_matrix *A)
{
  dls_error lack;
  for (size_t i = 0; i < sys->n; i++) {
    for (size_t k = 0; k < sys->n; k++) {
      if (!is_finite_at_start(sys, forces[i], "has no finite derivative by ", symbols[first + k],
                              dls_matrix_get(A, i, k), &lack)) {
        if (sys->remark[0] == '\\0') {
          snprintf(sys->remark, sizeof sys->remark, "implicit schemes may fail: %s", lack.text);
        }
        dls_matrix_set(A, i, k, 0);
      }
    }
  }
}
"""


def write_checks(writer, function, text):
    """The C function check_start and what it needs; function and text write a C function and a C string."""
    model, equations = writer.model, writer.equations
    tables = {
        "symbols": [str(symbol) for symbol in (*model.q, *model.v)],
        "forces": [f"the force on {q}, {F}," for q, F in zip(model.q, equations.F)],
        "gaps": [f"gap {j} = {gap}" for j, gap in enumerate(equations.gap)],
        "slips": [
            f"slip of contact {j} = {slip}" for j, (_, slips, _) in enumerate(model.contacts) for slip in slips
        ],
        "constraints": [f"constraint {i} = {phi}" for i, phi in enumerate(equations.joint)],
        "potential_energy": [f"potential = {equations.V}"],
    }
    value, rate, bend = "is not finite", "has no finite derivative by t", "has no finite second derivative"
    at, along = "0, sys->q0, values", "0, sys->q0, sys->v0, values"
    checks = [
        ("potential", "sys->q0", "potential_energy", value),
        ("load", "0, values", "forces", value),
        *(("gap_motion", f"0, {order}, values", "gaps", (value, rate, bend)[order]) for order in range(3)),
        ("force", along, "forces", value),
        ("gap", at, "gaps", value),
        ("gap_rate", at, "gaps", rate),
        ("gradient", "H", "gaps", "0"),
        ("curvature", along, "gaps", bend),
        ("tangents", "T", "slips", "sys->n"),
        ("surface", at, "slips", value),
        ("slip_curvature", along, "slips", "has no finite derivative by q or t"),
        ("joint", at, "constraints", value),
        ("joint_rate", at, "constraints", rate),
        ("joint_gradient", "G", "constraints", "0"),
        ("joint_curvature", along, "constraints", bend),
    ]
    body = [f"double values[{max(1, *map(len, tables.values()))}];"]
    for field, arguments, what, lack in checks:
        if field in writer.fields and field == "potential":
            body += [f"values[0] = {field}(sys, {arguments});", *_vector_or_fail(what, lack)]
        elif field in writer.fields and "values" in arguments:
            body += [f"{field}(sys, {arguments});", *_vector_or_fail(what, lack)]
        elif field in writer.fields:
            body += _or_fail(f"gradient_is_finite(sys, {what}, {lack}, sys->{arguments}, err)")
    for field, matrix, first in (("stiffness", "K", "0"), ("damping", "C", "sys->n")):
        if field in writer.fields:
            body += [
                f"{field}(sys, 0, sys->q0, sys->v0, sys->{matrix});",
                f"check_force_derivative(sys, {first}, sys->{matrix});",
            ]
    rows = [
        f"static const char *const {name}[] = {{{''.join(text(_short(row)) + ', ' for row in table)}NULL}};"
        for name, table in tables.items()
    ]
    head = "static dls_status check_start(dls_system *sys, dls_error *err)"
    return "\n".join([*rows, _SUPPORT, function(head, [*body, "return DLS_OK;"])])


def _vector_or_fail(what, lack):
    return _or_fail(f'vector_is_finite(sys, {what}, "{lack}", values, err)')


def _or_fail(test):
    return [f"if (!{test}) {{", "  return DLS_ERR_ARG;", "}"]


def _short(text):
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
