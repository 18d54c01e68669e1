/* spin_up_beam.c -- a beam whose clamped root is spun up: it lags behind, then stretches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/spin_up_beam.h"
#include "common/models/elements/beam.h"
#include <math.h>

static const double half_pi = 1.57079632679489661923;
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [DLS_SPIN_UP_ELEMENTS] = DLS_COUNT("n", "number of elements", 10, 1, 1000000),
    [DLS_SPIN_UP_MASS] = DLS_ONE_OF("mass", "mass matrix", DLS_MASS_CONSISTENT, dls_mass_choices),
    [DLS_SPIN_UP_LENGTH] = DLS_NUMBER("l", "m", "length", 10, 0, INFINITY, OPEN),
    [DLS_SPIN_UP_EA] = DLS_NUMBER("EA", "N", "axial stiffness", 2.8e7, 0, INFINITY, OPEN),
    [DLS_SPIN_UP_GA] = DLS_NUMBER("GA", "N", "stiffness of shear", 1e7, 0, INFINITY, OPEN),
    [DLS_SPIN_UP_EI] = DLS_NUMBER("EI", "N m^2", "bending stiffness", 1.4e4, 0, INFINITY, OPEN),
    [DLS_SPIN_UP_RHO_A] = DLS_NUMBER("rhoA", "kg/m", "mass per length", 1.2, 0, INFINITY, OPEN),
    [DLS_SPIN_UP_RHO_I] = DLS_NUMBER("rhoI", "kg m", "rotary inertia per length", 6e-4, 0, INFINITY, OPEN),
    [DLS_SPIN_UP_RATE] =
        DLS_NUMBER("omega", "rad/s", "final angular velocity of the root", 6, 0, INFINITY, OPEN),
    [DLS_SPIN_UP_RISE] = DLS_NUMBER("rise", "s", "time to reach it; 0: in steady rotation from the start", 15,
                                    0, INFINITY, DLS_OPEN_MAX),
    {0},
};

double dls_spin_up_radius(const double *p, double X)
{
  const double k = p[DLS_SPIN_UP_RATE] * sqrt(p[DLS_SPIN_UP_RHO_A] / p[DLS_SPIN_UP_EA]);
  return sin(k * X) / (k * cos(k * p[DLS_SPIN_UP_LENGTH]));
}

/* The stretched beam rotates as a rigid body. */
static void start_steady(dls_system *sys, const double *p)
{
  const dls_beam *beam = dls_beam_of(sys);
  for (size_t node = 1; node <= beam->elements; node++) {
    const double r = dls_spin_up_radius(p, beam->length * (double)node / (double)beam->elements);
    const size_t at = dls_beam_unknown(beam, node, 0);
    sys->q0[at] = r;
    sys->v0[at + 1] = p[DLS_SPIN_UP_RATE] * r;
    sys->v0[at + 2] = p[DLS_SPIN_UP_RATE];
  }
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const double turn =
      p[DLS_SPIN_UP_RATE] * p[DLS_SPIN_UP_LENGTH] * sqrt(p[DLS_SPIN_UP_RHO_A] / p[DLS_SPIN_UP_EA]);
  *out = NULL;
  if (!(turn < half_pi)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "model %s: omega l sqrt(rhoA/EA) = %g is not less than pi/2: it would stretch without limit",
        self->name, turn);
  }
  const dls_beam beam = {.kind = DLS_BEAM_ANGLE,
                         .elements = (size_t)p[DLS_SPIN_UP_ELEMENTS],
                         .length = p[DLS_SPIN_UP_LENGTH],
                         .section = {.EA = p[DLS_SPIN_UP_EA],
                                     .GA = p[DLS_SPIN_UP_GA],
                                     .EI = p[DLS_SPIN_UP_EI],
                                     .rhoA = p[DLS_SPIN_UP_RHO_A],
                                     .rhoI = p[DLS_SPIN_UP_RHO_I]},
                         .mass = (int)p[DLS_SPIN_UP_MASS],
                         .root = DLS_BEAM_CLAMPED,
                         .drive = {p[DLS_SPIN_UP_RATE], p[DLS_SPIN_UP_RISE]}};
  const dls_status status = dls_beam_create(self->name, &beam, out, err);
  if (status == DLS_OK) {
    (*out)->length = beam.length;
    (*out)->time = 1 / p[DLS_SPIN_UP_RATE];
    if (beam.drive.rise == 0) {
      start_steady(*out, p);
    }
  }
  return status;
}

const dls_model dls_model_spin_up_beam = {
    .name = "spin-up-beam",
    .summary = "beam whose clamped root is spun up: it lags behind, then stretches",
    .source = "Simo, Vu-Quoc 1986, part II, section 5 (flexible robot arm, spin-up manoeuvre)",
    .equations =
        "beam in n elements as cantilever, root clamped at the angle psi(t), without gravity\n"
        "psi = omega/rise [t^2/2 + (rise/2 pi)^2 (cos(2 pi t/rise) - 1)] up to t = rise, then omega (t - "
        "rise/2)\n"
        "M q'' + dW/dq = - M_root psi''\n"
        "Steady rotation stretches it: r(X) = sin(k X)/(k cos(k l)), k = omega sqrt(rhoA/EA), at the tip by\n"
        "l (tan(k l)/(k l) - 1), 5.1432e-4 m with the defaults. rise = 0 starts in this state, and stays in "
        "it.\n",
    .parameters = parameters,
    .create = create,
    .sketch = dls_beam_sketch,
    .mesh = dls_beam_mesh,
    .mesh_values = dls_beam_mesh_values,
};
