#!/bin/sh
# instructions.sh -- instructions per step, counted by valgrind's callgrind, of this tree beside another commit.
#
#   bench/instructions.sh COMMIT [FOLDER [REGEX]]
#
# Builds both as Release in FOLDER (default build-instructions) and prints, for every model without friction and every
# scheme that both builds have (or those of which "MODEL SCHEME" fits the REGEX), the instructions of COMMIT and of this tree
# and by how much the second are more. Schemes that choose their own steps are counted by second of simulated time;
# "event-driven" in a build that can choose searches as without CVODE's root finder, roots=hull. FOLDER/counts.csv keeps
# what is counted: a script that is started again continues after it; delete its lines of "now" to count a changed tree.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."
. cmake/prepare.sh
[ $# -ge 1 ] || { sed -n '3,11s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
# shellcheck disable=SC2086,SC2154 # a list of words, set by prepare.sh
need $packages valgrind git
commit=$(git rev-parse --verify "$1^{commit}")
folder=${2:-build-instructions}
regex=${3:-.}
models="bouncing-ball impacting-oscillator bead-column wedge ball-between-walls bouncing-pendulum two-ball-oscillator
  random-linear elastic-bar rod-impact"
few=100 many=300 # steps of the two runs

mkdir -p "$folder"
counts=$folder/counts.csv
[ -e "$counts" ] || echo "version,model,scheme,instructions" >"$counts"
[ -d "$folder/source" ] || git clone -q --no-checkout . "$folder/source"
git -C "$folder/source" checkout -q --detach "$commit"

# tool NAME SOURCE: built in FOLDER/NAME
tool() {
  say "Building $1 ..."
  if ! { cmake -S "$2" -B "$folder/$1" -DCMAKE_BUILD_TYPE=Release -DDLS_TESTS=OFF -DDLS_BENCH=OFF &&
    cmake --build "$folder/$1" --target delassus --parallel "$(nproc)"; } >"$folder/$1.log" 2>&1; then
    say "The build failed; the whole log is in $folder/$1.log"
    exit 1
  fi
}

step_of() {
  case $1 in
  elastic-bar | rod-impact) echo 1e-3 ;;
  two-ball-oscillator) echo 2e-3 ;;
  *) echo 1.1e-2 ;;
  esac
}

# run NAME MODEL SCHEME STEPS -> instructions of the whole run; nothing if it fails
run() {
  h=$(step_of "$2")
  set -- "$1" "$2" "$3" --end "$(awk "BEGIN { print $h * $4 }")" --stats
  case $3 in
  event-driven*) ;;
  *) set -- "$@" --step "$h" ;;
  esac
  [ "$2" != random-linear ] || set -- "$@" --set m=3 --set n=5
  name=$1 model=$2 scheme=$3
  shift 3
  if valgrind --tool=callgrind --callgrind-out-file=/dev/null "$folder/$name/bin/delassus" run "$model" --scheme "$scheme" "$@" \
    >"$folder/run.out" 2>"$folder/run.log"; then
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$folder/run.log"
  fi
}

# count NAME MODEL SCHEME: into counts.csv, unless it is there; "-" if the scheme does not run
count() {
  grep -q "^$1,$2,$3," "$counts" && return 0
  choice=$3
  if [ "$3" = event-driven ] && "$folder/$1/bin/delassus" show event-driven | grep -q '^  roots '; then
    choice=event-driven:roots=hull
  fi
  first=$(run "$1" "$2" "$choice" $few)
  last=$([ -z "$first" ] || run "$1" "$2" "$choice" $many)
  per=$((many - few))
  case $3 in event-driven*) per=$(awk "BEGIN { print $per * $(step_of "$2") }") ;; esac
  echo "$1,$2,$3,$(awk "BEGIN { if (\"$last\" == \"\") print \"-\"; else printf \"%.0f\", (${last:-0} - ${first:-0}) / $per }")" >>"$counts"
}

tool "$commit" "$folder/source"
tool now .
schemes=$("$folder/$commit/bin/delassus" list schemes --format csv | tail -n +2 | cut -d, -f1)
printf '%-22s %-34s %12s %12s\n' model scheme "$(git rev-parse --short "$commit")" now
for model in $models; do
  for scheme in $schemes; do
    echo "$model $scheme" | grep -Eq "$regex" || continue
    count "$commit" "$model" "$scheme"
    count now "$model" "$scheme"
    awk -F, -v model="$model" -v scheme="$scheme" -v old="$commit" '
      $2 == model && $3 == scheme { if ($1 == old) before = $4; if ($1 == "now") after = $4 }
      END { if (before > 0 && after > 0)
              printf "%-22s %-34s %12d %12d %+7.1f %%\n", model, scheme, before, after, 100 * (after / before - 1) }' "$counts"
  done
done
