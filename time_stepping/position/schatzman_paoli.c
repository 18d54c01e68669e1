/* schatzman_paoli.c -- two-step scheme with the impact law at position level.
 *
 *   M (q_k+1 - 2 q_k + q_k-1) = h^2 F(t_k+theta, q_k+theta, (q_k+1 - q_k-1) / 2h) + H Pi           (1)
 *   0 <= g((q_k+1 + e q_k-1) / (1 + e))  _|_  Pi >= 0    for every contact, H = grad g there       (2)
 * with Coulomb's friction between Pi and the slip at t_k of the central velocity, u_T = H_T^T (q_k+1 - q_k-1)/2h + b_T, on
 * which the impulse Pi/h works. (2) and 2 h u_T are lengths that W moves alike: one problem of contacts with friction.
 *
 * Kept as the difference d_k = q_k - q_k-1 and solved for x = d_k+1 - d_k, so that rounding does not grow like
 * 1/h^2. With A = M + h^2 theta K + (h/2) C a linear step is
 *   A x_free = h^2 [F_ext,k+theta - K (q_k + theta d_k)] - h C d_k,
 *   LCP:  W = H^T A^-1 H,  b = g(q_free) + e g(q_k-1),  x = x_free + A^-1 H Pi;
 * (row alpha of (2) is multiplied by 1 + e_alpha). A nonlinear one repeats it as Newton's method.
 * The scheme runs one step ahead: the node at t_k carries v = (q_k+1 - q_k-1) / 2h and p = Pi_k+1 / h.
 * Sources: Paoli & Schatzman 1993, 2002; Acary, lecture on nonsmooth mechanical systems, eqs. (42)-(43).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/position/schatzman_paoli.h"
#include "common/base/arrays.h"
#include "time_stepping/position/paoli_equations.h"
#include "time_stepping/position/paoli_fused.h"
#include "time_stepping/step/small_system.h"
#include "time_stepping/step/start_contact.h"
#include <stdlib.h>
#include <string.h>

static const char *const startups[] = {[DLS_PAOLI_TAYLOR] = "taylor", "euler", NULL};
static const dls_option table[] = {
    DLS_REAL_OPTION(0, dls_paoli_options, theta, "1",
                    "weight of the end of the step in the forces; 0: explicit, stable for h < 2/omega_max", 0,
                    0, 1, 0),
    DLS_CHOICE_OPTION(0, dls_paoli_options, startup,
                      "first position: q0 + h v0 + h^2/2 a0 (taylor) or q0 + h v0 (euler)", 0, startups),
    DLS_REAL_OPTION(0, dls_paoli_options, velocity_tol, "v_s",
                    "gap velocity below minus which a contact impacts, in units of the model's velocity scale",
                    1e-9, 0, 1, 0),
    DLS_NEWTON_OPTIONS(offsetof(dls_paoli_options, newton), "q_s",
                       "nonlinear systems: last position increment accepted, in units of the "
                       "model's length scale",
                       1e-13, DLS_NEWTON_MAX, 20),
    {0},
};

static const dls_paoli_options *options(const dls_sim *sim)
{
  return sim->options;
}

static void finish(dls_sim *sim)
{
  dls_paoli_memory *s = sim->memory;
  if (s == NULL) {
    return;
  }
  dls_primal_dual_destroy(s->primal_dual);
  dls_contact_system_destroy(&s->contacts);
  dls_factor_destroy(s->A);
  dls_factor_destroy(s->M);
  dls_configuration_destroy(&s->config);
  dls_configuration_destroy(&s->hat);
  free(s->all.index);
  free(s->small_system);
  free(s->block);
  free(s);
}

/* @return false if out of memory */
static bool allocate_arrays(dls_paoli_memory *s, size_t n, size_t m, size_t rows)
{
  s->block = dls_arrays((const dls_slot[]){
      {n, {&s->q_last, &s->q, &s->d, &s->q_next, &s->a0, &s->x, &s->x_free, &s->velocity, &s->F, &s->work}},
      {m, {&s->g_last, &s->g, &s->g_next, &s->g_hat, &s->u_minus, &s->impulse}},
      {rows, {&s->b, &s->Pi, &s->nothing}},
      {0}});
  s->all.index = calloc(m + 1, sizeof *s->all.index);
  if (s->block == NULL || s->all.index == NULL) {
    return false;
  }
  for (size_t j = 0; j < m; j++) {
    s->all.index[s->all.count++] = j;
  }
  return true;
}

