/* event_driven/sensitivity/tape.c -- see tape.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/tape.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "event_driven/sensitivity/adjoint.h"
#include "event_driven/sensitivity/joint_slopes.h"
#include "event_driven/sensitivity/slip_rest.h"
#include <delassus/balance.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_STEPS = 8, MOST_STEPS = 32 }; /* between two checkpoints: least with less than MANY coordinates */
enum { MANY = 512, AT_ONCE = 1024 }; /* AT_ONCE: most steps of the motion that are computed again at once */

/* --- creation --- */

static dls_status refuse_maps(const dls_event_integrator *run, const char *where, dls_error *err)
{
  return dls_sim_fail(run->sim, err, DLS_ERR_NOT_APPLICABLE,
                      "the adjoint equation needs maps of all 2 n coordinates %s, and the system has n = %zu; "
                      "allowed is up to %d, and more without joints or friction in space, with constant mass "
                      "and contact normals and with stated stiffness, if maps have at most %.0f numbers",
                      where, run->method.n, (int)(sqrt(threshold_adjoint_map) / 2), threshold_adjoint_map);
}

dls_status dls_tape_create(dls_motion_tangents *tangents, dls_event_integrator *run, dls_error *err)
{
  const size_t n = tangents->n, most = tangents->result->columns - tangents->result->count,
               size = dls_size_product(2 * n, most);
  if ((double)size > threshold_adjoint_map || (most < 2 * n && !dls_transposed_has_matrices(run))) {
    return refuse_maps(run, "at events", err);
  }
  dls_tape *tape = tangents->tape = calloc(1, sizeof *tape);
  if (tape != NULL) {
    tape->basis = calloc(size + 1, sizeof *tape->basis);
    tape->shift = calloc(dls_size_product(2 * n, tangents->result->count) + 1, sizeof *tape->shift);
    tape->width = most < 2 * n ? 0 : n < run->method.m ? n : run->method.m;
    tape->pivot = calloc(run->method.m + 1, 2 * sizeof *tape->pivot);
    tape->gradient = calloc(dls_size_product(tape->width, 2 * n + tape->width) + 1, sizeof *tape->gradient);
  }
  if (tape == NULL || tape->basis == NULL || tape->shift == NULL || tape->pivot == NULL ||
      tape->gradient == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for derivatives");
  }
  tape->kept = tape->pivot + run->method.m;
  tape->reduced = tape->gradient + n * tape->width;
  tape->most = most;
  tape->apart = n < MANY ? LEAST_STEPS : MOST_STEPS;
  const double at_once = fmin(threshold_adjoint_table / (double)(DLS_PATH_POINTS * 2 * n), AT_ONCE);
  tape->span = (size_t)fmax(1, at_once / (double)tape->apart);
  tape->step_begin = -HUGE_VAL;
  run->sim->sensitivity->adjoint = dls_adjoint_gradient;
  return DLS_OK;
}

void dls_tape_destroy(dls_tape *tape)
{
  for (size_t i = 0; tape != NULL && i < tape->count; i++) {
    free(tape->crossing[i].block);
    free(tape->crossing[i].indices);
  }
  for (size_t i = 0; tape != NULL && i < tape->checkpoints; i++) {
    free(tape->checkpoint[i].y);
  }
  if (tape != NULL) {
    dls_transposed_release(&tape->transposed);
    free(tape->crossing);
    free(tape->checkpoint);
    free(tape->basis);
    free(tape->shift);
    free(tape->pivot);
    free(tape->gradient);
    free(tape);
  }
}

static dls_status no_memory(const dls_event_integrator *run, dls_error *err)
{
  return dls_sim_fail(run->sim, err, DLS_ERR_MEMORY,
                      "no memory for the adjoint equation: it keeps %zu events and %zu states",
                      run->work.tangents->tape->count, run->work.tangents->tape->checkpoints);
}

/* --- checkpoints --- */

