/* experiments/cli/run_report.c -- what a run leaves: trajectory file, work counters, accumulations.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "common/run/csv.h"
#include "common/run/derivative_columns.h"
#include "common/run/event_totals.h"
#include "experiments/campaign/provenance.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/run.h"
#include "experiments/measures/gradient/report.h"

#include <delassus/output.h>
#include <delassus/quality.h>
#include <delassus/sensitivity.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_cli_write_trajectory(const dls_request *r, dls_trajectory *traj, const char *path,
                                    dls_error *err)
{
  dls_output *out = NULL;
  if (dls_provenance_note(r->spec.catalogue, traj, err) != DLS_OK ||
      dls_cli_note_command(r, traj, err) != DLS_OK) {
    return err->status;
  }
  if (path == NULL || strcmp(path, "-") == 0) {
    return dls_csv_write(traj, stdout, dls_cli_may_write, err);
  }
  if (dls_output_open(path, &out, err) != DLS_OK) {
    return err->status;
  }
  dls_error why = {0};
  const bool all =
      r->kind == DLS_STUDY_RUN; /* that the command computes: written whole, whatever time it takes */
  const dls_status status = dls_csv_write(traj, dls_output_stream(out), all ? NULL : dls_cli_may_write, &why);
  if (status != DLS_OK) {
    dls_output_abandon(out);
    return dls_fail(err, status, "cannot write '%.100s': %.250s", path, why.text);
  }
  return dls_output_commit(out, err);
}

/* "nan", never "-nan". */
static void print_number(FILE *out, const char *key, double x)
{
  if (isnan(x)) {
    fprintf(out, "%s=nan\n", key);
  } else {
    fprintf(out, "%s=%.17g\n", key, x);
  }
}

static void print_quality(FILE *out, const dls_quality *quality)
{
  print_number(out, "restitution_min", quality->restitution_min);
  print_number(out, "restitution_max", quality->restitution_max);
  print_number(out, "restitution_mean", quality->restitution_mean);
  fprintf(out, "spurious_impacts=%zu\n", quality->spurious_impacts);
  print_number(out, "worst_penetration", quality->worst_penetration);
  print_number(out, "final_drift", quality->final_drift);
}

/* Events of contacts with friction; n_solutions: the most that a contact problem had, left out where none was counted. */
static void print_friction(FILE *out, const dls_trajectory *traj)
{
  static const dls_event_kind kinds[] = {DLS_STICK, DLS_SLIP, DLS_REVERSAL, DLS_PAINLEVE};
  dls_event_totals own;
  const dls_event_totals *totals = dls_event_totals_of(traj, &own);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    fprintf(out, "%s=%zu\n", dls_event_kind_name(kinds[i]), totals->kinds[kinds[i]]);
  }
  if (totals->solutions > 0) {
    fprintf(out, "n_solutions=%zu\n", totals->solutions);
  }
}

/* Equations, how many of them depend on others, the degrees of freedom that they leave; how well they hold; the largest force
 * of the motion in each joint that has one, in N. */
static void print_joints(FILE *out, const dls_sim *sim, const dls_joint_ledger *ledger)
{
  const size_t n = sim->sys->n, r = sim->sys->r;
  fprintf(out, "joint_equations=%zu\nredundant=%zu\ndegrees_of_freedom=%zu\n", r, sim->redundant,
          n - (r - sim->redundant));
  print_number(out, "worst_joint", ledger->worst);
  fprintf(out, "worst_joint_equation=%zu\n", ledger->worst_equation);
  print_number(out, "worst_joint_rate", ledger->worst_rate);
  for (size_t j = 0; j < ledger->count; j++) {
    char key[DLS_JOINT_LABEL + 20];
    snprintf(key, sizeof key, "joint_force_%s", ledger->joints[j].name);
    for (char *c = key; *c != '\0'; c++) {
      *c = *c == ' ' || *c == '=' ? '_' : *c;
    }
    if (ledger->joints[j].acts) {
      print_number(out, key, ledger->joints[j].force);
    }
  }
}

/* "key: value" of the metadata, if it is there. */
static void print_note(FILE *out, const dls_trajectory *traj, const char *key)
{
  const size_t length = strlen(key);
  for (size_t i = 0; i < traj->meta_count; i++) {
    if (strncmp(traj->meta[i], key, length) == 0 && traj->meta[i][length] == ':') {
      fprintf(out, "%s=%s\n", key, traj->meta[i] + length + 2);
    }
  }
}

