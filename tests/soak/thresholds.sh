#!/bin/bash
# thresholds.sh [BUILD-FOLDER [SYSTEMS]] -- soak_thresholds.c on all rows of the table of thresholds, some 20 minutes of processor time. Build the
# target soak_thresholds first.
# Can be interrupted: started again it continues behind the last line of soak_thresholds.txt in the build folder. Ends with the
# thresholds whose change by ten both ways changes no run: each needs a test that reaches it, or is deleted.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
systems=${2:-40}
out=$build/soak_thresholds.txt
touch "$out"
sed -i '/^row=.* smaller=[0-9]*\/[0-9]*$/!d' "$out" # a line that was cut off
rows=$("$build/bin/delassus" show event-driven --thresholds | grep -c '^  [a-z]')
for ((i = $(wc -l <"$out"); i < rows - 1; i++)); do
  "$build/bin/soak_thresholds" "$i" 1 "$systems" >>"$out"
done
echo "no effect: $(grep ' larger=0/.* smaller=0/' "$out" | sed 's/.*name=\([a-z0-9_]*\) .*/\1/' | tr '\n' ' ')"
