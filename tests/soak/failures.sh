# failures.sh -- what a command may do when something fails below it; for system_calls.sh
# and others, which call judge_failure.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2154
cat >soak.yaml <<'END'
title: Soak
studies:
  - name: orders
    kind: order
    model: impacting-oscillator
    schemes: [moreau-jean, event-driven]
    steps: {first: 0.02, last: 0.005, levels: 3}
    repeats: 2
    end: 2
    norms: l1
    of: q
    pictures: svg
    expect: [{quantity: order, scheme: moreau-jean, between: [0.5, 1.5]}]
  - name: motion
    kind: compare
    model: bouncing-ball
    schemes: [moreau-jean, schatzman-paoli]
    step: 0.05
    end: 2
    pictures: none
END

commands=(order study compare list show run work energy exact distance judge merge verify cite contact spectrum advise lesson
  check-model sweep)
command_line() {
  case $1 in
  order) line=("${study[@]}" --out failing) ;;
  study) line=(study soak.yaml --out failing) ;;
  compare) line=(compare bouncing-ball --scheme moreau-jean --scheme schatzman-paoli --step 0.05 --end 2 --of q0
    --plot failing/compare.svg --out failing) ;;
  run) line=(run bouncing-ball --scheme moreau-jean --step 0.05 --end 2 --out failing/run.csv
    --plot failing/run.svg --report failing/run.html --animate failing/moving.svg) ;;
  work) line=(work bouncing-ball --scheme moreau-jean --steps 0.1:0.02:3 --repeats 2 --end 2 --norm l1 --of q
    --plot-format svg --out failing/new/folder) ;;
  energy) line=(energy bouncing-ball --scheme moreau-jean --step 0.05 --end 2 --plot-format svg --out failing) ;;
  exact) line=(exact bouncing-ball --end 2 --out failing/exact.csv) ;;
  distance) line=(distance ball.csv ball2.csv --norm hausdorff --column q0) ;;
  judge) line=(judge bouncing-ball sim/h*.csv --between linear --norm l1 --of q0 --plot-format svg --out failing --report failing/judge.html) ;;
  merge) line=(merge failing --plot-format svg) ;;
  verify) line=(verify ball.csv) ;;
  cite) line=(cite moreau-jean bouncing-ball ball.csv) ;;
  contact) line=(contact problem.dat --method nsgs --out failing/answer.dat) ;;
  spectrum) line=(spectrum moreau-jean --steps 0.1:1:2 --plot-format svg --out failing) ;;
  advise) line=(advise bouncing-ball --error 0.5 --of q --norm l1 --end 1 --scheme moreau-jean --out failing/advice.csv) ;;
  lesson) line=(lesson kane --out failing/lesson.html) ;;
  check-model) line=(check-model bouncing-ball) ;;
  sweep) line=(run bouncing-ball --scheme moreau-jean --step 0.05 --end 2 --sweep e=0:1:3 --sweep q0=1,2 --plot-format svg
    --out failing) ;;
  list) line=(list) ;;
  show) line=(show moreau-jean) ;;
  esac
}

# fresh COMMAND: the folder `failing` as the command finds it
fresh() {
  rm -rf failing
  mkdir failing
  if [ "$1" = merge ]; then
    cp -r parts/. failing
  fi
}

# left FOLDER: everything in it but for times and what the machine is like
left() {
  (
    cd "$1" || exit
    find . -type f ! -name '*.gp' ! -name runs.csv ! -name '.delassus*' | LC_ALL=C sort | while read -r file; do
      echo "== $file"
      case $file in
      *errors.csv) cut -d, -f1-11 "$file" ;;
      *work.csv) cut -d, -f1-15 "$file" ;;
      *.html) grep -vE 'processor|CPU|load|seconds|[0-9]{4}-[0-9]{2}-[0-9]{2}' "$file" ;;
      *study.txt) grep -Ev '^(date|load|cpu|wall_seconds|concurrent runs|processors): ' "$file" ;;
      *) cat "$file" ;;
      esac
    done
  )
}

# What each command does undisturbed.
if [ ! -e ball2.csv ]; then
  "$tool" run bouncing-ball --scheme moreau-jean --step 0.05 --end 2 --out ball.csv || exit 1
  "$tool" run bouncing-ball --scheme moreau-jean --step 0.02 --end 2 --out ball2.csv || exit 1
  mkdir -p sim
  for step in 0.1 0.05 0.025; do # of another program: no metadata but the step
    "$tool" run bouncing-ball --scheme moreau-jean --step $step --end 2 --columns q0,v0 --out sim.csv || exit 1
    { echo "# step: $step" && grep -v '^#' sim.csv; } >"sim/h$step.csv"
  done
  printf '%s\n' 'dim 2' 'contacts 1' 'mu 0.3' 'q -1 0.5' 'W 3' '0 0 2' '1 1 1' '0 1 0.1' >problem.dat
  for part in 1/2 2/2; do
    "$tool" "${study[@]}" --out parts --shard $part >/dev/null || exit 1
  done
fi
for name in "${commands[@]}"; do
  if [ ! -e "$name.left" ]; then
    command_line "$name"
    fresh "$name"
    "$tool" "${line[@]}" >"$name.out" 2>/dev/null || exit 1
    left failing >"$name.left"
  fi
done

# The command $name once more, in the folder that it left
do_again() {
  local resume=()
  case $name in
  order | study | work | sweep) resume=(--resume) ;;
  esac
  command_line "$name"
  "$tool" "${line[@]}" "${resume[@]}" >out 2>err
}

# The same was printed, but for the time that a contact problem took
same_output() {
  case $name in
  contact) cmp -s <(cut -d, -f1-8,10- out) <(cut -d, -f1-8,10- contact.out) ;;
  *) cmp -s out "$name.out" ;;
  esac
}

left_as_undisturbed() {
  same_output || wrong "done again it has another output"
  find failing -name '.delassus*' -delete # of compare, which has no --resume
  left failing | cmp -s - "$name.left" || wrong "done again it leaves other files"
}

# failing COMMAND CODE: it has ended so, with out and err, while something failed
judge_failure() {
  local name=$1 code=$2 again=0
  if [ "$code" -eq 0 ]; then
    same_output || wrong "exit status 0, but another output"
    left failing | cmp -s - "$name.left" || wrong "exit status 0, but other files"
  elif [ ! -s err ]; then
    wrong "exit status $code without a word"
  fi
  do_again || again=$?
  [ $again -eq 0 ] || wrong "done again it ends with $again: $(head -1 err)"
  ! grep -q damaged err || wrong "$(grep damaged err)"
  left_as_undisturbed
}
