/* test_tangents.c -- derivatives of event-driven runs with respect to parameters, against closed forms, against values of 13 digits from
 * central differences of whole runs with 60 digits, and against differences of runs of this program.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "driven.h"
#include "tangent_run.h"
#include <gsl/gsl_rng.h>

extern const dls_model dls_model_two_ball_oscillator, dls_model_vibrating_table, dls_model_rope, dls_model_belt,
    dls_model_den_hartog, dls_model_forced_block, dls_model_cam_follower, dls_model_random_linear,
    dls_model_random_frictional, dls_model_pendulum_chain, dls_model_sphere, dls_model_bounce_slip,
    dls_model_woodpecker, dls_model_superball, dls_model_incline, dls_model_slider_crank_clearance,
    dls_model_bouncing_pendulum_cartesian, dls_model_bouncing_pendulum_natural, dls_model_spring_block,
    dls_model_elastic_block, dls_model_painleve_rod, dls_model_bead_column, dls_model_rigid_discs;
extern const dls_scheme dls_scheme_moreau_jean_adaptive;

enum { MOST = 8 };

/* --- values of 13 digits --- */

typedef struct reference {
  const dls_model *model;
  const char *settings[12];
  const char *by;
  double end, value[MOST]; /* dq, then dv */
} reference;

static const reference references[] = {
    {&dls_model_bouncing_ball, {NULL}, "q0", 2.25, {0.0625, 2.25}},
    {&dls_model_bouncing_ball, {NULL}, "v0", 2.25, {0, 1}},
    {&dls_model_bouncing_ball, {NULL}, "f", 2.25, {0, 1.125}},
    {&dls_model_bouncing_ball, {NULL}, "e", 2.25, {0.5, 6}},
    {&dls_model_impacting_oscillator, {NULL}, "q0", 5, {0.07091554636581, 0.2397310686658}},
    {&dls_model_impacting_oscillator, {NULL}, "k", 5, {0.5993276716645, -0.05742333158162}},
    {&dls_model_impacting_oscillator, {NULL}, "e", 5, {0.2836621854632, 0.9589242746631}},
#define SET_B                                                                                                  \
  {                                                                                                            \
    "m=1", "k=1e4", "l=1", "g=10", "R=0.2", "e=0.8", "q1=1.001", "q2=2.001", NULL                              \
  }
    {&dls_model_two_ball_oscillator,
     SET_B,
     "q1",
     1.2,
     {175.5493767136, 199.1393780151, 2063.84960077, 103.3317904939}},
    {&dls_model_two_ball_oscillator,
     SET_B,
     "e",
     1.2,
     {-82.11325195411, -92.86869408311, -979.6254534586, -35.11992247869}},
    {&dls_model_vibrating_table, {NULL}, "A", 0.5, {34.33079196275, 192.4896049382}},
    {&dls_model_vibrating_table, {NULL}, "phase", 0.5, {-0.8596881044975, -5.35027181509}},
    {&dls_model_vibrating_table, {NULL}, "e", 0.5, {1.178956901922, 6.904661185547}},
    {&dls_model_bouncing_pendulum, {NULL}, "q0", 1.5, {1.304738333036, 6.253558912454}},
    {&dls_model_bouncing_pendulum, {NULL}, "e", 1.5, {-2.899234937242, -9.297824294062}},
    {&dls_model_bouncing_pendulum, {NULL}, "hurdle", 1.5, {1.090066588596, 13.19545512724}},
    {&dls_model_rope,
     {"e=0.7", NULL},
     "l",
     1,
     {1.016809290901, -0.182465274011, 0.6575570197124, 5.08426428529}},
    {&dls_model_belt, {NULL}, "F", 3, {0.3630139400728, 0, 0.5867271592984, 0}},
    {&dls_model_belt, {NULL}, "vb", 3, {1.951466286578, 0, -0.4379261722588, 0}},
    {&dls_model_belt, {"Fs=1.5", NULL}, "Fs", 4.5, {0.9471880442158, 0, 0.3206786692232, 0}},
    {&dls_model_belt, {"Fs=1.5", NULL}, "q0", 4.5, {-0.5425730344527, 0, -1.098004782451, 0}},
    {&dls_model_den_hartog, {"v0=-0.1", NULL}, "F", 7.5, {-3.377130552198, 0, 0.9960947659289, 0}},
    {&dls_model_forced_block, {"v0=0.1", NULL}, "A", 4, {-0.226778264294, 0, -1.470945338162, 0}},
};
enum { REFERENCES = sizeof references / sizeof references[0] };

/* The largest error of the derivatives, relative to the largest. */
static double error_of(const reference *r, const char *const *options)
{
  double p[PARAMETERS], size = 0, worst = 0;
  tangent_run t;
  read_parameters(r->model, r->settings, p);
  prepare(&t, r->model, p, (const char *const[]){r->by, NULL}, options);
  advance_to(&t, r->end, NULL, NULL);
  const dls_tangent *tangent = tangent_of(&t, 0);
  const size_t n = t.run.sys->n;
  for (size_t i = 0; i < 2 * n; i++) {
    const double x = i < n ? tangent->dq[i] : tangent->dv[i - n];
    size = fmax(size, fabs(r->value[i]));
    worst = fmax(worst, fabs(x - r->value[i]));
  }
  /* F of the belt cannot rise alone: Fs, at least F, rises with it */
  const bool bound = r->model == &dls_model_belt && strcmp(r->by, "F") == 0;
  assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0),
                   bound ? DLS_DERIVATIVE_ONE_SIDED : DLS_DERIVATIVE_OK);
  release(&t);
  return worst / size;
}

/* Steps change with tol, and errors by a factor of three on either side of their mean. The masses of k = 1e4 N/m have the largest of them, 16 tol in
 * the mean. */