static void print_message(void *data, const char *text)
{
  const char *const *command = data;
  dls_cli_message(*command, "%s", text);
}

void dls_cli_report_derivatives(const char *command, const dls_sim *sim)
{
  dls_derivatives_report(sim, print_message, &command);
}

static dls_status print_derivatives(FILE *out, const dls_sim *sim, dls_error *err)
{
  const dls_sensitivity *s = sim->sensitivity;
  dls_status status = DLS_OK;
  for (size_t k = 0; s != NULL && k < s->count && status == DLS_OK; k++) {
    const char *name = s->direction[k].name;
    fprintf(out, "sensitivity_%s=%s\nvalid_within_%s=%.6g\nexpected_error_%s=%.3g\n", name,
            dls_derivative_status_name(dls_sensitivity_status(s, k)), name, s->tangent[k].valid_within, name,
            dls_sensitivity_expected_error(sim, k));
    for (size_t line = 0; line < DLS_SIDE_LINES && status == DLS_OK; line++) {
      char key[DLS_SIDE_KEY], *text = NULL;
      status = dls_derivative_side(s, k, line, key, &text, err);
      if (text != NULL) {
        fprintf(out, "%s=%s\n", key, text);
      }
      free(text);
    }
  }
  return status;
}

dls_status dls_cli_print_stats(FILE *out, const dls_sim *sim, const dls_trajectory *traj,
                               const dls_joint_ledger *joints, dls_error *err)
{
#define DLS_CLI_PRINT_COUNT(name) fprintf(out, #name "=%zu\n", sim->work.name);
  DLS_WORK_LIST(DLS_CLI_PRINT_COUNT)
  fprintf(out, "wall_seconds=%.6g\n", sim->work.wall_seconds);
  fprintf(out, "forced=%zu\nfinal_time=%.17g\n", sim->work.forced, sim->t);
  const dls_fallbacks *fallbacks = &sim->work.fallbacks;
  for (size_t k = 0; k < DLS_FALLBACK_METHODS && fallbacks->by[k].method != NULL; k++) {
    fprintf(out, "fallback_%s=%zu\n", fallbacks->by[k].method, fallbacks->by[k].count);
  }
  if (sim->work.truncated > 0) {
    fprintf(out, "truncated=%zu\ntruncated_residual=%.6g\n", sim->work.truncated, sim->work.truncated_most);
  }
  if (sim->scheme->family == DLS_FAMILY_EVENT_DRIVEN) {
    fprintf(out, "roots_missed=%zu\nredundant_contacts=%zu\n", sim->work.roots_missed, sim->work.redundant);
    fprintf(out, "wrong_releases=%zu\n", sim->work.wrong_releases);
    print_note(out, traj, "integrator");
    print_note(out, traj, "explicit_time_resolution");
  }
  if (sim->sys->m > 0) {
    fprintf(out, "worst_gap=%.17g\nworst_gap_time=%.17g\nworst_gap_contact=%zu\n", sim->worst_gap,
            sim->worst_time, sim->worst_contact);
  }
  if (sim->sys->r > 0) {
    print_joints(out, sim, joints);
  }
  dls_status status = print_derivatives(out, sim, err);
  fprintf(out, "complete=%s\n", traj->complete ? "yes" : "no");
  fprintf(out, "warnings=%zu\npassed_through=%zu\n", dls_sim_warning_count(sim),
          sim->warnings[DLS_WARN_PASSED].count);
  if (dls_system_has_friction(sim->sys) && sim->scheme->stepping == DLS_BY_EVENT) {
    print_friction(out, traj);
  }
  dls_quality quality;
  status = status == DLS_OK && sim->sys->m > 0 ? dls_quality_measure(sim, traj, &quality, err) : status;
  if (sim->sys->m > 0 && status == DLS_OK) {
    print_quality(out, &quality);
  }
  return status;
}

/* "q0 = 0.1, q1 = 2" of the first values. */
static void print_values(FILE *out, char letter, const double *x, size_t n)
{
  enum { SHOWN = 4 };
  for (size_t i = 0; i < n && i < SHOWN; i++) {
    fprintf(out, "%s%c%zu = %.6g", i > 0 ? ", " : "", letter, i, x[i]);
  }
  fputs(n > SHOWN ? ", ...\n" : "\n", out);
}

