/* contact_system_bilateral.c -- contacts that are held: the forces that keep them closed, and positions and velocities put back onto
 * them. All are W r + b = 0 on a set of rows.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/contact_system_parts.h"
#include <math.h>
#include <string.h>

static const double near_joints = 1e-10; /* [q_s]: where Newton's method can only have rounding left */
enum { MAX_PROJECTIONS = 6 };            /* Newton's method from a small gap */

/* x += A^{-1} H r with the r that makes the rows, now q[count], zero; r stays in stage->x. */
static dls_status annul_rows(dls_contact_system *contacts, size_t count, const size_t *rows, double *x,
                             dls_error *err)
{
  const dls_status status =
      dls_delassus_solve_bilateral(contacts->W, count, rows, contacts->q, contacts->x, err);
  if (status == DLS_OK && count > 0) {
    dls_delassus_apply(contacts->W, count, rows, 1, contacts->x, x);
  }
  return status;
}

/* The same of the normal parts of a set. */
static dls_status annul(dls_contact_system *contacts, const dls_contacts *set, double *x, dls_error *err)
{
  return annul_rows(contacts, set->count, dls_contact_system_normals(contacts, set), x, err);
}

dls_status dls_contact_system_reaction(dls_contact_system *contacts, const dls_contacts *set, const double *v,
                                       double *a, double *r, dls_error *err)
{
  const size_t d = contacts->config->d;
  dls_status status = DLS_OK;
  dls_contact_system_curvature(contacts, v);
  memset(r, 0, contacts->config->rows * sizeof *r);
  /* The second pass removes the round-off of the first, so that a resting contact has u' = 0 exactly. */
  for (int pass = 0; pass < 2 && status == DLS_OK; pass++) {
    dls_contact_system_accelerations(contacts, set, a);
    for (size_t k = 0; k < set->count; k++) {
      contacts->q[k] = contacts->q[d * k];
    }
    status = annul(contacts, set, a, err);
    for (size_t k = 0; k < set->count && status == DLS_OK; k++) {
      r[d * set->index[k]] += contacts->x[k];
    }
  }
  return status;
}

/* q[count] := the gaps of the set. @return the largest size of one */
static double take_gaps(dls_contact_system *contacts, const dls_contacts *set)
{
  double worst = 0;
  dls_configuration_gap(contacts->config, contacts->r);
  for (size_t k = 0; k < set->count; k++) {
    contacts->q[k] = contacts->r[set->index[k]];
    worst = fmax(worst, fabs(contacts->q[k]));
  }
  return worst;
}

/* q += the step that meets the joints; the gaps in stage->q go with it. */
static void meet_joints(dls_contact_system *contacts, const dls_contacts *set, double *q)
{
  double *dq = contacts->step;
  dls_joints_correction(contacts->joints, dq);
  for (size_t i = 0; i < contacts->config->sys->n; i++) {
    q[i] += dq[i];
  }
  for (size_t k = 0; k < set->count; k++) {
    contacts->q[k] += dls_matrix_column_dot(contacts->config->normals, set->index[k], dq);
  }
}

/* Newton's method is at its rounding. */
static bool reached(double worst, double last)
{
  return worst == 0 || !(worst < 0.5 * last);
}

dls_status dls_contact_system_project_q(dls_contact_system *contacts, const dls_contacts *set, double t,
                                        double *q, dls_error *err)
{
  double last = HUGE_VAL, last_distance = HUGE_VAL;
  const bool joints = contacts->joints != NULL && !contacts->loose, any = set->count > 0 || joints;
  const double close =
      near_joints * contacts->config->sys->length; /* beyond that a step may well make it worse */
  dls_status status = any ? dls_contact_system_at(contacts, t, q, err) : DLS_OK;
  for (int i = 0; i < MAX_PROJECTIONS && status == DLS_OK && any; i++) {
    const double worst = take_gaps(contacts, set);
    const double distance = joints ? dls_joints_distance(contacts->joints, NULL) : 0;
    if (reached(worst, last) && distance <= close && reached(distance, last_distance)) {
      break;
    }
    last = worst;
    last_distance = distance;
    if (joints) {
      meet_joints(contacts, set, q);
    }
    status = annul(contacts, set, q, err); /* q += A^{-1} H r with W r + g = 0 */
    status = status != DLS_OK ? status : dls_contact_system_at(contacts, t, q, err);
  }
  return status;
}

/* v += A^{-1} H r with W r + u = 0 on the rows; r stays in stage->x. */
static dls_status hold(dls_contact_system *contacts, size_t count, const size_t *rows, double *v,
                       dls_error *err)
{
  if (contacts->joints != NULL && !contacts->loose) {
    dls_joints_hold(contacts->joints, v);
  }
  for (size_t k = 0; k < count; k++) {
    contacts->q[k] = dls_configuration_row(contacts->config, rows[k], v);
  }
  return annul_rows(contacts, count, rows, v, err);
}

dls_status dls_contact_system_project_v(dls_contact_system *contacts, const dls_contacts *set, double *v,
                                        dls_error *err)
{
  return hold(contacts, set->count, dls_contact_system_normals(contacts, set), v, err);
}

dls_status dls_contact_system_hold(dls_contact_system *contacts, size_t count, const size_t *rows, double *v,
                                   double *r, dls_error *err)
{
  dls_status status = DLS_OK;
  for (int pass = 0; pass < 2 && status == DLS_OK;
       pass++) { /* the second one is for the rounding of the first */
    status = hold(contacts, count, rows, v, err);
    for (size_t k = 0; k < count; k++) {
      r[k] = contacts->x[k] + (pass > 0 ? r[k] : 0);
    }
  }
  return status;
}
