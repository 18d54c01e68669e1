/* energy_preserving.c -- midpoint rule with discrete derivatives: conserves the energy of constrained motion for every step length.
 *
 *   M (v' - v) = h F* + G* Lambda + H P,   q' = q + h (v + v')/2,   Phi(t', q') = 0                                 (1)
 *   F*, G*: segment.h, from q to q';   Lambda = h mu
 *   on I1:  0 <= U' + e U  _|_  P >= 0,   U = H^T v with H at q + h v/2;   I1 = { g(q + gamma h v) <= 0 }           (2)
 *
 * The energy changes only by 1/2 (U + U')^T P and by the work of damping. Newton's method in (v', Lambda):
 *   J = [ M + h^2/2 (K/2 + at_b) + h C/2 - h/4 geometric(Lambda)   -G* ]    J (dv, dLambda) = (-R, -2 Phi/h)        (3)
 *       [ G(q')^T                                                 -eps ]
 * Then v_free = v' + dv, and (2) holds with W = H^T (J^-1)_vv H. With contact=penalty or midpoint-penalty, h H f of yielding.h replaces
 * H P. Then J has a row and a column for the change of h f of each contact, and -h^2/4 sum f_j d^2 g_j/dq^2 where gaps provide it.
 * Source: Lens & Cardona 2007, eqs. (14), with the contact of Moreau-Jean's variant, or of Armero & Petocz 1996.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/energy_preserving.h"
#include "common/base/arrays.h"
#include "common/linear/storage.h"
#include "time_stepping/multibody/balance_energy_preserving.h"
#include "time_stepping/step/iteration.h"
#include "time_stepping/step/joint_steps.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const contacts[] = {"law", "penalty", "midpoint-penalty", NULL};
static const dls_option table[] = {
    DLS_CHOICE_OPTION(0, dls_energy_preserving_options, contact,
                      "impact law on velocities, a penalty that conserves the energy, or one that does not",
                      DLS_CONTACT_LAW, contacts),
    DLS_REAL_OPTION(0, dls_energy_preserving_options, kappa, "N/m",
                    "contact=penalty, midpoint-penalty: stiffness", 1e6, 0, DBL_MAX, DLS_OPEN_MIN),
    DLS_REAL_OPTION(0, dls_energy_preserving_options, gamma, "1",
                    "forecast: a contact is active if its gap at t + gamma h is closed", 1, 0, 1, 0),
    DLS_CHOICE_OPTION(0, dls_energy_preserving_options, velocity_test,
                      "only contacts that do not separate are active", 1, dls_off_on),
    DLS_REAL_OPTION(0, dls_energy_preserving_options, velocity_tol, "v_s",
                    "gap velocity up to which a contact does not separate, in units of the model's velocity "
                    "scale; impacts are counted below minus this",
                    1e-9, 0, 1, 0),
    DLS_NEWTON_OPTIONS(offsetof(dls_energy_preserving_options, newton), "v_s",
                       DLS_NEWTON_VELOCITY "model's velocity scale", 1e-11, DLS_NEWTON_MAX, 50),
    {0},
};

enum { MASS, STIFFNESS, CURVE, DAMPING, GEOMETRIC, JOINTS, GRADIENT, PUSH, YIELD, ONE, BENT, BLOCKS };

static void finish(dls_sim *sim)
{
  dls_energy_preserving *s = sim->memory;
  if (s != NULL) {
    if (!s->penalty) {
      dls_velocity_contact_destroy(&s->contact);
    }
    dls_yielding_destroy(&s->yielding);
    dls_block_matrix_destroy(s->J);
    dls_factor_destroy(s->A);
    dls_segment_destroy(&s->interval);
    dls_matrix_destroy(s->G);
    dls_configuration_destroy(&s->config);
    free(s->block);
    free(s);
  }
}

/* x := J^-1 x; x[n + r], with springs as contacts + m */
static void solve(dls_energy_preserving *s, double *x)
{
  if (s->A != NULL) {
    dls_factor_solve(s->A, x);
  } else {
    dls_block_matrix_solve(s->J, x);
  }
}

/* (J^-1)_vv for the contacts. */
static void solve_velocity(void *data, double *x)
{
  dls_energy_preserving *s = data;
  const size_t n = s->interval.sim->sys->n, r = s->interval.sim->sys->r;
  memcpy(s->x, x, n * sizeof *x);
  memset(s->x + n, 0, r * sizeof *x);
  dls_block_matrix_solve(s->J, s->x);
  memcpy(x, s->x, n * sizeof *x);
}

