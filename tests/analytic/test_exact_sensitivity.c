/* test_exact_sensitivity.c -- derivatives of exact solutions: closed formulas of the ball at random data, values of 13 digits from central
 * differences with 60 digits, tangents of event-driven runs, and where there is no derivative.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/run/event_totals.h"
#include <delassus/catalogue.h>
#include <delassus/scheme.h>
#include <delassus/sensitivity.h>
#include <delassus/sim.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const dls_scheme dls_scheme_event_driven;

enum { PARAMETERS = 40, MOST = 18 };

typedef struct question {
  const char *model, *settings[12], *by;
  double t;
} question;

static const dls_exact *read(const question *q, double p[PARAMETERS])
{
  const dls_exact *exact = dls_exact_find(q->model);
  dls_error err = {0};
  assert_non_null(exact);
  dls_option_defaults(exact->model->parameters, p);
  for (size_t i = 0; q->settings[i] != NULL; i++) {
    assert_ok(dls_option_parse(exact->model->parameters, q->model, q->settings[i], p, &err), err);
  }
  return exact;
}

/* The table of one time with its derivatives. */
static dls_trajectory *table_at(const dls_exact *exact, const double *p, const char *by, double t,
                                dls_exact_derivative *derivative)
{
  dls_trajectory *table = NULL;
  dls_error err = {0};
  assert_ok(dls_exact_at(exact, p, 1, &t, &table, &err), err);
  assert_ok(dls_exact_differentiate(exact, p, 1, &by, table, derivative, &err), err);
  return table;
}

/* dq, dv at the last row. @return their number */
static size_t values_of(const dls_trajectory *table, double out[MOST])
{
  const size_t count = 2 * table->n;
  assert_between((double)count, 2, MOST);
  for (size_t k = 0; k < count; k++) {
    out[k] = dls_trajectory_at(table, table->rows - 1, table->columns - count + k);
  }
  return count;
}

/* dt/dP of an event of the table, as its file says it. */
static double event_dt(const dls_trajectory *table, size_t event, const char *by)
{
  char key[60];
  snprintf(key, sizeof key, " dt/d%s=", by);
  assert_true(event < table->totals->note_count);
  const char *at = strstr(table->totals->notes[event], key);
  assert_non_null(at);
  return strtod(at + strlen(key), NULL);
}

/* --- the ball --- */

/* q, v and their derivatives, and the times of impacts, of a ball with acceleration -a: elementary. */
typedef struct ball {
  double a, e, q0, v0, t; /* t: in the flight after impact `count` */
  size_t count;
} ball;

/* Time and speed of impact k >= 1, and their derivatives by (q0, v0, e). */
static void ball_impact(const ball *b, size_t k, double *t, double *V, double dt[3], double dV[3])
{
  const double W = sqrt(b->v0 * b->v0 + 2 * b->a * b->q0), dW[3] = {b->a / W, b->v0 / W, 0};
  double power = 1, sum = 0, dsum = 0; /* e^(k-1); e + ... + e^(k-1), and its derivative */
  for (size_t i = 1; i < k; i++) {
    dsum += (double)i * power;
    power *= b->e;
    sum += power;
  }
  *t = (b->v0 + W + 2 * W * sum) / b->a;
  *V = power * W;
  for (int j = 0; j < 3; j++) {
    dt[j] = ((j == 1) + dW[j] * (1 + 2 * sum) + (j == 2 ? 2 * W * dsum : 0)) / b->a;
    dV[j] = power * dW[j] + (j == 2 && k > 1 ? (double)(k - 1) * power / b->e * W : 0);
  }
}

/* Derivatives of (q, v) at b->t by (q0, v0, e), after impact b->count >= 1. */
static void ball_derivatives(const ball *b, double dq[3], double dv[3])
{
  double t = 0, V = 0, dt[3], dV[3];
  ball_impact(b, b->count, &t, &V, dt, dV);
  const double s = b->t - t, up = b->e * V; /* q = up s - a s^2/2 */
  for (int j = 0; j < 3; j++) {
    const double dup = b->e * dV[j] + (j == 2 ? V : 0);
    dq[j] = dup * s - (up - b->a * s) * dt[j];
    dv[j] = dup + b->a * dt[j];
  }
}

