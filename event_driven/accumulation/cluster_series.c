/* event_driven/accumulation/cluster_series.c -- infinite series of impacts in a cluster, summed.
 *
 * One contact i that has just left with V = u_i > 0 and falls back by itself, A = -u_i' > 0, while the others that rest
 * stay at rest: unit impulses on i come with x on those that rest, and W x = 0 there. Then, with w = (W x)_i,
 *   tau = 2 V / (A (1 - e)),   sum P = (1 + e) V / ((1 - e) w) x,   sum P (tau - s) = 2 e V^2 / (w A (1 - e)^2) x.
 * A sub-cluster whose state after a word of impacts is (rho^2 g, rho u), with time T_c, impulses P_c and moments m_c of
 * the last repetition:
 *   tau = T_c rho / (1 - rho),   sum P = P_c rho / (1 - rho),
 *   sum P (tau - s) = (m_c + P_c T_c rho / (1 - rho)) rho^2 / (1 - rho^2).
 * Both only if no contact outside reaches zero on the way.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/accumulation/cluster_motion.h"
#include <math.h>
#include <string.h>

static const double held = 1e-9;       /* (W x) of a contact that stays at rest, where that of i is 1 */
static const double alike = 1e-10;     /* relative difference of states that repeat themselves */
static const double least_loss = 1e-6; /* 1 - rho of a series that can be told from a lasting motion */
enum { LONGEST_SEQUENCE = 20, REPETITIONS = 3 };

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
      du += dls_cluster_w(c, i, j) * (c->dP[j] + c->dL[j]);
      dg += dls_cluster_w(c, i, j) * (c->dPM[j] + c->dLM[j]);
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
  c->broken = !dls_cluster_forces(c);
}

/* The impacts of the members are part of one series from now on: one letter in place of theirs. */
static void merge_marks(dls_cluster *c, size_t who)
{
  while (c->history_count > 0 && c->member[c->history[c->history_count - 1].who]) {
    c->history_count--;
  }
  dls_cluster_remember(c, c->member, who, 1);
}

/* dP := x, the impulses that come with (W x)_i = 1; false if one that rests would be thrown off. */
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
  if (!dls_cluster_solve(c, count)) {
    return false;
  }
  bool all_held = true;
  for (size_t j = 0; j < count; j++) {
    c->dP[c->set[j]] = c->z[j];
    all_held = all_held && fabs(c->w[j]) <= held;
  }
  return all_held && dls_cluster_sticks(c, c->dP, 0);
}

static bool pass_one(dls_cluster *c, size_t i, const dls_cluster_limits *limits)
{
  const double V = c->u[i], A = -c->gamma[i], rest = 1 - c->e[i];
  const double T = 2 * V / (A * rest);
  if (!(c->s + T <= limits->time) || !response(c, i)) {
    return false;
  }
  const double impulse = (1 + c->e[i]) * V / rest;               /* sum P w              */
  const double moment = 2 * c->e[i] * V * V / (A * rest * rest); /* sum P (tau - s) w    */
  for (size_t j = 0; j < c->k; j++) {
    double du = 0;
    for (size_t l = 0; l < c->k; l++) {
      du += dls_cluster_w(c, j, l) * impulse * c->dP[l];
    }
    if (j != i && !c->rests[j] && !stays_clear(c, j, fmin(du, 0), c->gamma[j], T)) {
      return false;
    }
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
  merge_marks(c, i);
  return true;
}

bool dls_cluster_pass_one(dls_cluster *c, const dls_cluster_limits *limits)
{
  for (size_t i = 0; i < c->k; i++) {
    const bool leaves = c->g[i] == 0 && c->u[i] > 0 && c->gamma[i] < 0;
    if (leaves && c->e[i] > 0 && c->e[i] < 1 && pass_one(c, i, limits)) {
      return true;
    }
  }
  return false;
}

/* The last three words of p letters are the same. */
static bool sequences_repeat(const dls_cluster *c, size_t p)
{
  if (c->history_count < REPETITIONS * p + 1) {
    return false;
  }
  const dls_cluster_impact *last = &c->history[c->history_count - 1];
  for (size_t i = 0; i <= (REPETITIONS - 1) * p; i++) {
    if (last[-(ptrdiff_t)i].signature != last[-(ptrdiff_t)(i + p)].signature) {
      return false;
    }
  }
  return true;
}

/* member := those that rest, or were hit or pressed between the marks. */
static void gather_members(dls_cluster *c, const dls_cluster_impact *from, const dls_cluster_impact *to)
{
  for (size_t i = 0; i < c->k; i++) {
    c->member[i] = c->rests[i] || to->P[i] > from->P[i] || to->L[i] > from->L[i];
  }
}

/* rho of the members' velocities from one mark to the other; 0 if the states are not alike. */
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
    if (c->member[i] && !(fabs(to->u[i] - rho * from->u[i]) <= alike * after &&
                          fabs(to->g[i] - rho * rho * from->g[i]) <= alike * rho * rho * gap)) {
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
      out[f][0][i] = c->member[i] ? P * sum : 0;
      out[f][1][i] = c->member[i] ? (m + P * T * sum) * square : 0;
    }
  }
  return T * sum;
}

static bool others_stay_clear(const dls_cluster *c, double T)
{
  for (size_t i = 0; i < c->k; i++) {
    double drop = 0;
    for (size_t j = 0; j < c->k; j++) {
      drop += fmin(dls_cluster_w(c, i, j) * (c->dP[j] + c->dL[j]), 0);
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
  for (size_t r = 1; r < REPETITIONS; r++) {
    const double earlier = contraction(c, last - (r + 1) * p, last - r * p);
    if (!(fabs(earlier - rho) <= alike)) {
      return false;
    }
  }
  if (!(rho > 0 && rho < 1 - least_loss)) {
    return false;
  }
  const double T = sum_repetitions(c, last - p, last, rho);
  if (!(c->s + T <= limits->time) || !others_stay_clear(c, T)) {
    return false;
  }
  const size_t who = last->who;
  apply(c, T);
  merge_marks(c, who);
  return true;
}

bool dls_cluster_pass_cycle(dls_cluster *c, const dls_cluster_limits *limits)
{
  for (size_t p = 1; p <= LONGEST_SEQUENCE; p++) {
    if (sequences_repeat(c, p) && pass_sequence(c, p, limits)) {
      return true;
    }
  }
  return false;
}
