# test_cli_pictures.sh -- --style and --plot-format of every command with pictures: sizes, the screen as ever, pgfplots.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2086,SC2016,SC2015,SC2012 # lists of words; $ of TeX
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

ball="bouncing-ball --scheme moreau-jean --scheme schatzman-paoli"
order="order $ball --scheme event-driven --steps 0.1:0.01:4 --repeats 2 --end 4 --norm hausdorff --of v"
precision="work impacting-oscillator --scheme moreau-jean --scheme event-driven --steps 0.1:0.01:3 --tols 1e-3:1e-6:3 \
  --repeats 1 --norm l1 --of q --end 4"
energy="energy impacting-oscillator --scheme moreau-jean:theta=1 --scheme event-driven --step 0.05"
spectrum="spectrum moreau-jean nonsmooth-newmark:gamma=0.5,beta=0,stability=ignore --of radius,period"
sweep="compare belt --scheme event-driven --set Fs=1.5 --sweep vb=0.5:2:3 --curves v0=0,4 --end 20 --from 10 --of q0"

# --- refusals, completion, help ---
for command in run compare order work energy spectrum judge merge study exact contact; do
  try 0 "$command" --help
  in_out --style journal '--size WxH' '--key PLACE'
done
refused "--size = '8x' must be WIDTHxHEIGHT with cm or px" -- run bouncing-ball --scheme event-driven --plot a.svg --size 8x
refused "--size = '2x6cm': width and height must be from 3 to 100 cm" -- $order --out d --size 2x6cm
refused "--key = 'left'. It must be one of: auto, none, below, inside" -- exact bouncing-ball --plot a.svg --key left
refused "--size = '9'" -- study example-run --out d --size 9
refused "--style = 'poster'. It must be one of: screen, journal, slides" -- \
  run bouncing-ball --scheme event-driven --plot a.svg --style poster
refused "did you mean 'journal'" -- $order --out d --style jurnal
refused "--style = slides is for files" -- run bouncing-ball --scheme event-driven --plot - --style slides
refused "--style = 'x'" -- exact bouncing-ball --plot a.svg --style x
refused "--style = 'x'" -- study example-run --out d --style x
refused "one of: png, svg, pdf, tex, none" -- study example-run --out d --plot-format eps
refused "ends in .png, .svg, .pdf or .tex" -- run bouncing-ball --scheme event-driven --plot a.eps
"$tool" --complete delassus order --style j >out
in_out journal
"$tool" --complete delassus order --plot-format t >out
in_out tex

# --- TeX: without gnuplot, whole, with all that the picture has ---
PATH="$work/nothing" try 0 run bouncing-ball --scheme moreau-jean --step 0.05 --end 4 --plot run.tex
try 0 run belt --scheme event-driven --set Fs=1.5 --end 8 --plot belt.tex --style journal
try 0 run belt --scheme event-driven --set Fs=1.5 --end 8 --over q0 --plot phase.tex --style slides
try 0 run elastic-bar --scheme moreau-jean --step 0.01 --end 2 --of mesh --plot bar.tex
try 0 compare $ball --step 0.05 --end 4 --plot compare.tex --style journal
try 0 $order --out order --plot-format tex
try 0 $precision --out work --plot-format tex --style journal
try 0 $energy --out energy --plot-format tex
try 0 $spectrum --out spectrum --plot-format tex
try 0 $sweep --plot sweep.tex
try 0 order $ball --local --steps 0.02:1e-3:3 --end 4 --out local --plot-format tex
[ ! -e run.gp ] && [ ! -e order/order_hausdorff_v.png ] || fail "a script or another picture beside TeX"
count() { # PATTERN FILE
  grep -cF -e "$1" "$2"
}
equal "axes of a run" "$(count '\begin{axis}' run.tex)" "$(count '\end{axis}' run.tex)"
equal "axes of a run" "$(count '\begin{axis}' run.tex)" 4
equal "axes of one picture" "$(count '\begin{axis}' order/order_hausdorff_v.tex)" 1
equal "logarithmic axes" "$(grep -oE '[xy]mode=log' order/order_hausdorff_v.tex | tr '\n' ' ')" "xmode=log ymode=log "
for text in 'xlabel={step h [s]}' 'ylabel={error of v in the Hausdorff distance [max(s, m/s)]}' \
  '\addlegendentry{moreau-jean: ' '\addlegendentry{schatzman-paoli: ' '={$10^{-2}$' 'opacity='; do
  grep -qF -e "$text" order/order_hausdorff_v.tex || fail "order.tex has no $text"
