/* test_models.c -- column, wedge, walls and pendulum are the systems that they say they are.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/delassus_operator.h>
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const dls_model dls_model_bead_column;
extern const dls_model dls_model_wedge;
extern const dls_model dls_model_ball_between_walls;
extern const dls_model dls_model_bouncing_pendulum;

static const dls_model *const models[] = {&dls_model_bead_column, &dls_model_wedge,
                                          &dls_model_ball_between_walls, &dls_model_bouncing_pendulum};
enum { MODELS = 4, MOST_PARAMETERS = 10 };

/* The system of a model with "name=value" settings; ends with NULL. */
static dls_system *make(const dls_model *model, const char *const *settings)
{
  double p[MOST_PARAMETERS];
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_option_defaults(model->parameters, p);
  for (; settings != NULL && *settings != NULL; settings++) {
    assert_ok(dls_option_parse(model->parameters, model->name, *settings, p, &err), err);
  }
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  return sys;
}

/* M^-1 F + M^-1 H lambda, for lambda that solves the bilateral or unilateral problem on all the contacts. */
static void contact_forces(const dls_system *sys, bool unilateral, double *lambda, double *a)
{
  dls_error err = {0};
  size_t all[64];
  double b[64];
  const dls_matrix *const mass[] = {sys->M};
  dls_factor *M = dls_factor_create(mass, 1);
  dls_delassus *D = dls_delassus_create(M, sys->H);
  dls_lcp_solver *lcp = NULL;
  assert_ok(dls_lcp_create(sys->m, NULL, 1e-13, &lcp, &err), err);
  assert_ok(dls_factor_sum(M, (const double[]){1}, &err), err);
  dls_system_force(sys, 0, sys->q0, sys->v0, a);
  dls_factor_solve(M, a);
  for (size_t j = 0; j < sys->m; j++) {
    all[j] = j;
    lambda[j] = 0;
    b[j] = dls_matrix_column_dot(sys->H, j, a);
  }
  if (unilateral) {
    assert_ok(dls_delassus_solve(D, lcp, sys->m, all, b, lambda, NULL, NULL, &err), err);
  } else {
    assert_ok(dls_delassus_solve_bilateral(D, sys->m, all, b, lambda, &err), err);
  }
  dls_delassus_apply(D, sys->m, all, 1, lambda, a);
  dls_lcp_destroy(lcp);
  dls_delassus_destroy(D);
  dls_factor_destroy(M);
}

DLS_TEST(defaults_make_systems_that_pass_the_check)
{
  const size_t sizes[MODELS][2] = {{10, 10}, {2, 2}, {1, 2}, {1, 1}};
  for (size_t k = 0; k < MODELS; k++) {
    dls_system *sys = NULL;
    dls_error err = {0};
    assert_ok(dls_model_create(models[k], NULL, &sys, &err), err);
    assert_int_equal(sys->n, sizes[k][0]);
    assert_int_equal(sys->m, sizes[k][1]);
    assert_between(sys->length, 1e-3, 1e3);
    assert_between(sys->time, 1e-3, 1e3);
    assert_true(strlen(models[k]->summary) > 10 && strlen(models[k]->source) > 10);
    assert_int_equal(models[k]->equations[strlen(models[k]->equations) - 1], '\n');
    double g[10];
    dls_system_gap(sys, 0, sys->q0, g);
    for (size_t j = 0; j < sys->m; j++) {
      assert_between(g[j], 0, 10); /* no model starts in penetration */
    }
    dls_system_destroy(sys);
  }
}

