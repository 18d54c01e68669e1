# test_python.sh -- the Python module on the library of the build.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
command -v python3 >/dev/null || skip "no python3 (package python3)"
[ -z "$sanitizers" ] || skip "python3 cannot load a library with sanitizers"
do_it "$CC" -std=c11 -fPIC -shared -I"$source/common" -I"$source/analytic" -I"$source/experiments" -o falling.so \
  "$source/docs/examples/plugin/falling.c"
do_it "$CC" -fPIC -shared -I"$source/common" -I"$source/analytic" -I"$source/experiments" -o linked.so \
  "$source/docs/examples/plugin/falling.c" -L"$build" -ldelassus
library=$(echo "$build"/libdelassus.so.?.?)
export PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 DELASSUS_LIBRARY=$library
do_it python3 "$source/tests/install/test_python.py" ./linked.so
tail -3 log
do_it python3 "$source/tests/install/test_python_studies.py" "$build/bin/delassus"
tail -3 log
do_it python3 "$source/tests/install/test_python_functions.py"
tail -3 log
do_it python3 "$source/tests/install/test_python_fits.py" "$build/bin/delassus"
tail -3 log
do_it python3 "$source/tests/install/test_python_commands.py"
tail -3 log
do_it python3 "$source/tests/install/test_python_types.py"
tail -3 log
do_it env DELASSUS_WASM="$source/tests/data/playground" python3 "$source/tests/install/test_python_doc.py"
tail -3 log

# the page
awk '/^```python/ { on = 1; next } /^```/ { on = 0 } on' "$source/docs/reference/python.md" >page.py
do_it python3 page.py
between "printed by docs/reference/python.md: end of the run" "$(head -1 log | cut -d' ' -f1)" 3.999 4.001

# the page of the interface that the package uses
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$source/docs/reference/flat.md" >flat.c
do_it "$CC" -std=c11 -I"$source/common" -I"$source/analytic" -I"$source/experiments" -o flat flat.c "$library" "-Wl,-rpath,$build"
do_it ./flat
between "printed by docs/reference/flat.md: order" "$(sed -n 's/^order=\([0-9.]*\) .*/\1/p' log)" 0.7 1.3

# the notebooks
export MPLBACKEND=agg MPLCONFIGDIR=$work/matplotlib
do_it python3 "$source/tests/install/run_notebook.py" "$source/docs/examples/orders.ipynb" worst orders
grep "is not here" log
between "orders.ipynb: largest residual of the energy balance" "$(sed -n 's/^worst: //p' log)" 0 1e-11
between "orders.ipynb: order through the accumulation" "$(sed -n "s/^orders: .*accumulation': \([0-9.]*\).*/\1/p" log)" 0.6 0.95
between "orders.ipynb: order before it" "$(sed -n "s/^orders: .*before it': \([0-9.]*\).*/\1/p" log)" 0.9 1.15
do_it python3 "$source/tests/install/run_notebook.py" "$source/docs/examples/fits.ipynb" error
grep "is not here" log
between "fits.ipynb: error of e" "$(sed -n 's/^error: //p' log)" -0.01 0.01

# no library, and one that is not ours
! env -u DELASSUS_LIBRARY python3 -c "import delassus" 2>err || echo "a library is installed on this machine: its absence is not tested"
[ ! -s err ] || has "no library" "DELASSUS_LIBRARY" err
# without numpy the columns are arrays of the standard library
do_it python3 -c "
import sys
sys.modules['numpy'] = None
import array, delassus
assert type(delassus.exact('bouncing-ball', at=[1.5]).q0) is array.array"
if python3 -c "import numpy" 2>/dev/null; then
  do_it python3 -c "
import numpy, delassus
assert type(delassus.exact('bouncing-ball', at=numpy.array([1.5])).q0) is numpy.ndarray"
else
  echo "numpy is not here: arrays of numpy are not tested"
fi
finish
