# test_cli_cite.sh -- what is cited: every model and scheme answers in BibTeX that reads, files cite what made them, and the
# files of metadata say the same as the program.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
source_folder=$2

# reads FILE: is BibTeX; its entries are left in `entries`
reads() { python3 "$source_folder/tests/support/bibtex.py" "$1" >entries 2>problem || fail "$1: $(cat problem)"; }

# every entry answers, at once and one by one; each says of its source, or that it has none
for kind in models schemes laws solvers; do
  try 0 list "$kind" --format csv
  tail -n +2 out | cut -d, -f1 | tr -d '"' >names
  [ -s names ] || fail "no $kind"
  mapfile -t all <names
  try 0 cite "${all[@]}"
  cp out "$kind.bib"
  reads "$kind.bib"
  for name in "${all[@]}"; do
    grep -qE "^% $name \([a-z]+\): ." "$kind.bib" || fail "$kind: nothing is said of $name"
  done
done
between "entries of all schemes" "$(grep -c ^@ schemes.bib)" 25 200
grep -q "^% bead-column (model): no published source; standard benchmark" models.bib || fail "bead-column has a source now"

try 0 cite moreau-jean
reads out
equal "entries of moreau-jean" "$(cut -d' ' -f2 entries | tr '\n' ' ')" "jean-1999 acary-2014 "
in_out "eqs. (23)-(26)" "doi = {10.1002/zamm.201400231}" "year = {2016}"
try 0 cite conserving-penalty moreau-jean armero-petocz-1996-rod
reads out # Armero and Petőcz are there once
in_out "Petőcz, Eva" "10.1016/S0045-7825(97)00256-9"
equal "entries of three names" "$(wc -l <entries)" 3
try 0 cite
reads out
equal "this program" "$(cat entries)" "misc delassus author,title,howpublished,year,note"

# a file: its model, its scheme, its law, and this program
try 0 run incline --law fremond --scheme moreau-jean --step 0.1 --end 0.3 --out incline.csv
try 0 cite incline.csv
reads out
equal "entries of a file" "$(cut -d' ' -f2 entries | tr '\n' ' ')" "delassus jean-1999 acary-2014 fremond-2002 acary-collins-craft-2023 "
in_out "% incline (model): no published source; elementary"
try 0 exact bouncing-ball --end 1 --out exact.csv
try 0 cite exact.csv
reads out
equal "entries of an exact solution" "$(cut -d' ' -f2 entries | tr '\n' ' ')" "delassus acary-lecture "

# what is not there
refused "nothing is named 'moreau-jaen'; did you mean 'moreau-jean'?" "delassus list" -- cite moreau-jaen
printf 't,q0\n0,1\n' >bare.csv
refused "'bare.csv' names no model and no scheme" -- cite bare.csv
refused "cannot be read twice; a regular file is needed" -- cite .
refused "--all is all of them" -- cite --all moreau-jean
refused "--format is for --all" -- cite moreau-jean --format table
refused "format" "bibtex" "table" -- cite --all --format html

# all of them
try 0 cite --all
reads out
between "all entries" "$(wc -l <entries)" 80 400

# other programs read the metadata
version=$("$tool" --version | cut -d' ' -f2)
grep -qx "version: $version" "$source_folder/CITATION.cff" || fail "CITATION.cff is of another version than $version"
python3 - "$source_folder/codemeta.json" "$version" <<'P' || fail "codemeta.json"
import json, sys
meta = json.load(open(sys.argv[1], encoding="utf-8"))
assert meta["@type"] == "SoftwareSourceCode" and meta["version"] == sys.argv[2], meta["version"]
assert meta["license"].endswith("GPL-3.0-or-later")
P
[ $failures -eq 0 ]