DLS_TEST(every_parameter_outside_its_range_is_refused)
{
  for (size_t k = 0; k < MODELS; k++) {
    const dls_option *table = models[k]->parameters;
    for (size_t i = 0; table[i].name != NULL; i++) {
      const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL, table[i].min > -DBL_MAX ? table[i].min - 1 : NAN,
                            table[i].max < DBL_MAX ? table[i].max + 1 : NAN};
      for (size_t b = 0; b < 5; b++) {
        double p[MOST_PARAMETERS];
        char start[100];
        dls_system *sys = NULL;
        dls_error err = {0};
        dls_option_defaults(table, p);
        p[i] = bad[b];
        assert_int_equal(dls_model_create(models[k], p, &sys, &err), DLS_ERR_OPTION);
        snprintf(start, sizeof start, "model %s: %s = ", models[k]->name, table[i].name);
        assert_int_equal(strncmp(err.text, start, strlen(start)), 0);
        assert_null(sys);
      }
    }
  }
}

DLS_TEST(parameters_that_do_not_go_together_are_refused)
{
  const struct {
    const dls_model *model;
    const char *settings[3];
    const char *text;
  } cases[] = {
      {&dls_model_ball_between_walls,
       {"q0=3", "width=2"},
       "model ball-between-walls: q0 = 3 is outside [0, width = 2]"},
      {&dls_model_bouncing_pendulum,
       {"hurdle=2", "l=2"},
       "model bouncing-pendulum: hurdle = 2 is not less than l cos(q0) = 2: no gap at the start"},
      {&dls_model_bouncing_pendulum, {"m=1e200", "l=1e200"}, "the system's M(0,0) = inf is not finite"},
      {&dls_model_ball_between_walls, {"width=1e-300", "q0=0"}, NULL},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    double p[MOST_PARAMETERS];
    dls_system *sys = NULL;
    dls_error err = {0};
    dls_option_defaults(cases[k].model->parameters, p);
    for (size_t i = 0; i < 3 && cases[k].settings[i] != NULL; i++) {
      assert_ok(dls_option_parse(cases[k].model->parameters, "", cases[k].settings[i], p, &err), err);
    }
    const dls_status status = dls_model_create(cases[k].model, p, &sys, &err);
    if (cases[k].text == NULL) {
      assert_ok(status, err);
      dls_system_destroy(sys);
    } else {
      assert_int_equal(status, DLS_ERR_ARG);
      assert_string_equal(err.text, cases[k].text);
      assert_null(sys);
    }
  }
}

/* At rest contact i carries the weight of the N - i beads from i up. */
DLS_TEST(the_column_at_rest_carries_its_weight)
{
  dls_system *sys = make(&dls_model_bead_column, (const char *const[]){"N=12", "m=2", "g=10", "gap=0", NULL});
  double lambda[12];
  double a[12];
  assert_int_equal(sys->n, 12);
  assert_int_equal(dls_matrix_storage(sys->H), DLS_SPARSE);
  for (int unilateral = 0; unilateral < 2; unilateral++) {
    contact_forces(sys, unilateral, lambda, a);
    for (size_t i = 0; i < 12; i++) {
      assert_close(lambda[i], (double)(12 - i) * 20, 1e-11);
      assert_close(a[i], 0, 1e-12);
    }
  }
  dls_system_destroy(sys);
}

/* Contacts of the column are those with a gap <= 0: rounding of the heights must not open them. */
DLS_TEST(beads_that_touch_have_no_gap)
{
  const char *const radii[] = {"radius=0.1", "radius=0.3", "radius=0.33333333333333331", "radius=7e-4"};
  for (size_t k = 0; k < 4; k++) {
    dls_system *sys = make(&dls_model_bead_column, (const char *const[]){"N=1000", "gap=0", radii[k], NULL});
    double g[1000];
    dls_system_gap(sys, 0, sys->q0, g);
    for (size_t j = 0; j < 1000; j++) {
      assert_between(g[j], -DBL_EPSILON * sys->q0[j], 0);
    }
    dls_system_destroy(sys);
  }
}

