/* gap_root.h -- where a gap becomes negative first, from its values, velocities and accelerations at both ends.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CONTACT_GAP_ROOT_H
#define DELASSUS_CONTACT_GAP_ROOT_H

#include <stdbool.h>

enum { DLS_GAP_COEFFICIENTS = 6 };

/** g, u, gamma at one end of a step: of a gap, or of another function with its two derivatives. */
typedef struct dls_gap_end {
  double g, u, gamma;
} dls_gap_end;

/** c := the Bernstein coefficients on [0, h] of the quintic with these values and derivatives: its values lie between the
 * least and the largest of them. Source: Farouki & Rajan 1987, CAGD 4, 191-216. */
static inline void dls_gap_bernstein(dls_gap_end a, dls_gap_end b, double h, double c[DLS_GAP_COEFFICIENTS])
{
  const double d = h / 5;
  c[0] = a.g;
  c[1] = a.g + d * a.u;
  c[2] = a.g + 2 * d * a.u + h * h / 20 * a.gamma;
  c[3] = b.g - 2 * d * b.u + h * h / 20 * b.gamma;
  c[4] = b.g - d * b.u;
  c[5] = b.g;
}
/** Changes of sign among Bernstein coefficients, zero being positive: no fewer than there are zeros, and one means one. */
int dls_gap_sign_changes(const double c[DLS_GAP_COEFFICIENTS]);

/**
 * The quintic with these values and derivatives, on [0, h]: is it negative anywhere?
 * In a search of limited length: where rounding errors, or values that are not finite, leave it open, the answer is yes, at
 * the place that was reached, and the caller looks for itself.
 * @param[out] root  its first zero; 0 if it begins below zero
 * @param[out] below a point behind that zero where it is negative, before the next zero
 */
bool dls_gap_root(dls_gap_end a, dls_gap_end b, double h, double *root, double *below);
/** The zero of that quintic to rounding, from the root that dls_gap_root found, of which the last digits are missing; in
 * [0, h]. */
double dls_gap_root_refined(dls_gap_end a, dls_gap_end b, double h, double root);

#endif
