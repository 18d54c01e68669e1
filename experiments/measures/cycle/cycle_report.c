/* experiments/measures/cycle/cycle_report.c -- the numbers of a limit cycle as lines, and as metadata of its run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/cycle/cycle.h"

#include <stdio.h>

/* Hand every number to take, with the name of its key. */
static void walk(const dls_cycle *cycle, void (*take)(void *data, const char *key, double value), void *data)
{
  char key[60];
  take(data, "cycle_period", cycle->period);
  take(data, "cycle_period_error", cycle->period_error);
  for (size_t i = 0; i < cycle->n; i++) {
    snprintf(key, sizeof key, "cycle_advance_q%zu", i);
    take(data, key, cycle->advance[i]);
  }
  take(data, "cycle_residual", cycle->residual);
  take(data, "cycle_events", (double)cycle->event_count);
  for (size_t kind = 0; kind < DLS_EVENT_KINDS; kind++) {
    if (cycle->events[kind] > 0) {
      snprintf(key, sizeof key, "cycle_events_%s", dls_event_kind_name((dls_event_kind)kind));
      take(data, key, (double)cycle->events[kind]);
    }
  }
  for (size_t i = 0; i < cycle->count; i++) {
    const dls_multiplier *m = &cycle->multipliers[i];
    static const char *const parts[] = {"", "_imaginary", "_error"};
    const double values[] = {m->real, m->imaginary, m->error};
    for (size_t k = 0; k < 3; k++) {
      snprintf(key, sizeof key, "cycle_multiplier%zu%s", i + 1, parts[k]);
      take(data, key, values[k]);
    }
  }
}

static void print(void *data, const char *key, double value)
{
  fprintf(data, "%s=%.17g\n", key, value);
}

void dls_cycle_print(const dls_cycle *cycle, FILE *out)
{
  walk(cycle, print, out);
}

typedef struct notes {
  dls_trajectory *traj;
  dls_error *err;
  dls_status status;
} notes;

static void note(void *data, const char *key, double value)
{
  notes *n = data;
  n->status = n->status != DLS_OK ? n->status : dls_trajectory_note(n->traj, n->err, key, "%.17g", value);
}

dls_status dls_cycle_note(const dls_cycle *cycle, dls_trajectory *traj, dls_error *err)
{
  notes n = {traj, err, DLS_OK};
  walk(cycle, note, &n);
  return n.status;
}
