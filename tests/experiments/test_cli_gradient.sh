# test_cli_gradient.sh -- gradient: closed forms, differences, statuses, and requests that are wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

value() { awk -F, -v p="$1" '$1 == p { print $2 }' out; }

# the ball: q = -e + (1 + e) a (T - t1)/V and so on, after one impact
try 0 gradient bouncing-ball --scheme event-driven --of q0 --at 2.25 --by q0,v0,f,e
equal header "$(head -1 out)" "parameter,value"
equal rows "$(wc -l <out)" 5
between "dq0/dq0" "$(value q0)" 0.0624999999 0.0625000001
between "dq0/dv0" "$(value v0)" -1e-10 1e-10
between "dq0/df" "$(value f)" -1e-10 1e-10
between "dq0/de" "$(value e)" 0.4999999999 0.5000000001
[ ! -s err ] || fail "a derivative that exists needs no message"
try 0 gradient bouncing-ball --scheme event-driven --of v0 --at 2.25 --by q0,e
between "dv0/dq0" "$(value q0)" 2.2499999999 2.2500000001
between "dv0/de" "$(value e)" 5.9999999999 6.0000000001

# the energy falls by (1 - e^2) of what the ball hits with, 2 q0 each: dE/de = 2 e at one impact
try 0 gradient bouncing-ball --scheme event-driven --of energy --at 1.5 --by e,q0
between "dE/de" "$(value e)" 1.9999999 2.0000001
between "dE/dq0" "$(value q0)" 0.4999999 0.5000001

refused "--of: field 1 of '' is empty" -- gradient bouncing-ball --scheme event-driven --of '' --at 1 --by e
refused "--integral: field 1 of '' is empty" -- gradient bouncing-ball --scheme event-driven --integral '' --at 1 --by e

# backward by the adjoint equation; times of events, t2 = sqrt(q0) (1 + 2 e); integrals: of v it is q(T) - q(0)
try 0 gradient bouncing-ball --scheme event-driven --of v0 --at 2.25 --by q0,v0,f,e --method adjoint
between "dv0/dq0 backward" "$(value q0)" 2.2499999999 2.2500000001
between "dv0/dv0 backward" "$(value v0)" 0.9999999999 1.0000000001
between "dv0/df backward" "$(value f)" 1.1249999999 1.1250000001
between "dv0/de backward" "$(value e)" 5.9999999999 6.0000000001
[ ! -s err ] || fail "a derivative that exists needs no message"
for method in forward adjoint; do
  try 0 gradient bouncing-ball --scheme event-driven --of t:2 --at 2.25 --by q0,v0,f,e --method $method
  between "dt2/dv0, $method" "$(value v0)" 0.499999999 0.500000001
  between "dt2/df, $method" "$(value f)" 0.499999999 0.500000001
  between "dt2/dq0, $method" "$(value q0)" 0.999999999 1.000000001
  between "dt2/de, $method" "$(value e)" 1.999999999 2.000000001
  try 0 gradient bouncing-ball --scheme event-driven --integral v0 --at 2.25 --by q0,e --method $method
  between "integral of v0 by q0, $method" "$(value q0)" -0.9375000001 -0.9374999999
  between "integral of v0 by e, $method" "$(value e)" 0.4999999999 0.5000000001
  # E = 2 q0 falls by e^2 at t1 = sqrt(q0): the integral is 2 q0 (t1 + e^2 (T - t1)), and m moves it by way of t1 alone
  try 0 gradient bouncing-ball --scheme event-driven --integral energy --at 1.75 --by q0,e,v0,m --method $method
  between "integral of the energy by q0, $method" "$(value q0)" 3.1249999999 3.1250000001
  between "integral of the energy by e, $method" "$(value e)" 1.4999999999 1.5000000001
  between "integral of the energy by v0, $method" "$(value v0)" 0.7499999999 0.7500000001
  between "integral of the energy by m, $method" "$(value m)" 0.7499999999 0.7500000001
  [ ! -s err ] || fail "a derivative that exists needs no message"
  try 0 gradient bouncing-ball --scheme event-driven --of v0 --at 2 --by q0 --method $method
  in_err "q0: one-sided, --at = 2 s is the time of an event" "dt/dq0 = 1;"
