# test_catalogue_listed.sh -- every model, scheme, exact solution, law and norm that a file defines has its line in
# its list, and every line its file.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
cd "$2" || exit 1
catalogue=experiments/catalogue/catalogue.c
failures=0

# check KIND LIST FOLDER...: definitions `const dls_KIND dls_KIND_NAME` in the folders against the X(NAME) of LIST in $catalogue
check() {
  local kind=$1 list=$2 defined listed
  shift 2
  defined=$(grep -hoE "^const dls_$kind dls_${kind}_[a-z0-9_]+" "$@" | sed "s/.*dls_${kind}_//" | sort)
  listed=$(awk -v start="#define $list(X)" 'index($0, start) { on = 1 } on { print } on && !/\\$/ { exit }' \
    "$catalogue" | grep -oE 'X\([a-z0-9_]+\)' | sed 's/X(\(.*\))/\1/' | sort)
  if [ -z "$defined" ] || [ "$defined" != "$listed" ]; then
    failures=$((failures + 1))
    echo "FAILED: $list of $catalogue (right) and the definitions in the files (left) differ:"
    diff --side-by-side --width=100 <(echo "$defined") <(echo "$listed")
  fi
}

check model DLS_MODEL_LIST common/models/*.c experiments/request/mechanism/*.c
check scheme DLS_SCHEME_LIST event_driven/*.c time_stepping/*/*.c
check exact DLS_EXACT_LIST analytic/exact/*.c
catalogue=common/contact/law.c check law DLS_LAW_LIST common/contact/laws/*.c
catalogue=analytic/distance/norm.h check norm DLS_NORM_LIST analytic/distance/*.c

# a file in the folders of models and of exact solutions defines one
for file in common/models/*.c analytic/exact/*.c; do
  if ! grep -qE '^const dls_(model|exact) dls_' "$file"; then
    failures=$((failures + 1))
    echo "FAILED: $file defines no model and no exact solution"
  fi
done
[ "$failures" -eq 0 ] && echo "all files are listed"
exit "$failures"
