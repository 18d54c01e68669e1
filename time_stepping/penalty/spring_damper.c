/* spring_damper.c -- contact by a spring and a damper in parallel, with the penetration d = -g >= 0:
 *   Kelvin-Voigt   f = k d + c d',   held at 0 where it would pull, unless tension=on                (1)
 *   Hunt-Crossley  f = k d^n (1 + lambda d')                                                         (2)
 * c and lambda are options, or follow from the restitution coefficient e of the model for one mass:
 *   c = 2 zeta(e) sqrt(k/W_jj),   W = H^T M^-1 H;   lambda = x(e)/|u-|,   both for each impact       (3)
 * The Kelvin-Voigt force begins with the jump c |u-|. If necessary, the gap is held at 0 there for one step.
 * Sources: Hunt & Crossley 1975; Schwager & Poschel 2007; common/contact/compliance.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/compliance.h"
#include "time_stepping/penalty/balance_penalty.h"
#include "time_stepping/penalty/dry_friction.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KELVIN_VOIGT, HUNT_CROSSLEY };
enum { FROM_RESTITUTION, GIVEN };
static const char *const laws[] = {"kelvin-voigt", "hunt-crossley", NULL};
static const char *const dampings[] = {"restitution", "given", NULL};

typedef struct damper_options {
  dls_penalty_options penalty;
  int law, damping, tension;
  double k, n, c, lambda, slowest;
  dls_friction_options friction;
} damper_options;
#define FRICTION offsetof(damper_options, friction)
#define REAL(field, unit, help, initial, min, max, open)                                                       \
  DLS_REAL_OPTION(0, damper_options, field, unit, help, initial, min, max, open)
static const dls_option table[] = {
    DLS_CONTINUUM_OPTIONS,
    DLS_CHOICE_OPTION(0, damper_options, law, "force over penetration and its rate", 0, laws),
    REAL(k, "N/m^n", "stiffness; n = 1 for kelvin-voigt", 1e6, 0, DBL_MAX, DLS_OPEN_MIN),
    REAL(n, "1", "hunt-crossley: exponent of the penetration; 3/2: Hertz", 1.5, 1, 4, 0),
    DLS_CHOICE_OPTION(0, damper_options, damping,
                      "restitution: from the model's coefficient e, for one mass; given: c or lambda", 0,
                      dampings),
    REAL(c, "N s/m", "kelvin-voigt, damping=given: damper", 0, 0, DBL_MAX, 0),
    REAL(lambda, "s/m", "hunt-crossley, damping=given: damping factor", 0, 0, DBL_MAX, 0),
    DLS_CHOICE_OPTION(0, damper_options, tension, "kelvin-voigt: the contact may pull before it opens", 0,
                      dls_off_on),
    REAL(slowest, "v_s",
         "hunt-crossley, damping=restitution: slower impacts use the lambda of this speed, in units of the "
         "velocity scale",
         1e-3, 0, 1, DLS_OPEN_MIN),
    DLS_PENALTY_NEWTON_OPTIONS,
    DLS_CHOICE_OPTION(FRICTION, dls_friction_options, friction,
                      "law of the friction; all but coulomb are regularised", 0, dls_friction_models),
    DLS_REAL_OPTION(FRICTION, dls_friction_options, eps, "m/s", "tanh: slip of tanh(1) of the limit", 1e-3, 0,
                    DBL_MAX, DLS_OPEN_MIN),
    DLS_REAL_OPTION(FRICTION, dls_friction_options, k_t, "N/m", "spring-slider: stiffness", 1e4, 0, DBL_MAX,
                    DLS_OPEN_MIN),
    DLS_REAL_OPTION(FRICTION, dls_friction_options, sigma, "N/m", "dahl: stiffness at rest", 1e4, 0, DBL_MAX,
                    DLS_OPEN_MIN),
    DLS_REAL_OPTION(FRICTION, dls_friction_options, sigma0, "N/m", "lugre: stiffness of the bristles", 1e4, 0,
                    DBL_MAX, DLS_OPEN_MIN),
    DLS_REAL_OPTION(FRICTION, dls_friction_options, sigma1, "N s/m", "lugre: damping of the bristles", 100, 0,
                    DBL_MAX, 0),
    DLS_REAL_OPTION(FRICTION, dls_friction_options, sigma2, "N s/m", "lugre: viscous friction", 0, 0, DBL_MAX,
                    0),
    DLS_REAL_OPTION(FRICTION, dls_friction_options, v_s, "m/s", "lugre: Stribeck's velocity", 1e-2, 0, DBL_MAX,
                    DLS_OPEN_MIN),
    DLS_REAL_OPTION(FRICTION, dls_friction_options, fs, "1", "lugre: static over sliding friction", 1, 1, 100,
                    0),
    {0},
};

static const damper_options *options(const dls_sim *sim)
{
  return sim->options;
}

typedef struct damper_memory {
  dls_penalty step;
  double *ratio;   /* m: lambda |u-| of hunt-crossley, 2 zeta of kelvin-voigt */
  double *damping; /* m: c or lambda */
} damper_memory;

