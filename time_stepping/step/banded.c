/* banded.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/banded.h"
#include "common/linear/storage.h"

bool dls_banded(const dls_sim *sim, const dls_configuration *config)
{
  const dls_system *sys = sim->sys;
  return sys->linear && sys->r == 0 && sys->n >= DLS_FUSED_LEAST && sim->C == NULL && sim->K != NULL &&
         dls_matrix_tridiagonal(sim->K) && (sys->m == 0 || dls_matrix_storage(config->H) == DLS_SPARSE);
}

bool dls_banded_factors(const dls_factor *A, size_t n, dls_tridiagonal *out)
{
  const dls_factor_view view = dls_factor_look(A);
  *out = (dls_tridiagonal){n, view.d, view.e};
  return view.form == DLS_FACTOR_ENDS;
}

dls_rows dls_banded_rows(const dls_configuration *config, const dls_contacts *set)
{
  dls_rows rows = {config->sys->n, 0};
  for (size_t k = 0; k < config->d * set->count; k++) {
    const dls_column h = dls_matrix_column(config->H, config->d * set->index[k / config->d] + k % config->d);
    for (size_t e = 0; e < h.count; e++) {
      const size_t i = dls_column_row(&h, e);
      rows.first = i < rows.first ? i : rows.first;
      rows.past = i >= rows.past ? i + 1 : rows.past;
    }
  }
  return rows.first < rows.past ? rows : (dls_rows){0, 0};
}

void dls_banded_load(dls_sim *sim, double t, double *load_next)
{
  if (sim->sys->load != NULL && !sim->sys->steady_load) {
    dls_system_load(sim->sys, t, load_next);
  }
  sim->work.force_evals++;
}

bool dls_banded_jumps(const dls_velocity_contact *c)
{
  bool jumps = false;
  for (size_t k = 0; k < c->active.count; k++) {
    jumps = jumps || (c->impulse[c->contacts.config->d * k] > 0 && dls_velocity_contact_impacts(c, k));
  }
  return jumps;
}
