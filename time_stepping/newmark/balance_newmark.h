/* balance_newmark.h -- energy identities of the nonsmooth Newmark family.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_NEWMARK_H
#define DELASSUS_TIME_STEPPING_BALANCE_NEWMARK_H

#include "time_stepping/newmark/newmark_step.h"
#include <delassus/balance.h>

extern const dls_balance dls_balance_newmark, dls_balance_hht, dls_balance_generalized_alpha,
    dls_balance_kh_generalized_alpha, dls_balance_three_level_alpha;

/* Common part of the identities, for schemes whose acceleration is not that of a dls_newmark_memory; own as there. */
enum { DLS_NEWMARK_BALANCE_VECTORS = 14 };
void dls_newmark_balance_start(const dls_sim *sim, const double *a, double *own);
double dls_newmark_balance_energy(const dls_sim *sim, const dls_newmark *c, double h, double *own);
/* With the lags of load and damping as terms of their own. row: M^-1 D of load_rows.h, NULL in a step without a row. */
void dls_newmark_balance_step(const dls_sim *sim, const dls_newmark *c, const double *a, const double *row,
                              double h, const double *q, const double *v, double *own, dls_balance_step *out);
#define DLS_NEWMARK_BALANCE_INERTIA                                                                            \
  {                                                                                                            \
    "inertia", "(1/2 - gamma) (h^2/2) (2 beta - gamma) |da|_M^2", false                                        \
  }
#define DLS_NEWMARK_BALANCE_TERMS                                                                              \
  DLS_NEWMARK_BALANCE_INERTIA, {"stiffness", "(eta + 1/2 - gamma) |dq|_K^2", false},                           \
  {                                                                                                            \
    "filter", "eta nu (gamma - nu - 1/2) |dz|_K^2", false                                                      \
  }
#define DLS_NEWMARK_BALANCE_LAGS                                                                               \
  {"load_lag", "-eta dq^T y_gamma", false},                                                                    \
  {                                                                                                            \
    "damping_lag", "eta dq^T C x_gamma", false                                                                 \
  }
extern const char dls_newmark_balance_symbols[];

#endif
