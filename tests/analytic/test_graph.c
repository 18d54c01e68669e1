/* test_graph.c -- graphs of trajectories, their values on both sides of a jump, and their restriction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_graph.h"
#include <math.h>

static dls_trajectory *table(size_t columns, const char *const *names, dls_meaning meaning, size_t rows,
                             const double *data)
{
  dls_trajectory *traj = dls_trajectory_create_table(columns, names);
  assert_non_null(traj);
  for (size_t r = 0; r < rows; r++) {
    memcpy(dls_trajectory_append(traj), data + r * columns, columns * sizeof *data);
  }
  for (size_t c = 1; c < columns; c++) {
    traj->meaning[c] = meaning;
  }
  return traj;
}

static dls_graph *graph_of(const dls_trajectory *traj, size_t dim, const size_t *columns)
{
  dls_graph *g = NULL;
  dls_error err = {0};
  assert_ok(dls_graph_of(traj, dim, columns, &g, &err), err);
  return g;
}

static void expect_nodes(const dls_graph *g, size_t count, const double (*nodes)[2])
{
  assert_int_equal(g->count, count);
  for (size_t i = 0; i < count; i++) {
    assert_close(g->t[i], nodes[i][0], 1e-15);
    assert_close(g->x[i * g->dim], nodes[i][1], 1e-15);
  }
}
#define EXPECT_NODES(g, ...)                                                                                   \
  expect_nodes(g, sizeof((const double[][2]){__VA_ARGS__}) / sizeof(double[2]),                                \
               (const double[][2]){__VA_ARGS__})

static const char *const names[] = {"t", "q0", "v0", "a0"};
static const double jumps[] = {0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 7, 0, 1, 1, -1, 0, 3, -1, -1, 0};

DLS_TEST(rows_with_equal_t_are_a_chain)
{
  dls_trajectory *traj = table(4, names, DLS_LINEAR, 5, jumps);
  dls_graph *g = graph_of(traj, 1, (const size_t[]){2});
  EXPECT_NODES(g, {0, 1}, {1, 1}, {1, 7}, {1, -1}, {3, -1});
  assert_null(g->slope);
  dls_graph_destroy(g);
  dls_trajectory_destroy(traj);
}

DLS_TEST(constant_columns_become_steps)
{
  const double rows[] = {0, 5, 1, 6, 2, 6, 2, 8, 3, 8};
  dls_trajectory *traj = table(2, (const char *const[]){"t", "p0"}, DLS_CONSTANT, 5, rows);
  dls_graph *g = graph_of(traj, 1, (const size_t[]){1});
  EXPECT_NODES(g, {0, 5}, {1, 5}, {1, 6}, {2, 6}, {2, 8}, {3, 8});
  dls_graph_destroy(g);
  traj->data[1] = 4.0; /* two rows at the start are a jump there */
  traj->data[2] = 0.0;
  g = graph_of(traj, 1, (const size_t[]){1});
  EXPECT_NODES(g, {0, 4}, {0, 6}, {2, 6}, {2, 8}, {3, 8});
  dls_graph_destroy(g);
  dls_trajectory_destroy(traj);
}

DLS_TEST(constant_columns_step_through_a_chain)
{
  const double level[] = {0, 1, 1, 1, 1, 1, 1, 5, 2, 5}, spike[] = {0, 1, 1, 1, 1, 9, 1, 5, 2, 5};
  const char *const columns[] = {"t", "p0"};
  dls_trajectory *traj = table(2, columns, DLS_CONSTANT, 5, level);
  dls_graph *g = graph_of(traj, 1, (const size_t[]){1});
  EXPECT_NODES(g, {0, 1}, {1, 1}, {1, 5}, {2, 5});
  dls_graph_destroy(g);
  dls_trajectory_destroy(traj);
  traj = table(2, columns, DLS_CONSTANT, 5, spike);
  g = graph_of(traj, 1, (const size_t[]){1});
  EXPECT_NODES(g, {0, 1}, {1, 1}, {1, 9}, {1, 5}, {2, 5});
  dls_graph_destroy(g);
  dls_trajectory_destroy(traj);
}

/* Forces 2 N before and 4 N after t = 1, impulses 1 and 0.5 at it: 0 to 2, 3, 3.5, and 3.5 + 4. */
DLS_TEST(impulses_add_up_through_a_chain)
{
  const double rows[] = {0, 0, 2, 1, 0, 2, 1, 1, 3, 1, 0.5, 4, 2, 0, 4};
  dls_trajectory *traj = table(3, (const char *const[]){"t", "p0", "lambda0"}, DLS_LINEAR, 5, rows);
  dls_graph *g = NULL;
  dls_error err = {0};
  assert_ok(dls_graph_of_impulses(traj, 0, 1, &g, &err), err);
  double x;
  dls_graph_value(g, 1, -1, &x);
  assert_close(x, 2, 0);
  dls_graph_value(g, 1, 1, &x);
  assert_close(x, 3.5, 0);
  dls_graph_value(g, 2, -1, &x);
  assert_close(x, 7.5, 0);
  bool passed = false; /* the value between both */
  for (size_t i = 0; i < g->count; i++) {
    passed = passed || (g->t[i] == 1 && g->x[i] == 3);
  }
  assert_true(passed);
  dls_graph_destroy(g);
  dls_trajectory_destroy(traj);
}

