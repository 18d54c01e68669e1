/* balance_newmark.c -- energy identities of the nonsmooth Newmark family. With nu = 1/2 - alpha_m,
 * eta = alpha_f - alpha_m, x_gamma = (1 - gamma) x + gamma x', dx = x' - x and |x|_A^2 = x^T A x,
 *
 *   H = E + (h^2/4) (2 beta - gamma) |a|_M^2 + (eta/2) (nu - gamma + 1/2) |z|_K^2
 *   H' - H = dq^T F_gamma - dq^T C v_gamma + 1/2 (U + U')^T P
 *            + (1/2 - gamma) (h^2/2) (2 beta - gamma) |da|_M^2         inertia
 *            + (eta + 1/2 - gamma) |dq|_K^2                            stiffness
 *            + eta nu (gamma - nu - 1/2) |dz|_K^2                      filter
 *            - eta dq^T y_gamma                                        load_lag
 *            + eta dq^T C x_gamma                                      damping_lag
 *
 * with filters that start from 0: (1 - alpha_m) z' + alpha_m z = dq; x alike of dv, y of dF. They are 1/nu times
 * those of the source, so that nothing is divided by nu, which is 0 for rho_inf = 1. They make the scheme
 * M a + C v + K q = F + eta (K z + C x - y) at every t_k, for a_0 = M^-1 (F_0 - K q_0 - C v_0).
 * Newmark: eta = 0. Krenk-Hogsberg: x = y = 0. HHT: alpha_m = 0, so that x, y, z are the last increments, and
 * the lags are taken into the works: F_gamma - eta y_gamma averages the loads of two steps.
 * Source: Acary 2014 (RR-8602), eqs. (69), (72), (80), (88), appendix A; (88) and (101) with h^2/2 for h/2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/balance_newmark.h"
#include "time_stepping/step/average.h"
#include <string.h>

/* Kept: a, load, and the filters. Then those of the present step. */
enum { A, LOAD, Z, X, Y, DA, DQ, DZ, LOAD_NEXT, LOAD_GAMMA, V_GAMMA, X_GAMMA, Y_GAMMA, WORK, VECTORS };
_Static_assert((int)VECTORS == DLS_NEWMARK_BALANCE_VECTORS, "own of the identities");
enum lag { LAG_NONE, LAG_IN_WORK, LAG_APART };
enum { INERTIA, STIFFNESS, FILTER, LOAD_LAG, DAMPING_LAG };

static const dls_newmark *coefficients(const dls_sim *sim)
{
  const dls_newmark_memory *s = sim->memory;
  return &s->c;
}

void dls_newmark_balance_start(const dls_sim *sim, const double *a, double *own)
{
  const size_t n = sim->sys->n;
  memcpy(own + A * n, a, n * sizeof *own);
  dls_system_load(sim->sys, sim->t, own + LOAD * n);
}

static void start(const dls_sim *sim, double *own)
{
  const dls_newmark_memory *s = sim->memory;
  dls_newmark_balance_start(sim, s->a, own);
}

double dls_newmark_balance_energy(const dls_sim *sim, const dls_newmark *c, double h, double *own)
{
  const size_t n = sim->sys->n;
  const double eta = c->alpha_f - c->alpha_m;
  double *work = own + WORK * n;
  const double *a = own + A * n;
  const double *z = own + Z * n;
  return dls_balance_mechanical(sim, work) +
         h * h / 4 * (2 * c->beta - c->gamma) * dls_balance_product(sim->sys->M, n, a, a, work) +
         eta / 2 * (1 - c->alpha_m - c->gamma) * dls_balance_product(sim->K, n, z, z, work);
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  return dls_newmark_balance_energy(sim, coefficients(sim), h, own);
}

/* x' := (increment - alpha_m x) / (1 - alpha_m); @return x_gamma */
static double filter(double alpha_m, double gamma, double increment, double *x)
{
  const double last = *x;
  *x = (increment - alpha_m * last) / (1 - alpha_m);
  return DLS_AVERAGE(gamma, last, *x);
}

