/* test_tangents_space.c -- derivatives with friction in space against closed forms and differences of runs, and what holds for tangents all
 * along: they keep closed contacts, joints and sticking contacts closed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "driven.h"
#include "tangent_run.h"
#include <delassus/exact.h>
#include <gsl/gsl_rng.h>

extern const dls_model dls_model_random_frictional, dls_model_slider_crank, dls_model_puck_belt, dls_model_puck,
    dls_model_rough_bowl;
extern const dls_exact dls_exact_puck, dls_exact_puck_belt, dls_exact_sphere, dls_exact_rough_bowl;

/* The largest difference of dq, dv from the closed form, relative to the largest value, or to 0.01. */
static double error_of(const dls_exact *exact, const double *p, const char *by, double at, const char *tol)
{
  dls_trajectory *table = NULL;
  dls_exact_derivative derivative;
  dls_error err = {0};
  tangent_run t;
  assert_ok(dls_exact_at(exact, p, 1, &at, &table, &err), err);
  assert_ok(dls_exact_differentiate(exact, p, 1, &by, table, &derivative, &err), err);
  prepare(&t, exact->model, p, (const char *const[]){by, NULL}, (const char *const[]){tol, NULL});
  advance_to(&t, at, NULL, NULL);
  const size_t n = t.run.sys->n;
  double size = 0.01, worst = 0;
  for (size_t i = 0; i < 2 * n; i++) {
    const double x = dls_trajectory_at(table, table->rows - 1, table->columns - 2 * n + i),
                 y = i < n ? tangent_of(&t, 0)->dq[i] : tangent_of(&t, 0)->dv[i - n];
    size = fmax(size, fabs(x));
    worst = fabs(x - y) > worst || isnan(y) ? fabs(x - y) : worst;
  }
  assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0), DLS_DERIVATIVE_OK);
  release(&t);
  dls_trajectory_destroy(table);
  return worst / size;
}

/* Slip that turns, its end and rest: at random times before and after. */
DLS_TEST(slip_in_space_agrees_with_closed_forms)
{
  const struct {
    const dls_exact *exact;
    const char *by[4];
    double end; /* the motion changes its mode before */
  } all[] = {{&dls_exact_puck, {"mu", "v0", "phi0", "alpha"}, 0.8},
             {&dls_exact_puck_belt, {"mu", "v0", "vb", "g"}, 0.8},
             {&dls_exact_sphere, {"mu", "vx", "wy", "R"}, 1.5},
             {&dls_exact_rough_bowl, {"mu", "R", "theta0", "g"}, 1.5}};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    for (size_t k = 0; k < 8; k++) {
      double p[PARAMETERS];
      const char *by = all[i].by[k % 4];
      const double at =
          all[i].end * (k < 4 ? 0.1 + 0.3 * gsl_rng_uniform(rng) : 0.7 + 0.3 * gsl_rng_uniform(rng));
      read_parameters(all[i].exact->model, NULL, p);
      const int which = dls_option_find(all[i].exact->model->parameters, by);
      p[which] *= 0.95 + 0.1 * gsl_rng_uniform(rng);
      assert_between(error_of(all[i].exact, p, by, at, "tol=1e-10"), 0, 2e-8);
      assert_between(error_of(all[i].exact, p, by, at, "tol=1e-6"), 0, 1e-4);
    }
  }
  gsl_rng_free(rng);
}

/* Slip that becomes straight while it lasts: what is left of a derivative across it must not grow. The direction is that of the initial
 * velocity, of which neighbours round cos(phi0). */
DLS_TEST(derivatives_across_straight_slip_vanish)
{
  double p[PARAMETERS];
  read_parameters(&dls_model_puck, (const char *const[]){"mu=0.21", "phi0=0.01", NULL}, p);
  assert_between(error_of(&dls_exact_puck, p, "phi0", 12, "tol=1e-10"), 1e-11, 1e-7);
}

/* T = v0 (kappa + cos phi0) / (g sin(alpha) (kappa^2 - 1)), kappa = mu / tan(alpha). Where slip is straight at its end, its direction and the
 * tangent across it are round-off, with bdf more than with adams. */
