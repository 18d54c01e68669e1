/* beam.c -- a beam of two-node elements: forces, mass, contacts, joints and pictures.
 *
 *   M q'' = load - sum of elements f(x) - damping M q' + H lambda + G mu
 *
 * Mass: with m_ij between nodes for unit density, consistent L/6 [2 1; 1 2] for an element, M has rhoA m_ij for x and y and
 * rhoI m_ij for rotations. Redistributed mass (redistribute.h): contact nodes are massless. If all nodes may touch, only
 * the two ends are. Joints: directors have length 1, so phi = (d . d - 1)/2 = 0 for each node with a free director. Mesh:
 * lines between the nodes. An unloaded clamped or pinned beam lies along x, a free one at its initial position.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/beam.h"
#include "common/linear/storage.h"
#include "common/models/elements/redistribute.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* sys->data */
typedef struct dls_beam_data {
  dls_beam beam;
  double L;     /* of an element [m] */
  size_t node;  /* coordinates of a node */
  size_t *at;   /* elements x 2 node: incidence */
  double *load; /* n: gravity and the loads at the tip */
} dls_beam_data;

static inline const dls_beam_data *dls_beam_data_of(const dls_system *sys)
{
  return sys->data;
}

/* Number of joints: nodes with a director of unit length. */
static size_t beam_joint_count(const dls_beam *beam)
{
  return beam->kind != DLS_BEAM_DIRECTORS ? 0 : beam->elements + (beam->root == DLS_BEAM_CLAMPED ? 0 : 1);
}

/* Node of joint k. */
static size_t node_of(const dls_beam *beam, size_t k)
{
  return k + (beam->root == DLS_BEAM_CLAMPED ? 1 : 0);
}

/* Index in q of the director of joint k. */
static size_t director(const dls_system *sys, size_t k)
{
  const dls_beam *beam = dls_beam_of(sys);
  return dls_beam_unknown(beam, node_of(beam, k), 2);
}

static void joint(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)t;
  for (size_t k = 0; k < sys->r; k++) {
    const double *d = q + director(sys, k), length = hypot(d[0], d[1]);
    phi[k] = 0.5 * (length - 1) * (length + 1);
  }
}

static void joint_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)t;
  for (size_t k = 0; k < sys->r; k++) {
    const size_t at = director(sys, k);
    dls_matrix_set(G, at, k, q[at]);
    dls_matrix_set(G, at + 1, k, q[at + 1]);
  }
}

/* d' . d' */
static void joint_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)t, (void)q;
  for (size_t k = 0; k < sys->r; k++) {
    const double *rate = v + director(sys, k);
    c[k] = rate[0] * rate[0] + rate[1] * rate[1];
  }
}

static void joint_stiffness(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K)
{
  (void)t, (void)q;
  dls_matrix_clear(K);
  for (size_t k = 0; k < sys->r; k++) {
    const size_t at = director(sys, k);
    dls_matrix_set(K, at, at, mu[k]);
    dls_matrix_set(K, at + 1, at + 1, mu[k]);
  }
}

static void joint_name(const dls_system *sys, size_t i, char *text, size_t size)
{
  snprintf(text, size, "director of node %zu", node_of(dls_beam_of(sys), i));
}

/* Set up G, geometric and the callbacks, after r is set. @return false if out of memory */
static bool beam_joints_create(dls_system *sys)
{
  if (sys->r == 0) {
    return true;
  }
  sys->G = dls_matrix_sparse(sys->n, sys->r, 2 * sys->r);
  sys->geometric = dls_matrix_diagonal(sys->n);
  if (sys->G == NULL || sys->geometric == NULL) {
    return false;
  }
  for (size_t k = 0; k < sys->r; k++) { /* all entries */
    dls_matrix_set(sys->G, director(sys, k), k, 1);
    dls_matrix_set(sys->G, director(sys, k) + 1, k, 0);
  }
  sys->joint = joint;
  sys->joint_gradient = joint_gradient;
  sys->joint_curvature = joint_curvature;
  sys->joint_stiffness = joint_stiffness;
  sys->joints_quadratic = true;
  sys->joint_name = joint_name;
  return true;
}

