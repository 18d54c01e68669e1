# demo.sh TOOL SOURCE -- all commands of ./demo, with the tool that is built, and no verdict that its numbers contradict.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
tool=$(realpath "$1")
source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -e '/^cd /d' -e '/prepare\.sh/d' -e '/^need /d' -e '/^build /d' -e "s|^delassus=.*|delassus=$tool|" "$source/demo" >"$work/demo"
grep -q "^delassus=$tool$" "$work/demo"
cd "$work"
say() { :; }
# shellcheck disable=SC1091 # made above
. ./demo >out
rm demo out
python3 "$source/tests/docs/verdicts.py" --self
python3 "$source/tests/docs/verdicts.py" "$work" | tee said
grep -q '^[1-9][0-9]* verdicts, 0 ' said
