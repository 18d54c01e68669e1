/* euler_equations.h -- the position of semi-implicit Euler steps, which the families convex, impulse and soft share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_EULER_EQUATIONS_H
#define DELASSUS_TIME_STEPPING_EULER_EQUATIONS_H

/** q' = q + h v' */
#define DLS_EULER_POSITION(q, h, v_next) ((q) + (h) * (v_next))

#endif
