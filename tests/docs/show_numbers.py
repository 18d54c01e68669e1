#!/usr/bin/env python3
"""show_numbers.py TOOL -- recompute the numbers in the texts of `delassus show` about models, schemes, laws, norms and solvers.

Each number with a decimal point or an exponent outside of tables and sources is either recomputed here, to half a unit of its last digit,
or is one of the data of the text, listed in DATA. Any other number fails.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
SAID = re.compile(r"(?<![\w.])-?(?:\d+\.\d+(?:e-?\d+)?|\d+e-?\d+)(?![\w.]|-\d)")
DATA = {  # chosen, not computed; of an interval, a rough range
    "two-ball-oscillator": "1e4 0.2 0.8 1.001 2.001", "random-linear": "0.01 0.1", "random-frictional": "0.01 0.1", "matrix-model": "0.5",
    "slider-crank-clearance": "1e-5 0.2", "rope-limit": "9.81 5e-3 5e-6", "two-cylinders": "43.33 8.93 0.9 0.1", "moreau-jean": "0.75 0.95",
    "kane": "", "rod-impact": "", "slider-crank": "0.05", "andrews": "0.03", "heavy-top": "0.1",
    "mujoco": "0.02 0.001 0.7 0.3", "sap": "1e6 0.1", "icf": "2.65 0.9 0.1 1e6 1e-4 1e-3 1e4 0.6", "ipc": "1e-3 1e6 1e-2 1e-4",  # the makers' lengths, times and factors
}
tool = ""


def output(command):
    """What a command prints."""
    return subprocess.run([tool, *command.split()], check=True, capture_output=True, text=True,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "200"}).stdout


def row(command):
    """The last row of a table, by its columns."""
    return {key: float(x) for key, x in list(csv.DictReader(
        line for line in output(command).splitlines() if not line.startswith("#")))[-1].items()}


def event(command, number, key="t"):
    """A value of an event."""
    lines = [line for line in output(command).splitlines() if line.startswith("# event:")]
    return float(re.search(rf"\b{key}=({NUMBER})", lines[number])[1])


def first(command, words):
    """The number behind the words."""
    return float(re.search(rf"{re.escape(words)}\s*({NUMBER})", output(command))[1])


def rigid_rod():
    """Time and speed of a uniform rod, pinned, that falls from the horizontal until its tip is above 1/sqrt(2): (l/2) w^2 = (3/2) g sin."""
    angle, steps = math.acos(math.sqrt(0.5)), 20000
    speed = lambda s: math.sqrt(3 * 9.81 * math.sin(s))
    # s = x^2 takes the root at the beginning away
    top, total = math.sqrt(angle), 0.0
    for i in range(steps):
        x = (i + 0.5) * top / steps
        total += 2 * x / speed(x * x) * top / steps
    return total, -speed(angle) * math.sin(angle)


def distance(mass):
    """Of the tip of the double pendulum with a light mass from that of the rope, at t = 1 s."""
    a, b = row(f"run rope-limit --set m1={mass} --scheme event-driven:tol=1e-12 --end 1 --at 1"), row("exact rope --at 1")
    return math.hypot(a["q2"] - b["q0"], a["q3"] - b["q1"])


def turn(claimed):
    """The time of a turn: where the second coordinate is zero again, next to the claimed time."""
    state = row(f"run slider-crank --scheme event-driven:tol=1e-12 --end 0.07 --at {claimed}")
    return claimed - state["q1"] / state["v1"]


def crank():
    """The angle of the crank."""
    state = row("run slider-crank --scheme event-driven:tol=1e-12 --end 0.05 --at 0.05")
    return 2 * math.pi + math.atan2(state["q3"], state["q2"])


def top_period(claimed):
    """Where u is least again, next to the claimed time."""
    state = row(f"exact heavy-top --at {claimed}")
    return claimed - state["v5"] / state["a5"]


def two_balls():
    """The energy of two balls and a wall, e = 1, behind impacts that are one or two steps apart, over that at the start."""
    arrays = {"M": (2, 1, 0, 0, 1), "K": (2, 0, 0, 0, 0), "H": (2, 1, 0, -1, 1), "q0": (1, 0.04, 0.44), "v0": (1, 0, -2)}
    with tempfile.TemporaryDirectory() as folder:
        for name, (columns, *values) in arrays.items():
            text = "".join(f"{x}\n" for x in values)
            (pathlib.Path(folder) / name).write_text(f"%%MatrixMarket matrix array real general\n2 {columns}\n{text}", encoding="utf-8")
        files = " ".join(f"--set {name}={folder}/{name}" for name in arrays)
        command = f"energy matrix-model {files} --set e=1 --scheme schatzman-paoli --step 0.05 --end 1"
        return first(command, "energy at the end") / first(command, "energy at the start")


def mujoco_rest(a):
    """Depth and impedance d of a contact of mujoco at rest under the acceleration a: delta = a (1 - d) (dwidth timeconst)^2/d^2."""
    d0, dwidth, width, timeconst, depth = 0.9, 0.95, 1e-3, 0.02, 1e-4
    for _ in range(200):
        x = min(depth / width, 1)
        d = d0 + (2 * x * x if x <= 0.5 else 1 - 2 * (1 - x) ** 2) * (dwidth - d0)
        depth = a * (1 - d) * (dwidth * timeconst / d) ** 2
    return depth, d


def mujoco_creep():
    """Slip of a sticking contact of mujoco on a slope of 30 degrees [m/s]."""
    d = mujoco_rest(9.81 * math.cos(math.pi / 6))[1]
    return 9.81 * 0.5 * (1 - d) / d * 0.95 * 0.02 / 2


def mujoco_lift(mu):
    """Slip above which a contact of mujoco that slides steadily on a level floor hops [m/s]: its depth is 0, so d = d0."""
    R = (1 - 0.9) / 0.9
    return 9.81 * R * (1 + mu * mu) / mu * 0.95 * 0.02 / 2


def icf_restitution(speed, dissipation):
    """e of d |u-| (1 + e) = ln((1 + d |u-|)/(1 - e d |u-|)), by bisection."""
    x, low, high = dissipation * speed, 0.0, 1 / (dissipation * speed) * (1 - 1e-15)
    for _ in range(200):
        e = (low + high) / 2
        low, high = (e, high) if x * (1 + e) > math.log((1 + x) / (1 - e * x)) else (low, e)
    return low


def ipc_rebounds(rule, h):
    """-u+/u- of 1 kg that meets the barrier of ipc, 1 mm and 1e6 N/m, with 2 m/s, over phases of the grid."""
    end, kappa, V, phases, found = 1e-3, 1e6, 2.0, 40, []
    force = lambda g: kappa * (2 * (g - end) * math.log(g / end) + (g - end) ** 2 / g) if g < end else 0.0
    for k in range(phases):
        g, u, a, away = end + (4 + k / phases) * h * V, -V, 0.0, 0
        while away < 5:
            beta = h / 2 if rule == "trapezoidal" else h
            g_ref, u_ref = (g + beta * u, u + beta * a) if rule == "trapezoidal" else (g, u)
            free, low, high = g_ref + beta * u_ref, 0.0, end
            for _ in range(100 if free < end else 0):
                x = (low + high) / 2
                low, high = (x, high) if x - beta * beta * force(x) < free else (low, x)
            g = high if free < end else free
            u = (g - g_ref) / beta
            a, away = (u - u_ref) / beta, away + 1 if g > end and u > 0 else 0
        found.append(u / V)
    return found


def ipc_mean(h):
    """The mean restitution coefficient of rule=euler."""
    return sum(ipc_rebounds("euler", h)) / 40


PENDULA = "run double-pendulum --scheme event-driven:tol=1e-12 --end 1 --at 1"
ANDREWS = "run andrews --scheme event-driven:tol=1e-12 --end 0.03 --at 0.03"
DISCS, ROPE = "exact rigid-discs --end 9", "exact rope --end 3"
WOODPECKER = "run woodpecker --scheme event-driven:tol=1e-12 --cycle stick:1 --drift q0"
CLAIMS = [  # entry, text with {} for the number, what it is (of the number itself if it takes it), tolerance if not half a unit
    *(("rod-impact", text, f) for text, f in (
        ("lasts from {} s", lambda: event("exact rod-impact --at 2.1 --out -", 0)), ("0.015 s to {} s", lambda: event("exact rod-impact --at 2.1 --out -", 1)),
        ("the force {} N", lambda: row("exact rod-impact --at 1")["lambda0"]), ("the velocity {} m/s", lambda: row("exact rod-impact --at 2.1")["v0"]),
        ("its energy is {} J", lambda: first("energy rod-impact --scheme conserving-penalty --step 0.02 --end 0.02", "energy at the start")),
        ("step {} s, twice", lambda: 2 * 1 / 100))),
    *((name, text, f) for name in ("random-linear", "random-frictional") for text, f in (
        ("in ({}, 1.71)", lambda: 1 - math.sqrt(0.5)), ("(0.29, {})", lambda: 1 + math.sqrt(0.5)))),
    ("schatzman-paoli", "e = 1: {} times", two_balls),
    ("woodpecker", "period {} s", lambda: first(WOODPECKER, "# cycle_period:")),
    ("woodpecker", "descent {} mm", lambda: -1000 * first(WOODPECKER, "# cycle_advance_q0:")),
    ("kane", "q' = ({}, -0.2)", lambda: row("run kane --scheme moreau-jean --step 0.001 --end 0.001 --at 0")["v0"]),
    ("kane", "(-0.1, {}) rad/s", lambda: row("run kane --scheme moreau-jean --step 0.001 --end 0.001 --at 0")["v1"]),
    ("slider-crank", "energy {} J", lambda: first("energy slider-crank --scheme energy-preserving --step 1e-3 --end 1e-3", "energy at the start")),
    ("slider-crank", "takes {} s", turn), ("slider-crank", "theta(0.05) {} rad", crank),
    *((name, text, lambda k=k: row(PENDULA)[k], 1e-10) for name in ("lens-cardona-c", "double-pendulum") for text, k in (
        ("(x1, y1) = ({}, -", "q0"), ("(x1, y1) = (0.10328336354607, {})", "q1"), ("(x2, y2) = ({}, -", "q2"),
        ("(x2, y2) = (-0.89001924951013, {})", "q3"))),
    ("lens-cardona-d", "t = {} s; for m1 to 0", lambda: event(ROPE, 0)),
    *(("rope-limit", text, lambda m=m: distance(m)) for text, m in (
        ("at t = 1 s: {}, ", 5e-3), ("3.5e-3, {}, ", 5e-4), ("4.9e-4, {}, ", 5e-5), ("6.4e-5, {} m", 5e-6))),
    ("four-bar", "(x1, y1) = ({}, ", lambda: row("exact four-bar --at 10")["q0"]),
    ("four-bar", "(0.4783850578, {})", lambda: row("exact four-bar --at 10")["q1"]),
    *(("rope", text, lambda k=k: event(ROPE, k)) for k, text in enumerate(("t = {}, ", "0.74632, {}, ", "1.17130, {}, ", "2.25511, {}"))),
    ("heavy-top", "of period {} s", top_period), ("heavy-top", "u(0.1) = {}, default", lambda: row("exact heavy-top --at 0.1")["q5"]),
    *(("andrews", text + " = {}", lambda k=k: row(ANDREWS)[f"q{k}"], 5e-9) for k, text in enumerate((
        "beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"))),
    ("spin-up-beam", ", {} m with the defaults", lambda: row("exact spin-up-beam --set rise=0 --at 0")["q27"] - 10),
    ("rotating-beam", "hurdle at t = {} s", lambda: rigid_rod()[0]), ("rotating-beam", "with {} m/s", lambda: rigid_rod()[1]),
    *(("rigid-discs", text, lambda k=k: event(DISCS, k)) for k, text in enumerate((
        "floor {}, ", "floor 1.5, discs {}, ", "right wall {}, ", "top {}, ", "top 4.2844, discs {}, ", "left wall {}"))),
    # u' over p is 1 - (5/24) x/(1 + (5/12)^2 x), x = (omega h)^2: zero at x = 144/5
    ("nonsmooth-adams", "omega h = {} the", lambda: 12 / math.sqrt(5)),
    ("mujoco", "impedance; e = {} with", lambda: math.exp(-2)), ("mujoco", "exp(-2) = {} for", lambda: math.exp(-2)),
    ("mujoco", "any mass and h: {} mm", lambda: 1000 * mujoco_rest(9.81)[0]), ("mujoco", "{} mm/s", lambda: 1000 * mujoco_creep()),
    ("mujoco", "this is {} m/s", lambda: mujoco_lift(0.3)),
    ("sap", "from h = {} ms", lambda: 1000 * (math.sqrt(0.05 ** 2 + 4 * math.pi ** 2 / 1e6) - 0.05)),
    ("icf", "|u-|), {} at 2 m/s", lambda: icf_restitution(2, 50)),
    ("ipc", "rebounds with {}, ", lambda: ipc_mean(1e-2)), ("ipc", "with 0.008, {} and", lambda: ipc_mean(1e-3)),
    ("ipc", "0.115 and {} at", lambda: ipc_mean(1e-4)), ("ipc", "up to {} times the speed", lambda: max(ipc_rebounds("trapezoidal", 1e-2))),
    ("fully-implicit-newmark", "^2 / 4 = {}", lambda: (1 + 0.5) ** 2 / 4),
]


def text_of(name):
    """The text of an entry without its tables and sources, in one line."""
    kept, table = [], False
    for line in output(f"show {name}").splitlines():
        if line and not line.startswith(" "):
            table = line.split()[0] in ("parameters", "options", "coefficients", "source", "sources")
        if not table:
            kept.append(re.sub(r"sections? \d+\.\d+", "", line.strip()))
    return " ".join(" ".join(kept).split())


def half_unit(text):
    """Of the last digit."""
    mantissa, _, exponent = text.partition("e")
    return 0.5005 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def check(name, said, claims):
    """What is wrong with one claim after the other; numbers that are recomputed are taken out of the text."""
    covered = set()
    for _, text, f, *tolerance in claims:
        found = re.search(re.escape(text).replace(r"\{\}", f"({NUMBER})"), said)
        if not found:
            yield f"{name}: it does not say '{text}'"
            continue
        covered.add(found.start(1))
        claimed = float(found[1])
        value = f(claimed) if f.__code__.co_argcount and not f.__defaults__ else f()
        if not abs(claimed - value) <= (tolerance[0] if tolerance else half_unit(found[1])):
            yield f"{name}: '{text.format(found[1])}' is {value:.15g}"
    data = DATA.get(name, "").split()
    for found in SAID.finditer(said):
        if found.start() not in covered and found[0] not in data:
            yield f"{name}: {found[0]} is recomputed nowhere: ...{said[max(0, found.start() - 40):found.end() + 10]}..."


def main():
    global tool
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    failures = entries = 0
    for kind in ("models", "schemes", "laws", "norms", "solvers"):
        for entry in csv.DictReader(output(f"list {kind} --format csv").splitlines()):
            entries += 1
            claims = [claim for claim in CLAIMS if claim[0] == entry["name"]]
            for text in check(entry["name"], text_of(entry["name"]), claims):
                failures += 1
                print(f"FAILED: {text}")
    print(f"{entries} entries, {len(CLAIMS)} numbers, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
