/* test_step_tangent_limits.c -- what the derivatives of steps with their active sets fixed converge to, scheme by scheme: limits in closed
 * form, and how they are spread over the phases of the grid. The ball has F = -2, m = 1, q0 = 1, v0 = 0: a = 2, first impact at t1 = 1
 * with V = 2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tangent_steps.h"

static const double pi = 3.141592653589793;

/* Mean, standard deviation, least and largest over phases of the grid. */
typedef struct spread {
  double mean, deviation, least, most;
} spread;

static spread over_phases(const derivative_case *c, size_t phases, const char *tangent)
{
  spread s = {.least = HUGE_VAL, .most = -HUGE_VAL};
  double square = 0;
  for (unsigned seed = 0; seed < phases; seed++) {
    const double x = value_of(c, random_step(c->step, seed), tangent);
    s.mean += x / (double)phases;
    square += x * x / (double)phases;
    s.least = fmin(s.least, x);
    s.most = fmax(s.most, x);
  }
  s.deviation = sqrt(fmax(square - s.mean * s.mean, 0));
  return s;
}

/* The determinant of d(q, v)/d(q0, v0) is -e, where that of the motion is e^2. After rest dq/dq0 = 1, where nothing is left of q0. */
DLS_TEST(moreau_jean_has_the_determinant_minus_e)
{
  for (unsigned seed = 0; seed < 8; seed++) {
    const double h = random_step(4e-3, seed);
    double x[4];
    for (int i = 0; i < 4; i++) {
      const derivative_case c = {
          "bouncing-ball", "moreau-jean:gamma=0.5", 1.6, i < 2 ? "q0" : "v0", i % 2 == 0 ? "q0" : "v0", 0, h};
      x[i] = value_of(&c, h, "plain");
    }
    assert_close(x[0] * x[3] - x[1] * x[2], -0.5, 1e-7);
    const derivative_case rest = {"bouncing-ball", "moreau-jean", 3.5, "q0", "q0", 1, h};
    assert_close(value_of(&rest, h, "plain"), 1, 1e-7);
  }
}

/* -e I, but for the phases of a share h a/(e V), where dq/dq0 = e (1 + e) (T - t1)/h. Share times value is the entry that is missing. */
DLS_TEST(schatzman_paoli_is_right_on_average_only)
{
  enum { MANY = 1500 };
  const double step = 2e-2;
  size_t rare = 0;
  double share = 0, size = 0;
  for (unsigned seed = 0; seed < MANY; seed++) {
    const double h = random_step(step, seed);
    const derivatives x = of_ball("bouncing-ball", "schatzman-paoli", "plain", "q0", h);
    share += 2 * h / MANY; /* h a/(e V) */
    if (fabs(x.q + 0.5) > 1e-3) {
      rare++;
      size += x.q * h / (0.5 * 1.5 * (x.t - 1));
    }
  }
  assert_between((double)rare / MANY, 0.85 * share, 1.15 * share);
  assert_between(size / (double)rare, 0.85, 1.05); /* 1 - O(h) */
}

/* A landing with e = 0 leaves nothing, which is exact. */
DLS_TEST(inelastic_landings_leave_nothing)
{
  static const char *const schemes[] = {"stewart-trinkle", "xpbd", "convex-step"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (unsigned seed = 0; seed < 5; seed++) {
      const derivative_case c = {
          "bouncing-ball:e=0", schemes[i], 1.6, seed % 2 == 0 ? "q0" : "v0", "q0", 0, 2e-3};
      assert_close(value_of(&c, random_step(2e-3, seed), "plain"), 0, 1e-7);
    }
  }
}