static dls_status add_checkpoint(dls_event_integrator *run, double t, const double *q, const double *v,
                                 dls_error *err)
{
  dls_tape *tape = run->work.tangents->tape;
  const size_t n = run->method.n;
  if (tape->checkpoints == tape->checkpoint_room) {
    const size_t room = 2 * tape->checkpoint_room + 16;
    dls_tape_checkpoint *grown = realloc(tape->checkpoint, dls_size_product(room, sizeof *grown));
    if (grown == NULL) {
      return no_memory(run, err);
    }
    tape->checkpoint = grown;
    tape->checkpoint_room = room;
  }
  double *y = malloc(2 * n * sizeof *y);
  if (y == NULL) {
    return no_memory(run, err);
  }
  memcpy(y, q, n * sizeof *y);
  memcpy(y + n, v, n * sizeof *y);
  tape->checkpoint[tape->checkpoints++] = (dls_tape_checkpoint){.t = t, .y = y};
  tape->steps = 0;
  run->sim->sensitivity->memory.checkpoints++;
  run->sim->sensitivity->memory.bytes += sizeof(dls_tape_checkpoint) + 2 * n * sizeof *y;
  return DLS_OK;
}

dls_status dls_tape_advance(dls_event_integrator *run, dls_error *err)
{
  dls_tape *tape = run->work.tangents->tape;
  const dls_step_end *left = &run->state.left;
  if (left->t == tape->step_begin || tape->checkpoints == 0) {
    return DLS_OK;
  }
  tape->step_begin = left->t;
  tape->crossing[tape->count - 1].phase.scale = run->state.scale;
  tape->crossing[tape->count - 1].phase.uncontrolled = run->state.uncontrolled;
  const bool full = ++tape->steps > tape->apart && left->t > tape->checkpoint[tape->checkpoints - 1].t;
  return full ? add_checkpoint(run, left->t, left->y, left->y + run->method.n, err) : DLS_OK;
}

/* --- the directions of the state that matter at an event --- */

/* Add x, made orthogonal to the others, with length 1. @return false: it depends on them */
static bool add_direction(dls_tape *tape, size_t n, double *x)
{
  double before = 0, after = 0;
  for (size_t i = 0; i < 2 * n; i++) {
    before += x[i] * x[i];
  }
  for (int pass = 0; pass < 2; pass++) {
    for (size_t k = 0; k < tape->rank; k++) {
      const double *q = tape->basis + 2 * n * k;
      double dot = 0;
      for (size_t i = 0; i < 2 * n; i++) {
        dot += q[i] * x[i];
      }
      for (size_t i = 0; i < 2 * n; i++) {
        x[i] -= dot * q[i];
      }
    }
  }
  for (size_t i = 0; i < 2 * n; i++) {
    after += x[i] * x[i];
  }
  const bool added =
      after > threshold_adjoint_basis * threshold_adjoint_basis * before && tape->rank < tape->most;
  for (size_t i = 0; i < 2 * n && added; i++) {
    tape->basis[2 * n * tape->rank + i] = x[i] / sqrt(after);
  }
  tape->rank += added;
  return added;
}

static bool is_participant(const dls_event_integrator *run, size_t participants, size_t j)
{
  bool any = false;
  for (size_t k = 0; k < participants; k++) {
    any = any || run->state.participant[k].contact == j;
  }
  return any;
}

static bool takes_part(const dls_event_integrator *run, size_t participants, size_t j)
{
  return run->state.was_closed[j] || is_participant(run, participants, j);
}

/* Gaps and velocities of the contacts; and the forces of that whose force decides, or, in an accumulation, the accelerations. x: 2 n of
 * room */
static void find_directions(dls_event_integrator *run, bool accumulates, size_t participants, double *x)
{
  dls_motion_tangents *tangents = run->work.tangents;
  dls_event_integrator *self = tangents->self.run;
  dls_tape *tape = tangents->tape;
  const size_t n = run->method.n, d = run->method.d;
  const dls_located_event *located = &run->state.located;
  const bool by_force =
      !accumulates && (located->kind == DLS_LOCATED_RELEASE || located->kind == DLS_LOCATED_LIMIT);
  for (size_t row = 0; row < d * run->method.m; row++) {
    for (size_t at = 0; at <= n && takes_part(run, participants, row / d); at += n) {
      memset(x, 0, 2 * n * sizeof *x);
      dls_matrix_column_add(self->work.contacts.config->H, row, 1, x + at);
      if (add_direction(tape, n, x) && at == 0 && row % d == 0 && is_participant(run, participants, row / d)) {
        tape->kept[tape->pivots] = row / d;
        tape->pivot[tape->pivots++] = tape->rank - 1;
      }
    }
    if (accumulates && takes_part(run, participants, row / d)) {
      memset(tangents->q, 0, n * sizeof *x);
      dls_matrix_column_add(self->work.contacts.config->H, row, 1, tangents->q);
      dls_transposed_free(&tape->transposed, self, tangents->q, x, x + n);
      add_direction(tape, n, x);
    }
  }
  for (size_t k = 0; k < tape->transposed.rows && by_force; k++) {
    if (tape->transposed.row[k] / d == located->contact) {
      dls_transposed_force(&tape->transposed, self, k, x, x + n);
      add_direction(tape, n, x);
    }
  }
}

