/* fuzz_mechanism.c -- any file is a mechanism whose system passes the library's own check, or an error with a message.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"
#include <delassus/catalogue.h>
#include <delassus/model.h>
#include <math.h>
#include <string.h>

static void check_system(const dls_model *model)
{
  dls_system *sys = NULL;
  dls_error err = {0};
  const dls_status status = dls_model_create(model, NULL, &sys, &err);
  demand(status == DLS_OK || err.text[0] != '\0'); /* joints may contradict each other */
  if (sys != NULL) {
    demand(dls_system_check(sys, &err) == DLS_OK && sys->n >= 1);
    for (size_t i = 0; i < sys->n; i++) {
      demand(isfinite(sys->q0[i]) && isfinite(sys->v0[i]));
    }
  }
  dls_system_destroy(sys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static FILE *file = NULL;
  char name[SCRATCH_PATH];
  const char *paths[] = {name};
  dls_model *model = NULL;
  dls_error err = {0};
  scratch_write(&file, data, size, name);
  const dls_status status = dls_model_load(dls_model_find("multibody", NULL), paths, &model, &err);
  demand((status == DLS_OK) == (model != NULL));
  demand(status == DLS_OK || ((status == DLS_ERR_PARSE || status == DLS_ERR_ARG) && err.text[0] != '\0'));
  if (model != NULL) {
    check_system(model);
  }
  dls_model_release(model);
  return 0;
}
