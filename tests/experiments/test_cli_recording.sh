# test_cli_recording.sh -- what is recorded of a run: --every, --at, --max-rows, the forecast, and nothing that is not
# finite.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

rows() { grep -v '^#' "$1" | tail -n +2; }
column() { rows "$1" | cut -d, -f"$2"; }
total() { column "$1" "$2" | awk '{ s += $1 } END { printf "%.12g\n", s }'; }

# one of every N nodes: rows of the whole record but for the impulses, which are summed; jumps with both their rows
try 0 run bead-column --set N=2 --scheme moreau-jean --step 0.01 --end 3.55 --out all.csv
try 0 run bead-column --set N=2 --scheme moreau-jean --step 0.01 --end 3.55 --every 50 --out few.csv
rows all.csv | cut -d, -f1-9,12- | sort >all.rows
rows few.csv | cut -d, -f1-9,12- | sort >few.rows
equal "rows that are not in the whole record" "$(comm -13 all.rows few.rows | wc -l)" 0
between "rows of one in 50" "$(rows few.csv | wc -l)" 9 26 # 8 nodes, 8 jumps, the last
close "sum of the impulses" "$(total few.csv 10)" "$(total all.csv 10)" 1e-9
between "jumps" "$(column few.csv 1 | uniq -d | wc -l)" 1 8
equal "last row" "$(rows few.csv | tail -1 | cut -d, -f1-9)" "$(rows all.csv | tail -1 | cut -d, -f1-9)"
equal "what is said" "$(grep '^# recorded' few.csv)" "# recorded: one of every 50 nodes, the largest jump between, first and last"
equal "events, of which few are there" "$(grep -c '^# event' few.csv)" "$(grep -c '^# event' all.csv)"
try 0 run bead-column --set N=2 --scheme moreau-jean --step 0.01 --end 3.55 --every 1 --out one.csv
cmp -s <(grep -v "^# command:" all.csv) <(grep -v "^# command:" one.csv) || fail "--every 1 is not the whole record"

# at given times, by the meaning of the columns: on the ball the cubic is exact; without --end the last time is it
try 0 run bouncing-ball --scheme event-driven --at 0.5,1.5,2.9 --out at.csv
try 0 exact bouncing-ball --at 0.5,1.5,2.9 --out exact.csv
equal "times" "$(column at.csv 1 | tr '\n' ' ')" "$(column exact.csv 1 | tr '\n' ' ')"
for k in 1 3; do
  close "q in row $k" "$(column at.csv 2 | sed -n ${k}p)" "$(column exact.csv 2 | sed -n ${k}p)" 1e-9
  close "v in row $k" "$(column at.csv 3 | sed -n ${k}p)" "$(column exact.csv 3 | sed -n ${k}p)" 1e-9
done
equal "end" "$(grep -c '^# end: 2.8999' at.csv)" 1
# a time that is a node up to rounding is that node, a jump has two rows; a step is rounded up to
try 0 run bouncing-ball --scheme moreau-jean --step 0.1 --at 0.25,1.1 --out at.csv
equal "rows at a time between nodes and at a jump" "$(column at.csv 1 | tr '\n' ' ')" "0.25 1.1 1.1 "
try 0 run bouncing-ball --scheme moreau-jean --step 0.1 --at 0.25 --out at.csv
equal "end of the run" "$(grep -c '^# end: 0.3000' at.csv)" 1
try 0 compare two-ball-oscillator --scheme moreau-jean --scheme event-driven --step 0.01 --at 0.5,1 --out both
equal "rows of both runs" "$(rows both/run_moreau-jean.csv | wc -l) $(rows both/run_event-driven.csv | wc -l)" "2 2"

