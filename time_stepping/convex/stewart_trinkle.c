/* stewart_trinkle.c -- gaps that are not negative at the end of a step, with Coulomb's law.
 * Sources: Stewart, Trinkle 1996; Anitescu, Hart 2004 for gamma.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/convex/gap_constraint.h"
#include <float.h>

static const dls_option options[] = {DLS_GAP_OPTIONS, {0}};

const dls_scheme dls_scheme_stewart_trinkle = {
    .name = "stewart-trinkle",
    DLS_LINEARISED_ENTRY,
    .check = dls_linearised_check,
    .summary = "Stewart and Trinkle's step: linearised gaps stay non-negative, impacts are inelastic",
    .source = "D. E. Stewart, J. C. Trinkle 1996; M. Anitescu, G. D. Hart 2004",
    .equations = "M (v' - v) = h F(t, q, v) + H P,   q' = q + h v',   U' = H^T v'\n"
                 "0 <= g/h + U_N'  _|_  P_N >= 0,   Coulomb's law between U_T' and P_T\n"
                 "gamma: gamma g in place of g where g < 0\n"
                 "joints: Phi/h + G^T v' = 0\n",
    .remarks = "e = 0: a body that lands ends the step on the surface and the next one at rest. Gaps that are\n"
               "affine in q are not negative at nodes; others penetrate by O(h^2). Rest and stick are exact.\n"
               "Order 1, with and without impacts. Forces are explicit: stable for h < 2/omega. An impact may\n"
               "take two steps; then two events report it. With contacts=closed a contact enters the problem\n"
               "only after it has penetrated, and the next step removes the penetration.\n",
    .options = options,
    .options_size = sizeof(dls_gap_options),
    .kind = &dls_gap_kind,
    .note = dls_gap_note,
    .limit = {.kind = DLS_LIMIT_OWN, .e = 0, .text = "e = 0"},
};
