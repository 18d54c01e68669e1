# test_cli_run.sh -- one simulation: the trajectory file, the counters, pictures, where results go.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# the trajectory goes to standard output, nothing to standard error
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 4
[ ! -s err ] || fail "$last wrote to standard error: $(cat err)"
equal "columns" "$(header out)" "t,q0,v0,g0,u0,p0,lambda0,status0"
equal "times of 400 steps" "$(grep -v '^#' out | tail -n +2 | cut -d, -f1 | uniq | wc -l)" 401
in_out "# model: bouncing-ball" "# scheme: moreau-jean" "# parameters: m=1,f=-2,e=0.5,q0=1,v0=0" "# step: 0.01" \
  "# interpolation: q0=" "# complete: yes" "# delassus: "
grep -Eq '^# options: theta=' out || fail "the options are not among the metadata"
mv out plain.csv

# --out is the same file, and says nothing; the default end is 10
try 0 run --out file.csv bouncing-ball --step=0.01 --scheme=moreau-jean --end 4
[ ! -s out ] || fail "--out wrote to standard output too"
cmp -s plain.csv file.csv || fail "--out FILE and standard output differ"
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --out -
cmp -s plain.csv out || fail "--out - and standard output differ"
try 0 run bouncing-ball --scheme moreau-jean --step 0.1 --out ten.csv
close "last time without --end" "$(tail -1 ten.csv | cut -d, -f1)" 10 1e-12
# a run repeats bit for bit, an old file is replaced, its permissions stay
chmod 640 file.csv
echo old >>file.csv
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --out file.csv
cmp -s plain.csv file.csv || fail "a second run differs"
equal "permissions" "$(stat -c %a file.csv)" 640
# through a link the file is written, and the link stays one
ln -s file.csv link.csv
try 0 run bouncing-ball --scheme moreau-jean --step 0.1 --end 4 --out link.csv
[ -L link.csv ] || fail "the link was replaced by a file"
equal "times through a link" "$(grep -v '^#' file.csv | tail -n +2 | cut -d, -f1 | uniq | wc -l)" 41
# pipes and devices are written directly
mkfifo pipe
cat pipe >piped &
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --out pipe
wait
cmp -s plain.csv piped || fail "--out PIPE and standard output differ"
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --out /dev/stdout
cmp -s plain.csv out || fail "--out /dev/stdout and standard output differ"

# parameters and options arrive, also several of them
try 0 run bouncing-ball --scheme moreau-jean:theta=1,gamma=0.5 --step 0.01 --end 1 --set e=0.9 --set q0=2 --set v0=-1
in_out "e=0.9,q0=2,v0=-1" "theta=1,gamma=0.5"
equal "first row" "$(grep -v '^#' out | sed -n 2p | cut -d, -f1-3)" "0,2,-1"

# counters: the contract's keys first, in its order
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --stats
expected="steps rejected force_evals jacobian_evals factorizations lcp_solves lcp_pivots newton_iterations events"
expected="$expected impacts wall_seconds"
equal "keys of --stats" "$(head -11 out | cut -d= -f1 | tr '\n' ' ')" "$expected "
grep -vq '=' out && fail "--stats prints lines that are not key=value"
equal steps "$(value steps)" 400
equal complete "$(value complete)" yes
between "impacts" "$(value impacts)" 5 400
between "worst_gap" "$(value worst_gap)" -0.02 0
between "worst_gap_time" "$(value worst_gap_time)" 1 4
equal "keys of --stats about contacts" "$(tail -6 out | cut -d= -f1 | tr '\n' ' ')" \
  "restitution_min restitution_max restitution_mean spurious_impacts worst_penetration final_drift "
close restitution_min "$(value restitution_min)" 0.5 1e-9
close restitution_max "$(value restitution_max)" 0.5 1e-9
equal worst_penetration "$(value worst_penetration)" "$(value worst_gap | tr -d -)"
between final_drift "$(value final_drift)" 0 0.02
between "wall_seconds" "$(value wall_seconds)" 0 10
grep -q '^t,' out && fail "--stats prints the trajectory too"
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --stats --out file.csv
equal steps "$(value steps)" 400
cmp -s plain.csv file.csv || fail "--stats changes the file"

