/* test_redundant.c -- more contact rows than degrees of freedom, by events: a block on its four corners in space, which rests, slides
 * and bounces; two contacts at one point; impacts with several solutions. Forces of single contacts are not unique, motions and sums of
 * forces are, and it is counted how many rows depend on others.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "models.h"
#include <delassus/sensitivity.h>
#include <string.h>

static const double g = 9.81;
enum { CORNERS = 4, DEPEND = 6 }; /* 12 rows of one body with 6 degrees of freedom */

static double sum(const double *x, size_t first, size_t step)
{
  double total = 0;
  for (size_t j = 0; j < CORNERS; j++) {
    total += x[first + step * j];
  }
  return total;
}

DLS_TEST(a_block_on_a_slope_rests_or_slides)
{
  for (int slides = 0; slides < 2; slides++) {
    ed_run run = ed_system(dls_test_system(slides ? "block-column:rows=1,columns=1,dim=3,alpha=0.5,mu=0.3"
                                                  : "block-column:rows=1,columns=1,dim=3,alpha=0.5,mu=0.6"),
                           0.8, NULL);
    const double a = slides ? g * (sin(0.5) - 0.3 * cos(0.5)) : 0;
    assert_int_equal(run.sim->work.redundant, slides ? 4 - 3 : DEPEND); /* normals that slip, 3 coordinates */
    assert_close(run.sim->v[0], 0.8 * a, 1e-12);
    assert_close(run.sim->q[0], 0.32 * a, 1e-12);
    for (size_t i = 1; i < 6; i++) {
      assert_close(run.sim->v[i], 0, 1e-12);
    }
    assert_close(sum(run.sim->lambda, 0, 1), g * cos(0.5), 1e-11);
    assert_close(sum(run.sim->lambda_t, 0, 2), slides ? -0.3 * g * cos(0.5) : -g * sin(0.5), 1e-11);
    for (size_t j = 0; j < CORNERS;
         j++) { /* at rest two of them are at their limits, others would do as well */
      assert_true(run.sim->status[j] == 2 || (!slides && run.sim->status[j] == 1));
      assert_true(run.sim->lambda[j] > 0);
      assert_true(fabs(run.sim->lambda_t[2 * j]) <= (slides ? 0.3 : 0.6) * run.sim->lambda[j] * (1 + 1e-9));
    }
    ed_end(&run);
  }
}

/* Dropped flat: all corners hit at once with u_N = -sqrt(2 g h), come back with e of that, and rest from (1 + e)/(1 - e) t_1 on. */
DLS_TEST(a_block_that_falls_flat_bounces_flat)
{
  dls_system *sys = dls_test_system("block-column:rows=1,columns=1,dim=3,e=0.5,mu=0.4");
  sys->q0[2] = 0.05;
  ed_run run = ed_system(sys, 1, NULL);
  const double t_1 = sqrt(0.1 / g), V = g * t_1;
  double impulse = 0;
  for (size_t j = 0; j < CORNERS; j++) {
    const dls_event *event = ed_event(&run, DLS_IMPACT, j);
    assert_close(event->t, t_1, 1e-12);
    assert_close(event->u_plus, 0.5 * V, 1e-12);
    impulse += event->impulse;
  }
  assert_close(impulse, 1.5 * V, 1e-12);
  assert_int_equal(run.sim->work.redundant, DEPEND);
  assert_close(ed_event(&run, DLS_ACCUMULATION, 0)->t, 3 * t_1, 1e-8);
  assert_close(sum(run.sim->lambda, 0, 1), g, 1e-11);
  for (size_t i = 0; i < 6; i++) {
    assert_close(run.sim->v[i], 0, 1e-13);
    assert_close(run.sim->q[i], 0, 1e-12);
  }
  ed_end(&run);
}

