/* naive_newmark.h -- Newmark and HHT with the contact force as part of the acceleration: the step that the
 * schemes which fail at impacts share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_NAIVE_NEWMARK_H
#define DELASSUS_TIME_STEPPING_NAIVE_NEWMARK_H

#include "time_stepping/newmark/newmark_step.h"

/** Options of the schemes with contact at position level, behind their own; those with contact at velocity level
 * have DLS_NEWMARK_CONTACT_OPTIONS. */
#define DLS_NAIVE_POSITION_OPTIONS                                                                             \
  DLS_REAL_OPTION(DLS_NEWMARK_CONTACT, dls_newmark_contact_options, velocity_tol, "v_s",                       \
                  "gap velocity below minus which a contact impacts, in units of the velocity scale", 1e-9, 0, \
                  1, 0),                                                                                       \
      DLS_NEWMARK_NEWTON_OPTIONS

/** Coefficients of the kind: alpha_m = 0 and no Krenk-Hogsberg; alpha_f < 1; beta > 0 (position) or gamma > 0 (velocity). */
dls_status dls_naive_start(dls_sim *sim, dls_error *err);
dls_status dls_naive_advance(dls_sim *sim, double h, dls_error *err);
void dls_naive_finish(dls_sim *sim);

#endif
