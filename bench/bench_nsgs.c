/* bench_nsgs.c -- the method "nsgs" beside a hand-written Gauss-Seidel loop over blocks of d x d with the same local solver, the same sweeps and
 * the same test every 20 sweeps, on piles of up to 100 contacts at 1e-8: thread time of both, and of "auto" at 1e-12, medians of repetitions in alternation.
 *   bench_nsgs [REPEATS]
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/cone.h"
#include "common/solve/friction/friction_methods.h"
#include "tests/support/block_piles.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BETWEEN = 20, MOST = 2000, REPEATS = 9 };
static const double tolerance = 1e-8;

/* W by blocks of d x d, column-major: those of row k from at[k] to at[k + 1], the diagonal one in own. */
typedef struct by_hand {
  size_t d, count, *at, *column;
  double *block, *own, *inverse_rho, *r, *u, load;
  const double *q, *mu;
} by_hand;

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool couples(const pile *p, size_t k, size_t l, double *block)
{
  bool any = false;
  for (size_t e = 0; e < p->d * p->d; e++) {
    block[e] = dls_matrix_get(p->W, k * p->d + e % p->d, l * p->d + e / p->d);
    any = any || block[e] != 0;
  }
  return any;
}

static by_hand make(const pile *p)
{
  const size_t d = p->d, dd = d * d, count = p->contacts;
  by_hand h = {.d = d, .count = count, .q = p->q, .at = calloc(count + 1, sizeof(size_t))};
  double *mu = calloc(count, sizeof *mu);
  h.column = calloc(count * count, sizeof *h.column);
  h.block = calloc(dd * count * count, sizeof *h.block);
  h.own = calloc(dd * count, sizeof *h.own);
  h.inverse_rho = calloc(count, sizeof *h.inverse_rho);
  h.r = calloc(2 * d * count, sizeof *h.r);
  h.u = h.r + d * count;
  for (size_t k = 0; k < count; k++) {
    mu[k] = p->blocks[k].mu;
    couples(p, k, k, h.own + dd * k);
    for (size_t i = 0; i < d; i++) {
      h.inverse_rho[k] += h.own[dd * k + i * (d + 1)] / (double)d;
      h.load += p->q[d * k + i] * p->q[d * k + i];
    }
    h.at[k + 1] = h.at[k];
    for (size_t l = 0; l < count; l++) {
      if (l != k && couples(p, k, l, h.block + dd * h.at[k + 1])) {
        h.column[h.at[k + 1]++] = l;
      }
    }
  }
  h.mu = mu;
  return h;
}

static void release(by_hand *h)
{
  free((void *)h->mu);
  free(h->at);
  free(h->column);
  free(h->block);
  free(h->own);
  free(h->inverse_rho);
  free(h->r);
}

/* u_k of the other contacts. */
static void others(const by_hand *h, size_t k, double *u)
{
  const size_t d = h->d;
  memcpy(u, h->q + d * k, d * sizeof *u);
  for (size_t e = h->at[k]; e < h->at[k + 1]; e++) {
    const double *W = h->block + d * d * e, *r = h->r + d * h->column[e];
    for (size_t j = 0; j < d; j++) {
      for (size_t i = 0; i < d; i++) {
        u[i] += W[i + d * j] * r[j];
      }
    }
  }
}

/* The certificate of the library. */
static double residual(by_hand *h)
{
  double gaps = 0, speeds = 0, forces = 0, f[3];
  const size_t d = h->d;
  for (size_t k = 0; k < h->count; k++) {
    double *u = h->u + d * k;
    others(h, k, u);
    for (size_t j = 0; j < d; j++) {
      for (size_t i = 0; i < d; i++) {
        u[i] += h->own[d * d * k + i + d * j] * h->r[d * k + j];
      }
    }
    gaps += dls_cone_gap(d, h->mu[k], 0, h->inverse_rho[k], h->r + d * k, u, f);
    for (size_t i = 0; i < d; i++) {
      speeds += u[i] * u[i];
      forces += h->r[d * k + i] * h->r[d * k + i] * h->inverse_rho[k] * h->inverse_rho[k];
    }
  }
  return sqrt(gaps / fmax(h->load, fmax(speeds, forces)));
}

