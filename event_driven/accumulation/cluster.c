/* event_driven/accumulation/cluster.c -- contacts near an accumulation, with constant coefficients: forces, flights, impacts, and
 * infinite series of impacts in closed form.
 *
 * One contact i that has just left with V = u_i > 0 and falls back by itself, A = -u_i' > 0, while the others that rest
 * stay at rest: unit impulses on i come with x on those that rest, and W x = 0 there. Then, with w = (W x)_i,
 *   tau = 2 V / (A (1 - e)),   sum P = (1 + e) V / ((1 - e) w) x,   sum P (tau - s) = 2 e V^2 / (w A (1 - e)^2) x   (1)
 * A sub-cluster whose state after a sequence of impacts is (rho^2 g, rho u), with time T_c, impulses P_c and moments m_c of
 * the last repetition:
 *   tau = T_c rho / (1 - rho),   sum P = P_c rho / (1 - rho)                                                         (2)
 *   sum P (tau - s) = (m_c + P_c T_c rho / (1 - rho)) rho^2 / (1 - rho^2)                                            (3)
 * Both apply only if no contact outside reaches zero on the way.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/accumulation/cluster.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "common/solve/lcp/lcp_methods.h"
#include "event_driven/accumulation/cluster_tangents.h"
#include "event_driven/thresholds.h"
#include <delassus/lcp.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DLS_CLUSTER_HISTORY = 64 }; /* impacts and series remembered */
enum { DLS_CLUSTER_VECTORS = 6 };  /* of each */

/** One impact, or one series that was passed: its signature and the state after it. */
typedef struct dls_cluster_impact {
  uint64_t signature; /* of the contacts that hit and that rest */
  size_t who;         /* the first contact that hit */
  double s;
  double *g, *u, *P, *PM, *L, *LM; /* k each */
} dls_cluster_impact;

struct dls_cluster {
  size_t capacity, k;
  const double *W, *a, *e;
  const dls_cluster_problem *problem;
  dls_lcp_solver *lcp;
  double *block;
  bool *flags;
  size_t *set; /* k; the contacts of a complementarity problem */
  double *W_set, *b, *z, *w;
  double s;              /* time passed [s] */
  double *g, *u, *gamma; /* gamma: accelerations with the forces */
  double *gap_error;     /* error of g: 0 from the first time that it is zero */
  double *P, *PM, *L, *LM, *lambda;
  double *dP, *dPM, *dL, *dLM;   /* of a series */
  bool *rests, *member, *struck; /* struck: u+ = -e u- */
  size_t impacts, series;
  bool slips;  /* a sticking contact would slip */
  bool broken; /* no forces were found after a series */
  bool came_to_rest;
  dls_cluster_impact *records; /* 2 DLS_CLUSTER_HISTORY; vectors for half of them are behind them */
  dls_cluster_impact *history; /* DLS_CLUSTER_HISTORY of them, one further where the oldest is forgotten */
  size_t history_count;
  size_t history_used; /* records that have vectors: most runs need few, and all would take long */
  dls_cluster_sums found;
};

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
  free(c->records);
  free(c->flags);
  free(c->set);
  free(c);
}

/* All vectors of k, in one block. */
static double *allocate_vectors(dls_cluster *c, size_t k)
{
  dls_cluster_sums *f = &c->found;
  return dls_arrays((const dls_slot[]){
      {k,
       {&c->b, &c->z, &c->w, &c->g, &c->u, &c->gamma, &c->gap_error, &c->lambda, &c->P, &c->PM, &c->L, &c->LM}},
      {k, {&c->dP, &c->dPM, &c->dL, &c->dLM, &f->P, &f->PM, &f->L, &f->LM, &f->g, &f->u, &f->lambda}},
      {dls_size_product(k, k), {&c->W_set}},
      {0}});
}

