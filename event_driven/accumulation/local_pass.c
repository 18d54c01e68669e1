/* event_driven/accumulation/local_pass.c -- the motion of the contacts near an accumulation with the coefficients of one state, and the
 * friction in it.
 *
 *   slips        P_T = -mu P e in all impacts, if impacts and forces keep the slip in its direction e: with the sums P, L of impulses and forces
 *              e.u_T + sum_j min(0, e.W_Tj) (P_j + L_j) + min(0, e.u_T') tau >= 0
 *   stationary   P_T = -W_TT^-1 W_TN P, cut off at the limit of friction, and at the end the impulse that stops the slip, if |P_T| <= mu P
 *
 * A stationary contact that bounces also slips by the impulses of others, up to its own next impact. The passes neglect this slip and
 * the friction that stops it, which changes all impulses. If it exceeds tol, the sums are those of the one impact below: with u_N = 0
 * and u_T = 0, or P_T = -mu P e, at the end of every contact that rests, they do not depend on the order of the impacts.
 *
 * If a contact is neither (its slip ends or turns in one of the next impacts), the series is not passed, and the next impact is made.
 * Where flights are too low for that, the sums are those of one impact without restitution from where the flights would have led
 * without impulses. They are exactly those of the series where friction keeps its direction, since u_N = 0 at its end, and in their
 * cones in any case.
 *
 * Contacts that stick: u_T = 0 is kept on their tangents T, by
 *   P_T = C P,   C = -W_TT^-1 W_TD,      r_T = C lambda + f,   f = -W_TT^-1 u_T'   (u_T' without contact forces),
 * so that the other contacts have W + W_NT C and a + W_NT f. The cluster checks |P_T| <= mu_s P_N in every impact and |r_T| <= mu_s
 * lambda_N in between (cluster.h); where that fails the contact slips, and the series is not passed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/accumulation/local_pass.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_dense.h>

void dls_accumulation_destroy(dls_accumulation *acc)
{
  if (acc == NULL) {
    return;
  }
  for (size_t i = 0; i < 2; i++) {
    dls_cluster_destroy(acc->local_pass[i].cluster);
  }
  free(acc->set);
  free(acc->tangency);
  free(acc->in);
  free(acc->fixed);
  free(acc->tangent);
  free(acc->column);
  free(acc->block);
  free(acc);
}

bool dls_local_pass_reserve(dls_accumulation *acc, size_t k)
{
  if (k <= acc->capacity) {
    return true;
  }
  dls_local_pass *first = &acc->local_pass[0], *second = &acc->local_pass[1];
  const size_t p = (acc->d - 1) * k;
  acc->capacity = 0;
  free(acc->block);
  free(acc->tangent);
  free(acc->column);
  acc->block = dls_arrays((const dls_slot[]){
      {k, {&acc->e, &acc->g, &acc->u, &acc->gap_error, &acc->P, &acc->mu, &first->a, &second->a}},
      {dls_size_product(p, p + k + 1), {&acc->A}},
      {2 * p, {&acc->along}},
      {dls_size_product(k, k), {&first->W, &second->W}},
      {dls_size_product(p, k + 1), {&first->C, &second->C}},
      {0}});
  acc->tangent = calloc(2 * p + 1, sizeof *acc->tangent);
  acc->column = calloc(p + 1, sizeof *acc->column);
  if (acc->block == NULL || acc->tangent == NULL || acc->column == NULL) {
    return false;
  }
  acc->owner = acc->tangent + p;
  for (size_t i = 0; i < 2; i++) {
    dls_cluster_destroy(acc->local_pass[i].cluster);
    acc->local_pass[i].cluster = dls_cluster_create(k);
    if (acc->local_pass[i].cluster == NULL) {
      return false;
    }
  }
  acc->capacity = k;
  return true;
}

dls_accumulation *dls_accumulation_create(size_t n, size_t m, size_t d)
{
  dls_accumulation *acc = calloc(1, sizeof *acc);
  if (acc == NULL) {
    return NULL;
  }
  dls_local_pass *first = &acc->local_pass[0], *second = &acc->local_pass[1];
  acc->d = d;
  acc->set = calloc(m, sizeof *acc->set);
  acc->tangency = calloc(m, sizeof *acc->tangency);
  acc->in = calloc(m, sizeof *acc->in);
  acc->fixed = dls_arrays(
      (const dls_slot[]){{2 * m, {&acc->direction, &first->c, &second->c}},
                         {d * m, {&acc->r}},
                         {n, {&first->drift, &first->q, &first->v, &second->drift, &second->q, &second->v}},
                         {0}});
  if (acc->set == NULL || acc->tangency == NULL || acc->in == NULL || acc->fixed == NULL ||
      !dls_local_pass_reserve(acc, dls_local_pass_contacts_at_once(m))) {
    dls_accumulation_destroy(acc);
    return NULL;
  }
  return acc;
}

/* --- friction of contacts that bounce or slip --- */

