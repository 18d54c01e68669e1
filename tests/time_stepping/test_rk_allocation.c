/* test_rk_allocation.c -- the Runge-Kutta schemes: allocation number k fails, for k = 1, 2, ... until all goes well;
 * each time there is an error, nothing crashes and nothing is left behind. The linker sends malloc and its kin here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/catalogue.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

static size_t until_failure; /* 0: no allocation fails */
static bool failed;
static long live; /* blocks handed out and not freed yet */

static bool fails(void)
{
  failed = failed || until_failure == 1;
  return until_failure > 0 && --until_failure == 0;
}

static void *count(void *block)
{
  live += block != NULL;
  return block;
}

void *__wrap_malloc(size_t size)
{
  return fails() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
  return fails() ? NULL : count(__real_calloc(number, size));
}

void *__wrap_realloc(void *block, size_t size)
{
  if (fails()) {
    return NULL;
  }
  live -= block != NULL;
  return count(__real_realloc(block, size));
}

char *__wrap_strdup(const char *text)
{
  return fails() ? NULL : count(__real_strdup(text));
}

void __wrap_free(void *block)
{
  live -= block != NULL;
  __real_free(block);
}

static dls_status job(const char *model, const char *scheme, const char *option, dls_error *err)
{
  double p[16];
  const dls_model *entry = dls_model_find(model, err);
  dls_option_defaults(entry->parameters, p);
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(entry, p, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find(scheme, err), &sim, err);
  status = status != DLS_OK ? status : dls_sim_set(sim, option, err);
  status = status != DLS_OK ? status : dls_sim_start(sim, err);
  for (size_t k = 0; status == DLS_OK && k < 60; k++) {
    status = dls_sim_advance(sim, 0.02, err);
  }
  if (status == DLS_OK) {
    assert_true(sim->work.impacts > 0);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

static void every_failed_allocation_is_an_error(void **state)
{
  (void)state;
  static const char *const jobs[][3] = {
      {"bouncing-ball", "rk-moreau", "method=rk4"},
      {"bouncing-ball", "rk-moreau", "method=radau3"},
      {"bouncing-pendulum", "rk-moreau", "method=gauss4"},
      {"bouncing-ball", "splitting-rkf45", "contact_forces=on"},
      {"bead-column", "rk-moreau", "method=gauss4"},
  };
  for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
    for (size_t k = 1;; k++) {
      dls_error err = {0};
      live = 0;
      failed = false;
      until_failure = k;
      const dls_status status = job(jobs[i][0], jobs[i][1], jobs[i][2], &err);
      until_failure = 0;
      assert_int_equal(live, 0);
      if (!failed) {
        assert_ok(status, err);
        break;
      }
      assert_int_equal(status, DLS_ERR_MEMORY);
      assert_true(strlen(err.text) > 0);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
