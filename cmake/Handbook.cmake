# The handbook as HTML, made from the pages of docs/ by pandoc: cmake --build BUILD --target handbook. With doxygen it includes
# the public headers. With DLS_HANDBOOK it is built with everything else and installed.
# SPDX-License-Identifier: GPL-3.0-or-later
find_program(DLS_PANDOC pandoc DOC "makes the handbook")
mark_as_advanced(DLS_PANDOC)
if(DLS_HANDBOOK AND (NOT DLS_PANDOC OR CMAKE_CROSSCOMPILING))
  message(FATAL_ERROR "DLS_HANDBOOK=ON needs pandoc (Debian: apt-get install pandoc), and a tool that runs on this machine")
endif()
if(NOT DLS_PANDOC)
  message(STATUS "pandoc is absent: no target `handbook`")
  return()
endif()
if(CMAKE_CROSSCOMPILING)
  message(STATUS "the tool that prints the Reference does not run here: no target `handbook`")
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
set(redirects "")
file(MAKE_DIRECTORY ${handbook} ${parts})
set(made commands topics models schemes laws norms solvers studies) # pages of the Reference that the tool prints
set(options "")
if(DOXYGEN_FOUND)
  set(options -M headers=yes)
endif()
# With the tool as WebAssembly (wasm/build.sh), command blocks of the Guide run in their pages.
set(tool ${CMAKE_BINARY_DIR}/wasm)
if(DEFINED ENV{DELASSUS_WASM})
  set(tool $ENV{DELASSUS_WASM})
endif()
file(GLOB tool CONFIGURE_DEPENDS ${tool}/delassus-tool.js)

add_custom_command(OUTPUT ${parts}/entries.csv # the same file if nothing has changed, so that pages are not made again
  COMMAND delassus list --format csv > ${parts}/entries.new
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${parts}/entries.new ${parts}/entries.csv DEPENDS delassus)

# handbook_page(NAME PAGE SOURCE OPTIONS...): handbook/NAME.html from PAGE, a path within docs/; what it depends on is in `needs`.
function(handbook_page name page source)
  get_filename_component(folder ${name} DIRECTORY)
  file(MAKE_DIRECTORY ${handbook}/${folder} ${parts}/${folder})
  add_custom_command(OUTPUT ${handbook}/${name}.html ${parts}/${name}.js
    COMMAND ${DLS_PANDOC} --from=gfm+tex_math_dollars --to=html5 --mathml --wrap=none --no-highlight --fail-if-warnings
            --standalone --template=${kit}/page.html ${ARGN} --lua-filter=${kit}/page.lua --lua-filter=${kit}/words.lua
            -M file=${page} -M docs=${docs} -M "made=${made}" -M entries=${parts}/entries.csv
            -M found=${parts}/${name}.js -M version=${PROJECT_VERSION} ${options} --output=${handbook}/${name}.html ${source}
    DEPENDS ${needs} ${contents} ${parts}/entries.csv ${docs}/reference/glossary.md ${kit}/page.html ${kit}/page.lua ${kit}/words.lua VERBATIM)
  set(outputs ${outputs} ${handbook}/${name}.html PARENT_SCOPE)
  set(searched ${searched} ${parts}/${name}.js PARENT_SCOPE)
endfunction()

foreach(page IN LISTS pages)
  string(REGEX REPLACE "\\.md$" "" name ${page})
  string(REPLACE README index name ${name})
  set(contents_of_page --toc --toc-depth=3)
  if(page STREQUAL README.md)
    set(contents_of_page "")
  endif()
  if(tool AND name MATCHES "^guide/")
    list(APPEND contents_of_page -M runs=yes)
  endif()
  set(needs ${docs}/${page})
  handbook_page(${name} ${page} ${docs}/${page} ${contents_of_page})
  get_filename_component(base ${name} NAME)
  if(name MATCHES "^(reference|notes)/" AND NOT EXISTS ${docs}/${base}.md AND NOT base STREQUAL index) # where it stood before
    set(moved ${name})
    configure_file(${kit}/moved.html ${handbook}/${base}.html @ONLY)
    list(APPEND redirects ${handbook}/${base}.html)
  endif()
endforeach()
foreach(pair tutorial:first-order-study accumulation:accumulation energy-blow-up:what-goes-wrong) # pages that the Guide replaces
  string(REGEX MATCH "^(.*):(.*)$" moved ${pair})
  set(moved guide/${CMAKE_MATCH_2})
  configure_file(${kit}/moved.html ${handbook}/${CMAKE_MATCH_1}.html @ONLY)
  list(APPEND redirects ${handbook}/${CMAKE_MATCH_1}.html)
endforeach()
foreach(kind IN LISTS made)
  set(contents_of_page "")
  if(kind MATCHES "commands|topics") # the others begin with a table that has links
    set(contents_of_page --toc --toc-depth=2)
  endif()
  set(needs delassus dls_man ${kit}/reference.lua)
  handbook_page(reference/${kind} reference/${kind}.md /dev/null --lua-filter=${kit}/reference.lua -M tool=$<TARGET_FILE:delassus>
                -M man=${CMAKE_BINARY_DIR}/man -M kind=${kind} ${contents_of_page})
endforeach()

# Pages of earlier configurations that are gone.
file(GLOB_RECURSE old ${handbook}/*.html)
list(FILTER old EXCLUDE REGEX "^${handbook}/headers/")
list(REMOVE_ITEM old ${outputs} ${redirects})
if(old)
  file(REMOVE ${old})
endif()

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
if(tool)
  set(run ${kit}/shell.js ${kit}/gnuplot.js ${kit}/run-here.js)
  add_custom_command(OUTPUT ${handbook}/run-here.js ${handbook}/delassus-tool.js
    COMMAND ${CMAKE_COMMAND} -E cat ${run} > ${handbook}/run-here.js
    COMMAND ${CMAKE_COMMAND} -E copy ${tool} ${handbook}/delassus-tool.js DEPENDS ${run} ${tool})
  list(APPEND outputs ${handbook}/run-here.js)
else()
  file(REMOVE ${handbook}/run-here.js ${handbook}/delassus-tool.js)
endif()
# Other files that pages show or link to.
file(GLOB_RECURSE shown RELATIVE ${docs} CONFIGURE_DEPENDS ${docs}/images/* ${docs}/examples/* ${docs}/course/*.yaml ${docs}/reference/*.csv)
foreach(file IN LISTS shown)
  add_custom_command(OUTPUT ${handbook}/${file} COMMAND ${CMAKE_COMMAND} -E copy ${docs}/${file} ${handbook}/${file}
                     DEPENDS ${docs}/${file})
  list(APPEND outputs ${handbook}/${file})
endforeach()
set(all "")
if(DLS_HANDBOOK)
  set(all ALL)
  install(DIRECTORY ${handbook}/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/html)
endif()
add_custom_target(handbook ${all} DEPENDS ${outputs} ${handbook}/search-index.js ${handbook}/handbook.css ${handbook}/search.js
                  COMMENT "The handbook is in handbook/index.html")
