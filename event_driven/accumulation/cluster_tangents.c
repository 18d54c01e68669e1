/* event_driven/accumulation/cluster_tangents.c -- see cluster_tangents.h. With delta for the derivative of a quantity:
 *
 *   forces   W_AA lambda_A + a_A = 0,  gamma = a + W lambda               A: pressed contacts           (1)
 *   flight   delta dt = -(delta g + delta u dt + delta gamma dt^2/2) / (u + gamma dt)                   (2)
 *   impact   W_AA P_A + (1 + e) u_A = 0,  u := u + W P                    A: contacts that are struck   (3)
 *   series   tau, sum P, sum P (tau - s) by (1) of cluster.c              with W x = 1 on its contact   (4)
 *
 * In (2) the contact is the one that comes down. In (4) x is 0 on contacts that fly, and W x = 0 on those that rest.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/accumulation/cluster_tangents.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "event_driven/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_dense.h>

void dls_cluster_tangents_destroy(dls_cluster_tangents *t)
{
  if (t != NULL) {
    free(t->block);
    free(t->pivot);
    free(t);
  }
}

dls_cluster_tangents *dls_cluster_tangents_create(size_t capacity)
{
  dls_cluster_tangents *t = calloc(1, sizeof *t);
  if (t == NULL) {
    return NULL;
  }
  t->block = dls_arrays((const dls_slot[]){
      {capacity, {&t->g, &t->u, &t->gamma, &t->lambda, &t->x, &t->b}},
      {capacity, {&t->now.P, &t->now.PM, &t->now.L, &t->now.LM, &t->end.P, &t->end.PM, &t->end.L, &t->end.LM}},
      {dls_size_product(capacity, capacity), {&t->A}},
      {0}});
  /* the strictest alignment first */
  t->pivot = calloc(capacity + 1, sizeof *t->pivot + sizeof *t->column + sizeof *t->set);
  if (t->block == NULL || t->pivot == NULL) {
    dls_cluster_tangents_destroy(t);
    return NULL;
  }
  t->column = (void *)(t->pivot + capacity + 1);
  t->set = (size_t *)(t->column + capacity + 1);
  return t;
}

/* b := W_SS^-1 b on set[count]. If W_SS is singular the derivatives are not valid. */
static void solve(dls_cluster_tangents *t, const dls_cluster_state *c, size_t count)
{
  for (size_t j = 0; j < count; j++) {
    t->column[j] = t->A + count * j;
    for (size_t i = 0; i < count; i++) {
      t->A[i + count * j] = c->W[t->set[i] + c->k * t->set[j]];
    }
  }
  if (count > 0 && SUNDlsMat_denseGETRF(t->column, (sunindextype)count, (sunindextype)count, t->pivot) == 0) {
    SUNDlsMat_denseGETRS(t->column, (sunindextype)count, t->pivot, t->b);
  } else {
    t->now.valid = t->now.valid && count == 0;
  }
}

/* (delta W z)_i */
static double coefficients_of(const dls_cluster_tangents *t, size_t k, size_t i, const double *z)
{
  double sum = 0;
  for (size_t j = 0; j < k; j++) {
    sum += z[j] != 0 ? t->dW[i + k * j] * z[j] : 0;
  }
  return sum;
}

/* x := delta z of W_SS z_S + b_S = 0 with -delta b_S in t->b: on set[count], 0 elsewhere. */
static void differentiate(dls_cluster_tangents *t, const dls_cluster_state *c, size_t count, const double *z)
{
  for (size_t j = 0; j < count; j++) {
    t->b[j] -= coefficients_of(t, c->k, t->set[j], z);
  }
  solve(t, c, count);
  memset(t->x, 0, c->k * sizeof *t->x);
  for (size_t j = 0; j < count; j++) {
    t->x[t->set[j]] = t->b[j];
  }
}

