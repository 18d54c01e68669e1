# With emscripten (wasm/build.sh): the tool for node, delassus.js, and the module for pages, delassus-page.js, which exports what
# delassus/flat.h declares.
# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(dls_common PRIVATE wasm/long_double.c)

set(options -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB --js-library ${CMAKE_SOURCE_DIR}/wasm/no_plugins.js)
# The tool reads and writes the files of the machine, and ends with its exit status.
target_link_options(delassus PRIVATE ${options} -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sENVIRONMENT=node
  --pre-js ${CMAKE_SOURCE_DIR}/wasm/node.js)
set_property(TARGET delassus APPEND PROPERTY LINK_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/node.js)

set(flat ${CMAKE_SOURCE_DIR}/experiments/delassus/flat.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${flat})
file(READ ${flat} text)
string(REGEX REPLACE "typedef [^;{}]*;" "" text "${text}")
string(REGEX MATCHALL "dls_flat_[a-z0-9_]+\\(" functions "${text}")
list(REMOVE_DUPLICATES functions)
list(TRANSFORM functions REPLACE "(.*)\\(" "_\\1")
list(JOIN functions "," functions)
add_executable(delassus_page wasm/page.c)
target_link_libraries(delassus_page PRIVATE delassus_static)
set_target_properties(delassus_page PROPERTIES OUTPUT_NAME delassus-page)
target_link_options(delassus_page PRIVATE ${options} -sMODULARIZE=1 -sEXPORT_NAME=createDelassus -sENVIRONMENT=web,worker,node
  -sEXPORTED_FUNCTIONS=_main,_malloc,_free,_gsl_set_error_handler_off,${functions}
  -sEXPORTED_RUNTIME_METHODS=ccall,cwrap,getValue,setValue,UTF8ToString,stringToUTF8,lengthBytesUTF8)
