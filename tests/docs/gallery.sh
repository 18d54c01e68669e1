# gallery.sh -- the page of the named studies, of a few of them: bash gallery.sh TOOL SOURCE-FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
gallery=$(realpath "$2")/gallery
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

"$gallery" --program "$tool" --only example-run --only example-energy page >out 2>err || fail "gallery: $(cat out err)"
in_out "example-run: as expected" "example-energy: as expected" "2 of 2 as expected; the page is page/index.html"
if command -v tidy >/dev/null; then
  tidy -quiet -errors page/index.html 2>complaints || fail "tidy: $(head -3 complaints)"
fi
for link in $(grep -o '\(href\|src\)="[^"]*"' page/index.html | cut -d '"' -f 2); do
  [ -s "page/$link" ] || fail "the page refers to $link, which is not there"
done
equal "pictures" "$(grep -c '<img ' page/index.html)" 2
grep -q 'reproduces our own values 2 of 2' page/index.html || fail "no verdict on the page"

# What is finished is not made again, a verdict that is not as expected is told.
sed -i 's/,yes,/,no,/' page/example-run/verdict.csv
touch -d '2020-01-01' page/example-run/verdict.csv
"$gallery" --program "$tool" --only example-run page >out 2>err && fail "a study that is not as expected gives success"
in_out "example-run: not as expected" "0 of 1 as expected"
grep -q '"no">reproduces our own values 0 of 2' page/index.html || fail "no verdict of what is not as expected"


# Claims of the source, known differences and our own values are counted each by itself.
cat >page/example-run/verdict.csv <<'END'
study,agrees,source
a,yes,agrees
a,no,agrees
a,yes,differs
a,yes,ours
END
"$gallery" --program "$tool" --only example-run page >out 2>err && fail "a claim of the source that does not hold gives success"
grep -q 'agrees with the source 1 of 3, differs as expected in 1; reproduces our own values 2 of 2' page/index.html ||
  fail "the page does not show the three numbers"

"$gallery" --program "$tool" --only no-such-study page >out 2>err && fail "no study is a gallery"
in_err "no named study has no-such-study in its name"
"$gallery" --program ./nothing page >out 2>err && fail "no program lists studies"
in_err "./nothing does not list its studies"
