/* experiments/measures/story/findings.c -- what is wrong or remarkable in a run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/story/facts.h"
#include "experiments/measures/story/thresholds.h"
#include <delassus/law.h>
#include <delassus/warning.h>

#include <math.h>
#include <string.h>

/* --- lasting contact --- */

/* Row of a lasting contact behind its first part, in which it settles; that in the middle of the rest. */
static size_t settled(const dls_samples *s, size_t first, size_t last)
{
  const double from = s->t[first] + DLS_TRANSIENT * (s->t[last] - s->t[first]);
  while (first < last && s->t[first] < from) {
    first++;
  }
  return first;
}

static size_t middle(const dls_samples *s, size_t first, size_t last)
{
  const double half = 0.5 * (s->t[first] + s->t[last]);
  while (first < last && s->t[first] < half) {
    first++;
  }
  return first;
}

/* Is a change by a in the first part and by b in the second one drift of a constant speed? */
static bool is_steady(const dls_samples *s, size_t first, size_t half, size_t last, double a, double b)
{
  const double before = s->t[half] - s->t[first], after = s->t[last] - s->t[half];
  return before > 0 && after > 0 && a * b > 0 &&
         fabs(a / before - b / after) <= threshold_steady * fmax(fabs(a / before), fabs(b / after));
}

static void find_sinking(dls_story_facts *facts, dls_lasting *x)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  const size_t j = x->contact, first = settled(s, x->first, x->last), half = middle(s, first, x->last);
  const double a = s->g[half * s->m + j] - s->g[first * s->m + j];
  const double b = s->g[x->last * s->m + j] - s->g[half * s->m + j];
  const double size = fmax(facts->largest_gap[j], facts->pushes.length);
  if (!(a + b < -threshold_rounding * size) || !is_steady(s, first, half, x->last, a, b)) {
    return;
  }
  x->sinks = true;
  const double speed = -(a + b) / (s->t[x->last] - s->t[first]);
  dls_story_fault_found(facts, DLS_FAULT_SINKS, s->t[first], j,
                        dls_pool_print(pool, "It sinks at %.3g m/s while it is in contact.", speed),
                        dls_pool_print(pool, "rows %zu to %zu: g%zu falls from %.4g m to %.4g m at %.6g s",
                                       first + 1, x->last + 1, j, s->g[first * s->m + j],
                                       s->g[x->last * s->m + j], s->t[x->last]));
}

static void find_bounces(dls_story_facts *facts, const dls_lasting *x)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  const size_t j = x->contact, first = settled(s, x->first, x->last);
  double least = 0, most = 0;
  size_t turns = 0;
  double before = 0;
  for (size_t k = first; k <= x->last; k++) {
    const double u = s->u[k * s->m + j];
    if (k + 1 < s->rows && s->t[k + 1] == s->t[k]) {
      continue; /* the left limit of a step has all of its smooth forces */
    }
    turns += before < 0 && u > 0;
    least = fmin(least, u);
    most = fmax(most, u);
    before = u;
  }
  const double size = threshold_rounding * facts->fastest;
  if (turns < STORY_FORCES || -least < size || most < size) {
    return;
  }
  dls_story_fault_found(
      facts, DLS_FAULT_BOUNCES, s->t[first], j,
      dls_pool_print(pool, "It does not come to rest: its gap velocity alternates between %.3g and %.3g m/s.",
                     least, most),
      dls_pool_print(pool, "rows %zu to %zu: the sign changes from minus to plus %zu times", first + 1,
                     x->last + 1, turns));
}

/* Distance along the tangents between two rows, by v: a difference of q has the error of a tangent that turns. */
static double slip_way(const dls_samples *s, size_t j, size_t first, size_t last)
{
  double way[2] = {0};
  for (size_t k = first + 1; k <= last; k++) {
    for (size_t i = 0; i + 1 < s->d; i++) {
      way[i] += s->tangent[(k * s->m + j) * (s->d - 1) + i] * (s->t[k] - s->t[k - 1]);
    }
  }
  return hypot(way[0], way[1]);
}

