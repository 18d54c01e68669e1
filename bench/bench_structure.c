/* bench_structure.c -- what structure costs: nanoseconds per degree of freedom and step on an elastic bar (linear
 * elements, consistent mass, one contact), per contact and step in a column of beads at rest, growth exponents, and
 * bytes; processor time; beside loops written by hand for the same two problems in the same process.
 *   bench_structure [bar|column|falling|membrane|stiff]
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

static void stop_if(dls_status status, const dls_error *err)
{
  if (status != DLS_OK) {
    fprintf(stderr, "%s\n", err->text);
    exit(1);
  }
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

/* n linear elements of a bar of length 1 with E = rho = 1 that comes down with velocity 1 on a floor; the time in
 * which a wave passes an element is 1 / n. */
static dls_system *bar(size_t n)
{
  const size_t nodes = n + 1;
  const double length = 1 / (double)n;
  dls_system *sys = dls_system_create(nodes, 1);
  sys->linear = true;
  sys->M = dls_matrix_band(nodes, 1, 1);
  sys->K = dls_matrix_band(nodes, 1, 1);
  sys->H = dls_matrix_sparse(nodes, 1, 1);
  for (size_t j = 0; j < nodes; j++) {
    const double share = j == 0 || j == n ? 1 : 2; /* elements at the node */
    dls_matrix_set(sys->M, j, j, share * length / 3);
    dls_matrix_set(sys->K, j, j, share / length);
    if (j > 0) {
      dls_matrix_set(sys->M, j - 1, j, length / 6);
      dls_matrix_set(sys->M, j, j - 1, length / 6);
      dls_matrix_set(sys->K, j - 1, j, -1 / length);
      dls_matrix_set(sys->K, j, j - 1, -1 / length);
    }
    sys->v0[j] = -1;
  }
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->e[0] = 0;
  return sys;
}

/* @param gap  between two beads, and below the lowest */
static dls_system *column_of(size_t n, double gap)
{
  dls_error err = {0};
  const dls_model *model = dls_model_find("bead-column", &err);
  double p[16];
  dls_option_defaults(model->parameters, p);
  p[dls_option_find(model->parameters, "N")] = (double)n;
  p[dls_option_find(model->parameters, "gap")] = gap;
  dls_system *sys = NULL;
  stop_if(dls_model_create(model, p, &sys, &err), &err);
  return sys;
}

