#!/bin/bash
# thresholds.sh [BUILD-FOLDER [SYSTEMS]] -- soak_thresholds.c on all rows of the table of thresholds, a few minutes of processor time. Build the
# target soak_thresholds first.
# Can be interrupted: started again it continues behind the last line of soak_thresholds.txt in the build folder. Ends with the
# thresholds whose change by ten both ways changes no run: each needs a test that reaches it, or is deleted.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
systems=${2:-40}
out=$build/soak_thresholds.txt
touch "$out"
sed -i '/^row=.* changes=./!d' "$out" # a line that was cut off
"$build/bin/soak_thresholds" "$(wc -l <"$out")" 1000 "$systems" >>"$out"
echo "no effect: $(grep ' changes=none$' "$out" | sed 's/.*name=\([a-z0-9_]*\) .*/\1/' | tr '\n' ' ')"
