# test_cli_distance_rigorous.sh -- distance --exact MODEL [--rigorous]: bounds hold closed forms; what doubles bound holds what is proven.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

printf 't,q0\n0,1\n0.5,1\n' >level.csv

# what is refused, and what is noted
refused "two files are needed" "--exact MODEL" -- distance level.csv
refused "stands for the second file" -- distance level.csv level.csv --exact bouncing-ball
refused "--rigorous goes with --exact MODEL" -- distance level.csv level.csv --rigorous
refused "--set goes with --exact MODEL" -- distance level.csv level.csv --set e=1
refused "--digits = 8 goes with --rigorous" -- distance level.csv --exact bouncing-ball --digits 8
refused "unknown model 'bouncing-bal'" -- distance level.csv --exact bouncing-bal
refused "model wedge has no exact solution" -- distance level.csv --exact wedge --column q0
try 0 run bouncing-ball --set e=0.7 --scheme moreau-jean --step 1e-2 --end 1.5 --out ball.csv
try 0 distance ball.csv --exact bouncing-ball
in_err "ball.csv says e=0.7, and is compared with e=0.5"
try 0 distance ball.csv --exact rope --column q0
in_err "ball.csv says that it is of bouncing-ball, and is compared with rope"
try 0 distance ball.csv --exact bouncing-ball --set e=0.7
equal "nothing to note" "$(cat err)" ""
in_out "sampled=1e-12"

if [ ! -e "$(dirname "$tool")/delassus-rigorous.so" ]; then
  refused "--rigorous needs ball arithmetic" "libflint-dev" -- distance level.csv --exact bouncing-ball --column q0 --rigorous
  [ "$failures" -eq 0 ] || finish
  echo "skipped: this build has no ball arithmetic (FLINT with Arb)"
  exit 77
fi

# a third row at one time belongs to the graph
printf 't,q0\n0,1\n0.5,0.75\n0.5,9\n0.5,0.75\n0.6,0.64\n' >spike.csv
try 0 distance spike.csv --exact bouncing-ball --rigorous --column q0 --tau 1 --xi 1
between "proven distance of a spike" "$(value distance_lo)" 7.9 8.3
cp out untimed
try 0 distance spike.csv --exact bouncing-ball --rigorous --column q0 --tau 1 --xi 1 --time-limit 3600 --progress always
cmp -s out untimed || fail "--time-limit or --progress changes the bounds"
in_err "proof: 100 %"
printf 't,q0\n0,1\n999,0\n' >many-impacts.csv
try 75 distance many-impacts.csv --exact impacting-oscillator --set e=0.99 --set f=-1 --rigorous --digits 12 --column q0 --time-limit 0.1
in_err "delassus distance: no result within --time-limit"
[ ! -s out ] || fail "a proof that was stopped printed a distance"
refused "--time-limit goes with --rigorous" -- distance level.csv --exact bouncing-ball --column q0 --time-limit 9
refused "13" "12" -- distance level.csv --exact bouncing-ball --rigorous --digits 13
refused "--accuracy is for doubles" -- distance level.csv --exact bouncing-ball --rigorous --accuracy 0.1
refused "--norm m1 has no rigorous bounds" "hausdorff and l1" -- distance level.csv --exact bouncing-ball --rigorous --norm m1
refused "no function of time p0" -- distance ball.csv --exact bouncing-ball --rigorous --column p0
refused "wedge has no rigorous solution" -- distance level.csv --exact wedge --rigorous --column q0
printf 't,q0\n-0.5,1\n0.5,1\n' >early.csv
refused "early.csv covers [-0.5, 0.5]" -- distance early.csv --exact bouncing-ball --rigorous --column q0
printf 't,q0\n0,1\n4,1\n' >long.csv
try 1 distance long.csv --exact impacting-oscillator --set f=1 --set q0=2 --rigorous --column q0
in_err "no proof from t = 3.14" "the gap touches 0"

cat >check.py <<'PY'
"""Closed forms in the enclosures; doubles with their bounds around them."""
import itertools
import subprocess
import sys
from fractions import Fraction as F

tool = sys.argv[1]
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAILED:", text)


def values(*words):
    done = subprocess.run([tool, *words], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{words}: {done.stderr}")
    return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)


def enclosure(what, digits, *words):
    """Not wider than asked."""
    got = values("distance", *words, "--rigorous", "--digits", str(digits))
    low, high = F(got["distance_lo"]), F(got["distance_hi"])
    if not 0 <= low <= high <= low + max(high * F(11, 10 ** (digits + 1)), F(1, 10**14)):
        fail(f"{what}: [{float(low)}, {float(high)}] is wider than {digits} digits")
    return low, high


def closed(what, value, *words, digits=10):
    low, high = enclosure(what, digits, *words)
    if not low <= value <= high:
        fail(f"{what}: {value} is not in [{float(low):.17g}, {float(high):.17g}]")


