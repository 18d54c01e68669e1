#!/bin/bash
# stopped_clock.sh TOOL -- times of methods where the clock stands still or goes back (STOPPED_CLOCK, stopped_clock.c): no time is
# 0 or negative, and the performance profile is drawn.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
tool=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf 'dim 2\ncontacts 1\nmu 0.3\nq -1 0.5\nW 3\n0 0 2\n1 1 1\n0 1 0.1\n' >problem.dat
LD_PRELOAD=$STOPPED_CLOCK "$tool" contact problem.dat problem.dat problem.dat --all-methods --out out >table.csv
awk -F, 'NR > 1 && $5 == "solved" { solved++; if (!($9 > 0)) { print "seconds of " $4 ": " $9; bad = 1 } }
  END { if (solved != 27) { print solved " solved, not 27"; bad = 1 } exit bad }' table.csv
[ -s out/profile.png ]
