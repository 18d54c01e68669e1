# test_cli_order_derivatives.sh -- delassus order --of dX/dP: tables, files, resumed and sharded studies, study files, refusals.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

ball=(order bouncing-ball --of "dq0/dq0,dv0/dq0" --tangent plain --levels --steps 0.02:0.002:3 --end 1.4)
try 0 "${ball[@]}" --scheme moreau-jean --scheme event-driven --out dir
in_out "right signs" "100 % of 30 runs" "0 % of 30 runs" "converges to the derivative of another map"
equal "last columns of orders.csv" "$(head -1 dir/orders.csv | rev | cut -d, -f1,2 | rev)" "verdict,sign_share"
equal "last columns of errors.csv" "$(head -1 dir/errors.csv | rev | cut -d, -f1,2 | rev)" "value,exact"
equal "header of derivatives.csv" "$(head -1 dir/derivatives.csv)" \
  "model,scheme,norm,of,tangent,step,runs,value,error,spread,sign_share"
# d(q, v)/dq0 of the steps is (1, 0) in every run
awk -F, '/moreau-jean/ && /dq0/ { n++; if ($(NF - 1) < 1 - 1e-7 || $(NF - 1) > 1 + 1e-7) exit 1 } END { if (n != 90) exit 1 }' \
  <(grep 'end,dq0' dir/errors.csv) || fail "dq0/dq0 of moreau-jean is not 1"
awk -F, '/moreau-jean/ && /end,dq0/ { if ($NF != 1) exit 1 } /moreau-jean/ && /end,dv0/ { if ($NF != 0) exit 1 }' dir/orders.csv ||
  fail "the shares of signs are not 1 and 0"
awk -F, '/event-driven/ && /end/ { if ($7 > 1e-8) exit 1 }' dir/errors.csv || fail "event-driven runs have other derivatives"
for file in order_end_dq0-dq0.png order_end_dv0-dq0.gp quality.csv study.txt runs.csv; do
  [ -s "dir/$file" ] || fail "no $file"
done
# the same from two threads, from two parts, and continued
try 0 "${ball[@]}" --scheme moreau-jean --out one --plot-format none
try 0 "${ball[@]}" --scheme moreau-jean --out two --plot-format none --jobs 2
for part in 1/2 2/2; do
  try 0 "${ball[@]}" --scheme moreau-jean --out parts --plot-format none --shard $part
done
try 0 merge parts --plot-format none
mkdir again
head -60 one/runs.csv >again/runs.csv
try 0 "${ball[@]}" --scheme moreau-jean --out again --plot-format none --resume
for folder in two parts again; do
  for file in orders.csv derivatives.csv; do
    cmp -s <(grep -v '^#' one/$file) <(grep -v '^#' $folder/$file) || fail "$folder/$file differs"
  done
done
# without derivatives the files are as before
try 0 order bouncing-ball --of q0 --norm end --scheme moreau-jean --steps 0.02:0.002:3 --end 1.4 --out plain --plot-format none
[ ! -e plain/derivatives.csv ] || fail "a derivatives.csv without derivatives"
equal "last column without derivatives" "$(head -1 plain/orders.csv | rev | cut -d, -f1 | rev)" limit

# a study
cat >ball.yaml <<'END'
kind: order
title: Derivatives
model: bouncing-ball
schemes: moreau-jean
steps: {first: 0.02, last: 0.002, levels: 3}
end: 1.4
of: dv0/dq0
tangent: plain
expect:
  - {quantity: sign-share, between: [0, 0]}
  - {quantity: derivative-error, between: [-1.5001, -1.4999]}
  - {quantity: derivative-spread, below: 1e-6}
  - {quantity: failed-runs, between: [0, 0]}
  - {quantity: derivative-error, above: 0}
END
try 0 study ball.yaml --out study
in_out "reproduces our own values 4 of 5" "--of=dv0/dq0 --tangent=plain"
refused "derivatives such as dq0/de" -- study --check <(sed 's|dv0/dq0|dv0/dx|' ball.yaml)
refused "derivatives such as dq0/de" -- study --check <(sed 's|dv0/dq0|dv1/dq0|' ball.yaml)
refused "tangent = exact: allowed are" -- study --check <(sed 's|tangent: plain|tangent: exact|' ball.yaml)

# maps over an option of the scheme and the step: each row is that of its own study, to the last bit
spring=(order bouncing-ball --set e=1 --of dq0/dq0,dv0/dq0 --tangent plain --end 1.3 --repeats 5 --plot-format none)
try 0 "${spring[@]}" --scheme spring-damper --sweep k=1e2:1e4:3:log --sweep step=1e-2,3e-3 --out map
equal "rows of the map" "$(grep -vc '^#' map/sweep.csv)" 13
for k in 100 1000 10000; do
  try 0 "${spring[@]}" --scheme spring-damper:k=$k --steps 1e-2:3e-3:2 --out "spring_$k"
  awk -F, -v k=$k '/^#/ { next } $1 == "model" { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["step"] > 5e-3 { print k, $c["of"], $c["error"], $c["spread"], $c["sign_share"] }' "spring_$k/derivatives.csv"
