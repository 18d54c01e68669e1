/* coordinate_scales.c -- see coordinate_scales.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/coordinate_scales.h"
#include <string.h>

void dls_coordinate_scales(const dls_system *sys, double *scale)
{
  for (size_t i = 0; i < sys->n; i++) {
    dls_coordinate coordinate;
    dls_system_coordinate(sys, i, &coordinate);
    const bool number = strcmp(coordinate.unit, "rad") == 0 || strcmp(coordinate.unit, "1") == 0;
    scale[i] = number ? 1 : sys->length;
  }
}
