/* experiments/request/read_measures.c -- what a request measures, draws and repeats: norms, columns, quantities of a spectrum, cycles,
 * sweeps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/matrix_market/system_entries.h"
#include "experiments/measures/order/order_spec.h"
#include "experiments/request/reader.h"

#include "experiments/measures/order/local.h"
#include <delassus/graph.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

dls_study_names dls_study_read_names(dls_study_reader *r, const dls_yaml_node *node, dls_key_id key,
                                     bool (*check)(dls_study_reader *r, const dls_yaml_node *node))
{
  const dls_yaml_node *entry = node->kind == DLS_YAML_LIST ? node->first : node;
  const size_t count = node->kind == DLS_YAML_LIST ? dls_yaml_count(node) : 1;
  dls_study_names out = {dls_pool_take(r->pool, (count + 1) * sizeof *out.names), 0};
  const char *joined = NULL;
  if (count == 0) {
    dls_study_report(r, node->mark, "%s is an empty list", node->key);
  }
  for (size_t i = 0; i < count && out.names != NULL; i++) {
    const char *name = dls_yaml_text(&r->yaml, entry, node->key);
    if (name != NULL && dls_yaml_find(name, out.names, out.count) < out.count) {
      dls_study_report(r, entry->mark, "%s: '%.60s' is given twice", node->key, name);
    } else if (name != NULL && check(r, entry)) {
      out.names[out.count++] = name;
      joined = joined == NULL ? name : dls_pool_print(r->pool, "%s,%s", joined, name);
    }
    entry = node->kind == DLS_YAML_LIST ? entry->next : NULL;
  }
  dls_study_record(r, key, joined);
  return out;
}

static bool is_norm(dls_study_reader *r, const dls_yaml_node *node)
{
  const char *names[64];
  size_t count = 0;
  for (const dls_norm *const *norm = dls_norms(); *norm != NULL && count < 64; norm++) {
    names[count++] = (*norm)->name;
  }
  if (dls_norm_find(node->text) != NULL) {
    dls_norm_choice choice;
    dls_error err = {0};
    const bool good = dls_norm_read(node->text, &choice, &err) == DLS_OK;
    if (!good) {
      dls_study_report_error(r, node->mark, &err);
    }
    return good;
  }
  dls_study_report(r, node->mark, "unknown norm '%.60s'%s The norms are: %s", node->text,
                   dls_yaml_guess(&r->yaml, node->text, names, count), dls_yaml_list(&r->yaml, names, count));
  return false;
}

void dls_study_read_norms(dls_study_reader *r, const dls_yaml_node *node)
{
  r->norms = dls_study_read_names(r, node, DLS_KEY_NORMS, is_norm);
  const dls_norm **norms = dls_pool_take(r->pool, (r->norms.count + 1) * sizeof *norms);
  dls_norm_choice *choices = dls_pool_take(r->pool, (r->norms.count + 1) * sizeof *choices);
  for (size_t i = 0; i < r->norms.count && norms != NULL && choices != NULL; i++) {
    dls_error err = {0}; /* none: they were read by is_norm */
    dls_norm_read(r->norms.names[i], &choices[i], &err);
    norms[i] = &choices[i].norm;
    r->norms.names[i] = choices[i].norm.name;
    if (dls_yaml_find(r->norms.names[i], r->norms.names, i) < i) {
      dls_study_report(r, node->mark, "%s: '%.60s' is given twice", node->key, r->norms.names[i]);
    }
  }
  r->request->spec.norms = norms;
  r->request->spec.norm_count = r->norms.count;
}

/* What stands behind the number of a contact: nothing; along tangents t in the plane, t1 or t2 in space. */
static bool is_end(const dls_study_reader *r, const char *prefix, const char *end)
{
  static const char *const along[] = {"u", "p", "lambda"};
  const bool tangents = r->d > 1 && dls_yaml_find(prefix, along, 3) < 3;
  return *end == '\0' || (tangents && r->d == 2 && strcmp(end, "t") == 0) ||
         (tangents && r->d == 3 && (strcmp(end, "t1") == 0 || strcmp(end, "t2") == 0));
}

