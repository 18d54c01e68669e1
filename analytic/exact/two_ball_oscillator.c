/* analytic/exact/two_ball_oscillator.c -- two balls with a spring between them over a floor, piece by piece.
 * With y = q1 - R, z = q2 - q1 - l, kappa = k/m:
 *   flight   z'' = -2 kappa z,  y'' = -g + kappa z           (the mean height falls freely, z vibrates)
 *   contact  y = 0,  z'' = -g - kappa z,  lambda/m = x = g - kappa z >= 0,  x'' = -kappa x + 2 kappa g
 * All are waves (analytic/exact/support/wave.h), and so are their first zeros y = 0 (impact) and x = 0 (lift-off). At an
 * impact y' jumps to -e y' and z' by (1 + e) y'. Impacts that accumulate are followed until the time left,
 * 2 V/((g - kappa z)(1 - e)), is below the rounding of t.
 * Source: elementary; modal decomposition of the two equal masses.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/contact_pieces.h"
#include "analytic/exact/support/wave.h"
#include <float.h>
#include <stdlib.h>

enum { MASS, STIFFNESS, REST_LENGTH, GRAVITY, RADIUS, RESTITUTION, Q1, Q2, V1, V2 };
enum { Y, V, Z, W }; /* places in the state: v = y', w = z' */

typedef struct balls {
  double mass, radius, length, q0[2], v0[2];
  long double kappa, g;
  long double omega[2]; /* of z in flight and in contact */
} balls;

static dls_wave gap_wave(const balls *b, const long double *x)
{
  return (dls_wave){x[Y], x[V], -b->g, b->kappa * x[Z], b->kappa * x[W], b->omega[0]};
}

static dls_wave stretch_wave(const balls *b, const long double *x, bool closed)
{
  const long double kappa = b->kappa, z = x[Z], w = x[W];
  return closed ? (dls_wave){z, w, 0, -b->g - kappa * z, -kappa * w, b->omega[1]}
                : (dls_wave){z, w, 0, -2 * kappa * z, -2 * kappa * w, b->omega[0]};
}

static void put_state(const balls *b, const dls_contact_piece *from, const dls_wave_shape *at, long double *x)
{
  const bool closed = from->lead == DLS_CONTACT_CLOSED;
  const dls_wave z = stretch_wave(b, from->x, closed);
  const dls_wave_state stretch = dls_wave_with(&z, at);
  x[Y] = x[V] = 0;
  x[Z] = stretch.x;
  x[W] = stretch.d;
  if (!closed) {
    const dls_wave y = gap_wave(b, from->x);
    const dls_wave_state gap = dls_wave_with(&y, at);
    x[Y] = gap.x;
    x[V] = gap.d;
  }
}

static long double omega_of(const balls *b, const dls_contact_piece *from)
{
  return b->omega[from->lead == DLS_CONTACT_CLOSED];
}

static void state_at(const void *data, const dls_contact_piece *from, long double s, long double *x)
{
  const dls_wave_shape at = dls_wave_shape_at(omega_of(data, from), s);
  put_state(data, from, &at, x);
}

static void row_at(const void *data, const dls_contact_piece *from, long double s, long double *x)
{
  const dls_wave_shape at = dls_wave_row_shape(omega_of(data, from), s);
  put_state(data, from, &at, x);
}

/* y'' without contact force */
static long double free_acceleration(const void *data, long double t, const long double *x)
{
  const balls *b = data;
  (void)t;
  return b->kappa * x[Z] - b->g;
}

/* Order of the first derivative of y that is not zero when y = 0 moves off, or CLOSED. With y'' = 0, to
 * rounding, y''' = kappa z' decides; with z' = 0 too, x'' = 2 kappa g >= 0 keeps the contact. */
static unsigned leading_order(const void *data, long double t, const long double *x)
{
  const balls *b = data;
  if (x[V] > 0) {
    return 1;
  }
  const long double a = free_acceleration(b, t, x);
  if (fabsl(a) > 8 * LDBL_EPSILON * (b->g + fabsl(b->kappa * x[Z]))) {
    return a > 0 ? 2 : DLS_CONTACT_CLOSED;
  }
  return b->kappa * x[W] > 0 ? 3 : DLS_CONTACT_CLOSED;
}

/* z' = q2' - q1' when y' = q1' jumps */
static void strike(long double jump, long double *x)
{
  x[W] -= jump;
}

static bool lands(const void *data, const dls_contact_piece *from, long double s_max, dls_wide *t,
                  long double *v)
{
  const dls_wave y = gap_wave(data, from->x);
  long double s = 0;
  bool grazes;
  const bool lands = dls_wave_first_zero(&y, from->lead, s_max, &s, v, &grazes);
  *t = dls_wide_add(from->start, dls_wide_of(s));
  return lands;
}

/* First s at which x falls through zero. It swings about 2 g with amplitude X: an X of 2 g to rounding touches
 * zero and opens nothing; with the part allowed here the wave crosses zero too fast to count as grazing. */
