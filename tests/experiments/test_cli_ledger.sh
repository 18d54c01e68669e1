# test_cli_ledger.sh -- ledger: its numbers are those of the `order` commands that it names; published orders, creep and effective
# restitution; rows without numbers; resume, time limit, signals; refusals.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
root=$(realpath "$2")
source "$2/tests/experiments/cli_support.sh"

# table FILE: with tabs instead of commas, made where FILE has changed; its name
table() {
  [ "$1.tabs" -nt "$1" ] || python3 -c 'import csv, sys
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    rows = list(csv.reader(file))
assert not any("\t" in field for row in rows for field in row)
with open(sys.argv[1] + ".tabs", "w", encoding="utf-8") as file:
    file.writelines("\t".join(row) + "\n" for row in rows)' "$1"
  echo "$1.tabs"
}

# cell FILE PROBLEM SCHEME OPTIONS QUANTITY COLUMN: of ledger.csv
cell() {
  awk -F '\t' -v problem="$2" -v scheme="$3" -v options="$4" -v quantity="$5" -v column="$6" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && $at["problem"] == problem && $at["scheme"] == scheme && $at["options"] == options && $at["quantity"] == quantity {
      rows++; found = $at[column] }
    END { print !(column in at) ? "no column" : rows == 1 ? found : rows + 0 " rows" }' "$(table "$1")"
}

# field FILE COLUMN ROW: of another table, row 1 the first below the names
field() {
  awk -F '\t' -v column="$2" -v row="$3" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == row + 1 && column in at { print $at[column] }' "$(table "$1")"
}

