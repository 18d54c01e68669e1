# trajectories.sh -- for the scripts of this folder: builds of the tool, the trajectories that each makes, and whether these
# have the same bytes.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
say() { printf '%s\n' "$*"; }
export OPENBLAS_NUM_THREADS=1

# build SOURCE FOLDER COMPILER [FLAGS]: the tool alone, optimised by FLAGS in place of CMake's; what went wrong is told
build() {
  local flags=()
  [ -z "${4:-}" ] || flags=(-DCMAKE_C_FLAGS_RELEASE="$4 -DNDEBUG")
  cmake -S "$1" -B "$2" -DCMAKE_C_COMPILER="$3" "${flags[@]}" -DDLS_TESTS=OFF -DDLS_BENCH=OFF >"$2.log" 2>&1 &&
    cmake --build "$2" --parallel "${JOBS:-$(nproc)}" --target delassus >>"$2.log" 2>&1 || {
    tail -5 "$2.log"
    return 1
  }
}

# run_all TOOL FOLDER: exit status 1 if a run fails, of which FOLDER.log tells
run_all() {
  local out=$2 model scheme failed=0 tool=$1
  delassus() { "$tool" "$@" || failed=1; }
  rm -rf "$out" && mkdir "$out"
  {
    # the six of ./demo
    for model in bouncing-ball impacting-oscillator; do
      case $model in
        bouncing-ball) set -- --end 4 --step 2.3e-2 ;;
        *) set -- --end 10 --step 5e-2 ;;
      esac
      delassus run $model "$1" "$2" --scheme event-driven --out "$out/$model-event-driven.csv"
      for scheme in moreau-jean schatzman-paoli nonsmooth-generalized-alpha rk-moreau tdg-d1-minus splitting-rkf45; do
        delassus run $model "$@" --scheme $scheme --out "$out/$model-$scheme.csv"
      done
      delassus exact $model "$1" "$2" --out "$out/$model-exact.csv"
    done
    # many contacts, an elastic body, random matrices, friction, sparse systems
    delassus run bead-column --set N=50 --scheme moreau-jean --step 1e-3 --end 1 --out "$out/beads.csv"
    delassus run elastic-bar --set n=100 --scheme moreau-jean:theta=1 --step 1e-3 --end 1 --out "$out/bar.csv"
    delassus run random-linear --set n=6 --set m=3 --scheme moreau-jean --step 1e-3 --end 1 --out "$out/random.csv"
    delassus run random-frictional --scheme moreau-jean --step 1e-3 --end 1 --out "$out/frictional.csv"
    delassus run lattice-pile --scheme moreau-jean --step 1e-2 --end 0.1 --out "$out/pile.csv"
    delassus run block-wall --scheme moreau-jean --step 1e-2 --end 0.1 --out "$out/wall.csv"
    # so large that UMFPACK factors it, with the BLAS that is there; it lands in the first step
    delassus run elastic-block --set nx=120 --set ny=60 --set h0=1e-4 --scheme moreau-jean --step 1e-3 --end 2e-3 --out "$out/mesh.csv"
  } 2>"$out.log"
  return $failed
}

# same FOLDER FOLDER: how many have the same bytes, but for the lines on compiler, libraries and commit. Exit status 1: not all
same() {
  local file other count=0 all
  all=$(find "$1" -name '*.csv' | wc -l)
  for file in "$1"/*.csv; do
    other=$2/$(basename "$file")
    if cmp -s <(grep -vE '^# (compiler|libraries|commit): ' "$file") <(grep -vE '^# (compiler|libraries|commit): ' "$other"); then
      count=$((count + 1))
    else
      say "differs: $(basename "$file"), $(basename "$1") and $(basename "$2")"
    fi
  done
  say "$(basename "$1") and $(basename "$2"): $count of $all trajectories have the same bytes"
  [ "$count" -eq "$all" ]
}
