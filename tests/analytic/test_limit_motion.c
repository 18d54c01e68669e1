/* test_limit_motion.c -- motions of compliant contacts: rebounds against restitution formulas, closed forms against integration, rest
 * depths, energies, friction with and without lift, refusals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/interrupt.h"
#include "analytic/limit/limit_rows.h"
#include "common/contact/compliance.h"
#include "models.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A scheme whose options are its limit model. */
static dls_status given(const dls_scheme *self, const void *options, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  (void)self;
  (void)contact;
  (void)err;
  *out = *(const dls_limit_model *)options;
  return DLS_OK;
}
static const dls_scheme toy = {.name = "toy", .limit = {.kind = DLS_LIMIT_COMPLIANT, .model = given}};

static dls_limit_model kelvin_voigt(double k, double c, bool pulls)
{
  return (dls_limit_model){.kind = DLS_LIMIT_COMPLIANT, .k = k, .c = c, .pulls = pulls};
}

static dls_limit_model hunt_crossley(double k, double p, double c)
{
  return (dls_limit_model){
      .kind = DLS_LIMIT_COMPLIANT, .law = DLS_COMPLIANCE_HUNT_CROSSLEY, .k = k, .p = p, .c = c};
}

/* solref = (t_c, zeta), solimp = (d0, dwidth, 0.001, 0.5, 2) */
static dls_limit_model mujoco(double tc, double zeta, double d0, double dwidth)
{
  return (dls_limit_model){.kind = DLS_LIMIT_COMPLIANT,
                           .law = DLS_COMPLIANCE_IMPEDANCE,
                           .k = 1 / pow(dwidth * tc * zeta, 2),
                           .c = 2 / (dwidth * tc),
                           .d = {d0, dwidth, 0.001, 0.5, 2},
                           .r_n = 1,
                           .r_t = 1};
}

typedef struct motion {
  dls_system *sys;
  dls_trajectory *traj;
  dls_limit_method method;
} motion;

static motion move_system(dls_system *sys, dls_limit_model limit, double end, double accuracy)
{
  motion m = {.sys = sys};
  dls_error err = {0};
  assert_ok(dls_limit_motion(sys, &toy, &limit, end, accuracy, &m.traj, &m.method, &err), err);
  return m;
}

static motion move(const char *model, dls_limit_model limit, double end, double accuracy)
{
  return move_system(dls_test_system(model), limit, end, accuracy);
}

/* The same, but always integrated. */
static motion integrate(const char *model, dls_limit_model limit, double end, double accuracy)
{
  motion m = {.sys = dls_test_system(model), .method = DLS_LIMIT_INTEGRATION};
  dls_error err = {0};
  dls_limit_job job = {.sys = m.sys, .scheme = &toy, .options = &limit, .end = end, .accuracy = accuracy};
  assert_ok(dls_limit_job_open(&job, &err), err);
  assert_ok(dls_limit_integrate(&job, &err), err);
  m.traj = job.traj;
  job.traj = NULL;
  dls_limit_job_close(&job);
  return m;
}

static void release(motion *m)
{
  dls_trajectory_destroy(m->traj);
  dls_system_destroy(m->sys);
}

static double value(const motion *m, size_t row, const char *column)
{
  return dls_trajectory_at(m->traj, row, (size_t)dls_trajectory_column(m->traj, column));
}

static double last(const motion *m, const char *column)
{
  return value(m, m->traj->rows - 1, column);
}

/* Speed after the impact of a free mass with speed 1. */
static double rebound(const char *model, dls_limit_model limit, double end)
{
  motion m = move(model, limit, end, 1e-9);
  const double v = last(&m, "v0");
  assert_true(last(&m, "g0") > 0);
  release(&m);
  return v;
}
static const char free_ball[] = "bouncing-ball:f=0,q0=0.1,v0=-1";

