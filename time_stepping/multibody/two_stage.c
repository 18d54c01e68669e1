/* two_stage.c -- with F*, G* of segment.h, Lambda = h mu, N = h eta:
 *
 *   M (v' - v)   = h F_g + G_g Lambda_g                                                                     (1)
 *   M (v_j - v)  = -h/3 (F_g - F_h) + alpha h/6 (F_j - F_k) - 1/3 (G_g Lambda_g - G_h Lambda_j)              (2)
 *   M (q' - q)   = kappa h/2 M (v' + v_j) + kappa/2 (G' N' + G_j N_j)                                       (3)
 *   M (q_j - q)  = -kappa h/6 M (v' - alpha v_j - (1 - alpha) v) - kappa/6 (G' N' - G_j N_j)                (4)
 *   Phi(q_j) = Phi(q') = 0   and, with N,   G_j^T v_j = G'^T v' = 0                                        (5)
 *
 * tdg-alpha is that without N and with kappa = 1. Newton's method in all unknowns together. With
 *   S = [N_j . G_j^T (v' + v_j - 2 v) + N' . G'^T (v' - v_j)]/h,   T: kinetic energy,
 *   kappa = 2 dT/(2 dT + S)   makes the energy that of alpha alone; found by repeating the step.            (6)
 * Source: Lens & Cardona 2007, eqs. (47), (66), (69), (71).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "common/linear/storage.h"
#include "time_stepping/multibody/two_stage_terms.h"
#include "time_stepping/step/joint_steps.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KAPPA_PASSES = 50, PLAIN_PASSES = 8 };
/* Energy errors of kappa, in units of the kinetic energies: the goal, and the limit accepted if rounding prevents it. */
static const double kappa_tol = 4e-16, kappa_accepted = 1e-12;
/* kappa is 1 + O(h). Outside this range, where dT is near 0, it is set to 1. */
static const double least_kappa = 0.5, most_kappa = 1.5;
/* Chord iterations (Kelley 1995, section 5.4.1): the largest ratio of two increments with the same J, as a J costs about as much as four
 * iterations; the error that is left is at most the tolerance of increments over chord_error, about rounding of a velocity. */
static const double slowest_chord = 0.1, chord_error = 1e5;

void dls_two_stage_finish(dls_sim *sim)
{
  dls_two_stage *s = sim->memory;
  if (s == NULL) {
    return;
  }
  dls_block_matrix_destroy(s->J);
  dls_segment_destroy(&s->g);
  dls_segment_destroy(&s->h);
  dls_matrix *const all[] = {s->G_j, s->G_next, s->turn_j, s->turn_next, s->geometric_j, s->geometric_next};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    dls_matrix_destroy(all[k]);
  }
  if (!sim->sys->linear) {
    dls_matrix_destroy(s->K_j);
    dls_matrix_destroy(s->C_j);
  }
  free(s->block);
  free(s);
}

static size_t offset(const dls_two_stage *s, int part)
{
  const size_t p = (size_t)part;
  return p <= 4 ? p * s->n : 4 * s->n + (p - 4) * s->r;
}

/* Where a row stands: at the unknown that it determines, after those that enter it. */
static size_t row_offset(const dls_two_stage *s, int row)
{
  static const int unknowns[2][8] = {{VN, VJ, QN, QJ, LG, LJ}, {VN, VJ, QN, QJ, NJ, NN, LJ, LG}};
  return offset(s, unknowns[s->velocities ? 1 : 0][row]);
}

static dls_block_matrix *create_matrix(const dls_two_stage *s, const dls_matrix *M, dls_fallbacks *fallbacks)
{
  dls_two_stage_term terms[DLS_TWO_STAGE_MOST];
  dls_matrix_block blocks[DLS_TWO_STAGE_MOST];
  const size_t count = dls_two_stage_terms(s, M, 1, terms);
  for (size_t k = 0; k < count; k++) {
    blocks[k] = (dls_matrix_block){terms[k].A, row_offset(s, terms[k].row), offset(s, terms[k].column),
                                   terms[k].transposed};
  }
  return dls_block_matrix_create(s->size, count, blocks, 4 * s->n, fallbacks);
}