void dls_local_pass_choose_tangency(const dls_event_integrator *run, dls_accumulation *acc, double stationary)
{
  const double none = threshold_slip_rounding * run->method.sys->length / run->method.sys->time;
  for (size_t i = 0; i < acc->k; i++) {
    const dls_contact *contact = &run->state.contact[acc->set[i]];
    const bool closed = contact->closed && contact->mode.kind == DLS_MODE_SLIPS;
    const double size = dls_slip_direction(run, acc->set[i], run->sim->v, acc->direction + 2 * i);
    acc->tangency[i] =
        contact->has_friction && (closed || size > fmax(stationary, none + run->method.eps.u * acc->u[i]))
            ? DLS_TANGENCY_SLIPS
            : DLS_TANGENCY_STATIONARY;
  }
}

/* c := -W_TT^-1 W_TN, of size mu at most. */
static void column_of_still(const dls_event_method *method, dls_event_work *work, size_t j, double *c)
{
  const size_t N = method->d * j;
  dls_delassus *W = work->contacts.W;
  const double a = dls_delassus_entry(W, N + 1, N + 1), x = dls_delassus_entry(W, N + 1, N);
  if (method->d == 2) {
    c[0] = -x / a;
  } else {
    const double b = dls_delassus_entry(W, N + 1, N + 2), d = dls_delassus_entry(W, N + 2, N + 2),
                 y = dls_delassus_entry(W, N + 2, N), det = a * d - b * b, both = a + d;
    const bool line = det <= threshold_rank_rounding * both * both; /* W_TT = both f f^T */
    c[0] = line ? -(a * x + b * y) / (both * both) : -(d * x - b * y) / det;
    c[1] = line ? -(b * x + d * y) / (both * both) : -(a * y - b * x) / det;
  }
  const double most = hypot(c[0], c[1]), mu = method->sys->mu[j];
  for (size_t i = 0; most > mu && i < 2; i++) {
    c[i] *= mu / most;
  }
}

/* c := -mu e with the direction of the i-th contact for v, which in space may have turned since the start. */
static void column_of_slip(const dls_event_integrator *run, const dls_accumulation *acc, size_t i,
                           const double *v, double *c)
{
  const double *direction = acc->turning != NULL ? acc->turning + 3 * i : acc->direction + 2 * i;
  const size_t j = acc->set[i];
  double e[2] = {direction[0], direction[1]}, u[2];
  if (run->method.d == 3 && acc->turning != NULL) {
    dls_slip_of(&run->method, &run->work, j, v, u);
    const double turn = (e[0] * u[1] - e[1] * u[0]) / direction[2];
    e[0] -= turn * direction[1];
    e[1] += turn * direction[0];
  } else if (run->method.d == 3 && dls_slip_direction(run, j, v, u) > 0 && e[0] * u[0] + e[1] * u[1] > 0) {
    memcpy(e, u, sizeof e);
  }
  for (size_t l = 0; l + 1 < run->method.d; l++) {
    c[l] = -run->method.sys->mu[j] * e[l];
  }
}

/* local_pass->c of the contacts that are not held, for v with the current geometry. */
static void friction_columns(dls_event_integrator *run, const dls_accumulation *acc, const double *v,
                             dls_local_pass *local_pass)
{
  for (size_t i = 0; i < acc->k; i++) {
    const size_t j = acc->set[i];
    double *c = local_pass->c + 2 * i;
    c[0] = c[1] = 0;
    if (acc->tangency[i] == DLS_TANGENCY_SLIPS) {
      column_of_slip(run, acc, i, v, c);
    } else if (acc->tangency[i] == DLS_TANGENCY_STATIONARY && run->state.contact[j].has_friction) {
      column_of_still(&run->method, &run->work, j, c);
    }
  }
}

/* --- friction of contacts that stick --- */

static bool is_held(const dls_event_integrator *run, const dls_accumulation *acc, size_t j, double stationary)
{
  double u[2];
  return run->state.contact[j].mode.kind == DLS_MODE_STICKS ||
         (acc->sticking == DLS_STICKING_FORCED &&
          dls_slip_of(&run->method, &run->work, j, run->sim->v, u) <= stationary);
}

