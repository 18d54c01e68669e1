# test_cli_playground.sh -- playground: the page is whole and stands alone; what it needs and does not find is named.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
source_folder=$2

# bytes of every value; what base 91 makes of other lengths is checked below
mkdir module
python3 -c 'import sys; sys.stdout.buffer.write(b"\x1f\x8b" + bytes(range(256)) * 9 + b"x")' >module/delassus-playground.wasm.gz
echo 'function createDelassus() {}' | gzip -n >module/delassus-playground.js.gz
cp "$source_folder/tests/data/playground/delassus-playground.version" module
export DELASSUS_WASM=$PWD/module

try 0 playground -o first.html
[ ! -s out ] || fail "$last: wrote to standard output"
try 0 playground -o again.html
cmp -s first.html again.html || fail "the page is another one the second time"
try 0 playground bouncing-ball --set e=0.8 --scheme moreau-jean:theta=1 --scheme event-driven --step 0.01 --tol 1e-7 --end 3 \
  --norm lp:p=3 --of v0 -o page.html
python3 - "$PWD/module" <<'PYTHON' || fail "the page does not hold what it was given"
import json, pathlib, re, string, sys

DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "!#$%()*+,./:;=?@[]^_`{|}~\"'-\\"


def base91(text):
    """The bytes of a text whose pairs of digits are 13 or 14 bits, the lowest first."""
    bits = size = 0
    for pair in re.findall("..?", text):
        value = sum(DIGITS.index(digit) * 91**k for k, digit in enumerate(pair))
        bits |= value << size
        size += 8 - size % 8 if len(pair) == 1 else 13 if value % 8192 > 88 else 14
    return bits.to_bytes(size // 8 + 1, "little")[: size // 8]


page, module = pathlib.Path("page.html").read_text(), pathlib.Path(sys.argv[1])
part = {i: t for i, t in re.findall(r'<script type="[^"]*" id="([^"]*)">(.*?)</script>', page, re.S)}
start = json.loads(part["start"])
assert base91(part["code"]) == (module / "delassus-playground.wasm.gz").read_bytes()
assert base91(part["library-source"]) == (module / "delassus-playground.js.gz").read_bytes()
assert len(start.pop("styles")) == 12 and start.pop("version")
assert start == {
    "first": "bouncing-ball", "model": "bouncing-ball", "h": "0.01", "tol": "1e-7", "end": "3", "norm": "lp:p=3", "of": "v0",
    "set": ["e=0.8"], "scheme": ["moreau-jean:theta=1", "event-driven"],
}, start
assert "{{" not in page
links = re.findall(r'(?:src|href)="([^"#][^"]*)"', page)
assert not links, links
PYTHON
if command -v tidy >/dev/null; then
  tidy -q -e page.html >/dev/null 2>said || fail "page.html: $(head -3 said)"
fi
if command -v node >/dev/null; then
  sed -n '/^<script type="text\/plain" id="worker-source">$/,/<\/script>$/p' page.html | sed '1d;s/<\/script>$//' >worker.js
  [ -s worker.js ] && node --check worker.js 2>said || fail "worker.js: $(head -3 said)"
  DELASSUS_WASM=$source_folder/tests/data/playground try 0 playground -o empty.html
  node "$source_folder/tests/browser/playground_scripts.js" empty.html >said 2>&1 || fail "the scripts of the page: $(head -30 said)"
fi
rm ./*.html ./*.js

refused "--out is missing: -o playground.html" -- playground
refused "unknown model 'bouncing-bal'" "did you mean 'bouncing-ball'" -- playground bouncing-bal -o page.html
refused "e = 2 is outside [0, 1]" -- playground bouncing-ball --set e=2 -o page.html
refused "--set needs a MODEL" -- playground --set e=1 -o page.html
refused "unknown scheme 'moreau'" -- playground --scheme moreau -o page.html
refused "theta = 7 is outside [0, 1]" -- playground --scheme moreau-jean:theta=7 -o page.html
refused "at most 4 schemes, not 5" -- playground --scheme moreau-jean --scheme moreau-jean --scheme moreau-jean --scheme moreau-jean \
  --scheme moreau-jean -o page.html
refused "--step = -1 is not allowed: it must be > 0" -- playground --step -1 -o page.html
refused "--of = 'q1': it must be q, v, impulse, q0, ..., q0, v0, ..., v0" -- playground --of q1 -o page.html
refused "sap has its own restitution coefficient" -- playground bouncing-ball --scheme sap -o page.html
refused "model matrix-model is made from files" -- playground matrix-model -o page.html
refused "unknown norm 'l7'" -- playground --norm l7 -o page.html
refused "nowhere/page.html" -- playground -o nowhere/page.html

# other files than those of wasm/build.sh
mkdir other
for bad in delassus-playground.wasm.gz delassus-playground.js.gz; do
  cp module/* other
  echo text >"other/$bad"
  DELASSUS_WASM=$PWD/other refused "other/$bad' is not packed by gzip" "wasm/build.sh" -- playground -o page.html
  : >"other/$bad"
  DELASSUS_WASM=$PWD/other refused "other/$bad' is not packed by gzip" -- playground -o page.html
done
# of another version, or of one that kept none
cp module/* other
echo "0.1.0, flat.h 6" >other/delassus-playground.version
DELASSUS_WASM=$PWD/other refused "is of version '0.1.0, flat.h 6', this tool is of '" "wasm/build.sh" -- playground -o page.html
rm other/delassus-playground.version
DELASSUS_WASM=$PWD/other refused "is of version 'unknown'" -- playground -o page.html
rm -r other

# without the module, or with half of it
rm module/delassus-playground.js.gz
refused "delassus-playground.wasm.gz and delassus-playground.js.gz" "not in DELASSUS_WASM=$DELASSUS_WASM" "wasm/build.sh" -- playground -o page.html
mkdir -p elsewhere/bin elsewhere/share/delassus
cp -L "$binary" elsewhere/bin/delassus
tool=$PWD/elsewhere/bin/delassus
unset DELASSUS_WASM
refused "which this installation does not have" "wasm/build.sh" -- playground -o page.html
# found beside the tool, as installed and as built
for place in share/delassus wasm; do
  rm -rf elsewhere/share/delassus elsewhere/wasm
  mkdir -p "elsewhere/$place"
  cp module/delassus-playground.wasm.gz module/delassus-playground.version "elsewhere/$place"
  cp module/delassus-playground.wasm.gz "elsewhere/$place/delassus-playground.js.gz"
  try 0 playground -o page.html
done
rm -r module elsewhere page.html
no_traces
finish
