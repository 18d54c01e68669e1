/* gap_constraint.h -- the problem that stewart-trinkle and convex-step pose: 0 <= g/h + U_N' _|_ P_N >= 0.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_GAP_CONSTRAINT_H
#define DELASSUS_TIME_STEPPING_GAP_CONSTRAINT_H

#include "time_stepping/convex/linearised_step.h"

typedef struct dls_gap_options {
  dls_linearised_options known;
  double gamma;
  int restitution;
} dls_gap_options;
#define DLS_GAP_OPTIONS                                                                                        \
  DLS_KNOWN_OPTIONS(DLS_KNOWN_ALL),                                                                            \
      DLS_REAL_OPTION(0, dls_gap_options, gamma, "1",                                                          \
                      "fraction of a penetration that a step removes; open gaps are not scaled", 1, 0, 1,      \
                      DLS_OPEN_MIN),                                                                           \
      DLS_OWN_RESTITUTION_OPTION(0, dls_gap_options)

extern const dls_linearised_kind dls_gap_kind;
void dls_gap_pose(const dls_sim *sim, dls_linearised *s, double h);
dls_status dls_gap_prepare(dls_sim *sim, dls_linearised *s, dls_error *err);
void dls_gap_note(const dls_sim *sim, char *text, size_t size);

#endif
