# test_configure.sh -- what cmake makes of other tools: a linker without the GNU one's options; warnings are errors on demand, and the
# handbook is installed on demand.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"

configure() { # FOLDER OPTIONS...
  local folder=$1
  shift
  do_it cmake -S "$source" -B "$folder" -G "Unix Makefiles" -DDLS_TESTS=OFF -DDLS_BENCH=OFF "$@"
}

cat >plain_cc <<END
#!/bin/sh
case "\$*" in
  *version-script* | *dynamic-list* | *Bsymbolic*) echo "ld: unknown option" >&2; exit 1 ;;
esac
exec $CC "\$@"
END
chmod +x plain_cc
configure gnu -DCMAKE_C_COMPILER="$CC"
configure plain -DCMAKE_C_COMPILER="$PWD/plain_cc"
for option in shared:--version-script shared:-Bsymbolic-functions tool:--dynamic-list; do
  link=CMakeFiles/delassus_shared.dir/link.txt
  [ "${option%%:*}" = shared ] || link=CMakeFiles/delassus.dir/link.txt
  has "linking with the GNU linker" "${option#*:}" gnu/$link
  ! grep -qe "${option#*:}" plain/$link || fail "${option#*:} is given to a linker that does not know it"
done

flags=CMakeFiles/dls_common.dir/flags.make
! grep -q Werror gnu/$flags || fail "a user's build takes warnings for errors"
has "flags" "-Wall -Wextra" gnu/$flags
configure gnu -DDLS_WERROR=ON
has "flags with DLS_WERROR" "-Werror" gnu/$flags

# the handbook is built and installed on demand, and refused without pandoc
! grep -q doc/delassus/html gnu/cmake_install.cmake || fail "the handbook is installed without being asked for"
! cmake -S "$source" -B plain -DDLS_HANDBOOK=ON -DDLS_PANDOC=NO >log 2>&1 || fail "DLS_HANDBOOK=ON without pandoc is not refused"
has "refusal without pandoc" "DLS_HANDBOOK=ON needs pandoc" log
if command -v pandoc >/dev/null; then
  configure gnu -DDLS_HANDBOOK=ON
  has "rules of installation" "doc/delassus/html" gnu/cmake_install.cmake
  has "what is built by default" "all: CMakeFiles/handbook.dir/all" gnu/CMakeFiles/Makefile2
fi
finish
