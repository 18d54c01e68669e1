# test_cli_fit.sh -- fit: parameters from files, what is written and reported, and requests that are wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# column N of the row of a parameter
value() { awk -F, -v p="$1" -v n="${2:-2}" '$1 == p { print $n }' out; }

times=$(seq -s, 0.05 0.05 2.5)
try 0 run bouncing-ball --scheme event-driven --set e=0.8 --at "$times" --out exact.csv
# noise of the generator of awk would differ between systems: a fixed pattern of mean 0 and standard deviation 0.01
awk -F, 'BEGIN { OFS = ","; split("3 -8 11 -2 -14 7 1 -9 16 -5 4 -13 9 -1 8 -7", z, " ") }
  /^#/ { next } NR > 0 && $1 == "t" { print "time" OFS "height"; next } { k = k % 16 + 1; print $1, $2 + z[k] * 0.00118 }' exact.csv >other.csv
sed 's/^time,/t,/' other.csv >noisy.csv

# exact data: the parameters, from other starts
try 0 fit bouncing-ball exact.csv --by e,q0 --of q0 --set e=0.7 --set q0=1.1
equal header "$(head -1 out)" "parameter,value,low,high"
equal rows "$(wc -l <out)" 3
between "e" "$(value e)" 0.7999999 0.8000001
between "q0" "$(value q0)" 0.9999999 1.0000001
in_err "degrees of freedom" "q0: rms of the residuals" "correlation of e and q0: -0."

# one iteration is one; the title of a picture has the estimate in place of the start
try 0 fit bouncing-ball exact.csv --by e --of q0 --set e=0.7 --set f=-2 --iterations 1 --plot start.svg
in_err " 1 iteration, " "50 rows, 49 degrees of freedom"
grep -q "^set multiplot title 'bouncing-ball, f=-2, event-driven, fitted e = " start.gp || fail "title: $(grep 'multiplot title' start.gp)"

# noise: intervals around the truth, wider with sigma and with level
try 0 fit bouncing-ball noisy.csv --map q0=height --by e --of q0 --set e=0.7 --out fit.csv
between "low" "$(value e 3)" 0.79 0.8
between "high" "$(value e 4)" 0.8 0.81
half=$(awk -F, '$1 == "e" { print $4 - $2 }' out)
equal "header of --out" "$(head -1 fit.csv)" "t,q0,fit_q0,band_q0"
equal "rows of --out" "$(grep -c "^[t0-9]" fit.csv)" 51
between "band before the first impact" "$(sed -n 5p fit.csv | cut -d, -f4)" 0 1e-9
between "band after it" "$(sed -n 51p fit.csv | cut -d, -f4)" 1e-4 1e-1
try 0 fit bouncing-ball noisy.csv --map q0=height --by e --of q0 --set e=0.7 --sigma 0.04
between "with sigma" "$(awk -F, -v h="$half" '$1 == "e" { print ($4 - $2) / h }' out)" 3 5
in_err "noise 0.04 (given)"
try 0 fit bouncing-ball noisy.csv --map q0=height --by e --of q0 --set e=0.7 --level 0.5
between "at 50 %" "$(awk -F, -v h="$half" '$1 == "e" { print ($4 - $2) / h }' out)" 0.33 0.35 # 0.6798 / 2.0096
try 0 fit bouncing-ball noisy.csv --map q0=height --by e --of q0 --sigma q0=1e-4
in_err "times as large as --sigma"

# what is left out
try 0 run bouncing-ball --scheme event-driven --set e=0.8 --end 2.5 --out whole.csv
try 0 fit bouncing-ball whole.csv --by e --of q0,v0 --set e=0.78 --until 1.2
in_err "1 time with two rows, the limits of a jump, left out" "rows after --until left out"
between "e of whole.csv" "$(value e)" 0.7999999 0.8000001

# parameters that the data do not determine
try 1 fit bouncing-ball noisy.csv --map q0=height --by e,q0 --of q0 --until 0.9
equal "no interval" "$(value e 3),$(value e 4)" nan,nan
in_err "not identifiable: e. It has no effect on the data at its value 0.5"

