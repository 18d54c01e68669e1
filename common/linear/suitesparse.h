/* suitesparse.h -- the calls of CHOLMOD and UMFPACK, which only large sparse problems need. The libraries link them. The
 * tool loads them at the first call, because their dependencies LAPACK, METIS, libgfortran and libgomp would take most of
 * the tool's start-up time. Each call has the name of the library's without its prefix, cholmod_l_ or umfpack_dl_
 * (umfpack_di_ with 32-bit indices).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_SUITESPARSE_H
#define DELASSUS_COMMON_LINEAR_SUITESPARSE_H

#include <cholmod.h>
#include <stddef.h>
#include <stdint.h>
#include <sundials/sundials_types.h>
#include <umfpack.h>

int dls_cholmod_start(cholmod_common *c);
int dls_cholmod_finish(cholmod_common *c);
cholmod_sparse *dls_cholmod_allocate_sparse(size_t rows, size_t columns, size_t most, int sorted, int packed,
                                            int stype, int xtype, cholmod_common *c);
int dls_cholmod_free_sparse(cholmod_sparse **A, cholmod_common *c);
int dls_cholmod_free_factor(cholmod_factor **L, cholmod_common *c);
int dls_cholmod_free_dense(cholmod_dense **x, cholmod_common *c);
int dls_cholmod_amd(cholmod_sparse *A, int64_t *set, size_t size, int64_t *order, cholmod_common *c);
cholmod_factor *dls_cholmod_analyze(cholmod_sparse *A, cholmod_common *c);
cholmod_factor *dls_cholmod_analyze_p(cholmod_sparse *A, int64_t *order, int64_t *set, size_t size,
                                      cholmod_common *c);
int dls_cholmod_factorize(cholmod_sparse *A, cholmod_factor *L, cholmod_common *c);
int dls_cholmod_solve2(int sys, cholmod_factor *L, cholmod_dense *b, cholmod_dense **x, cholmod_dense **y,
                       cholmod_dense **e, cholmod_common *c);

void dls_umfpack_defaults(double *control);
int dls_umfpack_symbolic(sunindextype n, const sunindextype *p, const sunindextype *i, void **symbolic,
                         const double *control);
int dls_umfpack_numeric(const sunindextype *p, const sunindextype *i, const double *x, void *symbolic,
                        void **numeric, const double *control);
int dls_umfpack_wsolve(int sys, const sunindextype *p, const sunindextype *i, const double *a, double *x,
                       const double *b, void *numeric, const double *control, sunindextype *wi, double *w);
/** The column order, and the diagonal of U. */
int dls_umfpack_get_order_and_diagonal(sunindextype *order, double *diagonal, void *numeric);
void dls_umfpack_free_symbolic(void **symbolic);
void dls_umfpack_free_numeric(void **numeric);

#endif
