/* analytic/rigorous/puck_path.c -- see puck.h and puck.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/puck.h"

enum { HALVINGS = 40, NEWTON = 24, WIDENINGS = 40 };

/* sigma0^c (1 - exp(c l))/c; c is never 0: it is an integer, or has kappa, a decimal over the tangent of one. */
static void difference(arb_t out, const dls_ball_puck_path *path, const arb_t c, const arb_t l, slong prec)
{
  arb_t power;
  arb_init(power);
  arb_pow(power, path->sigma0, c, prec);
  arb_mul(out, c, l, prec);
  arb_expm1(out, out, prec);
  arb_div(out, out, c, prec);
  arb_mul(out, out, power, prec);
  arb_neg(out, out);
  arb_clear(power);
}

/* C/(2 g_s) [D(kappa-1) + D(kappa+1)] */
static void time_of(arb_t out, const dls_ball_puck_path *path, const arb_t l, slong prec)
{
  arb_t c, term;
  arb_init(c);
  arb_init(term);
  arb_sub_ui(c, path->kappa, 1, prec);
  difference(out, path, c, l, prec);
  arb_add_ui(c, path->kappa, 1, prec);
  difference(term, path, c, l, prec);
  arb_add(out, out, term, prec);
  arb_mul(out, out, path->C, prec);
  arb_div(out, out, path->gs, prec);
  arb_mul_2exp_si(out, out, -1);
  arb_clear(c);
  arb_clear(term);
}

/* v = C/2 sigma^(kappa-1) (1 + sigma^2) */
static void speed_of(arb_t out, const dls_ball_puck_path *path, const arb_t sigma, slong prec)
{
  arb_t c;
  arb_init(c);
  arb_sub_ui(c, path->kappa, 1, prec);
  arb_pow(out, sigma, c, prec);
  arb_mul(out, out, path->C, prec);
  arb_mul_2exp_si(out, out, -1);
  arb_mul(c, sigma, sigma, prec);
  arb_add_ui(c, c, 1, prec);
  arb_mul(out, out, c, prec);
  arb_clear(c);
}

bool dls_ball_puck_begin(dls_ball_puck_path *path, const arb_t v0, const arb_t phi0, slong prec)
{
  arb_t sine, cosine, c;
  arb_init(sine);
  arb_init(cosine);
  arb_init(c);
  arb_sin_cos(sine, cosine, phi0, prec);
  arb_set_si(path->across, arb_is_negative(sine) ? -1 : 1);
  arb_mul_2exp_si(c, phi0, -1);
  arb_tan(path->sigma0, c, prec);
  arb_abs(path->sigma0, path->sigma0);
  arb_sub_ui(c, path->kappa, 1, prec);
  path->rests = arb_is_positive(c);
  const bool decided =
      !arb_contains_zero(sine) && arb_is_finite(path->sigma0) && (path->rests || arb_is_nonpositive(c));
  arb_neg(c, c);
  arb_pow(path->C, path->sigma0, c, prec); /* 2 v0 sigma0^(1-kappa)/(1 + sigma0^2) */
  arb_mul(path->C, path->C, v0, prec);
  arb_mul_2exp_si(path->C, path->C, 1);
  arb_mul(c, path->sigma0, path->sigma0, prec);
  arb_add_ui(c, c, 1, prec);
  arb_div(path->C, path->C, c, prec);
  if (path->rests) { /* v0 (kappa + cos phi0)/(g_s (kappa^2 - 1)) */
    arb_mul(c, path->kappa, path->kappa, prec);
    arb_sub_ui(c, c, 1, prec);
    arb_mul(c, c, path->gs, prec);
    arb_add(path->stop, path->kappa, cosine, prec);
    arb_mul(path->stop, path->stop, v0, prec);
    arb_div(path->stop, path->stop, c, prec);
  }
  arb_clear(sine);
  arb_clear(cosine);
  arb_clear(c);
  return decided;
}

/* Sign of time(l) - t, 0 if it cannot be decided. */
static int later(const dls_ball_puck_path *path, const arb_t l, const arb_t t, slong prec)
{
  arb_t at;
  arb_init(at);
  time_of(at, path, l, prec);
  const int sign = arb_gt(at, t) ? 1 : arb_lt(at, t) ? -1 : 0;
  arb_clear(at);
  return sign;
}

