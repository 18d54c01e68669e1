#!/bin/bash
# explicit_time.sh [BUILD-FOLDER [RUNS]] -- soak_explicit_time.c on 1300 random loads, supports and surfaces that depend
# on time.
# Can be interrupted: started again it resumes behind the last line of soak_explicit_time.txt in the build folder. Ends with the
# number of each verdict, and fails where a pulse was missed that the reported resolution does not explain.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
runs=${2:-1300}
out=$build/soak_explicit_time.txt
touch "$out"
sed -i '/verdict=[a-zA-Z]*/!d' "$out" # a line that was cut off
for ((i = $(wc -l <"$out"); i < runs; i++)); do
  "$build/bin/soak_explicit_time" "$i" 1 >>"$out" || echo "run $i: $(tail -1 "$out")" >&2
done
awk '{ for (i = 1; i <= NF; i++) if (sub(/^verdict=/, "", $i)) n[$i]++ }
  END { for (v in n) printf "%s=%d ", v, n[v]; printf "of %d\n", NR; exit n["FAIL"] > 0 }' "$out"
