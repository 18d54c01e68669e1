/* test_tangent_sides.c -- where derivatives differ for rising and falling parameters: both limits and both derivatives, against closed forms
 * and against runs on either side.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tangent_run.h"
#include <gsl/gsl_rng.h>

extern const dls_model dls_model_incline, dls_model_bounce_slip, dls_model_slider_crank_clearance;

static double between(gsl_rng *rng, double low, double high)
{
  return low + (high - low) * gsl_rng_uniform(rng);
}

/* --- impacts at the same time --- */

typedef struct corner {
  double cosine, e, f, g, t; /* both walls are struck at t, from rest */
} corner;

static void set_corner(const corner *c, double *p)
{
  const struct {
    const char *name;
    double value;
  } values[] = {{"m", 1},    {"cosine", c->cosine}, {"f1", -c->f}, {"f2", -c->f},
                {"e", c->e}, {"g1", c->g},          {"g2", c->g}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    p[dls_option_find(dls_model_wedge.parameters, values[i].name)] = values[i].value;
  }
}

/* v, and the derivatives carried back to t, of a run whose parameter is moved by delta; just behind its impacts. */
static void run_beside(const corner *c, const char *by, double delta, double v[2], double x[4])
{
  double p[PARAMETERS];
  const double after = 1e-3;
  const int which = dls_option_find(dls_model_wedge.parameters, by);
  tangent_run t;
  read_parameters(&dls_model_wedge, NULL, p);
  set_corner(c, p);
  p[which] += delta;
  prepare(&t, &dls_model_wedge, p, (const char *const[]){by, NULL}, NULL);
  advance_to(&t, c->t + after, NULL, NULL);
  const dls_tangent *tangent = tangent_of(&t, 0);
  assert_int_equal(tangent->status, DLS_DERIVATIVE_OK);
  for (size_t i = 0; i < 2; i++) { /* a and its derivative are constant, and small beside dv */
    v[i] = t.run.sim->v[i] - after * t.run.sim->a[i];
    x[i] = tangent->dq[i] - after * tangent->dv[i];
    x[2 + i] = tangent->dv[i];
  }
  release(&t);
}

/* Impacts one after the other, of walls struck with speed 1: each changes the other u by cosine (1 + e) |u-|. */
static size_t impacts_of(const corner *c)
{
  double first = -1, second = -1;
  size_t count = 0;
  while (first < 0) {
    const double other = second - c->cosine * (1 + c->e) * first;
    second = -c->e * first;
    first = other; /* the next to be struck */
    count++;
  }
  return count;
}

/* A mass in a corner that strikes both walls at once. */
DLS_TEST(both_limits_of_impacts_that_interact_are_those_of_runs_beside)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 17);
  for (int trial = 0; trial < 20; trial++) {
    corner c = {.cosine = (trial % 2 == 0 ? 1 : -1) * between(rng, 0.1, 0.45),
                .e = between(rng, 0.4, 0.9),
                .f = between(rng, 1, 3),
                .g = between(rng, 0.5, 1.5)};
    c.t = sqrt(2 * c.g / c.f);
    const char *by = trial % 4 < 2 ? "g1" : "g2";
    double p[PARAMETERS];
    tangent_run t;
    read_parameters(&dls_model_wedge, NULL, p);
    set_corner(&c, p);
    prepare(&t, &dls_model_wedge, p, (const char *const[]){by, NULL}, NULL);
    advance_to(&t, c.t + 0.01, NULL, NULL);
    const dls_tangent *tangent = tangent_of(&t, 0);
    assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0), DLS_DERIVATIVE_DISCONTINUOUS);
    assert_true(isnan(tangent->dq[0]) && isnan(tangent->dv[1]) &&
                isnan(dls_sensitivity_expected_error(t.run.sim, 0)));
    for (size_t i = 0; i < 2; i++) {
      const dls_side *side = &tangent->side[i];
      double v[2], x[4];
      run_beside(&c, by, i == 0 ? -1e-6 : 1e-6, v, x);
      assert_true(side->known);
      assert_int_equal(side->impacts, impacts_of(&c));
      assert_int_equal(side->contact[0], (i == 0) == (strcmp(by, "g1") == 0) ? 0 : 1); /* the nearer wall */
      for (size_t j = 0; j < 2; j++) {
        assert_close(side->v[j], v[j], 1e-4);
        assert_close(side->dq[j], x[j], 2e-2);
        assert_close(side->dv[j], x[2 + j], 2e-2 * fmax(1, fabs(x[2 + j])));
      }
    }
    release(&t);
  }
  gsl_rng_free(rng);
}

/* Along e both walls stay struck at once; so does the motion with other e. */
DLS_TEST(impacts_that_stay_simultaneous_have_a_derivative)
{
  double p[PARAMETERS];
  const corner c = {.cosine = 0.3, .e = 0.6, .f = 2, .g = 1};
  read_parameters(&dls_model_wedge, NULL, p);
  set_corner(&c, p);
  const comparison e = compare(&dls_model_wedge, p, "e", 1e-4, 1.5);
  assert_true(e.ok && e.same);
  assert_between(e.error, 0, 1e-8);
}

