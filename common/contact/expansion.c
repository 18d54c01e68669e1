/* expansion.c -- Poisson's impact law: the expansion after the compression.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/expansion.h"
#include "common/contact/friction/friction_force.h"
#include <math.h>
#include <string.h>

static const double rest = 1e-9; /* [q_s/t_s]: approaches up to this are none */
static const double rounding =
    1e-9; /* of p_CN and of the approach: what is left of them in the tests of a trial */
enum { MOST_TRIALS = 100, TOGETHER = 50 }; /* of these: all contacts that are wrong change at once */

bool dls_expansion_happens(const dls_system *sys)
{
  for (size_t j = 0; j < sys->m; j++) {
    if (dls_law_of(sys, j)->expands && sys->e[j] > 0) {
      return true;
    }
  }
  return false;
}

/* stage->given[k] := e p_CN of contact k, which it gives back; 0 for others. @return whether there is any */
static bool returns(dls_contact_system *contacts, const dls_contacts *set, const double *u_minus,
                    const double *r)
{
  const dls_system *sys = contacts->config->sys;
  const double still = rest * sys->length / sys->time;
  bool any = false;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const bool expands = dls_law_of(sys, j)->expands && u_minus[sys->d * k] < -still;
    contacts->given[k] = expands ? sys->e[j] * r[sys->d * k] : 0;
    any = any || contacts->given[k] > 0;
  }
  return any;
}

/* stage->dense := W of all rows of the set, column by column, the normal rows of contacts that give what they have to those
 * of W_NN (r_N - given). stage->x := q with the same, of u = W r + u_C. */
static void assemble(dls_contact_system *contacts, const dls_contacts *set, const double *u_c)
{
  const size_t d = contacts->config->d, rows = d * set->count;
  for (size_t col = 0; col < rows; col++) {
    for (size_t row = 0; row < rows; row++) {
      const bool gives = row % d == 0 && contacts->gives[row / d];
      const size_t i = d * set->index[row / d] + row % d, k = d * set->index[col / d] + col % d;
      contacts->dense[row + rows * col] = gives && row != col ? 0 : dls_delassus_entry(contacts->W, i, k);
    }
  }
  for (size_t row = 0; row < rows; row++) {
    const bool gives = row % d == 0 && contacts->gives[row / d];
    contacts->x[row] = gives ? -contacts->dense[row + rows * row] * contacts->given[row / d] : u_c[row];
  }
}

/* Contacts without friction have tangents that nothing acts along, mu = 0, if there are any. */
static void lay_out(dls_contact_system *contacts, const dls_contacts *set)
{
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const double mu = dls_law_has_friction(contacts->config->sys, j) ? contacts->mu[j] : 0;
    contacts->blocks[k] =
        (dls_block){contacts->config->d > 1 ? DLS_COULOMB : DLS_HALF, contacts->config->d, mu};
  }
}

/* Contacts whose impulse is too small for their approach u, or less than e p_C, change sides: all of them, or only the first,
 * which cannot cycle (Murty 1988). @return whether another trial is needed */
static bool reconsider(dls_contact_system *contacts, const dls_contacts *set, const double *u_c,
                       const double *p, double fastest, bool all)
{
  const size_t d = contacts->config->d;
  bool again = false;
  for (size_t k = 0; k < set->count && (all || !again); k++) {
    double u = u_c[d * k];
    for (size_t col = 0; col < d * set->count; col++) {
      const size_t other = d * set->index[col / d] + col % d;
      u += dls_delassus_entry(contacts->W, d * set->index[k], other) * p[col]; /* u_c + W p */
    }
    const bool little = contacts->gives[k] && u < -rounding * fastest;
    const bool less = !contacts->gives[k] && p[d * k] < contacts->given[k] * (1 - rounding);
    contacts->gives[k] = little ? false : less ? true : contacts->gives[k];
    again = again || little || less;
  }
  return again;
}

/* u_C[d count] := u_free + W p_C */
static void compressed(const dls_contact_system *contacts, const dls_contacts *set, const double *u_free,
                       const double *r, double *u_c)
{
  const size_t d = contacts->config->d;
  for (size_t row = 0; row < d * set->count; row++) {
    u_c[row] = u_free[row];
    for (size_t col = 0; col < d * set->count; col++) {
      u_c[row] += dls_delassus_entry(contacts->W, d * set->index[row / d] + row % d,
                                     d * set->index[col / d] + col % d) *
                  r[col];
    }
  }
}

static dls_status try_once(dls_contact_system *contacts, const dls_contacts *set, double *p, dls_error *err)
{
  dls_problem_report report = {0};
  const dls_problem problem = {
      .count = set->count, .blocks = contacts->blocks, .q = contacts->x, .dense = contacts->dense};
  memset(p, 0, contacts->config->d * set->count * sizeof *p);
  const dls_status status = dls_problem_solve(contacts->problem, &problem, p, contacts->mixed, &report, err);
  contacts->work->lcp_solves++;
  contacts->work->lcp_pivots += report.iterations;
  return status;
}

dls_status dls_expansion(dls_contact_system *contacts, const dls_contacts *set, const double *u_free,
                         const double *u_minus, double *r, dls_error *err)
{
  const size_t rows = contacts->config->d * set->count;
  double fastest = 0, *u_c = contacts->direction, *p = contacts->unknown;
  if (!returns(contacts, set, u_minus, r)) {
    return DLS_OK;
  }
  dls_status status = dls_friction_reserve(contacts, rows, err);
  for (size_t k = 0; k < set->count; k++) {
    contacts->gives[k] = contacts->given[k] > 0;
    fastest = fmax(fastest, fabs(u_minus[contacts->config->d * k]));
  }
  lay_out(contacts, set);
  compressed(contacts, set, u_free, r, u_c);
  bool again = true;
  for (int i = 0; i < MOST_TRIALS && again && status == DLS_OK; i++) {
    assemble(contacts, set, u_c);
    status = try_once(contacts, set, p, err);
    again = status == DLS_OK && reconsider(contacts, set, u_c, p, fastest, i < TOGETHER);
  }
  for (size_t row = 0; row < rows; row++) {
    r[row] += p[row];
  }
  return status != DLS_OK || !again
             ? status
             : dls_fail(err, DLS_ERR_NOCONV,
                        "expansion of %zu contacts: %d trials of who gives more than e p_C go round",
                        set->count, MOST_TRIALS);
}
