/* experiments/cli/cycle.c -- `delassus run --cycle`: a limit cycle and its multipliers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cycle.h"
#include "common/base/text.h"
#include "experiments/cli/progress.h"
#include "experiments/measures/cycle/cycle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates named "q3". @return for each whether it drifts; the caller frees it */
static bool *find_drift(const dls_request *r, size_t n, dls_error *err)
{
  bool *drift = calloc(n + 1, sizeof *drift);
  const char *at = r->drift != NULL ? r->drift : "";
  if (drift == NULL) {
    dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu coordinates", n);
    return NULL;
  }
  while (*at != '\0') {
    const size_t length = strcspn(at, ",");
    size_t i = 0;
    char name[32] = "";
    for (; i < n; i++) {
      snprintf(name, sizeof name, "q%zu", i);
      if (strlen(name) == length && strncmp(at, name, length) == 0) {
        break;
      }
    }
    if (i == n) {
      dls_fail(err, DLS_ERR_OPTION, "drift: there is no position '%.*s', there are q0 to q%zu",
               (int)fmin((double)length, 60), at, n - 1);
      free(drift);
      return NULL;
    }
    drift[i] = true;
    at += length + (at[length] == ',');
  }
  return drift;
}

/* "cycle: period 0.145976065 s, 9 events; multipliers -0.839 +- 1e-7, ..." */
static void report(const dls_request *r, const dls_cycle *cycle)
{
  char text[300] = "";
  for (size_t i = 0; i < cycle->count && i < 4; i++) {
    const dls_multiplier *m = &cycle->multipliers[i];
    dls_text_append(text, sizeof text, "%s%.9g", i == 0 ? "; multipliers " : ", ", m->real);
    if (m->imaginary != 0) {
      dls_text_append(text, sizeof text, "%+.9gi", m->imaginary);
    }
    dls_text_append(text, sizeof text, " (error about %.1g)", m->error);
  }
  dls_cli_message(r->command, "cycle: period %.11g s, %zu events%s%s", cycle->period, cycle->event_count, text,
                  cycle->count == 0 ? "; the event leaves nothing free: all multipliers are 0" : "");
}

dls_status dls_cli_find_cycle(const dls_request *r, dls_system *sys, dls_cycle **out, dls_error *err)
{
  bool *drift = find_drift(r, sys->n, err);
  if (drift == NULL) {
    return err->status;
  }
  dls_cli_progress progress = dls_cli_progress_start(r->progress, "cycle", r->spec.end);
  const dls_cycle_spec spec = {.sys = sys,
                               .model = r->model.model->name,
                               .choice = r->spec.schemes,
                               .kind = r->cycle_kind,
                               .contact = r->cycle_contact,
                               .drift = drift,
                               .end = r->spec.end,
                               .poll = dls_cli_progress_poll,
                               .poll_data = &progress};
  const dls_status status = dls_cycle_find(&spec, out, err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  free(drift);
  if (status == DLS_OK) {
    memcpy(sys->q0, (*out)->q, sys->n * sizeof *sys->q0);
    memcpy(sys->v0, (*out)->v, sys->n * sizeof *sys->v0);
    report(r, *out);
  }
  return status;
}

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

void dls_cli_print_cycle(const dls_cycle *cycle, FILE *out)
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

dls_status dls_cli_note_cycle(const dls_cycle *cycle, dls_trajectory *traj, dls_error *err)
{
  notes n = {traj, err, DLS_OK};
  walk(cycle, note, &n);
  return n.status;
}