DLS_TEST(kelvin_voigt_rebounds_with_its_restitution)
{
  static const double zetas[] = {0, 0.05, 0.255275637648652, 0.9, 1, 1.5, 20};
  for (size_t i = 0; i < sizeof zetas / sizeof zetas[0]; i++) {
    const double zeta = zetas[i];
    const double v = rebound(free_ball, kelvin_voigt(1e4, 200 * zeta, false), 2 + zeta);
    assert_close(v, dls_kelvin_voigt_restitution(zeta, false), 1e-14);
    if (zeta < 1) {
      const double pulled = rebound(free_ball, kelvin_voigt(1e4, 200 * zeta, true), 2);
      assert_close(pulled, dls_kelvin_voigt_restitution(zeta, true), 1e-14);
    }
  }
}

/* omega = 1/(t_c zeta) and the damping ratio zeta for constant d, whatever d. */
DLS_TEST(reference_acceleration_rebounds_as_kelvin_voigt)
{
  static const double zetas[] = {0.1, 0.597342252153460, 1, 3};
  for (size_t i = 0; i < sizeof zetas / sizeof zetas[0]; i++) {
    const double v = rebound(free_ball, mujoco(0.02, zetas[i], 0.95, 0.95), 3);
    assert_close(v, dls_kelvin_voigt_restitution(zetas[i], false), 1e-14);
  }
  assert_close(rebound(free_ball, mujoco(0.02, 1, 0.5, 0.5), 3), exp(-2), 1e-14);
}

DLS_TEST(hunt_crossley_rebounds_with_its_restitution)
{
  static const double es[] = {0.02, 0.5, 0.9, 1}, ps[] = {1, 1.5, 2};
  for (size_t i = 0; i < 4; i++) {
    for (size_t j = 0; j < 3; j++) {
      const double x = dls_hunt_crossley_ratio(es[i]);
      assert_close(rebound(free_ball, hunt_crossley(1e4 * pow(100, ps[j] - 1), ps[j], x), 2 + 0.1 / es[i]),
                   es[i], 1e-10);
    }
  }
}

/* Two methods, over several bounces with every kind of change. */
static void agree(const char *model, dls_limit_model limit, double end)
{
  motion exact = move(model, limit, end, 1e-9), integrated = integrate(model, limit, end, 1e-9);
  assert_int_equal(exact.method, DLS_LIMIT_CLOSED_FORM);
  assert_close(last(&integrated, "q0"), last(&exact, "q0"), 2e-12);
  assert_close(last(&integrated, "v0"), last(&exact, "v0"), 3e-11);
  assert_close(last(&integrated, "lambda0"), last(&exact, "lambda0"), 1e-8);
  release(&exact);
  release(&integrated);
}

DLS_TEST(closed_forms_are_those_of_the_integration)
{
  agree("bouncing-ball", kelvin_voigt(1e4, 50, false), 4);
  agree("bouncing-ball", kelvin_voigt(1e4, 50, true), 4);
  agree("bouncing-ball", kelvin_voigt(1e3, 0, false), 5);
  agree("bouncing-ball", mujoco(0.02, 0.3, 0.9, 0.9), 4);
  agree("impacting-oscillator", kelvin_voigt(1e3, 10, false), 10);
  agree("impacting-oscillator:f=-1,c=0.1", mujoco(0.05, 0.5, 0.95, 0.95), 10);
}

/* 2 m/s^2 and 9.81 m/s^2: digits of the fixed point. The load passes through by 1 - d. */
DLS_TEST(rest_depth_of_the_default_contact)
{
  static const char *const models[] = {"bouncing-ball:q0=0,f=-2", "bouncing-ball:q0=0,f=-9.81"};
  static const double depths[] = {8.82880128697006e-5, 3.67181842460e-4};
  for (size_t i = 0; i < 2; i++) {
    motion m = move(models[i], mujoco(0.02, 1, 0.9, 0.95), 1.5, 1e-9);
    assert_int_equal(m.method, DLS_LIMIT_INTEGRATION);
    assert_close(-last(&m, "q0"), depths[i], 1e-11 * depths[i]);
    release(&m);
  }
}

/* The mechanical energy of an undamped contact, and the loss of a damped one: the integral of c u^2, by Simpson's rule, and what the spring
 * stores where the contact is lost. */
