/* splitting.c -- smooth flow over a step, then the impact law at its end.
 *   (i)  q1, v1: one Runge-Kutta step, by default Fehlberg's 4(5), of M v' = F [+ H lambda], q' = v; lambda in brackets:
 *        the forces of contacts that are closed and persistent at t_k, by acceleration problems at the stages
 *   (ii) q' = q1,  v' = v1 + M^-1 H P,   0 <= U' + e U1 _|_ P >= 0 on the contacts with g(q1) <= 0
 * The velocity before the impact is that at the END of the flow. With contact forces an impact from which a contact
 * rebounds slower than |Gamma| h makes it persistent, U' = 0.
 * Sources: Acary, lecture, eqs. (137)-(143); Fehlberg 1969.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/larger.h"
#include "common/run/checks.h"
#include "time_stepping/runge_kutta/runge_kutta.h"
#include "time_stepping/step/control.h"
#include "time_stepping/step/impact_contacts.h"
#include "time_stepping/step/slip.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct splitting_options {
  int contact_forces;
  int method;                /* a dls_rk_method */
  dls_newton_options newton; /* with steps of one length */
  double tol;                /* with steps from the error, as what follows */
  dls_step_control_options steps;
} splitting_options;
#define CONTACT_FORCES_OPTION                                                                                  \
  DLS_CHOICE_OPTION(0, splitting_options, contact_forces,                                                      \
                    "forces of lasting contacts in the flow; off: the impact law must hold them", 1,           \
                    dls_off_on)
static const dls_option table[] = {
    CONTACT_FORCES_OPTION,
    DLS_CHOICE_OPTION(0, splitting_options, method,
                      "the Runge-Kutta method of the flow; gauss and radau are implicit", DLS_RK_FEHLBERG45,
                      dls_rk_names),
    DLS_NEWTON_OPTIONS(offsetof(splitting_options, newton), "v_s",
                       "implicit methods, " DLS_NEWTON_VELOCITY "model's velocity scale", 1e-13,
                       "implicit methods, " DLS_NEWTON_MAX, 50),
    {0},
};
static const dls_option adaptive_table[] = {
    CONTACT_FORCES_OPTION,
    DLS_CHOICE_OPTION(0, splitting_options, method, "the Runge-Kutta pair of the flow", DLS_RK_FEHLBERG45,
                      dls_rk_explicit_names),
    DLS_REAL_OPTION(0, splitting_options, tol, "1",
                    "error of a step accepted: of the pair, in units of the model's length and velocity "
                    "scales, and growth of "
                    "a "
                    "penetration, in units of the length scale",
                    1e-6, 1e-14, 1, 0),
    DLS_STEP_CONTROL_OPTIONS(offsetof(splitting_options, steps)),
    {0},
};

static const splitting_options *options(const dls_sim *sim)
{
  return sim->options;
}

typedef struct splitting_memory {
  dls_rk_flight flight;
  dls_rk rk;
  dls_contact_system contacts;
  dls_impact_contacts impact;
  dls_slip slip;
  dls_contacts closed;         /* and persistent; none without contact forces */
  dls_instant now, end, after; /* the sim's state, observed; the end of the flow; behind the impact */
  bool jumped;                 /* surfaces have jumped in the flow, at its end or before */
  double *dq, *dv;             /* n: error of the flow */
  dls_step_control control;
} splitting_memory;

static bool has_forces(const dls_sim *sim)
{
  return options(sim)->contact_forces != 0;
}

static void finish(dls_sim *sim)
{
  splitting_memory *s = sim->memory;
  if (s == NULL) {
    return;
  }
  dls_rk_destroy(&s->rk);
  dls_contact_system_destroy(&s->contacts);
  dls_impact_contacts_destroy(&s->impact);
  dls_slip_destroy(&s->slip);
  dls_instant_destroy(&s->now);
  dls_instant_destroy(&s->end);
  dls_instant_destroy(&s->after);
  free(s->flight.small_system);
  free(s->closed.index);
  free(s->dq);
  free(s);
}

