/* structures.h -- bars, columns and membranes of any size, for the programs that measure what structure costs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_BENCH_STRUCTURES_H
#define DELASSUS_BENCH_STRUCTURES_H

#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline void stop_if(dls_status status, const dls_error *err)
{
  if (status != DLS_OK) {
    fprintf(stderr, "%s\n", err->text);
    exit(1);
  }
}

/* n linear elements of a bar of length 1 with E = rho = 1 that comes down with velocity 1 on a floor; the time in
 * which a wave passes an element is 1 / n. */
static inline dls_system *bar(size_t n)
{
  const size_t nodes = n + 1;
  const double length = 1 / (double)n;
  dls_system *sys = dls_system_create(nodes, 1);
  sys->linear = true;
  sys->M = dls_matrix_band(nodes, 1, 1);
  sys->K = dls_matrix_band(nodes, 1, 1);
  sys->H = dls_matrix_sparse(nodes, 1, 1);
  for (size_t j = 0; j < nodes; j++) {
    const double share = j == 0 || j == n ? 1 : 2; /* elements at the node */
    dls_matrix_set(sys->M, j, j, share * length / 3);
    dls_matrix_set(sys->K, j, j, share / length);
    if (j > 0) {
      dls_matrix_set(sys->M, j - 1, j, length / 6);
      dls_matrix_set(sys->M, j, j - 1, length / 6);
      dls_matrix_set(sys->K, j - 1, j, -1 / length);
      dls_matrix_set(sys->K, j, j - 1, -1 / length);
    }
    sys->v0[j] = -1;
  }
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->e[0] = 0;
  return sys;
}

/* n beads on each other, or a gap under each. */
static inline dls_system *column_of(size_t n, double gap)
{
  dls_error err = {0};
  const dls_model *model = dls_model_find("bead-column", &err);
  double p[16];
  dls_option_defaults(model->parameters, p);
  p[dls_option_find(model->parameters, "N")] = (double)n;
  p[dls_option_find(model->parameters, "gap")] = gap;
  dls_system *sys = NULL;
  stop_if(dls_model_create(model, p, &sys, &err), &err);
  return sys;
}

static inline dls_system *column(size_t n)
{
  return column_of(n, 0);
}

/* A membrane on a square grid of about n points, pressed on a wavy obstacle, a contact at every point: W is full. */
static inline dls_system *membrane_of(size_t n, double k,
                                      void (*load)(const dls_system *sys, double t, double *F))
{
  const size_t side = (size_t)sqrt((double)n);
  n = side * side;
  dls_system *sys = dls_system_create(n, n);
  sys->linear = true;
  sys->load = load;
  sys->M = dls_matrix_diagonal(n);
  sys->K = dls_matrix_sparse(n, n, 5 * n);
  sys->H = dls_matrix_sparse(n, n, n);
  for (size_t j = 0; j < n; j++) {
    const double x = (double)(j % side) / (double)side, y = (double)(j / side) / (double)side;
    dls_matrix_set(sys->M, j, j, 1);
    if (j >= side) {
      dls_matrix_set(sys->K, j - side, j, -k);
    }
    if (j % side > 0) {
      dls_matrix_set(sys->K, j - 1, j, -k);
    }
    dls_matrix_set(sys->K, j, j, 4 * k);
    if (j % side + 1 < side) {
      dls_matrix_set(sys->K, j + 1, j, -k);
    }
    if (j + side < n) {
      dls_matrix_set(sys->K, j + side, j, -k);
    }
    dls_matrix_set(sys->H, j, j, 1);
    sys->w[j] = 0.2 * sin(9 * x) * cos(7 * y);
    sys->q0[j] = 0.2;
  }
  return sys;
}

#endif
