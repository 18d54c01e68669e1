/* test_joint_models.c -- models with joints are the systems that they say they are.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "joint_check.h"
#include "models.h"
#include <math.h>
#include <stdio.h>

DLS_TEST(derivatives_of_joints_belong_together)
{
  static const char *const models[] = {"bouncing-pendulum-cartesian:l=1.3,q0=0.2,v0=-1",
                                       "bouncing-pendulum-natural:l=1.3,q0=0.2,v0=-1",
                                       "slider-crank:l1=0.2",
                                       "slider-crank-clearance:l1=0.2",
                                       "lens-cardona-b:l=1.3,m=2",
                                       "lens-cardona-c:l=1.3,m1=2",
                                       "lens-cardona-d",
                                       "double-pendulum:l1=1.3,l2=0.4,theta1=0.3,theta2=2",
                                       "rope-limit",
                                       "four-bar:N=3,l=0.7,m=2",
                                       "pendulum-chain:N=5",
                                       "heavy-top:theta0=1",
                                       "andrews"};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    dls_system *sys = dls_test_system(models[k]);
    dls_check_joints(sys);
    dls_system_destroy(sys);
  }
}

/* The energy T + V, the gap and its rate at the start, in three sets of coordinates. */
DLS_TEST(the_pendulum_is_the_same_in_all_coordinates)
{
  static const char *const names[] = {"bouncing-pendulum", "bouncing-pendulum-cartesian",
                                      "bouncing-pendulum-natural"};
  double energy[3], gap[3], rate[3];
  for (size_t k = 0; k < 3; k++) {
    char text[120];
    snprintf(text, sizeof text, "%s:m=1.7,l=1.3,g=9,hurdle=0.8,q0=0.2,v0=-1", names[k]);
    dls_system *sys = dls_test_system(text);
    double p[4] = {0};
    dls_matrix_multiply(sys->M, 1, sys->v0, p);
    energy[k] = sys->potential(sys, sys->q0);
    for (size_t i = 0; i < sys->n; i++) {
      energy[k] += 0.5 * p[i] * sys->v0[i];
    }
    dls_system_gap(sys, 0, sys->q0, &gap[k]);
    dls_system_gradient(sys, sys->q0, sys->H);
    rate[k] = dls_matrix_column_dot(sys->H, 0, sys->v0);
    dls_system_destroy(sys);
  }
  assert_close(energy[0], -1.7 * 9 * 1.3 * sin(0.2) + 0.5 * 1.7 * 1.3 * 1.3, 1e-13);
  for (size_t k = 1; k < 3; k++) {
    assert_close(energy[k], energy[0], 1e-13);
    assert_close(gap[k], gap[0], 1e-15);
    assert_close(rate[k], rate[0], 1e-15);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_of_joints_belong_together),
      cmocka_unit_test(the_pendulum_is_the_same_in_all_coordinates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
