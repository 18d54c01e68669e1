/* delassus/measures.h -- energies and momenta of a state (t, q, v) of a system, and the names of works along a run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MEASURES_H
#define DELASSUS_MEASURES_H

#include <delassus/model.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DLS_MOMENTA_MOST = 6, DLS_MEASURES_MOST = 3 + DLS_MOMENTA_MOST + 2 };

/**
 * The measures of a system, in this order.
 *   energy, potential   if the potential is known; energy is their sum with
 *   kinetic             1/2 v^T M(q) v
 *   px ...              if the momenta are known: px; in a plane px, py and L about the origin; in space px, py, pz, Lx, Ly, Lz
 *   work_normal, work_friction   of runs, not of states: work of contact since the start; with contacts, and with tangents
 * @return how many
 */
size_t dls_measures_of(const dls_system *sys, const char *names[DLS_MEASURES_MOST]);
/** The i-th momentum of a system with `momenta` of them. */
const char *dls_momentum_name(size_t momenta, size_t i);
/** These names as a list, for messages. */
void dls_measures_print(const dls_system *sys, char *text, size_t size);

typedef struct dls_measures dls_measures; /* room for evaluations */

/** @param[in] sys  borrowed, for evaluations @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_measures_create(const dls_system *sys, dls_measures **out, dls_error *err);
void dls_measures_destroy(dls_measures *measures); /* NULL is fine */
/** Those of a state, in the order of the list. @return how many: all but the works */
size_t dls_measures_at(dls_measures *measures, double t, const double *q, const double *v,
                       double values[DLS_MEASURES_MOST]);
/** x^T M(q) y */
double dls_measures_product(dls_measures *measures, const double *q, const double *x, const double *y);
/** 1/2 v^T M(q) v [J] */
double dls_measures_kinetic(dls_measures *measures, const double *q, const double *v);
/** The momenta alone: sys->momenta numbers. */
void dls_measures_momenta(dls_measures *measures, double t, const double *q, const double *v, double *p);

#ifdef __cplusplus
}
#endif

#endif