/* @return false if out of memory */
static bool allocate(dls_sim *sim, dls_energy_preserving *s)
{
  const dls_system *sys = sim->sys;
  const dls_energy_preserving_options *opt = sim->options;
  const size_t n = sys->n, r = sys->r, order = n + r + (s->penalty ? sys->m : 0);
  s->block = dls_arrays((const dls_slot[]){{n, {&s->v_free, &s->v_next, &s->v_last, &s->q_next, &s->v_mean}},
                                           {order, {&s->x}},
                                           {r, {&s->phi, &s->momentum, &s->momentum_last}},
                                           {0}});
  s->G = dls_matrix_clone(sys->G);
  if (s->block == NULL || (s->G == NULL && r > 0) || !dls_configuration_create(sys, &s->config) ||
      !dls_segment_create(sim, &s->interval) ||
      (s->penalty &&
       !dls_yielding_create(sim, &s->config,
                            opt->contact == DLS_CONTACT_PENALTY ? DLS_YIELDING_CONSERVING : DLS_YIELDING_MIDDLE,
                            opt->kappa, &s->yielding))) {
    return false;
  }
  if (sys->linear && r == 0 && s->interval.at_b == NULL && !s->penalty) {
    const dls_matrix *const terms[] = {sys->M, s->interval.K, s->interval.C};
    s->A = dls_factor_create(terms, sizeof terms / sizeof *terms);
    return s->A != NULL;
  }
  const bool yields = s->penalty && sys->m > 0;
  const dls_matrix_block blocks[BLOCKS] = {[MASS] = {.A = sys->M},
                                           [STIFFNESS] = {.A = s->interval.K},
                                           [CURVE] = {.A = s->interval.at_b},
                                           [DAMPING] = {.A = s->interval.C},
                                           [GEOMETRIC] = {.A = s->interval.geometric},
                                           [JOINTS] = {.A = s->interval.G, .column = n},
                                           [GRADIENT] = {.A = s->G, .row = n, .transposed = true},
                                           [PUSH] = {.A = yields ? s->config.normals : NULL, .column = n + r},
                                           [YIELD] = {.A = s->yielding.slope, .row = n + r, .transposed = true},
                                           [ONE] = {.A = s->yielding.one, .row = n + r, .column = n + r},
                                           [BENT] = {.A = s->yielding.bent}};
  s->J = dls_block_matrix_create(order, BLOCKS, blocks, n, &sim->work.fallbacks);
  return s->J != NULL;
}

