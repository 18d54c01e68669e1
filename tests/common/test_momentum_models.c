/* test_momentum_models.c -- momenta of piles, sliders and mechanisms change in every step by what acts from outside: weight, and contact
 * with what does not move, at the places where it touches. What bodies do to each other drops out.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/models/matrix_market/matrix_data.h"
#include "models.h"
#include "runs.h"
#include <delassus/matrix_market.h>
#include <delassus/measures.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = DLS_MOMENTA_MOST };
static const double h = 0.01;

static void momenta(const dls_system *sys, const double *q, const double *v, double *p)
{
  dls_measures *m = NULL;
  dls_error err = {0};
  assert_ok(dls_measures_create(sys, &m, &err), err);
  dls_measures_momenta(m, 0, q, v, p);
  dls_measures_destroy(m);
}

/* A force on the point x: into p. */
static void push(size_t dim, const double *x, const double *force, double *p)
{
  for (size_t i = 0; i < dim; i++) {
    p[i] += force[i];
  }
  if (dim == 2) {
    p[2] += x[0] * force[1] - x[1] * force[0];
    return;
  }
  for (size_t i = 0; i < 3; i++) {
    const size_t a = (i + 1) % 3, b = (i + 2) % 3;
    p[3 + i] += x[a] * force[b] - x[b] * force[a];
  }
}

/* The impulse of what is outside in the step to a row. */
typedef void (*outside)(const test_run *run, size_t row, double *p);

static double column(const test_run *run, size_t row, const char *name, size_t j, const char *along)
{
  char text[32];
  snprintf(text, sizeof text, "%s%zu%s", name, j, along);
  return dls_test_value(run, row, text);
}

/* Momenta against what acts, step by step; of 1, as they are of this size. @return the largest change */
static double follow(const char *model, const char *scheme, double top, outside of, size_t count)
{
  dls_system *sys = dls_test_system(model);
  if (top != 0) { /* the last body is thrown */
    sys->v0[sys->n - 3] = top;
    sys->v0[sys->n - 1] = 3 * top;
  }
  test_run run = dls_test_run_of(sys, scheme, h, 0.6);
  const size_t n = run.sys->n;
  double last[MOST], now[MOST], largest = 0;
  assert_int_equal(run.sys->momenta, count);
  size_t before = 0;
  for (size_t row = 0; row < run.traj->rows; row++) {
    const double *node = run.traj->data + row * run.traj->columns;
    if (row + 1 < run.traj->rows && node[0] == dls_trajectory_at(run.traj, row + 1, 0)) {
      continue; /* left of a jump: the step has not ended */
    }
    double expected[MOST] = {0};
    momenta(run.sys, node + 1, node + 1 + n, now);
    if (row > 0) {
      of(&run, row, expected);
    }
    for (size_t i = 0; before > 0 && i < count; i++) {
      assert_close(now[i] - last[i], expected[i], 1e-12);
      largest = fmax(largest, fabs(expected[i]));
    }
    memcpy(last, now, sizeof last);
    before = row + 1;
  }
  dls_test_free(&run);
  return largest;
}

/* Three columns of two boxes of 0.2 m by 0.1 m, 0.1 m deep, 1 kg; the first contacts are those of the lowest row with the floor. */
static void on_boxes(const test_run *run, size_t row, double *p)
{
  const size_t dim = run->sys->d, corners = dim == 2 ? 2 : 4;
  for (size_t k = 0; k < 3; k++) {
    const double left = 0.3 * (double)k, weight[3] = {0, dim == 2 ? -9.81 * h : 0, -9.81 * h};
    for (size_t i = 0; i < 2; i++) {
      const double up = 0.05 + 0.1 * (double)i, at[3] = {left + 0.1, dim == 2 ? up : 0, up};
      push(dim, at, weight, p);
    }
    for (size_t c = 0; c < corners; c++) {
      const size_t j = corners * k + c;
      const double at[3] = {left + (c % 2 == 0 ? 0 : 0.2), dim == 2 ? 0 : (c < 2 ? -0.05 : 0.05), 0};
      const double normal = column(run, row, "p", j, "");
      const double force[3] = {column(run, row, "p", j, dim == 2 ? "t" : "t1"),
                               dim == 2 ? normal : column(run, row, "p", j, "t2"), normal};
      push(dim, at, force, p);
    }
  }
}

DLS_TEST(columns_of_boxes_are_pushed_by_floor_and_weight)
{
  static const char *const models[] = {"block-column:rows=2,columns=3,v0=1",
                                       "block-column:rows=2,columns=3,v0=1,dim=3"};
  for (size_t i = 0; i < 2; i++) {
    assert_between(follow(models[i], "moreau-jean", 0, on_boxes, i == 0 ? 3 : 6), 0.1, 2);
    assert_between(follow(models[i], "nonsmooth-generalized-alpha", 0, on_boxes, i == 0 ? 3 : 6), 0.1, 2);
  }
}

