/* test_direction.c -- directions of parameters: the neighbouring values and weights of central and one-sided first derivatives, their
 * distances, and what is refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/direction.h>
#include <math.h>
#include <string.h>

extern const dls_model dls_model_bouncing_ball, dls_model_bead_column;

/* The direction of one parameter of the ball with this value. */
static dls_direction direction_of(const char *name, double value)
{
  double p[8];
  dls_direction d;
  dls_error err = {0};
  dls_option_defaults(dls_model_bouncing_ball.parameters, p);
  p[dls_option_find(dls_model_bouncing_ball.parameters, name)] = value;
  assert_ok(dls_direction_create(&dls_model_bouncing_ball, p, name, &d, &err), err);
  return d;
}

/* Sum of weight offset^power: 0, 1, 0 for the powers 0, 1, 2, so that quadratic functions are differentiated exactly. */
static double moment(const dls_direction *d, int power)
{
  double sum = 0;
  for (size_t i = 0; i < d->count; i++) {
    sum += d->weight[i] * pow(d->offset[i], power);
  }
  return sum;
}

/* Values inside the range have neighbours on both sides, those at an end on one. The systems are those of p + offset. */
DLS_TEST(weights_differentiate_quadratic_functions)
{
  const struct {
    const char *name;
    double value;
    int side; /* of the neighbours; 0: both */
  } cases[] = {{"q0", 1, 0}, {"q0", 0.3, 0}, {"q0", 0, 1}, {"v0", -2, 0},
               {"v0", 0, 0}, {"e", 0.5, 0},  {"e", 0, 1},  {"e", 1, -1}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    dls_direction d = direction_of(cases[c].name, cases[c].value);
    assert_string_equal(d.name, cases[c].name);
    assert_close(d.value, cases[c].value, 0);
    assert_int_equal(d.one_sided, cases[c].side != 0);
    assert_int_equal(d.count, cases[c].side != 0 ? 3 : 2);
    assert_close(moment(&d, 0), 0, 1e-9);
    assert_close(moment(&d, 1), 1, 1e-12);
    assert_close(moment(&d, 2), 0, 1e-15);
    for (size_t i = 0; i < d.count; i++) {
      const dls_system *sys = d.system[i];
      const double value = cases[c].name[0] == 'q'   ? sys->q0[0]
                           : cases[c].name[0] == 'v' ? sys->v0[0]
                                                     : sys->e[0];
      assert_close(value, cases[c].value + d.offset[i], 0);
      assert_true(d.offset[i] * cases[c].side >= 0);
    }
    dls_direction_release(&d);
    assert_int_equal(d.count, 0);
  }
}

/* Neighbours lie 2^-17 of the size away: that of the value, of the default where the value is 0, or 1; the nearest power of two. */
DLS_TEST(distances_are_powers_of_two_of_the_size)
{
  const struct {
    double value, initial, size;
  } cases[] = {{0.3, 7, 0.25}, {-3, 7, 4}, {0, 5, 4}, {0, -0.1, 0.125}, {0, 0, 1}, {1e-6, 1, 0x1p-20}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    const dls_option option = {.initial = cases[c].initial};
    assert_close(dls_direction_size(&option, cases[c].value), cases[c].size, 0);
  }
  dls_direction d = direction_of("q0", 0.3);
  assert_close(d.offset[1], 0x1p-19, 0);
  dls_direction_release(&d);
  dls_error err = {0};
  assert_ok(dls_direction_create_at(&dls_model_bouncing_ball, NULL, "q0", 0.01, &d, &err), err);
  assert_close(d.offset[0], -0.01, 0);
  dls_direction_release(&d);
}

DLS_TEST(parameters_without_derivatives_are_refused)
{
  dls_direction d;
  dls_error err = {0};
  assert_int_equal(dls_direction_create(&dls_model_bouncing_ball, NULL, "q9", &d, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "model bouncing-ball: there is no 'q9'"));
  assert_int_equal(dls_direction_create(&dls_model_bead_column, NULL, "N", &d, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "model bead-column: N has separate values"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_differentiate_quadratic_functions),
      cmocka_unit_test(distances_are_powers_of_two_of_the_size),
      cmocka_unit_test(parameters_without_derivatives_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
