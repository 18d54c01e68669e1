/* test_step_tangents.c -- derivatives along runs by step, against what the schemes' steps with fixed active sets give for the ball:
 * F = -2, m = 1, q0 = 1, v0 = 0, e = 1/2, first impact at t1 = 1 with V = 2, the second after the end.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/scheme.h>
#include <delassus/sensitivity.h>
#include <math.h>
#include <string.h>

enum { MOST_PARAMETERS = 3 };

/* A run to `steps` h with derivatives. */
typedef struct tangent_run {
  dls_model_choice model;
  dls_direction direction[MOST_PARAMETERS];
  size_t count;
  test_run run;
} tangent_run;

static tangent_run prepare(const char *model, const char *scheme, const char *tangent, const char *const *by)
{
  tangent_run t = {.model = dls_test_model(model), .run = dls_test_prepare(model, scheme)};
  dls_error err = {0};
  dls_tangent_method method;
  assert_ok(dls_tangent_method_parse(tangent, &method, &err), err);
  for (; by[t.count] != NULL; t.count++) {
    assert_ok(dls_tangent_direction(t.run.sim->scheme, &method, t.model.model, t.model.parameters, by[t.count],
                                    &t.direction[t.count], &err),
              err);
  }
  return t;
}

static void differentiate(tangent_run *t, const char *tangent)
{
  dls_error err = {0};
  dls_tangent_method method;
  assert_ok(dls_tangent_method_parse(tangent, &method, &err), err);
  assert_ok(dls_sim_differentiate_as(t->run.sim, &method, t->count, t->direction, &err), err);
}

static void advance(tangent_run *t, double h, size_t steps)
{
  dls_error err = {0};
  assert_ok(dls_run(t->run.sim, &(dls_run_spec){.step = h, .end = h * ((double)steps + 0.25)}, &err), err);
}

static void release(tangent_run *t)
{
  dls_test_free(&t->run);
  for (size_t k = 0; k < t->count; k++) {
    dls_direction_release(&t->direction[k]);
  }
  dls_model_choice_release(&t->model);
}

/* d(q, v)/dp of the ball after its first impact, at about T = 1.6. */
typedef struct derivatives {
  double t, q, v;
  dls_derivative_status status;
} derivatives;

static derivatives of_ball(const char *model, const char *scheme, const char *tangent, const char *by, double h)
{
  tangent_run t = prepare(model, scheme, tangent, (const char *const[]){by, NULL});
  differentiate(&t, tangent);
  advance(&t, h, (size_t)(1.6 / h));
  const dls_sensitivity *s = t.run.sim->sensitivity;
  const derivatives out = {t.run.sim->t, s->tangent[0].dq[0], s->tangent[0].dv[0],
                           dls_sensitivity_status(s, 0)};
  release(&t);
  return out;
}

/* Steps near h that put the impact anywhere in a step. */
static double random_step(double h, unsigned seed)
{
  const double fraction = fmod(0.6180339887498949 * (seed + 1), 1);
  return h * (1 + 0.3 * fraction);
}

/* --- plain --- */

/* diag(1, -e) at an impact, whatever theta, gamma and the phase of the grid. */
DLS_TEST(impacts_at_velocity_level_pass_diag_1_e)
{
  static const char *const schemes[] = {"moreau-jean",
                                        "moreau-jean:theta=1",
                                        "moreau-jean:theta=1,gamma=0",
                                        "moreau-jean:gamma=1",
                                        "moreau-jean-variant",
                                        "moreau-jean-extrapolated",
                                        "nonsmooth-newmark",
                                        "nonsmooth-hht",
                                        "nonsmooth-generalized-alpha",
                                        "nonsmooth-kh-generalized-alpha",
                                        "nonsmooth-bdf2",
                                        "nonsmooth-adams",
                                        "fully-implicit-newmark",
                                        "splitting-rkf45",
                                        "tdg-d1-minus",
                                        "tdg-d1-minus-implicit",
                                        "energy-preserving",
                                        "sequential-impulse",
                                        "naive-rk4"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (unsigned seed = 0; seed < 6; seed++) {
      const double h = random_step(4e-3, seed);
      const derivatives q0 = of_ball("bouncing-ball", schemes[i], "plain", "q0", h);
      assert_close(q0.q, 1, 1e-7);
      assert_close(q0.v, 0, 1e-7);
      assert_int_equal(q0.status, DLS_DERIVATIVE_OK);
      const derivatives v0 = of_ball("bouncing-ball", schemes[i], "plain", "v0", h);
      assert_close(v0.q, 1 - 0.5 * (v0.t - 1), 3 * h);
      assert_close(v0.v, -0.5, 1e-7);
    }
  }
}

