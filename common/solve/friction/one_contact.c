/* one_contact.c -- one contact with Coulomb's law, in the plane or in space: all solutions, selection of one, and the
 * method "one-contact".
 *
 * Plane: open, stick, slip in either direction, by the terms of plane_equations.h.
 * Space: where u_N = 0, with S = W_TT - W_TN W_NT / W_NN and c = q_T - (q_N / W_NN) W_TN:
 *   u_T = S r_T + c,   r_N = -(q_N + W_NT r_T) / W_NN                                              (1)
 * stick u_T = 0; slip u_T = -a r_T, a > 0: r_T = -(S + a I)^{-1} c and |r_T| = mu r_N, which squared is of degree 4 in a:
 *   W_NN^2 |(a I + adj S) c|^2 = mu^2 (-q_N D + W_NT (a I + adj S) c)^2,  D = a^2 + a tr S + det S   (2)
 * Every root is refined by Newton's method on F(a) = |r_T| - mu r_N. For definite W, where stick fails F(0) > 0 >
 * F(infinity).
 * Source: Bonnefon, Daviet 2011, "Quartic formulation of Coulomb 3D frictional contact", INRIA RT-0400.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/one_contact.h"
#include "common/solve/friction/cone.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/plane_equations.h"
#include "common/solve/friction/roots.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double tie = DLS_CONTACT_TIE;

bool dls_plane_stick(const double *W, const double *q, double mu, double *r)
{
  const double S = dls_plane_schur(W), ratio = DLS_PLANE_RATIO(W), c = DLS_PLANE_FREE(q, ratio);
  const double size = fabs(q[1]) + fabs(ratio * q[0]);
  if (S == 0 && fabs(c) > tie * size) {
    return false;
  }
  r[1] = S == 0 ? 0 : -c / S; /* S = 0 = c: any r_T solves, take 0 */
  r[0] = DLS_PLANE_STICK_NORMAL(W, q, r[1]);
  return fabs(r[1]) <= DLS_PLANE_LIMIT(mu, r[0]);
}

/* Slip with u_T of sign s. @return false if there is none */
static bool slip(const double *W, const double *q, double mu, double s, double *r)
{
  r[0] = DLS_PLANE_SLIP_NORMAL(W, q, s * mu);      /* r_N: u_N = 0 */
  r[1] = -s * mu * r[0];                           /* r_T */
  const double u = DLS_PLANE_VELOCITY(W, q, r, 1); /* u_T, of sign s */
  const double size = fabs(q[1]) + fabs(W[1] * r[0]) + fabs(W[3] * r[1]);
  return r[0] > 0 && r[0] <= DBL_MAX && s * u > tie * size;
}

size_t dls_plane_slips(const double *W, const double *q, double mu, double *r)
{
  size_t count = slip(W, q, mu, 1, r);
  count += slip(W, q, mu, -1, r + 3 * count);
  return count;
}

size_t dls_plane_all(const double *W, const double *q, double mu, double *r)
{
  size_t count = q[0] >= 0;
  if (count > 0) {
    r[0] = r[1] = 0;
  }
  double *next = r + 3 * count;
  count += dls_plane_stick(W, q, mu, next) && next[0] > 0;
  return count + dls_plane_slips(W, q, mu, r + 3 * count);
}

static const double zero = 1e-14; /* det S below this fraction of its terms is 0: W is singular */

typedef struct slip_problem {
  double N, NT[2];   /* W_NN, W_NT */
  double q, mu;      /* q_N */
  double S[4], c[2]; /* S column-major */
  double trace, det;
} slip_problem;

static slip_problem prepare(const double *W, const double *q, double mu)
{
  slip_problem p = {.N = W[0], .NT = {W[3], W[6]}, .q = q[0], .mu = mu};
  double terms = 0;
  for (size_t i = 0; i < 2; i++) {
    const double factor = W[1 + i] / W[0];
    p.c[i] = q[1 + i] - factor * q[0];
    for (size_t j = 0; j < 2; j++) {
      const double whole = W[1 + i + 3 * (1 + j)], part = factor * p.NT[j];
      p.S[i + 2 * j] = fabs(whole - part) > tie * fabs(part) ? whole - part : 0;
    }
  }
  p.trace = p.S[0] + p.S[3];
  p.det = p.S[0] * p.S[3] - p.S[1] * p.S[2];
  terms = fabs(p.S[0] * p.S[3]) + fabs(p.S[1] * p.S[2]);
  p.det = fabs(p.det) > zero * terms ? p.det : 0;
  return p;
}