/* Friction relates Pi to the central velocity alone: no slip before or after it enters. */
static dls_status check_laws(const dls_sim *sim, const dls_paoli_memory *s, dls_error *err)
{
  const size_t d = s->config.d;
  for (size_t j = 0; s->contacts.problem != NULL && j < sim->sys->m; j++) {
    const dls_law *law = dls_law_of(sim->sys, j);
    if (law->dissipates && sim->sys->e[j] > 0) { /* -(1 + e) g_k-1 p/2h, and g_k-1 may be negative */
      return dls_sim_fail(
          sim, err, DLS_ERR_NOT_APPLICABLE,
          "contact %zu has law %s, by which contact does no positive work, and e = %g: with e > 0 "
          "bodies penetrate for a step, and the normal impulse does positive work",
          j, law->name, sim->sys->e[j]);
    }
  }
  for (size_t row = 0; s->contacts.problem != NULL && row < s->config.rows; row++) {
    if (row % d != 0 && s->contacts.mixture[row] != 0) {
      return dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                          "contact %zu has law %s with a tangential restitution of %g; this scheme's friction "
                          "opposes the central velocity, which needs e_t = 0",
                          row / d, dls_law_of(sim->sys, row / d)->name, s->contacts.mixture[row]);
    }
  }
  return DLS_OK;
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_paoli_memory *s = calloc(1, sizeof *s);
  sim->memory = s;
  if (s == NULL || !allocate_arrays(s, sys->n, sys->m, sys->d * sys->m) ||
      !dls_configuration_create(sys, &s->config) || !dls_configuration_create(sys, &s->hat) ||
      (s->A = dls_iteration_matrix(&s->config, sim)) == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  if (sys->load_mean != NULL) {
    const dls_status made = (s->M = dls_factor_create((const dls_matrix *const[]){s->config.M}, 1)) != NULL
                                ? dls_factor_sum(s->M, (const double[]){1}, err)
                                : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
    if (made != DLS_OK) {
      return made;
    }
  }
  s->eps_u = options(sim)->velocity_tol * sys->length / sys->time;
  dls_delassus *W = sys->m == 0 ? NULL : dls_delassus_create(s->A, s->config.H);
  dls_status status = dls_contact_system_create(&s->config, W, 1, &sim->work, &s->contacts, err);
  if (status != DLS_OK || (status = check_laws(sim, s, err)) != DLS_OK) {
    return status;
  }
  if (!dls_primal_dual_create(&s->contacts, s->A, &s->primal_dual)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m);
  }
  dls_paoli_fused_begin(sim, s);
  status = sys->d > 1 ? DLS_OK : dls_small_system_create(sim, &s->contacts, &s->small_system, err);
  return status != DLS_OK ? status : dls_start_contact(sim, s->eps_u, s->a0, NULL, err);
}

static dls_status factor(dls_sim *sim, dls_paoli_memory *s, double h, dls_error *err)
{
  return dls_iteration_factor_step(
      sim, s->A, h, &s->factored, (const double[])DLS_PAOLI_MATRIX(h, options(sim)->theta), s->contacts.W, err);
}

/* Solve (2) for the free second difference x_free, which is in s->x, with b as set: s->x = x_free + A^-1 H Pi. The Pi of the
 * last step is the initial guess. */
static dls_status contact(dls_paoli_memory *s, dls_error *err)
{
  bool closing = false;
  for (size_t row = 0; row < s->config.rows; row += s->config.d) {
    closing = closing || !(s->b[row] >= 0); /* (2) with Pi = 0 */
  }
  s->column = NULL;
  if (!closing) {
    memset(s->Pi, 0, s->config.rows * sizeof *s->Pi);
    return DLS_OK;
  }
  const dls_status status =
      dls_contact_system_impulse(&s->contacts, &s->all, s->b, s->nothing, s->Pi, err); /* (2) */
  if (status == DLS_OK &&
      !(s->fused && dls_contact_system_single_impulse(&s->contacts, &s->all, s->Pi, &s->column, &s->push))) {
    dls_contact_system_apply(&s->contacts, &s->all, 1, s->Pi, s->x); /* x = x_free + A^-1 H Pi */
  }
  return status;
}

