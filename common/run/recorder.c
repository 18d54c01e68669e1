/* recorder.c -- turns nodes into rows: left and right limits, every Nth node, given times, up to a limit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/recorder.h"
#include "common/base/cubic.h"
#include "common/run/contact_work.h"
#include "common/run/event_totals.h"
#include <delassus/measures.h>
#include <delassus/scheme.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dls_recorder {
  dls_recording keep;
  bool thins;        /* nodes are skipped, or rows are made between them */
  size_t node, next; /* nodes seen; times processed */
  bool last_kept;
  size_t rows_taken, events_taken; /* skipped in the record */
  size_t group;                    /* times asked for that are before the last event */
  size_t pending;                  /* events since the last node kept, or time asked for */
  size_t largest_at;               /* which of them has the largest impulse, from 1 on */
  dls_event first_event, last_event, largest_event;
  double jump;              /* largest |v+ - v-| of the nodes skipped since the last row; 0: none */
  double *before, *behind;  /* limits of that jump: whole nodes and works of contact, as these: */
  double *last, *now, *row; /* right limits of the last node; left limits of the current one, not yet written */
  double *impulse;          /* d m: since the last row; normal, then tangential */
  double block[];
};

/* A requested time closer than this to a node, relative, is that of the node: k h is rounded. */
static const double same_time = 4 * DBL_EPSILON;

static dls_status check(const dls_recording *keep, double end, dls_error *err)
{
  if (keep->every > 1 && keep->at_count > 0) {
    return dls_fail(err, DLS_ERR_ARG, "a record has one of every %zu nodes or rows at %zu times, not both",
                    keep->every, keep->at_count);
  }
  for (size_t i = 0; i < keep->at_count; i++) {
    if (!(keep->at[i] >= 0 && keep->at[i] <= end)) {
      return dls_fail(err, DLS_ERR_ARG, "time %zu of the record is %.17g s, outside [0, end = %.17g]", i + 1,
                      keep->at[i], end);
    }
    if (i > 0 && !(keep->at[i] > keep->at[i - 1])) {
      return dls_fail(err, DLS_ERR_ARG, "time %zu of the record is %.17g s after %.17g s, times must increase",
                      i + 1, keep->at[i], keep->at[i - 1]);
    }
  }
  return DLS_OK;
}

/* A record that keeps no nodes has so many events before it has only their totals: 15 MB. */
enum { MOST_UNWRITTEN = 1 << 16 };

static void keep_event(dls_sim *sim, const dls_event *event)
{
  sim->out_of_memory = dls_trajectory_add_event(sim->record, event, NULL) != DLS_OK || sim->out_of_memory;
}

/* The events of a part of the run, in their order. */
static void end_group(dls_sim *sim)
{
  dls_recorder *r = sim->recorder;
  const size_t count = r->pending, at = r->largest_at;
  if (count == 0) {
    return;
  }
  keep_event(sim, &r->first_event);
  if (at > 1 && at < count) {
    keep_event(sim, &r->largest_event);
  }
  if (count > 1) {
    keep_event(sim, &r->last_event);
  }
  sim->record->totals->left_out += count - (count > 1 ? 2 : 1) - (at > 1 && at < count);
  r->pending = 0;
}

static void add_to_group(dls_sim *sim, const dls_event *event)
{
  dls_recorder *r = sim->recorder;
  while (r->group < r->keep.at_count && r->keep.at[r->group] * (1 + same_time) < event->t) {
    end_group(sim);
    r->group++;
  }
  r->last_event = *event;
  if (r->pending++ == 0) {
    r->first_event = *event;
  }
  if (r->pending == 1 || fabs(event->impulse) > fabs(r->largest_event.impulse)) {
    r->largest_event = *event;
    r->largest_at = r->pending;
  }
}

void dls_record_event(dls_sim *sim, const dls_event *event)
{
  const dls_recorder *r = sim->recorder;
  dls_trajectory *record = sim->record;
  if (record->totals != NULL) {
    dls_event_totals_add(record->totals, event);
  }
  if (record->skip_events && record->event_count == MOST_UNWRITTEN) {
    record->totals->left_out++;
  } else if (r != NULL && r->thins && !record->skip_nodes) {
    add_to_group(sim, event);
  } else {
    keep_event(sim, event);
  }
}

