#!/bin/bash
# wheel.sh -- in a bare Debian, as root, from a clone of this repository: the commands that docs/reference/python.md prints, to the
# letter but for sudo; then the tests of the package, without numpy, and with numpy, scipy, matplotlib and SymPy.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD
export DEBIAN_FRONTEND=noninteractive
say() { printf '== %s\n' "$*"; }
install() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }

say "The commands of docs/reference/python.md"
apt-get update -qq
awk '/^    / { on = 1; print substr($0, 5); next } on { exit }' docs/reference/python.md >/tmp/commands
sed -i 's/^sudo apt-get install/apt-get install -y -qq/' /tmp/commands
[ "$(wc -l </tmp/commands)" -ge 3 ] || { say "no commands in docs/reference/python.md" && exit 1; }
cat /tmp/commands
bash -euo pipefail /tmp/commands

python=$HOME/delassus-python/bin/python
folder=$(cd / && "$python" -c "import delassus, os; print(os.path.dirname(delassus.__file__))")
library=$(echo "$folder"/lib/libdelassus.so.*)
export DELASSUS_CACHE=/tmp/delassus-cache MPLBACKEND=agg MPLCONFIGDIR=/tmp/matplotlib
mkdir -p /tmp/tests
cd /tmp/tests
gcc -std=c11 -fPIC -shared -I"$folder/include" -o falling.so "$source/docs/examples/plugin/falling.c" "$library"

tests() { # of results, studies, functions
  "$python" "$source/tests/install/test_python.py" ./falling.so
  "$python" "$source/tests/install/test_python_studies.py" "${python%/python}/delassus"
  "$python" "$source/tests/install/test_python_functions.py"
}

page() { # NAME: its Python runs
  awk '/^```python/ { on = 1; next } /^```/ { on = 0 } on' "$source/docs/reference/$1.md" >"$1.py"
  "$python" "$1.py"
}

"$python" -c "import numpy" 2>/dev/null && { say "numpy is here already: this root is not bare" && exit 1; }
say "Tests without numpy"
tests
page python

say "Tests with numpy, scipy, matplotlib and SymPy"
install python3-numpy python3-scipy python3-matplotlib python3-sympy
"$python" -c "import numpy, scipy, matplotlib, sympy, sys; print(sys.version.split()[0], numpy.__version__, scipy.__version__, sympy.__version__)"
tests
gcc -std=c11 -O2 -fPIC -shared -ffp-contract=off -I"$folder/include" -o by_hand.so "$source/tests/install/plugin_by_hand.c" "$library" -lm
"$python" "$source/tests/install/test_formulas.py" ./by_hand.so
page python
page formulas
say "All passed"
