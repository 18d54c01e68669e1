/* bar_wave.c -- d'Alembert's solution of the bouncing bar, from one front at the lower end to the next.
 *
 * Let d(t) = f(t - T) be the wave that comes down to the lower end, and s(t) = g t - 2 d(t). In contact N = rho c A s,
 * in flight u_t(0,t) = -s. So contact lasts until s becomes negative, and then the lower end leaves with the speed -s;
 * it is back when the integral of s is 0. s' is g or -g between jumps, so all of that is solving quadratic equations.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/bar_front.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { SEGMENTS_MAX = 1000000 };

/* Signs of s smaller than this part of the velocities that it is made of are rounding: a thousand roundings of a
 * long double, for the sums over many reflections. */
static const long double rounding = 1e-16L;

/* The lower end between two fronts: right limits at t. */
typedef struct lower_end {
  long double t, height;
  long double d, d_rate; /* incoming wave */
  long double s, s_rate;
} lower_end;

static long double clip(long double x, long double low, long double high)
{
  return fminl(fmaxl(x, low), high);
}

size_t dls_bar_segment_at(const dls_bar_wave *wave, long double t)
{
  size_t low = 0, high = wave->count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (wave->segments[middle].t <= t) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Time since the start of a segment: negative where the segment before has the same f. */
static long double since(const dls_bar_wave *wave, size_t segment, long double t)
{
  return t - wave->segments[segment].t;
}

dls_bar_field dls_bar_wave_on(const dls_bar_wave *wave, size_t up, size_t down, long double past, long double t)
{
  const dls_bar_segment *a = &wave->segments[up], *b = &wave->segments[down];
  const long double x = since(wave, up, t - past), y = since(wave, down, t + past - wave->T);
  const long double g = wave->data.gravity, start = wave->data.gap + wave->data.v0 * wave->T / 2;
  const long double Fa = a->F + x * (a->f + x * a->rate / 2), Fb = b->F + y * (b->f + y * b->rate / 2);
  const long double fa = a->f + x * a->rate, fb = b->f + y * b->rate;
  return (dls_bar_field){.u = (double)(start + Fa + Fb - g * t * t / 2),
                         .v = (double)(fa + fb - g * t),
                         .a = (double)(a->rate + b->rate - g),
                         .stress = (double)(wave->data.rho * wave->c * (fb - fa))};
}

double dls_bar_wave_press(const dls_bar_wave *wave, size_t down, long double t)
{
  const dls_bar_segment *b = &wave->segments[down];
  const long double d = b->f + since(wave, down, t - wave->T) * b->rate;
  const long double s = wave->data.gravity * t - 2 * d;
  return (double)(wave->data.rho * wave->c * wave->data.A * fmaxl(s, 0));
}

static lower_end lower_end_at(const dls_bar_wave *wave, size_t down, long double t, long double height)
{
  const long double g = wave->data.gravity;
  const dls_bar_segment *b = &wave->segments[down];
  lower_end now = {.t = t, .height = height, .d_rate = b->rate};
  now.d = b->f + since(wave, down, t - wave->T) * b->rate;
  now.s = g * t - 2 * now.d;
  now.s_rate = g - 2 * now.d_rate;
  return now;
}

/* The sign of s right after t. */
static int sign(const dls_bar_wave *wave, const lower_end *now)
{
  const long double scale = fabsl(wave->data.v0) + wave->data.gravity * fmaxl(now->t, wave->T);
  const long double s = fabsl(now->s) > rounding * scale ? now->s : now->s_rate;
  return (s > 0) - (s < 0);
}

/* In contact: s falls through zero after x, or never. In flight: the height becomes zero. */
static long double next_change(const lower_end *now, bool closed)
{
  const long double s = now->s, rate = now->s_rate, y = now->height;
  if (closed) {
    return rate < 0 ? fmaxl(s, 0) / -rate : (long double)INFINITY;
  }
  if (!(y > 0)) { /* just left if s <= 0, else there by rounding */
    return s > 0 ? 0 : rate > 0 ? -2 * s / rate : (long double)INFINITY;
  }
  const long double square = s * s + 2 * rate * y; /* y - s x - rate x^2/2 = 0 */
  const long double sum = s + sqrtl(fmaxl(square, 0));
  return square >= 0 && sum > 0 ? 2 * y / sum : (long double)INFINITY;
}

static dls_status push(dls_bar_wave *wave, const dls_bar_segment *next, dls_error *err)
{
  if (wave->count >= SEGMENTS_MAX) {
    return dls_fail(err, DLS_ERR_CHATTERING, "bar wave: %d fronts by t = %.9g s, no more are computed",
                    (int)SEGMENTS_MAX, (double)next->t);
  }
  if (wave->count == wave->capacity) {
    const size_t capacity = 2 * wave->capacity + 8;
    dls_bar_segment *more = realloc(wave->segments, capacity * sizeof *more);
    if (more == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "bar wave: no memory for %zu fronts", capacity);
    }
    wave->segments = more;
    wave->capacity = capacity;
  }
  wave->segments[wave->count++] = *next;
  return DLS_OK;
}

