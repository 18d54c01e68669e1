/* test_rigorous_allocation.c -- enclosures of solutions and of distances: allocation number k fails, for k = 1, 2, ... until all goes
 * well; each time there is an error, nothing crashes and nothing is left behind. What the library of balls allocates fails in a test of its
 * own, since it is left behind then.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include "rigorous_problem.h"
#include <flint/flint.h>
#include <gmp.h>
#include <sys/wait.h>
#include <unistd.h>

static void *resize_of_gmp(void *block, size_t before, size_t size)
{
  (void)before;
  return __real_realloc(block, size);
}

static void free_of_gmp(void *block, size_t size)
{
  (void)size;
  __real_free(block);
}

/* Allocation k fails, in a process of its own. @return did one of balls fail? */
static bool a_ball_fails(const dls_rigorous_problem *problem, size_t k)
{
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dls_error err = {0}, later = {0};
    failed = false;
    until_failure = k;
    const dls_status status = rigorous_solve(problem, &err);
    until_failure = 0;
    const bool ball = strcmp(err.text, "no memory for ball arithmetic") == 0;
    const dls_status again =
        rigorous_solve(problem, &later); /* refused after a failure of balls, otherwise not */
    const bool refused =
        again == DLS_ERR_MEMORY && strstr(later.text, "start a new process for this proof") != NULL;
    const bool right = failed && status == DLS_ERR_MEMORY && (ball ? refused : again == DLS_OK);
    _exit(right ? ball : 2);
  }
  int state = 0;
  assert_int_equal(waitpid(child, &state, 0), child);
  assert_true(WIFEXITED(state) && WEXITSTATUS(state) < 2);
  return WEXITSTATUS(state) == 1;
}

DLS_TEST(balls_without_memory_are_an_error)
{
  model_text text;
  dls_error err = {0};
  const dls_rigorous_problem problem = problem_of("rope", "0.8", &text);
  size_t errors = 0;
  for (size_t k = 1; k <= 400; k += 7) {
    errors += a_ball_fails(&problem, k);
  }
  assert_between((double)errors, 20, 58);
  assert_ok(rigorous_solve(&problem, &err), err);
  /* from here on those of balls succeed */
  __flint_set_memory_functions(__real_malloc, __real_calloc, __real_realloc, __real_free);
  mp_set_memory_functions(__real_malloc, resize_of_gmp, free_of_gmp);
}

DLS_TEST(a_table_without_memory_is_an_error)
{
  static const char *const models[] = {"rope", "puck"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    model_text text;
    dls_rigorous_problem problem = problem_of(models[i], "0.8", &text);
    assert_between((double)fail_each_in_turn(rigorous_solve, &problem), 10, 5000);
    problem.time_count = 2;
    problem.times = (const char *const[]){"0", "0.25"};
    assert_between((double)fail_each_in_turn(rigorous_solve, &problem), 10, 5000);
  }
}

DLS_TEST(a_distance_without_memory_is_an_error)
{
  double t[NODES], x[NODES];
  model_text text;
  dls_rigorous_distance_problem problem = chords(&text, t, x);
  problem.norm = DLS_RIGOROUS_HAUSDORFF;
  assert_between((double)fail_each_in_turn(rigorous_measure, &problem), 2, 1000);
  problem.norm = DLS_RIGOROUS_L1;
  assert_between((double)fail_each_in_turn(rigorous_measure, &problem), 2, 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls_without_memory_are_an_error),
      cmocka_unit_test(a_table_without_memory_is_an_error),
      cmocka_unit_test(a_distance_without_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
