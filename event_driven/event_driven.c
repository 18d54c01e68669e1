/* event_driven/event_driven.c -- the event-driven (event-tracking) scheme: options, start, advance.
 * Source: Acary, lecture, "Event-tracking schemes", eqs. (1)-(31); Hindmarsh et al. 2005 (SUNDIALS).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/run/recorder.h"
#include "event_driven/event_integrator.h"
#include "event_driven/integrator/stiffness.h"
#include <delassus/law.h>
#include <delassus/scheme.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"adams", "bdf", "erk", "flow", "auto", NULL};
static const char *const finders[] = {"cvode", "hull", NULL};
static const char *const switches[] = {"on", "off", NULL};
static const char *const stabilisations[] = {"project", "baumgarte", "none", NULL};
enum { PROJECT, BY_BAUMGARTE };
static const char *const releases[] = {"complementarity", "sign", NULL};
enum { BY_COMPLEMENTARITY, BY_SIGN };
static const char *const painleve_choices[] = {"stop", "impact", NULL};
enum { GUARD_ON, GUARD_OFF };
enum { PAINLEVE_STOP, PAINLEVE_IMPACT };

typedef struct event_driven_options {
  double tol;
  int method; /* a dls_engine_method, or DLS_METHOD_AUTO */
  double event_tol, eps_g, eps_u, eps_a, eps_z;
  size_t max_events;
  double max_step, time_resolution;
  size_t erk_order;
  int painleve;
  int roots; /* a dls_finder */
  int guard;
  int release;
  int stabilise;
  double baumgarte;
} event_driven_options;

#define REAL(field, unit, help, initial, min, max)                                                             \
  DLS_REAL_OPTION(0, event_driven_options, field, unit, help, initial, min, max, 0)
#define COUNT(field, help, initial, min, max)                                                                  \
  DLS_INTEGER_OPTION(0, event_driven_options, field, help, initial, min, max)
#define CHOICE(field, help, choices) DLS_CHOICE_OPTION(0, event_driven_options, field, help, 0, choices)
static const dls_option options[] = {
    REAL(tol, "1", "target accuracy, relative to the system's length and time scales", 1e-10, 1e-12, 1e-2),
    CHOICE(method,
           "smooth integrator: adams (multistep), bdf (multistep, for stiff systems), erk (one-step), flow "
           "(exact; "
           "linear systems without friction), auto (flow where it can, bdf where damping is stiff, erk where "
           "forces are cheap, else adams)",
           methods),
    REAL(event_tol, "tol t_s", "accuracy of the time of an event", 1e-3, 1e-6, 1),
    REAL(eps_g, "tol l_s", "gaps up to this size are closed", 1, 1e-2, 1e4),
    REAL(eps_u, "tol", "gap velocities up to this fraction of the flight's largest are zero", 10, 0.1, 1e4),
    REAL(eps_a, "tol l_s/t_s^2", "gap accelerations and forces (as accelerations) up to this are zero", 1, 1e-2,
         1e6),
    REAL(eps_z, "tol l_s/t_s", "gap velocities of impacts that may be passed as one, together", 100, 1e-2, 1e6),
    COUNT(max_events, "events allowed in a run", 1e6, 1, 1e12),
    REAL(max_step, "s", "longest step of the integrator, for short load pulses; 0: none", 0, 0, 1e300),
    REAL(time_resolution, "s",
         "distance of samples of loads, supports and surfaces that may depend on t without a declaration; "
         "0: a thousandth of the run",
         0, 0, 1e300),
    COUNT(erk_order, "order of the explicit Runge-Kutta pair, method=erk only", 6, 2, 6),
    CHOICE(painleve,
           "a contact that slips and has no force: stop (the run ends), impact (an impulse stops the slip)",
           painleve_choices),
    CHOICE(roots,
           "events by the integrator's own root finder: cvode (CVODE's, ARKODE's with erk, none with flow); by "
           "the "
           "search on the dense output alone: hull",
           finders),
    CHOICE(guard, "events that the root finder misses: on (detected and counted), off (missed, for teaching)",
           switches),
    CHOICE(
        release,
        "which closed contacts are released: those that the complementarity problem opens; or, for teaching, "
        "those "
        "whose bilateral force is negative: sign (with several contacts this releases some that press)",
        releases),
    CHOICE(stabilise,
           "joints, which drift at acceleration level: project (q and v at events, nodes, and where "
           "they drift), baumgarte (forces pull back), none (for teaching)",
           stabilisations),
    DLS_REAL_OPTION(0, event_driven_options, baumgarte, "1/t_s", "a of Baumgarte's terms 2 a Phi' + a^2 Phi", 6,
                    0, 1e6, DLS_OPEN_MIN),
    {0},
};

