/* experiments/cli/ledger.c -- `delassus ledger`: all step models on all problems. Each problem is an `order` study with its own journal.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/errors.h"
#include "experiments/cli/journal_folder.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/report_page.h"
#include "experiments/measures/ledger/ledger_engines.h"
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"

#include <delassus/output.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_WORDS = 400,  /* of the study of a problem */
  MOST_CHOICES = 200 /* schemes, options included */
};

/* The study of one problem. */
typedef struct part {
  const dls_ledger_problem *problem;
  dls_cli_request all;
  dls_order_spec spec;
  dls_cli_folder folder;
  dls_journal *journal; /* in the folder; NULL: there is no folder */
  size_t taken;         /* runs taken over from it */
  size_t finished;
} part;

typedef struct job {
  const dls_cli_args *args;
  dls_pool pool;
  bool quick, chosen; /* chosen: the problems were named */
  part *parts;
  size_t part_count;
  const char **schemes; /* "mujoco:restitution=own" */
  size_t scheme_count;
  dls_cli_folder folder;
  dls_ledger ledger;
  size_t done; /* parts that are complete */
} job;

static const char table_file[] = "ledger.csv", page_file[] = "ledger.md", picture_file[] = "ledger_orders";

/* --- which schemes --- */

static void add_scheme(job *j, const char *text)
{
  if (text != NULL && j->scheme_count < MOST_CHOICES) {
    j->schemes[j->scheme_count++] = text;
  }
}

/* The option by which a scheme with its own e accepts a model with another one; NULL: it has none. */
static const dls_option *own_option(const job *j, const char *text)
{
  const size_t length = strcspn(text, ":");
  for (const dls_scheme *const *s = dls_catalogue_schemes(j->args->catalogue); *s != NULL; s++) {
    const int place = strlen((*s)->name) == length && strncmp((*s)->name, text, length) == 0
                          ? dls_option_find((*s)->options, "restitution")
                          : -1;
    if (place >= 0 && (*s)->options[place].choices != NULL) {
      return &(*s)->options[place];
    }
  }
  return NULL;
}

/* A scheme with its own e has a row with that e, and one with the damping that is fitted to the model's, if it can. */
static void expand_scheme(job *j, const char *text)
{
  const dls_option *option = strstr(text, "restitution=") == NULL ? own_option(j, text) : NULL;
  bool any = false;
  for (const char *const *choice = option != NULL ? option->choices : NULL; choice != NULL && *choice != NULL;
       choice++) {
    if (strcmp(*choice, "own") == 0 || strcmp(*choice, "fit") == 0) {
      add_scheme(j, dls_pool_print(&j->pool, "%s%crestitution=%s", text, strchr(text, ':') != NULL ? ',' : ':',
                                   *choice));
      any = true;
    }
  }
  if (!any) {
    add_scheme(j, text);
  }
}

static bool is_step_model(const dls_scheme *scheme)
{
  return scheme->family == DLS_FAMILY_CONVEX || scheme->family == DLS_FAMILY_SOFT ||
         scheme->family == DLS_FAMILY_IMPULSE;
}

/* Those of --scheme; else the two to compare with, and all step models of the catalogue. */
static void choose_schemes(job *j)
{
  const size_t given = dls_cli_count(j->args, "scheme");
  for (size_t i = 0; i < given; i++) {
    expand_scheme(j, dls_cli_value_at(j->args, "scheme", i));
  }
  if (given == 0) {
    add_scheme(j, DLS_LEDGER_COST_OF);
    add_scheme(j, "event-driven");
    for (const dls_scheme *const *s = dls_catalogue_schemes(j->args->catalogue); *s != NULL; s++) {
      if (is_step_model(*s)) {
        expand_scheme(j, (*s)->name);
      }
    }
  }
}

/* --- the studies --- */

typedef struct words {
  dls_word all[MOST_WORDS];
  size_t count;
} words;

static void add_word(words *w, dls_key_id key, const char *text)
{
  if (text != NULL && w->count < MOST_WORDS) {
    w->all[w->count++] = (dls_word){key, text};
  }
}

/* Options of the ledger that are those of each study. */
static bool is_passed(dls_key_id key)
{
  return key != 0 && key != DLS_KEY_SCHEMES && key != DLS_KEY_STEPS && key != DLS_KEY_OUT &&
         key != DLS_KEY_REPORT && key != DLS_KEY_PLUGIN;
}

