/* analytic/distance/transport.c -- the flat norm of a signed measure on a line.
 *
 * V(t, y) = sup of int phi dm over [0, t] with phi(t) = y is concave in y on [-1, 1]. As t grows by dt, the decreasing
 * branch of V shifts to larger y and the increasing branch to smaller y by dt, since phi may change by dt. Mass m at t adds
 * m y. So V is stored as the places y where its slope drops: those above its maximum (`waiting[0]`), and those below,
 * mirrored (`waiting[1]`). Mass m > 0 moves the maximum over drops of total weight m, from one stack to the other, and the
 * maximum rises by the sum of drop times place. At y = 1 the drop is infinite. In terms of transport: a drop is unmatched
 * negative mass, and its place is the price of matching it. This is its distance less 1, since its removal had cost 1; or
 * 1, the removal of the new mass. Matched masses may separate again, for the price with the opposite sign. Mass of constant
 * density moves the maximum at a constant rate and leaves uniform lots, so nothing is approximated.
 * Source: own derivation from Kantorovich's duality; the norm is that of Fortet and Mourier 1953.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/transport.h"
#include <float.h>
#include <stdlib.h>

#define DEAREST 1.0 /* the price of removal, for any mass */

void dls_transport_free(dls_transport *t)
{
  free(t->waiting[0].lot);
  free(t->waiting[1].lot);
  *t = (dls_transport){0};
}

static void push(dls_transport *t, dls_lots *lots, dls_lot lot)
{
  if (lots->count == lots->room) {
    const size_t room = 2 * lots->room + 16;
    dls_lot *more = realloc(lots->lot, room * sizeof *more);
    if (more == NULL) {
      t->out_of_memory = true;
      return;
    }
    lots->lot = more;
    lots->room = room;
  }
  lots->lot[lots->count++] = lot;
}

/* The cheapest lot, in current prices; of infinite mass if removal costs no more. */
static dls_lot cheapest(const dls_transport *t, dls_lots *lots)
{
  if (lots->count > 0 && lots->lot[lots->count - 1].low + t->time >= DEAREST) {
    lots->count = 0; /* nor can those behind it, which cost more */
  }
  if (lots->count == 0) {
    return (dls_lot){DEAREST, DEAREST, INFINITY};
  }
  const dls_lot *last = &lots->lot[lots->count - 1];
  return (dls_lot){last->low + t->time, last->high + t->time, last->mass};
}

/* A fraction of the cheapest lot is used up. */
static void take(dls_lots *lots, double part)
{
  dls_lot *last = &lots->lot[lots->count - 1];
  if (part < last->mass) {
    last->low += (last->high - last->low) * (part / last->mass);
    last->mass -= part;
  } else {
    lots->count--;
  }
}

/* Mass that takes the time `time_per_unit` for each unit; 0 for a point mass. */
static void arrive(dls_transport *t, double mass, double time_per_unit)
{
  dls_lots *from = &t->waiting[mass < 0], *to = &t->waiting[mass > 0];
  for (double left = fabs(mass); left > 0 && !t->out_of_memory;) {
    const dls_lot lot = cheapest(t, from);
    const bool removal = isinf(lot.mass);
    const double rise =
        removal ? 0.0 : (lot.high - lot.low) / lot.mass + time_per_unit; /* of the price, per unit */
    const double until_dearest = rise > 0 ? (DEAREST - lot.low) / rise : INFINITY;
    const double part = fmin(left, fmin(lot.mass, until_dearest)), last_price = lot.low + rise * part;
    dls_sum_add(&t->norm, part * (lot.low + 0.5 * rise * part));
    dls_sum_add(&t->slack, DBL_EPSILON * (part * (8.0 + 4.0 * t->time) + (removal ? 0.0 : 2.0 * lot.mass)));
    if (part == until_dearest) {
      from->count = 0;
    } else if (!removal) {
      take(from, part);
    }
    const double start = t->time;
    t->time += time_per_unit * part;
    push(t, to, (dls_lot){-last_price - t->time, -lot.low - start, part});
    left -= part;
  }
}

void dls_transport_point(dls_transport *t, double mass)
{
  arrive(t, mass, 0.0);
}

void dls_transport_flow(dls_transport *t, double mass, double span)
{
  const double end = t->time + span;
  if (mass != 0) {
    arrive(t, mass, span / fabs(mass));
  }
  t->time = end;
}
