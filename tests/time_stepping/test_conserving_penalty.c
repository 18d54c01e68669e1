/* test_conserving_penalty.c -- the rod test of Armero & Petocz with its five algorithms; conservation, mass penalty,
 * dissipation, order, curved contacts, the limit of a hard contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "penalty_runs.h"
#include "time_stepping/penalty/penalty_step.h"
#include <stdlib.h>
#include <string.h>

static const char *const algorithms[] = {"standard-penalty:continuum=trapezoidal",
                                         "standard-penalty:continuum=midpoint",
                                         "standard-penalty:continuum=hht", "conserving-penalty:mass=1e3",
                                         "conserving-penalty:continuum=hht,theta=1,mass=1e3"};

/* Largest and last energy, measured; the source shows them in a figure. 0.125 at the start. */
DLS_TEST(five_algorithms_have_the_energies_of_the_rod_test)
{
  static const double most[] = {0.4515, 1.169, 0.1280, 0.12500, 0.1240};
  static const double last[] = {0.4515, 1.169, 0.1223, 0.12500, 0.1220};
  for (size_t i = 0; i < 5; i++) {
    const energies e = energies_of("rod-impact", algorithms[i], 0.02, 2.6);
    assert_close(e.start, 0.125, 1e-15);
    assert_close(e.most, most[i], 0.01 * most[i]);
    assert_close(e.last, last[i], (i < 2 ? 0.01 : 0.0006) * last[i]);
    assert_between(e.residual / e.scale, 0, 1e-13);
  }
}

/* Energy and penalty energy, whatever step and stiffness. */
DLS_TEST(algorithm_4_conserves_to_rounding)
{
  static const char *const continua[] = {"midpoint", "trapezoidal"};
  for (size_t i = 0; i < 2; i++) {
    for (double kappa = 1; kappa < 1e9; kappa *= 100) {
      for (double h = 0.003; h < 0.3; h *= 3) {
        char scheme[100];
        snprintf(scheme, sizeof scheme, "conserving-penalty:continuum=%s,kappa=%g", continua[i], kappa);
        const energies e = energies_of("rod-impact", scheme, h, 2.6);
        assert_close(e.least_H, 0.125, 0.125 * 1e-12);
        assert_close(e.most_H, 0.125, 0.125 * 1e-12);
        assert_between(e.most, 0, 0.125 * (1 + 1e-12)); /* the rod never has more than at the start */
      }
    }
  }
  assert_close(energies_of("rod-impact", algorithms[3], 0.02, 2.6).last, 0.125, 1e-12);
}

/* Algorithm 5 loses energy in every step. */
DLS_TEST(algorithm_5_only_loses)
{
  const energies e = energies_of("rod-impact", algorithms[4], 0.02, 2.6);
  assert_true(e.most_H <= 0.125);
  assert_between(e.least_H, 0.1219, 0.1222);
}

static double column(const test_run *run, size_t row, const char *name)
{
  return dls_test_value(run, row, name);
}

/* Mean and standard deviation of the contact force while 0.1 < t < 1.9. */
static void force_statistics(const test_run *run, double *mean, double *deviation)
{
  double sum = 0, squares = 0, count = 0;
  for (size_t i = 0; i < run->traj->rows; i++) {
    const double t = column(run, i, "t"), f = column(run, i, "lambda0");
    if (t > 0.1 + 1e-9 && t < 1.9 - 1e-9) {
      sum += f;
      squares += f * f;
      count++;
    }
  }
  *mean = sum / count;
  *deviation = sqrt(squares / count - *mean * *mean);
}

