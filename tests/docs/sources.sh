# sources.sh TOOL PAGE [full] -- every row of the tables of docs/sources.md has a command that works, or says why it has none
# (*open*, in its last column); every equation and every figure of the sources is in a row. Studies are checked (`study
# --check`), other commands are run, all in one folder; `full`: the studies are run, too.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
tool=$(realpath "$1")
page=$(realpath "$2")
full=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}

# rows: source|where|command|came out, one a line; a bar inside a cell does not occur
awk -F' *[|] *' '
  /^## / { source = $0; sub(/^## /, "", source) }
  source != "" && /^\| / && $2 != "where" && $2 !~ /^-+$/ {
    if (NF != 6) print "BAD|" $0; else print source "|" $2 "|" $4 "|" $5
  }
' "$page" >rows
grep '^BAD' rows && fail "rows that have not four columns"

count=0
commands=$(cut -d'|' -f3 rows | sed 's/^`\(.*\)`$/\1/' | sort -u)
while IFS= read -r command; do
  [ -n "$command" ] || continue
  count=$((count + 1))
  case $command in
  study\ *) [ -n "$full" ] || command="$command --check" ;;
  esac
  # shellcheck disable=SC2086
  "$tool" $command >out 2>err </dev/null || fail "delassus $command: $(head -1 err)"
done <<<"$commands"

while IFS='|' read -r source where command out; do
  if [ -z "$command" ] && [[ $out != \*open\** && $where != *misprint* ]]; then
    fail "$source, $where: no command, and no reason why"
  fi
  [ -n "$out" ] || fail "$source, $where: nothing came out"
done <rows

# covered SOURCE PREFIX LAST: (PREFIX1) to (PREFIX LAST) all stand in a first column, alone or in a range with an en dash
covered() {
  awk -F'|' -v source="$1" -v prefix="$2" -v last="$3" '
    $1 == source {
      rest = $2
      while (match(rest, /\([0-9A-Z.]+\)(–\([0-9A-Z.]+\))?/)) {
        text = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        gsub(/[()]/, "", text)
        n = split(text, ends, "–")
        if (index(ends[1], prefix) != 1) continue
        from = substr(ends[1], length(prefix) + 1) + 0
        to = n > 1 ? substr(ends[2], length(prefix) + 1) + 0 : from
        for (i = from; i <= to; i++) seen[i] = 1
      }
    }
    END { for (i = 1; i <= last; i++) if (!seen[i]) { print source ": (" prefix i ") is in no row"; bad = 1 } exit bad }
  ' rows || fail "$1: equations that no row has"
}
covered RR-8602 "" 108
covered Lecture "" 143
covered Armero–Petőcz "2." 46
covered Armero–Petőcz "3." 47
covered Armero–Petőcz "4." 3
covered Armero–Petőcz "I." 9
covered Lens–Cardona "" 72
covered Acary–Collins-Craft "" 80

# figures SOURCE NUMBER...: each stands in a first column as "figure N", "figures N to M" or "figures N, M"
figures() {
  local source=$1 number
  shift
  for number; do
    awk -F'|' -v source="$source" -v number="$number" '
      function key(x,  p) { return split(x, p, ".") > 1 ? p[1] * 100 + p[2] : x + 0 }
      $1 == source && $2 ~ /figure/ {
        rest = $2
        sub(/.*figures? /, "", rest)
        n = split(rest, parts, ", ")
        for (i = 1; i <= n; i++) {
          m = split(parts[i], ends, " to ")
          if (ends[1] !~ /^[0-9]/) continue
          if (key(number) >= key(ends[1]) && key(number) <= key(ends[m])) found = 1
        }
      }
      END { exit !found }
    ' rows || fail "$source: figure $number is in no row"
  done
}
figures Armero–Petőcz 2.1 2.2 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9
# shellcheck disable=SC2046
figures Lens–Cardona $(seq 1 26)

echo "$(wc -l <rows) rows, $count commands, $failures failed"
[ $failures -eq 0 ]
