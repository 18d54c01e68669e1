#!/bin/bash
# wasm/check_package.sh [FOLDER [TOOL]]: install the package of wasm/pack.sh in FOLDER (default: build-wasm) without network. Its tool
# must write the bytes of the native TOOL (default: build/bin/delassus), its library the same numbers.
# Exit status: 0 all as it should be, 1 something differs, 2 there is nothing to compare.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath "${1:-$here/../build-wasm}") native=$(realpath "${2:-$here/../build/bin/delassus}")
fail() { printf 'wasm/check_package.sh: %s\n' "$*" >&2 && exit "${status:-1}"; }
[ -x "$native" ] || status=2 fail "there is no tool $native"
package=$(find "$folder" -maxdepth 1 -name 'delassus-*.tgz')
[ -e "$package" ] || status=2 fail "there is no package in $folder; wasm/pack.sh makes it"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export npm_config_cache=$work/cache npm_config_offline=true npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
echo '{"private": true}' >package.json
npm install --silent "$package" || fail "npm cannot install $package"
installed=node_modules/delassus
[ "$(find $installed/LICENSE $installed/licenses -type f -size +0 | wc -l)" -eq 7 ] || fail "the package does not have all licences"

# The tool: trajectories, a study, exit status and message of a wrong request. Metadata name the compiler and its libraries.
keep() { # NAME COMMAND...: NAME.out and NAME.err, with the exit status
  local name=$1 status=0
  "${@:2}" >all.out 2>"$name.err" || status=$?
  grep -vE '^# (compiler|libraries|commit): ' all.out >"$name.out" || true
  echo $status >>"$name.err"
}
compare() {
  local file
  keep native "$native" "$@"
  keep npx npx --no-install delassus "$@"
  for file in out err; do
    cmp native.$file npx.$file || fail "npx delassus $*: not the bytes of $native"
  done
}
compare run bouncing-ball --scheme moreau-jean --step 0.01 --end 4
compare run two-ball-oscillator --scheme event-driven --end 2
compare order bouncing-ball --scheme schatzman-paoli --steps 1e-2:1e-3:4 --end 2
compare run bouncing-ball --scheme moreau --step 0.01

# The library: the example of the README, and a run whose every value is compared.
# shellcheck disable=SC2016 # backquotes of the page
sed -n '/^```js$/,/^```$/{/^```/!p}' $installed/README.md >readme.mjs
node readme.mjs >readme.out || fail "the example of the README fails"
grep -q '^last row: Float64Array' readme.out || fail "the example of the README prints: $(cat readme.out)"
cat >values.mjs <<'EOF'
import createDelassus from "delassus";
const delassus = await createDelassus();
delassus._gsl_set_error_handler_off();
const [out, message] = [delassus._malloc(4), delassus._malloc(400)];
const types = ["number", "string", "number", "number", "string", "number", "number", "number", "number", "number", "number", "number"];
const run = (scheme) => delassus.ccall("dls_flat_run", "number", types, [0, "bouncing-ball", 0, 0, scheme, 0.01, 4, 0, 0, out, message, 400]);
if (run("moreau") >= 0 || !delassus.UTF8ToString(message).includes("unknown scheme 'moreau'")) {
  throw Error(`a wrong scheme: ${delassus.UTF8ToString(message)}`);
}
if (run("moreau-jean") < 0) {
  throw Error(delassus.UTF8ToString(message));
}
const at = delassus.getValue(out, "*");
const [rows, columns] = [delassus._dls_flat_rows(at), delassus._dls_flat_columns(at)];
const values = delassus.HEAPF64.subarray(delassus._dls_flat_values(at) / 8);
for (let row = 0; row < rows; row++) {
  console.log(Array.from(values.subarray(row * columns, (row + 1) * columns)).join(","));
}
EOF
node values.mjs >library.csv || fail "the library of the package fails"
"$native" run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 | sed '1,/^t,/d' >native.csv
python3 - native.csv library.csv <<'EOF' || fail "the library has not the numbers of $native"
import sys

native, library = ([[float(x) for x in line.split(",")] for line in open(name)] for name in sys.argv[1:])
sys.exit(native != library or len(native) < 400)
EOF

# The types, where TypeScript is installed.
if command -v tsc >/dev/null; then
  cat >use.mts <<'EOF'
import createDelassus, { type Constants, type Layouts } from "delassus";
const delassus = await createDelassus();
const version: number = delassus._dls_flat_version();
const newest: Constants["DLS_FLAT_VERSION"] = 6;
const at: Layouts["dls_flat_points"]["x"] = 4;
// @ts-expect-error a text is no pointer
delassus._dls_flat_needs_step(0, "moreau-jean");
console.log(version, newest, at);
EOF
  tsc --noEmit --strict --target es2022 --module nodenext use.mts || fail "tsc refuses the types"
fi
printf 'wasm/check_package.sh: %s has the bytes of the native tool\n' "$(basename "$package")"
