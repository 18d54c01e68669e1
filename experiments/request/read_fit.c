/* experiments/request/read_fit.c -- what a fit estimates, from which data, and with which noise.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/reader.h"

#include "common/base/decimal.h"
#include "experiments/catalogue/law_parameters.h"
#include "experiments/extra/foreign/foreign_file.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MADE_ROWS = 1000000 };

dls_parameter_fit_spec dls_request_fit_spec(const dls_request *r)
{
  dls_parameter_fit_spec spec = r->fit.spec;
  spec.model = r->model.model;
  spec.parameters = r->model.parameters;
  spec.scheme = r->spec.schemes;
  spec.step = r->step;
  spec.data = r->fit.table.data;
  spec.data.of = r->spec.of;
  spec.data.of_count = r->spec.of_count;
  return spec;
}

/* --- parameters and noise --- */

/* Unknown ones are refused with the model, by dls_study_check_fit. */
static bool is_any(dls_study_reader *r, const dls_yaml_node *node)
{
  (void)r;
  (void)node;
  return true;
}

void dls_study_read_by(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_study_names by = dls_study_read_names(r, node, DLS_KEY_BY, is_any);
  r->request->fit.spec.by = by.names;
  r->request->fit.spec.by_count = by.count;
}

/* NAME: TEXT of a file, NAME=TEXT of a command line. @return the text; NULL and reported if it has not this form.
 * @param[out] at  position among the names  @param[out] word  as of a command line, in the pool */
static const char *read_pair(dls_study_reader *r, const dls_yaml_node *node, const char *what,
                             const char *const *names, size_t count, size_t *at, const char **word)
{
  const char *text = dls_yaml_text(&r->yaml, node, node->key != NULL ? node->key : what);
  *word = r->line || text == NULL ? text : dls_pool_print(r->pool, "%s=%s", node->key, text);
  if (*word == NULL) {
    return NULL;
  }
  const size_t length = strcspn(*word, "=");
  const char *name = dls_pool_copy(r->pool, *word, length);
  *at = name != NULL ? dls_yaml_find(name, names, count) : count;
  if ((*word)[length] == '=' && *at < count) {
    return *word + length + 1;
  }
  dls_study_report(r, r->line ? node->mark : node->key_mark,
                   "%s: '%.60s' must be one of %s, once, with its value", what, *word,
                   dls_yaml_list(&r->yaml, names, count));
  return NULL;
}

/* A, B of A:B; an empty one leaves the bound. */
static bool read_bound(dls_study_reader *r, const dls_yaml_node *node, const char *what, const char *text,
                       size_t length, double *bound)
{
  dls_error err = {0};
  const char *number = dls_pool_copy(r->pool, text, length);
  if (number == NULL || length == 0 || dls_parse_number(what, number, bound, &err) == DLS_OK) {
    return true;
  }
  dls_study_report_error(r, node->mark, &err);
  return false;
}

void dls_study_read_range(dls_study_reader *r, const dls_yaml_node *node)
{
  dls_parameter_fit_spec *spec = &r->request->fit.spec;
  const char *what = dls_study_label(r, DLS_KEY_RANGE);
  double *low = dls_pool_take(r->pool, 2 * (spec->by_count + 1) * sizeof *low);
  if (low == NULL) {
    return;
  }
  double *high = low + spec->by_count;
  for (size_t k = 0; k < spec->by_count; k++) {
    low[k] = -INFINITY;
    high[k] = INFINITY;
  }
  spec->low = low;
  spec->high = high;
  if (node != NULL && node->kind == DLS_YAML_TEXT) {
    dls_study_report(r, node->mark, "%s must be P: A:B for each parameter, but this is %s", what,
                     dls_yaml_kind_text(node->kind));
    return;
  }
  for (const dls_yaml_node *entry = node != NULL ? node->first : NULL; entry != NULL; entry = entry->next) {
    size_t k = 0;
    const char *word = NULL;
    const char *text = read_pair(r, entry, what, spec->by, spec->by_count, &k, &word);
    const char *colon = text != NULL ? strchr(text, ':') : NULL;
    if (text != NULL && colon == NULL) {
      dls_study_report(r, entry->mark, "%s: '%.60s' must be A:B, where A or B may be missing", what, text);
    } else if (text != NULL && read_bound(r, entry, what, text, (size_t)(colon - text), &low[k]) &&
               read_bound(r, entry, what, colon + 1, strlen(colon + 1), &high[k])) {
      dls_study_record(r, DLS_KEY_RANGE, word);
    }
  }
}

