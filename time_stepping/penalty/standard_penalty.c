/* standard_penalty.c -- contact by a spring that pushes only: f = kappa max(0, -g), or a power of the penetration; augmented
 * f = max(0, lambda - kappa g), lambda := f.
 * Algorithms 1 to 3 of the rod test of Armero & Petocz 1996 are its three continuum schemes.
 * Source: Armero & Petocz 1996, eqs. (4.1)-(4.3).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/balance_penalty.h"
#include "time_stepping/penalty/energy_constraint.h"
#include "time_stepping/penalty/power_penalty.h"
#include <string.h>

typedef struct standard_options {
  dls_penalty_options penalty;
  dls_power u;
  size_t augmentations;
  int energy;
} standard_options;
enum { FREE, CONSTRAINT };
static const char *const energies[] = {"free", "constraint", NULL};
static const dls_option table[] = {
    DLS_CONTINUUM_OPTIONS,
    DLS_POWER_OPTIONS(offsetof(standard_options, u)),
    DLS_AUGMENTATION_OPTION(standard_options),
    DLS_CHOICE_OPTION(0, standard_options, energy,
                      "trapezoidal: free, or a constraint of every step with a multiplier of its own", FREE,
                      energies),
    DLS_PENALTY_NEWTON_OPTIONS,
    {0},
};

static const standard_options *options(const dls_sim *sim)
{
  return sim->options;
}

static double force(dls_sim *sim, size_t j, double y, double *slope)
{
  const dls_penalty *s = sim->memory;
  return dls_power_force(options(sim)->u, y - s->shift[j], slope);
}

static double potential(const dls_sim *sim, size_t j, double g)
{
  (void)j;
  return dls_power_energy(options(sim)->u, g);
}

static const dls_penalty_law law = {.at = {.force = force}, .potential = potential};

static dls_status check(const dls_scheme *self, const void *given, dls_error *err)
{
  const standard_options *opt = given;
  const char *continuum = dls_continuum_choices[opt->penalty.continuum];
  if (opt->energy == CONSTRAINT && strcmp(continuum, "trapezoidal") != 0) {
    return dls_fail(err, DLS_ERR_OPTION, "energy = constraint needs continuum = trapezoidal; it is %s",
                    continuum);
  }
  if (opt->energy == CONSTRAINT && opt->augmentations > 0) {
    return dls_fail(
        err, DLS_ERR_OPTION,
        "energy = constraint needs augmentations = 0, since their forces store no energy; it is %zu",
        opt->augmentations);
  }
  return dls_continuum_check(self, given, err);
}

/* @return what energy=constraint is refused with */
static dls_status constrain(dls_sim *sim, dls_error *err)
{
  dls_penalty *s = sim->memory;
  const char *obstacle = dls_energy_constraint_obstacle(s, sim->sys);
  s->keeps_energy = true;
  return obstacle == NULL ? DLS_OK
                          : dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                                         "energy = constraint does not work with %s", obstacle);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  dls_status status = dls_penalty_create(sim, sizeof(dls_penalty), &law, (dls_penalty_mass){0}, err);
  if (status == DLS_OK && options(sim)->energy == CONSTRAINT) {
    status = constrain(sim, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  ((dls_penalty *)sim->memory)->augmentations = options(sim)->augmentations;
  return dls_penalty_begin(sim, err);
}

static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const standard_options *opt = given;
  (void)contact;
  dls_power_limit(opt->u, out);
  return opt->augmentations == 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                        "scheme %s: the limit model for h -> 0 is not known with augmentations = %zu",
                        self->name, opt->augmentations);
}

const dls_scheme dls_scheme_standard_penalty = {
    .name = "standard-penalty",
    .family = DLS_FAMILY_PENALTY,
    .summary = "contact by a stiff spring, integrated with the body: creates energy",
    .source = "F. Armero & E. Petocz 1996, section 4.1, algorithms 1 to 3",
    .equations =
        "v' = v + h [(1 - gamma) a + gamma a'],   q' = q + h v + h^2 [(1/2 - beta) a + beta a']\n"
        "midpoint, hht: M a' = F(t_a, q_a, v_a) + H f,   f = kappa max(0, -g(q_a)),   x_a = (1 - alpha) x + "
        "alpha x'\n"
        "trapezoidal:   M (v' - v)/h = (F + H f + F' + H' f')/2,   f' = kappa max(0, -g'),   q' = q + h (v + "
        "v')/2\n"
        "midpoint: alpha = beta = 1/2, gamma = 1\n"
        "energy=constraint: M v' - (h/2) (F' + H' f') = mu [M v + (h/2) (F + H f)],\n"
        "  mu such that T + sum U grows by int F^T dq\n",
    .remarks =
        "The restitution coefficient of the model has no effect: in the long run e = 1, if the energy were "
        "kept.\n"
        "A contact that closes inside a step costs or creates energy of the order kappa times (gap)^2: steps\n"
        "must resolve the contact, h sqrt(kappa/m) < 1, or the energy may grow without bound. See\n"
        "conserving-penalty. A body at rest penetrates by force/kappa.\n",
    .options = table,
    .options_size = sizeof(standard_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .check = check,
    .start = start,
    .advance = dls_penalty_advance,
    .finish = dls_penalty_finish,
    .balance = &dls_balance_standard_penalty,
    .limit = {.kind = DLS_LIMIT_COMPLIANT, .text = "springs, kappa delta^power", .model = limit},
};
