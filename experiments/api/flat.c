/* experiments/api/flat.c -- the library in plain C types.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/run/coordinates.h"
#include "experiments/api/flat_internal.h"
#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <delassus/exact.h>
#include <delassus/graph.h>
#include <delassus/sim.h>
#include <delassus/study.h>
#include <delassus/study_file.h>
#include <delassus/trajectory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cubic interpolation of the rows of an exact solution errs by no more than this in q [m] and v [m/s]. */
static const double sampling_accuracy = 1e-12;

int dls_flat_report(dls_status status, const dls_error *err, char *error, size_t size)
{
  if (size > 0) {
    snprintf(error, size, "%s",
             status == DLS_OK       ? ""
             : err->text[0] != '\0' ? err->text
                                    : dls_status_text(status));
  }
  return (int)status;
}

int dls_flat_version(void)
{
  return DLS_FLAT_VERSION;
}

const char *dls_flat_release(void)
{
  return DLS_VERSION;
}

int dls_flat_open(dls_catalogue **out, char *error, size_t size)
{
  dls_error err = {0};
  return dls_flat_report(dls_catalogue_create(out, &err), &err, error, size);
}

int dls_flat_plugin(dls_catalogue *catalogue, const char *path, char *error, size_t size)
{
  dls_error err = {0};
  return dls_flat_report(dls_catalogue_load(catalogue, path, &err), &err, error, size);
}

void dls_flat_close(dls_catalogue *catalogue)
{
  dls_catalogue_destroy(catalogue);
}

typedef struct entry {
  const char *name, *summary;
} entry;

/* Entry `index` of a list that ends with NULL. */
#define DLS_FLAT_ENTRY(type, list, title)                                                                      \
  const type *const *e = list;                                                                                 \
  for (; *e != NULL && index > 0; e++, index--) {                                                              \
  }                                                                                                            \
  return *e != NULL ? (entry){(*e)->title, (*e)->summary} : (entry){NULL, NULL};

static entry entry_at(const dls_catalogue *catalogue, const char *kind, size_t index)
{
  if (strcmp(kind, "model") == 0) {
    DLS_FLAT_ENTRY(dls_model, dls_catalogue_models(catalogue), name)
  }
  if (strcmp(kind, "scheme") == 0) {
    DLS_FLAT_ENTRY(dls_scheme, dls_catalogue_schemes(catalogue), name)
  }
  if (strcmp(kind, "exact") == 0) {
    DLS_FLAT_ENTRY(dls_exact, dls_catalogue_exacts(catalogue), model->name)
  }
  if (strcmp(kind, "norm") == 0) {
    DLS_FLAT_ENTRY(dls_norm, dls_norms(), name)
  }
  if (strcmp(kind, "law") == 0) {
    DLS_FLAT_ENTRY(dls_law, dls_catalogue_laws(catalogue), name)
  }
  if (strcmp(kind, "study") == 0) {
    const dls_study_shipped *study = dls_studies();
    for (; study->name != NULL && index > 0; study++, index--) {
    }
    return (entry){study->name, study->title};
  }
  return (entry){NULL, NULL};
}

const char *dls_flat_name(const dls_catalogue *catalogue, const char *kind, size_t index)
{
  return entry_at(catalogue, kind, index).name;
}

const char *dls_flat_summary(const dls_catalogue *catalogue, const char *kind, size_t index)
{
  return entry_at(catalogue, kind, index).summary;
}

/* The poll of dls_run has a bool. */
typedef struct caller {
  int (*poll)(void *data, double t);
  void *data;
} caller;

static bool poll_caller(void *data, double t)
{
  const caller *c = data;
  return c->poll == NULL || c->poll(c->data, t) != 0;
}

static const char law_setting[] = "law";

/* The last setting "law=..." of a model without a parameter of this name; NULL: none. @param[out] others  room for count */
static const char *take_law(const dls_model *model, size_t count, const char *const *settings,
                            const char **others, size_t *other_count)
{
  const size_t length = strlen(law_setting);
  const bool own = dls_option_find(model->parameters, law_setting) >= 0;
  const char *law = NULL;
  *other_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (!own && strncmp(settings[i], law_setting, length) == 0 && settings[i][length] == '=') {
      law = settings[i] + length + 1;
    } else {
      others[(*other_count)++] = settings[i];
    }
  }
  return law;
}

