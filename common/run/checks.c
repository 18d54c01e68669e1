/* checks.c -- see checks.h.
 *
 * Scales: tolerances refer to sys->length and sys->time. Far below these scales schemes treat motion and contact forces as
 * zero. Then contacts may pull, or be closed or open wrongly. Forces are compared as accelerations lambda W_jj with W_jj =
 * sum_i H_ij^2/M_ii.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/checks.h"
#include "common/base/arrays.h"
#include "common/base/cubic.h"
#include "common/base/text.h"
#include "common/run/check_balance.h"
#include <delassus/matrix.h>
#include <delassus/trajectory.h>
#include <delassus/warning.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 64 * DBL_EPSILON; /* of the scale of accelerations */

static double weight(const dls_system *sys, size_t j)
{
  double sum = 0;
  for (size_t i = 0; i < sys->n; i++) {
    const double h = dls_matrix_get(sys->H, i, j);
    sum += h != 0 ? h * h / dls_matrix_get(sys->M, i, i) : 0;
  }
  return sum;
}

/* Size of the last node relative to the scales. */
static double size_at_end(const dls_sim *sim)
{
  const dls_system *sys = sim->sys;
  const double length = sys->length, time = sys->time;
  double most = 0;
  for (size_t i = 0; i < sys->n; i++) {
    const double speed = fmax(fabs(sim->v[i]), fabs(sys->v0[i]));
    most = fmax(most, fmax(fabs(sim->q[i] - sys->q0[i]), speed * time) / length);
  }
  for (size_t j = 0; j < sys->m && most < dls_checks_limit(DLS_WARN_SCALES); j++) {
    most = fmax(most, weight(sys, j) * fmax(fabs(sim->lambda[j]) * time, fabs(sim->p[j])) * time / length);
  }
  return most;
}

/* Factor that makes a recorded column relative to the scales; 0: neither motion nor contact force. For q, q0 is
 * subtracted, `at`. */
static double unit_of(const dls_system *sys, const char *name, double *at)
{
  const bool force = strncmp(name, "lambda", 6) == 0;
  char *end = NULL;
  const size_t i = strtoul(name + (force ? 6 : 1), &end, 10);
  *at = 0;
  if (*end != '\0' || i >= (force || *name == 'p' ? sys->m : sys->n)) {
    return 0;
  }
  *at = *name == 'q' ? sys->q0[i] : 0;
  return *name == 'q'   ? 1 / sys->length
         : *name == 'v' ? sys->time / sys->length
         : force        ? weight(sys, i) * sys->time * sys->time / sys->length
         : *name == 'p' ? weight(sys, i) * sys->time / sys->length
                        : 0;
}

/* The same for the recorded nodes. */
static double size_of_record(const dls_sim *sim)
{
  const dls_trajectory *record = sim->record;
  double most = 0, at = 0;
  for (size_t c = 1; c < record->columns; c++) {
    const double unit = unit_of(sim->sys, record->names[c], &at);
    for (size_t row = 0; unit > 0 && row < record->rows; row++) {
      most = fmax(most, unit * fabs(dls_trajectory_at(record, row, c) - at));
    }
  }
  return most;
}

bool dls_checks_scales(const dls_sim *sim, double *size)
{
  const dls_system *sys = sim->sys;
  *size = 0;
  if (!sys->linear || sys->m == 0 || sim->record == NULL) {
    return false;
  }
  *size = size_at_end(sim);
  *size = *size < dls_checks_limit(DLS_WARN_SCALES) ? fmax(*size, size_of_record(sim)) : *size;
  return *size > 0 && *size < dls_checks_limit(DLS_WARN_SCALES);
}

