/* contact_law.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact_law.h"
#include <gsl/gsl_randist.h>
#include <math.h>

one_contact one_contact_random(gsl_rng *rng, size_t d)
{
  one_contact c = {.d = d, .mu = pow(10, -1 + 2 * gsl_rng_uniform(rng))};
  double G[9];
  for (size_t k = 0; k < d * d; k++) {
    G[k] = gsl_ran_gaussian(rng, 1);
  }
  for (size_t i = 0; i < d; i++) {
    for (size_t j = 0; j < d; j++) {
      for (size_t k = 0; k < d; k++) {
        c.W[i + d * j] += G[i + d * k] * G[j + d * k];
      }
    }
    c.q[i] = gsl_ran_gaussian(rng, 1);
  }
  return c;
}

dls_problem one_contact_problem(const one_contact *c, dls_block *block)
{
  *block = (dls_block){DLS_COULOMB, c->d, c->mu};
  return (dls_problem){.count = 1, .blocks = block, .q = c->q, .dense = c->W};
}

static double norm(const double *x, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += x[i] * x[i];
  }
  return sqrt(sum);
}

double one_contact_violation(const one_contact *c, const double *r, const double *u)
{
  const size_t d = c->d;
  double trace = 0, slip = 0;
  for (size_t i = 0; i < d; i++) {
    trace += c->W[i * (d + 1)];
  }
  const double w = trace / (double)d; /* turns forces into velocities */
  const double rT = norm(r + 1, d - 1), uT = norm(u + 1, d - 1);
  const double scale = fmax(norm(c->q, d), fmax(norm(u, d), w * norm(r, d)));
  const double outside = fmax(fmax(w * (rT - c->mu * r[0]) / (1 + c->mu), -w * r[0]), -u[0]);
  for (size_t i = 1; i < d; i++) { /* u_T + (|u_T| / |r_T|) r_T = 0 */
    slip = fmax(slip, rT > 0 ? fabs(u[i] + uT / rT * r[i]) : HUGE_VAL);
  }
  slip = fmax(slip, fmax(fabs(u[0]), w * fabs(rT - c->mu * r[0]) / (1 + c->mu)));
  return fmax(outside, fmin(w * norm(r, d), fmin(norm(u, d), slip))) / scale;
}
