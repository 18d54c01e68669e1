# test_cli_sweep_small.sh -- small sweeps: each row is that of its own run or study, parts make the whole, a run that fails says why in
# its own row, and the plan counts the steps of all.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

rows() { grep -v '^#' "$1" | tail -n +2; }
cell() { awk -F, -v c="$3" -v key="$2" 'index($0, key) == 1 { print $c }' "$1"; }

oscillator=(impacting-oscillator --set amplitude=0.5 --scheme moreau-jean --step 0.02 --end 2)
try 0 run "${oscillator[@]}" --sweep omega=0.5:2:3 --sweep e=0.2,0.8 --out whole --plot-format none
equal "rows of six runs" "$(rows whole/sweep.csv | wc -l)" 6
for setting in "0.5 0.2" "1.25 0.8" "2 0.8"; do
  read -r omega e <<<"$setting"
  try 0 run "${oscillator[@]}" --set omega="$omega" --set e="$e" --out one.csv
  equal "last q0 at omega = $omega, e = $e" "$(cell whole/sweep.csv "$omega,$e,moreau-jean," 4)" \
    "$(rows one.csv | tail -1 | cut -d, -f2)"
done
for part in 1 2; do
  try 0 run "${oscillator[@]}" --sweep omega=0.5:2:3 --sweep e=0.2,0.8 --out parts --plot-format none --shard $part/2
done
try 0 merge parts
cmp <(grep -v '^#' whole/sweep.csv) <(grep -v '^#' parts/sweep.csv) || fail "two parts are not the whole"

# what fails has its reason, and only that
try 0 run bouncing-ball --sweep e=0,0.5 --scheme spring-damper:k=1e4 --step 0.01 --end 0.5 --out some --plot-format none
in_err "1 of 2 rows of the sweep have no value"
equal "rows of two runs" "$(rows some/sweep.csv | wc -l)" 2
equal "reasons" "$(rows some/sweep.csv | grep -c 'no finite damper')" 1
rows some/sweep.csv | grep '^0,spring-damper' | grep -q 'no finite damper' || fail "the reason is in another row"

# of runs side by side one that leaves the finite numbers has that in its own row, and the others what they have without it
newmark=nonsmooth-newmark:beta=0.16666666666666666,stability=ignore # it grows where omega h > sqrt(12)
grows=(impacting-oscillator --scheme "$newmark" --step 1 --end 1000 --of q0,steps --plot-format none)
try 0 run "${grows[@]}" --sweep k=0.25,0.5,100 --out grows
in_err "1 of 3 rows of the sweep have no value" "is not finite"
rows grows/sweep.csv | grep 'is not finite' | grep -q '^100,' || fail "the reason is in another row"
try 0 run "${grows[@]}" --sweep k=0.25,0.5 --out stays
cmp <(rows grows/sweep.csv | grep -v '^100,') <(rows stays/sweep.csv) || fail "a run that grows changes those beside it"

# rows of schemes, norms and quantities are those of a study of its own
ball=(bouncing-ball --scheme moreau-jean --scheme nonsmooth-newmark --steps 0.1:0.02:3 --end 2 --norm "l1,hausdorff" --of "q,v")
try 0 order "${ball[@]}" --sweep e=0.3,0.6 --out orders --plot-format none
try 0 order "${ball[@]}" --set e=0.6 --out alone --plot-format none
equal "rows of two studies" "$(rows orders/sweep.csv | wc -l)" 16
equal "orders at e = 0.6" "$(rows orders/sweep.csv | awk -F, '$1 == 0.6 { printf "%s,%s,%s,%.12g\n", $2, $3, $4, $5 }' | sort)" \
  "$(awk -F, 'NR == FNR && /^[^#]/ && !n++ { for (k = 1; k <= NF; k++) at[$k] = k; next }
              /^[^#]/ && FNR > 1 && $1 != "model" { printf "%s,%s,%s,%.12g\n", $at["scheme"], $at["norm"], $at["of"], $at["order"] }' \
    alone/orders.csv | sort)"

# a scheme that no value makes applicable is refused before the start; one value that does is enough
refused "at all 3 points of the sweep: " "does not treat friction" "\`delassus list schemes friction\` lists those that do" -- \
  run puck --scheme newmark-position-contact --step 0.01 --sweep mu=0.1:0.3:3 --out none
refused "at all 4 points of the sweep: " "does not treat friction" -- \
  run puck --scheme newmark-position-contact --step 0.01 --sweep mu=0.1,0.2 --sweep v0=1,2
refused "at all 4 points of the sweep: " "does not treat friction" -- compare puck --scheme newmark-position-contact --step 0.01 \
  --sweep mu=0.1,0.2 --curves v0=1,2 --of q0 --plot none.svg
for kind in order work energy; do
  step=(--steps 0.1:0.02:3)
  [ $kind != energy ] || step=(--step 0.01)
  refused "at all 2 points of the sweep: " "does not treat friction" -- \
    $kind puck --scheme moreau-jean --scheme newmark-position-contact "${step[@]}" --sweep mu=0.1,0.2 --out none
done
refused "at all 2 points of the sweep: " "no finite damper" -- \
  run bouncing-ball --sweep q0=1,2 --set e=0 --scheme spring-damper:k=1e4 --step 0.01 --end 0.5
try 1 compare bouncing-ball --sweep e=0,0.5 --scheme spring-damper:k=1e4 --step 0.01 --end 0.5 --of q0 --out late
in_err "failed: 1; the first without a value is spring-damper:k=1e4 at e = 0"

cat >sweep.yaml <<'Y'
title: a sweep
studies:
  - {name: sweep, title: sweep, kind: run, model: impacting-oscillator, schemes: moreau-jean, step: 0.02, end: 2, sweep: "e=0.2,0.4,0.6", pictures: none}
Y
try 0 study sweep.yaml --out res --plan plan.sh
equal "steps of three runs" "$(awk '$1 == "sweep" { print $3 }' out)" 300
finish
