/* soak_problems.c -- random complementarity and friction problems: nothing is called solved that is not.
 *
 *   soak_problems FIRST COUNT
 *
 * Problem i is drawn from seed i. Every second one is a linear complementarity problem of up to 30 rows, of ten kinds (definite,
 * degenerate, redundant, growing, without a solution, ...), by the methods in turn; the others have 1 to 8 contacts in the plane or
 * in space, with W definite, singular, badly scaled or not symmetric, by the method auto. Each answer that is called solved is
 * judged again in long double, by code of its own. Prints how many were solved and the worst residuals over their tolerances.
 * Exit status 0: none is beyond its tolerance. All of them: problems.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "lcp_problems.h"
#include <delassus/problem.h>
#include <float.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CONTACTS = 8, MOST = 3 * MOST_CONTACTS };
static const double tolerance = 1e-12;  /* of friction problems */
static const long double slack = 1.01L; /* the judge in double may round */

typedef struct tally {
  unsigned long tried, solved, wrong;
  long double worst; /* residual over tolerance */
} tally;

static void count(tally *t, unsigned long i, const char *what, bool solved, long double ratio)
{
  t->tried++;
  t->solved += solved;
  if (solved && !(ratio <= slack)) {
    t->wrong++;
    printf("problem=%lu kind=%s residual is %.3Lg times its tolerance\n", i, what, ratio);
  }
  t->worst = solved && !(ratio <= t->worst) ? ratio : t->worst;
}

/* --- complementarity --- */

static const lcp_generator generators[] = {
    lcp_definite,  lcp_triangular, lcp_dominant,           lcp_m_matrix,           lcp_degenerate,
    lcp_redundant, lcp_growing,    lcp_redundant_integers, lcp_degenerate_program, lcp_unsolvable};
enum { GENERATORS = sizeof generators / sizeof generators[0] };

/* Largest | min(s_i z_i, w_i) | over what lcp.h allows for it. */
static long double lcp_ratio(const lcp_problem *p, const double *z)
{
  const size_t n = p->n;
  long double residual[LCP_MAX], size[LCP_MAX], scale = 0, largest = 0, worst = 0;
  for (size_t i = 0; i < n * n; i++) {
    largest = fmaxl(largest, fabsl((long double)p->W[i]));
  }
  for (size_t i = 0; i < n; i++) {
    long double w = p->b[i];
    size[i] = fabsl(w);
    for (size_t j = 0; j < n; j++) {
      w += (long double)p->W[i + j * n] * z[j];
      size[i] += fabsl((long double)p->W[i + j * n] * z[j]);
    }
    const long double diagonal = p->W[i + i * n];
    residual[i] = fabsl(fminl((diagonal > 0 ? diagonal : largest > 0 ? largest : 1) * z[i], w));
    scale = fmaxl(scale, size[i]);
  }
  for (size_t i = 0; i < n; i++) {
    const long double allowed = LCP_TOLERANCE * fmaxl(size[i], scale / 100);
    worst = residual[i] > 0 ? fmaxl(worst, residual[i] / allowed) : worst;
    worst = z[i] < 0 ? INFINITY : worst;
  }
  return worst;
}

static void try_lcp(unsigned long i, gsl_rng *rng, dls_lcp_solver *solvers[3], tally *t)
{
  static const char *const names[] = {"auto", "lemke", "pgs"};
  const size_t kind = i / 2 % GENERATORS, method = i / 2 % 97 == 0 ? 2 : i / (2 * GENERATORS) % 2;
  lcp_problem p;
  double z[LCP_MAX] = {0}, w[LCP_MAX];
  char what[40];
  const size_t most = generators[kind] == lcp_degenerate_program ? 20 : LCP_MAX;
  generators[kind](rng, 2 + gsl_rng_uniform_int(rng, most - 1), &p);
  const bool solved = dls_lcp_solve(solvers[method], p.n, p.W, p.b, z, w, NULL, NULL) == DLS_OK;
  snprintf(what, sizeof what, "lcp-%zu-%s", kind, names[method]);
  count(t, i, what, solved, solved ? lcp_ratio(&p, z) : 0);
}

/* --- friction --- */

typedef struct contacts {
  size_t count, n;
  dls_block blocks[MOST_CONTACTS];
  double W[MOST * MOST], q[MOST];
} contacts;

/* W = H^T H of rows/2 to 2 rows degrees of freedom, columns scaled, and a part that is not symmetric in every fifth. */
static void fill(contacts *c, gsl_rng *rng)
{
  double H[2 * MOST * MOST];
  const size_t n = c->n, d = n / 2 + 1 + gsl_rng_uniform_int(rng, 2 * n - n / 2);
  const double spread = gsl_rng_uniform(rng) < 0.3 ? 3 : 0, skew = gsl_rng_uniform(rng) < 0.2 ? 0.3 : 0;
  for (size_t j = 0; j < n; j++) {
    const double size = pow(10, spread * (gsl_rng_uniform(rng) - 0.5));
    for (size_t k = 0; k < d; k++) {
      H[k + j * d] = size * gsl_ran_gaussian(rng, 1);
    }
  }
  double v[2 * MOST];
  for (size_t k = 0; k < d; k++) {
    v[k] = gsl_ran_gaussian(rng, 1);
  }
  for (size_t j = 0; j < n; j++) {
    c->q[j] = 0;
    for (size_t k = 0; k < d; k++) {
      c->q[j] += H[k + j * d] * v[k];
    }
  }
  gram_matrix(rng, n, H, d, skew, c->W);
}

