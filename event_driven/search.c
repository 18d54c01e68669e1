/* event_driven/search.c -- the first event of the root functions on the dense output of one step.
 *
 * Between two points where f, f', f'' are known, f lies in the hull of the Bernstein coefficients of the
 * quintic through these data, widened by the distance of the quintic to the cubic through f, f' alone. Where
 * the hull has one sign there is no event, however often f turns in between. Elsewhere the interval is split: at the
 * minimum of f if it has one there, otherwise in the middle. So neither a pair of zeros nor a double zero is missed,
 * whatever the length of the step.
 *
 * Where the engine bounds the distance of the quintic to f (dls_engine_derivative_bound), the bound replaces that to the cubic, and the
 * number of zeros between two points is proven: f = quintic + B s^3 (1 - s)^3 delta(s), |delta| <= 1, of which s^3 (1 - s)^3 is
 * a twentieth of a Bernstein polynomial of degree six; |f' - quintic'| and |f'' - quintic''| are below 72/3000 sqrt(5) B and
 * 3/8 B. Source: Birkhoff & Priver 1967, J. Math. Phys. 46, 440-447.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/gap_root.h"
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
  MAX_DEPTH = 64, /* pending splits: a step cannot be halved more often */
};

/* Bernstein coefficients on [a.t, b.t]: quintic through f, f', f'', and how far the cubic is away. */
typedef struct dls_hull {
  double b[DLS_GAP_COEFFICIENTS], uncertainty;
  double derivative_bound; /* B of the interval; < 0: not known */
} dls_hull;

/* @param[in] derivative_bound  B per sixth power of the length; < 0: not known */
static dls_hull bernstein_hull(const dls_point *a, const dls_point *b, double derivative_bound)
{
  const double h = b->t - a->t;
  dls_hull hl = {.derivative_bound = derivative_bound < 0 ? -1 : derivative_bound * pow(h, 6)};
  dls_gap_bernstein((dls_gap_end){a->f, a->df, a->ddf}, (dls_gap_end){b->f, b->df, b->ddf}, h, hl.b);
  const double c1 = a->f + h * a->df / 3;
  const double c2 = b->f - h * b->df / 3;
  /* the cubic raised to degree five differs in the two middle coefficients only */
  const double e2 = 0.1 * a->f + 0.6 * c1 + 0.3 * c2;
  const double e3 = 0.3 * c1 + 0.6 * c2 + 0.1 * b->f;
  hl.uncertainty = fmax(fabs(hl.b[2] - e2), fabs(hl.b[3] - e3));
  return hl;
}

/* Is every value above level, by the coefficients of degree six with B? */
static bool bounded_hull_is_above(const dls_hull *hl, double level)
{
  for (int i = 0; i <= DLS_GAP_COEFFICIENTS; i++) {
    const double part = (double)i / DLS_GAP_COEFFICIENTS;
    const double c = (i > 0 ? part * hl->b[i - 1] : 0) + (i < DLS_GAP_COEFFICIENTS ? (1 - part) * hl->b[i] : 0);
    if (!(c - (i == 3 ? hl->derivative_bound / 20 : 0) >= level)) {
      return false;
    }
  }
  return true;
}

/* Is every value on the interval above level? */
static bool hull_is_above(const dls_hull *hl, double level)
{
  if (hl->derivative_bound >= 0) {
    return bounded_hull_is_above(hl, level);
  }
  for (int i = 0; i < DLS_GAP_COEFFICIENTS; i++) {
    if (!(hl->b[i] - (i == 2 || i == 3 ? hl->uncertainty : 0) >= level)) {
      return false;
    }
  }
  return true;
}

/* Is f' < 0 on the whole interval? With B; below: has f'' this sign? */
static bool bounded_hull_falls(const dls_hull *hl)
{
  bool falls = true;
  for (int i = 0; i + 1 < DLS_GAP_COEFFICIENTS; i++) {
    falls = falls && 5 * (hl->b[i + 1] - hl->b[i]) < -0.0537 * hl->derivative_bound;
  }
  return falls;
}

/* Does f'' have the sign throughout? quintic'' has the Bernstein coefficients 20 (b_i+2 - 2 b_i+1 + b_i), and
 * |f'' - quintic''| <= 3/8 B. */
