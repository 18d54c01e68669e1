/* event_driven/event_driven.c -- the event-driven (event-tracking) scheme: options, start, advance.
 * Source: Acary, lecture, "Event-tracking schemes", eqs. (1)-(31); Hindmarsh et al. 2005 (SUNDIALS).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/run/recorder.h"
#include "event_driven/event_integrator.h"
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
    REAL(tol, "1", "accuracy aimed at, relative to the system's length and time scales", 1e-10, 1e-12, 1e-2),
    CHOICE(method,
           "smooth integrator: adams (multistep), bdf (multistep, for stiff systems), erk (one-step), flow "
           "(exact; "
           "linear systems without friction), auto (flow where it can, erk where forces are cheap, else adams)",
           methods),
    REAL(event_tol, "tol t_s", "accuracy of the time of an event", 1e-3, 1e-6, 1),
    REAL(eps_g, "tol l_s", "gaps up to this size are closed", 1, 1e-2, 1e4),
    REAL(eps_u, "tol", "gap velocities up to this part of the flight's largest are zero", 10, 0.1, 1e4),
    REAL(eps_a, "tol l_s/t_s^2", "gap accelerations and forces (as accelerations) up to this are zero", 1, 1e-2,
         1e6),
    REAL(eps_z, "tol l_s/t_s", "gap velocities of impacts that may be passed as one, together", 100, 1e-2, 1e6),
    COUNT(max_events, "events allowed in a run", 1e6, 1, 1e12),
    REAL(max_step, "s", "longest step of the integrator, for short load pulses; 0: none", 0, 0, 1e300),
    REAL(time_resolution, "s",
         "distance of samples of loads, supports and surfaces that may depend on t and have no declaration; "
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
    CHOICE(guard, "events that the root finder misses: on (looked for and counted), off (missed, for teaching)",
           switches),
    CHOICE(release,
           "which closed contacts are let go: those that the complementarity problem opens; or, for teaching, "
           "those "
           "whose bilateral force is negative: sign (with several contacts that lets go of some that press)",
           releases),
    CHOICE(stabilise,
           "joints, which accelerations let drift: project (q and v at events, nodes, and where "
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
    return dls_fail(err, DLS_ERR_OPTION, "tol = %g is below %g, the least that method=bdf reaches", opt->tol,
                    threshold_least_tol_bdf);
  }
  const bool none = opt->method == DLS_ENGINE_FLOW || opt->method == DLS_METHOD_AUTO;
  if ((opt->roots == DLS_FIND_HULL || none) && opt->guard == GUARD_OFF) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "guard = off leaves nothing that looks for events with %s%s, allowed is guard = on",
                    none ? "method = " : "", none ? methods[opt->method] : "roots = hull");
  }
  return DLS_OK;
}

/* Why the flow, that of M v' = F(t) - K q - C v and W lambda = b(t) + linear terms, is not that of the system; NULL: it is. */
static const char *flow_obstacle(const dls_system *sys)
{
  return !sys->linear                      ? "is not linear"
         : dls_laws_have_friction(sys)     ? "has friction"
         : sys->n > threshold_largest_flow ? "is larger"
                                           : NULL;
}

/* tr->method := the one asked for, a dls_engine_method, or with DLS_METHOD_AUTO that which suits the system.
 * @return DLS_ERR_NOT_APPLICABLE for the flow of a system that is not linear, has friction, or is too large */
static dls_status choose_method(dls_event_integrator *tr, int asked, dls_error *err)
{
  const char *const obstacle = flow_obstacle(tr->sys);
  if (asked == DLS_ENGINE_FLOW && obstacle != NULL) {
    return dls_sim_fail(
        tr->sim, err, DLS_ERR_NOT_APPLICABLE,
        "method = flow is for linear systems without friction, of up to %d degrees of freedom, and "
        "the system %s; allowed is adams, bdf, erk or auto",
        (int)threshold_largest_flow, obstacle);
  }
  tr->method = asked != DLS_METHOD_AUTO                           ? (dls_engine_method)asked
               : obstacle == NULL && tr->n <= threshold_auto_flow ? DLS_ENGINE_FLOW
               : tr->n <= threshold_auto_erk                      ? DLS_ENGINE_ERK
                                                                  : DLS_ENGINE_ADAMS;
  return DLS_OK;
}

