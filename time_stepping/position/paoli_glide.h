/* paoli_glide.h -- many steps of small systems at once, private to the Schatzman-Paoli scheme.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_PAOLI_GLIDE_H
#define DELASSUS_TIME_STEPPING_PAOLI_GLIDE_H

#include "time_stepping/step/small.h"

/** The number of a run. */
enum { DLS_PAOLI_THETA };
/** What a run keeps: arrays of n, then of m. */
enum {
  DLS_PAOLI_LOAD,
  DLS_PAOLI_Q,
  DLS_PAOLI_D,
  DLS_PAOLI_KEEPS_N,
  DLS_PAOLI_G_LAST = DLS_PAOLI_KEEPS_N,
  DLS_PAOLI_G,
  DLS_PAOLI_U_MINUS,
  DLS_PAOLI_IMPULSE,
  DLS_PAOLI_PI,
  DLS_PAOLI_KEEPS
};
dls_small_go dls_paoli_one, dls_paoli_two, dls_paoli_four, dls_paoli_eight;

/** Of linear systems with up to 8 degrees of freedom and 4 contacts, without friction. */
void dls_paoli_glide(dls_glide *lane, size_t count);

#endif
