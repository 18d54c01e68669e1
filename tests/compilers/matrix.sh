#!/bin/bash
# matrix.sh [--root DIR] FOLDER
# The trajectories of trajectories.sh by all that may not change them, and by what may: compilers and their optimisation,
# another BLAS, another Debian, 32 bits. Each cell is built in FOLDER once, and not made again on the same commit.
#
#   gcc, clang, gcc -O0, gcc -O3 -march=native, clang -O0   the same bytes are promised
#   openblas   the same build with OpenBLAS in place of the reference BLAS, or the other way round
#   debian-13  with --root DIR, a root of Debian 13 that has what ./check installs (tests/roots/bare_roots.sh): gcc 14, SUNDIALS 7
#   i386       gcc -m32 -msse2 -mfpmath=sse, where the libraries are there for it: no promise, so nothing fails
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

root=
if [ "${1:-}" = --root ]; then
  [ $# -gt 1 ] || refuse "--root needs a value"
  root=$(realpath "$2") || refuse "there is no $2"
  shift 2
fi
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
    say "$1: does not build"
    status=1
  }
  judge "$1" promised
}

# OpenBLAS unpacked beside the system's, and put before it
openblas() {
  made openblas || (
    mkdir -p "$folder/openblas" && cd "$folder/openblas" && apt-get download -qq libopenblas0-serial && dpkg -x ./*.deb . || exit 1
    LD_LIBRARY_PATH=$(dirname "$(find "$PWD" -name libblas.so.3)")
    export LD_LIBRARY_PATH
    run_all "$folder/gcc/bin/delassus" "$folder/openblas-runs" && say "$commit" >"$folder/openblas.made"
  )
  judge openblas open
}

debian_13() {
  local inside=/root/matrix
  made debian-13 || {
    rm -rf "${root:?}$inside"
    git clone -q --no-hardlinks "$source" "$root$inside" &&
      chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root bash -c "
        . $inside/tests/compilers/trajectories.sh && build $inside $inside/build gcc && run_all $inside/build/bin/delassus $inside/runs" &&
      rm -rf "$folder/debian-13-runs" && cp -r "$root$inside/runs" "$folder/debian-13-runs" && say "$commit" >"$folder/debian-13.made"
  }
  judge debian-13 open
}

i386() {
  PKG_CONFIG_LIBDIR=/usr/lib/i386-linux-gnu/pkgconfig build "$source" "$folder/i386" gcc "-O2 -m32 -msse2 -mfpmath=sse" >/dev/null &&
    run_all "$folder/i386/bin/delassus" "$folder/i386-runs"
  judge i386 open
}

cell gcc gcc
cell clang clang
cell gcc-O0 gcc -O0
cell gcc-O3-native gcc "-O3 -march=native"
cell clang-O0 clang -O0
openblas
[ -z "$root" ] || debian_13
i386
exit $status
