/* test_solids.c -- meshes of solids, the contact of two bodies and its derivatives, a cantilever, and what models refuse.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/storage.h"
#include "common/models/elements/equilibrium.h"
#include "common/models/elements/solid.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static double area_of(const dls_solid_mesh *mesh)
{
  double area = 0;
  for (size_t e = 0; e < mesh->quads; e++) {
    double X[DLS_QUAD_SIZE];
    dls_quad quad;
    for (size_t k = 0; k < DLS_QUAD_SIZE; k++) {
      X[k] = mesh->X[2 * mesh->corner[4 * e + k / 2] + k % 2];
    }
    assert_true(dls_quad_create(X, &quad));
    for (size_t g = 0; g < DLS_QUAD_POINTS; g++) {
      area += quad.weight[g];
    }
  }
  return area;
}

/* Euler's number of a body without holes, edges from those of the elements and of its boundary: all elements are joined. */
static void assert_joined(const dls_solid_mesh *mesh, size_t boundary)
{
  assert_int_equal(2 * (mesh->nodes + mesh->quads) - (4 * mesh->quads + boundary), 2);
}

DLS_TEST(discs_are_polygons)
{
  for (size_t n = 1; n <= 6; n++) {
    dls_solid_mesh mesh;
    assert_true(dls_solid_disc(1.8, n, n == 4 ? 3 : n, &mesh));
    assert_int_equal(mesh.rim, 4 * n);
    const double corners = 4 * (double)n;
    assert_close(area_of(&mesh), 0.5 * corners * 1.8 * 1.8 * sin(2 * pi / corners), 1e-13);
    assert_joined(&mesh, mesh.rim);
    for (size_t i = 0; i < mesh.rim; i++) {
      const double *X = mesh.X + 2 * mesh.ring[i], angle = pi * (2 * (double)i / corners - 0.25);
      assert_close(X[0], 1.8 * cos(angle), 1e-14);
      assert_close(X[1], 1.8 * sin(angle), 1e-14);
    }
    if (n == 4) {
      assert_int_equal(mesh.quads, 64);
      assert_close(area_of(&mesh), 9.9192, 5e-5);
    }
    dls_solid_mesh_destroy(&mesh);
  }
}

DLS_TEST(quarters_become_finer_toward_the_point_of_contact)
{
  static const double gradings[] = {1, 50};
  for (size_t k = 0; k < 2; k++) {
    enum { N = 12 };
    dls_solid_mesh mesh;
    assert_true(dls_solid_quarter(2, N, gradings[k], &mesh));
    assert_int_equal(mesh.rim, 2 * N + 1);
    assert_joined(&mesh, 4 * N + 2 * N);
    double area = 0; /* of the polygon */
    for (size_t i = 0; i + 1 < mesh.rim; i++) {
      const double *a = mesh.X + 2 * mesh.ring[i], *b = mesh.X + 2 * mesh.ring[i + 1];
      area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
      assert_close(hypot(b[0], b[1]), 2, 1e-14);
    }
    assert_close(area_of(&mesh), area, 1e-13);
    const double *tip = mesh.X + 2 * mesh.ring[0], *next = mesh.X + 2 * mesh.ring[1];
    const double *last = mesh.X + 2 * mesh.ring[N - 1], *end = mesh.X + 2 * mesh.ring[N];
    assert_close(tip[0], 0, 1e-15);
    assert_close(tip[1], -2, 1e-15);
    const double first_angle = atan2(next[0], -next[1]),
                 last_angle = atan2(end[0], -end[1]) - atan2(last[0], -last[1]);
    assert_close(last_angle / first_angle, gradings[k], 1e-10);
    dls_solid_mesh_destroy(&mesh);
  }
}

/* [-1, 1], the same in every run */
static double any(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1;
}

/* The start of two cylinders, out of shape, the left one moved onto the right one or beside it. */
static void any_place(const dls_system *sys, unsigned *seed, double *q)
{
  const double shift[2] = {1.8 + 0.8 * any(seed), 1 + 0.5 * any(seed)};
  for (size_t i = 0; i < sys->n; i++) {
    q[i] = sys->q0[i] + 0.05 * any(seed) + (i < sys->n / 2 ? shift[i % 2] : 0);
  }
}

/* Contact j at q + s x. */
static double gap_at(const dls_system *sys, const double *q, const double *x, double s, size_t j, double *work)
{
  double *at = work, *g = work + sys->n;
  for (size_t i = 0; i < sys->n; i++) {
    at[i] = q[i] + s * x[i];
  }
  dls_system_gap(sys, 0, at, g);
  return g[j];
}

/* H^T x and x^T d^2 g x against differences, for one direction x. Where the closest feature changes within the difference there is
 * no derivative: those are counted. @return contacts that agree */