/* Increments and averages of the step; what is kept becomes that of t_k+1. */
static void advance(const dls_sim *sim, const dls_newmark *c, const double *a, enum lag lag, const double *q,
                    const double *v, double *own)
{
  const size_t n = sim->sys->n;
  const double gamma = c->gamma;
  const double alpha_m = c->alpha_m;
  dls_system_load(sim->sys, sim->t, own + LOAD_NEXT * n);
  for (size_t i = 0; i < n; i++) {
    double *at = own + i;
    const double z = at[Z * n];
    const double load = at[LOAD * n];
    at[DQ * n] = sim->q[i] - q[i];                                    /* dq */
    at[DA * n] = a[i] - at[A * n];                                    /* da */
    at[LOAD_GAMMA * n] = DLS_AVERAGE(gamma, load, at[LOAD_NEXT * n]); /* F_gamma */
    at[V_GAMMA * n] = DLS_AVERAGE(gamma, v[i], sim->v[i]);            /* v_gamma */
    filter(alpha_m, gamma, at[DQ * n], &at[Z * n]);                   /* (1 - alpha_m) z' + alpha_m z = dq */
    at[DZ * n] = at[Z * n] - z;                                       /* dz */
    if (lag != LAG_NONE) {
      at[X_GAMMA * n] = filter(alpha_m, gamma, sim->v[i] - v[i], &at[X * n]);         /* x_gamma */
      at[Y_GAMMA * n] = filter(alpha_m, gamma, at[LOAD_NEXT * n] - load, &at[Y * n]); /* y_gamma */
    }
    at[A * n] = a[i];
    at[LOAD * n] = at[LOAD_NEXT * n];
  }
}

/* row: M^-1 D of load_rows.h, NULL in a step without a row of a table of loads. */
static void evaluate(const dls_sim *sim, const dls_newmark *c, const double *a, const double *row, double h,
                     enum lag lag, const double *q, const double *v, double *own, dls_balance_step *out)
{
  const size_t n = sim->sys->n;
  const double eta = c->alpha_f - c->alpha_m;
  const double nu = 0.5 - c->alpha_m;
  double *work = own + WORK * n;
  const double *dq = own + DQ * n;
  const double *da = own + DA * n;
  const double *dz = own + DZ * n;
  advance(sim, c, a, lag, q, v, own);
  const double load_lag = -eta * dls_balance_dot(n, dq, own + Y_GAMMA * n); /* -eta dq^T y_gamma */
  const double damping_lag =
      eta * dls_balance_product(sim->C, n, dq, own + X_GAMMA * n, work); /* eta dq^T C x_gamma */
  out->external =
      dls_balance_load_work(sim->sys, own + LOAD_GAMMA * n, dq) + (lag == LAG_IN_WORK ? load_lag : 0);
  if (row != NULL) { /* D works as an impulse: 1/2 (v + v')^T D */
    out->external += 0.5 * (dls_balance_product(sim->sys->M, n, row, v, work) +
                            dls_balance_product(sim->sys->M, n, row, sim->v, work));
  }
  out->damping = /* -dq^T C v_gamma */
      -dls_balance_product(sim->C, n, dq, own + V_GAMMA * n, work) + (lag == LAG_IN_WORK ? damping_lag : 0);
  out->impact = dls_balance_impact(sim, v); /* 1/2 (U + U')^T P */
  out->term[INERTIA] = (0.5 - c->gamma) * h * h / 2 * (2 * c->beta - c->gamma) *
                       dls_balance_product(sim->sys->M, n, da, da, work);
  out->term[STIFFNESS] = (eta + 0.5 - c->gamma) * dls_balance_product(sim->K, n, dq, dq, work);
  out->term[FILTER] = eta * nu * (c->gamma - nu - 0.5) * dls_balance_product(sim->K, n, dz, dz, work);
  out->term[LOAD_LAG] = load_lag;
  out->term[DAMPING_LAG] = damping_lag;
}

/* The same for a member of the family. */
static void evaluate_member(const dls_sim *sim, double h, enum lag lag, const double *q, const double *v,
                            double *own, dls_balance_step *out)
{
  const dls_newmark_memory *s = sim->memory;
  evaluate(sim, &s->c, s->a, s->row ? s->w_load : NULL, h, lag, q, v, own, out);
}

