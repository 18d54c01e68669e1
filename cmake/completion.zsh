#compdef delassus
# Completion of delassus for zsh. The tool itself knows what a word could become: it has the tables.
# SPDX-License-Identifier: GPL-3.0-or-later

_delassus() {
  local -a candidates open closed
  candidates=("${(@f)$(${(Q)words[1]/#\~/$HOME} --complete "${(@Q)words[1,CURRENT]}" 2>/dev/null)}")
  candidates=(${candidates:#})
  open=(${(M)candidates:#*=})   # a value follows
  closed=(${candidates:#*=})
  (( $#open )) && compadd -Q -S '' -- $open
  (( $#closed )) && compadd -Q -- $closed
  (( $#candidates )) || _files
}

compdef _delassus delassus
