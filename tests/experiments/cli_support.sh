# cli_support.sh -- for the test_cli_*.sh scripts: run the tool, look at what it printed, count what is wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2012 # no strange file names here

tool=$(realpath "$1")
# shellcheck disable=SC2034 # of tests that read it
binary=$tool
failures=0
work=$(mktemp -d)
in_locale=
trap 'chmod -R u+w "$work"; rm -rf "$work" $in_locale' EXIT
cd "$work" || exit 1
# With LC_ALL set the tool runs in that locale; this script, its awk and the order of its files keep to C.
if [ "${LC_ALL:-C}" != C ]; then
  in_locale=$(mktemp -d)
  printf '#!/bin/sh\nLC_ALL=%s exec "%s" "$@"\n' "$LC_ALL" "$tool" >"$in_locale/delassus"
  chmod +x "$in_locale/delassus"
  ln -s "$(dirname "$tool")"/*.so "$in_locale"
  tool=$in_locale/delassus
  export LC_ALL=C
fi
: >out
: >err

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}

# try CODE ARGUMENT...: run the tool; standard output is kept in `out`, standard error in `err`.
try() {
  local expected=$1 code=0
  shift
  last="delassus $*"
  "$tool" "$@" >out 2>err </dev/null || code=$?
  if [ "$code" -ne "$expected" ]; then
    fail "$last: exit status $code, expected $expected"
    head -5 err
  fi
}

# in_out TEXT... / in_err TEXT...: every text stands in what the last try printed.
in_file() {
  local file=$1 text content
  { content=$(<"$file"); } 2>/dev/null # bash warns of NUL bytes
  shift
  for text in "$@"; do
    if [[ $content != *"$text"* ]]; then
      fail "$last: '$text' is not in its standard $file, which begins:"
      head -5 "$file"
    fi
  done
}
in_out() { in_file out "$@"; }
in_err() { in_file err "$@"; }

# refused TEXT... -- ARGUMENT...: exit 2, nothing on standard output, a message with every text, no file left.
refused() {
  local texts=()
  while [ "$1" != -- ]; do
    texts+=("$1")
    shift
  done
  shift
  local before
  before=$(echo .* *)
  try 2 "$@"
  [ ! -s out ] || fail "$last: wrote to standard output although it refused"
  in_err "${texts[@]}"
  [ "$(echo .* *)" = "$before" ] || fail "$last: left files: $(echo .* *)"
}

# equal WHAT ACTUAL EXPECTED
equal() {
  [ "$2" = "$3" ] || fail "$1 is '$2', expected '$3'"
}

# close WHAT ACTUAL EXPECTED TOLERANCE: numbers
close() {
  awk -v a="$2" -v b="$3" -v tol="$4" 'BEGIN { d = a - b; exit !(a != "" && d <= tol && -d <= tol) }' ||
    fail "$1 is '$2', expected $3 +- $4"
}

# between WHAT ACTUAL LOW HIGH
between() {
  awk -v a="$2" -v low="$3" -v high="$4" 'BEGIN { exit !(a != "" && a >= low && a <= high) }' ||
    fail "$1 is '$2', expected in [$3, $4]"
}

# value KEY: of a key=value line of the last try
value() {
  sed -n "s/^$1=//p" out
}

# header FILE: the line of column names
header() {
  grep -v '^#' "$1" | head -1
}

# no_traces: no temporary file is left
no_traces() {
  local left
  left=$(find . -name '.delassus*' -o -name '*.part')
  [ -z "$left" ] || fail "temporary files are left: $left"
}

finish() {
  no_traces
  if [ "$failures" -gt 0 ]; then
    echo "$failures checks failed"
    exit 1
  fi
  echo "all checks passed"
}
