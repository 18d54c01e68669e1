# slurm.sh -- a study as an array of a real Slurm with four virtual nodes on this machine; one node goes down on
# the way, and tasks end at their time limit and are started again; tables and pictures are those of one process:
# bash slurm.sh TOOL SOURCE-FOLDER [FOLDER]. The job scripts are those of docs/reference/cluster.md. Started again on the
# same FOLDER it ends the daemons that are left and goes on with the study of one process. Exit status 77 where
# Slurm or munge is missing, or without root.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
set -u
tool=$(realpath "$1")
page=$(realpath "$2")/docs/reference/cluster.md
for program in slurmctld slurmd sbatch squeue scontrol munged; do
  if ! PATH=$PATH:/usr/sbin command -v $program >/dev/null; then
    echo "there is no $program here: apt-get install --no-install-recommends slurmd slurmctld slurm-client munge"
    exit 77
  fi
done
PATH=$PATH:/usr/sbin
if [ "$(id -u)" -ne 0 ]; then
  echo "the daemons of Slurm need root"
  exit 77
fi
if [ $# -ge 3 ]; then
  mkdir -p "$3"
  folder=$(realpath "$3")
else
  folder=$(mktemp -d)
fi
daemons=$folder/cluster # of this start
study="order bouncing-ball --scheme moreau-jean --steps 1e-4:5e-6:4 --end 4 --repeats 24 --seed 3 --norm l1 --of q,v --out ball"
tasks=8
job= # set by the recipe

fail() {
  echo "FAILED: $*"
  exit 1
}

# patience WHAT SECONDS COMMAND...: until the command succeeds
patience() {
  local what=$1 end=$((SECONDS + $2))
  shift 2
  until "$@"; do
    [ $SECONDS -lt $end ] || fail "$what: not after all this time; $(squeue -h -o '%i %T %R' 2>&1 | tr '\n' ';')"
    sleep 0.2
  done
}

# slay PID: a process and those below it
slay() {
  local below
  for below in $(pgrep -P "$1"); do slay "$below"; done
  kill -9 "$1" 2>/dev/null
}

# tasks_on NODE: process numbers of the tasks of this cluster on a node, a regular expression
tasks_on() {
  grep -lsazxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ | while read -r file; do
    ! grep -qsazx "SLURMD_NODENAME=$1" "$file" || basename "${file%/environ}"
  done
}

# kill_tasks [NODE]: tasks of this cluster, on a node or on any, and the daemons that watch each of them
kill_tasks() {
  local process parent
  for process in $(tasks_on "${1:-.*}"); do
    parent=$(ps -o ppid= -p "$process" | tr -d ' ')
    [ "$(ps -o comm= -p "${parent:-0}")" != slurmstepd ] || kill -9 "$parent" 2>/dev/null
    slay "$process"
  done
}

# stop_cluster: daemons of this start or of one that was killed; their process numbers may be those of others by now
stop_cluster() {
  local file process
  for file in "$daemons"/run/*.pid; do
    process=$(cat "$file" 2>/dev/null) || continue
    ! { tr '\0' ' ' <"/proc/$process/cmdline"; } 2>/dev/null | grep -qF "$daemons" || slay "$process"
  done
  kill_tasks
}

leave() {
  stop_cluster
  [ "$folder" = "${kept:-}" ] || rm -rf "$folder"
}

write_configuration() {
  local me host port
  me=$(id -un)
  host=$(hostname -s)
  port=$((20000 + $$ % 20000))
  cat >"$SLURM_CONF" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$daemons/munge.socket,cred_expire=5
StateSaveLocation=$daemons/state
SlurmdSpoolDir=$daemons/spool/%n
SlurmctldPidFile=$daemons/run/slurmctld.pid
SlurmdPidFile=$daemons/run/slurmd-%n.pid
SlurmctldLogFile=$daemons/log/slurmctld.log
SlurmdLogFile=$daemons/log/slurmd-%n.log
SlurmctldPort=$port
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
ReturnToService=2
SlurmdTimeout=10
KillWait=2
NodeName=n[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 4))] CPUs=1 RealMemory=100 State=UNKNOWN
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
CONF
}

start_cluster() {
  rm -rf "$daemons"
  mkdir -p "$daemons"/state "$daemons"/log "$daemons"/run "$daemons"/spool/n{1,2,3,4}
  write_configuration
  (umask 077 && head -c 1024 /dev/urandom >"$daemons/munge.key")
  munged --force --socket "$daemons/munge.socket" --key-file "$daemons/munge.key" \
    --pid-file "$daemons/run/munged.pid" --log-file "$daemons/log/munged.log" \
    --seed-file "$daemons/munge.seed" 2>/dev/null || fail "munged: $(tail -1 "$daemons"/log/munged.log)"
  slurmctld -f "$SLURM_CONF" || fail "slurmctld does not start"
  for node in n1 n2 n3 n4; do
    slurmd -f "$SLURM_CONF" -N $node || fail "slurmd of $node does not start"
  done
  patience "four idle nodes" 60 nodes_idle
}

nodes_idle() { [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c '^idle$')" -eq 4 ]; }

# recipe WORD: the block of the page on clusters that has the word
recipe() {
  awk -v word="$1" '/^```/ { if (inside && index(block, word)) printf "%s", block; inside = !inside; block = ""; next }
    inside { block = block $0 "\n" }' "$page"
}

# runs FILE: finished runs in a journal
runs() { grep -c ',[0-9a-f]\{16\}$' "$1"; }

# a node with a task that has finished a run and has others before it
busy_node() {
  local node k
  while read -r node k; do
    if [ -e "ball/runs-$k-of-$tasks.csv" ] && [ "$(runs "ball/runs-$k-of-$tasks.csv")" -ge 1 ]; then
      victim=$node
      task=$k
      return 0
    fi
  done < <(squeue -h -t R -r -o '%N %K')
  return 1
}

# take_down NODE: its daemon and its tasks at once, as if its power were gone
take_down() {
  slay "$(cat "$daemons/run/slurmd-$1.pid")"
  kill_tasks "$1"
  sleep 0.1
  [ -z "$(tasks_on "$1")" ] || fail "a task of node $1 lives on"
  scontrol update "nodename=$1" state=down reason=power
}

# restarts: of all tasks, from what the controller says of them
restarts() { scontrol show job "$job" | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p' | awk '{ sum += $1 } END { print sum + 0 }'; }

array_done() { [ -z "$(squeue -h -j "$job" 2>/dev/null)" ]; }
merged() { [ -z "$(squeue -h 2>/dev/null)" ]; }


# everything that one process and eight tasks must have in common
tables() {
  cut -d, -f1-11 "$1/errors.csv"
  cat "$1/orders.csv" "$1/quality.csv" "$1"/order_l1_*.png
  grep -Ev '^(date|load|wall_seconds|concurrent runs): ' "$1/study.txt"
}

# submit: the two recipes, with a limit of time that ends tasks on the way
submit() {
  recipe '#SBATCH --array' | sed "s/--array=1-64/--array=1-$tasks/; s/--time-limit 3300/--time-limit $limit/" >parts.sh
  recipe 'sbatch --dependency' >submit.sh
  if ! grep -q -- "--array=1-$tasks" parts.sh || ! grep -q -- "--time-limit $limit" parts.sh; then
    fail "the recipe of the page is another: $(cat parts.sh)"
  fi
  export DELASSUS=$tool STUDY=$study
  # shellcheck disable=SC1091
  source ./submit.sh >submitted || fail "sbatch: $(cat submitted)"
}

[ $# -lt 3 ] || kept=$folder
export SLURM_CONF=$daemons/slurm.conf
stop_cluster
trap leave EXIT
cd "$folder" || exit 1
# shellcheck disable=SC2086
if [ ! -e whole.txt ] || ! grep -q '^seconds' whole.txt; then
  start=$(date +%s.%N)
  "$tool" ${study/--out ball/--out whole} --resume >whole.txt 2>&1 </dev/null ||
    fail "the study of one process: $(tail -3 whole.txt)"
  LC_ALL=C awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { print "seconds", b - a }' >>whole.txt
fi
# attempt: the array with a node that goes down; 0: as wanted, 1: the limit of time was too long, 2: it was too short
attempt() {
  rm -rf ball slurm-*.out
  start_cluster
  submit
  patience "a task with a finished run" 120 busy_node
  take_down "$victim"
  echo "node $victim is down with task $task, $(runs "ball/runs-$task-of-$tasks.csv") of its runs are finished"
  patience "an array that has ended" 600 array_done
  ! grep -q "no run was finished within --time-limit" slurm-*.out || return 2
  echo "the array has ended; its tasks were started $(restarts) times more, with $limit s each"
  scontrol show job "${job}_$task" | grep -q 'Restarts=[1-9]' || fail "the task of the node that went down was not started again"
  [ "$(restarts)" -ge 3 ] || return 1
  patience "the job that merges" 120 merged
  [ -e ball/orders.csv ] || fail "nothing was merged: $(tail -n 3 slurm-*.out)"
}

# as much as one process needs for a sixth of the work; tasks have an eighth of it, four go at a time. The machine
# may be busier then, or less.
limit=$(awk -v s="$(sed -n 's/^seconds //p' whole.txt)" 'BEGIN { print s / 6 }')
for trial in 1 2 3 4 5 6; do
  code=0
  attempt || code=$?
  [ $code -ne 0 ] || break
  stop_cluster
  limit=$(awk -v l="$limit" -v code=$code 'BEGIN { print code == 1 ? l / 2 : 3 * l }')
  echo "once more, with $limit s"
done
[ "$code" -eq 0 ] || fail "no limit of time in $trial trials ended some tasks and not all"
tables ball | cmp -s - <(tables whole) || fail "the tables of the array differ from those of one process"
echo "tables and pictures are those of one process"
