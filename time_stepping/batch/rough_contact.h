/* rough_contact.h -- one contact with friction in a batch, for d = 2 and 3: the answers of one_contact.c to the last bit. batch.h includes it.
 * In the plane the terms of plane_equations.h are computed for all members. In space the members are solved one by one. Members whose answer
 * is not certain are left to the general path: two slips, a border between two modes, a residual near the bound.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BATCH_ROUGH_CONTACT_H
#define DELASSUS_TIME_STEPPING_BATCH_ROUGH_CONTACT_H

/* Slip with sign s of u_T: r, and where it is a solution. */
DLS_INLINE dls_mask dls_batch_slip(const dls_batch_contact *c, const dls_real *q, double s, dls_real *r)
{
  const dls_real s_mu = s * c->mu, zero = dls_same(0);
  r[0] = DLS_PLANE_SLIP_NORMAL(c->W, q, s_mu);
  r[1] = -s_mu * r[0];
  const dls_real u = DLS_PLANE_VELOCITY(c->W, q, r, 1);
  const dls_real size = dls_size(q[1]) + dls_size(c->W[1] * r[0]) + dls_size(c->W[3] * r[1]);
  return (r[0] > zero) & (r[0] <= dls_same(DBL_MAX)) & (s * u > DLS_CONTACT_TIE * size);
}

/* r of a closed contact in the plane: stick, else slip. @return where it is the only answer */
DLS_INLINE dls_mask dls_batch_stick_or_slip(const dls_batch_contact *c, dls_mask closed, const dls_real *q,
                                            dls_real *r)
{
  const dls_real zero = dls_same(0), free = DLS_PLANE_FREE(q, c->ratio);
  const dls_real size = dls_size(q[1]) + dls_size(c->ratio * q[0]);
  const dls_mask singular = c->schur == zero;
  r[1] = dls_select(singular, zero, -free / c->schur);
  r[0] = DLS_PLANE_STICK_NORMAL(c->W, q, r[1]);
  const dls_mask sticks = dls_not(singular & (dls_size(free) > DLS_CONTACT_TIE * size)) &
                          (dls_size(r[1]) <= DLS_PLANE_LIMIT(c->mu, r[0]));
  dls_mask only = dls_not(closed & dls_not(sticks));
  if (dls_some(dls_not(only))) {
    dls_real forward[2], back[2];
    const dls_mask positive = dls_batch_slip(c, q, 1, forward), negative = dls_batch_slip(c, q, -1, back);
    for (int i = 0; i < 2; i++) {
      r[i] = dls_select(sticks, r[i], dls_select(positive, forward[i], back[i]));
    }
    only |= positive ^ negative;
  }
  return only;
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

DLS_INLINE void dls_batch_plane_contact(const dls_batch *k, size_t j, dls_mask mask, const dls_real *q,
                                        dls_batch_node *y)
{
  const dls_batch_contact *c = &k->contact[j];
  const dls_mask closed = dls_not(q[0] >= dls_same(0));
  dls_real r[2], u[2];
  const dls_mask only = dls_batch_stick_or_slip(c, mask & closed, q, r);
  for (int i = 0; i < 2; i++) {
    r[i] = dls_select(closed, r[i], dls_same(0));
  }
  for (int i = 0; i < 2; i++) {
    u[i] = DLS_PLANE_VELOCITY(c->W, q, r, i);
    y->P[2 * j + (size_t)i] = dls_select(mask, r[i], dls_same(0));
    y->mixed[2 * j + (size_t)i] = u[i];
  }
  y->ok &= dls_not(mask) | (only & dls_batch_certified(k, c, q, r, u) & (c->W[0] > dls_same(0)));
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

DLS_INLINE void dls_batch_space_contact(const dls_batch *k, size_t j, dls_mask mask, const dls_real *q,
                                        const dls_batch_node *x, dls_batch_node *y)
{
  dls_mask ok = mask;
  for (int l = 0; l < DLS_BATCH_WIDTH; l++) {
    if (DLS_AT(mask, l) && !dls_batch_space_member(k, j, l, q, x, y)) {
      DLS_AT(ok, l) = 0;
    }
  }
  y->ok &= dls_not(mask) | ok;
}

DLS_INLINE void dls_batch_rough_contact(const dls_batch *k, dls_sizes is, size_t j, dls_mask mask,
                                        const dls_real *q, const dls_batch_node *x, dls_batch_node *y)
{
  if (is.d == 2) {
    dls_batch_plane_contact(k, j, mask, q, y);
  } else {
    dls_batch_space_contact(k, j, mask, q, x, y);
  }
}

#endif
