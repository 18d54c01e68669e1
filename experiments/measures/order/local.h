/* experiments/measures/order/local.h -- errors of one step from the exact state: before, across and after an impact, and over an
 * accumulation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LOCAL_H
#define DELASSUS_EXPERIMENTS_LOCAL_H

#include "common/run/coordinates.h"

#include <delassus/catalogue.h>
#include <delassus/choice.h>
#include <delassus/exact.h>
#include <delassus/fit.h>
#include <stdio.h>

/** Where a step of length h lies; t* is the impact, sigma in (0, 1). */
typedef enum dls_local_place {
  DLS_LOCAL_BEFORE,       /* [t* - (1 + sigma) h, t* - sigma h] */
  DLS_LOCAL_ACROSS,       /* [t* - sigma h, t* + (1 - sigma) h] */
  DLS_LOCAL_AFTER,        /* [t* + sigma h, t* + (1 + sigma) h] */
  DLS_LOCAL_ACCUMULATION, /* [t_a - h, t_a + h], t_a the first accumulation; one step of 2 h */
  DLS_LOCAL_PLACES
} dls_local_place;
extern const char *const dls_local_place_names[]; /* "before", "across", "after", "accumulation" */

typedef struct dls_local_spec {
  const dls_model *model;
  const double *parameters;
  const dls_exact *exact;
  const dls_scheme_choice *schemes;
  const char *const *labels;
  size_t scheme_count;
  double end;             /* events up to this time are known */
  double h_first, h_last; /* geometric sequence */
  size_t levels;          /* >= 2 */
  size_t places;          /* of sigma: (i + 1/2)/places; > 0 */
  size_t impact;          /* number of the impact, from 1 */
} dls_local_spec;

/** One step: exact minus numerical, at its end. */
typedef struct dls_local_point {
  size_t scheme;
  dls_local_place place;
  size_t level;
  double h, sigma, t; /* sigma 0 at the accumulation; t: where the step starts */
  bool impulse;       /* some contact had one in the step: the impact is detected */
  double e_q, e_v;    /* of the component with the largest one, signed */
  char failure[160];
} dls_local_point;

/** The largest errors of the levels, |e| = C h^order. */
typedef struct dls_local_line {
  size_t scheme;
  dls_local_place place;
  bool impulse, velocity;
  size_t steps, steps_there; /* of this kind; at this place in all */
  double largest[2];         /* of the first and of the last level that has such steps */
  bool fitted;               /* false: rounding, or fewer than three levels */
  dls_fit fit;
} dls_local_line;

/** Borrows what its spec points to. */
typedef struct dls_local {
  dls_local_spec spec;
  double t_impact, t_accumulation; /* the latter NaN: there is none */
  char units[2][DLS_UNIT_ROOM];    /* of q and v; "mixed" */
  double rounding[2];              /* of q and v, in these units: smaller errors are no errors of a scheme */
  size_t point_count, line_count;
  dls_local_point *points;
  dls_local_line *lines;
  bool complete;
} dls_local;

/**
 * Make all steps, but for those that contain another event of the exact solution or start before t = 0. At an accumulation no step is
 * left out.
 * @param[in] poll  of the fraction done; false interrupts; may be NULL
 * @return DLS_OK; DLS_ERR_ARG if there is no such impact; DLS_ERR_NOT_APPLICABLE for a scheme that chooses its own steps or
 *         does not treat the model; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY; *out is there whenever points are
 */
dls_status dls_local_run(const dls_local_spec *spec, bool (*poll)(void *, double), void *poll_data,
                         dls_local **out, dls_error *err);
void dls_local_destroy(dls_local *local); /* NULL is fine */
/** The line of a scheme at a place, or NULL. */
const dls_local_line *dls_local_find(const dls_local *local, size_t scheme, dls_local_place place, bool impulse,
                                     bool velocity);
/** local.csv, a row for each step; local_orders.csv, one for each line; then provenance. @return DLS_ERR_IO */
dls_status dls_local_write_steps(const dls_local *local, const dls_catalogue *catalogue, FILE *out);
dls_status dls_local_write_orders(const dls_local *local, const dls_catalogue *catalogue, FILE *out);

#endif
