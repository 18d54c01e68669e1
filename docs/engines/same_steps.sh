#!/bin/bash
# same_steps.sh -- 100 steps of the scheme mujoco beside those of the library: bash same_steps.sh DELASSUS PROGRAM. The largest difference
# of a coordinate or velocity, a line for each problem, cone and step; 1e-10 is allowed.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
delassus=$1
program=$2
limit=1e-10
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# compare PROBLEM COLUMNS MODEL OPTION...
compare() {
  for cone in elliptic pyramidal; do
    for h in 0.01 0.005 0.002; do
      "$program" "$1" "$cone" "$h" >"$folder/library.csv"
      "$delassus" run "${@:3}" --scheme "mujoco:cone=$cone,restitution=own" --step "$h" --end "$(awk -v h="$h" 'BEGIN { print 100 * h }')" \
        --columns "$2" --out "$folder/scheme.csv" --progress never </dev/null 2>"$folder/said"
      grep '^[0-9]' "$folder/scheme.csv" | paste -d, "$folder/library.csv" - | awk -F, -v limit="$limit" -v what="$1, $cone, h = $h" '
        { half = NF / 2
          for (i = 2; i <= half; i++) { d = $i - $(i + half); d = d < 0 ? -d : d; if (!(d <= worst)) worst = d } }
        END { printf "%s: %d rows, largest difference %.2g\n", what, NR, worst; exit !(NR == 101 && worst <= limit) }'
    done
  done
}

compare ball q0,v0 bouncing-ball --set q0=0.1
compare incline q0,q1,v0,v1 incline
compare two-balls q0,q1,v0,v1 bead-column --set N=2 --set radius=0.5
