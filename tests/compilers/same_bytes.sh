#!/bin/bash
# same_bytes.sh FOLDER [COMPILER[:FLAGS]...]
# Builds the tool with each compiler (default gcc and clang) in FOLDER/COMPILER and compares the trajectories of ./demo, and
# some of other schemes: they must have the same bytes, but for the lines that name the compiler and the libraries. FLAGS, such
# as gcc:-O0, take the place of CMake's for a release. Started again it goes on where it was. Exit status: 0 all the same,
# 1 something differs or does not build, 2 the request is wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/compilers/trajectories.sh
. "$source/tests/compilers/trajectories.sh"
refuse() {
  printf 'same_bytes.sh: %s\n' "$*" >&2
  exit 2
}

[ $# -gt 0 ] || refuse "in which folder?"
mkdir -p "$1"
folder=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- gcc clang
[ $# -gt 1 ] || refuse "two compilers are needed to compare"
for one in "$@"; do
  command -v "${one%%:*}" >/dev/null || refuse "there is no ${one%%:*}"
done

status=0 first=
for one in "$@"; do
  compiler=${one%%:*} name=$(tr -d ' :=' <<<"$one")
  say "$one: $("$compiler" --version | head -1)"
  build "$source" "$folder/$name" "$compiler" "$([ "$one" = "$compiler" ] || say "${one#*:}")" || {
    say "$one: does not build"
    exit 1
  }
  run_all "$folder/$name/bin/delassus" "$folder/$name-runs" || {
    say "$one: a run fails: $folder/$name-runs.log"
    exit 1
  }
  first=${first:-$folder/$name-runs}
  [ "$first" = "$folder/$name-runs" ] || same "$first" "$folder/$name-runs" || status=1
done
exit $status
