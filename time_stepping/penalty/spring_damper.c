/* spring_damper.c -- contact by a spring and a damper side by side, with the penetration d = -g >= 0:
 *   Kelvin-Voigt   f = k d + c d',   held at 0 where it would pull, unless tension=on
 *   Hunt-Crossley  f = k d^n (1 + lambda d')
 * c and lambda are given, or chosen from the restitution coefficient e of the model for one mass:
 *   c = 2 zeta(e) sqrt(k/W_jj),   W = H^T M^-1 H;   lambda = x(e)/|u-|,   both for each impact.
 * Kelvin-Voigt sets in with the force c |u-|: there the gap is held at 0 for a step if need be.
 * Sources: Hunt & Crossley 1975; Schwager & Poschel 2007; contact_damping.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/balance_penalty.h"
#include "time_stepping/penalty/contact_damping.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KELVIN_VOIGT, HUNT_CROSSLEY };
enum { FROM_RESTITUTION, GIVEN };
static const char *const laws[] = {"kelvin-voigt", "hunt-crossley", NULL};
static const char *const dampings[] = {"restitution", "given", NULL};

enum { LAW = DLS_CONTINUUM_COUNT, K, EXPONENT, DAMPING, C, LAMBDA, TENSION, SLOWEST, NEWTON };
static const dls_option options[] = {
    DLS_CONTINUUM_OPTIONS,
    [LAW] = {"law", "", "force over penetration and its rate", 0, 0, 1, DLS_CHOICE, 0, laws},
    [K] = {"k", "N/m^n", "stiffness; n = 1 for kelvin-voigt", 1e6, 0, DBL_MAX, DLS_REAL, DLS_OPEN_MIN, NULL},
    [EXPONENT] = {"n", "1", "hunt-crossley: exponent of the penetration; 3/2: Hertz", 1.5, 1, 4, DLS_REAL, 0,
                  NULL},
    [DAMPING] = {"damping", "", "restitution: from the model's coefficient e, for one mass; given: c or lambda",
                 0, 0, 1, DLS_CHOICE, 0, dampings},
    [C] = {"c", "N s/m", "kelvin-voigt, damping=given: damper", 0, 0, DBL_MAX, DLS_REAL, 0, NULL},
    [LAMBDA] = {"lambda", "s/m", "hunt-crossley, damping=given: damping factor", 0, 0, DBL_MAX, DLS_REAL, 0,
                NULL},
    [TENSION] = {"tension", "", "kelvin-voigt: may the contact pull before it opens?", 0, 0, 1, DLS_CHOICE, 0,
                 dls_off_on},
    [SLOWEST] =
        {"slowest", "v_s",
         "hunt-crossley, damping=restitution: slower impacts have the lambda of this speed, in units of the "
         "velocity scale",
         1e-3, 0, 1, DLS_REAL, DLS_OPEN_MIN, NULL},
    [NEWTON] = DLS_PENALTY_NEWTON_OPTIONS,
    {0},
};

typedef struct damper_memory {
  dls_penalty step;
  double *ratio;   /* m: lambda |u-| of hunt-crossley, 2 zeta of kelvin-voigt */
  double *damping; /* m: c or lambda */
} damper_memory;

static double rate_at(const damper_memory *s, size_t j, double y)
{
  return s->step.rate[j] + s->step.rate_slope * (y - s->step.contact.y_free[j]);
}

static double kelvin_voigt(dls_sim *sim, size_t j, double y, double *slope)
{
  const damper_memory *s = sim->memory;
  const double k = sim->opt[K];
  const double f = -k * y - s->damping[j] * rate_at(s, j, y);
  const bool closed = y <= 0 && (f > 0 || sim->opt[TENSION] != 0);
  *slope = closed ? k + s->damping[j] * s->step.rate_slope : 0;
  return closed ? f : 0;
}

static double onset(const dls_sim *sim, size_t j)
{
  const damper_memory *s = sim->memory;
  return fmax(-s->damping[j] * rate_at(s, j, 0), 0);
}

static double hunt_crossley(dls_sim *sim, size_t j, double y, double *slope)
{
  const damper_memory *s = sim->memory;
  const double lambda = s->damping[j];
  const double n = sim->opt[EXPONENT];
  const double factor = 1 - lambda * rate_at(s, j, y);
  *slope = 0;
  if (!(y < 0 && factor > 0)) {
    return 0;
  }
  const double spring = sim->opt[K] * pow(-y, n);
  *slope = spring * (n * factor / -y + lambda * s->step.rate_slope);
  return spring * factor;
}

/* H_j^T M^-1 H_j */
static double inverse_mass(const dls_sim *sim, damper_memory *s, size_t j)
{
  double *x = s->step.rhs;
  memset(x, 0, sim->sys->n * sizeof *x);
  dls_matrix_column_add(s->step.place.normals, j, 1, x);
  dls_factor_solve(s->step.M, x);
  return dls_matrix_column_dot(s->step.place.normals, j, x);
}

/* c that makes e for the mass that contact j feels here; where that is infinite, damping does nothing. */
static double damper(const dls_sim *sim, damper_memory *s, size_t j)
{
  const double W = inverse_mass(sim, s, j);
  return W > 0 ? s->ratio[j] * sqrt(sim->opt[K] / W) : 0;
}