bool dls_checks_pulls(const dls_sim *sim, size_t j)
{
  const dls_system *sys = sim->sys;
  if (!(sim->lambda[j] < 0) || sim->record == NULL || !sys->linear ||
      -sim->lambda[j] * weight(sys, j) * sys->time * sys->time < rounding * sys->length) {
    return false;
  }
  char name[32];
  snprintf(name, sizeof name, "lambda%zu", j);
  const int c = dls_trajectory_column(sim->record, name);
  double most = 0;
  for (size_t row = 0; c > 0 && row < sim->record->rows; row++) {
    most = fmax(most, fabs(dls_trajectory_at(sim->record, row, (size_t)c)));
  }
  return c > 0 && -sim->lambda[j] > dls_checks_limit(DLS_WARN_PULL) * most;
}

/* Penetrations that the scheme explains: */
static const double late_steps =
    1.1; /* steps; a penetration of at most the distance of the fastest impact in them: schemes act at nodes */
static const double yielding_depth = 1; /* relative to size; explained by contact springs */
/* relative to size; passage in a step with an impulse that came too late */
static const double late_depth = 0.5;
static const double path_margin =
    /* relative to the change of the gap velocity times the step: the path may differ from the end velocities */
    0.1;

static const char *const causes[] = {
    [DLS_CAUSE_UNKNOWN] = "",
    [DLS_CAUSE_STEP] = ", not deeper than the distance that the fastest impact covers in one step",
    [DLS_CAUSE_SPRING] = "; the contacts of this scheme are springs, which yield",
    [DLS_CAUSE_DRIFT] =
        ", deeper than the distance that the fastest impact covers in one step; the contact law of this "
        "scheme acts on velocities and does not correct gaps"};

struct dls_checks {
  bool compares;     /* the path between nodes is checked */
  bool bends, cubic; /* the gaps are nonlinear in q, or move; q is a cubic between nodes, else linear */
  bool closes;       /* some gap velocity of the last node is negative; false before the first node */
  double size;       /* m, see above */
  double t;          /* the last node: right limits */
  double *q, *v, *g, *u;
  double *x, *gap; /* n, m: scratch */
  double *block;
  bool runs; /* energy and momentum are checked: the sim belongs to a run */
  dls_check_balance balance;
  double step, fastest; /* s, of a run by step, else 0; m/s: of its fastest impact */
};

static double size_of(const dls_system *sys)
{
  return sys->smallest_body > 0 ? fmin(sys->smallest_body, sys->length) : sys->length;
}

/* --- create --- */

bool dls_checks_create(dls_sim *sim)
{
  const dls_system *sys = sim->sys;
  dls_checks *c = sim->checks = calloc(1, sizeof *c);
  if (c == NULL) {
    return false;
  }
  c->size = size_of(sys);
  c->bends = dls_system_gradient_varies(sys) || dls_system_gap_moves(sys);
  c->cubic = sim->scheme->q_between == DLS_HERMITE;
  return sys->m == 0 || !(c->bends || c->cubic) || dls_checks_compare(sim, c->cubic);
}

bool dls_checks_compare(dls_sim *sim, bool cubic)
{
  dls_checks *c = sim->checks;
  if (sim->sys->m == 0) {
    return true;
  }
  const size_t n = c->bends ? sim->sys->n : 0, m = sim->sys->m;
  c->cubic = cubic;
  c->compares = true;
  if (c->block == NULL) {
    c->block = dls_arrays((const dls_slot[]){{n, {&c->q, &c->v, &c->x}}, {m, {&c->g, &c->u, &c->gap}}, {0}});
  }
  return c->block != NULL;
}

void dls_checks_destroy(dls_sim *sim)
{
  if (sim->checks != NULL) {
    dls_check_balance_destroy(&sim->checks->balance);
    free(sim->checks->block);
    free(sim->checks);
    sim->checks = NULL;
  }
}

void dls_checks_renew(dls_sim *sim)
{
  dls_checks *c = sim->checks;
  c->size = size_of(sim->sys);
  c->closes = c->runs = false;
  c->t = c->step = c->fastest = 0;
}

/* --- bodies passing through each other --- */

