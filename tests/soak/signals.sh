# signals.sh -- INT, TERM, HUP or PIPE arrives at any system call of any command (by strace): the exit status tells it,
# nothing is half written, and doing it again gives what an undisturbed command does.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/soak/soak_support.sh
here=$(realpath "$(dirname "$0")")
source "$here/soak_support.sh"
# shellcheck source=tests/soak/failures.sh
source "$here/failures.sh"
signals=(INT TERM HUP PIPE)
codes=(130 143 129 141)

if [ ! -e trials ]; then # lines "COMMAND CALL NUMBER", from the first call on after signals are caught
  for name in "${commands[@]}"; do
    command_line "$name"
    fresh "$name"
    strace -o trace "$tool" "${line[@]}" >out 2>err || exit 1
    awk -v name="$name" '
      match($0, /^[a-z0-9_]+\(/) { call = substr($0, 1, RLENGTH - 1); ++seen[call] }
      /^rt_sigaction\(SIGCHLD, / { ours = 1; next }
      ours && call !~ /^(exit_group|exit|restart_syscall|)$/ { print name, call, seen[call] }
    ' trace
  done >trials.part
  mv trials.part trials
fi

# Every file that is there has its end
ends_of_files() {
  local file end
  while IFS= read -r file; do
    case $file in
    *.svg) end='</svg>' ;;
    *.html) end='</html>' ;;
    *) end= ;;
    esac
    [ "$(tail -c 1 "$file")" = "" ] && tail -3 "$file" | grep -q "$end" || wrong "$file is cut"
  done < <(find failing -type f -size +0 ! -name '*.part')
}

# trial K: the calls in turn, at each one signal of the four
trial() {
  local name call number code=0 signal=$(($1 % 4)) again=0
  read -r name call number < <(sed -n "$1p" trials)
  command_line "$name"
  fresh "$name"
  timeout 60 strace -o injected -e trace="$call" -e inject="$call":signal=SIG${signals[signal]}:when="$number" \
    "$tool" "${line[@]}" >out 2>err || code=$?
  # some calls are not made each time as often
  [ $code -eq "${codes[signal]}" ] || ! grep -q "^--- SIG${signals[signal]} " injected ||
    wrong "exit status $code"
  [ "${signals[signal]}" = PIPE ] || traces failing
  ends_of_files
  do_again || again=$?
  [ $again -eq 0 ] || wrong "done again it ends with $again: $(head -1 err)"
  ! grep -q damaged err || wrong "$(grep damaged err)"
  left_as_undisturbed
  [ -z "$faults" ] || faults="$name, ${signals[signal]} at $call number $number$faults"
}

soak signals "$(wc -l <trials)"
