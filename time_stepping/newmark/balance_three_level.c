/* balance_three_level.c -- energy identity of the generalized-alpha method with contact at three levels. f = M^-1 F is the
 * acceleration without contact forces and f- its bar. p and k are the impulses of velocities and positions of three_level_alpha.c.
 *   v' = v + h [(1 - gamma) f-_k + gamma f-] + M^-1 H p
 *   q' = q + h v + h^2/2 [(1 - 2 beta) f-_k + 2 beta f-] + M^-1 H (h/2 p + s)                              (1)
 *   s_N = k - h/2 p_N,   s_T = h^2 (beta - gamma/2) (lambda-_T - lambda-_T,k)
 * This is the nonsmooth generalized-alpha scheme with a = f- and the correction s of positions. From
 * dq = h v_1/2 + (h^2/2) (2 beta - gamma) df- + M^-1 H s the kinetic energy changes by
 *   dT = v_1/2^T (h M f-_gamma + H p) = dq^T M f-_gamma - (h^2/2) (2 beta - gamma) df-^T M f-_gamma - s^T H^T f-_gamma + v_1/2^T H p
 * The identity is that of balance_newmark.c, with the additional term
 *   - s^T H^T f-_gamma                                                                                     position
 * Derived by this project; the rest: Acary 2014 (RR-8602), eq. (69).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/balance_newmark.h"
#include "time_stepping/newmark/three_level_alpha.h"
#include "time_stepping/step/newmark_equations.h"
#include <string.h>

enum { F = DLS_NEWMARK_BALANCE_VECTORS, F_BAR, F_GAMMA, VECTORS };
enum { POSITION = 5 };

/* f = a - M^-1 H lambda of the start; f- is the same. */
static void start(const dls_sim *sim, double *own)
{
  const dls_three_level *s = sim->memory;
  const dls_configuration *config = s->mass.config;
  const size_t n = sim->sys->n;
  double *f = own + F * n;
  memset(f, 0, n * sizeof *f);
  if (config->rows > 0) {
    dls_matrix_multiply(config->H, -1, s->now.lambda, f); /* -H lambda */
    dls_factor_solve(s->mass.M, f);
  }
  for (size_t i = 0; i < n; i++) {
    f[i] += s->now.a[i]; /* f = a - M^-1 H lambda */
  }
  memcpy(own + F_BAR * n, f, n * sizeof *f); /* f- = f */
  dls_newmark_balance_start(sim, f, own);
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  const dls_three_level *s = sim->memory;
  return dls_newmark_balance_energy(sim, &s->c, h, own);
}

/* f- of the step, and f-_gamma. */
static void advance(const dls_sim *sim, double *own)
{
  const dls_three_level *s = sim->memory;
  const dls_newmark *c = &s->c;
  const size_t n = sim->sys->n;
  for (size_t i = 0; i < n; i++) {
    double *at = own + i;
    const double last = at[F_BAR * n];
    at[F_BAR * n] = DLS_NEWMARK_FILTER(c->alpha_m, c->alpha_f, at[F * n], s->f[i], last);
    at[F_GAMMA * n] = DLS_AVERAGE(c->gamma, last, at[F_BAR * n]);
    at[F * n] = s->f[i];
  }
}

/* s^T H^T f-_gamma; the scheme has gone on to the next node, so that the last one is in `next`. */
static double correction(const dls_sim *sim, double h, const double *f_gamma)
{
  const dls_three_level *s = sim->memory;
  const dls_configuration *config = s->mass.config;
  double sum = 0;
  for (size_t row = 0; row < config->rows; row++) {
    const double change = s->now.lambda_bar[row] - s->next.lambda_bar[row];
    const double x = row % config->d == 0 ? s->k[row] - h / 2 * s->p[row]                  /* s_N */
                                          : h * h * (s->c.beta - s->c.gamma / 2) * change; /* s_T */
    sum += x != 0 ? x * dls_matrix_column_dot(config->H, row, f_gamma) : 0;
  }
  return sum;
}

static void step(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                 dls_balance_step *out)
{
  const dls_three_level *s = sim->memory;
  const size_t n = sim->sys->n;
  advance(sim, own);
  dls_newmark_balance_step(sim, &s->c, own + F_BAR * n, s->row ? s->w_load : NULL, h, q, v, own, out);
  out->term[POSITION] = -correction(sim, h, own + F_GAMMA * n);
}

static const dls_balance_term terms[] = {
    DLS_NEWMARK_BALANCE_TERMS,
    DLS_NEWMARK_BALANCE_LAGS,
    {"position", "-s^T H^T a_gamma: work of the correction of positions against the smooth forces", false},
    {0}};

const dls_balance dls_balance_three_level_alpha = {
    .energy =
        "E + (h^2/4) (2 beta - gamma) |a|_M^2 + (eta/2) (nu - gamma + 1/2) |z|_K^2, a without contact forces",
    .external = "dq^T F_gamma",
    .damping = "-dq^T C v_gamma",
    .symbols = dls_newmark_balance_symbols,
    .source = "this project; V. Acary 2014 (INRIA RR-8602), eq. (69)",
    .terms = terms,
    .vectors = VECTORS,
    .start = start,
    .step = step,
    .algorithmic = algorithmic,
};
