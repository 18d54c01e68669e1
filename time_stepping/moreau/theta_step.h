/* theta_step.h -- the step that the Moreau-Jean scheme and its variant share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_STEP_H
#define DELASSUS_TIME_STEPPING_THETA_STEP_H

#include <delassus/scheme.h>

/** The options of the step, in this order: theta, gamma, velocity_test, velocity_tol, newton_tol, newton_max. */
#define DLS_THETA_OPTIONS(gamma_initial, velocity_test_initial)                                                \
  {"theta",  "1", "weight of the end of the step in the smooth forces; 1/2: order 2 without impacts",          \
   0.5,      0.5, 1,                                                                                           \
   DLS_REAL, 0,   NULL},                                                                                       \
      {"gamma",         "1", "forecast: a contact is active if its gap at t + gamma h is closed",              \
       (gamma_initial), 0,   1,                                                                                \
       DLS_REAL,        0,   NULL},                                                                            \
      {"velocity_test",                                                                                        \
       "",                                                                                                     \
       "only contacts that do not separate are active",                                                        \
       (velocity_test_initial),                                                                                \
       0,                                                                                                      \
       1,                                                                                                      \
       DLS_CHOICE,                                                                                             \
       0,                                                                                                      \
       dls_off_on},                                                                                            \
      {"velocity_tol",                                                                                         \
       "v_s",                                                                                                  \
       "gap velocity up to which a contact does not separate, in units of the model's velocity scale; "        \
       "impacts are counted below minus this",                                                                 \
       1e-9,                                                                                                   \
       0,                                                                                                      \
       1,                                                                                                      \
       DLS_REAL,                                                                                               \
       0,                                                                                                      \
       NULL},                                                                                                  \
      {"newton_tol",                                                                                           \
       "v_s",                                                                                                  \
       "nonlinear systems: last velocity increment accepted, in units of the model's velocity scale",          \
       1e-11,                                                                                                  \
       0,                                                                                                      \
       1,                                                                                                      \
       DLS_REAL,                                                                                               \
       DLS_OPEN_MIN,                                                                                           \
       NULL},                                                                                                  \
  {                                                                                                            \
    "newton_max", "1", "nonlinear systems: iterations allowed in a step", 20, 1, 1000, DLS_INTEGER, 0, NULL    \
  }
enum { DLS_THETA_OPTION_COUNT = 6 };

extern const dls_option dls_theta_options[];

/** @param[in] eta  of q' = q + h ((1 - eta) v + eta v') */
dls_status dls_theta_start(dls_sim *sim, double eta, dls_error *err);
dls_status dls_theta_advance(dls_sim *sim, double h, dls_error *err);
/** The state was set from outside. */
dls_status dls_theta_moved(dls_sim *sim, dls_error *err);
void dls_theta_finish(dls_sim *sim);
double dls_theta_value(const dls_sim *sim); /* the option theta */

#endif