void dls_cli_print_summary(FILE *out, const dls_sim *sim, const dls_trajectory *traj, const char *model)
{
  dls_event_totals own;
  const dls_event_totals *totals = dls_event_totals_of(traj, &own);
  fprintf(out, "%s by %s on [0, %.6g] s: %zu steps, %zu rows\n", model, sim->scheme->name, sim->t,
          sim->work.steps, traj->rows);
  fputs("  at the end  ", out);
  print_values(out, 'q', sim->q, sim->sys->n);
  fputs("              ", out);
  print_values(out, 'v', sim->v, sim->sys->n);
  size_t any = 0;
  for (size_t k = 0; k < DLS_TOTALS_KINDS; k++) {
    if (totals->kinds[k] > 0) {
      fprintf(out, "%s%zu %s", any++ > 0 ? ", " : "  events      ", totals->kinds[k],
              dls_event_kind_name((dls_event_kind)k));
    }
  }
  fputs(any > 0 ? "\n" : "", out);
  if (sim->sys->m > 0) {
    fprintf(out, "  least gap   %.4g at t = %.6g s\n", sim->worst_gap, sim->worst_time);
  }
  dls_cli_wrap(out,
               "--out FILE.csv writes the trajectory, --out - prints it, --plot FILE draws it, --stats counts "
               "the work",
               0, 0);
}

/* Far above what impacts, loads and resonance make of the speeds that a run starts with, in any time of interest: only
 * an unstable step leads there. */
static const double unbounded = 1e6;

/* The fastest coordinate at the last node that is finite. */
typedef struct fastest {
  size_t coordinate;
  double t, v, usual; /* usual: which speed is [its unit] */
} fastest;

/* v at the node or, if a step has left v that is not finite, in the last row of the record. @return NULL if it is not recorded */
static const double *last_speeds(const dls_sim *sim, double *t)
{
  const dls_trajectory *record = sim->record;
  const size_t n = sim->sys->n;
  bool finite = true;
  for (size_t i = 0; i < n; i++) {
    finite = finite && isfinite(sim->v[i]);
  }
  *t = sim->t;
  if (finite || record == NULL || record->rows == 0) {
    return finite ? sim->v : NULL;
  }
  char name[32];
  snprintf(name, sizeof name, "v%zu", n - 1);
  const int first = dls_trajectory_column(record, "v0"), last = dls_trajectory_column(record, name);
  const double *row = record->data + (record->rows - 1) * record->columns;
  *t = row[0];
  return first >= 0 && last == first + (int)n - 1 ? row + first : NULL;
}

static bool grows(const dls_sim *sim, fastest *f)
{
  const dls_system *sys = sim->sys;
  *f = (fastest){.usual = sys->length / sys->time * (1 + sim->t / sys->time)};
  const double *v = last_speeds(sim, &f->t);
  for (size_t i = 0; v != NULL && i < sys->n; i++) {
    f->usual = fmax(f->usual, fabs(sys->v0[i]));
    f->coordinate = fabs(v[i]) > fabs(v[f->coordinate]) ? i : f->coordinate;
  }
  f->v = v != NULL ? v[f->coordinate] : 0;
  return fabs(f->v) > unbounded * f->usual;
}

void dls_cli_report_warnings(const char *command, const char *label, const dls_sim *sim)
{
  fastest f;
  const bool growth = grows(sim, &f);
  for (int k = 0; k < DLS_WARNING_KINDS; k++) {
    char text[320];
    const bool reported = k == DLS_WARN_NOT_FINITE || (k == DLS_WARN_ENERGY && growth) ||
                          (k == DLS_WARN_PENETRATION && label != NULL && dls_sim_warning_explained(sim) > 0);
    if (sim->warnings[k].count > 0 && !reported) { /* by the failure, as growth without bound, in a summary */
      dls_sim_warning_text(sim, (dls_warning_kind)k, text, sizeof text);
      dls_cli_message(command, "%s%s%s", label != NULL ? label : "", label != NULL ? ": " : "", text);
    }
  }
}

