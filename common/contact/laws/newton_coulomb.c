/* newton_coulomb.c -- Newton's impact law with Coulomb's friction.
 * Source: Acary, Collins-Craft 2023, eqs. (9)-(19), (32).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/law.h>
#include <math.h>

static const dls_option parameters[] = {
    DLS_NUMBER("e", "1", "restitution coefficient", 0, 0, 1, 0),
    DLS_NUMBER("mu", "1", "coefficient of friction", 0, 0, INFINITY, DLS_OPEN_MAX),
    DLS_NUMBER("mu_s", "1", "coefficient of friction while the contact sticks, at least mu; 0: the same as mu",
               0, 0, INFINITY, DLS_OPEN_MAX),
    DLS_NUMBER("e_t", "1", "tangential restitution coefficient", 0, 0, 1, 0),
    {0},
};

/* u^_N = u_N+ + e u_N-,  u^_T = u_T+ + e_T u_T- */
static void mixture(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)u_minus;
  (void)theta;
  c[0] = sys->e[j];
  for (size_t k = 1; k < sys->d; k++) {
    c[k] = sys->e_t[j];
  }
}

extern const dls_law dls_law_newton_coulomb;
const dls_law dls_law_newton_coulomb = {
    .name = "newton-coulomb",
    .summary = "Newton's impact law and Coulomb's friction with the slip after the impact",
    .source = "V. Acary, N. A. Collins-Craft 2023, eqs. (9)-(19), (32)",
    .equations = "0 <= u_N+ + e u_N-  _|_  p_N >= 0\n"
                 "|p_T| <= mu p_N,  and p_T = -mu p_N s/|s| where s = u_T+ + e_t u_T- is not 0\n"
                 "With e > 0 an impact may create energy, as the normal impulse can turn the slip round.\n",
    .parameters = parameters,
    .block = DLS_COULOMB,
    .mixture = mixture,
};
