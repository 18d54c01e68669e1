# reference_values.py TOOL DOCS [--write] -- times, periods, positions, forces and energies of the exact problems to 30 digits: are they
# those of DOCS/reference-values.csv and of the table of DOCS/reference-values.md? With --write they are put there. Each value is computed here in decimal numbers, with 50 and with 80 digits, which must agree in
# the 30 that are printed; elliptic integrals by the arithmetic-geometric mean, by quadrature again; zeros with the change of sign
# across the last digit. TOOL's closed forms, in its own arithmetic, must agree to the rounding of doubles, and
# its enclosures (exact --rigorous), where the build has them, must hold them: the column `proven`.
# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import functools
import subprocess
import sys
from decimal import Decimal as D, getcontext, localcontext

PRINTED = 30
AGREE = 4e-15  # relative, or absolute below 1: two or three roundings of a double


# --- functions in decimal numbers ---

def series(term, update):
    total, n = D(0), 0
    while term != 0 and abs(term) > abs(total) * D(10) ** -(getcontext().prec + 3):
        total += term
        n += 1
        term = update(term, n)
    return total


def atan(x):
    halvings = 0
    while abs(x) > D("0.05"):
        x = x / (1 + (1 + x * x).sqrt())
        halvings += 1
    power, total, n = x, D(0), 0
    while power != 0 and abs(power) > D(10) ** -(getcontext().prec + 5):
        total += power / (2 * n + 1)
        power *= -x * x
        n += 1
    return total * 2 ** halvings


PI = {}


def pi():
    digits = getcontext().prec
    if digits not in PI:
        PI[digits] = 4 * atan(D(1))
    return PI[digits]


def sin(x):
    x = x % (2 * pi())
    return series(x, lambda t, n: -t * x * x / ((2 * n) * (2 * n + 1)))


def cos(x):
    return sin(x + pi() / 2)


def acos(x):
    return 2 * atan(((1 - x) / (1 + x)).sqrt())


def asin(x):
    return pi() / 2 - acos(x)


def zero(f, near, width="1e-6"):
    """The zero of f beside a number; f changes sign across it within the digits that are printed."""
    low, high = D(near) - D(width), D(near) + D(width)
    below = f(low)
    assert below * f(high) < 0, "no change of sign"
    while high - low > abs(high) * D(10) ** -(PRINTED + 8):
        # the secant, and the middle where it does not help
        at_low, at_high = f(low), f(high)
        guess = low - at_low * (high - low) / (at_high - at_low)
        for x in (guess - (high - low) / 10 ** 6, guess + (high - low) / 10 ** 6, (low + high) / 2):
            if low < x < high:
                low, high = (x, high) if f(x) * below > 0 else (low, x)
    return (low + high) / 2


def integral(f, a, b):
    """By the substitution x = tanh(pi/2 sinh t), that is fast for ends where f is singular too."""
    half, middle, quarter = (b - a) / 2, (a + b) / 2, pi() / 2
    h, total = D(1) / 32, D(0)
    for n in range(-140, 141):
        t = n * h
        up = quarter * (t.exp() - (-t).exp()) / 2
        if abs(up) > 110:
            continue
        cosh = (up.exp() + (-up).exp()) / 2
        weight = quarter * (t.exp() + (-t).exp()) / 2 / (cosh * cosh)
        near_end = (-abs(up)).exp() / cosh  # 1 - |x|, without cancellation
        x = b - half * near_end if n > 0 else a + half * near_end if n < 0 else middle
        total += weight * f(x, half * near_end if n > 0 else b - x)
    return total * h * half


def elliptic_k(k):
    """K of the modulus k by the arithmetic-geometric mean, which quadrature must confirm."""
    a, b = D(1), (1 - k * k).sqrt()
    while abs(a - b) > D(10) ** -(getcontext().prec - 3):
        a, b = (a + b) / 2, (a * b).sqrt()
    value = pi() / (2 * a)
    if getcontext().prec < 60:
        other = integral(lambda x, _: 1 / (1 - (k * sin(x)) ** 2).sqrt(), D(0), pi() / 2)
        assert abs(other - value) < D(10) ** -PRINTED
    return value


# --- the problems: rows of (model, settings, quantity, unit, how, value, what TOOL has) ---