DLS_TEST(the_end_of_straight_slip_has_the_derivative_of_the_time_of_rest)
{
  static const char *const method[] = {"method=adams", "method=bdf"};
  static const double start[][2] = {{1, 2.1}, {0.5, 2}, {1.3, 0.7}};
  double p[PARAMETERS];
  read_parameters(&dls_model_puck, (const char *const[]){"mu=0.21", NULL}, p);
  const dls_option *table = dls_model_puck.parameters;
  const double alpha = p[dls_option_find(table, "alpha")], kappa = 0.21 / tan(alpha), below = kappa * kappa - 1,
               pull = p[dls_option_find(table, "g")] * sin(alpha);
  for (size_t i = 0; i < 6; i++) {
    const double v0 = start[i / 2][0], phi0 = start[i / 2][1], sum = kappa + cos(phi0),
                 expected = v0 / (pull * below) * (1 - 2 * kappa * sum / below) / tan(alpha);
    tangent_run t;
    p[dls_option_find(table, "v0")] = v0;
    p[dls_option_find(table, "phi0")] = phi0;
    prepare(&t, &dls_model_puck, p, (const char *const[]){"mu", NULL},
            (const char *const[]){method[i % 2], "tol=1e-10", NULL});
    advance_to(&t, 1.1 * v0 * sum / (pull * below), NULL, NULL);
    const dls_sensitivity *s = t.run.sim->sensitivity;
    assert_int_equal(dls_sensitivity_status(s, 0), DLS_DERIVATIVE_OK);
    assert_int_equal(s->event_count, 2);
    assert_close(s->event_dt[1] / expected, 1, 6e-8);
    release(&t);
  }
}

/* The mass does not move the puck: its tangent is round-off, which must not stop the one by mu, nor have a status. */
DLS_TEST(parameters_that_act_on_nothing_pass_the_end_of_slip)
{
  static const double ends[] = {0.5, 1.2};
  for (size_t i = 0; i < 2; i++) {
    double p[PARAMETERS];
    tangent_run t;
    read_parameters(&dls_model_puck, NULL, p);
    assert_between(error_of(&dls_exact_puck, p, "m", ends[i], "tol=1e-10"), 0, 1e-9);
    prepare(&t, &dls_model_puck, p, (const char *const[]){"m", "mu", NULL},
            (const char *const[]){"tol=1e-10", NULL});
    advance_to(&t, ends[i], NULL, NULL);
    assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 1), DLS_DERIVATIVE_OK);
    assert_close(tangent_of(&t, 1)->dq[0], -0.20791109127, 1e-9); /* at rest from 0.416 s on */
    release(&t);
  }
}

/* Impacts, landing, slip, stick and lift-off in space: where neighbours have the same events, their differences agree. */
DLS_TEST(random_systems_in_space_agree_with_differences)
{
  const char *const by[] = {"e", "mu", "omega", "surface"};
  enum { SEEDS = 8 };
  int agree = 0, refused = 0;
  for (int seed = 1; seed <= SEEDS; seed++) {
    double p[PARAMETERS];
    read_parameters(&dls_model_random_frictional,
                    (const char *const[]){"dim=3", "n=8", "m=2", "surface=0.3", NULL}, p);
    p[dls_option_find(dls_model_random_frictional.parameters, "seed")] = seed;
    const comparison c = compare(&dls_model_random_frictional, p, by[seed % 4], 1e-5, 1);
    refused += !c.ok;
    if (c.ok && c.same) {
      if (!(c.error <= 1e-6)) {
        fail_msg("seed %d, by %s: error %.3g", seed, by[seed % 4], c.error);
      }
      agree++;
    }
  }
  assert_between((double)agree / SEEDS, 0.6, 1);
  assert_between((double)refused / SEEDS, 0, 0.3);
}

/* --- what tangents keep --- */

static double size_of(const dls_tangent *x, const dls_system *sys)
{
  double size = 0;
  for (size_t i = 0; i < sys->n; i++) {
    size = fmax(size, fmax(fabs(x->dq[i]) / sys->length, fabs(x->dv[i]) * sys->time / sys->length));
  }
  return size;
}

/* D Phi by a central difference along dq, in units of |dx|. */
static dls_status watch_joints(void *data, const dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const dls_tangent *x = &sim->sensitivity->tangent[0];
  const double size = size_of(x, sys), step = 1e-4 * sys->length / size;
  double q[2][16], phi[2][16], *worst = data;
  (void)err;
  for (size_t side = 0; side < 2 && size > 0; side++) {
    for (size_t i = 0; i < sys->n; i++) {
      q[side][i] = sim->q[i] + (side == 0 ? -step : step) * x->dq[i];
    }
    dls_system_joint(sys, sim->t, q[side], phi[side]);
  }
  for (size_t i = 0; i < sys->r && size > 0; i++) {
    *worst = fmax(*worst, fabs(phi[1][i] - phi[0][i]) / (2 * step) / size);
  }
  return DLS_OK;
}

DLS_TEST(tangents_stay_on_joints)
{
  double p[PARAMETERS], worst = 0;
  tangent_run t;
  read_parameters(&dls_model_slider_crank, NULL, p);
  prepare(&t, &dls_model_slider_crank, p, (const char *const[]){"omega", NULL}, NULL);
  advance_to(&t, 0.02, watch_joints, &worst);
  assert_between(worst, 1e-14, 1e-10);
  release(&t);
}

