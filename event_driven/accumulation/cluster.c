/* event_driven/accumulation/cluster.c -- contacts near an accumulation, with constant coefficients: forces, flights, impacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "event_driven/accumulation/cluster_motion.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-12;  /* of the terms of a force of friction */
static const double long_before = 100; /* times as far ahead: does not interfere */
static const double simultaneous =
    1e-12; /* of the flight, rounding: contacts that return within it hit together */
static const double uncoupled =
    1e-12; /* of W_ii: a smaller W_ij is rounding, and the order of i and j does not matter */

double dls_cluster_return(double g, double u, double a)
{
  const double square = u * u - 2 * a * g;
  if (u > 0) {
    return a < 0 ? (u + sqrt(square)) / -a : HUGE_VAL;
  }
  if (!(square >= 0) || (u == 0 && a >= 0)) {
    return HUGE_VAL;
  }
  return g > 0 ? 2 * g / (sqrt(square) - u) : 0;
}

void dls_cluster_destroy(dls_cluster *c)
{
  if (c == NULL) {
    return;
  }
  dls_lcp_destroy(c->lcp);
  free(c->block);
  free(c->flags);
  free(c->set);
  free(c);
}

enum { VECTORS = 24 }; /* of k: those below, without the marks */

/* Give the vectors of k their places in the block. */
static void lay_out(dls_cluster *c, size_t k)
{
  double *at = c->block;
  dls_cluster_sums *f = &c->found;
  double **vectors[VECTORS] = {&c->b,  &c->z,   &c->w,      &c->g,      &c->u,         &c->gamma,
                               &c->P,  &c->PM,  &c->L,      &c->LM,     &c->dP,        &c->dPM,
                               &c->dL, &c->dLM, &f->P,      &f->PM,     &f->L,         &f->LM,
                               &f->g,  &f->u,   &c->lambda, &f->lambda, &c->gap_error, &c->W_set};
  for (size_t i = 0; i < VECTORS; i++) { /* the last is k x k */
    *vectors[i] = at;
    at += i + 1 < VECTORS ? k : k * k;
  }
  for (size_t i = 0; i < DLS_CLUSTER_HISTORY; i++) {
    dls_cluster_impact *history = &c->history[i];
    double **slots[] = {&history->g, &history->u, &history->P, &history->PM, &history->L, &history->LM};
    for (size_t j = 0; j < sizeof slots / sizeof slots[0]; j++, at += k) {
      *slots[j] = at;
    }
  }
  c->rests = c->flags;
  c->member = c->flags + k;
  f->rests = c->flags + 2 * k;
}

dls_cluster *dls_cluster_create(size_t capacity)
{
  const size_t k = capacity;
  dls_cluster *c = calloc(1, sizeof *c);
  if (c == NULL) {
    return NULL;
  }
  c->capacity = k;
  c->block = calloc(dls_size_product(VECTORS - 1 + 6 * (size_t)DLS_CLUSTER_HISTORY + k, k), sizeof *c->block);
  c->flags = calloc(3 * k, sizeof *c->flags);
  c->set = calloc(k, sizeof *c->set);
  if (c->block == NULL || c->flags == NULL || c->set == NULL ||
      dls_lcp_create(k, NULL, 1e-12, &c->lcp, NULL) != DLS_OK) {
    dls_cluster_destroy(c);
    return NULL;
  }
  lay_out(c, k);
  return c;
}

bool dls_cluster_solve(dls_cluster *c, size_t count)
{
  for (size_t j = 0; j < count; j++) {
    for (size_t i = 0; i < count; i++) {
      c->W_set[i + count * j] = dls_cluster_w(c, c->set[i], c->set[j]);
    }
    c->z[j] = 0;
  }
  return dls_lcp_solve(c->lcp, count, c->W_set, c->b, c->z, c->w, NULL, NULL) == DLS_OK;
}

bool dls_cluster_sticks(dls_cluster *c, const double *P, double part)
{
  const dls_cluster_problem *problem = c->problem;
  const size_t p = problem->held;
  for (size_t s = 0; s < p && problem->mu != NULL;) {
    const size_t own = problem->owner[s];
    double size = 0, terms = 0;
    for (; s < p && problem->owner[s] == own; s++) {
      double sum = part * problem->C[s + p * c->k];
      terms += fabs(sum);
      for (size_t i = 0; i < c->k; i++) {
        sum += problem->C[s + p * i] * P[i];
        terms += fabs(problem->C[s + p * i] * P[i]);
      }
      size = hypot(size, sum);
    }
    c->slips = c->slips || size > problem->mu[own] * P[own] + rounding * terms;
  }
  return !c->slips;
}

