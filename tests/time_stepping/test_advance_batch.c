/* test_advance_batch.c -- many steps of small systems at once are those of the general path, to the last bit: nodes, events, counters, state, and
 * the words of failures; and they are made at once where it is said that they are.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct counted_scheme {
  dls_scheme scheme;
  dls_status (*advance)(dls_sim *sim, double h, dls_error *err);
  size_t steps; /* made by advance */
} counted_scheme;

static counted_scheme counted;

static dls_status count(dls_sim *sim, double h, dls_error *err)
{
  counted.steps++;
  return counted.advance(sim, h, err);
}

typedef struct outcome {
  dls_status status;
  dls_error err;
  test_run run;
  size_t advanced;
} outcome;

typedef struct request {
  const char *model, *scheme;
  double step, end;
  dls_recording recording;
  bool skips;   /* events only */
  bool unheard; /* nobody records anything */
  void (*change)(dls_system *sys);
} request;

/* By one path or the other: schemes whose entry has no advance_batch go step by step. */
static outcome run(const request *r, bool at_once)
{
  outcome out = {.run = {.sys = dls_test_system(r->model)}};
  dls_scheme_choice choice;
  if (r->change != NULL) {
    r->change(out.run.sys);
  }
  assert_ok(dls_scheme_choose(r->scheme, &choice, &out.err), out.err);
  counted = (counted_scheme){.scheme = *choice.scheme, .advance = choice.scheme->advance};
  counted.scheme.advance = count;
  counted.scheme.advance_batch = at_once ? choice.scheme->advance_batch : NULL;
  choice.scheme = &counted.scheme;
  assert_ok(dls_scheme_choice_sim(&choice, out.run.sys, &out.run.sim, &out.err), out.err);
  out.run.traj = dls_sim_trajectory(out.run.sim, &out.err);
  assert_non_null(out.run.traj);
  out.run.traj->skip_nodes = r->skips;
  const dls_run_spec spec = {
      .step = r->step, .end = r->end, .record = r->unheard ? NULL : out.run.traj, .recording = r->recording};
  out.status = dls_run(out.run.sim, &spec, &out.err);
  out.advanced = counted.steps;
  return out;
}

static void same_bytes(const char *what, const void *a, const void *b, size_t size)
{
  if (size > 0 && memcmp(a, b, size) != 0) {
    fail_msg("%s differ", what);
  }
}

static void same_events(const dls_trajectory *a, const dls_trajectory *b)
{
  assert_int_equal(a->event_count, b->event_count);
  for (size_t i = 0; i < a->event_count; i++) {
    const dls_event *x = &a->events[i], *y = &b->events[i];
    const double these[] = {x->t, x->u_minus, x->u_plus, x->impulse, x->work_normal, x->work_friction},
                 those[] = {y->t, y->u_minus, y->u_plus, y->impulse, y->work_normal, y->work_friction};
    same_bytes("slips before events", x->slip_minus, y->slip_minus, sizeof x->slip_minus);
    same_bytes("slips after events", x->slip_plus, y->slip_plus, sizeof x->slip_plus);
    same_bytes("friction of events", x->friction, y->friction, sizeof x->friction);
    assert_int_equal(x->tangential, y->tangential);
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->contact, y->contact);
    same_bytes("events", these, those, sizeof these);
  }
}

static void same_sims(const dls_sim *a, const dls_sim *b)
{
  const size_t n = a->sys->n, m = a->sys->m, slips = (a->sys->d - 1) * m;
  const double these[] = {a->t, a->worst_gap, a->worst_time}, those[] = {b->t, b->worst_gap, b->worst_time};
  dls_work work[2] = {a->work, b->work};
  work[0].wall_seconds = work[1].wall_seconds = 0;
  work[0].solved = work[1].solved = NULL; /* an array of the sim */
  assert_int_equal(a->step, b->step);
  assert_int_equal(a->jump, b->jump);
  assert_int_equal(a->worst_contact, b->worst_contact);
  same_bytes("times and worst gaps", these, those, sizeof these);
  same_bytes("q", a->q, b->q, n * sizeof *a->q);
  same_bytes("v", a->v, b->v, n * sizeof *a->v);
  same_bytes("g", a->g, b->g, m * sizeof *a->g);
  same_bytes("u", a->u, b->u, m * sizeof *a->u);
  same_bytes("p", a->p, b->p, m * sizeof *a->p);
  same_bytes("slips", a->u_t, b->u_t, slips * sizeof *a->u_t);
  same_bytes("p_t", a->p_t, b->p_t, slips * sizeof *a->p_t);
  same_bytes("left limits", a->v_left, b->v_left, a->jump ? n * sizeof *a->v_left : 0);
  same_bytes("status", a->status, b->status, m * sizeof *a->status);
  same_bytes("counters", &work[0], &work[1], sizeof work[0]);
}