static dls_system *column(size_t n)
{
  return column_of(n, 0);
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

/* A membrane on a square grid of about n points, pressed on a wavy obstacle, a contact at every point: W is full. */
static dls_system *membrane_of(size_t n, double k, void (*load)(const dls_system *sys, double t, double *F))
{
  const size_t side = (size_t)sqrt((double)n);
  n = side * side;
  dls_system *sys = dls_system_create(n, n);
  sys->linear = true;
  sys->load = load;
  sys->M = dls_matrix_diagonal(n);
  sys->K = dls_matrix_sparse(n, n, 5 * n);
  sys->H = dls_matrix_sparse(n, n, n);
  for (size_t j = 0; j < n; j++) {
    const double x = (double)(j % side) / (double)side, y = (double)(j / side) / (double)side;
    dls_matrix_set(sys->M, j, j, 1);
    if (j >= side) {
      dls_matrix_set(sys->K, j - side, j, -k);
    }
    if (j % side > 0) {
      dls_matrix_set(sys->K, j - 1, j, -k);
    }
    dls_matrix_set(sys->K, j, j, 4 * k);
    if (j % side + 1 < side) {
      dls_matrix_set(sys->K, j + 1, j, -k);
    }
    if (j + side < n) {
      dls_matrix_set(sys->K, j + side, j, -k);
    }
    dls_matrix_set(sys->H, j, j, 1);
    sys->w[j] = 0.2 * sin(9 * x) * cos(7 * y);
    sys->q0[j] = 0.2;
  }
  return sys;
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

/* Moreau-Jean with theta = 1/2 on the bar, as it is written for this bar alone: K v_theta and L D L^T. */
static double bar_by_hand(size_t n, size_t steps)
{
  const size_t nodes = n + 1;
  const double h = 0.5 / (double)n, length = 1 / (double)n;
  double *block = calloc(6 * nodes, sizeof *block);
  double *q = block, *v = block + nodes, *x = block + 2 * nodes, *d = block + 3 * nodes, *l = block + 4 * nodes,
         *column_0 = block + 5 * nodes;
  const double off = length / 6 - h * h / 4 / length;
  for (size_t i = 0; i < nodes; i++) {
    const double share = i == 0 || i == n ? 1 : 2;
    d[i] = share * (length / 3 + h * h / 4 / length) - (i > 0 ? l[i - 1] * off : 0);
    l[i] = off / d[i];
    v[i] = -1;
  }
  for (size_t i = 0; i < nodes; i++) {
    d[i] = 1 / d[i];
  }
  double times[REPEATS];
  for (int r = -2; r < REPEATS; r++) {
    const double begin = seconds();
    for (size_t k = 0; k < (r == -2 ? 1 : steps); k++) {
      double *y = r == -2 ? column_0 : x; /* first of all the column of the contact */
      double before = 0, here = q[0] + h / 2 * v[0];
      for (size_t i = 0; i < nodes; i++) {
        const double after = i < n ? q[i + 1] + h / 2 * v[i + 1] : here;
        const double left = i > 0 ? before : here;
        y[i] = r == -2 ? (double)(i == 0) : -h / length * (2 * here - left - after);
        y[i] -= i > 0 ? l[i - 1] * y[i - 1] : 0;
        before = here;
        here = after;
      }
      y[n] *= d[n];
      for (size_t i = n; i-- > 0;) {
        y[i] = y[i] * d[i] - l[i] * y[i + 1];
      }
      if (r == -2) {
        continue;
      }
      const double u = v[0] + y[0], p = q[0] + h * v[0] <= 0 && u < 0 ? -u / column_0[0] : 0;
      for (size_t i = 0; i < nodes; i++) {
        const double change = y[i] + p * column_0[i];
        q[i] += h * (v[i] + change / 2);
        v[i] += change;
      }
    }
    times[r < 0 ? 0 : r] = (seconds() - begin) / (double)steps;
  }
  volatile double keep = q[0] + v[n];
  (void)keep;
  free(block);
  qsort(times, REPEATS, sizeof *times, compare);
  return times[REPEATS / 2];
}

/* The column at rest: free velocity, b, W p = -b by L D L^T, velocity, position, gaps. */
static double column_by_hand(size_t n, size_t steps)
{
  const double h = 1e-3, g = 9.81;
  double *block = calloc(6 * (n + 1), sizeof *block);
  double *q = block, *v = q + n + 1, *p = v + n + 1, *d = p + n + 1, *l = d + n + 1, *gap = l + n + 1;
  for (size_t i = 0; i < n; i++) { /* W = tridiag(-1, 2, -1), 1 at the floor */
    d[i] = (i == 0 ? 1 : 2) - (i > 0 ? -l[i - 1] : 0);
    l[i] = -1 / d[i];
    q[i] = 0.1 + 0.2 * (double)i;
  }
  double times[REPEATS];
  for (int r = -1; r < REPEATS; r++) {
    const double begin = seconds();
    for (size_t k = 0; k < steps; k++) {
      double below = 0;
      for (size_t i = 0; i < n; i++) {
        const double v_free = v[i] - h * g;
        p[i] = -(v_free - below) - (i > 0 ? l[i - 1] * p[i - 1] : 0);
        below = v_free;
      }
      p[n] = 0;
      for (size_t i = n; i-- > 0;) {
        p[i] = p[i] / d[i] - l[i] * p[i + 1];
      }
      for (size_t i = 0; i < n; i++) {
        const double next = v[i] - h * g + p[i] - p[i + 1];
        q[i] += h / 2 * (v[i] + next);
        v[i] = next;
        gap[i] = i == 0 ? q[0] - 0.1 : q[i] - q[i - 1] - 0.2;
      }
    }
    times[r < 0 ? 0 : r] = (seconds() - begin) / (double)steps;
  }
  volatile double keep = q[0] + p[0] + gap[n - 1];
  (void)keep;
  free(block);
  qsort(times, REPEATS, sizeof *times, compare);
  return times[REPEATS / 2];
}

typedef struct problem {
  const char *name, *unit;
  dls_system *(*make)(size_t n);
  double (*by_hand)(size_t n, size_t steps);
  double step; /* 0: half of what a wave takes to pass an element */
  const char *const *schemes;
  size_t sizes[4]; /* ends with 0 */
  size_t most;     /* times size: the steps that are timed */
} problem;

static double step_of(const problem *p, size_t n)
{
  return p->step > 0 ? p->step : 0.5 / (double)n;
}

/* One line: the sizes side by side, then the growth exponent from the first to the last. */
static void line(const problem *p, const char *scheme)
{
  double first = 0, exponent = 0;
  printf("%-32s", scheme == NULL ? "by hand" : scheme);
  for (size_t k = 0; p->sizes[k] != 0; k++) {
    const size_t n = p->sizes[k], steps = p->most / n + 20;
    dls_system *sys = p->make(n);
    const double time = scheme == NULL ? p->by_hand(n, steps) : step_time(sys, scheme, step_of(p, n), steps);
    dls_system_destroy(sys);
    first = k == 0 ? time : first;
    exponent = k == 0 ? 0 : log(time / first) / log((double)n / (double)p->sizes[0]);
    printf(" %12.2f", 1e9 * time / (double)n);
    fflush(stdout);
  }
  printf(" %12.2f\n", exponent);
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

/* Bytes per degree of freedom of one run with its system. */
static void memory(const problem *p, const char *scheme)
{
  const size_t n = p->sizes[2] > 0 ? p->sizes[2] : p->sizes[1];
  dls_error err = {0};
  dls_sim *sim = NULL;
  const double before = resident();
  dls_system *sys = p->make(n);
  stop_if(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), &err);
  stop_if(dls_sim_start(sim, &err), &err);
  for (int k = 0; k < 3; k++) {
    stop_if(dls_sim_advance(sim, step_of(p, n), &err), &err);
  }
  printf("%s, %s: %.0f bytes per %s\n", p->name, scheme, (resident() - before) / (double)n, p->unit);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

int main(int argc, char **argv)
{
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
  static const char *const membrane_schemes[] = {"schatzman-paoli", "moreau-jean",
                                                 NULL}; /* the first is explicit */
  static const problem problems[] = {
      {"bar", "dof", bar, bar_by_hand, 0, bar_schemes, {1000, 10000, 100000}, 2000000},
      {"column", "contact", column, column_by_hand, 1e-3, column_schemes, {1000, 10000, 100000}, 2000000},
      {"falling", "contact", falling, NULL, 1e-3, falling_schemes, {1000, 10000, 100000}, 0},
      {"membrane", "contact", membrane, NULL, 0.05, membrane_schemes, {900, 10000, 99856}, 20000},
      {"stiff", "contact", stiff_membrane, NULL, 0.05, membrane_schemes + 1, {900, 10000}, 2000},
  };
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
    if (argc < 2 || strcmp(argv[1], problems[i].name) == 0) {
      memory(&problems[i], "moreau-jean");
      table(&problems[i]);
    }
  }
  return 0;
}
