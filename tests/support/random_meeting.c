/* random_meeting.c -- see random_meeting.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "random_meeting.h"
#include "check.h"
#include "common/models/multibody/mechanism.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST = 3 };

static double uniform(uint64_t *state)
{
  *state ^= *state << 13; /* xorshift64 */
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) * 0x1p-53;
}

static double between(uint64_t *state, double low, double high)
{
  return low + (high - low) * uniform(state);
}

/* A unit vector, and one across it. */
static void directions(uint64_t *state, size_t dim, double n[3], double across[3])
{
  const double a = between(state, 0, 2 * acos(-1)), b = dim == 3 ? between(state, -1.2, 1.2) : 0;
  n[0] = cos(a) * cos(b);
  n[1] = sin(a) * cos(b);
  n[2] = sin(b);
  across[0] = -sin(a);
  across[1] = cos(a);
  across[2] = 0;
}

/* Body k meets body 0 at time t, with a distance of the centres of at most 0.95 of the radii, at a relative speed. */
static void aim(uint64_t *state, size_t dim, dls_body *bodies, size_t k, double reach, double t, double speed)
{
  double n[3], across[3];
  directions(state, dim, n, across);
  const double b = between(state, -0.95, 0.95) * reach;
  for (int i = 0; i < 3; i++) {
    bodies[k].velocity[i] = bodies[0].velocity[i] + speed * n[i];
    bodies[k].at[i] = bodies[0].at[i] + b * across[i] - speed * n[i] * t;
  }
}

/* First time at which a pair in straight motion touches; infinite: never. */
static double touches_at(const dls_body *a, const dls_body *b, double reach)
{
  double dd = 0, dw = 0, ww = 0;
  for (int i = 0; i < 3; i++) {
    const double d = b->at[i] - a->at[i], w = b->velocity[i] - a->velocity[i];
    dd += d * d;
    dw += d * w;
    ww += w * w;
  }
  const double root = dw * dw - ww * (dd - reach * reach);
  return dw < 0 && root > 0 ? (-dw - sqrt(root)) / ww : INFINITY;
}

random_meeting dls_random_meeting(unsigned long i)
{
  static const size_t pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  uint64_t state = 0x9e3779b97f4a7c15u * (i + 1);
  random_meeting out = {.dim = i % 4 == 3 ? 3 : 2, .bodies = i % 2 == 0 ? 2 : 3};
  double radius[MOST], speed = between(&state, 0.5, 6);
  dls_body bodies[MOST] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
  dls_touch touches[3] = {{.name = "ab"}, {.name = "ac"}, {.name = "bc"}};
  const double e = uniform(&state);
  out.smallest = INFINITY;
  for (size_t k = 0; k < 20; k++) {
    uniform(&state); /* the first numbers of neighbouring seeds are alike */
  }
  for (size_t k = 0; k < out.bodies; k++) {
    radius[k] = between(&state, 0.05, 0.5);
    out.smallest = fmin(out.smallest, 2 * radius[k]);
    bodies[k].kind = DLS_BODY_POINT;
    bodies[k].mass = exp(between(&state, -1.5, 1.5));
    for (size_t c = 0; c < out.dim; c++) {
      bodies[0].velocity[c] = k == 0 ? between(&state, -1, 1) : bodies[0].velocity[c];
    }
    if (k > 0) { /* apart at the start: by 1 to 4 radii at least */
      const double reach = radius[0] + radius[k];
      aim(&state, out.dim, bodies, k, reach, (2 + 3 * (double)k) * reach / speed + between(&state, 0, 2),
          speed);
    }
  }
  out.first = INFINITY;
  const size_t contacts = out.bodies == 2 ? 1 : 3;
  for (size_t j = 0; j < contacts; j++) {
    const size_t a = pairs[j][0], b = pairs[j][1];
    touches[j].kind = DLS_TOUCH_PAIR;
    touches[j].a.body = a;
    touches[j].b.body = b;
    touches[j].radius = radius[a];
    touches[j].radius_b = radius[b];
    touches[j].restitution = e;
    const double t = touches_at(&bodies[a], &bodies[b], radius[a] + radius[b]);
    out.first_pair = t < out.first ? j : out.first_pair;
    out.first = fmin(out.first, t);
  }
  out.end = 2 * out.first + 3;
  out.step = out.smallest / speed * exp(between(&state, log(0.1), log(4)));
  dls_error err = {0};
  const dls_mechanism m = {
      .dim = out.dim, .body_count = out.bodies, .bodies = bodies, .touch_count = contacts, .touches = touches};
  assert_ok(dls_mechanism_system(&m, &out.sys, &err), err);
  return out;
}