/* A slider whose both corners strike its guide flat, again and again: their times of impact move alike, up to errors that grow like 1/u. */
DLS_TEST(corners_that_strike_flat_have_a_derivative_at_every_rebound)
{
  double p[PARAMETERS];
  read_parameters(&dls_model_slider_crank_clearance, NULL, p);
  const comparison e = compare(&dls_model_slider_crank_clearance, p, "e", 1e-5, 0.0087);
  assert_true(e.ok && e.same);
  assert_between(e.error, 0, 1e-6);
}

/* The derivative of the integral of the energy up to 1.5, at a distance g1 moved by delta. */
static double energy_beside(const corner *c, double delta, bool falling)
{
  double p[PARAMETERS], out = 0;
  tangent_run t;
  read_parameters(&dls_model_wedge, NULL, p);
  set_corner(c, p);
  p[dls_option_find(dls_model_wedge.parameters, "g1")] += delta;
  prepare(&t, &dls_model_wedge, p, (const char *const[]){"g1", NULL}, NULL);
  t.direction[0].falling = falling;
  assert_ok(dls_sim_differentiate_integrals(t.run.sim, &t.run.err), t.run.err);
  advance_to(&t, 1.5, NULL, NULL);
  const dls_functional J = {.of = DLS_OF_ENERGY, .integral = true};
  assert_ok(dls_sim_gradient(t.run.sim, &J, &out, &t.run.err), t.run.err);
  release(&t);
  return out;
}

/* In an acute corner with e = 0 each impact takes its own part of the energy, at its own time: both sides are those of runs beside. */
DLS_TEST(the_integral_of_the_energy_has_the_order_of_impacts)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 59);
  for (int trial = 0; trial < 6; trial++) {
    const corner c = {
        .cosine = -between(rng, 0.1, 0.6), .f = between(rng, 1.5, 2.5), .g = between(rng, 0.7, 1.3)};
    const double rising = energy_beside(&c, 0, false), falling = energy_beside(&c, 0, true);
    assert_close(rising, energy_beside(&c, 1e-6, false), 1e-5);
    assert_close(falling, energy_beside(&c, -1e-6, false), 1e-5);
  }
  gsl_rng_free(rng);
}

/* e = 0 in an acute corner: whichever wall is struck first, the mass rests. In an obtuse one it does not. */
DLS_TEST(orders_with_one_result_are_one_sided)
{
  static const double cosines[] = {-0.3, 0.3, 0};
  static const dls_derivative_status expected[] = {DLS_DERIVATIVE_ONE_SIDED, DLS_DERIVATIVE_DISCONTINUOUS,
                                                   DLS_DERIVATIVE_OK};
  for (size_t i = 0; i < 3; i++) {
    const corner c = {.cosine = cosines[i], .e = 0, .f = 2, .g = 1};
    double p[PARAMETERS];
    tangent_run t;
    read_parameters(&dls_model_wedge, NULL, p);
    set_corner(&c, p);
    prepare(&t, &dls_model_wedge, p, (const char *const[]){"g1", NULL}, NULL);
    advance_to(&t, 1.5, NULL, NULL);
    const dls_tangent *tangent = tangent_of(&t, 0);
    assert_int_equal(tangent->status, expected[i]);
    assert_true(tangent->side[0].known == (i < 2) && tangent->side[1].known == (i < 2));
    for (size_t j = 0; j < 2 && i != 1; j++) {
      assert_close(tangent->dq[j], 0, 1e-12);
      assert_close(tangent->dv[j], 0, 1e-12);
      assert_close(t.run.sim->v[j], 0, 1e-12);
    }
    release(&t);
  }
}

/* --- switches at the start --- */

/* x and v of one side at the end. */
static void end_of_side(const dls_model *model, const double *p, const char *by, bool falling, double end,
                        dls_derivative_status expected, double *x)
{
  tangent_run t;
  prepare(&t, model, p, (const char *const[]){by, NULL}, NULL);
  t.direction[0].falling = falling;
  advance_to(&t, end, NULL, NULL);
  assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0), expected);
  x[0] = tangent_of(&t, 0)->dq[0];
  x[1] = tangent_of(&t, 0)->dv[0];
  release(&t);
}

/* A block on a steep plane, at rest at first: pushed downhill it slips on, pushed uphill it stops first. The speed after is the fraction
 * (sin - mu cos)/(sin + mu cos) of that without a stop. */
