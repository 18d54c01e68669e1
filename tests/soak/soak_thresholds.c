/* soak_thresholds.c -- each threshold of the event-driven method, ten times
 * larger and ten times smaller: which run changes?
 *
 *   soak_thresholds FIRST COUNT [SYSTEMS]
 *   soak_thresholds reach MODEL SCHEME END [ROW...]   which of the rows change
 * this run
 *
 * Runs a list of models, chosen to reach every part of the method, and SYSTEMS
 * random ones (default 40) with each of the rows FIRST to FIRST + COUNT - 1 of
 * the table (thresholds.h), until one changes. A line for each row: name=...
 * run=K changes=MODEL   the first run whose rows, events, counters or end
 * differ from those with the value as it is A run that crashes or takes too
 * long differs. changes=none: all runs are the same. Exit status 0. All of
 * them: thresholds.sh. Links the event-driven floor compiled with
 * DLS_VARY_THRESHOLDS. SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_cases.h"
#include "vary_threshold.h"
#include <delassus/choice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  MOST_RUNS = 400,
  PATIENCE = 60 /* s of processor time for all runs with a row */
};
static const double factor = 10;

static const run_case fixed[] = {
    {"block-column:rows=2,columns=1", "event-driven", 0, 0.5},
    {"bead-column:N=3,e=0.5", "event-driven:method=adams", 0, 2},
    {"bead-column:N=3,e=0.5", "event-driven:method=flow", 0, 2},
    {"bead-column:N=3,e=0.5", "event-driven:method=bdf,roots=hull", 0, 2},
    {"bouncing-ball", "event-driven:method=erk", 0, 2.5},
    {"bouncing-ball", "event-driven:method=auto", 0, 2.5},
    {"bouncing-pendulum", "event-driven:method=bdf", 0, 2},
    {"bouncing-pendulum-cartesian", "event-driven", 0, 2},
    {"pendulum-chain:N=3", "event-driven", 0, 1},
    {"bounce-slip", "event-driven", 0, 3},
    {"sphere", "event-driven", 0, 1},
    {"superball", "event-driven:method=erk", 0, 1},
    {"belt", "event-driven", 0, 5},
    {"spring-block", "event-driven", 0, 5},
    {"incline-stack", "event-driven", 0, 1},
    {"puck", "event-driven", 0, 2},
    {"puck-belt", "event-driven", 0, 2},
    {"woodpecker", "event-driven", 0, 0.3},
    {"kane", "event-driven", 0, 1},
    {"painleve-rod:mu=2,theta0=1.0471975511965976,ut0=-1", "event-driven:painleve=impact", 0, 0.01},
    {"slider-crank-clearance", "event-driven", 0, 0.05},
    {"impacting-oscillator:f=1,q0=2", "event-driven", 0, 6},
    {"impacting-oscillator:f=1,q0=2", "event-driven:method=flow", 0, 6},
    {"vibrating-table", "event-driven", 0, 1},
    {"rough-bowl", "event-driven", 0, 2},
    /* For rows that the others do not feel: a large tol, the brink of the Painleve paradox, redundant contacts. */
    {"puck", "event-driven:tol=1e-6", 0, 2},
    {"block-pyramid", "event-driven", 0, 0.3},
    {"elastic-bar", "event-driven:method=flow", 0, 0.3},
    {"painleve-rod:mu=1.3471499545338128,theta0=1.0471975511965976,ut0=-1", "event-driven:painleve=impact", 0,
     1e-5},
    {"random-frictional:n=12,m=3,dim=3,seed=111,e=0", "event-driven:tol=1e-4", 0, 2},
    {"random-frictional:n=12,m=3,dim=2,seed=115,e=0.3", "event-driven:tol=1e-5,method=erk", 0, 2},
    {"random-frictional:n=12,m=3,dim=3,seed=204,e=0.4", "event-driven:tol=1e-3", 0, 2},
    {"random-frictional:n=12,m=3,dim=3,seed=319,e=0.2", "event-driven:tol=1e-3,method=erk,event_tol=1", 0, 1.5},
    {"random-frictional:n=12,m=4,dim=3,seed=300,e=0.2,surface=1",
     "event-driven:tol=1e-8,eps_z=1e4,max_events=2000", 0, 1.5},
    {"bead-column:N=3,e=0.9", "event-driven:tol=1e-12,method=erk", 0, 3},
    {"impacting-oscillator:m=1e-12", "event-driven", 0, 2},
    {"vibrating-table:A=0.001,omega=1000", "event-driven:tol=1e-6", 0, 0.5},
};

