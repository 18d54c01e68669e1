/* experiments/measures/gradient/report.h -- what limits the derivatives of a run, in words.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GRADIENT_REPORT_H
#define DELASSUS_EXPERIMENTS_GRADIENT_REPORT_H

#include <delassus/sim.h>

/** Report derivatives that are not ok, starts that were projected, differing contacts of differences, and accumulations of unknown
 * duration, a text each. Without derivatives it reports nothing. */
void dls_derivatives_report(const dls_sim *sim, void (*report)(void *data, const char *text), void *data);

#endif