dls_status dls_recorder_create(dls_sim *sim, const dls_recording *recording, double end, dls_error *err)
{
  const dls_status status = check(recording, end, err);
  const bool all =
      recording->every <= 1 && recording->at_count == 0 && recording->max_rows == 0 && recording->take == NULL;
  if (status != DLS_OK || sim->record == NULL || all) {
    return status;
  }
  const size_t columns = sim->record->whole_columns + DLS_CONTACT_WORKS;
  dls_recorder *r = calloc(1, sizeof *r + (5 * columns + sim->sys->d * sim->sys->m) * sizeof r->block[0]);
  if (r == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a node of %zu columns", columns);
  }
  r->keep = *recording;
  r->thins = recording->every > 1 || recording->at_count > 0;
  r->last = r->block;
  r->now = r->last + columns;
  r->row = r->now + columns;
  r->before = r->row + columns;
  r->behind = r->before + columns;
  r->impulse = r->behind + columns;
  sim->recorder = r;
  if ((r->thins || recording->take != NULL || sim->record->skip_events) &&
      (sim->record->totals = dls_event_totals_create(true)) == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the totals of events");
  }
  return DLS_OK;
}

void dls_recorder_destroy(dls_recorder *recorder)
{
  free(recorder);
}

size_t dls_recording_rows(const dls_recording *keep, size_t steps)
{
  const size_t nodes = keep->every > 1 ? steps / keep->every : steps;
  const size_t rows = keep->at_count > 0 ? keep->at_count : nodes + nodes / 8; /* some steps have jumps */
  const size_t most = keep->max_rows > 0 && rows > keep->max_rows ? keep->max_rows : rows + 16;
  return keep->take != NULL && most > keep->portion ? keep->portion : most;
}

static double *put(double *row, const double *x, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    row[i] = x[i];
  }
  return row + count;
}

/* Slip, impulses and forces along the tangents. */
static void put_tangents(dls_sim *sim, bool left, double *row)
{
  const size_t slips = (sim->sys->d - 1) * sim->sys->m;
  if (slips == 0) {
    return;
  }
  if (left) {
    dls_sim_slip(sim, sim->v_left, row);
    memset(row + slips, 0, slips * sizeof *row);
  } else {
    put(put(row, sim->u_t, slips), sim->p_t, slips);
  }
  put(row + 2 * slips, left ? sim->lambda_t_left : sim->lambda_t, slips);
}

/* Multipliers and equations of joints. */
static void put_joints(const dls_sim *sim, bool left, double *row)
{
  put(put(row, left ? sim->mu_left : sim->mu, sim->sys->r), sim->phi, sim->sys->r);
}

/* All columns of a node: left limits (before the jump, no impulse yet) or right limits. */
static void put_limit(dls_sim *sim, bool left, double *row)
{
  const size_t n = sim->sys->n;
  const size_t m = sim->sys->m;
  *row++ = sim->t;
  row = put(row, sim->q, n);
  row = put(row, left ? sim->v_left : sim->v, n);
  row = put(row, sim->g, m);
  double *u = row;
  row = put(row, sim->u, m);
  for (size_t j = 0; j < m; j++) {
    row[j] = left ? 0 : sim->p[j];
    row[m + j] = left ? sim->lambda_left[j] : sim->lambda[j];
    row[2 * m + j] = sim->status[j];
  }
  if (left) {
    dls_sim_gap_velocity(sim, sim->v_left, u);
  }
  row += 3 * m;
  if (sim->scheme->v_between == DLS_HERMITE) {
    row = put(row, left ? sim->a_left : sim->a, n);
  }
  put_tangents(sim, left, row);
  put_joints(sim, left, row + 3 * (sim->sys->d - 1) * m);
}

static bool differ(const double *a, const double *b, size_t count, double allowed)
{
  for (size_t i = 0; i < count; i++) {
    if (!(fabs(a[i] - b[i]) <= allowed)) {
      return true;
    }
  }
  return false;
}