bool dls_study_has_column(const dls_study_reader *r, const char *name)
{
  static const char *const of_freedom[] = {"q", "v"}, *const of_joint[] = {"mu", "phi"};
  static const char *const of_contact[] = {"g", "u", "p", "lambda", "status", "force", "slip", "drag"};
  const bool compare = r->study->kind == DLS_STUDY_COMPARE; /* derives forces, energies and momenta */
  const size_t length = strcspn(name, "0123456789");
  const char *digits = name + length;
  char prefix[16] = "";
  if (!r->sized || (compare && dls_yaml_find(name, r->measures, r->measure_count) < r->measure_count)) {
    return true;
  }
  const size_t count = strspn(digits, "0123456789");
  if (length >= sizeof prefix || count == 0 || count > 9 || (digits[0] == '0' && count > 1)) {
    return false;
  }
  memcpy(prefix, name, length);
  if (!is_end(r, prefix, digits + count)) {
    return false;
  }
  const size_t contact_count = !compare    ? 5
                               : r->d == 2 ? 8
                                           : 6; /* derived: force, in the plane slip and drag */
  const size_t limit = dls_yaml_find(prefix, of_freedom, 2) < 2                           ? r->n
                       : dls_yaml_find(prefix, of_joint, 2) < 2                           ? r->joints
                       : dls_yaml_find(prefix, of_contact, contact_count) < contact_count ? r->m
                                                                                          : 0;
  return strtoul(digits, NULL, 10) < limit;
}

void dls_study_no_column(dls_study_reader *r, const dls_yaml_node *node, const char *others)
{
  const bool compare = r->study->kind == DLS_STUDY_COMPARE;
  const char *joints =
      r->joints > 0 ? dls_pool_print(r->pool, ", mu0..mu%zu, phi0..phi%zu", r->joints - 1, r->joints - 1) : "";
  const char *measures =
      compare ? dls_pool_print(r->pool, ", %s", dls_yaml_list(&r->yaml, r->measures, r->measure_count)) : "";
  dls_study_report(
      r, node->mark,
      "there is no column '%.60s': there are %sq0..q%zu, v0..v%zu%s%s and, for each of %zu contacts, g, u, p, "
      "lambda, status%s%s",
      node->text, others, r->n - 1, r->n - 1, joints != NULL ? joints : "", measures != NULL ? measures : "",
      r->m,
      !compare    ? ""
      : r->d == 2 ? ", force, slip, drag"
                  : ", force",
      r->d == 1   ? ""
      : r->d == 2 ? "; along tangents u0t, p0t, lambda0t, ..."
                  : "; along tangents u0t1, u0t2, p0t1, ...");
}

/* Impulse so far, of all contacts or of one. */
static bool is_impulse(const dls_study_reader *r, const char *name)
{
  const size_t length = strlen("impulse");
  const char *digits = name + length;
  const bool one = strncmp(name, "impulse", length) == 0 && strspn(digits, "0123456789") == strlen(digits);
  return one && (!r->sized || (r->m > 0 && strtoul(*digits != '\0' ? digits : "0", NULL, 10) < r->m));
}

/* "dX/dP" with a column X and a parameter P of the model. */
static bool is_derivative(const dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_model *model = r->request->model.model;
  const char *parameter = dls_derivative_parameter(node->text);
  char column[16] = "";
  if (parameter == NULL) {
    return false;
  }
  snprintf(column, sizeof column, "%.*s", (int)(parameter - 2 - (node->text + 1)), node->text + 1);
  return dls_study_has_column(r, column) && (model == NULL || dls_system_entry_is(parameter) ||
                                             dls_option_find(model->parameters, parameter) >= 0);
}

static bool is_quantity(dls_study_reader *r, const dls_yaml_node *node)
{
  const bool order = dls_study_measures(r->study);
  if (order && (strcmp(node->text, "q") == 0 || strcmp(node->text, "v") == 0 || is_impulse(r, node->text))) {
    return true;
  }
  if (dls_study_has_column(r, node->text) || (order && is_derivative(r, node))) {
    return true;
  }
  dls_study_no_column(r, node, order ? "q, v, impulse, derivatives such as dq0/de, " : "");
  return false;
}

/* What a run over a parameter keeps is checked by dls_request_want, the columns of a command by the command. */
static bool is_any(dls_study_reader *r, const dls_yaml_node *node)
{
  (void)r;
  (void)node;
  return true;
}

/* --- spectra --- */

/* Entries of a list of a file have no key. */
static const char *node_label(const dls_yaml_node *entry, const char *name)
{
  return entry->key != NULL ? entry->key : name;
}

/* One entry, or each of a list: text that goes into the option of the key's name, if it is good. */
static void read_entries(dls_study_reader *r, const dls_yaml_node *node, dls_key_id key,
                         bool (*take)(dls_study_reader *r, const dls_yaml_node *entry))
{
  const bool list = node->kind == DLS_YAML_LIST;
  const char *joined = NULL;
  if (list && node->first == NULL) {
    dls_study_report(r, node->mark, "%s is an empty list", node->key);
  }
  for (const dls_yaml_node *entry = list ? node->first : node; entry != NULL;
       entry = list ? entry->next : NULL) {
    if (take(r, entry)) {
      joined = joined == NULL ? entry->text : dls_pool_print(r->pool, "%s,%s", joined, entry->text);
    }
  }
  dls_study_record(r, key, joined);
}

