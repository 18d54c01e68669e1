# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures by matplotlib; Okabe and Ito's colours, which are apart in grey and for the colour-blind."""
import matplotlib.pyplot as plt

_MOST_PANELS = 6
_COLOUR = "#0072B2"


def trajectory(run, of=None, exact=None):
    """A figure of columns over time, a panel each."""
    of = [of] if isinstance(of, str) else list(of or _usual(run))
    figure, panels = plt.subplots(len(of), 1, sharex=True, squeeze=False, layout="constrained",
                                  figsize=(6.4, 1.2 + 1.6 * len(of)))
    for panel, name in zip(panels[:, 0], of):
        if exact is not None:
            panel.plot(exact.t, exact[name], color="0.6", linewidth=2.5, label="exact")
        panel.plot(run.t, run[name], color=_COLOUR, linewidth=1, label=run.notes.get("choice", run.notes.get("scheme")))
        panel.set_ylabel(f"{name}: {run.label(name)}", fontsize="small")
        panel.grid(alpha=0.3)
    if exact is not None:
        panels[0, 0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=2, fontsize="small", frameon=False)
    panels[-1, 0].set_xlabel("t [s]")
    figure.suptitle(_title(run), fontsize="medium")
    return figure


def _usual(run):
    names = [name for name in run.columns if name[:1] in "qv" and name[1:].isdigit()]
    half = min(len(names) // 2, _MOST_PANELS // 2)
    return [f"q{i}" for i in range(half)] + [f"v{i}" for i in range(half)]


def _title(run):
    scheme = run.notes.get("choice", run.notes.get("scheme", ""))
    return ", ".join(text for text in (run.notes.get("model", ""), scheme) if text)
