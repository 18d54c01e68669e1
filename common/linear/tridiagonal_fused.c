/* tridiagonal_fused.c -- solves that touch few rows.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/tridiagonal_fused.h"
#include <math.h>
#include <string.h>

/* Thresholds of dls_tridiagonal_solve_near. */
static const double little = 0x1p-180, representable = 0x1p-960; /* of the first entry; exactly representable */
static const double bound = 4; /* bound of |x| / (|y| max d): a sum of halves, plus rounding */

void dls_tridiagonal_outwards(const dls_tridiagonal *A, const double *y, double *x)
{
  const size_t n = A->n, middle = n / 2;
  const double *restrict d = A->d, *restrict e = A->e;
  const size_t count = n - 1 - middle; /* rows after the middle; before it there are as many or one more */
  double up = y[middle] * d[middle];
  double down = up;
  x[middle] = up;
  for (size_t i = middle, k = middle; i > middle - count; i--, k++) {
    up = y[i - 1] * d[i - 1] - e[i - 1] * up;
    down = y[k + 1] * d[k + 1] - e[k] * down;
    x[i - 1] = up;
    x[k + 1] = down;
  }
  if (middle > count) {
    x[0] = y[0] * d[0] - e[0] * up;
  }
}

/* The rows on one side of the middle, counted from the end. Row k is at k step and coupled with row k + 1 by e[k step];
 * row `count` is the middle. */
typedef struct half {
  const double *d, *e;
  ptrdiff_t step;
  size_t count;
} half;

static half half_of(const dls_tridiagonal *A, bool behind)
{
  const size_t n = A->n, middle = n / 2;
  return behind ? (half){A->d + n - 1, A->e + n - 2, -1, n - 1 - middle} : (half){A->d, A->e, 1, middle};
}

static inline double *at(const half *s, double *x, size_t k)
{
  return x + s->step * (ptrdiff_t)k;
}

static inline double see(const half *s, const double *x, size_t k)
{
  return x[s->step * (ptrdiff_t)k];
}

/* The rows of a range that are in one half. */
static dls_rows part_of(size_t n, dls_rows rows, bool behind)
{
  const size_t middle = n / 2;
  if (behind) {
    const size_t first = rows.first > middle + 1 ? rows.first : middle + 1;
    return rows.past > first ? (dls_rows){n - rows.past, n - first} : (dls_rows){0, 0};
  }
  const size_t past = rows.past < middle ? rows.past : middle;
  return rows.first < past ? (dls_rows){rows.first, past} : (dls_rows){0, 0};
}

/* Sweep towards the middle; x is 0 outside `rows`. 0 - e x is computed as -(e x), one dependent operation less. @return
 * the rows outside of which x is 0 afterwards */
static dls_rows inwards_few(const half *s, dls_rows rows, double *x)
{
  if (rows.first == rows.past) {
    return rows;
  }
  size_t k = rows.first;
  for (; k + 1 < rows.past; k++) {
    *at(s, x, k + 1) -= see(s, s->e, k) * see(s, x, k);
  }
  double here = see(s, x, k);
  for (; k + 1 < s->count && here != 0; k++) {
    here *= -see(s, s->e, k);
    *at(s, x, k + 1) = here != 0 ? here : 0; /* not -0 */
  }
  return (dls_rows){rows.first, k + 1};
}

/* Sweep away from the middle, where x is `here`; y is 0 outside `rows`. @return the rows outside of which x is 0 */
static dls_rows outwards_few(const half *s, dls_rows rows, double here, double *x)
{
  const bool all = here != 0; /* fills the rows between the middle and the nonzero ones */
  size_t k = all ? s->count : rows.past, past = k;
  here = all ? here : 0;
  for (; k > rows.past && here != 0; k--) {
    here *= -see(s, s->e, k - 1);
    *at(s, x, k - 1) = here != 0 ? here : 0;
  }
  here = here != 0 ? here : 0;
  k = k < rows.past ? k : rows.past;
  for (; k > rows.first; k--) {
    here = see(s, x, k - 1) * see(s, s->d, k - 1) - see(s, s->e, k - 1) * here;
    *at(s, x, k - 1) = here;
  }
  for (; k > 0 && here != 0; k--) {
    here *= -see(s, s->e, k - 1);
    *at(s, x, k - 1) = here != 0 ? here : 0;
  }
  return (dls_rows){k, past};
}

/* The rows of both halves and of the middle. */
static dls_rows together(size_t n, dls_rows before, dls_rows behind, bool middle)
{
  const size_t at = n / 2;
  const bool ahead = before.first < before.past, after = behind.first < behind.past;
  return (dls_rows){.first = ahead    ? before.first
                             : middle ? at
                             : after  ? n - behind.past
                                      : 0,
                    .past = after    ? n - behind.first
                            : middle ? at + 1
                                     : before.past};
}

dls_rows dls_tridiagonal_solve_few(const dls_tridiagonal *A, dls_rows rows, double *x)
{
  const size_t n = A->n, middle = n / 2;
  const half before = half_of(A, false), behind = half_of(A, true);
  dls_rows up = inwards_few(&before, part_of(n, rows, false), x);
  dls_rows down = inwards_few(&behind, part_of(n, rows, true), x + n - 1);
  x[middle] = dls_fused_middle(A, x[middle], x[middle - 1], x[middle + 1]) * A->d[middle];
  up = outwards_few(&before, up, x[middle], x);
  down = outwards_few(&behind, down, x[middle], x + n - 1);
  return together(n, up, down, x[middle] != 0);
}

