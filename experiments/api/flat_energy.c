/* experiments/api/flat_energy.c -- the energy ledger of a run in plain C types.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "experiments/api/flat_internal.h"
#include <delassus/energy.h>
#include <stdio.h>

typedef struct caller {
  int (*poll)(void *data, double t);
  void *data;
} caller;

static bool poll_caller(void *data, double t)
{
  const caller *c = data;
  return c->poll == NULL || c->poll(c->data, t) != 0;
}

static dls_status make_table(const dls_energy_ledger *ledger, const char *label, char **table, dls_error *err)
{
  size_t length = 0;
  FILE *out = open_memstream(table, &length);
  dls_status status = out != NULL ? dls_energy_write_table(ledger, label, out) : DLS_ERR_MEMORY;
  if (out != NULL && fclose(out) != 0) {
    status = DLS_ERR_MEMORY;
  }
  return status == DLS_OK ? DLS_OK : dls_fail(err, status, "no memory for the table of energies");
}

int dls_flat_energy(const dls_catalogue *catalogue, const char *model, size_t count,
                    const char *const *settings, const char *scheme, double step, double end,
                    int (*poll)(void *poll_data, double t), void *poll_data, dls_trajectory **rows,
                    char **table, char *error, size_t size)
{
  dls_error err = {0};
  dls_model_choice model_choice = {0};
  dls_scheme_choice choice;
  dls_system *sys = NULL;
  dls_energy_ledger *ledger = NULL;
  caller own = {poll, poll_data};
  *rows = NULL;
  *table = NULL;
  const bool made = dls_flat_choose(catalogue, model, count, settings, &model_choice, &err) == DLS_OK &&
                    dls_catalogue_choose(catalogue, scheme, &choice, &err) == DLS_OK &&
                    dls_flat_check_step(choice.scheme, step, &err) == DLS_OK &&
                    dls_model_create(model_choice.model, model_choice.parameters, &sys, &err) == DLS_OK;
  dls_status status = made ? DLS_OK : err.status;
  if (made) {
    const dls_energy_spec spec = {
        .sys = sys, .choice = &choice, .step = step, .end = end, .poll = poll_caller, .poll_data = &own};
    status = dls_energy_run(&spec, &ledger, &err);
  }
  if (ledger != NULL && ledger->rows != NULL) {
    dls_error why = {0};
    dls_status noted = dls_flat_note_choices(&choice, &model_choice, step, ledger->rows, &why);
    noted = noted != DLS_OK ? noted : make_table(ledger, scheme, table, &why);
    *rows = ledger->rows;
    ledger->rows = NULL;
    if (status == DLS_OK && noted != DLS_OK) {
      status = noted;
      err = why;
    }
  }
  dls_energy_destroy(ledger);
  dls_system_destroy(sys);
  dls_model_choice_release(&model_choice);
  return dls_flat_report(status, &err, error, size);
}
