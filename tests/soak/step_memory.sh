# step_memory.sh TOOL -- steps allocate nothing: a run of twice the steps asks for memory as often as the other. Every scheme runs the
# first of `systems` that it treats, and five run larger walls. Not asked: systems on which KLU must choose its pivots again, and
# larger W whose set of contacts changes in the step, because KLU and CHOLMOD allocate for each such factorization.
# FAILING_ALLOCATION names the library that failing_allocation.c becomes (tests/CMakeLists.txt); here it counts.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
set -u
tool=$(realpath "$1")
shim=$(realpath "${FAILING_ALLOCATION:?is not set}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
most=10          # memory at the first use of something, and the record of events, which doubles
most_adaptive=36 # the first contact of three step lengths, each of which has an inner run of its own
systems=(
  "block-wall --set rows=3 --set columns=3 --set v0=0.2"           # boxes that slide: the set of contacts changes
  "block-wall --set rows=3 --set columns=3 --set mu=0 --set e=0.5" # without friction
  "random-linear --set m=0"                                        # without contacts
)
failed=0

# count END SYSTEM SCHEME: allocations of a run; nothing if the scheme does not treat the system
count() {
  local step=(--step 0.001)
  [[ $3 =~ ^event-driven|-adaptive$ ]] && step=()
  # shellcheck disable=SC2086 # words
  env DLS_FAIL_COUNT="$folder/count" LD_PRELOAD="$shim" "$tool" run $2 --scheme "$3" "${step[@]}" --end "$1" --every 100000 \
    >/dev/null 2>"$folder/err"
  case $? in
  0) cat "$folder/count" ;;
  2) ;;
  *) echo failed ;;
  esac
}

# judge SCHEME SYSTEM FEW MANY
judge() {
  local most=$most
  [[ $1 != *-adaptive ]] || most=$most_adaptive
  if [[ ! "$3 $4" =~ ^[0-9]+\ [0-9]+$ ]]; then
    echo "FAILED: $1, $2: $(head -1 "$folder/err")"
    failed=1
  elif [ $(($4 - $3)) -lt $((most == most_adaptive ? -most : 0)) ] || [ $(($4 - $3)) -gt $most ]; then
    echo "FAILED: $1, $2: $(($4 - $3)) more allocations in twice the steps, at most $most are allowed"
    failed=1
  fi
}

mapfile -t schemes < <("$tool" list schemes --format csv | sed 1d | cut -d, -f1)
for scheme in "${schemes[@]}"; do
  for system in "${systems[@]}"; do
    few=$(count 0.05 "$system" "$scheme")
    [ -z "$few" ] || break
  done
  judge "$scheme" "$system" "$few" "$(count 0.1 "$system" "$scheme")"
done
for scheme in moreau-jean schatzman-paoli nonsmooth-newmark standard-penalty conserving-penalty; do
  for speed in 0 0.2; do
    wall="block-wall --set rows=4 --set columns=4 --set v0=$speed"
    judge "$scheme" "$wall" "$(count 0.1 "$wall" "$scheme")" "$(count 0.2 "$wall" "$scheme")"
  done
done
[ ${#schemes[@]} -ge 30 ] || { echo "FAILED: only ${#schemes[@]} schemes" && failed=1; }
[ $failed = 0 ] && echo "all checks passed"
exit $failed
