# embed_pages.cmake -- cmake -D OUTPUT=FILE.c -D FOLDER=... -D HEADER=... -D FUNCTION=... -P: the parts of pages in a folder as one C
# file, with the function of that header that returns them.
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
file(WRITE ${OUTPUT}.new "/* Made by cmake/embed_pages.cmake from the pages of ${HEADER}.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include \"${HEADER}\"
#include <stddef.h>

${texts}
static const dls_page_part parts[] = {
${rows}  {0}};

const dls_page_part *${FUNCTION}(void)
{
  return parts;
}
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
