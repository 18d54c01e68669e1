/* experiments/measures/ledger/ledger_engines.c -- see ledger_engines.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/ledger/ledger_engines.h"
#include "experiments/campaign/table.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 40, MOST_LINE = 4000, MOST_FILES = 1000 };

/* Engines by the names that ./engines gives them, the scheme of their step, and what they do besides (docs/notes/engines.md). */
static const struct {
  const char *engine, *scheme, *options, *why;
} relations[] = {
    {"ode", "sequential-impulse", "",
     "it solves the contact problem exactly, with constraint force mixing of 1e-10"},
    {"ode-quick", "sequential-impulse", "", "20 sweeps, with constraint force mixing of 1e-10"},
    {"chipmunk", "sequential-impulse", "",
     "it moves bodies before it changes their velocities, and pushes penetrations out by a bias velocity"},
    {"bullet", "sequential-impulse", "",
     "it passes contacts to the solver that are open by up to 0.02 m, which uses up the velocity of approach"},
    {"bullet-touching", "sequential-impulse", "stabilise=split",
     "it finds contacts within 0.02 m and processes them when they touch"},
    {"box2d", "sequential-impulse", "stabilise=split",
     "8 sweeps for velocities and 3 for positions, a slop of 0.005 m, single precision"},
    {"mujoco", "mujoco", "restitution=fit", "k/m is 1e4 /s^2 and the impedance 0.9999, not the defaults"},
    {"mujoco-stiff", "mujoco", "restitution=fit", "k/m is 9e4 /s^2 and the impedance 0.9999, not the defaults"},
    {"siconos", DLS_LEDGER_COST_OF, "", "it is the same scheme"},
};
enum { RELATIONS = sizeof relations / sizeof relations[0] };

/* --- tables of judge --- */

typedef struct table {
  FILE *in;
  char head[MOST_LINE], line[MOST_LINE];
  char *names[MOST_FIELDS], *fields[MOST_FIELDS];
  size_t count;
  bool damaged; /* a line with another number of fields */
} table;

static size_t cut(char *line, char *fields[MOST_FIELDS])
{
  size_t count = 0;
  char *rest = line;
  line[strcspn(line, "\r\n")] = '\0';
  for (char *field; count < MOST_FIELDS && (field = dls_table_read_field(&rest)) != NULL;) {
    fields[count++] = field;
  }
  return count;
}

/* @return false: there is no such file, or it is empty */
static bool open_table(const dls_ledger_problem *problem, const char *folder, const char *name, table *t)
{
  char path[MOST_LINE];
  const int length = snprintf(path, sizeof path, "%s/results/%s/verdict/%s", folder, problem->engine, name);
  t->in = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
  if (t->in == NULL || fgets(t->head, sizeof t->head, t->in) == NULL) {
    return false;
  }
  t->count = cut(t->head, t->names);
  return true;
}

static bool next_line(table *t)
{
  do {
    if (fgets(t->line, sizeof t->line, t->in) == NULL) {
      return false;
    }
  } while (t->line[0] == '#');
  t->damaged = cut(t->line, t->fields) != t->count;
  return !t->damaged;
}

/* @return DLS_ERR_PARSE if a line was damaged */
static dls_status close_table(const table *t, const dls_ledger_problem *problem, const char *folder,
                              const char *name, dls_error *err)
{
  if (t->in != NULL) {
    fclose(t->in);
  }
  return t->damaged
             ? dls_fail(
                   err, DLS_ERR_PARSE,
                   "%.200s/results/%s/verdict/%s: not a table of `delassus judge`: a line has not %zu fields",
                   folder, problem->engine, name, t->count)
             : DLS_OK;
}

/* The field of a column; "" if there is no such column. */
static const char *field(const table *t, const char *name)
{
  for (size_t i = 0; i < t->count; i++) {
    if (strcmp(t->names[i], name) == 0) {
      return t->fields[i];
    }
  }
  return "";
}

static double number(const table *t, const char *name)
{
  const char *text = field(t, name);
  char *end = NULL;
  const double x = strtod(text, &end);
  return end == text || *end != '\0' ? NAN : x;
}