DLS_TEST(values_of_60_digits)
{
  enum { TOLS = 25 };
  for (size_t i = 0; i < REFERENCES; i++) {
    double sum = 0; /* of log(error / tol), from tol = 1e-5 to 1e-11 */
    for (int k = 0; k < TOLS; k++) {
      char text[40];
      const double tol = 1e-5 * pow(10, -6.0 * k / (TOLS - 1));
      snprintf(text, sizeof text, "tol=%.17g", tol);
      const double error = error_of(&references[i], (const char *const[]){text, NULL}) / tol;
      assert_between(error, 0, 60);
      sum += log(error);
    }
    assert_between(exp(sum / TOLS), 1e-7, 20);
    assert_between(error_of(&references[i], (const char *const[]){"tol=1e-12", NULL}), 0, 1e-9);
  }
}

/* The pendulum in the coordinates of its tip, and with joints of a rigid rod: dx = -l sin(phi) dphi, and 3/4 of it at its second point. */
DLS_TEST(all_coordinates_of_the_pendulum_have_them)
{
  static const struct {
    const char *by;
    double dphi;
  } angle[] = {{"q0", 1.304738333036}, {"e", -2.899234937242}, {"hurdle", 1.090066588596}};
  const double sine = 0.484623676243; /* of phi(1.5) */
  for (size_t k = 0; k < 6; k++) {
    const dls_model *model =
        k < 3 ? &dls_model_bouncing_pendulum_cartesian : &dls_model_bouncing_pendulum_natural;
    const double exact = (k < 3 ? -1 : -0.75) * sine * angle[k % 3].dphi;
    double p[PARAMETERS];
    tangent_run t;
    read_parameters(model, NULL, p);
    prepare(&t, model, p, (const char *const[]){angle[k % 3].by, NULL}, NULL);
    advance_to(&t, 1.5, NULL, NULL);
    assert_close(tangent_of(&t, 0)->dq[0], exact, 2e-8 * fabs(exact));
    release(&t);
  }
}

DLS_TEST(every_integrator_has_them)
{
  static const struct {
    const char *method;
    double error;
  } methods[] = {{"method=adams", 5e-9}, {"method=erk", 1e-7}, {"method=bdf", 5e-7}};
  for (size_t m = 0; m < 3; m++) {
    for (size_t i = m; i < REFERENCES; i += 3) {
      assert_between(error_of(&references[i], (const char *const[]){methods[m].method, NULL}), 0,
                     methods[m].error);
    }
  }
  for (size_t i = 0; i < REFERENCES; i++) {
    if (references[i].model == &dls_model_impacting_oscillator) {
      assert_between(error_of(&references[i], (const char *const[]){"method=flow", NULL}), 0, 1e-11);
    }
  }
}

DLS_TEST(the_run_itself_does_not_change)
{
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_belt, NULL, p);
  prepare(&t, &dls_model_belt, p, (const char *const[]){"vb", "k", NULL}, NULL);
  advance_to(&t, 5, NULL, NULL);
  ed_run alone = ed_system(ed_model(&dls_model_belt, NULL), 5, NULL);
  assert_int_equal(alone.traj->rows, t.run.traj->rows);
  assert_memory_equal(alone.traj->data, t.run.traj->data,
                      alone.traj->rows * alone.traj->columns * sizeof *alone.traj->data);
  assert_int_equal(alone.sim->work.force_evals, t.run.sim->work.force_evals);
  ed_end(&alone);
  release(&t);
}

/* --- invariants at events --- */

typedef struct seen {
  const tangent_run *run;
  size_t impacts, releases;
  double e, worst_determinant, worst_gap, worst_release, worst_row;
  int status;
} seen;

/* x^T M y */
static double product(const dls_system *sys, const double *x, const double *y)
{
  double My[MOST] = {0}, sum = 0;
  dls_matrix_multiply(sys->M, 1, y, My);
  for (size_t i = 0; i < sys->n; i++) {
    sum += x[i] * My[i];
  }
  return sum;
}

/* The symplectic form a^T J b = a_q^T M b_v - a_v^T M b_q, and the lengths of a and b. */
static double area(const dls_system *sys, const double *aq, const double *av, const double *bq,
                   const double *bv)
{
  return product(sys, aq, bv) - product(sys, av, bq);
}

static double length(const dls_system *sys, const double *q, const double *v)
{
  return sqrt(product(sys, q, q) + product(sys, v, v));
}

static dls_status at_impact(void *data, const dls_sim *sim, dls_error *err)
{
  seen *x = data;
  (void)err;
  if (!sim->jump || sim->v[0] == 0) { /* v = 0: the end of an accumulation */
    return DLS_OK;
  }
  const dls_system *sys = x->run->run.sys;
  for (size_t i = 0; i + 1 < x->run->count; i++) {
    const dls_tangent *a = tangent_of(x->run, i), *b = tangent_of(x->run, i + 1);
    const double before = area(sys, a->dq_left, a->dv_left, b->dq_left, b->dv_left),
                 after = area(sys, a->dq, a->dv, b->dq, b->dv);
    const double lengths = length(sys, a->dq_left, a->dv_left) * length(sys, b->dq_left, b->dv_left);
    x->worst_determinant = fmax(x->worst_determinant, fabs(after - x->e * x->e * before) / lengths);
  }
  const dls_tangent *first = tangent_of(x->run, 0);
  x->worst_gap = fmax(x->worst_gap, fabs(first->dq[0] + x->e * first->dq_left[0]) / fabs(first->dq_left[0]));
  x->impacts++;
  return DLS_OK;
}

/* det Xi = e^2, from the areas of two tangents, relative to their lengths; D g+ = -e D g-. */
DLS_TEST(impacts_multiply_areas_by_e_squared)
{
  static const struct {
    const dls_model *model;
    double end;
  } cases[] = {{&dls_model_bouncing_ball, 2.25},
               {&dls_model_impacting_oscillator, 20},
               {&dls_model_bouncing_pendulum, 1.5}};
  for (size_t i = 0; i < 3; i++) {
    for (double e = 0.3; e < 1.01; e += 0.35) {
      char setting[40];
      double p[PARAMETERS];
      tangent_run t;
      snprintf(setting, sizeof setting, "e=%.17g", e);
      read_parameters(cases[i].model, (const char *const[]){setting, NULL}, p);
      prepare(&t, cases[i].model, p, (const char *const[]){"q0", "v0", NULL}, NULL);
      seen x = {.run = &t, .e = e};
      advance_to(&t, cases[i].end, at_impact, &x);
      assert_true(x.impacts >= 1);
      assert_between(x.worst_determinant, 0, 1e-12);
      assert_between(x.worst_gap, 0, 1e-12);
      release(&t);
    }
  }
}

