/* slider_crank_clearance.c -- slider-crank whose slider has clearance in its guide and strikes it with its corners.
 *   g = d/2 -+ (y of the corner),   corners (-+ a, -+ b) of the slider,   d = 2 (b + c)
 * Source: Flores, Leine, Glocker 2010, section 5, in natural coordinates instead of three angles.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider_crank_mechanism.h"
#include <float.h>
#include <stdio.h>

enum { HALF_LENGTH = DLS_SLIDER_CRANK_COUNT, HALF_HEIGHT, CLEARANCE, RESTITUTION, FRICTION };
static const dls_option parameters[] = {
    DLS_SLIDER_CRANK_PARAMETERS,
    [HALF_LENGTH] = DLS_NUMBER("a", "m", "half the length of the slider", 0.05, 0, DBL_MAX, DLS_OPEN_MIN),
    [HALF_HEIGHT] = DLS_NUMBER("b", "m", "half the height of the slider", 0.025, 0, DBL_MAX, DLS_OPEN_MIN),
    [CLEARANCE] = DLS_NUMBER("c", "m", "clearance above and below it", 0.001, 0, DBL_MAX, 0),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.4, 0, 1, 0),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.01, 0, DBL_MAX, 0),
    {0},
};

/* Contacts 0, 1 of the upper corners, 2, 3 of the lower ones: left, then right. */
static void make_corners(const double *p, dls_touch touches[4])
{
  static const char *const names[] = {"upper left", "upper right", "lower left", "lower right"};
  for (int i = 0; i < 4; i++) {
    const double up = i < 2 ? 1 : -1, right = i % 2 == 0 ? -1 : 1;
    touches[i] = (dls_touch){.kind = DLS_TOUCH_PLANE,
                             .a = {2, {right * p[HALF_LENGTH], up * p[HALF_HEIGHT]}},
                             .normal = {0, -up},
                             .offset = -(p[HALF_HEIGHT] + p[CLEARANCE]), /* -d/2 */
                             .restitution = p[RESTITUTION],
                             .friction = p[FRICTION]};
    snprintf(touches[i].name, sizeof touches[i].name, "%s", names[i]);
  }
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  dls_body bodies[DLS_SLIDER_CRANK_BODIES];
  dls_joint joints[DLS_SLIDER_CRANK_REVOLUTES];
  dls_touch touches[4];
  (void)self;
  dls_slider_crank_mechanism(p, bodies, joints);
  make_corners(p, touches);
  const dls_mechanism m = {.dim = 2,
                           .body_count = DLS_SLIDER_CRANK_BODIES,
                           .bodies = bodies,
                           .joint_count = DLS_SLIDER_CRANK_REVOLUTES,
                           .joints = joints,
                           .touch_count = 4,
                           .touches = touches,
                           .gravity = {0, -p[DLS_SLIDER_CRANK_GRAVITY]}};
  return dls_mechanism_system(&m, out, err);
}

const dls_model dls_model_slider_crank_clearance = {
    .name = "slider-crank-clearance",
    .summary = "slider-crank whose slider strikes its guide with four corners, with friction",
    .source = "P. Flores, R. Leine, C. Glocker 2010",
    .equations =
        "q = (r, d) of crank, rod, slider:  M v' = F + G mu + H p + T p_T,   M = diag(m, m, J, J) each\n"
        "Phi: |d|^2 = 1 each; ground - crank - rod - slider joined by revolutes; three degrees of freedom\n"
        "g = d/2 -+ y of the corners (-+ a, -+ b) of the slider,   d = 2 (b + c)\n"
        "The paper steps with h = 1e-5 s to T = 0.2 s.\n",
    .parameters = parameters,
    .create = create,
    .sketch = dls_mechanism_sketch,
};