/* It is a post-processing of the momenta: the motion is the same to the last bit. */
DLS_TEST(mass_penalty_changes_what_is_reported_and_nothing_else)
{
  double mean = 0, deviation = 0, largest[2] = {0, 0};
  test_run with = dls_test_run("rod-impact", algorithms[3], 0.02, 2.6);
  test_run without = dls_test_run("rod-impact", "conserving-penalty", 0.02, 2.6);
  for (size_t i = 0; i < with.traj->rows; i++) {
    assert_true(column(&with, i, "g0") == column(&without, i, "g0"));
    assert_true(column(&with, i, "q57") == column(&without, i, "q57"));
    if (column(&with, i, "t") > 0.03 && column(&with, i, "t") < 2) {
      largest[0] = fmax(largest[0], fabs(column(&with, i, "v0")));
      largest[1] = fmax(largest[1], fabs(column(&without, i, "v0")));
    }
  }
  assert_close(largest[0], 3.8e-6, 5e-8);
  assert_close(largest[1], 0.76, 0.005);
  force_statistics(&with, &mean, &deviation);
  assert_close(mean, 0.4996, 1e-4);
  assert_close(deviation, 0.0128, 1e-4);
  force_statistics(&without, &mean, &deviation);
  assert_close(mean, 0.504, 5e-4);
  assert_close(deviation, 0.318, 1e-3);
  dls_test_free(&with);
  dls_test_free(&without);
}

static double weighted_sum(const dls_system *sys, const double *v)
{
  double sum = 0, Mv[200] = {0};
  assert_true(sys->n <= 200);
  dls_matrix_multiply(sys->M, 1, v, Mv);
  for (size_t i = 0; i < sys->n; i++) {
    sum += Mv[i];
  }
  return sum;
}

/* p is what changes the reported momentum; E + U + M is conserved with the reported velocities, M the energy of
 * the mass penalty m h^2 (1 + m H^T M^-1 H/2): Armero & Petocz 1996, eq. (3.38). */
DLS_TEST(momentum_and_energy_balance_with_reported_velocities)
{
  static const double mass[] = {0, 1e-3, 1, 30, 1e3};
  for (size_t k = 0; k < 5; k++) {
    char scheme[60];
    double work[200];
    dls_error err = {0};
    snprintf(scheme, sizeof scheme, "conserving-penalty:mass=%g", mass[k]);
    test_run run = dls_test_prepare("rod-impact", scheme);
    dls_sim *sim = run.sim;
    const double compliance = 1 / dls_matrix_get(sim->sys->M, 0, 0);
    double impulses = 0;
    assert_ok(dls_sim_start(sim, &err), err);
    for (int i = 0; i < 130; i++) {
      const double before = weighted_sum(sim->sys, sim->v);
      assert_ok(dls_sim_advance(sim, 0.02, &err), err);
      assert_close(weighted_sum(sim->sys, sim->v) - before, sim->p[0], 1e-14);
      assert_close(0.02 * sim->lambda[0], sim->p[0], 1e-15);
      impulses += sim->p[0];
      const bool held = sim->g[0] <= 0 || sim->lambda[0] > 0;
      const double h = held ? sim->v[0] : 0;
      const double energy = dls_balance_mechanical(sim, work) + 0.5e6 * pow(fmin(sim->g[0], 0), 2) +
                            mass[k] * h * h * (1 + 0.5 * mass[k] * compliance);
      if (held == (((dls_penalty *)sim->memory)->mass_momentum[0] != 0)) {
        assert_close(energy, 0.125, 1e-12);
      }
    }
    assert_close(impulses, 1, 0.1); /* the rod came with -1/2 and leaves with about 1/2 */
    dls_test_free(&run);
  }
}

