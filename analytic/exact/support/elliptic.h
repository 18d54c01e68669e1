/* elliptic.h -- Jacobi's elliptic functions and Carlson's integrals of the first and third kind in long double.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ELLIPTIC_H
#define DELASSUS_ELLIPTIC_H

typedef struct dls_jacobi {
  long double sn, cn, dn;
} dls_jacobi;

enum { DLS_ELLIPTIC_MEANS = 16 }; /* convergence is quadratic */

/** Arithmetic-geometric means of 1 and kc. */
typedef struct dls_elliptic_means {
  long double kc, a;                         /* a: the last of them */
  long double ratio[DLS_ELLIPTIC_MEANS + 1]; /* c_n/a_n */
  int n;
} dls_elliptic_means;

/** Of x with the modulus k and its complement, k^2 + kc^2 = 1, 0 < kc; sn is accurate relative to itself for small x.
 * Source: arithmetic-geometric mean, Abramowitz, Stegun 16.4. */
dls_jacobi dls_elliptic_jacobi(long double x, long double k, long double kc);
dls_elliptic_means dls_elliptic_means_of(long double k, long double kc);
/** The same of one modulus, 2^-57 off at most: for rows of tables (trigonometry.h). */
dls_jacobi dls_elliptic_jacobi_row(const dls_elliptic_means *means, long double x);
/** R_F(x, y, z), none negative, at most one zero. Source: Carlson 1979. */
long double dls_elliptic_rf(long double x, long double y, long double z);
/** R_C(x, y) = R_F(x, y, y), x >= 0, y > 0. */
long double dls_elliptic_rc(long double x, long double y);
/** R_J(x, y, z, p), x, y, z as of R_F, p > 0. Source: Carlson 1979, as in DLMF 19.36. */
long double dls_elliptic_rj(long double x, long double y, long double z, long double p);

#endif
