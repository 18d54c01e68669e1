/* test_step_allocation.c -- schemes over inner runs: allocation number k fails, for k = 1, 2, ... until all goes well;
 * each time there is an error, nothing crashes and nothing is left behind. The linker sends malloc and its kin here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <delassus/law.h>

/* A ball falls and bounces, or a pendulum. data: names of a model and a scheme */
static dls_status job(const void *data, dls_error *err)
{
  const char *const *text = data;
  double p[16];
  const dls_model *entry = dls_model_find(text[0], err);
  dls_option_defaults(entry->parameters, p);
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(entry, p, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find(text[1], err), &sim, err);
  status = status != DLS_OK ? status : dls_sim_start(sim, err);
  const double end = 2 * (sys != NULL ? sys->time : 1);
  while (status == DLS_OK && sim->t < end) {
    status = dls_sim_advance(sim, sim->scheme->stepping == DLS_BY_SUBSTEP ? end / 30 : end - sim->t, err);
  }
  if (status == DLS_OK) {
    assert_true(sim->work.impacts > 0);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  static const char *const schemes[] = {"moreau-jean-adaptive", "moreau-jean-extrapolated",
                                        "moreau-jean-extrapolated-adaptive"};
  static const char *const models[] = {"bouncing-ball", "bouncing-pendulum"};
  for (size_t i = 0; i < 6; i++) {
    fail_each_in_turn(job, (const char *const[]){models[i % 2], schemes[i / 2]});
  }
}

/* Contacts with friction, in a run with a record and in a ledger. */
static dls_status rough_job(const dls_order_spec *spec, dls_error *err)
{
  dls_system *sys = NULL;
  dls_energy_ledger *ledger = NULL;
  dls_status status = dls_model_create(spec->model, spec->parameters, &sys, err);
  const dls_energy_spec energy = {.sys = sys, .choice = spec->schemes, .step = 0.01, .end = 0.6};
  status = status != DLS_OK ? status : dls_energy_run(&energy, &ledger, err);
  if (status == DLS_OK) {
    assert_true(ledger->friction < 0);
  }
  dls_energy_destroy(ledger);
  dls_system_destroy(sys);
  return status;
}

/* The model by the law fremond. */
static dls_status fremond_job(const void *model, dls_error *err)
{
  const dls_law *law = dls_catalogue_laws(NULL)[2];
  dls_model_choice choice = {0};
  dls_scheme_choice scheme;
  dls_status status = dls_scheme_choose("moreau-jean", &scheme, err);
  status = status != DLS_OK ? status : dls_model_choose("test", model, 0, NULL, &choice, err);
  status = status != DLS_OK ? status : dls_law_choose(law, "mu=0.4", &choice, err);
  const dls_order_spec spec = {.model = choice.model, .parameters = choice.parameters, .schemes = &scheme};
  status = status != DLS_OK ? status : rough_job(&spec, err);
  dls_model_choice_release(&choice);
  return status;
}

DLS_TEST(friction_without_memory_is_an_error)
{
  static const char *const models[] = {"bounce-slip", "sphere", "incline-stack"};
  assert_string_equal(dls_catalogue_laws(NULL)[2]->name, "fremond");
  for (size_t i = 0; i < 3; i++) {
    dls_error err = {0};
    const size_t failures = fail_each_in_turn(fremond_job, dls_model_find(models[i], &err));
    assert_between((double)failures, 50, 2000);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
      cmocka_unit_test(friction_without_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
