/* row.h -- balls in a row.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_ROW_H
#define DELASSUS_MODELS_ELEMENTS_ROW_H

#include <math.h>

/** The centre of the ball behind one at `before`. Balls in contact must not start apart by a rounding error, which would be an open
 * contact. */
static inline double dls_next_in_row(double before, double radius, double gap)
{
  double place = before + (2 * radius + gap);
  while (gap == 0 && place - before - 2 * radius > 0) {
    place = nextafter(place, before);
  }
  return place;
}

#endif
