/* disc_box.h -- the parameters of two discs in a box and its walls, for the model rigid-discs and its exact solution.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_DISC_BOX_H
#define DELASSUS_MODELS_ELEMENTS_DISC_BOX_H

#include <stddef.h>

enum {
  DLS_DISC_RADIUS,
  DLS_DISC_MASS, /* of both */
  DLS_DISC_RESTITUTION = 3,
  DLS_DISC_LEFT,
  DLS_DISC_RIGHT,
  DLS_DISC_FLOOR,
  DLS_DISC_TOP,
  DLS_DISC_START, /* x, y of both */
  DLS_DISC_SPEED = DLS_DISC_START + 4,
  DLS_DISC_PARAMETERS = DLS_DISC_SPEED + 4
};
/* Contacts: 4 of each disc with the walls, and the one between them. */
enum { DLS_DISC_BETWEEN = 8, DLS_DISC_CONTACTS };

/** Gap of a wall's contact: sign (q[coordinate] - at) - R. */
typedef struct dls_disc_wall {
  size_t coordinate;
  double at, sign;
} dls_disc_wall;

/** @param[in] p  parameters; @param[in] contact  < DLS_DISC_BETWEEN */
static inline dls_disc_wall dls_disc_wall_of(const double *p, size_t contact)
{
  static const size_t at[] = {DLS_DISC_FLOOR, DLS_DISC_RIGHT, DLS_DISC_TOP, DLS_DISC_LEFT};
  const size_t disc = contact / 4, wall = contact % 4;
  const double sign = wall == 0 || wall == 3 ? 1 : -1; /* inward */
  return (dls_disc_wall){2 * disc + (wall % 2 == 0), p[at[wall]], sign};
}

#endif