done
for method in forward adjoint; do
  # both walls are struck at t = 1, and g1 moves the time of one impact alone
  try 0 gradient wedge --scheme event-driven --set cosine=0 --set f1=-2 --set f2=-2 --set g1=1 --set g2=1 --integral energy --at 1.75 --by g1 --method $method
  between "impacts with times of their own, $method" "$(value g1)" 3.1249999999 3.1250000001
  try 2 gradient bouncing-ball --scheme event-driven --integral q9 --at 1 --by e --method $method
  in_err "allowed are q0 to q"
done
try 1 gradient wedge --scheme event-driven --set cosine=0.3 --set f1=-2 --set f2=-2 --set g1=1 --set g2=1 --of q0 --at 1.5 --by g1 --method adjoint
equal "no derivative backward" "$(value g1)" nan
in_err "g1: discontinuous at t = "
try 0 gradient impacting-oscillator --scheme event-driven --set f=1.2 --set q0=2.4000005 --of v0 --at 4.4 --by q0 --method adjoint
in_err "q0: grazing, valid within a change of 5e-07"

# differences of runs of any scheme, and of the scheme by events
try 0 gradient bouncing-ball --scheme event-driven --of q0 --at 2.25 --by e --method difference:delta=1e-3
between "difference" "$(value e)" 0.4999 0.5001
try 0 gradient bouncing-ball --scheme moreau-jean --step 1e-4 --of q0 --at 1.5 --by e --method difference:delta=0.1
between "difference of moreau-jean" "$(value e)" 0.95 1.05

# the law's coefficient is the model's parameter
try 0 gradient impacting-oscillator --scheme event-driven --of v0 --at 5 --by k
between "dv0/dk" "$(value k)" -0.0574233317 -0.0574233315

# coefficients of --law in place of the model's: q = e V (T - 1) - (T - 1)^2, V = 2
law=(bouncing-ball --law newton:e=0.6 --scheme event-driven)
try 0 gradient "${law[@]}" --of q0 --at 2 --by e,q0,v0
between "dq0/de of the law" "$(value e)" 1.9999999 2.0000001
between "dq0/dv0 beside it" "$(value v0)" 0.3999999 0.4000001
try 0 gradient "${law[@]}" --of q0 --at 2 --by e --method difference:delta=1e-3
between "difference by e of the law" "$(value e)" 1.9999 2.0001
try 0 run "${law[@]}" --end 2 --sensitivity e --at 2 --out law.csv
between "column dv0/de of the law" "$(awk -F, '$1 == 2 { print $11 }' law.csv)" 1.9999999 2.0000001
try 0 gradient incline --law newton-coulomb:mu=0.4 --set v0=2 --scheme event-driven --of v0 --at 0.1 --by mu
between "dv0/dmu of the law, -g cos(alpha) t" "$(value mu)" -0.84958 -0.84956

# where there is none
try 1 gradient wedge --scheme event-driven --set cosine=0.3 --set f1=-2 --set f2=-2 --set g1=1 --set g2=1 --of q0 --at 1.5 --by g1
equal "no derivative" "$(value g1)" nan
in_err "g1: discontinuous at t = "
try 0 run wedge --scheme event-driven --set cosine=0.3 --set f1=-2 --set f2=-2 --set g1=1 --set g2=1 --end 1.5 --sensitivity g1 --stats --out wedge.csv
in_out "sensitivity_g1=discontinuous" "impacts_falling_g1=0,1" "impacts_rising_g1=1,0" "expected_error_g1=nan"
# V = 2, e = 0.5: of wall 0 first, u0 = 1, then u1 = -2 + 0.3 * 3 is reversed to 0.55 and adds 0.3 * 1.65 to u0
number() { grep -m1 "^$1=" out | cut -d= -f2 | cut -d, -f1; }
between "limit of v0 for falling g1" "$(number v_falling_g1)" 1.494999999 1.495000001
between "limit of v0 for rising g1" "$(number v_rising_g1)" 0.549999999 0.550000001
grep -q "^# impacts_rising_g1: 1,0\$" wedge.csv || fail "the metadata have no sides"

