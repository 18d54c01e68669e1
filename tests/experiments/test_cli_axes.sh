# test_cli_axes.sh -- every axis of the pictures of `run` and `exact` has a name and a unit, and both name coordinates alike.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2086 # lists of words
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# labelled: every axis of picture.tex has "name [unit]"; panels below each other share the label of x
labelled() {
  [ "$(grep -cE '^ *ylabel=\{[^[]*[A-Za-z][^[]* *(\\\\\{\})?\[[^]]+\]' picture.tex)" = "$(grep -cF '\begin{axis}' picture.tex)" ] ||
    fail "$last: $(grep -E '^ *ylabel' picture.tex | grep -vE '\[[^]]+\]')"
  grep -qF 'xlabel={t [s]}' picture.tex || fail "$last: no time axis"
}

models=0 exact=0
for model in $("$tool" list models --format csv | tail -n +2 | cut -d, -f1); do
  case $model in matrix-model | multibody) continue ;; esac # made from files
  models=$((models + 1))
  try 0 run "$model" --scheme moreau-jean --step 1e-4 --end 1e-4 --out run.csv --plot picture.tex
  labelled
  grep '^# coordinates:' run.csv >names || fail "$last: no names of coordinates"
  "$tool" exact "$model" --end 0.001 --out exact.csv --plot picture.tex >out 2>err || continue
  last="delassus exact $model"
  exact=$((exact + 1))
  labelled
  grep '^# coordinates:' exact.csv | cmp -s - names || fail "$last: other names of coordinates: $(grep '^# coordinates:' exact.csv)"
done
between "models" $models 40 1000
between "models with an exact solution" $exact 20 1000
finish
