/* compliant_contact.c -- Newton's method for contact forces that depend on the gaps at the end of the step.
 *
 * The law of a closed contact, linearised at (y, f(y)) with slope D = -f'(y), is E f + y = r with E = 1/D and
 * r = y + f(y)/D. Together with y = y_free + s W f,
 *   (E + s W) f = r - y_free                                                                        (1)
 * is symmetric positive definite where W is symmetric. It is well conditioned for stiff contacts too, because the unknown is the force:
 * E -> 0 is the hard contact. This is Woodbury's formula for (A + s H D H^T)^-1.
 * With friction, the linearised laws of the tangents join (1), and one system gives all forces (semi-smooth Newton). At a jump
 * of the law at y = 0 the gap is held (E = 0, r = 0), and the force is free between 0 and the onset.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/compliant_contact.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "common/base/memory.h"
#include "common/linear/lu.h"
#include "time_stepping/penalty/dry_friction.h"
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN, HELD, CLOSED }; /* modes */
static const double held_compliance =
    1e-13;                             /* of s W_jj: keeps (1) regular where held contacts are redundant */
static const double tolerance = 1e-13; /* of a force, relative; rounding of its own leaves 1e-15 */
static const double rounding = 1e-15;  /* of a gap, relative to the gap without contact forces */
enum {
  FIRST_CAPACITY = 64,
  FEW_ROUNDS = 3,   /* rounds in which a set grows by the contacts that close alone */
  FEW_CONTACTS = 32 /* contacts of a system up to which W is an array, and sets start from nothing */
};

static bool reserve(dls_compliant *c, size_t count)
{
  if (count <= c->capacity) {
    return true;
  }
  size_t capacity = 2 * c->capacity > count ? 2 * c->capacity : count;
  capacity = capacity < c->m ? capacity : c->m;
  free(c->matrix);
  free(c->order);
  c->matrix = malloc(dls_size_product(dls_size_product(capacity, capacity), sizeof *c->matrix));
  c->order = malloc(capacity * sizeof *c->order);
  c->capacity = c->matrix != NULL && c->order != NULL ? capacity : 0;
  return c->capacity > 0;
}

dls_status dls_compliant_create(dls_sim *sim, dls_delassus *W, const dls_matrix *H, dls_compliant *c,
                                dls_error *err)
{
  const size_t n = sim->sys->n;
  const size_t m = sim->sys->m;
  *c = (dls_compliant){
      .n = n, .m = m, .W = W, .H = H, .fallbacks = &sim->work.fallbacks, .many = m > FEW_CONTACTS};
  c->block = dls_arrays(
      (const dls_slot[]){{m, {&c->y_free, &c->y, &c->f, &c->E, &c->r, &c->b, &c->x}}, {n, {&c->shift}}, {0}});
  c->active = calloc(m + 1, sizeof *c->active);
  c->closed = calloc(m + 1, sizeof *c->closed);
  c->mode = calloc(m + 1, sizeof *c->mode);
  if ((m > 0 && W == NULL) || c->block == NULL || c->active == NULL || c->closed == NULL || c->mode == NULL ||
      (m > 0 && (!reserve(c, m < FIRST_CAPACITY ? m : FIRST_CAPACITY) || !dls_delassus_reserve_compliant(W)))) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", m);
  }
  return DLS_OK;
}

void dls_compliant_destroy(dls_compliant *c)
{
  dls_delassus_destroy(c->W);
  free(c->block);
  free(c->active);
  free(c->closed);
  free(c->mode);
  free(c->matrix);
  free(c->order);
}

/* x := matrix^-1 b in place, by GSL's LU; a zero pivot is found before GSL would call its error handler. */
static bool solve_dense(dls_compliant *c, size_t count, double *b)
{
  gsl_matrix_view view = gsl_matrix_view_array(c->matrix, count, count);
  gsl_vector_view rhs = gsl_vector_view_array(b, count);
  gsl_permutation order = {.size = count, .data = c->order};
  dls_lu(&view.matrix, &order);
  for (size_t i = 0; i < count; i++) {
    if (gsl_matrix_get(&view.matrix, i, i) == 0) {
      return false;
    }
  }
  gsl_linalg_LU_svx(&view.matrix, &order, &rhs.vector);
  return true;
}

