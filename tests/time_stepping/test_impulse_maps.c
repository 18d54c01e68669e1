/* test_impulse_maps.c -- one contact by sequential-impulse, xpbd and soft-step against the formulas of their steps, written out for a
 * body with masses m along the normal and the tangents: W is diagonal. Random states, several steps, in the plane and in space.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include "runs.h"
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATES = 200, STEPS = 4 };
static const double h = 0.01, accuracy = 1e-12;

/* Index 0: normal. s: velocity of the surface along the tangents. r: impulses, of a substep. P: of the step. */
typedef struct body {
  size_t d;
  double m[3], q[3], v[3], F[3], s[3], r[3], P[3], e, mu;
} body;

static body draw(gsl_rng *rng, size_t d)
{
  body b = {.d = d, .e = gsl_rng_uniform(rng), .mu = gsl_rng_uniform(rng)};
  for (size_t i = 0; i < d; i++) {
    b.m[i] = 0.3 + gsl_rng_uniform(rng);
    b.q[i] = gsl_ran_gaussian(rng, 0.01);
    b.v[i] = gsl_ran_gaussian(rng, 1);
    b.F[i] = gsl_ran_gaussian(rng, 20);
    b.s[i] = i > 0 ? gsl_ran_gaussian(rng, 0.3) : 0;
  }
  b.F[0] -= 10;
  return b;
}

static double slip(const body *b, double *u)
{
  double size = 0;
  for (size_t i = 1; i < b->d; i++) {
    u[i] = b->v[i] - b->s[i];
    size = hypot(size, u[i]);
  }
  return size;
}

static void push(body *b, size_t i, double impulse)
{
  b->v[i] += impulse / b->m[i];
  b->r[i] += impulse;
}

/* The friction that stops the slip, cut to the disc |r_T| <= mu r_N. */
static void disc(body *b)
{
  double u[3], wanted[3], size = 0;
  slip(b, u);
  for (size_t i = 1; i < b->d; i++) {
    wanted[i] = b->r[i] - b->m[i] * u[i];
    size = hypot(size, wanted[i]);
  }
  const double part = size > b->mu * b->r[0] ? b->mu * b->r[0] / size : 1;
  for (size_t i = 1; i < b->d; i++) {
    push(b, i, part * wanted[i] - b->r[i]);
  }
}

static void fall(body *b, double step)
{
  for (size_t i = 0; i < b->d; i++) {
    b->v[i] += step * b->F[i] / b->m[i];
  }
}

static void move(body *b, double step)
{
  for (size_t i = 0; i < b->d; i++) {
    b->q[i] += step * b->v[i];
  }
}

typedef struct choices { /* of the schemes under test */
  double beta, slop;     /* sequential-impulse */
  bool split;
  int substeps;      /* xpbd, soft-step */
  double compliance; /* xpbd */
  bool after, by_speed;
  double threshold; /* soft-step */
} choices;

/* v_N' = max(v_f, s) with s = max(-e v_N, beta (|g| - slop)/h) where g <= 0 */
static void sequential(const choices *c, body *b)
{
  const double g = b->q[0], before = b->v[0], depth = fmax(-g - c->slop, 0);
  fall(b, h);
  memset(b->r, 0, sizeof b->r);
  if (g <= 0) {
    const double s = fmax(before < 0 ? -b->e * before : 0, c->split ? 0 : c->beta * depth / h);
    push(b, 0, b->m[0] * fmax(s - b->v[0], 0));
    disc(b);
  }
  memcpy(b->P, b->r, sizeof b->P);
  move(b, h);
  b->q[0] += g <= 0 && c->split ? c->beta * depth : 0;
}

static void xpbd(const choices *c, body *b)
{
  const double step = h / c->substeps, a = c->compliance / (step * step);
  memset(b->P, 0, sizeof b->P);
  for (int k = 0; k < c->substeps; k++) {
    double u[3];
    fall(b, step);
    memset(b->r, 0, sizeof b->r);
    const double free = b->v[0], g = b->q[0] + step * free; /* of x */
    const double lambda = fmax(-g / (1 / b->m[0] + a), 0), f = lambda / step;
    push(b, 0, f);
    if (lambda > 0) { /* undo the slip of the substep */
      double wanted = 0;
      slip(b, u);
      for (size_t i = 1; i < b->d; i++) {
        wanted = hypot(wanted, b->m[i] * u[i]);
      }
      for (size_t i = 1; i < b->d && wanted < b->mu * f; i++) {
        push(b, i, -b->m[i] * u[i]);
      }
    }
    move(b, step); /* q' = x */
    if (lambda > 0) {
      const double speed = slip(b, u);
      double W = 0;
      for (size_t i = 1; i < b->d; i++) {
        W += u[i] * u[i] / (speed * speed) / b->m[i];
      }
      const double change = fmin(c->by_speed ? b->mu * f : b->mu * f * W, speed);
      for (size_t i = 1; i < b->d && speed > 0; i++) {
        push(b, i, -u[i] / speed * change / W);
      }
      const bool rests = fabs(c->after ? b->v[0] : free) <= 2 * fabs(b->F[0] / b->m[0]) * step;
      const double rebound = rests ? 0 : fmax(-b->e * free, 0);
      push(b, 0, b->m[0] * (rebound - b->v[0]));
    }
    for (size_t i = 0; i < b->d; i++) {
      b->P[i] += b->r[i];
    }
  }
}

