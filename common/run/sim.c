/* sim.c -- the driver: one scheme advancing one system.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/capabilities.h"
#include "common/run/checks.h"
#include "common/run/load_rows.h"
#include "common/run/recorder.h"
#include "common/run/reported.h"
#include "common/run/run_spec.h"
#include "common/run/sensitivity.h"
#include "common/run/start_joints.h"
#include <delassus/scheme.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* Interval of polling the caller [s]: short enough for Ctrl-C and a progress bar, long enough to cost nothing. */
static const double poll_interval = 0.02;
enum { MOST_PATIENCE = 256 };

static inline double next_time(const dls_sim *sim, double h)
{
  if (sim->part_end > sim->t) {
    return sim->part_end;
  }
  return dls_scheme_needs_step(sim->scheme) ? sim->t_base + (double)(sim->step + 1) * h : sim->t + h;
}

double dls_sim_next_time(const dls_sim *sim, double h)
{
  return next_time(sim, h);
}

double dls_sim_last_time(const dls_sim *sim, double h)
{
  return sim->step > 0 ? sim->t_base + (double)(sim->step - 1) * h : sim->t_base;
}

double dls_sim_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Poll after more calls while they are fast, after fewer when they are slow. */
static void choose_patience(dls_sim *sim)
{
  const double now = dls_sim_clock(), elapsed = now - sim->asked;
  if (elapsed < 0.5 * poll_interval) {
    sim->patience = 2 * sim->patience < MOST_PATIENCE ? 2 * sim->patience : MOST_PATIENCE;
  } else if (elapsed > poll_interval) {
    sim->patience = (size_t)fmax(1, (double)sim->patience * poll_interval / elapsed);
  }
  sim->asked = now;
}

static dls_status ask(dls_sim *sim, dls_error *err)
{
  sim->unasked = 0;
  choose_patience(sim);
  if (sim->spec->poll(sim->spec->poll_data, sim->t)) {
    return DLS_OK;
  }
  sim->patience = 1; /* the next loop must not start over either */
  return dls_sim_fail(sim, err, DLS_ERR_INTERRUPTED, "interrupted after %zu steps", sim->step);
}

static inline dls_status poll(dls_sim *sim, dls_error *err)
{
  const bool due = sim->spec != NULL && sim->spec->poll != NULL && ++sim->unasked >= sim->patience;
  return due ? ask(sim, err) : DLS_OK;
}

bool dls_sim_goes_on(void *data)
{
  dls_sim *sim = data;
  if (sim->spec == NULL || sim->spec->poll == NULL || dls_sim_clock() - sim->asked < poll_interval) {
    return true;
  }
  return ask(sim, NULL) == DLS_OK;
}

dls_status dls_sim_poll(dls_sim *sim, dls_error *err)
{
  return poll(sim, err);
}

void dls_sim_event(dls_sim *sim, const dls_event *event)
{
  sim->work.events++;
  sim->work.impacts += event->kind == DLS_IMPACT;
  if (event->kind == DLS_IMPACT) {
    dls_checks_impact(sim, event);
  }
  if (sim->record != NULL) {
    dls_record_event(sim, event);
  }
  if (sim->sensitivity != NULL) {
    sim->out_of_memory = !dls_sensitivity_event(sim->sensitivity, event) || sim->out_of_memory;
  }
}

void dls_sim_force(dls_sim *sim, double t, const double *q, const double *v, double *F)
{
  dls_system_force(sim->sys, t, q, v, F);
  if (sim->load_rows != NULL) {
    dls_load_rows_add(sim, t, F);
  }
  sim->work.force_evals++;
}

/* Name the value that is not finite, if any: of the state, or of the system's evaluations. */
static dls_status find_not_finite(const dls_sim *sim, dls_error *err)
{
  const size_t n = sim->sys->n, m = sim->sys->m, slips = (sim->sys->d - 1) * m;
  const size_t left = sim->jump, slopes = sim->scheme->v_between == DLS_HERMITE;
  const struct {
    const char *name;
    const double *x;
    size_t count;
  } all[] = {{"q", sim->q, n},
             {"v", sim->v, n},
             {"g", sim->g, m},
             {"u", sim->u, m},
             {"p", sim->p, m},
             {"lambda", sim->lambda, m},
             {"slip ", sim->u_t, slips},
             {"tangential impulse ", sim->p_t, slips},
             {"friction force ", sim->lambda_t, slips},
             {"phi", sim->phi, sim->sys->r},
             {"mu", sim->mu, sim->sys->r},
             {"a", sim->a, slopes * n},
             {"left limit of v", sim->v_left, left * n},
             {"left limit of lambda", sim->lambda_left, left * m},
             {"left limit of a", sim->a_left, left * slopes * n}};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    for (size_t i = 0; i < all[k].count; i++) {
      if (!isfinite(all[k].x[i])) {
        return dls_sim_fail(sim, err, DLS_ERR_NONFINITE, "%s%zu = %g is not finite after step %zu", all[k].name,
                            i, all[k].x[i], sim->step);
      }
    }
  }
  return DLS_OK;
}

