# test_formulas_time.sh -- models from formulas that depend on time: their declarations, and event-driven runs with
# them.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
[ -z "$sanitizers" ] || skip "python3 cannot load a library with sanitizers"
command -v python3 >/dev/null || skip "no python3 here"
python3 -c "import sympy" 2>/dev/null || skip "no sympy here"
include=$source/common:$source/analytic:$source/experiments
export PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 DELASSUS_INCLUDE=$include DELASSUS_CACHE=$work/cache HOME=$work
DELASSUS_LIBRARY=$(echo "$build"/libdelassus.so.?.?)
export DELASSUS_LIBRARY
do_it "$CC" -std=c11 -O2 -I"$source/common" -I"$source/analytic" -I"$source/experiments" -o time_statement \
  "$source/tests/install/time_statement.c" -L"$build" -Wl,-rpath,"$build" -ldelassus -lm
do_it python3 "$source/tests/install/test_formulas_time.py" ./time_statement
tail -3 log
finish
