/* study_spectrum.c -- keys of a study file about spectra.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/study_reader.h"

#include <math.h>
#include <string.h>

void dls_study_read_ratios(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_yaml_node *values[3] = {NULL};
  double numbers[3] = {NAN, NAN, NAN};
  dls_spectrum_spec *spec = &r->request->spectrum;
  const char *text = node != NULL ? dls_study_read_sequence(r, node, values, numbers) : NULL;
  if (text != NULL) {
    spec->first = numbers[0];
    spec->last = numbers[1];
    spec->levels = (size_t)numbers[2];
    dls_study_argue(r, "steps", text);
  }
}

/* One entry, or each of a list: text that goes into the option of the key's name, if it is good. */
static void read_entries(dls_study_reader *r, const dls_yaml_node *node,
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
  dls_study_argue(r, node->key, joined);
}

static bool take_quantity(dls_study_reader *r, const dls_yaml_node *entry)
{
  dls_error err = {0};
  const char *name = dls_yaml_text(&r->yaml, entry, "of");
  if (name != NULL && dls_request_add_spectrum(r->request, name, &err) != DLS_OK) {
    dls_study_report_error(r, entry->mark, &err);
    return false;
  }
  return name != NULL;
}

void dls_study_read_spectrum_of(dls_study_reader *r, const dls_yaml_node *node)
{
  read_entries(r, node, take_quantity);
}

/* The request's own values stand in the pool, with room for all of the list. */
static bool take_ratio(dls_study_reader *r, const dls_yaml_node *entry)
{
  dls_spectrum_spec *spec = &r->request->spectrum;
  const double ratio = dls_yaml_number(&r->yaml, entry, "at");
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
    read_entries(r, node, take_ratio);
  }
}

static void read_value(dls_study_reader *r, const dls_yaml_node *node, double *value)
{
  const double x = dls_yaml_number(&r->yaml, node, node->key);
  if (!isnan(x)) {
    *value = x;
    dls_study_argue(r, node->key, node->text);
  }
}

void dls_study_read_damping(dls_study_reader *r, const dls_yaml_node *node)
{
  read_value(r, node, &r->request->spectrum.oscillator.damping);
}

void dls_study_read_frequency(dls_study_reader *r, const dls_yaml_node *node)
{
  read_value(r, node, &r->request->spectrum.oscillator.frequency);
}

void dls_study_check_spectrum(dls_study_reader *r)
{
  dls_error err = {0};
  if (dls_request_check_spectrum(r->request, &err) != DLS_OK) {
    dls_study_report_error(r, r->own->mark, &err);
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