/* Xi^T J Xi = J of elastic impacts with a constant mass matrix, any number of degrees of freedom, straight and curved gaps: the form of
 * two neighbouring tangents of random initial data does not change. */
DLS_TEST(elastic_impacts_are_symplectic)
{
  static const struct {
    const dls_model *model;
    const char *by[4];
    double end;
    bool gap_is_first; /* g = q_0 + const */
  } cases[] = {{&dls_model_two_ball_oscillator, {"q1", "v2", "q2", NULL}, 0.9, true},
               {&dls_model_rope, {"x0", "vy0", "y0", NULL}, 2.5, false},
               {&dls_model_rigid_discs, {"x0", "vx1", "y1", NULL}, 9, false},
               {&dls_model_bouncing_pendulum, {"q0", "v0", NULL}, 1.5, false}};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int sample = 0; sample < 4; sample++) {
      double p[PARAMETERS];
      tangent_run t;
      read_parameters(cases[i].model, (const char *const[]){"e=1", NULL}, p);
      for (size_t k = 0; cases[i].by[k] != NULL; k++) {
        p[dls_option_find(cases[i].model->parameters, cases[i].by[k])] += 0.04 * gsl_rng_uniform(rng);
      }
      prepare(&t, cases[i].model, p, cases[i].by, NULL);
      seen x = {.run = &t, .e = 1};
      advance_to(&t, cases[i].end, at_impact, &x);
      assert_true(x.impacts >= 1);
      assert_between(x.worst_determinant, 0, 1e-12);
      assert_between(cases[i].gap_is_first ? x.worst_gap : 0, 0, 1e-12);
      release(&t);
    }
  }
  gsl_rng_free(rng);
}

static dls_status at_release(void *data, const dls_sim *sim, dls_error *err)
{
  seen *x = data;
  (void)err;
  const dls_tangent *a = tangent_of(x->run, 0);
  if (x->status == 1 && sim->status[0] == 0 && sim->p[0] == 0) {
    x->worst_release =
        fmax(x->worst_release, fmax(fabs(a->dq[0] - a->dq_left[0]), fabs(a->dv[0] - a->dv_left[0])));
    x->releases++;
  }
  x->status = sim->status[0];
  return DLS_OK;
}

DLS_TEST(lifting_off_changes_nothing)
{
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_cam_follower, (const char *const[]){"omega=25", NULL}, p);
  prepare(&t, &dls_model_cam_follower, p, (const char *const[]){"omega", NULL}, NULL);
  seen x = {.run = &t};
  advance_to(&t, 0.5, at_release, &x);
  assert_true(x.releases >= 1);
  assert_true(x.worst_release == 0);
  release(&t);
}

static dls_status on_plane(void *data, const dls_sim *sim, dls_error *err)
{
  seen *x = data;
  (void)sim;
  (void)err;
  const dls_tangent *a = tangent_of(x->run, 0);
  x->worst_row = fmax(x->worst_row, fmax(fabs(a->dq[1]), fabs(a->dv[1])));
  return DLS_OK;
}

DLS_TEST(closed_contacts_stay_closed_along_tangents)
{
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_incline, NULL, p);
  prepare(&t, &dls_model_incline, p, (const char *const[]){"alpha", NULL}, NULL);
  seen x = {.run = &t};
  advance_to(&t, 1, on_plane, &x);
  assert_between(x.worst_row, 0, 1e-10);
  release(&t);
}

/* The sleeve starts on the pole and slips. With an angular velocity v1 it comes off, or strikes the pole, and comes back by an impulse with
 * friction: the limit of runs has a derivative along M^-1 (n - s mu t). */
DLS_TEST(a_start_off_a_slipping_contact_comes_back_with_friction)
{
  static const char *const precise[] = {"tol=1e-12", NULL};
  const double delta = 1e-4, end = 0.1;
  double p[PARAMETERS], x[6] = {0};
  const int v1 = dls_option_find(dls_model_woodpecker.parameters, "v1");
  tangent_run t;
  read_parameters(&dls_model_woodpecker, NULL, p);
  prepare(&t, &dls_model_woodpecker, p, (const char *const[]){"v1", NULL}, precise);
  advance_to(&t, end, NULL, NULL);
  for (int side = -1; side <= 1; side += 2) {
    dls_system *sys = NULL;
    p[v1] = side * delta;
    assert_ok(dls_model_create(&dls_model_woodpecker, p, &sys, &t.run.err), t.run.err);
    ed_run run = ed_try(sys, end, precise);
    assert_ok(run.status, run.err);
    for (size_t i = 0; i < 3; i++) {
      x[i] += side / (2 * delta) * run.sim->q[i];
      x[3 + i] += side / (2 * delta) * run.sim->v[i];
    }
    ed_end(&run);
  }
  for (size_t i = 0; i < 3; i++) {
    assert_close(tangent_of(&t, 0)->dq[i] / x[i], 1, 2e-6);
    assert_close(tangent_of(&t, 0)->dv[i] / x[3 + i], 1, 2e-6);
  }
  assert_true(tangent_of(&t, 0)->projected > 1);
  release(&t);
}

/* --- accumulations --- */

/* Of the ball: the time of the end by q0, v0, e. It errs as the speed of the last impacts does. */
DLS_TEST(the_end_of_an_accumulation_moves_as_in_closed_form)
{
  static const double exact[] = {1.5, 0.5, 8};
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_bouncing_ball, NULL, p);
  prepare(&t, &dls_model_bouncing_ball, p, (const char *const[]){"q0", "v0", "e", NULL}, NULL);
  advance_to(&t, 5, NULL, NULL);
  for (size_t k = 0; k < 3; k++) {
    assert_close(tangent_of(&t, k)->dt / exact[k], 1, 1e-6);
    assert_true(tangent_of(&t, k)->dq[0] == 0 && tangent_of(&t, k)->dv[0] == 0);
    assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, k), DLS_DERIVATIVE_OK);
  }
  release(&t);
}