/* A larger change from one floating-point number t to the next is a jump [the system's length, length / time]. */
static const double support_jump = 1e-8;

/* Do supports or surfaces jump at t, with or without a declaration? scratch: 5 m */
static bool supports_jump(const dls_sim *sim, double before, double *scratch)
{
  const dls_system *sys = sim->sys;
  const double allowed = support_jump * sys->length, speed = allowed / sys->time;
  const size_t m = sys->m, tangents = (sys->d - 1) * m;
  if (dls_system_next_break(sys, before) <= sim->t) {
    return true;
  }
  if (!dls_system_time_is_opaque(sys)) {
    return false;
  }
  bool jumps = false;
  if (dls_system_gap_moves(sys)) {
    dls_system_gap(sys, before, sim->q, scratch);
    dls_system_gap_rate(sys, before, sim->q, scratch + m);
    dls_system_gap_rate(sys, sim->t, sim->q, scratch + 2 * m);
    jumps = differ(scratch, sim->g, m, allowed) || differ(scratch + m, scratch + 2 * m, m, speed);
  }
  if (sys->surface != NULL && !jumps) {
    dls_system_surface(sys, before, sim->q, scratch);
    dls_system_surface(sys, sim->t, sim->q, scratch + tangents);
    jumps = differ(scratch, scratch + tangents, tangents, speed);
  }
  return jumps;
}

/* The left limit, with positions and velocities of supports and surfaces before a jump. */
static void put_left(dls_sim *sim, double *row)
{
  const double before = nextafter(sim->t, 0);
  const bool jumps = supports_jump(sim, before, row + 1 + 2 * sim->sys->n);
  if (jumps) {
    dls_configuration_time(&sim->config, before);
  }
  put_limit(sim, true, row);
  if (jumps) {
    dls_configuration_time(&sim->config, sim->t);
  }
  if (jumps && dls_system_gap_moves(sim->sys)) {
    dls_system_gap(sim->sys, before, sim->q, row + 1 + 2 * sim->sys->n);
  }
}

/* The right limit for contacts with one row, without joints and with v not cubic: by far the most frequent case. */
static void put_plain(const dls_sim *sim, double *row)
{
  const size_t n = sim->sys->n, m = sim->sys->m;
  const double *q = sim->q, *v = sim->v, *g = sim->g, *u = sim->u, *p = sim->p, *lambda = sim->lambda;
  *row++ = sim->t;
  for (size_t i = 0; i < n; i++) {
    row[i] = q[i];
    row[n + i] = v[i];
  }
  row += 2 * n;
  for (size_t j = 0; j < m; j++) {
    row[j] = g[j];
    row[m + j] = u[j];
    row[2 * m + j] = p[j];
    row[3 * m + j] = lambda[j];
    row[4 * m + j] = sim->status[j];
  }
}

static void put_node(dls_sim *sim, bool left, double *row)
{
  if (left) {
    put_left(sim, row);
  } else if (sim->sys->d == 1 && sim->sys->r == 0 && sim->scheme->v_between != DLS_HERMITE) {
    put_plain(sim, row);
  } else {
    put_limit(sim, false, row);
  }
  if (sim->record->works != NULL) {
    dls_contact_work_sums(sim->record->works, left, row + sim->record->whole_columns);
  }
}

/* At a new node: the work of contacts since the last. */
static void note_works(dls_sim *sim)
{
  const dls_trajectory *record = sim->record;
  for (int left = sim->jump ? 1 : 0; record->works != NULL && left >= 0; left--) {
    put_node(sim, left == 1, record->whole);
    dls_contact_work_row(record->works, record->whole);
  }
}

