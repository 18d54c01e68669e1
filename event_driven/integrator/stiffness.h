/* event_driven/integrator/stiffness.h -- is damping so strong that an explicit integrator has to follow what has long decayed?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_STIFFNESS_H
#define DELASSUS_EVENT_DRIVEN_STIFFNESS_H

#include <delassus/model.h>

/**
 * With r and w^2 the largest eigenvalues of M^{-1} C and M^{-1} K: r > 2 w, and r t_s above the threshold stiff_rate. Then the fastest mode
 * decays without oscillation, at r, which limits explicit steps. Where the fastest modes oscillate, every method has to resolve them.
 * @param[in]  sys    linear
 * @param[out] stiff  false without damping, or if M is singular
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_system_stiff(const dls_system *sys, bool *stiff, dls_error *err);

#endif