/* Refuse options that have no effect. */
static dls_status check(const dls_scheme *self, const void *options, dls_error *err)
{
  static const size_t of_law[] = {offsetof(dls_energy_preserving_options, gamma),
                                  offsetof(dls_energy_preserving_options, velocity_test),
                                  offsetof(dls_energy_preserving_options, velocity_tol)};
  static const size_t of_penalty[] = {offsetof(dls_energy_preserving_options, kappa)};
  const dls_energy_preserving_options *opt = options;
  return opt->contact == DLS_CONTACT_LAW
             ? dls_option_unused(self->options, opt, "scheme energy-preserving", 1, of_penalty,
                                 "contact=law; use contact=penalty", err)
             : dls_option_unused(self->options, opt, "scheme energy-preserving", 3, of_law,
                                 "a penalty as contact; use contact=law", err);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_energy_preserving_options *opt = sim->options;
  const dls_system *sys = sim->sys;
  const dls_status status = dls_segment_applies(sim, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_energy_preserving *s = sim->memory = calloc(1, sizeof *s);
  if (s != NULL) {
    s->penalty = dls_energy_preserving_yields(sim);
  }
  if (s == NULL || !allocate(sim, s)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  if (s->penalty) {
    return DLS_OK;
  }
  dls_delassus *W = sys->m == 0    ? NULL
                    : s->A != NULL ? dls_delassus_create(s->A, s->config.H)
                                   : dls_delassus_create_with(solve_velocity, s, s->config.H);
  return dls_velocity_contact_create(sim, &s->config, W, 0.5, opt->gamma, opt->velocity_test != 0,
                                     opt->velocity_tol, &s->contact, err);
}

static dls_status factor(dls_sim *sim, dls_energy_preserving *s, double h, dls_error *err)
{
  dls_delassus *W = s->contact.contacts.W;
  if (s->A != NULL) {
    return dls_iteration_factor_step(sim, s->A, h, &s->factored, (const double[]){1, h * h / 4, h / 2}, W, err);
  }
  const double coefficients[BLOCKS] = {
      [MASS] = 1,         [STIFFNESS] = h * h / 4, [CURVE] = h * h / 2, [DAMPING] = h / 2, [GEOMETRIC] = -h / 4,
      [JOINTS] = -1,      [GRADIENT] = 1,          [PUSH] = -1,         [YIELD] = 1,       [ONE] = 1,
      [BENT] = -h * h / 4};
  const dls_status status = dls_block_matrix_factor(s->J, coefficients, dls_joint_shrink(sim, s->G), err);
  sim->work.factorizations++;
  if (W != NULL) {
    dls_delassus_reset(W);
  }
  return status;
}

/* x := (-R, -2 Phi/h) of (3) for the iterate, without P. */
static void residual(dls_sim *sim, dls_energy_preserving *s, double h)
{
  const dls_system *sys = sim->sys;
  const double t_next = dls_sim_next_time(sim, h), t_m = 0.5 * (sim->t + t_next);
  for (size_t i = 0; i < sys->n; i++) {
    s->v_mean[i] = 0.5 * (sim->v[i] + s->v_next[i]);
    s->q_next[i] = sim->q[i] + h * s->v_mean[i]; /* (1): q' */
    s->v_free[i] = sim->v[i] - s->v_next[i];     /* (1): -(v' - v) */
  }
  dls_segment_force(&s->interval, t_m, sim->q, s->q_next, s->v_mean);
  dls_segment_tangent(&s->interval, t_m, sim->q, s->q_next, s->v_mean);
  sim->work.jacobian_evals++;
  for (size_t i = 0; i < sys->n; i++) {
    s->x[i] = h * s->interval.force[i]; /* (1): h F* */
  }
  dls_matrix_multiply(sys->M, 1, s->v_free, s->x); /* (1): - M (v' - v) */
  if (sys->r > 0) {
    dls_segment_joints(&s->interval, t_m, sim->q, s->q_next);
    dls_segment_geometric(&s->interval, t_m, s->momentum);
    dls_system_joint_gradient(sys, t_next, s->q_next, s->G);
    dls_system_joint(sys, t_next, s->q_next, s->phi);
    dls_matrix_multiply(s->interval.G, 1, s->momentum, s->x); /* (1): G* Lambda */
  }
  for (size_t k = 0; k < sys->r; k++) {
    s->x[sys->n + k] = -2 * s->phi[k] / h; /* (3): -2 Phi/h */
  }
  if (s->penalty) {
    dls_yielding_push(sim, &s->yielding, h, s->interval.middle, s->q_next, s->x);
    memset(s->x + sys->n + sys->r, 0, sys->m * sizeof *s->x);
  }
}

/* (2): v_next and Lambda with the effect of P. */
static dls_status impact(dls_sim *sim, dls_energy_preserving *s, dls_error *err)
{
  dls_velocity_contact *c = &s->contact;
  const size_t n = sim->sys->n;
  if (s->penalty || c->active.count == 0) {
    return DLS_OK;
  }
  const dls_status status = dls_velocity_contact_solve(sim, c, s->v_free, err);
  if (status != DLS_OK) {
    return status;
  }
  memset(s->x, 0, (n + sim->sys->r) * sizeof *s->x);
  dls_contact_system_add_impulse(&c->contacts, &c->active, c->impulse, s->x); /* H P */
  solve(s, s->x); /* changes of v' and Lambda by P */
  for (size_t i = 0; i < n; i++) {
    s->v_next[i] += s->x[i];
  }
  for (size_t k = 0; k < sim->sys->r; k++) {
    s->momentum[k] += s->x[n + k];
  }
  return DLS_OK;
}

static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  dls_energy_preserving *s = step;
  const size_t n = sim->sys->n, r = sim->sys->r;
  memcpy(s->v_last, s->v_next, n * sizeof *s->v_last);
  memcpy(s->momentum_last, s->momentum, r * sizeof *s->momentum);
  residual(sim, s, h);
  dls_status status = factor(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  solve(s, s->x); /* (3) */
  for (size_t i = 0; i < n; i++) {
    s->v_next[i] = s->v_free[i] = s->v_next[i] + s->x[i]; /* v_free = v' + dv */
  }
  for (size_t k = 0; k < r; k++) {
    s->momentum[k] += s->x[n + k];
  }
  status = impact(sim, s, err);
  *change = dls_iteration_change(n, s->v_next, s->v_last);
  const double part = dls_joint_damping(sim, h / 2 * *change);
  if (part < 1) {
    dls_joint_retreat(n, part, s->v_last, s->v_next);
    dls_joint_retreat(r, part, s->momentum_last, s->momentum);
  }
  return status;
}

/* H and I1, at q + h v/2. */
static void place_contacts(dls_sim *sim, dls_energy_preserving *s, double h)
{
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q_next[i] = sim->q[i] + h / 2 * sim->v[i]; /* (2): q + h v/2 */
  }
  dls_velocity_contact_forecast(sim, &s->contact, h, s->q_next);
}

static void take(dls_sim *sim, dls_energy_preserving *s, double h)
{
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q_next[i] = sim->q[i] + h / 2 * (sim->v[i] + s->v_next[i]); /* (1): q' */
  }
  if (s->penalty) {
    dls_yielding_take(sim, &s->yielding, h, s->q_next);
  } else {
    dls_velocity_contact_take(sim, &s->contact, dls_sim_next_time(sim, h), s->v_free, s->v_next);
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    sim->q[i] = s->q_next[i];
    sim->v[i] = s->v_next[i];
  }
  for (size_t k = 0; k < sim->sys->r; k++) {
    sim->mu[k] = sim->mu_left[k] = s->momentum[k] / h;
  }
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  const dls_energy_preserving_options *opt = sim->options;
  dls_energy_preserving *s = sim->memory;
  dls_newton newton = dls_joint_newton(sim, &opt->newton, h);
  newton.kinked = s->penalty && sim->sys->m > 0;
  if (!s->penalty) {
    place_contacts(sim, s, h); /* I1 of (2) */
  }
  memcpy(s->v_next, sim->v, sim->sys->n * sizeof *s->v_next);
  for (size_t k = 0; k < sim->sys->r; k++) {
    s->momentum[k] = h * sim->mu[k]; /* Lambda = h mu */
  }
  dls_sim_load_begin(sim, sim->t, dls_sim_next_time(sim, h), 0);
  const dls_status status = dls_iterate(sim, &newton, iterate, s, h, err); /* (1), (2) by (3) */
  dls_sim_load_end(sim);
  if (status == DLS_OK) {
    take(sim, s, h);
  }
  return status;
}

