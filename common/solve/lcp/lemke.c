/* common/solve/lcp/lemke.c -- Lemke's method with the lexicographic ratio test.
 * w = W z + d z0 + b,  z0 enters first; then the complement of the variable that left enters, until z0 leaves. The
 * dictionary y = q + T x holds the n basic variables y in terms of the n + 1 others x; B^{-1}, which the lexicographic rule
 * compares, is -T in the columns of those w_j that are not basic and a unit vector for those that are. The last basis is
 * solved again from W and b and refined, which removes the errors of the dictionary.
 * Source: Cottle, Pang, Stone 2009, "The linear complementarity problem", chapter 4 (Lemke's method, scheme I;
 * lexicographic degeneracy resolution).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/lcp/lcp_methods.h"
#include <math.h>
#include <string.h>

/* The problem is equilibrated: entries of T and q start at about 1. */
#define TIE 1e-13    /* a basic variable below this is zero: after a few dozen pivots q is not more accurate */
#define PIVOT 1e-12  /* entries of T below this, relative to their column, are rounding errors */
enum { COVERS = 3 }; /* covering vectors d tried before a ray is accepted */
enum { FINAL_ROUNDS = 4 }; /* corrections of the final basis for entries that are zero up to rounding */

/* Variables: w_j is j, z_j is n + j, z0 is 2 n. */
typedef struct dictionary {
  size_t n;
  double *T, *q; /* T row-major, n x (n + 1) */
  int *row;      /* variable that is basic in each row */
  int *column;   /* variable of each column */
  int *place;    /* of each variable: its row, or -1 - its column */
} dictionary;

static double *entry(const dictionary *D, size_t i, size_t c)
{
  return D->T + i * (D->n + 1) + c;
}

/* d = 1, or 1 plus multiples of the golden ratio modulo 1, which never repeat. */
static double cover(size_t i, int attempt)
{
  const double x = 0.6180339887498949 * (double)(i + 1) * attempt;
  return 1 + (x - floor(x));
}

static void fill(dictionary *D, const double *W, const double *b, int attempt)
{
  const size_t n = D->n;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      *entry(D, i, j) = W[i + j * n];
    }
    *entry(D, i, n) = cover(i, attempt);
    D->q[i] = b[i];
    D->row[i] = D->place[i] = (int)i;
    D->column[i] = (int)(n + i);
    D->place[n + i] = -1 - (int)i;
  }
  D->column[n] = (int)(2 * n);
  D->place[2 * n] = -1 - (int)n;
}

/* Entry (i, j) of B^{-1}. */
static double inverse_entry(const dictionary *D, size_t i, size_t j)
{
  const int place = D->place[j];
  return place < 0 ? -*entry(D, i, (size_t)(-1 - place)) : (double)((size_t)place == i);
}

/* Is row i, divided by a, lexicographically less than row k, divided by c? The first entries, q, are tied. */
static bool lexicographically_less(const dictionary *D, size_t i, double a, size_t k, double c)
{
  for (size_t j = 0; j < D->n; j++) {
    const double difference = inverse_entry(D, i, j) / a - inverse_entry(D, k, j) / c;
    if (fabs(difference) > TIE * (1 / a + 1 / c)) {
      return difference < 0;
    }
  }
  return false;
}

/* Exchange the variable of column c with the basic one of row r. */
static void exchange(dictionary *D, size_t r, size_t c)
{
  const size_t width = D->n + 1;
  double *pivot_row = entry(D, r, 0);
  const double inverse = 1 / pivot_row[c];
  for (size_t j = 0; j < width; j++) {
    pivot_row[j] *= -inverse;
  }
  pivot_row[c] = inverse;
  D->q[r] *= -inverse;
  for (size_t i = 0; i < D->n; i++) {
    double *row = entry(D, i, 0);
    const double a = row[c];
    if (i == r || a == 0) {
      continue;
    }
    row[c] = 0;
    for (size_t j = 0; j < width; j++) {
      row[j] += a * pivot_row[j];
    }
    D->q[i] += a * D->q[r];
  }
  const int leaving = D->row[r], entering = D->column[c];
  D->row[r] = entering;
  D->column[c] = leaving;
  D->place[entering] = (int)r;
  D->place[leaving] = -1 - (int)c;
}

/* Row in which z0 enters: the smallest (b_i, e_i) / d_i. Among equal b_i / d_i that is the last. */
static size_t first_row(const dictionary *D)
{
  size_t best = 0;
  for (size_t i = 1; i < D->n; i++) {
    if (D->q[i] / *entry(D, i, D->n) <= D->q[best] / *entry(D, best, D->n)) {
      best = i;
    }
  }
  return best;
}

