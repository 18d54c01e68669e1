/* tests/analytic/test_exact_two_ball.c -- the two-ball oscillator: its modal form in 400 bits through all
 * impacts, energy, closed forms of lasting contact and of the ball without spring, the event-driven scheme.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "runs.h"
#include <delassus/exact.h>
#include <math.h>
#include <mpfr.h>
#include <string.h>

extern const dls_exact dls_exact_bouncing_ball, dls_exact_two_ball_oscillator;
static const dls_exact *const balls = &dls_exact_two_ball_oscillator;

enum { M, K, L, G, R, E, Q1, Q2, V1, V2, COUNT };              /* parameters */
enum { T, QA, QB, VA, VB, GAP, U, P, LAMBDA, STATUS, AA, AB }; /* columns for n = 2, m = 1 */
static const double set_a[COUNT] = {1, 1e3, 1, 9.81, 0, 0.9, 1, 2, 0, 0};
static const double set_b[COUNT] = {1, 1e4, 1, 10, 0.2, 0.8, 1.001, 2.001, 0, 0};

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

static double cell(const dls_trajectory *traj, size_t row, size_t column)
{
  return dls_trajectory_at(traj, row, column);
}

static dls_trajectory *until(const double *p, double end, double accuracy)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(dls_exact_trajectory(balls, p, end, accuracy, &traj, &err), err);
  return traj;
}

static dls_trajectory *at(const dls_exact *exact, const double *p, size_t count, const double *times)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(dls_exact_at(exact, p, count, times, &traj, &err), err);
  return traj;
}

/* Any start, hard and soft springs, no gravity, no spring, starts on the floor. */
static void any_data(unsigned *seed, double *p)
{
  const unsigned kind = (unsigned)uniform(seed, 0, 1e6);
  p[M] = exp(uniform(seed, -1, 1));
  p[K] = kind % 11 == 0 ? 0 : exp(uniform(seed, 1, 10));
  p[L] = uniform(seed, 0.1, 2);
  p[G] = kind % 13 == 0 ? 0 : uniform(seed, 1, 20);
  p[R] = kind % 3 == 0 ? 0 : uniform(seed, 0, 0.3);
  p[E] = kind % 4 == 0 ? 0 : kind % 17 == 0 ? 1 : uniform(seed, 0, 0.95);
  p[Q1] = p[R] + (kind % 5 == 0 ? 0 : uniform(seed, 0, 1));
  p[Q2] = p[Q1] + p[L] + uniform(seed, -0.05, 0.05);
  p[V1] = kind % 7 == 0 ? 0 : uniform(seed, -3, 3);
  p[V2] = kind % 7 == 0 ? 0 : uniform(seed, -3, 3);
}

/* ---- the modal form in many digits ---- */

enum { BITS = 400 };
enum { Y, V, Z, W, STATE };
enum { SCRATCH = 5 };
typedef struct wide_motion {
  mpfr_t x[SCRATCH + STATE]; /* scratch; then y, y', z, z' at the start */
  mpfr_t t, g, kappa, e, omega, now[4];
} wide_motion;
#define START(w, i) ((w)->x[SCRATCH + (i)])

static void each(wide_motion *w, void (*call)(mpfr_ptr))
{
  for (int i = 0; i < SCRATCH + STATE; i++) {
    call(w->x[i]);
  }
  mpfr_ptr rest[] = {w->t, w->g, w->kappa, w->e, w->omega, w->now[0], w->now[1], w->now[2], w->now[3]};
  for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
    call(rest[i]);
  }
}

static void make_zero(mpfr_ptr x)
{
  mpfr_init2(x, BITS);
  mpfr_set_zero(x, 1);
}

static void open_motion(wide_motion *w, const double *p)
{
  each(w, make_zero);
  mpfr_set_d(w->g, p[G], MPFR_RNDN);
  mpfr_set_d(w->e, p[E], MPFR_RNDN);
  mpfr_set_d(w->kappa, p[K], MPFR_RNDN);
  mpfr_div_d(w->kappa, w->kappa, p[M], MPFR_RNDN);
  mpfr_set_d(START(w, Y), p[Q1], MPFR_RNDN);
  mpfr_sub_d(START(w, Y), START(w, Y), p[R], MPFR_RNDN);
  mpfr_set_d(START(w, V), p[V1], MPFR_RNDN);
  mpfr_set_d(START(w, Z), p[Q2], MPFR_RNDN);
  mpfr_sub_d(START(w, Z), START(w, Z), p[Q1], MPFR_RNDN);
  mpfr_sub_d(START(w, Z), START(w, Z), p[L], MPFR_RNDN);
  mpfr_set_d(START(w, W), p[V2], MPFR_RNDN);
  mpfr_sub_d(START(w, W), START(w, W), p[V1], MPFR_RNDN);
}

