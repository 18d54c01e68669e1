# test_cli_distance_enclosed.sh -- distance --exact --rigorous: the enclosure is narrow and meets what distance --exact says within its bound.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
if [ ! -e "$(dirname "$tool")/delassus-rigorous.so" ]; then
  echo "skipped: this build has no ball arithmetic (FLINT with Arb)"
  exit 77
fi

# enclosed MODEL STEP END COLUMN...: both norms of each column
enclosed() {
  local model=$1 column norm distance bound
  try 0 run "$model" --scheme moreau-jean --step "$2" --end "$3" --out run.csv
  for column in "${@:4}"; do
    for norm in hausdorff l1; do
      try 0 distance run.csv --exact "$model" --column "$column" --norm "$norm"
      distance=$(value distance)
      bound=$(value bound)
      try 0 distance run.csv --exact "$model" --column "$column" --norm "$norm" --rigorous
      awk -v d="$distance" -v b="$bound" -v low="$(value distance_lo)" -v high="$(value distance_hi)" \
        'BEGIN { exit !(low != "" && 0 < low && low <= high && high - low <= 1e-5 * high + 1e-9 &&
                        d + b + 2e-12 >= low && d - b - 2e-12 <= high) }' ||
        fail "$model, $column, $norm: $distance +- $bound is not in [$(value distance_lo), $(value distance_hi)]"
    done
  done
}
enclosed bouncing-ball 0.05 2 q0 v0
enclosed impacting-oscillator 0.25 3 v0
enclosed belt 0.25 4 v0
finish
