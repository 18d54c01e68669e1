/* tests/analytic/test_rigorous_tangent_friction.c -- enclosures of derivatives with friction and on the rope, random parameters: differences
 * of enclosures with 45 digits, derivatives of the closed forms in doubles and of event-driven runs, refusals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "random_graph.h"
#include "rigorous_differences.h"
#include <delassus/exact.h>
#include <delassus/scheme.h>
#include <delassus/sensitivity.h>
#include <delassus/sim.h>

extern const dls_scheme dls_scheme_event_driven;

enum { TEXTS = 240 };

/* A parameter is drawn from a range, in thousandths. */
typedef struct range {
  const char *name;
  double low, high;
} range;

static const struct {
  const char *model, *end;
  range range[10];
  const char *without;
} runs[] = {
    {"belt",
     "6.3",
     {{"m", 0.5, 2},
      {"k", 0.5, 2},
      {"F", 0.5, 1},
      {"Fs", 1.1, 1.6},
      {"vb", 0.3, 0.7},
      {"q0", -1, 1},
      {"v0", -1, 1}},
     ",t1,vb1,"},
    {"belt",
     "5.1",
     {{"m", 0.5, 2},
      {"F", 0.5, 1},
      {"Fs", 1.1, 1.6},
      {"vb", 0.3, 0.7},
      {"q0", -1, 1},
      {"v0", -1, 1},
      {"t1", 1, 4},
      {"vb1", -0.7, 0.7}},
     ""},
    {"forced-block",
     "9.1",
     {{"m", 0.5, 2}, {"A", 0.8, 1.5}, {"omega", 0.5, 1.5}, {"phase", -2, 2}, {"v0", -0.5, 0.5}},
     ""},
    {"spring-block",
     "5.3",
     {{"m", 0.5, 2}, {"k", 0.5, 2}, {"F", 0.05, 0.3}, {"q0", 0.7, 2}, {"v0", -0.5, 0.5}},
     ""},
    {"den-hartog",
     "9.7",
     {{"m", 0.5, 2}, {"omega", 0.5, 1.2}, {"phase", -2, 2}, {"q0", -2, 2}, {"v0", -1, 1}},
     ",Fs,"},
    {"den-hartog",
     "9.7",
     {{"k", 0.5, 2},
      {"P", 0.7, 1.5},
      {"F", 0.2, 0.4},
      {"Fs", 0.5, 0.7},
      {"phase", -2, 2},
      {"q0", -2, 2},
      {"v0", -1, 1}},
     ""},
    {"rope",
     "1.3",
     {{"l", 1.8, 2.3}, {"e", 0.5, 1}, {"x0", -1, 1}, {"y0", -1, 1}, {"vx0", -2, 2}, {"vy0", -2, 2}},
     ""},
    {"puck", "0.7", {{"alpha", 0.1, 0.6}, {"mu", 0, 1}, {"v0", 0.5, 2}, {"phi0", 0.2, 2.8}}, ""},
    {"puck", "0.7", {{"alpha", 0.1, 0.6}, {"mu", 0, 1}, {"v0", 0.5, 2}, {"phi0", -2.8, -0.2}}, ""},
};
enum { RUNS = sizeof runs / sizeof runs[0] };

static void draw(size_t r, uint64_t *seed, char text[TEXTS])
{
  size_t used = 0;
  for (const range *p = runs[r].range; p->name != NULL; p++) {
    const double x = p->low + (p->high - p->low) * random_unit(seed);
    used += (size_t)snprintf(text + used, TEXTS - used, "%s%s=%.3f", used > 0 ? "," : "", p->name, x);
  }
}

DLS_TEST(derivatives_are_those_of_differences)
{
  uint64_t seed = random_seed(11);
  for (size_t i = 0; i < 3 * RUNS; i++) {
    char values[TEXTS];
    model_text of;
    draw(i % RUNS, &seed, values);
    const dls_rigorous_problem problem = problem_with(runs[i % RUNS].model, runs[i % RUNS].end, values, &of);
    const double distance = compare_all(problem, &of, runs[i % RUNS].without);
    if (!(distance <= 1e-22)) {
      fail_msg("%s %s: %g", problem.model, values, distance);
    }
  }
}

