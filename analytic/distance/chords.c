/* analytic/distance/chords.c -- cut both graphs into chords, measure, and refine until the error of the chords is below the
 * requested accuracy.
 *
 * Let P_a, P_b be the polylines of graphs A, B after the common shear of times. By the triangle inequality (own derivation)
 *   |h(A, B) - h(P_a, P_b)| <= error_a + error_b + slide + shear h(P_a, P_b) =: error                                    (1)
 * with the three errors of polyline.h. The traversal gives low <= h(P_a, P_b) <= reach, hence
 *   |h(A, B) - low| <= (reach - low) + error.                                                                            (2)
 * Both terms are kept below half of the requested accuracy.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/chords.h"
#include "analytic/distance/interrupt.h"
#include "analytic/graph/piece.h"

/* The accuracy requested from the flattening of cubics. */
typedef struct flat {
  dls_chords *of;
  dls_flattening aim;
  bool capped; /* chord was raised to respect `most` */
} flat;

/* Flatten both graphs; the chords become coarser until their number is allowed. */
static dls_status flatten(flat *f, const dls_metric *metric, dls_error *err)
{
  const dls_cubics *cubics = f->of->cubics;
  dls_polyline *a = &f->of->a, *b = &f->of->b;
  const size_t added = f->of->most > 0 ? f->of->most : DLS_CHORDS_MOST;
  const size_t most = added / (cubics->graph->dim + 1) + cubics[0].graph->count + cubics[1].graph->count;
  dls_status status = DLS_OK;
  for (bool over = true; over;) {
    b->over = false;
    status = dls_polyline_flatten(&cubics[0], &cubics[1], metric, f->aim, most, NULL, a, err);
    if (status == DLS_OK && !a->over) {
      status = dls_polyline_flatten(&cubics[1], &cubics[0], metric, f->aim, most, a, b, err);
    }
    over = status == DLS_OK && (a->over || b->over);
    f->aim.chord *= over ? 4.0 : 1.0; /* chord errors grow like length^2: half as many chords */
    f->capped = f->capped || over;
  }
  if (status == DLS_OK) {
    status = dls_polyline_index(a, err);
  }
  return status != DLS_OK ? status : dls_polyline_index(b, err);
}

/* Set f->aim for the next pass. @param[in] measured result of this pass. @return true if refinement gains nothing */
static bool set_aim(flat *f, const dls_excess *measured, double accuracy, dls_measure *out)
{
  const dls_excess e = *measured;
  const dls_polyline *a = &f->of->a, *b = &f->of->b;
  if (isinf(e.reach)) {
    out->bound = INFINITY;
    return true;
  }
  const double largest = fmax(a->slide, b->slide), slide = e.reach <= f->aim.reach ? largest : INFINITY;
  const double error = a->error + b->error + slide + fmax(a->shear, b->shear) * e.reach; /* (1) */
  const double bound = e.reach - e.low + e.floor + error; /* (2), floor: rounding */
  if (bound < out->bound) {
    *out = (dls_measure){.value = e.low, .bound = bound};
  }
  const bool done =
      error <= fmax(0.5 * accuracy * e.low, e.floor) || f->capped || f->aim.chord <= 1.01 * e.floor;
  /* An eighth of the accuracy for each of error_a, error_b and the shear keeps (1) below the half allowed. While the distance is
   * unknown, error/64 makes each polyline 8 times larger than the last, so that the last pass dominates the cost. */
  const double next = fmax(0.125 * accuracy * e.low, error / 64.0);
  f->aim.chord = fmax(fmin(next, 0.25 * f->aim.chord), e.floor);
  f->aim.shear = e.reach > 0.0 ? 0.125 * fmax(accuracy * e.low, e.floor) / e.reach : 1.0;
  f->aim.reach = 2.0 * (out->value + out->bound); /* twice: the reach of the next polylines may be larger */
  return done;
}

/* Measure the flattened graphs once. */
static dls_status measure_once(flat *f, const dls_metric *metric, double low, dls_apart *deviation, void *data,
                               dls_measure *out, bool *done, dls_error *err)
{
  dls_excess e = {.accuracy = 0.5 * metric->accuracy,
                  .floor = dls_excess_rounding(fmax(f->of->a.largest, f->of->b.largest)),
                  .low = low};
  const dls_status status = deviation(data, &f->of->a, &f->of->b, &e, err);
  *done = status != DLS_OK || set_aim(f, &e, metric->accuracy, out);
  return status;
}

/* Largest scaled coordinate of all nodes; its ulp is the unit of rounding. */
static double largest(const dls_graph *g, const dls_metric *metric)
{
  double value = 0.0;
  for (size_t p = 0; p < g->count * g->dim; p++) {
    value = dls_higher(value, fabs(g->x[p]));
  }
  const double time = dls_higher(fabs(g->t[0]), fabs(g->t[g->count - 1]));
  return dls_higher(value / metric->value_scale, time / metric->time_scale);
}

dls_status dls_chords_measure(const dls_graph *a, const dls_graph *b, const dls_metric *metric, double low,
                              double most, dls_apart *deviation, void *data, dls_chords *chords,
                              dls_measure *out, dls_error *err)
{
  flat f = {.of = chords, .aim = {.chord = INFINITY, .shear = 0.125 * metric->accuracy, .reach = INFINITY}};
  if (low > 0.0 || most < INFINITY) { /* start as after a pass with the distance low, or half of `most` */
    const double floor = dls_excess_rounding(fmax(largest(a, metric), largest(b, metric)));
    f.aim.chord = fmax(0.125 * metric->accuracy * (low > 0.0 ? low : 0.5 * most), floor);
    f.aim.reach = 2.0 * fmax(fmax(most, low), floor);
  }
  *out = (dls_measure){.value = low, .bound = INFINITY};
  dls_status status = dls_cubics_of(a, metric, &chords->cubics[0], err);
  if (status == DLS_OK) {
    status = dls_cubics_of(b, metric, &chords->cubics[1], err);
  }
  for (bool done = false; status == DLS_OK && !done;) {
    status = dls_interrupt_after(a->count + b->count) ? dls_interrupt_status(err) : flatten(&f, metric, err);
    if (status == DLS_OK) {
      status = measure_once(&f, metric, low, deviation, data, out, &done, err);
    }
    if (status == DLS_OK) {
      status = dls_interrupt_status(err);
    }
  }
  return status;
}

void dls_chords_free(dls_chords *chords)
{
  for (int i = 0; i < 2; i++) {
    dls_cubics_free(&chords->cubics[i]);
  }
  dls_polyline_free(&chords->a);
  dls_polyline_free(&chords->b);
}
