/* sap.c -- the semi-analytic primal contact of Drake: soft_cone.h with
 *   v^_N = -phi/(h + tau),  v^_T = 0,  R_N = max(beta^2/(4 pi^2) w, 1/(h k (h + tau))),  R_T = sigma w
 * on contacts with phi = g < 0. One contact without friction: a spring k and a damper k tau that never pull, implicit in both; above
 * h (h + tau) k w = 4 pi^2/beta^2 a softer one. w is the root mean square of the eigenvalues of the contact's block of W, 1/m for a
 * point mass; Drake divides the Frobenius norm of 3 x 3 blocks by 3 instead of sqrt(3).
 * Source: A. Castro, F. Permenter & X. Han 2022.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/compliance.h"
#include "time_stepping/soft/balance_soft.h"
#include "time_stepping/soft/convex_minimisation.h"
#include "time_stepping/soft/soft_cone.h"
#include "time_stepping/soft/soft_equations.h"
#include "time_stepping/soft/thresholds.h"
#include "time_stepping/step/own_restitution.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct sap_options {
  double point_stiffness, relaxation_time, beta, sigma, envelope;
  int restitution;
  dls_newton_options newton;
} sap_options;
#define REAL(field, unit, help, initial, min, max, open)                                                       \
  DLS_REAL_OPTION(0, sap_options, field, unit, help, initial, min, max, open)
static const dls_option table[] = {
    REAL(point_stiffness, "N/m", "stiffness k of a contact", 1e6, 0, DBL_MAX, DLS_OPEN_MIN),
    REAL(relaxation_time, "s", "dissipation: the damper is k relaxation_time", 0.1, 0, DBL_MAX, 0),
    REAL(beta, "1", "near-rigid threshold: no period below beta sqrt(h (h + relaxation_time)); 0: no bound", 1,
         0, 1e3, 0),
    REAL(sigma, "1", "regularisation of friction, R_T = sigma w", 1e-3, 0, DBL_MAX, DLS_OPEN_MIN),
    REAL(envelope, "m", "contacts with a smaller gap are kept in the problem; Drake has 0", 0, 0, DBL_MAX, 0),
    DLS_FIT_RESTITUTION_OPTION(0, sap_options),
    DLS_SOFT_NEWTON_OPTIONS(0, sap_options),
    {0},
};

typedef struct sap_memory {
  dls_soft soft;
  double *ratio; /* m: zeta(e) of restitution=fit; NULL without */
} sap_memory;

/* tau for which one contact with inverse mass W has the damping ratio zeta. */
static double fitted(const sap_options *opt, double zeta, double W)
{
  return 2 * zeta / sqrt(opt->point_stiffness * W);
}

static void begin(dls_sim *sim, const dls_soft_contact *at, void *law)
{
  const sap_options *opt = sim->options;
  const double *ratio = ((const sap_memory *)sim->memory)->ratio;
  const double tau = ratio != NULL ? fitted(opt, ratio[at->j], at->W_N) : opt->relaxation_time;
  *(dls_soft_cone *)law = (dls_soft_cone){
      .target = {DLS_SAP_TARGET(at->gap, at->h, tau)},
      .R_N = fmax(DLS_SAP_NEAR_RIGID(opt->beta, at->w), DLS_SAP_COMPLIANCE(at->h, opt->point_stiffness, tau)),
      .R_T = opt->sigma * at->w,
      .mu = dls_law_has_friction(sim->sys, at->j) ? sim->sys->mu[at->j] : 0};
}

static double potential(const dls_sim *sim, size_t j, double g)
{
  (void)j;
  return g < 0 ? 0.5 * ((const sap_options *)sim->options)->point_stiffness * g * g : 0;
}

static const dls_soft_law law = {
    .size = sizeof(dls_soft_cone), .impulse = dls_soft_cone_impulse, .begin = begin, .potential = potential};

/* Damping ratio of one contact with inverse mass W: the damper k tau over 2 sqrt(k/W). */
static double ratio_of(const sap_options *opt, double tau, double W)
{
  return 0.5 * tau * sqrt(opt->point_stiffness * W);
}

static double own_e(const dls_sim *sim, size_t j, char *text, size_t size)
{
  const sap_options *opt = sim->options;
  if (sim->memory == NULL) {
    snprintf(text, size, "that of relaxation_time = %g s, which depends on the mass", opt->relaxation_time);
    return NAN;
  }
  sap_memory *s = sim->memory;
  const double e = dls_kelvin_voigt_restitution(
      ratio_of(opt, opt->relaxation_time, dls_soft_inverse_mass(&s->soft, j)), false);
  snprintf(text, size, "%.3g, for relaxation_time = %g s", e, opt->relaxation_time);
  return e;
}

static const dls_own_restitution own = {.e = own_e, .fits = true};

