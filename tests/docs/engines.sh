# engines.sh -- the programs for physics engines: those whose packages are there are built, run on the ball before its accumulation
# and judged; a page is made of that: bash engines.sh TOOL SOURCE-FOLDER. Exit status 77 where neither ODE nor Chipmunk is there.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
engines=$(realpath "$2")/docs/engines
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

cmake -S "$engines" -B programs >configured 2>&1 || { cat configured && exit 1; }
grep -o 'left out: .*' configured
if ! grep -qE 'engine: (ode|chipmunk)$' configured; then
  echo "neither ODE nor Chipmunk (packages libode-dev, libchipmunk-dev)"
  exit 77
fi
cmake --build programs >built 2>&1 || { tail -30 built && exit 1; }
! grep -i 'warning' built || fail "the programs give warnings"

for program in programs/bin/*; do
  "$program" >out 2>err && fail "$program without arguments succeeds"
  "$program" "$(basename "$program")" ball 0 x.csv >out 2>err && fail "$program takes a step of 0 s"
  grep -q "step '0' is not within" err || fail "$program does not say which step is wrong"
  [ ! -e x.csv ] || fail "$program leaves a file of a wrong request"
done

bash "$engines/measure.sh" "$tool" programs/bin results ball >out 2>err || fail "measure.sh: $(tail -3 err)"
for program in ode chipmunk; do
  [ -x programs/bin/$program ] || continue
  order=$(awk -F, -v p=$program '$2 == p && $3 == "l1" && $4 == "v" { print $5 }' results/ball/verdict/orders.csv)
  between "order of $program before the accumulation" "$order" 0.9 1.1
  error=$(awk -F, -v p=$program '$2 == p && $5 == "l1" && $6 == "v" && $4 == 0.02 { print $7 }' results/ball/verdict/errors.csv)
  between "error of $program at 0.02 s" "$error" 1e-2 0.2
  restitution=$(awk -F, -v p=$program '$1 == p && $3 == 0.02 { print $5 }' results/ball/verdict/contacts.csv)
  close "restitution of $program" "$restitution" 0.5 1e-6
done
# a program that does not bounce is no plausible engine: what the referee says of Bullet as it comes
if [ -x programs/bin/bullet ]; then
  error=$(awk -F, '$2 == "bullet" && $5 == "hausdorff" && $6 == "v" { last = $7 } END { print last }' results/ball/verdict/errors.csv)
  between "error of Bullet as it comes, smallest step" "$error" 0.9 1.1
fi

printf '%s\n' "before" "@table ball hausdorff of v | restitution" "@picture ball v the ball" "@own" "@settings" "@missing" >page.in
python3 "$engines/page.py" page.in results page || fail "page.py ends with an error"
for program in programs/bin/*; do
  grep -q "^| $(basename "$program") | [0-9.e-]*; .* | [0-9.e-]*; e = " page/notes/engines.md || fail "no row of $program on the page"
done
# a compliant engine: 0.094 is what its equations are away from the rigid ball, whatever the step; it solves them with order one
if [ -x programs/bin/mujoco ]; then
  row=$(grep '^| mujoco | 0' page/notes/engines.md | tail -1)
  between "model error of MuJoCo" "$(echo "$row" | cut -d'|' -f3)" 0.09 0.1
  between "time error of MuJoCo at 0.00002 s" "$(echo "$row" | cut -d'|' -f6)" 1e-4 3e-3
  between "order of MuJoCo" "$(echo "$row" | cut -d'|' -f7 | cut -d'[' -f1)" 0.75 1.2
fi
[ -s page/images/engines-ball.png ] || fail "no picture beside the page"
equal "lines of the template that are left" "$(grep -c '^@' page/notes/engines.md)" 0
finish