DLS_TEST(a_start_at_the_limit_of_friction_has_two_derivatives)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 29);
  for (int trial = 0; trial < 10; trial++) {
    double p[PARAMETERS], rising[2], falling[2];
    const double mu = between(rng, 0.1, 0.6), alpha = atan(mu) + between(rng, 0.05, 0.6);
    read_parameters(&dls_model_incline, (const char *const[]){"v0=0", NULL}, p);
    p[dls_option_find(dls_model_incline.parameters, "mu")] = mu;
    p[dls_option_find(dls_model_incline.parameters, "alpha")] = alpha;
    const double end = between(rng, 0.3, 1),
                 ratio = (sin(alpha) - mu * cos(alpha)) / (sin(alpha) + mu * cos(alpha));
    end_of_side(&dls_model_incline, p, "v0", false, end, DLS_DERIVATIVE_ONE_SIDED, rising);
    end_of_side(&dls_model_incline, p, "v0", true, end, DLS_DERIVATIVE_ONE_SIDED, falling);
    assert_close(rising[1], ratio, 1e-9);
    assert_close(rising[0], ratio * end, 1e-9);
    assert_close(falling[1], 1, 1e-9);
    assert_close(falling[0], end, 1e-9);
  }
  gsl_rng_free(rng);
}

/* --- impacts at the border between stick and slip --- */

/* A ball with u_T = 7/2 mu (1 + e) V: with more tangential speed, or less friction, slip remains. Differences of one side have five
 * digits. */
DLS_TEST(an_impact_at_the_limit_of_friction_has_two_derivatives)
{
  static const struct {
    const char *by;
    double v_rising, v_falling; /* of (1 + e) V */
  } cases[] = {{"vx", 1, 5.0 / 7}, {"mu", 0, -1}};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 31);
  for (int trial = 0; trial < 10; trial++) {
    double p[PARAMETERS];
    const dls_option *table = dls_model_bounce_slip.parameters;
    read_parameters(&dls_model_bounce_slip, NULL, p);
    const double e = p[dls_option_find(table, "e")] = between(rng, 0.2, 0.8),
                 h = p[dls_option_find(table, "h")] = between(rng, 0.5, 1.5),
                 g = p[dls_option_find(table, "g")], V = sqrt(2 * g * h),
                 mu = p[dls_option_find(table, "mu")] = between(rng, 0.1, 0.4);
    p[dls_option_find(table, "vx")] = 3.5 * mu * (1 + e) * V;
    for (size_t i = 0; i < 2; i++) {
      const double unit = i == 0 ? 1 : (1 + e) * V, end = sqrt(2 * h / g) * 1.1;
      double rising[2], falling[2];
      end_of_side(&dls_model_bounce_slip, p, cases[i].by, false, end, DLS_DERIVATIVE_ONE_SIDED, rising);
      end_of_side(&dls_model_bounce_slip, p, cases[i].by, true, end, DLS_DERIVATIVE_ONE_SIDED, falling);
      assert_close(rising[1] / unit, cases[i].v_rising, 2e-5);
      assert_close(falling[1] / unit, cases[i].v_falling, 2e-5);
    }
  }
  gsl_rng_free(rng);
}

/* --- contacts that switch together --- */

static void weights(const dls_system *sys, double t, double *F)
{
  (void)sys;
  (void)t;
  F[0] = F[2] = 0;
  F[1] = F[3] = -10;
}

/* Two blocks on a floor, with masses 1 that share the fraction c, pushed along the floor by the first weights. In space: q = (x_1, y_1, z_1,
 * x_2, ...), the velocities and pushes have these angles with x. */
typedef struct blocks {
  double c, mu[2], v[2], push[2];
  bool space;
  double angle[2];
} blocks;

static void pushes(const dls_system *sys, double t, double *F)
{
  weights(sys, t, F);
  F[0] = sys->K != NULL ? dls_matrix_get(sys->K, 1, 1) : 0; /* K acts on the heights alone, which are 0 */
  F[2] = sys->K != NULL ? dls_matrix_get(sys->K, 3, 3) : 0;
}

/* The same in proportion to t. */
static void growing_pushes(const dls_system *sys, double t, double *F)
{
  pushes(sys, t, F);
  F[0] *= t;
  F[2] *= t;
}

/* In space K keeps them beside the heights, which are 0. */
static void pushes_in_space(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t j = 0; j < 2; j++) {
    F[3 * j] = dls_matrix_get(sys->K, 3 * j, 3 * j + 2);
    F[3 * j + 1] = dls_matrix_get(sys->K, 3 * j + 1, 3 * j + 2);
    F[3 * j + 2] = -10;
  }
}

