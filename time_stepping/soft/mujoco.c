/* mujoco.c -- the soft contact of MuJoCo: with r = g and the row u of H^T v, every contact with r < 0 has
 *   gamma = argmin over K of 1/2 gamma^T (W + R) gamma + gamma^T (u_free - v^),   v^ = u + h a_ref,
 *   a_ref = -b u - K d(r) r along the normal, -b u along tangents,  R_N = (1 - d)/d A^,  R_T = R_N/impratio
 * which is soft_cone.h. A^ = ahat W_NN: MuJoCo itself takes the mean of the three translational inverse inertias at the start.
 * One contact: u'' = max(a, (1 - d) a + d a_ref), a that without contact: a spring and a damper that never pull, with the fraction
 * 1 - d of the other forces passing through.
 * Sources: E. Todorov 2014; MuJoCo documentation, "Computation" and "Modeling".
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
#include <string.h>

enum { PYRAMIDAL, ELLIPTIC };
static const char *const cones[] = {"pyramidal", "elliptic", NULL};

typedef struct mujoco_options {
  double timeconst, dampratio, stiffness, damping;
  double d0, dwidth, width, midpoint, power;
  double impratio;
  int cone, refsafe;
  double ahat;
  int restitution;
  dls_newton_options newton;
} mujoco_options;
#define REAL(field, unit, help, initial, min, max, open)                                                       \
  DLS_REAL_OPTION(0, mujoco_options, field, unit, help, initial, min, max, open)
static const dls_option table[] = {
    REAL(timeconst, "s", "solref: time constant of the reference acceleration", 0.02, 1e-30, DBL_MAX, 0),
    REAL(dampratio, "1", "solref: damping ratio; 1 bounces with e = exp(-2)", 1, 1e-30, 1e30, 0),
    REAL(stiffness, "1/s^2",
         "direct form of solref: stiffness per inverse mass, in place of timeconst and dampratio; 0: not used",
         0, 0, DBL_MAX, 0),
    REAL(damping, "1/s", "direct form of solref: damping per inverse mass, with stiffness", 0, 0, DBL_MAX, 0),
    REAL(d0, "1", "solimp: impedance d at r = 0; the fraction of other forces that the contact takes", 0.9,
         1e-4, 0.9999, 0),
    REAL(dwidth, "1", "solimp: impedance from |r| = width on", 0.95, 1e-4, 0.9999, 0),
    REAL(width, "m", "solimp: depth over which the impedance changes", 0.001, 0, DBL_MAX, DLS_OPEN_MIN),
    REAL(midpoint, "1", "solimp: fraction of the width at which the impedance has its inflection", 0.5, 1e-4,
         0.9999, 0),
    REAL(power, "1", "solimp: power of the transition", 2, 1, 100, 0),
    REAL(impratio, "1", "ratio of the impedances of friction and of the normal", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    DLS_CHOICE_OPTION(0, mujoco_options, cone, "friction cone, or the pyramid of 2 (d - 1) edges in it",
                      PYRAMIDAL, cones),
    DLS_CHOICE_OPTION(0, mujoco_options, refsafe,
                      "a timeconst below two steps is raised to that: the model then depends on h", 1,
                      dls_off_on),
    REAL(ahat, "1", "A^ of the regularisation over W_NN: 1/3 is MuJoCo's for a mass on one slide", 1, 0,
         DBL_MAX, DLS_OPEN_MIN),
    DLS_FIT_RESTITUTION_OPTION(0, mujoco_options),
    DLS_SOFT_NEWTON_OPTIONS(0, mujoco_options),
    {0},
};

typedef struct mujoco_memory {
  dls_soft soft;
  double *ratio;     /* m: damping ratio */
  double *stiffness; /* m: of the last step */
  double raised;     /* h of the last step whose timeconst refsafe has raised, and that timeconst; 0: none */
  double raised_from;
} mujoco_memory;

static const mujoco_options *options(const dls_sim *sim)
{
  return sim->options;
}

static bool direct(const mujoco_options *opt)
{
  return opt->stiffness > 0;
}

/* Stiffness of the direct form. */
static double stiffness_of(const mujoco_options *opt)
{
  const double rate = 1 / (opt->timeconst * opt->dampratio);
  return direct(opt) ? opt->stiffness : rate * rate;
}

