# test_package.sh -- a second build in another folder gives the same bytes; the Debian package made in it has what it
# should, says what it needs, and lintian finds no error.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
for needed in cpack dpkg-deb dpkg-shlibdeps file; do
  command -v $needed >/dev/null || skip "no $needed (packages cmake, dpkg-dev, file)"
done

# the same options in a folder with a longer name
options=()
for name in CMAKE_BUILD_TYPE CMAKE_C_COMPILER CMAKE_C_FLAGS CMAKE_C_COMPILER_LAUNCHER CMAKE_INSTALL_LIBDIR DLS_WERROR; do
  options+=("-D$name=$(sed -n "s/^$name:[A-Z]*=//p" "$build/CMakeCache.txt")")
done
second=$work/a-folder-with-a-longer-name/build
install_to "$work/first"
do_it cmake -S "$source" -B "$second" -DDLS_TESTS=OFF -DDLS_BENCH=OFF "${options[@]}"
do_it cmake --build "$second" --parallel 2
do_it cmake --install "$second" --prefix "$work/second"
diff -r first second >differences || fail "two builds of the same differ (was the first one up to date?): $(cat differences)"
between "number of installed files" "$(find second -type f | wc -l)" 40 1000

# for Debian the library goes where its architecture's libraries are
if [ -e /etc/debian_version ] && grep -q '^CMAKE_INSTALL_LIBDIR:[A-Z]*=lib$' "$second/CMakeCache.txt"; then
  ! cpack --config "$second/CPackConfig.cmake" -G DEB -B "$work/none" >log 2>&1 || fail "a package is made for /usr/lib"
  has "refusal of a package for /usr/lib" "a package for Debian has its library in lib/<architecture>" log
fi
do_it cmake -S "$source" -B "$second" -UCMAKE_INSTALL_LIBDIR -DCMAKE_INSTALL_PREFIX=/usr
do_it cmake --build "$second" --parallel 2
pack() { # FOLDER: packages/*.deb
  do_it cpack --config "$second/CPackConfig.cmake" -G DEB -B "$work/$1"
  package=$(echo "$work/$1"/*.deb)
  [ -f "$package" ] || fail "no package: $(ls "$work/$1")"
}
pack packages
dpkg-deb -I "$package" >info
has "package" "Package: delassus" info
has "package" "Section: science" info
has "package" "Description: simulate unilateral contact" info
for needed in libc6 libgsl libsundials-cvode libsundials-arkode libklu libyaml; do
  grep -qE "Depends: .*\<${needed}[-0-9]*( \(>=|,|\$)" info || fail "no dependency on $needed: $(cat info)"
done
has "recommendation" "Recommends: gnuplot-nox" info
version=$(sed -n 's/^ Version: //p' info)
interface=${version%.*}
dpkg-deb -e "$package" control
has "shlibs" "libdelassus $interface delassus (>= $version)" control/shlibs
has "triggers" "activate-noawait ldconfig" control/triggers

dpkg-deb -c "$package" | awk '{ print $6 }' >files
architecture=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
for file in usr/bin/delassus usr/include/delassus/delassus.h usr/include/delassus/plugin.h \
  "usr/lib/$architecture/libdelassus.so.$interface" "usr/lib/$architecture/libdelassus.a" \
  delassus-config.cmake delassus.pc usr/share/man/man1/delassus-run.1.gz usr/share/doc/delassus/copyright \
  usr/share/doc/delassus/changelog.gz usr/share/bash-completion/completions/delassus; do
  has "files of the package" "$file" files
done
! grep -E 'man1/.*\.1$' files || fail "manual pages that are not compressed"
! grep -vE '^\./(usr/.*)?$' files || fail "files outside /usr"
if command -v lintian >/dev/null; then
  lintian --no-cfg --allow-root --fail-on error "$package" >log 2>&1 || fail "lintian: $(cat log)"
else
  echo "without lintian, which is not there"
fi

# unpacked anywhere it runs
do_it dpkg-deb -x "$package" root
if ctest --test-dir "$build" -N | grep -q house.hardening; then
  do_it python3 "$source/tests/house/test_hardening.py" root/usr/bin/delassus "root/usr/lib/$architecture/libdelassus.so.$interface"
fi
do_it root/usr/bin/delassus run bouncing-ball --scheme event-driven --stats
has "run of the packaged tool" "complete=yes" log
finish
