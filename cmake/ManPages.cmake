# One manual page for the tool and one for each command: cmake -DTOOL=... -DFOLDER=... -P ManPages.cmake
# SPDX-License-Identifier: GPL-3.0-or-later
function(page file)
  execute_process(COMMAND ${TOOL} --man ${ARGN} OUTPUT_FILE ${FOLDER}/${file} RESULT_VARIABLE result)
  if(result)
    message(FATAL_ERROR "${TOOL} --man ${ARGN} failed")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER}) # a command that is gone leaves no page
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${TOOL} --complete delassus "" OUTPUT_VARIABLE commands)
string(REGEX MATCHALL "[^ \n]+" commands "${commands}")
foreach(command IN LISTS commands)
  if(NOT command MATCHES "^-")
    page(delassus-${command}.1 ${command})
  endif()
endforeach()
page(delassus.1) # last: its time is that of all
