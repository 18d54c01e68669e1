# test_cli_report.sh -- pages and animations on the command line: what they hold, that they are good markup, what is
# refused.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

for checker in tidy xmllint; do
  command -v $checker >/dev/null || echo "$checker is absent: pages are not checked with it"
done

# page FILE TEXT...: stands alone, is good HTML and well-formed XML, and has every text.
page() {
  local file=$1 text
  shift
  if command -v tidy >/dev/null; then
    tidy -quiet -errors "$file" 2>complaints || true
    [ ! -s complaints ] || fail "tidy complains of $file: $(head -3 complaints)"
    rm complaints
  fi
  if command -v xmllint >/dev/null; then
    xmllint --noout "$file" 2>complaints || fail "$file is not well-formed: $(head -3 complaints)"
    rm complaints
  fi
  equal "ids that are there twice in $file" "$(grep -o ' id=["'\''][^"'\'']*' "$file" | sort | uniq -d)" ""
  equal "addresses, scripts, files in $file" "$(grep -ciE 'https?:|<script|src=|<link|@import' "$file")" 0
  equal "doctype of $file" "$(head -1 "$file")" "<!DOCTYPE html>"
  for text in 'name="viewport"' "<h1>" ">Question<" ">Provenance<" "<dt>version</dt><dd>delassus " "<dt>commit</dt>" \
    "<dt>compiler</dt>" "<dt>processor</dt>" "<dt>date</dt>" "<dt>seed</dt>" "$@"; do
    grep -qF -- "$text" "$file" || fail "$file lacks '$text'"
  done
}

# forms FILE N: N pictures, each for desktop and telephone, none with a size of its own
forms() {
  equal "wide pictures of $1" "$(grep -o 'class="wide"' "$1" | wc -l)" "$2"
  equal "narrow pictures of $1" "$(grep -o 'class="narrow"' "$1" | wc -l)" "$2"
  equal "narrow drawings of $1" "$(grep -o '<svg viewBox="0 0 366 ' "$1" | wc -l)" "$((${3:-0} + $2))"
  equal "pictures of fixed size in $1" "$(grep -cE '<svg[^>]* (width|height)=' "$1")" 0
}

try 0 order bouncing-ball --scheme moreau-jean:theta=1 --scheme event-driven --steps 0.1:0.01:3 --end 2 --repeats 2 \
  --norm l1 --seed 7 --set e=0.8 --report order.html
in_out "orders"
page order.html "Convergence study: bouncing-ball" "<dt>seed</dt><dd>7</dd>" "figure svg{filter:invert" "--scheme moreau-jean:theta=1" \
  "m q'' = f + lambda" "Acary, lecture" "M. Jean 1999" '<td>e</td><td class="n">0.8</td><td>–</td><td class="n">0.5</td>' \
  ">Failures and warnings<" "error of v in L" "model,scheme,options,step,norm"
forms order.html 2
equal "pictures and scripts beside the page" "$(ls)" "$(printf 'err\norder.html\nout')"

try 0 work impacting-oscillator --scheme moreau-jean --scheme event-driven --steps 0.1:0.01:3 --tols 1e-3:1e-6:3 \
  --norm l1 --of q --repeats 2 --report work.html --out tables --plot-format none
page work.html "Work and precision: impacting-oscillator" ">Slopes<" "force evaluations + LCP solves" "work for an error"
forms work.html 1
[ -s tables/work.csv ] || fail "--out writes no tables beside --report"

try 0 energy two-ball-oscillator --scheme moreau-jean:theta=1 --scheme nonsmooth-newmark --step 0.01 --end 1 \
  --report energy.html
page energy.html "Energy balance: two-ball-oscillator" "external work" "|residual| / scale" "<dt>step</dt><dd>0.01 s</dd>" \
  "none: nothing is random" ">nonsmooth-newmark<"
forms energy.html 4

try 0 compare bouncing-ball --scheme moreau-jean --scheme event-driven --step 0.05 --end 2 --report compare.html
page compare.html "Comparison: bouncing-ball" ">exact<" ">Animation<" 'repeatCount="indefinite"' "force evaluations"
forms compare.html 1 2
equal "animations" "$(grep -o 'class="single"' compare.html | wc -l)" 2

# the command on the page makes the page again
sed -n 's/.*<pre tabindex="0">\(delassus compare.*\)/\1/p; /^    --/p' compare.html | sed 's/<\/pre>//' >command.sh
mkdir again bin
ln -s "$tool" bin/delassus
(cd again && PATH=$work/bin:$PATH sh ../command.sh) || fail "the command of the page fails"
strip() { sed '/<dt>date/d' "$1"; }
[ "$(strip compare.html)" = "$(strip again/compare.html)" ] || fail "the command of the page makes another page"

