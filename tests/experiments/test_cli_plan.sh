# test_cli_plan.sh -- study --plan: what is predicted, and the script for sbatch, run here task by task.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
cat >two.yaml <<'Y'
title: two studies that are made in parts, and one that is not
studies:
  - name: ball-order
    title: order
    kind: order
    model: bouncing-ball
    schemes: [moreau-jean, event-driven]
    steps: {first: 0.1, last: 0.01, levels: 4}
    repeats: 3
    end: 2.4
    norms: l1
    of: q
    pictures: none
    expect:
      - {quantity: order, scheme: moreau-jean, norm: l1, of: q, between: [0.5, 1.5]}
  - name: ball-work
    title: work
    kind: work
    model: bouncing-ball
    schemes: [moreau-jean, event-driven]
    steps: {first: 0.1, last: 0.01, levels: 3}
    tolerances: {first: 1.0e-4, last: 1.0e-8, levels: 5}
    repeats: 2
    end: 2.4
    norms: l1
    of: [q, v]
    pictures: none
  - name: ball-run
    title: run
    kind: run
    model: bouncing-ball
    schemes: moreau-jean
    step: 0.1
    end: 1
    pictures: none
Y
try 0 study two.yaml --out res --plan plan.sh
in_err "studies of other kinds, which are not predicted: 1"
row() { awk -v s="$1" -v c="$2" '$1 == s { print $c }' out; }
# moreau-jean 4 x 3 and event-driven once; 3 x 2 and 5 x 2
equal "runs of ball-order" "$(row ball-order 2)" 13
equal "runs of ball-work" "$(row ball-work 2)" 16
equal "all runs" "$(row all 2)" 29
# 3 x 2.4 (1/0.1 + 1/0.0464 + 1/0.0215 + 1/0.01)
close "steps of ball-order" "$(row ball-order 3)" "$(awk 'BEGIN { print 7.2 * (10 + 21.544 + 46.416 + 100) }')" 7
[ ! -e res ] || fail "a plan made the folder of the results"
predicted=$(row all 6)
between "predicted seconds" "$(row all 4)" 1e-6 60

# the script: a task here, as Slurm would start it; then what it says behind
head -1 plan.sh | grep -qx '#!/bin/bash' || fail "the script has no first line"
grep -qx '#SBATCH --array=1-1' plan.sh || fail "the script asks for more tasks than are needed"
grep -qE '^#SBATCH --time=[0-9]{2}:[0-9]{2}:00$' plan.sh || fail "the script has no time limit"
sed -i 's/--array=1-1/--array=1-2/' plan.sh
for k in 1 2; do
  DELASSUS=$tool SLURM_ARRAY_TASK_ID=$k SLURM_ARRAY_TASK_COUNT=2 bash plan.sh >task 2>&1 || fail "task $k ended with $?: $(tail -1 task)"
done
equal "journals of ball-order" "$(cd res/ball-order && ls runs-*)" "runs-1-of-2.csv
runs-2-of-2.csv"
delassus() { "$tool" "$@"; }
sed -n 's/^# \(delassus merge .*\)/\1/p; s/^# \(delassus study .*\)/\1/p' plan.sh >behind
equal "commands behind the tasks" "$(wc -l <behind)" 3
# shellcheck disable=SC1091
source ./behind >out 2>err || fail "what the script says behind failed: $(tail -1 err)"
grep -q '13 finished runs taken over' err || fail "the parts were made again"
grep -qE '1 of 1|yes' out || fail "there is no verdict"
bytes=$(cat res/ball-{order,work}/runs.csv res/ball-order/errors.csv res/ball-work/work.csv | grep -vc '^#' >/dev/null && cat res/ball-{order,work}/runs.csv res/ball-order/errors.csv res/ball-work/work.csv | grep -v '^#' | wc -c)
between "bytes over those predicted" "$(awk -v a="$bytes" -v p="$predicted" 'BEGIN { print a / p }')" 0.5 2

# the same tables as one process makes, without the column wall_seconds
try 0 study two.yaml --out one
for table in ball-order/errors.csv ball-order/orders.csv; do
  cmp -s <(grep -v '^#' one/$table) <(grep -v '^#' res/$table) || diff <(grep -v '^#' one/$table | sed 's/,[^,]*\(,[^,]*\)$/\1/') <(grep -v '^#' res/$table | sed 's/,[^,]*\(,[^,]*\)$/\1/') >/dev/null || fail "$table is not that of one process"
done

# nothing to be planned, all, a file that cannot be written
try 0 study two.yaml --plan -
[ "$(ls ./*.sh)" = ./plan.sh ] || fail "a script was written"
refused "no study of kind order or work" -- study example-run --plan -
refused "not for all" -- study all --plan -
refused "nowhere" -- study two.yaml --plan nowhere/plan.sh
finish
