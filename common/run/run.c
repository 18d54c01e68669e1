/* run.c -- a run: check of the request, start, steps and end.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/checks.h"
#include "common/run/load_value.h"
#include "common/run/recorder.h"
#include "common/run/run_spec.h"
#include <delassus/scheme.h>
#include <math.h>
#include <stdio.h>

static const double MOST_STEPS = 1e12; /* k h <= T is decided exactly up to this k; years of computing */

/* Does the record have the columns that record_node writes, or a selection of them, and no rows yet? */
static dls_status check_record(const dls_sim *sim, const dls_trajectory *record, dls_error *err)
{
  const size_t n = sim->sys->n;
  const size_t m = sim->sys->m;
  const size_t slopes = sim->scheme->v_between == DLS_HERMITE ? n : 0;
  const size_t columns = 1 + 2 * n + 5 * m + slopes + 3 * (sim->sys->d - 1) * m + 2 * sim->sys->r;
  if (record == NULL ||
      (record->n == n && record->m == m && record->whole_columns == columns && record->rows == 0)) {
    return DLS_OK;
  }
  return dls_fail(err, DLS_ERR_ARG,
                  "the record has %zu rows of %zu columns, it must be empty and have %zu: dls_sim_trajectory",
                  record->rows, record->whole_columns, columns);
}

dls_status dls_run_spec_check(const dls_sim *sim, const dls_run_spec *spec, dls_error *err)
{
  if (!(spec->end > 0) || isinf(spec->end)) {
    return dls_fail(err, DLS_ERR_ARG, "end = %g s must be finite and > 0", spec->end);
  }
  if (dls_scheme_needs_step(sim->scheme) && !(spec->step > 0 && spec->step <= spec->end)) {
    return dls_fail(err, DLS_ERR_ARG, "step = %g s is outside (0, end = %g]", spec->step, spec->end);
  }
  if (dls_scheme_needs_step(sim->scheme) && !(spec->end / spec->step <= MOST_STEPS)) {
    return dls_fail(err, DLS_ERR_ARG, "step = %g s makes %.3g steps up to end = %g, at most %.3g are possible",
                    spec->step, spec->end / spec->step, spec->end, MOST_STEPS);
  }
  if (spec->halvings > 0 && !(sim->scheme->handles & DLS_HANDLES_ANY_STEP)) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "scheme %s %s: its steps cannot be halved (halvings = %zu)",
                    sim->scheme->name,
                    dls_scheme_needs_step(sim->scheme) ? "keeps equal steps" : "chooses its steps",
                    spec->halvings);
  }
  return check_record(sim, spec->record, err);
}

/* Number of whole steps in [0, end]; a multiple that rounding put just beyond the end counts. */
static size_t whole_steps(const dls_run_spec *spec)
{
  return (size_t)floor(spec->end / spec->step * (1 + 1e-12));
}

static dls_status watch(const dls_sim *sim, const dls_run_spec *spec, dls_error *err)
{
  return spec->watch == NULL ? DLS_OK : spec->watch(spec->watch_data, sim, err);
}

/* Failures that a smaller step may avoid. */
static bool steps_failed(dls_status status)
{
  return status == DLS_ERR_NOCONV || status == DLS_ERR_LCP || status == DLS_ERR_SINGULAR;
}

/* The next step, or a fraction of it that ends at `end`; if it fails, its halves, `halvings` times. */
static dls_status advance_to(dls_sim *sim, const dls_run_spec *spec, double h, double end, size_t halvings,
                             dls_error *err)
{
  sim->part_end = end;
  dls_status status = dls_sim_advance(sim, h, err);
  if (halvings > 0 && steps_failed(status)) {
    sim->work.rejected++;
    status = advance_to(sim, spec, h / 2, end - h / 2, halvings - 1, err);
    return status != DLS_OK ? status : advance_to(sim, spec, h / 2, end, halvings - 1, err);
  }
  return status != DLS_OK ? status : watch(sim, spec, err);
}

/* One step, counted once. */
static dls_status advance_step(dls_sim *sim, const dls_run_spec *spec, dls_error *err)
{
  if (spec->halvings == 0) {
    const dls_status status = dls_sim_advance(sim, spec->step, err);
    return status != DLS_OK ? status : watch(sim, spec, err);
  }
  const size_t step = sim->step;
  const double end = dls_sim_next_time(sim, spec->step);
  const dls_status status = advance_to(sim, spec, spec->step, end, spec->halvings, err);
  sim->part_end = -HUGE_VAL;
  sim->step = step + (status == DLS_OK);
  return status;
}

/* Largest number of steps before the caller is polled again. */
size_t dls_run_unasked(const dls_sim *sim, size_t most)
{
  const size_t left = sim->patience > sim->unasked ? sim->patience - sim->unasked : 1;
  return sim->spec->poll != NULL && left < most ? left : most;
}

dls_status dls_run_count(dls_sim *sim, size_t made, dls_error *err)
{
  sim->unasked += made > 0 ? made - 1 : 0; /* dls_sim_poll counts one */
  return dls_sim_poll(sim, err);
}

bool dls_run_in_batches(const dls_sim *sim)
{
  return sim->scheme->advance_batch != NULL && sim->spec->watch == NULL && sim->sensitivity == NULL;
}

