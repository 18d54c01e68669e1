# test_formulas.sh -- models that SymPy derives from formulas, on the library of the build; the page on them.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
[ -z "$sanitizers" ] || skip "python3 cannot load a library with sanitizers"
command -v python3 >/dev/null || skip "no python3 (package python3)"
python3 -c "import sympy" 2>/dev/null || skip "no sympy (package python3-sympy)"
include=$source/common:$source/analytic:$source/experiments
export PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 DELASSUS_INCLUDE=$include DELASSUS_CACHE=$work/cache HOME=$work
DELASSUS_LIBRARY=$(echo "$build"/libdelassus.so.?.?)
export DELASSUS_LIBRARY
do_it "$CC" -std=c11 -O2 -fPIC -shared -ffp-contract=off -I"$source/common" -I"$source/analytic" -I"$source/experiments" -o by_hand.so \
  "$source/tests/install/plugin_by_hand.c" -L"$build" -ldelassus -lm
do_it python3 "$source/tests/install/test_formulas.py" ./by_hand.so
tail -3 log

# the page
awk '/^```python/ { on = 1; next } /^```/ { on = 0 } on' "$source/docs/reference/formulas.md" >page.py
do_it python3 page.py
between "printed by docs/reference/formulas.md: impacts of the dimer" "$(sed -n 's/impacts: //p' log)" 2 20

# the notebook
export MPLBACKEND=agg MPLCONFIGDIR=$work/matplotlib
do_it python3 "$source/tests/install/run_notebook.py" "$source/docs/examples/dimer.ipynb" impacts
grep "is not here" log
grep -qE '^impacts: \[[1-9][0-9]*, [1-9][0-9]*\]$' log || fail "dimer.ipynb: $(grep '^impacts' log)"
has "dimer.ipynb" "dimer: callbacks against difference quotients" log
! grep -q "DOES NOT AGREE" log || fail "dimer.ipynb: a callback does not agree"
finish
