/* rope.c -- a mass that flies within a circle: parabolas, of which h(s) = l^2 - |x + v s + a s^2/2|^2 is of degree four. The first
 * zero of h is found between the zeros of its derivatives, one degree after the other; h = s (h1 + h2 s + ...) behind an impact.
 * Impact: the velocity along the rope is reversed, times e. Impacts that accumulate are followed one by one as far as time tells
 * them apart; what comes behind is another motion, and not here.
 * Source: elementary.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/pieces.h"
#include <delassus/exact.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MASS, LENGTH, GRAVITY, RESTITUTION, X0, Y0, VX0, VY0 }; /* parameters of the model */
enum { DEGREE = 4 };

extern const dls_model dls_model_rope;

typedef struct flight {
  long double start, x[2], v[2]; /* right limits */
  double u_minus, u_plus;        /* of the impact at its start */
} flight;

struct dls_exact_solution {
  dls_pieces list; /* flights */
  long double m, l, g, e;
};

static const flight *flight_of(const dls_exact_solution *sol, size_t piece)
{
  return (const flight *)sol->list.of + piece;
}

static long double value_of(const long double *h, int degree, long double s)
{
  long double sum = 0;
  for (int k = degree; k >= 0; k--) {
    sum = sum * s + h[k];
  }
  return sum;
}

/* The zero in [low, high], where h changes its sign. */
static long double bisect(const long double *h, int degree, long double low, long double high)
{
  const bool rises = value_of(h, degree, low) < 0;
  for (;;) {
    const long double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) {
      return middle;
    }
    *((value_of(h, degree, middle) < 0) == rises ? &low : &high) = middle;
  }
}

/* Where h changes its sign in (0, most), rising; between neighbours of the zeros of its derivative it is monotone. @return how many */
static int zeros(const long double *h, int degree, long double most, long double *zero)
{
  long double slope[DEGREE], edge[DEGREE + 1] = {0};
  int edges = 1, count = 0;
  if (degree > 1) {
    for (int k = 1; k <= degree; k++) {
      slope[k - 1] = k * h[k];
    }
    edges += zeros(slope, degree - 1, most, edge + 1);
  }
  edge[edges] = most;
  for (int i = 0; i < edges; i++) {
    if ((value_of(h, degree, edge[i]) < 0) != (value_of(h, degree, edge[i + 1]) < 0)) {
      zero[count++] = bisect(h, degree, edge[i], edge[i + 1]);
    }
  }
  return count;
}

/* The end of a flight within s <= most, or INFINITY: the first zero of h, or behind an impact, where h(0) = 0, of h/s. */
static long double ends(const dls_exact_solution *sol, const flight *f, bool taut, long double most)
{
  const long double *x = f->x, *v = f->v, g = sol->g;
  const long double h[DEGREE + 1] = {sol->l * sol->l - x[0] * x[0] - x[1] * x[1],
                                     -2 * (x[0] * v[0] + x[1] * v[1]), g * x[1] - v[0] * v[0] - v[1] * v[1],
                                     g * v[1], -g * g / 4};
  long double zero[DEGREE + 1];
  const int count = taut ? zeros(h + 1, DEGREE - 1, most, zero) : zeros(h, DEGREE, most, zero);
  return count > 0 ? zero[0] : HUGE_VALL;
}

/* x += v s - g s^2/2 e_y,  v -= g s e_y */
static void move(const dls_exact_solution *sol, flight *f, long double s)
{
  f->x[0] += s * f->v[0];
  f->x[1] += s * (f->v[1] - s * sol->g / 2);
  f->v[1] -= s * sol->g;
  f->start += s;
}

/* v -= (1 + e) (v . n) n with n = x/|x| outward; x is put back on the circle. */
static void strike(const dls_exact_solution *sol, flight *f)
{
  const long double r = hypotl(f->x[0], f->x[1]), out[] = {f->x[0] / r, f->x[1] / r};
  const long double speed = f->v[0] * out[0] + f->v[1] * out[1];
  for (int i = 0; i < 2; i++) {
    f->x[i] = sol->l * out[i];
    f->v[i] -= (1 + sol->e) * speed * out[i];
  }
  f->u_minus = (double)-speed;
  f->u_plus = (double)(sol->e * speed);
}

static dls_status push(dls_exact_solution *sol, const flight *f, dls_error *err)
{
  const size_t count = sol->list.count;
  if (count > 0 && !((double)f->start > (double)flight_of(sol, count - 1)->start)) {
    return dls_fail(err, DLS_ERR_CHATTERING, "rope: impacts accumulate by t = %.9g s, no more are computed",
                    (double)f->start);
  }
  return dls_pieces_push(&sol->list, f, err);
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = calloc(1, sizeof *sol);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  sol->list.size = sizeof(flight);
  sol->m = p[MASS];
  sol->l = p[LENGTH];
  sol->g = p[GRAVITY];
  sol->e = p[RESTITUTION];
  flight f = {.x = {p[X0], p[Y0]}, .v = {p[VX0], p[VY0]}};
  dls_status status = push(sol, &f, err);
  while (status == DLS_OK) {
    const long double s = ends(sol, &f, sol->list.count > 1, end - f.start);
    if (!(s <= end - f.start)) {
      break; /* the last flight lasts beyond the end */
    }
    move(sol, &f, s);
    strike(sol, &f);
    status = push(sol, &f, err);
  }
  return status;
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  const double r = fmax(hypot(q[0], q[1]), DBL_MIN);
  (void)t;
  g[0] = (double)sol->l - r;
  u[0] = -(q[0] * v[0] + q[1] * v[1]) / r;
}

static bool event(const dls_exact_solution *sol, size_t piece, dls_event *out)
{
  const flight *f = flight_of(sol, piece);
  *out = (dls_event){.t = (double)f->start,
                     .kind = DLS_IMPACT,
                     .u_minus = f->u_minus,
                     .u_plus = f->u_plus,
                     .impulse = (double)sol->m * (f->u_plus - f->u_minus)};
  return piece > 0;
}

static void value(const dls_exact_solution *sol, size_t piece, double t, dls_exact_value *out)
{
  flight f = *flight_of(sol, piece);
  const bool last = piece + 1 == sol->list.count;
  const long double start = f.start, end = last ? HUGE_VALL : flight_of(sol, piece + 1)->start;
  const long double s = t <= (double)start ? 0 : !last && t >= (double)end ? end - start : t - start;
  move(sol, &f, s);
  for (int i = 0; i < 2; i++) {
    out->q[i] = (double)f.x[i];
    out->v[i] = (double)f.v[i];
    out->a[i] = i == 0 ? 0 : (double)-sol->g;
  }
  dls_event at;
  out->p[0] = t <= (double)start && event(sol, piece, &at) ? at.impulse : 0;
  out->lambda[0] = 0;
  out->status[0] = 0;
}

const dls_exact dls_exact_rope = {
    .model = &dls_model_rope,
    .summary = "parabolas between the zeros of polynomials of degree four; up to an accumulation",
    .source = "elementary",
    .n = 2,
    .m = 1,
    .create = create,
    DLS_PIECES_CALLS,
    .gap = gap,
    .value = value,
    .event = event,
};
