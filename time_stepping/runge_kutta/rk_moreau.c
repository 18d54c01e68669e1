/* rk_moreau.c -- Runge-Kutta steps of order p between impacts, one Moreau-Jean step through each.
 *
 *   An impact in [t, t_k + h] is bracketed: g(t_a) > 0 and it closes within d = C h (h/t_s)^p. A Runge-Kutta step leads
 *   to t_a, one Moreau-Jean step (theta = 1/2) to t_b = t_a + d, with the contact that closes forced to be active:
 *     M (v_b - v_a) = d F(t_a + d/2) + H P,   0 <= U_b + e U_a _|_ P >= 0,   q_b = q_a + d/2 (v_a + v_b)       (1)
 *   Then the gap is set to 0 if it is negative. The error O(d) = O(h^(p+1)) of (1) is a local error of order p.
 *   The rest of the step is treated in the same way. |U_b| <= K |Gamma| d ends an accumulation: the contact lasts.
 *   Lasting contacts are part of the Runge-Kutta step. Their release, and beginnings and ends of slip, are located within d.
 * Sources: Mannshardt 1978; Acary 2012, APNUM 62; Acary, lecture, eqs. (130)-(136).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/runge_kutta/rk_moreau.h"
#include "time_stepping/step/slip.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const locates[] = {[DLS_LOCATE_BISECTION] = "bisection",
                                      [DLS_LOCATE_NEWTON] = "newton",
                                      [DLS_LOCATE_INTERPOLANT] = "interpolant",
                                      NULL};

typedef struct bracketing_options {
  int method;
  int locate; /* a dls_locate */
  double bracket, stick;
  size_t max_inner;
  dls_newton_options newton;
} bracketing_options;
static const dls_option table[] = {
    DLS_CHOICE_OPTION(0, bracketing_options, method, "the Runge-Kutta method; gauss and radau are implicit",
                      DLS_RK_DORMAND_PRINCE, dls_rk_names),
    DLS_CHOICE_OPTION(0, bracketing_options, locate,
                      "impacts by Runge-Kutta steps of trial length (bisection, newton), or where the quintic "
                      "through both ends of the step has its zero (interpolant)",
                      DLS_LOCATE_NEWTON, locates),
    DLS_REAL_OPTION(0, bracketing_options, bracket, "h (h/t_s)^p", "C: length of the bracket around an impact",
                    1e-3, 0, 1, DLS_OPEN_MIN),
    DLS_REAL_OPTION(0, bracketing_options, stick, "1",
                    "K: a rebound slower than K times the velocity change by the contact force in the bracket "
                    "ends an accumulation",
                    4, 1, 1e3, 0),
    DLS_INTEGER_OPTION(0, bracketing_options, max_inner, "events allowed in a step", 1000, 1, 1e9),
    DLS_NEWTON_OPTIONS(offsetof(bracketing_options, newton), "v_s",
                       "implicit methods, " DLS_NEWTON_VELOCITY "model's velocity scale", 1e-13,
                       "implicit methods, " DLS_NEWTON_MAX, 50),
    {0},
};

static const bracketing_options *options(const dls_sim *sim)
{
  return sim->options;
}

static const double time_rounding = 8 * DBL_EPSILON;
static const double start_gap = 1e-10; /* [q_s]: initial gaps of this size are closed */

static void finish(dls_sim *sim)
{
  dls_bracketing *s = sim->memory;
  if (s == NULL) {
    return;
  }
  dls_rk_destroy(&s->rk);
  dls_contact_system_destroy(&s->contacts);
  dls_impact_contacts_destroy(&s->impact);
  dls_slip_destroy(&s->slip);
  dls_instant_destroy(&s->now);
  dls_instant_destroy(&s->trial);
  dls_instant_destroy(&s->next);
  free(s->flight.small_system);
  free(s->closed.index);
  free(s->F);
  free(s);
}