static double slack_of(const dls_event_integrator *tr)
{
  if (tr->method != DLS_ENGINE_ERK || tr->sys->r > 0) {
    return 1;
  }
  return dls_laws_have_friction(tr->sys) ? threshold_slack_erk_friction : threshold_slack_erk;
}

static void set_tolerances(dls_event_integrator *tr)
{
  const event_driven_options *opt = tr->sim->options;
  const double length = tr->sys->length;
  const double time = tr->sys->time;
  const double tol = opt->tol;
  const bool joints = tr->sys->r > 0;
  const double least = joints ? threshold_least_rtol_joints : threshold_least_rtol;
  const double rtol = fmax((joints ? threshold_rtol_part_joints : threshold_rtol_part) * tol, least);
  tr->eps = (dls_tolerances){
      .tol = tol,
      .rtol = rtol,
      .least_rtol = least,
      .slack = slack_of(tr),
      .atol_q = rtol * length,
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
  dls_event_integrator_destroy(sim->memory);
  sim->memory = NULL;
}

static dls_status create_parts(dls_event_integrator *tr, dls_error *err)
{
  const event_driven_options *opt = tr->sim->options;
  const bool bdf = tr->method == DLS_ENGINE_BDF;
  const bool blocks =
      bdf && tr->solver == NULL && !tr->contacts.config->mass_varies && !tr->contacts.config->gradient_varies;
  if (blocks && !dls_newton_create(tr)) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for the matrices of %zu degrees of freedom",
                    tr->n);
  }
  const dls_engine_spec spec = {
      .size = tr->size,
      .method = tr->method,
      .order = (int)opt->erk_order,
      .max_step = opt->max_step,
      .time_scale = tr->sys->time,
      .data = tr,
      .rhs = dls_smooth_rhs,
      .weights = dls_smooth_weights,
      .roots = tr->finder == DLS_FIND_INTEGRATOR ? dls_roots_most(tr) : 0,
      .root = dls_roots_evaluate,
      .columns = 2 * tr->n,
      .steady = tr->sys->load_rate == NULL && !dls_system_gap_moves(tr->sys) &&
                dls_system_explicit_time(tr->sys) == DLS_TIME_NONE,
      .stop = dls_explicit_time_stop,
      .newton_setup = blocks ? dls_newton_setup : NULL,
      .newton_solve = blocks ? dls_newton_solve : NULL,
  };
  return dls_engine_create(&spec, &tr->engine, err);
}

static dls_status check_start(const dls_event_integrator *tr, dls_error *err)
{
  dls_system_gap(tr->sys, tr->sim->t, tr->sim->q, tr->g);
  for (size_t j = 0; j < tr->m; j++) {
    if (!(tr->g[j] >= -tr->eps.g)) {
      char name[80];
      dls_contact_name(tr->sys, j, name, sizeof name);
      return dls_sim_fail(tr->sim, err, DLS_ERR_ARG, "the initial gap of %s is %.6g m, allowed is >= -%.3g m",
                          name, tr->g[j], tr->eps.g);
    }
  }
  return DLS_OK;
}

/* Of sticking and slipping contacts more than the sign of a force decides. */
static dls_status check_release(const dls_event_integrator *tr, dls_error *err)
{
  return !tr->eps.by_sign
             ? DLS_OK
             : dls_sim_fail(tr->sim, err, DLS_ERR_NOT_APPLICABLE,
                            "release = sign does not treat friction, and the system has mu > 0; allowed is "
                            "release = complementarity");
}

