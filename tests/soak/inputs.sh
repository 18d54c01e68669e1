# inputs.sh TOOL -- input files of the command lines of commands.txt, in the current folder, and a quick gnuplot in bin.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
set -eu
tool=$1
data=$(realpath "$(dirname "$0")/../data")
mkdir -p bin problems sim
cat >bin/gnuplot <<'GNUPLOT'
#!/bin/sh
# the picture is the script
name=${3#output=\'}
[ "$3" = "$name" ] || { echo '<svg>' && cat "$4" && echo '</svg>'; } > "${name%\'}"
GNUPLOT
chmod +x bin/gnuplot
cat >soak.yaml <<'STUDY'
title: Soak
studies:
  - name: orders
    kind: order
    model: impacting-oscillator
    schemes: [moreau-jean, event-driven]
    steps: {first: 0.02, last: 0.01, levels: 2}
    repeats: 1
    end: 1
    norms: l1
    of: q
    pictures: svg
    expect: [{quantity: order, scheme: moreau-jean, between: [0.5, 1.5]}]
  - name: motion
    kind: compare
    model: bouncing-ball
    schemes: [moreau-jean, schatzman-paoli]
    step: 0.1
    end: 1
    pictures: none
STUDY
printf '%s\n' 'dim 2' 'contacts 1' 'mu 0.3' 'q -1 0.5' 'W 3' '0 0 2' '1 1 1' '0 1 0.1' | tee problem.dat >problems/a.dat
rm -rf matrices
cp -r "$data/matrix-model" matrices
cp "$data/multibody/mechanism.yaml" mechanism.yaml
echo 'cp other.csv "$1"' >copy.sh
printf 'echo nothing to do >&2\nexit 3\n' >fail.sh
ball=(run bouncing-ball --scheme moreau-jean --end 2)
"$tool" "${ball[@]}" --step 0.05 --out ball.csv
"$tool" "${ball[@]}" --step 0.02 --out ball2.csv
for step in 0.1 0.05 0.025; do # of another program: no metadata but the step
  "$tool" "${ball[@]}" --step $step --columns q0,v0 --out sim.csv
  { echo "# step: $step" && grep -v '^#' sim.csv; } >"sim/h$step.csv"
done
cp sim/h0.05.csv other.csv
order=(order bouncing-ball --scheme moreau-jean --scheme event-driven --steps 0.1:0.05:2 --repeats 2 --end 2 --norm l1 --of q
  --plot-format none)
"$tool" "${order[@]}" --shard 1/2 --out parts >/dev/null
"$tool" "${order[@]}" --shard 2/2 --out parts >/dev/null
"$tool" "${order[@]}" --out made >/dev/null
