/* two_stage_terms.h -- the blocks of Newton's matrix J of two_stage.c; for that file alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_TWO_STAGE_TERMS_H
#define DELASSUS_TIME_STEPPING_TWO_STAGE_TERMS_H

#include "time_stepping/multibody/two_stage.h"

/* Rows and columns of J: four of n, then of r. QJ and QN are q_j - q and q' - q: rounding of q would be divided by h. */
enum { QJ, VJ, QN, VN, LG, LJ, NJ, NN };
enum { R1, R2, R3, R4, CJ, CN, DJ, DN };
enum { DLS_TWO_STAGE_MOST = 52 };

/* A block of J with its coefficient, which depends on the step. */
typedef struct dls_two_stage_term {
  const dls_matrix *A;
  int row, column;
  bool transposed;
  double coefficient;
} dls_two_stage_term;

/** Those of a step of length h; out: room for DLS_TWO_STAGE_MOST. @return how many */
size_t dls_two_stage_terms(const dls_two_stage *s, const dls_matrix *M, double h, dls_two_stage_term *out);

#endif