static double random_in(double low, double high)
{
  return low + (high - low) * rand() / RAND_MAX;
}

/* A value x that is rounded at both ends makes an error of eps |x| / (2 delta) in a central difference. delta is |p|/16 at first, up to the
 * power of two, and falls to half with each level of the extrapolation: 8 eps |x| / |p| 2^level. Two levels suffice for the other digits. */
static double rounding_of_differences(double x, double p)
{
  return 32 * DBL_EPSILON * fabs(x) / fabs(p);
}

static void check_ball(const ball *b, const double *p)
{
  static const char *const by[] = {"q0", "v0", "e"};
  const double at[] = {b->q0, b->v0, b->e};
  double dq[3], dv[3], t = 0, V = 0, dt[3], dV[3];
  ball_derivatives(b, dq, dv);
  for (int j = 0; j < 3; j++) {
    double values[MOST];
    dls_exact_derivative derivative;
    dls_trajectory *table = table_at(dls_exact_find("bouncing-ball"), p, by[j], b->t, &derivative);
    const double size = fmax(1, fmax(fabs(dq[j]), fabs(dv[j])));
    values_of(table, values);
    assert_int_equal(derivative.status, DLS_DERIVATIVE_OK);
    assert_true(isinf(derivative.missing_from));
    const double speed = b->a * b->t + fabs(b->v0); /* times of events round v by a eps t, q by v eps t */
    assert_close(values[0], dq[j], 1e-12 * size + rounding_of_differences(speed * b->t, at[j]));
    assert_close(values[1], dv[j], 1e-12 * size + rounding_of_differences(speed, at[j]));
    for (size_t k = 1; k <= b->count; k++) {
      ball_impact(b, k, &t, &V, dt, dV);
      assert_close(event_dt(table, k - 1, by[j]), dt[j],
                   1e-12 * fmax(1, fabs(dt[j])) + rounding_of_differences(t, at[j]));
    }
    dls_trajectory_destroy(table);
  }
}

DLS_TEST(ball_has_its_closed_formulas_at_random_data)
{
  srand(12); /* a v0 of 0.003 among them */
  for (int i = 0; i < 60; i++) {
    ball b = {random_in(0.5, 20), random_in(0.3, 0.95), random_in(0.2, 3), random_in(-2, 2), 0, 0};
    const double m = random_in(0.5, 3), p[] = {m, -m * b.a, b.e, b.q0, b.v0};
    double t[2], V, unused[3];
    b.count = 1 + (size_t)rand() % 6;
    ball_impact(&b, b.count, &t[0], &V, unused, unused);
    ball_impact(&b, b.count + 1, &t[1], &V, unused, unused);
    b.t = t[0] + random_in(0.01, 0.99) * (t[1] - t[0]);
    check_ball(&b, p);
  }
}

/* dt of the accumulation: (1 + e)/((1 - e) V), (1 + (1 + e)/(1 - e) v0/V)/a, 2 V/(a (1 - e)^2). At rest all is 0. */
DLS_TEST(accumulation_of_the_ball_has_its_duration)
{
  static const char *const by[] = {"q0", "v0", "e"};
  const double p[] = {1, -2, 0.5, 1, 0}, expected[] = {1.5, 0.5, 8};
  for (int j = 0; j < 3; j++) {
    double values[MOST];
    dls_exact_derivative derivative;
    dls_trajectory *table = table_at(dls_exact_find("bouncing-ball"), p, by[j], 3.5, &derivative);
    values_of(table, values);
    assert_int_equal(table->events[table->event_count - 1].kind, DLS_ACCUMULATION);
    assert_close(event_dt(table, table->event_count - 1, by[j]), expected[j], 1e-11 * expected[j]);
    assert_close(values[0], 0, 0);
    assert_close(values[1], 0, 0);
    dls_trajectory_destroy(table);
  }
}