/* A path needs q and v only if a contact closes at its beginning. */
static void keep_node(dls_sim *sim)
{
  dls_checks *c = sim->checks;
  const size_t n = sim->sys->n, m = sim->sys->m;
  c->t = sim->t;
  c->closes = false;
  for (size_t j = 0; j < m; j++) {
    c->g[j] = sim->g[j];
    c->u[j] = sim->u[j];
    c->closes = c->closes || c->u[j] < 0;
  }
  for (size_t i = 0; c->bends && c->closes && i < n; i++) {
    c->q[i] = sim->q[i];
    c->v[i] = sim->v[i];
  }
}

void dls_checks_begin(dls_sim *sim)
{
  if (sim->checks->compares) {
    keep_node(sim);
  }
}

/* The end of a path from the last node: left limits. */
typedef struct path_end {
  double t;
  const double *q, *v; /* n */
  double g, u;         /* gap of the contact */
} path_end;

/* Gap of contact j at fraction s of the path. */
static double gap_on_path(const dls_sim *sim, const path_end *end, size_t j, double s)
{
  dls_checks *c = sim->checks;
  const double h = end->t - c->t;
  if (!c->bends) {
    return dls_cubic(s, h, c->g[j], c->u[j], end->g, end->u);
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    c->x[i] =
        c->cubic ? dls_cubic(s, h, c->q[i], c->v[i], end->q[i], end->v[i]) : (1 - s) * c->q[i] + s * end->q[i];
  }
  dls_system_gap(sim->sys, c->t + s * h, c->x, c->gap);
  return c->gap[j];
}

/* The gap closes at first and opens at the end: its minimum between, by ternary search. */
static double least_gap(const dls_sim *sim, const path_end *end, size_t j)
{
  enum { THIRDS = 40 }; /* (2/3)^40 = 9e-8 of the step */
  double a = 0, b = 1, least = fmin(sim->checks->g[j], end->g);
  for (int i = 0; i < THIRDS; i++) {
    const double s = a + (b - a) / 3, r = b - (b - a) / 3;
    const double at_s = gap_on_path(sim, end, j, s), at_r = gap_on_path(sim, end, j, r);
    least = fmin(least, fmin(at_s, at_r));
    *(at_s < at_r ? &b : &a) = at_s < at_r ? r : s;
  }
  return least;
}

/* Smallest gap on the path if contact j closes at its beginning, opens at its end, and may have been passed; else 0. */
static double passage(const dls_sim *sim, const path_end *end, size_t j, bool impulse)
{
  const dls_checks *c = sim->checks;
  const double u = c->u[j], h = end->t - c->t,
               allowed = -(impulse ? late_depth : dls_checks_limit(DLS_WARN_PASSED)) * c->size;
  if (!(u < 0 && end->u > 0 && h > 0)) {
    return 0;
  }
  /* where the tangents at the ends meet: below a convex gap */
  const double tangents = (c->g[j] * end->u - u * end->g + u * end->u * h) / (end->u - u);
  if (tangents - path_margin * h * (end->u - u) > allowed) {
    return 0;
  }
  const double least = least_gap(sim, end, j), deeper = fmin(0, fmin(c->g[j], end->g));
  return least < deeper + allowed
             ? least
             /* otherwise the contact penetrates, and another one has reversed the motion */
             : 0;
}

bool dls_checks_passes(const dls_sim *sim, double t, const double *q, const double *v, const double *g,
                       const double *u, size_t stride)
{
  const dls_checks *c = sim->checks;
  for (size_t j = 0; c->closes && j < sim->sys->m; j++) {
    const path_end end = {t, q, v, g[j], u[stride * j]};
    if (c->u[j] < 0 && end.u > 0 && passage(sim, &end, j, false) < 0) {
      return true;
    }
  }
  return false;
}

static void look_for_passages(dls_sim *sim)
{
  const dls_checks *c = sim->checks;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (!(c->u[j] < 0) || !(sim->u[j] > 0 || sim->jump)) {
      continue;
    }
    const double left =
        sim->jump ? dls_configuration_row(&sim->config, sim->sys->d * j, sim->v_left) : sim->u[j];
    const path_end end = {sim->t, sim->q, sim->jump ? sim->v_left : sim->v, sim->g[j],
                          c->cubic ? left : fmax(left, sim->u[j])};
    const double least = passage(sim, &end, j, sim->p[j] > 0 || sim->lambda[j] > 0);
    if (least < 0) {
      dls_checks_warn(
          sim, DLS_WARN_PASSED,
          (dls_warning){.from = c->t, .t = sim->t, .has_contact = true, .contact = j, .value = least});
    }
  }
}

