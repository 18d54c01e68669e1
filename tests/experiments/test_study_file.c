/* test_study_file.c -- study files: what is read, what is wrong and where, what came out.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/request/request.h"
#include <delassus/study_file.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dls_study_file *read_good(const char *text)
{
  dls_error err = {0};
  dls_study_file *file = NULL;
  assert_ok(dls_study_read(text, strlen(text), &file, &err), err);
  assert_int_equal(file->problem_count, 0);
  return file;
}

/* The arguments of a study in one line. */
static void assert_arguments(const dls_study *study, const char *expected)
{
  char line[1000] = "";
  for (size_t i = 0; i < study->argument_count; i++) {
    const size_t used = strlen(line);
    snprintf(line + used, sizeof line - used, "%s%s=%s", i == 0 ? "" : " ", study->arguments[i].option,
             study->arguments[i].value);
  }
  assert_string_equal(line, expected);
}

/* A problem is "LINE:COLUMN: TEXT"; what is expected is the beginning of that. */
static void assert_problem(const dls_study_problem *problem, const char *expected)
{
  char line[800];
  snprintf(line, sizeof line, "%zu:%zu: %s", problem->line, problem->column, problem->text);
  if (strncmp(line, expected, strlen(expected)) != 0) {
    fail_msg("expected '%s'\n     found '%s'", expected, line);
  }
}

/* All problems of a file, in order, and no others. */
static void assert_problems(const char *text, size_t size, const char *const *expected)
{
  dls_error err = {0};
  dls_study_file *file = NULL;
  assert_int_equal(dls_study_read(text, size, &file, &err), DLS_ERR_PARSE);
  assert_non_null(file);
  assert_true(strncmp(err.text, "line ", 5) == 0);
  for (size_t i = 0; i < file->problem_count; i++) {
    if (expected[i] == NULL) {
      fail_msg("not expected: %zu:%zu: %s", file->problems[i].line, file->problems[i].column,
               file->problems[i].text);
    }
    assert_problem(&file->problems[i], expected[i]);
  }
  if (expected[file->problem_count] != NULL) {
    fail_msg("expected, but not found: %s", expected[file->problem_count]);
  }
  dls_study_destroy(file);
}

static void assert_one_problem(const char *text, const char *expected)
{
  const char *const list[] = {expected, NULL};
  assert_problems(text, strlen(text), list);
}

/* --- what is read --- */

static void an_order_study_becomes_the_arguments_of_its_command(void **state)
{
  (void)state;
  dls_study_file *file = read_good("kind: order\n"
                                   "title: Orders\n"
                                   "source: A book\n"
                                   "caption: |\n  Two\n  lines\n"
                                   "model: bouncing-ball\n"
                                   "parameters: {e: 0.8, q0: 2}\n"
                                   "schemes: [moreau-jean, \"moreau-jean:theta=1\", event-driven]\n"
                                   "steps: {first: 0.1, last: 1e-3, levels: 5}\n"
                                   "norms: [l1, hausdorff]\n"
                                   "of: [q, v0]\n"
                                   "reference: event-driven\nend: 4\nrepeats: 2\nseed: 7\npictures: svg\n");
  const dls_study *study = &file->studies[0];
  assert_int_equal(file->study_count, 1);
  assert_string_equal(file->title, "Orders");
  assert_string_equal(file->source, "A book");
  assert_string_equal(file->caption, "Two\nlines\n");
  assert_int_equal(study->kind, DLS_STUDY_ORDER);
  assert_string_equal(study->name, "");
  assert_string_equal(study->model, "bouncing-ball");
  assert_string_equal(study->pictures, "svg");
  assert_int_equal(study->scheme_count, 3);
  assert_arguments(study,
                   "set=e=0.8 set=q0=2 scheme=moreau-jean scheme=moreau-jean:theta=1 scheme=event-driven "
                   "end=4 steps=0.1:1e-3:5 norm=l1,hausdorff of=q,v0 reference=event-driven repeats=2 seed=7");
  dls_study_destroy(file);
}

static void an_order_study_becomes_a_request(void **state)
{
  (void)state;
  dls_study_file *file = read_good("kind: order\ntitle: T\nmodel: bouncing-ball\nparameters: {e: 0.75}\n"
                                   "schemes: [\"moreau-jean:theta=1\", event-driven]\n"
                                   "steps: {first: 0.1, last: 1e-3, levels: 5}\nnorms: l1\nof: [v0, q]\n"
                                   "reference: event-driven\nend: 4\nrepeats: 2\nseed: 7\n");
  const dls_request *r = file->studies[0].request;
  const int e = dls_option_find(r->model.model->parameters, "e");
  assert_string_equal(r->spec.model->name, "bouncing-ball");
  assert_true(e >= 0 && r->spec.parameters[e] == 0.75);
  assert_int_equal(r->spec.scheme_count, 2);
  assert_string_equal(r->spec.schemes[0].options, "theta=1");
  assert_string_equal(r->spec.schemes[1].scheme->name, "event-driven");
  assert_true(r->spec.h_first == 0.1 && r->spec.h_last == 1e-3 && r->spec.levels == 5);
  assert_true(r->spec.norm_count == 1 && r->spec.norms[0] == dls_norm_find("l1"));
  assert_true(r->spec.of_count == 2 && strcmp(r->spec.of[0], "v0") == 0);
  assert_int_equal(r->spec.reference, DLS_REFERENCE_EVENT_DRIVEN);
  assert_true(r->spec.end == 4 && r->spec.repeats == 2 && r->spec.seed == 7);
  dls_study_destroy(file);
  file = read_good("kind: order\ntitle: T\nmodel: bouncing-ball\nschemes: event-driven\n"
                   "steps: {first: 0.1, last: 1e-3, levels: 5}\n");
  r = file->studies[0].request; /* the defaults of the command */
  assert_true(r->spec.end == 10 && r->spec.repeats == 8 && r->spec.seed == 1 && r->spec.timings == 0);
  assert_true(r->spec.norm_count == 2 && r->spec.norms[0] == dls_norm_find("hausdorff"));
  assert_true(r->spec.of_count == 2 && strcmp(r->spec.of[1], "v") == 0);
  dls_study_destroy(file);
}

