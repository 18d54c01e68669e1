/* experiments/cli/energy.c -- `delassus energy`: the energy ledger.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/recording.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/run.h"
#include "experiments/cli/study_folder.h"
#include "experiments/show/report_study.h"

#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <delassus/law.h>
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>

enum { LABEL_SIZE = 320, CELL_SIZE = 24 };

/* One scheme of the request, and its ledger once it has run. */
typedef struct entry {
  dls_scheme_choice choice;
  char label[LABEL_SIZE]; /* name:options */
  char file[160];         /* energy_NAME.csv; a second one of the name is energy_NAME_2.csv */
  dls_energy_ledger *ledger;
} entry;

typedef struct request {
  const dls_cli_args *args;
  dls_model_choice model;
  dls_system *system;
  entry *entries;
  size_t count;
  double step, end;
  size_t max_rows;
  dls_cli_folder folder;
  dls_cli_progress progress;
  double done; /* seconds of simulated time of the schemes that have run */
} request;

static void name_entry(request *r, size_t i)
{
  entry *e = &r->entries[i];
  const char *name = e->choice.scheme->name;
  size_t earlier = 0;
  for (size_t j = 0; j < i; j++) {
    earlier += r->entries[j].choice.scheme == e->choice.scheme;
  }
  snprintf(e->label, sizeof e->label, "%s%s%s", name, e->choice.options[0] != '\0' ? ":" : "",
           e->choice.options);
  snprintf(e->file, sizeof e->file, "energy_%.100s.csv", name);
  if (earlier > 0) {
    snprintf(e->file, sizeof e->file, "energy_%.100s_%zu.csv", name, earlier + 1);
  }
}

static dls_status read_schemes(request *r, dls_error *err)
{
  r->count = dls_cli_count(r->args, "scheme");
  if (r->count == 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--scheme is missing: say which integrator, e.g. --scheme moreau-jean; "
                    "repeat it to compare several (`delassus list schemes`)");
  }
  r->entries = calloc(r->count, sizeof *r->entries);
  if (r->entries == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for %zu schemes", r->count);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < r->count && status == DLS_OK; i++) {
    status = dls_catalogue_choose(r->args->catalogue, dls_cli_value_at(r->args, "scheme", i),
                                  &r->entries[i].choice, err);
    if (status == DLS_OK) {
      name_entry(r, i);
    }
  }
  return status;
}

/* The first scheme that needs a step, or NULL. */
static const char *stepping_scheme(const request *r)
{
  for (size_t i = 0; i < r->count; i++) {
    if (r->entries[i].choice.scheme->stepping != DLS_BY_EVENT) {
      return r->entries[i].choice.scheme->name;
    }
  }
  return NULL;
}

static dls_status read_times(request *r, dls_error *err)
{
  r->end = DLS_CLI_DEFAULT_END;
  const char *needs_step = stepping_scheme(r);
  const bool given = dls_cli_value(r->args, "step") != NULL;
  dls_status status = dls_cli_positive(r->args, "end", &r->end, err);
  if (status == DLS_OK && given) {
    status = dls_cli_positive(r->args, "step", &r->step, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  if (needs_step != NULL && !given) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--step is missing: scheme %s needs a time step H > 0 in seconds, e.g. --step 0.01",
                    needs_step);
  }
  if (needs_step == NULL && given) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--step = %s does not go with scheme %s, which chooses its own steps: leave --step out",
                    dls_cli_value(r->args, "step"), r->entries[0].choice.scheme->name);
  }
  return given ? dls_cli_check_step("--step", r->step, r->end, err) : DLS_OK;
}

