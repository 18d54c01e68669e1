/* delassus/contact_mode.h -- forces of closed contacts with friction at acceleration level: as long as each keeps what it does, and
 * what each does next.
 *
 *   smooth    u'_N = 0, r_T = 0                        no friction
 *   slips     u'_N = 0, r_T = -mu r_N e                e: direction of the slip
 *   sticks    u' = 0                                   all rows
 *
 * With the rows B and the columns D that these leave, A = B^T M^-1 D is not symmetric, and D x are the forces.
 * Sources: Acary, lecture on nonsmooth mechanical systems, eqs. (29)-(31); Klarbring 1990 for the modes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CONTACT_MODE_H
#define DELASSUS_CONTACT_MODE_H

#include <delassus/contact_system.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_contact_mode_kind {
  DLS_MODE_FRICTIONLESS,
  DLS_MODE_SLIPS,
  DLS_MODE_STICKS
} dls_contact_mode_kind;

/** What a closed contact does along its tangents. */
typedef struct dls_contact_mode {
  dls_contact_mode_kind kind;
  double mu;   /* of |r_T| = mu r_N in slip; of the limit |r_T| <= mu r_N where it sticks */
  double e[2]; /* slip: its direction, d - 1 numbers */
} dls_contact_mode;

typedef struct dls_mode_solver dls_mode_solver; /* workspace */

/** @param[in] stage  in the mass metric; borrowed @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_mode_solver_create(dls_contact_system *contacts, dls_mode_solver **out, dls_error *err);
void dls_mode_solver_destroy(dls_mode_solver *solver); /* NULL is fine */

/**
 * Forces of contacts that go on as they do, at the place of the stage; to the last bit that can be had.
 * @param[in]     grip   m, by contact; read on the set
 * @param[in]     share  rows: redundant rows share the force so that x differs least from this; NULL: from 0
 * @param[in,out] a      n; without contact forces in, with them out
 * @param[out]    r      rows: of all contacts, 0 outside of the set
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_mode_solver_reaction(dls_mode_solver *solver, const dls_contacts *set,
                                    const dls_contact_mode *mode, const double *share, const double *v,
                                    double *a, double *r, dls_error *err);
/** Tangents, of d - 1, along which contact j of the last set, which sticks, could slip: the others are held by the gaps of the
 * set and by joints, and friction along them is 0; u' there is what those make of it. 0: it does not stick.
 * @param[out] e  so many unit vectors, each along the tangents; NULL: not asked for */
size_t dls_mode_solver_free_directions(const dls_mode_solver *solver, size_t j, double e[2][2]);
/**
 * Can contact j of the set, in space, slip along one line only while u_N = 0 on the set and others stick?
 * @param[in,out] e     2: its direction; that of the line, of the two the nearer
 * @param[out]    line  it can, or not at all: e is what it was then
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_mode_solver_single_line(dls_mode_solver *solver, const dls_contacts *set,
                                       const dls_contact_mode *mode, size_t j, double *e, bool *line,
                                       dls_error *err);
/** Rows less rank of the last reaction: where it is not 0, the forces of single contacts are not unique. */
size_t dls_mode_solver_redundant(const dls_mode_solver *solver);
/**
 * What the contacts do next, u_N = 0 and, where they stick, u_T = 0 now:
 *   smooth, slips   0 <= u'_N  _|_  r_N >= 0 with the r_T above
 *   sticks          Coulomb's law on (u'_N, u'_T) with mu
 * All combinations of modes in the plane; of several solutions the smallest forces.
 * @param[out] solutions  how many there are, where that is known; else 0
 * @return DLS_OK; DLS_ERR_LCP, DLS_ERR_NOCONV: there is none, or none was found; DLS_ERR_MEMORY
 */
dls_status dls_mode_solver_force(dls_mode_solver *solver, const dls_contacts *set, const dls_contact_mode *mode,
                                 const double *v, double *a, double *r, size_t *solutions, dls_error *err);
/** A_jj of a contact that slips, W_NN - mu W_NT e: not positive, its friction turns its own normal force round. */
double dls_mode_solver_slip_pivot(dls_mode_solver *solver, size_t j, const dls_contact_mode *mode);

#ifdef __cplusplus
}
#endif

#endif