/* A ball that slips through all of its bounces moves as if it slipped on the floor all the time: x + mu z does not depend on h and e. */
DLS_TEST(slip_through_an_accumulation_has_the_closed_form)
{
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_bounce_slip, NULL, p);
  prepare(&t, &dls_model_bounce_slip, p, (const char *const[]){"h", "e", "mu", NULL}, NULL);
  advance_to(&t, 1.8, NULL, NULL);
  assert_int_equal(ed_count(&t.run, DLS_ACCUMULATION), 1);
  const double at = 1.8;
  const double by_h[] = {0.1, 0}, by_e[] = {0, 0}, by_mu[] = {1 - 9.81 * at * at / 2, -9.81 * at};
  const double *const exact[] = {by_h, by_e, by_mu};
  for (size_t k = 0; k < 3; k++) {
    assert_close(tangent_of(&t, k)->dq[0], exact[k][0], 1e-6);
    assert_close(tangent_of(&t, k)->dv[0], exact[k][1], 1e-6);
  }
  release(&t);
}

/* A column of beads falls onto the floor. Accumulations of one, two, ..., ten contacts follow one another. By gravity all times are those of
 * similarity, dt/dg = -t/(2 g). By e they agree with differences of the times of whole runs. */
DLS_TEST(accumulations_of_several_contacts_move_as_those_of_neighbours)
{
  const double step = 1e-5;
  const char *const options[] = {"tol=1e-12", NULL};
  double p[PARAMETERS];
  tangent_run t;
  ed_run beside[2];
  read_parameters(&dls_model_bead_column, (const char *const[]){"gap=0.1", "e=0.5", NULL}, p);
  prepare(&t, &dls_model_bead_column, p, (const char *const[]){"g", "e", NULL}, options);
  advance_to(&t, 0.6, NULL, NULL);
  for (size_t i = 0; i < 2; i++) {
    dls_system *sys = NULL;
    p[dls_option_find(dls_model_bead_column.parameters, "e")] = 0.5 + (i == 0 ? -step : step);
    assert_ok(dls_model_create(&dls_model_bead_column, p, &sys, &t.run.err), t.run.err);
    beside[i] = ed_try(sys, 0.6, options);
    assert_true(same_events(&beside[i], &t.run));
  }
  const dls_sensitivity *s = t.run.sim->sensitivity;
  size_t most = 0, members = 0;
  for (size_t i = 0; i < s->event_count; i++) {
    const dls_event *low = &beside[0].traj->events[i], *high = &beside[1].traj->events[i];
    members = i > 0 && s->event[i].t == s->event[i - 1].t ? members + 1 : 1;
    most = s->event[i].kind == DLS_ACCUMULATION && members > most ? members : most;
    if (s->event[i].t > 0) {
      assert_close(s->event_dt[2 * i] / (-s->event[i].t / (2 * 9.81)), 1, 5e-6);
      assert_close(s->event_dt[2 * i + 1], (high->t - low->t) / (2 * step), 5e-6);
    }
  }
  assert_int_equal(most, 10);
  ed_end(&beside[0]);
  ed_end(&beside[1]);
  release(&t);
}

/* --- against differences of whole runs --- */

/* Joints, moving supports, lift-off, scheduled jumps, impacts with friction, several contacts. */
DLS_TEST(models_agree_with_differences)
{
  static const struct {
    const dls_model *model;
    const char *settings[4], *by;
    double end, delta, error;
  } cases[] = {
      {&dls_model_cam_follower, {"omega=25", NULL}, "omega", 1, 1e-3, 1e-7},
      {&dls_model_cam_follower, {"omega=25", NULL}, "e", 1, 1e-4, 1e-7},
      {&dls_model_belt, {"t1=1", "vb1=0.3", NULL}, "t1", 2.5, 1e-4, 1e-7},
      {&dls_model_belt, {"t1=1", "vb1=0.3", NULL}, "vb1", 2.5, 1e-4, 1e-7},
      {&dls_model_bouncing_pendulum_cartesian, {NULL}, "e", 1.5, 1e-4, 1e-6},
      {&dls_model_bouncing_pendulum_natural, {NULL}, "e", 1.5, 1e-4, 1e-6},
      {&dls_model_superball, {"et=0.5", NULL}, "et", 2, 1e-4, 1e-7},
      {&dls_model_superball, {"mu=0.1", NULL}, "mu", 2, 1e-4, 1e-7},
      {&dls_model_woodpecker, {NULL}, "c", 0.1, 1e-6, 1e-5},
      {&dls_model_woodpecker, {NULL}, "mu", 0.1, 1e-5, 1e-5},
      {&dls_model_pendulum_chain, {"N=3", NULL}, "wall", 1, 1e-4, 1e-6},
      {&dls_model_spring_block, {NULL}, "F", 1, 1e-4, 1e-7},
      /* K q of a block that moves as a whole cancels, and so must its round-off */
      {&dls_model_elastic_block, {"nx=2", "ny=1", NULL}, "nu", 0.36, 1e-4, 1e-6},
      {&dls_model_elastic_block, {"nx=2", "ny=1", NULL}, "E", 0.36, 1, 1e-6},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double p[PARAMETERS];
    read_parameters(cases[i].model, cases[i].settings, p);
    const comparison c = compare(cases[i].model, p, cases[i].by, cases[i].delta, cases[i].end);
    if (!c.ok || !c.same || !(c.error <= cases[i].error)) {
      fail_msg("%s by %s: status %s, same events %d, error %.3g", cases[i].model->name, cases[i].by, c.text,
               c.same, c.error);
    }
  }
}

/* Share of random systems whose derivative exists and whose neighbours have the same events; there they agree. Most of them pass
 * accumulations of one or more contacts. */
