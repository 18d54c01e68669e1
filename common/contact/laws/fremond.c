/* fremond.c -- Coulomb's friction with the slip on which the impulse works.
 * Source: Acary, Collins-Craft 2023, eqs. (45)-(47), (63), (64).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/law.h>
#include <math.h>

static const dls_option parameters[] = {
    DLS_NUMBER("e", "1", "restitution coefficient", 0, 0, 1, 0),
    DLS_NUMBER("mu", "1", "coefficient of friction", 0, 0, INFINITY, DLS_OPEN_MAX),
    {0},
};

/* u^_N = u_N+ + e u_N-,  u^_T = [theta u_T+ + (1 - theta) u_T-]/theta */
static void mixture(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)u_minus;
  c[0] = sys->e[j];
  for (size_t k = 1; k < sys->d; k++) {
    c[k] = (1 - theta) / theta;
  }
}

extern const dls_law dls_law_fremond;
const dls_law dls_law_fremond = {
    .name = "fremond",
    .summary = "Fremond's law: Coulomb's friction with the slip on which the impulse works; dissipates",
    .source = "M. Fremond 2002; V. Acary, N. A. Collins-Craft 2023, eqs. (45)-(47), (63), (64)",
    .equations =
        "0 <= u_N+ + e u_N-  _|_  p_N >= 0\n"
        "|p_T| <= mu p_N,  and p_T = -mu p_N s/|s| where s = u_T+ + e_t u_T- is not 0\n"
        "e_t = 1 where the impulse works on the mean of both velocities: at events, in "
        "moreau-jean-variant, in the\n"
        "Newmark family; e_t = (1 - theta)/theta in moreau-jean. Contact does no positive work, there for "
        "theta\n"
        "up to 1/(1 + e). Schemes that close gaps at the level of positions cannot promise that: "
        "three-level-alpha\n"
        "refuses the law, schatzman-paoli refuses it with e > 0.\n"
        "A contact that sticks has s = 0: with e_t = 1 its small slip changes sign at every step.\n",
    .parameters = parameters,
    .block = DLS_COULOMB,
    .dissipates = true,
    .mixture = mixture,
};
