/* soak_friction_events.c -- event-driven with friction on random systems: drops, slides, impacts by every law.
 *
 *   soak_friction_events FIRST COUNT [FIRST COUNT]...
 *
 * System i has 1 to 6 contacts, in the plane for four of five, else in space. A line for each, with
 *   events  of the run
 *   gain    largest energy that the impulses of an instant make [J], where the law forbids it (fremond; one e for all with
 *           moreau; e = 0 with newton-coulomb)
 *   gap     least gap, in units of the tolerance of gaps
 *   left    largest residual of the equations of motion and of impact, and of cones and gaps, which recomputed.c finds in what is
 *           recorded
 *   verdict ok; chattering, jam, slow, unsolved, other: the run ended early and said so; FAIL: gain, penetration or left
 * Exit status 0: no FAIL. All of them: friction_events.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "recomputed.h"
#include <delassus/law.h>
#include <delassus/scheme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const dls_scheme dls_scheme_event_driven;
extern const dls_model dls_model_random_frictional;
extern const dls_law dls_law_newton_coulomb, dls_law_fremond, dls_law_moreau, dls_law_poisson;

static const dls_law *const laws[] = {&dls_law_newton_coulomb, &dls_law_fremond, &dls_law_moreau,
                                      &dls_law_poisson};
static const double tol = 1e-8, end = 3;
static const double patience = 20;    /* s of processor time */
static const double rounding = 1e-9;  /* gain allowed, of the energy scale 1 J */
static const double most_left = 1e-6; /* a hundred times the tolerance */
static const double deepest = 2;      /* [eps_g]: penetration allowed */
enum { MOST_CONTACTS = 6, PARAMETERS = 10 };

static double uniform(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef struct sample {
  unsigned long i;
  dls_system *sys;
  const dls_law *law;
  bool dissipates;
} sample;

/* n, m, dim, seed, e, mu, surface, damping, amplitude, omega. */
static sample draw(unsigned long i)
{
  uint64_t state = 1000003 * (uint64_t)i + 29;
  dls_error err = {0};
  sample s = {.i = i, .law = laws[i % 4]};
  const double dim = i % 5 < 4 ? 2 : 3, m = 1 + floor(MOST_CONTACTS * uniform(&state));
  const double e = uniform(&state) < 0.3 ? 0 : uniform(&state);
  const double p[PARAMETERS] = {dim * m + floor(4 * uniform(&state)),
                                m,
                                dim,
                                (double)i,
                                e,
                                2 * uniform(&state),
                                uniform(&state) < 0.5 ? 0 : uniform(&state),
                                0.3 * uniform(&state),
                                3 * uniform(&state),
                                1 + 3 * uniform(&state)};
  if (dls_model_create(&dls_model_random_frictional, p, &s.sys, &err) != DLS_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  for (size_t j = 0; j < s.sys->m; j++) {
    s.sys->law[j] = s.sys->mu[j] > 0 ? s.law : NULL;
    s.sys->e[j] = s.law == &dls_law_moreau ? e : s.sys->e[j];
  }
  s.dissipates =
      s.law == &dls_law_fremond || s.law == &dls_law_moreau || (s.law == &dls_law_newton_coulomb && e == 0);
  return s;
}

/* Largest work of the impulses of one instant. */
static double gain(const dls_trajectory *traj)
{
  double most = 0, sum = 0;
  for (size_t k = 0; k < traj->event_count; k++) {
    const dls_event *event = &traj->events[k];
    sum = k > 0 && event->t == event[-1].t ? sum : 0;
    sum += event->kind == DLS_ACCUMULATION ? 0 : event->work_normal + event->work_friction;
    if (k + 1 == traj->event_count || event[1].t != event->t) {
      most = fmax(most, sum);
    }
  }
  return most;
}

static bool within_patience(void *data, double t)
{
  (void)t;
  return (double)(clock() - *(const clock_t *)data) < patience * CLOCKS_PER_SEC;
}

static const char *verdict_of(dls_status status)
{
  switch (status) {
  case DLS_OK:
    return "ok";
  case DLS_ERR_CHATTERING:
    return "chattering";
  case DLS_ERR_PAINLEVE:
    return "jam";
  case DLS_ERR_INTERRUPTED:
    return "slow";
  case DLS_ERR_LCP:
  case DLS_ERR_NOCONV:
    return "unsolved";
  case DLS_ERR_PENETRATION:
    return "FAIL";
  default:
    return "other";
  }
}

/* @return false if it fails */
static bool run(sample s)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  clock_t begin = clock();
  if (dls_sim_create(s.sys, &dls_scheme_event_driven, &sim, &err) != DLS_OK ||
      dls_sim_set(sim, "tol=1e-8", &err) != DLS_OK || dls_sim_set(sim, "max_events=20000", &err) != DLS_OK) {
    exit(2);
  }
  dls_trajectory *traj = dls_sim_trajectory(sim, &err);
  const dls_run_spec spec = {.end = end, .record = traj, .poll = within_patience, .poll_data = &begin};
  const dls_status status = dls_run(sim, &spec, &err);
  const double more = s.dissipates ? gain(traj) : 0, gap = sim->worst_gap / (tol * s.sys->length);
  const recomputed left = recomputed_residuals(s.sys, traj);
  const double worst = fmax(fmax(left.motion, left.jump), fmax(left.gap, left.unlawful));
  const bool good = (worst <= most_left || status != DLS_OK) && more <= rounding && gap >= -deepest &&
                    status != DLS_ERR_PENETRATION;
  printf("system=%lu dim=%zu contacts=%zu law=%s events=%zu gain=%.3g gap=%.3g left=%.2g seconds=%.2f "
         "verdict=%s%s%s\n",
         s.i, s.sys->d, s.sys->m, s.law->name, traj->event_count, more, gap, worst,
         (double)(clock() - begin) / CLOCKS_PER_SEC, good ? verdict_of(status) : "FAIL",
         status != DLS_OK ? " why: " : "", status != DLS_OK ? err.text : "");
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  dls_system_destroy(s.sys);
  return good;
}

int main(int argc, char **argv)
{
  bool good = argc >= 3;
  for (int k = 1; k + 1 < argc; k += 2) {
    const unsigned long first = strtoul(argv[k], NULL, 10), count = strtoul(argv[k + 1], NULL, 10);
    for (unsigned long i = first; i < first + count; i++) {
      good = run(draw(i)) && good;
      fflush(stdout);
    }
  }
  return good ? 0 : 1;
}
