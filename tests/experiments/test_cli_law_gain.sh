# test_cli_law_gain.sh -- run and compare say once for each scheme that the law of contact creates energy: contact, time, amount.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

gains() { grep -c 'creates energy' err || true; }

try 0 run kane --scheme moreau-jean --step 0.01 --end 0.05 --out newton.csv
equal "warnings" "$(gains)" 1
in_err "moreau-jean: law newton-coulomb creates energy (steps: 1), most in the step to t = 0.01 s: 0.013619 J; contact 0: normal -0.019056 J, friction 0.032675 J"
try 0 compare kane --scheme moreau-jean --scheme nonsmooth-newmark --step 0.01 --end 0.05 --plot both.svg
equal "warnings" "$(gains)" 2

# laws that dissipate; rounding, of small energies too
try 0 run kane --law fremond --scheme moreau-jean --step 0.01 --end 0.05 --out fremond.csv
equal "warnings" "$(gains)" 0
try 0 run kane --set e=0 --scheme moreau-jean --step 0.01 --end 0.05 --out plastic.csv
equal "warnings" "$(gains)" 0
for model in woodpecker belt sphere rocking-block; do
  try 0 run "$model" --scheme moreau-jean --step 0.001 --end 0.3 --out "$model.csv"
  equal "warnings of $model" "$(gains)" 0
done
finish
