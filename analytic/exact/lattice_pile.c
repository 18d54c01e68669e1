/* analytic/exact/lattice_pile.c -- discs in a triangular lattice at rest: 0 = F + H lambda with lambda = k m g / sqrt(3), k the
 * discs on the lattice line from the contact upward. The only forces where mu = 0; with friction they are some of many.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/exact.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS, COLUMNS, FRICTION, MASS, RADIUS, RESTITUTION, GRAVITY }; /* parameters of the model */
enum { EACH = 3 };                                                    /* coordinates of a disc */
static const double up = 0.8660254037844386467637;                    /* sqrt(3) / 2 */

extern const dls_model dls_model_lattice_pile;

struct dls_exact_solution {
  size_t rows, columns, discs;
  double unit; /* m g / sqrt(3) [N] */
};

/* In rows 0 .. row - 1. */
static size_t discs_below(size_t columns, size_t row)
{
  return row * columns - (row * row - row) / 2;
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  (void)end;
  dls_exact_solution *sol = *out = malloc(sizeof *sol);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  sol->rows = (size_t)p[ROWS];
  sol->columns = (size_t)p[COLUMNS];
  sol->discs = discs_below(sol->columns, sol->rows);
  sol->unit = p[MASS] * p[GRAVITY] / sqrt(3);
  return DLS_OK;
}

static void destroy(dls_exact_solution *sol)
{
  free(sol);
}

/* n . (x of the disc - x of the one below, NULL: a fixed one), n = (nx, up). */
static double along(const double *x, const double *below, double nx)
{
  const double across = x[0] - (below != NULL ? below[0] : 0), above = x[1] - (below != NULL ? below[1] : 0);
  return nx * across + up * above;
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  (void)t;
  for (size_t row = 0, disc = 0; row < sol->rows; row++) {
    for (size_t k = 0; k < sol->columns - row; k++, disc++) {
      const size_t left = row > 0 ? EACH * (discs_below(sol->columns, row - 1) + k) : 0;
      for (size_t side = 0; side < 2; side++) {
        const double nx = side == 0 ? 0.5 : -0.5;
        const size_t other = left + EACH * side;
        g[2 * disc + side] = along(q + EACH * disc, row > 0 ? q + other : NULL, nx);
        u[2 * disc + side] = along(v + EACH * disc, row > 0 ? v + other : NULL, nx);
      }
    }
  }
}

/* Discs from this one upward, to the right or to the left, until the top or the edge. */
static double on_line(const dls_exact_solution *sol, size_t row, size_t k, bool right)
{
  const size_t to_top = sol->rows - row, to_edge = right ? sol->columns - row - k : k + 1;
  return (double)(to_top < to_edge ? to_top : to_edge);
}

static void value(const dls_exact_solution *sol, size_t piece, double t, dls_exact_value *out)
{
  (void)piece;
  (void)t;
  memset(out->q, 0, EACH * sol->discs * sizeof *out->q);
  memset(out->v, 0, EACH * sol->discs * sizeof *out->v);
  memset(out->a, 0, EACH * sol->discs * sizeof *out->a);
  memset(out->p, 0, 2 * sol->discs * sizeof *out->p);
  for (size_t row = 0, disc = 0; row < sol->rows; row++) {
    for (size_t k = 0; k < sol->columns - row; k++, disc++) {
      out->lambda[2 * disc] = sol->unit * on_line(sol, row, k, true);
      out->lambda[2 * disc + 1] = sol->unit * on_line(sol, row, k, false);
      out->status[2 * disc] = out->status[2 * disc + 1] = 1;
    }
  }
}

const dls_exact dls_exact_lattice_pile = {
    .model = &dls_model_lattice_pile,
    .summary = "at rest; forces add up on lattice lines, with mu > 0 one choice of many",
    .source = "elementary",
    .create = create,
    .destroy = destroy,
    .gap = gap,
    .value = value,
};
