/* box_pile.h -- piles of rigid boxes resting on each other. Faces touch in their corners: two contacts per face in the
 * plane, four in space, so the contacts are redundant. Linear: gaps and slips are those of small displacements.
 *   plane   q = (x, y, angle) of each box, y up          space   q = (x, y, z, rx, ry, rz), z up, rotations about the axes
 * q are displacements from the pile at rest, where every gap is 0. Contacts: face by face, row by row from the floor; rows N,
 * T1 (along x), T2 (across).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_BOX_PILE_H
#define DELASSUS_MODELS_ELEMENTS_BOX_PILE_H

#include <delassus/model.h>

/** The parameters of every such model; ends with {0}. */
extern const dls_option dls_box_pile_parameters[];

typedef struct dls_box_pile dls_box_pile;
/** Number of boxes of a row. */
typedef size_t (*dls_box_count)(const dls_box_pile *pile, size_t row);
/** Left and right end of box k of a row along x, in widths of a whole box; increasing. */
typedef void (*dls_box_place)(const dls_box_pile *pile, size_t row, size_t k, double *left, double *right);

struct dls_box_pile {
  size_t rows, columns, dim;
  double mass, width, height, depth; /* fraction of a whole box */
  double mu, restitution, slope, gravity, v0;
  dls_box_count count;
  dls_box_place box;
};

/** The pile of the parameters p, with boxes laid by `count` and `box`. */
dls_box_pile dls_box_pile_of(const double *p, dls_box_count count, dls_box_place box);
/** @return DLS_OK; DLS_ERR_ARG: more than a million boxes; DLS_ERR_MEMORY */
dls_status dls_box_pile_create(const char *name, const dls_box_pile *pile, dls_system **out, dls_error *err);
/** The boxes in front view, rotated by their angles. */
void dls_box_pile_sketch(const dls_box_pile *pile, const double *q, dls_sketch *out);

#endif
