/* test_call_failures.c -- what the event-driven scheme calls fails, each place that calls in turn: the error arrives.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "event_driven/accumulation/local_pass.h"
#include "event_driven/event_integrator.h"
#include "event_driven/friction/slow_slip.h"
#include "event_driven/integrator/engine_kind.h"
#include "failing_calls.h"
#include "run_cases.h"

FAILING_REPORTED(dls_slow_slip_reaction,
                 (dls_event_integrator * tr, double t, const double *q, const double *v, double *a,
                  double *lambda, dls_error *err),
                 (tr, t, q, v, a, lambda, err))
FAILING_REPORTED(dls_delassus_rank, (dls_delassus * D, size_t count, const size_t *active, dls_error *err),
                 (D, count, active, err))
FAILING_REPORTED(dls_delassus_solve_bilateral,
                 (dls_delassus * D, size_t count, const size_t *active, const double *b, double *p,
                  dls_error *err),
                 (D, count, active, b, p, err))
FAILING_REPORTED(dls_engine_create, (const dls_engine_spec *spec, dls_engine **out, dls_error *err),
                 (spec, out, err))
FAILING_REPORTED(dls_engine_note_step, (dls_engine * engine, double begin, double t, dls_error *err),
                 (engine, begin, t, err))
FAILING_REPORTED(dls_engine_restart,
                 (dls_engine * engine, double t, const double *y, double flight, dls_error *err),
                 (engine, t, y, flight, err))
FAILING_REPORTED(dls_engine_step, (dls_engine * engine, double *t, double *y, double *bracket, dls_error *err),
                 (engine, t, y, bracket, err))
FAILING_REPORTED(dls_factor_sum, (dls_factor * F, const double *coefficients, dls_error *err),
                 (F, coefficients, err))
FAILING_REPORTED(dls_mode_solver_create, (dls_contact_system * contacts, dls_mode_solver **out, dls_error *err),
                 (contacts, out, err))
FAILING_REPORTED(dls_mode_solver_force,
                 (dls_mode_solver * solver, const dls_contacts *set, const dls_contact_mode *mode,
                  const double *v, double *a, double *r, size_t *solutions, dls_error *err),
                 (solver, set, mode, v, a, r, solutions, err))
FAILING_REPORTED(dls_mode_solver_single_line,
                 (dls_mode_solver * solver, const dls_contacts *set, const dls_contact_mode *mode, size_t j,
                  double *e, bool *line, dls_error *err),
                 (solver, set, mode, j, e, line, err))
FAILING_REPORTED(dls_mode_solver_reaction,
                 (dls_mode_solver * solver, const dls_contacts *set, const dls_contact_mode *mode,
                  const double *share, const double *v, double *a, double *r, dls_error *err),
                 (solver, set, mode, share, v, a, r, err))
FAILING_REPORTED(dls_lcp_create,
                 (size_t capacity, const char *method, double tolerance, dls_lcp_solver **out, dls_error *err),
                 (capacity, method, tolerance, out, err))
FAILING_REPORTED(dls_lcp_solve,
                 (dls_lcp_solver * solver, size_t n, const double *W, const double *b, double *z, double *w,
                  dls_lcp_report *report, dls_error *err),
                 (solver, n, W, b, z, w, report, err))
FAILING_REPORTED(dls_root_sample, (dls_event_integrator * tr, size_t k, double t, dls_point *p, dls_error *err),
                 (tr, k, t, p, err))
FAILING_REPORTED(dls_roots_observe, (dls_event_integrator * tr, dls_step_end *end, dls_error *err),
                 (tr, end, err))
FAILING_REPORTED(dls_modes_update, (dls_event_integrator * tr, size_t j, dls_error *err), (tr, j, err))
FAILING_REPORTED(dls_slip_end, (dls_event_integrator * tr, dls_error *err), (tr, err))
FAILING_REPORTED(dls_modes_acceleration_level,
                 (dls_event_integrator * tr, double t, const double *q, const double *v,
                  const dls_contacts *set, dls_error *err),
                 (tr, t, q, v, set, err))
FAILING_REPORTED(dls_event_resolve_painleve, (dls_event_integrator * tr, size_t count, dls_error *err),
                 (tr, count, err))
FAILING_REPORTED(dls_contact_system_at,
                 (dls_contact_system * contacts, double t, const double *q, dls_error *err),
                 (contacts, t, q, err))
FAILING_REPORTED(dls_contact_system_count,
                 (dls_contact_system * contacts, const dls_contacts *set, const double *u_free,
                  const double *u_minus, const double *r, size_t *solutions, dls_error *err),
                 (contacts, set, u_free, u_minus, r, solutions, err))
FAILING_REPORTED(dls_contact_system_create_mass,
                 (const dls_system *sys, dls_work *work, dls_contact_system *contacts, dls_error *err),
                 (sys, work, contacts, err))
FAILING_REPORTED(dls_contact_system_force,
                 (dls_contact_system * contacts, const dls_contacts *set, const double *v, double *a, double *r,
                  dls_error *err),
                 (contacts, set, v, a, r, err))
FAILING_REPORTED(dls_contact_system_hold,
                 (dls_contact_system * contacts, size_t count, const size_t *rows, double *v, double *r,
                  dls_error *err),
                 (contacts, count, rows, v, r, err))
FAILING_REPORTED(dls_contact_system_impulse,
                 (dls_contact_system * contacts, const dls_contacts *set, const double *u_free,
                  const double *u_minus, double *r, dls_error *err),
                 (contacts, set, u_free, u_minus, r, err))
FAILING_REPORTED(dls_contact_system_project_q,
                 (dls_contact_system * contacts, const dls_contacts *set, double t, double *q, dls_error *err),
                 (contacts, set, t, q, err))
FAILING_REPORTED(dls_contact_system_project_v,
                 (dls_contact_system * contacts, const dls_contacts *set, double *v, dls_error *err),
                 (contacts, set, v, err))
FAILING_REPORTED(dls_contact_system_reaction,
                 (dls_contact_system * contacts, const dls_contacts *set, const double *v, double *a, double *r,
                  dls_error *err),
                 (contacts, set, v, a, r, err))
FAILING_REPORTED(dls_event_acceleration_level, (dls_event_integrator * tr, size_t rest, dls_error *err),
                 (tr, rest, err))
FAILING_REPORTED(dls_geometry_check_rank,
                 (const dls_event_work *work, const dls_sim *sim, double t, dls_error *err),
                 (work, sim, t, err))
FAILING_REPORTED(dls_event_process,
                 (dls_event_integrator * tr, const double *q, const double *v, bool *changed, dls_error *err),
                 (tr, q, v, changed, err))
FAILING_REPORTED(dls_geometry_set,
                 (const dls_event_state *state, dls_event_work *work, double t, const double *q,
                  dls_error *err),
                 (state, work, t, q, err))
FAILING_REPORTED(dls_event_left_limits, (dls_event_integrator * tr, const double *v, dls_error *err),
                 (tr, v, err))
FAILING_REPORTED(dls_geometry_project_joints,
                 (const dls_event_state *state, dls_event_work *work, double t, const dls_contacts *set,
                  double *q, double *v, dls_error *err),
                 (state, work, t, set, q, v, err))
FAILING_REPORTED(dls_accumulation_pass, (dls_event_integrator * tr, double end, bool *passed, dls_error *err),
                 (tr, end, passed, err))
FAILING_REPORTED(dls_geometry_project, (dls_event_integrator * tr, size_t down, size_t rest, dls_error *err),
                 (tr, down, rest, err))
FAILING_REPORTED(dls_event_restart, (dls_event_integrator * tr, double scale, double flight, dls_error *err),
                 (tr, scale, flight, err))
FAILING_REPORTED(dls_search_step, (dls_event_integrator * tr, dls_error *err), (tr, err))
FAILING_REPORTED(dls_smooth_dynamics,
                 (dls_event_integrator * tr, double t, const double *q, const double *v, double *a,
                  double *lambda, dls_error *err),
                 (tr, t, q, v, a, lambda, err))
/* Motions that cannot be solved have no end of flights, which are made one by one then, until there are too many. */
static bool ends_get_lost;
#define FAILING_END(name, parameters, arguments)                                                               \
  FAILING_CALL(dls_cluster_sums *, name, parameters, arguments, ends_get_lost, (refines = true, NULL))
