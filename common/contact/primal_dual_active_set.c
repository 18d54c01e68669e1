/* primal_dual_active_set.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/primal_dual_active_set.h"
#include "common/base/arrays.h"
#include "common/linear/dirichlet_system.h"
#include "common/linear/storage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MANY = 100,    /* contacts: fewer are solved with W as an array */
  PATIENCE = 10, /* block iterations without fewer wrong signs, as Judice and Pires do */
  MOST_ROUNDS = 100,
  AWAY = 16,        /* problems solved with W after a failure, ... */
  MOST_AWAY = 1024, /* ... twice as many after the next, and so on */
  FEW = 8,          /* wrong signs: the next set is likely to be the solution */
  SLOW = 2,         /* successive iterations that leave more than half of the wrong signs ... */
  BOUNDARY = 20     /* ... and at least this many: the contact boundary advances one node per iteration */
};
static const double rounding = 1e-13; /* of w, in units of |H^T x| + |s| */

struct dls_primal_dual {
  dls_contact_system *contacts;
  const dls_matrix *H;
  const dls_factor *A;
  dls_dirichlet_system *system;
  double coefficients[DLS_DIRICHLET_TERMS], spring;
  bool taken, refused;      /* A with these; it was of no use */
  size_t away, wait;        /* problems still left to W; how many after the next failure */
  unsigned char *held;      /* n: closed contacts' unknowns */
  double *last, *r;         /* n: x of the last problem; residual */
  double *springs, *places; /* n: of (2), and where closed contacts are drawn to */
  double *block;            /* owns the doubles */
  dls_bounds bounds;        /* n, made when they are first needed; lower owns both */
};

/* One entry a column? */
static bool single(const dls_matrix *H)
{
  for (size_t j = 0; j < dls_matrix_columns(H); j++) {
    const dls_column c = dls_matrix_column(H, j);
    if (c.count != 1 || c.values[0] == 0) {
      return false;
    }
  }
  return true;
}

/* In rows of their own? @param[out] marks  n */
static bool apart(const dls_matrix *H, unsigned char *marks)
{
  bool own = true;
  memset(marks, 0, dls_matrix_rows(H));
  for (size_t j = 0; j < dls_matrix_columns(H); j++) {
    const dls_column c = dls_matrix_column(H, j);
    own = own && marks[dls_column_row(&c, 0)] == 0;
    marks[dls_column_row(&c, 0)] = 1;
  }
  return own;
}

static bool applies(const dls_contact_system *contacts, const dls_factor *A)
{
  const dls_configuration *config = contacts->config;
  const dls_system *sys = config->sys;
  const dls_storage storage = dls_factor_storage(A);
  return sys->linear && sys->m > MANY && config->d == 1 && !config->moves && contacts->problem == NULL &&
         (storage == DLS_SPARSE || storage == DLS_BAND) && dls_matrix_storage(config->H) == DLS_SPARSE &&
         single(config->H);
}

static bool allocate(dls_primal_dual *R, size_t n)
{
  R->system = dls_dirichlet_system_create();
  R->held = calloc(n, 1);
  R->block = dls_arrays((const dls_slot[]){{n, {&R->last, &R->r, &R->springs, &R->places}}, {0}});
  return R->system != NULL && R->held != NULL && R->block != NULL;
}

bool dls_primal_dual_create(dls_contact_system *contacts, const dls_factor *A, dls_primal_dual **out)
{
  *out = NULL;
  if (!applies(contacts, A)) {
    return true;
  }
  dls_primal_dual *R = calloc(1, sizeof *R);
  if (R == NULL) {
    return false;
  }
  *R = (dls_primal_dual){.contacts = contacts, .H = contacts->config->H, .A = A};
  const bool done = allocate(R, contacts->config->sys->n);
  if (done) {
    dls_dirichlet_system_count_fallbacks(R->system, &contacts->work->fallbacks);
  }
  if (!done || !apart(R->H, R->held)) {
    dls_primal_dual_destroy(R);
    return done;
  }
  *out = R;
  return true;
}

void dls_primal_dual_destroy(dls_primal_dual *R)
{
  if (R != NULL) {
    dls_dirichlet_system_destroy(R->system);
    free(R->held);
    free(R->block);
    free(R->bounds.lower);
    free(R);
  }
}

static bool diagonal(const dls_matrix *M)
{
  bool only = dls_matrix_storage(M) == DLS_DIAGONAL || dls_matrix_storage(M) == DLS_SPARSE;
  for (size_t j = 0; only && dls_matrix_storage(M) == DLS_SPARSE && j < dls_matrix_columns(M); j++) {
    const dls_column c = dls_matrix_column(M, j);
    only = c.count == 1 && dls_column_row(&c, 0) == j;
  }
  return only;
}

