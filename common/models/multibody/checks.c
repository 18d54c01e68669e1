/* checks.c -- checks a mechanism before a system is made of it. See mechanism.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/multibody/multibody.h"
#include <math.h>

/* Gaps at the start may be negative by this fraction of the positions they are differences of: bodies in contact. */
static const double touching = 1e-10;

static bool finite3(const double *x)
{
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static dls_status check_positive(const char *what, double x, const char *unit, dls_error *err)
{
  return x > 0 && isfinite(x) ? DLS_OK : dls_fail(err, DLS_ERR_ARG, "%s = %g %s must be > 0", what, x, unit);
}

static dls_status check_inertia(const dls_mechanism *m, const dls_body *body, dls_error *err)
{
  const double *J = body->inertia;
  if (body->kind == DLS_BODY_POINT) {
    return DLS_OK;
  }
  if (m->dim == 2 || body->kind == DLS_BODY_ROD) {
    return check_positive("inertia", J[0], "kg m^2", err);
  }
  for (int i = 0; i < 3; i++) { /* E_i = 1/2 (J_j + J_k - J_i) = integral of rho X_i^2 */
    const double E = (J[0] + J[1] + J[2]) / 2 - J[i];
    if (!(E > 0 && isfinite(E))) {
      return dls_fail(err, DLS_ERR_ARG,
                      "inertia = [%g, %g, %g] kg m^2: each must be less than the sum of the two others (a body "
                      "that is not flat)",
                      J[0], J[1], J[2]);
    }
  }
  return DLS_OK;
}

dls_status dls_body_check(const dls_mechanism *m, const dls_body *body, dls_error *err)
{
  dls_status status = check_positive("mass", body->mass, "kg", err);
  if (status != DLS_OK || (status = check_inertia(m, body, err)) != DLS_OK) {
    return status;
  }
  if (body->kind == DLS_BODY_ROD && m->dim == 2) {
    return dls_fail(err, DLS_ERR_ARG, "a rod is for mechanisms in space; in the plane use a rigid body");
  }
  if (body->kind == DLS_BODY_ROD && !(dls_dot3(body->angle, body->angle) > 0)) {
    return dls_fail(err, DLS_ERR_ARG, "the direction of a rod must not be 0");
  }
  const bool finite =
      finite3(body->at) && finite3(body->angle) && finite3(body->velocity) && finite3(body->spin);
  return finite ? DLS_OK : dls_fail(err, DLS_ERR_ARG, "position or velocity at the start is not finite");
}

/* A point must lie on its body: for a point mass the centre only, for a rod its line. */
static dls_status check_end(const dls_mechanism *m, const dls_end *end, const char *which, dls_error *err)
{
  if (!finite3(end->at) || (end->body != DLS_GROUND && end->body >= m->body_count)) {
    return dls_fail(err, DLS_ERR_ARG, "its end %s is not a point of a body", which);
  }
  if (end->body != DLS_GROUND) {
    const dls_body *body = &m->bodies[end->body];
    for (size_t i = dls_body_axes(body->kind, m->dim); i < 3; i++) {
      if (end->at[i] != 0) {
        return dls_fail(err, DLS_ERR_ARG, "its end %s = [%g, %g, %g] is not on %s %s", which, end->at[0],
                        end->at[1], end->at[2], dls_body_kind_names[body->kind], body->name);
      }
    }
  }
  return DLS_OK;
}

static dls_status check_ends(const dls_mechanism *m, const dls_end *a, const dls_end *b, dls_error *err)
{
  dls_status status = check_end(m, a, "a", err);
  if (status != DLS_OK || (status = check_end(m, b, "b", err)) != DLS_OK) {
    return status;
  }
  if (a->body == b->body) {
    return dls_fail(err, DLS_ERR_ARG, "both ends are on %s; allowed: two bodies, or a body and the ground",
                    a->body == DLS_GROUND ? "the ground" : m->bodies[a->body].name);
  }
  return DLS_OK;
}

static double distance(const dls_mechanism *m, const dls_end *a, const dls_end *b)
{
  double p[3], r[3];
  dls_mechanism_place(m, a, p);
  dls_mechanism_place(m, b, r);
  return hypot(hypot(p[0] - r[0], p[1] - r[1]), p[2] - r[2]);
}

/* Does a joint use the axes of its bodies? */
static bool needs_axes(const dls_mechanism *m, dls_joint_kind kind)
{
  return kind == DLS_JOINT_PRISMATIC || kind == DLS_JOINT_CYLINDRICAL || kind == DLS_JOINT_DRIVEN ||
         (kind == DLS_JOINT_REVOLUTE && m->dim == 3);
}

static dls_status check_axes(const dls_mechanism *m, const dls_joint *joint, dls_error *err)
{
  const dls_end *const ends[2] = {&joint->a, &joint->b};
  const bool planar_angle = m->dim == 2 && joint->kind == DLS_JOINT_DRIVEN;
  for (int i = 0; i < 2; i++) {
    const dls_body *body = ends[i]->body == DLS_GROUND ? NULL : &m->bodies[ends[i]->body];
    if (body != NULL && body->kind != DLS_BODY_RIGID) {
      return dls_fail(err, DLS_ERR_ARG, "%s needs rigid bodies, which have axes, but %s is a %s",
                      dls_joint_kind_names[joint->kind], body->name, dls_body_kind_names[body->kind]);
    }
  }
  if (!planar_angle && (!finite3(joint->axis) || !(dls_dot3(joint->axis, joint->axis) > 0))) {
    return dls_fail(err, DLS_ERR_ARG, "%s needs an axis that is not 0", dls_joint_kind_names[joint->kind]);
  }
  return DLS_OK;
}

dls_status dls_joint_check(const dls_mechanism *m, const dls_joint *joint, dls_error *err)
{
  const char *name = dls_joint_kind_names[joint->kind];
  dls_status status = check_ends(m, &joint->a, &joint->b, err);
  if (status == DLS_OK && m->dim == 2 &&
      (joint->kind == DLS_JOINT_SPHERICAL || joint->kind == DLS_JOINT_CYLINDRICAL)) {
    return dls_fail(err, DLS_ERR_ARG,
                    "%s is for mechanisms in space; in the plane there are revolute, prismatic, "
                    "distance and driven",
                    name);
  }
  if (status == DLS_OK && needs_axes(m, joint->kind)) {
    status = check_axes(m, joint, err);
  }
  if (status == DLS_OK && joint->kind == DLS_JOINT_DISTANCE) {
    const double length = joint->length != 0 ? joint->length : distance(m, &joint->a, &joint->b);
    status = check_positive("length", length, "m", err);
  }
  const bool finite = isfinite(joint->speed) && isfinite(joint->amplitude) && isfinite(joint->frequency);
  return status != DLS_OK || finite ? status : dls_fail(err, DLS_ERR_ARG, "drive that is not finite");
}

dls_status dls_spring_check(const dls_mechanism *m, const dls_spring *spring, dls_error *err)
{
  dls_status status = check_ends(m, &spring->a, &spring->b, err);
  const struct {
    const char *name, *unit;
    double value;
  } numbers[] = {{"stiffness", "N/m", spring->stiffness},
                 {"length", "m", spring->length},
                 {"damping", "N s/m", spring->damping}};
  for (int i = 0; i < 3 && status == DLS_OK; i++) {
    if (!(numbers[i].value >= 0 && isfinite(numbers[i].value))) {
      status = dls_fail(err, DLS_ERR_ARG, "%s = %g %s must be >= 0", numbers[i].name, numbers[i].value,
                        numbers[i].unit);
    }
  }
  return status;
}

static dls_status check_numbers(const dls_touch *touch, dls_error *err)
{
  const struct {
    const char *name;
    double value, high;
  } numbers[] = {{"radius", touch->radius, HUGE_VAL},
                 {"radius_b", touch->radius_b, HUGE_VAL},
                 {"e", touch->restitution, 1},
                 {"mu", touch->friction, HUGE_VAL}};
  for (int i = 0; i < 4; i++) {
    if (!(numbers[i].value >= 0 && numbers[i].value <= numbers[i].high && isfinite(numbers[i].value))) {
      return dls_fail(err, DLS_ERR_ARG, "%s = %g must be in [0, %g]", numbers[i].name, numbers[i].value,
                      numbers[i].high);
    }
  }
  const double *n = touch->normal;
  const bool normal =
      touch->kind == DLS_TOUCH_PAIR || (finite3(n) && dls_dot3(n, n) > 0 && isfinite(touch->offset));
  return normal ? DLS_OK : dls_fail(err, DLS_ERR_ARG, "its normal must be finite and not 0");
}

/* A rod has no thickness, and its spin about its axis is unknown. So the slip of a sphere on it is unknown too. */
static dls_status check_rods(const dls_mechanism *m, const dls_touch *touch, dls_error *err)
{
  const dls_end *const ends[2] = {&touch->a, &touch->b};
  const double radii[2] = {touch->radius, touch->kind == DLS_TOUCH_PAIR ? touch->radius_b : 0};
  for (int i = 0; i < (touch->kind == DLS_TOUCH_PLANE ? 1 : 2); i++) {
    const dls_body *body = ends[i]->body == DLS_GROUND ? NULL : &m->bodies[ends[i]->body];
    if (body != NULL && body->kind == DLS_BODY_ROD && touch->friction > 0 && radii[i] > 0) {
      return dls_fail(err, DLS_ERR_ARG,
                      "radius = %g m with friction on rod %s, whose spin about its axis is unknown; use radius "
                      "0 or a rigid body",
                      radii[i], body->name);
    }
    if (i == 1 && body != NULL && touch->kind == DLS_TOUCH_FACE && body->kind != DLS_BODY_RIGID) {
      return dls_fail(err, DLS_ERR_ARG, "a face needs a rigid body, but %s is a %s", body->name,
                      dls_body_kind_names[body->kind]);
    }
  }
  return DLS_OK;
}

static double start_gap(const dls_mechanism *m, const dls_touch *touch, const double p[3], const double r[3])
{
  const double s[3] = {p[0] - r[0], p[1] - r[1], p[2] - r[2]};
  double n[3];
  if (touch->kind == DLS_TOUCH_PAIR) {
    return sqrt(dls_dot3(s, s)) - touch->radius - touch->radius_b;
  }
  const bool plane = touch->kind == DLS_TOUCH_PLANE;
  dls_mechanism_vector(m, plane ? DLS_GROUND : touch->b.body, touch->normal, n);
  return (dls_dot3(n, s) - (plane ? touch->offset : 0)) / sqrt(dls_dot3(n, n)) - touch->radius;
}

static dls_status check_gap(const dls_mechanism *m, const dls_touch *touch, dls_error *err)
{
  double p[3], r[3] = {0}, scale = touch->radius;
  dls_mechanism_place(m, &touch->a, p);
  if (touch->kind != DLS_TOUCH_PLANE) {
    dls_mechanism_place(m, &touch->b, r);
  }
  for (int i = 0; i < 3; i++) {
    scale += fabs(p[i]) + fabs(r[i]);
  }
  const double gap = start_gap(m, touch, p, r);
  return gap >= -touching * scale
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "its gap at the start is %g m, must be >= 0", gap);
}

dls_status dls_touch_check(const dls_mechanism *m, const dls_touch *touch, dls_error *err)
{
  dls_status status = check_end(m, &touch->a, "a", err);
  if (status != DLS_OK) {
    return status;
  }
  if (touch->a.body == DLS_GROUND) {
    return dls_fail(err, DLS_ERR_ARG, "its sphere or corner must be on a body, not on the ground");
  }
  status = touch->kind != DLS_TOUCH_PLANE ? check_ends(m, &touch->a, &touch->b, err) : DLS_OK;
  if (status != DLS_OK || (status = check_numbers(touch, err)) != DLS_OK ||
      (status = check_rods(m, touch, err)) != DLS_OK) {
    return status;
  }
  return check_gap(m, touch, err);
}
