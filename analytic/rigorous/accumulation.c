/* analytic/rigorous/accumulation.c -- see accumulation.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/accumulation.h"

enum { TRIES = 8 };

typedef struct bounds {
  arb_t least, most; /* a0, a1 */
  arb_t longest, shortest;
  arb_t speeds; /* sum of all speeds before impacts, at most */
} bounds;

static void bounds_init(bounds *b)
{
  arb_init(b->least);
  arb_init(b->most);
  arb_init(b->longest);
  arb_init(b->shortest);
  arb_init(b->speeds);
}

static void bounds_clear(bounds *b)
{
  arb_clear(b->least);
  arb_clear(b->most);
  arb_clear(b->longest);
  arb_clear(b->shortest);
  arb_clear(b->speeds);
}

/* 2 V/(a (1 - r)); r: e sqrt(other/a) @return false if r may be 1 or more */
static bool duration(arb_t out, const arb_t V, const arb_t e, const arb_t a, const arb_t other, slong prec)
{
  arb_t r;
  arb_init(r);
  arb_div(r, other, a, prec);
  arb_sqrt(r, r, prec);
  arb_mul(r, r, e, prec);
  arb_sub_ui(r, r, 1, prec);
  arb_neg(r, r);
  const bool below = arb_is_positive(r);
  arb_mul(r, r, a, prec);
  arb_div(out, V, r, prec);
  arb_mul_2exp_si(out, out, 1);
  arb_clear(r);
  return below;
}

/* From the box: a0, a1, times, speeds. */
static bool estimate(bounds *b, const dls_ball_system *system, arb_srcptr x, arb_srcptr box, slong prec)
{
  arb_t a, ratio;
  arf_t low, high;
  arb_init(a);
  arb_init(ratio);
  arf_init(low);
  arf_init(high);
  dls_ball_dot(a, arb_mat_entry(system->flight.L, DLS_BALL_RATE, 0), box, system->flight.k, prec);
  arb_neg(a, a);
  arb_get_lbound_arf(low, a, prec);
  arb_get_ubound_arf(high, a, prec);
  arb_set_arf(b->least, low);
  arb_set_arf(b->most, high);
  bool good = arb_is_positive(b->least);
  good = good && duration(b->longest, x + DLS_BALL_RATE, system->e, b->least, b->most, prec) &&
         duration(b->shortest, x + DLS_BALL_RATE, system->e, b->most, b->least, prec);
  if (good) { /* a flight that begins with V ends with V sqrt(a1/a0) at most, and lasts 2 V/a1 at least */
    arb_div(ratio, b->most, b->least, prec);
    arb_sqrt(ratio, ratio, prec);
    arb_mul(b->speeds, b->longest, b->most, prec);
    arb_mul(b->speeds, b->speeds, ratio, prec);
    arb_mul_2exp_si(b->speeds, b->speeds, -1);
  }
  arb_clear(a);
  arb_clear(ratio);
  arf_clear(low);
  arf_clear(high);
  return good;
}

/* How far state i can move: by its rate in the box, and by the impacts. */
static void excursion(mag_t out, const dls_ball_system *system, const bounds *b, arb_srcptr x, arb_srcptr box,
                      slong i, slong prec)
{
  arb_t rate, jumps;
  mag_t part;
  arb_init(rate);
  arb_init(jumps);
  mag_init(part);
  dls_ball_dot(rate, arb_mat_entry(system->flight.L, i, 0), box, system->flight.k, prec);
  arb_mul(rate, rate, b->longest, prec);
  arb_get_mag(out, rate);
  if (i != DLS_BALL_RATE) {
    arb_add_ui(jumps, system->e, 1, prec);
    arb_mul(jumps, jumps, b->speeds, prec);
    arb_mul(jumps, jumps, system->strike + i, prec);
  } else { /* |u| <= V + sum of all speeds */
    arb_add(jumps, b->speeds, x + DLS_BALL_RATE, prec);
  }
  arb_get_mag(part, jumps);
  mag_add(out, out, part);
  arb_clear(rate);
  arb_clear(jumps);
  mag_clear(part);
}

/* Does nothing leave the box in the time that it gives itself? next: a box that is twice what is needed. */
static bool holds(const dls_ball_system *system, const bounds *b, arb_srcptr x, arb_srcptr box, arb_ptr next,
                  slong prec)
{
  bool inside = true;
  mag_t way;
  arb_t reached;
  mag_init(way);
  arb_init(reached);
  for (slong i = 0; i < system->flight.k; i++) {
    excursion(way, system, b, x, box, i, prec);
    arb_set(reached, x + i);
    arb_add_error_mag(reached, way);
    inside = inside && arb_contains(box + i, reached);
    mag_mul_2exp_si(way, way, 1);
    arb_set(next + i, x + i);
    arb_add_error_mag(next + i, way);
  }
  mag_clear(way);
  arb_clear(reached);
  return inside;
}

/* The box is what rests, with g = u = 0; the window from the shortest to the longest. */
static bool settle(const dls_ball_system *system, const bounds *b, arb_srcptr box, arb_t window, arb_ptr rest,
                   slong prec)
{
  arb_t a;
  arb_init(a);
  arb_union(window, b->shortest, b->longest, prec);
  _arb_vec_set(rest, box, system->flight.k);
  arb_zero(rest + DLS_BALL_GAP);
  arb_zero(rest + DLS_BALL_RATE);
  dls_ball_dot(a, arb_mat_entry(system->flight.L, DLS_BALL_RATE, 0), rest, system->flight.k, prec);
  const bool pressed = arb_is_negative(a);
  arb_clear(a);
  return pressed;
}

bool dls_ball_accumulation(const dls_ball_system *system, arb_srcptr x, arb_t window, arb_ptr box, arb_ptr rest,
                           slong prec)
{
  const slong k = system->flight.k;
  arb_ptr next = _arb_vec_init(k);
  bounds b;
  bounds_init(&b);
  _arb_vec_set(box, x, k);
  bool good = true, inside = false;
  for (int i = 0; i < TRIES && good && !inside; i++) {
    good = estimate(&b, system, x, box, prec);
    inside = good && holds(system, &b, x, box, next, prec);
    if (!inside) {
      _arb_vec_set(box, next, k);
    }
  }
  const bool found = inside && settle(system, &b, box, window, rest, prec);
  bounds_clear(&b);
  _arb_vec_clear(next, k);
  return found;
}
