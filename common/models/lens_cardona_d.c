/* lens_cardona_d.c -- double pendulum with a light mass between its rods: nearly a rope.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/rods.h"
#include <math.h>

static const dls_option parameters[] = {DLS_LENS_PARAMETERS(0.005){0}};

const dls_model dls_model_lens_cardona_d = {
    .name = "lens-cardona-d",
    .summary = "double pendulum with a light mass between its rods: nearly a rope",
    .source = "E. Lens & A. Cardona 2007, section 3, system (d); g is not given there",
    .equations =
        "M q'' = F + G mu,   q = (x1, y1, x2, y2), y upward, from (l, 0, l, l) at rest\n"
        "V = g (m1 y1 + m2 y2);   mu: thrusts of the rods [N]\n"
        "phi_0 = (x1^2 + y1^2 - l^2)/(2 l) = 0,   phi_1 = ((x2 - x1)^2 + (y2 - y1)^2 - l^2)/(2 l) = 0\n"
        "Until the rods are stretched they carry almost no force: the tip falls freely, and is thrown back at\n"
        "t = 0.746 s; for m1 to 0 as by an impact with e = 1 on the rope |x2| <= 2 l\n",
    .parameters = parameters,
    .create = dls_lens_create,
    .sketch = dls_lens_sketch,
};
