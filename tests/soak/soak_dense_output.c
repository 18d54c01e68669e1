/* soak_dense_output.c -- event-driven runs against every exact solution, at and between their nodes.
 *
 *   soak_dense_output DRAW COUNT [MODEL [ENGINE [TOL]]]
 *
 * Draw 0 is each model with its default parameters; in the others every real parameter that is not 0 is multiplied by 1/2 to 2. Each
 * model is run by each engine with tol = 1e-4, 1e-6, ..., 1e-12. A line for each run, with
 *   between, node  largest error of a column between the nodes of the record and at them, of the column that is worst: q, v, a, mu, of
 *                  contacts g, u, lambda, and along tangents u and lambda
 *   ratio          of the error between nodes to its bound 2 node + 10 tol scale; scale: the column's largest value
 *   at, part, h    where: time, fraction of the interval, its length
 *   verdict        ok; early: the run has no end or no exact solution; FAIL: ratio > 1
 * Between two nodes a column is what the record declares, by dls_graph_of. Exact solutions are compared on the same side of an event:
 * the run's time of an event may err.
 * The time spanned by an accumulation is not compared: its event has its own bound.
 * Exit status 0: no FAIL. Many draws: dense_output.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/tangents.h"
#include <delassus/catalogue.h>
#include <delassus/graph.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of an interval: also close to its ends, and so to events. */
static const double parts[] = {0,    1e-3, 3e-3, 0.01, 0.03, 0.1,   0.2,   0.35, 0.5,
                               0.65, 0.8,  0.9,  0.97, 0.99, 0.997, 0.999, 1};
static const char *const engines[] = {"adams", "bdf", "erk", "flow", "auto", NULL};
static const double late = 100;       /* [tol t_s]: allowed error of the time of an event */
static const double rounding = 4e-15; /* of the largest value of columns of the same letters, and of 1 */
enum { PARTS = sizeof parts / sizeof parts[0], MOST_PIECES = 50, MOST_INTERVALS = 500, MOST_PARAMETERS = 64 };

/* Their exact solutions are equilibria and steady rotations, not the motion from the start. */
static const char *const steady[] = {"cantilever", "spin-up-beam", NULL};

/* Long enough for many events of each kind, short enough for a test; any other model: 1 s. */
static const struct {
  const char *model;
  double end;
} ends[] = {{"heavy-top", 0.05},
            {"rough-bowl", 2},
            {"rocking-block", 3},
            {"four-bar", 2},
            {"elastic-bar", 0.2},
            {"rod-impact", 0.2},
            {"lens-cardona-a", 2},
            {"lens-cardona-b", 2},
            {"rigid-discs", 9},
            {"superball", 3},
            {"bounce-slip", 3},
            {"impacting-oscillator", 4},
            {"rope", 3},
            {"bouncing-ball", 4},
            {"vibrating-table", 4},
            {"cam-follower", 4},
            {"belt", 20},
            {"forced-block", 20},
            {"spring-block", 20},
            {"den-hartog", 20},
            {"two-ball-oscillator", 4},
            {NULL, 1}};

static double end_of(const char *model)
{
  size_t i = 0;
  while (ends[i].model != NULL && strcmp(ends[i].model, model) != 0) {
    i++;
  }
  return ends[i].end;
}

static bool is_steady(const char *model)
{
  size_t i = 0;
  while (steady[i] != NULL && strcmp(steady[i], model) != 0) {
    i++;
  }
  return steady[i] != NULL;
}

static double uniform(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void draw_parameters(const dls_model *model, unsigned long draw, double *p)
{
  uint64_t state = 1000003 * (uint64_t)draw + 17;
  dls_option_defaults(model->parameters, p);
  for (size_t i = 0; draw > 0 && i < dls_option_count(model->parameters); i++) {
    if (model->parameters[i].kind == DLS_REAL) {
      p[i] *= exp2(2 * uniform(&state) - 1);
    }
  }
}

/* The errors of a column. */
typedef struct column_errors {
  double scale, node, between;
  double at, part, h; /* of the largest between nodes */
} column_errors;

typedef struct comparison {
  const dls_exact *exact;
  dls_exact_solution *solution;
  const dls_trajectory *run;
  size_t n, m, d, r;
  size_t count;          /* all columns but t, many of which are not compared */
  double *row;           /* t and count values of the exact solution, as in a row of the run */
  double *mean, *best;   /* count: of the run; errors */
  dls_graph **graph;     /* count; NULL: not compared */
  dls_tangents tangents; /* zeros if d = 1 */
  int *status;
  column_errors *column; /* count */
} comparison;

static size_t piece_at(const comparison *c, double t)
{
  size_t low = 0, high = c->exact->pieces != NULL ? c->exact->pieces(c->solution) : 1;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    *(c->exact->start(c->solution, middle) <= t ? &low : &high) = middle;
  }
  return low;
}

