/* nonsmooth_adams.c -- the Adams-Moulton formula of two steps, of order three, with impacts: multistep.h.
 * Sources: Adams & Bashforth 1883, Moulton 1926; the split: Acary, lecture, slide 73.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/multistep.h"
#include <math.h>

static const dls_option options[] = {DLS_MULTISTEP_OPTION, DLS_NEWMARK_CONTACT_OPTIONS, {0}};

/* Integrals over [0, 1] of the parabola through the values at 1, 0 and -r. */
static dls_multistep_weights weights(double ratio)
{
  const double r = 1 / ratio;
  const double b1 = (2 + 3 * r) / (6 * (1 + r)), b_last = -1 / (6 * r * (1 + r));
  return (dls_multistep_weights){.b1 = b1, .b0 = 1 - b1 - b_last, .b_last = b_last};
}

static const dls_newmark_kind kind = {
    .formula = &(const dls_multistep_formula){.first = {.b1 = 0.5, .b0 = 0.5}, /* trapezoidal rule */
                                              .weights = weights,
                                              .most = HUGE_VAL}};

const dls_scheme dls_scheme_nonsmooth_adams = {
    .name = "nonsmooth-adams",
    DLS_NEWMARK_ENTRY(DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_MOVING_GAPS),
    .summary = "Adams-Moulton of two steps, impacts by an implicit first-order rule",
    .source = "V. Acary, lecture on nonsmooth mechanical systems, slide 73: extension to any multistep scheme; "
              "F. Moulton 1926",
    .equations =
        "M a' = F(t', q', v'),  M w = H P\n"
        "v~ = v + (h/12) (5 a' + 8 a - a_last),   v' = v~ + w\n"
        "q' = q + (h/12) (5 v~ + 8 v - v_last) + (h/2) w\n"
        "after an impulse: v_last = v + w of that step\n"
        "0 <= U' + e U  _|_  P >= 0   for contacts with g(q + forecast h v) <= 0 [and U <= velocity_tol]\n",
    .remarks =
        "Order 3 without impacts, 1 with them. For motions that a step resolves: undamped vibrations grow, by\n"
        "1 + (omega h)^4/24 in a step, and beyond omega h = 5.4 the contact problem may have no solution.\n"
        "The first step, the step of an impact and the one after it are made by the trapezoidal rule\n"
        "(restart=on).\n"
        "Where the length of a step changes the formula does, and keeps its order.\n",
    .options = options,
    .kind = &kind,
};
