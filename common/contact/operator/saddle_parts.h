/* saddle_parts.h -- what saddle.c and saddle_problem.c share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_SADDLE_PARTS_H
#define DELASSUS_COMMON_CONTACT_SADDLE_PARTS_H

#include "common/contact/operator/saddle_system.h"

/* A^{-1} H z for z[count] at the active rows first, first + 1, ...; in D->x. */
const double *dls_saddle_apply(const dls_delassus *D, size_t first, size_t count, const double *z);

typedef struct dls_saddle_problem dls_saddle_problem;

dls_saddle_problem *dls_saddle_problem_create(dls_delassus *D); /* NULL if out of memory */
void dls_saddle_problem_destroy(dls_saddle_problem *p);         /* NULL is fine */
/* Other active contacts: what was laid out is not theirs. */
void dls_saddle_problem_take(dls_saddle_problem *p);
/* A or H changed. */
void dls_saddle_problem_reset(dls_saddle_problem *p);
const dls_problem_operator *dls_saddle_problem_operator(dls_saddle_problem *p);

#endif
