# test_cli_sweep.sh -- run, order, work and energy over one parameter or two: every point is the single run, study or ledger to the last
# bit; parts, kills, limits of time; what is refused.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2086
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# field FILE CONDITION COLUMN: of the row of a table for which an awk condition on its fields holds
field() { awk -F, "!/^#/ && ($2) { print \$$3 }" "$1"; }
rows() { grep -v '^#' "$1" | tail -n +2 | wc -l; }

# --- run: side by side, and recorded ---
ball="run bouncing-ball --scheme moreau-jean --step 0.01 --end 4"
try 0 $ball --sweep e=0:1:11 --sweep q0=0.5,1,2 --out two
equal "header" "$(header two/sweep.csv)" "e,q0,scheme,last_q0,last_v0,impacts,penetration,steps,failure"
equal "rows over two parameters" "$(rows two/sweep.csv)" 33
equal "points in the journal" "$(rows two/runs.csv)" 33
in_out "bouncing-ball, 33 of 33 points" "last_q0" "moreau-jean"
for e in 0 0.3 0.8 1; do
  try 0 $ball --set e=$e --set q0=2 --out single.csv
  equal "q0 at the end, e = $e" "$(field two/sweep.csv "\$1 == $e && \$2 == 2" 4)" "$(grep -v '^#' single.csv | tail -1 | cut -d, -f2)"
  equal "v0 at the end, e = $e" "$(field two/sweep.csv "\$1 == $e && \$2 == 2" 5)" "$(grep -v '^#' single.csv | tail -1 | cut -d, -f3)"
  try 0 $ball --set e=$e --set q0=2 --stats
  equal "impacts, e = $e" "$(field two/sweep.csv "\$1 == $e && \$2 == 2" 6)" "$(value impacts)"
done
for picture in last_q0 last_v0 impacts penetration; do
  [ -s two/sweep_$picture.png ] && [ -s two/sweep_$picture.gp ] || fail "there is no picture of $picture"
done
[ ! -e two/sweep_steps.png ] || fail "a number that is the same everywhere is drawn"
grep -q "set cblabel 'impacts'" two/sweep_impacts.gp || fail "the colours of a map have no label"
grep -q "set xlabel 'restitution coefficient e \[1\]'" two/sweep_impacts.gp || fail "a map has no label with its unit"
try 0 run bouncing-ball --scheme event-driven --sweep e=0.3:0.9:3 --end 2.5 --of largest:v0,mean:q0,q0,impacts --from 1.2
equal "header on standard output" "$(header out)" "e,scheme,largest_v0,mean_q0,last_q0,impacts,failure"
close "largest velocity from t = 1.2 on" "$(field out '$1 == 0.9' 3)" 1.4 1e-9 # 1.8 behind the impact at t = 1, less 2 (t - 1)
close "height at the end" "$(field out '$1 == 0.9' 5)" 0.45 1e-9               # 1.8 x 1.5 - 1.5^2
try 0 $ball --sweep e=1e-3:1:4:log --of q0 --plot curve.svg
grep -q 'restitution coefficient e' curve.svg || fail "the curve has no label"

# what fails is a row with its reason, and is kept by the journal
many="run bouncing-ball --scheme event-driven:max_events=5 --sweep e=0.3:0.9:7 --end 4 --of q0,impacts --plot-format none"
try 0 $many --out failing
in_err "rows of the sweep have no value; the first is event-driven:max_events=5 at e = 0.3" "max_events"
equal "failed rows" "$(grep -c 'max_events = 5' failing/sweep.csv)" "$(grep -c '^[0-9.]*,[^,]*max_events=5,nan,nan,' failing/sweep.csv)"
between "failed rows" "$(grep -c 'max_events = 5' failing/sweep.csv)" 1 6
cp failing/sweep.csv before.csv
try 0 $many --out failing --resume
in_err "7 finished runs taken over from 'failing/runs.csv'"
cmp -s failing/sweep.csv before.csv || fail "going on changes a table with failed rows"
try 1 run bouncing-ball --scheme event-driven:max_events=1 --sweep e=0.3,0.5 --end 4 --out all-fail --plot-format none

# --- order, work, energy: as without a sweep ---
order="order bouncing-ball --scheme moreau-jean --scheme schatzman-paoli --steps 0.1:0.01:4 --repeats 3 --end 2 --norm l1 --of q,v"
try 0 $order --sweep e=0.3:0.9:3 --out orders
equal "rows of orders" "$(rows orders/sweep.csv)" 12
[ -s orders/sweep_l1_q_order.png ] || fail "there is no picture of the order"
try 0 $order --set e=0.6 --out single --plot-format none
for scheme in moreau-jean schatzman-paoli; do
  for of in q v; do
    equal "order of $scheme, $of" "$(field orders/sweep.csv "\$1 > 0.59 && \$1 < 0.61 && \$2 == \"$scheme\" && \$4 == \"$of\"" 5 | awk '{ printf "%.14g", $1 }')" \
      "$(field single/orders.csv "\$2 == \"$scheme\" && \$4 == \"$of\"" 5 | awk '{ printf "%.14g", $1 }')"
  done
