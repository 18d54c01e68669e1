#!/bin/sh
# derivatives.sh -- cost of derivatives by events: instructions of runs with 1 and 4 parameters, relative to the run without derivatives,
# counted by valgrind's callgrind inside dls_run.
#
#   bench/derivatives.sh [TOOL [REGEX [COLUMNS]]]
#
# TOOL is an optimised build with debug symbols, default build/bin/delassus; REGEX chooses models;
# COLUMNS is what all runs record, as in --columns: q,v leaves out derivatives of forces.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."
. cmake/prepare.sh
need valgrind
tool=${1:-build/bin/delassus}
regex=${2:-.}
columns=${3:+--columns=$3}

count() {
  valgrind --tool=callgrind --toggle-collect=dls_run --callgrind-out-file=/dev/null "$tool" run "$@" ${columns:+"$columns"} --scheme event-driven 2>&1 >/dev/null |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# row PARAMETER FOUR MODEL ARGUMENTS...
row() {
  one=$1 four=$2
  shift 2
  echo "$1" | grep -Eq "$regex" || return 0
  without=$(count "$@")
  first=$(count "$@" --sensitivity "$one")
  all=$(count "$@" --sensitivity "$four")
  awk -v model="$1" -v a="$without" -v b="$first" -v c="$all" 'BEGIN { printf "%-22s %12d %6.2f %6.2f\n", model, a, b / a, c / a }'
}

printf '%-22s %12s %6s %6s\n' model "without" 1 4
row e q0,v0,e,f bouncing-ball --end 2.9
row k q0,k,e,f impacting-oscillator --end 20
row q1 q1,e,k,m two-ball-oscillator --end 1.2
row q0 q0,e,hurdle,l bouncing-pendulum --end 1.5
row l l,x0,g,m rope --set e=0.7 --end 1
row vb vb,k,F,q0 belt --end 10
row e e,damping,amplitude,omega random-linear --set n=40 --set m=5 --end 0.2
row mu h,b,phi0,m rocking-block --end 0.5
row omega omega,l1,m1,J2 slider-crank --end 0.02
row mu mu,v0,phi0,alpha puck --end 1
row mu mu,v0,vb,m puck-belt --end 1
row mu mu,R,theta0,m rough-bowl --end 1
