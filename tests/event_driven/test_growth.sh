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
# proportional MODEL A B C SETTING...: in proportion to the number that stands for % in the settings
proportional() {
  local counts=() n setting settings
  for n in "${@:2:3}"; do
    settings=()
    for setting in "${@:5}"; do
      settings+=(--set "${setting//%/$n}")
    done
    counts+=("$(instructions "$1" "${settings[@]}")")
  done
  echo "$1 $2 $3 $4 ${counts[*]}" | awk '{
    ratio = ($7 - $6) / ($6 - $5)
    most = ($4^1.15 - $3^1.15) / ($3^1.15 - $2^1.15)
    printf "%s: %.4g, %.4g, %.4g instructions, differences in the ratio %.3f, at most %.3f\n", $1, $5, $6, $7, ratio, most
    exit !($5 > 0 && $6 > $5 && ratio <= most) }'
}
# landing N: N bodies over a floor, which reach it at the same time to rounding; their masses differ
landing() {
  awk -v n="$1" -v to="$folder/" 'BEGIN {
    matrix = "%%MatrixMarket matrix coordinate real general\n" n " " n " "
    vector = "%%MatrixMarket matrix array real general\n" n " 1\n"
    printf "%s%d\n", matrix, n > (to "M" n ".mtx")
    printf "%s%d\n", matrix, n > (to "HT" n ".mtx")
    printf "%s0\n", matrix > (to "K" n ".mtx")
    printf "%s", vector > (to "F0" n ".mtx")
    printf "%s", vector > (to "q0" n ".mtx")
    for (i = 1; i <= n; i++) {
      mass = 1 + 0.37 * i / n
      printf "%d %d %.17g\n", i, i, mass > (to "M" n ".mtx")
      printf "%d %d 1\n", i, i > (to "HT" n ".mtx")
      printf "%.17g\n", -9.81 * mass > (to "F0" n ".mtx")
      print 0.19 > (to "q0" n ".mtx")
    }
  }'
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for n in 100 200 400; do
  landing $n
done
proportional matrix-model 100 200 400 e=0.5 "M=$folder/M%.mtx" "K=$folder/K%.mtx" "HT=$folder/HT%.mtx" "F0=$folder/F0%.mtx" "q0=$folder/q0%.mtx"
proportional bead-column 200 400 800 N=%
proportional block-column 41 58 82 columns=% rows=5
