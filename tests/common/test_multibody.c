/* test_multibody.c -- mechanisms in natural coordinates: gradients and curvatures against differences, and the identities of
 * power, energy and momentum of rigid bodies, which hold to rounding.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "joint_check.h"
#include "two_mechanisms.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const dls_model dls_model_slider_crank;
extern const dls_model dls_model_slider_crank_clearance;

enum { MOST = 64 }; /* coordinates, equations, rows of contacts */

/* --- a system looked at from outside --- */

/* H^T v or T^T v */
static void rates_of(const dls_system *sys, double t, const double *q, const double *v, bool slips, double *u)
{
  dls_matrix *A = dls_matrix_clone(slips ? sys->T : sys->H);
  memset(u, 0, dls_matrix_columns(A) * sizeof *u);
  if (slips) {
    dls_system_tangents(sys, t, q, A);
  } else {
    dls_system_gradient(sys, q, A);
  }
  dls_matrix_multiply_transposed(A, 1, v, u);
  dls_matrix_destroy(A);
}

/* (t, q) moved along the motion q' = v by s. */
static void moved(const dls_system *sys, const double *q, const double *v, double s, double *out)
{
  for (size_t i = 0; i < sys->n; i++) {
    out[i] = q[i] + s * v[i];
  }
}

static const double dt = 1e-5; /* central differences of smooth functions: error dt^2 and rounding / dt */
static const double accuracy = 2e-8;

static void check_gaps(const dls_system *sys, double t, const double *q, const double *v)
{
  double ahead[MOST], behind[MOST], g1[MOST], g0[MOST], u[MOST];
  moved(sys, q, v, dt, ahead);
  moved(sys, q, v, -dt, behind);
  rates_of(sys, t, q, v, false, u);
  dls_system_gap(sys, t, ahead, g1);
  dls_system_gap(sys, t, behind, g0);
  for (size_t i = 0; i < sys->m; i++) {
    assert_close(u[i], (g1[i] - g0[i]) / (2 * dt), accuracy * (1 + fabs(u[i])));
  }
}

static void check_curvatures(const dls_system *sys, double t, const double *q, const double *v, bool slips)
{
  double ahead[MOST], behind[MOST], u1[MOST], u0[MOST], c[MOST];
  moved(sys, q, v, dt, ahead);
  moved(sys, q, v, -dt, behind);
  rates_of(sys, t + dt, ahead, v, slips, u1);
  rates_of(sys, t - dt, behind, v, slips, u0);
  if (slips) {
    dls_system_slip_curvature(sys, t, q, v, c);
  } else {
    dls_system_curvature(sys, t, q, v, c);
  }
  for (size_t i = 0; i < (slips ? sys->d - 1 : 1) * sys->m; i++) {
    assert_close(c[i], (u1[i] - u0[i]) / (2 * dt), accuracy * (10 + fabs(c[i])));
  }
}

/* Forces against the potential and the dissipation, K and C against differences of the forces. */
static void check_forces(const dls_system *sys, double t, const double *q, const double *v)
{
  double ahead[MOST], behind[MOST], still[MOST] = {0}, F[MOST], F1[MOST], F0[MOST], Kv[MOST] = {0}, power = 0;
  moved(sys, q, v, dt, ahead);
  moved(sys, q, v, -dt, behind);
  dls_system_force(sys, t, q, still, F);
  for (size_t i = 0; i < sys->n; i++) {
    power += F[i] * v[i];
  }
  assert_close(power, -(sys->potential(sys, ahead) - sys->potential(sys, behind)) / (2 * dt),
               accuracy * (10 + fabs(power)));
  if (sys->K == NULL) {
    return;
  }
  dls_matrix *K = dls_matrix_clone(sys->K);
  dls_system_force(sys, t, ahead, v, F1);
  dls_system_force(sys, t, behind, v, F0);
  sys->stiffness(sys, t, q, v, K);
  dls_matrix_multiply(K, 1, v, Kv);
  for (size_t i = 0; i < sys->n; i++) {
    assert_close(-Kv[i], (F1[i] - F0[i]) / (2 * dt), accuracy * (100 + fabs(Kv[i])));
  }
  if (sys->C != NULL) {
    memset(Kv, 0, sizeof Kv);
    moved(sys, v, v, 1, ahead); /* the force is linear in the velocity */
    dls_system_force(sys, t, q, v, F0);
    dls_system_force(sys, t, q, ahead, F1);
    sys->damping(sys, t, q, v, K);
    dls_matrix_multiply(K, 1, v, Kv);
    for (size_t i = 0; i < sys->n; i++) {
      assert_close(-Kv[i], F1[i] - F0[i], 1e-12 * (10 + fabs(Kv[i])));
    }
  }
  dls_matrix_destroy(K);
}