/* Straight paths of a puck, a start at the limit of friction that the parameter does not move, an impact that ends the motion along the rope. */
DLS_TEST(special_motions_have_derivatives)
{
  static const struct {
    const char *model, *values, *end, *without;
  } cases[] = {
      {"puck", "phi0=0,mu=0.1", "0.7", ""},
      {"puck", "phi0=0,mu=0.5", "0.2", ""},
      {"puck", "phi0=0,mu=0.5", "3", ""},
      {"puck", "alpha=0,phi0=1.1", "0.2", ",alpha,"},
      {"puck", "alpha=0,phi0=1.1", "3", ",alpha,"},
      {"puck", "alpha=0,phi0=1.1,mu=0", "0.2", ",alpha,mu,"},
      {"puck", "v0=0,mu=0.1,alpha=0.3", "3", ",v0,"},
      {"puck", "v0=0,mu=0.5,alpha=0.3", "3", ",v0,"},
      {"belt", "q0=1,v0=0.5", "1", ",k,F,Fs,vb,q0,v0,t1,vb1,"},
      {"den-hartog", "phase=0,F=1,q0=2,v0=0", "1", ",k,P,phase,F,Fs,q0,v0,"},
      {"rope", "e=0,x0=0.3,vy0=5", "1", ",e,"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    model_text of;
    const dls_rigorous_problem problem = problem_with(cases[i].model, cases[i].end, cases[i].values, &of);
    const double distance = compare_all(problem, &of, cases[i].without);
    if (!(distance <= 1e-22)) {
      fail_msg("%s %s: %g", cases[i].model, cases[i].values, distance);
    }
  }
}

/* x is in the cell to within a tolerance, relative to its size. */
static void is_enclosed(const dls_rigorous_table *table, size_t row, const char *of, const char *by, double x,
                        double tolerance)
{
  char name[64];
  snprintf(name, sizeof name, "d%s/d%s", of, by);
  const dls_rigorous_cell *cell = &table->cell[row * table->columns + (size_t)column(table, name)];
  const double low = strtod(cell->low, NULL), high = strtod(cell->high, NULL), size = fmax(1, fabs(low));
  if (!(x >= low - tolerance * size && x <= high + tolerance * size)) {
    fail_msg("%s: %.17g, not %s to %s", name, x, cell->low, cell->high);
  }
}

/* A block that sticks goes with the belt: q = vb t, with a jump of the speed at t1 q = vb t1 + vb1 (t - t1), whatever v0 near vb was. A puck that
 * friction holds stays. */
DLS_TEST(what_sticks_forgets_its_speed)
{
  static const struct {
    const char *model, *values, *by;
    double dq, dv, dt;
  } cases[] = {
      {"belt", "v0=0.5", "v0", 0, 0, 0},
      {"belt", "v0=0.5", "vb", 1.5, 1, 0},
      {"belt", "v0=0.5,t1=1,vb1=0.5", "vb", 1, 0, 0},
      {"belt", "v0=0.5,t1=1,vb1=0.5", "vb1", 0.5, 1, 0},
      {"belt", "v0=0.5,t1=1,vb1=0.5", "t1", 0, 0, 1},
      {"puck", "v0=0,mu=0.5,alpha=0.3", "v0", 0, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    model_text of;
    dls_rigorous_table table;
    dls_rigorous_problem problem = problem_with(cases[i].model, "1.5", cases[i].values, &of);
    problem.by_count = 1;
    problem.by = &cases[i].by;
    solve(&problem, &table);
    is_enclosed(&table, table.rows - 1, "q0", cases[i].by, cases[i].dq, 1e-14);
    is_enclosed(&table, table.rows - 1, "v0", cases[i].by, cases[i].dv, 1e-14);
    is_enclosed(&table, table.rows - 1, "t", cases[i].by, 0, 0);
    if (table.rows > 2) {
      is_enclosed(&table, 1, "t", cases[i].by, cases[i].dt, 0);
    }
    dls_rigorous_free(&table);
  }
}

/* --- doubles --- */

static void parameters_of(const dls_rigorous_problem *problem, double p[MOST])
{
  for (size_t i = 0; i < problem->parameter_count; i++) {
    p[i] = strtod(problem->values[i], NULL);
  }
}

/* q and v of the last row, from derivatives dx: n of q, n of v. */
static void states_are_enclosed(const dls_rigorous_table *table, const char *by, size_t n, const double *dx,
                                double tolerance)
{
  for (size_t i = 0; i < 2 * n; i++) {
    char of[8];
    snprintf(of, sizeof of, "%c%d", i < n ? 'q' : 'v', (int)(i % n));
    is_enclosed(table, table->rows - 1, of, by, dx[i], tolerance);
  }
}

/* In doubles: the closed form. @return whether it has a derivative, at a bound of p to one side */
static bool compare_with_closed_form(const dls_rigorous_problem *problem, const dls_rigorous_table *enclosed,
                                     const char *by)
{
  double p[MOST], dx[8];
  const dls_exact *exact = dls_exact_find(problem->model);
  const double end = strtod(problem->end, NULL);
  dls_trajectory *table = NULL;
  dls_exact_derivative derivative;
  dls_error err = {0};
  parameters_of(problem, p);
  assert_ok(dls_exact_at(exact, p, 1, &end, &table, &err), err);
  assert_ok(dls_exact_differentiate(exact, p, 1, &by, table, &derivative, &err), err);
  const size_t n = table->n;
  assert_true(2 * n <= 8);
  for (size_t i = 0; i < 2 * n; i++) {
    dx[i] = dls_trajectory_at(table, table->rows - 1, table->columns - 2 * n + i);
  }
  const bool known = derivative.status <= DLS_DERIVATIVE_ONE_SIDED;
  if (known) {
    states_are_enclosed(enclosed, by, n, dx, derivative.status == DLS_DERIVATIVE_OK ? 1e-9 : 1e-7);
  }
  dls_trajectory_destroy(table);
  return known;
}

/* The tangent of an event-driven run, and the derivative of the time of its last event. */
static void compare_with_run(const dls_rigorous_problem *problem, const dls_rigorous_table *enclosed,
                             const char *by)
{
  double p[MOST], dx[8];
  const dls_model *model = dls_exact_find(problem->model)->model;
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_direction direction;
  dls_error err = {0};
  parameters_of(problem, p);
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  assert_ok(dls_direction_create(model, p, by, &direction, &err), err);
  assert_ok(dls_sim_create(sys, &dls_scheme_event_driven, &sim, &err), err);
  assert_ok(dls_sim_set(sim, "tol=1e-12", &err), err);
  assert_ok(dls_sim_differentiate(sim, 1, &direction, &err), err);
  assert_ok(dls_run(sim, &(dls_run_spec){.end = strtod(problem->end, NULL)}, &err), err);
  const dls_tangent *tangent = &sim->sensitivity->tangent[0];
  memcpy(dx, tangent->dq, sys->n * sizeof *dx);
  memcpy(dx + sys->n, tangent->dv, sys->n * sizeof *dx);
  states_are_enclosed(enclosed, by, sys->n, dx, 1e-8);
  if (enclosed->rows > 2) {
    /* that of a puck's rest, where the direction of slip is lost, to the speed at which slip ends */
    is_enclosed(enclosed, enclosed->rows - 2, "t", by, tangent->dt,
                strcmp(problem->model, "puck") == 0 ? 1e-5 : 1e-8);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  dls_direction_release(&direction);
}

DLS_TEST(closed_forms_in_doubles_and_event_driven_runs_have_them)
{
  uint64_t seed = random_seed(12);
  size_t known = 0, all = 0;
  for (size_t i = 0; i < 4 * RUNS; i++) {
    char values[TEXTS];
    model_text of;
    dls_rigorous_table table;
    draw(i % RUNS, &seed, values);
    dls_rigorous_problem problem = problem_with(runs[i % RUNS].model, runs[i % RUNS].end, values, &of);
    for (const range *p = runs[i % RUNS].range; p->name != NULL; p++, all++) {
      problem.by_count = 1;
      problem.by = &p->name;
      problem.digits = 20;
      solve(&problem, &table);
      known += compare_with_closed_form(&problem, &table, p->name);
      compare_with_run(&problem, &table, p->name);
      dls_rigorous_free(&table);
    }
  }
  assert_between((double)known, 0.95 * (double)all, (double)all);
}

/* On a level plane the slope is at the bound of its range, and bends the path. */
DLS_TEST(a_slope_that_begins_has_the_derivative_of_the_closed_form)
{
  static const char *const values[] = {"alpha=0,phi0=1.1", "alpha=0,phi0=-2,mu=0"},
                           *const times[] = {"0.2", "3"}, *const by = "alpha";
  for (size_t i = 0; i < 4; i++) {
    model_text of;
    dls_rigorous_table table;
    dls_rigorous_problem problem = problem_with("puck", times[i % 2], values[i / 2], &of);
    problem.by_count = 1;
    problem.by = &by;
    solve(&problem, &table);
    assert_true(compare_with_closed_form(&problem, &table, by));
    dls_rigorous_free(&table);
  }
}

/* The words of docs/reference/derivatives.md. */
DLS_TEST(where_there_is_no_derivative_the_reason_is_reported)
{
  static const struct {
    const char *model, *values, *by, *message;
  } cases[] = {
      {"den-hartog", "", "Fs", "t = 0 s: discontinuous: Fs = 0 stands for Fs = F"},
      {"belt", "", "t1", "t = 0 s: discontinuous: t1 = 0 stands for"},
      {"belt", "q0=2,v0=0.5", "v0", "t = 0 s: one-sided: it slips from the speed of the belt on"},
      {"belt", "q0=2,v0=0.5", "vb", "one-sided: it slips from the speed of the belt on"},
      {"belt", "v0=0,t1=1,vb1=0,vb=0,q0=0.5,F=0.25,Fs=0.25", "v0",
       "one-sided: it slips from the speed of the belt on"},
      {"belt", "q0=1,v0=0.5", "q0", "one-sided: the friction force is at its limit"},
      {"belt", "q0=1,v0=0.5", "Fs", "one-sided: the friction force is at its limit"},
      {"belt", "q0=-1,v0=0.5", "k", "one-sided: the friction force is at its limit"},
      {"belt", "q0=-1,v0=0.5", "v0", "one-sided: the friction force is at its limit"},
      {"den-hartog", "phase=0,F=1,q0=2,v0=0", "phase", "one-sided: the friction force is at its limit"},
      {"den-hartog", "phase=0,F=1,q0=2,v0=0", "P", "one-sided: the friction force is at its limit"},
      {"puck", "v0=0,mu=0.1,alpha=0.3", "v0", "one-sided: from rest it slides straight down"},
      {"puck", "v0=0,mu=0,alpha=0", "alpha", "one-sided: it rests without friction"},
      {"puck", "v0=0,mu=0,alpha=0", "v0", "one-sided: it rests without friction"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    model_text of;
    dls_error err = {0};
    dls_rigorous_table table;
    dls_rigorous_problem problem = problem_with(cases[i].model, "1", cases[i].values, &of);
    problem.by_count = 1;
    problem.by = &cases[i].by;
    const dls_status status = dls_rigorous_solve(&problem, &table, &err);
    if (status != DLS_ERR_NOT_APPLICABLE || strstr(err.text, cases[i].message) == NULL) {
      fail_msg("%s %s by %s: %s", cases[i].model, cases[i].values, cases[i].by, err.text);
    }
    dls_rigorous_free(&table);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_those_of_differences),
      cmocka_unit_test(special_motions_have_derivatives),
      cmocka_unit_test(what_sticks_forgets_its_speed),
      cmocka_unit_test(closed_forms_in_doubles_and_event_driven_runs_have_them),
      cmocka_unit_test(a_slope_that_begins_has_the_derivative_of_the_closed_form),
      cmocka_unit_test(where_there_is_no_derivative_the_reason_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
