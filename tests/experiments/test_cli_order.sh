# test_cli_order.sh -- the convergence study: tables, files, and requests that are wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
small="--scheme moreau-jean --steps 0.1:0.005:6 --end 4"

# shellcheck disable=SC2086
{
  # the table on standard output, nothing else
  try 0 order bouncing-ball $small --repeats 6
  in_out "bouncing-ball" "moreau-jean" "hausdorff" "l1" "95 %"
  equal "lines on standard error" "$(wc -l <err) $(grep -c '15 of 36 runs penetrate by more than 1 %' err)" "1 1"
  equal "files here" "$(ls -A | tr '\n' ' ')" "err out "
  cp out first
  # the same seed gives the same study, another seed another
  try 0 order bouncing-ball $small --repeats 6 --seed 1
  cmp -s first out || fail "a study does not repeat"
  try 0 order bouncing-ball $small --repeats 6 --seed 2
  ! cmp -s first out || fail "--seed changes nothing"

  # the line that names the reference is as wide as the terminal
  try 0 order bouncing-ball $small
  between "length of its first lines" "$(sed '/^$/q' out | wc -L)" 60 96
  COLUMNS=60 try 0 order bouncing-ball $small
  between "length of its first lines in 60 columns" "$(sed '/^$/q' out | wc -L)" 40 60
  equal "their words" "$(sed '/^$/q' out | xargs)" "$(sed '/^$/q' first | xargs)"

  # files: names, headers, number of rows = runs x norms x quantities
  try 0 order bouncing-ball $small --scheme moreau-jean:theta=1 --scheme event-driven --repeats 3 --norm l1 \
    --norm hausdorff,max --of q,v0 --out deep/study --plot-format none
  equal "files" "$(ls -A deep/study | tr '\n' ' ')" "errors.csv orders.csv quality.csv runs.csv study.txt "
  equal "header of errors.csv" "$(head -1 deep/study/errors.csv)" \
    "model,scheme,options,step,norm,of,error,bound,steps,force_evals,lcp_solves,wall_seconds,limit_error"
  equal "header of orders.csv" "$(head -1 deep/study/orders.csv)" \
    "model,scheme,norm,of,order,ci_low,ci_high,h_max,h_min,points,reason,median_order,median_ci_low,median_ci_high,published,agreement,limit_order,limit_ci_low,limit_ci_high,limit_reason,plateau,limit"
  equal "header of quality.csv" "$(head -1 deep/study/quality.csv)" \
    "model,scheme,options,step,impacts,spurious_impacts,restitution_min,restitution_max,worst_penetration,drift,first_restitution,first_phase,bounce_energy,rest_depth,rest_speed,creep,lift,hop,evals_per_contact,first_slip_ratio"
  equal "rows of quality.csv" "$(grep -v "^#" deep/study/quality.csv | tail -n +2 | wc -l)" $((6 * 3 * 2 + 1))
  equal "restitution by events" "$(awk -F, '$2 == "event-driven" { printf "%.6f %.6f", $7, $8 }' deep/study/quality.csv)" \
    "0.500000 0.500000"
  equal "rows of orders.csv" "$(grep -v "^#" deep/study/orders.csv | tail -n +2 | wc -l)" $((3 * 3 * 2))
  equal "rows of errors.csv of moreau-jean" "$(grep -c '^bouncing-ball,moreau-jean,,' deep/study/errors.csv)" \
    $((6 * 3 * 3 * 2))
  grep -q '^bouncing-ball,event-driven,,nan,hausdorff,q,' deep/study/errors.csv || fail "event-driven has no errors"
  grep -q '^seed: 1$' deep/study/study.txt || fail "study.txt does not tell the seed"
  grep -q '^complete: yes$' deep/study/study.txt || fail "study.txt does not say that the study is complete"
  grep -q 'delassus [0-9]' deep/study/study.txt || fail "study.txt does not tell the version"
  order=$(awk -F, '$2 == "moreau-jean" && $3 == "l1" && $4 == "q" { print $5 }' deep/study/orders.csv)
  [ -n "$order" ] || order=$(awk -F, '$2 ~ /^moreau-jean:/ && $3 == "l1" && $4 == "q" { print $5; exit }' \
    deep/study/orders.csv)
  between "order of moreau-jean in L1 of q" "$order" 0.6 1.4

  # pictures: one per norm and quantity, each with its script
  if command -v gnuplot >/dev/null; then
    try 0 order bouncing-ball $small --repeats 2 --norm l1 --of q,v --out pictures --plot-format svg
    equal "files" "$(ls -A pictures | tr '\n' ' ')" \
      "errors.csv order_l1_q.gp order_l1_q.svg order_l1_v.gp order_l1_v.svg orders.csv quality.csv runs.csv study.txt "
    for file in pictures/*; do
      [ -s "$file" ] || fail "$file is empty"
    done

    # an exact level ten decades below does not stretch the axis: an arrow tells it
    try 0 order bouncing-ball $small --scheme event-driven --repeats 2 --norm l1 --of q --out far --plot-format svg
    grep -qF 'set arrow from graph' far/order_l1_q.gp || fail "no arrow to the event-driven level"
    low=$(sed -n 's/^set yrange \[\(.*\):.*/\1/p' far/order_l1_q.gp)
    between "low end of the axis" "$low" 1e-6 1
    rm -rf far
  else
    echo "gnuplot is absent: pictures are not tested"
  fi
  rm -rf deep pictures first

  # what errors are measured against
  try 0 order bouncing-ball $small --repeats 1
  in_out "reference: exact ("
  try 0 order bouncing-ball $small --repeats 1 --reference event-driven
  in_out "reference: event-driven:tol=1e-11"
  refused "--reference" "exact" "event-driven" -- order bouncing-ball $small --reference none

  refused "unknown model 'bal'" -- order bal $small --out x
  refused "--scheme is missing" -- order bouncing-ball --steps 0.1:0.01:4 --out x
  refused "unknown scheme 'moreau'" -- order bouncing-ball --scheme moreau --steps 0.1:0.01:4 --out x
  refused "theta" "[0, 1]" -- order bouncing-ball --scheme moreau-jean:theta=2 --steps 0.1:0.01:4 --out x
  refused "--steps H0:H1:N is missing" -- order bouncing-ball --scheme moreau-jean --out x
  bad="order bouncing-ball --scheme moreau-jean --end 4 --out x --steps"
  refused "--steps = '0.1'" "1 fields" "H0:H1:N" -- $bad 0.1
  refused "4 fields" -- $bad 0.1:0.01:4:5
  refused "--steps: field 2" "empty" -- $bad 0.1::4
  refused "field 1 (first step H0)" "'x'" -- $bad x:0.01:4
  refused "field 1 (first step H0)" "'nan'" -- $bad nan:0.01:4
  refused "field 1 (first step H0) = 5 " "--end = 4" -- $bad 5:0.01:4
  refused "field 2 (last step H1) = 0 " "> 0" -- $bad 0.1:0:4
  refused "field 2 (last step H1) = -0.1 " -- $bad 0.1:-0.1:4
  refused "field 3 (number of levels N) = 1 " "[2, " -- $bad 0.1:0.01:1
  refused "field 3 (number of levels N) = 2.5 " -- $bad 0.1:0.01:2.5
  refused "field 3 (number of levels N)" "'many'" -- $bad 0.1:0.01:many
  refused "(last step H1) = 0.1 must differ from the first one" -- $bad 0.1:0.1:4
  refused "unknown norm 'l7'" "hausdorff" -- order bouncing-ball $small --norm l1,l7 --out x
  refused "--norm: 'l1' is given twice" -- order bouncing-ball $small --norm l1 --norm l1 --out x
  refused "no quantity \"z\"" "q0" -- order bouncing-ball $small --of q,z --out x
  refused "--of: field 1" "empty" -- order bouncing-ball $small --of ,q --out x
  refused "--end = 0 " -- order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:4 --end 0 --out x
  refused "--repeats = 0 " "integer in [1, " -- order bouncing-ball $small --repeats 0 --out x
  refused "--seed = 1.5 " "integer" -- order bouncing-ball $small --seed 1.5 --out x
  refused "e = -1" "[0, 1]" -- order bouncing-ball $small --set e=-1 --out x
  refused "--plot-format = 'gif'" "png, svg, pdf, tex, none" -- order bouncing-ball $small --plot-format gif --out x

  # a folder that cannot be made fails before anything is computed
  echo precious >file
  start=$SECONDS
  refused "cannot create folder 'file/x'" "'file': it is not a folder" -- \
    order bouncing-ball --scheme moreau-jean --steps 1e-6:1e-7:4 --out file/x
  between "seconds until the refusal" $((SECONDS - start)) 0 5
  equal "the file in the way" "$(cat file)" precious
  # without gnuplot too
  mkdir none
  PATH=$PWD/none "$tool" order bouncing-ball $small --out x >out 2>err
  equal "exit status without gnuplot" $? 1
  last="delassus order --out without gnuplot"
  in_err "gnuplot not found"
  [ ! -e x ] || fail "$last left a folder"
}
# a reference that is a run, checked by another integrator: said, kept for a repetition, refused for an exact solution
study="order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:3 --repeats 2 --end 2.4 --norm l1 --of v --check-reference"
# shellcheck disable=SC2086 # a list of words
refused "exact solution" "--reference event-driven" -- $study
# shellcheck disable=SC2086
try 0 $study --reference event-driven --out checked --plot-format none
in_out "to event-driven:tol=1e-12,method=erk"
grep -qx "# check_reference: yes" checked/runs.csv || fail "runs.csv does not say that the reference is checked"
try 0 verify checked

