/* average.h -- the weighted mean of the two ends of a step. For numbers and for vectors of numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_AVERAGE_H
#define DELASSUS_TIME_STEPPING_AVERAGE_H

/** x_theta = (1 - theta) x + theta x' */
#define DLS_AVERAGE(theta, x, x_next) ((1.0 - (theta)) * (x) + (theta) * (x_next))

#endif
