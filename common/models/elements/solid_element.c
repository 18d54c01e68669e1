/* solid_element.c -- at every Gauss point  f_a = w F S grad N_a,  and with A = F_m grad N_a, B = F_m grad N_b of the middle, A', B'
 * of the end,
 *   K_ab = w [(grad N_a . S grad N_b) 1 + lambda A B'^T + mu ((grad N_a . grad N_b) F_m F'^T + B A'^T)].        (1)
 * Force and stiffness at one state have F_m = F' = F.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/solid_element.h"
#include <string.h>

enum { CORNERS = DLS_QUAD_CORNERS, POINTS = DLS_QUAD_POINTS, SIZE = DLS_QUAD_SIZE };
static const double corner[CORNERS][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
static const double gauss = 0.57735026918962576; /* 1/sqrt(3): points at gauss times the corners, of weight 1 */

/* Plane tensors, by rows. */
typedef struct tensor {
  double xx, xy, yx, yy;
} tensor;

dls_solid_material dls_solid_of_modulus(double E, double nu, double rho)
{
  return (dls_solid_material){
      .lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), .mu = E / (2 * (1 + nu)), .rho = rho};
}

/* N_a at Gauss point g */
static double shape(int g, int a)
{
  return 0.25 * (1 + gauss * corner[g][0] * corner[a][0]) * (1 + gauss * corner[g][1] * corner[a][1]);
}

bool dls_quad_create(const double X[SIZE], dls_quad *out)
{
  for (int g = 0; g < POINTS; g++) {
    double slope[CORNERS][2]; /* of N_a in the square */
    tensor J = {0};           /* dX/d(xi, eta) */
    for (int a = 0; a < CORNERS; a++) {
      slope[a][0] = 0.25 * corner[a][0] * (1 + gauss * corner[g][1] * corner[a][1]);
      slope[a][1] = 0.25 * corner[a][1] * (1 + gauss * corner[g][0] * corner[a][0]);
      J.xx += X[2 * a] * slope[a][0], J.xy += X[2 * a] * slope[a][1];
      J.yx += X[2 * a + 1] * slope[a][0], J.yy += X[2 * a + 1] * slope[a][1];
    }
    const double area = J.xx * J.yy - J.xy * J.yx;
    if (!(area > 0)) {
      return false;
    }
    out->weight[g] = area;
    for (int a = 0; a < CORNERS; a++) {
      out->gradient[g][a][0] = (J.yy * slope[a][0] - J.yx * slope[a][1]) / area;
      out->gradient[g][a][1] = (-J.xy * slope[a][0] + J.xx * slope[a][1]) / area;
    }
  }
  return true;
}

static tensor deformation(const dls_quad *quad, int g, const double *x)
{
  tensor F = {0};
  for (int a = 0; a < CORNERS; a++) {
    const double *n = quad->gradient[g][a];
    F.xx += x[2 * a] * n[0], F.xy += x[2 * a] * n[1];
    F.yx += x[2 * a + 1] * n[0], F.yy += x[2 * a + 1] * n[1];
  }
  return F;
}

static tensor mean(tensor a, tensor b)
{
  return (tensor){0.5 * (a.xx + b.xx), 0.5 * (a.xy + b.xy), 0.5 * (a.yx + b.yx), 0.5 * (a.yy + b.yy)};
}

/* E, written so that for small strains its error is no larger than that of F. */
static tensor strain(tensor F)
{
  const double shear = 0.5 * (F.xx * F.xy + F.yx * F.yy);
  return (tensor){0.5 * (F.xx * F.xx + F.yx * F.yx - 1), shear, shear, 0.5 * (F.xy * F.xy + F.yy * F.yy - 1)};
}

static tensor stress_of(const dls_solid_material *of, tensor E)
{
  const double pressure = of->lambda * (E.xx + E.yy), twice = 2 * of->mu;
  return (tensor){pressure + twice * E.xx, twice * E.xy, twice * E.yx, pressure + twice * E.yy};
}

double dls_quad_energy(const dls_quad *quad, const dls_solid_material *of, const double *x)
{
  double W = 0;
  for (int g = 0; g < POINTS; g++) {
    const tensor E = strain(deformation(quad, g, x)), S = stress_of(of, E);
    W += 0.5 * quad->weight[g] * (S.xx * E.xx + 2 * S.xy * E.xy + S.yy * E.yy);
  }
  return W;
}

/* f += w F S grad N_a */
static void add_force(const dls_quad *quad, int g, tensor F, tensor S, double *f)
{
  const double w = quad->weight[g];
  const tensor P = {w * (F.xx * S.xx + F.xy * S.yx), w * (F.xx * S.xy + F.xy * S.yy),
                    w * (F.yx * S.xx + F.yy * S.yx), w * (F.yx * S.xy + F.yy * S.yy)};
  for (int a = 0; a < CORNERS; a++) {
    const double *n = quad->gradient[g][a];
    f[2 * a] += P.xx * n[0] + P.xy * n[1];
    f[2 * a + 1] += P.yx * n[0] + P.yy * n[1];
  }
}

void dls_quad_force(const dls_quad *quad, const dls_solid_material *of, const double *x, double *f)
{
  memset(f, 0, SIZE * sizeof *f);
  for (int g = 0; g < POINTS; g++) {
    const tensor F = deformation(quad, g, x);
    add_force(quad, g, F, stress_of(of, strain(F)), f);
  }
}

