/* event_driven/nodes.c -- how dense the nodes inside a step have to be, so that cubic Hermite interpolation between them is
 * as accurate as tol.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/cubic.h"
#include "common/base/larger.h"
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { POINTS = DLS_SAMPLES }; /* samples from which differences are formed */

/* Points between two nodes at which the error of a cubic is sampled; at a single point the error may vanish. */
static const double samples[] = {0.5, 0.25};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

/* Round-off of t, which shifts both the nodes and the interpolant between them. */
static double time_noise(const dls_event_state *state)
{
  return DBL_EPSILON * fabs(state->right.t);
}

/* peak := the largest values of q and v so far, or t_s times those of their slopes if these are larger. */
static void update_peaks(const dls_event_method *method, dls_event_state *state)
{
  const dls_step_end *ends[] = {&state->left, &state->right};
  for (size_t e = 0; e < 2; e++) {
    for (size_t i = 0; i < 2 * method->n; i++) {
      state->peak[i] =
          dls_larger(dls_larger(state->peak[i], fabs(ends[e]->y[i])), method->sys->time * fabs(ends[e]->dy[i]));
    }
  }
}

/* Allowed interpolation error of column i of (q, v): tol times its scale, which is at most that of the system. At least the error that
 * the integrator may make in a step. */
static double allowed_error(const dls_event_integrator *run, size_t i)
{
  const size_t n = run->method.n;
  const double scale = i < n ? run->work.scale[i] : run->work.scale[i - n] / run->method.sys->time;
  const double size = run->state.peak[i] < scale ? run->state.peak[i] : scale;
  return dls_larger(run->method.eps.tol * size, run->method.eps.rtol * scale);
}

/* Error of velocity i that the integrator may make in a step. */
static double step_noise(const dls_event_integrator *run, size_t i, double v)
{
  return run->method.eps.slack * (dls_absolute_tolerance_v(run, i) + run->method.eps.rtol * fabs(v));
}

/* Largest distance of the cubics through both ends of h from the engine's interpolant, relative to the allowed error and round-off. */
static double cubic_error(dls_event_integrator *run, double h)
{
  const size_t n = run->method.n;
  const dls_step_end *left = &run->state.left;
  const double *end = run->state.right.y, *slope = run->state.right.dy;
  double *between[SAMPLES] = {run->work.dense_noise, run->work.dddy}, worst = 0;
  if (left->t + h < run->state.right.t) { /* the interval ends at an event */
    dls_engine_interpolate(run->work.engine, left->t + h, 0, run->work.y);
    dls_engine_interpolate(run->work.engine, left->t + h, 1, run->work.dy);
    end = run->work.y;
    slope = run->work.dy;
  }
  for (size_t k = 0; k < SAMPLES; k++) {
    dls_engine_interpolate(run->work.engine, left->t + samples[k] * h, 0, between[k]);
  }
  for (size_t i = 0; i < 2 * n; i++) {
    const double x0 = left->y[i], d0 = left->dy[i], x1 = end[i], d1 = slope[i];
    const double noise = threshold_interpolation_rounding * (fabs(x0) + fabs(x1) + h * (fabs(d0) + fabs(d1)));
    const double shift = time_noise(&run->state) * (fabs(d0) + fabs(d1)),
                 limit = dls_larger(allowed_error(run, i) + noise, shift);
    for (size_t k = 0; k < SAMPLES; k++) {
      const double error = between[k][i] - dls_cubic(samples[k], h, x0, d0, x1, d1);
      worst = dls_larger(worst, fabs(error) / limit);
      if (i >= n) {
        run->work.cubic_error[SAMPLES * (i - n) + k] =
            fabs(error) > noise + shift + step_noise(run, i - n, x1) ? error : 0;
      }
    }
  }
  return worst;
}

/* Gaps and their velocities at t. */
static void sample_gaps(dls_event_integrator *run, double t, double *g, double *u)
{
  dls_engine_interpolate(run->work.engine, t, 0, run->work.y);
  t = dls_geometry_before_break(&run->state, t);
  dls_configuration_contacts(run->work.contacts.config, t, run->work.y);
  dls_configuration_gap(run->work.contacts.config, g);
  dls_geometry_gap_velocity(&run->method, &run->work, t, run->work.y, run->work.y + run->method.n);
  memcpy(u, run->work.u, run->method.m * sizeof *u);
}

