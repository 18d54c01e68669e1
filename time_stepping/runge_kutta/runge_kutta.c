/* runge_kutta.c -- the stages of explicit methods, and the result of all.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/runge_kutta/runge_kutta.h"
#include "common/base/arrays.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Trailing stages without weight serve the error estimate only. */
static size_t stages_needed(ARKodeButcherTable table, bool embedded)
{
  size_t stages = (size_t)table->stages;
  while (!embedded && table->b[stages - 1] == 0) {
    stages--;
  }
  return stages;
}

dls_status dls_rk_create(dls_sim *sim, dls_rk_method method, bool embedded, dls_rk *rk, dls_error *err)
{
  const size_t n = sim->sys->n;
  const size_t rows = sim->sys->d * sim->sys->m;
  rk->table = dls_rk_table(method);
  if (rk->table != NULL) {
    rk->stages = stages_needed(rk->table, embedded);
    const size_t all = rk->stages * n;
    rk->block =
        dls_arrays((const dls_slot[]){{all, {&rk->Q, &rk->V, &rk->A}}, {rows, {&rk->lambda, &rk->gamma}}, {0}});
  }
  if (rk->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", n);
  }
  return method < DLS_RK_GAUSS2 ? DLS_OK : dls_rk_implicit_create(sim, rk, err);
}

dls_status dls_rk_check_method(const dls_sim *sim, dls_rk_method method, dls_error *err)
{
  const bool friction = dls_system_has_friction(sim->sys), joints = sim->sys->r > 0;
  return method < DLS_RK_GAUSS2 || (!friction && !joints)
             ? DLS_OK
             : dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                            "method=%s does not treat %s, and the system has %s; explicit methods do",
                            dls_rk_names[method], friction ? "friction" : "joints",
                            friction ? "mu > 0" : "such");
}

void dls_rk_destroy(dls_rk *rk)
{
  dls_rk_implicit_destroy(rk->implicit);
  if (rk->table != NULL) {
    ARKodeButcherTable_Free(rk->table);
  }
  free(rk->block);
}

/* Stage by stage; the first stage is at the start of the step. */
static dls_status explicit_stages(dls_sim *sim, dls_rk *rk, dls_contact_system *contacts, const dls_instant *x,
                                  const dls_contacts *set, double h, double *opens, dls_error *err)
{
  const size_t n = sim->sys->n;
  dls_status status = DLS_OK;
  for (size_t i = 0; status == DLS_OK && i < rk->stages; i++) {
    bool one_opens = false;
    dls_rk_combine(n, x->v, h, i, rk->table->A[i], rk->A, rk->V + i * n); /* (1): V_i */
    dls_rk_combine(n, x->q, h, i, rk->table->A[i], rk->V, rk->Q + i * n); /* (1): Q_i */
    if (i == 0) {
      memcpy(rk->A, x->a, n * sizeof *rk->A);
      continue;
    }
    status = /* (2) */
        dls_instant_acceleration(sim, contacts, x->t + rk->table->c[i] * h, rk->Q + i * n, rk->V + i * n, set,
                                 rk->A + i * n, rk->lambda, set->count > 0 ? rk->gamma : NULL, &one_opens, err);
    *opens = one_opens ? fmin(*opens, rk->table->c[i]) : *opens;
  }
  return status;
}

dls_status dls_rk_step(dls_sim *sim, dls_rk *rk, dls_contact_system *contacts, const dls_instant *x,
                       const dls_contacts *set, double h, double *q, double *v, double *opens, dls_error *err)
{
  const size_t n = sim->sys->n;
  *opens = HUGE_VAL;
  dls_status status = dls_sim_poll(sim, err); /* the search for impacts and releases makes many steps */
  if (status != DLS_OK) {
    return status;
  }
  dls_sim_load_begin(sim, x->t, x->t + h,
                     rk->implicit != NULL ? 0 : rk->table->b[0]); /* stage 1 uses the load of x */
  status = rk->implicit != NULL ? dls_rk_implicit_stages(sim, rk, contacts, x, set, h, opens, err)
                                : explicit_stages(sim, rk, contacts, x, set, h, opens, err);
  dls_sim_load_end(sim);
  if (status == DLS_OK) {
    dls_rk_combine(n, x->q, h, rk->stages, rk->table->b, rk->V, q); /* (3): q' */
    dls_rk_combine(n, x->v, h, rk->stages, rk->table->b, rk->A, v); /* (3): v' */
  }
  return status;
}

void dls_rk_error(const dls_sim *sim, const dls_rk *rk, double h, double *dq, double *dv)
{
  const size_t n = sim->sys->n;
  memset(dq, 0, n * sizeof *dq);
  memset(dv, 0, n * sizeof *dv);
  for (size_t j = 0; j < rk->stages; j++) {
    const double factor = h * (rk->table->b[j] - rk->table->d[j]);
    for (size_t i = 0; i < n; i++) {
      dq[i] += factor * rk->V[j * n + i];
      dv[i] += factor * rk->A[j * n + i];
    }
  }
}
