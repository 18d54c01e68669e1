/* ode.c -- Open Dynamics Engine: contacts are made by the program, so restitution and friction are said for each of them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#include <ode/ode.h>

enum { EXACT, QUICK, MOST_CONTACTS = 8 };
static const char *const variants[] = {[EXACT] = "ode", [QUICK] = "ode-quick", NULL};

static struct {
  const engine_problem *problem;
  size_t variant;
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
  dBodyID body[ENGINE_BODIES];
} ode;

static dGeomID shape_of(const engine_body *b, dMass *mass)
{
  if (b->shape == ENGINE_BALL) {
    dMassSetSphereTotal(mass, b->m, b->half);
    return dCreateSphere(ode.space, b->half);
  }
  const double wide = 4 * b->half;
  dMassSetBoxTotal(mass, b->m, wide, 2 * b->half, wide);
  return dCreateBox(ode.space, wide, 2 * b->half, wide);
}

static void start(const engine_problem *p, size_t variant)
{
  dInitODE2(0);
  ode.problem = p;
  ode.variant = variant;
  ode.world = dWorldCreate();
  ode.space = dSimpleSpaceCreate(0);
  ode.contacts = dJointGroupCreate(0);
  dWorldSetGravity(ode.world, engine_gravity_x(p), engine_gravity_y(p), 0);
  dCreatePlane(ode.space, 0, 1, 0, 0);
  for (size_t i = 0; i < p->count; i++) {
    dMass mass;
    const dGeomID geometry = shape_of(&p->body[i], &mass);
    ode.body[i] = dBodyCreate(ode.world);
    dBodySetMass(ode.body[i], &mass);
    dGeomSetBody(geometry, ode.body[i]);
    dBodySetPosition(ode.body[i], p->body[i].x, p->body[i].y, 0);
    dBodySetLinearVel(ode.body[i], p->body[i].vx, p->body[i].vy, 0);
  }
}

static void settings(FILE *out)
{
  fprintf(out,
          "%s, ERP %g, CFM %g, contact surface layer %g m, bounce_vel 0, dContactApprox1, springs by forces",
          ode.variant == EXACT ? "dWorldStep" : "dWorldQuickStep", dWorldGetERP(ode.world),
          dWorldGetCFM(ode.world), dWorldGetContactSurfaceLayer(ode.world));
  if (ode.variant == QUICK) {
    fprintf(out, ", %d iterations", dWorldGetQuickStepNumIterations(ode.world));
  }
}

/* A joint for each contact of two shapes. */
static void touch(void *data, dGeomID a, dGeomID b)
{
  (void)data;
  dContact contact[MOST_CONTACTS] = {0};
  const int count = dCollide(a, b, MOST_CONTACTS, &contact[0].geom, sizeof *contact);
  for (int i = 0; i < count; i++) {
    contact[i].surface.mode = dContactBounce | dContactApprox1;
    contact[i].surface.bounce = ode.problem->e;
    contact[i].surface.bounce_vel = 0;
    contact[i].surface.mu = ode.problem->mu;
    dJointAttach(dJointCreateContact(ode.world, ode.contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
  }
}

static void push(size_t body, double force)
{
  dBodyAddForce(ode.body[body], 0, force, 0);
}

static void step(double h)
{
  dSpaceCollide(ode.space, NULL, touch);
  if (ode.variant == EXACT) {
    dWorldStep(ode.world, h);
  } else {
    dWorldQuickStep(ode.world, h);
  }
  dJointGroupEmpty(ode.contacts);
}

static engine_state state(size_t body)
{
  const dReal *q = dBodyGetPosition(ode.body[body]);
  const dReal *v = dBodyGetLinearVel(ode.body[body]);
  return (engine_state){q[0], q[1], v[0], v[1]};
}

static void stop(void)
{
  dJointGroupDestroy(ode.contacts);
  dSpaceDestroy(ode.space);
  dWorldDestroy(ode.world);
  dCloseODE();
}

const engine the_engine = {variants, start, settings, push, step, state, stop};
