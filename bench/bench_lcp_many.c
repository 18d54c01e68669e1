/* bench_lcp_many.c -- one complementarity problem of many contacts: seconds, active sets tried and residual for
 * tridiagonal and grid patterns, cold (z = 0 to begin with) and warm (the solution for a load that differs by 1 %); and the seconds
 * of the cold one divided by what is allowed.
 *   bench_lcp_many [n]
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/limits.h"
#include <delassus/lcp.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double limit_chain = 2.5e-6, limit_grid = 6e-6; /* s per contact, cold */

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* In (-1, 1): xorshift64. */
static double uniform(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return 2 * ((double)(*state >> 11) * 0x1p-53) - 1;
}

/* Five-point pattern on a side x side grid, or a chain (side x 1): -1 off the diagonal, the row sum is `excess`
 * (inside; larger at the rim). */
static dls_matrix *grid(size_t width, size_t height, double excess)
{
  const size_t n = width * height;
  dls_matrix *W = dls_matrix_sparse(n, n, 5 * n);
  const double diagonal = excess + (height > 1 ? 4 : 2);
  for (size_t j = 0; j < n; j++) {
    if (j >= width) {
      dls_matrix_set(W, j - width, j, -1);
    }
    if (j % width > 0) {
      dls_matrix_set(W, j - 1, j, -1);
    }
    dls_matrix_set(W, j, j, diagonal);
    if (j % width + 1 < width) {
      dls_matrix_set(W, j + 1, j, -1);
    }
    if (j + width < n) {
      dls_matrix_set(W, j + width, j, -1);
    }
  }
  return W;
}

static void random_load(size_t width, size_t height, double *b)
{
  uint64_t state = 1;
  for (size_t i = 0; i < width * height; i++) {
    b[i] = uniform(&state);
  }
}

/* A membrane over a wavy obstacle: large patches of contact. */
static void smooth_load(size_t width, size_t height, double *b)
{
  for (size_t i = 0; i < width * height; i++) {
    const double x = (double)(i % width) / (double)width, y = (double)(i / width) / (double)height;
    b[i] = sin(9 * x) * cos(7 * y) - 0.2;
  }
}

static void one(const char *name, size_t width, size_t height, double excess,
                void (*load)(size_t width, size_t height, double *b))
{
  const size_t n = width * height;
  dls_matrix *W = grid(width, height, excess);
  dls_lcp_solver *solver = NULL;
  dls_error err = {0};
  double *b = malloc(n * sizeof *b), *z = calloc(n, sizeof *z);
  if (W == NULL || b == NULL || z == NULL || dls_lcp_create(1, NULL, 1e-12, &solver, &err) != DLS_OK) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  const double limit = (height > 1 ? limit_grid : limit_chain) * (double)n;
  double cold = 0;
  load(width, height, b);
  printf("%-34s %8zu", name, n);
  for (int warm = 0; warm < 2; warm++) {
    dls_lcp_report report;
    const double begin = seconds();
    const dls_status status = dls_lcp_solve_matrix(solver, W, b, z, NULL, &report, &err);
    const double taken = seconds() - begin;
    cold = warm ? cold : taken;
    printf("   %8.3f %4zu %8.1e", taken, report.pivots, report.residual / report.scale);
    if (status != DLS_OK) {
      printf(" %s", err.text);
    }
    fflush(stdout);
    for (size_t i = 0; i < n; i++) {
      b[i] *= 1 + 0.01 * sin((double)i);
    }
  }
  printf("   %6.2f\n", cold / limit);
  if (height == 1 || n <= 200000) { /* larger grids have no limit */
    char work[120];
    snprintf(work, sizeof work, "complementarity problem, %s, %zu contacts", name, n);
    limit_at_most(work, "s", cold, NAN, NAN, limit);
  }
  dls_lcp_destroy(solver);
  dls_matrix_destroy(W);
  free(b);
  free(z);
}

int main(int argc, char **argv)
{
  const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000, side = (size_t)sqrt((double)n);
  printf("%-34s %8s   %8s %4s %8s   %8s %4s %8s   %6s\n", "", "n", "cold s", "sets", "residual", "warm s",
         "sets", "residual", "/limit");
  one("chain, dominant, random load", n, 1, 0.5, random_load);
  one("chain, Laplacian, random load", n, 1, 0, random_load);
  one("chain, Laplacian, smooth load", n, 1, 0, smooth_load);
  one("grid, dominant, random load", side, side, 0.5, random_load);
  one("grid, Laplacian, random load", side, side, 0, random_load);
  one("grid, dominant, smooth load", side, side, 0.5, smooth_load);
  one("grid, Laplacian, smooth load", side, side, 0, smooth_load);
  return 0;
}