/* b := 2 h u_T of x_free, in the tangential rows; x_free = q_k+1 - q_k - d. */
static void free_slips(dls_paoli_memory *s, double t, double h)
{
  const dls_configuration *config = &s->config;
  const size_t n = config->sys->n;
  s->config.q = s->q;
  dls_configuration_time(&s->config, t); /* b_T; H is unchanged */
  for (size_t i = 0; i < n; i++) {
    s->work[i] = (2 * s->d[i] + s->x_free[i]) / (2 * h);
  }
  for (size_t row = 0; row < config->rows; row++) {
    s->b[row] = row % config->d == 0 ? s->b[row] : 2 * h * dls_configuration_row(config, row, s->work);
  }
}

/* x_free := A x_free, the right side of a linear step. */
static void linear_forces(dls_sim *sim, dls_paoli_memory *s, double t, double h)
{
  const dls_system *sys = sim->sys;
  const double theta = options(sim)->theta;
  const double middle =
      DLS_PAOLI_TIME(t, theta, h); /* the load of (1) acts from middle - h/2 to middle + h/2 */
  if (!dls_system_load_mean(sys, middle - h / 2, middle + h / 2, s->x_free)) {
    dls_system_load(sys, middle, s->x_free);
  }
  sim->work.force_evals++;
  for (size_t i = 0; i < sys->n; i++) {
    s->x_free[i] = DLS_PAOLI_FORCE(h, s->x_free[i]);       /* (1): h^2 F_ext,k+theta */
    s->work[i] = DLS_PAOLI_AHEAD(s->q[i], theta, s->d[i]); /* (1): K acts at q_k + theta d_k */
  }
  if (sys->K != NULL) {
    dls_matrix_multiply(sys->K, -h * h, s->work, s->x_free); /* (1): -h^2 K (q_k + theta d_k) */
  }
  if (sys->C != NULL) {
    dls_matrix_multiply(sys->C, -h, s->d, s->x_free); /* (1): -h C d_k */
  }
}

/* x and Pi by a system without the unknowns of closed contacts, b = g(q_k + d_k + x) + e g(q_k-1). @return DLS_ERR_NOT_APPLICABLE:
 * not in this step; x_free is as it was */
static dls_status primal_dual_step(dls_sim *sim, dls_paoli_memory *s, double t, double h, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const dls_status status = dls_primal_dual_matrix(
      s->primal_dual, (const double[])DLS_PAOLI_MATRIX(h, options(sim)->theta), 0); /* A */
  for (size_t i = 0; i < sys->n; i++) {
    s->work[i] = s->q[i] + s->d[i];
  }
  dls_system_gap(sys, t + h, s->work, s->g_hat);
  return status != DLS_OK
             ? status
             : dls_primal_dual_solve(s->primal_dual, &s->all, s->x_free, s->g_hat, s->g_last, s->Pi, s->x, err);
}

/* From q_k-1 = q_last, q_k = q, d_k = d at time t to the second difference s->x. */
static dls_status linear_step(dls_sim *sim, dls_paoli_memory *s, double t, double h, dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_status status = DLS_OK;
  if (s->primal_dual != NULL) {
    linear_forces(sim, s, t, h);
    s->column = NULL;
    status = primal_dual_step(sim, s, t, h, err);
    if (status != DLS_ERR_NOT_APPLICABLE) {
      return status;
    }
  }
  status = factor(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!dls_paoli_fused_solve(sim, s, t, h)) {
    if (s->primal_dual == NULL) {
      linear_forces(sim, s, t, h);
    }
    dls_factor_solve(s->A, s->x_free);
  }
  for (size_t i = s->rows.first; i < s->rows.past; i++) {
    s->work[i] = DLS_PAOLI_POSITION(s->q[i], s->d[i] + s->x_free[i]); /* (1): q_free */
  }
  dls_system_gap(sys, t + h, s->work, s->g_hat);
  for (size_t j = 0; j < sys->m; j++) {
    const size_t row = s->config.d * j;
    s->b[row] = DLS_PAOLI_FREE_GAP(s->contacts.mixture[row], s->g_hat[j], s->g_last[j]); /* (2) */
  }
  if (s->config.d > 1) {
    free_slips(s, t, h);
  }
  dls_swap(&s->x, &s->x_free);
  return contact(s, err);
}

