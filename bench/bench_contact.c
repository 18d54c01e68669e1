/* bench_contact.c -- contact problems of piles of blocks, redundant, from 10 to 10^4 contacts: residual reached, iterations,
 * CPU seconds; and one contact by the million. With a folder as second argument the piles are written there as files for
 * `delassus contact`.
 *   bench_contact [LARGEST [FOLDER]]
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/block_piles.h"
#include "tests/support/contact_law.h"
#include <delassus/contact_file.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void write_file(const pile *p, const char *folder, const char *name)
{
  char path[500];
  snprintf(path, sizeof path, "%s/%s.dat", folder, name);
  FILE *out = fopen(path, "w");
  const dls_contact_file file = {
      .dim = p->d, .contacts = p->contacts, .blocks = p->blocks, .q = p->q, .W = p->W};
  if (out != NULL) {
    dls_contact_file_write(out, &file, NULL);
    fclose(out);
  }
}

/* @return whether it was solved */
static bool solve(dls_problem_solver *solver, pile *p, const char *name)
{
  const size_t n = p->d * p->contacts;
  double *r = calloc(n, sizeof *r);
  dls_problem_report report;
  const dls_problem problem = pile_problem_of_bodies(p);
  const double begin = now();
  const dls_status status = dls_problem_solve(solver, &problem, r, NULL, &report, NULL);
  printf("%s,%zu,%zu,%d,%.2g,%zu,%.4g\n", name, p->d, p->contacts, status == DLS_OK, report.residual,
         report.iterations, now() - begin);
  fflush(stdout);
  free(r);
  return status == DLS_OK;
}

static void solve_piles(double largest, const char *folder)
{
  static const double kicks[] = {0, 0.01, 1}; /* m/s: at rest, disturbed, thrown about */
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = NULL;
  if (dls_problem_create(NULL, 1e-12, &solver, NULL) != DLS_OK) {
    return;
  }
  size_t total = 0, solved = 0;
  printf("pile,dim,contacts,solved,residual,iterations,seconds\n");
  for (double contacts = 10; contacts <= largest * 1.01; contacts *= sqrt(10)) {
    for (int k = 0; k < 2 * PILE_KINDS * 3; k++, total++) {
      const size_t d = 2 + (size_t)k % 2;
      const pile_kind kind = (pile_kind)(k / 2 % PILE_KINDS);
      char name[80];
      pile p = pile_of_size(kind, d, contacts, kicks[k / 2 / PILE_KINDS], rng);
      snprintf(name, sizeof name, "%s-%zud-%g-%zu", pile_names[kind], d, kicks[k / 2 / PILE_KINDS], p.contacts);
      if (folder != NULL) {
        write_file(&p, folder, name);
      } else {
        solved += solve(solver, &p, name);
      }
      pile_destroy(&p);
    }
  }
  if (folder == NULL) {
    printf("# solved %zu of %zu\n", solved, total);
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

static void solve_contacts(size_t d)
{
  enum { PROBLEMS = 1000, TIMES = 200 };
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = NULL;
  one_contact c[PROBLEMS];
  if (dls_problem_create(NULL, 1e-12, &solver, NULL) != DLS_OK) {
    return;
  }
  for (size_t k = 0; k < PROBLEMS; k++) {
    c[k] = one_contact_random(rng, d);
    c[k].q[0] = -fabs(c[k].q[0]);
  }
  const double begin = now();
  for (size_t k = 0; k < PROBLEMS * TIMES; k++) {
    dls_block block;
    const dls_problem problem = one_contact_problem(&c[k % PROBLEMS], &block);
    double r[3] = {0};
    dls_problem_solve(solver, &problem, r, NULL, NULL, NULL);
  }
  printf("# one closed contact, dim %zu: %.0f ns\n", d, 1e9 * (now() - begin) / (PROBLEMS * TIMES));
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

int main(int argc, char **argv)
{
  solve_piles(argc > 1 ? atof(argv[1]) : 1e4, argc > 2 ? argv[2] : NULL);
  for (size_t d = 2; argc <= 2 && d <= 3; d++) {
    solve_contacts(d);
  }
  return 0;
}
