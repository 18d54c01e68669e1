# test_cli_check_model.sh -- delassus check-model: every built-in model agrees with difference quotients; refusals. Wrong models are in
# tests/install/test_plugin.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

try 0 check-model bouncing-pendulum
in_out "bouncing-pendulum: callbacks against difference quotients" "stiffness" "-dF/dq" "curvature" "yes: not given, 0"
equal "callbacks" "$(grep -cE '^  (stiffness|damping|gradient|gap_rate|curvature) ' out)" 5
equal "those that agree" "$(grep -cE ' yes(: not given, 0)?$' out)" 5
try 0 check-model bouncing-ball # a constant load
in_out "load_rate" "yes: not given, 0"
in_out "bouncing-ball: by_parameter against differences of systems" "dM/dp" "dF/dp"
equal "derivatives by m and f" "$(grep -cE '^  [mf] +d[MF]/dp .* yes$' out)" 2

# the same seed, the same differences
try 0 check-model heavy-top --states 2 --seed 7
cp out first
try 0 check-model heavy-top --states 2 --seed 7
cmp -s out first || fail "two checks with one seed differ"
try 0 check-model heavy-top --states 2 --seed 8
! cmp -s out first || fail "two seeds give the same states"

for model in $("$tool" list models | awk '/^  [a-z]/ { print $1 }'); do
  files=()
  for file in "$2/tests/data/$model"/*; do
    [ ! -e "$file" ] || files+=(--set "$(basename "${file%.*}")=$file")
  done
  try 0 check-model "$model" --states 3 "${files[@]}"
done

refused "unknown model 'bouncing-bal'" "did you mean 'bouncing-ball'" -- check-model bouncing-bal
refused "states = 0" -- check-model bouncing-ball --states 0
refused "seed" -- check-model bouncing-ball --seed -1
refused "cannot" "none.so" -- check-model ./none.so
refused "e = 2 is outside [0, 1]" -- check-model bouncing-ball --set e=2
finish
