# The shared library, and the tool for its plugins, export what the public headers declare, and nothing else.
# SPDX-License-Identifier: GPL-3.0-or-later
file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/*/delassus/*.h)
set(version_script ${CMAKE_BINARY_DIR}/delassus.map)
set(dynamic_list ${CMAKE_BINARY_DIR}/delassus.list)
list(JOIN headers "|" bar_separated)
add_custom_command(OUTPUT ${version_script} ${dynamic_list}
  COMMAND ${CMAKE_COMMAND} -D HEADERS=${bar_separated} -D MAP=${version_script} -D LIST=${dynamic_list}
          -P ${CMAKE_SOURCE_DIR}/cmake/exported_symbols.cmake
  DEPENDS ${headers} cmake/exported_symbols.cmake VERBATIM)
add_custom_target(dls_exports DEPENDS ${version_script} ${dynamic_list})

# The linker is tested with a file that is valid as both.
file(WRITE ${CMAKE_BINARY_DIR}/CMakeFiles/main.map "{ main; };\n")
check_linker_flag(C LINKER:--version-script=${CMAKE_BINARY_DIR}/CMakeFiles/main.map DLS_LINKER_TAKES_VERSION_SCRIPT)
check_linker_flag(C LINKER:--dynamic-list=${CMAKE_BINARY_DIR}/CMakeFiles/main.map DLS_LINKER_TAKES_DYNAMIC_LIST)

function(dls_export target option file)
  add_dependencies(${target} dls_exports)
  target_link_options(${target} PRIVATE LINKER:${option}=${file})
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${file})
endfunction()

if(DLS_SHARED AND DLS_LINKER_TAKES_VERSION_SCRIPT)
  dls_export(delassus_shared --version-script ${version_script})
endif()
if(DLS_LINKER_TAKES_DYNAMIC_LIST)
  dls_export(delassus --dynamic-list ${dynamic_list})
else()
  set_target_properties(delassus PROPERTIES ENABLE_EXPORTS ON)
endif()

# The tool has the library inside. A plugin that was linked to the shared one finds it beside the tool, wherever the prefix is
# moved to: by an RPATH, which unlike a RUNPATH is also searched for what a plugin needs. Calls of the plugin go to the tool.
# The build folder has the RPATH of the installed tool: CMake pads one that is to be replaced with colons, and an empty entry is the
# current folder, from which anybody's library would be loaded.
set(beside $<IF:$<PLATFORM_ID:Darwin>,@loader_path,$ORIGIN>)
set_target_properties(delassus PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${beside}/../${CMAKE_INSTALL_LIBDIR};${beside}/..")
check_linker_flag(C LINKER:--disable-new-dtags DLS_LINKER_KNOWS_RPATH)
target_link_options(delassus PRIVATE $<$<BOOL:${DLS_LINKER_KNOWS_RPATH}>:LINKER:--disable-new-dtags>)
