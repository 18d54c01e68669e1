# test_cli_mechanism.sh -- a mechanism from a file goes through the commands, and a study describes one; what is wrong is said with
# its line and column.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

cat >slider.yaml <<'END'
gravity: [0, -9.81]
bodies:
  - {name: crank, mass: 0.038, inertia: 7.4e-5, at: [0.0765, 0], velocity: [0, 11.475], spin: 150, points: {axle: [-0.0765, 0], pin: [0.0765, 0]}}
  - {name: rod, mass: 0.038, inertia: 5.9e-4, at: [0.306, 0], velocity: [0, 11.475], spin: -75, points: {big: [-0.153, 0], small: [0.153, 0]}}
  - {name: slider, mass: 0.076, inertia: 2.7e-6, at: [0.459, 0]}
joints:
  - {name: bearing, type: revolute, a: ground, b: crank.axle}
  - {name: crank pin, type: revolute, a: crank.pin, b: rod.big}
  - {type: revolute, a: rod.small, b: slider}
  - {type: prismatic, a: ground, b: slider, axis: [1, 0]}
END
mechanism="multibody --set mechanism=slider.yaml"
run="--scheme energy-preserving --step 1e-3 --end 0.05"

# a chain of 400 bodies, 7600 values in 58 kB, and a study of it
{
  echo "gravity: [0, -9.81]"
  echo "bodies:"
  for ((i = 0; i < 400; i++)); do
    echo "  - {name: b$i, mass: 1, inertia: 0.1, at: [$i.5, 0], points: {left: [-0.5, 0], right: [0.5, 0]}}"
  done
  echo "joints:"
  echo "  - {name: j0, type: revolute, a: ground, b: b0.left}"
  for ((i = 1; i < 400; i++)); do
    echo "  - {name: j$i, type: revolute, a: b$((i - 1)).right, b: b$i.left}"
  done
} >chain.yaml
try 0 run multibody --set mechanism=chain.yaml --scheme moreau-jean --step 1e-3 --end 2e-3 --stats
grep -q '^joint_equations=1200$' out || fail "chain of 400 bodies: $(cat out)"

# shellcheck disable=SC2086
{
  # it is the built-in slider-crank, but for the rounding of the numbers in the file
  try 0 run $mechanism $run --out file.csv
  try 0 run slider-crank $run --out built_in.csv
  for column in q2 v9; do
    try 0 distance file.csv built_in.csv --column $column --norm max
    between "distance of $column" "$(sed -n 's/^distance=//p' out)" 0 1e-9
  done
  grep -q '^# files: mechanism=slider.yaml$' file.csv || fail "no file in file.csv"
  grep -q '^# coordinates: q2: d_x of crank \[1\]$' file.csv || fail "no coordinates in file.csv"
  try 0 run $mechanism $run --animate slider.svg
  try 0 compare $mechanism $run --scheme energy-preserving:velocity_test=off --of q2 --out compared
  try 0 list models --format csv
  grep -q '^multibody,' out || fail "list does not name multibody"
  refused "missing: mechanism=FILE" -- run multibody $run
  refused "cannot read nowhere.yaml" -- run multibody --set mechanism=nowhere.yaml $run

  # tables of its joints; a weight that hangs still
  try 0 run $mechanism $run --stats
  in_out "joint_equations=11" "redundant=0" "degrees_of_freedom=1"
  between "force in the bearing" "$(sed -n 's/^joint_force_bearing=//p' out)" 400 800
  between "worst joint" "$(sed -n 's/^worst_joint=//p' out)" 0 1e-13
  cat >weight.yaml <<'END'
gravity: [0, -9.81]
bodies:
  - {name: weight, mass: 2, inertia: 0.1, at: [0, -1], points: {eye: [0, 1]}}
joints:
  - {name: pin, type: revolute, a: weight.eye, b: ground}
  - {name: pin twice, type: revolute, a: weight.eye, b: ground}
END
  try 0 run multibody --set mechanism=weight.yaml --scheme event-driven --end 1 --stats
  in_out "joint_equations=5" "redundant=2" "degrees_of_freedom=1"
  [ "$(grep -c "^redundant=" out)" = 1 ] || fail "redundant: not once"
  between "half the weight" "$(sed -n 's/^joint_force_pin=//p' out)" 9.8099999 9.8100001
  between "the other half" "$(sed -n 's/^joint_force_pin_twice=//p' out)" 9.8099999 9.8100001

  # a study describes it, and is itself such a file
  {
    printf 'title: A slider-crank\nkind: run\nschemes: energy-preserving\nstep: 1e-3\nend: 0.05\npictures: none\n'
    cat slider.yaml
    echo 'expect: [{quantity: last, of: q2, between: [-1, 1]}]'
  } >study.yaml
  try 0 study study.yaml --out results
  in_out "delassus run multibody --set=mechanism=study.yaml" "reproduces our own values 1 of 1"
  try 0 distance results/trajectory.csv file.csv --column q2
  in_out "distance=0"
  try 0 run multibody --set mechanism=study.yaml $run --out same.csv
  grep -v '^#' file.csv >file.rows
  grep -v '^#' same.csv | cmp - file.rows || fail "the study's mechanism is another one"

  # a list of studies shares it
  {
    printf 'title: Two\nschemes: energy-preserving\nend: 0.01\npictures: none\n'
    cat slider.yaml
    printf 'studies:\n  - {name: a, title: A, kind: run, step: 1e-3}\n  - {name: b, title: B, kind: compare, step: 1e-3}\n'
  } >two.yaml
  try 0 study two.yaml --out two
  [ -s two/a/trajectory.csv ] || fail "no trajectory of the shared mechanism"
}

