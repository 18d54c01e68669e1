/* laursen_love.c -- the trapezoidal rule with contact at position level, and a velocity jump that restores the energy
 * lost by it: (1') and the restoring jump of newmark_step.c.
 * Source: Laursen & Love 2002; the equations, with a jump along the impulses, are a reconstruction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/naive_newmark.h"

static const dls_option options[] = {
    DLS_NAIVE_POSITION_OPTIONS,
    {0},
};

static dls_newmark coefficients(const dls_newmark_options *opt)
{
  (void)opt;
  return (dls_newmark){.gamma = 0.5, .beta = 0.25};
}

static const dls_newmark_kind kind = {.coefficients = coefficients, .position = true, .restores = true};

const dls_scheme dls_scheme_laursen_love = {
    .name = "laursen-love",
    DLS_NEWMARK_ENTRY(0),
    .summary = "trapezoidal rule without penetration, with a velocity jump that restores the energy",
    .source = "T. Laursen, G. Love 2002 (IJNME 53, 245); equations reconstructed",
    .equations = "M a' = F(t', q', v'),  M w = H P,  0 <= g(q')  _|_  P >= 0   for every contact\n"
                 "v^ = v + h (a + a')/2 + w,   q' = q + h v + (h^2/4) (a + a') + (h/2) w\n"
                 "v' = v^ + s w,  s >= 0:   (s^2/2) w^T M w + s v^^T M w + 1/2 (v + v^)^T M w = 0\n",
    .remarks = "No penetration at nodes, and energy to rounding in linear systems without damping. So all "
               "impacts are\n"
               "elastic: the restitution e of the model is not used. Velocities of contacts that last are not "
               "0, they\n"
               "oscillate. Order 1 with elastic impacts, 2 without.\n",
    .options = options,
    .kind = &kind,
    .moved = dls_newmark_moved,
    .limit = {.kind = DLS_LIMIT_OWN, .e = 1, .text = "e = 1"},
};