static void compare_random(const dls_model *model, const char *const *settings, const char *const *by,
                           int seeds)
{
  int agree = 0, refused = 0;
  for (int seed = 1; seed <= seeds; seed++) {
    double p[PARAMETERS];
    read_parameters(model, settings, p);
    p[dls_option_find(model->parameters, "seed")] = seed;
    const comparison c = compare(model, p, by[seed % 3], 1e-5, 1);
    refused += !c.ok;
    if (c.ok && c.same) {
      if (!(c.error <= 3e-6)) {
        fail_msg("%s, seed %d, by %s: error %.3g", model->name, seed, by[seed % 3], c.error);
      }
      agree++;
    }
  }
  assert_between((double)agree / seeds, 0.8, 1);
  assert_between((double)refused / seeds, 0, 0.2);
}

DLS_TEST(random_systems_without_friction_agree_with_differences)
{
  compare_random(&dls_model_random_linear, (const char *const[]){"m=3", NULL},
                 (const char *const[]){"e", "damping", "omega"}, DLS_TEST_CASES(20, 10));
}

DLS_TEST(random_systems_with_friction_agree_with_differences)
{
  compare_random(&dls_model_random_frictional, (const char *const[]){"surface=0.3", NULL},
                 (const char *const[]){"e", "mu", "omega"}, DLS_TEST_CASES(20, 10));
}

/* Tangents without force, whose surface moves: an impact of one contact read its rest of a force there. */
DLS_TEST(random_systems_with_tangents_without_friction_agree_with_differences)
{
  compare_random(&dls_model_random_frictional,
                 (const char *const[]){"surface=0.3", "mu=0", "amplitude=0", NULL},
                 (const char *const[]){"e", "damping", "e"}, 10);
}

/* --- where there is no derivative --- */

/* The oscillator that rests at q0 = 2.4 + eta grazes: sqrt(eta) d v/d q0 has a limit, and the radius shrinks with eta. */
DLS_TEST(a_graze_has_a_radius)
{
  static const struct {
    const char *q0;
    double eta, product;
  } cases[] = {{"q0=2.4001", 1e-4, 0.359890}, {"q0=2.400001", 1e-6, 0.378800}};
  for (size_t i = 0; i < 2; i++) {
    double p[PARAMETERS];
    tangent_run t;
    read_parameters(&dls_model_impacting_oscillator, (const char *const[]){"f=1.2", "e=0.6", cases[i].q0, NULL},
                    p);
    prepare(&t, &dls_model_impacting_oscillator, p, (const char *const[]){"q0", NULL}, NULL);
    advance_to(&t, 4.4, NULL, NULL);
    const dls_tangent *tangent = tangent_of(&t, 0);
    assert_close(sqrt(cases[i].eta) * tangent->dv[0], cases[i].product, 1e-5);
    assert_close(tangent->valid_within / cases[i].eta, 1, 1e-3);
    assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0),
                     i == 0 ? DLS_DERIVATIVE_OK : DLS_DERIVATIVE_GRAZING);
    release(&t);
  }
}

/* Two walls struck at the same time. At a right angle the impacts do not act on each other, and each coordinate is a ball. */
DLS_TEST(impacts_at_the_same_time_have_a_derivative_if_they_are_independent)
{
  double p[PARAMETERS];
  tangent_run t;
  static const char *const independent[] = {"cosine=0", "f1=-2", "f2=-2", "g1=1", "g2=1", NULL};
  static const double exact[2][4] = {{0.25, 0, 1.5, 0}, {1, 1, 2, 2}};
  static const char *const coupled[] = {"cosine=0.3", "f1=-2", "f2=-2", "g1=1", "g2=1", NULL};
  read_parameters(&dls_model_wedge, independent, p);
  prepare(&t, &dls_model_wedge, p, (const char *const[]){"g1", "e", NULL}, NULL);
  advance_to(&t, 1.5, NULL, NULL);
  for (size_t k = 0; k < 2; k++) {
    const dls_tangent *tangent = tangent_of(&t, k);
    const double x[] = {tangent->dq[0], tangent->dq[1], tangent->dv[0], tangent->dv[1]};
    assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, k), DLS_DERIVATIVE_OK);
    for (size_t i = 0; i < 4; i++) {
      assert_close(x[i], exact[k][i], 1e-10);
    }
  }
  release(&t);
  read_parameters(&dls_model_wedge, coupled, p);
  prepare(&t, &dls_model_wedge, p, (const char *const[]){"g1", NULL}, NULL);
  advance_to(&t, 1.5, NULL, NULL);
  assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0), DLS_DERIVATIVE_DISCONTINUOUS);
  assert_true(isnan(tangent_of(&t, 0)->dq[0]) && isnan(tangent_of(&t, 0)->dv[1]));
  release(&t);
}

/* At its bounds a parameter has neighbours on one side: e = 0 of a ball that lands. */
DLS_TEST(bounds_give_one_sided_derivatives)
{
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_bouncing_ball, (const char *const[]){"e=1", NULL}, p);
  prepare(&t, &dls_model_bouncing_ball, p, (const char *const[]){"e", NULL}, NULL);
  advance_to(&t, 1.5, NULL, NULL);
  assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0), DLS_DERIVATIVE_ONE_SIDED);
  assert_close(tangent_of(&t, 0)->dq[0], 1, 1e-9); /* q = e V (T - 1) - (T - 1)^2, V = 2 */
  assert_close(tangent_of(&t, 0)->dv[0], 2, 1e-9);
  release(&t);
}

static double place_at(const dls_model *model, const double *p, double end)
{
  dls_system *sys = NULL;
  dls_error err = {0};
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  ed_run run = ed_try(sys, end, (const char *const[]){"tol=1e-12", NULL});
  const double q = run.sim->q[0];
  assert_ok(run.status, run.err);
  ed_end(&run);
  return q;
}

/* At e = 0 a contact that lands gives back 2 e u-, and lacks its force for as long. A ball slips as if it slid on the floor all the
 * time; the sleeve of the woodpecker also lands and opens at once. */
