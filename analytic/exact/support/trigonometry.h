/* trigonometry.h -- sine, cosine and their inverses for rows of tables, which are doubles: about 2^-62 off, in few operations of long double.
 * Where long double is computed in software, as in WebAssembly, they take a tenth of the time of sinl.
 * Roots of gaps need the digits of sinl.
 * Source: tables with short series, after Gal and Bachelis 1991.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TRIGONOMETRY_H
#define DELASSUS_TRIGONOMETRY_H

typedef struct dls_sine_cosine {
  long double sine, cosine;
} dls_sine_cosine;

/** Sine and cosine of y, each 2^-62 off at most; the sine of a small angle relative to itself. */
dls_sine_cosine dls_sine_cosine_of(long double y);
/** Of |x| <= 0.9, relative to itself. */
long double dls_arc_sine(long double x);
/** Relative to itself. */
long double dls_arc_tangent(long double x);

#endif
