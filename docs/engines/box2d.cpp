/* box2d.cpp -- Box2D: of two restitutions it takes the larger, of two frictions the geometric mean, so both shapes have those of the problem.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#include <box2d/box2d.h>
#include <cstdio>
#include <memory>

namespace
{

const char *const variants[] = {"box2d", nullptr};
const int velocity_iterations = 8, position_iterations = 3; /* as its manual says */

std::unique_ptr<b2World> box2d;
b2Body *bodies[ENGINE_BODIES];

float single(double x)
{
  return static_cast<float>(x);
}

void add_shape(const engine_problem *p, b2Body *body, const b2Shape &shape, double density)
{
  b2FixtureDef fixture;
  fixture.shape = &shape;
  fixture.density = single(density);
  fixture.friction = single(p->mu);
  fixture.restitution = single(p->e);
  fixture.restitutionThreshold = 0;
  body->CreateFixture(&fixture);
}

b2Body *add_body(const engine_problem *p, const engine_body &b)
{
  b2BodyDef definition;
  definition.type = b2_dynamicBody;
  definition.position.Set(single(b.x), single(b.y));
  definition.linearVelocity.Set(single(b.vx), single(b.vy));
  b2Body *body = box2d->CreateBody(&definition);
  if (b.shape == ENGINE_BALL) {
    b2CircleShape circle;
    circle.m_radius = single(b.half);
    add_shape(p, body, circle, b.m / (M_PI * b.half * b.half));
  } else {
    b2PolygonShape box;
    box.SetAsBox(single(2 * b.half), single(b.half));
    add_shape(p, body, box, b.m / (8 * b.half * b.half));
  }
  return body;
}

/* The skin of the floor, and that of a block, would hold bodies above y = 0. */
double skin(const engine_problem *p)
{
  return static_cast<double>(b2_polygonRadius) * (p->body[0].shape == ENGINE_BLOCK ? 2 : 1);
}

void start(const engine_problem *p, std::size_t)
{
  box2d = std::make_unique<b2World>(b2Vec2(single(engine_gravity_x(p)), single(engine_gravity_y(p))));
  box2d->SetAllowSleeping(false);
  for (std::size_t i = 0; i < p->count; i++) {
    bodies[i] = add_body(p, p->body[i]);
  }
  b2BodyDef definition;
  b2EdgeShape floor;
  floor.SetTwoSided(b2Vec2(-100, single(-skin(p))), b2Vec2(100, single(-skin(p))));
  add_shape(p, box2d->CreateBody(&definition), floor, 0);
}

void settings(FILE *out)
{
  std::fprintf(
      out,
      "%d and %d iterations, restitution threshold 0 m/s, linear slop %g m, warm starting %s, continuous %s, "
      "no sleep, floor lower by the skin of %g m, single precision, springs by forces",
      velocity_iterations, position_iterations, static_cast<double>(b2_linearSlop),
      box2d->GetWarmStarting() ? "on" : "off", box2d->GetContinuousPhysics() ? "on" : "off",
      static_cast<double>(b2_polygonRadius));
}

void push(std::size_t body, double force)
{
  bodies[body]->ApplyForceToCenter(b2Vec2(0, single(force)), true);
}

void step(double h)
{
  box2d->Step(single(h), velocity_iterations, position_iterations);
}

engine_state state(std::size_t body)
{
  const b2Vec2 &q = bodies[body]->GetPosition();
  const b2Vec2 &v = bodies[body]->GetLinearVelocity();
  return {q.x, q.y, v.x, v.y};
}

void stop()
{
  box2d.reset();
}

} // namespace

extern "C" {
extern const engine the_engine = {variants, start, settings, push, step, state, stop};
}
