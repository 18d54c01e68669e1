# step_memory.sh TOOL -- steps allocate nothing: a run of twice the steps asks for memory as often as the other. FAILING_ALLOCATION
# names the library that failing_allocation.c becomes (tests/CMakeLists.txt); here it counts.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
set -u
tool=$(realpath "$1")
shim=$(realpath "${FAILING_ALLOCATION:?is not set}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
most=10 # a factorization whose old pivots no longer do

count() { # end, arguments of run
  local end=$1
  shift
  env DLS_FAIL_COUNT="$folder/count" LD_PRELOAD="$shim" "$tool" run "$@" --step 0.001 --end "$end" --every 100000 \
    >/dev/null 2>"$folder/err" || { cat "$folder/err" >&2; exit 1; }
  cat "$folder/count"
}

failed=0
for scheme in moreau-jean schatzman-paoli nonsmooth-newmark standard-penalty conserving-penalty; do
  for speed in 0 0.2; do
    wall=(block-wall --set rows=4 --set columns=4 --set v0=$speed --scheme "$scheme")
    more=$(($(count 0.2 "${wall[@]}") - $(count 0.1 "${wall[@]}")))
    if [ "$more" -lt 0 ] || [ "$more" -gt $most ]; then
      echo "FAILED: $scheme, v0 = $speed: $more more allocations in 100 more steps, at most $most are allowed"
      failed=1
    fi
  done
done
[ $failed = 0 ] && echo "all checks passed"
exit $failed
