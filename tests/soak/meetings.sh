#!/bin/bash
# meetings.sh [BUILD-FOLDER [MEETINGS]] -- soak_meetings.c on 500 random meetings of two or three spheres, every scheme.
# Can be interrupted: started again it continues after the last line of soak_meetings.txt in the build folder. Ends with
# the sums.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
meetings=${2:-500}
out=$build/soak_meetings.txt
touch "$out"
sed -i '/verdict=[a-zA-Z]*/!d' "$out" # a line that was cut off
for ((i = $(wc -l <"$out"); i < meetings; i++)); do
  "$build/bin/soak_meetings" "$i" 1 >>"$out" || echo "$(tail -1 "$out")" >&2
done
awk '{ for (i = 1; i <= NF; i++) { split($i, f, "="); n[f[1]] += f[2] } fails += /verdict=FAIL/ }
  END { printf "%d meetings: schemes=%d impacts=%d warned=%d silent=%d passed=%d missed=%d, %d FAIL\n", NR, n["schemes"],
    n["impacts"], n["warned"], n["silent"], n["passed"], n["missed"], fails; exit fails > 0 }' "$out"
