/* test_call_failures.c -- what steps, contacts and solvers call fails, each place that calls in turn: the error arrives.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/expansion.h"
#include "common/contact/friction/directions.h"
#include "common/contact/friction/friction_force.h"
#include "common/contact/friction/mode_operator.h"
#include "common/contact/operator/operator.h"
#include "common/contact/operator/saddle_system.h"
#include "common/linear/dirichlet_system.h"
#include "common/linear/klu_numbers.h"
#include "common/linear/multigrid.h"
#include "common/linear/principal.h"
#include "common/linear/rows.h"
#include "common/linear/storage.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/large/body_schur.h"
#include "common/solve/large/cascade.h"
#include "common/solve/large/matrix_operator.h"
#include "common/solve/lcp/lcp_methods.h"
#include "contact_jobs.h"
#include "delassus_jobs.h"
#include "failing_calls.h"
#include "run_cases.h"
#include <delassus/contact_system.h>
#include <delassus/joints.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_permutation.h>
#include <gsl/gsl_vector.h>

/* One that also refines what is accepted already (Newton's method), or takes a short way before the long one (kept factors). */
#define FAILING_REFINER(name, parameters, arguments)                                                           \
  FAILING_CALL(dls_status, name, parameters, arguments, true, (refines = true, DLS_ERR_MEMORY))

/* One that has no text of its own. */
#define FAILING_BARE(name, parameters, arguments)                                                              \
  FAILING_CALL(dls_status, name, parameters, arguments, true, DLS_ERR_MEMORY)

#define FAILING_ANY(name, type, parameters, arguments, failure)                                                \
  FAILING_CALL(type, name, parameters, arguments, true, failure)

FAILING_BARE(dls_bilateral_solve, (dls_delassus * D, const double *b, double *p), (D, b, p))
FAILING_BARE(dls_body_schur_factor,
             (dls_body_schur * *bodies, const dls_problem_bodies *what, size_t blocks, const size_t *first,
              const double *A, const double *D, const double *B),
             (bodies, what, blocks, first, A, D, B))
FAILING_REPORTED(dls_delassus_count,
                 (dls_delassus * D, dls_problem_solver *solver, const size_t *active,
                  const dls_problem *problem, size_t *solutions, dls_error *err),
                 (D, solver, active, problem, solutions, err))
FAILING(dls_delassus_gather, (dls_delassus * D, size_t count, const size_t *active, dls_error *err),
        (D, count, active, err))
FAILING_REPORTED(dls_delassus_solve,
                 (dls_delassus * D, dls_lcp_solver *lcp, size_t count, const size_t *active, const double *b,
                  double *p, size_t *work_solves, size_t *work_pivots, dls_error *err),
                 (D, lcp, count, active, b, p, work_solves, work_pivots, err))
FAILING_REPORTED(dls_delassus_solve_bilateral,
                 (dls_delassus * D, size_t count, const size_t *active, const double *b, double *p,
                  dls_error *err),
                 (D, count, active, b, p, err))
FAILING_REPORTED(dls_delassus_solve_compliant,
                 (dls_delassus * D, double s, size_t count, const size_t *active, const double *E, double *b,
                  dls_error *err),
                 (D, s, count, active, E, b, err))
FAILING_REPORTED(dls_delassus_solve_problem,
                 (dls_delassus * D, dls_problem_solver *solver, const size_t *active,
                  const dls_problem *problem, double *r, double *u, dls_problem_report *report, dls_error *err),
                 (D, solver, active, problem, r, u, report, err))
FAILING_REPORTED(dls_expansion,
                 (dls_contact_system * contacts, const dls_contacts *set, const double *u_free,
                  const double *u_minus, double *r, dls_error *err),
                 (contacts, set, u_free, u_minus, r, err))
FAILING_BARE(dls_factor_copy_sum, (const dls_factor *F, const double *coefficients, dls_matrix **sparse),
             (F, coefficients, sparse))
