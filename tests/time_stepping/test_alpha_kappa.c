/* test_alpha_kappa.c -- the decaying Galerkin schemes tdg-alpha and alpha-kappa: energies, orders, linear theory, and what
 * their source prints otherwise.
 * References: Lens & Cardona 2007; energies and orders of its figures computed independently (docs/reference/multibody-energy.md).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "multibody_runs.h"
#include "time_stepping/multibody/two_stage.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Losses in 3 s, h = 0.02, of a range of 9.81 J. */
DLS_TEST(losses_are_those_of_the_figures)
{
  const struct {
    const char *model, *scheme;
    double loss;
  } cases[] = {{"lens-cardona-a", "tdg-alpha:alpha=0.25", 5.85e-5},
               {"lens-cardona-a", "tdg-alpha:alpha=0.5", 1.170e-4},
               {"lens-cardona-a", "tdg-alpha", 2.340e-4},
               {"lens-cardona-b", "tdg-alpha:alpha=0.25", 6.30},
               {"lens-cardona-b", "tdg-alpha:alpha=0.5", 4.59},
               {"lens-cardona-b", "tdg-alpha", 2.948},
               {"lens-cardona-b", "alpha-kappa:alpha=0.5,kappa=free", 8.64e-4},
               {"lens-cardona-b", "alpha-kappa:alpha=1,kappa=free", 1.727e-3},
               {"lens-cardona-b", "alpha-kappa:alpha=0", 1.02e-3},
               {"lens-cardona-b", "alpha-kappa:alpha=0.5", 1.999e-3},
               {"lens-cardona-b", "alpha-kappa:alpha=1", 2.974e-3}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const test_ledger l = dls_test_energies(cases[i].model, cases[i].scheme, 0.02, 3);
    print_message("  %s, %s: %.4g J\n", cases[i].model, cases[i].scheme, l.first - l.last);
    assert_close(l.first - l.last, cases[i].loss, 0.02 * cases[i].loss);
    assert_between(l.joints, 0, 1e-13);
  }
}

DLS_TEST(without_alpha_the_energy_is_kept)
{
  const struct {
    const char *model, *scheme;
    double step, end, drift;
  } cases[] = {{"lens-cardona-a", "tdg-alpha:alpha=0", 0.02, 3, 1e-12},
               {"lens-cardona-b", "tdg-alpha:alpha=0", 0.02, 3, 1e-11}, /* it locks: multipliers of 1e3 N */
               {"lens-cardona-b", "alpha-kappa:kappa=free", 0.02, 3, 1e-12},
               {"lens-cardona-b", "alpha-kappa:kappa=free", 0.05, 15, 1e-12},
               {"lens-cardona-c", "alpha-kappa:kappa=free", 0.005, 1, 1e-12}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const test_ledger l = dls_test_energies(cases[i].model, cases[i].scheme, cases[i].step, cases[i].end);
    print_message("  %s, %s: %.2g J, |phi| %.2g, |G^T v| %.2g\n", cases[i].model, cases[i].scheme,
                  l.most - l.least, l.joints, l.rates);
    assert_between(l.most - l.least, 0, cases[i].drift);
    assert_between(l.joints, 0, 1e-13);
    const bool holds = strncmp(cases[i].scheme, "alpha", 5) == 0;
    assert_between(l.rates, 0, holds ? 1e-12 : 100);
  }
}

/* The motion locks near the bottom, at constant energy: the velocity does not lie along the circle any more. */
DLS_TEST(without_velocity_constraints_the_pendulum_locks)
{
  test_run run = dls_test_run("lens-cardona-b", "tdg-alpha:alpha=0", 0.02, 3);
  assert_close(run.sim->q[0], 0.003785, 2e-5);
  assert_close(run.sim->v[0], 0.00534, 1e-4);
  assert_close(run.sim->v[1], 4.4294, 1e-3); /* into the rod */
  dls_test_free(&run);
}

typedef struct kappas {
  double least, most;
} kappas;

static dls_status see_kappa(void *data, const dls_sim *sim, dls_error *err)
{
  kappas *k = data;
  const dls_two_stage *s = sim->memory;
  (void)err;
  k->least = fmin(k->least, s->kappa - 1);
  k->most = fmax(k->most, s->kappa - 1);
  return DLS_OK;
}

