# The names that the public headers declare, for the linker: cmake -D HEADERS=a.h|b.h -D MAP=FILE -D LIST=FILE -P this.
# MAP is the version script of the shared library, LIST what the tool offers to its plugins. Both export these names alone.
# SPDX-License-Identifier: GPL-3.0-or-later
string(REPLACE "|" ";" HEADERS "${HEADERS}")
set(names)
foreach(header IN LISTS HEADERS)
  file(READ ${header} text)
  string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/" " " text "${text}") # comments
  string(REPLACE "\\\n" " " text "${text}")
  string(REGEX REPLACE "#[^\n]*" "" text "${text}")
  string(REPLACE "extern \"C\" {" "" text "${text}")
  set(before)
  while(NOT text STREQUAL before) # bodies of structures and of inline functions, from the inside out
    set(before "${text}")
    string(REGEX REPLACE "{[^{}]*}" "$<SEMICOLON>" text "${text}")
  endwhile()
  string(REPLACE "$<SEMICOLON>" ";" text "${text}")
  foreach(declaration IN LISTS text)
    string(REGEX REPLACE "[ \n\t}]+" " " declaration "${declaration}")
    if(declaration MATCHES "^ ?(typedef|static) " OR declaration MATCHES "visibility") # the latter is a plugin's own
      continue()
    endif()
    string(REGEX MATCH "^[^(]*(dls_[a-z0-9_]+)\\(|^ ?extern .*(dls_[a-z0-9_]+)" found "${declaration}")
    if(found)
      list(APPEND names ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
    endif()
  endforeach()
endforeach()
list(SORT names)
list(JOIN names ";\n    " lines)
file(WRITE ${MAP} "{\n  global:\n    ${lines};\n  local: *;\n};\n")
file(WRITE ${LIST} "{\n    ${lines};\n};\n")