/* row -= part times another. */
static void subtract_row(size_t width, double part, const double *other, double *row)
{
  for (size_t i = 0; i < width; i++) {
    row[i] -= part * other[i];
  }
}

/* The coordinate with the largest entry of a row, in units of the scales. */
static size_t largest_entry(const dls_motion_tangents *tangents, const double *row)
{
  size_t most = 0;
  for (size_t i = 1; i < tangents->n; i++) {
    most = tangents->scale[i] * fabs(row[i]) > tangents->scale[most] * fabs(row[most]) ? i : most;
  }
  return most;
}

/* Do the state and its directions meet joints? */
static bool meets_joints(const dls_motion_tangents *tangents)
{
  const dls_contact_system *contacts = &tangents->self.run->work.contacts;
  return contacts->joints != NULL && !contacts->loose;
}

/* n_r and the pivots of (1), of the participants that strike. */
static void reduce_gaps(const dls_event_integrator *run, size_t participants)
{
  const dls_motion_tangents *tangents = run->work.tangents;
  dls_tape *tape = tangents->tape;
  const size_t n = tangents->n, all = n + tape->width;
  tape->pivots = 0;
  for (size_t k = 0; k < participants && tape->pivots < tape->width; k++) {
    const size_t last = tape->pivots, contact = run->state.participant[k].contact;
    double *gradient = tape->gradient + n * last, *row = tape->reduced + all * last;
    if (!(run->state.participant[k].u_minus < 0)) {
      continue;
    }
    memset(row, 0, all * sizeof *row);
    dls_matrix_column_add(tangents->self.run->work.contacts.config->H, run->method.d * contact, 1, row);
    const double least = threshold_adjoint_basis * fabs(row[largest_entry(tangents, row)]);
    if (meets_joints(tangents)) {
      dls_joint_slopes_restrict(run->work.tangents, row);
    }
    memcpy(gradient, row, n * sizeof *row);
    row[n + last] = 1;
    for (size_t r = 0; r < last; r++) {
      subtract_row(all, row[tape->pivot[r]], tape->reduced + all * r, row);
    }
    const size_t pivot = largest_entry(tangents, row);
    if (!(fabs(row[pivot]) > least)) {
      continue;
    }
    const double entry = row[pivot];
    for (size_t i = 0; i < all; i++) {
      row[i] /= entry;
    }
    for (size_t r = 0; r < last; r++) {
      subtract_row(all, tape->reduced[all * r + pivot], row, tape->reduced + all * r);
    }
    tape->kept[last] = contact;
    tape->pivot[tape->pivots++] = pivot;
  }
}

/* e_i and d_r of (1). */
static void take_all_directions(const dls_event_integrator *run, size_t participants)
{
  dls_tape *tape = run->work.tangents->tape;
  const size_t n = run->method.n;
  memset(tape->basis, 0, 4 * n * n * sizeof *tape->basis);
  tape->rank = 2 * n;
  reduce_gaps(run, participants);
  for (size_t i = 0; i < 2 * n; i++) {
    tape->basis[2 * n * i + i] = 1;
  }
  for (size_t p = 0; p < tape->pivots; p++) {
    const double *reduced = tape->reduced + (n + tape->width) * p;
    for (size_t i = 0; i < n; i++) {
      tape->basis[2 * n * i + tape->pivot[p]] -= reduced[i]; /* 0 of the pivots: */
    }
    for (size_t r = 0; r < tape->pivots; r++) {
      tape->basis[2 * n * tape->pivot[r] + tape->pivot[p]] = reduced[n + r];
    }
  }
}

/* The tangents := 0 of the parameters, then the basis; the others are left out. At the start the parameters move the state. */
static void load_directions(dls_motion_tangents *tangents)
{
  const dls_tape *tape = tangents->tape;
  const size_t n = tangents->n, count = tangents->result->count;
  const bool starts = tape->count == 0;
  for (size_t k = 0; k < tangents->count; k++) {
    double *x = tangents->x + 2 * n * k;
    if (k < count) {
      memset(x, 0, starts ? 0 : 2 * n * sizeof *x);
    } else if (k < count + tape->rank) {
      memcpy(x, tape->basis + 2 * n * (k - count), 2 * n * sizeof *x);
    } else {
      x[0] = NAN;
    }
    dls_tangent *tangent = &tangents->result->tangent[k];
    tangent->status = k < count ? tangent->status : DLS_DERIVATIVE_OK;
    tangent->inconsistency = k < count ? tangent->inconsistency : 0;
    tangents->valid_within[k] = HUGE_VAL;
    for (size_t j = 0; j < tangents->result->m; j++) {
      tangents->waiting[k * tangents->result->m + j] = HUGE_VAL;
    }
  }
}

