/* event_driven/accumulation/accumulation_hold.c -- contacts that stick beside an accumulation: u_T = 0 is kept on their tangents T, by
 *   P_T = C P,   C = -W_TT^-1 W_TD,      r_T = C lambda + f,   f = -W_TT^-1 u_T'   (u_T' without contact forces),
 * so that the others see W + W_NT C and a + W_NT f. The cluster watches that |P_T| <= mu_s P_N in every impact and |r_T| <= mu_s lambda_N in between
 * (cluster.h); where that fails the contact slips, and the series is not passed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/accumulation/accumulation_parts.h"
#include <math.h>
#include <string.h>
#include <sundials/sundials_dense.h>

static const double soft = 1e-9; /* of W_TT: tangents that depend on others share what they carry */

static bool is_held(const dls_event_integrator *tr, const dls_accumulation *acc, size_t j, double stationary)
{
  double u[2];
  return tr->contact[j].grip.kind == DLS_GRIP_STICKS ||
         (acc->sticking == DLS_STICKING_FORCED && dls_slip_of(tr, j, tr->sim->v, u) <= stationary);
}

void dls_local_pass_choose_held(const dls_event_integrator *tr, dls_accumulation *acc, double stationary)
{
  acc->held = 0;
  for (size_t i = 0; i < acc->k; i++) {
    const size_t j = acc->set[i];
    const dls_contact *contact = &tr->contact[j];
    double e[2][2] = {{1, 0}, {0, 1}}; /* all tangents */
    acc->mu[i] = contact->grip.mu;
    if (!contact->has_friction || !contact->closed || !is_held(tr, acc, j, stationary)) {
      continue;
    }
    acc->tangency[i] = DLS_TANGENCY_HELD;
    acc->local_pass[0].c[2 * i] = acc->local_pass[0].c[2 * i + 1] = 0;
    acc->local_pass[1].c[2 * i] = acc->local_pass[1].c[2 * i + 1] = 0;
    const size_t count =
        contact->grip.kind == DLS_GRIP_STICKS ? dls_grips_free_tangents(tr->grips, j, e) : tr->d - 1;
    for (size_t k = 0; k < count; k++) {
      acc->owner[acc->held] = i;
      acc->tangent[acc->held] = tr->d * j + 1;
      memcpy(acc->along + 2 * acc->held++, e[k], sizeof e[k]);
    }
  }
}

/* Row `row` of u against held tangent s. */
static double held_coupling(dls_event_integrator *tr, const dls_accumulation *acc, size_t row, size_t s)
{
  double w = 0;
  for (size_t k = 0; k + 1 < tr->d; k++) {
    const double part = acc->along[2 * s + k];
    w += part != 0 ? part * dls_delassus_entry(tr->stage.W, row, acc->tangent[s] + k) : 0;
  }
  return w;
}

double dls_local_pass_normal_row(dls_event_integrator *tr, const dls_accumulation *acc,
                                 const dls_local_pass *local_pass, size_t row, size_t i)
{
  const size_t first = tr->d * acc->set[i];
  double w = dls_delassus_entry(tr->stage.W, row, first);
  for (size_t k = 1; k < tr->d; k++) {
    const double c = local_pass->c[2 * i + k - 1];
    w += c != 0 ? c * dls_delassus_entry(tr->stage.W, row, first + k) : 0;
  }
  return w;
}

double dls_local_pass_row(dls_event_integrator *tr, const dls_accumulation *acc,
                          const dls_local_pass *local_pass, size_t row, size_t i)
{
  double w = dls_local_pass_normal_row(tr, acc, local_pass, row, i);
  for (size_t s = 0; s < acc->held; s++) {
    w += held_coupling(tr, acc, row, s) * local_pass->C[s + acc->held * i];
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
    acc->column[s][s] += soft * largest;
  }
  SUNDlsMat_densePOTRF(acc->column, (sunindextype)p);
  for (size_t c = p; c < columns; c++) {
    SUNDlsMat_densePOTRS(acc->column, (sunindextype)p, acc->A + p * c);
  }
}

/* A := [W_TT, -W_TD, -u_T']. */
static void assemble_held(dls_event_integrator *tr, const dls_accumulation *acc,
                          const dls_local_pass *local_pass)
{
  const size_t p = acc->held, k = acc->k;
  double *A = acc->A;
  memset(A, 0, p * (p + k + 1) * sizeof *A);
  for (size_t s = 0; s < p; s++) {
    for (size_t l = 0; l + 1 < tr->d; l++) {
      const size_t row = acc->tangent[s] + l;
      const double part = acc->along[2 * s + l];
      for (size_t c = 0; c < p; c++) {
        A[s + p * c] += part * held_coupling(tr, acc, row, c);
      }
      for (size_t i = 0; i < k; i++) {
        A[s + p * (p + i)] -= part * dls_local_pass_normal_row(tr, acc, local_pass, row, i);
      }
      A[s + p * (p + k)] -=
          part * (dls_matrix_column_dot(tr->stage.place->H, row, local_pass->drift) + tr->stage.curvature[row]);
    }
  }
}

void dls_local_pass_constrain(dls_event_integrator *tr, dls_accumulation *acc, const double *v,
                              dls_local_pass *local_pass)
{
  const size_t p = acc->held, k = acc->k;
  if (p == 0) {
    return;
  }
  dls_place_curvature(tr->stage.place, v, tr->stage.curvature);
  assemble_held(tr, acc, local_pass);
  solve_held(acc, p + k + 1);
  memcpy(local_pass->C, acc->A + p * p, p * (k + 1) * sizeof *local_pass->C);
  for (size_t i = 0; i < k; i++) {
    for (size_t s = 0; s < p; s++) {
      const double w = held_coupling(tr, acc, tr->d * acc->set[i], s);
      local_pass->a[i] += w * local_pass->C[s + p * k];
      for (size_t j = 0; j < k; j++) {
        local_pass->W[i + k * j] += w * local_pass->C[s + p * j];
      }
    }
  }
  dls_local_pass_apply(tr, acc, local_pass, 1, NULL, local_pass->drift);
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

void dls_local_pass_held_friction(const dls_event_integrator *tr, const dls_accumulation *acc,
                                  const dls_local_pass *local_pass, double part, const double *P, size_t i,
                                  double *friction)
{
  for (size_t s = 0; s < acc->held; s++) {
    for (size_t k = 0; acc->owner[s] == i && k + 1 < tr->d; k++) {
      friction[k] += part * acc->along[2 * s + k] * friction_of_tangent(acc, local_pass, s, P);
    }
  }
}

void dls_local_pass_apply(dls_event_integrator *tr, dls_accumulation *acc, const dls_local_pass *local_pass,
                          double alpha, const double *P, double *x)
{
  const dls_contacts set = {acc->k, acc->set};
  for (size_t i = 0; i < acc->k; i++) {
    for (size_t k = 0; k < tr->d; k++) {
      acc->r[tr->d * i + k] = P == NULL ? 0 : P[i] * (k == 0 ? 1 : local_pass->c[2 * i + k - 1]);
    }
  }
  for (size_t i = 0; acc->held > 0 && i < acc->k; i++) {
    dls_local_pass_held_friction(tr, acc, local_pass, 1, P, i, acc->r + tr->d * i + 1);
  }
  dls_stage_apply(&tr->stage, &set, alpha, acc->r, x);
}