dls_status dls_flat_choose(const dls_catalogue *catalogue, const char *name, size_t count,
                           const char *const *settings, dls_model_choice *out, dls_error *err)
{
  if (name == NULL || (settings == NULL && count > 0)) {
    return dls_fail(err, DLS_ERR_ARG, "%s = NULL", name == NULL ? "model" : "settings");
  }
  for (size_t i = 0; i < count; i++) {
    if (settings[i] == NULL) {
      return dls_fail(err, DLS_ERR_ARG, "setting %zu = NULL", i);
    }
  }
  const dls_model *model = dls_catalogue_model(catalogue, name, err);
  const char **others = model != NULL ? malloc((count + 1) * sizeof *others) : NULL;
  if (others == NULL) {
    return model == NULL ? DLS_ERR_OPTION : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu settings", count);
  }
  const char *law = take_law(model, count, settings, others, &count);
  dls_status status = dls_model_choose("settings of", model, count, others, out, err);
  if (status == DLS_OK && law != NULL) {
    status = dls_catalogue_choose_law(catalogue, "law: ", law, out, err);
  }
  free(others);
  return status;
}

dls_status dls_flat_choose_norm(const char *text, dls_norm_choice *out, dls_error *err)
{
  const dls_status status = text != NULL ? dls_norm_read(text, out, err) : DLS_ERR_ARG;
  return text == NULL ? dls_fail(err, status, "norm = NULL")
         : dls_norm_find(text) != NULL
             ? status
             : dls_fail(err, status, "unknown norm '%.60s'; `delassus list norms` names them", text);
}

int dls_flat_needs_step(const dls_catalogue *catalogue, const char *scheme)
{
  const dls_scheme *found = dls_catalogue_scheme(catalogue, scheme, NULL);
  return found == NULL ? (int)DLS_ERR_OPTION : dls_scheme_needs_step(found);
}

dls_status dls_flat_check_step(const dls_scheme *scheme, double step, dls_error *err)
{
  if (dls_scheme_needs_step(scheme) && !(step > 0)) {
    return dls_fail(err, DLS_ERR_ARG, "step = %g s: scheme %s needs a time step > 0", step, scheme->name);
  }
  if (!dls_scheme_needs_step(scheme) && step != 0) {
    return dls_fail(err, DLS_ERR_ARG, "step = %g s: scheme %s chooses its own steps", step, scheme->name);
  }
  return DLS_OK;
}

dls_status dls_flat_note_choices(const dls_scheme_choice *choice, const dls_model_choice *model, double step,
                                 dls_trajectory *traj, dls_error *err)
{
  dls_status status = dls_model_choice_note(model, traj, err);
  status = status != DLS_OK ? status : dls_scheme_choice_note(choice, traj, err);
  return status != DLS_OK || step == 0 ? status : dls_trajectory_note(traj, err, "step", "%.17g", step);
}

static dls_status make_sim(const dls_scheme_choice *choice, const dls_model_choice *model, double step,
                           dls_system **sys, dls_sim **sim, dls_trajectory **traj, dls_error *err)
{
  dls_status status = dls_model_create(model->model, model->parameters, sys, err);
  status = status != DLS_OK ? status : dls_scheme_choice_sim(choice, *sys, sim, err);
  if (status != DLS_OK) {
    return status;
  }
  *traj = dls_sim_trajectory(*sim, err);
  return *traj == NULL ? DLS_ERR_MEMORY : dls_flat_note_choices(choice, model, step, *traj, err);
}

int dls_flat_run(const dls_catalogue *catalogue, const char *model, size_t count, const char *const *settings,
                 const char *scheme, double step, double end, int (*poll)(void *poll_data, double t),
                 void *poll_data, dls_trajectory **out, char *error, size_t size)
{
  dls_error err = {0};
  dls_model_choice model_choice = {0};
  dls_scheme_choice choice;
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_trajectory *traj = NULL;
  caller own = {poll, poll_data};
  const bool made = dls_flat_choose(catalogue, model, count, settings, &model_choice, &err) == DLS_OK &&
                    dls_catalogue_choose(catalogue, scheme, &choice, &err) == DLS_OK &&
                    dls_flat_check_step(choice.scheme, step, &err) == DLS_OK &&
                    make_sim(&choice, &model_choice, step, &sys, &sim, &traj, &err) == DLS_OK;
  dls_status status = made ? DLS_OK : err.status;
  if (made) {
    const dls_run_spec spec = {
        .step = step, .end = end, .record = traj, .poll = poll_caller, .poll_data = &own};
    status = dls_run(sim, &spec, &err);
  }
  if (status != DLS_OK && (traj == NULL || traj->rows == 0)) {
    dls_trajectory_destroy(traj);
    traj = NULL;
  }
  *out = traj;
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  dls_model_choice_release(&model_choice);
  return dls_flat_report(status, &err, error, size);
}