# a limit: what was computed is there and marked
try 1 run bouncing-ball --scheme moreau-jean --step 1e-4 --end 4 --max-rows 1000 --out limit.csv
in_err "the record has 1000 rows, at most max_rows = 1000 are allowed"
equal "rows" "$(rows limit.csv | wc -l)" 1000
equal "mark" "$(grep -c '^# complete: no$' limit.csv)" 1
grep -q '^# failure: .*max_rows = 1000' limit.csv || fail "the reason is not in the file"
try 1 run bouncing-ball --scheme moreau-jean --step 1e-4 --end 4 --max-rows 1e4 --out limit.csv
try 0 run bouncing-ball --scheme moreau-jean --step 1e-4 --end 4 --max-rows 1e4 --every 100 --out limit.csv
between "rows though the ball rattles on the floor" "$(rows limit.csv | wc -l)" 402 1300
# events that are written are limited as rows are; --stats alone writes none
try 1 run bouncing-ball --set e=0.9 --scheme event-driven --end 9 --at 2,5 --max-rows 2 --out limit.csv
in_err "the record has 3 events, at most max_rows = 2 are allowed"
try 0 run bouncing-ball --scheme moreau-jean --step 1e-4 --end 4 --max-rows 100 --stats

# of the events between two nodes, or times, the first, the last and the largest; the figures are those of all
figures() { grep -E '^(events|impacts|spurious_impacts|restitution_|n_solutions|stick|slip)' "$1"; }
for model in "bouncing-ball --set e=0.9" "impacting-oscillator" "two-ball-oscillator" "forced-block"; do
  for scheme in "moreau-jean --step 1e-3" "event-driven"; do
    # shellcheck disable=SC2086
    {
      try 0 run $model --scheme $scheme --end 9 --out all.csv --stats
      figures out >all.figures
      try 0 run $model --scheme $scheme --end 9 --every 70 --out few.csv --stats
      figures out >few.figures
      try 0 run $model --scheme $scheme --end 9 --stats
      figures out >no.figures
    }
    cmp -s all.figures few.figures || fail "$last: other figures: $(diff all.figures few.figures)"
    cmp -s all.figures no.figures || fail "$last: other figures without a file: $(diff all.figures no.figures)"
    grep '^# event' all.csv >all.events
    grep '^# event' few.csv >few.events
    equal "events that are not in the whole record" "$(comm -13 <(sort all.events) <(sort few.events) | wc -l)" 0
    omitted=$(($(wc -l <all.events) - $(wc -l <few.events)))
    stated=$(grep '^# recorded' few.csv | sed -n 's/.*largest impulse: \([0-9]*\) of .*/\1/p')
    equal "events left out" "${stated:-0}" "$omitted"
    try 0 verify few.csv
  done
done
try 0 run bouncing-ball --scheme moreau-jean --step 1e-4 --end 4 --every 100 --out few.csv
between "events of 400 groups of a ball at rest" "$(grep -c '^# event' few.csv)" 200 320
try 0 run bouncing-ball --scheme moreau-jean --step 1e-4 --end 4 --at 1,2,3.5,3.6 --out few.csv
between "events of five groups" "$(grep -c '^# event' few.csv)" 7 11
# memory: that of the tool, whatever the steps; sanitizers need more to begin with
if prlimit --data=15000000 "$tool" list laws >/dev/null 2>&1; then
  for what in "--every 10000 --out few.csv" "--at 1,3.5 --out few.csv"; do
    # shellcheck disable=SC2086
    prlimit --data=15000000 "$tool" run bouncing-ball --scheme moreau-jean --step 1e-5 --end 6 $what >out 2>err ||
      fail "a run with $what needs more than 15 MB: $(cat err)"
  done
fi

try 1 energy bouncing-ball --scheme moreau-jean --step 1e-3 --end 4 --max-rows 100 --out ledger --plot-format none
in_err "the ledger has 100 rows, at most max_rows = 100 are allowed"
equal "rows" "$(rows ledger/energy_moreau-jean.csv | wc -l)" 100
equal "mark" "$(grep -c '^# complete: no$' ledger/energy_moreau-jean.csv)" 1

