/* soak_dense_output.c -- event-driven runs against every exact solution, at and between their nodes.
 *
 *   soak_dense_output DRAW COUNT [MODEL [ENGINE [TOL]]]
 *
 * Draw 0 is each model with its default parameters; in the others every real parameter that is not 0 is multiplied by 1/2 to 2. Each
 * model is run by each engine with tol = 1e-4, 1e-6, ..., 1e-12. A line for each run, with
 *   between, node  largest error of q, v or g between the nodes of the record and at them, of the column that is worst
 *   ratio          of the error between nodes to its bound 2 node + 10 tol scale; scale: the column's largest value
 *   at, part, h    where: time, fraction of the interval, its length
 *   verdict        ok; early: the run has no end or no exact solution; FAIL: ratio > 1
 * Between two nodes q, v and g are the cubics that the record declares. Exact solutions are compared on the same side of an event:
 * the run's time of an event may err.
 * The time spanned by an accumulation is not compared: its event has its own bound.
 * Exit status 0: no FAIL. Many draws: dense_output.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
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
static const double rounding = 4e-15; /* of a column's scale, and of 1 */
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
  size_t n, m, count;   /* count = 2 n + m columns */
  size_t slope;         /* from a column q or v to its slope; of g it is m */
  double *q, *v, *rest; /* of the exact solution: values; unused output */
  double *g, *u, *best; /* best: count */
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

/* Position of column i of the comparison in a row, and of its slope. */
static size_t place_of(size_t i)
{
  return 1 + i;
}

static size_t slope_of(const comparison *c, size_t i)
{
  return 1 + (i < c->n ? i + c->n : i < 2 * c->n ? c->slope + i - c->n : i + c->m);
}

static double hermite(const comparison *c, const double *a, const double *b, double s, size_t i)
{
  const double h = b[0] - a[0], x0 = a[place_of(i)], x1 = b[place_of(i)];
  const double d0 = a[slope_of(c, i)], d1 = b[slope_of(c, i)];
  return s == 0   ? x0
         : s == 1 ? x1
                  : x0 + s * s * (3 - 2 * s) * (x1 - x0) + h * s * (1 - s) * ((1 - s) * d0 - s * d1);
}

/* best := errors of the cubics from row a to row b at the fraction s, against the nearest of the pieces. */
static void compare_at(comparison *c, const double *a, const double *b, double s, size_t first, size_t last)
{
  const double t = s == 1 ? b[0] : a[0] + s * (b[0] - a[0]);
  dls_exact_value value = {.q = c->q,
                           .v = c->v,
                           .a = c->rest,
                           .p = c->rest + c->n,
                           .lambda = c->rest + c->n + c->m,
                           .status = c->status,
                           .mu = c->rest + c->n + 2 * c->m};
  for (size_t i = 0; i < c->count; i++) {
    c->best[i] = HUGE_VAL;
  }
  for (size_t k = first; k <= last; k++) {
    c->exact->value(c->solution, k, t, &value);
    c->exact->gap(c->solution, t, c->q, c->v, c->g, c->u);
    for (size_t i = 0; i < c->count; i++) {
      const double x = i < c->n ? c->q[i] : i < 2 * c->n ? c->v[i - c->n] : c->g[i - 2 * c->n];
      c->best[i] = fmin(c->best[i], fabs(hermite(c, a, b, s, i) - x));
    }
  }
}

static void compare_interval(comparison *c, const double *a, const double *b, double slack)
{
  const double middle = 0.5 * (a[0] + b[0]);
  const size_t first = piece_at(c, fmax(0, middle - slack)), last = piece_at(c, middle + slack);
  for (size_t k = 0; k < PARTS; k++) {
    compare_at(c, a, b, parts[k], first, last < first + MOST_PIECES ? last : first + MOST_PIECES);
    for (size_t i = 0; i < c->count; i++) {
      column_errors *column = &c->column[i];
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
      c->column[i].scale = fmax(c->column[i].scale, fabs(dls_trajectory_at(run, row, place_of(i))));
    }
  }
  const size_t stride = 1 + run->rows / MOST_INTERVALS;
  for (size_t row = 0; row + 1 < run->rows; row += near_event(run, row) ? 1 : stride) {
    const double *a = run->data + row * run->columns, *b = a + run->columns;
    if (b[0] > a[0] && !passes(run, b[0])) {
      compare_interval(c, a, b, slack);
    }
  }
}

/* @return false: FAIL */
static bool report(const comparison *c, double tol)
{
  double ratio = 0;
  size_t worst = 0;
  for (size_t i = 0; i < c->count; i++) {
    const column_errors *column = &c->column[i];
    const double allowed = 2 * column->node + 10 * tol * column->scale + rounding * (1 + column->scale);
    if (!(column->between <= ratio * allowed)) {
      ratio = column->between / allowed;
      worst = i;
    }
  }
  const column_errors *column = &c->column[worst];
  const bool ok = ratio <= 1;
  printf("rows=%zu worst=%s between=%.2e node=%.2e scale=%.2e ratio=%.3g at=%.12g part=%g h=%.2e verdict=%s\n",
         c->run->rows, c->run->names[place_of(worst)], column->between, column->node, column->scale, ratio,
         column->at, column->part, column->h, ok ? "ok" : "FAIL");
  return ok;
}

/* @return false: FAIL */
static bool judge(const dls_exact *exact, const double *p, const dls_sim *sim, const dls_trajectory *run,
                  double tol)
{
  const size_t n = sim->sys->n, m = sim->sys->m, r = sim->sys->r;
  dls_error err = {0};
  comparison c = {.exact = exact, .run = run, .n = n, .m = m, .count = 2 * n + m};
  if (exact->create(p, sim->t * (1 + 1e-9), &c.solution, &err) != DLS_OK) {
    printf("verdict=early no exact solution: %s\n", err.text);
    return true;
  }
  double *block = calloc(2 * n + (n + 2 * m + r) + 2 * m + c.count, sizeof *block);
  c.status = calloc(m + 1, sizeof *c.status);
  c.column = calloc(c.count, sizeof *c.column);
  c.slope = (size_t)dls_trajectory_column(run, "a0") - 1;
  c.q = block;
  c.v = c.q + n;
  c.rest = c.v + n;
  c.g = c.rest + n + 2 * m + r;
  c.u = c.g + m;
  c.best = c.u + m;
  compare(&c, late * tol * sim->sys->time);
  const bool ok = report(&c, tol);
  exact->destroy(c.solution);
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
