/* analytic/exact/support/moving_support.c -- see moving_support.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/moving_support.h"
#include <math.h>
#include <stdlib.h>

extern const dls_exact dls_exact_impacting_oscillator;
static const dls_exact *const relative = &dls_exact_impacting_oscillator;

struct dls_exact_solution {
  dls_exact_solution *inner; /* of y = q - h, by the calls of `relative` */
  dls_support_motion of;
};

/* h and its first two derivatives */
static void support(const dls_support_motion *s, double t, long double h[3])
{
  const long double w = s->omega, angle = w * t + s->phase, A = s->A;
  h[0] = s->mean + A * cosl(angle);
  h[1] = -A * w * sinl(angle);
  h[2] = -A * w * w * cosl(angle);
}

dls_status dls_support_create(const dls_support_motion *s, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = calloc(1, sizeof *sol);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  long double h[3];
  sol->of = *s;
  support(s, 0, h);
  /* m, k, c, f, amplitude, omega, phase, e, q0, v0 of the impacting oscillator */
  const double p[] = {
      s->m,     s->k,     0,    -s->F - s->k * s->mean, (s->m * s->omega * s->omega - s->k) * s->A,
      s->omega, s->phase, s->e, (double)(s->q0 - h[0]), (double)(s->v0 - h[1])};
  return relative->create(p, end, &sol->inner, err);
}

void dls_support_destroy(dls_exact_solution *sol)
{
  if (sol != NULL) {
    if (sol->inner != NULL) {
      relative->destroy(sol->inner);
    }
    free(sol);
  }
}

size_t dls_support_pieces(const dls_exact_solution *sol)
{
  return relative->pieces(sol->inner);
}

double dls_support_start(const dls_exact_solution *sol, size_t piece)
{
  return relative->start(sol->inner, piece);
}

void dls_support_gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g,
                     double *u)
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

void dls_support_initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  relative->initial(sol->inner, out);
  add_support(sol, 0, out);
}

void dls_support_value(const dls_exact_solution *sol, size_t piece, double t, dls_exact_value *out)
{
  relative->value(sol->inner, piece, t, out);
  add_support(sol, t, out);
}

bool dls_support_event(const dls_exact_solution *sol, size_t piece, dls_event *out)
{
  return relative->event(sol->inner, piece, out);
}

/* Half the accuracy for y, half for h: its cubics err by h^4/384 of A omega^4, those of its rate by omega more. */
double dls_support_spacing(const dls_exact_solution *sol, size_t piece, double t, double accuracy)
{
  const dls_support_motion *s = &sol->of;
  const double fourth = fabs(s->A) * pow(s->omega, 4) * fmax(1, s->omega);
  const double own = fourth > 0 ? pow(192 * accuracy / fourth, 0.25) : HUGE_VAL;
  return fmin(own, relative->spacing(sol->inner, piece, t, accuracy / 2));
}