static bool take_quantity(dls_study_reader *r, const dls_yaml_node *entry)
{
  dls_error err = {0};
  const char *name = dls_yaml_text(&r->yaml, entry, node_label(entry, "of"));
  if (name != NULL && dls_request_add_spectrum(r->request, name, &err) != DLS_OK) {
    dls_study_report_error(r, entry->mark, &err);
    return false;
  }
  return name != NULL;
}

/* The request's own values stand in the pool, with room for all of the list. */
static bool take_ratio(dls_study_reader *r, const dls_yaml_node *entry)
{
  dls_spectrum_spec *spec = &r->request->spectrum;
  const double ratio = dls_yaml_number(&r->yaml, entry, node_label(entry, "at"));
  if (!isnan(ratio)) {
    ((double *)spec->at)[spec->at_count++] = ratio;
  }
  return !isnan(ratio);
}

void dls_study_read_at(dls_study_reader *r, const dls_yaml_node *node)
{
  const size_t count = node->kind == DLS_YAML_LIST ? dls_yaml_count(node) : 1;
  r->request->spectrum.at = dls_pool_take(r->pool, (count + 1) * sizeof(double));
  r->request->spectrum.at_count = 0;
  if (r->request->spectrum.at != NULL) {
    read_entries(r, node, DLS_KEY_AT, take_ratio);
  }
}

double dls_study_read_ratio_at(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_spectrum_spec *spec = &r->request->spectrum;
  const double x = dls_yaml_number(&r->yaml, node, node->key);
  for (size_t i = 0; i < spec->at_count && !isnan(x); i++) {
    if (fabs(x - spec->at[i]) <= 1e-9 * x) {
      return spec->at[i];
    }
  }
  if (!isnan(x)) {
    dls_study_report(r, node->mark, "at = %.60s is no value of the key 'at' of the study", node->text);
  }
  return NAN;
}

/* --- columns --- */

/* Derivatives are measured at the end, over the phase of the grid. */
static void set_derivatives(dls_study_reader *r)
{
  enum { PHASES = 30 };
  static const char *names[] = {"end"};
  const dls_norm **norms = dls_pool_take(r->pool, sizeof *norms);
  if (r->values[DLS_KEY_NORMS] == NULL && norms != NULL) {
    norms[0] = dls_norm_find(names[0]);
    r->norms = (dls_study_names){names, 1};
    r->request->spec.norms = norms;
    r->request->spec.norm_count = 1;
  }
  if (r->values[DLS_KEY_REPEATS] == NULL) {
    r->request->spec.repeats = PHASES;
  }
}

void dls_study_read_of(dls_study_reader *r, const dls_yaml_node *node)
{
  if (r->study->kind == DLS_STUDY_SPECTRUM) {
    read_entries(r, node, DLS_KEY_OF, take_quantity);
    return;
  }
  const bool later = r->line || (r->study->kind == DLS_STUDY_RUN && dls_study_value(r, DLS_KEY_SWEEP) != NULL);
  r->of = dls_study_read_names(r, node, DLS_KEY_OF, later ? is_any : is_quantity);
  if ((r->study->kind & (DLS_STUDY_RUN | DLS_STUDY_COMPARE)) != 0) {
    r->request->drawn = r->of.names;
    r->request->drawn_count = r->of.count;
  } else {
    r->request->spec.of = r->of.names;
    r->request->spec.of_count = r->of.count;
    if (dls_study_measures(r->study) && dls_order_differentiates(&r->request->spec)) {
      set_derivatives(r);
    }
  }
}

void dls_study_read_over(dls_study_reader *r, const dls_yaml_node *node)
{
  dls_error err = {0};
  const dls_yaml_node *of = dls_study_value(r, DLS_KEY_OF);
  const char *over = dls_yaml_text(&r->yaml, node, node->key);
  if (over == NULL) {
    return;
  }
  if (!dls_study_has_column(r, over)) {
    dls_study_no_column(r, node, "");
  } else if (dls_request_set_over(r->request, over, of != NULL, &err) != DLS_OK) {
    dls_study_report_error(r, node->mark, &err);
  }
  dls_study_record(r, DLS_KEY_OVER, over);
}

/* --- cycles and sweeps --- */

