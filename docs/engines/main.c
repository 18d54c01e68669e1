/* main.c -- runs an engine on a problem with a constant step and writes every state as a row: PROGRAM VARIANT PROBLEM STEP FILE.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int usage(const char *program)
{
  fprintf(stderr, "usage: %s VARIANT PROBLEM STEP FILE, or %s variants, or %s problems\n", program, program,
          program);
  return 2;
}

static const engine_problem *find_problem(const char *name)
{
  for (size_t i = 0; i < engine_problem_count; i++) {
    if (strcmp(engine_problems[i].name, name) == 0) {
      return &engine_problems[i];
    }
  }
  return NULL;
}

/* Index of a variant; the number of them if there is none of that name. */
static size_t find_variant(const char *name)
{
  size_t i = 0;
  while (the_engine.variants[i] != NULL && strcmp(the_engine.variants[i], name) != 0) {
    i++;
  }
  return i;
}

/* The spring of a problem, as a force during the step that follows. */
static void pull(const engine_problem *p)
{
  if (p->k == 0 || the_engine.push == NULL) {
    return;
  }
  const double first = the_engine.state(0).y;
  if (p->count == 1) {
    the_engine.push(0, -p->k * (first - p->body[0].half));
    return;
  }
  const double tension = p->k * (the_engine.state(1).y - first - p->length);
  the_engine.push(0, tension);
  the_engine.push(1, -tension);
}

static size_t coordinates(const engine_problem *p)
{
  return p->plane ? 2 : p->count;
}

/* Coordinate or velocity i, as the model of the problem has them. */
static double value(const engine_problem *p, size_t i, bool velocity)
{
  const size_t body = p->plane ? 0 : i;
  const engine_state s = the_engine.state(body);
  if (p->plane && i == 0) {
    return velocity ? s.vx : s.x;
  }
  if (velocity) {
    return s.vy;
  }
  return p->plane || p->lowest ? s.y - p->body[body].half : s.y;
}

static void write_head(FILE *out, const engine_problem *p, const char *variant, double h)
{
  const size_t n = coordinates(p);
  fprintf(out, "# engine: %s\n# problem: %s\n# step: %.17g\n# settings: ", variant, p->name, h);
  the_engine.settings(out);
  fprintf(out, "\n# interpolation:");
  for (size_t i = 0; i < 2 * n; i++) {
    fprintf(out, " %c%zu=linear", i < n ? 'q' : 'v', i % n);
  }
  fprintf(out, "\nt");
  for (size_t i = 0; i < 2 * n; i++) {
    fprintf(out, ",%c%zu", i < n ? 'q' : 'v', i % n);
  }
  fprintf(out, "\n");
}

static void write_row(FILE *out, const engine_problem *p, double t)
{
  const size_t n = coordinates(p);
  fprintf(out, "%.17g", t);
  for (size_t i = 0; i < 2 * n; i++) {
    fprintf(out, ",%.17g", value(p, i % n, i >= n));
  }
  fprintf(out, "\n");
}

static int run(const engine_problem *p, size_t variant, double h, const char *path)
{
  FILE *out = fopen(path, "w");
  if (out == NULL || freopen("/dev/null", "w", stdout) == NULL) { /* some engines talk of every step there */
    perror(path);
    return 1;
  }
  the_engine.start(p, variant);
  write_head(out, p, the_engine.variants[variant], h);
  write_row(out, p, 0);
  const size_t steps = (size_t)ceil(p->end / h);
  for (size_t k = 1; k <= steps; k++) {
    pull(p);
    the_engine.step(h);
    write_row(out, p, (double)k * h);
  }
  the_engine.stop();
  const bool whole = ferror(out) == 0;
  if (fclose(out) != 0 || !whole) {
    perror(path);
    return 1;
  }
  return 0;
}

/* What there is: a name in each line, for problems with the words for judge. */
static void list(bool problems)
{
  for (size_t i = 0; problems && i < engine_problem_count; i++) {
    printf("%s %s\n", engine_problems[i].name, engine_problems[i].judge);
  }
  for (size_t i = 0; !problems && the_engine.variants[i] != NULL; i++) {
    printf("%s\n", the_engine.variants[i]);
  }
}

int main(int argc, char **argv)
{
  if (argc == 2 && (strcmp(argv[1], "problems") == 0 || strcmp(argv[1], "variants") == 0)) {
    list(argv[1][0] == 'p');
    return 0;
  }
  if (argc != 5) {
    return usage(argv[0]);
  }
  const size_t variant = find_variant(argv[1]);
  const engine_problem *problem = find_problem(argv[2]);
  char *end = NULL;
  const double h = strtod(argv[3], &end);
  if (the_engine.variants[variant] == NULL || problem == NULL || *end != '\0' || !(h >= 1e-6 && h <= 1)) {
    fprintf(stderr, "%s: no variant '%s', no problem '%s', or step '%s' is not within [1e-6, 1] s\n", argv[0],
            argv[1], argv[2], argv[3]);
    return 2;
  }
  return run(problem, variant, h, argv[4]);
}
