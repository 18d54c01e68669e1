/* test_flat_reference.c -- a reference that is kept gives the distances and the lines of `order`, digit by digit; events and graphs as
 * arrays; what can be set, and what a scheme treats, come from the registries.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/catalogue.h>
#include <delassus/exact.h>
#include <delassus/flat.h>
#include <delassus/plugin.h>
#include <delassus/study.h>
#include <delassus/work.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char error[400];

static void assert_same(double a, double b)
{
  if (!(a == b || (isnan(a) && isnan(b)))) {
    fail_msg("%.17g is not %.17g", a, b);
  }
}

static void assert_refused(int status, const char *text)
{
  assert_true(status < 0);
  if (strstr(error, text) == NULL) {
    fail_msg("\"%s\" is not in \"%s\"", text, error);
  }
}

/* --- units --- */

DLS_TEST(errors_have_the_unit_of_their_norm)
{
  static const struct {
    const char *norm, *of, *unit;
  } cases[] = {{"hausdorff", "q", "max(s, m)"}, {"l1", "v", "s·m/s"}, {"grid-max", "v0", "m/s"},
               {"l2", "q", "s^{1/2}·m"},        {"events", "q", "s"}, {"max", "q0", "m"}};
  dls_flat_reference *reference = NULL;
  char unit[60];
  assert_int_equal(dls_flat_reference_create(NULL, "bouncing-ball", 0, NULL, 1.5, 0, 0, NULL, NULL, NULL,
                                             &reference, error, sizeof error),
                   0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(
        dls_flat_distance_unit(reference, cases[i].norm, cases[i].of, unit, sizeof unit, error, sizeof error),
        0);
    assert_string_equal(unit, cases[i].unit);
  }
  assert_refused(dls_flat_distance_unit(reference, "l7", "q", unit, sizeof unit, error, sizeof error),
                 "unknown norm 'l7'");
  assert_string_equal(unit, "");
  assert_refused(dls_flat_distance_unit(reference, "l1", "q7", unit, sizeof unit, error, sizeof error),
                 "no quantity \"q7\"");
  dls_flat_reference_free(reference);
}

/* --- the numbers of `order` --- */

enum { MOST_SCHEMES = 3, MOST_POINTS = 100 };

/* A study, and the same by single runs. */
typedef struct study_case {
  const char *model, *setting;
  double end, h_first, h_last;
  const char *schemes[MOST_SCHEMES];
} study_case;

static const char *const norms[] = {"hausdorff", "l1", "lp:p=3", "grid-max", "events", "m1"};
static const char *const of[] = {"q", "v0", "v"};
enum { NORMS = 6, OF = 3, LEVELS = 4, REPEATS = DLS_TEST_CASES(3, 2) };

static dls_order_study *study_of(const study_case *c, dls_model_choice *model, dls_scheme_choice *schemes,
                                 dls_norm_choice *choices)
{
  dls_error err = {0};
  const dls_norm *all[NORMS];
  const bool law = c->setting != NULL && strncmp(c->setting, "law=", 4) == 0;
  assert_int_equal(dls_model_choose("", dls_model_find(c->model, NULL), c->setting != NULL && !law, &c->setting,
                                    model, &err),
                   DLS_OK);
  if (law) {
    assert_int_equal(dls_catalogue_choose_law(NULL, "", c->setting + 4, model, &err), DLS_OK);
  }
  for (size_t i = 0; i < NORMS; i++) {
    assert_int_equal(dls_norm_read(norms[i], &choices[i], &err), DLS_OK);
    all[i] = &choices[i].norm;
  }
  size_t count = 0;
  for (; count < MOST_SCHEMES && c->schemes[count] != NULL; count++) {
    assert_int_equal(dls_scheme_choose(c->schemes[count], &schemes[count], &err), DLS_OK);
  }
  const dls_order_spec spec = {.model = model->model,
                               .parameters = model->parameters,
                               .end = c->end,
                               .scheme_count = count,
                               .schemes = schemes,
                               .h_first = c->h_first,
                               .h_last = c->h_last,
                               .levels = LEVELS,
                               .repeats = REPEATS,
                               .seed = 7,
                               .norm_count = NORMS,
                               .norms = all,
                               .of_count = OF,
                               .of = of,
                               .metric = dls_metric_default};
  dls_order_study *study = NULL;
  assert_int_equal(dls_order_run(&spec, &study, &err), DLS_OK);
  return study;
}

