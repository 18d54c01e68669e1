/* tests/experiments/test_machine.c -- what a study says about its machine; loops whose turns go on at the same time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/campaign/machine.h"
#include "experiments/campaign/parallel.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The name that /proc/cpuinfo has, where it has one. */
DLS_TEST(the_processor_is_named)
{
  char cpu[DLS_CPU_ROOM], line[512];
  bool named = false, found = false;
  FILE *info = fopen("/proc/cpuinfo", "r");
  dls_machine_cpu(cpu, sizeof cpu);
  while (info != NULL && fgets(line, sizeof line, info) != NULL) {
    named = named || strncmp(line, "model name", 10) == 0;
    found = found || (strncmp(line, "model name", 10) == 0 && strstr(line, cpu) != NULL);
  }
  if (info != NULL) {
    fclose(info);
  }
  assert_int_equal(named, found);
  assert_true(named || strcmp(cpu, "unknown") == 0);
  assert_true(dls_machine_processors() >= 1);
}

typedef struct meeting {
  pthread_mutex_t lock;
  pthread_cond_t arrived;
  size_t there, expected, met, turns[8];
} meeting;

/* Waits, ten seconds at most, until all are there. */
static void meet(void *data, size_t i)
{
  meeting *m = data;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 10;
  pthread_mutex_lock(&m->lock);
  m->turns[i]++;
  m->there++;
  pthread_cond_broadcast(&m->arrived);
  int waited = 0;
  while (m->there < m->expected && waited == 0) {
    waited = pthread_cond_timedwait(&m->arrived, &m->lock, &until);
  }
  m->met += m->there >= m->expected;
  pthread_mutex_unlock(&m->lock);
}

DLS_TEST(turns_of_a_loop_go_on_side_by_side)
{
  meeting m = {.lock = PTHREAD_MUTEX_INITIALIZER, .arrived = PTHREAD_COND_INITIALIZER, .expected = 3};
  dls_parallel_for(3, 8, meet, &m);
  assert_int_equal(m.met, 8);
  for (size_t i = 0; i < 8; i++) {
    assert_int_equal(m.turns[i], 1);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_processor_is_named),
      cmocka_unit_test(turns_of_a_loop_go_on_side_by_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
