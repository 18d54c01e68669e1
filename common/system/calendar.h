/* calendar.h -- the instants inside a step at which the explicit-time terms of a system must be evaluated, so that none of their
 * features is missed.
 *
 * Bounds of terms (time_enclosure): the step is bisected. On a piece [a, b] with bounds of width R the hidden part of a term L is
 *   e = R - |L(b) - L(a)|,
 * a bound of the deviation of L from a monotone change between its end values. Pieces with negligible e are not bisected.
 * From a piece to its half, e falls to a quarter at a smooth extremum, which is bisected further. It falls to a half if the
 * bounds are too wide in proportion to the length, which is accepted after a few bisections. At a pulse it does not fall
 * until the piece is as short as the pulse. The ends of the pieces of a pulse are the instants. Harmonic terms: a quarter
 * of the shortest period. A declared shortest feature: a quarter of it. Terms without a declaration: the given resolution.
 * These instants are shifted by another fraction of their distance in every step (golden ratio), so that no periodic term
 * hides between them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_SYSTEM_CALENDAR_H
#define DELASSUS_SYSTEM_CALENDAR_H

#include <delassus/model.h>

typedef struct dls_calendar dls_calendar;

enum { DLS_CALENDAR_ROOM = 1024 }; /* instants in one step, at most */

/**
 * @param[in] begin, end  of the run [s]
 * @param[in] tol         of the run: deviations of a term below a small multiple of it are negligible
 * @param[in] resolution  for terms without a declaration [s], > 0
 * @return NULL if out of memory
 */
dls_calendar *dls_calendar_create(const dls_system *sys, double begin, double end, double tol,
                                  double resolution);
void dls_calendar_destroy(dls_calendar *calendar); /* NULL is fine */

/** t[0 .. count) := the instants inside (a, b), increasing. @param[out] until  they cover [a, until]; b, or less if
 * there are too many. @return count, at most DLS_CALENDAR_ROOM */
size_t dls_calendar_instants(dls_calendar *calendar, double a, double b, double *t, double *until);

/** The distance of samples, if terms were sampled at the resolution because their dependence is opaque or their
 * bisection took too many evaluations; else 0. */
double dls_calendar_resolution(const dls_calendar *calendar);

#endif