/* A state near the start, off the joints, so that nothing vanishes by them. */
static void check_callbacks(const dls_system *sys)
{
  double q[MOST], v[MOST];
  const double t = 0.3;
  assert_true(sys->n < MOST && sys->r < MOST && sys->d * sys->m < MOST);
  for (size_t i = 0; i < sys->n; i++) {
    q[i] = sys->q0[i] + 0.1 * sin(3 + 7 * (double)i);
    v[i] = sys->v0[i] + cos(2 + 5 * (double)i);
  }
  dls_check_joint_derivatives(sys);
  if (sys->m > 0) {
    check_gaps(sys, t, q, v);
    check_curvatures(sys, t, q, v, false);
  }
  if (sys->d > 1) {
    check_curvatures(sys, t, q, v, true);
  }
  check_forces(sys, t, q, v);
}

/* --- mechanisms --- */

DLS_TEST(joints_of_the_plane)
{
  const dls_joint joints[] = {
      {.name = "pin", .kind = DLS_JOINT_REVOLUTE, .a = {0, {0.3, 0.1}}, .b = {1, {-0.2, 0.5}}},
      {.name = "bearing", .kind = DLS_JOINT_REVOLUTE, .a = {0, {-0.3}}, .b = {DLS_GROUND, {0.1, 0}}},
      {.name = "slide",
       .kind = DLS_JOINT_PRISMATIC,
       .a = {1, {0.1, 0.2}},
       .b = {0, {0.2, 0.1}},
       .axis = {2, 1}},
      {.name = "guide",
       .kind = DLS_JOINT_PRISMATIC,
       .a = {DLS_GROUND, {1, 1}},
       .b = {1, {0.2, 0.1}},
       .axis = {1, 3}},
      {.name = "string", .kind = DLS_JOINT_DISTANCE, .a = {1, {0.2, 0.1}}, .b = {2, {0}}},
      {.name = "motor",
       .kind = DLS_JOINT_DRIVEN,
       .a = {0, {0}},
       .b = {1, {0}},
       .speed = 2,
       .amplitude = 0.3,
       .frequency = 4}};
  const dls_spring springs[] = {
      {.name = "s",
       .a = {1, {0.2, 0.1}},
       .b = {DLS_GROUND, {0.5, 3}},
       .stiffness = 20,
       .length = 0.5,
       .damping = 0.4},
      {.name = "r", .a = {1, {0.2, -0.1}}, .b = {2, {0}}, .stiffness = 5, .length = 0}};
  const dls_touch touches[] = {{.name = "floor",
                                .kind = DLS_TOUCH_PLANE,
                                .a = {0, {0.2, 0.1}},
                                .radius = 0.1,
                                .normal = {0.5, 2},
                                .offset = -1,
                                .friction = 0.2},
                               {.name = "pair",
                                .kind = DLS_TOUCH_PAIR,
                                .a = {0, {0.2, 0.1}},
                                .b = {1, {0.1, 0.2}},
                                .radius = 0.1,
                                .radius_b = 0.2},
                               {.name = "face",
                                .kind = DLS_TOUCH_FACE,
                                .a = {2, {0}},
                                .b = {1, {0.1, 0.2}},
                                .radius = 0.05,
                                .normal = {1, 1}}};
  const dls_mechanism m = {.dim = 2,
                           .body_count = 3,
                           .bodies = planar_bodies,
                           .joint_count = 6,
                           .joints = joints,
                           .spring_count = 2,
                           .springs = springs,
                           .touch_count = 3,
                           .touches = touches,
                           .gravity = {0.5, -9.81}};
  dls_system *sys = NULL;
  make(&m, &sys);
  assert_int_equal(sys->n, 10);
  assert_int_equal(sys->r, 2 + 2 + 2 + 2 + 2 + 1 + 1);
  assert_int_equal(sys->d, 2);
  check_callbacks(sys);
  char name[80];
  dls_joint_name(sys, 0, name, sizeof name);
  assert_string_equal(name, "arm: unit director");
  dls_joint_name(sys, 5, name, sizeof name);
  assert_string_equal(name, "bearing: y");
  dls_coordinate coordinate;
  dls_system_coordinate(sys, 6, &coordinate);
  assert_string_equal(coordinate.name, "d_x of plate");
  dls_system_destroy(sys);
}

