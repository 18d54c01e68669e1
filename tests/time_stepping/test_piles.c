/* test_piles.c -- piles of boxes and of discs: rigid motions, weights carried, forces known, columns that slide together.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/configuration.h>
#include <delassus/exact.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const dls_exact dls_exact_lattice_pile;
static const char *const piles[] = {"block-column", "block-wall", "block-pyramid"};

/* The pile turns about the origin as one body (v = w x r): nothing moves at contacts between boxes, the corner at x of the
 * floor goes up by -wy x, and slips by (-wz y, wz x). Heights and places are those of the default boxes, 0.2 x 0.1 (x 0.1). */
static void turn(const dls_system *sys, size_t box, double x, double y, double z, const double *w, double *v)
{
  const size_t each = sys->d == 2 ? 3 : 6;
  double *of = v + each * box;
  if (sys->d == 2) {
    of[0] = -w[2] * z;
    of[1] = w[2] * x;
    of[2] = w[2];
    return;
  }
  for (size_t i = 0; i < 3; i++) {
    const double r[3] = {x, y, z};
    of[i] = w[(i + 1) % 3] * r[(i + 2) % 3] - w[(i + 2) % 3] * r[(i + 1) % 3];
    of[3 + i] = w[i];
  }
}

DLS_TEST(rigid_motions_move_no_box_on_another)
{
  static const double w[3] = {0.3, -0.7, 1.1};
  static const char *const names[] = {"block-wall:rows=2,columns=1", "block-wall:rows=2,columns=1,dim=3"};
  for (size_t k = 0; k < 2; k++) {
    dls_system *sys = dls_test_system(names[k]);
    dls_configuration config;
    double v[18] = {0}, u[36];
    assert_int_equal(sys->n, 3 * (k == 0 ? 3 : 6));
    assert_int_equal(sys->m, 3 * (k == 0 ? 2 : 4)); /* the floor, and two half boxes */
    turn(sys, 0, 0.1, 0, 0.05, w, v);
    turn(sys, 1, 0.05, 0, 0.15, w, v);
    turn(sys, 2, 0.15, 0, 0.15, w, v);
    assert_true(dls_configuration_create(sys, &config));
    dls_configuration_velocity(&config, v, u);
    for (size_t i = sys->d * (sys->m / 3); i < sys->d * sys->m; i++) {
      assert_close(u[i], 0, 1e-16);
    }
    if (sys->d == 2) {
      assert_close(u[0], 0, 1e-16);
      assert_close(u[1], 0, 1e-16);
      assert_close(u[2], 0.2 * w[2], 1e-16);
    } else { /* the corner (0.2, 0.05, 0) */
      assert_close(u[9], w[0] * 0.05 - w[1] * 0.2, 1e-16);
      assert_close(u[10], -w[2] * 0.05, 1e-16);
      assert_close(u[11], w[2] * 0.2, 1e-16);
    }
    dls_configuration_destroy(&config);
    dls_system_destroy(sys);
  }
}

/* Sum of column p of contacts first .. first + count - 1 in the last row, over the step: a force. */
static double carried(const test_run *run, double step, size_t first, size_t count)
{
  double sum = 0;
  char name[32];
  for (size_t j = first; j < first + count; j++) {
    snprintf(name, sizeof name, "p%zu", j);
    sum += dls_test_value(run, run->traj->rows - 1, name) / step;
  }
  return sum;
}

static double speed(const test_run *run)
{
  double largest = 0;
  char name[32];
  for (size_t i = 0; i < run->sys->n; i++) {
    snprintf(name, sizeof name, "v%zu", i);
    largest = fmax(largest, fabs(dls_test_value(run, run->traj->rows - 1, name)));
  }
  return largest;
}

/* At rest the floor carries all: 12 whole boxes, but 9 of the pyramid (3 rows of 4, 3, 2). */
DLS_TEST(the_floor_carries_the_weight)
{
  for (size_t k = 0; k < 12; k++) {
    const size_t kind = k % 3, dim = 2 + k / 3 % 2;
    char model[80];
    snprintf(model, sizeof model, "%s:rows=3,columns=4,dim=%zu,mu=%g,m=2", piles[kind], dim, k < 6 ? 0.5 : 0.0);
    test_run run = dls_test_run(model, "moreau-jean", 1e-2, 5e-2);
    const size_t corners = dim == 2 ? 2 : 4;
    const double weight = 2 * 9.81 * (kind == 2 ? 9 : 12);
    assert_close(carried(&run, 1e-2, 0, 4 * corners), weight, 1e-11 * weight);
    assert_close(speed(&run), 0, 1e-12);
    dls_test_free(&run);
  }
}

/* Face i of a column carries what is above, and its corners the same each but for what friction may hold. */
DLS_TEST(faces_of_a_column_carry_what_is_above)
{
  test_run run = dls_test_run("block-column:rows=6,columns=1", "moreau-jean", 1e-2, 1e-2);
  for (size_t i = 0; i < 6; i++) {
    const double weight = (6 - (double)i) * 9.81;
    assert_close(carried(&run, 1e-2, 2 * i, 2), weight, 1e-11 * weight);
  }
  dls_test_free(&run);
}

/* On a slope above the angle of friction a flat column slides as one, a = g (sin alpha - mu cos alpha), or stays below it. All
 * faces are at their limit then, at once: the answer is as sharp as the tolerance of a problem so degenerate. */
