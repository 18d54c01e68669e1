/* joint_slopes.c -- see joint_slopes.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/joint_slopes.h"
#include <math.h>
#include <string.h>

bool dls_joint_slopes_create(dls_motion_tangents *tangents)
{
  const dls_system *sys = tangents->self.run->method.sys;
  tangents->G = sys->r > 0 ? dls_matrix_clone(sys->G) : NULL;
  tangents->K = sys->joint_stiffness != NULL ? dls_matrix_clone(sys->geometric) : NULL;
  return (sys->r == 0 || tangents->G != NULL) && (sys->joint_stiffness == NULL || tangents->K != NULL);
}

void dls_joint_slopes_release(dls_motion_tangents *tangents)
{
  dls_matrix_destroy(tangents->G);
  dls_matrix_destroy(tangents->K);
}

void dls_joint_slopes_set(dls_motion_tangents *tangents, double t, const double *q)
{
  const dls_event_integrator *self = tangents->self.run;
  if (tangents->K != NULL) {
    self->method.sys->joint_stiffness(self->method.sys, dls_geometry_before_break(&self->state, t), q,
                                      tangents->mu, tangents->K);
  }
}

void dls_joint_slopes_evaluate(const dls_motion_tangents *tangents, const dls_event_integrator *near, double t,
                               const double *q, const dls_state_line *line, double *force, double *rate)
{
  const dls_system *sys = near->method.sys;
  const bool along =
      tangents->K != NULL && near == tangents->self.run && line->dt == 0; /* (1) has derivatives */
  if (along && sys->joints_quadratic) {                                   /* D_q c = 0 */
    memset(rate, 0, sys->r * sizeof *rate);
    return;
  }
  dls_system_joint_curvature(sys, t, q, line->v, rate);
  if (!along) {
    dls_system_joint_gradient(sys, t, tangents->K == NULL ? q : line->q, tangents->G);
    dls_matrix_multiply(tangents->G, 1, tangents->mu, force);
    dls_matrix_multiply_transposed(tangents->G, 1, tangents->a, rate);
  }
}

/* sum += weight c of the joints at the velocity r x + s y */
static void add_curvature(dls_motion_tangents *tangents, const dls_state_line *line, double r, const double *x,
                          double s, const double *y, double weight, double *sum)
{
  const dls_event_integrator *self = tangents->self.run;
  for (size_t i = 0; i < tangents->n; i++) {
    tangents->v[i] = r * x[i] + s * y[i];
  }
  dls_system_joint_curvature(self->method.sys, dls_geometry_before_break(&self->state, line->t), line->q,
                             tangents->v, tangents->value);
  for (size_t i = 0; i < self->method.sys->r; i++) {
    sum[i] += weight * tangents->value[i];
  }
}

void dls_joint_slopes_along(dls_motion_tangents *tangents, const dls_state_line *line, double size,
                            double *force, double *rate)
{
  const dls_system *sys = tangents->self.run->method.sys;
  const double acceleration = fmax(tangents->acceleration, sys->length / (sys->time * sys->time));
  /* both terms of a velocity are about equally large, so that rounding is smallest */
  const double by_v = 1 / size, by_q = acceleration / (sys->length * size);
  for (int side = -1; side <= 1 && sys->r > 0 && size > 0; side += 2) {
    add_curvature(tangents, line, 1, line->v, side * by_v, line->dv, side / (2 * by_v), rate);
    if (tangents->K != NULL) {
      add_curvature(tangents, line, 1, tangents->a, side * by_q, line->dq, side / (4 * by_q), rate);
    }
    if (tangents->K != NULL && sys->joint_rate != NULL) { /* else c(s dq) = c(-s dq) */
      add_curvature(tangents, line, 0, tangents->a, side * by_q, line->dq, -side / (4 * by_q), rate);
    }
  }
  if (tangents->K != NULL) {
    dls_matrix_multiply(tangents->K, 1, line->dq, force);
  }
}

/* out := M x */
static void times_mass(const dls_motion_tangents *tangents, const double *x, double *out)
{
  memset(out, 0, tangents->n * sizeof *out);
  dls_matrix_multiply(tangents->self.run->work.contacts.config->M, 1, x, out);
}

/* x := the nearest with G^T x = rate */
static void onto_joints(dls_motion_tangents *tangents, const double *rate, double *x)
{
  times_mass(tangents, x, tangents->q);
  dls_joints_solve(tangents->self.run->work.contacts.joints, tangents->q, rate, NULL);
  memcpy(x, tangents->q, tangents->n * sizeof *x);
}

void dls_joint_slopes_restrict(dls_motion_tangents *tangents, double *row)
{
  memcpy(tangents->q, row, tangents->n * sizeof *row);
  dls_joints_solve(tangents->self.run->work.contacts.joints, tangents->q, NULL, NULL);
  times_mass(tangents, tangents->q, row);
}

/* phi, rate -= D_p Phi, D_p [G^T v + Phi_t] */
static void subtract_parameter(dls_motion_tangents *tangents, size_t k, double t, const double *q,
                               const double *v, double *phi, double *rate)
{
  const dls_direction *direction = &tangents->result->direction[k];
  const size_t r = tangents->self.run->method.sys->r;
  for (size_t i = 0; i < direction->count; i++) {
    const dls_neighbour *near = &tangents->near[DLS_DIRECTION_SYSTEMS * k + i];
    const dls_system *sys = near->run->method.sys;
    const double at = dls_geometry_before_break(&near->run->state, fmax(t, near->phase_begin)),
                 weight = direction->weight[i];
    dls_system_joint(sys, at, q, tangents->value);
    for (size_t j = 0; j < r; j++) {
      phi[j] -= weight * tangents->value[j];
    }
    dls_system_joint_rate(sys, at, q, tangents->value);
    dls_system_joint_gradient(sys, at, q, tangents->G);
    dls_matrix_multiply_transposed(tangents->G, 1, v, tangents->value);
    for (size_t j = 0; j < r; j++) {
      rate[j] -= weight * tangents->value[j];
    }
  }
}

static double largest(size_t n, const double *x)
{
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i]));
  }
  return most;
}

void dls_joint_slopes_project(dls_motion_tangents *tangents, int direction, double t, const double *q,
                              const double *v, double *dq, double *dv)
{
  const dls_system *sys = tangents->self.run->method.sys;
  const dls_state_line line = {.t = t, .q = q, .v = v};
  double *phi = tangents->base, *rate = tangents->by_p;
  memset(phi, 0, sys->r * sizeof *phi);
  memset(rate, 0, sys->r * sizeof *rate);
  if (direction != DLS_NO_PARAMETER) {
    subtract_parameter(tangents, (size_t)direction, t, q, v, phi, rate);
  }
  onto_joints(tangents, phi, dq);
  const double size = largest(tangents->n, dq);
  const double s =
      fmax(largest(tangents->n, v), sys->length / sys->time) / size; /* both terms about equally large */
  for (int side = -1; side <= 1 && size > 0; side += 2) {
    add_curvature(tangents, &line, 1, v, side * s, dq, -side / (4 * s), rate);
  }
  onto_joints(tangents, rate, dv);
}
