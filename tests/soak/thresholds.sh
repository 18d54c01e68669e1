#!/bin/bash
# thresholds.sh [BUILD-FOLDER [SYSTEMS]] -- soak_thresholds.c on all rows of the table of thresholds, some ten minutes of processor time.
# For a row that changes no run, the test of event_driven that thresholds.txt names is run with the row ten times larger and ten times
# smaller, and must fail. Build the targets soak_thresholds and test_event_driven_... first.
# Can be interrupted: started again it continues behind the last line of soak_thresholds.txt in the build folder. Ends with the
# thresholds whose change by ten both ways changes neither: each needs a test that reaches it, or is deleted.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=${1:-build}
systems=${2:-40}
here=$(dirname "$0")
out=$build/soak_thresholds.txt

# Does a test fail with a row changed?
reached_by_test() {
  local name=$1 test=$2 factor
  for factor in 10 0.1; do
    LD_PRELOAD=$(realpath "$build/tests/libtest_library_varied.so") DLS_THRESHOLD=$name:$factor \
      timeout 60 "$build/bin/test_event_driven_$test" >"$build/soak_thresholds.log" 2>&1 || return 0
  done
  return 1
}

touch "$out"
sed -i '/^row=.* changes=./!d' "$out" # a line that was cut off
"$build/bin/soak_thresholds" "$(wc -l <"$out")" 1000 "$systems" >>"$out"
left=
for name in $(sed -n 's/.*name=\([a-z0-9_]*\) .* changes=none$/\1/p' "$out"); do
  test=$(sed -n "s/^$name //p" "$here/thresholds.txt")
  if [ -n "$test" ] && reached_by_test "$name" "$test"; then
    echo "name=$name test=$test"
  else
    left="$left $name"
  fi
done
echo "no effect:$left"