FAILING_END(dls_cluster_run,
            (dls_cluster * c, const dls_cluster_problem *problem, const dls_cluster_limits *limits),
            (c, problem, limits))

/* Those of several contacts come first: their loops end early where a call fails. */
static const run_case cases[] = {
    {"block-column:rows=2,columns=1", "event-driven", 0, 0.5},
    {"bead-column:N=3,e=0.5", "event-driven:method=adams", 0, 2},
    {"bead-column:N=3,e=0.5", "event-driven:method=flow", 0, 2},
    {"bead-column:N=3,e=0.5", "event-driven:method=bdf,roots=hull", 0, 2},
    {"bouncing-ball", "event-driven:method=erk", 0, 2.5},
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
    {"random-frictional:n=12,m=3,seed=3", "event-driven", 0, 5},
    {"random-frictional:n=12,m=4,dim=3,seed=4,surface=1", "event-driven", 0, 5},
    {"painleve-rod:mu=2,theta0=1.0471975511965976,ut0=-1", "event-driven:painleve=impact", 0, 0.01},
    {"slider-crank-clearance", "event-driven", 0, 0.05},
    {"impacting-oscillator:f=1,q0=2", "event-driven", 0, 6},
    {"vibrating-table", "event-driven", 0, 1},
    {"rough-bowl", "event-driven", 0, 2},
};

DLS_TEST(every_error_arrives)
{
  assert_between((double)sum_over_cases(sizeof cases / sizeof *cases, cases, fail_each_place), 70, MOST_PLACES);
}

/* The same places on other ways. */
DLS_TEST(every_error_arrives_elsewhere)
{
  static const run_case others[] = {
      {"impacting-oscillator:f=1,q0=2", "event-driven", 0, 3.3}, /* it grazes */
      {"random-frictional:n=12,m=4,dim=3,seed=4,surface=1", "event-driven:method=erk", 0, 0.3},
      {"woodpecker", "event-driven:method=bdf", 0, 0.05},
      {"bead-column:N=3,e=0.5", "event-driven:method=erk,roots=hull", 0, 0.5},
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    forget_places();
    assert_between((double)sum_over_cases(1, &others[i], fail_each_place), 10, MOST_PLACES);
  }
}

DLS_TEST(without_an_end_there_are_flights)
{
  static const run_case ends[] = {
      {"bead-column:N=3,e=0.5", "event-driven:max_events=100", 0, 2},
      {"block-column:rows=2,columns=1", "event-driven:max_events=100", 0, 0.5},
      {"bounce-slip", "event-driven:max_events=100", 0, 3},
  };
  ends_get_lost = true;
  also = DLS_ERR_CHATTERING;
  assert_between((double)sum_over_cases(sizeof ends / sizeof *ends, ends, fail_each_place), 2, 10);
  ends_get_lost = false;
  also = DLS_ERR_MEMORY;
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_error_arrives),
                                     cmocka_unit_test(every_error_arrives_elsewhere),
                                     cmocka_unit_test(without_an_end_there_are_flights)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
