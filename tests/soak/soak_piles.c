/* soak_piles.c -- contact problems of piles of blocks, redundant: solved, or not, by the method auto
 * or another one.
 *
 *   soak_piles FIRST COUNT [METHOD]
 *
 * Pile i: a column, wall or pyramid, in the plane or in space, at rest, disturbed by 1 cm/s or thrown about by 1 m/s: 18 kinds,
 * one after the other, of 10 * 10^((i / 18 % 13) / 4) contacts: 10 to 10^4. A line for each with its size, the residual that the judge
 * finds again from W, q and r, seconds of processor time, the method that answered and what each part reached.
 * Exit status 0: no answer was called solved that is not. All of them: piles.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "block_piles.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { KINDS = 2 * PILE_KINDS * 3, SIZES = 13 };
static const double kicks[] = {0, 0.01, 1}; /* m/s */
static const double tolerance = 1e-12;

static double seconds(void)
{
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print_stages(const dls_problem_report *report)
{
  for (size_t k = 0; k < report->stages; k++) {
    printf("%s%s:%zu:%.1e", k == 0 ? "" : ";", report->stage[k].method, report->stage[k].iterations,
           report->stage[k].residual);
  }
}

/* @return false if what is said and what is found differ */
static bool try_pile(size_t i, const char *method)
{
  const size_t kind = i % KINDS, d = 2 + kind % 2;
  const double contacts = 10 * pow(10, (double)(i / KINDS % SIZES) / 4), kick = kicks[kind / 6];
  const pile_kind shape = (pile_kind)(kind / 2 % PILE_KINDS);
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = NULL;
  dls_problem_report report, again;
  gsl_rng_set(rng, i + 1);
  pile p = pile_of_size(shape, d, contacts, kick, rng);
  const dls_problem problem = pile_problem_of_bodies(&p);
  double *r = calloc(2 * d * p.contacts, sizeof *r), *u = r + d * p.contacts;
  if (r == NULL || dls_problem_create(method, tolerance, &solver, NULL) != DLS_OK) {
    return false;
  }
  const double begin = seconds();
  const dls_status status = dls_problem_solve(solver, &problem, r, NULL, &report, NULL);
  const double taken = seconds() - begin;
  const bool judged = dls_problem_judge(solver, &problem, r, u, &again, NULL) == DLS_OK;
  const bool solved = status == DLS_OK, sound = judged && (!solved || again.residual <= tolerance);
  printf(
      "pile=%zu shape=%s dim=%zu kick=%g contacts=%zu verdict=%s residual=%.2e seconds=%.3f method=%s stages=",
      i, pile_names[shape], d, kick, p.contacts,
      !sound   ? "FAIL"
      : solved ? "ok"
               : "unsolved",
      again.residual, taken, report.method);
  print_stages(&report);
  printf(" end\n");
  fflush(stdout);
  dls_problem_destroy(solver);
  free(r);
  pile_destroy(&p);
  gsl_rng_free(rng);
  return sound;
}

int main(int argc, char **argv)
{
  const size_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  const size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : KINDS;
  const char *method = argc > 3 ? argv[3] : NULL;
  bool sound = true;
  for (size_t i = first; i < first + count; i++) {
    sound = try_pile(i, method) && sound;
  }
  return sound ? 0 : 1;
}