static dls_system *make_blocks(const blocks *b)
{
  const size_t d = b->space ? 3 : 2, n = 2 * d;
  dls_system *sys = dls_system_create(n, 2);
  assert_non_null(sys);
  sys->linear = true;
  sys->d = d;
  sys->M = dls_matrix_dense(n, n);
  sys->K = dls_matrix_dense(n, n);
  sys->H = dls_matrix_dense(n, 2);
  sys->T = dls_matrix_dense(n, 2 * (d - 1));
  sys->load = b->space ? pushes_in_space : pushes;
  sys->explicit_time = DLS_TIME_NONE;
  for (size_t i = 0; i < n; i++) {
    dls_matrix_set(sys->M, i, i, 1);
  }
  for (size_t i = 0; i + 1 < d; i++) {
    dls_matrix_set(sys->M, i, d + i, b->c);
    dls_matrix_set(sys->M, d + i, i, b->c);
  }
  for (size_t j = 0; j < 2; j++) {
    const size_t height = d * j + d - 1;
    const double e[2] = {b->space ? cos(b->angle[j]) : 1, sin(b->angle[j])};
    dls_matrix_set(sys->H, height, j, 1);
    for (size_t i = 0; i + 1 < d; i++) {
      dls_matrix_set(sys->T, d * j + i, (d - 1) * j + i, 1);
      dls_matrix_set(sys->K, b->space ? d * j + i : height, height, e[i] * b->push[j]);
      sys->v0[d * j + i] = e[i] * b->v[j];
    }
    sys->mu[j] = sys->mu_s[j] = b->mu[j];
  }
  return sys;
}

/* The direction of the first velocity. */
static void set_direction(const blocks *b, dls_direction *speed)
{
  const double step = 0x1p-10;
  *speed = (dls_direction){.name = "v", .value = b->v[0], .count = 2, .weight = {-0.5 / step, 0.5 / step}};
  for (size_t i = 0; i < 2; i++) {
    blocks near = *b;
    near.v[0] += i == 0 ? -step : step;
    speed->system[i] = make_blocks(&near);
  }
}

static void run_blocks(const blocks *b, double end, bool falling, tangent_run *t)
{
  *t = (tangent_run){.count = 1};
  set_direction(b, &t->direction[0]);
  t->direction[0].falling = falling;
  t->run = ed_start(make_blocks(b), (const char *const[]){"tol=1e-11", NULL});
  assert_ok(dls_sim_differentiate(t->run.sim, 1, t->direction, &t->run.err), t->run.err);
  advance_to(t, end, NULL, NULL);
}

/* In space, along any line, the same motion has the same derivatives. */
static void compare_with_space(const blocks *b, double end)
{
  for (int falling = 0; falling < 2; falling++) {
    blocks in_space = *b;
    tangent_run plane, space;
    in_space.space = true;
    in_space.angle[0] = in_space.angle[1] = 10 * b->mu[0]; /* any */
    const double e[2] = {cos(in_space.angle[0]), sin(in_space.angle[0])};
    run_blocks(b, end, falling == 1, &plane);
    run_blocks(&in_space, end, falling == 1, &space);
    const dls_tangent *x = tangent_of(&plane, 0), *y = tangent_of(&space, 0);
    assert_int_equal(y->status, x->status);
    for (size_t j = 0; j < 2; j++) {
      assert_close(y->contact_dt[j], x->contact_dt[j], 1e-6);
      for (size_t i = 0; i < 2; i++) {
        assert_close(y->dq[3 * j + i], e[i] * x->dq[2 * j], 1e-6);
        assert_close(y->dv[3 * j + i], e[i] * x->dv[2 * j], 1e-6);
        assert_int_equal(y->side[i].known, x->side[i].known);
        assert_close(y->side[i].dv[3 * j], x->side[i].known ? e[0] * x->side[i].dv[2 * j] : 0, 1e-6);
      }
    }
    release(&plane);
    release(&space);
  }
}

static void pull(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -2;
  }
}

/* Three balls with the weight 2, released at the heights h/2, h, h. The first stays where it lands. */
static dls_status create_balls(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self;
  dls_system *sys = *out = dls_system_create(3, 3);
  if (sys == NULL || (sys->M = dls_matrix_diagonal(3)) == NULL || (sys->H = dls_matrix_diagonal(3)) == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "balls: no memory");
  }
  sys->linear = true;
  sys->load = pull;
  sys->steady_load = true;
  sys->explicit_time = DLS_TIME_NONE;
  for (size_t i = 0; i < 3; i++) {
    dls_matrix_set(sys->M, i, i, 1);
    dls_matrix_set(sys->H, i, i, 1);
    sys->e[i] = i == 0 ? 0 : 0.5;
    sys->q0[i] = i == 0 ? p[0] / 2 : p[0];
  }
  return DLS_OK;
}

/* Falls from c h take sqrt(c h). */
DLS_TEST(impacts_at_once_leave_no_time_of_an_earlier_event)
{
  static const dls_option parameters[] = {DLS_NUMBER("h", "m", "height", 1, 0, INFINITY, 0), {0}};
  const dls_model balls = {.name = "balls", .parameters = parameters, .create = create_balls};
  const double h = 1;
  tangent_run t;
  prepare(&t, &balls, &h, (const char *const[]){"h", NULL}, NULL);
  advance_to(&t, 1.1, NULL, NULL);
  assert_close(t.run.sim->sensitivity->event_dt[0], sqrt(0.5) / 2, 1e-9);
  for (size_t j = 0; j < 3; j++) {
    assert_close(tangent_of(&t, 0)->contact_dt[j], 0.5, 1e-9);
  }
  assert_close(tangent_of(&t, 0)->dt, 0.5, 1e-9);
  release(&t);
}

