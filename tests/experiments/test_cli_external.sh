# test_cli_external.sh -- other programs as schemes: what they are given, what comes back, what goes wrong with them.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
cp "$2/tests/experiments/ball_simulator.py" sim.py
mkdir scratch
export TMPDIR=$work/scratch
study="order bouncing-ball --end 2.4 --steps 0.1:0.02:3 --repeats 2 --norm l1 --of q,v"
tables="--map q0=height,v0=speed --between linear"
sim="sim=python3 sim.py {h} {T} {e} {f} {out}"
no_scratch() { equal "folders left by $last" "$(ls scratch)" ""; }

# ours as a program of somebody else: the same errors to the last bit, whatever --jobs
ln -s "$tool" delassus
ours="ours=./delassus run bouncing-ball --scheme moreau-jean --step={h} --end={T} --set m={m} --set 'e={e}' --set \"f={set:f}\" --out {out}"
# shellcheck disable=SC2086
try 0 $study --external "$ours" --scheme ours --scheme moreau-jean --set e=0.7 --out both --plot-format none
columns() { awk -F, -v s="$2" '$2 == s { print $4, $5, $6, $7, $8, $9 }' "$1"; }
equal "rows of errors" "$(columns both/errors.csv ours | wc -l)" 12
equal "errors of ours" "$(columns both/errors.csv ours)" "$(columns both/errors.csv moreau-jean)"
equal "rows about contacts" "$(grep -c ',ours,' both/quality.csv)" 0
# shellcheck disable=SC2086
try 0 $study --external "$ours" --scheme ours --scheme moreau-jean --set e=0.7 --out jobs --plot-format none --jobs 2
equal "errors with two jobs" "$(columns jobs/errors.csv ours)" "$(columns both/errors.csv ours)"
no_scratch

# provenance: the command and the contents of what it names
grep -qxF "external: $ours" both/study.txt || fail "study.txt does not say the command"
grep -qE '^# external_files: ./delassus FNV-1a [0-9a-f]{16}$' both/runs.csv || fail "runs.csv does not say the program"
refused "external programs" "say --allow-run" -- verify both
cp -r both twin
try 0 verify both twin --allow-run
in_out "identical=yes"

# resume: nothing is made again; another program is refused
# shellcheck disable=SC2086
try 0 $study --external "$sim" $tables --scheme sim --out sim --plot-format none
head -c -500 sim/runs.csv | grep -v complete >cut && mv cut sim/runs.csv
# shellcheck disable=SC2086
try 0 $study --external "$sim" $tables --scheme sim --out sim --plot-format none --resume
in_err "finished runs taken over" "damaged"
order=$(awk -F, '$4 == "q" { print $5 }' sim/orders.csv)
between "order of sim in q" "$order" 0.6 1.5
# another program is not started for its limit model, which is that of rigid contact
# shellcheck disable=SC2086
try 0 $study --external "$sim" $tables --scheme sim --reference limit --out limit --plot-format none
in_out "limit model of sim: rigid contact with the restitution coefficient of the model"
! grep -q "not computed" out || fail "the limit of another program is refused"
cp -r sim other && echo "# another" >>sim.py
# shellcheck disable=SC2086
try 2 $study --external "$sim" $tables --scheme sim --out other --plot-format none --resume
in_err "external_files"

# a table of another layout: separators, decimal commas, names, units
cat >comma.py <<'END'
import subprocess, sys
h, end, e, f, out = sys.argv[1:]
subprocess.run([sys.executable, "sim.py", h, end, e, f, "points.csv"], check=True)
rows = [line.strip().split(",") for line in open("points.csv") if line[0] != "#"]
with open(out, "w") as table:
    table.write("hoehe_mm;zeit;v\n")
    for t, q, v in rows[1:]:
        table.write(f"{float(q) * 1000!r};{t};{v}\n".replace(".", ","))
END
# shellcheck disable=SC2086
try 0 $study --external "comma=python3 comma.py {h} {T} {e} {f} {out}" --map t=zeit,q0=0.001*hoehe_mm,v0=v --between linear --scheme comma --out comma --plot-format none
between "order of comma in q" "$(awk -F, '$4 == "q" { print $5 }' comma/orders.csv)" "$(awk -v o="$order" 'BEGIN { print o - 1e-6 }')" "$(awk -v o="$order" 'BEGIN { print o + 1e-6 }')"
grep -q "it wrote columns separated by ';', decimal commas" comma/external.txt || fail "the layout is not reported"

# shards and standard output as the table
piped="sim=python3 sim.py {h} {T} {e} {f}"
for k in 1 2; do
  # shellcheck disable=SC2086
  try 0 $study --external "$piped" $tables --scheme sim --out parts --shard $k/2
done
refused "names a program; if you trust it, add --allow-run" -- merge parts --plot-format none
try 0 merge parts --plot-format none --allow-run
equal "errors by two shards" "$(columns parts/errors.csv sim)" "$(columns sim/errors.csv sim)"