/* (delta W z + W x)_i */
static double change_of(const dls_cluster_tangents *t, const dls_cluster_state *c, size_t i, const double *z)
{
  double sum = coefficients_of(t, c->k, i, z);
  for (size_t j = 0; j < c->k; j++) {
    sum += t->x[j] != 0 ? c->W[i + c->k * j] * t->x[j] : 0;
  }
  return sum;
}

void dls_cluster_tangents_begin(dls_cluster_tangents *t, size_t k)
{
  memcpy(t->g, t->dg, k * sizeof *t->g);
  memcpy(t->u, t->du, k * sizeof *t->u);
  memset(t->now.P, 0, k * sizeof *t->now.P);
  memset(t->now.PM, 0, k * sizeof *t->now.PM);
  memset(t->now.L, 0, k * sizeof *t->now.L);
  memset(t->now.LM, 0, k * sizeof *t->now.LM);
  t->now.tau = t->most = 0;
  t->now.valid = true;
  t->end.valid = false;
}

void dls_cluster_tangents_forces(dls_cluster_tangents *t, const dls_cluster_state *c)
{
  size_t count = 0;
  for (size_t i = 0; i < c->k; i++) {
    if (c->rests[i]) {
      t->g[i] = t->u[i] = 0;
    }
    if (c->rests[i] && c->lambda[i] > 0) {
      t->b[count] = -t->da[i];
      t->set[count++] = i;
    }
  }
  differentiate(t, c, count, c->lambda);
  memcpy(t->lambda, t->x, c->k * sizeof *t->x);
  for (size_t i = 0; i < c->k; i++) {
    t->gamma[i] = c->rests[i] ? 0 : t->da[i] + change_of(t, c, i, c->lambda);
  }
}

/* (2) of contact i. */
static double impact_time(const dls_cluster_tangents *t, const dls_cluster_state *c, size_t i, double dt)
{
  return -(t->g[i] + dt * (t->u[i] + 0.5 * dt * t->gamma[i])) / (c->u[i] + dt * c->gamma[i]);
}

void dls_cluster_tangents_flight(dls_cluster_tangents *t, const dls_cluster_state *c, double dt,
                                 const bool *member, size_t first)
{
  const double shift = impact_time(t, c, first, dt);
  const bool begins = t->g[first] != 0; /* behind an impact of the members their g are 0 */
  dls_cluster_rates *now = &t->now;
  for (size_t i = 0; i < c->k; i++) {
    const double apart = member[i] ? impact_time(t, c, i, dt) - shift : 0;
    const double rounding = t->rounding * (begins || t->g[i] != 0 ? 1 : dt / t->time);
    t->now.valid = t->now.valid && (fabs(apart) <= threshold_same_switch * fmax(fabs(shift), dt) ||
                                    fabs(apart * (c->u[i] + dt * c->gamma[i])) <= rounding);
    const double L = c->L[i] + dt * c->lambda[i];
    t->g[i] += dt * (t->u[i] + 0.5 * dt * t->gamma[i]) + (c->u[i] + dt * c->gamma[i]) * shift;
    t->u[i] += dt * t->gamma[i] + c->gamma[i] * shift;
    now->PM[i] += now->P[i] * dt + c->P[i] * shift;
    now->LM[i] += dt * (now->L[i] + 0.5 * dt * t->lambda[i]) + L * shift;
    now->L[i] += dt * t->lambda[i] + c->lambda[i] * shift;
    t->g[i] = member[i] ? 0 : t->g[i];
  }
  now->tau += shift;
}

