# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin in C from derived equations (delassus/model.h says what its callbacks are)."""
import dataclasses
import re

import sympy
from sympy.codegen.rewriting import create_expand_pow_optimization

from delassus._derivation import smooth
from delassus._intervals import enclosures
from delassus._names import formula, line, model_name, positive
from delassus._start import write_checks
from delassus._switches import Line, jumps, switch
from delassus._time import statement

_POWERS = create_expand_pow_optimization(6)  # x^2 is x x, not pow(x, 2)
_SYS = "const dls_system *sys"
_TQ, _TQV = f"{_SYS}, double t, const double *q", f"{_SYS}, double t, const double *q, const double *v"


_INSTANTS = """typedef bool condition(const double *p, double t);

/* The first number t at which a condition has changed, beside an instant that is known up to rounding; infinity if it does
 * not change there, or not after t and the start of runs at 0. */
static double change_after(condition *holds, const double *p, double t, double instant, double scale)
{
  const double rounding = 16 * DBL_EPSILON * (fabs(instant) + scale);
  double before = instant - rounding, after = instant + rounding;
  const bool at_first = holds(p, before);
  if (!(after > t) || holds(p, after) == at_first) {
    return HUGE_VAL;
  }
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (before + after);
    *(holds(p, middle) == at_first ? &before : &after) = middle;
  }
  return after > t && after > 16 * DBL_EPSILON * scale ? after : HUGE_VAL;
}

/* Near the roots of amplitude sin(k t + phase) + c. */
static double wave_change_after(condition *holds, const double *p, double t, double amplitude, double k, double phase,
                                double c)
{
  if (k < 0) {
    return wave_change_after(holds, p, t, -amplitude, -k, -phase, c);
  }
  const double turn = 2 * acos(-1.0), rising = asin(-c / amplitude);
  double next = HUGE_VAL;
  for (int i = 0; i < 2; i++) {
    const double angle = (i == 0 ? rising : turn / 2 - rising) - phase;
    const double before = floor((k * t - angle) / turn) - 1;
    for (int n = 0; n < 4; n++) {
      next = fmin(next, change_after(holds, p, t, (angle + (before + n) * turn) / k, 1 / k));
    }
  }
  return next;
}
"""


class _Writer:
    """C of functions; symbols of the model become entries of the arrays q, v, p, x, factor."""

    def __init__(self, model, equations, t):
        self.model, self.equations, self.t = model, equations, t
        arrays = [
            ("q", model.q),
            ("v", model.v),
            ("p", [option[4] for option in model.options]),
            ("x", equations.x),
            ("factor", equations.factors),
        ]
        self.symbols = {
            symbol: sympy.Symbol(f"{array}[{i}]", real=True)
            for array, symbols in arrays
            for i, symbol in enumerate(symbols)
        }
        self.state = {*model.q, *model.v, t}
        rates = (equations.gap_rate, equations.curvature, equations.slip_curvature)
        rates += (equations.joint_rate, equations.joint_curvature)
        values = (equations.F, equations.gap, equations.surface, equations.T, equations.joint, equations.G)
        self.values = [entry for matrix in values for entry in matrix]
        self.stated = statement([*self.values, *(entry for matrix in rates for entry in matrix)], t, self.state - {t})
        conditions = {
            part: sympy.Symbol(f"condition_{k}(p, t)") for k, part in enumerate(self.stated.switches)
        }
        self.names = {**self.symbols, **conditions}
        self.functions, self.fields = [self.condition(k) for k in range(len(conditions))], []

    def condition(self, k):
        """A function for condition k, which callbacks and the search for its instants share: they agree to the last
        bit."""
        return _function(
            f"static bool condition_{k}(const double *p, double t)",
            ["(void)p;", f"return {_c(self.stated.switches[k].xreplace(self.symbols))};"],
        )

    def varies(self, matrix):
        return bool(matrix.free_symbols & self.state)

    def lines(self, targets, formulas):
        """Assignments of formulas to targets (text with %s), common parts first."""
        renamed = [sympy.sympify(formula).xreplace(self.names) for formula in formulas]
        common, values = sympy.cse(
            renamed, symbols=sympy.numbered_symbols("c", real=True), optimizations="basic"
        )
        parts = [f"const double {name} = {_c(part)};" for name, part in common]
        return parts + [target % _c(value) for target, value in zip(targets, values)]

    def function(self, field, arguments, body, result="void"):
        """A static function that is the system's callback `field`."""
        if any(re.search(r"\bp\b", line) for line in body):
            body = ["const double *p = sys->data;", *body]
        named = [argument.split()[-1].lstrip("*") for argument in arguments.split(", ")]
        unused = [
            f"(void){name};" for name in named if not any(re.search(rf"\b{name}\b", line) for line in body)
        ]
        self.functions.append(_function(f"static {result} {field}({arguments})", unused + body))
        self.fields.append(field)

    def vector(self, field, arguments, target, formulas, wanted=True):
        if wanted and len(formulas) > 0:
            self.function(
                field,
                arguments,
                self.lines([f"{target}[{i}] = %s;" for i in range(len(formulas))], list(formulas)),
            )

    def matrix(self, field, arguments, target, formulas, wanted=True, every=True):
        if wanted and formulas.cols > 0:
            self.function(field, arguments, self.entries(target, formulas, every))

    def entries(self, target, formulas, every=False):
        """Lines that set the entries of a matrix; those that are always zero if `every` one is asked for."""
        places = [
            (i, j) for i in range(formulas.rows) for j in range(formulas.cols) if every or formulas[i, j] != 0
        ]
        return self.lines(
            [f"dls_matrix_set({target}, {i}, {j}, %s);" for i, j in places],
            [formulas[place] for place in places],
        )