static void collect_words(job *j, const dls_ledger_problem *p, words *w)
{
  const dls_cli_args *args = j->args;
  const char *out = dls_cli_value(args, "out"), *steps = dls_cli_value(args, "steps");
  for (size_t i = 0; i < DLS_LEDGER_SETTINGS; i++) {
    add_word(w, DLS_KEY_PARAMETERS, p->set[i]);
  }
  for (size_t i = 0; i < j->scheme_count; i++) {
    add_word(w, DLS_KEY_SCHEMES, j->schemes[i]);
  }
  add_word(w, DLS_KEY_END, p->end);
  add_word(w, DLS_KEY_STEPS, steps != NULL ? steps : j->quick ? p->quick : p->steps);
  add_word(w, DLS_KEY_NORMS, "l1");
  add_word(w, DLS_KEY_OF, p->slip == NULL ? "q" : dls_pool_print(&j->pool, "q,%s", p->slip));
  add_word(w, DLS_KEY_REFERENCE, "limit");
  if (j->quick && dls_cli_value(args, "repeats") == NULL) {
    add_word(w, DLS_KEY_REPEATS, "4");
  }
  for (size_t i = 0; i < args->given_count; i++) {
    if (is_passed(args->given[i].option.key)) {
      add_word(w, args->given[i].option.key, args->given[i].value);
    }
  }
  add_word(w, DLS_KEY_OUT, out == NULL ? NULL : dls_pool_print(&j->pool, "%s/%s", out, p->name));
}

static dls_status read_part(job *j, const dls_ledger_problem *p, part *out, dls_error *err)
{
  words *w = dls_pool_take(&j->pool, sizeof *w);
  char *model = dls_pool_copy(&j->pool, p->model, strlen(p->model));
  out->problem = p;
  out->all.study.request = &out->all.request;
  if (w == NULL || model == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the study of problem %s", p->name);
  }
  collect_words(j, p, w);
  const dls_words read = {.name = j->args->command->name,
                          .command = DLS_STUDY_ORDER,
                          .kind = DLS_STUDY_ORDER,
                          .catalogue = j->args->catalogue,
                          .count = w->count,
                          .all = w->all,
                          .positional_count = 1,
                          .positional = &model};
  const dls_status status = dls_request_from_words(&read, &out->all.pool, &out->all.study, err);
  out->spec = out->all.request.spec;
  return status;
}

static dls_status read_parts(job *j, dls_error *err)
{
  const dls_ledger_problem *all = dls_ledger_problems();
  const size_t given = dls_cli_count(j->args, "problem");
  size_t count = given;
  while (given == 0 && all[count].name != NULL) {
    count++;
  }
  j->chosen = given > 0;
  j->parts = dls_pool_take(&j->pool, count * sizeof *j->parts);
  if (j->parts == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu problems", count);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    const dls_ledger_problem *p =
        given == 0 ? &all[i] : dls_ledger_problem_named(dls_cli_value_at(j->args, "problem", i), err);
    for (size_t k = 0; k < i && p != NULL; k++) {
      if (j->parts[k].problem == p) {
        return dls_fail(err, DLS_ERR_OPTION, "--problem %s is given twice", p->name);
      }
    }
    status = p == NULL ? err->status : read_part(j, p, &j->parts[j->part_count++], err);
  }
  return status;
}

/* Are there rows of engines for a problem that was chosen? */
static dls_status check_engines(const job *j, dls_error *err)
{
  const char *folder = dls_cli_value(j->args, "engines");
  dls_ledger ledger = {0};
  size_t count = 0;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < j->part_count && status == DLS_OK && folder != NULL; i++) {
    size_t added = 0;
    status = dls_ledger_add_engines(&ledger, j->parts[i].problem, folder, &added, err);
    count += added;
  }
  dls_ledger_release(&ledger);
  if (status == DLS_OK && folder != NULL && count == 0) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "--engines '%.200s': no file results/PROBLEM/verdict/orders.csv of a problem of this ledger; "
        "it is the folder that ./engines writes",
        folder);
  }
  return status == DLS_OK ? DLS_OK : dls_cli_refuse(err);
}