DLS_TEST(joints_of_space)
{
  const dls_joint joints[] = {
      {.name = "ball", .kind = DLS_JOINT_SPHERICAL, .a = {0, {0.3, 0.1, 0.2}}, .b = {2, {-0.2}}},
      {.name = "hinge",
       .kind = DLS_JOINT_REVOLUTE,
       .a = {0, {0.1, 0.2, 0.3}},
       .b = {1, {0.3, 0.2, 0.1}},
       .axis = {1, 2, 3}},
      {.name = "pivot",
       .kind = DLS_JOINT_REVOLUTE,
       .a = {DLS_GROUND, {1, 1, 1}},
       .b = {1, {0.3, 0.2, 0.1}},
       .axis = {1, 0, 3}},
      {.name = "tube",
       .kind = DLS_JOINT_CYLINDRICAL,
       .a = {1, {0.1, 0, 0}},
       .b = {0, {0.3, 0, 0.1}},
       .axis = {0, 0, 1}},
      {.name = "slide",
       .kind = DLS_JOINT_PRISMATIC,
       .a = {1, {0.1, 0, 0}},
       .b = {DLS_GROUND, {0.3, 0, 0.1}},
       .axis = {0, 1, 1}},
      {.name = "wire", .kind = DLS_JOINT_DISTANCE, .a = {1, {0.1, 0, 0}}, .b = {2, {0.3}}, .length = 1.5},
      {.name = "motor", .kind = DLS_JOINT_DRIVEN, .a = {0, {0}}, .b = {1, {0}}, .axis = {1, 1, 0}, .speed = 1}};
  const dls_spring spring = {
      .name = "s", .a = {0, {0.1, 0.2, 0.3}}, .b = {2, {0.3}}, .stiffness = 7, .length = 1, .damping = 0.5};
  const dls_touch touches[] = {{.name = "floor",
                                .kind = DLS_TOUCH_PLANE,
                                .a = {0, {0.2, 0.1, 0.3}},
                                .radius = 0.1,
                                .normal = {0.1, 0.3, 1},
                                .offset = -1,
                                .friction = 0.2},
                               {.name = "pair",
                                .kind = DLS_TOUCH_PAIR,
                                .a = {0, {0.2, 0.1, 0}},
                                .b = {1, {0.1, 0.2, 0.4}},
                                .radius = 0.1,
                                .radius_b = 0.2},
                               {.name = "rod",
                                .kind = DLS_TOUCH_FACE,
                                .a = {2, {0.3}},
                                .b = {0, {0.1, 0.2, 0}},
                                .normal = {-0.4, -1, -1}}};
  const dls_mechanism m = {.dim = 3,
                           .body_count = 3,
                           .bodies = spatial_bodies,
                           .joint_count = 7,
                           .joints = joints,
                           .spring_count = 1,
                           .springs = &spring,
                           .touch_count = 3,
                           .touches = touches,
                           .gravity = {0, 0, -9.81}};
  dls_system *sys = NULL;
  make(&m, &sys);
  assert_int_equal(sys->n, 12 + 12 + 6);
  assert_int_equal(sys->r, 6 + 6 + 1 + 3 + 5 + 5 + 4 + 5 + 1 + 1);
  assert_int_equal(sys->d, 3);
  check_callbacks(sys);
  dls_system_destroy(sys);
}

/* Many small bodies: sparse storage says the same as dense. */
DLS_TEST(a_chain_is_sparse)
{
  enum { LINKS = 12 };
  dls_body bodies[LINKS];
  dls_joint joints[LINKS];
  for (size_t i = 0; i < LINKS; i++) {
    bodies[i] = (dls_body){.mass = 1, .inertia = {0.1}, .at = {(double)i + 0.5}};
    snprintf(bodies[i].name, sizeof bodies[i].name, "link %zu", i);
    joints[i] =
        (dls_joint){.name = "pin", .a = {i == 0 ? DLS_GROUND : i - 1, {i == 0 ? 0 : 0.5}}, .b = {i, {-0.5}}};
  }
  const dls_mechanism m = {.dim = 2,
                           .body_count = LINKS,
                           .bodies = bodies,
                           .joint_count = LINKS,
                           .joints = joints,
                           .gravity = {0, -9.81}};
  dls_system *sys = NULL;
  make(&m, &sys);
  assert_int_equal(dls_matrix_storage(sys->G), DLS_SPARSE);
  assert_int_equal(dls_matrix_storage(sys->geometric), DLS_SPARSE);
  assert_int_equal(dls_matrix_storage(sys->M), DLS_DIAGONAL);
  check_callbacks(sys);
  dls_system_destroy(sys);
}