static void options_of_a_scheme_have_two_forms(void **state)
{
  (void)state;
  dls_study_file *file = read_good("kind: energy\ntitle: T\nmodel: bouncing-ball\nstep: 0.1\n"
                                   "schemes:\n"
                                   "  - moreau-jean:theta=1,velocity_test=off\n"
                                   "  - scheme: moreau-jean\n"
                                   "    options:\n"
                                   "      theta: 0.75\n"
                                   "      velocity_test: on\n"
                                   "  - {scheme: schatzman-paoli}\n");
  const dls_study *study = &file->studies[0];
  assert_string_equal(study->schemes[0], "moreau-jean:theta=1,velocity_test=off");
  assert_string_equal(study->schemes[1], "moreau-jean:theta=0.75,velocity_test=on");
  assert_string_equal(study->schemes[2], "schatzman-paoli");
  assert_string_equal(study->pictures, "png"); /* the default */
  dls_study_destroy(file);
}

static void a_list_of_studies_shares_what_stands_before_it(void **state)
{
  (void)state;
  dls_study_file *file = read_good("title: Both\n"
                                   "model: bouncing-ball\n"
                                   "schemes: moreau-jean\n"
                                   "end: 3\n"
                                   "step: 0.1\n"
                                   "studies:\n"
                                   "  - name: motion\n"
                                   "    kind: compare\n"
                                   "    of: [v0, force0, energy]\n"
                                   "  - name: books\n"
                                   "    kind: energy\n"
                                   "    title: Of energy\n"
                                   "    end: 2\n"
                                   "  - name: orders\n"
                                   "    kind: order\n"
                                   "    steps: {first: 1, last: 0.1, levels: 2}\n");
  assert_int_equal(file->study_count, 3);
  assert_string_equal(file->studies[0].name, "motion");
  assert_string_equal(file->studies[0].title, "Both");
  assert_arguments(&file->studies[0], "scheme=moreau-jean end=3 step=0.1 of=v0,force0,energy");
  assert_string_equal(file->studies[1].title, "Of energy");
  assert_arguments(&file->studies[1], "scheme=moreau-jean end=2 step=0.1");
  assert_arguments(&file->studies[2], "scheme=moreau-jean end=3 steps=1:0.1:2");
  dls_study_destroy(file);
}

static void expectations_find_their_scheme_norm_and_quantity(void **state)
{
  (void)state;
  dls_study_file *file =
      read_good("kind: order\ntitle: T\nmodel: bouncing-ball\nnorms: l1\n"
                "schemes: [moreau-jean, \"moreau-jean:theta=1\", schatzman-paoli:theta=1]\n"
                "steps: {first: 0.1, last: 0.01, levels: 3}\n"
                "expect:\n"
                "  - {quantity: order, scheme: schatzman-paoli, of: v, between: [0.9, 1.1], reported: one}\n"
                "  - {quantity: penetration, scheme: moreau-jean, below: 1}\n"
                "  - {quantity: failed-runs, scheme: \"moreau-jean:theta=1\", norm: l1, of: q, above: 0}\n");
  const dls_study_expectation *e = file->studies[0].expectations;
  assert_int_equal(file->studies[0].expectation_count, 3);
  assert_int_equal(e[0].scheme, 2);
  assert_string_equal(e[0].norm, "l1"); /* the only one */
  assert_string_equal(e[0].of, "v");
  assert_close(e[0].low, 0.9, 0);
  assert_close(e[0].high, 1.1, 0);
  assert_string_equal(e[0].reported, "one");
  assert_int_equal(e[1].scheme, 0); /* exactly so, although another begins like that */
  assert_null(e[1].norm);
  assert_null(e[1].of);
  assert_true(isinf(e[1].low) && e[1].low < 0);
  assert_int_equal(e[2].scheme, 1);
  assert_true(isinf(e[2].high) && e[2].high > 0);
  char text[200];
  dls_study_describe(&file->studies[0], &e[0], text, sizeof text);
  assert_string_equal(text, "order, l1 of v, schatzman-paoli:theta=1");
  dls_study_destroy(file);
}

/* --- what is wrong --- */

