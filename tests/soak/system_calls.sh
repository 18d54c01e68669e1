# system_calls.sh [--all] ... -- system calls of the tool fail once, with EIO and with ENOSPC, by strace's injection: of each command
# the first, the second and the last call of each kind on each file (size, for memory), with --all every call.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/soak/soak_support.sh
here=$(realpath "$(dirname "$0")")
every=0
[ "$1" != --all ] || { every=1 && shift; }
source "$here/soak_support.sh"
# shellcheck source=tests/soak/failures.sh
source "$here/failures.sh"

if [ ! -e trials ]; then # lines "COMMAND CALL NUMBER"
  for name in "${commands[@]}"; do
    command_line "$name"
    fresh "$name"
    strace -y -o trace "$tool" "${line[@]}" >/dev/null 2>&1 || exit 1
    # (brk has no error number in Linux: glibc would take one for an address)
    # from the first call of main on, which looks at descriptor 0: the loader is not ours. Not: what ends the process, and
    # clocks and naps, of which there are as many as time allows.
    awk -v name="$name" -v every="$every" '
      match($0, /^[a-z0-9_]+\(/) { call = substr($0, 1, RLENGTH - 1); ++seen[call] }
      /^fcntl\(0<.*F_GETFD/ { ours = 1 }
      /\/bin\/gnuplot"/ { next } # there may be another one in PATH
      ours && call !~ /^(brk|exit_group|exit|restart_syscall|wait4|clock_nanosleep|futex|)$/ {
        # what it is about: the name of a file, or the first argument (mmap: all, but addresses)
        about = call ~ /^(mmap|munmap|mprotect|mremap)$/ ? $0 : match($0, /"[^"]*"/) || match($0, /<[^>]*>/) ? substr($0, RSTART, RLENGTH) : $1 $2
        gsub(/0x[0-9a-f]+|[0-9]{5,}|\.[A-Za-z0-9]{6}\>/, "", about)
        kind = call " " about
        if (every || ++count[kind] <= 2) print name, call, seen[call]
        else last[kind] = name " " call " " seen[call]
      }
      END { for (kind in last) print last[kind] }
    ' trace
  done >trials.part
  mv trials.part trials
fi

# trial K: the calls in turn, first each with EIO, then each with ENOSPC
trial() {
  local name call number code=0 error=EIO count
  count=$(wc -l <trials)
  [ "$1" -le "$count" ] || error=ENOSPC
  read -r name call number < <(sed -n "$((($1 - 1) % count + 1))p" trials)
  command_line "$name"
  fresh "$name"
  timeout 60 strace -o /dev/null -e trace="$call" -e inject="$call":error=$error:when="$number" \
    "$tool" "${line[@]}" >out 2>err || code=$?
  ended $code
  judge_failure "$name" $code
  [ -z "$faults" ] || faults="$name, $call number $number, $error$faults"
}

soak system_calls $((2 * $(wc -l <trials)))
