# test_prefix.sh -- what is installed works from its prefix alone: the tool, a consumer by find_package and by
# pkg-config, the example of a plugin, the example in Python.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
prefix=$work/prefix
install_to "$prefix"
lib=$prefix/$(cd "$prefix" && dirname "$(find . -name libdelassus.so)")
cp -r "$source/tests/consumer" "$prefix/share/delassus/examples" . # from here on neither source nor build is looked at

# the library: versioned, knows no folder of the build
soname=$(readelf -d "$lib/libdelassus.so" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
# until 1.0 a minor version is an interface of its own, afterwards a major one is
version=$(sed -n 's/^Version: //p' "$lib/pkgconfig/delassus.pc")
interface=${version%%.*}
[ "$interface" != 0 ] || interface=${version%.*}
[ "$soname" = "libdelassus.so.$interface" ] || fail "soname '$soname' of version $version"
[ -L "$lib/libdelassus.so" ] && [ -e "$lib/$soname" ] || fail "no chain of links to $soname"
for object in "$lib/$soname" "$prefix/bin/delassus"; do
  ! readelf -d "$object" | grep -E 'R(UN)?PATH' | grep -F "$build" || fail "$object remembers the build folder"
done
do_it python3 "$source/tests/house/test_search_paths.py" "$prefix"
! grep -rIlF -e "$build" -e "$source" "$prefix" || fail "files of the prefix name the source or build folder"

# the tool and its pages
tool=$prefix/bin/delassus
do_it "$tool" run bouncing-ball --scheme moreau-jean --step 0.01 --stats
has "run of the installed tool" "complete=yes" log
for command in $("$tool" --complete delassus ""); do
  [ -s "$prefix/share/man/man1/delassus-$command.1" ] || fail "no manual page of $command"
done
[ -s "$prefix/share/man/man1/delassus.1" ] || fail "no manual page of delassus"
[ -s "$prefix/share/doc/delassus/copyright" ] || fail "no license"

# the headers: each alone is C11 and C++11, none is forgotten in delassus.h, none gives C++ names to its functions
for header in "$prefix"/include/delassus/*.h; do
  name=delassus/$(basename "$header")
  echo "#include <$name>" >alone.c
  do_it "$CC" -std=c11 -fsyntax-only -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -I"$prefix/include" alone.c
  if command -v g++ >/dev/null; then
    do_it g++ -x c++ -std=c++11 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" alone.c
  fi
  if [ "$name" != delassus/delassus.h ]; then
    has "delassus.h" "#include <$name>" "$prefix/include/delassus/delassus.h"
    has "$name" 'extern "C" {' "$header"
  fi
done

# a consumer by find_package, linked to the shared and to the static library
check_consumer() { # program
  do_it "$1"
  between "$1: error of q" "$(sed -n 's/error of q = //p' log)" 1e-12 2e-3
}
do_it cmake -S consumer -B consumer-build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS=-Werror \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Werror"
do_it cmake --build consumer-build
check_consumer consumer-build/consumer
check_consumer consumer-build/consumer_static
if [ -x consumer-build/consumer_cpp ]; then
  check_consumer consumer-build/consumer_cpp
else
  echo "without C++, which is not there"
fi
readelf -d consumer-build/consumer | grep -q "$soname" || fail "the consumer does not need $soname"
! readelf -d consumer-build/consumer_static | grep -q delassus || fail "the static consumer needs the shared library"
find_version() { # VERSION
  sed "s/delassus [0-9][0-9.]*/delassus $1/" "$source/tests/consumer/CMakeLists.txt" >consumer/CMakeLists.txt
  cmake -S consumer -B "version-$1" -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1
}
find_version "$interface" || fail "version $interface, which the library says it is, was not found"
for other in 99.0 0.0 "0.$((${version:2:1} + 1))"; do
  ! find_version "$other" || fail "version $other was found: the library is $soname"
done

# by pkg-config
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$lib/pkgconfig
  do_it make -C consumer CC="$CC"
  export LD_LIBRARY_PATH=$lib
  check_consumer consumer/consumer
  unset LD_LIBRARY_PATH
  pkg-config --static --libs delassus >log
  has "pkg-config --static" "-lsundials_cvode" log
  # the same on the archive alone, with what --static says
  flags=$(pkg-config --static --libs delassus)
  # shellcheck disable=SC2046,SC2086 # lists of words
  do_it "$CC" -std=c11 $(pkg-config --cflags delassus) -o archive consumer/consumer.c \
    ${flags/-ldelassus/-l:libdelassus.a}
  check_consumer ./archive
else
  echo "without pkg-config, which is not there"
fi

# the plugin
cd examples/plugin || exit 1
if command -v pkg-config >/dev/null; then
  line=$(sed -n 's/^ \*   \(cc .*\)$/\1/p' falling.c) # how it says that it is built
  do_it bash -c "${line/#cc/$CC -Wall -Wextra -Wpedantic -Werror}"
else
  do_it "$CC" -fPIC -shared -I"$prefix/include" -o falling.so falling.c -L"$lib" -ldelassus
fi
do_it "$tool" --plugin falling.so show ball-in-air
has "show of the plugin's model" "air drag" log
do_it "$tool" show strang-impact --plugin=./falling.so
has "show of the plugin's scheme" "Strang splitting" log
# closed form: the first impact is at acosh(exp(c q0 / m)) / sqrt(g c / m) with speed sqrt(m g / c) tanh(t sqrt(g c / m))
do_it "$tool" run ball-in-air --plugin falling.so --scheme event-driven:tol=1e-12 --end 0.6 --out run.csv
event=$(grep -m1 kind=impact run.csv)
t=$(sed 's/.*event: t=\([^ ]*\).*/\1/' <<<"$event")
u=$(sed 's/.*u_minus=\([^ ]*\).*/\1/' <<<"$event")
between "impact time of the plugin's model" "$t" 0.48992053499 0.48992053503
between "its velocity" "$u" -3.52167649912 -3.52167649908
# every scheme, on a model of the plugin and on a built-in one
do_it "$tool" order bouncing-ball --plugin falling.so --scheme strang-impact --steps 1e-1:1e-3:6 --norm l1 --of q \
  --out study
order=$(awk -F, 'NR == 2 { print $5 }' study/orders.csv)
between "order of the plugin's scheme" "$order" 0.8 1.2
do_it "$tool" run ball-in-air --plugin falling.so --scheme moreau-jean --step 1e-3 --end 1 --stats
has "built-in scheme on the plugin's model" "complete=yes" log
cd ../..

# Python
if command -v python3 >/dev/null; then
  do_it env PYTHONPATH="$prefix/share/delassus/python" PYTHONDONTWRITEBYTECODE=1 python3 examples/ball.py
  between "order that the Python example observes" "$(sed -n 's/observed order: //p' log)" 0.9 1.1
  has "Python example" "refused: scheme moreau-jean: theta = 0.4 is outside" log
  do_it env PYTHONPATH="$prefix/share/delassus/python" python3 -c "
import delassus
delassus.plugin('examples/plugin/falling.so')
assert delassus.run('ball-in-air', 'strang-impact', step=1e-3, end=1).complete"
else
  echo "without Python, which is not there"
fi
finish
