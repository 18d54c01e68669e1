# test_cli_rigorous_quick.sh -- each model of exact --rigorous once or twice: enclosures are narrow, hold the closed forms of doubles, and have the same events.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
if [ ! -e "$(dirname "$tool")/delassus-rigorous.so" ]; then
  echo "skipped: this build has no ball arithmetic (FLINT with Arb)"
  exit 77
fi

cat >hold.py <<'PY'
"""hold.py DOUBLES BALLS [DOUBLES BALLS]...: rows at the same times, two at an event."""
import csv
import sys
from fractions import Fraction as F


def rows(path):
    return list(csv.DictReader(line for line in open(path, encoding="utf-8") if not line.startswith("#")))


for one_path, ball_path in zip(sys.argv[1::2], sys.argv[2::2]):
    doubles, balls = rows(one_path), rows(ball_path)
    assert len(doubles) == len(balls) > 10, (one_path, len(doubles), len(balls))
    for one, ball in zip(doubles, balls):
        for name in (name[:-3] for name in ball if name.endswith("_lo")):
            low, high, value = F(ball[name + "_lo"]), F(ball[name + "_hi"]), F(one[name])
            size = max(1, abs(value))
            assert 0 <= high - low <= size / 10**28, (one_path, name, one["t"], ball[name + "_lo"], ball[name + "_hi"])
            assert low - size / 10**12 <= value <= high + size / 10**12, (one_path, name, one["t"], one[name], ball[name + "_lo"])
PY

# A parameter at a bound of its range: F <= Fs = F.
try 0 exact belt --end 0.3 --sensitivity F,q0 --rigorous --digits 5 --out bound.csv
in_err "F: one-sided, the derivative is that of changes to one side"
grep -q q0 err && fail "a parameter within its range is reported"
head -7 bound.csv | grep -q 'dt/dF_lo,dt/dF_hi,dq0/dF_lo,.*,dt/dq0_lo,dt/dq0_hi,dq0/dq0_lo' || fail "columns of derivatives"

files=()
# same MODEL END SETTING...
same() {
  local model=$1 end=$2 settings=() at
  for setting in "${@:3}"; do settings+=(--set "$setting"); done
  at=$(awk -v end="$end" 'BEGIN { for (k = 0; k <= 12; k++) printf "%s%.3f", k ? "," : "", end * k / 12 }')
  try 0 exact "$model" "${settings[@]}" --at "$at" --out "$*.csv"
  try 0 exact "$model" "${settings[@]}" --at "$at" --rigorous --digits 30 --out "$*-ball.csv"
  files+=("$*.csv" "$*-ball.csv")
}
same bouncing-ball 3.6
same bouncing-ball 2 e=0.8 f=-9.81 m=2 v0=1
same impacting-oscillator 3 f=0.3 q0=1
same impacting-oscillator 5 c=0.2 amplitude=0.5 omega=1.7 q0=1 e=0.6
same two-ball-oscillator 0.5
same vibrating-table 0.25
same rope 1.2
same belt 7
same belt 5 Fs=1.5
same forced-block 6
same spring-block 4
same den-hartog 6
same puck 0.5
same puck 0.6 mu=0.5 v0=0.7
same puck 0.5 mu=0.15
python3 hold.py "${files[@]}" 2>why || fail "$(tail -1 why)"
finish
