/* test_many.c -- many runs side by side are those of dls_run, to the last bit, whatever the other members are; wrong requests are refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/many.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = 19, LONGEST = 200 };

typedef struct member {
  char model[LONGEST], scheme[LONGEST];
  double step, end;
  bool records;
} member;

static void same_bytes(size_t i, const char *what, const void *a, const void *b, size_t size)
{
  if (size > 0 && memcmp(a, b, size) != 0) {
    fail_msg("member %zu: %s differ", i, what);
  }
}

static void same(size_t i, const test_run *a, const test_run *b)
{
  const size_t n = a->sys->n, m = a->sys->m;
  dls_work work[2] = {a->sim->work, b->sim->work};
  const double these[] = {a->sim->t, a->sim->worst_gap, a->sim->worst_time},
               those[] = {b->sim->t, b->sim->worst_gap, b->sim->worst_time};
  work[0].wall_seconds = work[1].wall_seconds = 0;
  work[0].solved = work[1].solved = NULL; /* an array of the sim */
  same_bytes(i, "times and worst gaps", these, those, sizeof these);
  same_bytes(i, "q", a->sim->q, b->sim->q, n * sizeof(double));
  same_bytes(i, "v", a->sim->v, b->sim->v, n * sizeof(double));
  same_bytes(i, "p", a->sim->p, b->sim->p, m * sizeof(double));
  same_bytes(i, "p_t", a->sim->p_t, b->sim->p_t, (a->sys->d - 1) * m * sizeof(double));
  same_bytes(i, "status", a->sim->status, b->sim->status, m * sizeof(int));
  assert_int_equal(a->sim->jump, b->sim->jump);
  same_bytes(i, "left limits", a->sim->v_left, b->sim->v_left, a->sim->jump ? n * sizeof(double) : 0);
  same_bytes(i, "counters", &work[0], &work[1], sizeof work[0]);
  assert_int_equal(a->traj->rows, b->traj->rows);
  assert_int_equal(a->traj->event_count, b->traj->event_count);
  assert_int_equal(a->traj->complete, b->traj->complete);
  assert_string_equal(a->traj->failure, b->traj->failure);
  same_bytes(i, "rows", a->traj->data, b->traj->data, a->traj->rows * a->traj->columns * sizeof(double));
  for (size_t k = 0; k < a->traj->event_count; k++) {
    const dls_event *x = &a->traj->events[k], *y = &b->traj->events[k];
    const double here[] = {x->t, x->u_minus, x->u_plus, x->impulse},
                 there[] = {y->t, y->u_minus, y->u_plus, y->impulse};
    same_bytes(i, "events", here, there, sizeof here);
  }
}

/* @param[in] by_steps  on the general path: the scheme's entry without advance_batch */
static test_run prepare(const member *m, bool by_steps)
{
  static dls_scheme general;
  const test_run run = dls_test_prepare(m->model, m->scheme);
  if (by_steps) {
    general = *run.sim->scheme;
    general.advance_batch = NULL;
    run.sim->scheme = &general;
  }
  return run;
}

/* Each by itself, and all together. The catalogue's own entry, as members have one scheme. */
static void compare_with(size_t count, const member *members, bool by_steps)
{
  dls_error err = {0};
  test_run single[MEMBERS], many[MEMBERS];
  dls_sim *sims[MEMBERS] = {NULL};
  dls_run_spec specs[MEMBERS] = {{.step = 0}};
  dls_status statuses[MEMBERS], alone[MEMBERS], worst = DLS_OK;
  for (size_t i = 0; i < count; i++) {
    dls_error own = {0};
    single[i] = prepare(&members[i], by_steps);
    many[i] = dls_test_prepare(members[i].model, members[i].scheme);
    sims[i] = many[i].sim;
    specs[i] = (dls_run_spec){
        .step = members[i].step, .end = members[i].end, .record = members[i].records ? single[i].traj : NULL};
    alone[i] = dls_run(single[i].sim, &specs[i], &own);
    worst = worst == DLS_OK ? alone[i] : worst;
    specs[i].record = members[i].records ? many[i].traj : NULL;
  }
  assert_int_equal(dls_run_many(count, sims, specs, statuses, &err), worst);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(statuses[i], alone[i]);
    same(i, &single[i], &many[i]);
    dls_test_free(&single[i]);
    dls_test_free(&many[i]);
  }
}