DLS_TEST(kappa_is_near_one)
{
  dls_error err = {0};
  kappas k = {1, -1};
  test_run run = dls_test_prepare("lens-cardona-b", "alpha-kappa:kappa=free");
  const dls_run_spec spec = {.step = 0.02, .end = 3, .watch = see_kappa, .watch_data = &k};
  assert_ok(dls_run(run.sim, &spec, &err), err);
  print_message("  kappa - 1 in [%.3g, %.3g]\n", k.least, k.most);
  assert_close(k.least, -2.7e-5, 0.1e-5);
  assert_close(k.most, 2.8e-5, 0.1e-5);
  dls_test_free(&run);
}

static double order_of(const char *model, const char *scheme, const char *norm, const char *of, double first,
                       double last)
{
  const test_study study = {.model = model,
                            .scheme = scheme,
                            .norm = norm,
                            .of = of,
                            .end = 1,
                            .h_first = first,
                            .h_last = last,
                            .levels = 6,
                            .repeats = 2};
  const double order = dls_test_order(study).order;
  print_message("  %s, %s, %s: %.3f\n", model, scheme, of, order);
  return order;
}

DLS_TEST(orders_with_joints_are_two)
{
  static const char *const schemes[] = {"alpha-kappa:alpha=0", "alpha-kappa:alpha=1",
                                        "alpha-kappa:alpha=0,kappa=free"};
  for (size_t i = 0; i < 3; i++) {
    assert_between(order_of("lens-cardona-b", schemes[i], "max", "q", 0.02, 1e-3), 1.9, 2.1);
    assert_between(order_of("lens-cardona-b", schemes[i], "max", "v", 0.02, 1e-3), 1.9, 2.1);
    const double middle = log2(dls_test_multiplier_error("lens-cardona-b", schemes[i], 0.01, 1, 0.5) /
                               dls_test_multiplier_error("lens-cardona-b", schemes[i], 0.005, 1, 0.5));
    const double end = log2(dls_test_multiplier_error("lens-cardona-b", schemes[i], 0.01, 1, 0) /
                            dls_test_multiplier_error("lens-cardona-b", schemes[i], 0.005, 1, 0));
    assert_between(middle, 1.9, 2.1);
    assert_between(end, 0.9, 1.1);
  }
}

/* At the nodes: between them straight lines have order 2. */
DLS_TEST(orders_without_joints_are_three)
{
  for (double alpha = 0; alpha <= 1; alpha += 0.5) {
    char scheme[40];
    snprintf(scheme, sizeof scheme, "tdg-alpha:alpha=%g", alpha);
    assert_between(order_of("lens-cardona-a", scheme, "grid-l1", "q", 0.1, 0.01), 2.85, 3.15);
    assert_between(order_of("lens-cardona-a", scheme, "grid-l1", "v", 0.1, 0.01), 2.85, 3.15);
  }
}

/* A mass on a spring, omega = 1. */
static dls_system *oscillator(void)
{
  dls_system *sys = dls_system_create(1, 0);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(1);
  sys->K = dls_matrix_diagonal(1);
  assert_true(sys->M != NULL && sys->K != NULL);
  dls_matrix_set(sys->M, 0, 0, 1);
  dls_matrix_set(sys->K, 0, 0, 1);
  return sys;
}

