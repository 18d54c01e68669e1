/* experiments/measures/order/local.c -- one step from the exact state, compared with the exact state at its end.
 * Source: V. Acary, lecture, (114), (120), (121): e = x(t_k + h) - x_(k + 1).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/local.h"
#include "common/base/larger.h"
#include "common/base/memory.h"
#include "experiments/campaign/campaign.h"
#include "experiments/campaign/provenance.h"
#include "experiments/measures/order/study_tables.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_local_place_names[] = {"before", "across", "after", "accumulation"};
static const double rounding = 64 * DBL_EPSILON; /* of a state: what is smaller is no error of a scheme */

/* What all steps need. */
typedef struct stepper {
  dls_local *local;
  dls_system *sys;
  dls_exact_solution *solution;
  double *block; /* owns the arrays of values */
  int *status;
  dls_exact_value at_start, at_end;
  size_t impact; /* piece that the impact begins */
} stepper;

static size_t count_pieces(const stepper *s)
{
  const dls_exact *exact = s->local->spec.exact;
  return exact->pieces != NULL ? exact->pieces(s->solution) : 1;
}

static double start_of(const stepper *s, size_t piece)
{
  return piece == 0 ? 0 : s->local->spec.exact->start(s->solution, piece);
}

/* The last piece that begins at or before t: right limits. */
static size_t piece_at(const stepper *s, double t)
{
  size_t low = 0, high = count_pieces(s);
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    low = start_of(s, middle) <= t ? middle : low;
    high = start_of(s, middle) <= t ? high : middle;
  }
  return low;
}

static void exact_at(const stepper *s, double t, dls_exact_value *out)
{
  s->local->spec.exact->value(s->solution, piece_at(s, t), t, out);
}

/* Impact number `impact`, and the first accumulation. */
static dls_status find_events(stepper *s, dls_error *err)
{
  const dls_exact *exact = s->local->spec.exact;
  size_t impacts = 0;
  s->local->t_impact = s->local->t_accumulation = NAN;
  for (size_t i = 1; i < count_pieces(s) && exact->event != NULL; i++) {
    dls_event event;
    if (!exact->event(s->solution, i, &event)) {
      continue;
    }
    if (event.kind == DLS_IMPACT && ++impacts == s->local->spec.impact) {
      s->local->t_impact = start_of(s, i);
      s->impact = i;
    }
    if (event.kind == DLS_ACCUMULATION && isnan(s->local->t_accumulation)) {
      s->local->t_accumulation = start_of(s, i);
    }
  }
  return impacts >= s->local->spec.impact
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG,
                        "impact %zu of model %s is not there: its exact solution has %zu impacts in (0, %g] s",
                        s->local->spec.impact, s->local->spec.model->name, impacts, s->local->spec.end);
}

/* --- one step --- */

/* Advance by h, in as many parts as the scheme takes. */
static dls_status make_step(dls_sim *sim, double h, bool *impulse, dls_error *err)
{
  dls_status status = DLS_OK;
  *impulse = false;
  while (status == DLS_OK && sim->step == 0) {
    status = dls_sim_advance(sim, h, err);
    for (size_t j = 0; j < sim->sys->m; j++) {
      *impulse = *impulse || sim->p[j] > 0;
    }
  }
  return status;
}

/* exact - x of the component where that is largest. */
static double difference(size_t n, const double *exact, const double *x)
{
  double e = 0;
  for (size_t i = 0; i < n; i++) {
    const double d = exact[i] - x[i];
    e = !(fabs(d) <= fabs(e)) ? d : e;
  }
  return e;
}

