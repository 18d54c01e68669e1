/* test_accumulation.c -- accumulations in runs: the same end at every tolerance, impulses that explain the jumps of v.
 * The system: impacts of two contacts alternate; each shortens the flights of the other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"

extern const dls_model dls_model_random_linear;

static ed_run alternating(const char *tol)
{
  static const char *const parameters[] = {"n=5",       "m=3",          "seed=265686", "e=0.327",
                                           "damping=0", "amplitude=10", "omega=0",     NULL};
  return ed_system(ed_model(&dls_model_random_linear, parameters), 0.75, (const char *const[]){tol, NULL});
}

static double apart(const ed_run *a, const ed_run *b)
{
  double most = 0;
  for (size_t i = 0; i < a->sys->n; i++) {
    most = fmax(most, fmax(fabs(a->sim->q[i] - b->sim->q[i]), fabs(a->sim->v[i] - b->sim->v[i])));
  }
  return most;
}

static void the_end_follows_the_tolerance(void **state)
{
  (void)state;
  static const struct {
    const char *tol;
    double most; /* 10 tol */
  } cases[] = {{"tol=1e-6", 1e-5}, {"tol=1e-8", 1e-7}, {"tol=1e-10", 1e-9}};
  ed_run good = alternating("tol=1e-12");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ed_run run = alternating(cases[i].tol);
    assert_between(apart(&run, &good), 1e-15, cases[i].most);
    ed_end(&run);
  }
  ed_end(&good);
}

/* M (v+ - v-) = H p wherever two rows have the same t. */
static void every_jump_of_v_has_its_impulse(void **state)
{
  (void)state;
  ed_run run = alternating("tol=1e-8");
  const size_t n = run.sys->n, m = run.sys->m, width = run.traj->columns;
  size_t jumps = 0;
  for (size_t row = 1; row < run.traj->rows; row++) {
    const double *a = &run.traj->data[(row - 1) * width], *b = a + width;
    for (size_t i = 0; a[0] == b[0] && i < n; i++) {
      double balance = 0;
      for (size_t j = 0; j < n; j++) {
        balance += dls_matrix_get(run.sys->M, i, j) * (b[1 + n + j] - a[1 + n + j]);
      }
      for (size_t j = 0; j < m; j++) {
        balance -= dls_matrix_get(run.sys->H, i, j) * b[1 + 2 * n + 2 * m + j];
      }
      assert_close(balance, 0, 1e-13);
    }
    jumps += a[0] == b[0];
  }
  assert_between((double)jumps, 20, 100);
  ed_end(&run);
}

static void the_event_names_its_contacts(void **state)
{
  (void)state;
  ed_run run = alternating("tol=1e-10");
  const dls_event *first = ed_event(&run, DLS_ACCUMULATION, 0), *second = ed_event(&run, DLS_ACCUMULATION, 1);
  assert_int_equal(first->contact, 0);
  assert_int_equal(second->contact, 1);
  assert_true(first->t == second->t && first->time_end == first->t);
  assert_true(first->members == 2 && second->members == 2 && first->impacts == second->impacts);
  assert_between((double)first->impacts, 5, 200);
  assert_between(first->duration, 1e-13, 1e-9); /* 10 tol t_s */
  assert_between(first->bound, 1e-17, 1e-12);
  assert_between(first->bound_velocity, 1e-17, 1e-10);
  assert_between(first->bound_time, 1e-18, 1e-10); /* that of the flights before it counts */
  size_t row = 0;
  while (ed_at(&run, row, "t") < first->t) {
    row++;
  }
  assert_true(ed_at(&run, row + 1, "t") == first->t); /* both limits; the right one has the impulses */
  assert_true(ed_at(&run, row + 1, "p0") == first->impulse && first->impulse > 0);
  assert_true(ed_at(&run, row + 1, "p1") == second->impulse && second->impulse > 0);
  assert_close(ed_at(&run, row, "u0"), first->u_minus, 1e-13);
  ed_end(&run);
}

/* The end of the run lies inside the time that would be passed: the motion is followed up to it. */
static void nothing_is_passed_beyond_the_end(void **state)
{
  (void)state;
  const double end = 3 - 1e-9; /* the last impact is at t = 3 */
  ed_run run = ed_system(ed_model(&dls_model_bouncing_ball, NULL), end, NULL);
  assert_int_equal(ed_count(&run, DLS_ACCUMULATION), 0);
  assert_close(run.sim->q[0], 0, 1e-15);
  assert_between(fabs(run.sim->v[0]), 0, 2e-9);
  ed_end(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_end_follows_the_tolerance),
      cmocka_unit_test(every_jump_of_v_has_its_impulse),
      cmocka_unit_test(the_event_names_its_contacts),
      cmocka_unit_test(nothing_is_passed_beyond_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
