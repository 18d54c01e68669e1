/* fuzz_matrix_model.c -- any files are a linear system that keeps its promises, or an error with a message. The files
 * are those of the model in their order, M|K|C|HT|H|w|q0|v0|F0|T|mu|eT|vT|mu_s|eN|amplitude|frequency|phase|X|F; an empty one is not
 * given.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"
#include <delassus/catalogue.h>
#include <delassus/model.h>
#include <math.h>
#include <string.h>

enum { SLOTS = 20 };

static void check_symmetric(const dls_matrix *A, size_t n)
{
  for (size_t i = 0; A != NULL && i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      demand(isfinite(dls_matrix_get(A, i, j)) && dls_matrix_get(A, i, j) == dls_matrix_get(A, j, i));
    }
  }
}

static void check_contacts(const dls_system *sys)
{
  for (size_t alpha = 0; alpha < sys->m; alpha++) {
    bool acts = false;
    for (size_t i = 0; i < sys->n; i++) {
      acts = acts || dls_matrix_get(sys->H, i, alpha) != 0;
    }
    demand(acts && isfinite(sys->w[alpha]));
    demand(sys->mu[alpha] >= 0 && isfinite(sys->mu[alpha]) && sys->e_t[alpha] >= 0 && sys->e_t[alpha] <= 1);
    demand(sys->mu_s[alpha] == 0 || sys->mu_s[alpha] >= sys->mu[alpha]);
  }
}

static void check_system(const dls_system *sys)
{
  size_t row = 0;
  dls_error err = {0};
  demand(sys->linear && sys->n >= 1 && dls_matrix_rows(sys->M) == sys->n);
  demand((sys->H == NULL) == (sys->m == 0));
  demand((sys->T == NULL) == (sys->d == 1) && dls_system_check(sys, &err) == DLS_OK);
  check_symmetric(sys->M, sys->n);
  check_symmetric(sys->K, sys->n);
  check_symmetric(sys->C, sys->n);
  demand(dls_matrix_positive_definite(sys->M, &row, &err) == DLS_OK && row == sys->n);
  check_contacts(sys);
  for (size_t i = 0; i < sys->n; i++) {
    demand(isfinite(sys->q0[i]) && isfinite(sys->v0[i]));
  }
  demand(!(dls_system_next_switch(sys, 0) <= 0));
}

static void check_model(const dls_model *model)
{
  dls_system *sys = NULL;
  dls_error err = {0};
  demand(dls_model_create(model, NULL, &sys, &err) == DLS_OK);
  check_system(sys);
  dls_system_destroy(sys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static FILE *files[SLOTS] = {NULL};
  char names[SLOTS][SCRATCH_PATH];
  const char *paths[SLOTS] = {NULL};
  size_t start = 0;
  for (int i = 0; i < SLOTS && start < size; i++) {
    const uint8_t *bar = memchr(data + start, '|', size - start);
    const size_t end = bar == NULL ? size : (size_t)(bar - data);
    if (end > start) {
      scratch_write(&files[i], data + start, end - start, names[i]);
      paths[i] = names[i];
    }
    start = end + 1;
  }
  dls_model *model = NULL;
  dls_error err = {0};
  const dls_status status = dls_model_load(dls_model_find("matrix-model", NULL), paths, &model, &err);
  demand((status == DLS_OK) == (model != NULL));
  demand(status == DLS_OK || ((status == DLS_ERR_PARSE || status == DLS_ERR_ARG) && err.text[0] != '\0'));
  if (model != NULL) {
    check_model(model);
  }
  dls_model_release(model);
  return 0;
}