static dls_status read_request(request *r, dls_error *err)
{
  const dls_model *model = dls_catalogue_model(r->args->catalogue, r->args->positional[0], err);
  if (model == NULL) {
    return DLS_ERR_OPTION;
  }
  dls_status status = read_schemes(r, err);
  status = status != DLS_OK ? status : dls_cli_max_rows(r->args, &r->max_rows, err);
  status = status != DLS_OK ? status : read_times(r, err);
  status = status != DLS_OK ? status : dls_cli_model(r->args, model, &r->model, err);
  status = status != DLS_OK ? status : dls_model_create(r->model.model, r->model.parameters, &r->system, err);
  status = status != DLS_OK ? status
                            : dls_cli_progress_start(r->args, r->model.model->name, r->end * (double)r->count,
                                                     &r->progress, err);
  status = status != DLS_OK ? status : dls_cli_check_page(r->args, err);
  return status != DLS_OK ? status
                          : dls_cli_folder_open(r->args, "energies", r->entries[0].file, &r->folder, err);
}

static bool poll(void *data, double t)
{
  request *r = data;
  return dls_cli_progress_poll(&r->progress, r->done + t);
}

static dls_status run_entry(request *r, entry *e, dls_error *err)
{
  const dls_energy_spec spec = {.sys = r->system,
                                .choice = &e->choice,
                                .step = r->step,
                                .end = r->end,
                                .totals_only = r->folder.path == NULL && !dls_cli_has_page(r->args),
                                .max_rows = r->max_rows,
                                .poll = poll,
                                .poll_data = r};
  const dls_status status = dls_energy_run(&spec, &e->ledger, err);
  r->done += r->end;
  return status;
}

/* model, parameters, step and end go before the rows, as in a trajectory. */
static dls_status note_request(const request *r, const entry *e, dls_error *err)
{
  dls_trajectory *rows = e->ledger->rows;
  dls_status status = dls_model_choice_note(&r->model, rows, err);
  if (status == DLS_OK && e->choice.scheme->stepping != DLS_BY_EVENT) {
    status = dls_trajectory_note(rows, err, "step", "%s", dls_cli_value(r->args, "step"));
  }
  return status != DLS_OK ? status : dls_trajectory_note(rows, err, "end", "%.17g", r->end);
}

static dls_status write_csv(const request *r, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < r->count && status == DLS_OK; i++) {
    const entry *e = &r->entries[i];
    char path[DLS_CLI_PATH_SIZE];
    if (e->ledger != NULL) {
      status = note_request(r, e, err);
      status = status != DLS_OK ? status : dls_cli_folder_file(&r->folder, e->file, path, err);
      status = status != DLS_OK ? status : dls_cli_write_trajectory(r->args, e->ledger->rows, path, err);
    }
  }
  return status;
}

static dls_status draw(const request *r, dls_error *err)
{
  size_t count = 0;
  dls_energy_curve *curves = calloc(r->count, sizeof *curves);
  if (curves == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for the pictures");
  }
  for (size_t i = 0; i < r->count; i++) {
    if (r->entries[i].ledger != NULL && r->entries[i].ledger->rows->rows > 1) {
      curves[count++] = (dls_energy_curve){r->entries[i].label, r->entries[i].ledger};
    }
  }
  char title[200];
  char path[DLS_CLI_PATH_SIZE];
  snprintf(title, sizeof title, "%.100s", r->model.model->name);
  if (r->step > 0) {
    snprintf(title, sizeof title, "%.100s, h = %g s", r->model.model->name, r->step);
  }
  dls_status status = DLS_OK;
  if (count > 0) {
    status = dls_cli_folder_picture(&r->folder, "energies", path, err);
    status = status != DLS_OK ? status : dls_plot_energies(count, curves, title, path, err);
    status = status != DLS_OK ? status : dls_cli_folder_picture(&r->folder, "dissipation", path, err);
    status = status != DLS_OK ? status : dls_plot_dissipation(count, curves, title, path, err);
  }
  free(curves);
  return status;
}

/* What the page is made of. */
typedef struct page_data {
  size_t count;
  dls_energy_curve *curves;
  double step, end;
} page_data;