/* z = (z0 + r) cos + w0 sin/omega - r, z' alike; flight: omega^2 = 2 kappa, r = 0; contact: kappa, r = g/kappa.
 * Flight: y + z/2, the mean height, is a parabola. now := y, y', z, z' at s. */
static void move(wide_motion *w, bool closed, const mpfr_t s)
{
  mpfr_ptr c = w->x[0], sine = w->x[1], rest = w->x[2], a = w->x[3], b = w->x[4];
  mpfr_mul_ui(w->omega, w->kappa, closed ? 1 : 2, MPFR_RNDN);
  mpfr_sqrt(w->omega, w->omega, MPFR_RNDN);
  mpfr_mul(a, w->omega, s, MPFR_RNDN);
  mpfr_sin_cos(sine, c, a, MPFR_RNDN);
  mpfr_set_zero(rest, 1);
  if (closed) {
    mpfr_div(rest, w->g, w->kappa, MPFR_RNDN);
  }
  mpfr_add(a, START(w, Z), rest, MPFR_RNDN);
  mpfr_mul(w->now[2], a, c, MPFR_RNDN);
  mpfr_mul(b, START(w, W), sine, MPFR_RNDN);
  mpfr_div(b, b, w->omega, MPFR_RNDN);
  mpfr_add(w->now[2], w->now[2], b, MPFR_RNDN);
  mpfr_sub(w->now[2], w->now[2], rest, MPFR_RNDN); /* z */
  mpfr_mul(a, a, w->omega, MPFR_RNDN);
  mpfr_mul(a, a, sine, MPFR_RNDN);
  mpfr_mul(b, START(w, W), c, MPFR_RNDN);
  mpfr_sub(w->now[3], b, a, MPFR_RNDN); /* z' */
  mpfr_set_zero(w->now[0], 1);
  mpfr_set_zero(w->now[1], 1);
  if (!closed) {
    mpfr_div_ui(a, START(w, W), 2, MPFR_RNDN);
    mpfr_add(a, a, START(w, V), MPFR_RNDN); /* velocity of the mean */
    mpfr_mul(b, w->g, s, MPFR_RNDN);
    mpfr_sub(c, a, b, MPFR_RNDN);
    mpfr_div_ui(sine, w->now[3], 2, MPFR_RNDN);
    mpfr_sub(w->now[1], c, sine, MPFR_RNDN); /* y' */
    mpfr_div_ui(b, b, 2, MPFR_RNDN);
    mpfr_sub(a, a, b, MPFR_RNDN);
    mpfr_mul(a, a, s, MPFR_RNDN);
    mpfr_sub(b, START(w, Z), w->now[2], MPFR_RNDN);
    mpfr_div_ui(b, b, 2, MPFR_RNDN);
    mpfr_add(a, a, b, MPFR_RNDN);
    mpfr_add(w->now[0], START(w, Y), a, MPFR_RNDN); /* y */
  }
}

/* Newton's method from a time that is nearly that of the event: y = 0, or g - kappa z = 0 in contact. */
static void find(wide_motion *w, bool closed, double guess, mpfr_t s)
{
  mpfr_ptr a = w->x[0], b = w->x[1];
  mpfr_d_sub(s, guess, w->t, MPFR_RNDN);
  for (int i = 0; i < 9; i++) {
    move(w, closed, s);
    if (closed) {
      mpfr_mul(a, w->kappa, w->now[2], MPFR_RNDN);
      mpfr_sub(a, w->g, a, MPFR_RNDN);
      mpfr_mul(b, w->kappa, w->now[3], MPFR_RNDN);
      mpfr_neg(b, b, MPFR_RNDN);
      mpfr_div(a, a, b, MPFR_RNDN);
    } else {
      mpfr_div(a, w->now[0], w->now[1], MPFR_RNDN);
    }
    mpfr_sub(s, s, a, MPFR_RNDN);
  }
  move(w, closed, s);
}