/* c->row := the exact solution at t on a piece, in the order of the columns of a run. */
static void evaluate(comparison *c, size_t piece, double t)
{
  const size_t n = c->n, m = c->m;
  double *q = c->row + 1, *v = q + n, *g = v + n, *u = g + m, *p = u + m, *lambda = p + m, *a = lambda + 2 * m;
  double *tangents = a + n, *mu = tangents + 3 * (c->d - 1) * m;
  dls_exact_value value = {.q = q, .v = v, .a = a, .p = p, .lambda = lambda, .status = c->status, .mu = mu};
  dls_error err = {0};
  c->exact->value(c->solution, piece, t, &value);
  c->exact->gap(c->solution, t, q, v, g, u);
  if (c->tangents.sys != NULL) {
    const dls_tangents_state at = {t, q, v, a, p, lambda, NULL};
    dls_tangents_at(&c->tangents, &at, tangents, &err);
  }
}

/* best := errors of the columns at the fraction s from row a to row b, against the nearest of the pieces. */
static void compare_at(comparison *c, const double *a, const double *b, double s, size_t first, size_t last)
{
  const double t = s == 1 ? b[0] : a[0] + s * (b[0] - a[0]);
  for (size_t i = 0; i < c->count; i++) {
    c->best[i] = HUGE_VAL;
    if (c->graph[i] != NULL) {
      dls_graph_value(c->graph[i], t, s == 1 ? -1 : 1, &c->mean[i]);
    }
  }
  for (size_t k = first; k <= last; k++) {
    evaluate(c, k, t);
    for (size_t i = 0; i < c->count; i++) {
      c->best[i] = fmin(c->best[i], fabs(c->mean[i] - c->row[1 + i]));
    }
  }
}

/* nodes: only at both ends */
static void compare_interval(comparison *c, const double *a, const double *b, double slack, bool nodes)
{
  const double middle = 0.5 * (a[0] + b[0]);
  const size_t first = piece_at(c, fmax(0, middle - slack)), last = piece_at(c, middle + slack);
  for (size_t k = 0; k < PARTS; k += nodes ? PARTS - 1 : 1) {
    compare_at(c, a, b, parts[k], first, last < first + MOST_PIECES ? last : first + MOST_PIECES);
    for (size_t i = 0; i < c->count; i++) {
      column_errors *column = &c->column[i];
      if (c->graph[i] == NULL) {
        continue;
      }
      if (parts[k] == 0 || parts[k] == 1) {
        column->node = fmax(column->node, c->best[i]);
      } else if (!(c->best[i] <= column->between)) {
        column->between = c->best[i];
        column->at = a[0] + parts[k] * (b[0] - a[0]);
        column->part = parts[k];
        column->h = b[0] - a[0];
      }
    }
  }
}

/* In long records only some intervals are compared, always including those next to events. */
static bool near_event(const dls_trajectory *run, size_t row)
{
  const double *a = run->data + row * run->columns;
  return row + 3 >= run->rows || a[0] == a[run->columns] || a[run->columns] == a[2 * run->columns];
}

/* Does an accumulation, passed as one, end at t? */
static bool passes(const dls_trajectory *run, double t)
{
  bool any = false;
  for (size_t i = 0; i < run->event_count; i++) {
    any = any || (run->events[i].t == t && run->events[i].duration > 0);
  }
  return any;
}

static void compare(comparison *c, double slack)
{
  const dls_trajectory *run = c->run;
  for (size_t row = 0; row < run->rows; row++) {
    for (size_t i = 0; i < c->count; i++) {
      c->column[i].scale = fmax(c->column[i].scale, fabs(dls_trajectory_at(run, row, 1 + i)));
    }
  }
  const size_t stride = 1 + run->rows / MOST_INTERVALS;
  for (size_t row = 0; row + 1 < run->rows; row++) {
    const double *a = run->data + row * run->columns, *b = a + run->columns;
    if (b[0] > a[0] && !passes(run, b[0])) {
      compare_interval(c, a, b, slack, row % stride > 0 && !near_event(run, row));
    }
  }
}

/* Largest value of the columns with the same letters. */
static double scale_of_kind(const comparison *c, size_t i)
{
  const char *name = c->run->names[1 + i];
  const size_t letters = strcspn(name, "0123456789");
  double most = 0;
  for (size_t k = 0; k < c->count; k++) {
    const char *other = c->run->names[1 + k];
    if (strcspn(other, "0123456789") == letters && strncmp(other, name, letters) == 0) {
      most = fmax(most, c->column[k].scale);
    }
  }
  return most;
}

/* @return false: FAIL */
static bool report(const comparison *c, double tol)
{
  double ratio = 0;
  size_t worst = 0;
  for (size_t i = 0; i < c->count; i++) {
    const column_errors *column = &c->column[i];
    if (c->graph[i] == NULL) {
      continue;
    }
    const double allowed = 2 * column->node + 10 * tol * column->scale + rounding * (1 + scale_of_kind(c, i));
    if (!(column->between <= ratio * allowed)) {
      ratio = column->between / allowed;
      worst = i;
    }
  }
  const column_errors *column = &c->column[worst];
  const bool ok = ratio <= 1;
  printf("rows=%zu worst=%s between=%.2e node=%.2e scale=%.2e ratio=%.3g at=%.12g part=%g h=%.2e verdict=%s\n",
         c->run->rows, c->run->names[1 + worst], column->between, column->node, column->scale, ratio,
         column->at, column->part, column->h, ok ? "ok" : "FAIL");
  return ok;
}