static bool allocate_matrices(const dls_system *sys, dls_two_stage *s)
{
  s->K_j = sys->linear ? sys->K : dls_matrix_clone(sys->K);
  s->C_j = sys->linear ? sys->C : dls_matrix_clone(sys->C);
  s->G_j = dls_matrix_clone(sys->G);
  s->G_next = dls_matrix_clone(sys->G);
  const bool turns = dls_system_joint_gradient_varies(sys);
  s->turn_j = turns ? dls_matrix_clone(sys->G) : NULL;
  s->turn_next = turns ? dls_matrix_clone(sys->G) : NULL;
  s->geometric_j = dls_matrix_clone(sys->geometric);
  s->geometric_next = dls_matrix_clone(sys->geometric);
  const bool joints =
      s->G_j != NULL && s->G_next != NULL && (!turns || (s->turn_j != NULL && s->turn_next != NULL));
  return (s->K_j != NULL || sys->K == NULL) && (s->C_j != NULL || sys->C == NULL) && (joints || sys->r == 0) &&
         ((s->geometric_j != NULL && s->geometric_next != NULL) || sys->geometric == NULL);
}

/* @return false if out of memory */
static bool allocate(dls_sim *sim, dls_two_stage *s)
{
  const dls_system *sys = sim->sys;
  const dls_slot slots[] = {{s->size, {&s->x, &s->rhs}},
                            {s->n,
                             {&s->q_j, &s->q_next, &s->F_j, &s->F_start, &s->mean, &s->push_g, &s->push_h,
                              &s->push_j, &s->push_next, &s->work}},
                            {s->r, {&s->phi}},
                            {0}};
  s->block = dls_arrays(slots);
  return s->block != NULL && allocate_matrices(sys, s) && dls_segment_create(sim, &s->g) &&
         dls_segment_create(sim, &s->h) && (s->J = create_matrix(s, sys->M, &sim->work.fallbacks)) != NULL;
}

static bool radius_is_given(const dls_two_stage_kind *kind, const dls_two_stage_options *opt)
{
  return opt->rho_inf != 1 - kind->alpha;
}

dls_status dls_two_stage_check(const dls_scheme *self, const void *options, dls_error *err)
{
  static const size_t alpha[] = {offsetof(dls_two_stage_options, alpha)};
  char owner[80];
  snprintf(owner, sizeof owner, "scheme %s", self->name);
  return radius_is_given(self->kind, options)
             ? dls_option_unused(self->options, options, owner, 1, alpha,
                                 "rho_inf, an equivalent option; give one of them", err)
             : DLS_OK;
}

dls_status dls_two_stage_start(dls_sim *sim, dls_error *err)
{
  const dls_two_stage_options *opt = sim->options;
  const dls_two_stage_kind *kind = sim->scheme->kind;
  const dls_status status = dls_segment_applies(sim, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_two_stage *s = sim->memory = calloc(1, sizeof *s);
  if (s != NULL) {
    s->n = sim->sys->n;
    s->r = sim->sys->r;
    s->alpha = radius_is_given(kind, opt) ? (1 - opt->rho_inf) / (1 + opt->rho_inf) : opt->alpha;
    s->kappa = 1;
    s->velocities = kind->velocities && s->r > 0;
    s->size = 4 * s->n + (s->velocities ? 4 : 2) * s->r;
  }
  return s != NULL && allocate(sim, s)
             ? DLS_OK
             : dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sim->sys->n);
}

static double *part(const dls_two_stage *s, double *x, int which)
{
  return x + offset(s, which);
}

static double *row_of(const dls_two_stage *s, int row)
{
  return s->rhs + row_offset(s, row);
}

/* out := A y, 0 without A */
static void product(size_t n, const dls_matrix *A, const double *y, double *out)
{
  memset(out, 0, n * sizeof *out);
  if (A != NULL) {
    dls_matrix_multiply(A, 1, y, out);
  }
}

static void mean(size_t n, const double *x, const double *y, double *out)
{
  for (size_t i = 0; i < n; i++) {
    out[i] = 0.5 * (x[i] + y[i]);
  }
}

