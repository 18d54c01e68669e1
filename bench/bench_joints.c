/* bench_joints.c -- a step of moreau-jean with joints over the same step by hand: chains of N links that hang free, one of which is a
 * pendulum, and the exponent of the time over N. A step of energy-preserving over that step by hand. The time of a step of slider-crank.
 * Steps are in proportion to the length of a link. Thread time, in turns, medians.
 * `bench_joints all [SCHEME...]` prints instead rows for each scheme that takes joints: pendulum, chains of 10 and 1000 links,
 * slider-crank.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/limits.h"
#include <delassus/catalogue.h>
#include <delassus/scheme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const dls_model dls_model_pendulum_chain, dls_model_slider_crank;
extern const dls_scheme dls_scheme_moreau_jean, dls_scheme_energy_preserving;

enum { TURNS = 7, SIZES = 4, ITERATIONS = 3, PROJECTIONS = 2 };
static const size_t sizes[SIZES] = {1, 10, 1000, 100000};
static const double chain_limit = 5, pendulum_limit = 10, crank_limit = 15; /* times; times; us */
static const double work = 2e5;                                             /* links times steps of a turn */
static const double gravity = 9.81, agree = 1e-9;                           /* m/s^2; m */

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void must(dls_status status, const dls_error *err)
{
  if (status != DLS_OK) {
    fprintf(stderr, "%s\n", err->text);
    exit(1);
  }
}

/* --- the step by hand --- */

/* Points of mass 1; v' = v + h g + D nu, D along the rods at (q + q')/2, C^T v' = 0 with C along those at q', by iterations; then q' onto
 * the rods. Every system of thrusts is tridiagonal. */
typedef struct loop {
  size_t links;
  double h, length;
  double *q, *v, *q_next, *v_next, *middle, *along, *across; /* 2 N + 2 each: the fixed point comes first */
  double *upper, *nu;
} loop;

static loop loop_of(size_t links, double h, const double *q0)
{
  const size_t size = 2 * links + 2;
  double *rows = calloc(8 * size, sizeof *rows);
  if (rows == NULL) {
    abort();
  }
  loop s = {.links = links, .h = h, .length = 1.0 / (double)links, .q = rows, .v = rows + size};
  s.q_next = rows + 2 * size;
  s.v_next = rows + 3 * size;
  s.middle = rows + 4 * size;
  s.along = rows + 5 * size;
  s.across = rows + 6 * size;
  s.upper = rows + 7 * size;
  s.nu = s.upper + size / 2;
  memcpy(s.q + 2, q0, 2 * links * sizeof *q0);
  return s;
}

static void rods(const loop *s, const double *q, double *d)
{
  for (size_t i = 0; i < 2 * s->links; i++) {
    d[i] = (q[i + 2] - q[i]) / s->length;
  }
}

static double dot2(const double *x, const double *y)
{
  return x[0] * y[0] + x[1] * y[1];
}

/* nu := (C^T D)^-1 nu, then x += D nu */
static void push(loop *s, const double *C, const double *D, double *x)
{
  const size_t n = s->links;
  double *nu = s->nu, *upper = s->upper;
  for (size_t i = 0; i < n; i++) {
    const double own = (i > 0 ? 2 : 1) * dot2(C + 2 * i, D + 2 * i);
    const double low = i > 0 ? -dot2(C + 2 * i, D + 2 * i - 2) : 0;
    const double pivot = 1 / (own - (i > 0 ? low * upper[i - 1] : 0));
    upper[i] = i + 1 < n ? -dot2(C + 2 * i, D + 2 * i + 2) * pivot : 0;
    nu[i] = (nu[i] - (i > 0 ? low * nu[i - 1] : 0)) * pivot;
  }
  for (size_t i = n - 1; i-- > 0;) {
    nu[i] -= upper[i] * nu[i + 1];
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < 2; k++) {
      const double force = D[2 * i + k] * nu[i];
      x[2 * i + 2 + k] += force;
      x[2 * i + k] -= i > 0 ? force : 0;
    }
  }
}

static void iterate(loop *s)
{
  const size_t n = s->links;
  for (size_t i = 2; i < 2 * n + 2; i++) {
    s->q_next[i] = s->q[i] + 0.5 * s->h * (s->v[i] + s->v_next[i]);
    s->middle[i] = 0.5 * (s->q[i] + s->q_next[i]);
    s->v_next[i] = s->v[i] - (i % 2 == 1 ? s->h * gravity : 0);
  }
  rods(s, s->middle, s->along);
  rods(s, s->q_next, s->across);
  for (size_t i = 0; i < n; i++) {
    s->nu[i] = -(dot2(s->across + 2 * i, s->v_next + 2 * i + 2) - dot2(s->across + 2 * i, s->v_next + 2 * i));
  }
  push(s, s->across, s->along, s->v_next);
}

