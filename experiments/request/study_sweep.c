/* experiments/request/study_sweep.c -- sweeps and cycles in a study file.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/study_reader.h"

#include <math.h>

/* A text that fills the request in hand, and is an option of its own name. */
static void read_words(dls_study_reader *r, const dls_yaml_node *node,
                       dls_status (*set)(dls_request *request, const char *text, dls_error *err))
{
  dls_error err = {0};
  const char *text = dls_yaml_text(&r->yaml, node, node->key);
  if (text != NULL && set(r->request, text, &err) != DLS_OK) {
    dls_study_report_error(r, node->mark, &err);
  }
  dls_study_argue(r, node->key, text);
}

void dls_study_read_cycle(dls_study_reader *r, const dls_yaml_node *node)
{
  read_words(r, node, dls_request_set_cycle);
}

void dls_study_read_drift(dls_study_reader *r, const dls_yaml_node *node)
{
  read_words(r, node, dls_request_set_drift);
}

/* One axis or a list of them; then what is kept of a run is known. */
static void read_axes(dls_study_reader *r, const dls_yaml_node *node)
{
  dls_error err = {0};
  const dls_yaml_node *entry = node->kind == DLS_YAML_LIST ? node->first : node;
  for (; entry != NULL; entry = node->kind == DLS_YAML_LIST ? entry->next : NULL) {
    const char *text = dls_yaml_text(&r->yaml, entry, "sweep");
    if (text != NULL && dls_request_add_axis(r->request, text, &err) != DLS_OK) {
      dls_study_report_error(r, entry->mark, &err);
    }
    dls_study_argue(r, "sweep", text);
  }
  if (r->study->kind == DLS_STUDY_RUN && r->sized &&
      dls_request_want(r->request, r->request->drawn, r->request->drawn_count, &err) != DLS_OK) {
    const dls_yaml_node *of = dls_study_value(r, DLS_KEY_OF);
    dls_study_report_error(r, of != NULL ? of->mark : node->mark, &err);
  }
}

void dls_study_read_sweep(dls_study_reader *r, const dls_yaml_node *node)
{
  if (r->request->model.model == NULL) {
    return; /* it is told */
  }
  if (r->study->kind == DLS_STUDY_COMPARE) {
    read_words(r, node, dls_request_set_sweep);
  } else {
    read_axes(r, node);
  }
}

void dls_study_read_curves(dls_study_reader *r, const dls_yaml_node *node)
{
  if (r->request->model.model != NULL) {
    read_words(r, node, dls_request_set_curves);
  }
}

void dls_study_read_from(dls_study_reader *r, const dls_yaml_node *node)
{
  dls_error err = {0};
  if (node != NULL) {
    const double from = dls_yaml_number(&r->yaml, node, "from");
    r->request->sweep.from = isnan(from) ? 0 : from;
    dls_study_argue(r, "from", node->text);
  }
  if (r->study->kind == DLS_STUDY_RUN && dls_study_value(r, DLS_KEY_SWEEP) == NULL) {
    if (node != NULL && node == dls_yaml_get(r->own, "from")) {
      dls_study_report(r, node->key_mark, "from goes with sweep, the parameter that the run is repeated over");
    }
    return;
  }
  if (r->study->kind != DLS_STUDY_COMPARE) {
    if (!isnan(r->end) && dls_request_check_grid(r->request, &err) != DLS_OK) {
      dls_study_report_error(r, node != NULL ? node->mark : r->own->mark, &err);
    }
    return;
  }
  const bool wrong =
      r->request->sweep.axis.count == 0 && dls_study_value(r, DLS_KEY_SWEEP) != NULL; /* and told */
  if (!wrong && !isnan(r->end) && dls_request_check_sweep(r->request, &err) != DLS_OK) {
    dls_study_report_error(r, node != NULL ? node->mark : r->own->mark, &err);
  }
}
