# failures.sh -- what a command may do when something fails below it; for system_calls.sh
# and others, which set `here` and call judge_failure. With `own_gnuplot` pictures are those of the gnuplot that is installed.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2154
commands=(order study compare list show run-plot run-events work energy exact distance judge merge verify cite contact spectrum
  advise lesson check-model run-sweep)
command_line() {
  local i
  eval "line=($(sed -n "s/^$1  *//p" "$here/commands.txt"))"
  for i in "${!line[@]}"; do
    [ "${line[i]}" != F ] || line[i]=failing
    line[i]=${line[i]/#F\//failing/}
  done
}

# fresh COMMAND: the folder `failing` as the command finds it
fresh() {
  rm -rf failing
  mkdir failing
  if [ "$1" = merge ]; then
    cp -r parts/. failing
  fi
}

# left FOLDER: everything in it but for times and what the machine is like
left() {
  (
    cd "$1" || exit
    find . -type f ! -name '*.gp' ! -name runs.csv ! -name '.delassus*' | LC_ALL=C sort >../names
    cat ../names
    xargs -rd '\n' awk -F, '
      FNR == 1 { print "== " FILENAME }
      FILENAME ~ /study\.txt$/ && /^(date|load|cpu|wall_seconds|concurrent runs|processors): / { next }
      FILENAME ~ /\.html$/ && /processor|CPU|load|[0-9] s[^a-z]|seconds|[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]/ { next }
      FILENAME ~ /\.html$/ { gsub(/ --resume| \\$|<\/pre>$/, ""); if ($0 ~ /^ *$/) next } # the command, broken into lines
      { columns = FILENAME ~ /work\.csv$/ ? 15 : FILENAME ~ /errors\.csv$|\.html$/ ? 11 : 0 }
      columns == 0 || NF <= columns { print; next }
      { for (i = 1; i <= columns; i++) printf "%s,", $i; print "" }
    ' <../names
  )
}

# What each command does undisturbed.
if [ ! -e prepared ]; then
  bash "$here/inputs.sh" "$tool" || exit 1
  touch prepared
fi
[ -n "${own_gnuplot:-}" ] || PATH="$PWD/bin:$PATH" # a quick one
for name in "${commands[@]}"; do
  if [ ! -e "$name.left" ]; then
    command_line "$name"
    fresh "$name"
    "$tool" "${line[@]}" >"$name.out" 2>/dev/null || exit 1
    left failing >"$name.left"
  fi
done

# The command $name once more, in the folder that it left
do_again() {
  local resume=()
  case $name in
  order | study | work | run-sweep) resume=(--resume) ;;
  esac
  command_line "$name"
  "$tool" "${line[@]}" "${resume[@]}" >out 2>err
}

# The same was printed, but for the time that a contact problem took
same_output() {
  case $name in
  contact) cmp -s <(cut -d, -f1-8,10- out) <(cut -d, -f1-8,10- contact.out) ;;
  *) cmp -s out "$name.out" ;;
  esac
}

left_as_undisturbed() {
  same_output || wrong "done again it has another output"
  find failing -name '.delassus*' -delete # of compare, which has no --resume
  left failing | cmp -s - "$name.left" || wrong "done again it leaves other files"
}

# failing COMMAND CODE: it has ended so, with out and err, while something failed
judge_failure() {
  local name=$1 code=$2 again=0
  if [ "$code" -eq 0 ]; then
    same_output || wrong "exit status 0, but another output"
    left failing | cmp -s - "$name.left" || wrong "exit status 0, but other files"
  elif [ ! -s err ]; then
    wrong "exit status $code without a word"
  fi
  # a folder as at the beginning, or as an undisturbed command leaves it, needs no proof
  if [ -z "$(find failing -type f)" ] || { [ "$code$faults" = 0 ] && [ -z "$(find failing -name '.delassus*')" ]; }; then
    return
  fi
  do_again || again=$?
  [ $again -eq 0 ] || wrong "done again it ends with $again: $(head -1 err)"
  ! grep -q damaged err || wrong "$(grep damaged err)"
  left_as_undisturbed
}
