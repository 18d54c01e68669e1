/* delassus/exact.h -- closed-form solutions of models, through impacts, accumulations and lasting contact.
 * Each is one file in analytic/exact/ and one line in the catalogue; see docs/reference/exact-solutions.md.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXACT_H
#define DELASSUS_EXACT_H

#include <delassus/error.h>
#include <delassus/model.h>
#include <delassus/sensitivity.h>
#include <delassus/trajectory.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Values at one instant, one side; arrays of the caller: q, v, a[n]; p, lambda[m]; status[m]; mu[r], of joints. */
typedef struct dls_exact_value {
  double *q, *v, *a, *p, *lambda;
  int *status;
  double *mu;
} dls_exact_value;

typedef struct dls_exact_solution dls_exact_solution; /* one solution on [0, end]; defined by each file */

typedef struct dls_exact {
  const dls_model *model; /* the model that it solves; p below are that model's parameters in their order */
  const char *summary, *source;
  size_t n, m; /* sizes; n = 0: those of the system that the parameters make */
  bool
      both_limits; /* values jump at the start of every piece, also where there is no event (a wave front passes);
                       else at impacts and accumulations only */
  /**
   * Find all events in [0, end].
   * @param[in] p    in range and accepted by the model
   * @param[in] end  >= 0 [s]
   * @return DLS_OK; DLS_ERR_CHATTERING with the time reached if there are more than 10^6 events; DLS_ERR_MEMORY
   */
  dls_status (*create)(const double *p, double end, dls_exact_solution **out, dls_error *err);
  void (*destroy)(dls_exact_solution *solution); /* what create has made, also if it failed; never NULL */
  /** Smooth pieces [start(i), start(i+1)], i < pieces; between two pieces there is an event, or
   * a jump if both_limits. start(0) = 0;
   * starts increase strictly and are true event times rounded to double (a piece shorter than that is left
   * out). Both NULL: one piece. */
  size_t (*pieces)(const dls_exact_solution *solution);
  double (*start)(const dls_exact_solution *solution, size_t piece);
  /** g and u from q and v at t; arrays of n and m. */
  void (*gap)(const dls_exact_solution *solution, double t, const double *q, const double *v, double *g,
              double *u);
  /** Left limit at t = 0, where an event is: the initial data. NULL: the value of piece 0. */
  void (*initial)(const dls_exact_solution *solution, dls_exact_value *out);
  /** Value at t on a piece: its right limit for t <= start(piece), its left limit for t >= start(piece + 1). t
   * is a time, not a time since the start, because the true start is no double. p is the impulse of the event
   * at t <= start(piece), else 0. */
  void (*value)(const dls_exact_solution *solution, size_t piece, double t, dls_exact_value *out);
  /** The event at the start of a piece. @return false if there is none (piece 0, or any if both_limits).
   * NULL: there is none at all */
  bool (*event)(const dls_exact_solution *solution, size_t piece, dls_event *out);
  /** h > 0 such that cubic Hermite interpolation of q and v between t and t + h, both on the piece, errs by at
   * most accuracy (absolute, in m and m/s); INFINITY if it never errs, as NULL says of all. */
  double (*spacing)(const dls_exact_solution *solution, size_t piece, double t, double accuracy);
} dls_exact;

/**
 * Sample a solution on [0, end]: q, v, g with Hermite meaning (columns a0..), u, lambda, a, mu with cubic meaning, both limits at events, one row
 * at a grazing, events, and the notes model, parameters, scheme, accuracy, end.
 * @param[in] p         parameters of exact->model, or NULL for its defaults
 * @param[in] accuracy  interpolation errs by at most this in q [m] and v [m/s], besides rounding; at least
 *                      DBL_EPSILON times the length scale of the system
 * @return DLS_OK; DLS_ERR_OPTION for a parameter out of range; DLS_ERR_ARG for parameters that do not go
 * together, end that is not positive, or an accuracy that is too small or needs more than 10^7 rows;
 * DLS_ERR_CHATTERING; DLS_ERR_MEMORY
 */
dls_status dls_exact_trajectory(const dls_exact *exact, const double *p, double end, double accuracy,
                                dls_trajectory **out, dls_error *err);
/** The same, but pieces that end before `begin` have only their events, no rows. So a part of a long motion costs only its own rows. */
dls_status dls_exact_trajectory_from(const dls_exact *exact, const double *p, double begin, double end,
                                     double accuracy, dls_trajectory **out, dls_error *err);
/**
 * Rows at given times; two rows, left and right limit, where a time is that of a jump. Events up to the last
 * time.
 * @param[in] times  count >= 1, >= 0, strictly increasing
 * @return as dls_exact_trajectory
 */
dls_status dls_exact_at(const dls_exact *exact, const double *p, size_t count, const double *times,
                        dls_trajectory **out, dls_error *err);

/** Whether a solution has a derivative with respect to a parameter. */
typedef struct dls_exact_derivative {
  /* ok; one-sided: in some rows, because p is at the end of its range, or the events on the other side differ; degenerate: the events
   * differ on both sides of p, however near, or no value was found */
  dls_derivative_status status;
  double missing_from; /* time of the first row whose values are NaN; infinite: none is missing [s] */
} dls_exact_derivative;

/**
 * Add derivatives with respect to parameters, at fixed t, to a table of the same solution: columns dq0/dP, ..., dv0/dP, ... behind the
 * others, for one parameter after another; dt/dP of each event, for its file; notes "sensitivity_P".
 *
 * The closed form of each piece is differentiated by extrapolated differences between solutions with the same events, so that no event
 * comes between. The relative error is about 1e-12 where derivatives are of moderate size. A value whose estimated error is above
 * 1e-7 is NaN.
 * @param[in]     p        those of the table; NULL: the defaults
 * @param[in,out] table    of dls_exact_at or dls_exact_trajectory, without derivatives
 * @param[out]    statuses count
 * @return DLS_OK; DLS_ERR_OPTION if the model has no such parameter, or if its values are whole numbers or choices; DLS_ERR_ARG if the
 *         table has no rows, or a parameter is given twice; DLS_ERR_MEMORY
 */
dls_status dls_exact_differentiate(const dls_exact *exact, const double *p, size_t count,
                                   const char *const *names, dls_trajectory *table,
                                   dls_exact_derivative *statuses, dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
