/* experiments/measures/energy/law_gain.h -- whether the law of contact creates energy in a run: what contacts with friction do in each
 * step, of schemes whose energy identity is known.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_STUDY_LAW_GAIN_H
#define DELASSUS_STUDY_LAW_GAIN_H

#include "experiments/measures/energy/energy_contacts.h"

typedef struct dls_law_gain {
  dls_energy_contacts contacts;
  dls_energy_ledger sums; /* its law_gain, law_gain_..., gain_steps and scale */
  double *v, *work;       /* n: before the step; scratch */
  double *load;           /* n: a steady load, else 0 */
  bool open;              /* the start has been seen */
} dls_law_gain;

/** Is it known for this run? */
bool dls_law_gain_known(const dls_sim *sim);
/** @return false if out of memory; release it in any case */
bool dls_law_gain_create(const dls_sim *sim, dls_law_gain *g);
void dls_law_gain_release(dls_law_gain *g);
/** The watch of a dls_run_spec; data: a dls_law_gain. @return DLS_OK */
dls_status dls_law_gain_watch(void *data, const dls_sim *sim, dls_error *err);

#endif
