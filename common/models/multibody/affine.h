/* affine.h -- vectors that are affine in natural coordinates, p = r + xi d + eta d^perp or p = r + sum X_i d_i, and
 * their rates along a motion; the rows of H^T and G^T made from them. Vectors have three components, in the plane the third
 * is 0 and d^perp = J d = (-d_y, d_x).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_MULTIBODY_AFFINE_H
#define DELASSUS_MODELS_MULTIBODY_AFFINE_H

#include <delassus/matrix.h>

/* A vector or a scalar, and its rate along the motion. */
typedef struct dls_moving {
  double x[3], dx[3];
} dls_moving;
typedef struct dls_moving_scalar {
  double x, dx;
} dls_moving_scalar;

static inline double dls_dot3(const double *x, const double *y)
{
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}
dls_moving dls_moving_sum(const dls_moving *x, double a, const dls_moving *y); /* x + a y */
dls_moving dls_moving_scaled(dls_moving_scalar a, const dls_moving *x);
dls_moving_scalar dls_moving_dot(const dls_moving *x, const dls_moving *y);
dls_moving_scalar dls_moving_quotient(dls_moving_scalar a, dls_moving_scalar b);
/* |x|; rate 0 where x = 0 */
dls_moving_scalar dls_moving_length(const dls_moving *x);
/* J^T x = (x_y, -x_x) */
dls_moving dls_moving_turned(const dls_moving *x);

/* c + sum a x_k + b J x_k over the blocks x_k = q[at .. at + dim) */
enum { DLS_AFFINE_TERMS = 8 }; /* two bodies with four vectors each */
typedef struct dls_affine_term {
  size_t at;
  double a, b; /* b: planar only */
} dls_affine_term;
typedef struct dls_affine {
  size_t count;
  dls_affine_term terms[DLS_AFFINE_TERMS];
  double c[3];
} dls_affine;

/* A + factor (a x_at + b J x_at); zero terms are left out. */
void dls_affine_add(dls_affine *A, size_t at, double a, double b);
void dls_affine_subtract(dls_affine *A, const dls_affine *B);
/* @param[in] v  NULL: the rates are 0 */
dls_moving dls_affine_at(const dls_affine *A, size_t dim, const double *q, const double *v);

/* A column of H, G or T as blocks of dim numbers, with their rates. */
typedef struct dls_row {
  size_t count;
  struct {
    size_t at;
    dls_moving f;
  } parts[DLS_AFFINE_TERMS];
} dls_row;
/* row += scale x */
void dls_row_add(dls_row *row, size_t at, dls_moving_scalar scale, const dls_moving *x);
/* row += scale A'^T f: the force f at the point A, scaled */
void dls_row_add_affine(dls_row *row, size_t dim, const dls_affine *A, dls_moving_scalar scale,
                        const dls_moving *f);
void dls_row_write(const dls_row *row, size_t dim, dls_matrix *A, size_t j);
/* (d row/dt) . v */
double dls_row_drift(const dls_row *row, size_t dim, const double *v);

/* K += A'^T D B', D dim x dim by rows. */
void dls_affine_add_product(const dls_affine *A, const dls_affine *B, size_t dim, double D[3][3],
                            dls_matrix *K);

#endif