/* Is there room for so many more rows? */
static dls_status check_limit(const dls_sim *sim, size_t more, dls_error *err)
{
  const dls_recorder *r = sim->recorder;
  const size_t limit = r != NULL && !sim->record->skip_events ? r->keep.max_rows : 0;
  if (limit == 0) {
    return DLS_OK;
  }
  const size_t rows = sim->record->rows + r->rows_taken, events = sim->record->event_count + r->events_taken;
  if (rows + more > limit) {
    return dls_sim_fail(sim, err, DLS_ERR_LIMIT, "the record has %zu rows, at most max_rows = %zu are allowed",
                        rows, limit);
  }
  return events <= limit
             ? DLS_OK
             : dls_sim_fail(sim, err, DLS_ERR_LIMIT,
                            "the record has %zu events, at most max_rows = %zu are allowed", events, limit);
}

/* The same; a full portion is handed over. */
static dls_status make_room(dls_sim *sim, size_t more, dls_error *err)
{
  dls_recorder *r = sim->recorder;
  dls_trajectory *record = sim->record;
  const dls_status status = check_limit(sim, more, err);
  if (status != DLS_OK || r == NULL || r->keep.take == NULL || record->rows == 0 ||
      record->rows + more <= r->keep.portion) {
    return status;
  }
  const size_t rows = record->rows, events = record->event_count;
  const dls_status taken = r->keep.take(r->keep.take_data, record, err);
  r->rows_taken += rows - record->rows;
  r->events_taken += events - record->event_count;
  return taken;
}

static dls_status no_memory(const dls_sim *sim, dls_error *err)
{
  return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory to record node %zu",
                      sim->record->rows + (sim->recorder != NULL ? sim->recorder->rows_taken : 0));
}

/* Place to write a whole node: the record itself, or a buffer that stored() selects from. NULL if out of memory. */
static double *begin_row(dls_trajectory *record, double **row)
{
  *row = dls_trajectory_append(record);
  return *row != NULL && record->source != NULL ? record->whole : *row;
}

static void end_row(const dls_trajectory *record, double *row)
{
  const size_t nodes = record->whole_columns;
  double measures[DLS_MEASURES_MOST];
  if (record->measures != NULL) {
    const double *q = record->whole + 1;
    const size_t states = dls_measures_at(record->measures, record->whole[0], q, q + record->n, measures);
    put(measures + states, record->whole + nodes, DLS_CONTACT_WORKS);
  }
  for (size_t j = 0; record->source != NULL && j < record->columns; j++) {
    const size_t at = record->source[j];
    row[j] = at < nodes ? record->whole[at] : measures[at - nodes];
  }
}

/* Places of the impulses in a whole node: normal, tangential. */
static size_t impulse_at(const dls_sim *sim)
{
  return 1 + 2 * (sim->sys->n + sim->sys->m);
}

static size_t tangents_at(const dls_sim *sim)
{
  return sim->record->whole_columns - 3 * (sim->sys->d - 1) * sim->sys->m - 2 * sim->sys->r;
}

static size_t tangential_impulse_at(const dls_sim *sim)
{
  return tangents_at(sim) + (sim->sys->d - 1) * sim->sys->m;
}

/* Write the impulses since the last row into a whole node. */
static void take_impulse(dls_sim *sim, double *whole)
{
  const size_t m = sim->sys->m, slips = (sim->sys->d - 1) * m;
  put(whole + impulse_at(sim), sim->recorder->impulse, m);
  put(whole + tangential_impulse_at(sim), sim->recorder->impulse + m, slips);
  memset(sim->recorder->impulse, 0, (m + slips) * sizeof *whole);
}

/* Add to the impulses since the last row: p[m] and p_t[(d - 1) m]. */
static void add_impulse(dls_sim *sim, const double *p, const double *p_t)
{
  const size_t m = sim->sys->m;
  for (size_t j = 0; j < m; j++) {
    sim->recorder->impulse[j] += p[j];
  }
  for (size_t i = 0; i < (sim->sys->d - 1) * m; i++) {
    sim->recorder->impulse[m + i] += p_t[i];
  }
}

/* @return false if out of memory */
static bool add_limit(dls_sim *sim, bool left)
{
  double *row = NULL;
  double *whole = begin_row(sim->record, &row);
  if (whole == NULL) {
    return false;
  }
  put_node(sim, left, whole);
  if (!left && sim->recorder != NULL && sim->recorder->thins) {
    take_impulse(sim, whole);
  }
  end_row(sim->record, row);
  return true;
}

