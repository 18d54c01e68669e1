/* test_beam_runs.c -- schemes on flexible beams: what free flight keeps, orders, the beam that hits a hurdle, steps that are
 * halved. SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/beam.h"
#include "multibody_runs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Linear momentum, angular momentum about the origin, energy; and where the centre of mass is. */
typedef struct state {
  double momentum[2], turning, energy, centre[2];
} state;

static state state_of(const dls_system *sys, const double *q, const double *v)
{
  const dls_beam *beam = dls_beam_of(sys);
  const bool angles = beam->kind == DLS_BEAM_ANGLE;
  const double mass = beam->section.rhoA * beam->length;
  double *p = calloc(2 * sys->n, sizeof *p), *first = p + sys->n; /* M v, M q */
  state s = {.energy = sys->potential(sys, q)};
  assert_non_null(p);
  dls_matrix_multiply(sys->M, 1, v, p);
  dls_matrix_multiply(sys->M, 1, q, first);
  for (size_t node = 0; node <= beam->elements; node++) {
    const size_t at = dls_beam_unknown(beam, node, 0);
    if (at == DLS_GIVEN) { /* a pinned root is at rest at the origin */
      continue;
    }
    for (size_t k = 0; k < 2; k++) {
      s.momentum[k] += p[at + k];
      s.centre[k] += first[at + k] / mass;
    }
    s.turning += q[at] * p[at + 1] - q[at + 1] * p[at];
    s.turning += angles ? p[at + 2] : q[at + 2] * p[at + 3] - q[at + 3] * p[at + 2];
  }
  for (size_t i = 0; i < sys->n; i++) {
    s.energy += 0.5 * p[i] * v[i];
  }
  free(p);
  return s;
}

/* The states of a run at its start and at its end, and the largest changes of the energy and of momenta on the way. */
typedef struct flight {
  state first, last;
  double energy, momentum, turning;
} flight;

static flight fly(const char *model, const char *scheme, double step, double end)
{
  test_run run = dls_test_run(model, scheme, step, end);
  const size_t n = run.sys->n;
  flight f = {.energy = 0};
  for (size_t row = 0; row < run.traj->rows; row++) {
    const double *q = run.traj->data + row * run.traj->columns + 1;
    f.last = state_of(run.sys, q, q + n);
    f.first = row == 0 ? f.last : f.first;
    f.energy = fmax(f.energy, fabs(f.last.energy - f.first.energy));
    f.momentum = fmax(f.momentum, fabs(f.last.momentum[0] - f.first.momentum[0]));
    f.momentum = fmax(f.momentum, fabs(f.last.momentum[1] - f.first.momentum[1]));
    f.turning = fmax(f.turning, fabs(f.last.turning - f.first.turning));
  }
  dls_test_free(&run);
  return f;
}

/* Energy 74 J, momentum 10 N s, angular momentum about 92 N m s. */
static void directors_keep_energy_and_momenta(void **ignored)
{
  (void)ignored;
  static const double steps[] = {0.1, 0.05, 0.025};
  for (size_t k = 0; k < 3; k++) {
    const flight f = fly("flying-beam:element=directors,wall=off,vx=-1", "energy-preserving", steps[k], 10);
    assert_between(f.first.energy, 70, 80);
    assert_between(f.energy, 1e-15, 1e-10);
    assert_between(f.momentum, 0, 1e-12);
    assert_between(f.turning, 1e-15, 1e-10);
  }
}

/* Angular momentum to second order in the angle of a step. */
static void angles_keep_energy_and_momentum(void **ignored)
{
  (void)ignored;
  static const char model[] = "flying-beam:wall=off,vx=-1";
  const flight f = fly(model, "energy-preserving", 0.05, 10),
               finer = fly(model, "energy-preserving", 0.025, 10);
  assert_between(f.energy, 1e-15, 1e-10);
  assert_between(f.momentum, 0, 1e-12);
  assert_between(finer.energy, 1e-15, 1e-10);
  assert_between(log2(f.turning / finer.turning), 1.7, 2.3);
  assert_between(finer.turning, 1e-4, 1e-2);
}

static void alpha_kappa_keeps_the_energy_or_lets_it_decay(void **ignored)
{
  (void)ignored;
  static const char model[] = "flying-beam:element=directors,wall=off,vx=-1,n=3";
  const flight kept = fly(model, "alpha-kappa:alpha=0,kappa=free", 0.05, 3);
  assert_between(kept.energy, 1e-15, 1e-10);
  assert_between(kept.momentum, 0, 1e-12);
  assert_between(kept.turning, 1e-6, 1); /* the pushes of velocity joints are no forces */
  const flight decayed = fly(model, "alpha-kappa:alpha=1,kappa=free", 0.05, 3);
  assert_between(decayed.last.energy - decayed.first.energy, -10, -1e-3);
}

