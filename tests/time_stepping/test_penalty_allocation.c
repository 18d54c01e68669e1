/* test_penalty_allocation.c -- penalty and soft contact: allocation number k fails, for k = 1, 2, ... until all goes well; each
 * time there is an error, nothing crashes and nothing is left behind; and a step allocates nothing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>

static const char *const jobs[][3] = {{"bouncing-ball", "conserving-penalty", "mass=10"},
                                      {"bouncing-pendulum", "conserving-penalty", "mass=10"},
                                      {"bead-column", "conserving-penalty", "mass=10"},
                                      {"rod-impact", "conserving-penalty", "continuum=hht"},
                                      {"bead-column", "standard-penalty", "kappa=1e4"},
                                      {"random-linear", "spring-damper", "continuum=trapezoidal"},
                                      {"bouncing-pendulum", "spring-damper", "law=hunt-crossley"},
                                      {"bouncing-ball", "mujoco", "restitution=own"},
                                      {"bead-column", "sap", "restitution=own"},
                                      {"bouncing-pendulum", "icf", "restitution=fit"},
                                      {"bead-column", "ipc", "restitution=own"},
                                      {"bouncing-pendulum", "ipc", "restitution=own"},
                                      {"bouncing-pendulum-cartesian", "ipc", "restitution=own"}};

/* With friction: W of the rows in question is factored as contacts close. */
static const char *const rough_jobs[][3] = {{"sphere", "conserving-penalty", "theta=0.7"},
                                            {"incline-stack", "standard-penalty", "kappa=1e4"},
                                            {"bounce-slip", "spring-damper", "friction=tanh"},
                                            {"sphere", "mujoco", "restitution=own"},
                                            {"incline-stack", "sap", "restitution=own"},
                                            {"bounce-slip", "icf", "restitution=own"},
                                            {"sphere", "ipc", "restitution=own"},
                                            {"incline-stack", "ipc", "restitution=own"}};

/* @param[in] still  from the start on no allocation is allowed */
static dls_status job(const char *const *text, bool still, dls_error *err)
{
  double p[16];
  const dls_model *entry = dls_model_find(text[0], err);
  dls_option_defaults(entry->parameters, p);
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(entry, p, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find(text[1], err), &sim, err);
  status = status != DLS_OK ? status : dls_sim_set(sim, text[2], err);
  status = status != DLS_OK ? status : dls_sim_start(sim, err);
  for (size_t k = 0; status == DLS_OK && k < 200; k++) {
    until_failure = still ? 1 : until_failure;
    status = dls_sim_advance(sim, 0.01, err);
  }
  if (status == DLS_OK) {
    assert_true(sim->work.newton_iterations > 0);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

static dls_status failing_job(const void *text, dls_error *err)
{
  return job(text, false, err);
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
    fail_each_in_turn(failing_job, jobs[i]);
  }
  for (size_t i = 0; i < sizeof rough_jobs / sizeof rough_jobs[0]; i++) {
    fail_each_in_turn(failing_job, rough_jobs[i]);
  }
}

static void steps_allocate_nothing(const char *const (*texts)[3], size_t count)
{
  for (size_t i = 0; i < count; i++) {
    dls_error err = {0};
    failed = false;
    assert_ok(job(texts[i], true, &err), err);
    assert_false(failed);
    until_failure = 0;
  }
}

DLS_TEST(a_step_allocates_nothing)
{
  steps_allocate_nothing(jobs, sizeof jobs / sizeof jobs[0]);
  steps_allocate_nothing(rough_jobs, sizeof rough_jobs / sizeof rough_jobs[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
      cmocka_unit_test(a_step_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
