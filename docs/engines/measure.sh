#!/bin/bash
# measure.sh -- every engine that was built, and schemes of delassus, on every problem with many steps, judged against the
# solution: bash measure.sh DELASSUS FOLDER-OF-PROGRAMS RESULTS [PROBLEM...]. RESULTS/PROBLEM/PROGRAM/hSTEP.csv, verdict.txt.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
export OPENBLAS_NUM_THREADS=1 # Siconos brings a threaded BLAS
here=$(realpath "$(dirname "$0")")
delassus=$(realpath "$1")
programs=$(realpath "$2")
mkdir -p "$3"
results=$(realpath "$3")
wanted=" ${*:4} "
schemes="moreau-jean"

# steps_from H0 H1: 24 steps, nowhere in a simple ratio to each other, so that impacts fall anywhere in a step
steps_from() {
  awk -v a="$1" -v b="$2" 'BEGIN {
    for (i = 0; i < 24; i++) printf "%.6g ", a * exp(-log(a / b) * (i + 0.7 * (i * 0.6180339887 % 1)) / 23.7)
  }'
}
steps=$(steps_from 0.02 0.00025)

# of_engine PROGRAM VARIANT PROBLEM
of_engine() {
  mkdir -p "$2"
  for h in $steps; do
    "$1" "$2" "$3" "$h" "$2/h$h.csv" >"$2/said" 2>&1 || { tail -3 "$2/said" >&2 && exit 1; }
  done
}

# of_scheme SCHEME MODEL [OPTION...]
of_scheme() {
  mkdir -p "$1"
  for h in $steps; do
    "$delassus" run "${@:2}" --scheme "$1" --step "$h" --out "$1/h$h.csv" --progress never </dev/null >"$1/said" 2>&1 ||
      { tail -3 "$1/said" >&2 && exit 1; }
  done
}

# apart FILE OTHER: distance of the graphs of the velocity
apart() { "$delassus" distance "$1" "$2" --column v0 2>/dev/null | sed -n 's/^distance=//p'; }

# own_model PROGRAM VARIANT: the ball of a compliant engine against the closed form of its own equations, with steps that
# resolve the contact, a line for each; and that closed form against the rigid ball
own_model() {
  python3 "$here/compliant.py" "$2/h0.02.csv" >"$2/exact.txt"
  "$delassus" exact bouncing-ball --end 2.4 --out "$2/rigid.txt" </dev/null >/dev/null
  echo "$2 model $(apart "$2/exact.txt" "$2/rigid.txt")" >>own.txt
  for h in $(steps_from 2e-3 2e-5); do
    "$1" "$2" ball "$h" "$2/fine.txt" >"$2/said" 2>&1
    echo "$2 $h $(apart "$2/fine.txt" "$2/exact.txt")" >>own.txt
  done
  rm "$2/fine.txt"
}

# judge PROBLEM MODEL OPTION...
judge() {
  local problem=$1 words run=() folders=() variant variants
  shift
  words=("$@")
  while [ $# -gt 0 ]; do # `run` knows no reference and no quantities
    case $1 in
    --reference | --of) shift ;;
    *) run+=("$1") ;;
    esac
    shift
  done
  rm -rf "${results:?}/$problem"
  mkdir "$results/$problem"
  cd "$results/$problem"
  for program in "$programs"/*; do
    variants=$("$program" variants) # a program that does not start ends this here
    for variant in $variants; do
      of_engine "$program" "$variant" "$problem"
      folders+=("$variant")
      if [ "$problem" = ball ] && [ "$(basename "$program")" = mujoco ]; then
        own_model "$program" "$variant"
      fi
    done
  done
  for scheme in $schemes; do
    of_scheme "$scheme" "${run[@]}"
    folders+=("$scheme")
  done
  "$delassus" judge "${words[@]}" "${folders[@]}" --norm hausdorff,l1 --out verdict --progress never </dev/null >verdict.txt
}

set -- "$programs"/*
[ -x "$1" ] || { echo "no programs in $programs" >&2 && exit 1; }
"$1" problems | while read -r problem words; do
  if [ "$wanted" = "  " ] || [[ $wanted == *" $problem "* ]]; then
    # shellcheck disable=SC2086 # a list of words
    judge "$problem" $words
  fi
done
