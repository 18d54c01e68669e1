/* test_naive_rk4.c -- the error of a flip that comes late in closed form, orders, what it does to elastic and to
 * resting bodies.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>
#include <stdio.h>

static const char *const schemes[] = {"naive-rk4", "naive-rk4:project=on"};

/* RK4 is exact on parabolas, so what remains behind the first impact, at t = 1 with V = a = 2, is the flip's error:
 * (1 + e) delta (a s - V), with the position put back V delta + a delta^2 / 2 more; delta from impact to flip. */
DLS_TEST(first_flip_has_its_error_in_closed_form)
{
  static const double es[] = {0.3, 0.5, 1};
  static const double steps[] = {0.03, 0.0123, 0.00777, 1.1e-3, 0.3001};
  for (size_t i = 0; i < 3; i++) {
    for (size_t k = 0; k < 5; k++) {
      for (int project = 0; project < 2; project++) {
        char model[80];
        const double e = es[i];
        const double delta = ceil(1 / steps[k]) * steps[k] - 1;
        snprintf(model, sizeof model, "bouncing-ball:e=%g", e);
        test_run run = dls_test_run(model, schemes[project], steps[k], 1.55);
        const double r = run.sim->t - 1;
        const double s = r - delta;
        const double back = project * (2 * delta + delta * delta);
        assert_int_equal(run.sim->work.impacts, 1);
        assert_close(run.sim->q[0] - (2 * e * r - r * r), (1 + e) * delta * (2 * s - 2) + back, 1e-12);
        assert_close(run.sim->v[0] - (2 * e - 2 * r), (1 + e) * delta * 2, 1e-12);
        assert_close(run.sim->worst_gap, project ? 0 : -(2 * delta + delta * delta), 1e-12);
        dls_test_free(&run);
      }
    }
  }
}

DLS_TEST(between_impacts_the_order_is_four)
{
  const dls_fit fit =
      dls_test_order((test_study){"impacting-oscillator", "naive-rk4", "grid-max", "q", 1.5, 0.15, 1e-2, 6, 2});
  assert_between(fit.order, 3.8, 4.2);
  assert_between(fit.constant, 1e-4, 1e-1);
}

DLS_TEST(with_impacts_the_order_is_one)
{
  for (size_t i = 0; i < 2; i++) {
    dls_test_order_one_with_impacts(schemes[i], 0.15);
    const dls_fit grid =
        dls_test_order((test_study){"bouncing-ball", schemes[i], "grid-max", "v", 4, 2e-2, 2e-4, 8, 8});
    assert_between(grid.order, -0.2, 0.2); /* a node between impact and flip sees the whole jump */
  }
}

/* Only the flip errs on a parabola: any method of order 2 and more gives the same. */
DLS_TEST(on_a_parabola_the_method_does_not_matter)
{
  test_run four = dls_test_run("bouncing-ball", "naive-rk4", 0.0123, 2.4);
  test_run five = dls_test_run("bouncing-ball", "splitting-rkf45:contact_forces=off", 0.0123, 2.4);
  assert_int_equal(four.sim->work.impacts, 2);
  assert_close(four.sim->q[0], five.sim->q[0], 1e-12);
  assert_close(four.sim->v[0], five.sim->v[0], 1e-12);
  dls_test_free(&four);
  dls_test_free(&five);
}

/* e = 1: the flight behind a flip mirrors the one before, so each impact delays the motion by 2 delta.
 * q = |cos(t - 2 sum of delta)|, with sin delta the depth at the flip. */
DLS_TEST(elastic_impacts_delay_the_motion)
{
  test_run run = dls_test_run("impacting-oscillator:e=1,q0=1", "naive-rk4", 0.0123, 50);
  double delay = 0;
  for (size_t k = 0; k < run.traj->rows; k++) {
    delay += dls_test_value(&run, k, "p0") > 0 ? 2 * asin(-dls_test_value(&run, k, "q0")) : 0;
  }
  assert_int_equal(run.sim->work.impacts, 16);
  assert_between(delay, 0.5 * 16 * 0.0123, 1.5 * 16 * 0.0123);
  assert_close(run.sim->q[0], fabs(cos(run.sim->t - delay)), 1e-7);
  dls_test_free(&run);
}