void dls_cli_report_warned(const char *command, const dls_warning_tally *tally)
{
  char text[400] = "";
  if (tally->warned > 0) {
    snprintf(text, sizeof text,
             "%zu of %zu runs have warnings (penetration, bodies that passed through each other, energy "
             "without a source, ...): `delassus run` with the same scheme and step prints them%s",
             tally->warned, tally->runs, tally->explained > 0 ? "; " : "");
  }
  if (tally->explained > 0) {
    dls_text_append(
        text, sizeof text,
        "%zu of %zu runs penetrate by more than 1 %% of the smallest body or the length scale; the distance "
        "covered in one step, or springs as contacts, explain it",
        tally->explained, tally->runs);
  }
  if (text[0] != '\0') {
    dls_cli_message(command, "%s", text);
  }
}

void dls_cli_report_file(const char *command, const char *path, const dls_trajectory *traj)
{
  const char *warning = NULL;
  for (size_t i = 0; (warning = dls_trajectory_warning(traj, i)) != NULL; i++) {
    dls_cli_message(command, "%s: warning: %s", path, warning);
  }
}

void dls_cli_report_growth(const char *command, const dls_sim *sim)
{
  fastest f;
  if (grows(sim, &f)) {
    dls_cli_message(
        command,
        "the motion has grown without bound: v%zu = %.3g at t = %.10g s, where about %.3g is usual; "
        "a smaller step may be stable",
        f.coordinate, f.v, f.t, f.usual);
  }
}

void dls_cli_report_releases(const char *command, const dls_sim *sim)
{
  if (sim->work.wrong_releases > 0) {
    dls_cli_message(command,
                    "release=sign has let go of contacts that press (wrong_releases=%zu), which fall back: "
                    "with several contacts "
                    "the sign of a bilateral force does not tell who leaves; release=complementarity does",
                    sim->work.wrong_releases);
  }
}

/* One line for all events of merged impacts whose order matters: the first with an order without a result, else the first. */
static void report_merged(const char *command, const dls_event_totals *totals)
{
  const dls_event *first = &totals->merged;
  if (totals->merged_times > 0) {
    char names[DLS_MERGED_MOST * 24] = "", other[160] = "";
    const size_t unsolved = first->merged_unsolved;
    for (size_t i = 0; i < first->merged_count && i < DLS_MERGED_MOST; i++) {
      dls_text_append(names, sizeof names, "%s%zu", i > 0 ? ", " : "", first->merged[i]);
    }
    if (unsolved < first->merged_orders) {
      snprintf(other, sizeof other, "another order would change v by %.2g%s", first->merged_difference,
               unsolved > 0 ? ", and " : "");
    }
    if (unsolved > 0) {
      dls_text_append(other, sizeof other, "%zu of %zu other orders could not be solved", unsolved,
                      first->merged_orders);
    }
    dls_cli_message(
        command,
        "t = %.10g s: the impact times of contacts %s%s differ by less than their error; %s; %zu such "
        "events (merged=) in all, later error bounds %s",
        first->t, names, first->merged_count > DLS_MERGED_MOST ? ", ..." : "", other, totals->merged_times,
        unsolved > 0 ? "are unknown (inf)" : "include the difference");
  }
}

void dls_cli_report_events(const char *command, const dls_sim *sim, const dls_trajectory *traj)
{
  dls_event_totals own;
  const dls_event_totals *totals = dls_event_totals_of(traj, &own);
  const size_t count = totals->kinds[DLS_ACCUMULATION];
  report_merged(command, totals);
  for (size_t i = 0; i < count && i < DLS_TOTALS_LISTED; i++) {
    const dls_event *event = &totals->accumulations[i];
    char name[80];
    dls_contact_name(sim->sys, event->contact, name, sizeof name);
    dls_cli_message(command,
                    "accumulation at %s: infinitely many impacts passed as one at t = %.10g s, the last is "
                    "estimated at t = %.10g s, error in the gap <= %.2g m",
                    name, event->t, event->time_end, event->bound);
  }
  if (count > DLS_TOTALS_LISTED) {
    dls_cli_message(command,
                    "%zu more accumulations, the last ends at t = %.10g s; all errors in the gap <= %.2g m",
                    count - DLS_TOTALS_LISTED, totals->last_time_end, totals->largest_bound);
  }
}
