/* beam_mass.c -- mass matrices of beams, and the weight that goes with them. With m_ij between nodes for unit density,
 * consistent L/6 [2 1; 1 2] for an element, M has rhoA m_ij for x and y and rhoI m_ij for what turns.
 * Redistributed (redistribute.h): nodes that touch have none, of a beam whose nodes all may, the two ends.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/models/elements/beam_parts.h"
#include "common/models/elements/redistribute.h"
#include "common/system/momentum.h"
#include <stdlib.h>

/* m_ij, redistributed. */
static dls_status between_nodes(const char *name, dls_system *sys, dls_matrix *m, double *X, bool *massless,
                                dls_error *err)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const size_t last = d->beam.elements;
  const double block[] = {d->L / 3, d->L / 6, d->L / 6, d->L / 3};
  for (size_t e = 0; e < last; e++) {
    X[e + 1] = d->L * (double)(e + 1);
    dls_assembly_add(m, 2, (const size_t[]){e, e + 1}, block);
  }
  massless[last] = true;
  massless[0] = d->beam.touch == DLS_BEAM_NODES_AT_WALL;
  return dls_redistribute_mass(name, 1, X, massless, m, sys->remark, err);
}

/* M and the weights that belong to m. */
static void spread(void *data, size_t i, size_t j, double m)
{
  dls_system *sys = data;
  const dls_beam_data *d = dls_beam_data_of(sys);
  for (size_t k = 0; k < d->node; k++) {
    const size_t row = dls_beam_unknown(&d->beam, i, k), column = dls_beam_unknown(&d->beam, j, k);
    const double density = k < 2 ? d->beam.section.rhoA : d->beam.section.rhoI;
    if (row != DLS_GIVEN && column != DLS_GIVEN) {
      dls_matrix_set(sys->M, row, column, density * m);
    }
    if (k == 1 && row != DLS_GIVEN) {
      d->load[row] -= density * d->beam.gravity * m;
    }
  }
}

static dls_status fill_redistributed(const char *name, dls_system *sys, dls_error *err)
{
  const size_t nodes = dls_beam_of(sys)->elements + 1;
  dls_matrix *m = dls_matrix_band(nodes, 1, 1);
  double *X = calloc(nodes, sizeof *X);
  bool *massless = calloc(nodes, sizeof *massless);
  dls_status status = DLS_ERR_MEMORY;
  if (m != NULL && X != NULL && massless != NULL) {
    status = between_nodes(name, sys, m, X, massless, err);
    dls_matrix_visit(m, spread, sys);
  } else {
    dls_fail(err, status, "model %s: no memory for n = %zu elements", name, nodes - 1);
  }
  dls_matrix_destroy(m);
  free(X);
  free(massless);
  return status;
}

dls_status dls_beam_fill_mass(const char *name, dls_system *sys, dls_error *err)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const size_t each = 2 * d->node;
  const double half = d->beam.section.rhoA * d->beam.gravity * d->L / 2;
  double block[DLS_BEAM_MOST * DLS_BEAM_MOST];
  if (d->beam.mass == DLS_MASS_REDISTRIBUTED) {
    return fill_redistributed(name, sys, err);
  }
  dls_beam_mass(d->beam.kind, &d->beam.section, d->L, block);
  if (d->beam.mass == DLS_MASS_LUMPED) {
    dls_assembly_lump(each, block);
  }
  for (size_t e = 0; e < d->beam.elements; e++) {
    double f[DLS_BEAM_MOST] = {0};
    f[1] = f[d->node + 1] = -half;
    dls_assembly_add(sys->M, each, d->at + e * each, block);
    dls_assembly_add_vector(each, d->at + e * each, f, d->load);
  }
  return DLS_OK;
}

/* The rows of M v of a root that is held at the origin; a clamped one turns with the drive, if it has an angle. */
static void add_root(const dls_system *sys, double t, const double *v, double *p)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const bool lumped = d->beam.mass == DLS_MASS_LUMPED;
  const double own = lumped ? d->L / 2 : d->L / 3, other = lumped ? 0 : d->L / 6; /* m_00, m_01 */
  const double rhoA = d->beam.section.rhoA, rhoI = d->beam.section.rhoI;
  const double *next = v + dls_beam_unknown(&d->beam, 1, 0), rate = dls_beam_turn(&d->beam.drive, t, 1);
  p[0] += rhoA * other * next[0];
  p[1] += rhoA * other * next[1];
  if (d->beam.root == DLS_BEAM_CLAMPED && d->beam.kind == DLS_BEAM_ANGLE) {
    p[2] += rhoI * (own * rate + other * next[2]) + rhoI * other * rate;
  } else if (d->beam.root == DLS_BEAM_CLAMPED) {
    p[2] += rhoI * other * next[3]; /* d = (1, 0) at the root */
  }
}

static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *p)
{
  const dls_beam *beam = dls_beam_of(sys);
  p[0] = p[1] = p[2] = 0;
  for (size_t node = 0; node <= beam->elements; node++) {
    const size_t x = dls_beam_unknown(beam, node, 0), turns = dls_beam_unknown(beam, node, 2);
    if (x != DLS_GIVEN) {
      dls_momentum_point(2, q + x, Mv + x, p);
    }
    if (turns != DLS_GIVEN && beam->kind == DLS_BEAM_DIRECTORS) {
      dls_momentum_turn(2, q + turns, Mv + turns, p + 2);
    } else if (turns != DLS_GIVEN) {
      p[2] += Mv[turns];
    }
  }
  if (beam->root != DLS_BEAM_FREE) {
    add_root(sys, t, v, p);
  }
}

void dls_beam_set_momentum(dls_system *sys)
{
  const dls_beam *beam = dls_beam_of(sys);
  if (beam->root == DLS_BEAM_FREE || beam->mass != DLS_MASS_REDISTRIBUTED) {
    sys->momenta = 3;
    sys->momentum = momentum;
  }
}
