/* warnings.c -- the warnings of a run: their kinds and limits, and how many there were.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/checks.h"
#include <delassus/warning.h>

/* The kinds of warnings and their limits. The size is that of the smallest body if the model states it, else the length
 * scale. */
static const struct kind {
  const char *name;
  double limit;
} kinds[DLS_WARNING_KINDS] = {
    [DLS_WARN_PASSED] = {"passed-through",
                         1e-4}, /* of the size, below the gaps at both nodes: above the error of a path */
    [DLS_WARN_PENETRATION] = {"penetration", 0.01}, /* of the size: visible in a picture */
    [DLS_WARN_FACE] = {"outside-face", 1e-4},       /* of the size: above rounding and the drift of joints */
    [DLS_WARN_ENERGY] = {"energy-gain",
                         0.1}, /* of the largest energy exchanged: above what steps of first order vary it by */
    [DLS_WARN_MOMENTUM] = {"momentum-change",
                           /* of the sum of |M v|: above the residual of iterations in a balance of forces */
                           1e-6},
    [DLS_WARN_PULL] = {"contact-pulls",
                       0.1},              /* of the largest force of the contact: above what tolerances leave */
    [DLS_WARN_SCALES] = {"scales", 1e-6}, /* of the scales: below it tolerances treat motion as rest */
    [DLS_WARN_NOT_FINITE] = {"not-finite", 0}, /* the run has failed */
};

const char *dls_warning_name(dls_warning_kind kind)
{
  return kinds[kind].name;
}

double dls_checks_limit(dls_warning_kind kind)
{
  return kinds[kind].limit;
}

size_t dls_sim_warning_count(const dls_sim *sim)
{
  size_t count = 0;
  for (int k = 0; k < DLS_WARNING_KINDS; k++) {
    count += sim->warnings[k].count > 0;
  }
  return count;
}

size_t dls_sim_warning_explained(const dls_sim *sim)
{
  const dls_warning *w = &sim->warnings[DLS_WARN_PENETRATION];
  return w->count > 0 && (w->cause == DLS_CAUSE_STEP || w->cause == DLS_CAUSE_SPRING);
}

void dls_warning_tally_add(dls_warning_tally *tally, size_t warnings, size_t explained)
{
  tally->runs++;
  tally->warned += warnings > explained;
  tally->explained += explained > 0;
}

void dls_checks_warn(dls_sim *sim, dls_warning_kind kind, dls_warning what)
{
  dls_warning *w = &sim->warnings[kind];
  what.count = w->count + 1;
  if (w->count == 0) {
    *w = what;
  }
  w->count = what.count;
}
