/* analytic/rigorous/systems.c -- the models with one contact and a linear motion in between.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/contact.h"
#include "analytic/rigorous/models.h"
#include <math.h>

typedef dls_ball_parameters values;

static arb_srcptr get(const values *p, const char *name)
{
  return dls_ball_parameter(p, name);
}

static double size(const values *p, const char *name)
{
  return dls_ball_parameter_size(p, name);
}

static void set(arb_mat_t matrix, slong i, slong j, const arb_t x)
{
  arb_set(arb_mat_entry(matrix, i, j), x);
}

/* g = q, u = v. */
static void gap_is_position(dls_ball_system *system)
{
  arb_one(arb_mat_entry(system->open, 0, DLS_BALL_GAP));
  arb_one(arb_mat_entry(system->open, 1, DLS_BALL_RATE));
}

/* m q'' = f; states q, v, 1. */
static void make_ball(const values *p, dls_ball_system *system)
{
  enum { ONE = 2, STATES };
  dls_ball_system_init(system, STATES, 1);
  arb_div(arb_mat_entry(system->flight.L, DLS_BALL_RATE, ONE), get(p, "f"), get(p, "m"), p->prec);
  system->flight.weight[ONE] = 1 / (size(p, "f") / size(p, "m") + 1e-3);
  arb_set(system->start + DLS_BALL_GAP, get(p, "q0"));
  arb_set(system->start + DLS_BALL_RATE, get(p, "v0"));
  arb_one(system->start + ONE);
  gap_is_position(system);
}

/* cos' = -omega sin, sin' = omega cos, of the angle omega t + phase. */
static void make_wave(const values *p, dls_ball_system *system, slong cosine, slong sine)
{
  arb_srcptr omega = get(p, "omega");
  arb_neg(arb_mat_entry(system->flight.L, cosine, sine), omega);
  set(system->flight.L, sine, cosine, omega);
  arb_sin_cos(system->start + sine, system->start + cosine, get(p, "phase"), p->prec);
}

/* Of the oscillator: the states that act, and what by; the first two are negative. */
static const char *const terms[] = {"k", "c", "f", NULL, "amplitude"};
static const slong places[] = {DLS_BALL_GAP, DLS_BALL_RATE, 2, -1, 3};

/* m q'' + c q' + k q = f + amplitude cos(omega t + phase); states q, v, 1, cos, sin. */
static void make_oscillator(const values *p, dls_ball_system *system)
{
  enum { ONE = 2, COS, SIN, STATES };
  dls_ball_system_init(system, STATES, 1);
  for (int i = 0; i < 5; i++) {
    if (terms[i] != NULL) {
      arb_ptr entry = arb_mat_entry(system->flight.L, DLS_BALL_RATE, places[i]);
      arb_div(entry, get(p, terms[i]), get(p, "m"), p->prec);
      if (i < 2) {
        arb_neg(entry, entry);
      }
    }
  }
  make_wave(p, system, COS, SIN);
  const double m = size(p, "m"), rate = fmax(fmax(sqrt(size(p, "k") / m), size(p, "c") / m), 1e-2);
  system->flight.weight[DLS_BALL_RATE] = rate;
  system->flight.weight[ONE] = rate * rate / (size(p, "f") / m + rate * rate);
  system->flight.weight[COS] = system->flight.weight[SIN] =
      rate * rate / (size(p, "amplitude") / m + rate * rate);
  arb_set(system->start + DLS_BALL_GAP, get(p, "q0"));
  arb_set(system->start + DLS_BALL_RATE, get(p, "v0"));
  arb_one(system->start + ONE);
  gap_is_position(system);
}

/* y = q1 - R, z = q2 - q1 - l: y'' = kappa z - g, z'' = -2 kappa z; states y, y', z, z', 1. A force on y moves z back. */
static void make_two_balls(const values *p, dls_ball_system *system)
{
  enum { Z = 2, W, ONE, STATES };
  dls_ball_system_init(system, STATES, 2);
  arb_mat_struct *L = system->flight.L;
  arb_one(arb_mat_entry(L, Z, W));
  arb_div(arb_mat_entry(L, DLS_BALL_RATE, Z), get(p, "k"), get(p, "m"), p->prec);
  arb_mul_si(arb_mat_entry(L, W, Z), arb_mat_entry(L, DLS_BALL_RATE, Z), -2, p->prec);
  arb_neg(arb_mat_entry(L, DLS_BALL_RATE, ONE), get(p, "g"));
  arb_set_si(system->strike + W, -1);
  const double rate = sqrt(2 * size(p, "k") / size(p, "m")) + 1e-2;
  system->flight.weight[DLS_BALL_RATE] = system->flight.weight[W] = rate;
  system->flight.weight[ONE] = rate * rate / (size(p, "g") + rate * rate);
  arb_sub(system->start + DLS_BALL_GAP, get(p, "q1"), get(p, "R"), p->prec);
  arb_set(system->start + DLS_BALL_RATE, get(p, "v1"));
  arb_sub(system->start + Z, get(p, "q2"), get(p, "q1"), p->prec);
  arb_sub(system->start + Z, system->start + Z, get(p, "l"), p->prec);
  arb_sub(system->start + W, get(p, "v2"), get(p, "v1"), p->prec);
  arb_one(system->start + ONE);
  for (slong i = 0; i < 2; i++) { /* q1 = R + y, q2 = R + l + y + z */
    arb_one(arb_mat_entry(system->open, i, DLS_BALL_GAP));
    arb_one(arb_mat_entry(system->open, 2 + i, DLS_BALL_RATE));
    set(system->open, i, ONE, get(p, "R"));
  }
  arb_one(arb_mat_entry(system->open, 1, Z));
  arb_one(arb_mat_entry(system->open, 3, W));
  arb_add(arb_mat_entry(system->open, 1, ONE), get(p, "R"), get(p, "l"), p->prec);
}