static void compare(size_t count, const member *members)
{
  compare_with(count, members, false);
}

/* Random parameters, steps and ends of small models; text is a format of the seed and two numbers in [0, 1). */
static void try_model(const dls_scheme *scheme, const char *text, bool by_steps, gsl_rng *rng)
{
  member members[MEMBERS];
  const bool unheard = gsl_rng_uniform(rng) < 0.3; /* no member records anything */
  for (size_t i = 0; i < MEMBERS; i++) {
    member *m = &members[i];
    snprintf(m->model, LONGEST, text, gsl_rng_uniform(rng), gsl_rng_uniform(rng),
             gsl_rng_uniform_int(rng, 1000));
    snprintf(m->scheme, LONGEST, "%s", scheme->name);
    m->step = 1e-3 * (0.5 + gsl_rng_uniform(rng));
    m->end = 0.5 + gsl_rng_uniform(rng);
    m->records = !unheard && gsl_rng_uniform(rng) < 0.5;
  }
  print_message("  %s, %s\n", scheme->name, members[0].model);
  compare_with(MEMBERS, members, by_steps);
}

DLS_TEST(members_are_single_runs_to_the_last_bit)
{
  static const char *const models[] = {"bouncing-ball:q0=%g,e=%g",
                                       "impacting-oscillator:q0=%g,e=%g,c=0.1,amplitude=2,f=-1",
                                       "two-ball-oscillator:e=%g,g=%g,q1=0.1",
                                       "ball-between-walls:e=%g,v0=%g,width=1,q0=0.5",
                                       "wedge:e=%g,g1=%g",
                                       "elastic-bar:n=3,e=%g,h0=%g",
                                       "random-linear:n=3,m=2,e=%g,damping=%g,seed=%lu",
                                       "random-linear:n=8,m=4,e=%g,damping=%g,seed=%lu",
                                       "incline:mu=%g,v0=%g",
                                       "bounce-slip:mu=%g,e=%g",
                                       "puck:mu=%g,v0=%g",
                                       "random-frictional:n=2,m=1,mu=%g,e=%g,seed=%lu",
                                       "random-frictional:n=8,m=2,dim=3,mu=%g,e=%g,seed=%lu"};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t pairs = 0; /* of a scheme and a model */
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    for (size_t i = 0; (*s)->advance_batch != NULL && i < sizeof models / sizeof models[0]; i++) {
      if (pairs++ % DLS_TEST_CASES(1, 3) == 0) {
        try_model(*s, models[i], false, rng);
      }
    }
  }
  gsl_rng_free(rng);
}

/* Steps of the general path against vectors: stick and slip in the plane and in space, with W diagonal or not, mu = 0, on both sides of 1 and
 * near tan(alpha), where rounding decides; e = 0; impacts of several contacts in one step; rest. */
DLS_TEST(members_are_steps_of_the_general_path)
{
  static const char *const models[] = {"incline:mu=%g,v0=%g,m=0.7",
                                       "incline:mu=%g,v0=%g,alpha=0",
                                       "incline:mu=1.3,alpha=%g,v0=%g",
                                       "incline:mu=0.5773502691896258,v0=%g,m=%g",
                                       "bounce-slip:mu=%g,e=%g,h=0.1,vx=1",
                                       "bounce-slip:mu=%g,e=0,h=0.1,w=%g",
                                       "puck:mu=%g,v0=%g,m=0.7",
                                       "puck:mu=%g,alpha=%g",
                                       "puck:mu=1.3,alpha=%g,v0=%g",
                                       "puck:mu=0.2,v0=%g,alpha=0.19739555984988075,m=%g",
                                       "puck:mu=0,v0=%g,alpha=%g",
                                       "random-frictional:n=3,m=1,dim=3,mu=%g,e=%g,amplitude=0,seed=%lu",
                                       "random-frictional:n=4,m=2,mu=%g,e=%g,amplitude=0,seed=%lu",
                                       "bouncing-ball:q0=%g,m=%g,e=0",
                                       "bead-column:N=2,e=0,gap=%g",
                                       "ball-between-walls:e=0,v0=%g,width=0.1,q0=0.05,f=%g"};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (int repeat = 0; repeat < 3; repeat++) {
      try_model(dls_scheme_find("moreau-jean", NULL), models[i], true, rng);
    }
  }
  gsl_rng_free(rng);
}