/* g = q2, u = v2, and u_T = v on the belt where it sticks: D u_T = 0 with the velocity of the belt. */
static dls_status watch_puck(void *data, const dls_sim *sim, dls_error *err)
{
  const dls_tangent *x = &sim->sensitivity->tangent[0];
  double *worst = data;
  (void)err;
  *worst = fmax(*worst, fmax(fabs(x->dq[2]), fabs(x->dv[2])));
  if (sim->t > 0.6) {
    *worst = fmax(*worst, fmax(fabs(x->dv[0] - 1), fabs(x->dv[1])));
  }
  return DLS_OK;
}

DLS_TEST(tangents_stay_on_closed_contacts)
{
  double p[PARAMETERS], worst = 0;
  tangent_run t;
  read_parameters(&dls_model_puck_belt, NULL, p);
  prepare(&t, &dls_model_puck_belt, p, (const char *const[]){"vb", NULL}, NULL);
  advance_to(&t, 1, watch_puck, &worst);
  assert_between(worst, 0, 1e-10);
  assert_between(tangent_of(&t, 0)->dv[0], 1 - 1e-10, 1 + 1e-10);
  release(&t);
}

/* --- cost --- */

static size_t calls;
static void (*load)(const dls_system *sys, double t, double *F);
static void (*gradient)(const dls_system *sys, double t, const double *q, dls_matrix *G);

static void count_load(const dls_system *sys, double t, double *F)
{
  calls++;
  load(sys, t, F);
}

static void (*force)(const dls_system *sys, double t, const double *q, const double *v, double *F);

static void count_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  calls++;
  force(sys, t, q, v, F);
}

static void count_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  calls++;
  gradient(sys, t, q, G);
}

static void count_in(dls_system *sys)
{
  if (sys->r > 0) {
    gradient = sys->joint_gradient != count_gradient ? sys->joint_gradient : gradient;
    sys->joint_gradient = count_gradient;
  } else if (!sys->linear) {
    force = sys->force != count_force ? sys->force : force;
    sys->force = count_force;
  } else {
    load = sys->load != count_load ? sys->load : load;
    sys->load = count_load;
  }
}

/* Loads, forces or gradients of joints, that a run evaluates in its system and in those of its derivatives. */
static double evaluations(const dls_model *model, const char *const *by, double end, const char *method)
{
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(model, NULL, p);
  prepare(&t, model, p, by, (const char *const[]){method, NULL});
  count_in(t.run.sys);
  for (size_t k = 0; k < t.count; k++) {
    for (size_t i = 0; i < t.direction[k].count; i++) {
      count_in(t.direction[k].system[i]);
    }
  }
  calls = 0;
  advance_to(&t, end, NULL, NULL);
  release(&t);
  return (double)calls;
}

/* A step of tangents evaluates the motion once, and one difference for each parameter, seldom two. It is as long as a step of the run, where
 * slip turns and ends, and where steps grow twentyfold from the start of a phase. In a linear system only events need differences,
 * and the end of slip that turns. */
DLS_TEST(derivatives_take_few_evaluations)
{
  const struct {
    const dls_model *model;
    const char *by[4], *method;
    double end, least, most; /* of one parameter, and of each further one: evaluations by those of the run */
    double rest;             /* of the motion that is followed to the end of slip, once for all parameters */
  } all[] = {{&dls_model_slider_crank, {"omega", "l1", "m1"}, "method=adams", 0.02, 0.05, 0.17, 0},
             {&dls_model_rough_bowl, {"mu", "R", "theta0"}, "method=adams", 0.8, 0.05, 0.45, 0},
             {&dls_model_rough_bowl, {"mu", "R", "theta0"}, "method=bdf", 0.8, 0.05, 0.45, 0},
             {&dls_model_puck, {"mu", "v0", "phi0"}, "method=adams", 0.8, 0, 0.01, 0.05},
             {&dls_model_puck_belt, {"mu", "v0", "vb"}, "method=adams", 0.8, 0, 0.01, 0}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    const double none = evaluations(all[i].model, &all[i].by[3], all[i].end, all[i].method),
                 one = evaluations(all[i].model, (const char *const[]){all[i].by[0], NULL}, all[i].end,
                                   all[i].method),
                 three = evaluations(all[i].model, all[i].by, all[i].end, all[i].method);
    assert_between((one - none) / none, all[i].least + 0.5 * all[i].rest, all[i].most + all[i].rest);
    assert_between((three - one) / (2 * none), all[i].least, all[i].most);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slip_in_space_agrees_with_closed_forms),
      cmocka_unit_test(parameters_that_act_on_nothing_pass_the_end_of_slip),
      cmocka_unit_test(derivatives_across_straight_slip_vanish),
      cmocka_unit_test(the_end_of_straight_slip_has_the_derivative_of_the_time_of_rest),
      cmocka_unit_test(random_systems_in_space_agree_with_differences),
      cmocka_unit_test(tangents_stay_on_joints),
      cmocka_unit_test(tangents_stay_on_closed_contacts),
      cmocka_unit_test(derivatives_take_few_evaluations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