static dls_status measure(stepper *s, double length, dls_local_point *point, dls_error *err)
{
  const dls_local_spec *spec = &s->local->spec;
  dls_sim *sim = NULL;
  exact_at(s, point->t, &s->at_start);
  exact_at(s, point->t + length, &s->at_end);
  dls_status status = dls_scheme_choice_sim(&spec->schemes[point->scheme], s->sys, &sim, err);
  if (status == DLS_OK) {
    status = dls_sim_start_from(sim, point->t, s->at_start.q, s->at_start.v, err);
  }
  if (status == DLS_OK) {
    status = make_step(sim, length, &point->impulse, err);
  }
  if (status == DLS_OK) {
    point->e_q = difference(s->sys->n, s->at_end.q, sim->q);
    point->e_v = difference(s->sys->n, s->at_end.v, sim->v);
  }
  dls_sim_destroy(sim);
  return status;
}

/* Start and length of a step. @return false if it is left out: it does not lie on the flights before and after the impact */
static bool place_step(const stepper *s, dls_local_point *point, double *length)
{
  const dls_local *local = s->local;
  const double h = *length = point->h, sigma = point->sigma;
  if (point->place == DLS_LOCAL_ACCUMULATION) {
    *length = 2 * h;
    point->t = local->t_accumulation - h;
    return point->t >= 0; /* NaN: there is none */
  }
  const bool after = point->place == DLS_LOCAL_AFTER, before = point->place == DLS_LOCAL_BEFORE;
  point->t = local->t_impact + (after ? sigma : before ? -1 - sigma : -sigma) * h;
  return point->t >= 0 && point->t + h <= local->spec.end && piece_at(s, point->t) == s->impact - !after &&
         piece_at(s, point->t + h) == s->impact - before;
}

/* --- all steps --- */

static size_t points_of(const dls_local_spec *spec, dls_local_place place)
{
  return place == DLS_LOCAL_ACCUMULATION ? 1 : spec->places;
}

static dls_status add_point(stepper *s, dls_local_point point, dls_error *err)
{
  dls_error reason = {0};
  double length = 0;
  if (!place_step(s, &point, &length)) {
    return DLS_OK;
  }
  point.e_q = point.e_v = NAN;
  const dls_status status = measure(s, length, &point, &reason);
  if (status == DLS_ERR_MEMORY || status == DLS_ERR_NOT_APPLICABLE) {
    return dls_fail(err, status, "%s", reason.text);
  }
  if (status != DLS_OK) {
    snprintf(point.failure, sizeof point.failure, "%.159s", reason.text);
  }
  s->local->points[s->local->point_count++] = point;
  return DLS_OK;
}

static dls_status add_level(stepper *s, size_t scheme, dls_local_place place, size_t level, dls_error *err)
{
  const dls_local_spec *spec = &s->local->spec;
  const double part = (double)level / (double)(spec->levels - 1);
  const size_t count = points_of(spec, place);
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    const double sigma = place == DLS_LOCAL_ACCUMULATION ? 0 : ((double)i + 0.5) / (double)count;
    status = add_point(s,
                       (dls_local_point){.scheme = scheme,
                                         .place = place,
                                         .level = level,
                                         .h = spec->h_first * pow(spec->h_last / spec->h_first, part),
                                         .sigma = sigma},
                       err);
  }
  return status;
}

/* A cell is a level at a place of a scheme. */
static dls_status make_cell(dls_progress *p, const size_t *cells, size_t count, void *scratch, dls_error *err)
{
  (void)scratch;
  stepper *s = p->campaign->data;
  const size_t levels = s->local->spec.levels, place = cells[0] / levels % DLS_LOCAL_PLACES;
  const dls_status status =
      add_level(s, cells[0] / levels / DLS_LOCAL_PLACES, (dls_local_place)place, cells[0] % levels, err);
  return dls_campaign_end(p, cells, count, status);
}

/* --- lines --- */

static bool is_of(const dls_local_line *line, const dls_local_point *point)
{
  return point->scheme == line->scheme && point->place == line->place && point->failure[0] == '\0';
}