/* Balls whose velocities repeat at rest, after two steps or four, with all counters and the deepest penetration; with theta = 1 a ball rises
 * in some of these steps. Steps of 1e-3 s and 5e-4 s: 50 and 100 to fall, the rest at rest. */
DLS_TEST(balls_at_rest_are_steps_of_the_general_path)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean-variant", "moreau-jean:theta=1",
                                        "moreau-jean:gamma=0.5", "moreau-jean:velocity_test=off"};
  member members[MEMBERS];
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    for (size_t i = 0; i < MEMBERS; i++) {
      members[i] = (member){.step = i < 8 ? 1e-3 : 5e-4, .end = 3};
      snprintf(members[i].model, LONGEST, "bouncing-ball:q0=%g,f=-80,m=%g,e=%g", 0.1 + 0.01 * (double)i,
               1 + 0.1 * (double)(i % 3), i < 4 ? 0.5 : 0.05 * (double)i);
      snprintf(members[i].scheme, LONGEST, "%s", schemes[k]);
    }
    compare_with(MEMBERS, members, true);
    compare(1, members);
  }
}

/* Options of members differ, so that some cannot go side by side; some fail. */
DLS_TEST(members_may_be_unlike)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean:theta=1", "moreau-jean:velocity_test=off",
                                        "moreau-jean:theta=0.7,gamma=0.3"};
  member members[MEMBERS];
  for (size_t i = 0; i < MEMBERS; i++) {
    members[i] = (member){.step = 1e-3, .end = 2, .records = i % 3 != 0};
    snprintf(members[i].model, LONGEST, "bouncing-ball:q0=%g", i == 7 ? 1e308 : 0.1 * (double)i);
    snprintf(members[i].scheme, LONGEST, "%s", schemes[i % 4]);
  }
  compare(MEMBERS, members);
  compare(1, members);
}

/* General schemes, moving surfaces, joints, events: one after the other, with the same contract. */
DLS_TEST(what_does_not_go_side_by_side_is_run_all_the_same)
{
  static const char *const models[][2] = {{"bouncing-pendulum", "moreau-jean"},
                                          {"belt", "moreau-jean"},
                                          {"bouncing-ball", "event-driven"},
                                          {"bouncing-ball", "rk-moreau"},
                                          {"bead-column", "nonsmooth-newmark"}};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    member members[3];
    for (size_t i = 0; i < 3; i++) {
      members[i] = (member){.step = 1e-2 / (double)(i + 1), .end = 0.5, .records = true};
      snprintf(members[i].model, LONGEST, "%s", models[k][0]);
      snprintf(members[i].scheme, LONGEST, "%s", models[k][1]);
    }
    compare(3, members);
  }
}

/* What two members are refused with: the message begins so. */
static void refused(const member *members, bool twice, const char *text)
{
  dls_error err = {0};
  test_run run[2];
  dls_sim *sims[2] = {NULL};
  dls_run_spec specs[2] = {{.step = 0}};
  for (size_t i = 0; i < 2; i++) {
    run[i] = dls_test_prepare(members[i].model, members[i].scheme);
    sims[i] = run[twice ? 0 : i].sim;
    specs[i] = (dls_run_spec){.step = members[i].step, .end = members[i].end};
  }
  assert_int_equal(dls_run_many(2, sims, specs, NULL, &err), DLS_ERR_ARG);
  print_message("  %s\n", err.text);
  assert_non_null(strstr(err.text, text));
  dls_test_free(&run[0]);
  dls_test_free(&run[1]);
}

