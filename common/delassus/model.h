/* delassus/model.h -- the mechanical system that every scheme sees, and the catalogue entry that makes one.
 *
 *   M(q) dv = F(t,q,v) dt + H(q) di + G(t,q) dmu,   q' = v,   u = H(q)^T v + b(t,q),   b = dg/dt at fixed q
 *   Phi(t,q) = 0, so that G^T v + dPhi/dt = 0                      (joints)
 *   g(t,q) >= 0;  where g = 0:  0 <= u+ + e u-  _|_  di >= 0        (Newton's impact law)
 *
 * H is n x m, its columns are the gradients of the gaps; G is n x r, its columns are those of the joints' equations.
 * A linear time-invariant system has constant M, K, C, H and F = F_ext(t) - K q - C v, g = H^T q + w + s(t).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODEL_H
#define DELASSUS_MODEL_H

#include <delassus/error.h>
#include <delassus/matrix.h>
#include <delassus/mesh.h>
#include <delassus/option.h>
#include <delassus/sketch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_system dls_system;
typedef struct dls_law dls_law;

enum { DLS_COORDINATE_ROOM = 32, DLS_REMARK_ROOM = 200 };

/** Whether forces, gaps, surface velocities or joints depend on t beside q and v. */
typedef enum dls_time_dependence {
  DLS_TIME_UNKNOWN, /* counts as explicit, and as incompletely described */
  DLS_TIME_NONE,
  DLS_TIME_EXPLICIT, /* the statements below are complete; without any statement it counts as unknown */
} dls_time_dependence;

/** A generalized coordinate, for people: an angle is in rad and never drawn in metres. */
typedef struct dls_coordinate {
  char name[DLS_COORDINATE_ROOM]; /* "angle" */
  const char *unit;               /* "rad", a literal; its velocity has unit "rad/s" */
} dls_coordinate;

/** Derivatives by one parameter p of a model at fixed (t, q, v). */
typedef struct dls_by_parameter {
  double t;
  const double *q, *v, *a; /* n; a: a vector that does not depend on p */
  double *F;               /* n: dF/dp, of a linear system with -K q - C v */
  double *Ma;              /* n: dM/dp a */
  double *g;               /* m: dg/dp */
} dls_by_parameter;

/**
 * One mechanical system. Read-only once made: any number of runs and threads may share it. Members that are left at zero mean what
 * their comments say. Which are needed when: docs/adding.md, "Members of a system".
 */
struct dls_system {
  /* --- Every system: sizes, initial data, scales --- */
  size_t n, m;                      /* degrees of freedom (>= 1), contacts (>= 0) */
  double *q0, *v0;                  /* initial data, n; t starts at 0 */
  double length, time;              /* scales q_s, t_s [m, s] that tolerances refer to; default 1 */
  double *block;                    /* owns the arrays of doubles of this struct */
  void *data;                       /* the model's own */
  void (*release)(dls_system *sys); /* frees data only; may be NULL */

  /* --- Matrices: the values of a linear time-invariant system; else the storage that the callbacks fill, and what stays constant --- */
  bool linear; /* time-invariant: M, K, C, H are constant and complete */
  dls_matrix
      *M; /* n x n; SPD, but for rows and columns of zeros: coordinates without mass, which few schemes treat */
  dls_matrix *K; /* n x n; NULL: zero */
  dls_matrix *C; /* n x n; NULL: zero */
  dls_matrix *H; /* n x m; NULL iff m = 0 */
  double *w;     /* linear: m; gap at q = 0 */
  /* Linear systems: external force F_ext(t) and its time derivative, n each; NULL: zero. */
  void (*load)(const dls_system *sys, double t, double *F);
  void (*load_rate)(const dls_system *sys, double t, double *dF);
  bool
      steady_load; /* the load does not depend on t: one evaluation serves a run, and it has the potential -F^T q */
  /* Linear systems with tables of loads: the mean of F_ext over [a, b], a < b; n. Used if a step contains a row of a table, so that
   * the step has the impulse of the load and not that of samples. NULL: there are no tables. */
  void (*load_mean)(const dls_system *sys, double a, double b, double *F);
  /* Linear systems whose gaps move by themselves, g = H^T q + w + s(t), as over a vibrating table: the derivative of s of order
   * 0, 1 or 2 at t, m; NULL: zero. */
  void (*gap_motion)(const dls_system *sys, double t, int order, double *s);

