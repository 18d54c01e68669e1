/* experiments/extra/module/module.c -- where the library for pages is, and its bytes as text.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/module/module.h"

#include "common/base/program.h"

#include <errno.h>
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
  return is_in(folder, DLS_MODULE_CODE) && is_in(folder, DLS_MODULE_SCRIPT);
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

static dls_status find_module(char *folder, size_t size, dls_error *err)
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
                  DLS_MODULE_CODE, DLS_MODULE_SCRIPT,
                  set ? "are not in DELASSUS_WASM=" : "this installation does not have", set ? given : "");
}

static dls_status open_file(const char *folder, const char *name, FILE **out, dls_error *err)
{
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  *out = fopen(path, "rb");
  if (*out == NULL) {
    return dls_fail(err, DLS_ERR_IO, "cannot read '%.200s': %s", path, strerror(errno));
  }
  errno = 0;
  const bool packed = fgetc(*out) == 0x1f && fgetc(*out) == 0x8b; /* how files of gzip begin */
  if (ferror(*out) != 0) {
    return dls_fail(err, DLS_ERR_IO, "cannot read '%.200s': %s", path, strerror(errno));
  }
  rewind(*out);
  return packed ? DLS_OK
                : dls_fail(err, DLS_ERR_ARG, "'%.200s' is not packed by gzip: wasm/build.sh makes it", path);
}

/* The scripts of this release call functions that another module may not have. */
static dls_status check_version(const char *folder, dls_error *err)
{
  char path[PATH_MAX + 64], found[80] = "", expected[80];
  snprintf(path, sizeof path, "%s/%s", folder, DLS_MODULE_VERSION);
  snprintf(expected, sizeof expected, "%s, flat.h %s", DLS_VERSION, DLS_MODULE_FLAT_VERSION);
  FILE *in = fopen(path, "r");
  if (in != NULL) {
    found[fread(found, 1, sizeof found - 1, in)] = '\0';
    found[strcspn(found, "\n")] = '\0';
    fclose(in);
  }
  return strcmp(found, expected) == 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG,
                        "the library for pages in '%.200s' is of version '%.60s', this tool is of '%s': "
                        "wasm/build.sh of its sources makes it",
                        folder, found[0] != '\0' ? found : "unknown", expected);
}

static dls_status check_read(FILE *in, const char *name, dls_error *err)
{
  return ferror(in) == 0 ? DLS_OK : dls_fail(err, DLS_ERR_IO, "cannot read all of %s", name);
}

dls_status dls_module_open(dls_module *out, dls_error *err)
{
  char folder[PATH_MAX + 32];
  *out = (dls_module){0};
  dls_status status = find_module(folder, sizeof folder, err);
  status = status != DLS_OK ? status : check_version(folder, err);
  status = status != DLS_OK ? status : open_file(folder, DLS_MODULE_CODE, &out->code, err);
  return status != DLS_OK ? status : open_file(folder, DLS_MODULE_SCRIPT, &out->script, err);
}

dls_status dls_module_check_read(const dls_module *module, dls_error *err)
{
  const dls_status status = check_read(module->code, DLS_MODULE_CODE, err);
  return status != DLS_OK ? status : check_read(module->script, DLS_MODULE_SCRIPT, err);
}

void dls_module_close(dls_module *module)
{
  FILE *const files[] = {module->code, module->script};
  for (size_t i = 0; i < 2; i++) {
    if (files[i] != NULL) {
      fclose(files[i]);
    }
  }
}

/* Two digits hold 13 bits, or 14 where these are small enough: basE91 by J. Henke, with all printable ASCII but < > & as digits. */
void dls_module_put_base91(FILE *out, FILE *in)
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
