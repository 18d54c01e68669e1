# pairs.sh -- two studies begin in one new folder at the same time, or up to 30 ms apart: one owner, all of its runs there.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/soak/soak_support.sh
source "$(dirname "$0")/soak_support.sh"
reference

trial() {
  local first=0 second=0 pause
  pause=$(printf '0.%03d' $(($1 * 7 % 31)))
  rm -rf pair
  "$tool" "${study[@]}" --jobs 2 --out pair >/dev/null 2>first.err &
  sleep "$pause"
  "$tool" "${study[@]}" --jobs 2 --out pair >/dev/null 2>second.err || second=$?
  wait $! || first=$?
  case $first$second in
  00) ;; # the second began when the first had ended
  02) grep -qE "is being written by another study|was interrupted" second.err || wrong "$(head -1 second.err)" ;;
  20) grep -qE "is being written by another study|was interrupted" first.err || wrong "$(head -1 first.err)" ;;
  *) wrong "exit statuses $first and $second" ;;
  esac
  whole pair
  traces pair
}

soak pairs 3000
