/* experiments/study/energy_plain.c -- works of a step where no identity is known. With the path q(t) that the scheme
 * declares between two nodes (linear or cubic Hermite) and w = dq/dt on it,
 *   external = int F_ext(t)^T w dt,  damping = -int w^T C w dt    (nonlinear: external = int F(t, q, w)^T w dt),
 *   impact = sum of 1/2 (u+ + u-) p over the impacts of the step.
 * A constant load does exactly F^T (q' - q). Gauss's formula with 4 points has degree 7: no error of its own in
 * w^T C w on a cubic path.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/energy_plain.h"
#include <delassus/scheme.h>

enum { POINTS = 4 };

bool dls_energy_plain_create(size_t n, double *vectors, dls_energy_plain *plain)
{
  *plain = (dls_energy_plain){.q = vectors, .w = vectors + n, .F = vectors + 2 * n, .work = vectors + 3 * n};
  plain->gauss = gsl_integration_glfixed_table_alloc(POINTS);
  return plain->gauss != NULL;
}

void dls_energy_plain_release(dls_energy_plain *plain)
{
  if (plain->gauss != NULL) {
    gsl_integration_glfixed_table_free(plain->gauss);
  }
}

/* plain->q, plain->w := the path at the fraction s of the step of length h. */
static void place(dls_energy_plain *plain, const dls_sim *sim, double s, double h, const double *q,
                  const double *v)
{
  const bool cubic = sim->scheme->q_between == DLS_HERMITE;
  const double *v_end = sim->jump ? sim->v_left : sim->v;
  for (size_t i = 0; i < sim->sys->n; i++) {
    const double d = sim->q[i] - q[i];
    if (cubic) {
      plain->q[i] = q[i] + s * s * (3 - 2 * s) * d + s * (1 - s) * h * ((1 - s) * v[i] - s * v_end[i]);
      plain->w[i] = 6 * s * (1 - s) * d / h + (1 - s) * (1 - 3 * s) * v[i] + s * (3 * s - 2) * v_end[i];
    } else {
      plain->q[i] = q[i] + s * d;
      plain->w[i] = d / h;
    }
  }
}

static void smooth_works(dls_energy_plain *plain, const dls_sim *sim, double t, double h, const double *q,
                         const double *v, dls_balance_step *out)
{
  const dls_system *sys = sim->sys;
  for (size_t k = 0; k < POINTS; k++) {
    double s = 0;
    double weight = 0;
    gsl_integration_glfixed_point(0, 1, k, &s, &weight, plain->gauss);
    place(plain, sim, s, h, q, v);
    if (sys->linear) {
      dls_system_load(sys, t + s * h, plain->F);
      out->damping -= weight * h * dls_balance_product(sys->C, sys->n, plain->w, plain->w, plain->work);
    } else {
      dls_system_force(sys, t + s * h, plain->q, plain->w, plain->F);
    }
    out->external += weight * h * dls_balance_dot(sys->n, plain->F, plain->w);
  }
}

/* With the velocities that the scheme's own impact law used, wherever in the step it says that it happened. */
static double work_of_impacts(dls_energy_plain *plain, const dls_trajectory *record)
{
  double work = 0;
  for (; plain->seen < record->event_count; plain->seen++) {
    const dls_event *event = &record->events[plain->seen];
    if (event->kind == DLS_IMPACT || event->kind == DLS_ACCUMULATION) {
      work += 0.5 * (event->u_plus + event->u_minus) * event->impulse;
    }
  }
  return work;
}

void dls_energy_plain_step(dls_energy_plain *plain, const dls_sim *sim, const dls_trajectory *record, double t,
                           const double *q, const double *v, dls_balance_step *out)
{
  if (sim->t > t) {
    smooth_works(plain, sim, t, sim->t - t, q, v, out);
  }
  out->impact = work_of_impacts(plain, record);
}
