/* analytic/rigorous/decimals.h -- bounds as decimals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_DECIMALS_H
#define DELASSUS_RIGOROUS_DECIMALS_H

#include <arf.h>

/* x with so many places behind the point, rounded down or up (ARF_RND_FLOOR, _CEIL). For free(); NULL if out of memory */
char *dls_ball_decimal(const arf_t x, ulong places, arf_rnd_t round);

#endif