bool dls_cluster_slips(const dls_cluster *c)
{
  return c->slips;
}

/* Does every contact that sticks rest, with forces that let it? */
static bool all_stick(dls_cluster *c)
{
  for (size_t s = 0; s < c->problem->held && c->problem->mu != NULL; s++) {
    c->slips = c->slips || !c->rests[c->problem->owner[s]];
  }
  return !c->slips && dls_cluster_sticks(c, c->lambda, 1);
}

bool dls_cluster_forces(dls_cluster *c)
{
  size_t count = 0;
  for (size_t i = 0; i < c->k; i++) {
    c->lambda[i] = 0;
    c->rests[i] = false;
    if (c->g[i] == 0 && c->u[i] == 0) {
      c->b[count] = c->a[i];
      c->set[count++] = i;
    }
  }
  if (!dls_cluster_solve(c, count)) {
    return false;
  }
  for (size_t j = 0; j < count; j++) {
    const size_t i = c->set[j];
    c->rests[i] = dls_cluster_w(c, i, i) * c->z[j] >= c->w[j];
    c->lambda[i] = c->rests[i] ? c->z[j] : 0;
  }
  for (size_t i = 0; i < c->k; i++) {
    c->gamma[i] = c->a[i];
    for (size_t j = 0; j < count; j++) {
      c->gamma[i] += dls_cluster_w(c, i, c->set[j]) * c->lambda[c->set[j]];
    }
    c->gamma[i] = c->rests[i] ? 0 : c->gamma[i];
  }
  return c->problem->held == 0 || all_stick(c);
}

static void advance_flight(dls_cluster *c, double dt)
{
  for (size_t i = 0; i < c->k; i++) {
    c->g[i] += dt * (c->u[i] + 0.5 * dt * c->gamma[i]);
    c->u[i] += dt * c->gamma[i];
    c->PM[i] += c->P[i] * dt;
    c->LM[i] += dt * (c->L[i] + 0.5 * dt * c->lambda[i]);
    c->L[i] += dt * c->lambda[i];
  }
  c->s += dt;
}

static double next_impact(const dls_cluster *c)
{
  double next = HUGE_VAL;
  for (size_t i = 0; i < c->k; i++) {
    if (!c->rests[i]) {
      next = fmin(next, dls_cluster_return(c->g[i], c->u[i], c->gamma[i]));
    }
  }
  return next;
}

/* Error of the time dt at which contact i returns, caused by the error of its gap [s]. */
static double time_error(const dls_cluster *c, size_t i, double dt)
{
  return c->gap_error[i] > 0 ? c->gap_error[i] / fabs(c->u[i] + dt * c->gamma[i]) : 0;
}

/* Is the order in which two contacts return, one of them within dt, uncertain by the errors of their gaps, and does it matter? */
static bool order_is_open(const dls_cluster *c, double dt)
{
  for (size_t i = 0; i < c->k; i++) {
    const double at = c->rests[i] ? HUGE_VAL : dls_cluster_return(c->g[i], c->u[i], c->gamma[i]);
    for (size_t j = 0; j < c->k && at < HUGE_VAL; j++) {
      const double first = c->rests[j] || j == i ? HUGE_VAL : dls_cluster_return(c->g[j], c->u[j], c->gamma[j]);
      const double error = time_error(c, i, at) + time_error(c, j, first);
      if (first <= dt && error > 0 && at - first <= error &&
          fabs(dls_cluster_w(c, i, j)) > uncoupled * dls_cluster_w(c, i, i)) {
        return true;
      }
    }
  }
  return false;
}