/* m_ij, redistributed. */
static dls_status between_nodes(const char *name, dls_system *sys, dls_matrix *m, double *X, bool *massless,
                                dls_error *err)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const size_t last = d->beam.elements;
  const double block[] = {d->L / 3, d->L / 6, d->L / 6, d->L / 3};
  for (size_t e = 0; e < last; e++) {
    X[e + 1] = d->L * (double)(e + 1);
    dls_assembly_add(m, 2, (const size_t[]){e, e + 1}, block);
  }
  massless[last] = true;
  massless[0] = d->beam.touch == DLS_BEAM_NODES_AT_WALL;
  return dls_redistribute_mass(name, 1, X, massless, m, sys->remark, err);
}

/* M and the weights, which follow from m. */
static void spread(void *data, size_t i, size_t j, double m)
{
  dls_system *sys = data;
  const dls_beam_data *d = dls_beam_data_of(sys);
  for (size_t k = 0; k < d->node; k++) {
    const size_t row = dls_beam_unknown(&d->beam, i, k), column = dls_beam_unknown(&d->beam, j, k);
    const double density = k < 2 ? d->beam.section.rhoA : d->beam.section.rhoI;
    if (row != DLS_GIVEN && column != DLS_GIVEN) {
      dls_matrix_set(sys->M, row, column, density * m);
    }
    if (k == 1 && row != DLS_GIVEN) {
      d->load[row] -= density * d->beam.gravity * m;
    }
  }
}

static dls_status fill_redistributed(const char *name, dls_system *sys, dls_error *err)
{
  const size_t nodes = dls_beam_of(sys)->elements + 1;
  dls_matrix *m = dls_matrix_band(nodes, 1, 1);
  double *X = calloc(nodes, sizeof *X);
  bool *massless = calloc(nodes, sizeof *massless);
  dls_status status = DLS_ERR_MEMORY;
  if (m != NULL && X != NULL && massless != NULL) {
    status = between_nodes(name, sys, m, X, massless, err);
    dls_matrix_visit(m, spread, sys);
  } else {
    dls_fail(err, status, "model %s: no memory for n = %zu elements", name, nodes - 1);
  }
  dls_matrix_destroy(m);
  free(X);
  free(massless);
  return status;
}

/* Fill M, zero on entry, and the gravity in the loads. @return DLS_OK; as dls_redistribute_mass */
static dls_status beam_fill_mass(const char *name, dls_system *sys, dls_error *err)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const size_t each = 2 * d->node;
  const double half = d->beam.section.rhoA * d->beam.gravity * d->L / 2;
  double block[DLS_BEAM_MOST * DLS_BEAM_MOST];
  if (d->beam.mass == DLS_MASS_REDISTRIBUTED) {
    return fill_redistributed(name, sys, err);
  }
  dls_beam_mass(d->beam.kind, &d->beam.section, d->L, block);
  if (d->beam.mass == DLS_MASS_LUMPED) {
    dls_assembly_lump(each, block);
  }
  for (size_t e = 0; e < d->beam.elements; e++) {
    double f[DLS_BEAM_MOST] = {0};
    f[1] = f[d->node + 1] = -half;
    dls_assembly_add(sys->M, each, d->at + e * each, block);
    dls_assembly_add_vector(each, d->at + e * each, f, d->load);
  }
  return DLS_OK;
}

/* Rows of M v of a root held at the origin; a clamped one with an angle turns with the drive. */
static void add_root(const dls_system *sys, double t, const double *v, double *p)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const bool lumped = d->beam.mass == DLS_MASS_LUMPED;
  const double own = lumped ? d->L / 2 : d->L / 3, other = lumped ? 0 : d->L / 6; /* m_00, m_01 */
  const double rhoA = d->beam.section.rhoA, rhoI = d->beam.section.rhoI;
  const double *next = v + dls_beam_unknown(&d->beam, 1, 0), rate = dls_beam_turn(&d->beam.drive, t, 1);
  p[0] += rhoA * other * next[0];
  p[1] += rhoA * other * next[1];
  if (d->beam.root == DLS_BEAM_CLAMPED && d->beam.kind == DLS_BEAM_ANGLE) {
    p[2] += rhoI * (own * rate + other * next[2]) + rhoI * other * rate;
  } else if (d->beam.root == DLS_BEAM_CLAMPED) {
    p[2] += rhoI * other * next[3]; /* d = (1, 0) at the root */
  }
}

