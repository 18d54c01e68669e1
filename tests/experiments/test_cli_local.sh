# test_cli_local.sh -- delassus order --local: table, files, picture, page, refusals.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

try 0 order bouncing-ball --scheme moreau-jean:gamma=0.5,velocity_test=off --scheme rk-moreau --local \
  --steps 0.05:1e-3:6 --end 4 --repeats 4 --out dir --report page.html
in_out "around the impact at t = 1 s" "accumulation" "12 of 24" "1.000 [1.000, 1.000]" "0.000 ["
equal "header of local.csv" "$(head -1 dir/local.csv)" "scheme,place,h,sigma,t,impulse,e_q,e_v,failure"
equal "header of local_orders.csv" "$(head -1 dir/local_orders.csv)" \
  "scheme,place,impulse,of,steps,steps_there,largest_first,largest_last,order,ci_low,ci_high"
equal "steps" "$(grep -cE '^"?(moreau|rk)' dir/local.csv)" $((2 * (3 * 6 * 4 + 6)))
for file in dir/local.png dir/local.gp page.html; do
  [ -s "$file" ] || fail "no $file"
done
# px: a head of 40, a row of 230 for q and v of each of four places, 20 below each, an axis of 52, three lines of the key of 22 and 6
equal "size of the picture" "$(sed -n 's/^set terminal .* size \([0-9,]*\).*/\1/p' dir/local.gp | head -1)" 1000,1186
grep -q "Errors of one step" page.html || fail "the page has no local errors"
# e_v = -(1 + e) (v_k + f sigma h) = 3 where the impact is not detected
awk -F, 'NR > 1 && /across/ && !/rk-moreau/ { sub(/^"[^"]*"/, "x") } /across/ && $6 == 0 && ($8 < 3 - 1e-12 || $8 > 3 + 1e-12) { exit 1 }' \
  dir/local.csv || fail "errors of impacts that are not detected"
try 0 order bouncing-ball --scheme moreau-jean --local --impact 2 --steps 0.05:1e-3:3 --end 4
in_out "around the impact at t = 2 s"

# the same as a study: files are those of the command, orders and errors are judged
cat >local.yaml <<'END'
kind: local
title: Local errors
model: bouncing-ball
schemes: "moreau-jean:gamma=0.5,velocity_test=off"
steps: {first: 0.05, last: 1e-3, levels: 6}
end: 4
repeats: 4
pictures: svg
expect:
  - {quantity: local-order, of: v, place: across, impulse: yes, between: [0.98, 1.02]}
  - {quantity: local-error, of: v, place: across, impulse: no, between: [2.999999999, 3.000000001]}
  - {quantity: local-order, of: v, place: across, impulse: no, above: 0.5}
  - {quantity: local-order, of: q, place: before, impulse: no, above: 0}
  - {quantity: local-error, of: q, place: after, impulse: yes, above: 0}
END
try 0 study local.yaml --out study
in_out "order bouncing-ball --local" "reproduces our own values 2 of 5" "nothing to fit" "local_orders.csv has no such row"
try 0 order bouncing-ball --scheme moreau-jean:gamma=0.5,velocity_test=off --local --steps 0.05:1e-3:6 --end 4 --repeats 4 \
  --out command --plot-format svg
for file in local.csv local_orders.csv local.gp; do
  cmp -s study/$file command/$file || fail "$file of study and command differ"
done
grep -q '^local,,local-error,"\{0,1\}moreau-jean.*,across,no,ours$' study/verdict.csv || fail "verdict.csv does not say which steps"
printf 'kind: local\ntitle: T\nmodel: wedge\nschemes: event-driven\nsteps: {first: 0.1, last: 0.01, levels: 3}\n' >bad.yaml
refused "model wedge has no exact solution to take steps from" "scheme event-driven chooses its own steps" -- study --check bad.yaml
printf 'kind: local\ntitle: T\nmodel: bouncing-ball\nschemes: moreau-jean\nseed: 1\nexpect: [{quantity: local-order, of: q0, place: where, below: 1}]\n' >bad.yaml
refused "key 'seed' is not of this kind" "key 'steps' is missing" "of = 'q0'" "place = 'where'" "key 'impulse' is missing" -- study --check bad.yaml

refused "--impact = 2 goes with --local" -- order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:3 --impact 2
refused "--norm does not go with --local" -- order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:3 --local --norm l1
refused "--resume does not go with --local" -- order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:3 --local --resume --out x
refused "impact 9 of model bouncing-ball is not there: its exact solution has 2 impacts in (0, 2.2] s" -- \
  order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:3 --local --impact 9 --end 2.2
refused "model wedge has no exact solution" -- order wedge --scheme moreau-jean --steps 0.1:0.01:3 --local
refused "scheme event-driven chooses its own steps" -- order bouncing-ball --scheme event-driven --steps 0.1:0.01:3 --local
refused "does not treat friction" -- order bounce-slip --scheme naive-rk4 --steps 0.1:0.01:3 --local
refused "--steps H0:H1:N is missing" -- order bouncing-ball --scheme moreau-jean --local
finish
