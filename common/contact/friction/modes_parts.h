/* common/contact/friction/modes_parts.h -- inside of dls_mode_solver, for its files.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_MODES_PARTS_H
#define DELASSUS_COMMON_CONTACT_MODES_PARTS_H

#include "common/contact/friction/directions.h"
#include "common/contact/friction/proximal_factor.h"
#include <delassus/contact_mode.h>
#include <sundials/sundials_types.h>

/* An unknown force of a contact: what it is along the rows, and the combination of them that is 0. */
typedef struct dls_unknown {
  size_t row;                 /* the first of the contact */
  double along[3], across[3]; /* d */
} dls_unknown;

struct dls_mode_solver {
  dls_contact_system *contacts;
  size_t count, room;            /* unknowns; room for them */
  dls_unknown *unknown;          /* count */
  double *A, *factors;           /* count x count, column-major */
  dls_free_directions *tangents; /* m: of those in the set that stick */
  dls_free_directions_work *mobility;
  size_t blocked;         /* tangents of them that cannot slip */
  bool *wanted, *held;    /* m: whose tangents are asked for; who sticks beside them */
  size_t laid_count;      /* the set that A was made for: */
  size_t *laid_index;     /* m */
  dls_contact_mode *laid; /* m: its grips */
  bool is_laid, is_factored, is_regular;
  dls_proximal_factor *many; /* factors of more than FEW unknowns; NULL before their first use */
  bool is_many;              /* A is factored there */
  size_t rank;
  double **columns; /* of factors */
  sunindextype *swap;
  double *b, *x, *work; /* count; work: 4 count */
  size_t *order;        /* count: of columns */
  double *block;        /* owns the doubles */
  dls_block *blocks;    /* m */
  double *r;            /* rows: blocks of the set */
  size_t redundant;
  dls_problem_solver *modes, *general;
};

/* Factor A, unless it was. @return false if out of memory */
bool dls_mode_solver_prepare(dls_mode_solver *g);
/* x := -A^{-1} b, with redundant rows the smallest; of many unknowns nearly so. */
void dls_mode_solver_solve(dls_mode_solver *g);

#endif
