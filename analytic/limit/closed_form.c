/* closed_form.c -- one mass on one contact with a linear law under a steady load, in the gap g, W = H^2/m:
 *   no force       g'' + gamma g' + kappa g = s                                                            (1)
 *   Kelvin-Voigt   lambda = -k g - c g':   g'' + (gamma + W c) g' + (kappa + W k) g = s                    (2)
 *   impedance      g'' + ((1 - z) gamma + z c) g' + ((1 - z) kappa + z d k) g = (1 - z) s,   z = d/(d + r_n (1 - d)),
 *                  lambda = (z/W) [-d k g - c g' - (s - gamma g' - kappa g)]                               (3)
 * Each piece has the exact flow of linear_flow.h. A contact that does not pull ends where phi = A g + B g' + C, which is lambda up to a
 * factor, falls to 0; phi satisfies the same equation with the constant term A s + kappa C, so that the same search finds its first zero.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/interrupt.h"
#include "analytic/exact/support/linear_flow.h"
#include "analytic/limit/limit_rows.h"
#include <math.h>

enum { PIECES_MOST = 1000000, ROW_PIECES = 16 }; /* pieces of interrupt.h in a row: about its flows */
typedef enum mode { OPEN, PRESSED, LOOSE } mode; /* g > 0; lambda > 0; g <= 0 where the law would pull */

typedef struct law {
  long double A, B, C;  /* phi */
  long double to_force; /* lambda = to_force phi */
  bool pulls;
  dls_flow free, pressed;
  double H, w; /* g = H q + w */
} law;

bool dls_limit_has_closed_form(const dls_limit_job *job, const dls_limit_model *model)
{
  const dls_system *sys = job->sys;
  const bool linear = model->law == DLS_COMPLIANCE_KELVIN_VOIGT ||
                      (model->law == DLS_COMPLIANCE_IMPEDANCE && model->d.d0 == model->d.dwidth);
  return linear && sys->n == 1 && sys->m == 1 && !dls_system_has_friction(sys) &&
         dls_system_has_steady_load(sys) && !dls_system_gap_moves(sys);
}

static double entry(const dls_matrix *A)
{
  return A != NULL ? dls_matrix_get(A, 0, 0) : 0;
}

static law law_of(const dls_limit_job *job, const dls_limit_model *model)
{
  const dls_system *sys = job->sys;
  const long double m = entry(sys->M), H = entry(sys->H), W = H * H / m;
  const long double gamma = entry(sys->C) / m, kappa = entry(sys->K) / m;
  double F = 0;
  dls_system_load(sys, 0, &F);
  const long double s = H * F / m + kappa * sys->w[0], k = model->k, c = model->c, d = model->d.d0;
  law l = {.pulls = model->pulls, .H = (double)H, .w = sys->w[0]};
  l.free = dls_flow_create(gamma, kappa, s, 0, 0, 0); /* (1) */
  if (model->law == DLS_COMPLIANCE_KELVIN_VOIGT) {
    l.A = -k;
    l.B = -c;
    l.to_force = 1;
    l.pressed = dls_flow_create(gamma + W * c, kappa + W * k, s, 0, 0, 0); /* (2) */
  } else {
    l.A = kappa - d * k;
    l.B = gamma - c;
    l.C = -s;
    const long double z = d / (d + model->r_n * (1 - d));
    l.to_force = z / W;
    l.pressed =
        dls_flow_create((1 - z) * gamma + z * c, (1 - z) * kappa + z * d * k, (1 - z) * s, 0, 0, 0); /* (3) */
  }
  return l;
}

static long double phi(const law *l, const dls_flow_state *at)
{
  return l->A * at->q + l->B * at->v + l->C;
}

/* Acceleration at g, g' on a flow. */
static dls_flow_state state_of(const dls_flow *flow, const dls_flow_start *at)
{
  return (dls_flow_state){at->q, at->v, flow->force - flow->gamma * at->v - flow->kappa * at->q};
}

static mode mode_of(const law *l, const dls_flow_start *at)
{
  const dls_flow_state free = state_of(&l->free, at);
  if (at->q > 0 || (at->q == 0 && (at->v > 0 || (at->v == 0 && free.a >= 0)))) {
    return OPEN;
  }
  return l->pulls || phi(l, &free) >= 0 ? PRESSED : LOOSE;
}

