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
    schemes = {}
    for row in of_study.errors:
        if (row["norm"], row["of"]) == (norm, of) and row["error"] > 0:
            schemes.setdefault(":".join(filter(None, (row["scheme"], row["options"]))), []).append(row)
    for i, (scheme, rows) in enumerate(schemes.items()):
        over = [sum(row[column] for column in columns) for row in rows]
        colour = _COLOURS[i % len(_COLOURS)]
        if all(x == x for x in over):  # no step: not a number
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
            axes.axhline(
                rows[0]["error"],
                color=colour,
                linestyle="--",
                linewidth=1.5 * style.lines,
                label=f"{scheme}, its own steps",
            )
    axes.set_xlabel(label)
    axes.set_ylabel(f"error of {of}, {norm}")
    axes.grid(alpha=0.3)
    _legend(axes, style)
    return figure


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
            panel.plot(exact.t, exact[name], color="0.7", linewidth=3 * style.lines, label="exact")
        for i, (label, run) in enumerate(runs.items()):
            panel.plot(
                run.t,
                run[name],
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


def _usual(run):
    names = [name for name in run.columns if name[:1] in "qv" and name[1:].isdigit()]
    half = min(len(names) // 2, _MOST_PANELS // 2)
    return [f"q{i}" for i in range(half)] + [f"v{i}" for i in range(half)]


def _scheme(run):
    return run.notes.get("choice", run.notes.get("scheme", ""))
