/* analytic/exact/moving_support.c -- the models vibrating-table and cam-follower: a mass over a support
 * h(t) = mean + A cos(omega t + phase). Relative to it, y = q - h, it is an impacting oscillator with the load
 * -F - k mean - (k - m omega^2) A cos(omega t + phase).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/impacting.h"
#include <math.h>
#include <stdlib.h>

typedef struct motion {
  double m, k, mean, A, omega, e, q0, v0;
  long double F, phase; /* not rounded: each impact magnifies what is */
} motion;

extern const dls_exact dls_exact_impacting_oscillator;
static const dls_exact *const relative = &dls_exact_impacting_oscillator;

struct dls_exact_solution {
  dls_exact_solution *inner; /* of y = q - h, by the calls of `relative` */
  motion of;
};

/* h and its first two derivatives */
static void support(const motion *s, double t, long double h[3])
{
  const long double w = s->omega, angle = w * t + s->phase, A = s->A;
  h[0] = s->mean + A * cosl(angle);
  h[1] = -A * w * sinl(angle);
  h[2] = -A * w * w * cosl(angle);
}

static dls_status create(const motion *s, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = calloc(1, sizeof *sol);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  long double h[3];
  sol->of = *s;
  support(s, 0, h);
  const long double m = s->m, k = s->k, omega = s->omega;
  const dls_impacting of = {.m = m,
                            .k = k,
                            .f = -s->F - k * s->mean,
                            .amplitude = (m * omega * omega - k) * s->A,
                            .omega = omega,
                            .phase = s->phase,
                            .e = s->e,
                            .q0 = s->q0 - h[0],
                            .v0 = s->v0 - h[1]};
  return dls_impacting_create(&of, end, &sol->inner, err);
}

static void destroy(dls_exact_solution *sol)
{
  if (sol->inner != NULL) {
    relative->destroy(sol->inner);
  }
  free(sol);
}

static size_t pieces(const dls_exact_solution *sol)
{
  return relative->pieces(sol->inner);
}

static double start(const dls_exact_solution *sol, size_t piece)
{
  return relative->start(sol->inner, piece);
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  long double h[3];
  support(&sol->of, t, h);
  g[0] = (double)(q[0] - h[0]);
  u[0] = (double)(v[0] - h[1]);
}

static void add_support(const dls_exact_solution *sol, double t, dls_exact_value *out)
{
  long double h[3];
  support(&sol->of, t, h);
  out->q[0] = (double)(out->q[0] + h[0]);
  out->v[0] = (double)(out->v[0] + h[1]);
  out->a[0] = (double)(out->a[0] + h[2]);
}

static void initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  relative->initial(sol->inner, out);
  add_support(sol, 0, out);
}

static void value(const dls_exact_solution *sol, size_t piece, double t, dls_exact_value *out)
{
  relative->value(sol->inner, piece, t, out);
  add_support(sol, t, out);
}

static bool event(const dls_exact_solution *sol, size_t piece, dls_event *out)
{
  return relative->event(sol->inner, piece, out);
}

/* In flight q'' = -F/m - w^2 q, w^2 = k/m, oscillates with R: w^2 R = hypot(q'', w q'), so that |q''''| = w^4 R and that of q' is w more. The
 * gap's is that of h, A omega^4, and q's. On the support q = h. */
static double spacing(const dls_exact_solution *sol, size_t piece, double t, double accuracy)
{
  const motion *s = &sol->of;
  double q, v, a, p, lambda;
  const double of_h = fabs(s->A) * pow(s->omega, 4), w = sqrt(s->k / s->m);
  int closed = 0;
  dls_exact_value at = {.q = &q, .v = &v, .a = &a, .p = &p, .lambda = &lambda, .status = &closed};
  value(sol, piece, t, &at);
  const double of_q = closed ? 0 : w * w * hypot(a, w * v);
  const double of_v = closed ? of_h * s->omega : w * of_q;
  const double fourth = fmax(of_h + of_q, of_v);
  return fourth > 0 ? pow(384 * accuracy / fourth, 0.25) : HUGE_VAL;
}

#define CALLS                                                                                                  \
  .destroy = destroy, .pieces = pieces, .start = start, .gap = gap, .initial = initial, .value = value,        \
  .event = event, .spacing = spacing
extern const dls_model dls_model_vibrating_table, dls_model_cam_follower;

/* mass, gravity, restitution, amplitude, omega, phase, position, speed */
static dls_status create_vibrating_table(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const motion table = {.m = p[0],
                        .F = (long double)p[0] * p[1],
                        .A = p[3],
                        .omega = p[4],
                        .phase = p[5] - acosl(0),
                        .e = p[2],
                        .q0 = p[6],
                        .v0 = p[7]};
  return create(&table, end, out, err);
}

const dls_exact dls_exact_vibrating_table = {
    .model = &dls_model_vibrating_table,
    .summary = "relative to the support an impacting oscillator; all events by safeguarded root finding",
    .source = "elementary",
    .n = 1,
    .m = 1,
    .create = create_vibrating_table,
    CALLS,
};

/* mass, stiffness, preload, restitution, lift, omega */
static dls_status create_cam_follower(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const motion table = {.m = p[0], .k = p[1], .F = p[2], .mean = p[4], .A = -p[4], .omega = p[5], .e = p[3]};
  return create(&table, end, out, err);
}

const dls_exact dls_exact_cam_follower = {
    .model = &dls_model_cam_follower,
    .summary = "relative to the support an impacting oscillator; all events by safeguarded root finding",
    .source = "elementary",
    .n = 1,
    .m = 1,
    .create = create_cam_follower,
    CALLS,
};