ROWS = []


def problem(model, settings=""):
    """A decorator: the function returns {(quantity, unit, how): (value, question to TOOL)}."""
    def keep(function):
        ROWS.append((model, settings, function))
        return function
    return keep


def event(index, field="t", end=None):
    return ("event", index, field, end)


def at(time, column):
    return ("at", time, column)


@problem("bouncing-ball")
def ball():
    values = {(f"time of impact {n + 1}", "s", "closed form"): (3 - D(2) ** (1 - n), event(n)) for n in range(5)}
    values["time of the accumulation", "s", "closed form"] = (D(3), event(-1, end=4))
    values["energy after impact 3", "J", "closed form"] = (D(2) / 4 ** 3, None)
    return values


@problem("bouncing-ball", "f=-9.81 e=0.8")
def ball_on_earth():
    first = (2 / D("9.81")).sqrt()
    return {("time of impact 1", "s", "closed form"): (first, event(0)),
            ("time of impact 2", "s", "closed form"): (first * (1 + 2 * D("0.8")), event(1)),
            ("time of the accumulation", "s", "closed form"): (first * 9, event(-1, end=5)),
            ("impulse of impact 1", "N s", "closed form"): (D("1.8") * (2 * D("9.81")).sqrt(), event(0, "impulse"))}


@problem("impacting-oscillator")
def oscillator():
    values = {(f"time of impact {n}", "s", "closed form"): ((n - D("0.5")) * pi(), event(n - 1, end=12)) for n in range(1, 4)}
    values["energy after impact 3", "J", "closed form"] = (D("0.5") / 4 ** 3, None)
    return values


@problem("impacting-oscillator", "c=0.2")
def damped_oscillator():
    rate, omega = D("0.1"), D("0.99").sqrt()
    first = (pi() - atan(omega / rate)) / omega
    speed = (-rate * first).exp() * sin(omega * first) / omega
    values = {("time of impact 1", "s", "closed form"): (first, event(0)),
              ("time of impact 2", "s", "closed form"): (first + pi() / omega, event(1, end=6)),
              ("time of impact 3", "s", "closed form"): (first + 2 * pi() / omega, event(2, end=9)),
              ("velocity before impact 1", "m/s", "closed form"): (-speed, event(0, "u_minus"))}
    values["energy after impact 1", "J", "closed form"] = (speed * speed / 8, None)
    return values


@problem("impacting-oscillator", "f=-0.5")
def preloaded_oscillator():
    f, first = D("0.5"), acos(D(1) / 3)  # q = 1.5 cos t - 0.5
    speed = D("1.5") * sin(first)
    total, n = first, 0
    while speed > D(10) ** -(getcontext().prec + 2):
        speed /= 2
        total += 2 * atan(speed / f)
        n += 1
        if n == 1:
            second = total
    return {("time of impact 1", "s", "closed form"): (first, event(0)),
            ("time of impact 2", "s", "closed form"): (second, event(1, end=6)),
            ("time of the accumulation", "s", "series of arcs"): (total, event(-1, end=9))}


@problem("two-ball-oscillator")
def two_balls():
    g, kappa, e = D("9.81"), D(1000), D("0.9")
    omega = (2 * kappa).sqrt()
    first = (2 / g).sqrt()
    fall = -g * first
    # after it: mean y + z/2 falls freely from 0 with rate m1, z swings with amplitude a
    rate_y, rate_z = -e * fall, fall - (-e * fall)
    mean_rate = rate_y + rate_z / 2
    height = lambda s: mean_rate * s - g * s * s / 2 - rate_z / (2 * omega) * sin(omega * s)
    second = first + zero(height, D("0.51380486215399623") - first)
    return {("time of impact 1", "s", "closed form"): (first, event(0)),
            ("time of impact 2", "s", "zero"): (second, event(1)),
            ("period of the vibration in flight", "s", "closed form"): (2 * pi() / omega, None)}


@problem("elastic-bar")
def bar():
    return {("time of impact", "s", "closed form"): (D("0.5"), event(0)),
            ("time of lift-off", "s", "closed form"): (D("0.5") + D(20) / 30, event(1)),
            ("contact force", "N", "closed form"): (D(300), at("0.8", "lambda0")),
            ("energy", "J", "closed form"): (D(500), None)}


