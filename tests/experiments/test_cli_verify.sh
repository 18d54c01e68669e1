# test_cli_verify.sh -- files and studies that are made once more: identical ones, changed ones, what says not how it was made.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
mkdir temporary # of this test alone: others make such folders at the same time
export TMPDIR=$PWD/temporary

# same FILE VALUES: is identical, in so many values
same() {
  try 0 verify "$1"
  equal "identical, $1" "$(value identical)" yes
  between "values of $1" "$(value values)" "$2" "$2"
}

# trajectories: everything that changes a run is in its metadata
try 0 run bouncing-ball --scheme moreau-jean:theta=0.6 --set e=0.7 --step 0.0371 --end 3 --out steps.csv
same steps.csv $(($(grep -vc '^#' steps.csv) * 8 - 8))
in_out "command=delassus run bouncing-ball --set e=0.7 --scheme moreau-jean:theta=0.6 --end 3 --step 0.0371"
try 0 run incline --law fremond --scheme moreau-jean --step 0.1 --end 0.5 --every 2 --columns q0,v0 --halve 3 --out part.csv
same part.csv 12
in_out "--law fremond" "--every 2" "--halve 3"
try 0 run bouncing-ball --scheme event-driven:tol=1e-9 --end 2.2 --at 0.3,1,1.7 --out "odd name's.csv"
same "odd name's.csv" $(($(grep -vc '^#' "odd name's.csv") * 9 - 9))
data=$2/tests/data/matrix-model
try 0 run matrix-model --set M="$data/M.mtx" --set K="$data/K.mtx" --set HT="$data/HT.mtx" --scheme moreau-jean --step 0.1 \
  --end 0.3 --out files.csv
columns=$(grep -v '^#' files.csv | head -1 | tr ',' '\n' | wc -l)
same files.csv $(($(grep -vc '^#' files.csv) * columns - columns))
try 0 exact impacting-oscillator --end 3 --out exact.csv
same exact.csv $(($(grep -vc '^#' exact.csv) * 9 - 9))
try 0 exact impacting-oscillator --at 0.5,1.5 --out at.csv
same at.csv 18

# of a run that ended early its rows are compared; a run that fails is made again as far as it goes
try 1 run bouncing-ball --set e=1 --scheme event-driven:max_events=3 --end 50 --out failed.csv
try 0 verify failed.csv
equal "identical, failed.csv" "$(value identical)" yes
grep -v '^#' steps.csv | head -11 >rows
{ sed -n '/^#/p' steps.csv | sed 's/complete: yes/complete: no/' && cat rows; } >cut.csv
try 1 verify cut.csv # a run ends early for a reason
in_err "cut.csv: '# complete: no' in the file, '# complete: yes' now"
sed 's/^# complete: no/&\n# failure: moreau-jean at t = 0.371: interrupted after 10 steps/' cut.csv >ended.csv
same ended.csv 80

# what is not the same
awk -F, -v OFS=, '/^[^#t]/ && ++n == 5 { $3 = $3 + 1e-15 } { print }' OFMT=%.17g CONVFMT=%.17g steps.csv >bit.csv
try 1 verify bit.csv
in_err "bit.csv, row 5, column v0: " "; 1 of $(($(grep -vc '^#' bit.csv) * 8 - 8)) values differ"
equal "identical, bit.csv" "$(value identical)" no
sed '$d' steps.csv >short.csv
try 3 verify bit.csv --strict
try 0 verify steps.csv --strict
try 1 verify short.csv
in_err "nothing in the file, another row now"
{ cat steps.csv && tail -1 steps.csv; } >long.csv
try 1 verify long.csv
in_err "in the file, nothing now"
sed 's/^# compiler: .*/# compiler: tcc 0.9/' bit.csv >other.csv
try 1 verify other.csv
in_err "it was made by tcc 0.9, this is "
sed 's/^t,q0,v0/t,x,v0/' steps.csv >names.csv
refused "names.csv has the columns t,x,v0" -- verify names.csv

# studies
try 0 order bouncing-ball --scheme moreau-jean --scheme event-driven --steps 0.1:0.01:4 --repeats 3 --seed 7 --end 1.3 --norm l1 \
  --of q,v --out order --plot-format none
try 0 verify order
equal "identical, order" "$(value identical)" yes
equal "tables of order" "$(value tables)" 3
for against in steps seconds; do
  try 0 work bouncing-ball --scheme moreau-jean --scheme event-driven --steps 0.1:0.01:3 --tols 1e-3:1e-6:3 --repeats 2 --end 1.3 \
    --against $against --timings 1 --out work-$against --plot-format none
  try 0 verify work-$against
  equal "tables of work-$against" "$(value tables)" "$([ $against = steps ] && echo 2 || echo 1)"
done
# all that ./demo makes, in one call
{
  echo 'delassus=$1 out=$2'
  sed -n '/^study() {/,/^picture impacting/{/^ *say /d;p}' "$2/demo"
} >demo.sh
mkdir demo
sh demo.sh "$1" demo >demo.log 2>&1 || fail "./demo's commands: $(cat demo.log)"
try 0 verify demo/*.csv demo/order-*/
equal "identical of ./demo" "$(grep -c '^identical=yes$' out)" 8
equal "files of ./demo" "$(grep -c '^file=demo/' out)" 8

awk -F, -v OFS=, '/^bouncing-ball,moreau-jean,l1,q/ { $5 = 0.5 } { print }' order/orders.csv >changed
mv changed order/orders.csv
printf 'a,b\n1,2\n' >order/mine.csv
rm order/quality.csv
try 1 verify order
in_err "order/quality.csv is missing: the command makes it"
in_out "missing=1" "identical=no"
in_err "order/orders.csv, row " ", column order: 0.5 in the file" "order/mine.csv is not made by the command: left out"

# what does not say how it was made
printf 't,q0\n0,1\n1,2\n' >anyone.csv
refused "does not say '# command: ...'" -- verify anyone.csv
sed 's/^# command: delassus run/& --plugin=evil.so/' steps.csv >evil.csv
refused "'--plugin=evil.so' is not an option that its line command: may have" -- verify evil.csv
sed 's/^# command: delassus run/# command: delassus study/' steps.csv >study.csv
refused "'study' is not a command that can be verified" -- verify study.csv
mkdir empty
refused "has neither study.yaml nor a study.txt or sweep.csv that says its command" -- verify empty
refused "No such file" -- verify nowhere.csv
sed 's/^\(# command: delassus run\) bouncing-ball/\1 no-such-model/' steps.csv >model.csv
refused "no-such-model" -- verify model.csv
equal "folders left behind" "$(find temporary -name 'delassus-verify-*' | wc -l)" 0
finish
