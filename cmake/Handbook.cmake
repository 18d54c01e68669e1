# The handbook as HTML: the pages of docs/ and the public headers, by doxygen: cmake --build BUILD --target handbook.
# SPDX-License-Identifier: GPL-3.0-or-later
find_package(Doxygen 1.9 QUIET)
if(NOT DOXYGEN_FOUND)
  message(STATUS "doxygen is absent: no target `handbook`")
  return()
endif()

set(DOXYGEN_PROJECT_BRIEF "Nonsmooth mechanics: schemes on shared models, measured")
set(DOXYGEN_USE_MDFILE_AS_MAINPAGE ${CMAKE_SOURCE_DIR}/docs/README.md)
set(DOXYGEN_EXCLUDE ${CMAKE_SOURCE_DIR}/docs/engines) # programs, which have a page
set(DOXYGEN_STRIP_FROM_PATH ${CMAKE_SOURCE_DIR})
set(DOXYGEN_STRIP_FROM_INC_PATH common analytic experiments)
set(DOXYGEN_IMAGE_PATH ${CMAKE_SOURCE_DIR}/docs/images)
set(DOXYGEN_OPTIMIZE_OUTPUT_FOR_C YES)
set(DOXYGEN_EXTRACT_ALL YES)
set(DOXYGEN_TOC_INCLUDE_HEADINGS 3)
set(DOXYGEN_AUTOLINK_SUPPORT NO) # prose is prose
set(DOXYGEN_GENERATE_TREEVIEW YES)
set(DOXYGEN_HTML_OUTPUT .)
set(DOXYGEN_HTML_EXTRA_STYLESHEET ${CMAKE_SOURCE_DIR}/cmake/handbook.css)
if(DOXYGEN_VERSION VERSION_GREATER_EQUAL 1.9.5) # dark is made by the style sheet, with the pictures
  set(DOXYGEN_HTML_COLORSTYLE LIGHT)
endif()
set(DOXYGEN_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/handbook)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
set(DOXYGEN_WARN_IF_INCOMPLETE_DOC NO) # what a name says needs no sentence
set(DOXYGEN_HAVE_DOT NO)
doxygen_add_docs(handbook docs common/delassus analytic/delassus experiments/delassus
                 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} COMMENT "Building the handbook into handbook/index.html")