done
cost="work bouncing-ball --scheme moreau-jean --steps 0.1:0.01:4 --repeats 3 --end 2 --norm l1 --of q"
try 0 $cost --sweep e=0.3:0.9:3 --out works
try 0 $cost --set e=0.6 --out single-work --plot-format none
equal "header of works" "$(header works/sweep.csv)" "e,scheme,norm,of,slope,ci_low,ci_high,error,work,failed_runs,failure"
slope=$(header single-work/slopes.csv | tr ',' '\n' | grep -n '^slope$' | cut -d: -f1)
close "slope" "$(field works/sweep.csv '$1 > 0.59 && $1 < 0.61' 5)" "$(field single-work/slopes.csv 'NR == 2' "$slope")" 1e-13
energy="energy impacting-oscillator --scheme moreau-jean --scheme nonsmooth-newmark --step 0.01 --end 3"
try 0 $energy --sweep e=0:1:5 --out ledgers
between "residuals" "$(grep -v '^#' ledgers/sweep.csv | tail -n +2 | awk -F, '{ if ($9 > most) most = $9 } END { print most }')" 0 1e-13
close "energy that is left, e = 1" "$(field ledgers/sweep.csv '$1 == 1 && $2 == "moreau-jean"' 4)" 0.5 1e-9
close "energy that is left, e = 1/2" "$(field ledgers/sweep.csv '$1 == 0.5 && $2 == "moreau-jean"' 4)" 0.125 1e-5 # an impact at pi/2
try 0 verify two orders works ledgers