/* Walls and pyramids are made as columns are: the floor is under the first row. Along x only it acts. */
static void along_the_floor(const test_run *run, size_t row, double *p)
{
  static const size_t floor_contacts = 6;
  for (size_t j = 0; j < run->sys->m; j++) {
    p[0] += j < floor_contacts ? column(run, row, "p", j, "t") : 0;
    p[1] += j < floor_contacts ? column(run, row, "p", j, "") : 0;
  }
}

DLS_TEST(walls_and_pyramids_are_pushed_by_the_floor)
{
  static const char *const models[] = {"block-wall:rows=2,columns=3,v0=1",
                                       "block-pyramid:rows=2,columns=3,v0=1"};
  for (size_t i = 0; i < 2; i++) {
    test_run run = dls_test_run(models[i], "moreau-jean", h, 0.3);
    double before[MOST], now[MOST], force[MOST] = {0};
    const size_t last = run.traj->rows - 1;
    for (size_t row = 1; row <= last; row++) {
      along_the_floor(&run, row, force);
    }
    double weight = 0, F[200];
    dls_system_load(run.sys, 0, F);
    for (size_t k = 1; k < run.sys->n; k += 3) {
      weight += F[k];
    }
    momenta(run.sys, run.sys->q0, run.sys->v0, before);
    momenta(run.sys, run.sim->q, run.sim->v, now);
    assert_between(before[0], 0.5, 5);
    assert_between(before[0] - now[0], 0.1, 5);
    assert_close(now[0] - before[0], force[0], 1e-12);
    assert_close(now[1] - before[1], force[1] + 0.3 * weight, 1e-11);
    dls_test_free(&run);
  }
}

/* Fixed discs are under the lowest row, and touch it half a radius aside of its centres. */
static void on_discs(const test_run *run, size_t row, double *p)
{
  const double R = 0.1, up = sqrt(3) / 2;
  size_t contact = 0;
  for (size_t r = 0; r < 3; r++) {
    for (size_t k = 0; k < 4 - r; k++) {
      const double x = R * (double)(2 * k + r), y = 2 * R * up * (double)(r + 1);
      push(2, (const double[]){x, y}, (const double[]){0, -9.81 * h}, p);
      for (size_t side = 0; r == 0 && side < 2; side++, contact++) {
        const double nx = side == 0 ? 0.5 : -0.5, normal = column(run, row, "p", contact, ""),
                     slip = column(run, row, "p", contact, "t");
        push(2, (const double[]){x - nx * R, y - up * R},
             (const double[]){nx * normal + up * slip, up * normal - nx * slip}, p);
      }
    }
  }
}

DLS_TEST(a_pile_of_discs_is_pushed_by_the_discs_below)
{
  assert_between(follow("lattice-pile:rows=3,columns=4,mu=0.3,e=0.5", "moreau-jean", 0.7, on_discs, 3), 0.1,
                 20);
}

/* x uphill: the lower block touches the plane, and nothing else is outside. */
static void on_stack(const test_run *run, size_t row, double *p)
{
  const double weight = 3 * 9.81 * h;
  p[0] += column(run, row, "p", 0, "t") - weight * sin(0.7);
  p[1] += column(run, row, "p", 0, "") - weight * cos(0.7);
}

DLS_TEST(blocks_on_an_incline_push_each_other_in_vain)
{
  assert_between(follow("incline-stack:m1=2,m2=1,alpha=0.7,mu1=0.1,mu2=0.05", "moreau-jean", 0, on_stack, 2),
                 0.05, 2);
}

/* Beak 0.0049 m from the middle of the pole; the sleeve's edges 0.0058 m above and below its centre, 0.0031 m aside. */
static void on_woodpecker(const test_run *run, size_t row, double *p)
{
  const double beak = 0.010 + 0.015 - 0.0201;
  const double r[3] = {column(run, row, "p", 0, "t"), column(run, row, "p", 1, "t"),
                       column(run, row, "p", 2, "t")};
  p[1] += r[0] + r[1] + r[2] - 0.0048 * 9.81 * h;
  p[2] += beak * r[0] + 0.0031 * (r[1] + r[2]) - 0.02 * column(run, row, "p", 0, "") +
          0.0058 * (column(run, row, "p", 1, "") - column(run, row, "p", 2, "")) - 0.0045 * 9.81 * h * 0.025;
}

