/* base_options.h -- options of the schemes that others use as their one-step maps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BASE_OPTIONS_H
#define DELASSUS_TIME_STEPPING_BASE_OPTIONS_H

#include "time_stepping/step/iteration.h"

/** Moreau-Jean and its variant. */
typedef struct dls_theta_options {
  double theta, gamma;
  int velocity_test;
  double velocity_tol;
  dls_newton_options newton;
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
  dls_newmark_contact_options contact;
} dls_newmark_options;

#endif