DLS_TEST(the_column_starts_with_the_gap_asked_for)
{
  dls_system *sys =
      make(&dls_model_bead_column, (const char *const[]){"N=100", "gap=0.25", "radius=0.3", "e=0.7", NULL});
  double g[100];
  dls_system_gap(sys, 0, sys->q0, g);
  for (size_t j = 0; j < 100; j++) {
    assert_close(g[j], 0.25, 1e-13);
    assert_close(sys->q0[j], 0.55 + 0.85 * (double)j, 1e-12);
    assert_close(sys->e[j], 0.7, 0);
  }
  char name[60];
  dls_contact_name(sys, 0, name, sizeof name);
  assert_string_equal(name, "contact 0 (floor and bead 0)");
  dls_contact_name(sys, 42, name, sizeof name);
  assert_string_equal(name, "contact 42 (beads 41 and 42)");
  dls_system_destroy(sys);
}

/* W = (1, -0.9; -0.9, 1), b = (-1, 1.5): both bilateral multipliers are negative, yet contact 0 holds. */
DLS_TEST(the_wedge_has_the_numbers_of_Delassus_example)
{
  dls_system *sys = make(&dls_model_wedge, NULL);
  double lambda[2];
  double a[2];
  contact_forces(sys, false, lambda, a);
  assert_close(lambda[0], -(1 * 1 * -1 + 0.9 * 1.5) / 0.19, 1e-12); /* -W^-1 b = (-1.842, -3.158) */
  assert_close(lambda[1], -(0.9 * -1 + 1 * 1.5) / 0.19, 1e-12);
  contact_forces(sys, true, lambda, a);
  assert_close(lambda[0], 1, 1e-14);
  assert_close(lambda[1], 0, 1e-14);
  assert_close(dls_matrix_column_dot(sys->H, 0, a), 0, 1e-14);
  assert_close(dls_matrix_column_dot(sys->H, 1, a), 0.6, 1e-14);
  dls_system_destroy(sys);
}

DLS_TEST(the_normals_of_the_wedge_are_unit_vectors_with_the_cosine_asked_for)
{
  const char *const cosines[] = {"cosine=-0.9", "cosine=0.9", "cosine=0", "cosine=-0.999999",
                                 "cosine=0.999999"};
  for (size_t k = 0; k < 5; k++) {
    dls_system *sys = make(&dls_model_wedge,
                           (const char *const[]){cosines[k], "m=4", "f1=3", "f2=-2", "g1=0.1", "g2=0.2", NULL});
    double g[2];
    double F[2];
    double norm[2] = {0};
    double cosine = 0;
    dls_system_gap(sys, 0, sys->q0, g);
    dls_system_force(sys, 0, sys->q0, sys->v0, F);
    for (size_t i = 0; i < 2; i++) {
      norm[0] += pow(dls_matrix_get(sys->H, i, 0), 2);
      norm[1] += pow(dls_matrix_get(sys->H, i, 1), 2);
      cosine += dls_matrix_get(sys->H, i, 0) * dls_matrix_get(sys->H, i, 1);
    }
    assert_close(norm[0], 1, 1e-15);
    assert_close(norm[1], 1, 1e-15);
    assert_close(cosine, atof(cosines[k] + 7), 1e-15);
    assert_close(g[0], 0.1, 1e-13);
    assert_close(g[1], 0.2, 1e-13);
    assert_close(dls_matrix_column_dot(sys->H, 0, F), 3, 1e-12);
    assert_close(dls_matrix_column_dot(sys->H, 1, F), -2, 1e-12);
    dls_system_destroy(sys);
  }
}

DLS_TEST(the_walls_stand_at_zero_and_at_the_width)
{
  dls_system *sys = make(&dls_model_ball_between_walls,
                         (const char *const[]){"width=3", "q0=3", "f=-2.5", "m=2", "v0=-7", NULL});
  double g[2];
  double F[1];
  const double q[] = {1.25};
  dls_system_gap(sys, 0, q, g);
  assert_close(g[0], 1.25, 0);
  assert_close(g[1], 1.75, 0);
  dls_system_force(sys, 5, q, sys->v0, F);
  assert_close(F[0], -2.5, 0);
  assert_close(dls_matrix_get(sys->M, 0, 0), 2, 0);
  assert_close(sys->q0[0], 3, 0);
  assert_close(sys->v0[0], -7, 0);
  assert_close(sys->length / sys->time, 7, 1e-12); /* the velocity scale is the speed */
  char name[60];
  dls_contact_name(sys, 1, name, sizeof name);
  assert_string_equal(name, "contact 1 (right wall)");
  dls_system_destroy(sys);
}