  /* --- Nonlinear systems: mass and forces. stiffness = -dF/dq and damping = -dF/dv write every entry of matrices shaped like K and
   * C; both are NULL only if the forces do not depend on q and v --- */
  void (*mass)(const dls_system *sys, const double *q, dls_matrix *M); /* NULL: M constant as stored */
  void (*force)(const dls_system *sys, double t, const double *q, const double *v, double *F);
  void (*stiffness)(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K);
  void (*damping)(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C);

  /* --- Nonlinear systems: the configuration of the contacts --- */
  void (*gap)(const dls_system *sys, double t, const double *q, double *g);
  void (*gap_rate)(const dls_system *sys, double t, const double *q,
                   double *b);                                             /* dg/dt at fixed q, m; NULL: 0 */
  void (*gradient)(const dls_system *sys, const double *q, dls_matrix *H); /* NULL: H constant as stored */
  /* c = u' - H^T v' = (dH^T/dt) v + db/dt along the motion, m; NULL: 0 */
  void (*curvature)(const dls_system *sys, double t, const double *q, const double *v, double *c);
  /* Second derivatives of gaps, for the tangents of contact forces: columns (d^2 g_j/dq^2) x in the storage of H, and
   * K = sum_j lambda_j d^2 g_j/dq^2 in that of gap_geometric, n x n, every entry of both. All or none. They go with a gradient that
   * varies; without them tangents are those of straight gaps. */
  void (*gap_turn)(const dls_system *sys, double t, const double *q, const double *x, dls_matrix *R);
  void (*gap_stiffness)(const dls_system *sys, double t, const double *q, const double *lambda, dls_matrix *K);
  dls_matrix *gap_geometric;

  /* --- Contact: laws, coefficients, tangents. u_T = T^T v + b_T is the slip of the contacts in m/s, d - 1 numbers each, b_T minus
   * the velocity of the surface that they slide on. The tangents of a contact are orthonormal in metric units --- */
  const dls_law **law; /* m; NULL: Newton's where mu = 0, else Newton-Coulomb */
  double *e;           /* m; restitution coefficients, in [0, 1] */
  double *e_t;         /* m; tangential restitution, in [0, 1], for the laws that have one */
  size_t d;            /* rows of a contact: 1 without tangents, 2 in the plane, 3 in space */
  double *mu;          /* m; coefficients of friction, >= 0 */
  double *mu_s;        /* m; static coefficients, >= mu; 0: the same as mu */
  double *v_s;   /* m; Stribeck's velocities [m/s]; 0: the coefficient does not depend on the slip speed */
  dls_matrix *T; /* n x (d - 1) m: t1 (and t2) of contact 0, then of contact 1, ...; NULL iff d = 1 or m = 0 */
  /* NULL: T constant as stored; 0; 0. The last two write b_T and u_T' - T^T v', (d - 1) m each. */
  void (*tangents)(const dls_system *sys, double t, const double *q, dls_matrix *T);
  void (*surface)(const dls_system *sys, double t, const double *q, double *b_t);
  void (*slip_curvature)(const dls_system *sys, double t, const double *q, const double *v, double *c);

  /* --- Joints, of nonlinear systems: r equations Phi = 0, each in units of its own. Redundant ones are allowed. The forces on the
   * system are G mu --- */
  size_t r;
  dls_matrix *G; /* n x r; storage, and the values where it is constant; NULL iff r = 0 */
  dls_matrix
      *geometric; /* n x n; storage of what joint_stiffness writes; NULL: all equations are linear in q */
  void (*joint)(const dls_system *sys, double t, const double *q, double *phi); /* r; NULL iff r = 0 */
  void (*joint_rate)(const dls_system *sys, double t, const double *q,
                     double *phi_t); /* r; dPhi/dt at fixed q; NULL: 0 */
  void (*joint_gradient)(const dls_system *sys, double t, const double *q,
                         dls_matrix *G); /* NULL: G constant as stored */
  /* r: c = G^T' v + d(dPhi/dt)/dt, so that G^T v' + c = 0 along the motion; NULL: 0 */
  void (*joint_curvature)(const dls_system *sys, double t, const double *q, const double *v, double *c);
  /* Every entry of K = sum_i mu_i d^2 Phi_i / dq^2 in the storage of `geometric`; NULL iff that is NULL. */
  void (*joint_stiffness)(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K);
  /* Phi does not depend on t and is of second degree in q at most: c and K do not depend on q. false: not stated */
  bool joints_quadratic;

