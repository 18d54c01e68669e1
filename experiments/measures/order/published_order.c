/* experiments/measures/order/published_order.c -- comparison of a fitted order with the published one.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/published_order.h"
#include "common/base/text.h"
#include <math.h>
#include <string.h>

/* Intervals that are both wider cannot distinguish order 1 from 1/2 or 3/2. */
static const double widest_interval = 0.5;

static bool is_among(const char *name, const char *const *list)
{
  while (*list != NULL && strcmp(*list, name) != 0) {
    list++;
  }
  return *list != NULL;
}

/* "q", "v" and their components. */
static bool is_state(const char *of)
{
  return strchr("qv", of[0]) != NULL && strspn(of + 1, "0123456789") == strlen(of + 1);
}

const dls_published_order *dls_published_order_of(const dls_order_study *study, const dls_order_line *line)
{
  const dls_published_order *row = study->spec.schemes[line->scheme].scheme->published;
  if (row == NULL || !study->impacts || !study->spec.norms[line->norm]->has_published_orders ||
      !is_state(study->spec.of[line->of])) {
    return NULL;
  }
  while (row->source != NULL && !is_among(study->spec.model->name, row->models)) {
    row++;
  }
  return row->source != NULL ? row : NULL;
}

void dls_published_order_text(const dls_published_order *row, char *text, size_t size)
{
  snprintf(text, size, "%g published for ", row->order);
  for (const char *const *model = row->models; *model != NULL; model++) {
    const char *separator = model == row->models ? "" : model[1] != NULL ? ", " : " and ";
    dls_text_append(text, size, "%s%s", separator, *model);
  }
  dls_text_append(text, size, " by %s", row->source);
}

/* The 95 % intervals of an order by least squares and through the medians; NaN where there is none. */
typedef struct intervals {
  double low[2], high[2];
} intervals;

static bool holds_one_of(const intervals *i, double order)
{
  return (i->low[0] <= order && order <= i->high[0]) || (i->low[1] <= order && order <= i->high[1]);
}

/* By how much log(T/h) lowers the slope between the largest and the least step; NaN where they are not below T. */
static double logarithm(const dls_fit *fit, double end)
{
  return log(log(end / fit->h_min) / log(end / fit->h_max)) / log(fit->h_max / fit->h_min);
}

static const char *verdict(const intervals *i, double order, double less)
{
  const double narrower =
      fmin(i->high[0] - i->low[0], i->high[1] - i->low[1]); /* fmin ignores a missing one (NaN) */
  if (holds_one_of(i, order)) {
    return narrower < widest_interval ? "consistent with %g" : "not decided";
  }
  if (fmin(i->low[0], i->low[1]) > order) {
    return "above %g";
  }
  if (fmax(i->high[0], i->high[1]) < order) {
    return holds_one_of(i, order - less) ? "below %g: logarithm suspected" : "below %g";
  }
  return "not decided";
}

void dls_published_order_compare(const dls_order_study *study, dls_order_line *line)
{
  const dls_published_order *row = dls_published_order_of(study, line);
  line->published = row != NULL ? row->order : NAN;
  line->agreement[0] = '\0';
  if (row == NULL || !line->fitted) {
    return;
  }
  const intervals i = {.low = {line->fit.ci_low, line->medians.ci_low},
                       .high = {line->fit.ci_high, line->medians.ci_high}};
  const char *words = verdict(&i, row->order, logarithm(&line->fit, study->spec.end));
  snprintf(line->agreement, sizeof line->agreement, words, row->order);
}

int dls_published_order_decimals(const dls_order_line *line, double low, double high)
{
  enum { LEAST = 3, MOST = 15 };
  const double order = line->published;
  int decimals = LEAST;
  for (double unit = 1e3; (order < low || order > high) && decimals < MOST; unit *= 10, decimals++) {
    if (round(low * unit) / unit > order || round(high * unit) / unit < order) {
      break;
    }
  }
  return decimals;
}
