/* solid_contact.c -- nodes at planes, and nodes of slaves at the boundary of a master: the distance from a polygon, negative inside.
 *
 * Where the closest point is inside the segment from x_1 to x_2 of length l, tau = (x_2 - x_1)/l, nu = (tau_y, -tau_x), outward,
 * xi = (x_S - x_1) . tau/l, N = (1 - xi, xi), with T = (tau, -N_1 tau, -N_2 tau) and D = (0, nu, -nu) over (S, 1, 2),
 *   g = nu . (x_S - x_1),   dg = (nu, -N_1 nu, -N_2 nu),   d^2 g = (T D^T + D T^T - (g/l) D D^T)/l             (1)
 * Where it is a node of the polygon, with nu from there to the slave times the sign of g, and tau perpendicular to it,
 *   g = nu . (x_S - x_1),   dg = (nu, -nu),   d^2 g = T T^T/g,   T = (tau, -tau)                               (2)
 * Both gradients have no moment about any point, so contact forces conserve angular momentum.
 * Source: Armero & Petocz 1996, eqs. (2.36) and appendix I.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/linear/pattern.h"
#include "common/linear/storage.h"
#include "common/models/elements/solid_data.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLAVE, FIRST, SECOND, PARTS };

/* A slave and its closest point. */
typedef struct touch {
  size_t count; /* nodes: 3, a segment; 2, a node */
  size_t node[PARTS];
  double share[PARTS]; /* 1, -N_1, -N_2 */
  double normal[2], tangent[2];
  double gap, length;
  bool corner; /* 1/gap in (2) */
} touch;

static double dot(const double a[2], const double b[2])
{
  return a[0] * b[0] + a[1] * b[1];
}

/* The closest point on the segment of ring nodes i and i + 1. @return the square of the distance; *xi in [0, 1] */
static double square_to(const dls_solid *solid, const double *q, const double s[2], size_t i, double *xi)
{
  double a[2], b[2];
  dls_solid_position(solid, q, solid->ring[i], a);
  dls_solid_position(solid, q, solid->ring[(i + 1) % solid->ring_count], b);
  const double along[2] = {b[0] - a[0], b[1] - a[1]}, from[2] = {s[0] - a[0], s[1] - a[1]};
  *xi = fmin(fmax(dot(from, along) / dot(along, along), 0), 1);
  const double away[2] = {from[0] - *xi * along[0], from[1] - *xi * along[1]};
  return dot(away, away);
}

/* (1) */
static void on_segment(const dls_solid *solid, const double *q, const double s[2], size_t i, double xi,
                       touch *out)
{
  double a[2], b[2];
  const size_t first = solid->ring[i], second = solid->ring[(i + 1) % solid->ring_count];
  dls_solid_position(solid, q, first, a);
  dls_solid_position(solid, q, second, b);
  const double l = hypot(b[0] - a[0], b[1] - a[1]), tau[2] = {(b[0] - a[0]) / l, (b[1] - a[1]) / l};
  const double from[2] = {s[0] - a[0], s[1] - a[1]}, nu[2] = {tau[1], -tau[0]};
  *out = (touch){.count = 3,
                 .node = {[FIRST] = first, [SECOND] = second},
                 .share = {1, xi - 1, -xi},
                 .normal = {nu[0], nu[1]},
                 .tangent = {tau[0], tau[1]},
                 .gap = dot(nu, from),
                 .length = l};
}

/* (2) for ring node i. At the node itself nu is the mean of its segments. */
static void on_node(const dls_solid *solid, const double *q, const double s[2], size_t i, touch *out)
{
  double before[2], at[2], after[2];
  const size_t n = solid->ring_count;
  dls_solid_position(solid, q, solid->ring[(i + n - 1) % n], before);
  dls_solid_position(solid, q, solid->ring[i], at);
  dls_solid_position(solid, q, solid->ring[(i + 1) % n], after);
  const double l1 = hypot(at[0] - before[0], at[1] - before[1]), l2 = hypot(after[0] - at[0], after[1] - at[1]);
  const double out_of[2] = {(at[1] - before[1]) / l1 + (after[1] - at[1]) / l2,
                            (before[0] - at[0]) / l1 + (at[0] - after[0]) / l2};
  const double from[2] = {s[0] - at[0], s[1] - at[1]}, distance = hypot(from[0], from[1]);
  const double gap = dot(out_of, from) < 0 ? -distance : distance;
  const bool apart = distance > 1e-12 * (l1 + l2);
  const double size = apart ? gap : hypot(out_of[0], out_of[1]);
  const double *direction = apart ? from : out_of, nu[2] = {direction[0] / size, direction[1] / size};
  *out = (touch){.count = 2,
                 .node = {[FIRST] = solid->ring[i]},
                 .share = {1, -1},
                 .normal = {nu[0], nu[1]},
                 .tangent = {-nu[1], nu[0]},
                 .gap = gap,
                 .corner = apart};
}

