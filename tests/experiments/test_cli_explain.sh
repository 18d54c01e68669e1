# test_cli_explain.sh -- `explain`: each sentence is on a run that has what it says, with the value of a formula, and on none that has not.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# The story without line breaks: a statement and its parts on one line each.
story() {
  try 0 explain "$@"
  awk '/^  [^ ]/ || /^                [a-z]+: / || !/^ / { printf "\n" } { sub(/^ +/, " "); printf "%s", $0 }' out >told
}
has() {
  for text in "$@"; do
    grep -qE -- "$text" told || fail "$last: not in the story: $text"
  done
}
lacks() {
  for text in "$@"; do
    ! grep -qE -- "$text" told || fail "$last: in the story: $(grep -E -- "$text" told | head -1)"
  done
}
number() { sed -nE "s|.*$1.*|\\1|p" told | head -1; }
drawn() { awk -v seed="$1" -v low="$2" -v high="$3" 'BEGIN { srand(seed); rand(); print low + (high - low) * rand() }'; }
wrongs="sinks|come to rest|penetrates|passes through|creeps|created|are lost|have the restitution"

# --- the exact solution and event-driven runs have no fault; the accumulation is where the formula has it ---
for seed in 1 2 3 4 5 6; do
  e=$(drawn $seed 0.3 0.85)
  f=$(drawn $((seed + 50)) -20 -1)
  rest=$(awk -v e="$e" -v f="$f" 'BEGIN { print sqrt(-2 / f) * (1 + e) / (1 - e) }')
  end=$(awk -v t="$rest" 'BEGIN { print 1.3 * t }')
  try 0 exact bouncing-ball --set e="$e" --set f="$f" --end "$end" --out exact.csv
  try 0 run bouncing-ball --set e="$e" --set f="$f" --scheme event-driven --end "$end" --out events.csv
  for file in exact events; do
    story $file.csv
    has "findings: none" "It impacts with .* restitution $(awk -v e="$e" 'BEGIN { printf "%.4g", e }')\." "stays in contact until"
    between "accumulation of $file for e = $e" "$(number 'accumulate at ([0-9.]+) s')" \
      "$(awk -v t="$rest" 'BEGIN { print 0.9999 * t }')" "$(awk -v t="$rest" 'BEGIN { print 1.0001 * t }')"
  done
done
for model in impacting-oscillator two-ball-oscillator puck incline rocking-block slider-crank-clearance ball-chain; do
  try 0 run $model --scheme event-driven --end 1 --out events.csv
  story events.csv
  lacks "$wrongs"
done

# --- Moreau-Jean at rest: it sinks at (1 - e) h a/(2 (1 + e)), and the velocities are -y and e y with y = h a/(1 + e) ---
for seed in 1 2 3 4 5 6; do
  e=$(drawn $seed 0.1 0.7)
  h=$(drawn $((seed + 20)) 0.002 0.012)
  a=$(drawn $((seed + 40)) 1 6)
  try 0 run bouncing-ball --set e="$e" --set f="-$a" --scheme moreau-jean --step "$h" --end 14 --out moreau.csv
  story moreau.csv
  speed=$(awk -v e="$e" -v h="$h" -v a="$a" 'BEGIN { print (1 - e) * h * a / (2 * (1 + e)) }')
  y=$(awk -v e="$e" -v h="$h" -v a="$a" 'BEGIN { print h * a / (1 + e) }')
  between "speed of sinking, e = $e, h = $h, a = $a" "$(number 'sinks at ([0-9.e-]+) m/s')" \
    "$(awk -v x="$speed" 'BEGIN { print 0.97 * x }')" "$(awk -v x="$speed" 'BEGIN { print 1.03 * x }')"
  between "lower velocity" "$(number 'alternates between -([0-9.e-]+) and')" \
    "$(awk -v x="$y" 'BEGIN { print 0.97 * x }')" "$(awk -v x="$y" 'BEGIN { print 1.3 * x }')"
  has "acts on velocities and does not correct gaps" "is followed by one without contact force"
  depth=$(grep -v '^#' moreau.csv | awk -F, 'NR > 1 && $4 < d { d = $4 } END { print -d }')
  between "depth" "$(number 'penetrates by up to ([0-9.e-]+) m')" \
    "$(awk -v x="$depth" 'BEGIN { print 0.999 * x }')" "$(awk -v x="$depth" 'BEGIN { print 1.001 * x }')"
  try 0 run bouncing-ball --set e="$e" --set f="-$a" --scheme moreau-jean:velocity_test=off,gamma=0.5 --step "$h" --end 14 --out rests.csv
  story rests.csv
  lacks "sinks" "come to rest"