static void draw(contacts *c, gsl_rng *rng)
{
  const size_t rows = 2 + gsl_rng_uniform_int(rng, 2);
  *c = (contacts){.count = 1 + gsl_rng_uniform_int(rng, MOST_CONTACTS)};
  for (size_t a = 0; a < c->count; a++) {
    const double lot = gsl_rng_uniform(rng);
    c->blocks[a] = lot < 0.1   ? (dls_block){DLS_HALF, 1, 0}
                   : lot < 0.2 ? (dls_block){DLS_FREE, 1 + gsl_rng_uniform_int(rng, 2), 0}
                               : (dls_block){DLS_COULOMB, rows, gsl_rng_uniform(rng) * 2};
    c->n += c->blocks[a].rows;
  }
  fill(c, rng);
}

/* The point of the cone |x_T| <= mu x_N next to x, in place. */
static void project(size_t d, long double mu, long double *x)
{
  long double t = 0;
  for (size_t i = 1; i < d; i++) {
    t += x[i] * x[i];
  }
  t = sqrtl(t);
  if (x[0] >= 0 && t <= mu * x[0]) {
    return;
  }
  const long double along = mu * t + x[0], normal = along > 0 ? along / (1 + mu * mu) : 0;
  for (size_t i = 1; i < d; i++) {
    x[i] = t > 0 ? x[i] * (mu * normal / t) : 0;
  }
  x[0] = normal;
}

/* f of a block, problem.h; u in, f out. */
static void natural_map(const contacts *c, size_t a, size_t first, const double *r, long double *u,
                        long double *reaction)
{
  const dls_block *b = &c->blocks[a];
  long double trace = 0, slip = 0, x[3] = {0};
  for (size_t i = 0; i < b->rows; i++) {
    trace += c->W[(first + i) * (c->n + 1)];
    slip += i > 0 ? u[i] * u[i] : 0;
  }
  const long double rho = (long double)b->rows / trace;
  for (size_t i = 0; i < b->rows; i++) {
    *reaction += (r[first + i] / rho) * (r[first + i] / rho);
  }
  if (b->law == DLS_FREE) {
    return;
  }
  const long double lifted = u[0] + (b->law == DLS_COULOMB ? (long double)b->mu * sqrtl(slip) : 0);
  for (size_t i = 0; i < b->rows; i++) {
    x[i] = r[first + i] - rho * (i == 0 ? lifted : u[i]);
  }
  project(b->rows, b->law == DLS_COULOMB ? b->mu : 0, x);
  for (size_t i = 0; i < b->rows; i++) {
    u[i] = (r[first + i] - x[i]) / rho;
  }
}

static long double friction_ratio(const contacts *c, const double *r)
{
  long double u[MOST], q2 = 0, u2 = 0, r2 = 0, f2 = 0;
  for (size_t i = 0; i < c->n; i++) {
    u[i] = c->q[i];
    for (size_t j = 0; j < c->n; j++) {
      u[i] += (long double)c->W[i + j * c->n] * r[j];
    }
    q2 += (long double)c->q[i] * c->q[i];
    u2 += u[i] * u[i];
  }
  for (size_t a = 0, first = 0; a < c->count; first += c->blocks[a++].rows) {
    natural_map(c, a, first, r, u + first, &r2);
  }
  for (size_t i = 0; i < c->n; i++) {
    f2 += u[i] * u[i];
  }
  const long double scale = sqrtl(fmaxl(q2, fmaxl(u2, r2)));
  return f2 > 0 ? sqrtl(f2) / (tolerance * scale) : 0;
}

static void try_friction(unsigned long i, gsl_rng *rng, dls_problem_solver *solver, tally *t)
{
  contacts c;
  double r[MOST] = {0};
  draw(&c, rng);
  const dls_problem problem = {.count = c.count, .blocks = c.blocks, .q = c.q, .dense = c.W};
  const bool solved = dls_problem_solve(solver, &problem, r, NULL, NULL, NULL) == DLS_OK;
  count(t, i, "friction", solved, solved ? friction_ratio(&c, r) : 0);
}

int main(int argc, char **argv)
{
  const unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 0,
                      number = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
  dls_lcp_solver *lcp[] = {lcp_create("auto"), lcp_create("lemke"), lcp_create("pgs")};
  dls_problem_solver *friction = NULL;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  tally complementarity = {0}, contact = {0};
  if (dls_problem_create(NULL, tolerance, &friction, NULL) != DLS_OK) {
    return 2;
  }
  for (unsigned long i = first; i < first + number; i++) {
    gsl_rng_set(rng, i + 1);
    if (i % 2 == 0) {
      try_lcp(i, rng, lcp, &complementarity);
    } else {
      try_friction(i, rng, friction, &contact);
    }
  }
  printf("lcp=%lu solved=%lu wrong=%lu worst=%.3Lg friction=%lu solved=%lu wrong=%lu worst=%.3Lg end\n",
         complementarity.tried, complementarity.solved, complementarity.wrong, complementarity.worst,
         contact.tried, contact.solved, contact.wrong, contact.worst);
  for (size_t k = 0; k < 3; k++) {
    dls_lcp_destroy(lcp[k]);
  }
  dls_problem_destroy(friction);
  gsl_rng_free(rng);
  return complementarity.wrong + contact.wrong == 0 ? 0 : 1;
}