/* The same error of the gaps over [t, t + h]. g and u at the beginning become those at the end. */
static double cubic_gap_error(dls_event_integrator *run, double t, double h, double *g, double *u)
{
  const double limit = run->method.eps.tol * run->method.sys->length;
  double *end = run->work.b, *rate = run->work.curvature, worst = 0;
  sample_gaps(run, t + h, end, rate);
  for (size_t k = 0; k < SAMPLES; k++) {
    const double at = t + samples[k] * h;
    dls_engine_interpolate(run->work.engine, at, 0, run->work.y);
    dls_system_gap(run->method.sys, at, run->work.y, run->work.g);
    for (size_t j = 0; j < run->method.m; j++) {
      const double noise = 8 * dls_geometry_gap_round_off(run, j, at, run->work.y) +
                           threshold_interpolation_rounding * fabs(run->work.g[j]);
      const double shift = time_noise(&run->state) * (fabs(u[j]) + fabs(rate[j]));
      worst = fmax(worst, fabs(run->work.g[j] - dls_cubic(samples[k], h, g[j], u[j], end[j], rate[j])) /
                              fmax(limit + noise, shift));
    }
  }
  memcpy(g, end, run->method.m * sizeof *g);
  memcpy(u, rate, run->method.m * sizeof *u);
  return worst;
}

/* The number of pieces in each of which the cubics of gaps are accurate. A gap may have several extrema in a step. */
static double gap_pieces(dls_event_integrator *run, double h, double pieces)
{
  for (;;) {
    double *g = run->work.node_g, *u = run->work.node_u, worst = 0;
    sample_gaps(run, run->state.left.t, g, u);
    for (double k = 0; k < pieces && !(worst > 1); k++) {
      worst = cubic_gap_error(run, run->state.left.t + k * h / pieces, h / pieces, g, u);
    }
    if (!(worst > 1) || pieces >= threshold_most_pieces) {
      return pieces;
    }
    pieces = fmin(ceil(pieces * sqrt(sqrt(worst))), threshold_most_pieces);
  }
}

/* --- columns whose slopes follow from neighbouring nodes --- */

/* Are u and slip constant linear combinations of v, without joints? */
static bool has_constant_geometry(const dls_event_method *method)
{
  return method->sys->linear && method->sys->r == 0 && !dls_system_gap_moves(method->sys) &&
         method->sys->surface == NULL;
}

/* x := a, lambda, u, slip, mu at t. */
static dls_status sample_columns(dls_event_integrator *run, double t, double *x, dls_error *err)
{
  dls_event_work *work = &run->work;
  const size_t n = run->method.n, m = run->method.m;
  double *v = work->y + n, *lambda = x + n, *u = lambda + run->method.d * m, *slip = u + m;
  dls_engine_interpolate(work->engine, t, 0, work->y);
  const dls_status status = dls_smooth_dynamics(run, t, work->y, v, x, lambda, err);
  if (status == DLS_OK && !has_constant_geometry(&run->method)) {
    dls_geometry_gap_velocity(&run->method, work, dls_geometry_before_break(&run->state, t), work->y, v);
    memcpy(u, work->u, m * sizeof *u);
    for (size_t j = 0; j < m && run->method.d > 1; j++) {
      dls_slip_of(&run->method, work, j, v, slip + (run->method.d - 1) * j);
    }
  }
  dls_geometry_multipliers(run, t, work->y, v, lambda, x, slip + (run->method.d - 1) * m);
  return status;
}

/* differences := the largest k-th differences of column i over the last samples, k = 1, ..., 5. */
static void note_differences(const dls_event_method *method, dls_event_work *work, size_t i, size_t latest)
{
  const size_t size = method->samples_size, count = latest + 1 < POINTS ? latest + 1 : POINTS;
  double x[POINTS] = {0};
  for (size_t k = 0; k < count; k++) { /* the latest first */
    x[k] = work->samples[(latest - k) % POINTS * size + i];
  }
  work->largest[i] = fmax(work->largest[i], fabs(x[0]));
  for (size_t k = 1; k < count; k++) {
    for (size_t j = 0; j + k < count; j++) {
      x[j] -= x[j + 1];
    }
    double *most = &work->differences[(k - 1) * size + i];
    *most = fmax(*most, fabs(x[0]));
  }
}

/* Error of the cubic over 1/p of a step, at the end of a smooth piece of the record, where polynomials of a degree d give the slopes. The
 * slopes err by h^d f^(d+1) / (d + 1), and the cubic by 4/27 h of that. With exact slopes the cubic errs by h^4 f''''/384. */
