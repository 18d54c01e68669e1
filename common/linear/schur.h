/* schur.h -- A^{-1} on a few rows B of a sparse matrix, such as the boundary of a mesh. KLU eliminates them last: the trailing block of its
 * factors is that of the Schur complement S = A_BB - A_BI A_II^{-1} A_IB, and (A^{-1})_BB = S^{-1}.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_SCHUR_H
#define DELASSUS_COMMON_LINEAR_SCHUR_H

#include <delassus/matrix.h>
#include <klu.h>
#include <stdbool.h>

typedef struct dls_schur dls_schur;

/**
 * B: the rows in which H has entries.
 * @param[out] schur  NULL if B is empty, or has more entries of S than about a row of A for each row of A
 * @return false if out of memory
 */
bool dls_schur_create(const dls_matrix *H, dls_schur **schur);
void dls_schur_destroy(dls_schur *s); /* NULL is fine */
/** Are all rows in which H has entries in B? */
bool dls_schur_covers(const dls_schur *s, const dls_matrix *H);
/** KLU orders B last from its next symbolic analysis on. */
void dls_schur_order(dls_schur *s, klu_common *common);
/** KLU has factored another A. */
void dls_schur_forget(dls_schur *s);
/** x_B := (A^{-1})_BB x_B @return false if pivots off the diagonal have changed the order: x as before */
bool dls_schur_solve(dls_schur *s, const klu_symbolic *symbolic, const klu_numeric *numeric, double *x);

/** x := A^{-1} x, for x = 0 in all rows but B, with the operations of klu_solve that are left: L has only its trailing block to do.
 * @return false as dls_schur_solve: x as before */
bool dls_schur_solve_from(dls_schur *s, const klu_symbolic *symbolic, const klu_numeric *numeric, double *x);

#endif