/* A particle with mass 1 over `copies` floors at the same place, thrown at them. */
static ed_run thrown(size_t copies, double mu, double e)
{
  dls_system *sys = ed_masses(2, copies);
  sys->d = 2;
  sys->T = dls_matrix_dense(2, copies);
  for (size_t j = 0; j < copies; j++) {
    dls_matrix_set(sys->H, 1, j, 1);
    dls_matrix_set(sys->T, 0, j, 1);
    sys->mu[j] = mu;
    sys->e[j] = e;
  }
  sys->q0[1] = 0.2;
  sys->v0[0] = 1;
  sys->v0[1] = -1;
  return ed_system(sys, 1, NULL);
}

/* Without weight: it flies off with e, or goes on along the floor, as over one floor. */
DLS_TEST(two_contacts_at_one_point_are_as_one)
{
  for (double mu = 0.1; mu < 1; mu += 0.2) {
    for (double e = 0; e < 1; e += 0.4) {
      ed_run one = thrown(1, mu, e), two = thrown(2, mu, e);
      assert_int_equal(one.sim->work.redundant, 0);
      assert_int_equal(two.sim->work.redundant, 2);
      for (size_t i = 0; i < 2; i++) {
        assert_close(two.sim->v[i], one.sim->v[i], 1e-12);
        assert_close(two.sim->q[i], one.sim->q[i], 1e-11);
      }
      const dls_event *a = ed_event(&two, DLS_IMPACT, 0), *b = ed_event(&two, DLS_IMPACT, 1);
      assert_close(a->impulse + b->impulse, 1 + e, 1e-12);
      assert_close(a->friction[0] + b->friction[0], -fmin(1, mu * (1 + e)), 1e-12);
      assert_int_equal(a->solutions, 1);
      ed_end(&one);
      ed_end(&two);
    }
  }
}

/* --- derivatives --- */

/* A particle over two floors at the same height. Those with a rate c go up as c (1 - cos t). */
typedef struct floors {
  double height[2], rate[2];
} floors;

static void move_floors(const dls_system *sys, double t, int order, double *s)
{
  const floors *x = sys->data;
  const double rise[] = {1 - cos(t), sin(t), cos(t)};
  for (size_t j = 0; j < 2; j++) {
    s[j] = -(order == 0 ? x->height[j] : 0) - x->rate[j] * rise[order];
  }
}

static void weigh(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = -g;
}

static dls_system *make_floors(floors *x)
{
  dls_system *sys = ed_masses(1, 2);
  dls_matrix_set(sys->H, 0, 0, 1);
  dls_matrix_set(sys->H, 0, 1, 1);
  sys->gap_motion = move_floors;
  sys->explicit_time = DLS_TIME_UNKNOWN;
  sys->load = weigh;
  sys->data = x;
  return sys;
}

/* It rests on both. If one of them rises with p, it rests on that one alone, or on the other one if that falls: the motion has no derivative. If
 * both rise, it has. */
DLS_TEST(floors_that_part_when_the_parameter_changes_have_no_derivative)
{
  static const struct {
    floors by_p;
    bool exists;
    double dq;
  } cases[] = {{{{0, 1}, {0, 0}}, false, NAN},
               {{{1, 1}, {0, 0}}, true, 1},
               {{{0, 0}, {1, 0}}, false, NAN},
               {{{0, 0}, {1, 1}}, true, 0.45969769413186023}};
  for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
    const bool backward = i % 2 == 1, exists = cases[i / 2].exists;
    const double h = 1e-3;
    floors x[3] = {{{0}, {0}}};
    for (size_t s = 1; s < 3; s++) {
      for (size_t j = 0; j < 2; j++) {
        x[s].height[j] = (s == 1 ? -h : h) * cases[i / 2].by_p.height[j];
        x[s].rate[j] = (s == 1 ? -h : h) * cases[i / 2].by_p.rate[j];
      }
    }
    dls_direction direction = {.name = "p", .count = 2, .weight = {-0.5 / h, 0.5 / h}};
    direction.system[0] = make_floors(&x[1]);
    direction.system[1] = make_floors(&x[2]);
    ed_run run = ed_start(make_floors(&x[0]), NULL);
    assert_ok(
        (backward ? dls_sim_differentiate_backward : dls_sim_differentiate)(run.sim, 1, &direction, &run.err),
        run.err);
    assert_ok(dls_run(run.sim, &(dls_run_spec){.end = 1}, &run.err), run.err);
    double dq = 0;
    assert_ok(dls_sim_gradient(run.sim, &(dls_functional){.of = DLS_OF_POSITION}, &dq, &run.err), run.err);
    const dls_tangent *tangent = &run.sim->sensitivity->tangent[0];
    if (tangent->status != (exists ? DLS_DERIVATIVE_OK : DLS_DERIVATIVE_DEGENERATE) ||
        (tangent->inconsistency > 0) == exists || (exists && !(fabs(dq - cases[i / 2].dq) < 1e-9))) {
      fail_msg("case %zu: status %s, inconsistency %g, dq %.17g", i,
               dls_derivative_status_name(tangent->status), tangent->inconsistency, dq);
    }
    assert_int_equal(isnan(dq), !exists && (i < 2 || !backward));
    if (!exists) {
      assert_int_equal(tangent->inconsistent, i < 2 ? 0 : 2);
      assert_close(tangent->inconsistency, 0.5, 1e-9);
    }
    ed_end(&run);
    dls_direction_release(&direction);
  }
}