/* The i-th random system. */
static void random_case(size_t i, char *model, size_t size, run_case *out)
{
  static const char *const methods[] = {"adams", "erk", "bdf", "auto"};
  static char scheme[80];
  if (i % 3 == 0) {
    snprintf(model, size, "random-linear:n=%zu,m=%zu,seed=%zu,e=0.5", 3 + i % 4, 2 + i % 2, 100 + i);
  } else {
    snprintf(model, size, "random-frictional:n=12,m=%zu,dim=%zu,seed=%zu,e=%.1f%s", 2 + i % 3, 2 + i % 2,
             100 + i, 0.1 * (double)(i % 10), i % 5 == 0 ? ",surface=1" : "");
  }
  snprintf(scheme, sizeof scheme, "event-driven:method=%s,max_events=5000", methods[i % 4]);
  *out = (run_case){model, scheme, 0, 2};
}

static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
  const unsigned char *at = data;
  for (size_t i = 0; i < bytes; i++) { /* FNV-1a */
    hash = (hash ^ at[i]) * UINT64_C(1099511628211);
  }
  return hash;
}

/* Of all that a run gives. */
static uint64_t hash_run(const run_case *what)
{
  uint64_t hash = UINT64_C(14695981039346656037);
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_scheme_choice scheme;
  dls_model_choice model = dls_test_model(what->model);
  dls_status status = dls_scheme_choose(what->scheme, &scheme, &err);
  status = status != DLS_OK ? status : dls_model_create(model.model, model.parameters, &sys, &err);
  if (status == DLS_OK) {
    status = dls_scheme_choice_sim(&scheme, sys, &sim, &err);
  }
  if (status == DLS_OK) {
    dls_trajectory *traj = dls_sim_trajectory(sim, &err);
    status = dls_run(sim, &(dls_run_spec){.end = what->end, .record = traj}, &err);
    hash = mix(hash, traj->data, traj->rows * traj->columns * sizeof *traj->data);
    for (size_t k = 0; k < traj->event_count; k++) {
      const dls_event *event = &traj->events[k];
      const double values[] = {event->t,     event->u_minus,  event->u_plus,         event->impulse,
                               event->bound, event->duration, event->bound_velocity, event->bound_time};
      hash = mix(mix(hash, values, sizeof values), &event->kind, sizeof event->kind);
    }
    const size_t counts[] = {traj->work.steps, traj->work.rejected, traj->work.force_evals,
                             traj->work.roots_missed};
    hash = mix(hash, counts, sizeof counts);
    dls_trajectory_destroy(traj);
  }
  hash = mix(hash, &status, sizeof status);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  dls_model_choice_release(&model);
  return hash;
}

/* The i-th run: those of the list, then random ones. */
static uint64_t hash_number(size_t i)
{
  const size_t many = sizeof fixed / sizeof fixed[0];
  char model[160];
  run_case drawn;
  if (i < many) {
    return hash_run(&fixed[i]);
  }
  random_case(i - many, model, sizeof model, &drawn);
  return hash_run(&drawn);
}

static size_t rows_of_table(void)
{
  size_t rows = 0;
  while (dls_event_driven_thresholds[rows].name != NULL) {
    rows++;
  }
  return rows;
}