static dls_status check(const dls_scheme *self, const void *options_given, dls_error *err)
{
  const event_driven_options *opt = options_given;
  (void)self;
  if (opt->method == DLS_ENGINE_BDF && opt->tol < threshold_least_tol_bdf) {
    return dls_fail(err, DLS_ERR_OPTION, "tol = %g is below %g, the smallest that method=bdf reaches", opt->tol,
                    threshold_least_tol_bdf);
  }
  const bool none = opt->method == DLS_ENGINE_FLOW || opt->method == DLS_METHOD_AUTO;
  if ((opt->roots == DLS_FIND_HULL || none) && opt->guard == GUARD_OFF) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "with %s%s and guard = off no method detects events; allowed is guard = on",
                    none ? "method = " : "", none ? methods[opt->method] : "roots = hull");
  }
  return DLS_OK;
}

/* Why the exact flow, of M v' = F(t) - K q - C v and W lambda = b(t) + linear terms, does not apply; NULL: it does. */
static const char *flow_obstacle(const dls_system *sys)
{
  return !sys->linear                      ? "is not linear"
         : dls_laws_have_friction(sys)     ? "has friction"
         : sys->n > threshold_largest_flow ? "is larger"
                                           : NULL;
}

/* DLS_METHOD_AUTO. bdf is noted in the metadata. */
static dls_status choose_for_system(dls_event_method *method, dls_sim *sim, bool flows, dls_error *err)
{
  const event_driven_options *opt = sim->options;
  const dls_system *sys = method->sys;
  bool stiff = false;
  if (flows && method->n <= threshold_auto_flow) {
    method->integrator = DLS_ENGINE_FLOW;
    return DLS_OK;
  }
  if (sys->linear && !dls_laws_have_friction(sys) && opt->tol >= threshold_least_tol_bdf) {
    const dls_status status = dls_system_stiff(sys, &stiff, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  method->integrator = stiff                             ? DLS_ENGINE_BDF
                       : method->n <= threshold_auto_erk ? DLS_ENGINE_ERK
                                                         : DLS_ENGINE_ADAMS;
  return stiff && sim->record != NULL ? dls_trajectory_note(sim->record, err, "integrator", "bdf") : DLS_OK;
}

/* Set the integrator: the one asked for or, with DLS_METHOD_AUTO, the one that suits the system.
 * @return DLS_ERR_NOT_APPLICABLE for the flow of a system that is not linear, has friction, or is too large */
static dls_status choose_method(dls_event_method *method, dls_sim *sim, int asked, dls_error *err)
{
  const char *const obstacle = flow_obstacle(method->sys);
  if (asked == DLS_ENGINE_FLOW && obstacle != NULL) {
    return dls_sim_fail(
        sim, err, DLS_ERR_NOT_APPLICABLE,
        "method = flow is for linear systems without friction, of up to %d degrees of freedom, and "
        "the system %s; allowed is adams, bdf, erk or auto",
        (int)threshold_largest_flow, obstacle);
  }
  if (asked == DLS_METHOD_AUTO) {
    return choose_for_system(method, sim, obstacle == NULL, err);
  }
  method->integrator = (dls_engine_method)asked;
  return DLS_OK;
}

/* @param[in] floor  least_rtol / rtol: no step can have smaller errors */
static double slack_of(const dls_event_method *method, double floor)
{
  if (method->integrator == DLS_ENGINE_ADAMS) {
    return fmax(threshold_slack_adams, floor);
  }
  if (method->integrator != DLS_ENGINE_ERK || method->sys->r > 0) {
    return 1;
  }
  return dls_laws_have_friction(method->sys) ? threshold_slack_erk_friction : threshold_slack_erk;
}

static void set_tolerances(dls_event_method *method, dls_sim *sim)
{
  const event_driven_options *opt = sim->options;
  const double length = method->sys->length;
  const double time = method->sys->time;
  const double tol = opt->tol;
  const bool joints = method->sys->r > 0;
  const double least = joints ? threshold_least_rtol_joints : threshold_least_rtol;
  const double rtol = fmax((joints ? threshold_rtol_part_joints : threshold_rtol_part) * tol, least);
  method->eps = (dls_tolerances){
      .tol = tol,
      .rtol = rtol,
      .least_rtol = least,
      .slack = slack_of(method, least / rtol),
      .atol_v = rtol * length / time,
      .event = opt->event_tol * tol * time,
      .g = opt->eps_g * tol * length,
      .u = opt->eps_u * tol,
      .s = fmax(fmin(threshold_ending_slip * tol, threshold_largest_ending_slip), tol) * length / time,
      .a = opt->eps_a * tol * length / (time * time),
      .z = opt->eps_z * tol * length / time,
      .remaining = threshold_short_accumulation * tol * time,
      .by_sign = opt->release == BY_SIGN,
      .painleve_impact = opt->painleve == PAINLEVE_IMPACT,
      .max_events = opt->max_events,
  };
}

static void finish(dls_sim *sim)
{
  dls_event_integrator *run = sim->memory;
  if (run != NULL) {
    dls_motion_tangents_destroy(run->work.tangents);
  }
  dls_event_integrator_destroy(run);
  sim->memory = NULL;
}

static dls_status create_parts(dls_event_integrator *run, dls_error *err)
{
  const event_driven_options *opt = run->sim->options;
  const bool bdf = run->method.integrator == DLS_ENGINE_BDF;
  const bool blocks = bdf && run->work.solver == NULL && !run->work.contacts.config->mass_varies &&
                      !run->work.contacts.config->gradient_varies;
  if (blocks && !dls_newton_create(run)) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for the matrices of %zu degrees of freedom",
                    run->method.n);
  }
  const dls_engine_spec spec = {
      .size = run->method.size,
      .method = run->method.integrator,
      .order = (int)opt->erk_order,
      .max_step = opt->max_step,
      .time_scale = run->method.sys->time,
      .data = run,
      .rhs = dls_smooth_rhs,
      .weights = dls_smooth_weights,
      .roots = run->method.finder == DLS_FIND_INTEGRATOR ? dls_roots_most(&run->method) : 0,
      .root = dls_roots_evaluate,
      .columns = 2 * run->method.n,
      .steady = run->method.sys->load_rate == NULL && !dls_system_gap_moves(run->method.sys) &&
                dls_system_explicit_time(run->method.sys) == DLS_TIME_NONE,
      .stop = dls_explicit_time_stop,
      .newton_setup = blocks ? dls_newton_setup : NULL,
      .newton_solve = blocks ? dls_newton_solve : NULL,
  };
  return dls_engine_create(&spec, &run->work.engine, err);
}

