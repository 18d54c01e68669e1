/* cubic.h -- cubic Hermite interpolation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CUBIC_H
#define DELASSUS_COMMON_CUBIC_H

/* Smallest distance of nodes used for a slope by differences, relative to the longer interval beside the node. Errors of
 * values enter the slope divided by this distance, and the cubic multiplies it by the length of the interval. */
#define DLS_LEAST_NODE_DISTANCE 0.5

/* The cubic with values x0, x1 and slopes d0, d1 at the ends of an interval of length h, at its fraction s. */
static inline double dls_cubic(double s, double h, double x0, double d0, double x1, double d1)
{
  return x0 + s * s * (3 - 2 * s) * (x1 - x0) + h * s * (1 - s) * ((1 - s) * d0 - s * d1);
}

/* Its first and second derivatives with respect to s h. */
static inline double dls_cubic_slope(double s, double h, double x0, double d0, double x1, double d1)
{
  return 6 * s * (1 - s) * (x1 - x0) / h + (1 - s) * (1 - 3 * s) * d0 + s * (3 * s - 2) * d1;
}

static inline double dls_cubic_bend(double s, double h, double x0, double d0, double x1, double d1)
{
  return (6 * (1 - 2 * s) * (x1 - x0) / h + (6 * s - 4) * d0 + (6 * s - 2) * d1) / h;
}

#endif
