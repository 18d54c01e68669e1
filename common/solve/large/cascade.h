/* cascade.h -- first active set of many contacts without a guess.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LCP_CASCADE_H
#define DELASSUS_COMMON_LCP_CASCADE_H

#include "common/solve/large/matrix_operator.h"
#include "common/solve/lcp/lcp_methods.h"

enum { DLS_CASCADE_SMALLEST = 200 }; /* contacts up to which no coarser problem is made */

/** Up to DLS_CASCADE_SMALLEST contacts: all of them. More: from problems of half, a quarter, ... the size.
 * @param[out] active  n flags
 * @param[out] z       n: scratch
 * @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_lcp_cascade(dls_lcp_matrix *matrix, const double *b, unsigned char *active, double *z);

#endif