  /* --- Energy and momenta --- */
  /* Nonlinear systems: V(q) [J] of that part -dV/dq of the forces that has a potential; NULL: not known. */
  double (*potential)(const dls_system *sys, const double *q);
  /* A discrete derivative V*(a, b) of the system's own, in place of the one that schemes make of V and V':
   * (b - a) . V*(a, b) = V(b) - V(a), V*(a, b) = V*(b, a), V*(a, a) = V'(a). It may keep momenta, too. And dV*(a, b)/db, every entry
   * of a matrix shaped like K. Both or none; they need a potential, and may be given for nonlinear systems. */
  void (*discrete_gradient)(const dls_system *sys, const double *a, const double *b, double *gradient);
  void (*discrete_stiffness)(const dls_system *sys, const double *a, const double *b, dls_matrix *K);
  /* Momenta p of all bodies. 1: of motion on a line [N s]. 2: along x and y, of bodies that cannot rotate. 3: in a plane, along x
   * and y and about the origin [N m s]. 6: in space, along x, y, z and about them. 0: not known. Mv = M(q) v. Both or none. */
  size_t momenta;
  void (*momentum)(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                   double *p);

  /* --- Explicit time. An integrator evaluates a load only at its steps: a pulse inside of a long step is missed unless the system
   * states where to evaluate it. The statements add up; dls_system_explicit_time and the functions after it read them --- */
  dls_time_dependence explicit_time;
  size_t
      time_terms; /* expressions of t alone that loads, supports (s, s', s'') and surface velocities consist of */
  /* Bounds of each term over [a, b], a <= b: low[i] <= term i <= high[i], time_terms each; a = b: the value. They shrink with the
   * interval. NULL: none are known. */
  void (*time_enclosure)(const dls_system *sys, double a, double b, double *low, double *high);
  double load_period; /* shortest period of the harmonic terms that are not among time_terms [s]; 0: none */
  double
      shortest_feature; /* the model's own statement: nothing changes within less than this [s]; 0: not stated */
  /* Instants at which loads or surfaces jump: the first after t; INFINITY: no more. Values at that time are those after it.
   * NULL: there are none. */
  double (*next_switch)(const dls_system *sys, double t);
  /* The same of a load, a support, a surface velocity or a derivative of one of them, beside those of next_switch. */
  double (*next_break)(const dls_system *sys, double t);

  /* --- Names and warnings --- */
  char remark[DLS_REMARK_ROOM]; /* note to the user, kept in the metadata; "": none */
  void (*coordinate)(const dls_system *sys, size_t i,
                     dls_coordinate *out); /* name and unit; NULL: positions in m */
  void (*contact_name)(const dls_system *sys, size_t alpha, char *text,
                       size_t size); /* NULL: "contact <alpha>" */
  /* "contact c: a and b" for messages; NULL: the name of the contact and "the bodies". */
  void (*contact_bodies)(const dls_system *sys, size_t alpha, char *text, size_t size);
  /* Name of equation i for messages, "rod 2"; NULL: "joint equation <i>". */
  void (*joint_name)(const dls_system *sys, size_t i, char *text, size_t size);
  double smallest_body; /* m; 0: not stated, the length scale takes its place */
  /* Distance of the point of contact alpha from what its face spans at (t, q) [m]; 0: it is inside, or the contact is with a plane
   * or a sphere. NULL: there are no faces. */
  double (*outside_face)(const dls_system *sys, double t, const double *q, size_t alpha);

  /* --- Parameters of derivatives --- */
  /* Add the derivatives by the parameter of this name to arrays of zeros. @return false, at every state: the model does not state them;
   * then, and if the member is NULL, differences of neighbouring systems are used. A parameter that changes anything but F, M, g, q0, v0,
   * scales and coefficients of contacts (gradients, velocities of supports and surfaces, joints, times of jumps) must return false. */
  bool (*by_parameter)(const dls_system *sys, const char *name, dls_by_parameter *out);
  /* Vectors of the model's own data whose entries may be parameters: "f", the constant force, and "vT", the velocities of surfaces.
   * @return NULL: there is no such vector */
  double *(*vector)(const dls_system *sys, const char *name, size_t *count);
  double rayleigh_mass,
      rayleigh_stiffness; /* C contains these multiples of M and K, and follows their entries */
};