/* Slave k at q. */
static touch find(const dls_solid *solid, const double *q, size_t k)
{
  touch out;
  double s[2], best = HUGE_VAL, where = 0;
  size_t at = 0;
  dls_solid_position(solid, q, solid->slave[k], s);
  for (size_t i = 0; i < solid->ring_count; i++) {
    double xi;
    const double square = square_to(solid, q, s, i, &xi);
    if (square < best) {
      best = square, at = i, where = xi;
    }
  }
  if (where > 0 && where < 1) {
    on_segment(solid, q, s, at, where, &out);
  } else {
    on_node(solid, q, s, (at + (where > 0)) % solid->ring_count, &out);
  }
  out.node[SLAVE] = solid->slave[k];
  return out;
}

size_t dls_solid_touching(const dls_solid *solid, const double *q, size_t j, double direction[2])
{
  const bool plane = j < solid->plane_count;
  const touch at = plane ? (touch){.node = {solid->planes[j].node}} : find(solid, q, j - solid->plane_count);
  const double *normal = plane ? solid->planes[j].normal : at.normal;
  direction[0] = normal[0];
  direction[1] = normal[1];
  return at.node[SLAVE];
}

static double plane_gap(const dls_solid *solid, const double *q, const dls_solid_plane *plane)
{
  double x[2];
  dls_solid_position(solid, q, plane->node, x);
  return dot(plane->normal, x) - plane->at;
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  const dls_solid *solid = &dls_solid_data_of(sys)->solid;
  (void)t;
  for (size_t j = 0; j < solid->plane_count; j++) {
    g[j] = plane_gap(solid, q, &solid->planes[j]);
  }
  for (size_t k = 0; k < solid->slave_count; k++) {
    g[solid->plane_count + k] = find(solid, q, k).gap;
  }
}

/* Add x, over the coordinates of a contact, to a column. */
static void add_column(const dls_solid *solid, const touch *of, double x[PARTS][2], size_t column,
                       dls_matrix *H)
{
  for (size_t p = 0; p < of->count; p++) {
    for (size_t k = 0; k < 2; k++) {
      const size_t row = solid->unknown[2 * of->node[p] + k];
      if (row != DLS_GIVEN) {
        *dls_matrix_place(H, row, column) += x[p][k];
      }
    }
  }
}

static void clear_slaves(const dls_solid *solid, dls_matrix *H)
{
  for (size_t k = 0; k < solid->slave_count; k++) {
    const dls_column column = dls_matrix_column(H, solid->plane_count + k);
    for (size_t e = 0; e < column.count; e++) {
      *dls_matrix_place(H, dls_column_row(&column, e), solid->plane_count + k) = 0;
    }
  }
}

static void gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  const dls_solid *solid = &dls_solid_data_of(sys)->solid;
  clear_slaves(solid, H); /* planes keep their gradients */
  for (size_t k = 0; k < solid->slave_count; k++) {
    const touch at = find(solid, q, k);
    double x[PARTS][2];
    for (size_t p = 0; p < at.count; p++) {
      x[p][0] = at.share[p] * at.normal[0];
      x[p][1] = at.share[p] * at.normal[1];
    }
    add_column(solid, &at, x, solid->plane_count + k, H);
  }
}

/* T and D of (1), D = 0 for (2). */
static void turns(const touch *of, double T[PARTS][2], double D[PARTS][2])
{
  static const double along[PARTS] = {0, 1, -1};
  for (size_t p = 0; p < of->count; p++) {
    for (size_t k = 0; k < 2; k++) {
      T[p][k] = of->share[p] * of->tangent[k];
      D[p][k] = of->count == 3 ? along[p] * of->normal[k] : 0;
    }
  }
}