done >single.txt
try 0 "${spring[@]}" --scheme spring-damper --sweep step=1e-2,3e-3 --sweep k=1e2:1e4:3:log --out turned
cmp <(grep -v '^#' map/sweep.csv | awk -F, 'NR > 1 { print $1, $2, $0 }' | cut -d, -f3- | sort) \
  <(grep -v '^#' turned/sweep.csv | awk -F, 'NR > 1 { print $2, $1, $0 }' | cut -d, -f3- | sort) || fail "the order of the axes counts"
# the first level draws the same steps as a study with this step alone
awk -F, '/^#/ { next } $1 == "k" { for (i = 1; i <= NF; i++) c[$i] = i; next }
  $c["step"] == 0.01 { print $c["k"], $c["of"], $c["derivative_error"], $c["derivative_spread"], $c["sign_share"] }' map/sweep.csv >mapped.txt
equal "rows of both" "$(wc -l <single.txt),$(wc -l <mapped.txt)" 6,6
paste -d' ' single.txt mapped.txt | awk '$1 != $6 || $2 != $7 || $3 + 0 != $8 + 0 || $4 + 0 != $9 + 0 || $5 + 0 != $10 + 0 { bad = 1 } END { exit bad }' ||
  fail "the map differs from single studies: $(paste single.txt mapped.txt)"
try 0 "${spring[@]}" --scheme spring-damper --sweep k=1e2:1e4:3:log --sweep step=1e-2,3e-3 --out map_parts --shard 1/2
try 0 "${spring[@]}" --scheme spring-damper --sweep k=1e2:1e4:3:log --sweep step=1e-2,3e-3 --out map_parts --shard 2/2
try 0 merge map_parts
cmp <(grep -v '^#' map/sweep.csv) <(grep -v '^#' map_parts/sweep.csv) || fail "parts of a map are not the whole"
# with steps the columns of the finest level
try 0 "${spring[@]}" --scheme spring-damper --sweep k=1e2,1e3 --steps 1e-2:3e-3:3 --out lines
equal "columns" "$(head -1 lines/sweep.csv)" \
  k,scheme,norm,of,order,ci_low,ci_high,least_error,largest_error,failed_runs,sign_share,derivative_error,derivative_spread,failure
refused "model bouncing-ball has no real parameter 'kk', its schemes have no such option in common, and it is not step" -- \
  "${spring[@]}" --scheme spring-damper --sweep kk=1:2:3 --steps 0.1:0.01:3
refused "has no real parameter 'k'" -- "${spring[@]}" --scheme spring-damper --scheme moreau-jean --sweep k=1:2:3 --steps 0.1:0.01:3
refused "option k is given twice" -- "${spring[@]}" --scheme spring-damper:k=3 --sweep k=1:2:3 --steps 0.1:0.01:3
refused "k = -1" -- "${spring[@]}" --scheme spring-damper --sweep k=-1:2:3 --steps 0.1:0.01:3
refused "steps does not go with a sweep over step" -- "${spring[@]}" --scheme spring-damper --sweep step=0.1:0.01:3 --steps 0.1:0.01:3
refused "step = 20 s is outside (0, end = 1.3 s]" -- "${spring[@]}" --scheme spring-damper --sweep step=20:0.01:3
refused "step is given twice" -- "${spring[@]}" --scheme spring-damper --sweep step=0.1,0.2 --sweep step=0.1,0.3
refused "a sweep over step needs a scheme with a step: event-driven chooses its own" -- order bouncing-ball --scheme event-driven --sweep step=0.1,0.2
refused "unknown scheme 'no-such'" -- order bouncing-ball --scheme no-such --sweep step=0.1,0.2
refused "--steps" "missing" -- "${spring[@]}" --scheme spring-damper --sweep k=1:2:3
cat >map.yaml <<'END'
kind: order
title: A map
model: bouncing-ball
parameters: {e: 1}
schemes: spring-damper
sweep: ["k=1e2:1e4:3:log", "step=1e-2,3e-3"]
end: 1.3
of: dq0/dq0
tangent: plain
expect:
  - {quantity: sign-share, at: 100, between: [1, 1]}
  - {quantity: derivative-error, at: 100, curve: 0.003, between: [-1, -0.1]}
  - {quantity: derivative-spread, at: 1e4, curve: 0.01, above: 1}
  - {quantity: largest-error, at: 1e4, curve: 0.003, above: 1}
END
try 0 study map.yaml --out mapped --strict
in_out "reproduces our own values 4 of 4" "at k = 100, step = 0.003"
# a plan weighs each step: 3 stiffnesses, 30 phases, 130 and 433 steps
try 0 study map.yaml --plan -
between "steps of the plan" "$(awk '$1 == "all" || $2 ~ /^[0-9]+$/ { x = $3 } END { print x + 0 }' out)" 49000 52500

refused "--tangent = plain goes with derivatives" -- order bouncing-ball --scheme moreau-jean --tangent plain --steps 0.1:0.01:3
refused "reference = limit does not go with derivatives" -- \
  order bouncing-ball --scheme moreau-jean --of dq0/de --reference limit --steps 0.1:0.01:3
refused "there is no 'x'" -- order bouncing-ball --scheme moreau-jean --of dq0/dx --steps 0.1:0.01:3
refused "no derivative with respect to t1" "--reference event-driven" -- \
  order belt --scheme moreau-jean --of dq0/dt1 --tangent plain --steps 0.1:0.01:3 --end 2
finish
