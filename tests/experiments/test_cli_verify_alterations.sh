# test_cli_verify_alterations.sh -- verify notices every alteration of a generated list, in a run, an order study, a work study and a study.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
left_out='delassus|version|commit|compiler|libraries|cpu|date|load|processors|concurrent runs|wall_seconds|timings|hash'
total=0

# altered ORIGINAL COPY: count a copy that differs, drop one that does not
altered() {
  if diff -rq "$1" "$2" >diff; then
    fail "$2 is not altered"
  else
    total=$((total + 1))
  fi
}

# noticed COPY...: none of them is identical
noticed() {
  last="verify of $# alterations"
  "$delassus" verify "$@" >out 2>err </dev/null
  for copy in "$@"; do
    awk -v name="file=$copy" '$0 == name { on = 1; next } /^file=/ { on = 0 } on && /^identical=yes/ { found = 1 } END { exit !found }' out &&
      fail "$copy passes as identical"
  done
}

# lines FILE FOLDER: a copy without each line that has a meaning, and one with its last letter or digit changed
lines() {
  mkdir -p "$2"
  grep -nE '^#' "$1" | grep -vE "^[0-9]+:# ($left_out): |^[0-9]+:# made by" | cut -d: -f1 | while read -r line; do
    sed "${line}d" "$1" >"$2/without_$line.csv"
    sed -E "${line}s/[[:alnum:]]([^[:alnum:]]*)\$/Z\\1/" "$1" >"$2/changed_$line.csv"
  done
  for copy in "$2"/*.csv; do
    altered "$1" "$copy"
  done
}

# a run: every line of metadata, every column, rows
try 0 run bounce-slip --scheme event-driven --end 1.2 --out run.csv
lines run.csv lines
noticed lines/*.csv
mkdir rows
first=$(grep -nvE '^#' run.csv | sed -n '5s/:.*//p')
columns=$(sed -n "${first}p" run.csv | tr ',' '\n' | wc -l)
for column in $(seq "$columns"); do
  awk -F, -v OFS=, -v row="$first" -v at="$column" 'NR == row { $at = $at + 1e-3 } { print }' run.csv >"rows/column_$column.csv"
done
sed "${first}d" run.csv >rows/one_less.csv
sed '$d' run.csv >rows/end.csv
sed "${first}{p}" run.csv >rows/twice.csv
sed "$((first + 4)),\$d; s/^# complete: yes/# complete: no/" run.csv >rows/cut.csv
sed -E '/^t,/s/q0,q1/q1,q0/' run.csv >rows/header.csv
sed '/^# event/d' run.csv >rows/no_events.csv
for copy in rows/*.csv; do
  altered run.csv "$copy"
done
noticed rows/*.csv

# what is no alteration
sed 's/$/\r/' run.csv >crlf.csv
{ cat run.csv && echo; } >blank.csv
sed -E 's/^# commit: .*/# commit: another/; s/^# libraries: .*/# libraries: none/' run.csv >elsewhere.csv
try 0 verify run.csv crlf.csv blank.csv elsewhere.csv
equal "identical" "$(grep -c '^identical=yes$' out)" 4
in_out "not_compared=columns wall_seconds, check, study; lines delassus, version, commit"

# folders: every file that is compared, gone or changed
format=svg
command -v gnuplot >/dev/null || format=none
try 0 order bouncing-ball --scheme moreau-jean --steps 0.1:0.02:3 --repeats 2 --end 1.3 --norm l1 --of q --plot-format $format --out order
try 0 work bouncing-ball --scheme moreau-jean --steps 0.1:0.02:3 --repeats 2 --end 1.3 --norm l1 --of q --timings 1 --plot-format $format --out work
cat >small.yaml <<'END'
title: A small study
kind: order
model: bouncing-ball
schemes: [moreau-jean]
steps: {first: 0.1, last: 0.02, levels: 3}
repeats: 2
end: 1.3
norms: [l1]
of: [q]
expect:
  - {quantity: order, norm: l1, of: q, between: [0.1, 3]}
END
try 0 study small.yaml --plot-format $format --out study
for folder in order work study; do
  try 0 verify $folder
  equal "identical, $folder" "$(value identical)" yes
  for file in "$folder"/*; do
    name=$(basename "$file")
    case $name in *.svg) continue ;; esac
    cp -r "$folder" "altered_${folder}_gone_$name"
    rm "altered_${folder}_gone_$name/$name"
    case $name in study.yaml) continue ;; esac # without it the folder is one of order
    copy=altered_${folder}_last_$name
    cp -r "$folder" "$copy"
    sed '$d' "$file" >"$copy/$name"
    copy=altered_${folder}_value_$name
    cp -r "$folder" "$copy"
    case $name in
      *.csv) awk -F, -v OFS=, '/^[^#]/ && ++n == 2 { $4 = "0.5" } { print }' "$file" >"$copy/$name" ;;
      study.txt) sed 's/^model: .*/model: ball/' "$file" >"$copy/$name" ;;
      *.md) sed '3s/.$/!/; 1s/.$/!/' "$file" >"$copy/$name" ;;
      *) sed '$s/.$/!/; 12s/.$/!/' "$file" >"$copy/$name" ;;
    esac
  done
done
rm -rf altered_study_gone_study.yaml altered_order_gone_runs.csv altered_work_gone_runs.csv altered_work_gone_work.csv altered_work_gone_study.txt
for copy in altered_*; do
  original=${copy#altered_}
  altered "${original%%_*}" "$copy"
done
noticed altered_*
between "alterations" "$total" 74 2000
finish
