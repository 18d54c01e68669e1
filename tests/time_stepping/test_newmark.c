/* test_newmark.c -- nonsmooth Newmark, HHT, generalized-alpha and Krenk-Hogsberg: a scalar loop of its own, the
 * discrete equations, orders.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "newmark_systems.h"
#include <string.h>

/* One active step from speed -V at gap 0.4 h V (no force): v' = e V, q' = q - h V + (h/2) (1 + e) V. */
DLS_TEST(active_step_has_closed_form)
{
  static const char *const schemes[] = {"nonsmooth-newmark:gamma=0.9,beta=0.49", "nonsmooth-hht:alpha=0.3",
                                        "nonsmooth-generalized-alpha:rho_inf=0",
                                        "nonsmooth-kh-generalized-alpha:rho_inf=0.5"};
  for (size_t i = 0; i < FAMILY; i++) {
    test_run run = dls_test_run("bouncing-ball:f=0,e=0.8,q0=0.04,v0=-1", schemes[i], 0.1, 0.1);
    assert_close(run.sim->v[0], 0.8, 1e-15);
    assert_close(run.sim->q[0], 0.04 - 0.1 + 0.05 * 1.8, 1e-15);
    assert_close(run.sim->p[0], 1.8, 1e-15);
    assert_int_equal(run.traj->rows, 3); /* start, left limit, right limit */
    assert_close(dls_test_value(&run, 1, "v0"), -1, 1e-15);
    dls_test_free(&run);
  }
}

/* The scheme for one degree of freedom, written out. State q, v, a; coefficients; one step to t + h. */
typedef struct scalar_state {
  double q, v, a;
} scalar_state;

static void scalar_step(const scalar_data *d, const double *c, bool kh, double t, double h, scalar_state *s)
{
  const double am = c[0], af = c[1], beta = c[2], gamma = c[3], ac = kh ? am : af;
  const double F0 = d->f * cos(d->omega * t), F1 = d->f * cos(d->omega * (t + h));
  const double vp = s->v + h * (1 - gamma) * s->a;
  const double qp = s->q + h * s->v + h * h * (0.5 - beta) * s->a;
  const double A = (1 - am) * d->m + (1 - ac) * h * gamma * d->c + (1 - af) * h * h * beta * d->k;
  const double rhs = (1 - ac) * (F1 - d->c * vp) + ac * (F0 - d->c * s->v) - (1 - af) * d->k * qp -
                     af * d->k * s->q - am * d->m * s->a;
  const double B = -(1 - ac) * d->c - (1 - af) * h / 2 * d->k;
  double w = 0;
  if (s->q - d->stop + h * s->v <= 0 && s->v <= 1e-9) {
    w = fmax(0, -(vp + h * gamma * rhs / A + d->e * s->v) / (1 + h * gamma * B / A));
  }
  const double a = (rhs + B * w) / A;
  s->q = qp + h * h * beta * a + h / 2 * w;
  s->v = vp + h * gamma * a + w;
  s->a = a;
}