/* -(theta - 1/2) kappa (dg)^2 wherever the contact lasts through a step: Armero & Petocz 1996, eq. (3.26). */
DLS_TEST(theta_dissipates_what_the_identity_says)
{
  static const double thetas[] = {0.5, 0.6, 0.75, 1};
  for (size_t k = 0; k < 4; k++) {
    char scheme[60];
    double work[200];
    dls_error err = {0};
    int lasting = 0;
    snprintf(scheme, sizeof scheme, "conserving-penalty:theta=%g", thetas[k]);
    test_run run = dls_test_prepare("rod-impact", scheme);
    dls_sim *sim = run.sim;
    assert_ok(dls_sim_start(sim, &err), err);
    for (int i = 0; i < 130; i++) {
      const double g = sim->g[0];
      const double before = dls_balance_mechanical(sim, work) + 0.5e6 * pow(fmin(g, 0), 2);
      assert_ok(dls_sim_advance(sim, 0.02, &err), err);
      const double after = dls_balance_mechanical(sim, work) + 0.5e6 * pow(fmin(sim->g[0], 0), 2);
      const bool lasts = g <= 0 && sim->g[0] <= 0;
      const double dg = sim->g[0] - g;
      assert_close(after - before, lasts ? -(thetas[k] - 0.5) * 1e6 * dg * dg : 0, 1e-14);
      lasting += lasts;
    }
    assert_between(lasting, k == 3 ? 95 : 3, k == 3 ? 105 : 20); /* else the gap alternates */
    dls_test_free(&run);
  }
}

/* One mass bounces with e = 1 exactly, however coarse the step; the time that contact takes has order 2. */
DLS_TEST(one_mass_returns_with_the_velocity_it_had)
{
  const rebound exact = {1, 3.14159265358979 / 100}; /* kappa = 1e4 */
  for (double h = 1e-3; h < 0.2; h *= 3) {
    assert_close(rebound_error("conserving-penalty:kappa=1e4", 0.3, h, exact).v, 0, 1e-12);
  }
  const double order = rebound_order("conserving-penalty:kappa=1e4", 0.3, 2e-3, 4, exact).delay;
  assert_between(order, 1.9, 2.1);
}

/* A mass in lasting contact oscillates on the spring: order 2; order 1 for theta = 1, and for HHT with the pressure
 * of the middle of the step in an equation at t + alpha h. */
DLS_TEST(order_without_contact_events)
{
  static const struct {
    const char *scheme;
    double low, high;
  } cases[] = {{"conserving-penalty:kappa=99", 1.97, 2.03},
               {"conserving-penalty:kappa=99,continuum=trapezoidal", 1.97, 2.03},
               {"conserving-penalty:kappa=99,theta=1", 0.9, 1.1},
               {"conserving-penalty:kappa=99,continuum=hht,alpha=0.8,gamma=0.7,beta=0.36", 0.9, 1.1},
               {"standard-penalty:kappa=99", 1.97, 2.03},
               {"standard-penalty:kappa=99,continuum=trapezoidal", 1.97, 2.03},
               {"standard-penalty:kappa=99,continuum=hht,alpha=0.7,gamma=0.8,beta=0.4225", 1.97, 2.03}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double errors[2];
    for (int level = 0; level < 2; level++) {
      scalar_data d = {.m = 1, .k = 1, .stop = 10, .e = 0, .q0 = 9.85, .v0 = 0.5};
      dls_error err = {0};
      dls_system *sys = scalar_system(&d);
      dls_sim *sim = sim_of(sys, cases[i].scheme);
      assert_ok(dls_run(sim, &(dls_run_spec){.step = level == 0 ? 2e-3 : 2.5e-4, .end = 1}, &err), err);
      const double rest = 990. / 100; /* (1 + 99) q = 99 stop */
      errors[level] = fabs(sim->q[0] - (rest + (9.85 - rest) * cos(10) + 0.05 * sin(10)));
      dls_sim_destroy(sim);
      dls_system_destroy(sys);
    }
    assert_between(log2(errors[0] / errors[1]) / 3, cases[i].low, cases[i].high);
  }
}

/* q of a ball under gravity 1 that bounces on a spring, from height 1, exactly. */
static double bounce(double kappa, double t)
{
  const double omega = sqrt(kappa), V = sqrt(2.);
  const double contact = 2 * (3.14159265358979323846 - atan(omega * V)) / omega; /* while g < 0 */
  const double flight = 2 * V;
  t += V; /* since the start of a flight */
  const double phase = fmod(t, flight + contact);
  if (phase <= flight) {
    return V * phase - phase * phase / 2;
  }
  const double s = phase - flight;
  return -1 / kappa + cos(omega * s) / kappa - V / omega * sin(omega * s);
}

