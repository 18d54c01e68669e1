# test_cli_exact.sh -- the closed-form solutions in full double precision. References: bouncing ball with the default
# data, impacts at t = 3 - 2^(1-n); oscillator q = e^n |cos t| with the default data.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# column NAME of row NUMBER of the last output
cell() {
  grep -v '^#' out | awk -F, -v name="$1" -v row="$2" \
    'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == row + 1 { print $c }'
}
rows() {
  grep -v '^#' out | tail -n +2 | wc -l
}

try 0 exact bouncing-ball --at 0,0.5,1.5,3,5 --out -
cp out whole
equal "columns" "$(header out | cut -d, -f1-8)" "t,q0,v0,g0,u0,p0,lambda0,status0"
in_out "# model: bouncing-ball" "# parameters: m=1,f=-2,e=0.5,q0=1,v0=0" "# interpolation: "
equal "q0(0)" "$(cell q0 1)" 1
close "q0(0.5)" "$(cell q0 2)" 0.75 1e-16
close "v0(0.5)" "$(cell v0 2)" -1 1e-16
close "q0(1.5)" "$(cell q0 3)" 0.25 1e-16
equal "lambda0 at rest" "$(cell lambda0 "$(rows)")" 2
equal "status0 at rest" "$(cell status0 "$(rows)")" 1
# for reading: the same rows without metadata
try 0 exact bouncing-ball --at 0,0.5,1.5,3,5
equal "rows without metadata" "$(cat out)" "$(grep -v '^#' whole)"
# an event has two rows: left and right limit
try 0 exact bouncing-ball --at 1
equal "rows at an impact" "$(rows)" 2
close "v0(1-)" "$(cell v0 1)" -2 1e-15
close "v0(1+)" "$(cell v0 2)" 1 1e-15
close "p0(1+)" "$(cell p0 2)" 3 1e-15
equal "p0(1-)" "$(cell p0 1)" 0

try 0 exact impacting-oscillator --at 1,3
close "q0(1)" "$(cell q0 1)" 0.54030230586813977 2e-16
close "q0(3)" "$(cell q0 2)" 0.49499624830022271 2e-16
close "v0(3)" "$(cell v0 2)" 0.070560004029933607 2e-16
# 17 digits: the number in the file is the number that was computed
grep -v '^#' out | tail -1 | grep -Eq '0\.[0-9]{16,17}' || fail "$last does not print 17 digits"

try 0 exact bouncing-ball --set e=0 --set q0=4 --at 3
equal "rest after e = 0" "$(cell q0 1)" 0
# sampled, default end 10, to a file
try 0 exact bouncing-ball --out exact.csv
[ ! -s out ] || fail "--out wrote to standard output too"
close "last time without --end" "$(tail -1 exact.csv | cut -d, -f1)" 10 0
try 0 exact impacting-oscillator --end 5
close "last time" "$(tail -1 out | cut -d, -f1)" 5 0
between "rows on [0, 5]" "$(rows)" 100 100000
# --at and --end together: the end bounds the times
try 0 exact bouncing-ball --at 1.5,2.2 --end 3
refused "time 2 = 4 is outside [0, 3]" -- exact bouncing-ball --at 1.5,4 --end 3

# derivatives: at t = 2.25, behind impacts at 1 and 2, by q0 (0.0625, 2.25), by e (0.5, 6); dt2/de = 2
try 0 exact bouncing-ball --at 2.25 --sensitivity q0,e
equal "columns of derivatives" "$(header out | cut -d, -f10-)" "dq0/dq0,dv0/dq0,dq0/de,dv0/de"
close "dq0/dq0" "$(cell dq0/dq0 1)" 0.0625 1e-13
close "dv0/dq0" "$(cell dv0/dq0 1)" 2.25 1e-13
close "dq0/de" "$(cell dq0/de 1)" 0.5 1e-13
close "dv0/de" "$(cell dv0/de 1)" 6 1e-13
in_out "# sensitivity_q0: ok" "# sensitivity_e: ok"
close "dt2/de" "$(sed -n 's|^# event: t=2 .* dt/de=||p' out)" 2 1e-12
try 0 exact bouncing-ball --at 2.25 --sensitivity e --set e=1
in_err "e: one-sided"
in_out "# sensitivity_e: one-sided"
try 0 exact belt --at 1.37 --sensitivity t1
in_err "t1: degenerate, from t = 1.37 s on"
equal "no derivative" "$(cell dq0/dt1 1)" nan
refused "there is no 'x'" -- exact bouncing-ball --at 1 --sensitivity x --out x.csv
refused "parameter e is given twice" -- exact bouncing-ball --at 1 --sensitivity e,q0,e --out x.csv
refused "derivative by e is given twice" -- exact bouncing-ball --at 1 --sensitivity e,e --rigorous --out x.csv

# a picture, alone or beside the table
try 0 exact bouncing-ball --end 4 --plot ball.svg
[ ! -s out ] || fail "--plot printed the table too"
grep -q '</svg>' ball.svg || fail "ball.svg is not whole"
grep -q '^4 0$\|^4 0 ' ball.gp || fail "ball.gp does not end at rest at t = 4"
try 0 exact bouncing-ball --end 4 --plot both.png --out both.csv
close "last time beside a picture" "$(tail -1 both.csv | cut -d, -f1)" 4 0
[ -s both.png ] || fail "no both.png"
refused "--plot = x.svg draws the whole motion on [0, T]: it does not go with --at" -- exact bouncing-ball --at 1 --plot x.svg
refused "--out - and --plot - would both write to standard output" -- exact bouncing-ball --out - --plot -
refused "x.bmp" -- exact bouncing-ball --plot x.bmp

refused "unknown model 'ball'" "bouncing-ball" -- exact ball --at 1 --out x.csv
refused "model wedge has no exact solution" "bouncing-ball, impacting-oscillator" -- exact wedge --at 1 --out x.csv
refused "--at, time 2 = 'x'" -- exact bouncing-ball --at 1,x --out x.csv
refused "--at, time 1 = 'nan'" -- exact bouncing-ball --at nan --out x.csv
refused "--at, time 1 = -1" -- exact bouncing-ball --at -1 --out x.csv
refused "--at, time 3 = 1 is not after" "2" -- exact bouncing-ball --at 0,2,1 --out x.csv
refused "--at: field 2 of '1,,2' is empty" -- exact bouncing-ball --at 1,,2 --out x.csv
refused "--end = -2" "> 0" -- exact bouncing-ball --end -2 --out x.csv
refused "e = 1.5" "[0, 1]" -- exact bouncing-ball --set e=1.5 --out x.csv
refused "cannot write 'nowhere/x.csv'" -- exact bouncing-ball --out nowhere/x.csv
finish
