# test_portable_wheel.sh -- ./portable-wheel: the wheel has its libraries and their licences, and needs none of the system's but glibc and the runtime of C++.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
[ -z "$sanitizers" ] || skip "python3 cannot load a library with sanitizers"
command -v patchelf >/dev/null && command -v objdump >/dev/null || skip "no patchelf or objdump (packages patchelf, binutils)"
/usr/bin/python3 -c "import setuptools, venv, ensurepip, wheel.wheelfile" 2>/dev/null || skip "no python3 with venv, setuptools and wheel"
dpkg -S /bin/sh >/dev/null 2>&1 || skip "not a Debian: licences are taken from its packages"

mkdir tree
cp -r "$source"/{pyproject.toml,setup.py,setup.cfg,CMakeLists.txt,README.md,LICENSE,python,portable-wheel} tree
mkdir tree/cmake
printf 'packages=\nneed() { :; }\nneed_known() { :; }\nsay() { echo "$@" >&2; }\n' >tree/cmake/prepare.sh # no apt in a test
export DELASSUS_BUILD_DIR=$build PIP_NO_INDEX=1
do_it tree/portable-wheel dist
wheel=$(echo dist/*.whl)
[[ $wheel =~ -py3-none-manylinux_2_[0-9]+_$(uname -m)\.whl$ ]] || fail "the platform of $wheel"

# nothing but glibc and the runtime of C++ comes from outside of it, whatever the system has
/usr/bin/python3 -m venv venv
do_it venv/bin/pip install --quiet "$wheel"
folder=$(echo "$PWD"/venv/lib/python3*/site-packages/delassus)
for binary in "$folder"/lib/*.so* "$folder"/bin/*; do
  LD_LIBRARY_PATH='' ldd "$binary" | awk -v own="$(realpath "$folder")/" '/=>/ && index($3, own) != 1 && $1 !~ /^(lib(c|m|dl|rt|pthread|util|gcc_s)|libstdc\+\+)\.so/' >outside
  [ ! -s outside ] || fail "$(basename "$binary") uses $(head -1 outside)"
done
# the tag is the newest version of glibc's symbols in any of its files
newest=$(objdump -T "$folder"/lib/*.so* "$folder"/bin/* 2>/dev/null | grep -oE 'GLIBC_[0-9]+\.[0-9]+' | sort -uV | tail -1)
[[ $wheel == *-manylinux_$(tr . _ <<<"${newest#GLIBC_}")_* ]] || fail "the tag of $wheel, whose files need $newest"
do_it venv/bin/python -c "
import delassus
run = delassus.run('bouncing-ball', 'event-driven:tol=1e-12', end=2.5)
print('impact at', run.events[0]['t'], 'by', delassus.library_path())"
has "the library" "site-packages/delassus/lib/libdelassus.so" log
between "the first impact of the ball" "$(sed -n 's/impact at \([^ ]*\).*/\1/p' log)" 0.9999999999 1.0000000001
do_it venv/bin/delassus run elastic-bar --scheme moreau-jean --step 1e-2 --end 0.1 --out bar.csv # sparse factors
if [ -e "$folder/bin/delassus-rigorous.so" ]; then
  do_it venv/bin/delassus exact bouncing-ball --rigorous --at 0.5 --end 1
fi

# licences: a text for each library, and no wheel if one is not known
for library in "$folder"/lib/*.so*; do
  name=$(basename "$library")
  case $name in libdelassus*) continue ;; esac
  grep -q "^$name: " venv/lib/python3*/site-packages/delassus-*.dist-info/licenses/README || fail "no licence for $name"
done
sed -i '/"libgsl":/d' tree/python/portable_wheel.py
tree/portable-wheel again >log 2>&1 && fail "a library without a known licence is taken"
has "an unknown licence" "its licence is not in LICENCES" log
[ -z "$(ls again 2>/dev/null)" ] || fail "a refused wheel was written"
finish
