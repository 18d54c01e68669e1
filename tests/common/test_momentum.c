/* test_momentum.c -- momenta of models: closed forms, the same motion in other coordinates, what free flight and collisions keep, and
 * what impulses change. SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/models/elements/beam.h"
#include "common/models/elements/rods.h"
#include "common/models/multibody/mechanism.h"
#include "models.h"
#include "runs.h"
#include <delassus/measures.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Momenta of (t, q, v). */
static void momenta(const dls_system *sys, double t, const double *q, const double *v, double *p)
{
  dls_measures *m = NULL;
  dls_error err = {0};
  assert_ok(dls_measures_create(sys, &m, &err), err);
  dls_measures_momenta(m, t, q, v, p);
  dls_measures_destroy(m);
}

static void at_start(dls_system *sys, size_t count, double *p)
{
  assert_int_equal(sys->momenta, count);
  momenta(sys, 0, sys->q0, sys->v0, p);
  dls_system_destroy(sys);
}

DLS_TEST(one_pendulum_has_the_same_momenta_in_all_coordinates)
{
  static const char *const models[] = {"bouncing-pendulum", "bouncing-pendulum-cartesian",
                                       "bouncing-pendulum-natural"};
  const double m = 2, l = 9, angle = 0.7, rate = 1.3;
  for (size_t i = 0; i < 3; i++) { /* 9 m: directors have another unit */
    char text[100];
    double p[3];
    snprintf(text, sizeof text, "%s:m=%g,l=%g,hurdle=1,q0=%g,v0=%g", models[i], m, l, angle, rate);
    at_start(dls_test_system(text), 3, p);
    assert_close(p[0], -m * l * rate * sin(angle), 1e-13);
    assert_close(p[1], -m * l * rate * cos(angle), 1e-13);
    assert_close(p[2], -m * l * l * rate, 1e-12);
  }
}

/* Momenta and J omega of a body in the plane and in space, about its centre and of its centre about the origin. */
DLS_TEST(free_bodies_of_a_mechanism_have_their_own)
{
  const dls_body flat = {.kind = DLS_BODY_RIGID,
                         .mass = 2,
                         .inertia = {0.5},
                         .at = {20, 1},
                         .angle = {0.3},
                         .velocity = {1, -2},
                         .spin = {4}};
  const dls_body top = {.kind = DLS_BODY_RIGID,
                        .mass = 2,
                        .inertia = {1, 2, 2.5},
                        .at = {3, 1, 2},
                        .velocity = {1, -2, 0.5},
                        .spin = {4, 5, 6}};
  const double expected[2][6] = {{2, -4, 20 * -4 - 2 + 0.5 * 4},
                                 {2, -4, 1, 1 + 8 + 4, 4 - 3 + 10, -12 - 2 + 15}};
  for (size_t k = 0; k < 2; k++) {
    dls_error err = {0};
    dls_system *sys = NULL;
    double p[6];
    const size_t count = k == 0 ? 3 : 6;
    const dls_mechanism m = {.dim = k + 2, .body_count = 1, .bodies = k == 0 ? &flat : &top};
    assert_ok(dls_mechanism_system(&m, &sys, &err), err);
    at_start(sys, count, p);
    for (size_t i = 0; i < count; i++) {
      assert_close(p[i], expected[k][i], 1e-13);
    }
  }
}

/* r = f + s d, v = s v_1 on a rod from the fixed point f: p = m v_1/2, L = m (f x v_1/2 + d x v_1/3). */
DLS_TEST(rods_have_the_momentum_of_all_their_length)
{
  const dls_rod rod = {.from = SIZE_MAX, .to = 0, .x = 2, .y = -1, .length = 3, .mass = 1.5};
  const double none = 0, q[] = {5, -1}, v[] = {0.25, 0.75};
  dls_error err = {0};
  dls_system *sys = NULL;
  double p[3];
  assert_ok(dls_rods_create("rod", &(dls_rods){.points = 1, .rods = 1, .mass = &none, .rod = &rod}, &sys, &err),
            err);
  momenta(sys, 0, q, v, p);
  assert_close(p[0], 1.5 * 0.25 / 2, 1e-15);
  assert_close(p[1], 1.5 * 0.75 / 2, 1e-15);
  assert_close(p[2], 1.5 * ((2 * 0.75 + 1 * 0.25) / 2 + (3 * 0.75 - 0 * 0.25) / 3), 1e-15);
  dls_system_destroy(sys);
}

