/* test_rigid_body.c -- energy, angular momentum and slip of rigid bodies in natural coordinates.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "two_mechanisms.h"
#include <math.h>
#include <string.h>

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
DLS_TEST(energy_and_angular_momentum_of_a_body)
{
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

DLS_TEST(slips_are_those_of_the_material)
{
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_and_angular_momentum_of_a_body),
      cmocka_unit_test(slips_are_those_of_the_material),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