/* --- faces --- */

static void look_at_faces(dls_sim *sim)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (sim->p[j] > 0 || sim->lambda[j] > 0) {
      const double distance = sim->sys->outside_face(sim->sys, sim->t, sim->q, j);
      if (distance > dls_checks_limit(DLS_WARN_FACE) * sim->checks->size) {
        dls_checks_warn(
            sim, DLS_WARN_FACE,
            (dls_warning){.from = sim->t, .t = sim->t, .has_contact = true, .contact = j, .value = distance});
      }
    }
  }
}

bool dls_checks_open(dls_sim *sim)
{
  sim->checks->step = dls_scheme_needs_step(sim->scheme) ? sim->spec->step : 0;
  sim->checks->runs = true;
  return dls_check_balance_create(sim, &sim->checks->balance);
}

void dls_checks_impact(dls_sim *sim, const dls_event *event)
{
  sim->checks->fastest = fmax(sim->checks->fastest, -event->u_minus);
  dls_check_balance_impact(&sim->checks->balance, event);
}

void dls_checks_node(dls_sim *sim)
{
  dls_checks *c = sim->checks;
  if (c->runs) {
    dls_check_balance_node(sim, &c->balance);
  }
  if (c->compares) {
    if (c->closes && sim->t > c->t) {
      look_for_passages(sim);
    }
    keep_node(sim);
  }
  if (sim->sys->outside_face != NULL) {
    look_at_faces(sim);
  }
}

/* --- the end of a run --- */

/* @param[in] depth, size  m */
static dls_warning_cause cause_of(const dls_sim *sim, double depth, double size)
{
  const dls_scheme *scheme = sim->scheme;
  const dls_checks *c = sim->checks;
  if (scheme->family == DLS_FAMILY_PENALTY || (scheme->balance != NULL && scheme->balance->yields)) {
    return depth <= yielding_depth * size ? DLS_CAUSE_SPRING : DLS_CAUSE_UNKNOWN;
  }
  if (depth <= late_steps * c->step * c->fastest) {
    return DLS_CAUSE_STEP;
  }
  return scheme->family == DLS_FAMILY_MOREAU ? DLS_CAUSE_DRIFT : DLS_CAUSE_UNKNOWN;
}

static void judge_depth(dls_sim *sim)
{
  const double size = size_of(sim->sys), gap = sim->worst_gap;
  if (sim->sys->m > 0 && gap < -dls_checks_limit(DLS_WARN_PENETRATION) * size) {
    dls_checks_warn(sim, DLS_WARN_PENETRATION,
                    (dls_warning){.from = sim->worst_time,
                                  .t = sim->worst_time,
                                  .has_contact = true,
                                  .contact = sim->worst_contact,
                                  .value = gap,
                                  .cause = cause_of(sim, -gap, size)});
  }
}

/* Springs and dampers pull by design. */
static void judge_scales(dls_sim *sim)
{
  double size = 0;
  if (dls_checks_scales(sim, &size)) {
    dls_checks_warn(sim, DLS_WARN_SCALES, (dls_warning){.from = sim->t, .t = sim->t, .value = size});
  }
  for (size_t j = 0; sim->scheme->family != DLS_FAMILY_PENALTY && j < sim->sys->m; j++) {
    if (dls_checks_pulls(sim, j)) {
      dls_checks_warn(
          sim, DLS_WARN_PULL,
          (dls_warning){
              .from = sim->t, .t = sim->t, .has_contact = true, .contact = j, .value = sim->lambda[j]});
    }
  }
}