/* At an impact there are two rows: dq+ = dq- + (v- - v+) dt, and v+ = -e v-. */
DLS_TEST(both_limits_at_an_impact_obey_the_saltation)
{
  const double p[] = {1, -2, 0.5, 1, 0};
  const char *by = "q0";
  const double t = 1;
  dls_trajectory *table = NULL;
  dls_exact_derivative derivative;
  dls_error err = {0};
  const dls_exact *exact = dls_exact_find("bouncing-ball");
  assert_ok(dls_exact_at(exact, p, 1, &t, &table, &err), err);
  assert_ok(dls_exact_differentiate(exact, p, 1, &by, table, &derivative, &err), err);
  assert_int_equal(table->rows, 2);
  const int dq = dls_trajectory_column(table, "dq0/dq0"), dv = dls_trajectory_column(table, "dv0/dq0");
  assert_true(dq > 0 && dv > 0);
  assert_close(dls_trajectory_at(table, 0, (size_t)dq), 1, 1e-13);
  assert_close(dls_trajectory_at(table, 0, (size_t)dv), 0, 1e-13);
  assert_close(dls_trajectory_at(table, 1, (size_t)dq), -0.5, 1e-13);
  assert_close(dls_trajectory_at(table, 1, (size_t)dv), 1.5, 1e-13); /* (1 + e) a/V */
  dls_trajectory_destroy(table);
}

/* --- values of 13 digits --- */

typedef struct reference {
  question q;
  double value[MOST];
} reference;

#define SET_B                                                                                                  \
  {                                                                                                            \
    "m=1", "k=1e4", "l=1", "g=10", "R=0.2", "e=0.8", "q1=1.001", "q2=2.001", NULL                              \
  }

static const reference references[] = {
    {{"bouncing-ball", {NULL}, "f", 2.25}, {0, 1.125}},
    {{"impacting-oscillator", {NULL}, "q0", 5}, {0.07091554636581, 0.2397310686658}},
    {{"impacting-oscillator", {NULL}, "k", 5}, {0.5993276716645, -0.05742333158162}},
    {{"impacting-oscillator", {NULL}, "e", 5}, {0.2836621854632, 0.9589242746631}},
    {{"two-ball-oscillator", SET_B, "q1", 1.2},
     {175.5493767136, 199.1393780151, 2063.84960077, 103.3317904939}},
    {{"two-ball-oscillator", SET_B, "e", 1.2},
     {-82.11325195411, -92.86869408311, -979.6254534586, -35.11992247869}},
    {{"vibrating-table", {NULL}, "A", 0.5}, {34.33079196275, 192.4896049382}},
    {{"vibrating-table", {NULL}, "phase", 0.5}, {-0.8596881044975, -5.35027181509}},
    {{"vibrating-table", {NULL}, "e", 0.5}, {1.178956901922, 6.904661185547}},
    {{"rope", {"e=0.7", NULL}, "l", 1}, {1.016809290901, -0.182465274011, 0.6575570197124, 5.08426428529}},
    {{"belt", {NULL}, "F", 3}, {0.3630139400728, 0, 0.5867271592984, 0}},
    {{"belt", {NULL}, "vb", 3}, {1.951466286578, 0, -0.4379261722588, 0}},
    {{"belt", {"Fs=1.5", NULL}, "Fs", 4.5}, {0.9471880442158, 0, 0.3206786692232, 0}},
    {{"belt", {"Fs=1.5", NULL}, "q0", 4.5}, {-0.5425730344527, 0, -1.098004782451, 0}},
    {{"den-hartog", {"v0=-0.1", NULL}, "F", 7.5}, {-3.377130552198, 0, 0.9960947659289, 0}},
    {{"forced-block", {"v0=0.1", NULL}, "A", 4}, {-0.226778264294, 0, -1.470945338162, 0}},
};

