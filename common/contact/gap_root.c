/* gap_root.c -- first zero of a quintic by subdivision of its Bernstein form: without a negative coefficient there is
 * no negative value, with one change of sign there is one zero. Double roots inside a step are found like others.
 * Source: Farouki & Rajan 1987, CAGD 4, 191-216.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/gap_root.h"
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
  COUNT = DLS_GAP_COEFFICIENTS,
  MAX_DEPTH = 40
}; /* 2^-40 of a step: at a grazing nearer than that nothing is missed */
/* A polynomial has five zeros, near each of which a handful of pieces a level stay open; more are rounding errors. */
enum { MAX_PIECES = 1000 };
/* Of a coefficient, relative to the largest of the polynomial: sums and halves of six. */
static const double rounding = 16 * DBL_EPSILON;

typedef struct piece {
  double c[COUNT], from, to; /* coefficients; the part of [0, 1] */
} piece;

/* Halves by de Casteljau's algorithm. */
static void split(const piece *p, piece *left, piece *right)
{
  double c[COUNT];
  memcpy(c, p->c, sizeof c);
  for (int k = 0; k < COUNT; k++) {
    left->c[k] = c[0];
    right->c[COUNT - 1 - k] = c[COUNT - 1 - k];
    for (int i = 0; i + 1 < COUNT - k; i++) {
      c[i] = 0.5 * (c[i] + c[i + 1]);
    }
  }
  left->from = p->from;
  right->to = p->to;
  left->to = right->from = 0.5 * (p->from + p->to);
}

/* Rounding errors of the coefficients of a polynomial and of its parts. */
static double noise_of(const piece *p)
{
  double largest = 0;
  for (int k = 0; k < COUNT; k++) {
    largest = fmax(largest, fabs(p->c[k]));
  }
  return rounding * largest;
}

/* By more than noise. */
static bool nowhere_negative(const piece *p, double noise)
{
  for (int k = 0; k < COUNT; k++) {
    if (!(p->c[k] >= -noise)) {
      return false;
    }
  }
  return true;
}

int dls_gap_sign_changes(const double c[DLS_GAP_COEFFICIENTS])
{
  int changes = 0;
  for (int k = 1; k < DLS_GAP_COEFFICIENTS; k++) {
    changes += (c[k - 1] >= 0) != (c[k] >= 0);
  }
  return changes;
}

/* The only zero of a piece that begins positive and ends negative. */
static double zero_of(piece p)
{
  piece left, right;
  while (p.to - p.from > 1e-3) { /* the caller refines it */
    split(&p, &left, &right);
    p = left.c[COUNT - 1] < 0 ? left : right;
  }
  return p.from + (p.to - p.from) * (p.c[0] > p.c[COUNT - 1] ? p.c[0] / (p.c[0] - p.c[COUNT - 1]) : 1);
}

/* Is there nothing to be found in a piece? At the end of the depth there is a double zero up to rounding. */
static bool is_done(const piece *p, int level, double noise)
{
  return nowhere_negative(p, noise) || level == MAX_DEPTH;
}

/* The first zero of a polynomial that does not begin negative. */
static bool search(const piece *whole, double h, double *root, double *below)
{
  piece stack[MAX_DEPTH + 2];
  int depth[MAX_DEPTH + 2];
  int count = 1;
  stack[0] = *whole;
  depth[0] = 0;
  const double noise = noise_of(whole);
  for (int pieces = 1; count > 0; pieces++) {
    const piece p = stack[--count];
    const int level = depth[count];
    const bool crosses = p.c[COUNT - 1] < 0 && dls_gap_sign_changes(p.c) == 1;
    if (crosses || pieces == MAX_PIECES) { /* or is within rounding: the caller looks there */
      *root = h * (crosses ? zero_of(p) : p.from);
      *below = h * p.to;
      return true;
    }
    if (is_done(&p, level, noise)) {
      continue;
    }
    split(&p, &stack[count + 1], &stack[count]);
    depth[count] = depth[count + 1] = level + 1;
    count += 2;
  }
  return false;
}

bool dls_gap_root(dls_gap_end a, dls_gap_end b, double h, double *root, double *below)
{
  piece whole = {.from = 0, .to = 1};
  dls_gap_bernstein(a, b, h, whole.c);
  *root = *below = 0;
  return a.g < 0 || (!nowhere_negative(&whole, 0) && search(&whole, h, root, below));
}

double dls_gap_root_refined(dls_gap_end a, dls_gap_end b, double h, double root)
{
  for (int step = 0; step < 3; step++) { /* of Newton's method; each doubles the digits */
    double c[COUNT];
    const double x = root / h;
    dls_gap_bernstein(a, b, h, c);
    for (int k = COUNT - 1; k > 1; k--) { /* de Casteljau: at last two points of the tangent at x */
      for (int i = 0; i < k; i++) {
        c[i] += x * (c[i + 1] - c[i]);
      }
    }
    const double slope = 5 * (c[1] - c[0]) / h;
    if (!(slope < 0)) { /* a double zero */
      return root;
    }
    root = fmin(fmax(root - (c[0] + x * (c[1] - c[0])) / slope, 0), h);
  }
  return root;
}
