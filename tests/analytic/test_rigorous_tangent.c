/* tests/analytic/test_rigorous_tangent.c -- enclosures of derivatives: differences of enclosures with 45 digits, closed forms of the
 * ball, refusals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "random_graph.h"
#include "rigorous_differences.h"

static const struct {
  const char *model, *values, *time, *without;
  bool accumulates;
} runs[] = {
    {"bouncing-ball", "m=1.3,f=-9.81,e=0.8,q0=1.2,v0=0.7", "3.1", "", false},
    {"bouncing-ball", "m=0.7,f=0.4,e=0.8,q0=1.2,v0=-1.7", "3.1", "", false},
    {"bouncing-ball", "f=-2,e=0.6,q0=0,v0=-1.7", "1.9", ",q0,", false}, /* an impact at the start */
    {"impacting-oscillator", "m=1.2,k=1.7,c=0.1,f=-0.3,amplitude=0.9,omega=1.3,phase=0.4,e=0.7,q0=0.8,v0=0.2",
     "9.3", "", false},
    {"impacting-oscillator", "m=1,k=4,c=0.2,f=0.1,amplitude=1.1,omega=2,phase=-0.8,e=0.5,q0=0.8,v0=0.2", "7.1",
     "", false},
    {"two-ball-oscillator", "m=1.1,k=50,l=0.9,g=9.81,R=0.1,e=0.9,q1=0.5,q2=1.5,v1=-0.3,v2=0.2", "1.2", "",
     false},
    /* lasting contact in which a spring moves on, and lift-off */
    {"two-ball-oscillator", "m=1,k=100,l=1,g=9.81,R=0.1,e=0,q1=0.6,q2=1.7,v1=0,v2=0", "1.2", ",e,", false},
    {"vibrating-table", "m=1,g=9.81,e=0.8,A=0.01,omega=60,phase=0.3,q0=0.1,v0=0.1", "0.7", "", false},
    /* accumulations, rests, lift-offs; the motion afterwards forgets the start */
    {"vibrating-table", "m=1,g=20.3,e=0.3,A=0.01,omega=60,phase=0.1,q0=0.1,v0=-0.475", "0.61", "", true},
    {"vibrating-table", "m=1,g=20.3,e=0,A=0.01,omega=60,phase=0.1,q0=0.1,v0=-0.475", "0.61", ",e,", true},
};

/* With rows at all events, but after accumulations whose own time has no enclosed derivative at the end only. */
DLS_TEST(derivatives_are_those_of_differences)
{
  for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
    model_text of;
    dls_rigorous_problem problem = problem_with(runs[r].model, runs[r].time, runs[r].values, &of);
    problem.time_count = runs[r].accumulates;
    problem.times = &runs[r].time;
    const double distance = compare_all(problem, &of, runs[r].without);
    if (!(distance <= 1e-22)) {
      fail_msg("%s %s: %g", runs[r].model, runs[r].values, distance);
    }
  }
}

static double uniform(uint64_t *seed, double low, double high)
{
  return low + (high - low) * random_unit(seed);
}

/* At rest from t = (v0 + V)/a + 2 V e/(a (1 - e)) on, V^2 = v0^2 + 2 a q0. Just before, dv/dp = a dt/dp. */
DLS_TEST(the_limit_before_the_rest_of_a_ball_is_that_of_its_time)
{
  static const char *const by[] = {"q0", "v0", "e", "f", "m"};
  uint64_t seed = random_seed(7);
  for (int i = 0; i < 6; i++) {
    char values[200];
    model_text of;
    dls_rigorous_table table;
    const double m = uniform(&seed, 0.5, 2), f = -uniform(&seed, 1, 10), e = uniform(&seed, 0.1, 0.8),
                 q0 = uniform(&seed, 0.1, 2), v0 = uniform(&seed, -2, 2);
    snprintf(values, sizeof values, "m=%.17g,f=%.17g,e=%.17g,q0=%.17g,v0=%.17g", m, f, e, q0, v0);
    dls_rigorous_problem problem = problem_with("bouncing-ball", "200", values, &of);
    problem.by_count = sizeof by / sizeof by[0];
    problem.by = by;
    problem.digits = 20;
    solve(&problem, &table);
    const double a = -f / m, V = sqrt(v0 * v0 + 2 * a * q0), c = (1 + e) / (1 - e);
    const double da = c * q0 / V - (v0 + c * V) / a; /* a dt/da */
    const double expected[] = {a * c / V, 1 + c * v0 / V, 2 * V / ((1 - e) * (1 - e)), -da / m, -da * a / m};
    size_t row = 0;
    while (strcmp(table.event[row], "accumulation") != 0) {
      row++;
    }
    for (size_t j = 0; j < problem.by_count; j++) {
      char name[16];
      snprintf(name, sizeof name, "dv0/d%s", by[j]);
      const slong at = column(&table, name);
      const dls_rigorous_cell *before = &table.cell[(row - 1) * table.columns + (size_t)at],
                              *after = before + table.columns;
      assert_close(strtod(before->low, NULL), expected[j], 1e-12 * (1 + fabs(expected[j])));
      assert_close(strtod(before->high, NULL), expected[j], 1e-12 * (1 + fabs(expected[j])));
      assert_true(strtod(after->low, NULL) == 0 && strtod(after->high, NULL) == 0);
      snprintf(name, sizeof name, "dt/d%s", by[j]);
      const dls_rigorous_cell *time = &table.cell[row * table.columns + (size_t)column(&table, name)];
      assert_close(strtod(time->low, NULL), expected[j] / a, 1e-12 * (1 + fabs(expected[j])));
      assert_close(strtod(time->high, NULL), expected[j] / a, 1e-12 * (1 + fabs(expected[j])));
    }
    dls_rigorous_free(&table);
  }
}