/* After a step that the scheme could not make at once, it is tried again after 1, 2, 4, ... other steps. */
static bool may_batch(const dls_sim *sim, dls_run_waiting *wait)
{
  if (!dls_run_in_batches(sim) || wait->now == 0) {
    return dls_run_in_batches(sim);
  }
  wait->now--;
  return false;
}

dls_status dls_run_steps(dls_sim *sim, size_t most, dls_run_waiting *wait, dls_error *err)
{
  enum { LONGEST = 64 };
  dls_batch_member member = {.sim = sim, .h = sim->spec->step, .most = dls_run_unasked(sim, most), .err = err};
  if (may_batch(sim, wait)) {
    sim->scheme->advance_batch(&member, 1);
    wait->next = member.made > 0 ? 0 : wait->next < LONGEST ? 2 * wait->next + 1 : LONGEST;
    wait->now = wait->next;
  }
  const dls_status status = member.made > 0 ? member.status : advance_step(sim, sim->spec, err);
  return status != DLS_OK ? status : dls_run_count(sim, member.made, err);
}

size_t dls_run_total(const dls_sim *sim)
{
  return dls_scheme_needs_step(sim->scheme) ? whole_steps(sim->spec) : 0;
}

static dls_status start(dls_sim *sim, const dls_run_spec *spec, dls_error *err)
{
  dls_status status = DLS_OK;
  if (dls_scheme_needs_step(sim->scheme) && spec->record != NULL && !spec->record->skip_nodes) {
    const size_t rows = dls_recording_rows(&spec->recording, whole_steps(spec));
    status = dls_trajectory_reserve(spec->record, rows, err);
  }
  if (status != DLS_OK || (status = dls_recorder_create(sim, &spec->recording, spec->end, err)) != DLS_OK) {
    return status;
  }
  if (!dls_checks_open(sim)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the checks of a run");
  }
  status = dls_sim_start(sim, err);
  return status != DLS_OK ? status : watch(sim, spec, err);
}

/* A step longer than a feature of a load or support may miss or alias it; reported once per run. */
static dls_status compare_feature(dls_sim *sim, const dls_run_spec *spec, dls_error *err)
{
  double length = 0;
  if (!dls_scheme_needs_step(sim->scheme) || dls_system_explicit_time(sim->sys) == DLS_TIME_NONE) {
    return DLS_OK;
  }
  const dls_status status = dls_system_shortest_feature(sim->sys, sim->t, spec->end, &length, err);
  if (status != DLS_OK || !(length > 0 && length < spec->step)) {
    return status;
  }
  sim->shortest_feature = length;
  return spec->record == NULL
             ? DLS_OK
             : dls_trajectory_note(spec->record, err, "shortest_feature",
                                   "%.6g s, shorter than the step of %.6g s", length, spec->step);
}

dls_status dls_run_open(dls_sim *sim, const dls_run_spec *spec, dls_error *err)
{
  dls_status status = dls_sim_check_unused(sim, err);
  if (status != DLS_OK || (status = dls_run_spec_check(sim, spec, err)) != DLS_OK) {
    return status;
  }
  sim->record = spec->record;
  sim->spec = spec;
  sim->work.interrupt = (dls_interrupt_poll){dls_sim_goes_on, sim};
  sim->patience = 1;
  sim->asked = dls_sim_clock();
  status = compare_feature(sim, spec, err);
  return status != DLS_OK ? status : start(sim, spec, err);
}

dls_status dls_run_close(dls_sim *sim, dls_status status, double seconds, dls_error *err)
{
  if (sim->spec == NULL) {
    return status; /* it was not opened */
  }
  status = dls_load_blame(sim, status, sim->spec->step, sim->spec->end, err);
  sim->spec = NULL;
  sim->work.interrupt = (dls_interrupt_poll){0};
  const dls_status ended = dls_record_end(sim, status == DLS_OK ? err : NULL);
  status = status != DLS_OK ? status : ended;
  const dls_status checked = dls_checks_end(sim, status, status == DLS_OK ? err : NULL);
  status = status != DLS_OK ? status : checked;
  sim->work.wall_seconds = seconds;
  if (sim->record != NULL) {
    sim->record->work = sim->work;
    sim->record->work.solved = NULL; /* owned by the sim */
    sim->record->complete = status == DLS_OK;
    snprintf(sim->record->failure, sizeof sim->record->failure, "%s", status == DLS_OK ? "" : err->text);
  }
  return status;
}

/* By events: to the end. */
static dls_status next_event(dls_sim *sim, dls_error *err)
{
  const dls_run_spec *spec = sim->spec;
  dls_status status = dls_sim_advance(sim, spec->end - sim->t, err);
  if (status != DLS_OK || (status = watch(sim, spec, err)) != DLS_OK) {
    return status;
  }
  return dls_sim_poll(sim, err);
}

dls_status dls_run(dls_sim *sim, const dls_run_spec *spec, dls_error *err)
{
  dls_error own = {0};
  err = err != NULL ? err : &own;
  const double begin = dls_sim_clock();
  const bool by_step = dls_scheme_needs_step(sim->scheme);
  dls_run_waiting wait = {0};
  dls_status status = dls_run_open(sim, spec, err);
  const size_t steps = status == DLS_OK ? dls_run_total(sim) : 0;
  while (status == DLS_OK && (by_step ? sim->step < steps : sim->t < spec->end)) {
    status = by_step ? dls_run_steps(sim, steps - sim->step, &wait, err) : next_event(sim, err);
  }
  return dls_run_close(sim, status, dls_sim_clock() - begin, err);
}
