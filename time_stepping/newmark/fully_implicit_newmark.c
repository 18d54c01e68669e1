/* fully_implicit_newmark.c -- Newmark's method with gamma = 1 and the contact force in the acceleration: the one
 * member of naive_newmark.c that obeys the impact law.
 * Source: the comparison scheme of Chen, Acary, Virlez, Bruls 2013, which gives the parameters only.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/naive_newmark.h"

static const dls_option options[] = {
    DLS_NEWMARK_CONTACT_OPTIONS,
    {0},
};

/* beta = (gamma + 1/2)^2 / 4: most damping at infinity */
static dls_newmark coefficients(const dls_newmark_options *opt)
{
  (void)opt;
  return (dls_newmark){.gamma = 1, .beta = 0.5625};
}

static const dls_newmark_kind kind = {.coefficients = coefficients};

const dls_scheme dls_scheme_fully_implicit_newmark = {
    .name = "fully-implicit-newmark",
    .family = DLS_FAMILY_NEWMARK,
    .summary = "Newmark with gamma = 1, contact force in the acceleration: consistent, strongly dissipative",
    .source =
        "after Q. Chen, V. Acary, G. Virlez, O. Bruls 2013 (their comparison scheme; equations reconstructed)",
    .equations =
        "M a' = F(t', q', v') + H lambda',  v' = v + h a',  q' = q + h v + h^2 [(1/2 - beta) a + beta a']\n"
        "gamma = 1, beta = (gamma + 1/2)^2 / 4 = 0.5625\n"
        "0 <= U' + e U  _|_  lambda' >= 0   for contacts with g(q + forecast h v) <= 0 [and U <= "
        "velocity_tol]\n",
    .remarks =
        "Order 1, with and without impacts. With gamma = 1 no contact force returns in the velocity: U' = -e "
        "U. It\n"
        "does in the position: the step after an impact moves by h^2 (1/2 - beta) lambda'/m, which is of order "
        "h.\n"
        "Strongly dissipative: all frequencies are damped, as by the implicit Euler method.\n"
        "lambda: lambda', of order V/h at an impact, the contact force in lasting contact; p = h lambda'.\n",
    .options = options,
    .options_size = sizeof(dls_newmark_options),
    .kind = &kind,
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .start = dls_naive_start,
    .advance = dls_naive_advance,
    .finish = dls_naive_finish,
    .published =
        (const dls_published_order[]){
            {"Q.-Z. Chen, V. Acary, G. Virlez and O. Bruls 2013, figures 3 and 4", 1, {"bouncing-ball"}}, {0}},
};