/* Folders and journals of all problems, so that nothing is computed that could not be kept. */
static dls_status open_folders(job *j, dls_error *err)
{
  dls_request of_all = j->parts[0].all.request;
  of_all.out = dls_cli_value(j->args, "out");
  of_all.report = dls_cli_value(j->args, "report");
  dls_status status = dls_cli_check_page(&of_all, err);
  status = status == DLS_OK ? dls_cli_folder_open(&of_all, picture_file, table_file, &j->folder, err) : status;
  for (size_t i = 0; i < j->part_count && status == DLS_OK && of_all.out != NULL; i++) {
    part *p = &j->parts[i];
    size_t merged = 0;
    status = dls_cli_folder_open(&p->all.request, NULL, "runs.csv", &p->folder, err);
    status = status != DLS_OK ? status
                              : dls_cli_journal_open(&p->all.request, &p->folder, &dls_cli_order_runs, &p->spec,
                                                     &merged, &p->taken, &p->journal, err);
  }
  return status;
}

/* --- the runs --- */

/* The `order` command of one scheme on one problem; NULL if there is no memory. */
static const char *print_order(job *j, const dls_study *study, size_t scheme)
{
  char *text = NULL;
  size_t size = 0, at = 0;
  dls_study one = *study;
  dls_study_argument *arguments = dls_pool_take(&j->pool, (study->argument_count + 1) * sizeof *arguments);
  FILE *out = arguments != NULL ? dls_text_stream(&text, &size) : NULL;
  if (out == NULL) {
    return NULL;
  }
  one.arguments = arguments;
  one.argument_count = 0;
  for (size_t i = 0; i < study->argument_count; i++) {
    const char *option = study->arguments[i].option;
    const bool other = strcmp(option, "scheme") == 0 && at++ != scheme;
    if (!other && dls_key_effect_of(option, strlen(option)) == DLS_KEY_EFFECT_COMPUTES) {
      arguments[one.argument_count++] = study->arguments[i];
    } else if (!other && strcmp(option, "of") == 0) {
      arguments[one.argument_count++] = study->arguments[i];
    }
  }
  dls_command_print("order", &one, ' ', out);
  const bool whole = fclose(out) == 0;
  const char *made = whole ? dls_pool_copy(&j->ledger.pool, text, strlen(text)) : NULL;
  free(text);
  return made;
}

static dls_status add_rows(job *j, const part *p, const dls_order_study *study, dls_error *err)
{
  const char **commands = dls_pool_take(&j->pool, (study->spec.scheme_count + 1) * sizeof *commands);
  for (size_t i = 0; i < study->spec.scheme_count && commands != NULL; i++) {
    commands[i] = print_order(j, &p->all.study, i);
    if (commands[i] == NULL) {
      commands = NULL;
    }
  }
  if (commands == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the commands of a ledger");
  }
  const char *folder = dls_cli_value(j->args, "engines");
  size_t added = 0;
  const dls_status status = dls_ledger_add(&j->ledger, p->problem, study, commands, err);
  return status != DLS_OK || folder == NULL
             ? status
             : dls_ledger_add_engines(&j->ledger, p->problem, folder, &added, err);
}

/* @return DLS_ERR_INTERRUPTED: not all runs were made */
static dls_status run_part(job *j, part *p, dls_error *err)
{
  dls_order_study *study = NULL;
  dls_cli_progress progress = dls_cli_progress_start(p->all.request.progress, p->problem->name, 1);
  p->spec.poll = dls_cli_progress_poll;
  p->spec.poll_data = &progress;
  dls_status status = dls_order_run(&p->spec, &study, err);
  const bool complete = status == DLS_OK && study->complete;
  dls_cli_progress_end(&progress, complete);
  if (status == DLS_OK) {
    p->finished = study->point_count / (p->spec.norm_count * p->spec.of_count);
    status = study->out_of_memory > 0
                 ? dls_fail(err, DLS_ERR_MEMORY, "there was no memory for %zu runs of problem %s",
                            study->out_of_memory, p->problem->name)
             : complete ? add_rows(j, p, study, err)
                        : DLS_ERR_INTERRUPTED;
  }
  dls_order_destroy(study);
  return status;
}

/* --- the table --- */

enum { BLOCK = 11, LABEL_SIZE = 320, CELL_SIZE = 80 };

/* The row of a scheme on the problem of a part. */
static const dls_ledger_row *row_of(const job *j, size_t scheme, const dls_ledger_problem *problem)
{
  size_t at = 0;
  for (size_t i = 0; i < j->ledger.count; i++) {
    const dls_ledger_row *row = &j->ledger.rows[i];
    if (row->problem == problem && !row->engine && at++ == scheme) {
      return row;
    }
  }
  return NULL;
}

