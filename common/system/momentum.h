/* momentum.h -- momenta of systems from their coordinates, for the callbacks `momentum` of models. Mv = M(q) v. A rigid
 * motion moves points by e_x, e_y and (-y, x), directors d by 0 and (-d_y, d_x), angles by 0 and 1. The momentum is the
 * product of this motion with M v.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SYSTEM_MOMENTUM_H
#define DELASSUS_COMMON_SYSTEM_MOMENTUM_H

#include <delassus/model.h>

/* Add the director d[dim] with its part of M v: angular momenta at L, one in the plane, three in space. */
void dls_momentum_turn(size_t dim, const double *d, const double *Mv, double *L);
/* Add the point x[dim]: p[0 .. dim - 1], and the angular momenta after them. */
void dls_momentum_point(size_t dim, const double *x, const double *Mv, double *p);

/* Add a body with centre x[dim] in the reference configuration of a linear system: angular momenta of its dim (dim -
 * 1)/2 rates after those of the centre. */
void dls_momentum_body(size_t dim, const double *x, const double *Mv, double *p);

/* Callbacks. All coordinates are positions on one line; (x, y) of bodies that do not rotate, with px and py only; (x, y)
 * of points; (x, y, angle) of bodies in a plane. */
void dls_momentum_line(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                       double *p);
void dls_momentum_sliders(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                          double *p);
void dls_momentum_points(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                         double *p);
void dls_momentum_bodies(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                         double *p);

#endif
