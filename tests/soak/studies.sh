#!/bin/bash
# studies.sh [BUILD-FOLDER] -- every study that ships, with its verdict and its seconds; about ten minutes. Can be interrupted:
# started again it continues after the last line of soak_studies.txt in the build folder. At the end it prints the studies with an
# unmet expectation, and the slowest.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
build=$(realpath "${1:-build}")
out=$build/soak_studies.txt
folder=$build/soak_studies
good=' status=0 '
mkdir -p "$folder"
touch "$out"
sed -i '/seconds=[0-9]*$/!d' "$out" # a line that was cut off
export OPENBLAS_NUM_THREADS=1
for name in $("$build/bin/delassus" list studies --format csv | sed 1d | cut -d, -f1); do
  if ! grep -q "^study=$name " "$out"; then
    begin=$SECONDS
    code=0
    "$build/bin/delassus" study "$name" --out "$folder/$name" --overwrite --strict >"$folder/$name.txt" 2>&1 || code=$?
    [ $code -lt 128 ] || exit $code # interrupted
    verdict=$(grep "^$name: " "$folder/$name.txt" | tail -1)
    echo "study=$name status=$code verdict=${verdict#"$name": } seconds=$((SECONDS - begin))" >>"$out"
  fi
done
grep -v "$good" "$out"
sort -t= -k5 -n -r "$out" | head -5
bad=$(grep -vc "$good" "$out")
echo "studies=$(wc -l <"$out") bad=$bad"
[ "$bad" -eq 0 ]