static bool bounded_hull_curves(const dls_hull *hl, double sign)
{
  bool bends = true;
  for (int i = 0; i + 2 < DLS_GAP_COEFFICIENTS; i++) {
    bends = bends && 20 * sign * (hl->b[i + 2] - 2 * hl->b[i + 1] + hl->b[i]) > 0.375 * hl->derivative_bound;
  }
  return bends;
}

/* Does f fall from f >= 0 to f < 0 with exactly one zero? */
static bool falls_once(const dls_hull *hl)
{
  if (hl->derivative_bound >= 0) {
    return hl->b[0] >= 0 && hl->b[5] < 0 && (bounded_hull_falls(hl) || bounded_hull_curves(hl, -1));
  }
  double largest = 0;
  for (int i = 0; i < DLS_GAP_COEFFICIENTS; i++) {
    largest = fmax(largest, fabs(hl->b[i]));
  }
  const int changes = (hl->b[0] < 0) + dls_gap_sign_changes(hl->b);
  return hl->b[5] < 0 && changes == 1 && hl->uncertainty <= threshold_clear_shape * largest;
}

/* Zero near p of the parabola through f, f', f'' there. */
static double parabola_zero(double t, double f, double df, double ddf)
{
  const double root = sqrt(fmax(df * df - 2 * f * ddf, 0));
  const double denominator = df + (df < 0 ? -root : root);
  return denominator != 0 ? t - 2 * f / denominator : t;
}

/* Zero of f (order 0) or f' (order 1) between two points where it has opposite signs, or is zero. */
static dls_status zero_between(dls_event_integrator *run, size_t k, int order, const dls_point *a,
                               const dls_point *b, dls_point *zero, dls_error *err)
{
  double low = a->t;
  double high = b->t;
  const bool falling = order == 0 ? b->f < 0 : b->df < 0;
  const double close = fmax(run->method.eps.event, 2 * DBL_EPSILON * fabs(high));
  dls_point p = *b;
  for (int i = 0; i < threshold_search_iterations && high - low > close; i++) {
    double t = order == 0 ? parabola_zero(p.t, p.f, p.df, p.ddf) : parabola_zero(p.t, p.df, p.ddf, 0);
    if (i > 0 && fabs(t - p.t) <= close) {
      break;
    }
    if (!(t > low && t < high)) {
      t = 0.5 * (low + high);
    }
    const dls_status status = dls_root_sample(run, k, t, &p, err);
    if (status != DLS_OK) {
      return status;
    }
    if (((order == 0 ? p.f : p.df) < 0) == falling) {
      high = t;
    } else {
      low = t;
    }
  }
  *zero = p;
  return DLS_OK;
}

/* The zero of f, which falls once in [a, b]. It is not the zero that the contact has just left. */
static dls_status find_crossing(dls_event_integrator *run, size_t k, const dls_point *a, const dls_point *b,
                                dls_point *zero, dls_error *err)
{
  dls_point from = *a;
  if (a->f <= 0 && a->df <= 0) {
    *zero = *a;
    return DLS_OK;
  }
  if (a->df > 0 && b->df < 0) { /* search behind the maximum */
    const dls_status status = zero_between(run, k, 1, a, b, &from, err);
    if (status != DLS_OK || from.f <= 0) {
      *zero = from;
      return status;
    }
  }
  return zero_between(run, k, 0, &from, b, zero, err);
}

/* Largest speed of the flight whose gap is root k. A graze in the step changes nothing, so that the end of the step belongs to it. */
static double flight_speed(const dls_event_state *state, size_t k)
{
  return fmax(state->contact[state->root[k].contact].peak, fabs(state->right.p[k].df));
}

/* Will the gap that crosses zero at p not fall below -eps_g / 2? It falls by u^2 / (2 u') more. */
static bool will_graze(const dls_event_method *method, const dls_event_state *state, size_t k,
                       const dls_point *p)
{
  const dls_root *root = &state->root[k];
  const dls_contact *contact = &state->contact[root->contact];
  return root->type->may_graze && contact->gap_threshold == DLS_GAP_THRESHOLD_ZERO && p->ddf > 0 &&
         p->df * p->df <= threshold_graze_depth * method->eps.g * p->ddf &&
         fabs(p->df) <= threshold_graze_speed * flight_speed(state, k);
}

