/* newmark_implicit_contact.c -- Newmark's method with the contact force fully implicit and the constraint at position level:
 * (1') of newmark_step.c.
 * Sources: Kane, Repetto, Ortiz, Marsden 1999; Carpenter, Taylor, Katona 1991.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/balance_newmark.h"
#include "time_stepping/newmark/naive_newmark.h"

static const dls_option options[] = {
    DLS_NEWMARK_REAL(gamma, "weight of the end of the step in the velocity, of smooth forces", 0.5, 0, 1, 0),
    DLS_NEWMARK_REAL(beta, "weight of the end of the step in the position, of smooth forces", 0.25, 0, 1, 0),
    DLS_NEWMARK_STABILITY_OPTION,
    DLS_NAIVE_POSITION_OPTIONS,
    {0},
};

static const dls_newmark_kind kind = {.coefficients = dls_newmark_given,
                                      .good = dls_newmark_stable,
                                      .claim = dls_newmark_stability,
                                      .position = true};

const dls_scheme dls_scheme_newmark_implicit_contact = {
    .name = "newmark-implicit-contact",
    DLS_NEWMARK_ENTRY(DLS_HANDLES_MOVING_GAPS),
    .summary = "Newmark's method, contact force fully implicit, constraint at position level; no impact law",
    .source = "C. Kane, E. Repetto, M. Ortiz, J. Marsden 1999 (CMAME 180, 1); N. Carpenter, R. Taylor, M. "
              "Katona 1991",
    .equations = "M a' = F(t', q', v'),  M w = H P\n"
                 "v' = v + h [(1 - gamma) a + gamma a'] + w\n"
                 "q' = q + h v + h^2 [(1/2 - beta) a + beta a'] + (h/2) w\n"
                 "0 <= g(q')  _|_  P >= 0   for every contact\n",
    .remarks =
        "No penetration at nodes. The restitution e of the model is not used: a body that meets the wall at\n"
        "sigma h in a step rebounds with |1 - 2 sigma| of its speed, so it depends on the grid and does not\n"
        "converge to a motion with impacts of single bodies. In a mesh the mass of a contact node, and the\n"
        "energy at stake, goes to 0 with the mesh size.\n"
        "Energy: P works (1/2) (U + U') P = -(g/h) P - (h/2) (2 beta - gamma) (H^T (a' - a)) P. For\n"
        "2 beta = gamma it is -(g/h) P <= 0: dissipative for 2 beta = gamma >= 1/2. Otherwise the last term\n"
        "has no sign, and steps may gain energy.\n",
    .options = options,
    .kind = &kind,
    .check = dls_newmark_check,
    .moved = dls_newmark_moved,
    .balance = &dls_balance_newmark,
    .limit = {.kind = DLS_LIMIT_NONE, .text = "e = |1 - 2 sigma|, for an impact at sigma h in a step"},
};
