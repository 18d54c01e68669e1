/* balance_soft.c -- the energy identity of convex_minimisation.c. With dq = q' - q = h v', dv = v' - v, f = gamma/h and
 * M dv = h (F - K q - C v) + h H f,
 *
 *   E' - E = dq^T F - dq^T C v + dq^T H f + 1/2 |dq|_K^2 - 1/2 |dv|_M^2,
 *
 * and the energy that contacts store joins E. Source: as V. Acary 2014 (RR-8602), corollary 1, for theta = 0 and eta = 1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/soft/balance_soft.h"
#include "time_stepping/soft/convex_minimisation.h"
#include "time_stepping/step/balance_table.h"

enum { LOAD, DQ, DV, WORK, VECTORS };
enum { STIFFNESS, INERTIA, CONTACT };

static const dls_soft *memory(const dls_sim *sim)
{
  return sim->memory;
}

static void start(const dls_sim *sim, double *own)
{
  dls_system_load(sim->sys, sim->t, own + LOAD * sim->sys->n);
}

static double stored(const dls_sim *sim)
{
  double energy = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    energy += memory(sim)->law->potential(sim, j, sim->g[j]);
  }
  return energy;
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  (void)h;
  return dls_balance_mechanical(sim, own + WORK * sim->sys->n) + stored(sim);
}

/* Change of gap j by its support in the step. */
static double moved(const dls_sim *sim, size_t j, const double *own)
{
  return dls_system_gap_moves(sim->sys) ? sim->g[j] - memory(sim)->gap[j] -
                                              dls_matrix_column_dot(memory(sim)->contacts.config->H,
                                                                    sim->sys->d * j, own + DQ * sim->sys->n)
                                        : 0;
}

/* -f (dg - H^T dq) */
static double drive(const dls_sim *sim, size_t j, const double *own)
{
  return -sim->lambda[j] * moved(sim, j, own);
}

/* f dg */
static double push(const dls_sim *sim, size_t j, const double *own)
{
  const double dg =
      dls_matrix_column_dot(memory(sim)->contacts.config->H, sim->sys->d * j, own + DQ * sim->sys->n);
  return sim->lambda[j] * (dg + moved(sim, j, own));
}

static void step(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                 dls_balance_step *out)
{
  const dls_soft *s = memory(sim);
  const dls_system *sys = sim->sys;
  const size_t n = sys->n, d = sys->d;
  double *load = own + LOAD * n, *dq = own + DQ * n, *dv = own + DV * n, *work = own + WORK * n;
  dls_balance_add_table(sim, h, 0, load, work);
  for (size_t i = 0; i < n; i++) {
    dq[i] = sim->q[i] - q[i];
    dv[i] = sim->v[i] - v[i];
  }
  out->external = dls_balance_load_work(sys, load, dq);                      /* dq^T F */
  out->damping = -dls_balance_product(sim->C, n, dq, v, work);               /* -dq^T C v */
  out->term[STIFFNESS] = 0.5 * dls_balance_product(sim->K, n, dq, dq, work); /* 1/2 |dq|_K^2 */
  out->term[INERTIA] = -0.5 * dls_balance_product(sys->M, n, dv, dv, work);  /* -1/2 |dv|_M^2 */
  for (size_t j = 0; j < sys->m; j++) {
    for (size_t i = 1; i < d; i++) {
      out->impact += sim->lambda_t[(d - 1) * j + i - 1] *
                     dls_matrix_column_dot(s->contacts.config->H, d * j + i, dq); /* friction: dq^T H_T f_T */
    }
    out->impact += drive(sim, j, own);
    out->term[CONTACT] += push(sim, j, own) + s->law->potential(sim, j, sim->g[j]) -
                          s->law->potential(sim, j, s->gap[j]); /* f dg + dU */
  }
  dls_system_load(sys, sim->t, load); /* of the next step */
}

/* Over several steps between two nodes it is not known. */
static const dls_balance *of_options(const dls_sim *sim)
{
  const dls_soft_kind *kind = sim->scheme->kind;
  return kind != NULL && kind->has_substeps(sim) ? NULL : &dls_balance_soft;
}

static const dls_balance_term terms[] = {
    {"stiffness", "1/2 |dq|_K^2", false},
    {"inertia", "-1/2 |dv|_M^2", false},
    {"contact", "f^T dg + dU: work of the contact that is not stored in it", false},
    {0}};

const dls_balance dls_balance_soft = {
    .energy = "E + sum U(g)",
    .external = "dq^T F",
    .damping = "-dq^T C v",
    .symbols = "U: energy stored in a contact",
    .source = "as V. Acary 2014 (INRIA RR-8602), corollary 1, with theta = 0 and eta = 1",
    .terms = terms,
    .vectors = VECTORS,
    .yields = true,
    .of_options = of_options,
    .start = start,
    .step = step,
    .drive = drive,
    .push = push,
    .stored = stored,
    .algorithmic = algorithmic,
};