/* Every error of a study by a run of its own. */
static void compare_points(const study_case *c, const dls_order_study *study, dls_flat_reference *reference)
{
  dls_trajectory *run = NULL;
  const dls_order_point *last = NULL;
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    if (last == NULL || last->scheme != point->scheme || last->level != point->level ||
        last->repeat != point->repeat) {
      dls_flat_free(run);
      assert_int_equal(dls_flat_run(NULL, c->model, c->setting != NULL, &c->setting, c->schemes[point->scheme],
                                    isnan(point->step) ? 0 : point->step, c->end, NULL, NULL, &run, error,
                                    sizeof error),
                       0);
    }
    double values[2];
    const int status =
        dls_flat_distance(reference, run, norms[point->norm], of[point->of], values, error, sizeof error);
    assert_int_equal(status == 0, point->reason[0] == '\0');
    assert_same(values[0], point->error.value);
    assert_same(values[1], point->error.bound);
    last = point;
  }
  dls_flat_free(run);
}

static size_t gather(const dls_order_study *study, const dls_order_line *line, dls_against against, double *x,
                     double *errors, size_t *level)
{
  size_t count = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *p = &study->points[i];
    if (p->scheme == line->scheme && p->norm == line->norm && p->of == line->of) {
      x[count] = against == DLS_AGAINST_STEP ? isnan(p->step) ? 1 : p->step
                                             : (double)(p->work.steps + p->work.rejected);
      level[count] = p->level;
      errors[count++] = p->error.value;
    }
  }
  return count;
}

static void compare_line(const study_case *c, const dls_order_study *study, const dls_order_line *line,
                         dls_against against, dls_flat_reference *reference)
{
  double x[MOST_POINTS], errors[MOST_POINTS], values[DLS_FLAT_LINE_VALUES];
  size_t level[MOST_POINTS];
  char words[300];
  const dls_flat_points points = {.count = gather(study, line, against, x, errors, level),
                                  .x = x,
                                  .errors = errors,
                                  .level = level,
                                  .against = against == DLS_AGAINST_STEP ? NULL : "steps"};
  assert_int_equal(dls_flat_line(reference, c->schemes[line->scheme], norms[line->norm], of[line->of], &points,
                                 values, words, sizeof words, error, sizeof error),
                   0);
  assert_int_equal(values[DLS_FLAT_LINE_FITTED], line->fitted);
  assert_same(values[DLS_FLAT_LINE_ORDER], line->fit.order);
  assert_same(values[DLS_FLAT_LINE_LOW], line->fit.ci_low);
  assert_same(values[DLS_FLAT_LINE_HIGH], line->fit.ci_high);
  assert_same(values[DLS_FLAT_LINE_CONSTANT], line->fit.constant);
  assert_same(values[DLS_FLAT_LINE_X_MIN], line->fit.h_min);
  assert_same(values[DLS_FLAT_LINE_X_MAX], line->fit.h_max);
  assert_same(values[DLS_FLAT_LINE_POINTS], (double)line->fit.points);
  if (against == DLS_AGAINST_STEP) {
    assert_same(values[DLS_FLAT_LINE_MEDIAN], line->medians.order);
    assert_same(values[DLS_FLAT_LINE_MEDIAN_LOW], line->medians.ci_low);
    assert_same(values[DLS_FLAT_LINE_PUBLISHED], line->published);
    assert_non_null(strstr(words, line->agreement));
  }
  if (!line->fitted && strcmp(line->reason, "it chooses its own steps") != 0 &&
      strstr(words, "runs failed") == NULL) {
    if (strstr(words, line->reason) == NULL) {
      fail_msg("%s, %s of %s: \"%s\" is not in \"%s\"", c->schemes[line->scheme], norms[line->norm],
               of[line->of], line->reason, words);
    }
  }
}

