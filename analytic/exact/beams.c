/* beams.c -- the elastica at rest, and a beam in steady rotation.
 *
 * Elastica: a clamped beam that neither stretches nor shears, under a force P across its start at the tip. With the angle theta from
 * there on, s along the beam, theta0 at the tip, k^2 = (1 + sin theta0)/2, w = sqrt(P/EI),
 *   1 + sin theta = 2 k^2 sin^2 phi,   phi_1 = phi(theta = 0),   w s = F(phi, k) - F(phi_1, k)                       (1)
 *   x = sqrt(2)/w [sqrt(sin theta0) - sqrt(sin theta0 - sin theta)],   sin theta0 - sin theta = 2 k^2 cos^2 phi      (2)
 *   deflection = s - 2/w [E(phi, k) - E(phi_1, k)]                                                                  (3)
 * and theta0 from (1) at the tip, phi = pi/2. Under a moment M alone it is an arc of curvature M/EI.
 * Rotation: r(X) of spin_up_beam.h times (cos, sin)(omega t).
 * Sources: Euler 1744, from EI theta'' + P cos theta = 0; Simo, Vu-Quoc 1986, part II.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/cantilever.h"
#include "common/models/spin_up_beam.h"
#include <delassus/exact.h>
#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const dls_model dls_model_cantilever, dls_model_spin_up_beam;
static const gsl_mode_t mode = GSL_PREC_DOUBLE;
static const double largest_load = 300; /* of P l^2/EI: beyond, all but the root points along the force */

struct dls_exact_solution {
  size_t nodes;  /* but for the root */
  double *place; /* nodes x 3 at t = 0: x, y, angle */
  double rate;   /* they turn about the origin */
  double reach;  /* farthest node */
};

static void destroy(dls_exact_solution *sol)
{
  if (sol != NULL) {
    free(sol->place);
    free(sol);
  }
}

static dls_status make(const char *name, size_t nodes, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = calloc(1, sizeof *sol);
  if (sol != NULL) {
    sol->nodes = nodes;
    sol->place = calloc(3 * nodes, sizeof *sol->place);
  }
  if (sol == NULL || sol->place == NULL) {
    destroy(sol);
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %zu nodes", name, nodes);
  }
  *out = sol;
  return DLS_OK;
}

/* --- elastica --- */

typedef struct elastica {
  double w, k, F_1, E_1; /* F(phi_1, k), E(phi_1, k) */
  double tip;            /* sin theta0 */
} elastica;

/* F(phi, k) and E(phi, k) from the sine and the cosine of phi, by Carlson's forms. Near phi = pi/2, a cosine computed from the sine alone would err
 * by the square root of the rounding, and so would E. */
static double elliptic_F(double sn, double cn, double k)
{
  return sn * gsl_sf_ellint_RF(cn * cn, 1 - k * k * sn * sn, 1, mode);
}

static double elliptic_E(double sn, double cn, double k)
{
  const double D = gsl_sf_ellint_RD(cn * cn, 1 - k * k * sn * sn, 1, mode) / 3;
  return elliptic_F(sn, cn, k) - k * k * sn * sn * sn * D;
}

/* With theta0 = pi/2 - c; tan phi_1 = 1/sqrt(sin theta0). */
static elastica elastica_of(double w, double c)
{
  elastica e = {.w = w, .k = cos(0.5 * c), .tip = cos(c)};
  const double sn = 1 / sqrt(1 + e.tip), cn = sqrt(e.tip) * sn;
  e.F_1 = elliptic_F(sn, cn, e.k);
  e.E_1 = elliptic_E(sn, cn, e.k);
  return e;
}

/* (1) at the tip for w l = load: bisection of log c, as load falls with c. */
static elastica bend(double w, double length)
{
  double low = log(1e-8), high = log(acos(0));
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    const elastica e = elastica_of(w, exp(middle));
    if (gsl_sf_ellint_Kcomp(e.k, mode) - e.F_1 > w * length) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return elastica_of(w, exp(0.5 * (low + high)));
}

/* x, deflection, theta at s. */
static void elastica_at(const elastica *e, double s, double *out)
{
  double sn = 0, cn = 0, dn = 0;
  gsl_sf_elljac_e(e->F_1 + e->w * s, e->k * e->k, &sn, &cn, &dn); /* sin phi, cos phi of (1) */
  cn = fmax(cn, 0);                                               /* the tip, up to rounding */
  out[0] = sqrt(2) / e->w * (sqrt(e->tip) - sqrt(2) * e->k * cn); /* (2) */
  out[1] = s - 2 / e->w * (elliptic_E(sn, cn, e->k) - e->E_1);    /* (3) */
  out[2] = asin(2 * e->k * e->k * sn * sn - 1);                   /* (1): theta */
}

/* An arc of curvature kappa. */
static void arc_at(double kappa, double s, double *out)
{
  const double turn = kappa * s, half = sin(0.5 * turn);
  out[0] = kappa == 0 ? s : sin(turn) / kappa;
  out[1] = kappa == 0 ? 0 : 2 * half * half / kappa;
  out[2] = turn;
}