static double slope_error(const double derivative[POINTS], double p, size_t degree)
{
  const double second = derivative[2] / (p * p), third = derivative[3] / (p * p * p);
  const double fourth = derivative[4] / (p * p * p * p), fifth = derivative[5] / (p * p * p * p * p);
  return degree <= 1   ? second / 8
         : degree == 2 ? 0.06 * third + fourth / 384
         : degree == 3 ? 0.045 * fourth
                       : 0.03 * fifth + fourth / 384;
}

/* Nodes since the last jump and before the step from which slopes at nodes of this distance follow. */
static size_t nodes_behind(const dls_event_state *state, double distance)
{
  double t = state->left.t;
  size_t count = 0;
  for (size_t k = 0; k < state->node_count; k++) {
    if (t - state->node[k] >= DLS_LEAST_NODE_DISTANCE * distance) {
      t = state->node[k];
      count++;
    }
  }
  return count;
}

/* The kinds of columns among the samples, in their order. */
enum { ACCELERATION, FORCE, GAP_VELOCITY, SLIP, MULTIPLIER, KINDS };

static size_t end_of_kind(const dls_event_method *method, size_t kind)
{
  const size_t counts[KINDS] = {method->n, method->d * method->m, method->m, (method->d - 1) * method->m,
                                method->sys->r};
  size_t end = 0;
  for (size_t k = 0; k <= kind; k++) {
    end += counts[k];
  }
  return end;
}

/* Error of a that the integrator may make: that of a velocity in a step over its length. In systems whose highest frequencies are not
 * resolved, such as stiff ones at the limit of stability, a is not known better. */
static double acceleration_noise(const dls_event_integrator *run)
{
  const dls_event_method *method = &run->method;
  const dls_event_state *state = &run->state;
  double most = method->eps.rtol * method->sys->length / method->sys->time;
  for (size_t i = 0; i < method->n; i++) {
    most = dls_larger(most, step_noise(run, i, state->peak[method->n + i]));
  }
  const double h = state->right.t - state->left.t, t_s = method->sys->time;
  return most / (h < t_s ? h : t_s);
}

/* allowed := error allowed in each column, relative to its largest value. It is not much smaller than in other columns of its kind, and
 * not below that of the integrator. */
static void set_allowed_errors(dls_event_integrator *run, size_t kinds)
{
  const double speed = run->method.eps.rtol * run->method.sys->length / run->method.sys->time,
               change = acceleration_noise(run);
  const double noise[KINDS] = {change, change, speed, speed, 0};
  for (size_t kind = 0, i = 0; kind < kinds; kind++) {
    const size_t begin = i, end = end_of_kind(&run->method, kind);
    double most = 0;
    for (; i < end; i++) {
      most = fmax(most, run->work.largest[i]);
    }
    for (i = begin; i < end; i++) {
      const double weight = kind == FORCE ? run->state.contact[(i - begin) / run->method.d].weight : 1;
      run->work.allowed[i] = fmax(threshold_column_error * run->method.eps.tol *
                                      fmax(run->work.largest[i], threshold_least_column * most),
                                  noise[kind] / weight);
    }
  }
}

/* h^k |f^(k)|, k = 1, ..., 5, of column i. 0 where differences do not decrease from the second to the fourth: they are round-off, or
 * the integrator does not resolve them. */
static void find_derivatives(const dls_event_method *method, const dls_event_work *work, size_t i,
                             double intervals, double derivative[POINTS])
{
  const double *difference = work->differences + i;
  const size_t size = method->samples_size;
  const bool is_noise = difference[3 * size] > threshold_column_roughness * difference[size];
  double unit = 1;
  for (size_t k = 1; k < POINTS; k++) {
    unit *= intervals;
    derivative[k] = is_noise ? 0 : unit * difference[(k - 1) * size];
  }
}

/* h^k |a^(k)|, k = 1, ..., 4, and an estimate for 5, of coordinate i by the dense output of v over h, with s in [0, 1]:
 *   v = its cubic + s^2 (1 - s)^2 (A + B s),   A + B/2 = 16 e(1/2),   A + B/4 = 256/9 e(1/4)
 * @return false: a is constant */
