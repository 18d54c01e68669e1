/* check_balance.c -- see check_balance.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/check_balance.h"
#include "common/base/arrays.h"
#include "common/run/checks.h"
#include <delassus/balance.h>
#include <delassus/warning.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of |V| at the start, and of T with all speeds equal to length/time */
static const double rounding_energy = 1e-9;
/* of length/time; smallest speed for which the sum of |M v| is computed */
static const double small_speed = 1e-3;
static const double no_resultant = 1e-9;  /* of the sum of the moduli of a force's components */
static const double notable_part = 0.01;  /* of the energy; a gain per step below this is quadrature error */
static const double exchanged_part = 0.2; /* and below this fraction of the works in the step */
enum { FEW = 3 };       /* samples with a gain from which they represent all steps between them */
enum { CREDIT = 64 };   /* extra steps of contacts with springs that are checked; every interval adds one */
enum { INTERVAL = 64 }; /* nodes between two evaluations: they cost less than 1 % of a step */

/* Does only dissipation change the energy? */
static bool is_closed(const dls_system *sys)
{
  return dls_system_has_energy(sys) && dls_system_explicit_time(sys) == DLS_TIME_NONE &&
         !dls_system_gap_moves(sys) && sys->surface == NULL && sys->joint_rate == NULL;
}

/* Can the works of sources in a step be evaluated? E plus the energy stored in contact springs must be the total energy,
 * the step must be short, and no support may move such springs. */
static bool has_works(const dls_sim *sim, const dls_check_balance *b)
{
  const dls_system *sys = sim->sys;
  const bool moved = dls_system_gap_moves(sys) || sys->surface != NULL || sys->joint_rate != NULL;
  return sim->shortest_feature == 0 && dls_system_has_energy(sys) && sim->scheme->stepping == DLS_BY_STEP &&
         (!b->yields || (b->stored != NULL && !moved));
}

static size_t axes_of(const dls_system *sys)
{
  return dls_system_mass_varies(sys) || sys->momenta == 0 ? 0
         : sys->momenta == 1                              ? 1
         : sys->momenta == 6                              ? 3
                                                          : 2;
}

/* @return false if out of memory */
static bool allocate(const dls_system *sys, dls_check_balance *b)
{
  if (b->block != NULL && (b->room || !b->sourced)) {
    return true; /* by the last run */
  }
  dls_check_balance_destroy(b);
  b->room = b->sourced;
  b->block = dls_arrays((const dls_slot[]){
      {sys->n, {&b->work, &b->F}}, {b->room ? sys->n : 0, {&b->q, &b->v}}, {sys->r, {&b->phi_t}}, {0}});
  b->G = b->axes > 0 && sys->r > 0 ? dls_matrix_clone(sys->G) : NULL;
  return dls_measures_create(sys, &b->measures, NULL) == DLS_OK && b->block != NULL &&
         (b->G != NULL || b->axes == 0 || sys->r == 0);
}

bool dls_check_balance_create(const dls_sim *sim, dls_check_balance *b)
{
  const dls_system *sys = sim->sys;
  const dls_scheme *scheme = sim->scheme;
  *b = (dls_check_balance){.q = b->q,
                           .v = b->v,
                           .F = b->F,
                           .phi_t = b->phi_t,
                           .work = b->work,
                           .block = b->block,
                           .room = b->room,
                           .G = b->G,
                           .measures = b->measures};
  b->energy = is_closed(sys);
  b->axes = axes_of(sys);
  b->yields = scheme->family == DLS_FAMILY_PENALTY || (scheme->balance != NULL && scheme->balance->yields);
  b->stored = b->yields && scheme->balance != NULL ? scheme->balance->stored : NULL;
  b->sourced = !b->energy && has_works(sim, b);
  b->springs = b->sourced && b->stored != NULL;
  b->credit = CREDIT;
  b->step = sim->spec->step;
  b->impacts = !b->energy && !b->yields;
  b->rough = sys->d > 1;
  if (!b->energy && !b->sourced && b->axes == 0) {
    b->waiting = SIZE_MAX;
    return true;
  }
  return allocate(sys, b);
}

void dls_check_balance_destroy(dls_check_balance *b)
{
  dls_measures_destroy(b->measures);
  dls_matrix_destroy(b->G);
  free(b->block);
}

/* --- energy --- */

static void begin_energy(const dls_sim *sim, dls_check_balance *b, const double *energies)
{
  const dls_system *sys = sim->sys;
  for (size_t i = 0; i < sys->n; i++) {
    b->work[i] = sys->length / sys->time;
  }
  b->floor = rounding_energy * (fabs(energies[1]) + dls_measures_kinetic(b->measures, sim->q, b->work));
  const double before = sim->jump ? dls_measures_kinetic(b->measures, sim->q, sim->v_left) : energies[2];
  b->start = b->least = energies[1] + before; /* before an impact at the start */
  b->least_time = sim->t;
  b->potential = energies[1];
}