static void project(loop *s)
{
  rods(s, s->q_next, s->across);
  for (size_t i = 0; i < s->links; i++) {
    s->nu[i] = -0.5 * s->length * (dot2(s->across + 2 * i, s->across + 2 * i) - 1); /* -Phi */
  }
  push(s, s->across, s->across, s->q_next);
}

static void hand_step(loop *s)
{
  const size_t size = (2 * s->links + 2) * sizeof *s->q;
  memcpy(s->v_next, s->v, size);
  for (int k = 0; k < ITERATIONS; k++) {
    iterate(s);
  }
  for (size_t i = 2; i < 2 * s->links + 2; i++) {
    s->q_next[i] = s->q[i] + 0.5 * s->h * (s->v[i] + s->v_next[i]);
  }
  for (int k = 0; k < PROJECTIONS; k++) {
    project(s);
  }
  memcpy(s->q, s->q_next, size);
  memcpy(s->v, s->v_next, size);
}

/* --- the chains --- */

static dls_sim *start(const dls_model *model, const dls_scheme *scheme, const double *p, dls_system **sys)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  must(dls_model_create(model, p, sys, &err), &err);
  must(dls_sim_create(*sys, scheme, &sim, &err), &err);
  must(dls_sim_start(sim, &err), &err);
  return sim;
}

static double advance(dls_sim *sim, double h, size_t steps)
{
  dls_error err = {0};
  const double begin = seconds();
  for (size_t k = 0; k < steps; k++) {
    must(dls_sim_advance(sim, h, &err), &err);
  }
  return (seconds() - begin) / (double)steps;
}

static double advance_by_hand(loop *s, size_t steps)
{
  const double begin = seconds();
  for (size_t k = 0; k < steps; k++) {
    hand_step(s);
  }
  return (seconds() - begin) / (double)steps;
}

static double median(double *x)
{
  for (int i = 0; i < TURNS; i++) {
    for (int j = i; j > 0 && x[j] < x[j - 1]; j--) {
      const double y = x[j];
      x[j] = x[j - 1];
      x[j - 1] = y;
    }
  }
  return x[TURNS / 2];
}

/* @return seconds per link and step */
static double chain(const dls_scheme *scheme, size_t links)
{
  double p[16], now[TURNS], ratio[TURNS], by_hand[TURNS];
  dls_system *sys = NULL;
  dls_option_defaults(dls_model_pendulum_chain.parameters, p);
  p[dls_option_find(dls_model_pendulum_chain.parameters, "N")] = (double)links;
  p[dls_option_find(dls_model_pendulum_chain.parameters, "wall")] = -2; /* never met */
  dls_sim *sim = start(&dls_model_pendulum_chain, scheme, p, &sys);
  const double h = 1e-3 / (double)links;
  loop hand = loop_of(links, h, sys->q0);
  const size_t steps = (size_t)fmax(2, work / TURNS / (double)links);
  advance(sim, h, 2); /* what is made once */
  advance_by_hand(&hand, 2);
  for (int k = 0; k < TURNS; k++) {
    now[k] = advance(sim, h, steps);
    by_hand[k] = advance_by_hand(&hand, steps);
    ratio[k] = now[k] / by_hand[k];
  }
  double far = 0;
  for (size_t i = 0; i < sys->n; i++) {
    far = fmax(far, fabs(sim->q[i] - hand.q[i + 2]));
  }
  const double middle = median(ratio), time = median(now) / (double)links;
  const bool same = scheme == &dls_scheme_moreau_jean; /* as the step by hand */
  char name[80];
  char size[30] = "pendulum";
  if (links > 1) {
    snprintf(size, sizeof size, "chain of %zu", links);
  }
  snprintf(name, sizeof name, "joints, %s%s ÷ by hand", size, same ? "" : ", energy-preserving");
  limit_at_most(name, "times", middle, ratio[0], ratio[TURNS - 1], links == 1 ? pendulum_limit : chain_limit);
  printf("%8zu links: %10.1f ns per link and step, by hand %.1f; positions differ by %.1e m\n", links,
         1e9 * time, 1e9 * median(by_hand) / (double)links, far);
  if (same && !(far <= agree)) {
    fprintf(stderr, "bench_joints: the step by hand is another step\n");
    exit(1);
  }
  free(hand.q);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return time;
}