/* Both stop at t = v/(mu g) = 0.2, and do not act on each other. The initial velocity of the first moves its stop, by 1/(mu g), and not that
 * of the second. Each has the distance v^2/(2 mu g). */
DLS_TEST(contacts_that_stop_together_have_their_own_times)
{
  const blocks b = {.mu = {0.5, 0.5}, .v = {1, 1}};
  tangent_run t;
  run_blocks(&b, 0.3, false, &t);
  const dls_tangent *tangent = tangent_of(&t, 0);
  assert_int_equal(ed_count(&t.run, DLS_STICK), 2);
  assert_int_equal(tangent->status, DLS_DERIVATIVE_OK);
  assert_close(tangent->contact_dt[0], 0.2, 1e-9);
  assert_close(tangent->contact_dt[1], 0, 1e-9);
  assert_close(tangent->dq[0], 0.2, 1e-9);
  assert_close(tangent->dq[2], 0, 1e-9);
  assert_close(tangent->dv[0], 0, 1e-12);
  release(&t);
  compare_with_space(&b, 0.3);
}

/* A force that rises beyond the limit of friction 5 at t = 1, on a block that weighs 10. */
static void pull_block(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = 5 + 4 * (t - 1);
  F[1] = -10;
}

static dls_status create_block(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self;
  (void)err;
  dls_system *sys = *out = ed_masses(2, 1);
  sys->load = pull_block;
  sys->d = 2;
  sys->T = dls_matrix_dense(2, 1);
  dls_matrix_set(sys->H, 1, 0, 1);
  dls_matrix_set(sys->T, 0, 0, 1);
  sys->mu[0] = 0.5;
  sys->v0[0] = p[0];
  return DLS_OK;
}

/* u = v - 2 + 2 (t - 1)^2 with v = 2 - eta falls to 0 at t1 = 1 - sqrt(eta/2), and the block sticks until t = 1: dq/dv = t1, and then it
 * does not depend on v. With v > 2 it does not stick. */
DLS_TEST(a_slip_that_hardly_ends_has_a_radius)
{
  static const dls_option parameters[] = {DLS_NUMBER("v", "m/s", "velocity", 1, 0, INFINITY, 0), {0}};
  const dls_model block = {.name = "block", .parameters = parameters, .create = create_block};
  static const double eta[] = {1e-3, 1e-6};
  for (size_t i = 0; i < 2; i++) {
    const double v = 2 - eta[i];
    tangent_run t;
    prepare(&t, &block, &v, (const char *const[]){"v", NULL}, (const char *const[]){"tol=1e-12", NULL});
    advance_to(&t, 1.2, NULL, NULL);
    assert_int_equal(ed_count(&t.run, DLS_STICK), 1);
    assert_close(tangent_of(&t, 0)->dq[0], 1 - sqrt(eta[i] / 2), 1e-9);
    assert_close(tangent_of(&t, 0)->dv[0], 0, 1e-12);
    assert_close(tangent_of(&t, 0)->valid_within / eta[i], 1, 1e-6);
    assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0),
                     i == 0 ? DLS_DERIVATIVE_OK : DLS_DERIVATIVE_GRAZING);
    release(&t);
  }
}

/* The velocities that stop both at `stop`: v = -M^-1 (push - mu g) stop. */
static void stop_together(blocks *b, double stop)
{
  const double f[2] = {b->push[0] - 10 * b->mu[0], b->push[1] - 10 * b->mu[1]}, det = 1 - b->c * b->c;
  b->v[0] = -stop * (f[0] - b->c * f[1]) / det;
  b->v[1] = -stop * (f[1] - b->c * f[0]) / det;
}

/* The derivatives of the velocities at the end of runs at v - eps and v + eps, whose blocks stop one after the other. */
static void run_blocks_beside(const blocks *b, double end, double dv[2][2], double dq[2][2])
{
  const double eps = 1e-5;
  for (int side = 0; side < 2; side++) {
    blocks beside = *b;
    tangent_run t;
    beside.v[0] += side == 0 ? -eps : eps;
    run_blocks(&beside, end, false, &t);
    assert_int_equal(tangent_of(&t, 0)->status, DLS_DERIVATIVE_OK);
    for (size_t i = 0; i < 2; i++) {
      dq[side][i] = tangent_of(&t, 0)->dq[2 * i];
      dv[side][i] = tangent_of(&t, 0)->dv[2 * i];
    }
    release(&t);
  }
}

/* With a common mass the block that stops first changes how the other slows down. Where both come to rest, the order does not matter: u = 0
 * when it changes. */
