/* selected_inverse.h -- v = M^{-1} p for impulses p = G_i x that act on a few coordinates, in turn, where v is read in as few:
 * Gauss-Seidel's method on the rows of joints whose bodies are coupled by M. Rows that follow each other along the bodies cost the
 * same whatever n is.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_SELECTED_INVERSE_H
#define DELASSUS_COMMON_CONTACT_SELECTED_INVERSE_H

#include <delassus/matrix.h>

typedef struct dls_selected_inverse dls_selected_inverse;

/**
 * @param[in]  M    n x n, symmetric positive definite, band or sparse; its values are read here alone
 * @param[in]  G    n x r, sparse, without room for more entries; any values may change
 * @param[out] out  NULL where columns of G are wide, the elimination fills in too much, M has a small pivot, or storage is another
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_selected_inverse_create(const dls_matrix *M, const dls_matrix *G, dls_selected_inverse **out);
void dls_selected_inverse_destroy(dls_selected_inverse *S); /* NULL is fine */

/** G_i^T M^{-1} G_i */
double dls_selected_inverse_diagonal(const dls_selected_inverse *S, const dls_matrix *G, size_t i);
/** v[n] += M^{-1} G x; x[r] */
void dls_selected_inverse_apply(dls_selected_inverse *S, const dls_matrix *G, const double *x, double *v);
/** What follows changes v[n], which dls_selected_inverse_end returns. */
void dls_selected_inverse_begin(dls_selected_inverse *S, const double *v);
/** G_i^T v */
double dls_selected_inverse_speed(dls_selected_inverse *S, const dls_matrix *G, size_t i);
/** v += M^{-1} G_i x for the i of the last dls_selected_inverse_speed. */
void dls_selected_inverse_add(dls_selected_inverse *S, const dls_matrix *G, size_t i, double x);
void dls_selected_inverse_end(dls_selected_inverse *S, double *v);

#endif