void dls_local_pass_choose_held(const dls_event_integrator *run, dls_accumulation *acc, double stationary)
{
  acc->held = 0;
  for (size_t i = 0; i < acc->k; i++) {
    const size_t j = acc->set[i];
    const dls_contact *contact = &run->state.contact[j];
    double e[2][2] = {{1, 0}, {0, 1}}; /* all tangents */
    acc->mu[i] = contact->mode.mu;
    if (!contact->has_friction || !contact->closed || !is_held(run, acc, j, stationary)) {
      continue;
    }
    acc->tangency[i] = DLS_TANGENCY_HELD;
    acc->local_pass[0].c[2 * i] = acc->local_pass[0].c[2 * i + 1] = 0;
    acc->local_pass[1].c[2 * i] = acc->local_pass[1].c[2 * i + 1] = 0;
    const size_t count = contact->mode.kind == DLS_MODE_STICKS
                             ? dls_mode_solver_free_directions(run->work.solver, j, e)
                             : run->method.d - 1;
    for (size_t k = 0; k < count; k++) {
      acc->owner[acc->held] = i;
      acc->tangent[acc->held] = run->method.d * j + 1;
      memcpy(acc->along + 2 * acc->held++, e[k], sizeof e[k]);
    }
  }
}

/* W of row `row` of u and held tangent s. */
static double held_coupling(const dls_event_method *method, dls_event_work *work, const dls_accumulation *acc,
                            size_t row, size_t s)
{
  double w = 0;
  for (size_t k = 0; k + 1 < method->d; k++) {
    const double part = acc->along[2 * s + k];
    w += part != 0 ? part * dls_delassus_entry(work->contacts.W, row, acc->tangent[s] + k) : 0;
  }
  return w;
}

/* W of row `row` of u and the column N + T c of the i-th contact, without the reaction of those that stick. */
static double uncoupled_row(const dls_event_method *method, dls_event_work *work, const dls_accumulation *acc,
                            const dls_local_pass *local_pass, size_t row, size_t i)
{
  const size_t first = method->d * acc->set[i];
  double w = dls_delassus_entry(work->contacts.W, row, first);
  for (size_t k = 1; k < method->d; k++) {
    const double c = local_pass->c[2 * i + k - 1];
    w += c != 0 ? c * dls_delassus_entry(work->contacts.W, row, first + k) : 0;
  }
  return w;
}

double dls_local_pass_row(const dls_event_method *method, dls_event_work *work, const dls_accumulation *acc,
                          const dls_local_pass *local_pass, size_t row, size_t i)
{
  double w = uncoupled_row(method, work, acc, local_pass, row, i);
  for (size_t s = 0; s < acc->held; s++) {
    w += held_coupling(method, work, acc, row, s) * local_pass->C[s + acc->held * i];
  }
  return w;
}

/* A = [W_TT, R] := [., (W_TT + soft)^-1 R]; W_TT is symmetric and positive semi-definite. */
static void solve_held(dls_accumulation *acc, size_t columns)
{
  const size_t p = acc->held;
  double largest = 0;
  for (size_t s = 0; s < p; s++) {
    acc->column[s] = acc->A + p * s;
    largest = fmax(largest, acc->column[s][s]);
  }
  for (size_t s = 0; s < p; s++) {
    acc->column[s][s] += threshold_held_damping * largest;
  }
  SUNDlsMat_densePOTRF(acc->column, (sunindextype)p);
  for (size_t c = p; c < columns; c++) {
    SUNDlsMat_densePOTRS(acc->column, (sunindextype)p, acc->A + p * c);
  }
}

/* A := [W_TT, -W_TD, -u_T']. */
static void assemble_held(const dls_event_method *method, dls_event_work *work, const dls_accumulation *acc,
                          const dls_local_pass *local_pass)
{
  const size_t p = acc->held, k = acc->k;
  double *A = acc->A;
  memset(A, 0, p * (p + k + 1) * sizeof *A);
  for (size_t s = 0; s < p; s++) {
    for (size_t l = 0; l + 1 < method->d; l++) {
      const size_t row = acc->tangent[s] + l;
      const double part = acc->along[2 * s + l];
      for (size_t c = 0; c < p; c++) {
        A[s + p * c] += part * held_coupling(method, work, acc, row, c);
      }
      for (size_t i = 0; i < k; i++) {
        A[s + p * (p + i)] -= part * uncoupled_row(method, work, acc, local_pass, row, i);
      }
      A[s + p * (p + k)] -= part * (dls_matrix_column_dot(work->contacts.config->H, row, local_pass->drift) +
                                    work->contacts.curvature[row]);
    }
  }
}