# long runs are forecast, short ones are not
try 1 run bouncing-ball --scheme moreau-jean --step 1e-6 --end 1000 --max-rows 2e3 --out long.csv
in_err "forecast: about 1e+09 rows of 8 columns, 160 GB as CSV" \
  "the run ends at --max-rows = 2000 of them" "--every N"
try 0 run bouncing-ball --scheme moreau-jean --step 1e-5 --end 1 --every 10 --out long.csv
[ ! -s err ] || fail "$last wrote to standard error: $(cat err)"

# an enormous force: nodes inside a step are as many as rounding can tell apart (it was 2.5 million rows)
try 1 run bouncing-ball --scheme event-driven --end 4 --set f=1e308 --out huge.csv
between "rows of 358 steps" "$(rows huge.csv | wc -l)" 300 1000
# steps that the stability of a stiff system dictates are forecast, and thinned out
try 0 run random-linear --scheme event-driven --end 0.12 --set e=0.74 --set damping=2e5 --every 1000 --out stiff.csv
between "rows" "$(rows stiff.csv | wc -l)" 20 300

# no row that is not finite, of any scheme
for scheme in moreau-jean schatzman-paoli newmark-contact hht-position-contact naive-rk4 spring-damper splitting-rkf45; do
  "$tool" show "$scheme" >out 2>err || continue
  "$tool" run bouncing-ball --scheme "$scheme" --set f=1e308 --step 0.3 --end 9 --out wild.csv >out 2>err
  last="run --scheme $scheme --set f=1e308"
  equal "rows of $last that are not finite" "$(rows wild.csv | grep -ciE 'nan|inf')" 0
  grep -q '^# complete: yes' wild.csv || in_err "finite"
done

# energies overflow where velocities do not
try 1 compare bouncing-ball --scheme moreau-jean --set f=1e154 --step 0.3 --end 9 --out wide
in_err "moreau-jean: energy = inf is not finite at t = "
equal "rows that are not finite" "$(rows wide/run_moreau-jean.csv | grep -ciE 'nan|inf')" 0
equal "mark" "$(grep -c '^# complete: no$' wide/run_moreau-jean.csv)" 1
for scheme in moreau-jean rk-moreau; do # with an identity, and without
  try 1 energy bouncing-ball --scheme $scheme --set f=1e154 --step 0.3 --end 9 --out books --plot-format none
  in_err "$scheme at t = " "the energy balance is not finite"
  grep -v 'stopped early' out | grep -qiE '(nan|inf) ' && fail "$last printed what is not finite"
  equal "rows of $last that are not finite" "$(rows books/energy_$scheme.csv | grep -ciE 'nan|inf')" 0
  between "rows of $last" "$(rows books/energy_$scheme.csv | wc -l)" 1 31
done

ball="run bouncing-ball --scheme moreau-jean --step 0.1"
# shellcheck disable=SC2086
{
  refused "--every = 0 " "integer in [1" -- $ball --every 0 --out x.csv
  refused "--every = 2.5 " -- $ball --every 2.5 --out x.csv
  refused "--max-rows = 0 " -- $ball --max-rows 0 --out x.csv
  refused "--max-rows = 0 " -- energy bouncing-ball --scheme moreau-jean --step 0.1 --max-rows 0 --out x
  refused "--at, time 2 = 1 is not after the one before it, 2" -- $ball --at 2,1 --out x.csv
  refused "--at, time 1 = 'x'" -- $ball --at x --out x.csv
  refused "--at, time 1 = -1 is outside" -- $ball --at -1 --out x.csv
  refused "--at, time 1 = 5 is after the last node, at 4 s" -- $ball --at 5 --end 4 --out x.csv
  refused "--at, time 1 = 3.95 is after the last node, at 3.9 s" -- $ball --at 3.95 --end 3.97 --out x.csv
  refused "--at = 0 leaves nothing to simulate" -- run bouncing-ball --scheme event-driven --at 0 --out x.csv
  refused "--every = 2 and --at = 1 do not go together" -- $ball --every 2 --at 1 --out x.csv
}
finish