dls_cluster *dls_cluster_create(size_t capacity)
{
  dls_cluster *c = calloc(1, sizeof *c);
  if (c == NULL) {
    return NULL;
  }
  c->capacity = capacity;
  const size_t vectors = dls_size_product(capacity, DLS_CLUSTER_VECTORS * sizeof(double)),
               history = dls_size_product(DLS_CLUSTER_HISTORY, dls_size_sum(vectors, 2 * sizeof *c->records));
  c->block = allocate_vectors(c, capacity);
  c->history = c->records = malloc(history);
  c->flags = calloc(4 * capacity, sizeof *c->flags);
  c->set = calloc(capacity, sizeof *c->set);
  if (c->block == NULL || c->history == NULL || c->flags == NULL || c->set == NULL ||
      dls_lcp_create(capacity, NULL, threshold_cluster_residual, &c->lcp, NULL) != DLS_OK ||
      dls_lcp_reserve(c->lcp, capacity, NULL) != DLS_OK) {
    dls_cluster_destroy(c);
    return NULL;
  }
  c->rests = c->flags;
  c->member = c->flags + capacity;
  c->found.rests = c->flags + 2 * capacity;
  c->struck = c->flags + 3 * capacity;
  return c;
}

static double coupling(const dls_cluster *c, size_t i, size_t j)
{
  return c->W[i + c->k * j];
}

/* For derivatives. */
static dls_cluster_state state_of(const dls_cluster *c)
{
  return (dls_cluster_state){c->k, c->W, c->e, c->g, c->u, c->gamma, c->lambda, c->P, c->L, c->rests};
}

/* --- forces, flights and impacts --- */

/* Solve 0 <= W z + b _|_ z >= 0 on set[count]; b, z, w by position in the set. */
static bool solve_set(dls_cluster *c, size_t count)
{
  for (size_t j = 0; j < count; j++) {
    for (size_t i = 0; i < count; i++) {
      c->W_set[i + count * j] = coupling(c, c->set[i], c->set[j]);
    }
    c->z[j] = 0;
  }
  return dls_lcp_solve(c->lcp, count, c->W_set, c->b, c->z, c->w, NULL, NULL) == DLS_OK;
}

/* Can the sticking contacts carry the friction that belongs to the normal impulses P (part = 0) or forces (part = 1: with f)? Otherwise
 * c->slips. */
static bool friction_suffices(dls_cluster *c, const double *P, double part)
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
    c->slips = c->slips || size > problem->mu[own] * P[own] + threshold_friction_rounding * terms;
  }
  return !c->slips;
}

bool dls_cluster_slips(const dls_cluster *c)
{
  return c->slips;
}

/* Does every sticking contact rest, with friction within its limit? */
static bool all_stick(dls_cluster *c)
{
  for (size_t s = 0; s < c->problem->held && c->problem->mu != NULL; s++) {
    c->slips = c->slips || !c->rests[c->problem->owner[s]];
  }
  return !c->slips && friction_suffices(c, c->lambda, 1);
}

/* Forces of the contacts with g = u = 0: rests, lambda, gamma. */
static bool update_forces(dls_cluster *c)
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
  if (!solve_set(c, count)) {
    return false;
  }
  for (size_t j = 0; j < count; j++) {
    const size_t i = c->set[j];
    c->rests[i] = coupling(c, i, i) * c->z[j] >= c->w[j];
    c->lambda[i] = c->rests[i] ? c->z[j] : 0;
  }
  for (size_t i = 0; i < c->k; i++) {
    c->gamma[i] = c->a[i];
    for (size_t j = 0; j < count; j++) {
      c->gamma[i] += coupling(c, i, c->set[j]) * c->lambda[c->set[j]];
    }
    c->gamma[i] = c->rests[i] ? 0 : c->gamma[i];
  }
  if (c->problem->tangents != NULL) {
    const dls_cluster_state state = state_of(c);
    dls_cluster_tangents_forces(c->problem->tangents, &state);
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
          fabs(coupling(c, i, j)) > threshold_uncoupled * coupling(c, i, i)) {
        return true;
      }
    }
  }
  return false;
}