static void compare_lines(const study_case *c, const dls_order_study *study, dls_flat_reference *reference)
{
  dls_error err = {0};
  dls_work_study *work = NULL;
  assert_int_equal(dls_work_fit(study, DLS_AGAINST_STEPS, &work, &err), DLS_OK);
  for (size_t i = 0; i < study->line_count; i++) {
    compare_line(c, study, &study->lines[i], DLS_AGAINST_STEP, reference);
    compare_line(c, study, &work->lines[i], DLS_AGAINST_STEPS, reference);
  }
  dls_work_destroy(work);
}

DLS_TEST(distances_and_lines_are_those_of_a_study)
{
  static const study_case cases[] = {
      {"bouncing-ball", "e=0.7", 2.5, 0.1, 1e-3, {"moreau-jean", "schatzman-paoli", "event-driven"}},
      {"impacting-oscillator", NULL, 4, 0.1, 1e-2, {"moreau-jean:theta=1", "nonsmooth-newmark"}},
      {"two-ball-oscillator", NULL, 1.5, 0.05, 1e-3, {"moreau-jean"}},
      {"wedge", NULL, 0.8, 0.05, 1e-3, {"moreau-jean"}}, /* without an exact solution */
      {"bouncing-ball", "law=newton:e=0.5", 2.5, 0.1, 1e-2, {"moreau-jean"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const study_case *c = &cases[i];
    dls_model_choice model = {0};
    dls_scheme_choice schemes[MOST_SCHEMES];
    dls_norm_choice choices[NORMS];
    dls_flat_reference *reference = NULL;
    dls_order_study *study = study_of(c, &model, schemes, choices);
    assert_int_equal(dls_flat_reference_create(NULL, c->model, c->setting != NULL, &c->setting, c->end, 0, OF,
                                               of, NULL, NULL, &reference, error, sizeof error),
                     0);
    assert_string_equal(dls_flat_reference_text(reference), study->reference);
    assert_same(dls_flat_reference_error(reference), study->reference_error);
    assert_int_equal(dls_flat_reference_exact(reference), strncmp(study->reference, "exact", 5) == 0);
    assert_int_equal(dls_flat_reference_exact(reference), i < 3);
    const dls_trajectory *rows = dls_flat_reference_rows(reference);
    compare_points(c, study, reference);
    compare_lines(c, study, reference);
    assert_ptr_equal(dls_flat_reference_rows(reference), rows); /* it is kept */
    dls_flat_reference_free(reference);
    dls_order_destroy(study);
    dls_model_choice_release(&model);
  }
}

/* The ball under a name of its own, whose exact solution counts how often it is made. */
static size_t made;
static const dls_exact *ball_solution;

static dls_status count_create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  made++;
  return ball_solution->create(p, end, out, err);
}

static int count_poll(void *data, double done)
{
  *(size_t *)data += 1;
  assert_between(done, 0, 1);
  return 1;
}

DLS_TEST(a_reference_is_computed_once)
{
  dls_catalogue *catalogue = NULL;
  dls_flat_reference *reference = NULL;
  dls_model model = *dls_model_find("bouncing-ball", NULL);
  model.name = "counted-ball";
  ball_solution = dls_exact_find("bouncing-ball");
  dls_exact exact = *ball_solution;
  exact.model = &model;
  exact.create = count_create;
  const dls_plugin plugin = {DLS_PLUGIN_HEAD, .name = "counted", .version = "1",
                             .models = (const dls_model *const[]){&model, NULL},
                             .exacts = (const dls_exact *const[]){&exact, NULL}};
  assert_int_equal(dls_flat_open(&catalogue, error, sizeof error), 0);
  assert_int_equal(dls_catalogue_add(catalogue, &plugin, NULL, NULL, NULL), DLS_OK);
  made = 0;
  assert_int_equal(dls_flat_reference_create(catalogue, "counted-ball", 0, NULL, 1.5, 0, 0, NULL, NULL, NULL,
                                             &reference, error, sizeof error),
                   0);
  assert_int_equal(made, 1);
  double steps[3], errors[3], values[2], line[DLS_FLAT_LINE_VALUES];
  char words[300];
  for (size_t i = 0; i < 3; i++) {
    dls_trajectory *run = NULL;
    steps[i] = 0.1 / (double)(i + 1);
    assert_int_equal(dls_flat_run(catalogue, "counted-ball", 0, NULL, "moreau-jean", steps[i], 1.5, NULL, NULL,
                                  &run, error, sizeof error),
                     0);
    for (size_t norm = 0; norm < 2; norm++) {
      assert_int_equal(dls_flat_distance(reference, run, norms[norm], "v", values, error, sizeof error), 0);
      assert_between(values[0], 1e-6, 10);
    }
    errors[i] = values[0];
    dls_flat_free(run);
  }
  const dls_flat_points points = {.count = 3, .x = steps, .errors = errors};
  assert_int_equal(dls_flat_line(reference, "schatzman-paoli", "l1", "v", &points, line, words, sizeof words,
                                 error, sizeof error),
                   0);
  assert_int_equal(made, 1);
  dls_flat_reference_free(reference);
  dls_flat_close(catalogue);
}

DLS_TEST(a_reference_by_events_says_so_and_polls)
{
  dls_flat_reference *reference = NULL;
  size_t polls = 0;
  assert_int_equal(dls_flat_reference_create(NULL, "bouncing-ball", 0, NULL, 1.5, 1, 0, NULL, count_poll,
                                             &polls, &reference, error, sizeof error),
                   0);
  assert_true(polls > 0);
  assert_false(dls_flat_reference_exact(reference));
  assert_non_null(strstr(dls_flat_reference_text(reference), "event-driven:tol=1e-11"));
  dls_flat_reference_free(reference);
}

static int stop(void *data, double done)
{
  (void)data, (void)done;
  return 0;
}

DLS_TEST(wrong_requests_of_references_leave_a_message)
{
  dls_flat_reference *reference = NULL;
  dls_trajectory *run = NULL, *other = NULL;
  double values[2];
  const char *const derivative[] = {"dq0/de"}, *const law[] = {"law=nothing"};
  const char *const unknown[] = {"colour"};
  assert_refused(dls_flat_reference_create(NULL, "ball", 0, NULL, 1, 0, 0, NULL, NULL, NULL, &reference, error,
                                           sizeof error),
                 "bouncing-ball");
  assert_null(reference);
  assert_refused(dls_flat_reference_create(NULL, NULL, 0, NULL, 1, 0, 0, NULL, NULL, NULL, &reference, error,
                                           sizeof error),
                 "model = NULL");
  assert_refused(dls_flat_reference_create(NULL, "wedge", 1, NULL, 1, 0, 0, NULL, NULL, NULL, &reference, error,
                                           sizeof error),
                 "settings = NULL");
  assert_refused(dls_flat_reference_create(NULL, "wedge", 2, (const char *const[]){"e=0.5", NULL}, 1, 0, 0,
                                           NULL, NULL, NULL, &reference, error, sizeof error),
                 "setting 1 = NULL");
  assert_refused(dls_flat_reference_create(NULL, "wedge", 1, law, 1, 0, 0, NULL, NULL, NULL, &reference, error,
                                           sizeof error),
                 "nothing");
  assert_refused(dls_flat_reference_create(NULL, "wedge", 0, NULL, NAN, 0, 0, NULL, NULL, NULL, &reference,
                                           error, sizeof error),
                 "end = nan s is not allowed");
  assert_refused(dls_flat_reference_create(NULL, "wedge", 0, NULL, 1, 2, 0, NULL, NULL, NULL, &reference, error,
                                           sizeof error),
                 "kind = 2 is outside [0, 1]");
  assert_refused(dls_flat_reference_create(NULL, "wedge", 0, NULL, 1, 0, 1, derivative, NULL, NULL, &reference,
                                           error, sizeof error),
                 "not a derivative");
  assert_refused(dls_flat_reference_create(NULL, "wedge", 0, NULL, 1, 0, 1, unknown, NULL, NULL, &reference,
                                           error, sizeof error),
                 "no quantity \"colour\"");
  assert_int_equal(dls_flat_reference_create(NULL, "wedge", 0, NULL, 1, 0, 0, NULL, stop, NULL, &reference,
                                             error, sizeof error),
                   DLS_ERR_INTERRUPTED);
  assert_null(reference);

  assert_int_equal(dls_flat_reference_create(NULL, "bouncing-ball", 0, NULL, 1.5, 0, 0, NULL, NULL, NULL,
                                             &reference, error, sizeof error),
                   0);
  assert_int_equal(dls_flat_run(NULL, "bouncing-ball", 0, NULL, "moreau-jean", 0.1, 1.5, NULL, NULL, &run,
                                error, sizeof error),
                   0);
  assert_int_equal(dls_flat_run(NULL, "two-ball-oscillator", 0, NULL, "moreau-jean", 0.1, 1, NULL, NULL, &other,
                                error, sizeof error),
                   0);
  assert_refused(dls_flat_distance(reference, NULL, "l1", "q", values, error, sizeof error), "run = NULL");
  assert_refused(dls_flat_distance(reference, other, "l1", "q", values, error, sizeof error),
                 "different models");
  assert_true(isnan(values[0]));
  assert_refused(dls_flat_distance(reference, run, "l7", "q", values, error, sizeof error),
                 "unknown norm 'l7'");
  assert_refused(dls_flat_distance(reference, run, "l1:p=2", "q", values, error, sizeof error), "no options");
  assert_refused(dls_flat_distance(reference, run, NULL, "q", values, error, sizeof error), "norm = NULL");
  assert_refused(dls_flat_distance(reference, run, "l1", NULL, values, error, sizeof error), "of = NULL");
  assert_refused(dls_flat_distance(reference, run, "l1", "q7", values, error, sizeof error),
                 "no quantity \"q7\"");
  assert_refused(dls_flat_distance(reference, run, "l1", "dq0/de", values, error, sizeof error),
                 "not a derivative");
  assert_int_equal(dls_flat_distance(reference, run, "l1", "q", values, error, sizeof error), 0);
  assert_true(dls_flat_distance(reference, NULL, "l1", "q", values, NULL, 0) < 0);

  static const double x[] = {0.1, 0.01, 0.001}, wrong[] = {0.1, 0, 1}, errors[] = {1e-1, 1e-2, 1e-3};
  static const size_t level[] = {0, 1, 3};
  static const struct {
    const char *scheme, *norm, *of;
    dls_flat_points points;
    const char *text;
  } lines[] = {
      {"moreau", "l1", "q", {3, x, errors, NULL, NULL}, "unknown scheme 'moreau'"},
      {NULL, "l1", "q", {3, x, errors, NULL, NULL}, "scheme = NULL"},
      {"moreau-jean", "l", "q", {3, x, errors, NULL, NULL}, "unknown norm 'l'"},
      {"moreau-jean", "l1", "x", {3, x, errors, NULL, NULL}, "no quantity \"x\""},
      {"moreau-jean", "l1", "q", {0, x, errors, NULL, NULL}, "count = 0 points"},
      {"moreau-jean", "l1", "q", {3, NULL, errors, NULL, NULL}, "no x"},
      {"moreau-jean", "l1", "q", {3, x, NULL, NULL, NULL}, "no errors"},
      {"moreau-jean", "l1", "q", {3, wrong, errors, NULL, NULL}, "x = 0 of point 1 is not allowed"},
      {"moreau-jean", "l1", "q", {3, x, errors, NULL, "steps"}, "and an integer"},
      {"moreau-jean", "l1", "q", {3, x, errors, level, NULL}, "level 3 of point 2 is outside [0, 2]"},
      {"moreau-jean", "l1", "q", {3, x, errors, NULL, "money"}, "against = 'money'"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    double fitted[DLS_FLAT_LINE_VALUES];
    char words[300];
    assert_refused(dls_flat_line(reference, lines[i].scheme, lines[i].norm, lines[i].of, &lines[i].points,
                                 fitted, words, sizeof words, error, sizeof error),
                   lines[i].text);
  }
  dls_flat_free(run);
  dls_flat_free(other);
  dls_flat_reference_free(reference);
  dls_flat_reference_free(NULL);
}

/* --- what is drawn --- */

DLS_TEST(events_come_as_one_array)
{
  dls_trajectory *run = NULL;
  assert_int_equal(
      dls_flat_run(NULL, "woodpecker", 0, NULL, "event-driven", 0, 1, NULL, NULL, &run, error, sizeof error),
      0);
  size_t columns = 0, kinds = 0, count = 0, with_friction = 0;
  const char *unit = NULL, *kind = NULL;
  while (dls_flat_event_column(columns, &unit) != NULL) {
    assert_non_null(unit);
    columns++;
  }
  while (dls_flat_event_kind(kinds) != NULL) {
    kinds++;
  }
  assert_string_equal(dls_flat_event_kind(0), "impact");
  assert_string_equal(dls_flat_event_column(1, NULL), "t");
  const size_t rows = dls_flat_event_count(run);
  assert_between((double)rows, 1, 1000);
  double *values = malloc(rows * columns * sizeof *values), single[7], friction[8];
  assert_non_null(values);
  dls_flat_events(run, values);
  for (; (kind = dls_flat_event(run, count, single)) != NULL; count++) {
    const double *row = values + count * columns;
    assert_string_equal(dls_flat_event_kind((size_t)row[0]), kind);
    for (size_t j = 0; j < 5; j++) {
      assert_same(row[1 + j], single[j]);
    }
    const int slips = dls_flat_event_friction(run, count, friction);
    with_friction += slips > 0;
    assert_same(row[8], slips > 0 ? friction[0] : NAN);
    assert_same(row[columns - 1], slips > 0 ? friction[3 * slips + 1] : NAN);
  }
  assert_int_equal(count, rows);
  assert_between((double)with_friction, 3, (double)rows - 3);
  free(values);
  assert_int_equal(dls_flat_columns(run), run->columns);
  for (size_t i = 0; i < dls_flat_rows(run); i++) {
    assert_same(dls_flat_values(run)[i * dls_flat_columns(run) + 1], dls_trajectory_at(run, i, 1));
  }
  dls_flat_free(run);
}

/* Energies and works in J, momenta in N s. */
DLS_TEST(columns_of_ledgers_have_units)
{
  static const struct {
    const char *name, *unit;
  } cases[] = {{"t", ""},         {"kinetic", "J"},         {"impact", "J"}, {"num_stiffness", "J"},
               {"residual", "J"}, {"sum_num_impulse", "J"}, {"px", "N s"},   {"sum_friction", "J"}};
  dls_trajectory *rows = NULL;
  char *table = NULL, words[64], unit[24];
  assert_int_equal(dls_flat_energy(NULL, "impacting-oscillator", 0, NULL, "moreau-jean", 0.05, 0.5, NULL, NULL,
                                   &rows, &table, error, sizeof error),
                   0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t column = 0;
    while (strcmp(dls_flat_column_name(rows, column), cases[i].name) != 0) {
      column++;
    }
    assert_int_equal(dls_flat_column_unit(rows, column, words, sizeof words, unit, sizeof unit), 0);
    assert_string_equal(unit, cases[i].unit);
  }
  dls_flat_text_free(table);
  dls_flat_free(rows);
}

/* Every vertex lies on the graph; jumps of v are vertical. */
DLS_TEST(graphs_are_polylines_on_the_graph)
{
  dls_flat_reference *reference = NULL;
  dls_trajectory *line = NULL;
  assert_int_equal(dls_flat_reference_create(NULL, "bouncing-ball", 0, NULL, 2.5, 0, 0, NULL, NULL, NULL,
                                             &reference, error, sizeof error),
                   0);
  assert_int_equal(dls_flat_graph(dls_flat_reference_rows(reference), "v0", 600, &line, error, sizeof error),
                   0);
  const size_t rows = dls_flat_rows(line);
  const double *values = dls_flat_values(line);
  size_t jumps = 0;
  assert_between((double)rows, 100, 2000);
  assert_string_equal(dls_flat_column_name(line, 1), "v0");
  for (size_t i = 0; i < rows; i++) {
    const double t = values[2 * i];
    if (t < 1) {
      assert_close(values[2 * i + 1], -2 * t, 1e-12);
    }
    jumps += i > 0 && values[2 * i - 2] == t;
  }
  assert_between((double)jumps, 1, 3);
  dls_flat_free(line);
  assert_refused(dls_flat_graph(dls_flat_reference_rows(reference), "v0", 5, &line, error, sizeof error),
                 "at least 6");
  assert_refused(dls_flat_graph(dls_flat_reference_rows(reference), "x", 600, &line, error, sizeof error),
                 "no quantity \"x\"");
  dls_flat_reference_free(reference);
  assert_int_equal(dls_flat_reference_create(NULL, "two-ball-oscillator", 0, NULL, 1, 0, 0, NULL, NULL, NULL,
                                             &reference, error, sizeof error),
                   0);
  assert_refused(dls_flat_graph(dls_flat_reference_rows(reference), "q", 600, &line, error, sizeof error),
                 "has 2 components");
  assert_null(line);
  dls_flat_reference_free(reference);
}

/* --- what can be set --- */

static void compare_options(const char *kind, const char *entry, const dls_option *table)
{
  const char *texts[2], *name = NULL;
  double values[5];
  size_t i = 0;
  for (; (name = dls_flat_option(NULL, kind, entry, i, texts, values)) != NULL; i++) {
    assert_string_equal(name, table[i].name);
    assert_string_equal(texts[0], table[i].unit);
    assert_string_equal(texts[1], table[i].help);
    assert_same(values[0], table[i].initial);
    assert_true(values[1] <= values[0] && values[0] <= values[2]);
    assert_int_equal(values[4], table[i].open);
    size_t words = 0;
    while (dls_flat_option_word(NULL, kind, entry, i, words) != NULL) {
      assert_string_equal(dls_flat_option_word(NULL, kind, entry, i, words), table[i].choices[words]);
      words++;
    }
    assert_true(table[i].kind == DLS_CHOICE ? words > 0 && table[i].choices[words] == NULL : words == 0);
    assert_same(values[3], table[i].kind == DLS_CHOICE ? 2 : table[i].kind == DLS_INTEGER ? 1 : 0);
  }
  assert_int_equal(i, dls_option_count(table));
}

DLS_TEST(what_can_be_set_is_what_the_registries_have)
{
  for (const dls_model *const *model = dls_models(); *model != NULL; model++) {
    compare_options("model", (*model)->name, (*model)->parameters);
  }
  for (const dls_scheme *const *scheme = dls_schemes(); *scheme != NULL; scheme++) {
    compare_options("scheme", (*scheme)->name, (*scheme)->options);
  }
  for (const dls_law *const *law = dls_catalogue_laws(NULL); *law != NULL; law++) {
    compare_options("law", (*law)->name, (*law)->parameters);
  }
  for (const dls_norm *const *norm = dls_norms(); *norm != NULL; norm++) {
    compare_options("norm", (*norm)->name, (*norm)->options);
  }
  assert_null(dls_flat_option(NULL, "model", "ball", 0, NULL, NULL));
  assert_null(dls_flat_option(NULL, "colour", "ball", 0, NULL, NULL));
  assert_string_equal(dls_flat_name(NULL, "norm", 0), dls_norms()[0]->name);
  assert_string_equal(dls_flat_name(NULL, "law", 0), dls_catalogue_laws(NULL)[0]->name);
  assert_non_null(dls_flat_name(NULL, "study", 0));
  assert_null(dls_flat_name(NULL, "study", 100000));
  assert_null(dls_flat_name(NULL, "norm", 100000));
}

DLS_TEST(a_system_says_its_sizes_and_what_treats_it)
{
  dls_flat_system *system = NULL;
  const char *const setting[] = {"q0=1"};
  double sizes[7], initial[2];
  char words[64], unit[24], rate[24];
  assert_int_equal(dls_flat_system_create(NULL, "bouncing-ball", 1, setting, &system, error, sizeof error), 0);
  dls_flat_system_sizes(system, sizes);
  assert_same(sizes[0], 1);
  assert_same(sizes[1], 1);
  assert_same(sizes[6], 1);
  assert_int_equal(
      dls_flat_system_coordinate(system, 0, initial, words, sizeof words, unit, sizeof unit, rate, sizeof rate),
      0);
  assert_same(initial[0], 1);
  assert_string_equal(unit, "m");
  assert_string_equal(rate, "m/s");
  assert_true(dls_flat_system_coordinate(system, 1, NULL, words, 64, unit, 24, rate, 24) < 0);
  assert_int_equal(dls_flat_system_treats(system, "moreau-jean:theta=1", error, sizeof error), 0);
  assert_refused(dls_flat_system_treats(system, "moreau-jean:theta=7", error, sizeof error), "theta = 7");
  dls_flat_system_free(system);
  dls_flat_system_free(NULL);
  assert_int_equal(dls_flat_system_create(NULL, "puck", 0, NULL, &system, error, sizeof error), 0);
  dls_flat_system_sizes(system, sizes);
  assert_same(sizes[2], 3);
  size_t treated = 0, refused = 0;
  for (const dls_scheme *const *scheme = dls_schemes(); *scheme != NULL; scheme++) {
    const int status = dls_flat_system_treats(system, (*scheme)->name, error, sizeof error);
    treated += status == 0;
    refused += status == DLS_ERR_NOT_APPLICABLE && strstr(error, (*scheme)->name) != NULL;
  }
  assert_between((double)treated, 5, 100);
  assert_between((double)refused, 5, 100);
  dls_flat_system_free(system);
  assert_refused(dls_flat_system_create(NULL, "puk", 0, NULL, &system, error, sizeof error), "puck");
  assert_null(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_have_the_unit_of_their_norm),
      cmocka_unit_test(distances_and_lines_are_those_of_a_study),
      cmocka_unit_test(a_reference_is_computed_once),
      cmocka_unit_test(a_reference_by_events_says_so_and_polls),
      cmocka_unit_test(wrong_requests_of_references_leave_a_message),
      cmocka_unit_test(events_come_as_one_array),
      cmocka_unit_test(columns_of_ledgers_have_units),
      cmocka_unit_test(graphs_are_polylines_on_the_graph),
      cmocka_unit_test(what_can_be_set_is_what_the_registries_have),
      cmocka_unit_test(a_system_says_its_sizes_and_what_treats_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