/* Follow `events` events in 400 bits. The first `sure` of them are the nearest doubles, the others, in which
 * the rounding of the long doubles has grown, are as near as `error`. */
static void compare(const double *p, double end, size_t sure, size_t events, double error)
{
  wide_motion w;
  mpfr_t s, jump;
  mpfr_inits2(BITS, s, jump, (mpfr_ptr)0);
  open_motion(&w, p);
  dls_trajectory *traj = until(p, end, 1e-6);
  assert_between((double)traj->event_count, (double)events, (double)events + 400);
  bool closed = false;
  for (size_t i = 0; i < events; i++) {
    const dls_event *event = &traj->events[i];
    assert_true(event->kind == DLS_IMPACT || event->kind == DLS_LIFT_OFF);
    find(&w, closed, event->t, s);
    mpfr_add(w.t, w.t, s, MPFR_RNDN);
    assert_close(event->t, mpfr_get_d(w.t, MPFR_RNDN), i < sure ? 0 : error);
    if (event->kind == DLS_IMPACT && i < sure) {
      assert_close(event->u_minus, mpfr_get_d(w.now[1], MPFR_RNDN), 4e-16 * fabs(event->u_minus));
    }
    mpfr_add_ui(jump, w.e, 1, MPFR_RNDN);
    mpfr_mul(jump, jump, w.now[1], MPFR_RNDN);
    mpfr_set_zero(START(&w, Y), 1);
    mpfr_sub(START(&w, V), w.now[1], jump, MPFR_RNDN);
    mpfr_set(START(&w, Z), w.now[2], MPFR_RNDN);
    mpfr_add(START(&w, W), w.now[3], jump, MPFR_RNDN);
    closed = event->kind == DLS_IMPACT && p[E] == 0 &&
             mpfr_get_d(w.now[2], MPFR_RNDN) * p[K] < p[M] * p[G]; /* pressed at rest */
  }
  mpfr_clears(s, jump, (mpfr_ptr)0);
  dls_trajectory_destroy(traj);
  each(&w, mpfr_clear);
}

DLS_TEST(events_are_those_of_the_modal_form_in_many_digits)
{
  double p[COUNT];
  compare(set_b, 1.6, 4, 6, 3e-16);
  compare(set_b, 2.3, 4, 10, 1e-14);
  compare(set_b, 3.3, 4, 27, 1e-7); /* 27 impacts multiply the rounding by 1e11 */
  compare(set_a, 4.2, 7, 13, 2e-15);
  memcpy(p, set_a, sizeof p);
  p[E] = 0.8;
  compare(p, 3, 6, 8, 1e-15);
  p[E] = 0;
  compare(p, 2.5, 6, 6, 0); /* then it rests */
  p[E] = 1;
  compare(p, 4, 6, 8, 1e-15);
}

/* Times from an integration of relative tolerance 1e-11, made without this program. */
DLS_TEST(impacts_are_those_of_the_literature_data)
{
  const double *const sets[] = {set_a, set_a, set_a, set_b};
  const double e[] = {0.9, 0.8, 0, 0.8};
  const double t[][4] = {{0.451524, 0.513805, 1.260119, 1.486557},
                         {0.451524, 0.510472, 1.114673, 1.448866},
                         {0.451524, 0.557514, 0.992803, 1.079036},
                         {0.400249921924, 0.419707564078, 1.00586691044, 1.03153270275}};
  for (size_t k = 0; k < 4; k++) {
    double p[COUNT];
    memcpy(p, sets[k], sizeof p);
    p[E] = e[k];
    dls_trajectory *traj = until(p, 2, 1e-6);
    for (size_t i = 0; i < 4; i++) {
      const bool opens = e[k] == 0 && i == 1;
      assert_close(traj->events[i].t, t[k][i], k < 3 ? 6e-7 : 6e-11);
      assert_int_equal(traj->events[i].kind, opens ? DLS_LIFT_OFF : DLS_IMPACT);
    }
    if (k == 0) {
      assert_close(traj->events[2].u_minus, -5.1997, 6e-5);
      assert_close(traj->events[3].u_minus, -3.4666, 6e-5);
    }
    dls_trajectory_destroy(traj);
  }
}

