# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures by matplotlib; Okabe and Ito's colours with marks and dashes of their own, which are apart in
grey, too."""
import collections
import functools
import re
import textwrap

import matplotlib.pyplot as plt

_MOST_PANELS = 6
# The twelve styles of the tool: no colour, dash or mark of one is that of another.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_COLOURS += ("#000000", "#882255", "#999933", "#332288", "#808080", "#A04000")
_MARKS = ("o", "s", "^", "D", "v", "p", "+", "x", "*", "<", ">", "d")
_DASHES = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (10, 3)))
_DASHES += ((0, (8, 2, 3, 2)), (0, (4, 2, 4, 2, 1, 2)), (0, (1, 5)), (0, (8, 2, 2, 2, 2, 2)))
_DASHES += ((0, (5, 2, 1, 2, 1, 2, 1, 2)), (0, (2, 2)))
_KEYS = ("auto", "none", "below", "inside")
_FAR_BELOW = 100  # of the least error of the other schemes
_SEGMENTS = 200  # of a curve, at least, where it is cubic
_WORK = {  # how much a row of errors has done: a label, and its columns, which are added up
    None: ("step [s]", ("step",)),
    "steps": ("steps, rejected ones too", ("steps", "rejected")),
    "problems": ("one-step problems", ("problems",)),
    "evals": (
        "force evaluations + LCP solves + factorizations",
        ("force_evals", "lcp_solves", "factorizations"),
    ),
    "seconds": ("time of a run [s]", ("wall_seconds",)),
}


# Width of a figure [in], None: matplotlib's own; size of letters [pt]; factor of lines and marks; whether it has a title.
_Style = collections.namedtuple("_Style", "width letters lines titled")
_Form = collections.namedtuple("_Form", _Style._fields + ("key", "size"))
_STYLES = {
    "screen": _Style(None, 10, 1, True),
    "journal": _Style(8.5 / 2.54, 8.5, 0.6, False),
    "slides": _Style(10, 18, 2, False),
}


def _styled(draw):
    """Give a function that draws a form, by the words of the tool, in place of its last argument."""

    @functools.wraps(draw)
    def wrapper(*words, style="screen", size=None, key="auto"):
        for name, value, allowed in (("style", style, _STYLES), ("key", key, _KEYS)):
            if value not in allowed:
                raise ValueError(f"{name} = {value!r} must be one of: " + ", ".join(allowed))
        chosen = _STYLES[style]
        form = _Form(*chosen, key, None if size is None else _inches(size))
        with plt.rc_context({"font.size": chosen.letters} if chosen.width else {}):
            return draw(*words, form)

    return wrapper


def _inches(size):
    """"8.5x6cm", "1200x800" or "1200x800px", as --size: width and height in inches."""
    found = re.fullmatch(r"([0-9.]+)x([0-9.]+)(cm|px)?", size) if isinstance(size, str) else None
    unit = found and found[3] or "px"
    low, high = (3, 100) if unit == "cm" else (100, 10000)
    try:
        lengths = [float(text) for text in found.groups()[:2]]
    except (AttributeError, ValueError):
        lengths = [-1]
    if not all(low <= x <= high for x in lengths):
        raise ValueError(
            f"size = {size!r} must be WIDTHxHEIGHT with cm or px, e.g. 8.5x6cm, from {low} to {high} {unit}"
        )
    per_inch = 2.54 if unit == "cm" else plt.rcParams["figure.dpi"]
    return tuple(x / per_inch for x in lengths)


def _size(form, width, height):
    """Of a figure that has another width than by itself: as high as it is with letters of 10 pt."""
    if form.size is not None:
        return form.size
    return (width, height) if form.width is None else (form.width, height * form.letters / 10)


@_styled
def trajectory(run, of, exact, form):
    """A figure of columns over time, a panel each."""
    return _panels({_scheme(run): run}, exact, of, form)


@_styled
def comparison(runs, of, form):
    """The same of several runs."""
    if not runs:
        raise ValueError("no run to draw: " + "; ".join(runs.failures.values()))
    return _panels(runs, runs.exact, of, form)


@_styled
def study(of_study, norm, of, form):
    """Errors over steps or work: small points for runs, medians of the levels, fitted lines, 95 % bands of the
    medians, and the triangle of a published order; a level for a scheme that runs once."""
    first = of_study.errors[0]
    norm, of = norm or first["norm"], of or first["of"]
    label, columns = _WORK[of_study.against]
    figure, axes = plt.subplots(layout="constrained", figsize=_size(form, *plt.rcParams["figure.figsize"]))
    axes.set_xscale("log")
    axes.set_yscale("log")
    schemes, least = {}, float("inf")
    for row in of_study.errors:
        if (row["norm"], row["of"]) == (norm, of) and row["error"] > 0:
            schemes.setdefault(":".join(filter(None, (row["scheme"], row["options"]))), []).append(row)
            if _over(row, columns) == _over(row, columns):  # no step: not a number
                least = min(least, row["error"])
    lines = {row["scheme"]: row for row in of_study.orders if (row["norm"], row["of"]) == (norm, of)}
    for i, (scheme, rows) in enumerate(schemes.items()):
        over = [_over(row, columns) for row in rows]
        if all(x == x for x in over):
            curves = [
                row for row in of_study.curves if (row["scheme"], row["norm"], row["of"]) == (scheme, norm, of)
            ]
            _by_step(axes, i, over, rows, curves, _line_label(of_study, scheme, lines.get(scheme)), of_study.against, form)
        else:
            _level(axes, i, rows[0]["error"], least, scheme, form)
    published = {line["published"] for line in lines.values() if line.get("published", 0) > 0}
    if of_study.against is None and len(published) == 1:
        _triangle(axes, published.pop())
    axes.set_xlabel(label)
    axes.set_ylabel(f"error of {of}, {norm}")
    axes.grid(alpha=0.3)
    if form.titled:
        figure.suptitle(str(first["model"]), fontsize="medium")
    _legend(axes, form)
    return figure


def _line_label(of_study, scheme, line):
    """"moreau-jean: 1.02 [0.98, 1.05], medians 1.01 [0.99, 1.04]", as in the pictures of the tool."""
    name = "order" if of_study.against is None else "slope"
    if line is None:
        return scheme
    if not line[name] == line[name]:
        return f"{scheme}: no {name}, {line['reason']}"
    text = f"{scheme}: {line[name]:.2f} [{line['ci_low']:.2f}, {line['ci_high']:.2f}]"
    low, high = line.get("median_ci_low"), line.get("median_ci_high")
    if isinstance(low, float) and low == low:
        text += f", medians {line['median_' + name]:.2f} [{low:.2f}, {high:.2f}]"
    return text


def _by_step(axes, i, over, rows, curves, label, joined, form):
    colour, mark = _COLOURS[i % len(_COLOURS)], _MARKS[i % len(_MARKS)]

    def of_kind(kind, *names):
        return [[row[name] for row in curves if row["curve"] == kind] for name in names]

    band, medians = of_kind("band", "x", "low", "high"), of_kind("median", "x", "y")
    if band[0]:
        axes.fill_between(*band, color=colour, alpha=0.2, linewidth=0)
    if len(rows) > len(medians[0]):
        axes.plot(over, [row["error"] for row in rows], mark, color=colour, alpha=0.4, markersize=2.5 * form.lines)
    axes.plot(*of_kind("line", "x", "y"), color=colour, linestyle=_DASHES[i % len(_DASHES)], linewidth=form.lines)
    axes.plot(*medians, mark, color=colour, markersize=5 * form.lines, label=label)
    if joined is not None:  # over work the medians may scatter about their line
        axes.plot(*medians, ":", color=colour, linewidth=0.5 * form.lines)


def _triangle(axes, order):
    """A triangle of a published order at the lower right, below the errors."""
    (x_low, x_high), (y_low, y_high) = axes.get_xlim(), axes.get_ylim()
    left, right = (x_low * (x_high / x_low) ** part for part in (0.7, 0.9))
    rise = (right / left) ** order
    foot = y_low / rise / 1.5
    axes.set_ylim(foot / 1.5, y_high)
    axes.fill([left, right, right], [foot, foot, foot * rise], color="0.8", linewidth=0)
    axes.annotate("1", ((left * right) ** 0.5, foot), (0, -2), textcoords="offset points", ha="center", va="top")
    axes.annotate(f"{order:g}", (right, foot * rise**0.5), (3, 0), textcoords="offset points", va="center")


def _over(row, columns):
    return sum(row[column] for column in columns)


def _level(axes, i, level, least, scheme, form):
    """The error of a scheme that chooses its own steps; one far below all others is an arrow at the foot."""
    look = {"color": _COLOURS[i % len(_COLOURS)], "linestyle": "--", "linewidth": 1.5 * form.lines}
    if level >= least / _FAR_BELOW or least == float("inf"):
        axes.axhline(level, label=f"{scheme}, its own steps", **look)
        return
    place = (0.05 + 0.2 * (i % 4), 0.005)
    axes.annotate(
        f"{level:.1e}",
        place,
        (place[0], 0.09),
        xycoords="axes fraction",
        color=look["color"],
        fontsize="small",
        ha="center",
        arrowprops={"arrowstyle": "->", "color": look["color"], "linewidth": form.lines},
    )
    axes.plot([], [], label=f"{scheme}: error {level:.2g}, below the picture", **look)


def _legend(axes, form):
    """Above, in two columns where there is room for them, or where the key is asked for. Long entries have several lines."""
    handles, labels = axes.get_legend_handles_labels()
    if form.key == "none" or not labels:
        return
    letter = 0.5 * form.letters / 72  # inches of a small letter, with what is between
    room = int(axes.figure.get_size_inches()[0] * (0.6 if form.key == "inside" else 0.75) / letter) - 5
    columns = 2 if form.key == "auto" and all(len(label) < room / 2 - 8 for label in labels) else 1
    labels = [textwrap.fill(label, max(room // columns, 20)) for label in labels]
    places = {
        "auto": {"loc": "lower left", "bbox_to_anchor": (0, 1)},
        "below": {"loc": "upper left", "bbox_to_anchor": (0, 0), "borderaxespad": 5},
        "inside": {"loc": "best"},
    }
    axes.legend(
        handles, labels, ncol=columns, fontsize="small", frameon=form.key == "inside", **places[form.key]
    )


def _panels(runs, exact, of, form):
    first = next(iter(runs.values()))
    of = [of] if isinstance(of, str) else list(of or _usual(first))
    size = _size(form, 6.4, 1.2 + 1.6 * len(of))
    figure, panels = plt.subplots(
        len(of), 1, sharex=True, squeeze=False, layout="constrained", figsize=size
    )
    for panel, name in zip(panels[:, 0], of):
        if exact is not None:
            panel.plot(*_curve(exact, name), color="0.7", linewidth=3 * form.lines, label="exact")
        for i, (label, run) in enumerate(runs.items()):
            panel.plot(
                *_curve(run, name),
                color=_COLOURS[i % len(_COLOURS)],
                linestyle=_DASHES[i % len(_DASHES)],
                linewidth=form.lines,
                label=label,
            )
        panel.set_ylabel(f"{name}: {first.label(name)}", fontsize="small")
        panel.grid(alpha=0.3)
    _legend(panels[-1 if form.key == "below" else 0, 0], form)
    panels[-1, 0].set_xlabel("t [s]")
    if form.titled:
        figure.suptitle(first.notes.get("model", ""), fontsize="medium")
    return figure


def _curve(run, name):
    """Times and values of a column: where it is cubic between nodes, which are far apart then, so fine that it is seen."""
    t, x = run.t, run[name]
    slopes = {"q": "v", "v": "a", "g": "u"}.get(name[:1], "") + name[1:]
    if not (name[1:].isdigit() and "a0" in run.columns and slopes in run.columns) or len(t) < 2:
        return t, x
    slope, spacing = run[slopes], (t[-1] - t[0]) / _SEGMENTS
    times, values = [t[0]], [x[0]]
    for k in range(1, len(t)):
        width = t[k] - t[k - 1]
        pieces = int(width / spacing) + 1 if width > spacing else 1
        for piece in range(1, pieces):
            s = piece / pieces
            times.append(t[k - 1] + s * width)
            values.append(
                (1 + 2 * s) * (1 - s) ** 2 * x[k - 1]
                + s**2 * (3 - 2 * s) * x[k]
                + width * s * (1 - s) * ((1 - s) * slope[k - 1] - s * slope[k])
            )
        times.append(t[k])
        values.append(x[k])
    return times, values


def _usual(run):
    names = [name for name in run.columns if name[:1] in "qv" and name[1:].isdigit()]
    half = min(len(names) // 2, _MOST_PANELS // 2)
    return [f"q{i}" for i in range(half)] + [f"v{i}" for i in range(half)]


def _scheme(run):
    return run.notes.get("choice", run.notes.get("scheme", ""))