static void find_creep(dls_story_facts *facts, const dls_lasting *x)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  const size_t j = x->contact;
  for (size_t begin = x->first, last = 0; begin < x->last; begin = last + 1) {
    last = dls_story_same_mode(facts, j, begin, x->last);
    if (last < begin + STORY_FORCES || !dls_story_sticks(facts, j, begin, last)) {
      continue;
    }
    const size_t first = settled(s, begin, last), half = middle(s, first, last);
    const double a = slip_way(s, j, first, half), b = slip_way(s, j, half, last);
    const double span = s->t[last] - s->t[first];
    const bool moves = a + b > threshold_rounding * fmax(facts->fastest_slip * span, facts->pushes.length);
    if (moves && is_steady(s, first, half, last, a, b)) {
      dls_story_fault_found(facts, DLS_FAULT_CREEPS, s->t[first], j,
                            dls_pool_print(pool, "It creeps at %.3g m/s where it sticks.", (a + b) / span),
                            dls_pool_print(pool,
                                           "rows %zu to %zu: it moves by %.3g m along the surface until %.6g s",
                                           first + 1, last + 1, a + b, s->t[last]));
    }
  }
}

/* --- penetration --- */

static bool yields(const dls_scheme *scheme)
{
  return scheme != NULL && (scheme->family == DLS_FAMILY_PENALTY || scheme->family == DLS_FAMILY_SOFT ||
                            (scheme->balance != NULL && scheme->balance->yields));
}

/* The lasting contact j that has a row; NULL: none. */
static const dls_lasting *lasting_at(const dls_story_facts *facts, size_t j, size_t row)
{
  for (size_t i = 0; i < facts->lasting_count; i++) {
    const dls_lasting *x = &facts->lasting[i];
    if (x->contact == j && x->first <= row && row <= x->last + 1) { /* a step without force may follow */
      return x;
    }
  }
  return NULL;
}

static double fastest_approach(const dls_samples *s, size_t j)
{
  double fastest = 0;
  for (size_t k = 0; k < s->rows; k++) {
    fastest = fmax(fastest, -s->u[k * s->m + j]);
  }
  return fastest;
}

/* Was the contact open until shortly before the row? */
static bool is_sudden(const dls_story_facts *facts, size_t j, size_t row)
{
  const dls_samples *s = &facts->samples;
  size_t first = row;
  while (first > 0 && s->g[(first - 1) * s->m + j] < 0) {
    first--;
  }
  return s->t[row] - s->t[first] <= threshold_late_steps * facts->step;
}

static void find_penetration(dls_story_facts *facts, size_t j)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  size_t row = 0;
  for (size_t k = 0; k < s->rows; k++) {
    row = s->g[k * s->m + j] < s->g[row * s->m + j] ? k : row;
  }
  const double depth = -s->g[row * s->m + j];
  for (size_t k = row; k > 0; k--) { /* where it became that deep, but for rounding */
    row = -s->g[(k - 1) * s->m + j] >= (1 - threshold_rounding) * depth ? k - 1 : row;
  }
  if (!(depth > threshold_rounding * fmax(facts->largest_gap[j], facts->pushes.length))) {
    return;
  }
  const double way = facts->step * fastest_approach(s, j);
  const dls_lasting *lasting = lasting_at(facts, j, row);
  const dls_story_fault fault = lasting != NULL && lasting->sinks              ? DLS_FAULT_SINKS
                                : yields(facts->subject->scheme)               ? DLS_FAULT_DEPTH_SPRING
                                : lasting != NULL && !is_sudden(facts, j, row) ? DLS_FAULT_DEPTH
                                : depth <= threshold_late_steps * way          ? DLS_FAULT_DEPTH_STEP
                                                                               : DLS_FAULT_DEPTH;
  dls_story_fault_found(facts, fault, s->t[row], j,
                        dls_pool_print(pool, "It penetrates by up to %.4g m.", depth),
                        dls_pool_print(pool, "row %zu: g%zu = %.6g m; step times fastest approach: %.3g m",
                                       row + 1, j, -depth, way));
}

/* The gap is negative and closes further, without a force, to the end of the file. */
static bool find_passage(dls_story_facts *facts, size_t j)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  size_t k = s->rows - 1;
  while (k > 0 && s->g[(k - 1) * s->m + j] < 0 && s->u[(k - 1) * s->m + j] < 0 &&
         s->g[k * s->m + j] < s->g[(k - 1) * s->m + j] && !dls_motion_pushed(&facts->pushes, j, k - 1)) {
    k--;
  }
  const double size = threshold_rounding * fmax(facts->largest_gap[j], facts->pushes.length);
  const bool passes = s->rows - 1 - k >= STORY_PASSAGE && s->g[(s->rows - 1) * s->m + j] < -size;
  if (passes) {
    dls_story_fault_found(facts, DLS_FAULT_PASSES, s->t[k], j, "It passes through the surface.",
                          dls_pool_print(pool, "rows %zu to %zu: g%zu falls from %.4g to %.4g m, no force",
                                         k + 1, s->rows, j, s->g[k * s->m + j],
                                         s->g[(s->rows - 1) * s->m + j]));
  }
  return passes;
}