static double energy(const double *p, const dls_trajectory *traj, size_t row)
{
  const double stretch = cell(traj, row, QB) - cell(traj, row, QA) - p[L];
  const double speeds = pow(cell(traj, row, VA), 2) + pow(cell(traj, row, VB), 2);
  return p[M] * speeds / 2 + p[M] * p[G] * (cell(traj, row, QA) + cell(traj, row, QB)) +
         p[K] * stretch * stretch / 2;
}

/* No penetration, Newton's law, contact that does not pull, M a + K q = F + lambda with the model's own
 * matrices; energy constant but for impacts, which take (1 - e^2) m u^2/2. */
static void check_laws(const double *p, const dls_trajectory *traj, const dls_system *sys)
{
  double previous = -1, taken = 0;
  const double scale = energy(p, traj, 0) + p[M] * p[G] * (p[Q2] + 1) + p[K] * 4e-16 * (p[Q2] + 1);
  for (size_t row = 0, next = 0; row < traj->rows; row++) {
    const double t = cell(traj, row, T), lambda = cell(traj, row, LAMBDA);
    while (next < traj->event_count && cell(traj, row, P) > 0 && traj->events[next].t <= t) {
      const double u = traj->events[next].u_minus;
      taken += (1 - p[E] * p[E]) * p[M] * u * u / 2;
      next++;
    }
    assert_close(energy(p, traj, row) + taken, energy(p, traj, 0), 2e-13 * scale);
    double F[2];
    const double q[] = {cell(traj, row, QA), cell(traj, row, QB)}, v[] = {0, 0};
    dls_system_force(sys, t, q, v, F);
    const double size = p[M] * p[G] + p[K] * (fabs(q[0]) + fabs(q[1]) + p[L]);
    assert_close(p[M] * cell(traj, row, AA), F[0] + lambda, 1e-15 * size);
    assert_close(p[M] * cell(traj, row, AB), F[1], 1e-15 * size);
    assert_true(q[0] >= p[R] && lambda >= 0 && cell(traj, row, GAP) == q[0] - p[R]);
    assert_true(cell(traj, row, STATUS) == 1 ? q[0] == p[R] && cell(traj, row, VA) == 0 : lambda == 0);
  }
  for (size_t i = 0; i < traj->event_count; i++) {
    const dls_event *event = &traj->events[i];
    assert_true(event->t > previous);
    previous = event->t;
    if (event->kind == DLS_IMPACT) {
      assert_close(event->u_plus, -p[E] * event->u_minus, 1e-15 * fabs(event->u_minus));
      assert_close(event->impulse, p[M] * (event->u_plus - event->u_minus), 1e-14 * event->impulse);
      assert_true(event->u_minus < 0);
    }
  }
}

DLS_TEST(random_motions_obey_the_laws)
{
  unsigned seed = 5;
  size_t kinds[5] = {0};
  for (int i = 0; i < 150; i++) {
    double p[COUNT];
    any_data(&seed, p);
    dls_error err = {0};
    dls_system *sys = NULL;
    assert_ok(dls_model_create(balls->model, p, &sys, &err), err);
    dls_trajectory *traj = until(p, 2.5, 1e-5);
    check_laws(p, traj, sys);
    for (size_t k = 0; k < traj->event_count; k++) {
      kinds[traj->events[k].kind]++;
    }
    dls_trajectory_destroy(traj);
    dls_system_destroy(sys);
  }
  assert_between((double)kinds[DLS_IMPACT], 2000, 1e6);
  assert_between((double)kinds[DLS_LIFT_OFF], 100, 1e5);
  assert_between((double)kinds[DLS_ACCUMULATION], 20, 1e5);
  assert_between((double)kinds[DLS_LANDING], 1, 1000);
}