# --- parts, to the last bit; in any order, by MPI's and Slurm's words ---
for kind in run order energy; do
  case $kind in
    run) command="$ball --sweep e=0:1:41 --sweep q0=0.5,1,2 --plot-format svg" ;;
    order) command="$order --sweep e=0.3:0.9:4 --plot-format svg" ;;
    *) command="$energy --sweep e=0:1:5 --plot-format svg" ;;
  esac
  try 0 $command --out $kind-whole
  cp out $kind-whole.out
  for n in 1 2 3 7 64; do
    [ $kind = run ] || [ $n -eq 2 ] || [ $n -eq 7 ] || continue # as run does
    rm -rf $kind-parts
    for ((k = n; k >= 1; k--)); do try 0 $command --out $kind-parts --shard $k/$n; done
    try 0 merge $kind-parts
    cmp -s out $kind-whole.out || fail "what is printed of $n parts of $kind differs"
    for file in "$kind-whole"/*.csv "$kind-whole"/*.svg; do
      cmp -s <(grep -v '^# cpu' "$file") <(grep -v '^# cpu' "$kind-parts/${file##*/}") || fail "$n parts give another ${file##*/}"
    done
  done
  try 0 $command --jobs 3 --out $kind-jobs
  cmp -s $kind-whole/sweep.csv $kind-jobs/sweep.csv || fail "$kind: three at a time give another table"
done
SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 try 0 $ball --sweep e=0:1:7 --out auto --shard auto
in_out "part 2 of 3: 2 points are finished, which are all of it"
try 1 merge auto
in_err "missing: e = 0" "runs are missing in 'auto'"
for ranks in 1 2 4; do
  if command -v mpirun >/dev/null; then
    root=
    [ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
    mpirun $root --oversubscribe -n $ranks "$tool" $ball --sweep e=0:1:41 --sweep q0=0.5,1,2 --plot-format none --out "mpi-$ranks" --shard auto \
      >out 2>err </dev/null || fail "mpirun -n $ranks: $(head -3 err)"
    try 0 merge "mpi-$ranks"
    cmp -s "mpi-$ranks/sweep.csv" run-whole/sweep.csv || fail "the table of mpirun -n $ranks differs from that of one process"
  else
    echo "left out: mpirun -n $ranks, since there is no mpirun"
  fi
done
# a journal of another sweep
try 0 $ball --sweep e=0:1:8 --out auto --shard 1/3
try 2 merge auto
in_err "has runs of another study" "sweep: e=0:1:7" "sweep: e=0:1:8"

# --- killed by -9, stopped by the time limit ---
long="run bouncing-ball --scheme event-driven --end 4 --of largest:q0,impacts --sweep e=0.3:0.95:4000 --plot-format none"
start=$(date +%s.%N)
try 0 $long --out long-whole
limit=$(LC_ALL=C awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { print (b - a) / 3 }')
for ((trial = 1; trial <= 2; trial++)); do
  "$tool" $long --out long --shard 1/2 >out 2>err </dev/null &
  process=$!
  for ((i = 0; i < 3000; i++)); do
    [ -e long/runs-1-of-2.csv ] && [ "$(rows long/runs-1-of-2.csv)" -ge $((300 * trial)) ] && break
    sleep 0.01
  done
  kill -STOP $process
  [ $trial -gt 1 ] || refused "'long/runs-1-of-2.csv' is being written by another study" -- $long --out long --shard 1/2
  kill -9 $process
  wait $process 2>/dev/null
done
printf '17,0.5' >>long/runs-1-of-2.csv # a line that was being written
for k in 1 2; do try 0 $long --out long --shard $k/2; done
try 0 merge long
cmp -s long/sweep.csv long-whole/sweep.csv || fail "a sweep whose part was killed gives another table"
code=75
for ((starts = 0; starts < 60 && code == 75; starts++)); do
  code=0
  "$tool" $long --out limited --time-limit "$limit" >out 2>err </dev/null || code=$?
done
equal "exit status at last of $starts starts" $code 0
between "starts" $starts 2 59
cmp -s limited/sweep.csv long-whole/sweep.csv || fail "a sweep that was stopped by --time-limit has another table"
try 1 $long --out never --time-limit 1e-9
in_err "no point was finished within --time-limit"
try 0 $ball --sweep e=0:1:3 --report page.html
grep -q 'sweep' page.html || fail "the page says nothing of the sweep"

# --- study files ---
cat >sweeps.yaml <<'Y'
title: over parameters
model: bouncing-ball
pictures: none
studies:
  - name: runs
    kind: run
    title: runs
    schemes: moreau-jean
    step: 0.01
    end: 4
    sweep: [e=0:1:11, "q0=0.5,1,2"]
    of: [q0, v0, impacts]
    expect:
      - {quantity: impacts, at: 1, curve: 2, between: [1, 1]}
      - {quantity: last, of: q0, between: [-0.1, 1.9]}
      - {quantity: last, of: q0, at: 1, below: 0.5}
  - name: orders
    kind: order
    title: orders
    schemes: moreau-jean
    steps: {first: 0.1, last: 0.01, levels: 4}
    end: 2
    sweep: e=0.3:0.9:3
    norms: l1
    of: q
    expect:
      - {quantity: order, between: [0.7, 1.4]}
Y
try 0 study --check sweeps.yaml
in_out "--sweep=e=0:1:11" "--sweep=q0=0.5,1,2"
try 0 study sweeps.yaml --out studied
in_out "impacts at e = 1, q0 = 2" "no   0.9996" "reproduces our own values 3 of 4" # of q0 at e = 1 the value that is farthest off
cmp -s <(cut -d, -f1-6 studied/runs/sweep.csv | grep -v '^#' | tail -n +2) <(cut -d, -f1-6 two/sweep.csv | grep -v '^#' | tail -n +2) ||
  fail "a study file gives another sweep than the command line"
try 0 study sweeps.yaml --plan -
equal "predicted runs" "$(awk '$1 == "runs" { print $2 }' out)" 33
equal "predicted runs of orders" "$(awk '$1 == "orders" { print $2 }' out)" 96 # 3 x 4 levels x 8 repeats
try 0 verify studied

# --- what is refused ---
refused "sweep = 'e=0:1'" "P=A:B:N" -- $ball --sweep e=0:1
refused "sweep: model bouncing-ball has no real parameter 'x'" -- $ball --sweep x=0:1:3
refused "q0 = -1" "outside" -- $ball --sweep q0=-1:1:3
refused "sweep: e is given twice" -- $ball --sweep e=0:1:3 --sweep e=0:1:4
refused "at most two parameters at once" -- $ball --sweep e=0:1:3 --sweep q0=1,2 --sweep m=1,2
refused "allowed are at most 1e+08" -- $ball --sweep e=0:1:100000 --sweep q0=1:2:100000
refused "P=A:B:N:log has A and B > 0" -- $ball --sweep e=0:1:3:log
refused "of = 'largest:w0'" -- $ball --sweep e=0:1:3 --of largest:w0
refused "'q0' is given twice" -- $ball --sweep e=0:1:3 --of last:q0,q0
refused "from = 5 s is outside [0, end = 4 s)" -- $ball --sweep e=0:1:3 --from 5
refused "sweep does not go with every and at" -- $ball --sweep e=0:1:3 --every 2
refused "sweep does not go with cycle" -- $ball --sweep e=0:1:3 --cycle impact:0
refused "sweep does not go with columns" -- $ball --sweep e=0:1:3 --columns q0
refused "sweep does not go with local" -- order bouncing-ball --scheme moreau-jean --local --steps 0.02:1e-3:4 --end 4 --sweep e=0:1:3
refused "--jobs goes with --sweep" -- $ball --jobs 2
refused "--shard goes with --sweep" -- $energy --shard 1/2 --out x
refused "--from goes with --sweep" -- $ball --from 1
refused "--plot-format goes with --sweep" -- $ball --plot-format svg
refused "--shard 5/4: part 5 is outside [1, 4]" -- $ball --sweep e=0:1:3 --out x --shard 5/4
refused "--shard needs --out DIR" -- $ball --sweep e=0:1:3 --shard 1/4
refused "--resume needs --out DIR" -- $ball --sweep e=0:1:3 --resume
refused "against seconds: the studies of a sweep go one at a time" -- ${cost/--norm/--against seconds --norm} --sweep e=0.3:0.9:3 --jobs 2
finish
