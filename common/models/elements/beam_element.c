/* beam_element.c -- f = L B^T S,  K = L [B^T D B + sum_i S_i H_i] with B = de/dx and H_i the second derivative of e_i.
 * Angle: with a = (0, 0, 1/2, 0, 0, 1/2), u and w the derivatives of -(s x' - c y') and of c x' + s y' by positions,
 *   H_1 = a u^T + u a^T - (1 + Gamma_1) a a^T,   H_2 = -(a w^T + w a^T) - Gamma_2 a a^T.
 * Directors: the H_i are constant.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/beam_element.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { STRAINS = 3 };
static const double small_turn = 1e-4; /* rad: below it sin(z)/z and its derivative by series, to 1e-13 */

/* State of an element at x: strains, B and, with angles, the vectors of H. */
typedef struct beam_state {
  size_t size; /* coordinates */
  double e[STRAINS];
  double B[STRAINS][DLS_BEAM_MOST];
  double u[DLS_BEAM_MOST], w[DLS_BEAM_MOST];
} beam_state;

static void angle_state(double L, const double *x, beam_state *s)
{
  const double theta = 0.5 * (x[2] + x[5]), cosine = cos(theta), sine = sin(theta);
  const double dx = (x[3] - x[0]) / L, dy = (x[4] - x[1]) / L, c = cosine / L, n = sine / L;
  const double along = cosine * dx + sine * dy; /* 1 + Gamma_1 */
  const double across = -sine * dx + cosine * dy;
  const beam_state state = {.size = 6,
                            .e = {along - 1, across, (x[5] - x[2]) / L},
                            .B = {{-c, -n, across / 2, c, n, across / 2},
                                  {n, -c, -along / 2, -n, c, -along / 2},
                                  {0, 0, -1 / L, 0, 0, 1 / L}},
                            .u = {n, -c, 0, -n, c, 0},
                            .w = {-c, -n, 0, c, n, 0}};
  *s = state;
}

/* Node 1 has the coordinates 0 to 3, node 2 those from 4 on: x, y, d_x, d_y. */
static void director_state(double L, const double *x, beam_state *s)
{
  const double d[2] = {0.5 * (x[2] + x[6]), 0.5 * (x[3] + x[7])};
  const double slope[2] = {(x[4] - x[0]) / L, (x[5] - x[1]) / L};
  const double turn[2] = {(x[6] - x[2]) / L, (x[7] - x[3]) / L};
  const beam_state state = {
      .size = 8,
      .e = {d[0] * slope[0] + d[1] * slope[1] - 1, d[0] * slope[1] - d[1] * slope[0],
            d[0] * turn[1] - d[1] * turn[0]},
      .B = {
          {-d[0] / L, -d[1] / L, slope[0] / 2, slope[1] / 2, d[0] / L, d[1] / L, slope[0] / 2, slope[1] / 2},
          {d[1] / L, -d[0] / L, slope[1] / 2, -slope[0] / 2, -d[1] / L, d[0] / L, slope[1] / 2, -slope[0] / 2},
          {0, 0, turn[1] / 2 + d[1] / L, -turn[0] / 2 - d[0] / L, 0, 0, turn[1] / 2 - d[1] / L,
           -turn[0] / 2 + d[0] / L}}};
  *s = state;
}

static beam_state state_of(dls_beam_kind kind, double L, const double *x)
{
  beam_state s;
  if (kind == DLS_BEAM_ANGLE) {
    angle_state(L, x, &s);
  } else {
    director_state(L, x, &s);
  }
  return s;
}

/* S = D e */
static void stress(const dls_beam_section *section, const double e[STRAINS], double S[STRAINS])
{
  S[0] = section->EA * e[0];
  S[1] = section->GA * e[1];
  S[2] = section->EI * e[2];
}

void dls_beam_strains(dls_beam_kind kind, double L, const double *x, double e[STRAINS])
{
  memcpy(e, state_of(kind, L, x).e, STRAINS * sizeof *e);
}

void dls_beam_stresses(dls_beam_kind kind, const dls_beam_section *section, double L, const double *x,
                       double S[STRAINS])
{
  stress(section, state_of(kind, L, x).e, S);
}

