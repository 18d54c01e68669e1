/* three_level_alpha.c -- generalized-alpha method with contact laws at the levels of positions, velocities and
 * accelerations, and friction at the last two. a and lambda are the acceleration and the contact force at t'. Bars are
 *   x- = (alpha_f x_k + (1 - alpha_f) x' - alpha_m x-_k)/(1 - alpha_m)   of x = a, lambda                            (1)
 *   M a = F(t', q', v') + H lambda                                                                                  (2)
 *   v' = v + h [(1 - gamma) a-_k + gamma a-] + M^-1 H L                                                              (3)
 *   q' = q + h v + h^2/2 [(1 - 2 beta) a-_k + 2 beta a-] + M^-1 (H_N kappa + h/2 H_T L_T)                             (4)
 *   p = L + h [(1 - gamma) lambda-_k + gamma lambda-],   k = kappa + h^2 [(1/2 - beta) lambda-_N,k + beta lambda-_N]   (5)
 *   0 <= g(q')  _|_  k >= 0;  where it is closed: the law between u, u' and p;  where u^_N = 0 there: 0 <= u''_N  _|_
 *   lambda_N >= 0, with Coulomb's law of the slip's rate where u^_T = 0, with lambda_T against u_T elsewhere          (6)
 * The levels are solved in turn until they agree. In terms of p and k, lambda cancels in (3). In (4) it cancels except for
 * h^2 (beta - gamma/2) in tangential rows. Only the forces F couple the levels.
 * Source: Capobianco, Harsch, Eugster, Leine 2021. The complementarity problem itself finds the closed contacts; the source uses
 * sign tests of natural maps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/three_level_alpha.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "time_stepping/newmark/balance_newmark.h"
#include "time_stepping/step/instant.h"
#include "time_stepping/step/iteration.h"
#include "time_stepping/step/newmark_equations.h"
#include "time_stepping/step/slip.h"
#include "time_stepping/step/start_contact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct alpha_options {
  double rho_inf, velocity_tol, tol;
  size_t max_iterations;
} alpha_options;
static const dls_option table[] = {
    DLS_REAL_OPTION(0, alpha_options, rho_inf, "1", "spectral radius at infinite frequency; 1: no damping", 0.8,
                    0, 1, 0),
    DLS_REAL_OPTION(
        0, alpha_options, velocity_tol, "v_s",
        "gap velocity up to which a closed contact has a force, in units of the model's velocity scale; "
        "impacts are counted below minus this",
        1e-9, 0, 1, 0),
    DLS_REAL_OPTION(0, alpha_options, tol, "v_s",
                    "last velocity increment of the iteration accepted, in units of the velocity scale", 1e-12,
                    0, 1, DLS_OPEN_MIN),
    DLS_INTEGER_OPTION(0, alpha_options, max_iterations, "iterations allowed in a step", 200, 1, 10000),
    {0},
};

static const double gap_rounding =
    1e-11;                          /* [q_s]: gaps up to this are closed: residuals of the gaps' problem */
static const double runaway = 1e12; /* [v_s]: an increment that will not come to an end */

static void finish(dls_sim *sim)
{
  dls_three_level *s = sim->memory;
  if (s != NULL) {
    if (s->joints != s->mass.joints) {
      dls_joints_destroy(s->joints);
    }
    dls_contact_system_destroy(&s->gaps);
    dls_contact_system_destroy(&s->mass);
    dls_joint_matrix_destroy(&s->curved);
    dls_matrix_destroy(s->G);
    dls_factor_destroy(s->S);
    free(s->all.index);
    free(s->block);
    free(s->was_closed);
    free(s);
  }
}

