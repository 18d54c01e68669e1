# install_support.sh -- for the tests of what is installed: a prefix of their own, counted failures, reasons to skip.
# bash SCRIPT SOURCE BUILD CC SANITIZERS
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

source=$1 build=$2 CC=$3 sanitizers=$4
export CC
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset LD_LIBRARY_PATH PYTHONPATH DELASSUS_LIBRARY CMAKE_PREFIX_PATH

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}

skip() {
  echo "SKIPPED: $*"
  exit 77
}

# do_it COMMAND...: quiet; its output is kept in `log` and shown if it fails, which ends the test
do_it() {
  if ! "$@" >log 2>&1 </dev/null; then
    echo "FAILED: $*"
    tail -40 log
    exit 1
  fi
}

# has WHAT TEXT FILE
has() {
  grep -qF -e "$2" "$3" || fail "$1: no '$2' in: $(head -20 "$3")"
}

# between WHAT ACTUAL LOW HIGH
between() {
  awk -v a="$2" -v low="$3" -v high="$4" 'BEGIN { exit !(a != "" && a + 0 >= low && a + 0 <= high) }' ||
    fail "$1 is '$2', expected in [$3, $4]"
}

# install_to PREFIX: as a person would, then moved: nothing may depend on where it was installed
install_to() {
  [ -z "$sanitizers" ] || skip "programs that know nothing of sanitizers cannot load this library"
  do_it cmake --install "$build" --prefix "$work/first-prefix"
  mv "$work/first-prefix" "$1"
}

finish() {
  if [ "$failures" -gt 0 ]; then
    echo "$failures checks failed"
    exit 1
  fi
  echo "all checks passed"
}
