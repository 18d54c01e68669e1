#!/bin/bash
# weak_friction.sh [BUILD-FOLDER [RUNS]] -- soak_weak_friction.c on 6000 runs. Can be interrupted: started again it continues behind the last
# line of soak_weak_friction.txt in the build folder. Ends with the number of each verdict.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
runs=${2:-6000}
out=$build/soak_weak_friction.txt
touch "$out"
sed -i '/verdict=[a-zA-Z]*/!d' "$out" # a line that was cut off
for ((i = $(wc -l <"$out"); i < runs; i += 100)); do
  "$build/bin/soak_weak_friction" "$i" 100 >>"$out" || echo "runs $i to $((i + 99)): see $out" >&2
done
awk '{ for (i = 1; i <= NF; i++) if (sub(/^verdict=/, "", $i)) n[$i]++ }
  END { for (v in n) printf "%s=%d ", v, n[v]; print ""; exit n["FAIL"] > 0 }' "$out"
