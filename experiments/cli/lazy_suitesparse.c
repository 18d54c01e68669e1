/* experiments/cli/lazy_suitesparse.c -- CHOLMOD and UMFPACK, which large and sparse problems alone need, are loaded when they
 * are first called: LAPACK, METIS, libgfortran and libgomp, which come with them, take longer than all else of a start.
 *
 * The calls that the library makes of them end here in the tool and go on to those of the library. Types are those of the
 * binary interface, which the headers of SuiteSparse 5 and 7 spell differently.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/linear/multifrontal.h"
#include "experiments/cli/cli.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOADING = 1 << 20 }; /* bytes, from above: libgfortran crashes where it finds no memory at its start */

typedef struct library {
  const char *name;
  pthread_mutex_t lock;
  void *handle;
} library;

static library cholmod = {DLS_CHOLMOD_LIBRARY, PTHREAD_MUTEX_INITIALIZER, NULL};
static library umfpack = {DLS_UMFPACK_LIBRARY, PTHREAD_MUTEX_INITIALIZER, NULL};

/* As the system's loader does where a library is missing at the start. */
static void give_up(void)
{
  const char *why = dlerror();
  fprintf(stderr, "delassus: %s; install SuiteSparse (Debian: libsuitesparse-dev), or free memory to load it\n",
          why != NULL ? why : "no memory for CHOLMOD or UMFPACK");
  exit(DLS_EXIT_FAILED);
}

static void *load(library *l, const char *name)
{
  pthread_mutex_lock(&l->lock);
  if (l->handle == NULL && dls_memory_left(LOADING)) {
    l->handle = dlopen(l->name, RTLD_NOW | RTLD_LOCAL);
  }
  void *address = l->handle != NULL ? dlsym(l->handle, name) : NULL;
  if (address == NULL) {
    give_up();
  }
  pthread_mutex_unlock(&l->lock);
  return address;
}

static void *found(library *l, _Atomic(void *) *address, const char *name)
{
  void *known = atomic_load(address);
  if (known == NULL) {
    known = load(l, name);
    atomic_store(address, known);
  }
  return known;
}

/* Define the function of this name; `pass` is return, or nothing for one that returns nothing. */
#define FORWARD(pass, library, type, name, parameters, arguments)                                              \
  type name parameters;                                                                                        \
  type name parameters                                                                                         \
  {                                                                                                            \
    static _Atomic(void *) address;                                                                            \
    void *const known = found(&library, &address, #name);                                                      \
    type(*call) parameters = NULL;                                                                             \
    memcpy(&call, &known, sizeof call);                                                                        \
    pass call arguments;                                                                                       \
  }
#define FORWARD_UMFPACK(pass, type, name, parameters, arguments)                                               \
  FORWARD(pass, umfpack, type, name, parameters, arguments)

FORWARD(return, cholmod, int, cholmod_l_start, (void *c), (c))
FORWARD(return, cholmod, int, cholmod_l_finish, (void *c), (c))
FORWARD(return, cholmod, void *, cholmod_l_allocate_sparse,
              (size_t rows, size_t columns, size_t most, int sorted, int packed, int stype, int xtype, void *c),
              (rows, columns, most, sorted, packed, stype, xtype, c))
FORWARD(return, cholmod, int, cholmod_l_free_sparse, (void *A, void *c), (A, c))
FORWARD(return, cholmod, int, cholmod_l_free_factor, (void *L, void *c), (L, c))
FORWARD(return, cholmod, int, cholmod_l_free_dense, (void *x, void *c), (x, c))
FORWARD(return, cholmod, int, cholmod_l_amd, (void *A, void *set, size_t size, void *order, void *c),
              (A, set, size, order, c))
FORWARD(return, cholmod, void *, cholmod_l_analyze, (void *A, void *c), (A, c))
FORWARD(return, cholmod, void *, cholmod_l_analyze_p, (void *A, void *order, void *set, size_t size, void *c),
              (A, order, set, size, c))
FORWARD(return, cholmod, int, cholmod_l_factorize, (void *A, void *L, void *c), (A, L, c))
FORWARD(return, cholmod, int, cholmod_l_solve2,
              (int sys, void *L, void *b, void *b_set, void *x, void *x_set, void *y, void *e, void *c),
              (sys, L, b, b_set, x, x_set, y, e, c))

FORWARD_UMFPACK(, void, DLS_UMFPACK(defaults), (double *control), (control))
FORWARD_UMFPACK(return, int64_t, DLS_UMFPACK(symbolic),
                      (int64_t rows, int64_t columns, void *p, void *i, void *x, void *symbolic, void *control,
                       void *info),
                      (rows, columns, p, i, x, symbolic, control, info))
FORWARD_UMFPACK(return, int64_t, DLS_UMFPACK(numeric),
                      (void *p, void *i, void *x, void *symbolic, void *numeric, void *control, void *info),
                      (p, i, x, symbolic, numeric, control, info))
FORWARD_UMFPACK(return, int64_t, DLS_UMFPACK(wsolve),
                      (int64_t sys, void *p, void *i, void *a, void *x, void *b, void *numeric, void *control,
                       void *info, void *wi, void *w),
                      (sys, p, i, a, x, b, numeric, control, info, wi, w))
FORWARD_UMFPACK(return, int64_t, DLS_UMFPACK(get_numeric),
                      (void *lp, void *lj, void *lx, void *up, void *ui, void *ux, void *p, void *q, void *d,
                       void *reciprocal, void *scale, void *numeric),
                      (lp, lj, lx, up, ui, ux, p, q, d, reciprocal, scale, numeric))
FORWARD_UMFPACK(, void, DLS_UMFPACK(free_symbolic), (void *symbolic), (symbolic))
FORWARD_UMFPACK(, void, DLS_UMFPACK(free_numeric), (void *numeric), (numeric))