done
# all runs of both schemes, and the medians of their levels; the errors are those of the table
awk '/only marks/ { on = 1; next } /^}/ { on = 0 } on { print $1, $2 }' order/order_hausdorff_v.tex >drawn
equal "points that are drawn" "$(wc -l <drawn)" $((2 * 4 * 2 + 2 * 4))
equal "points that are of no run" "$(awk -F, 'NR == FNR { error[FNR] = $NF; rows = FNR; next }
  { split($0, at, " "); found = 0
    for (i = 1; i <= rows; i++) found += at[2] / error[i] > 1 - 1e-8 && at[2] / error[i] < 1 + 1e-8
    none += !found } END { print none + 0 }' <(awk -F, '/^#/ { next } !column { for (i = 1; i <= NF; i++) if ($i == "error") column = i; next }
    $column > 0 { print "," $column }' order/errors.csv) <(grep -v '^$' drawn))" 8
grep -qF '$\pm\mu' belt.tex || grep -qF '$\pm$$\mu$' belt.tex || fail "no symbols in belt.tex"
grep -qF '|-{rel axis cs' belt.tex || fail "no bands of stick in belt.tex"
grep -qF 'matrix plot*' bar.tex || fail "no shades in bar.tex"
grep -qE '\\draw\[->' order/order_hausdorff_v.tex || fail "no arrow to the event-driven level"

# pdflatex makes a page of each, and a document takes them
if kpsewhich pgfplots.sty >/dev/null 2>&1; then
  compile() { # FILE
    (cd "$(dirname "$1")" && pdflatex -interaction=nonstopmode -halt-on-error "$(basename "$1")" >log 2>&1) ||
      fail "pdflatex $1: $(grep -a -A3 '^!' "$(dirname "$1")/log" | head -4)"
  }
  for file in run belt bar order/order_hausdorff_v work/work_l1_q energy/dissipation spectrum/spectrum; do
    compile "$file.tex"
    [ -s "$file.pdf" ] || fail "no page of $file.tex"
  done
  # shellcheck disable=SC1003
  printf '%s\n' '\documentclass{article}\usepackage{pgfplots}\begin{document}' '\begin{figure}\input{run.tex}\end{figure}' \
    '\input{order/order_hausdorff_v.tex}' '\end{document}' >paper.tex
  compile paper.tex
else
  echo "skipped: pdflatex or pgfplots is not installed: what it makes of TeX pictures"
fi