/* Who hits after dt: member. Their gaps are zero then. @return the first of them */
static size_t advance_to_impact(dls_cluster *c, double dt)
{
  size_t first = c->k;
  for (size_t i = 0; i < c->k; i++) {
    c->member[i] = !c->rests[i] && dls_cluster_return(c->g[i], c->u[i], c->gamma[i]) <= dt * (1 + simultaneous);
    first = c->member[i] && first == c->k ? i : first;
  }
  advance_flight(c, dt);
  for (size_t i = 0; i < c->k; i++) {
    c->g[i] = c->member[i] ? 0 : fmax(c->g[i], 0);
    c->gap_error[i] = c->member[i] ? 0 : c->gap_error[i];
  }
  return first;
}

/* 0 <= W P + (I + E) u _|_ P >= 0 on those that hit (member) and those that rest. */
static bool solve_impact(dls_cluster *c)
{
  size_t count = 0;
  for (size_t i = 0; i < c->k; i++) {
    if (c->member[i] || c->rests[i]) {
      const double u = fmin(c->u[i], 0);
      c->dL[i] = -c->e[i] * u; /* u+ of a contact that is held */
      c->b[count] = u - c->dL[i];
      c->set[count++] = i;
    }
  }
  if (!dls_cluster_solve(c, count)) {
    return false;
  }
  for (size_t i = 0; i < c->k; i++) {
    for (size_t j = 0; j < count; j++) {
      c->u[i] += dls_cluster_w(c, i, c->set[j]) * c->z[j];
    }
  }
  memset(c->dP, 0, c->k * sizeof *c->dP);
  for (size_t j = 0; j < count; j++) {
    const size_t i = c->set[j];
    c->dP[i] = c->z[j];
    c->P[i] += c->z[j];
    c->u[i] = dls_cluster_w(c, i, i) * c->z[j] >= c->w[j] ? c->dL[i] : fmax(c->u[i], 0);
  }
  c->impacts++;
  return dls_cluster_sticks(c, c->dP, 0);
}

static uint64_t hash_flags(uint64_t hash, const bool *flags, size_t k)
{
  for (size_t i = 0; i < k; i++) { /* FNV-1a */
    hash = (hash ^ (flags[i] ? 1 + i : 0)) * UINT64_C(1099511628211);
  }
  return hash;
}

void dls_cluster_remember(dls_cluster *c, const bool *who, size_t first, uint64_t kind)
{
  if (c->history_count == DLS_CLUSTER_HISTORY) { /* forget the oldest; its arrays are used again */
    const dls_cluster_impact oldest = c->history[0];
    memmove(c->history, c->history + 1, (DLS_CLUSTER_HISTORY - 1) * sizeof *c->history);
    c->history[--c->history_count] = oldest;
  }
  dls_cluster_impact *history = &c->history[c->history_count++];
  const uint64_t hits = hash_flags(UINT64_C(14695981039346656037) + kind, who, c->k);
  history->signature = hash_flags(hits, c->rests, c->k);
  history->who = first;
  history->s = c->s;
  double *const to[] = {history->g, history->u, history->P, history->PM, history->L, history->LM};
  const double *const from[] = {c->g, c->u, c->P, c->PM, c->L, c->LM};
  for (size_t i = 0; i < sizeof to / sizeof to[0]; i++) {
    memcpy(to[i], from[i], c->k * sizeof *to[i]);
  }
}

/* max_i sum_j |W_ij| P_j */
static double velocity_change_bound(const dls_cluster *c)
{
  double most = 0;
  for (size_t i = 0; i < c->k; i++) {
    double sum = 0;
    for (size_t j = 0; j < c->k; j++) {
      sum += fabs(dls_cluster_w(c, i, j)) * c->P[j];
    }
    most = fmax(most, sum);
  }
  return most;
}

/* max_i |sum_j W_ij P_j|: a body that lands on two corners has impulses that nearly cancel in each of them. */
static double net_velocity_change(const dls_cluster *c)
{
  double most = 0;
  for (size_t i = 0; i < c->k; i++) {
    double sum = 0;
    for (size_t j = 0; j < c->k; j++) {
      sum += dls_cluster_w(c, i, j) * c->P[j];
    }
    most = fmax(most, fabs(sum));
  }
  return most;
}

static bool is_within(const dls_cluster *c, const dls_cluster_limits *limits)
{
  return c->s <= limits->time && c->impacts <= limits->impacts &&
         (c->s <= limits->short_time || net_velocity_change(c) <= limits->velocity_change);
}

