/* test_allocation.c -- allocation number k of a whole run fails, for k = 1, 2, ... until all goes well: each time
 * there is an error, nothing crashes and nothing is left behind. The linker sends malloc and its kin here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
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

/* Three beads fall, bounce and come to rest. */
static dls_status job(const char *setting, dls_error *err)
{
  const double p[] = {3, 1, 0.1, 9.81, 0.5, 0.1};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(&dls_model_bead_column, p, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, &dls_scheme_event_driven, &sim, err);
  status = status != DLS_OK ? status : dls_sim_set(sim, setting, err);
  status = status != DLS_OK ? status : dls_run(sim, &(dls_run_spec){.end = 5}, err);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

static void every_failed_allocation_is_an_error(void **state)
{
  (void)state;
  const char *const settings[] = {"method=adams", "method=bdf"};
  for (size_t i = 0; i < 2; i++) {
    for (size_t k = 1;; k++) {
      dls_error err = {0};
      live = 0;
      failed = false;
      until_failure = k;
      const dls_status status = job(settings[i], &err);
      until_failure = 0;
      assert_int_equal(live, 0);
      if (!failed) {
        assert_ok(status, err);
        assert_true(k > 30);
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