DLS_TEST(the_woodpecker_is_held_by_its_pole)
{
  assert_between(follow("woodpecker", "moreau-jean", 0, on_woodpecker, 3), 1e-5, 1);
}

static void on_sphere(const test_run *run, size_t row, double *p)
{
  const double *q = run->traj->data + row * run->traj->columns + 1, *last = q - run->traj->columns;
  const double middle[3] = {0.5 * (q[0] + last[0]), 0.5 * (q[1] + last[1]), q[2]};
  const double force[3] = {column(run, row, "p", 0, "t1"), column(run, row, "p", 0, "t2"),
                           column(run, row, "p", 0, "")},
               weight[3] = {0, 0, -9.81 * h};
  push(3, (const double[]){middle[0], middle[1], 0}, force, p);
  push(3, middle, weight, p);
}

/* Its centre goes on with the mean velocity: moments are those of the middle of a step. */
DLS_TEST(a_sphere_is_turned_by_friction)
{
  test_run run = dls_test_run("sphere", "moreau-jean", h, 1);
  double before[MOST], now[MOST], force[MOST] = {0};
  for (size_t row = 1; row < run.traj->rows; row++) {
    on_sphere(&run, row, force);
  }
  momenta(run.sys, run.sys->q0, run.sys->v0, before);
  momenta(run.sys, run.sim->q, run.sim->v, now);
  for (size_t i = 0; i < 6; i++) {
    assert_close(now[i] - before[i], force[i], 1e-12);
  }
  assert_close(before[5], 0.4 * 0.01 * 5, 1e-15);
  assert_between(fabs(now[0] - before[0]), 0.1, 2);
  dls_test_free(&run);
}

/* --- andrews: centres of its bodies as the source has them --- */

static void centres(const double *q, double c[7][2], double angle[7])
{
  const double xb = -.03635, yb = .03273, xa = -.06934, ya = -.00227, b = q[0], th = q[1], g = q[2], ph = q[3],
               d = q[4], om = q[5], ep = q[6];
  const double at[7][2] = {
      {.00092 * cos(b), .00092 * sin(b)},
      {.007 * cos(b) - .0115 * cos(b + th), .007 * sin(b) - .0115 * sin(b + th)},
      {xb + .01874 * sin(g) + .01043 * cos(g), yb - .01874 * cos(g) + .01043 * sin(g)},
      {xa + .04 * cos(d) + .00579 * sin(ph + d), ya + .04 * sin(d) - .00579 * cos(ph + d)},
      {xa + .02308 * cos(d) - .00916 * sin(d), ya + .02308 * sin(d) + .00916 * cos(d)},
      {xa + .04 * sin(ep) + .00579 * cos(om + ep), ya - .04 * cos(ep) + .00579 * sin(om + ep)},
      {xa + .01228 * sin(ep) - .00449 * cos(ep), ya - .01228 * cos(ep) - .00449 * sin(ep)}};
  const double turned[7] = {b, b + th, g, ph + d, d, om + ep, ep};
  memcpy(c, at, sizeof at);
  memcpy(angle, turned, sizeof turned);
}

/* Velocities of the centres by differences: of order 1e-10. */
DLS_TEST(andrews_has_the_momenta_of_its_seven_bodies)
{
  static const double m[7] = {.04325, .00365, .02373, .00706, .07050, .00706, .05498},
                      J[7] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
  const double q[7] = {0.4, -0.3, 0.5, 0.7, 1.1, -0.2, 0.9}, v[7] = {3, -2, 5, 1, -4, 2.5, 7}, s = 1e-5;
  double ahead[7][2], back[7][2], at[7][2], a0[7], a1[7], behind[7], before[7], p[MOST], expected[3] = {0},
                                                                                         T = 0;
  for (size_t i = 0; i < 7; i++) {
    behind[i] = q[i] + s * v[i];
    before[i] = q[i] - s * v[i];
  }
  centres(behind, ahead, a1);
  centres(before, back, a0);
  double unused[7];
  centres(q, at, unused);
  for (size_t k = 0; k < 7; k++) {
    const double u[2] = {(ahead[k][0] - back[k][0]) / (2 * s), (ahead[k][1] - back[k][1]) / (2 * s)},
                 w = (a1[k] - a0[k]) / (2 * s);
    expected[0] += m[k] * u[0];
    expected[1] += m[k] * u[1];
    expected[2] += m[k] * (at[k][0] * u[1] - at[k][1] * u[0]) + J[k] * w;
    T += 0.5 * (m[k] * (u[0] * u[0] + u[1] * u[1]) + J[k] * w * w);
  }
  dls_system *sys = dls_test_system("andrews");
  dls_measures *measures = NULL;
  dls_error err = {0};
  assert_ok(dls_measures_create(sys, &measures, &err), err);
  assert_close(dls_measures_kinetic(measures, q, v), T, 1e-8 * T);
  dls_measures_destroy(measures);
  momenta(sys, q, v, p);
  for (size_t i = 0; i < 3; i++) {
    assert_close(p[i], expected[i], 1e-8 * (i < 2 ? 0.02 : 2e-4));
    assert_between(fabs(p[i]), i < 2 ? 1e-3 : 1e-5, 1);
  }
  dls_system_destroy(sys);
}