/* r_N of (1) */
static double normal(const slip_problem *p, const double *rT)
{
  return -(p->q + p->NT[0] * rT[0] + p->NT[1] * rT[1]) / p->N;
}

/* x := (S + a I)^{-1} x. @return false if it is singular */
static bool solve_slip(const slip_problem *p, double a, double *x)
{
  const double A = p->S[0] + a, D = p->S[3] + a, B = p->S[2], C = p->S[1];
  const double det = a == 0 ? p->det : p->det + a * (p->trace + a);
  const double y = (D * x[0] - B * x[1]) / det;
  x[1] = (A * x[1] - C * x[0]) / det;
  x[0] = y;
  return det != 0;
}

/* r_T of least norm with S r_T = -c for S of rank 1 or 0. @return false if there is none */
static bool stick_singular(const slip_problem *p, double *rT)
{
  const double norm = p->S[0] * p->S[0] + p->S[1] * p->S[1] + p->S[2] * p->S[2] + p->S[3] * p->S[3];
  double x[2] = {-p->c[0], -p->c[1]};
  rT[0] = rT[1] = 0;
  if (norm > 0) { /* of rank 1: the inverse is S^T / |S|^2 */
    rT[0] = (p->S[0] * x[0] + p->S[1] * x[1]) / norm;
    rT[1] = (p->S[2] * x[0] + p->S[3] * x[1]) / norm;
  }
  const double u0 = p->S[0] * rT[0] + p->S[2] * rT[1] - x[0], u1 = p->S[1] * rT[0] + p->S[3] * rT[1] - x[1];
  return hypot(u0, u1) <= zero * hypot(x[0], x[1]);
}

static bool stick(const slip_problem *p, double *r)
{
  r[1] = -p->c[0];
  r[2] = -p->c[1];
  if (p->det == 0 ? !stick_singular(p, r + 1) : !solve_slip(p, 0, r + 1)) {
    return false;
  }
  r[0] = normal(p, r + 1);
  return hypot(r[1], r[2]) <= p->mu * r[0] * (1 + tie);
}

bool dls_space_stick(const double *W, const double *q, double mu, double *r)
{
  const slip_problem p = prepare(W, q, mu);
  return stick(&p, r);
}

/* F(a), dF/da and r. */
static double excess(const slip_problem *p, double a, double *r, double *slope)
{
  double d[2];
  r[1] = -p->c[0];
  r[2] = -p->c[1];
  solve_slip(p, a, r + 1);
  r[0] = normal(p, r + 1);
  d[0] = -r[1]; /* r_T' = -(S + a I)^{-1} r_T */
  d[1] = -r[2];
  solve_slip(p, a, d);
  const double size = sqrt(r[1] * r[1] + r[2] * r[2]);
  *slope = (r[1] * d[0] + r[2] * d[1]) / size + p->mu * (p->NT[0] * d[0] + p->NT[1] * d[1]) / p->N;
  return size - p->mu * r[0];
}

/* Newton's method for F(a) = 0 from a root of (2). @return false if it does not converge */
static bool polish(const slip_problem *p, double a, double *r)
{
  enum { MOST = 8 };
  double slope, trial[3];
  double best = excess(p, a, r, &slope);
  for (int k = 0; k < MOST && best != 0; k++) {
    const double next = a - best / slope;
    const double F = next > 0 ? excess(p, next, trial, &slope) : HUGE_VAL;
    if (!(fabs(F) < fabs(best))) {
      break;
    }
    a = next;
    best = F;
    memcpy(r, trial, sizeof trial);
  }
  const double size = sqrt(r[1] * r[1] + r[2] * r[2]);
  return r[0] > 0 && r[0] <= DBL_MAX &&
         fabs(best) <= 1e-13 * size; /* near a double root |F| does not fall below rounding */
}

