/* bench_growth.c -- cost of the steps of one scheme on one system of several sizes; bench/growth makes a table of its lines.
 *   bench_growth models|schemes                 their names
 *   bench_growth SCHEME SECONDS TURNS CASE...   with CASE = MODEL;NAME=VALUE,...;STEP;STEPS; more schemes behind --
 * Makes STEPS steps of each case, or as many as fit in SECONDS of thread time, and those behind that make FEW steps of the last
 * kind; TURNS times, the cases in alternation, with as many steps as in the first. The time of a step is the median of its turns.
 * Prints a line for each case: unknowns n + r + d m, steps, events (step), or nodes of a scheme that puts nodes into its steps
 * (node), that word, seconds of the start, of a step in the mean, of the median step, of the worst one, its kind, what its counters
 * name, bytes, phases of contact, reason of the end.
 * Beside the models of the catalogue: membrane (side), and quadratic (n), whose forces take n^2 operations, which must fail.
 * A step belongs to a kind, flight or contact, and is compared with the median of its kind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/structures.h"
#include "common/contact/operator/saddle_system.h"
#include "common/solve/friction/friction_methods.h"
#include <delassus/choice.h>
#include <gsl/gsl_linalg.h>
#include <malloc.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { MOST_CASES = 4, MOST_TURNS = 7, FEW = 8, LONGER = 5 }; /* LONGER limits for FEW steps of a kind */
static const double allowed_ratio = 5, shortest_step = 2e-5;  /* WORST and SHORTEST of `growth` */

/* The counters that may explain a long step, in the order of trust. Systems: of contacts and coordinates, factored. Contacts: of
 * contacts with friction, factored where their numbers are not those of the factors that are there. Decompositions: orthogonal, of rows
 * that depend on each other. */
enum { FACTORIZATIONS, SYSTEMS, CONTACTS, DECOMPOSITIONS, NEWTON, EVENTS, IMPACTS, FORCES, COUNTERS };
enum { TIMED = DECOMPOSITIONS + 1 }; /* CONTACTS and DECOMPOSITIONS must take half of the step */
static const char *const counter_names[COUNTERS] = {"factorizations",
                                                    "saddle factorizations",
                                                    "contact factorizations",
                                                    "orthogonal decompositions",
                                                    "newton_iterations",
                                                    "events",
                                                    "impacts",
                                                    "force_evals"};

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Counted where the library calls them, by the linker's option --wrap, and their seconds. */
static size_t systems, contact_systems, decompositions;
static double spent_in[TIMED];

#define WRAPPED(type, name, arguments)                                                                         \
  type __real_##name arguments;                                                                                \
  type __wrap_##name arguments;                                                                                \
  type __wrap_##name arguments

WRAPPED(dls_status, dls_saddle_system_factor,
        (dls_saddle_system * s, size_t blocks, const size_t *first, const dls_saddle_law *law))
{
  systems++;
  return __real_dls_saddle_system_factor(s, blocks, first, law);
}

/* Factors that are kept take no work. */
WRAPPED(dls_status, dls_task_factor, (dls_problem_task * task))
{
  const size_t others = systems;
  const double *work = task->W->work, before = work != NULL ? *work : 0, begin = seconds();
  const dls_status status = __real_dls_task_factor(task);
  spent_in[CONTACTS] += seconds() - begin;
  contact_systems += systems == others && (work == NULL || *work > before);
  return status;
}

static int decomposed(double begin, int status)
{
  spent_in[DECOMPOSITIONS] += seconds() - begin;
  decompositions++;
  return status;
}

WRAPPED(int, gsl_linalg_COD_decomp,
        (gsl_matrix * A, gsl_vector *tau_q, gsl_vector *tau_z, gsl_permutation *p, size_t *rank,
         gsl_vector *work))
{
  const double begin = seconds();
  return decomposed(begin, __real_gsl_linalg_COD_decomp(A, tau_q, tau_z, p, rank, work));
}

WRAPPED(int, gsl_linalg_COD_decomp_e,
        (gsl_matrix * A, gsl_vector *tau_q, gsl_vector *tau_z, gsl_permutation *p, double tol, size_t *rank,
         gsl_vector *work))
{
  const double begin = seconds();
  return decomposed(begin, __real_gsl_linalg_COD_decomp_e(A, tau_q, tau_z, p, tol, rank, work));
}

