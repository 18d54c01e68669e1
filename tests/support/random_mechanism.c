/* random_mechanism.c -- see random_mechanism.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "random_mechanism.h"
#include "check.h"
#include "common/models/multibody/mechanism.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BODIES = 5, JOINTS = 2 * BODIES + 2, SPRINGS = 3, TOUCHES = 4 };

typedef struct workshop {
  uint64_t state;
  mechanism_factors factors;
  dls_mechanism m;
  dls_body bodies[BODIES];
  dls_joint joints[JOINTS];
  dls_spring springs[SPRINGS];
  dls_touch touches[TOUCHES];
} workshop;

static double uniform(workshop *w, double low, double high)
{
  uint64_t z = w->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void any_vector(workshop *w, double size, double *x)
{
  for (size_t i = 0; i < 3; i++) {
    x[i] = i < w->m.dim ? uniform(w, -size, size) : 0;
  }
}

static void cross(const double *a, const double *b, double *c)
{
  for (int i = 0; i < 3; i++) {
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  }
}

/* Angular velocity in space, and the velocity of the material at an end; 0 of the ground. */
static void spin_of(const workshop *w, size_t body, double *omega)
{
  memset(omega, 0, 3 * sizeof *omega);
  if (body != DLS_GROUND && w->m.dim == 2) {
    omega[2] = w->bodies[body].spin[0];
  } else if (body != DLS_GROUND) {
    memcpy(omega, w->bodies[body].spin, 3 * sizeof *omega);
  }
}

static void velocity_of(const workshop *w, const dls_end *end, double *v)
{
  double omega[3], s[3];
  memset(v, 0, 3 * sizeof *v);
  if (end->body != DLS_GROUND) {
    spin_of(w, end->body, omega);
    dls_mechanism_vector(&w->m, end->body, end->at, s);
    cross(omega, s, v);
    for (int i = 0; i < 3; i++) {
      v[i] += w->bodies[end->body].velocity[i];
    }
  }
}

static dls_joint_kind any_kind(workshop *w)
{
  static const dls_joint_kind plane[] = {DLS_JOINT_REVOLUTE, DLS_JOINT_REVOLUTE, DLS_JOINT_PRISMATIC,
                                         DLS_JOINT_DISTANCE};
  static const dls_joint_kind space[] = {DLS_JOINT_REVOLUTE,    DLS_JOINT_SPHERICAL, DLS_JOINT_PRISMATIC,
                                         DLS_JOINT_CYLINDRICAL, DLS_JOINT_DISTANCE,  DLS_JOINT_REVOLUTE};
  return w->m.dim == 2 ? plane[(int)uniform(w, 0, 4)] : space[(int)uniform(w, 0, 6)];
}

static void make_body(workshop *w, size_t i)
{
  dls_body *b = &w->bodies[i];
  *b = (dls_body){.mass = uniform(w, 0.5, 3)};
  snprintf(b->name, sizeof b->name, "body %hhu", (unsigned char)i);
  any_vector(w, 1.5, b->angle);
  double E[3];
  for (int k = 0; k < 3; k++) {
    E[k] = b->mass * uniform(w, 0.02, 0.15);
  }
  for (int k = 0; k < 3; k++) {
    b->inertia[k] = w->m.dim == 2 ? E[0] : E[(k + 1) % 3] + E[(k + 2) % 3];
  }
}

/* The spin that a joint leaves the child, and the velocity of its end: relative to the parent's, turning about the axis and
 * sliding along it as the kind allows. */