@problem("rod-impact")
def rod():
    return {("time of impact", "s", "closed form"): (D("0.015"), event(0)),
            ("time of lift-off", "s", "closed form"): (D("2.015"), event(1)),
            ("contact force", "N", "closed form"): (D("0.5"), at("1", "lambda0")),
            ("energy", "J", "closed form"): (D("0.125"), None)}


@problem("lens-cardona-a")
def pendulum():
    period = 4 * elliptic_k(D("0.5").sqrt()) / D("9.81").sqrt()
    return {("period", "s", "elliptic integral"): (period, ("returns", period, "q0", 1)),
            ("largest rate", "rad/s", "closed form"): ((2 * D("9.81")).sqrt(), ("quarter", period, "v0", -1))}


@problem("four-bar")
def four_bar():
    square = D("9.81") * 2 / (D(5) / 3)
    p = (1 + 4 * square).sqrt() / 2
    turn = 2 * elliptic_k(square.sqrt() / p) / p
    return {("time of a turn", "s", "elliptic integral"): (turn, ("returns", turn, "q1", 1))}


@problem("heavy-top")
def top():
    m, length, j1, j2, g = D(15), D(1), D("0.234375"), D("0.46875"), D("9.81")
    a = j1 + m * length * length
    spin, precession = D(150), D("-4.61538")
    h3, hz, energy = j2 * spin, a * precession, a * precession ** 2 / 2
    # u'^2 = (1 - u^2)(c0 - c1 u) - (d0 - d1 u)^2, a cubic with zeros u1 < u2 < 1 < u3
    c0, c1, d0, d1 = 2 * energy / a, 2 * m * g * length / a, hz / a, h3 / a
    cubic = lambda u: (1 - u * u) * (c0 - c1 * u) - (d0 - d1 * u) ** 2
    u2 = D(0)  # it starts at rest in theta
    # the other two by the sum and the product of the zeros: c1 u^3 - (c0 + d1^2) u^2 + (2 d0 d1 - c1) u
    total, product = (c0 + d1 * d1) / c1, (2 * d0 * d1 - c1) / c1
    root = (total * total - 4 * product).sqrt()
    u1, u3 = sorted(((total - root) / 2, (total + root) / 2))
    assert max(abs(cubic(u)) for u in (u1, u2, u3)) < D(10) ** -(getcontext().prec - 12)
    low, high = min(u1, u2), max(u1, u2)
    modulus = ((high - low) / (u3 - low)).sqrt()
    period = 4 * elliptic_k(modulus) / (c1 * (u3 - low)).sqrt()
    return {("period of nutation", "s", "elliptic integral"): (period, ("returns", period, "q5", 1)),
            ("lowest height of the axis", "1", "closed form"): (low, ("half", period, "q5", 1))}


@problem("rope")
def rope():
    g, values = D("9.81"), {}
    x, y, vx, vy, t = D(1), D(1), D(0), D(0), D(0)
    for n, near in enumerate(("0.74631965608982187", "1.1713027006907806", "2.2551074933366086")):
        radius = lambda s: 4 - (x + vx * s) ** 2 - (y + vy * s - g * s * s / 2) ** 2
        s = zero(radius, D(near) - t)
        t += s
        x, y, vy = x + vx * s, y + vy * s - g * s * s / 2, vy - g * s
        out = (x * vx + y * vy) / 4
        vx, vy = vx - 2 * out * x, vy - 2 * out * y
        values[f"time of impact {n + 1}", "s", "zero"] = (t, event(n))
    return values


@problem("rocking-block")
def rocking():
    alpha, p = atan(D("0.2")), (3 * D("9.81") / (4 * D("0.26").sqrt())).sqrt()
    # psi'' = p^2 sin psi, psi = alpha - phi, from alpha/2 at rest
    start, left = alpha / 2, 1 - D("1.5") * sin(alpha) ** 2

    def quarter(psi0):
        """Time from rest at psi0 to alpha; with psi = psi0 + y^2 nothing is singular."""
        return integral(lambda y, _: 2 * y / (4 * sin(psi0 + y * y / 2) * sin(y * y / 2)).sqrt() if y > D("1e-60") else D(0),
                        D(0), (alpha - psi0).sqrt()) / p
    first = quarter(start)
    energy = cos(start) - cos(alpha)  # rate^2/(2 p^2) at the impact
    rest = acos(cos(alpha) + energy * left * left)
    return {("time of impact 1", "s", "quadrature"): (first, event(0)),
            ("time of impact 2", "s", "quadrature"): (first + 2 * quarter(rest), event(1)),
            ("part of the rate that an impact leaves", "1", "closed form"): (left, None)}