/* Newton's method for l, from a guess that is good; no enclosure. dt/dl = -v/g_s */
static void polish(arb_t l, const dls_ball_puck_path *path, const arb_t t, slong prec)
{
  arb_t now, sigma, speed;
  arb_init(now);
  arb_init(sigma);
  arb_init(speed);
  for (int i = 0; i < NEWTON; i++) {
    time_of(now, path, l, prec);
    arb_sub(now, now, t, prec);
    arb_exp(sigma, l, prec);
    arb_mul(sigma, sigma, path->sigma0, prec);
    speed_of(speed, path, sigma, prec);
    arb_div(now, now, speed, prec);
    arb_mul(now, now, path->gs, prec);
    arb_add(l, l, now, prec);
    arb_get_mid_arb(l, l);
    if (mag_cmp_2exp_si(arb_radref(now), 0) < 0 && arf_cmpabs_2exp_si(arb_midref(now), -prec / 2 - 8) < 0 &&
        i > 1) {
      break; /* the next one would be as good as it gets: one more */
    }
  }
  arb_clear(now);
  arb_clear(sigma);
  arb_clear(speed);
}

/* low < high with time(low) > t > time(high), if all goes well: a sixteenth apart */
static bool bracket(arb_t low, arb_t high, const dls_ball_puck_path *path, const arb_t t, slong prec)
{
  int doubling = 0;
  arb_t middle;
  arb_init(middle);
  arb_zero(high);
  arb_set_si(low, -1);
  while (doubling++ < HALVINGS && later(path, low, t, prec) != 1) {
    arb_set(high, low);
    arb_mul_2exp_si(low, low, 1);
  }
  bool found = doubling <= HALVINGS;
  for (int i = 0; found && i < HALVINGS / 2; i++) {
    arb_add(middle, low, high, prec);
    arb_mul_2exp_si(middle, middle, -1);
    arb_get_mid_arb(middle, middle);
    arb_set(later(path, middle, t, prec) == 1 ? low : high, middle);
  }
  arb_clear(middle);
  return found;
}

/* l with time(l) = t, t a number, by a change of sign; a ball without end where there is none. */
static void invert(arb_t l, const dls_ball_puck_path *path, const arb_t t, slong prec)
{
  arb_t guess, low, high;
  arb_init(guess);
  arb_init(low);
  arb_init(high);
  bool proven = arb_is_zero(t), found = !proven && bracket(low, high, path, t, prec);
  arb_zero(l);
  if (found) {
    arb_set(guess, high);
    polish(guess, path, t, prec);
    slong width = -prec + 8;
    for (int i = 0; i < WIDENINGS && !proven; i++, width += prec / WIDENINGS + 1) {
      arb_set(l, guess);
      arb_add_error_2exp_si(l, width);
      arb_get_lbound_arf(arb_midref(low), l, prec + 16);
      arb_get_ubound_arf(arb_midref(high), l, prec + 16);
      mag_zero(arb_radref(low));
      mag_zero(arb_radref(high));
      proven = later(path, low, t, prec) == 1 && later(path, high, t, prec) == -1;
    }
  }
  if (!proven) {
    arb_indeterminate(l);
  }
  arb_clear(guess);
  arb_clear(low);
  arb_clear(high);
}

/* l falls with t. */
void dls_ball_puck_turn(arb_t l, const dls_ball_puck_path *path, const arb_t t, slong prec)
{
  arb_t end, other;
  arb_init(end);
  arb_init(other);
  arb_get_lbound_arf(arb_midref(end), t, ARF_PREC_EXACT);
  if (arf_sgn(arb_midref(end)) < 0) {
    arb_zero(end);
  }
  invert(l, path, end, prec);
  arb_get_ubound_arf(arb_midref(end), t, ARF_PREC_EXACT);
  invert(other, path, end, prec);
  arb_union(l, l, other, prec);
  arb_clear(end);
  arb_clear(other);
}

/* C^2/(4 g_s) and D(2 kappa + a) */
static void terms(arb_t factor, arb_ptr d, const dls_ball_puck_path *path, const arb_t l, bool rest, slong prec)
{
  static const slong offsets[] = {-2, 2, -1, 1};
  arb_t c, power;
  arb_init(c);
  arb_init(power);
  for (int i = 0; i < 4; i++) {
    arb_mul_2exp_si(c, path->kappa, 1);
    arb_add_si(c, c, offsets[i], prec);
    if (rest) { /* sigma = 0 */
      arb_pow(power, path->sigma0, c, prec);
      arb_div(d + i, power, c, prec);
    } else {
      difference(d + i, path, c, l, prec);
    }
  }
  arb_mul(factor, path->C, path->C, prec);
  arb_div(factor, factor, path->gs, prec);
  arb_mul_2exp_si(factor, factor, -2);
  arb_clear(c);
  arb_clear(power);
}

