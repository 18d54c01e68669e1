# test_cli_lesson.sh -- lesson: every page is whole, stands alone, has at most 1 MB, and its tables are those of fresh runs.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
source_folder=$2

try 0 list lessons --format csv
sed 1d out | cut -d, -f1 >names
between "number of lessons" "$(wc -l <names)" 1 20
try 0 lesson
while read -r name; do
  in_out "  $name  "
  grep -q "\`$name\`" "$source_folder/docs/reference/lessons.md" || fail "docs/reference/lessons.md has no lesson $name"
done <names

while read -r name; do
  try 0 lesson "$name" -o "$name.html"
  [ ! -s out ] || fail "$last: wrote to standard output"
  python3 "$source_folder/tests/support/lesson_page.py" "$tool" "$name.html" >said || fail "$name: $(head -5 said)"
  if command -v tidy >/dev/null; then
    tidy -q -e "$name.html" >/dev/null 2>said || fail "$name.html: $(head -3 said)"
  fi
  if command -v node >/dev/null; then
    sed -n '/^<script>$/,/^<\/script>$/p' "$name.html" | sed '1d;$d' >script.js
    [ -s script.js ] && node --check script.js 2>said || fail "the script of $name.html: $(head -3 said)"
  fi
done <names
# live: the page of the tables, and behind it the library and its scripts
mkdir module
python3 -c 'import sys; sys.stdout.buffer.write(b"\x1f\x8b" + bytes(range(256)) * 9)' >module/delassus-playground.wasm.gz
echo 'function createDelassus() {}' | gzip -n >module/delassus-playground.js.gz
cp "$source_folder/tests/data/playground/delassus-playground.version" module
DELASSUS_WASM=$PWD/module try 0 lesson moreau-jean --live -o live.html
python3 - <<'PYTHON' || fail "the live page is not that of the tables with the library"
import pathlib, re

plain, live = (pathlib.Path(f"{name}.html").read_text() for name in ("moreau-jean", "live"))
part = {i: t for i, t in re.findall(r'<script type="[^"]*" id="([^"]*)">(.*?)</script>', live, re.S)}
assert sorted(part) == ["code", "library-source", "tables", "worker-source"] and all(part.values()), sorted(part)
assert part["tables"] in plain and "{{" not in live.replace(part["code"], "").replace(part["library-source"], "")
for words, there in (("--live -o moreau-jean.html", True), ("or of the library in this page", True), ("The page computes none", False)):
    assert (words in live) == there and (words in plain) != there, words
for name in ("numbers", "runAt", "lookUp", "update"):  # what live.js replaces
    assert f"function {name}(" in plain, name
PYTHON
if command -v tidy >/dev/null; then
  tidy -q -e live.html >/dev/null 2>said || fail "live.html: $(head -3 said)"
fi
if command -v node >/dev/null; then
  sed -n '/^<script type="text\/plain" id="worker-source">$/,/<\/script>$/p' live.html | sed '1d;s/<\/script>$//' >worker.js
  sed -n '/^\/\* workers.js/,/^<\/script>$/p' live.html | sed 's/<\/script>$//' >script.js
  for file in worker.js script.js; do
    [ -s $file ] && node --check $file 2>said || fail "$file of live.html: $(head -3 said)"
  done
fi
DELASSUS_WASM=$PWD/nowhere refused "not in DELASSUS_WASM=$PWD/nowhere" "wasm/build.sh" -- lesson moreau-jean --live -o page.html
echo text >module/delassus-playground.js.gz
DELASSUS_WASM=$PWD/module refused "is not packed by gzip" -- lesson moreau-jean --live -o page.html
refused "--live needs the name of a lesson" -- lesson --live
rm -r module live.html
# the same again, byte for byte
try 0 lesson moreau-jean --out again.html
cmp -s again.html moreau-jean.html || fail "the page of moreau-jean is another one the second time"
rm ./*.html

refused "unknown lesson 'moreau'" "did you mean 'moreau-jean'" -- lesson moreau -o page.html
refused "--out is missing: -o moreau-jean.html" -- lesson moreau-jean
refused "--out needs the name of a lesson" -- lesson -o page.html
refused "nowhere/page.html" -- lesson moreau-jean -o nowhere/page.html
refused "--out needs a value: --out FILE.html" -- lesson moreau-jean -o
refused "unknown option '-o'" -- list -o x
no_traces
finish
