/* experiments/measures/ledger/ledger_problems.h -- the problems that the ledger runs every step model on. A problem is the words of an
 * `order` study, so that every number of the ledger has a command that repeats it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LEDGER_PROBLEMS_H
#define DELASSUS_EXPERIMENTS_LEDGER_PROBLEMS_H

#include <delassus/error.h>

/** What contacts do in the motion of a problem, so that it can be measured there. */
enum {
  DLS_LEDGER_IMPACTS = 1 << 0, /* single impacts */
  DLS_LEDGER_RESTS = 1 << 1,   /* a contact stays closed */
  DLS_LEDGER_SLIDES = 1 << 2,
  DLS_LEDGER_STICKS = 1 << 3
};

enum { DLS_LEDGER_SETTINGS = 4 };

typedef struct dls_ledger_problem {
  const char *name;    /* key */
  const char *summary; /* one line */
  const char *model;
  const char *set[DLS_LEDGER_SETTINGS]; /* "e=1"; NULL: no more */
  const char *end;                      /* [s] */
  const char *steps, *quick;            /* "H0:H1:N", of --quick a few large ones */
  const char *slip;   /* column of a velocity that friction changes; NULL: there is no friction */
  unsigned motion;    /* bits above */
  const char *engine; /* the problem of the same data in ./engines; NULL: none */
} dls_ledger_problem;

/** All problems; the last one has no name. */
const dls_ledger_problem *dls_ledger_problems(void);
/** @return NULL and DLS_ERR_OPTION with the names that there are, if there is no such problem */
const dls_ledger_problem *dls_ledger_problem_named(const char *name, dls_error *err);

#endif