/* --- beams --- */

static dls_system *beam_system(dls_beam_kind kind, int mass, dls_beam_root root, double rate)
{
  const dls_beam beam = {.kind = kind,
                         .elements = 5,
                         .length = 2,
                         .section = {.EA = 1, .GA = 1, .EI = 1, .rhoA = 3, .rhoI = 0.4},
                         .mass = mass,
                         .root = root,
                         .drive = {.rate = rate}};
  dls_error err = {0};
  dls_system *sys = NULL;
  assert_ok(dls_beam_create("beam", &beam, &sys, &err), err);
  return sys;
}

/* Rigid motion: p = rho A l v_c, L = rho A l r_c x v_c + (rho A l^3/12 + rho I l) omega, exact for consistent mass. */
DLS_TEST(a_beam_that_moves_as_a_rigid_body_has_its_closed_form)
{
  const double root[] = {1, -2}, velocity[] = {0.5, 3}, angle = 0.8, rate = 1.7, m = 3 * 2, c = cos(angle),
               s = sin(angle);
  const double x = root[0] + c, y = root[1] + s, vx = velocity[0] - rate * s, vy = velocity[1] + rate * c;
  for (int kind = 0; kind < 2; kind++) {
    dls_system *sys = beam_system((dls_beam_kind)kind, DLS_MASS_CONSISTENT, DLS_BEAM_FREE, 0);
    double p[3];
    dls_beam_lay(sys, root, angle, velocity, rate);
    at_start(sys, 3, p);
    assert_close(p[0], m * vx, 1e-13);
    assert_close(p[1], m * vy, 1e-13);
    assert_close(p[2], m * (x * vy - y * vx) + (m * 4 / 12 + 0.4 * 2) * rate, 1e-12);
  }
}

/* A beam whose root is held has the momenta of a free one that moves as it does. */
DLS_TEST(what_hangs_on_a_held_root_counts)
{
  for (int i = 0; i < 8; i++) {
    const dls_beam_kind kind = (dls_beam_kind)(i % 2);
    const int mass = i / 2 % 2 == 0 ? DLS_MASS_CONSISTENT : DLS_MASS_LUMPED;
    const dls_beam_root root = i / 4 == 0 ? DLS_BEAM_PINNED : DLS_BEAM_CLAMPED;
    const double rate = root == DLS_BEAM_CLAMPED && kind == DLS_BEAM_ANGLE ? 1.7 : 0, t = 0.6;
    dls_system *held = beam_system(kind, mass, root, rate), *free = beam_system(kind, mass, DLS_BEAM_FREE, 0);
    const size_t given = free->n - held->n;
    double q[24], v[24], p[3], expected[3];
    for (size_t k = 0; k < free->n; k++) {
      q[k] = k < given ? 0 : sin(1 + (double)k);
      v[k] = k < given ? 0 : cos(3 * (double)k);
    }
    if (root == DLS_BEAM_CLAMPED) { /* the angle, or the director (1, 0) */
      q[2] = kind == DLS_BEAM_ANGLE ? rate * t : 1;
      v[2] = rate;
    }
    momenta(free, 0, q, v, expected);
    momenta(held, t, q + given, v + given, p);
    for (size_t k = 0; k < 3; k++) {
      assert_close(p[k], expected[k], 1e-13);
    }
    dls_system_destroy(held);
    dls_system_destroy(free);
  }
}

/* --- runs --- */

