# test_cli_study.sh -- study files and studies that ship: what they leave, what they are worth, what is refused.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
source_folder=$2

# names and files that ship
try 0 study --list
in_out acary-lecture-ball-order example-order
try 0 list studies --format csv
grep -q "^example-order," out || fail "list studies has no example-order"
try 0 study --print example-order
cmp -s out "$source_folder/experiments/studies/example-order.yaml" || fail "study --print changes the file"
for file in "$source_folder"/experiments/studies/*.yaml; do
  try 0 study --check "$file"
  in_out "$file is good; it would run" "delassus "
  equal "claims of a source that say whether it agrees, $file" "$(grep -cE ', source: (agrees|differs|ours)\}' "$file")" \
    "$(grep -c 'reported: ' "$file")"
done
try 0 study all --check
equal "studies that all checks" "$(grep -c 'is good' out)" "$(ls "$source_folder"/experiments/studies/*.yaml | wc -l)"
rm -f out err

# a study leaves what its command leaves, byte by byte but for times
cat >small.yaml <<'END'
title: Small
caption: |
  A caption of *one* line.
kind: order
model: bouncing-ball
parameters: {e: 0.6}
schemes: [moreau-jean, schatzman-paoli:theta=1]
steps: {first: 0.1, last: 0.01, levels: 3}
repeats: 2
end: 2
norms: l1
of: q
pictures: svg
expect:
  - {quantity: order, scheme: moreau-jean, between: [0.5, 1.5], reported: order one, source: agrees}
  - {quantity: order, scheme: moreau-jean, between: [0.5, 1.5], reported: order two, source: differs}
  - {quantity: order, scheme: moreau-jean, between: [0.5, 1.5]}
  - {quantity: order, scheme: schatzman-paoli, above: 5}
END
try 0 study small.yaml
in_out "small: Small" "order one" "small: agrees with the source 1 of 2; reproduces our own values 2 of 3" "(source: order two)" "results are in small" "A caption of *one* line."
cmp -s small.yaml small/study.yaml || fail "the folder has no copy of the file"
for text in "# Small" "![order_l1_q.svg](order_l1_q.svg)" "| yes | source | order one |" "| yes | differs | order two |" "| no | ours |  |" \
  "agrees with the source 1 of 2; reproduces our own values 2 of 3." "A caption of *one* line."; do
  grep -qF -- "$text" small/report.md || fail "report.md has no '$text'"
done
equal "header of verdict.csv" "$(head -1 small/verdict.csv)" \
  "study,part,quantity,scheme,norm,of,number,value,low,high,agrees,why,at,curve,place,impulse,source"
equal "verdicts" "$(grep -v '^#' small/verdict.csv | cut -d, -f1-7,11,17 | tail -n +2 | tr '\n' ' ')" \
  "small,,order,moreau-jean,l1,q,,yes,agrees small,,order,moreau-jean,l1,q,,yes,differs small,,order,moreau-jean,l1,q,,yes,ours \
small,,order,schatzman-paoli:theta=1,l1,q,,no,ours "
between "value of the verdict" "$(sed -n 2p small/verdict.csv | cut -d, -f8)" 0.5 1.5
try 0 study --check small.yaml
command=$(sed -n 's/^  delassus //p' out)
# shellcheck disable=SC2086
try 0 ${command/--out=small/--out=direct}
cut -d, -f1-11 small/errors.csv >a
cut -d, -f1-11 direct/errors.csv >b
cmp -s a b || fail "errors.csv of study and command differ beyond the times"
for file in orders.csv quality.csv order_l1_q.svg order_l1_q.gp; do
  cmp -s small/$file direct/$file || fail "$file of study and command differ"
done
equal "files of the command that the study has not" "$(comm -13 <(ls small) <(ls direct))" ""
# an expectation that is not met is exit status 3 with --strict, a run that fails stays 1
try 3 study small.yaml --out small --strict --overwrite
in_err "expectations are not met (--strict)"
sed '/schatzman-paoli, above/d' small.yaml >met.yaml
try 0 study met.yaml --out small --strict --overwrite
in_out "met: agrees with the source 1 of 2; reproduces our own values 2 of 2"
rm -rf small direct a b met.yaml

# the other kinds, in a list: a folder for each
cat >list.yaml <<'END'
title: Three
model: bouncing-ball
schemes: moreau-jean
step: 0.05
end: 2.2
pictures: none
studies:
  - name: one-run
    kind: run
    expect: [{quantity: impact-time, number: 1, between: [0.9, 1.1]}]
  - name: motion
    kind: compare
    schemes: [moreau-jean, "moreau-jean:theta=1", event-driven]
    expect:
      - {quantity: impacts, scheme: event-driven, between: [2, 2]}
      - {quantity: last, of: q0, scheme: "moreau-jean:theta=1", between: [-1, 1]}
  - name: books
    kind: energy
    expect: [{quantity: largest, of: residual, below: 1e-12}, {quantity: last, of: nothing, below: 1}]
  - name: cost
    kind: work
    steps: {first: 0.1, last: 0.02, levels: 3}
    norms: l1
    of: q
    repeats: 6
    expect: [{quantity: slope, between: [-2, -0.5]}, {quantity: work, error: 1, between: [10, 1000]}]
END
try 0 study list.yaml --out three
in_out "list: reproduces our own values 6 of 7" "none: there is no column nothing" "verdict of books" "steps=44"
for file in one-run/trajectory.csv motion/run_moreau-jean.csv motion/run_moreau-jean_2.csv motion/run_event-driven.csv \
  books/energy_moreau-jean.csv cost/work.csv cost/slopes.csv report.md verdict.csv study.yaml; do
  [ -s three/$file ] || fail "the study left no $file"
done
equal "pictures" "$(find three -name '*.png' -o -name '*.svg' | wc -l)" 0
try 0 run bouncing-ball --scheme moreau-jean --step 0.05 --end 2.2 --out run.csv
cmp -s run.csv three/one-run/trajectory.csv || fail "trajectories of study and run differ"
equal "last columns of compare" "$(header three/motion/run_moreau-jean.csv)" "$(header run.csv),force0,energy,potential,kinetic,px,work_normal"
grep -v '^#' three/motion/run_moreau-jean.csv | cut -d, -f1-8 >a
grep -v '^#' run.csv >b
cmp -s a b || fail "trajectories of compare and run differ"
equal "events of compare" "$(grep '^# event' three/motion/run_moreau-jean.csv)" "$(grep '^# event' run.csv)"
grep -qF '# step: 0.05' three/motion/run_moreau-jean.csv || fail "compare does not note the step"
rm -rf three run.csv a b

# a run that fails on the way: what was computed is kept, the verdict says what it can, exit 1
cat >fails.yaml <<'END'
title: Too many events
kind: compare
model: bouncing-ball
parameters: {e: 1}
schemes: event-driven:max_events=5
end: 50
pictures: none
expect: [{quantity: impact-time, number: 5, above: 4}, {quantity: impacts, above: 5}]
END
try 1 study fails.yaml --strict
in_err "max_events = 5"
in_out "none: not run to the end: event-driven at t = "
in_out "fails: reproduces our own values 1 of 2"
[ -s fails/verdict.csv ] || fail "no verdict of a study that failed on the way"
rm -rf fails

# a picture that cannot be drawn is named beside the verdict; one of an earlier run in its place is not shown
cat >drawn.yaml <<'END'
title: Pictures that fail
studies:
  - name: first
    title: errors
    kind: order
    model: bouncing-ball
    schemes: moreau-jean
    steps: {first: 0.1, last: 0.02, levels: 3}
    repeats: 1
    end: 1.5
    norms: l1
    of: [q, v]
    pictures: svg
    expect: [{quantity: order, of: q, between: [0, 3]}]
END
try 0 study drawn.yaml
! grep -q "could not be drawn" out drawn/report.md || fail "$last misses a picture"
equal "links" "$(grep -c '^!\[order_.*svg\](first/' drawn/report.md)" 2
rm drawn/first/order_l1_q.svg
mkdir -p drawn/first/order_l1_q.svg/full
try 1 study drawn.yaml --overwrite
in_out "pictures that could not be drawn, first: order_l1_q.svg, order_l1_v.svg" "drawn: reproduces our own values"
equal "links" "$(grep -c '^!' drawn/report.md)" 0
grep -qF "Pictures that could not be drawn: order_l1_q.svg, order_l1_v.svg" drawn/report.md || fail "report.md misses no picture"
rm -rf drawn drawn.yaml

# all errors at once, each with its place, and nothing made
cat >bad.yaml <<'END'
title: Bad
kind: ordre
model: bouncing-bal
schemes: [moreau-jean:theta=2]
END
refused "bad.yaml:2:7: unknown kind 'ordre'; did you mean 'order'?" "bad.yaml:3:8: unknown model" \
  "bad.yaml:4:11: scheme moreau-jean: theta = 2 is outside" "bad.yaml:1:1: key 'steps' is missing" \
  "bad.yaml has 4 errors" -- study bad.yaml
refused "bad.yaml:3:8" -- study --check bad.yaml
# everything at once, also where the kind is unknown: it is the one that is meant, or that the other keys leave
for kind in oredr zzz; do
  cat >bad.yaml <<END
kind: $kind
title: wrong in nearly every line
model: bouncing-ball
schemes: [moreau-jaen]
steps: {first: 0.1, last: 0.2x, levels: 3}
norms: [l3]
seed: -1
$([ $kind = oredr ] && echo "step: 3" || echo "tolerances: 3")
expect: [{quantity: oder, between: [1, 0]}]
END
  refused "bad.yaml:1:7: unknown kind '$kind'" "bad.yaml:4:11: unknown scheme" "bad.yaml:5:27: last = '0.2x'" \
    "bad.yaml:6:9: unknown norm" "bad.yaml:7:7: seed = -1" "bad.yaml:8:" "bad.yaml:9:21: a study of kind" \
    "bad.yaml:9:36: between" "bad.yaml has 8 errors" -- study --check bad.yaml
done
# several kinds come into question: what all of them have is looked at, and nothing is told that might be right
printf 'kind: zzz\ntitle: t\nmodel: bouncing-ball\nschemes: moreau-jean\nnorms: l3\nexpect: [{quantity: slope, above: 1}]\n' >bad.yaml
refused "bad.yaml:1:7: unknown kind" "bad.yaml:5:8: unknown norm" "bad.yaml has 2 errors" -- study --check bad.yaml
refused "'example-ordr' is no study that ships" "did you mean 'example-order'?" -- study example-ordr
refused "no file: No such file or directory" -- study missing.yaml
refused "FILE or NAME is missing, e.g. acary-lecture-two-balls" -- study
refused "cannot read" -- study .
# a folder that cannot be made, because a file is in its place
touch taken
try 2 study small.yaml --out taken
in_err "taken"
rm -f taken small.yaml list.yaml fails.yaml bad.yaml

# the page has the tables of the schema, line by line
try 0 study --keys
while read -r line; do
  grep -qxF -e "$line" "$source_folder/docs/reference/study-files.md" || [ -z "$line" ] || fail "docs/reference/study-files.md has no line '$line'"
done <out
# an exercise: the sheet without answers, and a student's file graded by the teacher's
cat >teacher.yaml <<'END'
title: Impacts
caption: The answer is 7 impacts.
model: bouncing-ball
parameters: {f: -9.81, e: 0.8}
end: 2
studies:
  - name: impacts
    kind: run
    title: When does it strike?
    schemes: event-driven
    expect:
      - {quantity: impact-time, number: 1, between: [0.45152364, 0.45152365]}
      - {quantity: largest, of: v0, within: [0, 0.4], between: [-1e-9, 1e-9]}
  - name: orders
    kind: order
    title: How fast does the error fall?
    schemes: moreau-jean
    steps: {first: 0.1, last: 0.02, levels: 3}
    repeats: 2
    norms: l1
    of: q
    expect:
      - {quantity: order, norm: l1, of: q, between: [0.5, 1.5]}
END
try 0 study teacher.yaml --sheet
in_out "## impacts: When does it strike?" "Model: bouncing-ball with" "e=0.8" "Time: up to 2 s." "impact-time 1" "for t from 0 to 0.4 s" "order, l1 of q"
for answer in 0.4515 "7 impacts" event-driven 1e-9 1.5; do
  ! grep -qF -- "$answer" out || fail "the sheet contains the answer $answer"
done
sed '/caption/d; s/steps: .*/steps: {first: 0.05, last: 0.01, levels: 3}/; s/between: .0.45152364.*/between: [7, 8]}/' teacher.yaml >student.yaml
try 0 study student.yaml --out own --plot-format none
in_out "student: reproduces our own values 2 of 3"
try 0 study student.yaml --graded-by teacher.yaml --out graded --plot-format none
in_out "student: reproduces our own values 3 of 3"
sed -i 's/e: 0.8/e: 0.7/; s/f: -9.81/f: -9/' student.yaml
try 3 study student.yaml --graded-by teacher.yaml --out wrong --plot-format none --strict
in_err "1 of 3 expectations are not met"
sed 's/name: orders/name: order/' student.yaml >other.yaml
refused "other.yaml has no study 'orders', which teacher.yaml grades" -- study other.yaml --graded-by teacher.yaml --out other
sed '/expect:/d; /quantity/d; s/kind: run/kind: compare/' student.yaml >other.yaml
refused "is of kind compare" "one of kind run" -- study other.yaml --graded-by teacher.yaml --out other
sed 's/schemes: moreau-jean/schemes: schatzman-paoli/' student.yaml >other.yaml
refused "does not have one scheme moreau-jean" -- study other.yaml --graded-by teacher.yaml --out other
[ ! -e other ] || fail "a refused file left a folder"
finish
