/* affine.c -- see affine.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/multibody/affine.h"
#include <math.h>

dls_moving dls_moving_sum(const dls_moving *x, double a, const dls_moving *y)
{
  dls_moving sum;
  for (int i = 0; i < 3; i++) {
    sum.x[i] = x->x[i] + a * y->x[i];
    sum.dx[i] = x->dx[i] + a * y->dx[i];
  }
  return sum;
}

dls_moving dls_moving_scaled(dls_moving_scalar a, const dls_moving *x)
{
  dls_moving y;
  for (int i = 0; i < 3; i++) {
    y.x[i] = a.x * x->x[i];
    y.dx[i] = a.x * x->dx[i] + a.dx * x->x[i];
  }
  return y;
}

dls_moving_scalar dls_moving_dot(const dls_moving *x, const dls_moving *y)
{
  return (dls_moving_scalar){dls_dot3(x->x, y->x), dls_dot3(x->dx, y->x) + dls_dot3(x->x, y->dx)};
}

dls_moving_scalar dls_moving_quotient(dls_moving_scalar a, dls_moving_scalar b)
{
  return (dls_moving_scalar){a.x / b.x, (a.dx - a.x / b.x * b.dx) / b.x};
}

dls_moving_scalar dls_moving_length(const dls_moving *x)
{
  const double length = sqrt(dls_dot3(x->x, x->x));
  return (dls_moving_scalar){length, length > 0 ? dls_dot3(x->x, x->dx) / length : 0};
}

dls_moving dls_moving_turned(const dls_moving *x)
{
  return (dls_moving){{x->x[1], -x->x[0], 0}, {x->dx[1], -x->dx[0], 0}};
}

void dls_affine_add(dls_affine *A, size_t at, double a, double b)
{
  size_t k = 0;
  if (a == 0 && b == 0) {
    return;
  }
  while (k < A->count && A->terms[k].at != at) {
    k++;
  }
  if (k == A->count) {
    A->terms[A->count++] = (dls_affine_term){at, 0, 0};
  }
  A->terms[k].a += a;
  A->terms[k].b += b;
}

void dls_affine_subtract(dls_affine *A, const dls_affine *B)
{
  for (size_t k = 0; k < B->count; k++) {
    dls_affine_add(A, B->terms[k].at, -B->terms[k].a, -B->terms[k].b);
  }
  for (int i = 0; i < 3; i++) {
    A->c[i] -= B->c[i];
  }
}

/* x += a y + b J y for a block y of coordinates */
static void add_block(double *x, const dls_affine_term *term, size_t dim, const double *y)
{
  for (size_t i = 0; i < dim; i++) {
    x[i] += term->a * y[i];
  }
  if (term->b != 0) {
    x[0] -= term->b * y[1];
    x[1] += term->b * y[0];
  }
}

dls_moving dls_affine_at(const dls_affine *A, size_t dim, const double *q, const double *v)
{
  dls_moving p = {{A->c[0], A->c[1], A->c[2]}, {0}};
  for (size_t k = 0; k < A->count; k++) {
    add_block(p.x, &A->terms[k], dim, q + A->terms[k].at);
    if (v != NULL) {
      add_block(p.dx, &A->terms[k], dim, v + A->terms[k].at);
    }
  }
  return p;
}

void dls_row_add(dls_row *row, size_t at, dls_moving_scalar scale, const dls_moving *x)
{
  const dls_moving f = dls_moving_scaled(scale, x);
  size_t k = 0;
  while (k < row->count && row->parts[k].at != at) {
    k++;
  }
  if (k == row->count) {
    row->parts[row->count].at = at;
    row->parts[row->count++].f = f;
  } else {
    row->parts[k].f = dls_moving_sum(&row->parts[k].f, 1, &f);
  }
}

void dls_row_add_affine(dls_row *row, size_t dim, const dls_affine *A, dls_moving_scalar scale,
                        const dls_moving *f)
{
  for (size_t k = 0; k < A->count; k++) {
    const dls_affine_term *term = &A->terms[k];
    dls_moving g = dls_moving_scaled((dls_moving_scalar){term->a, 0}, f);
    if (dim == 2) {
      const dls_moving turned = dls_moving_turned(f); /* (a + b J)^T f */
      g = dls_moving_sum(&g, term->b, &turned);
    }
    dls_row_add(row, term->at, scale, &g);
  }
}

void dls_row_write(const dls_row *row, size_t dim, dls_matrix *A, size_t j)
{
  for (size_t k = 0; k < row->count; k++) {
    for (size_t i = 0; i < dim; i++) {
      dls_matrix_set(A, row->parts[k].at + i, j, row->parts[k].f.x[i]);
    }
  }
}

double dls_row_drift(const dls_row *row, size_t dim, const double *v)
{
  double sum = 0;
  for (size_t k = 0; k < row->count; k++) {
    for (size_t i = 0; i < dim; i++) {
      sum += row->parts[k].f.dx[i] * v[row->parts[k].at + i];
    }
  }
  return sum;
}

/* a + b J of a term, as a matrix */
static void block_of(const dls_affine_term *term, double out[3][3])
{
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      out[i][j] = i == j ? term->a : 0;
    }
  }
  out[0][1] -= term->b;
  out[1][0] += term->b;
}

/* K(k,l) += (a_k + b_k J)^T D (a_l + b_l J) */
static void add_blocks(const dls_affine_term *k, const dls_affine_term *l, size_t dim, double D[3][3],
                       dls_matrix *K)
{
  double left[3][3], right[3][3];
  block_of(k, left);
  block_of(l, right);
  for (size_t i = 0; i < dim; i++) {
    for (size_t j = 0; j < dim; j++) {
      double sum = 0;
      for (size_t r = 0; r < dim; r++) {
        for (size_t s = 0; s < dim; s++) {
          sum += left[r][i] * D[r][s] * right[s][j];
        }
      }
      dls_matrix_set(K, k->at + i, l->at + j, dls_matrix_get(K, k->at + i, l->at + j) + sum);
    }
  }
}

void dls_affine_add_product(const dls_affine *A, const dls_affine *B, size_t dim, double D[3][3], dls_matrix *K)
{
  for (size_t k = 0; k < A->count; k++) {
    for (size_t l = 0; l < B->count; l++) {
      add_blocks(&A->terms[k], &B->terms[l], dim, D, K);
    }
  }
}