DLS_TEST(energy_goes_into_the_dampers_alone)
{
  for (int damped = 0; damped < 2; damped++) {
    const double k = 1e4, c = 20 * damped;
    motion m = move("bouncing-ball", kelvin_voigt(k, c, false), 4, 1e-11);
    double loss = 0, worst = 0;
    for (size_t i = 0; i < m.traj->rows; i++) {
      const double q = value(&m, i, "q0"), v = value(&m, i, "v0");
      if (i > 0 && value(&m, i, "status0") == 1 && value(&m, i - 1, "status0") == 1) {
        const double h = value(&m, i, "t") - value(&m, i - 1, "t"), before = value(&m, i - 1, "v0");
        const double a = (value(&m, i - 1, "a0") - value(&m, i, "a0")) * h / 8, middle = (before + v) / 2 + a;
        loss += c * h * (before * before + 4 * middle * middle + v * v) / 6;
      }
      const bool pressed = value(&m, i, "status0") == 1;
      loss += i > 0 && !pressed && value(&m, i - 1, "status0") == 1 ? k * q * q / 2 : 0;
      const double energy = v * v / 2 + 2 * q + (pressed ? k * q * q / 2 : 0);
      worst = fmax(worst, fabs(energy + loss - 2));
    }
    assert_between(worst, 0, damped ? 1e-9 : 1e-12);
    release(&m);
  }
}

/* A stiff spring and Coulomb's law: the block stops where the rigid one does, within 1/k; it sticks or slides back. */
DLS_TEST(block_on_an_incline_stops_and_sticks)
{
  for (int steep = 0; steep < 2; steep++) {
    const double mu = steep ? 0.3 : 0.7, end = 1;
    char text[40];
    snprintf(text, sizeof text, "incline:mu=%g", mu);
    motion m = move(text, kelvin_voigt(1e6, 2e3, false), end, 1e-9);
    assert_close(last(&m, "q0"), dls_test_exact_value(text, end, "q0"), 2e-5);
    assert_close(last(&m, "status0"), steep ? 2 : 1, 0);
    assert_close(last(&m, "v0"), steep ? dls_test_exact_value(text, end, "v0") : 0, steep ? 1e-4 : 1e-15);
    assert_close(last(&m, "q1"), -9.81 * cos(pi / 6) / 1e6, 1e-12);
    release(&m);
  }
}

/* Creep of a block that should stick: u/sqrt(u^2 + eps^2) = tan(alpha)/mu. */
DLS_TEST(regularised_friction_creeps)
{
  const double xi = tan(pi / 6) / 0.7, eps = 1e-3;
  dls_limit_model limit = kelvin_voigt(1e5, 1e3, false);
  limit.friction = DLS_LIMIT_REGULARISED;
  limit.eps = eps;
  motion m = move("incline:mu=0.7,v0=0", limit, 0.5, 1e-8);
  assert_close(last(&m, "v0"), -eps * xi / sqrt(1 - xi * xi), 1e-12);
  release(&m);
  limit.friction = DLS_LIMIT_TANH;
  m = move("incline:mu=0.7,v0=0", limit, 0.5, 1e-8);
  assert_close(last(&m, "v0"), -eps * atanh(xi), 1e-12);
  release(&m);
}

/* u- = (2, -1), mu = 0.3, without gravity: velocities behind the impact. */
static void hit(dls_limit_model limit, double u_t, double tol_t, double u_n, double tol_n)
{
  dls_system *sys = dls_test_system("incline:alpha=0,mu=0.3,g=1e-300");
  sys->q0[1] = 0.01;
  sys->v0[1] = -1;
  motion m = move_system(sys, limit, 0.5, 1e-8);
  assert_true(last(&m, "g0") > 0);
  assert_close(last(&m, "v0"), u_t, tol_t);
  assert_close(last(&m, "v1"), u_n, tol_n);
  release(&m);
}

/* Coulomb's friction takes mu (1 + e). The default reference acceleration: (1.57683924668137, 0.410535844395429) at h = 1e-3. Strong damping
 * with lift: s = u_N - mu u_T falls to 0 as exp(-x), x = (1 + mu^2) c t, until the gap opens at (r - 1) x = r (1 - exp(-x)),
 * r = 1.6/1.09; without that end the convex law would give (1.559633, 0.467890). */
