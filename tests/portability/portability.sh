#!/bin/bash
# portability.sh [--only REGEX] [--tests REGEX] BUILD FOLDER
# Run the tests of a build in variants that differ as machines differ:
#
#   faithful-1, -2, -3   every transcendental function of libm, double and long double, rounded to either neighbour (faithful_libm.c)
#   sse2                 glibc's kernels without AVX and FMA (GLIBC_TUNABLES)
#   openblas-CORE        OpenBLAS as BLAS and LAPACK with the kernels of CORE (package libopenblas0-serial)
#   german, utc+12:45    a locale with a decimal comma, in which LC_ALL and LANG name it; a time zone with quarters of hours
#
# A variant that passed for the same tool is not run again, so that the script can be stopped and started. -mlong-double-64 is no
# variant: glibc's long-double functions have the 80 bits of the ABI. FOLDER keeps one log of ctest for each variant.
# Exit status: 0 all pass, 1 a test fails, 2 the request is wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
refuse() {
  printf 'portability.sh: %s\n' "$*" >&2
  exit 2
}

only=. tests='^(common|analytic|event_driven|time_stepping|experiments|docs)\.'
while [ $# -gt 0 ]; do
  case $1 in
    --only | --tests)
      [ $# -gt 1 ] || refuse "$1 needs a regular expression"
      [ "$1" = --only ] && only=$2 || tests=$2
      shift 2
      ;;
    -*) refuse "unknown option $1" ;;
    *) break ;;
  esac
done
[ $# -eq 2 ] || refuse "expected the build folder and a folder for logs, got $# words"
build=$(realpath -e "$1") || refuse "there is no build folder $1"
mkdir -p "$2" && folder=$(realpath "$2") || refuse "cannot make the folder $2"
state="$(sha256sum "$build/bin/delassus" | cut -c1-64) $tests"
status=0

# variant NAME [VARIABLE=VALUE...]
variant() {
  local name=$1
  shift
  [[ $name =~ $only ]] || return 0
  if [ "$(cat "$folder/$name.passed" 2>/dev/null)" = "$state" ]; then
    printf '%s: passed before\n' "$name"
    return 0
  fi
  if env OPENBLAS_NUM_THREADS=1 "$@" ctest --test-dir "$build" --parallel "$(nproc)" --output-on-failure -R "$tests" >"$folder/$name.log" 2>&1; then
    printf '%s' "$state" >"$folder/$name.passed"
  else
    status=1
  fi
  printf '%s: %s\n' "$name" "$(grep -E '^[0-9]+% tests passed' "$folder/$name.log" || echo 'ctest did not end')"
  sed -n 's/^[[:space:]]*[0-9]* - \(.*\) (\(Failed\|Timeout\|SEGFAULT\).*/  \1: \2/p' "$folder/$name.log"
}

if gcc -O2 -shared -fPIC -fno-builtin "$here/faithful_libm.c" -o "$folder/faithful_libm.so" -lquadmath 2>"$folder/faithful_libm.log"; then
  for seed in 1 2 3; do
    variant "faithful-$seed" FAITHFUL_SEED=$seed LD_PRELOAD="$folder/faithful_libm.so"
  done
else
  printf 'faithful: not run, as gcc with libquadmath cannot build faithful_libm.c (see %s)\n' "$folder/faithful_libm.log"
fi
variant sse2 GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX,-AVX2,-AVX_Usable,-AVX2_Usable,-FMA,-FMA_Usable,-FMA4,-FMA4_Usable,-AVX512F
# From its package, unpacked beside the logs: an installed one would become the machine's BLAS.
if [ ! -d "$folder/openblas" ]; then
  (cd "$folder" && apt-get download -qq libopenblas0-serial && dpkg -x libopenblas0-serial_*.deb openblas) >"$folder/openblas.log" 2>&1
fi
blas=$(dirname "$(find "$folder/openblas" -name 'libblas.so.3' -print -quit 2>/dev/null)")
if [ -e "$blas/libblas.so.3" ]; then
  for core in Nehalem Haswell SkylakeX Zen; do
    if [ "$core" != SkylakeX ] || grep -q avx512f /proc/cpuinfo; then
      variant "openblas-$core" OPENBLAS_CORETYPE=$core LD_LIBRARY_PATH="$blas"
    fi
  done
else
  printf 'openblas: not run, as the package libopenblas0-serial cannot be had (see %s)\n' "$folder/openblas.log"
fi
if [ -e "$folder/locales/de_DE.UTF-8" ] || { mkdir -p "$folder/locales" && localedef -i de_DE -f UTF-8 "$folder/locales/de_DE.UTF-8"; } 2>/dev/null; then
  variant german LOCPATH="$folder/locales" LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8
else
  printf 'german: not run, localedef finds no de_DE (package locales)\n'
fi
variant utc+12:45 TZ=Pacific/Chatham
exit $status