/* The friction of held tangent s with the normal impulses P; with P = NULL f. */
static double friction_of_tangent(const dls_accumulation *acc, const dls_local_pass *local_pass, size_t s,
                                  const double *P)
{
  double sum = P == NULL ? local_pass->C[s + acc->held * acc->k] : 0;
  for (size_t i = 0; P != NULL && i < acc->k; i++) {
    sum += local_pass->C[s + acc->held * i] * P[i];
  }
  return sum;
}

void dls_local_pass_held_friction(const dls_event_method *method, const dls_accumulation *acc,
                                  const dls_local_pass *local_pass, double part, const double *P, size_t i,
                                  double *friction)
{
  for (size_t s = 0; s < acc->held; s++) {
    for (size_t k = 0; acc->owner[s] == i && k + 1 < method->d; k++) {
      friction[k] += part * acc->along[2 * s + k] * friction_of_tangent(acc, local_pass, s, P);
    }
  }
}

/* x += alpha M^-1 D P with the columns of the set and C; P = NULL: with f alone. Overwrites acc->r. */
static void apply_impulses(const dls_event_method *method, dls_event_work *work, dls_accumulation *acc,
                           const dls_local_pass *local_pass, double alpha, const double *P, double *x)
{
  const dls_contacts set = {acc->k, acc->set};
  for (size_t i = 0; i < acc->k; i++) {
    for (size_t k = 0; k < method->d; k++) {
      acc->r[method->d * i + k] = P == NULL ? 0 : P[i] * (k == 0 ? 1 : local_pass->c[2 * i + k - 1]);
    }
  }
  for (size_t i = 0; acc->held > 0 && i < acc->k; i++) {
    dls_local_pass_held_friction(method, acc, local_pass, 1, P, i, acc->r + method->d * i + 1);
  }
  dls_contact_system_apply(&work->contacts, &set, alpha, acc->r, x);
}

/* Add the reaction of the sticking contacts to W, a and drift of the pass, with the same geometry and v. */
static void add_held_contacts(const dls_event_method *method, dls_event_work *work, dls_accumulation *acc,
                              const double *v, dls_local_pass *local_pass)
{
  const size_t p = acc->held, k = acc->k;
  if (p == 0) {
    return;
  }
  dls_configuration_curvature(work->contacts.config, v, work->contacts.curvature);
  assemble_held(method, work, acc, local_pass);
  solve_held(acc, p + k + 1);
  memcpy(local_pass->C, acc->A + p * p, p * (k + 1) * sizeof *local_pass->C);
  for (size_t i = 0; i < k; i++) {
    for (size_t s = 0; s < p; s++) {
      const double w = held_coupling(method, work, acc, method->d * acc->set[i], s);
      local_pass->a[i] += w * local_pass->C[s + p * k];
      for (size_t j = 0; j < k; j++) {
        local_pass->W[i + k * j] += w * local_pass->C[s + p * j];
      }
    }
  }
  apply_impulses(method, work, acc, local_pass, 1, NULL, local_pass->drift);
}

/* --- the motion --- */

/* W, a, M^-1 F at t, q, v with the geometry as at q. */
void dls_local_pass_set_coefficients(dls_event_integrator *run, dls_accumulation *acc, double t,
                                     const double *q, const double *v, dls_local_pass *local_pass)
{
  dls_geometry_free_gap_acceleration(run, t, q, v, acc->k, acc->set, local_pass->a);
  memcpy(local_pass->drift, run->work.a, run->method.n * sizeof *local_pass->drift);
  friction_columns(run, acc, v, local_pass);
  for (size_t j = 0; j < acc->k; j++) {
    for (size_t i = 0; i < acc->k; i++) {
      local_pass->W[i + acc->k * j] =
          uncoupled_row(&run->method, &run->work, acc, local_pass, run->method.d * acc->set[i], j);
    }
  }
  add_held_contacts(&run->method, &run->work, acc, v, local_pass);
}

void dls_local_pass_record_slip(dls_accumulation *acc, bool slips)
{
  if (slips && acc->sticking == DLS_STICKING_KEPT) {
    acc->sticking = DLS_STICKING_BROKEN;
  }
}

void dls_local_pass_run(dls_accumulation *acc, dls_local_pass *local_pass, const dls_cluster_limits *limits)
{
  const dls_cluster_problem problem = {.k = acc->k,
                                       .W = local_pass->W,
                                       .a = local_pass->a,
                                       .e = acc->e,
                                       .g = acc->g,
                                       .u = acc->u,
                                       .gap_error = acc->gap_error,
                                       .held = acc->held,
                                       .owner = acc->owner,
                                       .C = local_pass->C,
                                       .mu = acc->sticking == DLS_STICKING_FORCED ? NULL : acc->mu};
  local_pass->sums = dls_cluster_run(local_pass->cluster, &problem, limits);
  dls_local_pass_record_slip(acc, dls_cluster_slips(local_pass->cluster));
}