/* A model that rests, with derivatives of its forces by one parameter. */
typedef struct rest {
  dls_model_choice choice;
  dls_direction direction;
  ed_run run;
} rest;

static void rest_until(rest *r, const char *model, const char *parameter, double end)
{
  r->choice = dls_test_model(model);
  r->run = ed_start(dls_test_system(model), NULL);
  dls_error *err = &r->run.err;
  assert_ok(dls_direction_create(r->choice.model, r->choice.parameters, parameter, &r->direction, err), *err);
  assert_ok(dls_sim_differentiate(r->run.sim, 1, &r->direction, err), *err);
  assert_ok(dls_sim_differentiate_forces(r->run.sim, err), *err);
  assert_ok(dls_run(r->run.sim, &(dls_run_spec){.end = end}, err), *err);
  assert_ok(r->run.sim->sensitivity->forces(r->run.sim, err), *err);
}

static void release(rest *r)
{
  ed_end(&r->run);
  dls_direction_release(&r->direction);
  dls_model_choice_release(&r->choice);
}

/* A block rests on a slope on two corners, and sticks. Normal forces are unique, tangential ones are not. */
DLS_TEST(forces_that_the_motion_does_not_determine_have_no_derivative)
{
  rest r;
  rest_until(&r, "block-column:rows=1,columns=1,alpha=0.3,mu=0.6", "g", 0.3);
  const dls_tangent *tangent = &r.run.sim->sensitivity->tangent[0];
  const double *lambda = tangent->forces;
  assert_true(tangent->redundant_forces);
  assert_int_equal(tangent->status, DLS_DERIVATIVE_OK);
  for (size_t j = 0; j < 2; j++) {
    assert_close(lambda[2 * j], r.run.sim->lambda[j] / g, 1e-9);
    assert_true(isnan(lambda[2 * j + 1]));
  }
  release(&r);
}

/* Frictionless boxes on four corners each: no normal force is unique, with one box, whose forces (1, -1, -1, 1) move nothing, and with more
 * than 100 contacts. */
DLS_TEST(normal_forces_of_many_corners_have_no_derivative)
{
  static const struct {
    const char *model;
    size_t contacts;
  } cases[] = {{"block-column:rows=1,columns=1,dim=3,mu=0", CORNERS},
               {"block-column:rows=6,columns=6,dim=3,mu=0", 36 * CORNERS}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rest r;
    rest_until(&r, cases[i].model, "m", 0.1);
    const dls_tangent *tangent = &r.run.sim->sensitivity->tangent[0];
    const dls_system *sys = r.run.sim->sys;
    size_t unique = 0;
    for (size_t j = 0; j < sys->m; j++) {
      unique += !isnan(tangent->forces[sys->d * j]);
    }
    assert_int_equal(sys->m, cases[i].contacts);
    assert_int_equal(unique, 0);
    assert_true(tangent->redundant_forces);
    assert_int_equal(tangent->status, DLS_DERIVATIVE_OK);
    release(&r);
  }
}

