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

/** The members of dls_contact_quality, which are columns of quality.csv. */
#define DLS_CONTACT_QUALITY_LIST(X)                                                                            \
  X(first_restitution)                                                                                         \
  X(first_phase)                                                                                               \
  X(bounce_energy)                                                                                             \
  X(rest_depth)                                                                                                \
  X(rest_speed)                                                                                                \
  X(creep)                                                                                                     \
  X(lift)                                                                                                      \
  X(hop)                                                                                                       \
  X(evals_per_contact)                                                                                         \
  X(first_slip_ratio)

/** How contacts behave where they should impact, rest, stick or slide: from nodes and the reference, not from what the scheme reports.
 * NaN where there is nothing to measure, and in studies without limit models. */
typedef struct dls_contact_quality {
  double first_restitution; /* -u+/u- of the first impact */
  double first_phase;       /* time from the node before it to the impact, over the step: in [0, 1] */
  double bounce_energy;     /* median gain of (u+^2 - e^2 u-^2)/u-^2 of the impacts */
  double rest_depth;        /* mean -g where the reference rests [m] */
  double rest_speed;        /* mean speed of the gap there [m/s] */
  double creep;             /* mean slip where the reference sticks [m/s] */
  double lift, hop;         /* mean and largest gap where the reference slides [m] */
  double
      evals_per_contact; /* force evaluations, contact problems and factorizations over the contacts with a force, summed over nodes */
  double first_slip_ratio; /* slip after the first impact over that before, along the slip before */
} dls_contact_quality;

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
  dls_contact_quality contact;
} dls_quality;

/** All NaN. */
dls_contact_quality dls_contact_quality_none(void);

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