def write_plugin(model, equations, t):
    """The whole C file."""
    model_name(model.name)
    line("summary", model.summary)
    line("source", model.source)
    writer = _Writer(model, equations, t)
    (_linear_callbacks if equations.linear else _nonlinear_callbacks)(writer)
    _friction_callbacks(writer)
    _joint_callbacks(writer)
    _coordinate_callback(writer)
    _time_callbacks(writer)
    _parameter_callback(writer)
    return "\n".join([_comment(model), _options(model), *writer.functions, *_creation(writer), _entry(model)])


def _linear_callbacks(writer):
    equations, t = writer.equations, writer.t
    load = _at_zero(writer, equations.F)
    writer.vector("load", f"{_SYS}, double t, double *F", "F", load, not load.is_zero_matrix)
    writer.vector("load_rate", f"{_SYS}, double t, double *dF", "dF", smooth(load.diff(t)), load.has(t))
    if equations.gap.has(t):
        at_zero = _at_zero(writer, equations.gap)
        body, word = [], "if"
        for order in range(3):
            motion = at_zero - at_zero.subs(t, 0) if order == 0 else smooth(at_zero.diff(t, order))
            lines = writer.lines([f"s[{j}] = %s;" for j in range(len(motion))], list(motion))
            body += [f"{word} (order == {order}) {{", *("  " + line for line in lines)]
            word = "} else if"
        writer.function("gap_motion", f"{_SYS}, double t, int order, double *s", [*body, "}"])


def _at_zero(writer, vector):
    return vector.subs({symbol: 0 for symbol in (*writer.model.q, *writer.model.v)})


def _nonlinear_callbacks(writer):
    equations = writer.equations
    turns = writer.varies(equations.H)
    writer.matrix(
        "mass", f"{_SYS}, const double *q, dls_matrix *M", "M", equations.M, writer.varies(equations.M)
    )
    writer.vector("force", f"{_TQV}, double *F", "F", equations.F)
    writer.matrix("stiffness", f"{_TQV}, dls_matrix *K", "K", equations.K, not equations.K.is_zero_matrix)
    writer.matrix("damping", f"{_TQV}, dls_matrix *C", "C", equations.C, not equations.C.is_zero_matrix)
    writer.vector("gap", f"{_TQ}, double *g", "g", equations.gap)
    writer.vector(
        "gap_rate", f"{_TQ}, double *b", "b", equations.gap_rate, not equations.gap_rate.is_zero_matrix
    )
    writer.matrix("gradient", f"{_SYS}, const double *q, dls_matrix *H", "H", equations.H, turns, every=False)
    writer.vector(
        "curvature", f"{_TQV}, double *c", "c", equations.curvature, not equations.curvature.is_zero_matrix
    )
    writer.matrix("gap_turn", f"{_TQ}, const double *x, dls_matrix *R", "R", equations.gap_turn, turns)
    writer.matrix(
        "gap_stiffness", f"{_TQ}, const double *factor, dls_matrix *K", "K", equations.gap_stiffness, turns
    )
    if equations.V is not None:
        writer.function(
            "potential", f"{_SYS}, const double *q", writer.lines(["return %s;"], [equations.V]), "double"
        )


def _friction_callbacks(writer):
    equations = writer.equations
    writer.matrix(
        "tangents", f"{_TQ}, dls_matrix *T", "T", equations.T, writer.varies(equations.T), every=False
    )
    writer.vector(
        "surface", f"{_TQ}, double *b_t", "b_t", equations.surface, not equations.surface.is_zero_matrix
    )
    writer.vector(
        "slip_curvature",
        f"{_TQV}, double *c_t",
        "c_t",
        equations.slip_curvature,
        not equations.slip_curvature.is_zero_matrix,
    )