static dls_status note(const dls_sim *sim, dls_warning_kind kind, dls_error *err)
{
  const dls_warning *w = &sim->warnings[kind];
  char contact[24] = "none";
  if (w->has_contact) {
    snprintf(contact, sizeof contact, "%zu", w->contact);
  }
  return dls_trajectory_note(sim->record, err, "warning", "%s, t=%.10g, contact=%s, value=%.6g",
                             dls_warning_name(kind), w->t, contact, w->value);
}

dls_status dls_checks_end(dls_sim *sim, dls_status status, dls_error *err)
{
  judge_depth(sim);
  if (status == DLS_OK && sim->checks->runs) {
    judge_scales(sim);
  }
  if (status != DLS_ERR_NONFINITE && sim->started && sim->checks->runs) {
    dls_check_balance_look(sim, &sim->checks->balance);
  }
  dls_check_balance_end(sim, &sim->checks->balance);
  if (status == DLS_ERR_NONFINITE) {
    dls_checks_warn(sim, DLS_WARN_NOT_FINITE, (dls_warning){.from = sim->t, .t = sim->t, .value = NAN});
  }
  dls_status noted = DLS_OK;
  for (int k = 0; k < DLS_WARNING_KINDS && noted == DLS_OK && sim->record != NULL; k++) {
    noted = sim->warnings[k].count > 0 ? note(sim, (dls_warning_kind)k, err) : DLS_OK;
  }
  return noted;
}

/* --- messages --- */

void dls_sim_warning_text(const dls_sim *sim, dls_warning_kind kind, char *text, size_t size)
{
  const dls_warning *w = &sim->warnings[kind];
  char name[120] = "";
  if (w->has_contact) {
    dls_contact_name(sim->sys, w->contact, name, sizeof name);
  }
  switch (kind) {
  case DLS_WARN_PASSED:
    dls_contact_bodies(sim->sys, w->contact, name, sizeof name);
    snprintf(text, size, "%s passed through each other between t = %.10g and t = %.10g", name, w->from, w->t);
    break;
  case DLS_WARN_PENETRATION:
    snprintf(text, size, "penetration at %s: the gap was %.3g m at t = %.10g s%s", name, w->value, w->t,
             causes[w->cause]);
    break;
  case DLS_WARN_FACE:
    snprintf(text, size,
             "%s acts %.3g m outside its face at t = %.10g s: a face is treated as an infinite plane, but its "
             "body ends before",
             name, w->value, w->t);
    break;
  case DLS_WARN_ENERGY:
    snprintf(text, size, "the energy grew by %.3g J without a source between t = %.10g s and t = %.10g s",
             w->value, w->from, w->t);
    break;
  case DLS_WARN_MOMENTUM:
    snprintf(text, size,
             "the momentum changed by %.3g N s without an impulse between t = %.10g s and t = %.10g s",
             w->value, w->from, w->t);
    break;
  case DLS_WARN_PULL:
    snprintf(text, size, "%s pulls at the end, t = %.10g s, with %.3g N", name, w->t, -w->value);
    break;
  case DLS_WARN_SCALES:
    snprintf(
        text, size,
        "the motion and the contact forces are at most %.3g of the scales length = %.3g m and time = %.3g s: "
        "far below these scales, tolerances treat motion as rest. Set scales of the size of the motion",
        w->value, sim->sys->length, sim->sys->time);
    break;
  default:
    snprintf(text, size, "a number was not finite after t = %.10g s", w->t);
  }
  if (w->count > 1) {
    dls_text_append(text, size, "; %zu times in all", w->count);
  }
}

const char *dls_trajectory_warning(const dls_trajectory *traj, size_t i)
{
  static const char key[] = "warning: ";
  for (size_t k = 0; k < traj->meta_count; k++) {
    if (strncmp(traj->meta[k], key, sizeof key - 1) == 0 && i-- == 0) {
      return traj->meta[k] + sizeof key - 1;
    }
  }
  return NULL;
}

size_t dls_trajectory_warning_count(const dls_trajectory *traj)
{
  size_t count = 0;
  while (dls_trajectory_warning(traj, count) != NULL) {
    count++;
  }
  return count;
}