WRAPPED(int, gsl_linalg_QRPT_decomp,
        (gsl_matrix * A, gsl_vector *tau, gsl_permutation *p, int *sign, gsl_vector *norm))
{
  const double begin = seconds();
  return decomposed(begin, __real_gsl_linalg_QRPT_decomp(A, tau, p, sign, norm));
}

typedef struct step_record {
  double time[MOST_TURNS];
  double typical; /* median of the turns */
  size_t count[COUNTERS];
  double spent[TIMED][MOST_TURNS]; /* s of its time, in what is timed */
  size_t nodes; /* of a scheme that puts nodes into its steps: one, and one for each event or part */
  bool contact;
} step_record;

typedef struct growth_case {
  dls_system *sys;
  double step;
  size_t steps, made; /* wanted; in the shortest turn */
  step_record *record;
  double start[MOST_TURNS];
  size_t events, closed, opened, rested;
  double bytes;
  char end[sizeof((dls_error *)NULL)->text];
} growth_case;

/* Bytes that malloc has given away. */
static double held_bytes(void)
{
  const struct mallinfo2 info = mallinfo2();
  return (double)info.uordblks + (double)info.hblkhd;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
  qsort(values, count, sizeof *values, compare);
  return count > 0 ? values[count / 2] : 0;
}

static void press(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -1;
  }
}

/* n free points of mass 1 with forces that are sums over all pairs: an artificial quadratic. */
static void all_pairs(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    double sum = 0;
    for (size_t j = 0; j < sys->n; j++) {
      sum += sin((double)(i * j % 7));
    }
    F[i] = sum;
  }
}

static dls_system *quadratic(size_t n)
{
  dls_system *sys = dls_system_create(n, 0);
  sys->linear = true;
  sys->load = all_pairs;
  sys->M = dls_matrix_diagonal(n);
  for (size_t i = 0; i < n; i++) {
    dls_matrix_set(sys->M, i, i, 1);
  }
  return sys;
}

static dls_system *catalogue_system(const char *name, char *settings, dls_error *err)
{
  const char *list[16];
  size_t count = 0;
  for (char *s = strtok(settings, ","); s != NULL && count < 16; s = strtok(NULL, ",")) {
    list[count++] = s;
  }
  dls_model_choice choice = {0};
  dls_system *sys = NULL;
  const dls_model *model = dls_model_find(name, err);
  if (model == NULL || dls_model_choose("growth", model, count, list, &choice, err) != DLS_OK) {
    return NULL;
  }
  if (dls_model_create(choice.model, choice.parameters, &sys, err) != DLS_OK) {
    sys = NULL;
  }
  /* A model that was loaded from files must outlive its system: the choice is kept. */
  return sys;
}

static growth_case read_case(char *text, dls_error *err)
{
  char *part[4] = {0};
  for (size_t k = 0; k < 4; k++) {
    part[k] = strtok(k == 0 ? text : NULL, ";");
    if (part[k] == NULL) {
      fprintf(stderr, "bench_growth: a case is MODEL;NAME=VALUE,...;STEP;STEPS\n");
      exit(2);
    }
  }
  growth_case c = {.step = strtod(part[2], NULL), .steps = (size_t)strtod(part[3], NULL)};
  const char *value = strchr(part[1], '=');
  const size_t size = value != NULL ? (size_t)strtod(value + 1, NULL) : 0;
  if (strcmp(part[0], "membrane") == 0) {
    c.sys = membrane_of(size * size, 1, press);
  } else if (strcmp(part[0], "quadratic") == 0) {
    c.sys = quadratic(size);
  } else {
    c.sys = catalogue_system(part[0], part[1], err);
  }
  c.record = calloc(c.steps + 1, sizeof *c.record);
  c.made = c.steps;
  return c;
}

static bool active(const dls_sim *sim, size_t j)
{
  return sim->status[j] != 0 || sim->p[j] != 0 || sim->lambda[j] != 0;
}

