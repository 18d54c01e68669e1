/* andrews.c -- Andrews' squeezing mechanism: seven bodies in a plane, q = (beta, Theta, gamma, Phi, delta, Omega, epsilon), driven
 * by a constant torque against a spring. The mass matrix varies, the joints are trigonometric.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/momentum.h"
#include <delassus/model.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TORQUE, SPRING, COUNT };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [TORQUE] = DLS_NUMBER("torque", "N m", "of the motor on the first body", 0.033, -INFINITY, INFINITY, OPEN),
    [SPRING] = DLS_NUMBER("c0", "N/m", "stiffness of the spring", 4530, 0, INFINITY, DLS_OPEN_MAX),
    {0},
};

/* Masses [kg], moments of inertia [kg m^2], lengths [m], in the notation of the source. */
static const double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498;
static const double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7,
                    i7 = 1.912e-5;
static const double xb = -.03635, yb = .03273, xc = .014, yc = .072;
static const double da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, l0 = .07785;
static const double sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916;
static const double u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON, N };
enum { R = 6 };

static void put(dls_matrix *A, size_t i, size_t j, double x)
{
  dls_matrix_set(A, i, j, x);
  dls_matrix_set(A, j, i, x);
}

static void mass(const dls_system *sys, const double *q, dls_matrix *M)
{
  const double c = cos(q[THETA]), s = sin(q[PHI]), w = sin(q[OMEGA]), ee = e - ea, zz = zf - fa;
  (void)sys;
  put(M, BETA, BETA, m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * c + da * da) + i1 + i2);
  put(M, THETA, BETA, m2 * (da * da - da * rr * c) + i2);
  put(M, THETA, THETA, m2 * da * da + i2);
  put(M, GAMMA, GAMMA, m3 * (sa * sa + sb * sb) + i3);
  put(M, PHI, PHI, m4 * ee * ee + i4);
  put(M, DELTA, PHI, m4 * (ee * ee + zt * ee * s) + i4);
  put(M, DELTA, DELTA, m4 * (zt * zt + 2 * zt * ee * s + ee * ee) + m5 * (ta * ta + tb * tb) + i4 + i5);
  put(M, OMEGA, OMEGA, m6 * zz * zz + i6);
  put(M, EPSILON, OMEGA, m6 * (zz * zz - u * zz * w) + i6);
  put(M, EPSILON, EPSILON, m6 * (zz * zz - 2 * u * zz * w + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7);
}

/* The spring from (xc, yc) to D on body gamma: vector to D, its derivative along gamma, its length. */
static double spring(const double *q, double x[2], double dx[2])
{
  const double c = cos(q[GAMMA]), s = sin(q[GAMMA]);
  x[0] = sd * c + sc * s + xb - xc;
  x[1] = sd * s - sc * c + yb - yc;
  dx[0] = sc * c - sd * s;
  dx[1] = sd * c + sc * s;
  return hypot(x[0], x[1]);
}

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  double x[2], dx[2];
  const double length = spring(q, x, dx), pull = -p[SPRING] * (length - l0) / length;
  const double a = m2 * da * rr * sin(q[THETA]), b = m4 * zt * (e - ea) * cos(q[PHI]),
               c = m6 * u * (zf - fa) * cos(q[OMEGA]);
  (void)t;
  F[BETA] = p[TORQUE] - a * v[THETA] * (v[THETA] + 2 * v[BETA]);
  F[THETA] = a * v[BETA] * v[BETA];
  F[GAMMA] = pull * (x[0] * dx[0] + x[1] * dx[1]);
  F[PHI] = b * v[DELTA] * v[DELTA];
  F[DELTA] = -b * v[PHI] * (v[PHI] + 2 * v[DELTA]);
  F[OMEGA] = -c * v[EPSILON] * v[EPSILON];
  F[EPSILON] = c * v[OMEGA] * (v[OMEGA] + 2 * v[EPSILON]);
}

static double potential(const dls_system *sys, const double *q)
{
  const double *p = sys->data;
  double x[2], dx[2];
  const double longer = spring(q, x, dx) - l0;
  return 0.5 * p[SPRING] * longer * longer - p[TORQUE] * q[BETA];
}