/* --- flights --- */

/* A least gap between rows without a force that is far smaller than the gap before. */
static void find_grazing(dls_story_facts *facts, size_t j)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  double before = 0;
  for (size_t k = 1; k + 1 < s->rows; k++) {
    const double g = s->g[k * s->m + j], last = s->g[(k - 1) * s->m + j], next = s->g[(k + 1) * s->m + j];
    const bool force = dls_motion_pushed(&facts->pushes, j, k - 1) || dls_motion_pushed(&facts->pushes, j, k);
    before = force ? 0 : fmax(before, last);
    const bool turns = s->u[(k - 1) * s->m + j] < 0 && s->u[(k + 1) * s->m + j] > 0;
    if (!force && turns && g > 0 && g < last && g <= next && s->t[k - 1] < s->t[k] && s->t[k] < s->t[k + 1] &&
        g < threshold_grazes * before) {
      dls_story_fault_found(
          facts, DLS_FAULT_GRAZES, s->t[k], j,
          "It passes the surface without touching it. A small change of the data makes an impact.",
          dls_pool_print(pool, "row %zu: g%zu = %.3g m is a minimum after %.3g m, without a force", k + 1, j, g,
                         before));
    }
  }
}

static void find_restitution(dls_story_facts *facts)
{
  const dls_motion *motion = &facts->motion;
  dls_pool *pool = &facts->story->pool;
  if (!(motion->figures[DLS_JUDGED_RESTITUTION] > threshold_other_restitution) || motion->impact_count == 0) {
    return;
  }
  const dls_system *sys = facts->subject->sys;
  const dls_judged_impact *x = &motion->impacts[0];
  const double e = dls_law_restitution(sys, x->contact, x->u_minus);
  bool same = true; /* one coefficient for all impacts */
  for (size_t i = 1; i < motion->impact_count; i++) {
    same = same && dls_law_restitution(sys, x[i].contact, x[i].u_minus) == e;
  }
  const char *text =
      same ? dls_pool_print(pool, "Impacts have the restitution %.4g; the law of the model gives %.4g.",
                            motion->restitution, e)
           : dls_pool_print(pool, "Impacts have a restitution that differs by %.4g from that of their laws.",
                            motion->figures[DLS_JUDGED_RESTITUTION]);
  dls_story_fault_found(
      facts, DLS_FAULT_RESTITUTION, x->t, (size_t)DLS_STORY_NO_CONTACT, text,
      dls_pool_print(pool,
                     "median of -u+/u- over the impacts at which no other contact impacts; %zu impacts in all",
                     motion->impact_count));
}

/* --- energy --- */

/* Of any contact between two rows. */
static bool any_force(const dls_story_facts *facts, size_t first, size_t last)
{
  for (size_t k = first; k < last; k++) {
    for (size_t j = 0; j < facts->samples.m; j++) {
      if (dls_motion_pushed(&facts->pushes, j, k)) {
        return true;
      }
    }
  }
  return false;
}

/* Is there no contact force next to row k? At a jump its left limit does not count. */
static bool is_free(const dls_story_facts *facts, size_t k)
{
  const dls_samples *s = &facts->samples;
  const bool left = k + 1 < s->rows && s->t[k + 1] == s->t[k];
  return !left && !any_force(facts, k > 0 ? k - 1 : 0, k + 1 < s->rows ? k + 1 : k);
}

/* Kinetic energy that the work of smooth forces does not explain: since row 0, with the error of that work. A passive contact lowers it.
 * Only rows away from contact forces count: springs store energy, and velocities beside an impact may be means of both sides. */
typedef struct gains {
  size_t count;
  size_t *row;          /* count */
  double *gain, *error; /* count [J] */
  double largest;       /* kinetic energy [J] */
} gains;

static bool find_gains(dls_story_facts *facts, gains *out)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  out->row = dls_pool_take(pool, s->rows * sizeof *out->row);
  out->gain = dls_pool_take(pool, s->rows * sizeof *out->gain);
  out->error = dls_pool_take(pool, s->rows * sizeof *out->error);
  for (size_t k = 0; k < s->rows && !pool->failed; k++) {
    if (!is_free(facts, k)) {
      continue;
    }
    const size_t c = out->count, before = c > 0 ? out->row[c - 1] : k;
    double work = 0, error = 0;
    for (size_t i = 0; i < s->n; i++) {
      const size_t now = k * s->n + i, last = before * s->n + i;
      const double way = s->q[now] - s->q[last];
      work += 0.5 * (s->force[now] + s->force[last]) * way;
      error += threshold_work_error * fabs((s->force[now] - s->force[last]) * way);
    }
    out->largest = fmax(out->largest, s->kinetic[k]);
    out->row[c] = k;
    out->gain[c] = c > 0 ? out->gain[c - 1] + s->kinetic[k] - s->kinetic[before] - work : 0;
    out->error[c] = c > 0 ? out->error[c - 1] + error : 0;
    out->count++;
  }
  return !pool->failed;
}

