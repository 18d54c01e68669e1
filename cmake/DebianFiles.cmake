# Run by cpack before it makes a Debian package. Adapts the files of the prefix to Debian's policy: copyright, changelog and
# compressed manual pages. The time is that of SOURCE_DATE_EPOCH or of the commit.
# SPDX-License-Identifier: GPL-3.0-or-later
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
if(CPACK_DLS_LIBDIR STREQUAL "lib" AND EXISTS /etc/debian_version)
  message(FATAL_ERROR "a package for Debian has its library in lib/<architecture>: configure with -DCMAKE_INSTALL_PREFIX=/usr")
endif()
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(doc ${share}/doc/${CPACK_PACKAGE_NAME})

if(NOT DEFINED ENV{SOURCE_DATE_EPOCH} AND CPACK_DLS_COMMIT_TIME)
  set(ENV{SOURCE_DATE_EPOCH} ${CPACK_DLS_COMMIT_TIME})
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
string(TIMESTAMP year "%Y" UTC)
file(WRITE ${doc}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What has changed stands in CHANGELOG.md.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ${CPACK_PACKAGE_NAME}

Files: *
Copyright: ${year} the authors of delassus
License: GPL-3.0-or-later
 This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public
 License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later
 version. It comes without any warranty.
 .
 On Debian systems the text of that license is in /usr/share/common-licenses/GPL-3.
")
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -9nf ${pages} ${doc}/changelog ${doc}/CHANGELOG.md COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE written ${share}/man/*.gz ${doc}/*)
file(CHMOD ${written} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
