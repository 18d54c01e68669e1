/* bullet.cpp -- Bullet: restitutions and frictions of two bodies are multiplied, so each has the square root.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace
{

enum { AS_IT_COMES, TOUCHING };
const char *const variants[] = {"bullet", "bullet-touching", nullptr};

struct world {
  std::size_t variant;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies; /* the last is the floor */
};
std::unique_ptr<world> bullet;

btScalar real(double x)
{
  return static_cast<btScalar>(x);
}

void add(const engine_problem *p, double m, btCollisionShape *shape, const btVector3 &place,
         const btVector3 &velocity)
{
  bullet->shapes.emplace_back(shape);
  btVector3 inertia(0, 0, 0);
  if (m > 0) {
    shape->calculateLocalInertia(real(m), inertia);
  }
  btRigidBody::btRigidBodyConstructionInfo info(real(m), nullptr, shape, inertia);
  info.m_startWorldTransform.setOrigin(place);
  info.m_restitution = real(std::sqrt(p->e));
  info.m_friction = real(std::sqrt(p->mu));
  bullet->bodies.push_back(std::make_unique<btRigidBody>(info));
  btRigidBody &body = *bullet->bodies.back();
  body.setLinearVelocity(velocity);
  body.setActivationState(DISABLE_DEACTIVATION);
  if (bullet->variant == TOUCHING) {
    body.setContactProcessingThreshold(0);
  }
  bullet->dynamics.addRigidBody(&body);
}

void start(const engine_problem *p, std::size_t variant)
{
  bullet = std::make_unique<world>();
  bullet->variant = variant;
  bullet->dynamics.setGravity(btVector3(real(engine_gravity_x(p)), real(engine_gravity_y(p)), 0));
  bullet->dynamics.getSolverInfo().m_restitutionVelocityThreshold = 0;
  if (variant == TOUCHING) {
    bullet->dynamics.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
  }
  for (std::size_t i = 0; i < p->count; i++) {
    const engine_body &b = p->body[i];
    const btScalar half = real(b.half), wide = 2 * half;
    btCollisionShape *shape = nullptr;
    if (b.shape == ENGINE_BALL) {
      shape = new btSphereShape(half);
    } else {
      shape = new btBoxShape(btVector3(wide, half, wide));
    }
    add(p, b.m, shape, btVector3(real(b.x), real(b.y), 0), btVector3(real(b.vx), real(b.vy), 0));
  }
  add(p, 0, new btBoxShape(btVector3(10, 1, 10)), btVector3(0, -1, 0), btVector3(0, 0, 0));
}

void settings(FILE *out)
{
  const btContactSolverInfo &info = bullet->dynamics.getSolverInfo();
  std::fprintf(out,
               "%d iterations, ERP %g, split impulse %s from %g m, warm starting %g, restitution threshold 0 "
               "m/s, contacts "
               "within %g m, %s, no deactivation, %s precision, springs by forces",
               info.m_numIterations, static_cast<double>(info.m_erp2), info.m_splitImpulse ? "on" : "off",
               static_cast<double>(info.m_splitImpulsePenetrationThreshold),
               static_cast<double>(info.m_warmstartingFactor), static_cast<double>(gContactBreakingThreshold),
               bullet->variant == TOUCHING ? "processed when they touch" : "all processed",
               sizeof(btScalar) == sizeof(float) ? "single" : "double");
}

void push(std::size_t body, double force)
{
  bullet->bodies[body]->applyCentralForce(btVector3(0, real(force), 0));
}

void step(double h)
{
  bullet->dynamics.stepSimulation(real(h), 0); /* 0: one step of that length */
}

engine_state state(std::size_t body)
{
  const btVector3 &q = bullet->bodies[body]->getCenterOfMassPosition();
  const btVector3 &v = bullet->bodies[body]->getLinearVelocity();
  return {q.x(), q.y(), v.x(), v.y()};
}

void stop()
{
  for (auto &body : bullet->bodies) {
    bullet->dynamics.removeRigidBody(body.get());
  }
  bullet.reset();
}

} // namespace

extern "C" {
extern const engine the_engine = {variants, start, settings, push, step, state, stop};
}
