/* analytic/distance/norm.c -- find and read error measures; Hausdorff distance and event times.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/norm.h"
#include "analytic/distance/prepared_reference.h"
#include "analytic/graph/piece.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

/* A jump below this fraction of the value scale is rounding of a continuous function. */
#define SMALLEST_JUMP 1e-12

/* Position of the first node at or after `node` that is the left limit of a jump; count if there is none. */
static size_t next_jump(const dls_graph *g, size_t node, double smallest)
{
  for (; node + 1 < g->count; node++) {
    for (size_t k = 0; g->t[node] == g->t[node + 1] && k < g->dim; k++) {
      const size_t p = node * g->dim + k;
      if (fabs(g->x[p + g->dim] - g->x[p]) > smallest) {
        return node;
      }
    }
  }
  return g->count;
}

/* The first node after all those at the time of a node: a chain of jumps is one event. */
static size_t after_chain(const dls_graph *g, size_t node)
{
  const double t = g->t[node];
  while (node < g->count && g->t[node] == t) {
    node++;
  }
  return node;
}

static dls_status measure_events(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                                 const dls_metric *metric, dls_measure *out, dls_error *err)
{
  (void)self;
  const dls_status status = dls_graph_check_pair(numeric, reference, metric, err);
  if (status != DLS_OK) {
    return status;
  }
  const double smallest = SMALLEST_JUMP * metric->value_scale;
  size_t i = next_jump(numeric, 0, smallest), j = next_jump(reference, 0, smallest);
  if (i == numeric->count || j == reference->count) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "events compares times of jumps, but the %s graph has no jump above %g (try v or u)",
                    i == numeric->count ? "numeric" : "reference", smallest);
  }
  *out = (dls_measure){0.0, 0.0};
  while (i < numeric->count && j < reference->count) {
    const double late = fabs(numeric->t[i] - reference->t[j]) / metric->time_scale;
    out->value = fmax(out->value, late);
    out->bound = 2.0 * DBL_EPSILON * out->value; /* one difference, one quotient */
    i = next_jump(numeric, after_chain(numeric, i), smallest);
    j = next_jump(reference, after_chain(reference, j), smallest);
  }
  return DLS_OK;
}

static dls_status measure_hausdorff(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                                    const dls_metric *metric, dls_measure *out, dls_error *err)
{
  (void)self;
  return dls_hausdorff(numeric, reference, metric, out, err);
}

const dls_norm dls_norm_hausdorff = {
    .name = "hausdorff",
    .label = "in the Hausdorff distance",
    .unit = "max(s, %s)",
    .has_published_orders = true,
    .summary = "max(sup_a inf_b d, sup_b inf_a d) of the filled-in graphs, d = max(|t-s|/tau, |x-y|/xi)",
    .measure = measure_hausdorff,
    .compare_prepared = dls_comparison_hausdorff,
};

const dls_norm dls_norm_events = {
    .name = "events",
    .label = "in the times of the jumps",
    .unit = "s",
    .summary = "max |t_i - s_i| / tau over the jumps of both graphs, matched in order",
    .measure = measure_events,
};

#define DLS_NORM_ENTRY(name) &dls_norm_##name,
const dls_norm *const *dls_norms(void)
{
  static const dls_norm *const list[] = {DLS_NORM_LIST(DLS_NORM_ENTRY) NULL};
  return list;
}

const dls_norm *dls_norm_find(const char *text)
{
  const size_t length = strcspn(text, ":");
  for (const dls_norm *const *norm = dls_norms(); *norm != NULL; norm++) {
    if (strlen((*norm)->name) == length && strncmp((*norm)->name, text, length) == 0) {
      return *norm;
    }
  }
  return NULL;
}

dls_status dls_norm_read(const char *text, dls_norm_choice *out, dls_error *err)
{
  const dls_norm *entry = dls_norm_find(text);
  const char *option = strchr(text, ':');
  if (entry == NULL) {
    return dls_fail(err, DLS_ERR_OPTION, "unknown norm '%.60s'", text);
  }
  out->norm = *entry;
  if (entry->options == NULL) {
    return option == NULL ? DLS_OK
                          : dls_fail(err, DLS_ERR_OPTION, "norm %s has no options, but '%.60s' is given",
                                     entry->name, option + 1);
  }
  char owner[32];
  snprintf(owner, sizeof owner, "norm %s", entry->name);
  const dls_status status =
      option == NULL ? DLS_OK : dls_option_parse(entry->options, owner, option + 1, &out->norm.p, err);
  snprintf(out->name, sizeof out->name, "%s:p=%g", entry->name, out->norm.p);
  out->norm.name = out->name;
  return status;
}
