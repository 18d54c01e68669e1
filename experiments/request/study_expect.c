/* experiments/request/study_expect.c -- what a study file expects to come out.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/reader.h"

#include "experiments/measures/order/order_contacts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 32 };

/* Names of the keys of a table that belong to a kind. */
static size_t names_of(const dls_study_key *table, dls_study_kind kind, const char **names)
{
  size_t count = 0;
  for (; table->name != NULL && count < MOST_NAMES; table++) {
    if ((table->kinds & kind) != 0) {
      names[count++] = table->name;
    }
  }
  return count;
}

static const dls_yaml_node *value(const dls_yaml_node *entry, size_t key)
{
  return dls_yaml_get(entry, dls_study_expect_keys()[key].name);
}

static const dls_study_rule *read_quantity(dls_study_reader *r, const dls_yaml_node *entry,
                                           dls_study_expectation *out)
{
  const char *names[MOST_NAMES];
  const size_t count = names_of(dls_study_quantities(), r->study->kind, names);
  const dls_yaml_node *node = value(entry, DLS_EXPECT_QUANTITY);
  if (node == NULL) {
    dls_study_report(r, entry->mark, "key 'quantity' is missing: one of %s",
                     dls_yaml_list(&r->yaml, names, count));
    return NULL;
  }
  const char *text = dls_yaml_text(&r->yaml, node, "quantity");
  if (text == NULL) {
    return NULL;
  }
  if (dls_yaml_find(text, names, count) == count) {
    dls_study_report(r, node->mark, "a study of kind %s has no quantity '%.60s'%s There are: %s",
                     dls_study_kind_name(r->study->kind), text, dls_yaml_guess(&r->yaml, text, names, count),
                     dls_yaml_list(&r->yaml, names, count));
    return NULL;
  }
  out->quantity = text;
  return dls_study_rule_at(dls_study_quantity_find(text));
}

/* Scheme i of the study by its name alone. */
static bool has_name(const char *scheme, const char *name)
{
  const size_t length = strcspn(scheme, ":");
  return strlen(name) == length && strncmp(scheme, name, length) == 0;
}

static void read_scheme(dls_study_reader *r, const dls_yaml_node *entry, dls_study_expectation *out)
{
  const dls_study *study = r->study;
  const dls_yaml_node *node = value(entry, DLS_EXPECT_SCHEME);
  if (node == NULL) {
    if (study->scheme_count > 1) {
      dls_study_report(r, entry->mark, "key 'scheme' is missing: one of %s",
                       dls_yaml_list(&r->yaml, study->schemes, study->scheme_count));
    }
    return;
  }
  const char *text = dls_yaml_text(&r->yaml, node, "scheme");
  if (text == NULL || study->scheme_count == 0) {
    return;
  }
  out->scheme = dls_yaml_find(text, study->schemes, study->scheme_count);
  size_t matches = 0;
  for (size_t i = 0; i < study->scheme_count && out->scheme == study->scheme_count; i++) {
    matches += has_name(study->schemes[i], text);
  }
  for (size_t i = 0; i < study->scheme_count && matches == 1; i++) {
    out->scheme = has_name(study->schemes[i], text) ? i : out->scheme;
  }
  if (out->scheme == study->scheme_count) {
    dls_study_report(r, node->mark, "%s '%.100s'%s The schemes are: %s",
                     matches > 1 ? "several schemes of the study are" : "the study has no scheme", text,
                     dls_yaml_guess(&r->yaml, text, study->schemes, study->scheme_count),
                     dls_yaml_list(&r->yaml, study->schemes, study->scheme_count));
  }
}

/* norm or of: one that the study measures; not needed if there is only one. */
static const char *read_measure(dls_study_reader *r, const dls_yaml_node *entry, size_t key, bool used,
                                const dls_study_names *names)
{
  const dls_yaml_node *node = value(entry, key);
  const char *what = dls_study_expect_keys()[key].name;
  if (!used) {
    if (node != NULL && (dls_study_expect_keys()[key].kinds & r->study->kind) != 0) {
      dls_study_report(r, node->key_mark, "this quantity has no '%s'", what);
    }
    return NULL;
  }
  if (node == NULL) {
    if (names->count == 1) {
      return names->names[0];
    }
    dls_study_report(r, entry->mark, "key '%s' is missing%s%s", what, names->count > 0 ? ": one of " : "",
                     dls_yaml_list(&r->yaml, names->names, names->count));
    return NULL;
  }
  const char *text = dls_yaml_text(&r->yaml, node, what);
  if (text != NULL && names->count > 0 && dls_yaml_find(text, names->names, names->count) == names->count) {
    dls_study_report(r, node->mark, "the study does not measure '%.60s'%s %s is one of: %s", text,
                     dls_yaml_guess(&r->yaml, text, names->names, names->count), what,
                     dls_yaml_list(&r->yaml, names->names, names->count));
  }
  return text;
}

