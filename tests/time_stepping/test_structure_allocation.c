/* test_structure_allocation.c -- many contacts: allocation number k fails, for k = 1, 2, ... until all goes well; each
 * time there is an error, nothing crashes and nothing is left behind; and a step of a column allocates nothing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>

enum { N = 150 };

/* Beads in a column; beads with springs between them; a string on the floor, whose contacts move unknowns of their own, soft and stiff. */
typedef enum kind { COLUMN, TIED, SOFT, STIFF, KINDS } kind;

/* A string that touches the floor all along. */
static dls_system *string(void)
{
  dls_system *sys = dls_system_create(N, N);
  if (sys != NULL && (sys->M = dls_matrix_diagonal(N)) != NULL &&
      (sys->H = dls_matrix_sparse(N, N, N)) != NULL) {
    sys->linear = true;
    for (size_t j = 0; j < N; j++) {
      dls_matrix_set(sys->M, j, j, 1);
      dls_matrix_set(sys->H, j, j, 1);
      sys->v0[j] = j % 3 == 0 ? 1 : -1;
    }
    return sys;
  }
  dls_system_destroy(sys);
  return NULL;
}

static dls_status column(dls_system **sys, dls_error *err)
{
  double p[16];
  const dls_model *entry = dls_model_find("bead-column", err);
  dls_option_defaults(entry->parameters, p);
  p[dls_option_find(entry->parameters, "N")] = N;
  p[dls_option_find(entry->parameters, "gap")] = 0;
  return dls_model_create(entry, p, sys, err);
}

static dls_status create(kind body, dls_system **sys, dls_error *err)
{
  const dls_status status = body <= TIED                ? column(sys, err)
                            : (*sys = string()) != NULL ? DLS_OK
                                                        : dls_fail(err, DLS_ERR_MEMORY, "NULL");
  if (status != DLS_OK || body == COLUMN) {
    return status;
  }
  const double k = body == STIFF ? 1e12 : 1;
  (*sys)->K = dls_matrix_band(N, 1, 1);
  for (size_t j = 0; (*sys)->K != NULL && j < N; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < N && i <= j + 1; i++) {
      dls_matrix_set((*sys)->K, i, j, i == j ? 2 * k : -k);
    }
  }
  return (*sys)->K != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "NULL");
}

/* @param[in] still  from the start on no allocation is allowed */
static dls_status job(const char *scheme, kind body, bool still, dls_error *err)
{
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = create(body, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find(scheme, err), &sim, err);
  status = status != DLS_OK ? status : dls_sim_start(sim, err);
  for (size_t k = 0; status == DLS_OK && k < 3; k++) {
    until_failure = still ? 1 : until_failure;
    status = dls_sim_advance(sim, 1e-3, err);
  }
  assert_true(status != DLS_OK || sim->work.lcp_solves + sim->work.newton_iterations > 0);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

static const char *const schemes[] = {"moreau-jean", "schatzman-paoli", "nonsmooth-newmark"};

typedef struct failing {
  const char *scheme;
  kind body;
} failing;

static dls_status failing_job(const void *data, dls_error *err)
{
  const failing *f = data;
  return job(f->scheme, f->body, false, err);
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  for (size_t i = 0; i < 3; i++) {
    for (kind body = COLUMN; body < KINDS; body++) {
      fail_each_in_turn(failing_job, &(failing){schemes[i], body});
    }
  }
}

DLS_TEST(a_step_of_a_column_allocates_nothing)
{
  static const char *const penalty[] = {"standard-penalty", "conserving-penalty"};
  for (size_t i = 0; i < 5; i++) {
    dls_error err = {0};
    failed = false;
    assert_ok(job(i < 3 ? schemes[i] : penalty[i - 3], COLUMN, true, &err), err);
    assert_false(failed);
    until_failure = 0;
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
      cmocka_unit_test(a_step_of_a_column_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
