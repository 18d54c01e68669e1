"""proven_events.py -- random requests of `exact --rigorous` against a second precision, and against flights in 90 digits.

    python3 tests/soak/proven_events.py TOOL FOLDER [TRIALS]

Trial K: a model of `exact --rigorous`, some of its parameters at random, e of 0, 0.3, 0.9, 0.99 or 1 where it has one, 5 to 60 digits D.
The same with D + 15 digits must list the same events in enclosures that overlap. None is wider than 2e-D max(1, |x|). Models with impacts are
also integrated by Taylor series in 90 digits (mpmath), each impact being the first change of sign of the gap. Their first impacts must lie in the enclosures.
A refusal must have a reason, and no command takes much longer than its --time-limit. FOLDER keeps proven_events.log with a line for each trial. A second
start continues after the last one. Exit status 1 if any trial went wrong.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import random
import re
import subprocess
import sys
import time

import mpmath as mp

MODELS = ["bouncing-ball", "impacting-oscillator", "two-ball-oscillator", "vibrating-table", "rope", "belt", "forced-block", "spring-block", "den-hartog",
          "puck"]
PARAMETER = re.compile(r"  (\S+) +(\S+) +([\[(])([^,]*), ([^\])]*)[\])]")
LIMIT = 40  # s of a command
CHECKED = 12  # impacts by mpmath
STEPS = 1000  # and its Taylor series
mp.mp.dps = 90


def parameters(model):
    """[(name, default, least, most, is 0 allowed?)]"""
    lines = subprocess.run([tool, "show", model], capture_output=True, text=True, check=True).stdout
    table = lines.split("parameters (", 1)[1].split("\n\n", 1)[0]
    rows = [m.groups() for m in map(PARAMETER.match, table.splitlines()) if m]
    return [(name, default, float(least), float(most), not (side == "(" and float(least) == 0)) for name, default, side, least, most in rows]


def draw(rng, model):
    """All parameters of a trial as decimals."""
    chosen = {}
    for name, default, least, most, may_vanish in parameters(model):
        value = float(default) * 2 ** rng.uniform(-1.5, 1.5) if float(default) != 0 else rng.uniform(-1, 1)
        value = 0 if rng.random() < 0.1 and may_vanish else value
        chosen[name] = f"{min(max(value, least), most):.3g}" if rng.random() < 0.5 else default
        if name == "e":
            chosen[name] = rng.choice(["0", "0.3", "0.9", "0.99", "1"])
        if name == "f" and model in ("bouncing-ball", "impacting-oscillator") and rng.random() < 0.7:
            chosen[name] = f"{-10 ** rng.uniform(-1, 1):.3g}"  # accumulates
    return chosen


def enclosures(model, chosen, digits, end):
    """Exit status, rows {column: (low, high)} with the event, messages, seconds."""
    words = [word for name, value in chosen.items() for word in ("--set", f"{name}={value}")]
    begin = time.time()
    done = subprocess.run([tool, "exact", model, *words, "--rigorous", "--digits", str(digits), "--end", end, "--time-limit", str(LIMIT), "--out", "-"],
                          capture_output=True, text=True, check=False)
    seconds = time.time() - begin
    lines = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    rows = []
    names = lines[0].split(",") if lines else []
    for line in lines[1:]:
        cells = line.split(",")
        row = {name[:-3]: (mp.mpf(cells[i]), mp.mpf(cells[i + 1])) for i, name in enumerate(names) if name.endswith("_lo")}
        rows.append((row, cells[-1]))
    return done.returncode, rows, done.stderr.strip(), seconds


def two_precisions(coarse, fine, digits):
    """What is wrong with rows of D digits, given those of more."""
    if [event for _, event in coarse] != [event for _, event in fine][:len(coarse)] and not same_but_tail(coarse, fine):
        return "other events with more digits"
    wrong = ""
    events = [event for _, event in coarse]
    alike = events.index("accumulation") - 1 if "accumulation" in events else len(coarse)  # with more digits more impacts come before it
    for (one, _), (other, _) in zip(coarse[:alike], fine):
        if wrong:
            break
        for name, (low, high) in one.items():
            if low > high or max(low, other[name][0]) > min(high, other[name][1]):
                wrong = f"{name} in [{mp.nstr(low, digits + 3)}, {mp.nstr(high, digits + 3)}], and in [{mp.nstr(other[name][0], digits + 9)}, ...]"
            elif high - low > mp.mpf(2.1) * mp.mpf(10) ** -digits * max(1, abs(low)):
                wrong = f"{name} of width {mp.nstr(high - low, 3)}"
    return wrong or accumulations(coarse, fine)


def same_but_tail(coarse, fine):
    """The events without the impacts that more digits see before an accumulation."""
    def outline(rows):
        out = []
        for _, event in rows:
            if event == "accumulation":
                while out and out[-1] == "impact":
                    out.pop()
            if event:
                out.append(event)
        return out
    return outline(coarse) == outline(fine)


def accumulations(coarse, fine):
    """Each accumulation, and the last row, by both."""
    one = [row for row, event in coarse if event == "accumulation"] + [coarse[-1][0]]
    other = [row for row, event in fine if event == "accumulation"] + [fine[-1][0]]
    for a, b in zip(one, other):
        for name in a:
            if max(a[name][0], b[name][0]) > min(a[name][1], b[name][1]):
                return f"{name} at an accumulation or the end"
    return ""


# --- flights in 90 digits ---

def motion(model, chosen):
    """x' = L x, gap w x, the start, and what an impact does to x."""
    p = {name: mp.mpf(value) for name, value in chosen.items()}
    wave = [mp.cos(p["phase"]), mp.sin(p["phase"])] if "phase" in p else []
    if model == "bouncing-ball":
        return [[0, 1, 0], [0, 0, p["f"] / p["m"]], [0, 0, 0]], [1, 0, 0], [p["q0"], p["v0"], 1], [1]
    if model == "impacting-oscillator":
        m, w = p["m"], p["omega"]
        return ([[0, 1, 0, 0, 0], [-p["k"] / m, -p["c"] / m, p["f"] / m, p["amplitude"] / m, 0], [0] * 5, [0, 0, 0, 0, -w], [0, 0, 0, w, 0]],
                [1, 0, 0, 0, 0], [p["q0"], p["v0"], 1, *wave], [1])
    if model == "vibrating-table":
        w = p["omega"]
        return ([[0, 1, 0, 0, 0], [0, 0, -p["g"], 0, 0], [0] * 5, [0, 0, 0, 0, -w], [0, 0, 0, w, 0]],
                [1, 0, 0, 0, -p["A"]], [p["q0"], p["v0"], 1, *wave], [1])
    k, m, g = p["k"], p["m"], p["g"]  # q1, v1, 1, q2, v2
    return ([[0, 1, 0, 0, 0], [-k / m, 0, -g - k * p["l"] / m, k / m, 0], [0] * 5, [0, 0, 0, 0, 1], [k / m, 0, -g + k * p["l"] / m, -k / m, 0]],
            [1, 0, -p["R"], 0, 0], [p["q1"], p["v1"], 1, p["q2"], p["v2"]], [1])


