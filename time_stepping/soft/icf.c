/* icf.c -- irrotational contact fields, the lagged contact of Drake, with the step control of CENIC:
 *   gamma_N = h (f_0 - h k u_N)_+ (1 - d u_N)_+,   f_0 = -k phi                                  Hunt & Crossley
 *   gamma_T = -mu n_0 u_T/sqrt(|u_T|^2 + eps^2),   n_0 = h f_0 (1 - d u_N)_+ where the step begins
 *   eps = max(stiction_tolerance, mu n_0 sigma 2.65 w)
 * on contacts with phi = g < 0. Friction has the normal impulse of the step's start, so that gamma is a gradient and slip does not lift.
 * 2.65 = sqrt(7) is that of a sphere, whose point of contact yields more than its centre; w as in sap.c.
 * CENIC: one step h and two of h/2; the error is the largest difference of their positions, the result is that of the two, and
 * h' = h clip(0.9 sqrt(accuracy/error), 0.1, 5).
 * Sources: A. Castro, X. Han & J. Masterjohn 2023; V. Kurtz & A. Castro 2025.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "common/contact/compliance.h"
#include "time_stepping/soft/balance_soft.h"
#include "time_stepping/soft/convex_minimisation.h"
#include "time_stepping/soft/soft_equations.h"
#include "time_stepping/soft/thresholds.h"
#include "time_stepping/step/own_restitution.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct icf_options {
  double point_stiffness, hunt_crossley_dissipation, stiction_tolerance, sigma, accuracy;
  int restitution;
  dls_newton_options newton;
} icf_options;
#define REAL(field, unit, help, initial, min, max, open)                                                       \
  DLS_REAL_OPTION(0, icf_options, field, unit, help, initial, min, max, open)
static const dls_option table[] = {
    REAL(point_stiffness, "N/m", "stiffness k of a contact", 1e6, 0, DBL_MAX, DLS_OPEN_MIN),
    REAL(hunt_crossley_dissipation, "s/m", "damping d of a contact", 50, 0, DBL_MAX, 0),
    REAL(stiction_tolerance, "m/s", "slip at which friction has 1/sqrt(2) of its bound", 1e-4, 0, DBL_MAX,
         DLS_OPEN_MIN),
    REAL(sigma, "1", "regularisation of friction, as in sap", 1e-3, 0, DBL_MAX, 0),
    REAL(accuracy, "m",
         "step control of CENIC: bound of the error of positions in a step, which is at most --step long; "
         "Drake has 1e-3. 0: all steps have the length --step",
         0, 0, DBL_MAX, 0),
    DLS_FIT_RESTITUTION_OPTION(0, icf_options),
    DLS_SOFT_NEWTON_OPTIONS(0, icf_options),
    {0},
};

static const double sphere = 2.65; /* factor of w in eps */

/** The law of a contact in a step. */
typedef struct patch {
  double h, k, d, f0, n0, eps, mu;
} patch;

typedef struct icf_memory {
  dls_soft soft;
  double *d, *ratio;                /* m: damping; d |u-| of restitution=fit */
  double *d_before, *gap, *impulse; /* CENIC: m, m, rows: before the trial; at its middle; of its two halves */
  double *q_half, *v_half, *q_full; /* n */
  double h_next;                    /* 0: none yet */
  double *block;
} icf_memory;

static void begin(dls_sim *sim, const dls_soft_contact *at, void *law)
{
  const icf_options *opt = sim->options;
  const double d = ((const icf_memory *)sim->memory)->d[at->j];
  patch *p = law;
  *p = (patch){.h = at->h, .k = opt->point_stiffness, .d = d, .f0 = -opt->point_stiffness * at->gap};
  p->mu = dls_law_has_friction(sim->sys, at->j) ? sim->sys->mu[at->j] : 0;
  p->n0 = DLS_ICF_IMPULSE(p->h, p->f0, fmax(DLS_ICF_DAMPING(d, at->u[0]), 0));
  p->eps = fmax(opt->stiction_tolerance, p->mu * p->n0 * opt->sigma * sphere * at->w);
}