static dls_status create(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_bracketing *s = sim->memory = calloc(1, sizeof *s);
  if (s != NULL) {
    s->closed.index = calloc(2 * sys->m + 1, sizeof *s->closed.index);
    s->down.index = s->closed.index + sys->m;
    s->F = calloc(2 * sys->n, sizeof *s->F);
    s->v_left = s->F + sys->n;
  }
  if (s == NULL || s->closed.index == NULL || s->F == NULL || !dls_instant_create(sys, &s->now) ||
      !dls_instant_create(sys, &s->trial) || !dls_instant_create(sys, &s->next) ||
      !dls_impact_contacts_create(sys, &s->impact) || !dls_slip_create(sys, &s->slip)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  dls_status status = dls_contact_system_create_mass(sys, &sim->work, &s->contacts, err);
  s->rk.newton = dls_newton_of_velocity(sys, &options(sim)->newton);
  s->locate = (dls_locate)options(sim)->locate;
  s->flight = (dls_rk_flight){DLS_RK_BETWEEN_NODES, &s->rk, &s->contacts, &s->closed, &s->now, NULL};
  if (status != DLS_OK ||
      (status = dls_small_system_create(sim, &s->contacts, &s->flight.small_system, err)) != DLS_OK) {
    return status;
  }
  return dls_rk_create(sim, (dls_rk_method)options(sim)->method, false, &s->rk, err);
}

/* closed := the contacts of set that the acceleration at x does not open. */
static void take_closed(dls_bracketing *s, const dls_contacts *set, const dls_instant *x)
{
  size_t count = 0;
  for (size_t k = 0; k < set->count; k++) {
    if (!dls_instant_opens(&s->contacts, set->index[k], x->gamma, x->lambda)) {
      s->closed.index[count++] = set->index[k];
    }
  }
  s->closed.count = count;
}

/* x, which was observed last, becomes the sim's state, and now. */
static void commit(dls_sim *sim, dls_bracketing *s, dls_instant *x)
{
  if (sim->sys->r > 0) {
    dls_instant_multipliers(sim, &s->contacts, x, s->F, sim->mu);
  }
  dls_instant_commit(sim, &s->now, x);
  sim->t = s->now.t;
  memset(sim->status, 0, sim->sys->m * sizeof *sim->status);
  for (size_t k = 0; k < s->closed.count; k++) {
    const size_t j = s->closed.index[k];
    sim->status[j] = dls_slip_status(&s->contacts, j, s->now.u, s->now.gamma, s->now.lambda);
  }
}

/* From x, just before the impacts of s->impact.set, by a Moreau-Jean step of length d; s->next is the result. */
static dls_status moreau_step(dls_sim *sim, dls_bracketing *s, const dls_instant *x, double d, dls_error *err)
{
  const size_t n = sim->sys->n;
  dls_instant *next = &s->next;
  for (size_t i = 0; i < n; i++) {
    next->q[i] = x->q[i] + 0.5 * d * x->v[i]; /* (1): where F is taken */
  }
  dls_sim_load_begin(sim, x->t, x->t + d, 0);
  dls_sim_force(sim, x->t + 0.5 * d, next->q, x->v, s->F);
  dls_sim_load_end(sim);
  dls_contact_system_acceleration(&s->contacts, x->v, s->F); /* M^-1 F, or with the joints' forces */
  for (size_t i = 0; i < n; i++) {
    next->v[i] = x->v[i] + d * s->F[i]; /* (1) without P */
  }
  dls_status status = dls_impact_contacts_solve(sim, &s->contacts, &s->impact, x->t, x->q,
                                                options(sim)->stick * d, s->noise, next->v, err);
  for (size_t i = 0; i < n; i++) {
    next->q[i] = x->q[i] + 0.5 * d * (x->v[i] + next->v[i]); /* (1): q_b */
  }
  next->t = x->t + d;
  return status;
}

/* Gaps that the impact left negative, and those of lasting contacts, := 0; then the velocities of these. Joints: both. */
static dls_status clean(dls_sim *sim, dls_bracketing *s, dls_error *err)
{
  const dls_impact_contacts *impact = &s->impact;
  s->down.count = 0;
  dls_system_gap(sim->sys, s->next.t, s->next.q, s->next.g);
  for (size_t k = 0; k < impact->set.count; k++) {
    const size_t j = impact->set.index[k];
    if (impact->touch[k].stays || s->next.g[j] < 0) {
      s->down.index[s->down.count++] = j;
    }
  }
  return dls_bracketing_project(sim, s, &s->down, &impact->stays, &s->next, err);
}

/* The impacts of s->impact.set from x, in a bracket of length d; left limits are set before. */
static dls_status pass_impact(dls_sim *sim, dls_bracketing *s, const dls_instant *x, double d, dls_error *err)
{
  dls_status status = moreau_step(sim, s, x, d, err);
  if (status != DLS_OK || (status = clean(sim, s, err)) != DLS_OK) {
    return status;
  }
  status = dls_instant_observe(sim, &s->contacts, &s->impact.stays, &s->next, NULL, err);
  if (status != DLS_OK) {
    return status;
  }
  take_closed(s, &s->impact.stays, &s->next);
  sim->jump = dls_impact_contacts_report(sim, &s->contacts, &s->impact, s->next.t, &s->closed);
  commit(sim, s, &s->next);
  return DLS_OK;
}

static dls_status check_gaps(const dls_sim *sim, const double *g, dls_error *err)
{
  const double allowed = start_gap * sim->sys->length;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (g[j] < -allowed) {
      char name[80];
      dls_contact_name(sim->sys, j, name, sizeof name);
      return dls_fail(err, DLS_ERR_ARG, "the initial gap of %s is %.6g m, allowed is >= -%.3g m", name, g[j],
                      allowed);
    }
  }
  return DLS_OK;
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  dls_status status = dls_rk_check_method(sim, (dls_rk_method)options(sim)->method, err);
  if (status != DLS_OK || (status = create(sim, err)) != DLS_OK) {
    return status;
  }
  dls_bracketing *s = sim->memory;
  s->now.t = sim->t;
  memcpy(s->now.q, sim->q, sim->sys->n * sizeof *sim->q);
  memcpy(s->now.v, sim->v, sim->sys->n * sizeof *sim->v);
  s->noise = dls_gap_noise(sim, sim->q);
  status = dls_instant_observe(sim, &s->contacts, &s->closed, &s->now, NULL, err);
  if (status != DLS_OK || (status = check_gaps(sim, s->now.g, err)) != DLS_OK) {
    return status;
  }
  const size_t d = s->contacts.config->d;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (s->now.g[j] <= start_gap * sim->sys->length && s->now.u[d * j] <= 0) {
      dls_impact_contacts_add(&s->impact, j, s->now.u[d * j], false);
    }
  }
  return pass_impact(sim, s, &s->now, 0, err);
}

