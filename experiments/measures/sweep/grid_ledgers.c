/* experiments/measures/sweep/grid_ledgers.c -- a cell as energy ledgers: sums and the residual.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/sweep/grid_cells.h"

#include <math.h>

enum { START, LAST, EXTERNAL, DAMPING, IMPACT, NUMERICAL, RESIDUAL, SCALE, SLIDING, DRIVE };
const dls_grid_column dls_grid_energy_columns[] = {
    [START] = {.name = "start", .label = "energy at the start [J]"},
    [LAST] = {.name = "last", .label = "energy at the end [J]", .drawn = true},
    [EXTERNAL] = {.name = "external", .label = "external work [J]", .drawn = true},
    [DAMPING] = {.name = "damping", .label = "damping work [J]", .drawn = true},
    [IMPACT] = {.name = "impact", .label = "impact work [J]", .drawn = true},
    [NUMERICAL] = {.name = "numerical", .label = "numerical terms [J]", .drawn = true},
    [RESIDUAL] = {.name = "residual", .label = "|residual| / scale [1]", .drawn = true},
    [SCALE] = {.name = "scale", .label = "largest energy [J]"},
    [SLIDING] = {.name = "sliding", .label = "sliding work [J]", .drawn = true},
    [DRIVE] = {.name = "drive", .label = "drive work [J]", .drawn = true},
    {0}};

/* The residual where there is an identity that could leave one. */
static void set_row(const dls_energy_ledger *l, double *out)
{
  out[START] = l->start;
  out[LAST] = l->last;
  out[EXTERNAL] = l->external;
  out[DAMPING] = l->damping;
  out[IMPACT] = l->impact;
  out[NUMERICAL] = dls_energy_numerical(l);
  out[RESIDUAL] = l->balance == NULL ? NAN : l->scale > 0 ? fabs(l->residual) / l->scale : 0;
  out[SCALE] = l->scale;
  out[SLIDING] = l->sliding;
  out[DRIVE] = l->drive;
}

static dls_status make_scheme(dls_grid_worker *w, const dls_system *sys, size_t scheme, size_t cell,
                              dls_error *err)
{
  dls_grid *grid = w->grid;
  const dls_grid_spec *spec = &grid->spec;
  const dls_energy_spec run = {.sys = sys,
                               .choice = &spec->errors.schemes[scheme],
                               .step = spec->step,
                               .end = spec->errors.end,
                               .start = spec->errors.start,
                               .totals_only = true,
                               .max_rows = spec->max_rows,
                               .poll = dls_grid_poll,
                               .poll_data = w};
  dls_energy_ledger *ledger = NULL;
  dls_error why = {0};
  dls_status status = dls_energy_run(&run, &ledger, &why);
  if (status == DLS_OK) {
    set_row(ledger, dls_grid_row(grid, cell, scheme));
    dls_warning_tally_add(&w->warnings, ledger->warnings, ledger->explained);
  } else if (status != DLS_ERR_MEMORY && status != DLS_ERR_INTERRUPTED) {
    status = dls_grid_fail(grid, cell, scheme, why.text, &why);
  }
  dls_energy_destroy(ledger);
  return status == DLS_OK ? DLS_OK : dls_fail(err, status, "%s", why.text);
}

dls_status dls_grid_make_ledgers(dls_grid_worker *w, size_t cell, dls_error *err)
{
  dls_grid *grid = w->grid;
  dls_system *sys = NULL;
  dls_error why = {0};
  const dls_status made = dls_model_create(grid->spec.errors.model, dls_grid_parameters(w, cell), &sys, &why);
  dls_status status = made == DLS_ERR_MEMORY ? dls_fail(err, made, "%s", why.text) : DLS_OK;
  for (size_t scheme = 0; scheme < grid->rows && status == DLS_OK; scheme++) {
    status = made == DLS_OK ? make_scheme(w, sys, scheme, cell, err)
                            : dls_grid_fail(grid, cell, scheme, why.text, err);
  }
  dls_system_destroy(sys);
  return status;
}