# work: steps are those that are asked for, seconds those of the program
# shellcheck disable=SC2086
try 0 work bouncing-ball --end 2 --steps 0.1:0.02:2 --repeats 1 --norm l1 --of q --against steps --external "$sim" $tables --scheme sim --out work --plot-format none
equal "steps" "$(awk -F, '$2 == "sim" { print $10 }' work/work.csv | tr '\n' ' ')" "20 100 "
# shellcheck disable=SC2086
try 0 work bouncing-ball --end 2 --steps 0.1:0.02:2 --repeats 1 --norm l1 --of q --against seconds --timings 2 --external "$sim" $tables --scheme sim --out seconds --plot-format none
between "seconds of a run" "$(awk -F, '$2 == "sim" { print $NF; exit }' seconds/work.csv)" 1e-3 60

# compare: its table, with provenance
# shellcheck disable=SC2086
try 0 compare bouncing-ball --external "$sim" $tables --scheme sim --scheme moreau-jean --step 0.05 --end 2 --out cmp
grep -qxF "# scheme: sim" cmp/run_sim.csv || fail "the table of sim does not say its scheme"
equal "rows of sim" "$(grep -vc '^[#t]' cmp/run_sim.csv)" 41
refused "is a table of the external program sim" -- verify cmp/run_sim.csv
# shellcheck disable=SC2086
try 1 compare bouncing-ball --external "$sim" $tables --scheme sim --scheme moreau-jean --step 0.05 --end 2 --of g0 --out without
in_err "sim: its table has no column g0"
[ ! -e without/run_sim.csv ] || fail "a table that is of no use was written"

# pages: a program has no equations, no options and no source
base="bouncing-ball --end 2.4 --norm l1 --of q --steps 0.1:0.02:2 --repeats 1 --plot-format none"
for command in "order $base" "work $base --against steps" "compare bouncing-ball --end 2.4 --step 0.05"; do
  # shellcheck disable=SC2086
  try 0 $command --external "$sim" $tables --scheme sim --scheme moreau-jean --report page.html
  grep -q '>sim</h' page.html || fail "the page of $last does not name the program"
  equal "sources on the page of $last" "$(grep -o '<dt>source</dt>' page.html | wc -l)" 2 # of the model and of moreau-jean
  rm page.html
done

# what goes wrong with a program is a failed run with its reason; the others go on
sick() { # HOW TEXT
  local limit=20 # a busy machine starts programs slowly
  [ "$1" != hang ] || limit=0.5
  local how=$1
  shift
  # shellcheck disable=SC2086
  try "$code" $study --external "sim=python3 sim.py --sick $how {h} {T} {e} {f} {out}" --external-limit "$limit" $tables --scheme sim \
    --scheme moreau-jean --levels --out "sick-$how" --plot-format none
  in_out "$@"
  no_scratch
}
code=0
sick crash "sim ended with exit status 3: matrix is singular in step 7"
in_out "moreau-jean, l1 of v" # it goes on
grep -q 'a line before it' sick-crash/external.txt || fail "what the program said is not kept"
equal "runs in the log" "$(grep -c '^== sim, h = ' sick-crash/external.txt)" 6
sick hang "sim was stopped after 0.5 s"
goes_on() { # PROCESS: still after two seconds, in which a busy machine has ended it
  for ((i = 0; i < 20; i++)); do
    kill -0 "$1" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null || return 1
    sleep 0.1
  done
}
for file in child-*; do
  [ ! -e "$file" ] || ! goes_on "${file#child-}" || fail "a child of the program goes on"
done
sick quiet "sim succeeded, but wrote no file {out}"
sick short "sim: its table ends before T = 2.4 s"
sick nan "sim: {out}:"
sick lost "sim ended with exit status 4: cannot continue {out}"
! grep -rn delassus-external sick-nan sick-lost || fail "a record names a temporary folder"
sick pipe "sim: {out} is not a regular file"
sick loud "sim, l1 of q"
grep -q 'it was hard' sick-loud/external.txt || fail "what the program said is not kept"
rm -f child-*

