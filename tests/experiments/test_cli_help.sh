# test_cli_help.sh -- help, version, and names of commands and options that do not exist.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
commands="list show run compare exact distance order work energy study contact spectrum lesson check-model ledger gradient fit"

try 0 --help
in_out "usage: delassus COMMAND" "exit status" "simulate:" "measure:" "learn:" "keep:" "  verdicts "
for command in $commands; do
  in_out "  $command "
done
try 0 -h
for command in $commands; do
  in_out "$command"
done
between "lines of -h" "$(wc -l <out)" 10 24
for form in --version -V; do
  try 0 $form
  in_out "delassus "
  equal "lines of $form" "$(wc -l <out)" 1
done
# every command is in a group
equal "commands of --help" "$("$tool" --help | sed -n '/^simulate:/,/^topics/p' | grep -cE '^  [a-z]')" "$("$tool" --complete delassus "" | wc -l)"

# topics, kinds and names
try 0 help exit-status
in_out "  75 "
try 0 help columns
in_out "lambda0"
try 0 help norms
in_out "  hausdorff "
try 0 help moreau-jean
in_out "moreau-jean (scheme)"
refused "no help on 'verdict'" "did you mean 'verdicts'" "exit-status" "delassus list" -- help verdict

for command in $commands; do
  for form in "$command --help" "help $command"; do
    # shellcheck disable=SC2086
    try 0 $form
    in_out "usage: delassus $command" "options:" "--help" "examples:" "  delassus $command "
    [ ! -s err ] || fail "$last wrote to standard error"
    longest=$(awk '{ if (length($0) > n) n = length($0) } END { print n }' out)
    between "longest line of $last" "$longest" 1 100
  done
done
# each command names a page of the handbook
for command in $("$tool" --complete delassus ""); do
  try 0 "$command" --help
  page=$(sed -n 's/^Handbook: //p' out)
  [ -f "$2/$page" ] || fail "$last names a page that does not exist: '$page'"
done
# one screen for each command
for command in $commands; do
  try 0 "$command" -h
  in_out "usage: delassus $command" "options:" "--help" "examples:" "  delassus $command " "Handbook: docs/"
  between "lines of $last" "$(wc -l <out)" 8 24
done
# narrow screens: nothing but examples and words that are longer goes beyond them, and a file is no screen
for columns in 80 40; do
  export COLUMNS=$columns
  for command in $commands; do
    try 0 "$command" --help
    longest=$(sed '/^examples:/,$d; s/^usage: .*//; s/^ *\[.*//' out | awk '{ if (length($0) > n) n = length($0) } END { print n }')
    between "longest line of $last with $columns columns" "$longest" $((columns - 16)) "$columns"
  done
  try 0 study --print example-run
  cp out "print-$columns"
done
unset COLUMNS
cmp -s print-80 print-40 || fail "a study file depends on the screen"
rm print-80 print-40
# help wins over what is missing
try 0 run --help --scheme moreau-jean

# every option of the synopsis and of the table
try 0 run --help
in_out --scheme --step --end --set --out --plot --animate --report --stats --progress
try 0 exact --help
in_out --set --at --end --out
try 0 distance --help
in_out --column --norm --tau --xi --between
try 0 order --help
in_out --scheme --steps --norm --of --end --set --repeats --seed --local --impact --jobs --out --report --resume --overwrite --plot-format
try 0 work --help
in_out --scheme --steps --tols --against --norm --of --end --set --repeats --seed --timings --jobs --out --report --resume --overwrite --plot-format
try 0 energy --help
in_out --scheme --step --end --set --out --report --plot-format --progress

try 0 compare --help
in_out --scheme --step --end --set --of --plot --out --progress
try 0 study --help
in_out --out --resume --overwrite --jobs --check --list --print --keys --progress
try 0 spectrum --help
in_out --of --steps --at --damping --frequency --plot --out --report --plot-format --progress
try 0 contact --help
in_out --method --all-methods --tolerance --facets --out

# the page on the command line repeats no synopsis and no table of options; the options and commands that it names are there
page=$2/docs/command-line.md
every=$("$tool" --complete delassus '' | grep '^[a-z]')
for command in $every; do
  try 0 "$command" --help
  cat out
done >helps
for option in $(grep -oE -e '--[a-z][a-z-]+' "$page" | sort -u); do
  case $option in --help | --version | --name) continue ;; esac
  grep -qE -e "^ +$option( |$)" helps || fail "docs/command-line.md: no command has $option"
done
for title in $(sed -nE 's/^## ([a-z-]+)$/\1/p' "$page"); do
  grep -qx -e "$title" <<<"$every" || fail "docs/command-line.md: '$title' is no command"
done
! grep -nE '^ +delassus .*\[--|^\| `--[a-z-]+( [A-Z][^`]*)?` \| [a-z]' "$page" || fail "docs/command-line.md repeats what --help prints"

# nothing asked: usage on standard error, request wrong
try 2
in_err "usage: delassus COMMAND"
refused "unknown command 'lst'" "did you mean 'list'" "list, show, run, compare, exact, distance, order, work" -- lst
refused "unknown command 'simulate'" "list, show, run, compare, exact, distance, order, work" -- simulate
refused "unknown option '--verison'" -- --verison
refused "unknown option '--stpe'" "did you mean --step?" "--scheme, --end, --step" -- run bouncing-ball --stpe 1
refused "unknown option '--out=x'" -- show --out=x bouncing-ball
refused "unknown option '-q'" "--format" -- list -q
refused "--step needs a value: --step H" -- run bouncing-ball --scheme moreau-jean --step
refused "--stats is a switch" "--stats=3" -- run bouncing-ball --stats=3
refused "--step is given twice: '0.1' and '0.2'" -- run bouncing-ball --scheme moreau-jean --step 0.1 --step 0.2
refused "MODEL is missing, e.g. bouncing-ball" "MODEL --scheme" -- run --scheme moreau-jean --step 0.1
refused "unexpected 'wedge'" -- run bouncing-ball wedge --scheme moreau-jean --step 0.1
# -- ends the options
refused "unknown model '--help'" -- run --scheme moreau-jean --step 0.1 -- --help

# a result that cannot be written is a failure, not a success
if [ -c /dev/full ]; then
  "$tool" list >/dev/full 2>err
  equal "exit status of list > /dev/full" $? 1
  last="delassus list > /dev/full"
  in_err "cannot write to standard output"
fi
finish