static dls_status create(dls_sim *sim, bool adaptive, dls_error *err)
{
  const dls_system *sys = sim->sys;
  splitting_memory *s = sim->memory = calloc(1, sizeof *s);
  if (s != NULL) {
    s->closed.index = calloc(sys->m + 1, sizeof *s->closed.index);
    s->dq = calloc(2 * sys->n, sizeof *s->dq);
    s->dv = s->dq + sys->n;
  }
  if (s == NULL || s->closed.index == NULL || s->dq == NULL || !dls_instant_create(sys, &s->now) ||
      !dls_instant_create(sys, &s->end) || !dls_instant_create(sys, &s->after) ||
      !dls_impact_contacts_create(sys, &s->impact) || !dls_slip_create(sys, &s->slip)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  dls_status status = dls_contact_system_create_mass(sys, &sim->work, &s->contacts, err);
  s->rk.newton = dls_newton_of_velocity(sys, &options(sim)->newton);
  s->flight = (dls_rk_flight){DLS_RK_AT_NODES, &s->rk, &s->contacts, &s->closed, &s->now, NULL};
  if (status != DLS_OK ||
      (status = dls_small_system_create(sim, &s->contacts, &s->flight.small_system, err)) != DLS_OK) {
    return status;
  }
  return dls_rk_create(sim, (dls_rk_method)options(sim)->method, adaptive, &s->rk, err);
}

/* The persistent contacts after the impact: contacts that stay closed and that the acceleration does not open. */
static void take_closed(splitting_memory *s)
{
  s->closed.count = 0;
  for (size_t k = 0; k < s->impact.stays.count; k++) {
    const size_t j = s->impact.stays.index[k];
    if (!dls_instant_opens(&s->contacts, j, s->after.gamma, s->after.lambda)) {
      s->closed.index[s->closed.count++] = j;
    }
  }
}

static void set_status(dls_sim *sim, const splitting_memory *s)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    sim->status[j] = sim->p[j] > 0;
  }
  for (size_t k = 0; k < s->closed.count; k++) {
    const size_t j = s->closed.index[k];
    sim->status[j] = dls_slip_status(&s->contacts, j, s->now.u, s->now.gamma, s->now.lambda);
  }
}

/* The contacts of (ii) at the end of the flow. @return whether one of them does not separate, or was persistent */
static bool gather(dls_sim *sim, splitting_memory *s)
{
  const dls_instant *x = &s->end;
  const size_t d = s->contacts.config->d;
  bool acts = s->closed.count > 0;
  size_t next = 0;
  s->impact.set.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (next < s->closed.count && s->closed.index[next] == j) {
      dls_impact_contacts_add(&s->impact, j, 0, true); /* persistent: U1 = 0 in the law */
      next++;
    } else if (x->g[j] <= 0) {
      dls_impact_contacts_add(&s->impact, j, x->u[d * j], false);
      acts = acts || x->u[d * j] <= 0;
    }
  }
  return acts;
}

/* s->after := s->end behind the impact law; h: length of the flow that led there. */
static dls_status solve_impact(dls_sim *sim, splitting_memory *s, double h, dls_error *err)
{
  const size_t n = sim->sys->n;
  dls_instant *after = &s->after;
  after->t = s->end.t;
  memcpy(after->q, s->end.q, n * sizeof *after->q);
  memcpy(after->v, s->end.v, n * sizeof *after->v);
  const dls_status status = dls_impact_contacts_solve(sim, &s->contacts, &s->impact, after->t, after->q,
                                                      has_forces(sim) ? h : -1, 0, after->v, err);
  return status != DLS_OK ? status : dls_instant_observe(sim, &s->contacts, &s->impact.stays, after, NULL, err);
}

/* (ii) */
static dls_status impact(dls_sim *sim, splitting_memory *s, double h, dls_error *err)
{
  if (!gather(sim, s)) {
    memset(sim->p, 0, sim->sys->m * sizeof *sim->p);
    memset(sim->p_t, 0, (sim->sys->d - 1) * sim->sys->m * sizeof *sim->p_t);
    dls_instant_commit(sim, &s->now, &s->end);
    set_status(sim, s);
    return DLS_OK;
  }
  const dls_status status = solve_impact(sim, s, h, err); /* v' = v1 + M^-1 H P */
  if (status == DLS_OK) {
    take_closed(s);
    sim->jump = dls_impact_contacts_report(sim, &s->contacts, &s->impact, s->after.t, &s->closed) || s->jumped;
    dls_instant_left(sim, &s->end); /* q1, v1: the left limit */
    dls_instant_commit(sim, &s->now, &s->after);
    set_status(sim, s);
  }
  return status;
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  dls_status status = dls_rk_check_method(sim, (dls_rk_method)options(sim)->method, err);
  if (status != DLS_OK || (status = create(sim, sim->scheme->stepping == DLS_BY_EVENT, err)) != DLS_OK) {
    return status;
  }
  splitting_memory *s = sim->memory;
  dls_instant_begin(sim, &s->end);
  status = dls_instant_observe(sim, &s->contacts, &s->closed, &s->end, NULL, err);
  return status != DLS_OK ? status : impact(sim, s, 0, err);
}

