/* gap_constraint.c -- see gap_constraint.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/convex/gap_constraint.h"
#include "time_stepping/convex/convex_equations.h"

static const dls_own_restitution inelastic = {.tangential = true}; /* e = 0 */

void dls_gap_pose(const dls_sim *sim, dls_linearised *s, double h)
{
  const double gamma = ((const dls_gap_options *)sim->options)->gamma;
  for (size_t j = 0; j < sim->sys->m; j++) {
    s->bias[sim->sys->d * j] = DLS_LINEARISED_BIAS(s->gap[j], h, gamma);
  }
}

dls_status dls_gap_prepare(dls_sim *sim, dls_linearised *s, dls_error *err)
{
  (void)s;
  return dls_own_restitution_check(sim, &inelastic, ((const dls_gap_options *)sim->options)->restitution, err);
}

void dls_gap_note(const dls_sim *sim, char *text, size_t size)
{
  dls_own_restitution_note(sim, &inelastic, ((const dls_gap_options *)sim->options)->restitution, text, size);
}

const dls_linearised_kind dls_gap_kind = {.pose = dls_gap_pose, .prepare = dls_gap_prepare};