/* (1): (E + s W) f = b, by the entries of W where they are few, else as an array. */
dls_status dls_compliant_linear(dls_compliant *c, dls_delassus *W, double s, size_t count, const size_t *set,
                                const double *E, double *b, dls_error *err)
{
  if (count == 1) {
    b[0] /= E[0] + s * dls_delassus_entry(W, set[0], set[0]); /* one contact */
    return DLS_OK;
  }
  const dls_status status = count == 0 ? DLS_OK : dls_delassus_solve_compliant(W, s, count, set, E, b, err);
  if (status != DLS_ERR_NOT_APPLICABLE && status != DLS_ERR_SINGULAR) {
    return status;
  }
  dls_count_fallback(status == DLS_ERR_SINGULAR ? c->fallbacks : NULL, "array");
  if (!reserve(c, count)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the forces of %zu contacts", count);
  }
  dls_delassus_make_columns(W, count, set);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < count; k++) {
      c->matrix[i * count + k] = s * dls_delassus_entry(W, set[i], set[k]) + (i == k ? E[i] : 0); /* E + s W */
    }
  }
  return solve_dense(c, count, b)
             ? DLS_OK
             : dls_fail(err, DLS_ERR_SINGULAR, "the forces of %zu contacts are not unique", count);
}

static double onset(const dls_sim *sim, const dls_compliant_law *law, size_t j)
{
  return law->onset != NULL ? law->onset(sim, j) : 0;
}

/* The mode that follows from the present one where the law has a jump at y = 0. */
static unsigned char next_mode(const dls_compliant *c, size_t j, double edge)
{
  if (c->mode[j] == HELD) {
    return c->f[j] < 0 ? OPEN : c->f[j] > edge ? CLOSED : HELD;
  }
  return c->y[j] <= 0 ? CLOSED : c->mode[j] == CLOSED ? HELD : OPEN;
}

/* Mode and linearised law for the next iteration. @return whether y and f fulfil the law already */
static bool linearise(dls_sim *sim, dls_compliant *c, const dls_compliant_law *law, double s, size_t j)
{
  const double edge = onset(sim, law, j);
  const unsigned char last = c->mode[j];
  const double y = last == HELD ? 0 : c->y[j];
  double slope = 0;
  double force = 0;
  if (edge > 0) {
    c->mode[j] = next_mode(c, j, edge);
    force = c->mode[j] == CLOSED ? law->force(sim, j, y, &slope) : 0;
  } else {
    force = law->force(sim, j, y, &slope);
    c->mode[j] = slope > 0 ? CLOSED : OPEN;
  }
  if (c->mode[j] == HELD) {
    c->E[j] = held_compliance * s * dls_delassus_entry(c->W, j, j);
    c->r[j] = 0;
    return last == HELD;
  }
  c->E[j] = slope > 0 ? 1 / slope : 0;         /* E = 1/D */
  c->r[j] = slope > 0 ? y + force / slope : 0; /* r = y + f/D */
  return c->mode[j] == last && fabs(force - c->f[j]) <= tolerance * fabs(force) + c->least +
                                                            rounding * slope * (fabs(y) + fabs(c->y_free[j]));
}