/* The parameters: with changes s of the state that keep the gaps of contacts which may strike slowly, along the directions that move them.
 * A gap whose gradient depends on others has none. */
static dls_status keep_gaps(dls_motion_tangents *tangents, double t, const double *q, const double *v,
                            dls_error *err)
{
  const dls_tape *tape = tangents->tape;
  const size_t n = tangents->n, count = tangents->result->count;
  dls_status status = DLS_OK;
  for (size_t at = 0; at < count * tape->pivots && status == DLS_OK; at++) {
    const size_t k = at % count, r = at / count;
    const double *along = tangents->x + 2 * n * (count + tape->pivot[r]);
    double dg = 0;
    status = dls_neighbours_gap_change(tangents, k, tape->kept[r], t, q, v, &dg, err);
    const double rate = dls_matrix_column_dot(tangents->self.run->work.contacts.config->normals, tape->kept[r],
                                              along),
                 part = status == DLS_OK ? -dg / rate : 0;
    tape->shift[2 * n * k + tape->pivot[r]] = part;
    for (size_t i = 0; i < 2 * n; i++) {
      tangents->x[2 * n * k + i] += part * along[i];
    }
  }
  return status;
}

/* With joints: the basis and the changes of the parameters := what meets the joints, in the geometry that is set. */
static void meet_joints(dls_motion_tangents *tangents, double t, const double *q, const double *v)
{
  const size_t n = tangents->n, count = tangents->result->count;
  for (size_t k = 0; k < count + tangents->tape->rank; k++) {
    double *x = tangents->x + 2 * n * k;
    dls_joint_slopes_project(tangents, k < count ? (int)k : DLS_NO_PARAMETER, t, q, v, x, x + n);
  }
}

dls_status dls_tape_open(dls_event_integrator *run, const double *q, size_t participants, dls_error *err)
{
  dls_motion_tangents *tangents = run->work.tangents;
  dls_tape *tape = tangents->tape;
  if (tape == NULL) {
    return DLS_OK;
  }
  const size_t n = run->method.n;
  dls_status status = DLS_OK;
  const dls_sim *sim = run->sim;
  const bool accumulates = q == NULL;
  const double t = accumulates ? sim->t : run->state.located.t;
  const double *at = accumulates ? sim->q : q, *v = accumulates ? sim->v : sim->v_left;
  memset(tape->shift, 0, 2 * n * tangents->result->count * sizeof *tape->shift);
  tape->rank = tape->pivots = 0;
  if (tape->count > 0) {
    dls_event_integrator *self = tangents->self.run;
    status = dls_transposed_set(&tape->transposed, self, t, at, v, err);
    const bool few = tape->transposed.exact;
    if (!few && status == DLS_OK) {
      status = dls_geometry_set(&self->state, &self->work, t, at, err);
    }
    if (few && status == DLS_OK) {
      find_directions(run, accumulates, participants, tangents->x);
    }
    if (!few && tape->most < 2 * n && status == DLS_OK) {
      return refuse_maps(run, "where closed contacts depend on each other", err);
    }
    if (status == DLS_OK && (!few || tape->rank == 2 * n)) {
      take_all_directions(run, participants);
    }
    if (status == DLS_OK && !few && meets_joints(tangents)) {
      load_directions(tangents);
      meet_joints(tangents, t, at, v);
      return keep_gaps(tangents, t, at, v, err);
    }
  }
  load_directions(tangents);
  return status == DLS_OK && tape->count > 0 ? keep_gaps(tangents, t, at, v, err) : status;
}

/* --- what they become --- */