static bool lift_off(const balls *b, const long double *at, long double s_max, long double *s)
{
  const long double kappa = b->kappa, g = b->g;
  if (!(kappa > 0)) {
    return false;
  }
  const dls_wave x = {.x0 = fmaxl(0, g - kappa * at[Z]),
                      .x1 = -kappa * at[W],
                      .a = kappa * (g + kappa * at[Z]),
                      .b = kappa * kappa * at[W],
                      .omega = sqrtl(kappa)};
  if (hypotl(x.x0 - 2 * g, x.x1 / x.omega) <= 2 * g * (1 + 1024 * LDBL_EPSILON)) {
    return false;
  }
  long double slope;
  bool grazes;
  return dls_wave_first_zero(&x, x.x0 > 0 ? 0 : 1, s_max, s, &slope, &grazes);
}

static bool lifts(const void *data, const dls_contact_piece *from, long double s_max, dls_wide *t)
{
  long double s = 0;
  const bool lifts = lift_off(data, from->x, s_max, &s);
  *t = dls_wide_add(from->start, dls_wide_of(s));
  return lifts;
}

/* In flight q2'' = -2 g - q1'': both have the derivatives of the gap. */
static long double fourth_of(const void *data, const dls_contact_piece *piece)
{
  const bool closed = piece->lead == DLS_CONTACT_CLOSED;
  const dls_wave wave = closed ? stretch_wave(data, piece->x, closed) : gap_wave(data, piece->x);
  return fmaxl(dls_wave_fourth(&wave), dls_wave_fifth(&wave));
}

static const dls_contact_motion motion = {.force = free_acceleration,
                                          .lead = leading_order,
                                          .at = state_at,
                                          .row = row_at,
                                          .lands = lands,
                                          .lifts = lifts,
                                          .fourth = fourth_of,
                                          .strike = strike};

static void state_at_start(const balls *b, long double *x)
{
  x[Y] = (long double)b->q0[0] - b->radius;
  x[V] = b->v0[0];
  x[Z] = (long double)b->q0[1] - b->q0[0] - b->length;
  x[W] = (long double)b->v0[1] - b->v0[0];
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = calloc(1, sizeof *sol);
  balls *b = calloc(1, sizeof *b);
  if (sol == NULL || b == NULL) {
    free(b);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  *b = (balls){.mass = p[MASS],
               .radius = p[RADIUS],
               .length = p[REST_LENGTH],
               .q0 = {p[Q1], p[Q2]},
               .v0 = {p[V1], p[V2]},
               .kappa = (long double)p[STIFFNESS] / p[MASS],
               .g = p[GRAVITY]};
  b->omega[0] = sqrtl(2 * b->kappa);
  b->omega[1] = sqrtl(b->kappa);
  *sol = (dls_exact_solution){.motion = &motion, .own = b, .mass = p[MASS], .e = p[RESTITUTION], .end = end};
  long double x[DLS_CONTACT_STATE];
  state_at_start(b, x);
  return dls_contact_list(sol, x, err);
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  const balls *b = sol->own;
  (void)t;
  g[0] = q[0] - b->radius;
  u[0] = v[0];
}

/* q1 = R + y,  q2 = q1 + l + z,  q1'' = kappa z - g + lambda/m,  q2'' = -kappa z - g */
static void write_value(const balls *b, const long double *x, bool closed, dls_exact_value *out)
{
  const long double q1 = b->radius + x[Y], pull = b->kappa * x[Z];
  out->q[0] = (double)q1;
  out->q[1] = (double)(q1 + b->length + x[Z]);
  out->v[0] = (double)x[V];
  out->v[1] = (double)(x[V] + x[W]);
  out->a[0] = closed ? 0 : (double)(pull - b->g);
  out->a[1] = (double)(-pull - b->g);
  out->lambda[0] = closed ? (double)(b->mass * fmaxl(0, b->g - pull)) : 0;
  out->status[0] = closed;
  out->p[0] = 0;
}

static void initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  long double x[DLS_CONTACT_STATE];
  state_at_start(sol->own, x);
  write_value(sol->own, x, false, out);
}

static void value(const dls_exact_solution *sol, size_t index, double t, dls_exact_value *out)
{
  long double x[DLS_CONTACT_STATE];
  dls_contact_state(sol, index, t, x);
  write_value(sol->own, x, sol->pieces[index].lead == DLS_CONTACT_CLOSED, out);
  out->p[0] = dls_contact_impulse(sol, index, t);
}

static double spacing(const dls_exact_solution *sol, size_t index, double t, double accuracy)
{
  const double most = (double)sol->pieces[index].fourth;
  (void)t;
  return most > 0 ? sqrt(sqrt(384 * accuracy / most)) : INFINITY;
}

extern const dls_model dls_model_two_ball_oscillator;
extern const dls_exact dls_exact_two_ball_oscillator;
const dls_exact dls_exact_two_ball_oscillator = {
    .model = &dls_model_two_ball_oscillator,
    .summary =
        "modal closed form between impacts found by guaranteed root isolation; lasting contact, lift-off",
    .source = "elementary: free fall of the mean, vibration sqrt(2 k/m) in flight and sqrt(k/m) in contact",
    .n = 2,
    .m = 1,
    .create = create,
    .gap = gap,
    .initial = initial,
    .value = value,
    .spacing = spacing,
    DLS_CONTACT_CALLS,
};
