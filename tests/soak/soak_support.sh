# soak_support.sh -- for the scripts of this folder: many trials, one after the other, that can be stopped and gone on with.
#
#   bash tests/soak/NAME.sh TOOL FOLDER [FIRST[:LAST[:STRIDE]]]
#
# FOLDER keeps NAME.log, a line for each trial; a script that is started again continues after its last line. Each script
# defines trial K, which says what is wrong by `wrong`, and calls `soak NAME LAST`. Exit status 1 if any trial went wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2154

tool=$(realpath "$1")
mkdir -p "$2"
cd "$2" || exit 1
range=${3:-}
study=(order impacting-oscillator --end 4 --steps 0.02:0.005:4 --repeats 4 --scheme moreau-jean --scheme event-driven
  --norm "l1,hausdorff" --plot-format none)
all=17 # runs: 4 x 4 by step, one by events
faults=

wrong() {
  faults="$faults; $*"
}

# tables FOLDER: what a study leaves, but for times, date, load, processor and the number of jobs
tables() {
  cut -d, -f1-11 "$1/errors.csv"
  cat "$1/orders.csv" "$1/quality.csv"
  grep -Ev '^(date|load|cpu|wall_seconds|concurrent runs|processors): ' "$1/study.txt"
}

# whole FOLDER: the study of above is all there
whole() {
  tables "$1" 2>/dev/null | cmp -s - reference.txt || wrong "the tables of $1 differ"
  local runs
  runs=$(grep -v '^#' "$1/runs.csv" | tail -n +2 | grep -c ',[0-9a-f]\{16\}$')
  [ "$runs" -eq "$all" ] || wrong "runs.csv of $1 has $runs of $all runs"
  [ "$(tail -1 "$1/runs.csv")" = "# complete: yes" ] || wrong "runs.csv of $1 is not complete"
}

# traces FOLDER: temporary files
traces() {
  [ -z "$(find "$1" -name '.delassus*')" ] || wrong "temporary files are left in $1"
}

# ended CODE...: the exit status is one of those that a command may have
ended() {
  case $1 in
  0 | 1 | 2) ;;
  *) wrong "exit status $1" ;;
  esac
}

reference() {
  if [ ! -e reference.txt ]; then
    rm -rf whole
    "$tool" "${study[@]}" --out whole >whole.out 2>/dev/null || exit 1
    tables whole >reference.txt
  fi
}

# soak NAME LAST: trials FIRST, FIRST + STRIDE, ... LAST
soak() {
  local name=$1 first=1 last=$2 stride=1 k done_before
  IFS=: read -r first last stride <<<"${range:-1:$last:1}"
  last=$((${last:-$2} < $2 ? ${last:-$2} : $2))
  stride=${stride:-1}
  touch "$name.log"
  done_before=$(tail -1 "$name.log" | cut -d' ' -f1)
  for ((k = done_before > 0 ? done_before + stride : first; k <= last; k += stride)); do
    faults=
    trial "$k"
    echo "$k ${faults:-good}" >>"$name.log"
  done
  local bad
  bad=$(grep -vc ' good$' "$name.log")
  echo "$name: $(wc -l <"$name.log") trials, $bad went wrong"
  grep -v ' good$' "$name.log" | head -20
  [ "$bad" -eq 0 ]
}