/* Arrays of a crossing. @return false if out of memory */
static bool allocate(const dls_event_integrator *run, dls_tape_crossing *c)
{
  const dls_motion_tangents *tangents = run->work.tangents;
  const double *before = dls_slip_rest_state(tangents->rest, &c->before_t);
  const size_t n = run->method.n, count = tangents->result->count, closed = run->state.active.count,
               systems = 1 + DLS_DIRECTION_SYSTEMS * count;
  c->block = dls_arrays((const dls_slot[]){{2 * n, {&c->left}},
                                           {before != NULL ? 2 * n : 0, {&c->before}},
                                           {2 * n * (count + c->rank), {&c->image}},
                                           {count + c->rank, {&c->dt, &c->energy_jump}},
                                           {count * c->rank, {&c->shift}},
                                           {c->rank < 2 * n ? 2 * n * c->rank : 0, {&c->basis}},
                                           {n * c->pivots, {&c->gradient}},
                                           {run->method.d * closed, {&c->phase.reaction_split}},
                                           {systems, {&c->phase.next_break, &c->phase.begin}},
                                           {0}});
  c->indices =
      calloc(closed + c->pivots + 1, sizeof *c->phase.contact + sizeof *c->phase.index + sizeof *c->pivot);
  if (c->block == NULL || c->indices == NULL) {
    return false;
  }
  if (before != NULL) {
    memcpy(c->before, before, 2 * n * sizeof *before);
  } else {
    c->before = NULL;
  }
  c->phase.contact = c->indices;
  c->phase.index = (size_t *)(c->phase.contact + closed + 1);
  c->pivot = c->phase.index + closed;
  return true;
}

/* The modes and breaks behind the event. */
static void keep_phase(const dls_event_integrator *run, dls_tape_phase *phase)
{
  const dls_motion_tangents *tangents = run->work.tangents;
  const dls_event_state *state = &run->state;
  const size_t d = run->method.d;
  phase->closed = state->active.count;
  for (size_t k = 0; k < phase->closed; k++) {
    const size_t j = phase->index[k] = state->active.index[k];
    phase->contact[k] = state->contact[j];
    memcpy(phase->reaction_split + d * k, state->reaction_split + d * j, d * sizeof *state->reaction_split);
  }
  phase->split_stored = state->split_stored;
  for (size_t i = 0; i <= DLS_DIRECTION_SYSTEMS * tangents->result->count; i++) {
    const dls_neighbour *neighbour = i == 0 ? &tangents->self : &tangents->near[i - 1];
    phase->next_break[i] = neighbour->run != NULL ? neighbour->run->state.next_break : 0;
    phase->begin[i] = neighbour->phase_begin;
  }
}

/* The images of the parameters at a fixed state: without those of s. */
static void take_off_shift(const dls_motion_tangents *tangents, dls_tape_crossing *c)
{
  const size_t n = tangents->n, count = tangents->result->count;
  for (size_t k = 0; k < count; k++) {
    for (size_t b = 0; b < c->rank; b++) {
      const double y = c->shift[c->rank * k + b] = tangents->tape->shift[2 * n * k + b];
      for (size_t i = 0; i < 2 * n && y != 0; i++) {
        c->image[2 * n * k + i] -= y * c->image[2 * n * (count + b) + i];
      }
      c->energy_jump[k] -= y != 0 ? y * c->energy_jump[count + b] : 0;
    }
  }
}

/* What the directions have become, and the statuses of those of the state, which count for all parameters. */
static void keep_images(const dls_event_integrator *run, dls_tape_crossing *c)
{
  const dls_motion_tangents *tangents = run->work.tangents;
  const size_t n = run->method.n, count = tangents->result->count;
  memcpy(c->image, tangents->x, 2 * n * (count + c->rank) * sizeof *c->image);
  if (c->rank < 2 * n) {
    memcpy(c->basis, tangents->tape->basis, 2 * n * c->rank * sizeof *c->basis);
  }
  memcpy(c->gradient, tangents->tape->gradient, n * c->pivots * sizeof *c->gradient);
  memcpy(c->pivot, tangents->tape->pivot, c->pivots * sizeof *c->pivot);
  for (size_t k = 0; k < count + c->rank; k++) {
    const dls_tangent *tangent = &tangents->result->tangent[k];
    if (k < count && tangents->valid_within[k] > 0) { /* at a fixed state: dls_adjoint_gradient knows better */
      tangents->result->tangent[k].valid_within = HUGE_VAL;
    }
    c->energy_jump[k] = tangents->energy_jump[k];
    c->dt[k] = c->contact < run->method.m ? tangent->contact_dt[c->contact] : tangent->dt;
    if (k >= count && isnan(tangents->result->tangent[k].dt)) { /* no series: all pass as they are */
      c->flight = 0;
    }
    for (size_t p = 0; p < count && k >= count; p++) {
      dls_tangent *parameter = &tangents->result->tangent[p];
      if (tangent->status > parameter->status) {
        parameter->inconsistency = tangent->inconsistency;
        parameter->inconsistent = tangent->inconsistent;
      }
      dls_tangent_note(parameter, tangent->status, tangent->status_time, tangent->status_contact);
    }
  }
  take_off_shift(tangents, c);
}

