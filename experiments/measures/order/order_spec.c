/* experiments/measures/order/order_spec.c -- the spec of a convergence study: its runs and their tolerances, and the checks of its
 * entries.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_spec.h"
#include "common/base/text.h"
#include "experiments/campaign/parallel.h"
#include "experiments/catalogue/scheme_choice.h"
#include <math.h>
#include <string.h>

/* --- its runs --- */

const char *dls_derivative_parameter(const char *of)
{
  const size_t digits = of[0] == 'd' && (of[1] == 'q' || of[1] == 'v') ? strspn(of + 2, "0123456789") : 0;
  const char *end = of + 2 + digits;
  return digits > 0 && strncmp(end, "/d", 2) == 0 && end[2] != '\0' ? end + 2 : NULL;
}

bool dls_order_differentiates(const dls_order_spec *spec)
{
  bool any = false;
  for (size_t i = 0; i < spec->of_count; i++) {
    any = any || dls_derivative_parameter(spec->of[i]) != NULL;
  }
  return any;
}

bool dls_order_swept(const dls_order_spec *spec, size_t scheme)
{
  return spec->tol_levels > 0 && spec->schemes[scheme].scheme->stepping == DLS_BY_EVENT;
}

size_t dls_order_most_runs(const dls_order_spec *spec)
{
  const size_t levels = spec->levels > spec->tol_levels ? spec->levels : spec->tol_levels;
  return levels * spec->repeats;
}

size_t dls_order_runs_of(const dls_order_spec *spec, size_t scheme)
{
  if (dls_order_swept(spec, scheme)) {
    return spec->tol_levels * spec->repeats;
  }
  return spec->schemes[scheme].scheme->stepping == DLS_BY_EVENT ? 1 : spec->levels * spec->repeats;
}

size_t dls_order_cell(const dls_order_spec *spec, const dls_order_point *run)
{
  size_t cell = run->level * spec->repeats + run->repeat;
  for (size_t scheme = 0; scheme < run->scheme; scheme++) {
    cell += dls_order_runs_of(spec, scheme);
  }
  return cell;
}

/* --- tolerances --- */

static const char tolerance_name[] = "tol";

/* NULL if the scheme has none. */
static const dls_option *tolerance_of(const dls_scheme *scheme)
{
  const int position = dls_option_find(scheme->options, tolerance_name);
  return position < 0 ? NULL : &scheme->options[position];
}

static dls_status no_tolerance(const dls_scheme *scheme, dls_error *err)
{
  char list[200] = "";
  for (size_t i = 0; i < dls_option_count(scheme->options); i++) {
    dls_text_append(list, sizeof list, "%s%s", i > 0 ? ", " : "", scheme->options[i].name);
  }
  return dls_fail(err, DLS_ERR_OPTION,
                  "scheme %s has no option %s that a sequence of tolerances could set; its options are: %s",
                  scheme->name, tolerance_name, list[0] != '\0' ? list : "none");
}

dls_status dls_order_choice(const dls_order_spec *spec, size_t scheme, double tolerance, dls_scheme_choice *out,
                            dls_error *err)
{
  const dls_scheme_choice *choice = &spec->schemes[scheme];
  const dls_option *option = tolerance_of(choice->scheme);
  return option == NULL ? no_tolerance(choice->scheme, err)
                        : dls_scheme_choice_with(choice, option,
                                                 fmin(fmax(tolerance, option->min), option->max), out, err);
}

/* --- checks --- */

static dls_status check_entry(bool good, dls_error *err, const char *what, double value, const char *allowed)
{
  return good ? DLS_OK
              : dls_fail(err, DLS_ERR_ARG, "study: %s = %.10g is not allowed: %s", what, value, allowed);
}

static dls_status check_steps(const dls_order_spec *spec, dls_error *err)
{
  const double ends[] = {spec->h_first, spec->h_last};
  const char *const names[] = {"first step", "last step"};
  for (int i = 0; i < 2; i++) {
    if (!(ends[i] > 0 && ends[i] <= spec->end)) {
      return dls_fail(err, DLS_ERR_ARG, "study: %s = %.10g s is outside (0, end = %.10g]", names[i], ends[i],
                      spec->end);
    }
  }
  const bool one = spec->levels == 1 && spec->h_first == spec->h_last; /* nothing is fitted */
  const dls_status status =
      check_entry(one || spec->levels >= 2, err, "number of levels", (double)spec->levels, "at least 2");
  return status != DLS_OK ? status
                          : check_entry(one || spec->h_first != spec->h_last, err, "last step", spec->h_last,
                                        "it must differ from the first");
}

