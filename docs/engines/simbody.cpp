/* simbody.cpp -- Simbody with its time stepper for rigid contact. Bodies do not turn: contact is that of a point of each with the
 * floor, and of spheres with each other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#include <Simbody.h>
#include <cstdio>
#include <memory>
#include <vector>

namespace
{

using namespace SimTK;
using Stepper = SemiExplicitEulerTimeStepper;

const char *const variants[] = {"simbody", nullptr};
const Real tolerance = 1e-8; /* of constraints; impacts slower than twice that have no restitution */

struct world {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  Force::DiscreteForces outside{forces, matter};
  std::vector<MobilizedBody::Translation> bodies;
  std::unique_ptr<Stepper> stepper;
};
std::unique_ptr<world> simbody;

void add_body(const engine_problem *p, const engine_body &b)
{
  const Vec3 inside = b.shape == ENGINE_BALL ? Vec3(b.half) : Vec3(2 * b.half, b.half, 2 * b.half);
  const UnitInertia inertia = b.shape == ENGINE_BALL ? UnitInertia::sphere(b.half) : UnitInertia::brick(inside);
  Body::Rigid body(MassProperties(b.m, Vec3(0), b.m * inertia));
  simbody->bodies.emplace_back(simbody->matter.Ground(), body);
  MobilizedBody &mobile = simbody->bodies.back();
  simbody->matter.adoptUnilateralContact(new PointPlaneContact(
      simbody->matter.Ground(), UnitVec3(0, 1, 0), 0, mobile, Vec3(0, -b.half, 0), p->e, p->mu, p->mu, 0));
}

/* Neighbours in a column; two balls with a spring are too far from each other. */
void add_neighbours(const engine_problem *p)
{
  for (std::size_t i = 1; i < p->count && p->k == 0; i++) {
    simbody->matter.adoptUnilateralContact(
        new SphereSphereContact(simbody->bodies[i - 1], Vec3(0), p->body[i - 1].half, simbody->bodies[i],
                                Vec3(0), p->body[i].half, p->e, p->mu, p->mu, 0));
  }
}

void start(const engine_problem *p, std::size_t)
{
  simbody.reset(new world); // its pkg-config asks for C++11
  Force::UniformGravity(simbody->forces, simbody->matter, Vec3(engine_gravity_x(p), engine_gravity_y(p), 0));
  for (std::size_t i = 0; i < p->count; i++) {
    add_body(p, p->body[i]);
  }
  add_neighbours(p);
  State state = simbody->system.realizeTopology();
  for (std::size_t i = 0; i < p->count; i++) {
    const engine_body &b = p->body[i];
    simbody->bodies[i].setQToFitTranslation(state, Vec3(b.x, b.y, 0));
    simbody->bodies[i].setUToFitLinearVelocity(state, Vec3(b.vx, b.vy, 0));
  }
  simbody->stepper.reset(new Stepper(simbody->system));
  Stepper &stepper = *simbody->stepper;
  stepper.setConstraintTolerance(tolerance);
  stepper.setDefaultImpactCaptureVelocity(0);
  stepper.setDefaultImpactMinCORVelocity(0);
  stepper.setDefaultFrictionTransitionVelocity(0);
  stepper.initialize(state);
}

void settings(FILE *out)
{
  const Stepper &s = *simbody->stepper;
  std::fprintf(
      out,
      "SemiExplicitEulerTimeStepper: restitution %s, impacts %s, solver %s, positions %s, constraint tolerance "
      "%g, smallest impact with restitution %g m/s, springs by forces",
      Stepper::getRestitutionModelName(s.getRestitutionModel()),
      Stepper::getInducedImpactModelName(s.getInducedImpactModel()),
      Stepper::getImpulseSolverTypeName(s.getImpulseSolverType()),
      Stepper::getPositionProjectionMethodName(s.getPositionProjectionMethod()),
      s.getConstraintToleranceInUse(), s.getDefaultImpactCaptureVelocityInUse());
}

void push(std::size_t body, double force)
{
  simbody->outside.setOneMobilityForce(simbody->stepper->updState(), simbody->bodies[body], MobilizerUIndex(1),
                                       force);
}

void step(double h)
{
  simbody->stepper->stepTo(simbody->stepper->getTime() + h);
}

engine_state state(std::size_t body)
{
  const State &now = simbody->stepper->getState();
  const Vec3 q = simbody->bodies[body].getTranslation(now);
  const Vec3 v = simbody->bodies[body].getVelocity(now);
  return {q[0], q[1], v[0], v[1]};
}

void stop()
{
  simbody->stepper.reset();
  simbody.reset();
}

} // namespace

extern "C" {
extern const engine the_engine = {variants, start, settings, push, step, state, stop};
}