/* Contacts that close, open, and have been closed for FEW steps. age[m]: steps since closing. @return any is closed */
static bool note_contacts(growth_case *c, const dls_sim *sim, size_t *age)
{
  bool any = false;
  for (size_t j = 0; j < c->sys->m; j++) {
    if (active(sim, j)) {
      any = true;
      c->closed += age[j] == 0;
      c->rested += age[j] == FEW;
      age[j]++;
    } else {
      c->opened += age[j] > 0;
      age[j] = 0;
    }
  }
  return any;
}

/* Of the joints by KLU, where elimination is refused. */
static size_t joint_factorizations(const dls_work *work)
{
  size_t count = 0;
  for (size_t k = 0; k < DLS_FALLBACK_METHODS && work->fallbacks.by[k].method != NULL; k++) {
    count += strcmp(work->fallbacks.by[k].method, "joints-klu") == 0 ? work->fallbacks.by[k].count : 0;
  }
  return count;
}

static void counters(const dls_work *work, size_t count[COUNTERS])
{
  count[FACTORIZATIONS] = work->factorizations + work->jacobian_evals + joint_factorizations(work);
  count[SYSTEMS] = systems;
  count[CONTACTS] = contact_systems;
  count[DECOMPOSITIONS] = decompositions;
  count[NEWTON] = work->newton_iterations;
  count[EVENTS] = work->events;
  count[IMPACTS] = work->impacts;
  count[FORCES] = work->force_evals;
}

/* A step h, in parts where the scheme stops on the way, or an advance to the next event. */
static dls_status make_step(dls_sim *sim, const growth_case *c, size_t *nodes, dls_error *err)
{
  *nodes = 0;
  if (sim->scheme->stepping == DLS_BY_EVENT) {
    return dls_sim_advance(sim, c->step * (double)c->steps - sim->t, err);
  }
  const size_t before = sim->step;
  dls_status status = DLS_OK;
  while (status >= DLS_OK && sim->step == before) {
    status = dls_sim_advance(sim, c->step, err);
    ++*nodes;
  }
  return status;
}

/* Has the kind of the last of k steps FEW of them? */
static bool has_few(const growth_case *c, size_t k)
{
  size_t alike = 0;
  for (size_t i = 0; i < k; i++) {
    alike += c->record[i].contact == c->record[k - 1].contact;
  }
  return alike >= FEW;
}

/* Enough of turn r after k steps in `spent` seconds? A run that ends as contacts close would leave them no steps to be compared with. */
static bool finished(const dls_sim *sim, const growth_case *c, size_t k, size_t r, double spent, double limit)
{
  const bool late = spent >= limit && (has_few(c, k) || spent >= LONGER * limit);
  return (r == 0 ? late : k >= c->made) || k == c->steps ||
         (sim->scheme->stepping == DLS_BY_EVENT && sim->t >= c->step * (double)c->steps);
}

/* A step in turn r, and its next node. */
static void join(step_record *step, const step_record *next, size_t r)
{
  step->time[r] += next->time[r];
  for (size_t i = 0; i < TIMED; i++) {
    step->spent[i][r] += next->spent[i][r];
  }
  for (size_t i = 0; i < COUNTERS; i++) {
    step->count[i] += next->count[i];
  }
}

