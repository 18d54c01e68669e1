/* nonsmooth_bdf2.c -- the backward differentiation formula of two steps with impacts: multistep.h.
 * Sources: Curtiss & Hirschfelder 1952; the split: Acary, lecture, slide 73.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/multistep.h"

static const dls_option options[] = {DLS_MULTISTEP_OPTION, DLS_NEWMARK_CONTACT_OPTIONS, {0}};

/* The parabola through three values has the slope f' at the last. */
static dls_multistep_weights weights(double ratio)
{
  return (dls_multistep_weights){.b1 = (1 + ratio) / (1 + 2 * ratio), .c = ratio * ratio / (1 + 2 * ratio)};
}

static const dls_newmark_kind kind = {
    .formula = &(const dls_multistep_formula){.first = {.b1 = 1}, /* implicit Euler */
                                              .weights = weights,
                                              .most = 2}}; /* zero-stable up to 1 + sqrt(2) */

const dls_scheme dls_scheme_nonsmooth_bdf2 = {
    .name = "nonsmooth-bdf2",
    DLS_NEWMARK_ENTRY(DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_MOVING_GAPS),
    .summary = "BDF of two steps, impacts by an implicit first-order rule",
    .source = "V. Acary, lecture on nonsmooth mechanical systems, slide 73: extension to any multistep scheme; "
              "C. Curtiss, J. Hirschfelder 1952",
    .equations =
        "M a' = F(t', q', v'),  M w = H P\n"
        "v~ = v + (v - v_last)/3 + (2/3) h a',   v' = v~ + w\n"
        "q' = q + (q - q_last)/3 + (2/3) h v~ + (h/2) w\n"
        "after an impulse: v_last = v + w, q_last = q - (h/2) w of that step\n"
        "0 <= U' + e U  _|_  P >= 0   for contacts with g(q + forecast h v) <= 0 [and U <= velocity_tol]\n",
    .remarks =
        "Order 2 without impacts, 1 with them. Damps what the step does not resolve: radius 0 at infinity.\n"
        "The first step, the step of an impact and the one after it are implicit Euler steps (restart=on).\n"
        "With restart=off accelerations before an impact also act after it, and stiff bodies may gain energy.\n"
        "Where the length of a step changes the formula does, and keeps its order; a step more than twice as\n"
        "long as the last one is a restart.\n",
    .options = options,
    .kind = &kind,
};
