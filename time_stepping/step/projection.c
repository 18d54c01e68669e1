/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/projection.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROJECTIONS = 20 };
static const double unmet = 1e-12;              /* [q_s]: what may be left of a joint or a gap */
static const double rounding = 4 * DBL_EPSILON; /* [q_s]: that of coordinates, which no projection mends */
static const double near = 1.5e-8; /* [q_s]: its square is rounding, so that the matrix of this place serves */

dls_status dls_projection_create(dls_sim *sim, dls_projection *p, dls_error *err)
{
  const dls_system *sys = sim->sys;
  p->set.index = calloc(sys->m + 1, sizeof *p->set.index);
  p->pushed = calloc(sys->m + 1, sizeof *p->pushed);
  p->block = dls_arrays(
      (const dls_slot[]){{sys->n, {&p->dq}}, {sys->m, {&p->gap}}, {sys->d * sys->m, {&p->push, &p->r}}, {0}});
  dls_status status = dls_contact_system_create_mass(sys, &sim->work, &p->contacts, err);
  if (status != DLS_OK || (status = dls_contact_system_at(&p->contacts, sim->t, sim->q, err)) != DLS_OK) {
    return status;
  }
  dls_joints_learn(p->contacts.joints);
  return p->block != NULL && p->set.index != NULL && p->pushed != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu equations of joints", sys->r);
}

void dls_projection_destroy(dls_projection *p)
{
  dls_contact_system_destroy(&p->contacts);
  free(p->set.index);
  free(p->pushed);
  free(p->block);
}

/* How far q is from the joints and behind the contacts of the set; push := their gaps. */
static double distance(dls_projection *p)
{
  const size_t d = p->contacts.config->d;
  double worst = dls_joints_distance(p->contacts.joints, NULL);
  dls_configuration_gap(p->contacts.config, p->gap);
  for (size_t k = 0; k < p->set.count; k++) {
    p->push[d * k] = p->gap[p->set.index[k]];
    worst = dls_larger(worst, -p->push[d * k]);
  }
  return worst;
}

/* q += M^-1 (G tau_b + H tau) with Phi + G^T dq = 0,  0 <= g + H^T dq _|_ tau >= 0. */
static dls_status push(dls_projection *p, double *q, dls_error *err)
{
  const size_t d = p->contacts.config->d;
  dls_joints_correction(p->contacts.joints, p->dq); /* M^-1 G tau_b for tau = 0 */
  for (size_t i = 0; i < p->contacts.config->sys->n; i++) {
    q[i] += p->dq[i];
  }
  for (size_t k = 0; k < p->set.count; k++) {
    p->push[d * k] += dls_matrix_column_dot(p->contacts.config->H, d * p->set.index[k], p->dq); /* g + H^T dq */
    p->r[d * k] = 0;
  }
  const dls_status status = dls_contact_system_solve(&p->contacts, &p->set, p->push, p->r, err);
  if (status == DLS_OK) {
    dls_contact_system_apply(&p->contacts, &p->set, 1, p->r, q); /* S H tau */
  }
  for (size_t k = 0; k < p->set.count; k++) {
    p->pushed[p->set.index[k]] = p->pushed[p->set.index[k]] || p->r[d * k] > 0;
  }
  return status;
}

/* How far q is, with the matrix of the last place if that is near: without contacts, the joints alone need it. */
static dls_status look(dls_projection *p, double t, const double *q, bool near_by, double *left, dls_error *err)
{
  p->kept = near_by && p->set.count == 0 && dls_joints_residual(p->contacts.joints, t, q);
  const dls_status status = p->kept ? DLS_OK : dls_contact_system_at(&p->contacts, t, q, err);
  *left = status == DLS_OK ? distance(p) : 0;
  return status;
}

dls_status dls_projection_apply(dls_sim *sim, dls_projection *p, double t, double *q, dls_error *err)
{
  const double enough = unmet * sim->sys->length, least = rounding * sim->sys->length;
  double left = HUGE_VAL, last = HUGE_VAL;
  memset(p->pushed, 0, sim->sys->m * sizeof *p->pushed);
  dls_status status = look(p, t, q, false, &left, err);
  for (int k = 0; k < MOST_PROJECTIONS && status == DLS_OK; k++) {
    if (left <= least || (left <= enough && !(left < 0.5 * last))) {
      dls_joints_learn(p->contacts.joints);
      return DLS_OK;
    }
    last = left;
    status = push(p, q, err);
    status = status != DLS_OK ? status : look(p, t, q, last <= near * sim->sys->length, &left, err);
  }
  return status != DLS_OK || left <= enough
             ? status
             : dls_sim_fail(
                   sim, err, DLS_ERR_NOCONV,
                   "the projection left %.3g of the joints and gaps, allowed is %.3g, after %d iterations",
                   left, enough, MOST_PROJECTIONS);
}

dls_status dls_projection_arrive(dls_projection *p, double t, const double *q, dls_error *err)
{
  return p->kept ? dls_contact_system_at(&p->contacts, t, q, err) : DLS_OK;
}
