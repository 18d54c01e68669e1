/* experiments/measures/advise/advise.c -- a scheme is run at smaller and smaller steps until all runs reach the error, then by
 * bisection between the last step that did not and the first that did. Nothing is extrapolated: every reported value has been
 * run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/advise/advise.h"
#include "common/base/larger.h"
#include "experiments/campaign/campaign.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/measures/order/order_runs.h"
#include "experiments/measures/order/order_study.h"
#include <delassus/energy.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static dls_status predict_energy(const dls_order_spec *spec, const dls_system *sys, dls_advice *advice,
                                 dls_error *err)
{
  dls_scheme_choice choice = spec->schemes[advice->scheme];
  dls_energy_ledger *ledger = NULL;
  dls_error why = {0};
  dls_status status =
      advice->by_tolerance ? dls_order_choice(spec, advice->scheme, advice->value, &choice, &why) : DLS_OK;
  const dls_energy_spec run = {.sys = sys,
                               .choice = &choice,
                               .step = advice->by_tolerance || isnan(advice->value) ? 0 : advice->value,
                               .end = spec->end,
                               .start = spec->start,
                               .totals_only = true};
  status = status != DLS_OK ? status : dls_energy_run(&run, &ledger, &why);
  advice->energy = status == DLS_OK && ledger->scale > 0 ? dls_larger(0, ledger->gain) / ledger->scale : NAN;
  dls_energy_destroy(ledger);
  return status == DLS_ERR_MEMORY ? dls_fail(err, status, "%s", why.text) : DLS_OK;
}

enum {
  COARSEST_STEPS = 2, /* of a run, to begin with */
  LEAST_RUNS = 3,     /* of a value, before it is rejected: the first may be good by chance */
  BISECTIONS = 4,     /* steps are found to 2^(1/16), 4 % */
  TOLERANCES = 14,    /* tolerances that are tried below the first that suffices: their work need not grow */
  STANDS_STILL = 5,   /* consecutive values that have not reduced the error by the factor `still` */
  LONG = 14,          /* values after which errors of any size count */
  SHORTEST_STUDY = 10
};
static const double still = 1.5;
static const double large_error =
    0.1; /* of the solution: larger errors do not show whether smaller steps help, until runs are long */
static const double loosest = 0.1, tightest = 1e-13; /* tolerances */
static const double golden = 0.6180339887498949;
static const double closer =
    0.95; /* ratio of neighbouring steps: the runs of one step go down to 0.8 of it, so there is no gap */
static const double accuracy = 0.01; /* of distances: far below the margin */

typedef struct search {
  const dls_advise_spec *spec;
  dls_order_job job;
  dls_advised *out;
  dls_progress *progress; /* of the scheme, which is a cell */
  size_t scheme;
  bool swept;        /* by tolerances */
  double least_work; /* of all schemes that reached the error so far */
  double first;      /* phase of the first run, in [0, 1) */
} search;

/* A value that was tried: the largest error of its runs. */
typedef struct trial {
  double value, error, work, penetration, drift, depth, creep, hop;
  bool good;
  char reason[200];
} trial;

static bool poll_scheme(void *data, double done)
{
  (void)done;
  const search *s = data;
  return dls_progress_report(s->progress, 0);
}

/* --- runs --- */

/* One run of the scheme, at a step or a tolerance. */
static dls_status make_run(search *s, double value, dls_order_point *point, dls_error *err)
{
  dls_order_spec one = s->job.study->spec;
  one.schemes = &s->spec->order.schemes[s->scheme];
  one.scheme_count = one.levels = one.repeats = 1;
  one.tol_levels = s->swept ? 1 : 0;
  one.jobs = 1;
  one.poll = poll_scheme;
  one.poll_data = s;
  const dls_order_inputs inputs = {.spec = &one,
                                   .sys = s->job.sys,
                                   .prepared = s->job.prepared,
                                   .reference = s->job.reference.traj,
                                   .steps = &value,
                                   .tolerances = &value};
  size_t count = 0, out_of_memory = 0;
  bool complete = true;
  const dls_status status = dls_order_run_all(&inputs, point, &count, &out_of_memory, &complete, err);
  if (status == DLS_OK && out_of_memory > 0) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a run of %s", one.schemes->scheme->name);
  }
  return status == DLS_OK && !complete ? DLS_ERR_INTERRUPTED : status;
}