/* One number for all columns. */
static void read_one_sigma(dls_study_reader *r, const dls_yaml_node *node, const char *what, double *sigma)
{
  const double all = dls_yaml_number(&r->yaml, node, what);
  for (size_t j = 0; j < r->request->spec.of_count; j++) {
    sigma[j] = all;
  }
  dls_study_record(r, DLS_KEY_SIGMA, isnan(all) ? NULL : node->text);
}

void dls_study_read_sigma(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_request *q = r->request;
  const char *what = dls_study_label(r, DLS_KEY_SIGMA), *joined = NULL;
  double *sigma = dls_pool_take(r->pool, (q->spec.of_count + 1) * sizeof *sigma);
  const dls_yaml_node *only = r->line && dls_yaml_count(node) == 1 ? node->first : node;
  size_t given = 0;
  r->request->fit.spec.sigma = sigma;
  if (sigma == NULL) {
    return;
  }
  if (only->kind == DLS_YAML_TEXT && strchr(only->text, '=') == NULL) {
    read_one_sigma(r, only, what, sigma);
    return;
  }
  for (const dls_yaml_node *entry = node->first; entry != NULL; entry = entry->next, given++) {
    size_t j = 0;
    dls_error err = {0};
    const char *word = NULL;
    const char *text = read_pair(r, entry, what, q->spec.of, q->spec.of_count, &j, &word);
    if (text == NULL) {
      return;
    }
    if (dls_parse_number(what, text, &sigma[j], &err) != DLS_OK) {
      dls_study_report_error(r, entry->mark, &err);
      return;
    }
    joined = joined == NULL ? word : dls_pool_print(r->pool, "%s,%s", joined, word);
  }
  if (given != q->spec.of_count) {
    dls_study_report(r, node->mark, "%s names %zu of the %zu columns of %s", what, given, q->spec.of_count,
                     dls_study_label(r, DLS_KEY_OF));
  }
  dls_study_record(r, DLS_KEY_SIGMA, joined);
}

void dls_study_read_method(dls_study_reader *r, const dls_yaml_node *node)
{
  static const char prefix[] = "difference:relative=";
  dls_error err = {0};
  double *relative = &r->request->fit.spec.relative;
  const char *text = dls_yaml_text(&r->yaml, node, node->key);
  if (text == NULL) {
    return;
  }
  const bool difference = strncmp(text, prefix, strlen(prefix)) == 0;
  if (!difference && strcmp(text, "forward") != 0) {
    dls_study_report(r, node->mark, "%s = %.60s: allowed are forward and difference:relative=D", node->key,
                     text);
  } else if (difference && dls_parse_number(node->key, text + strlen(prefix), relative, &err) != DLS_OK) {
    dls_study_report_error(r, node->mark, &err);
  } else if (difference && !(*relative > 0 && *relative < 1)) {
    dls_study_report(r, node->mark, "%s difference:relative = %g is outside (0, 1)", node->key, *relative);
  }
  dls_study_record(r, DLS_KEY_METHOD, text);
}

/* --- data --- */

/* The file, its columns renamed by `map`, and those of `of` taken. */
static dls_status read_file(dls_study_reader *r, const char *path, dls_error *err)
{
  dls_request *q = r->request;
  dls_foreign_manner manner = {.between_given = true}; /* nothing between the rows is used */
  dls_csv_layout layout;
  const char **pairs = NULL;
  const dls_yaml_node *map = r->values[DLS_KEY_MAP];
  const size_t count = map != NULL ? dls_study_read_map(r, map, &pairs) : 0;
  dls_status status = dls_foreign_map(count, pairs, r->pool, &manner, err);
  if (status == DLS_OK) {
    status = dls_foreign_read(&manner, path, path, &q->fit.file, &layout, err);
  }
  if (status == DLS_OK) {
    status =
        dls_fit_table_take(q->fit.file, path, q->spec.of_count, q->spec.of, q->fit.until, &q->fit.table, err);
  }
  return status;
}