/* A text that fills the request in hand. */
static void read_words(dls_study_reader *r, const dls_yaml_node *node, dls_key_id key,
                       dls_status (*set)(dls_request *request, const char *text, dls_error *err))
{
  dls_error err = {0};
  const char *text = dls_yaml_text(&r->yaml, node, node->key);
  if (text != NULL && set(r->request, text, &err) != DLS_OK) {
    dls_study_report_error(r, node->mark, &err);
  }
  dls_study_record(r, key, text);
}

void dls_study_read_cycle(dls_study_reader *r, const dls_yaml_node *node)
{
  read_words(r, node, DLS_KEY_CYCLE, dls_request_set_cycle);
}

void dls_study_read_drift(dls_study_reader *r, const dls_yaml_node *node)
{
  r->request->drift = dls_yaml_text(&r->yaml, node, node->key);
  dls_study_record(r, DLS_KEY_DRIFT, r->request->drift);
}

/* One axis or a list of them; then what is kept of a run is known. */
static void read_axes(dls_study_reader *r, const dls_yaml_node *node)
{
  dls_error err = {0};
  const dls_yaml_node *entry = node->kind == DLS_YAML_LIST ? node->first : node;
  for (; entry != NULL; entry = node->kind == DLS_YAML_LIST ? entry->next : NULL) {
    const char *text = dls_yaml_text(&r->yaml, entry, node_label(entry, "sweep"));
    if (text != NULL && dls_request_add_axis(r->request, text, &err) != DLS_OK) {
      dls_study_report_error(r, entry->mark, &err);
    }
    dls_study_record(r, DLS_KEY_SWEEP, text);
  }
  if (r->study->kind == DLS_STUDY_RUN && (r->sized || r->line) &&
      dls_request_want(r->request, r->request->drawn, r->request->drawn_count, &err) != DLS_OK) {
    const dls_yaml_node *of = dls_study_value(r, DLS_KEY_OF);
    dls_study_report_error(r, of != NULL ? of->mark : node->mark, &err);
  }
}

void dls_study_read_sweep(dls_study_reader *r, const dls_yaml_node *node)
{
  if (r->request->model.model == NULL) {
    return; /* it is reported */
  }
  if (r->study->kind == DLS_STUDY_COMPARE) {
    read_words(r, node, DLS_KEY_SWEEP, dls_request_set_sweep);
  } else {
    read_axes(r, node);
  }
}

void dls_study_read_curves(dls_study_reader *r, const dls_yaml_node *node)
{
  if (r->request->model.model != NULL) {
    read_words(r, node, DLS_KEY_CURVES, dls_request_set_curves);
  }
}

/* --- errors of one step --- */

void dls_study_check_local(dls_study_reader *r)
{
  const dls_model *model = r->request->spec.model;
  const dls_scheme *scheme = dls_request_scheme(r->request, false);
  r->request->local = true;
  if (model != NULL && dls_catalogue_exact(r->catalogue, model->name) == NULL) {
    dls_study_report(r, dls_study_mark(r),
                     r->line ? "--local: model %s has no exact solution to take steps from"
                             : "model %s has no exact solution to take steps from",
                     model->name);
  }
  if (scheme != NULL) {
    dls_study_report(r, dls_study_mark(r),
                     "scheme %s chooses its own steps: a local error is that of one step of given size",
                     scheme->name);
  }
}

/* A word that an expectation must have. @return its position; 0 if it has not, which is reported */
static size_t read_needed(dls_study_reader *r, const dls_yaml_node *entry, size_t key, const char *const *words,
                          size_t count)
{
  const dls_study_key *k = &dls_study_expect_keys()[key];
  const dls_yaml_node *node = dls_yaml_get(entry, k->name);
  size_t position = 0;
  if (node == NULL) {
    dls_study_report(r, entry->mark, "key '%s' is missing: %s", k->name, k->value);
    return 0;
  }
  return dls_study_read_word(r, node, words, count, &position) != NULL ? position : 0;
}

const char *dls_study_read_local_of(dls_study_reader *r, const dls_yaml_node *entry)
{
  static const char *const words[] = {"q", "v"};
  return words[read_needed(r, entry, DLS_EXPECT_OF, words, 2)];
}

void dls_study_read_kind_of_step(dls_study_reader *r, const dls_yaml_node *entry, dls_study_expectation *out)
{
  static const char *const words[] = {"no", "yes"};
  if (r->study->kind == DLS_STUDY_LOCAL) {
    out->place = read_needed(r, entry, DLS_EXPECT_PLACE, dls_local_place_names, DLS_LOCAL_PLACES);
    out->impulse = read_needed(r, entry, DLS_EXPECT_IMPULSE, words, 2) == 1;
  }
}