@problem("belt")
def belt():
    # F = Fs = 1, vb = 0.5: 1 - cos t until the speed sin t is 0.5; it slips where the spring pulls by 1
    stick = asin(D("0.5"))
    return {("time of the first stick", "s", "closed form"): (stick, event(0)),
            ("time of the first slip", "s", "closed form"): (stick + 2 * cos(stick), event(1))}


@problem("belt", "Fs=1.5")
def belt_cycle():
    return {("period of the limit cycle", "s", "closed form"): (2 * (pi() - atan(D(1))) + 2, ("cycle",))}


@problem("spring-block")
def spring_block():
    return {("time of the last turning point", "s", "closed form"): (5 * pi(), event(-1, end=20)),
            ("where it stays", "m", "closed form"): (D(0), at("18", "q0"))}


@problem("spring-block", "F=0.15")
def spring_block_held():
    return {("time of rest", "s", "closed form"): (3 * pi(), event(-1, end=20)),
            ("where it stays", "m", "closed form"): (D("-0.1"), at("12", "q0"))}


@problem("forced-block")
def forced_block():
    stick = zero(lambda t: sin(t) - D("0.7") * t, "1.410185376648158")
    return {("time of the first stick", "s", "zero"): (stick, event(0)),
            ("time of the first slip", "s", "closed form"): (pi() - acos(D("0.7")), event(1))}


@problem("incline")
def incline():
    rate = D("9.81") * (D("0.5") + D("0.3") * D("0.75").sqrt())
    return {("time of the reversal", "s", "closed form"): (2 / rate, event(0)),
            ("place of the reversal", "m", "closed form"): (2 / rate, ("at-value", 2 / rate, "q0"))}


@problem("puck")
def puck():
    slope = D("0.2")  # tan(alpha)
    kappa, sine = D("0.3") / slope, slope / (1 + slope * slope).sqrt()
    return {("time of rest", "s", "closed form"): ((kappa - D("0.5")) / (D("9.81") * sine * (kappa * kappa - 1)), event(0))}


@problem("puck-belt")
def puck_belt():
    time = D("1.25").sqrt() / (D("0.3") * D("9.81"))
    return {("time of sticking", "s", "closed form"): (time, event(0)),
            ("path along the belt", "m", "closed form"): (time / 4, ("at-value", time, "q0"))}


@problem("sphere")
def sphere():
    slip = (D(1) - D("0.1") * 20, D("0.5") + D("0.1") * 30)
    size = (slip[0] ** 2 + slip[1] ** 2).sqrt()
    return {("time of rolling", "s", "closed form"): (2 * size / (7 * D("0.2") * D("9.81")), event(0)),
            ("speed along x then", "m/s", "closed form"): (1 - D(2) / 7 * slip[0], ("at-value", 1, "v0"))}


@problem("superball")
def superball():
    first = (2 / D("9.81")).sqrt()
    return {(f"time of impact {n + 1}", "s", "closed form"): (first * (2 * n + 1), event(n)) for n in range(3)}


@problem("bounce-slip")
def bounce_slip():
    first = (2 / D("9.81")).sqrt()
    return {("time of impact 1", "s", "closed form"): (first, event(0)),
            ("time of the accumulation", "s", "closed form"): (3 * first, None)}


@problem("vibrating-table")
def table():
    time = zero(lambda t: D("0.1") - D("9.81") * t * t / 2 - D("0.01") * sin(60 * t), "0.13577659686695473")
    return {("time of impact 1", "s", "zero"): (time, event(0)),
            ("relative speed before it", "m/s", "zero"): (-D("9.81") * time - D("0.6") * cos(60 * time), event(0, "u_minus"))}