static void finish(dls_sim *sim)
{
  sap_memory *s = sim->memory;
  if (s != NULL) {
    free(s->ratio);
  }
  dls_soft_finish(sim);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const sap_options *opt = sim->options;
  dls_status status = dls_soft_create(sim, sizeof(sap_memory), &law, opt->envelope, &opt->newton, err);
  if (status != DLS_OK) {
    return status;
  }
  sap_memory *s = sim->memory;
  status = dls_own_restitution_check(sim, &own, opt->restitution, err);
  if (status != DLS_OK || opt->restitution != DLS_RESTITUTION_FIT) {
    return status;
  }
  s->ratio = calloc(sim->sys->m + 1, sizeof *s->ratio);
  if (s->ratio == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sim->sys->m);
  }
  for (size_t j = 0; j < sim->sys->m && status == DLS_OK; j++) {
    double e = 1;
    status = dls_soft_fitted(sim, j, &e, err);
    s->ratio[j] = status == DLS_OK ? dls_kelvin_voigt_ratio(e, false) : 0;
  }
  return status;
}

static void note(const dls_sim *sim, char *text, size_t size)
{
  dls_own_restitution_note(sim, &own, ((const sap_options *)sim->options)->restitution, text, size);
}

static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const sap_options *opt = given;
  const bool fits = opt->restitution == DLS_RESTITUTION_FIT;
  if (fits && !(contact->e > 0)) {
    return dls_soft_cannot_fit(self, err);
  }
  if (opt->envelope > 0) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "scheme %s: with envelope = %g m contacts act before they touch, and the limit model is "
                    "not known; envelope=0 has one",
                    self->name, opt->envelope);
  }
  out->law = DLS_COMPLIANCE_KELVIN_VOIGT;
  out->lifts = true;
  out->k = opt->point_stiffness;
  out->c = opt->point_stiffness *
           (fits ? fitted(opt, dls_kelvin_voigt_ratio(contact->e, false), contact->inverse_mass)
                 : opt->relaxation_time);
  return DLS_OK;
}

const dls_scheme dls_scheme_sap = {
    .name = "sap",
    .family = DLS_FAMILY_SOFT,
    .summary = "soft contact of Drake: convex, springs and dampers with regularised friction",
    .source = "A. Castro, F. Permenter, X. Han 2022",
    .equations =
        "v' = argmin 1/2 |v' - v_free|_M^2 + sum of l_j(u_j),   v_free = v + h M^-1 F(t, q, v),   q' = q + h "
        "v'\n"
        "contacts with phi = g < envelope:  gamma = P_K^R(R^-1 (v^ - u')) = -dl_j/du'\n"
        "v^_N = -phi/(h + tau),  v^_T = 0,  R_N = max(beta^2/(4 pi^2) w, 1/(h k (h + tau))),  R_T = sigma w\n"
        "k: point_stiffness, tau: relaxation_time, w^2: mean square of the eigenvalues\n"
        "of the contact's block of W = H^T M^-1 H\n"
        "stick: |y_T| <= mu y_N, y = R^-1 (v^ - u');   open: y_N <= -mu^ |y_T|, mu^ = mu R_T/R_N\n"
        "slip:  gamma_N = (y_N + mu^ |y_T|)/(1 + mu mu^),  gamma_T = mu gamma_N y_T/|y_T|\n",
    .remarks =
        "The defaults are a stiffness, 1e6 N/m, and a time, 0.1 s. They do not scale with the problem: the\n"
        "damping ratio is tau sqrt(k/m)/2 = 50 for 1 kg, so that e is about 1e-4. restitution=fit sets\n"
        "tau = 2 zeta(e) sqrt(m/k), with which e is that of the model.\n"
        "The depth at rest is the larger one of a m/k and a h (h + tau) beta^2/(4 pi^2). For 1 kg the second\n"
        "one is larger from h = 0.4 ms on: there the step decides the stiffness. A sticking contact creeps\n"
        "with u = sigma h a_T.\n"
        "Slip lifts the body by mu (h + tau) |u_T|, with the default tau by 0.1 s mu |u_T| for every h: it "
        "hops.\n"
        "Order 1 begins for h well below sqrt(m/k). For longer steps undamped contact loses its rebound.\n"
        "Other forces are explicit: h omega < 2.\n",
    .options = table,
    .options_size = sizeof(sap_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_JOINTS | DLS_HANDLES_ANY_STEP,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .start = start,
    .advance = dls_soft_advance,
    .finish = finish,
    .balance = &dls_balance_soft,
    .thresholds = dls_soft_thresholds,
    .limit = {.kind = DLS_LIMIT_COMPLIANT,
              .text = "a spring point_stiffness and a damper point_stiffness relaxation_time that never pull",
              .model = limit},
    .note = note,
};
