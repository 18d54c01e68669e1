/* block_piles.h -- contact problems of piles of rigid blocks, whose contacts are redundant: every face rests on its corners.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_BLOCK_PILES_H
#define DELASSUS_TESTS_BLOCK_PILES_H

#include <delassus/matrix.h>
#include <delassus/problem.h>
#include <gsl/gsl_rng.h>

typedef enum pile_kind { PILE_COLUMN, PILE_WALL, PILE_PYRAMID, PILE_KINDS } pile_kind;

typedef struct pile {
  dls_matrix *W; /* sparse, d m x d m */
  dls_block *blocks;
  double *q;
  size_t contacts, d;
  dls_matrix *H; /* W = H^T M^{-1} H */
  double *inverse_mass;
  size_t *columns;
  dls_problem_bodies bodies;
} pile;

/**
 * Blocks of 2 x 1 (x 1) m and about 1 kg, rows of them; a wall's rows are shifted by half a block, a pyramid's get shorter.
 * One step of 1 ms from velocities that are random by `kick` m/s, gravity included; mu between 0.1 and 1 a contact.
 * @param[in] d  2 or 3
 */
pile pile_create(pile_kind kind, size_t d, size_t rows, size_t columns, double kick, gsl_rng *rng);
/** The pile that has about so many contacts: 2 or 4 a face, one face a block in a column, two in the others. */
pile pile_of_size(pile_kind kind, size_t d, double contacts, double kick, gsl_rng *rng);
void pile_destroy(pile *p);
/** In other units: mass, length, time times these. */
void pile_rescale(pile *p, double mass, double length, double time);
dls_problem pile_problem(const pile *p);
/** The same, with what W is made of. */
dls_problem pile_problem_of_bodies(pile *p);
extern const char *const pile_names[PILE_KINDS];

#endif
