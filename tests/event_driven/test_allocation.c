/* test_allocation.c -- allocation number k of a whole run fails, for k = 1, 2, ... until all goes well: each time
 * there is an error, nothing crashes and nothing is left behind. The linker sends malloc and its kin here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "failing_malloc.h"
#include <delassus/sensitivity.h>
#include <string.h>

extern const dls_model dls_model_bounce_slip, dls_model_puck_belt;

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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