def _joint_callbacks(writer):
    equations = writer.equations
    writer.vector("joint", f"{_TQ}, double *phi", "phi", equations.joint)
    writer.vector(
        "joint_rate",
        f"{_TQ}, double *phi_t",
        "phi_t",
        equations.joint_rate,
        not equations.joint_rate.is_zero_matrix,
    )
    bends = writer.varies(equations.G)
    writer.matrix("joint_gradient", f"{_TQ}, dls_matrix *G", "G", equations.G, bends, every=False)
    writer.vector(
        "joint_curvature",
        f"{_TQV}, double *c",
        "c",
        equations.joint_curvature,
        not equations.joint_curvature.is_zero_matrix,
    )
    writer.matrix(
        "joint_stiffness",
        f"{_TQ}, const double *factor, dls_matrix *K",
        "K",
        equations.joint_stiffness,
        bends,
    )


def _coordinate_callback(writer):
    model = writer.model
    rows = ", ".join(f"{{{_text(str(q))}, {_text(unit)}}}" for q, unit in zip(model.q, model.units))
    writer.function(
        "coordinate",
        f"{_SYS}, size_t i, dls_coordinate *out",
        [f"static const dls_coordinate all[] = {{{rows}}};", "*out = all[i];"],
    )


def _time_callbacks(writer):
    """Bounds of the terms of t, and the instants at which they jump or have a kink."""
    t, stated = writer.t, writer.stated
    if stated.terms:
        lines, bounds = enclosures([term.xreplace(writer.symbols) for term in stated.terms], t, _c)
        lines = ["const dls_interval t = dls_interval_exact(a, b);", *lines]
        for i, bound in enumerate(bounds):
            lines += [
                f"const dls_interval term{i} = {bound};",
                f"low[{i}] = term{i}.low;",
                f"high[{i}] = term{i}.high;",
            ]
        writer.function("time_enclosure", f"{_SYS}, double a, double b, double *low, double *high", lines)
    if not stated.switches:
        return
    writer.functions.append(_INSTANTS)
    values = {option[4]: option[3] for option in writer.model.options}
    jumping = {switch(part, t) for part in stated.switches if jumps(writer.values, part, t, values)}
    for field, wanted in (("next_switch", True), ("next_break", False)):
        found = {switch(part, t): k for k, part in enumerate(stated.switches)}
        rows = [
            f"next = fmin(next, {_change(part, k, writer)});"
            for part, k in found.items()
            if (part in jumping) == wanted
        ]
        if rows:
            body = ["double next = HUGE_VAL;", *rows, "return next;"]
            writer.function(field, f"{_SYS}, double t", body, "double")


def _parameter_callback(writer):
    """dF/dp, dM/dp a and dg/dp of the parameters that move nothing else than F, M, g, the start and coefficients of contacts."""
    equations, model = writer.equations, writer.model
    others = (equations.gap_rate, equations.H, equations.curvature, equations.T, equations.surface, equations.slip_curvature)
    others += (equations.joint, equations.joint_rate, equations.G, equations.joint_curvature)
    moving = {symbol for matrix in others for symbol in matrix.free_symbols}
    moving |= {symbol for part in writer.stated.switches for symbol in part.free_symbols}
    a = sympy.Matrix([sympy.Symbol(f"out->a[{i}]", real=True) for i in range(len(model.q))])
    body = []
    for name, _, _, _, symbol in model.options:
        if symbol in moving:
            continue
        slopes = {"F": equations.F.diff(symbol), "Ma": equations.M.diff(symbol) * a, "g": equations.gap.diff(symbol)}
        terms = [(f"out->{key}[{i}] += %s;", entry) for key, vector in slopes.items() for i, entry in enumerate(smooth(vector))]
        terms = [(target, entry) for target, entry in terms if entry != 0]
        lines = writer.lines([target for target, _ in terms], [entry for _, entry in terms]) if terms else []
        body += [f"if (strcmp(name, {_text(name)}) == 0) {{", *("  " + line for line in lines), "  return true;", "}"]
    state = [f"const double *{name} = out->{name};" for name in "qv" if any(re.search(rf"\b{name}\[", line) for line in body)]
    state += ["const double t = out->t;"] if any(re.search(r"\bt\b", line) for line in body) else []
    writer.function("by_parameter", f"{_SYS}, const char *name, dls_by_parameter *out", [*state, *body, "return false;"], "bool")