static void set_motion(workshop *w, const dls_joint *j, dls_body *child, bool moves)
{
  double omega[3], v[3], s[3], turned[3], place_a[3], place_b[3];
  const dls_joint_kind kind = j->kind;
  const bool turns = kind == DLS_JOINT_REVOLUTE || kind == DLS_JOINT_CYLINDRICAL;
  const bool slides = kind == DLS_JOINT_PRISMATIC || kind == DLS_JOINT_CYLINDRICAL;
  const bool free = kind == DLS_JOINT_SPHERICAL || kind == DLS_JOINT_DISTANCE || (turns && w->m.dim == 2);
  const double turn = moves && turns ? uniform(w, -2, 2) : 0, slide = moves && slides ? uniform(w, -1, 1) : 0;
  spin_of(w, j->a.body, omega);
  velocity_of(w, &j->a, v);
  for (int i = 0; i < 3; i++) {
    omega[i] += free ? 0 : turn * j->axis[i];
    v[i] += slide * j->axis[i];
  }
  if (free && moves) {
    omega[2] += uniform(w, -2, 2);
    omega[0] += w->m.dim == 3 ? uniform(w, -2, 2) : 0;
  }
  if (slides || kind == DLS_JOINT_DISTANCE) { /* what is between the ends turns too, a rod as the child does */
    dls_mechanism_place(&w->m, &j->a, place_a);
    dls_mechanism_place(&w->m, &j->b, place_b);
    const double l[3] = {place_b[0] - place_a[0], place_b[1] - place_a[1], place_b[2] - place_a[2]};
    cross(omega, l, turned);
    for (int i = 0; i < 3; i++) {
      v[i] += turned[i];
    }
  }
  memcpy(child->spin, w->m.dim == 2 ? omega + 2 : omega, (w->m.dim == 2 ? 1 : 3) * sizeof *omega);
  dls_mechanism_vector(&w->m, j->b.body, j->b.at, s);
  cross(omega, s, turned);
  for (int i = 0; i < 3; i++) {
    child->velocity[i] = v[i] - turned[i];
  }
}

/* Body i hangs on an earlier one or the ground. */
static void hang(workshop *w, size_t i, bool moves)
{
  dls_joint *j = &w->joints[w->m.joint_count++];
  const size_t parent = i == 0 || uniform(w, 0, 1) < 0.2 ? DLS_GROUND : (size_t)uniform(w, 0, (double)i);
  double p[3], s[3], l[3] = {0}, size;
  *j = (dls_joint){.kind = any_kind(w), .a = {.body = parent}, .b = {.body = i}};
  snprintf(j->name, sizeof j->name, "%s %hhu", dls_joint_kind_names[j->kind], (unsigned char)i);
  any_vector(w, 0.5, j->a.at);
  any_vector(w, 0.5, j->b.at);
  do {
    any_vector(w, 1, j->axis);
    size = sqrt(j->axis[0] * j->axis[0] + j->axis[1] * j->axis[1] + j->axis[2] * j->axis[2]);
  } while (size < 0.1);
  for (int k = 0; k < 3; k++) {
    j->axis[k] /= size;
  }
  if (j->kind == DLS_JOINT_DISTANCE || j->kind == DLS_JOINT_PRISMATIC || j->kind == DLS_JOINT_CYLINDRICAL) {
    const double far = uniform(w, 0.3, 0.8); /* apart along the axis */
    for (int k = 0; k < 3; k++) {
      l[k] = far * j->axis[k];
    }
  }
  dls_mechanism_place(&w->m, &j->a, p);
  dls_mechanism_vector(&w->m, i, j->b.at, s);
  for (int k = 0; k < 3; k++) {
    w->bodies[i].at[k] = p[k] + l[k] - s[k];
  }
  w->m.body_count = i + 1;
  set_motion(w, j, &w->bodies[i], moves);
}

/* A rod between points of two bodies, or of one and the ground. */
static void close_loop(workshop *w)
{
  const size_t b = (size_t)uniform(w, 0, (double)w->m.body_count);
  dls_joint *j = &w->joints[w->m.joint_count];
  *j = (dls_joint){.name = "loop", .kind = DLS_JOINT_DISTANCE, .a = {.body = DLS_GROUND}, .b = {.body = b}};
  any_vector(w, 2, j->a.at);
  if (w->m.body_count > 1 && uniform(w, 0, 1) < 0.5) {
    j->a.body = (b + 1) % w->m.body_count;
    any_vector(w, 0.5, j->a.at);
  }
  any_vector(w, 0.5, j->b.at);
  w->m.joint_count++;
}

