# test_cli_work.sh -- the work-precision diagram: tables, files, and requests that are wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
by_step="--scheme moreau-jean --steps 0.1:0.005:5"
by_tol="--scheme event-driven:method=erk --tols 1e-3:1e-9:4"
small="$by_step $by_tol --norm l1 --of q --repeats 3"

# field COLUMN: of the rows of slopes.csv of the scheme NAME
slope() {
  awk -F, -v scheme="$1" '$2 == scheme { print $7 }' "$2/slopes.csv"
}

# shellcheck disable=SC2086
{
  # both sequences on one diagram; the table on standard output, nothing else
  try 0 work impacting-oscillator $small
  in_out "impacting-oscillator on [0, 10] s" "work: force evaluations + LCP solves + factorizations" \
    "median step" "tolerance" "slope -" "95 %" "evals needed for an error of q, l1, of" "1e-6"
  [ ! -s err ] || fail "$last wrote to standard error: $(cat err)"
  equal "files here" "$(ls -A | tr '\n' ' ')" "err out "
  cp out first
  # the same seed gives the same study, another seed another
  try 0 work impacting-oscillator $small --seed 1
  cmp -s first out || fail "a study does not repeat"
  try 0 work impacting-oscillator $small --seed 2
  ! cmp -s first out || fail "--seed changes nothing"

  # files: names, headers, rows = runs x norms x quantities
  try 0 work impacting-oscillator $by_step $by_tol --scheme moreau-jean-adaptive:order=2,theta=1 --norm l1,max \
    --of q --repeats 2 --out deep/study --plot-format none
  equal "files" "$(ls -A deep/study | tr '\n' ' ')" "runs.csv slopes.csv study.txt work.csv "
  equal "header of work.csv" "$(head -1 deep/study/work.csv)" \
    "model,scheme,options,step,tol,norm,of,error,bound,steps,rejected,problems,force_evals,lcp_solves,factorizations,wall_seconds"
  equal "header of slopes.csv" "$(head -1 deep/study/slopes.csv)" \
    "model,scheme,options,norm,of,work,slope,ci_low,ci_high,work_min,work_max,points,reason"
  equal "rows of work.csv" "$(grep -v "^#" deep/study/work.csv | tail -n +2 | wc -l)" $(((5 + 4 + 4) * 2 * 2))
  equal "rows of slopes.csv" "$(grep -v "^#" deep/study/slopes.csv | tail -n +2 | wc -l)" $((3 * 2))
  grep -q '^impacting-oscillator,moreau-jean,,0\.[0-9]*,nan,l1,q,' deep/study/work.csv || fail "no step of moreau-jean"
  grep -q '^impacting-oscillator,event-driven,method=erk,nan,0\.[0-9]*,l1,q,' deep/study/work.csv ||
    fail "no tolerance of event-driven"
  grep -q '^impacting-oscillator,moreau-jean-adaptive,"order=2,theta=1",l1,q,evals,-' deep/study/slopes.csv ||
    fail "no slope of moreau-jean-adaptive"
  for line in 'version: delassus [0-9]' 'compiler: .' 'cpu: .' 'date: 20' 'seed: 1$' 'concurrent runs: 1$' \
    'tolerances: 0.001 to ' 'complete: yes$' 'failures: 0$'; do
    grep -q "^$line" deep/study/study.txt || fail "study.txt has no line '$line'"
  done

  # rejected work counts: problems of the adaptive scheme are at least three for each rejection and one each step
  try 0 work impacting-oscillator --scheme moreau-jean-adaptive --tols 1e-4:1e-6:3 --norm l1 --of q --against problems \
    --repeats 2 --out problems --plot-format none
  in_out "problems needed"
  awk -F, '!/^#/ && NR > 1 && !($11 > 0 && $12 >= $10 + 3 * $11) { bad = 1 } END { exit bad }' problems/work.csv ||
    fail "problems without those of rejected steps: $(cat problems/work.csv)"

  # the slope of a scheme of order one against steps, of one of order four
  try 0 work impacting-oscillator --scheme moreau-jean --scheme rk-moreau:method=rk4 --steps 0.1:0.002:7 --norm l1 \
    --of q --against steps --out steps --plot-format none
  between "slope of moreau-jean over steps" "$(slope moreau-jean steps)" -1.3 -0.6
  between "slope of rk4 over steps" "$(slope rk-moreau steps)" -4.4 -3.7

  # seconds: the median of several runs is said to be one
  try 0 work impacting-oscillator $small --against seconds --timings 2 --out seconds --plot-format none
  in_out "work: wall time [s]" "seconds needed"
  grep -q '^wall_seconds: median of 2 runs without record' seconds/study.txt || fail "study.txt does not tell the timings"

  # a scheme without tolerances runs once, as it is
  try 0 work impacting-oscillator $by_step --scheme event-driven --norm l1 --of q --repeats 3
  in_out "event-driven" "own"

  # failed runs are listed with their reason; if all fail, so does the command
  try 0 work bouncing-ball --scheme moreau-jean --scheme rk-moreau:max_inner=1 --steps 0.1:0.01:3 --end 4 --norm l1 \
    --of q --repeats 1 --out failing --plot-format none
  in_out "1 of 1 runs failed" "failed: rk-moreau:max_inner=1, step 0.1 s, l1 of q: rk-moreau at t = "
  in_err "3 of 6 measurements failed"
  equal "rows of failed runs" "$(grep -c '^bouncing-ball,rk-moreau,max_inner=1,.*,l1,q,nan,nan,' failing/work.csv)" 3
  equal "failures in study.txt" "$(grep -c '^failed: rk-moreau' failing/study.txt)" 3
  try 1 work bouncing-ball --scheme rk-moreau:max_inner=1 --steps 0.1:0.01:3 --end 4 --norm l1 --of q --repeats 1
  rm -rf deep problems steps seconds failing first

  # pictures: one per norm and quantity, each with its script
  if command -v gnuplot >/dev/null; then
    try 0 work impacting-oscillator $small --of v --out pictures --plot-format svg
    equal "files" "$(ls -A pictures | tr '\n' ' ')" \
      "runs.csv slopes.csv study.txt work.csv work_l1_q.gp work_l1_q.svg work_l1_v.gp work_l1_v.svg "
    grep -q "error of q in L" pictures/work_l1_q.gp || fail "the script has no label of the errors"
    rm -rf pictures
  else
    echo "gnuplot is absent: pictures are not tested"
  fi

  osc="work impacting-oscillator --out x"
  refused "unknown model 'osc'" -- work osc $small --out x
  refused "--scheme is missing" -- $osc --steps 0.1:0.01:4
  refused "--steps H0:H1:N is missing: scheme moreau-jean needs a time step" -- $osc --scheme moreau-jean
  refused "--steps H0:H1:N is missing: scheme moreau-jean" -- \
    $osc --scheme event-driven --scheme moreau-jean --tols 1e-3:1e-6:3
  refused "--tols T0:T1:N is missing: scheme event-driven chooses its own steps" -- $osc --scheme event-driven
  refused "--steps goes with no scheme of the request" "--tols" -- \
    $osc --scheme event-driven --steps 0.1:0.01:4
  refused "--tols goes with no scheme of the request: all need a time step" "event-driven, moreau-jean-adaptive" -- \
    $osc $by_step --tols 1e-3:1e-6:3
  bad="$osc --scheme event-driven --tols"
  refused "scheme event-driven: tol = 1e-15 is outside [1e-12, 0.01]" -- $bad 1e-3:1e-15:3
  refused "scheme event-driven: tol = 1 is outside" -- $bad 1:1e-5:3
  refused "--tols = '1e-3'" "1 fields" "T0:T1:N" -- $bad 1e-3
  refused "field 1 (first tolerance T0)" "'x'" -- $bad x:1e-3:3
  refused "field 2 (last tolerance T1) = 0 must be > 0" -- $bad 1e-3:0:3
  refused "field 3 (number of levels N) = 1 " "[2, " -- $bad 1e-3:1e-4:1
  refused "(last tolerance T1) = 1e-3 must differ from the first one" -- $bad 1e-3:1e-3:3
  refused "scheme event-driven: option tol is given twice" -- $osc --scheme event-driven:tol=1e-5 --tols 1e-3:1e-4:3
  refused "--against = 'eval'" "steps, problems, evals, seconds" "did you mean 'evals'?" -- $osc $small --against eval
  refused "--timings = 1.5 " "integer" -- $osc $small --timings 1.5
  refused "field 1 (first step H0) = 50 " "--end = 10" -- $osc --scheme moreau-jean --steps 50:1:3
  refused "unknown norm 'l7'" -- $osc $small --norm l7
  refused "no quantity \"z\"" -- $osc $small --of z
}
finish