with open("late.csv", "w") as out:  # the impact of the ball a tenth of a second too late, on the same lines
    out.write("t,v0\n0,0\n1.125,-2.25\n1.125,0.75\n1.5,0\n")
ball = ["--exact", "bouncing-ball"]
# 1 - t^2 and 1 on [0, 1/2]
closed("area of a parabola", F(1, 24), "level.csv", *ball, "--column", "q0", "--norm", "l1", digits=12)
closed("the end of a parabola", F(1, 4), "level.csv", *ball, "--column", "q0")
# -2 t until 1, 3 - 2 t behind it: the tip (1.125, -2.25) from (1, -2), or with a time that counts twice as much
closed("a late jump", F(1, 4), "late.csv", *ball)
closed("a late jump, other units", F(1, 2), "late.csv", *ball, "--xi", "0.5")
closed("a late jump, time counts", F(1, 4), "late.csv", *ball, "--tau", "0.5")
closed("area of a late jump", F(3, 8), "late.csv", *ball, "--norm", "l1", digits=12)
closed("area in other units", F(3, 8) / F("0.3") / F("0.7"), "late.csv", *ball, "--norm", "l1", "--xi", "0.3", "--tau", "0.7")

CASES = [
    ("bouncing-ball", "", "moreau-jean", "1.7e-2", "3.5"),
    ("bouncing-ball", "f=-9.81 e=0.8", "schatzman-paoli", "2e-2", "1.9"),
    ("impacting-oscillator", "c=0.1 amplitude=0.7 omega=1.3 phase=0.4 e=0.8", "newmark-velocity-contact", "4e-2", "6"),
    ("impacting-oscillator", "f=-0.5", "moreau-jean", "3e-2", "6"),
    ("two-ball-oscillator", "", "moreau-jean", "5e-3", "0.7"),
    ("rope", "", "moreau-jean", "2e-2", "1.4"),
    ("belt", "Fs=1.2", "moreau-jean", "4e-2", "8"),
    ("forced-block", "", "moreau-jean", "4e-2", "8"),
    ("puck", "", "moreau-jean", "4e-2", "1"),
    ("puck", "phi0=0", "moreau-jean", "4e-2", "1.3"),
    ("puck", "mu=0.2", "moreau-jean", "4e-2", "1"),
]


def schemes():
    """Each column of a case by one of the norms, which take turns."""
    norms = itertools.cycle(("hausdorff", "l1"))
    for model, text, scheme, step, end in CASES:
        sets = [word for pair in text.split() for word in ("--set", pair)]
        values("run", model, *sets, "--scheme", scheme, "--step", step, "--end", end, "--out", "run.csv")
        for column, norm in zip(("v0", "q", "g0"), norms):
            words = ["run.csv", "--exact", model, *sets, "--column", column, "--norm", norm]
            what = f"{model} {text} {scheme} {column} {norm}"
            low, high = enclosure(what, 5, *words)
            got = values("distance", *words)
            value, bound = F(got["distance"]), F(got["bound"]) + 2 * F(got["sampled"]) * (1 + F(end))
            if not value - bound <= low <= high <= value + bound and not low - bound <= value <= high + bound:
                fail(f"{what}: {float(value)} +- {float(bound)} and [{float(low)}, {float(high)}]")
            if not low <= value + bound or not high >= value - bound:
                fail(f"{what}: {float(value)} +- {float(bound)} is apart from [{float(low)}, {float(high)}]")


def orders():
    """Errors of a table, with their bounds, are those of a run that is measured with proof."""
    for scheme in ("moreau-jean", "schatzman-paoli", "nonsmooth-newmark"):
        values("order", "bouncing-ball", "--scheme", scheme, "--steps", "4e-2:2e-2:2", "--end", "2.4", "--of", "q", "--norm", "hausdorff,l1",
               "--out", f"of-{scheme}")
        rows = [line.split(",") for line in open(f"of-{scheme}/errors.csv", encoding="utf-8").read().splitlines()]
        for row in (dict(zip(rows[0], row)) for row in rows[1:3]):
            values("run", "bouncing-ball", "--scheme", scheme, "--step", row["step"], "--end", "2.4", "--out", "again.csv")
            low, high = enclosure(scheme, 6, "again.csv", *ball, "--column", "q", "--norm", row["norm"])
            slack = F(row["bound"]) + 3 * F(1, 10**13)  # the reference of a study is interpolated to 1e-13
            if not F(row["error"]) - slack <= high or not low <= F(row["error"]) + slack:
                fail(f"order {scheme} {row['norm']}: {row['error']} +- {row['bound']} and [{float(low)}, {float(high)}]")


schemes()
orders()
sys.exit(failures > 0)
PY
python3 check.py "$tool" || fail "enclosures of distances"
finish