DLS_TEST(contacts_that_come_to_rest_together_have_a_derivative)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 43);
  for (int trial = 0; trial < 8; trial++) {
    blocks b = {.c = between(rng, -0.5, 0.5), .mu = {between(rng, 0.3, 0.6), 0}};
    double dv[2][2], dq[2][2];
    tangent_run t;
    b.mu[1] = b.mu[0] * between(rng, 0.8, 1.25);
    stop_together(&b, between(rng, 0.2, 0.5));
    run_blocks_beside(&b, 0.7, dv, dq);
    run_blocks(&b, 0.7, false, &t);
    assert_int_equal(ed_count(&t.run, DLS_STICK), 2);
    assert_int_equal(tangent_of(&t, 0)->status, DLS_DERIVATIVE_OK);
    for (size_t side = 0; side < 2; side++) {
      assert_close(tangent_of(&t, 0)->dq[0], dq[side][0], 1e-4);
      assert_close(tangent_of(&t, 0)->dq[2], dq[side][1], 1e-4);
    }
    release(&t);
    compare_with_space(&b, 0.7);
  }
  gsl_rng_free(rng);
}

/* The first block sticks, and the second, which is pushed back, reverses: now the order matters. Both sides are those of runs beside. */
DLS_TEST(contacts_that_stop_and_reverse_together_have_two_derivatives)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 47);
  for (int trial = 0; trial < 12; trial++) {
    const double c = between(rng, 0.1, 0.4);
    blocks b = {.c = trial % 2 == 0 ? c : -c, .mu = {0.5, 0.3}, .push = {0, between(rng, -6, -4.5)}};
    double dv[2][2], dq[2][2];
    stop_together(&b, between(rng, 0.2, 0.5));
    run_blocks_beside(&b, 0.7, dv, dq);
    assert_true(fabs(dv[1][1] - dv[0][1]) > 0.003);
    for (int falling = 0; falling < 2; falling++) {
      tangent_run t;
      run_blocks(&b, 0.7, falling == 1, &t);
      const dls_tangent *tangent = tangent_of(&t, 0);
      assert_int_equal(ed_count(&t.run, DLS_STICK), 1);
      assert_int_equal(ed_count(&t.run, DLS_REVERSAL), 1);
      assert_int_equal(tangent->status, DLS_DERIVATIVE_ONE_SIDED);
      for (size_t side = 0; side < 2; side++) {
        assert_true(tangent->side[side].known);
        assert_close(tangent->side[side].dv[2], dv[side][1], 1e-4);
        assert_close(tangent->side[side].dv[0], 0, 1e-9);
      }
      assert_close(tangent->dv[2], tangent->side[falling == 0].dv[2], 1e-9);
      release(&t);
    }
    compare_with_space(&b, 0.7);
  }
  gsl_rng_free(rng);
}

/* In space along two lines: without a common mass each has its own time. With one, both stop together by symmetry, and the block that stops
 * first turns the slip of the other, so that the sides are not known. */
DLS_TEST(slip_that_turns_before_it_ends_has_no_sides)
{
  for (int coupled = 0; coupled < 2; coupled++) {
    const blocks b = {.mu = {0.5, 0.5}, .v = {1, 1}, .space = true, .angle = {0.3, 1.4}};
    blocks with_mass = b;
    tangent_run t;
    with_mass.c = coupled == 1 ? 0.3 : 0;
    run_blocks(&with_mass, 0.3, false, &t);
    const dls_tangent *tangent = tangent_of(&t, 0);
    assert_int_equal(ed_count(&t.run, DLS_STICK), 2);
    assert_int_equal(tangent->status, coupled == 1 ? DLS_DERIVATIVE_ONE_SIDED : DLS_DERIVATIVE_OK);
    assert_false(tangent->side[0].known || tangent->side[1].known);
    assert_true(coupled == 1 || fabs(tangent->dq[0] - 0.2 * cos(b.angle[0])) <= 1e-8);
    release(&t);
  }
}

/* The first block stops at t_s, and only then its friction does no longer hold the second, which begins to slip from rest with a. The order is
 * fixed: dq = -a (t - t_s) dt_s. */
DLS_TEST(a_contact_that_follows_another_has_a_derivative)
{
  const blocks b = {.c = 0.5, .mu = {0.5, 0.3}, .v = {1, 0}, .push = {0, -4}};
  const double end = 0.5, slows = 5, stop = 1 / slows, a = -4 + 3; /* r_2 = -c slows - push_2 while it sticks */
  tangent_run t;
  run_blocks(&b, end, false, &t);
  const dls_tangent *tangent = tangent_of(&t, 0);
  assert_int_equal(ed_count(&t.run, DLS_STICK), 1);
  assert_int_equal(tangent->status, DLS_DERIVATIVE_OK);
  assert_close(t.run.sim->q[2], 0.5 * a * (end - stop) * (end - stop), 1e-8);
  assert_close(tangent->dq[2], -a * (end - stop) / slows, 1e-8);
  assert_close(tangent->dq[0], 1 / slows, 1e-8);
  release(&t);
  compare_with_space(&b, end);
}

