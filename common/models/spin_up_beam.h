/* spin_up_beam.h -- the parameters of the model spin-up-beam, for its exact solution.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_SPIN_UP_BEAM_H
#define DELASSUS_MODELS_SPIN_UP_BEAM_H

enum {
  DLS_SPIN_UP_ELEMENTS,
  DLS_SPIN_UP_MASS,
  DLS_SPIN_UP_LENGTH,
  DLS_SPIN_UP_EA,
  DLS_SPIN_UP_GA,
  DLS_SPIN_UP_EI,
  DLS_SPIN_UP_RHO_A,
  DLS_SPIN_UP_RHO_I,
  DLS_SPIN_UP_RATE,
  DLS_SPIN_UP_RISE
};

/* Distance from the axis of the point X of the beam in steady rotation [m]: EA r'' + rhoA rate^2 r = 0, r(0) = 0, r'(l)
 * = 1. */
double dls_spin_up_radius(const double *p, double X);

#endif
