/* csv.h -- what writing and reading trajectories share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CSV_H
#define DELASSUS_COMMON_CSV_H

#include <delassus/trajectory.h>

enum { DLS_MEANINGS = DLS_HERMITE + 1 };
/** As the line "interpolation" names them. */
extern const char *const dls_meaning_names[DLS_MEANINGS];

#endif