/* With angles momentum is kept, and the parabola of the centre of mass is exact in every scheme of the mean velocity. */
static void the_centre_of_mass_flies_on_its_parabola(void **ignored)
{
  (void)ignored;
  static const char *const schemes[] = {"moreau-jean", "moreau-jean-variant:theta=0.5",
                                        "nonsmooth-newmark:gamma=0.5,beta=0.25", "energy-preserving"};
  for (size_t k = 0; k < 4; k++) {
    const char *model = k < 3 ? "flying-beam:wall=off,g=2,vx=3,vy=1,x0=7,y0=5"
                              : "flying-beam:wall=off,g=2,vx=3,vy=1,x0=7,y0=5,element=directors";
    const flight f = fly(model, schemes[k], 0.02, 1);
    assert_close(f.last.centre[0], 7 + 3 * 1, 1e-12);
    assert_close(f.last.centre[1], 5 + 1 * 1 - 0.5 * 2, 1e-12);
    assert_close(f.last.momentum[1], 10 * (1 - 2 * 1), 1e-11);
  }
}

/* The wall takes from the momentum along x what its impulses say, and nothing along y. */
static void the_wall_changes_the_momentum_by_its_impulses(void **ignored)
{
  (void)ignored;
  static const char *const runs[][2] = {{"flying-beam", "moreau-jean"},
                                        {"flying-beam", "nonsmooth-generalized-alpha"},
                                        {"flying-beam:element=directors", "energy-preserving"}};
  for (size_t k = 0; k < 3; k++) {
    test_run run = dls_test_run(runs[k][0], runs[k][1], 0.01, 3);
    const size_t n = run.sys->n, p0 = (size_t)dls_trajectory_column(run.traj, "p0");
    double impulse = 0;
    for (size_t row = 0; row < run.traj->rows; row++) {
      for (size_t j = 0; j < run.sys->m; j++) {
        impulse += dls_trajectory_at(run.traj, row, p0 + j);
      }
    }
    const double *q = run.traj->data + (run.traj->rows - 1) * run.traj->columns + 1;
    const state first = state_of(run.sys, run.sys->q0, run.sys->v0), last = state_of(run.sys, q, q + n);
    assert_between(impulse, 50, 150);
    assert_close(last.momentum[0] - first.momentum[0], impulse, 1e-10);
    assert_close(last.momentum[1], first.momentum[1], 1e-10);
    dls_test_free(&run);
  }
}

/* What the wall has taken up by 2 s it has given back when the beam is off. */
static void a_wall_that_yields_gives_the_energy_back(void **ignored)
{
  (void)ignored;
  static const char *const models[] = {"flying-beam:element=directors", "flying-beam"};
  for (size_t k = 0; k < 2; k++) {
    const flight f = fly(models[k], "energy-preserving:contact=penalty,kappa=1e5", 0.01, 3);
    assert_close(f.last.energy, f.first.energy, 1e-9);
    assert_between(f.energy, 0.1, 100); /* on the way it is in the wall */
    assert_close(f.last.momentum[1], f.first.momentum[1], 1e-11);
    assert_between(f.last.momentum[0] - f.first.momentum[0], 50, 150);
  }
}

/* Ends without mass, and nodes with mass between them, which touch as well. What the ends hand on is of the middle of the step,
 * what they feel of its ends: the difference is of second order. */
static void a_beam_with_ends_without_mass_takes_the_impulses_of_the_wall(void **ignored)
{
  (void)ignored;
  test_run run = dls_test_run("flying-beam:mass=redistributed", "redistributed-mass-midpoint", 0.01, 3);
  const size_t n = run.sys->n, p0 = (size_t)dls_trajectory_column(run.traj, "p0");
  double impulse = 0;
  for (size_t row = 0; row < run.traj->rows; row++) {
    for (size_t j = 0; j < run.sys->m; j++) {
      impulse += dls_trajectory_at(run.traj, row, p0 + j);
    }
  }
  const double *q = run.traj->data + (run.traj->rows - 1) * run.traj->columns + 1;
  const state first = state_of(run.sys, run.sys->q0, run.sys->v0), last = state_of(run.sys, q, q + n);
  assert_int_equal(dls_system_massless(run.sys, NULL), 6);
  assert_between(impulse, 50, 150);
  assert_close(last.momentum[0] - first.momentum[0], impulse, 2e-3);
  assert_close(last.momentum[1], first.momentum[1], 2e-2);
  dls_test_free(&run);
}

