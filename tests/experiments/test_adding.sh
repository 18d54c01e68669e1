# The page docs/adding.md, done: its files go into a copy of the sources, six lines into the lists, and the
# tool that comes out knows the models, the scheme with friction, the law, the exact solution and the norm.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/tree"
(cd "$source" && tar cf - CMakeLists.txt LICENSE cmake common event_driven time_stepping analytic experiments) |
  (cd "$work/tree" && tar xf -)
awk -v root="$work/tree" '
  /^```c file=/ { sub(/^```c file=/, ""); out = root "/" $0; next }
  /^```/ { out = "" }
  out != "" { print > out }
' "$source/docs/adding.md"

cd "$work/tree"
for added in common/models/sliding_puck.c common/models/thrown_block.c time_stepping/position/symplectic_euler.c common/contact/laws/softening.c analytic/exact/sliding_puck.c analytic/distance/norm_final.c; do
  [ -s $added ] || { echo "docs/adding.md has no $added"; exit 1; }
done
add() { # list, name, file
  file=${3-experiments/catalogue/catalogue.c}
  sed -i "s/^#define $1(X)/& X($2)/" "$file"
  grep -q "^#define $1(X) X($2)" "$file" || { echo "no $1 in $file"; exit 1; }
}
add DLS_MODEL_LIST sliding_puck
add DLS_MODEL_LIST thrown_block
add DLS_SCHEME_LIST symplectic_euler
add DLS_EXACT_LIST sliding_puck
add DLS_LAW_LIST softening common/contact/law.c
sed -i 's/^  X(end)$/& X(final)/' analytic/distance/norm.h
grep -q "X(end) X(final)" analytic/distance/norm.h || { echo "no DLS_NORM_LIST in analytic/distance/norm.h"; exit 1; }

# Compiled is what is new here, the rest comes from the build that is tested: the same options, its objects newer than all but the list.
build=$(cd "$(dirname "$1")/.." && pwd)
set -- -G "Unix Makefiles"
for name in CMAKE_BUILD_TYPE CMAKE_C_COMPILER CMAKE_C_FLAGS DLS_SANITIZE; do
  set -- "$@" "-D$name=$(sed -n "s/^$name:[A-Z]*=//p" "$build/CMakeCache.txt")"
done
cmake -S . -B build -DDLS_TESTS=OFF -DDLS_BENCH=OFF "$@" >log 2>&1 || { cat log; exit 1; }
(cd "$build" && find CMakeFiles/dls_*.dir CMakeFiles/delassus.dir -name '*.o' | tar cf - -T -) | tar xmf - -C build
touch experiments/catalogue/catalogue.c common/contact/law.c analytic/distance/norm.c
cmake --build build --target delassus --parallel 2 >log 2>&1 || { cat log; exit 1; }
compiled=$(grep -c 'Building C object' log)
[ "$compiled" -ge 4 ] && [ "$compiled" -lt 40 ] || { echo "$compiled files were compiled"; exit 1; }
tool=build/bin/delassus
expect() { # what, pattern, file
  grep -q -- "$2" "$3" || { echo "$1: no '$2' in:"; cat "$3"; exit 1; }
}
$tool show sliding-puck >out
expect "show of the new model" "initial distance from the wall" out
$tool exact sliding-puck --at 0.5,1,2 >out
expect "exact at 0.5" "^0.5,0.5,-1," out
expect "exact at the impact, left" "^1,0,-1," out
expect "exact at the impact, right" "^1,0,0.5," out
expect "exact at 2" "^2,0.5,0.5," out
# The law: 2 m/s come back as 0.9 * 2 / (1 + 2 * 0.3), by events and in steps; a scheme at position level refuses it.
$tool run bouncing-ball --law softening:e=0.9 --scheme event-driven --end 1.5 --columns v0 --out event.csv
$tool run bouncing-ball --law softening:e=0.9 --scheme moreau-jean --step 1e-4 --end 1.5 --columns v0 --out step.csv
for rebound in event step; do
  awk -F, '/^[#t]/ || $1 < 1.0 { next } $2 > most { most = $2 } END { exit !(most > 1.1245 && most < 1.1255) }' $rebound.csv ||
    { echo "rebound of the new law in $rebound.csv"; exit 1; }
done
! $tool run bouncing-ball --law softening:e=0.9 --scheme schatzman-paoli --step 1e-3 --end 1.5 >out 2>&1
expect "refusal of the new law" "does not treat laws of contact that depend on the approach speed, and the system has law softening at contact 0" out
$tool order sliding-puck --scheme symplectic-euler --steps 1e-1:1e-3:6 --end 3 --norm l1 --of v --out study >out
order=$(awk -F, 'NR == 2 { print $5 }' study/orders.csv)
awk -v q="$order" 'BEGIN { exit !(q > 0.8 && q < 1.2) }' || { echo "order of the new scheme: $order"; exit 1; }
$tool order sliding-puck --scheme symplectic-euler --steps 1e-1:1e-3:6 --end 3 --norm final --of q --out final >out
order=$(awk -F, '/^sliding-puck/ { print $5 }' final/orders.csv)
awk -v q="$order" 'BEGIN { exit !(q > 0.8 && q < 1.2) }' || { echo "order in the new norm: $order"; exit 1; }
# Friction: the block slides with status 2 and -mu times its normal impulse, then sticks (two rows a step); orders of q and v are one.
$tool run thrown-block --scheme symplectic-euler --step 0.01 --end 1 --out block.csv
awk -F, '/^t,/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
  /^#/ || $1 == 0 { next }
  $1 < 0.39 { slides += $at["status0"] == 2 && $at["p0t"] + 0.5 * $at["p0"] < 1e-12 && $at["p0t"] + 0.5 * $at["p0"] > -1e-12 }
  $1 > 0.43 { sticks += $at["status0"] == 1 && $at["v0"] < 1e-12 && $at["v0"] > -1e-12 }
  END { exit !(slides == 76 && sticks == 114) }' block.csv || { echo "friction of the new scheme:"; cat block.csv; exit 1; }
$tool order thrown-block --scheme symplectic-euler --reference event-driven --steps 1e-1:1e-3:6 --end 1 --norm l1 --out friction >out
for order in $(awk -F, '/^thrown-block/ { print $5 }' friction/orders.csv); do
  awk -v q="$order" 'BEGIN { exit !(q > 0.8 && q < 1.2) }' || { echo "order with friction: $order"; exit 1; }
done
$tool energy thrown-block --scheme symplectic-euler --step 0.01 --end 1 >out