/* --- what is refused --- */

static void assert_refused(const dls_mechanism *m, const char *text)
{
  dls_system *sys = NULL;
  dls_error err = {0};
  assert_int_equal(dls_mechanism_system(m, &sys, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, text);
  assert_null(sys);
}

DLS_TEST(wrong_parts_are_named)
{
  dls_body bodies[2] = {planar_bodies[0], planar_bodies[2]};
  dls_mechanism m = {.dim = 2, .body_count = 2, .bodies = bodies};
  bodies[0].mass = -1;
  assert_refused(&m, "body arm: mass = -1 kg must be > 0");
  bodies[0].mass = 1;
  bodies[0].inertia[0] = 0;
  assert_refused(&m, "body arm: inertia = 0 kg m^2 must be > 0");
  bodies[0] = planar_bodies[0];
  dls_joint joint = {.name = "pin", .a = {0, {0}}, .b = {1, {0.1}}};
  m.joint_count = 1;
  m.joints = &joint;
  assert_refused(&m, "joint pin: its end b = [0.1, 0, 0] is not on point bob");
  joint = (dls_joint){.name = "slide", .kind = DLS_JOINT_PRISMATIC, .a = {0, {0}}, .b = {1, {0}}, .axis = {1}};
  assert_refused(&m, "joint slide: prismatic needs rigid bodies, which have axes, but bob is a point");
  joint.b = joint.a;
  assert_refused(&m, "joint slide: both ends are on arm; allowed: two bodies, or a body and the ground");
  m.joint_count = 0;
  dls_touch touch = {.name = "floor", .a = {0, {0}}, .normal = {0, 1}, .offset = 0.2};
  m.touch_count = 1;
  m.touches = &touch;
  assert_refused(&m, "contact floor: its gap at the start is -0.1 m, must be >= 0");
  touch.restitution = 1.5;
  assert_refused(&m, "contact floor: e = 1.5 must be in [0, 1]");
  m.dim = 3;
  m.body_count = 1;
  m.touch_count = 0;
  bodies[0].inertia[1] = bodies[0].inertia[2] = 0.1;
  assert_refused(
      &m, "body arm: inertia = [0.3, 0.1, 0.1] kg m^2: each must be less than the sum of the two others (a "
          "body that is not flat)");
}

/* --- models --- */

static double kinetic_energy(const dls_system *sys)
{
  double energy = 0;
  for (size_t i = 0; i < sys->n; i++) {
    energy += 0.5 * dls_matrix_get(sys->M, i, i) * sys->v0[i] * sys->v0[i];
  }
  return energy;
}

DLS_TEST(slider_cranks_start_as_published)
{
  static const dls_model *const models[] = {&dls_model_slider_crank, &dls_model_slider_crank_clearance};
  for (int k = 0; k < 2; k++) {
    dls_system *sys = NULL;
    dls_error err = {0};
    double x[MOST] = {0};
    assert_ok(dls_model_create(models[k], NULL, &sys, &err), err);
    assert_int_equal(sys->n, 12);
    assert_int_equal(sys->r, k == 0 ? 11 : 9);
    assert_close(kinetic_energy(sys) + sys->potential(sys, sys->q0), 7.49554875, 1e-12);
    check_callbacks(sys);
    dls_system_gap(sys, 0, sys->q0, x);
    for (size_t j = 0; j < sys->m; j++) {
      assert_close(x[j], 0.001, 1e-15);
    }
    dls_system_destroy(sys);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_of_the_plane),
      cmocka_unit_test(joints_of_space),
      cmocka_unit_test(a_chain_is_sparse),
      cmocka_unit_test(wrong_parts_are_named),
      cmocka_unit_test(slider_cranks_start_as_published),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