/* (1) for the contacts that are not open; y of those that are. */
static dls_status solve_linearised(dls_compliant *c, double s, dls_error *err)
{
  size_t closed = 0;
  for (size_t i = 0; i < c->count; i++) {
    const size_t j = c->active[i];
    c->f[j] = 0;
    if (c->mode[j] != OPEN) {
      c->x[closed] = c->E[j];
      c->b[closed] = c->r[j] - c->y_free[j]; /* right side of (1) */
      c->closed[closed++] = j;
    }
  }
  const dls_status status = c->dry != NULL
                                ? dls_dry_forces(c->dry, s, closed, c->closed, c->x, c->b, c->shift, err)
                                : dls_compliant_linear(c, c->W, s, closed, c->closed, c->x, c->b, err);
  for (size_t i = 0; i < closed && status == DLS_OK; i++) {
    const size_t j = c->closed[i];
    c->f[j] = c->b[i];
    c->y[j] = c->r[j] - c->E[j] * c->f[j]; /* the law: E f + y = r */
  }
  if (status != DLS_OK || closed == c->count) {
    return status;
  }
  if (c->dry == NULL) {
    memset(c->shift, 0, c->n * sizeof *c->shift);
    dls_delassus_apply(c->W, closed, c->closed, 1, c->b, c->shift);
  }
  for (size_t i = 0; i < c->count; i++) {
    const size_t j = c->active[i];
    if (c->mode[j] == OPEN) {
      c->y[j] = c->y_free[j] + s * dls_matrix_column_dot(c->H, j, c->shift); /* y_free + s W f */
    }
  }
  return DLS_OK;
}

/* Report the contact whose force is farthest from its law. */
static dls_status not_found(dls_sim *sim, const dls_compliant *c, const dls_compliant_law *law, size_t most,
                            dls_error *err)
{
  size_t worst = c->active[0];
  double worst_force = 0;
  double worst_part = -1;
  for (size_t i = 0; i < c->count; i++) {
    const size_t j = c->active[i];
    double slope = 0;
    const double force = law->force(sim, j, c->mode[j] == HELD ? 0 : c->y[j], &slope);
    const double part = fabs(force - c->f[j]) / fmax(fabs(force), fabs(c->f[j]));
    if (!(part <= worst_part)) { /* so that NaN is the worst */
      worst = j;
      worst_force = force;
      worst_part = part;
    }
  }
  char name[80];
  dls_contact_name(sim->sys, worst, name, sizeof name);
  return dls_fail(err, DLS_ERR_NOCONV,
                  "contact forces did not converge in newton_max = %zu iterations: at %s, gap %.3g m, force "
                  "%.6g N, the law requires %.6g N, allowed is a relative difference of %.1g; a shorter step "
                  "or a softer contact may help",
                  most, name, c->y[worst], c->f[worst], worst_force, tolerance);
}

/* Proximal terms of contacts that stick, for as many iterations each, cyclically: the first only makes the forces of
 * redundant contacts unique, the others break cycles of stick and slip. */
static const double proximal[] = {1e-8, 1e-2, 1e-1, 1};
enum { PHASES = 4, PHASE = 8 };

/* The friction of all contacts, linearised. @return the largest change of a slip that one of them asks for */
static double linearise_dry(dls_compliant *c, size_t iteration)
{
  double change = 0;
  for (size_t i = 0; c->dry != NULL && i < c->count; i++) {
    change = dls_larger(change, dls_dry_linearise(c->dry, c->active[i], proximal[iteration / PHASE % PHASES]));
  }
  return change;
}

/* c->least, and: has the set more closed contacts than ever in this problem? @param[in,out] most  so many */
static bool advances(dls_compliant *c, size_t *most)
{
  size_t closed = 0;
  c->least = 0;
  for (size_t i = 0; i < c->count; i++) {
    closed += c->mode[c->active[i]] != OPEN;
    c->least = dls_larger(c->least, rounding * fabs(c->f[c->active[i]]));
  }
  const bool more = closed > *most;
  *most = more ? closed : *most;
  return more;
}

/* Of many contacts the boundary of those that are closed may advance by one an iteration: these iterations are not counted. */
static dls_status newton(dls_sim *sim, dls_compliant *c, const dls_compliant_law *law, double s, size_t most,
                         dls_error *err)
{
  const double slip = c->dry != NULL ? c->dry->tolerance : 0;
  double change = 0;
  size_t closed = 0;
  c->least = 0;
  for (size_t iteration = 0, counted = 0; counted <= most; iteration++) {
    bool done = true;
    for (size_t i = 0; i < c->count; i++) {
      done = linearise(sim, c, law, s, c->active[i]) && done; /* E, r at (y, f(y)) */
    }
    change = linearise_dry(c, iteration); /* tangents */
    if (done && change <= slip && !(c->guessed && iteration == 0)) {
      return DLS_OK;
    }
    const dls_status status = solve_linearised(c, s, err); /* (1) */
    if (status != DLS_OK) {
      return status;
    }
    sim->work.newton_iterations++;
    counted += !(c->many && advances(c, &closed));
    c->guessed = false;
  }
  return change <= slip
             ? not_found(sim, c, law, most, err)
             : dls_fail(
                   err, DLS_ERR_NOCONV,
                   "friction did not converge: slips differ by %g > %g m/s after newton_max = %zu iterations",
                   change, slip, most);
}