/* F*, G* and the forces of the joints on one of the two segments, and for J their derivatives. */
static void on_way(const dls_two_stage *s, dls_segment *interval, double t, const double *a, const double *b,
                   const double *momentum, bool with_J, double *push)
{
  dls_segment_force(interval, t, a, b, s->mean);
  if (with_J) {
    dls_segment_tangent(interval, t, a, b, s->mean);
  }
  if (s->r > 0) {
    dls_segment_joints(interval, t, a, b);
  }
  if (s->r > 0 && with_J) {
    dls_segment_geometric(interval, t, momentum);
  }
  product(s->n, interval->G, momentum, push);
}

static void forces(dls_sim *sim, dls_two_stage *s, double h, bool with_J)
{
  const dls_system *sys = sim->sys;
  double *x = s->x, *v_j = part(s, x, VJ);
  mean(s->n, v_j, part(s, x, VN), s->mean);
  on_way(s, &s->g, sim->t + h / 2, s->q_j, s->q_next, part(s, x, LG), with_J,
         s->push_g); /* F_g, G_g Lambda_g */
  mean(s->n, sim->v, v_j, s->mean);
  on_way(s, &s->h, sim->t, sim->q, s->q_j, part(s, x, LJ), with_J, s->push_h); /* F_h, G_h Lambda_j */
  dls_sim_force(sim, sim->t, s->q_j, v_j, s->F_j);                             /* F_j */
  if (!with_J) {
    return;
  }
  if (!sys->linear && sys->stiffness != NULL) {
    sys->stiffness(sys, sim->t, s->q_j, v_j, s->K_j);
  }
  if (!sys->linear && sys->damping != NULL) {
    sys->damping(sys, sim->t, s->q_j, v_j, s->C_j);
  }
  sim->work.jacobian_evals++;
}

/* rhs := right - left of (1) to (4). */
static void momenta(const dls_sim *sim, dls_two_stage *s, double h)
{
  const double a = s->alpha, k = s->kappa;
  const double *x = s->x, *to_j = x, *v_j = x + s->n, *to_next = x + 2 * s->n, *v_next = x + 3 * s->n;
  const double *v = sim->v, *F_g = s->g.force, *F_h = s->h.force;
  double *const rhs[] = {row_of(s, R1), row_of(s, R2), row_of(s, R3), row_of(s, R4)};
  for (size_t i = 0; i < s->n; i++) {
    rhs[R1][i] = h * F_g[i] + s->push_g[i]; /* (1) */
    rhs[R2][i] = -h / 3 * (F_g[i] - F_h[i]) + a * h / 6 * (s->F_j[i] - s->F_start[i]) -
                 (s->push_g[i] - s->push_h[i]) / 3;         /* (2) */
    rhs[R3][i] = k / 2 * (s->push_next[i] + s->push_j[i]);  /* (3) */
    rhs[R4][i] = -k / 6 * (s->push_next[i] - s->push_j[i]); /* (4) */
  }
  for (int row = R1; row <= R4; row++) { /* what M works on */
    for (size_t i = 0; i < s->n; i++) {
      s->work[i] = row == R1   ? v[i] - v_next[i]
                   : row == R2 ? v[i] - v_j[i]
                   : row == R3 ? k * h / 2 * (v_next[i] + v_j[i]) - to_next[i]
                               : -k * h / 6 * (v_next[i] - a * v_j[i] - (1 - a) * v[i]) - to_j[i];
    }
    dls_matrix_multiply(sim->sys->M, 1, s->work, rhs[row]);
  }
}

