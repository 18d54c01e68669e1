/* experiments/measures/cycle/cycle_section.h -- the section of a cycle: from a state on it to the next, and the directions in it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CYCLE_SECTION_H
#define DELASSUS_EXPERIMENTS_CYCLE_SECTION_H

#include "experiments/measures/cycle/cycle.h"

typedef struct dls_section {
  const dls_cycle_spec *spec;
  size_t n;
  double *block;
  double *z;      /* 2 n: q and v of the state that all others are measured from */
  double *range;  /* 2 n: of each over the cycle, > 0 */
  int *status;    /* m: of the contacts right after the event */
  size_t free;    /* coordinates that can be chosen, drifting ones left out */
  size_t *column; /* free of 2 n: which */
  double *
      basis; /* free x 2 n, row-major: the states of x are z + range . sum x_i basis_i, where range . is by components */
} dls_section;

typedef struct dls_return {
  double time;
  double *z; /* 2 n, the caller's */
  size_t events[DLS_EVENT_KINDS], event_count;
} dls_return;

/** From the model's start to the last event before spec->end; directions and ranges there. dls_section_release frees, also after a
 * failure. */
dls_status dls_section_make(const dls_cycle_spec *spec, dls_section *out, dls_error *err);
void dls_section_release(dls_section *section);
/** From state z to its `returns`-th return. @param[in] tol  of the scheme; 0: its own */
dls_status dls_section_shoot(const dls_section *section, const double *z, double tol, size_t returns,
                             dls_return *out, dls_error *err);
/** z := the state of coordinates x, and back. */
void dls_section_state(const dls_section *section, const double *x, double *z);
void dls_section_coordinates(const dls_section *section, const double *z, double *x);

#endif