static const double tie = 1e-13; /* m: a gap that the first row has closed, up to rounding */
static void soft(const choices *c, body *b)
{
  const double step = h / c->substeps, before = b->v[0];
  const double omega = 2 * (2 * 3.14159265358979323846) * fmin(30, 0.125 / step), zeta = 10;
  const double a1 = 2 * zeta + step * omega, a2 = step * omega * a1;
  const bool near = b->q[0] <= 0.02;
  memset(b->P, 0, sizeof b->P);
  for (size_t i = 0; i < b->d && !near; i++) {
    b->r[i] = 0;
  }
  for (int k = 0; k < c->substeps; k++) {
    fall(b, step);
    for (size_t i = 0; i < b->d; i++) {
      b->v[i] += b->r[i] / b->m[i];
    }
    if (near) {
      const double g = b->q[0], r = b->r[0];
      const double wanted =
          g > tie ? r - b->m[0] * (b->v[0] + g / step)
                  : r - b->m[0] * (a2 / (1 + a2) * b->v[0] + fmax(a2 / (1 + a2) * omega / a1 * g, -3)) -
                        r / (1 + a2);
      push(b, 0, fmax(wanted, 0) - r);
    }
    move(b, step);
    if (near) {
      const double g = b->q[0], r = b->r[0];
      push(b, 0, fmax(r - b->m[0] * (b->v[0] + (g > tie ? g : 0) / step), 0) - r);
      disc(b);
    }
    for (size_t i = 0; i < b->d; i++) {
      b->P[i] += b->r[i];
    }
  }
  if (before < -c->threshold && b->P[0] > 0 && b->e > 0) {
    const double r = b->r[0];
    push(b, 0, fmax(r + b->m[0] * (-b->e * before - b->v[0]), 0) - r);
    b->P[0] += b->r[0] - r;
  }
}

static test_run prepare(const body *b, const char *scheme)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_slider what = {0};
  dls_slider_row rows[3] = {{{0}}};
  memcpy(what.mass, b->m, sizeof b->m);
  memcpy(what.load, b->F, sizeof b->F);
  for (size_t i = 0; i < b->d; i++) {
    rows[i].on[i] = 1;
  }
  memcpy(what.surface, b->s + 1, 2 * sizeof b->s[0]);
  assert_ok(dls_slider_create("one contact", b->d, 1, b->d, &what, rows, &sys, &err), err);
  memcpy(sys->q0, b->q, b->d * sizeof *b->q);
  memcpy(sys->v0, b->v, b->d * sizeof *b->v);
  sys->e[0] = b->e;
  sys->mu[0] = b->mu;
  return dls_test_prepare_of(sys, scheme);
}

static void compare(const char *scheme, void (*map)(const choices *c, body *b), const choices *c)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t touched = 0;
  for (size_t k = 0; k < 2 * STATES; k++) {
    dls_error err = {0};
    body b = draw(rng, 2 + k % 2);
    test_run run = prepare(&b, scheme);
    assert_ok(dls_sim_start(run.sim, &err), err);
    for (size_t step = 0; step < STEPS; step++) {
      map(c, &b);
      assert_ok(dls_sim_advance(run.sim, h, &err), err);
      for (size_t i = 0; i < b.d; i++) {
        assert_close(run.sim->q[i], b.q[i], accuracy);
        assert_close(run.sim->v[i], b.v[i], accuracy * 10);
        assert_close(i == 0 ? run.sim->p[0] : run.sim->p_t[i - 1], b.P[i], accuracy * 10);
      }
      touched += b.P[0] > 0;
    }
    dls_test_free(&run);
  }
  gsl_rng_free(rng);
  assert_between((double)touched, STATES, 2 * STATES * STEPS);
}

DLS_TEST(sequential_impulse_is_its_map)
{
  compare("sequential-impulse:sweeps=1", sequential, &(choices){.beta = 0.2});
  compare("sequential-impulse:sweeps=3,beta=0.7,slop=0.003", sequential,
          &(choices){.beta = 0.7, .slop = 0.003});
  compare("sequential-impulse:stabilise=split,beta=0.4,warm_start=0", sequential,
          &(choices){.beta = 0.4, .split = true});
  compare("sequential-impulse:stabilise=none", sequential, &(choices){0});
}

DLS_TEST(xpbd_is_its_map)
{
  compare("xpbd:substeps=1", xpbd, &(choices){.substeps = 1});
  compare("xpbd", xpbd, &(choices){.substeps = 20});
  compare("xpbd:substeps=3,threshold=after", xpbd, &(choices){.substeps = 3, .after = true});
  compare("xpbd:substeps=2,compliance=1e-4,friction_bound=speed", xpbd,
          &(choices){.substeps = 2, .compliance = 1e-4, .by_speed = true});
}

DLS_TEST(soft_step_is_its_map)
{
  compare("soft-step", soft, &(choices){.substeps = 4, .threshold = 1});
  compare("soft-step:substeps=1,restitution_threshold=0", soft, &(choices){.substeps = 1});
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sequential_impulse_is_its_map),
      cmocka_unit_test(xpbd_is_its_map),
      cmocka_unit_test(soft_step_is_its_map),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