/* Many partial sums, as a single one would wait for itself; added in pairs for the same reason. */
static double total_of_many(const double *x, size_t count)
{
  enum { SUMS = 8 };
  double sum[SUMS] = {0};
  size_t i = 0;
  for (; i + SUMS <= count; i += SUMS) {
    for (size_t k = 0; k < SUMS; k++) {
      sum[k] += x[i + k];
    }
  }
  for (size_t k = 0; i < count; i++, k++) {
    sum[k] += x[i];
  }
  for (size_t k = 0; k < SUMS / 2; k++) {
    sum[k] += sum[k + SUMS / 2];
  }
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/* Not finite if one of x is not; nor if finite values overflow in the sum. */
static double total(const double *x, size_t count)
{
  enum { FEW = 8 };
  if (count > FEW) {
    return total_of_many(x, count);
  }
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += x[i];
  }
  return sum;
}

/* Of q and v, which are adjacent, with a before them. */
static double total_state(const dls_sim *sim)
{
  const size_t n = sim->sys->n;
  return sim->scheme->v_between == DLS_HERMITE ? total(sim->a, 3 * n) : total(sim->q, 2 * n);
}

/* Of contacts and joints: g, u, p, lambda; u_t, p_t, lambda_t; phi, mu. */
static double total_contacts(const dls_sim *sim)
{
  const double sum = total(sim->g, (4 + 3 * (sim->sys->d - 1)) * sim->sys->m);
  return sim->sys->r == 0 ? sum : sum + total(sim->phi, sim->sys->r) + total(sim->mu, sim->sys->r);
}

/* Of the left limits at a jump. */
static double total_left(const dls_sim *sim)
{
  const size_t n = sim->sys->n, slopes = sim->scheme->v_between == DLS_HERMITE ? n : 0;
  return total(sim->v_left, n) + total(sim->lambda_left, sim->sys->m) + total(sim->a_left, slopes);
}

/* The configuration at the node; g and u there. */
static void observe_contacts(dls_sim *sim)
{
  dls_configuration_contacts(&sim->config, sim->t, sim->q);
  if (sim->sys->r > 0) {
    dls_system_joint(sim->sys, sim->t, sim->q, sim->phi);
  }
  if (sim->sys->m == 0) {
    return;
  }
  dls_configuration_node(&sim->config, sim->v, sim->g, sim->u);
  if (sim->sys->d > 1) {
    dls_sim_slip(sim, sim->v, sim->u_t);
  }
}

/* g, u, the worst gap; fails if a value of the node is not finite. */
static dls_status observe(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_status status = isfinite(total_state(sim)) ? DLS_OK : find_not_finite(sim, err);
  if (status != DLS_OK) {
    return status;
  }
  observe_contacts(sim);
  if (!isfinite(total_contacts(sim)) || (sim->jump && !isfinite(total_left(sim)))) {
    status = find_not_finite(sim, err);
  }
  for (size_t j = 0; status == DLS_OK && j < sys->m; j++) {
    if (sim->g[j] < sim->worst_gap) {
      sim->worst_gap = sim->g[j];
      sim->worst_time = sim->t;
      sim->worst_contact = j;
    }
  }
  return status;
}

/* The sim is at a node. */
static dls_status arrive(dls_sim *sim, dls_error *err)
{
  dls_status status = observe(sim, err);
  if (status == DLS_OK && sim->reported != NULL) {
    status = dls_reported_complete(sim, err);
  }
  if (status == DLS_OK) {
    dls_checks_node(sim);
  }
  if (status == DLS_OK && sim->record == NULL && sim->out_of_memory) {
    status = dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for the derivatives of %zu events",
                          (size_t)sim->work.events);
  }
  if (status != DLS_OK || sim->record == NULL) {
    return status;
  }
  return sim->record->skip_nodes ? dls_record_skipped(sim, err) : dls_record_node(sim, err);
}

/* Before the scheme treats an impact at t = 0, save the given state as the left limit. */
static void remember_start(dls_sim *sim)
{
  memcpy(sim->v_left, sim->v, sim->sys->n * sizeof *sim->v);
  memcpy(sim->a_left, sim->a, sim->sys->n * sizeof *sim->a);
}

