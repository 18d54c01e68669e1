#!/bin/bash
# same_bytes.sh FOLDER [COMPILER...]
# Builds the tool with each compiler (default gcc and clang) in FOLDER/COMPILER and compares the trajectories of ./demo, and
# some of other schemes: they must have the same bytes, but for the line that names the compiler. Started again it goes on
# where it was. Exit status: 0 all the same, 1 something differs or does not build, 2 the request is wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
say() { printf '%s\n' "$*"; }
refuse() {
  printf 'same_bytes.sh: %s\n' "$*" >&2
  exit 2
}

[ $# -gt 0 ] || refuse "in which folder?"
mkdir -p "$1"
folder=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- gcc clang
[ $# -gt 1 ] || refuse "two compilers are needed to compare"
for compiler in "$@"; do
  command -v "$compiler" >/dev/null || refuse "there is no $compiler"
done
source=$(cd "$(dirname "$0")/../.." && pwd)
export OPENBLAS_NUM_THREADS=1

build() { # COMPILER
  local made=$folder/$1
  cmake -S "$source" -B "$made" -DCMAKE_C_COMPILER="$1" -DDLS_TESTS=OFF -DDLS_BENCH=OFF >"$folder/$1.log" 2>&1 &&
    cmake --build "$made" --parallel "${JOBS:-$(nproc)}" --target delassus >>"$folder/$1.log" 2>&1 || {
    tail -5 "$folder/$1.log"
    say "$1: does not build"
    exit 1
  }
}

run_all() { # COMPILER
  local delassus=$folder/$1/bin/delassus out=$folder/$1-runs
  rm -rf "$out" && mkdir "$out"
  # the six of ./demo
  for model in bouncing-ball impacting-oscillator; do
    case $model in
      bouncing-ball) set -- --end 4 --step 2.3e-2 ;;
      *) set -- --end 10 --step 5e-2 ;;
    esac
    "$delassus" run $model "$1" "$2" --scheme event-driven --out "$out/$model-event-driven.csv"
    for scheme in moreau-jean schatzman-paoli nonsmooth-generalized-alpha rk-moreau tdg-d1-minus splitting-rkf45; do
      "$delassus" run $model "$@" --scheme $scheme --out "$out/$model-$scheme.csv"
    done
    "$delassus" exact $model "$1" "$2" --out "$out/$model-exact.csv"
  done
  # many contacts, an elastic body, random matrices
  "$delassus" run bead-column --set N=50 --scheme moreau-jean --step 1e-3 --end 1 --out "$out/beads.csv"
  "$delassus" run elastic-bar --set n=100 --scheme moreau-jean:theta=1 --step 1e-3 --end 1 --out "$out/bar.csv"
  "$delassus" run random-linear --set n=6 --set m=3 --scheme moreau-jean --step 1e-3 --end 1 --out "$out/random.csv"
} 2>"$folder/$1-runs.log"

status=0
for compiler in "$@"; do
  say "$compiler: $("$compiler" --version | head -1)"
  build "$compiler"
  run_all "$compiler"
done
first=$1
shift
for compiler in "$@"; do
  same=0
  for file in "$folder/$first-runs"/*.csv; do
    other=$folder/$compiler-runs/$(basename "$file")
    if cmp -s <(grep -v '^# compiler: ' "$file") <(grep -v '^# compiler: ' "$other"); then
      same=$((same + 1))
    else
      say "differs: $(basename "$file") by $first and $compiler"
      status=1
    fi
  done
  say "$first and $compiler: $same of $(find "$folder/$first-runs" -name '*.csv' | wc -l) trajectories have the same bytes"
done
exit $status
