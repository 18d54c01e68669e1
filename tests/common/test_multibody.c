/* test_multibody.c -- mechanisms in natural coordinates: gradients and curvatures against differences, and the identities of
 * power, energy and momentum of rigid bodies, which hold to rounding.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/models/multibody/mechanism.h"
#include "joint_check.h"
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

static void make(const dls_mechanism *m, dls_system **sys)
{
  dls_error err = {0};
  assert_ok(dls_mechanism_system(m, sys, &err), err);
  assert_ok(dls_system_check(*sys, &err), err);
}

static const dls_body planar_bodies[] = {
    {.name = "arm",
     .mass = 2,
     .inertia = {0.3},
     .at = {0.4, 0.1},
     .angle = {0.7},
     .velocity = {1, -2},
     .spin = {3}},
    {.name = "plate",
     .mass = 3,
     .inertia = {0.5},
     .at = {1.4, 0.6},
     .angle = {-0.4},
     .velocity = {0.3, 1},
     .spin = {-2}},
    {.name = "bob", .kind = DLS_BODY_POINT, .mass = 0.7, .at = {2.5, 1.5}, .velocity = {-1, 0.4}}};

static void joints_of_the_plane(void **state)
{
  (void)state;
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

static const dls_body spatial_bodies[] = {{.name = "top",
                                           .mass = 2,
                                           .inertia = {0.3, 0.4, 0.5},
                                           .at = {0.4, 0.1, 0.2},
                                           .angle = {0.7, -0.3, 1.1},
                                           .velocity = {1, -2, 0.5},
                                           .spin = {3, 1, -2}},
                                          {.name = "block",
                                           .mass = 3,
                                           .inertia = {0.6, 0.5, 0.4},
                                           .at = {1.4, 0.6, 0.9},
                                           .angle = {-0.4, 2, 0.3},
                                           .velocity = {0.3, 1, 2},
                                           .spin = {-2, 0.4, 1}},
                                          {.name = "rod",
                                           .kind = DLS_BODY_ROD,
                                           .mass = 0.7,
                                           .inertia = {0.1},
                                           .at = {2.5, 1.5, 0},
                                           .angle = {1, 2, 2},
                                           .velocity = {-1, 0.4, 1},
                                           .spin = {1, 1, 1}}};

static void joints_of_space(void **state)
{
  (void)state;
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

/* --- identities of rigid bodies --- */

