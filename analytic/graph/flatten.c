/* analytic/graph/flatten.c -- cubic pieces as chords, with a bound of the change in a Hausdorff distance.
 *
 * There are two ways to be accurate enough, chosen for each interval between common breakpoints of both graphs:
 *   chord  the chords of both graphs are within `chord` of their cubics; costs sqrt(|f''| h^2 / (8 chord))
 * vertices; shear  both graphs are cut at the same times, so that their chord errors e_f, e_g nearly agree. The
 * shear (t,x) -> (t, x + e(t)), e = (e_f + e_g)/2, takes the polylines to within |e_f - e_g|/2 of the graphs
 * and changes distances d by at most Lip(e) (tau/xi) d: graphs that are close need no finer cuts.
 * More exactly, it changes them by Lip(e) (tau/xi) |t - s|, and two steep graphs that are close are also close in time. Let the graphs be w apart
 * vertically at (t,x), and let a component have slopes of at least P/2 there. Then a point (s,y) at the distance d has P/2 |t - s| <= d + w.
 * The error of linear interpolation is at most |f''| h^2 / 8, its slope at most |f''| h / 2; with the second
 * differences D of the Bernstein coefficients on an interval of length h, |f''| <= 6 D / h^2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/graph/piece.h"
#include "analytic/graph/polyline.h"
#include "common/base/memory.h"
#include <stdint.h>
#include <stdlib.h>

#define CHORD 0.75 /* |f''| h^2 / 8 = 0.75 D */
#define SLOPE 3.0  /* |f''| h / 2 = 3 D / h */

typedef struct flattener {
  const dls_graph *graph, *partner;
  const dls_cubic *own, *others; /* pieces of both */
  const dls_metric *metric;
  dls_flattening aim;
  double curvature; /* largest |second derivative| of both graphs, scaled */
  size_t other;     /* piece of the partner */
  size_t most;      /* vertices */
  size_t room;      /* for so many of them */
  bool no_memory;
  dls_polyline *line;
  const dls_polyline *first; /* the partner's, or NULL */
  size_t cut;                /* interval of both graphs */
} flattener;

/* --- pieces --- */

void dls_cubics_free(dls_cubics *cubics)
{
  free(cubics->of);
  *cubics = (dls_cubics){0};
}

/* Component k of piece i, which has a length. @return the larger second difference */
static inline double set_cubic(const dls_graph *g, size_t i, size_t k, dls_cubic *out)
{
  double *c = out->c;
  dls_piece_whole(g, i, k, c);
  out->bend[0] = c[0] - 2.0 * c[1] + c[2];
  out->bend[1] = c[1] - 2.0 * c[2] + c[3];
  return dls_higher(fabs(out->bend[0]), fabs(out->bend[1]));
}

dls_status dls_cubics_of(const dls_graph *graph, const dls_metric *metric, dls_cubics *cubics, dls_error *err)
{
  const size_t dim = graph->dim, needed = graph->slope != NULL ? (graph->count - 1) * dim : 0;
  cubics->graph = graph;
  cubics->curvature = 0.0;
  if (needed > cubics->room) {
    free(cubics->of);
    cubics->of = malloc(needed * sizeof *cubics->of);
    cubics->room = cubics->of != NULL ? needed : 0;
    if (cubics->of == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for the %zu pieces of a graph", graph->count - 1);
    }
  }
  for (size_t i = 0; graph->slope != NULL && i + 1 < graph->count; i++) {
    const double h = (graph->t[i + 1] - graph->t[i]) / metric->time_scale;
    for (size_t k = 0; h > 0.0 && k < dim; k++) {
      const double bend = set_cubic(graph, i, k, &cubics->of[i * dim + k]);
      cubics->curvature = dls_higher(cubics->curvature, 6.0 * bend / (h * h * metric->value_scale));
    }
  }
  return DLS_OK;
}

/* --- vertices --- */

static void note_size(dls_polyline *line, double size)
{
  if (size > line->largest) {
    line->largest = size;
  }
}