/* The amplification of a step on q + i v ... of the oscillator: an eigenvalue of the matrix of one step. */
static double complex amplification(const char *scheme, double h)
{
  double a[4];
  for (size_t k = 0; k < 2; k++) {
    dls_error err = {0};
    dls_system *sys = oscillator();
    dls_scheme_choice choice;
    dls_sim *sim = NULL;
    sys->q0[0] = k == 0;
    sys->v0[0] = k == 1;
    assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
    assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
    assert_ok(dls_run(sim, &(dls_run_spec){.step = h, .end = h}, &err), err);
    a[k] = sim->q[0];
    a[2 + k] = sim->v[0];
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
  const double half = (a[0] + a[3]) / 2, det = a[0] * a[3] - a[1] * a[2];
  return half + csqrt((double complex)(half * half - det));
}

DLS_TEST(linear_motion_is_that_of_the_rational_function)
{
  for (double alpha = 0; alpha <= 1; alpha += 0.125) {
    for (double h = 0.01; h < 1e6; h *= 7) {
      char scheme[40];
      snprintf(scheme, sizeof scheme, "tdg-alpha:alpha=%.17g", alpha);
      const double complex z = I * h, R = amplification(scheme, h);
      const double complex expected = (1 + (3 - alpha) * z / 6 + (1 - alpha) * z * z / 12) /
                                      (1 - (3 + alpha) * z / 6 + (1 + alpha) * z * z / 12);
      assert_close(fmin(cabs(R - expected), cabs(R - conj(expected))), 0, 1e-8);
      assert_between(cabs(R), 0, 1 + 1e-12);
    }
    char scheme[40];
    snprintf(scheme, sizeof scheme, "tdg-alpha:alpha=%.17g", alpha);
    assert_close(cabs(amplification(scheme, 1e7)), (1 - alpha) / (1 + alpha), 1e-3);
  }
}

/* h/T = 0.1 */
DLS_TEST(period_and_damping_are_those_of_the_figures)
{
  const struct {
    double rho, period, damping;
  } cases[] = {{1, 2.114e-4, 0}, {0.8, 2.159e-4, 3.702e-4}, {0.6, 2.339e-4, 8.326e-4}, {0, 5.672e-4, 3.295e-3}};
  for (size_t i = 0; i < 4; i++) {
    char scheme[60];
    snprintf(scheme, sizeof scheme, "alpha-kappa:alpha=%.17g", (1 - cases[i].rho) / (1 + cases[i].rho));
    const double h = 0.2 * pi;
    const double complex R = amplification(scheme, h);
    const double angle = fabs(carg(R));
    assert_close(h / angle - 1, cases[i].period, 0.6e-7);
    assert_close(-log(cabs(R)) / angle, cases[i].damping, cases[i].damping > 1e-3 ? 0.6e-6 : 0.6e-7);
  }
}

/* What (52) and (69) say of the step that was just made, and what they say as printed. */
typedef struct identities {
  double E, worst, scale; /* the energy before the step; the largest residual; the largest loss of a step */
  double as_50, as_28c, as_33; /* the largest residuals with what is printed */
  double *q, *v;
} identities;

static double mass_product(const dls_sim *sim, const double *x, const double *y)
{
  double sum = 0;
  for (size_t i = 0; i < sim->sys->n; i++) {
    sum += dls_matrix_get(sim->sys->M, i, i) * x[i] * y[i];
  }
  return sum;
}

typedef struct jump {
  double dv[4], dq[4], dF[4]; /* v_j - v, q_j - q, V'_j - V'_n */
} jump;

static jump jump_of(const dls_sim *sim, const dls_two_stage *s, const double *v)
{
  jump j = {.dv = {0}};
  for (size_t i = 0; i < sim->sys->n; i++) {
    j.dv[i] = s->x[s->n + i] - v[i];
    j.dq[i] = s->x[i];
    j.dF[i] = s->F_start[i] - s->F_j[i];
  }
  return j;
}

static dls_status check_step(void *data, const dls_sim *sim, dls_error *err)
{
  identities *id = data;
  const dls_two_stage *s = sim->memory;
  const size_t n = sim->sys->n;
  const double E = dls_test_mechanical(sim), h = 0.02;
  (void)err;
  if (sim->step > 0) {
    const jump j = jump_of(sim, s, id->v);
    double lost = 0.5 * s->kappa * mass_product(sim, j.dv, j.dv), printed = 0, v28 = 0;
    double sums[4], differences[4], forward[4];
    for (size_t i = 0; i < n; i++) {
      const double v_j = s->x[n + i], to_next = s->x[2 * n + i];
      lost += 0.5 * j.dq[i] * j.dF[i];
      printed += j.dq[i] * (0.5 * (s->h.force[i] - s->g.force[i]) - s->alpha * j.dF[i]);
      v28 = fmax(v28, fabs(to_next - h / 2 * (sim->v[i] - v_j)));
      sums[i] = sim->v[i] + id->v[i];
      differences[i] = sim->v[i] - v_j;
      forward[i] = sim->v[i] - v_j;
    }
    const double K = 0.5 * (mass_product(sim, sim->v, sim->v) - mass_product(sim, id->v, id->v));
    const double by_33 = 0.5 * (mass_product(sim, sums, differences) - mass_product(sim, forward, j.dv));
    id->worst = fmax(id->worst, fabs(E - id->E + s->alpha * lost));
    id->scale = fmax(id->scale, s->alpha * lost);
    id->as_50 = fmax(id->as_50, fabs(printed));
    id->as_28c = fmax(id->as_28c, v28);
    id->as_33 = fmax(id->as_33, fabs(by_33 - K - 0.5 * mass_product(sim, j.dv, j.dv)));
  }
  id->E = E;
  memcpy(id->q, sim->q, n * sizeof *id->q);
  memcpy(id->v, sim->v, n * sizeof *id->v);
  return DLS_OK;
}

static identities identities_of(const char *model, const char *scheme)
{
  dls_error err = {0};
  double q[4], v[4];
  identities id = {.q = q, .v = v};
  test_run run = dls_test_prepare(model, scheme);
  const dls_run_spec spec = {.step = 0.02, .end = 3, .watch = check_step, .watch_data = &id};
  assert_ok(dls_run(run.sim, &spec, &err), err);
  dls_test_free(&run);
  return id;
}

DLS_TEST(the_energy_decays_as_the_identity_says)
{
  const struct {
    const char *model, *scheme;
  } cases[] = {{"lens-cardona-a", "tdg-alpha:alpha=0.5"},
               {"lens-cardona-a", "tdg-alpha:alpha=1"},
               {"lens-cardona-b", "tdg-alpha:alpha=0.5"},
               {"lens-cardona-b", "alpha-kappa:alpha=0.5,kappa=free"},
               {"lens-cardona-b", "alpha-kappa:alpha=1,kappa=free"},
               {"double-pendulum:theta1=0.5,theta2=0.3", "alpha-kappa:alpha=1,kappa=free"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const identities id = identities_of(cases[i].model, cases[i].scheme);
    print_message("  %s, %s: %.2g of %.2g J\n", cases[i].model, cases[i].scheme, id.worst, id.scale);
    assert_between(id.worst, 0, 1e-12);
    assert_between(id.scale, 1e-7, 10);
  }
}

/* (28c) with a minus; (33) with its factors exchanged; (50), where 1/2 (V'_g - V'_h) and -alpha/2 (V'_j - V'_n) stand for
 * V'_g - V'_h and +alpha/2 (V'_j - V'_n). */
DLS_TEST(what_is_printed_otherwise_fails)
{
  const identities id = identities_of("lens-cardona-a", "tdg-alpha:alpha=1");
  print_message("  (28c) %.2g, (33) %.2g J, (50) %.2g J\n", id.as_28c, id.as_33, id.as_50);
  assert_between(id.as_28c, 0.05, 1);
  assert_between(id.as_33, 1e-3, 10);
  assert_between(id.as_50, 1e-7, 1);
  assert_true(id.as_50 > 1e4 * id.worst);
}

DLS_TEST(rho_inf_stands_for_alpha)
{
  static const char *const pairs[][2] = {{"tdg-alpha:rho_inf=0.6", "tdg-alpha:alpha=0.25"},
                                         {"tdg-alpha:rho_inf=1", "tdg-alpha:alpha=0"},
                                         {"alpha-kappa:rho_inf=0", "alpha-kappa:alpha=1"},
                                         {"alpha-kappa:rho_inf=0.6", "alpha-kappa:alpha=0.25"}};
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
    test_run by_radius = dls_test_run("lens-cardona-b", pairs[k][0], 0.02, 0.4),
             by_alpha = dls_test_run("lens-cardona-b", pairs[k][1], 0.02, 0.4);
    assert_close(by_radius.sim->q[0], by_alpha.sim->q[0], 1e-14);
    assert_close(by_radius.sim->v[1], by_alpha.sim->v[1], 1e-13);
    dls_test_free(&by_radius);
    dls_test_free(&by_alpha);
  }
  dls_error err = {0};
  dls_scheme_choice choice;
  assert_int_equal(dls_scheme_choose("tdg-alpha:alpha=0.5,rho_inf=0.6", &choice, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "alpha = 0.5 has no effect with rho_inf"));
}

/* @return factorizations a step */
static double factorizations_of(const char *model, const char *scheme, double step, double end)
{
  test_run run = dls_test_run(model, scheme, step, end);
  const double each = (double)run.sim->work.factorizations / (double)run.sim->work.steps;
  print_message("  %s, %s, h = %g: %.3g factorizations and %.3g iterations a step\n", model, scheme, step, each,
                (double)run.sim->work.newton_iterations / (double)run.sim->work.steps);
  dls_test_free(&run);
  return each;
}

/* One matrix is enough where a step turns rods by 0.1 and less. Steps through the impact of lens-cardona-d converge from far away. */
DLS_TEST(a_step_keeps_its_matrix_while_increments_fall)
{
  const struct {
    const char *model, *scheme;
    double step, end, least, most;
  } cases[] = {{"slider-crank", "alpha-kappa", 1e-5, 5e-3, 1, 1},
               {"slider-crank", "tdg-alpha", 1e-5, 5e-3, 1, 1},
               {"lens-cardona-b", "alpha-kappa:kappa=free", 0.02, 3, 1, 1},
               {"lens-cardona-b", "alpha-kappa", 0.2, 3, 1.1, 4},
               {"lens-cardona-d", "alpha-kappa:alpha=1", 0.01, 1, 1.05, 3.5},
               {"lens-cardona-d", "alpha-kappa:alpha=1", 0.002, 1, 1, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const double each = factorizations_of(cases[i].model, cases[i].scheme, cases[i].step, cases[i].end);
    assert_between(each, cases[i].least, cases[i].most);
  }
}

/* Where the system states it, brackets of joints are not evaluated. They are rounding otherwise. */
DLS_TEST(quadratic_joints_have_no_brackets)
{
  static const char *const schemes[] = {"energy-preserving", "tdg-alpha", "alpha-kappa"};
  for (size_t i = 0; i < 3; i++) {
    dls_system *sys = dls_test_system("slider-crank");
    assert_true(sys->joints_quadratic);
    sys->joints_quadratic = false;
    test_run with = dls_test_run_of(sys, schemes[i], 1e-4, 1e-2),
             without = dls_test_run("slider-crank", schemes[i], 1e-4, 1e-2);
    for (size_t k = 0; k < sys->n; k++) {
      assert_close(without.sim->q[k], with.sim->q[k], 1e-13);
    }
    dls_test_free(&with);
    dls_test_free(&without);
  }
}

DLS_TEST(what_they_cannot_do_is_said)
{
  static const char *const schemes[] = {"tdg-alpha", "alpha-kappa"};
  for (size_t i = 0; i < 2; i++) {
    dls_error err = {0};
    test_run run = dls_test_prepare("pendulum-chain", schemes[i]);
    assert_int_equal(dls_run(run.sim, &(dls_run_spec){.step = 0.01, .end = 1}, &err), DLS_ERR_NOT_APPLICABLE);
    assert_non_null(strstr(err.text, "does not treat contacts, and the system has m = 10"));
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(losses_are_those_of_the_figures),
      cmocka_unit_test(without_alpha_the_energy_is_kept),
      cmocka_unit_test(without_velocity_constraints_the_pendulum_locks),
      cmocka_unit_test(kappa_is_near_one),
      cmocka_unit_test(orders_with_joints_are_two),
      cmocka_unit_test(orders_without_joints_are_three),
      cmocka_unit_test(linear_motion_is_that_of_the_rational_function),
      cmocka_unit_test(period_and_damping_are_those_of_the_figures),
      cmocka_unit_test(the_energy_decays_as_the_identity_says),
      cmocka_unit_test(what_is_printed_otherwise_fails),
      cmocka_unit_test(rho_inf_stands_for_alpha),
      cmocka_unit_test(a_step_keeps_its_matrix_while_increments_fall),
      cmocka_unit_test(quadratic_joints_have_no_brackets),
      cmocka_unit_test(what_they_cannot_do_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