FAILING_REPORTED(dls_factor_sum, (dls_factor * F, const double *coefficients, dls_error *err),
                 (F, coefficients, err))
FAILING_REPORTED(dls_friction_force,
                 (dls_contact_system * contacts, const dls_contacts *set, const double *q, double *r,
                  dls_error *err),
                 (contacts, set, q, r, err))
FAILING_REPORTED(dls_friction_reserve, (dls_contact_system * contacts, size_t count, dls_error *err),
                 (contacts, count, err))
FAILING_BARE(dls_mode_operator_hold, (dls_mode_operator * O, size_t *rank), (O, rank))
FAILING_BARE(dls_mode_operator_take,
             (dls_mode_operator * O, size_t count, const size_t *first, const dls_unknown *unknown),
             (O, count, first, unknown))
FAILING_BARE(dls_free_directions_find,
             (dls_free_directions_work * work, const dls_contacts *set, const bool *wanted, const bool *held,
              dls_free_directions *tangents),
             (work, set, wanted, held, tangents))
FAILING_BARE(dls_dirichlet_system_descend,
             (dls_dirichlet_system * S, dls_bounds bounds, const double *f, double *x, unsigned char *held),
             (S, bounds, f, x, held))
FAILING_BARE(dls_dirichlet_system_estimate,
             (dls_dirichlet_system * S, const unsigned char *held, const double *f, double *x, double *r,
              bool *solved),
             (S, held, f, x, r, solved))
FAILING_BARE(dls_dirichlet_system_solve,
             (dls_dirichlet_system * S, const unsigned char *held, const double *f, double *x, double *r),
             (S, held, f, x, r))
FAILING_BARE(dls_dirichlet_system_matrix,
             (dls_dirichlet_system * S, const dls_factor *F, const double *coefficients), (S, F, coefficients))
FAILING_REPORTED(dls_joints_at, (dls_joints * J, double t, const double *q, dls_error *err), (J, t, q, err))
FAILING_BARE(dls_klu_numbers,
             (int64_t * starts, int64_t *rows, double *values, klu_l_symbolic *symbolic,
              klu_l_numeric **numeric, klu_l_common *common),
             (starts, rows, values, symbolic, numeric, common))
FAILING_BARE(dls_lcp_cascade, (dls_lcp_matrix * matrix, const double *b, unsigned char *active, double *z),
             (matrix, b, active, z))
FAILING_REPORTED(dls_lcp_create,
                 (size_t capacity, const char *method, double tolerance, dls_lcp_solver **out, dls_error *err),
                 (capacity, method, tolerance, out, err))
FAILING_BARE(dls_lcp_matrix_take, (dls_lcp_matrix * L, const dls_matrix *W), (L, W))
FAILING_BARE(dls_lcp_pivot, (dls_lcp_pivoting * p), (p))
FAILING_BARE(dls_lcp_reserve_operator, (dls_lcp_solver * solver, size_t n), (solver, n))
FAILING_REPORTED(dls_lcp_solve,
                 (dls_lcp_solver * solver, size_t n, const double *W, const double *b, double *z, double *w,
                  dls_lcp_report *report, dls_error *err),
                 (solver, n, W, b, z, w, report, err))
FAILING_REPORTED(dls_lcp_solve_matrix,
                 (dls_lcp_solver * solver, const dls_matrix *W, const double *b, double *z, double *w,
                  dls_lcp_report *report, dls_error *err),
                 (solver, W, b, z, w, report, err))
FAILING_REPORTED(dls_lcp_solve_operator,
                 (dls_lcp_solver * solver, const dls_lcp_operator *W, const double *b, double *z, double *w,
                  dls_lcp_report *report, dls_error *err),
                 (solver, W, b, z, w, report, err))
FAILING_BARE(dls_lcp_sweep, (const dls_lcp_pivoting *p, double tolerance, double largest, size_t *sweeps),
             (p, tolerance, largest, sweeps))