/* The value of a phase. The first is the value itself, which is recommended. */
static double drawn(const search *s, double value, size_t phase)
{
  const double u = phase == 0 ? 0 : fmod(s->first + (double)phase * golden, 1);
  return value * (1 - DLS_ADVISE_SPREAD * u);
}

static void note_run(trial *t, const dls_order_point *point, dls_against against)
{
  t->error =
      isfinite(point->error.value) ? fmax(t->error, point->error.value) : INFINITY; /* a failed run too */
  t->work += dls_order_abscissa(point, against);
  t->penetration = dls_larger(t->penetration, point->quality.worst_penetration);
  t->drift = dls_larger(t->drift, point->quality.final_drift);
  t->depth = fmax(t->depth, point->quality.contact.rest_depth); /* fmax leaves NaN out */
  t->creep = fmax(t->creep, point->quality.contact.creep);
  t->hop = fmax(t->hop, point->quality.contact.hop);
  memcpy(t->reason, point->reason, sizeof t->reason);
}

/* Run all phases of a value while they are good and cost less than `most`, but at least LEAST_RUNS. Without a step or tolerance
 * there is one run. */
static dls_status try_value(search *s, double value, size_t phases, double most, trial *t, dls_error *err)
{
  *t = (trial){.value = value, .depth = NAN, .creep = NAN, .hop = NAN};
  size_t done = 0;
  dls_status status = DLS_OK;
  bool good = true;
  while ((good || done < LEAST_RUNS) && done < phases && status == DLS_OK) {
    dls_order_point point = {0};
    status = make_run(s, drawn(s, value, done), &point, err);
    if (status == DLS_OK) {
      note_run(t, &point, s->spec->against);
      done++;
      good = t->error <= DLS_ADVISE_MARGIN * s->spec->error && !(t->work >= most * (double)done);
    }
  }
  t->good = good && status == DLS_OK;
  t->work /= (double)(done > 0 ? done : 1);
  return status;
}

/* --- what is kept of them --- */

static void keep_figures(dls_advice *a, const trial *t)
{
  a->value = t->value;
  a->error = t->error;
  a->work = t->work;
  a->penetration = t->penetration;
  a->drift = t->drift;
  a->depth = t->depth;
  a->creep = t->creep;
  a->hop = t->hop;
}

static void keep_good(dls_advice *a, const trial *t)
{
  if (a->kind == DLS_ADVICE_REACHED && t->work >= a->work) {
    return;
  }
  a->kind = DLS_ADVICE_REACHED;
  keep_figures(a, t);
  a->reason[0] = '\0';
}

/* Until the error is reached: keep the smallest error found. */
static void keep_least(dls_advice *a, const trial *t)
{
  if (a->kind == DLS_ADVICE_REACHED) {
    return;
  }
  if (isfinite(t->error) && !(a->error <= t->error)) {
    a->kind = a->kind == DLS_ADVICE_FAILED ? DLS_ADVICE_SHORT : a->kind;
    keep_figures(a, t);
  }
  if (a->kind == DLS_ADVICE_FAILED) {
    memcpy(a->reason, t->reason, sizeof a->reason);
  }
}

static void keep(dls_advice *a, const trial *t)
{
  if (t->good) {
    keep_good(a, t);
  } else {
    keep_least(a, t);
  }
}

/* The smallest errors of the last values, to see whether smaller values still reduce them. */
typedef struct history {
  double least[STANDS_STILL + 1];
  size_t count;
} history;

static bool stands_still(const search *s, history *h, double error)
{
  const double before = h->count > 0 ? h->least[(h->count - 1) % (STANDS_STILL + 1)] : INFINITY;
  const double now = error < before ? error : before;
  h->least[h->count++ % (STANDS_STILL + 1)] = now;
  const double old = h->count > STANDS_STILL ? h->least[h->count % (STANDS_STILL + 1)] : INFINITY;
  return isfinite(old) && now > old / still && (now < large_error * s->job.study->sizes[0] || h->count >= LONG);
}

