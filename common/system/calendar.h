/* calendar.h -- the instants between the ends of a step at which the explicit-time terms of a system have to be looked at, so that
 * none of their features is missed.
 *
 * Bounds of terms (time_enclosure): the step is bisected. On a piece [a, b] with bounds of width R the hidden part of a term L is
 *   e = R - |L(b) - L(a)|,
 * what L may do there beside a monotone change that its ends show. A piece is done where e does not matter. A smooth extremum makes
 * e fall to a quarter in half a piece, and is followed down; bounds that are too wide in proportion to the length make it fall to a
 * half, which is accepted after a few bisections; a pulse inside keeps e until the piece is as short as the pulse, and the ends of its
 * pieces are the instants.
 * Harmonic terms: a quarter of the shortest period. A stated shortest feature: a quarter of it. Terms of which nothing is known: the
 * stated resolution. These instants are shifted by another fraction of their distance in every step (golden ratio), so that no
 * periodic term hides between them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_SYSTEM_CALENDAR_H
#define DELASSUS_SYSTEM_CALENDAR_H

#include <delassus/model.h>

typedef struct dls_calendar dls_calendar;

enum { DLS_CALENDAR_ROOM = 1024 }; /* instants in one step, at most */

/**
 * @param[in] begin, end  of the run [s]
 * @param[in] tol         of the run: parts of a term below a small multiple of it do not matter
 * @param[in] resolution  for terms of which nothing is known [s], > 0
 * @return NULL if out of memory
 */
dls_calendar *dls_calendar_create(const dls_system *sys, double begin, double end, double tol,
                                  double resolution);
void dls_calendar_destroy(dls_calendar *calendar); /* NULL is fine */

/** t[0 .. count) := the instants inside (a, b), increasing. @param[out] until  they cover [a, until]; b, or less where there are too
 * many. @return count, at most DLS_CALENDAR_ROOM */
size_t dls_calendar_instants(dls_calendar *calendar, double a, double b, double *t, double *until);

/** The distance of samples, where something was sampled at a resolution because no statement covers it: an opaque dependence, or
 * bounds of terms whose bisection took too many evaluations; 0: nothing was. */
double dls_calendar_resolution(const dls_calendar *calendar);

#endif
