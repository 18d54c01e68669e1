/* moreau.c -- one restitution coefficient for normal and tangential velocities.
 * Source: Moreau 1988; Acary, Collins-Craft 2023, section 2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/law.h>
#include <math.h>

static const dls_option parameters[] = {
    DLS_NUMBER("e", "1", "restitution coefficient, normal and tangential", 0, 0, 1, 0),
    DLS_NUMBER("mu", "1", "coefficient of friction", 0, 0, INFINITY, DLS_OPEN_MAX),
    {0},
};

/* u^ = u+ + e u-, all rows */
static void mixture(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)u_minus;
  (void)theta;
  for (size_t k = 0; k < sys->d; k++) {
    c[k] = sys->e[j];
  }
}

extern const dls_law dls_law_moreau;
const dls_law dls_law_moreau = {
    .name = "moreau",
    .summary = "Moreau's law: Coulomb's friction on u+ + e u-, the same e for all components",
    .source = "J. J. Moreau 1988; V. Acary, N. A. Collins-Craft 2023, section 2",
    .equations = "K* > (s_N + mu |s_T|, s_T)  _|_  p in K,  s = u+ + e u-\n"
                 "An impact creates no energy if all contacts have the same e.\n",
    .parameters = parameters,
    .block = DLS_COULOMB,
    .mixture = mixture,
};