/* Both limits at a jump, else one row. */
static dls_status add_node(dls_sim *sim, dls_error *err)
{
  const dls_status status = make_room(sim, sim->jump ? 2 : 1, err);
  if (status != DLS_OK) {
    return status;
  }
  return (!sim->jump || add_limit(sim, true)) && add_limit(sim, false) ? DLS_OK : no_memory(sim, err);
}

/* A row of a whole node's values. */
static dls_status add_row(dls_sim *sim, const double *values, dls_error *err)
{
  const dls_status status = make_room(sim, 1, err);
  if (status != DLS_OK) {
    return status;
  }
  double *row = NULL;
  double *whole = begin_row(sim->record, &row);
  if (whole == NULL) {
    return no_memory(sim, err);
  }
  put(whole, values, sim->record->whole_columns + (sim->record->works != NULL ? DLS_CONTACT_WORKS : 0));
  end_row(sim->record, row);
  return DLS_OK;
}

/* Columns first .. first + count - 1 at the fraction s in (0, 1) from `last` to `now`, h later. */
static void interpolate(dls_recorder *r, size_t first, size_t count, dls_meaning meaning, size_t slope,
                        double s, double h)
{
  for (size_t i = first; i < first + count; i++) {
    const double x0 = r->last[i], x1 = r->now[i], d0 = r->last[i + slope], d1 = r->now[i + slope];
    if (meaning == DLS_CONSTANT) {
      r->row[i] = x0;
    } else if (meaning == DLS_LINEAR) {
      r->row[i] = (1 - s) * x0 + s * x1;
    } else { /* cubic through values and slopes */
      r->row[i] = dls_cubic(s, h, x0, d0, x1, d1);
    }
  }
}

/* The row at t between the last node and this one. */
static dls_status add_between(dls_sim *sim, double t, dls_error *err)
{
  dls_recorder *r = sim->recorder;
  const size_t n = sim->sys->n, m = sim->sys->m, v = 1 + n, g = v + n, u = g + m, p = u + m, a = p + 3 * m;
  const dls_meaning of_q = sim->scheme->q_between, of_v = sim->scheme->v_between;
  const bool cubic = of_v == DLS_HERMITE;
  const double h = sim->t - r->last[0], s = (t - r->last[0]) / h;
  r->row[0] = t;
  interpolate(r, 1, n, of_q, n, s, h);
  interpolate(r, v, n, of_v, cubic ? a - v : 0, s, h);
  interpolate(r, g, m, of_q, m, s, h);
  interpolate(r, u, m, cubic ? DLS_LINEAR : of_v, 0, s, h);
  interpolate(r, p + m, m, DLS_LINEAR, 0, s, h);
  interpolate(r, p + 2 * m, m, DLS_CONSTANT, 0, s, h);
  interpolate(r, a, cubic ? n : 0, DLS_LINEAR, 0, s, h);
  const size_t slips = (sim->sys->d - 1) * m, slip = tangents_at(sim);
  interpolate(r, slip, slips, cubic ? DLS_LINEAR : of_v, 0, s, h);
  interpolate(r, slip + 2 * slips, slips, DLS_LINEAR, 0, s, h);
  interpolate(r, slip + 3 * slips, 2 * sim->sys->r, DLS_LINEAR, 0, s, h);
  interpolate(r, sim->record->whole_columns, DLS_CONTACT_WORKS, DLS_LINEAR, 0, s, h);
  take_impulse(sim, r->row);
  return add_row(sim, r->row, err);
}

/* The requested times up to this node. */
static dls_status add_times(dls_sim *sim, dls_error *err)
{
  dls_recorder *r = sim->recorder;
  dls_status status = DLS_OK;
  put_node(sim, sim->jump, r->now);
  while (status == DLS_OK && r->next < r->keep.at_count &&
         r->keep.at[r->next] < (1 - same_time) * sim->t) { /* otherwise it is the node itself, or later */
    status = add_between(sim, r->keep.at[r->next++], err);
  }
  return status;
}

