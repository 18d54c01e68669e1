/* row_slopes.h -- slopes of DLS_CUBIC columns, from the values of neighbouring rows.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_ROW_SLOPES_H
#define DELASSUS_ANALYTIC_ROW_SLOPES_H

#include <delassus/trajectory.h>

/** slope[row * dim + k] := derivative, at the row, of the polynomial through up to five rows of columns[k]: the row itself and
 * its nearest neighbours. Rows with equal t separate the parts of a column, and a polynomial uses the rows of one part. */
void dls_row_slopes(const dls_trajectory *traj, size_t dim, const size_t *columns, double *slope);

#endif