/* To 1e-12 of the largest, beside the last of the 13 digits; 2e-12 where differences are to one side (F ends at Fs). */
DLS_TEST(values_have_twelve_digits)
{
  for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
    const reference *r = &references[i];
    double p[PARAMETERS], values[MOST], largest = 0;
    dls_exact_derivative derivative;
    const dls_exact *exact = read(&r->q, p);
    dls_trajectory *table = table_at(exact, p, r->q.by, r->q.t, &derivative);
    const size_t count = values_of(table, values);
    for (size_t k = 0; k < count; k++) {
      largest = fmax(largest, fabs(r->value[k]));
    }
    for (size_t k = 0; k < count; k++) {
      const double last_digit = 1e-13 * exp2(4 * ceil(log10(fmax(fabs(r->value[k]), 1e-3)) / log10(16)));
      assert_close(values[k], r->value[k], 1e-12 * largest + last_digit);
    }
    dls_trajectory_destroy(table);
  }
}

/* --- event-driven tangents --- */

static char tolerance[40] = "tol=1e-12";

/* dq, dv at q->t of an event-driven run. */
static void run_tangents(const question *q, const double *p, double out[MOST])
{
  const dls_model *model = dls_exact_find(q->model)->model;
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_direction direction;
  dls_error err = {0};
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  assert_ok(dls_direction_create(model, p, q->by, &direction, &err), err);
  assert_ok(dls_sim_create(sys, &dls_scheme_event_driven, &sim, &err), err);
  assert_ok(dls_sim_set(sim, tolerance, &err), err);
  assert_ok(dls_sim_differentiate(sim, 1, &direction, &err), err);
  assert_ok(dls_run(sim, &(dls_run_spec){.end = q->t}, &err), err);
  memcpy(out, sim->sensitivity->tangent[0].dq, sys->n * sizeof *out);
  memcpy(out + sys->n, sim->sensitivity->tangent[0].dv, sys->n * sizeof *out);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  dls_direction_release(&direction);
}

/* The error of the tangents of a run, relative to the largest value; NAN: the closed form has no derivative. */
static double error_of_tangents(const question *q, const double *p)
{
  double values[MOST], tangents[MOST], largest = 1, worst = 0;
  dls_exact_derivative derivative;
  dls_trajectory *table = table_at(dls_exact_find(q->model), p, q->by, q->t, &derivative);
  const size_t count = values_of(table, values);
  dls_trajectory_destroy(table);
  if (derivative.status != DLS_DERIVATIVE_OK) {
    return NAN;
  }
  run_tangents(q, p, tangents);
  for (size_t k = 0; k < count; k++) {
    const double error = fabs(tangents[k] - values[k]);
    largest = fmax(largest, fabs(values[k]));
    assert_true(isfinite(error));
    worst = fmax(worst, error);
  }
  return worst / largest;
}

/* Every parameter of these that is real, but for those without effect or derivative, at a random time. */
static const question parameters[] = {
    {"bouncing-ball", {NULL}, NULL, 2.9},        {"impacting-oscillator", {"c=0.1", NULL}, NULL, 6},
    {"two-ball-oscillator", {NULL}, NULL, 0.9},  {"vibrating-table", {NULL}, NULL, 0.6},
    {"rope", {"e=0.7", NULL}, NULL, 1.2},        {"belt", {"Fs=1.5", "t1=1", NULL}, NULL, 4.2},
    {"den-hartog", {"v0=-0.1", NULL}, NULL, 8},  {"forced-block", {"v0=0.1", NULL}, NULL, 5},
    {"spring-block", {"v0=0.1", NULL}, NULL, 3}, {"incline", {NULL}, NULL, 3},
    {"incline-stack", {NULL}, NULL, 1},          {"superball", {NULL}, NULL, 1.4},
};

DLS_TEST(tangents_of_event_driven_runs_agree)
{
  srand(7);
  size_t compared = 0;
  for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
    question q = parameters[i];
    double p[PARAMETERS];
    const dls_exact *exact = read(&q, p);
    q.t *= random_in(0.9, 1);
    for (const dls_option *o = exact->model->parameters; o->name != NULL; o++) {
      if (o->kind != DLS_REAL || (strcmp(q.model, "den-hartog") == 0 && strcmp(o->name, "Fs") == 0)) {
        continue; /* 0 stands for the value of F */
      }
      q.by = o->name;
      const double error = error_of_tangents(&q, p);
      if (!isnan(error)) {
        assert_between(error, 0, 2e-9);
        compared++;
      }
    }
  }
  assert_between((double)compared, 75, 120);
}