static void save(dls_cluster *c)
{
  dls_cluster_sums *f = &c->found;
  f->tau = c->s;
  f->next = next_impact(c);
  f->velocity_change = velocity_change_bound(c);
  f->impacts = c->impacts;
  f->series = c->series;
  f->came_to_rest = c->came_to_rest;
  double *const to[] = {f->P, f->PM, f->L, f->LM, f->lambda, f->g, f->u};
  const double *const from[] = {c->P, c->PM, c->L, c->LM, c->lambda, c->g, c->u};
  for (size_t i = 0; i < sizeof to / sizeof to[0]; i++) {
    memcpy(to[i], from[i], c->k * sizeof *to[i]);
  }
  memcpy(f->rests, c->rests, c->k * sizeof *f->rests);
}

static bool begin(dls_cluster *c, const dls_cluster_problem *problem)
{
  const size_t k = problem->k;
  c->k = k;
  c->W = problem->W;
  c->a = problem->a;
  c->e = problem->e;
  c->s = 0;
  c->impacts = c->series = c->history_count = 0;
  c->broken = c->came_to_rest = c->slips = false;
  c->problem = problem;
  for (size_t i = 0; i < k; i++) {
    c->g[i] = fmax(problem->g[i], 0);
    c->u[i] = problem->u[i];
    c->gap_error[i] = problem->gap_error != NULL ? problem->gap_error[i] : 0;
    c->P[i] = c->PM[i] = c->L[i] = c->LM[i] = 0;
  }
  return dls_cluster_forces(c);
}

/* The next impact, with the forces after it. @return false if the search ends here */
static bool strike(dls_cluster *c, const dls_cluster_limits *limits)
{
  const double next = next_impact(c);
  if (!(c->s + next <= limits->time) || order_is_open(c, next)) {
    return false;
  }
  const size_t first = advance_to_impact(c, next);
  for (size_t i = 0; i < c->k; i++) {
    if (c->member[i] && c->e[i] >= 1) {
      return false;
    }
  }
  if (!solve_impact(c) || !dls_cluster_forces(c)) {
    return false;
  }
  dls_cluster_remember(c, c->member, first, 0);
  return true;
}

/* When the slowest of those that move come back long before the others: they are at rest. */
static bool bring_to_rest(dls_cluster *c, const dls_cluster_limits *limits)
{
  double slow = 0, fast = HUGE_VAL; /* the latest of the slow to come back, the first of the fast */
  for (size_t i = 0; i < c->k; i++) {
    const double back = c->rests[i] ? HUGE_VAL : dls_cluster_return(c->g[i], c->u[i], c->gamma[i]);
    c->member[i] = back < HUGE_VAL && fabs(c->u[i]) <= limits->rest_speed;
    slow = c->member[i] ? fmax(slow, back) : slow;
    fast = c->member[i] ? fast : fmin(fast, back);
  }
  if (!(slow > 0) || !(fast > long_before * slow)) {
    return false;
  }
  for (size_t i = 0; i < c->k; i++) {
    c->g[i] = c->member[i] ? 0 : c->g[i];
    c->u[i] = c->member[i] ? 0 : c->u[i];
  }
  c->broken = !dls_cluster_forces(c);
  c->came_to_rest = true;
  return true;
}

dls_cluster_sums *dls_cluster_run(dls_cluster *c, const dls_cluster_problem *problem,
                                  const dls_cluster_limits *limits)
{
  bool found = false;
  bool going = begin(c, problem);
  while (going && is_within(c, limits)) {
    const bool ends = dls_cluster_pass_one(c, limits) || dls_cluster_pass_cycle(c, limits) ||
                      (c->impacts > 0 && bring_to_rest(c, limits));
    going = ends ? !c->broken : strike(c, limits);
    if (ends && going && is_within(c, limits)) {
      save(c);
      found = true;
    }
  }
  return found ? &c->found : NULL;
}

void dls_cluster_advance(dls_cluster_sums *sums, size_t k, double dt)
{
  for (size_t i = 0; i < k; i++) {
    sums->PM[i] += sums->P[i] * dt;
    sums->LM[i] += dt * (sums->L[i] + 0.5 * dt * sums->lambda[i]);
    sums->L[i] += dt * sums->lambda[i];
  }
  sums->tau += dt;
  sums->next -= dt;
}
