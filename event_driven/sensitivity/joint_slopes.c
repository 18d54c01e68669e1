/* joint_slopes.c -- see joint_slopes.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/joint_slopes.h"

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
  dls_system_joint_curvature(sys, t, q, line->v, rate);
  if (tangents->K == NULL || near != tangents->self.run || line->dt != 0) {
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