static void cross(const double *a, const double *b, double *c)
{
  for (int i = 0; i < 3; i++) {
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  }
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static const double rounding = 1e-13;

/* 1/2 v^T M v = 1/2 m |r'|^2 + 1/2 omega . J omega, and sum E_i d_i x d_i' = J omega in space axes. */
static void energy_and_angular_momentum_of_a_body(void **state)
{
  (void)state;
  const dls_mechanism m = {.dim = 3, .body_count = 1, .bodies = spatial_bodies};
  const dls_body *b = &spatial_bodies[0];
  dls_system *sys = NULL;
  make(&m, &sys);
  double kinetic = 0, momentum[3] = {0}, expected[3] = {0};
  double energy = 0.5 * b->mass * dot(b->velocity, b->velocity);
  for (size_t i = 0; i < 12; i++) {
    kinetic += 0.5 * dls_matrix_get(sys->M, i, i) * sys->v0[i] * sys->v0[i];
  }
  for (size_t i = 0; i < 3; i++) {
    const double *d = sys->q0 + 3 * (i + 1), *rate = sys->v0 + 3 * (i + 1);
    const double E = dls_matrix_get(sys->M, 3 * (i + 1), 3 * (i + 1));
    double c[3];
    cross(d, rate, c);
    energy += 0.5 * b->inertia[i] * pow(dot(d, b->spin), 2);
    for (size_t k = 0; k < 3; k++) {
      momentum[k] += E * c[k];
      expected[k] += b->inertia[i] * dot(d, b->spin) * d[k];
    }
  }
  assert_close(kinetic, energy, rounding * energy);
  for (size_t k = 0; k < 3; k++) {
    assert_close(momentum[k], expected[k], rounding);
  }
  double phi[6];
  dls_system_joint(sys, 0, sys->q0, phi);
  for (size_t i = 0; i < 6; i++) {
    assert_close(phi[i], 0, rounding);
  }
  dls_system_destroy(sys);
}

/* Velocity of the material of a body of the mechanism at the place c, r' + omega x (c - r). */
static void material_velocity(const dls_mechanism *m, size_t body, const double *c, double *v)
{
  const dls_body *b = &m->bodies[body];
  const double planar[3] = {0, 0, b->spin[0]}, s[3] = {c[0] - b->at[0], c[1] - b->at[1], c[2] - b->at[2]};
  cross(m->dim == 2 ? planar : b->spin, s, v);
  for (int i = 0; i < 3; i++) {
    v[i] += b->velocity[i];
  }
}

/* Rates of gap and slip of contact 0, whose point of contact is c with the normal n, against those of rigid bodies. */
static void check_contact(const dls_mechanism *m, const double *c, const double *n)
{
  dls_system *sys = NULL;
  make(m, &sys);
  const dls_touch *touch = m->touches;
  double a[3], b[3] = {0}, u[3] = {0};
  material_velocity(m, touch->a.body, c, a);
  if (touch->kind != DLS_TOUCH_PLANE) {
    material_velocity(m, touch->b.body, c, b);
  }
  const double slip[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  u[0] = dls_matrix_column_dot(sys->H, 0, sys->v0);
  assert_close(u[0], dot(slip, n), 10 * rounding);
  for (size_t k = 0; k + 1 < sys->d; k++) {
    u[k + 1] = dls_matrix_column_dot(sys->T, k, sys->v0);
  }
  assert_close(u[1] * u[1] + u[2] * u[2], dot(slip, slip) - u[0] * u[0], 100 * rounding);
  if (m->dim == 2) {
    const double t[3] = {n[1], -n[0], 0};
    assert_close(u[1], dot(slip, t), 10 * rounding);
  }
  dls_system_destroy(sys);
}

static void slips_are_those_of_the_material(void **state)
{
  (void)state;
  for (size_t dim = 2; dim <= 3; dim++) {
    dls_mechanism m = {
        .dim = dim, .body_count = 3, .bodies = dim == 2 ? planar_bodies : spatial_bodies, .touch_count = 1};
    dls_touch touch = {.name = "c",
                       .a = {0, {0.2, 0.1, 0}},
                       .b = {1, {0.1, 0.2, 0}},
                       .radius = 0.1,
                       .radius_b = 0.2,
                       .friction = 0.1};
    double p[3], r[3], n[3], c[3];
    m.touches = &touch;
    dls_mechanism_place(&m, &touch.a, p);
    dls_mechanism_place(&m, &touch.b, r);
    /* two spheres */
    touch.kind = DLS_TOUCH_PAIR;
    const double size = sqrt(pow(p[0] - r[0], 2) + pow(p[1] - r[1], 2) + pow(p[2] - r[2], 2));
    for (int i = 0; i < 3; i++) {
      n[i] = (p[i] - r[i]) / size;
    }
    /* where they touch: with radii that leave no gap, whose points of contact are the same */
    touch.radius = 0.4 * size;
    touch.radius_b = 0.6 * size * (1 - 1e-15);
    for (int i = 0; i < 3; i++) {
      c[i] = p[i] - touch.radius * n[i];
    }
    check_contact(&m, c, n);
    /* a plane */
    touch.kind = DLS_TOUCH_PLANE;
    touch.normal[0] = 0.6;
    touch.normal[1] = 0.8;
    touch.offset = 0.6 * p[0] + 0.8 * p[1] - touch.radius - 0.3;
    const double wall[3] = {0.6, 0.8, 0};
    for (int i = 0; i < 3; i++) {
      c[i] = p[i] - touch.radius * wall[i];
    }
    check_contact(&m, c, wall);
    /* a face that is touched, so that its rate is that of the material */
    touch.kind = DLS_TOUCH_FACE;
    const double X[3] = {-0.6, 0.8, 0};
    memcpy(touch.normal, X, sizeof X);
    dls_mechanism_vector(&m, 1, X, n);
    touch.radius = dot(n, (double[3]){p[0] - r[0], p[1] - r[1], p[2] - r[2]});
    if (touch.radius < 0) {
      touch.normal[0] *= -1, touch.normal[1] *= -1, touch.radius *= -1;
      n[0] *= -1, n[1] *= -1, n[2] *= -1;
    }
    for (int i = 0; i < 3; i++) {
      c[i] = p[i] - touch.radius * n[i];
    }
    check_contact(&m, c, n);
  }
}

/* Many small bodies: sparse storage says the same as dense. */
static void a_chain_is_sparse(void **state)
{
  (void)state;
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

static void wrong_parts_are_named(void **state)
{
  (void)state;
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
  assert_refused(&m,
                 "joint slide: both ends are of arm: it must be between two bodies, or a body and the ground");
  m.joint_count = 0;
  dls_touch touch = {.name = "floor", .a = {0, {0}}, .normal = {0, 1}, .offset = 0.2};
  m.touch_count = 1;
  m.touches = &touch;
  assert_refused(&m, "contact floor: it starts with the gap -0.1 m, it must be >= 0");
  touch.restitution = 1.5;
  assert_refused(&m, "contact floor: e = 1.5 must be in [0, 1]");
  m.dim = 3;
  m.body_count = 1;
  m.touch_count = 0;
  bodies[0].inertia[1] = bodies[0].inertia[2] = 0.1;
  assert_refused(
      &m, "body arm: inertia = [0.3, 0.1, 0.1] kg m^2: each must be less than the sum of the two others, as of "
          "a body that is not flat");
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

static void slider_cranks_start_as_published(void **state)
{
  (void)state;
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
      cmocka_unit_test(energy_and_angular_momentum_of_a_body),
      cmocka_unit_test(slips_are_those_of_the_material),
      cmocka_unit_test(a_chain_is_sparse),
      cmocka_unit_test(wrong_parts_are_named),
      cmocka_unit_test(slider_cranks_start_as_published),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