# a chaotic motion: after some seconds no run of finite tolerance is certain
printf 't,q0,v0\n0,0.1,0\n9,0.1,0\n' >run_0.1.csv
uncertain="vibrating-table --reference event-driven --end 9"
for command in "order $uncertain --scheme moreau-jean --steps 0.1:0.01:3" "work $uncertain --scheme moreau-jean --steps 0.1:0.01:3" \
  "judge $uncertain run_0.1.csv --between linear" "advise $uncertain --error 1e-3 --of q --scheme moreau-jean"; do
  out="--out uncertain --plot-format none"
  [[ $command != advise* ]] || out="--out uncertain.csv"
  # shellcheck disable=SC2086 # lists of words
  try 1 $command $out
  [ ! -s out ] || fail "$last: printed a table of an uncertain reference"
  grep -qE "^delassus ${command%% *}: the reference is not certain: [1-9]\.[0-9]e[+-][0-9]+ between adams and erk at t = 9 " err ||
    fail "$last: $(head -2 err)"
  [ ! -e uncertain ] && [ ! -e uncertain.csv ] || fail "$last left a table: $(ls uncertain*)"
done

# a model whose name has a comma stands between quotes
try 0 order kane --law poisson:e=1,mu=0 --scheme newmark-position-contact --steps 0.125:0.03125:3 --end 0.5 --out law --plot-format none
for file in errors orders quality; do
  equal "rows of $file.csv" "$(grep -v '^#' "law/$file.csv" | sed 1d | grep -vc '^"kane with law poisson:e=1,mu=0",newmark-position-contact,')" 0