/* Whether the options of a choice set its tolerance. */
static bool fixes_tolerance(const dls_scheme_choice *choice)
{
  const size_t length = strlen(tolerance_name);
  for (const char *c = choice->options; *c != '\0';) {
    if (strncmp(c, tolerance_name, length) == 0 && c[length] == '=') {
      return true;
    }
    c += strcspn(c, ",");
    c += *c == ',';
  }
  return false;
}

/* The scheme must accept the first and the last tolerance without change. */
static dls_status check_tolerance(const dls_scheme_choice *choice, double tolerance, dls_error *err)
{
  dls_scheme_choice unused;
  const dls_option *option = tolerance_of(choice->scheme);
  if (option == NULL) {
    return no_tolerance(choice->scheme, err);
  }
  if (fixes_tolerance(choice)) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "scheme %s:%s sets the option %s, which the sequence of tolerances sets too: leave it out",
                    choice->scheme->name, choice->options, tolerance_name);
  }
  return dls_scheme_choice_with(choice, option, tolerance, &unused, err);
}

static dls_status check_tolerances(const dls_order_spec *spec, dls_error *err)
{
  const double ends[] = {spec->tol_first, spec->tol_last};
  dls_status status =
      check_entry(spec->tol_levels >= 2, err, "number of tolerances", (double)spec->tol_levels, "at least 2");
  for (int i = 0; i < 2 && status == DLS_OK; i++) {
    status = check_entry(ends[i] > 0 && isfinite(ends[i]), err, i == 0 ? "first tolerance" : "last tolerance",
                         ends[i], "finite and > 0");
    for (size_t scheme = 0; scheme < spec->scheme_count && status == DLS_OK; scheme++) {
      status = dls_order_swept(spec, scheme) ? check_tolerance(&spec->schemes[scheme], ends[i], err) : DLS_OK;
    }
  }
  return status != DLS_OK ? status
                          : check_entry(spec->tol_first != spec->tol_last, err, "last tolerance",
                                        spec->tol_last, "it must differ from the first");
}

dls_status dls_order_check(const dls_order_spec *spec, dls_error *err)
{
  if (spec->model == NULL || spec->schemes == NULL || spec->norms == NULL || spec->of == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "study: model, schemes, norms or quantities are missing");
  }
  const struct {
    bool good;
    const char *what;
    double value;
    const char *allowed;
  } entries[] = {
      {spec->end > 0 && isfinite(spec->end), "end", spec->end, "finite and > 0"},
      {spec->scheme_count > 0, "number of schemes", (double)spec->scheme_count, "at least 1"},
      {spec->norm_count > 0, "number of norms", (double)spec->norm_count, "at least 1"},
      {spec->of_count > 0, "number of quantities", (double)spec->of_count, "at least 1"},
      {spec->repeats >= 1, "number of repeats", (double)spec->repeats, "at least 1"},
      {spec->metric.time_scale > 0, "time scale", spec->metric.time_scale, "> 0"},
      {spec->metric.value_scale > 0, "value scale", spec->metric.value_scale, "> 0"},
      {spec->metric.accuracy > 0, "accuracy of distances", spec->metric.accuracy, "> 0"},
  };
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    if (!entries[i].good) {
      return check_entry(false, err, entries[i].what, entries[i].value, entries[i].allowed);
    }
  }
  if (spec->jobs > dls_parallel_most()) {
    return check_entry(false, err, "number of jobs", (double)spec->jobs, "at most 1024");
  }
  if (spec->shards > 0 && !(spec->shard >= 1 && spec->shard <= spec->shards)) {
    return dls_fail(err, DLS_ERR_ARG, "study: shard = %zu is outside [1, %zu]", spec->shard, spec->shards);
  }
  bool all_swept = true;
  for (size_t scheme = 0; scheme < spec->scheme_count; scheme++) {
    all_swept = all_swept && dls_order_swept(spec, scheme);
  }
  const dls_status status = all_swept && spec->levels == 0 ? DLS_OK : check_steps(spec, err);
  return status == DLS_OK && spec->tol_levels > 0 ? check_tolerances(spec, err) : status;
}
