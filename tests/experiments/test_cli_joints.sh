# test_cli_joints.sh -- start data that violate the joints: --start-tolerance, --project-start and their keys.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# the centre moves along the bar, which its pivot does not allow
cat >bar.yaml <<'END'
gravity: [0, -9.81]
bodies:
  - {name: bar, mass: 1, inertia: 0.1, at: [0.5, 0], velocity: [0.01, 0], points: {end: [-0.5, 0]}}
joints:
  - {name: pivot, type: revolute, a: ground, b: bar.end}
END
bar=(run multibody --set mechanism=bar.yaml --scheme event-driven --end 0.1)

try 2 "${bar[@]}" --stats
grep -q 'velocities violate the joints: .*pivot.* by 0.00894; .* allowed: start_tolerance = .*project_start' err || fail "refusal: $(cat err)"
try 0 "${bar[@]}" --stats --start-tolerance 0.1
try 0 "${bar[@]}" --project-start --out bar.csv
equal "velocity at the start" "$(grep -v '^#' bar.csv | sed -n 2p | cut -d, -f6 | awk '{ print ($1 < 1e-15 && $1 > -1e-15) }')" 1
grep -q '^# redundant: 0' bar.csv || fail "no redundant rows in the metadata"
try 2 "${bar[@]}" --start-tolerance 0
grep -q -- '--start-tolerance = 0 must be > 0' err || fail "$(cat err)"

# every command: refused as they are, done with the start moved onto the joints
bar=(multibody --set mechanism=bar.yaml --scheme event-driven --scheme moreau-jean --end 0.1)
for command in "compare --step 0.05 --of v0 --out compared" \
  "order --steps 0.05:0.025:2 --repeats 1 --of v0 --norm l1 --plot-format none --out ordered" \
  "work --steps 0.05:0.025:2 --repeats 1 --of v0 --norm l1 --plot-format none --out worked" \
  "energy --step 0.05 --plot-format none --out energies"; do
  read -ra words <<<"$command"
  # shellcheck disable=SC2206 # words of a command
  given=("${words[0]}" "${bar[@]}" ${words[@]:1})
  try 2 "${given[@]}"
  in_err "allowed: start_tolerance = "
  try 0 "${given[@]}" --project-start
done
between "velocity at the start of an energy" "$(sed -n 's/^0,\([^,]*\),.*/\1/p' energies/energy_event-driven.csv)" 0 1e-30
equal "an input of the runs" "$(grep -c '^# project_start: yes' ordered/runs.csv)" 1
try 2 order "${bar[@]}" --steps 0.05:0.025:2 --repeats 1 --of v0 --norm l1 --plot-format none --out ordered \
  --start-tolerance 0.1 --resume

{ cat bar.yaml; printf 'kind: run\ntitle: a bar\nschemes: [event-driven]\nend: 0.1\npictures: none\n'; } >study.yaml
try 2 study study.yaml --out refused
{ cat study.yaml; echo 'project_start: yes'; } >projected.yaml
try 0 study projected.yaml --out projected
{ cat study.yaml; printf 'project_start: maybe\nstart_tolerance: -1\n'; } >wrong.yaml
try 2 study wrong.yaml --out wrong
grep -q "project_start = 'maybe' must be yes or no" err || fail "$(cat err)"
grep -q "start_tolerance = -1 must be > 0" err || fail "$(cat err)"

finish