# --- gnuplot: sizes and letters of each style; the screen is as it was ---
if command -v gnuplot >/dev/null; then
  head_of() { grep -m 1 '^set terminal' "$1"; }
  try 0 $order --out usual --plot-format svg
  try 0 $order --out screen --plot-format svg --style screen
  cmp usual/order_hausdorff_v.gp screen/order_hausdorff_v.gp && cmp usual/order_hausdorff_v.svg screen/order_hausdorff_v.svg ||
    fail "--style screen is another picture"
  equal "the screen" "$(head_of usual/order_hausdorff_v.gp | cut -d' ' -f3-)" \
    "svg size 1000,$(grep -oE -m 1 'height="[0-9]+"' usual/order_hausdorff_v.svg | grep -oE '[0-9]+') font 'DejaVu Sans,13' linewidth 1.5 background 'white'"
  try 0 $order --out journal --style journal
  equal "a column in inches" "$(head_of journal/order_hausdorff_v.gp | grep -oE 'pdfcairo size [0-9.]+')" "pdfcairo size 3.34646"
  [ -s journal/order_hausdorff_v.pdf ] || fail "a journal has no vectors"
  ! grep -q '^set multiplot title' journal/order_hausdorff_v.gp || fail "a picture for a paper has a title"
  grep -q '^# bouncing-ball, 0' journal/order_hausdorff_v.gp || fail "the script does not say what it draws"
  # the name of a folder or picture is no program to be started
  try 0 $order --out '|touch owned #' --plot-format svg
  try 0 $order --out '<touch owned #' --plot-format svg
  try 0 run bouncing-ball --scheme moreau-jean --step 0.05 --end 4 --plot '|touch owned #.svg'
  gnuplot './|touch owned #.gp' && gnuplot <'|touch owned #.gp'
  [ ! -e owned ] || fail "a name starts a program"
  [ -s '|touch owned #/order_hausdorff_v.svg' ] || fail "no picture in a folder whose name begins with |"
  for what in "run bouncing-ball --scheme moreau-jean --step 0.05 --end 4" "compare $ball --step 0.05 --end 4" "$sweep" \
    "run belt --scheme event-driven --set Fs=1.5 --end 8 --over q0" "exact bouncing-ball --end 4" \
    "run elastic-bar --scheme moreau-jean --step 0.01 --end 2 --of mesh"; do
    try 0 $what --plot a.svg --style journal
    grep -q 'width="321"' a.svg || fail "$last: no column of 8.5 cm"
    try 0 $what --plot b.svg --style slides
    grep -q 'width="520"' b.svg || fail "$last: no slide"
    between "$last: lines" "$(awk -v a="$(head_of a.gp | grep -oE 'linewidth [0-9.]+' | cut -d' ' -f2)" \
      -v b="$(head_of b.gp | grep -oE 'linewidth [0-9.]+' | cut -d' ' -f2)" 'BEGIN { print b / a }')" 2 4
  done
  try 0 $precision --out paper --plot-format svg --style journal
  try 0 $energy --out paper --plot-format svg --style journal
  try 0 $spectrum --out paper --plot-format svg --style journal
  for file in paper/*.svg; do
    grep -q 'width="321"' "$file" || fail "$file: no column of 8.5 cm"
  done
  equal "pictures" "$(ls paper/*.svg | wc -l)" 6
  try 0 order $ball --local --steps 0.02:1e-3:3 --end 4 --out paper --plot-format png --style slides
  equal "two columns of slides" "$(head_of paper/local.gp | grep -oE 'size [0-9]+')" "size 3840"

  # --size: what comes out has this size; in PNG the bytes 17 to 24 are width and height
  png_size() { od -An -tu1 -j16 -N8 "$1" | awk '{ print ($1 * 256 + $2) * 65536 + $3 * 256 + $4, ($5 * 256 + $6) * 65536 + $7 * 256 + $8 }'; }
  run="run bouncing-ball --scheme moreau-jean --step 0.05 --end 4"
  try 0 $run --plot size.png --size 700x651 --key inside
  equal "size.png" "$(png_size size.png)" "700 651"
  try 0 $run --plot size.png --size 8.5x9.5cm --style journal --key below
  equal "size.png at 600 dots per inch" "$(png_size size.png)" "2008 2244"
  grep -q '^# size: 8.5x9.5cm$' size.gp && grep -q '^# key: below$' size.gp || fail "the script does not repeat its form"
  try 0 $run --plot size.svg --size 12.7x10.16cm --key none
  grep -q 'width="480" height="384"' size.svg || fail "size.svg: $(grep -m 1 -oE 'width="[^ ]* height="[^ ]*' size.svg)"
  ! grep -q '^set key at' size.gp || fail "--key none draws a key"
  try 0 $run --plot size.pdf --size 12x9cm
  equal "size.pdf [cm]" "$(head_of size.gp | sed -E 's/.*size ([0-9.]+),([0-9.]+) .*/\1 \2/' | awk '{ printf "%.4g %.4g", $1 * 2.54, $2 * 2.54 }')" "12 9"
  try 1 $run --plot small.png --size 200x120
  in_err "small.png: the size 200x120px is too small for 4 panels with labels and key: it must be at least"
  [ ! -e small.png ] || fail "a picture that does not fit is drawn"
  try 0 $run --plot - --size 640x480
  equal "lines in the terminal" "$(wc -l <out)" 30
  between "columns in the terminal" "$(LC_ALL=C.UTF-8 wc -L <out)" 60 80
  PATH=$work/nothing try 0 $run --plot - --size 640x480
  try 0 $order --out sized --size 700x500 --key inside --plot-format svg
  try 0 verify sized
  try 0 $order --out cut --size 700x500 --shard 1/1 --plot-format svg
  try 0 merge cut --size 900x600
  grep -q 'width="900" height="600"' cut/order_hausdorff_v.svg || fail "merge --size is not drawn"

  # friction: the bands of stick and +-mu N of a scheme by step are those of the event-driven run; mu N = 1 N, and the force stays
  # within it while the contact slips
  bands_of() { awk '/^set tmargin/ { panels++ } panels == 1 && /^set object/ { gsub(",", ""); print $5, $10 }' "$1"; }
  belt="run belt --set Fs=1.5 --end 8"
  try 0 $belt --scheme event-driven --plot events.svg
  try 0 $belt --scheme moreau-jean --step 0.013 --plot steps.svg
  equal "bands of stick by step" "$(bands_of steps.gp | wc -l)" "$(bands_of events.gp | wc -l)"
  close "begin of stick" "$(bands_of steps.gp | awk 'NR == 1 { print $1 }')" "$(bands_of events.gp | awk 'NR == 1 { print $1 }')" 0.03
  close "end of stick" "$(bands_of steps.gp | awk 'NR == 1 { print $2 }')" "$(bands_of events.gp | awk 'NR == 1 { print $2 }')" 0.03
  grep -q "friction force p_{T}/h \[N\]" steps.gp || fail "no friction force of a scheme by step"
  equal "mu N" "$(awk '/^\$limits_p0t/ { on = 1; next } /^EOD/ { on = 0 } on { print $2 + 0, $3 + 0 }' steps.gp | sort -u)" "1 -1"
  close "largest friction while it slips" "$(awk '/^\$push_run_p0t/ { on = 1; next } /^EOD/ { on = 0 }
    on && $1 > 3.4 && ($2 > m || -$2 > m) { m = $2 > 0 ? $2 : -$2 } END { print m }' steps.gp)" 1 0.001
  # names of coordinates, parameters and scheme; SVG tells them to readers who do not see it
  grep -q "multiplot title 'belt, Fs=1.5, moreau-jean, h = 0.013 s'" steps.gp || fail "title: $(grep multiplot steps.gp)"
  grep -q '<title>belt, Fs=1.5, moreau-jean, h = 0.013 s</title>' steps.svg || fail "no title in steps.svg"
  grep -q '<desc>Panel 1: gap g \[m\] over t \[s\]. Curves: exact; g0. ' steps.svg || fail "no description in steps.svg"
  ! grep -q 'GNUPLOT' steps.svg || fail "steps.svg still describes gnuplot"
  try 0 run slider-crank --scheme moreau-jean --step 1e-3 --end 0.01 --plot crank.svg
  grep -q "title 'q_{0}, x of crank'" crank.gp && grep -q "title 'v_{5}, y of rod'" crank.gp || fail "no names of coordinates"
  # model, parameters, scheme, step: in this order in every title
  titled() # FILE.gp TITLE
  {
    grep -qF "set multiplot title '$2'" "$1" || fail "title of $1: $(grep multiplot "$1")"
  }
  try 0 run belt --scheme moreau-jean --set Fs=1.5 --step 0.01 --end 1 --over q0 --plot over.svg
  titled over.gp 'belt, Fs=1.5, moreau-jean, h = 0.01 s'
  try 0 compare $ball --set e=0.8 --step 0.05 --end 1 --plot both.svg
  titled both.gp 'bouncing-ball, e=0.8, h = 0.05 s'
  try 0 energy bouncing-ball --scheme moreau-jean --set e=0.8 --step 0.05 --end 1 --out ledger --plot-format svg
  titled ledger/energies.gp 'bouncing-ball, e=0.8, h = 0.05 s'
  titled ledger/parts.gp 'bouncing-ball, e=0.8, h = 0.05 s'
  try 0 run bouncing-ball --scheme moreau-jean --set q0=2 --step 0.05 --end 1 --sweep e=0.5:0.9:3 --out table --plot-format svg
  titled "$(ls table/*.gp | head -1)" 'bouncing-ball, q0=2, 0 ≤ t ≤ 1 s, h = 0.05 s'
  # a key in two columns would cut the last entry at the edge of 1000 pixels
  try 0 spectrum nonsmooth-hht:alpha=0 nonsmooth-hht:alpha=0.05 nonsmooth-hht:alpha=0.1 nonsmooth-hht:alpha=0.3 \
    nonsmooth-newmark:gamma=0.6,beta=0.3025 --plot key.svg
  ! grep -q 'set key.* maxrows 3' key.gp || fail "long entries in two columns: $(grep 'set key' key.gp)"
  # 1000 pixels hold 102 letters of a title, a longer one has two lines
  try 0 compare $ball --set m=1.23456789 --set f=-9.8123456789 --set e=0.8123456789 --set q0=1.123456789 \
    --set v0=0.123456789 --step 0.0123456789 --end 1 --plot long.svg
  title=$(sed -nE 's/^set multiplot title "(.*)" noenhanced$/\1/p' long.gp | sed 's/\\n/\n/g')
  equal "lines of the title" "$(wc -l <<<"$title")" 2
  between "letters of its longest line" "$(wc -L <<<"$title")" 70 102
  # one-step errors: zeros and rounding do not extend the axis
  try 0 order $ball --local --steps 0.02:1e-3:3 --end 4 --out edge --plot-format svg
  equal "axes above rounding" "$(sed -nE 's/^set yrange \[([^:]*):.*/\1/p' edge/local.gp | awk '$1 > 1e-9' | wc -l)" \
    "$(grep -c '^set yrange' edge/local.gp)"
  grep -q 'at the lower edge: error 0 or rounding' edge/local.gp || fail "zeros at the edge are not explained"

  # studies: the key, and the words that go before it
  "$tool" study --print example-run | sed 's/^pictures: png/style: journal/' >mine.yaml
  try 0 study mine.yaml --out mine
  in_out --style=journal
  grep -qE 'pdfcairo size 3.34646|svg size 321' mine/trajectory.gp || fail "style: journal is not drawn"
  try 0 study mine.yaml --out words --style slides --plot-format svg
  in_out --style=slides
  grep -q '!\[trajectory.svg\]' words/report.md || fail "the report does not show the picture that was asked for"
  ! grep -q 'style=journal' out || fail "two styles in one command"

  sed 's/^style: journal.*/style: poster/' mine.yaml >wrong.yaml
  try 2 study --check wrong.yaml
  in_err "style = 'poster'" "screen, journal, slides"
  "$tool" study --print example-run | sed 's/^pictures: png/pictures: svg\nsize: 800x700px\nkey: inside/' >mine.yaml
  try 0 study mine.yaml --out given
  in_out --size=800x700px --key=inside
  grep -q 'width="800" height="700"' given/trajectory.svg || fail "the key size is not drawn"
  try 0 study mine.yaml --out replaced --size 900x750
  in_out --size=900x750 --key=inside
  grep -q 'width="900" height="750"' replaced/trajectory.svg || fail "study --size is not drawn"
  # one gnuplot draws the pictures of a command, each as its script does by itself; the picture that fails is named
  mkdir stub
  cat >stub/gnuplot <<END
