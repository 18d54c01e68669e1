/* stiff_membrane.h -- a stiff membrane of unit masses that arrives flat on a floor, or at a ceiling, with all of its contacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_STIFF_MEMBRANE_H
#define DELASSUS_TESTS_STIFF_MEMBRANE_H

#include <delassus/sim.h>
#include <math.h>

typedef void membrane_load(const dls_system *sys, double t, double *F);

/* side x side masses; above a floor (upwards 1) or below a ceiling (-1). */
static inline dls_system *stiff_membrane(size_t side, double upwards, membrane_load *load)
{
  const size_t count = side * side;
  dls_system *sys = dls_system_create(count, count);
  sys->linear = true;
  sys->load = load;
  sys->M = dls_matrix_diagonal(count);
  sys->K = dls_matrix_sparse(count, count, 5 * count);
  sys->H = dls_matrix_sparse(count, count, count);
  for (size_t j = 0; j < count; j++) {
    const size_t neighbours[5] = {j - side, j - 1, j, j + 1, j + side};
    const bool there[5] = {j >= side, j % side > 0, true, (j + 1) % side > 0, j + side < count};
    for (size_t k = 0; k < 5; k++) {
      if (there[k]) {
        dls_matrix_set(sys->K, neighbours[k], j, k == 2 ? 16e8 : -4e8);
      }
    }
    dls_matrix_set(sys->M, j, j, 1);
    dls_matrix_set(sys->H, j, j, upwards);
    sys->v0[j] = -0.01 * upwards;
  }
  return sys;
}

/* Force on each mass: it presses in patches, and pulls between them, by waves of these numbers. */
static inline void press_in_patches(size_t side, double across, double along, double *force)
{
  for (size_t j = 0; j < side * side; j++) {
    force[j] = 1e4 * (sin(across * (double)(j % side)) * cos(along * (double)(j / side)) - 0.2);
  }
}

#endif
