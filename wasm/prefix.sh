#!/bin/sh
# wasm/prefix.sh [FOLDER]: the libraries that delassus needs, compiled to WebAssembly from Debian's sources, installed in FOLDER.
# Default: $DELASSUS_WASM_PREFIX, else build-wasm/prefix. A library that is complete there is not built again.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."
. cmake/prepare.sh
prefix=${1:-${DELASSUS_WASM_PREFIX:-build-wasm/prefix}}
need emscripten cmake make dpkg-dev autotools-dev
mkdir -p "$prefix/lib" "$prefix/include" "$prefix/done" "$prefix/sources" "$prefix/logs"
prefix=$(cd "$prefix" && pwd)
export NODE_PATH="/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}" # emscripten needs Debian's acorn, whose node is it or not
jobs=$(nproc)
# No contraction: the numbers are those of the native libraries, to the last bit.
flags="-O2 -ffp-contract=off"

# stage NAME: runs build_NAME once, in an empty folder.
stage() {
  [ ! -e "$prefix/done/$1" ] || return 0
  say "$1 ..."
  rm -rf "$prefix/sources/$1"
  mkdir -p "$prefix/sources/$1"
  # In the background, because sh ignores -e on the left of ||.
  (cd "$prefix/sources/$1" && set -x && "build_$1") >"$prefix/logs/$1" 2>&1 &
  if ! wait $!; then
    tail -n 20 "$prefix/logs/$1" >&2
    say "$1 could not be built; the whole log is in $prefix/logs/$1"
    exit 1
  fi
  touch "$prefix/done/$1"
}