/* --- matrix-model --- */

/* A triangle of three masses on springs between them, which nothing holds, turning and falling. */
DLS_TEST(a_structure_of_nodes_with_places_keeps_its_momenta)
{
  static const double X[6] = {0, 0, 2, 0.5, 1, 3}, mass[3] = {1, 2, 0.5};
  dls_system *sys = dls_system_create(6, 0);
  assert_int_equal(dls_matrix_data_create(sys, &(dls_matrix_parts){.constant = true, .nodes = 3}), DLS_OK);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(6);
  sys->K = dls_matrix_dense(6, 6);
  memcpy(dls_matrix_data_of(sys)->place, X, sizeof X);
  double K[6][6] = {{0}};
  for (size_t k = 0; k < 3; k++) {
    const size_t a = 2 * k, b = 2 * ((k + 1) % 3);
    const double dx = X[b] - X[a], dy = X[b + 1] - X[a + 1], n[6] = {dx, dy}, l = hypot(dx, dy);
    const size_t on[4] = {a, a + 1, b, b + 1};
    const double along[4] = {-n[0] / l, -n[1] / l, n[0] / l, n[1] / l};
    for (size_t i = 0; i < 16; i++) {
      K[on[i / 4]][on[i % 4]] += 50 * along[i / 4] * along[i % 4];
    }
  }
  for (size_t i = 0; i < 36; i++) {
    dls_matrix_set(sys->K, i / 6, i % 6, K[i / 6][i % 6]);
  }
  for (size_t i = 0; i < 6; i++) {
    dls_matrix_set(sys->M, i, i, mass[i / 2]);
    sys->v0[i] = (double)i - 1.5;
    dls_matrix_data_of(sys)->force[i] = i % 2 == 0 ? 0 : -9.81 * mass[i / 2];
  }
  double before[MOST], now[MOST], weight[MOST] = {0};
  momenta(sys, sys->q0, sys->v0, before);
  assert_close(before[0], 1 * -1.5 + 2 * 0.5 + 0.5 * 2.5, 1e-15);
  assert_close(before[2], 2 * (2 * 1.5 - 0.5 * 0.5) + 0.5 * (1 * 3.5 - 3 * 2.5), 1e-14);
  for (size_t k = 0; k < 3; k++) {
    push(2, X + 2 * k, (const double[]){0, -9.81 * mass[k] * 0.5}, weight);
  }
  test_run run = dls_test_run_of(sys, "moreau-jean", h, 0.5);
  momenta(sys, run.sim->q, run.sim->v, now);
  for (size_t i = 0; i < 3; i++) {
    assert_close(now[i] - before[i], weight[i], 1e-12);
  }
  dls_test_free(&run);
}

DLS_TEST(nodes_along_a_line_have_one_momentum_and_none_without_places)
{
  dls_system *sys = dls_system_create(4, 0);
  assert_int_equal(dls_matrix_data_create(sys, &(dls_matrix_parts){.nodes = 4}), DLS_OK);
  assert_int_equal(sys->momenta, 1);
  dls_system_destroy(sys);
  sys = dls_system_create(4, 0);
  assert_int_equal(dls_matrix_data_create(sys, &(dls_matrix_parts){0}), DLS_OK);
  assert_int_equal(sys->momenta, 0);
  assert_null(sys->momentum);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_of_boxes_are_pushed_by_floor_and_weight),
      cmocka_unit_test(walls_and_pyramids_are_pushed_by_the_floor),
      cmocka_unit_test(a_pile_of_discs_is_pushed_by_the_discs_below),
      cmocka_unit_test(blocks_on_an_incline_push_each_other_in_vain),
      cmocka_unit_test(the_woodpecker_is_held_by_its_pole),
      cmocka_unit_test(a_sphere_is_turned_by_friction),
      cmocka_unit_test(andrews_has_the_momenta_of_its_seven_bodies),
      cmocka_unit_test(a_structure_of_nodes_with_places_keeps_its_momenta),
      cmocka_unit_test(nodes_along_a_line_have_one_momentum_and_none_without_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