# nor have accelerations and forces behind such impacts a derivative, where the forces of flight vary
cat >corner.yaml <<'E'
gravity: [0, -9.81]
bodies:
  - {name: a, type: point, mass: 1, at: [0, 0.5]}
  - {name: b, type: point, mass: 1, at: [0, 1.4]}
springs:
  - {a: a, b: b, stiffness: 5, length: 0.9}
contacts:
  - {name: l, corner: a, plane: [0.28, 0.96, 0], e: 0.5}
  - {name: r, corner: a, plane: [-0.28, 0.96, 0], e: 0.5}
E
try 0 run multibody --set mechanism=corner.yaml --scheme event-driven --end 0.8 --sensitivity 'q0[0]' --out corner.csv
in_err "q0[0]: discontinuous"
awk -F, '/^#/ { next }
  /^t,/ { for (i = 1; i <= NF; i++) { column[$i] = i }; next }
  { q = $column["dq0/dq0[0]"] == "nan"; a = $column["da0/dq0[0]"] == "nan"; f = $column["dlambda0/dq0[0]"] == "nan"
    rows++; ended += q; bad += q != a || q != f }
  END { exit !(bad == 0 && ended > 0 && ended < rows) }' corner.csv || fail "derivatives of forces behind interacting impacts"
try 0 gradient incline --set v0=0 --scheme event-driven --of v0 --at 1 --by v0
in_err "v0: one-sided at t = 0 s" "for rising v0, 1 for falling v0"
between "rising v0" "$(value v0)" 0.316122623 0.316122624
try 0 gradient bouncing-ball --scheme event-driven --set e=1 --of q0 --at 1.5 --by e
in_err "e: one-sided, its range ends at 1"
try 0 gradient impacting-oscillator --scheme event-driven --set f=1.2 --set q0=2.4000005 --of v0 --at 4.4 --by q0
in_err "q0: grazing, valid within a change of 5e-07"

try 1 gradient wedge --scheme event-driven --set cosine=0.3 --set f1=-2 --set f2=-2 --set g1=1 --set g2=1 --of energy --at 1.5 --by g1
equal "no derivative of the energy" "$(value g1)" nan
# towards a Painleve paradox the force, and its derivatives, grow without bound
rod=(painleve-rod --scheme event-driven:painleve=impact --set mu=2 --set theta0=0.5235987755982988 --set omega0=2 --set ut0=-10)
try 1 gradient "${rod[@]}" --of q0 --at 0.2 --by mu,omega0
equal "no derivative past a paradox" "$(value mu) $(value omega0)" "nan nan"
in_err "mu: degenerate at t = 0.0541" "omega0: degenerate at t = 0.0541"
# without friction the run has no modes that neighbours with friction could share: refused, by the parameter alone
for scheme in event-driven "moreau-jean --step 0.01"; do
  # shellcheck disable=SC2086
  try 2 gradient puck --scheme $scheme --set mu=0 --of v1 --at 1 --by alpha,mu
  in_err "mu = 0: contact 0 has no friction there, and has friction beside it"
done
try 0 gradient puck --scheme event-driven --set mu=0 --of v1 --at 1 --by alpha
try 0 gradient puck --scheme event-driven --set mu=1e-9 --of v1 --at 1 --by mu
between "beside mu = 0" "$(value mu)" -7.8876 -7.8867 # at mu = 0: -7.88721, of solutions in closed form
# without a jump of the belt there is no time of it
for scheme in event-driven "moreau-jean --step 0.01"; do
  # shellcheck disable=SC2086
  try 2 gradient belt --scheme $scheme --of q0 --at 1 --by k,t1
  in_err "t1 = 0: loads and surfaces do not jump there, and jump beside it"
done
# T at an event: one limit of two
for at in 1 2 3; do
  try 0 gradient bouncing-ball --scheme event-driven --of v0 --at "$at" --by q0
  in_err "q0: one-sided, --at = $at s is the time of an event" "of contact 0" "choose another time"
