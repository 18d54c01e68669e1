#!/usr/bin/env bash
# Instructions of event-driven runs are in proportion to the number of contacts: where this doubles twice, the second difference is at most
# 2^1.15 times the first (2^2 with work for all contacts at each). $1: the tool
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
tool=$1
if ! command -v valgrind > /dev/null; then
  echo "needs valgrind"
  exit 77
fi
# instructions MODEL SETTINGS...
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$tool" run "$1" --scheme event-driven --end 0.2 --stats "${@:2}" 2>&1 > /dev/null |
    sed -n 's/.*Collected : //p'
}
# proportional MODEL THREE COUNTS: three settings, each with twice the contacts of the one before
proportional() {
  local a b c
  # shellcheck disable=SC2086 # words
  { a=$(instructions "$1" $2); b=$(instructions "$1" $3); c=$(instructions "$1" $4); }
  awk -v model="$1" -v a="$a" -v b="$b" -v c="$c" 'BEGIN {
    ratio = (c - b) / (b - a)
    printf "%s: %.4g, %.4g, %.4g instructions, differences in the ratio %.3f, at most %.3f\n", model, a, b, c, ratio, 2^1.15
    exit !(a > 0 && b > a && ratio <= 2^1.15) }'
}
proportional bead-column "--set N=200" "--set N=400" "--set N=800"
proportional block-column "--set rows=5 --set columns=41" "--set rows=5 --set columns=82" "--set rows=5 --set columns=164"