DLS_TEST(landings_have_the_derivative_for_rising_e)
{
  static const struct {
    const dls_model *model;
    const char *settings[2], *by;
    double end;
  } cases[] = {{&dls_model_bounce_slip, {"e=0", NULL}, "e", 1.01},
               {&dls_model_woodpecker, {NULL}, "e2", 0.13},
               {&dls_model_woodpecker, {NULL}, "e3", 0.13}};
  for (size_t i = 0; i < 3; i++) {
    const double e = 1e-4;
    double p[PARAMETERS];
    tangent_run t;
    read_parameters(cases[i].model, cases[i].settings, p);
    prepare(&t, cases[i].model, p, (const char *const[]){cases[i].by, NULL}, NULL);
    advance_to(&t, cases[i].end, NULL, NULL);
    assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0), DLS_DERIVATIVE_ONE_SIDED);
    const double at = place_at(cases[i].model, p, cases[i].end);
    p[dls_option_find(cases[i].model->parameters, cases[i].by)] = e;
    const double difference = (place_at(cases[i].model, p, cases[i].end) - at) / e;
    assert_close(tangent_of(&t, 0)->dq[0], i == 0 ? 0 : difference, i == 0 ? 1e-9 : 2e-3 * fabs(difference));
    assert_between(fabs(difference), 0, i == 0 ? 1e-6 : 1e-3);
    release(&t);
  }
}

/* A support that drops at t = 1 under a mass, with the time stated and without; by the weight. */
DLS_TEST(a_jump_at_a_time_that_is_not_stated_is_degenerate)
{
  static const dls_driven_knowledge known[] = {DLS_DRIVEN_BOUNDS, DLS_DRIVEN_CALLBACK};
  for (size_t k = 0; k < 2; k++) {
    dls_driven mass = {.weight = 9.81, .jump_at = 1, .jump = -0.5, .knowledge = known[k]};
    tangent_run t = {.count = 1};
    dls_direction *weight = &t.direction[0];
    *weight = (dls_direction){.name = "weight", .value = mass.weight, .count = 2, .weight = {-50, 50}};
    t.run = ed_start(dls_test_driven(&mass), NULL);
    for (size_t i = 0; i < 2; i++) {
      mass.weight = weight->value + (i == 0 ? -0.01 : 0.01);
      weight->system[i] = dls_test_driven(&mass);
    }
    assert_ok(dls_sim_differentiate(t.run.sim, 1, weight, &t.run.err), t.run.err);
    advance_to(&t, 1.25, NULL, NULL);
    const dls_tangent *tangent = tangent_of(&t, 0);
    if (k == 0) { /* q = -w (T - 1)^2 / 2 */
      assert_int_equal(tangent->status, DLS_DERIVATIVE_OK);
      assert_close(tangent->dq[0], -0.03125, 1e-11);
      assert_close(tangent->dv[0], -0.25, 1e-11);
      assert_true(tangent->dt == 0);
    } else {
      assert_int_equal(tangent->status, DLS_DERIVATIVE_DEGENERATE);
      assert_close(tangent->status_time, 1, 1e-9);
      assert_true(tangent->status_contact == SIZE_MAX);
      assert_true(isnan(tangent->dq[0]) && isnan(tangent->dv[0]) && isnan(tangent->dt));
    }
    release(&t);
  }
}

/* Towards a Painleve paradox tangents grow without bound, and at the impulse of the paradox they end. The motion continues. */
DLS_TEST(tangents_end_at_a_painleve_paradox)
{
  double p[PARAMETERS], energy = 0;
  tangent_run t;
  read_parameters(&dls_model_painleve_rod,
                  (const char *const[]){"mu=2", "theta0=0.5235987755982988", "omega0=2", "ut0=-10", NULL}, p);
  prepare(&t, &dls_model_painleve_rod, p, (const char *const[]){"mu", "omega0", NULL},
          (const char *const[]){"painleve=impact", NULL});
  advance_to(&t, 0.2, NULL, NULL);
  for (size_t k = 0; k < 2; k++) {
    assert_int_equal(tangent_of(&t, k)->status, DLS_DERIVATIVE_DEGENERATE);
    assert_between(tangent_of(&t, k)->status_time, 0.05414, 0.054145);
    assert_true(isnan(tangent_of(&t, k)->dq[0]));
    assert_ok(dls_sensitivity_energy(t.run.sim, k, &energy, &t.run.err), t.run.err);
    assert_true(isnan(energy));
  }
  assert_close(t.run.sim->t, 0.2, 0);
  release(&t);
}

/* --- contacts at rest without force --- */

/* The ball without load, at rest on the floor from the start, or behind a plastic impact. Lifted it flies, pressed it stays. */
DLS_TEST(contacts_without_force_are_degenerate)
{
  static const char
      *const methods[] = {"method=adams", "method=bdf", "method=erk", "method=auto", "method=flow"},
             *const start[] = {"f=0", "q0=0", NULL}, *const landing[] = {"f=0", "q0=1", "v0=-1", "e=0", NULL};
  for (size_t i = 0; i < 10; i++) {
    double p[PARAMETERS];
    tangent_run t;
    read_parameters(&dls_model_bouncing_ball, i % 2 == 0 ? start : landing, p);
    prepare(&t, &dls_model_bouncing_ball, p, (const char *const[]){"f", "e", NULL},
            (const char *const[]){methods[i / 2], NULL});
    advance_to(&t, 1.5, NULL, NULL);
    assert_int_equal(tangent_of(&t, 0)->status, DLS_DERIVATIVE_DEGENERATE);
    assert_int_equal(tangent_of(&t, 0)->status_contact, 0);
    assert_close(tangent_of(&t, 0)->status_time, (double)(i % 2), 1e-9);
    assert_true(isnan(tangent_of(&t, 0)->dv[0]));
    assert_true(tangent_of(&t, 1)->status <= DLS_DERIVATIVE_ONE_SIDED); /* e = 0 is a bound */
    assert_true(tangent_of(&t, 1)->dv[0] == 0);
    release(&t);
  }
}

/* A load on one mass; mass 0 has a weight, or a force that grows with a power of t. */
typedef struct pressed {
  double load, weight, power;
  size_t mass;
} pressed;

static void press(const dls_system *sys, double t, double *F)
{
  const pressed *x = sys->data;
  F[0] = F[1] = 0;
  F[x->mass] = x->load;
  F[0] -= x->power > 0 ? pow(t, x->power) : x->weight;
}

