/* analytic/exact/dry_oscillator.c -- the models belt, forced-block, spring-block and den-hartog: one mass with a spring, a harmonic
 * force and dry friction on a belt,
 *   m x'' + k x = P cos(omega t + phase) + r,   r in -F Sgn(x' - vb),   |r| <= Fs while x' = vb;
 * stick and slip one after the other, each in closed form.
 *
 * Slip with s = sign(x' - vb), time tau since its start: with kappa = k/m and amplitude R of the forced motion,
 *   x = own + forced,  forced = R cos(omega tau + phi),  R = P / (m (kappa - omega^2)),
 *   own'' + kappa own = -s F/m; without a spring forced'' is the force itself.
 * It ends at the first zero of s (x' - vb): stick if the force that this needs, k x - P cos, is within Fs, else reversal. A minimum that is
 * zero to rounding, where x' only touches vb, counts as a zero: the slip continues if the force is at Fs and grows.
 * Stick ends when that force grows beyond Fs; where it only touches Fs, to rounding, stick continues. At resonance, omega^2 = kappa, there is no such solution: it is refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/motion.h"
#include <float.h>
#include <math.h>

typedef struct oscillator {
  double m, k, P, omega, phase, F, Fs, vb, q0, v0, g;
  double t1, vb1; /* t1 > 0: velocity of the belt from then on */
} oscillator;

typedef struct state {
  long double t, x, v;
  int sign; /* of slip; 0: stick */
} state;

/* k x - P cos(omega t + phase): the friction force that holds the mass on the belt. */
static long double holding(const oscillator *o, long double t, long double x)
{
  return o->k * x - o->P * cosl(o->omega * t + o->phase);
}

/* Its derivative while x' = v. */
static long double holding_rate(const oscillator *o, long double t, long double v)
{
  return o->k * v + o->P * o->omega * sinl(o->omega * t + o->phase);
}

static dls_motion slip_motion(const oscillator *o, const state *at)
{
  const long double kappa = (long double)o->k / o->m, w = o->omega, phi = w * at->t + o->phase;
  const long double drag = -at->sign * (long double)o->F / o->m, force = (long double)o->P / o->m;
  if (o->k == 0 || o->P == 0) { /* x'' = drag + force cos; or x'' = -kappa x + drag */
    const long double xx = drag - kappa * at->x;
    const dls_wave free = o->k == 0
                              ? (dls_wave){at->x, at->v, drag, force * cosl(phi), -force * w * sinl(phi), w}
                              : (dls_wave){at->x, at->v, 0, xx, -kappa * at->v, sqrtl(kappa)};
    return (dls_motion){.own = free};
  }
  const long double R = force / (kappa - w * w), c = R * cosl(phi), s = R * sinl(phi);
  const long double x = at->x - c, v = at->v + w * s; /* of the own motion */
  return (dls_motion){.own = {x, v, 0, drag - kappa * x, -kappa * v, sqrtl(kappa)},
                      .forced = {c, -w * s, 0, -w * w * c, w * w * w * s, w}};
}

static dls_motion stick_motion(const oscillator *o, const state *at)
{
  return (dls_motion){.own = {at->x, o->vb, 0, 0, 0, 0}};
}

/* What falls to zero: s (x' - vb) while it slips, Fs - |holding| while it sticks. */
typedef struct watched {
  const oscillator *o;
  const state *at;
  dls_motion motion;
  int sign;         /* stick: of the holding force that is watched */
  long double from; /* stick: time since its start that counts as 0 */
} watched;

static void slip_speed(const void *data, long double s, long double x[4])
{
  const watched *w = data;
  const dls_wave_state now = dls_motion_at(&w->motion, s);
  const dls_wave *waves[] = {&w->motion.own, &w->motion.forced};
  x[0] = w->at->sign * (now.d - w->o->vb);
  x[1] = w->at->sign * now.dd;
  x[2] = x[3] = 0;
  for (int i = 0; i < 2; i++) { /* x''' = -a omega sin + b cos */
    const dls_wave *y = waves[i];
    const long double c = cosl(y->omega * s), sine = sinl(y->omega * s);
    x[2] += w->at->sign * (y->b * c - y->a * y->omega * sine);
    x[3] -= w->at->sign * y->omega * (y->b * sine + y->a * y->omega * c);
  }
}