/* Gap to the table, y = q - A sin: y'' = -g + A omega^2 sin; states y, y', 1, cos, sin. */
static void make_table(const values *p, dls_ball_system *system)
{
  enum { ONE = 2, COS, SIN, STATES };
  dls_ball_system_init(system, STATES, 1);
  arb_t A_omega, push;
  arb_init(A_omega);
  arb_init(push);
  arb_mul(A_omega, get(p, "A"), get(p, "omega"), p->prec);
  arb_mul(push, A_omega, get(p, "omega"), p->prec);
  arb_neg(arb_mat_entry(system->flight.L, DLS_BALL_RATE, ONE), get(p, "g"));
  set(system->flight.L, DLS_BALL_RATE, SIN, push);
  make_wave(p, system, COS, SIN);
  system->flight.weight[DLS_BALL_RATE] = size(p, "omega");
  system->flight.weight[ONE] = 1 / (size(p, "g") / (size(p, "omega") * size(p, "omega")) + 1e-3);
  system->flight.weight[COS] = system->flight.weight[SIN] = 1 / (size(p, "A") + 1e-3);
  arb_set(system->start + DLS_BALL_GAP, get(p, "q0"));
  arb_submul(system->start + DLS_BALL_GAP, get(p, "A"), system->start + SIN, p->prec);
  arb_set(system->start + DLS_BALL_RATE, get(p, "v0"));
  arb_submul(system->start + DLS_BALL_RATE, A_omega, system->start + COS, p->prec);
  arb_one(system->start + ONE);
  gap_is_position(system);
  set(system->open, 0, SIN, get(p, "A"));
  set(system->open, 1, COS, A_omega);
  arb_clear(A_omega);
  arb_clear(push);
}

/* --- derivatives by a parameter --- */

/* d(sign P/m) of the entry of L in the row of u: sign/m by P, -entry/m by m. */
static void quotient(const values *p, const dls_ball_system *system, const dls_ball_tangent *d, arb_mat_t dL,
                     const char *P, slong column, int sign)
{
  arb_ptr entry = arb_mat_entry(dL, DLS_BALL_RATE, column);
  if (dls_ball_tangent_is_by(d, P)) {
    arb_set_si(entry, sign);
    arb_div(entry, entry, get(p, "m"), p->prec);
  } else if (dls_ball_tangent_is_by(d, "m")) {
    arb_div(entry, arb_mat_entry(system->flight.L, DLS_BALL_RATE, column), get(p, "m"), p->prec);
    arb_neg(entry, entry);
  }
}

static void differentiate_wave(const dls_ball_system *system, dls_ball_tangent *d, arb_mat_t dL, slong cosine,
                               slong sine)
{
  if (dls_ball_tangent_is_by(d, "omega")) {
    arb_set_si(arb_mat_entry(dL, cosine, sine), -1);
    arb_one(arb_mat_entry(dL, sine, cosine));
  } else if (dls_ball_tangent_is_by(d, "phase")) {
    arb_neg(d->start + cosine, system->start + sine);
    arb_set(d->start + sine, system->start + cosine);
  }
}

static void differentiate_ball(const values *p, const dls_ball_system *system, dls_ball_tangent *d,
                               arb_mat_t dL)
{
  quotient(p, system, d, dL, "f", 2, 1);
  dls_ball_tangent_one_by(d->start + DLS_BALL_GAP, d, "q0");
  dls_ball_tangent_one_by(d->start + DLS_BALL_RATE, d, "v0");
}

static void differentiate_oscillator(const values *p, const dls_ball_system *system, dls_ball_tangent *d,
                                     arb_mat_t dL)
{
  for (int i = 0; i < 5; i++) {
    if (terms[i] != NULL) {
      quotient(p, system, d, dL, terms[i], places[i], i < 2 ? -1 : 1);
    }
  }
  differentiate_wave(system, d, dL, 3, 4);
  dls_ball_tangent_one_by(d->start + DLS_BALL_GAP, d, "q0");
  dls_ball_tangent_one_by(d->start + DLS_BALL_RATE, d, "v0");
}

