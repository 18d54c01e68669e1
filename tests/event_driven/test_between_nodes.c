/* test_between_nodes.c -- gap velocities, forces, accelerations, slip and multipliers between the nodes of event-driven runs and between the rows of
 * exact tables, against exact solutions. Many more cases: soak/soak_dense_output.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/graph.h>
#include <math.h>
#include <string.h>

enum { COUNT = 501 };

static bool is_near_event(const dls_trajectory *traj, double t, double distance)
{
  bool near = false;
  for (size_t i = 0; i < traj->event_count; i++) {
    near = near || fabs(traj->events[i].t - t) <= distance;
  }
  return near;
}

typedef struct errors {
  double between, node, scale;
} errors;

/* Largest error of a column at some of the times, `late` s off events or more. */
static double error_at(const dls_trajectory *traj, const dls_model_choice *choice, const char *column,
                       size_t count, const double *times, double late, double *scale)
{
  dls_error err = {0};
  dls_graph *graph = NULL;
  dls_trajectory *exact = NULL;
  double worst = 0;
  assert_ok(dls_exact_at(dls_exact_find(choice->model->name), choice->parameters, count, times, &exact, &err),
            err);
  const size_t from = (size_t)dls_trajectory_column(traj, column),
               to = (size_t)dls_trajectory_column(exact, column);
  assert_ok(dls_graph_of(traj, 1, &from, &graph, &err), err);
  for (size_t row = 0; row < exact->rows; row++) {
    const double t = dls_trajectory_at(exact, row, 0), value = dls_trajectory_at(exact, row, to);
    double x = 0;
    dls_graph_value(graph, t, 1, &x);
    *scale = fmax(*scale, fabs(value));
    if (!is_near_event(exact, t, late)) {
      worst = fmax(worst, fabs(x - value));
    }
  }
  dls_graph_destroy(graph);
  dls_trajectory_destroy(exact);
  return worst;
}

/* Between rows and at some of them. */
static errors compare(const dls_trajectory *traj, const char *model, const char *column, double end,
                      double late)
{
  dls_model_choice choice = dls_test_model(model);
  double times[COUNT];
  errors e = {0};
  for (size_t i = 0; i < COUNT; i++) {
    times[i] = end * ((double)i + 0.6180339887) / COUNT;
  }
  e.between = error_at(traj, &choice, column, COUNT, times, late, &e.scale);
  const size_t stride = 1 + traj->rows / COUNT;
  size_t count = 0;
  for (size_t row = 0; row < traj->rows; row += stride) {
    const double t = dls_trajectory_at(traj, row, 0);
    if (count == 0 || t > times[count - 1]) {
      times[count++] = t;
    }
  }
  e.node = error_at(traj, &choice, column, count, times, late, &e.scale);
  dls_model_choice_release(&choice);
  return e;
}

static const struct {
  const char *model, *column;
  double end;
} cases[] = {
    {"rough-bowl", "lambda0", 2},
    {"impacting-oscillator", "u0", 4},
    {"impacting-oscillator", "a0", 4},
    {"forced-block", "lambda0t", 20},
    {"rocking-block", "u0t", 3},
    {"puck", "a1", 0.4}, /* slip in space, to 4 % before its end, where directions have no accuracy left */
    {"puck", "lambda0t2", 0.4},
    {"vibrating-table", "u0", 4},
    {"rope", "u0", 3},
    {"lens-cardona-b", "mu0", 2},
};

DLS_TEST(columns_without_recorded_slopes_have_the_accuracy_of_the_run)
{
  static const char *const schemes[] = {"event-driven:tol=1e-4", "event-driven:tol=1e-8"};
  static const double tol[] = {1e-4, 1e-8};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    for (size_t s = 0; s < 2; s++) {
      test_run run = dls_test_run(cases[k].model, schemes[s], 1, cases[k].end);
      const errors e = compare(run.traj, cases[k].model, cases[k].column, cases[k].end, 100 * tol[s]);
      assert_between(e.between, 1e-16 * e.scale, 2 * e.node + 10 * tol[s] * e.scale);
      assert_between(e.node, 0, 20 * tol[s] * fmax(e.scale, 1));
      dls_test_free(&run);
    }
  }
}

/* The force of a contact that lasts jumps where it begins and vanishes where it ends, with a kink. */
DLS_TEST(tables_are_exact_between_their_rows_up_to_the_jumps)
{
  static const char *const model = "impacting-oscillator:q0=0.2,f=-1,amplitude=2,omega=2,e=0.2";
  static const char *const columns[] = {"lambda0", "a0", "u0"};
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  dls_model_choice choice = dls_test_model(model);
  assert_ok(dls_exact_trajectory(dls_exact_find(choice.model->name), choice.parameters, 6, 1e-12, &traj, &err),
            err);
  size_t landings = 0, rows = 0;
  for (size_t i = 0; i < traj->event_count; i++) {
    landings += traj->events[i].kind == DLS_LANDING || traj->events[i].kind == DLS_LIFT_OFF;
  }
  for (size_t i = 1; i < traj->rows; i++) {
    rows += dls_trajectory_at(traj, i, 0) == dls_trajectory_at(traj, i - 1, 0);
  }
  assert_between((double)landings, 1, 20);
  assert_int_equal(rows, traj->event_count);
  for (size_t k = 0; k < 3; k++) {
    const errors e = compare(traj, model, columns[k], 6, 0);
    assert_between(e.between, 0, 1e-10 * e.scale);
    assert_between(e.scale, 0.1, 10);
  }
  dls_trajectory_destroy(traj);
  dls_model_choice_release(&choice);
}

/* Rows at given times are nodes: they err by no more than the nodes of a record. */
DLS_TEST(rows_at_given_times_are_nodes)
{
  dls_error err = {0};
  double at[40];
  for (size_t i = 0; i < 40; i++) {
    at[i] = 0.05 * (double)i + 0.01;
  }
  dls_system *sys = dls_test_system("rough-bowl");
  dls_sim *sim = NULL;
  assert_ok(dls_sim_create(sys, dls_scheme_find("event-driven", NULL), &sim, &err), err);
  assert_ok(dls_sim_set(sim, "tol=1e-10", &err), err);
  dls_trajectory *traj = dls_sim_trajectory(sim, &err);
  const dls_run_spec spec = {.end = 2, .record = traj, .recording = {.at = at, .at_count = 40}};
  assert_ok(dls_run(sim, &spec, &err), err);
  assert_int_equal(traj->rows, 40);
  const size_t lambda = (size_t)dls_trajectory_column(traj, "lambda0");
  for (size_t i = 0; i < 40; i++) {
    assert_close(dls_trajectory_at(traj, i, 0), at[i], 0);
    assert_close(dls_trajectory_at(traj, i, lambda), dls_test_exact_value("rough-bowl", at[i], "lambda0"),
                 1e-8);
  }
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_without_recorded_slopes_have_the_accuracy_of_the_run),
      cmocka_unit_test(tables_are_exact_between_their_rows_up_to_the_jumps),
      cmocka_unit_test(rows_at_given_times_are_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
