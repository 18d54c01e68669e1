#!/bin/bash
# piles.sh [BUILD-FOLDER [PILES]] -- soak_piles.c on the first PILES piles; 234 are one of every kind and size to 10^4 contacts. Can
# be interrupted: started again it continues after the last line of soak_piles.txt in the build folder. Ends with a table by size
# and motion: solved, of, slowest [s]. Of piles up to 100 contacts 99 % have to be solved, of all 90 %.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
piles=${2:-234}
out=$build/soak_piles.txt
touch "$out"
sed -i '/ end$/!d' "$out" # a line that was cut off
for ((i = $(wc -l <"$out"); i < piles; i++)); do
  "$build/bin/soak_piles" "$i" 1 >>"$out" || echo "pile $i: $(tail -1 "$out")" >&2
done
awk '{ for (i = 1; i <= NF; i++) { split($i, pair, "="); is[pair[1]] = pair[2] }
    c = is["contacts"]
    size = c <= 100 ? "1 to 100" : c <= 400 ? "2 to 400" : c <= 1000 ? "3 to 1000" : c <= 3200 ? "4 to 3200" : "5 to 10^4"
    key = size ", dim " is["dim"] ", " is["kick"] " m/s"
    n[key]++; all++; small += c <= 100
    if (is["verdict"] == "ok") { ok[key]++; solved++; small_solved += c <= 100 }
    if (is["seconds"] > slow[key]) slow[key] = is["seconds"]
    bad += is["verdict"] == "FAIL" }
  END { for (k in n) printf "%s: %d of %d, %.2f s\n", substr(k, 3), ok[k], n[k], slow[k] | "sort -V"
    close("sort -V")
    printf "to 100 contacts %d of %d, all %d of %d, false answers %d\n", small_solved, small, solved, all, bad
    exit bad > 0 || small_solved < 0.99 * small || solved < 0.9 * all }' "$out"