/* @return false if out of memory */
static bool allocate_arrays(dls_three_level *s, const dls_system *sys)
{
  const size_t n = sys->n, m = sys->m, rows = sys->d * m;
  s->block = dls_arrays(
      (const dls_slot[]){{n,
                          {&s->now.a, &s->now.a_bar, &s->next.a, &s->next.a_bar, &s->f, &s->q, &s->v,
                           &s->v_last, &s->q_last, &s->x, &s->jump, &s->interval, &s->w_load, &s->pushed}},
                         {rows + sys->r,
                          {&s->now.lambda, &s->now.lambda_bar, &s->next.lambda, &s->next.lambda_bar, &s->p,
                           &s->k, &s->lambda_last, &s->set, &s->solution}},
                         {rows, {&s->u_minus, &s->u_hat}},
                         {sys->r, {&s->rest, &s->mu}},
                         {0}});
  s->was_closed = calloc(m + 1, sizeof *s->was_closed);
  size_t *index = s->all.index = calloc(3 * m + 1, sizeof *s->all.index);
  if (s->block == NULL || index == NULL || s->was_closed == NULL) {
    return false;
  }
  s->closed.index = index + m;
  s->held.index = index + 2 * m;
  for (s->all.count = 0; s->all.count < m; s->all.count++) {
    index[s->all.count] = s->all.count;
  }
  return true;
}

static dls_status create(dls_sim *sim, dls_three_level *s, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const alpha_options *opt = sim->options;
  const double rho = opt->rho_inf;
  s->c.alpha_m = (2 * rho - 1) / (rho + 1);
  s->c.alpha_f = rho / (rho + 1);
  s->c.gamma = 0.5 + s->c.alpha_f - s->c.alpha_m;
  s->c.beta = (s->c.gamma + 0.5) * (s->c.gamma + 0.5) / 4;
  s->eps_u = opt->velocity_tol * sys->length / sys->time;
  s->eps_g = gap_rounding * sys->length;
  if (!allocate_arrays(s, sys)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  dls_status status = dls_contact_system_create_mass(sys, &sim->work, &s->mass, err);
  if (status == DLS_OK &&
      ((s->S = dls_iteration_matrix(s->mass.config, sim)) == NULL || !dls_three_level_joints_create(sim, s))) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  s->constant = sys->r == 0 && !s->mass.config->mass_varies && !s->mass.config->gradient_varies;
  const dls_matrix *H = s->mass.config->H;
  dls_delassus *W = status != DLS_OK || sys->m == 0 ? NULL
                    : sys->r > 0                    ? dls_delassus_create_joints(s->joints, H)
                                                    : dls_delassus_create(s->S, H);
  return status != DLS_OK ? status
                          : dls_contact_system_create(s->mass.config, W, 0.5, &sim->work, &s->gaps, err);
}

/* The impulse p_N of a gap that closes within the step works on (u_N + u_N')/2, which is positive if it opened before. */
static dls_status check_laws(const dls_sim *sim, dls_error *err)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    const dls_law *law = dls_law_of(sim->sys, j);
    if (law->dissipates && dls_law_has_friction(sim->sys, j)) {
      return dls_sim_fail(
          sim, err, DLS_ERR_NOT_APPLICABLE,
          "contact %zu has law %s, by which contact does no positive work; gaps that positions close push "
          "contacts that separate too, which is positive work",
          j, law->name);
    }
  }
  return DLS_OK;
}

/* Forces and accelerations at the start, in contact too. */
static dls_status start(dls_sim *sim, dls_error *err)
{
  dls_three_level *s = sim->memory = calloc(1, sizeof *s);
  if (s == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory");
  }
  dls_status status = create(sim, s, err);
  if (status != DLS_OK || (status = check_laws(sim, err)) != DLS_OK ||
      (status = dls_start_contact(sim, s->eps_u, s->now.a, NULL, err)) != DLS_OK) {
    return status;
  }
  const size_t d = s->mass.config->d;
  dls_configuration_contacts(s->mass.config, sim->t, sim->q);
  dls_configuration_gap(s->mass.config, s->set);
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (s->set[j] <= s->eps_g && dls_configuration_row(s->mass.config, d * j, sim->v) <= s->eps_u) {
      s->held.index[s->held.count++] = j;
    }
  }
  status = dls_instant_acceleration(sim, &s->mass, sim->t, sim->q, sim->v, &s->held, s->now.a,
                                    s->now.lambda, /* (2), (6) at the level of accelerations */
                                    s->u_hat, NULL, err);
  dls_split_rows(sim->sys, s->now.lambda, sim->lambda, sim->lambda_t);
  if (status == DLS_OK) {
    dls_three_level_joints_begin(sim, s);
  }
  return status;
}

