/* principal.h -- linear systems with the principal submatrices W_aa of one symmetric matrix, for the successive active
 * sets a of a contact solver.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_PRINCIPAL_H
#define DELASSUS_COMMON_LINEAR_PRINCIPAL_H

#include <delassus/matrix.h>
#include <stdbool.h>

typedef struct dls_principal dls_principal;

/** @return NULL if out of memory */
dls_principal *dls_principal_create(void);
void dls_principal_destroy(dls_principal *P);
/** Allocate for tridiagonal matrices of order n; other matrices allocate when set. @return false if out of memory */
bool dls_principal_reserve(dls_principal *P, size_t n);
/**
 * Set the matrix and discard the factors. Call it again when its entries have changed.
 * @param[in] W  sparse, square, symmetric with all diagonal entries stored; the upper triangle is not read; borrowed
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_principal_take(dls_principal *P, const dls_matrix *W);
/** The same for diag(E) + s W in place of W. @param[in] E  of order W; borrowed */
dls_status dls_principal_take_sum(dls_principal *P, double s, const dls_matrix *W, const double *E);
/**
 * Factor W_aa + shift diag(W_aa); does nothing if they are the current factors.
 * @param[in] count, set  a, increasing; count >= 1
 * @return DLS_OK; DLS_ERR_SINGULAR if a pivot is not above 1e-12 of its diagonal entry; DLS_ERR_MEMORY
 */
dls_status dls_principal_factor(dls_principal *P, size_t count, const int *set, double shift);
/** Free the factors, but for those of tridiagonal matrices; the order and the room stay. */
void dls_principal_forget(dls_principal *P);
/** x := (W_aa + shift diag(W_aa))^{-1} x; x[count]. @return DLS_OK; DLS_ERR_MEMORY (at the first solve only) */
dls_status dls_principal_solve(dls_principal *P, double *x);
/** The set a of the current factors, if made without shift; increasing. @return NULL: there are none */
const int *dls_principal_kept(const dls_principal *P, size_t *count);
bool dls_principal_tridiagonal(const dls_principal *P);
/** "tridiagonal" or "sparse": the factorization used for W. */
const char *dls_principal_structure(const dls_principal *P);

#endif
