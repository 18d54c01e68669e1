#!/usr/bin/env bash
# Instructions of derivatives by events. A run without them spends 0.5 % at most where it could ask for them; n parameters take 1 + n/2 runs
# without derivatives at most, and 1 + n/5 in linear systems without friction, with derivatives of forces too (there bouncing-ball
# of four parameters with auto, as one takes more). A cost that grows by the same for each parameter meets the bound of two if it meets those of one and four:
# two are counted with auto. $1: the tool, $2: the source folder
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
tool=$1
if ! command -v valgrind > /dev/null; then
  echo "needs valgrind"
  exit 77
fi
# instructions FUNCTIONS SETTINGS...: inside of these functions
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$1" "$tool" run bouncing-ball --scheme event-driven --end 2.9 \
    "${@:2}" 2>&1 > /dev/null | sed -n 's/.*Collected : //p'
}
whole=$(instructions dls_run)
without=$(instructions 'dls_motion_tangents_*')
with=$(instructions 'dls_motion_tangents_*' --sensitivity e)
echo "$without $whole $with" | awk '{
  printf "bouncing-ball: %.4g %% for derivatives of which there are none, %.4g times as much by e\n", 100 * $1 / $2, $3 / $1
  exit !($1 > 0 && $1 < 0.005 * $2 && $3 > 10 * $1) }'
"$2/bench/derivatives.sh" "$tool" 'bouncing-pendulum|rocking-block' q,v erk '1 4' | awk '
  { print }
  NR > 1 { rows++; worse += !($4 <= 1.5 && $5 <= 3) }
  END { exit !(rows == 2 && worse == 0) }'
"$2/bench/derivatives.sh" "$tool" '^puck$' q,v adams '1 4' | awk '
  { print }
  NR > 1 { rows++; worse += !($4 <= 1.5 && $5 <= 3) }
  END { exit !(rows == 1 && worse == 0) }'
"$2/bench/derivatives.sh" "$tool" '^slider-crank$' q,v bdf 1 | awk '
  { print }
  NR > 1 { rows++; worse += !($4 <= 1.5) }
  END { exit !(rows == 1 && worse == 0) }'
"$2/bench/derivatives.sh" "$tool" '^random-linear$' q,v adams 2 | awk '
  { print }
  NR > 1 { rows++; worse += !($4 <= 1.4) }
  END { exit !(rows == 1 && worse == 0) }'
"$2/bench/derivatives.sh" "$tool" 'bouncing-pendulum|rough-bowl' '' adams '1 4' | awk '
  { print }
  NR > 1 { rows++; worse += !($4 <= 1.5 && $5 <= 3) }
  END { exit !(rows == 2 && worse == 0) }'
"$2/bench/derivatives.sh" "$tool" 'bouncing-pendulum' '' auto | awk '
  { print }
  NR > 1 { rows++; worse += !($4 <= 1.5 && $5 <= 2 && $6 <= 3) }
  END { exit !(rows == 1 && worse == 0) }'
"$2/bench/derivatives.sh" "$tool" 'bouncing-ball|impacting-oscillator|puck-belt' q,v auto | awk '
  { print }
  NR > 1 { rows++; part = $1 == "puck-belt" ? 0.5 : 0.2; worse += !($4 <= 1 + part && $5 <= 1 + 2 * part && $6 <= 1 + 4 * part) }
  END { exit !(rows == 3 && worse == 0) }'
"$2/bench/derivatives.sh" "$tool" 'impacting-oscillator|two-ball-oscillator' '' auto '1 4' | awk '
  { print }
  NR > 1 { rows++; worse += !($4 <= 1.2 && $5 <= ($1 == "impacting-oscillator" ? 1.4 : 1.6)) }
  END { exit !(rows == 2 && worse == 0) }'
"$2/bench/derivatives.sh" "$tool" 'bouncing-ball' '' auto 4 | awk '
  { print }
  NR > 1 { rows++; worse += !($4 <= 1.7) }
  END { exit !(rows == 1 && worse == 0) }'
"$2/bench/derivatives.sh" "$tool" 'rough-bowl' '' auto | awk '
  { print }
  NR > 1 { rows++; worse += !($4 <= 1.5 && $5 <= 2 && $6 <= 3) }
  END { exit !(rows == 1 && worse == 0) }'
