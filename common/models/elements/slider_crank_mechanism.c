/* slider_crank_mechanism.c -- see slider_crank_mechanism.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider_crank_mechanism.h"
#include <string.h>

void dls_slider_crank_mechanism(const double *p, dls_body bodies[DLS_SLIDER_CRANK_BODIES], dls_joint *joints)
{
  const double l1 = p[DLS_SLIDER_CRANK_L1], l2 = p[DLS_SLIDER_CRANK_L2], rate = p[DLS_SLIDER_CRANK_RATE];
  const double *m = p + DLS_SLIDER_CRANK_M1, *J = p + DLS_SLIDER_CRANK_J1;
  bodies[0] = (dls_body){.name = "crank", .at = {l1 / 2}, .velocity = {0, rate * l1 / 2}, .spin = {rate}};
  bodies[1] = (dls_body){.name = "rod",
                         .at = {l1 + l2 / 2},
                         .velocity = {0, rate * l1 / 2}, /* its end on the slider is at rest */
                         .spin = {-rate * l1 / l2}};
  bodies[2] = (dls_body){.name = "slider", .at = {l1 + l2}};
  for (size_t i = 0; i < DLS_SLIDER_CRANK_BODIES; i++) {
    bodies[i].mass = m[i];
    bodies[i].inertia[0] = J[i];
  }
  joints[0] = (dls_joint){.name = "bearing", .a = {DLS_GROUND, {0}}, .b = {0, {-l1 / 2}}};
  joints[1] = (dls_joint){.name = "crank pin", .a = {0, {l1 / 2}}, .b = {1, {-l2 / 2}}};
  joints[2] = (dls_joint){.name = "slider pin", .a = {1, {l2 / 2}}, .b = {2, {0}}};
}
