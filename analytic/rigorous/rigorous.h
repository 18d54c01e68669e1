/* analytic/rigorous/rigorous.h -- exact solutions as enclosures, with as many digits as are asked for.
 *
 * Parameters and times are decimals and mean what is written. What comes out is a theorem about the model: each number lies
 * between its two, and there is no event besides those that are listed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_H
#define DELASSUS_RIGOROUS_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

/* What the module shows to the tool. */
#define DLS_RIGOROUS_EXPORT __attribute__((visibility("default")))

enum { DLS_RIGOROUS_MOST_DIGITS = 100, DLS_RIGOROUS_NAME = 32 };

typedef struct dls_rigorous_problem {
  const char *model;
  size_t parameter_count;
  const char *const *names;  /* parameter_count */
  const char *const *values; /* decimals */
  const char *end;           /* decimal [s] */
  size_t time_count;         /* 0: rows at all events */
  const char *const *times;  /* increasing decimals [s], none behind `end` */
  size_t by_count;
  const char *const *by; /* by_count parameters of derivatives of q, v and the times of events */
  unsigned digits;       /* an enclosure of x is no wider than 2 10^-digits max(1, |x|) */
  /* Called with the time of each event; starts again at 0 where a higher precision is needed. May be NULL. */
  void (*progress)(void *progress_data, double t);
  void *progress_data;
} dls_rigorous_problem;

/* Decimals. */
typedef struct dls_rigorous_cell {
  char *low, *high; /* low <= x <= high */
  char *ball;       /* "[1.2345 +/- 6e-30]" */
} dls_rigorous_cell;

typedef struct dls_rigorous_table {
  size_t columns, rows;
  char (*names)
      [DLS_RIGOROUS_NAME]; /* columns: t, q0, ..., v0, ..., g0, u0, p0, lambda0, with friction u0t, p0t, ...;
                                       of by: dt/dP, dq0/dP, ..., dv0/dP, ... */
  dls_rigorous_cell *cell; /* rows x columns */
  const char **event;      /* rows: what happened at this time, in the row after it; "" for nothing */
} dls_rigorous_table;

/**
 * @param[out] out  to be freed by dls_rigorous_free, also after a failure
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE for a model that it does not treat (the message lists them), or a
 *         derivative that it does not enclose (which, when and why); DLS_ERR_OPTION for an unknown parameter of `by`; DLS_ERR_NOCONV where a
 *         sign cannot be proven (the message says when), or the enclosures get no narrower; DLS_ERR_ARG for what is no
 *         decimal; DLS_ERR_CHATTERING; DLS_ERR_MEMORY
 */
DLS_RIGOROUS_EXPORT dls_status dls_rigorous_solve(const dls_rigorous_problem *problem, dls_rigorous_table *out,
                                                  dls_error *err);
DLS_RIGOROUS_EXPORT void dls_rigorous_free(dls_rigorous_table *table);

/* Of what nodes mean from a solution: nodes in time order, equal t twice is a jump; linear in between, or cubic where there are slopes. */
typedef struct dls_rigorous_distance_problem {
  dls_rigorous_problem
      exact; /* its end is not before the last node; its digits are those of the distance, relative */
  size_t count, dim;
  const double *t, *x, *slope; /* count; count x dim; the same, or NULL */
  const char *const *columns;  /* dim, of the solution */
  const char *tau, *xi;        /* decimals: time and value that count as 1 */
  enum { DLS_RIGOROUS_HAUSDORFF, DLS_RIGOROUS_L1 } norm;
} dls_rigorous_distance_problem;

enum { DLS_RIGOROUS_DISTANCE_DIGITS = 12 }; /* the most that may be asked of a distance */

/**
 * @param[out] out   its strings are for free()
 * @param[out] wide  it is wider than was asked
 * @return as dls_rigorous_solve; DLS_ERR_OPTION for a column that the solution has not, or that is no function of time
 */
DLS_RIGOROUS_EXPORT dls_status dls_rigorous_distance(const dls_rigorous_distance_problem *problem,
                                                     dls_rigorous_cell *out, bool *wide, dls_error *err);

#endif
