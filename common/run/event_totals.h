/* event_totals.h -- what is known of all events of a run where its record leaves some out: counts, accumulations, restitution.
 *
 * Memory does not depend on the number of events. Impacts are slow below a fraction of the fastest of the run, which is known
 * only when that is over: until then the others are in bins of their speed (256 to a factor of 2), and the bins below the limit are
 * emptied when a faster impact raises it. The sum over restitutions is taken in the order of the events; it has the bits of one over a list unless
 * a bin is emptied.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_EVENT_TOTALS_H
#define DELASSUS_COMMON_RUN_EVENT_TOTALS_H

#include <delassus/trajectory.h>

enum { DLS_TOTALS_LISTED = 5, DLS_TOTALS_KINDS = DLS_PAINLEVE + 1 };

typedef struct dls_event_totals {
  size_t count, left_out;         /* of all events; of them, not in the record */
  size_t kinds[DLS_TOTALS_KINDS]; /* how many of each */
  size_t solutions;               /* the most that a contact problem had */
  /* Merged impacts: times with such, and the first of them without a result, else the first. */
  size_t merged_times;
  dls_event merged;
  double last_t;
  size_t last_merged;                         /* of the last event */
  dls_event accumulations[DLS_TOTALS_LISTED]; /* the first of them */
  double last_time_end, largest_bound;        /* of all accumulations */
  size_t slow_impacts, measured;              /* impacts below the limit; others that show a restitution */
  double restitution_sum, restitution_min, restitution_max; /* NaN: measured = 0 */
  struct dls_impact_bins *bins;                             /* NULL: no restitution is wanted */
  char **notes; /* note_count: more of each event of the record, " key=value ...", for its file */
  size_t note_count;
} dls_event_totals;

/** @param[in] restitution  impacts are sorted by speed, too. @return NULL if out of memory */
dls_event_totals *dls_event_totals_create(bool restitution);
void dls_event_totals_destroy(dls_event_totals *totals); /* NULL is fine */
void dls_event_totals_add(dls_event_totals *totals, const dls_event *event);
/** All events are there: complete the restitution. */
void dls_event_totals_close(dls_event_totals *totals);
/** Those of a record: its own, else those of its events, without restitution, written to *own. */
const dls_event_totals *dls_event_totals_of(const dls_trajectory *traj, dls_event_totals *own);

#endif