/* One turn. In turn 0 memory and contacts are looked at, between the steps. */
static dls_status turn(growth_case *c, const dls_scheme_choice *scheme, size_t r, double limit, dls_error *err)
{
  dls_sim *sim = NULL;
  size_t *age = calloc(c->sys->m + 1, sizeof *age);
  const double bytes = held_bytes(), begin = seconds();
  dls_status status = dls_scheme_choice_sim(scheme, c->sys, &sim, err);
  if (status == DLS_OK) {
    status = dls_sim_start(sim, err);
  }
  c->start[r] = seconds() - begin;
  size_t k = 0;
  double spent = 0;
  while (status >= DLS_OK && !finished(sim, c, k, r, spent, limit)) {
    step_record *step = &c->record[k];
    size_t before[COUNTERS];
    counters(&sim->work, before);
    const size_t problems = sim->work.problems;
    double others[TIMED];
    memcpy(others, spent_in, sizeof others);
    const double from = seconds();
    status = make_step(sim, c, &step->nodes, err);
    step->time[r] = seconds() - from;
    for (size_t i = 0; i < TIMED; i++) {
      step->spent[i][r] = spent_in[i] - others[i];
    }
    counters(&sim->work, step->count);
    for (size_t i = 0; i < COUNTERS; i++) {
      step->count[i] -= before[i];
    }
    spent += step->time[r];
    if (status >= DLS_OK && k > 0 && problems > 0 && sim->work.problems == problems) {
      join(&step[-1], step, r); /* a node of the step before: an adaptive step of two halves has two */
      continue;
    }
    if (sim->scheme->stepping == DLS_BY_SUBSTEP && step->nodes > 1 + step->count[EVENTS]) {
      step->count[EVENTS] = step->nodes - 1; /* beginnings and ends of slip, which the run does not report */
    }
    if (status >= DLS_OK && r == 0) {
      step->contact = note_contacts(c, sim, age);
      c->bytes = fmax(c->bytes, held_bytes() - bytes);
    }
    k += status >= DLS_OK;
  }
  if (status < DLS_OK) {
    snprintf(c->end, sizeof c->end, "%s", err->text);
  } else if (r == 0 && spent >= limit) {
    snprintf(c->end, sizeof c->end, "limit of time");
  }
  c->events = sim != NULL ? sim->work.events : 0;
  c->made = k < c->made ? k : c->made;
  dls_sim_destroy(sim);
  free(age);
  return status;
}

/* Is half of the step in what is timed, in the median of the turns? */
static bool is_half(const step_record *step, size_t i, size_t turns)
{
  double share[MOST_TURNS];
  for (size_t r = 0; r < turns; r++) {
    share[r] = step->spent[i][r] / step->time[r];
  }
  return median(share, turns) > 0.5;
}

/* What the counters of a long step name: a factorization more than usual, an event, or so many more iterations or evaluations that
 * they make at least half of the ratio. "-": nothing. */
static const char *reason(const growth_case *c, const dls_scheme *scheme, size_t turns, size_t step, bool both,
                          double ratio)
{
  const bool kind = c->record[step].contact;
  double *of_kind = calloc(c->made + 1, sizeof *of_kind);
  const char *name = step == 0 ? "first step" : "-";
  for (size_t i = 0; i < COUNTERS && name[0] == '-'; i++) {
    const bool by_event = scheme->stepping != DLS_BY_STEP;
    if (!by_event && (i == EVENTS || i == IMPACTS || i == FORCES)) {
      continue; /* a contact that closes is no excuse in time stepping */
    }
    size_t count = 0;
    for (size_t k = 0; k < c->made; k++) {
      if (both || c->record[k].contact == kind) {
        of_kind[count++] = (double)c->record[k].count[i];
      }
    }
    const double usual = median(of_kind, count), here = (double)c->record[step].count[i];
    const bool one_suffices = i == FACTORIZATIONS || i == SYSTEMS || i == EVENTS || i == IMPACTS;
    const bool timed = i == CONTACTS || i == DECOMPOSITIONS;
    if (timed          ? here > usual && is_half(&c->record[step], i, turns)
        : one_suffices ? here > usual
                       : here > 0.5 * ratio * fmax(usual, 1)) {
      name = counter_names[i];
    }
  }
  free(of_kind);
  return name;
}

/* A step beside the median of its kind. */
typedef struct long_step {
  size_t step;
  double time, median;
  const char *name; /* reason() */
} long_step;

static double ratio_of(const long_step *s)
{
  return s->median > 0 ? s->time / s->median : 0;
}

/* Does it fail? */
static bool is_unexplained(const long_step *s)
{
  return s->name[0] == '-' && ratio_of(s) > allowed_ratio && s->time >= shortest_step;
}

static bool is_worse(const long_step *a, const long_step *b)
{
  return is_unexplained(a) != is_unexplained(b) ? is_unexplained(a) : ratio_of(a) > ratio_of(b);
}