/* Largest errors, level by level. */
static void fill_line(const stepper *s, double *h, double *largest, dls_local_line *line)
{
  const dls_local *local = s->local;
  size_t count = 0;
  for (size_t i = 0; i < local->point_count; i++) {
    const dls_local_point *point = &local->points[i];
    if (!is_of(line, point)) {
      continue;
    }
    line->steps_there++;
    if (point->impulse != line->impulse) {
      continue;
    }
    const double e = fabs(line->velocity ? point->e_v : point->e_q);
    const bool same = count > 0 && h[count - 1] == point->h;
    count += !same;
    h[count - 1] = point->h;
    largest[count - 1] = same ? dls_larger(largest[count - 1], e) : e;
    line->steps++;
  }
  line->largest[0] = count > 0 ? largest[0] : NAN;
  line->largest[1] = count > 0 ? largest[count - 1] : NAN;
  line->fitted = dls_fit_order(count, h, largest, local->rounding[line->velocity], &line->fit, NULL) == DLS_OK;
}

static dls_status make_lines(stepper *s, dls_error *err)
{
  dls_local *local = s->local;
  double *h = malloc(2 * local->spec.levels * sizeof *h);
  if (h == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu levels", local->spec.levels);
  }
  for (size_t i = 0; i < local->spec.scheme_count * DLS_LOCAL_PLACES * 4; i++) {
    dls_local_line *line = &local->lines[local->line_count];
    *line = (dls_local_line){.scheme = i / 4 / DLS_LOCAL_PLACES,
                             .place = (dls_local_place)(i / 4 % DLS_LOCAL_PLACES),
                             .impulse = i / 2 % 2 == 1,
                             .velocity = i % 2 == 1};
    fill_line(s, h, h + local->spec.levels, line);
    local->line_count += line->steps > 0;
  }
  free(h);
  return DLS_OK;
}

/* --- study --- */

static dls_status allocate(stepper *s, dls_error *err)
{
  const dls_local_spec *spec = &s->local->spec;
  const size_t n = s->sys->n, m = s->sys->m, r = s->sys->r, one = 3 * n + 2 * m + r;
  s->block = calloc(2 * one, sizeof *s->block);
  s->status = calloc(2 * m + 1, sizeof *s->status);
  s->local->points =
      calloc(dls_size_product(dls_size_product(spec->scheme_count, spec->levels), 3 * spec->places + 1),
             sizeof *s->local->points);
  s->local->rounding[0] = rounding * s->sys->length;
  s->local->rounding[1] = rounding * s->sys->length / s->sys->time;
  s->local->lines = calloc(spec->scheme_count * DLS_LOCAL_PLACES * 4 + 1, sizeof *s->local->lines);
  if (s->block == NULL || s->status == NULL || s->local->points == NULL || s->local->lines == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the steps");
  }
  dls_exact_value *const values[] = {&s->at_start, &s->at_end};
  for (size_t i = 0; i < 2; i++) {
    double *at = s->block + i * one;
    *values[i] = (dls_exact_value){
        at, at + n, at + 2 * n, at + 3 * n, at + 3 * n + m, s->status + i * m, at + 3 * n + 2 * m};
  }
  return DLS_OK;
}

static dls_status check_schemes(const dls_local_spec *spec, dls_error *err)
{
  for (size_t i = 0; i < spec->scheme_count; i++) {
    if (!dls_scheme_needs_step(spec->schemes[i].scheme)) {
      return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                      "scheme %s chooses its own steps: a local error is that of one step of given size",
                      spec->schemes[i].scheme->name);
    }
  }
  return DLS_OK;
}

static dls_status prepare(stepper *s, dls_error *err)
{
  const dls_local_spec *spec = &s->local->spec;
  dls_status status = check_schemes(spec, err);
  if (status != DLS_OK || (status = dls_model_create(spec->model, spec->parameters, &s->sys, err)) != DLS_OK) {
    return status;
  }
  status = spec->exact->create(spec->parameters, spec->end, &s->solution, err);
  if (status != DLS_OK || (status = allocate(s, err)) != DLS_OK) {
    return status;
  }
  return find_events(s, err);
}

