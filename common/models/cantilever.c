/* cantilever.c -- a clamped beam under a dead force and a moment at its tip, at large deflections: the elastica.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/cantilever.h"
#include "common/models/elements/beam.h"
#include "common/models/elements/equilibrium.h"
#include <math.h>

enum { STATIC, STRAIGHT };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const char *const starts[] = {[STATIC] = "static", [STRAIGHT] = "straight", NULL};
static const dls_option parameters[] = {
    [DLS_CANTILEVER_ELEMENTS] = DLS_COUNT("n", "number of elements", 32, 1, 1000000),
    [DLS_CANTILEVER_LENGTH] = DLS_NUMBER("l", "m", "length", 1, 0, INFINITY, OPEN),
    [DLS_CANTILEVER_FORCE] =
        DLS_NUMBER("P", "N", "force on the tip, always downward (dead load)", 1, -INFINITY, INFINITY, OPEN),
    [DLS_CANTILEVER_MOMENT] =
        DLS_NUMBER("M", "N m", "moment on the tip, turning upward", 0, -INFINITY, INFINITY, OPEN),
    [DLS_CANTILEVER_EI] = DLS_NUMBER("EI", "N m^2", "bending stiffness", 1, 0, INFINITY, OPEN),
    [DLS_CANTILEVER_EA] = DLS_NUMBER("EA", "N", "axial stiffness", 1e9, 0, INFINITY, OPEN),
    [DLS_CANTILEVER_GA] = DLS_NUMBER("GA", "N", "stiffness of shear", 1e9, 0, INFINITY, OPEN),
    [DLS_CANTILEVER_RHO_A] = DLS_NUMBER("rhoA", "kg/m", "mass per length", 1, 0, INFINITY, OPEN),
    [DLS_CANTILEVER_RHO_I] = DLS_NUMBER("rhoI", "kg m", "rotary inertia per length", 1e-4, 0, INFINITY, OPEN),
    [DLS_CANTILEVER_DAMPING] =
        DLS_NUMBER("c", "1/s", "damping by mass: forces -c M v", 0, 0, INFINITY, DLS_OPEN_MAX),
    [DLS_CANTILEVER_MASS] = DLS_ONE_OF("mass", "mass matrix", DLS_MASS_CONSISTENT, dls_mass_choices),
    [DLS_CANTILEVER_START] = DLS_ONE_OF(
        "start", "static: at rest in equilibrium; straight: the loads act from t = 0 on", STATIC, starts),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_beam beam = {.kind = DLS_BEAM_ANGLE,
                         .elements = (size_t)p[DLS_CANTILEVER_ELEMENTS],
                         .length = p[DLS_CANTILEVER_LENGTH],
                         .section = {.EA = p[DLS_CANTILEVER_EA],
                                     .GA = p[DLS_CANTILEVER_GA],
                                     .EI = p[DLS_CANTILEVER_EI],
                                     .rhoA = p[DLS_CANTILEVER_RHO_A],
                                     .rhoI = p[DLS_CANTILEVER_RHO_I]},
                         .mass = (int)p[DLS_CANTILEVER_MASS],
                         .root = DLS_BEAM_CLAMPED,
                         .tip = {0, -p[DLS_CANTILEVER_FORCE], p[DLS_CANTILEVER_MOMENT]},
                         .damping = p[DLS_CANTILEVER_DAMPING]};
  const dls_status status = dls_beam_create(self->name, &beam, out, err);
  if (status != DLS_OK) {
    return status;
  }
  (*out)->length = beam.length;
  (*out)->time =
      /* of its slowest mode, divided by 1.8 */
      beam.length * beam.length * sqrt(beam.section.rhoA / beam.section.EI);
  return p[DLS_CANTILEVER_START] == STATIC ? dls_equilibrium(self->name, *out, err) : DLS_OK;
}

const dls_model dls_model_cantilever = {
    .name = "cantilever",
    .summary = "clamped beam under a force and a moment at its tip, large deflection: the elastica",
    .source = "Euler 1744; elements: Reissner 1972, Simo, Vu-Quoc 1986",
    .equations =
        "beam along x, clamped at the origin, in n elements with nodes (x, y, angle); y upward\n"
        "W = 1/2 int EA (c x' + s y' - 1)^2 + GA (c y' - s x')^2 + EI angle'^2 dX,   c, s = cos, sin(angle)\n"
        "M q'' + dW/dq + c M q' = (0, -P, M) at the tip\n"
        "Its equilibrium is found by Newton's method with load steps before the run. The exact solution is "
        "that of\n"
        "a beam that neither stretches nor shears, and the elements have an error of second order in 1/n.\n",
    .parameters = parameters,
    .create = create,
    .sketch = dls_beam_sketch,
    .mesh = dls_beam_mesh,
    .mesh_values = dls_beam_mesh_values,
};
