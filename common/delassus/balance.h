/* delassus/balance.h -- the discrete energy identity that a scheme obeys on linear time-invariant systems:
 *
 *   H_k+1 - H_k = external + damping + impact + sum of the numerical terms
 *
 * with an algorithmic energy H near E = 1/2 v^T M v + 1/2 q^T K q. It holds for any impulse P; the contact law
 * only gives the sign of the impact work 1/2 (U_k + U_k+1)^T P. A steady load F has the potential -F^T q, which is part of E
 * and H; the work of any other load is external. `impact` of an identity is the work of all contact impulses on the bodies, with
 * friction and what moving surfaces do; the ledger splits it (energy.h).
 * Source: Acary 2014 (RR-8602), sections 5, 6 and appendix A, with the misprints listed in docs/notes/energy.md.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_BALANCE_H
#define DELASSUS_BALANCE_H

#include <delassus/sim.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DLS_BALANCE_MOST_TERMS = 7 };

typedef struct dls_balance_term {
  const char *name, *formula; /* small letters and underscores; one line */
  bool joined; /* has a meaning of its own only together with the term before it: drawn as their sum */
} dls_balance_term;

/** Works of one step [J]; what is dissipated is negative. */
typedef struct dls_balance_step {
  double external, damping, impact;
  double joints; /* work of joints that are driven, -mu^T dPhi/dt: drive, no part of external */
  double term[DLS_BALANCE_MOST_TERMS];
} dls_balance_step;

/** The identity of a scheme. `own` below is its memory: vectors * n doubles that were zero before start. */
typedef struct dls_balance dls_balance;
struct dls_balance {
  const char *energy, *external, *damping; /* formulas of H and of the works, a line each */
  const char *impact;                      /* the same of the impulses; NULL: 1/2 (U_k + U_k+1)^T P */
  const char *symbols;                     /* what letters in the formulas mean, a line; NULL: nothing to say */
  const char *source;
  const dls_balance_term *terms; /* numerical terms; ends with {0} */
  const char *
      of_impulses; /* name of the term that makes `impact` the work of the impulses at theta; NULL: there is none */
  size_t vectors;
  bool
      nonlinear; /* the identity holds for nonlinear systems with a potential too; external is then without dV */
  bool
      at_node; /* an impulse works on the velocity of the node that it belongs to, which is between those before and after */
  bool yields; /* contacts that yield: their forces are no impulses of a law, which could create energy */
  /** The identity with the options of the sim, where another than this one; NULL: this one for all options. */
  const dls_balance *(*of_options)(const dls_sim *sim);
  /** Before the start: does the identity hold for this system with these options? NULL: it does. */
  bool (*holds)(const dls_sim *sim);
  /** Keep what the identity needs of the state at t = 0; the scheme has started. */
  void (*start)(const dls_sim *sim, double *own);
  /**
   * Evaluate the step of length h that was just made, and keep what the next one needs.
   * @param[in] q, v  n; the state before the step; the sim holds that behind it
   */
  void (*step)(const dls_sim *sim, double h, const double *q, const double *v, double *own,
               dls_balance_step *out);
  /** theta of the velocity (1 - theta) v + theta v' that impulses work on; NULL: 1/2, or 1 at a node. */
  double (*works_at)(const dls_sim *sim);
  /** Forces instead of impulses: what the support of contact j does in the step, if it moves, in `impact`; NULL: impulses. */
  double (*drive)(const dls_sim *sim, size_t j, const double *own);
  /** Where contacts yield: the work of the normal force of contact j along its gap in the step, stored or not; NULL: of impulses. */
  double (*push)(const dls_sim *sim, size_t j, const double *own);
  /** Energy that contacts which yield store at the sim's state [J], for ledgers of systems that the identity does not hold for;
   * NULL: none. */
  double (*stored)(const dls_sim *sim);
  /** n; the velocity of the momenta that the scheme works with, where it reports another, before the start too; else NULL. NULL:
   * they are the same. */
  const double *(*velocity)(const dls_sim *sim);
  /** H of the sim's state, after start or step. */
  double (*algorithmic)(const dls_sim *sim, double h, double *own);
};

/** The identity of the sim's scheme with its options; NULL: none is known. */
const dls_balance *dls_balance_of(const dls_sim *sim);

/** theta of the velocity (1 - theta) v + theta v' that the impulses of the sim's scheme work on. */
double dls_balance_works_at(const dls_sim *sim);
/** V(q) [J]: 1/2 q^T K q - F^T q of a linear system, F a steady load; the model's own of another, 0 where it is not known.
 * work: n, scratch */
double dls_balance_potential(const dls_system *sys, const double *q, double *work);
/** -F^T q of a linear system with the steady load F, else 0; work: n, scratch. */
double dls_balance_load_potential(const dls_system *sys, const double *q, double *work);
/** F^T dx, the external work of a load; 0 of a steady one, whose work is in V. */
double dls_balance_load_work(const dls_system *sys, const double *F, const double *dx);
/** V(sim->q) - V(q) of a linear system, whose identity counts it with the external work; 0 of a nonlinear one, whose ledger does. */
double dls_balance_potential_gain(const dls_sim *sim, const double *q, double *work);
/** 1/2 v^T M v [J] of a constant M; work[n]. */
double dls_balance_kinetic(const dls_system *sys, const double *v, double *work);
/** x^T A y, 0 for A = NULL; x, y, work[n], work is overwritten. */
double dls_balance_product(const dls_matrix *A, size_t n, const double *x, const double *y, double *work);
double dls_balance_dot(size_t n, const double *x, const double *y);
/** 1/2 v^T M v + V(q) of the sim's state; work[n]. */
double dls_balance_mechanical(const dls_sim *sim, double *work);
/** v^T H P of all contacts, normals and tangents; v[n]. */
double dls_balance_impulses(const dls_sim *sim, const double *v);
/** 1/2 (v + v')^T H P: of the velocities of bodies, so that friction and what supports that move do are part of it; v[n] before the
 * step. */
double dls_balance_impact(const dls_sim *sim, const double *v);

#ifdef __cplusplus
}
#endif

#endif