/* Gap velocity -d' of (1), (2) at the gap y: linear in y, with the slope gamma/(h beta) of Newmark's updates. */
static double rate_at(const damper_memory *s, size_t j, double y)
{
  return s->step.rate[j] + s->step.rate_slope * (y - s->step.contact.y_free[j]);
}

static double kelvin_voigt(dls_sim *sim, size_t j, double y, double *slope)
{
  const damper_memory *s = sim->memory;
  const double k = options(sim)->k;
  const double f = -k * y - s->damping[j] * rate_at(s, j, y); /* (1) */
  const bool closed = y <= 0 && (f > 0 || options(sim)->tension != 0);
  *slope = closed ? k + s->damping[j] * s->step.rate_slope : 0;
  return closed ? f : 0;
}

/* c |u-|: the jump with which the force (1) begins, at y = 0. */
static double onset(const dls_sim *sim, size_t j)
{
  const damper_memory *s = sim->memory;
  return fmax(-s->damping[j] * rate_at(s, j, 0), 0);
}

static double hunt_crossley(dls_sim *sim, size_t j, double y, double *slope)
{
  const damper_memory *s = sim->memory;
  const double lambda = s->damping[j];
  const double n = options(sim)->n;
  const double factor = 1 - lambda * rate_at(s, j, y); /* (2): 1 + lambda d' */
  *slope = 0;
  if (!(y < 0 && factor > 0)) {
    return 0;
  }
  const double spring = options(sim)->k * pow(-y, n);                /* (2): k d^n */
  *slope = spring * (n * factor / -y + lambda * s->step.rate_slope); /* -df/dy of (2) */
  return spring * factor;                                            /* (2) */
}

/* H_j^T M^-1 H_j */
static double inverse_mass(const dls_sim *sim, damper_memory *s, size_t j)
{
  double *x = s->step.rhs;
  memset(x, 0, sim->sys->n * sizeof *x);
  dls_matrix_column_add(s->step.config.normals, j, 1, x);
  dls_factor_solve(s->step.M, x);
  return dls_matrix_column_dot(s->step.config.normals, j, x);
}

/* c of (3), which gives e for the effective mass 1/W_jj of contact j. An infinite mass is not damped. */
static double damper(const dls_sim *sim, damper_memory *s, size_t j)
{
  const double W = inverse_mass(sim, s, j);
  return W > 0 ? s->ratio[j] * sqrt(options(sim)->k / W) : 0; /* (3) */
}

