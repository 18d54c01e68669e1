/* test_multistep.c -- nonsmooth BDF2 and Adams: the formulas hold for the smooth part of the motion, whatever the steps; orders;
 * what a restart is good for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "newmark_systems.h"
#include <string.h>

static const char *const multistep[] = {"nonsmooth-bdf2", "nonsmooth-bdf2:restart=off", "nonsmooth-adams",
                                        "nonsmooth-adams:restart=off"};
enum { MULTISTEP = sizeof multistep / sizeof multistep[0], LAST = 0, NOW, NEXT, NODES };

/* The motion less that of its jumps, each in the middle of its step. */
typedef struct smooth_part {
  double q[NODES], v[NODES], a[NODES];
  double jumps, moved; /* sum of w; where they have moved q */
} smooth_part;

/* What y' = f leaves of the derivative of the parabola through y at 1, 0, -r. */
static double bdf2_residual(double r, double h, bool one, const double *y, const double *f)
{
  if (one) {
    return y[NEXT] - y[NOW] - h * f[NEXT];
  }
  return (1 + 1 / (1 + r)) * y[NEXT] - (1 + r) / r * y[NOW] + y[LAST] / (r * (1 + r)) - h * f[NEXT];
}

/* What it leaves of the integral: weights that are exact for 1, s, s^2. */
static double adams_residual(double r, double h, bool one, const double *y, const double *f)
{
  const double last = one ? 0 : -1 / (6 * r * (r + 1)), next = 0.5 + r * last;
  return y[NEXT] - y[NOW] - h * (next * f[NEXT] + (1 - next - last) * f[NOW] + last * f[LAST]);
}

static double acceleration(const dls_sim *sim)
{
  double F = 0;
  dls_system_force(sim->sys, sim->t, sim->q, sim->v, &F);
  return F / ((const scalar_data *)sim->sys->data)->m;
}

static void move_on(smooth_part *s, const dls_sim *sim, double h, double w)
{
  s->moved += h * (s->jumps + w / 2);
  s->jumps += w;
  for (int i = LAST; i < NEXT; i++) {
    s->q[i] = s->q[i + 1];
    s->v[i] = s->v[i + 1];
    s->a[i] = s->a[i + 1];
  }
  s->q[NEXT] = sim->q[0] - s->moved;
  s->v[NEXT] = sim->v[0] - s->jumps;
  s->a[NEXT] = acceleration(sim);
}

static void advance(dls_sim *sim, double h)
{
  dls_error err = {0};
  sim->t_base = sim->t - (double)sim->step * h;
  assert_ok(dls_sim_advance(sim, h, &err), err);
}

/* Steps of many lengths, the law of impact, impulses that are the jumps; @return steps by the formula of one step */
static size_t check_run(dls_system *sys, const char *scheme, bool bends)
{
  static const double lengths[] = {1, 1, 1.001, 1, 1, 1.5, 0.6, 1, 1.9, 1, 2.5, 1, 1, 1};
  const scalar_data *d = sys->data;
  const bool bdf2 = strstr(scheme, "bdf2") != NULL, restart = strstr(scheme, "off") == NULL;
  dls_sim *sim = sim_of(sys, scheme);
  dls_error err = {0};
  assert_ok(dls_sim_start(sim, &err), err);
  smooth_part s = {.q[NEXT] = sim->q[0], .v[NEXT] = sim->v[0], .a[NEXT] = acceleration(sim)};
  bool behind = false;
  size_t ones = 0;
  double last = 0;
  for (size_t k = 0; k < 3000; k++) {
    const double h = 0.02 * lengths[k % 14], q = sim->q[0], v = sim->v[0], x = q + h / 2 * v - d->stop;
    const double ahead = q + h * v - d->stop, g = bends ? ahead * (1 + ahead / 4) : ahead;
    const bool one = k == 0 || (bdf2 && h > 2 * last) || (restart && (behind || (v < -1e-9 && g <= 0)));
    advance(sim, h);
    move_on(&s, sim, h, (bends ? 1 + x / 2 : 1) * sim->p[0] / d->m);
    double (*const residual)(double, double, bool, const double *, const double *) =
        bdf2 ? bdf2_residual : adams_residual;
    assert_close(residual(last / h, h, one, s.v, s.a), 0, 2e-10);
    assert_close(residual(last / h, h, one, s.q, s.v), 0, 2e-10);
    assert_close(sim->p[0] * (sim->v[0] + d->e * v), 0, 1e-9);
    behind = sim->jump;
    ones += one;
    last = h;
  }
  assert_between((double)sim->work.impacts, 10, 300);
  dls_sim_destroy(sim);
  return ones;
}

