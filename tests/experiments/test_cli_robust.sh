# test_cli_robust.sh -- closed streams, strange names, small limits, signals, files that are cut: a word and the right exit
# status, and nothing that should not be there.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
source_folder=$2

# --- closed standard streams: no file of ours gets their number ---
small="order bouncing-ball --scheme moreau-jean --steps 0.1:0.02:3 --repeats 2 --end 2 --norm l1 --of q"
# shellcheck disable=SC2086
{
  small_files="$small --plot-format none"
  "$tool" $small_files --out plain >plain.out 2>/dev/null || fail "$small"
  lines=$(grep -vc '^#' plain/runs.csv)
  for closed in 0 1 2 02 12 012; do
    (
      case $closed in *0*) exec 0<&- ;; esac
      case $closed in *1*) exec 1>&- ;; esac
      case $closed in *2*) exec 2>&- ;; esac
      exec "$tool" $small_files --progress always --out closed
    ) >out 2>err
    code=$?
    last="delassus order with closed descriptors $closed"
    case $closed in
    *1*) equal "exit status of $last" $code 1 ;; # its table has nowhere to go
    *) equal "exit status of $last" $code 0 ;;
    esac
    equal "lines of runs.csv, $last" "$(grep -vc '^#' closed/runs.csv)" "$lines"
    ! grep -qE '^(bouncing-ball|delassus|orders)' closed/runs.csv || fail "$last: runs.csv has what belongs to a stream"
    equal "damaged lines, $last" "$("$tool" $small_files --out closed --resume 2>&1 >/dev/null | grep -c damaged)" 0
    rm -rf closed
  done
  rm -rf plain plain.out
}
code=0
"$tool" list >&- 2>err || code=$?
last="delassus list >&-"
equal "exit status of $last" $code 1
in_err "cannot write to standard output"

# --- names ---
ball="run bouncing-ball --scheme moreau-jean --step 0.05 --end 2"
newline=$'x\nsystem("touch pwned")\n#'
# shellcheck disable=SC2086
{
  for option in "--plot=$newline.png" "--out=$newline.csv" "--report=$newline.html" "--animate=$newline.svg"; do
    refused "byte 2 of the name is the control character 0x0A" "'x?system" -- $ball "$option"
  done
  refused "the control character 0x1B" -- $ball --out $'a\e[2J.csv'
  refused "the control character 0x7F" -- $small --plot-format none --out $'a\x7f'
  refused "the control character 0x0A" -- compare bouncing-ball --scheme moreau-jean --step 0.05 --end 2 --plot "$newline.png"
  refused "the control character 0x0A" -- compare bouncing-ball --scheme moreau-jean --step 0.05 --end 2 --out "$newline"
  refused "the control character 0x0A" -- energy bouncing-ball --scheme moreau-jean --step 0.05 --end 2 --out "$newline"
  refused "the control character 0x0A" -- study example-compare --out "$newline"
  refused "the control character 0x0A" -- exact bouncing-ball --end 2 --out "$newline.csv"
  long=$(printf 'x%.0s' {1..250})
  quotes="it's \"\`touch pwned\`\" \$(touch pwned)"
  for name in "-dash" "$long" "$quotes" "-$quotes"; do
    try 0 $ball "--out=$name.csv" "--plot=$name.png"
    for file in "$name.csv" "$name.png" "$name.gp"; do
      [ -s "./$file" ] || fail "no file '$file'"
    done
    cp "./$name.png" first.png
    # the script by hand, as it says
    rm -f "./$name.png"
    gnuplot "./$name.gp" 2>err || fail "gnuplot './$name.gp': $(head -1 err)"
    cmp -s "./$name.png" first.png || fail "'$name.gp' draws another picture"
    rm -f "./$name.csv" "./$name.png" "./$name.gp" first.png
  done
  try 0 $small --plot-format svg --out -folder
  [ -s ./-folder/order_l1_q.svg ] || fail "no picture in the folder -folder"
  rm -rf ./-folder
}
[ ! -e pwned ] || fail "a name was executed"

# --- numbers and marks ---
refused "--step = '0x10' is hexadecimal" -- run bouncing-ball --scheme moreau-jean --step 0x10
refused "e = '0x1p-1' is hexadecimal" -- run bouncing-ball --scheme moreau-jean --step 0.1 --set e=0x1p-1
printf '\xEF\xBB\xBFname: x\n' >marked.yaml
try 2 study --check marked.yaml
in_err "marked.yaml:1:1: key 'name' belongs"
printf '\xFF\xFEt\0,\0x\0\n\0' >wide.csv
cp wide.csv wide.yaml
cp wide.csv wide.mtx
try 2 distance wide.csv wide.csv
in_err "wide.csv:1:1: the file begins with the byte order mark of UTF-16"
try 2 study --check wide.yaml
in_err "wide.yaml:1:1: the file begins with the byte order mark of UTF-16"
try 2 run matrix-model --set M=wide.mtx --set K=wide.mtx --set HT=wide.mtx --scheme moreau-jean --step 0.1
in_err "wide.mtx:1:1: the file begins with the byte order mark of UTF-16"
for entry in M:2 K:8 HT:1; do
  printf '\xEF\xBB\xBF%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 %s\n' "${entry#*:}" >"${entry%:*}.mtx"
