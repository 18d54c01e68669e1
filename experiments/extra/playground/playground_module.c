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

/* Two digits hold 13 bits, or 14 where these are small enough: basE91 by J. Henke, with all printable ASCII but < > & as digits. */
void dls_playground_put_base91(FILE *out, FILE *in)
{
  static const char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%()*+,./:;=?@[]^_`{|}~\"'-\\";
  const unsigned base = sizeof digits - 1;
  unsigned bits = 0, count = 0;
  for (int byte; (byte = fgetc(in)) != EOF;) {
    bits |= (unsigned)byte << count;
    count += 8;
    if (count > 13) {
      const unsigned taken = (bits & 8191) > 88 ? 13 : 14, value = bits & ((1U << taken) - 1);
      fputc(digits[value % base], out);
      fputc(digits[value / base], out);
      bits >>= taken;
      count -= taken;
    }
  }
  if (count > 0) {
    fputc(digits[bits % base], out);
  }
  if (count > 7 || bits >= base) {
    fputc(digits[bits / base], out);
  }
}