/* Coefficients of T D^T + D T^T and D D^T in (1), 1/l and -g/l^2, and of T T^T in (2), 1/g. */
typedef struct bend {
  double both, second, first;
} bend;
static bend bend_of(const touch *of)
{
  if (of->count == 3) {
    return (bend){1 / of->length, -of->gap / (of->length * of->length), 0};
  }
  return (bend){0, 0, of->corner ? 1 / of->gap : 0};
}

/* x[p] := (d^2 g) dq by (1) or (2), with t = T . dq and d = D . dq. @return dq . d^2 g dq */
static double turned(const dls_solid *solid, const touch *of, const double *dq, double x[PARTS][2])
{
  double T[PARTS][2], D[PARTS][2], t = 0, d = 0;
  const bend b = bend_of(of);
  turns(of, T, D);
  for (size_t p = 0; p < of->count; p++) {
    for (size_t k = 0; k < 2; k++) {
      const size_t at = solid->unknown[2 * of->node[p] + k];
      const double step = at == DLS_GIVEN ? 0 : dq[at];
      t += T[p][k] * step;
      d += D[p][k] * step;
    }
  }
  for (size_t p = 0; p < of->count; p++) {
    for (size_t k = 0; k < 2; k++) {
      x[p][k] = b.both * (T[p][k] * d + D[p][k] * t) + b.second * D[p][k] * d + b.first * T[p][k] * t;
    }
  }
  return 2 * b.both * t * d + b.second * d * d + b.first * t * t;
}

static void gap_turn(const dls_system *sys, double t, const double *q, const double *x, dls_matrix *R)
{
  const dls_solid *solid = &dls_solid_data_of(sys)->solid;
  (void)t;
  dls_matrix_clear(R);
  for (size_t k = 0; k < solid->slave_count; k++) {
    const touch at = find(solid, q, k);
    double column[PARTS][2];
    turned(solid, &at, x, column);
    add_column(solid, &at, column, solid->plane_count + k, R);
  }
}

static void curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  const dls_solid *solid = &dls_solid_data_of(sys)->solid;
  (void)t;
  for (size_t j = 0; j < solid->plane_count; j++) {
    c[j] = 0;
  }
  for (size_t k = 0; k < solid->slave_count; k++) {
    const touch at = find(solid, q, k);
    double column[PARTS][2];
    c[solid->plane_count + k] = turned(solid, &at, v, column);
  }
}

static void gap_stiffness(const dls_system *sys, double t, const double *q, const double *lambda, dls_matrix *K)
{
  const dls_solid *solid = &dls_solid_data_of(sys)->solid;
  (void)t;
  dls_matrix_clear(K);
  for (size_t k = 0; k < solid->slave_count; k++) {
    const double force = lambda[solid->plane_count + k];
    if (force == 0) {
      continue;
    }
    const touch at = find(solid, q, k);
    double T[PARTS][2], D[PARTS][2], block[4 * PARTS * PARTS];
    size_t unknown[2 * PARTS];
    const bend b = bend_of(&at);
    turns(&at, T, D);
    const size_t size = 2 * at.count;
    for (size_t i = 0; i < size * size; i++) {
      const double *T0 = T[i / size / 2], *D0 = D[i / size / 2], *T1 = T[i % size / 2], *D1 = D[i % size / 2];
      const size_t r = i / size % 2, c = i % size % 2;
      block[i] = force * (b.both * (T0[r] * D1[c] + D0[r] * T1[c]) + b.second * D0[r] * D1[c] +
                          b.first * T0[r] * T1[c]);
    }
    for (size_t i = 0; i < size; i++) {
      unknown[i] = solid->unknown[2 * at.node[i / 2] + i % 2];
    }
    dls_assembly_add(K, size, unknown, block);
  }
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  const dls_solid *solid = &dls_solid_data_of(sys)->solid;
  if (alpha < solid->plane_count) {
    snprintf(text, size, "contact %zu (wall and node %zu)", alpha, solid->planes[alpha].node);
  } else {
    snprintf(text, size, "contact %zu (node %zu and the other body)", alpha,
             solid->slave[alpha - solid->plane_count]);
  }
}