/* g >= 0 at nodes and no impact law: dv/dq0 is +-2/h after an impact, of both signs, and more after further ones. */
DLS_TEST(nodes_without_an_impact_law_have_2_over_h)
{
  size_t positive = 0;
  enum { MANY = 40 };
  size_t one = 0;
  const derivative_case c = {"bouncing-ball", "newmark-implicit-contact", 1.6173, "v0", "q0", 1.5, 2e-3};
  for (unsigned seed = 0; seed < MANY; seed++) {
    const double step = random_step(c.step, seed), h = c.end / (floor(c.end / step) + 1);
    const double x = value_of(&c, step, "plain");
    positive += x > 0;
    one += fabs(fabs(x) * h / 2 - 1) < 0.02;
  }
  assert_between((double)positive, 0.2 * MANY, 0.8 * MANY);
  assert_between((double)one, 0.5 * MANY, MANY);
}

/* --- contact that yields: unit mass, e = 1, t1 = 1/2, V = 1, dq/dq0 = 2 a (T - t1)/V - 1, dv/dq0 = 2 a/V = 4 --- */

#define SLOW_BALL "bouncing-ball:e=1,q0=0.25"
static const double slow_end = 0.8173;

/* Two values that differ by k h; for h -> 0 a bias -2 pi a/(V sqrt(k)) of dq/dq0. */
DLS_TEST(springs_need_h_k_small)
{
  static const char *const schemes[] = {"spring-damper:k=1e4", "standard-penalty:kappa=1e4"};
  for (size_t i = 0; i < 2; i++) {
    const derivative_case coarse = {SLOW_BALL, schemes[i], slow_end, "v0", "q0", 4, 1e-4},
                          fine = {SLOW_BALL, schemes[i], slow_end, "q0", "q0", 4 * (slow_end - 0.5) - 1, 1e-5};
    const spread a = over_phases(&coarse, 30, "plain"), b = over_phases(&fine, 10, "plain");
    assert_between(a.most - a.least, 0.7 * 1e4 * 1e-4, 2 * 1e4 * 1e-4); /* h from 1 to 1.3 times 1e-4 */
    assert_between(b.mean - fine.exact, 1.15 * -2 * pi * 2 / 100, 0.85 * -2 * pi * 2 / 100);
  }
}

/* Kelvin-Voigt with its force clamped at 0: the jumps of the force at entry and exit do not cancel, and dv+/dq0 is off by
 * -2 zeta omega e_c, which grows like sqrt(k) and does not depend on h. A contact that pulls before it opens is right to leading order. */
DLS_TEST(clamped_dampers_diverge_with_the_stiffness)
{
  const double zeta = 0.2, root = sqrt(1 - zeta * zeta);
  const double e_c = exp(-zeta / root * (pi - atan(2 * zeta * root / (1 - 2 * zeta * zeta))));
  for (int i = 0; i < 4; i++) {
    const double k = i < 2 ? 1e3 : 1e4, h = (i % 2 == 0 ? 0.1 : 0.03) / k;
    char scheme[100], pulling[120];
    snprintf(scheme, sizeof scheme, "spring-damper:k=%g,damping=given,c=%.15g", k, 2 * zeta * sqrt(k));
    snprintf(pulling, sizeof pulling, "%s,tension=on", scheme);
    const derivative_case clamped = {"bouncing-ball:q0=0.25", scheme, slow_end, "v0", "q0", 0, h},
                          pulls = {"bouncing-ball:q0=0.25", pulling, slow_end, "v0", "q0", 0, h};
    const double right = (1 + e_c) * 2, off = -2 * zeta * sqrt(k) * e_c;
    assert_between((value_of(&clamped, h, "plain") - right) / off, 0.9, 1.1);
    assert_between((value_of(&pulls, h, "plain") - right) / off, -0.1, 0.1);
  }
}

