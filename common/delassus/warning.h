/* delassus/warning.h -- what physics forbids and a run did nevertheless. The list of kinds with their thresholds is in docs/file-formats.md.
 * A run keeps the first occurrence of each kind (of penetrations the deepest) and the number of occurrences in sim->warnings; its record gets
 * one metadata line "warning: KIND, t=T, contact=C, value=X" for each kind that occurred.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_WARNING_H
#define DELASSUS_WARNING_H

#include <delassus/trajectory.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_warning_kind {
  DLS_WARN_PASSED,      /* bodies passed through each other between two nodes; value: least gap [m] */
  DLS_WARN_PENETRATION, /* a gap is negative; value: the least gap of the run [m] */
  DLS_WARN_FACE,        /* a contact acts outside of its face; value: distance from it [m] */
  DLS_WARN_ENERGY,      /* energy grew without a source; value: the gain [J] */
  DLS_WARN_MOMENTUM,    /* momentum changed without an impulse; value: the change that nothing explains [N s] */
  DLS_WARN_PULL,        /* a contact pulls at the end of a run; value: its force [N] */
  DLS_WARN_SCALES, /* motion and contact forces are far below the scales of length and time; value: their largest ratio */
  DLS_WARN_NOT_FINITE, /* a number is not finite; value: nan */
  DLS_WARNING_KINDS
} dls_warning_kind;

/** What explains a penetration. The first two belong to the scheme and its step, so that studies only count them. */
typedef enum dls_warning_cause {
  DLS_CAUSE_UNKNOWN,
  DLS_CAUSE_STEP,   /* the body moves so far in one step */
  DLS_CAUSE_SPRING, /* the contacts are springs */
  DLS_CAUSE_DRIFT   /* the contact law acts on velocities and does not correct gaps */
} dls_warning_cause;

typedef struct dls_warning {
  size_t count;   /* occurrences; 0: none */
  double from, t; /* [s]; the interval in which it occurred, or twice the node */
  bool has_contact;
  size_t contact;
  double value;
  dls_warning_cause cause;
} dls_warning;

/** Of many runs. */
typedef struct dls_warning_tally {
  size_t runs;      /* all of them */
  size_t warned;    /* with a warning that its step or the springs of the contacts do not explain */
  size_t explained; /* with a penetration that they explain */
} dls_warning_tally;

struct dls_sim;

/** "passed-through", "penetration", ... */
const char *dls_warning_name(dls_warning_kind kind);
/** How many kinds occurred in a run. */
size_t dls_sim_warning_count(const struct dls_sim *sim);
/** How many of them the step or the springs of the contacts explain. */
size_t dls_sim_warning_explained(const struct dls_sim *sim);
/** Count a run with this many kinds of warnings. */
void dls_warning_tally_add(dls_warning_tally *tally, size_t warnings, size_t explained);
/** A sentence for people on a kind that occurred. */
void dls_sim_warning_text(const struct dls_sim *sim, dls_warning_kind kind, char *text, size_t size);
/** The same of a record, or of a file that was read: the i-th "KIND, t=T, contact=C, value=X"; NULL behind the last. */
const char *dls_trajectory_warning(const dls_trajectory *traj, size_t i);
size_t dls_trajectory_warning_count(const dls_trajectory *traj);

#ifdef __cplusplus
}
#endif

#endif