/* One step of Newton's method for (2): f += S^-1 (F - M f), S without joints; q and v with it. *change := h times the increment of f. */
static dls_status forces(dls_sim *sim, dls_three_level *s, double t, double h, double *change, dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_status status = dls_contact_system_at(&s->mass, t, s->q, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!sys->linear) {
    dls_iteration_linearise(sim, t, s->q, s->v, s->S);
  }
  if (s->gaps.W != NULL && s->mass.config->gradient_varies) {
    dls_delassus_reset(s->gaps.W);
  }
  const double c = (1 - s->c.alpha_f) / (1 - s->c.alpha_m);
  s->weight_C = DLS_NEWMARK_V_A_NEXT(h, s->c.gamma) * c;
  s->weight_K = DLS_NEWMARK_Q_A_NEXT(h, s->c.beta) * c;
  status = dls_iteration_factor_step(sim, s->S, h, &s->factored, (const double[]){1, s->weight_C, s->weight_K},
                                     s->gaps.W, err);
  if (status != DLS_OK || (status = dls_three_level_joints_at(sim, s, t, err)) != DLS_OK) {
    return status;
  }
  dls_sim_force(sim, t, s->q, s->v, s->x);
  dls_matrix_multiply(s->mass.config->M, -1, s->f, s->x); /* F - M f */
  dls_three_level_joints_newton(sim, s, s->x);
  *change = 0;
  for (size_t i = 0; i < sys->n; i++) {
    s->f[i] += s->x[i]; /* f := M^-1 F, for the q', v' that it makes */
    *change = dls_larger(*change, h * fabs(s->x[i]));
  }
  if (s->constant) {
    dls_three_level_change(s, s->x);
  } else {
    dls_three_level_compose(sim, s, h);
  }
  return DLS_OK;
}

/* One pass over the levels. @param[out] change  of v, h f, with joints of q in units of time, and h times that of accelerations by lambda */
static dls_status iterate(dls_sim *sim, dls_three_level *s, double h, double *change, dls_error *err)
{
  const double t = dls_sim_next_time(sim, h);
  dls_status status = s->round > 0 ? dls_three_level_joints_place(sim, s, t, h, err) : DLS_OK;
  if (status != DLS_OK) {
    return status;
  }
  memcpy(s->v_last, s->v, sim->sys->n * sizeof *s->v);
  memcpy(s->q_last, s->q, sim->sys->n * sizeof *s->q);
  memcpy(s->lambda_last, s->next.lambda, dls_three_level_rows(s) * sizeof *s->lambda_last);
  status = forces(sim, s, t, h, change, err);
  if (status != DLS_OK || (status = dls_three_level_positions(sim, s, t, h, err)) != DLS_OK ||
      (status = dls_three_level_velocities(sim, s, h, err)) != DLS_OK ||
      (status = dls_three_level_accelerations(sim, s, h, err)) != DLS_OK) {
    return status;
  }
  for (size_t row = 0; row < dls_three_level_rows(s); row++) {
    s->set[row] = h * (s->next.lambda[row] - s->lambda_last[row]);
  }
  for (size_t i = 0; s->constant && i < sim->sys->n; i++) {
    s->x[i] = h * s->interval[i];
  }
  if (!s->constant) {
    dls_three_level_push(s, s->set, s->x);
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    *change = dls_larger(*change, fabs(s->v[i] - s->v_last[i]) + fabs(s->x[i]));
    if (s->joints != NULL) { /* redundant contacts may take turns in k, which moves q by little */
      *change = dls_larger(*change, fabs(s->q[i] - s->q_last[i]) / sim->sys->time);
    }
  }
  return DLS_OK;
}