/* (1), (2) of accumulation.c. */
void dls_local_pass_set_end_state(dls_event_integrator *run, dls_accumulation *acc, dls_local_pass *local_pass)
{
  const dls_cluster_sums *s = local_pass->sums;
  const double tau = s->tau;
  const double *q = run->sim->q, *v = run->sim->v, *drift = local_pass->drift;
  for (size_t i = 0; i < run->method.n; i++) {
    local_pass->v[i] = v[i] + tau * drift[i];                      /* (1) v + M^-1 F tau */
    local_pass->q[i] = q[i] + tau * (v[i] + 0.5 * tau * drift[i]); /* (2) q + v tau + M^-1 F tau^2 / 2 */
  }
  apply_impulses(&run->method, &run->work, acc, local_pass, 1, s->P, local_pass->v);  /* (1) sum P */
  apply_impulses(&run->method, &run->work, acc, local_pass, 1, s->L, local_pass->v);  /* (1) int lambda */
  apply_impulses(&run->method, &run->work, acc, local_pass, 1, s->PM, local_pass->q); /* (2) sum P (tau - s) */
  apply_impulses(&run->method, &run->work, acc, local_pass, 1, s->LM,
                 local_pass->q); /* (2) int lambda (tau - s) */
}

/* --- is slip what the pass took it for? --- */

/* All that brakes the slip of the i-th contact in the first pass [m/s]; the curvature is that at the start. */
static double slip_braking(const dls_event_method *method, dls_event_work *work, const dls_accumulation *acc,
                           size_t i)
{
  const dls_local_pass *local_pass = &acc->local_pass[0];
  const dls_cluster_sums *sums = local_pass->sums;
  const double *e = acc->direction + 2 * i;
  double rate = 0, sum = 0;
  for (size_t l = 0; l + 1 < method->d; l++) {
    const size_t row = method->d * acc->set[i] + 1 + l;
    rate += e[l] * (dls_matrix_column_dot(work->contacts.config->H, row, local_pass->drift) +
                    work->contacts.curvature[row]);
  }
  for (size_t j = 0; j < acc->k; j++) {
    double w = 0;
    for (size_t l = 0; l + 1 < method->d; l++) {
      w += e[l] * dls_local_pass_row(method, work, acc, local_pass, method->d * acc->set[i] + 1 + l, j);
    }
    sum += fmin(0, w) * (sums->P[j] + sums->L[j]);
  }
  return sum + fmin(0, rate) * sums->tau;
}

bool dls_local_pass_slip_lasts(dls_event_integrator *run, const dls_accumulation *acc, bool closed)
{
  const double none = threshold_slip_rounding * run->method.sys->length / run->method.sys->time;
  dls_configuration_curvature(run->work.contacts.config, run->sim->v, run->work.contacts.curvature);
  for (size_t i = 0; i < acc->k; i++) {
    double e[2];
    if (acc->tangency[i] == DLS_TANGENCY_SLIPS && run->state.contact[acc->set[i]].closed == closed &&
        dls_slip_direction(run, acc->set[i], run->sim->v, e) + slip_braking(&run->method, &run->work, acc, i) <
            -none) {
      return false;
    }
  }
  return true;
}

double dls_local_pass_neglected_slip(dls_event_integrator *run, const dls_accumulation *acc)
{
  const dls_local_pass *local_pass = &acc->local_pass[0];
  double most = 0;
  dls_configuration_curvature(run->work.contacts.config, run->sim->v, run->work.contacts.curvature);
  for (size_t i = 0; acc->k > 1 && i < acc->k; i++) {
    const size_t first = run->method.d * acc->set[i] + 1;
    double slip = 0;
    for (size_t l = 0; acc->tangency[i] == DLS_TANGENCY_STATIONARY &&
                       run->state.contact[acc->set[i]].has_friction && l + 1 < run->method.d;
         l++) {
      slip += local_pass->sums->tau *
              fabs(dls_matrix_column_dot(run->work.contacts.config->H, first + l, local_pass->drift) +
                   run->work.contacts.curvature[first + l]);
      for (size_t j = 0; j < acc->k; j++) {
        slip += fabs(dls_local_pass_row(&run->method, &run->work, acc, local_pass, first + l, j)) *
                (local_pass->sums->P[j] + local_pass->sums->L[j]);
      }
    }
    most = fmax(most, slip);
  }
  return most;
}
