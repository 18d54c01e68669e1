/* test_reported.c -- schemes that report their contacts only in part: the driver completes the report, or the run fails.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <delassus/contact_system.h>
#include <delassus/scheme.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Explicit Euler with the impact law at the end of the step. It reports p and nothing else of its contacts. */
typedef struct memory {
  dls_contact_system stage;
  dls_contacts active;
  double *v, *u, *u_minus, *P;
} memory;

static void finish(dls_sim *sim)
{
  memory *s = sim->memory;
  dls_contact_system_destroy(&s->stage);
  free(s->active.index);
  free(s->v);
  free(s);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const size_t n = sim->sys->n, rows = sim->sys->d * sim->sys->m;
  memory *s = sim->memory = calloc(1, sizeof *s);
  assert_non_null(s);
  s->active.index = calloc(sim->sys->m + 1, sizeof *s->active.index);
  s->v = calloc(n + 3 * rows, sizeof *s->v);
  assert_true(s->active.index != NULL && s->v != NULL);
  s->u = s->v + n;
  s->u_minus = s->u + rows;
  s->P = s->u_minus + rows;
  return dls_contact_system_create_mass(sim->sys, &sim->work, &s->stage, err);
}

static dls_status step(dls_sim *sim, double h, double share, dls_error *err)
{
  memory *s = sim->memory;
  const size_t d = sim->sys->d;
  dls_status status = dls_contact_system_at(&s->stage, sim->t, sim->q, err);
  dls_sim_force(sim, sim->t, sim->q, sim->v, s->v);
  dls_factor_solve(s->stage.M, s->v);
  s->active.count = 0;
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v[i] = sim->v[i] + h * s->v[i];
  }
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (sim->g[j] + h * sim->u[j] <= 0) {
      s->active.index[s->active.count++] = j;
    }
  }
  dls_contact_system_velocity(&s->stage, &s->active, sim->v, s->u_minus);
  dls_contact_system_velocity(&s->stage, &s->active, s->v, s->u);
  status = status != DLS_OK ? status
                            : dls_contact_system_impulse(&s->stage, &s->active, s->u, s->u_minus, s->P, err);
  if (status != DLS_OK) {
    return status;
  }
  memset(sim->p, 0, sim->sys->m * sizeof *sim->p);
  for (size_t k = 0; k < s->active.count; k++) {
    sim->p[s->active.index[k]] = share * s->P[d * k];
  }
  dls_contact_system_apply(&s->stage, &s->active, 1, s->P, s->v);
  for (size_t i = 0; i < sim->sys->n; i++) {
    sim->v[i] = s->v[i];
    sim->q[i] += h * s->v[i];
  }
  return DLS_OK;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  return step(sim, h, 1, err);
}

/* p does not come from the stage. */
static dls_status advance_scaled(dls_sim *sim, double h, dls_error *err)
{
  return step(sim, h, 0.75, err);
}

#define BARE(NAME, ADVANCE)                                                                                    \
  {                                                                                                            \
    .name = NAME, .stepping = DLS_BY_STEP, .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS,          \
    .start = start, .advance = ADVANCE, .finish = finish                                                       \
  }
static const dls_scheme bare = BARE("bare", advance), scaled = BARE("scaled", advance_scaled);

typedef struct run {
  dls_system *sys;
  dls_sim *sim;
  dls_trajectory *record;
  dls_status status;
  dls_error err;
} run;

static run make(const char *model, const dls_scheme *scheme, double h, double end)
{
  run r = {.sys = dls_test_system(model)};
  assert_ok(dls_sim_create(r.sys, scheme, &r.sim, &r.err), r.err);
  r.record = dls_sim_trajectory(r.sim, &r.err);
  assert_non_null(r.record);
  r.status = dls_run(r.sim, &(dls_run_spec){.step = h, .end = end, .record = r.record}, &r.err);
  return r;
}

static void release(run *r)
{
  dls_trajectory_destroy(r->record);
  dls_sim_destroy(r->sim);
  dls_system_destroy(r->sys);
}

/* Status and impulses of one column are those that moreau-jean reports, whose steps are the same here. */
static void assert_same(const run *a, const run *b, const char *name)
{
  const int column = dls_trajectory_column(a->record, name);
  assert_true(column >= 0 && a->record->rows == b->record->rows && a->record->rows > 10);
  for (size_t row = 1; row < a->record->rows; row++) { /* at the start nothing has been solved for */
    assert_close(dls_trajectory_at(a->record, row, (size_t)column),
                 dls_trajectory_at(b->record, row, (size_t)column), 1e-12);
  }
}

static void assert_completed(const char *model, size_t tangents)
{
  run a = make(model, &bare, 0.01, 1), b = make(model, dls_scheme_find("moreau-jean", NULL), 0.01, 1);
  assert_ok(a.status, a.err);
  assert_ok(b.status, b.err);
  assert_same(&a, &b, "p0");
  assert_same(&a, &b, "status0");
  assert_same(&a, &b, tangents == 1 ? "p0t" : "p0t1");
  if (tangents == 2) {
    assert_same(&a, &b, "p0t2");
  }
  release(&a);
  release(&b);
}

DLS_TEST(friction_comes_from_the_system_that_solved_for_the_impulses)
{
  assert_completed("incline", 1);        /* slides uphill, then sticks or slides down */
  assert_completed("incline:mu=0.9", 1); /* sticks */
  assert_completed("sphere", 2);         /* slips, then rolls */
}

DLS_TEST(a_contact_that_rests_without_friction_is_closed)
{
  run r = make("bouncing-ball:e=0,q0=0.1,v0=0", &bare, 0.01, 1);
  assert_ok(r.status, r.err);
  const int status = dls_trajectory_column(r.record, "status0"), p = dls_trajectory_column(r.record, "p0");
  size_t closed = 0;
  for (size_t row = 0; row < r.record->rows; row++) {
    const bool rests = dls_trajectory_at(r.record, row, (size_t)p) > 0;
    assert_close(dls_trajectory_at(r.record, row, (size_t)status), rests, 0);
    closed += rests;
  }
  assert_between((double)closed, 64, 70); /* of 100: it falls 0.1 m at 2 m/s^2 for 0.316 s */
  release(&r);
}

DLS_TEST(friction_that_nothing_explains_is_refused)
{
  run r = make("incline", &scaled, 0.01, 1);
  assert_int_equal(r.status, DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(r.err.text, "scaled at t = 0.02: "));
  assert_non_null(strstr(r.err.text, "declares friction but reports no tangential impulse for contact 0"));
  assert_non_null(strstr(r.err.text, "set sim->p_t and sim->status"));
  release(&r);
}

DLS_TEST(a_scheme_without_name_or_advance_is_refused)
{
  const dls_scheme nameless = {.advance = advance}, still = {.name = "still"};
  dls_system *sys = dls_test_system("incline");
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_int_equal(dls_sim_create(sys, &nameless, &sim, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "the scheme of a sim needs a name");
  assert_null(sim);
  assert_ok(dls_sim_create(sys, &still, &sim, &err), err);
  assert_int_equal(dls_sim_start(sim, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "scheme still has no function advance");
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(friction_comes_from_the_system_that_solved_for_the_impulses),
      cmocka_unit_test(a_contact_that_rests_without_friction_is_closed),
      cmocka_unit_test(friction_that_nothing_explains_is_refused),
      cmocka_unit_test(a_scheme_without_name_or_advance_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