/* y and the force of contacts outside of the set, where the set leads to. @return does one exert a force? */
static bool look_outside(dls_sim *sim, dls_compliant *c, const dls_compliant_law *law, double s)
{
  bool any = false;
  for (size_t j = 0, known = 0; j < c->m; j++) {
    double slope = 0;
    if (known < c->count && c->active[known] == j) {
      known++;
      continue;
    }
    c->y[j] = c->y_free[j] + s * dls_matrix_column_dot(c->H, j, c->shift); /* y_free + s W f, row j */
    c->f[j] = 0;
    c->mode[j] = OPEN;
    c->b[j] = law->force(sim, j, c->y[j], &slope);
    any = any || c->b[j] != 0;
  }
  return any;
}

/* The largest size of s W f. */
static double largest_shift(const dls_compliant *c, double s)
{
  double most = 0;
  for (size_t j = 0; j < c->m; j++) {
    most = dls_larger(most, fabs(s * dls_matrix_column_dot(c->H, j, c->shift)));
  }
  return most;
}

/* Of many contacts those that had a force in the last step, with its gaps, are a guess of the set. */
static void begin(dls_compliant *c)
{
  c->count = 0;
  memset(c->shift, 0, c->n * sizeof *c->shift);
  for (size_t j = 0; c->many && j < c->m; j++) {
    if (c->mode[j] != OPEN) {
      c->active[c->count++] = j;
    }
  }
  c->guessed = c->count > 0;
}

/* Would an open contact exert a force? Then the set grows. In a column each round finds the next contact alone. After FEW_ROUNDS, of
 * many contacts, those with a gap of less than the forces have moved any contact join too, open to begin with. @return whether it did */
static bool grow(dls_sim *sim, dls_compliant *c, const dls_compliant_law *law, double s, size_t round)
{
  if (!look_outside(sim, c, law, s)) {
    return false;
  }
  const double reach = c->many && round >= FEW_ROUNDS ? largest_shift(c, s) : -HUGE_VAL;
  size_t found = 0;
  for (size_t j = 0, known = 0; j < c->m; j++) {
    const bool inside = known < c->count && c->active[known] == j;
    known += inside;
    if (inside || c->b[j] != 0 || c->y[j] < reach) {
      c->closed[found++] = j;
    }
  }
  size_t *set = c->active;
  c->active = c->closed;
  c->closed = set;
  c->count = found;
  return true;
}

/* Newton's method on (1), with contacts added to the set until none closes; at the end shift := A^-1 H f, with
 * y = y_free + s H^T shift. */
dls_status dls_compliant_solve(dls_sim *sim, dls_compliant *c, const dls_compliant_law *law, double s,
                               size_t most, dls_error *err)
{
  begin(c);
  for (size_t round = 0; grow(sim, c, law, s, round) || (round == 0 && c->count > 0); round++) {
    dls_status status = dls_sim_poll(sim, err);
    if (status != DLS_OK || (status = newton(sim, c, law, s, most, err)) != DLS_OK) {
      return status;
    }
    if (c->dry != NULL) {
      continue; /* the shift is that of the last iteration */
    }
    for (size_t i = 0; i < c->count; i++) {
      c->b[i] = c->f[c->active[i]];
    }
    memset(c->shift, 0, c->n * sizeof *c->shift);
    dls_delassus_apply(c->W, c->count, c->active, 1, c->b, c->shift);
  }
  return DLS_OK;
}
