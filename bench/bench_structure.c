/* bench_structure.c -- what structure costs: nanoseconds per degree of freedom and step on an elastic bar (linear
 * elements, consistent mass, one contact), per contact and step in a column of beads at rest, growth exponents, and
 * bytes; processor time; beside loops written by hand for the same two problems in the same process.
 *   bench_structure [bar|column|falling|membrane|stiff]
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/hand_loops.h"
#include "bench/limits.h"
#include "bench/structures.h"
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REPEATS = 5 };

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Resident memory in bytes (Linux). */
static double resident(void)
{
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file != NULL) {
    if (fscanf(file, "%*d %ld", &pages) != 1) {
      pages = 0;
    }
    fclose(file);
  }
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* The beads land one after the other, the last after 120 steps of 1e-3: contacts close in every step that is timed. */
static dls_system *falling(size_t n)
{
  return column_of(n, 0.07 / (double)n);
}

static void press(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -1;
  }
}

/* On a membrane of that stiffness, by its curvature. */
static const double stiffness = 4e6;
static void press_hard(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -40 * stiffness / (double)sys->n;
  }
}

static dls_system *membrane(size_t n)
{
  return membrane_of(n, 1, press);
}

/* h^2/4 K is 10^4 M. */
static dls_system *stiff_membrane(size_t n)
{
  return membrane_of(n, stiffness, press_hard);
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Seconds of a step: median over REPEATS times `steps` steps, after as many to warm up. */
static double step_time(const dls_system *sys, const char *scheme, double h, size_t steps)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  double times[REPEATS];
  stop_if(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), &err);
  stop_if(dls_sim_start(sim, &err), &err);
  for (int r = -1; r < REPEATS; r++) {
    const double begin = seconds();
    for (size_t k = 0; k < steps; k++) {
      stop_if(dls_sim_advance(sim, h, &err), &err);
    }
    times[r < 0 ? 0 : r] = (seconds() - begin) / (double)steps;
  }
  dls_sim_destroy(sim);
  qsort(times, REPEATS, sizeof *times, compare);
  return times[REPEATS / 2];
}

/* Seconds of a step of a loop written by hand, likewise. */
static double hand_time(hand_loop (*make)(size_t n), size_t n, size_t steps)
{
  hand_loop loop = make(n);
  double times[REPEATS];
  for (int r = -1; r < REPEATS; r++) {
    const double begin = seconds();
    for (size_t k = 0; k < steps; k++) {
      loop.step(&loop);
    }
    times[r < 0 ? 0 : r] = (seconds() - begin) / (double)steps;
  }
  hand_loop_free(&loop);
  qsort(times, REPEATS, sizeof *times, compare);
  return times[REPEATS / 2];
}

typedef struct problem {
  const char *name, *unit;
  dls_system *(*make)(size_t n);
  hand_loop (*by_hand)(size_t n);
  double step; /* 0: half of what a wave takes to pass an element */
  const char *const *schemes;
  size_t sizes[4];               /* ends with 0 */
  size_t most;                   /* times size: the steps that are timed */
  const char *limited;           /* scheme that has limits, in the table of all; or NULL */
  double most_ns, most_exponent; /* at n = 10000 */
  double most_bytes;             /* of a run, beside its system */
} problem;

static double step_of(const problem *p, size_t n)
{
  return p->step > 0 ? p->step : 0.5 / (double)n;
}

static void note_limits(const problem *p, const char *scheme, double ns, double exponent)
{
  char work[120];
  if (p->limited == NULL || scheme == NULL || strcmp(scheme, p->limited) != 0) {
    return;
  }
  if (p->most_ns > 0) {
    snprintf(work, sizeof work, "%s of 10000, %s, a %s and step", p->name, scheme, p->unit);
    limit_at_most(work, "ns", ns, NAN, NAN, p->most_ns);
  }
  snprintf(work, sizeof work, "%s, %s, growth exponent", p->name, scheme);
  limit_at_most(work, "", exponent, NAN, NAN, p->most_exponent);
}

/* One line: the sizes side by side, then the growth exponent from the first to the last. */
static void line(const problem *p, const char *scheme)
{
  double first = 0, exponent = 0, ns = 0;
  printf("%-32s", scheme == NULL ? "by hand" : scheme);
  for (size_t k = 0; p->sizes[k] != 0; k++) {
    const size_t n = p->sizes[k], steps = p->most / n + 20;
    dls_system *sys = p->make(n);
    const double time =
        scheme == NULL ? hand_time(p->by_hand, n, steps) : step_time(sys, scheme, step_of(p, n), steps);
    dls_system_destroy(sys);
    first = k == 0 ? time : first;
    exponent = k == 0 ? 0 : log(time / first) / log((double)n / (double)p->sizes[0]);
    printf(" %12.2f", 1e9 * time / (double)n);
    fflush(stdout);
    ns = n == 10000 ? 1e9 * time / (double)n : ns;
  }
  printf(" %12.2f\n", exponent);
  note_limits(p, scheme, ns, exponent);
}

