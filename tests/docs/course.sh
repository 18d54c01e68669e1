# course.sh TOOL FOLDER -- every solution of the course agrees, and so does each expectation that its sheet gives: they are those of the
# solution, but for comments and spaces.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
tool=$(realpath "$1")
folder=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
count=0
plain() { sed 's/#.*//; s/[[:space:]]//g' "$@"; }
for study in "$folder"/week-*.yaml; do
  count=$((count + 1))
  name=$(basename "$study" .yaml)
  "$tool" study "$study" --out "$name" >out 2>err || cat err
  if ! grep -qE "^$name: reproduces our own values ([0-9]+) of \1$" out; then
    failures=$((failures + 1))
    echo "FAILED: $name: $(tail -2 out)"
  fi
  plain "$study" | tr -d '\n' >solution
  while IFS= read -r line; do
    if ! grep -qF -e "$line" solution; then
      failures=$((failures + 1))
      echo "FAILED: $name.md expects what the solution does not: $line"
    fi
  done < <(grep -E '^ +- \{quantity' "$folder/$name.md" | plain)
done
echo "$count solutions, $failures failed"
[ "$failures" -eq 0 ] && [ "$count" -eq 6 ]