/** A system with its arrays zeroed, scales 1, no matrices; NULL if out of memory or n = 0. */
dls_system *dls_system_create(size_t n, size_t m);
/** Frees arrays, matrices and, by release, data. NULL is fine. */
void dls_system_destroy(dls_system *sys);
/**
 * Give a system the values of `from`, another one of its model: matrices M, K, C, vectors, scales, data. `from` is to be
 * destroyed then. Allocates nothing.
 * @return false, and both are as before, if more than that differs: not linear, other sizes, callbacks or statements of time, another
 *         storage or pattern of a matrix, another H or T, other laws, friction in other contacts
 */
bool dls_system_take_values(dls_system *sys, dls_system *from);
/** Check that what the model filled in is complete and finite (sizes, e in [0,1], M present, callbacks). */
dls_status dls_system_check(const dls_system *sys, dls_error *err);

/* The same calls for linear and nonlinear systems. H and M below are sys->H and sys->M, or clones of them that
 * the caller owns and that the calls refresh; for constant matrices the refresh does nothing. */
void dls_system_force(const dls_system *sys, double t, const double *q, const double *v, double *F);
void dls_system_load(const dls_system *sys, double t, double *F); /* linear only: F_ext(t) or zeros */
void dls_system_gap(const dls_system *sys, double t, const double *q, double *g);
void dls_system_gap_rate(const dls_system *sys, double t, const double *q,
                         double *b); /* zeros where gaps rest */
void dls_system_mass(const dls_system *sys, const double *q, dls_matrix *M);
void dls_system_gradient(const dls_system *sys, const double *q, dls_matrix *H);
void dls_system_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c);
bool dls_system_gap_moves(const dls_system *sys); /* b is not always 0 */
bool dls_system_bends(const dls_system *sys);     /* c is not always 0 */
/* (d - 1) m numbers each, 0 where the system says nothing. */
void dls_system_surface(const dls_system *sys, double t, const double *q, double *b_t);
void dls_system_slip_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c);
void dls_system_tangents(const dls_system *sys, double t, const double *q, dls_matrix *T);
bool dls_system_tangents_vary(const dls_system *sys);
double dls_system_next_switch(const dls_system *sys, double t); /* INFINITY: none */
double dls_system_next_break(const dls_system *sys,
                             double t); /* of next_switch and next_break; INFINITY: none */
/** F[n] := the mean load over a step from a to b that contains a row of a table: inside, or a jump at b. @return false: no such row */
bool dls_system_load_mean(const dls_system *sys, double a, double b, double *F);
/**
 * The longest step that resolves the loads, supports and surface velocities that depend on t in [begin, end], as far as the system
 * states it: half the period of harmonic terms, the stated feature, the distance of two rows or jumps, the finest piece that resolves
 * terms with bounds to 1 % of their range.
 * @param[out] length  [s]; 0: nothing is stated @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_system_shortest_feature(const dls_system *sys, double begin, double end, double *length,
                                       dls_error *err);
/** The declared dependence. Without a declaration: NONE if the system is linear and has neither a varying load nor moving gaps,
 * surfaces or instants of jumps, else UNKNOWN. */
dls_time_dependence dls_system_explicit_time(const dls_system *sys);
/** Declare that the system contains amplitude cos(omega t + phase), of load_period 2 pi / |omega|; with amplitude = 0 or
 * omega = 0 nothing is added. A system without a declaration becomes NONE or EXPLICIT. */
void dls_system_declare_harmonic(dls_system *sys, double amplitude, double omega);
/** Loads, gaps or surfaces depend on t in ways that the system does not state completely: the dependence is unknown, or
 * explicit without any statement. */