done
try 0 gradient bouncing-ball --scheme event-driven --of v0 --at 1 --by e
[ ! -s err ] || fail "the first impact does not move with e"

# along a run: columns, events, statuses
try 0 run bouncing-ball --scheme event-driven --end 2.25 --sensitivity q0,e --out ball.csv --at 0.5,2.25
equal columns "$(grep '^t,' ball.csv)" "t,q0,v0,g0,u0,p0,lambda0,status0,a0,dq0/dq0,dv0/dq0,dq0/de,dv0/de,dg0/dq0,du0/dq0,dg0/de,du0/de,dp0/dq0,dlambda0/dq0,da0/dq0,dp0/de,dlambda0/de,da0/de"
at() { awk -F, -v t="$1" -v j="$2" '$1 == t { x = $j } END { print x }' ball.csv; }
between "dq0/dq0 before the impact" "$(at 0.5 10)" 0.999999999 1.000000001
between "dq0/dq0 after it" "$(at 2.25 10)" 0.0624999999 0.0625000001
between "dv0/de" "$(at 2.25 13)" 5.9999999999 6.0000000001
between "dp0/de, the sum of both impulses" "$(at 2.25 21)" 5.9999999999 6.0000000001
grep -q '^# sensitivity_e: ok$' ball.csv || fail "the metadata have no status"
try 0 run bouncing-ball --scheme event-driven --end 2.25 --sensitivity q0 --stats
in_out "sensitivity_q0=ok" "valid_within_q0=0.25"
# times of events: t1 = sqrt(q0), t2 = t1 (1 + 2 e), and the end of the accumulation, t1 (1 + e)/(1 - e); also where few events are kept
moved() { awk -v t="$1" -v p="dt/d$2=" '/^# event/ { split($3, at, "="); for (i = 4; i <= NF; i++)
  if (index($i, p) == 1 && at[2] > t - 1e-6 && at[2] < t + 1e-6) print substr($i, length(p) + 1) }' "$3"; }
