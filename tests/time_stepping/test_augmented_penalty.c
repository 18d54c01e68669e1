/* test_augmented_penalty.c -- Uzawa's iteration of penalty contact, on the reported velocity over m_p and on the gap over kappa:
 * rates, limits, energy; and penalty potentials of other powers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "penalty_runs.h"
#include "time_stepping/penalty/penalty_step.h"
#include "time_stepping/penalty/power_penalty.h"
#include <stdlib.h>
#include <string.h>

static test_run rod(const char *options)
{
  char scheme[120];
  snprintf(scheme, sizeof scheme, "conserving-penalty%s", options);
  return dls_test_run("rod-impact", scheme, 0.02, 2.6);
}

/* h after k augmentations is that of the momenta times (1 + m_p W)^-(k + 1), W = 1/m of the node: Armero & Petocz 1996, (3.47). */
DLS_TEST(gap_velocity_falls_by_the_same_factor_each_time)
{
  test_run momenta = rod("");
  const double W = 1 / dls_matrix_get(momenta.sys->M, 0, 0);
  for (int k = 0; k < 4; k++) {
    char options[60];
    snprintf(options, sizeof options, ":mass=0.03,mass_augmentations=%d", k);
    test_run run = rod(options);
    size_t seen = 0;
    for (size_t i = 0; i < run.traj->rows; i++) {
      const double v = dls_test_value(&momenta, i, "v0"), t = dls_test_value(&run, i, "t");
      assert_true(dls_test_value(&run, i, "g0") == dls_test_value(&momenta, i, "g0"));
      if (t > 0.03 && t < 2) {
        assert_close(dls_test_value(&run, i, "v0"), v * pow(1 + 0.03 * W, -(k + 1)), 1e-14);
        seen += fabs(v) > 0.1;
      }
    }
    assert_between((double)seen, 20, 100);
    dls_test_free(&run);
  }
  dls_test_free(&momenta);
}

/* The limit is the projection: H^T v = 0 on the closed contacts and M (v - M^-1 p) among their normals, orthogonal to v. */
DLS_TEST(limit_is_the_projection)
{
  dls_error err = {0};
  size_t several = 0;
  test_run runs[2] = {dls_test_prepare("bead-column:N=5,gap=0.02",
                                       "conserving-penalty:kappa=1e4,mass=2,mass_augmentations=300"),
                      dls_test_prepare("bead-column:N=5,gap=0.02", "conserving-penalty:kappa=1e4,mass=1e300")};
  for (int i = 0; i < 2; i++) {
    assert_ok(dls_sim_start(runs[i].sim, &err), err);
  }
  for (int step = 0; step < 400; step++) {
    for (int i = 0; i < 2; i++) {
      assert_ok(dls_sim_advance(runs[i].sim, 5e-3, &err), err);
    }
    const dls_sim *sim = runs[0].sim;
    const dls_penalty *s = sim->memory;
    double work[5], removed[5], closed = 0;
    for (size_t i = 0; i < 5; i++) {
      assert_close(sim->v[i], runs[1].sim->v[i], 1e-12);
      removed[i] = s->v[i] - sim->v[i];
    }
    assert_close(dls_balance_product(sim->sys->M, 5, removed, sim->v, work), 0, 1e-12);
    for (size_t j = 0; j < 5; j++) {
      if (s->touches[j]) {
        assert_close(dls_matrix_column_dot(sim->sys->H, j, sim->v), 0, 1e-12);
        closed++;
      }
    }
    several += closed > 1;
  }
  assert_between((double)several, 20, 400);
  dls_test_free(&runs[0]);
  dls_test_free(&runs[1]);
}

