/* changed_terms.h -- the terms of a linear system that change with a parameter.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_CHANGED_TERMS_H
#define DELASSUS_EVENT_DRIVEN_CHANGED_TERMS_H

#include "event_driven/sensitivity/neighbours.h"

/** Those of direction k, in tangents->changed and in `any`, by the systems of its neighbours. A steady load is evaluated here, once. */
void dls_changed_terms_find(dls_motion_tangents *tangents, size_t k);
void dls_changed_terms_release(dls_changed_terms *changed);

#endif