/* Of an impact: valid_within is u^2 / (2 |u'| |D g|), and |D g| is |u dt|. */
static void measure_depth(const dls_event_integrator *run, size_t participants, dls_tape_crossing *c)
{
  const dls_motion_tangents *tangents = run->work.tangents;
  const size_t m = run->method.m, count = tangents->result->count;
  c->depth = HUGE_VAL;
  for (size_t i = 0; i < participants; i++) {
    if (run->state.participant[i].contact == c->contact) {
      c->speed = fmax(0, -run->state.participant[i].u_minus);
    }
  }
  for (size_t k = count; k < count + c->rank && c->speed > 0; k++) {
    const double radius = fmin(tangents->valid_within[k], tangents->waiting[k * m + c->contact]);
    c->depth =
        radius < HUGE_VAL && c->dt[k] != 0 ? fmin(c->depth, radius * fabs(c->speed * c->dt[k])) : c->depth;
  }
}

/* Impacts that belong to an accumulation may be missed. */
static void release_depths(dls_tape *tape, size_t contact)
{
  double speed = 0;
  for (size_t i = tape->count; i > 0; i--) {
    dls_tape_crossing *c = &tape->crossing[i - 1];
    if (c->contact == contact && c->speed > 0) {
      if (c->speed < speed) {
        return;
      }
      speed = c->speed;
      c->depth = HUGE_VAL;
    }
  }
}

static size_t bytes_of(const dls_event_integrator *run, const dls_tape_crossing *c)
{
  const size_t n = run->method.n, columns = run->work.tangents->result->count + c->rank;
  const size_t numbers = 2 * n * (1 + columns + (c->rank < 2 * n ? c->rank : 0)) + 2 * columns + n * c->pivots +
                         run->work.tangents->result->count * c->rank;
  return sizeof *c + numbers * sizeof(double) + c->phase.closed * sizeof *c->phase.contact;
}

dls_status dls_tape_close(dls_event_integrator *run, const double *q, size_t participants, dls_error *err)
{
  dls_motion_tangents *tangents = run->work.tangents;
  dls_tape *tape = tangents->tape;
  const dls_sim *sim = run->sim;
  const size_t n = run->method.n;
  if (tape == NULL) {
    return DLS_OK;
  }
  if (tape->count == tape->room) {
    const size_t room = 2 * tape->room + 16;
    dls_tape_crossing *grown = realloc(tape->crossing, dls_size_product(room, sizeof *grown));
    if (grown == NULL) {
      return no_memory(run, err);
    }
    tape->crossing = grown;
    tape->room = room;
  }
  dls_tape_crossing *c = &tape->crossing[tape->count];
  *c = (dls_tape_crossing){.begin = q != NULL ? run->state.located.t : sim->t,
                           .t = run->state.located.t,
                           .rank = tape->rank,
                           .pivots = tape->rank == 2 * n ? tape->pivots : 0,
                           .contact = q != NULL ? run->state.located.contact : SIZE_MAX,
                           .flight = q != NULL || tape->rank == 2 * n ? 0 : run->state.located.t - sim->t,
                           .depth = HUGE_VAL,
                           .checkpoint = tape->checkpoints};
  if (!allocate(run, c)) {
    free(c->block);
    free(c->indices);
    return no_memory(run, err);
  }
  tape->count++;
  memcpy(c->left, q != NULL ? q : sim->q, n * sizeof *q);
  memcpy(c->left + n, q != NULL ? sim->v_left : sim->v, n * sizeof *q);
  keep_phase(run, &c->phase);
  keep_images(run, c);
  if (q != NULL && run->state.located.kind == DLS_LOCATED_CROSSING) {
    measure_depth(run, participants, c);
  }
  for (size_t i = 0; i < participants && q == NULL; i++) {
    release_depths(tape, run->state.participant[i].contact);
  }
  run->sim->sensitivity->memory.crossings++;
  run->sim->sensitivity->memory.bytes += bytes_of(run, c);
  return add_checkpoint(run, c->t, run->work.q, run->work.v, err);
}
