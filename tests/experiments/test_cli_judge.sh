# test_cli_judge.sh -- files of programs against the exact solution: the orders of `order`, names, steps, refusals.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# holds FILE PATTERN
holds() {
  grep -q -e "$2" "$1" || fail "$last: no line of $1 fits '$2'"
}

mkdir mj sp
for h in 0.0773 0.0391 0.0217 0.0117 0.00613 0.00297; do
  try 0 run bouncing-ball --scheme moreau-jean --step "$h" --end 3.9 --out "mj/$h.csv"
  try 0 run bouncing-ball --scheme schatzman-paoli --step "$h" --end 3.9 --out "sp/$h.csv"
done

# ours: steps and what holds between rows are in the files
try 0 judge bouncing-ball mj sp --norm hausdorff --of v --out verdict --plot-format none --end 3.9
for program in mj sp; do
  order=$(awk -F, -v p=$program '$2 == p { print $5 }' verdict/orders.csv)
  low=$(awk -F, -v p=$program '$2 == p { print $6 }' verdict/orders.csv)
  high=$(awk -F, -v p=$program '$2 == p { print $7 }' verdict/orders.csv)
  scheme=$([ $program = mj ] && echo moreau-jean || echo schatzman-paoli)
  try 0 order bouncing-ball --scheme $scheme --steps 0.0773:0.00297:6 --norm hausdorff --of v --end 3.9 --levels
  theirs=$(sed -n 's/^  order \([0-9.]*\),.*/\1/p' out)
  between "order of $program as that of order" "$theirs" "$low" "$high"
  between "order of $program" "$order" 0.7 1.1
done
# --strict: exit status 3 unless every program is shown to converge
try 0 judge bouncing-ball mj sp --norm hausdorff --of v --end 3.9 --strict
mkdir other
for h in 0.0773 0.0462 0.0217 0.00613; do
  try 0 run bouncing-ball --scheme moreau-jean --step "$h" --end 3.9 --set e=0.4 --out "other/$h.csv"
done
try 0 judge bouncing-ball other --norm hausdorff --of v --end 3.9
holds out "plateau"
try 3 judge bouncing-ball mj other --norm hausdorff --of v --end 3.9 --strict
in_err "a program is not shown to converge (--strict)"
equal "rows of contacts.csv" "$(grep -vc '^#' verdict/contacts.csv)" 13
holds verdict/contacts.csv 'program,file,step,impacts,restitution,start'
python3 -c 'import csv, sys; sys.exit(len({len(row) for row in csv.reader(line for line in open("verdict/contacts.csv") if line[0] != "#")}) != 1)' ||
  fail "rows of contacts.csv have not as many fields as its header"

# two contacts with friction: the room for their slip
for h in 0.1 0.05; do
  try 0 run incline-stack --scheme moreau-jean --step $h --end 1 --out "stack-h$h.csv"
done
try 0 judge incline-stack stack-h*.csv --of q --norm l1

# anyone's: other names, no metadata; the step is in the name
mkdir theirs
for h in 0.0773 0.0217 0.00613; do
  grep -v '^#' "mj/$h.csv" | cut -d, -f1-3 | sed 's/^t,q0,v0/t,height,speed/' >"theirs/ball-h$h.csv"
done
refused "does not define the interpolation between its rows: --between linear" -- judge bouncing-ball theirs --map q0=height,v0=speed
refused "has no column 'heigth'; its columns are t, height, speed" -- judge bouncing-ball theirs --between linear --map q0=heigth
refused "'q0' is not of the form OURS=THEIRS" -- judge bouncing-ball theirs --between linear --map q0
try 0 judge bouncing-ball theirs --between linear --map q0=height,v0=speed --report page.html
holds out 'theirs.*restitution.*measured 0.4'
! grep -q 'effective restitution' out || fail "a restitution is printed twice, and once as 0"
holds out 'theirs.*creep at rest.*order'
holds page.html '<h2[^>]*>Verdict'
mkdir excel
for file in theirs/ball-h*.csv; do # milliseconds, semicolons, decimal commas
  awk -F, 'BEGIN { CONVFMT = "%.17g" } NR == 1 { print "speed;ms;height"; next } { print $3 ";" 1000 * $1 ";" $2 }' "$file" | tr . , >"excel/$(basename "$file")"
