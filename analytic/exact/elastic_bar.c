/* analytic/exact/elastic_bar.c -- d'Alembert's solution at the nodes of the bar models.
 * The pieces end where a front passes a node: v and a of that node jump there, and nothing else happens. A front that
 * leaves the lower end at t passes the nodes at t + j dt, 0 < j < 2 n, dt = L/(n c), going up and coming back.
 * Between them q is a parabola and v is linear in time.
 * Source: elementary (d'Alembert), see delassus/bar_wave.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/bar_front.h"
#include "common/models/elements/bar_elements.h"
#include <delassus/exact.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { PIECES_MAX = 4000000 };

typedef struct piece {
  long double t;
  size_t segment; /* of the event at its start, 0 if there is none */
} piece;

struct dls_exact_solution {
  dls_bar_wave *wave;
  size_t elements;
  piece *pieces;
  size_t count;
};

static void destroy(dls_exact_solution *sol)
{
  dls_bar_wave_destroy(sol->wave);
  free(sol->pieces);
  free(sol);
}

static int by_time(const void *a, const void *b)
{
  const piece *x = a, *y = b;
  return (x->t > y->t) - (x->t < y->t);
}

/* Starts that are one but for rounding become one piece; an event among them stays. */
static void merge(dls_exact_solution *sol)
{
  size_t kept = 0;
  for (size_t i = 1; i < sol->count; i++) {
    const piece *next = &sol->pieces[i];
    if ((double)(next->t - sol->pieces[kept].t) > 4 * DBL_EPSILON * (double)next->t) {
      sol->pieces[++kept] = *next;
    } else if (next->segment > 0) {
      sol->pieces[kept] = (piece){fmaxl(sol->pieces[kept].t, next->t), next->segment};
    }
  }
  sol->count = kept + 1;
}

/* Passages of the front of a segment by the nodes on its way up and down. At the lower end itself it starts a segment,
 * when it leaves and when it is back. */
static void add_passages(dls_exact_solution *sol, const dls_bar_segment *from)
{
  const long double dt = sol->wave->T / (2 * (long double)sol->elements);
  for (size_t j = 1; j < 2 * sol->elements && from->t + (long double)j * dt <= sol->wave->end; j++) {
    sol->pieces[sol->count++] = (piece){from->t + (long double)j * dt, 0};
  }
}

static size_t count_starts(const dls_exact_solution *sol)
{
  const long double dt = sol->wave->T / (2 * (long double)sol->elements);
  size_t count = 0;
  for (size_t i = 1; i < sol->wave->count; i++) {
    const dls_bar_segment *from = &sol->wave->segments[i];
    const long double passages = fminl(2 * (long double)sol->elements, (sol->wave->end - from->t) / dt);
    count += 1 + (from->front ? (size_t)fmaxl(passages, 0) + 1 : 0);
  }
  return count;
}

/* The starts of segments of f, and where their fronts pass nodes: every time at which a node changes from one parabola to another. */
static dls_status list_pieces(dls_exact_solution *sol, const char *name, dls_error *err)
{
  const size_t starts = count_starts(sol);
  if (starts > PIECES_MAX) {
    return dls_fail(
        err, DLS_ERR_CHATTERING,
        "%s: wave fronts pass the %zu nodes %zu times by t = %g s, the most that are listed is %d: fewer "
        "elements or an earlier end",
        name, sol->elements + 1, starts, sol->wave->end, (int)PIECES_MAX);
  }
  sol->pieces = malloc(starts * sizeof *sol->pieces);
  if (sol->pieces == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %zu passages of fronts", name, starts);
  }
  for (size_t i = 1; i < sol->wave->count; i++) {
    const dls_bar_segment *from = &sol->wave->segments[i];
    sol->pieces[sol->count++] = (piece){from->t, from->kind != DLS_BAR_NO_EVENT ? i : 0};
    if (from->front) {
      add_passages(sol, from);
    }
  }
  qsort(sol->pieces, sol->count, sizeof *sol->pieces, by_time);
  merge(sol);
  return DLS_OK;
}