static dls_status check_start(const dls_event_integrator *run, dls_error *err)
{
  dls_system_gap(run->method.sys, run->sim->t, run->sim->q, run->work.g);
  for (size_t j = 0; j < run->method.m; j++) {
    if (!(run->work.g[j] >= -run->method.eps.g)) {
      char name[80];
      dls_contact_name(run->method.sys, j, name, sizeof name);
      return dls_sim_fail(run->sim, err, DLS_ERR_ARG, "the initial gap of %s is %.6g m, allowed is >= -%.3g m",
                          name, run->work.g[j], run->method.eps.g);
    }
  }
  return DLS_OK;
}

/* release=sign knows no friction: the sign of a force does not decide between stick and slip. */
static dls_status check_release(const dls_event_method *method, const dls_sim *sim, dls_error *err)
{
  return !method->eps.by_sign
             ? DLS_OK
             : dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                            "release = sign does not treat friction, and the system has mu > 0; allowed is "
                            "release = complementarity");
}

static bool starts_in_contact(const dls_event_method *method, const dls_event_work *work)
{
  for (size_t j = 0; j < method->m; j++) {
    if (fabs(work->g[j]) <= method->eps.g) {
      return true;
    }
  }
  return false;
}

/* Does the record have columns whose slopes between nodes follow from neighbouring nodes? */
static bool records_cubics(const dls_sim *sim)
{
  bool any = false;
  for (size_t j = 0; sim->record != NULL && !sim->record->skip_nodes && j < sim->record->columns; j++) {
    any = any || sim->record->meaning[j] == DLS_CUBIC;
  }
  return any && !dls_record_is_at_times(sim);
}