/* friction: mass 0 is the normal coordinate of a block and mass 1 the tangential one; else mass 1 lies on mass 0, which lies on the floor. */
static dls_system *make_pressed(pressed *x, bool friction)
{
  dls_system *sys = ed_masses(2, friction ? 1 : 2);
  dls_matrix_set(sys->H, 0, 0, 1);
  if (friction) {
    sys->d = 2;
    sys->T = dls_matrix_dense(2, 1);
    dls_matrix_set(sys->T, 1, 0, 1);
    sys->mu[0] = 0.5;
  } else {
    dls_matrix_set(sys->H, 0, 1, -1);
    dls_matrix_set(sys->H, 1, 1, 1);
  }
  sys->load = press;
  sys->explicit_time = DLS_TIME_UNKNOWN;
  sys->data = x;
  return sys;
}

/* Two masses that lie on each other, of which the lower one alone has a weight, and a block with friction that nothing presses. Forces that pass
 * zero with a slope, or only touch it, leave the derivative. */
DLS_TEST(contacts_without_force_among_others_are_degenerate)
{
  static const struct {
    pressed load;
    bool friction;
    size_t contact; /* SIZE_MAX: the derivative exists */
  } cases[] = {{{.weight = 1, .mass = 1}, false, 1},
               {{.weight = 1, .mass = 0}, false, SIZE_MAX},
               {{.mass = 0}, true, 0},
               {{.mass = 1}, true, 0},
               {{.weight = 1, .mass = 1}, true, SIZE_MAX},
               {{.power = 1, .mass = 0}, true, SIZE_MAX},
               {{.power = 2, .mass = 0}, true, SIZE_MAX}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pressed x[3] = {cases[i].load, cases[i].load, cases[i].load};
    tangent_run t = {.count = 1};
    x[1].load -= 1e-3;
    x[2].load += 1e-3;
    t.direction[0] = (dls_direction){.name = "load", .count = 2, .weight = {-500, 500}};
    t.direction[0].system[0] = make_pressed(&x[1], cases[i].friction);
    t.direction[0].system[1] = make_pressed(&x[2], cases[i].friction);
    t.run = ed_start(make_pressed(&x[0], cases[i].friction), NULL);
    assert_ok(dls_sim_differentiate(t.run.sim, 1, t.direction, &t.run.err), t.run.err);
    advance_to(&t, 1, NULL, NULL);
    const dls_tangent *tangent = tangent_of(&t, 0);
    const bool exists = cases[i].contact == SIZE_MAX;
    if (tangent->status != (exists ? DLS_DERIVATIVE_OK : DLS_DERIVATIVE_DEGENERATE) ||
        tangent->status_contact != cases[i].contact || isnan(tangent->dv[0]) == exists) {
      fail_msg("case %zu: status %s, dv %g", i, dls_derivative_status_name(tangent->status), tangent->dv[0]);
    }
    release(&t);
  }
}

/* --- refusals --- */

DLS_TEST(what_has_no_derivative_is_refused)
{
  dls_error err = {0};
  dls_direction direction, other;
  dls_sim *sim = NULL;
  dls_system *sys = ed_model(&dls_model_bouncing_ball, NULL);
  assert_int_equal(dls_direction_create(&dls_model_bouncing_ball, NULL, "height", &direction, &err),
                   DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "q0"));
  assert_int_equal(dls_direction_create(&dls_model_random_linear, NULL, "n", &direction, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "separate values"));
  assert_ok(dls_direction_create(&dls_model_bouncing_ball, NULL, "e", &direction, &err), err);
  assert_ok(dls_direction_create(&dls_model_wedge, NULL, "e", &other, &err), err);
  assert_ok(dls_sim_create(sys, &dls_scheme_moreau_jean_adaptive, &sim, &err), err);
  assert_int_equal(dls_sim_differentiate(sim, 1, &direction, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "event-driven"));
  dls_sim_destroy(sim);
  assert_ok(dls_sim_create(sys, &dls_scheme_event_driven, &sim, &err), err);
  assert_int_equal(dls_sim_differentiate(sim, 1, &other, &err), DLS_ERR_ARG);
  assert_ok(dls_sim_differentiate(sim, 1, &direction, &err), err);
  assert_int_equal(dls_sim_differentiate(sim, 1, &direction, &err), DLS_ERR_ARG);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  dls_direction_release(&direction);
  dls_direction_release(&other);
}

/* --- stated derivatives of gaps --- */

/* A bead of mass 1 above the parabola y = p x^2/2, which it lands on: g = y - p x^2/2. */
static void bead_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys;
  (void)t;
  (void)q;
  (void)v;
  F[0] = 0;
  F[1] = -9.81;
}

static void bead_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  g[0] = q[1] - 0.5 * *(const double *)sys->data * q[0] * q[0];
}

static void bead_gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  dls_matrix_set(H, 0, 0, -*(const double *)sys->data * q[0]);
  dls_matrix_set(H, 1, 0, 1);
}

static void bead_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)t;
  (void)q;
  c[0] = -*(const double *)sys->data * v[0] * v[0];
}

static bool bead_by_parameter(const dls_system *sys, const char *name, dls_by_parameter *out)
{
  (void)sys;
  (void)name;
  out->g[0] = -0.5 * out->q[0] * out->q[0];
  return true;
}

static dls_system *make_bead(double *p, double speed)
{
  dls_system *sys = ed_masses(2, 1);
  sys->linear = false;
  sys->force = bead_force;
  sys->gap = bead_gap;
  sys->gradient = bead_gradient;
  sys->curvature = bead_curvature;
  sys->by_parameter = bead_by_parameter;
  sys->explicit_time = DLS_TIME_NONE;
  sys->data = p;
  sys->q0[0] = sys->q0[1] = 1;
  sys->v0[0] = speed;
  return sys;
}

/* D g and D u as it lands: from then on the bead is on the parabola, in neighbouring runs too. */
static dls_status watch_landing(void *data, const dls_sim *sim, dls_error *err)
{
  const dls_tangent *d = &sim->sensitivity->tangent[0];
  const double p = *(const double *)sim->sys->data, x = sim->q[0], dx = d->dq[0];
  double *worst = data;
  (void)err;
  if (*worst == 0 && sim->jump) { /* u = v_y - p x v_x */
    *worst = fmax(fabs(d->dq[1] - p * x * dx - 0.5 * x * x),
                  fabs(d->dv[1] - p * x * d->dv[0] - p * dx * sim->v[0] - x * sim->v[0]));
  }
  return DLS_OK;
}