/* One quantity of all schemes: a column for each problem, by its number. */
static dls_status print_block(const job *j, dls_ledger_quantity quantity, size_t first, dls_error *err)
{
  const size_t last = first + BLOCK < j->done ? first + BLOCK : j->done;
  char numbers[BLOCK][24];
  const char *headers[BLOCK + 1] = {"scheme"};
  for (size_t i = first; i < last; i++) {
    snprintf(numbers[i - first], sizeof numbers[0], "%zu", i + 1);
    headers[1 + i - first] = numbers[i - first];
  }
  dls_cli_rows rows = {.columns = 1 + last - first, .headers = headers};
  for (size_t scheme = 0; scheme < j->scheme_count; scheme++) {
    char text[LABEL_SIZE];
    dls_cli_cell(&rows, "%s", dls_ledger_label(row_of(j, scheme, j->parts[0].problem), text, sizeof text));
    for (size_t i = first; i < last; i++) {
      dls_cli_cell(&rows, "%s",
                   dls_ledger_text(row_of(j, scheme, j->parts[i].problem), quantity, false, text, sizeof text));
    }
  }
  return dls_cli_rows_print(&rows, "", stdout, err);
}

static dls_status print_matrix(const job *j, dls_ledger_quantity quantity, dls_error *err)
{
  dls_status status = DLS_OK;
  printf("\n%s\n", dls_ledger_headings[quantity].meaning);
  for (size_t first = 0; first < j->done && status == DLS_OK; first += BLOCK) {
    status = print_block(j, quantity, first, err);
  }
  return status;
}

/* The quantities from `first` to before `last` of one problem, those that have a number. */
static dls_status print_quantities(const job *j, const dls_ledger_problem *p, int first, int last,
                                   dls_error *err)
{
  const char *headers[DLS_LEDGER_QUANTITIES + 1] = {"scheme"};
  dls_ledger_quantity shown[DLS_LEDGER_QUANTITIES];
  size_t count = 0;
  char text[LABEL_SIZE];
  for (int i = first; i < last; i++) {
    if (dls_ledger_has(&j->ledger, p, (dls_ledger_quantity)i)) {
      headers[1 + count] = dls_ledger_headings[i].name;
      shown[count++] = (dls_ledger_quantity)i;
    }
  }
  dls_cli_rows rows = {.columns = 1 + count, .headers = headers};
  for (size_t i = 0; i < j->ledger.count; i++) {
    const dls_ledger_row *row = &j->ledger.rows[i];
    if (row->problem == p) {
      dls_cli_cell(&rows, "%s", dls_ledger_label(row, text, sizeof text));
      for (size_t k = 0; k < count; k++) {
        dls_cli_cell(&rows, "%s", dls_ledger_text(row, shown[k], true, text, sizeof text));
      }
    }
  }
  return dls_cli_rows_print(&rows, "\n", stdout, err);
}

/* Two tables: errors, and contacts with cost. */
static dls_status print_problem(const job *j, const dls_ledger_problem *p, dls_error *err)
{
  printf("\n%s: %s\n", p->name, p->summary);
  const dls_status status = print_quantities(j, p, 0, DLS_LEDGER_RESTITUTION, err);
  return status != DLS_OK ? status : print_quantities(j, p, DLS_LEDGER_RESTITUTION, DLS_LEDGER_LIMIT, err);
}

/* Each reason why a scheme has no result, with the problems. */
static void print_failures(const job *j)
{
  for (size_t scheme = 0; scheme < j->scheme_count; scheme++) {
    for (size_t i = 0; i < j->done; i++) {
      const dls_ledger_row *row = row_of(j, scheme, j->parts[i].problem);
      char text[LABEL_SIZE], line[1200] = "";
      bool first = row->failure != NULL;
      for (size_t k = 0; k < i && first; k++) {
        const char *before = row_of(j, scheme, j->parts[k].problem)->failure;
        first = before == NULL || strcmp(before, row->failure) != 0;
      }
      for (size_t k = i; k < j->done && first; k++) {
        const char *other = row_of(j, scheme, j->parts[k].problem)->failure;
        if (other != NULL && strcmp(other, row->failure) == 0) {
          dls_text_append(line, sizeof line, "%s%s", line[0] != '\0' ? ", " : "", j->parts[k].problem->name);
        }
      }
      if (first) {
        dls_text_append(line, sizeof line, ": %s", row->failure);
        printf("no result: %s: ", dls_ledger_label(row, text, sizeof text));
        dls_cli_wrap(stdout, line, strlen(text) + strlen("no result: : "), 2);
      }
    }
  }
}