static void clear(dls_matrix *A)
{
  for (size_t j = 0; j < N; j++) {
    for (size_t i = 0; i < N; i++) {
      dls_matrix_set(A, i, j, 0);
    }
  }
}

static void stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  const double *p = sys->data;
  double x[2], dx[2];
  const double length = spring(q, x, dx), along = (x[0] * dx[0] + x[1] * dx[1]) / length;
  const double a = m2 * da * rr * cos(q[THETA]), b = -m4 * zt * (e - ea) * sin(q[PHI]),
               c = -m6 * u * (zf - fa) * sin(q[OMEGA]);
  /* d(x . dx): dx . dx + x . d2x, d2x = -(x of D about B) */
  const double about = -(x[0] * (x[0] - xb + xc) + x[1] * (x[1] - yb + yc)),
               dot = dx[0] * dx[0] + dx[1] * dx[1];
  (void)t;
  clear(K);
  dls_matrix_set(K, BETA, THETA, a * v[THETA] * (v[THETA] + 2 * v[BETA]));
  dls_matrix_set(K, THETA, THETA, -a * v[BETA] * v[BETA]);
  dls_matrix_set(K, GAMMA, GAMMA,
                 p[SPRING] * (along * along * l0 / length + (length - l0) / length * (dot + about)));
  dls_matrix_set(K, PHI, PHI, -b * v[DELTA] * v[DELTA]);
  dls_matrix_set(K, DELTA, PHI, b * v[PHI] * (v[PHI] + 2 * v[DELTA]));
  dls_matrix_set(K, OMEGA, OMEGA, c * v[EPSILON] * v[EPSILON]);
  dls_matrix_set(K, EPSILON, OMEGA, -c * v[OMEGA] * (v[OMEGA] + 2 * v[EPSILON]));
}

static void damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  const double a = m2 * da * rr * sin(q[THETA]), b = m4 * zt * (e - ea) * cos(q[PHI]),
               c = m6 * u * (zf - fa) * cos(q[OMEGA]);
  (void)sys, (void)t;
  clear(C);
  dls_matrix_set(C, BETA, BETA, 2 * a * v[THETA]);
  dls_matrix_set(C, BETA, THETA, 2 * a * (v[THETA] + v[BETA]));
  dls_matrix_set(C, THETA, BETA, -2 * a * v[BETA]);
  dls_matrix_set(C, PHI, DELTA, -2 * b * v[DELTA]);
  dls_matrix_set(C, DELTA, PHI, 2 * b * (v[PHI] + v[DELTA]));
  dls_matrix_set(C, DELTA, DELTA, 2 * b * v[PHI]);
  dls_matrix_set(C, OMEGA, EPSILON, 2 * c * v[EPSILON]);
  dls_matrix_set(C, EPSILON, OMEGA, -2 * c * (v[OMEGA] + v[EPSILON]));
  dls_matrix_set(C, EPSILON, EPSILON, -2 * c * v[OMEGA]);
}

/* The equations are sums of size cos(angle + shift), each angle a sum of coordinates. */
typedef struct arm {
  double size;
  size_t first, second; /* coordinates; N: none */
  bool sine;            /* sin in the first, -cos in the second equation of a loop; else cos, sin */
} arm;
enum { ARMS = 4 };
static const arm arms[R / 2][ARMS] = {
    {{.007, BETA, N, false}, {-.028, BETA, THETA, false}, {-.035, GAMMA, N, true}, {0, BETA, N, false}},
    {{.007, BETA, N, false}, {-.028, BETA, THETA, false}, {-.02, PHI, DELTA, true}, {-.04, DELTA, N, false}},
    {{.007, BETA, N, false},
     {-.028, BETA, THETA, false},
     {-.02, OMEGA, EPSILON, false},
     {-.04, EPSILON, N, true}}};

/* x, y of an arm. */
static void reach(const arm *a, const double *q, double at[2])
{
  const double angle = q[a->first] + (a->second < N ? q[a->second] : 0), c = cos(angle), s = sin(angle);
  at[0] = a->size * (a->sine ? s : c);
  at[1] = a->size * (a->sine ? -c : s);
}

