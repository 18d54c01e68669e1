#!/usr/bin/env python3
"""first_answers.py TOOL FOLDER [grazing|drift|stiffness|multiple|stages]... -- the tables and pictures of the pages on grazing, drift at
e = 1, stiffness and step, multiple impacts, and complementarity at stages. Every number is of a command of the tool; tables go
to standard output, pictures with their scripts into FOLDER. Some minutes; the seeds are fixed.
SPDX-License-Identifier: GPL-3.0-or-later"""
import csv
import math
import os
import random
import statistics
import subprocess
import sys

TOOL, FOLDER = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])


def tool(*words):
    return subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True, cwd=FOLDER, check=False)


def rows(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def last_row(model, scheme, step, end, columns, *settings):
    """The last row of a run as numbers, or None if the run failed."""
    words = [w for s in settings for w in ("--set", s)]
    run = tool("run", model, "--scheme", scheme, "--step", repr(step), "--end", repr(end), "--columns", columns, "--out", "run.csv", *words)
    return {k: float(v) for k, v in rows("run.csv")[-1].items()} if run.returncode == 0 else None


def medians(scheme, steps, *words):
    """Median step and L1 error of q for each level of steps, 8 runs each."""
    tool("order", *words, "--scheme", scheme, "--steps", steps, "--norm", "l1", "--of", "q", "--plot-format", "none", "--out", "order",
         "--overwrite")
    points = [(float(r["step"]), float(r["error"])) for r in rows("order/errors.csv")]
    groups = [points[i:i + 8] for i in range(0, len(points), 8)]
    return [tuple(statistics.median(x) for x in zip(*g)) for g in groups]


def table(head, lines):
    print("|", " | ".join(head), "|\n|" + " --- |" * len(head))
    for line in lines:
        print("|", " | ".join(line), "|")
    print(flush=True)


def picture(name, xlabel, ylabel, curves):
    """curves: [(title, points)], on logarithmic axes."""
    colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"]
    with open(os.path.join(FOLDER, name + ".gp"), "w", encoding="utf-8") as out:
        for i, (_, points) in enumerate(curves):
            print(f"$d{i} << EOD", *(f"{x!r} {y!r}" for x, y in points), "EOD", sep="\n", file=out)
        print(f"set encoding utf8\nset terminal pngcairo size 1000,640 font 'DejaVu Sans,13'\nset output '{name}.png'\nset logscale xy\n"
              f"set format xy '10^{{%T}}'\nset xlabel '{xlabel}'\nset ylabel '{ylabel}'\nset key outside right top\nset grid\nplot "
              + ", ".join(f"$d{i} with linespoints lw 2 pt {2 * i + 1} lc rgb '{colours[i]}' title '{title}'" for i, (title, _) in enumerate(curves)),
              file=out)
    subprocess.run(["gnuplot", "--default-settings", name + ".gp"], cwd=FOLDER, check=True)


def grazing():
    """Errors over the step at several distances from grazing."""
    distances = ["1e-2", "1e-3", "1e-4", "1e-5", "1e-6"]
    for scheme in ("moreau-jean", "schatzman-paoli", "rk-moreau"):
        found = {d: medians(scheme, "0.1:1e-4:13", "impacting-oscillator", "--set", "f=1", "--set", f"q0={2 + float(d)!r}", "--end", 6)
                 for d in ["0"] + distances}
        table([scheme] + [f"h = {h:.1e}" for h, _ in found["0"][::3]], [[d] + [f"{e:.1e}" for _, e in found[d][::3]] for d in found])
        if scheme == "schatzman-paoli":
            picture("grazing", "h/√δ, s/√m", "L^1 error of q over √δ, s √m",
                    [(f"δ = {d}", [(h / float(d)**.5, e / float(d)**.5) for h, e in found[d]]) for d in distances])


def drift():
    """Change of the energy per bounce at e = 1, mean and scatter over 8 steps near h."""
    dice, bounces = random.Random(3), 50
    schemes = ("moreau-jean moreau-jean:theta=1 moreau-jean-variant nonsmooth-newmark nonsmooth-generalized-alpha nonsmooth-bdf2 "
               "schatzman-paoli rk-moreau splitting-rkf45 tdg-d1-minus fully-implicit-newmark energy-preserving laursen-love naive-rk4")
    for model, end, energy in (("bouncing-ball", 2 * bounces, lambda r: .5 * r["v0"]**2 + 2 * r["q0"]),
                               ("impacting-oscillator", math.pi * bounces, lambda r: .5 * r["v0"]**2 + .5 * r["q0"]**2)):
        start = {"bouncing-ball": 2, "impacting-oscillator": .5}[model]
        lines = []
        for scheme in schemes.split():
            cells = []
            for h in (.05, .02, .008):
                per = [(energy(last_row(model, scheme, h * 10**dice.uniform(-.15, .15), end, "q0,v0", "e=1")) / start - 1) / bounces for _ in range(8)]
                cells.append(f"{statistics.mean(per):.1e} ± {statistics.pstdev(per):.1e}")
            lines.append([f"`{scheme}`"] + cells)
        table([model, "h = 0.05", "0.02", "0.008"], lines)


def stiffness():
    """Errors over stiffness and step of both laws of spring-damper, and the best stiffness."""
    steps = [1e-2, 3e-3, 1e-3, 3e-4, 1e-4]
    for law, low in (("kelvin-voigt", 2), ("hunt-crossley", 3)):
        found = {h: [] for h in steps}
        for k in [float(f"{10**(low + i / 2):.3g}") for i in range(15)]:
            for h in steps:
                both = medians(f"spring-damper:law={law},k={k:g}", f"{h * 1.01}:{h * .99}:2", "bouncing-ball", "--end", 2.4)
                found[h].append((k, statistics.median(e for _, e in both)))
        best = {h: min(found[h], key=lambda p: p[1]) for h in steps}
        table([law, "best k", "its error", "moreau-jean"], [[f"h = {h:g}", f"{best[h][0]:.0e}", f"{best[h][1]:.1e}", "%.1e" % statistics.median(
            e for _, e in medians("moreau-jean", f"{h * 1.01}:{h * .99}:2", "bouncing-ball", "--end", 2.4))] for h in steps])
        picture("stiffness-" + law, "k, N/m", "L^1 error of q, m s", [(f"h = {h:g} s", found[h]) for h in steps])


def multiple():
    """How often a scheme gives which outcome when a mass hits the second wall of a wedge delta/u after the first."""
    dice, count, end = random.Random(5), 160, 1.1
    for scheme, h in (("moreau-jean", .01), ("nonsmooth-generalized-alpha", .01), ("schatzman-paoli", .01), ("rk-moreau", .01), ("spring-damper:k=1e5", 1e-4)):
        lines = []
        for delta in (0, .001, .003, .006, .012):
            settings = ("cosine=0.3", "f1=-1", "f2=-1", "g1=0.5", f"g2={.5 + delta!r}")
            runs = [last_row("wedge", scheme, h * dice.uniform(.9, 1.1), end, "u0,u1", *settings) for _ in range(count if h == .01 else 8)]
            after = [(r["u0"] + end - 1, r["u1"] + end - 1) for r in runs]  # without the load since
            hits = [sum(math.dist(a, b) < .06 for a in after) for b in ((.5, .5), (.7475, .275))]
            spread = [f"{min(a[i] for a in after):.2f} to {max(a[i] for a in after):.2f}" for i in (0, 1)]
            lines.append([f"{delta / .01:g}", *(f"{n / len(after):.2f}" for n in hits), f"{1 - sum(hits) / len(after):.2f}", *spread])
        table([f"{scheme}: τ/h", "together", "one by one", "neither", "u0 after", "u1 after"], lines)


def stages():
    """One contact at the stages of a Runge-Kutta method: 0 <= U_i + e U <T> P_i >= 0, U_i = U + sum a_ij P_j, U = -1."""
    r3, r6, g = math.sqrt(3), math.sqrt(6), 1 - 1 / math.sqrt(2)
    methods = {
        "implicit Euler": ([[1]], [1]), "midpoint, Gauss 1": ([[.5]], [1]), "Gauss 2": ([[.25, .25 - r3 / 6], [.25 + r3 / 6, .25]], [.5, .5]),
        "SDIRK 2": ([[g, 0], [1 - g, g]], [1 - g, g]), "Radau IIA 2": ([[5 / 12, -1 / 12], [.75, .25]], [.75, .25]),
        "Radau IIA 3": ([[(88 - 7 * r6) / 360, (296 - 169 * r6) / 1800, (-2 + 3 * r6) / 225], [(296 + 169 * r6) / 1800, (88 + 7 * r6) / 360,
                        (-2 - 3 * r6) / 225], [(16 - r6) / 36, (16 + r6) / 36, 1 / 9]], [(16 - r6) / 36, (16 + r6) / 36, 1 / 9]),
        "Radau IA 2": ([[.25, -.25], [.25, 5 / 12]], [.25, .75]), "Lobatto IIIC 2": ([[.5, -.5], [.5, .5]], [.5, .5]),
        "Lobatto IIIC 3": ([[1 / 6, -1 / 3, 1 / 6], [1 / 6, 5 / 12, -1 / 12], [1 / 6, 2 / 3, 1 / 6]], [1 / 6, 2 / 3, 1 / 6]),
        "Lobatto IIIA 2, trapezoidal": ([[0, 0], [.5, .5]], [.5, .5]), "RK4": ([[0] * 4, [.5, 0, 0, 0], [0, .5, 0, 0], [0, 0, 1, 0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6])}
    lines = []
    for name, (a, b) in methods.items():
        cells = []
        for e in (0, .5, 1):
            entries = [(i, j, w) for i, row in enumerate(a) for j, w in enumerate(row) if w]
            with open(os.path.join(FOLDER, "stages.dat"), "w", encoding="utf-8") as out:
                print(f"dim 1\ncontacts {len(b)}\nq", *[-1 - e] * len(b), f"\nW {len(entries)}", file=out)
                print(*(f"{i} {j} {w!r}" for i, j, w in entries), sep="\n", file=out)
            if tool("contact", "stages.dat", "--method", "lcp", "--out", "answer.dat").returncode != 0:
                cells.append("no solution")
                continue
            with open(os.path.join(FOLDER, "answer.dat"), encoding="utf-8") as file:
                words = file.read().split()
            impulses = [float(w) for w in words[words.index("r") + 1:words.index("r") + 1 + len(b)]]
            cells.append(f"{sum(x * y for x, y in zip(b, impulses)) - 1:.4g}")
        lines.append([name, f"{b[0] / a[0][0]:.4g}" if a[0][0] else "-"] + cells)
    table(["method", "b₁/a₁₁", "e = 0", "e = 1/2", "e = 1"], lines)


os.makedirs(FOLDER, exist_ok=True)
for answer in sys.argv[3:] or ["grazing", "drift", "stiffness", "multiple", "stages"]:
    globals()[answer]()
