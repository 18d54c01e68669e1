/* study_start.c -- keys of a study file about start data of systems with joints, and steps that fail.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/study_reader.h"

#include <math.h>

void dls_study_read_start_tolerance(dls_study_reader *r, const dls_yaml_node *node)
{
  const double tolerance = dls_yaml_number(&r->yaml, node, node->key);
  if (tolerance <= 0) {
    dls_study_report(r, node->mark, "%s = %.60s must be > 0", node->key, node->text);
  } else if (!isnan(tolerance)) {
    r->request->spec.start.tolerance = tolerance;
    dls_study_argue(r, "start-tolerance", node->text);
  }
}

/* @param[in] option  of the command line */
static bool read_yes(dls_study_reader *r, const dls_yaml_node *node, const char *option)
{
  static const char *const words[] = {"no", "yes"};
  const char *text = dls_yaml_text(&r->yaml, node, node->key);
  const size_t position = text != NULL ? dls_yaml_find(text, words, 2) : 2;
  if (text != NULL && position == 2) {
    dls_study_report(r, node->mark, "%s = '%.60s' must be yes or no", node->key, text);
  }
  dls_study_argue(r, option, position == 1 ? "" : NULL);
  return position == 1;
}

void dls_study_read_project_start(dls_study_reader *r, const dls_yaml_node *node)
{
  r->request->spec.start.project = read_yes(r, node, "project-start");
}

void dls_study_read_check_reference(dls_study_reader *r, const dls_yaml_node *node)
{
  r->request->spec.check_reference = read_yes(r, node, "check-reference");
}

void dls_study_read_halve(dls_study_reader *r, const dls_yaml_node *node)
{
  const double value = dls_yaml_integer(&r->yaml, node, node->key, 0, DLS_REQUEST_MOST_HALVINGS);
  if (!isnan(value)) {
    r->request->halvings = (size_t)value;
    dls_study_argue(r, "halve", node->text);
  }
}
