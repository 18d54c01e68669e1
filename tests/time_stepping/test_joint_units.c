/* test_joint_units.c -- mechanisms in other units of length, time and mass: the same motion, also with redundant joints, without a
 * contact and with one. In natural coordinates lengths stand beside directors without unit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/models/multibody/mechanism.h"
#include <delassus/choice.h>
#include <delassus/sim.h>
#include <math.h>
#include <string.h>

typedef struct units {
  double m, s, kg; /* a metre, a second, a kilogram in them */
} units;

typedef struct variant {
  size_t dim, contacts;
  bool twice; /* the lower joint is given twice */
  bool rough; /* a sphere with friction in place of the corner */
} variant;

static void scale(double *x, double factor)
{
  for (int i = 0; i < 3; i++) {
    x[i] *= factor;
  }
}

/* Two bars in a row, the upper one on a hinge, with a spring; the corner of the lower one strikes a wall. */
static dls_system *double_bar(const variant *what, const units *u)
{
  const bool space = what->dim == 3;
  dls_body bodies[] = {{.name = "upper", .mass = 1.5, .inertia = {0.2}, .at = {0.5}, .velocity = {0, 0.5}},
                       {.name = "lower", .mass = 0.8, .inertia = {0.1}, .at = {1.5}, .velocity = {0, 1.5}}};
  dls_joint joints[] = {{.name = "hinge", .kind = DLS_JOINT_REVOLUTE, .a = {DLS_GROUND, {0}}, .b = {0, {-0.5}}},
                        {.name = "knee", .kind = DLS_JOINT_REVOLUTE, .a = {0, {0.5}}, .b = {1, {-0.5}}},
                        {.name = "twice", .kind = DLS_JOINT_REVOLUTE, .a = {0, {0.5}}, .b = {1, {-0.5}}}};
  dls_spring spring = {.name = "spring",
                       .a = {1, {0}},
                       .b = {DLS_GROUND, {1, 1}},
                       .stiffness = 4,
                       .length = 0.5,
                       .damping = 0.1};
  dls_touch wall = {.name = "wall",
                    .kind = DLS_TOUCH_PLANE,
                    .a = {1, {0.5}},
                    .normal = {1},
                    .radius = what->rough ? 0.05 : 0,
                    .offset = 0.9,
                    .restitution = 0.5,
                    .friction = what->rough ? 0.2 : 0};
  for (int i = 0; i < 2; i++) {
    bodies[i].spin[space ? 2 : 0] = 1;
    for (int k = 1; k < 3 && space; k++) {
      bodies[i].inertia[k] = bodies[i].inertia[0] * (k == 1 ? 1.2 : 1.1);
    }
    bodies[i].mass *= u->kg;
    scale(bodies[i].inertia, u->kg * u->m * u->m);
    scale(bodies[i].at, u->m);
    scale(bodies[i].velocity, u->m / u->s);
    scale(bodies[i].spin, 1 / u->s);
  }
  for (int i = 0; i < 3; i++) {
    joints[i].axis[2] = 1;
    scale(joints[i].a.at, u->m);
    scale(joints[i].b.at, u->m);
  }
  scale(spring.b.at, u->m);
  spring.stiffness *= u->kg / (u->s * u->s);
  spring.damping *= u->kg / u->s;
  spring.length *= u->m;
  scale(wall.a.at, u->m);
  wall.offset *= u->m;
  wall.radius *= u->m;
  const dls_mechanism m = {.dim = what->dim,
                           .body_count = 2,
                           .joint_count = what->twice ? 3 : 2,
                           .spring_count = 1,
                           .touch_count = what->contacts,
                           .bodies = bodies,
                           .joints = joints,
                           .springs = &spring,
                           .touches = &wall,
                           .gravity = {0, -9.81 * u->m / (u->s * u->s), 0}};
  dls_system *sys = NULL;
  dls_error err = {0};
  assert_ok(dls_mechanism_system(&m, &sys, &err), err);
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

enum { MOST = 24 };

/* q in metres and v in metres per second after 1 s; directors as they are. @return impacts */
static size_t arrive(const variant *what, const units *u, const char *scheme, double step, double *q, double *v)
{
  dls_scheme_choice choice;
  dls_error err = {0};
  dls_sim *sim = NULL;
  dls_system *sys = double_bar(what, u);
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
  const dls_run_spec spec = {.step = step * u->s, .end = u->s};
  assert_ok(dls_run(sim, &spec, &err), err);
  for (size_t i = 0; i < sys->n; i++) {
    const double *d = sys->q0 + what->dim; /* of the first body: its size is that of all */
    const double director = sqrt(d[0] * d[0] + d[1] * d[1] + (what->dim == 3 ? d[2] * d[2] : 0));
    const double length = i % (sys->n / 2) < what->dim ? u->m : director;
    q[i] = sim->q[i] / length;
    v[i] = sim->v[i] / length * u->s;
  }
  const size_t impacts = sim->work.impacts;
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return impacts;
}

static void units_do_not_matter(void **state)
{
  (void)state;
  static const units SI = {1, 1, 1}, others[] = {{1e3, 1e3, 1}, {1e-6, 1, 1}, {1e6, 1, 1}, {1, 1e6, 1e-6}};
  static const variant variants[] = {{2, 0, false, false}, {2, 1, true, false}, {3, 0, true, false},
                                     {3, 1, false, false}, {2, 1, true, true},  {3, 1, true, true}};
  static const struct {
    const char *scheme;
    double step, allowed;
    size_t units; /* so many of them: events take their time */
  } schemes[] = {{"moreau-jean", 1e-2, 1e-12, sizeof others / sizeof others[0]},
                 {"nonsmooth-generalized-alpha", 2e-2, 1e-12, sizeof others / sizeof others[0]},
                 {"three-level-alpha", 2e-2, 1e-12, 4},
                 {"rk-moreau", 2e-2, 1e-12, 4},
                 {"event-driven:tol=1e-8", 0, 1e-7, 2}};
  for (size_t s = 0; s < sizeof schemes / sizeof schemes[0]; s++) {
    double most = 0;
    for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++) {
      double q0[MOST], v0[MOST], q[MOST], v[MOST];
      const size_t n = (variants[k].dim == 2 ? 8 : 24);
      const size_t impacts = arrive(&variants[k], &SI, schemes[s].scheme, schemes[s].step, q0, v0);
      assert_true(variants[k].contacts == 0 ? impacts == 0 : impacts > 0);
      for (size_t j = 0; j < schemes[s].units; j++) {
        double worst = 0;
        const size_t same = arrive(&variants[k], &others[j], schemes[s].scheme, schemes[s].step, q, v);
        for (size_t i = 0; i < n; i++) {
          worst = fmax(worst, fmax(fabs(q[i] - q0[i]), 0.1 * fabs(v[i] - v0[i])));
        }
        assert_int_equal(same, impacts);
        assert_close(worst, 0, schemes[s].allowed);
        most = fmax(most, worst);
      }
    }
    print_message("%s: other by %.2g at most\n", schemes[s].scheme, most);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_do_not_matter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