/* The largest rise of the gain from an earlier row to a later one. */
static void find_rise(dls_story_facts *facts, const gains *x)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  size_t low = 0, first = 0, last = 0;
  for (size_t k = 0; k < x->count; k++) {
    low = x->gain[k] < x->gain[low] ? k : low;
    if (x->gain[k] - x->gain[low] > x->gain[last] - x->gain[first]) {
      first = low;
      last = k;
    }
  }
  const double rise = x->gain[last] - x->gain[first];
  if (!(rise > threshold_energy * x->largest + x->error[last] - x->error[first])) {
    return;
  }
  dls_story_fault_found(
      facts, DLS_FAULT_GAINS, s->t[x->row[first]], (size_t)DLS_STORY_NO_CONTACT,
      dls_pool_print(pool, "Energy is created: %.3g J until %.6g s.", rise, s->t[x->row[last]]),
      dls_pool_print(pool,
                     "rows %zu to %zu: kinetic energy less the work of smooth forces rises by %.4g J of "
                     "%.4g J, error of the work %.1g J",
                     x->row[first] + 1, x->row[last] + 1, rise, x->largest, x->error[last] - x->error[first]));
}

/* The flight that loses most. */
static void find_loss(dls_story_facts *facts, const gains *x)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  size_t first = 0, from = 0, to = 0;
  for (size_t k = 0; k < x->count; k++) {
    if (k + 1 == x->count || any_force(facts, x->row[k], x->row[k + 1])) {
      const bool larger = x->gain[first] - x->gain[k] > x->gain[from] - x->gain[to];
      from = larger ? first : from;
      to = larger ? k : to;
      first = k + 1;
    }
  }
  const double loss = x->gain[from] - x->gain[to];
  if (!(loss > threshold_energy * x->largest + x->error[to] - x->error[from])) {
    return;
  }
  dls_story_fault_found(
      facts, DLS_FAULT_LOSES, s->t[x->row[from]], (size_t)DLS_STORY_NO_CONTACT,
      dls_pool_print(pool, "Without a contact force, %.3g J are lost until %.6g s.", loss, s->t[x->row[to]]),
      dls_pool_print(pool, "rows %zu to %zu: kinetic energy less the work of smooth forces, error %.1g J",
                     x->row[from] + 1, x->row[to] + 1, x->error[to] - x->error[from]));
}

/* Moving surfaces and prescribed motions of joints do work that is not among the smooth forces. */
static bool has_balance(const dls_story_facts *facts)
{
  const dls_system *sys = facts->subject->sys;
  return facts->samples.measured_v && facts->samples.rows > 1 && !dls_system_gap_moves(sys) &&
         sys->surface == NULL && sys->r == 0;
}

/* --- what the file says --- */

static void find_records(dls_story_facts *facts)
{
  const dls_trajectory *traj = facts->subject->traj;
  dls_pool *pool = &facts->story->pool;
  const dls_samples *s = &facts->samples;
  const double last = s->rows > 0 ? s->t[s->rows - 1] : 0;
  if (!traj->complete && traj->failure[0] != '\0') {
    dls_story_finding(facts, last, (size_t)DLS_STORY_NO_CONTACT,
                      dls_pool_print(pool, "The run stops: %s", traj->failure),
                      "line `# complete:` of the file");
  }
  if (facts->subject->recorded != NULL) {
    dls_story_finding(
        facts, NAN, (size_t)DLS_STORY_NO_CONTACT,
        "The file has only a part of the run. Numbers of impacts and their intervals are those of this part.",
        dls_pool_print(pool, "line `# recorded: %s`", facts->subject->recorded));
  }
  size_t missed = 0, merged = 0;
  for (size_t i = 0; i < traj->event_count; i++) {
    missed += traj->events[i].root_missed;
    merged += traj->events[i].merged_count > 0;
    if (traj->events[i].kind == DLS_PAINLEVE) {
      dls_story_finding(facts, traj->events[i].t, traj->events[i].contact,
                        "Painlevé paradox: no contact force is consistent with slip, and an impulse ends it.",
                        dls_pool_print(pool, "event of kind %s", dls_event_kind_name(DLS_PAINLEVE)));
    }
  }
  if (missed + merged > 0) {
    dls_story_finding(facts, NAN, (size_t)DLS_STORY_NO_CONTACT,
                      dls_pool_print(pool,
                                     "The root finder missed %zu events; %zu events merge several impacts.",
                                     missed, merged),
                      "members `root_missed` and `merged` of the file's events");
  }
}