done

# --- files with a part of the nodes: an impact between two rows is no lasting contact, and the step is that of the scheme ---
try 0 run bouncing-ball --scheme event-driven --end 5 --every 20 --out rare.csv
story rare.csv
has "only a part of the run" "recorded: one of every 20 nodes"
impact=$(sed -nE 's/^ *([0-9.]+) s .*It impacts.*/\1/p; s/.*impacts follow until ([0-9.]+) s.*/\1/p' told | sort -g | tail -1)
between "start of rest after the impact at $impact s" "$(number '^ *([0-9.]+) s .*stays in contact')" "$impact" 3.0001
try 0 run impacting-oscillator --scheme moreau-jean --step 0.003 --end 20 --every 1000 --out rare.csv
story rare.csv
between "step times approach at 1 m/s" "$(number 'step times fastest approach: ([0-9.e-]+) m')" 0.0029 0.0031

# --- an impact in two steps has no restitution of its own; impulses at nodes; a rod that turns while it sticks ---
try 0 run bouncing-ball --scheme chrono-nsc --step 0.003 --end 2 --out two.csv
story two.csv
has "the gap still closes" "leaves with .* restitution 0\.5"
lacks "have the restitution"
try 0 run slider-crank-clearance --scheme moreau-jean --step 0.002 --end 0.4 --out crank.csv
story crank.csv
has "4 of 4 contacts have no resolved impact"
lacks "passes the surface without"
try 0 run painleve-rod --scheme event-driven --end 3 --out rod.csv
story rod.csv
has "It sticks until"
lacks "creeps"

# --- depth by the step, by springs; energy that is created; restitution that is not that of the model ---
try 0 run bouncing-ball --scheme moreau-jean:gamma=0 --step 0.0173 --end 1.5 --out late.csv
story late.csv
has "penetrates by up to .*" "about the distance of the fastest approach in one step, or less"
lacks "sinks" "passes through"
try 0 run bouncing-ball --scheme standard-penalty --step 0.01 --end 5 --out spring.csv
story spring.csv
has "contact forces of this scheme are springs" "Energy is created" "conserving-penalty" "the law of the model gives 0.5"
try 0 run bouncing-ball --scheme newmark-velocity-contact:gamma=0.5,beta=0.25 --step 0.01 --end 3 --out newmark.csv
story newmark.csv
has "Impacts have the restitution 2; the law of the model gives 0.5" "acts again in the next step"
# the ball arrives with 2 m/s and leaves with 4 m/s: 8 - 2 J
between "energy created" "$(number 'Energy is created: ([0-9.]+) J')" 5.9 6.1

# --- loss without contact: the semi-implicit step of a soft contact, and theta = 1 ---
try 0 run impacting-oscillator --scheme moreau-jean:theta=1 --step 0.05 --end 1.4 --out theta.csv
story theta.csv
# per step the factor 1/(1 + h^2): 28 steps of 0.5 J
lost=$(awk 'BEGIN { print 0.5 * (1 - (1 + 0.05 * 0.05) ^ -26) }')
between "energy lost" "$(number 'contact force, ([0-9.]+) J are lost')" "$(awk -v x="$lost" 'BEGIN { print 0.9 * x }')" \
  "$(awk -v x="$lost" 'BEGIN { print 1.1 * x }')"
try 0 run impacting-oscillator --scheme moreau-jean --step 0.05 --end 1.4 --out theta.csv
story theta.csv
lacks "$wrongs"

# --- friction: stick, slip, creep; a slip that turns does not stick ---
try 0 run incline --set mu=0.7 --scheme moreau-jean --step 0.0013 --end 1 --out stick.csv
story stick.csv
has "It slides until 0\.1[0-9]* s, at first with 2 m/s" "It sticks until"
between "end of slip" "$(number 'It slides until ([0-9.]+) s')" 0.183 0.188 # 2/(9.81 (sin 30 + 0.7 cos 30)) = 0.1843 s
lacks "creeps"
try 0 run incline --scheme moreau-jean --step 0.0013 --end 1 --out turn.csv
story turn.csv
lacks "sticks" "creeps"
try 0 run incline --set mu=0.7 --scheme mujoco:restitution=own --step 0.003 --end 1 --out soft.csv
story soft.csv
between "creep" "$(number 'It creeps at ([0-9.]+) m/s')" 0.0137 0.0139
has "friction is regularised" "contact forces of this scheme are springs"