/* dampratio, also of the direct form. */
static double ratio_of(const mujoco_options *opt)
{
  return direct(opt) ? opt->damping / (2 * sqrt(opt->stiffness)) : opt->dampratio;
}

/* dampratio over the damping ratio of a contact without slip, with the constant impedance d: g'' = (1 - z) a + z a_ref has the frequency
 * sqrt(z K d) and the damping z b, z = W/(W + R), so that this is sqrt(d/z) = sqrt(d + (1 - d) R/(W (1 - d)/d)). Four edges of a pyramid that
 * push alike have R_pyramid/4 in place of R_N. */
static double ratio_factor(const mujoco_options *opt, double mu)
{
  const double d = opt->dwidth;
  const double edges = opt->cone == PYRAMIDAL && mu > 0 ? DLS_MUJOCO_R_PYRAMID(mu, opt->impratio, 1) / 4 : 1;
  return sqrt(d + (1 - d) * opt->ahat * edges);
}

static double friction_of(const dls_system *sys, size_t j)
{
  return dls_law_has_friction(sys, j) ? sys->mu[j] : 0;
}

static dls_impedance impedance_of(const mujoco_options *opt)
{
  return (dls_impedance){opt->d0, opt->dwidth, opt->width, opt->midpoint, opt->power};
}

static double impedance(const mujoco_options *opt, double r)
{
  const dls_impedance d = impedance_of(opt);
  return fmin(fmax(dls_impedance_at(&d, r), threshold_least_impedance), threshold_largest_impedance);
}

/* Stiffness and damping of the step, of a contact with this damping ratio. */
static void reference(mujoco_memory *s, const mujoco_options *opt, double h, double ratio, double *stiffness,
                      double *damping)
{
  *stiffness = stiffness_of(opt);
  *damping = 2 * ratio * sqrt(*stiffness);
  if (direct(opt) || opt->refsafe == 0 || h * *damping <= 1) { /* timeconst = 2/damping >= 2 h */
    return;
  }
  const double rate = 1 / (2 * ratio * h); /* 1/(timeconst ratio) of timeconst = 2 h */
  s->raised_from = 2 / *damping;
  s->raised = h;
  *damping = 1 / h;
  *stiffness = rate * rate;
}

static void begin(dls_sim *sim, const dls_soft_contact *at, void *law)
{
  mujoco_memory *s = sim->memory;
  const mujoco_options *opt = sim->options;
  dls_soft_cone *c = law;
  double stiffness, damping;
  reference(s, opt, at->h, s->ratio[at->j], &stiffness, &damping);
  s->stiffness[at->j] = stiffness;
  const double d = impedance(opt, at->gap), b = DLS_MUJOCO_B(damping, opt->dwidth);
  const double K = DLS_MUJOCO_K(stiffness, opt->dwidth);
  *c = (dls_soft_cone){.R_N = DLS_MUJOCO_R(d, opt->ahat * at->W_N)};
  c->R_T = c->R_N / opt->impratio;
  c->mu = friction_of(sim->sys, at->j);
  c->R_pyramid = opt->cone == PYRAMIDAL ? DLS_MUJOCO_R_PYRAMID(c->mu, opt->impratio, c->R_N) : 0;
  for (size_t i = 0; i < sim->sys->d; i++) {
    c->target[i] = DLS_MUJOCO_TARGET(at->u[i], at->h, b, K, d, i == 0 ? at->gap : 0);
  }
}

/* Of the spring K d^2 r/A^ that one contact is without other forces: d varies with r, so by Simpson's rule where it does. */
static double potential(const dls_sim *sim, size_t j, double g)
{
  mujoco_memory *s = sim->memory;
  const mujoco_options *opt = sim->options;
  const double K = DLS_MUJOCO_K(s->stiffness[j], opt->dwidth), depth = -g, inner = fmin(depth, opt->width);
  const double W = depth > 0 ? dls_soft_inverse_mass(&s->soft, j) : 0;
  double sum = 0;
  for (int i = 0; i <= threshold_quadrature && W > 0; i++) {
    const double r = inner * i / threshold_quadrature, d = impedance(opt, r);
    sum += (i == 0 || i == threshold_quadrature ? 1 : i % 2 == 1 ? 4 : 2) * d * d * r;
  }
  const double outer = 0.5 * opt->dwidth * opt->dwidth * (depth * depth - inner * inner);
  return W > 0 ? K / (opt->ahat * W) * (sum * inner / (3 * threshold_quadrature) + outer) : 0;
}

