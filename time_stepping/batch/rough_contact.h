/* rough_contact.h -- one contact with friction in a batch, for d = 2 and 3: the answers of one_contact.c to the last bit. batch.h includes it.
 * In the plane the terms of plane_equations.h are computed for all members. In space all members are solved at once if W is diagonal and the
 * same in all tangential directions, otherwise one by one. Members whose answer is not certain are left to the general path: two slips, a
 * border between two modes, a residual near the bound.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BATCH_ROUGH_CONTACT_H
#define DELASSUS_TIME_STEPPING_BATCH_ROUGH_CONTACT_H

enum { DLS_SURE_ROUNDING = 30 }; /* DBL_EPSILON; see dls_batch_surely_certified */
/* Squares closer to the border of stick and slip are left to the general path: there rounding decides. */
static const double dls_sure_mode = 1e-12;

/* Slip with sign s of u_T, +-1: r, and where it is a solution. @param[in] normal  r_N where W is diagonal, whatever s */
DLS_INLINE dls_mask dls_batch_slip(const dls_batch_contact *c, const dls_real *q, dls_real s, dls_real normal,
                                   dls_real *r)
{
  const dls_real s_mu = s * c->mu, zero = dls_same(0);
  r[0] = c->uncoupled ? normal : DLS_PLANE_SLIP_NORMAL(c->W, q, s_mu);
  r[1] = -s_mu * r[0];
  const dls_real u = DLS_PLANE_VELOCITY(c->W, q, r, 1);
  const dls_real size = dls_size(q[1]) + dls_size(c->W[1] * r[0]) + dls_size(c->W[3] * r[1]);
  return (r[0] > zero) & (r[0] <= dls_same(DBL_MAX)) & (s * u > DLS_CONTACT_TIE * size);
}

/* r of a closed contact in the plane: stick, else slip. @return where it is the only answer */
DLS_INLINE dls_mask dls_batch_stick_or_slip(const dls_batch_contact *c, dls_mask closed, const dls_real *q,
                                            dls_real *r, dls_mask *stick)
{
  const dls_real zero = dls_same(0), free = DLS_PLANE_FREE(q, c->ratio);
  const dls_real size = dls_size(q[1]) + dls_size(c->ratio * q[0]);
  const dls_mask singular = c->schur == zero;
  r[1] = dls_select(singular, zero, -free / c->schur);
  const dls_real normal = DLS_PLANE_STICK_NORMAL(c->W, q, r[1]);
  r[0] = normal;
  const dls_mask sticks = dls_not(singular & (dls_size(free) > DLS_CONTACT_TIE * size)) &
                          (dls_size(r[1]) <= DLS_PLANE_LIMIT(c->mu, r[0]));
  dls_mask only = dls_not(closed & dls_not(sticks));
  if (c->uncoupled && dls_some(dls_not(only))) { /* u_T = W_TT r_T + q_T has the sign of q_T */
    dls_real slip[2];
    only |= dls_batch_slip(c, q, dls_select(q[1] > zero, dls_same(1), dls_same(-1)), normal, slip);
    for (int i = 0; i < 2; i++) {
      r[i] = dls_select(sticks, r[i], slip[i]);
    }
  } else if (dls_some(dls_not(only))) {
    dls_real forward[2], back[2];
    const dls_mask positive = dls_batch_slip(c, q, dls_same(1), normal, forward),
                   negative = dls_batch_slip(c, q, dls_same(-1), normal, back);
    for (int i = 0; i < 2; i++) {
      r[i] = dls_select(sticks, r[i], dls_select(positive, forward[i], back[i]));
    }
    only |= positive ^ negative;
  }
  *stick = sticks;
  return only;
}

/* Is the residual of dls_cone_gap certainly within the bound? A sufficient condition without divisions, for mu <= 1.
 * P_K is nonexpansive, and -(mu, u_T / |u_T|) is normal to K at a slipping r. Without rounding therefore
 *   |f| <= |u_N| at slip,   |f| <= |u_N| + 2 |u_T| at stick.
 * Rounding of r, u and dls_cone_gap, and DLS_CONTACT_TIE at stick, add less than DLS_SURE_ROUNDING DBL_EPSILON of the scale, which is at
 * least |q_N|.
 * @param[in] speed  that bound of |f| */