# median FILE COLUMN: of the finite values of the last four rows
median() {
  awk -F '\t' -v column="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && !/^#/ && column in at { values[++rows] = $at[column] }
    END {
      for (r = rows < 4 ? 1 : rows - 3; r <= rows; r++) {
        if (values[r] !~ /nan/) {
          for (i = ++n; i > 1 && sorted[i - 1] > values[r] + 0; i--) sorted[i] = sorted[i - 1]
          sorted[i] = values[r] + 0
        }
      }
      if (n == 0) print rows > 0 ? "nan" : "no rows"
      else printf "%.17g\n", (sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2 }' "$(table "$1")"
}

# --- the same numbers as the commands ---

schemes="--scheme moreau-jean --scheme sap --scheme chrono-nsc"
# shellcheck disable=SC2086
try 0 ledger --quick --problem ball-inelastic --problem incline-stick $schemes --out table
in_out "  1  ball-inelastic" "  2  incline-stick" "ball-inelastic: " "moreau-jean" "sap:restitution=own" "chrono-nsc" \
  "no result: sap:restitution=fit: ball-inelastic, incline-stick: " "which no finite damping attains"
equal header "$(header table/ledger.csv)" "problem,scheme,options,quantity,unit,value,low,high,reference,remark,command"
equal "rows" "$(wc -l <table/ledger.csv)" $((1 + 2 * 4 * 14))
cp table/ledger.csv whole.csv
grep -q '^### 2\. incline-stick$' table/ledger.md || fail "ledger.md has no section of the second problem"
equal "tables of ledger.md" "$(grep -c '^| scheme | ' table/ledger.md)" 2
equal "rows of ledger.md" "$(grep -c '^| sap:restitution=own | ' table/ledger.md)" 2
equal "commands of ledger.md" "$(grep -c '^delassus order .* --scheme SCHEME --end ' table/ledger.md)" 2
[ -s table/ledger_orders.png ] || fail "there is no picture"
for problem in ball-inelastic incline-stick; do
  for row in "moreau-jean " "sap restitution=own" "chrono-nsc "; do
    scheme=${row%% *} options=${row#* }
    command=$(cell whole.csv $problem "$scheme" "$options" order command)
    [[ $command == "delassus order "*" --scheme $scheme"* ]] || fail "command of $scheme on $problem: '$command'"
    # shellcheck disable=SC2086 # words
    try 0 ${command#delassus } --out direct --overwrite --plot-format none
    for pair in "order value order" "order low ci_low" "order high ci_high" "limit-order value limit_order" \
      "limit-order low limit_ci_low" "plateau value plateau"; do
      read -r quantity column name <<<"$pair"
      equal "$quantity $column of $scheme on $problem" "$(cell whole.csv $problem "$scheme" "$options" "$quantity" $column)" \
        "$(field direct/orders.csv "$name" 1)"
    done
    # medians at the least step: the last 4 runs of quality.csv
    for pair in "creep creep" "hop hop" "depth rest_depth" "drift rest_speed" "energy bounce_energy"; do
      read -r quantity name <<<"$pair"
      measured=$(cell whole.csv $problem "$scheme" "$options" "$quantity" value)
      expected=$(median direct/quality.csv "$name")
      [ "$measured" = nan ] || close "$quantity of $scheme on $problem" "$measured" "$expected" 1e-16
    done
  done
done

# --- what is known: published orders and effects, with random steps ---

try 0 ledger --problem ball-accumulation --problem ball-inelastic --problem incline-stick --repeats 12 --out known \
  --scheme moreau-jean --scheme anitescu-potra --scheme chrono-nsc --scheme xpbd:substeps=1 --scheme mujoco:cone=elliptic \
  --scheme stewart-trinkle --scheme icf --scheme sequential-impulse
known() { cell known/ledger.csv "$@" value; }
# order PROBLEM SCHEME OPTIONS VALUE: the 95 % interval has a point within 0.15 of it
order() {
  between "order of $2:$3 on $1" "$(cell known/ledger.csv "$1" "$2" "$3" "${5:-order}" low)" -9 "$(awk -v x="$4" 'BEGIN { print x + 0.15 }')"
  between "order of $2:$3 on $1" "$(cell known/ledger.csv "$1" "$2" "$3" "${5:-order}" high)" "$(awk -v x="$4" 'BEGIN { print x - 0.15 }')" 9
}
order ball-accumulation anitescu-potra "" 1.02
order ball-accumulation xpbd substeps=1 0.97
order ball-accumulation sequential-impulse "" 0.98
order ball-inelastic stewart-trinkle restitution=own 1.00
order ball-inelastic mujoco cone=elliptic,restitution=own 1.0 limit-order
order incline-stick stewart-trinkle restitution=own 1.00
order incline-stick xpbd substeps=1 0.95
# Chrono's test: e between e^2 and e, 0.4375 on average, for every step
equal "order of chrono-nsc" "$(known ball-accumulation chrono-nsc "" order)" nan
close "e of chrono-nsc" "$(known ball-accumulation chrono-nsc "" restitution)" 0.4375 0.03
between "least e of chrono-nsc" "$(cell known/ledger.csv ball-accumulation chrono-nsc "" restitution low)" 0.249 0.30
between "largest e of chrono-nsc" "$(cell known/ledger.csv ball-accumulation chrono-nsc "" restitution high)" 0.49 0.501
[[ $(known ball-accumulation chrono-nsc "" plateau) == nan ]] || fail "chrono-nsc has no limit, and a plateau"
[[ $(cell known/ledger.csv ball-accumulation chrono-nsc "" limit remark) == "none: "* ]] || fail "chrono-nsc has a limit"
# Baumgarte's speed: e between 0 and beta
close "e of baumgarte" "$(known ball-inelastic sequential-impulse "" restitution)" 0.1 0.02
between "largest e of baumgarte" "$(cell known/ledger.csv ball-inelastic sequential-impulse "" restitution high)" 0.17 0.201
# creep on the incline [m/s]
close "creep of mujoco" "$(known incline-stick mujoco cone=elliptic,restitution=own creep)" 0.00456 5e-5
close "creep of icf" "$(known incline-stick icf restitution=own creep)" 1.46e-4 5e-6
equal "creep of stewart-trinkle" "$(known incline-stick stewart-trinkle restitution=own creep)" 0
# what a problem does not have is empty with the reason; cost is relative to moreau-jean
equal "restitution on an incline" "$(cell known/ledger.csv incline-stick moreau-jean "" restitution remark)" "no impacts"
equal "creep of a ball" "$(cell known/ledger.csv ball-inelastic moreau-jean "" creep remark)" "no contact sticks"
equal "cost of moreau-jean" "$(known incline-stick moreau-jean "" cost)" 1
between "cost of sap" "$(known incline-stick icf restitution=own cost)" 0.1 1
# an impact with friction leaves 1 - 7/2 mu (1 + e) u/|slip| of the slip: published maps; xpbd has half of the friction
try 0 ledger --problem bounce-slip --steps 0.01:0.002:4 --scheme moreau-jean --scheme xpbd:substeps=1 --scheme stewart-trinkle --out slip \
  --repeats 20
fall=$(awk 'BEGIN { print 3.5 * 0.1 * sqrt(2 * 9.81) / 8 }') # e = 0
ratio() { cell slip/ledger.csv bounce-slip "$1" "$2" slip-ratio value; }
close "slip ratio of stewart-trinkle" "$(ratio stewart-trinkle restitution=own)" "$(awk -v f="$fall" 'BEGIN { print 1 - f }')" 5e-3
close "slip ratio of moreau-jean" "$(ratio moreau-jean "")" "$(awk -v f="$fall" 'BEGIN { print 1 - 1.5 * f }')" 5e-3
close "slip ratio of xpbd" "$(ratio xpbd substeps=1)" "$(awk -v f="$fall" 'BEGIN { print 1 - 0.5 * f }')" 0.03
between "range of it" "$(awk -v a="$(cell slip/ledger.csv bounce-slip xpbd substeps=1 slip-ratio high)" \
  -v b="$(cell slip/ledger.csv bounce-slip xpbd substeps=1 slip-ratio low)" -v f="$fall" 'BEGIN { print (a - b) / f }')" 0.6 1.01
equal "slip ratio without friction" "$(cell known/ledger.csv ball-inelastic icf restitution=own slip-ratio remark)" "no impacts with friction"
try 0 ledger --quick --problem ball --scheme xpbd --out alone --plot-format none --report page.html
[ ! -e alone/ledger_orders.gp ] || fail "a picture that was not asked for"
grep -q 'delassus ledger --quick --problem ball --scheme xpbd$\|--scheme xpbd<' page.html || fail "the page has another command"
grep -q '<svg' page.html || fail "the page has no picture"
refused "a page ends in .html" -- ledger --quick --problem ball --report page.txt
equal "cost without moreau-jean" "$(cell alone/ledger.csv ball xpbd "" cost remark)" "moreau-jean is not among the schemes"

# --- all problems: a column for each, without a number its reason ---

try 0 ledger --quick --repeats 2 --scheme moreau-jean --scheme event-driven --jobs 2
in_out " 16  pile" "order of the error in q against rigid contact" "the same against the limit model of the scheme" "exact"

# --- engines: a folder as that of ./engines, whose programs are schemes here ---

for h in 0.05 0.033 0.021 0.0137 0.0089 0.0057 0.0037 0.0024 0.00155 0.001; do
  mkdir -p engines/results/ball/ode engines/results/ball/bullet engines/results/ball/moreau-jean
  try 0 run bouncing-ball --end 2.4 --scheme sequential-impulse --step $h --out engines/results/ball/ode/h$h.csv
  try 0 run bouncing-ball --end 2.4 --scheme stewart-trinkle:restitution=own --step $h --out engines/results/ball/bullet/h$h.csv
  try 0 run bouncing-ball --end 2.4 --scheme moreau-jean --step $h --out engines/results/ball/moreau-jean/h$h.csv
done
verdict=engines/results/ball/verdict
(cd engines/results/ball && "$tool" judge bouncing-ball --end 2.4 ode bullet moreau-jean --norm hausdorff,l1 --out verdict \
  --plot-format none >/dev/null 2>&1) || fail "judge"
try 0 ledger --quick --problem ball --problem ball-inelastic --scheme moreau-jean --scheme sequential-impulse \
  --engines engines --out beside --plot-format none
equal "order of ode" "$(cell beside/ledger.csv ball ode "" order value)" "$(field $verdict/orders.csv order 3)"
equal "command of ode" "$(cell beside/ledger.csv ball ode "" order command)" "./engines"
[[ $(cell beside/ledger.csv ball ode "" order remark) == "agrees with sequential-impulse, order "* ]] || fail "ode: $(cell beside/ledger.csv ball ode "" order remark)"
[[ $(cell beside/ledger.csv ball bullet "" order remark) == *"; differs from sequential-impulse, order "*": it passes contacts "* ]] ||
  fail "bullet: $(cell beside/ledger.csv ball bullet "" order remark)"
close "e of bullet" "$(cell beside/ledger.csv ball bullet "" restitution value)" 0 1e-3
close "e of ode" "$(cell beside/ledger.csv ball ode "" restitution value)" 0.5 0.01
equal "cost of ode" "$(cell beside/ledger.csv ball ode "" cost remark)" "not measured by ./engines"
equal "rows of moreau-jean" "$(grep -c '^ball,moreau-jean,,order,' beside/ledger.csv)" 1
refused "--engines 'engines': no file results/PROBLEM/verdict/orders.csv" -- ledger --problem column --engines engines
refused "--engines 'nothing': no file" -- ledger --problem ball --engines nothing
echo "bouncing-ball,ode" >>$verdict/orders.csv
refused "engines/results/ball/verdict/orders.csv: not a table of" "has not 22 fields" -- ledger --problem ball --engines engines

# --- the order against a limit model does not depend on the other schemes: sap's limit motion has a larger error ---

try 0 ledger --quick --problem bounce-slip --scheme moreau-jean --scheme sap --out together --plot-format none
equal "order against the limit of moreau-jean" "$(cell together/ledger.csv bounce-slip moreau-jean "" limit-order value)" \
  "$(cell together/ledger.csv bounce-slip moreau-jean "" order value)"
"$tool" --complete delassus ledger --problem ball- >out
equal "completion of a problem" "$(paste -sd' ' out)" "ball-accumulation ball-inelastic ball-chain"

# --- interrupted and continued ---

# shellcheck disable=SC2086
{
  long="ledger --problem ball --problem ball-inelastic --steps 0.1:2e-5:10 --repeats 4 $schemes --out parts --progress never"
  "$tool" $long >out 2>err </dev/null &
  process=$!
  for ((i = 0; i < 1000; i++)); do
    [ "$(wc -l 2>/dev/null <parts/ball/runs.csv || echo 0)" -lt 40 ] || break
    sleep 0.01
  done
  kill -INT "$process"
  wait "$process"
  equal "exit status after Ctrl-C" "$?" 130
  in_err "interrupted: " " of 2 problems are complete" "continue with --resume"
  [ ! -e parts/ledger.csv ] || fail "an interrupted ledger has a table"
  refused "--resume" "--overwrite" -- $long
  for limit in 0.2 0.4 0.8 1.6; do # status 1: within the limit not even one run was finished, on a loaded machine
    "$tool" $long --time-limit "$limit" >out 2>err </dev/null
    status=$?
    [ "$status" -eq 1 ] || break
  done
  equal "exit status after --time-limit" "$status" 75
  in_err "continue with --resume"
  try 0 $long --resume
  in_err "finished runs taken over from 'parts/ball/runs.csv'"
  cp parts/ledger.csv resumed.csv
  rm -r parts
  try 0 $long --jobs 2
  cmp -s parts/ledger.csv resumed.csv || fail "a resumed ledger differs from an undisturbed one"
}

# --- refused ---

refused "unknown problem 'bal'" "The problems are: ball, ball-accumulation, " "pile" -- ledger --problem bal
refused "--problem ball is given twice" -- ledger --problem ball --problem ball
refused "unknown scheme 'moro'" -- ledger --scheme moro
refused "there is no 'thet' (did you mean 'theta'?)" -- ledger --problem ball --scheme moreau-jean:thet=1
refused "steps" -- ledger --steps 0.1:0.01
refused "repeats" -- ledger --repeats 0
refused "unexpected 'bouncing-ball'" -- ledger bouncing-ball
# the page has every problem
refused "The problems are: " -- ledger --problem none
for problem in $(tr -d ',\n' <err | sed 's/.*The problems are: //'); do
  grep -q "\`$problem\`" "$root/docs/notes/ledger.md" || fail "problem $problem is not in docs/notes/ledger.md"
done
mkdir locked
touch locked/file
refused "locked/file" -- ledger --problem ball --out locked/file

finish