/* Impacts at (3 - 2^(1 - n)) sqrt(q0). With one digit those of the last 2^-16 s are not followed at first.
 * Derivatives there need more of them. */
DLS_TEST(a_time_just_before_the_rest_has_the_derivative_of_its_flight)
{
  static const char *const time = "2.9999963", *const by = "q0";
  model_text of;
  dls_rigorous_table table;
  dls_rigorous_problem problem = problem_with("bouncing-ball", time, "", &of);
  problem.by_count = problem.time_count = 1;
  problem.by = &by;
  problem.times = &time;
  problem.digits = 1;
  solve(&problem, &table);
  const double left = 3.7e-6, since = 0x1p-18 - left, until = left - 0x1p-19,
               dq = ((3 - 0x1p-19) * since - (3 - 0x1p-18) * until) / 2; /* of q = (t - t_n) (t_n+1 - t) */
  const dls_rigorous_cell *cell = &table.cell[column(&table, "dq0/dq0")];
  assert_true(dq < 0);
  assert_between(dq, strtod(cell->low, NULL), strtod(cell->high, NULL));
  dls_rigorous_free(&table);
}

DLS_TEST(what_has_no_enclosed_derivative_is_refused)
{
  static const struct {
    const char *model, *values, *time, *by, *message;
    dls_status status;
  } cases[] = {
      {"wedge", "", "0.3", "m", "wedge has no rigorous solution", DLS_ERR_NOT_APPLICABLE},
      {"bouncing-ball", "", "0.3", "q7", "has no parameter q7", DLS_ERR_OPTION},
      {"bouncing-ball", "e=0", "3", "e", "an impact with e = 0", DLS_ERR_NOT_APPLICABLE},
      {"bouncing-ball", "q0=0", "3", "q0", "begins in contact", DLS_ERR_NOT_APPLICABLE},
      {"bouncing-ball", "q0=0", "3", "v0", "begins in contact", DLS_ERR_NOT_APPLICABLE},
      {"bouncing-ball", "q0=0,v0=0,f=0", "3", "f", "rests without a force", DLS_ERR_NOT_APPLICABLE},
      {"two-ball-oscillator", "k=100,e=0.1,q1=0.1", "3", "k", "moves states other than the gap",
       DLS_ERR_NOT_APPLICABLE},
      {"impacting-oscillator", "f=-0.5", NULL, "q0", "limit from the left at an accumulation",
       DLS_ERR_NOT_APPLICABLE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    model_text of;
    dls_error err = {0};
    dls_rigorous_table table;
    dls_rigorous_problem problem = problem_with(cases[i].model, "9", cases[i].values, &of);
    problem.by_count = 1;
    problem.by = &cases[i].by;
    problem.time_count = cases[i].time != NULL;
    problem.times = &cases[i].time;
    const dls_status status = dls_rigorous_solve(&problem, &table, &err);
    if (status != cases[i].status || strstr(err.text, cases[i].message) == NULL) {
      fail_msg("%zu: %s", i, err.text);
    }
    dls_rigorous_free(&table);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_those_of_differences),
      cmocka_unit_test(the_limit_before_the_rest_of_a_ball_is_that_of_its_time),
      cmocka_unit_test(a_time_just_before_the_rest_has_the_derivative_of_its_flight),
      cmocka_unit_test(what_has_no_enclosed_derivative_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