static void all_errors_are_found_at_once(void **state)
{
  (void)state;
  static const char text[] = "kind: order\n"                                               /* 1 */
                             "tittle: Orders\n"                                            /* 2 */
                             "model: bouncing-ball\n"                                      /* 3 */
                             "parameters: {e: 3, k: 1}\n"                                  /* 4 */
                             "schemes:\n"                                                  /* 5 */
                             "  - moreau-jaen\n"                                           /* 6 */
                             "  - {scheme: moreau-jean, options: {theta: 0.2, gama: 1}}\n" /* 7 */
                             "steps: {first: 20, last: 1e-3x, levels: 1}\n"                /* 8 */
                             "end: 4\n"                                                    /* 9 */
                             "norms: [l1, hausdorf]\n"                                     /* 10 */
                             "of: [q, q7]\n"                                               /* 11 */
                             "repeats: 0.5\n"                                              /* 12 */
                             "seed: -1\n"                                                  /* 13 */
                             "pictures: jpg\n"                                             /* 14 */
                             "step: 0.1\n"                                                 /* 15 */
                             "expect:\n"                                                   /* 16 */
                             "  - {quantity: ordre, scheme: moreau-jaen, above: 1}\n";     /* 17 */
  static const char *const expected[] = {
      "1:1: key 'title' is missing",
      "2:1: there is no key 'tittle' of a study; did you mean 'title'? The keys are: kind, ",
      "4:17: model bouncing-ball: e = 3 is outside [0, 1]",
      "4:20: model bouncing-ball: there is no 'k'",
      "6:5: unknown scheme 'moreau-jaen'; did you mean 'moreau-jean'? The schemes are: event-driven, ",
      "7:44: scheme moreau-jean: theta = 0.2 is outside [0.5, 1]",
      "7:49: scheme moreau-jean: there is no 'gama' (did you mean 'gamma'?)",
      "8:16: first = 20 s is larger than end = 4 s",
      "8:26: last = '1e-3x' is not a finite number",
      "8:41: levels = 1 must be an integer in [2, 1000]",
      "10:13: unknown norm 'hausdorf'; did you mean 'hausdorff'? The norms are: hausdorff, l1, ",
      "11:9: there is no column 'q7': there are q, v, q0..q0, v0..v0",
      "12:10: repeats = 0.5 must be an integer in [1, 100000]",
      "13:7: seed = -1 must be an integer in [0, 4294967295]",
      "14:11: pictures = 'jpg'; did you mean 'png'? It must be one of: png, svg, pdf, none",
      "15:1: key 'step' is not of this kind: it belongs to studies of kind run, compare, energy",
      "17:16: a study of kind order has no quantity 'ordre'; did you mean 'order'? There are: order, ",
      NULL};
  assert_problems(text, sizeof text - 1, expected);
}

/* A file that is good but for one line: `line` stands in place of the one that begins with its key. */
static void assert_wrong_line(const char *line, const char *expected)
{
  static const char *const good[] = {"title: T",
                                     "kind: compare",
                                     "model: two-ball-oscillator",
                                     "parameters: {e: 0.5}",
                                     "schemes: [moreau-jean, event-driven]",
                                     "step: 0.1",
                                     "end: 2",
                                     "of: [q0, v1]",
                                     "pictures: none",
                                     "expect: [{quantity: last, of: q0, scheme: moreau-jean, below: 1}]"};
  char text[2000] = "";
  const size_t key = strcspn(line, ":") + 1;
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    const char *chosen = strncmp(good[i], line, key) == 0 ? line : good[i];
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s\n", chosen);
  }
  assert_non_null(strstr(text, line));
  assert_one_problem(text, expected);
}

static void a_law_is_read_and_checked(void **state)
{
  (void)state;
  dls_study_file *file =
      read_good("kind: energy\ntitle: T\nmodel: kane\nstep: 0.1\nlaw: \"fremond:mu=0.3,e=0.2\"\n"
                "schemes: moreau-jean\nend: 1\n");
  bool found = false;
  for (size_t i = 0; i < file->studies[0].argument_count; i++) {
    const dls_study_argument *argument = &file->studies[0].arguments[i];
    found =
        found || (strcmp(argument->option, "law") == 0 && strcmp(argument->value, "fremond:mu=0.3,e=0.2") == 0);
  }
  assert_true(found);
  dls_study_destroy(file);
  dls_study_destroy(read_good(
      "kind: compare\ntitle: T\nmodel: puck\nstep: 0.1\nschemes: moreau-jean\nof: [q0, u0t1, p0t2]\n"));
  dls_study_destroy(read_good("kind: order\ntitle: T\nmodel: belt\nsteps: {first: 0.1, last: 0.01, levels: 3}\n"
                              "schemes: moreau-jean\nof: [u0t, lambda0t]\n"));
#define BELT "kind: compare\ntitle: T\nmodel: belt\nstep: 0.1\nschemes: moreau-jean\n"
  assert_one_problem(BELT "over: u0t1\nof: q0\n", "6:7: there is no column 'u0t1'");
  assert_one_problem(BELT "over: u0t\n", "6:7: over u0t: say what is drawn (of)");
  assert_one_problem(BELT "over: q0\nof: [v0, q0]\n", "6:7: over q0: it cannot be drawn over itself");
  assert_one_problem("kind: run\ntitle: T\nmodel: belt\nschemes: event-driven\nof: v0\n",
                     "5:1: of goes with over in a study of kind run");
#define TOY "kind: run\ntitle: T\nmodel: woodpecker\nschemes: event-driven\n"
  assert_one_problem(TOY "cycle: slip:0\n", "5:8: cycle = 'slip:0': EVENT:CONTACT");
  assert_one_problem(TOY "drift: q0\n", "5:8: drift = q0 goes with cycle");
  assert_one_problem(TOY "expect: [{quantity: period, above: 0}]\n", "5:10: this quantity is one of a cycle");
  assert_one_problem(TOY "cycle: stick:1\nexpect: [{quantity: events, of: jump, above: 0}]\n",
                     "6:33: the study does not measure 'jump'");
  dls_study_file *phase = read_good("kind: run\ntitle: T\nmodel: belt\nschemes: event-driven\nover: q1\n");
  assert_arguments(&phase->studies[0], "scheme=event-driven over=q1");
  assert_string_equal(phase->studies[0].request->drawn[0], "v1");
  dls_study_destroy(phase);
  assert_one_problem(BELT "of: u0t1\n", "6:5: there is no column 'u0t1'");
  assert_one_problem(BELT "of: q0t\n", "6:5: there is no column 'q0t'");
  assert_one_problem(BELT "of: u1t\n", "6:5: there is no column 'u1t'");
#define KANE "kind: energy\ntitle: T\nmodel: kane\nstep: 0.1\nschemes: moreau-jean\n"
  assert_one_problem(KANE "law: fremont\n", "6:6: there is no law 'fremont', it must be one of newton, ");
  assert_one_problem(KANE "law: fremond:m=1\n", "6:6: law fremond: there is no 'm'");
  assert_one_problem(KANE "law: [fremond]\n", "6:6: law must be a single value, but this is a list");
  assert_one_problem(
      "kind: energy\ntitle: T\nmodel: bouncing-ball\nstep: 0.1\nschemes: moreau-jean\nlaw: fremond\n",
      "6:6: law fremond: model bouncing-ball has no tangents");
}

