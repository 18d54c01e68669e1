# test_cli_signals.sh -- Ctrl-C: what was computed is kept, marked, and the exit status is 130; and the progress line.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# interrupt SIGNAL CODE ARGUMENT...: send the signal as soon as the computation is known to run
interrupt() {
  local signal=$1 expected=$2 code=0 i
  shift 2
  last="delassus $*, then SIG$signal"
  : >err # what an earlier run printed must not count
  "$tool" "$@" --progress always >out 2>err </dev/null &
  local process=$!
  for ((i = 0; i < 3000; i++)); do # 30 s
    grep -q '0 %' err && break
    kill -0 "$process" 2>/dev/null || break # it was refused
    sleep 0.01
  done
  kill -s "$signal" "$process"
  wait "$process" || code=$?
  equal "exit status of $last" "$code" "$expected"
}

interrupt INT 130 run bouncing-pendulum --scheme moreau-jean --step 1e-7 --end 4 --stats
in_err "interrupted after"
equal complete "$(value complete)" no
between "steps made" "$(value steps)" 1 39999999
interrupt TERM 143 run bouncing-pendulum --scheme moreau-jean --step 1e-7 --end 4 --stats
equal complete "$(value complete)" no

# the recorded part is a whole file, with the last record whole
interrupt INT 130 run bouncing-pendulum --scheme moreau-jean --step 1e-6 --end 5 --out part.csv
equal "mark" "$(grep -c '^# complete: no$' part.csv)" 1
equal "reason" "$(grep -c '^# failure: .*interrupted' part.csv)" 1
grep -v '^#' part.csv | awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' || fail "part.csv has broken rows"
between "rows kept" "$(grep -vc '^#' part.csv)" 1 5000000
try 0 distance part.csv part.csv
rm -f part.csv

# two signals at once, as `timeout` sends them, are one: the results are printed while gnuplot draws. One that comes later ends the command
twice() { # SECONDS: two signals so far from each other
  mkdir -p stub
  printf '#!/bin/sh\nrm "$0"\nkill -TERM $PPID\nsleep %s\nkill -TERM $PPID\nexit 1\n' "$1" >stub/gnuplot
  chmod +x stub/gnuplot
  PATH="$PWD/stub:$PATH" try 143 run bouncing-ball --scheme moreau-jean --step 0.1 --end 1 --stats --plot drawn.svg
}
twice 0.02
equal "complete, after two signals at once" "$(value complete)" yes
twice 1
[ ! -s out ] || fail "$last: the second signal does not end it"
rm -rf stub drawn* .delassus-*.part # of the picture that the second signal ended

# a trajectory that takes long to write is written: here the command stands still after the signal
: >err
"$tool" run bouncing-pendulum --scheme moreau-jean --step 1e-6 --end 2 --stats --out part.csv --progress always >out 2>err </dev/null &
process=$!
for ((i = 0; i < 3000; i++)); do # 30 s
  grep -q ' 10 %' err && break
  sleep 0.01
done
kill -s TERM "$process"
sleep 0.05
kill -s STOP "$process"
sleep 1.5
kill -s CONT "$process"
code=0
wait "$process" || code=$?
last="delassus run --stats --out, stopped after SIGTERM"
equal "exit status of $last" "$code" 143
equal "mark of $last" "$(grep -c '^# complete: no$' part.csv)" 1
equal "complete of $last" "$(value complete)" no
rm -f part.csv

# a signal while a picture is drawn: the message that the exit status needs
mkdir stub
printf '#!/bin/sh\nrm "$0"\nkill -INT $PPID\nexec %s "$@"\n' "$(command -v gnuplot)" >stub/gnuplot
chmod +x stub/gnuplot
PATH="$PWD/stub:$PATH" try 130 energy bouncing-ball --scheme moreau-jean --step 0.1 --end 1 --out drawn --plot-format svg
equal "message" "$(cat err)" "delassus energy: interrupted"
rm -rf stub drawn

# a study keeps the runs that were finished
interrupt INT 130 order bouncing-ball --scheme moreau-jean --steps 0.1:1e-7:12 --end 4 --repeats 4 --out study \
  --plot-format none
