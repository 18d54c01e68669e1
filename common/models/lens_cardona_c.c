/* lens_cardona_c.c -- double pendulum of equal masses in Cartesian coordinates, its rods as joints.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/rods.h"
#include <math.h>

static const dls_option parameters[] = {DLS_LENS_PARAMETERS(1){0}};

const dls_model dls_model_lens_cardona_c = {
    .name = "lens-cardona-c",
    .summary = "double pendulum of equal masses in Cartesian coordinates, its rods as joints",
    .source = "E. Lens & A. Cardona 2007, section 3, system (c); g is not given there",
    .equations =
        "M q'' = F + G mu,   q = (x1, y1, x2, y2), y upward, from (l, 0, l, l) at rest\n"
        "V = g (m1 y1 + m2 y2);   mu: thrusts of the rods [N]\n"
        "phi_0 = (x1^2 + y1^2 - l^2)/(2 l) = 0,   phi_1 = ((x2 - x1)^2 + (y2 - y1)^2 - l^2)/(2 l) = 0\n"
        "reference, default data, t = 1: (x1, y1) = (0.10328336354607, -0.99465197270935),\n"
        "(x2, y2) = (-0.89001924951013, -0.87911012359950)\n",
    .parameters = parameters,
    .create = dls_lens_create,
    .sketch = dls_lens_sketch,
};