FAILING_BARE(dls_multigrid_solve,
             (dls_multigrid * G, double least, size_t most, double *work, double *x, double *r,
              size_t *iterations),
             (G, least, most, work, x, r, iterations))
FAILING_BARE(dls_principal_factor, (dls_principal * P, size_t count, const int *set, double shift),
             (P, count, set, shift))
FAILING_REFINER(dls_principal_solve, (dls_principal * P, double *x), (P, x))
FAILING_BARE(dls_principal_take, (dls_principal * P, const dls_matrix *W), (P, W))
FAILING_REPORTED(dls_problem_count,
                 (dls_problem_solver * solver, const dls_problem *problem, size_t *solutions, dls_error *err),
                 (solver, problem, solutions, err))
FAILING_REPORTED(dls_problem_create,
                 (const char *method, double tolerance, dls_problem_solver **out, dls_error *err),
                 (method, tolerance, out, err))
FAILING_REPORTED(dls_problem_solve,
                 (dls_problem_solver * solver, const dls_problem *problem, double *r, double *u,
                  dls_problem_report *report, dls_error *err),
                 (solver, problem, r, u, report, err))
FAILING_BARE(dls_rows_take, (dls_rows * rows, const dls_matrix *A), (rows, A))
FAILING_ANY(dls_saddle_system_take, bool, (dls_saddle_system * s, const dls_delassus *D), (s, D), false)
FAILING_BARE(dls_saddle_system_factor,
             (dls_saddle_system * s, size_t blocks, const size_t *first, const dls_saddle_law *law),
             (s, blocks, first, law))
FAILING_REPORTED(dls_contact_system_at,
                 (dls_contact_system * contacts, double t, const double *q, dls_error *err),
                 (contacts, t, q, err))
FAILING_REPORTED(dls_task_begin,
                 (dls_problem_solver * solver, const dls_problem *problem, double *r, dls_problem_task *task,
                  dls_error *err),
                 (solver, problem, r, task, err))
FAILING_BARE(dls_task_factor, (dls_problem_task * task), (task))
FAILING_BARE(dls_task_interior_point,
             (dls_problem_task * task, double scale, size_t correctors, size_t most, size_t *steps),
             (task, scale, correctors, most, steps))
FAILING_REFINER(dls_task_newton, (dls_problem_task * task, double delta, size_t most, size_t *steps),
                (task, delta, most, steps))
FAILING_REFINER(dls_task_newton_damped, (dls_problem_task * task, size_t most, size_t *steps),
                (task, most, steps))
FAILING_REFINER(dls_task_newton_step, (dls_problem_task * task, double delta), (task, delta))
FAILING_BARE(dls_task_proximal, (dls_problem_task * task, size_t most, size_t *steps), (task, most, steps))

/* GSL's, whose allocations the linker does not send to anybody. */
FAILING_MAKER(gsl_matrix_alloc, gsl_matrix *, (size_t rows, size_t columns), (rows, columns))
FAILING_MAKER(gsl_matrix_calloc, gsl_matrix *, (size_t rows, size_t columns), (rows, columns))
FAILING_MAKER(gsl_permutation_alloc, gsl_permutation *, (size_t n), (n))
FAILING_MAKER(gsl_permutation_calloc, gsl_permutation *, (size_t n), (n))
FAILING_MAKER(gsl_vector_alloc, gsl_vector *, (size_t n), (n))
FAILING_MAKER(gsl_vector_calloc, gsl_vector *, (size_t n), (n))

/* KLU's, which are a short way now and then. */
FAILING_ANY(klu_l_analyze, klu_l_symbolic *, (int64_t n, int64_t *starts, int64_t *rows, klu_l_common *common),
            (n, starts, rows, common), (refines = true, NULL))
FAILING_ANY(klu_l_factor, klu_l_numeric *,
            (int64_t * starts, int64_t *rows, double *values, klu_l_symbolic *symbolic, klu_l_common *common),
            (starts, rows, values, symbolic, common), (refines = true, NULL))