/* A column: of the trajectories of run and compare, of the ledger of energy (known only once it is made). */
static const char *read_column(dls_study_reader *r, const dls_yaml_node *entry)
{
  static const dls_study_names any = {0};
  const char *name = read_measure(r, entry, DLS_EXPECT_OF, true, &any);
  if (name != NULL && r->study->kind != DLS_STUDY_ENERGY && strcmp(name, "t") != 0 &&
      !dls_study_has_column(r, name)) {
    dls_study_no_column(r, value(entry, DLS_EXPECT_OF), "t, ");
  }
  return name;
}

/* Events are of a kind, all other quantities of a column. */
static const char *read_of(dls_study_reader *r, const dls_yaml_node *entry, const dls_study_rule *rule)
{
  if (r->study->kind == DLS_STUDY_SPECTRUM) {
    const char *measured[DLS_SPECTRUM_QUANTITIES];
    memcpy(measured, dls_spectrum_names, sizeof measured);
    return read_measure(r, entry, DLS_EXPECT_OF, true, &(dls_study_names){measured, DLS_SPECTRUM_QUANTITIES});
  }
  if (r->study->kind == DLS_STUDY_LOCAL) {
    return dls_study_read_local_of(r, entry);
  }
  if (r->study->kind == DLS_STUDY_FIT) { /* noise is of a column, all else of a parameter */
    const dls_parameter_fit_spec *fit = &r->request->fit.spec;
    dls_study_names by = {(const char **)fit->by, fit->by_count};
    return read_measure(r, entry, DLS_EXPECT_OF, true, rule->reduce == DLS_REDUCE_SCATTER ? &r->of : &by);
  }
  if (rule->reduce != DLS_REDUCE_EVENTS) {
    return read_column(r, entry);
  }
  const char *names[DLS_PAINLEVE + 2] = {"all"};
  for (int kind = 0; kind <= DLS_PAINLEVE; kind++) {
    names[kind + 1] = dls_event_kind_name((dls_event_kind)kind);
  }
  return read_measure(r, entry, DLS_EXPECT_OF, true, &(dls_study_names){names, DLS_PAINLEVE + 2});
}

/* A column of quality.csv. */
static const char *read_contact_of(dls_study_reader *r, const dls_yaml_node *entry)
{
  const char *names[MOST_NAMES];
  const dls_contact_figure *figures = NULL;
  const size_t count = dls_contact_figures(&figures);
  for (size_t i = 0; i < count; i++) {
    names[i] = figures[i].name;
  }
  return read_measure(r, entry, DLS_EXPECT_OF, true, &(dls_study_names){names, count});
}

static void read_number(dls_study_reader *r, const dls_yaml_node *entry, bool used, dls_study_expectation *out)
{
  const dls_yaml_node *node = value(entry, DLS_EXPECT_NUMBER);
  if (node != NULL && used) {
    const double number = dls_yaml_integer(&r->yaml, node, "number", 1, 1e9);
    out->number = isnan(number) ? 1 : (size_t)number;
  } else if (node != NULL && (dls_study_expect_keys()[DLS_EXPECT_NUMBER].kinds & r->study->kind) != 0) {
    dls_study_report(r, node->key_mark, "this quantity has no 'number'");
  } else if (used) {
    dls_study_report(r, entry->mark, "key 'number' is missing: which, from 1");
  }
}

static void read_error(dls_study_reader *r, const dls_yaml_node *entry, bool used, dls_study_expectation *out)
{
  const dls_yaml_node *node = value(entry, DLS_EXPECT_ERROR);
  if (node != NULL && used) {
    out->error = dls_yaml_number(&r->yaml, node, "error");
    if (out->error <= 0) {
      dls_study_report(r, node->mark, "error = %.60s must be > 0", node->text);
    }
  } else if (node != NULL && (dls_study_expect_keys()[DLS_EXPECT_ERROR].kinds & r->study->kind) != 0) {
    dls_study_report(r, node->key_mark, "this quantity has no 'error'");
  } else if (used) {
    dls_study_report(r, entry->mark, "key 'error' is missing: the work for which error");
  }
}

