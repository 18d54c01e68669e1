/* experiments/cli/gradient.c -- `delassus gradient`: derivatives of a state with respect to parameters, along one run or by differences.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/run.h"

#include "common/base/decimal.h"
#include <delassus/catalogue.h>
#include <delassus/choice.h>
#include <delassus/measures.h>
#include <delassus/sensitivity.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for, checked. */
typedef struct job {
  const dls_cli_args *args;
  dls_model_choice model;
  dls_scheme_choice scheme;
  double step, at; /* step 0: the scheme chooses its own */
  const char *of;
  char **by; /* parameters; one block */
  size_t count;
  double delta; /* of differences; 0: forward */
} job;

static const double same_time = 1e-9; /* relative: steps that divide --at are rounded */

/* --- the quantity X --- */

/* The place of "q0" or "v12" among (q, v); 2 n: the energy. */
static dls_status find_quantity(const dls_system *sys, const char *name, size_t *place, dls_error *err)
{
  char *end = NULL;
  *place = 2 * sys->n;
  if (strcmp(name, "energy") == 0) {
    return dls_system_has_energy(sys) ? DLS_OK
                                      : dls_fail(err, DLS_ERR_OPTION, "--of energy: the system has no energy");
  }
  const bool digits = name[0] != '\0' && name[1] != '\0' && (name[1] != '0' || name[2] == '\0') &&
                      strspn(name + 1, "0123456789") == strlen(name + 1);
  const size_t i = digits ? strtoul(name + 1, &end, 10) : sys->n;
  if ((name[0] == 'q' || name[0] == 'v') && i < sys->n) {
    *place = name[0] == 'q' ? i : sys->n + i;
    return DLS_OK;
  }
  return dls_fail(err, DLS_ERR_OPTION, "--of = %.60s: allowed are q0 to q%zu, v0 to v%zu and energy", name,
                  sys->n - 1, sys->n - 1);
}

static dls_status energy_of(const dls_sim *sim, double *value, dls_error *err)
{
  dls_measures *measures = NULL;
  double values[DLS_MEASURES_MOST];
  const dls_status status = dls_measures_create(sim->sys, &measures, err);
  if (status == DLS_OK) {
    dls_measures_at(measures, sim->t, sim->q, sim->v, values);
    *value = values[0];
  }
  dls_measures_destroy(measures);
  return status;
}

/* --- runs --- */

/* Run to --at. Steps must end there: a value at another time has another derivative. */
static dls_status run_to(const job *j, dls_sim *sim, dls_trajectory *record, dls_error *err)
{
  dls_cli_progress progress = dls_cli_progress_start(DLS_PROGRESS_AUTO, j->scheme.scheme->name, j->at);
  dls_run_spec spec = {.end = j->at, .step = j->step, .record = record};
  spec.poll = dls_cli_progress_poll;
  spec.poll_data = &progress;
  const dls_status status = dls_run(sim, &spec, err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  if (status == DLS_OK && fabs(sim->t - j->at) > same_time * j->at) {
    return dls_fail(err, DLS_ERR_OPTION, "--at = %.15g s is not a multiple of the step %.15g s", j->at,
                    j->step);
  }
  return status;
}

static dls_status create_sim(const job *j, const double *parameters, dls_system **sys, dls_sim **sim,
                             dls_error *err)
{
  const dls_status status = dls_model_create(j->model.model, parameters, sys, err);
  return status != DLS_OK ? status : dls_scheme_choice_sim(&j->scheme, *sys, sim, err);
}

/* --- forward --- */

/* Report events at --at: values on their other side are different. */
static void report_events_at_end(const job *j, const dls_sensitivity *s)
{
  for (size_t i = 0; i < s->event_count; i++) {
    const dls_event_shift *event = &s->event[i];
    if (fabs(event->t - j->at) > same_time * j->at || event->kind == DLS_LIFT_OFF) {
      continue; /* at lift-off tangents do not jump */
    }
    for (size_t k = 0; k < s->count; k++) {
      const double dt = s->event_dt[i * s->count + k];
      if (dt != 0 && !isnan(dt)) {
        dls_cli_message(
            j->args->command->name,
            "%s: one-sided, --at = %.10g s is the time of an event (%s of contact %zu), which moves "
            "by dt/d%s = %.6g; choose another time",
            s->direction[k].name, j->at, dls_event_kind_name(event->kind), event->contact, s->direction[k].name,
            dt);
      }
    }
  }
}

/* Continues the run by a rounding of --at: by rounding, an event at --at may come just after it. */
static dls_status look_for_events(const job *j, dls_sim *sim, dls_error *err)
{
  const double end = j->at * (1 + same_time);
  dls_status status = DLS_OK;
  while (status == DLS_OK && sim->t < end) {
    status = dls_sim_advance(sim, end - sim->t, err);
  }
  report_events_at_end(j, sim->sensitivity);
  return status;
}

static dls_status forward(const job *j, size_t place, dls_sim *sim, dls_direction *directions, double *values,
                          dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t k = 0; k < j->count && status == DLS_OK; k++) {
    status = dls_direction_create(j->model.model, j->model.parameters, j->by[k], &directions[k], err);
  }
  if (status != DLS_OK || (status = dls_sim_differentiate(sim, j->count, directions, err)) != DLS_OK ||
      (status = run_to(j, sim, NULL, err)) != DLS_OK) {
    return status;
  }
  const size_t n = sim->sys->n;
  dls_cli_report_derivatives(j->args->command->name, sim);
  for (size_t k = 0; k < j->count && status == DLS_OK; k++) {
    const dls_tangent *tangent = &sim->sensitivity->tangent[k];
    if (place == 2 * n) {
      status = dls_sensitivity_energy(sim, k, &values[k], err);
    } else {
      values[k] = place < n ? tangent->dq[place] : tangent->dv[place - n];
    }
  }
  return status != DLS_OK ? status : look_for_events(j, sim, err);
}