/* The first zero of sign (a g + b g' + c) on a flow, which is positive right after the start. @return INFINITY: none up to `longest` */
static long double first_zero(const dls_flow *flow, const dls_flow_start *at, long double a, long double b,
                              long double c, long double longest)
{
  const dls_flow_state x = state_of(flow, at);
  const long double jerk = -flow->gamma * x.a - flow->kappa * x.v;
  const dls_flow_start from = {at->t, a * x.q + b * x.v + c, a * x.v + b * x.a};
  const dls_flow of = dls_flow_create(flow->gamma, flow->kappa, a * flow->force + flow->kappa * c, 0, 0, 0);
  const unsigned lead = from.q > 0 ? 0 : from.v > 0 ? 1 : 2;
  const dls_flow_start rising = {at->t, fmaxl(from.q, 0), lead < 2 ? from.v : 0};
  long double s = 0, v = 0;
  bool grazes = false;
  if (lead == 2 && !(a * x.a + b * jerk > 0)) {
    return (long double)INFINITY;
  }
  return dls_flow_first_zero(&of, &rising, lead, longest, &s, &v, &grazes) && !grazes ? s
                                                                                      : (long double)INFINITY;
}

/* How long a mode lasts, and what follows it. @param[out] lands  it ends with g = 0, else with phi = 0 */
static long double duration(const law *l, mode now, const dls_flow_start *at, long double left, bool *lands)
{
  const dls_flow *flow = now == PRESSED ? &l->pressed : &l->free;
  const long double side = now == OPEN ? 1 : -1;
  const long double gap = first_zero(flow, at, side, 0, 0, left);
  *lands = true;
  if (now == OPEN || (now == PRESSED && l->pulls)) {
    return gap;
  }
  const long double sign = now == PRESSED ? 1 : -1, most = fminl(gap, left);
  const long double force = first_zero(flow, at, sign * l->A, sign * l->B, sign * l->C, most);
  *lands = gap <= force;
  return fminl(gap, force);
}

static mode next_mode(const law *l, mode now, bool lands, const dls_flow_start *at)
{
  if (now == OPEN) {
    return mode_of(l, at);
  }
  return lands ? OPEN : now == PRESSED ? LOOSE : PRESSED;
}

static dls_status write(dls_limit_job *job, const law *l, mode now, const dls_flow_start *from, long double s,
                        dls_error *err)
{
  const dls_flow_state at = dls_flow_at(now == PRESSED ? &l->pressed : &l->free, from, s);
  const double q = (double)((at.q - l->w) / l->H), v = (double)(at.v / l->H), a = (double)(at.a / l->H);
  const double f = now == PRESSED ? (double)(l->to_force * phi(l, &at)) : 0;
  const int closed = now == PRESSED;
  return dls_limit_write_row(job, &(dls_limit_row){(double)(from->t + s), &q, &v, &a, &f, &closed}, err);
}

static dls_status write_piece(dls_limit_job *job, const law *l, mode now, const dls_flow_start *from,
                              long double length, dls_error *err)
{
  const dls_flow *flow = now == PRESSED ? &l->pressed : &l->free;
  dls_status status = write(job, l, now, from, 0, err);
  for (long double s = 0; status == DLS_OK && s < length;) {
    const long double h = dls_flow_hermite_step(flow, from, s, length - s, job->accuracy);
    s = h < (length - s) / 2 ? s + h : s + h >= length ? length : s + (length - s) / 2;
    status = dls_interrupt_after(ROW_PIECES) ? dls_interrupt_status(err) : write(job, l, now, from, s, err);
  }
  return status;
}

dls_status dls_limit_closed_form(dls_limit_job *job, dls_limit_model *model, dls_error *err)
{
  const law l = law_of(job, model);
  dls_flow_start at = {0, l.H * (long double)job->sys->q0[0] + l.w, l.H * (long double)job->sys->v0[0]};
  mode now = mode_of(&l, &at);
  for (size_t pieces = 0; at.t < job->end; pieces++) {
    bool lands = false;
    const long double left = job->end - at.t, ends = duration(&l, now, &at, left, &lands);
    const long double length = fminl(ends, left);
    const dls_status status = pieces < PIECES_MOST
                                  ? write_piece(job, &l, now, &at, length, err)
                                  : dls_fail(err, DLS_ERR_CHATTERING,
                                             "limit motion: t = %Lg s: %zu changes of contact", at.t, pieces);
    if (status != DLS_OK || ends >= left) {
      return status;
    }
    const dls_flow_state end = dls_flow_at(now == PRESSED ? &l.pressed : &l.free, &at, length);
    at = (dls_flow_start){at.t + length, lands ? 0 : end.q, end.v};
    now = next_mode(&l, now, lands, &at);
  }
  return DLS_OK;
}