double dls_beam_energy(dls_beam_kind kind, const dls_beam_section *section, double L, const double *x)
{
  const beam_state s = state_of(kind, L, x);
  double S[STRAINS];
  stress(section, s.e, S);
  return 0.5 * L * (S[0] * s.e[0] + S[1] * s.e[1] + S[2] * s.e[2]);
}

/* f = L B^T S */
static void force(const beam_state *s, double L, const double S[STRAINS], double *f)
{
  for (size_t i = 0; i < s->size; i++) {
    f[i] = L * (s->B[0][i] * S[0] + s->B[1][i] * S[1] + s->B[2][i] * S[2]);
  }
}

void dls_beam_force(dls_beam_kind kind, const dls_beam_section *section, double L, const double *x, double *f)
{
  const beam_state s = state_of(kind, L, x);
  double S[STRAINS];
  stress(section, s.e, S);
  force(&s, L, S, f);
}

/* K := L left^T D right */
static void material(const beam_state *left, const beam_state *right, const dls_beam_section *section, double L,
                     double *K)
{
  const size_t n = left->size;
  for (size_t i = 0; i < n; i++) {
    const double row[STRAINS] = {L * section->EA * left->B[0][i], L * section->GA * left->B[1][i],
                                 L * section->EI * left->B[2][i]};
    for (size_t j = 0; j < n; j++) {
      K[i * n + j] = row[0] * right->B[0][j] + row[1] * right->B[1][j] + row[2] * right->B[2][j];
    }
  }
}

/* K += L [N H_1 + Q H_2] */
static void angle_geometric(const beam_state *s, double L, const double S[STRAINS], double *K)
{
  static const double a[6] = {0, 0, 0.5, 0, 0, 0.5};
  const double N = L * S[0], Q = L * S[1], both = N * (1 + s->e[0]) + Q * s->e[1];
  for (size_t i = 0; i < 6; i++) {
    for (size_t j = 0; j < 6; j++) {
      const double first = a[i] * s->u[j] + s->u[i] * a[j], second = a[i] * s->w[j] + s->w[i] * a[j];
      K[6 * i + j] += N * first - Q * second - both * a[i] * a[j];
    }
  }
}

/* K += L sum_i S_i H_i: N couples d_k with r_l, Q couples d_k^perp with r_l, M the directors. H is bilinear in nodes k,
 * l: d Gamma_1 = d_k/2 . (+- r_l)/L,  kappa = (d_1 x d_2)/L. */
static void director_geometric(const double S[STRAINS], double *K)
{
  enum { NODE = 4, SIZE = 8 };
  const double N = 0.5 * S[0], Q = 0.5 * S[1], M = S[2];
  for (size_t k = 0; k < 2; k++) {   /* node of d */
    for (size_t l = 0; l < 2; l++) { /* node of r */
      const double sign = l == 0 ? -1 : 1;
      const size_t d = NODE * k + 2, r = NODE * l;
      const double pairs[2][2] = {{sign * N, sign * Q},
                                  {-sign * Q, sign * N}}; /* d_x with x, y; d_y with x, y */
      for (size_t i = 0; i < 4; i++) {
        K[SIZE * (d + i / 2) + r + i % 2] += pairs[i / 2][i % 2];
        K[SIZE * (r + i % 2) + d + i / 2] += pairs[i / 2][i % 2];
      }
    }
  }
  K[SIZE * 2 + 7] += M; /* d_1x d_2y - d_1y d_2x */
  K[SIZE * 7 + 2] += M;
  K[SIZE * 3 + 6] -= M;
  K[SIZE * 6 + 3] -= M;
}

void dls_beam_stiffness(dls_beam_kind kind, const dls_beam_section *section, double L, const double *x,
                        double *K)
{
  const beam_state s = state_of(kind, L, x);
  double S[STRAINS];
  stress(section, s.e, S);
  material(&s, &s, section, L, K);
  if (kind == DLS_BEAM_ANGLE) {
    angle_geometric(&s, L, S, K);
  } else {
    director_geometric(S, K);
  }
}

/* For an element with angles that rotates by 2 z: cos z and sin(z)/z, and their derivatives by 2 z. */
typedef struct turn {
  double cosine, sinc, d_cosine, d_sinc;
} turn;