/* x_free := x - A^-1 R(x), R the residual of (1) without Pi, for the iterate x; q_k+1 goes to q_next. */
static dls_status newton_free(dls_sim *sim, dls_paoli_memory *s, double t, double h, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const double theta = options(sim)->theta, t_theta = DLS_PAOLI_TIME(t, theta, h);
  for (size_t i = 0; i < sys->n; i++) {
    const double d_next = s->d[i] + s->x[i];
    s->q_next[i] = DLS_PAOLI_POSITION(s->q[i], d_next);      /* (1): q_k+1 */
    s->work[i] = DLS_PAOLI_AHEAD(s->q[i], theta, d_next);    /* (1): q_k+theta */
    s->velocity[i] = DLS_PAOLI_VELOCITY(h, s->d[i], d_next); /* (1): central velocity */
  }
  dls_sim_force(sim, t_theta, s->work, s->velocity, s->F);
  dls_iteration_linearise(sim, t_theta, s->work, s->velocity, s->A);
  const dls_status status = factor(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < sys->n; i++) {
    s->x_free[i] = DLS_PAOLI_FORCE(h, s->F[i]); /* (1): h^2 F */
  }
  dls_matrix_multiply(s->config.M, -1, s->x, s->x_free); /* - M x: -R */
  dls_factor_solve(s->A, s->x_free);
  for (size_t i = 0; i < sys->n; i++) {
    s->x_free[i] += s->x[i]; /* x - A^-1 R */
  }
  return DLS_OK;
}

/* g_hat and H at q_hat = (q_next + e q_last) / (1 + e); the gaps of the two times weighted alike. */
static void place_hat(dls_paoli_memory *s, double t, double h, double e)
{
  for (size_t i = 0; i < s->config.sys->n; i++) {
    s->work[i] = DLS_PAOLI_HAT(e, s->q_last[i], s->q_next[i]); /* (2) */
  }
  dls_configuration_contacts(&s->hat, t + h, s->work);
  dls_configuration_gap(&s->hat, s->g_hat);
  if (s->hat.moves) {
    dls_system_gap(s->config.sys, t - h, s->work, s->g_next);
    for (size_t j = 0; j < s->config.sys->m; j++) {
      s->g_hat[j] = DLS_PAOLI_HAT(e, s->g_next[j], s->g_hat[j]);
    }
  }
}

/* Column k of H := that at the averaged point. */
static void copy_column(dls_paoli_memory *s, size_t k)
{
  for (size_t i = 0; i < s->config.sys->n; i++) {
    const double entry = dls_matrix_get(s->hat.H, i, k);
    if (entry != 0 || dls_matrix_get(s->config.H, i, k) != 0) {
      dls_matrix_set(s->config.H, i, k, entry);
    }
  }
}

/* b of (2) linearised at q_hat, a point for each restitution coefficient. */
static void linearise_gaps(dls_paoli_memory *s, double t, double h)
{
  const dls_configuration *config = &s->config;
  double last = -1;
  for (size_t row = 0; row < config->rows; row += config->d) {
    const double e = s->contacts.mixture[row];
    if (e != last) {
      place_hat(s, t, h, e);
      last = e;
    }
    for (size_t k = row; config->gradient_varies && k < row + config->d; k++) {
      copy_column(s, k);
    }
    /* (1 + e) g(q_hat) + H^T (x_free - x) */
    s->b[row] = (1 + e) * s->g_hat[row / config->d] + dls_matrix_column_dot(config->H, row, s->x_free) -
                dls_matrix_column_dot(config->H, row, s->x);
  }
  if (config->gradient_varies && s->contacts.W != NULL) {
    dls_delassus_reset(s->contacts.W);
  }
  if (s->config.d > 1) {
    free_slips(s, t, h);
  }
}

/* One iteration of Newton's method on (1), (2): x_free from (1), gaps linearised at the iterate, then the contact problem. */
static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  dls_paoli_memory *s = step;
  const size_t n = sim->sys->n;
  const double t = s->t;
  dls_status status = newton_free(sim, s, t, h, err);
  if (status != DLS_OK) {
    return status;
  }
  linearise_gaps(s, t, h);
  memcpy(s->work, s->x, n * sizeof *s->x);
  memcpy(s->x, s->x_free, n * sizeof *s->x);
  status = contact(s, err);
  *change = dls_iteration_change(n, s->x, s->work);
  return status;
}