# requests that are wrong are refused before anything is run
base="order bouncing-ball --end 2 --steps 0.1:0.02:2 --scheme sim"
ask() { # COMMAND OPTION...
  local command=$1
  shift
  # shellcheck disable=SC2086
  refused "${texts[@]}" -- $base --external "$command" "$@"
}
texts=("expected NAME=COMMAND") && ask "no name"
texts=("expected NAME=COMMAND") && ask "9sim=./sim"
texts=("the command is empty") && ask "sim=  "
texts=("a quote ' is not closed") && ask "sim=./sim '{h}"
texts=("is for a shell, and none is run" "'|' at character 7") && ask "sim=./sim | tee"
texts=("is for a shell, and none is run" "'$'") && ask "sim=./sim \$HOME"
texts=("unknown value {step}; allowed: h, T, out, of bouncing-ball m, f, e, q0, v0") && ask "sim=./sim {step}"
texts=("a brace begins a value") && ask "sim=./sim {h"
texts=("no executable program './nowhere'") && ask "sim=./nowhere {h}"
texts=("no executable program 'nowhere-at-all' in PATH") && ask "sim=nowhere-at-all {h}"
texts=("external 'moreau-jean': there is a scheme of that name") && ask "moreau-jean=python3 sim.py"
texts=("'q0' is not of the form OURS=THEIRS") && ask "$sim" --map q0
texts=("it does not go with" ) && texts=("starts each step at a state that cannot be given to it") && ask "$sim" --local
base="work bouncing-ball --end 2 --steps 0.1:0.02:2 --scheme sim"
texts=("it reports no evaluation counts") && ask "$sim"
base="compare bouncing-ball --step 0.1 --plot p.png --scheme sim"
texts=("does not go with --sweep") && ask "$sim" --sweep e=0:1:3
texts=("--every, --at and --max-rows do not go with it") && ask "$sim" --every 2
refused "--map goes with --external" -- order bouncing-ball --steps 0.1:0.02:2 --scheme moreau-jean --map q0=x
refused "unknown option '--external" -- run bouncing-ball --step 0.1 --scheme sim --external "$sim"

# --- in a study file: nothing is run without consent ---
cat >study.yaml <<Y
title: a program as a scheme
studies:
  - name: errors
    kind: order
    title: errors
    model: bouncing-ball
    external:
      sim: "sh mark.sh {h} {T} {e} {out}"
    external_limit: 60
    schemes: [sim, moreau-jean]
    parameters: {e: 0.7}
    steps: {first: 0.1, last: 0.01, levels: 4}
    repeats: 2
    end: 2.4
    norms: l1
    of: q
    pictures: none
    expect:
      - {quantity: order, scheme: sim, between: [0.5, 1.5]}
Y
cat >mark.sh <<S
echo ran >>ran
exec "$tool" run bouncing-ball --scheme moreau-jean --step="\$1" --end="\$2" --set e="\$3" --out "\$4"
S
refused "study.yaml:7:5: the study would start other programs" "--allow-run" -- study study.yaml --out consent
refused "study.yaml:7:5:" "--allow-run" -- study study.yaml --plan -
try 0 study study.yaml --check
in_out "--external-limit=60 '--external=sim=sh mark.sh {h} {T} {e} {out}'" "--scheme=sim --scheme=moreau-jean"
# names of columns with commas, in quotes in the command
sed "s/^    external_limit: 60/    between: linear\n    map: {q0: 'pos, mm', v0: 'v \"s\", x', g0: gap}/" study.yaml >commas.yaml
try 0 study commas.yaml --check
in_out "'--map=\"q0=pos, mm\",\"v0=v \"\"s\"\", x\",g0=gap'"
# a program beside the study, in a folder whose name needs quotes, quoted or not
mkdir "it's \"here\" now"
printf '#!/bin/sh\n' | cat - mark.sh >"it's \"here\" now/mark.sh"
chmod +x "it's \"here\" now/mark.sh"
for program in ./mark.sh "'./mark.sh'"; do
  sed "s|sh mark.sh|$program|" study.yaml >"it's \"here\" now/study.yaml"
  try 0 study "it's \"here\" now/study.yaml" --check
done
[ ! -e ran ] || fail "a program was run without consent"
try 0 study study.yaml --allow-run --out consent
in_out "reproduces our own values 1 of 1"
equal "runs of the program" "$(wc -l <ran)" 8
equal "errors of the program" "$(grep '^bouncing-ball,sim,' consent/errors/errors.csv | cut -d, -f5-9)" \
  "$(grep '^bouncing-ball,moreau-jean,' consent/errors/errors.csv | cut -d, -f5-9)"
try 0 study study.yaml --allow-run --out page --report page.html
grep -q '>sim</h' page.html || fail "the page of $last does not name the program"
rm -r page page.html ran
try 0 study study.yaml --allow-run --plan -
in_out "errors  16"
try 2 verify consent
in_err "consent/study.yaml:7:5: the study would start other programs"
try 0 verify consent --allow-run
in_out "differing=0"
sed 's/{out}/{nothing}/' study.yaml >wrong.yaml
refused "wrong.yaml:7:5: external sim: unknown value {nothing}" -- study wrong.yaml --check
sed 's/sh mark.sh/.\/nowhere/' study.yaml >wrong.yaml
refused "no executable program '$(realpath .)/nowhere'" -- study wrong.yaml --check
sed 's/      sim: /      moreau-jean: /' study.yaml >wrong.yaml
refused "wrong.yaml:8:7: external 'moreau-jean': there is a scheme of that name" -- study wrong.yaml --check
sed '/external:/,/sim:/d' study.yaml >wrong.yaml
refused "wrong.yaml:7:5: external_limit is of no use without external" "unknown scheme 'sim'" -- study wrong.yaml --check
sed 's/limit: 60/limit: 0/; s/schemes:/between: sideways\n    schemes:/' study.yaml >wrong.yaml
refused "external_limit = 0 s must be > 0" "sideways" -- study wrong.yaml --check
finish
