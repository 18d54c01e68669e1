/* experiments/measures/fit/fit_messages.c -- see fit_messages.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/fit/fit_messages.h"

#include "common/base/text.h"
#include "experiments/measures/fit/thresholds.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct writer {
  const dls_fit_run *run;
  const double *S, *V;
  dls_parameter_fit *fit;
  bool failed;
} writer;

static void add(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(writer *w, const char *format, ...)
{
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  dls_parameter_fit *fit = w->fit;
  char **more = realloc(fit->messages, (fit->message_count + 1) * sizeof *more);
  fit->messages = more != NULL ? more : fit->messages;
  char *copy = more != NULL ? dls_text_copy(text) : NULL;
  w->failed = w->failed || copy == NULL;
  if (copy != NULL) {
    fit->messages[fit->message_count++] = copy;
  }
}

/* --- minimum --- */

static void add_iterations(writer *w)
{
  const dls_fit_run *run = w->run;
  if (!run->minimum.converged) {
    add(w,
        "the iterations did not converge: after %zu of them the numerical error is %.2g standard errors, "
        "allowed is %.2g",
        run->iterations, run->minimum.offset, run->spec->tol);
  }
  if (run->minimum.kink) {
    add(w,
        "the numerical error is %.2g standard errors: hardly a change decreases the sum of squares, as at a "
        "kink, where "
        "the time of an event passes a row",
        run->minimum.offset);
  }
  if (!run->sigma_settled) {
    add(w, "the standard deviations of the columns did not settle: give them by --sigma");
  }
  if (run->other_minimum) {
    add(w, "from the start values alone the fit ends at a local minimum or fails; the result is from growing "
           "parts of the "
           "data or from another start");
  }
  if (run->minimum.event_changes > 0) {
    add(w, "the sequence of events changed in %zu of the last %zu iteration%s", run->minimum.event_changes,
        run->minimum.iterations, run->minimum.iterations == 1 ? "" : "s");
  }
  if (run->failed_runs > 0) {
    add(w, "%zu changes of parameters were rejected because their runs failed, the last: %.300s",
        run->failed_runs, run->failure.text);
  }
  if (run->failed_starts > 0) {
    add(w, "%zu of %zu further attempts failed", run->failed_starts, run->spec->starts);
  }
}

/* At a bound the substitution of a parameter has no slope: least_squares.c moves the start. */
static void add_starts(writer *w)
{
  const dls_fit_run *run = w->run;
  for (size_t k = 0; k < run->spec->by_count; k++) {
    const int place = dls_option_find(run->spec->model->parameters, run->spec->by[k]);
    const double value = run->spec->parameters[place];
    if (value == run->low[k] || value == run->high[k]) {
      add(w, "%.40s = %g is a bound of its range: the fit starts beside it", run->spec->by[k], value);
    }
  }
}

static void add_residuals(writer *w)
{
  const dls_fit_run *run = w->run;
  const double allowed = threshold_not_noise / sqrt((double)w->fit->rows);
  for (size_t j = 0; j < w->fit->of_count; j++) {
    if (w->fit->correlation_next[j] > allowed) {
      add(w,
          "the residuals of %.40s are not noise: those of neighbouring rows have the correlation %.2f, allowed "
          "for %zu "
          "rows is %.2f. The minimum is local, or the model does not describe the data, and the intervals are "
          "not "
          "valid; --starts tries other starts",
          run->spec->data.of[j], w->fit->correlation_next[j], w->fit->rows, allowed);
    }
  }
  if (run->spec->sigma != NULL && w->fit->freedom > 0) {
    const double freedom = (double)w->fit->freedom, sum = run->minimum.sum;
    if (gsl_cdf_chisq_Q(sum, freedom) < threshold_improbable) {
      add(w,
          "the residuals are %.3g times as large as --sigma: it is too small, or the model does not describe "
          "the data",
          sqrt(sum / freedom));
    }
  }
}

/* --- parameters --- */

/* Names of the parameters with a part in null direction l. @return their number */
static size_t list_combination(const writer *w, size_t l, char *list, size_t size)
{
  const size_t count = w->fit->by_count;
  size_t parts = 0;
  list[0] = '\0';
  for (size_t k = 0; k < count; k++) {
    if (fabs(w->V[k * count + l]) > threshold_in_combination) {
      dls_text_append(list, size, "%s%s", parts++ > 0 ? ", " : "", w->run->spec->by[k]);
    }
  }
  return parts;
}