/* --- differences --- */

/* X at --at of a run with these parameters; with its events. */
static dls_status value_at(const job *j, size_t place, const double *parameters, double *value,
                           dls_trajectory **events, dls_error *err)
{
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = create_sim(j, parameters, &sys, &sim, err);
  if (status == DLS_OK && (*events = dls_sim_trajectory(sim, err)) == NULL) {
    status = DLS_ERR_MEMORY;
  }
  if (status == DLS_OK) {
    (*events)->skip_nodes = true;
    status = run_to(j, sim, *events, err);
  }
  if (status == DLS_OK && place == 2 * sys->n) {
    status = energy_of(sim, value, err);
  } else if (status == DLS_OK) {
    *value = place < sys->n ? sim->q[place] : sim->v[place - sys->n];
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

/* Are the events of two runs of the same kinds at the same contacts? */
static bool same_events(const dls_trajectory *a, const dls_trajectory *b)
{
  bool same = a->event_count == b->event_count;
  for (size_t i = 0; same && i < a->event_count; i++) {
    same = a->events[i].kind == b->events[i].kind && a->events[i].contact == b->events[i].contact;
  }
  return same;
}

/* (X(p + delta) - X(p - delta)) / (2 delta) */
static dls_status difference(const job *j, size_t place, const char *name, double *value, dls_error *err)
{
  const dls_option *table = j->model.model->parameters;
  dls_direction direction;
  dls_status status = dls_direction_create(j->model.model, j->model.parameters, name, &direction, err);
  dls_direction_release(&direction);
  if (status != DLS_OK) {
    return status; /* the name is wrong, or its values are separate */
  }
  double *p = malloc((dls_option_count(table) + 1) * sizeof *p), x[2] = {0};
  dls_trajectory *events[2] = {NULL, NULL};
  const int which = dls_option_find(table, name);
  if (p == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  }
  memcpy(p, j->model.parameters, dls_option_count(table) * sizeof *p);
  for (int i = 0; i < 2 && status == DLS_OK; i++) {
    p[which] = j->model.parameters[which] + (2 * i - 1) * j->delta;
    status = value_at(j, place, p, &x[i], &events[i], err);
  }
  *value = (x[1] - x[0]) / (2 * j->delta);
  if (status == DLS_OK && !same_events(events[0], events[1])) {
    dls_cli_message(
        j->args->command->name,
        "%s: the runs at %.15g -+ %g have different events (%zu and %zu): their difference is not a "
        "derivative",
        name, j->model.parameters[which], j->delta, events[0]->event_count, events[1]->event_count);
  }
  dls_trajectory_destroy(events[0]);
  dls_trajectory_destroy(events[1]);
  free(p);
  return status;
}

/* --- the command --- */

static dls_status read_method(const char *text, double *delta, dls_error *err)
{
  const char *prefix = "difference:delta=";
  *delta = 0;
  if (text == NULL || strcmp(text, "forward") == 0) {
    return DLS_OK;
  }
  if (strncmp(text, prefix, strlen(prefix)) != 0) {
    return dls_fail(err, DLS_ERR_OPTION, "--method = %.60s: allowed are forward and difference:delta=D", text);
  }
  const dls_status status = dls_parse_number("--method difference:delta", text + strlen(prefix), delta, err);
  return status != DLS_OK || *delta > 0
             ? status
             : dls_fail(err, DLS_ERR_OPTION, "--method difference:delta = %g must be > 0", *delta);
}

static dls_status need(const dls_cli_args *args, const char *name, const char **value, dls_error *err)
{
  *value = dls_cli_value(args, name);
  return *value != NULL ? DLS_OK : dls_fail(err, DLS_ERR_OPTION, "--%s must be given", name);
}

static dls_status read_words(job *j, dls_error *err)
{
  const dls_cli_args *args = j->args;
  const char *scheme = NULL, *at = NULL, *by = NULL;
  const dls_model *model = dls_catalogue_model(args->catalogue, args->positional[0], err);
  if (model == NULL || need(args, "scheme", &scheme, err) != DLS_OK ||
      need(args, "of", &j->of, err) != DLS_OK || need(args, "at", &at, err) != DLS_OK ||
      need(args, "by", &by, err) != DLS_OK || dls_cli_model(args, model, &j->model, err) != DLS_OK ||
      dls_catalogue_choose(args->catalogue, scheme, &j->scheme, err) != DLS_OK ||
      dls_cli_positive(args, "at", &j->at, err) != DLS_OK ||
      (dls_cli_value(args, "step") != NULL && dls_cli_positive(args, "step", &j->step, err) != DLS_OK) ||
      dls_cli_split("--by", by, ',', &j->by, &j->count, err) != DLS_OK ||
      read_method(dls_cli_value(args, "method"), &j->delta, err) != DLS_OK) {
    return err->status;
  }
  if (dls_scheme_needs_step(j->scheme.scheme) && !(j->step > 0)) {
    return dls_fail(err, DLS_ERR_OPTION, "scheme %s needs --step H", j->scheme.scheme->name);
  }
  return DLS_OK;
}

static dls_status compute(const job *j, dls_direction *directions, double *values, dls_error *err)
{
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  size_t place = 0;
  dls_status status = create_sim(j, j->model.parameters, &sys, &sim, err);
  if (status == DLS_OK) {
    status = find_quantity(sys, j->of, &place, err);
  }
  if (status == DLS_OK && j->delta == 0) {
    status = forward(j, place, sim, directions, values, err);
  }
  for (size_t k = 0; k < j->count && status == DLS_OK && j->delta > 0; k++) {
    status = difference(j, place, j->by[k], &values[k], err);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

/* @return the exit code: failed if a derivative does not exist */
static int print(const job *j, const double *values)
{
  int code = DLS_EXIT_DONE;
  puts("parameter,value");
  for (size_t k = 0; k < j->count; k++) {
    char number[DLS_DECIMAL_SIZE];
    dls_decimal_write(values[k], number);
    printf("%s,%s\n", j->by[k], isnan(values[k]) ? "nan" : number);
    code = isnan(values[k]) ? DLS_EXIT_FAILED : code;
  }
  return code;
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  job j = {.args = args};
  dls_direction *directions = NULL;
  double *values = NULL;
  dls_status status = read_words(&j, &err);
  if (status == DLS_OK) {
    directions = calloc(j.count, sizeof *directions);
    values = calloc(j.count, sizeof *values);
    status = directions != NULL && values != NULL ? compute(&j, directions, values, &err)
                                                  : dls_fail(&err, DLS_ERR_MEMORY, "out of memory");
  }
  const int code = status == DLS_OK ? print(&j, values) : dls_cli_fail(args->command->name, &err);
  for (size_t k = 0; directions != NULL && k < j.count; k++) {
    dls_direction_release(&directions[k]);
  }
  free(directions);
  free(values);
  free(j.by);
  dls_model_choice_release(&j.model);
  return code;
}

static const dls_cli_option options[] = {
    {.name = "scheme",
     .argument = "S[:OPT=VAL,...]",
     .help = "the time integrator; event-driven computes derivatives along its run, all others by differences",
     .needed = true},
    {.name = "of",
     .argument = "X",
     .help = "what is differentiated: q0, q1, ..., v0, v1, ... or energy",
     .needed = true},
    {.name = "at", .argument = "T", .help = "at this time in s", .needed = true},
    {.name = "by", .argument = "P[,P...]", .help = "by these parameters of the model", .needed = true},
    {.name = "step", .argument = "H", .help = "time step in s, for schemes that do not choose their own"},
    {.name = "method",
     .argument = "M",
     .help = "forward (default): along one run, through all events; difference:delta=D: central difference of "
             "two runs, at P - D and P + D"},
    {0},
};

const dls_cli_command dls_cli_gradient = {
    .name = "gradient",
    .synopsis = "MODEL",
    .summary = "derivatives of a state or of the energy with respect to parameters",
    .text =
        "How does the state at a time change with parameters of the model, through impacts, stick and slip?\n"
        "Prints CSV: parameter,value. Messages report where a derivative is one-sided or grazing. If it does\n"
        "not exist, its value is nan and the exit status 1.\n",
    .examples =
        "  delassus gradient bouncing-ball --scheme event-driven --of q0 --at 2.25 --by q0,v0,e\n"
        "  delassus gradient belt --scheme event-driven --of energy --at 3 --by vb,k\n"
        "  delassus gradient bouncing-ball --scheme moreau-jean --step 1e-3 --of q0 --at 2.25 --by e \\\n"
        "    --method difference:delta=0.1\n",
    .options = options,
    .keys = DLS_COMMAND_GRADIENT,
    .least = 1,
    .most = 1,
    .run = run,
};
