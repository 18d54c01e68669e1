#!/usr/bin/env python3
"""contact_studies.py TOOL -- the studies of what contact models of engines do: all expectations hold, and every run has the restitution, or
the slip after the impact, of the map of one contact at the phase of its grid. The maps are those of docs/reference/step-models.md, written out here.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

OTHERS = ("todorov-2014-slip-hop", "catto-2005-column-at-rest", "li-2020-restitution")  # their expectations are in closed form already


def chrono(h, phase):
    """A body that arrives after the fraction e of a step is stopped first."""
    return 0.5 if phase < 0.5 else 0.5 * phase


def baumgarte(h, phase):
    """The penetration (1 - phase) h V becomes the speed 0.2 (1 - phase) V."""
    return 0.2 * (1 - phase)


def xpbd(h, phase):
    """(2, -1) m/s, mu = 0.3: the normal impulse only keeps the gap from closing."""
    return 1 - 0.15 * (1 - phase)


def convex(h, phase):
    """K* contains u + b n, normal to P in K, with b = -(1 - phase): the penetration is pushed out in one step."""
    mu, b = 0.3, -(1 - phase)
    return mu * (2 + mu * (-1 + b)) / (1 + mu * mu) - b


def mujoco(h, phase):
    """a = max(0, d (-b u - K d r)), d = 0.95, the first penetration is (1 - phase) h V. refsafe keeps the time constant above 2 h."""
    d, speed, r, timeconst = 0.95, 2.0, -(1 - phase) * h * 2.0, max(0.02, 2 * h)
    b, stiffness = 2 / (d * timeconst), 1 / (d * timeconst) ** 2
    u = -speed
    while r < 0:
        u += h * max(0.0, d * (-b * u - stiffness * d * r))
        r += h * u
    return u / speed


def icf(h, phase):
    """Hunt and Crossley's normal, friction bounded by mu n0 and regularised, both with the velocity at the end of the step."""
    k, d, mu, speed = 1e6, 50.0, 0.3, 1.0
    u, slip, phi = -speed, 2.0, -(1 - phase) * h * speed
    while phi < 0:
        f0 = -k * phi
        n0 = h * f0 * max(0.0, 1 - d * u)
        epsilon = max(1e-4, mu * 2.65e-3 * n0)
        a, b, c = h * h * k * d, -(h * h * k + h * f0 * d + 1), u + h * f0
        u = 2 * c / (-b + math.sqrt(b * b - 4 * a * c)) if u < min(f0 / (h * k), 1 / d) else u
        low, high = 0.0, slip
        for _ in range(200):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if middle + mu * n0 * middle / math.hypot(middle, epsilon) < slip else (low, middle)
        slip = 0.5 * (low + high)
        phi += h * u
    return slip / 2


# study, part, scheme, options, column, map, tolerance: rounding where an impact is over in one step or two. Else the measure ends where the
# velocity grows by less than 1e-6 of the fastest in a step.
MAPS = (
    ("tasora-2011-bounce-test", "", "chrono-nsc", "", "first_restitution", chrono, 1e-9),
    ("baumgarte-1972-rebound", "plastic", "sequential-impulse", "", "first_restitution", baumgarte, 1e-9),
    ("mueller-2020-impact-friction", "", "xpbd", "substeps=1", "first_slip_ratio", xpbd, 1e-9),
    ("anitescu-2006-jump", "impact", "convex-step", "contacts=closed", "first_restitution", convex, 1e-9),
    ("todorov-2014-damping-ratio-one", "phase", "mujoco", "restitution=own,d0=0.95", "first_restitution", mujoco, 5e-6),
    ("castro-2023-impact-stick", "steps", "icf", "restitution=own", "first_slip_ratio", icf, 1e-5),
)
EDGE = 1e-6  # so near to a jump of the map, or to the ends of the step, rounding decides


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(line for line in file if not line.startswith("#"))


def check_map(folder, study, part, scheme, options, column, of, tolerance):
    failures, seen, worst = [], 0, 0.0
    for row in rows_of(folder / study / part / "quality.csv"):
        if (row["scheme"], row["options"]) != (scheme, options):
            continue
        h, phase, value = (float(row[key]) for key in ("step", "first_phase", column))
        if not min(phase, abs(phase - 0.5), 1 - phase) > EDGE:
            continue
        error = abs(value - of(h, phase))
        seen, worst = seen + 1, max(worst, error)
        if not error <= tolerance:
            failures.append(f"{study}: {scheme}, h = {h:.6g} s, phase {phase:.6g}: {column} = {value:.9g}, the map has {of(h, phase):.9g}")
    print(f"{study}: {seen} runs of {scheme}, largest distance from the map {worst:.1e}")
    return failures if seen >= 30 else [*failures, f"{study}: only {seen} runs of {scheme} have an impact"]


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for study in [*OTHERS, *(row[0] for row in MAPS)]:
            command = [tool, "study", study, "--strict", "--plot-format", "none"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                failures.append(f"{study}: exit status {done.returncode}: {done.stderr[-300:]}")
        for row in MAPS:
            failures += check_map(folder, *row)
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