DLS_TEST(wrong_requests_name_the_member)
{
  const member good = {.model = "bouncing-ball", .scheme = "moreau-jean", .step = 1e-2, .end = 1};
  member two[2] = {good, good};
  dls_error err = {0};
  dls_sim *none[1] = {NULL};
  const dls_run_spec spec = {.step = 1e-2, .end = 1};
  snprintf(two[1].model, LONGEST, "two-ball-oscillator");
  refused(two, false, "member 1 has n = 2, m = 1");
  snprintf(two[1].model, LONGEST, "impacting-oscillator");
  refused(two, false, "member 1 has other functions");
  two[1] = good;
  snprintf(two[1].scheme, LONGEST, "nonsmooth-newmark");
  refused(two, false, "member 1 has scheme nonsmooth-newmark, member 0 has moreau-jean");
  two[1] = good;
  two[1].step = 2;
  refused(two, false, "member 1: step = 2 s is outside (0, end = 1]");
  two[1].step = -1;
  refused(two, false, "member 1: step = -1 s");
  refused((const member[]){good, good}, true, "member 1: a sim of moreau-jean can be run once only");
  assert_int_equal(dls_run_many(0, none, &spec, NULL, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "count = 0"));
  assert_int_equal(dls_run_many(1, none, &spec, NULL, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "member 0 has no sim"));
}

static bool stop_at_half(void *data, double t)
{
  (void)data;
  return t < 0.5;
}

DLS_TEST(a_member_that_is_interrupted_ends_alone)
{
  dls_error err = {0};
  test_run run[3];
  dls_sim *sims[3] = {NULL};
  dls_run_spec specs[3] = {{.step = 0}};
  dls_status statuses[3];
  for (size_t i = 0; i < 3; i++) {
    run[i] = dls_test_prepare("bouncing-ball", "moreau-jean");
    sims[i] = run[i].sim;
    specs[i] = (dls_run_spec){.step = 1e-6, .end = 1, .poll = i == 1 ? stop_at_half : NULL};
  }
  assert_int_equal(dls_run_many(3, sims, specs, statuses, &err), DLS_ERR_INTERRUPTED);
  assert_non_null(strstr(err.text, "member 1: moreau-jean at t = "));
  assert_int_equal(statuses[0], DLS_OK);
  assert_int_equal(statuses[1], DLS_ERR_INTERRUPTED);
  assert_int_equal(statuses[2], DLS_OK);
  assert_between(sims[1]->t, 0.5, 0.999);
  for (size_t i = 0; i < 3; i++) {
    dls_test_free(&run[i]);
  }
}

/* The system and the sim of a run take over those of another one, and run again. @return were they renewed? */
static bool renew(test_run *run, const member *m)
{
  dls_error err = {0};
  test_run other = dls_test_prepare(m->model, m->scheme);
  const bool renewed = dls_system_take_values(run->sys, other.sys) && dls_sim_renew(run->sim, &err) == DLS_OK;
  dls_test_free(&other);
  return renewed;
}

/* A run of the first member and then, on the same memory, one of the second: as a new run. @return as renew */
static bool try_renewal(const member *first, const member *second)
{
  dls_error err = {0};
  test_run kept = dls_test_prepare(first->model, first->scheme),
           fresh = dls_test_prepare(second->model, second->scheme);
  dls_run(kept.sim, &(dls_run_spec){.step = first->step, .end = first->end}, NULL);
  const bool renewed = renew(&kept, second);
  if (renewed) {
    const dls_run_spec spec = {.step = second->step, .end = second->end};
    assert_int_equal(dls_run(kept.sim, &spec, &err), dls_run(fresh.sim, &spec, &err));
    same(0, &kept, &fresh);
    same_bytes(0, "warnings", kept.sim->warnings, fresh.sim->warnings, sizeof fresh.sim->warnings);
  }
  dls_test_free(&kept);
  dls_test_free(&fresh);
  return renewed;
}