/* (i), where surfaces do not jump */
static dls_status smooth_flow(dls_sim *sim, splitting_memory *s, double t, double h, dls_error *err)
{
  double opens = 0;
  bool ended = false;
  s->end.t = t;
  dls_contact_system_begin_interval(&s->contacts, s->now.u);
  dls_status status =
      dls_rk_step(sim, &s->rk, &s->contacts, &s->now, &s->closed, h, s->end.q, s->end.v, &opens, err);
  if (status != DLS_OK ||
      (status = dls_instant_observe(sim, &s->contacts, &s->closed, &s->end, NULL, err)) != DLS_OK) {
    return status;
  }
  const dls_smooth_interval interval = {t, h, &s->closed, s->now.u, s->end.lambda, s->end.q, s->end.v};
  status = dls_slip_catch(sim, &s->contacts, &s->slip, &interval, &ended, err);
  return status != DLS_OK || !ended ? status
                                    : dls_instant_observe(sim, &s->contacts, &s->closed, &s->end, NULL, err);
}

/* (i) */
static dls_status flow(dls_sim *sim, splitting_memory *s, double t, double h, dls_error *err)
{
  dls_configuration *config = s->contacts.config;
  dls_configuration_begin_interval(config, sim->t);
  const dls_status status = smooth_flow(sim, s, t, h, err);
  s->jumped = dls_configuration_end_interval(config) && s->closed.count > 0;
  return status;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  splitting_memory *s = sim->memory;
  const dls_status status = flow(sim, s, dls_sim_next_time(sim, h), h, err);
  return status != DLS_OK ? status : impact(sim, s, h, err);
}

/* Growth of the largest penetration in a step [m]. */
static double violation(const dls_sim *sim, const splitting_memory *s)
{
  double before = 0;
  double behind = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    before = fmax(before, -s->now.g[j]);
    behind = fmax(behind, -s->end.g[j]);
  }
  return fmax(behind - before, 0);
}

/* Largest error of the flow in units of the scales. */
static double flow_error(const dls_sim *sim, splitting_memory *s, double h)
{
  const double length = sim->sys->length;
  double largest = 0;
  dls_rk_error(sim, &s->rk, h, s->dq, s->dv);
  for (size_t i = 0; i < sim->sys->n; i++) {
    const double e = fmax(fabs(s->dq[i]) / length, fabs(s->dv[i]) * sim->sys->time / length);
    largest = dls_larger(largest, e);
  }
  return largest;
}

/* A flow of length h. Its error is that of the lower method of the pair, 5 in h for rkf45, or what that does not see: the penetration and a
 * slip that has reversed under the friction of before are of order 1, what a slip that ended has moved since is of order 2. */
static dls_status try_flow(dls_sim *sim, void *step, double h, double *error, int *order, dls_error *err)
{
  splitting_memory *s = step;
  const double tol = options(sim)->tol, length = sim->sys->length;
  const dls_status status = flow(sim, s, sim->t + h, h, err);
  if (status == DLS_OK) {
    const double unseen[] = {violation(sim, s) / length, s->slip.reversed * sim->sys->time / length,
                             s->slip.removed / length};
    *error = flow_error(sim, s, h) / tol;
    *order = s->rk.table->p; /* of the embedded method */
    for (int i = 0; i < 3; i++) {
      if (unseen[i] / tol > 1 && !(*error > unseen[i] / tol)) {
        *error = unseen[i] / tol;
        *order = i / 2;
      }
    }
    *error = dls_checks_passes(sim, s->end.t, s->end.q, s->end.v, s->end.g, s->end.u, sim->sys->d) ? HUGE_VAL
                                                                                                   : *error;
  }
  return status;
}

