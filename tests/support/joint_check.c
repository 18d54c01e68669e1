/* joint_check.c -- callbacks of joints against central differences, whose error is about 1e-10 of what they differentiate.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "joint_check.h"
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double step = 1e-5, accepted = 1e-8;

typedef struct work {
  const dls_system *sys;
  double *q, *v, *mu, *x;       /* n, n, r, n */
  double *below, *above, *rate; /* n or r, whichever is larger */
  double *block;
} work;

/* [-1, 1], the same in every run */
static double any(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1;
}

static double size_of(const double *x, size_t count)
{
  double most = 1;
  for (size_t i = 0; i < count; i++) {
    most = fmax(most, fabs(x[i]));
  }
  return most;
}

static void check_gradient(work *w, dls_matrix *G)
{
  const dls_system *sys = w->sys;
  dls_system_joint_gradient(sys, 0.3, w->q, G);
  for (size_t k = 0; k < sys->n; k++) {
    const double at = w->q[k];
    w->q[k] = at - step;
    dls_system_joint(sys, 0.3, w->q, w->below);
    w->q[k] = at + step;
    dls_system_joint(sys, 0.3, w->q, w->above);
    w->q[k] = at;
    for (size_t i = 0; i < sys->r; i++) {
      const double slope = (w->above[i] - w->below[i]) / (2 * step);
      assert_close(dls_matrix_get(G, k, i), slope, accepted * size_of(w->above, sys->r));
    }
  }
}

static void check_rate(work *w)
{
  const dls_system *sys = w->sys;
  dls_system_joint(sys, 0.3 - step, w->q, w->below);
  dls_system_joint(sys, 0.3 + step, w->q, w->above);
  dls_system_joint_rate(sys, 0.3, w->q, w->rate);
  for (size_t i = 0; i < sys->r; i++) {
    assert_close(w->rate[i], (w->above[i] - w->below[i]) / (2 * step), accepted * size_of(w->above, sys->r));
  }
}

/* rate := G^T v + dPhi/dt at t + s, q + s v */
static void velocity(work *w, dls_matrix *G, double s, double *rate)
{
  const dls_system *sys = w->sys;
  for (size_t k = 0; k < sys->n; k++) {
    w->x[k] = w->q[k] + s * w->v[k];
  }
  dls_system_joint_gradient(sys, 0.3 + s, w->x, G);
  dls_system_joint_rate(sys, 0.3 + s, w->x, rate);
  dls_matrix_multiply_transposed(G, 1, w->v, rate);
}

static void check_curvature(work *w, dls_matrix *G)
{
  const dls_system *sys = w->sys;
  velocity(w, G, -step, w->below);
  velocity(w, G, step, w->above);
  dls_system_joint_curvature(sys, 0.3, w->q, w->v, w->rate);
  for (size_t i = 0; i < sys->r; i++) {
    assert_close(w->rate[i], (w->above[i] - w->below[i]) / (2 * step), accepted * size_of(w->above, sys->r));
  }
}

/* x := G mu at q with entry k moved by s */
static void forces(work *w, dls_matrix *G, size_t k, double s, double *x)
{
  const double at = w->q[k];
  w->q[k] = at + s;
  dls_system_joint_gradient(w->sys, 0.3, w->q, G);
  w->q[k] = at;
  memset(x, 0, w->sys->n * sizeof *x);
  dls_matrix_multiply(G, 1, w->mu, x);
}

static void check_stiffness(work *w, dls_matrix *G)
{
  const dls_system *sys = w->sys;
  if (sys->joint_stiffness != NULL) {
    sys->joint_stiffness(sys, 0.3, w->q, w->mu, sys->geometric);
  }
  for (size_t k = 0; k < sys->n; k++) {
    forces(w, G, k, -step, w->below);
    forces(w, G, k, step, w->above);
    for (size_t i = 0; i < sys->n; i++) {
      const double K = sys->geometric != NULL ? dls_matrix_get(sys->geometric, i, k) : 0;
      assert_close(K, (w->above[i] - w->below[i]) / (2 * step), accepted * size_of(w->above, sys->n));
    }
  }
}

void dls_check_joint_derivatives(const dls_system *sys)
{
  const size_t n = sys->n, r = sys->r, most = n > r ? n : r;
  unsigned seed = 1;
  dls_matrix *G = dls_matrix_clone(sys->G);
  work w = {.sys = sys, .block = calloc(3 * n + r + 3 * most, sizeof(double))};
  assert_non_null(G);
  assert_non_null(w.block);
  w.q = w.block;
  w.v = w.q + n;
  w.x = w.v + n;
  w.mu = w.x + n;
  w.below = w.mu + r;
  w.above = w.below + most;
  w.rate = w.above + most;
  for (int trial = 0; trial < 5; trial++) {
    for (size_t k = 0; k < n; k++) {
      w.q[k] = sys->q0[k] + 0.1 * any(&seed);
      w.v[k] = any(&seed);
    }
    for (size_t i = 0; i < r; i++) {
      w.mu[i] = any(&seed);
    }
    check_gradient(&w, G);
    check_rate(&w);
    check_curvature(&w, G);
    check_stiffness(&w, G);
  }
  free(w.block);
  dls_matrix_destroy(G);
}

void dls_check_joints(const dls_system *sys)
{
  double *phi = calloc(2 * sys->r, sizeof *phi), *rate = phi + sys->r;
  dls_matrix *G = dls_matrix_clone(sys->G);
  assert_non_null(phi);
  assert_non_null(G);
  dls_system_joint(sys, 0, sys->q0, phi);
  dls_system_joint_gradient(sys, 0, sys->q0, G);
  dls_system_joint_rate(sys, 0, sys->q0, rate);
  dls_matrix_multiply_transposed(G, 1, sys->v0, rate);
  for (size_t i = 0; i < sys->r; i++) {
    assert_close(phi[i], 0, 1e-14 * size_of(sys->q0, sys->n));
    assert_close(rate[i], 0, 1e-13 * size_of(sys->v0, sys->n));
  }
  dls_matrix_destroy(G);
  free(phi);
  dls_check_joint_derivatives(sys);
}
