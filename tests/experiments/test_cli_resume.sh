# test_cli_resume.sh -- studies that are killed continue with --resume, and give what an undisturbed study gives; --jobs.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
study="order bouncing-ball --scheme moreau-jean --scheme schatzman-paoli --scheme event-driven --steps 0.1:4e-5:7
  --repeats 4 --end 4 --norm l1 --of q,v --plot-format none"
all=57 # 2 x 7 x 4 runs by step, one by events

# tables FOLDER: everything but times, date, load and the number of jobs
tables() {
  cut -d, -f1-11 "$1/errors.csv"
  cat "$1/orders.csv" "$1/quality.csv"
  grep -Ev '^(date|load|wall_seconds|concurrent runs): ' "$1/study.txt"
}

# runs FOLDER: finished runs in the journal; a line without its end does not count
runs() {
  if [ -e "$1/runs.csv" ]; then
    grep -v '^#' "$1/runs.csv" | tail -n +2 | grep -c ',[0-9a-f]\{16\}$'
  else
    echo 0
  fi
}

# kill_after SECONDS ARGUMENT...: kill -9 the tool at that time, wherever it is
kill_after() {
  local seconds=$1
  shift
  "$tool" "$@" >out 2>err </dev/null &
  local process=$!
  sleep "$seconds"
  kill -9 "$process" 2>/dev/null
  wait "$process" 2>/dev/null
}

now() { date +%s.%N; }