static dls_status start_adaptive(dls_sim *sim, dls_error *err)
{
  const dls_status status = start(sim, err);
  if (status == DLS_OK) {
    splitting_memory *s = sim->memory;
    dls_step_control_start(sim, &options(sim)->steps, &s->control);
  }
  return status;
}

/* Stages see neither a break of a load nor a jump of a surface. At that of a surface the interval is continued smoothly to its end. */
static double way(const dls_sim *sim, splitting_memory *s, double rest)
{
  const double surface = dls_slip_way(sim, &s->contacts, rest),
               before = surface - 8 * DBL_EPSILON * fabs(sim->t + surface);
  const double load = dls_step_control_way(sim, surface);
  return surface < rest && load >= before ? surface : load;
}

static dls_status advance_adaptive(dls_sim *sim, double rest, dls_error *err)
{
  splitting_memory *s = sim->memory;
  double h = 0;
  dls_status status = dls_step_control_step(sim, &s->control, way(sim, s, rest), try_flow, s, &h, err);
  if (status != DLS_OK || (status = impact(sim, s, h, err)) != DLS_OK) {
    return status;
  }
  sim->t = s->now.t;
  return DLS_OK;
}

static dls_status check_adaptive(const dls_scheme *self, const void *given, dls_error *err)
{
  return dls_step_control_check(self, &((const splitting_options *)given)->steps, err);
}

#define EQUATIONS                                                                                              \
  "(i)  M v' = F [+ H lambda], q' = v over the step by a Runge-Kutta method: q1, v1\n"                         \
  "(ii) q' = q1,  v' = v1 + M^-1 H P,  0 <= U' + e U1 _|_ P >= 0 on the contacts with g(q1) <= 0\n"            \
  "contact_forces=on: in (i) 0 <= H^T A_i + (dH^T/dt) V_i _|_ lambda_i >= 0 on persistent contacts\n"

const dls_scheme dls_scheme_splitting_rkf45 = {
    .name = "splitting-rkf45",
    .family = DLS_FAMILY_RUNGE_KUTTA,
    .summary = "smooth flow by a Runge-Kutta method (RKF45), then the impact law",
    .source = "V. Acary, lecture, eqs. (137)-(143); E. Fehlberg 1969",
    .equations = EQUATIONS,
    .remarks = "Order 1 with impacts, that of the method between them (heun 2, bs3 3, rk4 4, rkf45 and dopri5 "
               "5, rkf78 8,\n"
               "gauss2 2, radau3 3, gauss4 4, radau5 5). Penetrations of order h stay.\n"
               "contact_forces=off: a resting contact bounces at e |f| h / (1 + e) and sinks at\n"
               "(1 - e)/(2 (1 + e)) |f| h, f: its free acceleration; on: it rests.\n",
    .options = table,
    .options_size = sizeof(splitting_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_HERMITE,
    .v_between = DLS_HERMITE,
    .start = start,
    .advance = advance,
    .advance_batch = dls_rk_advance_batch,
    .finish = finish,
    .published =
        (const dls_published_order[]){
            {"V. Acary, lecture, slide 121", 1, {"bouncing-ball", "impacting-oscillator"}}, {0}},
};

const dls_scheme dls_scheme_splitting_rkf45_adaptive = {
    .name = "splitting-rkf45-adaptive",
    .family = DLS_FAMILY_RUNGE_KUTTA,
    .summary =
        "smooth flow by a Runge-Kutta method (RKF45), then the impact law; steps from the embedded error",
    .source = "V. Acary, lecture, eqs. (137)-(143); E. Fehlberg 1969",
    .equations = EQUATIONS,
    .remarks =
        "The embedded error controls the smooth flow, the growth of the penetration the impacts: at each\n"
        "the step falls to about tol q_s / |U|. So it does where a slip reverses. Where a slip ends, it\n"
        "falls until the displacement that is removed is tol q_s. Error of order tol. At h_min every step\n"
        "is accepted and counted as forced.\n",
    .options = adaptive_table,
    .options_size = sizeof(splitting_options),
    .stepping = DLS_BY_EVENT,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_HERMITE,
    .v_between = DLS_HERMITE,
    .check = check_adaptive,
    .start = start_adaptive,
    .advance = advance_adaptive,
    .finish = finish,
};
