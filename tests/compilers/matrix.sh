#!/bin/bash
# matrix.sh [--root DIR] [--i386 DIR] FOLDER
# The trajectories of trajectories.sh by all that may not change them, and by what may: compilers and their optimisation,
# another BLAS, another Debian, 32 bits. Each cell is built in FOLDER once, and not made again on the same commit.
#
#   gcc, clang, gcc -O0, gcc -O3 -march=native, clang -O0   the same bytes are promised
#   openblas   the same build with OpenBLAS in place of the reference BLAS, or the other way round
#   debian-13  with --root DIR, a root of Debian 13 that has what ./check installs (tests/roots/bare_roots.sh): gcc 14, SUNDIALS 7
#   i386       with --i386 DIR, a root of Debian for i386 (debootstrap --arch i386) that has what ./demo installs, SuiteSparse from 7
#              on: gcc -msse2 -mfpmath=sse; no promise
#
# Ends in a line for each cell. Exit status: 0 what is promised holds, 1 it does not, 2 the request is wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
set -uo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/compilers/trajectories.sh
. "$source/tests/compilers/trajectories.sh"
refuse() {
  printf 'matrix.sh: %s\n' "$*" >&2
  exit 2
}

root='' root32=''
while [ $# -gt 0 ]; do
  case $1 in
    --root | --i386)
      [ $# -gt 1 ] || refuse "$1 needs a value"
      folder=$(realpath -e "$2" 2>/dev/null) || refuse "there is no $2"
      [ "$1" = --root ] && root=$folder || root32=$folder
      shift 2
      ;;
    -*) refuse "unknown option $1" ;;
    *) break ;;
  esac
done
[ $# -eq 1 ] || refuse "in which folder?"
mkdir -p "$1"
folder=$(realpath "$1")
commit=$(git -C "$source" rev-parse HEAD)
status=0

# made NAME: was the cell made from this commit?
made() { [ "$(cat "$folder/$1.made" 2>/dev/null)" = "$commit" ]; }

# judge NAME PROMISED: the cell beside that of gcc
judge() {
  if [ "$1" = gcc ]; then
    return 0
  elif [ ! -d "$folder/$1-runs" ]; then
    say "$1: not made"
  elif ! same "$folder/gcc-runs" "$folder/$1-runs" && [ "$2" = promised ]; then
    status=1
  fi
}

# cell NAME COMPILER [FLAGS]
cell() {
  command -v "$2" >/dev/null || {
    say "$1: there is no $2"
    return 0
  }
  made "$1" || {
    build "$source" "$folder/$1" "$2" "${3:-}" && run_all "$folder/$1/bin/delassus" "$folder/$1-runs" && say "$commit" >"$folder/$1.made"
  } || {
    say "$1: does not build, or a run fails"
    status=1
  }
  judge "$1" promised
}

# OpenBLAS unpacked beside the system's, and put before it
openblas() {
  made openblas || (
    mkdir -p "$folder/openblas" && cd "$folder/openblas" && apt-get download -qq -o APT::Sandbox::User=root libopenblas0-serial && dpkg -x ./*.deb . || exit 1
    LD_LIBRARY_PATH=$(dirname "$(find "$PWD" -name libblas.so.3)")
    export LD_LIBRARY_PATH
    run_all "$folder/gcc/bin/delassus" "$folder/openblas-runs" && say "$commit" >"$folder/openblas.made"
  )
  judge openblas open
}

# elsewhere NAME ROOT MACHINE [FLAGS]: in a root of its own, as on a MACHINE of this name
elsewhere() {
  local inside=/root/matrix root=$2
  made "$1" || {
    rm -rf "${root:?}$inside"
    git clone -q --no-hardlinks "$source" "$root$inside" &&
      chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root JOBS="${JOBS:-}" setarch "$3" bash -c "
        . $inside/tests/compilers/trajectories.sh && build $inside $inside/build gcc '${4:-}' && run_all $inside/build/bin/delassus $inside/runs" \
        2>"$folder/$1.log" &&
      rm -rf "$folder/$1-runs" && cp -r "$root$inside/runs" "$folder/$1-runs" && say "$commit" >"$folder/$1.made"
  } || {
    say "$1: does not build, or a run fails"
    status=1
  }
  judge "$1" open
}

cell gcc gcc
cell clang clang
cell gcc-O0 gcc -O0
cell gcc-O3-native gcc "-O3 -march=native"
cell clang-O0 clang -O0
openblas
[ -z "$root" ] || elsewhere debian-13 "$root" "$(uname -m)"
[ -z "$root32" ] || elsewhere i386 "$root32" i686 "-O2 -msse2 -mfpmath=sse"
exit $status