static void bend_nodes(const double *p, dls_exact_solution *sol)
{
  const double P = p[DLS_CANTILEVER_FORCE], length = p[DLS_CANTILEVER_LENGTH], EI = p[DLS_CANTILEVER_EI];
  const elastica e = P == 0 ? (elastica){0} : bend(sqrt(fabs(P) / EI), length);
  const double down = P > 0 ? -1 : 1;
  for (size_t i = 0; i < sol->nodes; i++) {
    const double s = length * (double)(i + 1) / (double)sol->nodes;
    double *place = sol->place + 3 * i;
    if (P == 0) {
      arc_at(p[DLS_CANTILEVER_MOMENT] / EI, s, place);
    } else {
      elastica_at(&e, s, place);
      place[1] *= down;
      place[2] *= down;
    }
  }
}

static dls_status create_cantilever(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const double length = p[DLS_CANTILEVER_LENGTH];
  const double load =
      fabs(p[DLS_CANTILEVER_FORCE]) * length * length / p[DLS_CANTILEVER_EI]; /* (w l)^2 of (1) */
  (void)end;
  if (p[DLS_CANTILEVER_START] != 0) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "cantilever: there is a closed form of its equilibrium only, start=static");
  }
  if (p[DLS_CANTILEVER_FORCE] != 0 && p[DLS_CANTILEVER_MOMENT] != 0) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "cantilever: P = %g N and M = %g N m: there is a closed form for one of them only",
                    p[DLS_CANTILEVER_FORCE], p[DLS_CANTILEVER_MOMENT]);
  }
  if (load > largest_load) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "cantilever: P l^2/EI = %g is more than %g, for which the closed form is evaluated", load,
                    largest_load);
  }
  const dls_status status = make("cantilever", (size_t)p[DLS_CANTILEVER_ELEMENTS], out, err);
  if (status == DLS_OK) {
    bend_nodes(p, *out);
  }
  return status;
}

/* --- rotation --- */

static dls_status create_spin_up(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const size_t nodes = (size_t)p[DLS_SPIN_UP_ELEMENTS];
  (void)end;
  if (p[DLS_SPIN_UP_RISE] != 0) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "spin-up-beam: rise = %g s: there is a closed form of steady rotation only, rise=0",
                    p[DLS_SPIN_UP_RISE]);
  }
  const dls_status status = make("spin-up-beam", nodes, out, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < nodes; i++) { /* r(X) at the nodes, the root left out */
    (*out)->place[3 * i] = dls_spin_up_radius(p, p[DLS_SPIN_UP_LENGTH] * (double)(i + 1) / (double)nodes);
  }
  (*out)->rate = p[DLS_SPIN_UP_RATE];
  (*out)->reach = (*out)->place[3 * (nodes - 1)];
  return DLS_OK;
}

/* --- the calls: one smooth piece --- */

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  (void)sol, (void)t, (void)q, (void)v, (void)g, (void)u; /* no contacts */
}

static void value(const dls_exact_solution *sol, size_t piece, double t, dls_exact_value *out)
{
  const double c = cos(sol->rate * t), s = sin(sol->rate * t), w = sol->rate;
  (void)piece;
  for (size_t i = 0; i < sol->nodes; i++) {
    const double *at = sol->place + 3 * i;
    double *q = out->q + 3 * i, *v = out->v + 3 * i, *a = out->a + 3 * i;
    q[0] = c * at[0] - s * at[1];
    q[1] = s * at[0] + c * at[1];
    q[2] = at[2] + w * t;
    v[0] = -w * q[1];
    v[1] = w * q[0];
    v[2] = w;
    a[0] = -w * w * q[0];
    a[1] = -w * w * q[1];
    a[2] = 0;
  }
}

/* h^4/384 times the fourth derivatives w^4 r, and w^5 r of v. */
static double spacing(const dls_exact_solution *sol, size_t piece, double t, double accuracy)
{
  const double w = sol->rate;
  (void)piece, (void)t;
  return w == 0 ? INFINITY : pow(384 * accuracy / (sol->reach * fmax(1, w)), 0.25) / w;
}

#define BEAM_CALLS .destroy = destroy, .gap = gap, .value = value, .spacing = spacing

const dls_exact dls_exact_cantilever = {
    .model = &dls_model_cantilever,
    .summary =
        "the elastica at the nodes by elliptic integrals, or an arc: a beam that neither stretches nor shears",
    .source = "Euler 1744; elementary",
    .create = create_cantilever,
    BEAM_CALLS,
};

const dls_exact dls_exact_spin_up_beam = {
    .model = &dls_model_spin_up_beam,
    .summary = "steady rotation of the stretched continuous beam at the nodes",
    .source = "Simo, Vu-Quoc 1986, part II; elementary",
    .create = create_spin_up,
    BEAM_CALLS,
};