/* --- the search --- */

/* Round down to three digits or fewer: the printed value is the one that was run. */
static double rounded(double x, int digits)
{
  const double unit = pow(10, floor(log10(x)) - digits + 1);
  char text[40];
  snprintf(text, sizeof text, "%.*e", digits - 1, floor(x / unit * (1 + 1e-12)) * unit);
  return strtod(text, NULL);
}

static bool too_dear(const search *s, double work)
{
  return work > DLS_ADVISE_DEAREST * s->least_work;
}

static dls_status bisect(search *s, double good, double bad, dls_advice *a, dls_error *err)
{
  dls_status status = DLS_OK;
  for (int i = 0; i < BISECTIONS && status == DLS_OK; i++) {
    const double middle = rounded(sqrt(good * bad), 3);
    trial t;
    if (!(middle > good && middle < bad)) {
      break;
    }
    status = try_value(s, middle, DLS_ADVISE_PHASES, INFINITY, &t, err);
    keep(a, &t);
    *(t.good ? &good : &bad) = middle;
  }
  return status;
}

/* Halve the step until the error is reached, *bad the last step that did not reach it; or until the search ends at *bad. */
static dls_status halve_steps(search *s, double first, dls_advice *a, double *bad, dls_error *err)
{
  const double end = s->spec->order.end;
  history h = {0};
  for (double step = first;; step = rounded(step / 2, 3)) {
    trial t;
    const dls_status status = try_value(s, step, DLS_ADVISE_PHASES, INFINITY, &t, err);
    if (status != DLS_OK) {
      return status;
    }
    keep(a, &t);
    if (t.good) {
      return DLS_OK;
    }
    *bad = step;
    if (stands_still(s, &h, t.error)) {
      return DLS_OK;
    }
    if (2 * end / step > s->spec->most_steps || too_dear(s, 2 * t.work)) {
      a->kind = a->kind == DLS_ADVICE_SHORT ? DLS_ADVICE_DEAR : a->kind;
      return DLS_OK;
    }
  }
}

/* Errors may be small for some large steps and large for smaller ones (a period that fits). Try close steps down to the last
 * halving that did not reach the error, or until the work exceeds that of the best scheme. */
static dls_status search_larger(search *s, double first, double bad, dls_advice *a, dls_error *err)
{
  for (double before = first, step; before > bad; before = step) {
    trial t;
    step = rounded(closer * before, 3);
    const dls_status status = try_value(s, step, DLS_ADVISE_PHASES, s->least_work, &t, err);
    if (status != DLS_OK || t.work > s->least_work) {
      return status;
    }
    keep(a, &t);
    if (t.good) {
      return bisect(s, step, before, a, err);
    }
  }
  return DLS_OK;
}

static dls_status search_steps(search *s, dls_advice *a, dls_error *err)
{
  const double first = rounded(s->spec->order.end / COARSEST_STEPS, 3);
  double bad = NAN;
  dls_status status = halve_steps(s, first, a, &bad, err);
  if (status != DLS_OK || isnan(bad)) {
    return status;
  }
  const double halved = a->value;
  status = a->kind == DLS_ADVICE_REACHED ? bisect(s, halved, bad, a, err) : DLS_OK;
  return status != DLS_OK ? status : search_larger(s, first, bad, a, err);
}

/* The work of an integrator that chooses steps and orders may fall with the tolerance: the search continues below the first
 * tolerance that suffices. */