void dls_newmark_balance_step(const dls_sim *sim, const dls_newmark *c, const double *a, const double *row,
                              double h, const double *q, const double *v, double *own, dls_balance_step *out)
{
  evaluate(sim, c, a, row, h, LAG_APART, q, v, own, out);
}

static void step_plain(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                       dls_balance_step *out)
{
  evaluate_member(sim, h, LAG_NONE, q, v, own, out);
}

static void step_hht(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                     dls_balance_step *out)
{
  evaluate_member(sim, h, LAG_IN_WORK, q, v, own, out);
}

static void step_general(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                         dls_balance_step *out)
{
  evaluate_member(sim, h, LAG_APART, q, v, own, out);
}

static const dls_balance_term newmark_terms[] = {
    DLS_NEWMARK_BALANCE_INERTIA, {"stiffness", "(1/2 - gamma) |dq|_K^2", false}, {0}};
static const dls_balance_term hht_terms[] = {DLS_NEWMARK_BALANCE_INERTIA,
                                             {"stiffness", "(alpha + 1/2 - gamma) |dq|_K^2", false},
                                             {"filter", "-(alpha/2) (1 - gamma) |dz|_K^2", false},
                                             {0}};
static const dls_balance_term general_terms[] = {DLS_NEWMARK_BALANCE_TERMS, DLS_NEWMARK_BALANCE_LAGS, {0}};
static const dls_balance_term kh_terms[] = {DLS_NEWMARK_BALANCE_TERMS, {0}};

const char dls_newmark_balance_symbols[] =
    "eta = alpha_f - alpha_m, nu = 1/2 - alpha_m; (1 - alpha_m) z' + alpha_m z = dq, x of dv, y of dF alike";
static const char filtered_energy[] =
    "E + (h^2/4) (2 beta - gamma) |a|_M^2 + (eta/2) (nu - gamma + 1/2) |z|_K^2";

const dls_balance dls_balance_newmark = {
    .energy = "E + (h^2/4) (2 beta - gamma) |a|_M^2",
    .external = "dq^T F_gamma",
    .damping = "-dq^T C v_gamma",
    .source = "V. Acary 2014 (INRIA RR-8602), eqs. (88), (101) with h^2/2 in place of h/2",
    .terms = newmark_terms,
    .vectors = VECTORS,
    .start = start,
    .step = step_plain,
    .algorithmic = algorithmic,
};

const dls_balance dls_balance_hht = {
    .energy = "E + (h^2/4) (2 beta - gamma) |a|_M^2 + (alpha/2) (1 - gamma) |z|_K^2",
    .external = "dq^T [(1 - alpha) F_gamma + alpha F_gamma of the last step]",
    .damping = "-dq^T C [(1 - alpha) v_gamma + alpha v_gamma of the last step]",
    .symbols = "z = q_k - q_k-1",
    .source = "V. Acary 2014 (INRIA RR-8602), eq. (80)",
    .terms = hht_terms,
    .vectors = VECTORS,
    .start = start,
    .step = step_hht,
    .algorithmic = algorithmic,
};

const dls_balance dls_balance_generalized_alpha = {
    .energy = filtered_energy,
    .external = "dq^T F_gamma",
    .damping = "-dq^T C v_gamma",
    .symbols = dls_newmark_balance_symbols,
    .source = "V. Acary 2014 (INRIA RR-8602), eq. (69)",
    .terms = general_terms,
    .vectors = VECTORS,
    .start = start,
    .step = step_general,
    .algorithmic = algorithmic,
};

const dls_balance dls_balance_kh_generalized_alpha = {
    .energy = filtered_energy,
    .external = "dq^T F_gamma",
    .damping = "-dq^T C v_gamma",
    .symbols = "eta = alpha_f - alpha_m, nu = 1/2 - alpha_m; (1 - alpha_m) z' + alpha_m z = dq",
    .source = "V. Acary 2014 (INRIA RR-8602), eq. (72)",
    .terms = kh_terms,
    .vectors = VECTORS,
    .start = start,
    .step = step_plain,
    .algorithmic = algorithmic,
};
