/* experiments/extra/playground/playground_module.c -- where the library for pages is, and its bytes as text.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/playground/playground.h"

#include "common/base/program.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_in(const char *folder, const char *name)
{
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, R_OK) == 0;
}

static bool has_module(const char *folder)
{
  return is_in(folder, DLS_PLAYGROUND_CODE) && is_in(folder, DLS_PLAYGROUND_SCRIPT);
}

/* Beside the folder of the tool: in a build folder, and where it was installed. */
static bool find_beside(char *folder, size_t size)
{
  static const char *const places[] = {"wasm", "share/delassus"};
  char tool[PATH_MAX];
  bool found = false;
  if (!dls_program_folder(tool, sizeof tool)) {
    return false;
  }
  for (size_t i = 0; i < sizeof places / sizeof places[0] && !found; i++) {
    snprintf(folder, size, "%s/../%s", tool, places[i]);
    found = has_module(folder);
  }
  return found;
}

dls_status dls_playground_folder(char *folder, size_t size, dls_error *err)
{
  const char *given = getenv("DELASSUS_WASM");
  const bool set = given != NULL && given[0] != '\0';
  if (set) {
    snprintf(folder, size, "%s", given);
  }
  if (set ? has_module(folder) : find_beside(folder, size)) {
    return DLS_OK;
  }
  return dls_fail(err, DLS_ERR_ARG,
                  "the page needs the library as WebAssembly, %s and %s, which %s%.200s. In the source folder, "
                  "`wasm/build.sh` makes them; DELASSUS_WASM=FOLDER says where they are",
                  DLS_PLAYGROUND_CODE, DLS_PLAYGROUND_SCRIPT,
                  set ? "are not in DELASSUS_WASM=" : "this installation does not have", set ? given : "");
}

void dls_playground_put_base64(FILE *out, FILE *in)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned char three[3];
  for (size_t count; (count = fread(three, 1, sizeof three, in)) > 0;) {
    memset(three + count, 0, sizeof three - count);
    const unsigned bits = (unsigned)three[0] << 16 | (unsigned)three[1] << 8 | three[2];
    for (size_t i = 0; i < 4; i++) {
      fputc(i <= count ? digits[bits >> (18 - 6 * i) & 63] : '=', out);
    }
  }
}