DLS_TEST(without_spring_the_lower_ball_bounces_and_the_upper_one_falls)
{
  double p[COUNT], times[300];
  memcpy(p, set_a, sizeof p);
  p[K] = 0;
  p[E] = 0.5;
  p[V2] = 1;
  for (int i = 0; i < 300; i++) {
    times[i] = 0.011 * i;
  }
  const double ball[] = {1, -9.81, 0.5, 1, 0};
  dls_trajectory *two = at(balls, p, 300, times), *one = at(&dls_exact_bouncing_ball, ball, 300, times);
  assert_int_equal(two->rows, one->rows);
  for (size_t r = 0; r < two->rows; r++) {
    assert_close(cell(two, r, QA), cell(one, r, 1), 2e-16);
    assert_close(cell(two, r, VA), cell(one, r, 2), 1e-15);
    assert_close(cell(two, r, LAMBDA), cell(one, r, 6), 1e-15);
    const double t = times[r];
    assert_close(cell(two, r, QB), 2 + t - 9.81 * t * t / 2, 1e-14);
  }
  dls_trajectory_destroy(two);
  dls_trajectory_destroy(one);
}

/* On the floor with z = -m g/k + Z cos(w t), w^2 = k/m: lambda = 2 m g - k Z cos(w t), which is never zero for
 * k Z < 2 m g, touches zero for k Z = 2 m g and opens the contact at cos(w t) = 2 m g/(k Z) otherwise. */
