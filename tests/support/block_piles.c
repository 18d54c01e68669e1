/* block_piles.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "block_piles.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *const pile_names[PILE_KINDS] = {"column", "wall", "pyramid"};

enum { GROUND = -1, DOF = 6 };
static const double half[3] = {1, 0.5, 0.5}; /* along, up, across [m] */

typedef struct body {
  double centre[3], inverse[DOF], v[DOF]; /* x, y (up), z, rotations about them */
} body;

typedef struct contact {
  int below, above;
  double at[3];
} contact;

typedef struct scene {
  body *bodies;
  contact *contacts;
  size_t body_count, contact_count, d;
} scene;

static void add_body(scene *s, double x, double y, double kick, gsl_rng *rng)
{
  body *b = &s->bodies[s->body_count++];
  const double mass = 0.5 + gsl_rng_uniform(rng);
  *b = (body){.centre = {x, y, 0}};
  for (size_t i = 0; i < 3; i++) {
    const double a = half[(i + 1) % 3], c = half[(i + 2) % 3];
    b->inverse[i] = 1 / mass;
    b->inverse[3 + i] = 3 / (mass * (a * a + c * c));
  }
  for (size_t i = 0; i < DOF; i++) {
    b->v[i] = kick * (2 * gsl_rng_uniform(rng) - 1);
  }
  b->v[1] -= 9.81e-3;
}

/* Corners of the face in which two blocks touch, x from left to right. */
static void add_face(scene *s, int below, int above, double left, double right, double y)
{
  for (size_t k = 0; k < (s->d == 2 ? 2U : 4U); k++) {
    const double z = s->d == 2 ? 0 : k < 2 ? -half[2] : half[2];
    s->contacts[s->contact_count++] = (contact){below, above, {k % 2 == 0 ? left : right, y, z}};
  }
}

/* Row i of `count` blocks, starting at x; the row below at `below_x` starts with body `first`. */
static void add_row(scene *s, size_t row, size_t count, double x, int first, size_t below, double below_x,
                    double kick, gsl_rng *rng)
{
  const double y = 2 * half[1] * (double)row;
  for (size_t k = 0; k < count; k++) {
    const double centre = x + 2 * half[0] * (double)k;
    const int above = (int)s->body_count;
    add_body(s, centre, y + half[1], kick, rng);
    if (row == 0) {
      add_face(s, GROUND, above, centre - half[0], centre + half[0], y);
    }
    for (size_t j = 0; row > 0 && j < below; j++) {
      const double other = below_x + 2 * half[0] * (double)j;
      const double left = fmax(centre, other) - half[0], right = fmin(centre, other) + half[0];
      if (right > left) {
        add_face(s, first + (int)j, above, left, right, y);
      }
    }
  }
}

static scene build(pile_kind kind, size_t d, size_t rows, size_t columns, double kick, gsl_rng *rng)
{
  scene s = {.d = d};
  const size_t most = rows * (columns + 1);
  s.bodies = calloc(most, sizeof *s.bodies);
  s.contacts = calloc(8 * most, sizeof *s.contacts);
  double x = 0, below_x = 0;
  int first = 0;
  for (size_t row = 0, below = 0; row < rows; row++) {
    size_t count = kind == PILE_COLUMN ? 1 : columns;
    if (kind == PILE_PYRAMID) {
      count = columns > row ? columns - row : 1;
    }
    x = kind == PILE_WALL ? (row % 2 == 0 ? 0 : half[0]) : kind == PILE_PYRAMID ? (double)row * half[0] : 0;
    const int start = (int)s.body_count;
    add_row(&s, row, count, x, first, below, below_x, kick, rng);
    first = start;
    below = count;
    below_x = x;
  }
  return s;
}

/* Row i (0 normal, up; 1 along; 2 across) of the velocity of a body's point: its derivatives by the body's velocities. */
static void row_of(const scene *s, int b, const double *at, size_t i, double *h)
{
  const double *c = s->bodies[b].centre, r[3] = {at[0] - c[0], at[1] - c[1], at[2] - c[2]};
  static const size_t axes[3] = {1, 0, 2};
  const size_t axis = axes[i], next = (axis + 1) % 3, last = (axis + 2) % 3;
  memset(h, 0, DOF * sizeof *h);
  h[axis] = 1;
  h[3 + next] = r[last]; /* (w x r)_axis = w_next r_last - w_last r_next */
  h[3 + last] = -r[next];
  if (s->d == 2) { /* in the plane x, y: rotation about z alone */
    h[2] = h[3] = h[4] = 0;
  }
}