# the event-driven integrator: true impacts, and the accumulation is reported
try 0 run bouncing-ball --scheme event-driven --end 5 --out event.csv
in_err "accumulation at" "infinitely many impacts" "error in the gap <="
close "estimated end of the accumulation" "$(sed 's/.*the last is estimated at t = \([^ ]*\) s.*/\1/' err)" 3 1e-5
equal "lines of the report" "$(wc -l <err)" 1
equal "completeness" "$(grep -c '^# complete: yes' event.csv)" 1
grep '^# event: ' event.csv | head -1 | grep -Eq 't=(1|1\.0000000|0\.9999999).* kind=impact' ||
  fail "the first event of event.csv is not the impact at t = 1"

# a method that takes over is counted by name, and only then there is a line
try 1 run bouncing-pendulum --scheme nonsmooth-hht:newton_max=1 --step 0.02 --end 0.4 --stats
equal fallbacks "$(grep ^fallback_ out)" fallback_newton-from-rest=1
try 0 run bouncing-pendulum --scheme nonsmooth-hht --step 0.02 --end 0.4 --stats
equal fallbacks "$(grep ^fallback_ out)" ""

# the naive rule names its danger
try 0 run wedge --scheme event-driven:release=sign --end 1 --stats
equal wrong_releases "$(value wrong_releases)" 1
in_err "release=sign has let go of contacts that press (wrong_releases=1)" "release=complementarity does"
refused "release = sign does not treat friction" -- run incline --scheme event-driven:release=sign --end 1
try 0 run wedge --scheme event-driven --end 1 --stats
equal wrong_releases "$(value wrong_releases)" 0
[ ! -s err ] || fail "$last wrote to standard error"

# a penetration of more than 1 % of the length scale is reported, also without --stats, and once
try 0 run bouncing-ball --scheme naive-rk4 --step 0.01 --end 40 --out sunk.csv
equal "message" "$(cat err)" "delassus run: penetration at contact 0: the gap was -0.124 m at t = 40 s"
equal "metadata" "$(grep -c '^# warning: penetration, t=40, contact=0, value=-0.12' sunk.csv)" 1
try 0 run bouncing-ball --scheme naive-rk4 --step 0.004 --end 2 --out sunk.csv
[ ! -s err ] || fail "$last wrote to standard error: $(cat err)"

# an unstable step is told, also where the contact holds and the state stays finite
try 0 run rod-impact --scheme rk-moreau --step 0.02 --end 2.6 --out grown.csv
in_err "the motion has grown without bound: v" "at t = 2.6 s" "a smaller step may be stable"
equal "lines of the report" "$(wc -l <err)" 1
# by the last finite speeds, where a step ends with v0 = nan
try 1 run two-cylinders --set n=2 --set layers=2 --set bottom=-1.85 --scheme central-difference-penalty --step 1.5e-3 --end 0.09
in_err "is not finite after step" "the motion has grown without bound: v" "a smaller step may be stable"
try 0 run rod-impact --scheme rk-moreau --step 0.005 --end 2.6 --out grown.csv
[ ! -s err ] || fail "$last wrote to standard error: $(cat err)"

# some columns: the same numbers, and the slopes that cubic ones need
try 0 run bead-column --set N=3 --scheme moreau-jean --step 0.01 --end 1 --out whole.csv
try 0 run bead-column --set N=3 --scheme moreau-jean --step 0.01 --end 1 --columns p,q2 --out part.csv
equal "columns chosen" "$(grep '^t,' part.csv)" "t,q2,p0,p1,p2"
equal "what they mean" "$(grep '^# interpolation' part.csv)" "# interpolation: q2=linear p0=linear p1=linear p2=linear"
equal "numbers" "$(grep -v '^#' part.csv | cksum)" "$(grep -v '^#' whole.csv | cut -d, -f1,4,14-16 | cksum)"
try 0 run bead-column --set N=3 --scheme event-driven --end 1 --columns q2,g0 --out part.csv
equal "columns with slopes" "$(grep '^t,' part.csv)" "t,q2,v2,g0,u0,a2"
try 2 run bead-column --set N=3 --scheme moreau-jean --step 0.01 --columns q,v3
in_err "--columns: there is no column 'v3'; there are q0 to q2, v0 to v2, for each of 3 contacts g, u, p, lambda, status"
try 2 run bead-column --scheme moreau-jean --step 0.01 --columns p,status --plot beads.png
in_err "--columns leaves nothing to draw"