# wrong FILE:LINE:COLUMN-MESSAGE SED-COMMAND: the file changed so says so, as a file and in a study
wrong() {
  sed -e "$2" slider.yaml >wrong.yaml
  refused "wrong.yaml:$1" -- run multibody --set mechanism=wrong.yaml --scheme energy-preserving --step 1e-3
  {
    printf 'title: T\nkind: run\nschemes: energy-preserving\nstep: 1e-3\n'
    cat wrong.yaml
  } >wrong_study.yaml
  refused "$(echo "$1" | sed 's/^[0-9]*:[0-9]*: //')" -- study wrong_study.yaml --out nothing
}
wrong "3:5: body crank: mass = -0.038 kg must be > 0" 's/crank, mass: 0.038/crank, mass: -0.038/'
wrong "5:5: key 'inertia' is missing" 's/ inertia: 2.7e-6,//'
wrong "5:54: at must be a list of 2 numbers, but these are 3" 's/0.459, 0/0.459, 0, 0/'
wrong "5:46: inertia is of no use here: a point does not turn, and has no other points" 's/name: slider, /name: slider, type: point, /'
wrong "5:52: angle is of no use here: a rod has its direction" 's/name: slider, mass: 0.076, inertia: 2.7e-6/name: slider, type: rod, mass: 1, inertia: 1, angle: 0, along: [1, 0]/'
wrong "4:12: name = 'crank' is given twice" 's/name: rod/name: crank/'
wrong "3:89: there is no key 'spinn' in an entry of bodies; did you mean 'spin'?" 's/spin: 150/spinn: 150/'
wrong "8:42: there is no body 'crnk'; did you mean 'crank'? The bodies are: crank, rod, slider" 's/a: crank.pin/a: crnk.pin/'
wrong "8:42: body crank has no point 'bin'; did you mean 'pin'? It has the points axle, pin" 's/a: crank.pin/a: crank.bin/'
wrong "10:12: unknown type of joint 'prismatc'; did you mean 'prismatic'?" 's/type: prismatic/type: prismatc/'
wrong "10:5: key 'axis' is missing" 's/, axis: .1, 0.//'
wrong "10:51: axis must be a list of 2 numbers" 's/\[1, 0\]/1/'
wrong "10:5: joint prismatic 4: prismatic needs an axis that is not 0" 's/\[1, 0\]/[0, 0]/'
wrong "1:10: gravity must be a list of 2 numbers, but these are 3" 's/-9.81/-9.81, 0/'
sed '$a contacts: [{corner: slider, plane: [0, 1, 0.1], e: 0.5}]' slider.yaml >wrong.yaml
refused "wrong.yaml:11:12: contact slider: its gap at the start is -0.1 m, must be >= 0" -- \
  run multibody --set mechanism=wrong.yaml --scheme energy-preserving --step 1e-3
printf 'title: T\nkind: run\nschemes: energy-preserving\nstep: 1e-3\njoints: []\n' >none.yaml
refused "" -- study none.yaml --out nothing
in_err "none.yaml:1:1: key 'model' is missing" "none.yaml:5:1: joints is of no use without bodies"

finish
