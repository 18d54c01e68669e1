#!/bin/bash
# accumulations.sh [BUILD-FOLDER [SYSTEMS]] -- soak_accumulations.c on 1000 systems, about ten minutes. Can be interrupted:
# started again it continues after the last line of soak_accumulations.txt in the build folder. Ends with the worst of all.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
systems=${2:-1000}
out=$build/soak_accumulations.txt
touch "$out"
sed -i '/verdict=[a-zA-Z]*/!d' "$out" # a line that was cut off
for ((i = $(wc -l <"$out"); i < systems; i++)); do
  "$build/bin/soak_accumulations" "$i" 1 >>"$out" || echo "system $i: $(tail -1 "$out")" >&2
done
awk '{ for (i = 1; i <= NF; i++) { split($i, a, "="); v[a[1]] = a[2] }
  n++; if (v["verdict"] == "graze") graze++; else if (v["verdict"] != "ok") bad++
  if (v["ratio"] + 0 > ratio) ratio = v["ratio"] + 0; if (v["events"] + 0 > events) events = v["events"] + 0
  if (v["worst_bound"] + 0 > bound) bound = v["worst_bound"] + 0 }
  END { printf "systems=%d failed=%d graze=%d ratio=%g events=%d worst_bound=%g\n", n, bad, graze, ratio, events, bound
    exit bad > 0 || graze > n / 100 }' "$out"
