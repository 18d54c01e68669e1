/* experiments/measures/order/order_long.c -- a long run is measured during the run, from portions of its record.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/run_spec.h"
#include "experiments/measures/order/order_run.h"
#include "experiments/measures/order/reference.h"
#include <stdlib.h>
#include <string.h>

enum {
  LONG = 1 << 24,    /* numbers of a record that is kept as a whole, 128 MB */
  PORTION = 1 << 20, /* numbers of a portion, 8 MB */
  COMPONENTS = 8 /* of a quantity; with more, the nodes that are kept would take as much memory as the record */
};

typedef struct gauges {
  const dls_order_inputs *inputs;
  dls_streaming **streaming; /* one per quantity */
  bool narrow;
  double seconds; /* of the run, that were spent here */
} gauges;

bool dls_order_is_long(const dls_order_inputs *inputs, double step, const dls_trajectory *traj)
{
  const dls_order_spec *spec = inputs->spec;
  bool can = inputs->limits == NULL && spec->end / step * (double)traj->columns > LONG;
  for (size_t i = 0; i < spec->norm_count; i++) {
    can = can && dls_norm_streams(spec->norms[i]);
  }
  for (size_t of = 0; of < spec->of_count; of++) {
    const bool few = inputs->prepared[of].graph->dim <= COMPONENTS;
    can = can && few && dls_quantity_is_of_rows(traj, spec->of[of]);
  }
  return can;
}

static dls_status add_quantity(gauges *g, const dls_trajectory *record, size_t of, dls_error *err)
{
  dls_graph *part = NULL;
  dls_status status = dls_quantity_graph(record, g->inputs->spec->of[of], &part, err);
  if (status == DLS_OK) {
    status = dls_cut_to_common(&part, g->inputs->prepared[of].graph, err);
  }
  if (status == DLS_OK) {
    status = dls_streaming_add(g->streaming[of], part, err);
    g->narrow = status == DLS_ERR_LIMIT;
  }
  dls_graph_destroy(part);
  return status;
}

static dls_status add_rows(gauges *g, const dls_trajectory *record, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t of = 0; of < g->inputs->spec->of_count && status == DLS_OK; of++) {
    status = add_quantity(g, record, of, err);
  }
  return status;
}

/* dls_recording.take: the last row is kept as the first one of the next part. Events are kept. */
static dls_status take(void *data, dls_trajectory *record, dls_error *err)
{
  gauges *g = data;
  const double begin = dls_sim_clock();
  const dls_status status = add_rows(g, record, err);
  g->seconds += dls_sim_clock() - begin;
  if (status == DLS_OK) {
    const size_t columns = record->columns;
    memmove(record->data, record->data + (record->rows - 1) * columns, columns * sizeof *record->data);
    record->rows = 1;
  }
  return status;
}

static dls_status open_gauges(gauges *g, size_t span, dls_error *err)
{
  const dls_order_spec *spec = g->inputs->spec;
  dls_status status = DLS_OK;
  g->streaming = calloc(spec->of_count, sizeof *g->streaming);
  if (g->streaming == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu quantities", spec->of_count);
  }
  for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
    status = dls_streaming_create(g->inputs->prepared[of].graph, spec->norm_count, spec->norms, &spec->metric,
                                  span, &g->streaming[of], err);
  }
  return status;
}

static void close_gauges(gauges *g)
{
  for (size_t of = 0; g->streaming != NULL && of < g->inputs->spec->of_count; of++) {
    dls_streaming_destroy(g->streaming[of]);
  }
  free(g->streaming);
}

/* The errors of all quantities, those of each in all norms. */
static dls_status read_gauges(gauges *g, dls_order_point *points, dls_error *err)
{
  const dls_order_spec *spec = g->inputs->spec;
  dls_status status = DLS_OK;
  dls_measure *errors = malloc(spec->norm_count * sizeof *errors);
  if (errors == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu errors", spec->norm_count);
  }
  for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
    status = dls_streaming_end(g->streaming[of], errors, err);
    g->narrow = status == DLS_ERR_LIMIT;
    for (size_t norm = 0; norm < spec->norm_count && status == DLS_OK; norm++) {
      points[norm * spec->of_count + of].error = errors[norm];
    }
  }
  free(errors);
  return status;
}

dls_status dls_order_run_long(const dls_order_inputs *inputs, dls_progress *progress, dls_sim *sim,
                              const dls_run_spec *run, size_t span, dls_order_point *points, bool *narrow,
                              dls_error *err)
{
  gauges g = {.inputs = inputs};
  dls_trajectory *traj = run->record;
  dls_run_spec spec = *run;
  const size_t rows = PORTION / traj->columns;
  spec.recording =
      (dls_recording){.take = take, .take_data = &g, .portion = rows > 3 ? rows : 3}; /* a row, and a jump */
  const dls_interrupt before = dls_progress_interrupts(progress);
  dls_status status = open_gauges(&g, span, err);
  if (status == DLS_OK) {
    status = dls_run(sim, &spec, err);
  }
  sim->work.wall_seconds -= g.seconds;
  if (status == DLS_OK) {
    status = add_rows(&g, traj, err);
  }
  if (status == DLS_OK) {
    status = read_gauges(&g, points, err);
  }
  dls_interrupt_set(before);
  *narrow = g.narrow;
  close_gauges(&g);
  return status;
}
