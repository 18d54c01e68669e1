/* slider_crank_mechanism.h -- the slider-crank of Flores, Leine, Glocker 2010 as a mechanism: crank, connecting rod and
 * slider in natural coordinates, with revolute joints, initially along x.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_SLIDER_CRANK_PARTS_H
#define DELASSUS_MODELS_ELEMENTS_SLIDER_CRANK_PARTS_H

#include "common/models/multibody/mechanism.h"

enum {
  DLS_SLIDER_CRANK_L1,
  DLS_SLIDER_CRANK_L2,
  DLS_SLIDER_CRANK_M1,
  DLS_SLIDER_CRANK_M2,
  DLS_SLIDER_CRANK_M3,
  DLS_SLIDER_CRANK_J1,
  DLS_SLIDER_CRANK_J2,
  DLS_SLIDER_CRANK_J3,
  DLS_SLIDER_CRANK_RATE,
  DLS_SLIDER_CRANK_GRAVITY,
  DLS_SLIDER_CRANK_COUNT
};
/* Entries of a table of parameters, in the order of the constants. */
#define DLS_SLIDER_CRANK_PARAMETERS                                                                            \
  DLS_NUMBER("l1", "m", "length of the crank", 0.153, 0, DBL_MAX, DLS_OPEN_MIN),                               \
      DLS_NUMBER("l2", "m", "length of the connecting rod", 0.306, 0, DBL_MAX, DLS_OPEN_MIN),                  \
      DLS_NUMBER("m1", "kg", "mass of the crank", 0.038, 0, DBL_MAX, DLS_OPEN_MIN),                            \
      DLS_NUMBER("m2", "kg", "mass of the connecting rod", 0.038, 0, DBL_MAX, DLS_OPEN_MIN),                   \
      DLS_NUMBER("m3", "kg", "mass of the slider", 0.076, 0, DBL_MAX, DLS_OPEN_MIN),                           \
      DLS_NUMBER("J1", "kg m^2", "inertia of the crank about its centre", 7.4e-5, 0, DBL_MAX, DLS_OPEN_MIN),   \
      DLS_NUMBER("J2", "kg m^2", "inertia of the connecting rod about its centre", 5.9e-4, 0, DBL_MAX,         \
                 DLS_OPEN_MIN),                                                                                \
      DLS_NUMBER("J3", "kg m^2", "inertia of the slider about its centre", 2.7e-6, 0, DBL_MAX, DLS_OPEN_MIN),  \
      DLS_NUMBER("omega", "rad/s", "angular velocity of the crank at the start", 150, -DBL_MAX, DBL_MAX, 0),   \
      DLS_NUMBER("g", "m/s^2", "gravity, along -y", 9.81, 0, DBL_MAX, 0)

enum { DLS_SLIDER_CRANK_BODIES = 3, DLS_SLIDER_CRANK_REVOLUTES = 3 };
/* Bodies, and the revolute joints ground - crank - rod - slider; `joints` has room for at least these. */
void dls_slider_crank_mechanism(const double *p, dls_body bodies[DLS_SLIDER_CRANK_BODIES], dls_joint *joints);

#endif
