/* extrapolated_flight.c -- advance_batch of moreau-jean-extrapolated: steps of one run that are smooth intervals without contact, with the
 * operations of extrapolation.c and theta_step.c in the same order, and steps at rest.
 * Left to advance: steps with another base scheme; those in which a contact may become active, a gap closes or an approach ends.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define DLS_BATCH_WIDTH 1
#define DLS_KERNEL_KEPT 1
#define DLS_KERNEL_D 3
#include "time_stepping/adaptive/extrapolation.h"
#include "time_stepping/batch/flight.h"
#include "time_stepping/batch/theta_flight.h"

enum { ROW = 2 * DLS_SMALL_N }; /* q, then v */

/* The base steps of a sequence. */
typedef struct sequence {
  int steps;                /* n_j */
  size_t index;             /* of its run */
  dls_theta_memory *memory; /* of that */
  double load_time;         /* when its load was taken */
  dls_batch k;
  dls_kernel o;
} sequence;

typedef struct flight {
  size_t count;
  double ratio[DLS_MOST_SEQUENCES][DLS_MOST_SEQUENCES]; /* of row k and l */
  sequence of[DLS_MOST_SEQUENCES];
} flight;

/* The run whose matrix is that of steps of length h. @return count if there is none */
static size_t find_run(const dls_one_step *base, double h)
{
  size_t k = 0;
  while (k < base->count && base->h[k] != h) {
    k++;
  }
  return k;
}

/* @return false if the base scheme cannot make these steps at once */
static bool find_sequence(const dls_extrapolation *e, size_t j, double h, sequence *s)
{
  s->steps = e->n[j];
  s->index = find_run(&e->base, h / s->steps);
  const dls_sim *run = s->index < e->base.count ? e->base.run[s->index] : NULL;
  if (run == NULL || run->scheme->advance_batch != dls_theta_advance_batch) {
    return false;
  }
  s->memory = run->memory;
  s->load_time = s->memory->load_time;
  return s->memory->small_system != NULL && s->memory->factored == h / s->steps;
}

static bool find_sequences(const dls_extrapolation *e, double h, flight *f)
{
  bool found = true;
  f->count = e->count;
  for (size_t j = 0; j < e->count; j++) {
    found = found && find_sequence(e, j, h, &f->of[j]);
  }
  return found;
}

static bool read_sequence(const dls_sim *run, double h, sequence *s)
{
  dls_theta_memory *memory = s->memory;
  dls_small_system *system = memory->small_system;
  dls_small_system_set_contact(system, &memory->contact, h);
  if (!dls_small_system_read(system, run, &memory->contact.contacts, memory->A, NULL, true)) {
    return false;
  }
  s->k.pattern = system;
  dls_batch_read_system(&s->k, 0, system, h);
  s->o = (dls_kernel){.theta = dls_theta_value(run), .eta = memory->eta};
  return true;
}

static bool read_sequences(const dls_sim *sim, const dls_extrapolation *e, double h, flight *f)
{
  const int rho = dls_extrapolation_exponent(sim, e, sim->status);
  for (size_t k = 0; k < e->count; k++) {
    for (size_t l = 1; l <= k; l++) {
      f->ratio[k][l] = dls_extrapolation_ratio(e, k, l, rho);
    }
    if (!read_sequence(e->base.run[f->of[k].index], h / f->of[k].steps, &f->of[k])) {
      return false;
    }
  }
  return true;
}

/* Is contact j open at a node, and was it not approached before and left after the way there? */
DLS_INLINE bool is_open(const dls_batch_node *x, const dls_batch_node *y, size_t j, size_t d)
{
  return y->g[j] > 0 && !(x->u[d * j] < 0 && y->u[d * j] > 0);
}