# other schemes; differences
try 0 fit bouncing-ball noisy.csv --map q0=height --by e --of q0 --scheme moreau-jean --step 3e-3
between "e of moreau-jean" "$(value e)" 0.79 0.81
try 2 fit bouncing-ball noisy.csv --map q0=height --by e --of q0 --scheme moreau-jean
try 0 fit bouncing-ball exact.csv --by e --of q0 --set e=0.79 --method difference:relative=1e-4
between "by differences" "$(value e)" 0.799999 0.800001

# coefficients of another law
try 0 fit bouncing-ball exact.csv --law newton:e=0.7 --by e,q0 --of q0 --set q0=1.05 --out law.csv
between "e of the law" "$(value e)" 0.7999999 0.8000001
between "q0 beside it" "$(value q0)" 0.9999999 1.0000001
between "last row of the law" "$(sed -n 51p law.csv | awk -F, '{ print $3 - $2 }')" -1e-7 1e-7

# pictures
try 0 fit bouncing-ball noisy.csv --map q0=height --by e --of q0 --plot fit.svg --style journal
grep -q "of data" fit.svg || fail "fit.svg has no key"

# --out is a file or a folder; the page
try 0 fit bouncing-ball noisy.csv --map q0=height --by e --of q0 --set e=0.7 --out folder --plot-format svg --report fit.html
cp out folder.txt
grep -v "^#" folder/estimates.csv | diff - folder.txt || fail "estimates.csv is not what fit prints"
diff <(grep -v "^#" folder/fit.csv) <(grep -v "^#" fit.csv) || fail "folder/fit.csv is not the file of --out FILE.csv"
[ -s folder/fit.svg ] || fail "there is no picture in the folder"
[ ! -e folder/data.csv ] || fail "data of a file are written"
grep -q "standard error" fit.html || fail "the page has no table of estimates"

# studies: a file beside the study, from another folder; the same numbers as the command
mkdir -p studies
cp noisy.csv studies/ball.csv
cat >studies/ball.yaml <<'EOF'
title: A measured ball
kind: fit
model: bouncing-ball
parameters: {e: 0.7}
by: e
of: q0
map: {q0: height}
data: ball.csv
range: {e: "0.6:"}
sigma: {q0: 0.01}
until: 2.2
level: 0.9
expect:
  - {quantity: estimate, of: e, between: [0.79, 0.81]}
  - {quantity: interval-low, below: 0.8}
  - {quantity: interval-high, above: 0.8}
  - {quantity: noise, of: q0, between: [0.01, 0.01]}
  - {quantity: identifiable, above: 1}
EOF
try 0 fit bouncing-ball noisy.csv --map q0=height --by e --of q0 --set e=0.7 --range e=0.6: --sigma q0=0.01 --until 2.2 --level 0.9
cp out command.txt
try 0 study studies/ball.yaml --strict --out measured
in_out "reproduces our own values 5 of 5" "fit bouncing-ball"
grep -v "^#" measured/estimates.csv | diff - command.txt || fail "a study differs from its command"

# data that the study makes: the printed command reads them, and gives the same to the last bit
cat >made.yaml <<'EOF'
title: Two made motions
kind: fit
model: bouncing-ball
by: [e, q0]
of: [q0, v0]
data: {parameters: {e: 0.8, q0: 1.1}, end: 2.5, rows: 80, noise: 0.01, seed: 3}
studies:
  - name: forward
    title: tangents
    parameters: {e: 0.7}
    expect: [{quantity: noise, of: v0, between: [0.008, 0.012]}]
  - name: differences
    title: "differences; nothing has struck yet"
    by: e
    data: {parameters: {e: 0.8}, end: 0.9, rows: 30, noise: 0.01}
    of: q0
    method: difference:relative=1e-4
    expect: [{quantity: identifiable, of: e, between: [0, 0]}, {quantity: interval-low, of: e, above: 0}]
EOF
try 3 study made.yaml --strict --out made
in_out "none: it is not identifiable" "reproduces our own values 2 of 3"
command=$(grep "^\$ delassus fit .*made/forward/data.csv" out | sed 's/^\$ delassus //; s/ --out=.*//')
# shellcheck disable=SC2086
try 0 $command
grep -v "^#" made/forward/estimates.csv | diff - out || fail "the command of made data gives other numbers"

# those that ship
for name in identify-restitution-friction example-fit; do
  try 0 study "$name" --strict --plot-format none --out named
