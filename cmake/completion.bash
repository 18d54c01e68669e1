# Completion of delassus for bash. The tool itself knows what a word could become: it has the tables.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

_delassus() {
  local line=${COMP_LINE:0:COMP_POINT} words current settled
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=${words[${#words[@]} - 1]}
  mapfile -t COMPREPLY < <("${words[0]/#\~/$HOME}" --complete "${words[@]}" 2>/dev/null)
  # bash replaces only what stands behind the last of its word breaks
  settled=${current%"${current##*["${COMP_WORDBREAKS//[^:=]/}"]}"}
  [[ $COMP_WORDBREAKS == *[:=]* ]] && COMPREPLY=("${COMPREPLY[@]#"$settled"}")
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  return 0
}
complete -o default -F _delassus delassus
