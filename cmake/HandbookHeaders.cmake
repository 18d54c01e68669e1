# The public headers as HTML, a part of the handbook, by doxygen; the search of the handbook finds what they declare.
# SPDX-License-Identifier: GPL-3.0-or-later
set(DOXYGEN_PROJECT_BRIEF "Headers of the library")
set(DOXYGEN_STRIP_FROM_PATH ${CMAKE_SOURCE_DIR})
set(DOXYGEN_STRIP_FROM_INC_PATH common analytic experiments)
set(DOXYGEN_OPTIMIZE_OUTPUT_FOR_C YES)
set(DOXYGEN_EXTRACT_ALL YES)
set(DOXYGEN_AUTOLINK_SUPPORT NO) # prose is prose
set(DOXYGEN_GENERATE_TREEVIEW YES)
set(DOXYGEN_HTML_OUTPUT .)
set(DOXYGEN_HTML_EXTRA_STYLESHEET ${kit}/headers.css)
if(DOXYGEN_VERSION VERSION_GREATER_EQUAL 1.9.5) # dark is made by the style sheet, with the pictures
  set(DOXYGEN_HTML_COLORSTYLE LIGHT)
endif()
set(DOXYGEN_OUTPUT_DIRECTORY ${handbook}/headers)
set(DOXYGEN_GENERATE_TAGFILE ${parts}/headers.tag)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
set(DOXYGEN_WARN_IF_INCOMPLETE_DOC NO) # what a name says needs no sentence
set(DOXYGEN_HAVE_DOT NO)
set(public common/delassus analytic/delassus experiments/delassus)
file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/common/delassus/*.h ${CMAKE_SOURCE_DIR}/analytic/delassus/*.h
                                    ${CMAKE_SOURCE_DIR}/experiments/delassus/*.h)
# Doxygen's own layout, with a link back to the handbook.
execute_process(COMMAND ${DOXYGEN_EXECUTABLE} -l ${parts}/layout.xml OUTPUT_QUIET)
file(READ ${parts}/layout.xml layout)
string(REPLACE "<navindex>" "<navindex>\n<tab type=\"user\" url=\"../index.html\" title=\"Handbook\"/>" layout "${layout}")
file(CONFIGURE OUTPUT ${parts}/layout.xml CONTENT "${layout}" @ONLY)
set(DOXYGEN_LAYOUT_FILE ${parts}/layout.xml)
doxygen_add_docs(handbook-headers ${public} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}) # writes the Doxyfile
add_custom_command(OUTPUT ${parts}/headers.tag
  COMMAND ${DOXYGEN_EXECUTABLE} ${CMAKE_BINARY_DIR}/Doxyfile.handbook-headers
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} DEPENDS ${headers} ${kit}/headers.css ${CMAKE_BINARY_DIR}/Doxyfile.handbook-headers)
add_custom_command(OUTPUT ${parts}/headers.js
  COMMAND ${DLS_PANDOC} --from=markdown --to=plain --lua-filter=${kit}/headers.lua -M tags=${parts}/headers.tag
          -M found=${parts}/headers.js --output=${parts}/nothing.txt /dev/null
  DEPENDS ${parts}/headers.tag ${kit}/headers.lua)
list(APPEND searched ${parts}/headers.js)