/* A value of a parameter of the sweep; NaN: not given, or reported. */
static double read_place(dls_study_reader *r, const dls_yaml_node *entry, size_t key)
{
  const bool at = key == DLS_EXPECT_AT;
  const dls_yaml_node *node = value(entry, key);
  const dls_request *q = r->request;
  const dls_sweep_range *sweep = &q->sweep;
  const size_t number = at ? 0 : 1;
  const dls_sweep_axis *axis = number < q->axis_count ? &q->axes[number] : at ? &sweep->axis : NULL;
  const size_t count = axis != NULL ? axis->count : sweep->curve_count;
  if (node == NULL || (dls_study_expect_keys()[key].kinds & r->study->kind) == 0) {
    return NAN;
  }
  if (r->study->kind == DLS_STUDY_SPECTRUM) {
    return dls_study_read_ratio_at(r, node);
  }
  const double x = dls_yaml_number(&r->yaml, node, node->key);
  for (size_t i = 0; i < count && !isnan(x); i++) {
    const double one = axis != NULL ? dls_sweep_axis_value(axis, i) : sweep->curves[i];
    const double rounding = 1e-9 * fabs(axis != NULL ? axis->last - axis->first : one);
    if (fabs(x - one) <= rounding) {
      return one;
    }
  }
  if (dls_study_value(r, at ? DLS_KEY_SWEEP : DLS_KEY_CURVES) == NULL && number >= q->axis_count) {
    dls_study_report(r, node->mark, "%s = %.60s: the study has no %s", node->key, node->text,
                     at                                    ? "sweep"
                     : r->study->kind == DLS_STUDY_COMPARE ? "curves"
                                                           : "second parameter");
  } else if (!isnan(x) && count > 0) { /* else the key is wrong, which is reported */
    dls_study_report(r, node->mark, "%s = %.60s: it is no value of the sweep", node->key, node->text);
  }
  return NAN;
}

/* between: [LOW, HIGH], within: [BEGIN, END] */
static void read_pair(dls_study_reader *r, const dls_yaml_node *node, const char *const names[2], double *low,
                      double *high)
{
  if (node->kind != DLS_YAML_LIST || dls_yaml_count(node) != 2) {
    dls_study_report(r, node->mark, "%s must be [%s, %s]", node->key, names[0], names[1]);
    return;
  }
  char what[2][40];
  for (size_t i = 0; i < 2; i++) {
    snprintf(what[i], sizeof what[i], "%s, %s", node->key, names[i]);
  }
  *low = dls_yaml_number(&r->yaml, node->first, what[0]);
  *high = dls_yaml_number(&r->yaml, node->first->next, what[1]);
  if (*low > *high) {
    dls_study_report(r, node->mark, "%s = [%.60s, %.60s]: %s is larger than %s", node->key, node->first->text,
                     node->first->next->text, names[0], names[1]);
  }
}

/* The time in which values count, which a sweep does not have. */
static void read_within(dls_study_reader *r, const dls_yaml_node *entry, const dls_study_rule *rule,
                        dls_study_expectation *out)
{
  const dls_yaml_node *node = value(entry, DLS_EXPECT_WITHIN);
  const bool sweep = dls_study_value(r, DLS_KEY_SWEEP) != NULL;
  const bool kept = r->study->kind != DLS_STUDY_COMPARE || rule->reduce == DLS_REDUCE_LARGEST ||
                    rule->reduce == DLS_REDUCE_LEAST;
  if (sweep && rule->table == DLS_TABLE_RUN && !kept) {
    dls_study_report(r, entry->mark, "a sweep has no '%s': of its runs there are largest and least",
                     out->quantity);
  }
  if (node == NULL || (dls_study_expect_keys()[DLS_EXPECT_WITHIN].kinds & r->study->kind) == 0) {
    return;
  }
  if (sweep || (rule->uses & DLS_USES_WITHIN) == 0) {
    dls_study_report(r, node->key_mark, "%s has no 'within'", sweep ? "a sweep" : "this quantity");
    return;
  }
  read_pair(r, node, (const char *const[]){"BEGIN", "END"}, &out->begin, &out->end);
}

static void read_interval(dls_study_reader *r, const dls_yaml_node *entry, dls_study_expectation *out)
{
  const dls_yaml_node *between = value(entry, DLS_EXPECT_BETWEEN);
  const dls_yaml_node *above = value(entry, DLS_EXPECT_ABOVE);
  const dls_yaml_node *below = value(entry, DLS_EXPECT_BELOW);
  out->low = -INFINITY;
  out->high = INFINITY;
  if ((between != NULL) + (above != NULL) + (below != NULL) != 1) {
    dls_study_report(r, entry->mark,
                     "an expectation has one of: between: [LOW, HIGH], above: LOW, below: HIGH");
  } else if (between != NULL) {
    read_pair(r, between, (const char *const[]){"LOW", "HIGH"}, &out->low, &out->high);
  } else if (above != NULL) {
    out->low = dls_yaml_number(&r->yaml, above, "above");
  } else {
    out->high = dls_yaml_number(&r->yaml, below, "below");
  }
}