static bool impulse_of(const void *law, size_t d, const double *u, double *gamma, double *D)
{
  const patch *p = law;
  const double spring = DLS_ICF_SPRING(p->f0, p->h, p->k, u[0]), damping = DLS_ICF_DAMPING(p->d, u[0]);
  const bool pushes = spring > 0 && damping > 0;
  double slip = p->eps;
  for (size_t i = 1; i < d; i++) {
    slip = hypot(slip, u[i]);
  }
  gamma[0] = pushes ? DLS_ICF_IMPULSE(p->h, spring, damping) : 0;
  for (size_t i = 1; i < d; i++) {
    gamma[i] = -p->mu * p->n0 * u[i] / slip;
  }
  if (D != NULL) {
    memset(D, 0, 9 * sizeof *D);
    D[0] = pushes ? p->h * (p->h * p->k * damping + p->d * spring) : 0;
    for (size_t i = 1; i < d; i++) {
      for (size_t k = 1; k < d; k++) {
        D[i + 3 * k] = p->mu * p->n0 / slip * ((i == k) - u[i] / slip * (u[k] / slip));
      }
    }
  }
  return p->mu > 0 && p->eps < sqrt(1 - threshold_slip_share * threshold_slip_share) *
                                   slip; /* |u_T|/slip > threshold_slip_share */
}

static double potential(const dls_sim *sim, size_t j, double g)
{
  (void)j;
  return g < 0 ? 0.5 * ((const icf_options *)sim->options)->point_stiffness * g * g : 0;
}

static const dls_soft_law law = {
    .size = sizeof(patch), .impulse = impulse_of, .begin = begin, .potential = potential};

/* restitution=fit: the damping of an impact that begins in a step from gaps and velocities. */
static void fit(const dls_sim *sim, icf_memory *s, const double *gap, const double *v)
{
  const icf_options *opt = sim->options;
  const double least = threshold_slowest_fit * sim->sys->length / sim->sys->time;
  for (size_t j = 0; opt->restitution == DLS_RESTITUTION_FIT && j < sim->sys->m; j++) {
    if (gap[j] >= 0) {
      const double u = dls_configuration_row(s->soft.contacts.config, sim->sys->d * j, v);
      s->d[j] = s->ratio[j] / fmax(fabs(u), least);
    }
  }
}

static double own_e(const dls_sim *sim, size_t j, char *text, size_t size)
{
  const icf_options *opt = sim->options;
  (void)j;
  if (opt->hunt_crossley_dissipation == 0) {
    snprintf(text, size, "1, for hunt_crossley_dissipation = 0");
    return 1;
  }
  snprintf(text, size, "about 1/(%g s/m |u-|), for hunt_crossley_dissipation", opt->hunt_crossley_dissipation);
  return NAN;
}

static const dls_own_restitution own = {.e = own_e, .fits = true};

static void finish(dls_sim *sim)
{
  icf_memory *s = sim->memory;
  if (s != NULL) {
    free(s->block);
  }
  dls_soft_finish(sim);
}

/* An accuracy below the rounding of positions shrinks every step without end. */
static dls_status check_accuracy(const dls_sim *sim, double accuracy, dls_error *err)
{
  double largest = sim->sys->length;
  for (size_t i = 0; i < sim->sys->n; i++) {
    largest = fmax(largest, fabs(sim->q[i]));
  }
  const double least = threshold_least_accuracy * largest;
  return accuracy == 0 || accuracy >= least
             ? DLS_OK
             : dls_sim_fail(
                   sim, err, DLS_ERR_OPTION,
                   "accuracy = %g m is below the rounding of positions of %g m; it may be 0, or at least "
                   "%.2g m",
                   accuracy, largest, least);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const icf_options *opt = sim->options;
  const dls_system *sys = sim->sys;
  dls_status status = check_accuracy(sim, opt->accuracy, err);
  if (status != DLS_OK ||
      (status = dls_soft_create(sim, sizeof(icf_memory), &law, 0, &opt->newton, err)) != DLS_OK) {
    return status;
  }
  icf_memory *s = sim->memory;
  s->block = dls_arrays((const dls_slot[]){{sys->m, {&s->d, &s->ratio, &s->d_before, &s->gap}},
                                           {sys->d * sys->m, {&s->impulse}},
                                           {sys->n, {&s->q_half, &s->v_half, &s->q_full}},
                                           {0}});
  if (s->block == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m);
  }
  status = dls_own_restitution_check(sim, &own, opt->restitution, err);
  for (size_t j = 0; j < sys->m && status == DLS_OK; j++) {
    double e = 1;
    s->d[j] = opt->hunt_crossley_dissipation;
    if (opt->restitution == DLS_RESTITUTION_FIT && (status = dls_soft_fitted(sim, j, &e, err)) == DLS_OK) {
      const double least = threshold_slowest_fit * sys->length / sys->time;
      s->ratio[j] = dls_hunt_crossley_ratio(e);
      s->d[j] =
          s->ratio[j] / fmax(fabs(dls_configuration_row(s->soft.contacts.config, sys->d * j, sim->v)), least);
    }
  }
  return status;
}

