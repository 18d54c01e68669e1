/* conserving_penalty.c -- a penalty pressure that is a difference quotient of its potential, U(g) = kappa/2 min(g,0)^2,
 *   f = -[U(g^d') - U(g^d)]/(g^d' - g^d),
 * with the dynamic gap g^d. It conserves the energy E + sum U(g^d) of the discrete motion. Without cancellation:
 *   closed before and after   f = -kappa (g^d + g^d')/2       theta: -kappa [(1 - theta) g^d + theta g^d']   (1)
 *   closing                   f = kappa/2 g^d'^2/(g^d - g^d')                                              (2)
 *   opening                   f = kappa/2 g^d^2/(g^d' - g^d)                                               (3)
 * The dynamic gap of an open contact is its gap. Contacts are detected on the dynamic gap, which then differs from the gap by O(h^3).
 * For other convex potentials a lasting contact adds (1/2 - theta) [U'(g^d') - U'(g^d)] to the quotient, as for a spring.
 * Augmented, U acts at g^d - lambda/kappa, and lambda := max(0, lambda - rho kappa g^d'). In a lasting contact
 * f = lambda - kappa (g^d + g^d')/2, and g^d' falls by (1 + (1/2 - rho) s W kappa)/(1 + s W kappa/2). For a stiff contact this
 * factor is -1 for rho = 1 and nearly 0 for rho = 1/2.
 * Sources: Armero & Petocz 1996, eqs. (3.1)-(3.3), (3.25), table 3.1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/balance_penalty.h"
#include "time_stepping/penalty/power_penalty.h"
#include "time_stepping/step/average.h"
#include <stdlib.h>
#include <string.h>

typedef struct conserving_options {
  dls_penalty_options penalty;
  dls_power u;
  double theta, mass, rho;
  size_t augmentations, mass_augmentations;
  int mass_acts;
} conserving_options;
static const char *const acts[] = {"pressed", "closed", NULL};
enum { PRESSED, CLOSED };
static const dls_option table[] = {
    DLS_CONTINUUM_OPTIONS,
    DLS_POWER_OPTIONS(offsetof(conserving_options, u)),
    DLS_REAL_OPTION(0, conserving_options, theta, "1",
                    "weight of the end of the step in the pressure of a lasting contact; 1/2: conserving", 0.5,
                    0.5, 1, 0),
    DLS_REAL_OPTION(
        0, conserving_options, mass, "kg",
        "mass penalty of closed contacts: smooths reported velocities and forces, nothing else; 0: none", 0, 0,
        DBL_MAX, 0),
    DLS_CHOICE_OPTION(
        0, conserving_options, mass_acts,
        "on contacts that are closed or had a force in the step, also opening ones; or closed ones only",
        PRESSED, acts),
    DLS_INTEGER_OPTION(0, conserving_options, mass_augmentations,
                       "Uzawa iterations of the mass penalty's momentum, towards a gap velocity of 0", 0, 0,
                       1000),
    DLS_AUGMENTATION_OPTION(conserving_options),
    DLS_REAL_OPTION(
        0, conserving_options, rho, "1",
        "fraction of kappa in the update of an augmentation; 1/2: the weight of the final gap in the pressure",
        0.5, 0, 1, DLS_OPEN_MIN),
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

/* U'(next) - U'(y), and its slope. */
static double spread(dls_power u, double y, double next, double *slope)
{
  double unused = 0;
  return dls_power_force(u, y, &unused) - dls_power_force(u, next, slope);
}

/* For theta > 1/2 the force jumps where the contact opens. A contact that opens in an iteration stays open in this step. */
static double force(dls_sim *sim, size_t j, double y, double *slope)
{
  conserving_memory *s = sim->memory;
  const dls_power u = options(sim)->u;
  const double last = s->step.gap[j] - s->step.shift[j], next = y - s->step.shift[j];
  if (!s->step.touches[j] || next > 0) {
    s->opens[j] = s->opens[j] || s->step.touches[j];
    return dls_power_pressure(u, last, next, slope); /* (2), (3) */
  }
  const double theta = s->opens[j] ? 0.5 : options(sim)->theta;
  if (u.power == 1) {
    *slope = u.kappa * theta;
    return -u.kappa * DLS_AVERAGE(theta, last, next); /* (1) */
  }
  double more = 0;
  const double f = dls_power_pressure(u, last, next, slope),
               dissipative = -(theta - 0.5) * spread(u, last, next, &more);
  *slope += (theta - 0.5) * more;
  return f + dissipative;
}