/* --- cells --- */

static const char *copy(dls_ledger *ledger, const char *text)
{
  const char *made = dls_pool_copy(&ledger->pool, text, strlen(text));
  return made != NULL ? made : "";
}

/* Errors in q at the least step of an engine. */
static dls_status read_error(const char *folder, dls_ledger_row *row, dls_error *err)
{
  table t = {0};
  double least = INFINITY;
  const bool there = open_table(row->problem, folder, "errors.csv", &t);
  while (there && next_line(&t)) {
    const double step = number(&t, "step");
    if (strcmp(field(&t, "scheme"), row->scheme) == 0 && strcmp(field(&t, "norm"), "l1") == 0 &&
        strcmp(field(&t, "of"), "q") == 0 && step < least && isfinite(number(&t, "error"))) {
      least = step;
      row->cells[DLS_LEDGER_ERROR].value = number(&t, "error");
    }
  }
  return close_table(&t, row->problem, folder, "errors.csv", err);
}

/* Mean and range of the effective restitution over the smaller half of the steps, as of schemes. */
static void put_restitution(size_t count, double *steps, double *values, dls_ledger_cell *cell)
{
  gsl_sort2(steps, 1, values, 1, count);
  const size_t half = (count + 1) / 2;
  if (half > 0) {
    gsl_sort(values, 1, half);
    cell->value = gsl_stats_mean(values, 1, half);
    cell->low = values[0];
    cell->high = values[half - 1];
  }
}

/* What judge measures at the contacts; all but the restitution at the least step. */
static dls_status read_contacts(const char *folder, dls_ledger_row *row, dls_error *err)
{
  static const struct {
    dls_ledger_quantity quantity;
    const char *column;
  } figures[] = {{DLS_LEDGER_CREEP, "stick_error"},
                 {DLS_LEDGER_HOP, "hop_error"},
                 {DLS_LEDGER_DEPTH, "rest-depth_error"},
                 {DLS_LEDGER_DRIFT, "rest_error"}};
  table t = {0};
  double steps[MOST_FILES], values[MOST_FILES], least = INFINITY;
  size_t count = 0;
  const bool there = open_table(row->problem, folder, "contacts.csv", &t);
  while (there && next_line(&t)) {
    const double step = number(&t, "step"), e = number(&t, "restitution");
    if (strcmp(field(&t, "program"), row->scheme) != 0) {
      continue;
    }
    if (isfinite(e) && count < MOST_FILES) {
      steps[count] = step;
      values[count++] = e;
    }
    for (size_t i = 0; i < sizeof figures / sizeof figures[0] && step < least; i++) {
      row->cells[figures[i].quantity].value = number(&t, figures[i].column);
    }
    least = fmin(least, step);
  }
  put_restitution(count, steps, values, &row->cells[DLS_LEDGER_RESTITUTION]);
  return close_table(&t, row->problem, folder, "contacts.csv", err);
}

/* --- the comparison with the scheme of the same step --- */

static const dls_ledger_row *row_of(const dls_ledger *ledger, const dls_ledger_problem *problem,
                                    const char *scheme, const char *options)
{
  for (size_t i = 0; i < ledger->count; i++) {
    const dls_ledger_row *row = &ledger->rows[i];
    if (row->problem == problem && !row->engine && strcmp(row->scheme, scheme) == 0 &&
        strcmp(row->options, options) == 0) {
      return row;
    }
  }
  return NULL;
}

/* Effective e that are so far apart are not those of one step: at the smaller steps here a scheme of order one is within 0.02 of its
 * limit. */
static const double other_restitution = 0.05;

/* "agrees with" where the intervals of both orders have a point in common and both have one e. */
static const char *verdict_of(const dls_ledger_row *engine, const dls_ledger_row *model)
{
  const dls_ledger_cell *a = &engine->cells[DLS_LEDGER_ORDER], *b = &model->cells[DLS_LEDGER_ORDER];
  const double e =
      fabs(engine->cells[DLS_LEDGER_RESTITUTION].value - model->cells[DLS_LEDGER_RESTITUTION].value);
  return e > other_restitution || a->low > b->high || b->low > a->high ? "differs from"
         : a->low <= b->high && b->low <= a->high                      ? "agrees with"
                                                                       : "is not comparable with";
}