/* The constants of the run and its integrator. */
static dls_status set_method(dls_event_integrator *run, dls_error *err)
{
  const event_driven_options *opt = run->sim->options;
  const dls_system *sys = run->sim->sys;
  const bool cubic = records_cubics(run->sim);
  run->method = (dls_event_method){
      .sys = sys,
      .n = sys->n,
      .m = sys->m,
      .d = sys->d,
      .size = 2 * sys->n + sys->d * sys->m,
      .samples_size = cubic ? sys->n + 2 * sys->d * sys->m + sys->r : 0,
      .cubic = cubic,
      .finder = opt->method == DLS_METHOD_AUTO || opt->method == DLS_ENGINE_FLOW ? DLS_FIND_HULL
                                                                                 : (dls_finder)opt->roots,
      .guard = opt->guard == GUARD_ON,
  };
  const dls_status status = choose_method(&run->method, run->sim, opt->method, err);
  if (status == DLS_OK) {
    set_tolerances(&run->method, run->sim);
  }
  return status;
}

static dls_status create_contacts(dls_event_integrator *run, dls_error *err)
{
  const event_driven_options *opt = run->sim->options;
  const double baumgarte = opt->stabilise == BY_BAUMGARTE ? opt->baumgarte / run->method.sys->time : 0;
  const dls_status status =
      dls_event_integrator_create_contacts(run, opt->stabilise != PROJECT, baumgarte, err);
  return status != DLS_OK || run->work.contacts.problem == NULL ? status
                                                                : check_release(&run->method, run->sim, err);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const event_driven_options *opt = sim->options;
  dls_event_integrator *run = sim->memory = calloc(1, sizeof *run);
  if (run == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory");
  }
  run->sim = sim;
  run->state.scale = 1;
  dls_status status = set_method(run, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_explicit_time_next_break(&run->method, &run->state, sim->t);
  run->work.accumulation =
      sim->sys->m > 0 ? dls_accumulation_create(sim->sys->n, sim->sys->m, sim->sys->d) : NULL;
  if (!dls_event_integrator_allocate(run) || (sim->sys->m > 0 && run->work.accumulation == NULL)) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for %zu contacts", run->method.m);
  }
  if ((status = create_contacts(run, err)) != DLS_OK || (status = create_parts(run, err)) != DLS_OK ||
      (status = dls_explicit_time_create(run, opt->time_resolution, err)) != DLS_OK ||
      (status = check_start(run, err)) != DLS_OK || (status = dls_motion_tangents_create(run, err)) != DLS_OK) {
    return status;
  }
  bool changed = false;
  const bool contact = starts_in_contact(&run->method, &run->work);
  run->state.located =
      (dls_located_event){.kind = contact ? DLS_LOCATED_START : DLS_LOCATED_DRIFT, .t = sim->t};
  return dls_event_process(run, sim->q, sim->v, &changed, err);
}

/* A gap below 0 by round-off is no penetration: the search reports no event there. Geometry as at the right end. */
static dls_status check_penetration(const dls_event_integrator *run, size_t j, dls_error *err)
{
  const dls_step_end *right = &run->state.right;
  if (right->g[j] >= -run->method.eps.g) {
    return DLS_OK;
  }
  const double allowed = fmax(run->method.eps.g, dls_geometry_gap_round_off(run, j, right->t, right->y));
  if (right->g[j] >= -allowed) {
    return DLS_OK;
  }
  char name[80];
  dls_contact_name(run->method.sys, j, name, sizeof name);
  return dls_sim_fail(run->sim, err, DLS_ERR_PENETRATION,
                      "the gap of %s is %.6g m at t = %.17g, allowed is >= -%.3g m", name, right->g[j],
                      right->t, allowed);
}

/* The opening of contact j since it began to pull if it had been released, relative to the largest displacement of the run. */
static double missed_opening(const dls_event_integrator *run, size_t j, double pull)
{
  const dls_column h = dls_matrix_column(run->work.contacts.config->normals, j);
  const double since = run->state.right.t - run->state.contact[j].last_compression;
  double moved = 0, gradient = 0;
  for (size_t i = 0; i < run->method.n; i++) {
    moved = fmax(moved, fabs(run->state.right.y[i] - run->method.sys->q0[i]));
  }
  for (size_t k = 0; k < h.count; k++) {
    gradient = fmax(gradient, fabs(h.values[k]));
  }
  return 0.5 * pull * since * since / (gradient * moved);
}

