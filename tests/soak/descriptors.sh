# descriptors.sh -- any of the descriptors 0, 1, 2 is closed when a command begins: none of its files gets their number, it
# does what it does otherwise, and says with exit status 1 that its output had nowhere to go.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/soak/soak_support.sh
here=$(realpath "$(dirname "$0")")
source "$here/soak_support.sh"
# shellcheck source=tests/soak/failures.sh
source "$here/failures.sh"
closures=(0 1 2 01 02 12 012)

# trial K: each command with each set of descriptors that are closed
trial() {
  local name=${commands[($1 - 1) / 7]} closed=${closures[($1 - 1) % 7]} code=0 expected=0
  command_line "$name"
  fresh "$name"
  : >out
  (
    case $closed in *0*) exec 0<&- ;; esac
    case $closed in *1*) exec 1>&- ;; esac
    case $closed in *2*) exec 2>&- ;; esac
    exec timeout 60 "$tool" "${line[@]}"
  ) >out 2>err </dev/null || code=$?
  [[ $closed != *1* || ! -s $name.out ]] || expected=1
  [ $code -eq $expected ] || wrong "exit status $code"
  [[ $closed == *1* ]] || same_output || wrong "another output"
  [[ $closed != *1* || $closed == *2* ]] || [ $expected -eq 0 ] || [ -s err ] || wrong "no word"
  left failing | cmp -s - "$name.left" || wrong "other files"
  traces failing
  [ -z "$faults" ] || faults="$name, without $closed$faults"
}

soak descriptors $((7 * ${#commands[@]}))