/* A force that is a difference quotient has order two in h sqrt(kappa). */
DLS_TEST(conserving_penalties_have_order_two)
{
  double error[2] = {0, 0};
  for (int i = 0; i < 2; i++) { /* h sqrt(kappa) = 1, 1/8 */
    const derivative_case c = {SLOW_BALL,           "conserving-penalty:kappa=1e6", slow_end, "v0", "q0", 4,
                               1e-3 * pow(0.125, i)};
    for (unsigned seed = 0; seed < 12; seed++) {
      error[i] += fabs(value_of(&c, random_step(c.step / 1.15, seed), "plain") - 4) / 12;
    }
  }
  assert_between(log(error[0] / error[1]) / log(8), 1.75, 2.25);
}

/* A force that is continuous at entry and exit has an error O(k h) of slopes; Hertz' force with a continuous slope O(h^(3/2)). */
DLS_TEST(forces_with_continuous_slopes_have_less_spread)
{
  double deviation[2];
  for (int j = 0; j < 2; j++) {
    const derivative_case c = {SLOW_BALL,
                               "spring-damper:law=hunt-crossley,n=1.5,k=1e5,damping=given",
                               slow_end,
                               "v0",
                               "q0",
                               4,
                               2e-4 * pow(0.25, j)};
    deviation[j] = over_phases(&c, 12, "plain").deviation;
  }
  assert_between(log(deviation[0] / deviation[1]) / log(4), 1.1, 2.2);
}

/* --- friction --- */

/* Capture into stick passes the saltation matrix. */
DLS_TEST(captures_have_order_one)
{
  static const char *const schemes[] = {"moreau-jean:theta=1", "moreau-jean"};
  for (size_t i = 0; i < 2; i++) {
    const derivative_case c = {"belt", schemes[i], 3, "q0", "vb", 1.951466286578, 1e-2};
    double finest;
    assert_between(order_of(&c, "plain", &finest), 0.9, 1.2);
  }
}

/* A reversal multiplies du_T by a+/a-, a step with fixed modes by 0 with the share 1 - a+/a-, else by 1: right on average. A block that
 * turns on an incline: a+- = g (sin alpha -+ mu cos alpha). */
DLS_TEST(reversals_are_right_on_average)
{
  const double factor = (0.5 - 0.3 * sqrt(0.75)) / (0.5 + 0.3 * sqrt(0.75));
  enum { MANY = 400 };
  const derivative_case c = {"incline:mu=0.3,v0=2", "moreau-jean", 2.0173, "v0", "v0", factor, 1e-2};
  size_t ones = 0;
  for (unsigned seed = 0; seed < MANY; seed++) {
    const double x = value_of(&c, random_step(c.step, seed), "plain");
    assert_true(fabs(x) < 1e-6 || fabs(x - 1) < 1e-6);
    ones += x > 0.5;
  }
  assert_between((double)ones / MANY, factor - 0.05, factor + 0.05);
  assert_close(value_of(&c, c.step, "saltation"), factor, 1e-6);
}

/* A release with mu_s > mu passes the identity, as the status is memory: nothing of Fs, where 0.947 is right. */
DLS_TEST(releases_are_missed)
{
  for (unsigned seed = 0; seed < 5; seed++) {
    const derivative_case c = {"belt:Fs=1.5", "moreau-jean", 4.5, "q0", "Fs", 0.9471880442158, 1e-2};
    assert_close(value_of(&c, random_step(c.step, seed), "plain"), 0, 1e-6);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moreau_jean_has_the_determinant_minus_e),
      cmocka_unit_test(schatzman_paoli_is_right_on_average_only),
      cmocka_unit_test(inelastic_landings_leave_nothing),
      cmocka_unit_test(nodes_without_an_impact_law_have_2_over_h),
      cmocka_unit_test(springs_need_h_k_small),
      cmocka_unit_test(clamped_dampers_diverge_with_the_stiffness),
      cmocka_unit_test(conserving_penalties_have_order_two),
      cmocka_unit_test(forces_with_continuous_slopes_have_less_spread),
      cmocka_unit_test(captures_have_order_one),
      cmocka_unit_test(reversals_are_right_on_average),
      cmocka_unit_test(releases_are_missed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