int dls_flat_exact(const dls_catalogue *catalogue, const char *model, size_t count, const char *const *settings,
                   double end, size_t time_count, const double *times, dls_trajectory **out, char *error,
                   size_t size)
{
  dls_error err = {0};
  dls_model_choice choice = {0};
  *out = NULL;
  dls_status status = dls_flat_choose(catalogue, model, count, settings, &choice, &err);
  const dls_exact *exact = status == DLS_OK ? dls_catalogue_exact(catalogue, choice.model->name) : NULL;
  if (status == DLS_OK && exact == NULL) {
    status = dls_fail(&err, DLS_ERR_OPTION, "model %s has no exact solution", choice.model->name);
  } else if (status == DLS_OK) {
    status = time_count > 0 ? dls_exact_at(exact, choice.parameters, time_count, times, out, &err)
                            : dls_exact_trajectory(exact, choice.parameters, end, sampling_accuracy, out, &err);
  }
  dls_model_choice_release(&choice);
  return dls_flat_report(status, &err, error, size);
}

void dls_flat_free(dls_trajectory *traj)
{
  dls_trajectory_destroy(traj);
}

size_t dls_flat_rows(const dls_trajectory *traj)
{
  return traj->rows;
}

const char *dls_flat_column_name(const dls_trajectory *traj, size_t index)
{
  return index < traj->columns ? traj->names[index] : NULL;
}

/* Is it the rows of a ledger, whose columns are energies and works but for the time and momenta? */
static bool is_ledger(const dls_trajectory *traj)
{
  return traj->columns > DLS_ENERGY_NUMERICAL &&
         strcmp(traj->names[DLS_ENERGY_ALGORITHMIC], "algorithmic") == 0;
}

int dls_flat_column_unit(const dls_trajectory *traj, size_t index, char *words, size_t words_size, char *unit,
                         size_t unit_size)
{
  if (index >= traj->columns) {
    return DLS_ERR_ARG;
  }
  dls_column_kind kind;
  dls_column_find(traj, traj->names[index], &kind);
  snprintf(words, words_size, "%s", kind.words);
  const bool energy =
      index > 0 && kind.words[0] == '\0' && is_ledger(traj) && strncmp(traj->names[index], "scheme_", 7) != 0;
  snprintf(unit, unit_size, "%s", energy ? "J" : strcmp(kind.unit, "1") == 0 ? "" : kind.unit);
  return DLS_OK;
}

int dls_flat_column(const dls_trajectory *traj, size_t index, double *values)
{
  if (index >= traj->columns) {
    return DLS_ERR_ARG;
  }
  for (size_t i = 0; i < traj->rows; i++) {
    values[i] = dls_trajectory_at(traj, i, index);
  }
  return DLS_OK;
}

int dls_flat_complete(const dls_trajectory *traj)
{
  return traj->complete;
}

const char *dls_flat_failure(const dls_trajectory *traj)
{
  return traj->failure;
}

const char *dls_flat_warning(const dls_trajectory *traj, size_t index)
{
  return dls_trajectory_warning(traj, index);
}

const char *dls_flat_note(const dls_trajectory *traj, size_t index)
{
  return index < traj->meta_count ? traj->meta[index] : NULL;
}

#define DLS_FLAT_NAME(counter) #counter,
#define DLS_FLAT_VALUE(counter) (double)traj->work.counter,

const char *dls_flat_work_name(size_t index)
{
  static const char *const names[] = {DLS_WORK_LIST(DLS_FLAT_NAME) "wall_seconds"};
  return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

const char *dls_flat_work_unit(size_t index)
{
  const char *name = dls_flat_work_name(index);
  return name == NULL ? NULL : strcmp(name, "wall_seconds") == 0 ? "s" : "1";
}

double dls_flat_work(const dls_trajectory *traj, size_t index)
{
  const double values[] = {DLS_WORK_LIST(DLS_FLAT_VALUE) traj->work.wall_seconds};
  return index < sizeof values / sizeof values[0] ? values[index] : 0;
}

const char *dls_flat_event(const dls_trajectory *traj, size_t index, double values[7])
{
  if (index >= traj->event_count) {
    return NULL;
  }
  const dls_event *event = &traj->events[index];
  const double all[7] = {event->t,       (double)event->contact, event->u_minus, event->u_plus,
                         event->impulse, event->time_end,        event->bound};
  if (values != NULL) {
    memcpy(values, all, sizeof all);
  }
  return dls_event_kind_name(event->kind);
}

int dls_flat_event_friction(const dls_trajectory *traj, size_t index, double values[8])
{
  const dls_event *event = index < traj->event_count ? &traj->events[index] : NULL;
  if (event == NULL || !event->tangential || event->impulse == 0 || traj->d < 2) {
    return 0;
  }
  const size_t slips = traj->d - 1, bytes = slips * sizeof *values;
  memcpy(values, event->slip_minus, bytes);
  memcpy(values + slips, event->slip_plus, bytes);
  memcpy(values + 2 * slips, event->friction, bytes);
  values[3 * slips] = event->work_normal;
  values[3 * slips + 1] = event->work_friction;
  return (int)slips;
}