/* Blocks of W: sum over the bodies that both contacts touch. */
static double entry(const scene *s, size_t a, size_t i, size_t b, size_t j)
{
  const contact *A = &s->contacts[a], *B = &s->contacts[b];
  const int bodies_a[2] = {A->below, A->above}, bodies_b[2] = {B->below, B->above};
  double sum = 0, ha[DOF], hb[DOF];
  for (size_t k = 0; k < 4; k++) {
    const int body_a = bodies_a[k / 2], body_b = bodies_b[k % 2];
    if (body_a != body_b || body_a == GROUND) {
      continue;
    }
    const double sign = (k / 2 == k % 2) ? 1 : -1;
    row_of(s, body_a, A->at, i, ha);
    row_of(s, body_b, B->at, j, hb);
    for (size_t l = 0; l < DOF; l++) {
      sum += sign * ha[l] * s->bodies[body_a].inverse[l] * hb[l];
    }
  }
  return sum;
}

static double velocity(const scene *s, size_t a, size_t i)
{
  const contact *A = &s->contacts[a];
  const int bodies[2] = {A->below, A->above};
  double sum = 0, h[DOF];
  for (size_t k = 0; k < 2; k++) {
    for (size_t l = 0; bodies[k] != GROUND && l < DOF; l++) {
      row_of(s, bodies[k], A->at, i, h);
      sum += (k == 0 ? -1 : 1) * h[l] * s->bodies[bodies[k]].v[l];
    }
  }
  return sum;
}

enum { MOST_NEIGHBOURS = 64 };

static int ascending(const void *x, const void *y)
{
  const size_t a = *(const size_t *)x, b = *(const size_t *)y;
  return (a > b) - (a < b);
}

/* Contacts that share a body with contact b, increasing; of_body: MOST_NEIGHBOURS a body, filled ones first. */
static size_t neighbours(const scene *s, const size_t *of_body, const size_t *filled, size_t b, size_t *list)
{
  const int bodies[2] = {s->contacts[b].below, s->contacts[b].above};
  size_t count = 0;
  for (size_t k = 0; k < 2; k++) {
    for (size_t e = 0; bodies[k] != GROUND && e < filled[bodies[k]]; e++) {
      const size_t a = of_body[(size_t)bodies[k] * MOST_NEIGHBOURS + e];
      bool held = false;
      for (size_t i = 0; i < count; i++) {
        held = held || list[i] == a;
      }
      list[count] = a;
      count += !held;
    }
  }
  qsort(list, count, sizeof *list, ascending);
  return count;
}

static dls_matrix *delassus(const scene *s)
{
  const size_t m = s->contact_count, d = s->d;
  size_t *of_body = malloc(s->body_count * MOST_NEIGHBOURS * sizeof *of_body);
  size_t *filled = calloc(s->body_count, sizeof *filled), list[2 * MOST_NEIGHBOURS];
  dls_matrix *W = dls_matrix_sparse(d * m, d * m, d * m * d * 40);
  for (size_t a = 0; a < m; a++) {
    const int bodies[2] = {s->contacts[a].below, s->contacts[a].above};
    for (size_t k = 0; k < 2; k++) {
      if (bodies[k] != GROUND) {
        of_body[(size_t)bodies[k] * MOST_NEIGHBOURS + filled[bodies[k]]++] = a;
      }
    }
  }
  for (size_t column = 0; column < d * m; column++) {
    const size_t b = column / d, count = neighbours(s, of_body, filled, b, list);
    for (size_t e = 0; e < count * d; e++) {
      const size_t a = list[e / d];
      if (dls_matrix_set(W, d * a + e % d, column, entry(s, a, e % d, b, column % d)) != DLS_OK) {
        abort();
      }
    }
  }
  free(of_body);
  free(filled);
  return W;
}

/* Coordinates of a body in the plane: x, y, rotation about z. */
static const size_t planar[3] = {0, 1, 5}, spatial[DOF] = {0, 1, 2, 3, 4, 5};

