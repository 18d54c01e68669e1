/* test_study_problems.c -- study files that are wrong: what is said, and where.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/request/request.h"
#include "experiments/request/yaml/yaml_tree.h"
#include "study_text.h"
#include <delassus/study_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* --- what is wrong --- */

DLS_TEST(all_errors_are_found_at_once)
{
  static const char text[] = "kind: order\n"                                               /* 1 */
                             "tittle: Orders\n"                                            /* 2 */
                             "model: bouncing-ball\n"                                      /* 3 */
                             "parameters: {e: 3, k: 1}\n"                                  /* 4 */
                             "schemes:\n"                                                  /* 5 */
                             "  - moreau-jaen\n"                                           /* 6 */
                             "  - {scheme: moreau-jean, options: {theta: 1.2, gama: 1}}\n" /* 7 */
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
      "7:44: scheme moreau-jean: theta = 1.2 is outside [0, 1]",
      "7:49: scheme moreau-jean: there is no 'gama' (did you mean 'gamma'?)",
      "8:16: first = 20 s is larger than end = 4 s",
      "8:26: last = '1e-3x' is not a finite number",
      "8:41: levels = 1 must be an integer in [2, 1000]",
      "10:13: unknown norm 'hausdorf'; did you mean 'hausdorff'? The norms are: hausdorff, l1, ",
      "11:9: there is no column 'q7': there are q, v, impulse, derivatives such as dq0/de, q0..q0, v0..v0",
      "12:10: repeats = 0.5 must be an integer in [1, 100000]",
      "13:7: seed = -1 must be an integer in [0, 4294967295]",
      "14:11: pictures = 'jpg'; did you mean 'png'? It must be one of: png, svg, pdf, tex, none",
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

DLS_TEST(a_law_is_read_and_checked)
{
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
  assert_one_problem("kind: order\ntitle: T\nmodel: belt\nsteps: {first: 0.1, last: 0.01, levels: 3}\n"
                     "schemes: moreau-jean\nexpect: [{quantity: contact-mean, of: hops, above: 0}]\n",
                     "6:39: the study does not measure 'hops'; did you mean 'hop'?");
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

DLS_TEST(every_value_is_checked)
{
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
      {"of: [q, v0]", "8:6: there is no column 'q': there are q0..q1, v0..v1, energy, potential, kinetic, px, "
                      "work_normal and, for "},
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
      {"expect: [{quantity: mean, of: q0, scheme: moreau-jean, within: [1, 0], below: 1}]",
       "10:64: within = [1, 0]: BEGIN is larger than END"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, within: [0, 1], below: 1}]",
       "10:51: this quantity has no 'within'"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, below: 1, reported: none, source: agree}]",
       "10:85: source = 'agree'; did you mean 'agrees'? It must be one of: ours, agrees, differs"},
      {"expect: [{quantity: impacts, scheme: moreau-jean, below: 1, source: differs}]",
       "10:69: source = differs needs 'reported': what the source says"},
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

DLS_TEST(work_needs_steps_or_tolerances_where_they_are_of_use)
{
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
      {"kind: compare\ntitle: T\nmodel: bouncing-ball\nstep: 0.1\nsweep: e=0.1:0.9:3\nschemes: "
       "moreau-jean\nof: q0\n"
       "expect: [{quantity: mean, of: q0, below: 1}]\n",
       "8:10: a sweep has no 'mean'"},
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
DLS_TEST(studies_are_checked_as_a_whole)
{
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

/* --- invalid YAML --- */

DLS_TEST(yaml_that_a_study_does_not_need_is_refused)
{
  static const char *const cases[][2] = {
      {"", "1:1: the file is empty"},
      {"# only a comment\n", "1:1: the file is empty"},
      {"3\n", "1:1: a study file is a mapping of keys to values, but this is a single value"},
      {"- a\n", "1:1: a study file is a mapping of keys to values, but this is a list"},
      {"a: [1, 2\nb: 3\n", "2:"},
      {"a: 1\n\tb: 2\n", "2:1: invalid YAML: found a tab character"},
      {"a: \"x\n", "2:1: invalid YAML: found unexpected end of stream"},
      {"title: \xff\n", "1:8: invalid UTF-8"},
      {"# \xc3\xa9\ntitle: \xc3\xa9\xc3\x28\n", "2:10: invalid UTF-8"},
      {"[[[[[[[[[1]]]]]]]]]\n", "1:9: lists and mappings are nested deeper than 8"},
      {"{{a: 1}: 2}\n", "1:2: a key must be a text"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_one_problem(cases[i][0], cases[i][1]);
  }
}

#define GOOD HEAD "kind: run\nschemes: event-driven\n"
DLS_TEST(decorations_and_repetitions_are_refused)
{
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

DLS_TEST(a_file_has_its_limits)
{
  enum { BYTES = DLS_YAML_MOST_BYTES + 1, NODES = DLS_YAML_MOST_NODES + 1 };
  char *text = malloc(BYTES);
  assert_non_null(text);
  memset(text, ' ', BYTES);
  memcpy(text, GOOD "#", sizeof GOOD);
  static const char *const large[] = {"1:1: the file has more than 1048576 bytes", NULL};
  assert_problems(text, BYTES, large);
  dls_study_file *file = NULL;
  dls_error err = {0};
  assert_ok(dls_study_read(text, BYTES - 1, &file, &err), err);
  dls_study_destroy(file);
  memcpy(text, "[", 1);
  for (size_t i = 0; i < NODES; i++) {
    memcpy(text + 1 + 2 * i, "1,", 2);
  }
  static const char *const many[] = {"1:262144: the file has more than 131072 values", NULL};
  assert_problems(text, 1 + 2 * (size_t)NODES, many);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_errors_are_found_at_once),
      cmocka_unit_test(a_law_is_read_and_checked),
      cmocka_unit_test(every_value_is_checked),
      cmocka_unit_test(work_needs_steps_or_tolerances_where_they_are_of_use),
      cmocka_unit_test(studies_are_checked_as_a_whole),
      cmocka_unit_test(yaml_that_a_study_does_not_need_is_refused),
      cmocka_unit_test(decorations_and_repetitions_are_refused),
      cmocka_unit_test(a_file_has_its_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