@problem("rigid-discs")
def discs():
    # from (0, 0) with (1, -2), floor at y = -4.8 + 1.8 = -3; the other rests at (4.7, 1); both of radius 1.8
    time = D("1.5")
    dx, dy, vx, vy = D("4.7") - time, D(1) + 3, D(-1), D(-2)
    inner, square, rest = dx * vx + dy * vy, vx * vx + vy * vy, dx * dx + dy * dy - D("3.6") ** 2
    second = time + rest / (-inner + (inner * inner - square * rest).sqrt())
    return {("time of the first impact on the floor", "s", "closed form"): (time, event(0)),
            ("time of the first impact of the discs", "s", "closed form"): (second, event(1))}


@problem("ball-chain", "e=0.5")
def chain():
    # hits at 0.1/1, then 0.1/(3/4) later; the first two meet again with 1/4 and 3/8: the gap of 0 and the time since grow to it
    first, second = D("0.1"), D("0.1") + D("0.1") / D("0.75")
    return {("time of collision 1", "s", "closed form"): (first, event(0)),
            ("time of collision 2", "s", "closed form"): (second, event(1))}


@problem("lattice-pile")
def pile():
    return {("force below a line of 5 discs", "N", "closed form"): (5 * D("9.81") / D(3).sqrt(), ("largest", "lambda"))}


# --- TOOL's answers, in its own arithmetic ---

def lines(tool, *words):
    return subprocess.run([tool, *words], check=True, capture_output=True, text=True).stdout.splitlines()


def ask(tool, model, settings, question):
    """What TOOL says to a question, or None where it has no such value."""
    if question is None:
        return None
    words = [model] + [word for pair in settings.split() for word in ("--set", pair)]
    kind = question[0]
    if kind == "event":
        _, index, field, end = question
        events = [line for line in lines(tool, "exact", *words, "--end", str(end or 4)) if line.startswith("# event:")]
        return float(dict(pair.split("=") for pair in events[index].split()[2:])[field])
    if kind == "cycle":
        values = lines(tool, "run", *words, "--scheme", "event-driven:tol=1e-12", "--end", "60", "--cycle", "stick:0", "--stats")
        return float(dict(line.split("=") for line in values if "=" in line)["cycle_period"])
    time, column = {"at": lambda: (question[1], question[2]), "at-value": lambda: (question[1], question[2]),
                    "returns": lambda: (question[1], question[2]), "half": lambda: (question[1] / 2, question[2]),
                    "quarter": lambda: (question[1] / 4, question[2]), "largest": lambda: ("1", None)}[kind]()
    rows = [line for line in lines(tool, "exact", *words, "--at", f"{D(time):.17g}") if not line.startswith("#")]
    table = dict(zip(rows[0].split(","), map(float, rows[-1].split(","))))
    if kind == "largest":
        return max(value for name, value in table.items() if name.startswith(question[1]))
    if kind == "returns":  # back where it was, in units of the coordinate: the period itself is not among TOOL's values
        first = [line for line in lines(tool, "exact", *words, "--at", "0") if not line.startswith("#")]
        drift = table[column] - dict(zip(first[0].split(","), map(float, first[-1].split(","))))[column]
        return ("drift", drift)
    return table[column] * (question[3] if len(question) > 3 else 1)


def difference(value, answer):
    """TOOL's distance, relative to values above 1."""
    if answer is None:
        return None
    if isinstance(answer, tuple):
        return abs(answer[1])
    return abs(float(D(answer) - value)) / max(1.0, abs(float(value)))


def bound_of(question):
    if question is not None and question[0] == "cycle":
        return 1e-9  # of a run by events
    return 100 * AGREE if question is not None and question[0] == "returns" else AGREE


def shown(value):
    with localcontext() as short:
        short.prec = PRINTED
        return "0" if value == 0 else f"{+value:.{PRINTED}g}"


# --- TOOL's enclosures ---

RIGOROUS = ("bouncing-ball", "impacting-oscillator", "two-ball-oscillator", "vibrating-table", "rope", "belt", "forced-block", "spring-block",
            "puck")
# angles as they are meant, arctan(1/5) and 2 pi/3, with more digits than are printed
MEANT = {"puck": lambda: {"alpha": atan(D("0.2")), "phi0": 2 * pi() / 3}}