static const run_case cases[] = {
    {"bead-column:N=10", "moreau-jean", 1e-3, 0.3},
    {"bead-column:N=150,gap=0", "moreau-jean", 1e-3, 0.003},
    {"lattice-pile:rows=40,columns=40", "moreau-jean", 1e-3, 0.002},
    {"lattice-pile:rows=5,columns=5,mu=0.3", "moreau-jean", 1e-3, 0.003},
    {"block-wall", "moreau-jean", 1e-3, 0.003},
    {"block-wall:rows=2,columns=2,dim=3", "moreau-jean", 1e-3, 0.003},
    {"block-pyramid:rows=12,columns=12", "moreau-jean", 1e-3, 0.002},
    {"block-column:rows=2,columns=1,e=0.5 poisson", "moreau-jean", 1e-3, 0.1},
    {"elastic-bar", "moreau-jean", 1e-3, 0.5},
    {"elastic-block", "moreau-jean", 1e-3, 0.01},
    {"pendulum-chain:N=3", "moreau-jean", 1e-3, 0.3},
    {"pendulum-chain:N=100", "moreau-jean", 1e-3, 0.003},
    {"slider-crank-clearance", "moreau-jean", 1e-5, 0.001},
    {"random-linear:n=20,m=8", "moreau-jean", 1e-2, 1},
    {"random-frictional:n=12,m=4,dim=3", "moreau-jean", 1e-2, 1},
    {"block-wall", "event-driven", 0, 0.01},
    {"lattice-pile:rows=27,columns=27", "moreau-jean", 1e-3, 0.002},
    {"block-pyramid:rows=7,columns=7", "event-driven", 0, 1e-4},
    {"slider-crank-clearance", "event-driven", 0, 0.03},
    {"bouncing-pendulum-natural", "event-driven:method=bdf", 0, 0.5},
    {"bead-column:N=3,gap=0,e=0.5", "spring-damper", 1e-3, 0.01},
    {"bead-column:N=3,gap=0", "conserving-penalty", 1e-3, 0.01},
    {"bead-column:N=150,gap=0", "conserving-penalty", 1e-3, 0.002},
    {"lattice-pile:rows=3,columns=3", "conserving-penalty", 1e-3, 0.002},
    {"block-wall:rows=2,columns=2", "conserving-penalty", 1e-3, 0.002},
    {"block-wall:rows=2,columns=1,dim=3", "conserving-penalty", 1e-3, 0.002},

    {"four-bar:N=2", "moreau-jean", 1e-2, 0.1},
};

DLS_TEST(every_error_arrives)
{
  assert_between((double)sum_over_cases(sizeof cases / sizeof *cases, cases, fail_each_place), 40, MOST_PLACES);
}

extern const dls_law dls_law_poisson;

DLS_TEST(every_error_of_contact_arrives)
{
  static const dls_law *const laws[] = {NULL, &dls_law_poisson};
  size_t count = 0;
  for (size_t k = 0; k < 2; k++) {
    dls_system *sys = contact_job_rubbing(laws[k]);
    forget_places();
    count += fail_each_place(rub, &(contact_job){.sys = sys});
    dls_system_destroy(sys);
  }
  dls_system *blocks = contact_job_blocks();
  forget_places();
  count += fail_each_place(mode_job, &(contact_job){.sys = blocks});
  dls_system_destroy(blocks);
  assert_between((double)count, 20, MOST_PLACES);
}

DLS_TEST(every_error_of_W_arrives)
{
  size_t count = 0;
  forget_places();
  for (delassus_kind kind = 0; kind < DELASSUS_KINDS; kind++) {
    count += fail_each_place(delassus_job, &kind);
  }
  assert_between((double)count, 20, MOST_PLACES);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_error_arrives),
                                     cmocka_unit_test(every_error_of_contact_arrives),
                                     cmocka_unit_test(every_error_of_W_arrives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