/* The quartic (2) in b = a / scale. */
static void quartic(const slip_problem *p, double scale, double *coefficient)
{
  const double *c = p->c, *S = p->S, mu = p->mu;
  const double e[2] = {S[3] * c[0] - S[2] * c[1], S[0] * c[1] - S[1] * c[0]}; /* adj(S) c */
  const double h2 = -mu * p->q * scale * scale;
  const double h1 = mu * (p->NT[0] * c[0] + p->NT[1] * c[1] - p->q * p->trace) * scale;
  const double h0 = mu * (p->NT[0] * e[0] + p->NT[1] * e[1] - p->q * p->det);
  const double N = p->N * p->N;
  coefficient[4] = h2 * h2;
  coefficient[3] = 2 * h2 * h1;
  coefficient[2] = h1 * h1 + 2 * h2 * h0 - N * (c[0] * c[0] + c[1] * c[1]) * scale * scale;
  coefficient[1] = 2 * h1 * h0 - 2 * N * (c[0] * e[0] + c[1] * e[1]) * scale;
  coefficient[0] = h0 * h0 - N * (e[0] * e[0] + e[1] * e[1]);
}

/* A zero of F between 0 and infinity, where F > 0 and F < 0, by bisection in t = a / (a + scale). */
static bool bisect(const slip_problem *p, double scale, double *r)
{
  double low = 0, high = 1, slope;
  for (int k = 0; k < 2000 && nextafter(low, 1) < high; k++) {
    const double t = 0.5 * (low + high);
    *(excess(p, scale * t / (1 - t), r, &slope) > 0 ? &low : &high) = t;
  }
  return high < 1 && polish(p, scale * high / (1 - high), r);
}

/* Is r distinct from the solutions found? Two coincide at a double root and at the border of stick. */
static bool is_new(const double *all, size_t count, const double *r)
{
  static const double same = 1e-9; /* double roots are known to the square root of rounding */
  bool is = true;
  for (size_t k = 0; k < count; k++) {
    const double *s = all + 3 * k;
    const double difference = fabs(r[0] - s[0]) + fabs(r[1] - s[1]) + fabs(r[2] - s[2]);
    is = is && difference > same * (fabs(r[0]) + fabs(r[1]) + fabs(r[2]));
  }
  return is;
}

static double scale_of(const slip_problem *p)
{
  return p->trace != 0 ? fabs(p->trace) : p->N;
}

/* Normal and tangents not coupled, and all directions of slip alike, as where one body slides on a plane. */
static bool is_isotropic(const slip_problem *p)
{
  return p->NT[0] == 0 && p->NT[1] == 0 && p->S[1] == 0 && p->S[2] == 0 && p->S[0] == p->S[3];
}

/* Then slip is along c, r_N = -q_N / W_NN. @return false if there is none, a <= 0 */
static bool slip_along(const slip_problem *p, double *r)
{
  const double size = sqrt(p->c[0] * p->c[0] + p->c[1] * p->c[1]);
  r[0] = -p->q / p->N;
  const double limit = p->mu * r[0];
  r[1] = -limit * (p->c[0] / size);
  r[2] = -limit * (p->c[1] / size);
  return r[0] > 0 && r[0] <= DBL_MAX && size > p->S[0] * limit;
}

/* Append the slip solutions. @return the number of solutions */
static size_t add_slips(const slip_problem *p, size_t count, double *all)
{
  if (is_isotropic(p)) {
    return count + slip_along(p, all + 3 * count);
  }
  double coefficient[DLS_ROOTS_DEGREE + 1], root[DLS_ROOTS_MOST];
  const double scale = scale_of(p);
  quartic(p, scale, coefficient);
  const size_t roots = dls_positive_roots(coefficient, root);
  for (size_t k = 0; k < roots && count < DLS_ONE_CONTACT_MOST; k++) {
    double *next = all + 3 * count;
    count += polish(p, scale * root[k], next) && is_new(all, count, next);
  }
  return count;
}

size_t dls_space_slips(const double *W, const double *q, double mu, double *r)
{
  const slip_problem p = prepare(W, q, mu);
  const size_t count = add_slips(&p, 0, r);
  return count > 0 ? count : bisect(&p, scale_of(&p), r);
}

size_t dls_space_all(const double *W, const double *q, double mu, double *r)
{
  const slip_problem p = prepare(W, q, mu);
  size_t count = q[0] >= 0;
  if (count > 0) {
    memset(r, 0, 3 * sizeof *r);
  }
  double *next = r + 3 * count;
  count += stick(&p, next) && next[0] > 0;
  return add_slips(&p, count, r);
}

static double norm2(size_t d, const double *r)
{
  return r[0] * r[0] + r[1] * r[1] + (d == 3 ? r[2] * r[2] : 0);
}