static const dls_soft_law law = {
    .size = sizeof(dls_soft_cone), .impulse = dls_soft_cone_impulse, .begin = begin, .potential = potential};

static double own_e(const dls_sim *sim, size_t j, char *text, size_t size)
{
  const mujoco_options *opt = sim->options;
  const double ratio = ratio_of(opt) / ratio_factor(opt, friction_of(sim->sys, j));
  const double e = dls_kelvin_voigt_restitution(ratio, false);
  snprintf(text, size, "%.3g, for the damping ratio %g", e, ratio);
  return e;
}

static const dls_own_restitution own = {.e = own_e, .fits = true};

static dls_status check(const dls_scheme *self, const void *given, dls_error *err)
{
  const mujoco_options *opt = given;
  static const size_t solref[] = {offsetof(mujoco_options, timeconst), offsetof(mujoco_options, dampratio)};
  static const size_t damping[] = {offsetof(mujoco_options, damping)};
  char owner[80];
  snprintf(owner, sizeof owner, "scheme %s", self->name);
  return direct(opt) ? dls_option_unused(table, opt, owner, 2, solref, "stiffness > 0, the direct form", err)
                     : dls_option_unused(table, opt, owner, 1, damping, "stiffness = 0", err);
}

static void finish(dls_sim *sim)
{
  mujoco_memory *s = sim->memory;
  if (s != NULL) {
    free(s->ratio);
  }
  dls_soft_finish(sim);
}

/* Records in the metadata that refsafe raises timeconst, if the step is known. */
static dls_status note_refsafe(dls_sim *sim, mujoco_memory *s, dls_error *err)
{
  double stiffness, damping;
  for (size_t j = 0; j < sim->sys->m && sim->spec != NULL && s->raised == 0; j++) {
    reference(s, options(sim), sim->spec->step, s->ratio[j], &stiffness, &damping);
  }
  return s->raised > 0 && sim->record != NULL
             ? dls_trajectory_note(sim->record, err, "refsafe", "timeconst = %.17g s raised to %.17g s",
                                   s->raised_from, 2 * s->raised)
             : DLS_OK;
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const mujoco_options *opt = options(sim);
  dls_status status = dls_soft_create(sim, sizeof(mujoco_memory), &law, 0, &opt->newton, err);
  if (status != DLS_OK) {
    return status;
  }
  mujoco_memory *s = sim->memory;
  s->ratio = calloc(2 * sim->sys->m + 1, sizeof *s->ratio);
  if (s->ratio == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sim->sys->m);
  }
  s->stiffness = s->ratio + sim->sys->m;
  status = dls_own_restitution_check(sim, &own, opt->restitution, err);
  for (size_t j = 0; j < sim->sys->m && status == DLS_OK; j++) {
    double e = 1;
    s->ratio[j] = ratio_of(opt);
    s->stiffness[j] = stiffness_of(opt);
    if (opt->restitution == DLS_RESTITUTION_FIT && (status = dls_soft_fitted(sim, j, &e, err)) == DLS_OK) {
      s->ratio[j] = dls_kelvin_voigt_ratio(e, false) * ratio_factor(opt, friction_of(sim->sys, j));
    }
  }
  return status != DLS_OK ? status : note_refsafe(sim, s, err);
}

static void note(const dls_sim *sim, char *text, size_t size)
{
  const mujoco_memory *s = sim->memory;
  dls_own_restitution_note(sim, &own, options(sim)->restitution, text, size);
  const size_t used = strlen(text);
  if (s != NULL && s->raised > 0) {
    snprintf(text + used, size - used,
             "%srefsafe: timeconst = %g s is raised to two steps, %g s; the model depends on h",
             used > 0 ? "; " : "", s->raised_from, 2 * s->raised);
  }
}