/* Advance by dt. member := the contacts that hit then, with gaps 0. @return the first of them */
static size_t advance_to_impact(dls_cluster *c, double dt)
{
  size_t first = c->k;
  for (size_t i = 0; i < c->k; i++) {
    c->member[i] =
        !c->rests[i] && dls_cluster_return(c->g[i], c->u[i], c->gamma[i]) <= dt * (1 + threshold_same_impact);
    first = c->member[i] && first == c->k ? i : first;
  }
  if (c->problem->tangents != NULL) {
    const dls_cluster_state state = state_of(c);
    dls_cluster_tangents_flight(c->problem->tangents, &state, dt, c->member, first);
  }
  advance_flight(c, dt);
  for (size_t i = 0; i < c->k; i++) {
    c->g[i] = c->member[i] ? 0 : fmax(c->g[i], 0);
    c->gap_error[i] = c->member[i] ? 0 : c->gap_error[i];
  }
  return first;
}

/* 0 <= W P + (I + E) u _|_ P >= 0 on the contacts that hit (member) and those that rest. */
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
  if (!solve_set(c, count)) {
    return false;
  }
  memset(c->dP, 0, c->k * sizeof *c->dP);
  memset(c->struck, 0, c->k * sizeof *c->struck);
  for (size_t j = 0; j < count; j++) {
    const size_t i = c->set[j];
    c->dP[i] = c->z[j];
    c->struck[i] = coupling(c, i, i) * c->z[j] >= c->w[j];
  }
  if (c->problem->tangents != NULL) {
    const dls_cluster_state state = state_of(c);
    dls_cluster_tangents_impact(c->problem->tangents, &state, c->dP, c->struck);
  }
  for (size_t i = 0; i < c->k; i++) {
    for (size_t j = 0; j < count; j++) {
      c->u[i] += coupling(c, i, c->set[j]) * c->z[j];
    }
  }
  for (size_t j = 0; j < count; j++) {
    const size_t i = c->set[j];
    c->P[i] += c->z[j];
    c->u[i] = c->struck[i] ? c->dL[i] : fmax(c->u[i], 0);
  }
  c->impacts++;
  return friction_suffices(c, c->dP, 0);
}

static uint64_t hash_flags(uint64_t hash, const bool *flags, size_t k)
{
  for (size_t i = 0; i < k; i++) { /* FNV-1a */
    hash = (hash ^ (flags[i] ? 1 + i : 0)) * UINT64_C(1099511628211);
  }
  return hash;
}

/* The vectors of the next record that has none. */
static void set_vectors(dls_cluster *c)
{
  dls_cluster_impact *impact = &c->history[c->history_used];
  double **vectors[DLS_CLUSTER_VECTORS] = {&impact->g,  &impact->u, &impact->P,
                                           &impact->PM, &impact->L, &impact->LM};
  double *next = (double *)(void *)(c->records + 2 * DLS_CLUSTER_HISTORY) +
                 DLS_CLUSTER_VECTORS * c->capacity * c->history_used++;
  for (size_t j = 0; j < DLS_CLUSTER_VECTORS; j++, next += c->capacity) {
    *vectors[j] = next;
  }
}