/* One step h, and two of h/2, from the state of the sim. @param[out] error  largest difference of positions [m] */
static dls_status trial(dls_sim *sim, icf_memory *s, double h, double t_next, double *error, dls_error *err)
{
  const size_t n = sim->sys->n, rows = sim->sys->d * sim->sys->m;
  const double t_half = sim->t + 0.5 * h;
  dls_soft *soft = &s->soft;
  dls_soft_from from = {.t = sim->t, .h = h, .q = sim->q, .v = sim->v, .gap = sim->g};
  memcpy(s->d, s->d_before, sim->sys->m * sizeof *s->d);
  fit(sim, s, sim->g, sim->v);
  dls_status status = dls_soft_solve(sim, soft, &from, t_next, err);
  if (status != DLS_OK) {
    return status;
  }
  memcpy(s->q_full, soft->q_next, n * sizeof *s->q_full);
  from.h = 0.5 * h;
  if ((status = dls_soft_solve(sim, soft, &from, t_half, err)) != DLS_OK) {
    return status;
  }
  memcpy(s->q_half, soft->q_next, n * sizeof *s->q_half);
  memcpy(s->v_half, soft->v_next, n * sizeof *s->v_half);
  memcpy(s->impulse, soft->impulse, rows * sizeof *s->impulse);
  dls_system_gap(sim->sys, t_half, s->q_half, s->gap);
  fit(sim, s, s->gap, s->v_half);
  from = (dls_soft_from){.t = t_half, .h = 0.5 * h, .q = s->q_half, .v = s->v_half, .gap = s->gap};
  status = dls_soft_solve(sim, soft, &from, t_next, err);
  *error = 0;
  for (size_t i = 0; i < n; i++) {
    *error = dls_larger(*error, fabs(soft->q_next[i] - s->q_full[i]));
  }
  for (size_t k = 0; k < rows; k++) {
    s->impulse[k] += soft->impulse[k];
  }
  return status;
}

/* Ratio of the next step length to h, for an estimate of order 2. */
static double ratio_of(double accuracy, double error)
{
  const double ratio = error > 0
                           ? fmin(fmax(threshold_step_safety * sqrt(accuracy / error), threshold_step_shrinks),
                                  threshold_step_grows)
                       : isnan(error) ? threshold_step_shrinks
                                      : threshold_step_grows;
  return error <= accuracy && ratio < threshold_step_keeps ? 1 : ratio;
}

/* One step of CENIC within a step of length h. */
static dls_status controlled(dls_sim *sim, icf_memory *s, double h, dls_error *err)
{
  const double accuracy = ((const icf_options *)sim->options)->accuracy;
  const double end = dls_sim_next_time(sim, h), rest = end - sim->t;
  double trying = s->h_next > 0 ? fmin(s->h_next, h) : h;
  memcpy(s->d_before, s->d, sim->sys->m * sizeof *s->d);
  for (;;) {
    const bool last = trying >= threshold_step_rest * rest; /* no tiny step is left */
    const double step = last ? rest : trying, t_next = last ? end : sim->t + step;
    double error;
    const dls_status status = trial(sim, s, step, t_next, &error, err);
    if (status != DLS_OK) {
      return status;
    }
    const double next = step * ratio_of(accuracy, error);
    const bool forced = !(error <= accuracy) && step <= threshold_shortest_step * h;
    if (error <= accuracy || forced) {
      sim->work.forced += forced;
      s->h_next = last && next < trying ? trying : next; /* after a shortened step the longer length is kept */
      dls_soft_take(sim, &s->soft, t_next, step, s->impulse);
      sim->t = t_next;
      return DLS_OK;
    }
    sim->work.rejected++;
    trying = next;
  }
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  icf_memory *s = sim->memory;
  if (((const icf_options *)sim->options)->accuracy > 0) {
    return controlled(sim, s, h, err);
  }
  fit(sim, s, sim->g, sim->v);
  const dls_status status = dls_soft_advance(sim, h, err);
  sim->t = status == DLS_OK ? dls_sim_next_time(sim, h) : sim->t;
  return status;
}