/* @return part of the steps that were made by advance */
static double compare(const request *r)
{
  outcome a = run(r, false), b = run(r, true);
  const double part = (double)b.advanced / fmax(1, (double)a.advanced);
  print_message("  %s, %s: %.3g\n", r->model, r->scheme, part);
  assert_int_equal(a.status, b.status);
  assert_string_equal(a.err.text, b.err.text);
  assert_int_equal(a.run.traj->rows, b.run.traj->rows);
  same_bytes("rows", a.run.traj->data, b.run.traj->data,
             a.run.traj->rows * a.run.traj->columns * sizeof *a.run.traj->data);
  same_events(a.run.traj, b.run.traj);
  same_sims(a.run.sim, b.run.sim);
  dls_test_free(&a.run);
  dls_test_free(&b.run);
  return part;
}

/* Every storage of M, K, C and H that a model has; no contact, one, many; rest, accumulations, loads over time; stick and slip in the plane
 * and in space. The last number: the part of the steps that has two active contacts, or else needs the general path, at most. */
static const struct {
  const char *model;
  double step, end, most;
} systems[] = {
    {"bouncing-ball", 1e-3, 5, 0.01},
    {"bouncing-ball:e=0,f=-1e-8,m=1e-9,q0=1e-6", 1e-3, 5, 0.01},
    {"bouncing-ball:e=1,q0=1e9,f=-2e9", 1e-3, 5, 0.01},
    {"impacting-oscillator:c=0.1,amplitude=0.5,f=-0.3", 1e-3, 20, 0.01},
    {"two-ball-oscillator", 2e-4, 1, 0.01},
    {"two-ball-oscillator:e=0,k=1e5", 2e-4, 1, 0.01},
    {"ball-between-walls:f=-3", 1e-3, 5, 0.01},
    {"wedge", 1e-3, 3, 0.4},
    {"bead-column:N=1", 1e-3, 3, 0.01},
    {"bead-column:N=4", 1e-3, 3, 1},
    {"elastic-bar:n=1,e=0.5", 1e-3, 3, 0.01},
    {"elastic-bar:n=2,alpha=0.1,beta=0.01,g=9.81", 1e-3, 3, 0.01},
    {"elastic-bar:n=6,beta=0.01", 1e-3, 3, 0.01},
    {"elastic-bar:n=7,g=9.81,h0=0.1,v0=-1", 1e-3, 3, 0.01},
    {"random-linear:n=1,m=0", 1e-3, 3, 0.01},
    {"random-linear:n=1,m=1", 1e-3, 3, 0.01},
    {"random-linear:n=2,m=1,seed=2", 1e-3, 3, 0.01},
    {"random-linear:n=4,m=2,seed=3", 1e-3, 3, 1},
    {"random-linear:n=8,m=1,seed=4,damping=3", 1e-3, 3, 0.01},
    {"random-linear:n=8,m=4,seed=5", 1e-3, 3, 1},
    {"incline", 4e-3, 1, 0.01},
    {"incline:mu=0.9,v0=1", 4e-3, 1, 0.01},
    {"spring-block:F=0.3,v0=1", 1e-2, 8, 0.01},
    {"bounce-slip:e=0.8", 1e-2, 3, 0.01},
    {"bounce-slip:mu=2,w=-100", 1e-2, 3, 0.01},
    {"superball", 1e-2, 3, 0.01},
    {"puck", 4e-3, 1, 0.01},
    {"sphere", 1e-2, 3, 0.01},
    {"random-frictional:n=2,m=1", 1e-2, 5, 0.01},
    {"random-frictional:n=4,m=2,seed=3,mu=3", 1e-2, 5, 1},
    {"random-frictional:n=3,m=1,dim=3,seed=2", 1e-2, 5, 0.01},
    {"random-frictional:n=8,m=2,dim=3,seed=4,mu=2", 1e-2, 3, 1},
};