/* @return the sweeps */
static size_t solve_by_hand(by_hand *h)
{
  size_t sweeps = 0;
  memset(h->r, 0, h->d * h->count * sizeof *h->r);
  for (; !(residual(h) <= tolerance) && sweeps < MOST; sweeps += BETWEEN) {
    for (size_t s = 0; s < BETWEEN; s++) {
      for (size_t i = 0; i < h->count; i++) {
        const size_t k = s % 2 == 0 ? i : h->count - 1 - i;
        double u[3];
        others(h, k, u);
        dls_contact_from(h->d, h->own + h->d * h->d * k, u, h->mu[k], h->r + h->d * k);
      }
    }
  }
  return sweeps;
}

static size_t solve_by_library(dls_problem_solver *solver, const pile *p, double *r)
{
  dls_problem_report report = {0};
  const dls_problem problem = pile_problem(p);
  memset(r, 0, p->d * p->contacts * sizeof *r);
  return dls_problem_solve(solver, &problem, r, NULL, &report, NULL) == DLS_OK ? report.iterations : MOST;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *x, size_t count)
{
  qsort(x, count, sizeof *x, by_size);
  return x[count / 2];
}

static void compare(dls_problem_solver *nsgs, dls_problem_solver *newton, pile *p, const char *name,
                    size_t repeats)
{
  double by_library[REPEATS], hand[REPEATS], by_auto[REPEATS], *r = calloc(p->d * p->contacts, sizeof *r);
  by_hand h = make(p);
  const size_t sweeps = solve_by_hand(&h);
  size_t own = sweeps;
  for (size_t k = 0; sweeps < MOST && k < repeats; k++) {
    const double begin = seconds();
    own = solve_by_library(nsgs, p, r);
    const double middle = seconds();
    solve_by_hand(&h);
    const double end = seconds();
    solve_by_library(newton, p, r);
    by_library[k] = middle - begin;
    hand[k] = end - middle;
    by_auto[k] = seconds() - end;
  }
  if (sweeps < MOST && repeats > 0) {
    const double middle = median(by_library, repeats);
    printf("%s,%zu,%zu,%zu,%zu,%.3g,%.3g,%.3g\n", name, p->d, p->contacts, sweeps, own,
           1e6 * median(hand, repeats), middle / median(hand, repeats), median(by_auto, repeats) / middle);
  } else {
    printf("%s,%zu,%zu,%zu,,,,\n", name, p->d, p->contacts, sweeps);
  }
  release(&h);
  free(r);
}

int main(int argc, char **argv)
{
  static const double kicks[] = {0, 0.01, 1}; /* m/s: at rest, disturbed, thrown about */
  const size_t repeats = argc > 1 ? (size_t)atol(argv[1]) : REPEATS;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *nsgs = NULL, *newton = NULL;
  if (dls_problem_create("nsgs", tolerance, &nsgs, NULL) != DLS_OK ||
      dls_problem_create("auto", 1e-12, &newton, NULL) != DLS_OK || repeats > REPEATS) {
    return 1;
  }
  printf("pile,dim,contacts,sweeps,of the library,by hand in us,library / by hand,auto at 1e-12 / nsgs\n");
  for (double contacts = 10; contacts <= 100; contacts *= sqrt(10)) {
    for (int k = 0; k < 2 * PILE_KINDS * 3; k++) {
      const double kick = kicks[k / 2 / PILE_KINDS];
      char name[80];
      pile p = pile_of_size((pile_kind)(k / 2 % PILE_KINDS), 2 + (size_t)k % 2, contacts, kick, rng);
      snprintf(name, sizeof name, "%s-%g", pile_names[k / 2 % PILE_KINDS], kick);
      compare(nsgs, newton, &p, name, repeats);
      pile_destroy(&p);
    }
  }
  dls_problem_destroy(nsgs);
  dls_problem_destroy(newton);
  gsl_rng_free(rng);
  return 0;
}
