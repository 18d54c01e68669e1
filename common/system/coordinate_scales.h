/* coordinate_scales.h -- scales of single coordinates: angles have none of length.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_COORDINATE_SCALES_H
#define DELASSUS_COMMON_COORDINATE_SCALES_H

#include <delassus/model.h>

/** scale[n] := 1 of coordinates in rad and of pure numbers, the length scale of others. */
void dls_coordinate_scales(const dls_system *sys, double *scale);

#endif