static dls_status put_ledgers(dls_report *report, const void *data, dls_error *err)
{
  const page_data *l = data;
  return dls_report_energy(report, l->count, l->curves, l->step, l->end, err);
}

static dls_status write_page(const request *r, dls_error *err)
{
  dls_scheme_choice *choices = calloc(r->count, sizeof *choices);
  page_data l = {.curves = calloc(r->count, sizeof *l.curves), .step = r->step, .end = r->end};
  dls_status status = choices != NULL && l.curves != NULL
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_MEMORY, "out of memory for the report");
  for (size_t i = 0; i < r->count && status == DLS_OK; i++) {
    choices[i] = r->entries[i].choice;
    if (r->entries[i].ledger != NULL) {
      l.curves[l.count++] = (dls_energy_curve){r->entries[i].label, r->entries[i].ledger};
    }
  }
  const dls_cli_page page = {.kind = "Energy balance",
                             .question = "Where does the energy go, step by step, with each scheme?",
                             .model = &r->model,
                             .scheme_count = r->count,
                             .schemes = choices,
                             .write = put_ledgers,
                             .data = &l};
  status = status != DLS_OK ? status : dls_cli_write_page(r->args, &page, err);
  free(choices);
  free(l.curves);
  return status;
}

/* One line for each scheme that has run. */
static dls_status print_summary(const request *r, dls_error *err)
{
  enum { COLUMNS = 8 };
  static const char *const headers[COLUMNS] = {"start",  "end",       "external",         "damping",
                                               "impact", "numerical", "|residual|/scale", "scheme"};
  char(*texts)[CELL_SIZE] = calloc(r->count * COLUMNS, sizeof *texts);
  const char **cells = calloc(r->count * COLUMNS, sizeof *cells);
  size_t rows = 0;
  for (size_t i = 0; i < r->count && texts != NULL && cells != NULL; i++) {
    const dls_energy_ledger *l = r->entries[i].ledger;
    if (l == NULL) {
      continue;
    }
    const double numbers[COLUMNS - 2] = {l->start,   l->last,   l->external,
                                         l->damping, l->impact, dls_energy_numerical(l)};
    for (size_t j = 0; j < COLUMNS - 1; j++) {
      char *text = texts[rows * COLUMNS + j];
      if (j < COLUMNS - 2) {
        snprintf(text, CELL_SIZE, "%.5g", numbers[j]);
      } else if (l->balance == NULL) {
        snprintf(text, CELL_SIZE, "no identity");
      } else {
        snprintf(text, CELL_SIZE, "%.1e", l->scale > 0 ? fabs(l->residual) / l->scale : 0);
      }
      cells[rows * COLUMNS + j] = text;
    }
    cells[rows++ * COLUMNS + COLUMNS - 1] = r->entries[i].label;
  }
  const bool good = texts != NULL && cells != NULL;
  if (good && rows > 0) {
    puts("energies and works [J]");
    dls_cli_table(stdout, COLUMNS, headers, rows, cells);
  }
  free(texts);
  free(cells);
  return good ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "out of memory for the table");
}

/* Files first, so that a reader of standard output who leaves early costs none of them. */
static dls_status write_results(const request *r, dls_error *err)
{
  dls_status status = DLS_OK;
  if (r->folder.path != NULL) {
    status = write_csv(r, err);
    status = status != DLS_OK || r->folder.format == NULL ? status : draw(r, err);
  }
  status = status != DLS_OK ? status : write_page(r, err);
  printf("%s on [0, %g] s\n\n", r->model.model->name, r->end);
  for (size_t i = 0; i < r->count; i++) {
    if (r->entries[i].ledger != NULL) {
      dls_energy_write_table(r->entries[i].ledger, r->entries[i].label, stdout);
    }
  }
  const dls_status table = print_summary(r, err);
  return status != DLS_OK ? status : table;
}