/* Append an impact to the history: the contacts `who` (k flags) hit, `first` is one of them. */
static void record_impact(dls_cluster *c, const bool *who, size_t first, uint64_t kind)
{
  if (c->history_count == DLS_CLUSTER_HISTORY) { /* forget the oldest; its arrays are used again */
    const dls_cluster_impact oldest = *c->history++;
    c->history_count--;
    if (c->history > c->records + DLS_CLUSTER_HISTORY) { /* from the end of the records to their beginning */
      memcpy(c->records, c->history, c->history_count * sizeof *c->history);
      c->history = c->records;
    }
    c->history[c->history_count] = oldest;
  }
  if (c->history_count == c->history_used) {
    set_vectors(c);
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

/* --- infinite series, summed --- */

/* Contact j outside stays above zero for T if its velocity is changed by drop <= 0 at once, with acceleration a. */
static bool stays_clear(const dls_cluster *c, size_t j, double drop, double a, double T)
{
  return dls_cluster_return(fmax(c->g[j] - c->gap_error[j], 0), c->u[j] + drop, a) > T;
}

/* The sums dP, dPM, dL, dLM of a series of duration T, after which the members are at rest. */
static void apply(dls_cluster *c, double T)
{
  for (size_t i = 0; i < c->k; i++) {
    double du = c->a[i] * T, dg = T * (c->u[i] + 0.5 * T * c->a[i]);
    for (size_t j = 0; j < c->k; j++) {
      du += coupling(c, i, j) * (c->dP[j] + c->dL[j]);
      dg += coupling(c, i, j) * (c->dPM[j] + c->dLM[j]);
    }
    c->g[i] = c->member[i] ? 0 : fmax(c->g[i] + dg, 0);
    c->u[i] = c->member[i] ? 0 : c->u[i] + du;
  }
  for (size_t i = 0; i < c->k; i++) {
    c->PM[i] += c->P[i] * T + c->dPM[i];
    c->P[i] += c->dP[i];
    c->LM[i] += c->L[i] * T + c->dLM[i];
    c->L[i] += c->dL[i];
  }
  c->s += T;
  c->series++;
  c->broken = !update_forces(c);
}

/* Replace the last impacts of the members in the history by one series. */
static void merge_history(dls_cluster *c, size_t who)
{
  while (c->history_count > 0 && c->member[c->history[c->history_count - 1].who]) {
    c->history_count--;
  }
  record_impact(c, c->member, who, 1);
}

/* dP := x, the impulses with (W x)_i = 1. @return false if a contact that rests would be thrown off */
static bool response(dls_cluster *c, size_t i)
{
  size_t count = 0;
  for (size_t j = 0; j < c->k; j++) {
    c->dP[j] = 0;
    if (c->rests[j] || j == i) {
      c->b[count] = j == i ? -1 : 0;
      c->set[count++] = j;
    }
  }
  if (!solve_set(c, count)) {
    return false;
  }
  bool all_held = true;
  for (size_t j = 0; j < count; j++) {
    c->dP[c->set[j]] = c->z[j];
    all_held = all_held && fabs(c->w[j]) <= threshold_held_response;
  }
  return all_held && friction_suffices(c, c->dP, 0);
}

static bool pass_series_of(dls_cluster *c, size_t i, const dls_cluster_limits *limits)
{
  const double V = c->u[i], A = -c->gamma[i], rest = 1 - c->e[i];
  const double T = 2 * V / (A * rest); /* (1) tau */
  if (!(c->s + T <= limits->time) || !response(c, i)) {
    return false;
  }
  const double impulse = (1 + c->e[i]) * V / rest;               /* (1) sum P w           */
  const double moment = 2 * c->e[i] * V * V / (A * rest * rest); /* (1) sum P (tau - s) w */
  for (size_t j = 0; j < c->k; j++) {
    double du = 0;
    for (size_t l = 0; l < c->k; l++) {
      du += coupling(c, j, l) * impulse * c->dP[l];
    }
    if (j != i && !c->rests[j] && !stays_clear(c, j, fmin(du, 0), c->gamma[j], T)) {
      return false;
    }
  }
  if (c->problem->tangents != NULL) {
    const dls_cluster_state state = state_of(c);
    dls_cluster_tangents_series(c->problem->tangents, &state, i, c->dP, T);
  }
  for (size_t j = 0; j < c->k; j++) {
    c->dPM[j] = moment * c->dP[j];
    c->dP[j] *= impulse;
    c->dL[j] = c->lambda[j] * T;
    c->dLM[j] = 0.5 * c->lambda[j] * T * T;
    c->member[j] = c->rests[j] || j == i;
  }
  apply(c, T);
  for (size_t j = 0; j < c->k; j++) {
    c->member[j] = j == i;
  }
  merge_history(c, i);
  return true;
}

/* Pass the series of one contact that has just left. @return false if there is none that may be passed */
static bool pass_single_series(dls_cluster *c, const dls_cluster_limits *limits)
{
  for (size_t i = 0; i < c->k; i++) {
    const bool leaves = c->g[i] == 0 && c->u[i] > 0 && c->gamma[i] < 0;
    if (leaves && c->e[i] > 0 && c->e[i] < 1 && pass_series_of(c, i, limits)) {
      return true;
    }
  }
  return false;
}

/* Are the last three sequences of p impacts the same? */
static bool sequences_repeat(const dls_cluster *c, size_t p)
{
  if (c->history_count < threshold_sequence_repetitions * p + 1) {
    return false;
  }
  const dls_cluster_impact *last = &c->history[c->history_count - 1];
  for (size_t i = 0; i <= (threshold_sequence_repetitions - 1) * p; i++) {
    if (last[-(ptrdiff_t)i].signature != last[-(ptrdiff_t)(i + p)].signature) {
      return false;
    }
  }
  return true;
}

/* member := the contacts that rest, or were hit or loaded between two records. */
static void gather_members(dls_cluster *c, const dls_cluster_impact *from, const dls_cluster_impact *to)
{
  for (size_t i = 0; i < c->k; i++) {
    c->member[i] = c->rests[i] || to->P[i] > from->P[i] || to->L[i] > from->L[i];
  }
}

/* rho of the members' velocities from one record to the other; 0 if the states are not similar. */
static double contraction(const dls_cluster *c, const dls_cluster_impact *from, const dls_cluster_impact *to)
{
  double before = 0, after = 0, gap = 0;
  for (size_t i = 0; i < c->k; i++) {
    before += c->member[i] ? fabs(from->u[i]) : 0;
    after += c->member[i] ? fabs(to->u[i]) : 0;
    gap += c->member[i] ? from->g[i] : 0;
  }
  const double rho = before > 0 ? after / before : 0;
  for (size_t i = 0; i < c->k; i++) {
    if (c->member[i] &&
        !(fabs(to->u[i] - rho * from->u[i]) <= threshold_repeated_state * after &&
          fabs(to->g[i] - rho * rho * from->g[i]) <= threshold_repeated_state * rho * rho * gap)) {
      return 0;
    }
  }
  return rho;
}

/* The sums of all repetitions to come. @return their duration */
static double sum_repetitions(dls_cluster *c, const dls_cluster_impact *from, const dls_cluster_impact *to,
                              double rho)
{
  const double T = to->s - from->s, sum = rho / (1 - rho), square = rho * rho / (1 - rho * rho);
  const double *const total[][4] = {{from->P, to->P, from->PM, to->PM}, {from->L, to->L, from->LM, to->LM}};
  double *const out[][2] = {{c->dP, c->dPM}, {c->dL, c->dLM}};
  for (size_t f = 0; f < 2; f++) {
    for (size_t i = 0; i < c->k; i++) {
      const double P = total[f][1][i] - total[f][0][i];                      /* P_c */
      const double m = total[f][3][i] - total[f][2][i] - total[f][0][i] * T; /* m_c */
      out[f][0][i] = c->member[i] ? P * sum : 0;                             /* (2) sum P */
      out[f][1][i] = c->member[i] ? (m + P * T * sum) * square : 0;          /* (3) */
    }
  }
  return T * sum; /* (2) tau */
}

static bool others_stay_clear(const dls_cluster *c, double T)
{
  for (size_t i = 0; i < c->k; i++) {
    double drop = 0;
    for (size_t j = 0; j < c->k; j++) {
      drop += fmin(coupling(c, i, j) * (c->dP[j] + c->dL[j]), 0);
    }
    if (!c->member[i] && !stays_clear(c, i, drop, c->a[i], T)) {
      return false;
    }
  }
  return true;
}

static bool pass_sequence(dls_cluster *c, size_t p, const dls_cluster_limits *limits)
{
  const dls_cluster_impact *last = &c->history[c->history_count - 1];
  gather_members(c, last - p, last);
  const double rho = contraction(c, last - p, last);
  for (size_t r = 1; r < threshold_sequence_repetitions; r++) {
    const double earlier = contraction(c, last - (r + 1) * p, last - r * p);
    if (!(fabs(earlier - rho) <= threshold_repeated_state)) {
      return false;
    }
  }
  if (!(rho > 0 && rho < 1 - threshold_least_loss)) {
    return false;
  }
  const double T = sum_repetitions(c, last - p, last, rho);
  if (!(c->s + T <= limits->time) || !others_stay_clear(c, T)) {
    return false;
  }
  const size_t who = last->who;
  apply(c, T);
  merge_history(c, who);
  return true;
}

/* Pass the series of a sub-cluster whose last impacts repeat themselves on a smaller scale. */
static bool pass_repetitions(dls_cluster *c, const dls_cluster_limits *limits)
{
  for (size_t p = 1; p <= threshold_longest_sequence; p++) {
    if (sequences_repeat(c, p) && pass_sequence(c, p, limits)) {
      return true;
    }
  }
  return false;
}

/* --- the motion --- */

/* max_i sum_j |W_ij| P_j */
static double velocity_change_bound(const dls_cluster *c)
{
  double most = 0;
  for (size_t i = 0; i < c->k; i++) {
    double sum = 0;
    for (size_t j = 0; j < c->k; j++) {
      sum += fabs(coupling(c, i, j)) * c->P[j];
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
      sum += coupling(c, i, j) * c->P[j];
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
  if (c->problem->tangents != NULL) {
    dls_cluster_tangents_save(c->problem->tangents, c->k);
  }
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
  if (problem->tangents != NULL) {
    dls_cluster_tangents_begin(problem->tangents, k);
  }
  for (size_t i = 0; i < k; i++) {
    c->g[i] = fmax(problem->g[i], 0);
    c->u[i] = problem->u[i];
    c->gap_error[i] = problem->gap_error != NULL ? problem->gap_error[i] : 0;
    c->P[i] = c->PM[i] = c->L[i] = c->LM[i] = 0;
  }
  return update_forces(c);
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
  if (!solve_impact(c) || !update_forces(c)) {
    return false;
  }
  record_impact(c, c->member, first, 0);
  return true;
}

/* Contacts so slow that they come back long before all others are at rest. @return are there any? */
static bool bring_to_rest(dls_cluster *c, const dls_cluster_limits *limits)
{
  double slow = 0, fast = HUGE_VAL; /* when the last slow contact and the first fast contact come back */
  for (size_t i = 0; i < c->k; i++) {
    const double back = c->rests[i] ? HUGE_VAL : dls_cluster_return(c->g[i], c->u[i], c->gamma[i]);
    c->member[i] = back < HUGE_VAL && fabs(c->u[i]) <= limits->rest_speed;
    slow = c->member[i] ? fmax(slow, back) : slow;
    fast = c->member[i] ? fast : fmin(fast, back);
  }
  if (!(slow > 0) || !(fast > threshold_rest_separation * slow)) {
    return false;
  }
  for (size_t i = 0; i < c->k; i++) {
    c->g[i] = c->member[i] ? 0 : c->g[i];
    c->u[i] = c->member[i] ? 0 : c->u[i];
  }
  if (c->problem->tangents != NULL) {
    dls_cluster_tangents_rest(c->problem->tangents, c->k, c->member);
  }
  c->broken = !update_forces(c);
  c->came_to_rest = true;
  return true;
}

dls_cluster_sums *dls_cluster_run(dls_cluster *c, const dls_cluster_problem *problem,
                                  const dls_cluster_limits *limits)
{
  bool found = false;
  bool going = begin(c, problem);
  while (going && is_within(c, limits)) {
    const bool ends = pass_single_series(c, limits) ||
                      (problem->tangents == NULL && pass_repetitions(c, limits)) ||
                      (c->impacts > 0 && bring_to_rest(c, limits));
    going = ends ? !c->broken : strike(c, limits);
    if (ends && going && is_within(c, limits)) {
      save(c);
      found = true;
    }
  }
  return found ? &c->found : NULL;
}

/* A flight of length dt: the moments sum P (tau - s) of (1)-(3) grow with tau, and lambda is constant. */
void dls_cluster_advance(dls_cluster_sums *sums, size_t k, double dt)
{
  for (size_t i = 0; i < k; i++) {
    sums->PM[i] += sums->P[i] * dt;                                /* sum P (tau - s) */
    sums->LM[i] += dt * (sums->L[i] + 0.5 * dt * sums->lambda[i]); /* int lambda (tau - s) ds */
    sums->L[i] += dt * sums->lambda[i];                            /* int lambda ds */
  }
  sums->tau += dt;
  sums->next -= dt;
}