static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *p)
{
  const dls_beam *beam = dls_beam_of(sys);
  p[0] = p[1] = p[2] = 0;
  for (size_t node = 0; node <= beam->elements; node++) {
    const size_t x = dls_beam_unknown(beam, node, 0), turns = dls_beam_unknown(beam, node, 2);
    if (x != DLS_GIVEN) {
      dls_momentum_point(2, q + x, Mv + x, p);
    }
    if (turns != DLS_GIVEN && beam->kind == DLS_BEAM_DIRECTORS) {
      dls_momentum_turn(2, q + turns, Mv + turns, p + 2);
    } else if (turns != DLS_GIVEN) {
      p[2] += Mv[turns];
    }
  }
  if (beam->root != DLS_BEAM_FREE) {
    add_root(sys, t, v, p);
  }
}

/* The momenta, if the mass of the root is known: not for a held root with redistributed mass. */
static void beam_set_momentum(dls_system *sys)
{
  const dls_beam *beam = dls_beam_of(sys);
  if (beam->root == DLS_BEAM_FREE || beam->mass != DLS_MASS_REDISTRIBUTED) {
    sys->momenta = 3;
    sys->momentum = momentum;
  }
}

static const double pi = 3.14159265358979323846;

const char *const dls_beam_kinds[] = {[DLS_BEAM_ANGLE] = "angle", [DLS_BEAM_DIRECTORS] = "directors", NULL};

double dls_beam_turn(const dls_beam_drive *drive, double t, int order)
{
  const double rate = drive->rate, rise = drive->rise, w = rise > 0 ? 2 * pi / rise : 0;
  if (t >= rise) {
    return order == 0 ? rate * (t - rise / 2) : order == 1 ? rate : 0;
  }
  return order == 0   ? rate / rise * (t * t / 2 + (cos(w * t) - 1) / (w * w))
         : order == 1 ? rate / rise * (t - sin(w * t) / w)
                      : rate / rise * (1 - cos(w * t));
}

/* Number of given coordinates of the root, which are its first ones. */
static size_t given_of(const dls_beam *beam)
{
  return beam->root == DLS_BEAM_FREE ? 0 : beam->root == DLS_BEAM_PINNED ? 2 : dls_beam_node_size(beam->kind);
}

size_t dls_beam_unknown(const dls_beam *beam, size_t node, size_t k)
{
  const size_t given = given_of(beam);
  return node == 0 && k < given ? DLS_GIVEN : node * dls_beam_node_size(beam->kind) + k - given;
}

const dls_beam *dls_beam_of(const dls_system *sys)
{
  return &dls_beam_data_of(sys)->beam;
}

/* Given coordinate k of the root. */
static double root_value(const dls_beam *beam, double t, size_t k)
{
  const double angle = dls_beam_turn(&beam->drive, t, 0);
  return k < 2 ? 0 : beam->kind == DLS_BEAM_ANGLE ? angle : k == 2 ? cos(angle) : sin(angle);
}

/* Coordinates of element e at (t, q). @return its unknowns */
static const size_t *beam_gather(const dls_system *sys, double t, const double *q, size_t e, double *x)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const size_t *at = d->at + e * 2 * d->node;
  for (size_t k = 0; k < 2 * d->node; k++) {
    x[k] = at[k] == DLS_GIVEN ? root_value(&d->beam, t, k) : q[at[k]];
  }
  return at;
}

void dls_beam_position(const dls_system *sys, const double *q, size_t node, double r[2])
{
  for (size_t k = 0; k < 2; k++) {
    const size_t at = dls_beam_unknown(dls_beam_of(sys), node, k);
    r[k] = at == DLS_GIVEN ? 0 : q[at];
  }
}

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const size_t each = 2 * d->node;
  memcpy(F, d->load, sys->n * sizeof *F);
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x[DLS_BEAM_MOST], f[DLS_BEAM_MOST];
    const size_t *at = beam_gather(sys, t, q, e, x);
    dls_beam_force(d->beam.kind, &d->beam.section, d->L, x, f);
    for (size_t k = 0; k < each; k++) {
      f[k] = -f[k];
    }
    dls_assembly_add_vector(each, at, f, F);
  }
  if (d->beam.drive.rate != 0 && d->beam.mass == DLS_MASS_CONSISTENT) { /* - M_root psi'' */
    F[dls_beam_unknown(&d->beam, 1, 2)] -=
        d->beam.section.rhoI * d->L / 6 * dls_beam_turn(&d->beam.drive, t, 2);
  }
  if (d->beam.damping > 0) {
    dls_matrix_multiply(sys->M, -d->beam.damping, v, F);
  }
}