/* 1/2 p^T M^-1 p = 1/2 v^T M v + x h + W x^2/2, x = m_p h + lambda the momentum that is taken out: (3.45) with a multiplier. */
DLS_TEST(energy_with_the_multiplier_is_kept)
{
  double work[200];
  dls_error err = {0};
  test_run run = dls_test_prepare("rod-impact", "conserving-penalty:mass=1e-3,mass_augmentations=3");
  const double W = 1 / dls_matrix_get(run.sys->M, 0, 0);
  assert_ok(dls_sim_start(run.sim, &err), err);
  for (int i = 0; i < 130; i++) {
    assert_ok(dls_sim_advance(run.sim, 0.02, &err), err);
    const double x = ((dls_penalty *)run.sim->memory)->mass_momentum[0], h = run.sim->v[0];
    const double stored = dls_penalty_energy(1e6, run.sim->g[0]) + x * h + 0.5 * W * x * x;
    assert_close(dls_balance_mechanical(run.sim, work) + stored, 0.125, 1e-12);
  }
  dls_test_free(&run);
}

/* mass_acts=closed leaves the step alone in which the contact opens. */
DLS_TEST(mass_acts_as_long_as_is_said)
{
  test_run pressed = rod(":mass=1e3"), closed = rod(":mass=1e3,mass_acts=closed"), momenta = rod("");
  size_t differ = 0;
  for (size_t i = 1; i < pressed.traj->rows; i++) {
    const bool opens = dls_test_value(&momenta, i, "g0") > 0 && dls_test_value(&momenta, i, "lambda0") > 0;
    const test_run *same = opens ? &momenta : &pressed;
    assert_true(dls_test_value(&closed, i, "v0") == dls_test_value(same, i, "v0"));
    assert_true(opens == (dls_test_value(&closed, i, "v0") != dls_test_value(&pressed, i, "v0")));
    differ += opens;
  }
  assert_between((double)differ, 40, 60); /* a stiff spring opens the gap in every second step */
  dls_test_free(&pressed);
  dls_test_free(&closed);
  dls_test_free(&momenta);
}

/* The gap where the law acts, in a step of a ball that lies on the spring, after k augmentations. */
static double gap_after(const char *scheme, int k, double at)
{
  char text[160];
  dls_error err = {0};
  snprintf(text, sizeof text, "%s,augmentations=%d", scheme, k);
  test_run run = dls_test_prepare("bouncing-ball:f=-3,q0=0,v0=-0.2,e=1", text);
  assert_ok(dls_sim_start(run.sim, &err), err);
  assert_ok(dls_sim_advance(run.sim, 0.1, &err), err);
  const double g = at * run.sim->q[0];
  dls_test_free(&run);
  return g;
}