/* A warning where the law of contact makes energy. */
static void warn(const request *r, const entry *e)
{
  const dls_energy_ledger *l = e->ledger;
  if (l == NULL || !(l->law_gain > 0)) {
    return;
  }
  dls_cli_message(
      r->args->command,
      "%s: law %s creates energy (steps: %zu), most in the step to t = %.6g s: %.6g J; contact %zu: "
      "normal %.6g J, friction %.6g J",
      e->label, dls_law_of(r->system, l->law_gain_contact)->name, l->gain_steps, l->law_gain_time, l->law_gain,
      l->law_gain_contact, l->law_gain_normal, l->law_gain_friction);
}

static int execute(request *r)
{
  dls_error err = {0};
  size_t ledgers = 0;
  int code = DLS_EXIT_DONE;
  if (read_request(r, &err) != DLS_OK) {
    return dls_cli_fail(r->args, &err);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < r->count && status != DLS_ERR_INTERRUPTED; i++) {
    status = run_entry(r, &r->entries[i], &err);
    ledgers += r->entries[i].ledger != NULL;
    warn(r, &r->entries[i]);
    if (status != DLS_OK) {
      code = dls_cli_fail(r->args, &err);
    }
  }
  dls_cli_progress_end(&r->progress, code == DLS_EXIT_DONE);
  if (ledgers == 0) {
    dls_cli_folder_drop(&r->folder);
    return code;
  }
  if (write_results(r, &err) != DLS_OK) {
    dls_cli_fail(r->args, &err);
    code = DLS_EXIT_FAILED;
  }
  return code == DLS_EXIT_DONE ? code : DLS_EXIT_FAILED;
}

static int run(const dls_cli_args *args)
{
  request r = {.args = args};
  const int code = execute(&r);
  for (size_t i = 0; r.entries != NULL && i < r.count; i++) {
    dls_energy_destroy(r.entries[i].ledger);
  }
  free(r.entries);
  dls_system_destroy(r.system);
  dls_model_choice_release(&r.model);
  return code;
}

static const dls_cli_option options[] = {
    {"scheme", "S[:OPT=VAL,...]", "a time integrator; repeat it to compare several (`delassus list schemes`)",
     true},
    {"step", "H", "time step in s; schemes that choose their own steps do without", false},
    {"end", "T", "simulate from t = 0 to T in s (default 10)", false},
    {"set", "P=V", "set a parameter or a file of the model; may be repeated; `delassus show MODEL` lists them",
     true},
    DLS_CLI_LAW_OPTION,
    DLS_CLI_MAX_ROWS_OPTION,
    {"out", "DIR",
     "write energy_SCHEME.csv with a row for every step, and the pictures energies and dissipation with their "
     "gnuplot scripts",
     false},
    DLS_CLI_REPORT_OPTION,
    DLS_CLI_PICTURE_OPTIONS,
    {0},
};

const dls_cli_command dls_cli_energy = {
    .name = "energy",
    .synopsis = "MODEL --scheme S... [--step H] [--end T] [--set P=V]... [--law NAME[:PAR=VAL,...]] "
                "[--max-rows N] [--out DIR] "
                "[--plot-format png|svg|pdf|none] [--report FILE.html]",
    .summary = "energy balance per step: every term of the discrete dissipation equality and its residual",
    .text =
        "Run every scheme and keep a ledger of its energy: external work, damping, impacts, and each\n"
        "numerical term. On linear models the Moreau-Jean schemes and the Newmark family obey an identity,\n"
        "whose residual is rounding; all others get the plain balance: true impact loss and numerical loss\n"
        "apart. Loads count as external work, constant ones too. docs/energy.md has the formulas.\n",
    .examples =
        "  delassus energy impacting-oscillator --scheme moreau-jean:theta=1 --scheme nonsmooth-newmark \\\n"
        "      --scheme event-driven --step 0.02 --out oscillator\n"
        "  delassus energy bouncing-ball --scheme schatzman-paoli --step 0.01 --end 4\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