/* The tangent follows the motion between its neighbours, which e moves too: dv/de of one impact is V plus its share of the place of the
 * impact in the step. */
DLS_TEST(parameters_of_laws_move_the_impulse)
{
  for (unsigned seed = 0; seed < 6; seed++) {
    const double h = random_step(4e-3, seed);
    const derivatives e = of_ball("bouncing-ball", "moreau-jean", "plain", "e", h);
    assert_close(e.v, 2, 2 * h);
    assert_close(e.q, 2 * (e.t - 1), 2 * h);
  }
}

DLS_TEST(position_level_schemes_pass_their_own_maps)
{
  for (unsigned seed = 0; seed < 6; seed++) {
    const double h = random_step(4e-3, seed);
    const derivatives levels = of_ball("bouncing-ball", "three-level-alpha", "plain", "q0", h);
    assert_close(levels.q, 0, 1e-6);
    assert_close(levels.v, 0, 1e-6);
    const derivatives elastic = of_ball("bouncing-ball:e=1", "laursen-love", "plain", "q0", h);
    assert_close(elastic.q, elastic.t - 1, 2 * h); /* (0 + a (T - t1)/V, a/V), half of the exact entry */
    assert_close(elastic.v, 1, 2 * h);
  }
}

/* --- differences --- */

/* Of a smooth motion the difference is exact; of an impact its error is about |1 - D| V h/(2 sqrt(6) delta). */
DLS_TEST(differences_average_over_the_step)
{
  const double exact_q = -0.5 + 1.5 * 0.6;
  double sum = 0;
  enum { PHASES = 30 };
  const double h0 = 1e-3, delta = 0.02;
  for (unsigned seed = 0; seed < PHASES; seed++) {
    const derivatives d =
        of_ball("bouncing-ball", "moreau-jean", "difference:delta=0.02", "q0", random_step(h0, seed));
    const double error = d.q - (-0.5 + 1.5 * (d.t - 1));
    sum += error * error;
  }
  const double expected = fabs(1 - exact_q) * 2 * h0 * 1.15 / (2 * sqrt(6) * delta);
  assert_between(sqrt(sum / PHASES), 0.3 * expected, 2 * expected);
}

/* --- what is refused --- */

DLS_TEST(tangents_are_refused_with_a_reason)
{
  dls_error err = {0};
  tangent_run t = prepare("bouncing-ball", "moreau-jean-adaptive", "plain", (const char *const[]){"e", NULL});
  dls_tangent_method method = {.kind = DLS_TANGENT_PLAIN};
  assert_int_equal(dls_sim_differentiate_as(t.run.sim, &method, 1, t.direction, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "moreau-jean-adaptive chooses its steps"));
  release(&t);
  t = prepare("bouncing-ball", "event-driven", "plain", (const char *const[]){"e", NULL});
  assert_int_equal(dls_sim_differentiate_as(t.run.sim, &method, 1, t.direction, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "allowed is saltation"));
  release(&t);
  assert_int_equal(dls_tangent_method_parse("exact", &method, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "saltation, plain and difference:delta=D"));
  assert_int_equal(dls_tangent_method_parse("difference:delta=-1", &method, &err), DLS_ERR_OPTION);
  assert_int_equal(dls_tangent_method_parse("difference:delta=x", &method, &err), DLS_ERR_PARSE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_at_velocity_level_pass_diag_1_e),
      cmocka_unit_test(parameters_of_laws_move_the_impulse),
      cmocka_unit_test(position_level_schemes_pass_their_own_maps),
      cmocka_unit_test(differences_average_over_the_step),
      cmocka_unit_test(tangents_are_refused_with_a_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
