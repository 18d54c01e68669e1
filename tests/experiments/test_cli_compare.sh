# test_cli_compare.sh -- several schemes in one picture, and what `compare` refuses.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# a grey reference and a curve for each scheme in each of two panels
try 0 compare bouncing-ball --scheme moreau-jean --scheme schatzman-paoli:theta=1 --scheme event-driven \
  --step 0.05 --end 3 --plot ball.png
equal "kind of picture" "$(head -c 4 ball.png | tail -c 3)" PNG
for text in "'moreau-jean'" "'schatzman-paoli:theta=1'" "'event-driven'" "title 'exact'" "dashtype (" "'position q_{0} [m]'" \
  "'velocity v_{0} [m/s]'" "xlabel 't [s]'"; do
  grep -qF -- "$text" ball.gp || fail "ball.gp has no $text"
done
equal "panels" "$(grep -c '^plot ' ball.gp)" 2
equal "curves" "$(grep -c 'using 1:2 with lines' ball.gp)" 8

# a key of five entries: two columns, the first of which ends where the picture has room for it
try 0 compare bouncing-ball --scheme moreau-jean --scheme schatzman-paoli --scheme nonsmooth-newmark --scheme event-driven \
  --step 0.05 --end 3 --plot five.svg
grep -q '^set key .* vertical maxrows 3 ' five.gp || fail "the key of five.gp is not of three rows: $(grep '^set key' five.gp)"

# other columns; a model without exact solution has no reference
try 0 compare bead-column --set N=3 --scheme moreau-jean --step 0.01 --end 1 --of g0,u1,p2 --plot beads.svg
equal "panels" "$(grep -c '^plot ' beads.gp)" 3
! grep -q reference beads.gp || fail "beads.gp draws a reference"

# contact force and energy: 300 N and 500 J of the exact bar, p/h of a scheme
try 0 compare elastic-bar --set n=20 --scheme moreau-jean --scheme event-driven --step 5e-3 --end 1.5 \
  --of q0,force0,energy --plot bar.svg
for text in "'contact force λ_{0} [N]'" "'energy [J]'"; do
  grep -qF -- "$text" bar.gp || fail "bar.gp has no $text"
done
block() { awk -v name="\$$1" '$1 == name && $2 == "<<" { on = 1; next } $1 == "EOD" { on = 0 } on' bar.gp; }
equal "exact force at 0.8 s" "$(block reference_force0 | awk '$1 > 0.8 { print $2; exit }')" 300
between "mean force of moreau-jean" "$(block run0_force0 | awk '$1 > 0.55 && $1 < 1 { s += $2; n++ } END { print s/n }')" 298 302
between "mean force of event-driven" "$(block run1_force0 | awk '$1 > 0.55 && $1 < 1 { s += $2; n++ } END { print s/n }')" 290 310
between "energy of event-driven at the end" "$(block run1_energy | tail -1 | cut -d' ' -f2)" 480 500
rm -f ./*.png ./*.svg ./*.gp

# over a column instead of time
try 0 compare impacting-oscillator --scheme event-driven --scheme moreau-jean --step 0.05 --end 4 --over q0 --plot phase.svg
equal "panels" "$(grep -c '^plot ' phase.gp)" 1
equal "runs, exact, jumps of each" "$(grep -c 'using 1:2 with lines ' phase.gp)" 6
rm -f phase.*
refused "--over: there is no column 'q1'" -- compare bouncing-ball --scheme event-driven --over q1 --plot a.png

refused "--plot is missing" -- compare bouncing-ball --scheme moreau-jean --step 0.1
refused "--step is missing" -- compare bouncing-ball --scheme moreau-jean --plot a.png
refused "--scheme is missing" -- compare bouncing-ball --step 0.1 --plot a.png
refused "there is no column 'q1'" "q0..q0" "force, and energy" -- compare bouncing-ball --scheme event-driven --of q0,q1 --plot a.png
refused "there is no column 'slip0'" "status, force, and energy" -- compare bouncing-ball --scheme event-driven --of slip0 --plot a.png
refused "there is no column 'slip1'" "status, slip, drag, force" -- compare belt --scheme event-driven --of slip1 --plot a.png
refused "unknown scheme 'moreau'" -- compare bouncing-ball --scheme moreau --step 0.1 --plot a.png
refused "--step = 20" -- compare bouncing-ball --scheme moreau-jean --step 20 --end 3 --plot a.png
refused "a.bmp" -- compare bouncing-ball --scheme event-driven --plot a.bmp
refused "--set" "e = 2" -- compare bouncing-ball --set e=2 --scheme event-driven --plot a.png

# a run that fails on the way is drawn as far as it came
# steps that cannot be solved are halved, in every run of a sweep too, and of schemes that need a step
rope=(compare lens-cardona-d --scheme energy-preserving --step 0.05 --end 0.8 --of q0 --out halved)
try 1 "${rope[@]}"
in_err "at t = 0.7: Newton's method left"
try 0 "${rope[@]}" --halve 6
try 1 "${rope[@]}" --sweep g=9.8:9.82:2
in_err "runs of the sweep that failed: 2"
try 0 "${rope[@]}" --sweep g=9.8:9.82:2 --halve 6
rm -r halved
try 0 compare bouncing-ball --scheme event-driven --scheme moreau-jean --step 0.1 --end 1 --halve 2 --out halved
rm -r halved
# what a sweep that is killed has finished stays
"$tool" compare impacting-oscillator --scheme moreau-jean --step 1e-4 --end 20 --of q0 --sweep k=1:2:1000 --out killed \
  --plot killed.svg >out 2>err </dev/null &
process=$!
for ((i = 0; i < 6000; i++)); do # 60 s: the table is written anew at every value that is done
  [ "$(grep -c '^moreau-jean,' killed/sweep.csv 2>/dev/null)" -ge 2 ] 2>/dev/null && break
  sleep 0.01
done
kill -KILL $process
wait $process
equal "exit status of a sweep that is killed" $? 137
equal "files of a sweep that is killed" "$(ls killed)" sweep.csv
grep -q '^# complete: no$' killed/sweep.csv || fail "the table of a sweep that is killed does not say so"
between "values of a sweep that is killed" "$(grep -c '^moreau-jean,' killed/sweep.csv)" 2 999
rm -r killed
# a scheme that is refused takes nothing from the others
try 1 compare puck --scheme event-driven --scheme newmark-position-contact --scheme moreau-jean --step 0.01 --end 0.5 --out two \
  --plot two.svg
in_err "newmark-position-contact does not treat friction" "\`delassus list schemes friction\` lists those that do"
equal "files of the others" "$(ls two)" "$(printf 'run_event-driven.csv\nrun_moreau-jean.csv')"
equal "entries of the others in the key" "$(grep -c "title '\(event-driven\|moreau-jean\)'" two.gp)" 2
rm -r two two.svg two.gp
refused "does not treat friction" -- compare puck --scheme newmark-position-contact --step 0.01 --out none

try 1 compare bouncing-ball --set e=1 --scheme event-driven:max_events=5 --end 50 --plot part.png
in_err "max_events = 5"
[ -s part.png ] || fail "the part that was computed is not drawn"
finish