static void look_at_energy(dls_sim *sim, dls_check_balance *b, const double *energies)
{
  const double E = energies[0], V = energies[1], T = energies[2];
  b->largest = fmax(b->largest, fmax(T, fabs(V - b->potential)));
  const double gain = E - (b->yields ? b->start : b->least);
  if (gain > dls_checks_limit(DLS_WARN_ENERGY) * b->largest + b->floor) {
    dls_checks_warn(sim, DLS_WARN_ENERGY, (dls_warning){.from = b->least_time, .t = sim->t, .value = gain});
    b->energy = false;
  }
  if (!b->yields && E < b->least) {
    b->least = E;
    b->least_time = sim->t;
  }
}

/* --- sources --- */

/* W of loads; for nonlinear systems of all forces. b->q, b->v are at the middle of the step. */
static double work_of_forces(const dls_sim *sim, dls_check_balance *b, double h, double V)
{
  const dls_system *sys = sim->sys;
  double t = b->t_first + h / 2, W = 0;
  for (size_t i = 0; i < sys->n; i++) {
    b->work[i] = sim->q[i] - b->q[i];
    b->q[i] = (b->q[i] + sim->q[i]) / 2;
    b->v[i] = (b->v[i] + sim->v[i]) / 2;
  }
  if (sys->linear && !dls_system_load_mean(sys, b->t_first, sim->t, b->F)) {
    dls_system_load(sys, t, b->F);
  } else if (!sys->linear) {
    dls_system_force(sys, t, b->q, b->v, b->F);
    W = V - b->V_first;
  }
  return W + (sys->linear ? dls_balance_load_work(sys, b->F, b->work) : dls_balance_dot(sys->n, b->F, b->work));
}

/* D + J */
static double work_of_drives(const dls_sim *sim, dls_check_balance *b, double h)
{
  const dls_system *sys = sim->sys;
  const dls_configuration *config = &sim->config;
  double work = 0;
  for (size_t row = 0; config->moves && row < config->rows; row++) {
    const size_t j = row / config->d, i = row % config->d;
    const double lambda = i == 0 ? sim->lambda[j] : sim->lambda_t[(config->d - 1) * j + i - 1];
    work -= config->b[row] * (dls_sim_impulse(sim, j, i) + h * lambda);
  }
  if (sys->joint_rate != NULL) {
    dls_system_joint_rate(sys, b->t_first + h / 2, b->q, b->phi_t);
    work -= h * dls_balance_dot(sys->r, b->phi_t, sim->mu);
  }
  return work;
}

bool dls_check_balance_springs_act(const dls_sim *sim, const dls_check_balance *b)
{
  bool act = false;
  for (size_t j = 0; j < sim->sys->m && !act; j++) {
    act = sim->lambda[j] > 0 || sim->g[j] + b->step * sim->u[j] < 0;
  }
  return act;
}

static void begin_sample(const dls_sim *sim, dls_check_balance *b, const double *energies, bool springs)
{
  b->of_springs = springs;
  b->credit -= springs;
  b->t_first = sim->t;
  b->E_first = energies[0];
  b->V_first = energies[1];
  memcpy(b->q, sim->q, sim->sys->n * sizeof *b->q);
  memcpy(b->v, sim->v, sim->sys->n * sizeof *b->v);
  b->inside = true;
  b->waiting = 0; /* the next node ends the sample */
}

static void end_sample(dls_sim *sim, dls_check_balance *b, const double *energies)
{
  const double h = sim->t - b->t_first, W = work_of_forces(sim, b, h, energies[1]),
               D = work_of_drives(sim, b, h);
  const double gain = energies[0] - b->E_first - W - D,
               size = fmax(energies[2], fabs(energies[1] - b->potential));
  b->inside = false;
  b->largest = fmax(b->largest, size);
  if (b->of_springs) {
    b->impact_gain += gain;
    b->impact_time = sim->t;
  } else if (gain > notable_part * b->largest + exchanged_part * (fabs(W) + fabs(D)) + b->floor) {
    b->created += gain;
    b->gains++;
    b->created_time = sim->t;
  }
}

/* The contacts of the last instant are complete. */
static void end_impact(dls_check_balance *b)
{
  if (b->impact_gain > notable_part * b->largest + b->floor) {
    b->created_at_impacts += b->impact_gain;
    b->created_time = fmax(b->created_time, b->impact_time);
  }
  b->impact_gain = 0;
}

/* Steps of springs are summed until the springs no longer act, since steps may return what others took. */
static void look_at_sample(dls_sim *sim, dls_check_balance *b, const double *energies)
{
  const bool ends = b->inside && sim->t > b->t_first,
             springs = b->springs && dls_check_balance_springs_act(sim, b);
  if (ends) {
    end_sample(sim, b, energies);
    if (b->of_springs && !springs) {
      end_impact(b);
    }
  }
  if (springs ? b->credit > 0 : !ends) {
    begin_sample(sim, b, energies, springs);
  } else if (springs) {
    b->impact_gain = 0; /* not known to its end */
  }
  b->credit += b->springs && !springs;
}

