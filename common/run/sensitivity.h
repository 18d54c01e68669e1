/* sensitivity.h -- the derivatives of a run: their arrays.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_SENSITIVITY_H
#define DELASSUS_COMMON_RUN_SENSITIVITY_H

#include <delassus/sensitivity.h>

/** Keep the event, with the derivatives of its time. @return false if out of memory */
bool dls_sensitivity_event(dls_sensitivity *sensitivity, const dls_event *event);
void dls_sensitivity_destroy(dls_sensitivity *sensitivity); /* NULL is fine */

#endif