# shellcheck disable=SC2086
{
  start=$(now)
  try 0 $study --out whole
  span=$(awk -v a="$start" -v b="$(now)" 'BEGIN { print b - a }')
  tables whole >whole.txt
  equal "runs of the undisturbed study" "$(runs whole)" $all
  equal "end of its journal" "$(tail -1 whole/runs.csv)" "# complete: yes"

  jobs_2="--jobs 2"

  # 12 kills at moments drawn over the length of the study, with a second one while it goes on in every third
  RANDOM=20261121
  : >taken
  for ((trial = 0; trial < 12; trial++)); do
    moment=$(awk -v n=$RANDOM -v span="$span" 'BEGIN { printf "%.3f", (0.02 + 0.9 * n / 32767) * span }')
    jobs=
    [ $((trial % 2)) -eq 0 ] || jobs=$jobs_2
    kill_after "$moment" $study $jobs --out killed 2>/dev/null
    [ $((trial % 3)) -ne 0 ] || kill_after "$moment" $study $jobs --out killed --resume
    left=$(runs killed)
    finished=$(tail -1 killed/runs.csv 2>/dev/null | grep -c '^# complete: yes$')
    if [ "$left" -gt 0 ] && [ "$finished" -eq 0 ]; then
      refused "has $left finished runs of this study that was interrupted" "--resume" -- $study --out killed
    fi
    try 0 $study $jobs --out killed --resume
    in_err "$left finished runs taken over from 'killed/runs.csv'"
    echo "$left" >>taken
    # the machine may be busier or less busy than it was: keep the moments within the study
    span=$(awk -v span="$span" -v n="$left" -v all=$all 'BEGIN { print span * (n == all ? 0.7 : n == 0 ? 1.3 : 1) }')
    equal "runs after kill $trial at $moment s" "$(grep -v '^#' killed/runs.csv | cut -d, -f1 | sort -u | wc -l)" $((all + 1))
    equal "lines after kill $trial" "$(runs killed)" $all
    tables killed | cmp -s - whole.txt || fail "the tables after kill $trial at $moment s differ from those of an undisturbed study"
    rm -rf killed
  done
  # the kills were where they should be: among the runs
  between "different numbers of runs taken over" "$(sort -u taken | wc -l)" 4 12
  between "kills among the runs" "$(awk -v all=$all '$1 > 0 && $1 < all' taken | wc -l)" 4 12

  # Ctrl-C keeps the finished runs too, and says how to go on
  long="order bouncing-ball --scheme moreau-jean --steps 1e-3:5e-5:2 --end 4 --repeats 5000 --plot-format none --out long"
  for jobs in "" "$jobs_2"; do
    "$tool" $long $jobs --progress always >out 2>err </dev/null &
    process=$!
    for ((i = 0; i < 3000; i++)); do
      [ "$(runs long)" -ge 10 ] && break
      sleep 0.01
    done
    kill -INT $process
    code=0
    wait $process || code=$?
    last="delassus $long $jobs, then SIGINT"
    equal "exit status of $last" $code 130
    in_err "the finished runs are in 'long': continue with --resume"
    equal "runs in errors.csv of $last" "$(grep -v '^#' long/errors.csv | tail -n +2 | wc -l)" $(($(runs long) * 4))
    grep -q '^complete: no' long/study.txt || fail "$last: study.txt does not say that the study is incomplete"
    if grep -q '^# complete' long/runs.csv; then
      fail "$last: the journal is marked complete"
    else
      refused "finished runs of this study that was interrupted: continue with --resume" -- $long
    fi
    rm -rf long
  done

  # a complete study: nothing is made again, another one takes its place
  touch whole/.delassus-1-0.part whole/.delassus-22-1.part whole/mine.tmp
  try 0 $study --out whole --resume
  in_err "$all finished runs taken over"
  tables whole | cmp -s - whole.txt || fail "resuming a complete study changes it"
  equal "left overs and others" "$(ls -A whole | tr '\n' ' ')" \
    "errors.csv mine.tmp orders.csv quality.csv runs.csv study.txt "
  refused "has runs of another study: it has 'seed: 1' where this one has 'seed: 2'" -- \
    $study --seed 2 --out whole --resume
  tables whole | cmp -s - whole.txt || fail "a study that was refused was changed"
  try 0 $study --seed 2 --out whole
  ! tables whole | cmp -s - whole.txt || fail "a complete study is not replaced"

  # work has both too; timed runs are made one at a time, others have no seconds beside others
  cost="work impacting-oscillator --scheme moreau-jean --steps 0.1:0.01:3 --repeats 2 --norm l1 --of q --plot-format none"
  try 0 $cost --out seconds --against seconds --timings 2 $jobs_2
  equal "runs without seconds" "$(grep -c ',nan$' seconds/work.csv)" 0
  [ -z "$jobs_2" ] || grep -q '^concurrent runs: 2, when timed 1$' seconds/study.txt ||
    fail "study.txt does not say how many runs went at a time"
  cut -d, -f1-15 seconds/work.csv >first
  seconds=$(cut -d, -f16 seconds/work.csv)
  try 0 $cost --out seconds --against seconds --timings 2 --resume
  in_err "6 finished runs taken over"
  equal "seconds of the runs taken over" "$(cut -d, -f16 seconds/work.csv)" "$seconds"
  cut -d, -f1-15 seconds/work.csv | cmp -s - first || fail "resuming a complete study changes it"
  if [ -n "$jobs_2" ]; then
    try 0 $cost --out beside --jobs 2
    equal "runs without seconds" "$(grep -c ',nan$' beside/work.csv)" 6
    grep -q '^wall_seconds: .*; nan for 6 runs that went beside others$' beside/study.txt ||
      fail "study.txt does not say why there are no seconds"
    cut -d, -f1-15 beside/work.csv | cmp -s - first || fail "--jobs 2 changes the results"
    try 0 $cost --jobs 0
    refused "--timings = 0 with --jobs = 2" -- $cost --against seconds --timings 0 --jobs 2
    refused "--jobs = 2000 " "integer in [0, 1024]" -- $cost --jobs 2000
  fi
  # a study file passes all of it on
  try 0 study example-order --out whole
  head -60 whole/runs.csv >part.csv
  left=$(($(runs whole) - $(tail -n +61 whole/runs.csv | grep -vc '^#')))
  mkdir -p part
  mv part.csv part/runs.csv
  try 2 study example-order --out part
  in_err "has $left finished runs of this study that was interrupted"
  try 0 study example-order --out part --resume $jobs_2
  in_err "$left finished runs taken over from 'part/runs.csv'"
  cmp -s part/orders.csv whole/orders.csv || fail "a study that was interrupted has other orders"
  cmp -s part/verdict.csv whole/verdict.csv || fail "a study that was interrupted has another verdict"
  try 0 study example-compare --out part $jobs_2 --overwrite

  rm -rf whole part seconds beside first whole.txt taken

  refused "--jobs = -1 " -- $cost --jobs -1
  refused "--jobs = 1.5 " -- $cost --jobs 1.5
  refused "--resume needs --out DIR" -- $cost --resume
  refused "--overwrite needs --out DIR" -- $cost --overwrite
  refused "--resume and --overwrite exclude each other" -- $cost --out x --resume --overwrite
  mkdir other
  echo "name,value" >other/runs.csv
  refused "'other/runs.csv' is not a table of runs of delassus" -- $cost --out other --overwrite
  equal "the file of somebody else" "$(cat other/runs.csv)" "name,value"
  # none there: it begins
  try 0 $cost --out new --resume
  in_err "0 finished runs taken over"
  equal "files" "$(ls -A new | tr '\n' ' ')" "runs.csv slopes.csv study.txt work.csv "
}
finish