static size_t agreeing(const dls_system *sys, const double *q, const double *x, double *work)
{
  static const double h = 1e-4;
  dls_matrix *R = dls_matrix_clone(sys->H), *K = dls_matrix_clone(sys->gap_geometric);
  double *c = work + 2 * sys->n, *Kx = c + sys->m, *lambda = Kx + sys->n;
  size_t agree = 0;
  dls_system_gradient(sys, q, sys->H);
  sys->gap_turn(sys, 0, q, x, R);
  dls_system_curvature(sys, 0, q, x, c);
  for (size_t j = 0; j < sys->m; j++) {
    double g[5], bent = 0;
    for (int k = 0; k < 5; k++) {
      g[k] = gap_at(sys, q, x, h * (k - 2), j, work);
    }
    memset(lambda, 0, sys->m * sizeof *lambda);
    memset(Kx, 0, sys->n * sizeof *Kx);
    lambda[j] = 1;
    sys->gap_stiffness(sys, 0, q, lambda, K);
    dls_matrix_multiply(K, 1, x, Kx);
    for (size_t i = 0; i < sys->n; i++) {
      bent += x[i] * Kx[i];
    }
    assert_close(bent, c[j], 1e-11 * (1 + fabs(bent)));
    assert_close(dls_matrix_column_dot(R, j, x), c[j], 1e-11 * (1 + fabs(bent)));
    const double slope = (8 * (g[3] - g[1]) - g[4] + g[0]) / (12 * h);
    const double second = (16 * (g[3] + g[1]) - g[4] - g[0] - 30 * g[2]) / (12 * h * h);
    agree += fabs(slope - dls_matrix_column_dot(sys->H, j, x)) < 1e-9 &&
             fabs(second - c[j]) < 1e-5 * (1 + fabs(c[j]));
  }
  dls_matrix_destroy(R);
  dls_matrix_destroy(K);
  return agree;
}

DLS_TEST(gaps_have_their_derivatives)
{
  dls_system *sys = dls_test_system("two-cylinders:n=3,layers=1,box=off");
  double *q = malloc(2 * sys->n * sizeof *q), *x = q + sys->n,
         *work = calloc(4 * sys->n + 4 * sys->m, sizeof *work);
  unsigned seed = 4;
  size_t agree = 0, all = 0, inside = 0;
  for (int k = 0; k < 12; k++) {
    any_place(sys, &seed, q);
    for (size_t i = 0; i < sys->n; i++) {
      x[i] = any(&seed);
    }
    agree += agreeing(sys, q, x, work);
    all += sys->m;
    for (size_t j = 0; j < sys->m; j++) {
      inside += gap_at(sys, q, x, 0, j, work) < 0;
    }
  }
  assert_true(inside > 10 && inside < all - 10);
  assert_true(agree + 2 >= all); /* the rest change their segment */
  free(q);
  free(work);
  dls_system_destroy(sys);
}

/* Every gap's gradient has neither sum nor moment, inside and outside, at segments and at nodes. */
DLS_TEST(contact_forces_keep_momenta)
{
  dls_system *sys = dls_test_system("two-cylinders:n=3,layers=1,box=off");
  double *q = malloc(2 * sys->n * sizeof *q), *f = q + sys->n;
  unsigned seed = 5;
  for (int k = 0; k < 12; k++) {
    any_place(sys, &seed, q);
    dls_system_gradient(sys, q, sys->H);
    for (size_t j = 0; j < sys->m; j++) {
      double sum[2] = {0}, moment = 0, size = 0;
      memset(f, 0, sys->n * sizeof *f);
      dls_matrix_column_add(sys->H, j, 1, f);
      for (size_t i = 0; i < sys->n; i += 2) {
        sum[0] += f[i];
        sum[1] += f[i + 1];
        moment += q[i] * f[i + 1] - q[i + 1] * f[i];
        size += f[i] * f[i] + f[i + 1] * f[i + 1];
      }
      assert_close(sum[0], 0, 1e-14);
      assert_close(sum[1], 0, 1e-14);
      assert_close(moment, 0, 1e-13);
      assert_between(size, 1.5 - 1e-12, 2 + 1e-12); /* 1 + N_1^2 + N_2^2 */
    }
  }
  free(q);
  dls_system_destroy(sys);
}

/* A strip of length 8 and height 1, clamped on the left, with a small force at the end: its deflection there. */
static double deflection(size_t along, size_t across, double load)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  const size_t side = across + 1, nodes = (along + 1) * side;
  dls_solid solid = {.bodies = 1, .material = dls_solid_of_modulus(1000, 0.3, 1)};
  assert_true(dls_solid_mesh_create(nodes, along * across, 0, &solid.mesh));
  solid.unknowns = 2 * (nodes - side);
  solid.unknown = malloc(2 * nodes * sizeof *solid.unknown);
  solid.load = calloc(solid.unknowns, sizeof *solid.load);
  for (size_t i = 0; i < 2 * nodes; i++) {
    const size_t node = i / 2;
    solid.mesh.X[i] =
        i % 2 == 0 ? 8 * (double)(node / side) / (double)along : (double)(node % side) / (double)across;
    solid.unknown[i] = node < side ? DLS_GIVEN : i - 2 * side;
  }
  for (size_t e = 0; e < along * across; e++) {
    const size_t a = e / across * side + e % across, corner[4] = {a, a + side, a + side + 1, a + 1};
    memcpy(solid.mesh.corner + 4 * e, corner, sizeof corner);
  }
  for (size_t k = 0; k < side; k++) { /* halves at the corners */
    solid.load[solid.unknowns - 2 * side + 2 * k + 1] = load / (double)across * (k % across == 0 ? 0.5 : 1);
  }
  assert_ok(dls_solid_create("strip", &solid, &sys, &err), err);
  assert_ok(dls_equilibrium("strip", sys, &err), err);
  const double y = sys->q0[sys->n - side] - 0.5; /* of the axis: across is even */
  dls_system_destroy(sys);
  return y;
}