static bool rough(const char *model)
{
  dls_system *sys = dls_test_system(model);
  const bool is = sys->d > 1;
  dls_system_destroy(sys);
  return is;
}

/* Does the scheme make only flights and rests at once, of which no node is recorded? */
static bool only_flies(const dls_scheme *scheme)
{
  return scheme->family == DLS_FAMILY_RUNGE_KUTTA || strstr(scheme->name, "extrapolated") != NULL;
}

DLS_TEST(every_bit_is_that_of_the_general_path)
{
  static const char *const variants[] = {"", ":theta=1", ":velocity_test=off", ":alpha_m=0.1,alpha_f=0.3",
                                         ":rho_inf=0.4"};
  size_t cases = 0;
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    for (size_t i = 0; (*s)->advance_batch != NULL && i < sizeof systems / sizeof systems[0]; i++) {
      for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++) {
        char text[120];
        dls_scheme_choice choice;
        snprintf(text, sizeof text, "%s%s", (*s)->name, variants[k]);
        if (dls_scheme_choose(text, &choice, NULL) == DLS_OK && cases++ % DLS_TEST_CASES(1, 3) == 0) {
          const request r = {
              .model = systems[i].model, .scheme = text, .step = systems[i].step, .end = systems[i].end};
          const double part = compare(&r);
          const bool position =
              (*s)->family == DLS_FAMILY_POSITION; /* contacts in one problem, the open ones too */
          const bool all = position && (strcmp(systems[i].model, "wedge") == 0 || rough(systems[i].model));
          assert_true(k > 0 || only_flies(*s) || part <= (all ? 1 : systems[i].most));
        }
      }
    }
  }
}

DLS_TEST(records_are_thinned_alike)
{
  static const double at[] = {0, 0.4, 0.99999, 1, 1.2345, 3};
  static const dls_recording recordings[] = {
      {.every = 7}, {.at_count = 6, .at = at}, {.max_rows = 700}, {.every = 10, .max_rows = 50}};
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    for (size_t i = 0; (*s)->advance_batch != NULL && i < sizeof recordings / sizeof recordings[0]; i++) {
      for (int skips = 0; skips < 2; skips++) {
        const request r = {.model = "bouncing-ball:e=0.9",
                           .scheme = (*s)->name,
                           .step = 1e-3,
                           .end = 4,
                           .recording = recordings[i],
                           .skips = skips != 0};
        assert_true(compare(&r) < (only_flies(*s) && !r.skips ? 1.1 : 0.02));
      }
    }
  }
}

/* Ends in flight, at rest, and in the step of an impact, whose left limit is asked for. */
DLS_TEST(runs_that_nobody_records_are_counted_alike)
{
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    for (size_t i = 0; (*s)->advance_batch != NULL && i < sizeof systems / sizeof systems[0]; i++) {
      const request r = {.model = systems[i].model,
                         .scheme = (*s)->name,
                         .step = systems[i].step,
                         .end = systems[i].end,
                         .unheard = true};
      compare(&r);
    }
    for (double end = 0.95; (*s)->advance_batch != NULL && end < 1.05;
         end += DLS_TEST_CASES(1e-3, 4e-3)) { /* the ball lands at 1 s */
      const request r = {
          .model = "bouncing-ball", .scheme = (*s)->name, .step = 1e-3, .end = end, .unheard = true};
      compare(&r);
    }
  }
}

