/* energy_constraint.c -- the trapezoidal rule with its energy as a constraint, T' + sum U' = T + sum U + int F^T dq, along the
 * straight way, and a multiplier Lambda of it. With R = F + H f and q' = q + h (v + v')/2 the gradient of the constraint by q' is
 * (2/h) M v' - R', so that
 *
 *   M (v' - v)/h - (R + R')/2 + Lambda [M v'/h - R'/2] = 0                                    (1)
 *   M v' - (h/2) R' = mu (M v + (h/2) R),   mu = 1/(1 + Lambda)                               (2)
 *
 * the rule itself from another initial state: M a' = (R + R')/2 + (mu - 1) (R/2 + M v/h). The energy is a function of
 * the one number mu.
 * Source: T. J. R. Hughes, T. K. Caughey & W. K. Liu 1978, for the idea; (2) is ours.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/energy_constraint.h"
#include "time_stepping/penalty/balance_penalty.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 60 };
static const double rounding = 16 * DBL_EPSILON; /* of the energies that meet in a step */
static const double stalls = 1e-11;              /* accepted if the iteration stagnates */

const char *dls_energy_constraint_obstacle(const dls_penalty *s, const dls_system *sys)
{
  return dls_system_has_friction(sys) ? "friction"
         : s->config.mass_varies      ? "a mass matrix that varies"
         : dls_system_gap_moves(sys)  ? "gaps that move"
                                      : NULL;
}

/* sum U(g(q)) */
static double stored(const dls_sim *sim, dls_penalty *s, double t, const double *q)
{
  double energy = 0;
  dls_system_gap(sim->sys, t, q, s->dy);
  for (size_t j = 0; j < sim->sys->m; j++) {
    energy += s->law->potential(sim, j, s->dy[j]);
  }
  return energy;
}

/* Energy surplus of the step: T' - T + sum U' - sum U - int F^T dq. *scale: the largest energy in it. */
static double surplus(dls_sim *sim, dls_penalty *s, double h, double *scale)
{
  const size_t n = sim->sys->n;
  double *dq = s->kept + n, *scratch = s->kept + 2 * n;
  for (size_t i = 0; i < n; i++) {
    dq[i] = s->q_next[i] - sim->q[i];
  }
  const double T = dls_balance_kinetic(sim->sys, s->v, scratch);
  const double T_next = dls_balance_kinetic(sim->sys, s->v_next, scratch);
  const double U = stored(sim, s, sim->t, sim->q), U_next = stored(sim, s, s->t_next, s->q_next);
  const double W = dls_work_along(sim->sys, sim->t, h, sim->q, dq, scratch);
  *scale = fmax(*scale, fmax(fmax(T, T_next) + fmax(U, U_next), fabs(W)));
  return T_next - T + U_next - U - W;
}

/* One solution of (2). kept: R of the beginning */
static dls_status solve(dls_sim *sim, dls_penalty *s, double h, double mu, dls_error *err)
{
  const size_t n = sim->sys->n;
  memset(s->extra, 0, n * sizeof *s->extra);
  dls_matrix_multiply(s->config.M, 1 / h, s->v, s->extra);
  for (size_t i = 0; i < n; i++) {
    s->extra[i] = (mu - 1) * (s->kept[i] / 2 + s->extra[i]); /* (mu - 1) (R/2 + M v/h) */
    s->resultant[i] = s->kept[i] + 2 * s->extra[i];
  }
  return dls_penalty_solve(sim, s, h, err);
}

/* d surplus / d mu, for constant forces: v'^T (M v + (h/2) R) */
static double slope(const dls_sim *sim, dls_penalty *s, double h)
{
  const size_t n = sim->sys->n;
  double *p = s->kept + n;
  memset(p, 0, n * sizeof *p);
  dls_matrix_multiply(s->config.M, 1, s->v, p);
  for (size_t i = 0; i < n; i++) {
    p[i] += h / 2 * s->kept[i];
  }
  return dls_balance_dot(n, s->v_next, p);
}

/* mu of (2) for which the energy of the constraint is kept: surplus = 0, by the secant method. */
dls_status dls_energy_constraint_solve(dls_sim *sim, dls_penalty *s, double h, dls_error *err)
{
  double mu = 1, best = HUGE_VAL;
  memcpy(s->kept, s->resultant, sim->sys->n * sizeof *s->kept);
  dls_status status = solve(sim, s, h, mu, err); /* (2) with mu = 1: the rule itself */
  double excess = surplus(sim, s, h, &s->energy_scale), rate = slope(sim, s, h);
  for (size_t k = 0; k < MOST && status == DLS_OK; k++) {
    if (fabs(excess) <= rounding * s->energy_scale ||
        (k > 3 && fabs(excess) >= best && fabs(excess) <= stalls * s->energy_scale)) {
      return DLS_OK;
    }
    best = fmin(best, fabs(excess));
    const double next = mu - excess / rate;
    status = solve(sim, s, h, next, err); /* (2) */
    const double left = surplus(sim, s, h, &s->energy_scale);
    rate = left != excess ? (left - excess) / (next - mu) : rate;
    mu = next;
    excess = left;
  }
  return status != DLS_OK ? status
                          : dls_sim_fail(sim, err, DLS_ERR_NOCONV,
                                         "no multiplier keeps the energy of this step: %g J remain; shorter "
                                         "steps need a smaller multiplier",
                                         excess);
}