/* Small models, with steps of the same length or another one; everything else is left to a new sim. */
DLS_TEST(renewed_runs_are_new_runs_to_the_last_bit)
{
  static const struct {
    const char *model; /* format of two numbers in [0, 1) and a seed */
    double step;       /* 0.5 to 1.5 times it */
    bool renewed, rough;
  } models[] = {{"bouncing-ball:q0=%g,e=%g", 1e-2, true, false},
                {"bouncing-ball:q0=%g,f=-%g", 0.2, true, false}, /* penetrates: its warnings name a cause */
                {"bouncing-ball:f=-%g,v0=%g", 1e-2, true, false},
                {"impacting-oscillator:m=%g,k=%g,amplitude=2", 1e-2, true, false},
                {"impacting-oscillator:c=%g,omega=%g,amplitude=0.1", 1e-2, true, false},
                {"two-ball-oscillator:e=%g,g=%g,q1=0.1", 1e-2, true, false},
                {"ball-between-walls:e=%g,v0=%g,width=1,q0=0.5", 1e-2, true, false},
                {"elastic-bar:n=3,e=%g,h0=%g", 1e-2, true, false},
                {"vibrating-table:e=%g,A=%g", 1e-2, true, false},
                {"incline:mu=%g,v0=%g", 1e-2, true, true},
                {"belt:q0=%g,vb=%g", 1e-2, true, true},
                {"den-hartog:q0=%g,phase=%g", 1e-2, true, true},
                {"spring-block:q0=%g,v0=%g", 1e-2, true, true},
                {"bounce-slip:mu=%g,e=%g", 1e-2, true, true},
                {"puck:mu=%g,v0=%g", 1e-2, true, true},
                {"block-column:rows=2,columns=1,mu=%g,v0=%g", 1e-2, true, true},
                {"block-column:rows=1,columns=1,dim=3,mu=%g,v0=%g", 1e-2, true, true},
                {"rocking-block:mu=%g,m=%g", 1e-2, false, false}};
  static const char *const schemes[] = {"moreau-jean",
                                        "moreau-jean:theta=1",
                                        "moreau-jean-variant",
                                        "laursen-chawla",
                                        "nonsmooth-newmark",
                                        "nonsmooth-hht",
                                        "nonsmooth-generalized-alpha",
                                        "nonsmooth-kh-generalized-alpha"};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
      member two[2];
      for (size_t l = 0; l < 2; l++) {
        two[l] =
            (member){.step = models[i].step * (0.5 + gsl_rng_uniform(rng)), .end = 2 + gsl_rng_uniform(rng)};
        snprintf(two[l].scheme, LONGEST, "%s", schemes[k]);
        snprintf(two[l].model, LONGEST, models[i].model, 0.1 + 0.9 * gsl_rng_uniform(rng), gsl_rng_uniform(rng),
                 gsl_rng_uniform_int(rng, 1000));
      }
      two[1].step = (k + i) % 2 == 0 ? two[0].step : two[1].step; /* as in sweeps */
      print_message("  %s, %s\n", two[1].scheme, two[1].model);
      const bool starts =
          !models[i].rough || strcmp(schemes[k], "laursen-chawla") != 0; /* it treats no friction */
      assert_int_equal(try_renewal(&two[0], &two[1]), models[i].renewed && starts);
    }
  }
  gsl_rng_free(rng);
}

/* The drift of the second run is deeper than what the fastest impact that was reported covers in a step; the first run has one in its first
 * step that would explain it. */
