/* two_stage_terms.c -- numbers of equations are those of two_stage.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/two_stage_terms.h"
#include <string.h>

/* Blocks of J, the derivative of left minus right side of (1) to (5); terms without N. */
static size_t terms_of_motion(const dls_two_stage *s, const dls_matrix *M, double h, dls_two_stage_term *out)
{
  const double a = s->alpha, k = s->kappa;
  const dls_two_stage_term all[] = {
      {M, R1, VN, false, 1}, /* (1) */
      {s->g.K, R1, QJ, false, h / 2},
      {s->g.K, R1, QN, false, h / 2},
      {s->g.at_a, R1, QJ, false, h},
      {s->g.at_b, R1, QN, false, h},
      {s->g.C, R1, VJ, false, h / 2},
      {s->g.C, R1, VN, false, h / 2},
      {s->g.geometric, R1, QJ, false, -0.5},
      {s->g.geometric, R1, QN, false, -0.5},
      {s->g.G, R1, LG, false, -1},
      {M, R2, VJ, false, 1}, /* (2) */
      {s->g.K, R2, QJ, false, -h / 6},
      {s->g.K, R2, QN, false, -h / 6},
      {s->g.at_a, R2, QJ, false, -h / 3},
      {s->g.at_b, R2, QN, false, -h / 3},
      {s->g.C, R2, VJ, false, -h / 6},
      {s->g.C, R2, VN, false, -h / 6},
      {s->g.geometric, R2, QJ, false, 1.0 / 6},
      {s->g.geometric, R2, QN, false, 1.0 / 6},
      {s->g.G, R2, LG, false, 1.0 / 3},
      {s->h.K, R2, QJ, false, h / 6},
      {s->h.at_b, R2, QJ, false, h / 3},
      {s->h.C, R2, VJ, false, h / 6},
      {s->h.geometric, R2, QJ, false, -1.0 / 6},
      {s->h.G, R2, LJ, false, -1.0 / 3},
      {s->K_j, R2, QJ, false, a * h / 6},
      {s->C_j, R2, VJ, false, a * h / 6},
      {M, R3, QN, false, 1}, /* (3) */
      {M, R3, VJ, false, -k * h / 2},
      {M, R3, VN, false, -k * h / 2},
      {M, R4, QJ, false, 1}, /* (4) */
      {M, R4, VN, false, k * h / 6},
      {M, R4, VJ, false, -a * k * h / 6},
      {s->G_j, CJ, QJ, true, s->velocities ? 1 : -1}, /* (5); sign of the pivot */
      {s->G_next, CN, QN, true, 1},
  };
  memcpy(out, all, sizeof all);
  return sizeof all / sizeof all[0];
}

/* Terms with N. */
static size_t terms_of_velocities(const dls_two_stage *s, dls_two_stage_term *out)
{
  const double k = s->kappa;
  const dls_two_stage_term all[] = {
      {s->geometric_j, R3, QJ, false, -k / 2}, /* (3), (4) */
      {s->geometric_next, R3, QN, false, -k / 2},
      {s->G_j, R3, NJ, false, -k / 2},
      {s->G_next, R3, NN, false, -k / 2},
      {s->geometric_j, R4, QJ, false, -k / 6},
      {s->geometric_next, R4, QN, false, k / 6},
      {s->G_j, R4, NJ, false, -k / 6},
      {s->G_next, R4, NN, false, k / 6},
      {s->G_j, DJ, VJ, true, 1}, /* (5) */
      {s->turn_j, DJ, QJ, true, 1},
      {s->G_next, DN, VN, true, 1},
      {s->turn_next, DN, QN, true, 1},
  };
  memcpy(out, all, sizeof all);
  return sizeof all / sizeof all[0];
}

size_t dls_two_stage_terms(const dls_two_stage *s, const dls_matrix *M, double h, dls_two_stage_term *out)
{
  const size_t count = terms_of_motion(s, M, h, out);
  return s->velocities ? count + terms_of_velocities(s, out + count) : count;
}