static void stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  (void)v;
  dls_matrix_clear(K);
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x[DLS_BEAM_MOST], block[DLS_BEAM_MOST * DLS_BEAM_MOST];
    const size_t *at = beam_gather(sys, t, q, e, x);
    dls_beam_stiffness(d->beam.kind, &d->beam.section, d->L, x, block);
    dls_assembly_add(K, 2 * d->node, at, block);
  }
}

static void damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  (void)t, (void)q, (void)v;
  dls_assembly_scale(C, dls_beam_of(sys)->damping, sys->M);
}

static double potential(const dls_system *sys, const double *q)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  double V = 0;
  for (size_t i = 0; i < sys->n; i++) {
    V -= d->load[i] * q[i];
  }
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x[DLS_BEAM_MOST];
    beam_gather(sys, 0, q, e, x);
    V += dls_beam_energy(d->beam.kind, &d->beam.section, d->L, x);
  }
  return V;
}

static void discrete_gradient(const dls_system *sys, const double *a, const double *b, double *gradient)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  for (size_t i = 0; i < sys->n; i++) {
    gradient[i] = -d->load[i];
  }
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x_a[DLS_BEAM_MOST], x_b[DLS_BEAM_MOST], f[DLS_BEAM_MOST];
    beam_gather(sys, 0, a, e, x_a);
    const size_t *at = beam_gather(sys, 0, b, e, x_b);
    dls_beam_conserving_force(d->beam.kind, &d->beam.section, d->L, x_a, x_b, f);
    dls_assembly_add_vector(2 * d->node, at, f, gradient);
  }
}

static void discrete_stiffness(const dls_system *sys, const double *a, const double *b, dls_matrix *K)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  dls_matrix_clear(K);
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x_a[DLS_BEAM_MOST], x_b[DLS_BEAM_MOST], block[DLS_BEAM_MOST * DLS_BEAM_MOST];
    beam_gather(sys, 0, a, e, x_a);
    const size_t *at = beam_gather(sys, 0, b, e, x_b);
    dls_beam_conserving_stiffness(d->beam.kind, &d->beam.section, d->L, x_a, x_b, block);
    dls_assembly_add(K, 2 * d->node, at, block);
  }
}

/* The node of contact j. */
static size_t touching(const dls_system *sys, size_t j)
{
  const dls_beam *beam = dls_beam_of(sys);
  return beam->touch == DLS_BEAM_TIP_AT_WALL ? beam->elements : j;
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  for (size_t j = 0; j < sys->m; j++) {
    double r[2];
    dls_beam_position(sys, q, touching(sys, j), r);
    g[j] = r[0] - dls_beam_of(sys)->wall;
  }
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  snprintf(text, size, "contact %zu (wall and node %zu)", alpha, touching(sys, alpha));
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  static const char *const names[2][DLS_BEAM_NODE_MOST] = {{"x", "y", "angle", ""}, {"x", "y", "dx", "dy"}};
  const dls_beam *beam = dls_beam_of(sys);
  const size_t node = dls_beam_node_size(beam->kind), all = i + given_of(beam), k = all % node;
  *out = (dls_coordinate){.unit = k < 2 ? "m" : beam->kind == DLS_BEAM_ANGLE ? "rad" : "1"};
  snprintf(out->name, sizeof out->name, "%s%zu", names[beam->kind][k], all / node);
}

static void release(dls_system *sys)
{
  dls_beam_data *d = sys->data;
  if (d != NULL) {
    free(d->at);
    free(d->load);
    free(d);
  }
}

/* @return NULL if out of memory */
static dls_beam_data *data_of(const dls_beam *beam, size_t n)
{
  dls_beam_data *d = calloc(1, sizeof *d);
  if (d == NULL) {
    return NULL;
  }
  d->beam = *beam;
  d->L = beam->length / (double)beam->elements;
  d->node = dls_beam_node_size(beam->kind);
  d->at = malloc(beam->elements * 2 * d->node * sizeof *d->at);
  d->load = calloc(n, sizeof *d->load);
  for (size_t i = 0; d->at != NULL && i < beam->elements * 2 * d->node; i++) {
    const size_t e = i / (2 * d->node), k = i % (2 * d->node);
    d->at[i] = dls_beam_unknown(beam, e + k / d->node, k % d->node);
  }
  return d;
}