DLS_TEST(formulas_hold_for_the_smooth_part)
{
  scalar_data d = {.m = 2, .c = 0.3, .k = 9, .f = 4, .omega = 3, .stop = -0.2, .e = 0.6, .q0 = 1, .v0 = -0.5};
  for (size_t i = 0; i < MULTISTEP; i++) {
    dls_system *straight = scalar_system(&d), *bent = bent_system(&d);
    const size_t ones = check_run(straight, multistep[i], false) + check_run(bent, multistep[i], true);
    static const size_t expected[] = {550, 430, 138, 2}; /* 2 * 214 behind the steps that grow 2.5-fold */
    assert_int_equal(ones, expected[i]);
    dls_system_destroy(straight);
    dls_system_destroy(bent);
  }
}

DLS_TEST(orders_without_impacts)
{
  for (size_t i = 0; i < MULTISTEP; i++) {
    const double order = i < 2 ? 2 : 3;
    for (int of = 0; of < 2; of++) {
      const dls_fit fit = dls_test_order((test_study){"impacting-oscillator:c=0.3", multistep[i], "grid-max",
                                                      of == 0 ? "q" : "v", 1.5, 5e-2, 1e-3, 7, 2});
      assert_between(fit.order, order - 0.06, order + 0.06);
      assert_between(fit.constant, 1e-3, 1);
    }
    const dls_fit fit =
        dls_test_order((test_study){"bouncing-pendulum", multistep[i], "grid-max", "q", 0.4, 2e-2, 1e-3, 6, 2});
    assert_between(fit.order, order - 0.1, order + 0.1);
  }
}

DLS_TEST(order_with_impacts_is_one)
{
  for (size_t i = 0; i < MULTISTEP; i++) {
    dls_test_order_one_with_impacts(multistep[i], 0.13);
  }
}

/* max E_(k+1) / max(E_k, E_(k-1)) of the oscillator with elastic impacts, for many steps and phases. */
static double largest_gain(const char *scheme)
{
  static const double steps[] = {0.1, 0.3, 1, 1.6, 2.7, 5, 8, 24.3, 73, 300},
                      speeds[] = {-20, -5, -2, -1, -0.7, -0.3, -0.1, 0, 0.3, 1, 4};
  double gain = 0;
  for (size_t i = 0; i < 10; i++) {
    for (size_t j = 0; j < 11; j++) {
      scalar_data d = {.m = 1, .k = 1, .e = 1, .q0 = 1, .v0 = speeds[j]};
      dls_system *sys = scalar_system(&d);
      dls_sim *sim = sim_of(sys, scheme);
      dls_error err = {0};
      assert_ok(dls_sim_start(sim, &err), err);
      double last = 1 + d.v0 * d.v0, now = last;
      for (int k = 0; k < 40 && now > 1e-12; k++) {
        assert_ok(dls_sim_advance(sim, steps[i], &err), err);
        const double next = sim->q[0] * sim->q[0] + sim->v[0] * sim->v[0];
        gain = fmax(gain, next / fmax(last, now));
        last = now;
        now = next;
      }
      dls_sim_destroy(sim);
      dls_system_destroy(sys);
    }
  }
  return gain;
}

/* With a restart no node of one oscillator has more energy than both before it; without, accelerations of before the impact
 * keep it going. */
DLS_TEST(a_restart_keeps_the_energy_down)
{
  assert_between(largest_gain("nonsmooth-bdf2"), 0.99, 1 + 1e-12);
  assert_between(largest_gain("nonsmooth-bdf2:restart=off"), 1.1, 1.3);
}

/* A body that is pressed to the floor: q = -(h^2/2) (1 + 1/3 + 1/9 + ..) for the BDF, which starts with implicit Euler. */
DLS_TEST(lasting_contact_does_not_drift)
{
  for (size_t i = 0; i < MULTISTEP; i++) {
    test_run run = dls_test_run("bouncing-ball:f=-1,q0=0,v0=0", multistep[i], 0.1, 10);
    assert_close(run.sim->q[0], i < 2 ? -0.75 * 0.1 * 0.1 : 0, 1e-14);
    assert_close(run.sim->v[0], 0, 1e-15);
    assert_close(run.sim->p[0], 0.1, 1e-15);
    dls_test_free(&run);
    test_run column = dls_test_run("bead-column:N=8,gap=0,m=0.5", multistep[i], 1e-3, 0.1);
    for (size_t j = 0; j < 8; j++) {
      assert_close(column.sim->p[j], 1e-3 * (double)(8 - j) * 0.5 * 9.81, 1e-13);
    }
    dls_test_free(&column);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas_hold_for_the_smooth_part), cmocka_unit_test(orders_without_impacts),
      cmocka_unit_test(order_with_impacts_is_one),         cmocka_unit_test(a_restart_keeps_the_energy_down),
      cmocka_unit_test(lasting_contact_does_not_drift),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
