/* delassus/configuration.h -- what depends on the configuration: M, H and dg/dt at a (t, q) that the caller names.
 *
 *   u = H^T v + b(t, q),   u' = H^T v' + c(t, q, v)
 *
 * Rows of u: d for each contact, its normal velocity first, then d - 1 tangential ones; row j d is the normal of contact
 * j. In a normal row b is dg/dt at fixed q, in a tangential one minus the velocity of the surface. Nothing here allocates
 * after creation.
 *
 * In a smooth interval the jumps of surfaces are left out: b continues smoothly from its beginning. Where |r_N| is
 * bounded, a jump of the surface gives no impulse, |P_T| <= mu P_N = 0: v stays, and u_T jumps at the end of the interval.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CONFIGURATION_H
#define DELASSUS_CONFIGURATION_H

#include <delassus/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_configuration {
  const dls_system *sys; /* borrowed */
  size_t d, rows;        /* of a contact; of all, d m */
  bool mass_varies, gradient_varies;
  bool moves, bends; /* b, c are not always 0 */
  double t;          /* q is borrowed as long as gaps, b or c are asked for */
  const double *q;   /* n */
  dls_matrix *M, *H; /* n x n; n x rows, NULL without contacts. The system's where they are constant */
  bool smooth;       /* in a smooth interval; then: */
  bool jumped;       /* surfaces have jumped in it up to t */
  double since;      /* s: its beginning */
  size_t renewals;   /* rises whenever M, H or the joints may change: what is made of them holds until then */
  double *b;         /* rows */
  double *x;         /* rows: scratch */
  double *jump;      /* 2 rows: scratch; of b */
  dls_matrix *normals,
      *slides; /* d > 1: n x m, n x (d - 1) m, what H is made of; the system's where constant */
} dls_configuration;

/** At t = 0 and the system's q0. @return false if out of memory; destroy it in any case */
bool dls_configuration_create(const dls_system *sys, dls_configuration *config);
void dls_configuration_destroy(dls_configuration *config);
/**
 * That of another system with the M and H of `from`, which do not vary. Rows are its own: free `b` alone.
 * @return `more` numbers of the caller, in the memory of `b`; NULL if out of memory
 */
double *dls_configuration_share(const dls_configuration *from, const dls_system *sys, size_t more,
                                dls_configuration *config);

/** Evaluate M, H and b at (t, q). */
void dls_configuration_at(dls_configuration *config, double t, const double *q);
/** The same in two parts, H and b, and M: some schemes take them at different q. */
void dls_configuration_contacts(dls_configuration *config, double t, const double *q);
void dls_configuration_mass(dls_configuration *config, const double *q);
/** b at another time, with M and H unchanged. */
void dls_configuration_time(dls_configuration *config, double t);
/** A smooth interval begins at t. */
void dls_configuration_begin_interval(dls_configuration *config, double t);
/** It ends; b with the jumps in it. @return whether there were any */
bool dls_configuration_end_interval(dls_configuration *config);
/** The first time in (t, end] at which the velocity of a surface jumps, with surfaces at q; INFINITY: none. */
double dls_configuration_next_jump(dls_configuration *config, double t, double end, const double *q);
/** Does neither M, H nor b depend on (t, q)? */
bool dls_configuration_constant(const dls_configuration *config);

void dls_configuration_gap(const dls_configuration *config, double *g); /* m */
/** u := H^T v + b; u[rows]. */
void dls_configuration_velocity(const dls_configuration *config, const double *v, double *u);
/** The normal parts of that; u[m]. */
void dls_configuration_normals(const dls_configuration *config, const double *v, double *u);
/** The same and the gaps; g[m], u[m]. */
void dls_configuration_node(const dls_configuration *config, const double *v, double *g, double *u);
/** u' := H^T a + c for c of dls_configuration_curvature; u'[rows]. */
void dls_configuration_acceleration(const dls_configuration *config, const double *a, const double *c,
                                    double *u_dot);
/** One row of u. */
static inline double dls_configuration_row(const dls_configuration *config, size_t row, const double *v)
{
  const double u = dls_matrix_column_dot(config->H, row, v);
  return config->moves ? u + config->b[row] : u;
}
/** c[rows] for v[n]. */
void dls_configuration_curvature(dls_configuration *config, const double *v, double *c);

#ifdef __cplusplus
}
#endif

#endif
