# run_page.sh [--pictures] TOOL PAGE [FOLDER] -- every command of a page of the handbook works; they find the files of the folder.
# A command is an indented or fenced line "delassus ..." or "$ ...", a backslash continues it. Synopses (with [...], or
# capitals in place of a name) are left out. A line "delassus COMMAND: ..." right below a command is its message: the
# command must then print exactly this, and may fail. After "  # has: " come patterns of source_rows.py, separated by ", ", which its
# output must contain. No verdict of a table that they write or print may contradict its numbers. The commands of a page run in its
# order in one folder. A picture with a title, ![what it shows](../images/NAME.png "FOLDER/FILE.png"), is FILE as they make it;
# --pictures copies it there.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
copy=
if [ "$1" = --pictures ]; then
  copy=yes
  shift
fi
tool=$(realpath "$1")
page=$(realpath "$2")
patterns=$(realpath "$(dirname "$0")/source_rows.py")
verdicts=$(realpath "$(dirname "$0")")/verdicts.py
files=${3:+$(realpath "$3")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
[ -z "$files" ] || cp -r "$files/." .
mkdir bin
ln -s "$tool" bin/delassus
PATH=$work/bin:$PATH

awk '
  /^```/ { fenced = !fenced; next }
  !fenced && !/^    / { next }
  {
    line = $0
    sub(/^ */, "", line)
    asked = sub(/^\$ /, "", line)
    if (joined == "" && !asked && line !~ /^delassus /) next
    joined = joined line
    if (sub(/\\$/, "", joined)) next
    print joined
    joined = ""
  }
' "$page" >lines

count=0
failures=0
command=
check() { # the command that was read, and the message that the page says it ends with
  [ -n "$command" ] || return 0
  count=$((count + 1))
  local code=0
  (eval "$command") >out 2>err </dev/null || code=$?
  cat out >>printed
  if [ -z "$message" ] && [ $code -ne 0 ]; then
    failures=$((failures + 1))
    echo "FAILED (exit status $code): $command"
    head -5 err
  elif [ -n "$message" ] && ! grep -qxF -e "$message" err; then
    failures=$((failures + 1))
    printf 'FAILED: %s\n  the page:    %s\n  the command: %s\n' "$command" "$message" "$(head -1 err)"
  elif [[ $command == *'  # has: '* ]] && ! python3 "$patterns" --has "${command##*  # has: }" out err; then
    failures=$((failures + 1))
    echo "FAILED: $command"
  fi
}
message=
while IFS= read -r line; do
  if [[ $line =~ ^delassus\ [a-z]+: ]]; then
    message=$line
    continue
  fi
  check
  message=
  command=$line
  if [[ $line =~ \[|\.\.\.|(^| )[A-Z]+( |$) ]]; then
    command= # a synopsis
  fi
done <lines
check
rm -f out err
while read -r picture file; do
  if [ ! -s "$file" ]; then
    failures=$((failures + 1))
    echo "FAILED: no command makes $file, of which $picture is a copy"
  elif [ -n "$copy" ]; then
    cp "$file" "$(dirname "$page")/$picture"
  fi
done < <(sed -nE 's/.*!\[[^]]*\]\(([^) ]+) "([^"]+)"\).*/\1 \2/p' "$page")
python3 "$verdicts" . || failures=$((failures + 1))
echo "$count commands, $failures failed"
[ $failures -eq 0 ]