/* Start of the iteration: f and lambda of the last node. */
static void predict(dls_sim *sim, dls_three_level *s, double h)
{
  const dls_configuration *config = s->mass.config;
  const size_t rows = dls_three_level_rows(s), d = config->d;
  for (size_t j = 0; j < sim->sys->m; j++) {
    s->u_minus[d * j] = sim->u[j];
    memcpy(s->u_minus + d * j + 1, sim->u_t + (d - 1) * j, (d - 1) * sizeof *s->u_minus);
  }
  memcpy(s->next.lambda, s->now.lambda, rows * sizeof *s->next.lambda);
  dls_three_level_push(s, s->now.lambda, s->f); /* M^-1 H lambda_k */
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->f[i] = s->now.a[i] - s->f[i]; /* M^-1 F_k of (2) */
  }
  dls_three_level_begin(sim, s, h);
}

static dls_status solve(dls_sim *sim, dls_three_level *s, double h, dls_error *err)
{
  const alpha_options *opt = sim->options;
  const double scale = sim->sys->length / sim->sys->time, tolerance = opt->tol * scale;
  const dls_newton newton = {.residual = {.A = s->S,
                                          .M = s->mass.config->M,
                                          .x = s->f,
                                          .q = s->q,
                                          .v = s->v,
                                          .scratch = s->x,
                                          .weight = 1,
                                          .scale = h}};
  double change = HUGE_VAL, last = HUGE_VAL;
  bool stalled = false;
  size_t i = 0;
  s->row = dls_sim_load_impulse(sim, sim->t, dls_sim_next_time(sim, h), 0.5, s->w_load);
  if (s->row) {
    dls_contact_system_inverse(&s->mass, s->w_load);
  }
  predict(sim, s, h);
  for (; i < opt->max_iterations && !(change <= tolerance) && !stalled && (i == 0 || change < runaway * scale);
       i++) {
    last = change;
    dls_status status = dls_sim_poll(sim, err);
    if (status != DLS_OK) {
      return status;
    }
    s->round = i;
    status = iterate(sim, s, h, &change, err);
    if (status != DLS_OK && (i == 0 || change < runaway * scale)) { /* else it stems from overflow */
      return status;
    }
    sim->work.newton_iterations++;
    stalled = !(change <= tolerance) && dls_iteration_stalled(sim, &newton, i, change, last);
  }
  return change <= tolerance || stalled
             ? DLS_OK
             : dls_sim_fail(sim, err, DLS_ERR_NOCONV,
                            "the iteration over the levels of contact left a velocity increment of %g "
                            "> %g m/s after %zu iterations: a shorter step may help",
                            change, tolerance, i);
}

/* Impulses, status and events of the step. */
static void take_contacts(dls_sim *sim, const dls_three_level *s, double t)
{
  const size_t d = s->mass.config->d;
  memset(sim->status, 0, sim->sys->m * sizeof *sim->status);
  dls_split_rows(sim->sys, s->p, sim->p, sim->p_t);
  dls_split_rows(sim->sys, s->next.lambda, sim->lambda, sim->lambda_t);
  for (size_t k = 0; k < s->held.count; k++) {
    const size_t j = s->held.index[k];
    double slip = 0;
    for (size_t i = 1; i < d; i++) {
      slip = hypot(slip, s->u_hat[d * j + i]); /* |u^_T| */
    }
    sim->status[j] = dls_law_has_friction(sim->sys, j) && slip > s->eps_u ? 2 : 1;
    if (s->p[d * j] > 0 && s->u_minus[d * j] < -s->eps_u) {
      sim->jump = true;
      dls_sim_event(sim, &(dls_event){.t = t,
                                      .kind = DLS_IMPACT,
                                      .contact = j,
                                      .u_minus = s->u_minus[d * j],
                                      .u_plus = dls_configuration_row(s->mass.config, d * j, s->v),
                                      .impulse = s->p[d * j]});
    }
  }
}