static bool has_minimum(const dls_point *a, const dls_point *b)
{
  return a->df < 0 && b->df >= 0 && a->ddf > 0 && b->ddf > 0 && b->f >= 0;
}

/* The search for one root in an interval. */
typedef struct dls_interval_scan {
  dls_event_integrator *run;
  size_t k; /* which root */
  const dls_root *root;
  dls_point a;                  /* no event before a */
  dls_point pending[MAX_DEPTH]; /* right ends of the intervals still to be searched, the nearest last */
  int depth, samples;
  double derivative_bound; /* of root k, per sixth power of a length; < 0: not known */
  bool done;               /* an event was found, or no interval is left */
} dls_interval_scan;

/* Record an event, unless it is the known one. */
static void set_event(dls_interval_scan *search, dls_located_kind kind, double t)
{
  dls_event_integrator *run = search->run;
  if (t < run->state.bracketed.t - threshold_same_root * run->method.eps.event) {
    run->state.located =
        (dls_located_event){.kind = kind, .t = t, .contact = search->root->contact, .root = search->k};
  }
  search->done = true;
}

static void skip_interval(dls_interval_scan *search)
{
  search->a = search->pending[--search->depth];
  search->done = search->depth == 0;
}

static dls_status split_interval(dls_interval_scan *search, double t, dls_error *err)
{
  dls_event_integrator *run = search->run;
  if (search->depth == MAX_DEPTH || ++search->samples > threshold_search_samples) {
    char name[80];
    dls_contact_name(run->method.sys, search->root->contact, name, sizeof name);
    return dls_sim_fail(run->sim, err, DLS_ERR_NOCONV,
                        "the event search did not converge for %s near t = %.17g", name, t);
  }
  return dls_root_sample(run, search->k, t, &search->pending[search->depth++], err);
}

/* The gap of a contact is about to graze: it is searched again at the level -eps_g / 2. */
static void expect_graze(const dls_event_method *method, dls_contact *contact, bool graze_expected)
{
  contact->gap_threshold = DLS_GAP_THRESHOLD_GRAZING;
  contact->threshold_depth = 0.5 * method->eps.g;
  contact->graze_expected = graze_expected;
}

static dls_status resolve_crossing(dls_interval_scan *search, const dls_point *b, dls_error *err)
{
  dls_event_integrator *run = search->run;
  dls_point zero = {0};
  if (search->k == run->state.bracketed.root && b->t == run->state.right.t &&
      run->state.bracketed.kind != DLS_LOCATED_NONE) {
    search->done = true; /* its only zero is the known one */
    return DLS_OK;
  }
  const dls_status status = find_crossing(run, search->k, &search->a, b, &zero, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!will_graze(&run->method, &run->state, search->k, &zero)) {
    set_event(search, search->root->type->event, zero.t);
    return DLS_OK;
  }
  expect_graze(&run->method, &run->state.contact[search->root->contact], false);
  const double raise = dls_root_shift(run, search->k);
  search->a.f += raise;
  for (int i = 0; i < search->depth; i++) {
    search->pending[i].f += raise;
  }
  return DLS_OK;
}

/* Is the minimum of a gap a graze: not above eps_g, not deeper than -eps_g / 2, and not faster than a graze? */
static bool grazes(const dls_event_integrator *run, size_t k, const dls_point *least)
{
  const dls_root *root = &run->state.root[k];
  const dls_contact *contact = &run->state.contact[root->contact];
  const double g = least->f - dls_root_shift(run, k);
  const double slow = threshold_graze_speed * flight_speed(&run->state, k);
  return root->type->may_graze && contact->gap_threshold != DLS_GAP_THRESHOLD_LEAVING &&
         g <= run->method.eps.g && fabs(least->df) <= slow &&
         (g >= 0 || (g >= -0.5 * run->method.eps.g && (contact->gap_threshold == DLS_GAP_THRESHOLD_GRAZING ||
                                                       -2 * g * least->ddf <= slow * slow)));
}