def _change(part, k, writer):
    """C of the first change of condition k, of a Line or a Wave, after t."""
    arguments = ", ".join(_c(value.xreplace(writer.symbols)) for value in dataclasses.astuple(part))
    if isinstance(part, Line):
        return f"change_after(condition_{k}, p, t, {arguments}, 0)"
    return f"wave_change_after(condition_{k}, p, t, {arguments})"


def _creation(writer):
    """Functions that make the system: its storage, its constants, its callbacks."""
    model, equations = writer.model, writer.equations
    sizes = {
        "M": ("n, n", True),
        "K": ("n, n", "stiffness" in writer.fields or _given(writer, equations.K)),
        "C": ("n, n", "damping" in writer.fields or _given(writer, equations.C)),
        "H": ("n, m", len(equations.gap) > 0),
        "T": ("n, (sys->d - 1) * m", equations.T.cols > 0),
        "G": ("n, r", len(equations.joint) > 0),
        "geometric": ("n, n", "joint_stiffness" in writer.fields),
        "gap_geometric": ("n, n", "gap_stiffness" in writer.fields),
    }
    made = {name: size for name, (size, wanted) in sizes.items() if wanted}
    rows = 1 + equations.T.cols // max(len(equations.gap), 1)
    used = {"n": "sys->n", "m": "sys->m", "r": "sys->r"}
    used = {
        name: value
        for name, value in used.items()
        if any(re.search(rf"\b{name}\b", size) for size in made.values())
    }
    store = [
        f"sys->linear = {'true' if equations.linear else 'false'};",
        f"sys->d = {rows};",
        f"sys->r = {len(equations.joint)};",
    ]
    store += [f"const size_t {name} = {value};" for name, value in used.items()]
    store += ["sys->data = malloc((PARAMETERS + 1) * sizeof(double));", "sys->release = release;"]
    diagonal = equations.M.is_diagonal()
    store += [
        f"sys->{name} = dls_matrix_{'diagonal(n)' if name == 'M' and diagonal else f'dense({size})'};"
        for name, size in made.items()
    ]
    store += [
        "return "
        + " &&\n         ".join(["sys->data != NULL", *(f"sys->{name} != NULL" for name in made)])
        + ";"
    ]
    name = _text(model.name + ": no memory")
    create = [
        "(void)self;",
        f"dls_system *sys = *out = dls_system_create({len(model.q)}, {len(equations.gap)});",
        "if (sys == NULL || !store(sys)) {",
        f"  return dls_fail(err, DLS_ERR_MEMORY, {name});",
        "}",
        "memcpy(sys->data, p, PARAMETERS * sizeof *p);",
        "fill(sys, p);",
        "return check_start(sys, err);",
    ]
    return [
        _function("static void release(dls_system *sys)", ["free(sys->data);"]),
        _function("static bool store(dls_system *sys)", store),
        _function("static void fill(dls_system *sys, const double *p)", _filling(writer)),
        write_checks(writer, _function, _text),
        _function(
            "static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)",
            create,
        ),
    ]


def _given(writer, matrix):
    """Constant, and not zero: of a linear system."""
    return writer.equations.linear and not matrix.is_zero_matrix


def _filling(writer):
    """Initial data, numbers of contacts, constant matrices, callbacks."""
    model, equations = writer.model, writer.equations
    starts = {option[0]: option[4] for option in model.options}
    targets = [
        f"sys->{array}[{i}] = %s;"
        for array, symbols in (("q0", model.q), ("v0", model.v))
        for i in range(len(symbols))
    ]
    lines = ["(void)p;", *writer.lines(targets, [starts[f"{symbol}0"] for symbol in model.q + model.v])]
    for j, (_, _, values) in enumerate(model.contacts):
        lines += [f"sys->{name}[{j}] = {_c(value.xreplace(writer.names))};" for name, value in values.items()]
    lines += [f"sys->{scale} = {positive(scale, getattr(model, scale))!r};" for scale in ("length", "time")]
    if equations.linear:
        w = _at_zero(writer, equations.gap).subs(writer.t, 0)
        lines += [f"sys->w[{j}] = {_c(value.xreplace(writer.names))};" for j, value in enumerate(w)]
        lines += [f"sys->steady_load = {'false' if equations.F.has(writer.t) else 'true'};"]
    lines += [f"sys->{field} = {field};" for field in writer.fields] + _time_statement(writer)
    first = {
        "mass": ("M", "sys->q0"),
        "gradient": ("H", "sys->q0"),
        "tangents": ("T", "0, sys->q0"),
        "joint_gradient": ("G", "0, sys->q0"),
    }
    lines += [
        f"{field}(sys, {where}, sys->{name});"
        for field, (name, where) in first.items()
        if field in writer.fields
    ]
    constants = [
        ("M", equations.M, "mass"),
        ("H", equations.H, "gradient"),
        ("T", equations.T, "tangents"),
        ("G", equations.G, "joint_gradient"),
    ]
    constants += [("K", equations.K, ""), ("C", equations.C, "")] if equations.linear else []
    blocks = [
        writer.entries(f"sys->{name}", matrix)
        for name, matrix, field in constants
        if field not in writer.fields
    ]
    return lines + [
        line for block in blocks if block for line in ("{", *("  " + text for text in block), "}")
    ]