# over a column: a phase portrait, whose columns must be recorded
try 0 run belt --scheme event-driven --set Fs=1.5 --end 5 --over q0 --plot phase.svg --columns q0,v0,status
for text in "'position q_{0} [m]'" "'velocity v_{0} [m/s]'" "contact 0 sticks" '$run0_v0'; do
  grep -qF -- "$text" phase.gp || fail "phase.gp has no $text"
done
try 0 run puck --scheme event-driven --end 1 --over q0 --of q1,v1 --plot path.svg
equal "panels" "$(grep -c '^plot ' path.gp)" 2
try 0 run woodpecker --scheme event-driven --cycle stick:1 --drift q0 --end 1 --stats --out cycle.csv
equal "events of the cycle" "$(sed -n 's/^cycle_events=//p' out)" 9
between "multiplier" "$(sed -n 's/^cycle_multiplier1=//p' out)" -0.83917 -0.83914
in_err "cycle: period 0.14597606514 s, 9 events; multipliers -0.83915"
grep -q '^# cycle_period: 0.145976' cycle.csv || fail "the trajectory does not say what cycle it is"
between "end" "$(tail -1 cycle.csv | cut -d, -f1)" 0.14597606 0.14597607
refused "cycle = 'slip:1': EVENT:CONTACT" -- run woodpecker --scheme event-driven --cycle slip:1
refused "drift = q0 goes with cycle" -- run woodpecker --scheme event-driven --drift q0
# explicit time dependence: the map has no coordinate for the phase
refused "explicit time dependence of the model vibrating-table: moving supports" -- run vibrating-table \
  --scheme event-driven --set e=0.5 --set A=0.0035 --set omega=60 --end 6 --cycle impact:0
refused "explicit time dependence of the model forced-block: loads" -- run forced-block --scheme event-driven --end 30 --cycle stick
refused "there is no position 'q7', there are q0 to q2" -- run woodpecker --scheme event-driven --cycle stick:1 --drift q7
refused "over v0: say what is drawn (of)" -- run belt --scheme event-driven --over v0 --plot a.png
refused "over q0: it cannot be drawn over itself" -- run belt --scheme event-driven --over q0 --of v0,q0 --plot a.png
refused "the run records no column 'q7'" -- run belt --scheme event-driven --over q0 --of q7 --plot a.png
refused "the run records no column 'v0'" -- run puck --scheme event-driven --over q1 --of v0 --columns q1 --plot a.png
refused "--over = q0 needs --plot FILE or --report" -- run belt --scheme event-driven --over q0
refused "--of = q0 goes with --over X" -- run belt --scheme event-driven --of q0 --plot a.png

# a run that fails keeps what there is, marks it, and exits 1
try 1 run bouncing-ball --scheme moreau-jean --set f=1e308 --step 1 --out broken.csv
in_err "not finite" "t = "
equal "mark" "$(grep -c '^# complete: no$' broken.csv)" 1
equal "reason" "$(grep -c '^# failure: .*not finite' broken.csv)" 1
between "rows kept" "$(grep -vc '^#' broken.csv)" 2 5
try 1 run bouncing-ball --scheme moreau-jean --set f=1e308 --step 1 --stats
equal complete "$(value complete)" no
# a disk that is full (a limit on the size of files stands for it) leaves the old file and nothing else
echo old >full.csv
(
  trap '' XFSZ
  ulimit -f 1
  try 1 run bouncing-ball --scheme moreau-jean --step 1e-3 --out full.csv
  in_err "cannot write 'full.csv'"
  exit "$failures"
) || failures=$((failures + 1))
equal "the old file after a full disk" "$(cat full.csv)" old
no_traces