DLS_TEST(lasting_contact_opens_where_its_force_vanishes)
{
  unsigned seed = 7;
  for (int i = 0; i < 200; i++) {
    double p[COUNT];
    memcpy(p, set_a, sizeof p);
    p[M] = uniform(&seed, 0.5, 2);
    p[K] = p[M] * uniform(&seed, 10, 1e4);
    p[Q1] = p[R] = i % 2 ? 0 : 0.25;
    const double part = i % 5 == 0 ? 0.999 : i % 5 == 1 ? 1.001 : uniform(&seed, 0.1, 4);
    const double sag = p[M] * p[G] / p[K], w = sqrt(p[K] / p[M]);
    p[Q2] = p[Q1] + p[L] - sag * (1 + 2 * part); /* Z = -2 part sag: pressed at t = 0 */
    const double size = p[M] * p[G] + p[K] * 4e-16;
    dls_trajectory *traj = until(p, 6.3 / w, 1e-9);
    assert_int_equal(traj->events[0].kind, DLS_LANDING);
    assert_close(traj->events[0].t, 0, 0);
    const double opens = part > 1 ? acos(-1 / part) / w : INFINITY;
    assert_int_equal(traj->event_count > 1, part > 1);
    if (part > 1) {
      assert_int_equal(traj->events[1].kind, DLS_LIFT_OFF);
      assert_close(traj->events[1].t * w, opens * w, 3e-11 + 1e-9 * (part < 1.01)); /* rounding of q2 */
    }
    for (size_t r = 0; r < traj->rows && cell(traj, r, T) <= opens; r++) {
      const double lambda = 2 * p[M] * p[G] * (1 + part * cos(w * cell(traj, r, T)));
      assert_close(cell(traj, r, LAMBDA), fmax(0, lambda), 20 * size * (1 + part) * 1e-10);
    }
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(a_contact_force_that_touches_zero_does_not_open_the_contact)
{
  double p[COUNT];
  memcpy(p, set_a, sizeof p);
  p[G] = 8; /* k Z = 2 m g exactly in doubles: z runs from -3/64 to 1/64, w = sqrt(512) */
  p[K] = 512;
  p[Q1] = 0;
  p[Q2] = 1 - 3.0 / 64;
  dls_trajectory *traj = until(p, 3, 1e-9);
  assert_int_equal(traj->event_count, 1);
  assert_int_equal(traj->events[0].kind, DLS_LANDING);
  assert_close(cell(traj, traj->rows - 1, LAMBDA), 16 * (1 + cos(sqrt(512) * 3)), 4e-13);
  dls_trajectory_destroy(traj);
  p[Q2] = 1 + 1.0 / 64; /* the same from the moment when the force is zero */
  traj = until(p, 3, 1e-9);
  assert_int_equal(traj->event_count, 1);
  assert_close(cell(traj, traj->rows - 1, LAMBDA), 16 * (1 - cos(sqrt(512) * 3)), 4e-13);
  dls_trajectory_destroy(traj);
  p[V2] = 1; /* z' > 0: it opens at once */
  traj = until(p, 0.01, 1e-9);
  assert_int_equal(traj->event_count, 0);
  assert_true(cell(traj, traj->rows - 1, GAP) > 0);
  dls_trajectory_destroy(traj);
}

/* The scheme at its tightest tolerance, over the impacts before the motion turns chaotic. */
DLS_TEST(the_event_driven_scheme_converges_to_it)
{
  test_run run = dls_test_run("two-ball-oscillator:k=1e4,R=0.2,g=10,e=0.8,q1=1.001,q2=2.001",
                              "event-driven:tol=1e-12", 0, 1.3);
  dls_trajectory *exact = until(set_b, 1.3, 1e-6);
  assert_int_equal(run.traj->event_count, 4);
  assert_int_equal(exact->event_count, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_close(run.traj->events[i].t, exact->events[i].t, 3e-11);
    assert_close(run.traj->events[i].u_minus, exact->events[i].u_minus, 3e-9);
  }
  for (size_t c = QA; c <= VB; c++) {
    const double size = c < VA ? 1 : 141; /* sqrt(2 k/m) */
    assert_close(cell(run.traj, run.traj->rows - 1, c), cell(exact, exact->rows - 1, c), 5e-10 * size);
  }
  dls_trajectory_destroy(exact);
  dls_test_free(&run);
}

static double hermite(double x0, double d0, double x1, double d1, double h)
{
  return (x0 + x1) / 2 + h * (d0 - d1) / 8; /* at the middle, where the error is largest */
}

DLS_TEST(sampling_is_as_accurate_as_asked)
{
  for (int i = 0; i < 4; i++) {
    double p[COUNT], middles[500], worst = 0;
    size_t rows[500], count = 0;
    memcpy(p, i % 2 ? set_a : set_b, sizeof p);
    p[E] = i < 2 ? 0 : 0.5;
    const double accuracy = i % 2 ? 1e-7 : 1e-9;
    dls_trajectory *traj = until(p, 1.5, accuracy);
    for (size_t r = 0; r + 1 < traj->rows; r += 1 + traj->rows / 500) {
      if (cell(traj, r + 1, T) - cell(traj, r, T) > 1e-9) {
        rows[count] = r;
        middles[count++] = (cell(traj, r, T) + cell(traj, r + 1, T)) / 2;
      }
    }
    dls_trajectory *exact = at(balls, p, count, middles);
    for (size_t k = 0; k < count; k++) {
      const size_t r = rows[k];
      const double h = cell(traj, r + 1, T) - cell(traj, r, T);
      for (size_t c = QA; c <= VB; c++) {
        const size_t rate = c < VA ? c - QA + VA : c - VA + AA;
        const double x =
            hermite(cell(traj, r, c), cell(traj, r, rate), cell(traj, r + 1, c), cell(traj, r + 1, rate), h);
        assert_close(x, cell(exact, k, c), accuracy + 1e-14);
        worst = fmax(worst, fabs(x - cell(exact, k, c)));
      }
    }
    assert_true(worst > 0.05 * accuracy); /* no more rows than needed */
    dls_trajectory_destroy(exact);
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(a_start_below_the_floor_is_refused)
{
  double p[COUNT];
  memcpy(p, set_b, sizeof p);
  p[Q1] = 0.1;
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_int_equal(dls_exact_trajectory(balls, p, 1, 1e-6, &traj, &err), DLS_ERR_ARG);
  assert_string_equal(err.text,
                      "model two-ball-oscillator: q1 = 0.1 m is below the floor, must be at least R = 0.2 m");
  p[Q1] = 1;
  p[K] = -1;
  assert_int_equal(dls_exact_trajectory(balls, p, 1, 1e-6, &traj, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "k = -1"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_are_those_of_the_modal_form_in_many_digits),
      cmocka_unit_test(impacts_are_those_of_the_literature_data),
      cmocka_unit_test(random_motions_obey_the_laws),
      cmocka_unit_test(without_spring_the_lower_ball_bounces_and_the_upper_one_falls),
      cmocka_unit_test(lasting_contact_opens_where_its_force_vanishes),
      cmocka_unit_test(a_contact_force_that_touches_zero_does_not_open_the_contact),
      cmocka_unit_test(the_event_driven_scheme_converges_to_it),
      cmocka_unit_test(sampling_is_as_accurate_as_asked),
      cmocka_unit_test(a_start_below_the_floor_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