static dls_status search_tolerances(search *s, dls_advice *a, dls_error *err)
{
  const dls_scheme *scheme = s->spec->order.schemes[s->scheme].scheme;
  const dls_option *option = &scheme->options[dls_option_find(scheme->options, "tol")];
  const double last = fmax(tightest, option->min / (1 - DLS_ADVISE_SPREAD));
  history h = {0};
  size_t below = 0;
  for (double tol = fmin(loosest, option->max); tol >= last && below < TOLERANCES; tol = rounded(tol / 2, 2)) {
    trial t;
    const double most = a->kind == DLS_ADVICE_REACHED ? a->work : INFINITY;
    const dls_status status = try_value(s, tol, DLS_ADVISE_PHASES, most, &t, err);
    if (status != DLS_OK) {
      return status;
    }
    keep(a, &t);
    below += a->kind == DLS_ADVICE_REACHED;
    if (a->kind != DLS_ADVICE_REACHED && (stands_still(s, &h, t.error) && t.error < INFINITY && tol < 1e-8)) {
      return DLS_OK;
    }
    if (too_dear(s, t.work) || (a->kind == DLS_ADVICE_REACHED && t.work > 2 * a->work)) {
      a->kind = a->kind == DLS_ADVICE_SHORT ? DLS_ADVICE_DEAR : a->kind;
      return DLS_OK;
    }
  }
  return DLS_OK;
}

static dls_status search_once(search *s, dls_advice *a, dls_error *err)
{
  trial t;
  const dls_status status = try_value(s, NAN, 1, INFINITY, &t, err);
  keep(a, &t);
  a->value = NAN;
  return status;
}

/* Does the scheme accept the model? Try one step. @return DLS_ERR_MEMORY, else DLS_OK */
static dls_status try_step(const search *s, dls_advice *a, dls_error *err)
{
  const dls_order_spec *order = &s->spec->order;
  const double part = order->end / COARSEST_STEPS;
  const bool by_event = order->schemes[s->scheme].scheme->stepping == DLS_BY_EVENT;
  const dls_run_spec run = {.step = by_event ? 0 : part, .end = part, .start = order->start};
  dls_sim *sim = NULL;
  dls_error why = {0};
  dls_status status = dls_scheme_choice_sim(&order->schemes[s->scheme], s->job.sys, &sim, &why);
  status = status != DLS_OK ? status : dls_run(sim, &run, &why);
  dls_sim_destroy(sim);
  if (status == DLS_ERR_NOT_APPLICABLE) {
    a->kind = DLS_ADVICE_REFUSED;
    snprintf(a->reason, sizeof a->reason, "%.199s", why.text);
  }
  return status == DLS_ERR_MEMORY ? dls_fail(err, status, "%s", why.text) : DLS_OK;
}

static dls_status search_scheme(search *s, dls_error *err)
{
  const dls_scheme *scheme = s->spec->order.schemes[s->scheme].scheme;
  dls_advice *a = &s->out->advice[s->out->count];
  const bool by_event = scheme->stepping == DLS_BY_EVENT;
  s->swept = by_event && dls_option_find(scheme->options, "tol") >= 0;
  *a = (dls_advice){.scheme = s->scheme,
                    .kind = DLS_ADVICE_FAILED,
                    .by_tolerance = s->swept,
                    .value = NAN,
                    .error = NAN,
                    .work = NAN,
                    .energy = NAN,
                    .depth = NAN,
                    .creep = NAN,
                    .hop = NAN};
  dls_status status = try_step(s, a, err);
  if (status == DLS_OK && a->kind != DLS_ADVICE_REFUSED) {
    status = s->swept   ? search_tolerances(s, a, err)
             : by_event ? search_once(s, a, err)
                        : search_steps(s, a, err);
  }
  if (status == DLS_OK && a->kind == DLS_ADVICE_REACHED) {
    s->least_work = fmin(s->least_work, a->work);
    status = predict_energy(&s->spec->order, s->job.sys, a, err);
  }
  s->out->count += status == DLS_OK;
  return status;
}

static dls_status search_cell(dls_progress *p, const size_t *cells, size_t count, void *scratch, dls_error *err)
{
  (void)scratch;
  search *s = p->campaign->data;
  s->scheme = cells[0];
  s->progress = p;
  const dls_status status = search_scheme(s, err);
  return dls_campaign_end(p, cells, count, status);
}

/* --- all of them --- */