/* Pushes p t and q t reach the limits mu g of both blocks at T. Until then all tangents are 0, and so is the acceleration. Forces are continuous
 * where slip begins, so the motion has a derivative: M dv' = (t, 0) from T on. Rounding decides which block begins, at T. The other one follows where
 * its acceleration exceeds eps_a: at eps_a/(q - c p) behind T if it is the second, and at eps_a/(p - c q) if it is the first. The second then
 * slips as fast as rounding, and sticks until its own acceleration exceeds eps_a. */
static void begin_to_slip_together(double tol)
{
  const double T = 1, step = 0x1p-10, p = 4, q = 3, c = 0.3, end = 1.5, area = 0.5 * (end * end - T * T);
  const blocks b = {.c = c, .mu = {p * T / 10, q * T / 10}, .push = {p, q}};
  tangent_run t = {.count = 1};
  t.direction[0] = (dls_direction){.name = "p", .value = p, .count = 2, .weight = {-0.5 / step, 0.5 / step}};
  dls_system *sys[3];
  for (size_t i = 0; i < 3; i++) {
    blocks near = b;
    near.push[0] += i == 0 ? -step : i == 1 ? step : 0;
    sys[i] = make_blocks(&near);
    sys[i]->load = growing_pushes;
    sys[i]->explicit_time = DLS_TIME_UNKNOWN;
  }
  t.direction[0].system[0] = sys[0];
  t.direction[0].system[1] = sys[1];
  char option[40];
  snprintf(option, sizeof option, "tol=%.17g", tol);
  t.run = ed_start(sys[2], (const char *const[]){option, NULL});
  assert_ok(dls_sim_differentiate(t.run.sim, 1, t.direction, &t.run.err), t.run.err);
  advance_to(&t, end, NULL, NULL);
  const dls_tangent *tangent = tangent_of(&t, 0);
  const size_t slips = ed_count(&t.run, DLS_SLIP), sticks = ed_count(&t.run, DLS_STICK);
  const dls_event *first = ed_event(&t.run, DLS_SLIP, 0), *last = ed_event(&t.run, DLS_SLIP, slips - 1);
  assert_int_equal(slips, first->contact == 0 ? 2 : 3);
  assert_int_equal(sticks, slips - 2);
  assert_close(first->t, T, 1e-12);
  assert_int_equal(last->contact, 1);
  assert_close((last->t - T) / tol, 1 / (q - c * p), 0.01);
  if (sticks > 0) {
    assert_close((ed_event(&t.run, DLS_SLIP, 1)->t - T) / tol, 1 / (p - c * q), 0.01);
    assert_int_equal(ed_event(&t.run, DLS_STICK, 0)->contact, 1);
  }
  assert_int_equal(tangent->status, DLS_DERIVATIVE_OK);
  assert_close(tangent->dv[0], area / (1 - c * c), 1e-8);
  assert_close(tangent->dv[2], -c * area / (1 - c * c), 1e-8);
  release(&t);
}

DLS_TEST(contacts_that_begin_to_slip_together_have_a_derivative)
{
  static const double tols[] = {1e-6, 1e-8, 1e-10, 3e-11, 1.3e-11};
  for (size_t i = 0; i < sizeof tols / sizeof *tols; i++) {
    begin_to_slip_together(tols[i]);
  }
}

/* F = (p t - w_1, q t - w_2), in sys->data */
static void lift(const dls_system *sys, double t, double *F)
{
  const double *x = sys->data;
  F[0] = x[0] * t - x[1];
  F[1] = x[2] * t - x[3];
}

static void release_data(dls_system *sys)
{
  free(sys->data);
}

/* Two masses on floors, which share the fraction c. */
static dls_system *make_masses(double c, double p, double w_1, double q, double w_2)
{
  dls_system *sys = ed_masses(2, 2);
  double *x = sys->data = malloc(4 * sizeof *x);
  assert_non_null(x);
  x[0] = p;
  x[1] = w_1;
  x[2] = q;
  x[3] = w_2;
  sys->release = release_data;
  sys->load = lift;
  dls_matrix_destroy(sys->M);
  sys->M = dls_matrix_dense(2, 2);
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, 1);
    dls_matrix_set(sys->M, i, 1 - i, c);
    dls_matrix_set(sys->H, i, i, 1);
  }
  return sys;
}

/* Both lift off at T. For rising p the first does so first, at w_1/p, and then the second where c F_1 = F_2; for falling p it is the other
 * way round. The forces are continuous, so the motion has a derivative, but the times of the events have two. */
