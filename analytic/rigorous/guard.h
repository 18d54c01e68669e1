/* analytic/rigorous/guard.h -- ball arithmetic without memory is an error.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_GUARD_H
#define DELASSUS_RIGOROUS_GUARD_H

#include <delassus/error.h>

/** Do a job. Where FLINT, Arb or GMP find no memory, which end the process by abort, it is left at once. What it had allocated is not
 * freed, and FLINT's pool of numbers is in an unknown state: all later jobs of the process are refused. One at a time.
 * @return of the job; DLS_ERR_MEMORY */
dls_status dls_ball_guard(dls_status (*job)(void *data, dls_error *err), void *data, dls_error *err);

#endif