static const char generalized_alpha[] = "nonsmooth-generalized-alpha:rho_inf=0.65";

/* Before the impact: energy error of generalized-alpha of order 2, of Moreau-Jean with theta = 1 of order 1; the tip at 0.3 s. */
static void the_falling_beam_converges_before_the_impact(void **ignored)
{
  (void)ignored;
  static const double h[] = {2e-4, 1e-4, 5e-5}, known[] = {-8.446e-7, -2.097e-7, -5.083e-8};
  double last = 0;
  for (size_t k = 0; k < 3; k++) {
    const flight f = fly("rotating-beam", "nonsmooth-generalized-alpha:rho_inf=0.65", h[k], 0.3);
    const double error = f.last.energy - f.first.energy;
    assert_close(error, known[k], 0.01e-7);
    assert_between(k == 0 ? 2 : log2(last / error), 1.95, 2.06);
    last = error;
  }
  const double coarse = fly("rotating-beam", "moreau-jean:theta=1", 5e-4, 0.3).energy;
  const double fine = fly("rotating-beam", "moreau-jean:theta=1", 1e-4, 0.3).energy;
  assert_between(log(coarse / fine) / log(5), 0.9, 1.1);
  test_run run = dls_test_run("rotating-beam", generalized_alpha, 1e-4, 0.3);
  assert_close(dls_test_value(&run, run.traj->rows - 1, "q10"), 0.794441, 1e-4);
  assert_close(dls_test_value(&run, run.traj->rows - 1, "q11"), -0.607342, 1e-4);
  dls_test_free(&run);
}

/* Directors are another element: its tip is within the error of the mesh of the one with angles. */
static void both_elements_hit_the_hurdle_at_the_same_time(void **ignored)
{
  (void)ignored;
  static const char *const runs[][2] = {{"rotating-beam", "nonsmooth-generalized-alpha:rho_inf=0.65"},
                                        {"rotating-beam:n=8", "nonsmooth-generalized-alpha:rho_inf=0.65"},
                                        {"rotating-beam:element=directors", "energy-preserving"},
                                        {"rotating-beam:element=directors", "moreau-jean"}};
  for (size_t k = 0; k < 4; k++) {
    test_run run = dls_test_run(runs[k][0], runs[k][1], 1e-4, 0.3305);
    assert_true(run.traj->event_count > 0);
    assert_close(run.traj->events[0].t, 0.3302, 0.0005);
    assert_close(run.traj->events[0].u_minus, -3.203, 0.01);
    dls_test_free(&run);
  }
}

/* The energy that is left at 0.5 s, from 0 at the start. */
static double left_over(const char *model, const char *scheme, double step)
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, scheme);
  const dls_run_spec spec = {.step = step, .end = 0.5, .record = run.traj, .halvings = 6};
  assert_ok(dls_run(run.sim, &spec, &err), err);
  const double energy =
      state_of(run.sys, run.sim->q, run.sim->v).energy - state_of(run.sys, run.sys->q0, run.sys->v0).energy;
  dls_test_free(&run);
  return energy;
}

static void damping_of_theta_one_costs_more_at_every_step(void **ignored)
{
  (void)ignored;
  static const double steps[] = {1e-3, 5e-4, 2e-4, 1e-4};
  double last = -3;
  for (size_t k = 0; k < 4; k++) {
    const double alpha = left_over("rotating-beam", generalized_alpha, steps[k]);
    const double theta = left_over("rotating-beam", "moreau-jean:theta=1", steps[k]);
    assert_between(alpha, -1.25, -0.7);
    assert_between(theta, last, alpha - 0.3);
    last = theta;
  }
}

/* Without mass at the tip nothing is lost, and the tip is in one place at 0.8 s: x to second order. */
static void a_tip_without_mass_has_an_impact_that_converges(void **ignored)
{
  (void)ignored;
  static const char model[] = "rotating-beam:mass=redistributed", scheme[] = "redistributed-mass-midpoint";
  static const double steps[] = {2e-4, 1e-4};
  double off[2];
  for (size_t k = 0; k < 2; k++) {
    test_run run = dls_test_run(model, scheme, steps[k], 0.8);
    off[k] = run.sim->q[10] - 0.975381; /* of steps from 2e-5 to 5e-6, extrapolated */
    assert_int_equal(run.sim->work.impacts, 0);
    assert_close(run.traj->events[0].t, 0.3302, 0.0005);
    dls_test_free(&run);
  }
  assert_between(fabs(left_over(model, scheme, 1e-4)), 0, 1e-3);
  assert_between(off[0] / off[1], 2.5, 6);
  assert_between(fabs(off[1]), 1e-5, 2e-3);
}