done
try 0 run matrix-model --set M=M.mtx --set K=K.mtx --set HT=HT.mtx --scheme moreau-jean --step 0.1 --stats
rm -f ./*.mtx wide.csv ./*.yaml

# --- limits ---
# shellcheck disable=SC2086
{
  stack=64 # KiB; the loader of some systems needs more before the tool begins
  until (ulimit -s $stack && exec "$tool" list laws) >/dev/null 2>&1 || [ $stack -gt 128 ]; do
    stack=$((stack + 32))
  done
  for jobs in 1 4; do
    code=0
    (ulimit -s $stack && exec "$tool" $small --jobs $jobs) >out 2>err || code=$?
    last="delassus order --jobs $jobs with a stack of $stack KiB"
    equal "exit status of $last" $code 0
    in_out "order"
  done
  code=0
  (ulimit -f 4 && exec "$tool" run bouncing-ball --scheme moreau-jean --step 0.0001 --end 2 --out large.csv) \
    >out 2>err || code=$?
  last="delassus run with files of at most 4 KiB"
  equal "exit status of $last" $code 1
  in_err "cannot write 'large.csv': " "File too large"
  [ ! -e large.csv ] || fail "$last left a part of a file"
}

# --- SIGHUP: as SIGTERM, but for nohup ---
long="run bouncing-pendulum --scheme moreau-jean --step 1e-6 --stats --progress always"
# hang_up COMMAND...: send SIGHUP as soon as it computes
hang_up() {
  local i process
  : >err
  "$@" >out 2>err </dev/null &
  process=$!
  for ((i = 0; i < 3000; i++)); do
    grep -q '0 %' err && break
    sleep 0.01
  done
  kill -HUP $process
  code=0
  wait $process || code=$?
}
# shellcheck disable=SC2086
{
  last="delassus $long, then SIGHUP"
  hang_up "$tool" $long --end 40
  equal "exit status of $last" $code 129
  in_err "interrupted after"
  equal complete "$(value complete)" no
  hang_up bash -c 'trap "" HUP; exec "$@"' _ "$tool" $long --end 2
  last="nohup delassus $long, then SIGHUP"
  equal "exit status of $last" $code 0
  equal complete "$(value complete)" yes
}

# --- gnuplot that is killed ---
mkdir bin
printf '#!/bin/sh\nkill -9 $$\n' >bin/gnuplot
chmod +x bin/gnuplot
code=0
# shellcheck disable=SC2086
PATH=$PWD/bin:$PATH "$tool" $ball --out kept.csv --plot killed.png >out 2>err || code=$?
last="delassus run with a gnuplot that is killed"
equal "exit status of $last" $code 1
in_err "gnuplot was ended by signal 9 (Killed)"
[ -s kept.csv ] || fail "$last: the trajectory is lost"
[ ! -e killed.png ] || fail "$last left a picture"
rm -rf bin kept.csv

# --- report.md shows what the file says, and runs nothing ---
cat >markup.yaml <<'END'
title: "<script>alert(1)</script> a|b"
caption: |
  <img src=x onerror=alert(1)> and *emphasis*
source: "[x](javascript:alert(1))"
kind: run
model: bouncing-ball
schemes: moreau-jean
step: 0.05
end: 2
pictures: none
expect: [{quantity: impacts, between: [0, 100], reported: "a|b <b>"}]
END
try 0 study markup.yaml
for text in '# \<script\>alert(1)\</script\> a\|b' '\<img src=x' '*emphasis*' '\[x\](javascript' '| a\|b \<b\> |'; do
  grep -qF -e "$text" markup/report.md || fail "report.md has no '$text'"
done
rm -rf markup markup.yaml

# --- two studies in one folder ---
cat >slow.yaml <<'END'
title: Slow
kind: run
model: bouncing-pendulum
schemes: moreau-jean
step: 1e-6
end: 40
pictures: none
END
: >first.err
"$tool" study slow.yaml --out one --progress always >first.out 2>first.err </dev/null &
process=$!
for ((i = 0; i < 3000; i++)); do
  grep -q '0 %' first.err && break
  sleep 0.01
done
try 2 study slow.yaml --out one
in_err "another study is writing into 'one'"
kill -TERM $process
wait $process
equal "exit status of the first" $? 143
rm -rf one slow.yaml first.out first.err

# --- a plugin that was not copied to its end ---
if command -v cc >/dev/null && cc -shared -fPIC -I"$source_folder/common" -I"$source_folder/event_driven" \
  -I"$source_folder/analytic" -I"$source_folder/experiments" -x c -o whole.so - <<'END' 2>err; then
#include <delassus/plugin.h>
const dls_plugin dls_plugin_entry = {DLS_PLUGIN_HEAD, .name = "nothing", .version = "1"};
END
  size=$(stat -c %s whole.so)
  try 0 list models --plugin whole.so
  for part in 1 10 63 64 500 1000 4096 8192 12000 $((size - 1)); do
    head -c $part whole.so >cut.so
    try 2 list models --plugin cut.so
    in_err "cut.so"
    [ $part -lt 64 ] || in_err "is cut: it has $part bytes, its headers speak of $size"
  done
  rm -f whole.so cut.so
else
  echo "no compiler here: cut plugins are not tested: $(head -3 err)"
fi
finish