/* Largest increase of the variable of column c, and the entries of T that count as negative. */
static double longest_step(const dictionary *D, size_t c, double *threshold)
{
  double largest = 1, step = INFINITY;
  for (size_t i = 0; i < D->n; i++) {
    const double a = fabs(*entry(D, i, c));
    largest = a > largest ? a : largest;
  }
  *threshold = -PIVOT * largest;
  for (size_t i = 0; i < D->n; i++) {
    const double a = *entry(D, i, c);
    if (a < *threshold && D->q[i] < step * -a) {
      step = D->q[i] > 0 ? D->q[i] / -a : 0;
    }
  }
  return step;
}

/* Row that leaves when the variable of column c enters: z0 if possible, else the lexicographically smallest; n on a ray. */
static size_t leaving_row(const dictionary *D, size_t c)
{
  const int z0 = (int)(2 * D->n);
  size_t best = D->n;
  double threshold;
  const double step = longest_step(D, c, &threshold);
  for (size_t i = 0; i < D->n; i++) {
    const double a = *entry(D, i, c);
    if (!(a < threshold && D->q[i] + a * step <= TIE)) {
      continue;
    }
    if (D->row[i] == z0) {
      return i;
    }
    if (best == D->n || lexicographically_less(D, i, -a, best, -*entry(D, best, c))) {
      best = i;
    }
  }
  return best;
}

/* @return DLS_OK, DLS_ERR_LCP on a ray along which z0 stays positive, DLS_ERR_NOCONV at the limit */
static dls_status run(dictionary *D, size_t *pivots)
{
  const size_t n = D->n, limit = 50 + 20 * n; /* about n is usual */
  size_t r = first_row(D), c = n;
  for (size_t count = 0; count < limit; count++) {
    const int leaving = D->row[r];
    exchange(D, r, c);
    (*pivots)++;
    if (leaving == (int)(2 * n)) {
      return DLS_OK;
    }
    const int entering = leaving < (int)n ? leaving + (int)n : leaving - (int)n;
    c = (size_t)(-1 - D->place[entering]);
    r = leaving_row(D, c);
    if (r == n) {
      return D->q[D->place[2 * n]] <= TIE ? DLS_OK : DLS_ERR_LCP;
    }
  }
  return DLS_ERR_NOCONV;
}

/* The dictionary's z, and the same set solved again. */
static bool finish(const dictionary *D, dls_lcp_sets *sets)
{
  const size_t n = D->n;
  for (size_t j = 0; j < n; j++) {
    const int place = D->place[n + j];
    sets->active[j] = place >= 0;
    sets->z[j] = place >= 0 ? D->q[place] : 0;
  }
  dls_lcp_sets_offer(sets);
  return dls_lcp_sets_pivot(sets, FINAL_ROUNDS);
}

static size_t reals_of(size_t n)
{
  return dls_lcp_sets_reals(n) + n * (n + 2);
}

static size_t integers_of(size_t n)
{
  return dls_lcp_sets_integers(n) + 4 * n + 2;
}

static dictionary dictionary_in(size_t n, double *reals, int *integers)
{
  return (dictionary){.n = n,
                      .q = reals,
                      .T = reals + n,
                      .row = integers,
                      .column = integers + n,
                      .place = integers + 2 * n + 1};
}

static dls_status solve(size_t n, const double *W, const double *b, double tolerance, double *z, size_t *pivots,
                        double *reals, int *integers)
{
  dls_lcp_sets sets;
  dls_lcp_sets_start(&sets, n, W, b, z, reals, integers);
  *pivots = 0;
  if (dls_lcp_sets_pivot(&sets, 1)) {
    return DLS_OK; /* the guess names the right set */
  }
  dictionary D = dictionary_in(n, reals + dls_lcp_sets_reals(n), integers + dls_lcp_sets_integers(n));
  dls_status status = DLS_ERR_LCP;
  for (int attempt = 0; attempt < COVERS; attempt++) {
    fill(&D, W, b, attempt);
    status = run(&D, pivots);
    if (finish(&D, &sets) || sets.merit <= tolerance) {
      return DLS_OK;
    }
  }
  return status == DLS_OK ? DLS_ERR_LCP : status;
}

const dls_lcp_method dls_lcp_lemke = {
    .name = "lemke",
    .summary = "Lemke's method, lexicographic, dense",
    .source = "R. W. Cottle, J.-S. Pang and R. E. Stone, The Linear Complementarity Problem (2009)",
    .largest = 1000,
    .reals = reals_of,
    .integers = integers_of,
    .solve = solve,
};
