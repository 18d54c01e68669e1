/* random_system.h -- random linear systems with contacts, for testing invariants that hold for every system.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_RANDOM_SYSTEM_H
#define DELASSUS_MODELS_ELEMENTS_RANDOM_SYSTEM_H

#include <delassus/model.h>

typedef struct dls_random_system {
  size_t n, m;
  size_t d;                /* rows of a contact: 1, with tangents 2 or 3 */
  double seed;             /* an integer below 2^53 */
  double e;                /* upper bound of the restitution coefficients */
  double mu;               /* upper bound of the coefficients of friction */
  double surface;          /* upper bound of the velocity of the surfaces along the tangents [m/s] */
  double damping;          /* upper bound of the eigenvalues of C [N s/m] */
  double amplitude, omega; /* of the harmonic load: upper bound of the entries [N], angular frequency [rad/s] */
} dls_random_system;

/** Linear; the same data give the same system bit for bit. @param[in] what  d m <= n @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_random_system_create(const char *name, const dls_random_system *what, dls_system **out,
                                    dls_error *err);

#endif