grep -q '^complete: no' study/study.txt || fail "study.txt does not say that the study is incomplete"
equal "header of errors.csv" "$(head -1 study/errors.csv | cut -d, -f1-3)" "model,scheme,options"

# an interrupted study has no verdict, neither of its own nor of an earlier run
cat >long.yaml <<Y
title: a study that is interrupted
studies:
  - name: first
    kind: order
    title: errors
    model: bouncing-ball
    schemes: [moreau-jean]
    steps: {first: 0.1, last: 1e-7, levels: 12}
    repeats: 4
    end: 4
    norms: l1
    of: q
    pictures: none
    expect:
      - {quantity: order, scheme: moreau-jean, between: [0.5, 1.5]}
Y
mkdir long
touch long/verdict.csv long/report.md
interrupt INT 130 study long.yaml --out long --report long.html --strict
in_err "delassus study: long: interrupted, so there is no verdict; results so far are in long"
! grep -qE 'verdict|reproduces|agrees' out || fail "$last prints a verdict"
[ -e long/study.yaml ] || fail "$last keeps no study.yaml"
grep -q '^complete: no' long/first/study.txt || fail "$last: study.txt does not say that it is incomplete"
for file in verdict.csv report.md; do
  [ ! -e long/$file ] || fail "$last leaves $file"
done
! grep -q 'reproduces\|class="verdict' long.html || fail "the page of $last has a verdict"
interrupt INT 130 study long.yaml --out long --resume
! grep -q 'reproduces' out || fail "$last prints a verdict"

# every scheme obeys, in steps of a tenth of a millisecond and more; without contacts those that treat none, and those that
# are there to fail, which would have failed before
for scheme in $("$tool" list schemes --format csv | sed 1d | cut -d, -f1); do
  case $scheme in
    event-driven | *-adaptive) step=() ;;
    *) step=(--step 1e-4) ;;
  esac
  case $scheme in
    naive-* | *-contact | *penalty | spring-damper | tdg-alpha | alpha-kappa) contacts=0 ;;
    *) contacts=20 ;;
  esac
  case $scheme in
    mujoco | sap | icf | ipc | stewart-trinkle | convex-step) scheme+=:restitution=own ;;
  esac
  interrupt TERM 143 run random-linear --set n=60 --set m=$contacts --scheme "$scheme" "${step[@]}" --end 1e6 --stats \
    --columns q0
  in_err "interrupted after"
done

# what nothing looks at while it is computed ends at once: the exact solution, behind a message
"$tool" exact two-ball-oscillator --end 1e5 --out exact.csv >out 2>err </dev/null &
process=$!
sleep 1
kill -s TERM "$process"
code=0
wait "$process" || code=$?
last="delassus exact, then SIGTERM"
equal "exit status of $last" "$code" 143
equal "message of $last" "$(cat err)" "delassus exact: interrupted"
[ ! -e exact.csv ] || fail "$last leaves a file"
interrupt INT 130 compare two-ball-oscillator --scheme moreau-jean --step 0.001 --end 1e5 --plot picture.svg
in_err "interrupted after" "without the exact solution: interrupted"

