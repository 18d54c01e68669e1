/* start_joints.c -- consistent start data of a system with joints.
 * q := q - M^-1 G (G^T M^-1 G)^+ Phi, repeated;   v := S M v + the part due to moving joints
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/start_joints.h"
#include <delassus/contact_system.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_tolerance = 1e-6; /* [q_s], [q_s/t_s] */
static const double unmet =
    1e-9; /* the same, for equations of velocities or accelerations that contradict others */

typedef struct start {
  dls_sim *sim;
  dls_contact_system contacts;
  dls_joints *joints; /* its own copy */
  double *q, *v, *a;  /* n: projected; scratch */
} start;

static void release(start *s)
{
  dls_contact_system_destroy(&s->contacts);
  free(s->q);
}

static double largest_change(size_t n, const double *x, const double *y)
{
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    const double change = fabs(x[i] - y[i]);
    most = !(change <= most) ? change : most;
  }
  return most;
}

/* The equation with the largest initial error, for the message. */
static dls_status refuse(start *s, const char *of, double change, double allowed, const char *unit,
                         size_t worst, double residual, dls_error *err)
{
  char name[80];
  dls_joint_name(s->sim->sys, worst, name, sizeof name);
  return dls_sim_fail(s->sim, err, DLS_ERR_ARG,
                      "the initial %s violate the joints: %s by %.3g; the nearest consistent ones are %.3g %s "
                      "away, allowed: start_tolerance = %.3g %s; correct them, or set project_start",
                      of, name, residual, change, unit, allowed, unit);
}

static dls_status check_changes(start *s, double off_q, size_t worst_q, double off_v, size_t worst_v,
                                dls_error *err)
{
  const dls_sim *sim = s->sim;
  const dls_system *sys = sim->sys;
  const dls_run_spec *spec = sim->spec;
  const double tolerance =
      spec != NULL && spec->start.tolerance > 0 ? spec->start.tolerance : default_tolerance;
  const double change_q = largest_change(sys->n, sim->q, s->q), change_v = largest_change(sys->n, sim->v, s->v);
  if (spec != NULL && spec->start.project) {
    return DLS_OK;
  }
  if (!(change_q <= tolerance * sys->length)) {
    return refuse(s, "positions", change_q, tolerance * sys->length, "m", worst_q, off_q, err);
  }
  if (!(change_v <= tolerance * sys->length / sys->time)) {
    return refuse(s, "velocities", change_v, tolerance * sys->length / sys->time, "m/s", worst_v, off_v, err);
  }
  return DLS_OK;
}

static dls_status contradiction(start *s, const char *of, size_t worst, double left, dls_error *err)
{
  char name[80];
  dls_joint_name(s->sim->sys, worst, name, sizeof name);
  return dls_sim_fail(s->sim, err, DLS_ERR_ARG,
                      "%s contradicts the other joints: no %s satisfy all of them; smallest error %.3g", name,
                      of, left);
}

/* Do accelerations exist at the projected state? */
static dls_status check_accelerations(start *s, dls_error *err)
{
  double *a = s->a;
  const dls_system *sys = s->sim->sys;
  double size = sys->length / (sys->time * sys->time);
  size_t worst = 0;
  dls_system_force(sys, s->sim->t, s->q, s->v, a);
  dls_joints_acceleration(s->joints, s->v, 0, a, NULL);
  for (size_t i = 0; i < sys->n; i++) {
    size = fmax(size, fabs(a[i]));
  }
  const double left = dls_joints_defect(s->joints, s->v, a, &worst);
  return left <= unmet * size ? DLS_OK : contradiction(s, "accelerations", worst, left, err);
}

static dls_status project(start *s, dls_error *err)
{
  dls_sim *sim = s->sim;
  const dls_system *sys = sim->sys;
  size_t worst_q = 0, worst_v = 0;
  dls_status status = dls_joints_at(s->joints, sim->t, s->q, err);
  const double off_q = dls_joints_distance(s->joints, &worst_q);
  if (status != DLS_OK || (status = dls_joints_project_q(s->joints, sim->t, s->q, err)) != DLS_OK) {
    return status;
  }
  dls_joints_learn(s->joints);
  const double off_v = dls_joints_drift(s->joints, s->v, &worst_v);
  dls_joints_hold(s->joints, s->v);
  status = check_changes(s, off_q, worst_q, off_v, worst_v, err);
  if (status != DLS_OK) {
    return status;
  }
  const double left = dls_joints_drift(s->joints, s->v, &worst_v);
  if (!(left <= unmet * sys->length / sys->time)) {
    return contradiction(s, "velocities", worst_v, left, err);
  }
  return check_accelerations(s, err);
}

/* Record the number of dependent equations. */
static dls_status note(const dls_sim *sim, dls_error *err)
{
  return sim->record == NULL ? DLS_OK
                             : dls_trajectory_note(sim->record, err, "redundant", "%zu", sim->redundant);
}

dls_status dls_start_joints(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  start s = {.sim = sim};
  dls_status status = dls_contact_system_create_mass(sys, &sim->work, &s.contacts, err);
  s.joints = s.contacts.joints;
  s.q = calloc(3 * sys->n, sizeof *s.q);
  if (status == DLS_OK && s.q == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for the joints of %zu degrees of freedom", sys->n);
  }
  if (status != DLS_OK) {
    release(&s);
    return status;
  }
  s.v = s.q + sys->n;
  s.a = s.v + sys->n;
  memcpy(s.q, sim->q, sys->n * sizeof *s.q);
  memcpy(s.v, sim->v, sys->n * sizeof *s.v);
  status = dls_contact_system_at(&s.contacts, sim->t, s.q, err);
  status = status != DLS_OK ? status : project(&s, err);
  if (status == DLS_OK) {
    memcpy(sim->q, s.q, sys->n * sizeof *s.q);
    memcpy(sim->v, s.v, sys->n * sizeof *s.v);
    sim->redundant = dls_joints_redundant(s.joints);
    status = note(sim, err);
  }
  release(&s);
  return status;
}
