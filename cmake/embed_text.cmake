# embed_text.cmake -- cmake -D OUTPUT=FILE.c -D FILE=... -D HEADER=... -D FUNCTION=... -P: a file, without the comment that it
# begins with, as the text that a function of that header returns.
# SPDX-License-Identifier: GPL-3.0-or-later
include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
set(texts "")
file(READ ${FILE} whole)
string(REGEX REPLACE "^/\\*[^*]*\\*[^/]*\\*/\n" "" whole "${whole}")
file(WRITE ${OUTPUT}.text "${whole}")
dls_embed(${OUTPUT}.text text texts)
file(REMOVE ${OUTPUT}.text)
get_filename_component(name ${FILE} NAME)
file(WRITE ${OUTPUT}.new "/* Made by cmake/embed_text.cmake from ${name}.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include \"${HEADER}\"

${texts}
const char *${FUNCTION}(void)
{
  return (const char *)text;
}
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
