/* experiments/study/published_order.c -- orders over impacts as they are published, and what fits say of them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/published_order.h"
#include <math.h>
#include <string.h>

#define CHEN_2013                                                                                              \
  "Q.-Z. Chen, V. Acary, G. Virlez and O. Bruls 2013, figures 3 and 4; V. Acary, lecture, slide 73"

static const dls_published_order list[] = {{"moreau-jean", 1, "V. Acary, lecture, slide 42"},
                                           {"schatzman-paoli", 1, "V. Acary, lecture, slide 43"},
                                           {"splitting-rkf45", 1, "V. Acary, lecture, slide 121"},
                                           {"nonsmooth-newmark", 1, "V. Acary, lecture, slide 73"},
                                           {"nonsmooth-hht", 1, "V. Acary, lecture, slide 73"},
                                           {"nonsmooth-generalized-alpha", 1, CHEN_2013},
                                           {"nonsmooth-bdf2", 1, "V. Acary, lecture, slide 73"},
                                           {"nonsmooth-adams", 1, "V. Acary, lecture, slide 73"},
                                           {"fully-implicit-newmark", 1, CHEN_2013},
                                           {0}};

static const char *const norms[] = {"l1", "grid-l1", "relative-l1", "hausdorff", NULL};

/* Orders within this of one another are the same for every practical purpose. */
static const double same_order = 0.05;

const dls_published_order *dls_published_orders(void)
{
  return list;
}

static bool is_measured_so(const char *norm, const char *of)
{
  size_t i = 0;
  while (norms[i] != NULL && strcmp(norms[i], norm) != 0) {
    i++;
  }
  return norms[i] != NULL && strchr("qv", of[0]) != NULL && strspn(of + 1, "0123456789") == strlen(of + 1);
}

const dls_published_order *dls_published_order_of(const dls_order_study *study, const dls_order_line *line)
{
  const char *scheme = study->spec.schemes[line->scheme].scheme->name;
  if (!study->impacts || !is_measured_so(study->spec.norms[line->norm]->name, study->spec.of[line->of])) {
    return NULL;
  }
  for (const dls_published_order *entry = list; entry->scheme != NULL; entry++) {
    if (strcmp(entry->scheme, scheme) == 0) {
      return entry;
    }
  }
  return NULL;
}

static bool is_within(double order, double low, double high)
{
  return order >= low - same_order && order <= high + same_order;
}

/* By how much log(T/h) lowers the slope between the largest and the least step; NaN where they are not below T. */
static double logarithm(const dls_fit *fit, double end)
{
  return log(log(end / fit->h_min) / log(end / fit->h_max)) / log(fit->h_max / fit->h_min);
}

void dls_published_order_compare(const dls_order_study *study, dls_order_line *line)
{
  const dls_published_order *entry = dls_published_order_of(study, line);
  line->published = entry != NULL ? entry->order : NAN;
  line->agreement[0] = '\0';
  if (entry == NULL || !line->fitted) {
    return;
  }
  const bool by_medians = isfinite(line->medians.ci_low);
  const double low = by_medians ? line->medians.ci_low : line->fit.ci_low;
  const double high = by_medians ? line->medians.ci_high : line->fit.ci_high;
  const double less = logarithm(&line->fit, study->spec.end);
  const char *words = is_within(entry->order, low, high)          ? "consistent with %g"
                      : low > entry->order                        ? "above %g"
                      : is_within(entry->order - less, low, high) ? "below %g: logarithm suspected"
                                                                  : "below %g";
  snprintf(line->agreement, sizeof line->agreement, words, entry->order);
}
