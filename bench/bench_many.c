/* bench_many.c -- nanoseconds per run and step of many runs side by side, by dls_run_many, and of one after the other, beside a hand-written
 * loop over as many that is compiled with the instruction set of the library: bouncing balls, blocks that slide and stick, pucks in space.
 * Thread time, in turns in one process, of the ratios of a turn the median and the range of all; and the limit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/instruction_sets.h"
#include "bench/limits.h"
#include <delassus/catalogue.h>
#include <delassus/many.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MEMBERS = 32, STEPS = 100000, REPEATS = 15 };
static const double end = 4;

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Moreau-Jean by hand, with theta = 1/2 and gamma = 1, as short as it can be written so that a compiler makes vectors of it. All begin in q
 * and v, which they overwrite. */
typedef struct motion {
  double x[MEMBERS], y[MEMBERS], z[MEMBERS], u[MEMBERS], v[MEMBERS], w[MEMBERS];
} motion;

/* q'' = -2, e = 1/2 */
BENCH_BODY void hand_balls_body(motion *m)
{
  const double h = end / STEPS;
  double *q = m->x, *v = m->u;
  for (size_t k = 0; k < STEPS; k++) {
    for (size_t i = 0; i < MEMBERS; i++) {
      const double free = v[i] - 2 * h, back = -0.5 * v[i];
      const double struck = free < back ? back : free;
      const double next = q[i] + h * v[i] <= 0 && v[i] <= 1e-9 ? struck : free;
      q[i] += 0.5 * h * (v[i] + next);
      v[i] = next;
    }
  }
}
DLS_HAND_LOOP(hand_balls, (motion * m), (m))

static const double mass = 1, slope = 0.5235987755982988, gravity = 9.81, mu = 0.3;

/* Block on an incline, x uphill: it slides up, and down again. */
BENCH_BODY void hand_blocks_body(motion *m)
{
  const double h = end / STEPS, a_x = -gravity * sin(slope), a_y = -gravity * cos(slope);
  double *x = m->x, *y = m->y, *u = m->u, *v = m->v;
  for (size_t k = 0; k < STEPS; k++) {
    for (size_t i = 0; i < MEMBERS; i++) {
      const double u_free = u[i] + h * a_x, v_free = v[i] + h * a_y;
      const bool closed = y[i] + h * v[i] <= 1e-13 && v[i] <= 1e-9 && v_free < 0;
      const double p = closed ? -mass * v_free : 0, most = mu * p, stick = -mass * u_free;
      const double up = stick < most ? stick : most, p_t = up > -most ? up : -most;
      const double u_next = u_free + p_t / mass, v_next = v_free + p / mass;
      x[i] += 0.5 * h * (u[i] + u_next);
      y[i] += 0.5 * h * (v[i] + v_next);
      u[i] = u_next;
      v[i] = v_next;
    }
  }
}
DLS_HAND_LOOP(hand_blocks, (motion * m), (m))

/* Puck in space on a slope of 0.2 */
static const double puck_slope = 0.19739555984988075;
BENCH_BODY void hand_pucks_body(motion *m)
{
  const double h = end / STEPS, a_x = gravity * sin(puck_slope), a_z = -gravity * cos(puck_slope);
  double *x = m->x, *y = m->y, *z = m->z, *u = m->u, *v = m->v, *w = m->w;
  for (size_t k = 0; k < STEPS; k++) {
    for (size_t i = 0; i < MEMBERS; i++) {
      const double u_free = u[i] + h * a_x, v_free = v[i], w_free = w[i] + h * a_z;
      const bool closed = z[i] + h * w[i] <= 1e-13 && w[i] <= 1e-9 && w_free < 0;
      const double p = closed ? -mass * w_free : 0, most = mu * p;
      const double size = mass * sqrt(u_free * u_free + v_free * v_free);
      const double share = size <= most ? mass : mass * most / size;
      const double u_next = u_free - share * u_free / mass, v_next = v_free - share * v_free / mass;
      const double w_next = w_free + p / mass;
      x[i] += 0.5 * h * (u[i] + u_next);
      y[i] += 0.5 * h * (v[i] + v_next);
      z[i] += 0.5 * h * (w[i] + w_next);
      u[i] = u_next;
      v[i] = v_next;
      w[i] = w_next;
    }
  }
}
DLS_HAND_LOOP(hand_pucks, (motion * m), (m))

/* What bounces or slides, with the number that differs from member to member. */
typedef struct subject {
  const char *name, *model, *varied;
  double first, step; /* of that number */
  void (*by_hand)(motion *m);
  bool height; /* the number is x, else u */
  double limit;
} subject;

static const subject balls = {"ball", "bouncing-ball", "q0", 1, 0.01, hand_balls, true, 2},
                     blocks = {"block", "incline", "v0", 2, 0.05, hand_blocks, false, 5},
                     pucks = {"puck in space", "puck", "v0", 1, 0.05, hand_pucks, false, 5};
