/* experiments/request/grid_words.c -- run, order, work and energy over one parameter or two: the axes, and what is kept of a run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/energy/derived.h"
#include "experiments/request/request.h"

#include <delassus/measures.h>
#include <string.h>

enum { MOST_VALUES = 10000000, MOST_STATES = 4 };

dls_status dls_request_add_axis(dls_request *r, const char *text, dls_error *err)
{
  if (r->axis_count == DLS_GRID_AXES) {
    return dls_fail(err, DLS_ERR_OPTION, "sweep = '%.100s' is the third: at most two parameters at once", text);
  }
  dls_sweep_axis *axis = &r->axes[r->axis_count];
  const dls_status status = dls_request_read_axis(r, "sweep", text, MOST_VALUES, axis, err);
  if (status == DLS_OK && r->axis_count == 1 && r->axes[0].parameter == axis->parameter) {
    return dls_fail(err, DLS_ERR_OPTION, "sweep: %s is given twice", axis->parameter->name);
  }
  const double cells = (double)axis->count * (r->axis_count == 1 ? (double)r->axes[0].count : 1);
  if (status == DLS_OK && cells > DLS_GRID_MOST_CELLS) {
    return dls_fail(err, DLS_ERR_OPTION, "sweep: %g points; allowed are at most %g", cells,
                    DLS_GRID_MOST_CELLS);
  }
  r->axis_count += status == DLS_OK;
  return status;
}

/* --- what is kept of a run --- */

static const char *const measures[] = {"last",    "least",       "largest", "mean",
                                       "impacts", "penetration", "steps",   "evals"};

/* "least:q0", "q0", "impacts"; does the system have the column? */
static dls_status read_wanted(dls_request *r, const char *text, const dls_trajectory *columns,
                              const dls_system *sys, dls_grid_wanted *out, dls_error *err)
{
  const char *colon = strchr(text, ':');
  const size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
  *out = (dls_grid_wanted){.measure = DLS_GRID_LAST, .column = colon != NULL ? colon + 1 : text};
  bool known = colon == NULL;
  for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
    if (strlen(measures[i]) == length && strncmp(measures[i], text, length) == 0 &&
        (colon != NULL) == (i <= DLS_GRID_MEAN)) {
      *out = (dls_grid_wanted){(dls_grid_measure)i, colon != NULL ? colon + 1 : NULL, text};
      known = true;
    }
  }
  if (known && (out->column == NULL || dls_trajectory_column(columns, out->column) > 0)) {
    out->name =
        out->column == NULL ? text : dls_pool_print(r->pool, "%s_%s", measures[out->measure], out->column);
    return out->name != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request");
  }
  char others[120];
  dls_measures_print(sys, others, sizeof others);
  return dls_fail(err, DLS_ERR_OPTION,
                  "of = '%.60s': a run over a parameter has X, least:X, largest:X, mean:X of a column X (q0, "
                  "v0, g0, ..., force0, ... and %s), impacts, penetration, steps and evals",
                  text, others);
}

/* The state at the end where it is small, else of its first coordinate; then what is counted. */
static const char *const *usual(dls_request *r, const dls_system *sys, size_t *count)
{
  const size_t n = sys->n <= MOST_STATES ? sys->n : 1;
  const char **names = dls_pool_take(r->pool, (2 * n + 3) * sizeof *names);
  *count = 0;
  for (size_t i = 0; i < 2 * n && names != NULL; i++) {
    names[(*count)++] = dls_pool_print(r->pool, "%c%zu", i < n ? 'q' : 'v', i % n);
  }
  for (size_t i = DLS_GRID_IMPACTS; i <= DLS_GRID_STEPS && names != NULL; i++) {
    if (sys->m > 0 || i == DLS_GRID_STEPS) {
      names[(*count)++] = measures[i];
    }
  }
  return names;
}

