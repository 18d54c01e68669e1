# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures by matplotlib; Okabe and Ito's colours with marks and dashes of their own, which are apart in
grey, too."""
import collections
import functools

import matplotlib.pyplot as plt

_MOST_PANELS = 6
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKS = "os^vDx+"
_DASHES = ("-", "--", "-.", ":")
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
_STYLES = {
    "screen": _Style(None, 10, 1, True),
    "journal": _Style(8.5 / 2.54, 8.5, 0.6, False),
    "slides": _Style(10, 18, 2, False),
}


def _styled(draw):
    """Give a function that draws a style, by name, in place of its last argument."""

    @functools.wraps(draw)
    def wrapper(*words, style="screen"):
        if style not in _STYLES:
            raise ValueError(f"style = {style!r} must be one of: " + ", ".join(_STYLES))
        chosen = _STYLES[style]
        with plt.rc_context({"font.size": chosen.letters} if chosen.width else {}):
            return draw(*words, chosen)

    return wrapper


def _size(style, width, height):
    """Of a figure that has another width than by itself: as high as it is with letters of 10 pt."""
    return (width, height) if style.width is None else (style.width, height * style.letters / 10)


@_styled
def trajectory(run, of, exact, style):
    """A figure of columns over time, a panel each."""
    return _panels({_scheme(run): run}, exact, of, style)


@_styled
def comparison(runs, of, style):
    """The same of several runs."""
    if not runs:
        raise ValueError("no run to draw: " + "; ".join(runs.failures.values()))
    return _panels(runs, runs.exact, of, style)


@_styled
def study(of_study, norm, of, style):
    """Errors over steps or work, a point for each run; a line for a scheme that runs once."""
    first = of_study.errors[0]
    norm, of = norm or first["norm"], of or first["of"]
    label, columns = _WORK[of_study.against]
    size = _size(style, *plt.rcParams["figure.figsize"])
    figure, axes = plt.subplots(layout="constrained", figsize=size)
    schemes, least = {}, float("inf")
    for row in of_study.errors:
        if (row["norm"], row["of"]) == (norm, of) and row["error"] > 0:
            schemes.setdefault(":".join(filter(None, (row["scheme"], row["options"]))), []).append(row)
            if _over(row, columns) == _over(row, columns):  # no step: not a number
                least = min(least, row["error"])
    for i, (scheme, rows) in enumerate(schemes.items()):
        over = [_over(row, columns) for row in rows]
        colour = _COLOURS[i % len(_COLOURS)]
        if all(x == x for x in over):
            axes.loglog(
                over,
                [row["error"] for row in rows],
                _MARKS[i % len(_MARKS)],
                color=colour,
                markersize=4 * style.lines,
                markeredgewidth=style.lines,
                fillstyle="none",
                label=scheme,
            )
        else:
            _level(axes, i, rows[0]["error"], least, scheme, style)
    axes.set_xlabel(label)
    axes.set_ylabel(f"error of {of}, {norm}")
    axes.grid(alpha=0.3)
    _legend(axes, style)
    return figure


def _over(row, columns):
    return sum(row[column] for column in columns)


def _level(axes, i, level, least, scheme, style):
    """The error of a scheme that chooses its own steps; one far below all others is an arrow at the foot."""
    look = {"color": _COLOURS[i % len(_COLOURS)], "linestyle": "--", "linewidth": 1.5 * style.lines}
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
        arrowprops={"arrowstyle": "->", "color": look["color"], "linewidth": style.lines},
    )
    axes.plot([], [], label=f"{scheme}: error {level:.2g}, below the picture", **look)


def _legend(axes, style):
    """Above, in two columns where there is room for them."""
    columns = 1 if style.width is not None and style.width < 4 else 2
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncol=columns, fontsize="small", frameon=False)


def _panels(runs, exact, of, style):
    first = next(iter(runs.values()))
    of = [of] if isinstance(of, str) else list(of or _usual(first))
    size = _size(style, 6.4, 1.2 + 1.6 * len(of))
    figure, panels = plt.subplots(
        len(of), 1, sharex=True, squeeze=False, layout="constrained", figsize=size
    )
    for panel, name in zip(panels[:, 0], of):
        if exact is not None:
            panel.plot(*_curve(exact, name), color="0.7", linewidth=3 * style.lines, label="exact")
        for i, (label, run) in enumerate(runs.items()):
            panel.plot(
                *_curve(run, name),
                color=_COLOURS[i % len(_COLOURS)],
                linestyle=_DASHES[i % len(_DASHES)],
                linewidth=style.lines,
                label=label,
            )
        panel.set_ylabel(f"{name}: {first.label(name)}", fontsize="small")
        panel.grid(alpha=0.3)
    _legend(panels[0, 0], style)
    panels[-1, 0].set_xlabel("t [s]")
    if style.titled:
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
