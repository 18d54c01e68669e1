/* base_options.h -- options of the schemes that others use as their one-step maps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BASE_OPTIONS_H
#define DELASSUS_TIME_STEPPING_BASE_OPTIONS_H

#include "time_stepping/step/iteration.h"

/** Where a theta-step takes M and H: q + h theta v, q, or (1 - theta) q + theta q' of the step itself. */
typedef enum dls_theta_place { DLS_THETA_AHEAD, DLS_THETA_START, DLS_THETA_IMPLICIT } dls_theta_place;

/** Moreau-Jean and its variant; the last three are not in the tables of all members. */
typedef struct dls_theta_options {
  double theta, gamma;
  int velocity_test;
  double velocity_tol;
  dls_newton_options newton;
  int place;        /* a dls_theta_place */
  int gap_forecast; /* 1: g + gamma h U, linear in v */
  int stability;    /* 1: theta < 1/2 is run all the same */
} dls_theta_options;

/** What all members of the Newmark family have. */
typedef struct dls_newmark_contact_options {
  double forecast;
  int velocity_test;
  double velocity_tol;
  dls_newton_options newton;
} dls_newmark_contact_options;

/** Those of all members; each has its own of them in its table. */
typedef struct dls_newmark_options {
  double gamma, beta;
  double alpha; /* HHT */
  int parameters;
  double rho_inf, alpha_m, alpha_f;
  int joints;    /* a dls_newmark_joint_levels */
  int stability; /* 1: coefficients outside the range of unconditional stability are run all the same */
  int restart;   /* of formulas of two steps: 1: behind an impact with one */
  dls_newmark_contact_options contact;
} dls_newmark_options;

#endif