DLS_TEST(a_flat_column_slides_as_one)
{
  for (size_t k = 0; k < 4; k++) {
    const double mu = k / 2 == 0 ? 0.2 : 0.4;
    char model[120];
    snprintf(model, sizeof model, "block-column:rows=3,columns=1,height=0.01,alpha=0.3,dim=%zu,mu=%g",
             2 + k % 2, mu);
    test_run run = dls_test_run(model, "moreau-jean", 1e-2, 0.1);
    const double a = fmax(0, 9.81 * (sin(0.3) - mu * cos(0.3)));
    assert_close(dls_test_value(&run, run.traj->rows - 1, "v0"), 0.1 * a, 1e-8);
    assert_close(speed(&run), 0.1 * a, 1e-8);
    dls_test_free(&run);
  }
}

/* The uppermost box is pushed along: m v' = -mu m g, the rest stays. */
DLS_TEST(a_pushed_box_slides_on_the_others)
{
  test_run run =
      dls_test_run("block-column:rows=3,columns=1,height=0.01,v0=0.5,mu=0.2", "moreau-jean", 1e-2, 0.1);
  const size_t last = run.traj->rows - 1;
  assert_close(dls_test_value(&run, last, "v6"), 0.5 - 0.2 * 9.81 * 0.1, 1e-12);
  assert_close(dls_test_value(&run, last, "v3"), 0, 1e-12);
  dls_test_free(&run);
}

/* Isostatic: the impulses of a step are h lambda of the exact solution, to rounding; also of a pile whose top is cut off. The
 * sum over a face of the floor is known: the lowest disc of 5 rows in the middle of 9 has 5 discs on both lines. */
DLS_TEST(forces_of_a_lattice_are_known)
{
  static const size_t sizes[][2] = {{1, 1}, {5, 5}, {5, 9}, {40, 40}};
  static const double step = 1e-2, at[] = {2e-2};
  for (size_t s = 0; s < 4; s++) {
    const double p[] = {(double)sizes[s][0], (double)sizes[s][1], 0, 3, 0.1, 0, 9.81};
    char model[80], name[32];
    dls_trajectory *exact = NULL;
    dls_error err = {0};
    snprintf(model, sizeof model, "lattice-pile:m=3,rows=%g,columns=%g", p[0], p[1]);
    test_run run = dls_test_run(model, "moreau-jean", step, 2 * step);
    assert_ok(dls_exact_at(&dls_exact_lattice_pile, p, 1, at, &exact, &err), err);
    for (size_t j = 0; j < run.sys->m; j++) {
      snprintf(name, sizeof name, "lambda%zu", j);
      const int column = dls_trajectory_column(exact, name);
      assert_true(column >= 0);
      const double lambda = dls_trajectory_at(exact, 0, (size_t)column);
      assert_close(carried(&run, step, j, 1), lambda, 1e-12 * lambda);
      if (s == 2 && (j == 8 || j == 9)) {
        assert_close(lambda, 5 * 3 * 9.81 / sqrt(3), 1e-13);
      }
    }
    assert_close(speed(&run), 0, 1e-12);
    dls_trajectory_destroy(exact);
    dls_test_free(&run);
  }
}

/* With friction forces are not unique, but nothing moves; the pile presses on the floor with its weight. */
DLS_TEST(a_rough_lattice_rests)
{
  test_run run = dls_test_run("lattice-pile:mu=0.3", "moreau-jean", 1e-2, 5e-2);
  assert_close(speed(&run), 0, 1e-12);
  dls_test_free(&run);
}

static void refuses(const char *name, double rows, double columns, const char *says)
{
  const dls_model *model = dls_catalogue_model(NULL, name, NULL);
  dls_error err = {0};
  dls_system *sys = NULL;
  double p[16];
  assert_non_null(model);
  for (size_t i = 0; model->parameters[i].name != NULL; i++) {
    p[i] = model->parameters[i].initial;
  }
  p[0] = rows;
  p[1] = columns;
  assert_int_equal(dls_model_create(model, p, &sys, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, says));
}

DLS_TEST(what_cannot_be_built_is_refused)
{
  refuses("block-pyramid", 6, 5, "rows = 6 are more than columns = 5");
  refuses("lattice-pile", 6, 5, "rows = 6 must be at most columns = 5");
  refuses("block-wall", 1e4, 1e4, "more than 1e+06 boxes");
}

/* Touches in the order of the contacts, edges of the boxes closed. */
DLS_TEST(piles_have_sketches)
{
  static const char *const names[] = {"block-column", "block-wall", "block-pyramid", "lattice-pile"};
  for (size_t k = 0; k < 4; k++) {
    const dls_model *model = dls_catalogue_model(NULL, names[k], NULL);
    double p[16], q[400] = {0};
    dls_sketch out = {.reach = 1};
    for (size_t i = 0; model->parameters[i].name != NULL; i++) {
      p[i] = i < 2 ? 3 : model->parameters[i].initial;
    }
    dls_system *sys = NULL;
    assert_int_equal(dls_model_create(model, p, &sys, NULL), DLS_OK);
    model->sketch(p, q, &out);
    assert_false(out.full);
    assert_int_equal(out.touch_count, sys->m);
    const size_t bodies = sys->n / 3;
    assert_int_equal(out.shape_count, k < 3 ? 1 + 4 * bodies : 4 + bodies);
    dls_system_destroy(sys);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_motions_move_no_box_on_another),
      cmocka_unit_test(the_floor_carries_the_weight),
      cmocka_unit_test(faces_of_a_column_carry_what_is_above),
      cmocka_unit_test(a_flat_column_slides_as_one),
      cmocka_unit_test(a_pushed_box_slides_on_the_others),
      cmocka_unit_test(forces_of_a_lattice_are_known),
      cmocka_unit_test(a_rough_lattice_rests),
      cmocka_unit_test(what_cannot_be_built_is_refused),
      cmocka_unit_test(piles_have_sketches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
