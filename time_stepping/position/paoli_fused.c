/* paoli_fused.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/position/paoli_fused.h"
#include "common/linear/storage.h"
#include "time_stepping/position/paoli_equations.h"
#include "time_stepping/step/banded.h"

typedef struct forces {
  const double *q, *d, *load;
  double h, theta;
} forces;

DLS_FUSED dls_pair load_at(const void *data, size_t i, size_t j)
{
  const forces *f = data;
  return DLS_PAOLI_FORCE(f->h, dls_pair_of(f->load, i, j)); /* (1): h^2 F_ext,k+theta */
}

DLS_FUSED dls_pair strain_at(const void *data, size_t i, size_t j)
{
  const forces *f = data;
  return DLS_PAOLI_AHEAD(dls_pair_of(f->q, i, j), f->theta,
                         dls_pair_of(f->d, i, j)); /* (1): K acts at q_k + theta d_k */
}

/* s->F := the load of (1), which acts from `middle` - h/2 to `middle` + h/2 */
static void load(dls_sim *sim, dls_paoli_memory *s, double middle, double h)
{
  if (dls_system_load_mean(sim->sys, middle - h / 2, middle + h / 2, s->F)) {
    sim->work.force_evals++;
  } else {
    dls_banded_load(sim, middle, s->F);
  }
}

void dls_paoli_fused_begin(dls_sim *sim, dls_paoli_memory *s)
{
  const dls_system *sys = sim->sys;
  s->fused = s->primal_dual == NULL && sys->d == 1 && !s->config.gradient_varies && dls_banded(sim, &s->config);
  s->rows = s->fused ? dls_banded_rows(&s->config, &s->all) : (dls_rows){0, sys->n};
  if (s->fused && sys->load != NULL) {
    dls_system_load(sys, sim->t, s->F);
  }
}

/* The two passes for A. */
static void solve(dls_sim *sim, dls_paoli_memory *s, const dls_tridiagonal *A, double t, double h)
{
  const double theta = ((const dls_paoli_options *)sim->options)->theta;
  const forces f = {.q = s->q, .d = s->d, .load = s->F, .h = h, .theta = theta};
  const dls_fused_rhs rhs = {sim->K->values, -h * h};
  const dls_fused_term K = {.of = &rhs, .at = strain_at},
                       none = {.at = NULL}; /* (1): -h^2 K (q_k + theta d_k) */
  load(sim, s, DLS_PAOLI_TIME(t, theta, h), h);
  if (sim->sys->load == NULL) {
    dls_fused_inwards(A, dls_fused_no_load, K, none, &f, NULL, s->x_free);
  } else {
    dls_fused_inwards(A, load_at, K, none, &f, NULL, s->x_free);
  }
  dls_tridiagonal_outwards(A, s->x_free, s->x_free);
}

bool dls_paoli_fused_solve(dls_sim *sim, dls_paoli_memory *s, double t, double h)
{
  dls_tridiagonal A;
  const bool done = s->fused && dls_banded_factors(s->A, sim->sys->n, &A);
  if (done) {
    solve(sim, s, &A, t, h);
  }
  return done;
}