/* What the change from contact to flight or back is called; before is the velocity s until now. */
static void name_event(dls_bar_segment *next, bool arrives, bool was_closed, long double before,
                       const lower_end *now)
{
  next->kind = DLS_BAR_NO_EVENT;
  next->u_plus = next->closed ? 0 : (double)(0 - now->s); /* not -0 */
  if (was_closed && !next->closed) {
    next->kind = DLS_LIFT_OFF;
  } else if (arrives) {
    next->u_minus = (double)(0 - before);
    next->kind = next->u_minus < next->u_plus ? DLS_IMPACT : next->closed ? DLS_LANDING : DLS_GRAZING;
  }
}

/* The segment that starts at now, unless nothing changes. */
static dls_status begin(dls_bar_wave *wave, const lower_end *now, bool arrives, long double before,
                        dls_error *err)
{
  const dls_bar_segment *last = &wave->segments[wave->count - 1];
  const long double g = wave->data.gravity;
  const bool low = arrives || last->closed;
  dls_bar_segment next = {.t = now->t};
  next.closed = low && sign(wave, now) >= 0;
  next.f = next.closed ? g * now->t - now->d : now->d;
  next.rate = next.closed ? g - now->d_rate : now->d_rate;
  name_event(&next, arrives, last->closed, before, now);
  const long double x = next.t - last->t, jump = next.f - (last->f + x * last->rate);
  const long double scale = fabsl(wave->data.v0) + g * fmaxl(now->t, wave->T);
  next.F = last->F + x * (last->f + x * last->rate / 2);
  next.front = next.rate != last->rate || fabsl(jump) > rounding * scale;
  const bool changes = next.front || next.kind != DLS_BAR_NO_EVENT || next.t == 0;
  return changes ? push(wave, &next, err) : DLS_OK;
}

/* From one change at the lower end to the next: a front that comes back, a lift-off, an impact. */
static dls_status march(dls_bar_wave *wave, dls_error *err)
{
  const long double near = 64 * LDBL_EPSILON; /* times closer than this part of them are one */
  lower_end now = lower_end_at(wave, 0, 0, wave->data.gap);
  size_t down = 0;
  dls_status status = begin(wave, &now, wave->data.gap <= 0 && wave->data.v0 <= 0, now.s, err);
  while (status == DLS_OK) {
    const bool closed = wave->segments[wave->count - 1].closed;
    now.s = !closed && now.height <= 0 ? fminl(now.s, 0) : now.s; /* it leaves: a positive s is rounding */
    const long double back =
        down + 1 < wave->count ? wave->segments[down + 1].t + wave->T : (long double)INFINITY;
    const long double change = now.t + next_change(&now, closed);
    const bool changes = change < back * (1 + near), returns = back <= change * (1 + near);
    const long double t = returns ? back : change, x = t - now.t;
    if (!(t <= wave->end)) {
      break;
    }
    const long double height = closed ? 0 : fmaxl(0, now.height - x * (now.s + x * now.s_rate / 2));
    const long double before = now.s + x * now.s_rate;
    down += returns;
    now = lower_end_at(wave, down, t, changes ? 0 : height);
    now.s = closed && changes && !returns ? 0 : now.s;
    status = begin(wave, &now, !closed && changes, before, err);
  }
  return status;
}