/* Report a closed contact that pulls. A tensile force below eps.a does not end a contact. It is an error if it lasts, is not round-off,
 * suppresses an opening that is seen, and all contact forces are so weak that the scales of length and time do not fit the motion. */
static dls_status check_pull(dls_event_integrator *run, size_t j, dls_error *err)
{
  dls_contact *contact = &run->state.contact[j];
  const double length = run->method.sys->length, time = run->method.sys->time, t = run->state.right.t;
  const double force = run->state.right.dy[2 * run->method.n + run->method.d * j];
  run->state.strongest = fmax(run->state.strongest, fabs(force));
  if (force >= 0) {
    contact->last_compression = t;
    return DLS_OK;
  }
  const double noise = threshold_tension_noise * DBL_EPSILON * length / (time * time);
  if (t - contact->last_compression < threshold_tension_time * time ||
      -force < fmax(threshold_tension_part * run->state.strongest, noise) ||
      run->state.strongest > threshold_weak_forces * run->method.eps.a ||
      missed_opening(run, j, -force) < threshold_missed_opening * run->method.eps.tol) {
    return DLS_OK;
  }
  char name[80];
  dls_contact_name(run->method.sys, j, name, sizeof name);
  return dls_sim_fail(run->sim, err, DLS_ERR_ARG,
                      "%s has pulled with up to %.3g m/s^2 since t = %.10g s and does not open: accelerations "
                      "up to eps_a = %.3g m/s^2 "
                      "count as zero, and those of contact forces do not exceed %.3g m/s^2; the scales length "
                      "= %.3g m and time = %.3g s "
                      "must be of the size of the motion, or eps_a smaller",
                      name, -force, contact->last_compression, run->method.eps.a, run->state.strongest, length,
                      time);
}

/* At the right end of a step without event: mark closed contacts that drift for projection, reset gap thresholds, check forces and gaps. */
static dls_status check_right(dls_event_integrator *run, dls_error *err)
{
  const dls_event_method *method = &run->method;
  const dls_step_end *right = &run->state.right;
  const double t = dls_geometry_before_break(&run->state, right->t);
  dls_configuration_contacts(run->work.contacts.config, t, right->y); /* the search has left it elsewhere */
  dls_system_gap_rate(method->sys, t, right->y, run->work.rate);
  dls_status status = DLS_OK;
  for (size_t j = 0; j < method->m; j++) {
    dls_contact *contact = &run->state.contact[j];
    if (contact->closed) {
      const double u = run->work.rate[j] +
                       dls_matrix_column_dot(run->work.contacts.config->normals, j, right->y + method->n);
      if (fabs(right->g[j]) > threshold_drift * method->eps.g ||
          fabs(u) > threshold_drift * method->eps.u * method->sys->length / method->sys->time) {
        run->state.located = (dls_located_event){.kind = DLS_LOCATED_DRIFT, .t = right->t, .contact = j};
      }
      status = status != DLS_OK || !method->guard || method->eps.by_sign ? status : check_pull(run, j, err);
    } else if (right->g[j] > method->eps.g) {
      contact->gap_threshold = DLS_GAP_THRESHOLD_ZERO;
    } else if (method->guard && status == DLS_OK) {
      status = check_penetration(run, j, err);
    }
  }
  for (size_t k = 0; run->work.solver != NULL && k < run->state.active.count && status == DLS_OK; k++) {
    const size_t j = run->state.active.index[k];
    status = run->state.contact[j].has_friction ? dls_modes_update(run, j, err) : DLS_OK;
  }
  if (dls_geometry_joints_drift(run)) {
    run->state.located = (dls_located_event){.kind = DLS_LOCATED_DRIFT, .t = right->t};
  }
  return status;
}