static dls_status create(const char *name, const dls_bar *bar, double end, dls_exact_solution **out,
                         dls_error *err)
{
  if (bar->alpha > 0 || bar->beta > 0) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "%s: alpha = %g 1/s, beta = %g s: there is a closed form without damping only, alpha = beta = 0", name,
        bar->alpha, bar->beta);
  }
  dls_exact_solution *sol = calloc(1, sizeof *sol);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", name);
  }
  sol->elements = bar->elements;
  const dls_bar_wave_data data = {bar->E, bar->rho, bar->A, bar->L, bar->gap, bar->v0, bar->gravity};
  dls_status status = dls_bar_wave_create(&data, end, &sol->wave, err);
  status = status == DLS_OK ? list_pieces(sol, name, err) : status;
  if (status != DLS_OK) {
    destroy(sol);
    return status;
  }
  *out = sol;
  return DLS_OK;
}

static dls_status create_elastic_bar(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const dls_bar bar = dls_bar_of_elastic_bar(p);
  return create("elastic-bar", &bar, end, out, err);
}

static dls_status create_rod_impact(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const dls_bar bar = dls_bar_of_rod_impact(p);
  return create("rod-impact", &bar, end, out, err);
}

static size_t pieces(const dls_exact_solution *sol)
{
  return sol->count;
}

static double start(const dls_exact_solution *sol, size_t index)
{
  return (double)sol->pieces[index].t;
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  (void)t;
  (void)sol;
  g[0] = q[0];
  u[0] = v[0];
}

static void set_node(dls_exact_value *out, size_t i, double q, double v, double a)
{
  out->q[i] = q;
  out->v[i] = v;
  out->a[i] = a;
}

static void initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  const dls_bar_wave_data *data = &sol->wave->data;
  for (size_t i = 0; i <= sol->elements; i++) {
    set_node(out, i, data->gap, data->v0, -data->gravity);
  }
  out->p[0] = out->lambda[0] = 0;
  out->status[0] = 0;
}

/* The segments of f that a node sees are those at the middle of the piece: no front passes it inside. */
static void value(const dls_exact_solution *sol, size_t index, double t, dls_exact_value *out)
{
  const dls_bar_wave *wave = sol->wave;
  const bool last = index + 1 == sol->count;
  const long double from = sol->pieces[index].t, to = last ? wave->end : sol->pieces[index + 1].t;
  const long double time = fminl(fmaxl(t, from), fmaxl(to, from)), middle = from + fmaxl(to - from, 0) / 2;
  const long double dt = wave->T / (2 * (long double)sol->elements);
  for (size_t i = 0; i <= sol->elements; i++) {
    const long double past = (long double)i * dt;
    const size_t up = dls_bar_segment_at(wave, middle - past);
    const size_t down = dls_bar_segment_at(wave, middle + past - wave->T);
    const dls_bar_field field = dls_bar_wave_on(wave, up, down, past, time);
    set_node(out, i, field.u, field.v, field.a);
  }
  const bool closed = wave->segments[dls_bar_segment_at(wave, middle)].closed;
  if (closed) {
    set_node(out, 0, 0, 0, 0);
  }
  out->p[0] = 0; /* the node that hits the floor has no mass */
  out->lambda[0] = closed ? dls_bar_wave_press(wave, dls_bar_segment_at(wave, middle - wave->T), time) : 0;
  out->status[0] = closed;
}

static bool event(const dls_exact_solution *sol, size_t index, dls_event *out)
{
  const dls_bar_segment *at = &sol->wave->segments[sol->pieces[index].segment];
  if (sol->pieces[index].segment == 0) {
    return false;
  }
  *out = (dls_event){
      .t = start(sol, index), .kind = (dls_event_kind)at->kind, .u_minus = at->u_minus, .u_plus = at->u_plus};
  return true;
}

/* Parabolas: no spacing is too wide. */
#define CALLS                                                                                                  \
  .destroy = destroy, .pieces = pieces, .start = start, .gap = gap, .initial = initial, .value = value,        \
  .event = event
extern const dls_model dls_model_elastic_bar, dls_model_rod_impact;
extern const dls_exact dls_exact_elastic_bar, dls_exact_rod_impact;
const dls_exact dls_exact_elastic_bar = {
    .model = &dls_model_elastic_bar,
    .summary = "d'Alembert's waves of the continuous bar at the nodes, any number of impacts, gravity",
    .source = "elementary: d'Alembert; without gravity Doyen, Ern, Piperno 2011",
    .both_limits = true,
    .create = create_elastic_bar,
    CALLS,
};
const dls_exact dls_exact_rod_impact = {
    .model = &dls_model_rod_impact,
    .summary = "d'Alembert's waves of the continuous rod at the nodes",
    .source = "elementary: d'Alembert; Armero, Petocz 1996, section 4.1",
    .both_limits = true,
    .create = create_rod_impact,
    CALLS,
};
