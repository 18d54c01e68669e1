#!/bin/sh
# long.sh [BUILD-FOLDER [LIST]] -- the tests of LIST, by default of long.txt, which ./check leaves out. Started again, it continues after
# those that have passed, which are in BUILD-FOLDER/long.done: remove that file to run all.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
build=${1:-build}
done=$build/long.done
pattern=$(grep -v '^#' "${2:-$(dirname "$0")/long.txt}" | paste -sd '|')
touch "$done"
status=0
names=$(ctest --test-dir "$build" --show-only -R "^($pattern)\$" | sed -n 's/^ *Test *#[0-9]*: //p')
[ -n "$names" ] || { echo "long.sh: no tests in '$build': ./check builds them" >&2; exit 1; }
for name in $names; do
  grep -qxF "$name" "$done" && continue
  if OPENBLAS_NUM_THREADS=1 ctest --test-dir "$build" --output-on-failure -R "^$name\$"; then
    echo "$name" >>"$done"
  else
    status=1
  fi
done
exit $status
