/* beam_joints.c -- the directors of a beam have the length 1: phi = (d . d - 1)/2 for each node whose director is free.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/models/elements/beam_parts.h"
#include <math.h>
#include <stdio.h>

size_t dls_beam_joint_count(const dls_beam *beam)
{
  return beam->kind != DLS_BEAM_DIRECTORS ? 0 : beam->elements + (beam->root == DLS_BEAM_CLAMPED ? 0 : 1);
}

/* The node of joint k. */
static size_t node_of(const dls_beam *beam, size_t k)
{
  return k + (beam->root == DLS_BEAM_CLAMPED ? 1 : 0);
}

/* Where the director of joint k is in q. */
static size_t director(const dls_system *sys, size_t k)
{
  const dls_beam *beam = dls_beam_of(sys);
  return dls_beam_unknown(beam, node_of(beam, k), 2);
}

static void joint(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)t;
  for (size_t k = 0; k < sys->r; k++) {
    const double *d = q + director(sys, k), length = hypot(d[0], d[1]);
    phi[k] = 0.5 * (length - 1) * (length + 1);
  }
}

static void joint_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)t;
  for (size_t k = 0; k < sys->r; k++) {
    const size_t at = director(sys, k);
    dls_matrix_set(G, at, k, q[at]);
    dls_matrix_set(G, at + 1, k, q[at + 1]);
  }
}

/* d' . d' */
static void joint_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)t, (void)q;
  for (size_t k = 0; k < sys->r; k++) {
    const double *rate = v + director(sys, k);
    c[k] = rate[0] * rate[0] + rate[1] * rate[1];
  }
}

static void joint_stiffness(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K)
{
  (void)t, (void)q;
  dls_matrix_clear(K);
  for (size_t k = 0; k < sys->r; k++) {
    const size_t at = director(sys, k);
    dls_matrix_set(K, at, at, mu[k]);
    dls_matrix_set(K, at + 1, at + 1, mu[k]);
  }
}

static void joint_name(const dls_system *sys, size_t i, char *text, size_t size)
{
  snprintf(text, size, "director of node %zu", node_of(dls_beam_of(sys), i));
}

bool dls_beam_joints_create(dls_system *sys)
{
  if (sys->r == 0) {
    return true;
  }
  sys->G = dls_matrix_sparse(sys->n, sys->r, 2 * sys->r);
  sys->geometric = dls_matrix_diagonal(sys->n);
  if (sys->G == NULL || sys->geometric == NULL) {
    return false;
  }
  for (size_t k = 0; k < sys->r; k++) { /* all their places */
    dls_matrix_set(sys->G, director(sys, k), k, 1);
    dls_matrix_set(sys->G, director(sys, k) + 1, k, 0);
  }
  sys->joint = joint;
  sys->joint_gradient = joint_gradient;
  sys->joint_curvature = joint_curvature;
  sys->joint_stiffness = joint_stiffness;
  sys->joint_name = joint_name;
  return true;
}
