# kills.sh -- a study is killed at any moment, and goes on; every third one is killed again while it does.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/soak/soak_support.sh
source "$(dirname "$0")/soak_support.sh"
reference
span=200 # ms, about as long as a study takes; follows the machine

# kill_at MILLISECONDS ARGUMENT...
kill_at() {
  local pause
  pause=$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))
  shift
  "$tool" "$@" >/dev/null 2>&1 &
  local process=$!
  sleep "$pause"
  kill -9 $process 2>/dev/null
  wait $process 2>/dev/null
}

trial() {
  local jobs=$((1 + $1 % 2)) moment code=0
  moment=$(($1 * 61 % 97 * span / 97))
  rm -rf killed
  kill_at $moment "${study[@]}" --jobs $jobs --out killed
  if grep -q '^# complete' killed/runs.csv 2>/dev/null; then
    span=$((span * 9 / 10 + 1))
  elif [ ! -e killed/runs.csv ]; then
    span=$((span * 20 / 19 + 1))
  fi
  [ $(($1 % 3)) -ne 0 ] || kill_at $((moment / 2)) "${study[@]}" --jobs $jobs --out killed --resume
  "$tool" "${study[@]}" --jobs $jobs --out killed --resume >/dev/null 2>err || code=$?
  [ $code -eq 0 ] || wrong "--resume ends with $code: $(head -1 err)"
  ! grep -q "damaged" err || wrong "$(grep damaged err)"
  whole killed
  traces killed
}

soak kills 1000