/* f falls and rises again: its minimum between a and b decides. */
static dls_status resolve_minimum(dls_interval_scan *search, const dls_point *b, dls_error *err)
{
  dls_event_integrator *run = search->run;
  dls_point least = {0};
  const dls_status status = zero_between(run, search->k, 1, &search->a, b, &least, err);
  if (status != DLS_OK) {
    return status;
  }
  if (grazes(run, search->k, &least)) {
    set_event(search, DLS_LOCATED_GRAZE, least.t);
    return DLS_OK;
  }
  if (least.f >= 0) { /* f is convex, and its minimum is not negative */
    skip_interval(search);
    return DLS_OK;
  }
  return split_interval(search, least.t, err);
}

/* Can there be no event on the interval? A minimum near zero may be a graze, which is located; elsewhere round-off below zero is none. */
static bool has_no_event(const dls_interval_scan *search, const dls_hull *hl, bool near_dip)
{
  const dls_event_integrator *run = search->run;
  if (near_dip) {
    return hull_is_above(hl, run->method.eps.g + dls_root_shift(run, search->k));
  }
  return hull_is_above(hl, 0) || hull_is_above(hl, -dls_root_noise(run, search->k, &run->state.right));
}

/* Search [a, nearest pending end]. */
static dls_status scan_interval(dls_interval_scan *search, dls_error *err)
{
  const dls_event_integrator *run = search->run;
  const dls_point *a = &search->a;
  const dls_point b = search->pending[search->depth - 1];
  const dls_hull hl = bernstein_hull(a, &b, search->derivative_bound);
  const bool near_dip = search->root->type->may_graze && a->df < 0 && b.df > 0 && a->f > run->method.eps.g &&
                        run->state.contact[search->root->contact].gap_threshold != DLS_GAP_THRESHOLD_LEAVING;
  if (has_no_event(search, &hl, near_dip)) {
    skip_interval(search);
    return DLS_OK;
  }
  const double width = b.t - a->t;
  if (width <= fmax(run->method.eps.event, 4 * DBL_EPSILON * fabs(b.t))) {
    if (b.f < 0) {
      set_event(search, search->root->type->event, b.t);
    } else {
      skip_interval(search);
    }
    return DLS_OK;
  }
  if (falls_once(&hl) || (a->f <= 0 && a->df <= 0 && b.f < 0)) {
    return resolve_crossing(search, &b, err);
  }
  if (has_minimum(a, &b) &&
      (hl.derivative_bound >= 0 ? bounded_hull_curves(&hl, 1)
                                : hl.uncertainty <= threshold_clear_shape * (a->f + b.f))) {
    return resolve_minimum(search, &b, err);
  }
  return split_interval(search, 0.5 * (a->t + b.t), err);
}

/* Root k at an end of the step, shifted. */
static dls_point shifted_end(const dls_event_integrator *run, const dls_step_end *end, size_t k)
{
  dls_point p = end->p[k];
  p.f += dls_root_shift(run, k);
  return p;
}

/* Every event between search->a and b. */
static dls_status search_interval(dls_interval_scan *search, const dls_point *b, dls_error *err)
{
  dls_status status = DLS_OK;
  search->pending[0] = *b;
  search->depth = 1;
  search->samples = 0;
  search->done = false;
  while (!search->done && status == DLS_OK) {
    status = scan_interval(search, err);
  }
  return status;
}

/* The first event of root k between scan[k].clear and b, if it is before the located one. */
static dls_status search_root(dls_event_integrator *run, size_t k, const dls_point *b, dls_error *err)
{
  dls_root_scan *scan = &run->work.scan[k];
  dls_interval_scan search;
  search.run = run;
  search.k = k;
  search.root = &run->state.root[k];
  search.a = scan->clear;
  search.derivative_bound = scan->derivative_bound;
  dls_point last = *b;
  dls_status status = DLS_OK;
  if (run->state.located.t < run->state.bracketed.t) {
    if (!(run->state.located.t > search.a.t)) {
      return DLS_OK;
    }
    status = dls_root_sample(run, k, run->state.located.t, &last, err);
  }
  if (status == DLS_OK) {
    status = search_interval(&search, &last, err);
  }
  scan->clear = search.a;
  return status;
}

/* The right end of the step may lie beyond an event, where the gap goes on falling. */
static void update_peaks(dls_event_state *state)
{
  for (size_t k = 0; k < state->roots; k++) {
    const dls_root *root = &state->root[k];
    if (root->type->event == DLS_LOCATED_CROSSING) {
      dls_contact *contact = &state->contact[root->contact];
      contact->peak = fmax(contact->peak, fabs(state->left.p[k].df));
    }
  }
}

