/* solid_element.h -- bilinear quadrilaterals in plane strain with 2 x 2 Gauss points, exact at large rotations, of depth 1 m.
 *
 *   F = sum_a x_a (grad N_a)^T,   E = (F^T F - 1)/2,   S = lambda tr(E) 1 + 2 mu E,   W = int S : E/2
 * with gradients in the unloaded body (Saint Venant-Kirchhoff law). E is quadratic in x, so that W has the discrete
 * derivative
 *   W*_a(x, y) = int F_m S_m grad N_a,   F_m = (F(x) + F(y))/2,   S_m = (S(x) + S(y))/2,                        (1)
 *   (y - x) . W* = W(y) - W(x),
 * which conserves linear and angular momentum. With S(F_m) in place of S_m (the midpoint rule) the energy is not conserved.
 * Coordinates of an element: x and y of its corners, counter-clockwise.
 * Sources: Simo & Tarnow 1992; Armero & Petocz 1996, eqs. (2.42), (2.43).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_SOLID_ELEMENT_H
#define DELASSUS_MODELS_ELEMENTS_SOLID_ELEMENT_H

#include <stdbool.h>

enum { DLS_QUAD_CORNERS = 4, DLS_QUAD_POINTS = 4, DLS_QUAD_SIZE = 8 };

typedef struct dls_solid_material {
  double lambda, mu; /* Lame's constants [Pa] */
  double rho;        /* density [kg/m^3] */
} dls_solid_material;

/** An element of the unloaded body. */
typedef struct dls_quad {
  double gradient[DLS_QUAD_POINTS][DLS_QUAD_CORNERS][2]; /* gradients of N_a at the Gauss points [1/m] */
  double weight[DLS_QUAD_POINTS];                        /* [m^2] */
} dls_quad;

/** From Young's modulus E [Pa] and Poisson's ratio nu < 1/2. */
dls_solid_material dls_solid_of_modulus(double E, double nu, double rho);
/** @param[in] X  its corners, unloaded @return false if it has no area at a Gauss point, or its corners are clockwise */
bool dls_quad_create(const double X[DLS_QUAD_SIZE], dls_quad *out);

/** W [J] */
double dls_quad_energy(const dls_quad *quad, const dls_solid_material *of, const double *x);
/** f = dW/dx [N] */
void dls_quad_force(const dls_quad *quad, const dls_solid_material *of, const double *x, double *f);
/** K = df/dx, by rows */
void dls_quad_stiffness(const dls_quad *quad, const dls_solid_material *of, const double *x, double *K);
/** (1), and dW* / dy, by rows, which is not symmetric. */
void dls_quad_conserving_force(const dls_quad *quad, const dls_solid_material *of, const double *x,
                               const double *y, double *f);
void dls_quad_conserving_stiffness(const dls_quad *quad, const dls_solid_material *of, const double *x,
                                   const double *y, double *K);
/** Consistent mass int rho N_a N_b, by rows. */
void dls_quad_mass(const dls_quad *quad, const dls_solid_material *of, double *M);
/** Mean Cauchy stress of the element: xx, yy, xy [Pa]. */
void dls_quad_stress(const dls_quad *quad, const dls_solid_material *of, const double *x, double stress[3]);

#endif