static void add_springs(workshop *w, bool damped)
{
  const size_t count = (size_t)uniform(w, 0, SPRINGS);
  for (size_t i = 0; i < count; i++) {
    dls_spring *s = &w->springs[w->m.spring_count++];
    *s = (dls_spring){.name = "spring",
                      .a = {.body = (size_t)uniform(w, 0, (double)w->m.body_count)},
                      .b = {.body = DLS_GROUND},
                      .stiffness = uniform(w, 1, 40),
                      .length = uniform(w, 0, 1),
                      .damping = damped ? 0.5 : 0};
    any_vector(w, 0.4, s->a.at);
    any_vector(w, 3, s->b.at);
  }
}

/* Floors below spheres and corners, by up to 0.5 m. */
static void add_touches(workshop *w)
{
  const size_t count = 1 + (size_t)uniform(w, 0, TOUCHES);
  const double mu = uniform(w, 0, 1) < 0.5 ? 0 : 0.3;
  for (size_t i = 0; i < count; i++) {
    double p[3];
    dls_touch *t = &w->touches[w->m.touch_count++];
    *t = (dls_touch){.kind = DLS_TOUCH_PLANE,
                     .a = {.body = (size_t)uniform(w, 0, (double)w->m.body_count)},
                     .radius = uniform(w, 0, 1) < 0.5 ? 0 : 0.1,
                     .restitution = w->factors.restitution * uniform(w, 0, 0.8),
                     .friction = w->factors.friction * mu};
    snprintf(t->name, sizeof t->name, "floor %hhu", (unsigned char)i);
    any_vector(w, 0.4, t->a.at);
    t->normal[w->m.dim - 1] = 1;
    dls_mechanism_place(&w->m, &t->a, p);
    t->offset = p[w->m.dim - 1] - t->radius - w->factors.gap * uniform(w, 0.01, 0.5);
  }
}

/* Of what does not decide about other numbers. */
static void apply_factors(workshop *w)
{
  const mechanism_factors *by = &w->factors;
  for (size_t i = 0; i < w->m.body_count; i++) {
    dls_body *b = &w->bodies[i];
    b->mass *= by->mass;
    for (int k = 0; k < 3; k++) {
      b->inertia[k] *= by->mass;
      b->velocity[k] *= by->speed;
      b->spin[k] *= by->speed;
    }
  }
  for (size_t i = 0; i < w->m.spring_count; i++) {
    w->springs[i].stiffness *= by->stiffness;
  }
  w->m.gravity[w->m.dim - 1] *= by->gravity;
}

random_mechanism dls_random_mechanism(unsigned long i)
{
  return dls_random_mechanism_with(i, &(mechanism_factors){1, 1, 1, 1, 1, 1, 1});
}

random_mechanism dls_random_mechanism_with(unsigned long i, const mechanism_factors *factors)
{
  workshop w = {.state = 7919 * (uint64_t)i + 17, .factors = *factors, .m = {.dim = i % 3 == 2 ? 3 : 2}};
  const size_t count = 1 + (size_t)uniform(&w, 0, BODIES);
  random_mechanism out = {.dim = w.m.dim,
                          .bodies = count,
                          .loops = uniform(&w, 0, 1) < 0.5,
                          .redundant = uniform(&w, 0, 1) < 0.33,
                          .contacts = uniform(&w, 0, 1) < 0.5,
                          .damped = uniform(&w, 0, 1) < 0.3};
  dls_error err = {0};
  w.m.bodies = w.bodies;
  w.m.joints = w.joints;
  w.m.springs = w.springs;
  w.m.touches = w.touches;
  w.m.gravity[w.m.dim - 1] = -9.81;
  for (size_t k = 0; k < count; k++) {
    make_body(&w, k);
    hang(&w, k, !out.loops);
  }
  if (out.loops) {
    close_loop(&w);
  }
  if (out.redundant) {
    w.joints[w.m.joint_count] = w.joints[(size_t)uniform(&w, 0, (double)w.m.joint_count)];
    snprintf(w.joints[w.m.joint_count++].name, DLS_PART_NAME, "twice");
  }
  add_springs(&w, out.damped);
  if (out.contacts) {
    add_touches(&w);
  }
  out.damped = out.damped && w.m.spring_count > 0;
  apply_factors(&w);
  assert_ok(dls_mechanism_system(&w.m, &out.sys, &err), err);
  assert_ok(dls_system_check(out.sys, &err), err);
  return out;
}