/* Central differences of step 1e-6 leave an error of about 1e-10. */
DLS_TEST(the_derivatives_of_the_pendulum_are_those_of_its_force_and_gap)
{
  dls_system *sys =
      make(&dls_model_bouncing_pendulum, (const char *const[]){"m=1.5", "l=2", "hurdle=1", "g=9", NULL});
  const double d = 1e-6;
  assert_false(sys->linear);
  assert_true(dls_system_gradient_varies(sys));
  assert_false(dls_system_mass_varies(sys));
  assert_close(dls_matrix_get(sys->M, 0, 0), 6, 0);
  for (double q = -1.4; q < 1.5; q += 0.35) {
    const double v = 0.7 - q;
    const double below = q - d;
    const double above = q + d;
    double F[2];
    double g[2];
    double H[2];
    double c = 0;
    dls_system_force(sys, 0, &below, &v, &F[0]);
    dls_system_force(sys, 0, &above, &v, &F[1]);
    dls_system_gap(sys, 0, &below, &g[0]);
    dls_system_gap(sys, 0, &above, &g[1]);
    dls_system_gradient(sys, &below, sys->H);
    H[0] = dls_matrix_get(sys->H, 0, 0);
    dls_system_gradient(sys, &above, sys->H);
    H[1] = dls_matrix_get(sys->H, 0, 0);
    sys->stiffness(sys, 0, &q, &v, sys->K);
    dls_system_gradient(sys, &q, sys->H);
    dls_system_curvature(sys, 0, &q, &v, &c);
    assert_close(dls_matrix_get(sys->K, 0, 0), -(F[1] - F[0]) / (2 * d), 1e-8);
    assert_close(dls_matrix_get(sys->H, 0, 0), (g[1] - g[0]) / (2 * d), 1e-9);
    assert_close(c, (H[1] - H[0]) / (2 * d) * v * v, 1e-8); /* (dH/dt) v, dH/dt = dH/dq v */
  }
  dls_system_destroy(sys);
}

/* Energy: m l^2 v^2 / 2 = m g l sin q, so at the hurdle of the defaults, q = pi/4, v = 3.724706 rad/s. */
DLS_TEST(the_pendulum_reaches_its_hurdle_at_a_quarter_pi)
{
  dls_system *sys = make(&dls_model_bouncing_pendulum, NULL);
  const double q = acos(-1) / 4;
  double g = 1;
  double work = 0;
  dls_system_gap(sys, 0, &q, &g);
  assert_close(g, 0, 1e-15);
  for (int i = 0; i < 1000; i++) { /* midpoint rule, error 1e-7 */
    const double at = (i + 0.5) * q / 1000;
    double F = 0;
    dls_system_force(sys, 0, &at, sys->v0, &F);
    work += F * q / 1000;
  }
  assert_close(sqrt(2 * work), 3.724706, 1e-6);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_make_systems_that_pass_the_check),
      cmocka_unit_test(every_parameter_outside_its_range_is_refused),
      cmocka_unit_test(parameters_that_do_not_go_together_are_refused),
      cmocka_unit_test(the_column_at_rest_carries_its_weight),
      cmocka_unit_test(beads_that_touch_have_no_gap),
      cmocka_unit_test(the_column_starts_with_the_gap_asked_for),
      cmocka_unit_test(the_wedge_has_the_numbers_of_Delassus_example),
      cmocka_unit_test(the_normals_of_the_wedge_are_unit_vectors_with_the_cosine_asked_for),
      cmocka_unit_test(the_walls_stand_at_zero_and_at_the_width),
      cmocka_unit_test(the_derivatives_of_the_pendulum_are_those_of_its_force_and_gap),
      cmocka_unit_test(the_pendulum_reaches_its_hurdle_at_a_quarter_pi),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