try 0 run bouncing-ball --scheme event-driven --end 3.5 --sensitivity q0,e --out times.csv
between "dt1/dq0" "$(moved 1 q0 times.csv)" 0.499999999 0.500000001
between "dt1/de" "$(moved 1 e times.csv)" -1e-9 1e-9
between "dt2/dq0" "$(moved 2 q0 times.csv)" 0.999999999 1.000000001
between "dt2/de" "$(moved 2 e times.csv)" 1.999999999 2.000000001
equal "events without dt" "$(grep '^# event' times.csv | grep -vc 'dt/dq0=.* dt/de=')" 0
try 0 run bouncing-ball --scheme event-driven --end 3.5 --sensitivity e --out few.csv --at 0.5,3.2
between "dt_end/de" "$(moved 3 e few.csv)" 7.99999 8.00001
between "dt1/de of few events" "$(moved 1 e few.csv)" -1e-9 1e-9
# accumulations of several contacts: dt/dg = -t/(2 g) by similarity
try 0 run bead-column --set gap=0.1 --set e=0.5 --scheme event-driven --end 0.4 --sensitivity g --out beads.csv
equal "accumulations without dt" "$(grep -c 'dt/dg=nan' beads.csv)" 0
between "dt/dg of five contacts" "$(moved 0.39758708 g beads.csv | head -1)" -0.0202644 -0.0202643
try 0 run bead-column --set N=20 --set gap=0.02 --set e=0.5 --scheme event-driven --end 0.8 --sensitivity g --out beads.csv
equal "accumulations of 20 contacts without dt" "$(grep -c 'dt/dg=nan' beads.csv)" 0
grep -q '^# sensitivity_g: ok$' beads.csv || fail "accumulations of 20 contacts have a derivative"
# where impacts at once come apart it is not known, and is reported, by the adjoint equation too
apart=(gradient random-linear --set n=6 --set m=5 --scheme event-driven --of v0 --at 0.2 --by "e,damping")
try 0 "${apart[@]}" && mv err forward.err
grep -q "e: degenerate at t = 0.1069" forward.err || fail "an accumulation that is not differentiated has a status"
grep -q "damping: 2 events of accumulations, the first at t = 0.1069" forward.err || fail "accumulations are reported"
try 0 "${apart[@]}" --method adjoint && cmp forward.err err || fail "other accumulations with --method adjoint"
# contacts that are struck together, and move on their own
corner=(wedge --set cosine=0 --set f1=-2 --set f2=-2 --set g1=1 --set g2=1)
try 0 run "${corner[@]}" --scheme event-driven --end 1.5 --sensitivity g1 --out corner.csv
between "dt of the first wall" "$(grep 'kind=impact contact=0' corner.csv | sed 's/.*dt.dg1=//')" 0.499999999 0.500000001
between "dt of the second wall" "$(grep 'kind=impact contact=1' corner.csv | sed 's/.*dt.dg1=//')" -1e-9 1e-9
try 0 run bouncing-ball --scheme event-driven --end 1.5 --out alone.csv
equal "dt without --sensitivity" "$(grep -c 'dt/d' alone.csv)" 0
try 0 run bouncing-ball --scheme event-driven --end 0.5 --sensitivity q0 --columns g0 --out gaps.csv
in_err "no q or v is recorded"
# derivatives of forces only where they are asked for; a0 is recorded with v0 as its slope
try 0 run bouncing-ball --scheme event-driven --end 0.5 --sensitivity q0 --columns q,v --out motion.csv
equal "columns of the motion" "$(grep '^t,' motion.csv)" "t,q0,v0,a0,dq0/dq0,dv0/dq0"
try 0 run bouncing-ball --scheme event-driven --end 0.5 --sensitivity q0 --columns q,p --out impulses.csv
equal "columns with impulses" "$(grep '^t,' impulses.csv | tr , '\n' | grep -c dp0/dq0)" 1
# both limits of an impact: dv- = -1, dv+ = 1 + e of the ball that is lifted (a = V = 2, t1 = 1)
try 0 run bouncing-ball --scheme event-driven --end 1.2 --sensitivity q0 --out limits.csv
equal "limits at the impact" "$(awk -F, '$1 > 1 - 5e-14 && $1 < 1 + 5e-14 { printf "%.6f ", $11 }' limits.csv)" "0.000000 1.500000 "
# the motion is the same with derivatives as without
try 0 run belt --scheme event-driven --end 3 --out alone.csv
try 0 run belt --scheme event-driven --end 3 --sensitivity vb --out beside.csv
columns=$(grep -v '^#' alone.csv | head -1 | tr , '\n' | wc -l)
cmp <(grep -v '^#' alone.csv) <(grep -v '^#' beside.csv | cut -d, -f1-"$columns") || fail "derivatives change the motion"
try 2 run bouncing-ball --scheme event-driven --end 1 --sensitivity q0 --every 2
in_err "--sensitivity = q0 does not go with every"
try 2 run bouncing-ball --scheme splitting-rkf45-adaptive --end 1 --sensitivity q0
in_err "chooses its steps" "event-driven"

# schemes by step: of the motion, of the steps, of two runs
step="gradient bouncing-ball --scheme moreau-jean --step 1e-3 --of v0 --at 1.6 --by q0"
try 0 $step && tail -1 "$out" | awk -F, '{exit !($2 > 1.4999 && $2 < 1.5001)}' || fail "saltation is the default: 1.5"
try 0 $step --tangent plain && tail -1 "$out" | awk -F, '{exit !($2 == 0)}' || fail "plain: 0"
try 0 $step --tangent difference:delta=0.1 && tail -1 "$out" | awk -F, '{exit !($2 > 1.4 && $2 < 1.6)}' || fail "difference: about 1.5"
in_err "an average over the phases of the grid"
try 0 $step --tangent difference:delta=1e-9
in_err "the difference is the tangent plain"
try 2 $step --tangent exact
in_err "allowed are saltation, plain and difference:delta=D"
try 2 $step --tangent plain --method difference:delta=0.1
in_err "does not go with --method difference"
try 2 gradient bouncing-ball --scheme event-driven --of v0 --at 1.6 --by q0 --tangent plain
in_err "is for schemes by step; allowed is saltation"
try 2 gradient bouncing-ball --scheme spring-damper --step 1e-3 --of v0 --at 1.6 --by q0
in_err "there is no saltation matrix" "allowed are the tangents plain"
try 2 run bouncing-ball --scheme moreau-jean --step 0.1 --end 1 --tangent plain
in_err "--tangent goes with --sensitivity"