/* With closing and opening inside of steps: positions of order 2, in the mean over steps that differ. */
DLS_TEST(order_with_contact_events)
{
  static const char *const schemes[] = {"conserving-penalty:kappa=400", "standard-penalty:kappa=400",
                                        "standard-penalty:kappa=400,continuum=trapezoidal"};
  for (size_t i = 0; i < 3; i++) {
    double errors[2] = {0, 0};
    for (int level = 0; level < 2; level++) {
      for (int k = 0; k < 12; k++) {
        const double h = (level == 0 ? 4e-3 : 2.5e-4) * (1 + 0.037 * k);
        test_run run = dls_test_run("bouncing-ball:f=-1", schemes[i], h, 6);
        errors[level] += fabs(run.sim->q[0] - bounce(400, run.sim->t)) / 12;
        dls_test_free(&run);
      }
    }
    assert_between(errors[1], 1e-8, 1e-3);
    assert_between(log2(errors[0] / errors[1]) / 4, 1.7, 2.3);
  }
}

/* A stiff spring is a hard contact with e = 1; the delay pi/omega of an impact is what is left. */
DLS_TEST(penalty_tends_to_the_hard_contact)
{
  double errors[2];
  for (int level = 0; level < 2; level++) {
    const double kappa = level == 0 ? 1e4 : 1e8, omega = sqrt(kappa), T = 2;
    char scheme[60];
    snprintf(scheme, sizeof scheme, "conserving-penalty:kappa=%g", kappa);
    test_run run = dls_test_run("bouncing-ball:f=-1", scheme, 0.1 / omega, T);
    const double since = run.sim->t - sqrt(2.);
    errors[level] = fabs(run.sim->q[0] - (sqrt(2.) * since - since * since / 2));
    assert_close(errors[level], (sqrt(2.) - since) * 3.14159265 / omega, 0.03 * errors[level]);
    dls_test_free(&run);
  }
  assert_close(log10(errors[0] / errors[1]) / 4, 0.5, 0.02);
}

/* Three masses in the plane, number 0 over the segment from 1 to 2: gap nu . (x0 - x1), a curved contact. */
static void segment(const double *q, double *nu, double *xi, double *gap)
{
  const double x = q[4] - q[2], y = q[5] - q[3], l = hypot(x, y);
  nu[0] = -y / l;
  nu[1] = x / l;
  *xi = ((q[0] - q[2]) * x + (q[1] - q[3]) * y) / (l * l);
  *gap = nu[0] * (q[0] - q[2]) + nu[1] * (q[1] - q[3]);
}

static void segment_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  double nu[2], xi = 0;
  (void)sys;
  segment(q, nu, &xi, g);
}

static void segment_gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  double nu[2], xi = 0, g = 0;
  (void)sys;
  segment(q, nu, &xi, &g);
  for (size_t i = 0; i < 6; i++) {
    dls_matrix_set(H, i, 0, nu[i % 2] * (i < 2 ? 1 : i < 4 ? xi - 1 : -xi));
  }
}

static void no_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)t, (void)q, (void)v;
  memset(F, 0, sys->n * sizeof *F);
}