static const struct {
  const subject *what;
  const char *scheme;
} kinds[] = {{&balls, "moreau-jean"},
             {&balls, "moreau-jean-variant"},
             {&blocks, "moreau-jean"},
             {&pucks, "moreau-jean"}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static double varied(const subject *s, size_t i)
{
  return s->first + s->step * (double)i;
}

static double by_hand(const subject *s)
{
  motion m = {.x = {0}};
  for (size_t i = 0; i < MEMBERS; i++) {
    *(s->height ? &m.x[i] : &m.u[i]) = varied(s, i);
  }
  const double begin = seconds();
  s->by_hand(&m);
  const double time = seconds() - begin;
  volatile double keep = 0;
  for (size_t i = 0; i < MEMBERS; i++) {
    keep += m.x[i] + m.u[i];
  }
  return time;
}

static void stop(const dls_error *err)
{
  fprintf(stderr, "%s\n", err->text);
  exit(1);
}

static dls_sim *member(const subject *s, const char *scheme, size_t i, dls_system **sys)
{
  double parameters[16];
  dls_error err = {0};
  dls_sim *sim = NULL;
  const dls_model *model = dls_model_find(s->model, &err);
  dls_option_defaults(model->parameters, parameters);
  parameters[dls_option_find(model->parameters, s->varied)] = varied(s, i);
  if (dls_model_create(model, parameters, sys, &err) != DLS_OK ||
      dls_sim_create(*sys, dls_scheme_find(scheme, &err), &sim, &err) != DLS_OK) {
    stop(&err);
  }
  return sim;
}

static double by_library(const subject *s, const char *scheme, bool many)
{
  dls_error err = {0};
  dls_system *sys[MEMBERS];
  dls_sim *sims[MEMBERS];
  dls_run_spec specs[MEMBERS];
  for (size_t i = 0; i < MEMBERS; i++) {
    sims[i] = member(s, scheme, i, &sys[i]);
    specs[i] = (dls_run_spec){.step = end / STEPS, .end = end};
  }
  const double begin = seconds();
  dls_status status = many ? dls_run_many(MEMBERS, sims, specs, NULL, &err) : DLS_OK;
  for (size_t i = 0; !many && i < MEMBERS && status == DLS_OK; i++) {
    status = dls_run(sims[i], &specs[i], &err);
  }
  const double time = seconds() - begin;
  if (status != DLS_OK) {
    stop(&err);
  }
  for (size_t i = 0; i < MEMBERS; i++) {
    dls_sim_destroy(sims[i]);
    dls_system_destroy(sys[i]);
  }
  return time;
}

static void print(const char *name, const char *scheme, const char *how, double *time, double *ratio)
{
  qsort(time, REPEATS, sizeof *time, compare);
  qsort(ratio, REPEATS, sizeof *ratio, compare);
  printf("%-14s %-20s %-18s %8.2f %10.2f %8.2f to %.2f\n", name, scheme, how,
         1e9 * time[REPEATS / 2] / ((double)STEPS * MEMBERS), ratio[REPEATS / 2], ratio[0], ratio[REPEATS - 1]);
}

int main(void)
{
  static double hand[KINDS][REPEATS], one[KINDS][REPEATS], time[2][KINDS][REPEATS], ratio[2][KINDS][REPEATS];
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    for (int kind = 0; kind < KINDS; kind++) {
      hand[kind][repeat] = by_hand(kinds[kind].what);
      one[kind][repeat] = 1;
      for (int many = 0; many < 2; many++) {
        time[many][kind][repeat] = by_library(kinds[kind].what, kinds[kind].scheme, many == 1);
        ratio[many][kind][repeat] = time[many][kind][repeat] / hand[kind][repeat];
      }
    }
  }
  printf("%d members, %d steps, median of %d turns\n", (int)MEMBERS, (int)STEPS, (int)REPEATS);
  printf("%-14s %-20s %-18s %8s %10s %11s\n", "", "", "", "ns", "by hand", "of all");
  for (int kind = 0; kind < KINDS; kind++) {
    const char *name = kinds[kind].what->name, *scheme = kinds[kind].scheme;
    print(name, "hand-written loop", "", hand[kind], one[kind]);
    print(name, scheme, "one after another", time[0][kind], ratio[0][kind]);
    print(name, scheme, "side by side", time[1][kind], ratio[1][kind]);
  }
  for (int kind = 0; kind < KINDS; kind++) {
    char work[160];
    const double *r = ratio[1][kind];
    snprintf(work, sizeof work, "many runs of a %s, %s / loop by hand over as many, same instruction set",
             kinds[kind].what->name, kinds[kind].scheme);
    limit_at_most(work, "", r[REPEATS / 2], r[0], r[REPEATS - 1], kinds[kind].what->limit);
  }
  const double *t = time[1][0], unit = 1e9 / ((double)STEPS * MEMBERS);
  limit_at_most("many runs of a ball, moreau-jean, a ball and step", "ns", unit * t[REPEATS / 2], unit * t[0],
                unit * t[REPEATS - 1], 0.6);
  return 0;
}