/* x, y */
static void place_of(arb_ptr place, const dls_ball_puck_path *path, const arb_t l, bool rest, slong prec)
{
  arb_ptr d = _arb_vec_init(4);
  arb_t factor;
  arb_init(factor);
  terms(factor, d, path, l, rest, prec);
  arb_sub(place, d, d + 1, prec);
  arb_mul(place, place, factor, prec);
  arb_add(place + 1, d + 2, d + 3, prec);
  arb_mul(place + 1, place + 1, factor, prec);
  arb_mul_2exp_si(place + 1, place + 1, 1);
  arb_mul(place + 1, place + 1, path->across, prec);
  arb_clear(factor);
  _arb_vec_clear(d, 4);
}

void dls_ball_puck_rest(arb_ptr place, const dls_ball_puck_path *path, slong prec)
{
  arb_t none;
  arb_init(none);
  place_of(place, path, none, true, prec);
  arb_clear(none);
}

void dls_ball_puck_at(arb_ptr x, const dls_ball_puck_path *path, const arb_t t, slong prec)
{
  arb_t l, sigma, speed, cosine, sine;
  arb_init(l);
  arb_init(sigma);
  arb_init(speed);
  arb_init(cosine);
  arb_init(sine);
  dls_ball_puck_turn(l, path, t, prec);
  arb_exp(sigma, l, prec);
  arb_mul(sigma, sigma, path->sigma0, prec);
  speed_of(speed, path, sigma, prec);
  arb_mul(sine, sigma, sigma, prec); /* cos = (1 - sigma^2)/(1 + sigma^2), sin = 2 sigma/(1 + sigma^2) */
  arb_add_ui(cosine, sine, 1, prec);
  arb_mul_2exp_si(sigma, sigma, 1);
  arb_div(sine, sigma, cosine, prec);
  arb_mul(sine, sine, path->across, prec);
  arb_inv(cosine, cosine, prec);
  arb_mul_2exp_si(cosine, cosine, 1);
  arb_sub_ui(cosine, cosine, 1, prec);
  place_of(x + DLS_PUCK_X, path, l, false, prec);
  arb_mul(x + DLS_PUCK_VX, speed, cosine, prec);
  arb_mul(x + DLS_PUCK_VY, speed, sine, prec);
  arb_one(x + DLS_PUCK_ONE);
  arb_mul(speed, path->drag, path->m, prec);
  arb_neg(speed, speed);
  arb_mul(x + DLS_PUCK_RX, speed, cosine, prec);
  arb_mul(x + DLS_PUCK_RY, speed, sine, prec);
  arb_clear(l);
  arb_clear(sigma);
  arb_clear(speed);
  arb_clear(cosine);
  arb_clear(sine);
}

/* v = C/2 (sigma^(kappa-1) + sigma^(kappa+1)) falls with sigma: the way that is left is at most v (stop - t). */
void dls_ball_puck_remaining(arb_ptr box, const dls_ball_puck_path *path, const arb_t t, slong prec)
{
  arb_t speed, force, way;
  arb_init(speed);
  arb_init(force);
  arb_init(way);
  dls_ball_puck_at(box, path, t, prec);
  dls_ball_puck_rest(box + DLS_PUCK_X, path, prec);
  arb_hypot(speed, box + DLS_PUCK_VX, box + DLS_PUCK_VY, prec);
  arb_mul(force, path->drag, path->m, prec);
  arb_sub(way, path->stop, t, prec);
  arb_mul(way, way, speed, prec);
  for (slong i = 0; i < 2; i++) {
    arb_add_error(box + DLS_PUCK_X + i, way);
    arb_zero(box + DLS_PUCK_VX + i);
    arb_add_error(box + DLS_PUCK_VX + i, speed);
    arb_zero(box + DLS_PUCK_RX + i);
    arb_add_error(box + DLS_PUCK_RX + i, force);
  }
  arb_clear(speed);
  arb_clear(force);
  arb_clear(way);
}

/* sum_j a_j b_(i-j) */
static void product(arb_t out, arb_srcptr a, arb_srcptr b, slong i, slong prec)
{
  arb_dot(out, NULL, 0, a, 1, b + i, -1, i + 1, prec);
}

/* Series about a time, n terms each: direction e = v/|v|, w = 1/|v|, w e_y, pull = g_s e_x - drag and w pull. */
typedef struct direction {
  arb_ptr ex, ey, w, w_ey, pull, brake;
} direction;