static dls_system *three_masses(void)
{
  static const double q0[] = {0.3, 0.2, 0, 0, 1, 0.1}, v0[] = {0.1, -1, 0.2, 0.1, -0.1, 0.3};
  dls_error err = {0};
  dls_system *sys = dls_system_create(6, 1);
  assert_non_null(sys);
  sys->M = dls_matrix_diagonal(6);
  sys->H = dls_matrix_dense(6, 1);
  sys->force = no_force;
  sys->gap = segment_gap;
  sys->gradient = segment_gradient;
  for (size_t i = 0; i < 6; i++) {
    dls_matrix_set(sys->M, i, i, 1 + (double)(i / 2));
    sys->q0[i] = q0[i];
    sys->v0[i] = v0[i];
  }
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

/* Linear momentum (2), angular momentum, kinetic energy. */
static void invariants(const dls_sim *sim, const double *v, double *out)
{
  memset(out, 0, 4 * sizeof *out);
  for (size_t i = 0; i < 3; i++) {
    const double m = 1 + (double)i, *x = sim->q + 2 * i, *w = v + 2 * i;
    out[0] += m * w[0];
    out[1] += m * w[1];
    out[2] += m * (x[0] * w[1] - x[1] * w[0]);
    out[3] += m * (w[0] * w[0] + w[1] * w[1]) / 2;
  }
}

/* Momenta are exact too; the real gap and the dynamic gap part by O(h^2) in a contact. */
DLS_TEST(curved_contact_conserves_energy_and_momenta)
{
  double apart[2];
  for (int level = 0; level < 2; level++) {
    dls_error err = {0};
    dls_system *sys = three_masses();
    dls_sim *sim = sim_of(sys, "conserving-penalty:kappa=100,newton_tol=1e-14,mass=10");
    const dls_penalty *s = NULL;
    double first[4], now[4] = {0}, contact = 0, h = level == 0 ? 0.02 : 0.01;
    assert_ok(dls_sim_start(sim, &err), err);
    s = sim->memory;
    invariants(sim, s->v, first);
    apart[level] = 0;
    while (sim->t < 1.5) {
      assert_ok(dls_sim_advance(sim, h, &err), err);
      invariants(sim, s->v, now);
      for (size_t i = 0; i < 3; i++) {
        assert_close(now[i], first[i], 1e-12);
      }
      assert_close(now[3] + dls_penalty_energy(100, s->gap[0]), first[3], 1e-12);
      contact += s->touches[0];
      apart[level] = fmax(apart[level], fabs(s->gap[0] - sim->g[0]));
    }
    assert_between(contact, 5, 100);
    assert_close(now[3], first[3], 1e-12); /* restored */
    assert_int_equal(sim->work.impacts, 1);
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
  assert_between(apart[1], 1e-8, 1e-4);
  assert_between(log2(apart[0] / apart[1]), 1.5, 2.5);
}

/* Coarse steps: gap and dynamic gap differ in sign at some nodes, and the energy does not mind. */
DLS_TEST(dynamic_gap_rules_where_it_differs_from_the_gap)
{
  size_t closed_though_apart = 0, open_though_overlapping = 0;
  for (int k = 0; k < 500; k++) {
    dls_error err = {0};
    dls_system *sys = three_masses();
    sys->v0[1] = -0.5 - 0.01 * k;
    sys->v0[3] = 4 * sin(k);
    sys->v0[5] = 4 * cos(2 * k);
    dls_sim *sim = sim_of(sys, "conserving-penalty:kappa=10,newton_tol=1e-14");
    assert_ok(dls_sim_start(sim, &err), err);
    const dls_penalty *s = sim->memory;
    double first[4], now[4];
    invariants(sim, s->v, first);
    while (sim->t < 2) {
      assert_ok(dls_sim_advance(sim, 0.1 + 2e-4 * k, &err), err);
      invariants(sim, s->v, now);
      assert_close(now[3] + dls_penalty_energy(10, s->gap[0]), first[3], 1e-11);
      closed_though_apart += s->touches[0] && sim->g[0] > 0;
      open_though_overlapping += !s->touches[0] && sim->g[0] < 0;
    }
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
  assert_in_range(closed_though_apart, 1, 500);
  assert_in_range(open_though_overlapping, 1, 500);
}

/* Diagonal, band, sparse, dense: the same run. */
DLS_TEST(storage_does_not_matter)
{
  static const char *const schemes[] = {
      "conserving-penalty:mass=10,kappa=1e4", "conserving-penalty:continuum=hht,theta=0.8,kappa=1e4",
      "standard-penalty:kappa=1e4", "spring-damper:k=1e4", "spring-damper:law=hunt-crossley,k=1e5"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    double q[4][CHAIN], v[4][CHAIN];
    for (int storage = 0; storage < 4; storage++) {
      dls_error err = {0};
      dls_system *sys =
          chain_system((dls_storage)storage, storage == DLS_DIAGONAL ? DLS_BAND : (dls_storage)storage);
      dls_sim *sim = sim_of(sys, schemes[i]);
      assert_ok(dls_run(sim, &(dls_run_spec){.step = 5e-3, .end = 2}, &err), err);
      assert_true(sim->work.impacts > 0);
      memcpy(q[storage], sim->q, sizeof q[storage]);
      memcpy(v[storage], sim->v, sizeof v[storage]);
      for (size_t j = 0; j < CHAIN; j++) {
        assert_close(q[storage][j], q[0][j], 1e-11);
        assert_close(v[storage][j], v[0][j], 1e-9);
      }
      dls_sim_destroy(sim);
      dls_system_destroy(sys);
    }
  }
}

DLS_TEST(options_that_do_not_go_together_are_refused)
{
  static const struct {
    const char *scheme, *message;
  } cases[] = {
      {"conserving-penalty:theta=0.4", "theta = 0.4 is outside [0.5, 1]"},
      {"conserving-penalty:kappa=0", "kappa = 0 is outside (0, "},
      {"conserving-penalty:mass=-1", "mass = -1 is outside [0, "},
      {"conserving-penalty:alpha=0.7", "alpha = 0.7 has no effect with continuum=midpoint; use continuum=hht"},
      {"standard-penalty:continuum=trapezoidal,beta=0.3",
       "beta = 0.3 has no effect with continuum=trapezoidal"},
      {"standard-penalty:continuum=hht,gamma=0.6", "gamma = 0.6 is not unconditionally stable"},
      {"conserving-penalty:continuum=hht,alpha=0.4", "alpha = 0.4 is outside [0.5, 1]"},
      {"spring-damper:c=3", "c = 3 has no effect with law=kelvin-voigt,damping=restitution"},
      {"spring-damper:damping=given,lambda=3", "lambda = 3 has no effect with law=kelvin-voigt,damping=given"},
      {"spring-damper:law=hunt-crossley,tension=on", "tension = 1 has no effect with law=hunt-crossley"},
      {"spring-damper:n=2", "n = 2 has no effect with law=kelvin-voigt"},
      {"spring-damper:continuum=hht,beta=0.2", "is not unconditionally stable"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_error err = {0};
    dls_scheme_choice choice;
    assert_int_equal(dls_scheme_choose(cases[i].scheme, &choice, &err), DLS_ERR_OPTION);
    if (strstr(err.text, cases[i].message) == NULL) {
      fail_msg("%s: %s", cases[i].scheme, err.text);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(five_algorithms_have_the_energies_of_the_rod_test),
      cmocka_unit_test(algorithm_4_conserves_to_rounding),
      cmocka_unit_test(algorithm_5_only_loses),
      cmocka_unit_test(mass_penalty_changes_what_is_reported_and_nothing_else),
      cmocka_unit_test(momentum_and_energy_balance_with_reported_velocities),
      cmocka_unit_test(theta_dissipates_what_the_identity_says),
      cmocka_unit_test(one_mass_returns_with_the_velocity_it_had),
      cmocka_unit_test(order_without_contact_events),
      cmocka_unit_test(order_with_contact_events),
      cmocka_unit_test(penalty_tends_to_the_hard_contact),
      cmocka_unit_test(curved_contact_conserves_energy_and_momenta),
      cmocka_unit_test(dynamic_gap_rules_where_it_differs_from_the_gap),
      cmocka_unit_test(storage_does_not_matter),
      cmocka_unit_test(options_that_do_not_go_together_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
