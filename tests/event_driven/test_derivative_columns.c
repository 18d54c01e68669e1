/* test_derivative_columns.c -- derivatives of gaps and their velocities beside the record of a run: equal to those of q and v where the gap is
 * q, formulas of a moving support, and 0 on a contact that stays closed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/derivative_columns.h"
#include "driven.h"
#include "tangent_run.h"

extern const dls_model dls_model_vibrating_table, dls_model_rough_bowl;

/* The run of a model and its record with derivatives by one parameter. */
static void record(const dls_model *model, const double *p, const char *by, double end, tangent_run *t)
{
  dls_derivative_columns columns = {0};
  dls_error err = {0};
  prepare(t, model, p, (const char *const[]){by, NULL}, NULL);
  advance_to(t, end, dls_derivative_columns_watch, &columns);
  assert_ok(dls_derivative_columns_join(&columns, t->run.sim, t->run.traj, &err), err);
  dls_derivative_columns_release(&columns);
}

static double value_of(const tangent_run *t, size_t row, const char *of, const char *by)
{
  char name[60];
  snprintf(name, sizeof name, "d%s/d%s", of, by);
  const int column = dls_trajectory_column(t->run.traj, name);
  assert_true(column >= 0);
  return dls_trajectory_at(t->run.traj, row, (size_t)column);
}

DLS_TEST(gaps_that_are_coordinates_have_their_derivatives)
{
  const char *const by[] = {"q0", "v0", "e", "f"};
  for (size_t k = 0; k < 4; k++) {
    double p[PARAMETERS];
    tangent_run t;
    read_parameters(&dls_model_bouncing_ball, NULL, p);
    record(&dls_model_bouncing_ball, p, by[k], 2.5, &t);
    assert_true(t.run.traj->rows > 10);
    for (size_t i = 0; i < t.run.traj->rows; i++) {
      const double dq = value_of(&t, i, "q0", by[k]), dv = value_of(&t, i, "v0", by[k]);
      assert_close(value_of(&t, i, "g0", by[k]), dq, 1e-13 * (1 + fabs(dq)));
      assert_close(value_of(&t, i, "u0", by[k]), dv, 1e-13 * (1 + fabs(dv)));
    }
    release(&t);
  }
}

/* g = q - A sin(omega t + phase) */
DLS_TEST(moving_supports_move_gaps)
{
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_vibrating_table, NULL, p);
  const double omega = p[dls_option_find(dls_model_vibrating_table.parameters, "omega")],
               phase = p[dls_option_find(dls_model_vibrating_table.parameters, "phase")];
  record(&dls_model_vibrating_table, p, "A", 0.5, &t);
  for (size_t i = 0; i < t.run.traj->rows; i++) {
    const double time = dls_trajectory_at(t.run.traj, i, 0), dq = value_of(&t, i, "q0", "A"),
                 dv = value_of(&t, i, "v0", "A");
    assert_close(value_of(&t, i, "g0", "A"), dq - sin(omega * time + phase), 1e-9 * (1 + fabs(dq)));
    assert_close(value_of(&t, i, "u0", "A"), dv - omega * cos(omega * time + phase), 1e-8 * (1 + fabs(dv)));
  }
  release(&t);
}

/* A contact that stays closed: D g = D u = 0 all along, with the radius that the gap depends on. */
DLS_TEST(closed_contacts_stay_closed)
{
  const char *const by[] = {"R", "mu", "g"};
  for (size_t k = 0; k < 3; k++) {
    double p[PARAMETERS], size = 0, worst = 0;
    tangent_run t;
    read_parameters(&dls_model_rough_bowl, NULL, p);
    record(&dls_model_rough_bowl, p, by[k], 1, &t);
    for (size_t i = 0; i < t.run.traj->rows; i++) {
      size = fmax(size, fmax(fabs(value_of(&t, i, "q0", by[k])), fabs(value_of(&t, i, "v0", by[k]))));
      worst = fmax(worst, fmax(fabs(value_of(&t, i, "g0", by[k])), fabs(value_of(&t, i, "u0", by[k]))));
    }
    assert_between(worst / size, 0, 1e-9);
    release(&t);
  }
}

/* a, lambda and p need derivatives of forces; q, v, g and u, or no rows at all, do not. */
DLS_TEST(columns_of_motion_need_no_derivatives_of_forces)
{
  const struct {
    const char *letters;
    bool needed;
  } cases[] = {{"qvgu", false}, {"s", false}, {"a", true}, {"l", true}, {"p", true}, {"qvp", true}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double p[PARAMETERS];
    bool keep[40] = {false};
    tangent_run t;
    read_parameters(&dls_model_rough_bowl, NULL, p);
    prepare(&t, &dls_model_rough_bowl, p, (const char *const[]){"R", NULL}, NULL);
    assert_true(t.run.traj->columns <= 40 && dls_derivative_columns_need_forces(t.run.sim, t.run.traj, NULL));
    for (size_t j = 1; j < t.run.traj->columns; j++) {
      keep[j] = strchr(cases[i].letters, t.run.traj->names[j][0]) != NULL;
    }
    assert_int_equal(dls_derivative_columns_need_forces(t.run.sim, t.run.traj, keep), cases[i].needed);
    t.run.traj->skip_nodes = true;
    assert_false(dls_derivative_columns_need_forces(t.run.sim, t.run.traj, NULL));
    release(&t);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaps_that_are_coordinates_have_their_derivatives),
      cmocka_unit_test(moving_supports_move_gaps),
      cmocka_unit_test(closed_contacts_stay_closed),
      cmocka_unit_test(columns_of_motion_need_no_derivatives_of_forces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