DLS_INLINE dls_mask dls_batch_surely_certified(const dls_batch *k, dls_sizes is, const dls_batch_contact *c,
                                               const dls_real *q, const dls_real *r, dls_real speed)
{
  const double share = k->tolerance - DLS_SURE_ROUNDING * DBL_EPSILON;
  dls_real largest = c->inverse_rho * r[0];
  for (size_t i = 0; i < is.d; i++) {
    largest += dls_size(q[i]);
  }
  return (c->mu <= dls_same(1)) & (speed <= share * dls_size(q[0])) &
         (dls_size(q[0]) >= dls_same(dls_square_least)) & (largest <= dls_same(dls_square_most));
}

/* Is the residual of dls_cone_gap certainly within the bound? A sufficient condition, without its square roots. */
DLS_INLINE dls_mask dls_batch_certified(const dls_batch *k, const dls_batch_contact *c, const dls_real *q,
                                        const dls_real *r, const dls_real *u)
{
  static const double margin = 0.9; /* what rounding may change of the squares */
  const dls_real zero = dls_same(0), rho = c->inverse_rho, mu = c->mu;
  const dls_real x_N = DLS_CONE_SHIFT(mu, rho, r[0], u[0], dls_size(u[1])), x_T = r[1] * rho - u[1];
  const dls_real side = dls_size(x_T);
  const dls_mask inside = side <= mu * x_N, polar = mu * side <= -x_N;
  const dls_real normal = dls_select(polar, zero, DLS_CONE_NORMAL(mu, x_N, side));
  const dls_real factor = dls_select(polar | (side == zero), zero, mu * normal / side);
  const dls_real f_N = r[0] * rho - dls_select(inside, x_N, normal);
  const dls_real f_T = r[1] * rho - dls_select(inside, x_T, x_T * factor);
  const dls_real gap = f_N * f_N + f_T * f_T, force = rho * rho * (r[0] * r[0] + r[1] * r[1]);
  const dls_real square = u[0] * u[0], ajar = dls_select((u[0] > zero) & (force < square), force, square);
  const dls_real load = q[0] * q[0] + q[1] * q[1], velocity = u[0] * u[0] + u[1] * u[1];
  const dls_real larger = dls_select(load > velocity, load, velocity),
                 scale = dls_select(larger > force, larger, force);
  const dls_real bound = margin * k->tolerance * k->tolerance * scale;
  return (gap <= bound) & (ajar <= bound) & (scale <= dls_same(DBL_MAX));
}

DLS_INLINE void dls_batch_plane_contact(const dls_batch *k, dls_sizes is, size_t j, dls_mask mask,
                                        const dls_real *q, dls_batch_node *y)
{
  const dls_batch_contact *c = &k->contact[j];
  const dls_mask closed = dls_not(q[0] >= dls_same(0));
  dls_real r[2], u[2];
  dls_mask sticks;
  const dls_mask only = dls_batch_stick_or_slip(c, mask & closed, q, r, &sticks);
  for (int i = 0; i < 2; i++) {
    r[i] = dls_select(closed, r[i], dls_same(0));
  }
  for (int i = 0; i < 2; i++) {
    u[i] = DLS_PLANE_VELOCITY(c->W, q, r, i);
    y->P[2 * j + (size_t)i] = dls_select(mask, r[i], dls_same(0));
    y->mixed[2 * j + (size_t)i] = u[i];
  }
  const dls_real bound = dls_size(u[0]) + dls_select(sticks, 2 * dls_size(u[1]), dls_same(0)),
                 speed = dls_select(closed, bound, dls_same(0)); /* f = 0 for an open contact */
  dls_mask certified = dls_batch_surely_certified(k, is, c, q, r, speed);
  if (dls_some(mask & dls_not(certified))) {
    certified |= dls_batch_certified(k, c, q, r, u);
  }
  y->ok &= dls_not(mask) | (only & certified & (c->W[0] > dls_same(0)));
}

/* Member l in space. */
static DLS_OUTLINE bool dls_batch_space_member(const dls_batch *k, size_t j, int l, const dls_real *q,
                                               const dls_batch_node *x, dls_batch_node *y)
{
  enum { D = 3 };
  double W[D * D], own_q[D], r[D], u[D];
  dls_problem_report report;
  for (size_t e = 0; e < D * D; e++) {
    W[e] = DLS_AT(k->contact[j].W[e], l);
  }
  for (size_t i = 0; i < D; i++) {
    own_q[i] = DLS_AT(q[i], l);
    r[i] = DLS_AT(x->P[D * j + i], l); /* of the last step: to start with */
  }
  const dls_block block = {.law = DLS_COULOMB, .rows = D, .mu = DLS_AT(k->contact[j].mu, l)};
  const bool solved = dls_one_contact_certified(&block, W, own_q, k->tolerance, r, u, &report);
  for (size_t i = 0; i < D; i++) {
    DLS_AT(y->P[D * j + i], l) = r[i];
    DLS_AT(y->mixed[D * j + i], l) = u[i];
  }
  return solved;
}

