/* direction_scale.h -- how much neighbouring systems of a parameter differ, in units of the scales of the system.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_DIRECTION_SCALE_H
#define DELASSUS_COMMON_DIRECTION_SCALE_H

#include <delassus/model.h>

typedef struct dls_system_change {
  double change; /* largest difference of the last system from the first */
  double
      bend; /* of three systems: largest distance of the middle one from the straight line between the others, twice */
  double rounding; /* of forces at the start that differ; of a linear system, of its loads */
} dls_system_change;

/**
 * Compare initial data, laws, instants of jumps, and at some states near the start mass, forces M_ii l_s/t_s^2, gaps, contact and
 * joint rows, velocities of surfaces. Values that are not finite are left out.
 * @param[in] count  2, or 3 at equal distances; all of the same sizes
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_system_compare(size_t count, const dls_system *const *systems, dls_system_change *out,
                              dls_error *err);

#endif
