# test_cli_spectrum.sh -- delassus spectrum: table, files, pictures, refusals, completion; studies of its kind.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# tan(omega' h/2) = omega h/2
try 0 spectrum moreau-jean schatzman-paoli nonsmooth-hht:alpha=0.25 --at 0.1,0.2
in_out "states" "stable up to" "0.0320749" "0.120033" "0.0457888" "0.31831" "100 and more"
equal "rows of schemes" "$(grep -cE '^  (moreau-jean|schatzman-paoli|nonsmooth-hht)' out)" 6

try 0 spectrum moreau-jean nonsmooth-generalized-alpha --of response,radius --damping 0.05 --frequency 1 \
  --steps 0.05:0.2:5 --out dir --plot one.svg --report page.html
in_out "damping ratio 0.05, load at 1 of its frequency" "response" "radius"
equal "columns" "$(head -1 dir/spectrum.csv)" \
  "scheme,h_over_T,states,radius,period_error,damping_ratio,response,phase,principal_re,principal_im,failure"
equal "rows" "$(grep -cE '^(moreau|nonsmooth)' dir/spectrum.csv)" 10 # 0.1 is one of the five
for file in dir/spectrum.png dir/spectrum.gp one.svg one.gp page.html; do
  [ -s "$file" ] || fail "no $file"
done
grep -q "Spectra" page.html || fail "the page has no spectra"
try 0 spectrum moreau-jean --steps 0.1:0.2:2 --out none --plot-format none
[ ! -e none/spectrum.png ] || fail "a picture although none was asked for"

# the table of stable steps: nowhere for Heun's method
try 0 spectrum rk-moreau:method=heun
in_out nowhere
# values that there are none of
try 0 spectrum schatzman-paoli --at 1 --of period
grep -qE "1  +-" out || fail "a period without a motion"

refused "SCHEME is missing, e.g. moreau-jean" -- spectrum
refused "unknown scheme 'moreau-jan'" "did you mean 'moreau-jean'" -- spectrum moreau-jan
refused "scheme event-driven chooses its own steps: it has no spectrum" -- spectrum moreau-jean event-driven
refused "scheme moreau-jean-adaptive chooses its own steps" -- spectrum moreau-jean-adaptive
refused "of = 'period-error' must be one of: radius, period, damping, response" -- spectrum moreau-jean --of period-error
refused "'radius' is given twice" -- spectrum moreau-jean --of radius,radius
refused "damping = 1 is outside [0, 1)" -- spectrum moreau-jean --damping 1
refused "frequency = 0 is outside (0, 1000]" -- spectrum moreau-jean --frequency 0
refused "at resonance the exact response has no bound" -- spectrum moreau-jean --of response --frequency 1
refused "h/T = 100000 is outside (0, 10000]" -- spectrum moreau-jean --at 1e5
refused "h/T = 20000 is outside (0, 10000]" -- spectrum moreau-jean --steps 1:2e4:3
refused "has 2 fields where R0:R1:N has 3" -- spectrum moreau-jean --steps 0.1:1
refused "h/T = 0 is outside (0, 10000]" -- spectrum moreau-jean --steps 0:1:3
refused "--at" -- spectrum moreau-jean --at x

offers() { # WORDS... : the completion of the last one
  "$tool" --complete delassus "$@" >out 2>err
}
offers spectrum moreau-jean sch
in_out schatzman-paoli
offers spectrum nonsmooth-hht:al
in_out "nonsmooth-hht:alpha="
offers spectrum moreau-jean --of radius,pe
in_out "radius,period"
offers spectrum moreau-jean --fre
in_out --frequency

# studies
try 0 study example-spectrum --out study
in_out "delassus spectrum moreau-jean moreau-jean:theta=0.6 moreau-jean:theta=1 --steps=0.01:100:81" "reproduces our own values 3 of 3"
for file in study/spectrum.csv study/spectrum.svg study/report.md study/verdict.csv; do
  [ -s "$file" ] || fail "no $file"
done
printf '%s\n' 'title: x' 'kind: spectrum' 'model: bouncing-ball' 'schemes: [event-driven]' 'of: [energy]' 'at: [0.1, 1e9]' \
  'damping: 2' 'expect:' '  - {quantity: value, of: radius, at: 0.3, above: 0}' \
  '  - {quantity: order, above: 0}' >bad.yaml
try 2 study --check bad.yaml
in_err "bad.yaml:3:1: key 'model' is not of this kind: it belongs to studies of kind run, compare, order, work, energy" \
  "bad.yaml:5:6: of = 'energy' must be one of: radius, period, damping, response" \
  "at = 0.3 is no value of the key 'at' of the study" "has no quantity 'order'" "event-driven chooses its own steps"
printf '%s\n' 'title: x' 'kind: spectrum' 'schemes: [moreau-jean]' 'expect:' \
  '  - {quantity: limit, above: 0}' '  - {quantity: largest, of: period, above: 1}' >limit.yaml
try 0 study limit.yaml --out limit
in_out "none: it is stable at all steps" "reproduces our own values 1 of 2"
finish