/* Does a rising root only seem to have fallen below zero? Right after an impact a gap leaves its zero so slowly that its round-off is
 * larger. */
static bool seems_to_fall(const dls_event_integrator *run, size_t k, const dls_point *b)
{
  return b->df > 0 && b->f >= -dls_root_noise(run, k, &run->state.right);
}

/* bracketed := the first zero of the roots that fall between the ends, as the integrator's root finder has found. */
static dls_status locate_bracketed(dls_event_integrator *run, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t k = 0; k < run->state.roots && status == DLS_OK; k++) {
    const dls_root *root = &run->state.root[k];
    dls_point a = shifted_end(run, &run->state.left, k);
    const dls_point b = shifted_end(run, &run->state.right, k);
    dls_point zero = {0};
    if (!(a.f >= 0 && b.f < 0) || seems_to_fall(run, k, &b)) {
      continue;
    }
    a.t = fmax(a.t, b.t - run->state.bracket);
    status = zero_between(run, k, 0, &a, &b, &zero, err);
    if (will_graze(&run->method, &run->state, k, &zero)) {
      expect_graze(&run->method, &run->state.contact[root->contact], true);
    } else if (zero.t < run->state.bracketed.t) {
      run->state.bracketed =
          (dls_located_event){.kind = root->type->event, .t = zero.t, .contact = root->contact, .root = k};
    }
  }
  return status;
}

/* scan[k] at the left end of the step. */
static void start_root_scan(dls_event_integrator *run, size_t k)
{
  run->work.scan[k].clear = shifted_end(run, &run->state.left, k);
  run->work.scan[k].derivative_bound = dls_root_derivative_bound(run, k);
}

/* The first event before the bracketed one. The instants of explicit time divide the step into intervals. These are searched in their
 * order for all roots, so that one evaluation of the forces at an instant serves all roots. */
static dls_status search_intervals(dls_event_integrator *run, dls_error *err)
{
  dls_event_state *state = &run->state;
  const dls_explicit_time *x = &run->work.explicit_time;
  dls_status status = DLS_OK;
  bool begun = false;
  for (size_t i = 0; i <= x->count && status == DLS_OK && !(state->located.t < state->bracketed.t); i++) {
    const bool inside = i < x->count;
    if (inside && !(x->instants[i] > state->left.t && x->instants[i] < state->right.t)) {
      continue;
    }
    status = inside ? dls_roots_sample(run, x->instants[i], run->work.sampled, err) : DLS_OK;
    for (size_t k = 0; k < state->roots && status == DLS_OK; k++) {
      if (!begun) {
        start_root_scan(run, k);
      }
      const dls_point right = inside ? run->work.sampled[k] : shifted_end(run, &state->right, k);
      status = search_root(run, k, &right, err);
    }
    begun = true;
  }
  return status;
}

/* located := the first event before the bracketed one, if there is one. */
static dls_status search_all(dls_event_integrator *run, dls_error *err)
{
  const dls_status status = search_intervals(run, err);
  const dls_contact *contact = &run->state.contact[run->state.located.contact];
  const bool goes_on =
      run->state.located.kind == DLS_LOCATED_REST && run->state.located.t == run->state.left.t; /* slip_end.c */
  run->state.located.root_missed = run->method.finder == DLS_FIND_INTEGRATOR &&
                                   run->state.located.t < run->state.bracketed.t && !goes_on &&
                                   !(run->state.located.kind == DLS_LOCATED_GRAZE && contact->graze_expected);
  return status;
}

dls_status dls_search_step(dls_event_integrator *run, dls_error *err)
{
  run->state.bracketed = run->state.located = (dls_located_event){.kind = DLS_LOCATED_NONE, .t = HUGE_VAL};
  update_peaks(&run->state);
  dls_roots_observe_inside(run, &run->state.left);
  dls_roots_observe_inside(run, &run->state.right);
  const dls_status status = run->state.bracket > 0 ? locate_bracketed(run, err) : DLS_OK;
  run->state.located = run->state.bracketed;
  return status != DLS_OK || !run->method.guard ? status : search_all(run, err);
}