static dls_matrix *gradients(const scene *s)
{
  const size_t m = s->contact_count, d = s->d, each = d == 2 ? 3 : DOF, *of = d == 2 ? planar : spatial;
  dls_matrix *H = dls_matrix_sparse(each * s->body_count, d * m, 8 * d * m);
  for (size_t column = 0; column < d * m; column++) {
    const contact *c = &s->contacts[column / d];
    const int bodies[2] = {c->below, c->above};
    for (size_t k = 0; k < 2; k++) {
      double h[DOF] = {0};
      if (bodies[k] != GROUND) {
        row_of(s, bodies[k], c->at, column % d, h);
      }
      for (size_t i = 0; i < each; i++) {
        const double x = k == 0 ? -h[of[i]] : h[of[i]];
        if (x != 0 && dls_matrix_set(H, each * (size_t)bodies[k] + i, column, x) != DLS_OK) {
          abort();
        }
      }
    }
  }
  return H;
}

static void keep_bodies(const scene *s, pile *p)
{
  const size_t each = s->d == 2 ? 3 : DOF, n = each * s->body_count, rows = s->d * s->contact_count;
  p->H = gradients(s);
  p->inverse_mass = malloc(n * sizeof *p->inverse_mass);
  p->columns = malloc(rows * sizeof *p->columns);
  for (size_t i = 0; i < n; i++) {
    p->inverse_mass[i] = s->bodies[i / each].inverse[(s->d == 2 ? planar : spatial)[i % each]];
  }
  for (size_t i = 0; i < rows; i++) {
    p->columns[i] = i;
  }
}

pile pile_create(pile_kind kind, size_t d, size_t rows, size_t columns, double kick, gsl_rng *rng)
{
  scene s = build(kind, d, rows, columns, kick, rng);
  pile p = {.contacts = s.contact_count, .d = d, .W = delassus(&s)};
  p.blocks = calloc(p.contacts, sizeof *p.blocks);
  p.q = calloc(d * p.contacts, sizeof *p.q);
  for (size_t k = 0; k < p.contacts; k++) {
    p.blocks[k] = (dls_block){DLS_COULOMB, d, 0.1 + 0.9 * gsl_rng_uniform(rng)};
    for (size_t i = 0; i < d; i++) {
      p.q[d * k + i] = velocity(&s, k, i);
    }
  }
  keep_bodies(&s, &p);
  free(s.bodies);
  free(s.contacts);
  return p;
}

pile pile_of_size(pile_kind kind, size_t d, double contacts, double kick, gsl_rng *rng)
{
  const double blocks = contacts / (d == 2 ? 2 : 4) / (kind == PILE_COLUMN ? 1 : 2);
  const double side = kind == PILE_PYRAMID ? sqrt(2 * blocks) : sqrt(blocks);
  const size_t rows = (size_t)fmax(2, kind == PILE_COLUMN ? blocks : side);
  return pile_create(kind, d, rows, kind == PILE_COLUMN ? 1 : (size_t)fmax(1, side), kick, rng);
}

void pile_destroy(pile *p)
{
  dls_matrix_destroy(p->W);
  dls_matrix_destroy(p->H);
  free(p->inverse_mass);
  free(p->columns);
  free(p->blocks);
  free(p->q);
}

void pile_rescale(pile *p, double mass, double length, double time)
{
  const size_t n = p->d * p->contacts;
  for (size_t j = 0; j < n; j++) {
    p->q[j] *= length / time;
    for (size_t i = 0; i < n; i++) {
      const double w = dls_matrix_get(p->W, i, j);
      if (w != 0) {
        dls_matrix_set(p->W, i, j, w / mass);
      }
    }
  }
}

dls_problem pile_problem(const pile *p)
{
  return (dls_problem){.count = p->contacts, .blocks = p->blocks, .q = p->q, .matrix = p->W};
}

dls_problem pile_problem_of_bodies(pile *p)
{
  dls_problem problem = pile_problem(p);
  p->bodies = (dls_problem_bodies){dls_matrix_rows(p->H), p->inverse_mass, p->H, p->columns};
  problem.bodies = &p->bodies;
  return problem;
}
