/* analytic/distance/norm_flat.c -- the flat (bounded-Lipschitz) distance of the differential measures of two graphs.
 *
 *   sup { int phi d(f - g) : |phi| <= 1, |phi(s) - phi(t)| <= |s - t| / tau } / xi                                       (1)
 * For impulses as functions of time df is the measure of the contact reaction: atoms at impacts, forces between them.
 * A cubic e = f - g between breakpoints is replaced by its chords e_h, with e = e_h at their ends. Integration by parts gives
 * int phi d(e - e_h) = - int phi' (e - e_h) dt, which changes (1) by at most
 *   int |e - e_h| dt / (tau xi),   |e - e_h| <= max |e''| / (8 n^2) = (3/4) M / n^2                                      (2)
 * for n chords on an interval of unit length, since |e''| <= 6 M with M the larger second difference of the Bernstein coefficients.
 * Source: Dudley 1966 (bounded-Lipschitz metric).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/norm.h"
#include "analytic/distance/transport.h"
#include "analytic/graph/piece.h"
#include "common/base/larger.h"
#include <float.h>
#include <stdlib.h>

enum { MOST_CHORDS = 4096, /* of an interval */ MOST_PASSES = 6 };
#define CHORD 0.75 /* (2): distance of a cubic from its chord, over the second difference of its coefficients */

/* One component. */
typedef struct account {
  dls_transport transport;
  double last, scale; /* f - g at the end of the last interval; the largest coefficients so far */
  dls_sum chords;     /* bound of int |e - e_h| dt of (2), over tau */
} account;

typedef struct accounts {
  account *of;
  double tau;
  double chord; /* requested |e - e_h| of (2); INFINITY: one chord per interval */
} accounts;

/* M of (2); 0 for a line. */
static double second_difference(const dls_norm_interval *at)
{
  const double *d = at->d;
  const double most = dls_higher(fabs(d[0] - 2.0 * d[1] + d[2]), fabs(d[1] - 2.0 * d[2] + d[3]));
  return at->linear ? 0.0 : most;
}

/* Add the measure of one interval: an atom at its start, then chords of constant density. */
static void add_interval(void *data, size_t k, const dls_norm_interval *at)
{
  const accounts *all = data;
  account *a = &all->of[k];
  const double deviation = CHORD * second_difference(at), span = (at->end - at->start) / all->tau;
  const double chords =
      deviation > all->chord ? fmin(ceil(sqrt(deviation / all->chord)), MOST_CHORDS) : 1.0; /* n of (2) */
  double before = at->d[0];
  dls_transport_point(&a->transport, before - a->last);
  for (double j = 1.0; j <= chords; j += 1.0) {
    const double u = j / chords, next = j < chords ? dls_blossom(at->d, u, u, u) : at->d[3];
    dls_transport_flow(&a->transport, next - before, span / chords);
    before = next;
  }
  a->last = before;
  a->scale = dls_higher(a->scale, at->scale);
  dls_sum_add(&a->chords, span * deviation / (chords * chords)); /* (2) */
}

/* f - g at a time, from one side: the limits at both ends of the time range. */
static void difference_at(const dls_graph *f, const dls_graph *g, double t, int side, double *x, double *y)
{
  dls_graph_value(f, t, side, x);
  dls_graph_value(g, t, side, y);
  for (size_t k = 0; k < f->dim; k++) {
    x[k] -= y[k];
  }
}

/* (1) of each component, times xi, with its error bound: chords (2), slack of the transport, rounding. The largest counts.
 * @param point  scratch, 2 dim */
static dls_status pass(const dls_graph *f, const dls_graph *g, const double range[2], accounts *all,
                       double *point, dls_measure *out, dls_error *err)
{
  const double length = (range[1] - range[0]) / all->tau;
  dls_status status = DLS_OK;
  difference_at(f, g, range[0], -1, point, point + f->dim); /* jumps at both ends are atoms of the measure */
  for (size_t k = 0; k < f->dim; k++) {
    all->of[k] = (account){.last = point[k]};
  }
  dls_norm_sweep(f, g, range[0], range[1], add_interval, all);
  difference_at(f, g, range[1], 1, point, point + f->dim);
  *out = (dls_measure){0.0, 0.0};
  for (size_t k = 0; k < f->dim; k++) {
    account *a = &all->of[k];
    dls_transport_point(&a->transport, point[k] - a->last);
    const double rounding = DLS_NORM_ROUNDING * DBL_EPSILON * a->scale * (length + 2.0);
    out->value = dls_larger(out->value, dls_sum_total(&a->transport.norm));
    out->bound =
        dls_larger(out->bound, dls_sum_total(&a->chords) + dls_sum_total(&a->transport.slack) + rounding);
    if (a->transport.out_of_memory) {
      status = dls_fail(err, DLS_ERR_MEMORY, "no memory for the masses of a measure");
    }
    dls_transport_free(&a->transport);
  }
  return status;
}

/* Passes with finer chords until (2) is below the requested accuracy. */
static dls_status refine(const dls_graph *f, const dls_graph *g, const double range[2],
                         const dls_metric *metric, accounts *all, double *point, dls_measure *out,
                         dls_error *err)
{
  const double length = (range[1] - range[0]) / all->tau;
  dls_status status = DLS_OK;
  *out = (dls_measure){INFINITY, INFINITY}; /* the result if the distance overflows */
  for (int i = 0; i < MOST_PASSES && status == DLS_OK; i++) {
    dls_measure next;
    status = pass(f, g, range, all, point, &next, err);
    const bool better = next.bound < 0.5 * out->bound;
    if (status == DLS_OK && next.bound < out->bound) {
      *out = next;
    }
    if (!better || out->bound <= metric->accuracy * out->value) {
      break;
    }
    const double wanted = fmax(0.25 * metric->accuracy * out->value, out->bound / 64.0) / length;
    all->chord = fmin(wanted, 0.25 * all->chord);
  }
  return status;
}

static dls_status measure_flat(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                               const dls_metric *metric, dls_measure *out, dls_error *err)
{
  (void)self;
  double range[2];
  dls_status status = dls_graph_check_pair(numeric, reference, metric, err);
  if (status == DLS_OK) {
    status = dls_norm_overlap(numeric, reference, &range[0], &range[1], err);
  }
  if (status != DLS_OK) {
    return status;
  }
  accounts all = {.tau = metric->time_scale, .chord = INFINITY};
  all.of = calloc(numeric->dim, sizeof *all.of);
  double *point = calloc(numeric->dim, 2 * sizeof *point);
  status = all.of == NULL || point == NULL
               ? dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu measures", numeric->dim)
               : refine(numeric, reference, range, metric, &all, point, out, err);
  free(all.of);
  free(point);
  out->value /= metric->value_scale;
  out->bound /= metric->value_scale;
  return status;
}

const dls_norm dls_norm_flat = {
    .name = "flat",
    .label = "of its measure in the flat distance",
    .unit = "%s",
    .summary = "sup of integral phi d(f - g) / xi over |phi| <= 1, Lip(phi) <= 1/tau: distance of df and dg as "
               "measures; of impulse",
    .measure = measure_flat,
};