DLS_TEST(hermite_columns_take_their_slopes_along)
{
  dls_trajectory *traj = table(4, names, DLS_HERMITE, 5, jumps);
  dls_graph *q = graph_of(traj, 1, (const size_t[]){1}), *both = graph_of(traj, 1, (const size_t[]){2});
  EXPECT_NODES(q, {0, 0}, {1, 1}, {1, 1}, {3, -1});
  assert_close(q->slope[1], 1.0, 0.0);
  assert_close(q->slope[2], -1.0, 0.0);
  assert_close(both->slope[1], 0.0, 0.0);
  double x;
  dls_graph_value(q, 2.0, 1, &x); /* a straight line of slope -1 */
  assert_close(x, 0.0, 1e-15);
  dls_graph_destroy(q);
  dls_graph_destroy(both);
  dls_trajectory_destroy(traj);
}

DLS_TEST(vector_graph_takes_columns_in_the_order_asked)
{
  dls_trajectory *traj = table(4, names, DLS_LINEAR, 5, jumps);
  dls_graph *g = graph_of(traj, 2, (const size_t[]){2, 1});
  double x[2];
  dls_graph_value(g, 0.5, 1, x);
  assert_close(x[0], 1.0, 1e-15);
  assert_close(x[1], 0.5, 1e-15);
  dls_graph_destroy(g);
  dls_trajectory_destroy(traj);
}

static void refused(dls_trajectory *traj, size_t dim, const size_t *columns, dls_status expected,
                    const char *text)
{
  dls_graph *g = NULL;
  dls_error err = {0};
  assert_int_equal(dls_graph_of(traj, dim, columns, &g, &err), expected);
  assert_null(g);
  if (strstr(err.text, text) == NULL) {
    fail_msg("'%s' is not in '%s'", text, err.text);
  }
}

DLS_TEST(trajectories_without_a_graph_are_refused)
{
  dls_trajectory *traj = table(4, names, DLS_HERMITE, 5, jumps);
  refused(traj, 0, (const size_t[]){1}, DLS_ERR_ARG, "at least one column");
  refused(traj, 1, (const size_t[]){4}, DLS_ERR_ARG, "column 4 does not exist");
  refused(traj, 1, (const size_t[]){3}, DLS_ERR_NOT_APPLICABLE, "column a0 is cubic");
  traj->meaning[2] = DLS_LINEAR;
  refused(traj, 2, (const size_t[]){1, 2}, DLS_ERR_NOT_APPLICABLE, "columns q0 and v0 mean different");
  traj->data[4] = NAN;
  refused(traj, 1, (const size_t[]){2}, DLS_ERR_NONFINITE, "t[1] = nan");
  traj->data[4] = 1.0;
  traj->data[6] = INFINITY;
  refused(traj, 1, (const size_t[]){2}, DLS_ERR_NONFINITE, "component 0 at t = 1");
  traj->data[6] = 1.0;
  traj->data[0] = 2.0;
  refused(traj, 1, (const size_t[]){2}, DLS_ERR_ARG, "before t[0] = 2");
  traj->rows = 1;
  refused(traj, 1, (const size_t[]){2}, DLS_ERR_ARG, "two rows, not 1 and 1");
  dls_trajectory_destroy(traj);

  traj = table(2, names, DLS_HERMITE, 2, (const double[]){0, 0, 1, 1});
  refused(traj, 1, (const size_t[]){1}, DLS_ERR_NOT_APPLICABLE, "column q0 is cubic");
  dls_trajectory_destroy(traj);
}

static double value(const dls_graph *g, double t, int side)
{
  double x = NAN;
  dls_graph_value(g, t, side, &x);
  return x;
}

DLS_TEST(value_has_two_sides_at_a_jump_and_is_constant_beyond_the_ends)
{
  dls_graph *g = GRAPH({0, 2}, {0, 3}, {1, 4}, {1, -4}, {3, 0}, {3, 7});
  assert_close(value(g, 1.0, -1), 4.0, 0.0);
  assert_close(value(g, 1.0, 0), -4.0, 0.0);
  assert_close(value(g, 1.0, 1), -4.0, 0.0);
  assert_close(value(g, 0.5, -1), 3.5, 1e-15);
  assert_close(value(g, 2.0, 1), -2.0, 1e-15);
  assert_close(value(g, 0.0, -1), 2.0, 0.0);
  assert_close(value(g, 0.0, 1), 3.0, 0.0);
  assert_close(value(g, -5.0, 1), 3.0, 0.0);
  assert_close(value(g, 9.0, -1), 0.0, 0.0);
  assert_close(value(g, 9.0, 1), 7.0, 0.0);
  dls_graph_destroy(g);
}