static dls_status print_tables(const job *j, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < j->done; i++) {
    printf("%3zu  %-20s%s\n", i + 1, j->parts[i].problem->name, j->parts[i].problem->summary);
  }
  if (j->chosen) {
    for (size_t i = 0; i < j->done && status == DLS_OK; i++) {
      status = print_problem(j, j->parts[i].problem, err);
    }
  } else {
    status = print_matrix(j, DLS_LEDGER_ORDER, err);
    status = status == DLS_OK ? print_matrix(j, DLS_LEDGER_LIMIT_ORDER, err) : status;
  }
  fputs("\nown: the scheme chooses its steps; exact: no error above rounding or that of the reference;\n"
        "-: no number; x: no result\n",
        stdout);
  print_failures(j);
  return status;
}

/* --- files --- */

static dls_status write_table(const job *j, dls_error *err)
{
  dls_output *out = NULL;
  const dls_status status = dls_cli_folder_output(&j->folder, table_file, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_ledger_write(&j->ledger, dls_output_stream(out)); /* commit looks for errors */
  return dls_output_commit(out, err);
}

static dls_status write_markdown(const job *j, dls_error *err)
{
  char path[DLS_CLI_PATH_SIZE];
  dls_report *report = NULL;
  dls_status status = dls_cli_folder_file(&j->folder, page_file, path, err);
  status = status == DLS_OK ? dls_report_begin("ledger", &report, err) : status;
  if (status != DLS_OK) {
    return status;
  }
  dls_report_ledger(report, &j->ledger);
  return dls_report_finish_markdown(report, path, err);
}

static dls_status draw_picture(const job *j, dls_error *err)
{
  char path[DLS_CLI_PATH_SIZE];
  dls_status status = dls_cli_folder_picture(&j->folder, picture_file, path, err);
  const dls_canvas canvas = dls_canvas_file(path, &j->folder.form);
  status = status == DLS_OK ? dls_draw_ledger(&j->ledger, &canvas, err) : status;
  return dls_cli_drawn(path, status);
}

/* The table first: pictures need gnuplot. */
static int write_files(const job *j, int code)
{
  dls_error err = {0};
  const char *command = j->args->command->name;
  code = dls_cli_written(command, write_table(j, &err), &err, code);
  code = dls_cli_written(command, write_markdown(j, &err), &err, code);
  if (j->folder.format != NULL) {
    code = dls_cli_written(command, draw_picture(j, &err), &err, code);
  }
  for (size_t i = 0; i < j->part_count && code == DLS_EXIT_DONE; i++) {
    code = dls_cli_written(command, dls_journal_complete(j->parts[i].journal, &err), &err, code);
  }
  return code;
}

/* The command with the options that define its rows. */
static char *print_command(const job *j)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out == NULL) {
    return NULL;
  }
  fprintf(out, "delassus %s", j->args->command->name);
  for (size_t i = 0; i < j->args->given_count; i++) {
    const dls_cli_given *given = &j->args->given[i];
    if (given->option.key == 0 ||
        dls_key_effect_of(given->option.name, strlen(given->option.name)) == DLS_KEY_EFFECT_COMPUTES) {
      fprintf(out, " --%s%s", given->option.name, given->option.argument != NULL ? " " : "");
      if (given->option.argument != NULL) {
        dls_command_put_word(out, given->value);
      }
    }
  }
  return fclose(out) == 0 ? text : (free(text), NULL);
}

static dls_status fill_page(const job *j, dls_report *report, dls_error *err)
{
  char *command = print_command(j);
  if (command == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the report");
  }
  dls_report_question(report, "What do the step models converge to, and how fast?", command);
  free(command);
  const dls_status status = dls_report_ledger_picture(report, &j->ledger, err);
  dls_report_section(report, "Problems");
  dls_report_ledger(report, &j->ledger);
  dls_report_section(report, "Quantities");
  for (size_t i = 0; i < DLS_LEDGER_QUANTITIES; i++) {
    dls_report_entry(report, dls_ledger_headings[i].name, "%s", dls_ledger_headings[i].meaning);
  }
  return status;
}

static dls_status write_page(const job *j, dls_error *err)
{
  const char *path = dls_cli_value(j->args, "report");
  dls_report *report = NULL;
  char seed[40];
  if (dls_report_begin("Ledger of step models", &report, err) != DLS_OK ||
      fill_page(j, report, err) != DLS_OK) {
    dls_report_abandon(report);
    return err->status;
  }
  snprintf(seed, sizeof seed, "%lu", j->parts[0].spec.seed);
  dls_report_provenance(report, j->args->catalogue, seed);
  return dls_report_finish(report, path, err);
}