/* turn := derivative of G along v, by a difference exact for quadratic joints. Overwrites the G* of segment h. */
static void turning(dls_two_stage *s, const dls_system *sys, double t, const double *q, const double *v,
                    dls_matrix *turn)
{
  double most = 0;
  for (size_t i = 0; i < s->n; i++) {
    most = fmax(most, fabs(v[i]));
  }
  const double step = 1e-3 * sys->length / fmax(most, 1e-3 * sys->length / sys->time);
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < s->n; i++) {
      s->work[i] = q[i] + (side == 0 ? step : -step) * v[i]; /* q +- step v */
    }
    dls_system_joint_gradient(sys, t, s->work, side == 0 ? turn : s->h.G);
  }
  for (size_t k = 0; k < s->r; k++) { /* both are shaped like G */
    const dls_column column = dls_matrix_column(s->h.G, k);
    double *values = turn->values + (column.values - s->h.G->values);
    for (size_t e = 0; e < column.count; e++) {
      values[e] = (values[e] - column.values[e]) / (2 * step); /* central difference */
    }
  }
}

/* The joints at one end: rows (5), G, and with N its force, stiffness and derivative. */
static void at_end(dls_sim *sim, dls_two_stage *s, double t, bool next, bool with_J)
{
  const dls_system *sys = sim->sys;
  const double *q = next ? s->q_next : s->q_j, *v = part(s, s->x, next ? VN : VJ);
  double *N = part(s, s->x, next ? NN : NJ), *rows = row_of(s, next ? CN : CJ);
  dls_matrix *G = next ? s->G_next : s->G_j;
  dls_system_joint_gradient(sys, t, q, G);
  dls_system_joint(sys, t, q, s->phi);
  for (size_t k = 0; k < s->r; k++) {
    rows[k] = next || s->velocities ? -s->phi[k] : s->phi[k]; /* Phi(q') = 0, Phi(q_j) = 0 */
  }
  if (!s->velocities) {
    return;
  }
  rows = row_of(s, next ? DN : DJ);
  dls_system_joint_rate(sys, t, q, s->phi);
  for (size_t k = 0; k < s->r; k++) {
    rows[k] = -dls_matrix_column_dot(G, k, v) - s->phi[k]; /* G^T v + dPhi/dt = 0 */
  }
  if (with_J && dls_system_joint_gradient_varies(sys)) {
    turning(s, sys, t, q, v, next ? s->turn_next : s->turn_j);
  }
  if (with_J && sys->joint_stiffness != NULL) {
    sys->joint_stiffness(sys, t, q, N, next ? s->geometric_next : s->geometric_j);
  }
}

/* Right minus left side of (1) to (5), and all terms of J or not. */
static void evaluate(dls_sim *sim, dls_two_stage *s, double h, bool with_J)
{
  for (size_t i = 0; i < s->n; i++) {
    s->q_j[i] = sim->q[i] + part(s, s->x, QJ)[i];    /* q_j */
    s->q_next[i] = sim->q[i] + part(s, s->x, QN)[i]; /* q' */
  }
  if (s->r > 0) {
    at_end(sim, s, sim->t, false, with_J);                   /* (5) at q_j */
    at_end(sim, s, dls_sim_next_time(sim, h), true, with_J); /* (5) at q' */
  }
  memset(s->push_j, 0, s->n * sizeof *s->push_j);
  memset(s->push_next, 0, s->n * sizeof *s->push_next);
  if (s->velocities) {
    product(s->n, s->G_j, part(s, s->x, NJ), s->push_j);       /* G_j N_j of (3), (4) */
    product(s->n, s->G_next, part(s, s->x, NN), s->push_next); /* G' N' */
  }
  forces(sim, s, h, with_J); /* F and G Lambda of (1), (2) */
  momenta(sim, s, h);        /* right less left of (1) to (4) */
}

static dls_status factor(dls_sim *sim, dls_two_stage *s, double h, dls_error *err)
{
  dls_two_stage_term terms[DLS_TWO_STAGE_MOST];
  double coefficients[DLS_TWO_STAGE_MOST];
  const size_t count = dls_two_stage_terms(s, sim->sys->M, h, terms);
  for (size_t k = 0; k < count; k++) {
    coefficients[k] = terms[k].coefficient;
  }
  sim->work.factorizations++;
  return dls_block_matrix_factor(s->J, coefficients, dls_joint_shrink(sim, s->G_next), err);
}