static double potential(const dls_sim *sim, size_t j, double g)
{
  (void)j;
  return dls_power_energy(options(sim)->u, g);
}

/* (theta - 1/2) kappa (dg)^2 of a lasting contact by (1); for other potentials (theta - 1/2) [U'(g^d') - U'(g^d)] dg. */
double dls_conserving_dissipation(const dls_sim *sim, size_t j, double dg)
{
  const conserving_memory *s = sim->memory;
  const conserving_options *opt = options(sim);
  double slope = 0;
  if (!s->step.touched[j] || !s->step.touches[j] || s->opens[j]) {
    return 0;
  }
  return (opt->theta - 0.5) *
         (opt->u.power == 1 ? opt->u.kappa * dg : spread(opt->u, s->step.gap_last[j], s->step.gap[j], &slope)) *
         dg;
}

const double *dls_conserving_velocity(const dls_sim *sim)
{
  const conserving_memory *s = sim->memory;
  return options(sim)->mass == 0 ? NULL : s == NULL ? sim->v : s->step.v;
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
  const conserving_options *opt = options(sim);
  const dls_penalty_mass mass = {opt->mass, opt->mass_augmentations, opt->mass_acts == CLOSED};
  const dls_status status = dls_penalty_create(sim, sizeof(conserving_memory), &law, mass, err);
  if (status != DLS_OK) {
    return status;
  }
  conserving_memory *s = sim->memory;
  s->step.augmentations = opt->augmentations;
  s->step.rho = opt->rho;
  s->opens = calloc(sim->sys->m + 1, sizeof *s->opens);
  return s->opens != NULL ? dls_penalty_begin(sim, err)
                          : dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sim->sys->m);
}

/* Refuse values that would have no effect. */
static dls_status check(const dls_scheme *self, const void *given, dls_error *err)
{
  static const size_t of_mass[] = {offsetof(conserving_options, mass_acts),
                                   offsetof(conserving_options, mass_augmentations)};
  static const size_t of_augmentations[] = {offsetof(conserving_options, rho)};
  const conserving_options *opt = given;
  dls_status status = dls_option_unused(table, opt, "scheme conserving-penalty", opt->mass > 0 ? 0 : 2, of_mass,
                                        "mass=0; say mass=...", err);
  status = status != DLS_OK
               ? status
               : dls_option_unused(table, opt, "scheme conserving-penalty", opt->augmentations > 0 ? 0 : 1,
                                   of_augmentations, "augmentations=0; use augmentations=...", err);
  return status != DLS_OK ? status : dls_continuum_check(self, given, err);
}

static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const conserving_options *opt = given;
  (void)contact;
  dls_power_limit(opt->u, out);
  return opt->augmentations == 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                        "scheme %s: the limit model for h -> 0 is not known with augmentations = %zu",
                        self->name, opt->augmentations);
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
        "reported velocity with mass = m_p: M v + sum_closed [m_p (H^T v) + l] H = p, p the momenta; l = 0, "
        "then\n"
        "mass_augmentations times l := l + m_p H^T v\n"
        "augmentations: U at g^d - l/kappa; l = 0, then l := max(0, l - rho kappa g^d')\n"
        "power = p: U(g) = kappa |min(g, 0)|^(p + 1)/(p + 1)\n",
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
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .check = check,
    .start = start,
    .advance = dls_penalty_advance,
    .finish = finish,
    .balance = &dls_balance_conserving_penalty,
    .limit = {.kind = DLS_LIMIT_COMPLIANT, .text = "springs, kappa delta^power", .model = limit},
};
