/* model_terms.h -- derivatives by parameters that the system itself states: dls_system.by_parameter, in place of differences.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_MODEL_TERMS_H
#define DELASSUS_EVENT_DRIVEN_MODEL_TERMS_H

#include "event_driven/sensitivity/neighbours.h"

/** Which directions have them. @return false if out of memory; release in any case */
bool dls_model_terms_create(dls_motion_tangents *tangents);
void dls_model_terms_release(dls_motion_tangents *tangents);
/**
 * The derivatives by parameter k at a state of the run, with its acceleration tangents->a.
 * @return NULL: the system states none
 */
const dls_by_parameter *dls_model_terms(dls_motion_tangents *tangents, size_t k, double t, const double *q,
                                        const double *v);

#endif
