/* delassus/contact_mode.h -- forces of closed contacts with friction at acceleration level: those of given contact modes, and the modes
 * that come next.
 *
 *   frictionless  u'_N = 0, r_T = 0
 *   slips         u'_N = 0, r_T = -mu r_N e            e: direction of the slip
 *   sticks        u' = 0                               all rows
 *
 * B are the rows that these modes set to zero, D the directions of their forces. A = B^T M^-1 D is not symmetric, and the forces
 * are D x.
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

/** The mode of a closed contact. */
typedef struct dls_contact_mode {
  dls_contact_mode_kind kind;
  double mu;   /* of |r_T| = mu r_N in slip; of the limit |r_T| <= mu r_N where it sticks */
  double e[2]; /* slip: its direction, d - 1 numbers */
  /** Slip in space whose direction turns, p = e turned by 90 degrees: a force z along p has p . u' + turning z = 0, as
   * dr_T = -mu r_N/|u_T| p (p . du_T) where r and u are derivatives of an impact; 0: e stays [1/kg]. */
  double turning;
} dls_contact_mode;

typedef struct dls_mode_solver dls_mode_solver; /* workspace */

/** @param[in] contacts  in the mass metric; borrowed @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_mode_solver_create(dls_contact_system *contacts, dls_mode_solver **out, dls_error *err);
void dls_mode_solver_destroy(dls_mode_solver *solver); /* NULL is fine */

/**
 * Forces of contacts that keep their modes, at the configuration of the contact system; accurate to rounding. By the bodies, those whose
 * residual did not converge to 1e-10 count as the fallback "mode-residual".
 * @param[in]     mode   m, by contact; read on the set
 * @param[in]     share  rows; of redundant rows the forces x that are nearest to these; NULL: to 0
 * @param[in]     v      n; NULL: c of u' = H^T v' + c is that of the contact system as it is
 * @param[in,out] a      n; in: without contact forces, out: with them
 * @param[out]    r      rows: of all contacts, 0 outside of the set
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_mode_solver_reaction(dls_mode_solver *solver, const dls_contacts *set,
                                    const dls_contact_mode *mode, const double *share, const double *v,
                                    double *a, double *r, dls_error *err);
/** May dls_mode_solver_hold be called for so many rows? It solves by the bodies, without W, where M is diagonal. solver NULL: no */
bool dls_mode_solver_holds(const dls_mode_solver *solver, size_t rows);
/** The same with velocities: v += M^-1 H r such that the rows of u that the modes hold are zero. @return as reaction */
dls_status dls_mode_solver_hold(dls_mode_solver *solver, const dls_contacts *set, const dls_contact_mode *mode,
                                double *v, double *r, dls_error *err);
/**
 * The free directions of contact j of the last set, which sticks: along these it could slip. The gaps of the set and the joints
 * hold the other directions. Friction along those is 0, and u' follows from the constraints.
 * @param[out] e  unit vectors in the tangent plane; NULL: not asked for
 * @return how many, at most d - 1; 0: it does not stick
 */
size_t dls_mode_solver_free_directions(const dls_mode_solver *solver, size_t j, double e[2][2]);
/**
 * Can contact j of the set, in space, slip along a single line while u_N = 0 on the set and others stick?
 * @param[in,out] e     2: its direction; out: the nearer one of the two along the line
 * @param[out]    line  whether it can; if not, e is unchanged
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_mode_solver_single_line(dls_mode_solver *solver, const dls_contacts *set,
                                       const dls_contact_mode *mode, size_t j, double *e, bool *line,
                                       dls_error *err);
/** Rows less rank of the last reaction. If it is not 0, the forces of single contacts are not unique. */
size_t dls_mode_solver_redundant(const dls_mode_solver *solver);
/**
 * The modes that come next. Now u_N = 0 and, where contacts stick, u_T = 0:
 *   frictionless, slips   0 <= u'_N  _|_  r_N >= 0 with the r_T above
 *   sticks                Coulomb's law on (u'_N, u'_T) with mu
 * In the plane all combinations of modes are tried. Of several solutions the one with the smallest forces is taken.
 * @param[out] solutions  their number, if it is known; else 0
 * @return DLS_OK; DLS_ERR_LCP, DLS_ERR_NOCONV: there is none, or none was found; DLS_ERR_MEMORY
 */
dls_status dls_mode_solver_force(dls_mode_solver *solver, const dls_contacts *set, const dls_contact_mode *mode,
                                 const double *v, double *a, double *r, size_t *solutions, dls_error *err);
/** A_jj of a contact that slips, W_NN - mu W_NT e. If it is not positive, friction reverses the effect of the normal force on the
 * gap: a Painleve paradox. */
double dls_mode_solver_slip_pivot(dls_mode_solver *solver, size_t j, const dls_contact_mode *mode);

#ifdef __cplusplus
}
#endif

#endif