done
cp out theirs.out
try 0 judge bouncing-ball excel --between linear --map 't=0.001*ms,q0=height,v0=speed'
in_err "columns separated by ';', decimal commas"
equal "reports of the layout" "$(grep -c "separated by" err)" 1
verdict() { sed -n '/^verdict/,$p' "$1" | sed 's/excel /theirs/'; }
equal "verdict on another layout" "$(verdict out)" "$(verdict theirs.out)"
cp theirs/ball-h0.0773.csv nameless.csv
refused "nameless.csv names no step > 0" -- judge bouncing-ball nameless.csv --between linear --map q0=height,v0=speed
refused "2 steps for 1 files" -- judge bouncing-ball nameless.csv --between linear --map q0=height,v0=speed --steps 0.1,0.2
try 0 judge bouncing-ball nameless.csv --between linear --map q0=height,v0=speed --steps 0.0773
holds out 'fewer than 3 errors'

# a file that ends early, one that starts elsewhere, one without velocities
head -5 theirs/ball-h0.00613.csv >theirs/ball-h0.00301.csv
sed 's/^0,1,0/0,1.5,0/' theirs/ball-h0.0217.csv >theirs/ball-h0.0219.csv
try 0 judge bouncing-ball theirs --between linear --map q0=height,v0=speed
holds out 'the file ends at t = 0.01'
holds out 'at t = 0 it is 0.5 lengths away'
cut -d, -f1,2 theirs/ball-h0.0217.csv >h0.0217.csv
try 0 judge bouncing-ball h0.0217.csv --between linear --map q0=height --of q
holds out 'restitution.*measured 0.4'

# a rest, whose velocity is rounding: nothing explodes
for step in 0.1 0.05 0.025 0.0125; do
  try 0 run bead-column --set N=4 --set gap=0 --scheme moreau-jean --step $step --end 1 --out rest-h$step.csv
done
try 0 judge bead-column --set N=4 --set gap=0 rest-h*.csv --of v --norm l1
holds out 'at its floor'
! grep -q explodes out || fail "a rest explodes"

refused "FILE.csv is missing, e.g. run.csv" -- judge bouncing-ball
refused "no/such.csv" -- judge bouncing-ball no/such.csv
mkdir empty
refused "'empty' has no files NAME.csv" -- judge bouncing-ball empty

# what is no trajectory is named, with the line and the column
bad() { # NAME ROWS TEXT
  printf 't,q0,v0\n%b' "$2" >"bad-$1-h0.1.csv"
  refused "bad-$1-h0.1.csv" "$3" -- judge bouncing-ball "bad-$1-h0.1.csv" --between linear
}
bad nan '0,1,0\n0.1,nan,-0.2\n0.2,0.96,-0.4\n' ":3:5: not a finite number: nan"
bad word '0,1,0\n0.1,x,-0.2\n' ":3:5: not a finite number: x"
bad fall '0,1,0\n0.2,0.96,-0.4\n0.1,0.99,-0.2\n' ":4:1: t decreases to 0.1"
bad one '0,1,0\n' "has 1 row, and ends at t = 0 s"
bad still '0,1,0\n0,1,0\n' "has 2 rows, and ends at t = 0 s"
bad none '' ":2:1: no row of numbers below the header"
# a third row at one time belongs to the graph: 8 from q = 1 at t = 0 up to 9
printf 't,q0\n0,1\n0.5,0.75\n0.5,9\n0.5,0.75\n0.6,0.64\n' >spike-h0.1.csv
try 0 judge bouncing-ball spike-h0.1.csv --between linear --norm hausdorff,m1 --of q
equal "errors of a spike" "$(grep -cE '^ +0\.1 +(8\.00|7\.99)' out)" 2
mkdir mixed
cp theirs/ball-h0.0217.csv mixed/
cp bad-nan-h0.1.csv mixed/
refused "mixed/bad-nan-h0.1.csv:3:5:" -- judge bouncing-ball mixed --between linear --map q0=height,v0=speed
finish