# fetch PACKAGE: its source, unpacked in the current folder. The lists of packages are this prefix's own, not the system's.
fetch() {
  apt="$prefix/sources/apt"
  if [ ! -e "$apt/done" ]; then
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    . /etc/os-release
    echo "deb-src http://deb.debian.org/debian $VERSION_CODENAME main" >"$apt/sources.list"
  fi
  set -- "$1" -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$apt/lists" \
    -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root
  package=$1
  shift
  if [ ! -e "$apt/done" ]; then
    apt-get "$@" -q update
    touch "$apt/done"
  fi
  apt-get "$@" -q source --download-only "$package"
  dpkg-source --no-check --extract ./*.dsc source
}

# compile FLAGS... -- FILES...: objects in the current folder. One call of emcc for many files: most of its time is its start.
compile() {
  options=$flags
  while [ "$1" != -- ]; do
    options="$options $1"
    shift
  done
  shift
  # shellcheck disable=SC2086 # a list of words
  printf '%s\n' "$@" | xargs -P "$jobs" -n 16 emcc $options -c
}

# archive LIBRARY: all objects of the current folder and those below it.
archive() {
  rm -f "$prefix/lib/$1"
  find . -name '*.o' | LC_ALL=C sort | xargs emar qcs "$prefix/lib/$1"
}

# Only the folders that the library or the tests use, and what these use.
build_gsl() {
  fetch gsl
  cd source
  cp /usr/share/misc/config.sub /usr/share/misc/config.guess .
  CFLAGS="$flags" emconfigure ./configure --host=wasm32-unknown-emscripten --disable-shared --prefix="$prefix"
  make -C gsl # links to the headers
  for folder in cblas . sys err complex block vector matrix permutation combination multiset utils ieee-utils blas linalg eigen sort \
    statistics fit multifit multifit_nlinear integration ode-initval2 poly rng randist specfunc cdf min roots; do
    # shellcheck disable=SC2016 # for make
    sources=$(make -s -C "$folder" --eval='print: ; @echo $(foreach v,$(filter lib%_SOURCES,$(.VARIABLES)),$($(v)))' print |
      tr ' ' '\n' | grep '\.c$')
    # shellcheck disable=SC2086 # a list of words
    (cd "$folder" && compile -DHAVE_CONFIG_H -I. -I"$PWD/.." -- $sources)
    if [ "$folder" = cblas ]; then
      archive libgslcblas.a
      rm cblas/*.o
    fi
  done
  archive libgsl.a
  cp -rL gsl "$prefix/include/"
}

# The indices have 64 bits, and those of KLU's factors 32, as natively. CHOLMOD without supernodal factors and UMFPACK without METIS need neither BLAS nor LAPACK.
build_suitesparse() {
  fetch suitesparse
  mkdir -p "$prefix/include/suitesparse"
  config=source/SuiteSparse_config/SuiteSparse_config.h
  sed -i -e 's/#define SuiteSparse_long long$/#define SuiteSparse_long long long/' \
    -e 's/#define SuiteSparse_long_max LONG_MAX$/#define SuiteSparse_long_max LLONG_MAX/' \
    -e 's/#define SuiteSparse_long_idd "ld"$/#define SuiteSparse_long_idd "lld"/' $config
  cp $config source/AMD/Include/*.h source/COLAMD/Include/*.h source/BTF/Include/*.h source/KLU/Include/*.h \
    source/CHOLMOD/Include/*.h source/UMFPACK/Include/*.h "$prefix/include/suitesparse"
  set -- -DDLONG -I"$prefix/include/suitesparse"
  (mkdir config && cd config && compile "$@" -DNTIMER -- ../source/SuiteSparse_config/SuiteSparse_config.c && archive libsuitesparseconfig.a)
  for sources in AMD/Source/amd_ COLAMD/Source/colamd BTF/Source/btf_ KLU/Source/klu; do # with indices of 64 and of 32 bits
    name=$(basename "$sources" _)
    mkdir -p "$name/int"
    (cd "$name" && compile "$@" -- ../source/"$sources"*.c)
    (cd "$name/int" && compile -I"$prefix/include/suitesparse" -- ../../source/"$sources"*.c)
    (cd "$name" && archive "lib$name.a")
  done
  (mkdir cholmod && cd cholmod &&
    compile "$@" -DNPARTITION -DNSUPERNODAL -DNMODIFY -DNMATRIXOPS -DNCAMD -DNCHECK -I../source/CHOLMOD/Core -I../source/CHOLMOD/Cholesky \
      -- ../source/CHOLMOD/Core/cholmod_*.c ../source/CHOLMOD/Cholesky/cholmod_*.c && archive libcholmod.a)
  # Its own Makefile knows which files are compiled several times; of its variants only that of real numbers is needed.
  # shellcheck disable=SC2016 # for make, which knows the lists only after it has read the file
  make -C source/UMFPACK/Lib -j "$jobs" CC=emcc CF="$flags" UMFPACK_CONFIG="-DNBLAS -DNCHOLMOD -DNTIMER" CUDA=no \
    --eval='.SECONDEXPANSION:' --eval='objects: $$(LL) $$(GN) $$(DL)' objects
  (cd source/UMFPACK/Lib && archive libumfpack.a)
}

build_yaml() {
  fetch libyaml
  compile -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 '-DYAML_VERSION_STRING="0.2.5"' \
    -Isource/include -Isource/src -- source/src/*.c
  archive libyaml.a
  cp source/include/yaml.h "$prefix/include/"
}

# CMake 3.25 cannot read sizes of types out of WebAssembly, and KLU's own test links no more than libklu.a.
build_sundials() {
  fetch sundials
  cmake -S source -B build -DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake \
    -DCMAKE_CROSSCOMPILING_EMULATOR="$(command -v node)" -DHAS_int64_t=8 -DHAVE_HAS_int64_t=TRUE -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" -DBUILD_SHARED_LIBS=OFF \
    -DBUILD_CVODES=OFF -DBUILD_IDA=OFF -DBUILD_IDAS=OFF -DBUILD_KINSOL=OFF -DEXAMPLES_ENABLE_C=OFF -DEXAMPLES_INSTALL=OFF \
    -DENABLE_KLU=ON -DKLU_WORKS=TRUE -DKLU_INCLUDE_DIR="$prefix/include/suitesparse" -DKLU_LIBRARY="$prefix/lib/libklu.a" \
    -DAMD_LIBRARY="$prefix/lib/libamd.a" -DCOLAMD_LIBRARY="$prefix/lib/libcolamd.a" -DBTF_LIBRARY="$prefix/lib/libbtf.a" \
    -DSUITESPARSECONFIG_LIBRARY="$prefix/lib/libsuitesparseconfig.a"
  cmake --build build --parallel "$jobs"
  cmake --install build
}

# For the unit tests. Its header defines uintptr_t itself where it does not know that stdint.h has.
build_cmocka() {
  fetch cmocka
  compile -include stdint.h -D_UINTPTR_T_DEFINED -DHAVE_INTTYPES_H -DHAVE_SIGNAL_H -DHAVE_STRINGS_H -DHAVE_UNISTD_H \
    -DHAVE_STRUCT_TIMESPEC -DHAVE_SNPRINTF -DHAVE_VSNPRINTF -Isource/include -- source/src/cmocka.c
  archive libcmocka.a
  cp source/include/cmocka*.h "$prefix/include/"
}

for library in gsl suitesparse yaml sundials cmocka; do
  stage $library
done
say "The libraries are in $prefix."