def _time_statement(writer):
    """How the system depends on t."""
    stated, shortest = writer.stated, writer.model.shortest_feature
    if not stated.depends:
        return ["sys->explicit_time = DLS_TIME_NONE;"]
    lines = [f"dls_system_declare_harmonic(sys, 1, {_c(k.xreplace(writer.names))});" for k in stated.frequencies]
    known = stated.complete or shortest is not None
    lines += [f"sys->explicit_time = DLS_TIME_{'EXPLICIT' if known else 'UNKNOWN'};"]
    lines += [f"sys->time_terms = {len(stated.terms)};"] if stated.terms else []
    if shortest is not None:
        lines += [f"sys->shortest_feature = {_c(formula('shortest_feature', shortest).xreplace(writer.names))};"]
    elif known and not stated.terms and not stated.switches:
        lines += ["if (sys->load_period == 0) {", "  sys->shortest_feature = DBL_MAX; /* steady growth */", "}"]
    return lines


def _function(head, body):
    return head + "\n{\n" + "\n".join("  " + line for line in body) + "\n}\n"


def _c(formula):
    try:
        formula = _POWERS(formula)
    except ValueError:  # SymPy cannot compare products in Max and Min
        pass
    try:
        text = sympy.ccode(formula)
    except NotImplementedError:  # from SymPy 1.13 on
        text = "Not supported in C"
    if "Not supported in C" in text:
        raise ValueError(f"there is no C code for a part of {formula}")
    return text


def _text(words):
    """A C string."""
    return (
        '"'
        + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in words.encode())
        + '"'
    )


def _options(model):
    rows = "".join(
        f"    DLS_NUMBER({_text(name)}, {_text(unit)}, {_text(text)}, {value!r}, -DBL_MAX, DBL_MAX, 0),\n"
        for name, unit, text, value, _ in model.options
    )
    return f"enum {{ PARAMETERS = {len(model.options)} }};\nstatic const dls_option parameters[] = {{\n{rows}    {{0}},\n}};\n"


def _comment(model):
    """What is written, of which formulas, and what the entries of the arrays are."""
    arrays = [("q", model.q), ("v", model.v), ("p", [option[0] for option in model.options])]
    told = [
        "   " + ", ".join(f"{array}[{i}]: {name}" for i, name in enumerate(names))
        for array, names in arrays
        if names
    ]
    text = "\n".join(re.sub(r"[^ -~]|[\\?]|\*(?=/)", "_", row) for row in [*_formulas(model), *told])
    headers = ["delassus/interval.h", "delassus/plugin.h", "float.h", "math.h", "stdbool.h", "stdio.h", "stdlib.h", "string.h"]
    return f"/* {model.name}.c -- written by delassus.formulas from\n{text} */\n#define _DEFAULT_SOURCE /* M_PI */\n" + "".join(
        f"#include <{name}>\n" for name in headers
    )


def _formulas(model):
    lines = [f"T = {model.kinetic}", f"V = {model.potential}"]
    lines += [f"force on {name} = {formula}" for name, formula in model.forces.items()]
    for j, (gap, slips, _) in enumerate(model.contacts):
        lines += [f"g_{j} = {gap} >= 0" + "".join(f",  slip = {slip}" for slip in slips)]
    return ["   " + line for line in lines + [f"0 = {phi}" for phi in model.joints]]


def _entry(model):
    equations = "".join(f"\n                 {_text(line.strip() + chr(10))}" for line in _formulas(model))
    return f"""static const dls_model model = {{
    .name = {_text(model.name)},
    .summary = {_text(model.summary)},
    .source = {_text(model.source)},
    .equations ={equations},
    .parameters = parameters,
    .create = create,
}};
static const dls_model *const models[] = {{&model, NULL}};

const dls_plugin dls_plugin_entry = {{
    DLS_PLUGIN_HEAD, .name = {_text(model.name)}, .version = "1", .models = models,
}};
"""