/* Loads at the tip. */
static void add_tip_load(dls_system *sys)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  for (size_t k = 0; k < 3 && k < d->node; k++) {
    d->load[dls_beam_unknown(&d->beam, d->beam.elements, k)] += d->beam.tip[k];
  }
}

static double end_of_rise(const dls_system *sys, double t)
{
  const double rise = dls_beam_of(sys)->drive.rise;
  return t < rise ? rise : INFINITY;
}

/* psi'' has the period `rise` during spin-up; the period of cos(psi) is never shorter than that of the final rate. */
static void declare_time(dls_system *sys, const dls_beam_drive *drive)
{
  dls_system_declare_harmonic(sys, 1, drive->rate);
  if (drive->rate != 0 && drive->rise > 0) {
    dls_system_declare_harmonic(sys, 1, 2 * pi / drive->rise);
    sys->next_break = end_of_rise;
  }
}

static void set_calls(dls_system *sys)
{
  const dls_beam *beam = dls_beam_of(sys);
  const bool driven = beam->drive.rate != 0;
  sys->force = force;
  declare_time(sys, &beam->drive);
  sys->stiffness = stiffness;
  sys->damping = beam->damping > 0 ? damping : NULL;
  sys->potential = driven ? NULL : potential; /* the drive does work */
  sys->discrete_gradient = driven ? NULL : discrete_gradient;
  sys->discrete_stiffness = driven ? NULL : discrete_stiffness;
  sys->gap = sys->m > 0 ? gap : NULL;
  sys->contact_name = contact_name;
  sys->coordinate = coordinate;
  beam_set_momentum(sys);
}

/* @return false if out of memory */
static bool allocate(dls_system *sys, const dls_beam *beam)
{
  dls_beam_data *d = sys->data = data_of(beam, sys->n);
  sys->release = release;
  if (d == NULL || d->at == NULL || d->load == NULL) {
    return false;
  }
  const dls_incidence incidence = {sys->n, beam->elements, 2 * d->node, d->at};
  const bool lumped = beam->mass == DLS_MASS_LUMPED;
  sys->r = beam_joint_count(beam);
  sys->M = lumped ? dls_matrix_diagonal(sys->n) : dls_assembly_matrix(&incidence);
  sys->K = dls_assembly_matrix(&incidence);
  sys->H = sys->m > 0 ? dls_matrix_sparse(sys->n, sys->m, sys->m) : NULL;
  sys->C = beam->damping > 0 ? dls_matrix_clone(sys->M) : NULL;
  return sys->M != NULL && sys->K != NULL && (sys->m == 0 || sys->H != NULL) &&
         (beam->damping == 0 || sys->C != NULL) && beam_joints_create(sys);
}

dls_status dls_beam_create(const char *name, const dls_beam *beam, dls_system **out, dls_error *err)
{
  const size_t m = beam->touch == DLS_BEAM_NO_WALL       ? 0
                   : beam->touch == DLS_BEAM_TIP_AT_WALL ? 1
                                                         : beam->elements + 1;
  const size_t n = (beam->elements + 1) * dls_beam_node_size(beam->kind) - given_of(beam);
  dls_system *sys = *out = dls_system_create(n, m);
  if (sys == NULL || !allocate(sys, beam)) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for n = %zu elements", name, beam->elements);
  }
  const dls_status status = beam_fill_mass(name, sys, err);
  if (status != DLS_OK) {
    return status;
  }
  add_tip_load(sys);
  for (size_t j = 0; j < m; j++) {
    dls_matrix_set(sys->H, dls_beam_unknown(beam, touching(sys, j), 0), j, 1);
    sys->e[j] = beam->restitution;
  }
  set_calls(sys);
  dls_beam_lay(sys, (const double[]){0, 0}, 0, (const double[]){0, 0}, 0);
  return DLS_OK;
}

