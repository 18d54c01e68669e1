/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "driven.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Derivative of order 0 to 2. */
static double pulse_at(const dls_pulse *p, double t, int order)
{
  const double x = (t - p->at) / p->width, bell = p->size * exp(-x * x);
  return order == 0   ? bell
         : order == 1 ? -2 * x / p->width * bell
                      : (4 * x * x - 2) / (p->width * p->width) * bell;
}

static double sum_at(const dls_pulse *p, double t, int order)
{
  double sum = 0;
  for (size_t i = 0; i < DLS_DRIVEN_PULSES && p[i].width > 0; i++) {
    sum += pulse_at(&p[i], t, order);
  }
  return sum;
}

/* Bounds over [a, b]: the values at the ends and at the extrema between them. */
static void enclose(const dls_pulse *p, int order, double a, double b, double *low, double *high)
{
  static const double extrema[3][3] = {
      {0}, {-0.70710678118654752, 0.70710678118654752}, {-1.2247448713915890, 0, 1.2247448713915890}};
  const double ends[2] = {pulse_at(p, a, order), pulse_at(p, b, order)};
  double least = fmin(ends[0], ends[1]), most = fmax(ends[0], ends[1]);
  for (int i = 0; i <= order; i++) {
    const double t = p->at + extrema[order][i] * p->width;
    if (a < t && t < b) {
      least = fmin(least, pulse_at(p, t, order));
      most = fmax(most, pulse_at(p, t, order));
    }
  }
  const double ulps = 1e-15 * fmax(fabs(least), fabs(most));
  *low += least - ulps;
  *high += most + ulps;
}

static void enclose_sum(const dls_pulse *p, int order, double a, double b, double *low, double *high)
{
  *low = *high = 0;
  for (size_t i = 0; i < DLS_DRIVEN_PULSES && p[i].width > 0; i++) {
    enclose(&p[i], order, a, b, low, high);
  }
}

/* Derivative of order 0 to 2; at a corner that of what follows. */
static double rise_at(const dls_pulse *p, double t, int order)
{
  const double x = fmin(fmax((t - p->at) / p->width, 0), 1);
  const bool dwells = t < p->at || t >= p->at + p->width;
  return order == 0   ? p->size * x * x * (3 - 2 * x)
         : dwells     ? 0
         : order == 1 ? p->size * 6 * x * (1 - x) / p->width
                      : p->size * (6 - 12 * x) / (p->width * p->width);
}

/* Its bounds: it is monotone; its rate has one maximum; its second derivative is linear, with jumps at the corners. */
static void enclose_rise(const dls_pulse *p, double a, double b, double *low, double *high)
{
  const double middle = p->at + 0.5 * p->width, after = p->at + p->width, before = nextafter(after, p->at);
  for (int order = 0; order <= 2; order++) {
    const double inside[] = {a, b, p->at, middle, before, after};
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
      if (a <= inside[i] && inside[i] <= b) {
        least = fmin(least, rise_at(p, inside[i], order));
        most = fmax(most, rise_at(p, inside[i], order));
      }
    }
    low[order] += least - 1e-15 * fabs(least);
    high[order] += most + 1e-15 * fabs(most);
  }
}

static void time_enclosure(const dls_system *sys, double a, double b, double *low, double *high)
{
  const dls_driven *d = sys->data;
  enclose_sum(d->load, 0, a, b, low, high);
  for (int order = 0; order <= 2; order++) {
    enclose_sum(d->support, order, a, b, low + 1 + order, high + 1 + order);
  }
  if (d->rise.width > 0) {
    enclose_rise(&d->rise, a, b, low + 1, high + 1);
  }
  for (int order = 0; order <= 1; order++) {
    enclose_sum(d->surface, order, a, b, low + 4 + order, high + 4 + order);
  }
}

static double table_at(const dls_pulse *p, double t)
{
  double sum = 0;
  for (size_t i = 0; i < DLS_DRIVEN_PULSES && p[i].width > 0; i++) {
    sum += p[i].size * fmax(0, 1 - fabs(t - p[i].at) / p[i].width);
  }
  return sum;
}

static void load(const dls_system *sys, double t, double *F)
{
  const dls_driven *d = sys->data;
  memset(F, 0, sys->n * sizeof *F);
  F[0] = d->knowledge == DLS_DRIVEN_TABLE ? table_at(d->load, t) : sum_at(d->load, t, 0);
  F[d->kind == DLS_DRIVEN_BLOCK ? 1 : 0] -= d->weight;
}

