/* conserving_penalty.c -- a penalty pressure that is a difference quotient of its potential U(g) = kappa/2 min(g,0)^2,
 *   f = -[U(g^d') - U(g^d)]/(g^d' - g^d),
 * with the dynamic gap g^d, so that the energy E + sum U(g^d) of the discrete motion is conserved. Written without
 * cancellation:
 *   closed before and after   f = -kappa (g^d + g^d')/2       theta: -kappa [(1 - theta) g^d + theta g^d']
 *   closing                   f = kappa/2 g^d'^2/(g^d - g^d')
 *   opening                   f = kappa/2 g^d^2/(g^d' - g^d)
 * The dynamic gap of an open contact is its gap. A contact is detected on the dynamic gap, which differs from the
 * gap by O(h^3) then.
 * Sources: Armero & Petocz 1996, eqs. (3.1)-(3.3), (3.25), table 3.1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/balance_penalty.h"
#include "time_stepping/step/conserving_pressure.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct conserving_options {
  dls_penalty_options penalty;
  double kappa, theta, mass;
} conserving_options;
static const dls_option table[] = {
    DLS_CONTINUUM_OPTIONS,
    DLS_REAL_OPTION(0, conserving_options, kappa, "N/m", "penalty stiffness", 1e6, 0, DBL_MAX, DLS_OPEN_MIN),
    DLS_REAL_OPTION(0, conserving_options, theta, "1",
                    "weight of the end of the step in the pressure of a lasting contact; 1/2: conserving", 0.5,
                    0.5, 1, 0),
    DLS_REAL_OPTION(
        0, conserving_options, mass, "kg",
        "mass penalty of closed contacts: smooths reported velocities and forces, nothing else; 0: none", 0, 0,
        DBL_MAX, 0),
    DLS_PENALTY_NEWTON_OPTIONS,
    {0},
};

static const conserving_options *options(const dls_sim *sim)
{
  return sim->options;
}

typedef struct conserving_memory {
  dls_penalty step;
  bool *opens; /* m: a closed contact was found open in this step */
} conserving_memory;

static dls_status begin(dls_sim *sim, dls_error *err)
{
  conserving_memory *s = sim->memory;
  (void)err;
  memset(s->opens, 0, sim->sys->m * sizeof *s->opens);
  return DLS_OK;
}

/* For theta > 1/2 the force has a jump at y = 0: whoever leaves the contact in an iteration has left it. */
static double force(dls_sim *sim, size_t j, double y, double *slope)
{
  conserving_memory *s = sim->memory;
  const double kappa = options(sim)->kappa;
  const double g = s->step.gap[j];
  if (!s->step.touches[j] || y > 0) {
    s->opens[j] = s->opens[j] || s->step.touches[j];
    return dls_conserving_pressure(kappa, g, y, slope);
  }
  const double theta = s->opens[j] ? 0.5 : options(sim)->theta;
  *slope = kappa * theta;
  return -kappa * (theta * y + (1 - theta) * g); /* lasting: -kappa [(1 - theta) g + theta y] */
}

static double potential(const dls_sim *sim, size_t j, double g)
{
  (void)j;
  return dls_penalty_energy(options(sim)->kappa, g);
}

double dls_conserving_dissipation(const dls_sim *sim, size_t j)
{
  const conserving_memory *s = sim->memory;
  const bool lasts = s->step.touched[j] && s->step.touches[j] && !s->opens[j];
  return lasts ? (options(sim)->theta - 0.5) * options(sim)->kappa : 0;
}

static const dls_penalty_law law = {
    .conserving = true, .at = {.force = force}, .potential = potential, .begin = begin};

static void finish(dls_sim *sim)
{
  conserving_memory *s = sim->memory;
  if (s != NULL) {
    free(s->opens);
  }
  dls_penalty_finish(sim);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_status status = dls_penalty_create(sim, sizeof(conserving_memory), &law, options(sim)->mass, err);
  if (status != DLS_OK) {
    return status;
  }
  conserving_memory *s = sim->memory;
  s->opens = calloc(sim->sys->m + 1, sizeof *s->opens);
  return s->opens != NULL ? dls_penalty_begin(sim, err)
                          : dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sim->sys->m);
}

const dls_scheme dls_scheme_conserving_penalty = {
    .name = "conserving-penalty",
    .family = DLS_FAMILY_PENALTY,
    .summary = "penalty contact as a difference quotient: conserves energy for every step",
    .source = "F. Armero & E. Petocz 1996",
    .equations =
        "midpoint:    M (v' - v)/h = F(t_1/2, q_1/2, v_1/2) + H f,   q' = q + h (v + v')/2,   H at (q + q')/2\n"
        "trapezoidal: M (v' - v)/h = (F + F')/2 + H f\n"
        "hht:         M a' = F(t_a, q_a, v_a) + H f with Newmark's updates, x_a = (1 - alpha) x + alpha x'\n"
        "f = -[U(g^d') - U(g^d)]/(g^d' - g^d),   U(g) = kappa/2 min(g, 0)^2,   g^d' = g^d + H^T (q' - q)\n"
        "lasting contact: f = -kappa [(1 - theta) g^d + theta g^d'];   an open contact has g^d = g\n"
        "reported velocity with mass = m_p: M v + sum_closed m_p (H^T v) H = p, p the momenta\n",
    .remarks = "The restitution coefficient of the model has no effect. Energy + penalty energy is conserved "
               "exactly by\n"
               "midpoint and trapezoidal with theta = 1/2 on linear systems (curved contacts allowed), "
               "whatever h and\n"
               "kappa; so e = 1 in the long run, with scatter where h does not resolve the contact. theta > "
               "1/2 dissipates\n"
               "(theta - 1/2) kappa (dg^d)^2 in a lasting contact. Order 2 between contact events.\n"
               "h sqrt(kappa/m) >> 1: the pressure alternates around its mean; mass smooths velocities and "
               "forces that\n"
               "are reported (lambda is the force of the step), the motion is the same with and without it.\n",
    .options = table,
    .options_size = sizeof(conserving_options),
    .stepping = DLS_BY_STEP,
    .friction = true,
    .moving_gaps = true,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .check = dls_continuum_check,
    .start = start,
    .advance = dls_penalty_advance,
    .finish = finish,
    .balance = &dls_balance_conserving_penalty,
};