# wrong requests
try 2 gradient bouncing-ball --scheme event-driven --of q0 --at 2.25 --by q0,q0
in_err "derivative with respect to q0 is asked for twice"
try 2 run bouncing-ball --scheme event-driven --end 1 --sensitivity e,q0,e
in_err "derivative with respect to e is asked for twice"
try 2 gradient bouncing-ball --scheme event-driven --of q00 --at 2.25 --by e
in_err "allowed are q0 to q0"
try 2 gradient bouncing-ball --scheme event-driven --of q0 --at 2.25
in_err "--by must be given"
try 2 gradient bouncing-ball --scheme event-driven --of q1 --at 2.25 --by e
in_err "allowed are q0 to q0, v0 to v0 and energy"
try 2 gradient bouncing-ball --scheme event-driven --of q0 --at 2.25 --by height
in_err "there is no 'height'" "q0"
try 2 gradient bouncing-ball --scheme event-driven --of q0 --at 2.25 --by e --method backward
in_err "allowed are forward, adjoint and difference:delta=D"
try 2 gradient bouncing-ball --scheme moreau-jean --step 1e-3 --of q0 --at 2.25 --by e --method adjoint
in_err "scheme moreau-jean has no adjoint equation; allowed is event-driven"
try 2 gradient bouncing-ball --scheme event-driven --of q0 --integral q0 --at 2.25 --by e
in_err "one of --of X and --integral X must be given"
try 2 gradient bouncing-ball --scheme event-driven --integral q0 --at 2.25 --by e --method difference:delta=1e-3
in_err "--integral goes with --method forward or adjoint"
try 2 gradient bouncing-ball --scheme event-driven --of t:0 --at 2.25 --by e
in_err "allowed is t:K with a number K > 0 of an event"
try 2 gradient bouncing-ball --scheme event-driven --of t:9 --at 2.25 --by e
in_err "there is no event 9: the run has 2 up to t = 2.25 s"
try 2 gradient bouncing-ball --scheme event-driven --of q0 --at 2.25 --by e --method difference:delta=0
in_err "must be > 0"
try 2 gradient bouncing-ball --scheme moreau-jean --of q0 --at 2.25 --by e
in_err "needs --step H"
try 2 gradient bouncing-ball --scheme moreau-jean-adaptive --of q0 --at 2.25 --by e
in_err "chooses its steps" "event-driven"
try 2 gradient bouncing-ball --scheme moreau-jean --step 0.1 --of q0 --at 2.25 --by e --method difference:delta=0.1
in_err "is not a multiple of the step"
# a step that ends at an impact: a scheme that restarts cannot begin inside the floor
refused "cannot restart where a step ends at an impact" "take a step that does not end there" -- gradient bouncing-ball --scheme rk-moreau --step 0.1 --of q0 --at 1.7 --by q0
# two walls struck at once: a value is not silent unless the impacts do not act on each other
try 0 gradient wedge --set cosine=0 --set f1=-2 --set f2=-2 --set g1=1 --set g2=1 --scheme moreau-jean --step 0.0097 --of q0 --at 1.455 --by g1
[ ! -s err ] || fail "impacts that do not act on each other: $(cat err)"
try 0 gradient wedge --set cosine=0.3 --set f1=-2 --set f2=-2 --set g1=1 --set g2=1 --scheme moreau-jean --step 0.0097 --of q0 --at 1.455 --by g1
in_err "g1: degenerate at t = 1.0088 s" "is struck at the same time"
finish
