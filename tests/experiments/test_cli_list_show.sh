# test_cli_list_show.sh -- what there is, and what is known about it.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
models="bouncing-ball impacting-oscillator bead-column wedge ball-between-walls"
schemes="event-driven moreau-jean moreau-jean-variant schatzman-paoli"

try 0 list
in_out "models: " "schemes: " "norms: " "solvers: " "laws: " "studies: " "lessons: "
try 0 list models
for name in $models; do
  in_out "  $name  "
done
! grep -q hausdorff out || fail "list models lists norms"
try 0 list schemes --format csv
for name in $schemes; do
  grep -q "^$name," out || fail "list schemes --format csv has no row $name"
done
for kind in models schemes norms solvers laws studies lessons; do
  for args in "$kind --format csv" "--format=csv $kind" "--format csv -- $kind"; do
    # shellcheck disable=SC2086
    try 0 list $args
    equal "header of $last" "$(head -1 out)" "name,summary,kind,source,group"
  done
done
try 0 list studies --format csv
in_out "acary-lecture-ball-order," ",study,"
try 0 list norms --format csv
in_out "hausdorff," "l1,"
try 0 list solvers --format csv
between "number of LCP solvers" "$(wc -l <out)" 2 50
# RFC 4180: every row has five fields once quoted ones are folded
try 0 list --format csv
sed 's/"\([^"]\|""\)*"/Q/g' out | awk -F, 'NF != 5' >bad
[ ! -s bad ] || fail "rows of list --format csv without five fields: $(cat bad)"
refused "no list of 'model'" "did you mean 'models'" "models, schemes, norms, solvers, laws, studies, lessons" -- list model
refused "--format = 'xml'" "text, csv" -- list --format xml

# the thresholds of a scheme, in place of the rest
try 0 show event-driven --thresholds
in_out "name" "value" "unit" "reason" "effect" "slow_slip_enter" "least_leverage"
! grep -q "^equations" out || fail "show --thresholds prints equations"
for scheme in icf xpbd convex-step; do
  try 0 show "$scheme" --thresholds
done
refused "moreau-jean has no table of thresholds" "these schemes have one: event-driven, " -- show moreau-jean --thresholds
refused "bouncing-ball has no table of thresholds" -- show bouncing-ball --thresholds

# the tables of show come from the entries: name, default, range, unit, help
try 0 show bouncing-ball
in_out "bouncing-ball (model)" equations parameters "exact solution" source
in_out name default range unit meaning
for row in "m +1 +\(0, inf\) +kg" "f +-2 +\(-inf, inf\) +N" "e +0.5 +\[0, 1\]" "q0 +1 " "v0 +0 "; do
  grep -Eq "^  $row" out || fail "show bouncing-ball has no parameter row like '$row'"
done
try 0 show impacting-oscillator
for row in "m +1" "k +1" "c +0" "f +0" "amplitude +0" "omega +1" "phase +0" "e +0.5" "q0 +1" "v0 +0"; do
  grep -Eq "^  $row" out || fail "show impacting-oscillator has no parameter row like '$row'"
done
try 0 show wedge
in_out "exact solution" "  none"
try 0 show moreau-jean
in_out "moreau-jean (scheme)" "options" "theta" "[0, 1]" "gamma" "what to expect" source "--step H"
try 0 show event-driven
in_out "of its own choice"
try 0 show hausdorff
in_out "hausdorff (norm)"

# every name that is listed can be shown, and no line is too wide to read
"$tool" list --format csv | tail -n +2 | cut -d, -f1 >names
while read -r name; do
  try 0 show "$name"
  in_out "$name ("
  printf '# %s\n%s\n\n' "$name" "$(<out)" >>shown
done <names
LC_ALL=C.UTF-8 awk '/^# / { name = $2; next }
  length($0) > 110 { print "show " name ": a line of " length($0) " characters" }
  /^source/ { source = 1 }
  /^$/ { source = 0 }
  source && /[A-Za-z](19|20)[0-9][0-9]/ { print "show " name ": a key for a source: " $0 } # sources are for people
' shown >bad
[ ! -s bad ] || fail "$(cat bad)"
between "names that are shown" "$(grep -c '^# ' shown)" 200 1000
rm names shown
refused "nothing is named 'moreau-jaen'" "did you mean 'moreau-jean'" "delassus list" -- show moreau-jaen
refused "NAME is missing, e.g. moreau-jean" -- show
# a part of a name, if it is clear
try 0 show woodp
in_out "woodpecker (model)"
try 0 show naive-newm
in_out "acary-lecture-naive-newmark (study)"
refused "'hht' is part of 3 names: nonsmooth-hht, hht-position-contact, hht-velocity-contact" -- show hht
# words select: of names, summaries, families, and what schemes treat
try 0 list schemes friction JOINTS
in_out "moreau-jean" "event-driven"
! grep -qE '^  (schatzman-paoli|spring-damper) ' out || fail "list schemes friction joints lists a scheme without joints"
try 0 list studies beam --format csv
between "studies with beams" "$(wc -l <out)" 2 30
! tail -n +2 out | grep -qvi beam || fail "list studies beam lists others"
try 0 list models nonsense
in_out "none of them contains these words"
try 0 list laws coulomb
in_out "newton-coulomb"
# schemes in groups, each once; those that fail stand apart
try 0 list schemes
in_out " event-driven: " " time-stepping, Moreau-Jean: " " time-stepping, Newmark family: " " for teaching: "
equal "schemes in groups" "$(grep -cE '^  [a-z]' out)" "$("$tool" list schemes --format csv | tail -n +2 | wc -l)"
equal "what is for teaching" "$(sed -n '/^ for teaching/,$p' out | grep -oE '^  [a-z0-9-]+' | sort | tr -d '\n')" \
  "  hht-position-contact  hht-velocity-contact  naive-rk4  newmark-position-contact  newmark-velocity-contact"
"$tool" list schemes --format csv | tail -n +2 | grep -q ',others$' && fail "a scheme that ships has no group"
# what order to expect of v depends on the impacts
try 0 show moreau-jean
in_out "impacting-oscillator" "bouncing-ball" "h log(1/h)"

# a name that is begun is meant before one that is only alike
try 2 show moreau-j
in_err "'moreau-j' is part of 5 names: moreau-jean, "
try 2 show bouncing
in_err "'bouncing' is part of 4 names: bouncing-ball, "
try 2 show shatzman-paoli
in_err "did you mean 'schatzman-paoli'?"
finish
