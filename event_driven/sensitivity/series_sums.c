/* event_driven/sensitivity/series_sums.c -- see series_sums.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/series_sums.h"
#include "common/base/arrays.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void dls_accumulation_tangents_destroy(dls_accumulation_tangents *a)
{
  if (a != NULL) {
    dls_cluster_destroy(a->cluster);
    dls_cluster_tangents_destroy(a->rates);
    free(a->block);
    free(a);
  }
}

size_t dls_accumulation_tangents_size(const dls_event_method *method)
{
  const size_t k = method->m < threshold_tangent_cluster ? method->m : threshold_tangent_cluster;
  return k * (k + 3);
}

dls_accumulation_tangents *dls_accumulation_tangents_create(const dls_event_method *method)
{
  dls_accumulation_tangents *a = calloc(1, sizeof *a);
  const size_t k = method->m < threshold_tangent_cluster ? method->m : threshold_tangent_cluster;
  if (a == NULL || k == 0) {
    return a;
  }
  a->capacity = k;
  a->block = dls_arrays((const dls_slot[]){{k * k, {&a->pass.W}},
                                           {k, {&a->pass.a, &a->dg}},
                                           {2 * method->m, {&a->pass.c}},
                                           {(method->d - 1) * k * (k + 1) + 1, {&a->pass.C}},
                                           {method->n, {&a->pass.drift, &a->pass.q, &a->pass.v}},
                                           {2 * method->n, {&a->end}},
                                           {dls_accumulation_tangents_size(method), {&a->coefficients}},
                                           {0}});
  a->cluster = dls_cluster_create(k);
  a->rates = dls_cluster_tangents_create(k);
  if (a->block == NULL || a->cluster == NULL || a->rates == NULL) {
    dls_accumulation_tangents_destroy(a);
    return NULL;
  }
  return a;
}

dls_cluster_sums *dls_accumulation_tangents_sums(dls_accumulation_tangents *a, const dls_accumulation *acc)
{
  const size_t k = acc->k;
  const dls_local_pass *pass = &acc->local_pass[0];
  dls_cluster_problem problem = {
      .k = k, .W = pass->W, .a = pass->a, .e = acc->e, .g = acc->g, .u = acc->u, .tangents = a->rates};
  double fastest = 0;
  for (size_t i = 0; i < k; i++) {
    fastest = fmax(fastest, fabs(acc->u[i]));
  }
  const dls_cluster_limits limits = {.time = pass->sums->tau * (1 + threshold_same_end),
                                     .velocity_change = HUGE_VAL,
                                     .short_time = HUGE_VAL,
                                     .rest_speed = threshold_tangent_rest * fastest,
                                     .impacts = threshold_accumulation_impacts};
  a->rates->dW = a->coefficients;
  a->rates->da = a->coefficients + k * k;
  a->rates->de = a->rates->da + k;
  a->rates->du = a->rates->de + k;
  a->rates->dg = a->dg;
  dls_cluster_sums *sums = dls_cluster_run(a->cluster, &problem, &limits);
  const bool same = sums != NULL && a->rates->end.valid &&
                    fabs(sums->tau - pass->sums->tau) <= threshold_same_end * pass->sums->tau &&
                    memcmp(sums->rests, pass->sums->rests, k * sizeof *sums->rests) == 0;
  return same ? sums : NULL;
}
