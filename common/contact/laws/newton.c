/* newton.c -- Newton's impact law without friction.
 * Sources: Acary 2014 (RR-8602), eq. (6); Acary, lecture on nonsmooth mechanical systems, eq. (27).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/law.h>

static const dls_option parameters[] = {
    DLS_NUMBER("e", "1", "restitution coefficient", 0, 0, 1, 0),
    {0},
};

/* u^_N = u_N+ + e u_N- */
static void mixture(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)u_minus;
  (void)theta;
  c[0] = sys->e[j];
  for (size_t k = 1; k < sys->d; k++) {
    c[k] = 0;
  }
}

extern const dls_law dls_law_newton;
const dls_law dls_law_newton = {
    .name = "newton",
    .summary = "Newton's impact law: the normal velocity comes back e times as fast; no friction",
    .source = "V. Acary 2014 (INRIA RR-8602), eq. (6); J. J. Moreau 1988 for the complementarity form",
    .equations = "0 <= u+ + e u-  _|_  p >= 0   for every contact that touches\n"
                 "A contact that its neighbours throw off faster than -e u- takes no impulse.\n",
    .parameters = parameters,
    .block = DLS_HALF,
    .mixture = mixture,
};
