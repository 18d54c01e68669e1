/* siconos.cpp -- Siconos: Moreau-Jean with theta = 1/2, a complementarity problem by Lemke's method, or Coulomb's friction by its
 * nonsmooth Gauss-Seidel iteration. A problem is one linear system in the coordinates that are written.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#include <SiconosKernel.hpp>
#include <SolverOptions.h>
#include <cstdio>
#include <memory>

namespace
{

const char *const variants[] = {"siconos", nullptr};
const double theta = 0.5, friction_tolerance = 1e-10;

struct world {
  const engine_problem *problem;
  SP::LagrangianLinearTIDS system;
  SP::SiconosVector load;
  SP::NonSmoothDynamicalSystem model;
  SP::TimeDiscretisation steps;
  SP::TimeStepping simulation;
};
std::unique_ptr<world> siconos;

/* Position of a body among the coordinates: its height, or x and its lowest point. */
unsigned height(const engine_problem *p, std::size_t body)
{
  return p->plane ? 1 : static_cast<unsigned>(body);
}

void add_system(const engine_problem *p)
{
  const unsigned n = p->plane ? 2 : static_cast<unsigned>(p->count);
  auto q = std::make_shared<SiconosVector>(n), v = std::make_shared<SiconosVector>(n);
  auto mass = std::make_shared<SimpleMatrix>(n, n);
  siconos->load = std::make_shared<SiconosVector>(n);
  mass->zero();
  for (unsigned i = 0; i < n; i++) {
    const engine_body &b = p->body[p->plane ? 0 : i];
    const bool upwards = !p->plane || i == 1;
    (*mass)(i, i) = b.m;
    (*q)(i) = upwards ? b.y : b.x;
    (*v)(i) = upwards ? b.vy : b.vx;
    (*siconos->load)(i) = b.m * (upwards ? engine_gravity_y(p) : engine_gravity_x(p));
  }
  siconos->system = std::make_shared<LagrangianLinearTIDS>(q, v, mass);
  siconos->system->setFExtPtr(siconos->load);
  if (p->k > 0) { /* K q is the force of a spring but for its length, which joins the load */
    auto stiffness = std::make_shared<SimpleMatrix>(n, n);
    stiffness->zero();
    (*stiffness)(0, 0) = p->k;
    (*siconos->load)(0) += p->k * (n == 1 ? p->body[0].half : -p->length);
    if (n == 2) {
      (*stiffness)(1, 1) = p->k;
      (*stiffness)(0, 1) = (*stiffness)(1, 0) = -p->k;
      (*siconos->load)(1) += p->k * p->length;
    }
    siconos->system->setKPtr(stiffness);
  }
}

/* The contact below a body: with the floor, or with the body below it in a column. */
void add_contact(const engine_problem *p, std::size_t body)
{
  const unsigned n = siconos->system->dimension(), rows = p->mu > 0 ? 2 : 1;
  const bool floor = body == 0 || p->k > 0;
  auto H = std::make_shared<SimpleMatrix>(rows, n);
  auto offset = std::make_shared<SiconosVector>(rows);
  H->zero();
  offset->zero();
  (*H)(0, height(p, body)) = 1;
  (*offset)(0) = -p->body[body].half;
  if (!floor) {
    (*H)(0, height(p, body - 1)) = -1;
    (*offset)(0) -= p->body[body - 1].half;
  }
  if (rows == 2) {
    (*H)(1, 0) = 1;
  }
  SP::NonSmoothLaw law;
  if (rows == 2) {
    law = std::make_shared<NewtonImpactFrictionNSL>(p->e, 0, p->mu, 2);
  } else {
    law = std::make_shared<NewtonImpactNSL>(p->e);
  }
  auto relation = std::make_shared<LagrangianLinearTIR>(H, offset);
  siconos->model->link(std::make_shared<Interaction>(law, relation), siconos->system);
}

/* The step is known at the first call of step(). */
void begin(double h)
{
  const engine_problem *p = siconos->problem;
  auto integrator = std::make_shared<MoreauJeanOSI>(theta);
  siconos->steps = std::make_shared<TimeDiscretisation>(0, h);
  SP::OneStepNSProblem problem;
  if (p->mu > 0) {
    auto friction = std::make_shared<FrictionContact>(2);
    friction->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = friction_tolerance;
    problem = friction;
  } else {
    problem = std::make_shared<LCP>();
  }
  siconos->simulation = std::make_shared<TimeStepping>(siconos->model, siconos->steps, integrator, problem);
}

void start(const engine_problem *p, std::size_t)
{
  siconos.reset(new world);
  siconos->problem = p;
  siconos->model = std::make_shared<NonSmoothDynamicalSystem>(0, 2 * p->end);
  add_system(p);
  siconos->model->insertDynamicalSystem(siconos->system);
  for (std::size_t i = 0; i < p->count; i++) {
    add_contact(p, i);
  }
}

void settings(FILE *out)
{
  std::fprintf(out, "TimeStepping, MoreauJeanOSI(%g), %s", theta,
               siconos->problem->mu > 0 ? "FrictionContact(2), tolerance 1e-10" : "LCP, default solver");
}

void step(double h)
{
  if (!siconos->simulation) {
    begin(h);
  }
  siconos->simulation->computeOneStep();
  siconos->simulation->nextStep();
}

engine_state state(std::size_t body)
{
  const engine_problem *p = siconos->problem;
  const SiconosVector &q = *siconos->system->q(), &v = *siconos->system->velocity();
  const unsigned i = height(p, body);
  return {p->plane ? q(0) : 0, q(i), p->plane ? v(0) : 0, v(i)};
}

void stop()
{
  siconos.reset();
}

} // namespace

extern "C" {
extern const engine the_engine = {variants, start, settings, nullptr, step, state, stop};
}