if command -v gnuplot >/dev/null; then
  for format in png svg pdf; do
    try 0 run bouncing-ball --scheme moreau-jean --step 0.05 --end 4 --plot "ball.$format"
    [ ! -s out ] || fail "--plot FILE wrote to standard output"
    [ -s "ball.$format" ] || fail "$last made no picture"
    [ -s ball.gp ] || fail "$last left no script"
  done
  try 0 run bouncing-ball --scheme moreau-jean --step 0.05 --end 4 --plot - --stats
  between "lines of the picture in the terminal" "$(wc -l <out)" 20 200
  in_out "steps=80"

  # a terminal of 24 lines has room for two panels that can be read: title, ticks, curve
  export LINES=24 COLUMNS=80
  try 0 run bouncing-ball --scheme moreau-jean --step 0.02 --end 4 --plot -
  unset LINES COLUMNS
  between "lines of a small terminal" "$(wc -l <out)" 20 24
  in_out "drawn: 2 of 4 panels" "gap g [m]" "velocity v [m/s]" "  1.0 ┤" "   -2 ┤" "b v0"

  # lasting contact is a force, blows are stems; the options are in the title, the reference has a name
  try 0 run elastic-bar --scheme moreau-jean:theta=1 --step 1e-3 --end 1 --plot bar.svg
  for text in "elastic-bar, moreau-jean:theta=1, h = 1e-3 s" "contact force p/h [N]" "title 'exact'"; do
    grep -qF "$text" bar.gp || fail "bar.gp has no $text"
  done
  between "rows of the force of lasting contact" "$(awk '/^\$push_run_p0/, /^EOD/' bar.gp | wc -l)" 6 200
  try 0 run bouncing-pendulum --scheme event-driven --end 1 --plot pendulum.svg --out pendulum.csv
  grep -qF "[rad/s]" pendulum.gp || fail "the pendulum's velocity is not in rad/s"
  grep -qxF "# coordinates: q0: angle [rad]" pendulum.csv || fail "pendulum.csv does not tell the unit of q0"
  rm -f bar.* pendulum.*
  # slip has a panel of its own, a curve for each tangent; without friction there is none
  try 0 run puck --scheme moreau-jean --step 0.02 --end 0.4 --plot puck.png
  grep -qxF "set ylabel 'slip u [m/s]'" puck.gp || fail "the puck's picture has no panel of its slip"
  grep -q "u_{0t2}" puck.gp || fail "the puck's picture has no curve of its second slip"
  try 0 run bouncing-ball --scheme moreau-jean --step 0.05 --end 1 --plot ball.png
  ! grep -q "slip" ball.gp || fail "the ball's picture has a panel of slip"
  # by events: times of stick are shaded, the force of friction stays within its limits
  try 0 run belt --scheme event-driven --set Fs=1.5 --end 12 --plot belt.png
  equal "phases of stick in each panel" "$(grep -c "^set object rectangle" belt.gp)" $((2 * $(grep -c '^plot ' belt.gp)))
  awk '/^\$limit_lambda0t/ { on = 1; next } /^EOD/ { on = 0 } on && ($2 < 0.999 || $2 > 1.001) { bad = 1 } on { n++ }
    END { exit bad || n < 10 }' belt.gp || fail "the limits of friction are not 1 N"
  grep -qF '$limit_lambda0t using 1:3 with lines' belt.gp || fail "there is no lower limit of friction"
  rm -f puck.* ball.* belt.*
else
  echo "gnuplot is absent: pictures are not tested"
fi

# numbers of solutions are there where they were counted, and only there
try 0 run belt --scheme event-driven --set Fs=1.5 --end 12 --stats
in_out "stick=2"
! grep -q "n_solutions" out || fail "$last: a number of solutions that was not counted"
try 0 run bounce-slip --scheme event-driven --end 1 --stats
in_out "n_solutions=1"