static turn turn_of(const double *a, const double *b)
{
  const double z = 0.25 * (b[2] - a[2] + b[5] - a[5]);
  const double sinc = fabs(z) < small_turn ? 1 - z * z / 6 : sin(z) / z;
  const double slope = fabs(z) < small_turn ? -z / 3 : (cos(z) - sinc) / z;
  return (turn){cos(z), sinc, -0.5 * sin(z), 0.5 * slope};
}

static bool turns(size_t i)
{
  return i % 3 == 2;
}

/* B of (1) and e at the middle, and the mean of the strains at a and b. */
static beam_state middle_of(dls_beam_kind kind, double L, const double *a, const double *b,
                            double mean[STRAINS])
{
  double m[DLS_BEAM_MOST], e_a[STRAINS], e_b[STRAINS];
  for (size_t i = 0; i < 2 * dls_beam_node_size(kind); i++) {
    m[i] = 0.5 * (a[i] + b[i]);
  }
  dls_beam_strains(kind, L, a, e_a);
  dls_beam_strains(kind, L, b, e_b);
  for (size_t i = 0; i < STRAINS; i++) {
    mean[i] = 0.5 * (e_a[i] + e_b[i]);
  }
  return state_of(kind, L, m);
}

/* B(m) becomes B^ of (2). */
static void scale_rows(beam_state *m, const turn *t)
{
  for (size_t i = 0; i < m->size; i++) {
    for (size_t k = 0; k < 2; k++) {
      m->B[k][i] *= turns(i) ? t->sinc : t->cosine;
    }
  }
}

void dls_beam_conserving_force(dls_beam_kind kind, const dls_beam_section *section, double L, const double *a,
                               const double *b, double *f)
{
  double mean[STRAINS], S[STRAINS];
  beam_state m = middle_of(kind, L, a, b, mean);
  stress(section, mean, S);
  if (kind == DLS_BEAM_ANGLE) {
    const turn t = turn_of(a, b);
    scale_rows(&m, &t);
  }
  force(&m, L, S, f);
}

/* K += 2 L S . dB^/db, with B(m) fixed. */
static void angle_conserving_geometric(const beam_state *m, const turn *t, double L, const double S[STRAINS],
                                       double *K)
{
  double geometric[36] = {0};
  angle_geometric(m, L, S, geometric);
  for (size_t i = 0; i < 6; i++) {
    const double f = L * (S[0] * m->B[0][i] + S[1] * m->B[1][i]);
    for (size_t j = 0; j < 6; j++) {
      K[6 * i + j] += (turns(i) ? t->sinc : t->cosine) * geometric[6 * i + j];
      K[6 * i + j] +=
          turns(j) ? f * (turns(i) ? t->d_sinc : t->d_cosine) : 0; /* 2 z grows by half of each angle */
    }
  }
}

/* 1/2 [L B^T D B(b) + 2 L S . dB/db], B of (1) or (2), S the mean stress; dB/db is H/2 of directors. */
void dls_beam_conserving_stiffness(dls_beam_kind kind, const dls_beam_section *section, double L,
                                   const double *a, const double *b, double *K)
{
  double mean[STRAINS], S[STRAINS];
  beam_state m = middle_of(kind, L, a, b, mean);
  const beam_state end = state_of(kind, L, b), middle = m;
  stress(section, mean, S);
  if (kind == DLS_BEAM_ANGLE) {
    const turn t = turn_of(a, b);
    scale_rows(&m, &t);
    material(&m, &end, section, L, K);
    angle_conserving_geometric(&middle, &t, L, S, K);
  } else {
    material(&m, &end, section, L, K);
    director_geometric(S, K);
  }
  for (size_t i = 0; i < m.size * m.size; i++) {
    K[i] *= 0.5;
  }
}

void dls_beam_mass(dls_beam_kind kind, const dls_beam_section *section, double L, double *M)
{
  const size_t node = dls_beam_node_size(kind), n = 2 * node;
  memset(M, 0, n * n * sizeof *M);
  for (size_t i = 0; i < n; i++) {
    const double density = i % node < 2 ? section->rhoA : section->rhoI;
    M[i * n + i] = density * L / 3;
    M[i * n + (i + node) % n] = density * L / 6;
  }
}
