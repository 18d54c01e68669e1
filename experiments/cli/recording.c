/* experiments/cli/recording.c -- the record of a run; the forecast of large records.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/recording.h"
#include "common/run/event_totals.h"
#include "experiments/cli/stream.h"
#include "experiments/measures/energy/law_gain.h"

#include <delassus/law.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double number_bytes = 20;     /* of a number in a CSV file, with its comma, on the average */
static const double notable_bytes = 100e6; /* of a CSV file: worth a word */
enum { ENOUGH_ROWS = 100000, MANY_ROWS = 1000000 };
static const double enough_time =
    0.1; /* of a run, with ENOUGH_ROWS: the rest is judged by it; MANY_ROWS do without */

dls_status dls_cli_note_recording(const dls_recording *recording, dls_trajectory *traj, dls_error *err)
{
  if (recording->at_count > 0) {
    return dls_trajectory_note(traj, err, "recorded", "at %zu given times", recording->at_count);
  }
  return recording->every <= 1
             ? DLS_OK
             : dls_trajectory_note(traj, err, "recorded",
                                   "one of every %zu nodes, the largest jump between, first and last",
                                   recording->every);
}

dls_status dls_cli_note_left_out(dls_trajectory *traj, dls_error *err)
{
  static const char key[] = "recorded: ";
  const size_t left_out = traj->totals != NULL ? traj->totals->left_out : 0;
  for (size_t i = 0; i < traj->meta_count && left_out > 0; i++) {
    char *before = traj->meta[i];
    if (strncmp(before, key, strlen(key)) != 0) {
      continue;
    }
    const dls_status status = dls_trajectory_note(
        traj, err, "recorded",
        "%s; of the events between two of them the first, the last and the one with the largest impulse: "
        "%zu of %zu events left out",
        before + strlen(key), left_out, traj->totals->count);
    if (status == DLS_OK) { /* in its place */
      traj->meta[i] = traj->meta[--traj->meta_count];
      free(before);
    }
    return status;
  }
  return DLS_OK;
}

/* Data of the poll of a recorded run. */
typedef struct watch {
  dls_cli_progress *progress;
  const char *command;
  const dls_trajectory *traj;
  dls_recording keep;
  double step, end; /* step 0 for schemes that choose their own */
  bool warned;      /* of the size of the record */
} watch;

/* @param[in] rows  to be expected without --max-rows */
static void report(watch *w, double rows)
{
  const double numbers = rows * (double)w->traj->columns;
  char limit[80] = "", memory[60] = "";
  if (w->warned || numbers * number_bytes < notable_bytes) {
    return;
  }
  w->warned = true;
  if (rows > (double)w->keep.max_rows) {
    snprintf(limit, sizeof limit, "; the run ends at --max-rows = %.15g of them", (double)w->keep.max_rows);
  }
  if (w->keep.take == NULL) {
    snprintf(memory, sizeof memory, "%.3g GB in memory and ", 1e-9 * sizeof(double) * numbers);
  }
  dls_cli_message(w->command,
                  "forecast: about %.3g rows of %zu columns, %s%.3g GB as CSV%s; "
                  "--every N, --at T,... and --columns X,... record less",
                  rows, w->traj->columns, memory, 1e-9 * number_bytes * numbers, limit);
}

/* Progress, and the forecast where it is not known before. */
static bool poll(void *data, double t)
{
  watch *w = data;
  const size_t rows = w->traj->rows + dls_cli_stream_rows(&w->keep);
  if (w->step == 0 && (rows >= MANY_ROWS || (rows >= ENOUGH_ROWS && t >= enough_time * w->end))) {
    report(w, (double)rows * (w->end / t));
  }
  return dls_cli_progress_poll(w->progress, t);
}

void dls_cli_report_gain(const char *command, const char *label, const dls_system *sys,
                         const dls_energy_ledger *ledger)
{
  const dls_energy_ledger *l = ledger;
  if (l == NULL || !(l->law_gain > 0)) {
    return;
  }
  dls_cli_message(
      command,
      "%s: law %s creates energy (steps: %zu), most in the step to t = %.6g s: %.6g J; contact %zu: "
      "normal %.6g J, friction %.6g J",
      label, dls_law_of(sys, l->law_gain_contact)->name, l->gain_steps, l->law_gain_time, l->law_gain,
      l->law_gain_contact, l->law_gain_normal, l->law_gain_friction);
}

/* What looks at every node of a run; NULL: nothing. */
typedef struct ledgers {
  dls_law_gain *gain;
  dls_joint_ledger *joints;
  dls_derivative_columns *derivatives;
} ledgers;

static dls_status watch_node(void *data, const dls_sim *sim, dls_error *err)
{
  const ledgers *l = data;
  if (l->joints != NULL) {
    dls_joint_ledger_look(l->joints, sim);
  }
  if (l->derivatives != NULL) {
    const dls_status status = dls_derivative_columns_watch(l->derivatives, sim, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  return l->gain != NULL ? dls_law_gain_watch(l->gain, sim, err) : DLS_OK;
}

dls_status dls_cli_record(const dls_request *request, size_t i, dls_sim *sim, dls_trajectory *traj,
                          dls_joint_ledger *joints, dls_derivative_columns *derivatives,
                          dls_cli_progress *progress, dls_error *err)
{
  const bool by_step = dls_scheme_needs_step(request->spec.schemes[i].scheme);
  watch w = {.progress = progress,
             .command = request->command,
             .traj = traj,
             .keep = request->recording,
             .step = by_step ? request->step : 0,
             .end = request->spec.end};
  const bool has_works = dls_law_gain_known(sim), joined = joints != NULL && sim->sys->r > 0;
  dls_law_gain gain = {0};
  ledgers l = {has_works ? &gain : NULL, joined ? joints : NULL, derivatives};
  if (has_works && !dls_law_gain_create(sim, &gain)) {
    dls_law_gain_release(&gain);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the works of %zu contacts", sim->sys->m);
  }
  const dls_run_spec spec = {.step = request->step,
                             .end = request->spec.end,
                             .record = traj,
                             .recording = request->recording,
                             .start = request->spec.start,
                             .halvings = by_step || request->kind == DLS_STUDY_RUN ? request->halvings : 0,
                             .poll = poll,
                             .poll_data = &w,
                             .watch = has_works || joined   ? watch_node
                                      : derivatives != NULL ? dls_derivative_columns_watch
                                                            : NULL,
                             .watch_data = has_works || joined ? (void *)&l : derivatives};
  if (w.step > 0 && w.keep.at_count == 0 && !traj->skip_nodes) {
    report(&w, w.end / w.step / (double)w.keep.every);
  }
  const dls_status status = dls_run(sim, &spec, err);
  dls_cli_progress_end(progress, status == DLS_OK);
  if (sim->shortest_feature > 0) {
    dls_cli_message(request->command,
                    "%s: the step of %.6g s is longer than %.6g s, the shortest feature of the explicit time "
                    "dependence of the model",
                    request->labels[i], request->step, sim->shortest_feature);
  }
  dls_cli_report_gain(request->command, request->labels[i], sim->sys, &gain.sums);
  dls_law_gain_release(&gain);
  return status;
}
