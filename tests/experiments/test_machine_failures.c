/* test_machine_failures.c -- what is said about the machine needs no memory: a picture names the processor whatever happens.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/campaign/machine.h"
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static bool no_memory;

#define FAILING_OPEN(name, parameters, arguments)                                                              \
  FILE *__real_##name parameters;                                                                              \
  FILE *__wrap_##name parameters;                                                                              \
  FILE *__wrap_##name parameters                                                                               \
  {                                                                                                            \
    errno = ENOMEM;                                                                                            \
    return no_memory ? NULL : __real_##name arguments;                                                         \
  }
FAILING_OPEN(fopen, (const char *path, const char *mode), (path, mode))

DLS_TEST(processor_and_load_need_no_memory)
{
  char cpu[DLS_CPU_ROOM], without[DLS_CPU_ROOM];
  dls_machine_cpu(cpu, sizeof cpu);
  const double load = dls_machine_load();
  no_memory = true;
  dls_machine_cpu(without, sizeof without);
  assert_string_equal(without, cpu);
  assert_int_equal(isnan(dls_machine_load()), isnan(load));
  no_memory = false;
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(processor_and_load_need_no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
