/* beam_element.h -- planar, geometrically exact beams of two nodes. One Gauss point avoids shear locking.
 *
 * DLS_BEAM_ANGLE: nodes (x, y, angle), at the middle of the element r' = (r_2 - r_1)/L, theta = (theta_1 + theta_2)/2,
 *   Gamma_1 = c x' + s y' - 1,  Gamma_2 = -s x' + c y',  kappa = (theta_2 - theta_1)/L,   c, s = cos, sin(theta)
 * DLS_BEAM_DIRECTORS: nodes (x, y, d_x, d_y), with d . d = 1 as a joint, d = (d_1 + d_2)/2,
 *   Gamma_1 = d . r' - 1,   Gamma_2 = d^perp . r',   kappa = d^perp . d',   d^perp = (-d_y, d_x)
 * W = L/2 (EA Gamma_1^2 + GA Gamma_2^2 + EI kappa^2)
 * Directors make strains quadratic, so that e(b) - e(a) = B((a + b)/2) (b - a), and W has the discrete derivative
 *   W*(a, b) = L B((a + b)/2)^T D (e(a) + e(b))/2,   (b - a) . W* = W(b) - W(a),                                (1)
 * which conserves linear and angular momentum. With angles, which change by 2 z at the middle of the element,
 *   e(b) - e(a) = B^ (b - a),   W* = L B^^T D (e(a) + e(b))/2,                                                    (2)
 * where B^ is B((a + b)/2) with the columns of positions times cos z and those of angles times sin(z)/z in the rows of Gamma. It
 * conserves linear momentum, and angular momentum up to terms of z^2.
 * Sources: Reissner 1972; Simo, Vu-Quoc 1986; Romero, Armero 2002; Betsch, Steinmann 2002.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_BEAM_ELEMENT_H
#define DELASSUS_MODELS_ELEMENTS_BEAM_ELEMENT_H

#include <stddef.h>

typedef enum dls_beam_kind { DLS_BEAM_ANGLE, DLS_BEAM_DIRECTORS } dls_beam_kind;

enum { DLS_BEAM_NODE_MOST = 4, DLS_BEAM_MOST = 8 }; /* coordinates of a node, of an element */
static inline size_t dls_beam_node_size(dls_beam_kind kind)
{
  return kind == DLS_BEAM_ANGLE ? 3 : 4;
}

typedef struct dls_beam_section {
  double EA, GA,
      EI; /* stiffness: axial [N], of shear, with the factor of the section [N], of bending [N m^2] */
  double rhoA, rhoI; /* mass [kg/m], rotary inertia [kg m] */
} dls_beam_section;

/* x: the coordinates of an element, of length L. */
/** Gamma_1, Gamma_2, kappa. */
void dls_beam_strains(dls_beam_kind kind, double L, const double *x, double e[3]);
/** N, Q [N] and M [N m]. */
void dls_beam_stresses(dls_beam_kind kind, const dls_beam_section *section, double L, const double *x,
                       double S[3]);
/** W [J] */
double dls_beam_energy(dls_beam_kind kind, const dls_beam_section *section, double L, const double *x);
/** f = dW/dx */
void dls_beam_force(dls_beam_kind kind, const dls_beam_section *section, double L, const double *x, double *f);
/** K = df/dx, by rows */
void dls_beam_stiffness(dls_beam_kind kind, const dls_beam_section *section, double L, const double *x,
                        double *K);
/** W*(a, b) of (1) or (2), and dW* / db, which is not symmetric. */
void dls_beam_conserving_force(dls_beam_kind kind, const dls_beam_section *section, double L, const double *a,
                               const double *b, double *f);
void dls_beam_conserving_stiffness(dls_beam_kind kind, const dls_beam_section *section, double L,
                                   const double *a, const double *b, double *K);
/** Consistent mass L/6 [2 1; 1 2] with rhoA and rhoI, by rows. */
void dls_beam_mass(dls_beam_kind kind, const dls_beam_section *section, double L, double *M);

#endif