/* Collisions in a chain, two discs among walls, joints, bounces with slip, rocking, a cam that throws, a top that spins fast: by four parameters each, at random
 * data and times after events. */
DLS_TEST(tangents_of_seven_further_models_agree)
{
  static const struct {
    question q;
    const char *by[4];
  } cases[] = {
      {{"ball-chain", {"e=0.7", "ratio=0.8", NULL}, NULL, 0.9}, {"e", "ratio", "gap", "v0"}},
      {{"rigid-discs", {"e=0.9", NULL}, NULL, 5}, {"e", "R", "vx0", "m1"}},
      {{"four-bar", {NULL}, NULL, 0.6}, {"v0", "l", "g", "m"}},
      {{"bounce-slip", {NULL}, NULL, 1.1}, {"h", "e", "mu", "vx"}},
      {{"rocking-block", {NULL}, NULL, 0.8}, {"phi0", "b", "h", "g"}},
      {{"cam-follower", {"omega=25", NULL}, NULL, 0.5}, {"omega", "k", "A", "F"}},
      {{"heavy-top", {NULL}, NULL, 0.3}, {"theta0", "spin", "m", "precession"}},
  };
  srand(11);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (size_t k = 0; k < 4; k++) {
      question q = cases[i].q;
      double p[PARAMETERS];
      const dls_exact *exact = read(&q, p);
      q.by = cases[i].by[k];
      q.t *= random_in(0.95, 1.05);
      const int which = dls_option_find(exact->model->parameters, q.by);
      p[which] *= random_in(0.98, 1.02);
      const double error = error_of_tangents(&q, p);
      if (!(error <= 5e-9)) {
        fail_msg("%s by %s at t = %.17g: error %.3g", q.model, q.by, q.t, error);
      }
    }
  }
}

/* The largest error of derivatives of a top that spins at 150 rad/s. */
static double error_of_a_fast_top(void)
{
  static const char *const by[] = {"theta0", "spin", "m", "precession"};
  double worst = 0;
  for (size_t k = 0; k < 4; k++) {
    for (int i = 2; i <= 4; i++) {
      question q = {"heavy-top", {NULL}, by[k], 0.05 * i};
      double p[PARAMETERS];
      read(&q, p);
      worst = fmax(worst, error_of_tangents(&q, p));
    }
  }
  return worst;
}

/* No term of the joints is a difference. What is left is round-off, which does not fall with tol, and changes with the steps by a factor of three
 * on either side of its mean. */
DLS_TEST(tangents_of_a_fast_top_have_nine_digits)
{
  enum { TOLS = 8 };
  double sum = 0;
  for (int k = 0; k < TOLS; k++) {
    snprintf(tolerance, sizeof tolerance, "tol=%.17g", 1e-12 * pow(10, 0.25 * k));
    const double worst = error_of_a_fast_top();
    print_message("%s: %.2g\n", tolerance, worst);
    assert_between(worst, 1e-13, 3e-9);
    sum += log(worst);
  }
  strcpy(tolerance, "tol=1e-12");
  assert_between(exp(sum / TOLS), 1e-13, 1e-9);
}

/* Friction of 10^-9: differences over a sixteenth of it would have six digits. */
DLS_TEST(tiny_parameters_have_differences_by_the_scales)
{
  const question q = {"puck", {"mu=1e-9", NULL}, "mu", 0.2};
  double p[PARAMETERS];
  read(&q, p);
  assert_between(error_of_tangents(&q, p), 0, 2e-9);
}

/* --- no derivative, or a derivative to one side --- */

