/* poisson.c -- Poisson's impact law with Coulomb's friction: the impulse that stopped an approach comes back e times.
 * Source: Glocker, Pfeiffer 1995; Acary, Collins-Craft 2023 for the notation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/law.h>
#include <math.h>

static const dls_option parameters[] = {
    DLS_NUMBER("e", "1", "restitution coefficient, of impulses", 0, 0, 1, 0),
    DLS_NUMBER("mu", "1", "coefficient of friction", 0, 0, INFINITY, DLS_OPEN_MAX),
    {0},
};

/* u^ = u+: compression stops the contact */
static void mixture(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)u_minus;
  (void)j;
  (void)theta;
  for (size_t k = 0; k < sys->d; k++) {
    c[k] = 0;
  }
}

extern const dls_law dls_law_poisson;
const dls_law dls_law_poisson = {
    .name = "poisson",
    .summary = "Poisson's impact law in compression and expansion, with Coulomb's friction in both",
    .source = "C. Glocker, F. Pfeiffer 1995; V. Acary, N. A. Collins-Craft 2023 for the notation",
    .equations = "compression:  K* > (u_N + mu |u_T|, u_T)  _|_  p_C in K       with u behind it\n"
                 "expansion:    0 <= u_N+  _|_  p_EN - e p_CN >= 0,  |p_ET| <= mu p_EN,\n"
                 "              p_ET = -mu p_EN u_T+/|u_T+| where u_T+ is not 0;   p = p_C + p_E\n"
                 "As newton-coulomb where the normal impulse does not change the slip; else other rebounds.\n",
    .parameters = parameters,
    .block = DLS_COULOMB,
    .expands = true,
    .mixture = mixture,
};