/* Theory of beams, with E' = E/(1 - nu^2) and the shear factor 5/6. */
DLS_TEST(a_strip_bends_like_a_beam)
{
  static const double known[] = {0.8658, 0.9581, 0.9854};
  const double load = 1e-6, E = 1000 / (1 - 0.3 * 0.3), G = 1000 / 2.6;
  const double beam = load * (8 * 8 * 8 / (3 * E / 12) + 8 / (5.0 / 6 * G));
  for (size_t k = 0; k < 3; k++) {
    assert_close(deflection((size_t)16 << k, (size_t)2 << k, load) / beam, known[k], 1e-4);
  }
}

/* Contact nodes have none, the others that of the body; the eight by six mesh keeps centre and inertia too, of each body. */
DLS_TEST(redistributed_mass_is_that_of_the_bodies)
{
  static const char *const models[] = {"two-cylinders:n=4,layers=3,mass=%s",
                                       "two-cylinders:n=8,layers=6,mass=%s"};
  for (size_t k = 0; k < 2; k++) {
    double moment[2][4] = {{0}};
    for (size_t r = 0; r < 2; r++) {
      char text[80];
      snprintf(text, sizeof text, models[k], r == 0 ? "consistent" : "redistributed");
      dls_system *sys = dls_test_system(text);
      double *x = calloc(2 * sys->n, sizeof *x), *p = x + sys->n;
      for (size_t i = 0; i < 3 * sys->n / 2; i++) { /* of the left body along x: 1, X, Y */
        const size_t part = i / (sys->n / 2), at = i % (sys->n / 2);
        x[at] = at % 2 == 1 ? 0 : part == 0 ? 1 : sys->q0[at + part - 1];
        if (at + 1 == sys->n / 2) {
          memset(p, 0, sys->n * sizeof *p);
          dls_matrix_multiply(sys->M, 1, x, p);
          for (size_t j = 0; j < sys->n; j++) {
            moment[r][part] += x[j] * p[j];
            moment[r][3] += part == 0 ? sys->q0[j] * p[j] : 0;
          }
        }
      }
      const dls_solid *solid = dls_solid_of(sys);
      const bool massless = dls_matrix_get(sys->M, 2 * solid->ring[0], 2 * solid->ring[0]) == 0;
      assert_int_equal(massless, r == 1);
      assert_int_equal(sys->remark[0] != '\0', r == 1 && k == 0);
      free(x);
      dls_system_destroy(sys);
    }
    assert_close(moment[1][0], moment[0][0], 1e-12);
    assert_close(moment[1][3], moment[0][3], 1e-11);
    for (size_t part = 1; part < 3; part++) {
      assert_between(fabs(moment[1][part] - moment[0][part]), k == 0 ? 0.1 : 0, k == 0 ? 5 : 1e-11);
    }
  }
}

static void refuse(const char *model, const char *setting, const char *message)
{
  dls_error err = {0};
  dls_model_choice choice = {0};
  dls_system *sys = NULL;
  dls_status status = dls_model_choose("test", dls_model_find(model, &err), 1, &setting, &choice, &err);
  if (status == DLS_OK) {
    status = dls_model_create(choice.model, choice.parameters, &sys, &err);
  }
  assert_true(status != DLS_OK);
  if (strstr(err.text, message) == NULL) {
    fail_msg("%s", err.text);
  }
  dls_system_destroy(sys);
  dls_model_choice_release(&choice);
}

DLS_TEST(what_cannot_be_is_refused_by_name)
{
  refuse("two-cylinders", "n=0", "n");
  refuse("two-cylinders", "layers=2.5", "layers");
  refuse("two-cylinders", "mu=-1", "mu");
  refuse("two-cylinders", "lambda=-1", "lambda");
  refuse("two-cylinders", "rho=0", "rho");
  refuse("two-cylinders", "x2=3", "less than 2 R = 3.6 m");
  refuse("two-cylinders", "left=-1", "left = -1 m is 1 m from a centre");
  refuse("two-cylinders", "top=2.5", "top = 2.5 m is 1.5 m from a centre");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(discs_are_polygons),
      cmocka_unit_test(quarters_become_finer_toward_the_point_of_contact),
      cmocka_unit_test(gaps_have_their_derivatives),
      cmocka_unit_test(contact_forces_keep_momenta),
      cmocka_unit_test(a_strip_bends_like_a_beam),
      cmocka_unit_test(redistributed_mass_is_that_of_the_bodies),
      cmocka_unit_test(what_cannot_be_is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