static void table(const problem *p)
{
  printf("%s: ns per %s and step\n%-32s", p->name, p->unit, "");
  for (size_t k = 0; p->sizes[k] != 0; k++) {
    printf("   n = %6zu", p->sizes[k]);
  }
  printf(" %12s\n", "exponent");
  if (p->by_hand != NULL) {
    line(p, NULL);
  }
  for (size_t i = 0; p->schemes[i] != NULL; i++) {
    line(p, p->schemes[i]);
  }
}

/* Bytes per degree of freedom of one run, and those of its system. */
static void memory(const problem *p, const char *scheme)
{
  const size_t n = p->sizes[2] > 0 ? p->sizes[2] : p->sizes[1];
  dls_error err = {0};
  dls_sim *sim = NULL;
  const double before = resident();
  dls_system *sys = p->make(n);
  const double system = resident() - before;
  stop_if(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), &err);
  stop_if(dls_sim_start(sim, &err), &err);
  for (int k = 0; k < 3; k++) {
    stop_if(dls_sim_advance(sim, step_of(p, n), &err), &err);
  }
  const double bytes = (resident() - before - system) / (double)n;
  printf("%s, %s: %.0f bytes per %s and %.0f of the system\n", p->name, scheme, bytes, p->unit,
         system / (double)n);
  if (p->most_bytes > 0) {
    char work[120];
    snprintf(work, sizeof work, "%s of %zu, %s, memory of a %s", p->name, n, scheme, p->unit);
    limit_at_most(work, "B", bytes, NAN, NAN, p->most_bytes);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

static const char *const bar_schemes[] = {"moreau-jean",
                                          "moreau-jean-variant",
                                          "schatzman-paoli",
                                          "nonsmooth-newmark",
                                          "nonsmooth-hht",
                                          "nonsmooth-generalized-alpha",
                                          "fully-implicit-newmark",
                                          "conserving-penalty",
                                          NULL};
static const char *const column_schemes[] = {"moreau-jean",       "moreau-jean-variant", "schatzman-paoli",
                                             "nonsmooth-newmark", "conserving-penalty",  NULL};
static const char *const falling_schemes[] = {"moreau-jean", "schatzman-paoli", NULL};
static const char *const membrane_schemes[] = {"schatzman-paoli",
                                               "moreau-jean",
                                               "nonsmooth-newmark",
                                               "nonsmooth-hht",
                                               "nonsmooth-generalized-alpha",
                                               "fully-implicit-newmark",
                                               NULL}; /* the first is explicit */
static const problem problems[] = {
    {.name = "bar",
     .unit = "dof",
     .make = bar,
     .by_hand = hand_bar,
     .schemes = bar_schemes,
     .sizes = {1000, 10000, 100000},
     .most = 2000000},
    {.name = "column",
     .unit = "contact",
     .make = column,
     .by_hand = hand_column_at_rest,
     .step = 1e-3,
     .schemes = column_schemes,
     .sizes = {1000, 10000, 100000},
     .most = 2000000},
    {.name = "falling",
     .unit = "contact",
     .make = falling,
     .step = 1e-3,
     .schemes = falling_schemes,
     .sizes = {1000, 10000, 100000},
     .limited = "schatzman-paoli",
     .most_exponent = 1.1},
    {.name = "membrane",
     .unit = "contact",
     .make = membrane,
     .step = 0.05,
     .schemes = membrane_schemes,
     .sizes = {900, 10000, 99856},
     .most = 20000,
     .limited = "moreau-jean",
     .most_ns = 100,
     .most_exponent = 1.1,
     .most_bytes = 500},
    {.name = "stiff",
     .unit = "contact",
     .make = stiff_membrane,
     .step = 0.05,
     .schemes = membrane_schemes + 1,
     .sizes = {900, 10000},
     .most = 2000,
     .limited = "moreau-jean",
     .most_ns = 2000,
     .most_exponent = 1.1,
     .most_bytes = 500},
};

int main(int argc, char **argv)
{
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
    if (argc < 2 || strcmp(argv[1], problems[i].name) == 0) {
      memory(&problems[i], "moreau-jean");
      table(&problems[i]);
    }
  }
  return 0;
}