#!/bin/sh
echo start >>"$work/starts"
n=0
[ \$# = 1 ] || { echo "it fails" >&2 && exit 3; }
while read -r line; do
  case \$line in load*) n=\$((n + 1)) && [ \$n != "\${FAILING:-0}" ] || line="load 'missing'" ;; esac
  printf '%s\\n' "\$line"
done | "$(command -v gnuplot)" "\$@"
END
  chmod +x stub/gnuplot
  many="order bouncing-ball --scheme moreau-jean --steps 0.1:0.02:3 --repeats 2 --end 2 --norm hausdorff,l1 --of q,v"
  for format in png pdf; do
    rm -f starts
    PATH=$work/stub:$PATH try 0 $many --out "many_$format" --plot-format $format
    equal "gnuplots of $format" "$(wc -l <starts)" 1
    for picture in "many_$format"/*.$format; do
      sed '/CreationDate/d' "$picture" >first
      gnuplot "${picture%.*}.gp" || fail "gnuplot ${picture%.*}.gp"
      sed '/CreationDate/d' "$picture" | cmp - first || fail "$picture depends on those before it"
    done
  done
  FAILING=3 PATH=$work/stub:$PATH try 1 $many --out failing
  in_err "failing/order_l1_q.png: gnuplot ended with exit status 3: it fails"
else
  echo "skipped: gnuplot is not installed: what it makes of the styles"
fi
finish