/* A body: the pivot of its chain, and the arms from the pivot to its centre. */
typedef struct body {
  double mass;
  size_t pivot; /* of `pivots` */
  arm reach[2];
} body;
enum { BODIES = 7 };

/* Rate of the arm's angle. */
static double turns(const arm *a, const double *v)
{
  return v[a->first] + (a->second < N ? v[a->second] : 0);
}

/* L about a pivot is the momentum of the coordinate that turns all bodies of its chain; about O, P x p is added. */
static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *p)
{
  const double pivots[3][2] = {{0, 0}, {xb, yb}, {-.06934, -.00227}}; /* O, B, A */
  const body bodies[BODIES] = {{m1, 0, {{ra, BETA, N, false}, {0, BETA, N, false}}},
                               {m2, 0, {{rr, BETA, N, false}, {-da, BETA, THETA, false}}},
                               {m3, 1, {{sa, GAMMA, N, true}, {sb, GAMMA, N, false}}},
                               {m4, 2, {{zt, DELTA, N, false}, {e - ea, PHI, DELTA, true}}},
                               {m5, 2, {{ta, DELTA, N, false}, {-tb, DELTA, N, true}}},
                               {m6, 2, {{u, EPSILON, N, true}, {zf - fa, OMEGA, EPSILON, false}}},
                               {m7, 2, {{ua, EPSILON, N, true}, {-ub, EPSILON, N, false}}}};
  (void)sys, (void)t;
  p[0] = p[1] = 0;
  p[2] = Mv[BETA] + Mv[GAMMA] + Mv[DELTA] + Mv[EPSILON];
  for (size_t k = 0; k < BODIES; k++) {
    const body *b = &bodies[k];
    double of_body[2] = {0, 0};
    for (size_t i = 0; i < 2; i++) {
      double at[2];
      reach(&b->reach[i], q, at);
      of_body[0] -= b->mass * turns(&b->reach[i], v) * at[1];
      of_body[1] += b->mass * turns(&b->reach[i], v) * at[0];
    }
    dls_momentum_point(2, pivots[b->pivot], of_body, p);
  }
}

static void joint(const dls_system *sys, double t, const double *q, double *phi)
{
  static const double end[R] = {-.03635, .03273, -.06934, -.00227, -.06934, -.00227}; /* B, A, A */
  (void)sys, (void)t;
  for (size_t k = 0; k < R / 2; k++) {
    phi[2 * k] = -end[2 * k];
    phi[2 * k + 1] = -end[2 * k + 1];
    for (size_t i = 0; i < ARMS; i++) {
      double at[2];
      reach(&arms[k][i], q, at);
      phi[2 * k] += at[0];
      phi[2 * k + 1] += at[1];
    }
  }
}

/* The derivative of an arm along its angle is the arm rotated by 90 degrees. */
static void joint_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  double rows[R][N] = {{0}};
  (void)sys, (void)t;
  for (size_t k = 0; k < R / 2; k++) {
    for (size_t i = 0; i < ARMS; i++) {
      const arm *a = &arms[k][i];
      double at[2];
      reach(a, q, at);
      rows[2 * k][a->first] -= at[1];
      rows[2 * k + 1][a->first] += at[0];
      if (a->second < N) {
        rows[2 * k][a->second] -= at[1];
        rows[2 * k + 1][a->second] += at[0];
      }
    }
  }
  for (size_t k = 0; k < R; k++) {
    for (size_t i = 0; i < N; i++) {
      dls_matrix_set(G, i, k, rows[k][i]);
    }
  }
}

static void joint_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)sys, (void)t;
  memset(c, 0, R * sizeof *c);
  for (size_t k = 0; k < R / 2; k++) {
    for (size_t i = 0; i < ARMS; i++) {
      const arm *a = &arms[k][i];
      const double rate = turns(a, v);
      double at[2];
      reach(a, q, at);
      c[2 * k] -= rate * rate * at[0];
      c[2 * k + 1] -= rate * rate * at[1];
    }
  }
}