/* T := z_j of (1) from x. @return false if a contact may act */
DLS_INLINE bool run_sequence(const sequence *s, dls_sizes is, const dls_batch_node *x, double *T)
{
  dls_batch_node a, b;
  bool open = true;
  for (size_t i = 0; i < is.n; i++) {
    a.q[i] = x->q[i];
    a.v[i] = x->v[i];
    a.kept[0][i] = x->kept[0][i];
  }
  dls_batch_gaps(&s->k, is, &a);
  for (int step = 0; step < s->steps; step++) {
    dls_kernel_fly(&s->k, &s->o, is, &a, &b);
    dls_batch_gaps(&s->k, is, &b);
    for (size_t j = 0; j < is.m; j++) {
      open = open && DLS_BATCH_FORECAST(a.g[j], s->k.ahead, a.u[is.d * j]) > s->k.eps_g &&
             is_open(&a, &b, j, is.d);
    }
    for (size_t i = 0; i < is.n; i++) {
      a.q[i] = b.q[i];
      a.v[i] = b.v[i];
    }
    for (size_t j = 0; j < is.m; j++) {
      a.g[j] = b.g[j];
      a.u[is.d * j] = b.u[is.d * j];
    }
  }
  for (size_t i = 0; i < is.n; i++) {
    T[i] = a.q[i];
    T[is.n + i] = a.v[i];
  }
  return open;
}

/* y := the end of a smooth interval from x. @return false if it is not one without contact, with finite values */
DLS_INLINE bool interval(const flight *f, size_t count, dls_sizes is, const dls_batch_node *x,
                         dls_batch_node *y)
{
  double T[DLS_MOST_SEQUENCES][ROW], sum = 0;
  bool open = true;
  for (size_t k = 0; k < count; k++) {
    open = run_sequence(&f->of[k], is, x, T[k]) && open; /* T_k,1 */
    for (size_t l = 1; l <= k; l++) {
      for (size_t i = 0; i < 2 * is.n; i++) {
        T[k - l][i] = DLS_EXTRAPOLATE(T[k - l + 1][i], T[k - l][i], f->ratio[k][l]); /* (1) */
      }
    }
  }
  for (size_t i = 0; i < is.n; i++) {
    y->q[i] = T[0][i];
    y->v[i] = T[0][is.n + i];
    sum += y->q[i] + y->v[i];
  }
  dls_batch_gaps(&f->of[0].k, is, y);
  for (size_t j = 0; j < is.m; j++) {
    open = open && is_open(x, y, j, is.d);
    sum += y->g[j] + y->u[is.d * j];
  }
  return open && fabs(sum) <= DBL_MAX;
}

/* Loads that the sequences evaluate again in a step from t. They do so where their last step did not end at t to the last bit. */
static size_t take_loads(flight *f, double t, double h)
{
  size_t taken = 0;
  for (size_t k = 0; k < f->count; k++) {
    sequence *s = &f->of[k];
    taken += s->load_time != t;
    s->load_time = t + s->steps * (h / s->steps);
  }
  return taken;
}

/* Up to `most` steps from x, which becomes the last node. @return how many */
DLS_INLINE size_t fly_steps(dls_sim *sim, flight *f, size_t count, dls_sizes is, double h, size_t most,
                            dls_batch_node *x)
{
  size_t made = 0;
  dls_batch_node y;
  for (; made < most && interval(f, count, is, x, &y); made++) {
    const double t = sim->t_base + (double)(sim->step + made + 1) * h;
    sim->work.force_evals += take_loads(f, sim->t, h);
    sim->t = t;
    for (size_t j = 0; j < is.m; j++) {
      if (y.g[j] < sim->worst_gap) {
        sim->worst_gap = y.g[j];
        sim->worst_time = t;
        sim->worst_contact = j;
      }
      x->g[j] = y.g[j];
      x->u[is.d * j] = y.u[is.d * j];
    }
    for (size_t i = 0; i < is.n; i++) {
      x->q[i] = y.q[i];
      x->v[i] = y.v[i];
    }
  }
  return made;
}

