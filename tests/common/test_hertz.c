/* test_hertz.c -- the pressed cylinder has Hertz's half width and pressure, the better the finer the mesh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/models/elements/solid.h"
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* What a mesh has, over what Hertz has; and how well forces are in balance, over the load. */
typedef struct hertz {
  double width, pressure; /* from the second moment of the pressure; in the middle */
  double balance, tension, overlap;
  size_t closed;
} hertz;

/* Half of the load is on the quarter. The plate's forces are what the nodes' forces are at rest, with the other sign. */
static hertz press(double n, double grading, double P)
{
  static const double R = 0.01, E = 2.1e11 / (1 - 0.3 * 0.3);
  char text[120];
  snprintf(text, sizeof text, "hertz-cylinders:n=%g,grading=%g,P=%g", n, grading, P);
  dls_system *sys = dls_test_system(text);
  const dls_solid *solid = dls_solid_of(sys);
  double *F = calloc(2 * sys->n + sys->m, sizeof *F), *zero = F + sys->n, *g = zero + sys->n;
  hertz h = {.overlap = 0};
  double sum = 0, second = 0, first[2][2] = {{0}}, force = 0;
  dls_system_force(sys, 0, sys->q0, zero, F);
  dls_system_gap(sys, 0, sys->q0, g);
  for (size_t j = 0; j < sys->m; j++) {
    double x[2];
    const size_t node = solid->planes[j].node;
    dls_solid_position(solid, sys->q0, node, x);
    const double lambda = -F[solid->unknown[2 * node + 1]];
    F[solid->unknown[2 * node + 1]] = 0;
    if (j < 2) {
      first[j][0] = x[0], first[j][1] = x[1];
      force = j == 0 ? lambda : force;
    }
    sum += lambda;
    second += lambda * x[0] * x[0];
    h.tension = fmin(h.tension, lambda / P);
    h.overlap = fmin(h.overlap, g[j] / R);
    h.closed += fabs(g[j]) < 1e-12 * R;
  }
  h.balance = fabs(sum / (P / 2) - 1);
  for (size_t i = 0; i < sys->n; i++) {
    h.balance = fmax(h.balance, fabs(F[i]) / P);
  }
  const double a = sqrt(4 * P * R / (pi * E));
  h.width = 2 * sqrt(second / sum) / a; /* of a semi-ellipse: a^2/4 */
  h.pressure = force / (first[1][0] / 2) / (2 * P / (pi * a));
  free(F);
  dls_system_destroy(sys);
  return h;
}

/* The second moment has the elements' width in it, like their square; the force on one node that of two elements. */
DLS_TEST(half_width_and_pressure_are_those_of_hertz)
{
  static const struct {
    double n, grading, P;
    size_t closed;
    double width, pressure; /* errors allowed */
  } cases[] = {{8, 100, 2e5, 3, 0.06, 0.04},
               {16, 100, 2e5, 4, 0.016, 0.01},
               {32, 100, 2e5, 7, 0.011, 0.006},
               {24, 200, 8e5, 10, 0.008, 0.006}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const hertz h = press(cases[k].n, cases[k].grading, cases[k].P);
    assert_int_equal(h.closed, cases[k].closed);
    assert_close(h.width, 1, cases[k].width);
    assert_close(h.pressure, 1, cases[k].pressure);
    assert_between(h.balance, 0, 1e-8);
    assert_between(h.tension, -1e-9, 0);
    assert_between(h.overlap, -1e-13, 0);
  }
}

/* Contacts hold with the forces that the plate has at rest. */
DLS_TEST(schemes_stay_in_equilibrium)
{
  static const char *const schemes[] = {"nonsmooth-generalized-alpha", "newmark-position-contact"};
  for (size_t k = 0; k < 2; k++) {
    const double h = 1e-8;
    test_run run = dls_test_run("hertz-cylinders:n=8", schemes[k], h, 10 * h);
    const size_t last = run.traj->rows - 1;
    double sum = 0;
    for (size_t i = 0; i < run.sys->n; i++) {
      assert_close(run.sim->q[i], run.sys->q0[i], 1e-12 * 0.01);
    }
    for (size_t j = 0; j < run.sys->m; j++) {
      sum += run.sim->p[j] / h;
    }
    assert_int_equal(dls_test_value(&run, last, "status0"), 1);
    assert_close(sum, 1e5, 1);
    dls_test_free(&run);
  }
}

/* The load is in the potential; a difference over many elements' strains does not say so. */
DLS_TEST(conserving_schemes_press_a_round_cylinder)
{
  test_run run = dls_test_run("hertz-cylinders:n=13,grading=1,start=round", "energy-preserving:contact=penalty",
                              2e-8, 1e-7);
  assert_between(run.sim->q[0], -1e-3, -1e-12);
  dls_test_free(&run);
}

DLS_TEST(what_cannot_be_pressed_is_refused)
{
  static const char *const settings[] = {"n=1", "grading=0.5", "E=-1", "nu=0.5", "nu=-1", "P=-2", "rho=0"};
  for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
    dls_error err = {0};
    dls_model_choice choice = {0};
    assert_int_equal(
        dls_model_choose("test", dls_model_find("hertz-cylinders", &err), 1, &settings[k], &choice, &err),
        DLS_ERR_OPTION);
    char name[20];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(settings[k], "="), settings[k]);
    assert_non_null(strstr(err.text, name));
    dls_model_choice_release(&choice);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(half_width_and_pressure_are_those_of_hertz),
      cmocka_unit_test(schemes_stay_in_equilibrium),
      cmocka_unit_test(conserving_schemes_press_a_round_cylinder),
      cmocka_unit_test(what_cannot_be_pressed_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
