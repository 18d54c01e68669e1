/* experiments/api/flat_check.c -- the check of a model's callbacks in plain C types.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "experiments/api/flat_internal.h"
#include "experiments/measures/model/model_check.h"
#include <stdlib.h>
#include <string.h>

struct dls_flat_check {
  dls_model_check check;
};

int dls_flat_check_model(const dls_catalogue *catalogue, const char *model, size_t count,
                         const char *const *settings, size_t states, unsigned long seed, dls_flat_check **out,
                         char *error, size_t size)
{
  dls_error err = {0};
  dls_model_choice choice = {0};
  dls_system *sys = NULL;
  dls_flat_check *made = *out = calloc(1, sizeof *made);
  if (made == NULL) {
    return dls_flat_report(dls_fail(&err, DLS_ERR_MEMORY, "no memory to check a model"), &err, error, size);
  }
  const bool good = dls_flat_choose(catalogue, model, count, settings, &choice, &err) == DLS_OK &&
                    dls_model_create(choice.model, choice.parameters, &sys, &err) == DLS_OK &&
                    dls_model_check_run(sys, states, seed, &made->check, &err) == DLS_OK;
  dls_system_destroy(sys);
  dls_model_choice_release(&choice);
  return dls_flat_report(good ? DLS_OK : err.status, &err, error, size);
}

const char *dls_flat_check_row(const dls_flat_check *check, size_t index, const char **meaning,
                               double values[9])
{
  if (index >= check->check.count) {
    return NULL;
  }
  const dls_model_check_row *row = &check->check.rows[index];
  const double all[9] = {row->agrees,   row->absent,      row->difference,     row->size, row->value,
                         row->quotient, (double)row->row, (double)row->column, row->t};
  memcpy(values, all, sizeof all);
  *meaning = row->meaning;
  return row->callback;
}

void dls_flat_check_free(dls_flat_check *check)
{
  free(check);
}
