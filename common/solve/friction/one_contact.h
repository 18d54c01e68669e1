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

/**
 * The same, with the residual of the certificate.
 * @param[in]     block  two or three rows of Coulomb's law, or two of the associated one; else there is no answer
 * @param[in,out] r  kept if there is no answer
 * @param[out]    u  d: W r + q
 * @return false if the residual is above DLS_EXACT or the tolerance: the answer needs to be refined
 */
bool dls_one_contact_certified(const dls_block *block, const double *W, const double *q, double tolerance,
                               double *r, double *u, dls_problem_report *report);

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