/* Are they equal bit for bit? */
static inline bool same(double x, double y)
{
  return memcmp(&x, &y, sizeof x) == 0;
}

double dls_tridiagonal_steepness(const dls_tridiagonal *A)
{
  double largest = A->d[0];
  bool steep = true;
  for (size_t i = 0; i + 1 < A->n; i++) {
    steep = steep && fabs(A->e[i]) <= 0.5;
    largest = fmax(largest, A->d[i + 1]);
  }
  return steep ? largest : 0;
}

/* Sweep from `rows` towards the middle until little is left. @return that row, or count if it is not before the middle */
static size_t fall(const half *s, dls_rows rows, double *x)
{
  size_t k = rows.first;
  for (; k + 1 < rows.past; k++) {
    *at(s, x, k + 1) -= see(s, s->e, k) * see(s, x, k);
  }
  double here = see(s, x, k);
  const double least = little * fabs(here);
  for (; k + 1 < s->count && fabs(here) > least; k++) {
    here *= -see(s, s->e, k);
    *at(s, x, k + 1) = here;
  }
  return fabs(here) <= least && fabs(here) > representable ? k : s->count;
}

/* Back from row k, beyond which |x| <= rest, to the first row whose x does not depend on it, with x there; beyond that x
 * := 0. */
static size_t settle(const half *s, size_t k, double rest, double *x)
{
  double above = rest, below = -rest;
  for (; k > 0; k--) {
    const double own = see(s, x, k) * see(s, s->d, k), e = see(s, s->e, k);
    above = own - e * above;
    below = own - e * below;
    if (same(above, below)) {
      *at(s, x, k) = above;
      return k;
    }
    *at(s, x, k) = 0;
  }
  return 0;
}

/* x from row k, where it is known, to the end of the half. @return the first row that is not 0 */
static size_t back(const half *s, size_t k, dls_rows rows, double *x)
{
  double here = see(s, x, k);
  for (; k > rows.first; k--) {
    here = see(s, x, k - 1) * see(s, s->d, k - 1) - see(s, s->e, k - 1) * here;
    *at(s, x, k - 1) = here;
  }
  for (; k > 0 && here != 0; k--) {
    here *= -see(s, s->e, k - 1);
    *at(s, x, k - 1) = here != 0 ? here : 0;
  }
  return k;
}

bool dls_tridiagonal_solve_near(const dls_tridiagonal *A, double largest, dls_rows rows, double *x,
                                dls_rows *known, double *rest)
{
  const size_t n = A->n, middle = n / 2;
  const bool behind = rows.first > middle;
  if (rows.first == rows.past || (!behind && rows.past > middle)) {
    return false;
  }
  const half s = half_of(A, behind);
  const dls_rows own = part_of(n, rows, behind);
  double *from = behind ? x + n - 1 : x;
  const size_t end = fall(&s, own, from);
  if (end == s.count) {
    return false;
  }
  const size_t sure = settle(&s, end, bound * fabs(see(&s, from, end)) * largest, from);
  if (sure < own.past + 1) {
    return false;
  }
  *rest = bound * fabs(see(&s, from, sure - 1)) * largest;
  const size_t first = back(&s, sure, own, from);
  *known = behind ? (dls_rows){n - 1 - sure, n - first} : (dls_rows){first, sure + 1};
  return true;
}

/* y := L^{-1} rhs from `rows` on until it is unchanged. @return the rows that changed; past is count if the middle
 * follows */
static dls_rows mend_inwards(const half *s, const double *rhs, dls_rows rows, double *y)
{
  size_t k = rows.first;
  double here = k > 0 ? see(s, y, k - 1) : 0; /* avoids reading back a value just written */
  for (bool done = rows.first == rows.past; !done && k < s->count; k++) {
    here = k == 0 ? rhs[0] : see(s, rhs, k) - see(s, s->e, k - 1) * here;
    done = k >= rows.past && same(here, see(s, y, k));
    *at(s, y, k) = here;
  }
  return (dls_rows){rows.first, k};
}

/* x where y has changed in some rows, and away from the middle as far as it changes. */
static void mend_outwards(const half *s, const double *y, dls_rows rows, double *x)
{
  double here = see(s, x, rows.past); /* including the middle, if it changed */
  bool done = rows.first == rows.past;
  for (size_t k = rows.past; !done && k-- > 0;) {
    here = see(s, y, k) * see(s, s->d, k) - see(s, s->e, k) * here;
    done = k < rows.first && same(here, see(s, x, k));
    *at(s, x, k) = here;
  }
}

void dls_tridiagonal_mend(const dls_tridiagonal *A, const double *rhs, dls_rows rows, double *y, double *x)
{
  const size_t n = A->n, middle = n / 2, end = n - 1;
  const half before = half_of(A, false), behind = half_of(A, true);
  const dls_rows up = mend_inwards(&before, rhs, part_of(n, rows, false), y);
  const dls_rows down = mend_inwards(&behind, rhs + end, part_of(n, rows, true), y + end);
  const double old = y[middle];
  y[middle] = dls_fused_middle(A, rhs[middle], y[middle - 1], y[middle + 1]);
  if (!same(old, y[middle])) {
    dls_tridiagonal_outwards(A, y, x);
    return;
  }
  mend_outwards(&before, y, up, x);
  mend_outwards(&behind, y + end, down, x + end);
}