/* Their flights and rests, from rare impacts to many; beside each model, the part of the steps that is made one by one, at most. */
DLS_TEST(flights_and_rests_are_made_at_once)
{
  static const struct {
    const char *model;
    double step, end, most;
  } flights[] = {{"bouncing-ball", 1e-4, 4, 0.01},
                 {"bouncing-ball:e=0", 1e-4, 2, 0.01},
                 {"impacting-oscillator:c=0.1,f=-0.3", 1e-4, 4, 0.01},
                 {"two-ball-oscillator", 1e-4, 1, 0.01},
                 {"elastic-bar:n=3,h0=0.5,v0=-1", 1e-4, 0.4, 0.01},
                 {"bounce-slip:e=0.8", 1e-3, 1, 0.02},
                 {"puck:v0=0", 1e-3, 1, 0.02}};
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    for (size_t i = 0; (*s)->advance_batch != NULL && only_flies(*s) && i < sizeof flights / sizeof flights[0];
         i++) {
      for (int heard = 0; heard < 2; heard++) {
        const request r = {.model = flights[i].model,
                           .scheme = (*s)->name,
                           .step = flights[i].step,
                           .end = flights[i].end,
                           .skips = heard != 0,
                           .unheard = heard == 0};
        assert_true(compare(&r) <= flights[i].most);
      }
    }
  }
}

static void lift(const dls_system *sys, double t, double *F)
{
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = t < 1 ? -1 : 1;
  }
}

static void lift_later(dls_system *sys)
{
  sys->load = lift;
  sys->load_mean = NULL;
  sys->steady_load = false;
}

/* Steps at rest repeat each other to the last bit as long as the load stays: after a landing, a slide that sticks, from the start, and until
 * a load lifts what rests. */
DLS_TEST(what_rests_is_repeated_alike)
{
  static const struct {
    const char *model;
    void (*change)(dls_system *sys);
  } rests[] = {{"bouncing-ball:e=0", NULL},
               {"bouncing-ball:e=0,q0=0", lift_later},
               {"bouncing-ball:e=0.5,q0=0", NULL},
               {"bouncing-ball:e=1,q0=0,v0=-1,f=0", NULL},
               {"elastic-bar:n=1,e=0,g=9.81", NULL},
               {"impacting-oscillator:c=2,f=-0.3", NULL},
               {"puck", NULL},
               {"puck:v0=0", lift_later},
               {"incline:mu=0.9,v0=1", NULL},
               {"incline:mu=0.9,v0=0", lift_later}};
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    for (size_t i = 0; (*s)->advance_batch != NULL && i < sizeof rests / sizeof rests[0]; i++) {
      for (int heard = 0; heard < 2; heard++) {
        compare(&(request){.model = rests[i].model,
                           .scheme = (*s)->name,
                           .step = 3e-3,
                           .end = 3,
                           .skips = heard != 0,
                           .unheard = heard == 0,
                           .change = rests[i].change});
      }
    }
  }
}

static void push_outwards(dls_system *sys)
{
  dls_matrix_set(sys->C, 0, 0, -2000); /* grows without bound */
}

DLS_TEST(what_is_not_finite_fails_alike)
{
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    const request r = {
        .model = "impacting-oscillator", .scheme = (*s)->name, .step = 1e-4, .end = 4, .change = push_outwards};
    if ((*s)->advance_batch != NULL) {
      outcome out = run(&r, true);
      assert_true(out.status == DLS_ERR_NONFINITE || (only_flies(*s) && out.status == DLS_ERR_CHATTERING));
      dls_test_free(&out.run);
      compare(&r);
    }
  }
}

/* -0 is not 0: a ball that is thrown at no speed from the floor without force. */
DLS_TEST(zeros_keep_their_signs)
{
  static const char *const models[] = {"bouncing-ball:q0=0,v0=-0,f=0", "bouncing-ball:q0=0,v0=0,f=-0",
                                       "two-ball-oscillator:q1=0,q2=1,v1=-0,v2=-0,g=0",
                                       "elastic-bar:n=2,h0=0,v0=-0"};
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    for (size_t i = 0; (*s)->advance_batch != NULL && i < sizeof models / sizeof models[0]; i++) {
      const request r = {.model = models[i], .scheme = (*s)->name, .step = 1e-2, .end = 1};
      compare(&r);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_bit_is_that_of_the_general_path),
      cmocka_unit_test(records_are_thinned_alike),
      cmocka_unit_test(runs_that_nobody_records_are_counted_alike),
      cmocka_unit_test(flights_and_rests_are_made_at_once),
      cmocka_unit_test(what_rests_is_repeated_alike),
      cmocka_unit_test(what_is_not_finite_fails_alike),
      cmocka_unit_test(zeros_keep_their_signs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