static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const dls_energy_preserving_options *opt = given;
  (void)self;
  (void)contact;
  (void)err;
  if (opt->contact != DLS_CONTACT_LAW) {
    *out = (dls_limit_model){
        .kind = DLS_LIMIT_COMPLIANT, .law = DLS_COMPLIANCE_KELVIN_VOIGT, .k = opt->kappa, .p = 1};
  }
  return DLS_OK;
}

const dls_scheme dls_scheme_energy_preserving = {
    .name = "energy-preserving",
    .family = DLS_FAMILY_MULTIBODY,
    .summary = "midpoint rule with discrete derivatives and joints: keeps the energy for every step",
    .source = "E. Lens & A. Cardona 2007, eqs. (14); O. Gonzalez 1996",
    .equations =
        "M (v' - v) = h F* + h G* mu + H P,   q' = q + h (v + v')/2,   Phi(t', q') = 0\n"
        "F* = F(m) + V'(m) - V'*,   m = (q + q')/2,   dq = q' - q\n"
        "V'* = V'(m) + [V(q') - V(q) - V'(m) dq]/|dq|^2 dq\n"
        "G*: the same of each joint;   0 <= U' + e U  _|_  P >= 0 for contacts with g(q + gamma h v) <= 0\n",
    .remarks =
        "The energy changes by the impacts' 1/2 (U + U')^T P and the work of dampers, by rounding else, for "
        "every\n"
        "h. Order 2 without impacts; mu is that of the middle of the step, where it has order 2, and order 1 "
        "at\n"
        "its end. Joints hold in positions; velocities alternate around G^T v = 0, without any damping: light\n"
        "masses between stiff joints (lens-cardona-d) need a small step, else Newton's method fails.\n"
        "contact=penalty: h H f in place of H P, f = -[U(y') - U(y)]/(y' - y), U = kappa/2 min(y, 0)^2,\n"
        "y' = y + H^T (q' - q), as conserving-penalty: the energy with that of the penalty is kept, and e has "
        "no\n"
        "effect. contact=midpoint-penalty: f = kappa max(0, -g(m)), which keeps momenta and creates energy. "
        "Needs a\n"
        "constant mass matrix and the potential of the forces.\n",
    .options = table,
    .options_size = sizeof(dls_energy_preserving_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_JOINTS | DLS_HANDLES_ANY_STEP,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .check = check,
    .start = start,
    .advance = advance,
    .finish = finish,
    .balance = &dls_balance_energy_preserving,
    .limit = {.text = "with contact=penalty and midpoint-penalty springs, kappa delta", .model = limit},
};