/* Before the first step: where friction ends a slip within it the bars begin with the means over the step. */
static dls_status begin(dls_sim *sim, dls_three_level *s, double h, dls_error *err)
{
  const dls_status status =
      s->begun ? DLS_OK : dls_start_friction(sim, h, s->eps_u, s->now.a, s->now.lambda, err);
  if (!s->begun) {
    memcpy(s->now.a_bar, s->now.a, sim->sys->n * sizeof *s->now.a);
    memcpy(s->now.lambda_bar, s->now.lambda, dls_three_level_rows(s) * sizeof *s->now.lambda);
  }
  s->begun = true;
  return status;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  dls_three_level *s = sim->memory;
  const size_t n = sim->sys->n;
  dls_status status = begin(sim, s, h, err);
  if (status != DLS_OK || (status = solve(sim, s, h, err)) != DLS_OK) { /* (1) to (6) */
    return status;
  }
  take_contacts(sim, s, dls_sim_next_time(sim, h));
  if (sim->jump && s->constant) {
    dls_three_level_jump(s, h);
  }
  if (sim->jump) {
    dls_three_level_joints_jump(s);
  }
  for (size_t i = 0; sim->jump && i < n; i++) {
    sim->v_left[i] = s->v[i] - s->jump[i]; /* v' - M^-1 H L */
  }
  memcpy(sim->q, s->q, n * sizeof *sim->q);
  memcpy(sim->v, s->v, n * sizeof *sim->v);
  memcpy(sim->mu_left, s->now.lambda + s->mass.config->rows, sim->sys->r * sizeof *sim->mu);
  memcpy(sim->mu, s->next.lambda + s->mass.config->rows, sim->sys->r * sizeof *sim->mu);
  const dls_three_level_node past = s->now;
  s->now = s->next;
  s->next = past;
  return DLS_OK;
}

const dls_scheme dls_scheme_three_level_alpha = {
    .name = "three-level-alpha",
    .family = DLS_FAMILY_NEWMARK,
    .summary = "generalized-alpha method with contact at the levels of positions, velocities and accelerations",
    .source = "G. Capobianco, J. Harsch, S. R. Eugster, R. I. Leine 2021 (IJNME 122, 6497)",
    .equations =
        "M a = F(t', q', v') + H lambda;  bars: x- = (alpha_f x_k + (1 - alpha_f) x' - alpha_m "
        "x-_k)/(1 - alpha_m)\n"
        "v' = v + h [(1 - gamma) a-_k + gamma a-] + M^-1 H L,   p = L + h [(1 - gamma) lambda-_k + "
        "gamma lambda-]\n"
        "q' = q + h v + h^2/2 [(1 - 2 beta) a-_k + 2 beta a-] + M^-1 (H_N kappa + h/2 H_T L_T)\n"
        "k = kappa + h^2 [(1/2 - beta) lambda-_N,k + beta lambda-_N]\n"
        "positions:     0 <= g(q')  _|_  k >= 0\n"
        "velocities:    where g = 0, the law of the contact between u, u' and p\n"
        "accelerations: where u'_N + e u_N = 0 too, 0 <= du_N/dt  _|_  lambda_N >= 0, with friction "
        "against du_T/dt\n"
        "               where it sticks, against u_T where it slips\n"
        "joints:        Phi = 0, G^T v' + dPhi/dt = 0 and its derivative, with k, p and lambda of their own\n"
        "coefficients from rho_inf as in nonsmooth-generalized-alpha\n",
    .remarks = "Order 1 with impacts, 2 through stick and slip, lift-off and lasting contact. No penetration, "
               "no drift;\n"
               "lambda is the contact force. The levels are iterated, coupled by the forces alone: where "
               "friction acts\n"
               "on stiff parts (h omega > 1) this takes many iterations, and may fail; so may stiff springs "
               "between joints.\n",
    .options = table,
    .options_size = sizeof(alpha_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_JOINTS,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .start = start,
    .advance = advance,
    .finish = finish,
    .balance = &dls_balance_three_level_alpha,
};