static void note(const dls_sim *sim, char *text, size_t size)
{
  dls_own_restitution_note(sim, &own, ((const icf_options *)sim->options)->restitution, text, size);
}

static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const icf_options *opt = given;
  const bool fits = opt->restitution == DLS_RESTITUTION_FIT;
  if (fits && !(contact->e > 0)) {
    return dls_soft_cannot_fit(self, err);
  }
  out->law = DLS_COMPLIANCE_HUNT_CROSSLEY;
  out->friction = DLS_LIMIT_REGULARISED;
  out->eps = opt->stiction_tolerance;
  out->k = opt->point_stiffness;
  out->p = 1;
  out->c = fits ? dls_hunt_crossley_ratio(contact->e) /
                      fmax(contact->speed, threshold_slowest_fit * contact->velocity)
                : opt->hunt_crossley_dissipation;
  return DLS_OK;
}

static bool has_substeps(const dls_sim *sim)
{
  return ((const icf_options *)sim->options)->accuracy > 0;
}

const dls_scheme dls_scheme_icf = {
    .name = "icf",
    .family = DLS_FAMILY_SOFT,
    .summary =
        "lagged soft contact of Drake: convex, Hunt-Crossley, friction without lift; step control of CENIC",
    .source = "A. Castro, X. Han, J. Masterjohn 2023; V. Kurtz, A. Castro 2025",
    .equations =
        "v' = argmin 1/2 |v' - v_free|_M^2 + sum of l_j(u_j),   v_free = v + h M^-1 F(t, q, v),   q' = q + h "
        "v'\n"
        "contacts with phi = g < 0, gamma = -dl_j/du':  gamma_N = h (f_0 - h k u_N')_+ (1 - d u_N')_+\n"
        "gamma_T = -mu n_0 u_T'/sqrt(|u_T'|^2 + eps^2),  f_0 = -k phi,  n_0 = h f_0 (1 - d u_N)_+\n"
        "eps = max(stiction_tolerance, mu n_0 sigma 2.65 w),  w^2: mean square of the eigenvalues\n"
        "of the contact's block of W = H^T M^-1 H\n"
        "k: point_stiffness, d: hunt_crossley_dissipation\n"
        "accuracy > 0: h' = h clip(0.9 sqrt(accuracy/error), 0.1, 5), error: of q with h and twice h/2, "
        "largest\n",
    .remarks =
        "The defaults are a stiffness, 1e6 N/m, an inverse speed, 50 s/m, and a speed, 1e-4 m/s. They do not\n"
        "scale with the problem: an impact at |u-| has e of about 1/(50 s/m |u-|), 0.010 at 2 m/s.\n"
        "restitution=fit takes for each impact the d with d |u-| (1 + e) = ln((1 + d |u-|)/(1 - e d |u-|)).\n"
        "Impacts slower than 1e-3 v_s have the d of that speed. The depth at rest is a m/k.\n"
        "A sticking contact creeps with u = eps xi/sqrt(1 - xi^2), xi = |r_T|/(mu r_N). Slip does not lift.\n"
        "Friction has the normal impulse of the step's start. In an impact that is h k |phi| (1 + d |u-|).\n"
        "Until h resolves the contact, it exceeds the impulse by orders: slip stops, whatever mu.\n"
        "accuracy bounds errors of positions only, which an impact changes by h |dv| within a step.\n"
        "A ball with e = 1/2 by restitution=fit and k = 1e4 N/m rebounds with 0 to 0.6 at 1e-3 m, Drake's\n"
        "default. The control does not see an error that the full step and the half steps have in common,\n"
        "such as friction that stops slip.\n",
    .options = table,
    .options_size = sizeof(icf_options),
    .kind = &(const dls_soft_kind){.has_substeps = has_substeps},
    .stepping = DLS_BY_SUBSTEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_JOINTS | DLS_HANDLES_ANY_STEP,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .start = start,
    .advance = advance,
    .finish = finish,
    .balance = &dls_balance_soft,
    .thresholds = dls_soft_thresholds,
    .limit = {.kind = DLS_LIMIT_COMPLIANT,
              .text = "springs with the damping of Hunt and Crossley",
              .model = limit},
    .note = note,
};