/* s W kappa = kappa h^2/4 for the standard penalty: 1/(1 + s W kappa). */
DLS_TEST(gap_of_the_standard_penalty_falls_linearly)
{
  static const struct {
    const char *scheme;
    double kappa, at;
  } cases[] = {{"standard-penalty:kappa=40", 40, 0.5},
               {"standard-penalty:kappa=4e3", 4e3, 0.5},
               {"standard-penalty:kappa=400,continuum=trapezoidal", 400, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const double factor = 1 / (1 + cases[i].kappa * 0.01 / 4);
    double last = gap_after(cases[i].scheme, 0, cases[i].at);
    assert_between(last, -1, -1e-5);
    for (int k = 1; k < 5; k++) {
      const double g = gap_after(cases[i].scheme, k, cases[i].at);
      assert_close(g, factor * last, 1e-15);
      last = g;
    }
  }
}

/* s W kappa = kappa h^2/2: (1 + (1/2 - rho) s W kappa)/(1 + s W kappa/2), the start of the contact being at gap 0. */
DLS_TEST(gap_of_the_conserving_penalty_falls_as_rho_says)
{
  static const double rho[] = {0.5, 2. / 3, 0.8, 1};
  for (double kappa = 40; kappa < 1e6; kappa *= 10) {
    for (size_t i = 0; i < 4; i++) {
      char scheme[80];
      snprintf(scheme, sizeof scheme, "conserving-penalty:kappa=%g,rho=%.17g", kappa, rho[i]);
      const double x = kappa * 0.01 / 2, factor = (1 + (0.5 - rho[i]) * x) / (1 + 0.5 * x);
      double last = gap_after(scheme, 1, 1);
      for (int k = 2; k < 6 && last < 0; k++) { /* with rho > 1/2 the gap may become positive */
        const double g = gap_after(scheme, k, 1);
        assert_close(g, factor * last, 1e-15);
        last = g;
      }
    }
    const double plain =
        gap_after(kappa < 1e3 ? "conserving-penalty:kappa=40" : "conserving-penalty:kappa=4e4", 0, 1);
    assert_between(plain, -0.1, -1e-6);
  }
}

/* What is left of kappa is nothing: the energies of the hard contact, at the times at which the law acts. */
DLS_TEST(limit_of_the_gap_does_not_depend_on_kappa)
{
  static const char *const schemes[] = {"conserving-penalty", "standard-penalty",
                                        "standard-penalty:continuum=trapezoidal",
                                        "standard-penalty:continuum=hht"};
  static const double last[] = {0.12395, 1.1586, 0.47891, 0.1223};
  for (size_t i = 0; i < 4; i++) {
    double limit = 0;
    for (double kappa = 1e3; kappa < 1e7; kappa *= 1e3) {
      char scheme[120];
      snprintf(scheme, sizeof scheme, "%s%skappa=%g,augmentations=60", schemes[i], i < 2 ? ":" : ",", kappa);
      const energies e = energies_of("rod-impact", scheme, 0.02, 2.6);
      assert_close(e.last, last[i], 1e-4 * last[i]);
      assert_between(e.residual / e.scale, 0, 1e-13);
      limit = kappa < 1e4 ? e.last : limit;
      assert_close(e.last, limit, 1e-9 * limit);
    }
  }
}

/* The identity books what the multipliers do; without augmentations they do nothing. */
DLS_TEST(ledger_names_the_work_of_the_multipliers)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_energy_ledger *ledger = NULL;
  dls_system *sys = dls_test_system("rod-impact");
  assert_ok(dls_scheme_choose("conserving-penalty:kappa=1e4,augmentations=5", &choice, &err), err);
  const dls_energy_spec spec = {.sys = sys, .choice = &choice, .step = 0.02, .end = 2.6};
  assert_ok(dls_energy_run(&spec, &ledger, &err), err);
  assert_int_equal(ledger->term_count, 7);
  assert_string_equal(ledger->terms[6].name, "augmented");
  assert_close(ledger->numerical[6], ledger->last - ledger->start, 1e-12);
  assert_between(ledger->numerical[6], -2e-3, -5e-4);
  dls_energy_destroy(ledger);
  dls_system_destroy(sys);
}

/* Mean of U' over the step in long double, by its potential. */
static double quotient(double p, double y, double next)
{
  const long double a = y < 0 ? -(long double)y : 0, b = next < 0 ? -(long double)next : 0,
                    d = (long double)next - y;
  return (double)(-(powl(b, p + 1) - powl(a, p + 1)) / ((p + 1) * d));
}

DLS_TEST(quotients_of_powers_do_not_cancel)
{
  static const double powers[] = {1, 1.5, 2, 3.25};
  for (size_t i = 0; i < 4; i++) {
    const dls_power u = {1, powers[i]};
    for (double y = -1; y < 1; y += 0.37) {
      for (double d = 1; d > 1e-9; d /= 7) {
        double slope = 0, unused = 0;
        const double f = dls_power_pressure(u, y, y + d, &slope);
        assert_close(f, quotient(powers[i], y, y + d), (1e-15 + 1e-18 / d) * fmax(1, fabs(f)));
        const double e = 1e-4 * d, up = dls_power_pressure(u, y, y + d + e, &unused),
                     down = dls_power_pressure(u, y, y + d - e, &unused);
        if (d > 1e-3 && fabs(y + d) > e) { /* not across the kink */
          assert_close(slope, (down - up) / (2 * e), 1e-5 * (1 + slope));
        }
      }
    }
    double slope = 0;
    assert_close(dls_power_pressure(u, -0.5, -0.5, &slope), pow(0.5, powers[i]), 1e-15);
    assert_close(slope, 0.5 * powers[i] * pow(0.5, powers[i] - 1), 1e-14);
  }
}

