/* experiments/request/request.c -- what holds where a request says nothing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/request.h"
#include "experiments/extra/foreign/external.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_REPEATS = 8, DEFAULT_TIMINGS = 5, DEFAULT_MAX_ROWS = 10000000 };

/* As norms: hausdorff, l1. */
static void set_measures(dls_request *r)
{
  static const char *measured[] = {"q", "v"}, *drawn[] = {"q0", "v0"};
  const dls_norm **norms = dls_pool_take(r->pool, 2 * sizeof *norms);
  if (norms != NULL) {
    norms[0] = dls_norm_find("hausdorff");
    norms[1] = dls_norm_find("l1");
  }
  r->spec.norms = norms;
  r->spec.norm_count = r->spec.of_count = 2;
  r->spec.of = measured;
  if (r->kind == DLS_STUDY_COMPARE) {
    r->drawn = drawn;
    r->drawn_count = 2;
  }
}

dls_request dls_request_default(dls_study_kind kind, const struct dls_catalogue *catalogue, dls_pool *pool)
{
  dls_request r = {.kind = kind,
                   .pool = pool,
                   .spec = {.catalogue = catalogue,
                            .end = DLS_REQUEST_END,
                            .repeats = DEFAULT_REPEATS,
                            .seed = 1,
                            .metric = dls_metric_default,
                            .jobs = 1},
                   .recording = {.every = 1, .max_rows = DEFAULT_MAX_ROWS},
                   .against = DLS_AGAINST_EVALS,
                   .impact = 1,
                   .format = dls_plot_format_of(DLS_PLOT_SCREEN)};
  static const double at = DLS_SPECTRUM_AT;
  r.spectrum = (dls_spectrum_spec){.first = DLS_SPECTRUM_FIRST,
                                   .last = DLS_SPECTRUM_LAST,
                                   .levels = DLS_SPECTRUM_LEVELS,
                                   .at = &at,
                                   .at_count = 1,
                                   .oscillator = {0, DLS_SPECTRUM_FREQUENCY}};
  r.fit =
      (dls_request_fit){.spec = {.level = 0.95, .tol = 1e-4, .iterations = 50, .starts = 1}, .until = HUGE_VAL};
  set_measures(&r);
  return r;
}

void dls_request_set_model(dls_request *request)
{
  request->spec.model = request->model.model;
  request->spec.parameters = request->model.parameters;
}

void dls_request_set_against(dls_request *request, dls_against against)
{
  request->against = against;
  request->spec.timings = against == DLS_AGAINST_SECONDS ? DEFAULT_TIMINGS : 0;
}

const dls_scheme *dls_request_scheme(const dls_request *request, bool needs_step)
{
  for (size_t i = 0; i < request->spec.scheme_count; i++) {
    const dls_scheme *scheme = request->spec.schemes[i].scheme;
    if (scheme != NULL && dls_scheme_needs_step(scheme) == needs_step) {
      return scheme;
    }
  }
  return NULL;
}

static dls_status draw_velocity(dls_request *r, const char *over, dls_error *err)
{
  if (over[0] != 'q' || over[1] == '\0' || over[1 + strspn(over + 1, "0123456789")] != '\0') {
    return dls_fail(
        err, DLS_ERR_OPTION,
        "over %.60s: say what is drawn (of); without it the velocity is drawn, over a position q0, q1, ...",
        over);
  }
  const char **drawn = dls_pool_take(r->pool, sizeof *drawn);
  const char *velocity = dls_pool_print(r->pool, "v%s", over + 1);
  if (drawn == NULL || velocity == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request");
  }
  drawn[0] = velocity;
  r->drawn = drawn;
  r->drawn_count = 1;
  return DLS_OK;
}

dls_status dls_request_set_over(dls_request *r, const char *over, bool named, dls_error *err)
{
  r->over = over;
  if (!named) {
    return draw_velocity(r, over, err);
  }
  for (size_t i = 0; i < r->drawn_count; i++) {
    if (strcmp(r->drawn[i], over) == 0) {
      return dls_fail(err, DLS_ERR_OPTION, "over %.60s: it cannot be drawn over itself", over);
    }
  }
  return DLS_OK;
}

