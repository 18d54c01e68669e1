# With emscripten (wasm/build.sh): the tool for node, delassus.js, the module with all that delassus/flat.h declares, delassus-page.js, and
# the module of the playground and of live lessons, delassus-playground.js, which is as small as it can be: it exports what library.js calls.
# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(dls_common PRIVATE wasm/long_double.c)

set(options -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB --js-library ${CMAKE_SOURCE_DIR}/wasm/no_plugins.js)
# The tool reads and writes the files of the machine, and ends with its exit status.
target_link_options(delassus PRIVATE ${options} -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sENVIRONMENT=node
  --pre-js ${CMAKE_SOURCE_DIR}/wasm/node.js)
set_property(TARGET delassus APPEND PROPERTY LINK_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/node.js)

# delassus-tool.js, the tool for the command blocks of the handbook: its files are in memory.
add_executable(delassus_tool wasm/gnuplot.c $<TARGET_OBJECTS:delassus> ${tool_objects})
target_link_libraries(delassus_tool PRIVATE dls_tool_dependencies)
set_target_properties(delassus_tool PROPERTIES OUTPUT_NAME delassus-tool)
target_link_options(delassus_tool PRIVATE ${options} -sMODULARIZE=1 -sEXPORT_NAME=createDelassus -sEXIT_RUNTIME=1 -sENVIRONMENT=worker
  -sEXPORTED_RUNTIME_METHODS=FS,ENV -Wl,--wrap=posix_spawn,--wrap=waitid,--wrap=waitpid)

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

# The page has a limit of 1.6 MB. -Oz: most of a page's time is spent elsewhere than in calls that -O2 would have made inline.
set(script ${CMAKE_SOURCE_DIR}/experiments/extra/module/pages/library.js)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
file(READ ${script} text)
string(REGEX MATCHALL "_dls_flat_[a-z0-9_]+|call\\(\"[a-z0-9_]+" called "${text}")
list(TRANSFORM called REPLACE "call\\(\"" "_dls_flat_")
list(REMOVE_DUPLICATES called)
list(JOIN called "," called)
add_executable(delassus_playground wasm/page.c wasm/no_studies.c)
target_link_libraries(delassus_playground PRIVATE delassus_static)
set_target_properties(delassus_playground PROPERTIES OUTPUT_NAME delassus-playground)
target_link_options(delassus_playground PRIVATE ${options} -Oz -sMODULARIZE=1 -sEXPORT_NAME=createDelassus -sENVIRONMENT=worker
  -sEXPORTED_FUNCTIONS=_main,_malloc,_free,${called} -sEXPORTED_RUNTIME_METHODS=UTF8ToString,stringToUTF8,lengthBytesUTF8)
# Two members in one vector are not faster without instructions for vectors.
file(GLOB two ${CMAKE_SOURCE_DIR}/time_stepping/batch/*_two.c)
set_property(SOURCE ${two} APPEND PROPERTY COMPILE_OPTIONS -Oz)