static void margin(const void *data, long double s, long double x[4])
{
  const watched *w = data;
  const oscillator *o = w->o;
  const long double since = w->from + s, t = w->at->t + since, omega = o->omega, angle = omega * t + o->phase;
  x[0] = o->Fs - w->sign * holding(o, t, w->at->x + o->vb * since);
  x[1] = -w->sign * holding_rate(o, t, o->vb);
  x[2] = -w->sign * (long double)o->P * o->omega * o->omega * cosl(angle);
  x[3] = w->sign * o->P * omega * omega * omega * sinl(angle);
}

/* max |x^(3)|, |x^(4)| and |x^(5)| of a motion */
static void bound_slip(dls_bounded *f, const dls_motion *motion)
{
  const dls_wave *waves[] = {&motion->own, &motion->forced};
  f->second = f->third = f->fourth = 0;
  for (int i = 0; i < 2; i++) {
    const long double amplitude = hypotl(waves[i]->a * waves[i]->omega, waves[i]->b);
    f->second += amplitude;
    f->third += amplitude * waves[i]->omega;
    f->fourth += amplitude * waves[i]->omega * waves[i]->omega;
  }
}

/* Order of the first derivative of what is watched that is not zero at the start; a second one that is small is of less weight than the
 * third. */
static unsigned leading(const dls_bounded *f, long double scale)
{
  long double x[4];
  f->at(f->data, 0, x);
  return x[0] > 64 * LDBL_EPSILON * scale         ? 0
         : x[1] > 1e-15L * f->second              ? 1
         : x[2] > 1e-6L * f->third || !(x[3] > 0) ? 2
                                                  : 3;
}

/* Rounding of the margin at x. */
static long double rounding_of(const oscillator *o, long double x)
{
  return 64 * LDBL_EPSILON * (o->Fs + fabsl((long double)o->k * x) + fabs(o->P));
}

/* A margin that is 0, or nearly so: is it below 0 right behind? A least or largest value next to it is 0 if rounding may make it so. */
static bool falls(const long double x[4], long double tiny)
{
  const bool sloped = x[1] * x[1] > 2 * fabsl(x[2]) * tiny;
  return sloped ? x[1] < 0 : x[2] < 0;
}

/* The first zero of s (x' - vb). At a double root it is the time of the minimum, which is known to rounding, the root only to its square root. */
static bool slip_ends(const oscillator *o, const state *at, const dls_motion *motion, long double left,
                      long double *s)
{
  const watched w = {.o = o, .at = at, .motion = *motion};
  const long double speed = fabsl(at->v) + fabsl((long double)o->vb);
  dls_bounded f = {.at = slip_speed, .data = &w};
  long double x[4];
  bound_slip(&f, motion);
  if (!dls_bounded_first_zero(&f, leading(&f, speed), left, s)) {
    return false;
  }
  slip_speed(&w, *s, x);
  if (x[2] > 0 && !falls(x, 64 * LDBL_EPSILON * speed)) {
    *s -= x[1] / x[2];
  }
  return true;
}

/* The first time at which the holding force grows beyond its limit on a side. */
static bool leaves_side(const oscillator *o, const state *at, int side, long double left, long double *s)
{
  const long double w2 = (long double)o->omega * o->omega, force = fabs(o->P);
  watched w = {.o = o, .at = at, .sign = side};
  const dls_bounded f = {margin, &w, force * w2, force * w2 * o->omega, force * w2 * w2};
  unsigned lead = leading(&f, o->Fs);
  long double x[4], root = 0;
  while (dls_bounded_first_zero(&f, lead, left - w.from, &root)) {
    w.from += root;
    margin(&w, 0, x);
    if (falls(x, rounding_of(o, at->x + o->vb * w.from))) {
      *s = w.from;
      return true;
    }
    if (!(x[2] > 0)) { /* a force that stays */
      break;
    }
    lead = 2; /* on from the least of it */
    w.from += fmaxl(0, -x[1] / x[2]);
  }
  return false;
}

