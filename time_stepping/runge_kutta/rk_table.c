/* rk_table.c -- coefficients: explicit pairs from ARKODE, collocation methods here.
 * Sources: ARKODE user guide, appendix "Butcher tables"; Hairer & Wanner 1996, tables IV.5.1, IV.5.2, IV.5.5, IV.5.6
 * for Gauss and Radau IIA.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/runge_kutta/runge_kutta.h"
#include <arkode/arkode_butcher_erk.h>

#define EXPLICIT_NAMES                                                                                         \
  [DLS_RK_HEUN] = "heun", [DLS_RK_BOGACKI_SHAMPINE] = "bs3", [DLS_RK_RK4] = "rk4",                             \
  [DLS_RK_FEHLBERG45] = "rkf45", [DLS_RK_DORMAND_PRINCE] = "dopri5", [DLS_RK_FEHLBERG78] = "rkf78"

const char *const dls_rk_explicit_names[] = {EXPLICIT_NAMES, NULL};
const char *const dls_rk_names[] = {
    EXPLICIT_NAMES,
    [DLS_RK_GAUSS2] = "gauss2",
    [DLS_RK_GAUSS4] = "gauss4",
    [DLS_RK_RADAU3] = "radau3",
    [DLS_RK_RADAU5] = "radau5",
    NULL,
};

/* In each pair the result is that of the higher order. RK4 is the result of Zonneveld's pair. */
static const ARKODE_ERKTableID explicit_tables[] = {
    [DLS_RK_HEUN] = ARKODE_HEUN_EULER_2_1_2,
    [DLS_RK_BOGACKI_SHAMPINE] = ARKODE_BOGACKI_SHAMPINE_4_2_3,
    [DLS_RK_RK4] = ARKODE_ZONNEVELD_5_3_4,
    [DLS_RK_FEHLBERG45] = ARKODE_FEHLBERG_6_4_5,
    [DLS_RK_DORMAND_PRINCE] = ARKODE_DORMAND_PRINCE_7_4_5,
    [DLS_RK_FEHLBERG78] = ARKODE_FEHLBERG_13_7_8,
};

#define ROOT3 1.7320508075688772
#define ROOT6 2.4494897427831781

typedef struct collocation {
  int stages, order;
  double c[3], A[9], b[3];
} collocation;
static const collocation implicit_tables[] = {
    [DLS_RK_GAUSS2] = {1, 2, {0.5}, {0.5}, {1}},
    [DLS_RK_GAUSS4] = {2,
                       4,
                       {0.5 - ROOT3 / 6, 0.5 + ROOT3 / 6},
                       {0.25, 0.25 - ROOT3 / 6, 0.25 + ROOT3 / 6, 0.25},
                       {0.5, 0.5}},
    [DLS_RK_RADAU3] = {2, 3, {1.0 / 3, 1}, {5.0 / 12, -1.0 / 12, 0.75, 0.25}, {0.75, 0.25}},
    [DLS_RK_RADAU5] = {3,
                       5,
                       {(4 - ROOT6) / 10, (4 + ROOT6) / 10, 1},
                       {(88 - 7 * ROOT6) / 360, (296 - 169 * ROOT6) / 1800, (-2 + 3 * ROOT6) / 225,
                        (296 + 169 * ROOT6) / 1800, (88 + 7 * ROOT6) / 360, (-2 - 3 * ROOT6) / 225,
                        (16 - ROOT6) / 36, (16 + ROOT6) / 36, 1.0 / 9},
                       {(16 - ROOT6) / 36, (16 + ROOT6) / 36, 1.0 / 9}},
};

ARKodeButcherTable dls_rk_table(dls_rk_method method)
{
  if (method < DLS_RK_GAUSS2) {
    return ARKodeButcherTable_LoadERK(explicit_tables[method]);
  }
  collocation t = implicit_tables[method]; /* a copy, since ARKODE's argument is not const */
  return ARKodeButcherTable_Create(t.stages, t.order, 0, t.c, t.A, t.b, NULL);
}