/* The damping of impacts that begin in this step. */
static dls_status begin(dls_sim *sim, dls_error *err)
{
  damper_memory *s = sim->memory;
  const dls_system *sys = sim->sys;
  const double slowest = options(sim)->slowest * sys->length / sys->time;
  const bool hertz = options(sim)->law == HUNT_CROSSLEY;
  if (s->step.config.mass_varies && !hertz) {
    dls_factor_touch(s->step.M);
    const dls_status status = dls_factor_sum(s->step.M, (const double[]){1}, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  for (size_t j = 0; j < sys->m && options(sim)->damping == FROM_RESTITUTION; j++) {
    if (s->step.touches[j]) {
      continue;
    }
    if (hertz) {
      s->damping[j] = s->ratio[j] / fmax(-s->step.u_begin[j], slowest); /* (3): lambda = x(e)/|u-| */
    } else if (!sys->linear && s->step.u_begin[j] < 0) {
      s->damping[j] = damper(sim, s, j); /* (3) in this configuration */
    }
  }
  return DLS_OK;
}

static double kelvin_voigt_energy(const dls_sim *sim, size_t j, double g)
{
  (void)j;
  return dls_penalty_energy(options(sim)->k, g);
}

static double hunt_crossley_energy(const dls_sim *sim, size_t j, double g)
{
  const double n = options(sim)->n;
  (void)j;
  return g < 0 ? options(sim)->k * pow(-g, n + 1) / (n + 1) : 0;
}

static const dls_penalty_law kelvin_voigt_law = {
    .at = {.force = kelvin_voigt, .onset = onset}, .potential = kelvin_voigt_energy, .begin = begin};
static const dls_penalty_law hunt_crossley_law = {
    .at = {.force = hunt_crossley}, .potential = hunt_crossley_energy, .begin = begin};

/* Refuse values that would have no effect. */
static dls_status check(const dls_scheme *self, const void *given_options, dls_error *err)
{
  const damper_options *opt = given_options;
  const bool hertz = opt->law == HUNT_CROSSLEY, given = opt->damping == GIVEN;
  size_t unused[13], count = 0;
  const dls_friction_model friction = (dls_friction_model)opt->friction.friction;
  const struct {
    size_t field;
    bool used;
  } uses[] = {{offsetof(damper_options, n), hertz},
              {offsetof(damper_options, c), !hertz && given},
              {offsetof(damper_options, lambda), hertz && given},
              {offsetof(damper_options, tension), !hertz},
              {offsetof(damper_options, slowest), hertz && !given},
              {FRICTION + offsetof(dls_friction_options, eps), friction == DLS_FRICTION_TANH},
              {FRICTION + offsetof(dls_friction_options, k_t), friction == DLS_FRICTION_SPRING_SLIDER},
              {FRICTION + offsetof(dls_friction_options, sigma), friction == DLS_FRICTION_DAHL},
              {FRICTION + offsetof(dls_friction_options, sigma0), friction == DLS_FRICTION_LUGRE},
              {FRICTION + offsetof(dls_friction_options, sigma1), friction == DLS_FRICTION_LUGRE},
              {FRICTION + offsetof(dls_friction_options, sigma2), friction == DLS_FRICTION_LUGRE},
              {FRICTION + offsetof(dls_friction_options, v_s), friction == DLS_FRICTION_LUGRE},
              {FRICTION + offsetof(dls_friction_options, fs), friction == DLS_FRICTION_LUGRE}};
  for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
    unused[count] = uses[i].field;
    count += !uses[i].used;
  }
  char with[100];
  snprintf(with, sizeof with, "law=%s,damping=%s,friction=%s", laws[opt->law], dampings[opt->damping],
           dls_friction_models[friction]);
  const dls_status status = dls_option_unused(table, opt, "scheme spring-damper", count, unused, with, err);
  return status != DLS_OK ? status : dls_continuum_check(self, opt, err);
}

static void finish(dls_sim *sim)
{
  damper_memory *s = sim->memory;
  if (s != NULL) {
    free(s->ratio);
  }
  dls_penalty_finish(sim);
}

static dls_status choose_damping(dls_sim *sim, damper_memory *s, dls_error *err)
{
  const damper_options *opt = sim->options;
  const bool hertz = opt->law == HUNT_CROSSLEY;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double e = sim->sys->e[j];
    if (opt->damping == GIVEN) {
      s->damping[j] = hertz ? opt->lambda : opt->c;
      continue;
    }
    if (e == 0) {
      char name[80];
      dls_contact_name(sim->sys, j, name, sizeof name);
      return dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                          "%s has e = 0, which no finite damper attains; use damping=given and %s=...", name,
                          hertz ? "lambda" : "c");
    }
    s->ratio[j] = hertz ? dls_hunt_crossley_ratio(e)
                        : 2 * dls_kelvin_voigt_ratio(e, opt->tension != 0); /* x(e), or 2 zeta(e) */
    s->damping[j] = hertz ? 0 : damper(sim, s, j);                          /* lambda waits for |u-|; c */
  }
  return DLS_OK;
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_penalty_law *law = options(sim)->law == HUNT_CROSSLEY ? &hunt_crossley_law : &kelvin_voigt_law;
  dls_status status = dls_penalty_create(sim, sizeof(damper_memory), law, (dls_penalty_mass){0}, err);
  if (status != DLS_OK) {
    return status;
  }
  damper_memory *s = sim->memory;
  s->ratio = calloc(2 * sim->sys->m + 1, sizeof *s->ratio);
  if (s->ratio == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sim->sys->m);
  }
  s->damping = s->ratio + sim->sys->m;
  if (s->step.dry != NULL) {
    s->step.dry->opt = options(sim)->friction;
  }
  status = choose_damping(sim, s, err);
  return status != DLS_OK ? status : dls_penalty_begin(sim, err);
}