static void crank(void)
{
  double p[32], now[TURNS];
  dls_system *sys = NULL;
  dls_option_defaults(dls_model_slider_crank.parameters, p);
  dls_sim *sim = start(&dls_model_slider_crank, &dls_scheme_moreau_jean, p, &sys);
  advance(sim, 1e-5, 10);
  for (int k = 0; k < TURNS; k++) {
    now[k] = 1e6 * advance(sim, 1e-5, 200);
  }
  const double middle = median(now);
  limit_at_most("joints, a step of slider-crank", "us", middle, now[0], now[TURNS - 1], crank_limit);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

/* Median of a few turns [s a step], or NAN with the reason, where the scheme fails. */
static double try_scheme(const dls_model *model, const dls_scheme *scheme, const double *p, double h,
                         size_t steps, loop *hand, double *ratio)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  double now[TURNS], over[TURNS];
  dls_status status = dls_model_create(model, p, &sys, &err);
  if (status == DLS_OK && (status = dls_sim_create(sys, scheme, &sim, &err)) == DLS_OK) {
    if (dls_option_find(scheme->options, "restitution") >= 0) {
      dls_sim_set(sim, "restitution=own", NULL); /* of schemes that cannot have that of the model */
    }
    status = dls_sim_start(sim, &err);
  }
  for (int k = -1; k < TURNS && status == DLS_OK; k++) { /* the first turn warms up */
    const double begin = seconds();
    for (size_t i = 0; i < steps && status == DLS_OK; i++) {
      status = dls_sim_advance(sim, h, &err);
    }
    const double time = (seconds() - begin) / (double)steps;
    const double by_hand = hand != NULL ? advance_by_hand(hand, steps) : 1;
    if (k >= 0) {
      now[k] = time;
      over[k] = time / by_hand;
    }
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  if (status != DLS_OK) {
    printf("# %s, %s: %s\n", scheme->name, model->name, err.text);
    return *ratio = NAN;
  }
  *ratio = median(over);
  return median(now);
}

static bool named(const char *scheme, int count, char **names)
{
  bool found = count == 0;
  for (int i = 0; i < count; i++) {
    found = found || strcmp(names[i], scheme) == 0;
  }
  return found;
}

static void every_scheme(int count, char **names)
{
  static const size_t links[] = {1, 10, 1000};
  static const char *const chains[] = {"pendulum", "chain of 10", "chain of 1000"};
  double p[32], ratio = 0;
  char name[100];
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    if (((*s)->handles & DLS_HANDLES_JOINTS) == 0 || (*s)->stepping == DLS_BY_EVENT ||
        !named((*s)->name, count, names)) {
      continue;
    }
    for (size_t i = 0; i < 3; i++) {
      const dls_model *model = &dls_model_pendulum_chain;
      dls_option_defaults(model->parameters, p);
      p[dls_option_find(model->parameters, "N")] = (double)links[i];
      p[dls_option_find(model->parameters, "wall")] = -2;
      dls_system *sys = NULL;
      dls_error err = {0};
      must(dls_model_create(model, p, &sys, &err), &err);
      loop hand = loop_of(links[i], 1e-3 / (double)links[i], sys->q0);
      try_scheme(model, *s, p, hand.h, links[i] == 1000 ? 2 : 1000 / links[i], &hand, &ratio);
      if (isfinite(ratio)) {
        snprintf(name, sizeof name, "joints, %s, %s / by hand of moreau-jean", (*s)->name, chains[i]);
        limit_at_most(name, "", ratio, NAN, NAN, links[i] == 1 ? pendulum_limit : chain_limit);
      }
      free(hand.q);
      dls_system_destroy(sys);
    }
    dls_option_defaults(dls_model_slider_crank.parameters, p);
    const double crank_time = try_scheme(&dls_model_slider_crank, *s, p, 1e-5, 50, NULL, &ratio);
    if (isfinite(crank_time)) {
      snprintf(name, sizeof name, "joints, %s, a step of slider-crank", (*s)->name);
      limit_at_most(name, "us", 1e6 * crank_time, NAN, NAN, crank_limit);
    }
    fflush(stdout);
  }
}

int main(int argc, char **argv)
{
  double last = NAN;
  if (argc > 1 && strcmp(argv[1], "all") == 0) {
    every_scheme(argc - 2, argv + 2);
    return 0;
  }
  for (size_t i = 0; i < SIZES; i++) {
    const double time = chain(&dls_scheme_moreau_jean, sizes[i]);
    if (i > 1) {
      printf("%8zu links: exponent %.3f\n", sizes[i],
             1 + log(time / last) / log((double)sizes[i] / (double)sizes[i - 1]));
    }
    last = time;
  }
  chain(&dls_scheme_energy_preserving, 10);
  chain(&dls_scheme_energy_preserving, 1000);
  crank();
  return 0;
}
