#!/bin/bash
# pages.sh -- in a bare Debian, as root, from a clone of this repository: the commands of README.md and of each page of the Guide, typed
# in order, with the packages that a page names. Each page ends in its pictures within 60 s.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
cd "$(dirname "$0")/../.."
export DEBIAN_FRONTEND=noninteractive
say() { printf '== %s\n' "$*"; }

say "The commands of README.md"
awk '/^```sh$/ { on = 1; next } /^```/ { if (on) exit } on' README.md >/tmp/commands
[ "$(wc -l </tmp/commands)" -ge 3 ] || { say "no commands in README.md" && exit 1; }
cat /tmp/commands
bash -euo pipefail /tmp/commands >/tmp/readme.log 2>&1 || { tail -n 30 /tmp/readme.log && exit 1; }
named=$(sed -n '/^Look at these pictures first:/,/^Each has/s/^  \(demo-output[^ ]*\).*/\1/p' /tmp/readme.log)
[ "$(wc -w <<<"$named")" -ge 3 ] || { say "./demo names no pictures" && exit 1; }
for file in $named ball.png study/order_l1_v.png lesson.html; do
  [ -s "$file" ] || { say "$file is missing" && exit 1; }
done

apt-get update -qq
apt-get install -y -qq --no-install-recommends python3 >/dev/null # guide_page.py is written in it
failed=0
for page in docs/guide/*.md; do
  case $page in */README.md) continue ;; esac
  # shellcheck disable=SC2016 # the quotation marks of Markdown
  for package in $(sed -n 's/.*`sudo apt-get install \([^`]*\)`.*/\1/p' "$page" | tr ' ' '\n'); do
    apt-get install -y -qq --no-install-recommends "$package" >/dev/null
  done
  python3 tests/docs/guide_page.py . build "$page" --limit 60 || failed=1
done
exit $failed