@functools.lru_cache(maxsize=None)
def enclosures(tool, model, settings, *span):
    """Rows of exact --rigorous; None where the build has no ball arithmetic."""
    pairs = settings.split() + [f"{name}={value:.60f}" for name, value in MEANT.get(model, dict)().items()]
    words = [model, *[word for pair in pairs for word in ("--set", pair)], *span, "--rigorous", "--digits", str(PRINTED + 4)]
    done = subprocess.run([tool, "exact", *words], capture_output=True, text=True)
    if done.returncode == 2 and "ball arithmetic" in done.stderr:
        return None
    if done.returncode != 0:
        sys.exit(f"exact {words}: {done.stderr}")
    return list(csv.DictReader(line for line in done.stdout.splitlines() if not line.startswith("#")))


def proven(tool, model, settings, quantity, value, question):
    """The digits that an enclosure proves, or nothing: half a unit of the last one that is printed, no more."""
    if model not in RIGOROUS or question is None or question[0] not in ("event", "at"):
        return ""
    span = ("--end", str(question[3] or 4)) if question[0] == "event" else ("--at", question[1])
    rows = enclosures(tool, model, settings, *span)
    if rows is None:
        return str(PRINTED)
    if question[0] == "event":
        at = [i for i, row in enumerate(rows) if row["event"]][question[1]]
        name = {"t": "t", "impulse": "p0", "u_minus": "u0"}[question[2]]
        row = rows[at - (name == "u0")]
    else:
        row, name = rows[-1], question[2]
    slack = D(6) / 10 * D(10) ** -PRINTED * D(10) ** (value.adjusted() + 1)
    if not D(row[name + "_lo"]) - slack <= D(shown(value)) <= D(row[name + "_hi"]) + slack:
        sys.exit(f"{model}, {quantity}: {shown(value)} here, proven to be from {row[name + '_lo']} to {row[name + '_hi']}")
    return str(PRINTED)


def compute(tool, model, settings, function):
    """The rows of a problem, and the largest difference of TOOL."""
    rows, worst = [], 0.0
    getcontext().prec = 50
    values = function()
    getcontext().prec = 80
    again = function()
    for (quantity, unit, how), (value, question) in values.items():
        better = again[quantity, unit, how][0]
        if abs(value - better) > abs(better) * D(10) ** -(PRINTED + 1):
            sys.exit(f"{model}, {quantity}: {value} with 50 digits, {better} with 80")
        answer = ask(tool, model, settings, question)
        off = difference(better, answer)
        if off is not None and off > bound_of(question):
            sys.exit(f"{model}, {quantity}: {shown(better)} here, {answer} of the program")
        if off is not None and bound_of(question) == AGREE:
            worst = max(worst, off)
        rows.append([model, settings, quantity, unit, shown(better), how,
                     proven(tool, model, settings, quantity, better, question)])
    return rows, worst


def main(tool, docs, write):
    rows, worst = [], 0.0
    for problem_rows in ROWS:
        more, off = compute(tool, *problem_rows)
        rows += more
        worst = max(worst, off)
    text = "".join(",".join(row) + "\n" for row in [["model", "settings", "quantity", "unit", "value", "how", "proven"]] + rows)
    table = "".join(f"| {m} | {s} | {q} | {v} | {u} | {h} | {p} |\n" for m, s, q, u, v, h, p in rows)
    with open(docs + "/reference-values.md", encoding="utf-8") as file:
        page = file.read()
    start = page.index("| --- | --- | --- | --- | --- | --- | --- |\n") + len("| --- | --- | --- | --- | --- | --- | --- |\n")
    end = page.index("\n\n", start - 1) + 1
    if write:
        with open(docs + "/reference-values.csv", "w", encoding="utf-8") as file:
            file.write(text)
        with open(docs + "/reference-values.md", "w", encoding="utf-8") as file:
            file.write(page[:start] + table + page[end:])
    else:
        with open(docs + "/reference-values.csv", encoding="utf-8") as file:
            same = file.read() == text
        if not same or page[start:end] != table:
            sys.exit("reference values: docs/reference/reference-values.csv or the table of its page is not what comes out now")
    print(f"{len(rows)} values; largest difference of the program, relative or absolute below 1: {worst:.1e}")


main(sys.argv[1], sys.argv[2], "--write" in sys.argv)
