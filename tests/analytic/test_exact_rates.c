/* test_exact_rates.c -- v is the rate of q and a that of v, for every exact solution, wherever no event is near.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIPLES = 20 };

static bool has_event(const dls_trajectory *traj, double from, double to)
{
  for (size_t i = 0; i < traj->event_count; i++) {
    if (traj->events[i].t >= from && traj->events[i].t <= to) {
      return true;
    }
  }
  return false;
}

/* |(x(t + h) - x(t - h))/2h - x'(t)| beside the largest |x'|. @return how many instants were looked at */
static size_t check_rates(const char *text, const dls_trajectory *traj, const dls_system *sys, char of,
                          char rate, double h)
{
  size_t seen = 0;
  for (size_t i = 0; i < sys->n; i++) {
    char names[2][32];
    snprintf(names[0], sizeof names[0], "%c%zu", of, i);
    snprintf(names[1], sizeof names[1], "%c%zu", rate, i);
    const size_t x = (size_t)dls_trajectory_column(traj, names[0]),
                 y = (size_t)dls_trajectory_column(traj, names[1]);
    double most = 0;
    for (size_t row = 0; row < traj->rows; row++) {
      most = fmax(most, fabs(dls_trajectory_at(traj, row, y)));
    }
    for (size_t row = 1; row + 1 < traj->rows; row++) {
      const double t = dls_trajectory_at(traj, row, 0), before = dls_trajectory_at(traj, row - 1, 0),
                   behind = dls_trajectory_at(traj, row + 1, 0);
      if (fabs(t - before - h) > 0.01 * h || fabs(behind - t - h) > 0.01 * h ||
          has_event(traj, before, behind)) {
        continue; /* no triple */
      }
      const double quotient =
          (dls_trajectory_at(traj, row + 1, x) - dls_trajectory_at(traj, row - 1, x)) / (behind - before);
      const double value = dls_trajectory_at(traj, row, y);
      if (!(fabs(quotient - value) <= 2e-5 * most + 1e-9)) {
        fail_msg("%s: %s at t = %.17g is %.17g, the quotient of %s %.17g", text, names[1], t, value, names[0],
                 quotient);
      }
      seen++;
    }
  }
  return seen / sys->n;
}

static void check(const char *text)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  dls_model_choice choice = dls_test_model(text);
  dls_system *sys = dls_test_system(text);
  const double unit = sys->time, h = 1e-4 * unit;
  double times[3 * TRIPLES];
  for (int k = 0; k < TRIPLES; k++) {
    const double t = (0.0731 + 0.0917 * k) * unit;
    times[3 * k] = t - h;
    times[3 * k + 1] = t;
    times[3 * k + 2] = t + h;
  }
  assert_ok(
      dls_exact_at(dls_exact_find(choice.model->name), choice.parameters, 3 * TRIPLES, times, &traj, &err),
      err);
  assert_true(check_rates(text, traj, sys, 'q', 'v', h) > TRIPLES / 2);
  assert_true(check_rates(text, traj, sys, 'v', 'a', h) > TRIPLES / 2);
  dls_trajectory_destroy(traj);
  dls_system_destroy(sys);
  dls_model_choice_release(&choice);
}

DLS_TEST(rates_are_rates)
{
  for (const dls_exact *const *e = dls_exacts(); *e != NULL; e++) {
    const char *name = (*e)->model->name;
    if (strcmp(name, "rod-impact") != 0 &&
        strcmp(name, "elastic-bar") != 0) { /* fronts of waves pass their nodes */
      check(strcmp(name, "spin-up-beam") == 0 ? "spin-up-beam:rise=0" : name);
    }
  }
}

DLS_TEST(rates_of_other_motions_are_rates)
{
  static const char *const texts[] = {"impacting-oscillator:c=0.2,amplitude=0.5,omega=1.7,e=0.6",
                                      "puck:mu=0.15",
                                      "puck:mu=0.5",
                                      "belt:Fs=1.5",
                                      "rough-bowl:mu=0.3",
                                      "rope:e=0.5",
                                      "superball:e=0.8"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    check(texts[k]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_are_rates),
      cmocka_unit_test(rates_of_other_motions_are_rates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