/* All but impulses, which are those of rows, the status, which is a step, and phi, which is 0. */
static bool has_exact_value(const char *name)
{
  return name[0] != 'p' && name[0] != 's';
}

/* @return false: FAIL */
static bool judge(const dls_exact *exact, const double *p, const dls_sim *sim, const dls_trajectory *run,
                  double tol)
{
  const size_t columns = run->columns;
  dls_error err = {0};
  comparison c = {.exact = exact,
                  .run = run,
                  .n = sim->sys->n,
                  .m = sim->sys->m,
                  .d = sim->sys->d,
                  .r = sim->sys->r,
                  .count = columns - 1};
  if (exact->create(p, sim->t * (1 + 1e-9), &c.solution, &err) != DLS_OK) {
    printf("verdict=early no exact solution: %s\n", err.text);
    return true;
  }
  if (c.d > 1 && c.m > 0 && dls_tangents_create(sim->sys, &c.tangents, &err) != DLS_OK) {
    printf("verdict=FAIL %s\n", err.text);
    return false;
  }
  double *block = calloc(3 * columns, sizeof *block);
  c.status = calloc(c.m + 1, sizeof *c.status);
  c.column = calloc(columns, sizeof *c.column);
  c.graph = calloc(columns, sizeof *c.graph);
  c.row = block;
  c.mean = c.row + columns;
  c.best = c.mean + columns;
  for (size_t i = 1; i < columns; i++) {
    if (has_exact_value(run->names[i])) {
      dls_graph_of(run, 1, &i, &c.graph[i - 1], &err);
    }
  }
  compare(&c, late * tol * sim->sys->time);
  const bool ok = report(&c, tol);
  for (size_t i = 0; i < c.count; i++) {
    dls_graph_destroy(c.graph[i]);
  }
  if (c.tangents.sys != NULL) {
    dls_tangents_destroy(&c.tangents);
  }
  exact->destroy(c.solution);
  free(c.graph);
  free(block);
  free(c.status);
  free(c.column);
  return ok;
}

/* One run. @return false: FAIL */
static bool trial(const dls_exact *exact, unsigned long draw, const char *engine, double tol)
{
  double p[MOST_PARAMETERS];
  char method[40], accuracy[40];
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_trajectory *run = NULL;
  bool ok = true;
  draw_parameters(exact->model, draw, p);
  snprintf(method, sizeof method, "method=%s", engine);
  snprintf(accuracy, sizeof accuracy, "tol=%.17g", tol);
  dls_status status = dls_model_create(exact->model, p, &sys, &err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find("event-driven", NULL), &sim, &err);
  status = status != DLS_OK ? status : dls_sim_set(sim, method, &err);
  status = status != DLS_OK ? status : dls_sim_set(sim, accuracy, &err);
  run = status == DLS_OK ? dls_sim_trajectory(sim, &err) : NULL;
  if (run != NULL) {
    status = dls_run(sim, &(dls_run_spec){.end = end_of(exact->model->name), .record = run}, &err);
  }
  printf("%s draw=%lu method=%s tol=%g ", exact->model->name, draw, engine, tol);
  if (status == DLS_OK && run != NULL && (exact->n == 0 || exact->n == sys->n)) {
    ok = judge(exact, p, sim, run, tol);
  } else {
    printf("verdict=early %s\n", err.text);
  }
  dls_trajectory_destroy(run);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return ok;
}

int main(int count, char **word)
{
  const char *model = count > 3 ? word[3] : "all", *engine = count > 4 ? word[4] : "all";
  const double only = count > 5 ? strtod(word[5], NULL) : 0;
  bool ok = count > 2;
  const unsigned long first = count > 2 ? strtoul(word[1], NULL, 10) : 0;
  const unsigned long draws = count > 2 ? strtoul(word[2], NULL, 10) : 0;
  for (unsigned long draw = first; draw < first + draws; draw++) {
    for (const dls_exact *const *exact = dls_exacts(); *exact != NULL; exact++) {
      const bool skipped = is_steady((*exact)->model->name) ||
                           (strcmp(model, "all") != 0 && strcmp(model, (*exact)->model->name) != 0);
      for (size_t e = 0; !skipped && engines[e] != NULL; e++) {
        for (int k = 4; k <= 12 && (strcmp(engine, "all") == 0 || strcmp(engine, engines[e]) == 0); k += 2) {
          const double tol = pow(10, -k);
          ok = (only > 0 && fabs(tol / only - 1) > 0.01) || trial(*exact, draw, engines[e], tol) ? ok : false;
          fflush(stdout);
        }
      }
    }
  }
  return ok ? 0 : 1;
}
