# test_cli_stream.sh -- trajectories that are written while the run goes on: the same bytes as of one that is kept, memory that does
# not grow, and what is left after a kill and on a full disk.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

rows() { grep -v '^#' "$1" | tail -n +2; }
long="run bouncing-ball --scheme moreau-jean --step 2e-5 --end 4"

# as it is on standard output, where it is kept to the end: events in front of the rows, thinned, with a limit, by events
same() {
  local code=$1
  shift
  try "$code" "$@" --out streamed.csv
  try "$code" "$@" --out -
  cmp -s out streamed.csv || fail "$last: not the bytes of the file"
}
# shellcheck disable=SC2086
same 0 $long
between "rows of some portions" "$(rows streamed.csv | wc -l)" 200001 300000
between "events" "$(grep -c '^# event' streamed.csv)" 1000 100000
# shellcheck disable=SC2086
same 0 $long --every 3
# shellcheck disable=SC2086
same 1 $long --max-rows 100000
in_err "the record has 100000 rows, at most max_rows = 100000 are allowed"
same 0 run bouncing-ball --scheme event-driven --set e=0.9 --end 60 --columns q0,v0,energy
grep -q 'kind=accumulation' streamed.csv || fail "no accumulation among the events"
in_err "accumulation at contact 0"
try 0 run elastic-bar --set n=20000 --scheme moreau-jean:theta=1 --step 1e-5 --end 3e-5 --out streamed.csv # a row is a portion
equal "rows of 20000 elements" "$(rows streamed.csv | wc -l)" 4
no_traces

# memory: that of the tool, whatever the length (a record of these rows has 19 MB); sanitizers need more to begin with
if prlimit --data=15000000 "$tool" list laws >/dev/null 2>&1; then
  # shellcheck disable=SC2086
  prlimit --data=15000000 "$tool" $long --out small.csv >out 2>err ||
    fail "a long run needs more than 15 MB: $(cat err)"
  # shellcheck disable=SC2086
  prlimit --data=15000000 "$tool" $long --out - >out 2>err && fail "the limit of memory does not tell anything"
fi

# killed: the rows so far are a trajectory, marked; the file of an earlier run is as it was
echo before >killed.csv
"$tool" run bouncing-ball --scheme moreau-jean --step 1e-6 --end 1000 --max-rows 1e9 --out killed.csv >out 2>err </dev/null &
process=$!
for _ in $(seq 1 400); do
  [ "$(stat -c %s killed.csv.part 2>/dev/null || echo 0)" -gt 3000000 ] && break
  sleep 0.05
done
kill -KILL $process
wait $process 2>/dev/null
equal "exit status of a run that is killed" $? 137
equal "the file of a run that is killed" "$(cat killed.csv)" before
equal "mark" "$(grep -c '^# complete: no$' killed.csv.part)" 1
grep -q '^# failure: the run has not ended' killed.csv.part || fail "the rows so far do not say so"
sed -i '$d' killed.csv.part # the last line may be a part of one
try 0 distance killed.csv.part killed.csv.part --column q0
between "rows of a run that is killed" "$(rows killed.csv.part | wc -l)" 10000 100000000
# the next run takes its place
try 0 run bouncing-ball --scheme moreau-jean --step 1e-5 --end 1 --out killed.csv
no_traces

# no room: what fitted is kept and named
(
  ulimit -f 4000
  # shellcheck disable=SC2086
  "$tool" $long --out full.csv >out 2>err </dev/null
)
equal "exit status without room" $? 1
last="$long, without room"
in_err "cannot write 'full.csv.part': File too large" "what was computed until then is in 'full.csv.part'"
[ ! -e full.csv ] || fail "a file without all rows has the name of the whole one"
try 0 distance full.csv.part full.csv.part --column q0
between "rows that fitted" "$(rows full.csv.part | wc -l)" 20000 60000
rm full.csv.part

finish
