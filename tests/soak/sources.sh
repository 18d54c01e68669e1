#!/bin/bash
# sources.sh [BUILD-FOLDER] -- every command of docs/sources.md in full, studies included; about five minutes. Can be interrupted:
# started again it goes on behind the last line of soak_sources.txt in the build folder. Ends with those that failed.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
root=$(realpath "$(dirname "$0")/../..")
build=$(realpath "${1:-$root/build}")
out=$build/soak_sources.txt
folder=$build/soak_sources
mkdir -p "$folder"
touch "$out"
sed -i '/ seconds=[0-9]*$/!d' "$out" # a line that was cut off
export OPENBLAS_NUM_THREADS=1
cd "$folder" || exit 1
sed -n 's/^|[^|]*|[^|]*| `\([^`]*\)` |.*/\1/p' "$root/docs/sources.md" | sort -u | while IFS= read -r command; do
  grep -qF "command=$command status=" "$out" && continue
  begin=$SECONDS
  code=0
  case $command in
  study\ *) run="$command --overwrite --strict" ;;
  *) run=$command ;;
  esac
  # shellcheck disable=SC2086
  "$build/bin/delassus" $run >last.txt 2>&1 </dev/null || code=$?
  [ $code -lt 128 ] || exit $code # interrupted
  verdict=$(grep -oE '(agrees with the source|reproduces our own values) .*' last.txt | tail -1)
  echo "command=$command status=$code ${verdict:+[$verdict] }seconds=$((SECONDS - begin))" >>"$out"
done || exit $?
grep -v ' status=0 ' "$out"
bad=$(grep -vc ' status=0 ' "$out")
echo "commands=$(wc -l <"$out") bad=$bad"
[ "$bad" -eq 0 ]
