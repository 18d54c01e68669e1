/* springs.c -- forces of a mechanism: gravity and springs, F = -(k (s - l) + c s') N with s = |A|, N = A / s.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/models/multibody/multibody.h"
#include <math.h>
#include <string.h>

/* State of a spring: length, direction and their rates; per_length: its pull k (s - l) over its length. */
typedef struct stretch {
  double s, rate, per_length;
  dls_moving A;
  double N[3];
} stretch;

/* A spring of no length has no direction: N = 0. */
static stretch stretch_of(const dls_multibody *mb, size_t i, const double *q, const double *v)
{
  const dls_spring *spring = &mb->m.springs[i];
  stretch out = {.A = dls_affine_at(mb->springs[i], mb->m.dim, q, v)};
  const dls_moving_scalar length = dls_moving_length(&out.A);
  out.s = length.x;
  out.rate = length.dx;
  out.per_length =
      out.s > 0 ? spring->stiffness * (1 - spring->length / out.s) : spring->stiffness * (spring->length == 0);
  for (int k = 0; k < 3; k++) {
    out.N[k] = out.s > 0 ? out.A.x[k] / out.s : 0;
  }
  return out;
}

void dls_spring_forces(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const dls_multibody *mb = sys->data;
  (void)t;
  memcpy(F, mb->load, sys->n * sizeof *F);
  for (size_t i = 0; i < mb->m.spring_count; i++) {
    const stretch x = stretch_of(mb, i, q, v);
    const double drag = mb->m.springs[i].damping * x.rate;
    dls_moving f = {{0}, {0}};
    dls_row row = {0};
    for (int k = 0; k < 3; k++) {
      f.x[k] = -x.per_length * x.A.x[k] - drag * x.N[k];
    }
    dls_row_add_affine(&row, mb->m.dim, mb->springs[i], (dls_moving_scalar){1, 0}, &f);
    for (size_t part = 0; part < row.count; part++) {
      for (size_t k = 0; k < mb->m.dim; k++) {
        F[row.parts[part].at + k] += row.parts[part].f.x[k];
      }
    }
  }
}

/* -dF/dA = k N N^T + k (1 - l/s) (1 - N N^T) + c N (A' - s' N)^T / s + c s' (1 - N N^T) / s */
void dls_spring_stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  const dls_multibody *mb = sys->data;
  (void)t;
  dls_matrix_clear(K);
  for (size_t i = 0; i < mb->m.spring_count; i++) {
    const dls_spring *spring = &mb->m.springs[i];
    const stretch x = stretch_of(mb, i, q, v);
    const double c = x.s > 0 ? spring->damping / x.s : 0, across = x.per_length + c * x.rate;
    double D[3][3];
    for (int k = 0; k < 3; k++) {
      for (int l = 0; l < 3; l++) {
        D[k][l] = (spring->stiffness - across) * x.N[k] * x.N[l] + (k == l ? across : 0) +
                  c * x.N[k] * (x.A.dx[l] - x.rate * x.N[l]);
      }
    }
    dls_affine_add_product(mb->springs[i], mb->springs[i], mb->m.dim, D, K);
  }
}

/* -dF/dA' = c N N^T */
void dls_spring_damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  const dls_multibody *mb = sys->data;
  (void)t;
  dls_matrix_clear(C);
  for (size_t i = 0; i < mb->m.spring_count; i++) {
    const stretch x = stretch_of(mb, i, q, v);
    double D[3][3];
    for (int k = 0; k < 3; k++) {
      for (int l = 0; l < 3; l++) {
        D[k][l] = mb->m.springs[i].damping * x.N[k] * x.N[l];
      }
    }
    dls_affine_add_product(mb->springs[i], mb->springs[i], mb->m.dim, D, C);
  }
}

double dls_mechanism_potential(const dls_system *sys, const double *q)
{
  const dls_multibody *mb = sys->data;
  double V = 0;
  for (size_t i = 0; i < sys->n; i++) {
    V -= mb->load[i] * q[i];
  }
  for (size_t i = 0; i < mb->m.spring_count; i++) {
    const double stretched = stretch_of(mb, i, q, NULL).s - mb->m.springs[i].length;
    V += 0.5 * mb->m.springs[i].stiffness * stretched * stretched;
  }
  return V;
}
