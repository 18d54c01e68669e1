#!/bin/bash
# checkers.sh FOLDER -- commands of every kind under valgrind's memcheck, and those that have threads under ThreadSanitizer, from
# builds in FOLDER. A command that went through is not run again on the same commit. Exit status: 0 nothing found, 1 something,
# 2 the request is wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
set -uo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/compilers/trajectories.sh
. "$source/tests/compilers/trajectories.sh"
[ $# -eq 1 ] || {
  echo "checkers.sh: in which folder?" >&2
  exit 2
}
mkdir -p "$1" && cd "$1" || exit 2
commit=$(git -C "$source" rev-parse HEAD)
status=0

order="order impacting-oscillator --end 2 --steps 0.05:0.01:3 --repeats 4 --scheme moreau-jean --scheme event-driven --norm l1,hausdorff --plot-format none"
threads=(
  "$order --jobs 4"
  "work bouncing-ball --scheme moreau-jean --steps 0.1:0.02:3 --repeats 4 --end 2 --norm l1 --of q --jobs 4 --against steps --plot-format none"
  "order random-frictional --scheme moreau-jean --steps 0.05:0.02:2 --repeats 4 --end 1 --norm l1 --of q --jobs 4 --plot-format none"
)
memory=( # valgrind has 64 bits for a long double, with which glibc's cosl does not end: no exact solutions of oscillators
  "list" "show moreau-jean" "${order/impacting-oscillator/bouncing-ball}"
  "run bouncing-ball --scheme moreau-jean --step 0.05 --end 2 --report run.html"
  "run random-frictional --scheme event-driven --end 1 --stats"
  "run block-wall --scheme moreau-jean --step 1e-2 --end 0.05 --stats"
  "run pendulum-chain --scheme moreau-jean --step 1e-2 --end 0.1 --stats"
  "run impacting-oscillator --scheme rk-moreau:method=radau5 --step 0.05 --end 2 --stats"
  "exact bouncing-ball --end 2" "energy bouncing-ball --scheme moreau-jean --step 0.05 --end 1 --plot-format none"
  "spectrum moreau-jean --steps 0.1:1:2" "check-model bouncing-pendulum" "lesson kane --out lesson.html" "cite moreau-jean"
)

# check NAME RUNNER... : the command is in the variable line
check() {
  local name=$1
  shift
  [ "$(cat "$name.passed" 2>/dev/null)" != "$commit" ] || return 0
  # shellcheck disable=SC2086
  if "$@" $line >"$name.out" 2>"$name.log"; then
    say "$commit" >"$name.passed"
  else
    status=1
    say "$name: $line"
    head -20 "$name.log"
  fi
}

build "$source" "$PWD/plain" gcc "-O1 -g" || exit 1
for i in "${!memory[@]}"; do
  line=${memory[i]}
  check "valgrind-$i" valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite plain/bin/delassus
done
say "valgrind: $(ls valgrind-*.passed 2>/dev/null | wc -l) of ${#memory[@]} commands without a word"

cmake -S "$source" -B thread -DCMAKE_C_COMPILER=gcc -DDLS_SANITIZE=thread -DDLS_TESTS=OFF -DDLS_BENCH=OFF >thread.log 2>&1 &&
  cmake --build thread --parallel "${JOBS:-$(nproc)}" --target delassus >>thread.log 2>&1 || exit 1
for i in "${!threads[@]}"; do
  line=${threads[i]}
  check "thread-$i" thread/bin/delassus
done
say "ThreadSanitizer: $(ls thread-*.passed 2>/dev/null | wc -l) of ${#threads[@]} commands without a word"
exit $status
