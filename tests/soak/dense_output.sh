#!/bin/bash
# dense_output.sh [BUILD-FOLDER [DRAWS [MODEL]]] -- soak_dense_output.c on 30 draws of the parameters of each model with an exact solution.
# Can be interrupted: started again it continues behind the last draw in soak_dense_output.txt of the build folder. Ends with the number
# of each verdict.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
draws=${2:-30}
model=${3:-all}
out=$build/soak_dense_output.txt
touch "$out"
done_before=$(sed -n 's/^draw \([0-9]*\) is complete$/\1/p' "$out" | tail -1)
for ((draw = ${done_before:--1} + 1; draw < draws; draw++)); do
  "$build/bin/soak_dense_output" "$draw" 1 "$model" >>"$out" || echo "draw $draw: see $out" >&2
  echo "draw $draw is complete" >>"$out"
done
awk '{ for (i = 1; i <= NF; i++) if (sub(/^verdict=/, "", $i)) n[$i]++ }
  END { for (v in n) printf "%s=%d ", v, n[v]; print ""; exit n["FAIL"] > 0 }' "$out"
