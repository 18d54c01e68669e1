/* momentum.c -- see momentum.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/momentum.h"

void dls_momentum_turn(size_t dim, const double *d, const double *Mv, double *L)
{
  if (dim == 2) {
    L[0] += d[0] * Mv[1] - d[1] * Mv[0];
    return;
  }
  for (size_t i = 0; i < 3; i++) { /* d x Mv */
    const size_t a = (i + 1) % 3, b = (i + 2) % 3;
    L[i] += d[a] * Mv[b] - d[b] * Mv[a];
  }
}

void dls_momentum_point(size_t dim, const double *x, const double *Mv, double *p)
{
  for (size_t i = 0; i < dim; i++) {
    p[i] += Mv[i];
  }
  dls_momentum_turn(dim, x, Mv, p + dim);
}

void dls_momentum_body(size_t dim, const double *x, const double *Mv, double *p)
{
  dls_momentum_point(dim, x, Mv, p);
  for (size_t i = 0; i < dim * (dim - 1) / 2; i++) {
    p[dim + i] += Mv[dim + i];
  }
}

void dls_momentum_line(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                       double *p)
{
  (void)t, (void)q, (void)v;
  p[0] = 0;
  for (size_t i = 0; i < sys->n; i++) {
    p[0] += Mv[i];
  }
}

void dls_momentum_sliders(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                          double *p)
{
  (void)t, (void)q, (void)v;
  p[0] = p[1] = 0;
  for (size_t i = 0; i < sys->n; i++) {
    p[i % 2] += Mv[i];
  }
}

void dls_momentum_points(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                         double *p)
{
  (void)t, (void)v;
  p[0] = p[1] = p[2] = 0;
  for (size_t i = 0; i < sys->n; i += 2) {
    dls_momentum_point(2, q + i, Mv + i, p);
  }
}

void dls_momentum_bodies(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                         double *p)
{
  (void)t, (void)v;
  p[0] = p[1] = p[2] = 0;
  for (size_t i = 0; i < sys->n; i += 3) {
    dls_momentum_body(2, q + i, Mv + i, p);
  }
}