static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const mujoco_options *opt = given;
  const bool fits = opt->restitution == DLS_RESTITUTION_FIT;
  if (fits && !(contact->e > 0)) {
    return dls_soft_cannot_fit(self, err);
  }
  const double ratio =
      fits ? dls_kelvin_voigt_ratio(contact->e, false) * ratio_factor(opt, contact->mu) : ratio_of(opt);
  const double stiffness = stiffness_of(opt);
  out->law = DLS_COMPLIANCE_IMPEDANCE;
  out->k = DLS_MUJOCO_K(stiffness, opt->dwidth);
  out->c = DLS_MUJOCO_B(2 * ratio * sqrt(stiffness), opt->dwidth);
  out->d = impedance_of(opt);
  out->r_n = opt->ahat;
  out->r_t = opt->ahat / opt->impratio;
  if (opt->cone == PYRAMIDAL &&
      contact->mu > 0) { /* the sum of four edges is no law of the normal and the slip alone */
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "scheme %s: the limit model of cone=pyramidal with friction is not known, that of "
                    "cone=elliptic is",
                    self->name);
  }
  return DLS_OK;
}

const dls_scheme dls_scheme_mujoco = {
    .name = "mujoco",
    .family = DLS_FAMILY_SOFT,
    .summary = "soft contact of MuJoCo: convex, with a reference acceleration and an impedance",
    .source = "E. Todorov 2014",
    .equations =
        "v' = argmin 1/2 |v' - v_free|_M^2 + sum of l_j(u_j),   v_free = v + h M^-1 F(t, q, v),   q' = q + h "
        "v'\n"
        "contacts with r = g < 0:  gamma = P_K^R(R^-1 (u + h a_ref - u')) = -dl_j/du'   (cone=elliptic)\n"
        "a_ref = -b u - K d(r) r along n, -b u along tangents,  R_N = (1 - d)/d ahat W_NN,  R_T = "
        "R_N/impratio\n"
        "pyramidal: gamma = sum of e ((e . (u + h a_ref - u'))/R)_+  over the four edges e = n +- mu t,\n"
        "R = 2 (mu^2/impratio) (1 + mu^2) R_N;  in the plane two edges are n\n"
        "timeconst, dampratio: b = 2/(dwidth timeconst),  K = 1/(dwidth timeconst dampratio)^2\n"
        "stiffness, damping:   b = damping/dwidth,        K = stiffness/dwidth^2\n"
        "d(r) = d0 + y (dwidth - d0),  x = min(|r|/width, 1),  y = x^power/midpoint^(power - 1) up to the "
        "midpoint\n"
        "one contact: u'' = max(a, (1 - d) a + d a_ref): d = dwidth is a spring and a damper that never pull\n",
    .remarks =
        "The defaults are lengths and times: timeconst = 0.02 s, width = 0.001 m. They do not scale with the\n"
        "problem. dampratio = 1 bounces with e = exp(-2) = 0.135 for h -> 0. restitution=fit keeps the\n"
        "stiffness 1/(timeconst dampratio)^2 and takes the damping ratio zeta whose e is that of the model,\n"
        "e = exp(-(zeta/s) (pi - atan2(2 zeta s, 1 - 2 zeta^2))),  s = sqrt(1 - zeta^2).\n"
        "dampratio is zeta sqrt(d + (1 - d) ahat), d = dwidth; with friction and the pyramid ahat is "
        "multiplied by\n"
        "mu^2 (1 + mu^2)/(2 impratio). This is exact for d0 = dwidth and impacts without slip.\n"
        "The depth at rest is a (1 - d) dwidth^2 (timeconst dampratio)^2/d^2\n"
        "for any mass and h: 0.37 mm under gravity. With friction and the pyramid 1 - d is multiplied by\n"
        "mu^2 (1 + mu^2)/(2 impratio) there. With cone=elliptic a sticking contact creeps with\n"
        "u = a_T (1 - d)/(d impratio b): 4.56 mm/s for mu = 0.7 on a slope of 30 degrees, three times as fast\n"
        "with the pyramid. Slip lifts: with cone=elliptic a body that slides steadily faster\n"
        "than a_N R (1 + mu^2)/(mu b), R = (1 - d0)/d0, hops; this is 0.038 m/s for mu = 0.3.\n"
        "Above h = timeconst/2 refsafe changes the model with h. Other forces are explicit: h omega < 2.\n",
    .options = table,
    .options_size = sizeof(mujoco_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_JOINTS | DLS_HANDLES_ANY_STEP,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .check = check,
    .start = start,
    .advance = dls_soft_advance,
    .finish = finish,
    .balance = &dls_balance_soft,
    .thresholds = dls_soft_thresholds,
    .limit = {.kind = DLS_LIMIT_COMPLIANT,
              .text = "a reference acceleration with an impedance; e = 0.135 with the default dampratio = 1",
              .model = limit},
    .note = note,
};