void dls_cluster_tangents_impact(dls_cluster_tangents *t, const dls_cluster_state *c, const double *z,
                                 const bool *held)
{
  size_t count = 0;
  for (size_t i = 0; i < c->k; i++) {
    const double e = c->u[i] < 0 ? c->e[i] : 0;
    if (held[i] && z[i] > 0) {
      t->b[count] = -(1 + e) * t->u[i] - t->de[i] * fmin(c->u[i], 0);
      t->set[count++] = i;
    }
  }
  differentiate(t, c, count, z);
  for (size_t i = 0; i < c->k; i++) {
    const double e = c->u[i] < 0 ? c->e[i] : 0;
    t->u[i] = held[i] ? -e * t->u[i] - t->de[i] * fmin(c->u[i], 0) : t->u[i] + change_of(t, c, i, z);
    t->now.P[i] += t->x[i];
    t->most = fmax(t->most, fabs(t->u[i]));
  }
}

void dls_cluster_tangents_series(dls_cluster_tangents *t, const dls_cluster_state *c, size_t i, const double *x,
                                 double T)
{
  const double V = c->u[i], A = -c->gamma[i], e = c->e[i], rest = 1 - e, de = t->de[i], dA = -t->gamma[i];
  const double start = -t->g[i] / V; /* the contact leaves later: g = 0 there */
  const double dV = t->u[i] + c->gamma[i] * start;
  const double dT = start + T * (dV / V - dA / A + de / rest);
  const double sum = (1 + e) * V / rest, moment = 2 * e * V * V / (A * rest * rest);
  const double dsum = sum * (dV / V + de / (1 + e) + de / rest),
               dmoment = moment * (2 * dV / V - dA / A + de / e + 2 * de / rest);
  dls_cluster_rates *now = &t->now;
  size_t count = 0;
  for (size_t j = 0; j < c->k; j++) {
    if (c->rests[j] || j == i) {
      t->b[count] = 0;
      t->set[count++] = j;
    }
  }
  differentiate(t, c, count, x);
  for (size_t j = 0; j < c->k; j++) { /* u := u + gamma T + W sum P, and so g */
    double response = 0;
    for (size_t l = 0; l < c->k; l++) {
      response += c->W[j + c->k * l] * x[l];
    }
    const double change = change_of(t, c, j, x);
    const bool rests = c->rests[j] || j == i;
    t->g[j] = rests ? 0
                    : t->g[j] + T * (t->u[j] + 0.5 * T * t->gamma[j]) + (c->u[j] + T * c->gamma[j]) * dT +
                          change * moment + response * dmoment;
    t->u[j] = rests ? 0 : t->u[j] + T * t->gamma[j] + c->gamma[j] * dT + change * sum + response * dsum;
  }
  for (size_t j = 0; j < c->k; j++) {
    const double L = c->L[j] + T * c->lambda[j];
    now->PM[j] += now->P[j] * T + c->P[j] * dT + t->x[j] * moment + x[j] * dmoment;
    now->P[j] += t->x[j] * sum + x[j] * dsum;
    now->LM[j] += T * (now->L[j] + 0.5 * T * t->lambda[j]) + L * dT;
    now->L[j] += T * t->lambda[j] + c->lambda[j] * dT;
  }
  now->tau += dT;
}

void dls_cluster_tangents_rest(dls_cluster_tangents *t, size_t k, const bool *member)
{
  double left = 0;
  for (size_t i = 0; i < k; i++) {
    left = member[i] ? fmax(left, fabs(t->u[i])) : left;
    t->g[i] = member[i] ? 0 : t->g[i];
    t->u[i] = member[i] ? 0 : t->u[i];
  }
  t->now.valid = t->now.valid && left <= threshold_tangent_left * t->most;
}

void dls_cluster_tangents_save(dls_cluster_tangents *t, size_t k)
{
  const dls_cluster_rates *from = &t->now;
  dls_cluster_rates *to = &t->end;
  to->tau = from->tau;
  to->valid = from->valid;
  memcpy(to->P, from->P, k * sizeof *to->P);
  memcpy(to->PM, from->PM, k * sizeof *to->PM);
  memcpy(to->L, from->L, k * sizeof *to->L);
  memcpy(to->LM, from->LM, k * sizeof *to->LM);
}
