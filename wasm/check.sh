#!/bin/bash
# wasm/check.sh [FOLDER [TOOL]]: compare the tool of wasm/build.sh in FOLDER (default: build-wasm) with the native TOOL (default:
# build/bin/delassus). The trajectories of tests/compilers must have the same bytes, but for those of wasm/may_differ.txt, and every run
# must have the digits of wasm/digests.txt. --write as first argument writes that file instead of comparing it.
# A browser presses the buttons of the playground and of the Guide.
# The tests of the four lower floors are built in FOLDER and run in node; wasm/not_in_node.txt lists those that do not pass there.
# Exit status: 0 all as it should be, 1 something differs, 2 there is nothing to compare.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
write=
[ "${1:-}" != --write ] || { write=1 && shift; }
folder=${1:-$here/../build-wasm} native=${2:-$here/../build/bin/delassus} status=0
for file in "$folder/bin/delassus.js" "$native"; do
  [ -e "$file" ] || { printf 'wasm/check.sh: there is no %s\n' "$file" >&2 && exit 2; }
done
# shellcheck source=tests/compilers/trajectories.sh
. "$here/../tests/compilers/trajectories.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '#!/bin/sh\nexec node "%s" "$@"\n' "$(realpath "$folder/bin/delassus.js")" >"$work/delassus"
chmod +x "$work/delassus"
for one in native wasm; do
  tool=$native
  [ $one = native ] || tool=$work/delassus
  run_all "$(realpath "$tool")" "$work/$one" || { cat "$work/$one.log" && exit 1; }
done

# Both directions: what may differ and does not is no longer to be listed.
same "$work/native" "$work/wasm" >"$work/report" || true
sed -n 's/^differs: \([^,]*\),.*/\1/p' "$work/report" | sort >"$work/differs"
sed -n 's/^\([^#:]*\): .*/\1/p' "$here/may_differ.txt" | sort >"$work/listed"
tail -n 1 "$work/report"
comm -3 "$work/differs" "$work/listed" >"$work/wrong"
if [ -s "$work/wrong" ]; then
  say "not as wasm/may_differ.txt lists it (left: differs, right: does not):"
  cat "$work/wrong"
  status=1
fi

for file in "$work"/wasm/*.csv; do
  say "$(grep -v '^#' "$file" | sha256sum | cut -c1-16) $(basename "$file")"
done >"$work/digests"
if [ -n "$write" ]; then
  cp "$work/digests" "$here/digests.txt"
elif ! diff "$here/digests.txt" "$work/digests"; then
  say "digests other than in wasm/digests.txt (left: the file)"
  status=1
fi
# The playground and live lessons in a browser; 77: there is none, or the library for them has not been built.
python3 "$here/../tests/browser/check_playground.py" "$native" || [ $? = 77 ] || status=1
python3 "$here/../tests/browser/check_lessons.py" --live "$native" || [ $? = 77 ] || status=1
NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH} cmake --build "$folder" --parallel "$(nproc)" --target delassus_tests >"$work/log" 2>&1 ||
  { cat "$work/log" && exit 1; }
python3 "$here/test.py" "$folder" || status=1
# The command blocks of the Guide in a browser.
if command -v pandoc >/dev/null; then
  handbook=$(dirname "$native")/../handbook
  cmake --build "$handbook/.." --target handbook >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
  python3 "$here/../tests/browser/check_handbook.py" --runs "$native" "$handbook" || [ $? = 77 ] || status=1
fi
exit $status
