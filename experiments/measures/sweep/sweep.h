/* experiments/measures/sweep/sweep.h -- what becomes of a motion over a parameter: runs at values of it, of which the last
 * part is looked at.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_SWEEP_H
#define DELASSUS_EXPERIMENTS_SWEEP_H

#include "experiments/campaign/sweep_axis.h"
#include "experiments/measures/sweep/extrema.h"

#include <delassus/catalogue.h>
#include <delassus/choice.h>
#include <delassus/exact.h>
#include <delassus/model.h>
#include <delassus/sim.h>
#include <delassus/warning.h>

/** A parameter at the values of an axis, with `curve_count` values of another one. */
typedef struct dls_sweep_range {
  dls_sweep_axis axis;
  const dls_option *curve; /* of the model; NULL: one curve */
  const double *curves;
  size_t curve_count;
  double from; /* [s]: what comes before is left out */
} dls_sweep_range;

struct dls_sweep;

typedef struct dls_sweep_spec {
  const dls_model *model;
  const double *parameters; /* all but those of the range */
  const dls_exact *exact;   /* of the model, or NULL */
  const dls_scheme_choice *schemes;
  const char *const *labels; /* of the schemes */
  size_t scheme_count, of_count;
  const char *const *of; /* columns, also those of dls_derive; impact0, ... */
  double step, end;
  dls_start start;
  size_t halvings; /* as in dls_run_spec, of the schemes that need a step */
  size_t max_rows; /* of each run, as in dls_recording */
  dls_sweep_range range;
  /** After every run, with the points so far; NULL: nobody asks. */
  void (*keep)(void *data, const struct dls_sweep *sweep);
  void *keep_data;
} dls_sweep_spec;

/** Is it "impact0", ...: the velocities of a gap before its impacts, in the place of turns? @param[out] contact  of it */
bool dls_sweep_impact(const char *of, size_t *contact);

/** One quantity of one run. */
typedef struct dls_sweep_point {
  size_t scheme, curve, of; /* scheme == scheme_count: the exact solution */
  double value;             /* of the parameter */
  dls_extrema extrema;      /* not there where failure says why */
  bool sticks;              /* a contact sticks for some time */
  char failure[200];
} dls_sweep_point;

/** Borrows everything that its spec points to. */
typedef struct dls_sweep {
  dls_sweep_spec spec;
  size_t point_count;
  dls_sweep_point *points;
  dls_warning_tally warnings; /* of the runs of schemes */
  bool complete;              /* false: it was interrupted, and points are missing */
} dls_sweep;

/**
 * Make all runs. A run that fails is a point with its reason.
 * @param[in] poll  of the part that is done, in [0, 1]; false ends it
 * @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY; *out is there whenever points are
 */
dls_status dls_sweep_run(const dls_sweep_spec *spec, bool (*poll)(void *, double), void *poll_data,
                         dls_sweep **out, dls_error *err);
void dls_sweep_destroy(dls_sweep *sweep); /* NULL is fine */
/** The point of a scheme at a value, or NULL; scheme == scheme_count: of the exact solution. */
const dls_sweep_point *dls_sweep_find(const dls_sweep *sweep, size_t scheme, size_t curve, size_t of,
                                      double value);
/** Largest difference between the least and largest values of a scheme and those of the exact solution over all points of one
 * quantity. @return NaN if one of them is missing */
double dls_sweep_difference(const dls_sweep *sweep, size_t scheme, size_t of);
/** A row for each point: scheme,curve,value,of,least,largest,turns,sticks,failure, then provenance. @return DLS_ERR_IO */
dls_status dls_sweep_table(const dls_sweep *sweep, const dls_catalogue *catalogue, FILE *out);

#endif