/* Is it a warning of this kind? */
static bool is_warning(const char *text, dls_warning_kind kind)
{
  return strncmp(text, dls_warning_name(kind), strcspn(text, ",")) == 0;
}

/* Warnings of the file that no finding repeats. */
static void find_warnings(dls_story_facts *facts)
{
  const dls_trajectory *traj = facts->subject->traj;
  const size_t *found = facts->found;
  const bool deep = found[DLS_FAULT_SINKS] + found[DLS_FAULT_DEPTH] + found[DLS_FAULT_DEPTH_STEP] +
                        found[DLS_FAULT_DEPTH_SPRING] + found[DLS_FAULT_PASSES] >
                    0;
  const bool created = found[DLS_FAULT_GAINS] > 0;
  for (size_t i = 0; i < dls_trajectory_warning_count(traj); i++) {
    const char *warning = dls_trajectory_warning(traj, i);
    if (!(deep && is_warning(warning, DLS_WARN_PENETRATION)) &&
        !(created && is_warning(warning, DLS_WARN_ENERGY))) {
      dls_story_finding(facts, NAN, (size_t)DLS_STORY_NO_CONTACT,
                        dls_pool_print(&facts->story->pool, "The run reported a warning: %s.", warning),
                        "line `# warning:` of the file");
    }
  }
}

static void find_unknown(dls_story_facts *facts, size_t free_rows)
{
  if (!facts->samples.measured_v) {
    dls_story_finding(
        facts, NAN, (size_t)DLS_STORY_NO_CONTACT,
        "The file has no velocities: they are differences of positions, and energy is not examined.",
        "no column v0");
  } else if (!has_balance(facts)) {
    dls_story_finding(facts, NAN, (size_t)DLS_STORY_NO_CONTACT, "Energy is not examined.",
                      "surfaces or joints of this model may do work, which the file does not contain");
  } else if (free_rows < 2) {
    dls_story_finding(facts, NAN, (size_t)DLS_STORY_NO_CONTACT, "Energy is not examined.",
                      "contact forces act at all rows, and the energy that they store is not known");
  }
}

/* Contacts beyond the first STORY_CONTACTS with a fault. */
static void count_left(dls_story_facts *facts)
{
  static const char *const names[DLS_STORY_FAULTS] = {
      [DLS_FAULT_SINKS] = "sinking or of its penetration",
      [DLS_FAULT_DEPTH] = "penetration",
      [DLS_FAULT_DEPTH_STEP] = "penetration that the step explains",
      [DLS_FAULT_DEPTH_SPRING] = "penetration of springs",
      [DLS_FAULT_PASSES] = "passage through the surface",
      [DLS_FAULT_BOUNCES] = "impacts at rest",
      [DLS_FAULT_CREEPS] = "creep",
      [DLS_FAULT_GRAZES] = "passage without touching",
  };
  for (int i = 0; i < DLS_STORY_FAULTS; i++) {
    if (facts->found[i] > STORY_CONTACTS && names[i] != NULL) {
      dls_story_finding(facts, NAN, (size_t)DLS_STORY_NO_CONTACT,
                        dls_pool_print(&facts->story->pool, "%zu more cases of %s.",
                                       facts->found[i] - STORY_CONTACTS, names[i]),
                        dls_pool_print(&facts->story->pool, "only the first %d are reported", STORY_CONTACTS));
    }
  }
}

void dls_story_findings(dls_story_facts *facts)
{
  gains x = {0};
  find_records(facts);
  for (size_t i = 0; i < facts->lasting_count; i++) {
    find_sinking(facts, &facts->lasting[i]);
    find_bounces(facts, &facts->lasting[i]);
    if (facts->samples.d > 1 && facts->subject->sys->mu[facts->lasting[i].contact] > 0) {
      find_creep(facts, &facts->lasting[i]);
    }
  }
  for (size_t j = 0; j < facts->samples.m && facts->samples.rows > 0; j++) {
    if (!find_passage(facts, j)) {
      find_penetration(facts, j);
    }
    find_grazing(facts, j);
  }
  find_restitution(facts);
  if (has_balance(facts) && find_gains(facts, &x)) {
    find_rise(facts, &x);
    find_loss(facts, &x);
  }
  count_left(facts);
  find_warnings(facts);
  find_unknown(facts, x.count);
}