DLS_TEST(warnings_of_a_renewed_run_are_its_own)
{
  const member first = {.model = "bouncing-ball:q0=0.01,v0=-20",
                        .scheme = "moreau-jean",
                        .step = 0.01,
                        .end = 4},
               second = {.model = "bouncing-ball:e=0.00125", .scheme = "moreau-jean", .step = 0.01, .end = 4};
  dls_error err = {0};
  test_run run = dls_test_prepare(second.model, second.scheme);
  assert_ok(dls_run(run.sim, &(dls_run_spec){.step = second.step, .end = second.end}, &err), err);
  assert_int_equal(run.sim->warnings[DLS_WARN_PENETRATION].cause, DLS_CAUSE_DRIFT);
  dls_test_free(&run);
  assert_true(try_renewal(&first, &second));
}

/* By the thresholds of the first run, no impact of the second one would be fast. */
DLS_TEST(thresholds_of_a_renewed_run_are_its_own)
{
  const member first = {
      .model = "bouncing-ball:q0=1000", .scheme = "moreau-jean:velocity_tol=0.1", .step = 0.01, .end = 1};
  member second = first;
  snprintf(second.model, LONGEST, "bouncing-ball:q0=0.01");
  assert_true(try_renewal(&first, &second));
}

/* Which values are zero may decide how a system is made; and a run with a record, or none at all, is not renewed. */
DLS_TEST(other_systems_and_other_runs_are_not_renewed)
{
  static const char *const pairs[][2] = {{"impacting-oscillator", "impacting-oscillator:amplitude=1"},
                                         {"bouncing-ball", "bouncing-ball:e=0"},
                                         {"bouncing-ball", "impacting-oscillator"},
                                         {"random-linear:n=3,m=2,seed=1", "random-linear:n=3,m=2,seed=2"},
                                         {"random-linear:n=3,m=2", "random-linear:n=4,m=2"},
                                         {"incline:mu=0", "incline:mu=0.3"}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    test_run a = dls_test_prepare(pairs[i][0], "moreau-jean"), b = dls_test_prepare(pairs[i][1], "moreau-jean");
    const void *data[2] = {a.sys->data, b.sys->data};
    assert_false(dls_system_take_values(a.sys, b.sys));
    assert_ptr_equal(a.sys->data, data[0]);
    assert_ptr_equal(b.sys->data, data[1]);
    dls_test_free(&a);
    dls_test_free(&b);
  }
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-ball", "moreau-jean");
  assert_int_equal(dls_sim_renew(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "moreau-jean cannot be renewed"));
  assert_ok(dls_run(run.sim, &(dls_run_spec){.step = 0.01, .end = 1, .record = run.traj}, &err), err);
  assert_int_equal(dls_sim_renew(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
  dls_test_free(&run);
}

/* A sim that is renewed and never run gives its memory back: seen by sanitizers. Its scheme has read the options, which stay. */
DLS_TEST(a_renewed_sim_keeps_its_options_and_can_be_destroyed)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-ball", "moreau-jean");
  const dls_run_spec spec = {.step = 0.01, .end = 1};
  assert_ok(dls_run(run.sim, &spec, &err), err);
  assert_ok(dls_sim_renew(run.sim, &err), err);
  assert_int_equal(dls_sim_set(run.sim, "theta=1", &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "theta=1 cannot be set after the run has started"));
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_are_single_runs_to_the_last_bit),
      cmocka_unit_test(members_are_steps_of_the_general_path),
      cmocka_unit_test(balls_at_rest_are_steps_of_the_general_path),
      cmocka_unit_test(members_may_be_unlike),
      cmocka_unit_test(what_does_not_go_side_by_side_is_run_all_the_same),
      cmocka_unit_test(wrong_requests_name_the_member),
      cmocka_unit_test(a_member_that_is_interrupted_ends_alone),
      cmocka_unit_test(renewed_runs_are_new_runs_to_the_last_bit),
      cmocka_unit_test(warnings_of_a_renewed_run_are_its_own),
      cmocka_unit_test(thresholds_of_a_renewed_run_are_its_own),
      cmocka_unit_test(other_systems_and_other_runs_are_not_renewed),
      cmocka_unit_test(a_renewed_sim_keeps_its_options_and_can_be_destroyed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
