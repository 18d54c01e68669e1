/* gap_root.h -- where a gap becomes negative first, from its values, velocities and accelerations at both ends.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CONTACT_GAP_ROOT_H
#define DELASSUS_CONTACT_GAP_ROOT_H

#include <stdbool.h>

/** g, u, gamma at one end of a step. */
typedef struct dls_gap_end {
  double g, u, gamma;
} dls_gap_end;

/**
 * The quintic with these values and derivatives, on [0, h]: is it negative anywhere?
 * In a search of limited length: where rounding errors, or values that are not finite, leave it open, the answer is yes, at
 * the place that was reached, and the caller looks for itself.
 * @param[out] root  its first zero; 0 if it begins below zero
 * @param[out] below a point behind that zero where it is negative, before the next zero
 */
bool dls_gap_root(dls_gap_end a, dls_gap_end b, double h, double *root, double *below);

#endif
