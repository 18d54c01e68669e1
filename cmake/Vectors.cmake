# Instructions for vectors of 32 and 64 bytes, of x86-64. How vectors are passed to functions does not matter where all are inline.
# SPDX-License-Identifier: GPL-3.0-or-later
set(two "")
set(four "")
set(eight "")
set(lanes "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(four -mavx2)
  set(eight -mavx512f -mavx512dq -mprefer-vector-width=512)
else()
  get_target_property(sources dls_time_stepping SOURCES)
  list(FILTER sources EXCLUDE REGEX "/batch/[a-z]+_(four|eight)\\.c$")
  set_property(TARGET dls_time_stepping PROPERTY SOURCES ${sources})
endif()
foreach(width two four eight)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/time_stepping/batch/*_${width}.c)
  list(APPEND lanes ${files})
  set_source_files_properties(${files} PROPERTIES COMPILE_OPTIONS "-Wno-psabi;${${width}}")
endforeach()
# They take long to compile with all that UBSan looks for, and optimised; _one.c is the same source and keeps both, and ASan sees the memory of
# all.
if(DLS_SANITIZE MATCHES undefined)
  set_property(SOURCE ${lanes} APPEND PROPERTY COMPILE_OPTIONS "-O0;-fno-sanitize=null,alignment")
endif()