static void lift_the_second(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = F[1] = F[3] = 0;
  F[2] = 1;
}

/* Two particles that know nothing of each other. One is hit, which has one solution; the other slides with u_T = -1 over a floor that it
 * is about to leave, W = (1, -0.9; -0.9, 1), mu = 1.5 > W_NN/|W_NT|: no impulse, or P = (0.9, 1)/0.19, which stops it. */
DLS_TEST(impacts_count_their_solutions)
{
  for (int single = 0; single < 2; single++) {
    dls_system *sys = ed_masses(4, 2);
    sys->d = 2;
    sys->T = dls_matrix_dense(4, 2);
    sys->load = lift_the_second;
    dls_matrix_set(sys->H, 1, 0, 1);
    dls_matrix_set(sys->T, 0, 0, 1);
    dls_matrix_set(sys->H, 2, 1, 1);
    dls_matrix_set(sys->T, 2, 1, -0.9);
    dls_matrix_set(sys->T, 3, 1, sqrt(0.19));
    sys->mu[0] = 0.3;
    sys->mu[1] = single ? 1 : 1.5; /* 1 < 1/0.9: P_T = 1.11 P_N is out of reach */
    sys->v0[0] = 2;
    sys->v0[1] = -1;
    sys->v0[3] = -1 / sqrt(0.19);
    ed_run run = ed_system(sys, 0.1, NULL);
    const dls_event *impact = ed_event(&run, DLS_IMPACT, 0);
    assert_int_equal(impact->contact, 0);
    assert_close(impact->impulse, 1, 1e-14);
    assert_int_equal(impact->solutions, single ? 1 : 2);
    ed_end(&run);
  }
}

static void press_and_push(const dls_system *sys, double t, double *F)
{
  (void)t;
  memset(F, 0, sys->n * sizeof *F);
  F[0] = 3;
  F[1] = -1;
}

/* Those of five contacts are not counted: five particles hit the floor at once, of which four fly off. The first, whose slip the impact
 * stops, slides behind it under a push of three times its weight: that problem has one solution, mu = 1/2. */
DLS_TEST(where_those_of_an_impact_are_not_counted_it_has_the_solutions_of_the_forces_behind_it)
{
  enum { PARTICLES = 5 };
  dls_system *sys = ed_masses(2 * PARTICLES, PARTICLES);
  sys->d = 2;
  sys->T = dls_matrix_dense(2 * PARTICLES, PARTICLES);
  sys->load = press_and_push;
  for (size_t j = 0; j < PARTICLES; j++) {
    dls_matrix_set(sys->H, 2 * j + 1, j, 1);
    dls_matrix_set(sys->T, 2 * j, j, 1);
    sys->mu[j] = 0.5;
    sys->e[j] = j == 0 ? 0 : 1;
    sys->v0[2 * j + 1] = -5;
  }
  sys->v0[0] = 0.5;
  ed_run run = ed_system(sys, 0.1, NULL);
  const dls_event *impact = ed_event(&run, DLS_IMPACT, 0);
  assert_int_equal(impact->contact, 0);
  assert_close(impact->impulse, 5, 1e-13);
  assert_close(impact->friction[0], -0.5, 1e-13);
  assert_int_equal(impact->solutions, 1);
  assert_close(run.sim->v[0], 0.25, 1e-12); /* 3 - 1/2 */
  ed_end(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_on_a_slope_rests_or_slides),
      cmocka_unit_test(a_block_that_falls_flat_bounces_flat),
      cmocka_unit_test(two_contacts_at_one_point_are_as_one),
      cmocka_unit_test(impacts_count_their_solutions),
      cmocka_unit_test(floors_that_part_when_the_parameter_changes_have_no_derivative),
      cmocka_unit_test(forces_that_the_motion_does_not_determine_have_no_derivative),
      cmocka_unit_test(normal_forces_of_many_corners_have_no_derivative),
      cmocka_unit_test(where_those_of_an_impact_are_not_counted_it_has_the_solutions_of_the_forces_behind_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
