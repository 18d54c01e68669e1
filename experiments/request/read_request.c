/* experiments/request/read_request.c -- values of keys become a request: the table of keys is walked, then what goes together is checked.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_spec.h"
#include "experiments/request/reader.h"

#include <math.h>

/* --- values by their type --- */

/* yes or no */
static const char *read_switch(dls_study_reader *r, const dls_yaml_node *node, bool *value)
{
  static const char *const words[] = {"no", "yes"};
  const char *text = dls_yaml_text(&r->yaml, node, node->key);
  const size_t position = text != NULL ? dls_yaml_find(text, words, 2) : 2;
  if (text != NULL && position == 2) {
    dls_study_report(r, node->mark, "%s = '%.60s' must be yes or no", node->key, text);
  }
  *value = position == 1;
  return *value ? "" : NULL;
}

/* @return the text to be recorded; NULL if the value is wrong, which is reported */
static const char *read_typed(dls_study_reader *r, const dls_yaml_node *node, const dls_key_type *type)
{
  char *at = (char *)r->request + type->offset;
  double x = 0;
  size_t position = 0;
  const char *text = NULL;
  switch (type->kind) {
  case DLS_TYPE_TEXT:
    return *(const char **)(void *)at = node->text;
  case DLS_TYPE_SWITCH:
    return read_switch(r, node, (bool *)at);
  case DLS_TYPE_CHOICE:
    text = dls_study_choose_word(r, node, type->words, &position);
    if (text != NULL) {
      *(int *)(void *)at = (int)position;
    }
    return text;
  case DLS_TYPE_COUNT:
    x = dls_yaml_integer(&r->yaml, node, node->key, type->low, type->high);
    if (!isnan(x)) {
      *(size_t *)(void *)at = (size_t)x;
    }
    break;
  default:
    x = dls_yaml_number(&r->yaml, node, node->key);
    if (type->kind == DLS_TYPE_POSITIVE && x <= 0) {
      dls_study_report(r, node->mark, "%s = %.60s must be > 0", node->key, node->text);
      x = NAN;
    }
    if (!isnan(x)) {
      *(double *)(void *)at = x;
    }
  }
  return isnan(x) ? NULL : node->text;
}

/* --- the walk --- */

void dls_study_begin(dls_study_reader *r, dls_study *study, dls_study_kind kind)
{
  static const char *order_of[] = {"q", "v"};
  static const char *norms[] = {"hausdorff", "l1"};
  static const dls_yaml_node event_driven = {.kind = DLS_YAML_TEXT, .key = "scheme", .text = "event-driven"};
  r->study = study;
  r->request = study->request;
  *r->request = dls_request_default(kind, r->catalogue, r->pool);
  r->request->study = study;
  r->end = kind == DLS_STUDY_FIT ? NAN : DLS_REQUEST_END; /* a fit ends with its data */
  r->sized = false;
  r->model = NULL;
  r->parameters = NULL;
  r->law = NULL;
  r->choices = NULL;
  r->arguments = NULL;
  r->argument_room = 0;
  r->norms = (dls_study_names){norms, 2};
  r->of = (dls_study_names){order_of, 2};
  if (kind == DLS_STUDY_FIT && r->values[DLS_KEY_SCHEMES] == NULL) {
    r->values[DLS_KEY_SCHEMES] = &event_driven;
  }
  study->kind = kind;
  study->name = study->title = study->source = study->caption = study->model = "";
}

/* Is a key one that the request in hand can have? A study file whose kind is not known has those of all kinds in question. */
static bool applies(const dls_study_reader *r, dls_key_id key)
{
  const dls_study_key *k = &r->keys[key];
  if (k->name == NULL) {
    return false;
  }
  return r->line ? dls_key_option_of(&r->keys[key], r->command) != NULL || r->values[key] != NULL
                 : (k->kinds & r->kinds) == r->kinds && (r->single || key != DLS_KEY_EXPECT);
}