# merged impacts whose order matters are reported, and orders without a result: a wedge of 0.001 rad takes 3000 impacts
array() { # ROWS COLUMNS VALUES FILE
  printf '%%%%MatrixMarket matrix array real general\n%s %s\n' "$1" "$2" >"$4"
  # shellcheck disable=SC2086 # a list of words
  printf '%s\n' $3 >>"$4"
}
array 2 2 "1 0 0 1" M.mtx
array 2 2 "0 0 0 0" K.mtx
array 2 1 "0 0.5" q0.mtx
array 2 1 "0 -1" v0.mtx
for half in "0.0005 none" "0.25 some"; do
  array 2 2 "$(awk -v a="${half% *}" 'BEGIN { print cos(a), sin(a), -cos(a), sin(a) }' OFMT=%.17g)" H.mtx
  try 0 run matrix-model --set M=M.mtx --set K=K.mtx --set H=H.mtx --set q0=q0.mtx --set v0=v0.mtx --set e=1 --scheme event-driven --end 1 --out wedge.csv
  if [ "${half#* }" = none ]; then
    in_err "contacts 0, 1 differ by less than their error; 2 of 2 other orders could not be solved; 1 such events" "later error bounds are unknown (inf)"
    grep -q "merged=0+1 merged_unsolved=2/2$" wedge.csv || fail "$last: $(grep merged wedge.csv)"
  else
    in_err "contacts 0, 1 differ by less than their error; another order would change v by" "later error bounds include the difference"
  fi
done

# an output that cannot be written takes nothing from the others
if [ -c /dev/full ]; then
  try 1 run belt --scheme moreau-jean --step 0.1 --end 1 --dump-problems hard --out /dev/full --stats
  in_err "cannot write '/dev/full'" "10 written to hard"
  in_out "final_drift="
  equal "problems" "$(find hard -type f | wc -l)" 10
  rm -r hard
fi
# a step longer than half the period of the table is reported, a shorter one is not
try 0 run vibrating-table --scheme moreau-jean --step 0.06 --end 0.5 --set q0=5 --out coarse.csv
in_err "moreau-jean: the step of 0.06 s is longer than 0.0523599 s, the shortest feature of the explicit time dependence of the model"
grep -q '^# shortest_feature: 0.0523599 s, shorter than the step of 0.06 s$' coarse.csv || fail "no shortest_feature in the metadata"
try 0 run vibrating-table --scheme moreau-jean --step 0.05 --end 0.5 --set q0=5 --out fine.csv
! grep -q shortest_feature fine.csv || fail "a step of 0.05 s is said to be longer than 0.052 s"
try 0 run vibrating-table --scheme event-driven --end 0.5 --set q0=5 --out events.csv
! grep -q shortest_feature events.csv || fail "event-driven has no step to compare"
# on a terminal many rows are summarised; a pipe, --out - and few rows are printed
cat >terminal.py <<'END'
import os, subprocess, sys
master, slave = os.openpty()
program = subprocess.Popen(sys.argv[1:], stdout=slave, stderr=subprocess.DEVNULL)
os.close(slave)
text = b""
while True:
    try:
        data = os.read(master, 65536)
    except OSError:  # the other end is closed
        break
    if not data:
        break
    text += data
open("screen", "wb").write(text.replace(b"\r", b""))
sys.exit(program.wait())
END
python3 terminal.py "$tool" run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 </dev/null || fail "run on a terminal"
for text in "bouncing-ball by moreau-jean on [0, 4] s: 400 steps, 458 rows" "q0 = " " impact" "least gap" "out FILE.csv"; do
  grep -qF -- "$text" screen || fail "the summary does not contain '$text', but: $(cat screen)"
done
between "lines of the summary" "$(wc -l <screen)" 4 10
python3 terminal.py "$tool" run bouncing-ball --scheme moreau-jean --step 0.2 --end 4 </dev/null || fail "run on a terminal"
equal "few rows on a terminal" "$(grep -v '^#' screen)" "$("$tool" run bouncing-ball --scheme moreau-jean --step 0.2 --end 4 2>/dev/null | grep -v '^#')"
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 4
equal "rows in a pipe" "$(grep -vc '^#' out)" 459
finish