/* k M of (2). */
static dls_status set_springs(dls_primal_dual *R)
{
  const dls_matrix *M = R->contacts->config->M;
  if (!diagonal(M)) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  for (size_t i = 0; i < dls_matrix_rows(M); i++) {
    R->springs[i] = R->spring * dls_matrix_get(M, i, i);
  }
  return dls_dirichlet_system_springs(R->system, R->springs, R->places);
}

dls_status dls_primal_dual_matrix(dls_primal_dual *R, const double *coefficients, double spring)
{
  if (R->taken && R->spring == spring && memcmp(R->coefficients, coefficients, sizeof R->coefficients) == 0) {
    return R->refused ? DLS_ERR_NOT_APPLICABLE : DLS_OK;
  }
  memcpy(R->coefficients, coefficients, sizeof R->coefficients);
  R->spring = spring;
  dls_status status = dls_dirichlet_system_matrix(R->system, R->A, coefficients);
  status = status == DLS_OK && spring > 0 ? set_springs(R) : status;
  R->taken = status != DLS_ERR_MEMORY;
  R->refused = status == DLS_ERR_NOT_APPLICABLE;
  R->away = 0;
  R->wait = AWAY;
  return status;
}

/* The unknown of a contact, and the entry of H. */
static inline size_t unknown_of(const dls_primal_dual *R, size_t j, double *entry)
{
  const size_t at = dls_matrix_begin(R->H, j);
  *entry = R->H->values[at];
  return (size_t)R->H->row_of[at];
}

/* Contact k closed: w = 0. */
static inline void hold(dls_primal_dual *R, size_t i, double entry, double s)
{
  R->held[i] = 1;
  *(R->spring > 0 ? &R->places[i] : &R->last[i]) = -s / entry;
}

/* The set of p > 0. */
static void begin(dls_primal_dual *R, const dls_contacts *set, const double *s, const double *p)
{
  memset(R->held, 0, R->contacts->config->sys->n);
  for (size_t k = 0; k < set->count; k++) {
    double entry;
    const size_t i = unknown_of(R, set->index[k], &entry);
    if (p[k] > 0) {
      hold(R, i, entry, s[k]);
    }
  }
}

/* The impulses of the set that was tried. @return how many have the wrong sign, w of those that are open too */
static size_t look(const dls_primal_dual *R, const dls_contacts *set, const double *s, double *p)
{
  size_t wrong = 0;
  for (size_t k = 0; k < set->count; k++) {
    double entry;
    const size_t i = unknown_of(R, set->index[k], &entry);
    const double u = entry * R->last[i];
    p[k] = R->held[i] ? -R->r[i] / entry : 0; /* A x - f = H p */
    wrong += R->held[i] ? p[k] < 0 : u + s[k] < -rounding * (fabs(u) + fabs(s[k]));
  }
  return wrong;
}

/* Those of the wrong sign change sides. */
static void exchange(dls_primal_dual *R, const dls_contacts *set, const double *s, const double *p)
{
  for (size_t k = 0; k < set->count; k++) {
    double entry;
    const size_t i = unknown_of(R, set->index[k], &entry);
    const double u = entry * R->last[i];
    if (R->held[i]) {
      R->held[i] = !(p[k] < 0);
    } else if (u + s[k] < -rounding * (fabs(u) + fabs(s[k]))) {
      hold(R, i, entry, s[k]);
    }
  }
}

/* w >= 0 as bounds of the unknowns. @return false if out of memory */
static bool set_bounds(dls_primal_dual *R, const dls_contacts *set, const double *s)
{
  const size_t n = R->contacts->config->sys->n;
  dls_bounds *b = &R->bounds;
  b->lower = b->lower != NULL ? b->lower : malloc(2 * n * sizeof *b->lower);
  if (b->lower == NULL) {
    return false;
  }
  b->upper = b->lower + n;
  for (size_t i = 0; i < n; i++) {
    b->lower[i] = -HUGE_VAL;
    b->upper[i] = HUGE_VAL;
  }
  for (size_t k = 0; k < set->count; k++) {
    double entry;
    const size_t i = unknown_of(R, set->index[k], &entry);
    *(entry > 0 ? &b->lower[i] : &b->upper[i]) = -s[k] / entry;
  }
  return true;
}

