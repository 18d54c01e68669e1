# test_cli_rigorous.sh -- exact --rigorous: enclosures hold the reference values to 30 digits and the closed forms of doubles.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
docs=$(realpath "$2")/docs/reference

if [ ! -e "$(dirname "$tool")/delassus-rigorous.so" ]; then
  refused "--rigorous needs ball arithmetic" "libflint-arb-dev" "libflint-dev" -- exact bouncing-ball --rigorous
  [ "$failures" -eq 0 ] || finish
  echo "skipped: this build has no ball arithmetic (FLINT with Arb)"
  exit 77
fi

# what is refused
refused "--digits = 20 goes with --rigorous" -- exact bouncing-ball --digits 20
refused "101" "100" -- exact bouncing-ball --rigorous --digits 101
refused "--plot" -- exact bouncing-ball --rigorous --plot ball.svg
refused "wedge has no rigorous solution" "two-ball-oscillator" -- exact wedge --rigorous
# the gap touches 0 at t = pi: q = 1 + cos t; that is said, and nothing else
try 1 exact impacting-oscillator --set f=1 --set q0=2 --rigorous --out none.csv
in_err "no proof from t = 3.14" "the gap touches 0"
[ ! -e none.csv ] || fail "a file that proves nothing is there"
# friction at its limit, impacts that accumulate, a rope that stays taut: from when on, and why
try 1 exact spring-block --set q0=0.3 --rigorous --end 5
in_err "no proof from t = 3.14159" "at the limit of friction"
try 1 exact forced-block --set F=1 --set phase=0.4 --set v0=0.3 --rigorous --end 5
in_err "no proof from t = 2.741592654" "the friction force touches its limit"
refused "the mass starts 3.16228 m from the origin; the rope has the length l = 2 m" -- exact rope --set x0=3 --rigorous
try 1 exact rope --set e=0.5 --rigorous --end 3
in_err "impacts accumulate by t = 1.5475642"
try 1 exact rope --set e=0 --set x0=0.1 --rigorous --end 3
in_err "the rope stays taut from t = "

# files: as many digits as asked, nothing wider; a file whole or not at all
try 0 exact bouncing-ball --set f=-9.81 --set e=0.8 --rigorous --digits 100 --end 1 --out ball.csv
equal "columns" "$(grep -v '^#' ball.csv | head -1)" \
  "t_lo,t_hi,q0_lo,q0_hi,v0_lo,v0_hi,g0_lo,g0_hi,u0_lo,u0_hi,p0_lo,p0_hi,lambda0_lo,lambda0_hi,event"
try 0 exact bouncing-ball --rigorous --at 0.5,1,2.5,3,4
equal "rows at times, two at events" "$(grep -vc '^#' out)" 9

# a limit that is reached ends the proof without a file; a generous one changes no byte
try 75 exact impacting-oscillator --set e=0.99 --set f=-1 --end 1000 --rigorous --digits 60 --time-limit 0.1 --out late.csv
equal "the message at the limit" "$(cat err)" \
  "delassus exact: no result within --time-limit; allow more time or ask for fewer --digits"
[ ! -s out ] && [ ! -e late.csv ] || fail "a proof that was stopped wrote something"
no_traces
try 0 exact bouncing-ball --set f=-9.81 --set e=0.8 --rigorous --digits 100 --end 1 --time-limit 3600.5 --progress always --out in-time.csv
cmp -s ball.csv in-time.csv || fail "--time-limit or --progress changes the enclosures"
in_err "proof: 0 %" "proof: 100 %"
refused "--time-limit" "0" -- exact bouncing-ball --rigorous --time-limit 0
refused "--time-limit goes with --rigorous" -- exact bouncing-ball --time-limit 9
refused "--progress goes with --rigorous" -- exact bouncing-ball --progress always

cat >check.py <<'PY'
"""Hold enclosures against the reference values and against the program's own closed forms in doubles."""
import csv
import functools
import subprocess
import sys
from fractions import Fraction as F

