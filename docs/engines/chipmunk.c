/* chipmunk.c -- Chipmunk2D: what two shapes have is multiplied, so each has the square root of e and of mu.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#include <chipmunk/chipmunk.h>
#include <math.h>

static const char *const variants[] = {"chipmunk", NULL};

static struct {
  cpSpace *space;
  cpShape *shape[ENGINE_BODIES + 1]; /* the last is the floor */
  cpBody *body[ENGINE_BODIES];
  cpConstraint *spring; /* NULL without */
  size_t count;
} chipmunk;

static void add_shape(const engine_problem *p, size_t i, cpShape *shape)
{
  chipmunk.shape[i] = cpSpaceAddShape(chipmunk.space, shape);
  cpShapeSetElasticity(shape, sqrt(p->e)); /* e is the product of those of two shapes */
  cpShapeSetFriction(shape, sqrt(p->mu));
}

static void add_body(const engine_problem *p, size_t i)
{
  const engine_body *b = &p->body[i];
  const double wide = 4 * b->half, high = 2 * b->half;
  const bool ball = b->shape == ENGINE_BALL;
  const double inertia = ball ? cpMomentForCircle(b->m, 0, b->half, cpvzero) : cpMomentForBox(b->m, wide, high);
  cpBody *body = chipmunk.body[i] = cpSpaceAddBody(chipmunk.space, cpBodyNew(b->m, inertia));
  cpBodySetPosition(body, cpv(b->x, b->y));
  cpBodySetVelocity(body, cpv(b->vx, b->vy));
  add_shape(p, i, ball ? cpCircleShapeNew(body, b->half, cpvzero) : cpBoxShapeNew(body, wide, high, 0));
}

/* A spring as a constraint: its force is that at the new positions. One as a force from outside would be that of explicit Euler,
 * since positions move first. To the floor it is so long that the body stays on one side of its other end. */
static void add_spring(const engine_problem *p)
{
  const double far = 10;
  cpBody *ground = cpSpaceGetStaticBody(chipmunk.space);
  cpBody *below = p->count == 1 ? ground : chipmunk.body[0], *above = chipmunk.body[p->count - 1];
  const cpVect foot = cpv(0, p->count == 1 ? p->body[0].half - far : 0);
  const double length = p->count == 1 ? far : p->length;
  chipmunk.spring = cpDampedSpringNew(below, above, foot, cpvzero, length, p->k, 0);
  cpSpaceAddConstraint(chipmunk.space, chipmunk.spring);
}

static void start(const engine_problem *p, size_t variant)
{
  (void)variant;
  chipmunk.space = cpSpaceNew();
  chipmunk.count = p->count;
  cpSpaceSetGravity(chipmunk.space, cpv(engine_gravity_x(p), engine_gravity_y(p)));
  cpSpaceSetCollisionSlop(chipmunk.space, 0.001); /* in the units of the scene: 0.1 is meant for pixels */
  for (size_t i = 0; i < p->count; i++) {
    add_body(p, i);
  }
  if (p->k > 0) {
    add_spring(p);
  }
  cpBody *ground = cpSpaceGetStaticBody(chipmunk.space);
  add_shape(p, p->count, cpSegmentShapeNew(ground, cpv(-100, -10), cpv(100, -10), 10));
}

static void settings(FILE *out)
{
  cpSpace *s = chipmunk.space;
  fprintf(out,
          "%d iterations, collision slop %g m, collision bias %g/s, collision persistence %u steps, damping "
          "%g, springs by cpDampedSpring",
          cpSpaceGetIterations(s), cpSpaceGetCollisionSlop(s), cpSpaceGetCollisionBias(s),
          (unsigned)cpSpaceGetCollisionPersistence(s), cpSpaceGetDamping(s));
}

static void step(double h)
{
  cpSpaceStep(chipmunk.space, h);
}

static engine_state state(size_t body)
{
  const cpVect q = cpBodyGetPosition(chipmunk.body[body]), v = cpBodyGetVelocity(chipmunk.body[body]);
  return (engine_state){q.x, q.y, v.x, v.y};
}

static void stop(void)
{
  if (chipmunk.spring != NULL) {
    cpSpaceRemoveConstraint(chipmunk.space, chipmunk.spring);
    cpConstraintFree(chipmunk.spring);
  }
  for (size_t i = 0; i <= chipmunk.count; i++) {
    cpSpaceRemoveShape(chipmunk.space, chipmunk.shape[i]);
    cpShapeFree(chipmunk.shape[i]);
  }
  for (size_t i = 0; i < chipmunk.count; i++) {
    cpSpaceRemoveBody(chipmunk.space, chipmunk.body[i]);
    cpBodyFree(chipmunk.body[i]);
  }
  cpSpaceFree(chipmunk.space);
}

const engine the_engine = {variants, start, settings, NULL, step, state, stop};
