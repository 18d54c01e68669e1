# test_completion.sh -- what bash offers for a line of delassus.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034 # COMP_ variables are bash's
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
compopt() { options="$*"; }
source "$source/cmake/completion.bash"
PATH=$build/bin:$PATH
complete -p delassus >log || fail "nothing is registered for delassus"

# offers LINE WORD...: the words offered at the end of the line, in any order; bash breaks words at : and =
offers() {
  COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=() options=""
  shift
  _delassus
  local got expected
  got=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ')
  expected=$(printf '%s\n' "$@" | sort | tr '\n' ' ')
  [ "$got" = "$expected" ] || fail "'$COMP_LINE' offers $got, expected $expected"
}
# offers_some LINE WORD...: these among others
offers_some() {
  COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
  shift
  _delassus
  printf '%s\n' "${COMPREPLY[@]}" >got
  for word in "$@"; do
    grep -qxF -e "$word" got || fail "'$COMP_LINE' does not offer $word, but $(tr '\n' ' ' <got)"
  done
}

offers_some "delassus " list show run exact order energy
offers "delassus dist" distance
offers "delassus --ver" --version
offers_some "delassus run b" bouncing-ball bead-column
offers "delassus run bouncing-ba" bouncing-ball
offers "delassus run bouncing-ball --sch" --scheme
offers_some "delassus run bouncing-ball --" --scheme --step --set --out --plugin --help
offers_some "delassus run bouncing-ball --scheme mor" moreau-jean moreau-jean-variant
offers_some "delassus run bouncing-ball --scheme=mor" moreau-jean moreau-jean-variant
offers "delassus run bouncing-ball --scheme moreau-jean:the" theta=
[ "$options" = "-o nospace" ] || fail "a blank would follow theta="
offers "delassus run bouncing-ball --scheme moreau-jean:theta=1,gam" 1,gamma=
offers_some "delassus run bouncing-ball --scheme event-driven:method=" adams bdf
offers_some "delassus run bouncing-ball --set " m= e= q0= v0=
offers "delassus run bouncing-ball --set=q" q0=
offers "delassus order bouncing-ball --norm l1,haus" l1,hausdorff
offers "delassus list st" studies
offers_some "delassus show moreau" moreau-jean
offers "delassus show haus" hausdorff
offers "delassus run bouncing-ball --progress al" always
offers "delassus work bouncing-ball --against e" evals
offers "delassus order bouncing-ball --reference ev" event-driven
offers "delassus run matrix-model --set M" M=
offers "delassus --plugin=none.so li" list
offers "delassus study example-ord" example-order
offers "delassus list --format " text csv
# files are bash's own business
offers "delassus distance a" ""
offers "delassus run bouncing-ball --out b" ""
# in the middle of a line
COMP_LINE="delassus ru bouncing-ball" COMP_POINT=11 COMPREPLY=()
_delassus
[ "${COMPREPLY[*]}" = run ] || fail "in the middle of a line: ${COMPREPLY[*]}"

# without : and = among the word breaks whole words are offered
COMP_WORDBREAKS=" "
offers "delassus run bouncing-ball --scheme moreau-jean:the" moreau-jean:theta=

# zsh and fish ask the tool in the same way
if command -v zsh >/dev/null; then
  in_zsh() {
    zsh -f -c 'compdef() { }; compadd() { print -r -- "$@" }; _files() { print files }
      source '"$source"'/cmake/completion.zsh; words=("$@"); CURRENT=$#words; _delassus' zsh "$@"
  }
  equal_to() { [ "$2" = "$3" ] || fail "$1 is '$2', expected '$3'"; }
  equal_to "zsh, model" "$(in_zsh delassus run bouncing-ba)" "-Q -- bouncing-ball"
  equal_to "zsh, option of a scheme" "$(in_zsh delassus run bouncing-ball --scheme moreau-jean:the)" "-Q -S  -- moreau-jean:theta="
  equal_to "zsh, file" "$(in_zsh delassus distance a)" "files"
fi
if command -v fish >/dev/null; then
  in_fish() { fish --no-config -c "source $source/cmake/completion.fish; complete -C '$1'" | cut -f1 | tr '\n' ' '; }
  [ "$(in_fish 'delassus run bouncing-ba')" = "bouncing-ball " ] || fail "fish, model: $(in_fish 'delassus run bouncing-ba')"
  [ "$(in_fish 'delassus list st')" = "studies " ] || fail "fish, kind: $(in_fish 'delassus list st')"
fi

# nothing is printed besides, and nothing fails, whatever stands there
for line in "delassus run nothing --set " "delassus nothing x" "delassus run --scheme nothing:x" "delassus --plugin none.so l"; do
  COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
  _delassus >log 2>&1 || fail "'$line' fails"
  [ ! -s log ] || fail "'$line' prints $(cat log)"
done
finish
