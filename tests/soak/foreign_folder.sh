# foreign_folder.sh TOOL -- tests/experiments/test_cli_foreign_folder.sh with every system call looked at: nothing of the folder is loaded
# or started, no file beside it is written. Takes some minutes.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
root=$(realpath "$(dirname "$0")/../..")
if ! strace -o /dev/null true 2>/dev/null; then
  echo "no strace here, or it may not trace"
  exit 77
fi
bash "$root/tests/experiments/test_cli_foreign_folder.sh" "$(realpath "$1")" "$root" strace
