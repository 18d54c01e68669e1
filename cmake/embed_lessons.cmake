# embed_lessons.cmake -- cmake -D OUTPUT=FILE.c -D FOLDER=... -P: the parts of the pages of lessons as one C file.
# SPDX-License-Identifier: GPL-3.0-or-later
include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
file(GLOB parts ${FOLDER}/*.html ${FOLDER}/*.js ${FOLDER}/*.css)
list(SORT parts)
set(texts "")
set(rows "")
foreach(part IN LISTS parts)
  get_filename_component(name ${part} NAME)
  string(MAKE_C_IDENTIFIER ${name} identifier)
  dls_embed(${part} ${identifier} texts)
  string(APPEND rows "  {\"${name}\", (const char *)${identifier}},\n")
endforeach()
file(WRITE ${OUTPUT}.new "/* Made by cmake/embed_lessons.cmake from experiments/extra/lesson/pages/.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include \"experiments/extra/lesson/lesson_pages.h\"
#include <stddef.h>

${texts}
static const dls_lesson_part parts[] = {
${rows}  {0}};

const dls_lesson_part *dls_lesson_parts(void)
{
  return parts;
}
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