static dls_status make(stepper *s, bool (*poll)(void *, double), void *poll_data, dls_error *err)
{
  const dls_local_spec *spec = &s->local->spec;
  dls_status status = prepare(s, err);
  if (status == DLS_OK) {
    dls_quantity_unit(s->sys, "q", s->local->units[0]);
    dls_quantity_unit(s->sys, "v", s->local->units[1]);
    static const dls_campaign_measure measure = {.run = make_cell};
    dls_campaign c = {.count = spec->scheme_count * DLS_LOCAL_PLACES * spec->levels,
                      .measure = &measure,
                      .data = s,
                      .poll = poll,
                      .poll_data = poll_data};
    status = dls_campaign_run(&c, err);
  }
  s->local->complete = status == DLS_OK;
  if (status != DLS_OK && (status != DLS_ERR_INTERRUPTED || s->local->point_count == 0)) {
    return status;
  }
  const dls_status lines = make_lines(s, err);
  return lines != DLS_OK ? lines : status;
}

dls_status dls_local_run(const dls_local_spec *spec, bool (*poll)(void *, double), void *poll_data,
                         dls_local **out, dls_error *err)
{
  dls_local *local = *out = calloc(1, sizeof *local);
  if (local == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for local errors");
  }
  local->spec = *spec;
  stepper s = {.local = local};
  const dls_status status = make(&s, poll, poll_data, err);
  if (s.solution != NULL) {
    spec->exact->destroy(s.solution);
  }
  dls_system_destroy(s.sys);
  free(s.block);
  free(s.status);
  if (local->line_count == 0) {
    dls_local_destroy(local);
    *out = NULL;
  }
  return status;
}

void dls_local_destroy(dls_local *local)
{
  if (local != NULL) {
    free(local->points);
    free(local->lines);
    free(local);
  }
}

const dls_local_line *dls_local_find(const dls_local *local, size_t scheme, dls_local_place place, bool impulse,
                                     bool velocity)
{
  for (size_t i = 0; i < local->line_count; i++) {
    const dls_local_line *line = &local->lines[i];
    if (line->scheme == scheme && line->place == place && line->impulse == impulse &&
        line->velocity == velocity) {
      return line;
    }
  }
  return NULL;
}

dls_status dls_local_write_steps(const dls_local *local, const dls_catalogue *catalogue, FILE *out)
{
  fputs("scheme,place,h,sigma,t,impulse,e_q,e_v,failure\n", out);
  for (size_t i = 0; i < local->point_count; i++) {
    const dls_local_point *p = &local->points[i];
    dls_table_field(out, local->spec.labels[p->scheme]);
    fprintf(out, ",%s", dls_local_place_names[p->place]);
    dls_table_number(out, p->h);
    dls_table_number(out, p->sigma);
    dls_table_number(out, p->t);
    fprintf(out, ",%d", p->impulse);
    dls_table_number(out, p->e_q);
    dls_table_number(out, p->e_v);
    fputc(',', out);
    dls_table_field(out, p->failure);
    fputc('\n', out);
  }
  dls_provenance_stamp(catalogue, out);
  return dls_table_status(out);
}

dls_status dls_local_write_orders(const dls_local *local, const dls_catalogue *catalogue, FILE *out)
{
  fputs("scheme,place,impulse,of,steps,steps_there,largest_first,largest_last,order,ci_low,ci_high\n", out);
  for (size_t i = 0; i < local->line_count; i++) {
    const dls_local_line *line = &local->lines[i];
    const dls_fit none = {.order = NAN, .ci_low = NAN, .ci_high = NAN},
                  *fit = line->fitted ? &line->fit : &none;
    dls_table_field(out, local->spec.labels[line->scheme]);
    fprintf(out, ",%s,%d,%s,%zu,%zu", dls_local_place_names[line->place], line->impulse,
            line->velocity ? "v" : "q", line->steps, line->steps_there);
    dls_table_number(out, line->largest[0]);
    dls_table_number(out, line->largest[1]);
    dls_table_number(out, fit->order);
    dls_table_number(out, fit->ci_low);
    dls_table_number(out, fit->ci_high);
    fputc('\n', out);
  }
  dls_provenance_stamp(catalogue, out);
  return dls_table_status(out);
}
