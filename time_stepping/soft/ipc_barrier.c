/* ipc_barrier.c -- the barrier (2) of ipc.c, and the restitution coefficient that a rule makes of it: (1) for one contact,
 *   g' - beta^2 W f(g') = g_ref + beta u_ref,
 * over the places of the barrier's edge in a step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/soft/ipc.h"
#include "time_stepping/soft/soft_equations.h"
#include "time_stepping/soft/thresholds.h"
#include <math.h>

enum { BISECTIONS = 1100 }; /* of any two numbers: down to neighbours */

dls_ipc_barrier dls_ipc_barrier_of(const dls_ipc_options *opt, double length, double h)
{
  const double end = opt->dhat * length;
  const double kappa = opt->scaling == DLS_IPC_SCALING_ONE ? opt->kappa_one / (h * h) : opt->kappa;
  const bool squared = opt->distance == DLS_IPC_SQUARED;
  return (dls_ipc_barrier){.end = end, .kappa = squared ? kappa / (end * end) : kappa, .squared = squared};
}

double dls_ipc_energy(const dls_ipc_barrier *barrier, double g)
{
  const double x = barrier->squared ? g * g : g;
  const double end = barrier->squared ? barrier->end * barrier->end : barrier->end;
  return g < barrier->end ? barrier->kappa * DLS_IPC_BARRIER(x, end, log(x / end)) : 0;
}

double dls_ipc_force(const dls_ipc_barrier *barrier, double g, double *slope)
{
  *slope = 0;
  if (!(g < barrier->end)) {
    return 0;
  }
  const double x = barrier->squared ? g * g : g;
  const double end = barrier->squared ? barrier->end * barrier->end : barrier->end, ln = log(x / end);
  const double first = DLS_IPC_BARRIER_1(x, end, ln), second = DLS_IPC_BARRIER_2(x, end, ln);
  *slope = barrier->kappa * (barrier->squared ? 2 * first + 4 * x * second : second); /* d^2 b(g^2)/dg^2 */
  return -barrier->kappa * (barrier->squared ? 2 * g * first : first);
}

double dls_ipc_rest_gap(const dls_ipc_barrier *barrier, double force)
{
  double low = 0, high = barrier->end, slope;
  for (int k = 0; k < BISECTIONS && force > 0; k++) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) {
      break;
    }
    *(dls_ipc_force(barrier, middle, &slope) > force ? &low : &high) = middle;
  }
  return high;
}

/* g' of one step; the left side grows with g'. */
static double end_of_step(const dls_ipc_barrier *barrier, double weight, double free_gap)
{
  double low = 0, high = fmax(barrier->end, free_gap), slope;
  for (int k = 0; k < BISECTIONS && free_gap < barrier->end; k++) {
    const double g = 0.5 * (low + high);
    if (g <= low || g >= high) {
      break;
    }
    *(g - weight * dls_ipc_force(barrier, g, &slope) < free_gap ? &low : &high) = g;
  }
  return high;
}

/* -u+/u- of the impact whose contact begins at the fraction `phase` of a step; NAN: not over in time. */
static double rebound(int rule, const dls_ipc_barrier *barrier, double h, double speed, double W, double phase)
{
  double g = barrier->end + phase * h * speed, u = -speed, g_last = g + h * speed, u_last = u, a = 0;
  int beyond = 0;
  for (int k = 0; k < threshold_rebound_steps; k++) {
    const bool two = rule == DLS_IPC_BDF2, mean = rule == DLS_IPC_TRAPEZOIDAL;
    const double beta = two ? 2 * h / 3 : mean ? h / 2 : h;
    const double g_ref = two ? DLS_IPC_BDF2_REFERENCE(g, g_last) : mean ? DLS_IPC_POSITION(g, beta, u) : g;
    const double u_ref = two ? DLS_IPC_BDF2_REFERENCE(u, u_last) : mean ? u + beta * a : u;
    const double next = end_of_step(barrier, beta * beta * W, DLS_IPC_POSITION(g_ref, beta, u_ref)); /* (1) */
    g_last = g;
    u_last = u;
    g = next;
    u = (g - g_ref) / beta;
    a = (u - u_ref) / beta;
    beyond = g >= barrier->end && u > 0 ? beyond + 1 : 0;
    if (beyond == threshold_rebound_flight) { /* bdf2 forgets the last velocities by thirds */
      return u / speed;
    }
  }
  return NAN;
}

bool dls_ipc_restitution(int rule, const dls_ipc_barrier *barrier, double h, double speed, double W,
                         dls_ipc_rebounds *e)
{
  *e = (dls_ipc_rebounds){HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < threshold_rebound_phases; k++) {
    const double x = h > 0 && W > 0 && isfinite(barrier->kappa)
                         ? rebound(rule, barrier, h, speed, W, (k + 0.5) / threshold_rebound_phases)
                         : NAN;
    if (isnan(x)) {
      return false;
    }
    e->least = fmin(e->least, x);
    e->most = fmax(e->most, x);
  }
  return true;
}
