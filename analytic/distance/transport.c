/* analytic/distance/transport.c -- the flat norm of a signed measure on a line.
 *
 * V(t, y) = sup of int phi dm over [0, t] with phi(t) = y is concave in y on [-1, 1]. In the time dt, phi may change by dt: what
 * rises with y is shifted down by dt, and what falls is shifted up. Mass m at t adds m y. So V is kept as the places y where its
 * slope drops, each with the size of the drop: those below the top of V and those above it. With the keys y + t below
 * and y - t above, a shift in time changes nothing.
 * Mass m > 0 moves the top up over drops that add up to m. The largest value rises by the integral of y over these drops,
 * and as they are below the top then, their keys rise by 2 t. At y = 1 the drop is infinite: mass that gets there leaves a drop at 1.
 * Mass m < 0 does the same downwards. While mass of constant density arrives, time advances at a constant rate, so that
 * the keys change linearly with the mass that the top has passed: nothing is approximated.
 * In words of transport, a drop is mass of the other sign, and +-y is the price of meeting it: the distance less 1, since
 * its removal was paid before. A piece of measure moves the top over many drops that the next one moves it back over, where two
 * graphs are close: hence the trees, which move any number of drops in O(log n).
 * Source: own derivation from Kantorovich's duality; the norm is that of Fortet and Mourier 1953.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/transport.h"
#include <float.h>

#define REMOVAL 1.0 /* price of mass that meets none */

enum { BELOW, ABOVE };

void dls_transport_free(dls_transport *t)
{
  dls_mass_pool_free(&t->pool);
  *t = (dls_transport){0};
}

/* Drops come to rest behind the top, which moved towards y = `sign`. */
static void leave_behind(dls_transport *t, dls_masses passed, double sign)
{
  if (sign > 0) {
    t->drops[BELOW] = dls_masses_join(&t->pool, t->drops[BELOW], passed);
  } else {
    t->drops[ABOVE] = dls_masses_join(&t->pool, passed, t->drops[ABOVE]);
  }
}

/* The top moves over drops of `mass` > 0 towards y = `sign`, each unit of which takes the time `rate`. */
static void pass(dls_transport *t, double mass, double sign, double rate)
{
  dls_masses *ahead = &t->drops[sign > 0 ? ABOVE : BELOW], passed;
  const double cut = dls_masses_cut(&t->pool, *ahead, sign > 0 ? 0 : 1, mass, &passed, ahead);
  const dls_mass *all = &t->pool.of[passed];
  const int roundings = 8 + 2 * all->height; /* of a key, until somebody looks at it */
  const double end = t->time + rate * mass;
  dls_sum_add(&t->norm, sign * all->moment + mass * (t->time + 0.5 * rate * mass));
  dls_sum_add(&t->slack, DBL_EPSILON * (mass * roundings + 3.0 * cut) * (2.0 + t->time));
  dls_masses_shift(&t->pool, passed, 2.0 * (sign > 0 ? t->time : -end), 2.0 * rate);
  leave_behind(t, passed, sign);
  t->time = end;
}

/* Mass that moves the top to y = `sign` leaves a drop there. */
static void removal(dls_transport *t, double mass, double sign, double rate)
{
  const double first = sign * (REMOVAL + t->time), last = sign * (REMOVAL + t->time + rate * mass);
  dls_sum_add(&t->norm, REMOVAL * mass);
  dls_sum_add(&t->slack, DBL_EPSILON * mass * (8.0 + 4.0 * t->time));
  leave_behind(t, dls_masses_of(&t->pool, fmin(first, last), fmax(first, last), mass), sign);
  t->time += rate * mass;
}

/* Mass that takes the time `rate` for each unit of it, 0 for mass at an instant. */
static void arrive(dls_transport *t, double mass, double rate)
{
  const double sign = mass > 0 ? 1.0 : -1.0, size = fabs(mass);
  dls_masses *ahead = &t->drops[mass > 0 ? ABOVE : BELOW];
  if (mass == 0 || t->out_of_memory) {
    return;
  }
  t->out_of_memory = !dls_mass_pool_reserve(&t->pool, 2); /* a drop that is cut, and one at y = 1 or -1 */
  if (t->out_of_memory) {
    return;
  }
  const double met = dls_masses_until(&t->pool, *ahead, mass > 0 ? 0 : 1, size, sign, t->time, rate, REMOVAL);
  if (met > 0) {
    pass(t, met, sign, rate);
  }
  if (met < size) {
    dls_masses_release(&t->pool, *ahead); /* they are beyond y = 1 or -1 */
    *ahead = 0;
    removal(t, size - met, sign, rate);
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
