#!/bin/bash
# adjoint.sh [BUILD-FOLDER [SYSTEMS]] -- soak_adjoint.c on the seeds 1 to SYSTEMS (250). Can be interrupted: started again it continues behind
# the last line of soak_adjoint.txt in the build folder. Ends with the number of each verdict.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
systems=${2:-250}
out=$build/soak_adjoint.txt
touch "$out"
sed -i '/verdict=[a-zA-Z]*/!d' "$out" # a line that was cut off
for ((i = $(wc -l <"$out") + 1; i <= systems; i++)); do
  "$build/bin/soak_adjoint" "$i" 1 >>"$out"
done
grep -o 'verdict=[a-zA-Z]*' "$out" | sort | uniq -c
! grep -q verdict=FAIL "$out"
