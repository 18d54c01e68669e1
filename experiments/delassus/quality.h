/* delassus/quality.h -- how well a run treated its contacts, in a few figures that need no reference solution.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_QUALITY_H
#define DELASSUS_QUALITY_H

#include <delassus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Impacts slower than this fraction of the fastest of the run are slow: 1 %, 1e-4 of the energy. Of a time-stepping scheme they are
 * spurious: micro-bounces of a body that should rest (their speed is of order h), and what is left of an accumulation. A scheme by
 * events computes every impact of an accumulation; none of them is spurious. */
#define DLS_QUALITY_SPURIOUS DLS_SLOW_IMPACT

typedef struct dls_quality {
  size_t impacts;          /* of the run, whether the record has them or not */
  size_t spurious_impacts; /* slow ones of a time-stepping scheme */
  size_t measured;         /* impacts that the restitution figures are made of */
  /** Measured restitution -u_plus/u_minus, over the impacts that are not slow and at whose time no other
   * contact impacts; NaN if there is none, and of penalty schemes with several contacts, whose springs act together. */
  double restitution_min, restitution_max, restitution_mean;
  double worst_penetration; /* largest -g seen at any node, 0 if none [m] */
  double final_drift;       /* largest -g where the run ended, 0 if none [m] */
  size_t warnings;          /* kinds of warnings of the run, delassus/warning.h */
  size_t explained;         /* of them: penetrations that the step or the springs of the contacts explain */
} dls_quality;

/**
 * Figures of a run that has ended, well or not.
 * @param[in] traj  its record; the events are read only. Nodes may have been left out, and events: then the limit of slow impacts is
 *                  resolved to 0.4 % of itself if the fastest impact comes late
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_quality_measure(const dls_sim *sim, const dls_trajectory *traj, dls_quality *out,
                               dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