/* e_x' = g_s w e_y^2, e_y' = -g_s w e_x e_y, w' = -w^2 pull: term i + 1 of these, and term i of the rest. */
static void next(direction *d, slong i, bool last, const dls_ball_puck_path *path, slong prec)
{
  product(d->w_ey + i, d->w, d->ey, i, prec);
  arb_mul(d->pull + i, path->gs, d->ex + i, prec);
  if (i == 0) {
    arb_sub(d->pull, d->pull, path->drag, prec);
  }
  product(d->brake + i, d->w, d->pull, i, prec);
  if (last) {
    return;
  }
  product(d->ex + i + 1, d->w_ey, d->ey, i, prec);
  product(d->ey + i + 1, d->w_ey, d->ex, i, prec);
  product(d->w + i + 1, d->w, d->brake, i, prec);
  arb_mul(d->ex + i + 1, d->ex + i + 1, path->gs, prec);
  arb_mul(d->ey + i + 1, d->ey + i + 1, path->gs, prec);
  arb_neg(d->ey + i + 1, d->ey + i + 1);
  arb_neg(d->w + i + 1, d->w + i + 1);
  arb_div_ui(d->ex + i + 1, d->ex + i + 1, (ulong)i + 1, prec);
  arb_div_ui(d->ey + i + 1, d->ey + i + 1, (ulong)i + 1, prec);
  arb_div_ui(d->w + i + 1, d->w + i + 1, (ulong)i + 1, prec);
}

/* From the velocity: e and w to n terms. */
static void directions(direction *d, slong n, const dls_ball_puck_path *path, arb_srcptr x, slong prec)
{
  arb_hypot(d->w, x + DLS_PUCK_VX, x + DLS_PUCK_VY, prec);
  arb_div(d->ex, x + DLS_PUCK_VX, d->w, prec);
  arb_div(d->ey, x + DLS_PUCK_VY, d->w, prec);
  arb_inv(d->w, d->w, prec);
  for (slong i = 0; i < n; i++) {
    next(d, i, i + 1 == n, path, prec);
  }
}

/* x' = v and v' = (g_s, 0) - drag e, r = -m drag e; e in the rows of r. */
static void integrate(arb_ptr of, slong n, const dls_ball_puck_path *path, slong prec)
{
  arb_t force;
  arb_init(force);
  arb_mul(force, path->drag, path->m, prec);
  arb_neg(force, force);
  for (slong j = 0; j < 2; j++) {
    arb_ptr e = of + (DLS_PUCK_RX + j) * n, v = of + (DLS_PUCK_VX + j) * n, place = of + (DLS_PUCK_X + j) * n;
    for (slong i = 0; i + 1 < n; i++) {
      arb_div_ui(place + i + 1, v + i, (ulong)i + 1, prec);
      arb_mul(v + i + 1, e + i, path->drag, prec);
      arb_neg(v + i + 1, v + i + 1);
      if (i == 0 && j == 0) {
        arb_add(v + 1, v + 1, path->gs, prec);
      }
      arb_div_ui(v + i + 1, v + i + 1, (ulong)i + 1, prec);
    }
    _arb_vec_scalar_mul(e, e, n, force, prec);
  }
  arb_clear(force);
}

void dls_ball_puck_jet(arb_ptr a, slong n, const dls_ball_puck_path *path, arb_srcptr w, const arb_t t,
                       slong prec)
{
  enum { PARTS = DLS_PUCK_STATES };
  arb_ptr x = _arb_vec_init(PARTS), of = _arb_vec_init(PARTS * n), more = _arb_vec_init(4 * n);
  direction d = {.ex = of + DLS_PUCK_RX * n,
                 .ey = of + DLS_PUCK_RY * n,
                 .w = more,
                 .w_ey = more + n,
                 .pull = more + 2 * n,
                 .brake = more + 3 * n};
  dls_ball_puck_at(x, path, t, prec);
  for (slong j = 0; j < DLS_PUCK_RX; j++) {
    arb_set(of + j * n, x + j);
  }
  directions(&d, n, path, x, prec);
  integrate(of, n, path, prec);
  for (slong i = 0; i < n; i++) {
    arb_dot(a + i, NULL, 0, w, 1, of + i, n, PARTS, prec);
  }
  _arb_vec_clear(x, PARTS);
  _arb_vec_clear(of, PARTS * n);
  _arb_vec_clear(more, 4 * n);
}
