/* delassus/law.h -- the law of a contact, as an entry.
 *
 * A law is a cone and a mixture of the velocities u- before and u+ after the impulse r of a contact, normal first:
 *   u^ = u+ + c u-  row by row, and with that
 *   DLS_FREE     u^ = 0                                             (joint, held contact)
 *   DLS_HALF     0 <= u^_N  _|_  r_N >= 0,  r_T = 0
 *   DLS_COULOMB  K* > (u^_N + mu |u^_T|, u^_T)  _|_  r in K = { |r_T| <= mu r_N }
 * u- is H^T v- + b just before an impact (Acary 2014, RR-8602, eq. (9); Acary, lecture, eq. (27)), and in a time step
 * U_k = H^T v_k + b(t_k) at its begin, with the H of the step (RR-8602, eq. (23)).
 * A law is one file in common/contact/laws/ and one line in law.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_LAW_H
#define DELASSUS_LAW_H

#include <delassus/model.h>
#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DLS_MOST_ROWS = 3 }; /* of a contact */

struct dls_law {
  const char *name, *summary, *source; /* key; one line; bibliography */
  const char *equations;               /* for `show`; lines end with \n */
  const dls_option *
      parameters; /* coefficients of a contact that it reads, all members of dls_system; ends with {0}; NULL: none */
  dls_block_law block;
  bool
      expands; /* Poisson: the mixture describes the compression; the expansion returns e times its normal impulse */
  bool dissipates; /* contact must do no positive work: schemes in which it may do some refuse the law */
  bool sees_speed; /* c depends on u-: for schemes with DLS_HANDLES_APPROACH_SPEED, which ask at each impulse */
  /**
   * The mixture at contact j.
   * @param[in]  theta    the impulse works on (1 - theta) u- + theta u+: 1/2 at an event
   * @param[in]  u_minus  sys->d numbers, normal first [m/s]; u_N- < 0 for a contact that approaches, but others are
   *                      asked too. Zeros before the first impulse
   * @param[out] c        sys->d numbers
   */
  void (*mixture)(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c);
};

/** The built-in laws; ends with NULL. */
extern const dls_law *const dls_law_list[];
/** The law of contact j: what the model says, else Newton's where mu = 0, else Newton-Coulomb. */
const dls_law *dls_law_of(const dls_system *sys, size_t j);
/** Does contact j have tangents, mu > 0 and a law with friction? */
bool dls_law_has_friction(const dls_system *sys, size_t j);
bool dls_laws_have_friction(const dls_system *sys); /* of some contact */
/** Does the law of contact j depend on the approach speed? */
bool dls_law_sees_speed(const dls_system *sys, size_t j);
/** -u_N+/u_N- of contact j when it approaches alone with u_N- = u_minus <= 0 and without slip. */
double dls_law_restitution(const dls_system *sys, size_t j, double u_minus);

#ifdef __cplusplus
}
#endif

#endif