static void add_identifiable(writer *w)
{
  const size_t count = w->fit->by_count;
  char list[300];
  for (size_t l = 0; l < count; l++) {
    if (!(w->S[l] > threshold_rank * w->S[0]) && list_combination(w, l, list, sizeof list) > 1) {
      add(w,
          "not identifiable: %s. The data change with a combination of them alone (singular value %.2g); fix "
          "one of "
          "them by --set",
          list, w->S[l]);
    }
  }
  for (size_t k = 0; k < count; k++) {
    bool combined = false;
    for (size_t l = 0; l < count; l++) {
      combined = combined || (!(w->S[l] > threshold_rank * w->S[0]) &&
                              fabs(w->V[k * count + l]) > threshold_in_combination &&
                              list_combination(w, l, list, sizeof list) > 1);
    }
    if (!w->fit->estimates[k].identifiable && !combined) {
      add(w, "not identifiable: %s. It has no effect on the data at its value %.6g", w->run->spec->by[k],
          w->fit->estimates[k].value);
    }
  }
}

static void add_correlations(writer *w)
{
  const size_t count = w->fit->by_count;
  const double *C = w->fit->covariance;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < i; j++) {
      const double r = C[i * count + j] / sqrt(C[i * count + i] * C[j * count + j]);
      if (fabs(r) > threshold_strong_correlation) {
        add(w, "%s and %s have the correlation %.4f: their intervals hold for each alone", w->run->spec->by[j],
            w->run->spec->by[i], r);
      }
    }
  }
}

static void add_bounds(writer *w)
{
  const dls_fit_run *run = w->run;
  for (size_t k = 0; k < w->fit->by_count; k++) {
    const double p = run->minimum.p[k], low = run->low[k], high = run->high[k];
    const double near = dls_least_squares_near_bound(low, high, p);
    if (p - low < near || high - p < near) {
      add(w,
          "%s = %.10g is at a bound of its range [%g, %g]: its interval is cut there, and is only approximate",
          run->spec->by[k], p, low, high);
    }
  }
}

/* --- derivatives --- */

static void add_status(writer *w, size_t k)
{
  const dls_response_status *s = &w->run->answer.status[k];
  const dls_estimate *estimate = &w->fit->estimates[k];
  const char *name = w->run->spec->by[k];
  const double half = w->fit->quantile * estimate->error;
  if (s->status == DLS_DERIVATIVE_ONE_SIDED && s->contact != SIZE_MAX) {
    add(w,
        "%s: the derivative is one-sided at t = %.10g s: for rising and falling %s the data change "
        "differently, and the "
        "interval holds on one side",
        name, s->time, name);
  } else if (s->valid_within < half || s->status == DLS_DERIVATIVE_GRAZING) {
    add(w,
        "%s: an impact of the run vanishes if %s changes by %.3g, and half the interval is %.3g: the interval "
        "assumes "
        "that the impact persists",
        name, name, s->valid_within, half);
  }
}

/* The standard error of the time of an event; NaN: not known. */
static double time_error(const writer *w, size_t event)
{
  const size_t count = w->fit->by_count;
  const double *dt = w->run->answer.event_dt + event * count, *C = w->fit->covariance;
  double variance = 0;
  for (size_t k = 0; k < count; k++) {
    for (size_t l = 0; l < count; l++) {
      variance += dt[k] * C[k * count + l] * dt[l];
    }
  }
  return sqrt(variance);
}

/* Velocities that may be on the other side of a jump. */
static void add_jumps(writer *w)
{
  const dls_fit_run *run = w->run;
  const dls_fit_data *data = &run->spec->data;
  size_t near = 0, columns = 0;
  double first = 0;
  for (size_t j = 0; j < data->of_count; j++) {
    columns += run->place[j] >= run->n;
  }
  for (size_t e = 0; e < run->answer.event_count && columns > 0; e++) {
    const dls_event_shift *event = &run->answer.events[e];
    const double reach = threshold_jump_reach * time_error(w, e);
    for (size_t i = 0; i < data->rows && event->kind == DLS_IMPACT; i++) {
      if (fabs(data->t[i] - event->t) < reach) {
        first = near++ == 0 ? data->t[i] : first;
      }
    }
  }
  if (near > 0) {
    add(w,
        "%zu rows, the first at t = %.6g s, are so close to an impact that their velocities may be from its "
        "other side: "
        "leave them out",
        near, first);
  }
}

dls_status dls_fit_write_messages(const dls_fit_run *run, const double *S, const double *V,
                                  dls_parameter_fit *fit, dls_error *err)
{
  writer w = {.run = run, .S = S, .V = V, .fit = fit};
  add_starts(&w);
  add_iterations(&w);
  add_residuals(&w);
  add_identifiable(&w);
  add_correlations(&w);
  add_bounds(&w);
  for (size_t k = 0; k < fit->by_count; k++) {
    add_status(&w, k);
  }
  add_jumps(&w);
  return w.failed ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the messages of a fit") : DLS_OK;
}