/* The set by monotone multigrid, which a rim does not hold up. */
static dls_status descend(dls_primal_dual *R, const dls_contacts *set, const double *f, const double *s)
{
  return set_bounds(R, set, s) ? dls_dirichlet_system_descend(R->system, R->bounds, f, R->last, R->held)
                               : DLS_ERR_MEMORY;
}

/* The next step of pivoting. */
typedef struct progress {
  size_t fewest, last; /* wrong signs: the fewest so far, those of the round before */
  int patience, slow;
  bool estimates; /* as long as there are fewer and fewer; then solutions */
  bool descended;
} progress;

/* After an iteration that left `wrong` wrong signs. @return move the contact boundary at once? */
static bool goes_slowly(progress *g, size_t wrong)
{
  const bool fewer = wrong < g->fewest;
  g->estimates = g->estimates && wrong > FEW && fewer;
  g->patience = fewer ? PATIENCE : g->patience - 1;
  g->fewest = wrong > 0 && fewer ? wrong : g->fewest;
  g->slow = wrong > BOUNDARY && 2 * wrong > g->last ? g->slow + 1 : 0;
  g->last = wrong;
  return g->slow >= SLOW && !g->descended;
}

/* Sets until one has no wrong sign. @param[out] tried  how many */
static dls_status pivot(dls_primal_dual *R, const dls_contacts *set, const double *f, const double *s,
                        double *p, size_t *tried)
{
  progress g = {.fewest = set->count + 1, .last = set->count, .patience = PATIENCE, .estimates = true};
  while (*tried < MOST_ROUNDS && g.patience >= 0) {
    if (*tried > 0 && dls_interrupt_requested(&R->contacts->work->interrupt)) {
      return DLS_ERR_INTERRUPTED;
    }
    bool solved = true;
    dls_status status = g.estimates
                            ? dls_dirichlet_system_estimate(R->system, R->held, f, R->last, R->r, &solved)
                            : dls_dirichlet_system_solve(R->system, R->held, f, R->last, R->r);
    ++*tried;
    if (status != DLS_OK) {
      return status;
    }
    const size_t wrong = look(R, set, s, p);
    if (wrong == 0 && solved) {
      return DLS_OK;
    }
    status = goes_slowly(&g, wrong) ? descend(R, set, f, s) : DLS_ERR_NOT_APPLICABLE;
    if (status == DLS_ERR_NOT_APPLICABLE) {
      exchange(R, set, s, p);
    } else if (status != DLS_OK) {
      return status;
    }
    g.descended = g.descended || status == DLS_OK;
  }
  return DLS_ERR_NOCONV;
}

dls_status dls_primal_dual_solve(dls_primal_dual *R, const dls_contacts *set, const double *f, const double *u,
                                 const double *u_minus, double *p, double *x, dls_error *err)
{
  size_t tried = 0;
  double *s = R->contacts->q;
  if (R->away > 0) {
    R->away--;
    return DLS_ERR_NOT_APPLICABLE;
  }
  dls_contact_system_approach(R->contacts, set, u_minus);
  for (size_t k = 0; k < set->count; k++) {
    s[k] = u[k] + R->contacts->mixture[set->index[k]] * u_minus[k]; /* s of (1) */
  }
  begin(R, set, s, p);
  const dls_status status = pivot(R, set, f, s, p, &tried);
  R->contacts->work->lcp_solves += set->count > 0;
  R->contacts->work->lcp_pivots += set->count > 0 ? tried : 0;
  if (status == DLS_OK) {
    memcpy(x, R->last, R->contacts->config->sys->n * sizeof *x);
    R->wait = AWAY;
    return DLS_OK;
  }
  dls_count_fallback(&R->contacts->work->fallbacks, "delassus-matrix");
  R->away = R->wait;
  R->wait = R->wait < MOST_AWAY ? 2 * R->wait : MOST_AWAY;
  memset(R->last, 0, R->contacts->config->sys->n * sizeof *R->last);
  return status == DLS_ERR_MEMORY ? dls_fail(err, status, "no memory for %zu contacts", set->count)
         : status == DLS_ERR_INTERRUPTED
             ? dls_fail(err, status, "interrupted in a contact problem of %zu contacts", set->count)
             : DLS_ERR_NOT_APPLICABLE;
}

dls_status dls_primal_dual_unconstrained(dls_primal_dual *R, const double *f, double *x)
{
  memset(R->held, 0, R->contacts->config->sys->n);
  const dls_status status = dls_dirichlet_system_solve(R->system, R->held, f, x, R->r);
  return status == DLS_ERR_NOCONV ? DLS_ERR_NOT_APPLICABLE : status;
}