/* A process of its own that writes numbers to *out, and ends when `work`
 * returns or after PATIENCE seconds. @return its id */
static pid_t start(int *out)
{
  int ends[2];
  fflush(stdout);
  if (pipe(ends) != 0) {
    exit(1);
  }
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    setrlimit(RLIMIT_CPU, &(struct rlimit){PATIENCE, PATIENCE});
    *out = ends[1];
  } else {
    close(ends[1]);
    *out = ends[0];
  }
  return child;
}

static void hash_all(size_t runs, uint64_t *hashes)
{
  for (size_t i = 0; i < runs; i++) {
    hashes[i] = hash_number(i);
  }
}

/* The first run that the row changes, ten times larger or smaller; runs: none.
 * A run that crashes or takes too long differs. */
static size_t first_change(size_t row, size_t runs, const uint64_t *as_is)
{
  const double value = dls_event_driven_thresholds[row].value;
  int end;
  size_t passed = 0, number;
  const pid_t child = start(&end);
  if (child == 0) {
    for (size_t i = 0; i < runs; i++) {
      for (int larger = 0; larger <= 1; larger++) {
        dls_test_set_threshold(row, larger ? value * factor : value / factor);
        if (hash_number(i) != as_is[i]) {
          _exit(0);
        }
      }
      if (write(end, &i, sizeof i) != (ssize_t)sizeof i) {
        _exit(1);
      }
    }
    _exit(0);
  }
  while (read(end, &number, sizeof number) == (ssize_t)sizeof number) {
    passed = number + 1;
  }
  close(end);
  waitpid(child, NULL, 0);
  return passed;
}

static const char *name_of(size_t run, size_t runs)
{
  const size_t many = sizeof fixed / sizeof fixed[0];
  return run >= runs ? "none" : run >= many ? "random" : fixed[run].model;
}

/* Is it among the names? None: all are. */
static bool is_named(const char *name, int count, char *const *names)
{
  for (int i = 0; i < count; i++) {
    if (strcmp(name, names[i]) == 0) {
      return true;
    }
  }
  return count == 0;
}

/* Print those of the named rows that change this run. */
static int reach(const run_case *what, int count, char *const *names)
{
  const uint64_t as_is = hash_run(what);
  for (size_t row = 0; dls_event_driven_thresholds[row].name != NULL; row++) {
    if (!is_named(dls_event_driven_thresholds[row].name, count, names)) {
      continue;
    }
    const double value = dls_event_driven_thresholds[row].value;
    dls_test_set_threshold(row, value * factor);
    bool changes = hash_run(what) != as_is;
    dls_test_set_threshold(row, value / factor);
    changes = changes || hash_run(what) != as_is;
    dls_test_set_threshold(row, value);
    if (changes) {
      printf("row=%zu name=%s\n", row, dls_event_driven_thresholds[row].name);
      fflush(stdout);
    }
  }
  return 0;
}

int main(int argc, char **argv)
{
  if (argc > 4 && strcmp(argv[1], "reach") == 0) {
    return reach(&(run_case){argv[2], argv[3], 0, strtod(argv[4], NULL)}, argc - 5, argv + 5);
  }
  const size_t rows = rows_of_table(), first = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  const size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : rows,
               runs = sizeof fixed / sizeof fixed[0] + (argc > 3 ? strtoul(argv[3], NULL, 10) : 40);
  uint64_t as_is[MOST_RUNS];
  if (runs > MOST_RUNS) {
    return 1;
  }
  hash_all(runs, as_is);
  for (size_t row = first; row < rows && row < first + count; row++) {
    const size_t changed = first_change(row, runs, as_is);
    printf("row=%zu name=%s run=%zu changes=%s\n", row, dls_event_driven_thresholds[row].name, changed,
           name_of(changed, runs));
    fflush(stdout);
  }
  return 0;
}