/* The largest change of q, and of all as a velocity. */
static double changes(const dls_sim *sim, const dls_two_stage *s, double *of_q)
{
  double of_v = 0;
  *of_q = 0;
  for (size_t i = 0; i < s->n; i++) {
    *of_q = dls_larger(dls_larger(*of_q, fabs(s->rhs[i])), fabs(s->rhs[2 * s->n + i]));
    of_v = dls_larger(dls_larger(of_v, fabs(s->rhs[s->n + i])), fabs(s->rhs[3 * s->n + i]));
  }
  return dls_larger(of_v, *of_q / sim->sys->time);
}

/* rhs := the increment of all, by J here or by the last one. @param[out] of_v, of_q  the largest, as of `changes` */
static dls_status find_increment(dls_sim *sim, dls_two_stage *s, double h, bool with_J, double *of_v,
                                 double *of_q, dls_error *err)
{
  evaluate(sim, s, h, with_J); /* right less left of (1) to (5) */
  const dls_status status = with_J ? factor(sim, s, h, err) : DLS_OK;
  if (status == DLS_OK) {
    dls_block_matrix_solve(s->J, s->rhs); /* J dx = right - left */
    *of_v = changes(sim, s, of_q);
  }
  return status;
}

/* Newton's method, with the last J while it reduces increments well. Then `contraction` times the increment is left as an error. An increment
 * that falls too little is rounding where it is small; else it is not taken, as far from the solution it leads astray. */
