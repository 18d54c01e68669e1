/* shortest_feature.c -- the longest step that resolves the explicit time dependence of a system.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/calendar.h"
#include <math.h>
#include <stdlib.h>

enum {
  MOST_ROWS = 100000, /* rows of a table that are compared */
  MOST_PARTS = 8,     /* intervals of a run, each with the calendar's evaluations for one step */
};
static const double coarse =
    1; /* tol of the calendar: deviations below 1 % of the range of a term are negligible */
static const double nyquist = 0.5; /* of a period: longer steps alias it */

/* Smallest distance of two instants at which a load or a derivative of it jumps. */
static double rows_apart(const dls_system *sys, double begin, double end)
{
  double least = INFINITY, last = dls_system_next_break(sys, nextafter(begin, -INFINITY));
  for (size_t k = 0; last <= end && k < MOST_ROWS; k++) {
    const double next = dls_system_next_break(sys, last);
    least = next <= end ? fmin(least, next - last) : least;
    last = next;
  }
  return least;
}

/* Smallest distance of two instants of the calendar of the terms with bounds. */
static dls_status pieces(const dls_system *sys, double begin, double end, double *least, dls_error *err)
{
  dls_system bounded = *sys; /* the instants of harmonic terms and declared features are samples, not pieces */
  bounded.load_period = bounded.shortest_feature = 0;
  double *t = calloc(DLS_CALENDAR_ROOM, sizeof *t);
  dls_calendar *calendar = t == NULL ? NULL : dls_calendar_create(&bounded, begin, end, coarse, end - begin);
  if (calendar == NULL) {
    free(t);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the instants of %zu terms that depend on t",
                    sys->time_terms);
  }
  double a = begin, until = begin;
  for (int part = 0; part < MOST_PARTS && a < end; part++, a = until) {
    const size_t count = dls_calendar_instants(calendar, a, end, t, &until);
    for (size_t k = 0; k + 1 < count; k++) {
      *least = fmin(*least, t[k + 1] - t[k]);
    }
  }
  dls_calendar_destroy(calendar);
  free(t);
  return DLS_OK;
}

dls_status dls_system_shortest_feature(const dls_system *sys, double begin, double end, double *length,
                                       dls_error *err)
{
  double least = INFINITY;
  dls_status status = DLS_OK;
  if (sys->load_period > 0) {
    least = nyquist * sys->load_period;
  }
  if (sys->shortest_feature > 0) {
    least = fmin(least, sys->shortest_feature);
  }
  if (dls_system_explicit_time(sys) == DLS_TIME_EXPLICIT) {
    least = fmin(least, rows_apart(sys, begin, end));
  }
  if (sys->time_terms > 0) {
    status = pieces(sys, begin, end, &least, err);
  }
  *length = isfinite(least) ? least : 0;
  return status;
}