static bool is_needed(const dls_study_reader *r, dls_key_id key)
{
  const dls_key_option *option = r->line ? dls_key_option_of(&r->keys[key], r->command) : NULL;
  return r->line ? option != NULL && option->needed : (r->keys[key].required & r->kinds) == r->kinds;
}

void dls_study_read_keys(dls_study_reader *r, dls_key_id first, dls_key_id end)
{
  for (dls_key_id key = first; key < end; key++) {
    const dls_key_type *type = r->keys[key].name != NULL ? &r->keys[key].more->type : NULL;
    const bool here = applies(r, key);
    const dls_yaml_node *node = here ? r->values[key] : NULL;
    if (key == DLS_KEY_SCHEMES && r->kinds != DLS_STUDY_SPECTRUM) {
      dls_study_make_model(r); /* its parameters are known by now */
    }
    if (node != NULL && type->kind != DLS_TYPE_READ) {
      dls_study_record(r, key, read_typed(r, node, type));
    } else if (type != NULL && type->read != NULL && (node != NULL || (here && r->single && type->absent))) {
      type->read(r, node);
    } else if (node == NULL && here && is_needed(r, key)) {
      dls_study_report_missing(r, key, NULL);
    }
  }
}

/* With all keys known: is the sweep over parameters one that can be made? */
static dls_status check_sweep(const dls_request *r, dls_error *err)
{
  if (r->spec.model == NULL || isnan(r->spec.end)) {
    return DLS_OK; /* and reported */
  }
  return r->kind == DLS_STUDY_COMPARE ? dls_request_check_sweep(r, err) : dls_request_check_grid(r, err);
}

/* The tangent of a study of errors, which must measure derivatives. */
static void read_tangent(dls_study_reader *r)
{
  dls_error err = {0};
  const dls_yaml_node *node = r->values[DLS_KEY_TANGENT];
  if (node == NULL || r->request->tangent == NULL) {
    return;
  }
  if (!dls_order_differentiates(&r->request->spec)) {
    dls_study_report(r, node->mark, "%stangent = %.60s goes with derivatives, such as %sof %s",
                     r->line ? "--" : "", r->request->tangent, r->line ? "--" : "",
                     r->line ? "dq0/de" : "= dq0/de");
  } else if (dls_tangent_method_parse(r->request->tangent, &r->request->spec.tangent, &err) != DLS_OK) {
    dls_study_report_error(r, node->mark, &err);
  }
}

static void check_derivatives(dls_study_reader *r)
{
  const dls_yaml_node *reference = r->values[DLS_KEY_REFERENCE];
  read_tangent(r);
  if (dls_order_differentiates(&r->request->spec) && r->request->spec.reference == DLS_REFERENCE_LIMIT) {
    dls_study_report(
        r, reference != NULL ? reference->mark : dls_study_mark(r),
        "reference = limit does not go with derivatives: they are compared with those of rigid contact");
  }
}

void dls_study_check_request(dls_study_reader *r)
{
  dls_error err = {0};
  dls_study_check_rules(r);
  if (r->line && (r->command & (DLS_STUDY_RUN | DLS_STUDY_COMPARE)) != 0) {
    dls_study_check_times(r);
  }
  if (r->kinds == DLS_STUDY_SPECTRUM && dls_request_check_spectrum(r->request, &err) != DLS_OK) {
    dls_study_report_error(r, dls_study_mark(r), &err);
  } else if (r->kinds == DLS_STUDY_LOCAL) {
    dls_study_check_local(r);
  } else if (r->kinds == DLS_STUDY_FIT) {
    dls_study_check_fit(r);
  }
  if ((r->request->kind & (DLS_STUDY_ORDER | DLS_STUDY_WORK)) != 0) {
    check_derivatives(r);
  }
  if (check_sweep(r->request, &err) != DLS_OK) {
    const dls_yaml_node *from = r->values[DLS_KEY_FROM];
    dls_study_report_error(r, from != NULL ? from->mark : dls_study_mark(r), &err);
  }
  dls_study_choose_pictures(r);
  dls_study_note_parameters(r);
}
