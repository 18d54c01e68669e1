#!/bin/bash
# mechanisms.sh [BUILD-FOLDER [MECHANISMS]] -- soak_mechanisms.c on 200 mechanisms, by event-driven, moreau-jean with projection, rk-moreau.
# Can be interrupted: started again it continues after the last line of soak_mechanisms_SCHEME.txt in the build folder. Ends with
# the number of each verdict.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
mechanisms=${2:-200}
failed=0
for scheme in "event-driven:tol=1e-12 0 1e-11 1e-12" "moreau-jean 2e-3 1e-11 1e-12" "rk-moreau 2e-3 1e-11 inf"; do # step, |Phi|, energy
  out=$build/soak_mechanisms_${scheme%% *}.txt
  touch "$out"
  sed -i '/verdict=[a-zA-Z]*/!d' "$out" # a line that was cut off
  for ((i = $(wc -l <"$out"); i < mechanisms; i++)); do
    # shellcheck disable=SC2086 # words
    "$build/bin/soak_mechanisms" $scheme "$i" 1 >>"$out" || echo "mechanism $i: $(tail -1 "$out")" >&2
  done
  awk -v name="${scheme%% *}" '{ for (i = 1; i <= NF; i++) if (sub(/^verdict=/, "", $i)) n[$i]++ }
    END { printf "%s: ", name; for (v in n) printf "%s=%d ", v, n[v]; printf "of %d\n", NR; exit n["FAIL"] > 0 }' "$out" || failed=1
done
exit $failed