/* The true parameters in place of the start values; node NULL: these. */
static void read_truth(dls_study_reader *r, const dls_yaml_node *node)
{
  static const dls_yaml_node none = {.kind = DLS_YAML_MAPPING};
  dls_error err = {0};
  char owner[80];
  dls_model_choice *truth = &r->request->fit.made.model;
  const dls_model_choice *start = &r->request->model;
  const dls_yaml_node *given = node != NULL ? node : &none;
  const char **names = dls_pool_take(r->pool, (dls_yaml_count(given) + 1) * sizeof *names);
  size_t count = 0;
  if (given->kind != DLS_YAML_MAPPING) {
    dls_study_report(r, given->mark, "parameters must be NAME: VALUE for each, but this is %s",
                     dls_yaml_kind_text(given->kind));
    return;
  }
  for (const dls_yaml_node *entry = given->first; entry != NULL && names != NULL; entry = entry->next) {
    names[count++] = entry->key;
  }
  if (names == NULL) {
    return;
  }
  if (dls_named_parameters(start->model, start->parameters, count, names, truth, &err) != DLS_OK) {
    dls_study_report_error(r, given->mark, &err);
    return;
  }
  snprintf(owner, sizeof owner, "model %s", start->model->name);
  for (const dls_yaml_node *entry = given->first; entry != NULL; entry = entry->next) {
    dls_study_read_assignment(r, truth->model->parameters, owner, entry, truth->parameters);
  }
}

/* A number of made data; NaN and reported if it is missing or outside [low, high]. */
static double read_made(dls_study_reader *r, const dls_yaml_node *data, const char *name, double missing,
                        double low, double high)
{
  const dls_yaml_node *node = dls_yaml_get(data, name);
  if (node == NULL && isnan(missing)) {
    dls_study_report(r, data->mark, "data: key '%s' is missing: %s", name, r->keys[DLS_KEY_DATA].value);
  }
  const double x = node != NULL ? dls_yaml_number(&r->yaml, node, name) : missing;
  if (node != NULL && !isnan(x) && !(x >= low && x <= high)) {
    dls_study_report(r, node->mark, "data: %s = %.60s is outside [%g, %g]", name, node->text, low, high);
    return NAN;
  }
  return x;
}

static void read_recipe(dls_study_reader *r, const dls_yaml_node *node)
{
  static const char *const names[] = {"parameters", "end", "rows", "noise", "seed"};
  dls_error err = {0};
  dls_fit_made *made = &r->request->fit.made;
  const double least = 1e-300;
  dls_yaml_refuse_unknown(&r->yaml, node, names, sizeof names / sizeof names[0], "of data that a study makes");
  const double end = read_made(r, node, "end", NAN, least, HUGE_VAL);
  const double rows = read_made(r, node, "rows", NAN, 1, MOST_MADE_ROWS);
  const double seed = read_made(r, node, "seed", 1, 0, DLS_REQUEST_MOST_SEED);
  made->noise = read_made(r, node, "noise", 0, 0, HUGE_VAL);
  if (r->request->model.model != NULL) {
    read_truth(r, dls_yaml_get(node, "parameters"));
  }
  if (r->values[DLS_KEY_MAP] != NULL && dls_study_is_own(r, r->values[DLS_KEY_MAP], DLS_KEY_MAP)) {
    dls_study_report(r, r->values[DLS_KEY_MAP]->key_mark, "map is for a file; these data are made here");
  }
  if (isnan(end) || isnan(rows) || isnan(seed)) {
    return;
  }
  made->end = end;
  made->rows = (size_t)rows;
  made->seed = (unsigned long)seed;
  if (dls_catalogue_choose(r->catalogue, "event-driven", &made->scheme, &err) != DLS_OK) {
    dls_study_report_error(r, node->mark, &err);
  }
}

void dls_study_read_data(dls_study_reader *r, const dls_yaml_node *node)
{
  dls_error err = {0};
  if (node->kind == DLS_YAML_MAPPING) {
    read_recipe(r, node);
    return;
  }
  const char *text = dls_yaml_text(&r->yaml, node, node->key);
  if (text == NULL) {
    return;
  }
  r->request->fit.path = r->line ? text : dls_study_path(r, text);
  if (r->request->spec.of_count > 0 && read_file(r, r->request->fit.path, &err) != DLS_OK) {
    dls_study_report_error(r, node->mark, &err);
  }
}

void dls_study_check_fit(dls_study_reader *r)
{
  dls_error err = {0};
  const dls_parameter_fit_spec spec = dls_request_fit_spec(r->request);
  const bool read = r->first.status == DLS_OK && !r->pool->failed && spec.model != NULL;
  if (read && dls_parameter_fit_check(&spec, &err) != DLS_OK) {
    dls_study_report_error(r, dls_study_mark(r), &err);
  }
}