static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  dls_two_stage *s = step;
  bool with_J = !(s->contraction <= slowest_chord); /* NaN is not */
  double increment = 0, of_q = 0;
  dls_status status = find_increment(sim, s, h, with_J, &increment, &of_q, err);
  if (status == DLS_OK && !with_J && !(increment <= fmax(s->tolerance, slowest_chord * s->increment))) {
    with_J = true;
    status = find_increment(sim, s, h, with_J, &increment, &of_q, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  const double taken = dls_joint_damping(sim, of_q);
  for (size_t i = 0; i < s->size; i++) {
    s->x[i] += taken * s->rhs[i];
  }
  if (with_J || !isinf(s->increment)) {
    s->contraction = taken < 1 ? HUGE_VAL : with_J ? 0 : increment / s->increment;
  }
  s->increment = increment;
  *change = increment * (s->contraction <= slowest_chord ? fmax(1, chord_error * s->contraction) : 1);
  return DLS_OK;
}

/* v^T M v/2 */
static double kinetic(const dls_sim *sim, dls_two_stage *s, const double *v)
{
  product(s->n, sim->sys->M, v, s->work);
  double sum = 0;
  for (size_t i = 0; i < s->n; i++) {
    sum += 0.5 * v[i] * s->work[i];
  }
  return sum;
}

/* (6), NaN where it gives none; weight: of a change of kappa in the energy, in units of the kinetic energies. */
static double wanted_kappa(const dls_sim *sim, dls_two_stage *s, double h, double *weight)
{
  const double *v_j = part(s, s->x, VJ), *v_next = part(s, s->x, VN);
  const double T0 = kinetic(sim, s, sim->v), T1 = kinetic(sim, s, v_next), change = 2 * (T1 - T0);
  double S = 0;
  for (size_t i = 0; i < s->n; i++) {
    S += (s->push_j[i] * (v_next[i] + v_j[i] - 2 * sim->v[i]) + s->push_next[i] * (v_next[i] - v_j[i])) / h;
  }
  *weight = T0 + T1 > 0 ? fabs(change + S) / (2 * (T0 + T1)) : 0;
  const double kappa = change / (change + S);
  return kappa >= least_kappa && kappa <= most_kappa ? kappa : (double)NAN;
}

/* kappa as the option selects it. */
static double allowed_kappa(const dls_sim *sim, double wanted, double h)
{
  const dls_two_stage_options *opt = sim->options;
  return opt->kappa == DLS_KAPPA_ONE    ? 1
         : opt->kappa == DLS_KAPPA_FREE ? wanted
                                        : fmin(fmax(wanted, 1 - h / 2), 1 + h / 2);
}

static void guess(const dls_sim *sim, dls_two_stage *s, double h)
{
  for (size_t i = 0; i < s->n; i++) {
    part(s, s->x, QJ)[i] = 0;
    part(s, s->x, VJ)[i] = part(s, s->x, VN)[i] = sim->v[i];
    part(s, s->x, QN)[i] = h * sim->v[i];
  }
  memset(s->x + 4 * s->n, 0, (s->size - 4 * s->n) * sizeof *s->x);
  for (size_t k = 0; k < s->r; k++) {
    part(s, s->x, LG)[k] = part(s, s->x, LJ)[k] = h * sim->mu[k];
  }
}

/* The next kappa after a solution, and the energy error with the present one. */
static double next_kappa(dls_sim *sim, dls_two_stage *s, double h, double *off)
{
  double weight = 0;
  const double wanted = wanted_kappa(sim, s, h, &weight);
  const double next = isnan(wanted) ? 1 : allowed_kappa(sim, wanted, h);
  *off = isnan(wanted) && s->kappa == 1 ? 0 : fabs(next - s->kappa) * weight;
  return next;
}

/* After a few passes, by the secant of the residual of (6) in kappa between this pass and the last: where the mesh turns fast, repeating (6)
 * oscillates. */
static double by_secant(int pass, const double kappa[2], const double wanted[2])
{
  const double now = wanted[1] - kappa[1], slope = now - (wanted[0] - kappa[0]), step = kappa[1] - kappa[0];
  const double next = kappa[1] - now * step / slope;
  return pass >= PLAIN_PASSES && fabs(next - kappa[1]) <= 1 ? next : wanted[1]; /* NaN is not */
}

/* Newton's method for successive kappa until kappa converges. */
static dls_status solve(dls_sim *sim, dls_two_stage *s, double h, dls_error *err)
{
  const dls_two_stage_options *opt = sim->options;
  const dls_newton newton = dls_joint_newton(sim, &opt->newton, h);
  double off = 0, next = 1, kappa[2] = {1, 1}, wanted[2] = {1, 1};
  s->contraction = HUGE_VAL; /* J is that of another step */
  s->tolerance = newton.tolerance;
  for (int pass = 0; pass <= KAPPA_PASSES; pass++) {
    s->kappa = next;
    s->increment = HUGE_VAL;
    const dls_status status = dls_iterate(sim, &newton, iterate, s, h, err);
    if (status != DLS_OK) {
      return status;
    }
    evaluate(sim, s, h, false); /* forces and pushes of the solution, for kappa and the ledger of energy */
    if (opt->kappa == DLS_KAPPA_ONE || !s->velocities) {
      return DLS_OK;
    }
    kappa[0] = kappa[1];
    wanted[0] = wanted[1];
    kappa[1] = s->kappa;
    next = wanted[1] = next_kappa(sim, s, h, &off);
    if (off <= (pass < KAPPA_PASSES ? kappa_tol : kappa_accepted)) {
      return DLS_OK;
    }
    next = by_secant(pass, kappa, wanted);
  }
  return dls_sim_fail(sim, err, DLS_ERR_NOCONV, "kappa still changes from %.17g to %.17g after %d passes",
                      s->kappa, next, KAPPA_PASSES);
}

dls_status dls_two_stage_advance(dls_sim *sim, double h, dls_error *err)
{
  dls_two_stage *s = sim->memory;
  dls_sim_load_begin(sim, sim->t, dls_sim_next_time(sim, h), 0);
  dls_sim_force(sim, sim->t, sim->q, sim->v, s->F_start); /* F_k of (2) */
  guess(sim, s, h);
  const dls_status status = solve(sim, s, h, err); /* (1) to (6) */
  dls_sim_load_end(sim);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < s->n; i++) {
    sim->q[i] += part(s, s->x, QN)[i]; /* q' */
  }
  memcpy(sim->v, part(s, s->x, VN), s->n * sizeof *sim->v); /* v' */
  for (size_t k = 0; k < s->r; k++) {
    sim->mu[k] = sim->mu_left[k] = part(s, s->x, LG)[k] / h; /* mu = Lambda_g/h */
  }
  return DLS_OK;
}