void dls_quad_conserving_force(const dls_quad *quad, const dls_solid_material *of, const double *x,
                               const double *y, double *f)
{
  memset(f, 0, SIZE * sizeof *f);
  for (int g = 0; g < POINTS; g++) {
    const tensor Fx = deformation(quad, g, x), Fy = deformation(quad, g, y);
    add_force(quad, g, mean(Fx, Fy), stress_of(of, mean(strain(Fx), strain(Fy))), f);
  }
}

/* A_a = F grad N_a */
static void push(const dls_quad *quad, int g, tensor F, double A[CORNERS][2])
{
  for (int a = 0; a < CORNERS; a++) {
    const double *n = quad->gradient[g][a];
    A[a][0] = F.xx * n[0] + F.xy * n[1];
    A[a][1] = F.yx * n[0] + F.yy * n[1];
  }
}

/* K += factor times (1) */
static void add_stiffness(const dls_quad *quad, int g, const dls_solid_material *of, tensor Fm, tensor Fe,
                          tensor S, double share, double *K)
{
  const double w = share * quad->weight[g], lambda = w * of->lambda, mu = w * of->mu;
  const double turn[2][2] = {{Fm.xx * Fe.xx + Fm.xy * Fe.xy, Fm.xx * Fe.yx + Fm.xy * Fe.yy},
                             {Fm.yx * Fe.xx + Fm.yy * Fe.xy, Fm.yx * Fe.yx + Fm.yy * Fe.yy}}; /* F_m F'^T */
  double middle[CORNERS][2], end[CORNERS][2], pull[CORNERS][2];
  push(quad, g, Fm, middle);
  push(quad, g, Fe, end);
  push(quad, g, S, pull);
  for (int a = 0; a < CORNERS; a++) {
    const double *n = quad->gradient[g][a];
    for (int b = 0; b < CORNERS; b++) {
      const double *l = quad->gradient[g][b];
      const double geometric = w * (n[0] * pull[b][0] + n[1] * pull[b][1]);
      const double along = mu * (n[0] * l[0] + n[1] * l[1]);
      for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
          K[SIZE * (2 * a + i) + 2 * b + j] += lambda * middle[a][i] * end[b][j] + along * turn[i][j] +
                                               mu * middle[b][i] * end[a][j] + (i == j ? geometric : 0);
        }
      }
    }
  }
}

void dls_quad_stiffness(const dls_quad *quad, const dls_solid_material *of, const double *x, double *K)
{
  memset(K, 0, SIZE * SIZE * sizeof *K);
  for (int g = 0; g < POINTS; g++) {
    const tensor F = deformation(quad, g, x);
    add_stiffness(quad, g, of, F, F, stress_of(of, strain(F)), 1, K);
  }
}

/* (1) for W* of solid_element.h: F' and B' at the end y, S = S_m, and the factor 1/2 of dS_m/dy. */
void dls_quad_conserving_stiffness(const dls_quad *quad, const dls_solid_material *of, const double *x,
                                   const double *y, double *K)
{
  memset(K, 0, SIZE * SIZE * sizeof *K);
  for (int g = 0; g < POINTS; g++) {
    const tensor Fx = deformation(quad, g, x), Fy = deformation(quad, g, y);
    add_stiffness(quad, g, of, mean(Fx, Fy), Fy, stress_of(of, mean(strain(Fx), strain(Fy))), 0.5, K);
  }
}

void dls_quad_mass(const dls_quad *quad, const dls_solid_material *of, double *M)
{
  memset(M, 0, SIZE * SIZE * sizeof *M);
  for (int k = 0; k < POINTS * CORNERS * CORNERS; k++) {
    const int g = k / (CORNERS * CORNERS), a = k / CORNERS % CORNERS, b = k % CORNERS;
    const double mass = of->rho * quad->weight[g] * shape(g, a) * shape(g, b);
    M[SIZE * 2 * a + 2 * b] += mass;
    M[SIZE * (2 * a + 1) + 2 * b + 1] += mass;
  }
}

/* F S F^T/det F, weighted with the current areas at the Gauss points. */
void dls_quad_stress(const dls_quad *quad, const dls_solid_material *of, const double *x, double stress[3])
{
  double area = 0;
  memset(stress, 0, 3 * sizeof *stress);
  for (int g = 0; g < POINTS; g++) {
    const tensor F = deformation(quad, g, x), S = stress_of(of, strain(F));
    const tensor P = {F.xx * S.xx + F.xy * S.yx, F.xx * S.xy + F.xy * S.yy, F.yx * S.xx + F.yy * S.yx,
                      F.yx * S.xy + F.yy * S.yy};
    area += quad->weight[g] * (F.xx * F.yy - F.xy * F.yx);
    stress[0] += quad->weight[g] * (P.xx * F.xx + P.xy * F.xy);
    stress[1] += quad->weight[g] * (P.yx * F.yx + P.yy * F.yy);
    stress[2] += quad->weight[g] * (P.xx * F.yx + P.xy * F.yy);
  }
  for (int k = 0; k < 3; k++) {
    stress[k] /= area;
  }
}
