#!/bin/bash
# problems.sh [BUILD-FOLDER [PROBLEMS]] -- soak_problems.c on a million problems, a thousand at a time. Can be interrupted: started
# again it continues after the last line of soak_problems.txt in the build folder. Ends with the sums; exit status 1 if an answer
# was called solved that is not.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
problems=${2:-1000000}
out=$build/soak_problems.txt
touch "$out"
for ((i = 1000 * $(grep -c ' end$' "$out"); i < problems; i += 1000)); do
  "$build/bin/soak_problems" "$i" 1000 >>"$out" || echo "problems from $i on: one is not solved that is said to be" >&2
done
awk '/ end$/ { for (i = 1; i < NF; i++) { split($i, pair, "="); k = pair[1] (i > 4 ? " of friction" : " of lcp")
      if (pair[1] == "worst") { if (pair[2] > worst[k]) worst[k] = pair[2] } else sum[k] += pair[2] } }
  END { for (k in sum) print k ": " sum[k] | "sort"; close("sort"); for (k in worst) print k ": " worst[k] " of its tolerance"
    exit sum["wrong of lcp"] + sum["wrong of friction"] > 0 }' "$out"