/* At 1e-3 the contact problem of a step behind the impact has no solution: the run ends there, or the step is halved. */
static void a_step_that_cannot_be_solved_is_halved(void **ignored)
{
  (void)ignored;
  for (size_t halvings = 0; halvings <= 4; halvings += 4) {
    dls_error err = {0};
    test_run run = dls_test_prepare("rotating-beam", generalized_alpha);
    const dls_run_spec spec = {.step = 1e-3, .end = 0.4, .record = run.traj, .halvings = halvings};
    const dls_status status = dls_run(run.sim, &spec, &err);
    if (halvings == 0) {
      assert_true(status == DLS_ERR_LCP || status == DLS_ERR_NOCONV);
      assert_true(run.sim->t < 0.35);
    } else {
      assert_ok(status, err);
      assert_true(run.sim->t == 400 * 1e-3);
      assert_int_equal(run.sim->step, 400);
      assert_between((double)run.sim->work.rejected, 1, 20);
      assert_int_equal(run.sim->work.steps, 400 + run.sim->work.rejected);
      for (size_t row = 1; row < run.traj->rows; row++) {
        const double since = dls_test_value(&run, row, "t") - dls_test_value(&run, row - 1, "t");
        assert_true(since >= 0 && since <= 1.0001e-3);
      }
    }
    dls_test_free(&run);
  }
}

static void schemes_of_equal_steps_refuse_to_halve_them(void **ignored)
{
  (void)ignored;
  dls_error err = {0};
  test_run run = dls_test_prepare("rotating-beam", "schatzman-paoli");
  const dls_run_spec spec = {.step = 1e-3, .end = 0.1, .halvings = 1};
  assert_int_equal(dls_run(run.sim, &spec, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "keeps equal steps"));
  dls_test_free(&run);
}

/* The mean stretch in steady rotation, after the manoeuvre of Simo and Vu-Quoc; on the way the beam lags by about 0.57 m. */
static void the_spun_up_beam_stretches_as_theory_says(void **ignored)
{
  (void)ignored;
  test_run run = dls_test_run("spin-up-beam", generalized_alpha, 0.01, 17);
  double sum = 0, lag = 0;
  size_t count = 0;
  for (size_t row = 0; row < run.traj->rows; row++) {
    const double t = dls_test_value(&run, row, "t"), x = dls_test_value(&run, row, "q27"),
                 y = dls_test_value(&run, row, "q28");
    const double psi = dls_beam_turn(&dls_beam_of(run.sys)->drive, t, 0);
    lag = fmin(lag, y * cos(psi) - x * sin(psi));
    if (t > 15) {
      sum += x * cos(psi) + y * sin(psi) - 10;
      count++;
    }
  }
  assert_close(sum / (double)count, 5.1432e-4, 0.02e-4);
  assert_between(lag, -0.6, -0.55);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(directors_keep_energy_and_momenta),
      cmocka_unit_test(angles_keep_energy_and_momentum),
      cmocka_unit_test(alpha_kappa_keeps_the_energy_or_lets_it_decay),
      cmocka_unit_test(the_centre_of_mass_flies_on_its_parabola),
      cmocka_unit_test(the_wall_changes_the_momentum_by_its_impulses),
      cmocka_unit_test(a_wall_that_yields_gives_the_energy_back),
      cmocka_unit_test(a_beam_with_ends_without_mass_takes_the_impulses_of_the_wall),
      cmocka_unit_test(the_falling_beam_converges_before_the_impact),
      cmocka_unit_test(both_elements_hit_the_hurdle_at_the_same_time),
      cmocka_unit_test(damping_of_theta_one_costs_more_at_every_step),
      cmocka_unit_test(a_tip_without_mass_has_an_impact_that_converges),
      cmocka_unit_test(a_step_that_cannot_be_solved_is_halved),
      cmocka_unit_test(schemes_of_equal_steps_refuse_to_halve_them),
      cmocka_unit_test(the_spun_up_beam_stretches_as_theory_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
