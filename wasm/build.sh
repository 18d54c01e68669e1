#!/bin/sh
# wasm/build.sh [FOLDER]: delassus in WebAssembly, in FOLDER (default: build-wasm): bin/delassus.js is the tool for node,
# wasm/delassus-page.js and .wasm.gz are the module for pages, wasm/delassus-playground.js.gz and .wasm.gz that of `delassus playground`, and
# wasm/delassus-tool.js is the tool for the handbook. They are copied to build/wasm too if build exists.
# wasm/prefix.sh builds the libraries that are missing.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
folder=${1:-build-wasm}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."
. cmake/prepare.sh
prefix=${DELASSUS_WASM_PREFIX:-build-wasm/prefix}
wasm/prefix.sh "$prefix"
prefix=$(cd "$prefix" && pwd)
export NODE_PATH="/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}"
say "Building into $folder ..."
build "$folder" -DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake -DCMAKE_FIND_ROOT_PATH="$prefix" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-Os -DNDEBUG" \
  -DDLS_SHARED=OFF -DDLS_ARB=OFF -DDLS_HDF5=OFF -DDLS_BENCH=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=OFF
mkdir -p "$folder/wasm"
gzip -9nc "$folder/bin/delassus-page.wasm" >"$folder/wasm/delassus-page.wasm.gz"
cp "$folder/bin/delassus-page.js" "$folder/wasm"
# What `delassus playground` puts into pages. zopfli takes longer than gzip, and makes files that are 4 % smaller: without it the page has
# 1.41 MB in place of 1.35.
pack() {
  if command -v zopfli >/dev/null; then zopfli -c "$1"; else gzip -9nc "$1"; fi
}
for part in wasm js; do
  pack "$folder/bin/delassus-playground.$part" >"$folder/wasm/delassus-playground.$part.gz"
done
version=$(sed -n 's/^project(delassus VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
flat=$(sed -n 's/^#define DLS_FLAT_VERSION //p' experiments/delassus/flat.h)
echo "$version, flat.h $flat" >"$folder/wasm/delassus-playground.version" # the tool refuses another one
# One script that pages without network can load.
{
  echo 'var delassusTool = {};'
  for part in js wasm; do
    printf 'delassusTool.%s = "' $part
    pack "$folder/bin/delassus-tool.$part" | base64 -w 0
    printf '";\n'
  done
} >"$folder/wasm/delassus-tool.js"
if [ -d build ]; then # where the native tool looks for it
  mkdir -p build/wasm
  cp "$folder"/wasm/delassus-* build/wasm
fi
say "The tool: node $folder/bin/delassus.js. For pages: $folder/wasm"
