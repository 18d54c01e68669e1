/* tests/experiments/test_event_records.c -- what records of events have along tangents: what the rows at that time say, or nothing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <string.h>

/* The last row at time t or, of a time-stepping scheme, at the end of the step to it. */
static size_t row_at(const dls_trajectory *traj, double t)
{
  size_t row = traj->rows - 1;
  while (row > 0 && dls_trajectory_at(traj, row, 0) > t) {
    row--;
  }
  return row;
}

static double entry(const dls_trajectory *traj, size_t row, const char *kind, size_t contact, size_t i)
{
  char name[40];
  if (traj->d == 3) {
    snprintf(name, sizeof name, "%s%zut%zu", kind, contact, i + 1);
  } else {
    snprintf(name, sizeof name, "%s%zut", kind, contact);
  }
  const int column = dls_trajectory_column(traj, name);
  assert_true(column >= 0);
  return dls_trajectory_at(traj, row, (size_t)column);
}

/* @return events with an impulse whose slips are recorded */
static size_t check_records(const char *model, const char *scheme, double step, double end)
{
  test_run run = dls_test_run(model, scheme, step, end);
  const dls_trajectory *traj = run.traj;
  size_t recorded = 0;
  for (size_t k = 0; k < traj->event_count; k++) {
    const dls_event *event = &traj->events[k];
    if (event->impulse == 0 || !event->tangential || event->kind == DLS_ACCUMULATION) {
      continue;
    }
    recorded++;
    const size_t row = row_at(traj, event->t);
    double work = 0, p = 0;
    for (size_t i = 0; i + 1 < traj->d; i++) {
      assert_close(event->slip_plus[i], entry(traj, row, "u", event->contact, i), 1e-9);
      p = entry(traj, row, "p", event->contact, i);
      assert_close(event->friction[i], p, 1e-12 * (1 + fabs(p)));
      work += 0.5 * (event->slip_minus[i] + event->slip_plus[i]) * event->friction[i];
    }
    assert_close(event->work_friction, work, 1e-12);
    assert_close(event->work_normal, 0.5 * (event->u_minus + event->u_plus) * event->impulse, 1e-12);
  }
  dls_test_free(&run);
  return recorded;
}

DLS_TEST(slips_of_records_are_those_of_the_rows)
{
  static const struct {
    const char *model, *scheme;
    double step, end;
  } runs[] = {{"bounce-slip", "event-driven", 0, 2},
              {"bounce-slip:mu=0", "event-driven", 0, 2}, /* tangents without friction */
              {"superball", "event-driven", 0, 2},
              {"rocking-block", "event-driven", 0, 2},
              {"sphere", "event-driven", 0, 0.5},
              {"bounce-slip", "moreau-jean", 1e-3, 2},
              {"bounce-slip:mu=0", "moreau-jean", 1e-3, 2},
              {"bounce-slip", "nonsmooth-newmark:gamma=0.6,beta=0.4", 1e-3, 2},
              {"superball", "moreau-jean", 1e-3, 2}};
  size_t recorded = 0;
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    recorded += check_records(runs[i].model, runs[i].scheme, runs[i].step, runs[i].end);
  }
  assert_between((double)recorded, 100, 5000);
}

/* Schemes that report impacts without tangents say nothing about them, in the file neither. */
DLS_TEST(what_is_not_computed_is_left_out)
{
  static const char *const schemes[] = {"schatzman-paoli", "standard-penalty", "rk-moreau"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    test_run run = dls_test_run("bounce-slip", schemes[i], 1e-3, 2);
    char text[20000] = "";
    FILE *out = tmpfile();
    dls_error err = {0};
    assert_non_null(out);
    assert_true(run.traj->event_count > 0);
    run.traj->rows = 0;
    assert_ok(dls_trajectory_write(run.traj, out, &err), err);
    rewind(out);
    const size_t length = fread(text, 1, sizeof text - 1, out);
    assert_true(length > 100);
    assert_non_null(strstr(text, "kind=impact"));
    assert_null(strstr(text, "slip_plus"));
    assert_null(strstr(text, "work_friction"));
    fclose(out);
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slips_of_records_are_those_of_the_rows),
      cmocka_unit_test(what_is_not_computed_is_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