/* Room for so many vertices more, beyond what there is. @return false if they are too many, or there is no memory */
static bool make_more_room(flattener *f, double more)
{
  dls_polyline *line = f->line;
  line->over = line->over || (double)line->count + more > (double)f->most;
  if (line->over || f->no_memory) {
    return false;
  }
  const size_t needed = line->count + (size_t)more;
  if (needed <= line->capacity) {
    return true;
  }
  const size_t roomy = needed + line->capacity / 2 + 64, capacity = roomy < f->most ? roomy : f->most;
  double *p = realloc(line->p, dls_size_product(dls_size_product(capacity, line->width), sizeof *p));
  f->no_memory = p == NULL;
  line->p = p != NULL ? p : line->p;
  line->capacity = p != NULL ? capacity : line->capacity;
  f->room = line->capacity;
  return p != NULL;
}

static inline bool make_room(flattener *f, double more)
{
  const dls_polyline *line = f->line;
  return (double)(int64_t)line->count + more <= (double)(int64_t)f->room || make_more_room(f, more);
}

/* A node; there is room. */
static inline void emit(flattener *f, double t, const double *x)
{
  dls_polyline *line = f->line;
  double *p = line->p + line->count++ * line->width;
  p[0] = t / f->metric->time_scale;
  for (size_t k = 0; k + 1 < line->width; k++) {
    p[k + 1] = x[k] / f->metric->value_scale;
    note_size(line, fabs(p[k + 1]));
  }
  note_size(line, fabs(p[0]));
}

/* Largest second differences of the graph, of the partner, of either, and of the difference of both (inf without a partner here). */
typedef struct bend {
  double own, partner, either, difference;
} bend;

/* Second differences on [a, b] of a cubic of the graph's piece i, at its ends, between which they are linear. */
static inline void end_bends(const dls_graph *g, size_t i, const dls_cubic *cubic, double a, double b,
                             double d[2])
{
  const double inverse = 1.0 / (g->t[i + 1] - g->t[i]), part = (b - a) * inverse;
  d[0] = part * part * dls_lerp(cubic->bend[0], cubic->bend[1], (a - g->t[i]) * inverse);
  d[1] = part * part * dls_lerp(cubic->bend[0], cubic->bend[1], (b - g->t[i]) * inverse);
}

static inline bend bend_of(const flattener *f, size_t i, bool partner, double a, double b)
{
  bend d2 = {.difference = partner ? 0.0 : INFINITY};
  const size_t dim = f->graph->dim;
  for (size_t k = 0; k < dim; k++) {
    double c[2] = {0.0, 0.0}, d[2] = {0.0, 0.0}; /* of linear graphs */
    if (f->graph->slope != NULL) {
      end_bends(f->graph, i, &f->own[i * dim + k], a, b, c);
      d2.own = dls_higher(d2.own, dls_higher(fabs(c[0]), fabs(c[1])));
    }
    if (partner && f->partner->slope != NULL) {
      end_bends(f->partner, f->other, &f->others[f->other * dim + k], a, b, d);
      d2.partner = dls_higher(d2.partner, dls_higher(fabs(d[0]), fabs(d[1])));
    }
    if (partner) {
      d2.difference = dls_higher(d2.difference, dls_higher(fabs(d[0] - c[0]), fabs(d[1] - c[1])));
    }
  }
  d2.either = dls_higher(d2.own, d2.partner);
  return d2;
}

/* Least |slope| times the length of the interval of a cubic whose slope has one sign; 0 if it may have both. */
static double least_rise(const double c[4])
{
  const double r[3] = {c[1] - c[0], c[2] - c[1], c[3] - c[2]};
  const double up = dls_lower(r[0], dls_lower(r[1], r[2])), down = dls_higher(r[0], dls_higher(r[1], r[2]));
  return up > 0.0 ? 3.0 * up : down < 0.0 ? -3.0 * down : 0.0;
}

/* How far apart both graphs are at equal times, and the rise that some component of both has at least. */
static void compare_rises(const flattener *f, size_t i, double a, double b, double *deviation, double *steep)
{
  *deviation = *steep = 0.0;
  for (size_t k = 0; k < f->graph->dim; k++) {
    double c[4], d[4];
    dls_piece_part(f->graph, i, k, a, b, c);
    dls_piece_part(f->partner, f->other, k, a, b, d);
    *steep = dls_higher(*steep, dls_lower(least_rise(c), least_rise(d)));
    for (size_t j = 0; j < 4; j++) {
      d[j] -= c[j];
    }
    *deviation = dls_higher(*deviation, dls_piece_largest(d));
  }
}