/* Bodies that fly and collide, nothing else touching them. */
DLS_TEST(collisions_of_free_bodies_keep_the_momenta)
{
  static const struct {
    const char *model, *scheme;
    double step, end, tolerance;
    bool turns; /* angular momentum is kept to second order only */
  } runs[] = {
      {"two-cylinders:box=off,vy=0", "energy-preserving:contact=penalty,kappa=1e4", 0.02, 2.5, 1e-11, false},
      {"two-cylinders:box=off,lambda=130,mu=43.33,vx=2,vy=0.4", "energy-preserving:contact=penalty,kappa=1e4",
       0.02, 3, 1e-11, false},
      {"flying-beam:wall=off", "energy-preserving", 0.05, 1, 1e-9, true},
      {"rigid-discs:floor=-99,vx0=1,vy0=0.3,right=99", "energy-preserving", 0.01, 6, 1e-12, false},
      {"rigid-discs:floor=-99,vx0=1,vy0=0.3,right=99", "event-driven", 0, 6, 1e-9, false},
      {"rigid-discs:floor=-99,vx0=1,vy0=0.3,right=99", "conserving-penalty:kappa=1e4", 0.01, 6, 1e-9, false},
      {"rigid-discs:floor=-99,vx0=1,vy0=0.3,right=99", "conserving-penalty:kappa=1e4,mass=1e3", 0.01, 6, 1e-9,
       false},
  };
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    test_run run = dls_test_run(runs[i].model, runs[i].scheme, runs[i].step, runs[i].end);
    const dls_system *sys = run.sys;
    double before[3], after[3], turned = 0;
    momenta(sys, 0, sys->q0, sys->v0, before);
    momenta(sys, run.sim->t, run.sim->q, run.sim->v, after);
    for (size_t k = 0; k < sys->n; k++) {
      turned = fmax(turned, fabs(run.sim->v[k] - sys->v0[k]));
    }
    assert_between(turned, 0.1, 100); /* something happened */
    for (size_t k = 0; k < (runs[i].turns ? 2 : 3); k++) {
      assert_close(after[k], before[k], runs[i].tolerance * (1 + fabs(before[k])));
    }
    dls_test_free(&run);
  }
}

/* Of a heavy top about the fixed point: about the vertical whatever the step; along its axis, by its symmetry, to second order.
 * @return how far it is off along the axis, relative */
static double spin_a_top(double step)
{
  test_run run = dls_test_run("heavy-top", "energy-preserving", step, 0.4);
  double before[6], after[6];
  momenta(run.sys, 0, run.sys->q0, run.sys->v0, before);
  momenta(run.sys, run.sim->t, run.sim->q, run.sim->v, after);
  const double spin = 150, precession = -4.61538, a = 0.234375 + 15, *axis = run.sim->q + 3;
  assert_close(before[4], 0.46875 * spin, 1e-12); /* the axis starts along y, d3 along z */
  assert_close(before[5], a * precession, 1e-12);
  assert_close(before[0], -15 * precession, 1e-12); /* m l (w x d2) */
  assert_close(after[5], before[5], 1e-10 * fabs(before[5]));
  assert_between(fabs(after[3] - before[3]), 1, 100); /* it precesses */
  const double along = after[3] * axis[0] + after[4] * axis[1] + after[5] * axis[2];
  dls_test_free(&run);
  return fabs(along / before[4] - 1);
}

DLS_TEST(a_top_keeps_what_gravity_does_not_turn)
{
  const double coarse = spin_a_top(0.002), fine = spin_a_top(0.001);
  assert_between(coarse, 1e-6, 1e-5);
  assert_between(coarse / fine, 3, 5);
}

