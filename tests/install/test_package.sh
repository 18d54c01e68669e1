# test_package.sh -- the Debian package has what it should, and says what it needs.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
for needed in cpack dpkg-deb dpkg-shlibdeps; do
  command -v $needed >/dev/null || skip "no $needed here"
done
[ -z "$sanitizers" ] || skip "nobody packages a library with sanitizers"
do_it cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/packages"
package=$(echo packages/*.deb)
[ -f "$package" ] || fail "no package: $(ls packages)"

dpkg-deb -I "$package" >info
has "package" "Package: delassus" info
has "package" "Section: science" info
has "package" "Description: Nonsmooth mechanics" info
for needed in libc6 libgsl27 libsundials-cvode6 libklu; do
  has "dependencies" "$needed" info
done
has "recommendation" "Recommends: gnuplot-nox" info

dpkg-deb -c "$package" | awk '{ print $6 }' >files
for file in usr/bin/delassus usr/include/delassus/delassus.h usr/include/delassus/plugin.h libdelassus.so.0 libdelassus.a \
  delassus-config.cmake delassus.pc usr/share/man/man1/delassus-run.1 usr/share/doc/delassus/copyright \
  usr/share/bash-completion/completions/delassus; do
  has "files of the package" "$file" files
done
! grep -vE '^\./(usr/.*)?$' files || fail "files outside /usr"

# unpacked anywhere it runs
do_it dpkg-deb -x "$package" root
do_it root/usr/bin/delassus run bouncing-ball --scheme event-driven --stats
has "run of the packaged tool" "complete=yes" log
finish
