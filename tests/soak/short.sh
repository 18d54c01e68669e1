# short.sh -- some trials of a soak, for ctest: bash short.sh NAME TOOL RANGE. Exit status 77 if this machine cannot do it.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [[ $1 =~ ^(system_calls|signals|power_loss)$ ]] && ! strace -o /dev/null true 2>/dev/null; then
  echo "no strace here, or it may not trace"
  exit 77
fi
bash "$here/$1.sh" "$2" "$folder" "$3"