static bool starts_in_contact(const dls_event_integrator *tr)
{
  for (size_t j = 0; j < tr->m; j++) {
    if (fabs(tr->g[j]) <= tr->eps.g) {
      return true;
    }
  }
  return false;
}

/* Are there columns whose slopes between nodes follow from neighbouring nodes? */
static bool records_cubics(const dls_sim *sim)
{
  bool any = false;
  for (size_t j = 0; sim->record != NULL && !sim->record->skip_nodes && j < sim->record->columns; j++) {
    any = any || sim->record->meaning[j] == DLS_CUBIC;
  }
  return any && !dls_record_is_at_times(sim);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const event_driven_options *opt = sim->options;
  dls_event_integrator *tr = sim->memory = calloc(1, sizeof *tr);
  if (tr == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory");
  }
  tr->sim = sim;
  tr->sys = sim->sys;
  tr->n = sim->sys->n;
  tr->m = sim->sys->m;
  tr->d = sim->sys->d;
  tr->size = 2 * tr->n + tr->d * tr->m;
  tr->scale = 1;
  tr->cubic = records_cubics(sim);
  dls_explicit_time_next_break(tr, sim->t);
  tr->finder =
      opt->method == DLS_METHOD_AUTO || opt->method == DLS_ENGINE_FLOW ? DLS_FIND_HULL : (dls_finder)opt->roots;
  tr->guard = opt->guard == GUARD_ON;
  dls_status status = choose_method(tr, opt->method, err);
  if (status != DLS_OK) {
    return status;
  }
  set_tolerances(tr);
  if (!dls_event_integrator_allocate(tr)) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for %zu contacts", tr->m);
  }
  status = dls_contact_system_create_mass(tr->sys, &sim->work, &tr->contacts, err);
  sim->work.factorizations += status == DLS_OK ? dls_factor_made(tr->contacts.M) : 0;
  tr->contacts.loose = opt->stabilise != PROJECT;
  tr->contacts.baumgarte = opt->stabilise == BY_BAUMGARTE ? opt->baumgarte / tr->sys->time : 0;
  if (status == DLS_OK && tr->contacts.problem != NULL) {
    status = dls_mode_solver_create(&tr->contacts, &tr->solver, err);
    status = status != DLS_OK ? status : check_release(tr, err);
  }
  if (status == DLS_OK && tr->solver != NULL && tr->d == 3) {
    tr->slow_slip = dls_slow_slip_create(tr->n, tr->m);
    status = tr->slow_slip != NULL
                 ? status
                 : dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for the slip of %zu contacts", tr->m);
  }
  status = status != DLS_OK ? status : create_parts(tr, err);
  status = status != DLS_OK ? status : dls_explicit_time_create(tr, opt->time_resolution, err);
  if (status == DLS_OK) {
    for (size_t j = 0; j < tr->m; j++) {
      tr->contact[j].has_friction = dls_law_has_friction(tr->sys, j);
      tr->contact[j].weight = 1;
    }
    status = check_start(tr, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  bool changed = false;
  const bool contact = starts_in_contact(tr);
  tr->located = (dls_located_event){.kind = contact ? DLS_LOCATED_START : DLS_LOCATED_DRIFT, .t = sim->t};
  return dls_event_process(tr, sim->q, sim->v, &changed, err);
}

/* Round-off of the gap is none: the search looks for no event there. Geometry as at the right end. */
static dls_status check_penetration(const dls_event_integrator *tr, size_t j, dls_error *err)
{
  const dls_step_end *right = &tr->right;
  if (right->g[j] >= -tr->eps.g) {
    return DLS_OK;
  }
  const double allowed = fmax(tr->eps.g, dls_geometry_gap_round_off(tr, j, right->t, right->y));
  if (right->g[j] >= -allowed) {
    return DLS_OK;
  }
  char name[80];
  dls_contact_name(tr->sys, j, name, sizeof name);
  return dls_sim_fail(tr->sim, err, DLS_ERR_PENETRATION,
                      "the gap of %s is %.6g m at t = %.17g, allowed is >= -%.3g m", name, right->g[j],
                      right->t, allowed);
}

/* The opening of contact j since it began to pull, had it been released, relative to the largest displacement of the run. */
static double missed_opening(const dls_event_integrator *tr, size_t j, double pull)
{
  const dls_column h = dls_matrix_column(tr->contacts.config->normals, j);
  const double since = tr->right.t - tr->contact[j].last_compression;
  double moved = 0, gradient = 0;
  for (size_t i = 0; i < tr->n; i++) {
    moved = fmax(moved, fabs(tr->right.y[i] - tr->sys->q0[i]));
  }
  for (size_t k = 0; k < h.count; k++) {
    gradient = fmax(gradient, fabs(h.values[k]));
  }
  return 0.5 * pull * since * since / (gradient * moved);
}

/* Report a closed contact that pulls. A tensile force below eps.a does not end a contact. It is an error if it lasts, is not round-off,
 * suppresses an opening that is seen, and all contact forces are so weak that the scales of length and time do not fit the motion. */
static dls_status check_pull(dls_event_integrator *tr, size_t j, dls_error *err)
{
  dls_contact *contact = &tr->contact[j];
  const double length = tr->sys->length, time = tr->sys->time, t = tr->right.t;
  const double force = tr->right.dy[2 * tr->n + tr->d * j];
  tr->strongest = fmax(tr->strongest, fabs(force));
  if (force >= 0) {
    contact->last_compression = t;
    return DLS_OK;
  }
  const double noise = threshold_tension_noise * DBL_EPSILON * length / (time * time);
  if (t - contact->last_compression < threshold_tension_time * time ||
      -force < fmax(threshold_tension_part * tr->strongest, noise) ||
      tr->strongest > threshold_weak_forces * tr->eps.a ||
      missed_opening(tr, j, -force) < threshold_missed_opening * tr->eps.tol) {
    return DLS_OK;
  }
  char name[80];
  dls_contact_name(tr->sys, j, name, sizeof name);
  return dls_sim_fail(tr->sim, err, DLS_ERR_ARG,
                      "%s has pulled with up to %.3g m/s^2 since t = %.10g s and does not open: accelerations "
                      "up to eps_a = %.3g m/s^2 "
                      "count as zero, and those of contact forces do not exceed %.3g m/s^2; the scales length "
                      "= %.3g m and time = %.3g s "
                      "must be of the size of the motion, or eps_a smaller",
                      name, -force, contact->last_compression, tr->eps.a, tr->strongest, length, time);
}

/* At the right end of a step without event: closed contacts that drift are projected, open gates are shut. */
static dls_status check_right(dls_event_integrator *tr, dls_error *err)
{
  const dls_step_end *right = &tr->right;
  const double t = dls_geometry_before_break(tr, right->t);
  dls_configuration_contacts(tr->contacts.config, t, right->y); /* the search has looked elsewhere */
  dls_system_gap_rate(tr->sys, t, right->y, tr->rate);
  dls_status status = DLS_OK;
  for (size_t j = 0; j < tr->m; j++) {
    dls_contact *contact = &tr->contact[j];
    if (contact->closed) {
      const double u = tr->rate[j] + dls_matrix_column_dot(tr->contacts.config->normals, j, right->y + tr->n);
      if (fabs(right->g[j]) > threshold_drift * tr->eps.g ||
          fabs(u) > threshold_drift * tr->eps.u * tr->sys->length / tr->sys->time) {
        tr->located = (dls_located_event){.kind = DLS_LOCATED_DRIFT, .t = right->t, .contact = j};
      }
      status = status != DLS_OK || !tr->guard || tr->eps.by_sign ? status : check_pull(tr, j, err);
    } else if (right->g[j] > tr->eps.g) {
      contact->gap_threshold = DLS_GAP_THRESHOLD_ZERO;
    } else if (tr->guard && status == DLS_OK) {
      status = check_penetration(tr, j, err);
    }
  }
  for (size_t k = 0; tr->solver != NULL && k < tr->active.count && status == DLS_OK; k++) {
    const size_t j = tr->active.index[k];
    status = tr->contact[j].has_friction ? dls_modes_update(tr, j, err) : DLS_OK;
  }
  if (dls_geometry_joints_drift(tr)) {
    tr->located = (dls_located_event){.kind = DLS_LOCATED_DRIFT, .t = right->t};
  }
  return status;
}

static dls_status find_events(dls_event_integrator *tr, dls_error *err)
{
  dls_status status = dls_search_step(tr, err);
  status = status != DLS_OK ? status : dls_explicit_time_check_root(tr, err);
  if (tr->located.kind != DLS_LOCATED_SWITCH && tr->right.t >= tr->next_break &&
      !(tr->located.t <= tr->next_break)) {
    tr->located = (dls_located_event){
        .kind = dls_explicit_time_jumps(tr) ? DLS_LOCATED_SWITCH : DLS_LOCATED_BREAK, .t = tr->next_break};
  }
  if (tr->located.kind == DLS_LOCATED_SWITCH || tr->located.kind == DLS_LOCATED_BREAK) {
    tr->located.t = dls_explicit_time_last_break(tr);
  }
  if (status == DLS_OK && tr->located.kind == DLS_LOCATED_NONE) {
    status = check_right(tr, err);
  }
  if (tr->located.kind == DLS_LOCATED_NONE && tr->explicit_time.first_step > 0) {
    tr->located = (dls_located_event){.kind = DLS_LOCATED_CUT, .t = tr->right.t};
  }
  if (status == DLS_OK) {
    dls_nodes_plan(tr);
  }
  return status;
}

/* What makes steps small: the contact whose slip in space turns fastest, with its rate, if all of them together turn it by a radian; or
 * what else may. */
static void find_reason(const dls_event_integrator *tr, char *text, size_t size)
{
  double most = 0, speed = 0;
  size_t which = 0;
  for (size_t k = 0; tr->d == 3 && k < tr->active.count; k++) {
    const size_t j = tr->active.index[k];
    double u[2];
    const double slip = dls_slip_of(tr, j, tr->right.y + tr->n, u);
    const double rate = tr->contact[j].weight * dls_slip_force(tr, j, tr->lambda) / slip;
    if (tr->contact[j].mode.kind == DLS_MODE_SLIPS && rate > most) {
      most = rate;
      speed = slip;
      which = j;
    }
  }
  char name[80];
  snprintf(text, size, "the system is stiff there (method=bdf), or its forces are singular");
  if (most * (tr->right.t - tr->slow_since) > 1) {
    dls_contact_name(tr->sys, which, name, sizeof name);
    snprintf(text, size, "the slip of %s, %.3g m/s, turns at %.3g /s", name, speed, most);
  }
}

/* After a step of the integrator. @return DLS_ERR_INTEGRATOR if so many of them since the last event have hardly moved t */
static dls_status check_progress(dls_event_integrator *tr, dls_error *err)
{
  const double t = tr->right.t;
  if (t - tr->slow_since > threshold_least_progress * fmin(tr->sys->time, tr->end - tr->slow_since)) {
    tr->slow_since = t;
    tr->slow_steps = 0;
  }
  if (++tr->slow_steps <= threshold_slow_steps) {
    return DLS_OK;
  }
  if (dls_smooth_drop_impulse_control(tr)) {
    tr->slow_steps = 0;
    return DLS_OK;
  }
  char why[160];
  find_reason(tr, why, sizeof why);
  return dls_sim_fail(
      tr->sim, err, DLS_ERR_INTEGRATOR,
      "the steps have become too small: %d of them lead from t = %.17g to %.17g without an event, "
      "of the time scale %.6g s; %s",
      (int)threshold_slow_steps, tr->slow_since, t, tr->sys->time, why);
}

/* One accepted step of the engine from the left end; if it fails, a second attempt without error control of impulses. */
static dls_status engine_step(dls_event_integrator *tr, dls_error *err)
{
  const dls_step_end *left = &tr->left;
  tr->failure = DLS_OK;
  dls_status status = dls_engine_step(tr->engine, &tr->right.t, tr->right.y, &tr->bracket, err);
  dls_engine_collect(tr->engine, &tr->sim->work);
  if (status == DLS_ERR_INTEGRATOR && tr->failure == DLS_OK && dls_smooth_drop_impulse_control(tr)) {
    status = dls_engine_restart(tr->engine, left->t, left->y, 0, err);
    status =
        status != DLS_OK ? status : dls_engine_step(tr->engine, &tr->right.t, tr->right.y, &tr->bracket, err);
    dls_engine_collect(tr->engine, &tr->sim->work);
  }
  return status;
}

/* The first event in it. */
static dls_status step_and_search(dls_event_integrator *tr, dls_error *err)
{
  dls_status status = engine_step(tr, err);
  if (status != DLS_OK) {
    return dls_smooth_failure(tr, status, err);
  }
  status = dls_geometry_check_rank(tr, tr->right.t, err); /* at the integrator's last evaluation */
  if (status == DLS_OK && tr->explicit_time.calendar != NULL) {
    status = dls_explicit_time_check_step(tr, err);
  }
  const bool explicit_time = dls_system_explicit_time(tr->sys) != DLS_TIME_NONE;
  if (tr->active.count == 0) {
    dls_engine_interpolate(tr->engine, tr->right.t, 1, tr->right.dy);
  }
  status = status != DLS_OK || !explicit_time ? status : dls_explicit_time_check_clock(tr, err);
  status = status != DLS_OK ? status : check_progress(tr, err);
  status = status != DLS_OK ? status : dls_roots_observe(tr, &tr->right, err);
  return status != DLS_OK ? status : find_events(tr, err);
}

/* A step that does not resolve how slip in space turns is repeated with shorter ones. */
static dls_status next_step(dls_event_integrator *tr, dls_error *err)
{
  if (tr->right.t > tr->left.t) {
    const dls_step_end done = tr->left;
    tr->left = tr->right;
    tr->right = done;
  }
  dls_status status = step_and_search(tr, err);
  double h = status == DLS_OK ? dls_slip_resolved_step(tr) : 0;
  for (int i = 0; i < threshold_step_repeats && h > 0; i++) {
    tr->sim->work.rejected++;
    status = dls_engine_restart(tr->engine, tr->left.t, tr->left.y, h, err);
    status = status != DLS_OK ? status : step_and_search(tr, err);
    h = status == DLS_OK ? fmin(dls_slip_resolved_step(tr), 0.5 * h) : 0;
  }
  return status;
}

/* tr->a := the acceleration at tr->q, tr->v, with no contact closed. It is for who looks there, and none of the run's work. */
static dls_status evaluate_flight(dls_event_integrator *tr, double t, dls_error *err)
{
  const dls_work work = tr->sim->work;
  const dls_status status = dls_geometry_set(tr, t, tr->q, err);
  if (status == DLS_OK) {
    dls_geometry_free_acceleration(tr, t, tr->q, tr->v, tr->a);
  }
  tr->sim->work = work;
  return status;
}

/* The sim's state := y, dy at t, without jump; with joints y as they want it, but the integrator goes on from y itself. */
static dls_status deliver(dls_event_integrator *tr, double t, const double *y, const double *dy, dls_error *err)
{
  dls_sim *sim = tr->sim;
  const bool forces = tr->active.count > 0 || tr->sys->r > 0;
  const bool inexact = !forces && dls_engine_slope_is_inexact(tr->engine, t);
  dls_status status = DLS_OK;
  memcpy(tr->q, y, tr->n * sizeof *y);
  memcpy(tr->v, y + tr->n, tr->n * sizeof *y);
  if (tr->sys->r > 0) {
    status = dls_geometry_project_joints(tr, t, &tr->active, tr->q, tr->v, err);
    status = status != DLS_OK ? status : dls_geometry_check_rank(tr, t, err);
  }
  if (forces && status == DLS_OK) {
    status = dls_smooth_dynamics(tr, t, tr->q, tr->v, tr->a, tr->lambda, err);
  } else if (inexact) {
    status = evaluate_flight(tr, t, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  if (forces) {
    dls_geometry_split_rows(tr, tr->lambda, sim->lambda, sim->lambda_t);
  }
  sim->t = t;
  memcpy(sim->q, tr->q, tr->n * sizeof *y);
  memcpy(sim->v, tr->v, tr->n * sizeof *y);
  memcpy(sim->a, forces || inexact ? tr->a : dy + tr->n, tr->n * sizeof *sim->a);
  dls_geometry_multipliers(tr, t, tr->q, tr->v, tr->lambda, sim->a, sim->mu);
  memset(sim->p, 0, tr->m * sizeof *sim->p);
  memset(sim->p_t, 0, (tr->d - 1) * tr->m * sizeof *sim->p_t);
  dls_nodes_record(tr);
  return DLS_OK;
}

/* A touch that changed nothing: look at what remains of the step. */
static dls_status after_grazing(dls_event_integrator *tr, dls_error *err)
{
  dls_step_end *left = &tr->left;
  const size_t k = tr->located.root;
  left->t = tr->located.t;
  dls_engine_interpolate(tr->engine, left->t, 0, left->y);
  dls_engine_interpolate(tr->engine, left->t, 1, left->dy);
  dls_status status = dls_roots_observe(tr, left, err);
  left->p[k].df = fmax(left->p[k].df, 0); /* the minimum lies behind */
  status = status != DLS_OK ? status : deliver(tr, left->t, left->y, left->dy, err);
  return status != DLS_OK ? status : find_events(tr, err);
}

static dls_status process_event(dls_event_integrator *tr, dls_error *err)
{
  bool changed = false;
  tr->sim->work.roots_missed += tr->located.root_missed;
  dls_engine_interpolate(tr->engine, tr->located.t, 0, tr->y);
  const dls_status status = dls_event_process(tr, tr->y, tr->y + tr->n, &changed, err);
  return status != DLS_OK || changed ? status : after_grazing(tr, err);
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  dls_event_integrator *tr = sim->memory;
  const double end = tr->end = sim->t + h;
  if (!(tr->right.t > sim->t)) {
    bool passed = false;
    dls_status status = tr->accumulation_risk != DLS_ACCUMULATION_RISK_NONE
                            ? dls_accumulation_pass(tr, end, &passed, err)
                            : DLS_OK;
    status = status != DLS_OK || passed ? status : next_step(tr, err);
    if (status != DLS_OK || passed) {
      return status;
    }
  }
  const bool event = tr->located.kind != DLS_LOCATED_NONE;
  const double stop = event ? tr->located.t : tr->right.t;
  const double asked = dls_record_next_time(sim);
  if (fmin(end, asked) < stop || sim->t + 1.5 * tr->spacing < stop) {
    const double t = fmin(fmin(end, asked), sim->t + tr->spacing);
    dls_engine_interpolate(tr->engine, t, 0, tr->y);
    dls_engine_interpolate(tr->engine, t, 1, tr->dy);
    return deliver(tr, t, tr->y, tr->dy, err);
  }
  if (event) {
    return process_event(tr, err);
  }
  return deliver(tr, tr->right.t, tr->right.y, tr->right.dy, err);
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
    .friction = true,
    .static_friction = true,
    .stribeck = true,
    .moving_gaps = true,
    .joints = true,
    .q_between = DLS_HERMITE,
    .v_between = DLS_HERMITE,
    .check = check,
    .start = start,
    .advance = advance,
    .finish = finish,
    .thresholds = dls_event_driven_thresholds,
};
