#!/bin/bash
# friction_events.sh [BUILD-FOLDER [SYSTEMS]] -- soak_friction_events.c on 2500 systems, 2000 in the plane and 500 in space. Can
# be interrupted: started again it continues after the last line of soak_friction_events.txt in the build folder. Ends with the
# number of each verdict; at most 3 % of the runs may end early.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
systems=${2:-2500}
out=$build/soak_friction_events.txt
touch "$out"
sed -i '/verdict=[a-zA-Z]*/!d' "$out" # a line that was cut off
for ((i = $(wc -l <"$out"); i < systems; i++)); do
  "$build/bin/soak_friction_events" "$i" 1 >>"$out" || echo "system $i: $(tail -1 "$out")" >&2
done
awk '{ for (i = 1; i <= NF; i++) if (sub(/^verdict=/, "", $i)) n[$i]++ }
  END { for (v in n) { printf "%s=%d ", v, n[v]; if (v != "ok") early += n[v] }
    printf "of %d\n", NR; exit n["FAIL"] > 0 || early > 0.03 * NR }' "$out"
