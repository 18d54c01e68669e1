# test_manual.sh -- the manual pages are good roff and say what --help says.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
tool=$build/bin/delassus

checked=0
for page in "$build"/man/*.1; do
  checked=$((checked + 1))
  if command -v groff >/dev/null; then
    groff -man -Tutf8 -Kutf8 -ww -z "$page" 2>log
    [ ! -s log ] || fail "groff on $page: $(cat log)"
  fi
  if command -v mandoc >/dev/null; then
    mandoc -Tlint -Werror "$page" >log || fail "mandoc on $page: $(cat log)"
  fi
done
between "number of pages" "$checked" 9 100
command -v groff >/dev/null || command -v mandoc >/dev/null || echo "roff unchecked: neither groff nor mandoc"

# every option of a command stands in its page
for command in $("$tool" --complete delassus ""); do
  for option in $("$tool" --complete delassus "$command" --); do
    has "page of $command" "\\fB${option//-/\\-}\\fR" "$build/man/delassus-$command.1"
  done
  has "page of the tool" "delassus\\-$command (1)" "$build/man/delassus.1"
done
if command -v groff >/dev/null; then
  groff -man -Tascii -P-cbou "$build/man/delassus-run.1" >text
  has "formatted page" "--scheme S[:OPT=VAL,...]" text
  has "formatted page" "delassus run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --out ball.csv" text
fi
finish