done

# wrong studies: all errors at once
cat >wrong.yaml <<'EOF'
title: Wrong
kind: fit
model: bouncing-ball
by: [e, q0]
of: [q0, q7]
data: {parameters: {w: 1}, end: 0, noise: 0.1, seed: -1}
range: {f: "0:1", e: "0.5"}
sigma: {q0: 0.1}
schemes: [event-driven, moreau-jean]
end: 3
expect:
  - {quantity: estimate, of: m, above: 0}
  - {quantity: order, above: 0}
EOF
try 2 study --check wrong.yaml
in_err "wrong.yaml:5:10: there is no column 'q7'" "key 'rows' is missing" "end = 0 is outside" "seed = -1 is outside" "'w'" "range: 'f=0:1' must be one of e, q0" \
  "range: '0.5' must be A:B" "has one scheme, but 2 are given" "key 'end' is not of this kind" "does not measure 'm'" "has no quantity 'order'"
sed -i 's/data: .*/data: nothere.csv/' wrong.yaml
try 2 study --check wrong.yaml
in_err "wrong.yaml:6:7: cannot read" "nothere.csv"

# the study of coverage: interrupted inside a row, it continues
if command -v python3 >/dev/null; then
  python3 "$2/fit-coverage" --program "$tool" --only ball --seeds 4 coverage >whole.txt || fail "fit-coverage fails"
  cp coverage/ball.csv whole-ball.csv
  head -c -20 whole-ball.csv >coverage/ball.csv
  python3 "$2/fit-coverage" --program "$tool" --only ball --seeds 4 coverage >resumed.txt || fail "fit-coverage fails when it continues"
  cmp whole-ball.csv coverage/ball.csv || fail "fit-coverage has other rows when it continues"
  cmp whole.txt resumed.txt || fail "fit-coverage prints something else when it continues"
  grep -q "^ball,e,0.8,4,0,[34]," whole.txt || fail "coverage of e in four fits: $(cat whole.txt)"
fi

# wrong requests and files
try 2 fit bouncing-ball noisy.csv --by e --of q0
in_err "noisy.csv has no column 'q0'; its columns are t, height; --map q0=NAME renames one"
try 2 fit bouncing-ball other.csv --by e --of q0
in_err "other.csv:1:1:"
try 2 fit bouncing-ball missing.csv --by e --of q0
: >empty.csv
try 2 fit bouncing-ball empty.csv --by e --of q0
in_err "empty.csv"
printf 't,q0\n' >head.csv
try 2 fit bouncing-ball head.csv --by e --of q0
in_err "head.csv"
printf 't,q0\n1,0.1\n0.5,0.7\n' >back.csv
try 2 fit bouncing-ball back.csv --by e --of q0
in_err "back.csv:3:1:"
printf 't,q0\n0.5,0.7\n1,nan\n' >nan.csv
try 2 fit bouncing-ball nan.csv --by e --of q0
in_err "nan.csv:3:3:"
printf 't,q0\n0.5,0.7\n' >few.csv
try 2 fit bouncing-ball few.csv --by e --of q0
in_err "1 rows of 1 columns are too few for 1 parameters"
try 0 fit bouncing-ball exact.csv --by e --of q0 --range e=0.2:0.9 --set e=0.2
in_err "e = 0.2 is a bound of its range: the fit starts beside it"
printf 't,q0\n-0.5,0.7\n1,0.1\n' >early.csv
try 2 fit bouncing-ball early.csv --by e --of q0
in_err "row 1: t = -0.5 s, allowed is a time >= 0"
for words in "--by x --of q0" "--by e,e --of q0" "--by e --of q0 --sigma 0" "--by e --of q0 --sigma v0=1" "--by e --of q0 --range f=0:1" \
  "--by e --of q0 --range e=0.9:1" "--by e --of q0 --level 1" "--by e --of q0 --tol 2" "--by e --of q0 --method guess" "--by e --of q0 --starts 0" \
  "--by f --of q0 --starts 2" "--by e" "--of q0" "--by e --of q0 --until 0.01" "--by e --of q0 --method difference:relative=2"; do
  # shellcheck disable=SC2086
  try 2 fit bouncing-ball exact.csv $words
done
finish