static void every_value_is_checked(void **state)
{
  (void)state;
  static const char *const cases[][2] = {
      {"title: [a, b]", "1:8: title must be a single value, but this is a list"},
      {"title:", "1:7: title has no value"},
      {"title: \"a\\nb\"", "1:8: title must be one line"},
      {"model: two-ball", "3:8: unknown model 'two-ball'"},
      {"parameters: [e, 0.5]", "4:13: parameters must be NAME: VALUE for each, but this is a list"},
      {"parameters: {e: [1]}", "4:17: e must be a single value, but this is a list"},
      {"parameters: {e: 0,5}", "4:19: model two-ball-oscillator: there is no '5'"},
      {"parameters: {q1: -1}", "4:13: "}, /* below the floor: parameters that do not go together */
      {"schemes: []", "5:10: schemes is an empty list"},
      {"schemes: [moreau-jean, moreau-jean]", "5:24: scheme moreau-jean is given twice"},
      {"schemes: [moreau-jean, {options: {}}]", "5:24: key 'scheme' is missing"},
      {"schemes: [moreau-jean, {scheme: rk}]", "5:33: unknown scheme 'rk'"},
      {"schemes: [moreau-jean, {scheme: event-driven, opts: {}}]", "5:47: there is no key 'opts' of a scheme"},
      {"schemes: [moreau-jean, {scheme: event-driven, options: 3}]", "5:56: options must be OPTION: VALUE"},
      {"schemes: [moreau-jean, \"moreau-jean:theta\"]", "5:24: scheme moreau-jean"},
      {"schemes: [moreau-jean, [event-driven]]", "5:24: a scheme must be a single value, but this is a list"},
      {"step: 0", "6:7: step = 0 must be > 0"},
      {"step: 3", "6:7: step = 3 s is larger than end = 2 s"},
      {"step: 1e-300", "6:7: step = 1e-300 s makes more than 1e+15 steps on [0, 2] s"},
      {"step: 0.1 s", "6:7: step = '0.1 s' is not a finite number"},
      {"end: -2", "7:6: end = -2 must be > 0"},
      {"end: inf", "7:6: end = 'inf' is not a finite number"},
      {"end: 1e999", "7:6: end = '1e999' is not a finite number"},
      {"of: []", "8:5: of is an empty list"},
      {"of: [q0, q0]", "8:10: of: 'q0' is given twice"},
      {"of: [q, v0]", "8:6: there is no column 'q': there are q0..q1, v0..v1, energy and, for each of 1 "},
      {"of: q2", "8:5: there is no column 'q2'"},
      {"of: q00", "8:5: there is no column 'q00'"},
      {"of: force1", "8:5: there is no column 'force1'"},
      {"of: u1", "8:5: there is no column 'u1'"},
      {"of: lambda0x", "8:5: there is no column 'lambda0x'"},
      {"pictures: PNG", "9:11: pictures = 'PNG'"},
      {"expect: 3", "10:9: expect must be a list, but this is a single value"},
      {"expect: [3]", "10:10: an entry of expect must be a mapping"},
      {"expect: [{scheme: moreau-jean, below: 1}]", "10:10: key 'quantity' is missing: one of first, last, "},
      {"expect: [{quantity: order, scheme: moreau-jean, below: 1}]",
       "10:21: a study of kind compare has no quantity 'order'"},
      {"expect: [{quantity: impacts, below: 1}]",
       "10:10: key 'scheme' is missing: one of moreau-jean, event-driven"},
      {"expect: [{quantity: impacts, scheme: moreau, below: 1}]", "10:38: the study has no scheme 'moreau'"},
      {"expect: [{quantity: impacts, scheme: moreau-jean}]", "10:10: an expectation has one of: between"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, below: 1, above: 0}]",
       "10:10: an expectation has one of: between"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, between: 1}]", "10:60: between must be [LOW, HIGH]"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, between: [1]}]",
       "10:60: between must be [LOW, HIGH]"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, between: [1, 0]}]",
       "10:60: between = [1, 0]: LOW is larger than HIGH"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, below: x}]",
       "10:58: below = 'x' is not a finite number"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, of: q0, below: 1}]",
       "10:51: this quantity has no 'of'"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, number: 1, below: 1}]",
       "10:51: this quantity has no 'number'"},
      {"expect: [{quantity: impact-time, scheme: moreau-jean, below: 1}]", "10:10: key 'number' is missing"},
      {"expect: [{quantity: impact-time, scheme: moreau-jean, number: 0, below: 1}]",
       "10:63: number = 0 must be an integer in [1, 1000000000]"},
      {"expect: [{quantity: last, scheme: moreau-jean, below: 1}]", "10:10: key 'of' is missing"},
      {"expect: [{quantity: last, scheme: moreau-jean, of: q9, below: 1}]", "10:52: there is no column 'q9'"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, norm: l1, below: 1}]",
       "10:51: there is no key 'norm' in an entry of expect"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_wrong_line(cases[i][0], cases[i][1]);
  }
}