/* A failure of the scheme: the message names scheme and time. */
static dls_status scheme_failed(const dls_sim *sim, dls_status status, const dls_error *cause, dls_error *err)
{
  if (strncmp(cause->text, sim->scheme->name, strlen(sim->scheme->name)) == 0) {
    return dls_fail(err, status, "%s", cause->text);
  }
  return dls_sim_fail(sim, err, status, "%s", cause->text[0] != '\0' ? cause->text : dls_status_text(status));
}

dls_status dls_sim_check_unused(const dls_sim *sim, dls_error *err)
{
  return !sim->started ? DLS_OK
                       : dls_fail(err, DLS_ERR_ARG, "a sim of %s can be run once only", sim->scheme->name);
}

dls_status dls_sim_start(dls_sim *sim, dls_error *err)
{
  dls_error cause = {0};
  dls_status status = dls_sim_check_unused(sim, err);
  if (status != DLS_OK) {
    return status;
  }
  if (sim->scheme->advance == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "scheme %s has no function advance", sim->scheme->name);
  }
  if ((status = dls_scheme_check_handles(sim->scheme, err)) != DLS_OK) {
    return status;
  }
  if (sim->scheme->check != NULL && (status = sim->scheme->check(sim->scheme, sim->options, err)) != DLS_OK) {
    return status;
  }
  if ((status = dls_scheme_applies(sim->scheme, sim->sys, err)) != DLS_OK) {
    return status;
  }
  sim->started = true;
  const dls_runs_along *along = sim->sensitivity != NULL ? sim->sensitivity->along : NULL;
  if (along != NULL && (status = along->start(sim, err)) != DLS_OK) {
    return status;
  }
  if (sim->sys->r > 0 && (status = dls_start_joints(sim, &cause)) != DLS_OK) {
    return scheme_failed(sim, status, &cause, err);
  }
  remember_start(sim);
  status = sim->scheme->start == NULL ? DLS_OK : sim->scheme->start(sim, &cause);
  if (status != DLS_OK) {
    return scheme_failed(sim, status, &cause, err);
  }
  status = arrive(sim, err);
  return status == DLS_OK && along != NULL ? along->started(sim, err) : status;
}

dls_status dls_sim_start_from(dls_sim *sim, double t, const double *q, const double *v, dls_error *err)
{
  const dls_status status = dls_sim_check_unused(sim, err);
  if (status != DLS_OK) {
    return status;
  }
  sim->t = sim->t_base = t;
  memcpy(sim->q, q, sim->sys->n * sizeof *q);
  memcpy(sim->v, v, sim->sys->n * sizeof *v);
  return dls_sim_start(sim, err);
}

/* After an advance: count the step if its end is reached, and set the time there, which is not summed up. */
static void finish_step(dls_sim *sim, double h)
{
  const double end = next_time(sim, h);
  if (sim->scheme->stepping == DLS_BY_SUBSTEP && sim->t < end) {
    return;
  }
  sim->step++;
  if (dls_scheme_needs_step(sim->scheme)) {
    sim->work.steps++;
    sim->t = end;
  }
}

dls_status dls_sim_advance(dls_sim *sim, double h, dls_error *err)
{
  sim->jump = false;
  if (sim->reported != NULL) {
    dls_reported_begin(sim);
  }
  dls_error cause;
  cause.text[0] = '\0'; /* only part of the node: this is done every step */
  const dls_runs_along *along = sim->sensitivity != NULL ? sim->sensitivity->along : NULL;
  if (along != NULL) {
    along->keep(sim);
  }
  dls_status status = sim->scheme->advance(sim, h, &cause);
  if (status != DLS_OK) {
    return scheme_failed(sim, status, &cause, err);
  }
  finish_step(sim, h);
  status = arrive(sim, err);
  return status == DLS_OK && along != NULL ? along->advance(sim, h, err) : status;
}

dls_status dls_sim_move(dls_sim *sim, double t, const double *q, const double *v, dls_error *err)
{
  const dls_system *sys = sim->sys;
  if (!sim->started || sim->scheme->moved == NULL) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "a run of %s cannot be set to another state%s",
                    sim->scheme->name, sim->started ? "" : " before its start");
  }
  sim->t = sim->t_base = t;
  sim->step = 0;
  memcpy(sim->q, q, sys->n * sizeof *q);
  memcpy(sim->v, v, sys->n * sizeof *v);
  observe_contacts(sim);
  dls_checks_begin(sim);
  return sim->scheme->moved(sim, err);
}