DLS_TEST(statuses_say_where_there_is_none)
{
  static const struct {
    question q;
    dls_derivative_status status;
  } cases[] = {
      {{"bouncing-ball", {NULL}, "e", 2.25}, DLS_DERIVATIVE_OK},
      {{"bouncing-ball", {"e=0", NULL}, "e", 2.25}, DLS_DERIVATIVE_DEGENERATE}, /* landing, else impacts */
      {{"impacting-oscillator", {NULL}, "c", 5}, DLS_DERIVATIVE_ONE_SIDED},
      {{"bouncing-ball", {"e=1", NULL}, "e", 2.25}, DLS_DERIVATIVE_ONE_SIDED},
      {{"forced-block", {NULL}, "v0", 4}, DLS_DERIVATIVE_ONE_SIDED}, /* it starts on the limit of friction */
      {{"belt", {NULL}, "t1", 4}, DLS_DERIVATIVE_DEGENERATE},        /* 0 stands for never */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double p[PARAMETERS], values[MOST];
    dls_exact_derivative derivative;
    const dls_exact *exact = read(&cases[i].q, p);
    dls_trajectory *table = table_at(exact, p, cases[i].q.by, cases[i].q.t, &derivative);
    const size_t count = values_of(table, values);
    assert_int_equal(derivative.status, cases[i].status);
    assert_int_equal(isinf(derivative.missing_from), cases[i].status != DLS_DERIVATIVE_DEGENERATE);
    for (size_t k = 0; k < count; k++) {
      assert_int_equal(isnan(values[k]), cases[i].status == DLS_DERIVATIVE_DEGENERATE);
    }
    dls_trajectory_destroy(table);
  }
}

/* e = 1, to one side: dq = -(t - t1) d(1 + e).. of the flight after the first impact: V (t - t1). */
DLS_TEST(bounds_of_the_range_give_the_derivative_to_one_side)
{
  const double p[] = {1, -2, 1, 1, 0};
  double values[MOST];
  dls_exact_derivative derivative;
  dls_trajectory *table = table_at(dls_exact_find("bouncing-ball"), p, "e", 1.75, &derivative);
  values_of(table, values);
  assert_close(values[0], 2 * 0.75, 1e-11);
  assert_close(values[1], 2, 1e-11);
  dls_trajectory_destroy(table);
}

DLS_TEST(what_is_no_direction_is_refused)
{
  const double t = 1;
  const char *by[] = {"x", "n"};
  const char *const model[] = {"bouncing-ball", "elastic-bar"};
  const char *const messages[] = {"there is no 'x'", "n has separate values"};
  for (size_t i = 0; i < 2; i++) {
    const dls_exact *exact = dls_exact_find(model[i]);
    dls_trajectory *table = NULL;
    dls_exact_derivative derivative;
    dls_error err = {0};
    assert_ok(dls_exact_at(exact, NULL, 1, &t, &table, &err), err);
    const size_t columns = table->columns;
    assert_int_equal(dls_exact_differentiate(exact, NULL, 1, &by[i], table, &derivative, &err), DLS_ERR_OPTION);
    assert_non_null(strstr(err.text, messages[i]));
    assert_int_equal(table->columns, columns);
    table->rows = 0;
    assert_int_equal(dls_exact_differentiate(exact, NULL, 1, &by[i], table, &derivative, &err), DLS_ERR_ARG);
    dls_trajectory_destroy(table);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_has_its_closed_formulas_at_random_data),
      cmocka_unit_test(accumulation_of_the_ball_has_its_duration),
      cmocka_unit_test(both_limits_at_an_impact_obey_the_saltation),
      cmocka_unit_test(values_have_twelve_digits),
      cmocka_unit_test(tangents_of_event_driven_runs_agree),
      cmocka_unit_test(tangents_of_seven_further_models_agree),
      cmocka_unit_test(tangents_of_a_fast_top_have_nine_digits),
      cmocka_unit_test(tiny_parameters_have_differences_by_the_scales),
      cmocka_unit_test(statuses_say_where_there_is_none),
      cmocka_unit_test(bounds_of_the_range_give_the_derivative_to_one_side),
      cmocka_unit_test(what_is_no_direction_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