static bool flight_derivatives(const dls_event_integrator *run, double h, size_t i, double derivative[POINTS])
{
  const size_t at = run->method.n + i;
  const bool up_to_event = run->state.left.t + h < run->state.right.t;
  const double x0 = run->state.left.y[at], d0 = h * run->state.left.dy[at];
  const double x1 = (up_to_event ? run->work.y : run->state.right.y)[at],
               d1 = h * (up_to_event ? run->work.dy : run->state.right.dy)[at];
  const double a0 = fabs(d0) / h, a1 = fabs(d1) / h;
  run->work.largest[i] = dls_larger(dls_larger(run->work.largest[i], a0), a1);
  const double *e = run->work.cubic_error + SAMPLES * i;
  const double noise = threshold_interpolation_rounding * (fabs(x0) + fabs(x1) + fabs(d0) + fabs(d1)) +
                       step_noise(run, i, x1) + time_noise(&run->state) * (a0 + a1);
  const double square = 3 * (x1 - x0) - 2 * d0 - d1, cube = 2 * (x0 - x1) + d0 + d1;
  const bool bent = fabs(square) > noise, twisted = fabs(cube) > noise;
  if (!bent && !twisted && e[0] == 0 && e[1] == 0) {
    memset(derivative, 0, POINTS * sizeof *derivative);
    return false;
  }
  const double B = 64 * e[0] - 1024.0 / 9 * e[1], A = 16 * e[0] - B / 2;
  const double c2 = (bent ? square : 0) + A, c3 = (twisted ? cube : 0) + B - 2 * A;
  const double c4 = fabs(A - 2 * B), c5 = fabs(B);
  derivative[1] = (2 * fabs(c2) + 6 * fabs(c3) + 12 * c4 + 20 * c5) / h;
  derivative[2] = (6 * fabs(c3) + 24 * c4 + 60 * c5) / h;
  derivative[3] = (24 * c4 + 120 * c5) / h;
  derivative[4] = 120 * c5 / h;
  derivative[5] = 0.25 * derivative[4];
  return true;
}

/* Largest error of the columns if a step h has this many pieces, relative to the allowed error. */
static double column_error(const dls_event_integrator *run, double h, double pieces, size_t columns)
{
  const size_t behind = pieces < DLS_NODES ? nodes_behind(&run->state, h / pieces) : 0;
  const size_t degree = pieces + (double)behind < DLS_NODES ? (size_t)pieces + behind : DLS_NODES;
  double worst = 0;
  for (size_t i = 0; i < columns; i++) {
    const double *d = run->work.derivatives + POINTS * i;
    double error = slope_error(d, pieces, degree) / run->work.allowed[i];
    worst = error > worst ? error : worst;
    if (i < run->method.n) { /* v, for u = H^T v */
      const double of_v[POINTS] = {0, 0, h * d[1], h * d[2], h * d[3], h * d[4]};
      error =
          slope_error(of_v, pieces, degree) / (threshold_column_error * allowed_error(run, run->method.n + i));
      worst = error > worst ? error : worst;
    }
  }
  return worst;
}

/* Sample the columns at equal distances over h and form their differences. @return false: they have no values there */
static bool sample_step(dls_event_integrator *run, double h, size_t intervals)
{
  const dls_work work = run->sim->work; /* samples are not counted as work of the run */
  const dls_memo memo = run->work.memo;
  run->work.memo = run->work.sample_memo;
  run->work.memo.valid = false;
  memcpy(run->work.spare_mode, run->state.mode, run->method.m * sizeof *run->state.mode);
  dls_status status = DLS_OK;
  dls_error err = {0};
  memset(run->work.differences, 0, (POINTS - 1) * run->method.samples_size * sizeof *run->work.differences);
  for (size_t k = 0; k <= intervals && status == DLS_OK; k++) {
    double *x = run->work.samples + k % POINTS * run->method.samples_size;
    status = sample_columns(run, run->state.left.t + (double)k * h / (double)intervals, x, &err);
    for (size_t i = 0; i < run->method.samples_size; i++) {
      note_differences(&run->method, &run->work, i, k);
    }
  }
  run->sim->work = work;
  run->work.memo = memo;
  memcpy(run->state.mode, run->work.spare_mode, run->method.m * sizeof *run->state.mode);
  return status == DLS_OK;
}

/* Does coordinate i of (q, v) change over h by rounding only? */
static bool stays(const dls_event_integrator *run, size_t i, double h)
{
  const dls_step_end *left = &run->state.left, *right = &run->state.right;
  const size_t n = run->method.n;
  const double scale = i < n ? run->work.scale[i] : run->work.scale[i - n] / run->method.sys->time;
  const double most =
      dls_larger(fabs(right->y[i] - left->y[i]), h * dls_larger(fabs(left->dy[i]), fabs(right->dy[i])));
  return most <= threshold_slip_rounding * scale;
}

