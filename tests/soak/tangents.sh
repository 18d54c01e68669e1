#!/bin/bash
# tangents.sh [BUILD-FOLDER [SYSTEMS]] -- soak_tangents.c on SYSTEMS (500) random systems: frictionless, with friction in the plane and with
# joints, a third of each. Can be interrupted: started again it continues behind the last system of soak_tangents_KIND.txt in the build
# folder. Ends with the number of each verdict, and each derivative that disagrees.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
systems=$(((${2:-500} + 2) / 3))
bad=0
for kind in linear frictional joints; do
  out=$build/soak_tangents_$kind.txt
  touch "$out"
  last=$(grep -n ' done$' "$out" | tail -n 1 | cut -d: -f1)
  sed -i "$((${last:-0} + 1)),\$d" "$out" # a system that was cut off
  for ((i = $(grep -c ' done$' "$out"); i < systems; i++)); do
    "$build/bin/soak_tangents" "$kind" "$i" 1 >>"$out"
  done
  echo "$kind: $(grep -o 'verdict=[a-zA-Z]*' "$out" | sort | uniq -c | tr -s ' \n' ' ')"
  ! grep DISAGREE "$out" || bad=1
  [ "$(grep -c ' done$' "$out")" -ge "$systems" ] || { echo "$kind: some systems have no verdict" && bad=1; }
done
exit $bad
