/* study_local.c -- keys of a study file about errors of one step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/study_reader.h"

#include "experiments/measures/local.h"
#include <string.h>

void dls_study_check_local(dls_study_reader *r)
{
  const dls_model *model = r->request->spec.model;
  const dls_scheme *scheme = dls_request_scheme(r->request, false);
  r->request->local = true;
  if (model != NULL && dls_catalogue_exact(r->catalogue, model->name) == NULL) {
    dls_study_report(r, r->own->mark, "model %s has no exact solution to take steps from", model->name);
  }
  if (scheme != NULL) {
    dls_study_report(r, r->own->mark,
                     "scheme %s chooses its own steps: a local error is that of one step of given size",
                     scheme->name);
  }
}

/* A word that an expectation must have. @return its position; 0 if it has not, which is told */
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
