# power_loss.sh -- the power fails behind any call that changes a file: what was not synchronised is lost, torn, zero, or
# there in another order (after_crash.py). No file has a part of its contents then, and doing it again gives the same.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/soak/soak_support.sh
here=$(realpath "$(dirname "$0")")
source "$here/soak_support.sh"
own_gnuplot=yes # after_crash.py follows what it does, not the shell
# shellcheck source=tests/soak/failures.sh
source "$here/failures.sh"
seeds=8 # ways to lose, for each call: 0 all, others by lot

after_crash() {
  python3 "$here/after_crash.py" "$name.trace" failing "$@"
}

if [ ! -e trials ]; then # lines "COMMAND CALL SEED"
  for name in order study compare run-plot run-events work energy judge merge; do
    command_line "$name"
    fresh "$name"
    strace -f -y -xx -s 10000000 -e trace=file,desc -o "$name.trace" "$tool" "${line[@]}" >/dev/null 2>&1 || exit 1
    rm -rf "$name.done"
    mv failing "$name.done"
    fresh "$name"
    calls=$(after_crash count)
    # the record itself: all that was done is all that is there
    after_crash "$calls" -1 >/dev/null
    diff -r failing "$name.done" >&2 || exit 1
    for ((call = 0; call <= calls; call++)); do
      seq 0 $((seeds - 1)) | sed "s/^/$name $call /"
    done
    echo "$name end 0"
  done >trials.part
  mv trials.part trials
fi

trial() {
  local name call seed torn again=0
  read -r name call seed < <(sed -n "$1p" trials)
  command_line "$name"
  fresh "$name"
  if [ "$call" = end ]; then # exit status 0 was seen: it stays
    after_crash 1000000 0 >/dev/null
    diff -r failing "$name.done" >diff || wrong "what was done is lost: $(head -3 diff)"
  else
    # runs.csv grows, and is read line by line; .part and temporary files say by their names what they are
    torn=$(after_crash "$call" "$seed" | grep -vE '(^|/)(runs\.csv|\.delassus.*|.*\.part)$')
    [ -z "$torn" ] || wrong "there is a part of" $torn
    do_again || again=$?
    [ $again -eq 0 ] || wrong "done again it ends with $again: $(head -1 err)"
    left_as_undisturbed
  fi
  [ -z "$faults" ] || faults="$name, call $call, seed $seed$faults"
}

soak power_loss "$(wc -l <trials)"