/* The contacts that take part in the impact at trial: lasting ones, and those that close within the bracket. */
static void gather(dls_sim *sim, dls_bracketing *s, size_t forced)
{
  const dls_instant *x = &s->trial;
  s->impact.set.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double u = x->u[s->contacts.config->d * j];
    const bool closes = u < 0 && x->g[j] <= fmax(s->noise, -s->bracket * u);
    if (dls_bracketing_closed(sim, j)) {
      dls_impact_contacts_add(&s->impact, j, 0, true);
    } else if (j == forced || closes) {
      dls_impact_contacts_add(&s->impact, j, u, false);
    }
  }
}

static dls_status impact_at_trial(dls_sim *sim, dls_bracketing *s, size_t contact, double t_end, dls_error *err)
{
  const size_t n = sim->sys->n;
  const double rest = t_end - s->trial.t;
  const double d = rest - s->bracket <= s->width ? fmax(rest, 0) : s->bracket;
  const dls_status status = dls_instant_observe(sim, &s->contacts, &s->closed, &s->trial, NULL, err);
  dls_configuration_end_interval(s->contacts.config);
  if (status != DLS_OK) {
    return status;
  }
  dls_instant_multipliers(sim, &s->contacts, &s->trial, s->F, sim->mu_left);
  gather(sim, s, contact);
  for (size_t i = 0; i < n; i++) {
    s->v_left[i] = s->trial.v[i] + d * s->trial.a[i]; /* v_a + d a */
  }
  memcpy(sim->a_left, s->trial.a, n * sizeof *sim->a_left);
  dls_split_rows(sim->sys, s->trial.lambda, sim->lambda_left, sim->lambda_t_left);
  memcpy(sim->v_left, s->v_left, n * sizeof *sim->v_left);
  return pass_impact(sim, s, &s->trial, d, err); /* v_b, q_b */
}

