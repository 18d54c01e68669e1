# The handbook as HTML, made from the pages of docs/ by pandoc: cmake --build BUILD --target handbook. With doxygen it includes
# the public headers.
# SPDX-License-Identifier: GPL-3.0-or-later
find_program(DLS_PANDOC pandoc DOC "makes the handbook")
mark_as_advanced(DLS_PANDOC)
if(NOT DLS_PANDOC)
  message(STATUS "pandoc is absent: no target `handbook`")
  return()
endif()
find_package(Doxygen 1.9 QUIET)

set(handbook ${CMAKE_BINARY_DIR}/handbook)
set(parts ${CMAKE_BINARY_DIR}/handbook-search)
set(kit ${CMAKE_SOURCE_DIR}/cmake/handbook)
set(docs ${CMAKE_SOURCE_DIR}/docs)
file(GLOB_RECURSE pages RELATIVE ${docs} CONFIGURE_DEPENDS ${docs}/*.md)
set(contents ${docs}/guide/README.md ${docs}/course/README.md ${docs}/reference/README.md ${docs}/notes/README.md)
set(outputs "")
set(searched "")
file(MAKE_DIRECTORY ${handbook} ${parts})
foreach(page IN LISTS pages)
  string(REGEX REPLACE "\\.md$" "" name ${page})
  string(REPLACE README index name ${name})
  get_filename_component(folder ${name} DIRECTORY)
  file(MAKE_DIRECTORY ${handbook}/${folder} ${parts}/${folder})
  set(options "")
  if(DOXYGEN_FOUND)
    set(options -M headers=yes)
  endif()
  if(NOT page STREQUAL README.md)
    list(APPEND options --toc --toc-depth=3)
  endif()
  add_custom_command(OUTPUT ${handbook}/${name}.html ${parts}/${name}.js
    COMMAND ${DLS_PANDOC} --from=gfm+tex_math_dollars --to=html5 --mathml --wrap=none --no-highlight --fail-if-warnings
            --standalone --template=${kit}/page.html --lua-filter=${kit}/page.lua -M file=${page} -M docs=${docs}
            -M found=${parts}/${name}.js -M version=${PROJECT_VERSION} ${options} --output=${handbook}/${name}.html ${docs}/${page}
    DEPENDS ${docs}/${page} ${contents} ${kit}/page.html ${kit}/page.lua)
  list(APPEND outputs ${handbook}/${name}.html)
  list(APPEND searched ${parts}/${name}.js)
  get_filename_component(page ${name} NAME)
  if(folder MATCHES "^(reference|notes)$" AND NOT EXISTS ${docs}/${page}.md AND NOT page STREQUAL index) # where it stood before
    set(moved ${name})
    configure_file(${kit}/moved.html ${handbook}/${page}.html @ONLY)
  endif()
endforeach()

if(DOXYGEN_FOUND)
  include(${CMAKE_CURRENT_LIST_DIR}/HandbookHeaders.cmake)
endif()

add_custom_command(OUTPUT ${handbook}/search-index.js
  COMMAND ${CMAKE_COMMAND} -E cat ${kit}/synonyms.js ${searched} > ${handbook}/search-index.js
  DEPENDS ${kit}/synonyms.js ${searched})
add_custom_command(OUTPUT ${handbook}/handbook.css
  COMMAND ${CMAKE_COMMAND} -E cat ${CMAKE_SOURCE_DIR}/experiments/show/report.css ${kit}/handbook.css > ${handbook}/handbook.css
  DEPENDS ${CMAKE_SOURCE_DIR}/experiments/show/report.css ${kit}/handbook.css)
add_custom_command(OUTPUT ${handbook}/search.js
  COMMAND ${CMAKE_COMMAND} -E copy ${kit}/search.js ${handbook}/search.js DEPENDS ${kit}/search.js)
# Other files that pages show or link to.
file(GLOB_RECURSE shown RELATIVE ${docs} CONFIGURE_DEPENDS ${docs}/images/* ${docs}/examples/* ${docs}/course/*.yaml ${docs}/reference/*.csv)
foreach(file IN LISTS shown)
  add_custom_command(OUTPUT ${handbook}/${file} COMMAND ${CMAKE_COMMAND} -E copy ${docs}/${file} ${handbook}/${file}
                     DEPENDS ${docs}/${file})
  list(APPEND outputs ${handbook}/${file})
endforeach()
add_custom_target(handbook DEPENDS ${outputs} ${handbook}/search-index.js ${handbook}/handbook.css ${handbook}/search.js
                  COMMENT "The handbook is in handbook/index.html")
