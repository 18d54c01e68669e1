/* one_contact.h -- the exact solution of one contact with Coulomb's law.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_ONE_CONTACT_H
#define DELASSUS_COMMON_SOLVE_ONE_CONTACT_H

#include <delassus/problem.h>
#include <stdbool.h>

/**
 * One solution: open where q_N >= 0, else stick where possible, else slip. Of several slips: the one nearest to the given r
 * if that is not 0, else the smallest |r|.
 * @param[in]     W  d x d, column-major; W_NN > 0
 * @param[in,out] r  d
 */
void dls_contact_exact(size_t d, const double *W, const double *q, double mu, double *r);
/** x := W^{-1} x of one block, d <= 3, by elimination with pivots; singular directions of W get 0. */
void dls_block_solve(size_t d, const double *W, double *x);

/* Two or three rows. @return number of solutions in r[3 k + i], at most DLS_ONE_CONTACT_MOST */
size_t dls_plane_all(const double *W, const double *q, double mu, double *r);
size_t dls_space_all(const double *W, const double *q, double mu, double *r);
/* Slip, given that the contact neither opens nor sticks. @return as above; 0 if there is none */
size_t dls_plane_slips(const double *W, const double *q, double mu, double *r);
size_t dls_space_slips(const double *W, const double *q, double mu, double *r);
/* r of a sticking contact. @return false if |r_T| > mu r_N, or if u = 0 is impossible */
bool dls_plane_stick(const double *W, const double *q, double mu, double *r);
bool dls_space_stick(const double *W, const double *q, double mu, double *r);

#endif