# --- tables of other programs ---
awk 'BEGIN { print "time;h"; for (i = 0; i < 300; i++) printf "%g;%g\n", i / 100, 1 - (i / 100) ^ 2 }' >fall.csv
story fall.csv bouncing-ball --map t=time,q0=h --between linear
has "1\.01 s .*It passes through the surface" "no velocities" "the contact is not detected"
# a flight that turns 1e-4 m above the surface
awk 'BEGIN { print "t,q0,v0"; for (i = 0; i <= 200; i++) { t = i / 100; printf "%.9g,%.9g,%.9g\n", t, 1e-4 + (t - 1) ^ 2, 2 * (t - 1) } }' >graze.csv
story graze.csv bouncing-ball --set f=2 --between linear
has "passes the surface without touching it" "g0 = 0\.0001 m is a minimum"
lacks "$wrongs" "impacts with"
awk 'BEGIN { print "t,q0,v0"; for (i = 0; i <= 200; i++) { t = i / 100; printf "%.9g,%.9g,%.9g\n", t, 0.1 + (t - 1) ^ 2, 2 * (t - 1) } }' >far.csv
story far.csv bouncing-ball --set f=2 --between linear
lacks "passes the surface"

# --- a run that stops, and many contacts ---
try 0 run block-wall --scheme moreau-jean --step 0.003 --end 0.3 --out wall.csv
story wall.csv
has "more contacts are left out" "Energy is not examined"
lacks "$wrongs"

# --- requests that are wrong ---
printf 't,q0\n0,1\n1,0\n' >nameless.csv
refused "nameless.csv" "does not name its model" -- explain nameless.csv --between linear
refused "unknown model 'nowhere'" -- explain nameless.csv nowhere --between linear
refused "does not define the interpolation" -- explain nameless.csv bouncing-ball
printf 't,q0\n0,1\n' >short.csv
refused "short.csv has 1 row" -- explain short.csv bouncing-ball --between linear
refused "--set goes with MODEL" -- explain late.csv --set e=0.3
printf 't,x\n0,1\n1,2\n' >other.csv
try 2 explain other.csv bouncing-ball --between linear
in_err "q0"
refused "no-file.csv" -- explain no-file.csv

# impacts that smooth forces hide are not silent
try 0 run two-ball-oscillator --scheme nonsmooth-generalized-alpha --step 0.01 --end 3 --out hidden.csv
story hidden.csv
has "It has contact forces, but no resolved impact and no lasting contact"

# a slide far slower than the flight before is no stick: it ends at t = 2 vx/(7 mu g), in a run by steps
try 0 run bounce-slip --scheme moreau-jean --step 1e-3 --end 3 --out roll.csv
story roll.csv
between "end of the slide" "$(number 'It slides until ([0-9.]+) s')" 2.325 2.335
between "begin of rolling" "$(number ' ([0-9.]+) s +It sticks until 2.99')" 2.325 2.335

# bodies that accelerate together push each other, too; a slide ends with the slip of its end; the depth of a drift has its cause
try 0 run incline-stack --scheme moreau-jean --step 0.002 --end 2 --out stack.csv
story stack.csv
equal "contacts of the stack that last" "$(grep -c 'It stays in contact until 2 s' told)" 2
equal "contacts of the stack that slide" "$(grep -c 'It slides until 2 s' told)" 2
lacks "no resolved impact"
try 0 run bead-column --scheme moreau-jean --step 0.002 --end 1 --out column.csv
story column.csv
equal "beads that stay" "$(grep -c 'It stays in contact until 1 s' told)" 4
has "It impacts with 1.393 m/s and does not separate: restitution 0"
lacks "does not correct gaps"
try 0 run puck-belt --scheme event-driven --end 1 --out belt.csv
story belt.csv
has "It slides until 0\.3798[0-9]* s, at first with 1\.118 m/s, at the end with 0 m/s" # the whole slip, not that of the last node in it
try 0 run rough-bowl --scheme moreau-jean --step 0.005 --end 5 --out bowl.csv
story bowl.csv
has "It penetrates by up to 0\.01[0-9]* m\." "cause: the contact law of this scheme acts on velocities"

finish