/* What was not made, and how to continue. */
static int finish_interrupted(const job *j)
{
  const part *p = &j->parts[j->done];
  const char *command = j->args->command->name;
  dls_cli_message(command, "interrupted: %zu of %zu problems are complete", j->done, j->part_count);
  if (j->folder.path != NULL) {
    dls_cli_message(command, "the finished runs are in '%s': continue with --resume", j->folder.path);
  }
  size_t finished = p->finished, taken = p->taken;
  for (size_t i = 0; i < j->done; i++) {
    finished += j->parts[i].finished;
    taken += j->parts[i].taken;
  }
  return dls_cli_journal_late(&p->all.request, &dls_cli_order_runs, false, finished, taken, DLS_EXIT_FAILED);
}

static int execute(job *j)
{
  dls_error err = {0};
  dls_status status = DLS_OK;
  while (j->done < j->part_count && status == DLS_OK) {
    status = run_part(j, &j->parts[j->done], &err);
    j->done += status == DLS_OK;
  }
  if (status != DLS_OK && status != DLS_ERR_INTERRUPTED) {
    return dls_cli_fail(j->args->command->name, &err);
  }
  const bool complete = status == DLS_OK;
  int code = DLS_EXIT_DONE;
  if (complete && j->folder.path != NULL) {
    code = write_files(j, code);
  }
  if (complete && dls_cli_value(j->args, "report") != NULL) {
    code = dls_cli_written(j->args->command->name, write_page(j, &err), &err, code);
  }
  if (j->done > 0) {
    code = dls_cli_written(j->args->command->name, print_tables(j, &err), &err, code);
  }
  return complete ? code : finish_interrupted(j);
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  job j = {.args = args, .quick = dls_cli_value(args, "quick") != NULL};
  j.schemes = dls_pool_take(&j.pool, MOST_CHOICES * sizeof *j.schemes);
  dls_status status =
      j.schemes != NULL ? DLS_OK : dls_fail(&err, DLS_ERR_MEMORY, "no memory for the schemes of a ledger");
  if (status == DLS_OK) {
    choose_schemes(&j);
    status = read_parts(&j, &err);
  }
  if (status == DLS_OK && j.parts[0].all.request.time_limit > 0) {
    dls_cli_stop_after(j.parts[0].all.request.time_limit);
  }
  status = status == DLS_OK ? check_engines(&j, &err) : status;
  status = status == DLS_OK ? open_folders(&j, &err) : status;
  const int code = status == DLS_OK ? execute(&j) : dls_cli_fail(args->command->name, &err);
  for (size_t i = 0; i < j.part_count; i++) {
    dls_journal_close(j.parts[i].journal);
    dls_cli_folder_drop(&j.parts[i].folder);
    dls_cli_request_release(&j.parts[i].all);
  }
  dls_cli_folder_drop(&j.folder);
  dls_ledger_release(&j.ledger);
  dls_pool_release(&j.pool);
  return code;
}

static const dls_cli_option options[] = {
    {.name = "problem",
     .argument = "NAME",
     .help = "a problem; repeat it for several (default: all); a wrong name lists them",
     .repeat = true},
    {.name = "engines",
     .argument = "DIR",
     .help = "the folder that ./engines writes: a row for each engine beside the scheme of its step"},
    {.name = "quick", .help = "few large steps and 4 runs of each: a first look in seconds"},
    {0},
};

const dls_cli_command dls_cli_ledger = {
    .name = "ledger",
    .group = DLS_CLI_MEASURE,
    .synopsis = "",
    .summary = "table of all step models on all problems: orders, plateaus, restitution, friction, cost",
    .text = "Run all step models, and the two schemes to compare them with, on problems with known motion.\n"
            "Each problem is an `order` study against the limit models of the schemes. The table has orders\n"
            "against rigid contact and against the limit model of each scheme. With --problem it has all\n"
            "quantities. --out writes them as ledger.csv, each with the command that repeats it. A scheme\n"
            "with its own e has a row with that e (own), and where it can be fitted, one with the e of the\n"
            "model (fit).\n",
    .page = "notes/ledger",
    .examples = "  delassus ledger --quick\n"
                "  delassus ledger --jobs 0 --out ledger\n"
                "  delassus ledger --problem ball-inelastic --scheme sap --scheme moreau-jean\n",
    .options = options,
    .keys = DLS_COMMAND_LEDGER,
    .least = 0,
    .most = 0,
    .run = run,
};
