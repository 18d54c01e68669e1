#!/bin/sh
# wasm/pack.sh [FOLDER]: the npm package of what wasm/build.sh has made in FOLDER (default: build-wasm): FOLDER/delassus-VERSION.tgz.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
say() { printf 'wasm/pack.sh: %s\n' "$*" >&2; }
folder=${1:-build-wasm}
for file in bin/delassus.js bin/delassus.wasm wasm/delassus-page.js wasm/delassus-page.wasm.gz; do
  [ -e "$folder/$file" ] || { say "there is no $folder/$file; wasm/build.sh $folder makes it" && exit 2; }
done
command -v npm >/dev/null || { say "there is no npm (Debian's package npm)" && exit 2; }
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."
sources=${DELASSUS_WASM_PREFIX:-build-wasm/prefix}/sources
version=$(sed -n 's/^project(delassus VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
package=$folder/npm
rm -rf "$package"
mkdir -p "$package/bin" "$package/licenses"
cp "$folder/bin/delassus.wasm" "$package/bin"
{ echo '#!/usr/bin/env node' && cat "$folder/bin/delassus.js"; } >"$package/bin/delassus.js"
chmod +x "$package/bin/delassus.js"
cp "$folder/wasm/delassus-page.js" wasm/index.mjs LICENSE "$package"
gzip -dc "$folder/wasm/delassus-page.wasm.gz" >"$package/delassus-page.wasm"
python3 wasm/types.py experiments/delassus/flat.h >"$package/delassus.d.mts"
cp wasm/package.md "$package/README.md"
for library in gsl suitesparse sundials yaml; do
  cp "$sources/$library/source/debian/copyright" "$package/licenses/$library.txt"
done
cp /usr/share/common-licenses/LGPL-2.1 "$package/licenses/LGPL-2.1.txt" # of SuiteSparse
cp /usr/share/doc/emscripten/copyright "$package/licenses/emscripten.txt" # with that of its C library
cat >"$package/package.json" <<EOF
{
  "name": "delassus",
  "version": "$version",
  "description": "Nonsmooth mechanics: many time integrators, one system, measured against exact solutions",
  "license": "GPL-3.0-or-later",
  "engines": { "node": ">=16" },
  "bin": { "delassus": "bin/delassus.js" },
  "exports": {
    ".": { "types": "./delassus.d.mts", "default": "./index.mjs" },
    "./delassus-page.js": "./delassus-page.js",
    "./delassus-page.wasm": "./delassus-page.wasm"
  },
  "types": "./delassus.d.mts"
}
EOF
(cd "$package" && npm pack --offline --silent --pack-destination "$folder") >/dev/null
say "made $folder/delassus-$version.tgz"