/* Of candidates `stride` apart, the one nearest to r. */
static size_t nearest(size_t d, size_t count, const double *candidate, size_t stride, const double *r)
{
  size_t best = 0;
  double least = HUGE_VAL;
  for (size_t k = 0; k < count; k++) {
    double distance = 0;
    for (size_t i = 0; i < d; i++) {
      const double difference = candidate[stride * k + i] - r[i];
      distance += difference * difference;
    }
    if (distance < least) {
      best = k;
      least = distance;
    }
  }
  return best;
}

/* Neither mode fits, due to rounding at the border between two: r on the cone with the least residual. */
static void choose_border(size_t d, const double *W, const double *q, double mu, double *r)
{
  double trace = 0, u[3], f[3];
  (void)(d == 2 ? dls_plane_stick(W, q, mu, r) : dls_space_stick(W, q, mu, r));
  for (size_t i = 0; i < d; i++) {
    trace += W[i + d * i];
    r[i] = isfinite(r[i]) ? r[i] : 0;
  }
  dls_cone_project(d, mu, r);
  const double frictionless[3] = {-q[0] / W[0], 0, 0};
  double least = HUGE_VAL, candidate[6];
  memcpy(candidate, r, d * sizeof *r);
  memcpy(candidate + 3, frictionless, d * sizeof *r);
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < d; i++) {
      u[i] = q[i];
      for (size_t j = 0; j < d; j++) {
        u[i] += W[i + d * j] * candidate[3 * k + j];
      }
    }
    const double gap = dls_cone_gap(d, mu, 0, trace / (double)d, candidate + 3 * k, u, f);
    if (gap < least) {
      least = gap;
      memcpy(r, candidate + 3 * k, d * sizeof *r);
    }
  }
}

/* Open, frictionless or stick. @return false if it slips */
static bool without_slip(size_t d, const double *W, const double *q, double mu, double *r)
{
  if (q[0] >= 0 || mu == 0) {
    memset(r, 0, d * sizeof *r);
    r[0] = q[0] >= 0 ? 0 : -q[0] / W[0]; /* u_N = 0 */
    return true;
  }
  double stick[3];
  const bool sticks = d == 2 ? dls_plane_stick(W, q, mu, stick) : dls_space_stick(W, q, mu, stick);
  if (sticks) {
    memcpy(r, stick, d * sizeof *r);
  }
  return sticks;
}

/* Of the slips, the one nearest to r. */
static void choose_slip(size_t d, const double *W, const double *q, double mu, double *r)
{
  double slip[3 * DLS_ONE_CONTACT_MOST];
  const size_t count = d == 2 ? dls_plane_slips(W, q, mu, slip) : dls_space_slips(W, q, mu, slip);
  if (count > 0) {
    memcpy(r, slip + 3 * (count > 1 ? nearest(d, count, slip, 3, r) : 0), d * sizeof *r);
  } else {
    choose_border(d, W, q, mu, r);
  }
}

void dls_contact_exact(size_t d, const double *W, const double *q, double mu, double *r)
{
  if (!without_slip(d, W, q, mu, r)) {
    choose_slip(d, W, q, mu, r);
  }
}

/* Newton's method for F(a) = 0 from the a that u_T = -a r_T has at r. @return false if it finds none */
static bool slip_from(const double *W, const double *q, double mu, double *r)
{
  const slip_problem p = prepare(W, q, mu);
  const double u[2] = {p.S[0] * r[1] + p.S[2] * r[2] + p.c[0], p.S[1] * r[1] + p.S[3] * r[2] + p.c[1]};
  const double a = -(u[0] * r[1] + u[1] * r[2]) / (r[1] * r[1] + r[2] * r[2]);
  double found[3];
  if (!(a > 0 && a <= DBL_MAX) || !polish(&p, a, found)) {
    return false;
  }
  memcpy(r, found, sizeof found);
  return true;
}

void dls_contact_from(size_t d, const double *W, const double *q, double mu, double *r)
{
  if (!without_slip(d, W, q, mu, r) && !(d == 3 && slip_from(W, q, mu, r))) {
    choose_slip(d, W, q, mu, r);
  }
}

/* Smallest |r| first. */
static void sort(size_t d, size_t count, double *r)
{
  for (size_t k = 1; k < count; k++) {
    for (size_t j = k; j > 0 && norm2(d, r + 3 * j) < norm2(d, r + 3 * (j - 1)); j--) {
      for (size_t i = 0; i < d; i++) {
        const double x = r[3 * j + i];
        r[3 * j + i] = r[3 * (j - 1) + i];
        r[3 * (j - 1) + i] = x;
      }
    }
  }
}