static dls_status check(const dls_bar_wave_data *data, double end, dls_error *err)
{
  const struct {
    const char *name;
    double value;
    bool positive;
  } entries[] = {{"E", data->E, true}, {"rho", data->rho, true},  {"A", data->A, true},
                 {"L", data->L, true}, {"gap", data->gap, false}, {"gravity", data->gravity, false},
                 {"end", end, false}};
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    const double x = entries[i].value;
    if (!(isfinite(x) && (x > 0 || (x == 0 && !entries[i].positive)))) {
      return dls_fail(err, DLS_ERR_ARG, "bar wave: %s = %g, must be finite and %s", entries[i].name, x,
                      entries[i].positive ? "> 0" : ">= 0");
    }
  }
  return isfinite(data->v0) ? DLS_OK
                            : dls_fail(err, DLS_ERR_ARG, "bar wave: v0 = %g, must be finite", data->v0);
}

dls_status dls_bar_wave_create(const dls_bar_wave_data *data, double end, dls_bar_wave **out, dls_error *err)
{
  dls_status status = check(data, end, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_bar_wave *wave = calloc(1, sizeof *wave);
  if (wave == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "bar wave: no memory");
  }
  wave->data = *data;
  wave->c = sqrtl((long double)data->E / data->rho);
  wave->T = 2 * data->L / wave->c;
  wave->end = end;
  const dls_bar_segment first = {.t = -wave->T,
                                 .f = (long double)data->v0 / 2,
                                 .F = -(long double)data->v0 / 2 * wave->T,
                                 .kind = DLS_BAR_NO_EVENT};
  status = push(wave, &first, err);
  status = status == DLS_OK ? march(wave, err) : status;
  if (status != DLS_OK) {
    dls_bar_wave_destroy(wave);
    return status;
  }
  *out = wave;
  return DLS_OK;
}

void dls_bar_wave_destroy(dls_bar_wave *wave)
{
  if (wave != NULL) {
    free(wave->segments);
    free(wave);
  }
}

/* The segment of f(t) from one side; a front within two roundings of t counts as there. */
static size_t segment_beside(const dls_bar_wave *wave, long double t, long double scale, int side)
{
  const long double reach = 2 * (long double)DBL_EPSILON * scale;
  const size_t later = dls_bar_segment_at(wave, t + reach);
  return side < 0 && later > 0 && wave->segments[later].t >= t - reach ? later - 1 : later;
}

dls_bar_field dls_bar_wave_at(const dls_bar_wave *wave, double X, double t, int side)
{
  const long double time = clip(t, 0, wave->end), past = clip(X, 0, wave->data.L) / wave->c;
  const long double scale = time + wave->T;
  const size_t up = segment_beside(wave, time - past, scale, side);
  const size_t down = segment_beside(wave, time + past - wave->T, scale, side);
  return dls_bar_wave_on(wave, up, down, past, time);
}

double dls_bar_wave_force(const dls_bar_wave *wave, double t, int side)
{
  const long double time = clip(t, 0, wave->end), scale = time + wave->T;
  const size_t up = segment_beside(wave, time, scale, side);
  return wave->segments[up].closed
             ? dls_bar_wave_press(wave, segment_beside(wave, time - wave->T, scale, side), time)
             : 0;
}

static bool opens_contact(const dls_bar_segment *at)
{
  return at->kind == DLS_IMPACT || at->kind == DLS_LANDING;
}

size_t dls_bar_wave_contacts(const dls_bar_wave *wave)
{
  size_t count = 0;
  for (size_t i = 0; i < wave->count; i++) {
    count += opens_contact(&wave->segments[i]);
  }
  return count;
}

dls_bar_contact dls_bar_wave_contact(const dls_bar_wave *wave, size_t i)
{
  const dls_bar_segment *at = wave->segments, *last = at + wave->count - 1;
  for (size_t found = 0; at < last && (found += opens_contact(at)) <= i; at++) {
  }
  dls_bar_contact contact = {(double)at->t, at->closed ? (double)INFINITY : (double)at->t, at->u_minus,
                             at->u_plus};
  for (; at->closed && at < last; at++) {
    contact.end = at[1].closed ? (double)INFINITY : (double)at[1].t;
    contact.u_plus = at[1].u_plus;
  }
  return contact;
}