static void release(dls_sim *sim, dls_bracketing *s)
{
  for (size_t k = 0; k < s->closed.count; k++) {
    const size_t j = s->closed.index[k];
    if (dls_instant_opens(&s->contacts, j, s->trial.gamma, s->trial.lambda)) {
      dls_sim_event(sim, &(dls_event){.t = s->trial.t, .kind = DLS_LIFT_OFF, .contact = j});
    }
  }
  take_closed(s, &s->closed, &s->trial);
}

/* Count events inside a step. */
static dls_status count_inner(const dls_sim *sim, dls_bracketing *s, dls_error *err)
{
  s->inner = s->step == sim->step ? s->inner + 1 : 1;
  s->step = sim->step;
  return s->inner <= options(sim)->max_inner
             ? DLS_OK
             : dls_fail(err, DLS_ERR_CHATTERING, "%zu events in one step, allowed are max_inner = %zu",
                        s->inner, options(sim)->max_inner);
}

static void set_bracket(const dls_sim *sim, dls_bracketing *s, double h)
{
  const double scale = sim->sys->time;
  s->width = time_rounding * fmax(fabs(sim->t) + h, scale);
  s->bracket = fmax(options(sim)->bracket * h * pow(fmin(h / scale, 1), s->rk.table->q), s->width);
  s->noise = dls_gap_noise(sim, sim->q);
}

/* The smooth interval ends at trial: slips that have reversed before it end, if the forces can hold them, and surfaces jump. Then the
 * acceleration jumps. */
static dls_status catch_slips(dls_sim *sim, dls_bracketing *s, dls_error *err)
{
  dls_instant *x = &s->trial;
  const size_t n = sim->sys->n;
  const dls_smooth_interval interval = {x->t, x->t - s->now.t, &s->closed, s->now.u, x->lambda, x->q, x->v};
  memcpy(s->v_left, x->v, n * sizeof *s->v_left);
  memcpy(s->F, x->a, n * sizeof *s->F);
  dls_split_rows(sim->sys, x->lambda, sim->lambda_left, sim->lambda_t_left);
  bool ended = false;
  dls_status status = dls_slip_catch(sim, &s->contacts, &s->slip, &interval, &ended, err);
  const bool jumped = dls_configuration_end_interval(s->contacts.config) && s->closed.count > 0;
  if (ended && status == DLS_OK) {
    status =
        dls_contact_system_project_q(&s->contacts, &s->closed, x->t, x->q, err); /* catching has moved it */
  }
  if ((ended || jumped) && status == DLS_OK) {
    status = dls_instant_observe(sim, &s->contacts, &s->closed, x, NULL, err);
    memcpy(sim->v_left, s->v_left, n * sizeof *sim->v_left);
    memcpy(sim->a_left, s->F, n * sizeof *sim->a_left);
    sim->jump = true;
  }
  return status;
}

