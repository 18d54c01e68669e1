# references.sh TOOL PAGE -- the table of the page is what `cite --all --format table` prints now.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
difference=$("$1" cite --all --format table | diff - <(grep '^| `' "$2"))
if [ -n "$difference" ]; then
  printf '%s is not what `cite --all --format table` prints:\n%s\n' "$2" "$difference"
  exit 1
fi