def dot(a, b):
    return sum((x * y for x, y in zip(a, b) if x != 0), mp.mpf(0))


def series(L, x, terms):
    out = [list(x)]
    for n in range(1, terms):
        out.append([dot(row, out[-1]) / n for row in L])
    return out


def value(coefficients, w, s):
    return mp.polyval([dot(w, c) for c in reversed(coefficients)], s)


def impacts(model, chosen, end):
    """Times of the first impacts, and velocities after them; None where the gap begins at 0."""
    L, w, x, hit = motion(model, chosen)
    slope = [sum(w[i] * L[i][j] for i in range(len(x))) for j in range(len(x))]
    if dot(w, x) <= 0:
        return None
    norm = max(sum(abs(mp.mpf(v)) ** (1 if i == j else mp.mpf(1) / 2) for j, v in enumerate(row)) for i, row in enumerate(L))
    step = mp.mpf(1) / 4 / (1 + norm)
    t, since, found = mp.mpf(0), 0, []
    for _ in range(STEPS):
        if t >= end or len(found) == CHECKED:
            break
        c = series(L, x, 60)
        h, best = step, None
        if since == 0 and found:  # close to an impact: first guess of the flight
            u, a = dot(slope, x), dot([dot(slope, col) for col in zip(*L)], x)
            h = min(step, -u / a) if a < 0 else step  # up to the top
        if value(c, w, h) < 0:
            low, high = mp.mpf(0), h
            best = mp.findroot(lambda s: value(c, w, s), (low + high) / 2, tol=1e-150, maxsteps=40, verify=False)
        if best is None:
            x, t, since = [value(c, unit(j, len(x)), h) for j in range(len(x))], t + h, since + 1
            continue
        t += best
        x = [value(c, unit(j, len(x)), best) for j in range(len(x))]
        u = dot(slope, x)
        if not u < 0 or not -1e-60 < dot(w, x) < 1e-60:
            return found
        x[1] -= hit[0] * (1 + mp.mpf(chosen["e"])) * u
        found.append((t, x[1]))
        since = 0
        if chosen["e"] == "0" or abs(u) < 1e-20:
            break
    return found