static dls_status read_all(dls_request *r, const char *const *names, size_t count,
                           const dls_trajectory *columns, const dls_system *sys, dls_error *err)
{
  names = count == 0 ? usual(r, sys, &count) : names;
  dls_grid_wanted *wanted = dls_pool_take(r->pool, (count + 1) * sizeof *wanted);
  dls_status status = names != NULL && wanted != NULL && !r->pool->failed
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request");
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = read_wanted(r, names[i], columns, sys, &wanted[i], err);
    for (size_t k = 0; k < i && status == DLS_OK; k++) {
      if (strcmp(wanted[k].name, wanted[i].name) == 0) {
        status = dls_fail(err, DLS_ERR_OPTION, "of: '%.60s' is given twice", names[i]);
      }
    }
  }
  r->wanted = wanted;
  r->wanted_count = status == DLS_OK ? count : 0;
  return status;
}

dls_status dls_request_want(dls_request *r, const char *const *names, size_t count, dls_error *err)
{
  dls_system *sys = NULL;
  dls_trajectory *plain = NULL, *columns = NULL;
  dls_status status = dls_model_create(r->model.model, r->model.parameters, &sys, err);
  if (status == DLS_OK) {
    plain = dls_trajectory_create_system(sys, false);
    status = plain != NULL ? dls_derive(plain, sys, NULL, &columns, err)
                           : dls_fail(err, DLS_ERR_MEMORY, "no memory for the column names");
  }
  status = status != DLS_OK ? status : read_all(r, names, count, columns, sys, err);
  dls_trajectory_destroy(columns);
  dls_trajectory_destroy(plain);
  dls_system_destroy(sys);
  return status;
}

/* --- all of it --- */

dls_status dls_request_check_grid(const dls_request *r, dls_error *err)
{
  if (r->axis_count == 0) {
    return DLS_OK;
  }
  if (r->kind == DLS_STUDY_WORK && r->against == DLS_AGAINST_SECONDS && r->spec.jobs > 1) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "against seconds: the studies of a sweep go one at a time then, not jobs = %zu",
                    r->spec.jobs);
  }
  const dls_scheme *own = dls_request_scheme(r, false); /* none where its name was wrong, and reported */
  for (size_t i = 0; i < r->axis_count; i++) {
    if (r->axes[i].of == DLS_SWEEP_STEP && r->spec.levels > 0) {
      return dls_fail(err, DLS_ERR_OPTION,
                      "steps does not go with a sweep over step: each of its values is one level");
    }
    if (r->axes[i].of == DLS_SWEEP_STEP && own != NULL && dls_request_scheme(r, true) == NULL) {
      return dls_fail(err, DLS_ERR_OPTION, "a sweep over step needs a scheme with a step: %s chooses its own",
                      own->name);
    }
  }
  return r->sweep.from >= 0 && r->sweep.from < r->spec.end
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION, "from = %g s is outside [0, end = %g s)", r->sweep.from,
                        r->spec.end);
}

dls_grid_spec dls_request_grid_spec(const dls_request *r)
{
  const dls_grid_kind kind = r->kind == DLS_STUDY_RUN     ? DLS_GRID_OF_RUNS
                             : r->kind == DLS_STUDY_ORDER ? DLS_GRID_OF_ORDERS
                             : r->kind == DLS_STUDY_WORK  ? DLS_GRID_OF_WORK
                                                          : DLS_GRID_OF_LEDGERS;
  dls_grid_spec spec = {.kind = kind,
                        .errors = r->spec,
                        .against = r->against,
                        .labels = r->labels,
                        .step = r->step,
                        .halvings = r->halvings,
                        .wanted = r->wanted,
                        .wanted_count = r->wanted_count,
                        .from = r->sweep.from,
                        .axis_count = r->axis_count};
  if (r->kind == DLS_STUDY_RUN || r->kind == DLS_STUDY_ENERGY) {
    spec.max_rows = r->recording.max_rows;
  }
  memcpy(spec.axes, r->axes, sizeof spec.axes);
  return spec;
}
