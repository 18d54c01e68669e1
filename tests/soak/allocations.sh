# allocations.sh -- every allocation fails, alone and with all that follow it. FAILING_ALLOCATION names the library that
# failing_allocation.c becomes (tests/CMakeLists.txt).
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/soak/soak_support.sh
here=$(realpath "$(dirname "$0")")
shim=$(realpath "${FAILING_ALLOCATION:?is not set}")
source "$here/soak_support.sh"
# shellcheck source=tests/soak/failures.sh
source "$here/failures.sh"

if [ ! -e trials ]; then # lines "COMMAND NUMBER ON"
  for name in "${commands[@]}"; do
    command_line "$name"
    fresh "$name"
    env DLS_FAIL_COUNT="$PWD/count" LD_PRELOAD="$shim" "$tool" "${line[@]}" >/dev/null 2>&1
    for on in 0 1; do
      seq 1 "$(cat count)" | sed "s/.*/$name & $on/"
    done
  done >trials
fi

trial() {
  local name number on code=0
  read -r name number on < <(sed -n "$1p" trials)
  command_line "$name"
  fresh "$name"
  timeout 60 env DLS_FAIL_AT="$number" DLS_FAIL_ON="$on" LD_PRELOAD="$shim" "$tool" "${line[@]}" >out 2>err || code=$?
  ended $code
  judge_failure "$name" $code
  [ -z "$faults" ] || faults="$name, allocation $number, on $on$faults"
}

soak allocations "$(wc -l <trials)"