/* A skipped node with a jump: it gets rows if its jump is the largest since the last row. */
static void remember_jump(dls_sim *sim)
{
  dls_recorder *r = sim->recorder;
  double jump = 0;
  for (size_t i = 0; i < sim->sys->n; i++) {
    jump = fmax(jump, fabs(sim->v[i] - sim->v_left[i]));
  }
  if (jump <= r->jump) {
    return;
  }
  if (r->jump > 0) {
    add_impulse(sim, r->behind + impulse_at(sim), r->behind + tangential_impulse_at(sim));
  }
  r->jump = jump;
  put_node(sim, true, r->before);
  put_node(sim, false, r->behind);
  take_impulse(sim, r->behind);
}

static dls_status add_jump(dls_sim *sim, dls_error *err)
{
  dls_recorder *r = sim->recorder;
  if (!(r->jump > 0)) {
    return DLS_OK;
  }
  r->jump = 0;
  dls_status status = check_limit(sim, 2, err);
  if (status != DLS_OK || (status = add_row(sim, r->before, err)) != DLS_OK) {
    return status;
  }
  return add_row(sim, r->behind, err);
}

static dls_status choose_by_number(dls_sim *sim, dls_error *err)
{
  dls_recorder *r = sim->recorder;
  r->last_kept = r->node % r->keep.every == 0;
  r->node++;
  put_node(sim, false, r->last);
  if (!r->last_kept) {
    if (sim->jump) {
      remember_jump(sim);
    }
    return check_limit(sim, 0, err);
  }
  end_group(sim);
  const dls_status status = add_jump(sim, err);
  return status != DLS_OK ? status : add_node(sim, err);
}

bool dls_record_is_at_times(const dls_sim *sim)
{
  return sim->recorder != NULL && sim->recorder->keep.at_count > 0 && sim->record->works == NULL;
}

double dls_record_next_time(const dls_sim *sim)
{
  const dls_recorder *r = sim->recorder;
  return dls_record_is_at_times(sim) && r->next < r->keep.at_count ? r->keep.at[r->next] : HUGE_VAL;
}

static dls_status choose_by_time(dls_sim *sim, dls_error *err)
{
  dls_recorder *r = sim->recorder;
  const bool itself = r->next < r->keep.at_count && r->keep.at[r->next] <= (1 + same_time) * sim->t;
  put_node(sim, false, r->last);
  r->next += itself;
  return itself ? add_node(sim, err) : check_limit(sim, 0, err);
}

/* Skip nodes: choose the rows. */
static dls_status choose_node(dls_sim *sim, dls_error *err)
{
  const bool by_time = sim->recorder->keep.at_count > 0;
  const dls_status status = by_time ? add_times(sim, err) : DLS_OK;
  if (status != DLS_OK) {
    return status;
  }
  add_impulse(sim, sim->p, sim->p_t);
  return by_time ? choose_by_time(sim, err) : choose_by_number(sim, err);
}

dls_status dls_record_node(dls_sim *sim, dls_error *err)
{
  if (sim->out_of_memory) {
    return no_memory(sim, err);
  }
  note_works(sim);
  return sim->recorder != NULL && sim->recorder->thins ? choose_node(sim, err) : add_node(sim, err);
}

dls_status dls_record_skipped(dls_sim *sim, dls_error *err)
{
  if (sim->out_of_memory) {
    return no_memory(sim, err);
  }
  return check_limit(sim, 0, err);
}

dls_status dls_record_end(dls_sim *sim, dls_error *err)
{
  const dls_recorder *r = sim->recorder;
  if (r != NULL && sim->record->totals != NULL) {
    end_group(sim);
    dls_event_totals_close(sim->record->totals);
  }
  if (r == NULL || sim->record->skip_nodes || r->keep.every <= 1 || r->node == 0 || r->last_kept) {
    return DLS_OK;
  }
  const bool itself = r->jump > 0 && r->behind[0] == r->last[0];
  const dls_status status = add_jump(sim, err);
  if (status != DLS_OK || itself) { /* the last node is that of the jump */
    return status;
  }
  take_impulse(sim, r->last);
  return add_row(sim, r->last, err);
}