/* The smooth motion ends at trial, now + length. */
static dls_status arrive(dls_sim *sim, dls_bracketing *s, bool whole, bool released, double t_end,
                         dls_error *err)
{
  if (whole || t_end - s->trial.t <= s->width) {
    s->trial.t = t_end;
  } else {
    const dls_status status = count_inner(sim, s, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  if (released) {
    release(sim, s);
  }
  memset(sim->p, 0, sim->sys->m * sizeof *sim->p);
  dls_status status = DLS_OK;
  if (s->contacts.problem != NULL) { /* friction */
    memset(sim->p_t, 0, (sim->sys->d - 1) * sim->sys->m * sizeof *sim->p_t);
    status = catch_slips(sim, s, err);
  }
  commit(sim, s, &s->trial);
  return status;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  dls_bracketing *s = sim->memory;
  double t_end = dls_sim_next_time(sim, h);
  const double rest = t_end - s->now.t;
  double length = dls_slip_way(sim, &s->contacts, rest);
  t_end = length < rest ? s->now.t + length : t_end; /* at the jump of a surface */
  double opens = 0;
  bool released = false;
  bool found = false, slips = false;
  size_t contact = sim->sys->m;
  set_bracket(sim, s, h);
  dls_configuration_begin_interval(s->contacts.config, s->now.t);
  dls_status status = dls_bracketing_reach(sim, s, length, &opens, err); /* Runge-Kutta over what is left */
  if (status != DLS_OK || (status = dls_bracketing_slip(sim, s, &length, &slips, err)) != DLS_OK) {
    return status; /* slip that ends or begins */
  }
  opens = slips ? 1 : opens;
  if (s->closed.count > 0) {
    status = dls_bracketing_release(sim, s, opens, &length, &released, err);
  }
  if (status != DLS_OK ||
      (status = dls_bracketing_crossing(sim, s, length, &found, &contact, err)) != DLS_OK) { /* t_a */
    return status;
  }
  if (!found || contact == sim->sys->m) {
    return arrive(sim, s, !found && !released && !slips, !found && released, t_end, err);
  }
  status = count_inner(sim, s, err);
  return status != DLS_OK ? status : impact_at_trial(sim, s, contact, t_end, err); /* to t_b */
}

const dls_scheme dls_scheme_rk_moreau = {
    .name = "rk-moreau",
    .family = DLS_FAMILY_RUNGE_KUTTA,
    .summary = "Runge-Kutta of order 2 to 8 with brackets of h^(p+1) around impacts",
    .source = "R. Mannshardt 1978; V. Acary 2012 (APNUM 62); V. Acary, lecture, eqs. (130)-(136)",
    .equations =
        "smooth: Runge-Kutta step of order p, 0 <= H^T A_i + (dH^T/dt) V_i _|_ lambda_i >= 0 at each stage\n"
        "impact: Runge-Kutta step to t_a, then over d = C h (h/t_s)^p with the closing contact active\n"
        "  M (v_b - v_a) = d F + H P,   0 <= U_b + e U_a _|_ P >= 0,   q_b = q_a + d (v_a + v_b)/2\n"
        "and again on the remainder of the step; U_b <= K |Gamma| d: the contact lasts\n"
        "joints: M A_i = F + H lambda_i + G mu_i, G^T A_i + (dG^T/dt) V_i = 0; nodes are projected onto them\n",
    .remarks = "Order p of the method, with impacts and lasting contact, in q at the nodes and in v beside the "
               "jumps.\n"
               "heun 2, bs3 3, rk4 4, rkf45 and dopri5 5, rkf78 8;\n"
               "gauss2 2, radau3 3, gauss4 4, radau5 5. Passes accumulations; between nodes cubic (order 4).\n"
               "A step has as many nodes as it has events: impacts, releases, beginnings and ends of slip.\n"
               "No order near grazing impacts.\n",
    .options = table,
    .options_size = sizeof(bracketing_options),
    .stepping = DLS_BY_SUBSTEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_JOINTS,
    .q_between = DLS_HERMITE,
    .v_between = DLS_HERMITE,
    .start = start,
    .advance = advance,
    .advance_batch = dls_rk_advance_batch,
    .finish = finish,
};