tool, docs = sys.argv[1:]
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAILED:", text)


@functools.cache
def table(*words):
    done = subprocess.run([tool, "exact", *words], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{words}: {done.stderr}")
        return []
    return list(csv.DictReader(line for line in done.stdout.splitlines() if not line.startswith("#")))


def span(row, name):
    return F(row[name + "_lo"]), F(row[name + "_hi"])


def holds(what, row, name, value, slack):
    low, high = span(row, name)
    if not low - slack <= F(value) <= high + slack:
        fail(f"{what}: {value} is not in [{row[name + '_lo']}, {row[name + '_hi']}]")
    if high - low > F(5, 10**30) * max(1, abs(high)):
        fail(f"{what}: the enclosure of {name} is {float(high - low):.2g} wide")


def settings(text):
    return [word for pair in text.split() for word in ("--set", pair)]


MODELS = ("bouncing-ball", "impacting-oscillator", "two-ball-oscillator", "vibrating-table", "rope", "belt", "forced-block",
          "spring-block", "puck")
# angles that the values are meant for: atan(1/5), 2 pi/3; parameters may have as many digits as one likes
MEANT = {"puck": "alpha=0.19739555984988075837004976519479029344758510378785 "
                 "phi0=2.09439510239319549230842892218633525613144626625007"}


def reference_values():
    """Values of docs/reference/reference-values.csv, 30 digits: the last may be rounded."""
    checked = 0
    for line in csv.DictReader(open(f"{docs}/reference-values.csv", encoding="utf-8")):
        if line["model"] not in MODELS or "period" in line["quantity"] or "energy" in line["quantity"]:
            continue
        words = line["quantity"].split()
        end = {"two-ball-oscillator": "0.6", "vibrating-table": "0.3", "spring-block": "18", "rope": "3", "belt": "8"}.get(line["model"], "9")
        rows = table(line["model"], *settings(line["settings"] or MEANT.get(line["model"], "")), "--rigorous", "--digits",
                     "30", "--end", end)
        impacts = [i for i, row in enumerate(rows) if row["event"] == "impact"]
        slack = F(1, 10**29) * max(1, abs(F(line["value"])))
        if line["quantity"].startswith("time of impact"):
            holds(line, rows[impacts[int(words[-1]) - 1]], "t", line["value"], slack)
        elif line["quantity"].endswith("the accumulation"):
            holds(line, [row for row in rows if row["event"] == "accumulation"][0], "t", line["value"], slack)
        elif line["quantity"].startswith("velocity before impact"):
            holds(line, rows[impacts[int(words[-1]) - 1] - 1], "v0", line["value"], slack)
        elif line["quantity"].startswith("impulse of impact"):
            holds(line, rows[impacts[int(words[-1]) - 1]], "p0", line["value"], slack)
        elif line["quantity"] == "relative speed before it":
            holds(line, rows[impacts[0] - 1], "u0", line["value"], slack)
        elif line["quantity"] == "where it stays":
            holds(line, rows[-1], "q0", line["value"], slack)
        else:
            kind = "slip" if line["quantity"] == "time of the first slip" else "stick"
            holds(line, [row for row in rows if row["event"] == kind][0], "t", line["value"], slack)
        checked += 1
    if checked < 33:
        fail(f"only {checked} reference values were checked")


CASES = [
    ("bouncing-ball", "e=1 f=-9.81", "20"),
    ("impacting-oscillator", "c=0.1 amplitude=0.7 omega=1.3 phase=0.4 e=0.8", "30"),
    ("impacting-oscillator", "c=2 f=-0.2 e=0.5 v0=-1", "10"),
    ("impacting-oscillator", "k=0 f=-1 amplitude=1.5 omega=2 e=0.7", "10"),
    ("two-ball-oscillator", "k=1e4 R=0.2 g=10 e=0.8 q1=1.001 q2=2.001", "0.8"),
    ("vibrating-table", "", "1"),
    ("vibrating-table", "A=0.05 omega=20 e=0.3", "0.8"),
    ("rope", "", "9"),
    ("rope", "e=0.9 vx0=-0.7 vy0=0.3 x0=-0.2 g=3 l=1.5", "2"),
    ("belt", "Fs=1.5", "15"),
    ("belt", "q0=-0.3 v0=1.1 vb=0.2 k=3 m=0.7 F=0.4 Fs=0.45", "9"),
    ("belt", "t1=3 vb1=-0.2 Fs=1.2", "12"),
    ("forced-block", "", "20"),
    ("forced-block", "F=0.3 omega=1.7 phase=0.6 v0=-0.4 q0=0.2", "20"),
    ("forced-block", "F=0.95 phase=0.4 v0=0.3", "12"),
    ("spring-block", "F=0.07 v0=0.3", "30"),
    ("den-hartog", "Fs=0.35 q0=1.3 phase=0.1", "25"),
    ("puck", "", "1"),
    ("puck", "alpha=0.5 mu=0.2 phi0=-2.5 v0=1.3", "3"),
    ("puck", "alpha=0 phi0=0.8 mu=0.25", "1"),
    ("puck", "phi0=0 mu=0.1", "3"),
    ("puck", "v0=0 mu=0.1", "3"),
]


def told(*words):
    """Times of the events that the closed form in doubles tells of."""
    lines = subprocess.run([tool, "exact", *words], capture_output=True, text=True, check=True).stdout.splitlines()
    return [float(line.split("t=")[1].split()[0]) for line in lines if line.startswith("# event:") and "lift-off" not in line]


def closed_forms():
    """The program's solution in doubles at the same times, to 1e-12; and no event of it is missed."""
    times = ["0.1", "0.35", "0.7", "1.9", "5.3", "11.7"]
    for model, text, end in CASES:
        words = [model, *settings(text)]
        rows = table(*words, "--rigorous", "--end", end)
        doubles = table(*words, "--end", end)
        events = [row for row in rows if row["event"]]
        jumps = told(*words, "--end", end)
        struck = [row for row in events if row["event"] != "lift-off"]
        if struck and "stick" in struck[0]["event"] and not jumps:
            fail(f"{words}: the closed form has no events")
        for t in jumps:
            if not any(span(row, "t")[0] - F(1, 10**12) <= F(t) <= span(row, "t")[1] + F(1, 10**12) for row in struck):
                fail(f"{words}: no enclosure holds the event at {t}")
        for row in struck:
            near = min((abs(float(span(row, "t")[0]) - t) for t in jumps), default=9)
            if near > 1e-9 and float(span(row, "t")[1]) < float(end):
                fail(f"{words}: the event at {row['t_lo']} is none of the closed form")
        inside = [t for t in times if float(t) < float(end)]
        balls, closed = (table(*words, *more, "--at", ",".join(inside)) for more in (["--rigorous"], []))
        for ball, row in zip(balls, closed):
            for name in [n[:-3] for n in ball if n.endswith("_lo")]:
                holds(f"{words} at {row['t']}", ball, name, row[name], F(1, 10**11))


def decimals():
    """e = 0.8 is 4/5: t2 = t1 (1 + 2 e), t1^2 = 2/9.81."""
    rows = table("bouncing-ball", *settings("f=-9.81 e=0.8"), "--rigorous", "--digits", "100", "--end", "2")
    for row, factor in zip([row for row in rows if row["event"]], (F(1), F(13, 5))):
        low, high = span(row, "t")
        if not low**2 <= factor**2 * 2 / F("9.81") <= high**2:
            fail(f"[{row['t_lo']}, {row['t_hi']}] does not hold {factor} sqrt(2/9.81)")
        if high - low > F(4, 10**100):
            fail("100 digits were asked")


reference_values()
closed_forms()
decimals()
sys.exit(failures > 0)
PY
python3 check.py "$tool" "$docs" || fail "enclosures"
finish