DLS_TEST(frictional_impact)
{
  const double e = dls_hunt_crossley_restitution(50);
  hit(hunt_crossley(1e6, 1, 50), 2 - 0.3 * (1 + e), 1e-10, e, 1e-10);
  hit(mujoco(0.02, 1, 0.9, 0.95), 1.5768, 2e-3, 0.4105, 4e-3);
  dls_limit_model convex = kelvin_voigt(1e6, 1e5, false);
  convex.lifts = true;
  double x = 3;
  const double r = 1.6 / 1.09;
  for (int i = 0; i < 100; i++) {
    x = r * (1 - exp(-x)) / (r - 1);
  }
  const double impulse = r * (1 - exp(-x));
  hit(convex, 2 - 0.3 * impulse, 1e-4, impulse - 1, 3e-4);
}

/* Sticking with impedance creeps with g_a sin(alpha) (1 - d)/(d impratio c). */
DLS_TEST(impedance_creeps_on_an_incline)
{
  static const double impratio[] = {1, 10, 100}, creep[] = {4.56e-3, 0.456e-3, 0.0456e-3};
  for (size_t i = 0; i < 3; i++) {
    dls_limit_model limit = mujoco(0.02, 1, 0.9, 0.95);
    limit.r_t = 1 / impratio[i];
    motion m = move("incline:mu=0.7,v0=0", limit, 0.8, 1e-8);
    const double d = dls_impedance_at(&limit.d, last(&m, "g0"));
    assert_close(-last(&m, "v0"), 9.81 / 2 * (1 - d) / (d * impratio[i] * limit.c), 1e-9);
    assert_close(-last(&m, "v0") / creep[i], 1, 2e-3);
    release(&m);
  }
}

DLS_TEST(what_has_no_known_limit_is_refused)
{
  dls_error err = {0};
  dls_limit_method method;
  dls_trajectory *traj = NULL;
  dls_limit_model limit = kelvin_voigt(1e4, 0, false);
  dls_system *sys = dls_test_system("incline");
  limit.friction = DLS_LIMIT_FRICTION_UNKNOWN;
  assert_int_equal(dls_limit_motion(sys, &toy, &limit, 1, 1e-6, &traj, &method, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "friction"));
  limit.friction = DLS_LIMIT_COULOMB;
  limit.kind = DLS_LIMIT_NONE;
  assert_int_equal(dls_limit_motion(sys, &toy, &limit, 1, 1e-6, &traj, &method, &err), DLS_ERR_NOT_APPLICABLE);
  dls_system_destroy(sys);
  sys = dls_test_system("four-bar");
  assert_int_equal(dls_limit_motion(sys, &toy, &limit, 1, 1e-6, &traj, &method, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "joint"));
  dls_system_destroy(sys);
  assert_null(traj);
}

/* At g = 0 slip lifts with a force above the load: the motion slides along the surface as Coulomb's law does, until its force is the load
 * at the slip u*. Then it presses. */
DLS_TEST(slip_that_lifts_stays_on_the_surface)
{
  static const double mu = 0.3, b = 2 / (0.95 * 0.02), R = 1 / 9.;
  const double along = 9.81 * sin(pi / 6), across = 9.81 * cos(pi / 6), up = along + mu * across;
  dls_limit_model convex = kelvin_voigt(1e6, 1e5, false);
  convex.lifts = true;
  const dls_limit_model limits[] = {mujoco(0.02, 1, 0.9, 0.95), convex};
  /* (2) at g = u_N = 0: across + mu (b u* - up_T) = across (1 + R + mu^2 (1 + R)), up_T = along */
  const double ends[] = {(across * (R + mu * mu * (1 + R)) + mu * along) / (mu * b), across / (mu * 1e5)};
  for (size_t i = 0; i < 2; i++) {
    motion m = move("incline:mu=0.3,v0=2", limits[i], 1, 1e-10);
    const size_t q = (size_t)dls_trajectory_column(m.traj, "q0");
    double slip = 2;
    for (size_t k = 0; k < m.traj->rows && dls_trajectory_at(m.traj, k, q + 1) == 0; k++) {
      const double t = dls_trajectory_at(m.traj, k, 0);
      slip = dls_trajectory_at(m.traj, k, q + 2);
      assert_close(dls_trajectory_at(m.traj, k, q), 2 * t - 0.5 * up * t * t, 1e-12);
      assert_close(slip, 2 - up * t, 1e-12);
      assert_close(dls_trajectory_at(m.traj, k, q + 3), 0, 0);
      assert_close(value(&m, k, "lambda0"), across, 1e-12);
    }
    assert_close(slip, ends[i], 1e-9);
    release(&m);
  }
}