size_t dls_one_contact(size_t d, const double *W, const double *q, double mu, double *r)
{
  double all[3 * DLS_ONE_CONTACT_MOST];
  size_t count = 0;
  if (mu > 0 && W[0] > 0) {
    count = d == 2 ? dls_plane_all(W, q, mu, all) : dls_space_all(W, q, mu, all);
  }
  if (count == 0) { /* no friction, or at the border between two modes */
    memset(all, 0, sizeof all);
    if (q[0] < 0 && !(W[0] > 0)) {
      return 0;
    }
    dls_contact_exact(d, W, q, mu, all);
    count = 1;
  }
  sort(d, count, all);
  for (size_t k = 0; k < count; k++) {
    memcpy(r + d * k, all + 3 * k, d * sizeof *r);
  }
  return count;
}

bool dls_one_contact_certified(const dls_block *block, const double *W, const double *q, double tolerance,
                               double *r, double *u, dls_problem_report *report)
{
  const size_t d = block->rows;
  const double mu = block->mu;
  const bool associated = block->law == DLS_ASSOCIATED;
  double f[3], found[3], load = 0, velocity = 0, force = 0, trace = 0;
  if (!(d == 2 || (d == 3 && !associated)) || !(mu >= 0 && mu <= DBL_MAX) || !(W[0] > 0)) {
    return false;
  }
  memcpy(found, r, d * sizeof *r);
  if (associated) {
    dls_associated_exact(W, q, mu, found);
  } else {
    dls_contact_exact(d, W, q, mu, found);
  }
  for (size_t i = 0; i < d; i++) {
    u[i] = q[i];
    for (size_t j = 0; j < d; j++) {
      u[i] += W[i + d * j] * found[j];
    }
    trace += W[i * (d + 1)];
  }
  const double inverse_rho = trace / (double)d;
  const double gap = associated ? dls_cone_gap_associated(d, mu, 0, inverse_rho, found, u, f)
                                : dls_cone_gap(d, mu, 0, inverse_rho, found, u, f);
  for (size_t i = 0; i < d; i++) {
    load += q[i] * q[i];
    velocity += u[i] * u[i];
    force += found[i] * found[i];
  }
  const double scale = fmax(load, fmax(velocity, inverse_rho * inverse_rho * force));
  const double residual = gap == 0 ? 0 : sqrt(gap / scale);
  *report = (dls_problem_report){.residual = residual,
                                 .residual_abs = sqrt(gap),
                                 .iterations = 1,
                                 .method = dls_problem_one_contact.name,
                                 .structure = "dense"};
  const bool accepted = residual <= DLS_EXACT && residual <= tolerance;
  if (accepted) {
    memcpy(r, found, d * sizeof *r);
  }
  return accepted;
}

static const char *refuses(const dls_problem *problem)
{
  return problem->count != 1 || problem->blocks[0].law != DLS_COULOMB ? "not one contact with friction" : NULL;
}

/* The solution that dls_contact_exact chooses, refined by Newton steps where W is ill-conditioned, and the number of
 * solutions. */
static dls_status solve(dls_problem_task *task)
{
  enum { REFINEMENTS = 5 };
  const double mu = task->blocks[0].mu;
  double all[3 * DLS_ONE_CONTACT_MOST];
  const size_t count = dls_one_contact(task->n, task->own, task->q, mu, all);
  if (count == 0) {
    return DLS_ERR_LCP;
  }
  memcpy(task->r, task->start, task->n * sizeof *task->r);
  dls_contact_exact(task->n, task->own, task->q, mu, task->r);
  const dls_certificate c = dls_task_offer(task, task->r, dls_problem_one_contact.name, 1);
  size_t steps = 1;
  const dls_status status = c.residual > DLS_EXACT ? dls_task_newton(task, 0, REFINEMENTS, &steps) : DLS_OK;
  task->report.method = dls_problem_one_contact.name;
  task->report.solutions = count;
  return status == DLS_ERR_MEMORY ? status : task->accepted ? DLS_OK : DLS_ERR_LCP;
}

const dls_problem_method dls_problem_one_contact = {
    .name = "one-contact",
    .summary = "one contact exactly: open, stick, slip in the plane; in space "
               "slip by the roots of a quartic",
    .source =
        "O. Bonnefon and G. Daviet, Quartic formulation of Coulomb 3D frictional contact, INRIA RT-0400 (2011)",
    .handles = "one contact with friction",
    .refuses = refuses,
    .solve = solve,
};