dls_status dls_request_set_cycle(dls_request *r, const char *text, dls_error *err)
{
  const size_t length = strcspn(text, ":");
  for (dls_event_kind kind = DLS_IMPACT; kind <= DLS_PAINLEVE; kind++) {
    const char *name = dls_event_kind_name(kind);
    if ((kind == DLS_IMPACT || kind == DLS_STICK || kind == DLS_LANDING) && strlen(name) == length &&
        strncmp(name, text, length) == 0) {
      double contact = 0;
      const dls_status status =
          text[length] == ':' ? dls_parse_number("cycle, contact", text + length + 1, &contact, err) : DLS_OK;
      if (status != DLS_OK || !(contact >= 0 && contact < 1e9 && contact == floor(contact))) {
        return dls_fail(err, DLS_ERR_OPTION,
                        "cycle = '%.60s': EVENT:CONTACT, with the number of a contact from 0", text);
      }
      r->cycle = text;
      r->cycle_kind = kind;
      r->cycle_contact = (size_t)contact;
      return DLS_OK;
    }
  }
  return dls_fail(err, DLS_ERR_OPTION,
                  "cycle = '%.60s': EVENT:CONTACT, where EVENT is impact, landing or stick, e.g. stick:0",
                  text);
}

/* What a program cannot be asked for: the words for it, or NULL. */
static const char *not_of_externals(const dls_request *r)
{
  const bool work = r->kind == DLS_STUDY_WORK;
  if ((r->kind & (DLS_STUDY_ORDER | DLS_STUDY_WORK | DLS_STUDY_COMPARE)) == 0) {
    return "it goes with order, work and compare only";
  }
  return r->local                  ? "--local starts each step at a state that cannot be given to it"
         : r->sweep.axis.count > 0 ? "it does not go with --sweep"
         : r->halvings > 0         ? "its steps are not halved"
         : work && (r->against == DLS_AGAINST_EVALS || r->against == DLS_AGAINST_PROBLEMS)
             ? "it reports no evaluation counts: use --against steps (those that it is asked for) or seconds"
         : r->recording.every > 1 || r->recording.at_count > 0 || r->recording.max_rows != DEFAULT_MAX_ROWS
             ? "it chooses its rows itself: --every, --at and --max-rows do not go with it"
             : NULL;
}

dls_status dls_request_check_externals(const dls_request *request, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < request->spec.scheme_count && status == DLS_OK; i++) {
    const dls_scheme *scheme = request->spec.schemes[i].scheme;
    const dls_external *external = scheme != NULL ? dls_external_of(scheme) : NULL;
    const char *refusal = external != NULL ? not_of_externals(request) : NULL;
    status = external == NULL ? DLS_OK
             : refusal != NULL
                 ? dls_fail(err, DLS_ERR_NOT_APPLICABLE, "%s is an external program: %s", scheme->name, refusal)
                 : dls_external_check(external, request->model.model, err);
  }
  return status;
}

void dls_request_release(dls_request *request)
{
  dls_trajectory_destroy(request->fit.file);
  free(request->fit.table.block);
  dls_model_choice_release(&request->fit.made.model);
  dls_model_choice_release(&request->model);
}

/* What was asked for beyond scheme, model and steps. */
static dls_status note_manner(const dls_request *request, dls_trajectory *traj, dls_error *err)
{
  const dls_start *start = &request->spec.start;
  dls_status status = DLS_OK;
  if (request->halvings > 0) {
    status = dls_trajectory_note(traj, err, "halve", "%zu", request->halvings);
  }
  if (status == DLS_OK && start->tolerance > 0) {
    status = dls_trajectory_note(traj, err, "start_tolerance", "%.17g", start->tolerance);
  }
  return status != DLS_OK || !start->project ? status : dls_trajectory_note(traj, err, "project_start", "yes");
}

dls_status dls_request_note(const dls_request *request, size_t i, dls_trajectory *traj, dls_error *err)
{
  dls_status status = dls_model_choice_note(&request->model, traj, err);
  if (status == DLS_OK && dls_scheme_needs_step(request->spec.schemes[i].scheme)) {
    status = dls_trajectory_note(traj, err, "step", "%s", request->step_text);
  }
  status = status != DLS_OK ? status : dls_trajectory_note(traj, err, "end", "%.17g", request->spec.end);
  return status != DLS_OK ? status : note_manner(request, traj, err);
}

dls_local_spec dls_request_local_spec(const dls_request *r)
{
  return (dls_local_spec){.model = r->spec.model,
                          .parameters = r->spec.parameters,
                          .exact = dls_catalogue_exact(r->spec.catalogue, r->spec.model->name),
                          .schemes = r->spec.schemes,
                          .labels = r->labels,
                          .scheme_count = r->spec.scheme_count,
                          .end = r->spec.end,
                          .h_first = r->spec.h_first,
                          .h_last = r->spec.h_last,
                          .levels = r->spec.levels,
                          .places = r->spec.repeats,
                          .impact = r->impact};
}