/* Energy and penalty energy, whatever power and step; theta dissipates. */
DLS_TEST(every_power_conserves)
{
  static const char *const powers[] = {"1.5,kappa=1e7", "2,kappa=1e9", "3.5,kappa=1e13"};
  for (size_t i = 0; i < 3; i++) {
    for (double h = 0.005; h < 0.3; h *= 3) {
      char scheme[100];
      snprintf(scheme, sizeof scheme, "conserving-penalty:power=%s", powers[i]);
      const energies e = energies_of("rod-impact", scheme, h, 2.6);
      assert_close(e.least_H, 0.125, 0.125 * 1e-12);
      assert_close(e.most_H, 0.125, 0.125 * 1e-12);
      snprintf(scheme, sizeof scheme, "conserving-penalty:theta=0.8,power=%s", powers[i]);
      const energies lost = energies_of("rod-impact", scheme, h, 2.6);
      assert_true(lost.most_H <= 0.125 * (1 + 1e-14));
      assert_between(lost.residual / lost.scale, 0, 1e-13);
    }
  }
}

/* Hertz's impact of one mass takes 2.94327518 d/v, (2/5) kappa d^(5/2) = m v^2/2; e = 1. */
DLS_TEST(hertz_impact_takes_its_time)
{
  const double d = pow(1.25 / 1e6, 0.4);
  const rebound exact = {1, 2.94327518 * d};
  static const char *const schemes[] = {"conserving-penalty:kappa=1e6,power=1.5",
                                        "standard-penalty:kappa=1e6,power=1.5"};
  for (size_t i = 0; i < 2; i++) {
    const double order = rebound_order(schemes[i], 0.3, 5e-4, 4, exact).delay;
    assert_between(rebound_error(schemes[i], 0.3, 5e-5, exact).delay, 1e-10, 1e-5);
    assert_between(order, 1.8, 2.5);
  }
  assert_close(rebound_error(schemes[0], 0.3, 5e-3, exact).v, 0, 1e-12);
}

DLS_TEST(what_would_have_no_effect_is_refused)
{
  static const char *const cases[][2] = {
      {"conserving-penalty:mass_augmentations=3",
       "mass_augmentations = 3 has no effect with mass=0; say mass=..."},
      {"conserving-penalty:mass_acts=closed", "has no effect with mass=0; say mass=..."},
      {"conserving-penalty:rho=0.7", "rho = 0.7 has no effect with augmentations=0; use augmentations=..."},
      {"conserving-penalty:augmentations=2,rho=0", "rho = 0 is outside (0, 1]"},
      {"standard-penalty:power=0.5", "power = 0.5 is outside [1, 4]"},
      {"standard-penalty:augmentations=1.5", "augmentations = 1.5"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_error err = {0};
    dls_scheme_choice choice;
    assert_int_equal(dls_scheme_choose(cases[i][0], &choice, &err), DLS_ERR_OPTION);
    if (strstr(err.text, cases[i][1]) == NULL) {
      fail_msg("%s: %s", cases[i][0], err.text);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gap_velocity_falls_by_the_same_factor_each_time),
      cmocka_unit_test(limit_is_the_projection),
      cmocka_unit_test(energy_with_the_multiplier_is_kept),
      cmocka_unit_test(mass_acts_as_long_as_is_said),
      cmocka_unit_test(gap_of_the_standard_penalty_falls_linearly),
      cmocka_unit_test(gap_of_the_conserving_penalty_falls_as_rho_says),
      cmocka_unit_test(limit_of_the_gap_does_not_depend_on_kappa),
      cmocka_unit_test(ledger_names_the_work_of_the_multipliers),
      cmocka_unit_test(quotients_of_powers_do_not_cancel),
      cmocka_unit_test(every_power_conserves),
      cmocka_unit_test(hertz_impact_takes_its_time),
      cmocka_unit_test(what_would_have_no_effect_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
