/* experiments/cli/show.c -- `delassus show NAME`: all that is known about a model, scheme, norm or LCP solver.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"
#include "experiments/cli/entries.h"

#include "experiments/measures/order/published_order.h"

#include "common/base/text.h"
#include "common/models/matrix_market/system_entries.h"
#include "common/run/capabilities.h"
#include <delassus/catalogue.h>
#include <delassus/lcp.h>
#include <delassus/problem.h>
#include <delassus/study_file.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A block of lines under a heading, each line indented. */
static void print_block(const char *heading, const char *text)
{
  printf("\n%s\n", heading);
  while (text != NULL && *text != '\0') {
    const size_t length = strcspn(text, "\n");
    printf("%s%.*s\n", length > 0 ? "  " : "", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

/* Where a paragraph ends: a line that ends within a sentence continues in the next, unless that is indented. */
static char *paragraph_end(char *text)
{
  char *end = strchr(text, '\n');
  while (end != NULL && end > text && strchr(".;", end[-1]) == NULL && strchr(" \n", end[1]) == NULL) {
    end = strchr(end + 1, '\n');
  }
  return end;
}

static dls_status no_memory(const char *heading, dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory for what belongs under '%s'", heading);
}

/* Sentences under a heading, rewrapped. */
static dls_status print_prose(const char *heading, const char *text, dls_error *err)
{
  char *copy = dls_text_copy(text != NULL ? text : "");
  if (copy == NULL) {
    return no_memory(heading, err);
  }
  printf("\n%s\n", heading);
  for (char *next, *paragraph = copy; paragraph != NULL && *paragraph != '\0'; paragraph = next) {
    const size_t indent = 2 + strspn(paragraph, " ");
    next = paragraph_end(paragraph);
    if (next != NULL) {
      *next++ = '\0';
    }
    printf("%*s", (int)indent, "");
    dls_cli_wrap(stdout, paragraph, indent, indent);
  }
  free(copy);
  return DLS_OK;
}

static void print_source(const char *source)
{
  printf("\nsource\n  ");
  dls_cli_wrap(stdout, source, 2, 2);
}

/* The range of an option, or where its choices are a long list "a name", with the list behind the meaning. */
static void put_range(dls_cli_rows *rows, const dls_option *option)
{
  enum { RANGE_WIDTH = 24 };
  const char *unit = option->unit[0] != '\0' ? option->unit : "-";
  char range[120], choices[400] = "";
  dls_option_range(option, range, sizeof range);
  if (option->kind == DLS_INTEGER) {
    dls_text_append(range, sizeof range, " integer");
  }
  const bool list = strlen(range) > RANGE_WIDTH;
  for (const char *c = range; *c != '\0'; c++) {
    dls_text_append(choices, sizeof choices, *c == '|' ? ", " : "%c", *c);
  }
  dls_cli_cell(rows, "%s", list ? "a name" : range);
  dls_cli_cell(rows, "%s", unit);
  dls_cli_cell(rows, "%s%s%s", option->help, list ? "; one of " : "", list ? choices : "");
}

static dls_status print_options(const char *heading, const dls_option *table, dls_error *err)
{
  static const char *const headers[] = {"name", "default", "range", "unit", "meaning"};
  dls_cli_rows rows = {.columns = sizeof headers / sizeof headers[0], .headers = headers};
  printf("\n%s\n", heading);
  if (dls_option_count(table) == 0) {
    printf("  none\n");
    return DLS_OK;
  }
  for (const dls_option *option = table; option->name != NULL; option++) {
    char initial[40];
    dls_option_format(option, option->initial, initial, sizeof initial);
    dls_cli_cell(&rows, "%s", option->name);
    dls_cli_cell(&rows, "%s", initial);
    put_range(&rows, option);
  }
  return dls_cli_rows_print(&rows, "", stdout, err);
}

static dls_status print_files(const dls_file_slot *files, dls_error *err)
{
  static const char *const headers[] = {"name", "needed", "contents"};
  dls_cli_rows rows = {.columns = sizeof headers / sizeof headers[0], .headers = headers};
  for (; files->name != NULL; files++) {
    dls_cli_cell(&rows, "%s", files->name);
    dls_cli_cell(&rows, "%s", files->required ? "yes" : "no");
    dls_cli_cell(&rows, "%s", files->help);
  }
  return dls_cli_rows_print(&rows, "\nfiles (--set NAME=FILE)\n", stdout, err);
}

/* What --sensitivity and --by may name beside the parameters. */
static dls_status print_entries(const dls_model *model, dls_error *err)
{
  char names[200];
  dls_system *sys = NULL;
  const dls_status status = model->files == NULL ? dls_model_create(model, NULL, &sys, err) : DLS_OK;
  if (status == DLS_OK) {
    dls_system_entry_names(sys, names, sizeof names);
    printf("\nentries (--sensitivity 'NAME[i,j]', --by; indices from 0)\n  ");
    dls_cli_wrap(stdout, names, 2, 2);
  }
  dls_system_destroy(sys);
  return status;
}

static dls_status show_model(const dls_model *model, const dls_exact *exact, dls_error *err)
{
  print_block("equations", model->equations);
  dls_status status = model->files != NULL ? print_files(model->files, err) : DLS_OK;
  status = status != DLS_OK ? status : print_options("parameters (--set NAME=VALUE)", model->parameters, err);
  status = status != DLS_OK ? status : print_entries(model, err);
  if (exact == NULL) {
    printf("\nexact solution\n  none\n");
  } else {
    printf("\nexact solution (delassus exact %s)\n  ", model->name);
    dls_cli_wrap(stdout, exact->summary, 2, 2);
    printf("  ");
    dls_cli_wrap(stdout, exact->source, 2, 2);
  }
  print_source(model->source);
  return status;
}

static void print_published(const dls_published_order *row)
{
  if (row != NULL) {
    printf("\norder with impacts\n");
  }
  for (; row != NULL && row->source != NULL; row++) {
    char text[200];
    dls_published_order_text(row, text, sizeof text);
    printf("  ");
    dls_cli_wrap(stdout, text, 2, 2);
  }
}

/* The table of capabilities, three a line; a row without a label refines the value of the row before. */
static void print_capabilities(const dls_scheme *scheme)
{
  size_t printed = 0;
  printf("\ntreats");
  for (const dls_capability *c = dls_capabilities; c->what != NULL;) {
    const char *label = c->label, *value = "no";
    do {
      value = dls_scheme_treats(scheme, c) && c->value != NULL ? c->value : value;
      c++;
    } while (label != NULL && c->what != NULL && c->label == NULL && c->value != NULL);
    if (label != NULL) {
      printf("%s%s: %s", printed % 3 == 0 ? "\n  " : "; ", label, value);
      printed++;
    }
  }
  printf("\n");
}

static void print_limit(const dls_limit *limit)
{
  char text[400];
  snprintf(text, sizeof text, "%s%s%s", dls_limit_text(limit->kind), limit->text != NULL ? ": " : "",
           limit->text != NULL ? limit->text : "");
  printf("\nlimit for h -> 0\n  ");
  dls_cli_wrap(stdout, text, 2, 2);
}

static dls_status show_scheme(const dls_scheme *scheme, dls_error *err)
{
  static const char *const meanings[] = {"linear", "constant", "cubic Hermite", "cubic"};
  static const char *const steps[] = {
      [DLS_BY_STEP] = "of fixed size, given by --step H",
      [DLS_BY_EVENT] = "of its own choice, up to each event",
      [DLS_BY_SUBSTEP] = "of fixed size, given by --step H, with nodes at events inside",
  };
  char heading[120];
  print_block("equations", scheme->equations);
  snprintf(heading, sizeof heading, "options (--scheme %s:NAME=VALUE,...)", scheme->name);
  const dls_status status = print_options(heading, scheme->options, err);
  printf("\nsteps\n  %s\n", steps[scheme->stepping]);
  print_capabilities(scheme);
  printf("\nbetween two nodes\n  q is %s, v is %s\n", meanings[scheme->q_between], meanings[scheme->v_between]);
  print_limit(&scheme->limit);
  const dls_status prose = print_prose("what to expect", scheme->remarks, err);
  print_published(scheme->published);
  print_source(scheme->source);
  return status != DLS_OK ? status : prose;
}

/* The thresholds of a scheme. */
static dls_status print_thresholds(const dls_threshold *table, dls_error *err)
{
  static const char *const headers[] = {"name", "value", "unit", "reason", "effect"};
  dls_cli_rows rows = {.columns = sizeof headers / sizeof headers[0], .headers = headers};
  for (; table->name != NULL; table++) {
    dls_cli_cell(&rows, "%s", table->name);
    dls_cli_cell(&rows, "%.6g", table->value);
    dls_cli_cell(&rows, "%s", table->unit);
    dls_cli_cell(&rows, "%s", table->reason);
    dls_cli_cell(&rows, "%s", table->effect);
  }
  return dls_cli_rows_print(&rows, "", stdout, err);
}

/* The names of the schemes that have a table of thresholds. */
static const char *with_thresholds(const dls_catalogue *catalogue, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (const dls_scheme *const *s = dls_catalogue_schemes(catalogue); *s != NULL && used < size; s++) {
    if ((*s)->thresholds != NULL) {
      used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", (*s)->name);
    }
  }
  return text;
}

static dls_status show_contact_solver(const dls_problem_method *method)
{
  printf("\nproblem (delassus contact --method %s)\n"
         "  find r and u = W r + q with, for each contact, u_N >= 0, r in the cone |r_T| <= mu r_N,\n"
         "  and open (r = 0), stick (u = 0) or slip (u_N = 0, |r_T| = mu r_N, r_T against u_T)\n",
         method->name);
  printf("\nhandles\n  %s\n", method->handles);
  print_source(method->source);
  return DLS_OK;
}

static dls_status show_solver(const dls_lcp_method *method)
{
  printf("\nproblem\n  find z >= 0 with w = W z + b >= 0 and z^T w = 0\n");
  if (method->largest == SIZE_MAX) {
    printf("\nchosen by `auto`\n  for any size\n");
  } else {
    printf("\nchosen by `auto`\n  up to size %zu\n", method->largest);
  }
  print_source(method->source);
  return DLS_OK;
}

static dls_status show_law(const dls_law *law, dls_error *err)
{
  static const char *const cones[] = {
      [DLS_FREE] = "none: the velocity is given",
      [DLS_HALF] = "r_N >= 0, r_T = 0: no friction",
      [DLS_COULOMB] = "|r_T| <= mu r_N: Coulomb's",
  };
  print_block("equations", law->equations);
  printf("\nimpulses\n  %s\n", cones[law->block]);
  const dls_status status =
      print_options("coefficients of a contact, which its model gives", law->parameters, err);
  print_source(law->source);
  return status;
}

static dls_status show_norm(const dls_norm *norm, dls_error *err)
{
  char heading[80];
  snprintf(heading, sizeof heading, "options (--norm %s:NAME=VALUE)", norm->name);
  return norm->options == NULL ? DLS_OK : print_options(heading, norm->options, err);
}

static dls_status show_study(const dls_study_shipped *study)
{
  putchar('\n');
  fwrite(study->text, 1, study->size, stdout);
  return DLS_OK;
}

static dls_status show_entry(const dls_catalogue *catalogue, const dls_cli_entry *entry, size_t index,
                             dls_error *err)
{
  printf("%s (%s)\n  ", entry->name, dls_cli_kind_names[entry->kind]);
  dls_cli_wrap(stdout, entry->summary, 2, 2);
  switch (entry->kind) {
  case DLS_CLI_MODEL:
    return show_model(dls_catalogue_models(catalogue)[index], dls_catalogue_exact(catalogue, entry->name), err);
  case DLS_CLI_SCHEME:
    return show_scheme(dls_catalogue_schemes(catalogue)[index], err);
  case DLS_CLI_SOLVER:
    return index < dls_cli_lcp_count()
               ? show_solver(dls_lcp_methods()[index])
               : show_contact_solver(dls_problem_methods()[index - dls_cli_lcp_count()]);
  case DLS_CLI_LAW:
    return show_law(dls_catalogue_laws(catalogue)[index], err);
  case DLS_CLI_STUDY:
    return show_study(&dls_studies()[index]);
  case DLS_CLI_NORM:
    return show_norm(dls_norms()[index], err);
  default:
    return DLS_OK;
  }
}

static int run(const dls_cli_args *args)
{
  dls_cli_entry entry;
  size_t index;
  dls_error err = {0};
  const dls_status status = dls_cli_entry_meant(args->catalogue, args->positional[0], &entry, &index, &err);
  if (status != DLS_OK) {
    return status == DLS_ERR_OPTION ? dls_cli_refuse_name(args, args->positional[0])
                                    : dls_cli_fail(args->command->name, &err);
  }
  if (dls_cli_value(args, "thresholds") != NULL) {
    char names[200];
    const dls_scheme *scheme =
        entry.kind == DLS_CLI_SCHEME ? dls_catalogue_schemes(args->catalogue)[index] : NULL;
    if (scheme == NULL || scheme->thresholds == NULL) {
      dls_fail(&err, DLS_ERR_ARG, "%s has no table of thresholds; these schemes have one: %s", entry.name,
               with_thresholds(args->catalogue, names, sizeof names));
      return dls_cli_fail(args->command->name, &err);
    }
    return print_thresholds(scheme->thresholds, &err) == DLS_OK ? DLS_EXIT_DONE
                                                                : dls_cli_fail(args->command->name, &err);
  }
  return show_entry(args->catalogue, &entry, index, &err) == DLS_OK ? DLS_EXIT_DONE
                                                                    : dls_cli_fail(args->command->name, &err);
}

static const dls_cli_option options[] = {
    {.name = "thresholds",
     .help = "the thresholds of a scheme in place of all else: name, value, unit, reason, effect"},
    {0},
};

const dls_cli_command dls_cli_show = {
    .name = "show",
    .group = DLS_CLI_LEARN,
    .synopsis = "NAME",
    .summary = "a model's equations and parameters, a scheme's equations and options, ...",
    .text = "Show all that is known about a model, a scheme, a law of contact, a norm or a solver: equations,\n"
            "a table of its parameters or options with defaults and ranges, exact solution, source. A part of\n"
            "a name suffices if no other name contains it.\n",
    .page = "guide/first-order-study",
    .examples = "  delassus show bouncing-ball\n"
                "  delassus show moreau-jean\n"
                "  delassus show hausdorff\n"
                "  delassus show event-driven --thresholds\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
