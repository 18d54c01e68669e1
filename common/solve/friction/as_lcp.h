/* as_lcp.h -- contact problems with a faceted friction cone as linear complementarity problems w = L z + b, for Lemke's method. The
 * rows of free blocks are eliminated, r = G z, and L = R W G + E, b = R q.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_AS_LCP_H
#define DELASSUS_COMMON_SOLVE_AS_LCP_H

#include "common/solve/friction/friction_methods.h"

enum { DLS_LEMKE_LARGEST = 1000 };

/** Variable z_i with its w_i: row i of R and column i of G, nonzero only in the rows of one contact. */
typedef struct dls_lcp_variable {
  size_t first, rows; /* index of the contact, free blocks not counted */
  double left[3], right[3];
} dls_lcp_variable;

typedef struct dls_lcp_form {
  size_t size, contacts; /* size of the LCP; rows of contacts */
  dls_lcp_variable *variable;
  double *L, *b, *z; /* size x size column-major, size, size */
  size_t free;       /* rows of free blocks */
  double *F;         /* n rows of n + 1: [W q], free rows first; after the elimination [I X y; 0 W' q'] */
  size_t *order;     /* n: row of the problem in each row of F */
} dls_lcp_form;

/** Write the variables of one block, given the index of its first row among the contacts' rows and of its first
 * variable; fill E into L. */
typedef void dls_lcp_describe(const dls_problem_task *task, const dls_block *block, size_t row, size_t variable,
                              dls_lcp_form *form);

/**
 * Solve by Lemke's method: `size_of` returns the number of variables of a block, 0 for free ones.
 * @return DLS_OK; DLS_ERR_MEMORY; DLS_ERR_LCP on a ray, or if W of the free blocks is singular
 */
dls_status dls_solve_as_lcp(dls_problem_task *task, const char *method,
                            size_t (*size_of)(const dls_problem_task *, const dls_block *),
                            dls_lcp_describe *describe);

#endif