static void gap_motion(const dls_system *sys, double t, int order, double *s)
{
  const dls_driven *d = sys->data;
  s[0] = -sum_at(d->support, t, order) - (d->rise.width > 0 ? rise_at(&d->rise, t, order) : 0);
  if (d->jump_at > 0 && t >= d->jump_at) {
    s[0] -= order == 0 ? d->jump + d->ramp * (t - d->jump_at) : order == 1 ? d->ramp : 0;
  }
}

static double next_break(const dls_system *sys, double t)
{
  const dls_driven *d = sys->data;
  double next = t < d->jump_at ? d->jump_at : HUGE_VAL;
  for (size_t i = 0; d->knowledge == DLS_DRIVEN_TABLE && i < DLS_DRIVEN_PULSES && d->load[i].width > 0; i++) {
    for (int row = -1; row <= 1; row++) {
      const double at = d->load[i].at + row * d->load[i].width;
      next = t < at ? fmin(next, at) : next;
    }
  }
  return next;
}

static void surface(const dls_system *sys, double t, const double *q, double *b_t)
{
  (void)q;
  const dls_driven *d = sys->data;
  b_t[0] = -sum_at(d->surface, t, 0) - (d->jump_at > 0 && t >= d->jump_at ? d->belt : 0);
}

static void slip_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)q, (void)v;
  c[0] = -sum_at(((const dls_driven *)sys->data)->surface, t, 1);
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void set_friction(dls_system *sys, const dls_driven *what)
{
  sys->d = 2;
  sys->T = dls_matrix_dense(2, 1);
  dls_matrix_set(sys->T, 0, 0, 1);
  sys->mu[0] = what->mu;
  if (what->surface[0].width > 0 || what->belt != 0) {
    sys->surface = surface;
    sys->slip_curvature = slip_curvature;
  }
}

static void state_time(dls_system *sys, const dls_driven *what)
{
  sys->explicit_time = what->knowledge == DLS_DRIVEN_CALLBACK ? DLS_TIME_UNKNOWN : DLS_TIME_EXPLICIT;
  if (what->knowledge == DLS_DRIVEN_BOUNDS) {
    sys->time_terms = 6;
    sys->time_enclosure = time_enclosure;
  } else if (what->knowledge == DLS_DRIVEN_FEATURE) {
    sys->shortest_feature = what->feature;
  }
  sys->next_break =
      (what->jump_at > 0 && what->knowledge != DLS_DRIVEN_CALLBACK) || what->knowledge == DLS_DRIVEN_TABLE
          ? next_break
          : NULL;
}

dls_system *dls_test_driven(const dls_driven *what)
{
  const size_t n = what->kind == DLS_DRIVEN_MASS ? 1 : 2, normal = what->kind == DLS_DRIVEN_BLOCK ? 1 : 0;
  dls_system *sys = dls_system_create(n, 1);
  if (sys == NULL || (sys->data = malloc(sizeof *what)) == NULL) {
    dls_system_destroy(sys);
    return NULL;
  }
  *(dls_driven *)sys->data = *what;
  sys->release = release;
  sys->linear = true;
  sys->M = dls_matrix_diagonal(n);
  sys->H = dls_matrix_dense(n, 1);
  for (size_t i = 0; i < n; i++) {
    dls_matrix_set(sys->M, i, i, 1);
  }
  dls_matrix_set(sys->H, normal, 0, 1);
  if (what->kind == DLS_DRIVEN_SPRINGS) {
    sys->K = dls_matrix_dense(2, 2);
    for (size_t i = 0; i < 4; i++) {
      dls_matrix_set(sys->K, i / 2, i % 2, i / 2 == i % 2 ? 1 : -1);
    }
  }
  if (what->kind == DLS_DRIVEN_BLOCK) {
    set_friction(sys, what);
  }
  sys->q0[0] = what->q;
  sys->v0[0] = what->v;
  sys->e[0] = what->e;
  sys->w[0] = what->height - (normal == 0 ? what->q : 0);
  sys->load = load;
  sys->gap_motion = what->support[0].width > 0 || what->rise.width > 0 || what->jump_at > 0 ? gap_motion : NULL;
  state_time(sys, what);
  return sys;
}