/* Has the graph no jump in [a - margin, b + margin], and no breakpoints but a and b? */
static bool is_clear(const dls_graph *graph, size_t i, double a, double b, double margin)
{
  const double *t = graph->t;
  const bool at_first = a == t[i], at_last = b == t[i + 1];
  const double before = !at_first ? t[i] : i > 0 ? t[i - 1] : -INFINITY;
  const double after = !at_last ? t[i + 1] : i + 2 < graph->count ? t[i + 2] : INFINITY;
  return a - before > margin && after - b > margin; /* a jump at a has t[i - 1] = a */
}

/* Bound of the scaled time between a point of one graph and the nearest one of the other, if either is in [a, b] and no distance exceeds f->reach;
 * INFINITY if unknown. In the margin around [a, b] the slopes of C1
 * graphs change by reach times curvature. Neighbours of a clear interval are longer than the reach, so that no
 * pair of points has more than one breakpoint between them unless all intervals there are unclear. */
static double largest_slide(const flattener *f, size_t i, double a, double b)
{
  const double xi = f->metric->value_scale, tau = f->metric->time_scale, margin = f->aim.reach * tau;
  double deviation, rise;
  if (f->graph->slope == NULL || f->partner->slope == NULL || !(margin < INFINITY)) {
    return INFINITY;
  }
  compare_rises(f, i, a, b, &deviation, &rise);
  const double steep = rise * tau / (xi * (b - a));
  const bool known = f->aim.reach * f->curvature <= 0.5 * steep && is_clear(f->graph, i, a, b, margin) &&
                     is_clear(f->partner, f->other, a, b, margin);
  return known ? dls_lower(f->aim.reach, 2.0 * (f->aim.reach + deviation / xi) / steep) : INFINITY;
}

/* The errors go to the figures of the polyline, and those of the partner to what its own one will ask for. */
static inline void note_errors(dls_polyline *line, double own, double partner)
{
  line->error = dls_higher(line->error, own);
  line->partner_error = dls_higher(line->partner_error, partner);
}

/* Number of chords on [a, b], the same for both graphs. */
static double chords(const flattener *f, size_t i, bool partner, double a, double b)
{
  const bend d2 = bend_of(f, i, partner, a, b);
  const double xi = f->metric->value_scale;
  if (CHORD * d2.either / xi <= f->aim.chord) {
    note_errors(f->line, CHORD * d2.own / xi, CHORD * d2.partner / xi);
    return 1.0;
  }
  const double slope = SLOPE * d2.either * f->metric->time_scale / (xi * (b - a));
  const double slide = partner ? largest_slide(f, i, a, b) : INFINITY;
  const bool slides = slide * f->aim.shear < f->aim.chord; /* the bound by times needs fewer chords */
  const double by_slope = slides ? slope * slide / f->aim.chord : slope / f->aim.shear;
  const double by_chord = ceil(sqrt(CHORD * d2.either / xi / f->aim.chord));
  const double by_shear = ceil(dls_higher(by_slope, sqrt(0.5 * CHORD * d2.difference / xi / f->aim.chord)));
  const bool sheared = slides ? by_shear <= by_chord : by_shear < by_chord;
  const double m = dls_higher(sheared ? by_shear : by_chord, 1.0), common = 0.5 * d2.difference;
  note_errors(f->line, CHORD * (sheared ? common : d2.own) / xi / (m * m),
              CHORD * (sheared ? common : d2.partner) / xi / (m * m));
  f->line->shear = dls_higher(f->line->shear, sheared && !slides ? slope / m : 0.0);
  f->line->slide = dls_higher(f->line->slide, sheared && slides ? slope / m * slide : 0.0);
  return m;
}

/* The same; on an interval of both graphs it is found for the first one, and used for the other. */
static double cut_once(flattener *f, size_t i, bool partner, double a, double b)
{
  if (!partner) {
    return chords(f, i, false, a, b);
  }
  if (f->first != NULL) {
    return f->first->cuts[f->cut++];
  }
  return f->line->cuts[f->cut++] = chords(f, i, true, a, b);
}

