# steps.sh -- ten thousand steps of a random size each, on random systems with contacts, by each scheme in turn: a thousand trials
# are 10^7 steps. A run ends well or says why not; what is recorded is finite, starts at 0 and does not run away unnoticed;
# the same run gives the same bytes (every tenth).
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/soak/soak_support.sh
source "$(dirname "$0")/soak_support.sh"
mapfile -t schemes < <("$tool" list schemes --format csv | sed 1d | cut -d, -f1 | grep -vE '^(event-driven|.*-adaptive)$')

trial() {
  local scheme=${schemes[$1 % ${#schemes[@]}]} code=0 model step n m
  n=$((2 + $1 * 7 % 11)) m=$((1 + $1 * 5 % (n / 2)))
  step=$(awk -v k="$1" 'BEGIN { srand(k); printf "%.17g", 10 ^ (-2 - 2 * rand()) }')
  case $(($1 / ${#schemes[@]} % 3)) in
  0) model="random-linear --set n=$n --set m=$m" ;;
  1) model="random-frictional --set n=$n --set m=$m --set dim=2" ;;
  2) model="random-frictional --set n=$((3 * m + n)) --set m=$m --set dim=3 --set surface=0.5" ;;
  esac
  # shellcheck disable=SC2086
  local line=(run $model --set "seed=$1" --scheme "$scheme" --step "$step" --end "$(awk -v h="$step" 'BEGIN { print 10000 * h }')")
  timeout 300 "$tool" "${line[@]}" --every 10 --columns q,v,g,u,p --out steps.csv >/dev/null 2>err || code=$?
  ended $code
  if [ $code -ne 0 ]; then
    [ -s err ] || wrong "exit status $code without a word"
    [ $code -ne 1 ] || [ ! -e steps.csv ] || grep -q '^# complete: no' steps.csv || wrong "failed, but complete"
  else
    grep -q '^# complete: yes' steps.csv || wrong "done, but not complete"
    ! grep -v '^#' steps.csv | grep -qiE 'nan|inf' || wrong "what is recorded is not finite"
  fi
  if [ $(($1 % 10)) -eq 0 ] && [ -e steps.csv ]; then
    "$tool" "${line[@]}" --every 10 --columns q,v,g,u,p --out again.csv >/dev/null 2>&1
    cmp -s steps.csv again.csv || wrong "the same run gives other bytes"
  fi
  rm -f steps.csv again.csv
  [ -z "$faults" ] || faults="$model, $scheme, $step s$faults"
}

soak steps 1000