/* Put back on the surface with the speed that it had below it, the ball gains a delta; delta is d, h - d, d, .. */
DLS_TEST(elastic_ball_that_is_put_back_bounces_ever_higher)
{
  const double h = 0.0123;
  test_run run = dls_test_run("bouncing-ball:e=1,v0=0.3", schemes[1], h, 100);
  const dls_trajectory *traj = run.traj;
  assert_in_range(traj->event_count, 30, 60);
  for (size_t k = 2; k < traj->event_count; k += 2) {
    assert_close(traj->events[k].u_plus, traj->events[0].u_plus + (double)k * h, 1e-10); /* a h / 2 an impact */
  }
  assert_between(run.sim->worst_gap, -1e-12, 0);
  dls_test_free(&run);
  test_run left = dls_test_run("bouncing-ball:e=1,v0=0.3", schemes[0], h, 100);
  assert_close(0.5 * left.sim->v[0] * left.sim->v[0] + 2 * left.sim->q[0], 2 + 0.045, 1e-10);
  dls_test_free(&left);
}

/* At rest u1 = -a h / (1 + e) is sent back with e a h / (1 + e): the mean is downwards unless e = 1. No end to it. */
DLS_TEST(a_body_at_rest_sinks_without_end)
{
  static const double es[] = {0, 0.3, 0.5, 0.9};
  for (size_t i = 0; i < 4; i++) {
    char model[80];
    const double e = es[i];
    const double h = 1e-2;
    const double speed = (1 - e) / (2 * (1 + e)) * 9.81 * h;
    snprintf(model, sizeof model, "bouncing-ball:f=-9.81,q0=0,e=%g", e);
    test_run early = dls_test_run(model, "naive-rk4", h, 10);
    test_run late = dls_test_run(model, "naive-rk4", h, 110);
    assert_close((early.sim->q[0] - late.sim->q[0]) / (100 * speed), 1, 1e-6);
    assert_close(late.sim->v[0], e / (1 + e) * 9.81 * h, 1e-9);
    assert_close(late.sim->worst_gap, late.sim->q[0], 0);
    assert_close(late.sim->worst_time, late.sim->t, 0);
    dls_test_free(&early);
    dls_test_free(&late);
  }
}

/* A cycle of k steps leaves with k a h e / (1 + e), k <= (1 + e) / (1 - e): bounces of order h for ever. */
DLS_TEST(a_body_that_is_put_back_never_comes_to_rest)
{
  const double h = 0.0123;
  test_run run = dls_test_run("bouncing-ball", schemes[1], h, 40);
  const double unit = 2 * h / 3;
  const double cycle =
      dls_test_value(&run, run.traj->rows - 1, "t") - run.traj->events[run.traj->event_count - 1].t;
  const double speed = run.traj->events[run.traj->event_count - 1].u_plus / unit;
  assert_close(speed, round(speed), 1e-9);
  assert_between(speed, 1, 3);
  assert_between(cycle, 0, 3 * h);
  assert_between(run.sim->worst_gap, -1e-15, 0);
  dls_test_free(&run);
}

/* Impact law at every flip, several contacts at once: 0 <= U' + e U1 _|_ P >= 0. */
DLS_TEST(flips_of_many_contacts_obey_the_impact_law)
{
  test_run run = dls_test_run("bead-column:N=5,gap=0,e=0.5", "naive-rk4", 1e-2, 1);
  size_t together = 0;
  for (size_t k = 0; k < run.traj->event_count; k++) {
    const dls_event *event = &run.traj->events[k];
    const double law = event->u_plus + 0.5 * event->u_minus;
    assert_true(event->u_minus < 0 && event->impulse > 0);
    assert_close(law, 0, 1e-12);
    together += k > 0 && event->t == run.traj->events[k - 1].t;
  }
  assert_true(together > 10);
  size_t impulses = 0; /* none at contacts that separate at the moment, however deep */
  for (size_t k = 0; k < run.traj->rows; k++) {
    for (size_t j = 0; j < 5; j++) {
      const char *const names[] = {"p0", "p1", "p2", "p3", "p4"};
      impulses += dls_test_value(&run, k, names[j]) > 0;
    }
  }
  assert_int_equal(impulses, run.traj->event_count);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_flip_has_its_error_in_closed_form),
      cmocka_unit_test(between_impacts_the_order_is_four),
      cmocka_unit_test(with_impacts_the_order_is_one),
      cmocka_unit_test(on_a_parabola_the_method_does_not_matter),
      cmocka_unit_test(elastic_impacts_delay_the_motion),
      cmocka_unit_test(elastic_ball_that_is_put_back_bounces_ever_higher),
      cmocka_unit_test(a_body_at_rest_sinks_without_end),
      cmocka_unit_test(a_body_that_is_put_back_never_comes_to_rest),
      cmocka_unit_test(flips_of_many_contacts_obey_the_impact_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
