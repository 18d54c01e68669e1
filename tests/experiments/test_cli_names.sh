# test_cli_names.sh -- files whose names have line feeds, quotes, leading dashes or bytes that are no UTF-8: they are read,
# written, told in tables and pages, and found again; nothing of a name is executed, and none gets lines of its own.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

matrices() { # the name's end: M, K, HT of one mass on a spring over a floor
  local entry
  for entry in M:2 K:8 HT:1; do
    printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 %s\n' "${entry#*:}" >"./${entry%:*}$1.mtx"
  done
}

ball="run bouncing-ball --scheme moreau-jean --step 0.05 --end 2"
short="--scheme moreau-jean --steps 0.1:0.05:2 --repeats 2 --end 1 --norm l1 --of q --reference event-driven"
feed=$'a\nb' quotes="it's \"\`touch pwned\`\" \$(touch pwned)" bytes=$'caf\xe9\xff' dash=-x
# shellcheck disable=SC2086
for name in "$feed" "$quotes" "$bytes" "$dash"; do
  # what is read
  try 0 $ball --out ball.csv
  mv ball.csv "./$name.csv"
  try 0 distance "./$name.csv" "./$name.csv" --norm l1
  try 0 verify "./$name.csv"
  try 0 cite "./$name.csv"
  try 0 judge bouncing-ball "./$name.csv" --between linear --norm l1 --of q0 --plot-format svg --out judged --report judged.html
  iconv -f utf-8 -t utf-8 judged.html >/dev/null || fail "the page on '$name.csv' is not in UTF-8"
  python3 -c 'import csv, os, sys
row = next(csv.DictReader(open("judged/contacts.csv", newline="", errors="surrogateescape")))
sys.exit(os.fsencode(row["file"]) != b"./" + os.fsencode(sys.argv[1]) + b".csv")' "$name" ||
    fail "contacts.csv does not name '$name.csv'"
  printf '%s\n' 'dim 2' 'contacts 1' 'mu 0.3' 'q -1 0.5' 'W 3' '0 0 2' '1 1 1' '0 1 0.1' >"./$name.dat"
  try 0 contact "./$name.dat"
  printf 'title: T\nkind: run\nmodel: bouncing-ball\nschemes: moreau-jean\nstep: 0.05\nend: 2\npictures: none\n' >"./$name.yaml"
  try 0 study "./$name.yaml" --out study
  try 0 verify study
  matrices "$name"
  files=(--set "M=M$name.mtx" --set "K=K$name.mtx" --set "HT=HT$name.mtx")
  try 0 run matrix-model "${files[@]}" --scheme moreau-jean --step 0.1 --end 1 --out run.csv --report run.html
  iconv -f utf-8 -t utf-8 run.html >/dev/null || fail "the page on matrices '$name' is not in UTF-8"
  try 0 distance run.csv run.csv --norm l1
  try 0 order matrix-model "${files[@]}" $short --plot-format svg --out order
  equal "lines that begin with neither key nor value" "$(grep -cvE '^[a-z_ ]+: ' order/study.txt)" 0
  try 0 verify run.csv
  try 0 verify order
  if [ "$name" = "$feed" ]; then
    grep -qF -- "--set \$'M=Ma\\nb.mtx'" run.csv || fail "the command of run.csv does not name M=Ma\\nb.mtx"
    refused "a word of the command has a line feed in it" -- order matrix-model "${files[@]}" $short --shard 1/2 --out parts
    refused "the control character 0x0A" -- spectrum moreau-jean --out "$name"
    refused "the control character 0x0A" -- lesson kane --out "$name.html"
    refused "the control character 0x0A" -- advise bouncing-ball --error 0.5 --of q --norm l1 --end 1 --out "$name"
  else
    for part in 1/2 2/2; do
      try 0 order matrix-model "${files[@]}" $short --plot-format none --shard $part --out parts
    done
    try 0 merge parts
    cmp -s parts/orders.csv order/orders.csv || fail "merging with '$name' gives other orders"
    try 0 contact "./$name.dat" "--out=$name.answer"
    try 0 spectrum moreau-jean --steps 0.1:1:2 --plot-format svg "--out=$name.folder"
    try 0 lesson kane "--out=$name.html"
    try 0 advise bouncing-ball --error 0.5 --of q --norm l1 --end 1 --scheme moreau-jean "--out=$name.advice"
    try 0 run bouncing-ball --scheme moreau-jean --step 0.05 --end 1 "--animate=$name.svg" "--plot=$name.png"
    iconv -f utf-8 -t utf-8 "./$name.svg" >/dev/null || fail "the animation '$name.svg' is not in UTF-8"
  fi
  rm -rf ./judged* ./run.* order parts study
done
[ ! -e pwned ] || fail "a name was executed"
finish