DLS_TEST(contacts_that_lift_off_together_have_times_of_their_order)
{
  const double T = 1, step = 0x1p-10, p = 4, q = 3, c = 0.3, end = 1.5;
  for (int falling = 0; falling < 2; falling++) {
    tangent_run t = {.count = 1};
    t.direction[0] = (dls_direction){
        .name = "p", .value = p, .count = 2, .weight = {-0.5 / step, 0.5 / step}, .falling = falling == 1};
    for (size_t i = 0; i < 2; i++) {
      t.direction[0].system[i] = make_masses(c, p + (i == 0 ? -step : step), p * T, q, q * T);
    }
    t.run = ed_start(make_masses(c, p, p * T, q, q * T), NULL);
    assert_ok(dls_sim_differentiate(t.run.sim, 1, t.direction, &t.run.err), t.run.err);
    advance_to(&t, end, NULL, NULL);
    const dls_tangent *tangent = tangent_of(&t, 0);
    assert_int_equal(ed_count(&t.run, DLS_LIFT_OFF), 2);
    assert_int_equal(tangent->status, DLS_DERIVATIVE_OK);
    assert_close(tangent->contact_dt[0], falling ? -T / (p - c * q) : -T / p, 1e-8);
    assert_close(tangent->contact_dt[1], falling ? 0 : c * T / (q - c * p), 1e-8);
    assert_close(tangent->dv[0], 0.5 * (end * end - T * T) / (1 - c * c), 1e-8);
    release(&t);
  }
}

/* An impact at the start, of a ball that begins on the floor: dt/dq0 = 1/V, and behind it q = -e + (1 + e) a t/V as for any impact. */
DLS_TEST(an_impact_at_the_start_moves_with_the_gap)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 41);
  for (int trial = 0; trial < 10; trial++) {
    double p[PARAMETERS];
    tangent_run t;
    const double V = between(rng, 1, 3), e = between(rng, 0.3, 0.9), a = between(rng, 1, 3),
                 end = 0.5 * e * V / a;
    const dls_option *table = dls_model_bouncing_ball.parameters;
    read_parameters(&dls_model_bouncing_ball, NULL, p);
    p[dls_option_find(table, "q0")] = 0;
    p[dls_option_find(table, "v0")] = -V;
    p[dls_option_find(table, "e")] = e;
    p[dls_option_find(table, "f")] = -a;
    prepare(&t, &dls_model_bouncing_ball, p, (const char *const[]){"q0", NULL}, NULL);
    advance_to(&t, end, NULL, NULL);
    assert_close(t.run.sim->sensitivity->event_dt[0], 1 / V, 1e-9);
    assert_close(tangent_of(&t, 0)->dq[0], -e + (1 + e) * a * end / V, 1e-9);
    assert_close(tangent_of(&t, 0)->dv[0], (1 + e) * a / V, 1e-9);
    release(&t);
  }
  gsl_rng_free(rng);
}

/* --- the error to expect --- */

DLS_TEST(the_expected_error_grows_with_tangents)
{
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_bouncing_ball, NULL, p);
  prepare(&t, &dls_model_bouncing_ball, p, (const char *const[]){"q0", NULL},
          (const char *const[]){"tol=1e-8", NULL});
  advance_to(&t, 2.25, NULL, NULL); /* dq/dq0 = 0.0625, dv/dq0 = 2.25 */
  const dls_system *sys = t.run.sys;
  assert_close(dls_sensitivity_expected_error(t.run.sim, 0),
               1e-8 * fmax(0.0625 / sys->length, 2.25 * sys->time / sys->length), 1e-14);
  release(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_limits_of_impacts_that_interact_are_those_of_runs_beside),
      cmocka_unit_test(impacts_that_stay_simultaneous_have_a_derivative),
      cmocka_unit_test(corners_that_strike_flat_have_a_derivative_at_every_rebound),
      cmocka_unit_test(the_integral_of_the_energy_has_the_order_of_impacts),
      cmocka_unit_test(orders_with_one_result_are_one_sided),
      cmocka_unit_test(a_start_at_the_limit_of_friction_has_two_derivatives),
      cmocka_unit_test(an_impact_at_the_limit_of_friction_has_two_derivatives),
      cmocka_unit_test(contacts_that_stop_together_have_their_own_times),
      cmocka_unit_test(a_slip_that_hardly_ends_has_a_radius),
      cmocka_unit_test(contacts_that_come_to_rest_together_have_a_derivative),
      cmocka_unit_test(contacts_that_stop_and_reverse_together_have_two_derivatives),
      cmocka_unit_test(slip_that_turns_before_it_ends_has_no_sides),
      cmocka_unit_test(a_contact_that_follows_another_has_a_derivative),
      cmocka_unit_test(contacts_that_begin_to_slip_together_have_a_derivative),
      cmocka_unit_test(contacts_that_lift_off_together_have_times_of_their_order),
      cmocka_unit_test(impacts_at_once_leave_no_time_of_an_earlier_event),
      cmocka_unit_test(an_impact_at_the_start_moves_with_the_gap),
      cmocka_unit_test(the_expected_error_grows_with_tangents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