/* The step that is longest compared with the median of its kind, of those that fail if there are any. */
static long_step find_worst(const growth_case *c, const dls_scheme *scheme, size_t turns, bool both)
{
  long_step worst = {.name = "first step"};
  double *times = calloc(c->made + 1, sizeof *times);
  for (int kind = 0; kind < (both ? 1 : 2); kind++) {
    size_t count = 0;
    for (size_t k = 0; k < c->made; k++) {
      if (both || c->record[k].contact == (kind == 1)) {
        times[count++] = c->record[k].typical;
      }
    }
    const double usual = median(times, count);
    for (size_t k = 0; k < c->made; k++) {
      long_step step = {k, c->record[k].typical, usual, "-"};
      if ((both || c->record[k].contact == (kind == 1)) && (is_unexplained(&step) || is_worse(&step, &worst))) {
        step.name = reason(c, scheme, turns, k, both, ratio_of(&step));
        worst = is_worse(&step, &worst) ? step : worst;
      }
    }
  }
  free(times);
  return worst;
}

static void report(const growth_case *c, const dls_scheme *scheme, size_t turns)
{
  double sum = 0, start[MOST_TURNS];
  size_t in_contact = 0, nodes = 0;
  for (size_t k = 0; k < c->made; k++) {
    double of_turns[MOST_TURNS];
    memcpy(of_turns, c->record[k].time, sizeof of_turns);
    c->record[k].typical = median(of_turns, turns);
    sum += c->record[k].typical;
    in_contact += c->record[k].contact;
    nodes += c->record[k].nodes;
  }
  const bool both = in_contact < FEW || c->made - in_contact < FEW;
  const long_step worst = find_worst(c, scheme, turns, both);
  memcpy(start, c->start, sizeof start);
  const bool by_node = scheme->stepping == DLS_BY_SUBSTEP;
  printf("%zu;%zu;%zu;%s;%.4g;%.4g;%.4g;%.4g;%zu;%s;%.0f;%zu/%zu/%zu;%s\n",
         c->sys->n + c->sys->r + c->sys->d * c->sys->m, c->made, by_node ? nodes : c->events,
         by_node ? "node" : "step", median(start, turns), c->made > 0 ? sum / (double)c->made : 0, worst.median,
         worst.time, worst.step, worst.name, c->bytes, c->closed, c->opened, c->rested, c->end);
}

static int list(bool models)
{
  for (size_t i = 0; models ? dls_models()[i] != NULL : dls_schemes()[i] != NULL; i++) {
    printf("%s\n", models ? dls_models()[i]->name : dls_schemes()[i]->name);
  }
  return 0;
}

/* The cases of one scheme: SCHEME SECONDS TURNS CASE... */
static int measure(int argc, char **argv)
{
  dls_error err = {0};
  dls_scheme_choice scheme;
  growth_case cases[MOST_CASES];
  const size_t count = argc > 3 ? (size_t)argc - 3 : 0;
  const size_t turns = argc > 3 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
  if (count < 1 || count > MOST_CASES || turns < 1 || turns > MOST_TURNS) {
    fprintf(stderr, "bench_growth SCHEME SECONDS TURNS CASE... (1 to %d turns, 1 to %d cases)\n", MOST_TURNS,
            MOST_CASES);
    return 2;
  }
  stop_if(dls_scheme_choose(argv[0], &scheme, &err), &err);
  for (size_t i = 0; i < count; i++) {
    cases[i] = read_case(argv[3 + i], &err);
    if (cases[i].sys == NULL) {
      fprintf(stderr, "%s\n", err.text);
      return 1;
    }
  }
  for (size_t r = 0; r < turns; r++) {
    for (size_t i = 0; i < count; i++) {
      if (turn(&cases[i], &scheme, r, strtod(argv[1], NULL), &err) == DLS_ERR_NOT_APPLICABLE) {
        printf("refused: %s\n", err.text);
        return 3;
      }
    }
  }
  for (size_t i = 0; i < count; i++) {
    report(&cases[i], scheme.scheme, turns);
    dls_system_destroy(cases[i].sys);
    free(cases[i].record);
  }
  return 0;
}

int main(int argc, char **argv)
{
  if (argc == 2 && (strcmp(argv[1], "models") == 0 || strcmp(argv[1], "schemes") == 0)) {
    return list(strcmp(argv[1], "models") == 0);
  }
  mallopt(M_MMAP_THRESHOLD, 1 << 30); /* fresh pages are not part of a step's work */
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  int status = 0;
  for (int first = 1, last = 1; first <= argc && status == 0; first = ++last) {
    while (last < argc && strcmp(argv[last], "--") != 0) {
      last++;
    }
    status = measure(last - first, argv + first);
  }
  return status;
}
