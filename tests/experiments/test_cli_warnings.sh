# test_cli_warnings.sh -- warnings of a run: messages, keys, metadata, files that are read, studies that count them.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

cat >meeting.yaml <<'END'
bodies:
  - {name: a, type: point, mass: 1, at: [-5, 0], velocity: [1, 0]}
  - {name: b, type: point, mass: 1, at: [5, 0], velocity: [-1, 0]}
contacts:
  - {name: c, sphere: a, radius: 0.1, sphere_b: b, radius_b: 0.1}
END
meeting=(run multibody --set mechanism=meeting.yaml --end 10)
passed="contact c: a and b passed through each other between t = 4.8 and t = 5.2"
line="# warning: passed-through, t=5.2, contact=0, value=-0.2"

try 0 "${meeting[@]}" --scheme moreau-jean --step 0.4 --stats
in_out "warnings=1" "passed_through=1" "complete=yes"
equal "messages" "$(cat err)" "delassus run: $passed"
try 0 "${meeting[@]}" --scheme moreau-jean-adaptive --stats
in_out "warnings=0" "passed_through=0" "impacts=1"
[ ! -s err ] || fail "a run without warnings wrote $(cat err)"

# files: whole, streamed, thinned; what reads them keeps and shows it
try 0 "${meeting[@]}" --scheme moreau-jean --step 0.4 --out passed.csv
equal "metadata" "$(grep -c "^$line\$" passed.csv)" 1
try 0 "${meeting[@]}" --scheme moreau-jean --step 0.4 --every 5 --out thin.csv
grep -q "^$line\$" thin.csv || fail "no warning in a record with fewer rows"
try 0 "${meeting[@]}" --scheme event-driven --out events.csv
equal "no line without a warning" "$(grep -c '^# warning' events.csv)" 0
try 0 distance passed.csv events.csv --column q0
in_err "passed.csv: warning: passed-through, t=5.2, contact=0, value=-0.2"
try 0 verify passed.csv
in_err "$passed"
sed -i '/^# warning/d' passed.csv
try 1 verify passed.csv

# a penetration, with what explains it, in the three places
deep() { # SCHEME STEP GAP REASON
  try 0 run bouncing-ball --scheme "$1" --step "$2" --end 2 --stats
  in_out "warnings=1" "complete=yes"
  in_err "delassus run: penetration at contact 0: the gap was $3" " s$4"
  equal "messages of $1" "$(wc -l <err)" 1
  try 0 run bouncing-ball --scheme "$1" --step "$2" --end 2 --out deep.csv
  equal "metadata of $1" "$(grep -c "^# warning: penetration, t=1[.][0-9]*, contact=0, value=$3" deep.csv)" 1
}
deep moreau-jean 0.05 -0.025 ", not deeper than the distance that the fastest impact covers in one step"
deep standard-penalty:kappa=1e4 0.005 -0.020 "; the contacts of this scheme are springs, which yield"

# several schemes; a study counts runs, once, and penetrations that their steps explain in the same line
try 0 compare multibody --set mechanism=meeting.yaml --scheme moreau-jean --scheme event-driven --step 0.4 --out compared
equal "messages of compare" "$(grep -v '^delassus compare: moreau-jean: contact c: a and b' err)" ""
try 0 order bouncing-ball --scheme central-difference-penalty --steps 0.06:0.05:3 --repeats 1 --plot-format none --out ordered
equal "messages of order" "$(grep -c '3 of 3 runs have warnings' err)" 1
equal "warnings in the journal" "$(grep -v '^#' ordered/runs.csv | head -1 | tr , '\n' | grep -c '^warnings$')" 1
try 0 order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:3 --end 4 --repeats 1 --plot-format none --out coarse
equal "message of order" "$(cat err)" "delassus order: 1 of 3 runs penetrate by more than 1 % of the smallest body or the length \
scale; the distance covered in one step, or springs as contacts, explain it"
equal "explained in the journal" "$(grep -v '^#' coarse/runs.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
  { w += $c["warnings"]; e += $c["explained"] } END { print w, e }')" "1 1"
try 0 order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:3 --end 4 --repeats 1 --plot-format none --out coarse --resume
equal "message of order again" "$(grep -c '1 of 3 runs penetrate' err)" 1
try 0 compare bouncing-ball --scheme moreau-jean --scheme schatzman-paoli --step 0.1 --end 4 --out coarse_too
equal "message of compare" "$(grep -c '2 of 2 runs penetrate' err) $(wc -l <err)" "1 1"
try 0 order bouncing-ball --scheme moreau-jean --steps 0.009:0.001:3 --end 4 --repeats 1 --plot-format none --out fine
[ ! -s err ] || fail "a study without warnings wrote $(cat err)"

# sweeps of every kind; errors of steps that explode have no value
penalty="bouncing-ball --scheme central-difference-penalty --sweep q0=1:1.2:3 --end 4"
steps="--steps 0.06:0.05:3 --repeats 1 --plot-format none --out swept"
sweeps() { # CODE COUNT COMMAND ARGUMENTS: so many runs, all with warnings
  # shellcheck disable=SC2086 # words
  try "$1" "$3" $penalty $4
  equal "messages of $last" "$(grep -c "$2 of $2 runs have warnings" err)" 1
  rm -rf swept
}
sweeps 0 3 compare "--step 0.06 --of q0 --out swept"
sweeps 0 3 run "--step 0.06 --jobs 2"
sweeps 0 3 energy "--step 0.06 --plot-format none --out swept"
sweeps 1 9 order "$steps"
sweeps 1 9 work "$steps"
for command in "compare --of q0 --out swept" run; do
  # shellcheck disable=SC2086 # words
  try 0 $command bouncing-ball --scheme moreau-jean --sweep q0=1:1.2:3 --step 0.01 --end 4
  [ ! -s err ] || fail "$last without warnings wrote $(cat err)"
done

# energy without a source, a face that ends
try 0 run bouncing-ball --scheme central-difference-penalty --step 0.05 --stats
in_out "warnings=2"
in_err "the energy grew by " "the gap was -0.102 m at t = 1.05 s; the contacts of this scheme are springs, which yield"
try 0 run impacting-oscillator --set amplitude=2 --set omega=3 --scheme newmark-velocity-contact --step 0.01 --end 10 --stats
in_out "warnings=1"
in_err "the energy grew by "
try 0 energy kane --scheme event-driven --end 0.01 --plot-format none --out energies
in_err "event-driven: warning: energy-gain, t=0, contact=none, value=0.0136"
equal "warnings of a ledger" "$(grep -c '^# warning: energy-gain' energies/energy_event-driven.csv)" 1
cat >ledge.yaml <<'END'
gravity: [0, -9.81]
bodies:
  - {name: table, mass: 1e6, inertia: 1e6, at: [0, 0.5], points: {top: [0, 0.5], bl: [-0.5, -0.5], br: [0.5, -0.5]}}
  - {name: ball, mass: 1, inertia: 0.004, at: [0, 1.1], velocity: [1, 0]}
contacts:
  - {name: a, corner: table.bl, plane: [0, 1, 0], mu: 0.5}
  - {name: b, corner: table.br, plane: [0, 1, 0], mu: 0.5}
  - {name: c, sphere: ball, radius: 0.1, face: table.top, normal: [0, 1]}
END
for scheme in "event-driven" "moreau-jean --step 0.01"; do
  # shellcheck disable=SC2086 # words
  try 0 run multibody --set mechanism=ledge.yaml --scheme $scheme --end 1 --stats
  in_out "warnings=1"
  in_err "contact 2 (c) acts " "outside its face at t = "
done

finish
