/* experiments/measures/fit/made_data.h -- data that a study makes itself: a motion with known parameters, and normal noise.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FIT_MADE_DATA_H
#define DELASSUS_EXPERIMENTS_FIT_MADE_DATA_H

#include "experiments/measures/fit/parameter_fit.h"

typedef struct dls_fit_made {
  dls_model_choice model;   /* with the true parameters; to be released */
  dls_scheme_choice scheme; /* one that chooses its own steps; scheme NULL: no data are made */
  double end;               /* of the times end/rows, 2 end/rows, ..., end [s] */
  size_t rows;
  double noise; /* its standard deviation, in the unit of the column */
  unsigned long seed;
} dls_fit_made;

/**
 * @param[in]  of   the columns: q0, v1, ...; borrowed
 * @param[out] out  its block is to be freed
 * @return DLS_OK; DLS_ERR_OPTION for an unknown column; DLS_ERR_MEMORY; as dls_run
 */
dls_status dls_fit_table_make(const dls_fit_made *made, size_t of_count, const char *const *of,
                              dls_fit_table *out, dls_error *err);

#endif