done
try 0 verify law
in_out "identical=yes"

# the summary comes first, levels behind it if they are asked for
try 0 order bouncing-ball --end 2 --steps 0.1:0.02:3 --repeats 2 --scheme moreau-jean --norm l1 --of q
in_out "orders"
! grep -q "median step" out || fail "levels are printed without --levels"
cp out summary
try 0 order bouncing-ball --end 2 --steps 0.1:0.02:3 --repeats 2 --scheme moreau-jean --norm l1 --of q --levels
equal "the summary before the levels" "$(sed '/^levels/,$d' out)" "$(cat summary)"
equal "levels" "$(sed -n '/^levels/,$p' out | grep -cE '^ +[0-9.]+ +[0-9.e-]+ +[0-9.e-]+')" 3
# a scheme that cannot treat the model is refused once, before anything is run or written
refused "newmark-implicit-contact" "friction" "delassus list schemes friction" -- order incline --steps 0.1:0.02:3 --scheme moreau-jean --scheme newmark-implicit-contact --norm l1 --of q --out refused
[ ! -e refused ] || fail "a refused study left a folder"
refused "stewart-trinkle" "restitution=own" -- order bouncing-ball --steps 0.1:0.02:3 --scheme moreau-jean --scheme stewart-trinkle --norm l1 --of q
refused "stewart-trinkle" "restitution=own" -- energy bouncing-ball --step 0.1 --scheme moreau-jean --scheme stewart-trinkle
finish