/* From rest depth a fast block is thrown off and hops. Its hops shrink, and those that the surface replaces have its impulse: the
 * motion hardly depends on where they are cut off. */
DLS_TEST(hops_end_on_the_surface)
{
  const dls_limit_model limit = mujoco(0.02, 1, 0.9, 0.95);
  double x[3], highest[3];
  for (size_t i = 0; i < 3; i++) {
    dls_system *sys = dls_test_system("incline:mu=0.3,v0=2");
    sys->q0[1] = -3.295223992594683e-4;
    motion m = move_system(sys, limit, 0.25, 1e-9 * pow(0.1, (double)i));
    const size_t q = (size_t)dls_trajectory_column(m.traj, "q0");
    highest[i] = 0;
    for (size_t k = 0; k < m.traj->rows; k++) {
      highest[i] = fmax(highest[i], dls_trajectory_at(m.traj, k, q + 1));
    }
    x[i] = dls_trajectory_at(m.traj, m.traj->rows - 1, q);
    release(&m);
  }
  assert_between(highest[2], 1e-4, 1e-2);
  assert_close(highest[0], highest[2], 2e-5); /* at rows */
  assert_close(x[0], x[2], 2e-6);
  assert_close(x[1], x[2], 2e-7);
}

static bool never(void *data)
{
  ++*(int *)data;
  return false;
}

static void interrupt(const char *model, dls_limit_model limit)
{
  int polls = 0;
  dls_error err = {0};
  dls_limit_method method;
  dls_trajectory *traj = NULL;
  dls_system *sys = dls_test_system(model);
  const dls_interrupt before = dls_interrupt_set((dls_interrupt){never, &polls, 0, false});
  const dls_status status = dls_limit_motion(sys, &toy, &limit, 4, 1e-12, &traj, &method, &err);
  dls_interrupt_set(before);
  assert_int_equal(status, DLS_ERR_INTERRUPTED);
  assert_int_equal(polls, 1);
  assert_null(traj);
  dls_system_destroy(sys);
}

DLS_TEST(an_interrupt_reaches_both_ways)
{
  dls_limit_model limit = hunt_crossley(1e6, 1, 50);
  limit.friction = DLS_LIMIT_REGULARISED;
  limit.eps = 1e-4;
  interrupt("incline:mu=0.7", limit);
  interrupt("bouncing-ball", kelvin_voigt(1e6, 0, false));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kelvin_voigt_rebounds_with_its_restitution),
      cmocka_unit_test(reference_acceleration_rebounds_as_kelvin_voigt),
      cmocka_unit_test(hunt_crossley_rebounds_with_its_restitution),
      cmocka_unit_test(closed_forms_are_those_of_the_integration),
      cmocka_unit_test(rest_depth_of_the_default_contact),
      cmocka_unit_test(energy_goes_into_the_dampers_alone),
      cmocka_unit_test(block_on_an_incline_stops_and_sticks),
      cmocka_unit_test(regularised_friction_creeps),
      cmocka_unit_test(frictional_impact),
      cmocka_unit_test(impedance_creeps_on_an_incline),
      cmocka_unit_test(what_has_no_known_limit_is_refused),
      cmocka_unit_test(slip_that_lifts_stays_on_the_surface),
      cmocka_unit_test(hops_end_on_the_surface),
      cmocka_unit_test(an_interrupt_reaches_both_ways),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