static void differentiate_two_balls(const values *p, const dls_ball_system *system, dls_ball_tangent *d,
                                    arb_mat_t dL)
{
  enum { Z = 2, W, ONE };
  static const struct {
    const char *name;
    int start[4];
  } initial[] = {{"q1", {1, 0, -1, 0}}, {"q2", {0, 0, 1, 0}}, {"v1", {0, 1, 0, -1}},
                 {"v2", {0, 0, 0, 1}},  {"R", {-1, 0, 0, 0}}, {"l", {0, 0, -1, 0}}};
  quotient(p, system, d, dL, "k", Z, 1);
  arb_mul_si(arb_mat_entry(dL, W, Z), arb_mat_entry(dL, DLS_BALL_RATE, Z), -2, p->prec);
  if (dls_ball_tangent_is_by(d, "g")) {
    arb_set_si(arb_mat_entry(dL, DLS_BALL_RATE, ONE), -1);
  }
  for (size_t i = 0; i < sizeof initial / sizeof initial[0]; i++) {
    for (slong j = 0; j < 4 && dls_ball_tangent_is_by(d, initial[i].name); j++) {
      arb_set_si(d->start + j, initial[i].start[j]);
    }
  }
  dls_ball_tangent_one_by(arb_mat_entry(d->rows, 0, ONE), d, "R");
  dls_ball_tangent_one_by(arb_mat_entry(d->rows, 1, ONE), d, "R");
  dls_ball_tangent_one_by(arb_mat_entry(d->rows, 1, ONE), d, "l");
}

/* y(0) = q0 - A sin(phase), y'(0) = v0 - A omega cos(phase). */
static void differentiate_table(const values *p, const dls_ball_system *system, dls_ball_tangent *d,
                                arb_mat_t dL)
{
  enum { ONE = 2, COS, SIN };
  arb_srcptr A = get(p, "A"), omega = get(p, "omega");
  arb_ptr push = arb_mat_entry(dL, DLS_BALL_RATE, SIN), y = d->start + DLS_BALL_GAP,
          rate = d->start + DLS_BALL_RATE;
  differentiate_wave(system, d, dL, COS, SIN);
  dls_ball_tangent_one_by(y, d, "q0");
  dls_ball_tangent_one_by(rate, d, "v0");
  dls_ball_tangent_one_by(arb_mat_entry(d->rows, 0, SIN), d, "A");
  if (dls_ball_tangent_is_by(d, "g")) {
    arb_set_si(arb_mat_entry(dL, DLS_BALL_RATE, ONE), -1);
  } else if (dls_ball_tangent_is_by(d, "A")) {
    arb_mul(push, omega, omega, p->prec);
    arb_set(arb_mat_entry(d->rows, 1, COS), omega);
    arb_neg(y, system->start + SIN);
    arb_mul(rate, omega, system->start + COS, p->prec);
    arb_neg(rate, rate);
  } else if (dls_ball_tangent_is_by(d, "omega")) {
    arb_mul(push, A, omega, p->prec);
    arb_mul_2exp_si(push, push, 1);
    arb_set(arb_mat_entry(d->rows, 1, COS), A);
    arb_submul(rate, A, system->start + COS, p->prec);
  } else if (dls_ball_tangent_is_by(d, "phase")) {
    arb_submul(y, A, system->start + COS, p->prec);
    arb_mul(rate, A, omega, p->prec);
    arb_mul(rate, rate, system->start + SIN, p->prec);
  }
}

/* --- solutions --- */

typedef void differentiate(const values *p, const dls_ball_system *system, dls_ball_tangent *d, arb_mat_t dL);

static dls_status solve(void (*make)(const values *p, dls_ball_system *system), differentiate *by,
                        const values *p, const arb_t end, slong narrow, dls_ball_solution *out, dls_error *err)
{
  dls_ball_system *system = flint_malloc(sizeof *system);
  make(p, system);
  arb_set(system->e, get(p, "e"));
  arb_set(system->mass, get(p, "m"));
  system->differentiate = by;
  dls_ball_system_finish(system, p->prec);
  return dls_ball_contact(system, end, p->prec, narrow, out, err);
}

dls_status dls_ball_bouncing_ball(const values *p, const arb_t end, slong narrow, dls_ball_solution *out,
                                  dls_error *err)
{
  return solve(make_ball, differentiate_ball, p, end, narrow, out, err);
}

dls_status dls_ball_impacting_oscillator(const values *p, const arb_t end, slong narrow, dls_ball_solution *out,
                                         dls_error *err)
{
  return solve(make_oscillator, differentiate_oscillator, p, end, narrow, out, err);
}

dls_status dls_ball_two_balls(const values *p, const arb_t end, slong narrow, dls_ball_solution *out,
                              dls_error *err)
{
  return solve(make_two_balls, differentiate_two_balls, p, end, narrow, out, err);
}

dls_status dls_ball_vibrating_table(const values *p, const arb_t end, slong narrow, dls_ball_solution *out,
                                    dls_error *err)
{
  return solve(make_table, differentiate_table, p, end, narrow, out, err);
}
