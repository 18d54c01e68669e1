/* test_friction_misprints.c -- Acary, Collins-Craft 2023: its formulas on random impacts of one contact in space, and what is
 * printed otherwise there, put in place, fails on them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/problem.h>
#include <math.h>
#include <stdlib.h>

enum { TRIALS = 4000 };

/* u+ = u- + W p; K* contains u+ + c u- with its slip, orthogonal to p in K. theta: where the impulse works. */
typedef struct impact {
  double W[9], minus[3], plus[3], p[3];
  double e, e_t, mu, theta;
} impact;

typedef enum kind { OPEN, STICK, SLIP } kind;

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

static double norm(const double *x)
{
  return hypot(x[1], x[2]); /* of the tangents */
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* (1 - theta) u- + theta u+ */
static void between(const impact *x, double theta, double *u)
{
  for (int i = 0; i < 3; i++) {
    u[i] = (1 - theta) * x->minus[i] + theta * x->plus[i];
  }
}

/* W = A A^T + 1/10; e_t < 0: Fremond's at theta, (1 - theta)/theta. */
static impact random_impact(unsigned *seed, double theta, double e_t)
{
  impact x = {.e = uniform(seed, 0.1, 0.9), .mu = uniform(seed, 0.1, 1.5), .theta = theta};
  double A[9], q[3], r[3 * DLS_ONE_CONTACT_MOST];
  x.e_t = e_t >= 0 ? e_t : (1 - theta) / theta;
  for (int i = 0; i < 9; i++) {
    A[i] = uniform(seed, -1, 1);
  }
  for (int i = 0; i < 9; i++) {
    x.W[i] = i % 4 == 0 ? 0.1 : 0;
    for (int k = 0; k < 3; k++) {
      x.W[i] += A[i % 3 + 3 * k] * A[i / 3 + 3 * k];
    }
  }
  for (int i = 0; i < 3; i++) {
    x.minus[i] = i == 0 ? uniform(seed, -1, -0.1) : uniform(seed, -1, 1);
    q[i] = x.minus[i] * (i == 0 ? 1 + x.e : 1 + x.e_t);
  }
  assert_true(dls_one_contact(3, x.W, q, x.mu, r) > 0);
  for (int i = 0; i < 3; i++) {
    x.p[i] = r[i];
    x.plus[i] = x.minus[i] + x.W[i] * r[0] + x.W[i + 3] * r[1] + x.W[i + 6] * r[2];
  }
  return x;
}

static kind kind_of(const impact *x)
{
  const double hat[] = {0, x->plus[1] + x->e_t * x->minus[1], x->plus[2] + x->e_t * x->minus[2]};
  return x->p[0] <= 0 ? OPEN : norm(hat) > 1e-9 ? SLIP : STICK;
}

/* By how much x is outside of K*, and of being orthogonal to p. */
static double violation(const double *x, const double *p, double mu)
{
  return fmax(mu * norm(x) - x[0], 0) + fabs(dot(x, p));
}

/* u with mu |u_T| in its normal row and a shift there. */
static void with_slip(const double *u, double mu, double shift, double *out)
{
  out[0] = u[0] + mu * norm(u) + shift;
  out[1] = u[1];
  out[2] = u[2];
}

/* (26): -u~ = Phi(u); (34): u- in N_K(r) without its minus. Both ask for -u~ where u~ is meant. */
DLS_TEST(signs_of_the_cone_inclusions)
{
  unsigned seed = 1;
  for (int k = 0; k < TRIALS; k++) {
    const impact x = random_impact(&seed, 1, 0);
    double tilde[3], turned[3];
    with_slip(x.plus, x.mu, x.e * x.minus[0], tilde);
    assert_close(violation(tilde, x.p, x.mu), 0, 1e-12);
    for (int i = 0; i < 3; i++) {
      turned[i] = -tilde[i];
    }
    assert_true(kind_of(&x) != SLIP || violation(turned, x.p, x.mu) > 1e-9);
  }
}

/* (42): 1/2 u_T^- p_T for the friction term, which is right in stick only. */
DLS_TEST(energy_of_an_impact)
{
  unsigned seed = 2;
  size_t slips = 0;
  for (int k = 0; k < TRIALS; k++) {
    const impact x = random_impact(&seed, 1, 0);
    double mean[3];
    between(&x, 0.5, mean);
    double change = dot(x.minus, x.p); /* u-^T p + 1/2 p^T W p */
    for (int i = 0; i < 9; i++) {
      change += 0.5 * x.p[i % 3] * x.W[i] * x.p[i / 3];
    }
    const double printed = mean[0] * x.p[0] + 0.5 * (x.minus[1] * x.p[1] + x.minus[2] * x.p[2]);
    assert_close(dot(mean, x.p), change, 1e-13 * (1 + fabs(change)));
    if (kind_of(&x) == SLIP) {
      slips += fabs(printed - change) > 1e-3 * fabs(change);
    } else {
      assert_close(printed, change, 1e-13 * (1 + fabs(change)));
    }
  }
  assert_true(slips > TRIALS / 4);
}

/* Behind (44): a slip that is reversed, u_T+ = -u_T-, may make energy. Its friction does no work at all; work is made where
 * the slip is reversed and becomes less, or stops although the impulse went along with it. */
DLS_TEST(who_makes_energy)
{
  unsigned seed = 3;
  size_t gains = 0, mirrored = 0;
  for (int k = 0; k < 20 * TRIALS; k++) {
    const impact x = random_impact(&seed, 1, 0);
    const double along_minus = x.minus[1] * x.p[1] + x.minus[2] * x.p[2];
    const double along_plus = x.plus[1] * x.p[1] + x.plus[2] * x.p[2];
    if (0.5 * (along_minus + along_plus) > 1e-9) { /* friction does work */
      gains++;
      assert_true(along_minus > 0 && along_plus <= 1e-12);
      assert_true(kind_of(&x) == STICK || norm(x.minus) > norm(x.plus));
    }
    const impact y = random_impact(&seed, 0.5, 1); /* e_T = 1: stick reverses the slip */
    if (kind_of(&y) == STICK) {
      mirrored++;
      assert_close((y.minus[1] + y.plus[1]) * y.p[1] + (y.minus[2] + y.plus[2]) * y.p[2], 0, 1e-12);
    }
  }
  assert_true(gains > 50 && mirrored > 1000);
}

/* Before (51) "sliding" stands for sticking; (52) has a factor 1/2 too much; lemma 2, case 3 a norm for a vector; the end of
 * 2.4 calls the power non-negative. */
DLS_TEST(fremonds_law)
{
  unsigned seed = 4;
  for (int k = 0; k < TRIALS; k++) {
    const impact x = random_impact(&seed, 0.5, 1);
    double mean[3];
    between(&x, 0.5, mean);
    const double normal = 0.5 * (1 - x.e) * x.minus[0] * x.p[0], work = dot(mean, x.p);
    const double slip = norm(mean), pressed = norm(x.p);
    if (kind_of(&x) == OPEN) {
      continue;
    }
    assert_close(work, normal - x.mu * x.p[0] * slip, 1e-12);             /* (52) */
    assert_true(work <= 0 && normal < 0);                                 /* not: non-negative */
    assert_true((fabs(work - normal) < 1e-12) == (kind_of(&x) == STICK)); /* (51) */
    assert_close(slip * x.p[1], -pressed * mean[1], 1e-12);               /* lemma 2 */
    if (kind_of(&x) == SLIP && slip > 1e-3) {
      assert_true(fabs(work - (normal - 0.5 * x.mu * x.p[0] * slip)) > 1e-6); /* (52) as printed */
      assert_true(fmax(fabs(slip * pressed + pressed * mean[1]), fabs(slip * pressed + pressed * mean[2])) >
                  1e-6); /* lemma 2 as printed */
    }
  }
}

/* (73) for theta = 1/2 and (75) for theta = 1 begin with a u that is counted once more in the bracket. Behind (62): the first
 * term is nonpositive. Proposition 1, case 3: (72) with p_k+theta, that of two steps. (78): of the coefficients of restitution, as (61): with 1/(1 + mu) the work has no sign. */
DLS_TEST(the_scheme_with_fremonds_law)
{
  unsigned seed = 5;
  size_t positive = 0, wrong = 0, mixed = 0;
  impact last = random_impact(&seed, 0.5, -1);
  for (int k = 0; k < TRIALS; k++) {
    const double theta = k % 3 == 0 ? 0.5 : k % 3 == 1 ? 1 : uniform(&seed, 0.5, 1);
    const impact x = random_impact(&seed, theta, -1), y = random_impact(&seed, theta, 0);
    double u[3], Theta[3], twice[3];
    between(&x, theta, u);
    with_slip(u, x.mu, (theta * (1 + x.e) - 1) * x.minus[0], Theta); /* (64) */
    assert_close(violation(Theta, x.p, x.mu), 0, 1e-12);
    for (int i = 0; i < 3; i++) {
      twice[i] = Theta[i] + u[i];
    }
    const double part[] = {0, (1 - theta) * last.p[1] + theta * x.p[1],
                           (1 - theta) * last.p[2] + theta * x.p[2]};
    if (kind_of(&x) == SLIP) { /* (72) */
      assert_close(norm(u) * x.p[1] + norm(x.p) * u[1], 0, 1e-12);
    }
    mixed += kind_of(&x) == SLIP && theta < 1 && fabs(norm(u) * part[1] + norm(part) * u[1]) > 1e-6;
    last = x;
    wrong += violation(twice, x.p, x.mu) > 1e-6; /* of those that stick only the normal row is left */
    const double first = theta * (y.plus[1] * y.p[1] + y.plus[2] * y.p[2]);
    assert_true(first <= 1e-12);
    if (theta <= 1 / (1 + x.e)) {
      assert_true(dot(u, x.p) <= 1e-12);
    } else if (theta <= 1 / (1 + x.mu)) {
      positive += u[0] * x.p[0] > 1e-6;
    }
  }
  assert_true(positive > 10 && wrong > TRIALS / 2 && mixed > TRIALS / 8);
}

/* Lemma 1: u in K*: it is u~; slip itself is outside. */
DLS_TEST(slip_is_outside_of_the_dual_cone)
{
  unsigned seed = 6;
  size_t slips = 0;
  for (int k = 0; k < TRIALS; k++) {
    const impact x = random_impact(&seed, 1, 0);
    const double u[] = {x.plus[0] + x.e * x.minus[0], x.plus[1], x.plus[2]};
    if (kind_of(&x) == SLIP) {
      slips++;
      assert_true(x.mu * norm(u) > u[0] + 1e-12);
    }
  }
  assert_true(slips > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(signs_of_the_cone_inclusions),
      cmocka_unit_test(energy_of_an_impact),
      cmocka_unit_test(who_makes_energy),
      cmocka_unit_test(fremonds_law),
      cmocka_unit_test(the_scheme_with_fremonds_law),
      cmocka_unit_test(slip_is_outside_of_the_dual_cone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