/* The keys `source` and `reported`; a claim of the source needs its quotation. */
static void read_claim(dls_study_reader *r, const dls_yaml_node *entry, dls_study_expectation *out)
{
  enum { CLAIMS = DLS_CLAIM_SOURCE_DIFFERS + 1 };
  const dls_yaml_node *reported = value(entry, DLS_EXPECT_REPORTED), *source = value(entry, DLS_EXPECT_SOURCE);
  const char *text = reported != NULL ? dls_yaml_text(&r->yaml, reported, "reported") : NULL;
  out->reported = text != NULL ? text : "";
  const char *words[CLAIMS];
  for (size_t i = 0; i < CLAIMS; i++) {
    words[i] = dls_study_claim_name((dls_study_claim)i);
  }
  size_t claim = DLS_CLAIM_OURS;
  if (source == NULL || dls_study_read_word(r, source, words, CLAIMS, &claim) == NULL) {
    return;
  }
  out->claim = (dls_study_claim)claim;
  if (claim != DLS_CLAIM_OURS && reported == NULL) {
    dls_study_report(r, source->mark, "source = %s needs 'reported': what the source says", words[claim]);
  }
}

static void read_entry(dls_study_reader *r, const dls_yaml_node *entry, dls_study_expectation *out)
{
  const char *names[MOST_NAMES];
  const size_t count = names_of(dls_study_expect_keys(), r->study->kind, names);
  if (entry->kind != DLS_YAML_MAPPING) {
    dls_study_report(r, entry->mark,
                     "an entry of expect must be a mapping, e.g. {quantity: NAME, between: [0, 1]}, but "
                     "this is %s",
                     dls_yaml_kind_text(entry->kind));
    return;
  }
  dls_yaml_refuse_unknown(&r->yaml, entry, names, count, "in an entry of expect");
  const dls_study_rule *rule = read_quantity(r, entry, out);
  read_scheme(r, entry, out);
  read_interval(r, entry, out);
  out->begin = -INFINITY;
  out->end = INFINITY;
  if (rule != NULL) {
    read_within(r, entry, rule, out);
    const bool measured = dls_study_measures(r->study);
    const bool of = (rule->uses & DLS_USES_OF) != 0;
    out->norm =
        read_measure(r, entry, DLS_EXPECT_NORM, measured && (rule->uses & DLS_USES_NORM) != 0, &r->norms);
    out->of = of && rule->table == DLS_TABLE_CONTACTS ? read_contact_of(r, entry)
              : measured || !of                       ? read_measure(r, entry, DLS_EXPECT_OF, of, &r->of)
                                                      : read_of(r, entry, rule);
    read_number(r, entry, (rule->uses & DLS_USES_NUMBER) != 0, out);
    read_error(r, entry, (rule->uses & DLS_USES_ERROR) != 0, out);
    dls_study_read_kind_of_step(r, entry, out);
    dls_study_check_grid(r, entry, out);
    out->at = read_place(r, entry, DLS_EXPECT_AT);
    out->curve = read_place(r, entry, DLS_EXPECT_CURVE);
    if (rule->table == DLS_TABLE_CYCLE && dls_study_value(r, DLS_KEY_CYCLE) == NULL) {
      dls_study_report(r, entry->mark, "this quantity is one of a cycle, but the study has no key 'cycle'");
    }
    if (rule->table == DLS_TABLE_SWEEP && dls_study_value(r, DLS_KEY_SWEEP) == NULL) {
      dls_study_report(r, entry->mark, "this quantity is one of a sweep, but the study has no key 'sweep'");
    }
  }
  read_claim(r, entry, out);
}

void dls_study_read_expect(dls_study_reader *r, const dls_yaml_node *node)
{
  if (node->kind != DLS_YAML_LIST) {
    dls_study_report(r, node->mark, "expect must be a list, but this is %s", dls_yaml_kind_text(node->kind));
    return;
  }
  dls_study_expectation *entries = dls_pool_take(r->pool, (dls_yaml_count(node) + 1) * sizeof *entries);
  r->study->expectations = entries;
  for (const dls_yaml_node *entry = node->first; entry != NULL && entries != NULL; entry = entry->next) {
    read_entry(r, entry, &entries[r->study->expectation_count++]);
  }
}