# results that take long to write end soon after a signal, too: each file is whole or not there
pendulum="bouncing-pendulum --scheme moreau-jean --scheme schatzman-paoli --step 1e-6 --end 1"
for delay in 0.5 1 2; do
  for command in "compare $pendulum" "energy $pendulum --plot-format none"; do
    last="delassus $command, then SIGINT after $delay s"
    # shellcheck disable=SC2086
    : >err
    "$tool" $command --progress always --out late >out 2>err </dev/null &
    process=$!
    for ((i = 0; i < 3000; i++)); do # 30 s
      grep -q ' 0 %' err && break
      sleep 0.01
    done
    sleep $delay
    code=130
    if kill -s INT "$process" 2>/dev/null; then
      for ((i = 0; i < 1000; i++)); do # 10 s
        kill -0 "$process" 2>/dev/null || break
        sleep 0.01
      done
      [ $i -lt 1000 ] || fail "$last: it goes on"
      code=0
      wait "$process" || code=$?
    fi
    equal "exit status of $last" "$code" 130
    for file in late/*.csv; do
      [ ! -e "$file" ] || tail -c 1 "$file" | cmp -s - <(echo) || fail "$last leaves a part of $file"
    done
    no_traces
    rm -rf late
  done
done

# a series of files ends with those that are whole, and its list names these
: >err
"$tool" run elastic-block --set nx=60 --set ny=30 --scheme moreau-jean --step 1e-4 --end 0.9 --progress always --out late.vtu \
  >out 2>err </dev/null &
process=$!
for ((i = 0; i < 3000; i++)); do # 30 s
  grep -q ' 0 %' err && break
  sleep 0.01
done
sleep 2
kill -s INT "$process"
code=0
wait "$process" || code=$?
last="delassus run --out late.vtu, then SIGINT"
equal "exit status of $last" "$code" 130
equal "files of the list of $last" "$(grep -c '<DataSet' late.pvd)" "$(find . -name 'late_*.vtu' | wc -l)"
between "files of $last" "$(find . -name 'late_*.vtu' | wc -l)" 1 9999
for file in late_*.vtu; do
  tail -n 1 "$file" | grep -qx '</VTKFile>' || fail "$last leaves a part of $file"
done
no_traces
rm -f late*

# a pipe at whose other end nothing happens: the first signal ends the command, wherever the pipe stands
mkfifo pipe
try 0 run bouncing-ball --scheme moreau-jean --step 0.1 --end 1 --out ball.csv
waits() { # ARGUMENT...
  local code=0 i
  last="delassus $*, then SIGTERM"
  "$tool" "$@" >out 2>err </dev/null &
  local process=$!
  sleep 0.5
  kill -s TERM "$process"
  for ((i = 0; i < 1000; i++)); do # 10 s
    kill -0 "$process" 2>/dev/null || break
    sleep 0.01
  done
  [ $i -lt 1000 ] || fail "$last: it goes on"
  kill -s KILL "$process" 2>/dev/null
  wait "$process" || code=$?
  equal "exit status of $last" "$code" 143
}
waits distance pipe ball.csv
waits distance ball.csv pipe
waits judge bouncing-ball pipe --between linear
waits study pipe
waits contact pipe
waits run matrix-model --set M=pipe --set K=pipe --scheme moreau-jean --step 0.1 --end 1
waits run multibody --set mechanism=pipe --scheme moreau-jean --step 0.1 --end 1
waits run bouncing-ball --scheme moreau-jean --step 0.1 --end 1 --out pipe
waits exact bouncing-ball --end 1 --out pipe
exec 5<>pipe # open, but silent
waits distance pipe ball.csv
waits study pipe
exec 5>&-

# progress: a line every 10 % where asked for, nothing where standard error is no terminal
try 0 run bouncing-ball --scheme moreau-jean --step 1e-5 --end 4 --stats --progress always
equal "lines of progress" "$(wc -l <err)" 11
in_err "moreau-jean: 0 %" "moreau-jean: 50 %" "moreau-jean: 100 %"
for mode in auto never; do
  try 0 run bouncing-ball --scheme moreau-jean --step 1e-5 --end 4 --stats --progress $mode
  [ ! -s err ] || fail "$last wrote to standard error"
done

# on a terminal: one line, redrawn at most ten times a second, erased in the end
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then # a pseudo-terminal can be had
  long="run bouncing-ball --scheme moreau-jean --step 1e-6 --end 4 --stats --progress always"
  env -u CI TERM=xterm script -qec "$tool $long" /dev/null </dev/null >screen
  last="delassus $long on a terminal"
  bars=$(tr '\r' '\n' <screen | grep -c '\[#* *\] *[0-9]* %')
  between "bars drawn by $last" "$bars" 1 $((10 * (SECONDS + 2)))
  tr '\r' '\n' <screen | grep -q $'^\033\\[K' || fail "$last does not erase its bar"
  for setting in TERM=dumb CI=true; do
    env -u CI TERM=xterm $setting script -qec "$tool $long" /dev/null </dev/null >screen
    ! grep -q '\[#* *\] *[0-9]* %' screen || fail "a bar is drawn with $setting"
    grep -q 'moreau-jean: 50 %' screen || fail "no lines of progress with $setting"
  done
else
  echo "no pseudo-terminal here: the bar is not tested"
fi
finish