/* Reported velocities take up the impulses that are reported, with a mass penalty and without. */
DLS_TEST(momenta_change_by_the_impulses_of_the_wall)
{
  static const char *const schemes[] = {"conserving-penalty", "conserving-penalty:mass=1e3", "moreau-jean",
                                        "event-driven"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    test_run run = i < 3 ? dls_test_run("rod-impact", schemes[i], 0.02, 2.6)
                         : dls_test_run("two-ball-oscillator:g=0,v1=-1,v2=-1", schemes[i], 0, 3);
    const dls_trajectory *traj = run.traj;
    const size_t p0 = (size_t)dls_trajectory_column(traj, "p0");
    double before[3], now[3], sum = 0, worst = 0;
    momenta(run.sys, 0, run.sys->q0, run.sys->v0, before);
    for (size_t row = 1; row < traj->rows; row++) {
      const double *node = traj->data + row * traj->columns;
      sum += node[p0];
      momenta(run.sys, node[0], node + 1, node + 1 + run.sys->n, now);
      worst = fmax(worst, fabs(now[0] - before[0] - sum));
    }
    assert_close(worst, 0, i < 3 ? 1e-12 : 1e-9);
    assert_between(sum, 0.5, 20);
    dls_test_free(&run);
  }
}

/* --- records --- */

DLS_TEST(a_record_may_have_energies_and_momenta)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("rigid-discs:e=0.5", "event-driven");
  const char *names[DLS_MEASURES_MOST];
  bool keep[64] = {false}, measured[DLS_MEASURES_MOST] = {true, false, true, true, false, true};
  assert_int_equal(dls_measures_of(run.sys, names), 7);
  assert_int_equal(dls_trajectory_measure(run.traj, run.sys, run.sim->scheme, measured, &err),
                   DLS_ERR_ARG); /* selected first */
  keep[dls_trajectory_column(run.traj, "v0")] = true;
  assert_ok(dls_trajectory_select(run.traj, keep, &err), err);
  assert_ok(dls_trajectory_measure(run.traj, run.sys, run.sim->scheme, measured, &err), err);
  assert_int_equal(dls_trajectory_column(run.traj, "L"), (int)run.traj->columns - 1);
  assert_ok(dls_run(run.sim, &(dls_run_spec){.end = 4, .record = run.traj}, &err), err);
  const dls_trajectory *traj = run.traj;
  size_t jumps = 0;
  for (size_t row = 0; row < traj->rows; row++) {
    assert_close(dls_test_value(&run, row, "energy"), dls_test_value(&run, row, "kinetic"), 0);
    const bool jump = row > 0 && dls_trajectory_at(traj, row, 0) == dls_trajectory_at(traj, row - 1, 0);
    jumps += jump;
    if (jump) { /* both limits */
      assert_between(dls_test_value(&run, row - 1, "energy") - dls_test_value(&run, row, "energy"), 0.1, 2);
    }
  }
  assert_int_equal(jumps, 2);
  assert_close(dls_test_value(&run, traj->rows - 1, "energy"),
               0.5 * (run.sim->v[0] * run.sim->v[0] + run.sim->v[1] * run.sim->v[1] +
                      run.sim->v[2] * run.sim->v[2] + run.sim->v[3] * run.sim->v[3]),
               1e-14);
  dls_test_free(&run);
}

DLS_TEST(momenta_without_their_callback_are_refused)
{
  dls_error err = {0};
  dls_system *sys = dls_test_system("rigid-discs");
  sys->momenta = 4;
  assert_int_equal(dls_system_check(sys, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "momenta = 4"));
  sys->momenta = 3;
  sys->momentum = NULL;
  assert_int_equal(dls_system_check(sys, &err), DLS_ERR_ARG);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_pendulum_has_the_same_momenta_in_all_coordinates),
      cmocka_unit_test(free_bodies_of_a_mechanism_have_their_own),
      cmocka_unit_test(rods_have_the_momentum_of_all_their_length),
      cmocka_unit_test(a_beam_that_moves_as_a_rigid_body_has_its_closed_form),
      cmocka_unit_test(what_hangs_on_a_held_root_counts),
      cmocka_unit_test(collisions_of_free_bodies_keep_the_momenta),
      cmocka_unit_test(a_top_keeps_what_gravity_does_not_turn),
      cmocka_unit_test(momenta_change_by_the_impulses_of_the_wall),
      cmocka_unit_test(a_record_may_have_energies_and_momenta),
      cmocka_unit_test(momenta_without_their_callback_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
