/* analytic/exact/support/bar_front.h -- inside of a bar wave: the outgoing wave f in linear segments.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_BAR_FRONT_H
#define DELASSUS_BAR_FRONT_H

#include <delassus/bar_wave.h>
#include <delassus/trajectory.h>
#include <stdbool.h>

enum { DLS_BAR_NO_EVENT = -1 };

/** f(t) from t to the start of the next segment, and what happens at the lower end there. */
typedef struct dls_bar_segment {
  long double t;       /* start; the first one is at -T */
  long double f, rate; /* f and f' */
  long double F;       /* integral of f from time 0 */
  bool closed;         /* contact */
  bool front;          /* f or f' jumps at the start, a front leaves */
  int kind;            /* dls_event_kind of the event at the start, or DLS_BAR_NO_EVENT */
  double u_minus, u_plus;
} dls_bar_segment;

struct dls_bar_wave {
  dls_bar_wave_data data;
  long double c, T; /* wave speed, time to the upper end and back */
  double end;
  dls_bar_segment *segments; /* in order of time; segments[1] starts at 0 */
  size_t count, capacity;
};

/** The last segment that starts at or before t. */
size_t dls_bar_segment_at(const dls_bar_wave *wave, long double t);
/** Fields where the upward wave belongs to segment `up` and the downward wave to segment `down`; past = X/c. */
dls_bar_field dls_bar_wave_on(const dls_bar_wave *wave, size_t up, size_t down, long double past,
                              long double t);
/** Contact force in a contact, where f(t - T) belongs to segment `down`. */
double dls_bar_wave_press(const dls_bar_wave *wave, size_t down, long double t);

#endif