static bool stick_ends(const oscillator *o, const state *at, long double left, long double *s, int *sign)
{
  bool found = false;
  for (int side = -1; side <= 1; side += 2) {
    if (leaves_side(o, at, side, found ? *s : left, s)) {
      found = true;
      *sign = side;
    }
  }
  return found;
}

/* x' = vb: does it stick? Where the holding force is at the limit, as long as it does not grow. */
static int next_sign(const oscillator *o, const state *at)
{
  const long double tiny = rounding_of(o, at->x);
  for (int side = -1; side <= 1; side += 2) {
    const watched w = {.o = o, .at = at, .sign = side};
    long double x[4];
    margin(&w, 0, x);
    if (x[0] < -tiny || (x[0] <= tiny && falls(x, tiny))) {
      return -side;
    }
  }
  return 0;
}

static dls_motion_piece piece_of(const oscillator *o, const state *at)
{
  dls_motion_piece piece = {.start = at->t, .lambda = {o->m * o->g}, .status = {at->sign == 0 ? 1 : 2}};
  piece.of[0] = at->sign == 0 ? stick_motion(o, at) : slip_motion(o, at);
  return piece;
}

static void note(dls_motion_piece *piece, const state *at, int before)
{
  piece->has_event = at->sign != before;
  piece->event = (dls_event){.t = (double)at->t,
                             .kind = at->sign == 0 ? DLS_STICK
                                     : before == 0 ? DLS_SLIP
                                                   : DLS_REVERSAL};
}

/* One piece, and the state at its end. @return false: it lasts to the end */
static bool advance(const oscillator *o, const dls_motion_piece *piece, long double end, state *at)
{
  long double s = 0;
  int side = 0;
  const bool stick = at->sign == 0;
  const bool ends =
      stick ? stick_ends(o, at, end - at->t, &s, &side) : slip_ends(o, at, &piece->of[0], end - at->t, &s);
  if (!ends || at->t + s >= end) {
    return false;
  }
  at->x = dls_motion_at(&piece->of[0], s).x;
  at->v = o->vb;
  at->t += s;
  at->sign = stick ? -side : next_sign(o, at);
  return true;
}

static int sign_at(const oscillator *o, const state *at)
{
  return at->v > o->vb ? 1 : at->v < o->vb ? -1 : next_sign(o, at);
}

/* The piece and all that follow up to the end; the last of them and its start. */
static dls_status follow(dls_exact_solution *sol, const oscillator *o, dls_motion_piece *piece, state *at,
                         long double end, dls_error *err)
{
  dls_status status = dls_motion_push(sol, piece, err);
  for (int before = at->sign; status == DLS_OK && advance(o, piece, end, at); before = at->sign) {
    *piece = piece_of(o, at);
    note(piece, at, before);
    status = dls_motion_push(sol, piece, err);
  }
  return status;
}

/* The belt's velocity jumps to vb1 at t1: x and x' are continuous, slip and stick change. */
static dls_status after_jump(dls_exact_solution *sol, const oscillator *o, const dls_motion_piece *last,
                             const state *from, long double end, dls_error *err)
{
  const dls_wave_state now = dls_motion_at(&last->of[0], o->t1 - from->t);
  state at = {o->t1, now.x, now.d, 0};
  oscillator then = *o;
  then.vb = o->vb1;
  at.sign = sign_at(&then, &at);
  dls_motion_piece piece = piece_of(&then, &at);
  note(&piece, &at, from->sign);
  return follow(sol, &then, &piece, &at, end, err);
}

/* R = P/(m (kappa - omega^2)) must be a number that leaves digits. */
static dls_status check_resonance(const oscillator *o, dls_error *err)
{
  const double ratio = o->k / o->m / (o->omega * o->omega);
  return o->P == 0 || o->k == 0 || fabs(ratio - 1) >= 1e-9
             ? DLS_OK
             : dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                        "omega = %g rad/s is the frequency of the spring: no such solution", o->omega);
}

