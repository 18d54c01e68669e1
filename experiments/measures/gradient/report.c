/* experiments/measures/gradient/report.c -- see report.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/gradient/report.h"

#include <delassus/sensitivity.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

typedef struct reporter {
  void (*report)(void *data, const char *text);
  void *data;
} reporter;

static void message(const reporter *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void message(const reporter *out, const char *format, ...)
{
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  out->report(out->data, text);
}

/* By step. */
static void report_degenerate_step(const reporter *out, const dls_sensitivity *s, size_t k)
{
  const dls_tangent *tangent = &s->tangent[k];
  const dls_direction *direction = &s->direction[k];
  if (tangent->status_contact == SIZE_MAX) {
    message(
        out,
        "%s: degenerate at t = %.10g s, the run is between two sets of contacts, as those of the runs at %.9g "
        "and %.9g; the value is that of the side with fewer closed contacts",
        direction->name, tangent->status_time, direction->value + direction->offset[0],
        direction->value + direction->offset[1]);
  } else {
    message(
        out,
        "%s: degenerate at t = %.10g s, contact %zu: another contact that it acts on is struck at the same "
        "time, it begins to slip from rest, or it does not move after its impact by the law that the saltation "
        "matrix contains; allowed are the tangents plain and difference:delta=D",
        direction->name, tangent->status_time, tangent->status_contact);
  }
}

/* Differences of runs by step: is delta large beside a step, or small? */
static void report_regime(const reporter *out, const dls_sensitivity *s, size_t k)
{
  const size_t differing = s->tangent[k].differing;
  if (differing > 0) {
    message(out,
            "%s: in %zu steps contacts of the runs at -+ %g did not do what those of the run did: the "
            "difference is an "
            "average over the phases of the grid if delta is large beside the motion of a step",
            s->direction[k].name, differing, s->method.delta);
  } else {
    message(
        out,
        "%s: contacts of the runs at -+ %g did in all steps what those of the run did: delta is small beside a "
        "step, and the difference is the tangent plain",
        s->direction[k].name, s->method.delta);
  }
}

static void report_derivative(const reporter *out, const dls_sensitivity *s, size_t k)
{
  static const char *const row[] = {"D g", "D u", "D u'"};
  const dls_derivative_status status = dls_sensitivity_status(s, k);
  const dls_tangent *tangent = &s->tangent[k];
  const char *name = dls_derivative_status_name(status), *parameter = s->direction[k].name;
  const double small = 1e-9; /* beside its size */
  if (tangent->projected > small) {
    message(out,
            "%s moves the start off closed contacts or joints: its direction was projected onto them, "
            "which changes it by %.3g of its size",
            parameter, tangent->projected);
  }
  if (s->direction[k].below_rounding) {
    message(
        out,
        "%s: degenerate, what %s = %.6g changes in the system is below rounding, and larger changes of it are "
        "not linear: the value has no digits",
        parameter, parameter, s->direction[k].value);
  } else if (status == DLS_DERIVATIVE_DEGENERATE && s->along == NULL && tangent->status_contact == SIZE_MAX &&
             !isnan(tangent->dq[0]) && s->direction[k].rounding > 0) {
    message(out,
            "%s: degenerate, forces are so large that their rounding may be %.2g of what %s = %.6g changes",
            parameter, s->direction[k].rounding, parameter, s->direction[k].value);
  } else if (status == DLS_DERIVATIVE_GRAZING) {
    message(out, "%s: %s, valid within a change of %.3g", parameter, name, tangent->valid_within);
  } else if (status == DLS_DERIVATIVE_ONE_SIDED && tangent->status_contact == SIZE_MAX) {
    message(out, "%s: %s, its range ends at %.6g", parameter, name, s->direction[k].value);
  } else if (status == DLS_DERIVATIVE_DEGENERATE && s->along != NULL) {
    report_degenerate_step(out, s, k);
  } else if (status == DLS_DERIVATIVE_DEGENERATE && tangent->inconsistency > 0) {
    message(out,
            "%s: degenerate at t = %.10g s: contact %zu and the closed contacts on which it depends "
            "do not all stay closed when %s changes, as no motion removes a %s of %.3g",
            parameter, tangent->status_time, tangent->status_contact, parameter, row[tangent->inconsistent],
            tangent->inconsistency);
  } else if (status != DLS_DERIVATIVE_OK && tangent->status_contact == SIZE_MAX) {
    message(out, "%s: %s at t = %.10g s: a jump that the system does not state, or tangents grow without bound",
            parameter, name, tangent->status_time);
  } else if (status != DLS_DERIVATIVE_OK) {
    message(out, "%s: %s at t = %.10g s, contact %zu", parameter, name, tangent->status_time,
            tangent->status_contact);
  }
}

static void report_forces(const reporter *out, const dls_sensitivity *s, size_t k)
{
  if (s->tangent[k].redundant_forces) {
    message(
        out,
        "%s: derivatives of forces that the motion does not determine are nan: closed contacts are redundant",
        s->direction[k].name);
  }
}

/* Accumulations, before a derivative has ended, whose change of duration is not known. */
static void report_accumulations(const reporter *out, const dls_sensitivity *s, size_t k)
{
  const dls_tangent *tangent = &s->tangent[k];
  const bool ends = tangent->status >= DLS_DERIVATIVE_DISCONTINUOUS && isnan(tangent->dq[0]);
  size_t count = 0;
  double first = 0;
  for (size_t i = 0; s->along == NULL && i < s->event_count;
       i++) { /* by step: of no event outside of impacts */
    const dls_event_shift *event = &s->event[i];
    if (event->kind == DLS_ACCUMULATION && isnan(s->event_dt[i * s->columns + k]) &&
        !(ends && event->t >= tangent->status_time)) {
      first = count++ == 0 ? event->t : first;
    }
  }
  if (count > 0) {
    message(out,
            "%s: %zu events of accumulations, the first at t = %.10g s: how their time changes is "
            "not known (dt/d%s = nan), and derivatives after them are of first order in their duration",
            s->direction[k].name, count, first, s->direction[k].name);
  }
}

/* By step: differences of runs whose states hardly differ. */
static void report_rounding(const reporter *out, const dls_sensitivity *s, size_t k)
{
  const double much = 1e-3, error = s->tangent[k].rounding;
  if (s->along != NULL && isnan(error) && dls_sensitivity_status(s, k) == DLS_DERIVATIVE_OK) {
    message(out,
            "%s: the neighbouring runs have equal states: the derivative is 0, or less than their rounding",
            s->direction[k].name);
  } else if (s->along != NULL && error > much) {
    message(out,
            "%s: rounding of the neighbouring runs may be %.2g of the derivative: the parameter has hardly an "
            "effect",
            s->direction[k].name, error);
  }
}

void dls_derivatives_report(const dls_sim *sim, void (*report)(void *data, const char *text), void *data)
{
  const reporter out = {report, data};
  for (size_t k = 0; sim->sensitivity != NULL && k < sim->sensitivity->count; k++) {
    report_derivative(&out, sim->sensitivity, k);
    if (sim->sensitivity->along != NULL && sim->sensitivity->method.kind == DLS_TANGENT_DIFFERENCE) {
      report_regime(&out, sim->sensitivity, k);
    }
    report_rounding(&out, sim->sensitivity, k);
    report_forces(&out, sim->sensitivity, k);
    report_accumulations(&out, sim->sensitivity, k);
  }
}
