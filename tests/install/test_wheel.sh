# test_wheel.sh -- the Python package as docs/reference/python.md says: a virtual environment, pip without a network, and what is then in it.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
[ -z "$sanitizers" ] || skip "python3 cannot load a library with sanitizers"
needed="import setuptools, venv, ensurepip, wheel; assert int(setuptools.__version__.split('.')[0]) >= 61"
python=
for candidate in python3 /usr/bin/python3; do
  if [ -z "$python" ] && "$candidate" -W ignore -c "$needed" 2>/dev/null; then
    python=$candidate
  fi
done
[ -n "$python" ] || skip "no python3 with venv, setuptools from 61 and wheel (packages python3-venv, python3-setuptools, python3-wheel)"

# what the page prints, but for apt, on a copy of the sources; the library is the one of this build
mkdir tree home
cp -r "$source"/{pyproject.toml,setup.py,setup.cfg,CMakeLists.txt,README.md,LICENSE,python} tree
export DELASSUS_BUILD_DIR=$build HOME=$work/home PIP_NO_INDEX=1
sed -n 's/^    //p' "$source/docs/reference/python.md" | grep -E '^(python3 -m venv|[^ ]*/pip install)' >commands
[ "$(wc -l <commands)" = 2 ] || fail "docs/reference/python.md does not make an environment and install: $(cat commands)"
cd tree || exit 1
do_it bash -ec "$(sed "s,^python3,$python," ../commands)"
has "pip" "Successfully installed delassus-" log
cd .. || exit 1
own=$(echo home/*/bin/python)
version=$(sed -n 's/^project(delassus VERSION \([0-9.]*\).*/\1/p' tree/CMakeLists.txt)

do_it "$own" -c "
import delassus, os
run = delassus.run('bouncing-ball', 'event-driven:tol=1e-12', end=2.5)
print('impact at', run.events[0]['t'], 'by', delassus.library_path(), 'version', delassus.__version__)"
has "the library of the wheel" "site-packages/delassus/lib/libdelassus.so" log
has "the version" "version $version" log
between "the first impact of the ball" "$(sed -n 's/impact at \([^ ]*\).*/\1/p' log)" 0.9999999999 1.0000000001
do_it "${own%/python}/delassus" --version
has "the tool of the wheel" "delassus $version" log

# a plugin by the headers and the library of the wheel
folder=$("$own" -c "import delassus, os; print(os.path.dirname(delassus.__file__))")
do_it "$CC" -std=c11 -fPIC -shared -I"$folder/include" -o falling.so "$source/docs/examples/plugin/falling.c" \
  "$folder"/lib/libdelassus.so.*
do_it "$own" -c "
import delassus
delassus.plugin('falling.so')
assert delassus.run('ball-in-air', 'strang-impact', step=1e-3, end=1).complete"
do_it "${own%/python}/delassus" --plugin falling.so show ball-in-air
finish
