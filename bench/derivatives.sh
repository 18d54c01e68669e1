#!/bin/sh
# derivatives.sh -- cost of derivatives by events: instructions of runs with 1, 2 and 4 parameters, relative to the run without derivatives,
# counted by valgrind's callgrind inside dls_run.
#
#   bench/derivatives.sh [TOOL [REGEX [COLUMNS [METHODS [NUMBERS]]]]]
#
# TOOL is an optimised build with debug symbols, default build/bin/delassus; REGEX chooses models;
# COLUMNS is what all runs record, as in --columns: q,v leaves out derivatives of forces; METHODS are integrators,
# default "adams"; a hyphen is a run that the method refuses. NUMBERS are those of parameters, default "1 2 4".
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."
. cmake/prepare.sh
need valgrind
tool=${1:-build/bin/delassus}
regex=${2:-.}
columns=${3:+--columns=$3}

methods=${4:-adams}
numbers=${5:-1 2 4}

# count MODEL ARGUMENTS... -> instructions; nothing if the run fails
count() {
  if valgrind --tool=callgrind --toggle-collect=dls_run --callgrind-out-file=/dev/null "$tool" run "$@" ${columns:+"$columns"} >/dev/null 2>"$log"; then
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$log"
  fi
}

# row PARAMETERS MODEL ARGUMENTS...: four parameters
row() {
  parameters=$1
  shift
  echo "$1" | grep -Eq "$regex" || return 0
  for method in $methods; do
    scheme=event-driven:method=$method
    counts=$(count "$@" --scheme "$scheme")
    for many in $numbers; do
      counts="$counts $([ -z "$counts" ] || count "$@" --scheme "$scheme" --sensitivity "$(echo "$parameters" | cut -d, -f"1-$many")")"
    done
    echo "$1 $method $counts" | awk -v numbers="$numbers" '{
      printf "%-22s %-6s %12s", $1, $2, NF < 3 ? "-" : $3
      for (i = 4; i < 4 + split(numbers, n); i++) printf " %6s", NF < i ? "-" : sprintf("%.2f", $i / $3)
      print "" }'
  done
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # a list of numbers
printf '%-22s %-6s %12s' model method without && printf ' %6s' $numbers && echo
row e,q0,v0,f bouncing-ball --end 2.9
row k,q0,e,f impacting-oscillator --end 20
row q1,e,k,m two-ball-oscillator --end 1.2
row q0,e,hurdle,l bouncing-pendulum --end 1.5
row l,x0,g,m rope --set e=0.7 --end 1
row vb,k,F,q0 belt --end 10
row e,damping,amplitude,omega random-linear --set n=40 --set m=5 --end 0.2
row h,b,phi0,m rocking-block --end 0.5
row omega,l1,m1,J2 slider-crank --end 0.02
row mu,v0,phi0,alpha puck --end 1
row mu,v0,vb,m puck-belt --end 1
row mu,R,theta0,m rough-bowl --end 1