try 0 run bouncing-ball --scheme moreau-jean --step 0.05 --end 2 --report run.html
[ ! -s out ] || fail "$last printed a trajectory"
page run.html "Simulation: bouncing-ball" ">Animation<" "--step 0.05"
forms run.html 1 1

# several studies on one page: a part for each, with caption and verdict
cat >two.yaml <<'END'
title: Two studies & more
source: nobody
caption: What is <expected>.
model: bouncing-ball
end: 1.5
studies:
  - name: order
    kind: order
    title: Errors
    schemes: [moreau-jean]
    steps: {first: 1e-1, last: 1e-2, levels: 3}
    repeats: 2
    norms: [l1]
    of: [q]
    expect:
      - {quantity: order, scheme: moreau-jean, norm: l1, of: q, between: [0, 3], reported: order one}
      - {quantity: order, scheme: moreau-jean, norm: l1, of: q, between: [5, 6]}
  - name: energy
    kind: energy
    title: Energies
    schemes: [event-driven]
END
try 0 study two.yaml --out two --report two.html
page two.html "<h1>Two studies &amp; more</h1>" '<h2 id="part-1">Errors</h2>' '<h2 id="part-2">Energies</h2>' \
  "What is &lt;expected&gt;." "<dd>nobody</dd>" ">Verdict<" "This study reproduces our own values 1 of 2." "<td>order one</td>" "<dd>two/energy</dd>"
equal "pages of the studies" "$(grep -o '<h3 id="section-[0-9]*">Question' two.html | wc -l)" 2
forms two.html 5
rm -rf two two.yaml

# failures stand on the page with their reasons
try 0 run belt --scheme event-driven --set Fs=1.5 --cycle stick:0 --end 30 --over q0 --report cycle.html
page cycle.html ">Limit cycle<" "<dt>period</dt><dd>6.71238898</dd>" "<dt>events</dt><dd>2</dd>" "<dt>multiplier1_error</dt>"
try 0 compare belt --scheme event-driven --sweep vb=0.5:1.5:3 --end 12 --from 6 --of q0 --report sweep.html
page sweep.html "Sweep: belt" "vb from 0.5 to 1.5 m/s, 3 values" "exact solution as grey lines"
rm cycle.html sweep.html
try 1 compare bouncing-ball --set e=1 --scheme event-driven:max_events=5 --end 50 --report part.html
page part.html "<dt>failed</dt>" "max_events = 5"
rm -rf ./*.html again bin tables command.sh

refused "--report 'a.pdf': a page ends in .html" -- order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:3 --report a.pdf
refused "a page ends in .html" -- study example-order --out there --report a.txt
refused "--columns does not go with --report" -- run bouncing-ball --scheme moreau-jean --step 0.1 --columns v0 --report a.html
refused "--columns does not go with --animate" -- run bouncing-ball --scheme moreau-jean --step 0.1 --columns v0 --animate a.svg
refused "no/such" -- energy bouncing-ball --scheme moreau-jean --step 0.1 --report no/such/a.html
refused "--plot is missing" "--report" -- compare bouncing-ball --scheme event-driven
(
  PATH=$work
  "$tool" order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:3 --report a.html 2>err >out
  echo $? >code
)
equal "exit status without gnuplot" "$(cat code)" 1
last="delassus order --report without gnuplot"
in_err "gnuplot not found"
[ ! -e a.html ] || fail "a page without gnuplot"

# animations
try 0 run bouncing-ball --scheme event-driven --end 2 --animate ball.svg
[ ! -s out ] || fail "$last printed a trajectory"
equal "first line of ball.svg" "$(head -1 ball.svg)" '<?xml version="1.0" encoding="utf-8"?>'
! command -v xmllint >/dev/null || xmllint --noout ball.svg || fail "ball.svg is not well-formed"
for text in "bouncing-ball, event-driven" "impulse 3 N s" "t = 2.00 s" "0.4 × real time" "<circle" "<animate "; do
  grep -qF -- "$text" ball.svg || fail "ball.svg lacks '$text'"
done
try 0 run rod-impact --set n=10 --scheme moreau-jean --step 0.01 --end 3 --animate rod.gif --out rod.csv --stats
equal "kind of picture" "$(head -c 6 rod.gif)" GIF89a
in_out "steps=300"
[ -s rod.csv ] || fail "--out is not written beside --animate"
rm -f ball.svg rod.gif rod.csv
refused "model random-linear has no sketch; these have: " "bouncing-ball" "bead-column" -- \
  run random-linear --scheme moreau-jean --step 0.1 --animate a.svg
refused "has too many bodies" -- run bead-column --set N=500 --scheme moreau-jean --step 0.1 --animate a.svg
refused "must end in .svg or .gif" -- run bouncing-ball --scheme moreau-jean --step 0.1 --animate a.mp4
refused "no/such" -- run bouncing-ball --scheme moreau-jean --step 0.1 --animate no/such/a.svg
finish
