# embed_studies.cmake -- cmake -D OUTPUT=FILE.c -D FOLDER=... -P: the study files of a folder as one C file.
# SPDX-License-Identifier: GPL-3.0-or-later
include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
file(GLOB studies ${FOLDER}/*.yaml)
set(names "")
foreach(study IN LISTS studies)
  get_filename_component(name ${study} NAME_WE)
  list(APPEND names ${name})
endforeach()
list(SORT names)
set(texts "")
set(rows "")
foreach(name IN LISTS names)
  set(study ${FOLDER}/${name}.yaml)
  string(MAKE_C_IDENTIFIER ${name} identifier)
  file(STRINGS ${study} lines REGEX "^(title|source): " ENCODING UTF-8)
  foreach(key title source)
    set(${key} "")
    foreach(line IN LISTS lines)
      if(line MATCHES "^${key}: (.*)$")
        string(REGEX REPLACE "^\"(.*)\"$" "\\1" text "${CMAKE_MATCH_1}")
        string(REGEX REPLACE "([\\\"])" "\\\\\\1" ${key} "${text}")
      endif()
    endforeach()
  endforeach()
  if(title STREQUAL "")
    message(FATAL_ERROR "${study} has no line that begins with 'title: '")
  endif()
  dls_embed(${study} ${identifier} texts)
  string(APPEND rows "  {\"${name}\", \"${title}\", \"${source}\", ${identifier}, sizeof ${identifier} - 1},\n")
endforeach()
file(WRITE ${OUTPUT}.new "/* Made by cmake/embed_studies.cmake from experiments/studies/.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/study_file.h>

${texts}
static const dls_study_shipped studies[] = {
${rows}  {0}};

const dls_study_shipped *dls_studies(void)
{
  return studies;
}
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
