# cmake --install: library, headers, tool, pages, completion, package files for find_package and pkg-config; cpack -G DEB.
# SPDX-License-Identifier: GPL-3.0-or-later
include(CMakePackageConfigHelpers)

set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/delassus)
set(pkgconfig_files ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Libraries. Users of the static one also need the libraries that it depends on.
set_target_properties(dls_dependencies PROPERTIES EXPORT_NAME dependencies)
if(DLS_SHARED)
  set_target_properties(delassus_shared PROPERTIES EXPORT_NAME delassus)
  install(TARGETS delassus_shared EXPORT delassus LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT delassus NAMESPACE delassus:: FILE delassus-targets.cmake DESTINATION ${cmake_files})
endif()
install(TARGETS delassus_static dls_dependencies EXPORT delassus-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT delassus-static NAMESPACE delassus:: FILE delassus-static-targets.cmake DESTINATION ${cmake_files})
foreach(floor IN LISTS DLS_FLOORS)
  if(IS_DIRECTORY ${CMAKE_SOURCE_DIR}/${floor}/delassus)
    install(DIRECTORY ${floor}/delassus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
  endif()
endforeach()

configure_package_config_file(cmake/delassus-config.cmake.in delassus-config.cmake INSTALL_DESTINATION ${cmake_files})
write_basic_package_version_file(delassus-config-version.cmake COMPATIBILITY ${DLS_COMPATIBILITY})
install(FILES ${CMAKE_BINARY_DIR}/delassus-config.cmake ${CMAKE_BINARY_DIR}/delassus-config-version.cmake
        DESTINATION ${cmake_files})

file(RELATIVE_PATH DLS_PC_TO_PREFIX /${pkgconfig_files} /)
configure_file(cmake/delassus.pc.in delassus.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/delassus.pc DESTINATION ${pkgconfig_files})

install(TARGETS delassus RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES cmake/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME delassus)
install(FILES cmake/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _delassus)
install(FILES cmake/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME delassus.fish)
install(DIRECTORY python/delassus DESTINATION ${CMAKE_INSTALL_DATADIR}/delassus/python FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed)
install(DIRECTORY docs/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/delassus)
install(DIRECTORY ${CMAKE_BINARY_DIR}/wasm/ DESTINATION ${CMAKE_INSTALL_DATADIR}/delassus OPTIONAL) # of wasm/build.sh
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Manual pages, printed by the tool from the tables behind --help.
if(NOT CMAKE_CROSSCOMPILING)
  set(pages ${CMAKE_BINARY_DIR}/man)
  add_custom_command(OUTPUT ${pages}/delassus.1
    COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:delassus> -DFOLDER=${pages} -P ${CMAKE_SOURCE_DIR}/cmake/ManPages.cmake
    DEPENDS delassus cmake/ManPages.cmake COMMENT "Writing the manual pages" VERBATIM)
  add_custom_target(dls_man ALL DEPENDS ${pages}/delassus.1)
  install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN *.1)
endif()

# Debian package: cpack -G DEB in a build folder that was configured with -DCMAKE_INSTALL_PREFIX=/usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME delassus)
set(CPACK_PACKAGE_CONTACT "Maintainers of delassus <delassus@example.org>" CACHE STRING "maintainer of the package")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulate unilateral contact, measure the integrators")
set(CPACK_PACKAGE_DESCRIPTION "Solves one mechanical system with unilateral contact and impact
with an event-driven integrator and with the time-stepping schemes of
the literature, and measures against exact solutions how accurate each
is and what it costs. Command-line tool, shared and static library,
headers, Python package.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=") # a later version of the same interface will do
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/cmake/triggers)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, python3-numpy, libsundials-dev, libgsl-dev, libsuitesparse-dev, libhdf5-dev")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/DebianFiles.cmake)
set(CPACK_DLS_LIBDIR ${CMAKE_INSTALL_LIBDIR})
set(CPACK_DLS_COMMIT_TIME ${commit_time})
include(CPack)