#define WORK "title: T\nkind: work\nmodel: bouncing-ball\n"
static void work_needs_steps_or_tolerances_where_they_are_of_use(void **state)
{
  (void)state;
  static const char *const cases[][2] = {
      {WORK "schemes: moreau-jean\n", "1:1: key 'steps' is missing: scheme moreau-jean needs a time step in s"},
      {WORK "schemes: event-driven\nsteps: {first: 1, last: 0.1, levels: 2}\n",
       "5:1: steps goes with no scheme of the study: all choose their own steps"},
      {WORK "schemes: moreau-jean\nsteps: {first: 1, last: 0.1, levels: 2}\n"
            "tolerances: {first: 1e-3, last: 1e-4, levels: 2}\n",
       "6:1: tolerances goes with no scheme of the study: all need a time step"},
      {WORK "schemes: event-driven\ntolerances: {first: 0, last: 1e-4, levels: 2}\n",
       "5:21: a tolerance = 0 must be > 0"},
      {WORK "schemes: event-driven\ntolerances: {first: 1e9, last: 1e-4, levels: 2}\n",
       "5:21: scheme event-driven: tol = "},
      {WORK "schemes: event-driven\nagainst: evols\n",
       "5:10: against = 'evols'; did you mean 'evals'? It must be"},
      {WORK "schemes: event-driven\ntimings: 0.5\n", "5:10: timings = 0.5 must be an integer in [0, 1000]"},
      {WORK "schemes: event-driven\nnorms: l1\nof: q\nexpect: [{quantity: work, below: 3}]\n",
       "7:10: key 'error' is missing"},
      {WORK "schemes: event-driven\nnorms: l1\nof: q\nexpect: [{quantity: work, error: 0, below: 3}]\n",
       "7:34: error = 0 must be > 0"},
      {WORK "schemes: event-driven\nnorms: l1\nof: q\nexpect: [{quantity: slope, error: 1, below: 3}]\n",
       "7:28: this quantity has no 'error'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_one_problem(cases[i][0], cases[i][1]);
  }
  dls_study_file *file = read_good(WORK "schemes: [moreau-jean, event-driven]\nagainst: seconds\ntimings: 3\n"
                                        "steps: {first: 1, last: 0.1, levels: 2}\n"
                                        "tolerances: {first: 1e-3, last: 1e-4, levels: 4}\n");
  assert_arguments(&file->studies[0], "scheme=moreau-jean scheme=event-driven steps=1:0.1:2 tols=1e-3:1e-4:4 "
                                      "against=seconds timings=3");
  dls_study_destroy(file);
}

#define HEAD "title: T\nmodel: bouncing-ball\n"
static void studies_are_checked_as_a_whole(void **state)
{
  (void)state;
  static const char *const cases[][2] = {
      {HEAD "schemes: moreau-jean\n", "1:1: key 'kind' is missing: one of run, compare, order, work, energy"},
      {HEAD "schemes: moreau-jean\nkind: orders\nsteps: {first: 1, last: 0.1, levels: 2}\n",
       "4:7: unknown kind 'orders'; did you mean 'order'?"},
      {HEAD "kind: run\nstep: 0.1\n", "1:1: key 'schemes' is missing"},
      {HEAD "kind: run\nschemes: moreau-jean\n",
       "1:1: key 'step' is missing: scheme moreau-jean needs a time step in s"},
      {HEAD "kind: run\nschemes: event-driven\nstep: 0.1\n", "5:1: step goes with no scheme of the study"},
      {HEAD "kind: run\nstep: 0.1\nschemes: [moreau-jean, event-driven]\n",
       "5:10: a study of kind run has one scheme, but 2 are given"},
      {HEAD "kind: order\nschemes: moreau-jean\n", "1:1: key 'steps' is missing: `{first: H0, "},
      {HEAD "kind: order\nschemes: moreau-jean\nsteps: 0.1\n",
       "5:8: steps must be {first: X0, last: X1, levels: N}, but this is a single value"},
      {HEAD "kind: order\nschemes: moreau-jean\nsteps: {first: 1, last: 0.1, level: 3, levels: 3}\n",
       "5:30: there is no key 'level' of a sequence; did you mean 'levels'? The keys are: first, last, levels"},
      {HEAD "kind: order\nschemes: moreau-jean\nsteps: {first: 1, last: 1, levels: 3}\n",
       "5:25: last = 1 must differ from first"},
      {HEAD "kind: order\nschemes: moreau-jean\nsteps: {first: 1, last: 0.1}\n",
       "5:8: key 'levels' is missing"},
      {HEAD "name: x\nkind: run\nschemes: event-driven\n",
       "3:1: key 'name' belongs to the entries of a list of studies"},
      {HEAD "schemes: event-driven\nstudies: 3\n", "4:10: studies must be a list of studies"},
      {HEAD "schemes: event-driven\nstudies: [3]\n",
       "4:11: a study must be a mapping, but this is a single value"},
      {HEAD "schemes: event-driven\nstudies: [{kind: run}]\n", "4:11: key 'name' is missing"},
      {HEAD "schemes: event-driven\nstudies: [{name: a b, kind: run}]\n",
       "4:18: name = 'a b' must be at most 60 of the characters a-z, 0-9 and -"},
      {HEAD "schemes: event-driven\nstudies: [{name: a, kind: run}, {name: a, kind: energy}]\n",
       "4:40: name = 'a' is given twice"},
      {HEAD "schemes: event-driven\nrepeats: 3\nstudies: [{name: a, kind: run}]\n",
       "4:1: key 'repeats' is not of this kind: it belongs to studies of kind order, work"},
      {HEAD "schemes: event-driven\nstudies: [{name: a, kind: run, studies: []}]\n",
       "4:32: there is no key 'studies' of a study"},
      /* an error in what is shared is said once */
      {HEAD "schemes: event-drivn\nstudies: [{name: a, kind: run}, {name: b, kind: energy}]\n",
       "3:10: unknown scheme 'event-drivn'; did you mean 'event-driven'?"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_one_problem(cases[i][0], cases[i][1]);
  }
  static const char *const ambiguous[] = {"7:33: several schemes of the study are 'moreau-jean'", NULL};
  static const char text[] = HEAD "kind: compare\nstep: 0.1\n"
                                  "schemes: [\"moreau-jean:theta=1\", \"moreau-jean:theta=0.6\"]\n"
                                  "expect:\n  - {quantity: impacts, scheme: moreau-jean, below: 1}\n";
  assert_problems(text, sizeof text - 1, ambiguous);
}

/* --- what is no YAML for us --- */

static void yaml_that_a_study_does_not_need_is_refused(void **state)
{
  (void)state;
  static const char *const cases[][2] = {
      {"", "1:1: the file is empty"},
      {"# only a comment\n", "1:1: the file is empty"},
      {"3\n", "1:1: a study file is a mapping of keys to values, but this is a single value"},
      {"- a\n", "1:1: a study file is a mapping of keys to values, but this is a list"},
      {"a: [1, 2\nb: 3\n", "2:"},
      {"a: 1\n\tb: 2\n", "2:1: this is no YAML: found a tab character"},
      {"a: \"x\n", "2:1: this is no YAML: found unexpected end of stream"},
      {"title: \xff\n", "1:8: this is no text in UTF-8"},
      {"# \xc3\xa9\ntitle: \xc3\xa9\xc3\x28\n", "2:10: this is no text in UTF-8"},
      {"[[[[[[[[[1]]]]]]]]]\n", "1:9: lists and mappings are nested deeper than 8"},
      {"{{a: 1}: 2}\n", "1:2: a key must be a text"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_one_problem(cases[i][0], cases[i][1]);
  }
}

#define GOOD HEAD "kind: run\nschemes: event-driven\n"
static void decorations_and_repetitions_are_refused(void **state)
{
  (void)state;
  static const char *const cases[][2] = {
      {GOOD "end: &end 3\n", "5:6: anchors are not allowed: write the value without '&end'"},
      {GOOD "end: !!float 3\n", "5:6: tags are not allowed"},
      {GOOD "parameters: &p {e: 0.5}\n", "5:13: anchors are not allowed"},
      {GOOD "source: \"a\\0b\"\n", "5:9: the text has control characters"},
      {GOOD "title: U\n", "5:1: key 'title' is given twice: it stands in line 1 too"},
      {GOOD "parameters: {e: 1, m: 1, e: 1}\n", "5:26: key 'e' is given twice: it stands in line 5 too"},
      {GOOD "---\nend: 3\n", "5:1: a second document begins here: a file holds one"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_one_problem(cases[i][0], cases[i][1]);
  }
  static const char alias[] = GOOD "source: &a text\ncaption: *a\n";
  static const char *const both[] = {"5:9: anchors are not allowed: write the value without '&a'",
                                     "6:10: aliases are not allowed: write the value that '*a' stands for",
                                     NULL};
  assert_problems(alias, sizeof alias - 1, both);
}

static void a_file_has_its_limits(void **state)
{
  (void)state;
  enum { BYTES = 65537, NODES = 5000 };
  char *text = malloc(BYTES);
  assert_non_null(text);
  memset(text, ' ', BYTES);
  memcpy(text, GOOD "#", sizeof GOOD);
  static const char *const large[] = {"1:1: the file has more than 65536 bytes: this is no study", NULL};
  assert_problems(text, BYTES, large);
  dls_study_file *file = NULL;
  dls_error err = {0};
  assert_ok(dls_study_read(text, BYTES - 1, &file, &err), err);
  dls_study_destroy(file);
  memcpy(text, "[", 1);
  for (size_t i = 0; i < NODES; i++) {
    memcpy(text + 1 + 2 * i, "1,", 2);
  }
  static const char *const many[] = {"1:8192: more than 4096 values: this is no study", NULL};
  assert_problems(text, 1 + 2 * NODES, many);
  free(text);
}

/* --- what came out --- */

static dls_study_verdict judge(const dls_study_file *file, size_t i, const dls_study_results *results)
{
  return dls_study_judge(&file->studies[0], &file->studies[0].expectations[i], results, "results");
}

/* An error of a scheme, measured in a norm of the study. */
static dls_order_point point(size_t scheme, size_t norm, double error)
{
  return (dls_order_point){.scheme = scheme, .norm = norm, .error = {.value = error}};
}

static void orders_and_errors_are_looked_up(void **state)
{
  (void)state;
  dls_study_file *file = read_good(
      "kind: order\ntitle: T\nmodel: bouncing-ball\nnorms: [l1, max]\nof: q\n"
      "schemes: [moreau-jean, \"moreau-jean:theta=1,gamma=0.5\", schatzman-paoli:theta=1]\n"
      "steps: {first: 0.1, last: 0.01, levels: 3}\n"
      "expect:\n"
      "  - {quantity: order, norm: l1, scheme: \"moreau-jean:theta=1,gamma=0.5\", between: [1.25, 1.25]}\n"
      "  - {quantity: order, norm: l1, scheme: moreau-jean, above: 1}\n"
      "  - {quantity: order, norm: l1, scheme: schatzman-paoli, below: 1}\n"
      "  - {quantity: largest-error, norm: l1, scheme: \"moreau-jean:theta=1,gamma=0.5\", below: 1}\n"
      "  - {quantity: least-error, norm: l1, scheme: moreau-jean, below: 1}\n"
      "  - {quantity: failed-runs, norm: l1, scheme: moreau-jean, below: 0}\n"
      "  - {quantity: penetration, scheme: moreau-jean, below: 1}\n"
      "  - {quantity: order, norm: max, scheme: schatzman-paoli, below: 1}\n");
  dls_order_point points[] = {point(0, 0, 0.25), point(0, 0, NAN),  point(0, 0, 0.5),
                              point(1, 0, 2),    point(0, 1, 0.01), point(0, 0, INFINITY)};
  points[2].quality.worst_penetration = 0.125;
  points[3].quality.worst_penetration = 7;
  dls_order_line lines[] = {{.scheme = 1, .fit = {.order = 1.25}},
                            {.scheme = 0, .fit = {.order = 0.75}},
                            {.scheme = 0, .norm = 1, .fit = {.order = 9}},
                            {.scheme = 2, .fit = {.order = NAN}, .reason = "it is at its floor"}};
  dls_order_study errors = {.spec = file->studies[0].request->spec,
                            .points = points,
                            .point_count = sizeof points / sizeof points[0],
                            .lines = lines,
                            .line_count = sizeof lines / sizeof lines[0]};
  const dls_study_results results = {.errors = &errors}, none = {0};
  assert_true(judge(file, 0, &results).agrees);
  assert_close(judge(file, 1, &results).value, 0.75, 0);
  assert_false(judge(file, 1, &results).agrees);
  assert_true(isnan(judge(file, 2, &results).value));
  assert_false(judge(file, 2, &results).agrees);
  assert_string_equal(judge(file, 2, &results).why, "it is at its floor");
  assert_close(judge(file, 3, &results).value, 2, 0);
  assert_false(judge(file, 3, &results).agrees);
  assert_close(judge(file, 4, &results).value, 0.25, 0);
  assert_close(judge(file, 5, &results).value, 2, 0); /* what is not finite is no error */
  assert_false(judge(file, 5, &results).agrees);
  assert_close(judge(file, 6, &results).value, 0.125, 0);
  assert_string_equal(judge(file, 7, &results).why, "results/orders.csv has no such row");
  lines[3].reason[0] = '\0';
  assert_string_equal(judge(file, 2, &results).why, "not a number in results/orders.csv");
  assert_string_equal(judge(file, 6, &none).why, "there is no results/quality.csv");
  dls_study_destroy(file);
}

/* A trajectory with the columns t, q0, v0. */
static dls_trajectory *trajectory(size_t rows, const double (*values)[3])
{
  static const char *const names[] = {"t", "q0", "v0"};
  dls_trajectory *traj = dls_trajectory_create_table(3, names);
  assert_non_null(traj);
  for (size_t i = 0; i < rows; i++) {
    double *row = dls_trajectory_append(traj);
    assert_non_null(row);
    memcpy(row, values[i], sizeof values[i]);
  }
  return traj;
}

static void values_and_impacts_of_a_trajectory_are_looked_up(void **state)
{
  (void)state;
  static const double first[][3] = {{0, 1, -3}, {1, 2, 4}, {2, 3, NAN}}, second[][3] = {{0, 1, -3}, {1, 7, 4}};
  static const dls_event events[] = {
      {.t = 0.5, .kind = DLS_IMPACT, .u_minus = -2, .u_plus = 1, .impulse = 3},
      {.t = 0.7, .kind = DLS_LANDING, .u_minus = -2},
      {.t = 1.5, .kind = DLS_IMPACT, .u_minus = -1, .u_plus = 0.5, .impulse = 3}};
  dls_study_file *file = read_good("kind: compare\ntitle: T\nmodel: bouncing-ball\nstep: 0.1\n"
                                   "schemes: [moreau-jean, \"moreau-jean:theta=1\", event-driven]\n"
                                   "expect:\n"
                                   "  - {quantity: first, scheme: moreau-jean, of: q0, above: 3}\n"
                                   "  - {quantity: last, scheme: \"moreau-jean:theta=1\", of: q0, above: 3}\n"
                                   "  - {quantity: largest, scheme: moreau-jean, of: v0, above: 3}\n"
                                   "  - {quantity: least, scheme: moreau-jean, of: v0, above: 3}\n"
                                   "  - {quantity: impacts, scheme: moreau-jean, between: [2, 2]}\n"
                                   "  - {quantity: impact-time, number: 2, scheme: moreau-jean, above: 1}\n"
                                   "  - {quantity: impact-velocity, number: 1, scheme: moreau-jean, above: 1}\n"
                                   "  - {quantity: impact-time, number: 3, scheme: moreau-jean, above: 1}\n"
                                   "  - {quantity: impacts, scheme: \"moreau-jean:theta=1\", below: 0}\n"
                                   "  - {quantity: last, scheme: moreau-jean, of: v0, above: 3}\n"
                                   "  - {quantity: last, scheme: moreau-jean, of: g0, above: 3}\n"
                                   "  - {quantity: impacts, scheme: event-driven, below: 1}\n");
  static const double expected[] = {1, 7, 4, -3, 2, 1.5, -2, NAN, 0, NAN, NAN, NAN};
  static const char *const why[] = {"",
                                    "",
                                    "",
                                    "",
                                    "",
                                    "",
                                    "",
                                    "there are only 2 impacts",
                                    "",
                                    "not a number in results/run_moreau-jean.csv",
                                    "there is no column g0",
                                    "there is no results/run_event-driven.csv"};
  dls_error err = {0};
  dls_study_results results = {0};
  assert_ok(dls_study_results_room(&results, 3, &err), err);
  results.runs[0] = trajectory(3, first);
  results.runs[1] = trajectory(2, second);
  for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
    assert_ok(dls_trajectory_add_event(results.runs[0], &events[i], &err), err);
  }
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    const dls_study_verdict verdict = judge(file, i, &results);
    assert_string_equal(verdict.why, why[i]);
    assert_true(isnan(expected[i]) ? isnan(verdict.value) : verdict.value == expected[i]);
  }
  assert_true(judge(file, 4, &results).agrees);
  assert_true(judge(file, 8, &results).agrees);
  dls_study_results_release(&results);
  dls_study_destroy(file);
}

static dls_order_point costly(size_t norm, double error, size_t steps, size_t rejected, size_t problems,
                              size_t force_evals, double seconds)
{
  dls_order_point p = point(0, norm, error);
  p.work = (dls_work){.steps = steps,
                      .rejected = rejected,
                      .problems = problems,
                      .force_evals = force_evals,
                      .lcp_solves = 20,
                      .factorizations = 30,
                      .wall_seconds = seconds};
  return p;
}

static void work_for_an_error_is_that_of_the_cheapest_run(void **state)
{
  (void)state;
  static const char *const measures[] = {"steps", "problems", "evals", "seconds"};
  static const double expected[] = {14, 5, 60, 0.25};
  dls_order_point points[] = {costly(0, 0.5, 1, 1, 1, 1, 0.01),   /* not good enough */
                              costly(0, 1e-3, 10, 4, 9, 10, 0.5), /* as good as asked for */
                              costly(0, 1e-4, 11, 4, 5, 50, 0.25), costly(0, NAN, 1, 1, 1, 1, 0.01),
                              costly(1, 1e-9, 1, 1, 1, 1, 0.01)};
  for (size_t i = 0; i < 4; i++) {
    char text[500];
    snprintf(text, sizeof text,
             WORK
             "schemes: event-driven\nnorms: [l1, max]\nof: q\nagainst: %s\n"
             "expect: [{quantity: work, norm: l1, error: 1e-3, above: 0}, {quantity: work, norm: l1, error: "
             "1e-6, above: 0}]\n",
             measures[i]);
    dls_study_file *file = read_good(text);
    const dls_request *request = file->studies[0].request;
    dls_order_study errors = {
        .spec = request->spec, .points = points, .point_count = sizeof points / sizeof points[0]};
    dls_work_study work = {.runs = &errors, .against = request->against};
    const dls_study_results results = {.errors = &errors, .work = &work};
    assert_close(judge(file, 0, &results).value, expected[i], 1e-12);
    assert_string_equal(judge(file, 1, &results).why, "no run has an error of at most 1e-06");
    dls_study_destroy(file);
  }
}

static void studies_that_ship_are_good_and_expect_something(void **state)
{
  (void)state;
  size_t count = 0;
  for (const dls_study_shipped *study = dls_studies(); study->name != NULL; study++) {
    dls_error err = {0};
    dls_study_file *file = NULL;
    size_t expected = 0;
    assert_ok(dls_study_read((const char *)study->text, study->size, &file, &err), err);
    assert_string_equal(study->title, file->title);
    assert_true(study->source[0] == '\0' || strcmp(study->source, file->source) == 0);
    assert_true(file->caption[0] != '\0');
    for (size_t i = 0; i < file->study_count; i++) {
      expected += file->studies[i].expectation_count;
    }
    assert_true(expected > 0);
    assert_true(count == 0 || strcmp(study[-1].name, study->name) < 0);
    count++;
    dls_study_destroy(file);
  }
  assert_between((double)count, 10, 200);
}

static void tables_of_the_schema_agree(void **state)
{
  (void)state;
  for (const dls_study_key *key = dls_study_keys(); key->name != NULL; key++) {
    assert_true(key->kinds != 0 && (key->required & ~key->kinds) == 0);
    assert_true(key->value[0] != '\0' && key->help[0] != '\0');
  }
  static const dls_study_kind kinds[] = {DLS_STUDY_RUN, DLS_STUDY_COMPARE, DLS_STUDY_ORDER, DLS_STUDY_WORK,
                                         DLS_STUDY_ENERGY};
  unsigned all = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    assert_true(dls_study_kind_name(kinds[i])[0] != '\0');
    all |= kinds[i];
  }
  assert_int_equal(all, DLS_STUDY_ALL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_order_study_becomes_the_arguments_of_its_command),
      cmocka_unit_test(an_order_study_becomes_a_request),
      cmocka_unit_test(options_of_a_scheme_have_two_forms),
      cmocka_unit_test(a_list_of_studies_shares_what_stands_before_it),
      cmocka_unit_test(expectations_find_their_scheme_norm_and_quantity),
      cmocka_unit_test(all_errors_are_found_at_once),
      cmocka_unit_test(a_law_is_read_and_checked),
      cmocka_unit_test(every_value_is_checked),
      cmocka_unit_test(work_needs_steps_or_tolerances_where_they_are_of_use),
      cmocka_unit_test(studies_are_checked_as_a_whole),
      cmocka_unit_test(yaml_that_a_study_does_not_need_is_refused),
      cmocka_unit_test(decorations_and_repetitions_are_refused),
      cmocka_unit_test(a_file_has_its_limits),
      cmocka_unit_test(orders_and_errors_are_looked_up),
      cmocka_unit_test(values_and_impacts_of_a_trajectory_are_looked_up),
      cmocka_unit_test(work_for_an_error_is_that_of_the_cheapest_run),
      cmocka_unit_test(studies_that_ship_are_good_and_expect_something),
      cmocka_unit_test(tables_of_the_schema_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