void dls_beam_lay(dls_system *sys, const double root[2], double angle, const double velocity[2], double rate)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const double c = cos(angle), s = sin(angle);
  const bool directors = d->beam.kind == DLS_BEAM_DIRECTORS;
  for (size_t node = 0; node <= d->beam.elements; node++) {
    const double along = d->L * (double)node;
    const double q[] = {root[0] + along * c, root[1] + along * s, directors ? c : angle, s};
    const double v[] = {velocity[0] - rate * along * s, velocity[1] + rate * along * c,
                        directors ? -rate * s : rate, rate * c};
    for (size_t k = 0; k < d->node; k++) {
      const size_t at = dls_beam_unknown(&d->beam, node, k);
      if (at != DLS_GIVEN) {
        sys->q0[at] = q[k];
        sys->v0[at] = v[k];
      }
    }
  }
}

/* The wall segment within reach of the beam: down to its length below the pin of a pinned beam, its length up and down
 * from the start of a free one. */
static void sketch_wall(const dls_system *sys, dls_sketch *out)
{
  const dls_beam *beam = dls_beam_of(sys);
  const double l = beam->length, x = beam->wall;
  if (beam->touch == DLS_BEAM_TIP_AT_WALL) {
    const double y = -sqrt(fmax(l * l - x * x, 0));
    dls_sketch_between(out, DLS_SHAPE_WALL, x, y + 0.1 * l, x, y - 0.15 * l);
  } else if (beam->touch == DLS_BEAM_NODES_AT_WALL) {
    double first[2], last[2];
    dls_beam_position(sys, sys->q0, 0, first);
    dls_beam_position(sys, sys->q0, beam->elements, last);
    const double y = 0.5 * (first[1] + last[1]);
    dls_sketch_between(out, DLS_SHAPE_WALL, x, y + 0.7 * l, x, y - 0.7 * l);
  }
}

void dls_beam_sketch(const double *p, const double *q, dls_sketch *out)
{
  enum { MOST_PIECES = 60 }; /* more nodes are too close to be distinguished */
  const dls_system *sys = out->system;
  const dls_beam *beam = dls_beam_of(sys);
  const size_t n = beam->elements, pieces = n < MOST_PIECES ? n : MOST_PIECES;
  const double l = beam->length;
  (void)p;
  sketch_wall(sys, out);
  if (beam->root != DLS_BEAM_FREE) {
    dls_sketch_ball(out, 0, 0, 0.015 * l);
  }
  for (size_t i = 0; i < pieces; i++) {
    double a[2], b[2];
    dls_beam_position(sys, q, i * n / pieces, a);
    dls_beam_position(sys, q, (i + 1) * n / pieces, b);
    dls_sketch_between(out, DLS_SHAPE_LINE, a[0], a[1], b[0], b[1]);
  }
  for (size_t j = 0; j < sys->m && j < DLS_SKETCH_TOUCHES; j++) {
    double r[2];
    dls_beam_position(sys, q, touching(sys, j), r);
    dls_sketch_touch(out, r[0], r[1], 1, 0);
  }
}

/* Mesh and resultants for pictures. */
static const char *const forces[] = {"axial force [N]", "shear force [N]", "bending moment [N m]"};
enum { VALUES = sizeof forces / sizeof forces[0] };

dls_status dls_beam_mesh(const dls_system *sys, dls_mesh *out, dls_error *err)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const dls_beam *beam = &d->beam;
  const dls_status status = dls_mesh_create(beam->elements + 1, beam->elements, 2, out, err);
  if (status != DLS_OK) {
    return status;
  }
  out->values = VALUES;
  out->names = forces;
  for (size_t i = 0; i <= beam->elements; i++) {
    for (size_t k = 0; k < 2; k++) {
      const size_t at = dls_beam_unknown(beam, i, k);
      out->unknown[2 * i + k] = at == DLS_GIVEN ? DLS_MESH_GIVEN : at;
      out->rest[2 * i + k] = beam->root == DLS_BEAM_FREE ? sys->q0[at] : k == 0 ? d->L * (double)i : 0;
    }
  }
  for (size_t e = 0; e < 2 * out->cells; e++) {
    out->cell[e] = e / 2 + e % 2;
  }
  return DLS_OK;
}

void dls_beam_mesh_values(const dls_system *sys, double t, const double *q, double *values)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x[DLS_BEAM_MOST];
    beam_gather(sys, t, q, e, x);
    dls_beam_stresses(d->beam.kind, &d->beam.section, d->L, x, values + VALUES * e);
  }
}
