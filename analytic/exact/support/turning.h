/* turning.h -- the direction e = (cos, sin) of an angle whose derivatives are bounded: for the spacing of nodes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TURNING_H
#define DELASSUS_TURNING_H

/** Bounds of |e'''' | and |e'''''| from those of the derivatives 1 to 5 of the angle, d[0] .. d[4] (Bell polynomials). */
void dls_turning_bounds(const long double d[5], long double *fourth, long double *fifth);
/** The step over which cubic Hermite interpolation errs by at most accuracy, h^4/384 fourth. */
double dls_turning_spacing(long double fourth, double accuracy);

#endif