/* 2000 steps with damping, a time-dependent load and impacts. */
DLS_TEST(scalar_loop_agrees)
{
  static const struct {
    const char *scheme;
    double c[4];
    bool kh;
  } cases[] = {
      {"nonsmooth-newmark:gamma=0.7,beta=0.4", {0, 0, 0.4, 0.7}, false},
      {"nonsmooth-hht:alpha=0.2", {0, 0.2, 0.36, 0.7}, false},
      {"nonsmooth-generalized-alpha:rho_inf=0.5", {0, 1. / 3, 4. / 9, 5. / 6}, false},
      {"nonsmooth-kh-generalized-alpha:rho_inf=0.5", {0, 1. / 3, 4. / 9, 5. / 6}, true},
      {"nonsmooth-kh-generalized-alpha:parameters=free,alpha_m=-0.2,alpha_f=0.1,beta=0.5,gamma=0.85",
       {-0.2, 0.1, 0.5, 0.85},
       true},
  };
  scalar_data d = {.m = 2, .c = 0.3, .k = 9, .f = 4, .omega = 3, .stop = -0.2, .e = 0.6, .q0 = 1, .v0 = -0.5};
  const double h = 0.02;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_error err = {0};
    dls_system *sys = scalar_system(&d);
    dls_sim *sim = sim_of(sys, cases[i].scheme);
    scalar_state s = {d.q0, d.v0, (d.f - d.c * d.v0 - d.k * d.q0) / d.m};
    assert_ok(dls_sim_start(sim, &err), err);
    for (size_t k = 0; k < 2000; k++) {
      assert_ok(dls_sim_advance(sim, h, &err), err);
      scalar_step(&d, cases[i].c, cases[i].kh, (double)k * h, h, &s);
      assert_close(sim->q[0], s.q, 1e-11);
      assert_close(sim->v[0], s.v, 1e-11);
    }
    assert_between((double)sim->work.impacts, 10, 500);
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
}

/* F(t) - K q - C v of the chain */
static void chain_force(const dls_system *sys, double t, const double *q, const double *v, double weight,
                        double *F)
{
  double once[CHAIN];
  dls_system_force(sys, t, q, v, once);
  for (size_t i = 0; i < CHAIN; i++) {
    F[i] += weight * once[i];
  }
}

/* What a step of nonsmooth-newmark leaves of
 *   M (v' - v) = h F_gamma + H P,   M (q' - q - h v) = (h/2) (h F_2beta + H P),   F_x = (1 - x) F + x F'
 * and of the impact law. */
static void check_newmark_step(const dls_sim *sim, double gamma, double beta, double h, const double *q,
                               const double *v)
{
  const dls_system *sys = sim->sys;
  const double t = sim->t - h;
  double momentum[CHAIN] = {0}, position[CHAIN] = {0}, dv[CHAIN], dq[CHAIN];
  for (size_t i = 0; i < CHAIN; i++) {
    dv[i] = sim->v[i] - v[i];
    dq[i] = sim->q[i] - q[i] - h * v[i];
  }
  chain_force(sys, t, q, v, h * (1 - gamma), momentum);
  chain_force(sys, sim->t, sim->q, sim->v, h * gamma, momentum);
  chain_force(sys, t, q, v, h * h / 2 * (1 - 2 * beta), position);
  chain_force(sys, sim->t, sim->q, sim->v, h * h / 2 * 2 * beta, position);
  for (size_t j = 0; j < CHAIN_CONTACTS; j++) {
    const double u = dls_matrix_column_dot(sys->H, j, v);
    const double U = sim->u[j] + sys->e[j] * u;
    dls_matrix_column_add(sys->H, j, sim->p[j], momentum);
    dls_matrix_column_add(sys->H, j, h / 2 * sim->p[j], position);
    assert_true(sim->p[j] >= 0);
    assert_close(sim->p[j] * U, 0, 1e-13);
    assert_true(sim->p[j] == 0 || U < 1e-12);
  }
  dls_matrix_multiply(sys->M, -1, dv, momentum);
  dls_matrix_multiply(sys->M, -1, dq, position);
  for (size_t i = 0; i < CHAIN; i++) {
    assert_close(momentum[i], 0, 1e-12);
    assert_close(position[i], 0, 1e-12);
  }
}