static void add_entry(dls_entry *entries, size_t *count, size_t row, size_t column)
{
  if (row != DLS_GIVEN && column != DLS_GIVEN) {
    entries[(*count)++] = (dls_entry){row, column};
  }
}

/* H with entries for a plane's normal, and for any contact of a slave. @return NULL if out of memory */
static dls_matrix *gradient_storage(const dls_system *sys)
{
  const dls_solid *solid = &dls_solid_data_of(sys)->solid;
  dls_entry *entries = malloc(dls_size_product(
      dls_size_sum(2 * solid->plane_count + 1, dls_size_product(2 * solid->slave_count, 1 + solid->ring_count)),
      sizeof *entries));
  size_t count = 0;
  for (size_t j = 0; entries != NULL && j < 2 * solid->plane_count; j++) {
    const dls_solid_plane *plane = &solid->planes[j / 2];
    if (plane->normal[j % 2] != 0) {
      add_entry(entries, &count, solid->unknown[2 * plane->node + j % 2], j / 2);
    }
  }
  for (size_t k = 0; entries != NULL && k < solid->slave_count; k++) {
    for (size_t i = 0; i <= 2 * solid->ring_count + 1; i++) {
      const size_t node = i < 2 ? solid->slave[k] : solid->ring[i / 2 - 1];
      add_entry(entries, &count, solid->unknown[2 * node + i % 2], solid->plane_count + k);
    }
  }
  dls_matrix *H = entries == NULL ? NULL : dls_matrix_of_entries(sys->n, sys->m, count, entries);
  free(entries);
  return H;
}

static void fill_planes(const dls_solid *solid, dls_matrix *H)
{
  for (size_t j = 0; j < 2 * solid->plane_count; j++) {
    const dls_solid_plane *plane = &solid->planes[j / 2];
    const size_t row = solid->unknown[2 * plane->node + j % 2];
    if (plane->normal[j % 2] != 0 && row != DLS_GIVEN) {
      *dls_matrix_place(H, row, j / 2) += plane->normal[j % 2];
    }
  }
}

/* Entries of second derivatives: slaves with themselves and with the ring, the ring with itself. */
static dls_matrix *curvature_storage(const dls_system *sys)
{
  const dls_solid *solid = &dls_solid_data_of(sys)->solid;
  const size_t all = solid->slave_count + solid->ring_count;
  dls_entry *entries = malloc(dls_size_product(dls_size_product(all, all), 4 * sizeof *entries));
  size_t count = 0;
  for (size_t i = 0; entries != NULL && i < 4 * all * all; i++) {
    const size_t a = i / 2 / all / 2, b = i / 2 % all; /* nodes, each with two coordinates */
    const size_t ka = i / 2 / all % 2, kb = i % 2;
    const size_t row = a < solid->slave_count ? solid->slave[a] : solid->ring[a - solid->slave_count];
    const size_t column = b < solid->slave_count ? solid->slave[b] : solid->ring[b - solid->slave_count];
    if (a == b || a >= solid->slave_count || b >= solid->slave_count) {
      add_entry(entries, &count, solid->unknown[2 * row + ka], solid->unknown[2 * column + kb]);
    }
  }
  dls_matrix *K = entries == NULL ? NULL : dls_matrix_of_entries(sys->n, sys->n, count, entries);
  free(entries);
  return K;
}

bool dls_solid_contacts_create(dls_system *sys)
{
  const dls_solid *solid = &dls_solid_data_of(sys)->solid;
  if (sys->m == 0) {
    return true;
  }
  sys->H = gradient_storage(sys);
  if (sys->H == NULL) {
    return false;
  }
  fill_planes(solid, sys->H);
  sys->gap = gap;
  sys->contact_name = contact_name;
  if (solid->slave_count == 0) {
    return true;
  }
  sys->gradient = gradient;
  sys->curvature = curvature;
  sys->gap_turn = gap_turn;
  sys->gap_stiffness = gap_stiffness;
  sys->gap_geometric = curvature_storage(sys);
  return sys->gap_geometric != NULL;
}