/* The damping of an impact that this step may begin. */
static dls_status begin(dls_sim *sim, dls_error *err)
{
  damper_memory *s = sim->memory;
  const dls_system *sys = sim->sys;
  const double slowest = sim->opt[SLOWEST] * sys->length / sys->time;
  const bool hertz = sim->opt[LAW] == HUNT_CROSSLEY;
  if (s->step.place.mass_varies && !hertz) {
    dls_factor_touch(s->step.M);
    const dls_status status = dls_factor_sum(s->step.M, (const double[]){1}, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  for (size_t j = 0; j < sys->m && sim->opt[DAMPING] == FROM_RESTITUTION; j++) {
    if (s->step.touches[j]) {
      continue;
    }
    if (hertz) {
      s->damping[j] = s->ratio[j] / fmax(-s->step.u_begin[j], slowest);
    } else if (!sys->linear && s->step.u_begin[j] < 0) {
      s->damping[j] = damper(sim, s, j);
    }
  }
  return DLS_OK;
}

static double kelvin_voigt_energy(const dls_sim *sim, size_t j, double g)
{
  (void)j;
  return dls_penalty_energy(sim->opt[K], g);
}

static double hunt_crossley_energy(const dls_sim *sim, size_t j, double g)
{
  const double n = sim->opt[EXPONENT];
  (void)j;
  return g < 0 ? sim->opt[K] * pow(-g, n + 1) / (n + 1) : 0;
}

static const dls_penalty_law kelvin_voigt_law = {
    .at = {.force = kelvin_voigt, .onset = onset}, .potential = kelvin_voigt_energy, .begin = begin};
static const dls_penalty_law hunt_crossley_law = {
    .at = {.force = hunt_crossley}, .potential = hunt_crossley_energy, .begin = begin};

/* A value that would have no effect is a mistake. */
static dls_status check(const double *opt, dls_error *err)
{
  const bool hertz = opt[LAW] == HUNT_CROSSLEY;
  const bool given = opt[DAMPING] == GIVEN;
  const struct {
    int option;
    bool used;
  } uses[] = {{EXPONENT, hertz},
              {C, !hertz && given},
              {LAMBDA, hertz && given},
              {TENSION, !hertz},
              {SLOWEST, hertz && !given}};
  for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
    const int o = uses[i].option;
    if (!uses[i].used && opt[o] != options[o].initial) {
      return dls_fail(err, DLS_ERR_OPTION, "scheme spring-damper: %s = %g has no effect with law=%s,damping=%s",
                      options[o].name, opt[o], laws[(int)opt[LAW]], dampings[(int)opt[DAMPING]]);
    }
  }
  return dls_continuum_check("spring-damper", options, opt, err);
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
  const double *opt = sim->opt;
  const bool hertz = opt[LAW] == HUNT_CROSSLEY;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double e = sim->sys->e[j];
    if (opt[DAMPING] == GIVEN) {
      s->damping[j] = opt[hertz ? LAMBDA : C];
      continue;
    }
    if (e == 0) {
      char name[80];
      dls_contact_name(sim->sys, j, name, sizeof name);
      return dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                          "%s has e = 0, which no finite damper makes; say damping=given and %s=...", name,
                          hertz ? "lambda" : "c");
    }
    s->ratio[j] = hertz ? dls_hunt_crossley_ratio(e) : 2 * dls_kelvin_voigt_ratio(e, opt[TENSION] != 0);
    s->damping[j] = hertz ? 0 : damper(sim, s, j);
  }
  return DLS_OK;
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_penalty_law *law = sim->opt[LAW] == HUNT_CROSSLEY ? &hunt_crossley_law : &kelvin_voigt_law;
  dls_status status = dls_penalty_create(sim, sizeof(damper_memory), law, NEWTON, 0, err);
  if (status != DLS_OK) {
    return status;
  }
  damper_memory *s = sim->memory;
  s->ratio = calloc(2 * sim->sys->m + 1, sizeof *s->ratio);
  if (s->ratio == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sim->sys->m);
  }
  s->damping = s->ratio + sim->sys->m;
  status = choose_damping(sim, s, err);
  return status != DLS_OK ? status : dls_penalty_begin(sim, err);
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
                 "hunt-crossley: lambda = x/|u-|,  ln((1 + x)/(1 - e x)) = (1 + e) x\n",
    .remarks = "The restitution coefficient e is met for the impact of one mass on one contact, when steps "
               "resolve it:\n"
               "h well below its duration, about pi sqrt(m/k). In chains, and of elastic bodies, the outcome "
               "is another.\n"
               "A body at rest sinks in by (force/k)^(1/n) and comes to rest there. Kelvin-Voigt sets in with "
               "a jump of the\n"
               "force, c |u-|; without tension its contact ends before the gap opens. Order 2 between contact "
               "events.\n",
    .options = options,
    .stepping = DLS_BY_STEP,
    .moving_gaps = true,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .check = check,
    .start = start,
    .advance = dls_penalty_advance,
    .finish = finish,
    .balance = &dls_balance_standard_penalty,
};