DLS_TEST(newmark_step_satisfies_its_equations)
{
  static const struct {
    const char *scheme;
    double gamma, beta;
  } cases[] = {{"nonsmooth-newmark", 0.5, 0.25},
               {"nonsmooth-newmark:gamma=0.9,beta=0.49", 0.9, 0.49},
               {"nonsmooth-newmark:gamma=0.5,beta=0,stability=ignore", 0.5, 0}};
  const double h = 0.01;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_error err = {0};
    dls_system *sys = chain_system(DLS_DIAGONAL, DLS_BAND);
    dls_sim *sim = sim_of(sys, cases[i].scheme);
    assert_ok(dls_sim_start(sim, &err), err);
    for (size_t k = 0; k < 500; k++) {
      double q[CHAIN], v[CHAIN];
      memcpy(q, sim->q, sizeof q);
      memcpy(v, sim->v, sizeof v);
      assert_ok(dls_sim_advance(sim, h, &err), err);
      check_newmark_step(sim, cases[i].gamma, cases[i].beta, h, q, v);
    }
    assert_between((double)sim->work.impacts, 5, 200);
    assert_int_equal(sim->work.factorizations, 1);
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
}

/* On [0, 1.5] the oscillator is free of impacts; Krenk-Hogsberg loses an order by damping. */
DLS_TEST(order_without_impacts)
{
  static const struct {
    const char *model, *scheme;
    double order;
  } cases[] = {{"impacting-oscillator:c=0.3", "nonsmooth-newmark", 2},
               {"impacting-oscillator:c=0.3", "nonsmooth-newmark:gamma=0.6,beta=0.3025", 1},
               {"impacting-oscillator:c=0.3", "nonsmooth-hht:alpha=0.3", 2},
               {"impacting-oscillator:c=0.3", "nonsmooth-generalized-alpha:rho_inf=0.5", 2},
               {"impacting-oscillator:c=0.3", "nonsmooth-kh-generalized-alpha:rho_inf=0.5", 1},
               {"impacting-oscillator", "nonsmooth-kh-generalized-alpha:rho_inf=0.5", 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (int of = 0; of < 2; of++) {
      const dls_fit fit = dls_test_order((test_study){cases[i].model, cases[i].scheme, "grid-max",
                                                      of == 0 ? "q" : "v", 1.5, 5e-2, 1e-3, 7, 2});
      assert_between(fit.order, cases[i].order - 0.06, cases[i].order + 0.06);
      assert_between(fit.constant, 1e-3, 1);
    }
  }
}

/* L1 of q and of v, through the accumulation of the ball and on the oscillator. */
DLS_TEST(order_with_impacts_is_one)
{
  for (size_t i = 0; i < FAMILY; i++) {
    dls_test_order_one_with_impacts(family[i], 0.13);
  }
}

/* Set B of Chen et al. 2013, section 5.2, up to the fourth impact: later ones depend chaotically on everything. Two
 * impacts 0.02 s after two others, so the errors scatter. */
DLS_TEST(order_on_the_two_ball_oscillator_is_one)
{
  static const char model[] = "two-ball-oscillator:R=0.2,k=1e4,l=1,g=10,e=0.8,q1=1.001,q2=2.001";
  for (size_t i = 0; i < 3; i++) {
    const dls_fit fit = dls_test_order((test_study){model, family[i], "l1", "q", 1.3, 2e-4, 8e-6, 6, 6});
    assert_between(fit.order, 0.8, 1.25);
    assert_between(fit.constant, 0.3, 100);
  }
}

/* Nonlinear force and gap; reference: event-driven. The first impact is after 0.4 s. */
DLS_TEST(nonlinear_pendulum_has_the_same_orders)
{
  for (size_t i = 0; i < 3; i++) {
    const dls_fit smooth =
        dls_test_order((test_study){"bouncing-pendulum", family[i], "grid-max", "q", 0.4, 2e-2, 1e-3, 6, 2});
    assert_between(smooth.order, 1.9, 2.1);
    const dls_fit impacts =
        dls_test_order((test_study){"bouncing-pendulum", family[i], "l1", "q", 1.5, 1e-2, 2e-4, 6, 8});
    assert_between(impacts.order, 0.85, 1.15);
    assert_between(impacts.constant, 1e-2, 10);
  }
}

/* Force and gap nonlinear: w = v' - v - h [(1 - gamma) a + gamma a'] with a' from (1 - am) a' + am a = (1 - af) F'/m +
 * af F/m is M^-1 H P, it moves q' by (h/2) w, and three iterations a step suffice. */
DLS_TEST(nonlinear_step_satisfies_its_equations)
{
  static const struct {
    const char *scheme;
    double am, af, beta, gamma;
  } cases[] = {{"nonsmooth-newmark:gamma=0.7,beta=0.4", 0, 0, 0.4, 0.7},
               {"nonsmooth-hht:alpha=0.2", 0, 0.2, 0.36, 0.7},
               {"nonsmooth-generalized-alpha:rho_inf=0.2", -0.5, 1. / 6, 0.694444444444444444, 7. / 6}};
  scalar_data d = {.m = 2, .c = 0.8, .k = 9, .f = 4, .omega = 3, .stop = -0.2, .e = 0.6, .q0 = 1, .v0 = -0.5};
  const double h = 0.05;
  for (size_t i = 0; i < 3; i++) {
    dls_error err = {0};
    dls_system *sys = bent_system(&d);
    dls_sim *sim = sim_of(sys, cases[i].scheme);
    double F = 0, next = 0;
    assert_ok(dls_sim_start(sim, &err), err);
    bent_force(sys, 0, sim->q, sim->v, &F);
    double a = F / d.m;
    for (size_t k = 0; k < 1000; k++) {
      const double q = sim->q[0], v = sim->v[0];
      assert_ok(dls_sim_advance(sim, h, &err), err);
      bent_force(sys, sim->t, sim->q, sim->v, &next);
      const double a1 =
          ((1 - cases[i].af) * next / d.m + cases[i].af * F / d.m - cases[i].am * a) / (1 - cases[i].am);
      const double w = sim->v[0] - v - h * ((1 - cases[i].gamma) * a + cases[i].gamma * a1);
      const double H = 1 + (q + h / 2 * v - d.stop) / 2; /* at the forecast position */
      assert_close(w, H * sim->p[0] / d.m, 1e-10);
      assert_close(sim->q[0], q + h * v + h * h * ((0.5 - cases[i].beta) * a + cases[i].beta * a1) + h / 2 * w,
                   1e-10);
      assert_close(sim->p[0] * (sim->v[0] + d.e * v), 0, 1e-9);
      F = next;
      a = a1;
    }
    assert_between((double)sim->work.impacts, 20, 500);
    assert_between((double)sim->work.newton_iterations, 2000, 3300);
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
}

DLS_TEST(krenk_hogsberg_refuses_nonlinear_systems)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-pendulum", "nonsmooth-kh-generalized-alpha");
  assert_int_equal(dls_sim_start(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "linear systems only"));
  dls_test_free(&run);
}

DLS_TEST(newton_failure_names_time_and_keeps_the_state)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-pendulum", "nonsmooth-newmark:newton_max=1");
  assert_int_equal(dls_run(run.sim, &(dls_run_spec){.step = 0.1, .end = 1}, &err), DLS_ERR_NOCONV);
  assert_non_null(strstr(err.text, "nonsmooth-newmark at t = 0: Newton's method left a velocity increment of"));
  assert_close(run.sim->q[0], 0, 0);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(active_step_has_closed_form),
      cmocka_unit_test(scalar_loop_agrees),
      cmocka_unit_test(newmark_step_satisfies_its_equations),
      cmocka_unit_test(order_without_impacts),
      cmocka_unit_test(order_with_impacts_is_one),
      cmocka_unit_test(order_on_the_two_ball_oscillator_is_one),
      cmocka_unit_test(nonlinear_pendulum_has_the_same_orders),
      cmocka_unit_test(nonlinear_step_satisfies_its_equations),
      cmocka_unit_test(krenk_hogsberg_refuses_nonlinear_systems),
      cmocka_unit_test(newton_failure_names_time_and_keeps_the_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
