#!/usr/bin/env bash
# Instructions of event-driven runs are in proportion to the number of contacts: at three numbers, the differences are in the ratio of those
# of a power 1.15 at most (2 with work for all contacts at each). $1: the tool
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
# proportional MODEL PARAMETER A B C [SETTINGS...]: in proportion to PARAMETER
proportional() {
  local counts=()
  for n in "$3" "$4" "$5"; do
    counts+=("$(instructions "$1" --set "$2=$n" "${@:6}")")
  done
  echo "$1 $3 $4 $5 ${counts[*]}" | awk '{
    ratio = ($7 - $6) / ($6 - $5)
    most = ($4^1.15 - $3^1.15) / ($3^1.15 - $2^1.15)
    printf "%s: %.4g, %.4g, %.4g instructions, differences in the ratio %.3f, at most %.3f\n", $1, $5, $6, $7, ratio, most
    exit !($5 > 0 && $6 > $5 && ratio <= most) }'
}
proportional bead-column N 200 400 800
proportional block-column columns 41 58 82 --set rows=5