/* Are the columns constant, because nothing moves in the step and nothing depends on t? Forces at rest leave accelerations of rounding. */
static bool step_rests(const dls_event_integrator *run, double h)
{
  bool rests = dls_system_explicit_time(run->method.sys) == DLS_TIME_NONE;
  for (size_t i = 0; rests && i < 2 * run->method.n; i++) {
    rests = stays(run, i, h);
  }
  return rests;
}

/* derivatives := those of accelerations in flight over a fraction of h. @return number of columns; 0: all are constant */
static size_t flight_columns(dls_event_integrator *run, double h, double part)
{
  bool any = false;
  for (size_t i = 0; i < run->method.n; i++) {
    double *derivative = run->work.derivatives + POINTS * i, power = 1;
    any = flight_derivatives(run, h, i, derivative) || any;
    for (size_t k = 1; k < POINTS && part < 1; k++) {
      derivative[k] *= power *= part;
    }
  }
  return any ? run->method.n : 0;
}

/* derivatives and allowed errors of the columns over a fraction of h. In flight with constant gradients the accelerations suffice.
 * @return number of columns; 0: they are constant, or have no values there */
static size_t sampled_columns(dls_event_integrator *run, double h, double part, double pieces)
{
  size_t columns = 0;
  if (run->state.active.count == 0 && has_constant_geometry(&run->method)) {
    columns = flight_columns(run, h, part);
    set_allowed_errors(run, columns > 0 ? FORCE : 0);
  } else if (!step_rests(run, h)) {
    const size_t intervals = (size_t)dls_larger(pieces, threshold_least_intervals);
    columns = sample_step(run, part * h, intervals) ? run->method.samples_size : 0;
    for (size_t i = 0; i < columns; i++) {
      find_derivatives(&run->method, &run->work, i, (double)intervals, run->work.derivatives + POINTS * i);
    }
    set_allowed_errors(run, columns > 0 ? KINDS : 0);
  }
  return columns;
}

/* The number of pieces in each of which these columns are accurate. q, v and gaps need the number given; samples at least as close
 * resolve what depends on t. */
static double column_pieces(dls_event_integrator *run, double h, double part, double pieces)
{
  const size_t columns = sampled_columns(run, h, part, pieces);
  if (columns == 0) {
    return pieces;
  }
  double worst = column_error(run, part * h, pieces, columns);
  while (worst > 1 && pieces < threshold_most_pieces) {
    pieces = fmin(fmax(pieces + 1, floor(pieces * sqrt(sqrt(worst)))), threshold_most_pieces);
    worst = column_error(run, part * h, pieces, columns);
  }
  return pieces;
}

void dls_nodes_record(dls_event_state *state, dls_sim *sim)
{
  state->node_count = sim->jump ? 0 : state->node_count < DLS_NODES ? state->node_count : DLS_NODES - 1;
  for (size_t k = state->node_count; k > 0; k--) {
    state->node[k] = state->node[k - 1];
  }
  state->node[0] = sim->t;
  state->node_count++;
}

/* Is the motion between the ends of a step recorded or watched? */
static bool nodes_are_used(const dls_sim *sim)
{
  return (sim->record != NULL && !sim->record->skip_nodes) || (sim->spec != NULL && sim->spec->watch != NULL);
}

/* [round-off of t] Nodes nearer than half a round-off would not advance; what lies between them changes by the round-off of t anyway. */
static const double least_spacing = 8;

void dls_nodes_plan(dls_event_integrator *run)
{
  run->state.spacing = HUGE_VAL;
  if (!nodes_are_used(run->sim)) {
    return;
  }
  const double h = fmin(run->state.located.t, run->state.right.t) - run->state.left.t;
  update_peaks(&run->method, &run->state);
  double pieces =
      fmin(ceil(sqrt(sqrt(cubic_error(run, h)))), threshold_most_pieces); /* the error falls like spacing^4 */
  if (!run->method.sys->linear || dls_system_gap_moves(run->method.sys)) {
    pieces = gap_pieces(run, h, fmax(pieces, 1));
  }
  double piece = h / pieces;
  if (run->method.cubic && run->state.end > run->state.left.t) { /* the run may end within the step */
    const double part = run->state.end - run->state.left.t < h ? (run->state.end - run->state.left.t) / h : 1;
    const double least = part < 1 ? fmax(ceil(part * pieces), 1) : dls_larger(pieces, 1);
    const double needed = column_pieces(run, h, part, least);
    piece = part * h / needed < piece ? part * h / needed : piece;
    pieces = dls_larger(pieces, needed);
  }
  if (pieces > 1) {
    run->state.spacing = fmax(piece, least_spacing * time_noise(&run->state));
  }
}
