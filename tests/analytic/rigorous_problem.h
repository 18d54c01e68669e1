/* rigorous_problem.h -- a model with its parameters by default, and a few nodes of the ball's first flight, for tests of enclosures.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_RIGOROUS_PROBLEM_H
#define DELASSUS_TESTS_RIGOROUS_PROBLEM_H

#include "analytic/rigorous/rigorous.h"
#include "check.h"
#include <delassus/catalogue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20 };

/* The decimals. */
typedef struct model_text {
  const char *names[MOST], *values[MOST];
  char text[MOST][96];
} model_text;

static inline dls_rigorous_problem problem_of(const char *name, const char *end, model_text *of)
{
  double p[MOST];
  dls_error err = {0};
  const dls_model *model = dls_model_find(name, &err);
  assert_non_null(model);
  dls_option_defaults(model->parameters, p);
  size_t count = 0;
  for (; model->parameters[count].name != NULL; count++) {
    assert_true(count < MOST);
    snprintf(of->text[count], sizeof of->text[count], "%.17g", p[count]);
    of->names[count] = model->parameters[count].name;
    of->values[count] = of->text[count];
  }
  return (dls_rigorous_problem){.model = name,
                                .parameter_count = count,
                                .names = of->names,
                                .values = of->values,
                                .end = end,
                                .digits = 10};
}

/* A model with its parameters by default but for those of a text "name=value,...". */
static inline dls_rigorous_problem problem_with(const char *model, const char *end, const char *values,
                                                model_text *of)
{
  dls_rigorous_problem problem = problem_of(model, end, of);
  while (*values != '\0') {
    const size_t name = strcspn(values, "="), value = strcspn(values + name + 1, ",");
    size_t i = 0;
    while (strncmp(of->names[i], values, name) != 0 || strlen(of->names[i]) != name) {
      assert_true(++i < problem.parameter_count);
    }
    snprintf(of->text[i], sizeof of->text[i], "%.*s", (int)value, values + name + 1);
    values += name + 1 + value + (values[name + 1 + value] == ',');
  }
  return problem;
}

enum { NODES = 5 };

/* The ball's parabola q = 1 - t^2 before its first impact, by chords of [0, 0.8]: 0.01 below it in the middle of each. */
static inline dls_rigorous_distance_problem chords(model_text *text, double *t, double *x)
{
  static const char *const columns[] = {"q0"};
  for (size_t i = 0; i < NODES; i++) {
    t[i] = 0.2 * (double)i;
    x[i] = 1 - t[i] * t[i];
  }
  dls_rigorous_distance_problem problem = {.exact = problem_of("bouncing-ball", "0.8", text),
                                           .count = NODES,
                                           .dim = 1,
                                           .t = t,
                                           .x = x,
                                           .columns = columns,
                                           .tau = "1",
                                           .xi = "1"};
  problem.exact.digits = 3;
  return problem;
}

static inline dls_status rigorous_solve(const void *problem, dls_error *err)
{
  dls_rigorous_table table;
  const dls_status status = dls_rigorous_solve(problem, &table, err);
  dls_rigorous_free(&table);
  return status;
}

static inline dls_status rigorous_measure(const void *problem, dls_error *err)
{
  dls_rigorous_cell cell = {0};
  bool wide = false;
  const dls_status status = dls_rigorous_distance(problem, &cell, &wide, err);
  free(cell.low);
  free(cell.high);
  return status;
}

#endif
