/* test_exact_units.c -- exact solutions in other units of mass, length and time are the same numbers, to the last bit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "units.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 24, MOST_PARAMETERS = 32 };

static void assert_same(const char *text)
{
  dls_error err = {0};
  dls_trajectory *old = NULL, *new = NULL;
  dls_model_choice choice = dls_test_model(text);
  dls_system *sys = dls_test_system(text);
  const dls_exact *exact = dls_exact_find(choice.model->name);
  double p[MOST_PARAMETERS], times[TIMES], new_times[TIMES];
  dls_test_new_units(choice.model, choice.parameters, p);
  for (int k = 0; k < TIMES; k++) {
    times[k] = 0.0625 * sys->time * k;
    new_times[k] = times[k] * dls_test_unit("s");
  }
  assert_ok(dls_exact_at(exact, choice.parameters, TIMES, times, &old, &err), err);
  assert_ok(dls_exact_at(exact, p, TIMES, new_times, &new, &err), err);
  assert_int_equal(old->rows, new->rows);
  for (size_t i = 0; i < old->rows * old->columns; i++) {
    const char *name = old->names[i % old->columns];
    const double unit = dls_test_unit_of_column(sys, name);
    if (unit != 0 && new->data[i] / unit != old->data[i]) {
      fail_msg("%s: %s of row %zu is %.17g and %.17g", text, name, i / old->columns, old->data[i],
               new->data[i] / unit);
    }
  }
  dls_trajectory_destroy(old);
  dls_trajectory_destroy(new);
  dls_system_destroy(sys);
  dls_model_choice_release(&choice);
}

DLS_TEST(every_exact_solution_in_any_units)
{
  for (const dls_exact *const *e = dls_exacts(); *e != NULL; e++) {
    const char *name = (*e)->model->name;
    if (strcmp(name, "rod-impact") != 0) { /* of unit data */
      assert_same(strcmp(name, "spin-up-beam") == 0 ? "spin-up-beam:rise=0" : name);
    }
  }
}

DLS_TEST(other_motions_in_any_units)
{
  static const char *const texts[] = {"impacting-oscillator:c=0.2,amplitude=0.5,omega=1.7,e=0.6",
                                      "impacting-oscillator:f=-2,e=0",
                                      "bouncing-ball:e=0.9,f=-9.81,v0=1",
                                      "belt:Fs=1.5",
                                      "puck:mu=0.15",
                                      "puck:mu=0.5",
                                      "forced-block:F=0.3",
                                      "rough-bowl:mu=0.3",
                                      "superball:e=0.8",
                                      "rope:e=0.5",
                                      "incline:mu=0.7,v0=2"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    assert_same(texts[k]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_exact_solution_in_any_units),
      cmocka_unit_test(other_motions_in_any_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