static dls_status newton_step(dls_sim *sim, dls_paoli_memory *s, double t, double h, dls_error *err)
{
  const dls_newton_options *opt = &options(sim)->newton;
  const dls_newton newton = {.tolerance = opt->newton_tol * sim->sys->length,
                             .residual = {.A = s->A,
                                          .M = s->config.M,
                                          .x = s->x,
                                          .q = s->q_next,
                                          .v = s->velocity,
                                          .F = s->F,
                                          .scratch = s->x_free,
                                          .weight = h * h,
                                          .scale = 1},
                             .most = opt->newton_max,
                             .kinked = s->config.gradient_varies,
                             .what = "position",
                             .unit = "m"};
  const double middle = DLS_PAOLI_TIME(t, options(sim)->theta, h);
  s->t = t;
  dls_configuration_mass(&s->config, s->q);
  memset(s->x, 0, sim->sys->n * sizeof *s->x);
  dls_sim_load_begin(sim, middle - h / 2, middle + h / 2, 0);
  const dls_status status = dls_iterate(sim, &newton, iterate, s, h, err);
  dls_sim_load_end(sim);
  return status;
}

/* The first load of (1) acts from (1/2 + theta) h on. If a table of loads has a row before this time, d_1 contains the impulse of the
 * load up to it, less that of the constant load at the start. */
static void add_first_load(dls_sim *sim, dls_paoli_memory *s, double h)
{
  const double before = (0.5 + options(sim)->theta) * h;
  if (s->M == NULL || !dls_system_load_mean(sim->sys, sim->t, sim->t + before, s->work)) {
    return;
  }
  dls_system_load(sim->sys, sim->t, s->F);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->work[i] = before * (s->work[i] - s->F[i]);
  }
  dls_factor_solve(s->M, s->work);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->d[i] += h * s->work[i];
  }
}

/* q_1 and d_1 from q_0, v_0, a_0; the sim's state is that of t = 0. h/2 a_0 takes the velocity to the middle of the step,
 * where friction may have brought a slip to rest. */
static dls_status first_position(dls_sim *sim, dls_paoli_memory *s, double h, dls_error *err)
{
  const bool taylor = options(sim)->startup == DLS_PAOLI_TAYLOR;
  const dls_status status = dls_start_friction(sim, h / 2, s->eps_u, s->a0, NULL, err);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q_last[i] = sim->q[i];
    s->d[i] = h * sim->v[i] + (taylor ? h * h / 2 * s->a0[i] : 0); /* d_1 = h v_0 + h^2/2 a_0 */
  }
  add_first_load(sim, s, h);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q[i] = sim->q[i] + s->d[i];
  }
  dls_system_gap(sim->sys, sim->t, s->q_last, s->g_last);
  dls_system_gap(sim->sys, sim->t + h, s->q, s->g);
  s->h = h;
  return status;
}

/* The tangential impulse of contact j, and whether it slips. */
static void take_friction(dls_sim *sim, const dls_paoli_memory *s, size_t j)
{
  const size_t d = s->config.d;
  for (size_t i = 1; i < d; i++) {
    sim->p_t[(d - 1) * j + i - 1] = DLS_PAOLI_IMPULSE(s->h, s->Pi[d * j + i]);
  }
  if (sim->status[j] != 0 && dls_contact_system_slips(&s->contacts, &s->all, j, s->Pi, 2 * s->h * s->eps_u)) {
    sim->status[j] = 2;
  }
}

/* An impact takes two active steps: it is reported after the second, with the difference quotients around it.
 */
static void follow_impacts(dls_sim *sim, dls_paoli_memory *s, double t)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double impulse = DLS_PAOLI_IMPULSE(s->h, s->Pi[s->config.d * j]);
    const double u = DLS_PAOLI_GAP_RATE(s->h, s->g_last[j], s->g[j]); /* before */
    if (s->impulse[j] > 0) {
      const dls_event event = {.t = t - s->h,
                               .kind = DLS_IMPACT,
                               .contact = j,
                               .u_minus = s->u_minus[j],
                               .u_plus = DLS_PAOLI_GAP_RATE(s->h, s->g[j], s->g_next[j]), /* after */
                               .impulse = s->impulse[j] + impulse};
      dls_sim_event(sim, &event);
      s->impulse[j] = 0;
    } else if (impulse > 0 && sim->status[j] == 0 && u < -s->eps_u) {
      s->u_minus[j] = u;
      s->impulse[j] = impulse;
    }
    sim->p[j] = impulse;
    sim->status[j] = impulse > 0;
    if (s->config.d > 1) {
      take_friction(sim, s, j);
    }
  }
}

