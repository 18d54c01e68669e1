/* run_many.c -- many runs of one model, up to DLS_BATCH_MOST of them side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/run_spec.h"
#include <delassus/many.h>
#include <delassus/scheme.h>

enum { ALONE = 64 }; /* steps a member makes alone after a step that it could not make with the others */

/* A run in progress. */
typedef struct slot {
  size_t member, steps; /* its number; steps in all */
  dls_run_waiting wait;
  dls_status status;
  dls_error err;
} slot;

typedef struct crowd {
  size_t count, next; /* members; the next one to open */
  dls_sim *const *sims;
  const dls_run_spec *specs;
  dls_status *statuses;
  dls_error *err;
  dls_status first_status; /* of the failed member with the smallest number */
  size_t first_failed;
  double begin;
  slot slots[DLS_BATCH_MOST];
  size_t open;
} crowd;

static dls_status check_member(const crowd *c, size_t i, dls_error *err)
{
  if (c->sims[i] == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "many runs: member %zu has no sim (NULL)", i);
  }
  const dls_scheme *scheme = c->sims[i]->scheme, *first_scheme = c->sims[0]->scheme;
  const dls_system *sys = c->sims[i]->sys, *first = c->sims[0]->sys;
  if (scheme != first_scheme) {
    return dls_fail(err, DLS_ERR_ARG,
                    "many runs: member %zu has scheme %s, member 0 has %s: they must be equal", i, scheme->name,
                    first_scheme->name);
  }
  if (sys->n != first->n || sys->m != first->m || sys->d != first->d || sys->r != first->r) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "many runs: member %zu has n = %zu, m = %zu, d = %zu, r = %zu, member 0 has n = %zu, m = %zu, "
        "d = %zu, r = %zu: "
        "they must have the same model",
        i, sys->n, sys->m, sys->d, sys->r, first->n, first->m, first->d, first->r);
  }
  if (sys->linear != first->linear || sys->load != first->load || sys->force != first->force ||
      sys->gap != first->gap || sys->gap_motion != first->gap_motion) {
    return dls_fail(err, DLS_ERR_ARG,
                    "many runs: member %zu has other functions for loads, forces or gaps than member 0: they "
                    "must have the same model",
                    i);
  }
  dls_error own = {0};
  const dls_status status = dls_run_spec_check(c->sims[i], &c->specs[i], &own);
  return status == DLS_OK ? DLS_OK : dls_fail(err, status, "member %zu: %s", i, own.text);
}

static dls_status check(const crowd *c, dls_error *err)
{
  if (c->count == 0 || c->sims == NULL || c->specs == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "many runs: count = %zu, sims and specs must not be NULL and count > 0",
                    c->count);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < c->count && status == DLS_OK; i++) {
    status = check_member(c, i, err);
  }
  return status;
}

/* End member i. */
static void note(crowd *c, size_t i, dls_status status, const dls_error *err)
{
  if (c->statuses != NULL) {
    c->statuses[i] = status;
  }
  if (status != DLS_OK && (c->first_status == DLS_OK || i < c->first_failed)) {
    c->first_status = status;
    c->first_failed = i;
    dls_fail(c->err, status, "member %zu: %s", i, err->text);
  }
}

static bool at_end(const crowd *c, const slot *s)
{
  return s->status != DLS_OK || c->sims[s->member]->step >= s->steps;
}

/* Free the slots of ended members. */
static void close_ended(crowd *c)
{
  for (size_t k = c->open; k-- > 0;) {
    slot *s = &c->slots[k];
    if (at_end(c, s)) {
      const double seconds = (dls_sim_clock() - c->begin) / (double)c->count;
      const dls_status status = dls_run_close(c->sims[s->member], s->status, seconds, &s->err);
      note(c, s->member, status, &s->err);
      *s = c->slots[--c->open];
    }
  }
}

static void open_next(crowd *c)
{
  while (c->open < DLS_BATCH_MOST && c->next < c->count) {
    const size_t i = c->next++;
    slot *s = &c->slots[c->open];
    *s = (slot){.member = i};
    s->status = dls_sim_check_unused(c->sims[i], &s->err);
    if (s->status != DLS_OK) { /* the same sim as two members: do not close the other */
      note(c, i, s->status, &s->err);
      continue;
    }
    s->status = dls_run_open(c->sims[i], &c->specs[i], &s->err);
    s->steps = s->status == DLS_OK ? dls_run_total(c->sims[i]) : 0;
    c->open++;
  }
}

/* Up to `most` steps of one member. */
static void go_alone(crowd *c, slot *s, size_t most)
{
  dls_sim *sim = c->sims[s->member];
  const size_t end = most < s->steps - sim->step ? sim->step + most : s->steps;
  while (s->status == DLS_OK && sim->step < end) {
    s->status = dls_run_steps(sim, end - sim->step, &s->wait, &s->err);
  }
}

/* Advance all slots together, as far as possible. */
static void go_together(crowd *c)
{
  dls_batch_member members[DLS_BATCH_MOST];
  for (size_t k = 0; k < c->open; k++) {
    dls_sim *sim = c->sims[c->slots[k].member];
    const size_t left = c->slots[k].steps - sim->step;
    members[k] = (dls_batch_member){
        .sim = sim, .h = sim->spec->step, .most = dls_run_unasked(sim, left), .err = &c->slots[k].err};
  }
  members[0].sim->scheme->advance_batch(members, c->open);
  for (size_t k = 0; k < c->open; k++) {
    slot *s = &c->slots[k];
    const bool made = members[k].made > 0;
    s->status = members[k].status;
    s->status =
        s->status == DLS_OK && made ? dls_run_count(members[k].sim, members[k].made, &s->err) : s->status;
    if (members[k].stuck && s->status == DLS_OK) {
      go_alone(c, s, made || members[k].sim->step == 0 ? 1 : ALONE); /* the first step factors the matrices */
    }
  }
}

static void go_on(crowd *c)
{
  bool together = c->open > 1;
  for (size_t k = 0; k < c->open; k++) {
    together = together && dls_run_in_batches(c->sims[c->slots[k].member]) && !at_end(c, &c->slots[k]);
  }
  if (together) {
    go_together(c);
  } else {
    go_alone(c, &c->slots[0], SIZE_MAX);
  }
}

/* By events: one after the other. */
static dls_status run_each(crowd *c)
{
  for (size_t i = 0; i < c->count; i++) {
    dls_error own = {0};
    const dls_status status = dls_run(c->sims[i], &c->specs[i], &own);
    note(c, i, status, &own);
  }
  return c->first_status;
}

dls_status dls_run_many(size_t count, dls_sim *const *sims, const dls_run_spec *specs, dls_status *statuses,
                        dls_error *err)
{
  crowd c = {
      .count = count, .sims = sims, .specs = specs, .statuses = statuses, .err = err, .begin = dls_sim_clock()};
  const dls_status status = check(&c, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!dls_scheme_needs_step(sims[0]->scheme)) {
    return run_each(&c);
  }
  for (open_next(&c); c.open > 0; open_next(&c)) {
    close_ended(&c);
    if (c.open > 0) {
      go_on(&c);
    }
    close_ended(&c);
  }
  return c.first_status;
}