static void joint_stiffness(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K)
{
  (void)sys, (void)t;
  clear(K);
  for (size_t k = 0; k < R / 2; k++) {
    for (size_t i = 0; i < ARMS; i++) {
      const arm *a = &arms[k][i];
      double at[2];
      reach(a, q, at);
      const double x = -mu[2 * k] * at[0] - mu[2 * k + 1] * at[1];
      const size_t b = a->second;
      dls_matrix_set(K, a->first, a->first, dls_matrix_get(K, a->first, a->first) + x);
      if (b < N) {
        put(K, a->first, b, dls_matrix_get(K, a->first, b) + x);
        dls_matrix_set(K, b, b, dls_matrix_get(K, b, b) + x);
      }
    }
  }
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  static const char *const names[N] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
  (void)sys;
  *out = (dls_coordinate){.unit = "rad"};
  strncpy(out->name, names[i], sizeof out->name - 1);
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void fill(dls_system *sys, const double *p)
{
  static const double q0[N] = {-0.0617138900142764496, 0,
                               0.455279819163070380,   0.222668390165885884,
                               0.487364979543842550,   -0.222668390165885884,
                               1.23054744454982119};
  memcpy(sys->data, p, COUNT * sizeof *p);
  memcpy(sys->q0, q0, sizeof q0);
  sys->r = R;
  sys->time = 0.01;
  sys->mass = mass;
  sys->force = force;
  sys->explicit_time = DLS_TIME_NONE;
  sys->stiffness = stiffness;
  sys->damping = damping;
  sys->potential = potential;
  sys->joint = joint;
  sys->joint_gradient = joint_gradient;
  sys->joint_curvature = joint_curvature;
  sys->joint_stiffness = joint_stiffness;
  sys->coordinate = coordinate;
  sys->momenta = 3;
  sys->momentum = momentum;
  mass(sys, q0, sys->M);
  joint_gradient(sys, 0, q0, sys->G);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(N, 0);
  if (sys != NULL) {
    sys->release = release;
    sys->data = malloc(COUNT * sizeof *p);
    sys->M = dls_matrix_dense(N, N);
    sys->K = dls_matrix_dense(N, N);
    sys->C = dls_matrix_dense(N, N);
    sys->G = dls_matrix_dense(N, R);
    sys->geometric = dls_matrix_dense(N, N);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->K == NULL || sys->C == NULL ||
      sys->G == NULL || sys->geometric == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  fill(sys, p);
  return DLS_OK;
}

/* The closed loops from O, and the spring. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  static const double fixed[][2] = {{0, 0}, {-.06934, -.00227}, {-.03635, .03273}, {.014, .072}};
  (void)p;
  for (size_t k = 0; k < 4; k++) {
    dls_sketch_ball(out, fixed[k][0], fixed[k][1], 0.001);
  }
  for (size_t k = 0; k < R / 2; k++) {
    double x = 0, y = 0;
    for (size_t i = 0; i < ARMS; i++) {
      double at[2];
      reach(&arms[k][i], q, at);
      dls_sketch_between(out, DLS_SHAPE_LINE, x, y, x + at[0], y + at[1]);
      x += at[0];
      y += at[1];
    }
  }
  double x[2], dx[2];
  spring(q, x, dx);
  dls_sketch_between(out, DLS_SHAPE_LINE, xb, yb, x[0] + xc, x[1] + yc);
  dls_sketch_between(out, DLS_SHAPE_SPRING, xc, yc, x[0] + xc, x[1] + yc);
}

const dls_model dls_model_andrews = {
    .name = "andrews",
    .summary = "Andrews' squeezing mechanism: seven bodies, six joint equations, a mass matrix that varies",
    .source = "W. Schiehlen (ed.) 1990, Multibody Systems Handbook; data of the Test Set for IVP Solvers",
    .equations = "M(q) q'' = F(q, q') + G mu,   q: seven angles;   phi = 0: three closed loops [m], mu [N]\n"
                 "reference of the test set, t = 0.03, about ten digits: beta = 15.81077119629904,\n"
                 "Theta = -15.75637105984298, gamma = 0.04082224013073101, Phi = -0.5347301163226948,\n"
                 "delta = 0.5244099658805304, Omega = 0.5347301163226948, epsilon = 1.048080741042263\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