bool dls_system_time_is_opaque(const dls_system *sys);
bool dls_system_has_friction(const dls_system *sys);        /* some mu > 0 */
bool dls_system_has_static_friction(const dls_system *sys); /* some mu_s > mu, by status: v_s = 0 */
bool dls_system_has_stribeck(const dls_system *sys);        /* some v_s > 0 */
/** mu + (mu_s - mu) exp(-(speed/v_s)^2), Stribeck's curve; mu where v_s = 0. */
double dls_system_friction(const dls_system *sys, size_t j, double speed);
/* Joints, r numbers each: 0 where the system says nothing. G and K: sys->G and sys->geometric, or clones of them. */
void dls_system_joint(const dls_system *sys, double t, const double *q, double *phi);
void dls_system_joint_rate(const dls_system *sys, double t, const double *q, double *phi_t);
void dls_system_joint_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G);
void dls_system_joint_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c);
bool dls_system_joint_gradient_varies(const dls_system *sys);
void dls_joint_name(const dls_system *sys, size_t i, char *text, size_t size);
/** Coordinates without mass: those of a constant M whose diagonal entry is 0. @param[out] massless  n, or NULL @return how many */
size_t dls_system_massless(const dls_system *sys, bool *massless);
bool dls_system_mass_varies(const dls_system *sys);
bool dls_system_gradient_varies(const dls_system *sys);
void dls_contact_name(const dls_system *sys, size_t alpha, char *text, size_t size);
void dls_contact_bodies(const dls_system *sys, size_t alpha, char *text, size_t size);
void dls_system_coordinate(const dls_system *sys, size_t i, dls_coordinate *out);
/** Whether there is an energy T + V: linear systems (V = 1/2 q^T K q - F^T q, F a steady load), and those with a potential. */
bool dls_system_has_energy(const dls_system *sys);
bool dls_system_has_steady_load(const dls_system *sys); /* linear, with a load that does not depend on t */

/**
 * A number that distinguishes systems: sizes, scales, initial data, forces and gaps there, e, and every stored entry of
 * M, K, C and H go into it. Equal systems in equal storage have equal digests; callbacks are seen at t = 0 only.
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_system_digest(const dls_system *sys, uint64_t *digest, dls_error *err);

typedef struct dls_model dls_model;

/** A file that a model reads; a table ends with {0}. Names differ from those of the parameters. */
typedef struct dls_file_slot {
  const char *name, *help; /* what is in the file, with its unit */
  bool required;
} dls_file_slot;

/**
 * A model: parameters in, system out. One that reads files is a template: dls_model_load makes of it a model that
 * can be created, with parameters alone.
 */
struct dls_model {
  const char *name, *summary, *source; /* key; one line; where it comes from */
  const char *equations;               /* in words and formulas, for `show`; lines end with \n */
  const dls_option *parameters;        /* ends with {0}; NULL: none */
  /** @param[in] p  one value per parameter, in range; @return DLS_ERR_ARG names what does not go together */
  dls_status (*create)(const dls_model *self, const double *p, dls_system **out, dls_error *err);

  /** Draw the system with parameters p at q; NULL: it cannot be drawn. */
  void (*sketch)(const double *p, const double *q, dls_sketch *out);

  /** The mesh of a system that create has made, to be destroyed, and the values of its cells, cells x values, at (t, q); NULL:
   * the model is no mesh; its cells have no values. */
  dls_status (*mesh)(const dls_system *sys, dls_mesh *out, dls_error *err);
  void (*mesh_values)(const dls_system *sys, double t, const double *q, double *values);

  /* Templates only; both NULL otherwise. */
  const dls_file_slot *files;
  /** Read paths[i] for files[i], NULL where none is given. Allocates a model whose files and load are NULL. */
  dls_status (*load)(const dls_model *self, const char *const *paths, dls_model **out, dls_error *err);

  /* What load has made; all NULL in the catalogue. */
  void *data;                        /* the model's own, for create */
  void (*release)(dls_model *model); /* frees data only; may be NULL */
  char *origin;                      /* "M=mass.mtx K=stiff.mtx", by dls_model_load */
};

/**
 * Create and check: the way to make a system from a model. p may be NULL for the defaults.
 * @return DLS_OK; DLS_ERR_OPTION if a parameter is out of range; DLS_ERR_ARG if they do not go together, or if
 *         the model is a template; DLS_ERR_MEMORY
 */
dls_status dls_model_create(const dls_model *model, const double *p, dls_system **out, dls_error *err);

/**
 * The model that a template makes of files; name, summary, ... are the template's. Systems created from it do not
 * need it any more. *out is NULL on failure.
 * @param[in] paths  one per entry of model->files, NULL for a file that is not given
 * @return DLS_OK; DLS_ERR_ARG if a required file is not given (the message lists all of them), the model reads no
 *         files, or the contents do not go together; DLS_ERR_PARSE for a malformed file, DLS_ERR_IO for one that
 *         cannot be read; DLS_ERR_MEMORY
 */
dls_status dls_model_load(const dls_model *model, const char *const *paths, dls_model **out, dls_error *err);
/** For what dls_model_load made; NULL is fine. */
void dls_model_release(dls_model *model);

#ifdef __cplusplus
}
#endif

#endif