static void compare(dls_ledger *ledger, dls_ledger_row *row)
{
  dls_ledger_cell *cell = &row->cells[DLS_LEDGER_ORDER];
  size_t at = 0;
  while (at < RELATIONS && strcmp(relations[at].engine, row->scheme) != 0) {
    at++;
  }
  if (at == RELATIONS) {
    return;
  }
  char label[300], order[80];
  const dls_ledger_row *model = row_of(ledger, row->problem, relations[at].scheme, relations[at].options);
  const char *text = NULL;
  const char *before = cell->remark[0] != '\0' ? "; " : "";
  if (model == NULL) {
    text = dls_pool_print(&ledger->pool, "%s%sto be compared with %s%s%s", cell->remark, before,
                          relations[at].scheme, relations[at].options[0] != '\0' ? ":" : "",
                          relations[at].options);
  } else {
    const char *verdict = verdict_of(row, model);
    const bool differs = strncmp(verdict, "differs", 7) == 0;
    dls_ledger_label(model, label, sizeof label);
    dls_ledger_text(model, DLS_LEDGER_ORDER, true, order, sizeof order);
    text = dls_pool_print(&ledger->pool, "%s%s%s %s, order %s%s%s", cell->remark, before, verdict, label, order,
                          differs ? ": " : "", differs ? relations[at].why : "");
  }
  cell->remark = text != NULL ? text : cell->remark;
}

/* --- rows --- */

static dls_status add_row(dls_ledger *ledger, const dls_ledger_problem *problem, const char *folder,
                          const table *t, dls_error *err)
{
  dls_ledger_row *row = dls_ledger_row_new(ledger, err);
  if (row == NULL) {
    return DLS_ERR_MEMORY;
  }
  row->problem = problem;
  row->engine = true;
  row->scheme = copy(ledger, field(t, "scheme"));
  row->command = "./engines";
  for (size_t i = 0; i < DLS_LEDGER_QUANTITIES; i++) {
    row->cells[i].remark = "not measured by ./engines";
  }
  dls_ledger_cell *order = &row->cells[DLS_LEDGER_ORDER];
  *order = (dls_ledger_cell){number(t, "order"), number(t, "ci_low"), number(t, "ci_high"), "",
                             copy(ledger, field(t, "reason"))};
  if (read_error(folder, row, err) != DLS_OK || read_contacts(folder, row, err) != DLS_OK) {
    return err->status;
  }
  for (size_t i = 0; i < DLS_LEDGER_QUANTITIES; i++) {
    dls_ledger_cell *cell = &row->cells[i];
    cell->remark = i != DLS_LEDGER_ORDER && isfinite(cell->value) ? "" : cell->remark;
  }
  compare(ledger, row);
  return DLS_OK;
}

dls_status dls_ledger_add_engines(dls_ledger *ledger, const dls_ledger_problem *problem, const char *folder,
                                  size_t *added, dls_error *err)
{
  table *t = calloc(1, sizeof *t);
  dls_status status = t != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the rows of engines");
  *added = 0;
  const bool there =
      status == DLS_OK && problem->engine != NULL && open_table(problem, folder, "orders.csv", t);
  while (there && status == DLS_OK && next_line(t)) {
    const bool wanted = strcmp(field(t, "norm"), "l1") == 0 && strcmp(field(t, "of"), "q") == 0 &&
                        strcmp(field(t, "scheme"), DLS_LEDGER_COST_OF) != 0;
    status = wanted ? add_row(ledger, problem, folder, t, err) : DLS_OK;
    *added += wanted && status == DLS_OK;
  }
  const dls_status closed =
      t != NULL ? close_table(t, problem, folder, "orders.csv", status == DLS_OK ? err : NULL) : DLS_OK;
  status = status == DLS_OK ? closed : status;
  free(t);
  return status == DLS_OK && ledger->pool.failed
             ? dls_fail(err, DLS_ERR_MEMORY, "no memory for rows of engines")
             : status;
}