/* r of a closed contact in space with W = diag(W_NN, S, S): stick r_T = -q_T / S, else slip along q_T with |r_T| = mu r_N, in the order of
 * operations of one_contact.c. @return where the mode is certain */
DLS_INLINE dls_mask dls_batch_isotropic(const dls_batch_contact *c, dls_mask closed, const dls_real *q,
                                        dls_real *r, dls_mask *stick)
{
  const dls_real zero = dls_same(0), S = c->W[4];
  const dls_real c_1 = q[1] - zero * q[0], c_2 = q[2] - zero * q[0];
  const dls_real least = dls_same(dls_square_least * dls_square_least),
                 most = dls_same(dls_square_most * dls_square_most);
  r[0] = -q[0] / c->W[0];
  const dls_real limit = c->mu * r[0], square = c_1 * c_1 + c_2 * c_2,
                 border = S * limit * (S * limit); /* of |c|^2 */
  const dls_mask sticks = (border >= least) & (square <= (1 - dls_sure_mode) * border),
                 slips = (square >= least) & (square > (1 + dls_sure_mode) * border);
  const dls_real size = dls_root(dls_select(slips, square, dls_same(1)));
  r[1] = -limit * (c_1 / size);
  r[2] = -limit * (c_2 / size);
  if (dls_some(closed & sticks)) {
    const dls_real det = S * S;
    r[1] = dls_select(sticks, (S * -c_1 - zero * -c_2) / det, r[1]);
    r[2] = dls_select(sticks, (S * -c_2 - zero * -c_1) / det, r[2]);
  }
  *stick = sticks;
  return (sticks | slips) & (border <= most) & (square <= most);
}

/* @return where the answer is certain and stored */
DLS_INLINE dls_mask dls_batch_isotropic_contact(const dls_batch *k, dls_sizes is, size_t j, dls_mask mask,
                                                const dls_real *q, dls_batch_node *y)
{
  const dls_batch_contact *c = &k->contact[j];
  dls_real r[3], u[3], slip = dls_same(0);
  dls_mask sticks;
  const dls_mask closed = mask & (q[0] < dls_same(0)),
                 certain = closed & dls_batch_isotropic(c, closed, q, r, &sticks);
  for (size_t i = 0; i < 3; i++) {
    u[i] = q[i] + c->W[4 * i] * r[i];
    slip += i > 0 ? dls_size(u[i]) : dls_same(0);
  }
  const dls_real speed = dls_size(u[0]) + dls_select(sticks, 2 * slip, dls_same(0));
  const dls_mask done = certain & dls_batch_surely_certified(k, is, c, q, r, speed);
  for (size_t i = 0; i < 3; i++) {
    y->P[3 * j + i] = dls_select(done, r[i], dls_same(0));
    y->mixed[3 * j + i] = u[i];
  }
  return done;
}

DLS_INLINE void dls_batch_space_contact(const dls_batch *k, dls_sizes is, size_t j, dls_mask mask,
                                        const dls_real *q, const dls_batch_node *x, dls_batch_node *y)
{
  dls_mask left = mask, ok = mask;
  if (k->contact[j].uncoupled) {
    left &= dls_not(dls_batch_isotropic_contact(k, is, j, mask, q, y));
  }
  if (!dls_some(left)) {
    return;
  }
  for (int l = 0; l < DLS_BATCH_WIDTH; l++) {
    if (DLS_AT(left, l) && !dls_batch_space_member(k, j, l, q, x, y)) {
      DLS_AT(ok, l) = 0;
    }
  }
  y->ok &= dls_not(mask) | ok;
}

DLS_INLINE void dls_batch_rough_contact(const dls_batch *k, dls_sizes is, size_t j, dls_mask mask,
                                        const dls_real *q, const dls_batch_node *x, dls_batch_node *y)
{
  if (is.d == 2) {
    dls_batch_plane_contact(k, is, j, mask, q, y);
  } else {
    dls_batch_space_contact(k, is, j, mask, q, x, y);
  }
}

#endif
