/* experiments/catalogue/scheme_choice.c -- "moreau-jean:theta=1,gamma=0.5" to a scheme with checked options.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/catalogue/scheme_choice.h"
#include <delassus/catalogue.h>
#include <delassus/choice.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 100 };

/* What an option list is handed to, one assignment at a time. */
typedef dls_status (*assign_fn)(void *target, const char *assignment, dls_error *err);

static dls_status each_assignment(const char *options, assign_fn assign, void *target, dls_error *err)
{
  const char *start = options;
  size_t length = strcspn(start, ",");
  dls_status status = DLS_OK;
  while (*options != '\0' && status == DLS_OK) {
    char assignment[sizeof((dls_scheme_choice *)NULL)->options];
    memcpy(assignment, start, length);
    assignment[length] = '\0';
    status = assign(target, assignment, err);
    if (start[length] == '\0') {
      break;
    }
    start += length + 1;
    length = strcspn(start, ",");
  }
  return status;
}

struct check {
  const dls_scheme *scheme;
  double *values;
  bool *given;
};

static dls_status check_assignment(void *target, const char *assignment, dls_error *err)
{
  struct check *check = target;
  char owner[NAME_ROOM + 16], name[NAME_ROOM];
  snprintf(owner, sizeof owner, "scheme %.*s", NAME_ROOM, check->scheme->name);
  const dls_status status = dls_option_parse(check->scheme->options, owner, assignment, check->values, err);
  if (status != DLS_OK) {
    return status;
  }
  snprintf(name, sizeof name, "%.*s", (int)strcspn(assignment, "="), assignment);
  const int position = dls_option_find(check->scheme->options, name);
  if (position < 0) {
    return dls_fail(err, DLS_ERR_PARSE, "%s: \"%s\" is not name=value", owner, assignment);
  }
  if (check->given[position]) {
    return dls_fail(err, DLS_ERR_OPTION, "%s: option %s is given twice", owner, name);
  }
  check->given[position] = true;
  return DLS_OK;
}

/* Do the values go together? */
static dls_status check_together(const dls_scheme *scheme, double *values, dls_error *err)
{
  if (scheme->check == NULL || scheme->options_size == 0) {
    return scheme->check == NULL ? DLS_OK : scheme->check(scheme, values, err);
  }
  void *fields = calloc(1, scheme->options_size);
  if (fields == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for the options of scheme %s", scheme->name);
  }
  dls_option_fill(scheme->options, values, fields);
  const dls_status status = scheme->check(scheme, fields, err);
  free(fields);
  return status;
}

static dls_status check_options(const dls_scheme_choice *choice, dls_error *err)
{
  const size_t count = dls_option_count(choice->scheme->options);
  struct check check = {choice->scheme, calloc(count + 1, sizeof(double)), calloc(count + 1, sizeof(bool))};
  dls_status status = DLS_OK;
  if (check.values == NULL || check.given == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "out of memory for the options of scheme %s", choice->scheme->name);
  } else {
    dls_option_defaults(choice->scheme->options, check.values);
    status = each_assignment(choice->options, check_assignment, &check, err);
    status = status != DLS_OK ? status : check_together(choice->scheme, check.values, err);
  }
  free(check.values);
  free(check.given);
  return status;
}

dls_status dls_catalogue_choose(const dls_catalogue *catalogue, const char *text, dls_scheme_choice *out,
                                dls_error *err)
{
  const size_t length = strcspn(text, ":");
  const char *options = text[length] == ':' ? text + length + 1 : "";
  char name[NAME_ROOM];
  if (length >= sizeof name || strlen(options) >= sizeof out->options) {
    return dls_fail(err, DLS_ERR_ARG,
                    "scheme \"%.60s...\": the name exceeds %zu or the options exceed %zu characters", text,
                    sizeof name - 1, sizeof out->options - 1);
  }
  if (text[length] == ':' && *options == '\0') {
    return dls_fail(err, DLS_ERR_PARSE,
                    "scheme \"%s\": no option after the colon; write NAME or NAME:option=value", text);
  }
  memcpy(name, text, length);
  name[length] = '\0';
  dls_scheme_choice choice = {.scheme = dls_catalogue_scheme(catalogue, name, err)};
  if (choice.scheme == NULL) {
    return DLS_ERR_OPTION;
  }
  strcpy(choice.options, options);
  const dls_status status = check_options(&choice, err);
  if (status == DLS_OK) {
    *out = choice;
  }
  return status;
}

dls_status dls_scheme_choose(const char *text, dls_scheme_choice *out, dls_error *err)
{
  return dls_catalogue_choose(NULL, text, out, err);
}

dls_status dls_scheme_choice_with(const dls_scheme_choice *choice, const dls_option *option, double value,
                                  dls_scheme_choice *out, dls_error *err)
{
  dls_scheme_choice made = *choice;
  char text[40];
  dls_option_format(option, value, text, sizeof text);
  const size_t used = strlen(made.options);
  const size_t room = sizeof made.options - used;
  if ((size_t)snprintf(made.options + used, room, "%s%s=%s", used > 0 ? "," : "", option->name, text) >= room) {
    return dls_fail(err, DLS_ERR_ARG, "scheme %.60s: the options with %.60s exceed %zu characters",
                    choice->scheme->name, option->name, sizeof made.options - 1);
  }
  const dls_status status = check_options(&made, err);
  if (status == DLS_OK) {
    *out = made;
  }
  return status;
}

static dls_status set_on_sim(void *target, const char *assignment, dls_error *err)
{
  return dls_sim_set(target, assignment, err);
}

dls_status dls_scheme_choice_sim(const dls_scheme_choice *choice, const dls_system *sys, dls_sim **out,
                                 dls_error *err)
{
  dls_sim *sim = NULL;
  dls_status status = dls_sim_create(sys, choice->scheme, &sim, err);
  if (status == DLS_OK) {
    status = each_assignment(choice->options, set_on_sim, sim, err);
  }
  if (status != DLS_OK) {
    dls_sim_destroy(sim);
    return status;
  }
  *out = sim;
  return DLS_OK;
}

dls_status dls_scheme_choice_note(const dls_scheme_choice *choice, dls_trajectory *traj, dls_error *err)
{
  return dls_trajectory_note(traj, err, "choice", "%s%s%s", choice->scheme->name,
                             choice->options[0] != '\0' ? ":" : "", choice->options);
}