/* The node k, q_k+1 and d_k+1, for x = s->x + push column. */
static inline void finish_step(dls_sim *sim, dls_paoli_memory *s, double h, const double *restrict column)
{
  const size_t n = sim->sys->n;
  const double *restrict x = s->x, *restrict q_k = s->q, push = s->push;
  double *restrict q = sim->q, *restrict v = sim->v, *restrict q_next = s->q_next, *restrict d = s->d;
  for (size_t i = 0; i < n; i++) {
    const double d_next = d[i] + (column != NULL ? x[i] + push * column[i] : x[i]);
    q[i] = q_k[i];
    v[i] = DLS_PAOLI_VELOCITY(h, d[i], d_next);     /* (1) */
    q_next[i] = DLS_PAOLI_POSITION(q_k[i], d_next); /* (1) */
    d[i] = d_next;
  }
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  dls_paoli_memory *s = sim->memory;
  const double t = dls_sim_next_time(sim, h); /* of the node k that this call completes */
  dls_status status = s->h == 0 ? first_position(sim, s, h, err) : DLS_OK;
  if (h != s->h) {
    return dls_sim_fail(sim, err, DLS_ERR_ARG,
                        "the step changed from %g to %g s: a two-step scheme needs equal steps", s->h, h);
  }
  status = status != DLS_OK                                 ? status
           : sim->sys->linear && !s->config.gradient_varies ? linear_step(sim, s, t, h, err)
                                                            : newton_step(sim, s, t, h, err);
  if (status != DLS_OK) {
    return status;
  }
  if (s->column == NULL) {
    finish_step(sim, s, h, NULL);
  } else {
    finish_step(sim, s, h, s->column);
  }
  dls_system_gap(sim->sys, t + h, s->q_next, s->g_next);
  follow_impacts(sim, s, t);
  dls_swap(&s->q_last, &s->q); /* k+1 is the next k, k the next k-1 */
  dls_swap(&s->q, &s->q_next);
  dls_swap(&s->g_last, &s->g);
  dls_swap(&s->g, &s->g_next);
  return DLS_OK;
}

const dls_scheme dls_scheme_schatzman_paoli = {
    .name = "schatzman-paoli",
    .family = DLS_FAMILY_POSITION,
    .summary = "Schatzman-Paoli two-step scheme, impacts at position level",
    .source = "L. Paoli & M. Schatzman 1993, 2002; V. Acary, lecture, eqs. (42)-(43)",
    .equations = "M (q_k+1 - 2 q_k + q_k-1) = h^2 F(t_k+theta, q_k+theta, (q_k+1 - q_k-1)/(2h)) + H Pi\n"
                 "0 <= g((q_k+1 + e q_k-1)/(1 + e))  _|_  Pi >= 0   for every contact\n"
                 "node at t_k: v = (q_k+1 - q_k-1)/(2h), p = Pi/h; friction of Pi against the slip of that v\n",
    .remarks =
        "Order 1 with impacts (L1 of q and v); without: order 2 for theta = 0, order 1 otherwise.\n"
        "Restitution needs two active steps: penetrations up to 2 e h |u| / (1 + e) belong to the scheme.\n"
        "Needs equal steps. Passes accumulations; rests exactly. The jump of v is spread over three steps.\n"
        "With e > 0, contacts that share a body (H^T M^-1 H not diagonal) and strike within two steps of each\n"
        "other may gain energy: the work of an active contact is -(1 + e) g_k-1 Pi/(2 h^2), and only for a\n"
        "single contact is the gain of its second active step at most the loss of its first. Two equal balls\n"
        "and a wall, e = 1: 1.64 times the energy from some starts. With e = 0 there is no gain.\n",
    .options = table,
    .options_size = sizeof(dls_paoli_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .v_is_quotient = true,
    .start = start,
    .advance = advance,
    .advance_batch = dls_paoli_advance_batch,
    .finish = finish,
    .balance = &dls_balance_schatzman_paoli,
    .published =
        (const dls_published_order[]){
            {"V. Acary, lecture, slide 43", 1, {"bouncing-ball", "impacting-oscillator"}}, {0}},
};
