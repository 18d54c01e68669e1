# test_cli_shards.sh -- a study made in any number of parts, killed or not, is the study of one process to the last bit.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
study="order bouncing-ball --scheme moreau-jean --scheme schatzman-paoli --scheme event-driven --steps 0.1:4e-3:5
  --repeats 4 --end 4 --norm l1 --of q,v --plot-format svg"
all=41 # 2 x 5 x 4 runs by step, one by events
picture=order_l1_q

# tables FOLDER: everything but times, date, load and how many runs went at a time; pictures without what made them
tables() {
  cut -d, -f1-11 "$1/errors.csv"
  cat "$1/orders.csv" "$1/quality.csv" "$1/$picture.svg"
  grep -Ev '^(date|load|wall_seconds|concurrent runs): ' "$1/study.txt"
}

# runs FILE...: finished runs in journals
runs() { cat "$@" | grep -v '^#' | grep -c ',[0-9a-f]\{16\}$'; }

# shellcheck disable=SC2086
{
  try 0 $study --out whole
  mv out whole.out
  tables whole >whole.txt

  for n in 1 2 3 7 64; do
    for ((k = 1; k <= n; k++)); do
      try 0 $study --out "of-$n" --shard $k/$n
      in_out "part $k of $n: " "runs are finished, which are all of it"
    done
    equal "runs of $n parts" "$(runs of-$n/runs-*.csv)" $all
    try 0 merge "of-$n"
    cmp -s out whole.out || fail "what is printed of $n parts differs from that of one process"
    tables "of-$n" | cmp -s - whole.txt || fail "the tables of $n parts differ from those of one process"
    equal "end of the journal of $n parts" "$(tail -1 of-$n/runs.csv)" "# complete: yes"
    grep -v '^#' of-$n/runs.csv >journal
    [ "$n" -ne 2 ] || mv journal first
    [ "$n" -le 2 ] || cmp -s journal first || fail "the journal of $n parts is another"
  done
  # every part has every level of both schemes
  for part in of-3/runs-*-of-3.csv; do
    equal "levels in $part" "$(grep -v '^#' "$part" | tail -n +2 | grep -v ',event' | cut -d, -f2 | sed 's/ repeat.*//' | sort -u | wc -l)" 10
  done
  # merging again, over the journal that is there: nothing changes
  try 0 merge of-7
  tables of-7 | cmp -s - whole.txt || fail "merging again changes the tables"
  try 0 verify of-3
  # what one process made itself counts too, and runs that are there twice
  cp whole/runs.csv of-2/
  cp of-3/runs-2-of-3.csv of-2/
  try 0 merge of-2 --plot-format none --report page.html
  cmp -s whole/orders.csv of-2/orders.csv || fail "runs that are there twice change the orders"
  [ -s page.html ] || fail "merge --report writes no page"
  # missing runs are named, and nothing is made
  rm -rf of-7/runs.csv of-7/errors.csv of-7/runs-5-of-7.csv
  sed -i '$d' of-7/runs-2-of-7.csv # complete
  lost=$(tail -1 of-7/runs-2-of-7.csv | cut -d, -f2)
  sed -i '$d' of-7/runs-2-of-7.csv
  try 1 merge of-7
  in_err "parts that were not finished: 2/7" "parts without a file (they were not started, or have no runs): 5/7" \
    "runs are missing in 'of-7': make them, then merge" "$lost" "missing: schatzman-paoli level "
  [ ! -e of-7/errors.csv ] && [ ! -e of-7/runs.csv ] || fail "tables were made of a part of the runs"
  try 0 $study --out of-7 --shard 5/7
  try 0 $study --out of-7 --shard 2/7
  try 0 merge of-7
  tables of-7 | cmp -s - whole.txt || fail "parts that were made again give other tables"

  # killed, and started again; a second process on the same part is refused
  long="order bouncing-ball --scheme tdg-d1-minus-implicit --steps 5e-5:1e-5:3 --end 4 --repeats 8 --norm l1 --of q --plot-format none"
  start=$(date +%s.%N)
  try 0 $long --out long-whole
  limit=$(LC_ALL=C awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { print (b - a) / 4 }')
  for ((trial = 0; trial < 3; trial++)); do
    "$tool" $long --out long --shard 1/2 >out 2>err </dev/null &
    process=$!
    for ((i = 0; i < 3000; i++)); do
      [ -e long/runs-1-of-2.csv ] && [ "$(runs long/runs-1-of-2.csv)" -ge $((2 * trial + 2)) ] && break
      sleep 0.01
    done
    kill -STOP $process
    [ $trial -gt 0 ] || refused "'long/runs-1-of-2.csv' is being written by another study" -- $long --out long --shard 1/2
    kill -9 $process
    wait $process 2>/dev/null
  done
  between "runs of the part that was killed" "$(runs long/runs-1-of-2.csv)" 6 12
  try 0 $long --out long --shard 1/2
  try 0 $long --out long --shard 2/2
  try 0 merge long
  cmp -s long/orders.csv long-whole/orders.csv || fail "a part that was killed gives other orders"

  # the time limit: 75 as long as something is left, then 0
  code=75
  for ((starts = 0; starts < 100 && code == 75; starts++)); do
    code=0
    "$tool" $long --out limited --time-limit "$limit" >out 2>err </dev/null || code=$?
    if [ $code -eq 1 ] && grep -q 'no run was finished' err; then # the machine is busier than it was
      limit=$(awk -v t="$limit" 'BEGIN { print 2 * t }')
      code=75
    fi
  done
  equal "exit status at last of $starts starts" $code 0
  between "starts" $starts 2 90
  cmp -s limited/orders.csv long-whole/orders.csv || fail "a study that was stopped by --time-limit has other orders"
  try 1 $long --out never --time-limit 1e-9
  in_err "no run was finished within --time-limit"
  refused "--time-limit needs --out DIR" -- $long --time-limit 1
  refused "--time-limit and --overwrite exclude each other" -- $long --time-limit 1 --out x --overwrite
  refused "--time-limit" "0" -- $long --time-limit 0 --out x

  # what Slurm and MPI say
  export SLURM_ARRAY_TASK_ID=12 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=2
  try 0 $study --out auto --shard auto
  in_out "part 2 of 3:"
  export OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4
  try 0 $study --out auto --shard auto
  in_out "part 6 of 12:"
  SLURM_ARRAY_TASK_ID=17 refused "arrays with gaps" -- $study --out auto --shard auto
  unset SLURM_ARRAY_TASK_ID OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE
  export PMI_RANK=0 PMI_SIZE=2
  try 0 $study --out auto --shard auto
  in_out "part 1 of 2:"
  unset PMI_RANK
  refused "--shard auto: neither SLURM_ARRAY_TASK_ID" -- $study --out auto --shard auto
  for ranks in 1 2 4; do
    if command -v mpirun >/dev/null; then
      root=
      [ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
      mpirun $root --oversubscribe -n $ranks "$tool" $study --out "mpi-$ranks" --shard auto >out 2>err </dev/null ||
        fail "mpirun -n $ranks: $(head -3 err)"
      try 0 merge "mpi-$ranks"
      tables "mpi-$ranks" | cmp -s - whole.txt || fail "the tables of mpirun -n $ranks differ from those of one process"
    else
      echo "left out: mpirun -n $ranks, since there is no mpirun"
    fi
  done

  # work: seconds are of one kind of processor
  cost="work impacting-oscillator --scheme moreau-jean --steps 0.1:0.01:3 --repeats 2 --norm l1 --of q --plot-format none"
  for k in 1 2; do try 0 $cost --out cost --shard $k/2; done
  try 0 merge cost
  try 0 $cost --out cost-whole
  cut -d, -f1-15 cost/work.csv | cmp -s - <(cut -d, -f1-15 cost-whole/work.csv) || fail "parts of work give another work.csv"
  for k in 1 2; do try 0 $cost --out timed --against seconds --timings 2 --shard $k/2; done
  try 0 merge timed
  equal "runs without seconds" "$(grep -c ',nan$' timed/work.csv)" 0
  rm timed/runs.csv
  sed -i 's/^# cpu: .*/# cpu: Babbage 1/' timed/runs-1-of-2.csv
  try 2 merge timed
  in_err "it has 'cpu: Babbage 1'" "where seconds are measured all must be of one kind of processor"
  rm cost/runs.csv
  sed -i 's/^# cpu: .*/# cpu: Babbage 1/' cost/runs-1-of-2.csv
  try 0 merge cost
  cut -d, -f1-15 cost/work.csv | cmp -s - <(cut -d, -f1-15 cost-whole/work.csv) || fail "another processor changes work.csv"
  grep -q '^# cpu: Babbage 1$' cost/runs.csv || fail "the journal does not say by which processor a run was made"

  # a folder from elsewhere writes nothing outside of itself, loads nothing and starts nothing
  echo mine >mine
  for word in --report=mine --report=x.html --out=elsewhere --plugin=./evil.so --plot=mine --dump-problems=elsewhere --animate=mine \
    --resume --overwrite --jobs=9 --unheard=of; do
    rm -rf hostile && cp -r of-2 hostile && echo "$word" >>hostile/command.txt
    refused "hostile/command.txt', line $(wc -l <hostile/command.txt): '$word' is not an option that a part" -- merge hostile --plot-format none
  done
  for name in errors.csv orders.csv runs.csv .delassus-1-1.part; do
    rm -rf hostile && cp -r of-2 hostile && rm -f "hostile/$name" && ln -s ../mine "hostile/$name"
    refused "'hostile/$name' is a symbolic link" -- merge hostile --plot-format none
    refused "'hostile/$name' is a symbolic link" -- $study --out hostile --overwrite
  done
  rm -rf hostile && cp -r of-2 hostile && rm -f hostile/command.txt && mkfifo hostile/command.txt
  refused "'hostile/command.txt' is a pipe" -- merge hostile
  equal "the file beside the folder" "$(cat mine)" mine
  [ ! -e elsewhere ] && [ ! -e x.html ] || fail "merge wrote outside of its folder"
  # what a part was asked to write is not repeated by merge
  try 0 $study --out reported --shard 1/1 --report reported.html
  try 0 merge reported --plot-format none

  # wrong requests
  refused "--shard 5/4: part 5 is outside [1, 4]" -- $study --out x --shard 5/4
  refused "--shard 0/4: part 0 is outside [1, 4]" -- $study --out x --shard 0/4
  refused "--shard 1/0: there are 0 parts" -- $study --out x --shard 1/0
  refused "--shard '3': say K/N" -- $study --out x --shard 3
  refused "--shard '1.5/2': say K/N" -- $study --out x --shard 1.5/2
  refused "--shard '1/2x': say K/N" -- $study --out x --shard 1/2x
  refused "--shard needs --out DIR" -- $study --shard 1/2
  refused "'whole' has no part of a study" -- merge whole
  refused "'nowhere' has no part of a study" -- merge nowhere
  refused "--shard does not go with --local" -- ${study/--norm l1 --of q,v/} --local --shard 1/2 --out x
  try 0 $study --seed 2 --out of-3 --shard 4/5
  rm of-3/runs.csv
  try 2 merge of-3
  in_err "'of-3/runs-1-of-3.csv' has runs of another study: it has 'seed: 1' where this one has 'seed: 2'"
}
finish
