/* test_allocation.c -- allocation number k of a whole run fails, for k = 1, 2, ... until all goes well: each time
 * there is an error, nothing crashes and nothing is left behind. The linker sends malloc and its kin here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "failing_malloc.h"
#include <delassus/sensitivity.h>
#include <string.h>

extern const dls_model dls_model_bounce_slip, dls_model_puck_belt, dls_model_random_linear;

typedef struct run_case {
  const dls_model *model;
  const char *setting, *by; /* by: of a derivative; NULL: none */
  bool backward;            /* by the adjoint equation */
} run_case;

/* Three beads fall, bounce and come to rest; a sphere slips through its bounces and rolls; a puck stops on a belt. */
static dls_status job(const void *data, dls_error *err)
{
  const run_case *what = data;
  const double beads[] = {3, 1, 0.1, 9.81, 0.5, 0.1};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_direction direction = {.count = 0};
  dls_status status =
      dls_model_create(what->model, what->model == &dls_model_bead_column ? beads : NULL, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, &dls_scheme_event_driven, &sim, err);
  status = status != DLS_OK ? status : dls_sim_set(sim, what->setting, err);
  if (status == DLS_OK && what->by != NULL) {
    status = dls_direction_create(what->model, NULL, what->by, &direction, err);
    status = status != DLS_OK ? status
             : what->backward ? dls_sim_differentiate_backward(sim, 1, &direction, err)
                              : dls_sim_differentiate(sim, 1, &direction, err);
  }
  status = status != DLS_OK ? status : dls_run(sim, &(dls_run_spec){.end = 5}, err);
  if (status == DLS_OK && what->backward) {
    double gradient = 0;
    status = dls_sim_gradient(sim, &(dls_functional){.of = DLS_OF_ENERGY}, &gradient, err);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  dls_direction_release(&direction);
  return status;
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  const run_case cases[] = {{&dls_model_bead_column, "method=adams", NULL, false},
                            {&dls_model_bead_column, "method=bdf", NULL, false},
                            {&dls_model_bead_column, "method=erk", NULL, false},
                            {&dls_model_bead_column, "method=flow", NULL, false},
                            {&dls_model_bounce_slip, "method=adams", NULL, false},
                            {&dls_model_puck_belt, "method=adams", NULL, false},
                            {&dls_model_bounce_slip, "method=adams", "mu", false},
                            {&dls_model_bounce_slip, "method=adams", "mu", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_between((double)fail_each_in_turn(job, &cases[i]), 30,
                   cases[i].by == NULL ? 500
                   : cases[i].backward ? 1000
                                       : 600);
  }
}

/* A contact comes to rest and lifts off, then comes to rest again: the run ends where the second accumulation does. Behind it there is
 * nothing to compute, so that its map is applied with the matrices of the gradient before. Where allocation k of a gradient fails, the next
 * gradient of the run is the same as without. */
DLS_TEST(a_gradient_behind_one_that_failed_is_the_same)
{
  dls_error err = {0};
  double p[16], t = 0, expected = 0, gradient = 0;
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_direction direction = {.count = 0};
  const dls_functional J = {.of = DLS_OF_VELOCITY};
  dls_option_defaults(dls_model_random_linear.parameters, p);
  p[dls_option_find(dls_model_random_linear.parameters, "n")] = 4;
  p[dls_option_find(dls_model_random_linear.parameters, "m")] = 1;
  p[dls_option_find(dls_model_random_linear.parameters, "seed")] = 2;
  p[dls_option_find(dls_model_random_linear.parameters, "e")] = 0.3;
  assert_ok(dls_direction_create(&dls_model_random_linear, p, "e", &direction, &err), err);
  for (int last = 0; last < 2; last++) {
    assert_ok(dls_model_create(&dls_model_random_linear, p, &sys, &err), err);
    assert_ok(dls_sim_create(sys, &dls_scheme_event_driven, &sim, &err), err);
    assert_ok(dls_sim_differentiate_backward(sim, 1, &direction, &err), err);
    assert_ok(dls_run(sim, &(dls_run_spec){.end = last ? t : 4}, &err), err);
    for (size_t i = 0; i < sim->sensitivity->event_count; i++) {
      t = sim->sensitivity->event[i].kind == DLS_ACCUMULATION ? sim->sensitivity->event[i].t : t;
    }
    if (last == 0) {
      dls_sim_destroy(sim);
      dls_system_destroy(sys);
    }
  }
  assert_true(sim->t == t && t > 3);
  assert_ok(dls_sim_gradient(sim, &J, &expected, &err), err);
  dls_status status = DLS_ERR_MEMORY;
  for (size_t k = 1; status != DLS_OK; k++) {
    until_failure = k;
    status = dls_sim_gradient(sim, &J, &gradient, &err);
    until_failure = 0;
    assert_true(status == DLS_OK || status == DLS_ERR_MEMORY);
    assert_ok(dls_sim_gradient(sim, &J, &gradient, &err), err);
    assert_true(gradient == expected);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  dls_direction_release(&direction);
}

enum { BALLS = 65 }; /* the memory for accumulations is at first that of 64 contacts */

static void weigh(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -1;
  }
}

static dls_system *make_balls(double e)
{
  dls_system *sys = dls_system_create(BALLS, BALLS);
  if (sys != NULL && (sys->M = dls_matrix_diagonal(BALLS)) != NULL &&
      (sys->H = dls_matrix_diagonal(BALLS)) != NULL) {
    sys->linear = true;
    sys->load = weigh;
    sys->steady_load = true;
    sys->explicit_time = DLS_TIME_NONE;
    for (size_t i = 0; i < BALLS; i++) {
      dls_matrix_set(sys->M, i, i, 1);
      dls_matrix_set(sys->H, i, i, 1);
      sys->e[i] = e;
      sys->q0[i] = 0.5;
    }
  }
  return sys;
}

/* Balls that bounce together come to rest at t = 1 + 2 e/(1 - e) = 3. Allocation number k from t = 2 on fails. */
static dls_status rest_together(size_t k, dls_error *err)
{
  dls_direction direction = {.name = "e", .value = 0.5, .count = 2, .weight = {-50, 50}};
  dls_system *sys = make_balls(0.5);
  dls_sim *sim = NULL;
  for (size_t i = 0; i < 2; i++) {
    direction.system[i] = make_balls(0.5 + (i == 0 ? -0.01 : 0.01));
  }
  assert_ok(dls_sim_create(sys, &dls_scheme_event_driven, &sim, err), *err);
  assert_ok(dls_sim_differentiate(sim, 1, &direction, err), *err);
  assert_ok(dls_run(sim, &(dls_run_spec){.end = 2}, err), *err);
  failed = false;
  until_failure = k;
  dls_status status = DLS_OK;
  while (status == DLS_OK && sim->t < 3.5) {
    status = dls_sim_advance(sim, 3.5 - sim->t, err);
  }
  until_failure = 0;
  if (status == DLS_OK) {
    assert_close(sim->sensitivity->tangent[0].dt, 8, 1e-5); /* impacts of 1e-7 m/s have lost digits */
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  dls_direction_release(&direction);
  return status;
}

/* Larger accumulations ask for more, once for the motion and once for the derivatives; if there is none the run ends with an error. */
DLS_TEST(accumulations_of_many_contacts_ask_for_memory)
{
  size_t k = 0;
  do {
    dls_error err = {0};
    live = 0;
    memset(live_blocks, 0, sizeof live_blocks);
    const dls_status status = rest_together(++k, &err);
    assert_int_equal(status, failed ? DLS_ERR_MEMORY : DLS_OK);
    assert_int_equal(live, 0);
  } while (failed);
  assert_between((double)k, 20, 60);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
      cmocka_unit_test(a_gradient_behind_one_that_failed_is_the_same),
      cmocka_unit_test(accumulations_of_many_contacts_ask_for_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
