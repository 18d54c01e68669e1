/* event_driven/sensitivity/series_sums.c -- see series_sums.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/series_sums.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void dls_accumulation_tangents_destroy(dls_accumulation_tangents *a)
{
  if (a != NULL) {
    dls_cluster_tangents_destroy(a->rates);
    dls_cluster_destroy(a->cluster);
    free(a->block);
    free(a);
  }
}

dls_accumulation_tangents *dls_accumulation_tangents_create(const dls_event_method *method, size_t k)
{
  dls_accumulation_tangents *a = calloc(1, sizeof *a);
  const size_t size = dls_size_product(k, k + 3); /* of the coefficients */
  if (a == NULL || k == 0) {
    return a;
  }
  a->capacity = k;
  a->block = dls_arrays((const dls_slot[]){{k, {&a->dg}},
                                           {dls_size_product(k, 3), {&a->slip}},
                                           {2 * method->n, {&a->start, &a->end[0], &a->end[1]}},
                                           {size, {&a->coefficients, &a->value, &a->by_p}},
                                           {0}});
  a->rates = dls_cluster_tangents_create(k);
  a->cluster = dls_cluster_create(k);
  if (a->block == NULL || a->rates == NULL || a->cluster == NULL) {
    dls_accumulation_tangents_destroy(a);
    return NULL;
  }
  return a;
}

/* Where slow contacts rest early, the duration is not that of the whole motion, but the impulses are. */
static bool same_impulses(const dls_cluster_sums *a, const dls_cluster_sums *b, size_t k)
{
  double difference = 0, sum = 0;
  for (size_t i = 0; i < k; i++) {
    difference += fabs(a->P[i] - b->P[i]);
    sum += fabs(b->P[i]);
  }
  return difference <= threshold_same_rest * sum;
}

dls_cluster_sums *dls_accumulation_tangents_sums(dls_accumulation_tangents *a, const dls_accumulation *acc,
                                                 const dls_local_pass *coefficients)
{
  const size_t k = acc->k;
  const dls_local_pass *pass = &acc->local_pass[0];
  dls_cluster_problem problem = {.k = k,
                                 .W = coefficients->W,
                                 .a = coefficients->a,
                                 .e = acc->e,
                                 .g = acc->g,
                                 .u = acc->u,
                                 .tangents = a->rates};
  double fastest = 0;
  for (size_t i = 0; i < k; i++) {
    fastest = fmax(fastest, fabs(acc->u[i]));
  }
  const bool rested = pass->sums->came_to_rest;
  const dls_cluster_limits limits = {.time = rested ? DBL_MAX : pass->sums->tau * (1 + threshold_same_end),
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
  const bool known = sums != NULL && a->rates->end.valid &&
                     memcmp(sums->rests, pass->sums->rests, k * sizeof *sums->rests) == 0 &&
                     (rested ? same_impulses(sums, pass->sums, k)
                             : fabs(sums->tau - pass->sums->tau) <= threshold_same_end * pass->sums->tau);
  return known ? sums : NULL;
}
