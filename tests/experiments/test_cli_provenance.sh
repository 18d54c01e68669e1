# test_cli_provenance.sh -- every trajectory and every table says what it was made with; the same build makes the same bytes.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# said FILE LEAD: the version and the three items, once each
said() {
  local key
  for key in delassus commit compiler libraries; do
    [ "$2" = "" ] && [ $key = delassus ] && continue
    equal "lines '$2$key:' of $1" "$(grep -c "^$2$key: " "$1")" 1
  done
  grep -Eq "^$2compiler: (gcc|.*[Cc]lang) ?[0-9]*" "$1" || fail "$1 does not say the compiler"
  grep -Eq "^$2libraries: SUNDIALS [67]\.[0-9.]+, GSL 2\.[0-9.]+, CHOLMOD [0-9.]+, KLU [0-9.]+, UMFPACK [0-9.]+, libyaml [0-9.]+$" "$1" ||
    fail "$1 does not say the libraries"
  equal "what of $1 changes from run to run or from machine to machine" "$(grep -cE "^# (date|cpu|host)" "$1")" 0
}

oscillator="impacting-oscillator --end 2"
make_all() {
  mkdir "$1"
  # shellcheck disable=SC2086
  {
    try 0 run $oscillator --scheme moreau-jean --step 0.01 --out "$1/run.csv"
    try 0 run $oscillator --scheme event-driven --out "$1/event.csv"
    try 0 exact $oscillator --out "$1/exact.csv"
    try 0 compare $oscillator --scheme moreau-jean --step 0.01 --out "$1/compare"
    try 0 energy $oscillator --scheme moreau-jean --step 0.01 --out "$1/energy" --plot-format none
    try 0 order $oscillator --scheme moreau-jean --steps 0.02:0.005:3 --repeats 2 --out "$1/order" --plot-format none
    try 0 work $oscillator --scheme moreau-jean --steps 0.02:0.005:3 --repeats 2 --out "$1/work" --plot-format none
    try 0 study example-run --out "$1/study"
  }
}
make_all one
make_all two
for file in run.csv event.csv exact.csv compare/run_moreau-jean.csv energy/energy_moreau-jean.csv order/orders.csv \
  order/quality.csv work/slopes.csv study/verdict.csv; do
  said "one/$file" "# "
  cmp -s "one/$file" "two/$file" || fail "$file: the same build does not repeat its bytes"
done
for file in order/errors.csv work/work.csv; do # seconds differ
  said "one/$file" "# "
done
for file in order/study.txt work/study.txt; do
  said "one/$file" ""
done
# tables begin with their header, as ever; trajectories have all metadata in front of it
for table in order/errors order/orders order/quality work/work work/slopes study/verdict; do
  head -1 "one/$table.csv" | grep -Eq '^(model|study),' || fail "$table.csv does not begin with its header"
done
equal "metadata behind the header of run.csv" "$(sed '1,/^t,/d' one/run.csv | grep -c '^#')" 0
equal "commits of a trajectory and a table" "$(grep '^# commit' one/run.csv)" "$(grep '^# commit' one/order/orders.csv)"
finish