void dls_check_balance_impact(dls_check_balance *b, const dls_event *event)
{
  const double before = event->u_minus, after = event->u_plus;
  if (!b->impacts || !(after > before) || (b->rough && !event->tangential)) {
    return;
  }
  if (event->t != b->impact_time) {
    end_impact(b);
    b->impact_time = event->t;
  }
  b->impact_gain += event->impulse * (before + after) / 2 + event->work_friction;
  b->largest =
      fmax(b->largest, event->impulse * before * before / (2 * (after - before))); /* of the approach */
}

/* --- momentum --- */

/* Sum of |x| over all components. */
static double size_of(size_t n, const double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += fabs(x[i]);
  }
  return sum;
}

/* Does the generalized force b->work have a resultant along axis i? */
static bool pushes(const dls_sim *sim, const dls_check_balance *b, size_t i)
{
  double p[DLS_MOMENTA_MOST];
  sim->sys->momentum(sim->sys, sim->t, sim->q, sim->v, b->work, p);
  return fabs(p[i]) > no_resultant * size_of(sim->sys->n, b->work);
}

static bool columns_push(const dls_sim *sim, dls_check_balance *b, const dls_matrix *A, size_t count, size_t i)
{
  bool push = false;
  for (size_t j = 0; j < count && !push; j++) {
    memset(b->work, 0, sim->sys->n * sizeof *b->work);
    dls_matrix_column_add(A, j, 1, b->work);
    push = pushes(sim, b, i);
  }
  return push;
}

/* Drop the axes along which a force, a contact or a joint now acts. @return whether one is left */
static bool find_pushes(const dls_sim *sim, dls_check_balance *b)
{
  const dls_system *sys = sim->sys;
  bool left = false;
  if (sys->r > 0) {
    dls_system_joint_gradient(sys, sim->t, sim->q, b->G);
  }
  for (size_t i = 0; i < b->axes; i++) {
    if (!b->pushed[i]) {
      dls_system_force(sys, sim->t, sim->q, sim->v, b->work);
      b->pushed[i] = pushes(sim, b, i) || columns_push(sim, b, sim->config.H, sim->config.rows, i) ||
                     columns_push(sim, b, b->G, sys->r, i);
    }
    left = left || !b->pushed[i];
  }
  return left;
}

/* b->flow := a small fraction of the momentum with all speeds equal to length/time: below it is rounding. */
static void begin_flow(const dls_sim *sim, dls_check_balance *b)
{
  const dls_system *sys = sim->sys;
  for (size_t i = 0; i < sys->n; i++) {
    b->F[i] = small_speed * sys->length / sys->time;
  }
  dls_matrix_multiply(sys->M, 1, b->F, memset(b->work, 0, sys->n * sizeof *b->work));
  b->flow = size_of(sys->n, b->work);
}

static void look_at_momentum(dls_sim *sim, dls_check_balance *b, const double *momenta)
{
  double change = 0;
  if (!find_pushes(sim, b)) {
    b->axes = 0;
    return;
  }
  if (!b->begun) {
    begin_flow(sim, b);
  }
  dls_matrix_multiply(sim->sys->M, 1, sim->v, memset(b->work, 0, sim->sys->n * sizeof *b->work));
  b->flow = fmax(b->flow, size_of(sim->sys->n, b->work));
  for (size_t i = 0; i < b->axes; i++) {
    b->momentum[i] = b->begun ? b->momentum[i] : momenta[i];
    const double d = b->pushed[i] ? 0 : fabs(momenta[i] - b->momentum[i]);
    change = d > dls_checks_limit(DLS_WARN_MOMENTUM) * b->flow ? fmax(change, d) : change;
  }
  if (change > 0) {
    dls_checks_warn(sim, DLS_WARN_MOMENTUM, (dls_warning){.from = b->t, .t = sim->t, .value = change});
    b->axes = 0;
  }
}

void dls_check_balance_look(dls_sim *sim, dls_check_balance *b)
{
  double values[DLS_MEASURES_MOST] = {0};
  b->waiting = INTERVAL - 1;
  if (b->measures == NULL || (!b->energy && !b->sourced && b->axes == 0)) {
    b->waiting = SIZE_MAX;
    return;
  }
  dls_measures_at(b->measures, sim->t, sim->q, sim->v, values);
  if ((b->energy || b->sourced) && !b->begun) {
    begin_energy(sim, b, values);
  }
  if (b->springs) {
    values[0] += b->stored(sim);
  }
  if (b->energy) {
    look_at_energy(sim, b, values);
  }
  if (b->sourced) {
    look_at_sample(sim, b, values);
  }
  if (b->axes > 0) {
    look_at_momentum(sim, b, values + (dls_system_has_energy(sim->sys) ? 3 : 1));
  }
  b->t = b->begun ? b->t : sim->t;
  b->begun = true;
}

void dls_check_balance_end(dls_sim *sim, dls_check_balance *b)
{
  end_impact(b);
  const double created = (b->gains < FEW ? 1 : INTERVAL) * b->created + b->created_at_impacts;
  if ((b->sourced || b->impacts) && created > dls_checks_limit(DLS_WARN_ENERGY) * b->largest) {
    dls_checks_warn(sim, DLS_WARN_ENERGY, (dls_warning){.from = b->t, .t = b->created_time, .value = created});
  }
}