/* Base steps in a step. */
static size_t base_steps(const flight *f)
{
  size_t steps = 0;
  for (size_t k = 0; k < f->count; k++) {
    steps += (size_t)f->of[k].steps;
  }
  return steps;
}

/* The runs of the sequences were used last, in their order. */
static void use_runs(dls_one_step *base, const flight *f)
{
  for (size_t k = 0; k < f->count; k++) {
    base->used[f->of[k].index] = ++base->clock;
    f->of[k].memory->load_time = f->of[k].load_time;
  }
}

/* Steps without contact from the state of the sim. @return how many */
static size_t fly(dls_sim *sim, dls_extrapolation *e, flight *f, double h, size_t most)
{
  if (!read_sequences(sim, e, h, f)) {
    return 0;
  }
  const dls_small_system *system = f->of[0].k.pattern;
  const dls_sizes is = {system->n, system->m, system->d, system->full, false};
  dls_batch_node x;
  for (size_t i = 0; i < is.n; i++) {
    x.q[i] = sim->q[i];
    x.v[i] = sim->v[i];
    x.kept[0][i] = f->of[0].memory->load[i];
  }
  dls_batch_gaps(&f->of[0].k, is, &x);
  for (size_t k = 0; k < f->count; k++) {
    f->of[k].o = dls_kernel_begin(&f->of[k].k, &f->of[k].o, is, &x, true);
  }
  const size_t made = f->count == 3 && is.full && is.n == 1 && is.m == 1 && dls_batch_unit(&f->of[0].k)
                          ? fly_steps(sim, f, 3, (dls_sizes){1, 1, 1, true, true}, h, most, &x)
                          : fly_steps(sim, f, f->count, is, h, most, &x);
  if (made > 0) {
    memcpy(sim->q, x.q, is.n * sizeof *sim->q);
    memcpy(sim->v, x.v, is.n * sizeof *sim->v);
    dls_batch_at_flight(sim);
    sim->step += made;
    sim->work.steps += made;
    sim->work.problems += made * base_steps(f);
    sim->work.force_evals += made * base_steps(f);
    use_runs(&e->base, f);
  }
  return made;
}

/* Does a contact act? */
static bool in_contact(const dls_sim *sim)
{
  bool acts = false;
  for (size_t j = 0; j < sim->sys->m; j++) {
    acts = acts || sim->status[j] != 0;
  }
  return acts;
}

/* Steps at rest. The velocity of a contact that restitutes alternates by its rounding error. All steps have the same length. The
 * state therefore determines the next step, except how many loads the sequences evaluate again. */
static void rest(dls_batch_member *member, dls_extrapolation *e, flight *f)
{
  dls_sim *sim = member->sim;
  const double h = member->h;
  const size_t begin = sim->step;
  dls_work before;
  if (!dls_batch_find_period(member, 2, &before) || sim->work.rejected != before.rejected) {
    return;
  }
  dls_batch_repeat(member, &before);
  sim->work.force_evals = before.force_evals + member->made * base_steps(f);
  for (size_t i = 0; i < member->made; i++) {
    sim->work.force_evals += take_loads(f, sim->t_base + (double)(begin + i) * h, h);
  }
  use_runs(&e->base, f);
}

void dls_extrapolated_advance_batch(dls_batch_member *members, size_t count)
{
  for (size_t l = 0; l < count; l++) {
    dls_batch_member *member = &members[l];
    dls_extrapolated_memory *s = member->sim->memory;
    flight f;
    const bool used = dls_batch_unseen(member->sim) && s->done == 0 && s->size == s->total &&
                      find_sequences(&s->e, member->h, &f),
               rests = used && in_contact(member->sim);
    member->status = DLS_OK;
    member->made = 0;
    if (rests) {
      rest(member, &s->e, &f);
    } else if (used) {
      member->made = fly(member->sim, &s->e, &f, member->h, member->most);
    }
    member->stuck = !rests && member->made < member->most;
  }
}
