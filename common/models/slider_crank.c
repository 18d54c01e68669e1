/* slider_crank.c -- slider-crank with ideal joints in natural coordinates: 12 coordinates, 11 equations.
 * Source: Flores, Leine, Glocker 2010, section 5 (data), without clearance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider_crank_mechanism.h"
#include <float.h>

static const dls_option parameters[] = {DLS_SLIDER_CRANK_PARAMETERS, {0}};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  enum { JOINTS = DLS_SLIDER_CRANK_REVOLUTES + 1 };
  dls_body bodies[DLS_SLIDER_CRANK_BODIES];
  dls_joint joints[JOINTS];
  (void)self;
  dls_slider_crank_mechanism(p, bodies, joints);
  joints[JOINTS - 1] = (dls_joint){
      .name = "guide", .kind = DLS_JOINT_PRISMATIC, .a = {DLS_GROUND, {0}}, .b = {2, {0}}, .axis = {1, 0, 0}};
  const dls_mechanism m = {.dim = 2,
                           .body_count = DLS_SLIDER_CRANK_BODIES,
                           .bodies = bodies,
                           .joint_count = JOINTS,
                           .joints = joints,
                           .gravity = {0, -p[DLS_SLIDER_CRANK_GRAVITY]}};
  return dls_mechanism_system(&m, out, err);
}

const dls_model dls_model_slider_crank = {
    .name = "slider-crank",
    .summary = "slider-crank with ideal joints: crank, rod and slider in natural coordinates",
    .source = "P. Flores, R. Leine, C. Glocker 2010, without clearance",
    .equations =
        "q = (r, d) of crank, rod, slider:  M v' = F + G mu,   M = diag(m, m, J, J) each\n"
        "Phi: |d|^2 = 1 each; ground - crank - rod - slider joined by revolutes; the slider slides along x\n"
        "One degree of freedom, 1/2 I(theta) theta'^2 + V(theta) = const. With the defaults:\n"
        "  energy                    7.49554875 J\n"
        "  a turn of the crank takes 0.0678871257564 s\n"
        "  theta(0.05)               4.80923814 rad\n",
    .parameters = parameters,
    .create = create,
    .sketch = dls_mechanism_sketch,
};