/* The solution on the plane y = 0, q = (x, y), with all changes between stick and slip up to end. */
static dls_status create(const oscillator *o, double end, dls_exact_solution **out, dls_error *err)
{
  *out = NULL;
  dls_status status = check_resonance(o, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_exact_solution *sol = *out = dls_motion_create(2, 1);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  sol->q0[0] = o->q0;
  sol->v0[0] = o->v0;
  sol->gap[0].plus = 1; /* y */
  const bool jumps = o->t1 > 0 && o->t1 < end;
  state at = {0, o->q0, o->v0, 0};
  at.sign = sign_at(o, &at);
  dls_motion_piece piece = piece_of(o, &at);
  status = follow(sol, o, &piece, &at, jumps ? o->t1 : end, err);
  return status == DLS_OK && jumps ? after_jump(sol, o, &piece, &at, end, err) : status;
}

extern const dls_model dls_model_belt, dls_model_forced_block, dls_model_spring_block, dls_model_den_hartog;

/* mass, stiffness, limit, static, belt, position, speed, gravity */
static dls_status create_belt(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const oscillator block = {.m = p[0],
                            .k = p[1],
                            .F = p[2],
                            .Fs = p[3],
                            .vb = p[4],
                            .q0 = p[5],
                            .v0 = p[6],
                            .g = p[7],
                            .t1 = p[8],
                            .vb1 = p[9]};
  return create(&block, end, out, err);
}

const dls_exact dls_exact_belt = {
    .model = &dls_model_belt,
    .summary = "stick and slip one after the other, times by safeguarded root finding",
    .source = "elementary",
    .n = 2,
    .m = 1,
    .create = create_belt,
    DLS_MOTION_CALLS,
};

/* mass, amplitude, omega, phase, limit, position, speed, gravity */
static dls_status create_forced_block(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const oscillator block = {.m = p[0],
                            .P = p[1],
                            .omega = p[2],
                            .phase = p[3],
                            .F = p[4],
                            .Fs = p[4],
                            .q0 = p[5],
                            .v0 = p[6],
                            .g = p[7]};
  return create(&block, end, out, err);
}

const dls_exact dls_exact_forced_block = {
    .model = &dls_model_forced_block,
    .summary = "stick and slip one after the other, times by safeguarded root finding",
    .source = "elementary",
    .n = 2,
    .m = 1,
    .create = create_forced_block,
    DLS_MOTION_CALLS,
};

/* mass, stiffness, limit, position, speed, gravity */
static dls_status create_spring_block(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const oscillator block = {.m = p[0], .k = p[1], .F = p[2], .Fs = p[2], .q0 = p[3], .v0 = p[4], .g = p[5]};
  return create(&block, end, out, err);
}

const dls_exact dls_exact_spring_block = {
    .model = &dls_model_spring_block,
    .summary = "stick and slip one after the other, times by safeguarded root finding",
    .source = "elementary",
    .n = 2,
    .m = 1,
    .create = create_spring_block,
    DLS_MOTION_CALLS,
};

/* mass, stiffness, amplitude, omega, phase, limit, static, position, speed, gravity */
static dls_status create_den_hartog(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const oscillator block = {.m = p[0],
                            .k = p[1],
                            .P = p[2],
                            .omega = p[3],
                            .phase = p[4],
                            .F = p[5],
                            .Fs = p[6] > 0 ? p[6] : p[5],
                            .q0 = p[7],
                            .v0 = p[8],
                            .g = p[9]};
  return create(&block, end, out, err);
}

const dls_exact dls_exact_den_hartog = {
    .model = &dls_model_den_hartog,
    .summary = "stick and slip one after the other, times by safeguarded root finding",
    .source = "elementary",
    .n = 2,
    .m = 1,
    .create = create_den_hartog,
    DLS_MOTION_CALLS,
};
