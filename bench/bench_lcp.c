/* bench_lcp.c -- nanoseconds per LCP solve, by method and size; W = H^T H / n + 0.1 I, b normal, cold start.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/lcp.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST = 30, PROBLEMS = 64 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct problem {
  double W[LARGEST * LARGEST], b[LARGEST];
} problem;

static void fill(gsl_rng *rng, size_t n, problem *p)
{
  double H[LARGEST * LARGEST];
  for (size_t k = 0; k < n * n; k++) {
    H[k] = gsl_ran_gaussian(rng, 1);
  }
  for (size_t j = 0; j < n; j++) {
    p->b[j] = n == 1 ? -1 : gsl_ran_gaussian(rng, 1);
    for (size_t i = 0; i < n; i++) {
      double sum = i == j ? 0.1 : 0;
      for (size_t k = 0; k < n; k++) {
        sum += H[k + i * n] * H[k + j * n] / (double)n;
      }
      p->W[i + j * n] = sum;
    }
  }
}

/* Seconds per solve over all problems, repeated for about 0.1 s; pivots: mean. */
static double time_solves(dls_lcp_solver *solver, size_t n, const problem *problems, double *pivots,
                          size_t *failed)
{
  double z[LARGEST], w[LARGEST], seconds = 0;
  size_t solves = 0;
  dls_lcp_report report;
  *pivots = 0;
  *failed = 0;
  for (size_t repeats = 1; seconds < 0.1; repeats *= 4) {
    const double start = now();
    for (size_t r = 0; r < repeats; r++) {
      for (size_t k = 0; k < PROBLEMS; k++) {
        memset(z, 0, n * sizeof *z);
        *failed += dls_lcp_solve(solver, n, problems[k].W, problems[k].b, z, w, &report, NULL) != DLS_OK;
        *pivots += (double)report.pivots;
      }
    }
    seconds = now() - start;
    solves = repeats * PROBLEMS;
    *pivots /= (double)solves;
  }
  return seconds / (double)solves;
}

int main(void)
{
  static const size_t sizes[] = {1, 2, 3, 4, 6, 8, 30};
  static const char *const methods[] = {"auto", "closed-form", "enumeration", "block-pivoting", "lemke", "pgs"};
  static problem problems[PROBLEMS];
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  printf("%-12s %4s %12s %8s %7s\n", "method", "n", "ns/solve", "pivots", "failed");
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (size_t k = 0; k < PROBLEMS; k++) {
      fill(rng, sizes[s], &problems[k]);
    }
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
      dls_lcp_solver *solver;
      double pivots;
      size_t failed;
      if ((m == 1 && sizes[s] > 1) || (m == 2 && sizes[s] > 20)) {
        continue; /* does not apply */
      }
      if (dls_lcp_create(LARGEST, methods[m], 1e-12, &solver, NULL) != DLS_OK) {
        return EXIT_FAILURE;
      }
      const double seconds = time_solves(solver, sizes[s], problems, &pivots, &failed);
      printf("%-12s %4zu %12.1f %8.1f %7zu\n", methods[m], sizes[s], 1e9 * seconds, pivots, failed);
      dls_lcp_destroy(solver);
    }
  }
  gsl_rng_free(rng);
  return EXIT_SUCCESS;
}