/* Neighbours are 1e-3 of p away, so that differences along p would err by 1e-6; what the system states leaves rounding. */
DLS_TEST(stated_derivatives_of_gaps_are_projected)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (int trial = 0; trial < 10; trial++) {
    const double value = 0.5 + gsl_rng_uniform(rng), speed = gsl_rng_uniform(rng);
    double p[3] = {value, value - 1e-3, value + 1e-3}, worst = 0;
    dls_error err = {0};
    tangent_run t = {.count = 1};
    t.direction[0] = (dls_direction){.name = "p", .value = value, .count = 2, .weight = {-500, 500}};
    t.direction[0].system[0] = make_bead(&p[1], speed);
    t.direction[0].system[1] = make_bead(&p[2], speed);
    t.run = ed_start(make_bead(&p[0], speed), NULL);
    assert_ok(dls_sim_differentiate(t.run.sim, 1, t.direction, &err), err);
    advance_to(&t, 0.5, watch_landing, &worst);
    assert_between(worst, 0x1p-60, 1e-11);
    release(&t);
  }
  gsl_rng_free(rng);
}

/* --- values that are not finite --- */

/* F = t; NaN from sys->data on. */
static void load_up_to(const dls_system *sys, double t, double *F)
{
  F[0] = t < *(const double *)sys->data ? t : NAN;
}

static dls_system *make_loaded(double *until, double k)
{
  dls_system *sys = ed_masses(1, 0);
  sys->K = dls_matrix_dense(1, 1);
  dls_matrix_set(sys->K, 0, 0, k);
  sys->load = load_up_to;
  sys->explicit_time = DLS_TIME_UNKNOWN;
  sys->data = until;
  return sys;
}

/* Of a neighbouring value of the parameter the load, or the stiffness, is NaN, while the run is finite: no rule passes it on. */
DLS_TEST(a_derivative_that_is_not_finite_ends_the_run)
{
  static const char *const methods[] = {"method=auto", "method=adams", "method=erk", "method=bdf"};
  for (size_t i = 0; i < 8; i++) {
    const bool stiff = i % 2 == 1;
    double always = HUGE_VAL, until = stiff ? HUGE_VAL : 0.5;
    dls_error err = {0};
    tangent_run t = {.count = 1};
    t.direction[0] = (dls_direction){.name = "k", .value = 1, .count = 2, .weight = {-500, 500}};
    t.direction[0].system[0] = make_loaded(&always, 1 - 1e-3);
    t.direction[0].system[1] = make_loaded(&until, stiff ? NAN : 1 + 1e-3);
    t.run = ed_start(make_loaded(&always, 1), (const char *const[]){methods[i / 2], NULL});
    assert_ok(dls_sim_differentiate(t.run.sim, 1, t.direction, &err), err);
    assert_int_equal(dls_run(t.run.sim, &(dls_run_spec){.end = 1}, &err), DLS_ERR_NONFINITE);
    assert_non_null(strstr(err.text, "the derivative by k: that of the acceleration is not finite at t = "));
    release(&t);
  }
}

/* --- the energy --- */

DLS_TEST(the_energy_has_the_derivative_of_the_closed_form)
{
  static const double exact[] = {2, 0}; /* E = f (-q0) + 0 before the impact: by q0, and by e */
  double p[PARAMETERS], out = 0;
  tangent_run t;
  dls_error err = {0};
  read_parameters(&dls_model_bouncing_ball, NULL, p);
  prepare(&t, &dls_model_bouncing_ball, p, (const char *const[]){"q0", "e", NULL}, NULL);
  advance_to(&t, 0.5, NULL, NULL);
  for (size_t k = 0; k < 2; k++) {
    assert_ok(dls_sensitivity_energy(t.run.sim, k, &out, &err), err);
    assert_close(out, exact[k], 1e-10);
  }
  release(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_of_60_digits),
      cmocka_unit_test(all_coordinates_of_the_pendulum_have_them),
      cmocka_unit_test(every_integrator_has_them),
      cmocka_unit_test(the_run_itself_does_not_change),
      cmocka_unit_test(impacts_multiply_areas_by_e_squared),
      cmocka_unit_test(elastic_impacts_are_symplectic),
      cmocka_unit_test(lifting_off_changes_nothing),
      cmocka_unit_test(closed_contacts_stay_closed_along_tangents),
      cmocka_unit_test(a_start_off_a_slipping_contact_comes_back_with_friction),
      cmocka_unit_test(the_end_of_an_accumulation_moves_as_in_closed_form),
      cmocka_unit_test(slip_through_an_accumulation_has_the_closed_form),
      cmocka_unit_test(accumulations_of_several_contacts_move_as_those_of_neighbours),
      cmocka_unit_test(models_agree_with_differences),
      cmocka_unit_test(random_systems_without_friction_agree_with_differences),
      cmocka_unit_test(random_systems_with_friction_agree_with_differences),
      cmocka_unit_test(random_systems_with_tangents_without_friction_agree_with_differences),
      cmocka_unit_test(a_graze_has_a_radius),
      cmocka_unit_test(impacts_at_the_same_time_have_a_derivative_if_they_are_independent),
      cmocka_unit_test(bounds_give_one_sided_derivatives),
      cmocka_unit_test(landings_have_the_derivative_for_rising_e),
      cmocka_unit_test(a_jump_at_a_time_that_is_not_stated_is_degenerate),
      cmocka_unit_test(tangents_end_at_a_painleve_paradox),
      cmocka_unit_test(contacts_without_force_are_degenerate),
      cmocka_unit_test(contacts_without_force_among_others_are_degenerate),
      cmocka_unit_test(what_has_no_derivative_is_refused),
      cmocka_unit_test(stated_derivatives_of_gaps_are_projected),
      cmocka_unit_test(a_derivative_that_is_not_finite_ends_the_run),
      cmocka_unit_test(the_energy_has_the_derivative_of_the_closed_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
