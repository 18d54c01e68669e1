/* beam_mesh.c -- a beam as lines between its nodes. Without load it lies where it is clamped or pinned, a free one where it
 * starts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/beam_parts.h"

static const char *const names[] = {"axial force [N]", "shear force [N]", "bending moment [N m]"};
enum { VALUES = sizeof names / sizeof names[0] };

dls_status dls_beam_mesh(const dls_system *sys, dls_mesh *out, dls_error *err)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const dls_beam *beam = &d->beam;
  const dls_status status = dls_mesh_create(beam->elements + 1, beam->elements, 2, out, err);
  if (status != DLS_OK) {
    return status;
  }
  out->values = VALUES;
  out->names = names;
  for (size_t i = 0; i <= beam->elements; i++) {
    for (size_t k = 0; k < 2; k++) {
      const size_t at = dls_beam_unknown(beam, i, k);
      out->unknown[2 * i + k] = at == DLS_GIVEN ? DLS_MESH_GIVEN : at;
      out->rest[2 * i + k] = beam->root == DLS_BEAM_FREE ? sys->q0[at] : k == 0 ? d->L * (double)i : 0;
    }
  }
  for (size_t e = 0; e < 2 * out->cells; e++) {
    out->cell[e] = e / 2 + e % 2;
  }
  return DLS_OK;
}

void dls_beam_mesh_values(const dls_system *sys, double t, const double *q, double *values)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x[DLS_BEAM_MOST];
    dls_beam_gather(sys, t, q, e, x);
    dls_beam_stresses(d->beam.kind, &d->beam.section, d->L, x, values + VALUES * e);
  }
}