/* With the damping of (3) for this contact and impact. */
static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const damper_options *opt = given;
  const bool hertz = opt->law == HUNT_CROSSLEY;
  if (opt->damping == FROM_RESTITUTION && !(contact->e > 0)) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "scheme %s: e = 0, which no finite damper attains",
                    self->name);
  }
  out->law = hertz ? DLS_COMPLIANCE_HUNT_CROSSLEY : DLS_COMPLIANCE_KELVIN_VOIGT;
  out->pulls = !hertz && opt->tension != 0;
  out->k = opt->k;
  out->p = hertz ? opt->n : 1;
  out->friction = opt->friction.friction == DLS_FRICTION_COULOMB ? DLS_LIMIT_COULOMB
                  : opt->friction.friction == DLS_FRICTION_TANH  ? DLS_LIMIT_TANH
                                                                 : DLS_LIMIT_FRICTION_UNKNOWN;
  out->eps = opt->friction.eps;
  if (opt->damping == GIVEN) {
    out->c = hertz ? opt->lambda : opt->c;
  } else {
    out->c = hertz
                 ? dls_hunt_crossley_ratio(contact->e) / fmax(contact->speed, opt->slowest * contact->velocity)
                 : 2 * dls_kelvin_voigt_ratio(contact->e, out->pulls) * sqrt(opt->k / contact->inverse_mass);
  }
  return DLS_OK;
}

const dls_scheme dls_scheme_spring_damper = {
    .name = "spring-damper",
    .family = DLS_FAMILY_PENALTY,
    .summary = "contact by a spring and a damper, Kelvin-Voigt or Hunt-Crossley",
    .source = "K. Hunt & F. Crossley 1975; T. Schwager & T. Poschel 2007; M. Gonthier et al. 2004",
    .equations = "M a' = F + H f as in standard-penalty, with the penetration d = -g >= 0 and\n"
                 "kelvin-voigt:  f = k d + c d', 0 where it would pull (tension=off) or d < 0\n"
                 "hunt-crossley: f = k d^n (1 + lambda d'), 0 where it would pull or d < 0\n"
                 "damping=restitution, W = H^T M^-1 H:\n"
                 "kelvin-voigt:  c = 2 zeta sqrt(k/W_jj),  zeta = sin(phi):  e = exp(-(pi - 2 phi) tan(phi)),\n"
                 "               tension=on:  e = exp(-pi zeta/sqrt(1 - zeta^2))\n"
                 "hunt-crossley: lambda = x/|u-|,  ln((1 + x)/(1 - e x)) = (1 + e) x\n"
                 "friction, F = mu f, slip u:\n"
                 "coulomb:       u = 0, or r = -F u/|u|;   tanh: r = -F tanh(|u|/eps) u/|u|\n"
                 "spring-slider: dz/dt = u,  r = -min(k_t |z|, F) z/|z|;   dahl: dr/dt = -sigma (u + |u| r/F)\n"
                 "lugre:         dz/dt = u - sigma0 |u| z/s,  s = F (1 + (fs - 1) exp(-(|u|/v_s)^2)),\n"
                 "               r = -(sigma0 z + sigma1 dz/dt + sigma2 u)\n",
    .remarks =
        "The restitution coefficient e is attained for the impact of one mass on one contact, when steps "
        "resolve it:\n"
        "h well below its duration, about pi sqrt(m/k). In chains and elastic bodies it is not.\n"
        "A body at rest sinks in by (force/k)^(1/n) and comes to rest there. Kelvin-Voigt sets in with "
        "a jump of the\n"
        "force, c |u-|; without tension its contact ends before the gap opens. Order 2 between contact "
        "events.\n",
    .options = table,
    .options_size = sizeof(damper_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .check = check,
    .start = start,
    .advance = dls_penalty_advance,
    .finish = finish,
    .balance = &dls_balance_standard_penalty,
    .limit = {.kind = DLS_LIMIT_COMPLIANT,
              .text = "springs and dampers, with the damping for the restitution coefficient of the model",
              .model = limit},
};