static dls_status find_events(dls_event_integrator *run, dls_error *err)
{
  dls_event_state *state = &run->state;
  dls_status status = dls_search_step(run, err);
  if (status == DLS_OK) {
    status = dls_explicit_time_check_root(run, err);
  }
  if (state->located.kind != DLS_LOCATED_SWITCH && state->right.t >= state->next_break &&
      !(state->located.t <= state->next_break)) {
    state->located = (dls_located_event){
        .kind = dls_explicit_time_jumps(run) ? DLS_LOCATED_SWITCH : DLS_LOCATED_BREAK, .t = state->next_break};
  }
  if (state->located.kind == DLS_LOCATED_SWITCH || state->located.kind == DLS_LOCATED_BREAK) {
    state->located.t = dls_explicit_time_last_break(&run->method, state);
  }
  if (status == DLS_OK && state->located.kind == DLS_LOCATED_NONE) {
    status = check_right(run, err);
  }
  if (state->located.kind == DLS_LOCATED_NONE && run->work.explicit_time.first_step > 0) {
    state->located = (dls_located_event){.kind = DLS_LOCATED_CUT, .t = state->right.t};
  }
  if (status == DLS_OK) {
    dls_nodes_plan(run);
  }
  return status;
}

/* Why steps are small: the contact whose slip in space turns fastest, if the slow steps together turn it by a radian; otherwise a
 * general reason. */
static void find_reason(const dls_event_integrator *run, char *text, size_t size)
{
  double most = 0, speed = 0;
  size_t which = 0;
  for (size_t k = 0; run->method.d == 3 && k < run->state.active.count; k++) {
    const size_t j = run->state.active.index[k];
    double u[2];
    const double slip = dls_slip_of(&run->method, &run->work, j, run->state.right.y + run->method.n, u);
    const double rate = run->state.contact[j].weight * dls_slip_force(&run->method, j, run->work.lambda) / slip;
    if (run->state.contact[j].mode.kind == DLS_MODE_SLIPS && rate > most) {
      most = rate;
      speed = slip;
      which = j;
    }
  }
  char name[80];
  snprintf(text, size, "the system is stiff there (method=bdf), or its forces are singular");
  if (most * (run->state.right.t - run->state.slow_since) > 1) {
    dls_contact_name(run->method.sys, which, name, sizeof name);
    snprintf(text, size, "the slip of %s, %.3g m/s, turns at %.3g /s", name, speed, most);
  }
}

/* After a step of the integrator. @return DLS_ERR_INTEGRATOR if threshold_slow_steps of them since the last event hardly advanced t */
static dls_status check_progress(dls_event_integrator *run, dls_error *err)
{
  const double t = run->state.right.t;
  if (t - run->state.slow_since >
      threshold_least_progress * fmin(run->method.sys->time, run->state.end - run->state.slow_since)) {
    run->state.slow_since = t;
    run->state.slow_steps = 0;
  }
  if (++run->state.slow_steps <= threshold_slow_steps) {
    return DLS_OK;
  }
  if (dls_smooth_drop_impulse_control(&run->state, run->sim)) {
    run->state.slow_steps = 0;
    return DLS_OK;
  }
  char why[160];
  find_reason(run, why, sizeof why);
  return dls_sim_fail(
      run->sim, err, DLS_ERR_INTEGRATOR,
      "the steps have become too small: %d of them lead from t = %.17g to %.17g without an event; "
      "the time scale is %.6g s; %s",
      (int)threshold_slow_steps, run->state.slow_since, t, run->method.sys->time, why);
}

/* One accepted step of the engine from the left end. If it fails it is repeated without error control of impulses. */
static dls_status engine_step(dls_event_integrator *run, dls_error *err)
{
  dls_event_state *state = &run->state;
  const dls_step_end *left = &state->left;
  state->failure = DLS_OK;
  dls_status status = dls_engine_step(run->work.engine, &state->right.t, state->right.y, &state->bracket, err);
  dls_engine_collect(run->work.engine, &run->sim->work);
  if (status == DLS_ERR_INTEGRATOR && state->failure == DLS_OK &&
      dls_smooth_drop_impulse_control(state, run->sim)) {
    status = dls_engine_restart(run->work.engine, left->t, left->y, 0, err);
    status = status != DLS_OK
                 ? status
                 : dls_engine_step(run->work.engine, &state->right.t, state->right.y, &state->bracket, err);
    dls_engine_collect(run->work.engine, &run->sim->work);
  }
  return status;
}