/* Schemes that reached the error, the cheapest first; then the rest, the smallest error first. */
static int by_worth(const void *x, const void *y)
{
  const dls_advice *a = x, *b = y;
  if ((a->kind == DLS_ADVICE_REACHED) != (b->kind == DLS_ADVICE_REACHED)) {
    return a->kind == DLS_ADVICE_REACHED ? -1 : 1;
  }
  const double left = a->kind == DLS_ADVICE_REACHED ? a->work : isnan(a->error) ? INFINITY : a->error;
  const double right = b->kind == DLS_ADVICE_REACHED ? b->work : isnan(b->error) ? INFINITY : b->error;
  return left != right ? (left > right) - (left < right) : (a->scheme > b->scheme) - (a->scheme < b->scheme);
}

static double first_accumulation(const dls_trajectory *traj)
{
  for (size_t i = 0; i < traj->event_count; i++) {
    if (traj->events[i].kind == DLS_ACCUMULATION) {
      return traj->events[i].t;
    }
  }
  return NAN;
}

static dls_status check(const dls_advise_spec *spec, dls_error *err)
{
  if (!(spec->error > 0 && isfinite(spec->error))) {
    return dls_fail(err, DLS_ERR_ARG, "advise: error = %.10g is not allowed: finite and > 0", spec->error);
  }
  if (!(spec->most_steps >= SHORTEST_STUDY)) {
    return dls_fail(err, DLS_ERR_ARG, "advise: %.10g steps at most are not allowed: at least %d",
                    spec->most_steps, (int)SHORTEST_STUDY);
  }
  if (spec->order.norm_count != 1 || spec->order.of_count != 1 || spec->against == DLS_AGAINST_STEP) {
    return dls_fail(err, DLS_ERR_ARG, "advise: one norm, one quantity and a measure of work are needed");
  }
  dls_order_spec order = spec->order;
  order.h_first = order.end;
  order.h_last = order.end / 2;
  order.levels = 2;
  order.tol_levels = 0;
  return dls_order_check(&order, err);
}

static dls_status advise(search *s, dls_error *err)
{
  dls_order_spec order = s->spec->order;
  order.levels = order.repeats = order.tol_levels = 1;
  order.metric.accuracy = fmax(order.metric.accuracy, accuracy);
  const dls_status status = dls_order_begin(&order, &s->job, err);
  s->out->study = s->job.study;
  if (status != DLS_OK) {
    return status;
  }
  s->out->accumulation = first_accumulation(s->job.reference.traj);
  s->out->length = s->job.sys->length;
  static const dls_campaign_measure measure = {.run = search_cell};
  dls_campaign c = {.count = order.scheme_count,
                    .measure = &measure,
                    .data = s,
                    .poll = order.poll,
                    .poll_data = order.poll_data};
  return dls_campaign_run(&c, err);
}

dls_status dls_advise(const dls_advise_spec *spec, dls_advised **out, dls_error *err)
{
  *out = NULL;
  dls_status status = check(spec, err);
  if (status != DLS_OK) {
    return status;
  }
  search s = {.spec = spec, .least_work = INFINITY, .first = fmod((double)spec->order.seed * sqrt(2), 1)};
  s.out = calloc(1, sizeof *s.out);
  dls_advice *advice = calloc(spec->order.scheme_count, sizeof *advice);
  if (s.out == NULL || advice == NULL) {
    free(s.out);
    free(advice);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for advice on %zu schemes", spec->order.scheme_count);
  }
  s.out->advice = advice;
  s.out->accumulation = NAN;
  status = advise(&s, err);
  s.out->complete = status == DLS_OK;
  dls_order_end(&s.job);
  if (status != DLS_OK && status != DLS_ERR_INTERRUPTED) {
    dls_advised_destroy(s.out);
    return status;
  }
  qsort(advice, s.out->count, sizeof *advice, by_worth);
  *out = s.out;
  return DLS_OK;
}

void dls_advised_destroy(dls_advised *advised)
{
  if (advised != NULL) {
    dls_order_destroy(advised->study);
    free(advised->advice);
    free(advised);
  }
}