def unit(j, k):
    return [1 if i == j else 0 for i in range(k)]


def by_flights(model, chosen, rows, end):
    """The first impacts, by mpmath."""
    found = impacts(model, chosen, mp.mpf(end))
    table = [row for row, event in rows if event in ("impact",)]
    if found is None or any(event in ("lift-off", "accumulation") for _, event in rows[:2 * len(found)]):
        return ""
    for i, (t, _) in enumerate(found):
        if t > mp.mpf(end):
            break
        if i >= len(table):
            return f"impact {i} at {mp.nstr(t, 20)} is not listed"
        v = table[i]["v0"]
        if not table[i]["t"][0] <= t <= table[i]["t"][1]:
            return f"impact {i} at {mp.nstr(t, 40)}, not in [{mp.nstr(table[i]['t'][0], 40)}, ...]"
        if not v[0] <= found[i][1] <= v[1]:
            return f"v0 after impact {i} {mp.nstr(found[i][1], 40)}, not in [{mp.nstr(v[0], 40)}, ...]"
    return ""


def trial(number):
    rng = random.Random(number)
    model = MODELS[number % len(MODELS)]
    chosen = draw(rng, model)
    digits = rng.randint(5, 60)
    end = f"{10 ** rng.uniform(-1, 1.7):.3g}"
    code, rows, said, seconds = enclosures(model, chosen, digits, end)
    text = f"{model} {','.join(f'{n}={v}' for n, v in chosen.items())} digits={digits} end={end}"
    wrong = ""
    if code == 0:
        more, fine, why, _ = enclosures(model, chosen, digits + 15, end)
        wrong = two_precisions(rows, fine, digits) if more == 0 else ""
        said = f"{len(rows)} rows" + (f", with more digits: {why}" if more != 0 else "")
        if not wrong and model in MODELS[:4]:
            wrong = by_flights(model, chosen, rows, end)
    elif code not in (1, 2, 75) or not said or rows:
        wrong = f"exit status {code}"
    if seconds > LIMIT + 20:
        wrong = wrong or f"{seconds:.0f} s"
    return f"{number} {'WRONG ' + wrong if wrong else 'ok'} [{seconds:.1f} s] {text}: {said.splitlines()[-1] if said else ''}"


def main():
    path = os.path.join(sys.argv[2], "proven_events.log")
    done = sum(1 for _ in open(path, encoding="utf-8")) if os.path.exists(path) else 0
    for number in range(done, int(sys.argv[3]) if len(sys.argv) > 3 else 200):
        line = trial(number)
        with open(path, "a", encoding="utf-8") as log:
            log.write(line + "\n")
    with open(path, encoding="utf-8") as log:
        wrong = [line for line in log if " WRONG " in line]
    print(f"{len(wrong)} wrong, see {path}")
    return 1 if wrong else 0


if __name__ == "__main__":
    tool = sys.argv[1]
    sys.exit(main())