/* One step, checked, and the first event in it. */
static dls_status step_and_search(dls_event_integrator *run, dls_error *err)
{
  dls_status status = engine_step(run, err);
  if (status != DLS_OK) {
    return dls_smooth_failure(&run->state, run->sim, status, err);
  }
  status = dls_geometry_check_rank(&run->work, run->sim, run->state.right.t,
                                   err); /* where the integrator evaluated last */
  if (status == DLS_OK && run->work.explicit_time.calendar != NULL) {
    status = dls_explicit_time_check_step(run, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  if (run->state.active.count == 0) {
    dls_engine_interpolate(run->work.engine, run->state.right.t, 1, run->state.right.dy);
  }
  if (dls_system_explicit_time(run->method.sys) != DLS_TIME_NONE &&
      (status = dls_explicit_time_check_clock(run, err)) != DLS_OK) {
    return status;
  }
  if ((status = check_progress(run, err)) != DLS_OK ||
      (status = dls_roots_observe(run, &run->state.right, err)) != DLS_OK) {
    return status;
  }
  return find_events(run, err);
}

/* A step that does not resolve how slip in space turns is repeated with a shorter one. Each is at most half as long as the last, and the
 * length that resolves the slip of a contact depends only on the state at the left end, so this ends. */
static dls_status next_step(dls_event_integrator *run, dls_error *err)
{
  if (run->state.right.t > run->state.left.t) {
    const dls_step_end done = run->state.left;
    run->state.left = run->state.right;
    run->state.right = done;
  }
  dls_status status = step_and_search(run, err);
  double h = status == DLS_OK ? dls_slip_resolved_step(run) : 0;
  while (h > 0) {
    run->sim->work.rejected++;
    status = dls_engine_restart(run->work.engine, run->state.left.t, run->state.left.y, h, err);
    if (status == DLS_OK) {
      status = step_and_search(run, err);
    }
    h = status == DLS_OK ? fmin(dls_slip_resolved_step(run), 0.5 * h) : 0;
  }
  return status;
}

/* a := the acceleration at q, v with no contact closed, for a node. It is not counted as work of the run. */
static dls_status evaluate_flight(dls_event_integrator *run, double t, dls_error *err)
{
  const dls_work work = run->sim->work;
  const dls_status status = dls_geometry_set(&run->state, &run->work, t, run->work.q, err);
  if (status == DLS_OK) {
    dls_geometry_free_acceleration(run, t, run->work.q, run->work.v, run->work.a);
  }
  run->sim->work = work;
  return status;
}

/* Deliver a node without jump: the sim's state := y, dy at t. With joints y is projected for the node; the integrator continues from y
 * itself. */
static dls_status deliver(dls_event_integrator *run, double t, const double *y, const double *dy,
                          dls_error *err)
{
  dls_event_work *work = &run->work;
  dls_sim *sim = run->sim;
  const bool forces = run->state.active.count > 0 || run->method.sys->r > 0;
  const bool inexact = !forces && dls_engine_slope_is_inexact(work->engine, t);
  dls_status status = dls_motion_tangents_advance(run, t, err);
  memcpy(work->q, y, run->method.n * sizeof *y);
  memcpy(work->v, y + run->method.n, run->method.n * sizeof *y);
  if (run->method.sys->r > 0 && status == DLS_OK) {
    status = dls_geometry_project_joints(&run->state, work, t, &run->state.active, work->q, work->v, err);
    if (status == DLS_OK) {
      status = dls_geometry_check_rank(work, run->sim, t, err);
    }
  }
  if (forces && status == DLS_OK) {
    status = dls_smooth_dynamics(run, t, work->q, work->v, work->a, work->lambda, err);
  } else if (inexact) {
    status = evaluate_flight(run, t, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  if (forces) {
    dls_geometry_split_rows(&run->method, work->lambda, sim->lambda, sim->lambda_t);
  }
  sim->t = t;
  memcpy(sim->q, work->q, run->method.n * sizeof *y);
  memcpy(sim->v, work->v, run->method.n * sizeof *y);
  memcpy(sim->a, forces || inexact ? work->a : dy + run->method.n, run->method.n * sizeof *sim->a);
  dls_geometry_multipliers(run, t, work->q, work->v, work->lambda, sim->a, sim->mu);
  memset(sim->p, 0, run->method.m * sizeof *sim->p);
  memset(sim->p_t, 0, (run->method.d - 1) * run->method.m * sizeof *sim->p_t);
  dls_nodes_record(&run->state, run->sim);
  return DLS_OK;
}

/* After a graze that changed nothing: search the rest of the step. */
static dls_status after_grazing(dls_event_integrator *run, dls_error *err)
{
  dls_step_end *left = &run->state.left;
  const size_t k = run->state.located.root;
  left->t = run->state.located.t;
  dls_engine_interpolate(run->work.engine, left->t, 0, left->y);
  dls_engine_interpolate(run->work.engine, left->t, 1, left->dy);
  dls_status status = dls_roots_observe(run, left, err);
  left->p[k].df = fmax(left->p[k].df, 0); /* the minimum has been passed */
  if (status == DLS_OK) {
    status = deliver(run, left->t, left->y, left->dy, err);
  }
  return status != DLS_OK ? status : find_events(run, err);
}

static dls_status process_event(dls_event_integrator *run, dls_error *err)
{
  bool changed = false;
  run->sim->work.roots_missed += run->state.located.root_missed;
  dls_status status = dls_motion_tangents_advance(run, run->state.located.t, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_engine_interpolate(run->work.engine, run->state.located.t, 0, run->work.y);
  status = dls_event_process(run, run->work.y, run->work.y + run->method.n, &changed, err);
  return status != DLS_OK || changed ? status : after_grazing(run, err);
}

/* t + h, and the end of the run itself where h is the rounded way to it. */
static double end_of(const dls_sim *sim, double h)
{
  return sim->spec != NULL && h == sim->spec->end - sim->t ? sim->spec->end : sim->t + h;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  dls_event_integrator *run = sim->memory;
  const double end = run->state.end = end_of(sim, h);
  if (!(run->state.right.t > sim->t)) {
    bool passed = false;
    dls_status status = run->state.accumulation_risk != DLS_ACCUMULATION_RISK_NONE
                            ? dls_accumulation_pass(run, end, &passed, err)
                            : DLS_OK;
    status = status != DLS_OK || passed ? status : next_step(run, err);
    if (status != DLS_OK || passed) {
      return status;
    }
  }
  const bool event = run->state.located.kind != DLS_LOCATED_NONE;
  const double stop = event ? run->state.located.t : run->state.right.t;
  const double asked = dls_record_next_time(sim);
  if (fmin(end, asked) < stop || sim->t + 1.5 * run->state.spacing < stop) {
    const double t = fmin(fmin(end, asked), sim->t + run->state.spacing);
    dls_engine_interpolate(run->work.engine, t, 0, run->work.y);
    dls_engine_interpolate(run->work.engine, t, 1, run->work.dy);
    return deliver(run, t, run->work.y, run->work.dy, err);
  }
  if (event) {
    return process_event(run, err);
  }
  return deliver(run, run->state.right.t, run->state.right.y, run->state.right.dy, err);
}

const dls_scheme dls_scheme_event_driven = {
    .name = "event-driven",
    .family = DLS_FAMILY_EVENT_DRIVEN,
    .summary =
        "event tracking: smooth integration between events, impacts and contact changes located and solved",
    .source = "V. Acary, lecture on nonsmooth mechanical systems, eqs. (1)-(31); SUNDIALS CVODE, ARKODE",
    .equations = "between events, with Is fixed:  M v' = F + H lambda,  H_a^T v' + (dH_a^T/dt) v = 0 on Is\n"
                 "events: gap of an open contact -> 0, force of a closed contact -> 0\n"
                 "impact on Ic:  0 <= W p + (I + E) u-  _|_  p >= 0,  v+ = v- + M^-1 H p\n"
                 "contact level on Is:  0 <= W lambda + H^T M^-1 F + (dH^T/dt) v  _|_  lambda >= 0\n",
    .remarks = "High order between events; the cost grows with the number of events, not with 1/h.\n"
               "Accumulations of impacts are passed as one and reported with end time and error bound.\n"
               "l_s and t_s are the system's length and time scales.\n",
    .options = options,
    .options_size = sizeof(event_driven_options),
    .stepping = DLS_BY_EVENT,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_STATIC_FRICTION |
               DLS_HANDLES_STRIBECK | DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_JOINTS | DLS_HANDLES_DERIVATIVES,
    .q_between = DLS_HERMITE,
    .v_between = DLS_HERMITE,
    .check = check,
    .start = start,
    .advance = advance,
    .finish = finish,
    .thresholds = dls_event_driven_thresholds,
};