/* The vertex at time t inside piece i. */
static inline void emit_at(flattener *f, size_t i, double t)
{
  const dls_graph *g = f->graph;
  double *p = f->line->p + f->line->count++ * f->line->width;
  const double u = (t - g->t[i]) / (g->t[i + 1] - g->t[i]);
  p[0] = t / f->metric->time_scale;
  for (size_t k = 0; k < g->dim; k++) {
    const size_t at = i * g->dim + k;
    const double x =
        g->slope != NULL ? dls_blossom(f->own[at].c, u, u, u) : dls_lerp(g->x[at], g->x[at + g->dim], u);
    p[k + 1] = x / f->metric->value_scale;
  }
}

/* The m - 1 vertices between a and b, and the one at b unless the piece ends there. */
static inline void emit_chords(flattener *f, size_t i, double a, double b, double m)
{
  const bool inner = b < f->graph->t[i + 1];
  if (!make_room(f, m)) {
    return;
  }
  for (double j = 1.0; j < m; j += 1.0) {
    emit_at(f, i, a + (b - a) * (j / m));
  }
  if (inner) {
    emit_at(f, i, b);
  }
}

static void note_control_points(flattener *f, size_t i)
{
  for (size_t k = 0; f->graph->slope != NULL && k < f->graph->dim; k++) {
    const double *c = f->own[i * f->graph->dim + k].c;
    note_size(f->line, dls_higher(fabs(c[1]), fabs(c[2])) / f->metric->value_scale);
  }
}

/* Piece i, cut at the breakpoints of the partner inside it unless one chord will do. */
static void flatten_piece(flattener *f, size_t i)
{
  const dls_graph *o = f->partner;
  const double end = f->graph->t[i + 1];
  note_control_points(f, i);
  for (double a = f->graph->t[i], b; a < end && !f->line->over; a = b) {
    while (f->other + 1 < o->count && o->t[f->other + 1] <= a) {
      f->other++;
    }
    const bool before = a < o->t[f->other], after = f->other + 1 == o->count && !before;
    const bool alone = before || after || f->aim.chord == INFINITY;
    const double next = before ? o->t[f->other] : after ? end : o->t[f->other + 1];
    b = next < end && f->aim.chord < INFINITY ? next : end;
    emit_chords(f, i, a, b, cut_once(f, i, !alone, a, b));
  }
}

/* All vertices, as far as there is room. */
static void flatten(flattener *f)
{
  const dls_graph *graph = f->graph;
  const bool linear = graph->slope == NULL && f->partner->slope == NULL;
  for (size_t i = 0; i < graph->count && make_room(f, 1); i++) {
    emit(f, graph->t[i], graph->x + i * graph->dim);
    if (!linear && i + 1 < graph->count && graph->t[i + 1] > graph->t[i]) {
      flatten_piece(f, i);
    }
  }
  if (graph->count == 1 && make_room(f, 1)) { /* a point is a segment of length zero */
    emit(f, graph->t[0], graph->x);
  }
}

/* Numbers of chords for all intervals of both graphs. */
static dls_status allocate_cuts(size_t needed, dls_polyline *line, dls_error *err)
{
  if (needed > line->cut_room) {
    free(line->cuts);
    line->cuts = malloc(needed * sizeof *line->cuts);
    line->cut_room = line->cuts != NULL ? needed : 0;
  }
  return line->cuts != NULL ? DLS_OK
                            : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu intervals of graphs", needed);
}

dls_status dls_polyline_flatten(const dls_cubics *own, const dls_cubics *partner, const dls_metric *metric,
                                dls_flattening aim, size_t most, const dls_polyline *first, dls_polyline *line,
                                dls_error *err)
{
  flattener f = {.graph = own->graph,
                 .partner = partner->graph,
                 .own = own->of,
                 .others = partner->of,
                 .metric = metric,
                 .aim = aim,
                 .curvature = dls_higher(own->curvature, partner->curvature),
                 .most = most,
                 .room = line->capacity < most ? line->capacity : most,
                 .line = line,
                 .first = first};
  const dls_status status =
      first == NULL ? allocate_cuts(own->graph->count + partner->graph->count, line, err) : DLS_OK;
  if (status != DLS_OK) {
    return status;
  }
  line->count = 0;
  line->over = false;
  line->width = own->graph->dim + 1;
  line->largest = line->partner_error = 0.0;
  line->error = first != NULL ? first->partner_error : 0.0;
  line->shear = first != NULL ? first->shear : 0.0;
  line->slide = first != NULL ? first->slide : 0.0;
  flatten(&f);
  return !f.no_memory
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for a polyline of more than %zu vertices", line->count);
}