DLS_TEST(cubic_values_are_those_of_the_cubic)
{
  /* t^3 - 2 t from nodes at -1, 0.5, 3 */
  dls_graph *g = dls_graph_create(3, 1, true);
  const double t[] = {-1.0, 0.5, 3.0};
  for (size_t i = 0; i < 3; i++) {
    g->t[i] = t[i];
    g->x[i] = t[i] * t[i] * t[i] - 2.0 * t[i];
    g->slope[i] = 3.0 * t[i] * t[i] - 2.0;
  }
  for (double s = -1.0; s <= 3.0; s += 0.01) {
    assert_close(value(g, s, 1), s * s * s - 2.0 * s, 1e-14);
  }
  dls_graph_destroy(g);
}

static dls_graph *clipped(const dls_graph *g, double t0, double t1)
{
  dls_graph *out = NULL;
  dls_error err = {0};
  assert_ok(dls_graph_clip(g, t0, t1, &out, &err), err);
  return out;
}

DLS_TEST(clip_keeps_the_jumps_at_its_ends)
{
  /* the part of the filled-in graph with t0 <= t <= t1 */
  dls_graph *g = GRAPH({0, 0}, {1, 1}, {1, -1}, {3, 1}, {3, 5}, {4, 5}), *c = clipped(g, 1.0, 3.0);
  EXPECT_NODES(c, {1, 1}, {1, -1}, {3, 1}, {3, 5});
  dls_graph_destroy(c);
  c = clipped(g, 0.5, 2.0);
  EXPECT_NODES(c, {0.5, 0.5}, {1, 1}, {1, -1}, {2, 0});
  dls_graph_destroy(c);
  c = clipped(g, 1.5, 2.5); /* inside one piece */
  EXPECT_NODES(c, {1.5, -0.5}, {2.5, 0.5});
  dls_graph_destroy(c);
  c = clipped(g, -2.0, 0.5); /* what the graph does not cover is not made up */
  EXPECT_NODES(c, {0, 0}, {0.5, 0.5});
  dls_graph_destroy(c);
  c = clipped(g, 3.0, 3.0);
  EXPECT_NODES(c, {3, 1}, {3, 5});
  dls_graph_destroy(c);
  c = clipped(g, -1.0, 9.0);
  assert_int_equal(c->count, g->count);
  dls_graph_destroy(c);
  dls_graph_destroy(g);
}

DLS_TEST(clip_leaves_the_function_as_it_is)
{
  for (uint64_t n = 0; n < 50; n++) {
    uint64_t seed = random_seed(n);
    dls_graph *g = random_graph(15, 2, n % 2 == 0, &seed);
    const double end = g->t[14], t0 = 0.5 * end * random_unit(&seed), t1 = t0 + 0.5 * end * random_unit(&seed);
    dls_graph *c = clipped(g, t0, t1);
    for (double s = 0.0; s <= 1.0; s += 1.0 / 64.0) {
      const double t = t0 + s * (t1 - t0);
      double x[2], y[2];
      for (int side = -1; side < 2; side += 2) {
        dls_graph_value(g, t, side, x);
        dls_graph_value(c, t, side, y);
        assert_close(y[0], x[0], 1e-12);
        assert_close(y[1], x[1], 1e-12);
      }
    }
    dls_graph_destroy(g);
    dls_graph_destroy(c);
  }
}

DLS_TEST(clip_to_nothing_is_refused)
{
  dls_graph *g = GRAPH({0, 0}, {1, 1}), *c = NULL;
  dls_error err = {0};
  const double bad[][2] = {{2, 3}, {-2, -1}, {0.7, 0.3}, {NAN, 1}, {0, NAN}};
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(dls_graph_clip(g, bad[i][0], bad[i][1], &c, &err), DLS_ERR_ARG);
    assert_null(c);
  }
  assert_int_equal(dls_graph_clip(g, 2, 3, &c, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "[2, 3] is outside the graph, which covers [0, 1]");
  dls_graph_destroy(g);
  dls_graph_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_with_equal_t_are_a_chain),
      cmocka_unit_test(constant_columns_become_steps),
      cmocka_unit_test(constant_columns_step_through_a_chain),
      cmocka_unit_test(impulses_add_up_through_a_chain),
      cmocka_unit_test(hermite_columns_take_their_slopes_along),
      cmocka_unit_test(vector_graph_takes_columns_in_the_order_asked),
      cmocka_unit_test(trajectories_without_a_graph_are_refused),
      cmocka_unit_test(value_has_two_sides_at_a_jump_and_is_constant_beyond_the_ends),
      cmocka_unit_test(cubic_values_are_those_of_the_cubic),
      cmocka_unit_test(clip_keeps_the_jumps_at_its_ends),
      cmocka_unit_test(clip_leaves_the_function_as_it_is),
      cmocka_unit_test(clip_to_nothing_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
